//! What do the views of a field say in words of CSS and XPath? For molds without their pages.

use super::{
    candidates::Candidate,
    selector::{Axis, Selector, Step, Take, Test},
};
use crate::fields::{Field, Position, ViewKind};

/// The views of a field as selectors, those that last longest first.
pub(super) fn candidates(field: &Field) -> Vec<Candidate> {
    let positions = field.views.iter().filter_map(|view| view.position());
    let mut found: Vec<Candidate> = positions
        .filter_map(|(kind, position)| candidate(field, kind, position))
        .collect();
    found.sort_by_key(|candidate| candidate.cost);
    found
}

fn candidate(field: &Field, kind: ViewKind, position: &Position) -> Option<Candidate> {
    let own = |nth| {
        let attribute = || Take::Attribute(position.attribute.clone());
        if position.attribute.is_empty() {
            Take::OwnText(nth)
        } else {
            attribute()
        }
    };
    let each = || {
        if position.attribute.is_empty() {
            Take::OwnTexts
        } else {
            own(0)
        }
    };
    let (cost, steps, take, nth) = match kind {
        ViewKind::NamedElement if position.path.is_empty() => {
            (10, hook(position)?, own(position.nth), None)
        }
        // The way from there is by numbers.
        ViewKind::NamedElement => (100, hook(position)?, own(position.nth), None),
        ViewKind::InlineLabel => (
            22,
            vec![tag(&position.path).with(Test::Starts(position.text.clone()))],
            Take::OwnText(0),
            None,
        ),
        // What follows a text is a text, and no attribute.
        ViewKind::LabelBefore if !position.attribute.is_empty() => return None,
        ViewKind::LabelBefore => (
            35,
            vec![Step::new("*").with(Test::Says(position.text.clone()))],
            Take::FollowingText,
            None,
        ),
        // Neither CSS nor these selectors have words for a column or a line.
        ViewKind::AllOfClassPath if position.nth > 0 || position.is_after_break() => return None,
        ViewKind::AllOfClassPath => (
            if field.many { 40 } else { 60 },
            classed(&position.path),
            each(),
            None,
        ),
        ViewKind::ClassPath if position.nth == 0 => (50, classed(&position.path), own(0), None),
        ViewKind::ClassPath => (110, classed(&position.path), each(), Some(position.nth)),
        ViewKind::TagPath => (120, classed(&position.path), each(), Some(position.nth)),
        ViewKind::Path => (
            150,
            numbered(&position.path, Axis::Inside),
            own(position.nth),
            None,
        ),
        // Selectors have no words for the first text of a block, for a text so many texts away, or
        // for what stands in a script.
        ViewKind::LabelOfBlock
        | ViewKind::AfterLandmark
        | ViewKind::BeforeLandmark
        | ViewKind::JsonLd => return None,
    };
    (!steps.is_empty()).then_some(Candidate {
        cost,
        selector: Selector { steps, take, nth },
    })
}

fn tag(path: &str) -> Step {
    Step::new(if path.is_empty() { "*" } else { path })
}

/// `itemprop=price`, and the way from there.
fn hook(position: &Position) -> Option<Vec<Step>> {
    let (name, value) = position.text.split_once('=')?;
    let test = if name == "id" {
        Test::Id(value.to_owned())
    } else {
        Test::Attribute(name.to_owned(), value.to_owned())
    };
    let mut steps = vec![Step::new("*").with(test)];
    steps.extend(numbered(&position.path, Axis::Child));
    Some(steps)
}

/// `table.spec tr td`, each a child of the one before.
fn classed(path: &str) -> Vec<Step> {
    let steps = path
        .split(' ')
        .filter(|step| !step.is_empty())
        .enumerate()
        .map(|(at, written)| {
            let mut names = written.split('.');
            let step = Step::new(names.next().unwrap_or("*")).on(if at == 0 {
                Axis::Inside
            } else {
                Axis::Child
            });
            names.fold(step, |step, class| step.with(Test::Class(class.to_owned())))
        });
    steps.collect()
}

/// `html body tr[2] td`, each a child of the one before.
fn numbered(path: &str, first: Axis) -> Vec<Step> {
    let steps = path
        .split(' ')
        .filter(|step| !step.is_empty())
        .enumerate()
        .map(|(at, written)| {
            let parts = written
                .strip_suffix(']')
                .and_then(|step| step.rsplit_once('['));
            let (tag, number) = parts.map_or((written, 1), |(tag, number)| {
                (tag, number.parse().unwrap_or(1))
            });
            let step = Step::new(tag).on(if at == 0 { first } else { Axis::Child });
            if matches!(tag, "html" | "body" | "head") {
                step
            } else {
                step.with(Test::Nth(number))
            }
        });
    steps.collect()
}
