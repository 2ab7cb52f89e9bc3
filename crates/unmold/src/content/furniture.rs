//! Which lines does a page repeat between the paragraphs of its content?
//!
//! Programs put the same line beside each picture, before each advertisement and in each box:
//!
//! ```text
//! <p>The first paragraph ...</p>   <div class=ad>Story continues below</div>
//! <p>The second paragraph ...</p>  <div class=ad>Story continues below</div>
//! <p>Read more: <a href=/egg>Hen finds an egg that nobody had lost</a></p>
//! ```
//!
//! People repeat themselves as well, in refrains; but a refrain stands in an element of the look of
//! all other lines. So a line is *furniture* if it stands on the page [`ENOUGH`] times and is most
//! of what elements on its path say; and so is a line that names another page, if what precedes the
//! name precedes another one, too.
//!
//! Cells of tables and the parts of description lists say the same for good reason.
//!
//! Cost: one pass over the blocks of the content.

use super::{
    located::Located,
    path::Path,
    reading::{Block, Piece, Reading},
    region::own_bytes,
    tail::MIN_PARAGRAPH_BYTES,
};
use rapidhash::{RapidHashMap, RapidHashSet};

/// A line is furniture if it stands on the page so often, as a refrain does.
const ENOUGH: usize = 3;
/// Of the lines on its path, it is this share. Lists of words that repeat have other words as well.
const OF_PATH: f64 = 0.6;
/// A line that is repeated has no more bytes than this: a paragraph that is, is content once.
const LINE_BYTES: u32 = 120;
/// What precedes the name of another page is furniture if it precedes so many names,
const LEADS: usize = 2;
/// each of which is at least so long, in bytes without white space: shorter ones are what the
/// paragraph is about.
const NAME_BYTES: u32 = 25;

/// Paragraphs hold at least this share of the content: elsewhere, what repeats is what the page says of
/// each thing that it lists.
const MIN_PARAGRAPH_SHARE: f64 = 0.5;

/// A line as it is repeated: where it stands, and its words. Digits count: prices do not repeat.
type Line<'p> = (Path, Vec<&'p str>);

/// The lines of a page that are furniture.
#[derive(Default)]
pub(crate) struct Furniture<'p> {
    lines: RapidHashSet<Line<'p>>,
    /// What precedes names of other pages.
    leads: RapidHashSet<Line<'p>>,
}

impl<'p> Furniture<'p> {
    /// Looks for furniture in the content of a page.
    pub fn of(page: &'p Reading<'_>, located: &Located) -> Self {
        if !is_running_text(page, located) {
            return Furniture::default();
        }
        let mut on_path: RapidHashMap<Path, usize> = RapidHashMap::default();
        let mut times: RapidHashMap<Line<'p>, usize> = RapidHashMap::default();
        let mut led: RapidHashMap<Line<'p>, usize> = RapidHashMap::default();
        for block in page.blocks.iter().filter(|block| located.holds(block)) {
            if is_cell(page, block) {
                continue;
            }
            *on_path.entry(path(page, block)).or_default() += 1;
            if let Some(line) = line(page, block) {
                *times.entry(line).or_default() += 1;
            }
            if let Some(lead) = lead(page, block) {
                *led.entry(lead).or_default() += 1;
            }
        }
        let is_furniture = |(line, times): &(Line<'_>, usize)| {
            *times >= ENOUGH && *times as f64 >= OF_PATH * on_path[&line.0] as f64
        };
        let lines = times.into_iter().filter(is_furniture);
        let leads = led.into_iter().filter(|(_, times)| *times >= LEADS);
        Furniture {
            lines: lines.map(|(line, _)| line).collect(),
            leads: leads.map(|(lead, _)| lead).collect(),
        }
    }

    /// Whether a block is furniture.
    pub fn holds(&self, page: &'p Reading<'_>, block: &Block) -> bool {
        if self.lines.is_empty() && self.leads.is_empty() || is_cell(page, block) {
            return false;
        }
        line(page, block).is_some_and(|line| self.lines.contains(&line))
            || lead(page, block).is_some_and(|lead| self.leads.contains(&lead))
    }
}

/// Whether paragraphs hold most of the content.
fn is_running_text(page: &Reading<'_>, located: &Located) -> bool {
    let (mut all, mut in_paragraphs) = (0.0, 0.0);
    for block in page.blocks.iter().filter(|block| located.holds(block)) {
        all += f64::from(page.bytes(block));
        let own = own_bytes(page, block, |_| false);
        if own >= MIN_PARAGRAPH_BYTES {
            in_paragraphs += f64::from(own);
        }
    }
    in_paragraphs >= MIN_PARAGRAPH_SHARE * all
}

fn path(page: &Reading<'_>, block: &Block) -> Path {
    page.paths[block.element.index()]
}

/// Whether a block stands in a table, a list of descriptions or a listing.
fn is_cell(page: &Reading<'_>, block: &Block) -> bool {
    let of = |name: &str| matches!(name, "td" | "th" | "dt" | "dd" | "pre");
    let mut around = std::iter::once(block.element).chain(page.tree.ancestors(block.element));
    around.any(|node| of(page.tree.name(node)))
}

/// A short block as it may be repeated.
fn line<'p>(page: &'p Reading<'_>, block: &Block) -> Option<Line<'p>> {
    let pieces = page.pieces(block);
    let is_short = !pieces.is_empty() && page.bytes(block) <= LINE_BYTES;
    is_short.then(|| (path(page, block), words(page, pieces)))
}

/// What precedes the name of another page with which a block ends; `None` where it does not end
/// so.
fn lead<'p>(page: &'p Reading<'_>, block: &Block) -> Option<Line<'p>> {
    let pieces = page.pieces(block);
    let names = pieces.iter().position(|piece| piece.wording.is_linked)?;
    let (lead, name) = pieces.split_at(names);
    let is_name = name.iter().all(|piece| piece.wording.is_linked);
    let bytes: u32 = name.iter().map(|piece| piece.bytes).sum();
    if lead.is_empty() || !is_name || bytes < NAME_BYTES {
        return None;
    }
    // Where the address itself is shown, it is what the line says.
    let is_address = words(page, name).iter().any(|name| name.contains("://"));
    (!is_address).then(|| (path(page, block), words(page, lead)))
}

fn words<'p>(page: &'p Reading<'_>, pieces: &[Piece]) -> Vec<&'p str> {
    let source = page.tree.page();
    pieces
        .iter()
        .map(|piece| piece.span.of(source).trim())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::alone::find_alone;
    use super::*;
    use std::sync::Arc;

    const STORY: &str = "A hen on a farm in the north has found an egg that nobody had lost, and \
        has kept it, as its owner says to all who come to see it.";

    /// The text that is kept of a page alone.
    fn kept(page: &str) -> String {
        let reading = Arc::new(Reading::of(page));
        let found = find_alone(&reading, None).unwrap_or_default();
        let texts = found.spans.iter().map(|span| span.of(page));
        texts.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_line_between_paragraphs_that_comes_again_is_furniture() {
        let part = |number: usize| {
            format!("<p>{number}. {STORY}</p><div class=ad>Дальше после рекламы</div>")
        };
        let parts: Vec<String> = (0..3).map(part).collect();
        let end = format!("<p>{}</p>", STORY.replace("hen", "fox"));
        let text = kept(&format!("<main>{}{end}</main>", parts.concat()));
        assert!(text.contains("A hen") && !text.contains("Дальше"), "{text}");
        // Twice may be chance.
        let text = kept(&format!("<main>{}{end}</main>", parts[..2].concat()));
        assert!(text.contains("Дальше"), "{text}");
    }

    #[test]
    fn a_refrain_looks_like_the_other_lines() {
        let verse =
            |line: &str| format!("<p>{line}, and the night is long, and the river is wide</p>");
        let verses =
            ["Hen", "Egg", "Farm", "Fox"].map(|line| verse(line) + "<p>Sing, hen, sing</p>");
        let text = kept(&format!("<main>{}</main>", verses.concat()));
        assert_eq!(text.matches("Sing").count(), 4);
    }

    #[test]
    fn what_precedes_names_of_other_pages_goes_with_them() {
        let lead = |title: &str| {
            format!(
                "<p>続きを読む：<a href=/{title}>{}</a></p>",
                title.repeat(9)
            )
        };
        let other = STORY.replace("hen", "fox");
        let page = format!(
            "<main><p>{STORY}</p>{}<p>{other}</p>{}</main>",
            lead("卵が"),
            lead("雨が")
        );
        let text = kept(&page);
        assert!(
            !text.contains("続きを読む") && text.contains("fox"),
            "{text}"
        );
    }
}
