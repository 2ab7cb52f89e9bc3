//! Grouping as the paper does it: the pages that hold the words of a peak.

use super::{Fingerprint, Grouping, KnownGroups, Membership, PageGroup};
use crate::{
    Text,
    papers::amplify::{Amplification, Threshold},
    read::order::canonical,
    symbols::{
        encode::Words,
        index::{Index, IndexError, Node, PageSet},
    },
};
use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

/// The words of peaks that stand on the same pages.
#[derive(Clone, Copy)]
struct Heap {
    mass: u64,
    /// The longest of them.
    word: Node,
}

/// Groups pages by substring amplification.
///
/// The branching words of each peak are sorted by the pages that hold them. The heaviest of these
/// page sets that a page is in is its group. Sections of a site and the site as a whole compete by
/// weight here, which is why [`group`](super::group()) works in another way; where a site has one
/// template, both agree.
///
/// ```
/// use unmold::{Text, group::by_peaks};
///
/// let page = |n: usize| format!("<html><h1>Weather in town number {n}</h1><p>Sun, and later some clouds</html>");
/// let texts: Vec<Text> = (0..20).map(|n| Text::from_string(n.to_string(), page(n))).collect();
/// let grouping = by_peaks(&texts)?;
/// assert_eq!(grouping.groups()[0].pages.len(), 20);
/// # Ok::<(), unmold::symbols::index::IndexError>(())
/// ```
///
/// # Errors
/// When memory runs out while the pages are indexed.
pub fn by_peaks(texts: &[Text]) -> Result<Grouping, IndexError> {
    let order = canonical(texts);
    let sorted: Vec<Text> = order.iter().map(|&at| texts[at].clone()).collect();
    let index = Index::new(Words::default().encode(&sorted))?;
    let chosen = heaviest_heaps(&index);
    let mut members: HashMap<PageSet, Vec<usize>> = HashMap::new();
    for (page, heap) in chosen.iter().enumerate() {
        heap.iter()
            .for_each(|heap| members.entry(heap.word.pages).or_default().push(page));
    }
    let mut groups: Vec<Vec<usize>> = members
        .into_values()
        .filter(|pages| pages.len() > 1)
        .collect();
    groups.sort_by_key(|pages| (Reverse(pages.len()), pages[0]));
    let groups = groups
        .into_iter()
        .enumerate()
        .map(|(number, pages)| PageGroup {
            number,
            name: chosen[pages[0]].map_or_else(String::new, |heap| index.show(heap.word)),
            representative: order[pages[0]],
            evidence: chosen[pages[0]]
                .iter()
                .map(|heap| index.show(heap.word))
                .collect(),
            pages: pages.into_iter().map(|page| order[page]).collect(),
            layout: number,
            site: number,
            fingerprint: Fingerprint::default(),
        });
    Ok(grouping(groups.collect(), texts.len()))
}

fn grouping(mut groups: Vec<PageGroup>, pages: usize) -> Grouping {
    let mut places = vec![Membership::Alone { nearest: None }; pages];
    for group in &mut groups {
        group.pages.sort_unstable();
        group
            .pages
            .iter()
            .for_each(|&page| places[page] = Membership::In(group.number));
    }
    Grouping {
        groups,
        places,
        known: KnownGroups::default(),
        failed: Vec::new(),
        closest: None,
    }
}

/// For each page, the heaviest page set it is in.
fn heaviest_heaps(index: &Index) -> Vec<Option<Heap>> {
    let pages = index.symbols().pages();
    let mut chosen: Vec<Option<Heap>> = vec![None; pages.count()];
    for heap in heaps(index) {
        for position in index.occurrences(heap.word) {
            chosen[pages.sequence_of(position)].get_or_insert(heap);
        }
    }
    chosen
}

/// The words of all peaks by page set, the heaviest first.
fn heaps(index: &Index) -> Vec<Heap> {
    let peaks = Amplification::of(index).peaks(Threshold::default());
    let frequencies: HashSet<usize> = peaks.iter().map(|peak| peak.frequency).collect();
    let mut heaps: HashMap<PageSet, Heap> = HashMap::new();
    for node in index
        .nodes()
        .filter(|node| node.df > 1 && frequencies.contains(&node.tf))
    {
        let mass = (node.tf * (node.depth - node.parent_depth)) as u64;
        let heap = heaps.entry(node.pages).or_insert(Heap {
            mass: 0,
            word: node,
        });
        heap.mass += mass;
        if node.depth > heap.word.depth {
            heap.word = node;
        }
    }
    let mut heaps: Vec<Heap> = heaps.into_values().collect();
    heaps.sort_unstable_by_key(|heap| (Reverse(heap.mass), heap.word.first));
    heaps
}
