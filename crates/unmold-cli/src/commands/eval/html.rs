//! Scores as a page: a bar for each data set, the lowest first, and the pages that came out worst.

use super::{
    score::{PageScore, Score},
    table::{blocks, mean_of, shown},
};
use std::io::{self, Write};

/// So many of the worst pages are shown for each measure.
const WORST: usize = 30;
const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\
table{border-collapse:collapse;width:100%;margin:1rem 0}td,th{text-align:right;padding:.2rem .6rem;border-bottom:1px solid #8884}\
td:first-child,th:first-child,td.note{text-align:left}td.note{max-width:34rem;overflow-wrap:anywhere;color:#666}\
.bar{display:inline-block;height:.7em;background:#4a7fb5;vertical-align:middle}.track{display:inline-block;width:8rem;background:#8883;margin-right:.5rem;text-align:left;line-height:0}\
tr.mean{font-weight:600}@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}td.note{color:#999}}";

pub fn write(out: &mut dyn Write, scores: &[Score]) -> io::Result<()> {
    writeln!(
        out,
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">"
    )?;
    writeln!(out, "<title>unmold eval</title><style>{STYLE}</style><h1>unmold eval</h1>")?;
    for block in blocks(scores) {
        write_block(out, &block)?;
        write_worst(out, &block)?;
    }
    writeln!(out, "</html>")
}

fn write_block(out: &mut dyn Write, block: &[&Score]) -> io::Result<()> {
    let names: Vec<&str> = block[0].figures.iter().map(|(name, _)| name.as_str()).collect();
    writeln!(out, "<h2>{}</h2><table><tr><th>data set<th>pages", block[0].measure.name())?;
    names.iter().try_for_each(|name| write!(out, "<th>{}", name.replace('_', " ")))?;
    let mut lowest_first = block.to_vec();
    lowest_first.sort_by(|one, other| one.figures[0].1.total_cmp(&other.figures[0].1));
    for score in lowest_first {
        write!(out, "\n<tr><td>{}<td>{}", escaped(&score.dataset), score.pages)?;
        write_figures(out, score.figures.iter().map(|(_, figure)| *figure))?;
    }
    if block.len() > 1 {
        let pages: usize = block.iter().map(|score| score.pages).sum();
        write!(out, "\n<tr class=mean><td>mean of {}<td>{pages}", block.len())?;
        write_figures(out, names.iter().map(|name| mean_of(block, name)))?;
    }
    writeln!(out, "</table>")
}

/// Figures of a row, the first as a bar too.
fn write_figures(out: &mut dyn Write, figures: impl Iterator<Item = f64>) -> io::Result<()> {
    for (place, figure) in figures.enumerate() {
        let bar = if place == 0 { bar(figure) } else { String::new() };
        write!(out, "<td>{bar}{}", shown(figure))?;
    }
    Ok(())
}

fn bar(share: f64) -> String {
    let percent = (share.clamp(0.0, 1.0) * 100.0).round();
    format!("<span class=track><span class=bar style=\"width:{percent}%\"></span></span>")
}

fn write_worst(out: &mut dyn Write, block: &[&Score]) -> io::Result<()> {
    let mut pages: Vec<(&Score, &PageScore)> =
        block.iter().flat_map(|score| score.by_page.iter().map(move |page| (*score, page))).collect();
    pages.sort_by(|one, other| one.1.figure.total_cmp(&other.1.figure));
    pages.truncate(WORST);
    if pages.is_empty() {
        return Ok(());
    }
    writeln!(out, "<h3>Worst first</h3><table><tr><th>where<th>figure<th>what")?;
    for (score, page) in pages {
        let place = format!("{} {}", score.dataset, page.page);
        writeln!(out, "<tr><td>{}<td>{}<td class=note>{}", escaped(&place), shown(page.figure), escaped(&page.note))?;
    }
    writeln!(out, "</table>")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
