//! Substring amplification against brute force, on generated pages, and on the project's Japanese
//! site.

use proptest::prelude::*;
use std::{collections::BTreeMap, fs, path::PathBuf};
use unmold::{
    Page, Text,
    papers::amplify::{Amplification, LONGEST, Threshold, language, template_spans},
    symbols::{encode::chars, index::Index},
};

fn index(pages: &[String]) -> Index {
    let texts: Vec<Text> = pages
        .iter()
        .enumerate()
        .map(|(n, page)| Text::from_string(n.to_string(), page))
        .collect();
    Index::new(chars::encode(&texts)).unwrap()
}

/// How often each substring of at most `longest` characters occurs.
fn counted(pages: &[String], longest: usize) -> BTreeMap<Vec<char>, usize> {
    let mut counted = BTreeMap::new();
    for page in pages {
        let page: Vec<char> = page.chars().collect();
        for start in 0..page.len() {
            for end in start + 1..=page.len().min(start.saturating_add(longest)) {
                *counted.entry(page[start..end].to_vec()).or_default() += 1;
            }
        }
    }
    counted
}

/// V(f), counted by hand.
fn varieties(pages: &[String], longest: usize) -> BTreeMap<usize, u64> {
    let mut varieties = BTreeMap::new();
    counted(pages, longest)
        .values()
        .for_each(|&times| *varieties.entry(times).or_default() += 1);
    varieties
}

fn height(varieties: &BTreeMap<usize, u64>, f: usize) -> f64 {
    let mass = |f: usize| varieties.get(&f).map_or(1.0, |v| (f as u64 * v) as f64);
    2.0 * mass(f) / (mass(f - 1) + mass(f + 1))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn masses_heights_and_peaks_are_those_of_brute_force(
        pages in prop::collection::vec("[abあ]{0,40}", 0..6),
        delta in 0.5f64..20.0,
    ) {
        let index = index(&pages);
        let amplification = Amplification::of(&index);
        let all = varieties(&pages, usize::MAX);
        let short = varieties(&pages, LONGEST);
        let total: u64 = short.iter().map(|(&f, v)| f as u64 * v).sum();
        prop_assert_eq!(amplification.masses().map(|(f, _)| f).collect::<Vec<_>>(), all.keys().copied().collect::<Vec<_>>());
        for f in 1..60 {
            let variety = all.get(&f).copied().unwrap_or(0);
            prop_assert_eq!(amplification.variety(f), variety);
            prop_assert_eq!(amplification.mass(f).unwrap_or(0), f as u64 * variety);
            prop_assert!((amplification.height(f) - height(&all, f)).abs() < 1e-9);
            let share = short.get(&f).map_or(0.0, |v| (f as u64 * v) as f64 / total as f64);
            prop_assert!((amplification.share(f) - share).abs() < 1e-12);
        }
        let peaks: Vec<usize> = amplification.peaks(Threshold::Delta(delta)).iter().map(|peak| peak.frequency).collect();
        let expected: Vec<usize> = all.keys().copied().filter(|&f| f > 1 && height(&all, f) > delta).collect();
        prop_assert_eq!(peaks, expected);
    }

    #[test]
    fn words_and_spans_are_where_they_should_be(pages in prop::collection::vec("(<b>|</b>|x|y|z){0,12}", 2..6)) {
        let index = index(&pages);
        let peaks = Amplification::of(&index).peaks(Threshold::Delta(1.5));
        let spans = template_spans(&index, &peaks, 2);
        let counted = counted(&pages, usize::MAX);
        let mut covered: Vec<Vec<bool>> = pages.iter().map(|page| vec![false; page.len()]).collect();
        for peak in &peaks {
            for word in peak.words(&index) {
                let string: Vec<char> = index.show(word).chars().collect();
                prop_assert_eq!(counted[&string], peak.frequency);
                let string: String = string.into_iter().collect();
                for (page, covered) in pages.iter().zip(&mut covered).filter(|_| string.len() > 1) {
                    let starts = (0..page.len()).filter(|&at| page[at..].starts_with(&string));
                    starts.for_each(|at| covered[at..at + string.len()].fill(true));
                }
            }
        }
        for (covered, spans) in covered.iter().zip(&spans) {
            let given: Vec<bool> = (0..covered.len()).map(|at| spans.iter().any(|span| span.range().contains(&at))).collect();
            prop_assert_eq!(&given, covered);
        }
    }
}

/// Sentences of invented words, different on every page, as even as natural text.
fn article(page: usize) -> String {
    let mut state = page as u64 * 7919 + 17;
    let mut next = |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut text = String::new();
    for _ in 0..150 {
        for _ in 0..2 + next(3) {
            text.push("bcdfghklmnprstvz".chars().nth(next(16) as usize).unwrap());
            text.push("aeiou".chars().nth(next(5) as usize).unwrap());
        }
        text.push(' ');
    }
    text
}

#[test]
fn fifty_articles_of_one_template_give_peaks_at_50_100_and_150() {
    let page = |n: usize| {
        let body = article(n);
        format!(
            "<html><head><link rel=stylesheet href=/news.css></head>\n<!-- header information ends here -->\n\
             <font color=\"#8b0000\">*</font><b>{}</b>\n<!-- please replace from here on -->\n<p>{body}</p>\n\
             <font color=\"#8b0000\">*</font><b>More</b><font color=\"#8b0000\">*</font>\n</html>",
            &body[..12]
        )
    };
    let index = index(&(0..50).map(page).collect::<Vec<_>>());
    let amplification = Amplification::of(&index);
    for threshold in [Threshold::Delta(10.0), Threshold::default()] {
        let mut peaks = amplification.peaks(threshold);
        peaks.sort_by_key(|peak| std::cmp::Reverse(peak.mass));
        let heaviest: Vec<_> = peaks
            .iter()
            .take(3)
            .map(|peak| (peak.frequency, peak.multiple_of))
            .collect();
        assert_eq!(
            heaviest,
            [(50, None), (150, Some(50)), (100, Some(50))],
            "{threshold:?}"
        );
        let words: Vec<String> = peaks[0]
            .words(&index)
            .map(|word| index.show(word))
            .collect();
        assert!(
            words
                .iter()
                .any(|word| word.contains("<!-- please replace from here on -->")),
            "{words:?}"
        );
    }
}

#[test]
fn the_borderline_can_be_moved_without_counting_again() {
    let amplification = Amplification::of(&index(
        &(0..20)
            .map(|n| format!("<b>{}</b>", article(n)))
            .collect::<Vec<_>>(),
    ));
    let at = |delta: f64| amplification.peaks(Threshold::Delta(delta)).len();
    assert!(at(2.0) >= at(5.0) && at(5.0) >= at(50.0) && at(2.0) > at(50.0));
}

fn japanese_site() -> Vec<Text> {
    let folder =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sites/news-ja/pages");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
        .iter()
        .map(|file| Text::decode(Page::new(file.to_str().unwrap(), fs::read(file).unwrap())))
        .collect()
}

/// The paper's figure 1: of the articles of a Japanese newspaper, raw as they came, the number of
/// articles stands out.
#[test]
fn a_japanese_newspaper_shows_how_many_articles_there_are() {
    let texts = japanese_site();
    let index = Index::new(chars::encode(&texts)).unwrap();
    let peaks = Amplification::of(&index).peaks(Threshold::default());
    let heaviest = peaks.iter().max_by_key(|peak| peak.mass).unwrap();
    assert_eq!(heaviest.frequency, texts.len());
    assert!(
        peaks
            .iter()
            .any(|peak| peak.frequency == 2 * texts.len() && peak.multiple_of == Some(texts.len()))
    );
    let template = template_spans(&index, &[*heaviest], 2);
    for (text, spans) in texts.iter().zip(&template) {
        let covered: usize = spans.iter().map(|span| span.len()).sum();
        assert!(
            covered * 10 > text.as_str().len(),
            "{}: {covered} of {}",
            text.id(),
            text.as_str().len()
        );
    }
}

/// The claim of the paper's figure 6: f·F'(f) is much the same in all languages.
#[test]
fn languages_agree() {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../eval/languages.csv");
    let csv = fs::read_to_string(file).unwrap();
    let mut means: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for line in csv.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        means
            .entry(cells[0].parse().unwrap())
            .or_default()
            .push(cells[2].parse().unwrap());
    }
    for row in language::table()
        .iter()
        .filter(|row| (2..200).contains(&row.frequency))
    {
        let languages = &means[&row.frequency];
        assert!(languages.len() >= 9);
        for mean in languages {
            assert!(
                (row.mean * 0.5..row.mean * 1.5).contains(mean),
                "f = {}: {mean} against {}",
                row.frequency,
                row.mean
            );
        }
    }
}
