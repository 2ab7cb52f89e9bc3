//! What all encodings keep, on any input.

use proptest::prelude::*;
use regex::Regex;
use unmold::{
    Text,
    encode::{Symbols, Tags, Words, bytes, chars, mutable::Mutables, tags::Level},
};

/// Spans lie in their page, in order, without overlap, and every letter of the page is in one or in a gap of blanks.
fn spans_are_in_order(symbols: &Symbols, texts: &[Text]) {
    assert_eq!(symbols.pages().count(), texts.len());
    for (page, text) in texts.iter().enumerate() {
        let mut end = 0;
        for position in symbols.page(page) {
            let span = symbols.span(position);
            assert!(span.start >= end && !span.is_empty());
            end = span.end;
        }
        assert!(end as usize <= text.as_str().len());
    }
}

/// Symbols and the gaps between them give back the page; gaps are blank.
fn symbols_give_back_the_page(symbols: &Symbols, texts: &[Text]) {
    for (page, text) in texts.iter().enumerate() {
        let mut at = 0;
        for position in symbols.page(page) {
            let span = symbols.span(position).range();
            let gap = &text.as_str()[at..span.start];
            assert!(gap.chars().all(|c| c.is_whitespace() || c.is_control() || c == '\u{FEFF}'), "{gap:?}");
            at = span.end;
        }
        let rest = &text.as_str()[at..];
        assert!(rest.chars().all(|c| c.is_whitespace() || c.is_control() || c == '\u{FEFF}'), "{rest:?}");
    }
}

fn pages() -> impl Strategy<Value = Vec<Text>> {
    let pieces = prop::sample::select(vec![
        "<p>",
        "</p>",
        "<a href=\"/x/1?y=2\" class='b c'>",
        "<img src=x",
        ">",
        "27 May 2007",
        "x@y.example",
        "$5",
        "東京",
        "2月3日",
        "ไทย",
        "سلام ٣",
        "e\u{301}",
        "👩‍🚀",
        "  \n",
        "word",
        "<!-- c -->",
        "<script>a=1;</script>",
        "&nbsp;",
        "\u{0}",
    ]);
    let page = prop_oneof![prop::collection::vec(pieces, 0..25).prop_map(|pieces| pieces.concat()), any::<String>()];
    let text = page.prop_map(|page| Text::from_string("page", page));
    prop::collection::vec(text, 0..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn words_give_back_the_page(texts in pages()) {
        for words in [Words::default(), Words::default().with_mutables(Mutables::common())] {
            let symbols = words.encode(&texts);
            spans_are_in_order(&symbols, &texts);
            symbols_give_back_the_page(&symbols, &texts);
            // Names of plain words are what stands in the page.
            for (page, text) in texts.iter().enumerate() {
                for position in symbols.page(page).filter(|&position| symbols.mutable(symbols.code(position)).is_none()) {
                    prop_assert_eq!(symbols.name(position), symbols.span(position).of(text.as_str()));
                }
            }
        }
    }

    #[test]
    fn matches_of_a_pattern_are_in_order(texts in pages()) {
        let words = Words::default().split_by(Regex::new(r"\S+").unwrap()).with_mutables(Mutables::common());
        spans_are_in_order(&words.encode(&texts), &texts);
    }

    #[test]
    fn characters_tile_the_page(texts in pages()) {
        for symbols in [chars::encode(&texts), chars::encode_folding_space(&texts)] {
            spans_are_in_order(&symbols, &texts);
            for (page, text) in texts.iter().enumerate() {
                let covered: usize = symbols.page(page).map(|position| symbols.span(position).len()).sum();
                prop_assert_eq!(covered, text.as_str().len());
            }
        }
    }

    #[test]
    fn bytes_are_the_page(texts in pages()) {
        let symbols = bytes::encode(&texts);
        for (page, text) in texts.iter().enumerate() {
            let read: Vec<u8> = symbols.page(page).map(|position| symbols.code(position) as u8).collect();
            prop_assert_eq!(read, text.as_str().as_bytes());
        }
    }

    #[test]
    fn tags_are_in_order(texts in pages()) {
        for level in [Level::All, Level::NoPhysical, Level::NoSpecial, Level::Block] {
            spans_are_in_order(&Tags::default().level(level).with_classes(true).encode(&texts), &texts);
        }
    }
}

#[test]
fn codes_do_not_depend_on_the_number_of_threads() {
    // Pages of different words, enough for many blocks.
    let page = |number: usize| (0..40_000).map(|word| format!("w{} ", word % (number + 7))).collect::<String>();
    let texts: Vec<Text> = (0..100).map(|number| Text::from_string("page", page(number))).collect();
    let encoded = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let symbols = pool.install(|| Words::default().encode(&texts));
        (0..symbols.len()).map(|position| (symbols.code(position), symbols.span(position))).collect::<Vec<_>>()
    };
    assert!(encoded(1) == encoded(7));
}

#[test]
fn a_very_long_symbol_keeps_its_length() {
    let text = Text::from_string("page", format!("a {} b", "x".repeat(200_000)));
    let symbols = Words::default().encode(std::slice::from_ref(&text));
    assert_eq!(symbols.span(1).len(), 200_000);
    assert_eq!(symbols.span(2).of(text.as_str()), "b");
}
