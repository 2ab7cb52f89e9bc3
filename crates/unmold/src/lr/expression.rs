//! Rules as regular expressions that other tools can use verbatim.
//!
//! ```
//! use unmold::lr::{Rule, expression::of_rule};
//!
//! let rule = Rule { left: "<b>Price:</b> $".into(), right: "</td>".into() };
//! assert_eq!(of_rule(&rule), r"(?s)<b>Price:</b> \$(?:(.*?)</td>|.*)");
//! ```
//!
//! They mean the same to Rust's `regex`, Python's `re` and PCRE, and the value is the first group.
//!
//! Where no right delimiter follows, none follows further on either: the match goes to the end of
//! the page then, and has no group. Without that, an engine that backtracks would search from each
//! left delimiter to the end, and take hours for a page that says nothing but `<b>Price:</b> $`.

use super::Rule;

/// A rule as an expression whose first group is the value; a match without it has none.
pub fn of_rule(rule: &Rule) -> String {
    format!(
        "(?s){}(?:(.*?){}|.*)",
        literal(&rule.left),
        literal(&rule.right)
    )
}

/// A string as an expression that matches just it. Only what has a meaning in one of the three
/// dialects is escaped, and with escapes that all three know; the rest stays readable.
pub fn literal(string: &str) -> String {
    let mut escaped = String::with_capacity(string.len() + 8);
    for c in string.chars() {
        match c {
            '\n' => escaped.push_str("\\n"),
            '\t' => escaped.push_str("\\t"),
            '\r' => escaped.push_str("\\r"),
            '\\' | '.' | '+' | '*' | '?' | '(' | ')' | '|' | '[' | ']' | '{' | '}' | '^' | '$' => {
                escaped.push('\\');
                escaped.push(c);
            }
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_literal_matches_itself_and_nothing_else(string in any::<String>(), other in any::<String>()) {
            let regex = regex::Regex::new(&format!("^(?:{})$", literal(&string))).unwrap();
            prop_assert!(regex.is_match(&string));
            prop_assert_eq!(regex.is_match(&other), string == other);
        }
    }
}
