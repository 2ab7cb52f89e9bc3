//! What is left of a page without its template, for people and programs to read.
//!
//! ```text
//! page, template -> text                                  (tokens, one pass)
//!               \-> whole -> parse -> document -> markdown
//!                                             \-> html
//! ```
//!
//! Content is found as spans of running text. `whole` adds what has no words and belongs to it all
//! the same: pictures, captions, rules, formulas, the rest of a listing. `parse` reads the page as
//! a [`document`], which holds no markup, and the writers write that.

mod address;
mod code;
pub mod document;
mod formula;
pub mod html;
mod image;
mod line;
pub mod markdown;
mod parse;
pub mod source;
mod table;
pub mod text;
mod whole;
