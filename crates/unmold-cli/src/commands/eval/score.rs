//! What came of one measure on one data set.

use crate::args::Measure;
use serde::{Serialize, Serializer, ser::SerializeMap};
use std::path::PathBuf;

/// Figures by name, and the pages that they are of.
pub struct Score {
    pub dataset: String,
    pub measure: Measure,
    /// How many pages were compared.
    pub pages: usize,
    /// A fingerprint of the pages of the data set and of their truth.
    pub digest: String,
    /// In the order in which they are shown; the first says most.
    pub figures: Vec<(String, f64)>,
    /// Where its pages are.
    pub folder: PathBuf,
    /// What was found on each page, or of each attribute.
    pub by_page: Vec<PageScore>,
}

/// How well one page came out, or one attribute, with the first page where it went wrong.
pub struct PageScore {
    /// What the page is called among those of its folder; empty where nothing went wrong.
    pub page: String,
    /// The attribute; empty where the whole page is meant.
    pub about: String,
    pub figure: f64,
    /// What is wrong with it, in words.
    pub note: String,
}

impl Score {
    pub fn figure(&self, name: &str) -> Option<f64> {
        self.figures
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| *value)
    }
}

/// A row for other programs: figures are rounded to four digits, which is more than they mean.
impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_map(None)?;
        row.serialize_entry("dataset", &self.dataset)?;
        row.serialize_entry("measure", self.measure.name())?;
        row.serialize_entry("pages", &self.pages)?;
        row.serialize_entry("digest", &self.digest)?;
        for (name, figure) in &self.figures {
            row.serialize_entry(name, &rounded(*figure))?;
        }
        row.end()
    }
}

pub fn rounded(figure: f64) -> f64 {
    (figure * 1e4).round() / 1e4
}
