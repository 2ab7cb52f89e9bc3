//! A page that shows an error of this program costs that page and no other.

use super::Text;
use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Makes every page fail that holds this text, wherever its tree is built: to test that a failing
/// page costs no other. Only in programs with debug assertions, and only the first text counts.
#[cfg(debug_assertions)]
pub fn fail_on_purpose_at(text: String) {
    _ = FAILING.set(text);
}

#[cfg(debug_assertions)]
static FAILING: std::sync::OnceLock<String> = std::sync::OnceLock::new();

/// Panics on a page that is to fail.
#[cfg(debug_assertions)]
pub(crate) fn fail_on_purpose(page: &str) {
    if let Some(text) = FAILING.get() {
        assert!(!page.contains(text.as_str()), "on purpose");
    }
}

/// A page that could not be worked on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{page}: {}", self.reason())]
#[non_exhaustive]
pub struct PageError {
    /// The id of the page.
    pub page: String,
    /// Whose fault it is.
    pub kind: PageErrorKind,
    /// What the program said.
    pub message: String,
}

/// Why a page could not be worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PageErrorKind {
    /// This program has an error that the page shows.
    Panic,
    /// The page has more elements and texts than are read of a page of its size.
    TooComplex,
}

impl PageError {
    /// What happened, without the page.
    pub fn reason(&self) -> String {
        match self.kind {
            PageErrorKind::Panic => format!(
                "an error of this program, please report it: {}",
                self.message
            ),
            PageErrorKind::TooComplex => self.message.clone(),
        }
    }
}

/// Does a piece of work on a page; a panic becomes an error.
///
/// ```
/// use unmold::{Text, read::guarded};
///
/// let page = Text::from_string("1.html", "<p>");
/// assert_eq!(guarded(&page, |page| page.as_str().len()), Ok(3));
/// let error = guarded(&page, |_| panic!("of this page")).unwrap_err();
/// assert_eq!((error.page.as_str(), error.message.as_str()), ("1.html", "of this page"));
/// ```
///
/// # Errors
/// When the work panics.
pub fn guarded<T>(text: &Text, work: impl FnOnce(&Text) -> T) -> Result<T, PageError> {
    guarded_by_id(text.id(), || work(text))
}

/// The same for a page that is no text yet.
pub(super) fn guarded_by_id<T>(page: &str, work: impl FnOnce() -> T) -> Result<T, PageError> {
    // Nothing that is used again is left half done: what work shares between pages gives the same
    // outcome whatever it holds.
    let outcome = catch_unwind(AssertUnwindSafe(work));
    outcome.map_err(|panic| PageError {
        page: page.to_owned(),
        kind: PageErrorKind::Panic,
        message: message(panic.as_ref()),
    })
}

fn message(panic: &(dyn Any + Send)) -> String {
    let message = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    message.unwrap_or("no message").to_owned()
}
