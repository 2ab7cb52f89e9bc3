//! Where in a page does something stand?

/// A range of bytes in the text of one page.
///
/// Every answer of every detector comes down to spans. They always lie on character boundaries.
///
/// ```
/// use unmold::Span;
///
/// let text = "<b>Egypt</b>";
/// assert_eq!(Span::new(3, 8).of(text), "Egypt");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span from byte offsets.
    ///
    /// # Panics
    /// When an offset is beyond 4 GiB; loaders cut pages long before that.
    #[inline]
    pub fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end);
        let narrow = |offset: usize| u32::try_from(offset).expect("a page is smaller than 4 GiB");
        Span {
            start: narrow(start),
            end: narrow(end),
        }
    }

    /// How many bytes the span covers.
    #[inline]
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether the span covers nothing.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The span as a range to slice with.
    #[inline]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The part of `text` that the span covers.
    ///
    /// # Panics
    /// When the span is not one of this text.
    #[inline]
    pub fn of(self, text: &str) -> &str {
        &text[self.range()]
    }

    /// What spans in any order cover, as sorted spans that neither overlap nor touch.
    ///
    /// ```
    /// use unmold::Span;
    ///
    /// let spans = [Span::new(4, 6), Span::new(0, 2), Span::new(1, 4), Span::new(8, 9)];
    /// assert_eq!(Span::union(spans.to_vec()), [Span::new(0, 6), Span::new(8, 9)]);
    /// ```
    pub fn union(mut spans: Vec<Span>) -> Vec<Span> {
        spans.sort_unstable();
        let mut merged: Vec<Span> = Vec::with_capacity(spans.len());
        for span in spans {
            match merged.last_mut() {
                Some(last) if span.start <= last.end => *last = last.to(span),
                _ => merged.push(span),
            }
        }
        merged
    }

    /// The smallest span that covers both.
    #[inline]
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// The parts of a stretch that sorted spans leave free.
pub(crate) fn free_parts(stretch: Span, spans: &[Span]) -> impl Iterator<Item = Span> {
    let overlapping = spans
        .iter()
        .take_while(move |span| span.start < stretch.end)
        .copied();
    let mut at = stretch.start;
    overlapping
        .chain(std::iter::once(Span {
            start: stretch.end,
            end: stretch.end,
        }))
        .filter_map(move |span| {
            let part = Span {
                start: at,
                end: span.start.max(at),
            };
            at = at.max(span.end);
            (!part.is_empty()).then_some(part)
        })
}

/// The stretches of a page that spans leave free, in order.
pub fn gaps(length: usize, spans: &[Span]) -> Vec<Span> {
    let mut gaps = Vec::new();
    let mut at = 0;
    for span in spans {
        if span.start > at {
            gaps.push(Span {
                start: at,
                end: span.start,
            });
        }
        at = at.max(span.end);
    }
    if length > at as usize {
        gaps.push(Span {
            start: at,
            end: length as u32,
        });
    }
    gaps
}
