//! Which lists does a page have after a text that may be their heading?
//!
//! `<h2>Ingredients</h2><ul><li>salt<li>oil</ul>` is a list with the heading "Ingredients". Whether
//! a text is a heading or the last words of a paragraph, other pages of the template tell. A heading
//! without a list right after it has those of its section ("For the soup", "To serve").
//!
//! What stands in navigation, forms and asides is not of the page, and lists of links lead away from
//! it. Cost: a pass over the tree; the texts of lists are read once.

use super::{
    html::{elements::heading_level, visible_text},
    tree::{NodeId, Tree},
};
use crate::Span;
use rapidhash::RapidHashSet;

/// Headings have at most this many letters, as labels of learned fields have.
const HEADING_LETTERS: usize = 40;
/// A heading of more words is a sentence.
const HEADING_WORDS: usize = 6;
/// An item has at most this many letters: what is longer is an article. Chosen by hand.
const ITEM_LETTERS: usize = 1_000;
/// A page has at most this many lists: what has more is a list itself. Chosen by hand.
const MAX_LISTS: usize = 60;

/// A list with the text before it.
pub(crate) struct HeadedList {
    /// The text, without a colon at its end.
    pub heading: String,
    /// The items, each with its place.
    pub items: Vec<(String, Span)>,
    /// Whether the heading is right before it, and not that of a section around it.
    is_next: bool,
}

/// The lists of a page that may have a heading, in the order of the page.
pub(crate) fn headed_lists(tree: &Tree<'_>) -> Vec<HeadedList> {
    let mut lists = Vec::new();
    let mut skipped_to = 0;
    // The last text before a node, and the headings that it is under, the outermost first.
    let mut before = None;
    let mut sections: Vec<(u8, String)> = Vec::new();
    for node in tree.nodes() {
        if lists.len() >= MAX_LISTS {
            break;
        }
        if !tree.is_element(node) && !tree.span(node).of(tree.page()).trim().is_empty() {
            before = Some(node);
        }
        if node.index() < skipped_to {
            continue;
        }
        let name = tree.name(node);
        if let Some(level) = heading_level(name) {
            sections.retain(|(outer, _)| *outer < level);
            // The first level is the page itself.
            if level > 1
                && let Some(heading) = heading(tree, node)
            {
                sections.push((level, heading));
            }
        }
        match name {
            "nav" | "footer" | "aside" | "form" | "button" | "select" | "head" => {
                skipped_to = tree.subtree_end(node);
            }
            "ul" | "ol" => {
                skipped_to = tree.subtree_end(node);
                let Some(items) = items(tree, node) else {
                    continue;
                };
                let before = before.and_then(|before| heading(tree, before));
                for heading in headings(before.clone(), &sections) {
                    lists.push(HeadedList {
                        is_next: before.as_ref() == Some(&heading),
                        heading,
                        items: items.clone(),
                    });
                }
            }
            _ => {}
        }
    }
    without_further(lists)
}

/// The lists without those further down in the section of a heading that has a list right after it.
fn without_further(lists: Vec<HeadedList>) -> Vec<HeadedList> {
    let mut with_next: RapidHashSet<String> = RapidHashSet::default();
    for list in lists.iter().filter(|list| list.is_next) {
        with_next.insert(list.heading.clone());
    }
    let mut kept = lists;
    kept.retain(|list| list.is_next || !with_next.contains(&list.heading));
    kept
}

/// The headings of a list: the text before it, and the headings that it is under.
fn headings(before: Option<String>, sections: &[(u8, String)]) -> Vec<String> {
    let mut headings: Vec<String> = sections.iter().map(|(_, text)| text.clone()).collect();
    headings.extend(before);
    headings.sort();
    headings.dedup();
    headings
}

/// A text as a heading, if it is short enough.
fn heading(tree: &Tree<'_>, node: NodeId) -> Option<String> {
    let text = visible_text(tree.span(node).of(tree.page()));
    let heading = text.trim_end_matches([':', '：']).trim();
    let is_heading = heading.contains(char::is_alphabetic)
        && heading.chars().count() <= HEADING_LETTERS
        && heading.split_whitespace().count() <= HEADING_WORDS;
    is_heading.then(|| heading.to_owned())
}

/// The items of a list that is more than a menu.
fn items(tree: &Tree<'_>, list: NodeId) -> Option<Vec<(String, Span)>> {
    let mut items = Vec::new();
    let mut is_menu = true;
    for item in tree.elements(list).filter(|item| tree.name(*item) == "li") {
        let text = visible_text(tree.span(item).of(tree.page()));
        if text.is_empty() {
            continue;
        }
        if text.chars().count() > ITEM_LETTERS {
            return None;
        }
        is_menu &= is_link(tree, item);
        let mut texts = tree.texts(item).map(|text| tree.span(text));
        let first = texts.next()?;
        items.push((text, first.to(texts.last().unwrap_or(first))));
    }
    // One item is a line of its own.
    (items.len() > 1 && !is_menu).then_some(items)
}

/// Whether all that an item says is in links.
fn is_link(tree: &Tree<'_>, item: NodeId) -> bool {
    let mut texts = tree
        .texts(item)
        .filter(|text| !tree.span(*text).of(tree.page()).trim().is_empty());
    texts.all(|text| {
        let mut around = tree.ancestors(text).take_while(|outer| *outer != item);
        around.any(|outer| tree.name(outer) == "a")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_the_text_before_them_and_menus_are_none() {
        let page = "<nav>All<ul><li>a<li>b</ul></nav><h2>材料：</h2><div><ol><li>塩 <b>1</b><li> <li>水</ol></div>
            <h3>More</h3><ul><li><a href=/>Soup</a><li><a href=/>Stew</a></ul>
            <p>One<ul><li>c<li>d</ul>";
        let tree = Tree::new(page);
        let lists = headed_lists(&tree);
        let headings: Vec<&str> = lists.iter().map(|list| list.heading.as_str()).collect();
        assert_eq!(headings, ["材料", "More", "One"]);
        let items: Vec<_> = lists[0].items.iter().map(|(text, _)| text).collect();
        assert_eq!(items, ["塩 1", "水"]);
        for (text, span) in &lists[0].items {
            assert_eq!(&visible_text(span.of(page)), text);
        }
    }
}
