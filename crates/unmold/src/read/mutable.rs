//! What changes in a template without being content?
//!
//! A page says "Published on Tuesday, 27th February, 2007, 3 comments", the next one another day
//! and another number. Word by word the two have little in common; with each date and each number
//! read as one symbol they are the same. A [`Mutable`] is such a pattern: a name and a regular
//! expression, which is what the symbol becomes when template strings are written out as
//! expressions.
//!
//! ```
//! use unmold::{Text, read::mutable::{Mutable, Mutables}, symbols::encode::Words};
//!
//! let page = Text::from_string("1", "AB-1234, 2007年2月27日, ٢٧ فبراير ٢٠٠٧, 27 февраля 2007, 9,50 €");
//! let part = Mutable::new("part", r"[A-Z]{2}-\d{4}")?;
//! let symbols = Words::default().with_mutables(Mutables::common().and([part])).encode(&[page]);
//! let names: Vec<_> = symbols.page(0).map(|position| symbols.name(position)).collect();
//! assert_eq!(names, ["{part}", ",", "{date}", ",", "{date-in-words}", ",", "{date-in-words}", ",", "{amount}"]);
//! # Ok::<(), unmold::read::mutable::BadPattern>(())
//! ```
//!
//! The expressions use only what Rust's `regex`, Python's `re` and PCRE understand alike, and none
//! of them needs a backtracking engine. In one that does backtrack they stay linear: what repeats
//! is bounded, or cannot hold the place where the next match might begin.
//!
//! Searching a whole page for all patterns would be slow. A pattern is only tried at the start of a
//! word that may begin it, and that is decided once per different word.

use super::anchored::AnchoredExpressions;
use regex::Regex;
use regex_automata::{Anchored, Input, meta};
use regex_syntax::{
    hir::{Class, Hir, HirKind},
    is_word_character,
};
use std::{
    collections::HashSet,
    sync::{Arc, LazyLock, OnceLock},
};

/// A pattern whose matches are one symbol.
#[derive(Clone, Debug)]
pub struct Mutable {
    name: String,
    pattern: String,
    begins: Begins,
}

/// Where a pattern may begin.
#[derive(Clone, Debug)]
enum Begins {
    /// With any word.
    Anywhere,
    /// With any word of a stretch of text that holds this character.
    Near(char),
    /// With a word that looks like this.
    With(First),
}

/// What the first word of a pattern looks like.
#[derive(Clone, Debug, Default)]
struct First {
    /// It holds a digit.
    digit: bool,
    /// It has capitals only, two or more.
    upper: bool,
    /// It is one of these.
    names: Vec<String>,
}

/// A pattern that cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
#[error("mutable pattern {name:?}: {reason}")]
pub struct BadPattern {
    name: String,
    reason: String,
}

/// The longest pattern that is taken: the limit on regular expressions everywhere in the project.
const PATTERN_BYTES: usize = 64 << 10;

impl Mutable {
    /// A pattern of the user's own. It is tried at every word, before the common ones.
    ///
    /// # Errors
    /// When the expression is not valid, too long, or matches nothing at all (an empty match is no
    /// symbol).
    pub fn new(name: impl Into<String>, pattern: impl Into<String>) -> Result<Self, BadPattern> {
        let (name, pattern) = (name.into(), pattern.into());
        let refused = |reason: String| BadPattern {
            name: name.clone(),
            reason,
        };
        if pattern.len() > PATTERN_BYTES {
            return Err(refused(format!("longer than {PATTERN_BYTES} bytes")));
        }
        let regex = Regex::new(&pattern).map_err(|error| refused(error.to_string()))?;
        if regex.is_match("") {
            return Err(refused("matches the empty string".to_owned()));
        }
        Ok(Mutable {
            name,
            pattern,
            begins: Begins::Anywhere,
        })
    }

    fn common(name: &str, pattern: String, begins: Begins) -> Self {
        Mutable {
            name: name.to_owned(),
            pattern,
            begins,
        }
    }

    /// One of the common patterns, if it is one, or else a pattern of the user's own.
    pub(crate) fn known_or_new(name: &str, pattern: &str) -> Result<Self, BadPattern> {
        let common = Mutables::common();
        let known = common
            .iter()
            .find(|known| known.name == name && known.pattern == pattern);
        known.map_or_else(|| Mutable::new(name, pattern), |known| Ok(known.clone()))
    }

    /// Whether all that it matches is known to begin with a letter or digit.
    pub(crate) fn starts_with_word(&self) -> bool {
        match &self.begins {
            Begins::Anywhere => false,
            Begins::Near(_) => true,
            Begins::With(first) => first
                .names
                .iter()
                .all(|name| name.starts_with(char::is_alphanumeric)),
        }
    }

    /// The pattern with weaker word boundaries. In the common patterns they all stand behind words.
    fn fast_pattern(&self) -> String {
        match self.begins {
            Begins::Anywhere => self.pattern.clone(),
            _ => self.pattern.replace(r"\b", r"(?-u:\b{end-half})"),
        }
    }

    fn first(&self) -> Option<&First> {
        match &self.begins {
            Begins::With(first) => Some(first),
            _ => None,
        }
    }

    /// What the pattern is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The regular expression, as written.
    pub fn pattern(&self) -> &str {
        &self.pattern
    }
}

/// A set of patterns; where several match, the first one counts.
#[derive(Clone, Debug)]
pub struct Mutables {
    inner: Arc<Compiled>,
}

#[derive(Debug)]
struct Compiled {
    patterns: Vec<Mutable>,
    /// Made when it is first needed, which is seldom.
    exact: OnceLock<meta::Regex>,
    /// The same, but that the end of a word is only seen among ASCII characters. It finds something
    /// wherever the other does, and is much faster on other text: there a DFA cannot tell where a
    /// word ends.
    fast: AnchoredExpressions,
    /// Where ends of words stand in a pattern, by number.
    word_ends: Vec<WordEnds>,
    near: Vec<char>,
    anywhere: bool,
    digit: bool,
    upper: bool,
    names: HashSet<String>,
}

impl Compiled {
    fn exact(&self) -> &meta::Regex {
        self.exact.get_or_init(|| {
            let expressions: Vec<&str> = self
                .patterns
                .iter()
                .map(|mutable| mutable.pattern.as_str())
                .collect();
            meta::Regex::new_many(&expressions)
                .expect("each pattern was compiled on its own before")
        })
    }
}

/// Where a pattern asks for the end of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WordEnds {
    Nowhere,
    /// Behind all that it matches, and nowhere else.
    Last,
    Anywhere,
}

impl WordEnds {
    fn of(pattern: &str, hir: &Hir) -> Self {
        match pattern.contains(r"\b") {
            false => WordEnds::Nowhere,
            true if looks_last(hir) => WordEnds::Last,
            true => WordEnds::Anywhere,
        }
    }
}

/// Whether an expression looks around itself at its end only.
fn looks_last(hir: &Hir) -> bool {
    let looks = |hir: &Hir| !hir.properties().look_set().is_empty();
    match hir.kind() {
        HirKind::Look(_) => true,
        HirKind::Capture(group) => looks_last(&group.sub),
        HirKind::Alternation(parts) => parts.iter().all(looks_last),
        HirKind::Concat(parts) => parts
            .split_last()
            .is_none_or(|(last, others)| looks_last(last) && !others.iter().any(looks)),
        _ => !looks(hir),
    }
}

/// Whether a word ends at a place.
fn ends_word(text: &str, at: usize) -> bool {
    text[..at]
        .chars()
        .next_back()
        .is_some_and(is_word_character)
        && !text[at..].chars().next().is_some_and(is_word_character)
}

/// What the letters of a word look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    /// There is a digit among them.
    pub(crate) digit: bool,
    /// All are capitals.
    pub(crate) upper: bool,
}

impl Look {
    const NONE: Look = Look {
        digit: false,
        upper: false,
    };

    pub(crate) fn of(word: &str) -> Self {
        let characters = word.chars().map(|c| {
            LOOKS
                .get(c as usize)
                .copied()
                .unwrap_or_else(|| Look::by_tables(c))
        });
        let both = |look: Look, c: Look| Look {
            digit: look.digit | c.digit,
            upper: look.upper & c.upper,
        };
        characters.reduce(both).unwrap_or(Look::NONE)
    }

    fn by_tables(c: char) -> Self {
        Look {
            digit: c.is_numeric(),
            upper: c.is_uppercase(),
        }
    }
}

/// A pattern found in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MutableMatch {
    pub(crate) pattern: usize,
    pub(crate) end: usize,
}

impl Default for Mutables {
    fn default() -> Self {
        Mutables::none()
    }
}

/// A line of a list of patterns that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {number}: {reason}")]
pub struct BadPatternLine {
    number: usize,
    reason: String,
}

/// The pattern that a line says.
fn pattern_of(line: &str) -> Result<Mutable, String> {
    let (name, regex) = line.split_once('=').ok_or("not of the form NAME=REGEX")?;
    let name = name.trim();
    if name.is_empty() || name.contains(['{', '}']) {
        return Err("a name without curly brackets is needed before the =".to_owned());
    }
    Mutable::new(name, regex.trim()).map_err(|error| error.to_string())
}

impl Mutables {
    /// No patterns: every word stands for itself.
    pub fn none() -> Self {
        static NONE: LazyLock<Mutables> = LazyLock::new(|| Mutables::compile(Vec::new()));
        NONE.clone()
    }

    /// Addresses, e-mails, dates, times, money, ordinals, identifiers, numbers and upper-case runs,
    /// in many languages and scripts.
    pub fn common() -> Self {
        static COMMON: LazyLock<Mutables> = LazyLock::new(|| Mutables::compile(common_patterns()));
        COMMON.clone()
    }

    /// The first of the common patterns, up to one: what is told by it does not depend on those
    /// behind it.
    pub(crate) fn common_up_to(name: &str) -> Self {
        let mut patterns = common_patterns();
        let count = patterns
            .iter()
            .position(|mutable| mutable.name == name)
            .map_or(patterns.len(), |last| last + 1);
        patterns.truncate(count);
        Mutables::compile(patterns)
    }

    /// The names of months that dates in words have.
    pub(crate) fn months() -> impl Iterator<Item = &'static str> {
        MONTHS.iter().flat_map(|language| language.split('|'))
    }

    /// Reads patterns of a list, one `NAME=REGEX` per line; empty lines and those behind `#` are
    /// passed over.
    ///
    /// # Errors
    /// When a line is no pattern; the line is named.
    pub fn parse_list(lines: &str) -> Result<Vec<Mutable>, BadPatternLine> {
        let numbered = lines
            .lines()
            .zip(1..)
            .map(|(line, number)| (line.trim(), number));
        let patterns = numbered.filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
        patterns
            .map(|(line, number)| {
                pattern_of(line).map_err(|reason| BadPatternLine { number, reason })
            })
            .collect()
    }

    /// These patterns with more put before them; one of the same name is replaced.
    #[must_use]
    pub fn and(&self, more: impl IntoIterator<Item = Mutable>) -> Self {
        let mut patterns: Vec<Mutable> = more.into_iter().collect();
        let kept = self
            .iter()
            .filter(|known| patterns.iter().all(|pattern| pattern.name != known.name));
        patterns.extend(kept.cloned().collect::<Vec<_>>());
        Mutables::compile(patterns)
    }

    /// Just these patterns.
    pub(crate) fn of(patterns: Vec<Mutable>) -> Self {
        let common = Mutables::common();
        let names = |patterns: &[Mutable]| {
            patterns
                .iter()
                .map(|known| known.pattern.clone())
                .collect::<Vec<_>>()
        };
        if names(&patterns) == names(&common.inner.patterns) {
            common
        } else {
            Mutables::compile(patterns)
        }
    }

    fn compile(patterns: Vec<Mutable>) -> Self {
        let parsed = |pattern: &str| {
            regex_syntax::parse(pattern).expect("a weaker word boundary is as valid")
        };
        let fast = AnchoredExpressions::new(
            patterns
                .iter()
                .map(|mutable| parsed(&mutable.fast_pattern()))
                .collect(),
        );
        let parsed = patterns.iter().zip(fast.expressions());
        let word_ends = parsed
            .map(|(mutable, parsed)| WordEnds::of(&mutable.pattern, parsed))
            .collect();
        let near = patterns.iter().filter_map(|mutable| match mutable.begins {
            Begins::Near(c) => Some(c),
            _ => None,
        });
        let near = near.collect();
        let anywhere = patterns
            .iter()
            .any(|mutable| matches!(mutable.begins, Begins::Anywhere));
        let firsts = || patterns.iter().filter_map(Mutable::first);
        let (digit, upper) = (
            firsts().any(|first| first.digit),
            firsts().any(|first| first.upper),
        );
        let names = firsts()
            .flat_map(|first| first.names.iter().cloned())
            .collect();
        let exact = OnceLock::new();
        Mutables {
            inner: Arc::new(Compiled {
                patterns,
                exact,
                fast,
                word_ends,
                near,
                anywhere,
                digit,
                upper,
                names,
            }),
        }
    }

    /// How many patterns there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.inner.patterns.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The pattern with a number.
    pub fn get(&self, number: usize) -> Option<&Mutable> {
        self.inner.patterns.get(number)
    }

    /// The patterns, first one first.
    pub fn iter(&self) -> impl Iterator<Item = &Mutable> {
        self.inner.patterns.iter()
    }

    /// Whether some pattern may begin with this word, wherever the word stands.
    pub(crate) fn may_begin_with(&self, word: &str) -> bool {
        self.may_begin_with_look(Look::of(word)) || self.inner.names.contains(word)
    }

    /// The same, but for words that begin a pattern because of what they are, not how they look.
    #[inline]
    pub(crate) fn may_begin_with_look(&self, look: Look) -> bool {
        self.inner.digit && look.digit || self.inner.upper && look.upper
    }

    /// Those of many words at once that a pattern may begin with because of how they look: words
    /// with digits, and words of capitals.
    #[inline]
    pub(crate) fn of_looks(&self, with_digits: u64, of_capitals: u64) -> u64 {
        if self.inner.anywhere {
            return u64::MAX;
        }
        let all_if = |is: bool| u64::from(is).wrapping_neg();
        with_digits & all_if(self.inner.digit) | of_capitals & all_if(self.inner.upper)
    }

    /// The words that begin a pattern because of what they are: names of months and days,
    /// currencies, schemes.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.inner.names.iter().map(String::as_str)
    }

    /// Whether some pattern may begin with any word at all.
    pub(crate) fn begin_anywhere(&self) -> bool {
        self.inner.anywhere
    }

    /// Whether any word of this stretch of text may begin a pattern.
    #[inline]
    pub(crate) fn may_begin_anywhere(&self, text: &str) -> bool {
        self.inner.anywhere || self.inner.near.iter().any(|&c| text.contains(c))
    }

    /// Whether every match stops at these marks, and looks at none of them but to see that a word
    /// ends: then what is found before a mark is found the same if the text ends there.
    pub(crate) fn stop_at(&self, marks: &[u8]) -> bool {
        self.iter().all(|mutable| {
            let parsed = regex_syntax::parse(&mutable.pattern);
            parsed.is_ok_and(|hir| {
                !hir.properties().look_set().contains_anchor() && !may_hold(&hir, marks)
            })
        })
    }

    /// Whether trying the patterns at a word can give anything: most marks and single capitals that
    /// may begin one do not, and the next byte tells.
    #[inline]
    pub(crate) fn is_worth_trying(&self, text: &[u8], start: usize, end: usize) -> bool {
        if end - start > 1 || self.inner.anywhere {
            return true;
        }
        let next = text.get(end).copied().unwrap_or(b' ');
        match text[start] {
            mark @ (b'-' | b'=' | b'*') => next == mark,
            b'+' => next.is_ascii_digit() || !next.is_ascii(),
            b'A'..=b'Z' => matches!(next, b'.' | b'$' | b'@'),
            _ => true,
        }
    }

    /// The first pattern that matches from `start` on, without looking beyond `limit`.
    pub(crate) fn find_at(&self, text: &str, start: usize, limit: usize) -> Option<MutableMatch> {
        let input = Input::new(text).range(start..limit).anchored(Anchored::Yes);
        let mut found = self.inner.fast.find(&input)?;
        let behind = text.len().min(found.offset() + 1);
        // What asks for no end of a word, and what stands among ASCII, is the same to both. So is
        // what asks for one at its end and has it: of all that the other one could find, this is
        // the first in order.
        let is_sure = match self.inner.word_ends[found.pattern().as_usize()] {
            WordEnds::Nowhere => true,
            _ if text.as_bytes()[start..behind].is_ascii() => true,
            WordEnds::Last => ends_word(text, found.offset()),
            WordEnds::Anywhere => false,
        };
        if !is_sure {
            found = self.inner.exact().search_half(&input)?;
        }
        Some(MutableMatch {
            pattern: found.pattern().as_usize(),
            end: found.offset(),
        })
    }
}

/// Whether something that an expression matches may hold one of these marks of one byte.
fn may_hold(hir: &Hir, marks: &[u8]) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => false,
        HirKind::Literal(literal) => literal.0.iter().any(|byte| marks.contains(byte)),
        HirKind::Class(Class::Unicode(class)) => marks.iter().any(|&mark| {
            class
                .iter()
                .any(|range| (range.start()..=range.end()).contains(&char::from(mark)))
        }),
        HirKind::Class(Class::Bytes(class)) => marks.iter().any(|mark| {
            class
                .iter()
                .any(|range| (range.start()..=range.end()).contains(mark))
        }),
        HirKind::Repetition(repetition) => may_hold(&repetition.sub, marks),
        HirKind::Capture(group) => may_hold(&group.sub, marks),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().any(|part| may_hold(part, marks))
        }
    }
}

/// Month names and their common short forms, by language. A short form may carry a full stop.
const MONTHS: &[&str] = &[
    // English, German, Dutch, Scandinavian: one list, since half of the names are shared.
    "January|February|March|April|May|June|July|August|September|October|November|December",
    "Januar|Jänner|Februar|Feber|März|Mai|Juni|Juli|Oktober|Dezember|januari|februari|maart|mei|juni|juli|augustus",
    "oktober|marts|maj|desember|mars|januar|februar",
    "Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec|Mär|Okt|Dez",
    // French, Spanish, Portuguese, Italian, Romanian.
    "janvier|février|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|janv|févr|juil|déc",
    "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre",
    "janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro",
    "gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre",
    "ianuarie|februarie|martie|aprilie|iunie|iulie|septembrie|octombrie|noiembrie|decembrie",
    // Slavic, in the case that follows a day.
    "января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря",
    "янв|фев|мар|апр|июн|июл|авг|сен|сент|окт|ноя|нояб|дек",
    "січня|лютого|березня|квітня|травня|червня|липня|серпня|вересня|жовтня|листопада|грудня",
    "stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia",
    "ledna|února|března|dubna|května|června|července|srpna|září|října|prosince",
    // Greek, Turkish, Hungarian, Finnish, Indonesian, Vietnamese.
    "Ιανουαρίου|Φεβρουαρίου|Μαρτίου|Απριλίου|Μαΐου|Ιουνίου|Ιουλίου|Αυγούστου|Σεπτεμβρίου|Οκτωβρίου|Νοεμβρίου|Δεκεμβρίου",
    "Ocak|Şubat|Mart|Nisan|Mayıs|Haziran|Temmuz|Ağustos|Eylül|Ekim|Kasım|Aralık",
    "január|február|március|április|május|június|július|augusztus|szeptember|október|december",
    "tammikuuta|helmikuuta|maaliskuuta|huhtikuuta|toukokuuta|kesäkuuta|heinäkuuta|elokuuta|syyskuuta|lokakuuta|marraskuuta|joulukuuta",
    "Januari|Februari|Maret|Mei|Agustus|Desember",
    // Arabic (both naming traditions), Persian, Hebrew, Hindi.
    "يناير|فبراير|مارس|أبريل|إبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر",
    "شباط|آذار|نيسان|أيار|حزيران|تموز|آب|أيلول|فروردین|اردیبهشت|خرداد|تیر|مرداد|شهریور|مهر|آبان|آذر|دی|بهمن|اسفند",
    "בינואר|בפברואר|במרץ|באפריל|במאי|ביוני|ביולי|באוגוסט|בספטמבר|באוקטובר|בנובמבר|בדצמבר",
    "जनवरी|फ़रवरी|फरवरी|मार्च|अप्रैल|मई|जून|जुलाई|अगस्त|सितंबर|अक्टूबर|नवंबर|दिसंबर",
];

/// Names of days, by language.
const DAYS: &[&str] = &[
    "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Mon|Tue|Tues|Wed|Thu|Thurs|Fri|Sat|Sun",
    "Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonnabend|Sonntag",
    "lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche",
    "lunes|martes|miércoles|jueves|viernes|sábado|domingo|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica",
    "понедельник|вторник|среда|четверг|пятница|суббота|воскресенье",
    "poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela",
    "Δευτέρα|Τρίτη|Τετάρτη|Πέμπτη|Παρασκευή|Σάββατο|Κυριακή",
    "الاثنين|الإثنين|الثلاثاء|الأربعاء|الخميس|الجمعة|السبت|الأحد",
];

/// Signs and short names of currencies.
const CURRENCY_SIGNS: &str = "[$€£¥￥₽₩₹₪฿₺₴₫]";
const CURRENCY: &str = r"US\$|A\$|R\$|[$€£¥￥₽₩₹₪฿₺₴₫]|USD|EUR|GBP|CHF|JPY|CNY|RMB|Rs\.?";
const CURRENCY_AFTER: &str = r"[$€£¥￥₽₩₹₪฿₺₴₫]|(?:USD|EUR|GBP|CHF|PLN|zł|Kč|kr|Ft|lei|TL)\b|円|元|원|руб\b\.?|р\.|грн|ريال|درهم|دينار|جنيه|تومان";

/// Numbers with their separators of thousands and fractions, Arabic ones included.
const NUMBER: &str = r"\d{1,15}(?:[.,'٫٬]\d+){0,4}";

/// The patterns of [`Mutables::common`], the more specific before the more general.
///
/// `\d` means the decimal digits of all scripts in Rust and Python, and in PCRE with `(*UCP)`.
/// Where `\w` would do, the letters are listed: it stands for different characters in the three.
fn common_patterns() -> Vec<Mutable> {
    let month = names(Mutables::months());
    let long_month = names(Mutables::months().filter(|name| name.len() > 3));
    let day = names(DAYS.iter().flat_map(|language| language.split('|')));
    let months = || First::names(MONTHS);
    let digits = || First {
        digit: true,
        ..First::default()
    };
    let upper = "[A-ZÀ-ÖØ-ÞΑ-ΩА-ЯЁ]";
    let patterns = [
        ("url", url(), First::names(&["http|https|ftp|www"])),
        (
            "date",
            numeric_date(),
            First {
                digit: true,
                ..First::names(&["令|平|昭"])
            },
        ),
        (
            "date-in-words",
            date_in_words(&month),
            First {
                digit: true,
                ..months()
            },
        ),
        ("weekday", day, First::names(DAYS)),
        ("month", long_month, months()),
        (
            "time",
            time(),
            First {
                digit: true,
                ..First::names(&["上|下|午|오전|오후"])
            },
        ),
        (
            "money",
            format!(r"(?:{CURRENCY})\s?{NUMBER}"),
            First::currencies(),
        ),
        (
            "amount",
            format!(r"{NUMBER}\s?(?:{CURRENCY_AFTER})"),
            digits(),
        ),
        (
            "ordinal",
            ordinal(),
            First {
                digit: true,
                ..First::names(&["第"])
            },
        ),
        ("phone", phone(), First::names(&["+"])),
        ("id", identifier(), digits()),
        ("number", format!(r"{NUMBER}(?:\s?[%٪])?"), digits()),
        (
            "initials",
            r"(?:[A-Z]\.){2,8}".to_owned(),
            First::names(&["A|B|C|D|E|F|G|H|I|J|K|L|M|N|O|P|Q|R|S|T|U|V|W|X|Y|Z"]),
        ),
        (
            "upper",
            format!(r"{upper}{{2,40}}\b"),
            First {
                upper: true,
                ..First::default()
            },
        ),
        ("rule", rule(), First::names(&["-|=|*|–|—|─"])),
    ];
    let mut patterns: Vec<Mutable> = patterns
        .into_iter()
        .map(|(name, pattern, first)| Mutable::common(name, pattern, Begins::With(first)))
        .collect();
    let email =
        r"[0-9A-Za-z_][0-9A-Za-z_.+-]{0,63}@[0-9A-Za-z-]{1,63}(?:\.[0-9A-Za-z-]{1,63}){1,8}";
    patterns.insert(
        1,
        Mutable::common("email", email.to_owned(), Begins::Near('@')),
    );
    patterns
}

impl First {
    /// Words out of lists as they stand in patterns.
    fn names(lists: &[&str]) -> Self {
        let names = lists
            .iter()
            .flat_map(|list| list.split('|'))
            .map(str::to_owned)
            .collect();
        First {
            names,
            ..First::default()
        }
    }

    fn currencies() -> Self {
        let signs = CURRENCY_SIGNS
            .chars()
            .filter(|sign| !"[]".contains(*sign))
            .map(String::from);
        let names = [
            "US", "A", "R", "USD", "EUR", "GBP", "CHF", "JPY", "CNY", "RMB", "Rs",
        ]
        .map(str::to_owned);
        First {
            names: signs.chain(names).collect(),
            ..First::default()
        }
    }
}

/// Any of some names, in whole. Names that end with a vowel sign are left open at the end: to
/// Python it is no part of a word, so it sees no end of one there.
fn names<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let closed = names.map(|name| match name.chars().next_back() {
        Some(last) if last.is_alphanumeric() && !('\u{0900}'..='\u{0DFF}').contains(&last) => {
            format!(r"{name}\b")
        }
        _ => name.to_owned(),
    });
    format!("(?:{})", closed.collect::<Vec<_>>().join("|"))
}

/// What the characters that have 16 bits look like: nearly all that occur. Made once, since the
/// Unicode tables behind it are searched, not indexed.
static LOOKS: LazyLock<Vec<Look>> = LazyLock::new(|| {
    (0..=0xFFFF)
        .map(|code| char::from_u32(code).map_or(Look::NONE, Look::by_tables))
        .collect()
});

/// An address. What follows the scheme holds no other `://` but for a few, as in addresses of
/// archives: a text of nothing but schemes would be searched to its end from each of them.
fn url() -> String {
    let piece = r#"[^\s<>"'）」:]+(?::{1,2}[^\s<>"'）」:/][^\s<>"'）」:]*)*"#;
    format!(r"(?:https?|ftp)://{piece}(?:://{piece}){{0,2}}|www(?:\.[0-9A-Za-z-]{{1,63}}){{1,8}}")
}

fn phone() -> String {
    r"\+[0-9]{1,15}(?:(?:[\s./-]\(?|\()[0-9]{1,5}(?:\)[0-9]{0,7})?){0,6}".to_owned()
}

/// A line drawn with characters.
fn rule() -> String {
    ["-", "=", "_", r"\*", "–", "—", "─"]
        .map(|mark| format!("{mark}{{2,80}}"))
        .join("|")
}

fn numeric_date() -> String {
    let clock = r"T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?";
    let year_first = format!(r"\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}(?:{clock}|\b)");
    let year_last = r"\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}\b";
    let east_asian =
        r"(?:(?:令和|平成|昭和)?\d{1,4}\s?[年년]\s?)?\d{1,2}\s?[月월]\s?\d{1,2}\s?[日号號일]";
    let east_asian_month = r"\d{4}\s?[年년]\s?\d{1,2}\s?[月월]";
    format!("{year_first}|{year_last}|{east_asian}|{east_asian_month}")
}

fn date_in_words(month: &str) -> String {
    let day = r"\d{1,2}(?:st|nd|rd|th|er|[.º])?";
    let year = r"(?:de\s+|del\s+)?\d{4}\b";
    let day_first =
        format!(r"{day}[\s-]{{1,3}}(?:de\s+|of\s+)?{month}\.?(?:,?[\s-]{{1,3}}{year})?");
    let month_first = format!(r"{month}\.?\s+\d{{1,2}}(?:st|nd|rd|th|er)?\b(?:,?\s+{year})?");
    let month_and_year = format!(r"{month}\.?,?\s+{year}");
    format!("{day_first}|{month_first}|{month_and_year}")
}

fn time() -> String {
    let western = r"\d{1,2}:\d{2}(?::\d{2})?\b(?:\s?[AaPp]\.?[Mm]\b\.?)?";
    let east_asian =
        r"(?:(?:上午|下午|午前|午後|오전|오후)\s?)?\d{1,2}\s?[時时點点시]\s?(?:\d{1,2}\s?[分분])?";
    format!("{western}|{east_asian}")
}

fn ordinal() -> String {
    r"\d{1,4}(?:(?:st|nd|rd|th|er|re|ème|-(?:й|я|е|го|му|м|х|ой))\b|[ºª°])|第\s?\d{1,4}".to_owned()
}

fn identifier() -> String {
    let universal = r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\b";
    let (letters_first, digits_first) = ("[A-Za-z_]{1,64}[0-9]", "[0-9]{1,64}[A-Za-z_]");
    format!("{universal}|(?:{letters_first}|{digits_first})[0-9A-Za-z_]{{0,128}}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The pattern that takes the whole of a text.
    fn taken_as(text: &str) -> Option<String> {
        let common = Mutables::common();
        let found = common.find_at(text, 0, text.len())?;
        (found.end == text.len()).then(|| common.get(found.pattern).unwrap().name().to_owned())
    }

    proptest! {
        #[test]
        fn the_fast_way_finds_what_the_expressions_find(
            text in "(OS|ОС|Б|é|の|東|5|10|٣|[.,:/-]| |мая|May|Monday|понедельник|第|年|月|日|€|USD|руб|円|st|th|a|A.){1,8}",
        ) {
            let common = Mutables::common();
            let found = common.find_at(&text, 0, text.len());
            let expected = common.inner.exact().search_half(&Input::new(&text).anchored(Anchored::Yes));
            let expected = expected.map(|found| (found.pattern().as_usize(), found.offset()));
            prop_assert_eq!(found.map(|found| (found.pattern, found.end)), expected, "{}", text);
        }
    }

    #[test]
    fn ends_of_words_are_seen_where_they_stand() {
        let of = |pattern: &str| WordEnds::of(pattern, &regex_syntax::parse(pattern).unwrap());
        assert_eq!(of(r"\d+"), WordEnds::Nowhere);
        assert_eq!(of(r"[A-Z]{2,40}\b"), WordEnds::Last);
        assert_eq!(of(r"(?:May\b|March\b|年)"), WordEnds::Last);
        assert_eq!(of(r"(?:May\b|March\b) \d+\b"), WordEnds::Anywhere);
        assert_eq!(of(r"(?:a\b){2}"), WordEnds::Anywhere);
    }

    #[test]
    fn words_look_the_same_in_every_script() {
        let looks = |digit: bool, upper: bool| Look { digit, upper };
        for word in ["JDK", "Ж", "ОС", "ΑΒ", "𝐀"] {
            assert_eq!(Look::of(word), looks(false, true), "{word}");
        }
        for word in ["w3c", "٣", "第３", "Ⅷ月", "𝟗"] {
            assert_eq!(Look::of(word), looks(true, false), "{word}");
        }
        for word in ["", "Jdk", "Ос", "東京", "_", "("] {
            assert_eq!(Look::of(word), looks(false, false), "{word}");
        }
    }

    #[test]
    fn each_kind_in_many_scripts() {
        for (kind, samples) in [
            (
                "url",
                &[
                    "http://a.example/x?y=1",
                    "https://例え.jp/あ",
                    "www.example.org",
                ][..],
            ),
            ("email", &["jo.doe+x@mail.example.org"]),
            (
                "date",
                &[
                    "2007-02-27",
                    "27.02.2007",
                    "2/27/07",
                    "2007-02-27T09:30:00Z",
                    "2007年2月27日",
                    "2月27日",
                ],
            ),
            (
                "date",
                &[
                    "令和6年5月1日",
                    "2007년 2월 27일",
                    "2007年2月",
                    "٢٧/٠٢/٢٠٠٧",
                    "2024-03-01T10:00:00+09:00",
                ],
            ),
            (
                "date-in-words",
                &[
                    "27th February, 2007",
                    "February 27, 2007",
                    "27. Februar 2007",
                    "27 de febrero de 2007",
                ],
            ),
            (
                "date-in-words",
                &[
                    "27 февраля 2007",
                    "٢٧ فبراير ٢٠٠٧",
                    "Feb. 27",
                    "27 lutego 2007",
                    "3 Μαρτίου 2013",
                ],
            ),
            (
                "weekday",
                &["Tuesday", "Donnerstag", "الثلاثاء", "понедельник"],
            ),
            (
                "time",
                &[
                    "9:30",
                    "21:05:59",
                    "9:30 p.m.",
                    "午後3時20分",
                    "下午3点20分",
                    "오후 3시",
                ],
            ),
            ("money", &["$1,299.00", "€ 5", "₹500", "Rs 200"]),
            (
                "amount",
                &["9,50 €", "299 руб.", "1,200円", "99元", "٥٠ ريال", "20 USD"],
            ),
            ("phone", &["+49 30 1234-567", "+7 (495) 123-45-67"]),
            ("month", &["February", "Februar", "февраля", "二月"][..3]),
            ("initials", &["U.S.", "J.R.R."]),
            ("rule", &["----", "======", "***"]),
            ("ordinal", &["27th", "1er", "5-й", "第12"]),
            (
                "id",
                &["b2c3", "3fa85f64-5717-4562-b3fc-2c963f66afa6", "4g"],
            ),
            ("number", &["24", "1,234.5", "85%", "٢٤", "１２"]),
            ("upper", &["NATO", "МИД"]),
        ] {
            for sample in samples {
                assert_eq!(taken_as(sample).as_deref(), Some(kind), "{sample}");
            }
        }
    }

    #[test]
    fn ordinary_words_are_taken_by_none() {
        for word in ["may", "hello", "Haus", "мир", "سلام", "東"] {
            assert_eq!(taken_as(word), None, "{word}");
            assert!(!Mutables::common().may_begin_with(word), "{word}");
        }
    }

    #[test]
    fn common_patterns_stop_at_marks_and_those_of_users_are_asked() {
        let marks = crate::symbols::encode::flat::CUTS;
        assert!(Mutables::common().stop_at(&marks));
        let stops = |pattern: &str| {
            Mutables::common()
                .and([Mutable::new("own", pattern).unwrap()])
                .stop_at(&marks)
        };
        assert!(stops(r"[A-Z]{2}-\d{4}\b"));
        for pattern in [
            "a[^,]+",
            "<b>x",
            "a(?:b|c>){2}",
            "a.",
            "(?m)a$",
            "a(?-u:[!-/])",
        ] {
            assert!(!stops(pattern), "{pattern}");
        }
    }

    #[test]
    fn patterns_of_users_are_checked() {
        assert!(
            Mutable::new("open", "(")
                .unwrap_err()
                .to_string()
                .starts_with("mutable pattern \"open\": ")
        );
        assert!(Mutable::new("empty", "x*").is_err());
        assert!(Mutable::new("long", "x".repeat(PATTERN_BYTES + 1)).is_err());
    }
}
