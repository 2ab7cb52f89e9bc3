//! What is a page made of, as far as grouping cares?
//!
//! Two sets and a line of text: the *paths* (each element's tag and classes below those of its parent and grandparent),
//! the *strings* (each piece of text with the element it stands in), and the title. Paths longer than three steps tie
//! every element to the classes of `<body>`, shorter ones forget where they are; three measured best.

use crate::{
    Text,
    html::{self, Kind, Token},
};
use rapidhash::v3::rapidhash_v3;

/// What is known of a page.
#[derive(Clone, Debug, Default)]
pub(super) struct Features {
    /// Hashes of the paths, sorted.
    pub paths: Vec<u64>,
    /// Hashes of the strings, sorted.
    pub strings: Vec<u64>,
    /// The content of the first `<title>`, entities decoded and white space folded.
    pub title: String,
}

/// Open elements beyond this depth are forgotten: deep nesting is noise, and a wrong end tag must not cost more.
const DEEPEST: usize = 512;
/// Strings are told apart by their beginning.
const STRING_BYTES: usize = 200;

/// Reads the features off a page. One pass, linear on any input.
pub(super) fn features(text: &Text) -> Features {
    let mut features = Features::default();
    walk(text.as_str(), |path, string| match string {
        None => features.paths.push(path),
        Some(string) => features.strings.push(string.hash(path)),
    });
    features.title = title(text.as_str());
    for hashes in [&mut features.paths, &mut features.strings] {
        hashes.sort_unstable();
        hashes.dedup();
        hashes.shrink_to_fit();
    }
    features
}

/// The strings of a page as people read them, each with its hash.
pub(super) fn strings(text: &Text) -> Vec<(u64, String)> {
    let mut strings = Vec::new();
    walk(text.as_str(), |path, string| strings.extend(string.map(|string| (string.hash(path), string.folded()))));
    strings
}

/// A piece of text between two tags.
struct Piece<'a>(&'a str);

impl Piece<'_> {
    fn hash(&self, element: u64) -> u64 {
        pair(element, hash(self.folded().as_bytes()))
    }

    fn folded(&self) -> String {
        let mut folded = fold_space(self.0);
        clip(&mut folded, STRING_BYTES);
        folded
    }
}

/// Calls back with the hash of every element's path, and with every piece of text and the hash of its element.
fn walk<'a>(text: &'a str, mut found: impl FnMut(u64, Option<Piece<'a>>)) {
    let mut open: Vec<Element<'a>> = Vec::new();
    for token in html::tokens(text) {
        match token.kind {
            Kind::Start => {
                let element = Element::new(text, token);
                while open.pop_if(|above| element.closes(above)).is_some() {}
                found(path(&open, element.step), None);
                if !element.is_void && open.len() < DEEPEST {
                    open.push(element);
                }
            }
            Kind::End => close(&mut open, token.name.of(text)),
            Kind::Text | Kind::Cdata if !html::is_blank(token.span.of(text)) => {
                found(open.last().map_or(0, |element| element.step), Some(Piece(token.span.of(text))));
            }
            _ => {}
        }
    }
}

/// An element that is open.
struct Element<'a> {
    name: &'a str,
    step: u64,
    is_void: bool,
}

impl<'a> Element<'a> {
    fn new(text: &'a str, token: Token) -> Self {
        let name = token.name.of(text);
        let is_void = is_void(name) || token.span.of(text).ends_with("/>");
        Element { name, step: step(text, token), is_void }
    }

    /// Whether this start tag ends the element above it, whose end tag may be left out.
    fn closes(&self, above: &Element<'_>) -> bool {
        let is = |name: &str, names: &[&str]| names.iter().any(|known| name.eq_ignore_ascii_case(known));
        if is(self.name, &["p", "li", "td", "th", "tr", "dt", "dd", "option"]) {
            return self.name.eq_ignore_ascii_case(above.name) || (is(self.name, &["tr"]) && is(above.name, &["td"]));
        }
        false
    }
}

fn is_void(name: &str) -> bool {
    const VOID: [&str; 14] =
        ["area", "base", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta", "param", "source", "wbr"];
    VOID.iter().any(|void| name.eq_ignore_ascii_case(void))
}

/// Ends the innermost element of that name; an end tag that fits none is ignored.
fn close(open: &mut Vec<Element<'_>>, name: &str) {
    if let Some(at) = open.iter().rposition(|element| element.name.eq_ignore_ascii_case(name)) {
        open.truncate(at);
    }
}

/// The hash of a tag's name and classes. The order of classes means nothing, so their hashes are added up.
fn step(text: &str, token: Token) -> u64 {
    let name = hash(token.name.of(text).to_ascii_lowercase().as_bytes());
    let classes = html::attribute(text, token, "class").unwrap_or("");
    let mut classes: Vec<u64> = classes.split_ascii_whitespace().map(|class| hash(class.as_bytes())).collect();
    classes.sort_unstable();
    classes.dedup();
    classes.into_iter().fold(name, pair)
}

/// The hash of a step below the two that are open.
fn path(open: &[Element<'_>], step: u64) -> u64 {
    let above = open.iter().rev().take(2).map(|element| element.step);
    above.fold(step, pair)
}

/// The same on every machine and in every run: hashes are written to files of known groups.
fn hash(bytes: &[u8]) -> u64 {
    rapidhash_v3(bytes)
}

fn pair(one: u64, other: u64) -> u64 {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&one.to_le_bytes());
    bytes[8..].copy_from_slice(&other.to_le_bytes());
    hash(&bytes)
}

fn fold_space(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Cuts a text to at most so many bytes, not inside a character.
fn clip(text: &mut String, bytes: usize) {
    let end = (0..=bytes.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    text.truncate(end.unwrap_or(0));
}

/// Titles longer than this are cut, in bytes.
const TITLE_BYTES: usize = 400;

/// The text of the first `<title>`.
pub(super) fn title(text: &str) -> String {
    let mut tokens = html::tokens(text);
    let is_title = |token: &Token| token.kind == Kind::Start && token.name.of(text).eq_ignore_ascii_case("title");
    let Some(_) = tokens.find(is_title) else { return String::new() };
    let inside = tokens.next().filter(|token| matches!(token.kind, Kind::Text | Kind::Cdata));
    let mut title = inside.map_or_else(String::new, |token| fold_space(&htmlize::unescape(token.span.of(text))));
    clip(&mut title, TITLE_BYTES);
    title
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(page: &str) -> Vec<u64> {
        features(&Text::from_string("1", page)).paths
    }

    #[test]
    fn order_of_classes_and_case_of_tags_mean_nothing() {
        assert_eq!(paths("<div class='a b'><p>"), paths("<DIV CLASS='b  a b'><P>"));
        assert_ne!(paths("<div class='a b'><p>"), paths("<div class='a'><p>"));
    }

    #[test]
    fn tags_left_out_change_nothing() {
        assert_eq!(paths("<ul><li>1<li>2</ul><p>x<p>y"), paths("<ul><li>1</li><li>2</li></ul><p>x</p><p>y</p>"));
        assert_eq!(paths("<table><tr><td>1<tr><td>2</table>"), paths("<table><tr><td>1</td><tr><td>2</td></table>"));
    }

    #[test]
    fn deep_nesting_is_read_in_linear_time() {
        let page = "<div>".repeat(64_000) + &"</span>".repeat(64_000);
        assert_eq!(paths(&page).len(), 3);
    }

    #[test]
    fn strings_stand_in_their_element() {
        let of = |page: &str| features(&Text::from_string("1", page)).strings;
        assert_eq!(of("<b>x  y</b>"), of("<b> x y </b>"));
        assert_ne!(of("<b>x</b>"), of("<i>x</i>"));
    }

    #[test]
    fn titles_are_found_and_folded() {
        assert_eq!(title("<html><TITLE>\n a  b</title><title>no</title>"), "a b");
        assert_eq!(title("<p>none"), "");
    }
}
