//! Does this payload become a page?
//!
//! Files, records, lines and rows all end here, so that the same bytes meet the same verdict
//! wherever they stood.

use unmold::Page;

use crate::fault::{At, Fault};
use crate::kind::{binary_format, is_blank, is_json, is_page_type};
use crate::settings::LoadSettings;
use crate::tally::{Loaded, Note, SkipKind, Skipped};

/// One item with the remarks on it.
pub(crate) struct Item {
    pub(crate) loaded: Loaded,
    pub(crate) notes: Vec<Note>,
}

impl Item {
    pub(crate) fn skipped(file: &str, at: At, kind: SkipKind, reason: impl Into<String>) -> Item {
        Item {
            loaded: Loaded::Skipped(Skipped::new(file, at, kind, reason)),
            notes: Vec::new(),
        }
    }
}

impl From<Fault> for Item {
    fn from(fault: Fault) -> Item {
        Item {
            loaded: Loaded::Fault(fault),
            notes: Vec::new(),
        }
    }
}

/// The items of one input.
pub(crate) type Items = Box<dyn Iterator<Item = Item> + Send>;

/// A payload and what its source said about it.
#[derive(Default)]
pub(crate) struct Candidate {
    pub(crate) url: Option<String>,
    pub(crate) media_type: Option<String>,
    pub(crate) charset: Option<String>,
    pub(crate) fetch_time: Option<String>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) truncated: bool,
    /// How many bytes the payload has, where more than are in `bytes` are known of.
    pub(crate) size: Option<u64>,
    /// Whether bytes are missing because of a limit.
    pub(crate) is_cut: bool,
    pub(crate) notes: Vec<Note>,
}

impl Candidate {
    /// The verdict on the payload at `at` of `file`.
    pub(crate) fn judge(mut self, file: &str, at: At, settings: &LoadSettings) -> Item {
        self.cut(settings.get_page_bytes());
        let notes = std::mem::take(&mut self.notes);
        let loaded = match self.refusal(file, at, settings) {
            Some((kind, reason)) => Loaded::Skipped(Skipped::new(file, at, kind, reason)),
            None if self.is_cut => {
                let fault = Fault::of_cut(file, at, self.size, settings.get_page_bytes());
                Loaded::Cut(self.into_page(at.id_in(file)), fault)
            }
            None => Loaded::Page(self.into_page(at.id_in(file))),
        };
        Item { loaded, notes }
    }

    fn cut(&mut self, limit: usize) {
        if self.bytes.len() > limit {
            self.bytes.truncate(limit);
            self.is_cut = true;
        }
        self.truncated |= self.is_cut;
    }

    fn refusal(&self, file: &str, at: At, settings: &LoadSettings) -> Option<(SkipKind, String)> {
        if let Some(other) = self
            .media_type
            .as_deref()
            .filter(|media_type| !is_page_type(media_type))
        {
            return Some(if other.ends_with("json") {
                (SkipKind::Json, format!("a JSON document ({other})"))
            } else {
                (SkipKind::MediaType, format!("not a page but {other}"))
            });
        }
        if is_blank(&self.bytes) {
            return Some((SkipKind::Empty, "empty".to_owned()));
        }
        if let Some(format) = binary_format(&self.bytes) {
            return Some((SkipKind::Binary, format!("not a page but {format}")));
        }
        if is_json(&self.bytes) {
            return Some((SkipKind::Json, "a JSON document".to_owned()));
        }
        if self.truncated && !settings.gives_truncated() {
            return Some((SkipKind::Truncated, "cut short".to_owned()));
        }
        let wanted = settings.wants(&at.id_in(file), self.url.as_deref());
        (!wanted).then(|| (SkipKind::NotIncluded, "not included".to_owned()))
    }

    fn into_page(self, id: String) -> Page {
        let mut page = Page::new(id, self.bytes).with_truncated(self.truncated);
        if let Some(url) = self.url {
            page = page.with_url(url);
        }
        if let Some(charset) = self.charset {
            page = page.with_charset(charset);
        }
        if let Some(media_type) = self.media_type {
            page = page.with_media_type(media_type);
        }
        if let Some(time) = self.fetch_time {
            page = page.with_fetch_time(time);
        }
        page
    }
}
