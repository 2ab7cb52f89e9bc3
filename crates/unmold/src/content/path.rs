//! Where does an element stand? Below these elements, from the outermost to the innermost.

use crate::read::{
    html::{
        breaks_line,
        elements::{Purpose, hides},
    },
    tree::{NodeId, Tree},
};
use rapidhash::RapidHashSet;
use std::fmt::Write;

/// The elements that something stands in, as a hash of their looks. Elements that only format words
/// do not count, so an element and one inside it never have the same path unless the inner one only
/// formats words.
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
        path.split(' ')
            .filter(|look| !look.is_empty())
            .map(Look::new)
            .fold(Path::ROOT, Path::below)
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

/// The looks of elements. Most start tags are written like one that came before, on the page or on
/// pages before it.
pub(crate) struct Looks {
    known: Vec<KnownLook>,
    /// A look in words, kept to save allocations.
    look: String,
}

/// What was found out about a start tag.
#[derive(Clone, Copy)]
struct KnownLook {
    key: LookKey,
    look: Look,
    declared: Declared,
}

/// What a start tag says of its element besides the look.
#[derive(Clone, Copy)]
pub(crate) struct Declared {
    pub purpose: Purpose,
    /// Whether it is not shown: `hidden`, `aria-hidden` or `display: none`.
    pub is_hidden: bool,
    /// Whether it is shown when its tab or its heading is chosen: the panel of a tab, or a region
    /// with a name.
    pub is_panel: bool,
    /// Whether it is the text of an article: schema.org's `articleBody`.
    pub is_article_body: bool,
}

impl Declared {
    const NOTHING: Declared = Declared {
        purpose: Purpose::Unsaid,
        is_hidden: false,
        is_panel: false,
        is_article_body: false,
    };

    fn of(tree: &Tree<'_>, node: NodeId) -> Self {
        let mut declared = Declared::NOTHING;
        let (mut role, mut is_modal) = (None, false);
        for attribute in tree.attributes(node) {
            let name = attribute.name.of(tree.page());
            let value = attribute.value.map_or("", |value| value.of(tree.page()));
            let is_true = || value.trim().eq_ignore_ascii_case("true");
            if name.eq_ignore_ascii_case("role") {
                role = Some(value);
            } else if name.eq_ignore_ascii_case("hidden") {
                declared.is_hidden = true;
            } else if name.eq_ignore_ascii_case("aria-hidden") {
                declared.is_hidden |= is_true();
            } else if name.eq_ignore_ascii_case("style") {
                declared.is_hidden |= hides(value);
            } else if name.eq_ignore_ascii_case("aria-modal") {
                is_modal = is_true();
            } else if name.eq_ignore_ascii_case("itemprop") {
                declared.is_article_body = value.trim().eq_ignore_ascii_case("articleBody");
            }
        }
        declared.purpose = if is_modal {
            Purpose::Beside
        } else {
            Purpose::of(tree.name(node), role)
        };
        let is_region = role.is_some_and(|role| role.trim().eq_ignore_ascii_case("region"));
        declared.is_panel = declared.purpose == Purpose::TabPanel || is_region;
        declared
    }
}

/// What the look of an element depends on.
#[derive(Clone, Copy, PartialEq, Eq)]
struct LookKey {
    /// The start tag: its number in the memory of the tree, or a hash.
    tag: u64,
    /// The names that count.
    names: u64,
    /// The column of a table cell, counted from 1; 0 for others.
    column: u32,
}

impl LookKey {
    /// The key of no element.
    const NONE: LookKey = LookKey {
        tag: 0,
        names: 0,
        column: u32::MAX,
    };
    /// Set in hashes, and in no number.
    const IS_HASH: u64 = 1 << 63;

    fn new(tree: &Tree<'_>, node: NodeId, cell: Option<u32>, names: &ClassNames) -> Self {
        let hashed = || hash(tree.token(node).span.of(tree.page())) | LookKey::IS_HASH;
        let tag = tree.token_number(node).map_or_else(hashed, u64::from);
        LookKey {
            tag,
            names: names.hash,
            column: cell.map_or(0, |cell| cell + 1),
        }
    }

    fn place(self) -> usize {
        let mixed = (self.tag ^ self.names.rotate_left(32) ^ u64::from(self.column) << 40)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 40) as usize
    }
}

impl Looks {
    /// For one page.
    pub fn of_page() -> Self {
        Looks::with_room(256)
    }

    /// For pages whose trees are built with one memory.
    pub fn of_many_pages() -> Self {
        Looks::with_room(4096)
    }

    fn with_room(room: usize) -> Self {
        let nothing = KnownLook {
            key: LookKey::NONE,
            look: Look(0),
            declared: Declared::NOTHING,
        };
        Looks {
            known: vec![nothing; room],
            look: String::new(),
        }
    }

    /// The look of an element, a table cell in some column, and what else its tag says.
    pub fn of(
        &mut self,
        tree: &Tree<'_>,
        node: NodeId,
        cell: Option<u32>,
        names: &ClassNames,
    ) -> (Look, Declared) {
        let key = LookKey::new(tree, node, cell, names);
        let place = key.place() % self.known.len();
        if self.known[place].key != key {
            self.look.clear();
            push_look(&mut self.look, tree, node, cell, names);
            self.known[place] = KnownLook {
                key,
                look: Look::new(&self.look),
                declared: Declared::of(tree, node),
            };
        }
        let KnownLook { look, declared, .. } = self.known[place];
        (look, declared)
    }
}

/// Appends the look of an element: its name, classes and id without their digits, which number
/// things, and the column of a table cell. A page has one `<html>` and one `<body>`, whose classes
/// say what the page is about.
fn push_look(
    look: &mut String,
    tree: &Tree<'_>,
    node: NodeId,
    cell: Option<u32>,
    names: &ClassNames,
) {
    let name = tree.name(node);
    look.push_str(name);
    if matches!(name, "html" | "body") {
        return;
    }
    for attribute in tree.attributes(node) {
        let Some(value) = attribute.value.map(|value| value.of(tree.page())) else {
            continue;
        };
        let name = attribute.name.of(tree.page());
        if name.eq_ignore_ascii_case("class") {
            value
                .split_ascii_whitespace()
                .for_each(|class| push_word(look, '.', class, names));
        } else if name.eq_ignore_ascii_case("id") {
            value
                .split_ascii_whitespace()
                .for_each(|id| push_word(look, '#', id, names));
        }
    }
    if let Some(column) = cell {
        write!(look, ":{column}").expect("writing to a string");
    }
}

fn push_word(look: &mut String, sign: char, word: &str, names: &ClassNames) {
    let start = look.len();
    look.push(sign);
    look.extend(
        word.chars()
            .filter(|c| !c.is_ascii_digit() && !c.is_whitespace()),
    );
    if !names.knows(&look[start..]) {
        look.truncate(start);
    }
}

/// The classes and ids that count when elements are compared, as `.class` and `#id` without digits.
/// Those that few pages of a template have tell what a page is about, not what an element is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClassNames {
    /// `None` where all count.
    names: Option<RapidHashSet<String>>,
    /// A hash of them; 0 where all count.
    hash: u64,
}

impl ClassNames {
    pub fn of(names: &[String]) -> Self {
        let names: RapidHashSet<String> = names.iter().cloned().collect();
        // A sum does not depend on the order of a set.
        let hash = names
            .iter()
            .map(|name| hash(name))
            .fold(1, u64::wrapping_add);
        ClassNames {
            names: Some(names),
            hash,
        }
    }

    fn knows(&self, name: &str) -> bool {
        self.names.as_ref().is_none_or(|names| names.contains(name))
    }
}

/// The classes and ids of an element, as they stand in paths.
pub(crate) fn names_of(tree: &Tree<'_>, node: NodeId) -> Vec<String> {
    let mut look = String::new();
    push_look(&mut look, tree, node, None, &ClassNames::default());
    let starts: Vec<usize> = look
        .match_indices(['.', '#'])
        .map(|(at, _)| at)
        .chain([look.len()])
        .collect();
    starts
        .windows(2)
        .map(|pair| look[pair[0]..pair[1]].to_owned())
        .collect()
}

/// A path in words: `html body div#main p`. `column` says how many cells stand before a table cell
/// in its row.
pub(crate) fn written(
    tree: &Tree<'_>,
    node: NodeId,
    names: &ClassNames,
    column: impl Fn(NodeId) -> Option<u32>,
) -> String {
    let outward = std::iter::once(node).chain(tree.ancestors(node));
    let mut elements: Vec<NodeId> = outward
        .filter(|&node| breaks_line(tree.name(node)))
        .collect();
    elements.reverse();
    let mut path = String::new();
    for node in elements {
        if !path.is_empty() {
            path.push(' ');
        }
        push_look(&mut path, tree, node, column(node), names);
    }
    path
}

/// How many cells stand before a table cell in its row. Counts them: who asks for many cells keeps
/// what was counted, as a [`Reading`](super::reading::Reading) does.
pub(crate) fn column(tree: &Tree<'_>, node: NodeId) -> Option<u32> {
    let row = tree.parent(node).filter(|_| tree.name(node) == "td")?;
    let before = tree.elements(row).take_while(|&cell| cell < node);
    let mut cells = 0;
    for cell in before {
        #[cfg(test)]
        tests::LOOKED_AT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        cells += u32::from(tree.name(cell) == "td");
    }
    Some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::{learn::learn_read, reading::Reading};
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    /// How many cells were looked at to count columns.
    pub(super) static LOOKED_AT: AtomicUsize = AtomicUsize::new(0);

    #[test]
    fn the_columns_of_a_wide_row_are_counted_once() {
        const CELLS: usize = 20_000;
        let page = format!("<table><tr>{}", "<td>a".repeat(CELLS));
        let reading = Arc::new(Reading::of(&page));
        let before = LOOKED_AT.load(Ordering::Relaxed);
        learn_read(std::slice::from_ref(&reading)).unwrap();
        let last = reading.elements().last().unwrap();
        assert_eq!(reading.written(last), "table tr td:19999");
        // Other tests that run at the same time have small tables.
        let looked_at = LOOKED_AT.load(Ordering::Relaxed) - before;
        assert!(looked_at < CELLS, "{looked_at} cells for {CELLS}");
    }

    #[test]
    fn what_is_written_is_read_back() {
        let page =
            "<body class=x><div id=' a1 '><table><tr><td>1<td class='b c2'><b>2</b></table></div>";
        let reading = Reading::of(page);
        let written: Vec<String> = reading
            .elements()
            .map(|node| reading.written(node))
            .collect();
        assert_eq!(written.last().unwrap(), "body div#a table tr td.b.c:1");
        let paths: Vec<Path> = reading
            .elements()
            .map(|node| reading.paths[node.index()])
            .collect();
        assert_eq!(
            written
                .iter()
                .map(|path| Path::read(path))
                .collect::<Vec<_>>(),
            paths
        );
    }
}
