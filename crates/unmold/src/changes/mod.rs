//! What changed on a site between two visits?
//!
//! A mold reads both sides, and what it finds is compared: values of fields, rows of lists, words of
//! the main content. The frame of a page is never compared, so a new menu or a new footer is no
//! change:
//!
//! ```
//! use unmold::{Mold, Text, changes::What};
//!
//! let page = |name: &str, price: &str, menu: &str| Text::from_string(name, format!(
//!     "<nav>{menu}</nav><h1>{name}</h1><table><tr><th>Price:<td>{price}</table><p>All rights reserved"));
//! let old = [page("Kettle", "£48.50", "Home"), page("Knife", "£12.00", "Home"), page("Pan", "£31.00", "Home")];
//! let new = [page("Kettle", "£45.50", "News"), page("Knife", "£12.00", "News"), page("Pot", "£22.00", "News")];
//!
//! let changes = Mold::learn(&old)?.changes(&old, &new);
//! let rows = changes.rows().filter(|row| row.what != What::Content);
//! let lines: Vec<String> = rows.map(|row| row.to_string()).collect();
//! assert_eq!(lines, [
//!     "Kettle: Price £48.50 -> £45.50 (-3, -6.2 %)",
//!     "Pot: the page is new",
//!     "Pan: the page is gone",
//! ]);
//! # Ok::<(), unmold::learn::LearnError>(())
//! ```
//!
//! # How
//!
//! 1. Pages are the same if they have the same URL or, where one side has none, the same id. Of
//!    several copies of a page the last of each side counts.
//! 2. A field has changed if other values are found that readers see, and not in a menu. Where a rule found nothing, or doubts what it
//!    found, and the page still says the value, the value was moved and did not change.
//! 3. Rows of a list are the same if all their texts are, in whatever order they come. Of the others,
//!    those with the same link or with half of their texts in common are one row that changed.
//! 4. Lines of content are the same in whatever order. A line that the other page says somewhere, in
//!    its content or outside of it, is no change: the content was only cut otherwise. What is left is
//!    paired and compared word by word.
//!
//! # Cost
//!
//! Both sides are read once. Comparing is linear in the pages: what is said on a page is kept as a
//! set of its word sequences, and two lines are compared word by word only within a budget in
//! proportion to their lengths.

mod compare;
mod content;
mod html;
mod pages;
mod rows;
mod said;
mod side;
mod site;
mod table;
mod values;
mod words;

pub use {
    content::LineChange,
    html::written as html,
    rows::{ListChange, ListRow, RowChange},
    site::{PageChange, PageFate, SiteChanges},
    table::{ChangeRow, What},
    values::{Difference, FieldChange, Unit},
    words::{Piece, PieceKind},
};
