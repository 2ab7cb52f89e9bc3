//! Why is this the value of a field?
//!
//! Each view of the field is asked alone what it would find on the page: those that find the same
//! have voted for the value.

use crate::{
    answer::{Answer, Problem, nth},
    session::Version,
};
use serde::Serialize;
use unmold::{
    Mold, Text,
    fields::{Field, View},
    mold::Group,
    reader::FoundField,
};

/// A view and what it says.
#[derive(Serialize)]
pub struct Vote {
    kind: &'static str,
    words: String,
    /// How much it counts, in percent.
    weight: u8,
    /// What it finds alone; nothing where it finds nothing.
    finds: Option<String>,
    agrees: bool,
}

/// The votes of all views of a field on a page, where it has these values.
pub fn votes(
    version: &Version,
    text: &Text,
    group: usize,
    field: usize,
    values: &[String],
) -> Answer<Vec<Vote>> {
    let group = nth(&version.mold.groups, group)?;
    let field = nth(&group.fields, field)?;
    let reader = alone(&version.mold, group, field).reader();
    let found = reader.read_alone(text)?;
    if found.fields().count() != field.views.len() {
        return Err(Problem::Unknown);
    }
    let vote = |(view, found): (&View, FoundField<'_>)| {
        let finds: Vec<&str> = found.values().map(|value| value.text()).collect();
        Vote {
            kind: view.title(),
            words: view.words(),
            weight: view.position().map_or(100, |(_, position)| position.weight),
            agrees: finds
                .iter()
                .any(|text| values.iter().any(|value| value == text)),
            finds: (!finds.is_empty()).then(|| finds.join(" | ")),
        }
    };
    Ok(field.views.iter().zip(found.fields()).map(vote).collect())
}

/// A mold in which each view of a field is a field.
fn alone(mold: &Mold, group: &Group, field: &Field) -> Mold {
    let one = |(at, view): (usize, &View)| Field {
        name: format!("view {at}"),
        views: vec![view.clone()],
        needs_label: false,
        ..field.clone()
    };
    let mut alone = Group::new("views", group.pages);
    alone.fields = field.views.iter().enumerate().map(one).collect();
    alone.landmarks = group.landmarks.clone();
    Mold::new(mold.learned.clone(), Vec::new(), vec![alone])
}
