//! Where in its record does a value stand?
//!
//! The *way* to a value is the tag and class names that lead to it: `tr.a/td:2` or
//! `div.post/p.date@datetime`. Records are aligned by ways and not by counting, so a field that a
//! record lacks is absent and shifts no other. Only where every element in one place has the same
//! number of like-named children (cells of a table) does the position count.
//!
//! Elements in the same place of all records are looked at together, from the top down, so that
//! what varies from record to record is seen:
//!
//! - *Classes that vary.* Where there is one element of a name at most and its class differs by
//!   record (`odd` and `even`, `style12` and `style31`), the class is no part of the way: `a.*`.
//! - *Running text is one value.* An element with text or paragraphs, and with markup that varies,
//!   is not taken apart.
//! - *Text in more or less markup is one value.* A name that is bold in some records is the name
//!   all the same; so is a price whose cents are raised.

use super::{
    record::Column,
    runs::{Outline, Rows, rows},
    step::{ATTRIBUTES, MAX_ARITY, any_class, label, named_step, stem, text_step, write_position},
};
use crate::{
    Span,
    read::{
        html::elements::{breaks_line, is_hidden_in_lists},
        tree::{NodeId, Tree},
    },
};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// What stands at the end of a longer way than this, in bytes, is taken whole.
const MAX_WAY: usize = 1024;
/// Markup that fewer elements in a place have than this belongs to running text.
const REGULAR: f64 = 0.5;
/// Elements of one name are the same thing under varying classes if so many of the elements around
/// them have one, and what so many elements have divides them into parts.
const NEARLY_ALL: f64 = 0.9;
/// Longer lines are no figure, in bytes.
const MAX_FIGURE: usize = 64;

/// A value of a record and the way to it.
pub(super) struct ValueOnWay {
    pub(super) way: String,
    pub(super) attribute: Option<&'static str>,
    /// Whether it is all that stands in an element, in whatever markup.
    pub(super) whole: bool,
    pub(super) span: Span,
}

/// The values of records, in the order of the page; what known columns take whole or apart is taken
/// so.
pub(super) fn read(
    outline: &Outline<'_>,
    records: &[Rows],
    known: &[Column],
) -> Vec<Vec<ValueOnWay>> {
    let tree = outline.tree;
    let found = records.iter().map(|_| Vec::new()).collect();
    let mut reader = Reader {
        tree,
        records,
        texts: texts_before(tree),
        known: KnownWays::of(known),
        found,
    };
    let mut waiting = vec![reader.tops()];
    while let Some(place) = waiting.pop() {
        waiting.extend(reader.read(&place));
    }
    for found in &mut reader.found {
        // Attributes stand before the text of their element.
        found.sort_by_key(|value| value.span.start);
    }
    reader.found
}

/// Elements in the same place of their records.
struct Place {
    way: String,
    members: Vec<Member>,
    /// Whether their text was taken already, as part of what is around them.
    is_taken: bool,
}

#[derive(Clone, Copy)]
struct Member {
    /// The number of its record.
    record: usize,
    /// `None` for the record itself, where that is several elements.
    element: Option<NodeId>,
}

/// What the children of the elements of a place are called: name and first class.
type Label<'t> = (&'t str, Option<&'t str>);

/// How many children of one sort the elements of a place have.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    /// Elements that have one.
    with: usize,
    /// The most and the fewest that one of those has.
    most: usize,
    least: usize,
}

impl Count {
    fn add(&mut self, times: usize) {
        self.least = if self.with == 0 {
            times
        } else {
            self.least.min(times)
        };
        self.most = self.most.max(times);
        self.with += 1;
    }
}

/// What stands in the elements of a place.
#[derive(Default)]
struct Inside<'t> {
    elements: usize,
    labels: BTreeMap<Label<'t>, Count>,
    /// In how many elements a child with a label has text.
    with_text: BTreeMap<Label<'t>, usize>,
    names: BTreeMap<&'t str, Count>,
    /// Texts that stand in no element inside,
    texts: Count,
    /// and in how many elements one of them has a label.
    labelled: usize,
    /// The children that hold the only text of an element, itself for `None`,
    forms_of_text: BTreeSet<Option<Label<'t>>>,
    /// and whether some elements have several texts.
    has_several_texts: bool,
}

struct Reader<'o, 't> {
    tree: &'t Tree<'t>,
    records: &'o [Rows],
    /// How many texts that readers see stand before each node.
    texts: Vec<u32>,
    known: KnownWays<'o>,
    found: Vec<Vec<ValueOnWay>>,
}

/// Where texts of known columns stand.
struct KnownWays<'k> {
    /// What is taken whole,
    whole: HashSet<&'k str>,
    /// and what is taken apart.
    around: HashSet<&'k str>,
}

impl<'k> KnownWays<'k> {
    fn of(columns: &'k [Column]) -> Self {
        let texts = || columns.iter().filter(|column| column.attribute.is_none());
        let whole = texts()
            .filter(|column| column.whole)
            .map(|column| column.way.as_str())
            .collect();
        let parts = texts().flat_map(|column| {
            column
                .way
                .match_indices(['/', '#'])
                .map(|(at, _)| &column.way[..at])
        });
        let around = parts
            .filter(|way| !HashSet::<&str>::contains(&whole, way))
            .collect();
        KnownWays { whole, around }
    }
}

impl<'t> Reader<'_, 't> {
    /// Where to begin: in the records. Where each is one element, these are one place whatever they
    /// are called.
    fn tops(&self) -> Place {
        let members: Vec<Member> = (0..self.records.len())
            .map(|record| Member {
                record,
                element: None,
            })
            .collect();
        let tops = |&member: &Member| self.children(member).collect::<Vec<_>>();
        let alone = members.iter().map(|member| match tops(member)[..] {
            [only] if self.tree.is_element(only) => Some(Member {
                element: Some(only),
                ..*member
            }),
            _ => None,
        });
        match alone.collect::<Option<Vec<Member>>>() {
            Some(alone) => Place {
                way: self.most_frequent_step(&alone),
                members: alone,
                is_taken: false,
            },
            None => Place {
                way: String::new(),
                members,
                is_taken: false,
            },
        }
    }

    fn push(
        &mut self,
        record: usize,
        way: String,
        attribute: Option<&'static str>,
        whole: bool,
        span: Span,
    ) {
        self.found[record].push(ValueOnWay {
            way,
            attribute,
            whole,
            span,
        });
    }

    fn children(&self, member: Member) -> impl Iterator<Item = NodeId> + use<'t> {
        let (tree, Rows { start, end }) = (self.tree, self.records[member.record].clone());
        let first = match member.element {
            Some(element) => tree.children(element).next(),
            None => tree.nodes_in(start..end).next(),
        };
        let after = move |node: &NodeId| tree.nodes_in(tree.subtree_end(*node)..end).next();
        let inside = member
            .element
            .map_or(end, |element| end.min(tree.subtree_end(element)));
        std::iter::successors(first, after).take_while(move |child| child.index() < inside)
    }

    fn most_frequent_step(&self, members: &[Member]) -> String {
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        for element in members.iter().filter_map(|member| member.element) {
            *times.entry(named_step(self.tree, element)).or_default() += 1;
        }
        times
            .into_iter()
            .rev()
            .max_by_key(|(_, times)| *times)
            .map(|(step, _)| step)
            .unwrap_or_default()
    }

    /// Takes what stands in a place; gives back the places inside.
    fn read(&mut self, place: &Place) -> Vec<Place> {
        place
            .members
            .iter()
            .for_each(|&member| self.attributes(member, &place.way));
        if place.is_taken {
            let inside = self.inside(place);
            return self.places_inside(place, &inside, true);
        }
        let inside = self.inside(place);
        let is_apart = self.known.around.contains(place.way.as_str());
        let is_prose = place.way.len() > MAX_WAY || !is_apart && inside.is_prose();
        let is_line = !is_apart && (inside.is_one_text() || self.is_one_figure(place, &inside));
        if is_prose || is_line || self.known.whole.contains(place.way.as_str()) {
            self.take_whole(place);
            return if is_line && !is_prose {
                self.places_inside(place, &inside, true)
            } else {
                Vec::new()
            };
        }
        self.take_texts(place, &inside);
        self.places_inside(place, &inside, false)
    }

    /// Whether the elements of a place hold a short line that begins and ends with figures, some of
    /// them in markup: a date with its time, a price with its cents.
    fn is_one_figure(&self, place: &Place, inside: &Inside<'_>) -> bool {
        let tree = self.tree;
        let is_in_line = |(name, _): &Label<'_>| !breaks_line(name) && *name != "a";
        let has_figure = |text: Option<&NodeId>| {
            text.is_some_and(|&text| tree.span(text).of(tree.page()).contains(char::is_numeric))
        };
        let is_figure = |&member: &Member| {
            let nodes = self.children(member).flat_map(|child| tree.subtree(child));
            let texts: Vec<NodeId> = nodes.filter(|&node| !tree.is_element(node)).collect();
            let bytes: usize = texts.iter().map(|&text| tree.span(text).len()).sum();
            bytes <= MAX_FIGURE && has_figure(texts.first()) && has_figure(texts.last())
        };
        let is_mixed = inside.texts.with == inside.elements && inside.has_several_texts;
        is_mixed && inside.labels.keys().all(is_in_line) && place.members.iter().all(is_figure)
    }

    fn take_whole(&mut self, place: &Place) {
        for &member in &place.members {
            let span = self
                .children(member)
                .map(|child| self.tree.span(child))
                .reduce(Span::to);
            span.into_iter()
                .for_each(|span| self.push(member.record, place.way.clone(), None, true, span));
        }
    }

    fn take_texts(&mut self, place: &Place, inside: &Inside<'_>) {
        for &member in &place.members {
            let own: Vec<NodeId> = self
                .children(member)
                .filter(|&child| !self.tree.is_element(child))
                .collect();
            for (at, text) in own.into_iter().enumerate() {
                let span = self.tree.span(text);
                let step = text_step(span.of(self.tree.page()), at + 1, inside.texts.most > 1);
                self.push(
                    member.record,
                    format!("{}{step}", place.way),
                    None,
                    false,
                    span,
                );
            }
        }
    }

    /// The children of all elements of a place, by their steps.
    fn places_inside(&self, place: &Place, inside: &Inside<'_>, is_taken: bool) -> Vec<Place> {
        let mut places: BTreeMap<String, Vec<Member>> = BTreeMap::new();
        for &member in &place.members {
            let mut times: BTreeMap<&str, usize> = BTreeMap::new();
            for child in self
                .children(member)
                .filter(|&child| self.tree.is_element(child))
            {
                let name = self.tree.name(child);
                let position = times.entry(name).or_insert(0);
                *position += 1;
                let step = self.step(inside, member, child, *position);
                places.entry(step).or_default().push(Member {
                    element: Some(child),
                    ..member
                });
            }
        }
        let way = |step: &str| {
            if place.way.is_empty() {
                step.to_owned()
            } else {
                format!("{}/{step}", place.way)
            }
        };
        let place_of = |(step, members): (String, _)| Place {
            way: way(&step),
            members,
            is_taken,
        };
        places.into_iter().map(place_of).collect()
    }

    /// One step of a way: a name with its class, or with its position where that is always the same
    /// and the class does not tell siblings apart, or the bare name where the class varies.
    fn step(&self, inside: &Inside<'_>, parent: Member, child: NodeId, position: usize) -> String {
        let name = self.tree.name(child);
        if inside.is_fixed(name) && !self.is_told_apart(parent, child) {
            let mut step = String::new();
            write_position(&mut step, self.tree.name(child), position);
            return step;
        }
        if inside.has_varying_class(name) {
            return any_class(self.tree.name(child));
        }
        named_step(self.tree, child)
    }

    /// Whether a child has a class that no sibling of its name has.
    fn is_told_apart(&self, parent: Member, child: NodeId) -> bool {
        let tree = self.tree;
        let class = tree.classes(child).next();
        let mut others = self
            .children(parent)
            .filter(|&other| other != child && tree.is_element(other));
        class.is_some()
            && !others.any(|other| {
                tree.name_code(other) == tree.name_code(child)
                    && tree.classes(other).next() == class
            })
    }

    fn attributes(&mut self, member: Member, way: &str) {
        let (tree, page) = (self.tree, self.tree.page());
        for attribute in member
            .element
            .into_iter()
            .flat_map(|element| tree.attributes(element))
        {
            let name = ATTRIBUTES
                .iter()
                .find(|name| name.eq_ignore_ascii_case(attribute.name.of(page)));
            if let (Some(name), Some(value)) = (name, attribute.value)
                && !value.is_empty()
            {
                self.push(
                    member.record,
                    format!("{way}@{name}"),
                    Some(name),
                    false,
                    value,
                );
            }
        }
    }

    fn inside(&self, place: &Place) -> Inside<'t> {
        let tree = self.tree;
        let mut inside = Inside {
            elements: place.members.len(),
            ..Inside::default()
        };
        for &member in &place.members {
            let (mut labels, mut names) = (BTreeMap::new(), BTreeMap::new());
            let (mut texts, mut forms, mut is_labelled) = (0, Vec::new(), false);
            for child in self.children(member) {
                let label = tree
                    .is_element(child)
                    .then(|| (tree.name(child), tree.classes(child).next()));
                if let Some(label) = label {
                    *labels.entry(label).or_insert(0) += 1;
                    *names.entry(label.0).or_insert(0) += 1;
                }
                texts += usize::from(label.is_none());
                is_labelled |=
                    label.is_none() && self::label(tree.span(child).of(tree.page())).is_some();
                forms.extend(std::iter::repeat_n(label, self.texts_in(child).min(2)));
            }
            inside.add(labels, names, texts, &forms);
            inside.labelled += usize::from(is_labelled);
        }
        inside
    }

    /// How many texts in a node readers see.
    fn texts_in(&self, node: NodeId) -> usize {
        let rows = rows(self.tree, node, node);
        (self.texts[rows.end] - self.texts[rows.start]) as usize
    }
}

impl<'t> Inside<'t> {
    /// Adds what stands in one element.
    fn add(
        &mut self,
        labels: BTreeMap<Label<'t>, usize>,
        names: BTreeMap<&'t str, usize>,
        texts: usize,
        forms: &[Option<Label<'t>>],
    ) {
        labels
            .into_iter()
            .for_each(|(label, times)| self.labels.entry(label).or_default().add(times));
        names
            .into_iter()
            .for_each(|(name, times)| self.names.entry(name).or_default().add(times));
        if texts > 0 {
            self.texts.add(texts);
        }
        let with_text: BTreeSet<Label<'t>> = forms.iter().flatten().copied().collect();
        with_text
            .into_iter()
            .for_each(|label| *self.with_text.entry(label).or_default() += 1);
        self.forms_of_text.extend(forms);
        self.has_several_texts |= forms.len() > 1;
    }

    /// Whether the elements hold running text: text or paragraphs, in markup that only some of them
    /// have, and nothing that divides nearly all of them into parts: no labels, no elements with a
    /// class, no single link.
    fn is_prose(&self) -> bool {
        let is_regular = |with: usize| with as f64 >= REGULAR * self.elements as f64;
        let varies = |count: &Count| {
            count.most > 1 && (count.least < count.most || count.with < self.elements)
        };
        let is_part = |(label, &with): (&Label<'_>, &usize)| {
            let (name, class) = *label;
            let is_common = with as f64 >= NEARLY_ALL * self.elements as f64;
            // One link each: running text has links here and there.
            let is_link =
                name == "a" && self.labels.get(label).is_some_and(|count| count.most == 1);
            is_common && (class.is_some() || is_link || breaks_line(name) && !is_flow(name))
        };
        let has_flow = self.texts.with > 0 || self.names.keys().any(|name| is_flow(name));
        let is_irregular = self.labels.values().any(|count| !is_regular(count.with))
            || varies(&self.texts)
            || self
                .names
                .iter()
                .any(|(name, count)| is_flow(name) && varies(count));
        has_flow
            && is_irregular
            && !is_regular(self.labelled)
            && !self.with_text.iter().any(is_part)
    }

    /// Whether the elements have one text at most, in one element inside or another or in none.
    fn is_one_text(&self) -> bool {
        !self.has_several_texts && self.forms_of_text.len() > 1
    }

    /// Whether all elements have the same number of children of a name, and more than one.
    fn is_fixed(&self, name: &str) -> bool {
        self.elements > 1
            && self.names.get(name).is_some_and(|count| {
                count.with == self.elements
                    && count.least == count.most
                    && (2..=MAX_ARITY).contains(&count.most)
            })
    }

    /// Whether there is one child of a name at most, and its class differs.
    fn has_varying_class(&self, name: &str) -> bool {
        let Some(count) = self.names.get(name).filter(|count| count.most == 1) else {
            return false;
        };
        let classes = || self.labels.keys().filter(|label| label.0 == name);
        let mut stems = classes().map(|(_, class)| class.map(stem));
        let first = stems.next();
        classes().nth(1).is_some()
            && (count.with as f64 >= NEARLY_ALL * self.elements as f64
                || stems.all(|stem| Some(stem) == first))
    }
}

/// How many texts that readers see stand before each node, and before the end.
fn texts_before(tree: &Tree<'_>) -> Vec<u32> {
    let (mut texts, mut before, mut hidden_to) = (0, vec![0], 0);
    for node in tree.nodes() {
        if is_hidden_in_lists(tree.name(node)) && tree.name(node) != "noscript" {
            hidden_to = hidden_to.max(node.index() + tree.subtree(node).len());
        }
        let is_seen = !tree.is_element(node) && node.index() >= hidden_to;
        texts += u32::from(is_seen && !tree.span(node).of(tree.page()).trim().is_empty());
        before.push(texts);
    }
    before
}

/// Whether elements of this name are what running text is made of.
fn is_flow(name: &str) -> bool {
    matches!(name, "p" | "br" | "blockquote" | "pre" | "ul" | "ol")
}
