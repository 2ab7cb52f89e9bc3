//! Which marks at the ends of a text are not its own?
//!
//! Templates put links and tags into the middle of what they say: of "14.4 ounces (<a>see
//! rates</a>)" the first text is "14.4 ounces (", and of "101 min - <a>Drama</a>" it is "101 min
//! -". A bracket without its partner, and a mark that joined the text to what follows, are cut off:
//!
//! ```text
//! 14.4 ounces (   ->   14.4 ounces
//! 101 min -       ->   101 min
//! rating: 2.0/5)  ->   rating: 2.0/5
//! ```
//!
//! A comma or a bar stays ("301-610-0303 |"): headlines end so, too, and a text alone does not
//! tell.

/// Brackets that belong together.
const PAIRS: [(char, char); 8] = [
    ('(', ')'),
    ('[', ']'),
    ('{', '}'),
    ('（', '）'),
    ('「', '」'),
    ('《', '》'),
    ('«', '»'),
    ('“', '”'),
];

/// Whether every bracket has its partner.
pub(super) fn has_partners(text: &str) -> bool {
    PAIRS.iter().all(|&(open, close)| {
        let mut depth = 0_i32;
        let mut is_closed_early = false;
        for letter in text.chars().filter(|letter| [open, close].contains(letter)) {
            depth += if letter == open { 1 } else { -1 };
            is_closed_early |= depth < 0;
        }
        depth == 0 && !is_closed_early
    })
}

/// A text without the marks at its ends that belong to what stands around it; all of it if there is
/// nothing else.
pub(super) fn without_dangling(text: &str) -> &str {
    let mut rest = text;
    while let Some(shorter) = without_last(rest).or_else(|| without_first(rest)) {
        rest = shorter;
    }
    if rest.contains(char::is_alphanumeric) {
        rest
    } else {
        text
    }
}

fn without_last(text: &str) -> Option<&str> {
    let last = text.chars().next_back()?;
    let rest = &text[..text.len() - last.len_utf8()];
    let is_joint = match last {
        // "A-" is a grade, "A -" is not.
        '-' | '–' | '—' | '·' | '•' => rest.ends_with(char::is_whitespace),
        _ => opens(last) || is_closed_early(text, last),
    };
    is_joint.then(|| rest.trim_end())
}

fn without_first(text: &str) -> Option<&str> {
    let first = text.chars().next()?;
    let closes = PAIRS.iter().any(|(_, close)| *close == first);
    (closes || is_left_open(text, first)).then(|| text[first.len_utf8()..].trim_start())
}

fn opens(letter: char) -> bool {
    PAIRS.iter().any(|(open, _)| *open == letter)
}

/// Whether a text ends a bracket that it does not begin.
fn is_closed_early(text: &str, last: char) -> bool {
    let pair = PAIRS.iter().find(|(_, close)| *close == last);
    pair.is_some_and(|(open, close)| text.matches(*close).count() > text.matches(*open).count())
}

/// Whether a text begins a bracket that it does not end.
fn is_left_open(text: &str, first: char) -> bool {
    let pair = PAIRS.iter().find(|(open, _)| *open == first);
    pair.is_some_and(|(open, close)| text.matches(*open).count() > text.matches(*close).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_others_are_cut_off() {
        let pairs = [
            ("14.4 ounces (", "14.4 ounces"),
            ("#424 in Books (", "#424 in Books"),
            ("101 min -", "101 min"),
            ("(85", "85"),
            (") and more", "and more"),
            ("average 2.0/5)", "average 2.0/5"),
            ("東京（", "東京"),
        ];
        for (text, value) in pairs {
            assert_eq!(without_dangling(text.trim()), value);
        }
    }

    #[test]
    fn marks_of_its_own_stay() {
        for text in [
            "(85 ratings)",
            "Boston,",
            "A-",
            "-1.5",
            "Ok (all)",
            "-",
            "(",
            "f(x) = y",
            "301-610-0303 |",
            "«да»",
            "",
        ] {
            assert_eq!(without_dangling(text), text);
        }
    }
}
