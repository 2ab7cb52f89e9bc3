//! `unmold eval`: a method against labelled pages.

use crate::{
    args::{EvalArgs, Format, Global},
    exit::{Failure, Outcome},
    learning, output,
    progress::Progress,
};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::{
    collections::HashMap,
    fs,
    io::{self, Write},
    path::Path,
};
use unmold::{
    Span, Text,
    evaluate::{Confusion, between, share_whole},
    papers::cut_point::{Cut, CutPoint},
};
use unmold_io::{LoadSettings, load};

pub fn run(args: &EvalArgs, global: &Global) -> Result<Outcome> {
    let mut progress = Progress::new(global.quiet);
    let mut scores = Vec::new();
    let mut outcome = Outcome::Done;
    for dataset in &args.datasets {
        progress.begin("evaluating");
        match evaluate(dataset, args).with_context(|| format!("{}", dataset.display())) {
            Ok(score) => {
                progress.end(&format!("evaluated {}", score.dataset));
                scores.push(score);
            }
            // One bad data set does not cost the scores of the others.
            Err(error) if args.datasets.len() > 1 && !global.strict => {
                progress.warn(&format!("bad input: {error:#}"));
                outcome = Outcome::SomeBad;
            }
            Err(error) => return Err(error),
        }
    }
    drop(progress);
    if scores.is_empty() {
        return Err(Failure::Nothing("no data set could be evaluated".to_owned()).into());
    }
    output::write_to(None, false, |out| match args.format {
        Format::Table => write_table(out, &scores),
        Format::Jsonl => scores.iter().try_for_each(|score| output::jsonl_row(out, score)),
    })?;
    Ok(outcome)
}

/// The measures of the alternation count papers for one data set, as far as its truth allows.
#[derive(Serialize)]
struct Score {
    dataset: String,
    pages: usize,
    n: usize,
    a: u8,
    /// The share of bytes taken for template.
    covered: f64,
    accuracy: Option<f64>,
    recall: Option<f64>,
    precision: Option<f64>,
    /// The share of true field values that are left whole in the content.
    whole: Option<f64>,
}

fn evaluate(dataset: &Path, args: &EvalArgs) -> Result<Score> {
    let texts = read_pages(dataset)?;
    let cut = learning::cut(&texts, &args.cut_point)?;
    let confusion = content_truth(dataset, &texts, &args.between)?.map(|truth| compare(&texts, &cut, &truth));
    let whole = FieldTruth::read(dataset)?.map(|truth| {
        let pages = texts.iter().zip(&cut.template);
        share_whole(pages.map(|(text, template)| (text.as_str(), template.as_slice(), truth.of(text))))
    });
    let CutPoint { n, a, .. } = cut.found.cut_point();
    let bytes: usize = texts.iter().map(|text| text.as_str().len()).sum();
    let template: usize = cut.template.iter().flatten().map(|span| span.len()).sum();
    Ok(Score {
        dataset: dataset.file_name().unwrap_or(dataset.as_os_str()).to_string_lossy().into_owned(),
        pages: texts.len(),
        n,
        a,
        covered: template as f64 / bytes.max(1) as f64,
        accuracy: confusion.map(Confusion::accuracy),
        recall: confusion.map(Confusion::recall),
        precision: confusion.map(Confusion::precision),
        whole,
    })
}

fn read_pages(dataset: &Path) -> Result<Vec<Text>> {
    let folder = Some(dataset.join("pages")).filter(|pages| pages.is_dir()).unwrap_or_else(|| dataset.to_owned());
    let pages = load([&folder], &LoadSettings::default()).read_all().pages;
    if pages.is_empty() {
        return Err(Failure::Nothing("no page was found".to_owned()).into());
    }
    Ok(pages.into_iter().map(Text::decode).collect())
}

fn compare(texts: &[Text], cut: &Cut, truth: &[Vec<Span>]) -> Confusion {
    let pages = texts.iter().zip(&cut.template).zip(truth);
    let compared = pages.map(|((text, template), content)| Confusion::of(text.as_str().len(), template, content));
    compared.fold(Confusion::default(), Confusion::and)
}

/// The name of a page in the truth: its file's, without the ending.
fn stem(text: &Text) -> &Path {
    Path::new(Path::new(text.id()).file_stem().unwrap_or_default())
}

/// What is content on each page: by pairs of delimiters, or by the files that stand beside the pages, if there are any.
fn content_truth(dataset: &Path, texts: &[Text], pairs: &[String]) -> Result<Option<Vec<Vec<Span>>>> {
    if !pairs.is_empty() {
        let pairs: Vec<(&str, &str)> = pairs.chunks_exact(2).map(|pair| (pair[0].as_str(), pair[1].as_str())).collect();
        return Ok(Some(texts.iter().map(|text| between(text.as_str(), &pairs)).collect()));
    }
    let folder = dataset.join("spans");
    if !folder.is_dir() {
        return Ok(None);
    }
    texts
        .iter()
        .map(|text| read_spans(&folder.join(stem(text)).with_extension("json")))
        .collect::<Result<_>>()
        .map(Some)
}

fn read_spans(path: &Path) -> Result<Vec<Span>> {
    #[derive(Deserialize)]
    struct Truth {
        content: Vec<(usize, usize)>,
    }
    let json = fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
    let truth: Truth = serde_json::from_str(&json).with_context(|| format!("{}", path.display()))?;
    Ok(truth.content.into_iter().map(|(start, end)| Span::new(start, end)).collect())
}

/// The true values of fields, by page.
#[derive(Deserialize)]
struct FieldTruth {
    pages: HashMap<String, HashMap<String, Vec<String>>>,
}

impl FieldTruth {
    fn read(dataset: &Path) -> Result<Option<Self>> {
        let path = dataset.join("truth.json");
        if !path.is_file() {
            return Ok(None);
        }
        let json = fs::read_to_string(&path).with_context(|| format!("{}", path.display()))?;
        serde_json::from_str(&json).map(Some).with_context(|| format!("{}", path.display()))
    }

    /// The true values of a page.
    fn of(&self, text: &Text) -> Vec<&str> {
        let fields = stem(text).to_str().and_then(|name| self.pages.get(name));
        fields.into_iter().flat_map(|fields| fields.values().flatten()).map(String::as_str).collect()
    }
}

fn write_table(out: &mut dyn Write, scores: &[Score]) -> io::Result<()> {
    let header = ["pages", "(n, a)", "covered", "accuracy", "recall", "precision", "whole"];
    let line = |name: &str, cells: [String; 7]| {
        let cells: String = cells.iter().map(|cell| format!(" {cell:>10}")).collect();
        format!("{name:<28}{cells}")
    };
    let figure = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.3}"));
    writeln!(out, "{}", line("data set", header.map(str::to_owned)))?;
    for score in scores {
        let point = format!("({}, {})", score.n, score.a);
        let figures = [score.accuracy, score.recall, score.precision, score.whole].map(figure);
        let [accuracy, recall, precision, whole] = figures;
        let cells = [score.pages.to_string(), point, figure(Some(score.covered)), accuracy, recall, precision, whole];
        writeln!(out, "{}", line(&score.dataset, cells))?;
    }
    Ok(())
}
