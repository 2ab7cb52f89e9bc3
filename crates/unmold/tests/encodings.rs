//! What all encodings keep, on any input.

use proptest::prelude::*;
use regex::Regex;
use unmold::{
    Text,
    read::mutable::Mutables,
    symbols::encode::{Tags, Words, bytes, tags::Level},
};
use unmold_invariants::{decoding_leads_back, symbols_cover};

/// Pages of pieces that encodings treat in different ways, or of any characters.
fn page() -> impl Strategy<Value = String> {
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
    prop_oneof![
        prop::collection::vec(pieces, 0..25).prop_map(|pieces| pieces.concat()),
        any::<String>()
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn symbols_cover_any_page(page in page()) {
        symbols_cover(&page);
    }

    #[test]
    fn any_bytes_decode_and_lead_back(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        charset in prop::sample::select(vec!["", "utf-8", "shift_jis", "gb18030", "iso-2022-jp", "utf-16", "koi8-r"]),
    ) {
        decoding_leads_back(&bytes, charset);
    }

    #[test]
    fn plain_words_are_named_as_they_stand(page in page()) {
        let text = Text::from_string("page", page);
        let symbols = Words::default().with_mutables(Mutables::common()).encode(std::slice::from_ref(&text));
        for position in symbols.page(0).filter(|&position| symbols.mutable(symbols.code(position)).is_none()) {
            prop_assert_eq!(symbols.name(position), symbols.span(position).of(text.as_str()));
        }
    }

    #[test]
    fn matches_of_a_pattern_are_in_order(page in page()) {
        let words = Words::default().split_by(Regex::new(r"\S+").unwrap()).with_mutables(Mutables::common());
        let symbols = words.encode(&[Text::from_string("page", page)]);
        let spans: Vec<_> = symbols.page(0).map(|position| symbols.span(position)).collect();
        prop_assert!(spans.windows(2).all(|pair| pair[0].end <= pair[1].start));
    }

    #[test]
    fn bytes_are_the_page(page in page()) {
        let symbols = bytes::encode(&[Text::from_string("page", page.clone())]);
        let read: Vec<u8> = symbols.page(0).map(|position| symbols.code(position) as u8).collect();
        prop_assert_eq!(read, page.trim_start_matches('\u{FEFF}').as_bytes());
    }

    #[test]
    fn fewer_tags_are_symbols_at_higher_levels(page in page()) {
        let texts = [Text::from_string("page", page)];
        let tags = |level| {
            let symbols = Tags::default().level(level).encode(&texts);
            (0..symbols.len()).filter(|&position| symbols.name(position).starts_with('<')).count()
        };
        let (all, block) = (tags(Level::All), tags(Level::Block));
        prop_assert!(tags(Level::NoPhysical) <= all && tags(Level::NoSpecial) <= all);
        prop_assert!(block <= tags(Level::NoPhysical) && block <= tags(Level::NoSpecial));
    }
}

#[test]
fn codes_do_not_depend_on_the_number_of_threads() {
    // Pages of different words, enough for many blocks.
    let page = |number: usize| {
        (0..40_000)
            .map(|word| format!("w{} ", word % (number + 7)))
            .collect::<String>()
    };
    let texts: Vec<Text> = (0..100)
        .map(|number| Text::from_string("page", page(number)))
        .collect();
    let encoded = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let symbols = pool.install(|| Words::default().encode(&texts));
        (0..symbols.len())
            .map(|position| (symbols.code(position), symbols.span(position)))
            .collect::<Vec<_>>()
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
