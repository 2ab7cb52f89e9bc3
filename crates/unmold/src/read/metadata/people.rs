//! Is this the name of somebody?

/// No name is longer; what is, is a paragraph about its author.
const LETTERS: usize = 100;

/// The names in a text that may hold several.
pub(super) fn people(text: &str) -> impl Iterator<Item = String> {
    text.split(';').filter_map(person)
}

/// The name in a text, without the addresses that may stand beside it; `None` where nothing is left
/// that can be one.
///
/// A name has letters, and is no address of a profile and no number of an account. It is not taken
/// apart at words and commas: "and" is a word of some language, and "Smith, Ann" is one person.
fn person(text: &str) -> Option<String> {
    let words: Vec<&str> = text
        .split_whitespace()
        .filter(|word| !is_address(word))
        .collect();
    let name = words.join(" ");
    let name = name.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, ',' | ';' | ':' | '|' | '/' | '•' | '·' | '-' | '–' | '—')
    });
    // "Photo: Somebody" names what somebody did, not who wrote the text.
    let is_name = name.contains(char::is_alphabetic)
        && !name.contains([':', '：'])
        && name.chars().count() <= LETTERS
        && !is_number(name);
    is_name.then(|| name.to_owned())
}

/// Whether a word is an address: of mail, of a page, or on a network (`@name`).
fn is_address(word: &str) -> bool {
    let is_path = word.contains('/')
        && word.len() > 1
        && word
            .split('/')
            .any(|part| part.contains('.') || part.is_empty());
    word.contains('@') || word.contains("://") || word.starts_with("www.") || is_path
}

/// Whether one long word is for machines: at least half of it is digits.
fn is_number(name: &str) -> bool {
    const LONG: usize = 6;
    let digits = name.chars().filter(char::is_ascii_digit).count();
    !name.contains(' ') && name.len() >= LONG && 2 * digits >= name.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_left_of_what_stands_beside_them() {
        for (text, expected) in [
            ("Ann Smith", Some("Ann Smith")),
            (" Ann Smith (ann@news.example), ", Some("Ann Smith")),
            ("Ann Smith @annsmith", Some("Ann Smith")),
            ("50 Cent", Some("50 Cent")),
            ("山田太郎", Some("山田太郎")),
            ("AC/DC", Some("AC/DC")),
            ("https://social.example/ann", None),
            ("social.example/ann", None),
            ("/authors/ann", None),
            ("ann@news.example", None),
            ("@annsmith", None),
            ("( Image: Ann Smith)", None),
            ("1234567", None),
            ("a4711-0815-12", None),
            ("", None),
        ] {
            assert_eq!(person(text).as_deref(), expected, "{text}");
        }
        assert_eq!(person(&"a paragraph ".repeat(10)), None);
    }
}
