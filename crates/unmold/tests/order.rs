//! However pages come, and whatever their files are called, the answer is the same.

use std::{fs, path::PathBuf};
use unmold::{Learner, Mold, Page, Text, group::group};

const SITES: [&str; 6] = [
    "news-ja",
    "news-de",
    "shop-en",
    "search-zh",
    "forum-ru",
    "library-ar",
];

/// The pages of a site as bytes.
fn pages(site: &str) -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata/sites")
        .join(site)
        .join("pages");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

/// Three other orders: backwards, cut in the middle, and from both ends.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let cut = (0..count).map(|at| (at + count / 2) % count).collect();
    let ends = (0..count)
        .map(|at| {
            if at % 2 == 0 {
                at / 2
            } else {
                count - 1 - at / 2
            }
        })
        .collect();
    vec![(0..count).rev().collect(), cut, ends]
}

/// Pages in some order; each is called by its place there.
fn texts(pages: &[Vec<u8>], order: &[usize]) -> Vec<Text> {
    let text = |(place, &at): (usize, &usize)| {
        Text::decode(Page::new(format!("{place}.html"), pages[at].clone()))
    };
    order.iter().enumerate().map(text).collect()
}

/// What a mold finds on each page, as it came.
fn found(mold: &Mold, texts: &[Text]) -> Vec<String> {
    let reader = mold.reader();
    let page = |text: &Text| {
        let found = reader.read(text).unwrap();
        let fields: Vec<(String, Vec<String>)> = found
            .fields()
            .map(|field| {
                (
                    field.name().to_owned(),
                    field
                        .values()
                        .map(|value| value.text().to_owned())
                        .collect(),
                )
            })
            .collect();
        format!("{fields:?} {}", found.content().text())
    };
    texts.iter().map(page).collect()
}

#[test]
fn molds_and_what_they_find_are_the_same_in_any_order() {
    for site in SITES {
        let pages = pages(site);
        let straight: Vec<usize> = (0..pages.len()).collect();
        for learner in [Learner::default(), Learner::content_only()] {
            let first = texts(&pages, &straight);
            let mold = learner.learn(&first).unwrap();
            let on_pages = found(&mold, &first);
            for order in orders(pages.len()) {
                let shuffled = texts(&pages, &order);
                let other = learner.learn(&shuffled).unwrap();
                assert_eq!(mold.to_json(), other.to_json(), "{site}");
                let expected: Vec<&String> = order.iter().map(|&at| &on_pages[at]).collect();
                assert_eq!(
                    found(&other, &shuffled).iter().collect::<Vec<_>>(),
                    expected,
                    "{site}"
                );
            }
        }
    }
}

#[test]
fn groups_are_the_same_in_any_order() {
    let pages: Vec<Vec<u8>> = SITES.iter().flat_map(|site| pages(site)).collect();
    let straight: Vec<usize> = (0..pages.len()).collect();
    let first = group(&texts(&pages, &straight));
    for order in orders(pages.len()) {
        let other = group(&texts(&pages, &order));
        let names = |grouping: &unmold::group::Grouping| -> Vec<(String, Vec<String>, usize)> {
            grouping
                .groups()
                .iter()
                .map(|g| (g.name.clone(), g.evidence.clone(), g.pages.len()))
                .collect()
        };
        assert_eq!(names(&first), names(&other));
        for (place, &at) in order.iter().enumerate() {
            assert_eq!(first.places()[at], other.places()[place]);
        }
    }
}
