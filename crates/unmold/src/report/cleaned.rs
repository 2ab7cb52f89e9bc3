//! The content of a page as a row for other programs.

use super::rows::Fields;
use crate::{
    read::html::visible_text,
    reader::{Content, Extraction},
};
use serde::Serialize;

/// A page's content, and what the page says about itself.
#[derive(Serialize)]
pub struct CleanedRow<'e> {
    page: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<&'e str>,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fields: Option<Fields<'e>>,
    content: Vec<[u32; 2]>,
}

impl<'e> CleanedRow<'e> {
    /// The row of a page; with its fields, if they were asked for.
    pub fn new(extraction: &'e Extraction<'e>, content: &Content<'_>, with_fields: bool) -> Self {
        let (page, about) = (extraction.page(), extraction.about());
        let headline = content.headline().map(|span| visible_text(span.of(page.as_str())));
        CleanedRow {
            page: page.id(),
            url: page.url(),
            title: headline.or_else(|| about.title.clone()),
            date: about.date.as_deref(),
            author: about.author.as_deref(),
            text: content.text(),
            fields: with_fields.then_some(Fields(extraction)),
            content: content.spans().iter().map(|span| [span.start, span.end]).collect(),
        }
    }
}
