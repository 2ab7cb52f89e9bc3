//! Does a class or an id tell a reader anything?
//!
//! Authors write `author-name` and `lblMainPhone`; programs write `css-1b07bg1`, `sc-bdVaJa` and
//! `ctl00`. The two are told apart by their shape, in any language: a program changes between
//! letters, digits and capitals every letter or two, and numbers what it makes.

/// What is left of a longer name must have this many letters to tell something.
const LEAST_LETTERS: usize = 4;
/// A program changes between kinds of letters after fewer letters than this on average.
const SHORT_PIECES: f64 = 3.0;

/// What a reader can take from a class or id: all of it if nothing in it looks made by a program,
/// else its last part that does not; `None` if there is none.
pub(super) fn meaningful_part(name: &str) -> Option<&str> {
    let parts = || {
        name.split(|letter: char| !letter.is_alphanumeric())
            .filter(|part| !part.is_empty())
    };
    if !parts().any(is_generated) {
        return Some(name).filter(|name| letters(name) > 1);
    }
    parts()
        .rfind(|part| !is_generated(part))
        .filter(|part| letters(part) >= LEAST_LETTERS)
}

fn letters(text: &str) -> usize {
    text.chars().filter(|letter| letter.is_alphabetic()).count()
}

/// Whether a part of a name looks like one that a program made.
fn is_generated(part: &str) -> bool {
    let count = part.chars().count();
    let digits = part.chars().filter(|letter| letter.is_numeric()).count();
    let ends_in_number = part.ends_with(char::is_numeric);
    // `isbn13` and `cover2` are words with a number, `ctl00` and `sz15` are numbers with a few
    // letters.
    let is_number = digits > 0 && (digits == count || ends_in_number && count < 2 * digits + 2);
    let pieces = pieces(part);
    is_number || pieces >= 3 && (count as f64) < SHORT_PIECES * pieces as f64 && !has_word(part)
}

/// How many pieces of one kind a part has: `list`, `Price`, `13`.
fn pieces(part: &str) -> usize {
    let mut before = None;
    let mut pieces = 0;
    for letter in part.chars() {
        let kind = (letter.is_numeric(), letter.is_uppercase());
        // A capital goes with the small letters behind it.
        let goes_on =
            before == Some(kind) || before == Some((false, true)) && kind == (false, false);
        pieces += usize::from(!goes_on);
        before = Some(kind);
    }
    pieces
}

/// Whether a part has a piece that is long enough to be a word.
fn has_word(part: &str) -> bool {
    part.split(|letter: char| letter.is_numeric() || letter.is_uppercase())
        .any(|piece| piece.len() > LEAST_LETTERS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_is_kept() {
        for name in [
            "author-name",
            "listPriceValue",
            "isbn13",
            "AuthorArtistTitle_productTitle",
            "precio",
            "価格",
            "prodInfo",
        ] {
            assert_eq!(meaningful_part(name), Some(name));
        }
    }

    #[test]
    fn what_programs_write_is_not() {
        for name in [
            "css-1b07bg1",
            "sc-bdVaJa",
            "x8f3a2b1c",
            "ctl00",
            "sz15",
            "w400",
            "clr611",
            "b",
            "jss-142",
            "_3dG7x",
        ] {
            assert_eq!(meaningful_part(name), None, "{name}");
        }
    }

    #[test]
    fn the_last_meaningful_part_is_left_of_what_is_both() {
        assert_eq!(
            meaningful_part("ctl00_ctl00_Main_lblMainPhone"),
            Some("lblMainPhone")
        );
        assert_eq!(meaningful_part("Product_title__3xY2z"), Some("title"));
    }
}
