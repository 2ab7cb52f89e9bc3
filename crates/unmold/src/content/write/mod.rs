//! What is left of a page without its template, for people and programs to read.

pub mod document;
pub mod html;
pub mod markdown;
pub mod text;
