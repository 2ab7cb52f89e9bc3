//! Where does an element stand? Below these elements, from the outermost to the innermost.

use crate::read::{
    html::{breaks_line, elements::Purpose},
    tree::{NodeId, Tree},
};
use std::{collections::HashSet, fmt::Write, sync::Arc};

/// The elements that something stands in, as a hash of their looks. Elements that only format words do not count, so an
/// element and one inside it never have the same path unless the inner one only formats words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Path(u64);

impl Path {
    /// The path of what stands in no element.
    pub const ROOT: Path = Path(0x9E37_79B9_7F4A_7C15);

    /// The path of an element with this look that stands here.
    pub fn below(self, look: Look) -> Path {
        Path((self.0.rotate_left(23) ^ look.0).wrapping_mul(0x2545_F491_4F6C_DD1D))
    }

    /// Reads a path as [`written`] writes it; an empty one is the root.
    pub fn read(path: &str) -> Path {
        path.split(' ').filter(|look| !look.is_empty()).map(Look::new).fold(Path::ROOT, Path::below)
    }
}

/// What an element looks like, as a hash; see [`push_look`].
#[derive(Clone, Copy)]
pub(crate) struct Look(u64);

impl Look {
    fn new(look: &str) -> Look {
        Look(hash(look))
    }
}

fn hash(text: &str) -> u64 {
    rapidhash::v3::rapidhash_v3(text.as_bytes())
}

/// The looks of a page's elements. Most start tags are written like one that came before.
pub(crate) struct Looks {
    names: Arc<ClassNames>,
    /// A start tag with its column, as a hash, and its look.
    known: Vec<(u64, Look, Purpose)>,
    /// A look in words, kept to save allocations.
    look: String,
}

impl Looks {
    pub fn new(names: Arc<ClassNames>) -> Self {
        Looks { names, known: vec![(0, Look(0), Purpose::Unsaid); Looks::KNOWN], look: String::new() }
    }
}

impl Looks {
    const KNOWN: usize = 256;

    /// The look of an element, a table cell in some column, and what it is for.
    pub fn of(&mut self, tree: &Tree<'_>, node: NodeId, cell: Option<u32>) -> (Look, Purpose) {
        let column = cell.map_or(0, |cell| u64::from(cell) + 1);
        let tag = hash(tree.token(node).span.of(tree.page())) ^ column.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let place = tag as usize % Looks::KNOWN;
        if self.known[place].0 != tag {
            self.look.clear();
            push_look(&mut self.look, tree, node, cell, &self.names);
            self.known[place] = (tag, Look::new(&self.look), purpose(tree, node));
        }
        let (_, look, purpose) = self.known[place];
        (look, purpose)
    }
}

fn purpose(tree: &Tree<'_>, node: NodeId) -> Purpose {
    let is_modal = tree.attribute(node, "aria-modal").is_some_and(|value| value.eq_ignore_ascii_case("true"));
    if is_modal { Purpose::Beside } else { Purpose::of(tree.name(node), tree.attribute(node, "role")) }
}

/// Appends the look of an element: its name, classes and id without their digits, which number things, and the column
/// of a table cell. A page has one `<html>` and one `<body>`, whose classes say what the page is about.
fn push_look(look: &mut String, tree: &Tree<'_>, node: NodeId, cell: Option<u32>, names: &ClassNames) {
    let name = tree.name(node);
    look.push_str(name);
    if matches!(name, "html" | "body") {
        return;
    }
    for attribute in tree.attributes(node) {
        let Some(value) = attribute.value.map(|value| value.of(tree.page())) else { continue };
        let name = attribute.name.of(tree.page());
        if name.eq_ignore_ascii_case("class") {
            value.split_ascii_whitespace().for_each(|class| push_word(look, '.', class, names));
        } else if name.eq_ignore_ascii_case("id") {
            value.split_ascii_whitespace().for_each(|id| push_word(look, '#', id, names));
        }
    }
    if let Some(column) = cell {
        write!(look, ":{column}").expect("writing to a string");
    }
}

fn push_word(look: &mut String, sign: char, word: &str, names: &ClassNames) {
    let start = look.len();
    look.push(sign);
    look.extend(word.chars().filter(|c| !c.is_ascii_digit() && !c.is_whitespace()));
    if !names.knows(&look[start..]) {
        look.truncate(start);
    }
}

/// The classes and ids that count when elements are compared, as `.class` and `#id` without digits. Those that few pages
/// of a template have tell what a page is about, not what an element is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClassNames(Option<HashSet<String>>);

impl ClassNames {
    pub fn of(names: &[String]) -> Self {
        ClassNames(Some(names.iter().cloned().collect()))
    }

    fn knows(&self, name: &str) -> bool {
        self.0.as_ref().is_none_or(|names| names.contains(name))
    }
}

/// The classes and ids of an element, as they stand in paths.
pub(crate) fn names_of(tree: &Tree<'_>, node: NodeId) -> Vec<String> {
    let mut look = String::new();
    push_look(&mut look, tree, node, None, &ClassNames::default());
    let starts: Vec<usize> = look.match_indices(['.', '#']).map(|(at, _)| at).chain([look.len()]).collect();
    starts.windows(2).map(|pair| look[pair[0]..pair[1]].to_owned()).collect()
}

/// A path in words: `html body div#main p`.
pub(crate) fn written(tree: &Tree<'_>, node: NodeId, names: &ClassNames) -> String {
    let outward = std::iter::once(node).chain(tree.ancestors(node));
    let mut elements: Vec<NodeId> = outward.filter(|&node| breaks_line(tree.name(node))).collect();
    elements.reverse();
    let mut path = String::new();
    for node in elements {
        if !path.is_empty() {
            path.push(' ');
        }
        push_look(&mut path, tree, node, column(tree, node), names);
    }
    path
}

/// How many cells stand before a table cell in its row.
fn column(tree: &Tree<'_>, node: NodeId) -> Option<u32> {
    let row = tree.parent(node).filter(|_| tree.name(node) == "td")?;
    let before = tree.elements(row).take_while(|&cell| cell < node);
    Some(before.filter(|&cell| tree.name(cell) == "td").count() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::reading::Reading;

    #[test]
    fn what_is_written_is_read_back() {
        let page = "<body class=x><div id=' a1 '><table><tr><td>1<td class='b c2'><b>2</b></table></div>";
        let reading = Reading::of(page);
        let written: Vec<String> = reading.elements().map(|node| reading.written(node)).collect();
        assert_eq!(written.last().unwrap(), "body div#a table tr td.b.c:1");
        let paths: Vec<Path> = reading.elements().map(|node| reading.paths[node.index()]).collect();
        assert_eq!(written.iter().map(|path| Path::read(path)).collect::<Vec<_>>(), paths);
    }
}
