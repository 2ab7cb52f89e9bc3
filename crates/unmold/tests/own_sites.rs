//! The project's own sites: charsets, and what the index finds in them.

use std::{fs, path::PathBuf};
use unmold::{
    Page, Text,
    symbols::{encode::Words, index::Index},
};

const SITES: [&str; 6] = [
    "news-ja",
    "news-de",
    "shop-en",
    "search-zh",
    "forum-ru",
    "library-ar",
];

fn folder(site: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata/sites")
        .join(site)
}

/// The pages of a site, in order, with their numbers as ids.
fn pages(site: &str) -> Vec<Page> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder(site).join("pages"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
        .iter()
        .map(|file| {
            Page::new(
                file.file_stem().unwrap().to_str().unwrap(),
                fs::read(file).unwrap(),
            )
        })
        .collect()
}

fn truth(site: &str, page: &str) -> serde_json::Value {
    let file = folder(site).join("spans").join(format!("{page}.json"));
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

#[test]
fn every_page_is_read_in_its_charset() {
    for site in SITES {
        for text in pages(site).into_iter().map(Text::decode) {
            let truth = truth(site, text.id());
            let name = format!("{site}/{} by {}", text.id(), text.evidence());
            assert!(!text.is_malformed(), "{name}");
            // The length of the truth's spans is that of the text in the right charset.
            let end = ["template", "content"]
                .iter()
                .flat_map(|kind| truth[kind].as_array().unwrap())
                .map(|span| span[1].as_u64());
            assert_eq!(
                end.max().unwrap(),
                Some(text.as_str().len() as u64),
                "{name}"
            );
            assert_eq!(
                text.charset().to_ascii_lowercase(),
                truth["encoding"].as_str().unwrap(),
                "{name}"
            );
        }
    }
}

#[test]
fn every_site_has_strings_on_all_its_article_pages() {
    for site in SITES {
        let texts: Vec<Text> = pages(site).into_iter().map(Text::decode).collect();
        let index = Index::new(Words::default().encode(&texts)).unwrap();
        let longest = index
            .nodes()
            .filter(|node| node.df == texts.len())
            .map(|node| node.depth)
            .max();
        assert!(longest >= Some(10), "{site}: {longest:?}");
    }
}
