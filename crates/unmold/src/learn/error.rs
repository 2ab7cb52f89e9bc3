//! Why was nothing learned?

use crate::{group::Closest, symbols::index::IndexError};

/// Why nothing was learned.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LearnError {
    /// There is nothing to compare a page with.
    #[error("one page alone has nothing to compare with: give at least two")]
    OnePage,
    /// All pages are the same.
    #[error("nothing varies from page to page: all pages are the same")]
    AllTheSame,
    /// An example is about no page, or about several.
    #[error("{0}")]
    Example(String),
    /// No two pages are built alike: what differs between them is everything.
    #[error("no two pages share a template{}: give pages of the same kind, from the same site", closest_pair(.0.as_ref()))]
    NoTemplate(Option<Closest>),
    /// What was learned is no mold that could be read again: an example has a name that no field
    /// may have.
    #[error("the mold cannot be read back: {0}")]
    Unreadable(String),
    /// The pages could not be indexed.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// This program has an error that no single page shows.
    #[error("an error of this program, please report it: {0}")]
    Failed(String),
}

/// What the two pages that share most do share, in brackets.
fn closest_pair(closest: Option<&Closest>) -> String {
    closest.map_or(String::new(), |closest| format!(" ({closest})"))
}
