//! Which values does a page hold, and by what can each be found again?
//!
//! A *slot* is a text or an attribute that may be a value, with one key for each way to find it
//! ([`Position`](super::Position)). The same walk serves learning (which keys recur from page to page?) and applying
//! (which slots have the keys of the mold?), so the two cannot disagree.
//!
//! Cost: one pass over the tree, a bounded number of steps for each node; no string is built but
//! the labels. Tags and texts that a [`Memory`](crate::read::tree::Memory) knows are looked into
//! once for all pages read with it.

use super::{
    hashing::{START, hash, mix, sibling, subject},
    json_ld::{self, Entry},
    label_text::{hash_in, inline_label, label_in},
    view::{Keys, SlotKey, ViewKind},
};
use crate::{
    Span,
    read::tree::{NodeId, Tree},
};
use rapidhash::RapidHashMap;

/// Class paths reach this many elements up: fewer confuse places, more tie all of them to the top
/// of the page.
pub(super) const CLASS_STEPS: usize = 4;
/// Tag paths say less for each step.
pub(super) const TAG_STEPS: usize = 6;
/// A label may be the first text of an element this far up.
pub(super) const UNDER_STEPS: usize = 6;
/// Lines of an element behind this many line breaks are paragraphs of a text, and no values of
/// their own.
const MOST_BREAKS: u32 = 8;
/// Siblings of more different names than this are numbered together.
const DIFFERENT_SIBLINGS: usize = 32;

/// What stands for the attribute of values in JSON-LD.
pub(crate) const JSON_LD: &str = "json-ld";

/// A text or an attribute that may be a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    /// Where it stands.
    pub span: Span,
    /// The text, or the element that has the attribute.
    pub node: NodeId,
    /// The element around it.
    pub element: Option<NodeId>,
    /// The attribute; empty for a text, [`JSON_LD`] for a value of the page's data.
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
    pub keys: Keys,
}

/// A slot of some page, by its number there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SlotId {
    pub page: u32,
    pub slot: u32,
}

impl Slot {
    /// Whether readers see it as a text, in which a letter or digit is.
    #[inline]
    pub fn is_words(&self) -> bool {
        self.attribute.is_empty() && !self.is_mark
    }

    /// Whether readers see it as a text that may be a label: what only machines are told is none.
    pub fn is_seen_as(&self, text: u64) -> bool {
        self.text == text && self.attribute.is_empty()
    }
}

/// All slots of a page, in its order, with all keys.
pub(crate) fn scan(tree: &Tree<'_>) -> Vec<Slot> {
    let mut scanner = Scanner::default();
    scanner.scan(tree, &Everything);
    scanner.slots
}

/// Which keys are of use?
pub(crate) trait Wanted {
    /// Whether any key with this [subject] is. What is not wanted may be given all the same.
    fn wants(&self, subject: u64) -> bool;

    /// The subject if it is wanted, else 0.
    #[inline]
    fn only(&self, subject: u64) -> u64 {
        if self.wants(subject) { subject } else { 0 }
    }
}

/// All keys are, as long as nothing is learned.
pub(super) struct Everything;

impl Wanted for Everything {
    #[inline]
    fn wants(&self, _: u64) -> bool {
        true
    }
}

/// Attributes that hold values: where links and pictures lead, what machines are told.
const VALUES: [&str; 7] = [
    "href", "src", "content", "datetime", "alt", "title", "value",
];
/// Attributes by which authors name elements, the clearest first.
const NAMES: [&str; 4] = ["itemprop", "property", "id", "name"];

/// An element that is open.
#[derive(Default)]
struct Frame {
    node: Option<NodeId>,
    tag: u64,
    /// Its number among its siblings of the name.
    number: u32,
    /// Tag and classes.
    step: u64,
    /// Tag and first class.
    first_step: u64,
    /// The way from the root.
    path: u64,
    /// The nearest element with a name, and the way from there; 0 if there is none.
    hook: u64,
    hook_path: u64,
    /// The first text inside so far, 0 if there is none.
    first_text: u64,
    /// Texts so far.
    texts: u32,
    /// Line breaks so far.
    breaks: u32,
    /// What goes by the nearest elements, from the first value on.
    nearest: Option<Nearest>,
    /// Children so far, by tag.
    children: Vec<(u64, u32)>,
}

/// The subjects of the keys that go by elements alone, 0 for those that are not wanted, and where
/// values with these are counted.
#[derive(Clone, Copy)]
struct Nearest {
    path: u64,
    hook: u64,
    classes: u64,
    first_classes: u64,
    /// The way that values behind line breaks go on from.
    line_path: u64,
    classes_at: u32,
    tags: u64,
    tags_at: u32,
    /// The column of the nearest cell of a table, from 1; 0 if there is none.
    column: u32,
}

/// How many values there were so far: texts, and those of each attribute.
type Counts = [u32; 1 + VALUES.len()];

/// Finds the slots of one page after the other. All pages that were read with a memory must be of
/// the same memory.
pub(crate) struct Scanner {
    /// The open elements below the root of all; those behind `depth` are kept for their memory.
    frames: Vec<Frame>,
    depth: usize,
    /// Where the values of each path are counted,
    seen: RapidHashMap<u64, u32>,
    /// and how many there were.
    counts: Vec<Counts>,
    /// The hash of each of [`VALUES`].
    value_names: [u64; VALUES.len()],
    /// The hashes of `td`
    cell: u64,
    /// and `br`.
    line_break: u64,
    /// The hash of the text before.
    label: u64,
    slots: Vec<Slot>,
    /// What tags and texts say, by their number in the memory.
    readings: Vec<Option<Reading>>,
    /// The values that tags have.
    values: Vec<Value>,
    /// For strings that are only hashed.
    scratch: String,
}

impl Default for Scanner {
    fn default() -> Self {
        Scanner {
            frames: vec![Frame::default()],
            depth: 0,
            seen: RapidHashMap::default(),
            counts: Vec::new(),
            value_names: VALUES.map(|name| hash(name.as_bytes())),
            cell: hash(b"td"),
            line_break: hash(b"br"),
            label: 0,
            slots: Vec::new(),
            readings: Vec::new(),
            values: Vec::new(),
            scratch: String::new(),
        }
    }
}

impl Scanner {
    /// The slots of a page, in its order, with the keys that are wanted: all texts, and what else
    /// has one.
    pub fn scan(&mut self, tree: &Tree<'_>, wanted: &impl Wanted) -> &mut [Slot] {
        self.begin();
        for node in tree.nodes() {
            self.return_to(tree.parent(node));
            match self.reading(tree, node) {
                Reading::Tag(tag) => self.element(tree, node, tag, wanted),
                Reading::Text(text) => self.text(tree, node, text, wanted),
                Reading::Nothing => {}
            }
        }
        &mut self.slots
    }

    fn begin(&mut self) {
        self.frames[0] = Frame {
            path: START,
            ..Frame::default()
        };
        self.depth = 0;
        self.seen.clear();
        self.counts.clear();
        self.label = 0;
        self.slots.clear();
    }

    /// Leaves the elements that have ended.
    fn return_to(&mut self, parent: Option<NodeId>) {
        while self.frames[self.depth].node != parent {
            self.depth -= 1;
        }
    }

    /// What a tag or text says, read once if it has a number.
    #[inline]
    fn reading(&mut self, tree: &Tree<'_>, node: NodeId) -> Reading {
        let Some(number) = tree.token_number(node) else {
            return self.read(tree, node);
        };
        match self.readings.get(number as usize) {
            Some(Some(known)) => *known,
            _ => self.note(tree, node, number as usize),
        }
    }

    fn note(&mut self, tree: &Tree<'_>, node: NodeId, number: usize) -> Reading {
        let reading = self.read(tree, node);
        if number >= self.readings.len() {
            self.readings.resize(number + 1, None);
        }
        self.readings[number] = Some(reading);
        reading
    }

    fn read(&mut self, tree: &Tree<'_>, node: NodeId) -> Reading {
        if tree.is_element(node) {
            Reading::Tag(TagReading::of(
                tree,
                node,
                &mut self.values,
                &mut self.scratch,
            ))
        } else {
            let text = TextReading::of(tree.span(node).of(tree.page()), &mut self.scratch);
            text.map_or(Reading::Nothing, Reading::Text)
        }
    }

    fn element(&mut self, tree: &Tree<'_>, node: NodeId, tag: TagReading, wanted: &impl Wanted) {
        let parent = &mut self.frames[self.depth];
        let number = parent.number_of(tag.tag);
        parent.breaks += u32::from(tag.tag == self.line_break);
        let numbered = sibling(tag.tag, number);
        let (path, mut hook, mut hook_path) = (
            mix(parent.path, numbered),
            parent.hook,
            mix(parent.hook_path, numbered),
        );
        if tag.name != 0 {
            (hook, hook_path) = (tag.name, START);
        }
        self.depth += 1;
        if self.depth == self.frames.len() {
            self.frames.push(Frame::default());
        }
        let frame = &mut self.frames[self.depth];
        frame.clear();
        (frame.node, frame.tag, frame.step, frame.first_step) =
            (Some(node), tag.tag, tag.step, tag.first_step);
        (frame.path, frame.hook, frame.hook_path, frame.number) = (path, hook, hook_path, number);
        self.attributes(tree, node, tag, wanted);
        if tag.is_data {
            self.data(tree);
        }
    }

    /// Takes up the values of a script with data, which is the open element.
    fn data(&mut self, tree: &Tree<'_>) {
        let element = self.frames[self.depth].node;
        let Some(script) = element.map(|node| script_content(tree, node)) else {
            return;
        };
        for entry in json_ld::entries(tree.page(), script) {
            let value = json_ld::text(entry.value.of(tree.page()));
            let Some(text) = hash_in(&value, &mut self.scratch) else {
                continue;
            };
            let (kind, path) = data_hashes(tree.page(), &entry);
            let mut keys = Keys::default();
            let nth = if entry.is_item {
                0
            } else {
                self.next_of(mix(kind, path))
            };
            keys[SlotKey::JsonLd] =
                ViewKind::JsonLd.key(subject(kind, path), nth, hash(JSON_LD.as_bytes()));
            let (span, node) = (entry.value, element.expect("data stand in an element"));
            self.slots.push(Slot {
                span,
                node,
                element,
                attribute: JSON_LD,
                text,
                label: 0,
                is_mark: false,
                tag: 0,
                keys,
            });
        }
    }

    /// Takes up the values of a tag.
    fn attributes(&mut self, tree: &Tree<'_>, node: NodeId, tag: TagReading, wanted: &impl Wanted) {
        let start = tree.span(node).start;
        for at in tag.values.0..tag.values.1 {
            let Value { which, span, text } = self.values[at as usize];
            self.attribute(
                which,
                Span {
                    start: start + span.start,
                    end: start + span.end,
                },
                text,
                wanted,
            );
        }
        if tree.token_number(node).is_none() {
            self.values.truncate(tag.values.0 as usize);
        }
    }

    /// Takes up the value of one of [`VALUES`].
    fn attribute(&mut self, which: usize, span: Span, text: u64, wanted: &impl Wanted) {
        let mut keys = Keys::default();
        self.place_keys(&mut keys, 0, Some(which), wanted);
        self.under_keys(&mut keys, self.value_names[which], wanted);
        if keys.is_empty() {
            return;
        }
        let node = self.frames[self.depth]
            .node
            .expect("attributes stand in elements");
        let tag = mix(START, self.frames[self.depth].tag);
        self.slots.push(Slot {
            span,
            node,
            element: self.frames[self.depth].node,
            attribute: VALUES[which],
            text,
            label: self.label,
            is_mark: false,
            tag,
            keys,
        });
    }

    fn text(&mut self, tree: &Tree<'_>, node: NodeId, reading: TextReading, wanted: &impl Wanted) {
        let TextReading {
            text,
            is_mark,
            label,
        } = reading;
        let mut keys = Keys::default();
        let nth = self.frames[self.depth].texts;
        self.place_keys(&mut keys, nth, None, wanted);
        self.under_keys(&mut keys, 0, wanted);
        let tag = mix(START, self.frames[self.depth].tag);
        for (at, kind, label) in [
            (SlotKey::LabelBefore, ViewKind::LabelBefore, self.label),
            (SlotKey::InlineLabel, ViewKind::InlineLabel, label),
        ] {
            let subject = subject(label, tag);
            if label != 0 && wanted.wants(subject) {
                keys[at] = kind.key(subject, 0, 0);
            }
        }
        self.slots.push(Slot {
            span: tree.span(node),
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
        frames
            .take_while(|frame| frame.first_text == 0)
            .for_each(|frame| frame.first_text = text);
    }

    /// The keys that go by elements alone, of one of [`VALUES`] or of a text.
    fn place_keys(
        &mut self,
        keys: &mut Keys,
        nth: u32,
        which: Option<usize>,
        wanted: &impl Wanted,
    ) {
        let nearest = self.nearest(wanted);
        let attribute = which.map_or(0, |which| self.value_names[which]);
        let set = |key: &mut u64, kind: ViewKind, subject: u64, nth: u32| {
            if subject != 0 {
                *key = kind.key(subject, nth, attribute);
            }
        };
        set(&mut keys[SlotKey::Path], ViewKind::Path, nearest.path, nth);
        set(
            &mut keys[SlotKey::NamedElement],
            ViewKind::NamedElement,
            nearest.hook,
            nth,
        );
        set(
            &mut keys[SlotKey::AllOfClassPath],
            ViewKind::AllOfClassPath,
            nearest.first_classes,
            0,
        );
        match self.frames[self.depth].breaks {
            _ if which.is_some() => {}
            0 if nearest.column > 0 => set(
                &mut keys[SlotKey::ColumnOrLine],
                ViewKind::AllOfClassPath,
                nearest.first_classes,
                nearest.column,
            ),
            breaks @ 1..=MOST_BREAKS => {
                let line =
                    (0..breaks).fold(nearest.line_path, |path, _| mix(path, self.line_break));
                set(
                    &mut keys[SlotKey::ColumnOrLine],
                    ViewKind::AllOfClassPath,
                    wanted.only(subject(0, line)),
                    0,
                );
            }
            _ => {}
        }
        if nearest.classes != 0 {
            let seen =
                &mut self.counts[nearest.classes_at as usize][which.map_or(0, |which| which + 1)];
            set(
                &mut keys[SlotKey::ClassPath],
                ViewKind::ClassPath,
                nearest.classes,
                *seen,
            );
            *seen += 1;
        }
        if nearest.tags != 0 && which.is_none() {
            let seen = &mut self.counts[nearest.tags_at as usize][0];
            set(
                &mut keys[SlotKey::TagPath],
                ViewKind::TagPath,
                nearest.tags,
                *seen,
            );
            *seen += 1;
        }
    }

    /// What goes by the elements around the values of an open element, looked at once.
    fn nearest(&mut self, wanted: &impl Wanted) -> Nearest {
        if let Some(nearest) = self.frames[self.depth].nearest {
            return nearest;
        }
        // The outermost first.
        let steps = |count: usize| {
            self.frames[1..=self.depth]
                .iter()
                .skip(self.depth.saturating_sub(count))
        };
        let classes = steps(CLASS_STEPS).map(|frame| frame.step).fold(START, mix);
        let first_classes = steps(CLASS_STEPS)
            .map(|frame| frame.first_step)
            .fold(START, mix);
        let tags = steps(TAG_STEPS).map(|frame| frame.tag).fold(START, mix);
        let mut around = self.frames[1..=self.depth].iter().rev().take(CLASS_STEPS);
        let column = around
            .find(|frame| frame.tag == self.cell)
            .map_or(0, |cell| cell.number);
        let frame = &self.frames[self.depth];
        let mut nearest = Nearest {
            column,
            path: wanted.only(subject(0, frame.path)),
            hook: if frame.hook == 0 {
                0
            } else {
                wanted.only(subject(frame.hook, frame.hook_path))
            },
            classes: wanted.only(subject(0, classes)),
            first_classes: wanted.only(subject(0, first_classes)),
            line_path: first_classes,
            classes_at: 0,
            tags: wanted.only(subject(0, tags)),
            tags_at: 0,
        };
        if nearest.classes != 0 {
            nearest.classes_at = self.counter(classes);
        }
        if nearest.tags != 0 {
            nearest.tags_at = self.counter(!tags);
        }
        self.frames[self.depth].nearest = Some(nearest);
        nearest
    }

    /// The place where values with a path are counted.
    fn counter(&mut self, path: u64) -> u32 {
        let next = self.counts.len() as u32;
        let at = *self.seen.entry(path).or_insert(next);
        if at == next {
            self.counts.push(Counts::default());
        }
        at
    }

    /// How many texts with a path there were before.
    fn next_of(&mut self, path: u64) -> u32 {
        let at = self.counter(path);
        let seen = &mut self.counts[at as usize][0];
        *seen += 1;
        *seen - 1
    }

    /// The keys by the first texts of the elements around: of the two innermost that begin with
    /// different texts.
    fn under_keys(&self, keys: &mut Keys, attribute: u64, wanted: &impl Wanted) {
        let mut unused = [SlotKey::LabelOfBlock, SlotKey::LabelOfOuterBlock].into_iter();
        let (mut path, mut last) = (START, 0);
        for frame in self.frames[1..=self.depth].iter().rev().take(UNDER_STEPS) {
            if frame.first_text != 0 && frame.first_text != last {
                let Some(key) = unused.next() else {
                    return;
                };
                last = frame.first_text;
                let subject = wanted.only(subject(last, path));
                if subject != 0 {
                    keys[key] = key.kind().key(subject, 0, attribute);
                }
            }
            path = mix(path, frame.tag);
        }
    }
}

impl Frame {
    /// Forgets what an element held.
    fn clear(&mut self) {
        (self.first_text, self.texts, self.breaks, self.nearest) = (0, 0, 0, None);
        self.children.clear();
    }

    /// The number of the next child among those of its name, from 1.
    fn number_of(&mut self, tag: u64) -> u32 {
        let tag = if self.children.len() < DIFFERENT_SIBLINGS {
            tag
        } else {
            0
        };
        if let Some((_, count)) = self.children.iter_mut().find(|(known, _)| *known == tag) {
            *count += 1;
            return *count;
        }
        self.children.push((tag, 1));
        1
    }
}

/// What a tag or a text says, wherever it stands.
#[derive(Clone, Copy)]
enum Reading {
    Tag(TagReading),
    Text(TextReading),
    /// A text of white space alone.
    Nothing,
}

/// What a start tag says.
#[derive(Clone, Copy)]
struct TagReading {
    /// The hash of its name,
    tag: u64,
    /// of name and classes,
    step: u64,
    /// and of name and first class.
    first_step: u64,
    /// The hash of the element's own name, 0 if it has none.
    name: u64,
    /// From where to where its values are listed.
    values: (u32, u32),
    /// Whether it says that its content is JSON-LD.
    is_data: bool,
}

/// The value of one of [`VALUES`].
#[derive(Clone, Copy)]
struct Value {
    which: usize,
    /// Where it stands, counted from the start of the tag.
    span: Span,
    /// The hash of its text as a label.
    text: u64,
}

impl TagReading {
    fn of(tree: &Tree<'_>, node: NodeId, values: &mut Vec<Value>, scratch: &mut String) -> Self {
        let page = tree.page();
        let tag = hash(tree.name(node).as_bytes());
        let mut found = TagReading {
            tag,
            step: tag,
            first_step: tag,
            name: 0,
            values: (0, 0),
            is_data: false,
        };
        let (mut rank, mut spans) = (usize::MAX, [None; VALUES.len()]);
        for attribute in tree.attributes(node) {
            let (name, Some(value)) = (attribute.name.of(page), attribute.value) else {
                continue;
            };
            // Most attributes are told by their first letter.
            if !matches!(
                name.as_bytes()[0] | 0x20,
                b'a' | b'c' | b'd' | b'h' | b'i' | b'n' | b'p' | b's' | b't' | b'v'
            ) {
                continue;
            }
            let is = |known: &str| name.len() == known.len() && name.eq_ignore_ascii_case(known);
            if is("class") {
                let first = write_step(
                    scratch,
                    tree.name(node),
                    value.of(page).split_ascii_whitespace(),
                );
                found.step = hash(scratch.as_bytes());
                found.first_step = hash(&scratch.as_bytes()[..first]);
            } else if let Some(at) = VALUES.iter().position(|known| is(known)) {
                spans[at].get_or_insert(value);
            } else if is("type") {
                found.is_data = value
                    .of(page)
                    .trim()
                    .eq_ignore_ascii_case("application/ld+json");
            } else if let Some(at) = rank_of_name(name).filter(|at| *at < rank) {
                rank = at;
                write_name(scratch, name, value.of(page));
                found.name = hash(scratch.as_bytes());
            }
        }
        let first = values.len() as u32;
        let start = tree.span(node).start;
        values.extend(spans.iter().enumerate().filter_map(|(which, span)| {
            let span = span.filter(|span| !span.is_empty())?;
            let text = hash_in(span.of(page), scratch)?;
            Some(Value {
                which,
                span: Span {
                    start: span.start - start,
                    end: span.end - start,
                },
                text,
            })
        }));
        TagReading {
            values: (first, values.len() as u32),
            ..found
        }
    }
}

/// What a text says.
#[derive(Clone, Copy)]
struct TextReading {
    /// The hash of the text as a label.
    text: u64,
    /// Whether it has neither letter nor digit.
    is_mark: bool,
    /// The hash of the label inside, 0 if there is none.
    label: u64,
}

impl TextReading {
    fn of(raw: &str, scratch: &mut String) -> Option<Self> {
        let label = label_in(raw, scratch)?;
        // A label begins with a letter or digit if it has one.
        let (text, is_mark) = (
            hash(label.as_bytes()),
            !label.starts_with(char::is_alphanumeric),
        );
        let label = inline_label(raw)
            .and_then(|label| hash_in(label, scratch))
            .unwrap_or(0);
        Some(TextReading {
            text,
            is_mark,
            label,
        })
    }
}

/// What stands between the tags of a script.
pub(super) fn script_content(tree: &Tree<'_>, script: NodeId) -> Span {
    let (start, end) = (
        tree.token(script).span.end as usize,
        tree.span(script).end as usize,
    );
    let content = tree.page().get(start..end).unwrap_or_default();
    Span::new(start, start + content.rfind("</").unwrap_or(content.len()))
}

/// The hashes of the type and of the path of a value in JSON-LD.
fn data_hashes(page: &str, entry: &Entry) -> (u64, u64) {
    let path = entry
        .path
        .iter()
        .map(|name| hash(name.of(page).as_bytes()))
        .fold(START, mix);
    (hash(entry.kind.of(page).as_bytes()), path)
}

/// How clearly an attribute names its element: the smaller the clearer.
pub(super) fn rank_of_name(name: &str) -> Option<usize> {
    let known = NAMES
        .iter()
        .position(|known| name.eq_ignore_ascii_case(known));
    let data = || {
        name.get(..5)
            .is_some_and(|start| start.eq_ignore_ascii_case("data-"))
            .then_some(NAMES.len())
    };
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

/// `div.first.second`; gives the length up to the first class.
pub(super) fn write_step<'c>(
    into: &mut String,
    tag: &str,
    classes: impl Iterator<Item = &'c str>,
) -> usize {
    into.clear();
    into.push_str(tag);
    let mut first = into.len();
    for (number, class) in classes.enumerate() {
        into.push('.');
        into.push_str(class);
        first = if number == 0 { into.len() } else { first };
    }
    first
}

/// Sets the keys that go by landmarks: texts that stand once on nearly every page.
pub(crate) fn set_landmark_keys(
    slots: &mut [Slot],
    wanted: &impl Wanted,
    is_landmark: impl Fn(u64) -> bool,
) {
    for (at, kind) in [
        (SlotKey::AfterLandmark, ViewKind::AfterLandmark),
        (SlotKey::BeforeLandmark, ViewKind::BeforeLandmark),
    ] {
        let (mut landmark, mut count) = (0, 0);
        let mut set = |slot: &mut Slot| {
            if !slot.attribute.is_empty() {
                return;
            }
            let subject = if landmark == 0 {
                0
            } else {
                wanted.only(subject(landmark, slot.tag))
            };
            slot.keys[at] = if subject == 0 {
                0
            } else {
                kind.key(subject, count, 0)
            };
            count += 1;
            if is_landmark(slot.text) {
                (landmark, count) = (slot.text, 0);
            }
        };
        match kind {
            ViewKind::AfterLandmark => slots.iter_mut().for_each(&mut set),
            _ => slots.iter_mut().rev().for_each(&mut set),
        }
    }
}
