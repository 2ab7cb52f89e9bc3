//! What to remove, given where strings matched.

use super::edge_bytes::{EDGE, EdgeBytes};
use crate::Span;
use memchr::memchr2;

/// What of a page goes, given what matched.
///
/// - Matches with fewer than `gap` characters between them are joined, white space not counted.
/// - Matches of fewer than `island` characters inside text that stays are given back: whole ones
///   inside a stretch of text, and the ends of longer ones that reach from markup into it.
pub(super) fn removed(page: &str, mut spans: Vec<Span>, gap: usize, island: usize) -> Vec<Span> {
    let (mut from, mut kept, mut next) = (0, 0, 0);
    while let Some(&first) = spans.get(next) {
        let mut around = Around {
            page,
            from,
            span: first,
            to: 0,
            island,
        };
        loop {
            next += 1;
            let Some(span) = spans.get(next) else {
                around.to = page.len() as u32;
                break;
            };
            around.to = span.start;
            if !around.has_less_behind(gap.max(1)) {
                break;
            }
            around.span.end = span.end;
        }
        let left = around.reduced();
        if !left.is_empty() {
            // What is left is never more than what was there.
            spans[kept] = left;
            (from, kept) = (left.end, kept + 1);
        }
    }
    spans.truncate(kept);
    spans
}

/// How many times as long as a restored match the text beside it must be. On 23 labelled news sites
/// 1 gives a mean F1 of 0.743 and 3 gives 0.709, and 1 is better on either half of the sites.
const AROUND: usize = 1;

/// A match with the text around it, from the match before to the match behind.
struct Around<'p> {
    page: &'p str,
    from: u32,
    span: Span,
    to: u32,
    island: usize,
}

impl Around<'_> {
    /// What is left of a match.
    #[inline]
    fn reduced(&self) -> Span {
        let Span { start, end } = self.span;
        let (first, last) = (self.first_piece(), self.last_piece());
        if let (Piece::All { size }, Piece::All { .. }) = (first, last) {
            let is_island =
                self.continues_before(size) && self.continues_behind(size) && !self.is_in_tag();
            return if is_island {
                Span { start, end: start }
            } else {
                self.span
            };
        }
        let mut left = self.span;
        if let Piece::UpToTag { size, bytes } = first
            && self.continues_before(size)
        {
            left.start = start + bytes;
        }
        if let Piece::UpToTag { size, bytes } = last
            && end - bytes >= left.start
            && self.continues_behind(size)
        {
            left.end = end - bytes;
        }
        left
    }

    /// The first piece of a match, up to a tag.
    #[inline]
    fn first_piece(&self) -> Piece {
        let few = EdgeBytes::first(self.page.as_bytes(), self.span.start, self.span.end);
        self.piece(
            few,
            b'<',
            |bytes| self.span.start as usize + bytes,
            || self.span.of(self.page).chars(),
        )
    }

    /// The last piece of a match, behind a tag.
    #[inline]
    fn last_piece(&self) -> Piece {
        let few = EdgeBytes::last(self.page.as_bytes(), self.span.start, self.span.end);
        self.piece(
            few,
            b'>',
            |bytes| self.span.end as usize - 1 - bytes,
            || self.span.of(self.page).chars().rev(),
        )
    }

    /// The piece at one end of a match, up to the mark of a tag that stands outside of it. If the
    /// other mark comes first, the end of the match is inside a tag.
    #[inline(always)]
    fn piece<C: Iterator<Item = char>>(
        &self,
        few: EdgeBytes,
        outside: u8,
        place: impl Fn(usize) -> usize,
        characters: impl Fn() -> C,
    ) -> Piece {
        let bytes = few.bytes_before_mark();
        let is_whole = few.are_all() && bytes == few.count();
        if bytes == 0 || bytes < few.count() && self.page.as_bytes()[place(bytes)] != outside {
            return Piece::Fixed;
        }
        match few.size(bytes) {
            Some(size) if size >= self.island => Piece::Fixed,
            Some(size) if is_whole => Piece::All { size },
            Some(size) if bytes < EDGE => Piece::UpToTag {
                size,
                bytes: bytes as u32,
            },
            _ => Piece::read(characters(), char::from(outside), self.island),
        }
    }

    /// Whether a match without tags is inside of one: the next mark tells.
    fn is_in_tag(&self) -> bool {
        let behind = &self.page.as_bytes()[self.span.end as usize..];
        memchr2(b'<', b'>', behind).is_some_and(|mark| behind[mark] == b'>')
    }

    /// Whether fewer than so many characters stand behind the match, white space not counted.
    #[inline]
    fn has_less_behind(&self, limit: usize) -> bool {
        let few = EdgeBytes::first(self.page.as_bytes(), self.span.end, self.to);
        match few.size(few.count()) {
            Some(size) if size >= limit => false,
            Some(_) if few.are_all() => true,
            _ => !is_as_long(
                Span {
                    start: self.span.end,
                    end: self.to,
                }
                .of(self.page)
                .chars(),
                limit,
            ),
        }
    }

    /// Whether the text before a match, back to the nearest tag, is longer than a piece of it.
    #[inline]
    fn continues_before(&self, size: usize) -> bool {
        let few = EdgeBytes::last(self.page.as_bytes(), self.from, self.span.start);
        continues(few, AROUND * size).unwrap_or_else(|| {
            let text = Span {
                start: self.from,
                end: self.span.start,
            }
            .of(self.page)
            .chars()
            .rev();
            is_as_long(text.take_while(|c| !MARKS.contains(c)), AROUND * size)
        })
    }

    /// Whether the text behind a match, up to the nearest tag, is longer than a piece of it.
    #[inline]
    fn continues_behind(&self, size: usize) -> bool {
        let few = EdgeBytes::first(self.page.as_bytes(), self.span.end, self.to);
        continues(few, AROUND * size).unwrap_or_else(|| {
            let text = Span {
                start: self.span.end,
                end: self.to,
            }
            .of(self.page)
            .chars();
            is_as_long(text.take_while(|c| !MARKS.contains(c)), AROUND * size)
        })
    }
}

/// The marks of tags.
const MARKS: [char; 2] = ['<', '>'];

/// One end of a match.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Piece {
    /// Nothing of it is given back: it is inside a tag, or has too many characters for an island,
    /// or none.
    Fixed,
    /// It ends at a tag: its characters, white space not counted, and its bytes.
    UpToTag { size: usize, bytes: u32 },
    /// It is all of the match.
    All { size: usize },
}

impl Piece {
    /// Reads a piece up to the mark of a tag.
    #[cold]
    fn read(characters: impl Iterator<Item = char>, outside: char, island: usize) -> Self {
        let (mut size, mut bytes) = (0, 0);
        for c in characters {
            if MARKS.contains(&c) {
                return if c == outside && bytes > 0 {
                    Piece::UpToTag { size, bytes }
                } else {
                    Piece::Fixed
                };
            }
            size += usize::from(!c.is_whitespace());
            bytes += c.len_utf8() as u32;
            if size >= island {
                return Piece::Fixed;
            }
        }
        Piece::All { size }
    }
}

/// Whether a text has so many characters before the first mark, white space not counted, if a few
/// bytes of it tell.
#[inline]
fn continues(few: EdgeBytes, limit: usize) -> Option<bool> {
    let bytes = few.bytes_before_mark();
    let size = few.size(bytes)?;
    if size >= limit {
        Some(true)
    } else {
        (bytes < EDGE || few.are_all()).then_some(false)
    }
}

/// Whether a text has so many characters that are not white space.
#[cold]
fn is_as_long(text: impl Iterator<Item = char>, limit: usize) -> bool {
    text.filter(|c| !c.is_whitespace()).take(limit).count() == limit
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(page: &str, removed: &[&str]) -> Vec<Span> {
        let find = |part: &&str| {
            page.find(*part)
                .map(|start| Span::new(start, start + part.len()))
                .unwrap()
        };
        removed.iter().map(find).collect()
    }

    #[test]
    fn the_union_does_not_depend_on_order() {
        let span = Span::new;
        let spans = [
            span(5, 9),
            span(1, 3),
            span(2, 4),
            span(0, 10),
            span(12, 13),
        ];
        let mut reversed = spans;
        reversed.reverse();
        assert_eq!(Span::union(spans.to_vec()), [span(0, 10), span(12, 13)]);
        assert_eq!(Span::union(reversed.to_vec()), [span(0, 10), span(12, 13)]);
    }

    #[test]
    fn small_gaps_go_and_large_ones_stay() {
        let page = "Home | About x Contact";
        let matched = spans(page, &["Home", "About", "Contact"]);
        assert_eq!(removed(page, matched.clone(), 2, 0), [Span::new(0, 22)]);
        assert_eq!(removed(page, matched, 0, 0).len(), 3);
    }

    #[test]
    fn a_few_characters_inside_clean_text_stay() {
        let page = "<p>Nobody in the village had known as much as she did, not even the old postman.</p>\n<p>The neighbours asked.</p><i>Imprint</i>";
        let matched = spans(page, &["as much as", ".</p>\n<p>The", "</p><i>Imprint</i>"]);
        let left: Vec<_> = removed(page, matched.clone(), 0, 12)
            .iter()
            .map(|span| span.of(page))
            .collect();
        assert_eq!(left, ["</p>\n<p>", "</p><i>Imprint</i>"]);
        assert_eq!(removed(page, matched.clone(), 0, 0), matched);
    }

    #[test]
    fn a_few_bytes_tell_what_reading_them_tells() {
        let page = "<i>ab cd ef gh ij kl mn</i> op                  qr st uv wx > yz < <b>東京 ab cd ef gh ij kl mn";
        let places: Vec<usize> = page.char_indices().map(|(at, _)| at).collect();
        for (&start, &end) in places
            .iter()
            .flat_map(|start| places.iter().map(move |end| (start, end)))
        {
            if start >= end {
                continue;
            }
            let around = Around {
                page,
                from: 0,
                span: Span::new(start, end),
                to: page.len() as u32,
                island: 4,
            };
            let (before, inside, behind) = (&page[..start], &page[start..end], &page[end..]);
            assert_eq!(
                around.first_piece(),
                Piece::read(inside.chars(), '<', 4),
                "{inside}"
            );
            assert_eq!(
                around.last_piece(),
                Piece::read(inside.chars().rev(), '>', 4),
                "{inside}"
            );
            let is_text = |c: &char| !MARKS.contains(c);
            for size in 0..4 {
                let continues = is_as_long(before.chars().rev().take_while(is_text), size);
                assert_eq!(around.continues_before(size), continues, "{before}");
                assert_eq!(
                    around.continues_behind(size),
                    is_as_long(behind.chars().take_while(is_text), size),
                    "{behind}"
                );
                assert_eq!(
                    around.has_less_behind(size + 1),
                    !is_as_long(behind.chars(), size + 1),
                    "{behind}"
                );
            }
        }
    }

    #[test]
    fn what_stands_in_tags_is_no_text() {
        let page = "<a href='one two three four five six seven eight nine'>x</a>";
        let matched = spans(page, &["four"]);
        assert_eq!(removed(page, matched.clone(), 0, 12), matched);
    }
}
