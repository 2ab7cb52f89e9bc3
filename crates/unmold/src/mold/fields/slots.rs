//! Which values does a page hold, and by what can each be found again?
//!
//! A *slot* is a text or an attribute that may be a value, with one key for each way to find it ([`Position`]). The
//! same walk serves learning (which keys recur from page to page?) and applying (which slots have the keys of the
//! mold?), so the two cannot disagree.
//!
//! Cost: one pass over the tree, a bounded number of steps for each node; no string is built but the labels.

use super::position::{Kind, START, hash, key, mix, sibling};
use crate::{
    Span,
    tree::{NodeId, Tree},
};
use htmlize::unescape;
use rapidhash::RapidHashMap;
use std::borrow::Cow;

/// Class paths reach this many elements up: fewer confuse places, more tie all of them to the top of the page.
pub(super) const CLASS_STEPS: usize = 4;
/// Tag paths say less for each step.
pub(super) const TAG_STEPS: usize = 6;
/// A label may be the first text of an element this far up.
pub(super) const UNDER_STEPS: usize = 6;
/// Labels are told apart by their beginning.
const LABEL_BYTES: usize = 80;
/// A label in front of a colon is this long at most.
const WITHIN_BYTES: usize = 48;
/// Siblings of more different names than this are numbered together.
const DIFFERENT_SIBLINGS: usize = 32;

/// How many keys a slot has.
pub(crate) const KEYS: usize = 11;

/// The kind of each key of a slot.
pub(crate) const KIND_OF_KEY: [Kind; KEYS] = [
    Kind::Path,
    Kind::Class,
    Kind::Each,
    Kind::Tags,
    Kind::Label,
    Kind::Under,
    Kind::Under,
    Kind::Within,
    Kind::Hook,
    Kind::After,
    Kind::Before,
];

const PATH: usize = 0;
const CLASS: usize = 1;
pub(crate) const EACH: usize = 2;
const TAGS: usize = 3;
pub(crate) const LABEL: usize = 4;
pub(crate) const UNDER: usize = 5;
const WITHIN: usize = 7;
const HOOK: usize = 8;
const AFTER: usize = 9;
const BEFORE: usize = 10;

/// A text or an attribute that may be a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    /// Where it stands.
    pub span: Span,
    /// The text, or the element that has the attribute.
    pub node: NodeId,
    /// The element around it.
    pub element: Option<NodeId>,
    /// The attribute; empty for a text.
    pub attribute: &'static str,
    /// The hash of its text as a label.
    pub text: u64,
    /// The hash of the text before it, 0 if there is none.
    pub label: u64,
    /// Whether it has neither letter nor digit.
    pub is_mark: bool,
    /// The hash of the way into the element that holds it.
    pub tag: u64,
    /// Zero where the slot has no such key.
    pub keys: [u64; KEYS],
}

/// All slots of a page, in its order.
pub(crate) fn scan(tree: &Tree<'_>) -> Vec<Slot> {
    let mut scanner = Scanner::new(tree);
    for node in tree.nodes() {
        scanner.return_to(tree.parent(node));
        if tree.is_element(node) { scanner.element(node) } else { scanner.text(node) }
    }
    scanner.slots
}

/// Attributes that hold values: where links and pictures lead, what machines are told.
const VALUES: [&str; 7] = ["href", "src", "content", "datetime", "alt", "title", "value"];
/// Attributes by which authors name elements, the clearest first.
const NAMES: [&str; 4] = ["itemprop", "property", "id", "name"];

/// An element that is open.
#[derive(Default)]
struct Frame {
    node: Option<NodeId>,
    tag: u64,
    /// Tag and classes.
    step: u64,
    /// The way from the root.
    path: u64,
    /// The nearest element with a name, and the way from there; 0 if there is none.
    hook: u64,
    hook_path: u64,
    /// The first text inside so far, 0 if there is none.
    first_text: u64,
    /// Texts so far.
    texts: u32,
    /// Children so far, by tag.
    children: Vec<(u64, u32)>,
}

struct Scanner<'t, 'p> {
    tree: &'t Tree<'p>,
    /// The open elements below the root of all; those behind `depth` are kept for their memory.
    frames: Vec<Frame>,
    depth: usize,
    /// The hash of each tag's name, by its code; 0 if it is not known yet.
    tags: Vec<u64>,
    /// How often each path was seen.
    seen: RapidHashMap<u64, u32>,
    /// The hash of the text before.
    label: u64,
    slots: Vec<Slot>,
    /// For strings that are only hashed.
    scratch: String,
}

impl<'t, 'p> Scanner<'t, 'p> {
    fn new(tree: &'t Tree<'p>) -> Self {
        let root = Frame { path: START, ..Frame::default() };
        Scanner {
            tree,
            frames: vec![root],
            depth: 0,
            tags: Vec::new(),
            seen: RapidHashMap::default(),
            label: 0,
            slots: Vec::with_capacity(tree.len() / 2),
            scratch: String::new(),
        }
    }

    /// Leaves the elements that have ended.
    fn return_to(&mut self, parent: Option<NodeId>) {
        while self.frames[self.depth].node != parent {
            self.depth -= 1;
        }
    }

    fn tag(&mut self, node: NodeId) -> u64 {
        let code = self.tree.name_code(node).map_or(0, |code| code as usize);
        if code >= self.tags.len() {
            self.tags.resize(code + 1, 0);
        }
        if self.tags[code] == 0 {
            self.tags[code] = hash(self.tree.name(node).as_bytes());
        }
        self.tags[code]
    }

    fn element(&mut self, node: NodeId) {
        let tag = self.tag(node);
        let number = self.frames[self.depth].number_of(tag);
        let parent = &self.frames[self.depth];
        let numbered = sibling(tag, number);
        let (path, mut hook, mut hook_path) =
            (mix(parent.path, numbered), parent.hook, mix(parent.hook_path, numbered));
        let attributes = Attributes::of(self.tree, node, &mut self.scratch, tag);
        if attributes.name != 0 {
            (hook, hook_path) = (attributes.name, START);
        }
        self.depth += 1;
        if self.depth == self.frames.len() {
            self.frames.push(Frame::default());
        }
        let frame = &mut self.frames[self.depth];
        frame.children.clear();
        let children = std::mem::take(&mut frame.children);
        let (step, node) = (attributes.step, Some(node));
        *frame = Frame { node, tag, step, path, hook, hook_path, first_text: 0, texts: 0, children };
        self.attributes(&attributes);
    }

    fn attributes(&mut self, attributes: &Attributes) {
        for (name, span) in VALUES.iter().zip(attributes.values) {
            if let Some(span) = span.filter(|span| !span.is_empty()) {
                self.attribute(name, span);
            }
        }
    }

    fn attribute(&mut self, name: &'static str, span: Span) {
        let Some(text) = hash_in(span.of(self.tree.page()), &mut self.scratch) else { return };
        let node = self.frames[self.depth].node.expect("attributes stand in elements");
        let attribute = hash(name.as_bytes());
        let mut keys = [0; KEYS];
        self.place_keys(&mut keys, 0, attribute);
        self.under_keys(&mut keys, attribute);
        let tag = mix(START, self.frames[self.depth].tag);
        self.slots.push(Slot {
            span,
            node,
            element: self.frames[self.depth].node,
            attribute: name,
            text,
            label: self.label,
            is_mark: false,
            tag,
            keys,
        });
    }

    fn text(&mut self, node: NodeId) {
        let span = self.tree.span(node);
        let raw = span.of(self.tree.page());
        let Some(label) = label_in(raw, &mut self.scratch) else { return };
        let (text, is_mark) = (hash(label.as_bytes()), !label.contains(char::is_alphanumeric));
        let mut keys = [0; KEYS];
        let nth = self.frames[self.depth].texts;
        self.place_keys(&mut keys, nth, 0);
        self.under_keys(&mut keys, 0);
        keys[TAGS] = self.tags_key();
        let tag = mix(START, self.frames[self.depth].tag);
        if self.label != 0 {
            keys[LABEL] = key(Kind::Label, self.label, tag, 0, 0);
        }
        if let Some(inner) = within(raw).and_then(|label| hash_in(label, &mut self.scratch)) {
            keys[WITHIN] = key(Kind::Within, inner, tag, 0, 0);
        }
        self.slots.push(Slot {
            span,
            node,
            element: self.frames[self.depth].node,
            attribute: "",
            text,
            label: self.label,
            is_mark,
            tag,
            keys,
        });
        self.frames[self.depth].texts += 1;
        if !is_mark {
            self.note_text(text);
        }
    }

    /// Remembers a text for what follows it. Commas and bars are no labels.
    fn note_text(&mut self, text: u64) {
        self.label = text;
        let frames = self.frames[..=self.depth].iter_mut().rev();
        // Whatever stands around an element that has a text has one too.
        frames.take_while(|frame| frame.first_text == 0).for_each(|frame| frame.first_text = text);
    }

    /// The keys that go by elements alone.
    fn place_keys(&mut self, keys: &mut [u64; KEYS], nth: u32, attribute: u64) {
        let frame = &self.frames[self.depth];
        keys[PATH] = key(Kind::Path, 0, frame.path, nth, attribute);
        if frame.hook != 0 {
            keys[HOOK] = key(Kind::Hook, frame.hook, frame.hook_path, nth, attribute);
        }
        let path = self.nearest(CLASS_STEPS).map(|frame| frame.step).fold(START, mix);
        let seen = self.seen.entry(path ^ attribute).or_default();
        keys[CLASS] = key(Kind::Class, 0, path, *seen, attribute);
        keys[EACH] = key(Kind::Each, 0, path, 0, attribute);
        *seen += 1;
    }

    fn tags_key(&mut self) -> u64 {
        let path = self.nearest(TAG_STEPS).map(|frame| frame.tag).fold(START, mix);
        let seen = self.seen.entry(!path).or_default();
        *seen += 1;
        key(Kind::Tags, 0, path, *seen - 1, 0)
    }

    /// The nearest open elements, the outermost first.
    fn nearest(&self, steps: usize) -> impl Iterator<Item = &Frame> {
        self.frames[1..=self.depth].iter().skip(self.depth.saturating_sub(steps))
    }

    /// The keys by the first texts of the elements around.
    fn under_keys(&self, keys: &mut [u64; KEYS], attribute: u64) {
        let (mut path, mut last, mut at) = (START, 0, UNDER);
        for frame in self.frames[1..=self.depth].iter().rev().take(UNDER_STEPS) {
            if frame.first_text != 0 && frame.first_text != last {
                last = frame.first_text;
                keys[at] = key(Kind::Under, last, path, 0, attribute);
                at += 1;
                if at == WITHIN {
                    return;
                }
            }
            path = mix(path, frame.tag);
        }
    }
}

impl Frame {
    /// The number of the next child among those of its name, from 1.
    fn number_of(&mut self, tag: u64) -> u32 {
        let tag = if self.children.len() < DIFFERENT_SIBLINGS { tag } else { 0 };
        if let Some((_, count)) = self.children.iter_mut().find(|(known, _)| *known == tag) {
            *count += 1;
            return *count;
        }
        self.children.push((tag, 1));
        1
    }
}

/// What the attributes of an element say.
struct Attributes {
    /// The hash of tag and classes.
    step: u64,
    /// The hash of the element's own name, 0 if it has none.
    name: u64,
    /// In the order of [`VALUES`].
    values: [Option<Span>; VALUES.len()],
}

impl Attributes {
    fn of(tree: &Tree<'_>, node: NodeId, scratch: &mut String, tag: u64) -> Self {
        let page = tree.page();
        let mut found = Attributes { step: tag, name: 0, values: [None; VALUES.len()] };
        let mut rank = usize::MAX;
        for attribute in tree.attributes(node) {
            let (name, Some(value)) = (attribute.name.of(page), attribute.value) else { continue };
            if name.eq_ignore_ascii_case("class") {
                if write_step(scratch, tree.name(node), value.of(page)) {
                    found.step = hash(scratch.as_bytes());
                }
            } else if let Some(at) = VALUES.iter().position(|known| name.eq_ignore_ascii_case(known)) {
                found.values[at].get_or_insert(value);
            } else if let Some(at) = rank_of_name(name).filter(|at| *at < rank) {
                rank = at;
                write_name(scratch, name, value.of(page));
                found.name = hash(scratch.as_bytes());
            }
        }
        found
    }
}

/// How clearly an attribute names its element: the smaller the clearer.
pub(super) fn rank_of_name(name: &str) -> Option<usize> {
    let known = NAMES.iter().position(|known| name.eq_ignore_ascii_case(known));
    let data = || name.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("data-")).then_some(NAMES.len());
    known.or_else(data)
}

/// `itemprop=price`
pub(super) fn write_name(into: &mut String, name: &str, value: &str) {
    into.clear();
    into.push_str(name);
    into.make_ascii_lowercase();
    into.push('=');
    into.push_str(value.trim());
}

/// `div.first.second`; false if there is no class.
pub(super) fn write_step(into: &mut String, tag: &str, classes: &str) -> bool {
    into.clear();
    into.push_str(tag);
    let bare = into.len();
    for class in classes.split_ascii_whitespace() {
        into.push('.');
        into.push_str(class);
    }
    into.len() > bare
}

/// A text as a label: entities decoded, white space folded, without the marks around it, and no longer than it needs to
/// be. `None` if nothing is left.
pub(crate) fn label_text(raw: &str) -> Option<String> {
    let mut folded = String::new();
    label_in(raw, &mut folded).map(str::to_owned)
}

/// The same, written into a string that is used again and again.
fn label_in<'s>(raw: &str, folded: &'s mut String) -> Option<&'s str> {
    let raw = &raw[..boundary(raw, 4 * LABEL_BYTES)];
    let decoded = if raw.contains('&') { unescape(raw) } else { Cow::Borrowed(raw) };
    folded.clear();
    for word in decoded.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
        if folded.len() >= LABEL_BYTES {
            folded.truncate(boundary(folded, LABEL_BYTES));
            break;
        }
    }
    let bare = folded.trim_matches(|letter: char| !letter.is_alphanumeric());
    Some(if bare.is_empty() { folded.as_str() } else { bare }).filter(|bare| !bare.is_empty())
}

/// The hash of a text as a label.
pub(crate) fn text_hash(raw: &str) -> Option<u64> {
    hash_in(raw, &mut String::new())
}

fn hash_in(raw: &str, scratch: &mut String) -> Option<u64> {
    label_in(raw, scratch).map(|text| hash(text.as_bytes()))
}

/// What stands before the first colon of a text, if it is as short as labels are.
pub(crate) fn within(raw: &str) -> Option<&str> {
    let start = &raw[..boundary(raw, WITHIN_BYTES)];
    let (before, _) = start.split_once([':', '：'])?;
    before.contains(char::is_alphabetic).then_some(before)
}

/// Sets the keys that go by landmarks: texts that stand once on nearly every page.
pub(crate) fn set_landmark_keys(slots: &mut [Slot], is_landmark: impl Fn(u64) -> bool) {
    for (at, kind) in [(AFTER, Kind::After), (BEFORE, Kind::Before)] {
        let (mut landmark, mut count) = (0, 0);
        let mut set = |slot: &mut Slot| {
            if !slot.attribute.is_empty() {
                return;
            }
            slot.keys[at] = if landmark == 0 { 0 } else { key(kind, landmark, slot.tag, count, 0) };
            count += 1;
            if is_landmark(slot.text) {
                (landmark, count) = (slot.text, 0);
            }
        };
        match kind {
            Kind::After => slots.iter_mut().for_each(&mut set),
            _ => slots.iter_mut().rev().for_each(&mut set),
        }
    }
}

/// The end of the longest beginning of a text that has no more than so many bytes.
pub(crate) fn boundary(text: &str, bytes: usize) -> usize {
    (0..=bytes.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}
