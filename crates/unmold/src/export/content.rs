//! Which selector gives the main content of pages, and what in it is to be left out?

use super::{
    candidates::{Candidate, Place, Search},
    plan::{Dialect, Proof, SamplePage},
    select::{Indexed, folded},
    selector::{Selector, Step, Test},
};
use crate::{Mold, Span, mold::Group, read::tree::NodeId};
use std::collections::HashMap;

/// Where content is.
pub(super) struct ContentPlan {
    pub region: Selector,
    /// What in it is none.
    pub strip: Vec<Selector>,
    pub title: Option<Selector>,
    pub author: Option<Selector>,
    pub date: Option<Selector>,
    /// On how many pages hardly anything is different.
    pub proof: Proof,
    /// How much of region and content is the same, from 0 to 1, on average.
    pub overlap: f64,
}

/// What is content on a page.
struct Wanted<'p, 'a> {
    page: &'p SamplePage<'a>,
    /// Without the headline.
    spans: Vec<Span>,
    bytes: usize,
    /// The bytes of text before each node and at the end, and those that are content: regions are
    /// measured by the hundred.
    before: Vec<(usize, usize)>,
}

/// The same but for so much is the same: white space, a stray mark.
const SAME: f64 = 0.98;
const SEEDS: usize = 3;
/// More are not worth a line each.
const STRIPPED: usize = 25;

pub(super) fn plan(
    mold: &Mold,
    group: &Group,
    pages: &[&SamplePage<'_>],
    dialect: Dialect,
) -> Option<ContentPlan> {
    let has_rule = group.content.is_some() || group.looks.iter().any(|look| look.content.is_some());
    if !mold.has_content() || !has_rule {
        return None;
    }
    let wanted: Vec<Wanted<'_, '_>> = pages.iter().map(|page| Wanted::of(page)).collect();
    let mut candidates: Vec<Candidate> = Vec::new();
    for wanted in wanted.iter().filter(|wanted| wanted.bytes > 0).take(SEEDS) {
        let search = Search {
            page: &wanted.page.index,
            root: None,
            prefix: "",
        };
        let regions = wanted.regions();
        candidates.extend(
            regions
                .iter()
                .flat_map(|&node| search.candidates(&Place::Element(node))),
        );
    }
    candidates.retain(|candidate| dialect.can_say(&candidate.selector));
    candidates.sort_by_key(|candidate| candidate.cost);
    candidates.dedup_by(|a, b| a.selector == b.selector);
    let (region, strip, overlaps) = best_region(&wanted, &candidates)?;
    let equal = overlaps.iter().filter(|overlap| **overlap >= SAME).count();
    let overlap = overlaps.iter().sum::<f64>() / overlaps.len().max(1) as f64;
    let about = |value: &dyn Fn(&SamplePage<'_>) -> Option<String>| told(pages, dialect, value);
    Some(ContentPlan {
        region,
        strip,
        title: about(&|page| {
            page.found.content().headline().map(|span| {
                folded(&crate::read::html::visible_text(
                    span.of(page.index.tree.page()),
                ))
            })
        }),
        author: about(&|page| page.found.about().authors.first().cloned()),
        date: about(&|page| page.found.about().date.as_ref().map(ToString::to_string)),
        proof: Proof {
            pages: pages.len(),
            equal,
        },
        overlap,
    })
}

/// The region that holds content and little else on all pages, what to strip there, and how much is
/// the same on each page.
fn best_region(
    wanted: &[Wanted<'_, '_>],
    candidates: &[Candidate],
) -> Option<(Selector, Vec<Selector>, Vec<f64>)> {
    /// Regions that are looked at more closely.
    const CLOSE: usize = 6;
    let mean = |overlaps: &[f64]| overlaps.iter().sum::<f64>() / overlaps.len().max(1) as f64;
    // How much of the content a region has says more than how little else: the rest can be
    // stripped.
    let held = |selector: &Selector| {
        mean(
            &wanted
                .iter()
                .map(|wanted| wanted.measure(selector, &[]).held())
                .collect::<Vec<_>>(),
        )
    };
    let mut by_hold: Vec<(f64, &Candidate)> = candidates
        .iter()
        .take(200)
        .map(|next| (held(&next.selector), next))
        .collect();
    by_hold.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cost.cmp(&b.1.cost)));
    let close = by_hold.into_iter().take(CLOSE).map(|(_, candidate)| {
        let strip = stripped(wanted, &candidate.selector);
        let overlaps: Vec<f64> = wanted
            .iter()
            .map(|wanted| wanted.measure(&candidate.selector, &strip).overlap())
            .collect();
        (candidate.selector.clone(), strip, overlaps)
    });
    close.reduce(|best, next| {
        if mean(&next.2) > mean(&best.2) + 0.005 {
            next
        } else {
            best
        }
    })
}

/// What can be stripped from a region: elements by name that hold no content on any page.
fn stripped(wanted: &[Wanted<'_, '_>], region: &Selector) -> Vec<Selector> {
    let mut weights: HashMap<Step, (usize, bool)> = HashMap::new();
    for wanted in wanted {
        let index = &wanted.page.index;
        let Some(root) = index.elements(&region.steps).first().copied() else {
            continue;
        };
        for node in index
            .tree
            .subtree(root)
            .skip(1)
            .filter(|&node| index.tree.is_element(node))
        {
            let (all, content) = wanted.bytes_of(node);
            for step in steps(index, node) {
                let known = weights.entry(step).or_insert((0, true));
                known.0 += all;
                known.1 &= content == 0;
            }
        }
    }
    let mut steps: Vec<(usize, Step)> = weights
        .into_iter()
        .filter(|(_, (all, is_free))| *is_free && *all > 0)
        .map(|(step, (all, _))| (all, step))
        .collect();
    steps.sort_by(|a, b| {
        b.0.cmp(&a.0)
            .then_with(|| format!("{:?}", a.1).cmp(&format!("{:?}", b.1)))
    });
    // What stands in something that is stripped needs no line of its own; the largest come first.
    let mut strip: Vec<Selector> = Vec::new();
    for (_, step) in steps.into_iter().take(4 * STRIPPED) {
        let selector = Selector {
            steps: vec![step],
            ..Selector::default()
        };
        let adds = wanted.iter().any(|wanted| {
            wanted.measure(region, &strip).taken > {
                let with: Vec<Selector> = strip.iter().cloned().chain([selector.clone()]).collect();
                wanted.measure(region, &with).taken
            }
        });
        if adds && strip.len() < STRIPPED {
            strip.push(selector);
        }
    }
    strip
}

/// An element by what it is called: its id, each of its classes, its name where that says what it
/// is for.
fn steps(index: &Indexed<'_>, node: NodeId) -> Vec<Step> {
    let tag = index.tree.name(node);
    let id = index
        .attribute(node, "id")
        .filter(|id| !id.is_empty() && !super::candidates::is_made_up(id));
    let classes = index
        .tree
        .classes(node)
        .filter(|class| !super::candidates::is_made_up(class));
    let by_class = classes.map(|class| Step::new("*").with(Test::Class(class.to_owned())));
    let by_tag = matches!(
        tag,
        "aside" | "nav" | "form" | "footer" | "button" | "figcaption"
    )
    .then(|| Step::new(tag));
    id.map(|id| Step::new("*").with(Test::Id(id)))
        .into_iter()
        .chain(by_class)
        .chain(by_tag)
        .collect()
}

/// How many bytes of text a region has, how many of these are content, and how much content there
/// is.
struct Measure {
    taken: usize,
    right: usize,
    wanted: usize,
}

impl Measure {
    /// The share of the content that the region has.
    fn held(&self) -> f64 {
        self.right as f64 / self.wanted.max(1) as f64
    }

    fn overlap(&self) -> f64 {
        if self.taken + self.wanted == 0 {
            return 1.0;
        }
        2.0 * self.right as f64 / (self.taken + self.wanted) as f64
    }
}

impl<'p, 'a> Wanted<'p, 'a> {
    fn of(page: &'p SamplePage<'a>) -> Self {
        let content = page.found.content();
        let headline = content.headline();
        let is_headline = |span: &Span| {
            headline
                .is_some_and(|headline| headline.start <= span.start && span.end <= headline.end)
        };
        let spans: Vec<Span> = content
            .spans()
            .iter()
            .copied()
            .filter(|span| !is_headline(span))
            .collect();
        let mut wanted = Wanted {
            page,
            spans,
            bytes: 0,
            before: vec![(0, 0)],
        };
        let tree = &page.index.tree;
        for node in tree.nodes() {
            let (all, content) = if tree.is_element(node) {
                (0, 0)
            } else {
                wanted.bytes_of_text(tree.span(node))
            };
            wanted
                .before
                .push((wanted.before[node.index()].0 + all, wanted.bytes + content));
            wanted.bytes += content;
        }
        wanted
    }

    /// The elements that hold all content, the innermost first.
    fn regions(&self) -> Vec<NodeId> {
        /// Wider ones hold too much else.
        const WIDER: usize = 4;
        let (Some(first), Some(last)) = (self.spans.first(), self.spans.last()) else {
            return Vec::new();
        };
        let tree = &self.page.index.tree;
        let holds = |node: &NodeId| {
            tree.is_element(*node)
                && tree.span(*node).start <= first.start
                && last.end <= tree.span(*node).end
        };
        let mut holding: Vec<NodeId> = tree.nodes().filter(holds).collect();
        holding.reverse();
        holding.truncate(WIDER);
        // A stray piece at either end may be all that makes the innermost one so wide.
        let largest = self
            .spans
            .iter()
            .max_by_key(|span| span.len())
            .map(|span| span.start);
        let around = |node: &NodeId| {
            largest.is_some_and(|at| tree.span(*node).start <= at && at < tree.span(*node).end)
        };
        let mut inner: Vec<NodeId> = tree
            .nodes()
            .filter(|node| tree.is_element(*node) && around(node))
            .collect();
        inner.reverse();
        inner.truncate(WIDER);
        holding.extend(inner);
        holding
    }

    /// The bytes of text in a node, and those that are content.
    fn bytes_of(&self, node: NodeId) -> (usize, usize) {
        let (start, end) = (
            self.before[node.index()],
            self.before[self.page.index.tree.subtree_end(node)],
        );
        (end.0 - start.0, end.1 - start.1)
    }

    fn bytes_of_text(&self, text: Span) -> (usize, usize) {
        (
            said(text, text, self.page.index.tree.page()),
            self.overlapping(text),
        )
    }

    fn overlapping(&self, text: Span) -> usize {
        let from = self.spans.partition_point(|span| span.end <= text.start);
        let touching = self.spans[from..]
            .iter()
            .take_while(|span| span.start < text.end);
        touching
            .map(|span| said(*span, text, self.page.index.tree.page()))
            .sum()
    }

    fn measure(&self, region: &Selector, strip: &[Selector]) -> Measure {
        let index = &self.page.index;
        let Some(root) = index.elements(&region.steps).first().copied() else {
            return Measure {
                taken: 0,
                right: 0,
                wanted: self.bytes,
            };
        };
        let (mut taken, mut right) = self.bytes_of(root);
        let mut out: Vec<NodeId> = strip
            .iter()
            .flat_map(|strip| index.elements_in(&strip.steps, Some(root)))
            .collect();
        out.sort_unstable();
        let mut end = 0;
        for node in out {
            if node.index() >= end {
                let (all, content) = self.bytes_of(node);
                (taken, right) = (taken - all, right - content);
                end = index.tree.subtree_end(node);
            }
        }
        Measure {
            taken,
            right,
            wanted: self.bytes,
        }
    }
}

/// The bytes of what two spans share that are no white space.
fn said(one: Span, other: Span, page: &str) -> usize {
    let (start, end) = (one.start.max(other.start), one.end.min(other.end));
    let shared = page
        .get(start as usize..end.max(start) as usize)
        .unwrap_or_default();
    shared
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .count()
}

/// The selector of what pages say about themselves, if one gives it on nearly all pages that say
/// it.
fn told(
    pages: &[&SamplePage<'_>],
    dialect: Dialect,
    value: &dyn Fn(&SamplePage<'_>) -> Option<String>,
) -> Option<Selector> {
    let values: Vec<Option<String>> = pages.iter().map(|page| value(page)).collect();
    let mut candidates: Vec<Candidate> = Vec::new();
    let saying = pages
        .iter()
        .zip(&values)
        .filter_map(|(page, value)| Some((page, value.as_ref()?)));
    for (page, value) in saying.take(SEEDS) {
        let search = Search {
            page: &page.index,
            root: None,
            prefix: "",
        };
        candidates.extend(
            super::plan::others(&page.index, value)
                .iter()
                .flat_map(|place| search.candidates(place)),
        );
    }
    candidates.retain(|candidate| dialect.can_say(&candidate.selector));
    candidates.sort_by_key(|candidate| candidate.cost);
    candidates.truncate(100);
    let said = values.iter().flatten().count();
    let equal = |selector: &Selector| {
        let right = pages.iter().zip(&values).filter(|(page, value)| {
            value.is_some() && page.index.values(selector, None).first() == value.as_ref()
        });
        right.count()
    };
    candidates
        .into_iter()
        .map(|next| next.selector)
        .find(|selector| said > 0 && 10 * equal(selector) >= 9 * said)
}
