//! Which strings are the template of a group, and how are they written down?
//!
//! A [`Template`] is a list of strings that stand on nearly all pages of a group, with what varies
//! in them (dates, numbers, addresses) named in curly brackets. Each is a regular expression too:
//!
//! ```
//! use unmold::{read::mutable::{Mutable, Mutables}, strings::rule::Template};
//!
//! let digits = Mutables::none().and([Mutable::new("digits", "[0-9]+")?]);
//! let template = Template::of(&digits, ["hello! How are you?", "I'm {digits} years old"])?;
//! let expressions: Vec<String> = template.expressions()?;
//! assert_eq!(expressions[0], r"\bhello!\s+How\s+are\s+you\?");
//! assert_eq!(expressions[1], r"\bI'm\s+(?:[0-9]+)\s+years\s+old\b");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! They can be used as they are with Rust's `regex`, Python's `re` and PCRE;
//! [`apply`](crate::strings::apply) finds the same places with one automaton instead. In a string,
//! how much white space stands between two symbols does not matter, but whether there is any does.
//! A curly bracket that stands for itself is doubled.
//!
//! [`learn`](mod@crate::strings::learn) makes templates from pages by
//! [`papers::documents`](crate::papers::documents).

use super::expression::{self, Edges};
use crate::{
    Span,
    read::{
        STRING_BYTES,
        mutable::{BadPattern, Mutable, Mutables},
    },
    symbols::encode::flat::{self, Lexicon, Word},
};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The strings that pages of a group have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Template {
    /// What is read as one symbol; where several match, the first one counts.
    pub patterns: Vec<Pattern>,
    /// The strings, those on most pages first.
    pub strings: Vec<TemplateString>,
}

/// A mutable pattern by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// What strings call it, in curly brackets.
    pub name: String,
    /// The regular expression it stands for.
    pub regex: String,
}

/// A string that many pages have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TemplateString {
    /// The string.
    pub string: String,
    /// How often it occurred where it was learned.
    pub tf: usize,
    /// On how many pages.
    pub df: usize,
}

/// A template that cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BadTemplate {
    /// One of its patterns is not valid.
    #[error("patterns[{at}]: {source}")]
    Pattern {
        /// Which one.
        at: usize,
        /// What is wrong.
        source: BadPattern,
    },
    /// Two patterns have one name, or a name that cannot be written in curly brackets.
    #[error("patterns[{at}]: the name {name:?} is taken, empty or has curly brackets")]
    Name {
        /// Which one.
        at: usize,
        /// The name.
        name: String,
    },
    /// One of its strings makes no sense.
    #[error("strings[{at}]: {reason}")]
    String {
        /// Which one.
        at: usize,
        /// What is wrong.
        reason: String,
    },
}

/// A template, read.
pub(crate) struct Parsed {
    pub(crate) mutables: Mutables,
    /// The symbols of each string.
    pub(crate) strings: Vec<Vec<Symbol>>,
    /// Whether strings must not begin or end inside a word: not so on sites in a script without
    /// spaces.
    pub(crate) has_edges: bool,
}

/// A symbol of a template string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Symbol {
    pub(crate) name: Name,
    /// Whether white space stands before it. Before the first symbol of a string it does not
    /// matter.
    pub(crate) spaced: bool,
}

/// What a symbol is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    Word(String),
    /// A pattern, by number.
    Mutable(usize),
}

impl Template {
    /// A template of strings as people write them.
    ///
    /// # Errors
    /// When a string makes no sense.
    pub fn of<'s>(
        mutables: &Mutables,
        strings: impl IntoIterator<Item = &'s str>,
    ) -> Result<Self, BadTemplate> {
        let strings = strings.into_iter().map(|string| TemplateString {
            string: string.to_owned(),
            tf: 0,
            df: 0,
        });
        let template = Template {
            patterns: patterns(mutables),
            strings: strings.collect(),
        };
        template.check()?;
        Ok(template)
    }

    /// Each string as a regular expression.
    ///
    /// # Errors
    /// When a pattern or a string makes no sense; a template that was learned, or read in a mold,
    /// makes sense.
    pub fn expressions(&self) -> Result<Vec<String>, BadTemplate> {
        let Parsed {
            mutables,
            strings,
            has_edges,
        } = self.parsed()?;
        let edges = |symbols: &[Symbol]| {
            if has_edges {
                Edges::of(symbols, &mutables)
            } else {
                Edges::default()
            }
        };
        Ok(strings
            .iter()
            .map(|symbols| expression::of(symbols, &mutables, edges(symbols)))
            .collect())
    }

    /// The symbols of all strings.
    pub(crate) fn parsed(&self) -> Result<Parsed, BadTemplate> {
        let strings = (0..self.strings.len())
            .map(|at| self.symbols(at))
            .collect::<Result<Vec<_>, _>>()?;
        let has_edges = !strings.iter().flatten().any(expression::is_spaceless);
        Ok(Parsed {
            mutables: self.mutables()?,
            strings,
            has_edges,
        })
    }

    /// The patterns, compiled.
    pub(crate) fn mutables(&self) -> Result<Mutables, BadTemplate> {
        let mut names = HashSet::new();
        let compiled = self.patterns.iter().enumerate().map(|(at, pattern)| {
            let writable = !pattern.name.is_empty() && !pattern.name.contains(['{', '}']);
            if !writable || !names.insert(&pattern.name) {
                return Err(BadTemplate::Name {
                    at,
                    name: pattern.name.clone(),
                });
            }
            Mutable::known_or_new(&pattern.name, &pattern.regex)
                .map_err(|source| BadTemplate::Pattern { at, source })
        });
        Ok(Mutables::of(compiled.collect::<Result<_, _>>()?))
    }

    /// The symbols of a string.
    pub(crate) fn symbols(&self, at: usize) -> Result<Vec<Symbol>, BadTemplate> {
        let refused = |reason: String| BadTemplate::String { at, reason };
        let TemplateString { string, .. } = &self.strings[at];
        if string.len() > STRING_BYTES {
            return Err(refused(format!("longer than {} bytes", STRING_BYTES)));
        }
        let symbols = Parser {
            patterns: &self.patterns,
            symbols: Vec::new(),
            literal: String::new(),
        }
        .parse(string);
        let symbols = symbols.map_err(refused)?;
        if symbols.is_empty() {
            Err(refused("nothing but white space".to_owned()))
        } else {
            Ok(symbols)
        }
    }

    pub(crate) fn check(&self) -> Result<(), BadTemplate> {
        self.mutables()?;
        (0..self.strings.len()).try_for_each(|at| self.symbols(at).map(drop))
    }

    /// The second level of the thesis: drops strings of plain language that at least half of the
    /// other sites have too.
    ///
    /// A template is frequent on its own site; "as much as" is frequent everywhere. Strings with
    /// markup in them are no language, and stay.
    pub fn drop_frequent_elsewhere(&mut self, others: &[HashSet<&str>]) {
        let sites_with = |string: &str| others.iter().filter(|site| site.contains(string)).count();
        self.strings.retain(|TemplateString { string, .. }| {
            others.is_empty()
                || string.contains(['<', '>'])
                || 2 * sites_with(string) < others.len()
        });
    }
}

/// Patterns as a mold has them.
pub(crate) fn patterns(mutables: &Mutables) -> Vec<Pattern> {
    let pattern = |mutable: &Mutable| Pattern {
        name: mutable.name().to_owned(),
        regex: mutable.pattern().to_owned(),
    };
    mutables.iter().map(pattern).collect()
}

/// Reads a string as people write it.
struct Parser<'t> {
    patterns: &'t [Pattern],
    symbols: Vec<Symbol>,
    /// What was read behind the last pattern.
    literal: String,
}

impl Parser<'_> {
    fn parse(mut self, string: &str) -> Result<Vec<Symbol>, String> {
        let mut rest = string;
        while let Some(at) = rest.find(['{', '}']) {
            self.literal.push_str(&rest[..at]);
            let bracket = &rest[at..=at];
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix(bracket) {
                self.literal.push_str(bracket);
                rest = after;
            } else {
                let name = (bracket == "{").then(|| rest.split_once('}')).flatten();
                let (name, after) =
                    name.ok_or_else(|| format!("a {bracket:?} that is not doubled"))?;
                self.pattern(name)?;
                rest = after;
            }
        }
        self.literal.push_str(rest);
        self.end_literal();
        if let Some(first) = self.symbols.first_mut() {
            first.spaced = false;
        }
        Ok(self.symbols)
    }

    fn pattern(&mut self, name: &str) -> Result<(), String> {
        let known = self
            .patterns
            .iter()
            .position(|pattern| pattern.name == name);
        let number = known.ok_or_else(|| format!("there is no pattern called {name:?}"))?;
        let spaced = self.literal.ends_with(char::is_whitespace);
        self.end_literal();
        self.symbols.push(Symbol {
            name: Name::Mutable(number),
            spaced,
        });
        Ok(())
    }

    fn end_literal(&mut self) {
        let literal = std::mem::take(&mut self.literal);
        flat::read(
            &literal,
            &Mutables::none(),
            &mut Literal {
                text: &literal,
                symbols: &mut self.symbols,
            },
        );
    }
}

/// Takes the words of a literal as they are.
struct Literal<'t, 's> {
    text: &'t str,
    symbols: &'s mut Vec<Symbol>,
}

impl Lexicon for Literal<'_, '_> {
    fn word(&mut self, _: &str, _: Span) -> (u32, bool) {
        (0, false)
    }

    fn take_word(&mut self, Word { spaced, span, .. }: Word) {
        self.symbols.push(Symbol {
            name: Name::Word(span.of(self.text).to_owned()),
            spaced,
        });
    }

    fn take_mutable(&mut self, _: usize, _: bool, _: Span) {
        unreachable!("literals are read without patterns");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(string: &str) -> String {
        Template::of(&Mutables::common(), ["fine", string])
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn refusals_name_the_string() {
        assert_eq!(
            reason("{surprise} x"),
            "strings[1]: there is no pattern called \"surprise\""
        );
        assert_eq!(reason("a } b"), "strings[1]: a \"}\" that is not doubled");
        assert_eq!(
            reason("a {number"),
            "strings[1]: a \"{\" that is not doubled"
        );
        assert_eq!(reason("  "), "strings[1]: nothing but white space");
    }

    #[test]
    fn brackets_and_spaces_are_read_back() {
        let template = Template::of(&Mutables::common(), ["a{{b}} {number}px {number}"]).unwrap();
        let symbols = template.symbols(0).unwrap();
        let spaced: Vec<bool> = symbols.iter().map(|symbol| symbol.spaced).collect();
        assert_eq!(spaced, [false, false, false, false, true, false, true]);
        assert_eq!(symbols[1].name, Name::Word("{".to_owned()));
    }

    #[test]
    fn language_is_dropped_and_markup_stays() {
        let mut template = Template::of(
            &Mutables::none(),
            ["as much as", "<b>as much as", "Imprint of ours"],
        )
        .unwrap();
        let others = ["as much as", "<b>as much as"];
        template.drop_frequent_elsewhere(&[HashSet::from(others), HashSet::new()]);
        let left: Vec<_> = template
            .strings
            .iter()
            .map(|string| string.string.as_str())
            .collect();
        assert_eq!(left, ["<b>as much as", "Imprint of ours"]);
    }
}
