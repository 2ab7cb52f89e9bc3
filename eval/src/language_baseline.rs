//! How much text has a frequency by nature, and is it the same in all languages?
//!
//! ```text
//! language-baseline OUT cs=FOLDER de=FOLDER ...
//! ```
//!
//! Reads the manual pages below each folder, takes their prose, cuts it into samples of [`SAMPLE`]
//! characters and measures F'(f) of each sample, the share of its strings that occur exactly f
//! times. Writes to OUT `table.rs`, which the library ships, `languages.csv` with the mean of each
//! language, and the paper's figures 6 to 8 as SVG: f·F'(f) by language, f·s²/F' by language, and
//! f·F'(f) ± s over all. `eval/language-baseline` fetches the pages and runs this.

use anyhow::{Context, Result, ensure};
use flate2::read::GzDecoder;
use rayon::prelude::*;
use std::{
    collections::HashSet,
    fmt::Write as _,
    fs,
    io::Read,
    path::{Path, PathBuf},
};
use unmold::{
    Text,
    papers::amplify::Amplification,
    symbols::{encode::chars, index::Index},
};

/// How long a sample is, in characters: about as long as all the text of a small site.
const SAMPLE: usize = 100_000;
/// More samples of a language would only make it weigh more.
const SAMPLES: usize = 40;

/// A language and, for each sample and each range of frequencies, f·F'(f) for all f of the range.
struct Language {
    name: String,
    samples: Vec<Vec<Vec<f64>>>,
}

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let out = PathBuf::from(
        args.next()
            .context("usage: language-baseline OUT NAME=FOLDER ...")?,
    );
    let languages: Vec<Language> = args
        .map(|argument| Language::read(&argument))
        .collect::<Result<_>>()?;
    ensure!(
        languages.len() >= 9,
        "at least nine languages, as in the paper"
    );
    languages.iter().for_each(Language::report);
    fs::write(out.join("table.rs"), table(&languages))?;
    fs::write(out.join("languages.csv"), csv(&languages))?;
    fs::write(
        out.join("language-means.svg"),
        by_language(&languages, "f · F'(f) by language", mean),
    )?;
    fs::write(
        out.join("language-variances.svg"),
        by_language(&languages, "f · s² / F'(f) by language", dispersion),
    )?;
    fs::write(out.join("language-baseline.svg"), overall(&languages))?;
    Ok(())
}

/// The lowest frequency of each range: all up to 16, then four ranges for each doubling.
fn ranges() -> Vec<usize> {
    let wide = (0..28).map(|step| (16.0 * 2f64.powf(f64::from(step) / 4.0)).round() as usize);
    (1..16).chain(wide).collect()
}

impl Language {
    fn read(argument: &str) -> Result<Self> {
        let (name, folder) = argument
            .split_once('=')
            .context("not of the form NAME=FOLDER")?;
        let mut files = Vec::new();
        collect(Path::new(folder), &mut files)?;
        files.sort();
        let characters: Vec<char> = prose(&files).chars().collect();
        let samples: Vec<String> = characters
            .chunks_exact(SAMPLE)
            .take(SAMPLES)
            .map(|s| s.iter().collect())
            .collect();
        ensure!(
            samples.len() >= 2,
            "{name}: {} characters are not enough",
            characters.len()
        );
        let samples = samples
            .par_iter()
            .map(|sample| shares(sample))
            .collect::<Result<_>>()?;
        Ok(Language {
            name: name.to_owned(),
            samples,
        })
    }

    fn report(&self) {
        let at = |frequency: usize| {
            mean(
                &self.column(
                    ranges()
                        .iter()
                        .position(|&from| from == frequency)
                        .unwrap_or(0),
                ),
            )
        };
        println!(
            "{:<6} {:>3} samples, f·F'(f) at 2: {:.3}, at 16: {:.3}, at 64: {:.3}",
            self.name,
            self.samples.len(),
            at(2),
            at(16),
            at(64)
        );
    }

    fn column(&self, range: usize) -> Vec<f64> {
        self.samples
            .iter()
            .flat_map(|sample| sample[range].iter().copied())
            .collect()
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?
    {
        let path = entry?.path();
        if path.is_symlink() {
            continue;
        } else if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "gz") {
            files.push(path);
        }
    }
    Ok(())
}

/// The prose of manual pages. Paragraphs that begin or end like one before are left out: notes on
/// copyright and translation stand on every page, and would be a template in what is to be natural.
fn prose(files: &[PathBuf]) -> String {
    let mut seen = HashSet::new();
    let mut is_new = |paragraph: &String| {
        let start: String = paragraph.chars().take(ENDS).collect();
        let end: String = paragraph.chars().rev().take(ENDS).collect();
        seen.insert(start) & seen.insert(end)
    };
    let all = files.iter().flat_map(|file| paragraphs(&page(file)));
    all.filter(|paragraph| is_prose(paragraph))
        .filter(&mut is_new)
        .map(|paragraph| paragraph + "\n")
        .collect()
}

/// How much of the beginning and the end of a paragraph is compared, in characters.
const ENDS: usize = 30;

/// A manual page; nothing if it is not UTF-8 or only refers to another.
fn page(file: &Path) -> String {
    let mut page = String::new();
    let read = fs::File::open(file)
        .and_then(|compressed| GzDecoder::new(compressed).read_to_string(&mut page));
    if read.is_ok() && !page.starts_with(".so ") {
        page
    } else {
        String::new()
    }
}

/// The lines of text between requests, joined, without the escapes for fonts and signs.
fn paragraphs(page: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for line in page.lines() {
        if line.starts_with(['.', '\'']) || line.trim().is_empty() {
            paragraphs.push(String::new());
        } else if let Some(paragraph) = paragraphs.last_mut() {
            paragraph.push_str(&plain(line));
            paragraph.push(' ');
        }
    }
    paragraphs
}

/// A line without roff escapes.
fn plain(line: &str) -> String {
    let mut plain = String::new();
    let mut rest = line;
    while let Some((before, escape)) = rest.split_once('\\') {
        plain.push_str(before);
        let mut following = escape.chars();
        let skipped: usize = match following.next() {
            Some('f' | '*') if escape[1..].starts_with('(') => 4,
            Some('f' | '*') if escape[1..].starts_with('[') => {
                escape.find(']').map_or(2, |end| end + 1)
            }
            Some('f' | '*') => 1 + following.next().map_or(0, char::len_utf8),
            Some('(') => 3,
            Some('[') => escape.find(']').map_or(1, |end| end + 1),
            Some('-') => {
                plain.push('-');
                1
            }
            Some(other) => other.len_utf8(),
            None => 0,
        };
        rest = escape.get(skipped..).unwrap_or("");
    }
    plain + rest
}

/// Whether a paragraph is sentences: long, and mostly letters. Tables and options are no natural
/// language.
fn is_prose(paragraph: &str) -> bool {
    let letters = paragraph
        .chars()
        .filter(|c| c.is_alphabetic() || *c == ' ')
        .count();
    let all = paragraph.chars().count();
    all >= 80 && letters * 100 >= all * 85
}

/// f·F'(f) of a sample, by range of frequencies.
fn shares(sample: &str) -> Result<Vec<Vec<f64>>> {
    let index = Index::new(chars::encode(&[Text::from_string("sample", sample)]))?;
    let amplification = Amplification::of(&index);
    let ranges = ranges();
    let share = |range: usize| {
        let end = ranges.get(range + 1).copied().unwrap_or(ranges[range] * 2);
        (ranges[range]..end)
            .map(|f| f as f64 * amplification.share(f))
            .collect()
    };
    Ok((0..ranges.len()).map(share).collect())
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    values
        .iter()
        .map(|value| (value - mean).powi(2))
        .sum::<f64>()
        / (values.len() - 1) as f64
}

fn dispersion(values: &[f64]) -> f64 {
    variance(values) / mean(values)
}

/// Mean and standard deviation over the samples of all languages, each language counting the same.
fn pooled(languages: &[Language], range: usize) -> (f64, f64) {
    let all: Vec<Vec<f64>> = languages
        .iter()
        .map(|language| language.column(range))
        .collect();
    let centre = mean(&all.iter().map(|column| mean(column)).collect::<Vec<_>>());
    let spread: Vec<f64> = all
        .iter()
        .map(|column| {
            mean(
                &column
                    .iter()
                    .map(|value| (value - centre).powi(2))
                    .collect::<Vec<_>>(),
            )
        })
        .collect();
    (centre, mean(&spread).sqrt())
}

fn table(languages: &[Language]) -> String {
    let names: Vec<&str> = languages
        .iter()
        .map(|language| language.name.as_str())
        .collect();
    let mut table = format!(
        "//! Written by `eval/language-baseline` from manual pages in {}; do not edit.\n\nuse super::Row;\n\n\
         pub(super) const TABLE: &[Row] = &[\n",
        names.join(", ")
    );
    for (range, frequency) in ranges().into_iter().enumerate() {
        let (mean, deviation) = pooled(languages, range);
        let _ = writeln!(
            table,
            "    Row {{ frequency: {frequency}, mean: {mean:.5}, deviation: {deviation:.5} }},"
        );
    }
    table + "];\n"
}

/// The mean of each language, for the test that they agree.
fn csv(languages: &[Language]) -> String {
    let mut csv = "frequency,language,mean\n".to_owned();
    for (range, frequency) in ranges().into_iter().enumerate() {
        for language in languages {
            let _ = writeln!(
                csv,
                "{frequency},{},{:.5}",
                language.name,
                mean(&language.column(range))
            );
        }
    }
    csv
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
const MARGIN: f64 = 56.0;
const COLOURS: [&str; 12] = [
    "#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f",
    "#bcbd22", "#17becf", "#000000", "#aa3377",
];

/// A drawing area with a logarithmic axis of frequencies and a linear one of values.
struct Plot {
    svg: String,
    top: f64,
    last: f64,
}

impl Plot {
    fn new(title: &str, top: f64) -> Self {
        let last = *ranges().last().unwrap_or(&1) as f64;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"{MARGIN}\" y=\"24\" \
             font-size=\"15\">{title}</text>\n"
        );
        let (right, bottom) = (WIDTH - 110.0, HEIGHT - MARGIN);
        let _ = writeln!(
            svg,
            "<path d=\"M{MARGIN} {MARGIN}V{bottom}H{right}\" fill=\"none\" stroke=\"black\"/>"
        );
        let mut plot = Plot { svg, top, last };
        for frequency in [1, 10, 100, 1000].into_iter().filter(|&f| f as f64 <= last) {
            let x = plot.x(frequency as f64);
            let _ = writeln!(
                plot.svg,
                "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{frequency}</text>",
                bottom + 18.0
            );
        }
        for value in [0.0, top / 2.0, top] {
            let y = plot.y(value);
            let _ = writeln!(
                plot.svg,
                "<text x=\"{}\" y=\"{y:.1}\" text-anchor=\"end\">{value:.3}</text>",
                MARGIN - 6.0
            );
        }
        let _ = writeln!(
            plot.svg,
            "<text x=\"{right}\" y=\"{}\" text-anchor=\"end\">frequency f</text>",
            bottom + 36.0
        );
        plot
    }

    fn x(&self, frequency: f64) -> f64 {
        MARGIN + (WIDTH - 110.0 - MARGIN) * frequency.ln() / self.last.ln()
    }

    fn y(&self, value: f64) -> f64 {
        HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * (value / self.top).clamp(0.0, 1.05)
    }

    fn line(&mut self, values: &[f64], colour: &str) {
        let points: Vec<String> = ranges()
            .iter()
            .zip(values)
            .map(|(&frequency, &value)| {
                format!("{:.1},{:.1}", self.x(frequency as f64), self.y(value))
            })
            .collect();
        let _ = writeln!(
            self.svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\"/>",
            points.join(" ")
        );
    }

    fn legend(&mut self, at: usize, name: &str, colour: &str) {
        let y = MARGIN + 16.0 * at as f64;
        let _ = writeln!(
            self.svg,
            "<text x=\"{}\" y=\"{y}\" fill=\"{colour}\">{name}</text>",
            WIDTH - 96.0
        );
    }

    fn finish(self) -> String {
        self.svg + "</svg>\n"
    }
}

/// One line a language.
fn by_language(languages: &[Language], title: &str, value: fn(&[f64]) -> f64) -> String {
    let line = |language: &Language| {
        (0..ranges().len())
            .map(|range| value(&language.column(range)))
            .collect::<Vec<_>>()
    };
    let lines: Vec<Vec<f64>> = languages.iter().map(line).collect();
    // The strings that occur once are many times more and would flatten the rest.
    let top = lines
        .iter()
        .flat_map(|line| &line[1..])
        .copied()
        .fold(0.0, f64::max);
    let mut plot = Plot::new(title, top);
    for (at, (language, line)) in languages.iter().zip(&lines).enumerate() {
        plot.line(line, COLOURS[at % COLOURS.len()]);
        plot.legend(at, &language.name, COLOURS[at % COLOURS.len()]);
    }
    plot.finish()
}

/// The mean over all languages, with a standard deviation to both sides.
fn overall(languages: &[Language]) -> String {
    let pooled: Vec<(f64, f64)> = (0..ranges().len())
        .map(|range| pooled(languages, range))
        .collect();
    let top = pooled[1..]
        .iter()
        .map(|(mean, deviation)| mean + deviation)
        .fold(0.0, f64::max);
    let mut plot = Plot::new("f · F'(f) ± s over all languages", top);
    for (at, (name, sign, colour)) in [
        ("mean", 0.0, "#1f77b4"),
        ("+ s", 1.0, "#999"),
        ("− s", -1.0, "#999"),
    ]
    .into_iter()
    .enumerate()
    {
        plot.line(
            &pooled
                .iter()
                .map(|(mean, deviation)| mean + sign * deviation)
                .collect::<Vec<_>>(),
            colour,
        );
        plot.legend(at, name, colour);
    }
    plot.finish()
}
