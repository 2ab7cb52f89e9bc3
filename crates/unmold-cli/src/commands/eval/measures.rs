//! Each measure: what the program finds, as its own command would, against the truth.

use super::{
    dataset::{Dataset, stem},
    score::{PageScore, Score},
};
use crate::{
    args::{EvalArgs, Measure},
    exit::Failure,
    learning,
};
use anyhow::Result;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};
use unmold::{
    Extraction, Learner, Mold, Reader, Span, Text,
    evaluate::{
        self, Confusion, between,
        content::{self, Overlap},
        examples, fields, groups, mean, records, share_whole,
    },
    fields::{Example, Value},
    group,
    lists::Regions,
    mold::FieldChoice,
    papers::cut_point::{Cut, CutPoint},
    read::guarded,
    reader::Part,
};

/// A person looks at this many columns, or at that many.
const FIRST_COLUMNS: [usize; 2] = [10, 20];
/// The best of this many lists is taken, beside the first.
const FIRST_LISTS: usize = 3;

/// All measures that were asked for and that the truth of a data set allows.
pub fn all(dataset: &Dataset, args: &EvalArgs) -> Result<Vec<Score>> {
    let every =
        [Measure::Content, Measure::Fields, Measure::Examples, Measure::Records, Measure::Groups, Measure::Template];
    let is_wanted = |measure: &Measure| match args.measure.as_slice() {
        // Delimiters are a truth about one measure.
        [] if !args.between.is_empty() => *measure == Measure::Template,
        [] => true,
        wanted => wanted.contains(measure),
    };
    let mut scores = Vec::new();
    for measure in every.into_iter().filter(is_wanted) {
        scores.extend(one(measure, dataset, args)?);
    }
    if scores.is_empty() {
        return Err(Failure::Nothing("there is no truth beside its pages that was asked for".to_owned()).into());
    }
    Ok(scores)
}

fn one(measure: Measure, dataset: &Dataset, args: &EvalArgs) -> Result<Option<Score>> {
    let measured = match measure {
        Measure::Content => content(dataset)?,
        Measure::Fields => fields(dataset)?,
        Measure::Examples => by_example(dataset)?,
        Measure::Records => records(dataset)?,
        Measure::Groups => groups(dataset)?,
        Measure::Template => template(dataset, args)?,
    };
    Ok(measured.map(|Measured { pages, figures, by_page }| Score {
        dataset: dataset.name.clone(),
        measure,
        pages,
        digest: dataset.digest(),
        figures: figures.into_iter().map(|(name, figure)| (name.to_owned(), figure)).collect(),
        by_page,
    }))
}

/// What a measure gives.
struct Measured {
    pages: usize,
    figures: Vec<(&'static str, f64)>,
    by_page: Vec<PageScore>,
}

/// A text in a note is cut at this many characters.
const NOTED: usize = 160;

fn page_score(text: &Text, figure: f64, note: String) -> PageScore {
    PageScore { page: text.id().to_owned(), figure, note }
}

// Main content.

fn content(dataset: &Dataset) -> Result<Option<Measured>> {
    let truths = dataset.contents()?;
    if truths.iter().all(Option::is_none) {
        return Ok(None);
    }
    let together = cleaned(&dataset.texts)?;
    if let Some(kinds) = dataset.kinds()? {
        return many_sites(dataset, &truths, &together, &kinds).map(Some);
    }
    let labelled = || dataset.texts.iter().zip(&together).zip(&truths);
    let compared: Vec<(&Text, Overlap, String)> = labelled()
        .filter_map(|((text, found), truth)| {
            let truth = truth.as_ref()?;
            Some((text, Overlap::of(found, truth), difference(found, truth)))
        })
        .collect();
    let score = content::Score::over(compared.iter().map(|(_, overlap, _)| *overlap));
    let by_page = compared.into_iter().map(|(text, overlap, note)| page_score(text, overlap.f1(), note)).collect();
    let figures = vec![("f1", score.f1), ("precision", score.precision), ("recall", score.recall)];
    Ok(Some(Measured { pages: score.pages, figures, by_page }))
}

/// Pages of as many sites: all as one pile, and each alone.
fn many_sites(
    dataset: &Dataset,
    truths: &[Option<String>],
    together: &[String],
    kinds: &HashMap<String, String>,
) -> Result<Measured> {
    let alone: Vec<String> = dataset
        .texts
        .par_iter()
        .map(|text| Ok(cleaned(std::slice::from_ref(text))?.remove(0)))
        .collect::<Result<_>>()?;
    let mut by_page = Vec::new();
    let (mut in_pile, mut on_their_own, mut by_kind) = (Vec::new(), Vec::new(), BTreeMap::<&str, Vec<f64>>::new());
    for (place, text) in dataset.texts.iter().enumerate() {
        let Some(truth) = &truths[place] else { continue };
        let figure = content::word_f1(&together[place], truth);
        in_pile.push(figure);
        on_their_own.push(content::word_f1(&alone[place], truth));
        let kind = kinds.get(stem(text)).map_or("", String::as_str);
        by_kind.entry(kind).or_default().push(figure);
        by_page.push(page_score(text, figure, format!("{kind}: {}", difference(&together[place], truth))));
    }
    let mut figures = vec![("words", mean(in_pile.iter().copied())), ("alone", mean(on_their_own))];
    figures.extend(by_kind.into_iter().filter_map(|(kind, all)| Some((kind_name(kind)?, mean(all)))));
    Ok(Measured { pages: in_pile.len(), figures, by_page })
}

/// The kinds of pages that figures are given for.
fn kind_name(kind: &str) -> Option<&'static str> {
    let known = ["article", "collection", "documentation", "forum", "listing", "product", "service"];
    known.into_iter().find(|known| *known == kind)
}

fn cleaned(texts: &[Text]) -> Result<Vec<String>> {
    let reader = Learner::content_only().learn(texts)?.reader().only(&[Part::Content]);
    texts.par_iter().map(|text| Ok(reader.read(text)?.content().text())).collect()
}

/// The first words of a true text that were not found, or of a found text that is not true.
fn difference(found: &str, truth: &str) -> String {
    let missing = only_in(truth, found);
    let extra = only_in(found, truth);
    match (missing, extra) {
        (None, None) => String::new(),
        (Some(missing), None) => format!("misses “{missing}”"),
        (None, Some(extra)) => format!("has too much “{extra}”"),
        (Some(missing), Some(extra)) => format!("misses “{missing}”, has too much “{extra}”"),
    }
}

/// The longest line of one text that the other does not have.
fn only_in(one: &str, other: &str) -> Option<String> {
    let other = evaluate::words::folded(other);
    let lines = one.lines().map(evaluate::words::folded).filter(|line| !line.is_empty() && !other.contains(line));
    lines.max_by_key(String::len).map(|line| line.chars().take(NOTED).collect())
}

// Fields.

fn fields(dataset: &Dataset) -> Result<Option<Measured>> {
    let Some(truth) = dataset.fields()? else { return Ok(None) };
    let mut mold = Learner::default().learn(&dataset.texts)?;
    let columns = mold.groups.iter().map(|group| group.wanted().len()).max().unwrap_or(0);
    let wanted = rows(&mold, &dataset.texts)?;
    mold.choose(&FieldChoice::All)?;
    let everything = rows(&mold, &dataset.texts)?;
    let scores = fields::score(&everything, &truth, &FIRST_COLUMNS);
    let (any, first) = fields::summary(&scores);
    let (in_wanted, _) = fields::summary(&fields::score(&wanted, &truth, &[]));
    let figures = vec![
        ("f1", any),
        ("first_10", first.first().copied().unwrap_or(0.0)),
        ("first_20", first.last().copied().unwrap_or(0.0)),
        ("wanted", in_wanted),
        ("columns", columns as f64),
    ];
    // What is lost is lost by attribute, not by page.
    let by_page = scores.into_iter().map(|score| {
        let column = score.column.as_deref().unwrap_or("none");
        let note = format!("column {column}; in the first ten {:.3}", score.within.first().copied().unwrap_or(0.0));
        PageScore { page: score.attribute, figure: score.f1, note }
    });
    Ok(Some(Measured { pages: everything.len(), figures, by_page: by_page.collect() }))
}

fn rows(mold: &Mold, texts: &[Text]) -> Result<Vec<fields::Row>> {
    let reader: Reader = mold.reader().only(&[Part::Fields]);
    texts.par_iter().map(|text| Ok(row(stem(text), &reader.read(text)?))).collect()
}

fn row(page: &str, found: &Extraction<'_>) -> fields::Row {
    let doubts = found.fields().filter(|field| field.doubt().is_some()).map(|field| field.name().to_owned()).collect();
    let fields = found.fields().map(|field| (field.name(), field.values().map(Value::text).collect()));
    fields::Row { doubts, ..fields::Row::new(page, fields) }
}

/// Learns from the page that has most attributes, the first of equals.
fn by_example(dataset: &Dataset) -> Result<Option<Measured>> {
    let Some(truth) = dataset.fields()? else { return Ok(None) };
    let attributes = |page: &HashMap<String, Vec<String>>| page.values().filter(|values| !values.is_empty()).count();
    let most = truth.pages.values().map(attributes).max().unwrap_or(0);
    let Some((page, values)) = truth.pages.iter().find(|(_, page)| attributes(page) == most) else { return Ok(None) };
    let shown = truth.fields.iter().filter_map(|name| {
        let values = values.get(name).filter(|values| !values.is_empty())?;
        Some((name.clone(), values.iter().map(|value| evaluate::words::folded(value)).collect()))
    });
    let example = Example { page: Some(page.clone()), fields: shown.collect(), content: None };
    let mold = Learner::default().examples(vec![example]).learn(&dataset.texts)?;
    let rows = rows(&mold, &dataset.texts)?;
    let score = examples::Score::of(&rows, &truth, &[page]);
    let figures = vec![
        ("f1", score.f1),
        ("wrong", score.wrong as f64),
        ("right", score.right as f64),
        ("silently", score.silently()),
        ("alarms", score.alarms()),
    ];
    Ok(Some(Measured { pages: rows.len().saturating_sub(1), figures, by_page: Vec::new() }))
}

// Records and groups.

fn records(dataset: &Dataset) -> Result<Option<Measured>> {
    let truths = dataset.records()?;
    let labelled: Vec<(&Text, &Vec<String>)> =
        dataset.texts.iter().zip(&truths).filter_map(|(text, truth)| Some((text, truth.as_ref()?))).collect();
    if labelled.is_empty() {
        return Ok(None);
    }
    let compared: Vec<Option<(&Text, records::PageScore, records::PageScore)>> = labelled
        .par_iter()
        .map(|(text, truth)| {
            let lists = guarded(text, listed)?;
            let first = records::PageScore::of(truth, &lists, 1);
            let best = records::PageScore::of(truth, &lists, FIRST_LISTS);
            Ok(first.zip(best).map(|(first, best)| (*text, first, best)))
        })
        .collect::<Result<_>>()?;
    let compared: Vec<_> = compared.into_iter().flatten().collect();
    let figures = vec![
        ("first_retrieval", mean(compared.iter().map(|(_, first, _)| first.retrieval()))),
        ("first_accuracy", mean(compared.iter().map(|(_, first, _)| first.accuracy()))),
        ("retrieval", mean(compared.iter().map(|(_, _, best)| best.retrieval()))),
        ("accuracy", mean(compared.iter().map(|(_, _, best)| best.accuracy()))),
    ];
    let by_page = compared.iter().map(|(text, first, _)| {
        let note = format!("{} of {} records, {} given", first.found, first.truth, first.given);
        page_score(text, evaluate::f1(first.accuracy(), first.retrieval()), note)
    });
    Ok(Some(Measured { pages: compared.len(), figures, by_page: by_page.collect() }))
}

/// The texts of the records of each list of a page, the best list first.
fn listed(text: &Text) -> Vec<Vec<String>> {
    let page = text.as_str();
    let patterns = Regions::default().find(text);
    patterns.iter().map(|pattern| pattern.records.iter().map(|record| record.text(page)).collect()).collect()
}

fn groups(dataset: &Dataset) -> Result<Option<Measured>> {
    let Some(labels) = dataset.labels()? else { return Ok(None) };
    let grouping = group::group(&dataset.texts);
    let places = dataset.texts.iter().zip(grouping.places());
    let found: HashMap<&str, Option<usize>> = places.map(|(text, place)| (stem(text), place.group())).collect();
    let truth: Vec<Option<&str>> = labels.values().map(Option::as_deref).collect();
    let found: Vec<Option<usize>> = labels.keys().map(|page| found.get(page.as_str()).copied().flatten()).collect();
    let score = groups::Score::of(&truth, &found);
    let figures =
        vec![("f1", score.f1), ("rand", score.rand), ("precision", score.precision), ("recall", score.recall)];
    Ok(Some(Measured { pages: score.pages, figures, by_page: Vec::new() }))
}

// Template by cut points, the measure of the alternation count papers.

fn template(dataset: &Dataset, args: &EvalArgs) -> Result<Option<Measured>> {
    let truth = match between_delimiters(&dataset.texts, &args.between) {
        Some(truth) => Some(truth),
        None => dataset.spans()?,
    };
    let attributes = dataset.fields()?;
    // The share of values left whole says little alone: it is given where it was asked for.
    if truth.is_none() && (attributes.is_none() || !args.measure.contains(&Measure::Template)) {
        return Ok(None);
    }
    let cut = learning::cut(&dataset.texts, &args.cut_point)?;
    let CutPoint { n, a, .. } = cut.found.cut_point();
    let mut figures = Vec::new();
    if let Some(truth) = truth {
        let confusion = compare(&dataset.texts, &cut, &truth);
        figures.extend([("accuracy", confusion.accuracy()), ("recall", confusion.recall())]);
        figures.push(("precision", confusion.precision()));
    }
    if let Some(attributes) = attributes {
        let values = |text: &Text| {
            let page = attributes.pages.get(stem(text));
            page.into_iter().flat_map(|page| page.values().flatten()).map(String::as_str).collect()
        };
        let pages = dataset.texts.iter().zip(&cut.template);
        let pages = pages.map(|(text, template)| (text.as_str(), template.as_slice(), values(text)));
        figures.push(("whole", share_whole(pages)));
    }
    figures.extend([("covered", covered(&dataset.texts, &cut)), ("n", n as f64), ("a", f64::from(a))]);
    Ok(Some(Measured { pages: dataset.texts.len(), figures, by_page: Vec::new() }))
}

fn between_delimiters(texts: &[Text], delimiters: &[String]) -> Option<Vec<Vec<Span>>> {
    let pairs: Vec<(&str, &str)> =
        delimiters.chunks_exact(2).map(|pair| (pair[0].as_str(), pair[1].as_str())).collect();
    (!pairs.is_empty()).then(|| texts.iter().map(|text| between(text.as_str(), &pairs)).collect())
}

fn compare(texts: &[Text], cut: &Cut, truth: &[Vec<Span>]) -> Confusion {
    let pages = texts.iter().zip(&cut.template).zip(truth);
    let compared = pages.map(|((text, template), content)| Confusion::of(text.as_str().len(), template, content));
    compared.fold(Confusion::default(), Confusion::and)
}

/// The share of bytes taken for template.
fn covered(texts: &[Text], cut: &Cut) -> f64 {
    let bytes: usize = texts.iter().map(|text| text.as_str().len()).sum();
    let template: usize = cut.template.iter().flatten().map(|span| span.len()).sum();
    template as f64 / bytes.max(1) as f64
}
