//! Results as people and programs want them: text, documents, rows, pictures.

pub mod document;
pub mod html;
pub mod markdown;
pub mod picture;
pub mod rows;
pub mod text;
