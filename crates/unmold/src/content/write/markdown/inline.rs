//! How is a line of a document written in Markdown?
//!
//! Words, with marks around those that are important or stressed. Whether stars are marks depends
//! on what stands beside them: in `**a:**b` the second pair is none, since a colon stands before it
//! and a letter behind it. [`Inline`] holds the marks apart from the text until the line is
//! complete; then pairs that would not be read are written as HTML.
//!
//! Cost: linear in the line.

use super::escape::{Marks, destination, entities, escaped};
use crate::content::write::document::{Layer, Piece, Run, Script, is_code, is_seen};

/// What a line is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Paragraph,
    Heading,
    Cell,
}

/// A line of Markdown.
pub(super) fn line(runs: &[Run], place: Place) -> String {
    let mut inline = Inline {
        marks: marks(runs, place),
        place,
        parts: Vec::new(),
        pairs: Vec::new(),
    };
    inline.layer(runs, &Layer::ALL);
    let mut line = inline.written();
    // A number sign at the end of a heading is taken for its other end.
    if place == Place::Heading && line.ends_with('#') {
        line.insert(line.len() - 1, '\\');
    }
    line
}

fn marks(runs: &[Run], place: Place) -> Marks {
    let count = |mark: char| -> usize {
        runs.iter()
            .map(|run| plain(run).matches(mark).count())
            .sum()
    };
    let has_formula = runs
        .iter()
        .any(|run| matches!(run.piece, Piece::Formula { .. }));
    let has_struck = runs.iter().any(|run| run.style.struck);
    Marks {
        dollars: has_formula || count('$') > 1,
        tildes: has_struck || count('~') > 1,
        bars: place == Place::Cell,
    }
}

/// The characters of a run that could be taken for marks.
fn plain(run: &Run) -> &str {
    match &run.piece {
        Piece::Text(text) => text,
        Piece::Image { alternative, .. } => alternative,
        Piece::Formula { .. } | Piece::Break => "",
    }
}

/// A line while it is written.
struct Inline {
    marks: Marks,
    place: Place,
    parts: Vec<Part>,
    /// For each pair of marks what it is, and whether it has to be written as HTML.
    pairs: Vec<(Mark, bool)>,
}

enum Part {
    /// Written as it is.
    Text(String),
    /// The first or the second mark of a pair.
    Open(usize),
    Close(usize),
}

#[derive(Clone, Copy)]
enum Mark {
    Strong,
    Emphasis,
    Struck,
}

impl Mark {
    fn sign(self) -> &'static str {
        match self {
            Mark::Strong => "**",
            Mark::Emphasis => "*",
            Mark::Struck => "~~",
        }
    }

    fn element(self) -> &'static str {
        match self {
            Mark::Strong => "strong",
            Mark::Emphasis => "em",
            Mark::Struck => "del",
        }
    }
}

impl Inline {
    fn layer(&mut self, runs: &[Run], layers: &[Layer]) {
        let Some((layer, inner)) = layers.split_first() else {
            return runs.iter().for_each(|run| self.piece(&run.piece));
        };
        for group in layer.groups(runs) {
            let style = &group[0].style;
            match layer {
                Layer::Link if style.link.is_some() => self.link(group, inner),
                Layer::Strong if style.strong => self.marked(Mark::Strong, group, inner),
                Layer::Emphasis if style.emphasis => self.marked(Mark::Emphasis, group, inner),
                Layer::Struck if style.struck => self.marked(Mark::Struck, group, inner),
                Layer::Script if style.script.is_some() => self.script(group, inner),
                Layer::Code if is_code(&group[0]) => self.code(group),
                _ => self.layer(group, inner),
            }
        }
    }

    fn push(&mut self, text: &str) {
        match self.parts.last_mut() {
            Some(Part::Text(last)) => last.push_str(text),
            _ => self.parts.push(Part::Text(text.to_owned())),
        }
    }

    /// Writes runs with something around them; spaces at their ends stay outside.
    fn around(
        &mut self,
        runs: &[Run],
        inner: &[Layer],
        open: impl FnOnce(&mut Self),
        close: impl FnOnce(&mut Self),
    ) {
        let (first, last) = (
            runs.iter().position(is_seen),
            runs.iter().rposition(is_seen),
        );
        let (Some(first), Some(last)) = (first, last) else {
            return self.layer(runs, inner);
        };
        self.layer(&runs[..first], inner);
        open(self);
        self.layer(&runs[first..=last], inner);
        close(self);
        self.layer(&runs[last + 1..], inner);
    }

    fn marked(&mut self, mark: Mark, runs: &[Run], inner: &[Layer]) {
        let pair = self.pairs.len();
        self.pairs.push((mark, false));
        let open = |inline: &mut Self| inline.parts.push(Part::Open(pair));
        self.around(runs, inner, open, |inline| {
            inline.parts.push(Part::Close(pair));
        });
    }

    fn link(&mut self, runs: &[Run], inner: &[Layer]) {
        let address = runs[0]
            .style
            .link
            .as_deref()
            .map(destination)
            .unwrap_or_default();
        let open = |inline: &mut Self| {
            // An exclamation mark before a link would make a picture of it.
            if let Some(Part::Text(text)) = inline.parts.last_mut()
                && text.ends_with('!')
            {
                text.insert(text.len() - 1, '\\');
            }
            inline.push("[");
        };
        self.around(runs, inner, open, |inline| {
            inline.push(&format!("]({address})"));
        });
    }

    fn script(&mut self, runs: &[Run], inner: &[Layer]) {
        let name = if runs[0].style.script == Some(Script::Sub) {
            "sub"
        } else {
            "sup"
        };
        let open = |inline: &mut Self| inline.push(&format!("<{name}>"));
        self.around(runs, inner, open, |inline| {
            inline.push(&format!("</{name}>"));
        });
    }

    fn code(&mut self, runs: &[Run]) {
        let text: String = runs.iter().map(plain).collect();
        self.code_text(&text);
    }

    fn code_text(&mut self, text: &str) {
        if self.place == Place::Cell && text.contains("\\|") {
            return self.push(&format!("<code>{}</code>", entities(text)));
        }
        let text = if self.place == Place::Cell {
            text.replace('|', "\\|")
        } else {
            text.to_owned()
        };
        let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let (fence, pad) = ("`".repeat(longest + 1), if longest > 0 { " " } else { "" });
        self.push(&format!("{fence}{pad}{text}{pad}{fence}"));
    }

    fn piece(&mut self, piece: &Piece) {
        match piece {
            Piece::Text(text) => {
                let before = if let Some(Part::Text(last)) = self.parts.last() {
                    last.chars().next_back()
                } else {
                    None
                };
                self.push(&escaped(text, before, self.marks));
            }
            Piece::Break => self.push(match self.place {
                Place::Paragraph => "\\\n",
                Place::Heading => " ",
                Place::Cell => "<br>",
            }),
            Piece::Image {
                source,
                alternative,
            } => {
                let alternative = escaped(alternative, None, self.marks);
                self.push(&format!("![{alternative}]({})", destination(source)));
            }
            Piece::Formula { tex, is_displayed } => self.formula(tex, *is_displayed),
        }
    }

    fn formula(&mut self, tex: &str, is_displayed: bool) {
        if !is_readable(tex) {
            return self.code_text(tex);
        }
        let dollars = if is_displayed { "$$" } else { "$" };
        let tex = match self.place {
            Place::Cell => tex.replace("\\|", "\\Vert ").replace('|', "\\vert "),
            _ => tex.to_owned(),
        };
        self.push(&format!("{dollars}{tex}{dollars}"));
    }

    /// The line, once all marks are known.
    fn written(mut self) -> String {
        self.find_unread();
        let mut line = String::new();
        for part in &self.parts {
            let (pair, slash) = match part {
                Part::Text(text) => {
                    line.push_str(text);
                    continue;
                }
                Part::Open(pair) => (pair, ""),
                Part::Close(pair) => (pair, "/"),
            };
            match self.pairs[*pair] {
                (mark, false) => line.push_str(mark.sign()),
                (mark, true) => line.push_str(&format!("<{slash}{}>", mark.element())),
            }
        }
        line
    }

    /// Finds the pairs of marks that would not be read. Marks that stand right beside each other
    /// share their fate: which of them belong together is told by what stands around all of them.
    fn find_unread(&mut self) {
        let clusters = self.clusters();
        let mut of_pair: Vec<Vec<usize>> = vec![Vec::new(); self.pairs.len()];
        for (at, cluster) in clusters.iter().enumerate() {
            self.pairs_in(cluster)
                .for_each(|pair| of_pair[pair].push(at));
        }
        let mut unread: Vec<usize> = (0..clusters.len())
            .filter(|&at| !self.is_read(&clusters[at]))
            .collect();
        let mut is_done = vec![false; clusters.len()];
        while let Some(at) = unread.pop() {
            if std::mem::replace(&mut is_done[at], true) {
                continue;
            }
            for pair in self.pairs_in(&clusters[at]).collect::<Vec<_>>() {
                self.pairs[pair].1 = true;
                unread.extend(&of_pair[pair]);
            }
        }
    }

    fn pairs_in(&self, cluster: &Cluster) -> impl Iterator<Item = usize> + '_ {
        self.parts[cluster.start..cluster.end]
            .iter()
            .filter_map(Part::pair)
    }

    /// Where marks stand that have no text between them.
    fn clusters(&self) -> Vec<Cluster> {
        let mut clusters: Vec<Cluster> = Vec::new();
        let mut depth = 0;
        for (at, part) in self
            .parts
            .iter()
            .enumerate()
            .filter(|(_, part)| part.pair().is_some())
        {
            match clusters.last_mut().filter(|cluster| cluster.end == at) {
                Some(cluster) => cluster.end += 1,
                None => clusters.push(Cluster {
                    start: at,
                    end: at + 1,
                    depth,
                }),
            }
            depth = if matches!(part, Part::Open(_)) {
                depth + 1
            } else {
                depth - 1
            };
        }
        clusters
    }

    fn is_read(&self, cluster: &Cluster) -> bool {
        let before = cluster
            .start
            .checked_sub(1)
            .and_then(|before| self.parts[before].text().chars().next_back());
        let behind = self
            .parts
            .get(cluster.end)
            .and_then(|behind| behind.text().chars().next());
        let marks = &self.parts[cluster.start..cluster.end];
        let opens = marks.iter().any(|part| matches!(part, Part::Open(_)));
        let closes = marks.iter().any(|part| matches!(part, Part::Close(_)));
        if opens && closes {
            return false;
        }
        // A mark that could close as well would close what is open around it.
        let is_clear = cluster.depth == 0 || !could_close(before, behind);
        if opens {
            touches(before, behind) && is_clear
        } else {
            touches(behind, before)
        }
    }
}

/// Marks that have no text between them.
struct Cluster {
    start: usize,
    end: usize,
    /// How many pairs are open before it.
    depth: usize,
}

impl Part {
    fn text(&self) -> &str {
        if let Part::Text(text) = self {
            text
        } else {
            ""
        }
    }

    fn pair(&self) -> Option<usize> {
        match self {
            Part::Text(_) => None,
            Part::Open(pair) | Part::Close(pair) => Some(*pair),
        }
    }
}

/// Whether marks belong to the text on one side of them, by the rules of CommonMark.
fn touches(outside: Option<char>, inside: Option<char>) -> bool {
    let is_free = outside.is_none_or(|c| c.is_whitespace() || is_punctuation(c));
    inside.is_some_and(|c| c.is_alphanumeric() || !c.is_whitespace() && is_free)
}

/// Whether marks could be taken for the second of a pair.
fn could_close(before: Option<char>, behind: Option<char>) -> bool {
    before.is_some_and(|c| {
        !c.is_whitespace() && (c.is_alphanumeric() || !behind.is_some_and(char::is_alphanumeric))
    })
}

/// Whether a character is punctuation to everyone; of others programs think differently.
fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation()
        || matches!(c, '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{203a}' | '\u{3001}'..='\u{3003}' | '«' | '»')
}

/// Whether programs find the end of a formula: no dollars in it, and braces in pairs.
fn is_readable(tex: &str) -> bool {
    let mut depth = 0i32;
    let mut is_escaped = false;
    for c in tex.chars() {
        match c {
            '$' => return false,
            _ if is_escaped => {}
            '{' => depth += 1,
            '}' if depth == 0 => return false,
            '}' => depth -= 1,
            _ => {}
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    depth == 0
        && !is_escaped
        && !tex.starts_with(char::is_whitespace)
        && !tex.ends_with(char::is_whitespace)
}
