//! Results as people and programs want them: rows and pictures.

pub mod picture;
pub mod rows;
