//! What does a rule say, in words?

use unmold::fields::{Kind, Position, View};

/// A way to find a field, in words.
pub fn view(view: &View) -> String {
    let Some((kind, position)) = view.position() else {
        let View::Lr(rule) = view else {
            return String::new();
        };
        return format!(
            "between {:?} and {:?}",
            clipped(&rule.left),
            clipped(&rule.right)
        );
    };
    let (path, text) = (clipped(&position.path), clipped(&position.text));
    let words = match kind {
        Kind::Path => format!("at {path}"),
        Kind::Class => format!("{} of {path}", ordinal(position.nth)),
        Kind::Each => every(position),
        Kind::Tags => format!("{} of {path}, whatever the classes", ordinal(position.nth)),
        Kind::Label => format!("right behind “{text}”"),
        Kind::Under => format!("in the block that begins with “{text}”"),
        Kind::Within => format!("behind “{text}” in the same text"),
        Kind::Hook => format!("in the element {text}"),
        Kind::After => format!("{} text behind “{text}”", ordinal(position.nth)),
        Kind::Before => format!("{} text before “{text}”", ordinal(position.nth)),
        Kind::Data => format!("in the page’s data as {text}"),
    };
    if position.attribute.is_empty() {
        words
    } else {
        format!("{words}, attribute {}", position.attribute)
    }
}

/// All values of a class path, or those in one column or line.
fn every(position: &Position) -> String {
    let (element, breaks) = position.element_and_breaks();
    let column = || format!(" in column {}", position.nth);
    let which = match breaks {
        0 if position.nth > 0 => column(),
        0 => String::new(),
        breaks => format!(", line {}", breaks + 1),
    };
    format!("every {}{which}", clipped(element))
}

/// The name that a mold has for a kind of view.
pub fn kind(view: &View) -> &'static str {
    match view.position().map(|(kind, _)| kind) {
        None => "lr",
        Some(Kind::Path) => "path",
        Some(Kind::Class) => "class path",
        Some(Kind::Each) => "all of class path",
        Some(Kind::Tags) => "tag path",
        Some(Kind::Label) => "label before",
        Some(Kind::Under) => "label of block",
        Some(Kind::Within) => "inline label",
        Some(Kind::Hook) => "named element",
        Some(Kind::After) => "after landmark",
        Some(Kind::Before) => "before landmark",
        Some(Kind::Data) => "JSON-LD",
    }
}

fn ordinal(nth: u32) -> String {
    match nth {
        0 => "first".to_owned(),
        1 => "second".to_owned(),
        2 => "third".to_owned(),
        more => format!("number {}", more + 1),
    }
}

fn clipped(text: &str) -> String {
    const LONGEST: usize = 80;
    let mut clipped: String = text.chars().take(LONGEST).collect();
    if clipped.len() < text.len() {
        clipped.push('…');
    }
    clipped
}
