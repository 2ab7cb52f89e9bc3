//! How much of a page was taken for what it is? The range string of the alternation count papers
//! against their correct string.

use crate::Span;

/// Counts of letters by what they are and what they were taken for; content is what is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Confusion {
    /// Content taken for content.
    pub kept: u64,
    /// Content taken for template.
    pub lost: u64,
    /// Template taken for content.
    pub left: u64,
    /// Template taken for template.
    pub removed: u64,
}

impl Confusion {
    /// Compares the template of a page with the true content, letter by letter: the range string of
    /// the alternation count papers against their correct string. Both lists are sorted and do not
    /// overlap.
    ///
    /// ```
    /// use unmold::{Span, evaluate::Confusion};
    ///
    /// // Range string 110001001 against the correct string 111000001.
    /// let template = [Span::new(2, 5), Span::new(6, 8)];
    /// let content = [Span::new(0, 3), Span::new(8, 9)];
    /// let confusion = Confusion::of("accbaacbc", &template, &content);
    /// assert_eq!((confusion.accuracy(), confusion.recall(), confusion.precision()), (7.0 / 9.0, 0.75, 0.75));
    ///
    /// // A letter counts once, however many bytes it has.
    /// let confusion = Confusion::of("島<", &[Span::new(3, 4)], &[Span::new(0, 3)]);
    /// assert_eq!((confusion.kept, confusion.removed), (1, 1));
    /// ```
    pub fn of(page: &str, template: &[Span], content: &[Span]) -> Self {
        let lost = letters(page, &intersection(template, content));
        let removed = letters(page, template) - lost;
        let kept = letters(page, content) - lost;
        let all = page.chars().count() as u64;
        Confusion {
            kept,
            lost,
            left: all - removed - kept - lost,
            removed,
        }
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Confusion {
            kept: self.kept + other.kept,
            lost: self.lost + other.lost,
            left: self.left + other.left,
            removed: self.removed + other.removed,
        }
    }

    /// The share of letters taken for what they are.
    pub fn accuracy(self) -> f64 {
        share(
            self.kept + self.removed,
            self.kept + self.lost + self.left + self.removed,
        )
    }

    /// The share of content that was kept.
    pub fn recall(self) -> f64 {
        share(self.kept, self.kept + self.lost)
    }

    /// The share of what was kept that is content.
    pub fn precision(self) -> f64 {
        share(self.kept, self.kept + self.left)
    }
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

/// How many letters there are in some spans of a page.
fn letters(page: &str, spans: &[Span]) -> u64 {
    let mut count = 0;
    for span in spans {
        count += span.of(page).chars().count() as u64;
    }
    count
}

/// What two sorted lists of spans have in common.
fn intersection(a: &[Span], b: &[Span]) -> Vec<Span> {
    let mut common = Vec::new();
    let mut at = 0;
    for span in a {
        at += b[at..].partition_point(|other| other.end <= span.start);
        for other in &b[at..] {
            if other.start >= span.end {
                break;
            }
            common.push(Span {
                start: other.start.max(span.start),
                end: other.end.min(span.end),
            });
        }
    }
    common
}

/// Of true values that stand in the source of their page as they are: the share with an occurrence
/// that no template touches. Each page comes with its template, sorted, and its values.
///
/// ```
/// use unmold::{Span, evaluate::share_whole};
///
/// let page = "<b>Egypt</b> <i>20</i>";
/// let template = [Span::new(0, 3), Span::new(7, 16), Span::new(18, 22)];
/// assert_eq!(share_whole([(page, &template[..], vec!["Egypt", "20", "Spain"])]), 0.5);
/// ```
pub fn share_whole<'p>(
    pages: impl IntoIterator<Item = (&'p str, &'p [Span], Vec<&'p str>)>,
) -> f64 {
    let (mut found, mut whole) = (0, 0);
    for (page, template, values) in pages {
        for value in values.into_iter().filter(|value| page.contains(value)) {
            found += 1;
            whole += u64::from(is_whole(value, page, template));
        }
    }
    share(whole, found)
}

fn is_whole(value: &str, page: &str, template: &[Span]) -> bool {
    page.match_indices(value).any(|(start, _)| {
        let reached = template.partition_point(|span| span.end as usize <= start);
        template
            .get(reached)
            .is_none_or(|span| span.start as usize >= start + value.len())
    })
}

/// The content of a page as the papers define it: what stands between pairs of delimiters.
///
/// ```
/// use unmold::{Span, evaluate::between};
///
/// let page = "<h1>Title</h1><p>x</p>";
/// assert_eq!(between(page, &[("<h1>", "</h1>")]), [Span::new(4, 9)]);
/// ```
pub fn between(page: &str, pairs: &[(&str, &str)]) -> Vec<Span> {
    let rules: Vec<_> = pairs
        .iter()
        .map(|(left, right)| crate::lr::Rule {
            left: (*left).to_owned(),
            right: (*right).to_owned(),
        })
        .collect();
    let found = crate::lr::apply::Finder::new(&rules).apply_alone(page);
    Span::union(found.into_items())
}
