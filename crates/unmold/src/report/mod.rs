//! Results as programs and people want them: rows, tables, pictures.

pub mod cleaned;
mod links;
pub mod paint;
pub mod picture;
pub mod records;
pub mod rows;
pub mod table;
pub mod typed;
pub mod typed_rows;
