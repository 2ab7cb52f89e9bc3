//! Is the truth true? Checked on the files, as a reader of them would, not on what the generator
//! remembers.

use crate::dice::Dice;
use crate::files::{self, Files};
use crate::item::Item;
use crate::page::Page;
use crate::{plain, site};
use encoding_rs::Encoding;
use serde_json::Value;
use std::collections::BTreeMap;

type IsOfScript = fn(char) -> bool;

/// A page of the files with its truth.
struct Seen {
    name: String,
    site: String,
    text: String,
    bytes: Vec<u8>,
    spans: Value,
}

fn json(files: &Files, name: &str) -> Value {
    serde_json::from_slice(&files[name]).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn all_seen(files: &Files) -> Vec<Seen> {
    let pages = files.iter().filter(|(name, _)| name.contains("/pages/"));
    pages
        .map(|(name, bytes)| seen(files, name, bytes))
        .collect()
}

fn seen(files: &Files, name: &str, bytes: &[u8]) -> Seen {
    let spans = json(
        files,
        &name.replace("/pages/", "/spans/").replace(".html", ".json"),
    );
    let encoding = Encoding::for_label(spans["encoding"].as_str().unwrap().as_bytes()).unwrap();
    let (text, _, broken) = encoding.decode(bytes);
    assert!(!broken, "{name} is not {}", encoding.name());
    let site = name.split('/').next().unwrap().to_owned();
    let name = name.replace("/pages/", "/").replace(".html", "");
    Seen {
        name,
        site,
        text: text.into_owned(),
        bytes: bytes.to_owned(),
        spans,
    }
}

fn pairs(spans: &Value) -> Vec<(usize, usize)> {
    let number = |value: &Value| value.as_u64().unwrap() as usize;
    spans
        .as_array()
        .unwrap()
        .iter()
        .map(|span| (number(&span[0]), number(&span[1])))
        .collect()
}

fn strings(values: &Value) -> Vec<&str> {
    values
        .as_array()
        .unwrap()
        .iter()
        .map(|value| value.as_str().unwrap())
        .collect()
}

fn each_field(page: &Seen, mut check: impl FnMut(&str, &[(usize, usize)])) {
    for (field, spans) in page.spans["fields"].as_object().unwrap() {
        check(field, &pairs(spans));
    }
}

fn truth_values<'a>(truth: &'a BTreeMap<String, Value>, page: &Seen, field: &str) -> Vec<&'a str> {
    let number = page.name.split('/').next_back().unwrap();
    strings(&truth[&page.site]["pages"][number][field])
}

fn truths(files: &Files) -> BTreeMap<String, Value> {
    let names = files
        .keys()
        .filter_map(|name| name.strip_suffix("/truth.json"));
    names
        .map(|site| (site.to_owned(), json(files, &format!("{site}/truth.json"))))
        .collect()
}

#[test]
fn a_layout_knows_its_template() {
    let item = Item::of([("title", "A & B")]).list(
        "posts",
        [Item::of([("who", "Ann")]), Item::of([("who", "Bo")])],
    );
    let layout = "<h1>[[line]][[title field]]![[/line]]</h1>[[each posts]][[record]]<li>by [[who field]][[/record]][[/each]]";
    let page = Page::print(layout, &item, &mut Dice::named(""));
    assert_eq!(page.text, "<h1>A &amp; B!</h1><li>by Ann<li>by Bo");
    assert_eq!(page.content(), [(4, 13), (26, 29), (36, 38)]);
    assert_eq!(page.template(), [(0, 4), (13, 26), (29, 36)]);
    assert_eq!(page.lines, ["A & B"]);
    assert_eq!(
        page.records
            .iter()
            .map(|record| record.text.as_str())
            .collect::<Vec<_>>(),
        ["by Ann", "by Bo"]
    );
    assert_eq!(page.fields["who"], ["Ann", "Bo"]);
}

#[test]
fn markup_becomes_text() {
    assert_eq!(
        plain::text_of("a<b>b</b> <!-- <i> -->&uuml;&amp;lt;<br>c", ""),
        "ab ü&lt; c"
    );
    assert_eq!(plain::entities("für 5 €"), "f&uuml;r 5 &euro;");
}

#[test]
fn template_and_content_tile_every_page() {
    for page in all_seen(&site::all_files()) {
        let mut all = pairs(&page.spans["template"]);
        all.extend(pairs(&page.spans["content"]));
        all.sort_unstable();
        let end = all.iter().fold(0, |end, span| {
            assert!(span.0 == end && span.1 > end, "{} at {end}", page.name);
            span.1
        });
        assert_eq!(end, page.text.len(), "{}", page.name);
        assert!(
            all.iter().all(|span| page.text.is_char_boundary(span.0)),
            "{}",
            page.name
        );
    }
}

#[test]
fn every_true_value_stands_at_its_span() {
    let files = site::all_files();
    let truth = truths(&files);
    let mut checked = 0;
    for page in all_seen(&files) {
        let content = pairs(&page.spans["content"]);
        each_field(&page, |field, spans| {
            let found: Vec<String> = spans
                .iter()
                .map(|s| plain::text_of(&page.text[s.0..s.1], ""))
                .collect();
            assert_eq!(
                found,
                truth_values(&truth, &page, field),
                "{} {field}",
                page.name
            );
            assert!(
                spans
                    .iter()
                    .all(|s| content.iter().any(|c| c.0 <= s.0 && s.1 <= c.1)),
                "{} {field}",
                page.name
            );
            assert!(
                spans.is_sorted() && found.iter().all(|value| !value.is_empty()),
                "{} {field}",
                page.name
            );
            checked += found.len();
        });
    }
    let values = |page: &Value| {
        page.as_object()
            .unwrap()
            .values()
            .map(|v| v.as_array().unwrap().len())
            .sum::<usize>()
    };
    let all: usize = truth
        .values()
        .flat_map(|site| site["pages"].as_object().unwrap().values().map(values))
        .sum();
    assert_eq!(checked, all, "every value of the truth has a span");
}

#[test]
fn labels_stand_before_their_values() {
    let files = site::all_files();
    let truth = truths(&files);
    for page in all_seen(&files) {
        each_field(&page, |field, spans| {
            if let Some(label) = truth[&page.site]["labels"][field].as_str() {
                let before = plain::text_of(&page.text[..spans[0].0], " ");
                assert!(before.ends_with(label), "{} {field}: {label}", page.name);
            }
        });
    }
}

#[test]
fn some_fields_are_optional_and_some_are_lists() {
    let truth = truths(&site::all_files());
    let pages = |site: &str, field: &str| {
        let all = truth[site]["pages"].as_object().unwrap();
        all.values()
            .filter_map(|page| page.get(field))
            .map(|values| strings(values).len())
            .collect::<Vec<_>>()
    };
    for (site, field) in [
        ("shop-en", "material"),
        ("shop-en", "warranty"),
        ("library-ar", "translator"),
        ("library-ar", "isbn"),
    ] {
        let have = pages(site, field).len();
        assert!(
            have >= 3 && have < pages(site, if site == "shop-en" { "name" } else { "title" }).len(),
            "{site} {field}"
        );
    }
    assert!(pages("shop-en", "colour").iter().any(|&count| count > 2));
}

#[test]
fn records_stand_in_order() {
    let files = site::all_files();
    let mut counted = BTreeMap::new();
    for page in all_seen(&files) {
        let spans = pairs(&page.spans["records"]);
        let Some(file) = files.get(&format!("{}.json", page.name.replace('/', "/records/"))) else {
            assert!(spans.is_empty(), "{}", page.name);
            continue;
        };
        let truth: Value = serde_json::from_slice(file).unwrap();
        assert!(
            spans.windows(2).all(|two| two[0].1 <= two[1].0),
            "{}",
            page.name
        );
        let found: Vec<String> = spans
            .iter()
            .map(|s| plain::text_of(&page.text[s.0..s.1], " "))
            .collect();
        assert_eq!(found, strings(&truth["records"]), "{}", page.name);
        assert!(
            (5..=13).contains(&found.len()),
            "{}: {}",
            page.name,
            found.len()
        );
        for (text, fields) in found.iter().zip(truth["fields"].as_array().unwrap()) {
            assert!(
                fields
                    .as_object()
                    .unwrap()
                    .values()
                    .flat_map(strings)
                    .all(|value| text.contains(value)),
                "{text}"
            );
        }
        *counted.entry(page.site).or_insert(0) += 1;
    }
    assert_eq!(
        counted,
        [
            ("forum-ru".into(), 14),
            ("search-zh".into(), 18),
            ("shop-en".into(), 2)
        ]
        .into()
    );
}

#[test]
fn main_text_is_content_and_never_said_twice() {
    let files = site::all_files();
    let mut first: BTreeMap<String, String> = BTreeMap::new();
    for page in all_seen(&files) {
        let main: Vec<_> = pairs(&page.spans["main"])
            .iter()
            .map(|s| plain::text_of(&page.text[s.0..s.1], ""))
            .collect();
        let Some(file) = files.get(&format!("{}.txt", page.name.replace('/', "/truth/"))) else {
            continue;
        };
        let file = std::str::from_utf8(file).unwrap();
        let letters = |text: &str| {
            text.chars()
                .filter(|c| !c.is_whitespace())
                .collect::<String>()
        };
        assert_eq!(letters(&main.concat()), letters(file), "{}", page.name);
        // What is offered may be offered twice.
        if page.spans["main"] == page.spans["records"] {
            continue;
        }
        for sentence in file
            .split_inclusive(['.', '。', '!', '?', '؟', '\n'])
            .filter(|s| s.chars().count() > 24)
        {
            let other = first
                .entry(sentence.trim().to_owned())
                .or_insert_with(|| page.name.clone());
            assert_eq!(*other, page.name, "both say: {sentence}");
        }
    }
}

#[test]
fn the_closing_sentence_is_template() {
    let files = site::all_files();
    for page in all_seen(&files)
        .iter()
        .filter(|page| page.site == "news-de")
    {
        let at = page.text.find("nimmt die Lokalredaktion").unwrap();
        assert!(
            pairs(&page.spans["template"])
                .iter()
                .any(|s| s.0 < at && at < s.1),
            "{}",
            page.name
        );
        assert!(
            page.text[at..].contains("gern entgegen.</p>"),
            "{}",
            page.name
        );
    }
}

#[test]
fn every_site_is_in_its_script() {
    let scripts: [(&str, IsOfScript); 6] = [
        ("news-ja", |c| ('\u{3041}'..='\u{30ff}').contains(&c)),
        ("news-de", |c| "äöüß".contains(c)),
        ("shop-en", |c| c.is_ascii_alphabetic()),
        ("search-zh", |c| ('\u{4e00}'..='\u{9fff}').contains(&c)),
        ("forum-ru", |c| ('а'..='я').contains(&c)),
        ("library-ar", |c| ('\u{0621}'..='\u{064a}').contains(&c)),
    ];
    let files = site::all_files();
    let pages = all_seen(&files);
    for (site, is) in scripts {
        let of_site: Vec<_> = pages.iter().filter(|page| page.site == site).collect();
        assert!(
            (12..=24).contains(&of_site.len()),
            "{site}: {} pages",
            of_site.len()
        );
        for page in of_site {
            let letters = page.text.chars().filter(|&c| is(c)).count();
            assert!(letters > 24, "{}: {letters} letters", page.name);
        }
    }
    assert!(
        pages.iter().any(|page| page.text.contains('٢')),
        "Arabic-Indic digits"
    );
}

#[test]
fn sizes_are_those_of_real_pages() {
    let files = site::all_files();
    for page in all_seen(&files) {
        assert!(
            (3_500..=20_000).contains(&page.bytes.len()),
            "{}: {} bytes",
            page.name,
            page.bytes.len()
        );
    }
    assert!(files.values().map(Vec::len).sum::<usize>() < 3_000_000);
}

#[test]
fn charsets_are_mixed_and_two_pages_lie() {
    let files = site::all_files();
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    for page in all_seen(&files) {
        let encoding = page.spans["encoding"].as_str().unwrap().to_owned();
        let says = |charset: &str| {
            page.text
                .to_lowercase()
                .contains(&format!("charset={charset}"))
        };
        if encoding == "utf-8" && says("shift_jis") {
            *count.entry("lies".into()).or_default() += 1;
        }
        if !page.text.to_lowercase().contains("charset=") {
            *count.entry("silent".into()).or_default() += 1;
        }
        if page.bytes.starts_with(b"\xef\xbb\xbf") {
            *count.entry("marked".into()).or_default() += 1;
        }
        assert_eq!(
            std::str::from_utf8(&page.bytes).is_ok(),
            encoding == "utf-8",
            "{}",
            page.name
        );
        *count.entry(encoding).or_default() += 1;
    }
    let wanted = [
        ("lies", 2),
        ("silent", 2),
        ("marked", 1),
        ("shift_jis", 12),
        ("euc-jp", 2),
        ("windows-1252", 2),
        ("gbk", 1),
        ("gb18030", 1),
        ("windows-1251", 3),
        ("koi8-r", 2),
        ("windows-1256", 2),
    ];
    for (what, number) in wanted {
        assert_eq!(count.get(what), Some(&number), "{what}");
    }
}

#[test]
fn every_page_has_a_group_but_one() {
    let files = site::all_files();
    let groups = json(&files, "groups.json");
    let groups = groups.as_object().unwrap();
    assert!(
        all_seen(&files)
            .iter()
            .all(|page| groups.contains_key(&page.name))
    );
    let alone: Vec<_> = groups
        .iter()
        .filter(|(_, group)| group.is_null())
        .map(|(page, _)| page.as_str())
        .collect();
    assert_eq!(alone, ["shop-en/0021"]);
}

#[test]
fn the_committed_files_are_the_generated_ones() {
    files::check(&files::folder(), &site::all_files()).unwrap();
}
