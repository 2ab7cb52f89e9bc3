//! What did people write below the content of a page?

use crate::{
    Span, Text,
    lists::Regions,
    read::html::{self, Kind},
};

/// What people wrote below the content of a page: the records of the list, of those that are not
/// content, with most text outside of links.
///
/// ```
/// use unmold::{Text, content::discussion};
///
/// let page = "<ul><li><a href=1>More news today</a><li><a href=2>And some more</a></ul>\
///     <div><p class=c><b>Ann</b> I do not think so.</p><p class=c><b>Bob</b> Neither do I.</p></div>";
/// let comments = discussion(&Text::from_string("1", page), &[]);
/// assert_eq!(comments[0].of(page), "<p class=c><b>Ann</b> I do not think so.</p>");
/// ```
pub fn discussion(text: &Text, content: &[Span]) -> Vec<Span> {
    let page = text.as_str();
    let is_content = |record: &Span| {
        let at = content.partition_point(|kept| kept.end <= record.start);
        content.get(at).is_some_and(|kept| kept.start < record.end)
    };
    let lists = Regions::default().find(text).into_iter().map(|list| {
        let spans = list.records.iter().map(|record| record.span);
        spans
            .filter(|record| !is_content(record))
            .collect::<Vec<Span>>()
    });
    let written = |records: &Vec<Span>| {
        records
            .iter()
            .map(|record| unlinked(record.of(page)))
            .sum::<usize>()
    };
    // Of equals the better list counts.
    lists.rev().max_by_key(written).unwrap_or_default()
}

/// How many letters and digits a reader sees outside of links.
fn unlinked(html: &str) -> usize {
    let mut in_link = false;
    let mut letters = 0;
    for token in html::tokens(html) {
        let is_link = token.name.of(html).eq_ignore_ascii_case("a");
        match token.kind {
            Kind::Start if is_link => in_link = true,
            Kind::End if is_link => in_link = false,
            Kind::Text if !in_link => {
                letters += token
                    .span
                    .of(html)
                    .chars()
                    .filter(|c| c.is_alphanumeric())
                    .count();
            }
            _ => {}
        }
    }
    letters
}
