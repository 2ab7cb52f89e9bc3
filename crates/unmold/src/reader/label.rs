//! What does one page that somebody has labelled say about its template?
//!
//! A person or a language model says what one page holds: values by name, the main text. The label
//! chooses among what the mold knows of the page's template, and among the elements of the page:
//! nothing is trained, and the rule is that of all pages of the template.
//!
//! ```
//! use unmold::{Mold, Text, reader::Label};
//!
//! let page = |name: &str, weight: &str| {
//!     Text::from_string(name, format!("<h1>{name}</h1><table><tr><th>Weight:<td>{weight}</table><p>All rights reserved"))
//! };
//! let pages = [page("Kettle", "1.2 kg"), page("Skillet", "2.6 kg"), page("Knife", "180 g")];
//! let mold = Mold::learn(&pages)?;
//!
//! let label = Label { fields: vec![("mass".to_owned(), vec!["180 g".to_owned()])], content: None };
//! let labelled = mold.reader().by_label(&pages[2], &label)?;
//! let reader = labelled.reader();
//! let found = reader.read(&pages[0])?;
//! let values: Vec<_> = found.fields().map(|field| (field.name(), field.values().next().unwrap().text())).collect();
//! assert_eq!(values, [("mass", "1.2 kg")]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::{PagePlace, Reader};
use crate::{
    Text,
    content::{self, example::Pieces, reading::Reading},
    fields::{Field, Unfit, Value},
    mold::{FieldChoice, Group, Mold},
    read::{PageError, guarded},
};
use std::sync::Arc;

/// What somebody says that a page holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// Names of fields, and their values on the page.
    pub fields: Vec<(String, Vec<String>)>,
    /// The main text, or the element that has it: its source, or its path as molds write it.
    pub content: Option<String>,
}

/// Why a label says nothing.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabelError {
    /// The mold knows no template for the page.
    #[error("the page is of no group of the mold")]
    NoGroup,
    /// No field of the page's template has the values.
    #[error("{0}")]
    Unfit(Box<Unfit>),
    /// No element of the page holds the text.
    #[error("no element of the page holds the text that is said to be its content")]
    NoContent,
    /// The page shows an error of this program.
    #[error(transparent)]
    Page(#[from] PageError),
}

impl Reader {
    /// The mold with what a label says of a page's template: its fields, and no others of any
    /// template, and where its content is.
    ///
    /// # Errors
    /// When the page is of no template of the mold, or when nothing on it is as the label says.
    pub fn by_label(&self, text: &Text, label: &Label) -> Result<Mold, LabelError> {
        let mut mold = Mold::clone(self.mold());
        let place = guarded(text, |text| self.place(text))?.ok_or(LabelError::NoGroup)?;
        if !label.fields.is_empty() {
            choose_fields(&mut mold, place.group, text, &label.fields)?;
        }
        if let Some(content) = &label.content {
            let base = self.rule_of(place).cloned().unwrap_or_default();
            let rule = guarded(text, |text| {
                content::example::rule_of(&Arc::new(Reading::of(text.as_str())), content, &base)
            })?
            .ok_or(LabelError::NoContent)?;
            set_content(&mut mold, place, rule);
        }
        Ok(mold)
    }

    /// Where pages like one have their content, as far as the mold says.
    fn rule_of(&self, place: PagePlace) -> Option<&content::Rule> {
        let group = &self.mold.groups[place.group];
        let of_look = place
            .look
            .and_then(|look| group.looks[look].content)
            .map(|rule| &self.mold.contents[rule]);
        of_look.or(group.content.as_ref())
    }
}

/// Puts the fields that are meant first, under the names that were given; no others are wanted.
fn choose_fields(
    mold: &mut Mold,
    group: usize,
    text: &Text,
    given: &[(String, Vec<String>)],
) -> Result<(), LabelError> {
    let mut all = mold.clone();
    // A choice of all names no field that could be missing.
    _ = all.choose(&FieldChoice::All);
    let reader = all.reader();
    let found = reader.read(text)?;
    let values: Vec<Vec<&str>> = found
        .fields()
        .map(|field| field.values().map(Value::text).collect())
        .collect();
    let mut chosen = Vec::new();
    for (name, wanted) in given {
        let is_meant = |(at, values): &(usize, &Vec<&str>)| {
            same(values, wanted) && !chosen.iter().any(|(_, c)| c == at)
        };
        let Some((at, _)) = values.iter().enumerate().find(is_meant) else {
            let unfit = nearest(name, wanted, &values);
            return Err(LabelError::Unfit(Box::new(unfit)));
        };
        chosen.push((name.clone(), at));
    }
    for group in &mut mold.groups {
        group.wanted = Some(0);
    }
    keep(&mut mold.groups[group], &chosen);
    Ok(())
}

/// Whether values are the same but for white space.
fn same(values: &[&str], wanted: &[String]) -> bool {
    let words = |text: &str| {
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    values.len() == wanted.len()
        && values
            .iter()
            .zip(wanted)
            .all(|(value, wanted)| words(value) == words(wanted))
}

/// What comes nearest to values that no field has.
fn nearest(name: &str, wanted: &[String], values: &[Vec<&str>]) -> Unfit {
    const SHOWN: usize = 3;
    let said = Pieces::of(&wanted.join(" "));
    let mut texts: Vec<&str> = values.iter().flatten().copied().collect();
    texts.sort_by(|one, other| {
        said.in_common(&Pieces::of(other))
            .total_cmp(&said.in_common(&Pieces::of(one)))
    });
    texts.dedup();
    let nearest = texts
        .into_iter()
        .filter(|text| said.in_common(&Pieces::of(text)) > 0.0)
        .take(SHOWN);
    Unfit {
        field: name.to_owned(),
        values: wanted.to_vec(),
        nearest: nearest.map(str::to_owned).collect(),
        ..Unfit::default()
    }
}

/// The fields that were chosen, by new name and old place, before the others of a group.
fn keep(group: &mut Group, chosen: &[(String, usize)]) {
    let is_taken = |name: &str| chosen.iter().any(|(taken, _)| taken == name);
    let named = chosen.iter().map(|(name, at)| Field {
        name: name.clone(),
        ..group.fields[*at].clone()
    });
    let mut fields: Vec<Field> = named.collect();
    for (at, field) in group
        .fields
        .iter()
        .enumerate()
        .filter(|(at, _)| !chosen.iter().any(|(_, taken)| taken == at))
    {
        // Others stay, since what stands behind their labels is theirs; what is called like a
        // chosen one gets another name.
        let name = if is_taken(&field.name) {
            format!("{}_of_{at}", field.name)
        } else {
            field.name.clone()
        };
        fields.push(Field {
            name,
            ..field.clone()
        });
    }
    group.wanted = Some(chosen.len());
    group.fields = fields;
}

/// Says where pages like one have their content: those of its group that had it in the same place.
fn set_content(mold: &mut Mold, place: PagePlace, rule: content::Rule) {
    let group = &mut mold.groups[place.group];
    let Some(look) = place.look else {
        group.content = Some(rule);
        return;
    };
    let before = group.looks[look].content;
    let number = mold.contents.len();
    group
        .looks
        .iter_mut()
        .filter(|look| look.content == before)
        .for_each(|look| look.content = Some(number));
    mold.contents.push(rule);
}
