//! Results as people and programs want them: text, pictures.

pub mod picture;
pub mod text;
