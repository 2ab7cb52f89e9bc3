//! From where can the tokens of a page be read as if it began there?

use super::{Node, Tree};
use crate::read::html::{Syntax, elements::raw_content};

impl Tree<'_> {
    /// Where tokens may be read from to have those behind a place: at or before it, where a tag or
    /// text begins and nothing is open, by tags alone, that changes how they are read or written.
    /// These are SVG, MathML and listings.
    pub(crate) fn restart(&self, place: u32) -> usize {
        let before = self.nodes.partition_point(|node| node.start.start <= place);
        if before == 0 || Syntax::of(self.page) == Syntax::Xml {
            return 0;
        }
        let last = self.outside_raw(before - 1);
        let at = self.nodes[last].start.start;
        let names = ["pre", "svg", "math"].map(|name| self.names.number(name));
        let is_open = |node: &&Node| {
            names.contains(&Some(node.name)) && !(node.end <= at && self.ends_by_tag(node))
        };
        self.nodes[..last]
            .iter()
            .find(is_open)
            .map_or(at, |open| open.start.start) as usize
    }

    /// A node, or the element around it whose content is no markup and is only read as such behind
    /// its start tag.
    fn outside_raw(&self, node: usize) -> usize {
        let parent = self.nodes[node].parent as usize;
        let is_raw = |outer: &Node| raw_content(self.names.bytes(outer.name)).is_some();
        if self.nodes.get(parent).is_some_and(is_raw) {
            parent
        } else {
            node
        }
    }

    /// Whether an element ends with its own end tag, as nearly all do.
    fn ends_by_tag(&self, node: &Node) -> bool {
        let name = self.names.bytes(node.name);
        let written = &self.page.as_bytes()[node.start.start as usize..node.end as usize];
        let tag = written
            .len()
            .checked_sub(name.len() + 3)
            .map(|start| &written[start..]);
        tag.is_some_and(|tag| {
            tag.starts_with(b"</")
                && tag.ends_with(b">")
                && tag[2..tag.len() - 1].eq_ignore_ascii_case(name)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::html;
    use proptest::prelude::*;

    fn restart(page: &str, place: &str) -> usize {
        Tree::new(page).restart(page.find(place).unwrap() as u32)
    }

    #[test]
    fn reading_begins_at_the_text_or_at_what_is_open_around_it() {
        assert_eq!(restart("<p>one<p>two three", "three"), 9);
        assert_eq!(restart("<p>one<pre>two <b>three</b></pre>", "three"), 6);
        assert_eq!(restart("<pre>one</pre><p>two", "two"), 17);
        assert_eq!(restart("<table><td><pre>one<td>two", "two"), 11);
        assert_eq!(restart("<svg><g/></SVG><p>two", "two"), 18);
        assert_eq!(restart("<svg><g><p>two", "two"), 0);
        assert_eq!(restart("<p>one<textarea>two</textarea>", "two"), 6);
        assert_eq!(restart("<?xml version=1.0?><a>two</a>", "two"), 0);
    }

    proptest! {
        #[test]
        fn tokens_are_the_same_from_there_on(
            page in "(<(/?)(b|p|td|table|pre|PRE|svg|math|title|script|textarea|select|body|g)(>|/>)|[<>a-c ]|<!--|-->|<!\\[CDATA\\[|\\]\\]>){0,40}",
            place in 0u32..200,
        ) {
            let start = Tree::new(&page).restart(place);
            prop_assert!(start <= place as usize);
            let behind = html::tokens(&page).skip_while(|token| (token.span.start as usize) < start);
            prop_assert!(html::tokens_from(&page, start).eq(behind), "{} from {}", page, start);
        }
    }
}
