//! What does a [`Selector`] find on a page?
//!
//! An evaluator of exactly the forms that are exported, over the tree that the mold is applied to:
//! it proves a rule before it leaves the house. `eval/consumers` holds it against lxml, cssselect
//! and parsel.

use super::selector::{Axis, Selector, Step, Take, Test};
use crate::{
    Span,
    read::tree::{NodeId, Tree},
};
use htmlize::{unescape, unescape_attribute};
use std::collections::HashMap;

/// A page made ready to be asked many times.
pub(super) struct Indexed<'a> {
    pub tree: Tree<'a>,
    by_tag: HashMap<String, Vec<NodeId>>,
    by_id: HashMap<String, Vec<NodeId>>,
    by_class: HashMap<String, Vec<NodeId>>,
    elements: Vec<NodeId>,
    /// The number of each element among the children of its name, from 1; 0 for texts.
    numbers: Vec<u32>,
}

impl<'a> Indexed<'a> {
    pub fn new(page: &'a str) -> Self {
        let tree = Tree::new(page);
        let elements: Vec<NodeId> = tree.nodes().filter(|&node| tree.is_element(node)).collect();
        let (mut by_tag, mut by_id, mut by_class) =
            (HashMap::new(), HashMap::new(), HashMap::new());
        let note = |index: &mut HashMap<String, Vec<NodeId>>, name: &str, node| {
            index.entry(name.to_owned()).or_default().push(node);
        };
        let mut counts: HashMap<(Option<NodeId>, &str), u32> = HashMap::new();
        let mut numbers = vec![0; tree.len()];
        for &node in &elements {
            let count = counts
                .entry((tree.parent(node), tree.name(node)))
                .or_default();
            *count += 1;
            numbers[node.index()] = *count;
            note(&mut by_tag, tree.name(node), node);
            tree.attribute(node, "id")
                .into_iter()
                .for_each(|id| note(&mut by_id, &unescape_attribute(id), node));
            let mut classes: Vec<&str> = tree.classes(node).collect();
            classes.sort_unstable();
            classes.dedup();
            classes
                .into_iter()
                .for_each(|class| note(&mut by_class, class, node));
        }
        drop(counts);
        Indexed {
            tree,
            by_tag,
            by_id,
            by_class,
            elements,
            numbers,
        }
    }

    /// The number of an element among the children of its name, from 1.
    pub fn number(&self, node: NodeId) -> u32 {
        self.numbers[node.index()]
    }

    /// The elements that a way leads to, in the order of the page.
    pub fn elements(&self, steps: &[Step]) -> Vec<NodeId> {
        self.elements_in(steps, None)
    }

    /// The same inside an element; the way begins there.
    pub fn elements_in(&self, steps: &[Step], root: Option<NodeId>) -> Vec<NodeId> {
        let Some(last) = steps.last() else {
            return root.into_iter().collect();
        };
        let is_inside = |node: NodeId| {
            root.is_none_or(|root| node > root && node.index() < self.tree.subtree_end(root))
        };
        let likely = self.likely(last).iter().copied();
        likely
            .filter(|&node| is_inside(node) && self.leads_to(steps, node, root))
            .collect()
    }

    /// The fewest elements that are known to hold all of a step.
    fn likely(&self, step: &Step) -> &[NodeId] {
        let none: &[NodeId] = &[];
        for test in &step.tests {
            match test {
                Test::Id(id) => return self.by_id.get(id).map_or(none, Vec::as_slice),
                Test::Class(class) => return self.by_class.get(class).map_or(none, Vec::as_slice),
                _ => {}
            }
        }
        match step.tag.as_str() {
            "*" => &self.elements,
            tag => self.by_tag.get(tag).map_or(none, Vec::as_slice),
        }
    }

    /// Whether a way ends at an element.
    fn leads_to(&self, steps: &[Step], node: NodeId, root: Option<NodeId>) -> bool {
        let Some((last, before)) = steps.split_last() else {
            return true;
        };
        if !self.is_step(last, node) {
            return false;
        }
        let above = || {
            self.tree
                .ancestors(node)
                .take_while(|&around| root.is_none_or(|root| around > root))
        };
        match (before.is_empty(), last.axis) {
            (true, Axis::Inside) => true,
            (true, _) => self.tree.parent(node) == root,
            (false, Axis::Inside) => above().any(|around| self.leads_to(before, around, root)),
            (false, Axis::Child) => above()
                .next()
                .is_some_and(|parent| self.leads_to(before, parent, root)),
            (false, Axis::Next) => self
                .previous(node)
                .is_some_and(|before_it| self.leads_to(before, before_it, root)),
        }
    }

    fn is_step(&self, step: &Step, node: NodeId) -> bool {
        (step.tag == "*" || self.tree.name(node) == step.tag)
            && step.tests.iter().all(|test| self.passes(test, node))
    }

    fn passes(&self, test: &Test, node: NodeId) -> bool {
        match test {
            Test::Id(id) => self.attribute(node, "id").is_some_and(|known| known == *id),
            Test::Class(class) => self.tree.classes(node).any(|known| known == class),
            Test::Attribute(name, value) => self
                .attribute(node, name)
                .is_some_and(|known| known == *value),
            Test::Nth(nth) => self.number(node) == *nth,
            Test::Says(text) => self.says(node) == *text,
            Test::Starts(text) => self.says(node).starts_with(text.as_str()),
        }
    }

    /// The element right before an element, in the same one.
    pub fn previous(&self, node: NodeId) -> Option<NodeId> {
        let siblings = match self.tree.parent(node) {
            Some(parent) => self.tree.children(parent),
            None => self.tree.top(),
        };
        siblings
            .take_while(|&sibling| sibling < node)
            .filter(|&sibling| self.tree.is_element(sibling))
            .last()
    }

    pub fn attribute(&self, node: NodeId, name: &str) -> Option<String> {
        self.tree
            .attribute(node, name)
            .map(|value| unescape_attribute(value).into_owned())
    }

    /// What an element says, white space folded as XPath's `normalize-space` does.
    pub fn says(&self, node: NodeId) -> String {
        let words = self.string(node);
        let words = words
            .split([' ', '\t', '\r', '\n'])
            .filter(|word| !word.is_empty());
        words.collect::<Vec<_>>().join(" ")
    }

    /// All texts of a node, as XPath's `string` gives them.
    fn string(&self, node: NodeId) -> String {
        let texts = self
            .tree
            .subtree(node)
            .filter(|&inner| !self.tree.is_element(inner));
        texts.map(|text| self.raw(text)).collect()
    }

    /// A text with entities decoded.
    fn raw(&self, text: NodeId) -> String {
        let raw = self.tree.span(text).of(self.tree.page());
        unescape(raw).into_owned()
    }

    /// Whether a node holds texts that other tools see and readers do not.
    fn has_hidden(&self, node: NodeId) -> bool {
        self.tree.subtree(node).any(|inner| {
            matches!(
                self.tree.name(inner),
                "script" | "style" | "textarea" | "noscript"
            )
        })
    }

    /// The values that a selector finds, white space folded; inside an element, or on the page.
    pub fn values(&self, selector: &Selector, root: Option<NodeId>) -> Vec<String> {
        let found = self.elements_in(&selector.steps, root);
        let mut values: Vec<String> = found
            .into_iter()
            .flat_map(|node| self.taken(&selector.take, node))
            .collect();
        if let Some(nth) = selector.nth {
            values = values.into_iter().skip(nth as usize).take(1).collect();
        }
        values
    }

    fn taken(&self, take: &Take, node: NodeId) -> Vec<String> {
        let own = || {
            self.tree
                .children(node)
                .filter(|&child| self.is_said(child))
                .map(|text| folded(&self.raw(text)))
        };
        match take {
            // Whoever takes all texts would take these too.
            Take::Text | Take::Texts if self.has_hidden(node) => vec!["\u{fffd}".to_owned()],
            Take::Text => vec![folded(&self.string(node))],
            Take::Texts => {
                let texts = self
                    .tree
                    .subtree(node)
                    .filter(|&inner| !self.tree.is_element(inner));
                vec![folded(
                    &texts
                        .map(|text| self.raw(text))
                        .collect::<Vec<_>>()
                        .join(" "),
                )]
            }
            Take::OwnText(nth) => own().nth(*nth as usize).into_iter().collect(),
            Take::OwnTexts => own().collect(),
            Take::NextText => self.next_text(node).into_iter().collect(),
            Take::FollowingText => {
                let behind = self
                    .tree
                    .nodes_in(self.tree.subtree_end(node)..self.tree.len());
                behind
                    .filter(|&inner| self.is_said(inner))
                    .take(1)
                    .map(|text| folded(&self.raw(text)))
                    .collect()
            }
            Take::Attribute(name) => self
                .attribute(node, name)
                .map(|value| folded(&value))
                .into_iter()
                .collect(),
        }
    }

    fn next_text(&self, node: NodeId) -> Option<String> {
        let siblings = self.tree.children(self.tree.parent(node)?);
        let mut behind = siblings.filter(|&child| child > node && self.is_said(child));
        behind.next().map(|text| folded(&self.raw(text)))
    }

    /// Whether a node is a text with more in it than what XPath takes for white space.
    fn is_said(&self, node: NodeId) -> bool {
        !self.tree.is_element(node) && !self.says(node).is_empty()
    }

    /// The outermost node with these bytes, or that begins there and holds them.
    pub fn node_of(&self, span: Span) -> Option<NodeId> {
        let at = |node: NodeId| self.tree.span(node);
        let begins = self
            .tree
            .nodes()
            .filter(|&node| at(node).start == span.start && self.tree.is_element(node));
        let mut holding = begins.filter(|&node| at(node).end >= span.end);
        holding.next()
    }
}

/// A text with all white space folded.
pub(super) fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(page: &str, selector: &Selector) -> Vec<String> {
        Indexed::new(page).values(selector, None)
    }

    #[test]
    fn ways_are_gone_as_css_and_xpath_go_them() {
        let page = "<div id=a class='x y'><p>1<p class=y>2</p><b>Weight: </b> 3 kg <i>4</i></div><p class=y>5";
        let selector = |steps: Vec<Step>, take| Selector {
            steps,
            take,
            nth: None,
        };
        let class = || Step::new("p").with(Test::Class("y".into()));
        let inside = Step::new("div").with(Test::Id("a".into()));
        assert_eq!(
            found(page, &selector(vec![class()], Take::Text)),
            ["2", "5"]
        );
        assert_eq!(
            found(page, &selector(vec![inside.clone(), class()], Take::Text)),
            ["2"]
        );
        assert_eq!(
            found(
                page,
                &selector(
                    vec![inside, Step::new("p").on(Axis::Child).with(Test::Nth(2))],
                    Take::Text
                )
            ),
            ["2"]
        );
        let label = Step::new("b").with(Test::Says("Weight:".into()));
        assert_eq!(
            found(page, &selector(vec![label.clone()], Take::NextText)),
            ["3 kg"]
        );
        assert_eq!(
            found(
                page,
                &selector(
                    vec![label.clone(), Step::new("i").on(Axis::Next)],
                    Take::Text
                )
            ),
            ["4"]
        );
        assert_eq!(
            found(
                page,
                &selector(vec![label, Step::new("p").on(Axis::Next)], Take::Text)
            ),
            [""; 0]
        );
    }
}
