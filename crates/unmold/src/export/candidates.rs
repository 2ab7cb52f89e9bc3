//! By what could a value on a page be found, in words of CSS and XPath?
//!
//! Each candidate has a cost, the smaller the more likely it is to outlive a change of the site:
//! names that the author gave to data (`id`, `itemprop`, `data-*`), labels that readers see, class
//! names, names of elements, and only then numbers. Class names that a program made up count as
//! little as numbers.

use super::{
    select::{Indexed, folded},
    selector::{Axis, Selector, Step, Take, Test},
};
use crate::read::tree::NodeId;

/// A selector, and how unlikely it is to last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub cost: u32,
    pub selector: Selector,
}

/// Where a value stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In this text.
    Text(NodeId),
    /// In an attribute of this element.
    Attribute(NodeId, String),
    /// It is this element.
    Element(NodeId),
}

/// Hooks are looked for so far up.
const UP: usize = 8;
/// An element may be taken for a text in it if it is so close.
const WRAPPERS: usize = 3;

const NAMED: u32 = 10;
const LABEL: u32 = 20;
const HEADING: u32 = 25;
const CLASS: u32 = 30;
/// Below an element with a class, a name costs less than alone.
const TAG: u32 = 80;
const NUMBER: u32 = 60;
const MADE_UP: u32 = 80;
const STEP: u32 = 5;

/// What a page is asked with.
pub(super) struct Search<'p, 'a> {
    pub page: &'p Indexed<'a>,
    /// The element that the way begins in, if not on the page.
    pub root: Option<NodeId>,
    /// What stands before the value in its own text.
    pub prefix: &'p str,
}

impl Search<'_, '_> {
    /// The candidates for a value, the likeliest to last first.
    pub fn candidates(&self, place: &Place) -> Vec<Candidate> {
        let mut found = Vec::new();
        match place {
            Place::Element(node) => {
                self.add_ways(&mut found, *node, &Take::Text, 0);
                self.add_ways(&mut found, *node, &Take::Texts, 4);
            }
            Place::Attribute(node, name) => {
                self.add_ways(&mut found, *node, &Take::Attribute(name.clone()), 0);
            }
            Place::Text(text) => self.add_text(&mut found, *text),
        }
        found.sort_by_key(|candidate| candidate.cost);
        let mut seen = std::collections::HashSet::new();
        found.retain(|candidate| seen.insert(candidate.selector.clone()));
        found
    }

    fn add_text(&self, found: &mut Vec<Candidate>, text: NodeId) {
        let tree = &self.page.tree;
        let Some(parent) = tree.parent(text) else {
            return;
        };
        let own: Vec<NodeId> = tree
            .children(parent)
            .filter(|&child| !tree.is_element(child))
            .collect();
        let own: Vec<&NodeId> = own
            .iter()
            .filter(|&&child| !self.page.says(child).is_empty())
            .collect();
        let nth = own.iter().position(|&&child| child == text).unwrap_or(0) as u32;
        let says = self.page.says(text);
        let around = std::iter::successors(Some(parent), |&node| tree.parent(node));
        let wrappers = around
            .take(WRAPPERS)
            .take_while(|&node| self.is_inside(node));
        for (up, node) in (0..).zip(wrappers.take_while(|&node| self.page.says(node) == says)) {
            self.add_ways(found, node, &Take::Text, STEP * up);
        }
        let take = Take::OwnText(nth);
        if own.len() > 1 || self.page.says(parent) != says {
            self.add_ways(found, parent, &take, 3 + 10 * nth);
            self.add_ways(found, parent, &Take::Texts, 4);
        }
        self.add_labelled(found, text);
    }

    fn is_inside(&self, node: NodeId) -> bool {
        self.root.is_none_or(|root| node > root)
    }

    /// The ways by what an element and those around it are called.
    fn add_ways(&self, found: &mut Vec<Candidate>, node: NodeId, take: &Take, cost: u32) {
        let mut add = |cost: u32, steps: Vec<Step>| {
            found.push(Candidate {
                cost,
                selector: Selector {
                    steps,
                    take: take.clone(),
                    nth: None,
                },
            });
        };
        let own = self.steps(node);
        for (price, step) in &own {
            add(cost + price, vec![step.clone()]);
        }
        let around: Vec<NodeId> = self
            .page
            .tree
            .ancestors(node)
            .take_while(|&node| self.is_inside(node))
            .collect();
        for (up, &outer) in around.iter().take(UP).enumerate() {
            let far = STEP * (1 + up as u32 / 2);
            for (hook, step) in self
                .steps(outer)
                .into_iter()
                .filter(|(price, _)| *price < TAG)
            {
                for (price, inner) in &own {
                    add(
                        cost + far + hook + price / 2,
                        vec![step.clone(), inner.clone()],
                    );
                }
                let chain = self.chain(&around[..up], node);
                add(
                    cost + far + hook + NUMBER,
                    [vec![step.clone()], chain].concat(),
                );
            }
        }
        let mut whole = self.chain(&around, node);
        if let (Some(first), None) = (whole.first_mut(), self.root) {
            first.axis = Axis::Inside;
        }
        add(cost + NUMBER + MADE_UP, whole);
    }

    /// The elements down to one by number, each a child of the one before.
    fn chain(&self, around: &[NodeId], node: NodeId) -> Vec<Step> {
        let down = around.iter().rev().copied().chain([node]);
        down.map(|node| self.numbered(node).on(Axis::Child))
            .collect()
    }

    fn numbered(&self, node: NodeId) -> Step {
        let step = Step::new(self.page.tree.name(node));
        // There is one of each on a page, whether it is written or not.
        if matches!(step.tag.as_str(), "html" | "body" | "head") {
            return step;
        }
        step.with(Test::Nth(self.page.number(node)))
    }

    /// An element by each thing that it is known by, with what that costs.
    fn steps(&self, node: NodeId) -> Vec<(u32, Step)> {
        let tree = &self.page.tree;
        let tag = tree.name(node);
        if !is_plain(tag) {
            return Vec::new();
        }
        let mut steps: Vec<(u32, Step)> = Vec::new();
        for attribute in tree.attributes(node) {
            let name = attribute.name.of(tree.page()).to_ascii_lowercase();
            let Some(value) = self
                .page
                .attribute(node, &name)
                .filter(|value| is_name(value))
            else {
                continue;
            };
            match name.as_str() {
                "id" => steps.push((
                    NAMED + made_up(&value),
                    Step::new(tag).with(Test::Id(value)),
                )),
                "itemprop" | "property" | "name" | "rel" | "role" => {
                    steps.push((NAMED + 2, Step::new(tag).with(Test::Attribute(name, value))));
                }
                data if data.starts_with("data-") && is_plain(data) => {
                    steps.push((
                        NAMED + 4 + made_up(&value),
                        Step::new(tag).with(Test::Attribute(name, value)),
                    ));
                }
                _ => {}
            }
        }
        let classes: Vec<&str> = tree.classes(node).filter(|class| is_name(class)).collect();
        for class in &classes {
            steps.push((
                CLASS + made_up(class),
                Step::new(tag).with(Test::Class((*class).to_owned())),
            ));
        }
        if classes.len() > 1 && classes.len() < 5 {
            let all = classes
                .iter()
                .map(|class| Test::Class((*class).to_owned()))
                .collect();
            let price = classes.iter().map(|class| made_up(class)).sum::<u32>();
            steps.push((
                CLASS + STEP + price,
                Step {
                    tests: all,
                    ..Step::new(tag)
                },
            ));
        }
        let is_heading = matches!(
            tag,
            "h1" | "title" | "address" | "time" | "article" | "main"
        );
        steps.push((if is_heading { HEADING } else { TAG }, Step::new(tag)));
        steps.push((TAG + NUMBER, self.numbered(node)));
        steps
    }

    /// The ways from a label that readers see.
    fn add_labelled(&self, found: &mut Vec<Candidate>, text: NodeId) {
        let tree = &self.page.tree;
        let first = self.root.map_or(0, |root| root.index());
        let earlier = tree
            .nodes_in(first..text.index())
            .rev()
            .filter(|&node| !tree.is_element(node));
        let label = earlier
            .map(|node| (node, self.page.says(node)))
            .find(|(_, says)| is_label(says));
        if let Some((label, says)) = label {
            self.add_behind(found, label, &says, text);
        }
        self.add_inline(found, text);
    }

    /// The ways from the element of a label.
    fn add_behind(&self, found: &mut Vec<Candidate>, label: NodeId, says: &str, text: NodeId) {
        let tree = &self.page.tree;
        let mut add = |cost: u32, steps: Vec<Step>, take: Take| {
            found.push(Candidate {
                cost: LABEL + cost,
                selector: Selector {
                    steps,
                    take,
                    nth: None,
                },
            });
        };
        let whole = |node: &NodeId| self.page.says(*node) == says && is_plain(tree.name(*node));
        for (up, element) in (0..).zip(tree.ancestors(label).take(WRAPPERS).take_while(whole)) {
            let step = Step::new(tree.name(element)).with(Test::Says(says.to_owned()));
            add(STEP * up + 15, vec![step.clone()], Take::FollowingText);
            if tree.parent(text) == tree.parent(element) {
                add(STEP * up + 2, vec![step.clone()], Take::NextText);
            }
            let around = |node: &NodeId| self.page.previous(*node) == Some(element);
            let Some(next) = tree.ancestors(text).find(around) else {
                continue;
            };
            let down: Vec<NodeId> = tree
                .ancestors(text)
                .take_while(|&node| node != next)
                .collect();
            let mut steps = vec![step, Step::new(tree.name(next)).on(Axis::Next)];
            if self.page.says(next) == self.page.says(text) {
                add(STEP * up, steps.clone(), Take::Text);
            }
            steps.extend(
                down.iter()
                    .rev()
                    .map(|&node| Step::new(tree.name(node)).on(Axis::Child)),
            );
            add(
                STEP * (up + down.len() as u32) + 3,
                steps.clone(),
                Take::OwnText(0),
            );
            add(STEP * (up + down.len() as u32) + 4, steps, Take::Texts);
        }
    }

    /// The ways by a label that stands in the same text.
    fn add_inline(&self, found: &mut Vec<Candidate>, text: NodeId) {
        let label = folded(self.prefix);
        let Some(parent) = self.page.tree.parent(text).filter(|_| is_label(&label)) else {
            return;
        };
        if !self.page.says(text).starts_with(&label) || !is_plain(self.page.tree.name(parent)) {
            return;
        }
        let step = Step::new(self.page.tree.name(parent)).with(Test::Starts(label));
        for (cost, take) in [(0, Take::Text), (2, Take::OwnText(0))] {
            found.push(Candidate {
                cost: LABEL + cost,
                selector: Selector {
                    steps: vec![step.clone()],
                    take,
                    nth: None,
                },
            });
        }
    }
}

/// Whether a text can be a label: short, and with a letter in it.
fn is_label(text: &str) -> bool {
    text.len() <= 60 && text.contains(char::is_alphabetic)
}

/// Whether XPath and CSS can say a name without more ado.
fn is_plain(name: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    name.starts_with(|letter: char| letter.is_ascii_alphabetic()) && name.chars().all(is_letter)
}

/// Whether an attribute's value can name something.
fn is_name(value: &str) -> bool {
    !value.is_empty() && value.len() <= 60 && !value.contains(char::is_control)
}

/// What a name costs that a program seems to have made up, or that numbers something.
fn made_up(name: &str) -> u32 {
    if is_made_up(name) { MADE_UP } else { 0 }
}

/// Whether a class or id looks as if a program had made it up: `css-1q2w3e`, `sc-bdVaJa`,
/// `x7f3a9c`, `node-48213`.
pub(super) fn is_made_up(name: &str) -> bool {
    name.split(['-', '_', ':', '.']).any(is_made_up_word)
}

fn is_made_up_word(word: &str) -> bool {
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let letters = word.chars().filter(char::is_ascii_alphabetic).count();
    // Digits among letters, as in hashes; a number at the end counts things.
    let stem = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let is_mixed =
        stem.contains(|letter: char| letter.is_ascii_digit()) && letters > 1 && word.len() >= 5;
    // `bdVaJa`: capitals that begin no words.
    let chars: Vec<char> = word.chars().collect();
    let humps = chars
        .windows(2)
        .filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
        .count();
    let vowels = word
        .chars()
        .filter(|letter| "aeiouyAEIOUY".contains(*letter))
        .count();
    let is_noise = word.len() >= 5 && humps >= 2 && word.len() / humps.max(1) <= 3;
    let is_mute = letters >= 6 && vowels == 0;
    is_mixed || digits >= 4 || is_noise || is_mute
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_programs_make_up_are_told_from_those_of_people() {
        for name in [
            "css-1q2w3e",
            "sc-bdVaJa",
            "x7f3a9c",
            "node-48213",
            "Button_a8f3c__x",
            "xkdhrtwq",
        ] {
            assert!(is_made_up(name), "{name}");
        }
        for name in [
            "price",
            "col-2",
            "h1",
            "productTitle",
            "mw-content-text",
            "product_main",
            "span12",
            "navBarItem",
        ] {
            assert!(!is_made_up(name), "{name}");
        }
    }

    #[test]
    fn names_come_before_labels_and_labels_before_numbers() {
        let source =
            "<div class=a><table><tr><th>Weight:<td>1 kg<tr><th>Size:<td id=size>2 m</table></div>";
        let page = Indexed::new(source);
        let search = Search {
            page: &page,
            root: None,
            prefix: "",
        };
        let text = |says: &str| {
            page.tree
                .nodes()
                .find(|&node| !page.tree.is_element(node) && page.says(node) == says)
        };
        let best = |says: &str| {
            search.candidates(&Place::Text(text(says).unwrap()))[0]
                .selector
                .xpath()
        };
        assert_eq!(best("2 m"), r#"//td[@id="size"]"#);
        assert_eq!(
            best("1 kg"),
            r#"//th[normalize-space()="Weight:"]/following-sibling::*[1][self::td]"#
        );
        let last = search
            .candidates(&Place::Text(text("1 kg").unwrap()))
            .pop()
            .unwrap();
        assert!(last.selector.is_by_position());
    }
}
