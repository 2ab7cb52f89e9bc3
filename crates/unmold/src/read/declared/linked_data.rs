//! What does a script declare in JSON-LD?

use super::{
    data::Data,
    literal::{Budget, Flaw, Literals, Origin},
    scripts,
};
use crate::read::tree::{NodeId, Tree};

/// The data of a `<script type="application/ld+json">`; `None` for any other script.
pub(crate) fn of_script(
    tree: &Tree<'_>,
    node: NodeId,
    budget: &mut Budget,
) -> Option<Result<Data, Flaw>> {
    let kind = tree.attribute(node, "type")?;
    // Parameters may follow: `application/ld+json; charset=utf-8`.
    let kind = kind.split(';').next().unwrap_or(kind).trim();
    if !kind.eq_ignore_ascii_case("application/ld+json") {
        return None;
    }
    let content = scripts::content(tree, node);
    let script = content.of(tree.page());
    let (before, json) = scripts::without_wrapping(script);
    if json.is_empty() {
        return None;
    }
    let origin = Origin::At(content.start as usize + before);
    Some(Literals::new(json, origin, budget).whole())
}
