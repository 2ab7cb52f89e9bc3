//! Where on the pages do the words of peaks stand?

use super::Peak;
use crate::{Span, symbols::index::Index};
use std::collections::HashSet;

/// For each page, the parts that are covered by branching words of the peaks: its template, as far as frequency tells.
///
/// Words of one symbol are left out: alone, a letter says nothing.
///
/// ```
/// use unmold::{Text, papers::amplify::{Amplification, Threshold, template_spans}, symbols::{encode::chars, index::Index}};
///
/// let texts = ["Ann", "Bob", "Eve", "Joe"].map(|name| Text::from_string(name, format!("<b>Name:</b> {name}<br>")));
/// let index = Index::new(chars::encode(&texts))?;
/// let peaks = Amplification::of(&index).peaks(Threshold::Delta(10.0));
/// let template: Vec<&str> = template_spans(&index, &peaks)[1].iter().map(|span| span.of(texts[1].as_str())).collect();
/// assert_eq!(template, ["<b>Name:</b> ", "<br>"]);
/// # Ok::<(), unmold::index::IndexError>(())
/// ```
pub fn template_spans(index: &Index, peaks: &[Peak]) -> Vec<Vec<Span>> {
    let symbols = index.symbols();
    let pages = symbols.pages();
    let reach = reach(index, peaks);
    let of_page = |page: usize| {
        let mut spans: Vec<Span> = Vec::new();
        let mut covered_to = 0;
        for position in pages.range(page) {
            covered_to = covered_to.max(position + reach[position] as usize);
            if position >= covered_to {
                continue;
            }
            let span = symbols.span(position);
            match spans.last_mut() {
                Some(last) if position > pages.start(page) && last.end == symbols.span(position - 1).end => {
                    *last = last.to(span);
                }
                _ => spans.push(span),
            }
        }
        spans
    };
    (0..pages.count()).map(of_page).collect()
}

/// For each position, how long the longest word is that begins there.
fn reach(index: &Index, peaks: &[Peak]) -> Vec<u32> {
    let frequencies: HashSet<usize> = peaks.iter().map(|peak| peak.frequency).collect();
    let mut reach = vec![0; index.len()];
    for node in index.nodes().filter(|node| node.depth > 1 && node.left_diverse && frequencies.contains(&node.tf)) {
        for position in index.occurrences(node) {
            reach[position] = reach[position].max(node.depth as u32);
        }
    }
    reach
}
