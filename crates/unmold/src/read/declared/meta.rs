//! What do `<meta>` elements declare?

use super::data::{Data, Object, TYPE};
use crate::{
    Span,
    read::{
        html::attribute_text,
        tree::{NodeId, Tree},
    },
};

/// What the `<meta>` elements of a page declare.
#[derive(Default)]
pub(super) struct Metas {
    /// Open Graph and what is written as it is: names with a prefix, such as `og:title` and
    /// `product:price:amount`.
    pub open_graph: Object,
    /// All other names.
    pub plain: Object,
    /// Where the first of either is.
    pub open_graph_span: Span,
    pub plain_span: Span,
}

impl Metas {
    /// Takes up a `<meta>`.
    pub fn add(&mut self, tree: &Tree<'_>, node: NodeId) {
        let attribute = |name: &str| {
            let page = tree.page();
            let mut attributes = tree.attributes(node);
            attributes
                .find(|known| known.name.of(page).eq_ignore_ascii_case(name))?
                .value
        };
        let Some(content) = attribute("content") else {
            return;
        };
        let property = attribute("property");
        let Some(name) = property.or_else(|| attribute("name")) else {
            return;
        };
        let name = attribute_text(name.of(tree.page()));
        let value = Data::scalar(attribute_text(content.of(tree.page())), content);
        if name.is_empty() {
            return;
        }
        let is_prefixed = name
            .split_once(':')
            .is_some_and(|(prefix, _)| !prefix.is_empty());
        let is_open_graph = is_prefixed && (property.is_some() || name.starts_with("og:"));
        let (object, span) = if is_open_graph {
            (&mut self.open_graph, &mut self.open_graph_span)
        } else {
            (&mut self.plain, &mut self.plain_span)
        };
        if object.properties.is_empty() {
            *span = tree.span(node);
        }
        if name == "og:type" {
            object.push(TYPE, value.clone());
        }
        object.push(name, value);
    }
}
