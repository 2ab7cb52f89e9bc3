//! How does running text become paragraphs? Word by word, with white space folded and styles kept.

use super::document::{Piece, Run, Style, is_seen};

/// A paragraph while it is read.
#[derive(Default)]
pub(super) struct Line {
    runs: Vec<Run>,
    /// Whether white space stands between what was read and what comes next.
    is_spaced: bool,
    /// Whether it is the headline of the page.
    pub is_headline: bool,
}

impl Line {
    /// Adds text, white space folded.
    pub fn push(&mut self, text: &str, style: &Style) {
        for word in text.split_inclusive(char::is_whitespace) {
            let letters = word.trim_end();
            if !letters.is_empty() {
                self.push_word(letters, style);
            }
            self.is_spaced |= letters.len() < word.len();
        }
    }

    /// Notes that there is white space before what comes next.
    pub fn space(&mut self) {
        self.is_spaced = true;
    }

    fn push_word(&mut self, word: &str, style: &Style) {
        let is_same = self
            .runs
            .last()
            .is_some_and(|run| run.style == *style && matches!(run.piece, Piece::Text(_)));
        if !is_same {
            return self.add(Piece::Text(word.to_owned()), style);
        }
        let is_spaced = std::mem::take(&mut self.is_spaced);
        if let Some(Run {
            piece: Piece::Text(text),
            ..
        }) = self.runs.last_mut()
        {
            text.push_str(if is_spaced { " " } else { "" });
            text.push_str(word);
        }
    }

    /// Adds a piece, with the space before it.
    pub fn add(&mut self, piece: Piece, style: &Style) {
        let is_spaced = std::mem::take(&mut self.is_spaced);
        if is_spaced && let Some(last) = self.runs.last().filter(|run| run.piece != Piece::Break) {
            // A space between two styles belongs to neither: it is plain but for what both share.
            let style = shared_style(&last.style, style);
            self.runs.push(Run {
                piece: Piece::Text(" ".to_owned()),
                style,
            });
        }
        self.runs.push(Run {
            piece,
            style: style.clone(),
        });
    }

    /// Adds a line break.
    pub fn end_of_line(&mut self) {
        self.is_spaced = false;
        self.runs.push(Run {
            piece: Piece::Break,
            style: Style::default(),
        });
    }

    /// The paragraphs: two line breaks end one as well as a tag does.
    pub fn paragraphs(self) -> Vec<Vec<Run>> {
        let mut paragraphs: Vec<Vec<Run>> = vec![Vec::new()];
        let mut ended: Option<Run> = None;
        for run in self.runs {
            if run.piece == Piece::Break {
                if ended.replace(run).is_some() {
                    paragraphs.push(Vec::new());
                }
                continue;
            }
            let ended = ended.take();
            if let Some(paragraph) = paragraphs.last_mut() {
                paragraph.extend(ended.filter(|_| !paragraph.is_empty()));
                paragraph.push(run);
            }
        }
        paragraphs.retain(|runs| runs.iter().any(is_seen));
        paragraphs
    }
}

/// What two styles have in common.
fn shared_style(one: &Style, other: &Style) -> Style {
    Style {
        link: one
            .link
            .clone()
            .filter(|link| other.link.as_ref() == Some(link)),
        strong: one.strong && other.strong,
        emphasis: one.emphasis && other.emphasis,
        struck: one.struck && other.struck,
        script: one.script.filter(|_| one.script == other.script),
        code: false,
    }
}
