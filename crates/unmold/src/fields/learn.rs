//! Which values do the pages of a template hold, and how are they found on the next page?
//!
//! [`learn`] takes pages that were printed from one template and gives the fields that a person
//! would want as columns, the most wanted first, with names that the page itself has for them:
//!
//! ```
//! use unmold::{Text, fields};
//!
//! let page = |name: &str, weight: &str| {
//!     Text::from_string("page", format!("<h1>{name}</h1><table><tr><th>Weight:<td>{weight}</table><p>All rights reserved"))
//! };
//! let pages = [page("Kettle", "1.2 kg"), page("Skillet", "2.6 kg"), page("Knife", "180 g")];
//! let learned = fields::learn(&pages);
//! let names: Vec<_> = learned.fields.iter().map(|field| field.name.as_str()).collect();
//! assert_eq!(names, ["title", "Weight"]);
//! ```
//!
//! Learning goes through the stages of [`fields`](super): slots, candidates, votes, columns, rank and
//! names.
//!
//! Cost: a sort of all keys of the pages.

use super::{
    Field,
    candidates::candidates,
    columns::{Column, Form, columns},
    names::{Name, NamedBy, names},
    rank::{self, Features, Kept},
    sample::{Sample, ScannedPage},
};
use crate::Text;
use rapidhash::RapidHashSet;

/// What was learned about the fields of a template.
#[derive(Clone, Debug, Default)]
pub struct LearnedFields {
    /// The fields, the most wanted first.
    pub fields: Vec<Field>,
    /// How many of them, from the first, a person would keep.
    pub wanted: usize,
    /// Texts that are once on nearly every page, from which places are counted.
    pub landmarks: Vec<String>,
    /// Who named each field.
    pub(crate) named_by: Vec<NamedBy>,
}

/// No more fields than this are learned: a person cannot choose from more.
pub(super) const MAX_FIELDS: usize = 120;

/// Learns the fields of pages that share a template.
pub fn learn(texts: &[Text]) -> LearnedFields {
    learn_scanned(&ScannedPage::of_texts(texts), false)
}

/// The same from pages that were read already, with or without the whole texts of values that have
/// their labels in them.
pub(crate) fn learn_scanned(pages: &[ScannedPage<'_>], with_labels: bool) -> LearnedFields {
    let sample = Sample::of(pages);
    let columns = columns(&sample, candidates(&sample, &[]));
    let most = MAX_FIELDS;
    let ranked = rank::ranked(&sample, columns, Kept { with_labels, most });
    let taken = RapidHashSet::default();
    let names = names(&sample, &ranked.columns, ranked.wanted, taken);
    let mut learned = LearnedFields {
        wanted: ranked.wanted,
        landmarks: sample.landmarks().to_vec(),
        ..LearnedFields::default()
    };
    for (column, name) in ranked.columns.into_iter().zip(names) {
        let needs_label = column.needs_label(&sample);
        learned.named_by.push(name.by.clone());
        learned.fields.push(Field {
            needs_label,
            ..named(column, name)
        });
    }
    learned
}

/// The rule of a column with its name and label.
pub(super) fn named(column: Column, name: Name) -> Field {
    let label = column.label().unwrap_or_default().to_owned();
    Field {
        name: name.text,
        label,
        ..column.into_rule()
    }
}

/// The columns that pages support before they are ranked: for the fit of the weights, and to see
/// why a column ranks where it does.
#[doc(hidden)]
pub struct Study {
    columns: Vec<Column>,
    features: Vec<Features>,
}

/// The values of a column on each page.
#[doc(hidden)]
pub type StudiedColumn = Vec<Vec<String>>;

impl Study {
    /// The columns of pages that share a template.
    pub fn of(texts: &[Text]) -> Self {
        let sample = Sample::of(&ScannedPage::of_texts(texts));
        let columns = columns(&sample, candidates(&sample, &[]));
        let features = rank::features(&sample, &columns);
        Study { columns, features }
    }

    /// The names of the features, and what they count today.
    pub fn weights() -> Vec<(&'static str, f64)> {
        rank::WEIGHTS.named().to_vec()
    }

    /// The features of each column, and the columns that it may become: the first, or also the
    /// second, of these.
    pub fn columns(&self) -> impl Iterator<Item = (Vec<f64>, Vec<StudiedColumn>)> {
        let all = self.columns.iter().zip(&self.features);
        let mains = all.filter(|(column, _)| column.is_main());
        mains.map(move |(column, features)| {
            (features.numbers().to_vec(), self.forms(column.family()))
        })
    }

    /// A column and the whole text that it is in.
    fn forms(&self, family: usize) -> Vec<StudiedColumn> {
        let mut forms = Vec::new();
        for column in &self.columns {
            let is_whole = column.is_main() || column.form() == Form::Text;
            if column.family() == family && is_whole {
                forms.push(texts(column));
            }
        }
        forms
    }

    /// All columns, ranked by some weights, and how many of them are wanted.
    pub fn ranked(&self, weights: &[f64]) -> (Vec<StudiedColumn>, usize) {
        let columns = self.columns.clone();
        let kept = Kept {
            with_labels: false,
            most: MAX_FIELDS,
        };
        let ranked = rank::ranked_by(columns, &self.features, weights, kept);
        (ranked.columns.iter().map(texts).collect(), ranked.wanted)
    }
}

fn texts(column: &Column) -> StudiedColumn {
    let pages = column.pages().iter();
    pages.map(|page| page.texts.clone()).collect()
}
