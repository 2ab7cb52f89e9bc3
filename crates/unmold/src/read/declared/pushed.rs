//! Which data do scripts add to a list, as they stream by: `state.push({...})`?
//!
//! They are read only for pages that show nothing: most of what scripts push is for those who count
//! visitors.

use super::{
    Declared, DeclaredThing, Vocabulary,
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
const TRIES: usize = 100;

/// Adds what the scripts of a page push.
pub(super) fn add(declared: &mut Declared, tree: &Tree<'_>, budget: &mut Budget) {
    let mut tries = TRIES;
    for node in tree.nodes().filter(|&node| tree.name(node) == "script") {
        add_of_script(declared, tree, node, budget, &mut tries);
    }
}

fn add_of_script(
    declared: &mut Declared,
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
        let origin = Origin::At(content.start as usize);
        let mut literals = Literals::new(code, origin, budget).starting_at(at);
        let Ok(data) = literals.value() else {
            *tries -= 1;
            continue;
        };
        read_to = literals.position();
        let start = content.start as usize;
        declared.things.push(DeclaredThing {
            vocabulary: Vocabulary::State,
            name: String::new(),
            span: Span::new(start + at, start + read_to),
            data,
        });
    }
}
