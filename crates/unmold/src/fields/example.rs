//! Which field does somebody mean who names a value?
//!
//! Nothing is trained: an [`Example`] chooses among the fields that the pages support anyway. Of
//! those that give the named values on the page, and nothing else, the one that would be ranked
//! first is meant; where none does, one whose texts hold the value between the same words on the
//! other pages.

use super::{
    Field, Part,
    candidates::candidates,
    columns::{Column, Form, columns, cut_around, half_of},
    declared,
    label_text::{inline_label, text_hash},
    learn::LearnedFields,
    names::NamedBy,
    rank::{self, Scored},
    sample::{Sample, ScannedPage},
    slots::{JSON_LD, Slot, SlotId},
    types::Type,
    view::SlotKey,
};
use crate::read::html::visible_text;
use rapidhash::RapidHashSet;
use std::cmp::Reverse;

/// What somebody says that a page holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Example {
    /// The page, by its name or the end of it; without one, any page that has the values.
    pub page: Option<String>,
    /// Names of fields, and their values on the page.
    pub fields: Vec<(String, Vec<String>)>,
    /// Its main content: the text, or the element that has it, by its source (`<article>...`) or by
    /// its path as molds write it (`div.story`).
    pub content: Option<String>,
}

/// A field that no rule finds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unfit {
    /// What it was called.
    pub field: String,
    /// The values that were given.
    pub values: Vec<String>,
    /// What the page has that is most like them.
    pub nearest: Vec<String>,
    /// What the rule that was chosen finds on the page instead, where it suits other examples.
    pub instead: Option<Vec<String>>,
    /// Where on the page the first of the values is after all.
    pub place: Option<String>,
    /// Why no rule was looked for at all.
    pub reason: Option<String>,
}

impl Unfit {
    /// A field that no rule was looked for.
    pub(crate) fn unasked(field: &str, values: &[String], reason: &str) -> Self {
        Unfit {
            field: field.to_owned(),
            values: values.to_vec(),
            reason: Some(reason.to_owned()),
            ..Unfit::default()
        }
    }
}

impl std::fmt::Display for Unfit {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let values = self.values.join(BETWEEN_VALUES);
        if let Some(reason) = &self.reason {
            return write!(
                out,
                "{:?} is not learned from {values:?}: {reason}",
                self.field
            );
        }
        match &self.instead {
            None => write!(out, "no rule finds {values:?} as {:?}", self.field)?,
            Some(found) if found.is_empty() => {
                write!(
                    out,
                    "the rule of {:?} finds nothing on the page that has {values:?}",
                    self.field
                )?;
            }
            Some(found) => {
                let found = found.join(BETWEEN_VALUES);
                write!(
                    out,
                    "the rule of {:?} finds {found:?} on the page that should have {values:?}",
                    self.field
                )?;
            }
        }
        if let Some(place) = &self.place {
            write!(out, "; the page has it {place}")?;
        }
        if self.nearest.is_empty() {
            return Ok(());
        }
        write!(out, "; what comes nearest is {}", quoted(&self.nearest))
    }
}

/// A page that was taken to be the one of an example that names none, because of several that have
/// its values this is the one whose own they are.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Assumed {
    /// The page.
    pub page: String,
    /// The values that were given.
    pub values: Vec<String>,
    /// How many pages have them.
    pub pages: usize,
}

impl std::fmt::Display for Assumed {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Assumed {
            page,
            values,
            pages,
        } = self;
        write!(
            out,
            "{pages} pages have {}: {page} is taken to be meant; {SAY_WHICH}",
            quoted(values)
        )
    }
}

/// What tables write between the values of one cell.
pub(crate) const BETWEEN_VALUES: &str = " | ";

/// How to name the page of an example.
const SAY_WHICH: &str = "page=NAME beside it, or \"page\" in its row, says which";

fn quoted(texts: &[String]) -> String {
    texts
        .iter()
        .map(|text| format!("{text:?}"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// The examples that are about pages of a sample: which page, which field, which values.
pub(crate) struct Given<'e> {
    pub page: usize,
    pub field: &'e str,
    pub values: &'e [String],
}

/// Exactly the fields that examples name, in the order of the examples; and those that no rule
/// finds.
pub(crate) fn learn(pages: &[ScannedPage<'_>], given: &[Given<'_>]) -> (LearnedFields, Vec<Unfit>) {
    let sample = Sample::of(pages);
    let scored = columns_by_score(&sample, given);
    let mut unfit: Vec<Unfit> = Vec::new();
    let mut learned = LearnedFields::default();
    for name in field_names(given) {
        let given: Vec<&Given<'_>> = given.iter().filter(|given| given.field == name).collect();
        let Some(Scored { column, .. }) = meant(&scored, &given) else {
            let values: Vec<(usize, &[String])> = given
                .iter()
                .map(|given| (given.page, given.values))
                .collect();
            if let Some(field) = declared::with_values(name, &values, pages) {
                learned.fields.push(field);
                learned.named_by.push(NamedBy::Author);
                continue;
            }
            unfit.push(not_found(&sample, &scored, name, &given));
            continue;
        };
        unfit.extend(given.iter().filter_map(|given| unmet(&column, given)));
        learned.fields.push(Field {
            name: name.to_owned(),
            label: column.label().unwrap_or_default().to_owned(),
            needs_label: column.needs_label(&sample),
            // What somebody names is of one kind, and of as many values as were given: what is
            // not is in doubt.
            kind: kind_of(&column, &given),
            count: count_of(&sample, &column, &given),
            ..column.rule().clone()
        });
        learned.named_by.push(NamedBy::Author);
    }
    learned.wanted = learned.fields.len();
    learned.landmarks = sample.landmarks().to_vec();
    (learned, unfit)
}

/// The fields that examples name, each once, in their order.
fn field_names<'e>(given: &[Given<'e>]) -> Vec<&'e str> {
    let mut names = Vec::new();
    for given in given {
        if !names.contains(&given.field) {
            names.push(given.field);
        }
    }
    names
}

/// The columns that a sample supports in the order of their scores, with those that go by the
/// labels of what examples point at.
fn columns_by_score(sample: &Sample<'_>, given: &[Given<'_>]) -> Vec<Scored> {
    let pointed_at = pointed_at(sample, given);
    rank::by_score(sample, columns(sample, candidates(sample, &pointed_at)))
}

/// What a rule owes to an example that it was not chosen for: several may say what no rule finds in
/// common.
fn unmet(column: &Column, given: &Given<'_>) -> Option<Unfit> {
    let found = &column.on_page(given.page).texts;
    let is_found = |value: &String| found.iter().any(|text| folded(text) == folded(value));
    if given.values.iter().all(is_found) {
        return None;
    }
    Some(Unfit {
        field: given.field.to_owned(),
        values: given.values.to_vec(),
        instead: Some(found.clone()),
        ..Unfit::default()
    })
}

/// A page that an example may be about.
pub(crate) struct LikelyPage {
    pub page: usize,
    /// How far its fields give the values of the example,
    fit: f64,
    /// and how they rank.
    rank: f64,
}

impl LikelyPage {
    /// Whether an example is rather about this page than about another.
    pub fn is_likelier_than(&self, other: &LikelyPage) -> bool {
        (self.fit, self.rank) > (other.fit, other.rank)
    }
}

/// Which of some pages that all have the values of an example does somebody mean who names none?
/// The one whose fields give these values: a list of other goods has the price of each, but the
/// page of a thing has it where all pages have theirs. Where pages are equal, so is the field, and
/// the first will do.
pub(crate) fn likeliest(
    pages: &[ScannedPage<'_>],
    candidates: &[usize],
    fields: &[(String, Vec<String>)],
) -> Option<LikelyPage> {
    let given_on = |page: usize| {
        fields.iter().map(move |(field, values)| Given {
            page,
            field,
            values,
        })
    };
    let all: Vec<Given<'_>> = candidates.iter().copied().flat_map(given_on).collect();
    let scored = columns_by_score(&Sample::of(pages), &all);
    let mut best: Option<LikelyPage> = None;
    for &page in candidates {
        let mut next = LikelyPage {
            page,
            fit: 0.0,
            rank: 0.0,
        };
        for given in given_on(page) {
            if let Some(field) = meant(&scored, &[&given]) {
                next.fit += fit(&field.column, &given);
                next.rank += rank_of(&field, &[&given]);
            }
        }
        if best.as_ref().is_none_or(|best| next.is_likelier_than(best)) {
            best = Some(next);
        }
    }
    best
}

/// The slots that hold given values and nothing else.
fn pointed_at(sample: &Sample<'_>, given: &[Given<'_>]) -> Vec<SlotId> {
    let mut slots = Vec::new();
    for given in given {
        let values = given.values.iter().filter_map(|value| text_hash(value));
        let values: RapidHashSet<u64> = values.collect();
        for (at, slot) in (0..).zip(sample.slots(given.page)) {
            if values.contains(&slot.text) {
                slots.push(SlotId {
                    page: given.page as u32,
                    slot: at,
                });
            }
        }
    }
    slots.sort_unstable();
    slots.dedup();
    slots
}

/// The type that the values of a column should have: the one that three of four have, or that of
/// the examples if at least half of the values have it.
fn kind_of(column: &Column, given: &[&Given<'_>]) -> Type {
    let values: Vec<&str> = column.values().collect();
    let usual = Type::usual(&values);
    if usual != Type::Text {
        return usual;
    }
    let given = given.iter().flat_map(|given| given.values);
    let kind = Type::of(&given.map(String::as_str).collect::<Vec<_>>());
    let alike = values.iter().filter(|value| Type::of(&[value]) == kind);
    if 2 * alike.count() >= values.len() {
        kind
    } else {
        Type::Text
    }
}

/// How many values a page should have of a column, where this says something: as many as were given
/// where a rule for one value must do for a list, and one where one was given and nearly all pages
/// have one.
fn count_of(sample: &Sample<'_>, column: &Column, given: &[&Given<'_>]) -> Option<usize> {
    let most = given.iter().map(|given| given.values.len()).max()?;
    if !column.is_list() {
        let is_list = given.iter().any(|given| are_items(sample, given));
        return is_list.then_some(most);
    }
    if most > 1 {
        return column.rule().count;
    }
    let (mut pages, mut with_one) = (0, 0);
    for page in column.pages() {
        pages += usize::from(!page.texts.is_empty());
        with_one += usize::from(page.texts.len() == 1);
    }
    if 5 * with_one >= 4 * pages {
        Some(1)
    } else {
        column.rule().count
    }
}

/// Whether several values are items of a list on their page: texts with the same classes. What is
/// said of one thing in several places, each after a label of its own ("Brand", "Maker"), are other
/// names for it.
fn are_items(sample: &Sample<'_>, given: &Given<'_>) -> bool {
    if given.values.len() < 2 {
        return false;
    }
    let slots = sample.slots(given.page);
    let path = |slot: &Slot| slot.keys[SlotKey::AllOfClassPath];
    let texts: Vec<u64> = given
        .values
        .iter()
        .filter_map(|text| text_hash(text))
        .collect();
    let mut common: Option<RapidHashSet<u64>> = None;
    for text in &texts {
        let places = slots.iter().filter(|slot| slot.is_seen_as(*text));
        let paths: RapidHashSet<u64> = places.map(path).collect();
        common = Some(match common {
            Some(common) => common.intersection(&paths).copied().collect(),
            None => paths,
        });
    }
    let Some(common) = common.filter(|common| !common.is_empty()) else {
        return false;
    };
    let mut labels: RapidHashSet<Option<u64>> = RapidHashSet::default();
    for (at, slot) in slots.iter().enumerate() {
        let is_item =
            common.contains(&path(slot)) && texts.iter().any(|text| slot.is_seen_as(*text));
        if is_item {
            labels.insert(label_of_template(sample, slots, at));
        }
    }
    labels.contains(&None) || labels.len() < texts.len()
}

/// The text right before a slot, if it is a label: of other classes, and on most pages.
fn label_of_template(sample: &Sample<'_>, slots: &[Slot], at: usize) -> Option<u64> {
    let label = slots[..at].iter().rfind(|slot| slot.is_words())?;
    if label.keys[SlotKey::AllOfClassPath] == slots[at].keys[SlotKey::AllOfClassPath] {
        return None;
    }
    let pages = sample.all_slots().iter();
    let with_label = pages.filter(|slots| slots.iter().any(|slot| slot.text == label.text));
    (2 * with_label.count() > sample.all_slots().len()).then_some(label.text)
}

/// The best of some columns that give something of what was given; of equals, the one that is
/// ranked first, where it counts more than in ranks to be what somebody would name, and to be like
/// what was given.
fn best(columns: impl Iterator<Item = Scored>, given: &[&Given<'_>]) -> Option<Scored> {
    let mut best: Option<(f64, f64, Scored)> = None;
    for next in columns {
        let fit: f64 = given.iter().map(|given| fit(&next.column, given)).sum();
        if fit <= 0.0 {
            continue;
        }
        let rank = rank_of(&next, given);
        let is_better =
            |(best_fit, best_rank, _): &(f64, f64, Scored)| (fit, rank) > (*best_fit, *best_rank);
        if best.as_ref().is_none_or(is_better) {
            best = Some((fit, rank, next));
        }
    }
    best.map(|(_, _, column)| column)
}

/// The column that gives most of what was given: whole, cut, or half of its texts.
fn meant(scored: &[Scored], given: &[&Given<'_>]) -> Option<Scored> {
    // What is found in one place only is in doubt everywhere: a surer column that holds the value
    // in its texts is meant rather.
    let whole = best(scored.iter().cloned(), given);
    let is_unsure = |whole: &Scored| whole.column.rule().has_one_place();
    if whole.as_ref().is_some_and(|whole| !is_unsure(whole)) {
        return whole;
    }
    let may_be_cut = |known: &&Scored| whole.is_none() || !is_unsure(known);
    let cut = scored.iter().filter(may_be_cut).filter_map(|scored| {
        let column = cut(&scored.column, given)?;
        Some(Scored { column, ..*scored })
    });
    let half = scored.iter().filter(may_be_cut).filter_map(|scored| {
        let column = half(&scored.column, given)?;
        Some(Scored { column, ..*scored })
    });
    best(cut, given).or_else(|| best(half, given)).or(whole)
}

/// How much a column is what somebody means who gave some values.
fn rank_of(scored: &Scored, given: &[&Given<'_>]) -> f64 {
    scored.score + wanted(&scored.column) - unlike(&scored.column, given)
}

/// Somebody who names a field has it on most pages, and not the same on most of these.
///
/// What these count, and what [`unlike`] does, was chosen on 40 labelled sites with one page as the
/// example.
fn wanted(column: &Column) -> f64 {
    const FOUND: f64 = 3.0;
    const DIFFERENT: f64 = 5.0;
    let different = column.distinct() as f64 / column.filled_pages().max(1) as f64;
    FOUND * column.rule().fill + DIFFERENT * different.min(1.0)
}

/// How far the values of a column on other pages are unlike those that were given: where one value
/// was given, a list is, and where it has a label inside ("Pub. Date: 2007"), values with another
/// are.
fn unlike(column: &Column, given: &[&Given<'_>]) -> f64 {
    const LIST: f64 = 1.0;
    const OTHER_LABEL: f64 = 30.0;
    let gives_one = given.iter().all(|given| given.values.len() == 1);
    let of_list = if column.is_list() && gives_one {
        LIST
    } else {
        0.0
    };
    let values = given.iter().flat_map(|given| given.values);
    let Some(labels) = values
        .map(|value| label_of(value))
        .collect::<Option<RapidHashSet<&str>>>()
    else {
        return of_list;
    };
    let (mut all, mut alike) = (0, 0);
    for value in column.values() {
        all += 1;
        alike += usize::from(label_of(value).is_some_and(|label| labels.contains(label)));
    }
    OTHER_LABEL * (1.0 - alike as f64 / all.max(1) as f64) + of_list
}

/// The label inside a value; the beginning of an address is none.
fn label_of(value: &str) -> Option<&str> {
    inline_label(value).filter(|_| !value.contains("://"))
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The share of some values that a column gives on their page; none if it gives anything else
/// there. Of a list, some values may be named for all.
fn fit(column: &Column, given: &Given<'_>) -> f64 {
    let texts = &column.on_page(given.page).texts;
    let found: RapidHashSet<String> = texts.iter().map(|text| folded(text)).collect();
    let wanted: RapidHashSet<String> = given.values.iter().map(|text| folded(text)).collect();
    if found.len() > wanted.len() && wanted.len() < 2 {
        return 0.0;
    }
    let (fewer, more) = if found.len() <= wanted.len() {
        (&found, &wanted)
    } else {
        (&wanted, &found)
    };
    if fewer.is_subset(more) {
        fewer.len() as f64 / more.len().max(1) as f64
    } else {
        0.0
    }
}

/// The value and the text that holds it, of the first example that gives one value on a page where
/// the column has one.
fn value_in_text<'t>(column: &'t Column, given: &[&'t Given<'_>]) -> Option<(&'t str, &'t str)> {
    for given in given {
        let texts = column.on_page(given.page).texts.as_slice();
        if let ([value], [text]) = (given.values, texts) {
            let value = value.trim();
            if !value.is_empty() && text.contains(value) {
                return Some((value, text));
            }
        }
    }
    None
}

/// Whether a column is the whole text that readers see, and can be cut.
fn may_be_cut(column: &Column) -> bool {
    column.form() == Form::Plain && column.is_seen()
}

/// A column cut so that a single value is left of its text, if nine of ten of its texts have the
/// same around it.
fn cut(column: &Column, given: &[&Given<'_>]) -> Option<Column> {
    if !may_be_cut(column) {
        return None;
    }
    let (value, text) = value_in_text(column, given)?;
    let (prefix, suffix) = text.split_once(value)?;
    let (mut all, mut fitting) = (0, 0);
    for text in column.values() {
        all += 1;
        let rest = text.strip_prefix(prefix);
        let rest = rest.and_then(|rest| rest.strip_suffix(suffix));
        fitting += usize::from(rest.is_some_and(|rest| !rest.trim().is_empty()));
    }
    if all < 2 || 10 * fitting < 9 * all {
        return None;
    }
    cut_around(column, Form::Value, prefix, suffix)
}

/// The half of a column's texts that a value is, before or after the same mark: "Polanski" of
/// "Roman Polanski". Eight of ten texts must have two halves.
fn half(column: &Column, given: &[&Given<'_>]) -> Option<Column> {
    if !may_be_cut(column) {
        return None;
    }
    let (value, text) = value_in_text(column, given)?;
    let is_mark = |letter: char| !letter.is_alphanumeric();
    let (separator, number) = if let Some(other) = text.strip_suffix(value) {
        (&other[other.trim_end_matches(is_mark).len()..], 1)
    } else {
        let other = text.strip_prefix(value)?;
        (
            &other[..other.len() - other.trim_start_matches(is_mark).len()],
            0,
        )
    };
    let separator = separator.to_owned();
    let part = Part { separator, number };
    if part.separator.is_empty() || part.of(text) != Some(value) {
        return None;
    }
    let all = column.values().count();
    let halves = column
        .values()
        .filter(|text| part.of(text).is_some())
        .count();
    if halves < 2 || 10 * halves < 8 * all {
        return None;
    }
    Some(half_of(column, part))
}

/// What is said of a field that no rule finds: where on the page its value is, and what the columns
/// have there that is most like it.
fn not_found(sample: &Sample<'_>, scored: &[Scored], name: &str, given: &[&Given<'_>]) -> Unfit {
    let mut unfit = Unfit {
        field: name.to_owned(),
        ..Unfit::default()
    };
    if let Some(given) = given.first() {
        unfit.values = given.values.to_vec();
        unfit.nearest = nearest(scored, given);
        let first = given.values.first();
        unfit.place = first.and_then(|value| place_of(sample, given.page, value));
    }
    unfit
}

/// Where on a page a text is that no rule finds, in words for people: as a text, in a longer one, in
/// an attribute, in the page's data, or in its source only.
fn place_of(sample: &Sample<'_>, page: usize, value: &str) -> Option<String> {
    let value = folded(value);
    if value.is_empty() {
        return None;
    }
    let source = sample.page(page);
    let (mut in_longer, mut in_attribute) = (None, None);
    for (number, slot) in (0..).zip(sample.slots(page)) {
        let at = SlotId {
            page: page as u32,
            slot: number,
        };
        let text = visible_text(slot.span.of(source));
        if !text.contains(&value) {
            continue;
        }
        if !slot.attribute.is_empty() {
            in_attribute.get_or_insert((at, slot));
        } else if text == value {
            return Some(words_for_text(sample, at));
        } else {
            in_longer.get_or_insert((at, text));
        }
    }
    if let Some((at, text)) = in_longer {
        let path = path_of(sample, at);
        return Some(format!("inside the longer text {:?}{path}", clipped(&text)));
    }
    if let Some((at, slot)) = in_attribute {
        return Some(words_for_attribute(sample, at, slot));
    }
    let byte = source.find(&value)?;
    Some(format!("in its source only, at byte {byte}"))
}

/// Where a text is that is exactly the value, and why no rule finds it.
fn words_for_text(sample: &Sample<'_>, at: SlotId) -> String {
    let text = sample.slot(at).text;
    let has_it = |slots: &&Vec<Slot>| slots.iter().any(|slot| slot.is_seen_as(text));
    let pages = sample.all_slots().iter().filter(has_it).count();
    let path = path_of(sample, at);
    if pages == sample.len() {
        return format!("as a text{path} that is the same on all pages");
    }
    format!("as a text{path}, where other pages have nothing like it")
}

fn words_for_attribute(sample: &Sample<'_>, at: SlotId, slot: &Slot) -> String {
    if slot.attribute != JSON_LD {
        return format!("in the attribute {}{}", slot.attribute, path_of(sample, at));
    }
    match sample.context(at).describe(SlotKey::JsonLd) {
        Some(position) => format!("in its data as {} {}", position.text, position.path),
        None => "in its data".to_owned(),
    }
}

/// ` at table tr td`: the elements around a slot.
fn path_of(sample: &Sample<'_>, at: SlotId) -> String {
    match sample.context(at).describe(SlotKey::ClassPath) {
        Some(position) => format!(" at {}", position.path),
        None => String::new(),
    }
}

/// The beginning of a text, as much as a message can show.
fn clipped(text: &str) -> String {
    const MAX_LETTERS: usize = 60;
    let mut clipped: String = text.chars().take(MAX_LETTERS).collect();
    if clipped.len() < text.len() {
        clipped.push_str("...");
    }
    clipped
}

/// The texts of columns on the page of an example that share most words with its values.
fn nearest(scored: &[Scored], given: &Given<'_>) -> Vec<String> {
    const SHOWN: usize = 3;
    let wanted = words(&given.values.join(" "));
    let mut texts: Vec<(usize, &str)> = Vec::new();
    for scored in scored {
        for text in &scored.column.on_page(given.page).texts {
            let own = words(text);
            let common = own.intersection(&wanted).count();
            if common > 0 && !texts.iter().any(|(_, known)| known == text) {
                texts.push((1_000 * common / own.union(&wanted).count(), text));
            }
        }
    }
    texts.sort_by_key(|(alike, _)| Reverse(*alike));
    let nearest = texts.into_iter().take(SHOWN);
    nearest.map(|(_, text)| text.to_owned()).collect()
}

fn words(text: &str) -> RapidHashSet<String> {
    let text = text.to_lowercase();
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Which pages of some may an example be about? The one that it names, or all whose text has all
/// its values.
pub(crate) fn places(
    example: &Example,
    ids: &[&str],
    has: impl Fn(usize, &str) -> bool,
) -> Result<Vec<usize>, String> {
    if let Some(page) = &example.page {
        let is_named = |id: &str| {
            id == page || id.ends_with(page) && id[..id.len() - page.len()].ends_with(['/', '\\'])
        };
        let stem = |id: &str| {
            id.rsplit(['/', '\\'])
                .next()
                .and_then(|name| name.split('.').next())
                .map(str::to_owned)
        };
        let exact = ids.iter().position(|id| is_named(id));
        let found = exact.or_else(|| {
            ids.iter()
                .position(|id| stem(id).as_deref() == Some(page.as_str()))
        });
        return found
            .map(|page| vec![page])
            .ok_or_else(|| format!("there is no page {page:?}"));
    }
    let pages: Vec<usize> = (0..ids.len())
        .filter(|&page| said(example).all(|value| has(page, value)))
        .collect();
    if !pages.is_empty() {
        return Ok(pages);
    }
    let is_nowhere = |value: &&str| !(0..ids.len()).any(|page| has(page, value));
    let missing: Vec<String> = said(example)
        .filter(is_nowhere)
        .map(str::to_owned)
        .collect();
    Err(match missing.is_empty() {
        true => format!(
            "no page has all of {}; an example is about one page",
            quoted_all(example)
        ),
        false => format!("no page has {}", quoted(&missing)),
    })
}

/// What an example says that a page has: values, and the lines of a text.
fn said(example: &Example) -> impl Iterator<Item = &str> {
    let lines = example
        .content
        .iter()
        .flat_map(|text| text.lines())
        .filter(|line| !line.trim().is_empty());
    example
        .fields
        .iter()
        .flat_map(|(_, values)| values)
        .map(String::as_str)
        .chain(lines)
}

fn quoted_all(example: &Example) -> String {
    quoted(&said(example).map(str::to_owned).collect::<Vec<_>>())
}

/// Why an example is about no page: several have what it says.
pub(crate) fn several(example: &Example, ids: &[&str]) -> String {
    const SHOWN: usize = 5;
    let more = if ids.len() > SHOWN { ", ..." } else { "" };
    let shown = ids[..ids.len().min(SHOWN)].join(", ");
    format!(
        "{} pages have {} ({shown}{more}): {SAY_WHICH}",
        ids.len(),
        quoted_all(example)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::tree::Tree;
    use std::sync::Arc;

    /// Films whose directors have two names each.
    fn films() -> Vec<crate::Text> {
        let (first, last) = (["Ada", "Bo", "Cleo", "Dan"], ["Marsh", "Reed", "Stone"]);
        let page = |number: usize| {
            let director = format!("{} {}", first[number % 4], last[number % 3]);
            let html = format!(
                "<h1>Film {number}</h1><ul><li>Director: <span><a href=/p>{director}</a></span><li>Year: <span>{}</span></ul>",
                1950 + number
            );
            crate::Text::from_string(format!("{number}"), html)
        };
        (0..12).map(page).collect()
    }

    #[test]
    fn half_of_a_text_is_meant_if_it_is_named() {
        let texts = films();
        let trees = texts.iter().map(|text| Arc::new(Tree::new(text.as_str())));
        let pages: Vec<ScannedPage<'_>> = trees.map(ScannedPage::new).collect();
        let values = ["Marsh".to_owned()];
        let (learned, unfit) = learn(
            &pages,
            &[Given {
                page: 0,
                field: "name",
                values: &values,
            }],
        );
        assert!(unfit.is_empty());
        assert_eq!(
            learned.fields[0].part,
            Some(Part {
                separator: " ".to_owned(),
                number: 1
            })
        );
        assert_eq!(learned.fields[0].samples, ["Marsh", "Reed", "Stone"]);
    }

    #[test]
    fn a_page_is_told_by_its_name_or_by_its_values() {
        let ids = ["site/a.html", "site/b.html"];
        let example = |page: Option<&str>, value: &str| Example {
            page: page.map(str::to_owned),
            fields: vec![("x".to_owned(), vec![value.to_owned()])],
            content: None,
        };
        let has = |page: usize, value: &str| value == "both" || page == 1 && value == "second";
        let places = |page, value| places(&example(page, value), &ids, has);
        assert_eq!(places(Some("b.html"), ""), Ok(vec![1]));
        assert_eq!(places(Some("a"), ""), Ok(vec![0]));
        assert_eq!(places(None, "second"), Ok(vec![1]));
        assert_eq!(places(None, "both"), Ok(vec![0, 1]));
        assert_eq!(
            places(Some("html"), ""),
            Err("there is no page \"html\"".to_owned())
        );
        assert_eq!(
            places(None, "neither"),
            Err("no page has \"neither\"".to_owned())
        );
        let several = several(&example(None, "both"), &ids);
        assert!(
            several.starts_with("2 pages have \"both\" (site/a.html, site/b.html): page=NAME"),
            "{several}"
        );
    }
}
