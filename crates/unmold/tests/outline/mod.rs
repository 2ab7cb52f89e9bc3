//! What two trees of a page must agree on: its texts, in order, each under the same blocks.
//!
//! Blocks are the elements that break lines. Two neighbouring texts in the same blocks are one
//! text, so what only formats words does not count. A block is told by its name and by the number
//! of the first text in it: two `<p>` are not the same as one.
//!
//! Left out on both sides are blocks that a parser invents (`html`, `head`, `body`, `tbody`, and
//! each name that the page does not write), texts that no browser shows (scripts, styles, what
//! stands for a frame), white space, and NUL with what stands for it.

use std::{borrow::Cow, collections::HashSet};
use unmold::{
    Span,
    read::{
        html::{Kind, breaks_line, tokens},
        tree::{NodeId, Tree},
    },
};

/// A block: its name, and the number of the first text in it.
type Block = (String, usize);

/// The texts of a page, each with the blocks it stands in, the outermost first.
pub type Outline = Vec<(Vec<Block>, String)>;

/// Makes an outline from a walk through a tree.
pub struct Outliner {
    /// The names that the page writes.
    written: HashSet<String>,
    /// The open blocks; those without a text have no number yet.
    open: Vec<(String, Option<usize>)>,
    outline: Outline,
}

impl Outliner {
    pub fn new(page: &str) -> Self {
        let starts = tokens(page).filter(|token| token.kind == Kind::Start);
        let written = starts
            .map(|token| token.name.of(page).to_ascii_lowercase())
            .collect();
        Outliner {
            written,
            open: Vec::new(),
            outline: Vec::new(),
        }
    }

    /// Enters an element, and says how many blocks were open before.
    pub fn enter(&mut self, name: &str) -> usize {
        let depth = self.open.len();
        if self.is_block(name) {
            self.open.push((name.to_ascii_lowercase(), None));
        }
        depth
    }

    fn is_block(&self, name: &str) -> bool {
        let is_invented = matches!(name, "html" | "head" | "body" | "tbody");
        !is_invented && breaks_line(name) && self.written.contains(&name.to_ascii_lowercase())
    }

    /// Leaves elements until only so many blocks are open.
    pub fn leave(&mut self, depth: usize) {
        self.open.truncate(depth);
    }

    /// Takes a text, with its entities decoded.
    pub fn text(&mut self, text: &str) {
        let is_seen =
            |c: &char| !c.is_whitespace() && !matches!(*c, '\0' | char::REPLACEMENT_CHARACTER);
        let seen: String = text.chars().filter(is_seen).collect();
        if seen.is_empty() {
            return;
        }
        let next = self.outline.len();
        let number = |(name, first): &mut (String, Option<usize>)| {
            (name.clone(), *first.get_or_insert(next))
        };
        let blocks: Vec<Block> = self.open.iter_mut().map(number).collect();
        match self.outline.last_mut() {
            Some((last, before)) if *last == blocks => before.push_str(&seen),
            _ => self.outline.push((blocks, seen)),
        }
    }

    pub fn finish(self) -> Outline {
        self.outline
    }
}

/// Whether no browser shows the text in an element of this name.
pub fn is_unseen(name: &str) -> bool {
    matches!(name, "script" | "style" | "iframe" | "noembed" | "noframes")
}

/// The outline of our tree.
pub fn ours(page: &str) -> Outline {
    let tree = Tree::new(page);
    let mut outliner = Outliner::new(page);
    let sections = tokens(page)
        .filter(|token| token.kind == Kind::Cdata)
        .map(|token| token.span)
        .collect();
    tree.top()
        .for_each(|node| walk(&tree, node, &sections, &mut outliner));
    outliner.finish()
}

fn walk(tree: &Tree<'_>, node: NodeId, sections: &HashSet<Span>, outliner: &mut Outliner) {
    if !tree.is_element(node) {
        let (span, source) = (tree.span(node), tree.span(node).of(tree.page()));
        return outliner.text(&if sections.contains(&span) {
            inside(source)
        } else {
            htmlize::unescape(source)
        });
    }
    if is_unseen(tree.name(node)) {
        return;
    }
    let depth = outliner.enter(tree.name(node));
    tree.children(node)
        .for_each(|child| walk(tree, child, sections, outliner));
    outliner.leave(depth);
}

/// What stands in a CDATA section: no entities.
fn inside(section: &str) -> Cow<'_, str> {
    let inside = section.strip_prefix("<![CDATA[").unwrap_or(section);
    Cow::from(inside.strip_suffix("]]>").unwrap_or(inside))
}
