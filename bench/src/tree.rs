//! How fast are pages read: their tokens, their elements?
//!
//! ```text
//! cargo run --release -p unmold-bench --bin bench-tree -- FOLDER...
//! ```
//!
//! On one thread, next to a search for `<` over the same bytes. Before a time is printed, the texts
//! of each tree are compared with the texts among the tokens.

use anyhow::{Result, ensure};
use std::path::Path;
use unmold::{
    Text,
    read::{
        html::{self, Kind},
        tree::Tree,
    },
};
use unmold_bench::{fastest_on_core, folders, texts};

/// How much is read, the pages again and again: less is over before the system has counted.
const READ_MEGABYTES: f64 = 500.0;

fn main() -> Result<()> {
    println!(
        "{:<28} {:>7} {:>8} {:>9} {:>14} {:>14} {:>14}",
        "pages", "number", "MB", "nodes", "search", "tokens", "tree"
    );
    folders().iter().try_for_each(|folder| bench(folder))
}

fn bench(folder: &Path) -> Result<()> {
    let texts = texts(folder);
    ensure!(!texts.is_empty(), "no page below {}", folder.display());
    texts.iter().try_for_each(check)?;
    let megabytes = texts.iter().map(|text| text.as_str().len()).sum::<usize>() as f64 / 1e6;
    let nodes: usize = texts
        .iter()
        .map(|text| Tree::new(text.as_str()).len())
        .sum();
    let speed = |work: fn(&str) -> usize| {
        let rounds = (READ_MEGABYTES / megabytes).ceil() as usize;
        let once = || texts.iter().map(|text| work(text.as_str())).sum::<usize>();
        let time = fastest_on_core(|| (0..rounds).map(|_| once()).sum::<usize>());
        format!("{:.0} MB/s", megabytes * rounds as f64 / time.as_secs_f64())
    };
    println!(
        "{:<28} {:>7} {megabytes:>8.2} {nodes:>9} {:>14} {:>14} {:>14}",
        folder
            .display()
            .to_string()
            .chars()
            .rev()
            .take(28)
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .collect::<String>(),
        texts.len(),
        speed(|page| memchr::memchr_iter(b'<', page.as_bytes()).count()),
        speed(|page| html::tokens(page).count()),
        speed(|page| Tree::new(page).len()),
    );
    Ok(())
}

/// A tree has the texts of its page, in order.
fn check(text: &Text) -> Result<()> {
    let page = text.as_str();
    let tree = Tree::new(page);
    let in_tree = tree
        .nodes()
        .filter(|&node| !tree.is_element(node))
        .map(|node| tree.span(node));
    let is_text = |token: &html::Token| matches!(token.kind, Kind::Text | Kind::Cdata);
    let in_page = html::tokens(page)
        .filter(is_text)
        .filter(|token| token.kind == Kind::Cdata || !html::is_blank(token.span.of(page)));
    ensure!(
        in_tree.eq(in_page.map(|token| token.span)),
        "{}: the tree has other texts than the page",
        text.id()
    );
    Ok(())
}
