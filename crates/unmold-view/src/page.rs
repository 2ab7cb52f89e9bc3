//! What is found on one page, and where on it?

use crate::{answer::Answer, lists::OwnList};
use serde::Serialize;
use unmold::{
    Reader, Span, Text,
    read::{html, tree::Tree},
    reader::{Doubt, FoundField},
    report::paint::{self, COLOURS},
};

/// What is found on one page.
pub struct PageValues {
    /// Its group, or the nearest one if it fits none.
    pub group: Option<usize>,
    pub fits: bool,
    pub content: Vec<Span>,
    pub values: Vec<FieldValue>,
    /// The spans of values that are painted, in order, none over another; each with its fields.
    pub marks: Vec<Mark>,
    /// The records of its first list.
    pub records: Vec<Span>,
    /// Its lists, as the mold finds them.
    pub lists: Vec<OwnList>,
}

/// So many values of a list are shown: the page has them all.
pub const FIRST: usize = 20;

/// A field as a page has it.
#[derive(Clone, Serialize)]
pub struct FieldValue {
    /// The number of the field in its group.
    pub field: usize,
    /// Its first values, and how many more there are.
    pub texts: Vec<String>,
    pub more: usize,
    #[serde(skip)]
    pub spans: Vec<Span>,
    pub agreement: f64,
    pub doubt: Option<&'static str>,
    /// Where the first value begins that a reader sees.
    pub at: Option<u32>,
    /// Whether a reader of the page sees it: it stands neither in a tag nor in its head.
    pub visible: bool,
}

/// A piece of a page that is the value of some fields.
pub struct Mark {
    pub span: Span,
    pub fields: Vec<usize>,
}

impl PageValues {
    pub fn of(reader: &Reader, text: &Text) -> Answer<Self> {
        let found = reader.read(text)?;
        let seen = seen_texts(text.as_str());
        let values: Vec<FieldValue> = found
            .fields()
            .enumerate()
            .map(|(at, field)| FieldValue::of(at, field, &seen))
            .collect();
        let marks = marks(&values);
        let lists: Vec<OwnList> = found.lists().map(|list| OwnList::of(text, list)).collect();
        let records = lists
            .first()
            .map_or_else(Vec::new, |list| list.spans.clone());
        Ok(PageValues {
            group: found
                .group()
                .or_else(|| reader.place(text).map(|place| place.group)),
            fits: found.group().is_some(),
            content: found.content().spans().to_vec(),
            marks,
            records,
            lists,
            values,
        })
    }

    /// The page as it looks, for a frame.
    pub fn painted(&self, reader: &Reader, text: &Text) -> Answer<String> {
        let found = reader.read(text)?;
        let names: Vec<&str> = found.fields().map(|field| field.name()).collect();
        let painted = self.marks.iter().filter_map(|mark| {
            let field = *mark.fields.first()?;
            Some(paint::Mark {
                span: mark.span,
                name: names.get(field)?,
                colour: field % COLOURS,
            })
        });
        Ok(paint::marked(
            text,
            &found.content(),
            &painted.collect::<Vec<_>>(),
        ))
    }
}

impl FieldValue {
    fn of(field: usize, found: FoundField<'_>, seen: &[Span]) -> Self {
        let spans: Vec<Span> = found.values().map(|value| value.span()).collect();
        let first_seen = spans.iter().find(|span| overlaps(seen, **span));
        let first_seen = first_seen.map(|span| span.start);
        FieldValue {
            field,
            texts: found
                .values()
                .take(FIRST)
                .map(|value| value.text().to_owned())
                .collect(),
            more: found.values().len().saturating_sub(FIRST),
            agreement: found.agreement(),
            doubt: found.doubt().map(doubt_in_words),
            visible: first_seen.is_some(),
            at: first_seen,
            spans,
        }
    }
}

/// What speaks against a value.
pub fn doubt_in_words(doubt: Doubt) -> &'static str {
    match doubt {
        Doubt::FewAgree => "few of the ways to find it agree",
        Doubt::NoLabel => "its label is not before it",
        Doubt::OtherType => "it is of another type than the others",
        Doubt::OtherLength => "it is far longer or shorter than the others",
        Doubt::OtherCount => "there are more or fewer of them than elsewhere",
        Doubt::OtherField => "another field is found in its place",
        Doubt::OtherDeclared => "the page declares another value",
        _ => "it may be wrong",
    }
}

/// The texts of a page that a reader sees, in order.
fn seen_texts(page: &str) -> Vec<Span> {
    let tree = Tree::new(page);
    let texts = tree.nodes().filter(|&node| !tree.is_element(node));
    let is_seen = |name: &str| !html::elements::is_never_seen(name);
    let seen = texts.filter(|&node| {
        tree.ancestors(node)
            .all(|element| is_seen(tree.name(element)))
    });
    seen.map(|node| tree.span(node))
        .filter(|span| !html::is_blank(span.of(page)))
        .collect()
}

/// Whether a span lies over one of some that are in order.
pub fn overlaps(spans: &[Span], span: Span) -> bool {
    let next = spans.partition_point(|known| known.end <= span.start);
    spans.get(next).is_some_and(|known| known.start < span.end)
}

/// Values in the order of the page. Where two lie over each other, the one of the first field is
/// painted.
fn marks(values: &[FieldValue]) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    let mut all: Vec<(Span, usize)> = values
        .iter()
        .flat_map(|value| value.spans.iter().map(|&span| (span, value.field)))
        .collect();
    all.sort_by_key(|&(span, field)| (span.start, field));
    for (span, field) in all.into_iter().filter(|(span, _)| !span.is_empty()) {
        match marks.last_mut() {
            Some(last) if last.span.end > span.start => last.fields.push(field),
            _ => marks.push(Mark {
                span,
                fields: vec![field],
            }),
        }
    }
    marks
}

/// A piece of a page that is all content or none, and in one value or none.
pub struct Segment<'p> {
    pub span: Span,
    pub is_content: bool,
    pub mark: Option<&'p Mark>,
}

impl PageValues {
    /// A piece of a page, cut where content and values begin and end.
    pub fn segments(&self, piece: Span) -> Vec<Segment<'_>> {
        let marks = &self.marks[self
            .marks
            .partition_point(|mark| mark.span.end <= piece.start)..];
        let content = &self.content[self.content.partition_point(|span| span.end <= piece.start)..];
        let of_marks = marks
            .iter()
            .map(|mark| mark.span)
            .take_while(|span| span.start < piece.end);
        let of_content = content
            .iter()
            .copied()
            .take_while(|span| span.start < piece.end);
        let ends = of_marks
            .chain(of_content)
            .flat_map(|span| [span.start, span.end]);
        let mut cuts: Vec<u32> = ends
            .filter(|&at| piece.start < at && at < piece.end)
            .collect();
        cuts.extend([piece.start, piece.end]);
        cuts.sort_unstable();
        cuts.dedup();
        let segment = |pair: &[u32]| {
            let span = Span {
                start: pair[0],
                end: pair[1],
            };
            let mark = marks.get(marks.partition_point(|mark| mark.span.end <= span.start));
            let mark = mark.filter(|mark| mark.span.start <= span.start);
            Segment {
                span,
                is_content: overlaps(content, span),
                mark,
            }
        };
        cuts.windows(2).map(segment).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_cut_at_values_and_content() {
        let mark = |start, end, field| Mark {
            span: Span::new(start, end),
            fields: vec![field],
        };
        let values = PageValues {
            group: None,
            fits: true,
            content: vec![Span::new(2, 8)],
            values: Vec::new(),
            marks: vec![mark(4, 6, 0), mark(6, 10, 1)],
            records: Vec::new(),
            lists: Vec::new(),
        };
        let cut = values.segments(Span::new(1, 12));
        let cut: Vec<_> = cut
            .iter()
            .map(|segment| {
                (
                    segment.span.range(),
                    segment.is_content,
                    segment.mark.map(|mark| mark.fields[0]),
                )
            })
            .collect();
        let expected = [
            (1..2, false, None),
            (2..4, true, None),
            (4..6, true, Some(0)),
            (6..8, true, Some(1)),
            (8..10, false, Some(1)),
            (10..12, false, None),
        ];
        assert_eq!(cut, expected);
    }
}
