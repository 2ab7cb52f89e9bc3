//! Which tags and texts of a page stood on pages before?
//!
//! Pages of a template repeat themselves. A [`Memory`] numbers the different tags and texts that it
//! has met, keeps what was found out about each, and which of them came next. Where a page goes on
//! as one before it did, the next tag or text is known after comparing its bytes, and nothing is
//! looked for inside.
//!
//! ```
//! use unmold::read::tree::{Memory, Tree};
//!
//! let mut memory = Memory::default();
//! for name in ["Congo", "Egypt"] {
//!     let page = format!("<ul class=countries><li>{name}</ul>");
//!     let (fast, plain) = (Tree::with_memory(&page, &mut memory), Tree::new(&page));
//!     assert!(fast.nodes().map(|node| fast.span(node)).eq(plain.nodes().map(|node| plain.span(node))));
//! }
//! ```
//!
//! What is built does not depend on what a memory holds. Only what is read alike wherever it stands
//! is kept: no text with a `<` in it, no tag that the end of a page cuts off, no `<script>` and its
//! like. XML is read without.
//!
//! Cost: a comparison for each tag or text that came next before; the tokeniser and a look into a
//! keyed hash table for others. [`Memory::is_full`] says when it holds so much that starting afresh
//! is better.

use super::{
    Node, Tree, UNKNOWN,
    build::{self, Names, Tag, TagKind},
};
use crate::{
    Span,
    read::{
        html::{self, AttributeNames, Kind, Syntax, Token},
        vocabulary::Vocabulary,
    },
};
use std::borrow::Cow;

/// Longer tags and texts seldom come twice.
const LONGEST: usize = 512;
/// A memory is full when it has so many tags and texts, of so many different ones,
const MOST_MET: usize = 1 << 20;
const MOST_TOKENS: usize = 1 << 16;
/// or names of tags.
const MOST_NAMES: usize = 1 << 12;

/// The tags and texts of pages that were read: with it, trees of pages like these are built faster,
/// and are the same.
#[derive(Clone, Debug)]
pub struct Memory {
    tokens: Vocabulary,
    /// What is known of each.
    known: Vec<KnownToken>,
    /// Those of all pages, in the order in which they came.
    met: Vec<u32>,
    names: Names,
    /// The tags and nodes of the last page, kept for their room.
    tags: Vec<Tag>,
    nodes: Vec<Node>,
}

/// What is known of a tag or text.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownToken {
    /// `None` for white space, which a tree does not have.
    kind: Option<TagKind>,
    is_text: bool,
    name: u32,
    /// Where it was last met.
    last: u32,
    /// The attributes that a start tag may have.
    pub attributes: AttributeNames,
}

impl Default for Memory {
    fn default() -> Self {
        Memory {
            tokens: Vocabulary::default(),
            known: Vec::new(),
            met: Vec::new(),
            names: Names::new(Syntax::Html),
            tags: Vec::new(),
            nodes: Vec::new(),
        }
    }
}

impl Memory {
    /// Whether it is time for a new one.
    pub fn is_full(&self) -> bool {
        self.met.len() >= MOST_MET
            || self.tokens.len() >= MOST_TOKENS
            || self.names.vocabulary.len() >= MOST_NAMES
    }

    pub(super) fn tree<'a>(&'a mut self, page: &'a str) -> Tree<'a> {
        if Syntax::of(page) == Syntax::Xml {
            return build::tree(page);
        }
        self.read(page);
        self.nodes.clear();
        let clipped = build::elements(page, &self.tags, &self.names, &mut self.nodes);
        let names = Cow::Borrowed(&self.names.vocabulary);
        Tree {
            page,
            nodes: Cow::Borrowed(&self.nodes),
            names,
            known: &self.known,
            clipped,
        }
    }

    /// Lists the tags and texts of a page.
    fn read(&mut self, page: &str) {
        self.tags.clear();
        let mut tokens = html::tokens(page);
        // Where the page was like one before, if it goes on like that one.
        let mut like = 0;
        loop {
            let start = tokens.position();
            if let Some(number) = self.skip_expected(&mut tokens, like) {
                let known = &mut self.known[number as usize];
                let span = Span::new(start, tokens.position());
                self.tags.extend(known.kind.map(|kind| Tag {
                    kind,
                    name: known.name,
                    span,
                    token: number,
                }));
                known.last = self.met.len() as u32;
                self.met.push(number);
                like += 1;
            } else if let Some(token) = tokens.next() {
                like = self.take(page, token, like);
            } else {
                return;
            }
        }
    }

    /// Steps over the tag or text that was met at a place, if it comes next again.
    #[inline]
    fn skip_expected(&self, tokens: &mut html::Tokens<'_>, place: usize) -> Option<u32> {
        let number = *self.met.get(place)?;
        tokens
            .skip_known(
                self.tokens.bytes(number),
                self.known[number as usize].is_text,
            )
            .then_some(number)
    }

    /// Takes up a token that was not expected, and gives the place that the page may go on like.
    fn take(&mut self, page: &str, token: Token, like: usize) -> usize {
        let tag = Tag::new(page, token, &mut self.names);
        if !is_kept(page, token) {
            self.tags.extend(tag);
            return like;
        }
        let number = self.tokens.intern(token.span.of(page));
        self.tags.extend(tag.map(|tag| Tag {
            token: number,
            ..tag
        }));
        let here = self.met.len() as u32;
        self.met.push(number);
        if let Some(known) = self.known.get_mut(number as usize) {
            let last = std::mem::replace(&mut known.last, here);
            return last as usize + 1;
        }
        let (kind, name) = (tag.map(|tag| tag.kind), tag.map_or(UNKNOWN, |tag| tag.name));
        let (is_text, attributes) = (token.kind == Kind::Text, AttributeNames::of(page, token));
        self.known.push(KnownToken {
            kind,
            is_text,
            name,
            last: here,
            attributes,
        });
        // A value that is new: behind it things go on as they did behind another.
        like + 1
    }
}

/// Whether a token is read alike wherever it stands, and may come again.
fn is_kept(page: &str, token: Token) -> bool {
    let is_alike = match token.kind {
        Kind::Text => memchr::memchr(b'<', &page.as_bytes()[token.span.range()]).is_none(),
        Kind::Start => html::elements::raw_content(&page.as_bytes()[token.name.range()]).is_none(),
        Kind::End => true,
        _ => false,
    };
    let is_whole = (token.span.end as usize) < page.len();
    is_alike && is_whole && token.span.len() <= LONGEST
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All that a tree says.
    fn told(tree: &Tree<'_>) -> Vec<(String, Span, Option<usize>, usize)> {
        let node = |node| {
            let parent = tree.parent(node).map(|parent| parent.index());
            (
                tree.name(node).to_owned(),
                tree.span(node),
                parent,
                tree.subtree(node).len(),
            )
        };
        tree.nodes().map(node).collect()
    }

    proptest! {
        #[test]
        fn trees_do_not_depend_on_what_was_read_before(
            pages in proptest::collection::vec("(<(/?)(b|B|p|td|tr|table|a href=\"x|a href='>'|div class=\"a b\"|i/|title|script|iframe/|svg|math|foreignObject|textarea|form|select|option|li|body|html)(>|)|[<>\"'/! a-c]|--|&nbsp;|<!--|<!\\[CDATA\\[|\\]\\]>|<!doctype html>|<\\?xml ){0,40}", 1..6),
        ) {
            let mut memory = Memory::default();
            for page in pages.iter().chain(&pages) {
                let plain = Tree::new(page);
                let fast = Tree::with_memory(page, &mut memory);
                prop_assert_eq!(told(&fast), told(&plain), "{}", page);
                prop_assert_eq!(fast.is_clipped(), plain.is_clipped());
            }
        }
    }

    #[test]
    fn equal_tags_and_texts_have_equal_numbers() {
        let mut memory = Memory::default();
        let mut numbers = |page: &str| -> Vec<Option<u32>> {
            let tree = Tree::with_memory(page, &mut memory);
            tree.nodes().map(|node| tree.token_number(node)).collect()
        };
        let first = numbers("<p class=a>one<p class=a>two<script>x</script><b>");
        let second = numbers("<p class=a>two<i></i>");
        assert_eq!(
            (first[0], first[2], first[3]),
            (second[0], first[0], second[1])
        );
        // A script is read by what follows, and the last tag might have been cut off.
        assert_eq!((first[4], first[5]), (None, None));
    }

    #[test]
    fn a_memory_knows_when_it_is_full() {
        let mut memory = Memory::default();
        let page: String = (0..MOST_TOKENS)
            .map(|number| format!("<b>{number}"))
            .collect();
        Tree::with_memory(&page, &mut memory);
        assert!(memory.is_full());
    }
}
