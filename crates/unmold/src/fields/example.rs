//! Which field does somebody mean who names a value?
//!
//! Nothing is trained: an [`Example`] chooses among the fields that the pages support anyway. Of those that give the named
//! values on the page, and nothing else, the one that would be ranked first is meant; where none does, one whose texts hold the value
//! between the same words on the other pages.

use super::{
    Part, affixes,
    evidence::{self, Evidence, Form},
    learn::{LearnedFields, MOST_FIELDS, Sample, ScannedPage},
    names::{self, NamedBy},
    rank,
    slots::{text_hash, within},
    types::Type,
};
use rapidhash::RapidHashSet;

/// What somebody says that a page holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Example {
    /// The page, by its name or the end of it; without one, any page that has the values.
    pub page: Option<String>,
    /// Names of fields, and their values on the page.
    pub fields: Vec<(String, Vec<String>)>,
    /// Its main content: the text, or the element that has it, by its source (`<article>...`) or by its path as molds write
    /// it (`div.story`).
    pub content: Option<String>,
}

/// A field that no rule finds.
#[derive(Clone, Debug, PartialEq, Eq)]
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
}

impl std::fmt::Display for Unfit {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let values = self.values.join(" | ");
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
                let found = found.join(" | ");
                write!(
                    out,
                    "the rule of {:?} finds {found:?} on the page that should have {values:?}",
                    self.field
                )?;
            }
        }
        if self.nearest.is_empty() {
            return Ok(());
        }
        write!(out, "; what comes nearest is {}", quoted(&self.nearest))
    }
}

/// A page that was taken to be the one of an example that names none, because of several that have its values this is the one
/// whose own they are.
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

/// The fields that examples name, in the order of the examples, before all others; and those that no rule finds.
pub(crate) fn learn(pages: &[ScannedPage<'_>], given: &[Given<'_>]) -> (LearnedFields, Vec<Unfit>) {
    let mut sample = Sample::of(pages);
    let (scored, landmarks) = scored(&mut sample, given);
    let mut seen = RapidHashSet::default();
    let names: Vec<&str> = given
        .iter()
        .map(|given| given.field)
        .filter(|name| seen.insert(*name))
        .collect();
    let (mut chosen, mut unfit): (Vec<Evidence>, Vec<Unfit>) = (Vec::new(), Vec::new());
    for name in names {
        let given: Vec<&Given<'_>> = given.iter().filter(|given| given.field == name).collect();
        match meant(&scored, &given) {
            Some(mut field) => {
                name.clone_into(&mut field.field.name);
                field.field.label = field.label().unwrap_or_default().to_owned();
                field.note_label(&sample);
                // What somebody names is of one kind: a value of another kind is in doubt.
                field.field.kind = Type::usual(&field.values().collect::<Vec<_>>());
                unfit.extend(given.iter().filter_map(|given| unmet(&field, given)));
                chosen.push(field);
            }
            None => unfit.push(nearest(&scored, name, &given)),
        }
    }
    let wanted = chosen.len();
    let others = others(&sample, scored, &chosen);
    let named_by = chosen
        .iter()
        .map(|_| NamedBy::Author)
        .chain(others.1)
        .collect();
    let fields = chosen
        .into_iter()
        .chain(others.0)
        .map(|evidence| evidence.field)
        .collect();
    (
        LearnedFields {
            fields,
            wanted,
            landmarks,
            named_by,
        },
        unfit,
    )
}

/// The fields that a sample supports in the order of their scores, with those that go by what can be said of given values; and
/// the landmarks of the sample.
fn scored(sample: &mut Sample<'_>, given: &[Given<'_>]) -> (Vec<Evidence>, Vec<String>) {
    let pointed_at = pointed_at(sample, given);
    let (fields, landmarks) = super::learn::evidence(sample, &pointed_at);
    let features = rank::features(sample, &fields);
    (
        evidence::without_duplicates(rank::scored(fields, &features)),
        landmarks,
    )
}

/// What a rule owes to an example that it was not chosen for: several may say what no rule finds in common.
fn unmet(field: &Evidence, given: &Given<'_>) -> Option<Unfit> {
    let found = &field.found[given.page].1;
    let is_found = |value: &String| found.iter().any(|text| folded(text) == folded(value));
    (!given.values.iter().all(is_found)).then(|| Unfit {
        field: given.field.to_owned(),
        values: given.values.to_vec(),
        nearest: Vec::new(),
        instead: Some(found.clone()),
    })
}

/// Which of some pages that all have the values of an example does somebody mean who names none? The one whose fields give these
/// values: a list of other goods has the price of each, but the page of a thing has it where all pages have theirs. How far they
/// give them, how the fields rank, and the page; where pages are equal, so is the field, and the first will do.
pub(crate) fn likeliest(
    pages: &[ScannedPage<'_>],
    candidates: &[usize],
    fields: &[(String, Vec<String>)],
) -> Option<(f64, f64, usize)> {
    let given = |page: usize| {
        fields.iter().map(move |(field, values)| Given {
            page,
            field,
            values,
        })
    };
    let (scored, _) = scored(
        &mut Sample::of(pages),
        &candidates
            .iter()
            .copied()
            .flat_map(given)
            .collect::<Vec<_>>(),
    );
    let judged = candidates.iter().map(|&page| {
        let (mut all_fit, mut all_rank) = (0.0, 0.0);
        for given in given(page) {
            let Some(field) = meant(&scored, &[&given]) else {
                continue;
            };
            all_fit += fit(&field, &given);
            all_rank += rank(&field, &[&given]);
        }
        (all_fit, all_rank, page)
    });
    judged.reduce(|best, next| {
        if (next.0, next.1) > (best.0, best.1) {
            next
        } else {
            best
        }
    })
}

/// The slots that hold given values and nothing else, by page and number.
fn pointed_at(sample: &Sample<'_>, given: &[Given<'_>]) -> Vec<(u32, u32)> {
    let mut slots = Vec::new();
    for given in given {
        let values: RapidHashSet<u64> = given
            .values
            .iter()
            .filter_map(|value| text_hash(value))
            .collect();
        let on_page = (0..).zip(&sample.slots[given.page]);
        slots.extend(
            on_page
                .filter(|(_, slot)| values.contains(&slot.text))
                .map(|(at, _)| (given.page as u32, at)),
        );
    }
    slots.sort_unstable();
    slots.dedup();
    slots
}

/// The fields that were not asked for, with names of their own: what stands behind their labels belongs to them.
fn others(
    sample: &Sample<'_>,
    scored: Vec<Evidence>,
    chosen: &[Evidence],
) -> (Vec<Evidence>, Vec<NamedBy>) {
    let is_chosen = |field: &Evidence| chosen.iter().any(|known| known.number == field.number);
    let mut fields: Vec<Evidence> = scored
        .into_iter()
        .filter(|field| field.is_main() && !is_chosen(field))
        .collect();
    fields.truncate(MOST_FIELDS.saturating_sub(chosen.len()));
    let taken = chosen
        .iter()
        .map(|field| field.field.name.clone())
        .collect();
    let named_by = names::give(sample, &mut fields, 0, taken);
    (fields, named_by)
}

/// The field that gives most of what was given; of equals, the one that is ranked first, where it counts more than in ranks
/// to be what somebody would name, and to be like what was given.
fn meant(scored: &[Evidence], given: &[&Given<'_>]) -> Option<Evidence> {
    let fit = |field: &Evidence| given.iter().map(|given| fit(field, given)).sum::<f64>();
    let best = |fields: &mut dyn Iterator<Item = Evidence>| {
        let fitting = fields
            .map(|field| (fit(&field), rank(&field, given), field))
            .filter(|(fit, ..)| *fit > 0.0);
        let is_better = |next: &(f64, f64, Evidence), best: &(f64, f64, Evidence)| {
            (next.0, next.1) > (best.0, best.1)
        };
        fitting
            .reduce(|best, next| if is_better(&next, &best) { next } else { best })
            .map(|(_, _, field)| field)
    };
    // What is found in one place only is in doubt everywhere: a surer field that holds the value in its texts is meant rather.
    let (whole, unsure) = match best(&mut scored.iter().cloned()) {
        Some(field) if field.field.has_one_place() => (None, Some(field)),
        whole => (whole, None),
    };
    let sure = || {
        scored
            .iter()
            .filter(|field| unsure.is_none() || !field.field.has_one_place())
    };
    let inside = || best(&mut sure().filter_map(|field| cut(field, given)));
    let half = || best(&mut sure().filter_map(|field| half(field, given)));
    whole.or_else(inside).or_else(half).or(unsure)
}

/// How much a field is what somebody means who gave some values.
fn rank(field: &Evidence, given: &[&Given<'_>]) -> f64 {
    field.score + wanted(field) - unlike(field, given)
}

/// Somebody who names a field has it on most pages, and not the same on most of these.
///
/// What these count, and what [`unlike`] does, was chosen on 40 labelled sites with one page as the example.
fn wanted(field: &Evidence) -> f64 {
    const FOUND: f64 = 3.0;
    const DIFFERENT: f64 = 5.0;
    let different = field.distinct() as f64 / field.pages().max(1) as f64;
    FOUND * field.field.fill + DIFFERENT * different.min(1.0)
}

/// How far the values of a field on other pages are unlike those that were given: where one value was given, a list is, and
/// where it has a label inside ("Pub. Date: 2007"), values with another are.
fn unlike(field: &Evidence, given: &[&Given<'_>]) -> f64 {
    const LIST: f64 = 1.0;
    const OTHER_LABEL: f64 = 30.0;
    let is_list = field.field.many && given.iter().all(|given| given.values.len() == 1);
    let label = |value: &str| {
        within(value)
            .filter(|_| !value.contains("://"))
            .map(str::to_owned)
    };
    let labels: Option<RapidHashSet<String>> = given
        .iter()
        .flat_map(|given| given.values)
        .map(|value| label(value))
        .collect();
    let (all, own) = (field.values().count(), |labels: &RapidHashSet<String>| {
        field
            .values()
            .filter(|value| label(value).is_some_and(|label| labels.contains(&label)))
            .count()
    });
    let other = labels.map_or(0.0, |labels| 1.0 - own(&labels) as f64 / all.max(1) as f64);
    OTHER_LABEL * other + if is_list { LIST } else { 0.0 }
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The share of some values that a field gives on their page; none if it gives anything else there. Of a list, some values may
/// be named for all.
fn fit(field: &Evidence, given: &Given<'_>) -> f64 {
    let found: RapidHashSet<String> = field.found[given.page]
        .1
        .iter()
        .map(|text| folded(text))
        .collect();
    let wanted: RapidHashSet<String> = given.values.iter().map(|text| folded(text)).collect();
    let (fewer, more) = if found.len() <= wanted.len() {
        (&found, &wanted)
    } else {
        (&wanted, &found)
    };
    let may_be = found.len() <= wanted.len() || wanted.len() > 1;
    if may_be && fewer.is_subset(more) {
        fewer.len() as f64 / more.len().max(1) as f64
    } else {
        0.0
    }
}

/// A field cut so that a single value is left of its text, if nearly all its texts have the same around it.
fn cut(field: &Evidence, given: &[&Given<'_>]) -> Option<Evidence> {
    let (prefix, suffix) = given.iter().find_map(|given| {
        let [value] = given.values else { return None };
        let [text] = field.found[given.page].1.as_slice() else {
            return None;
        };
        text.split_once(value.trim())
            .filter(|_| !value.trim().is_empty())
    })?;
    let is_plain =
        field.form == Form::Plain && field.field.views.iter().any(|view| view.takes_text());
    let fits = |text: &&str| {
        let rest = text
            .strip_prefix(prefix)
            .and_then(|rest| rest.strip_suffix(suffix));
        rest.is_some_and(|rest| !rest.trim().is_empty())
    };
    let (all, fitting) = (field.values().count(), field.values().filter(fits).count());
    if !is_plain || 10 * fitting < 9 * all || all < 2 {
        return None;
    }
    affixes::cut(field, Form::Value, prefix, suffix)
}

/// The half of a field's texts that a value is, before or behind the same mark: "Polanski" of "Roman Polanski".
fn half(field: &Evidence, given: &[&Given<'_>]) -> Option<Evidence> {
    let (text, value) = given.iter().find_map(|given| {
        match (given.values, field.found[given.page].1.as_slice()) {
            ([value], [text]) if !value.trim().is_empty() => Some((text.as_str(), value.trim())),
            _ => None,
        }
    })?;
    let is_mark = |letter: char| !letter.is_alphanumeric();
    let part = if let Some(other) = text.strip_suffix(value) {
        Part {
            separator: other[other.trim_end_matches(is_mark).len()..].to_owned(),
            number: 1,
        }
    } else {
        let other = text.strip_prefix(value)?;
        Part {
            separator: other[..other.len() - other.trim_start_matches(is_mark).len()].to_owned(),
            number: 0,
        }
    };
    let is_plain =
        field.form == Form::Plain && field.field.views.iter().any(|view| view.takes_text());
    let is_half = !part.separator.is_empty() && part.of(text) == Some(value);
    let (all, halves) = (
        field.values().count(),
        field
            .values()
            .filter(|text| part.of(text).is_some())
            .count(),
    );
    (is_plain && is_half && 10 * halves >= 8 * all && halves > 1)
        .then(|| affixes::half(field, part))
}

/// What the page of an example has that is most like its values.
fn nearest(scored: &[Evidence], name: &str, given: &[&Given<'_>]) -> Unfit {
    const SHOWN: usize = 3;
    let words = |text: &str| {
        text.to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .map(str::to_owned)
            .collect::<RapidHashSet<_>>()
    };
    let (page, values) = given
        .first()
        .map_or((0, &[][..]), |given| (given.page, given.values));
    let wanted = words(&values.join(" "));
    let mut texts: Vec<(usize, &str)> = Vec::new();
    for text in scored.iter().flat_map(|field| &field.found[page].1) {
        let own = words(text);
        let common = own
            .intersection(&wanted)
            .filter(|word| !word.is_empty())
            .count();
        if common > 0 && !texts.iter().any(|(_, known)| known == text) {
            texts.push((1_000 * common / own.union(&wanted).count(), text));
        }
    }
    texts.sort_by_key(|(alike, _)| std::cmp::Reverse(*alike));
    let nearest = texts
        .into_iter()
        .take(SHOWN)
        .map(|(_, text)| text.to_owned())
        .collect();
    Unfit {
        field: name.to_owned(),
        values: values.to_vec(),
        nearest,
        instead: None,
    }
}

/// Which pages of some may an example be about? The one that it names, or all whose text has all its values.
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
