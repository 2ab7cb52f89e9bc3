//! Where on the pages do the words of peaks stand?

use super::{Amplification, Peak, Threshold};
use crate::{
    Span, Text,
    symbols::{
        encode::chars,
        index::{Index, IndexError},
    },
};
use std::collections::HashSet;

/// Branching words of fewer symbols than this are no template by themselves. A peak has all strings
/// of its frequency, and among those of two or three letters most are pieces of words that happen
/// to occur that often. Fitted by `eval/content --method amplify` on 39 of 76 sites: F1 of main
/// content rises from 0.03 (2 symbols) over 0.44 (8) to 0.77 (24) and is flat from there; on the
/// other 37 sites 0.06, 0.42, 0.70.
pub const SHORTEST_WORD: usize = 24;

/// For each page, the parts that are covered by branching words of the peaks that have at least
/// `shortest` symbols: its template, as far as frequency tells.
///
/// ```
/// use unmold::{Text, papers::amplify::{Amplification, Threshold, template_spans}, symbols::{encode::chars, index::Index}};
///
/// let texts = ["Ann", "Bob", "Eve", "Joe"].map(|name| Text::from_string(name, format!("<b>Name:</b> {name}<br>")));
/// let index = Index::new(chars::encode(&texts))?;
/// let peaks = Amplification::of(&index).peaks(Threshold::Delta(10.0));
/// let template: Vec<&str> = template_spans(&index, &peaks, 2)[1].iter().map(|span| span.of(texts[1].as_str())).collect();
/// assert_eq!(template, ["<b>Name:</b> ", "<br>"]);
/// # Ok::<(), unmold::symbols::index::IndexError>(())
/// ```
pub fn template_spans(index: &Index, peaks: &[Peak], shortest: usize) -> Vec<Vec<Span>> {
    let symbols = index.symbols();
    let pages = symbols.pages();
    let reach = reach(index, peaks, shortest);
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
                Some(last)
                    if position > pages.start(page)
                        && last.end == symbols.span(position - 1).end =>
                {
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
fn reach(index: &Index, peaks: &[Peak], shortest: usize) -> Vec<u32> {
    let frequencies: HashSet<usize> = peaks.iter().map(|peak| peak.frequency).collect();
    let mut reach = vec![0; index.len()];
    for node in index.nodes() {
        if node.depth < shortest || !node.left_diverse || !frequencies.contains(&node.tf) {
            continue;
        }
        for position in index.occurrences(node) {
            reach[position] = reach[position].max(node.depth as u32);
        }
    }
    reach
}

/// The template of pages, by the frequencies that stand out on them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AmplifiedTemplate {
    /// How many frequencies stand out.
    pub peaks: usize,
    /// Where each page is template, in order.
    pub template: Vec<Vec<Span>>,
}

/// Finds the template of pages in one step, by words of at least `shortest` symbols
/// ([`SHORTEST_WORD`]).
///
/// # Errors
/// When memory runs out.
pub fn template_of(
    texts: &[Text],
    threshold: Threshold,
    shortest: usize,
) -> Result<AmplifiedTemplate, IndexError> {
    let index = Index::new(chars::encode(texts))?;
    let peaks = Amplification::of(&index).peaks(threshold);
    Ok(AmplifiedTemplate {
        template: template_spans(&index, &peaks, shortest),
        peaks: peaks.len(),
    })
}
