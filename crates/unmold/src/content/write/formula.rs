//! What did an author write who wrote a formula? TeX, most of the time, and pages still say so.
//!
//! MathML has it as an `<annotation>` or in `alttext`, MathJax in a `<script type="math/tex">` that
//! it replaces. What is drawn beside it for eyes (`aria-hidden`) says the same once more.

use super::document::Piece;
use crate::read::{
    html::{self, Kind, attribute_text, visible_text},
    tree::{NodeId, Tree},
};

/// The formula that an element is, if it says what TeX makes it of.
pub(super) fn formula(tree: &Tree<'_>, node: NodeId) -> Option<Piece> {
    let (tex, is_displayed) = match tree.name(node) {
        "math" => (
            annotated(tree, node)?,
            tree.attribute(node, "display")
                .is_some_and(|display| display == "block"),
        ),
        "script" => {
            let kind = tree.attribute(node, "type")?.to_ascii_lowercase();
            let (language, mode) = kind.split_once(';').unwrap_or((&kind, ""));
            if language.trim() != "math/tex" {
                return None;
            }
            (script(tree, node)?, mode.contains("display"))
        }
        _ => return None,
    };
    let tex = unwrapped(tex.trim());
    (!tex.is_empty()).then_some(Piece::Formula { tex, is_displayed })
}

/// The words of a formula that does not say it.
pub(super) fn words(tree: &Tree<'_>, math: NodeId) -> String {
    visible_text(tree.span(math).of(tree.page()))
}

/// Whether an element only draws what was said before it.
pub(super) fn is_drawing(tree: &Tree<'_>, node: NodeId) -> bool {
    tree.attribute(node, "aria-hidden") == Some("true")
}

fn annotated(tree: &Tree<'_>, math: NodeId) -> Option<String> {
    let is_tex = |&node: &NodeId| {
        let encoding = || {
            tree.attribute(node, "encoding")
                .unwrap_or_default()
                .to_ascii_lowercase()
        };
        tree.name(node) == "annotation" && encoding().contains("tex")
    };
    let annotation = tree
        .subtree(math)
        .find(is_tex)
        .map(|node| words(tree, node));
    annotation.or_else(|| tree.attribute(math, "alttext").map(attribute_text))
}

/// The content of a script, which is no markup.
fn script(tree: &Tree<'_>, script: NodeId) -> Option<String> {
    let source = tree.span(script).of(tree.page());
    let content = html::tokens(source)
        .find(|token| token.kind == Kind::Raw)?
        .span
        .of(source);
    Some(content.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Converters put everything into `{\displaystyle ...}`, which says nothing.
fn unwrapped(tex: &str) -> String {
    let inner = tex
        .strip_prefix("{\\displaystyle")
        .and_then(|rest| rest.strip_suffix('}'));
    inner.map_or(tex, str::trim).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tex(page: &str) -> Option<(String, bool)> {
        let tree = Tree::new(page);
        match formula(&tree, tree.top().next().unwrap())? {
            Piece::Formula { tex, is_displayed } => Some((tex, is_displayed)),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn pages_say_what_was_written() {
        let found = |text: &str, is_displayed| Some((text.to_owned(), is_displayed));
        let annotated = "<math display=block><mi>x</mi><annotation encoding=application/x-tex>x &lt; 1\n</annotation></math>";
        assert_eq!(tex(annotated), found("x < 1", true));
        assert_eq!(
            tex("<math alttext='{\\displaystyle a^2}'><mi>a</mi></math>"),
            found("a^2", false)
        );
        assert_eq!(
            tex("<script type='math/tex; mode=display'>a <b</script>"),
            found("a <b", true)
        );
        assert_eq!(tex("<script type='text/javascript'>a</script>"), None);
        assert_eq!(tex("<math><mi>a</mi></math>"), None);
    }
}
