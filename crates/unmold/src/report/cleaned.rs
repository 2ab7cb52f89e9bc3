//! The content of a page as a row for other programs.

use super::rows::Fields;
use crate::reader::{Content, Extraction, Lack};
use serde::Serialize;

/// A page's content, and what the page says about itself.
#[derive(Serialize)]
#[non_exhaustive]
pub struct CleanedRow<'e> {
    /// The id of the page.
    pub page: &'e str,
    /// Its address, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<&'e str>,
    /// What the page is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// When it was published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<&'e str>,
    /// Who wrote it.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub authors: &'e [String],
    /// The language it is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<&'e str>,
    /// What the site is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site: Option<&'e str>,
    /// What it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<&'e str>,
    /// The address that the page calls its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canonical: Option<&'e str>,
    /// What it is filed under.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub tags: &'e [String],
    /// The content.
    pub text: String,
    /// Whether the page shows no text, and this is what it states for machines.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stated: bool,
    /// Why there is no text, or little.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lack: Option<Lack>,
    /// Whether the page is known to be cut short.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    fields: Option<Fields<'e>>,
    /// The spans of the content.
    pub content: Vec<[u32; 2]>,
}

impl<'e> CleanedRow<'e> {
    /// The row of a page; with its fields, if they were asked for.
    pub fn new(extraction: &'e Extraction<'e>, content: &Content<'_>, with_fields: bool) -> Self {
        let (page, about) = (extraction.page(), extraction.about());
        let text = content.text();
        CleanedRow {
            page: page.id(),
            url: page.url(),
            title: title(extraction, &text),
            date: about.date.as_deref(),
            authors: &about.authors,
            language: about.language.as_deref(),
            site: about.site.as_deref(),
            description: about.description.as_deref(),
            canonical: about.canonical.as_deref(),
            tags: &about.tags,
            text,
            stated: content.is_stated(),
            lack: content.lack(),
            truncated: page.is_truncated(),
            fields: with_fields.then_some(Fields(extraction)),
            content: content
                .spans()
                .iter()
                .map(|span| [span.start, span.end])
                .collect(),
        }
    }
}

/// The headlines of pages are among this many lines of their content: a section or a date may stand
/// before them. Chosen by hand.
const FIRST_LINES: usize = 3;

/// The title that the page states, with `text` for its content. Of `<title>`, which often has the
/// name of the site as well, a first line that is half of it, and is in it as it is, is the headline.
pub fn title(extraction: &Extraction<'_>, text: &str) -> Option<String> {
    let stated = extraction.about().title.as_deref()?;
    if !extraction.about().is_title_tag {
        return Some(stated.to_owned());
    }
    for line in text.lines().take(FIRST_LINES) {
        if 2 * line.len() >= stated.len() && stated.contains(line) {
            return Some(line.to_owned());
        }
    }
    Some(stated.to_owned())
}
