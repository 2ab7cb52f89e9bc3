//! Which words of a line are others?
//!
//! What two lines begin and end with is taken off. What is left in the middle is compared by the
//! longest common sequence of words, within a budget in proportion to its length; where that is not
//! enough, the one middle stands for the other as a whole.

use serde::Serialize;

/// Middles of n and m words are compared word by word if n · m is at most this many times n + m:
/// the cost stays linear in the words. Not fitted: two texts of 512 words each are just compared.
const CELLS_PER_WORD: usize = 256;

/// A piece of a line that was compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// On which side it is.
    pub kind: PieceKind,
    /// Its words.
    pub text: String,
}

/// On which side words are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PieceKind {
    /// On both.
    Same,
    /// On the old one.
    Gone,
    /// On the new one.
    New,
}

/// A word, or a mark between words, and where it begins in its text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'t> {
    pub text: &'t str,
    start: usize,
}

/// Words are the same if their letters are, wherever they are.
impl PartialEq for Word<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// The words and marks of a text: runs of letters and digits, and every other sign alone. In scripts
/// that do not part words each sign is one.
pub(super) fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let word = |start: usize, end: usize| Word {
        text: &text[start..end],
        start,
    };
    let mut start = 0;
    for (at, letter) in text.char_indices() {
        let end = at + letter.len_utf8();
        if letter.is_alphanumeric() && !is_word_alone(letter) {
            continue;
        }
        if start < at {
            words.push(word(start, at));
        }
        if !letter.is_whitespace() {
            words.push(word(at, end));
        }
        start = end;
    }
    if start < text.len() {
        words.push(word(start, text.len()));
    }
    words
}

/// Whether a letter is a word by itself: it is of a script that does not part words (ideographs,
/// kana, Thai, Lao, Khmer, Burmese).
fn is_word_alone(letter: char) -> bool {
    matches!(letter as u32,
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3040..=0x30FF | 0x3400..=0x9FFF
        | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

/// The pieces of which two lines are made, in order.
pub(super) fn pieces(old: &str, new: &str) -> Vec<Piece> {
    let (before, after) = (words(old), words(new));
    let start = before
        .iter()
        .zip(&after)
        .take_while(|(one, other)| one == other)
        .count();
    let shorter = before.len().min(after.len());
    let end = before
        .iter()
        .rev()
        .zip(after.iter().rev())
        .take(shorter - start)
        .take_while(|(one, other)| one == other)
        .count();
    let mut pieces = Pieces::default();
    for &word in &before[..start] {
        pieces.push(PieceKind::Same, old, word);
    }
    let middle_before = &before[start..before.len() - end];
    let middle_after = &after[start..after.len() - end];
    let is_affordable = middle_before.len() * middle_after.len()
        <= CELLS_PER_WORD * (middle_before.len() + middle_after.len());
    if is_affordable {
        push_compared(&mut pieces, (old, middle_before), (new, middle_after));
    } else {
        for &word in middle_before {
            pieces.push(PieceKind::Gone, old, word);
        }
        for &word in middle_after {
            pieces.push(PieceKind::New, new, word);
        }
    }
    for &word in &after[after.len() - end..] {
        pieces.push(PieceKind::Same, new, word);
    }
    pieces.finish()
}

/// Adds two middles by their longest common sequence of words.
fn push_compared<'t>(
    pieces: &mut Pieces<'t>,
    (old, before): (&'t str, &[Word<'t>]),
    (new, after): (&'t str, &[Word<'t>]),
) {
    // How many words are common to what follows each pair of places.
    let width = after.len() + 1;
    let mut common = vec![0_u32; (before.len() + 1) * width];
    for one in (0..before.len()).rev() {
        for other in (0..after.len()).rev() {
            common[one * width + other] = if before[one] == after[other] {
                common[(one + 1) * width + other + 1] + 1
            } else {
                common[(one + 1) * width + other].max(common[one * width + other + 1])
            };
        }
    }
    let (mut one, mut other) = (0, 0);
    while one < before.len() || other < after.len() {
        let is_same = one < before.len() && other < after.len() && before[one] == after[other];
        if is_same {
            pieces.push(PieceKind::Same, new, after[other]);
            one += 1;
            other += 1;
            continue;
        }
        let goes = other == after.len()
            || one < before.len()
                && common[(one + 1) * width + other] >= common[one * width + other + 1];
        if goes {
            pieces.push(PieceKind::Gone, old, before[one]);
            one += 1;
        } else {
            pieces.push(PieceKind::New, new, after[other]);
            other += 1;
        }
    }
}

/// Pieces while words are added to them.
#[derive(Default)]
struct Pieces<'t> {
    done: Vec<Piece>,
    /// The kind, the text, and the bytes of it of the piece that grows.
    open: Option<(PieceKind, &'t str, usize, usize)>,
}

impl<'t> Pieces<'t> {
    /// Adds a word of a text: words that follow each other there are one piece, with what stands
    /// between them.
    fn push(&mut self, kind: PieceKind, text: &'t str, word: Word<'t>) {
        let start = word.start;
        let end = start + word.text.len();
        let continued = self.open.filter(|&(open, known, _, before)| {
            open == kind
                && std::ptr::eq(known, text)
                && before <= start
                && text[before..start].chars().all(char::is_whitespace)
        });
        match continued {
            Some((_, _, from, _)) => self.open = Some((kind, text, from, end)),
            None => {
                self.close();
                self.open = Some((kind, text, start, end));
            }
        }
    }

    fn close(&mut self) {
        let Some((kind, text, start, end)) = self.open.take() else {
            return;
        };
        let text = &text[start..end];
        match self.done.last_mut() {
            Some(last) if last.kind == kind => {
                last.text.push(' ');
                last.text.push_str(text);
            }
            Some(_) | None => self.done.push(Piece {
                kind,
                text: text.to_owned(),
            }),
        }
    }

    fn finish(mut self) -> Vec<Piece> {
        self.close();
        self.done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(old: &str, new: &str) -> String {
        let mut written = String::new();
        for piece in pieces(old, new) {
            match piece.kind {
                PieceKind::Same => written += &piece.text,
                PieceKind::Gone => written += &format!("[-{}-]", piece.text),
                PieceKind::New => written += &format!("[+{}+]", piece.text),
            }
        }
        written
    }

    #[test]
    fn words_in_the_middle_are_told_apart() {
        assert_eq!(
            written(
                "It costs 12 pounds a year.",
                "It costs 15 pounds each year."
            ),
            "It costs[-12-][+15+]pounds[-a-][+each+]year."
        );
        assert_eq!(written("same", "same"), "same");
        assert_eq!(written("", "new words"), "[+new words+]");
        assert_eq!(written("a b a", "a"), "a[-b a-]");
    }

    #[test]
    fn ideographs_are_words() {
        let texts: Vec<&str> = words("価格は千円").iter().map(|word| word.text).collect();
        assert_eq!(texts, ["価", "格", "は", "千", "円"]);
        assert_eq!(written("価格は千円", "価格は二千円"), "価格は[+二+]千円");
    }

    #[test]
    fn long_middles_stand_for_each_other_as_wholes() {
        let old: Vec<String> = (0..2000).map(|n| format!("a{n}")).collect();
        let new: Vec<String> = (0..2000).map(|n| format!("b{n}")).collect();
        let pieces = pieces(&old.join(" "), &new.join(" "));
        assert_eq!(pieces.len(), 2);
    }
}
