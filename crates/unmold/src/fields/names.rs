//! What is a field called?
//!
//! What the page calls it: the label before it, the name its author gave to the element, the header of its column, a class,
//! the heading above it; else what it is: `date`, `link`, `image`, `text`.

use super::{Kind, Position, Type, evidence::Evidence, learn::Sample};
use std::collections::{HashMap, HashSet};

/// Who named a field, the surest first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum NamedBy {
    /// The text of the page: a label or a header, which is this as a name.
    Page(String),
    /// The author of the markup, by an attribute or a class.
    Author,
    /// Nobody: it is called what it is, or after the field whose text it is part of.
    Nobody,
}

/// Gives each field a name of its own, and says who named it.
pub(super) fn give(sample: &Sample<'_>, fields: &mut [Evidence]) -> Vec<NamedBy> {
    let mut taken = HashSet::new();
    let mut inner: HashMap<usize, String> = HashMap::new();
    let mut named_by = Vec::new();
    for evidence in fields.iter_mut() {
        let label = evidence.label().map(str::to_owned).filter(|_| !evidence.is_whole);
        let known = inner.get(&evidence.number);
        let (name, by) = match (known, &evidence.field.part) {
            (Some(inner), Some(part)) => (format!("{inner}_part_{}", part.number + 1), NamedBy::Nobody),
            (Some(inner), None) if evidence.is_whole => (format!("{inner}_text"), NamedBy::Nobody),
            _ => label.as_deref().and_then(said).unwrap_or_else(|| name(sample, evidence)),
        };
        named_by.push(by);
        evidence.field.name = unique(&name, &mut taken);
        evidence.field.label = label.unwrap_or_default();
        let name = evidence.field.name.clone();
        inner.entry(evidence.number).or_insert(name);
    }
    named_by
}

/// A name that the page says.
fn said(text: &str) -> Option<(String, NamedBy)> {
    identifier(text).map(|name| (name.clone(), NamedBy::Page(name)))
}

/// A name that is not taken yet.
fn unique(name: &str, taken: &mut HashSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let free = std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken.contains(name));
    let free = free.expect("there are more numbers than names");
    taken.insert(free.clone());
    free
}

/// The name of a field without a label.
fn name(sample: &Sample<'_>, evidence: &Evidence) -> (String, NamedBy) {
    let by_author = |name: Option<String>| name.as_deref().and_then(identifier).map(|name| (name, NamedBy::Author));
    let header = || evidence.everywhere(sample, |place| place.column_header()).as_deref().and_then(said);
    let heading = || evidence.everywhere(sample, |place| place.heading()).filter(|_| evidence.field.many);
    let named = by_author(author_name(evidence)).or_else(header).or_else(|| by_author(class(evidence)));
    let named = named.or_else(|| heading().as_deref().and_then(said));
    named.unwrap_or_else(|| (neutral(sample, evidence).to_owned(), NamedBy::Nobody))
}

fn position<'e>(evidence: &'e Evidence, kinds: &[Kind]) -> Option<&'e Position> {
    let mut positions = evidence.field.views.iter().filter_map(|view| view.position());
    positions.find(|(kind, _)| kinds.contains(kind)).map(|(_, position)| position)
}

/// The name that its author gave to the element (`itemprop`, `property`, `id`), or to a value that only JSON-LD has.
fn author_name(evidence: &Evidence) -> Option<String> {
    if !evidence.field.views.iter().any(|view| view.takes_text())
        && let Some(data) = position(evidence, &[Kind::Data])
    {
        return Some(data.path.clone());
    }
    let hook = position(evidence, &[Kind::Hook]).filter(|position| position.path.is_empty())?;
    hook.text.split_once('=').map(|(_, name)| name.to_owned())
}

/// The first class of the element, or of one closely around it.
fn class(evidence: &Evidence) -> Option<String> {
    /// Elements whose classes are looked at, from the innermost.
    const STEPS: usize = 2;
    let position = position(evidence, &[Kind::Class, Kind::Each])?;
    let class = position.path.rsplit(' ').take(STEPS).find_map(|step| step.split('.').nth(1))?;
    let attribute = Some(&position.attribute).filter(|attribute| !attribute.is_empty());
    Some(attribute.map_or_else(|| class.to_owned(), |attribute| format!("{class}_{attribute}")))
}

/// What a field is, where nothing names it.
fn neutral(sample: &Sample<'_>, evidence: &Evidence) -> &'static str {
    let place = sample.place(evidence.example());
    let within = |names: &[&str]| place.around().take(3).any(|node| names.contains(&place.tree.name(node)));
    match (place.attribute(), evidence.field.kind) {
        ("src", _) => "image",
        ("alt", _) => "image_alt",
        ("href", _) => "link_address",
        ("datetime", _) | (_, Type::Date) => "date",
        (_, Type::Number) => "number",
        (_, Type::Money) => "amount",
        (_, Type::Time) => "time",
        (_, Type::Url) => "address",
        (_, Type::Email) => "email",
        (_, Type::Id) => "id",
        _ if within(&["title"]) => "title",
        _ if within(&["h1", "h2", "h3", "h4", "h5", "h6"]) => "heading",
        _ if within(&["a"]) => "link",
        _ => "text",
    }
}

/// A text as a name: letters and digits of any script, and underscores for what stands between them.
fn identifier(text: &str) -> Option<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut name = words.collect::<Vec<_>>().join("_");
    if name.starts_with(char::is_numeric) {
        name.insert(0, '_');
    }
    Some(name).filter(|name| !name.is_empty())
}
