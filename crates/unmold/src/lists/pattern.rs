//! What is found of a list on the only page that is looked at?

use super::{
    naming::Title,
    record::{Column, Field, Record},
    rule::RecordRule,
    runs::Rows,
};
use crate::{
    Span, Text, lr,
    papers::{
        cut_point,
        iepad::{self, Measures},
        scoop,
    },
    read::{gaps, tree::Tree},
    symbols::{encode::tags::TEXT, index::IndexError},
};
use rayon::prelude::*;

/// What a list is called of which nothing but strings is known.
const UNNAMED: &str = "records";

/// Records that were printed by the same part of a template, and what is known of them.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// What the list is called: by the heading or caption before it, else by the words of its id or
    /// class.
    pub name: String,
    /// Where it stands, the same on every page of the template; empty where the method does not
    /// say.
    pub place: String,
    /// What the page says of its name.
    pub(super) title: Title,
    /// The pattern in the paper's notation: `[a|b]` for either, `[a|-]` for what may be missing.
    pub notation: String,
    /// How regular, dense and large it is.
    pub measures: Measures,
    /// The fields that records have, in the order of the page.
    pub columns: Vec<Column>,
    /// The records, in the order of the page; no two overlap.
    pub records: Vec<Record>,
    pub(super) rule: RecordRule,
}

impl Pattern {
    /// The patterns of a page as IEPAD finds them, those that cover most of it most regularly
    /// first; each text of a record is a field.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn by_iepad(iepad: iepad::Iepad, text: &Text) -> Result<Vec<Self>, IndexError> {
        Ok(iepad.find(text)?.into_iter().map(Pattern::from).collect())
    }

    /// The records that stand between two delimiters on a page; each is one field.
    pub fn delimited(page: &str, delimiters: lr::Rule, records: &[Span]) -> Self {
        let starts: Vec<usize> = records.iter().map(|record| record.start as usize).collect();
        let bytes: usize = records.iter().map(|record| record.len()).sum();
        let extent = records
            .last()
            .zip(records.first())
            .map_or(0, |(last, first)| (last.end - first.start) as usize);
        Pattern {
            name: UNNAMED.to_owned(),
            place: String::new(),
            title: Title::default(),
            notation: format!("{}Text(_){}", delimiters.left, delimiters.right),
            measures: Measures::new(
                &starts,
                bytes as f64 / records.len().max(1) as f64,
                extent,
                page.len(),
            ),
            columns: vec![Column {
                name: "text".to_owned(),
                way: String::new(),
                attribute: None,
                whole: false,
            }],
            records: records
                .iter()
                .map(|&span| Record {
                    span,
                    fields: vec![Field { column: 0, span }],
                })
                .collect(),
            rule: RecordRule::Delimiters(delimiters),
        }
    }

    /// The records of each page by the tags around its content parts, which are told from what all
    /// pages have in common.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn by_delimiters(texts: &[Text]) -> Result<Vec<Vec<Self>>, IndexError> {
        let cut = cut_point::Cut::find(texts, cut_point::Settings::default(), false)?;
        let found = texts.par_iter().zip(&cut.template).map(|(text, template)| {
            let page = text.as_str();
            Pattern::by_scoop(page, &gaps(page.len(), template))
        });
        Ok(found.map(|pattern| pattern.into_iter().collect()).collect())
    }

    /// The records of a page as [`scoop`] finds them from its content parts.
    pub fn by_scoop(page: &str, content: &[Span]) -> Option<Self> {
        let scoop::Delimited {
            left,
            right,
            records,
        } = scoop::records(page, content)?;
        Some(Pattern::delimited(page, lr::Rule { left, right }, &records))
    }

    /// What finds the same records on other pages.
    pub fn rule(&self) -> &RecordRule {
        &self.rule
    }
}

/// The paper's measures of the records of a page.
pub(super) fn measures(tree: &Tree<'_>, rows: &[Rows], records: &[Record]) -> Measures {
    let starts: Vec<usize> = rows.iter().map(|rows| rows.start).collect();
    let nodes: usize = rows.iter().map(|rows| rows.len()).sum();
    let length = nodes as f64 / rows.len().max(1) as f64;
    let bytes = match records {
        [] => 0,
        [first, .., last] => last.span.end - first.span.start,
        [only] => only.span.end - only.span.start,
    };
    Measures::new(&starts, length, bytes as usize, tree.page().len())
}

/// Texts become columns by their place in the pattern.
impl From<iepad::RecordPattern> for Pattern {
    fn from(found: iepad::RecordPattern) -> Self {
        let column = |number: usize| Column {
            name: format!("text {number}"),
            way: format!("{TEXT}:{number}"),
            attribute: None,
            whole: false,
        };
        let fields = |texts: &[(usize, Span)]| {
            texts
                .iter()
                .map(|&(column, span)| Field { column, span })
                .collect()
        };
        let records = found.records.iter().map(|record| Record {
            span: record.span,
            fields: fields(&record.texts),
        });
        Pattern {
            name: UNNAMED.to_owned(),
            place: String::new(),
            title: Title::default(),
            notation: found.rule.to_string(),
            measures: found.measures,
            columns: (1..=found.texts).map(column).collect(),
            records: records.collect(),
            rule: RecordRule::Iepad(found.rule),
        }
    }
}
