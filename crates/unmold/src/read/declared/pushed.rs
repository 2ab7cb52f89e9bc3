//! Which data do scripts add to a list, as they stream by: `state.push({...})`?
//!
//! They are read only for pages that show nothing: most of what scripts push is for those who count
//! visitors.

use super::{
    data::Data,
    literal::{Budget, Literals, Origin},
    scripts,
};
use crate::{
    Span,
    read::tree::{NodeId, Tree},
};
use memchr::memmem;

/// How such a call begins.
const PUSH: &str = ".push(";
/// Values that turn out to be code are tried so often on a page.
const TRIES: usize = 20;

/// What the scripts of a page push, each with its place.
pub(super) fn read(tree: &Tree<'_>, budget: &mut Budget) -> Vec<(Span, Data)> {
    let mut pushed = Vec::new();
    let mut tries = TRIES;
    for node in tree.nodes().filter(|&node| tree.name(node) == "script") {
        read_script(&mut pushed, tree, node, budget, &mut tries);
    }
    pushed
}

fn read_script(
    pushed: &mut Vec<(Span, Data)>,
    tree: &Tree<'_>,
    node: NodeId,
    budget: &mut Budget,
    tries: &mut usize,
) {
    let content = scripts::content(tree, node);
    let code = content.of(tree.page());
    let mut read_to = 0;
    for found in memmem::find_iter(code.as_bytes(), PUSH.as_bytes()) {
        let at = found + PUSH.len();
        if found < read_to || !code[at..].starts_with(['{', '[']) {
            continue;
        }
        if *tries == 0 {
            return;
        }
        let start = content.start as usize;
        let mut literals = Literals::new(code, Origin::At(start), budget).starting_at(at);
        let Ok(data) = literals.value() else {
            *tries -= 1;
            continue;
        };
        read_to = literals.position();
        pushed.push((Span::new(start + at, start + read_to), data));
    }
}
