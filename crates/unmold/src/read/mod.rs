//! What stands on a page, and where?
//!
//! Everything begins here: bytes and what their source said of them ([`Page`]), the text they
//! decode to ([`Text`]), its tokens ([`html`]), its elements ([`tree`]), and what the page says
//! about itself ([`metadata`]). Every answer anywhere is made of [`Span`]s of that text.
//!
//! ```
//! use unmold::{Page, Text, read::tree::Tree};
//!
//! let text = Text::decode(Page::new("1.html", b"<ul><li>one<li>two</ul>".to_vec()));
//! let tree = Tree::new(text.as_str());
//! assert_eq!(tree.nodes().filter(|&node| tree.name(node) == "li").count(), 2);
//! ```

mod anchored;
mod budget;
pub mod declared;
pub mod decode;
pub(crate) mod first_bytes;
pub(crate) mod guard;
pub(crate) mod headed;
pub mod html;
pub mod jagged;
pub mod metadata;
pub mod mutable;
pub(crate) mod order;
pub mod page;
pub(crate) mod pool;
pub(crate) mod printable;
mod span;
pub mod tree;
pub mod vocabulary;

#[cfg(debug_assertions)]
pub use guard::fail_on_purpose_at;
pub(crate) use span::free_parts;
pub use {
    decode::Text,
    guard::{PageError, PageErrorKind, guarded},
    page::Page,
    printable::{is_commanding, printable},
    span::{Span, gaps},
};

/// The longest delimiter, expression or name that is read in a rule: nothing that is learned comes
/// near it.
pub(crate) const STRING_BYTES: usize = 64 << 10;
