//! What does a template look like? Plain HTML with holes in double brackets:
//!
//! | hole | means |
//! |---|---|
//! | `[[key]]` | the text of `key`, escaped; flags may follow: `field` (it is a value of the field `key`), `raw` (it is markup), `entities` (named entities where HTML has them), `json` (inside a JSON string) |
//! | `[[each key]]…[[/each]]` | once for each item of the list |
//! | `[[if key]]…[[/if]]` | only when the item has that text or list |
//! | `[[line]]…[[/line]]` | the holes inside are one line of the page's main text |
//! | `[[record]]…[[/record]]` | a record |
//! | `[[either]]…[[or]]…[[/either]]` | one of the two, thrown a page: the noise of attribute order and white space |

/// A piece of a layout.
#[derive(Debug, PartialEq)]
pub enum Part<'a> {
    /// Printed as it is.
    Print(&'a str),
    /// A hole for one text.
    Hole {
        key: &'a str,
        field: bool,
        style: Style,
    },
    /// Printed for each item of a list.
    Each(&'a str, Vec<Part<'a>>),
    /// Printed if there is something.
    If(&'a str, Vec<Part<'a>>),
    /// A line of main text.
    Line(Vec<Part<'a>>),
    /// A record.
    Record(Vec<Part<'a>>),
    /// One of two.
    Either(Vec<Part<'a>>, Vec<Part<'a>>),
}

/// How a text is written into its hole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Style {
    /// `&`, `<`, `>` and `"` as entities.
    Text,
    /// As `Text`, and every letter that HTML 4 has a name for by that name.
    Entities,
    /// Markup already.
    Raw,
    /// Inside a JSON string inside a script.
    Json,
}

/// Reads a layout. Layouts are part of the source, so a fault in one is a panic.
pub fn parse(layout: &str) -> Vec<Part<'_>> {
    let mut rest = layout;
    let (parts, end) = parts(&mut rest);
    assert_eq!(end, "", "a block ends that never began");
    parts
}

/// Reads up to the hole that closes the block, and returns what that hole says (nothing at the end
/// of the layout).
fn parts<'a>(rest: &mut &'a str) -> (Vec<Part<'a>>, &'a str) {
    let mut found = Vec::new();
    while let Some((before, after)) = rest.split_once("[[") {
        if !before.is_empty() {
            found.push(Part::Print(before));
        }
        let (hole, after) = after.split_once("]]").expect("a hole has an end");
        *rest = after;
        if hole == "or" || hole.starts_with('/') {
            return (found, hole);
        }
        found.push(part(hole, rest));
    }
    found.push(Part::Print(std::mem::take(rest)));
    (found, "")
}

fn part<'a>(hole: &'a str, rest: &mut &'a str) -> Part<'a> {
    match hole.split_once(' ').unwrap_or((hole, "")) {
        ("each", key) => Part::Each(key, block(rest, "/each")),
        ("if", key) => Part::If(key, block(rest, "/if")),
        ("line", _) => Part::Line(block(rest, "/line")),
        ("record", _) => Part::Record(block(rest, "/record")),
        ("either", _) => Part::Either(block(rest, "or"), block(rest, "/either")),
        (key, flags) => Part::Hole {
            key,
            field: flags.contains("field"),
            style: style(flags),
        },
    }
}

fn block<'a>(rest: &mut &'a str, end: &str) -> Vec<Part<'a>> {
    let (parts, found) = parts(rest);
    assert_eq!(found, end, "blocks are closed in order");
    parts
}

fn style(flags: &str) -> Style {
    match flags {
        f if f.contains("raw") => Style::Raw,
        f if f.contains("entities") => Style::Entities,
        f if f.contains("json") => Style::Json,
        _ => Style::Text,
    }
}
