//! How does the position of a slot read?
//!
//! The way back from a key to words. It is taken once for each view that goes into a mold, so it
//! looks at the tree again rather than have the walk over every page remember what it saw.

use super::{
    hashing::subject,
    json_ld,
    label_text::{ends_with_colon, inline_label, label_text},
    slots::{
        CLASS_STEPS, Slot, TAG_STEPS, UNDER_STEPS, rank_of_name, script_content, write_name,
        write_step,
    },
    view::{BREAK, Position, SlotKey, ViewKind},
};
use crate::read::{
    html::visible_text,
    tree::{NodeId, Tree},
};
use rapidhash::RapidHashMap;
use std::{
    ops::Range,
    sync::{Mutex, OnceLock},
};

/// A slot in its page.
#[derive(Clone, Copy)]
pub(crate) struct SlotContext<'a> {
    pub tree: &'a Tree<'a>,
    pub slots: &'a [Slot],
    pub at: usize,
    pub texts: &'a PageTexts,
    pub ordinals: &'a Ordinals,
}

/// Which slots of a page are texts, in their order: what precedes a slot is looked up, as a page of
/// pictures would be walked back to its beginning for each of them.
pub(crate) struct PageTexts {
    all: Vec<u32>,
    /// Those with a letter or digit.
    with_words: Vec<u32>,
}

impl PageTexts {
    pub fn of(slots: &[Slot]) -> Self {
        let mut texts = PageTexts {
            all: Vec::new(),
            with_words: Vec::new(),
        };
        for (at, slot) in (0..).zip(slots) {
            if slot.attribute.is_empty() {
                texts.all.push(at);
            }
            if slot.is_words() {
                texts.with_words.push(at);
            }
        }
        texts
    }
}

/// The numbers of a sorted list that are smaller than one, and those that are larger.
fn around(sorted: &[u32], at: usize) -> (&[u32], &[u32]) {
    let before = sorted.partition_point(|&other| (other as usize) < at);
    let after = sorted.partition_point(|&other| (other as usize) <= at);
    (&sorted[..before], &sorted[after..])
}

/// A text that stands right before a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LabelBefore {
    pub text: String,
    /// Whether it stands in an element that HTML has for labels.
    is_header: bool,
    /// Whether it is the first text of what is around it and the value.
    is_first: bool,
    /// Whether it is there to be clicked at.
    is_link: bool,
}

impl LabelBefore {
    /// Whether it can be nothing but a label.
    pub fn is_certain(&self) -> bool {
        self.is_header || ends_with_colon(&self.text)
    }

    /// Whether it may be one.
    pub fn may_be_label(&self) -> bool {
        self.is_first && !self.is_link
    }
}

/// What has a number on a page, and which: counted or remembered, as a long list would be walked
/// once for each of its items otherwise.
#[derive(Default)]
pub(crate) struct Ordinals {
    /// Which of the elements of its name in the same element each one is, from 1. Counted for all
    /// when one is asked for.
    of_elements: OnceLock<Vec<u32>>,
    /// The number that was last found by trying, by the key of number 0.
    last_tried: Mutex<RapidHashMap<u64, u32>>,
}

impl Ordinals {
    fn of(&self, tree: &Tree<'_>, node: NodeId) -> u32 {
        self.of_elements.get_or_init(|| Self::count(tree))[node.index()]
    }

    fn count(tree: &Tree<'_>) -> Vec<u32> {
        let mut counts: RapidHashMap<(Option<usize>, Option<u32>), u32> = RapidHashMap::default();
        let ordinal = |node: NodeId| {
            let same = counts
                .entry((tree.parent(node).map(NodeId::index), tree.name_code(node)))
                .or_default();
            *same += 1;
            *same
        };
        tree.nodes().map(ordinal).collect()
    }

    /// The number with which a position has a key. Slots are described in the order of the page,
    /// mostly, so that the number is the last one found for such a position or close behind it.
    fn tried(&self, numbers: Range<u32>, wanted: u64, key: impl Fn(u32) -> u64) -> Option<u32> {
        let mut last_tried = self
            .last_tried
            .lock()
            .expect("nothing panics while it is held");
        let last = last_tried.entry(key(0)).or_insert(numbers.start);
        let near = (*last).clamp(numbers.start, numbers.end);
        let found = (near..numbers.end)
            .chain(numbers.start..near)
            .find(|&number| key(number) == wanted)?;
        *last = found;
        Some(found)
    }
}

/// The elements of a page that have an id or a class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bearers {
    count: usize,
    parent: Option<NodeId>,
    are_siblings: bool,
}

impl Bearers {
    /// Whether there are no more of them than so many, or few that make up one thing.
    pub fn are_one(&self, count: usize) -> bool {
        /// A street, a town and a code are one address; more of the same are a list or a layout.
        const FEW: usize = 3;
        self.count <= count || self.are_siblings && self.count <= FEW
    }
}

/// The numbers of a position are found by trying; none is larger.
const LARGEST_NUMBER: u32 = 1 << 14;

impl<'a> SlotContext<'a> {
    fn slot(&self) -> &Slot {
        &self.slots[self.at]
    }

    /// The attribute that holds the value; empty for a text.
    pub fn attribute(&self) -> &'static str {
        self.slot().attribute
    }

    /// The element that the value stands in.
    fn element(&self) -> Option<NodeId> {
        let slot = self.slot();
        if slot.attribute.is_empty() {
            self.tree.parent(slot.node)
        } else {
            Some(slot.node)
        }
    }

    /// The elements around the value, the nearest first.
    pub fn around(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.element(), |&node| self.tree.parent(node))
    }

    /// The position that has one of the slot's keys; `None` if it has none, or if no words lead
    /// back to it.
    pub fn describe(&self, which: SlotKey) -> Option<Position> {
        let (kind, wanted) = (which.kind(), self.slot().keys[which]);
        if wanted == 0 {
            return None;
        }
        let candidates = match kind {
            ViewKind::Path => vec![(String::new(), self.numbered(|_| false))],
            ViewKind::ClassPath => vec![(
                String::new(),
                self.steps(CLASS_STEPS, |node| self.step(node, usize::MAX)),
            )],
            ViewKind::AllOfClassPath => {
                let path = self.steps(CLASS_STEPS, |node| self.step(node, 1));
                let breaks = if which == SlotKey::ColumnOrLine {
                    self.breaks_before()
                } else {
                    0
                };
                vec![(String::new(), path + &BREAK.repeat(breaks))]
            }
            ViewKind::TagPath => vec![(
                String::new(),
                self.steps(TAG_STEPS, |node| self.tree.name(node).to_owned()),
            )],
            ViewKind::LabelBefore => vec![(self.text_before()?, self.tag())],
            ViewKind::InlineLabel => vec![(self.prefix()?, self.tag())],
            ViewKind::NamedElement => self.hook().into_iter().collect(),
            ViewKind::LabelOfBlock => self.under(),
            ViewKind::AfterLandmark | ViewKind::BeforeLandmark => {
                return self.by_landmark(kind, wanted);
            }
            ViewKind::JsonLd => self.data().into_iter().collect(),
        };
        // A number counts slots.
        let numbers = 0..LARGEST_NUMBER.min(self.slots.len() as u32);
        candidates
            .into_iter()
            .find_map(|words| self.with_number(kind, wanted, words, numbers.clone()))
    }

    /// The position with a key, given its text and path and what its number may be.
    fn with_number(
        &self,
        kind: ViewKind,
        wanted: u64,
        (text, path): (String, String),
        numbers: Range<u32>,
    ) -> Option<Position> {
        let attribute = self.slot().attribute.to_owned();
        let position = Position {
            text,
            path,
            nth: 0,
            attribute,
            weight: 0,
        };
        let hashes = position.hashes(kind);
        let nth = self.ordinals.tried(numbers, wanted, |nth| {
            kind.key(hashes.subject, nth, hashes.attribute)
        })?;
        Some(Position { nth, ..position })
    }

    /// The position from a landmark on, which may be any text before or after: its number is that
    /// of texts between.
    fn by_landmark(&self, kind: ViewKind, wanted: u64) -> Option<Position> {
        /// Landmarks are not further away than this many texts.
        const FURTHEST: usize = 256;
        let (before, after) = around(&self.texts.all, self.at);
        let nearest: Vec<u32> = match kind {
            ViewKind::AfterLandmark => before.iter().rev().take(FURTHEST).copied().collect(),
            _ => after.iter().take(FURTHEST).copied().collect(),
        };
        for (between, text) in (0..).zip(nearest) {
            let landmark = &self.slots[text as usize];
            // Most texts are none, and need not be put into words.
            if kind.key(subject(landmark.text, self.slot().tag), between, 0) != wanted {
                continue;
            }
            let words = (self.text_of(landmark), self.tag());
            if let Some(found) = self.with_number(kind, wanted, words, between..between + 1) {
                return Some(found);
            }
        }
        None
    }

    fn tag(&self) -> String {
        self.element()
            .map_or(String::new(), |node| self.tree.name(node).to_owned())
    }

    /// The nearest elements, the outermost first.
    fn steps(&self, count: usize, step: impl Fn(NodeId) -> String) -> String {
        let mut steps: Vec<String> = self.around().take(count).map(step).collect();
        steps.reverse();
        steps.join(" ")
    }

    /// The line breaks before a text in its element.
    fn breaks_before(&self) -> usize {
        let node = self.slot().node;
        let before =
            |other: &NodeId| other.index() < node.index() && self.tree.name(*other) == "br";
        self.element().map_or(0, |element| {
            self.tree.elements(element).filter(before).count()
        })
    }

    fn step(&self, node: NodeId, classes: usize) -> String {
        let mut step = String::new();
        write_step(
            &mut step,
            self.tree.name(node),
            self.tree.classes(node).take(classes),
        );
        step
    }

    /// The elements below one that ends the way, with their numbers, the outermost first.
    fn numbered(&self, ends: impl Fn(NodeId) -> bool) -> String {
        let mut steps: Vec<String> = self
            .around()
            .take_while(|&node| !ends(node))
            .map(|node| self.numbered_step(node))
            .collect();
        steps.reverse();
        steps.join(" ")
    }

    fn numbered_step(&self, node: NodeId) -> String {
        let name = self.tree.name(node);
        let number = self.ordinals.of(self.tree, node);
        if number == 1 {
            name.to_owned()
        } else {
            format!("{name}[{number}]")
        }
    }

    fn text_before(&self) -> Option<String> {
        self.texts_before().next().map(|slot| self.text_of(slot))
    }

    /// The texts before, the nearest first.
    fn texts_before(&self) -> impl Iterator<Item = &Slot> {
        let (before, _) = around(&self.texts.with_words, self.at);
        before.iter().rev().map(|&at| &self.slots[at as usize])
    }

    fn text_of(&self, slot: &Slot) -> String {
        visible_text(slot.span.of(self.tree.page()))
    }

    /// The text before, if it stands in an element that HTML has for headers of values. The last
    /// header of a row of them is not the header of the next row.
    pub fn header(&self) -> Option<String> {
        let before = self.texts_before().next()?;
        let is_in_row = || self.row_around(before.node) == self.row_around(self.slot().node);
        let is_header = self.stands_in(before, &["dt", "label"])
            || self.stands_in(before, &["th"]) && is_in_row();
        is_header.then(|| self.text_of(before))
    }

    fn row_around(&self, node: NodeId) -> Option<NodeId> {
        self.tree
            .ancestors(node)
            .find(|&node| self.tree.name(node) == "tr")
    }

    /// The text right before, if it stands close enough to be a label.
    pub fn label_before(&self) -> Option<LabelBefore> {
        /// A label and its value have an element around both that is this close to each.
        const STEPS: usize = 4;
        let mut before = self.texts_before();
        let label = before.next()?;
        // What is around the value and begins before the label is around both.
        let around = self.around().take(STEPS).find(|&node| node < label.node)?;
        let is_close = self
            .tree
            .ancestors(label.node)
            .take(STEPS)
            .any(|node| node == around);
        let is_table = matches!(
            self.tree.name(around),
            "table" | "tbody" | "thead" | "body" | "html"
        );
        (is_close && !is_table).then(|| LabelBefore {
            text: self.text_of(label),
            is_header: self.header().is_some(),
            is_first: before.next().is_none_or(|earlier| earlier.node < around),
            is_link: self.stands_in(label, &["a", "button", "option", "summary"]),
        })
    }

    /// The texts of an element around the value other than those of some slots, which are sorted;
    /// each with its number.
    pub fn other_texts(
        &self,
        node: NodeId,
        slots: &[u32],
    ) -> impl Iterator<Item = (usize, &'a Slot)> {
        let (end, all) = (self.tree.subtree_end(node), self.slots);
        let first = all.partition_point(|slot| slot.node < node);
        let inside = all[first..]
            .iter()
            .take_while(move |slot| slot.node.index() < end);
        let texts = (first..).zip(inside).filter(|(_, slot)| slot.is_words());
        texts.filter(|(at, _)| slots.binary_search(&(*at as u32)).is_err())
    }

    /// The id and the classes of an element.
    pub fn names(&self, node: NodeId) -> impl Iterator<Item = &'a str> + use<'a> {
        let id = self.tree.attribute(node, "id");
        id.into_iter().chain(
            self.tree
                .classes(node)
                .filter(move |class| id != Some(class)),
        )
    }

    /// The elements of the page that have each id and class.
    pub fn bearers(&self) -> RapidHashMap<&'a str, Bearers> {
        let mut bearers: RapidHashMap<&str, Bearers> = RapidHashMap::default();
        for node in self.tree.nodes() {
            let parent = self.tree.parent(node);
            for name in self.names(node) {
                let known = bearers.entry(name).or_insert(Bearers {
                    count: 0,
                    parent,
                    are_siblings: true,
                });
                known.count += 1;
                known.are_siblings &= known.parent == parent;
            }
        }
        bearers
    }

    /// The nearest heading before.
    pub fn heading(&self) -> Option<String> {
        /// Headings are not further away than this many texts.
        const FURTHEST: usize = 64;
        let headings = ["h1", "h2", "h3", "h4", "h5", "h6"];
        let found = self
            .texts_before()
            .take(FURTHEST)
            .find(|slot| self.stands_in(slot, &headings));
        found.map(|slot| self.text_of(slot))
    }

    /// The header of the column of a table that the value stands in.
    pub fn column_header(&self) -> Option<String> {
        let cell = self
            .around()
            .find(|&node| matches!(self.tree.name(node), "td" | "table"))?;
        let row = self
            .tree
            .parent(cell)
            .filter(|&row| self.tree.name(row) == "tr")?;
        let column = self.tree.elements(row).position(|other| other == cell)?;
        let table = self
            .tree
            .ancestors(row)
            .find(|&node| self.tree.name(node) == "table")?;
        let first = self
            .tree
            .subtree(table)
            .find(|&node| self.tree.name(node) == "tr")?;
        // A row with fewer cells has some that span several columns.
        let is_whole = self.tree.elements(row).count() == self.tree.elements(first).count();
        let header = self
            .tree
            .elements(first)
            .nth(column)
            .filter(|&header| self.tree.name(header) == "th")?;
        is_whole.then(|| visible_text(self.tree.span(header).of(self.tree.page())))
    }

    /// Whether a text stands in an element of some name, or in markup in one.
    fn stands_in(&self, slot: &Slot, names: &[&str]) -> bool {
        /// Elements around the text that are looked at.
        const STEPS: usize = 3;
        self.tree
            .ancestors(slot.node)
            .take(STEPS)
            .any(|node| names.contains(&self.tree.name(node)))
    }

    fn prefix(&self) -> Option<String> {
        Some(visible_text(inline_label(
            self.slot().span.of(self.tree.page()),
        )?))
    }

    fn hook(&self) -> Option<(String, String)> {
        let named = self
            .around()
            .find_map(|node| Some((node, self.name_of(node)?)));
        named.map(|(node, name)| (name, self.numbered(|other| other == node)))
    }

    /// The name that its author gave to an element.
    fn name_of(&self, node: NodeId) -> Option<String> {
        let page = self.tree.page();
        let named = self.tree.attributes(node).filter_map(|attribute| {
            let name = attribute.name.of(page);
            Some((rank_of_name(name)?, name, attribute.value?.of(page)))
        });
        // The first of equals, as on the walk.
        let (_, name, value) =
            named.reduce(|best, next| if next.0 < best.0 { next } else { best })?;
        let mut written = String::new();
        write_name(&mut written, name, value);
        Some(written)
    }

    /// The first texts of the elements around, each with the way from there.
    fn under(&self) -> Vec<(String, String)> {
        let (mut steps, mut found) = (Vec::new(), Vec::new());
        for node in self.around().take(UNDER_STEPS) {
            let mut texts = self
                .tree
                .texts(node)
                .map(|text| self.tree.span(text).of(self.tree.page()));
            let first = texts.find(|text| {
                label_text(text).is_some_and(|text| text.contains(char::is_alphanumeric))
            });
            if let Some(first) = first {
                let path: Vec<&str> = steps.iter().rev().copied().collect();
                found.push((visible_text(first), path.join(" ")));
            }
            steps.push(self.tree.name(node));
        }
        found
    }

    /// The type and path of a value in JSON-LD.
    fn data(&self) -> Option<(String, String)> {
        let page = self.tree.page();
        let entries = json_ld::entries(page, script_content(self.tree, self.slot().node));
        let entry = entries
            .into_iter()
            .find(|entry| entry.value == self.slot().span)?;
        let path: Vec<&str> = entry.path.iter().map(|name| name.of(page)).collect();
        Some((entry.kind.of(page).to_owned(), path.join(" ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::{
        label_text::text_hash,
        slots::{Everything, scan, set_landmark_keys},
    };

    /// Whatever is written into a mold must find again what it was written for.
    #[test]
    fn words_lead_back_to_the_key_they_came_from() {
        let page = r#"<html><body class='a b'><h1>Kettle &amp; lid</h1><ul id=menu><li>Home<li><a href=/x>Shop</a>, <a>Sale</a></ul>
            <table class=spec><tr><th>Weight:<td>1.2 kg<br>net<tr><th>Colours:<td><ul><li>Red<li>Blue</ul></table>
            <p itemprop=price content=12>Price: $12</p>
            <script type=application/ld+json>{"@type": "Product", "offers": {"price": 12}, "image": ["a", "b"]}</script><hr>All rights reserved</body></html>"#;
        let tree = Tree::new(page);
        let mut slots = scan(&tree);
        set_landmark_keys(&mut slots, &Everything, |text| {
            Some(text) == text_hash("Home") || Some(text) == text_hash("All rights reserved")
        });
        let (mut described, ordinals) = (0, Ordinals::default());
        let texts = PageTexts::of(&slots);
        for at in 0..slots.len() {
            for which in SlotKey::ALL {
                let kind = which.kind();
                let key = slots[at].keys[which];
                let position = SlotContext {
                    tree: &tree,
                    slots: &slots,
                    at,
                    texts: &texts,
                    ordinals: &ordinals,
                }
                .describe(which);
                assert_eq!(
                    position.is_some(),
                    key != 0,
                    "{kind:?} of {:?}",
                    slots[at].span.of(page)
                );
                assert!(position.is_none_or(|position| position.key(kind) == key));
                described += usize::from(key != 0);
            }
        }
        assert!(described > 100, "{described}");
    }

    /// A page of pictures has no text to walk back to: as many steps as slots for each would be
    /// quadratic.
    #[test]
    fn attributes_are_not_walked_through() {
        let pictures: String = (0..500).map(|n| format!("<img src={n}.png>")).collect();
        let tree_of = |page: &str| {
            let tree = Tree::new(page);
            let slots = scan(&tree);
            let texts = PageTexts::of(&slots);
            (slots.len(), texts.all.len(), texts.with_words.len())
        };
        assert_eq!(tree_of(&pictures), (500, 0, 0));
        assert_eq!(tree_of(&format!("A{pictures},{pictures}B")), (1003, 3, 2));
    }

    #[test]
    fn numbers_are_found_in_any_order() {
        let items: String = (0..50)
            .map(|item| format!("<li class=item><a href=/{item}>thing</a>"))
            .collect();
        let page = format!("<ul>{items}</ul>");
        let tree = Tree::new(&page);
        let (slots, ordinals) = (scan(&tree), Ordinals::default());
        let texts = PageTexts::of(&slots);
        let number = |at: usize| {
            let position = SlotContext {
                tree: &tree,
                slots: &slots,
                at,
                texts: &texts,
                ordinals: &ordinals,
            }
            .describe(SlotKey::ClassPath);
            position.map(|position| position.nth)
        };
        let forwards: Vec<_> = (0..slots.len()).map(number).collect();
        let mut backwards: Vec<_> = (0..slots.len()).rev().map(number).collect();
        backwards.reverse();
        assert_eq!(forwards, backwards);
        assert_eq!(forwards.iter().flatten().max(), Some(&49));
    }
}
