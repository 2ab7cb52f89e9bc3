//! What must hold for any input, however broken.
//!
//! Each function panics when its promise is broken. The property tests of the crates call them on
//! inputs made for the purpose, the fuzz targets on whatever the fuzzer comes up with.

pub mod mutate;

use std::{
    io::{Cursor, Write},
    path::{Path, PathBuf},
};
use unmold::{
    Learner, Mold, Page, Span, Text,
    lists::{List, Pattern, RecordRule, Regions, list_rule},
    papers::iepad::Iepad,
    read::{
        declared::{Declared, DeclaredRow},
        html::{attributes, tokens},
        mutable::Mutables,
        tree::{MAX_DEPTH, Tree},
    },
    report::rows,
    symbols::encode::{Symbols, Tags, Words, chars},
};
use unmold_io::{LoadSettings, Loaded, load_reader};

/// Tokens tile the page, on character boundaries, and names and attributes lie inside them, in
/// order.
pub fn tokens_tile(page: &str) {
    let mut end = 0;
    for token in tokens(page) {
        assert_eq!(token.span.start as usize, end, "tokens follow each other");
        assert!(!token.span.is_empty(), "no token is empty");
        end = token.span.end as usize;
        let _on_boundaries = (token.span.of(page), token.name.of(page));
        let mut at = token.name.end;
        for attribute in attributes(page, token) {
            assert!(
                attribute.name.start >= at && attribute.name.end <= token.span.end,
                "attributes are in order"
            );
            at = attribute
                .value
                .map_or(attribute.name.end, |value| value.end);
            assert!(at <= token.span.end, "values end before their tag");
            let _on_boundaries = (
                attribute.name.of(page),
                attribute.value.map(|value| value.of(page)),
            );
        }
    }
    assert_eq!(end, page.len(), "the tokens together are the page");
}

/// Any bytes decode to some text, and offsets of the text lead back to offsets of the bytes, in
/// order.
pub fn decoding_leads_back(bytes: &[u8], charset: &str) {
    let text = Text::decode(Page::new("page", bytes.to_vec()).with_charset(charset));
    let back = text.raw_offsets();
    let offsets: Vec<usize> = text
        .as_str()
        .char_indices()
        .map(|(at, _)| back.offset(at))
        .collect();
    assert!(offsets.is_sorted(), "offsets lead back in order");
    assert!(
        offsets.iter().all(|&at| at <= bytes.len()),
        "offsets lead back into the bytes"
    );
    assert_eq!(
        back.offset(text.as_str().len()),
        bytes.len(),
        "the end leads back to the end"
    );
}

/// Symbols of every encoding stand in their page, in order, on character boundaries; those of words
/// and characters leave out nothing but blanks.
pub fn symbols_cover(page: &str) {
    let texts = [Text::from_string("page", page)];
    let page = texts[0].as_str();
    for words in [
        Words::default(),
        Words::default().with_mutables(Mutables::common()),
    ] {
        let symbols = words.encode(&texts);
        symbols_in_order(&symbols, page);
        nothing_but_blanks_left_out(&symbols, page);
    }
    symbols_in_order(&Tags::default().with_classes(true).encode(&texts), page);
    for symbols in [chars::encode(&texts), chars::encode_folding_space(&texts)] {
        symbols_in_order(&symbols, page);
        let covered: usize = spans(&symbols).map(Span::len).sum();
        assert_eq!(covered, page.len(), "characters tile the page");
    }
}

fn spans(symbols: &Symbols) -> impl Iterator<Item = Span> + '_ {
    symbols.page(0).map(|position| symbols.span(position))
}

fn symbols_in_order(symbols: &Symbols, page: &str) {
    let mut end = 0;
    for span in spans(symbols) {
        assert!(
            span.start >= end && !span.is_empty(),
            "symbols are in order"
        );
        let _on_boundaries = span.of(page);
        end = span.end;
    }
}

fn nothing_but_blanks_left_out(symbols: &Symbols, page: &str) {
    let is_blank = |gap: &str| {
        gap.chars()
            .all(|c| c.is_whitespace() || c.is_control() || c == '\u{FEFF}')
    };
    let mut at = 0;
    for span in spans(symbols) {
        assert!(
            is_blank(&page[at..span.start as usize]),
            "only blanks stand between symbols"
        );
        at = span.end as usize;
    }
    assert!(
        is_blank(&page[at..]),
        "only blanks stand behind the last symbol"
    );
}

/// Nodes of a tree stand inside their parents, in order, and none deeper than the limit.
pub fn tree_nests(page: &str) {
    let tree = Tree::new(page);
    for node in tree.nodes() {
        let span = tree.span(node);
        let _on_boundaries = (
            span.of(page),
            tree.token(node).span.of(page),
            tree.token(node).name.of(page),
        );
        assert!(
            tree.ancestors(node).count() <= MAX_DEPTH,
            "depth is clipped"
        );
        if let Some(parent) = tree.parent(node) {
            let outer = tree.span(parent);
            assert!(
                outer.start <= span.start && span.end <= outer.end,
                "a node stands inside its parent"
            );
        }
        let ends = tree.children(node).map(|child| tree.span(child));
        ends.fold(span.start, |at, child| {
            assert!(child.start >= at, "children are in order");
            child.end
        });
    }
}

/// Records of both methods are in order and disjoint, with their fields inside; the rule of IEPAD
/// finds them again, that of regions finds records.
pub fn records_hold(page: &str) {
    let text = Text::from_string("page", page);
    let iepad = Pattern::by_iepad(Iepad::default().min_count(2), &text).expect("memory suffices");
    let regions = Regions::default().find(&text);
    for pattern in iepad.iter().chain(&regions) {
        let list = List::from(pattern.clone());
        records_are_disjoint(&text, &list);
        let reader = Mold::of_list(list_rule(pattern, &[&text])).reader();
        let found = reader.read(&text).expect("no page makes the program panic");
        let again = found.lists().next().expect("the rule finds records").list;
        // Not always the same: where lists of one look lie inside each other, the rule of regions may
        // take another of them.
        records_are_disjoint(&text, again);
        if matches!(pattern.rule(), RecordRule::Iepad(_)) {
            assert_eq!(
                again.records, pattern.records,
                "the rule finds the records again"
            );
        }
    }
}

fn records_are_disjoint(text: &Text, pattern: &List<'_>) {
    let mut end = 0;
    for record in &pattern.records {
        assert!(
            record.span.start >= end && record.span.start <= record.span.end,
            "records are in order and disjoint"
        );
        end = record.span.end;
        let _on_boundaries = record.text(text.as_str());
        for field in &record.fields {
            assert!(field.column < pattern.columns.len(), "a field has a column");
            // A cell that spans several rows stands in the first of them.
            let is_spanned =
                pattern.columns[field.column].whole && field.span.end <= record.span.start;
            let is_inside = field.span.start >= record.span.start && field.span.end <= end;
            assert!(is_inside || is_spanned, "fields stand in their record");
            let _on_boundaries = field.value(text.as_str(), &pattern.columns);
        }
    }
    let measures = pattern.measures;
    assert!(
        [measures.regularity, measures.density, measures.coverage]
            .iter()
            .all(|measure| measure.is_finite())
    );
}

/// Whatever bytes an archive or a table holds, reading ends, and every item is a page, skipped or a
/// fault.
pub fn loading_adds_up(name: &str, bytes: &[u8]) -> Vec<Page> {
    let mut load = load_reader(name, Cursor::new(bytes.to_vec()), &LoadSettings::default());
    let (mut pages, mut others) = (Vec::new(), 0);
    for item in load.by_ref() {
        match item {
            Loaded::Page(page) | Loaded::Cut(page, _) => pages.push(page),
            Loaded::Skipped(_) | Loaded::Fault(_) => others += 1,
        }
    }
    let tally = load.tally();
    assert_eq!(tally.pages(), pages.len() as u64);
    assert_eq!(tally.skipped() + tally.faults(), others);
    assert_eq!(
        tally.seen(),
        pages.len() as u64 + others,
        "nothing is lost in silence"
    );
    pages
}

/// A mold that is read is written and read again as it was, and reads any page.
pub fn molds_read_back(json: &str) {
    let Ok(mold) = Mold::from_json(json) else {
        return;
    };
    let again = Mold::from_json(&mold.to_json()).expect("what is written can be read");
    assert_eq!(again, mold, "a mold is read as it was written");
    let page = Text::from_string("page", "<h1>a</h1><ul><li>b<li>c</ul><p class=d>e: f</p>");
    let found = mold.reader().read(&page).map(|found| rows::json(&found));
    assert!(found.is_ok(), "no mold makes reading fail");
}

/// What is learned from pages can be written and read; each page is read the same with a memory of those before it
/// and without one, and a second time.
pub fn reading_is_the_same_with_memory(pages: &[String]) {
    let numbered = pages.iter().enumerate();
    let texts: Vec<Text> = numbered
        .map(|(number, page)| Text::from_string(number.to_string(), page.as_str()))
        .collect();
    let Ok(mold) = Learner::default().learn(&texts) else {
        return;
    };
    let read = Mold::from_json(&mold.to_json()).expect("what is learned can be read");
    assert_eq!(read, mold, "a mold is read as it was written");
    let reader = mold.reader();
    for text in texts.iter().chain(&texts) {
        let with_memory = reader.read(text).expect("no page panics");
        let alone = reader.read_alone(text).expect("no page panics");
        assert_eq!(rows::json(&with_memory), rows::json(&alone));
        assert_eq!(with_memory.content().spans(), alone.content().spans());
        assert_eq!(with_memory.content().markdown(), alone.content().markdown());
    }
}

/// The content of a page alone is written in all forms; the written HTML is a page whose tokens tile it, and no
/// script is in it.
pub fn outputs_are_read_back(page: &str) {
    let text = Text::from_string("page", page);
    let nothing = Mold::nothing();
    let reader = nothing.reader();
    let found = reader.read(&text).expect("no page panics");
    let content = found.content();
    for span in content.spans() {
        let _on_boundaries = span.of(text.as_str());
    }
    let (_text, _markdown, html) = (content.text(), content.markdown(), content.html());
    tokens_tile(&html);
    for token in tokens(&html) {
        let name = token.name.of(&html);
        assert!(!name.eq_ignore_ascii_case("script"), "no script is written");
    }
}

/// Declared data is inside the page, names what is wrong with the rest, and is the same when read a
/// second time; and what it says of its subject is a row whose names are all different.
pub fn declared_data_hold(page: &str) {
    let tree = Tree::new(page);
    let declared = Declared::with_state(&tree);
    let spans = declared.things().iter().map(|thing| thing.span);
    for span in spans.chain(declared.flaws().iter().map(|flaw| flaw.span)) {
        let _on_boundaries = span.of(page);
    }
    let again = Declared::with_state(&Tree::new(page));
    assert_eq!(
        format!("{:?}", again.statements()),
        format!("{:?}", declared.statements())
    );
    let row = DeclaredRow::of(&tree);
    let mut names: Vec<&str> = row.fields.iter().map(|field| field.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), row.fields.len(), "no property comes twice");
}

/// A folder of labelled pages of real sites, which are kept outside of the project: below
/// `UNMOLD_DATA`, or beside the project. Where it is missing, this says so, whether or not the
/// output of tests is shown: what is not checked must not look as if it were.
pub fn labelled_pages(folder: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("UNMOLD_DATA")
        .map_or(beside, PathBuf::from)
        .join(folder);
    if data.is_dir() {
        return Some(data);
    }
    let note = format!("skipped: floors on labelled pages: there is no {folder} (UNMOLD_DATA)\n");
    // Not by a macro, whose output the test harness would keep to itself.
    _ = std::io::stderr().write_all(note.as_bytes());
    None
}
