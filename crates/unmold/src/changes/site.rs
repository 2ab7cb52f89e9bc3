//! The changes of a site, page by page.

use super::{content::LineChange, rows::ListChange, values::FieldChange};
use crate::{Text, read::PageError};
use serde::Serialize;

/// What changed on a site, page by page.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SiteChanges {
    /// The pages that changed, came or went, those of the new side first, in the order given.
    pub pages: Vec<PageChange>,
    /// How many pages are on both sides and did not change.
    pub unchanged: usize,
    /// The pages that show an error of this program; they are not compared.
    #[serde(skip)]
    pub failed: Vec<PageError>,
}

/// What changed on a page.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PageChange {
    /// What the page is called.
    pub page: String,
    /// Its URL, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// What happened to it.
    pub change: PageFate,
    /// The fields that have other values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldChange>,
    /// The lists that have other rows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lists: Vec<ListChange>,
    /// The lines of content that are others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub content: Vec<LineChange>,
}

/// What happened to a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageFate {
    /// Only the new side has it.
    New,
    /// Only the old side has it.
    Gone,
    /// Both have it, and not the same on it.
    Changed,
}

impl SiteChanges {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }
}

impl PageChange {
    /// What happened to a page, before anything on it is compared.
    pub(super) fn of(page: &Text, change: PageFate) -> Self {
        PageChange {
            page: page.id().to_owned(),
            url: page.url().map(str::to_owned),
            change,
            fields: Vec::new(),
            lists: Vec::new(),
            content: Vec::new(),
        }
    }
}
