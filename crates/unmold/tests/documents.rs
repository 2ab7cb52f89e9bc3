//! Template strings: learned, written as expressions, applied; and the evaluations that the thesis proposes.

use proptest::prelude::*;
use regex::Regex;
use std::{
    fs,
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
};
use unmold::{
    Page, Span, Text,
    apply::template::Cleaner,
    detect::documents::Settings,
    encode::mutable::{Mutable, Mutables},
    mold::template::{self, Template},
};

const SITES: [&str; 6] = ["news-ja", "news-de", "shop-en", "search-zh", "forum-ru", "library-ar"];

fn site(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sites").join(name)
}

fn files(folder: &str, of: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(site(of).join(folder)) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn pages(of: &str) -> Vec<Text> {
    let page = |file: &PathBuf| Page::new(file.file_stem().unwrap().to_str().unwrap(), fs::read(file).unwrap());
    files("pages", of).iter().map(|file| Text::decode(page(file))).collect()
}

fn learned(texts: &[Text]) -> Template {
    template::learn_group(texts, &Mutables::common(), &Settings::default()).unwrap()
}

/// The union of all matches of all expressions, by searching for one after the other.
fn by_expressions<'r>(expressions: impl IntoIterator<Item = &'r Regex>, page: &str) -> Vec<Span> {
    let found = expressions.into_iter().flat_map(|regex| regex.find_iter(page));
    union(found.map(|found| Span::new(found.start(), found.end())).collect())
}

/// Spans as intervals that do not touch.
fn union(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort();
    let mut union: Vec<Span> = Vec::new();
    for span in spans {
        match union.last_mut() {
            Some(last) if last.end >= span.start => *last = last.to(span),
            _ => union.push(span),
        }
    }
    union
}

fn compiled(template: &Template) -> Vec<Regex> {
    template.expressions().unwrap().iter().map(|expression| Regex::new(expression).unwrap()).collect()
}

#[test]
fn the_examples_of_the_thesis() {
    let digits = Mutables::none().and([Mutable::new("digits", "[0-9]+").unwrap()]);
    let template = Template::of(&digits, ["hello! How are you?", "I'm {digits} years old"]).unwrap();
    let expressions = compiled(&template);
    let cleaner = Cleaner::new([&template]).unwrap();
    for (page, expected) in [
        ("hello! How are you?", true),
        ("hello!  How\nare you?", true),
        ("I'm 24 years old", true),
        ("I'm 25 years old", true),
        ("I'm many years old", false),
        ("hello!How are you?", false),
    ] {
        let whole = vec![Span::new(0, page.len())];
        assert_eq!(by_expressions(&expressions, page) == whole, expected, "{page}");
        assert_eq!(cleaner.matches(page) == whole, expected, "{page}");
    }
}

#[test]
fn the_order_of_expressions_does_not_matter() {
    // The thesis' letters, as symbols.
    for order in [["a a b b", "a b"], ["a b", "a a b b"]] {
        let template = Template::of(&Mutables::none(), order).unwrap();
        assert_eq!(Cleaner::new([&template]).unwrap().matches("a a b b"), [Span::new(0, 7)]);
        assert_eq!(by_expressions(&compiled(&template), "a a b b"), [Span::new(0, 7)]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn the_automaton_finds_what_the_expressions_find(
        strings in prop::collection::hash_set("(<b>|</b>|a|b|!|[{]number[}] |x{1,2}| ){1,6}[ab>!]", 1..8),
        page in "(<b>|</b>|a|b|!| 1[0-9]{0,2} | 7,5 |東|x{1,2}| |\n|é){0,60}",
        seed in any::<u64>(),
    ) {
        // A letter that stands right before a number belongs to the same word.
        let strings = strings.iter().map(String::as_str).filter(|string| !string.contains(['a', 'b', 'x'])
            || !string.contains("a{") && !string.contains("b{") && !string.contains("x{"));
        let mut strings: Vec<&str> = strings.collect();
        let forward = Template::of(&Mutables::common(), strings.iter().copied()).unwrap();
        let expected = by_expressions(&compiled(&forward), &page);
        strings.sort_by_key(|string| string.bytes().fold(seed, |hash, byte| hash.rotate_left(5) ^ u64::from(byte)));
        let shuffled = Template::of(&Mutables::common(), strings).unwrap();
        prop_assert_eq!(by_expressions(&compiled(&shuffled), &page), expected.clone());
        prop_assert_eq!(union(Cleaner::new([&shuffled]).unwrap().matches(&page)), expected);
    }

    #[test]
    fn no_page_makes_it_panic(pages in prop::collection::vec(any::<String>(), 2..5), page in any::<String>()) {
        let texts: Vec<Text> = pages.iter().map(|page| Text::from_string("page", page.as_str())).collect();
        let template = learned(&texts);
        compiled(&template);
        let cleaner = Cleaner::new([&template]).unwrap();
        for span in texts.iter().map(Text::as_str).chain([page.as_str()]).flat_map(|page| {
            let spans = cleaner.clean(page);
            spans.into_iter().map(move |span| span.of(page).len())
        }) {
            prop_assert!(span > 0);
        }
    }
}

/// Each expression matches where it was learned, and all together match what the automaton finds, but for what stands
/// inside a mutable pattern.
#[test]
fn expressions_match_the_pages_they_came_from() {
    for name in SITES {
        let texts = pages(name);
        let template = learned(&texts);
        assert!(template.strings.len() >= 10, "{name}: {} strings", template.strings.len());
        let expressions = compiled(&template);
        for (regex, string) in expressions.iter().zip(&template.strings) {
            let on = texts.iter().filter(|text| regex.is_match(text.as_str())).count();
            assert!(10 * on >= 9 * string.df, "{name}: {regex} is on {on} pages, not {}", string.df);
        }
        let cleaner = Cleaner::new([&template]).unwrap();
        let (mut same, mut different) = (0, 0);
        for text in &texts {
            let bytes = |spans: &[Span]| spans.iter().map(|span| span.len()).sum::<usize>();
            let (automaton, regexes) = (cleaner.matches(text.as_str()), by_expressions(&expressions, text.as_str()));
            let both = union(automaton.iter().chain(&regexes).copied().collect());
            assert_eq!(bytes(&both), bytes(&regexes), "{name}/{}: the automaton finds more", text.id());
            same += bytes(&automaton);
            different += bytes(&regexes) - bytes(&automaton);
        }
        assert!(different * 200 < same, "{name}: {different} of {same} bytes");
    }
}

/// Reads {"pages": [..], "expressions": [..]} and writes the spans of each expression on each page, in bytes. Ends in
/// failure if one expression takes longer than a second on one page.
const PYTHON: &str = r#"
import json, re, signal, sys
job = json.load(sys.stdin)
signal.signal(signal.SIGALRM, lambda *_: sys.exit("an expression takes too long"))
compiled = [re.compile(expression) for expression in job["expressions"]]
found = []
for page in job["pages"]:
    at, offsets = 0, []
    for c in page:
        offsets.append(at)
        at += len(c.encode())
    offsets.append(at)
    rows = []
    for expression in compiled:
        signal.alarm(10)
        rows.append([[offsets[m.start()], offsets[m.end()]] for m in expression.finditer(page)])
        signal.alarm(0)
    found.append(rows)
json.dump(found, sys.stdout)
"#;

fn by_python(expressions: &[String], texts: &[Text]) -> Vec<Vec<Vec<[usize; 2]>>> {
    let texts: Vec<&str> = texts.iter().map(Text::as_str).collect();
    let job = serde_json::json!({"pages": texts, "expressions": expressions}).to_string();
    let mut python = Command::new("python3")
        .args(["-c", PYTHON])
        .env("PYTHONIOENCODING", "utf-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 is needed to check expressions");
    python.stdin.take().unwrap().write_all(job.as_bytes()).unwrap();
    let output = python.wait_with_output().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn python_matches_the_same_spans() {
    for name in SITES {
        let texts = pages(name);
        let template = learned(&texts);
        let expressions = compiled(&template);
        let found = by_python(&template.expressions().unwrap(), &texts);
        for (text, found) in texts.iter().zip(found) {
            for (regex, python) in expressions.iter().zip(found) {
                let rust: Vec<[usize; 2]> =
                    regex.find_iter(text.as_str()).map(|found| [found.start(), found.end()]).collect();
                assert_eq!(python, rust, "{name}/{}: {regex}", text.id());
            }
        }
    }
}

/// A small generator of numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }
}

/// The main texts of a site, which are clean.
fn clean_texts(of: &str) -> Vec<String> {
    files("truth", of).iter().map(|file| fs::read_to_string(file).unwrap()).collect()
}

/// A template string with words of the language: fixed but for a date, a number or a time in some.
fn synthetic(words: &[&str], dice: &mut Dice) -> Vec<String> {
    let mut pieces: Vec<String> = (0..4 + dice.below(5)).map(|_| words[dice.below(words.len())].to_owned()).collect();
    match dice.below(4) {
        0 => pieces.insert(2, "%date".to_owned()),
        1 => pieces.push("%number".to_owned()),
        2 => pieces.insert(1, "%time".to_owned()),
        _ => pieces.push("|".to_owned()),
    }
    pieces
}

/// How a template string looks on one page.
fn instance(pieces: &[String], dice: &mut Dice) -> String {
    let filled = pieces.iter().map(|piece| match piece.as_str() {
        "%date" => format!("{:02}.{:02}.20{:02}", 1 + dice.below(28), 1 + dice.below(12), dice.below(30)),
        "%number" => (10 + dice.below(9000)).to_string(),
        "%time" => format!("{:02}:{:02}", dice.below(24), dice.below(60)),
        word => word.to_owned(),
    });
    filled.collect::<Vec<_>>().join(" ")
}

/// The first evaluation of the thesis: synthetic templates in clean pages are found again.
#[test]
fn injected_strings_are_found_again() {
    let (mut injected, mut recalled, mut found, mut true_found) = (0, 0, 0, 0);
    for (at, name) in ["news-de", "news-ja", "library-ar", "forum-ru", "shop-en"].into_iter().enumerate() {
        let mut dice = Dice(at as u64 + 1);
        let clean = clean_texts(name);
        let all = clean.concat();
        let words: Vec<&str> = all.split_whitespace().filter(|word| word.chars().all(char::is_alphabetic)).collect();
        let words: Vec<&str> = if words.len() > 200 { words } else { all.split_inclusive('。').collect() };
        let strings: Vec<Vec<String>> = (0..40).map(|_| synthetic(&words, &mut dice)).collect();
        let (mut texts, mut places) = (Vec::new(), Vec::new());
        for page in &clean {
            let mut lines: Vec<(String, bool)> = page.lines().map(|line| (line.to_owned(), false)).collect();
            for string in &strings {
                let place = dice.below(lines.len() + 1);
                lines.insert(place, (instance(string, &mut dice), true));
            }
            let mut text = String::new();
            let mut spans = Vec::new();
            for (line, is_injected) in lines {
                if is_injected {
                    spans.push(Span::new(text.len(), text.len() + line.len()));
                }
                text += &line;
                text.push('\n');
            }
            texts.push(Text::from_string(name, text));
            places.push(spans);
        }
        let template = learned(&texts);
        let cleaner = Cleaner::new([&template]).unwrap().merge_gap(0);
        for (text, places) in texts.iter().zip(&places) {
            let removed = cleaner.clean(text.as_str());
            let is_inside = |span: &&Span| removed.iter().any(|r| r.start <= span.start && span.end <= r.end);
            injected += places.len();
            recalled += places.iter().filter(is_inside).count();
        }
        for regex in compiled(&template) {
            found += 1;
            let (mut matches, mut inside) = (0, 0);
            for (text, places) in texts.iter().zip(&places) {
                for found in regex.find_iter(text.as_str()) {
                    let shared = |span: &Span| {
                        (span.end as usize).min(found.end()).saturating_sub((span.start as usize).max(found.start()))
                    };
                    matches += 1;
                    // A full stop before a string may be common to most pages too.
                    inside += usize::from(2 * places.iter().map(shared).sum::<usize>() >= found.len());
                }
            }
            true_found += usize::from(2 * inside > matches);
        }
    }
    let (recall, precision) = (recalled as f64 / injected as f64, true_found as f64 / found as f64);
    println!("{injected} places of 200 strings, recall {recall:.4}; {found} strings found, precision {precision:.4}");
    assert!(recall >= 0.98 && precision >= 0.98, "recall {recall}, precision {precision}");
}
