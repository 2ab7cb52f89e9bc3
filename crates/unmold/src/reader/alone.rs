//! What does a page give by itself, with no other page to compare it with?
//!
//! 1. What it declares of the thing that it is about, under schema.org's plain names.
//! 2. Its labelled values: rows of a table with two cells, terms and their descriptions, lines such
//!    as `Weight: 1.2 kg`, lists right after a heading. The label is the name.
//! 3. Its headline as `title`, where nothing declared names the thing.
//!
//! ```
//! use unmold::{Mold, Text};
//!
//! let page = Text::from_string("1", "<h1>Kettle</h1><table><tr><th>Weight<td>1.2 kg</table><p>Colour: <b>red</b></p>");
//! let mold = Mold::nothing();
//! let reader = mold.reader();
//! let found = reader.read(&page)?;
//! let row: Vec<_> = found.fields().map(|field| (field.name(), field.values().next().unwrap().text())).collect();
//! assert_eq!(row, [("title", "Kettle"), ("Weight", "1.2 kg"), ("Colour", "red")]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What stands in navigation, forms and asides is not of the page. Cost: two passes over the tree;
//! only short elements are read.

use crate::{
    Span,
    fields::{DeclaredView, Field, Type, Value, View, names::identifier},
    read::{
        declared::DeclaredRow,
        html::{elements::heading_level, visible_text},
        tree::{NodeId, Tree},
    },
};
use rapidhash::RapidHashMap;

/// Labels have at most this many letters, as those of learned fields have.
const LABEL_LETTERS: usize = 40;
/// A label of more words is a sentence.
const LABEL_WORDS: usize = 6;
/// A labelled value has at most this many letters: what is longer is text that happens to follow a
/// colon. Chosen by hand.
const VALUE_LETTERS: usize = 200;
/// An element with more bytes of markup is no line with a label and a value. Chosen by hand.
const LINE_BYTES: usize = 2_000;
/// A heading is at most this many elements around its text.
const HEADING_STEPS: usize = 4;
/// A page gives at most this many labelled values: a table of two columns with more is a list.
const MOST_LABELS: usize = 60;

/// The row of a page: fields with their values.
pub(super) fn row(tree: &Tree<'_>) -> Vec<(Field, Vec<Value>)> {
    let declared = DeclaredRow::of(tree);
    let mut row = RowOfPage::default();
    let has_name = ["name", "headline", "title"]
        .iter()
        .any(|name| declared.get(name).is_some());
    if !has_name && let Some(headline) = headline(tree) {
        row.add("title", vec![headline], None);
    }
    for field in declared.fields {
        let values = field.values.into_iter();
        let values = values.map(|(text, span)| Value::new(text, span)).collect();
        let property = field.name.clone();
        row.add(
            &field.name,
            values,
            Some(View::Declared(DeclaredView { property })),
        );
    }
    for (label, values) in labelled(tree) {
        if let Some(name) = identifier(&label) {
            row.add(&name, values, None);
        }
    }
    row.fields
}

#[derive(Default)]
struct RowOfPage {
    fields: Vec<(Field, Vec<Value>)>,
    /// The names so far, in small letters.
    names: Vec<String>,
}

impl RowOfPage {
    /// Adds a field, unless one of the name is there.
    fn add(&mut self, name: &str, values: Vec<Value>, view: Option<View>) {
        let lower = name.to_lowercase();
        if values.is_empty() || self.names.contains(&lower) {
            return;
        }
        self.names.push(lower);
        let texts: Vec<&str> = values.iter().map(Value::text).collect();
        let field = Field {
            name: name.to_owned(),
            kind: Type::of(&texts),
            many: values.len() > 1,
            fill: 1.0,
            agreement: 1.0,
            views: view.into_iter().collect(),
            ..Field::default()
        };
        self.fields.push((field, values));
    }
}

/// The first heading of the first level, else the title.
fn headline(tree: &Tree<'_>) -> Option<Value> {
    let mut title = None;
    for node in tree.nodes() {
        let name = tree.name(node);
        if heading_level(name) == Some(1)
            && let Some(value) = shown(tree, node)
        {
            return Some(value);
        }
        if name == "title" && title.is_none() {
            title = shown(tree, node);
        }
    }
    title
}

/// What an element shows, with the place of its texts.
fn shown(tree: &Tree<'_>, node: NodeId) -> Option<Value> {
    let mut texts = tree.texts(node).map(|text| tree.span(text));
    let first = texts.next()?;
    let span = first.to(texts.last().unwrap_or(first));
    let text = visible_text(tree.span(node).of(tree.page()));
    (!text.is_empty()).then(|| Value::new(text, span))
}

/// The labelled values of a page, by label, in the order of the page.
fn labelled(tree: &Tree<'_>) -> Vec<(String, Vec<Value>)> {
    let mut labelled = Labelled::default();
    let mut skipped_to = 0;
    // The last text before a node: the label of a list.
    let mut before = None;
    for node in tree.nodes() {
        if labelled.values.len() == MOST_LABELS {
            break;
        }
        if !tree.is_element(node) && !tree.span(node).of(tree.page()).trim().is_empty() {
            before = Some(node);
        }
        if node.index() < skipped_to {
            continue;
        }
        let found = match tree.name(node) {
            "nav" | "footer" | "aside" | "form" | "button" | "select" | "head" => {
                skipped_to = tree.subtree_end(node);
                continue;
            }
            "tr" => labelled.row(tree, node),
            "dl" => labelled.terms(tree, node),
            "ul" | "ol" => labelled.list(tree, node, before),
            "li" | "p" | "div" => labelled.line(tree, node),
            _ => false,
        };
        if found {
            skipped_to = tree.subtree_end(node);
        }
    }
    labelled.values
}

#[derive(Default)]
struct Labelled {
    values: Vec<(String, Vec<Value>)>,
    places: RapidHashMap<String, usize>,
}

impl Labelled {
    fn add(&mut self, label: &str, value: Value) -> bool {
        let label = label.trim_end_matches([':', '：']).trim();
        if !is_label(label) || value.text().chars().count() > VALUE_LETTERS {
            return false;
        }
        let place = *self.places.entry(label.to_owned()).or_insert_with(|| {
            self.values.push((label.to_owned(), Vec::new()));
            self.values.len() - 1
        });
        self.values[place].1.push(value);
        true
    }

    /// A row of a table with two cells.
    fn row(&mut self, tree: &Tree<'_>, node: NodeId) -> bool {
        let mut cells = tree.elements(node);
        let (Some(label), Some(value), None) = (cells.next(), cells.next(), cells.next()) else {
            return false;
        };
        if tree.span(label).len() > LINE_BYTES || tree.span(value).len() > LINE_BYTES {
            return false;
        }
        match (shown(tree, label), shown(tree, value)) {
            (Some(label), Some(value)) => self.add(label.text(), value),
            _ => false,
        }
    }

    /// A list of terms with their descriptions.
    fn terms(&mut self, tree: &Tree<'_>, node: NodeId) -> bool {
        let mut label = None;
        let mut found = false;
        for element in tree.subtree(node) {
            if tree.span(element).len() > LINE_BYTES {
                continue;
            }
            match tree.name(element) {
                "dt" => label = shown(tree, element),
                "dd" => {
                    if let (Some(label), Some(value)) = (&label, shown(tree, element)) {
                        found |= self.add(label.text(), value);
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// A list whose label is the text before it: a heading, or a text that ends with a colon.
    fn list(&mut self, tree: &Tree<'_>, node: NodeId, before: Option<NodeId>) -> bool {
        let Some(before) = before else {
            return false;
        };
        let label = visible_text(tree.span(before).of(tree.page()));
        let mut around = tree.ancestors(before).take(HEADING_STEPS);
        let is_heading =
            around.any(|outer| heading_level(tree.name(outer)).is_some_and(|level| level > 1));
        if !is_heading && !label.ends_with([':', '：']) {
            return false;
        }
        let mut values = Vec::new();
        for item in tree.elements(node).filter(|item| tree.name(*item) == "li") {
            match shown(tree, item) {
                Some(value) if value.text().chars().count() <= VALUE_LETTERS => values.push(value),
                Some(_) => return false,
                None => {}
            }
        }
        // One item is a link, or a line of its own.
        if values.len() < 2 {
            return false;
        }
        values
            .into_iter()
            .map(|value| self.add(&label, value))
            .fold(false, |any, is_added| any | is_added)
    }

    /// A line that begins with a label and a colon.
    fn line(&mut self, tree: &Tree<'_>, node: NodeId) -> bool {
        if tree.span(node).len() > LINE_BYTES || holds_lines(tree, node) {
            return false;
        }
        let Some(line) = shown(tree, node) else {
            return false;
        };
        if let Some(parts) = labelled_parts(line.text()) {
            let mut is_any_added = false;
            for (label, value) in parts {
                is_any_added |= self.add(label, Value::new(value.to_owned(), line.span()));
            }
            return is_any_added;
        }
        let Some((label, value)) = labelled_value(line.text()) else {
            return false;
        };
        let span = span_after_colon(tree, node).unwrap_or(line.span());
        self.add(label, Value::new(value.to_owned(), span))
    }
}

/// A text taken apart into its label and its value.
fn labelled_value(text: &str) -> Option<(&str, &str)> {
    let (label, value) = text.split_once([':', '：'])?;
    // No time of day and no address: "10:30", "https://".
    let is_parted = value.starts_with(char::is_whitespace) || text.contains('：');
    let value = value.trim();
    (is_parted && !value.is_empty()).then_some((label, value))
}

/// The labelled values of a line that has several with the same mark between them:
/// "Prep: 10 min | Bake: 20 min".
fn labelled_parts(line: &str) -> Option<Vec<(&str, &str)>> {
    const MARKS: [char; 6] = ['|', '•', '·', '–', '—', '/'];
    for mark in MARKS {
        let parts: Option<Vec<(&str, &str)>> = line
            .split(mark)
            .map(|part| labelled_value(part.trim()))
            .collect();
        if parts.as_ref().is_some_and(|parts| parts.len() > 1) {
            return parts;
        }
    }
    None
}

/// Whether an element holds others that may be lines.
fn holds_lines(tree: &Tree<'_>, node: NodeId) -> bool {
    let mut inside = tree.subtree(node).skip(1);
    inside.any(|inner| {
        matches!(
            tree.name(inner),
            "li" | "p" | "div" | "tr" | "dl" | "ul" | "table"
        )
    })
}

/// The texts of an element after the first one with a colon, if the colon ends it.
fn span_after_colon(tree: &Tree<'_>, node: NodeId) -> Option<Span> {
    let mut texts = tree.texts(node).map(|text| tree.span(text));
    let label = texts.find(|span| span.of(tree.page()).contains([':', '：']))?;
    let text = label.of(tree.page());
    let colon = text.find([':', '：'])?;
    let after = colon + text[colon..].chars().next().map_or(1, char::len_utf8);
    let rest = Span {
        start: label.start + after as u32,
        end: label.end,
    };
    let has_rest = !rest.of(tree.page()).trim().is_empty();
    let first = if has_rest { rest } else { texts.next()? };
    Some(first.to(texts.last().unwrap_or(first)))
}

/// Whether a text is short enough for a label, and has a letter.
fn is_label(text: &str) -> bool {
    text.contains(char::is_alphabetic)
        && text.chars().count() <= LABEL_LETTERS
        && text.split_whitespace().count() <= LABEL_WORDS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(page: &str) -> Vec<(String, String)> {
        let row = row(&Tree::new(page));
        let pair = |(field, values): (Field, Vec<Value>)| {
            for value in &values {
                let inside = visible_text(value.span().of(page));
                assert!(inside.contains(value.text()), "{inside} {}", value.text());
            }
            let texts: Vec<&str> = values.iter().map(Value::text).collect();
            (field.name.clone(), texts.join("|"))
        };
        row.into_iter().map(pair).collect()
    }

    #[test]
    fn labels_name_values_in_any_script() {
        for (page, name, value) in [
            ("<table><tr><th>Вес:<td>1,2 кг</table>", "Вес", "1,2 кг"),
            ("<dl><dt>サイズ<dd>M<dd>L</dl>", "サイズ", "M|L"),
            (
                "<ul><li><b>Weight:</b> <i>1.2 kg</i></ul>",
                "Weight",
                "1.2 kg",
            ),
            ("<p>重量：1.2kg</p>", "重量", "1.2kg"),
            (
                "<div>Net weight: 3 &amp; a half</div>",
                "Net_weight",
                "3 & a half",
            ),
        ] {
            let expected = (name.to_owned(), value.to_owned());
            assert_eq!(values(page), [expected], "{page}");
        }
    }

    #[test]
    fn a_line_may_have_several_labelled_values() {
        let line = "<p><b>Prep:</b> 10 min | Bake: 20 min | Serves: 4</p>";
        let expected = [("Prep", "10 min"), ("Bake", "20 min"), ("Serves", "4")];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(values(line), expected);
        let one = [("Time".to_owned(), "10 | 20 min".to_owned())];
        assert_eq!(values("<p>Time: 10 | 20 min</p>"), one);
    }

    #[test]
    fn sentences_times_and_frames_are_no_labels() {
        for page in [
            "<p>10:30 at the harbour</p>",
            "<p>https://example.org/a</p>",
            "<p>This is what he told us all that day in May: go home now</p>",
            "<nav><p>Menu: all</p></nav><footer><li>Phone: 1</li></footer>",
            "<table><tr><td>1<td>2<tr><td>a<td>b<td>c</table>",
            "<p>Weight:</p>",
            "<p>See</p><ul><li>a<li>b</ul>",
        ] {
            assert_eq!(values(page), [], "{page}");
        }
    }

    #[test]
    fn what_is_declared_comes_first_and_names_the_thing() {
        let page = r#"<title>T</title><h1>Kettle</h1><script type="application/ld+json">{"@type": "Product", "name": "Kettle", "sku": 7}</script>
            <table><tr><th>SKU<td>8<tr><th>Size<td>L</table>"#;
        let expected = [("name", "Kettle"), ("sku", "7"), ("Size", "L")];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(values(page), expected);
        let plain = [("title".to_owned(), "Kettle".to_owned())];
        assert_eq!(values("<title>T</title><h1>Kettle</h1>"), plain);
    }
}
