//! The tokeniser: what it must keep on any input, and how it compares with a second implementation
//! of the standard.

use html5gum::{Token as Gum, Tokenizer};
use proptest::prelude::*;
use unmold::read::html::{Kind, attributes, tokens};
use unmold_invariants::tokens_tile;

/// A tag as both tokenisers see it: name and attribute names, first of each.
type Tag = (bool, String, Vec<String>);

fn our_tags(page: &str) -> Vec<Tag> {
    let tags = tokens(page).filter(|token| matches!(token.kind, Kind::Start | Kind::End));
    // A tag that the end of the page cuts off is dropped by the standard; it would go on in a
    // longer page.
    let longer = format!("{page}z");
    let whole = tags.filter(|tag| tokens(&longer).any(|same| same.span == tag.span));
    whole
        .map(|token| {
            let mut names: Vec<String> = attributes(page, token)
                .map(|attribute| attribute.name.of(page).to_ascii_lowercase())
                .collect();
            names.sort();
            names.dedup();
            (
                token.kind == Kind::Start,
                token.name.of(page).to_ascii_lowercase(),
                names,
            )
        })
        .collect()
}

fn gum_tags(page: &str) -> Vec<Tag> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut emitter = html5gum::emitters::default::DefaultEmitter::default();
    // Follow `<script>` and its like into their own content, as a browser's tree builder would.
    emitter.naively_switch_states(true);
    Tokenizer::new_with_emitter(page, emitter)
        .filter_map(
            |token| match token.expect("reading from memory does not fail") {
                Gum::StartTag(tag) => Some((
                    true,
                    text(&tag.name),
                    tag.attributes.keys().map(|name| text(name)).collect(),
                )),
                Gum::EndTag(tag) => Some((false, text(&tag.name), Vec::new())),
                _ => None,
            },
        )
        .collect()
}

/// Pieces that pages break at.
fn hostile_page() -> impl Strategy<Value = String> {
    let pieces = [
        "<",
        ">",
        "/",
        "=",
        "\"",
        "'",
        " ",
        "a",
        "b c",
        "<a",
        "</a",
        "<a href=",
        "<p>",
        "</p>",
        "<!--",
        "-->",
        "--!>",
        "<!",
        "<?",
        "?>",
        "<!doctype html>",
        "<script>",
        "</script>",
        "</scr",
        "<style ",
        "</style>",
        "<textarea>",
        "</textarea>",
        "<title>",
        "</title >",
        "&lt;",
        "é",
        "日本",
        "\u{0}",
        "\n",
        "]]>",
        "<![CDATA[",
        "--",
        "-",
        "!",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..40)
        .prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn any_text_is_tiled(page in any::<String>()) {
        tokens_tile(&page);
    }

    #[test]
    fn hostile_markup_is_tiled(page in hostile_page(), xml in any::<bool>()) {
        tokens_tile(&if xml { format!("<?xml version='1.0'?>{page}") } else { page });
    }

    #[test]
    fn tags_are_those_of_html5gum(page in hostile_page()) {
        // Left out: empty `<style/>`, which the module documents, and NUL, which the standard
        // replaces in names.
        let mut page = page.replace('\0', "");
        while page.contains("/>") {
            page = page.replace("/>", ">");
        }
        prop_assert_eq!(our_tags(&page), gum_tags(&page));
    }
}

#[test]
fn a_quote_opens_a_value_only_behind_an_equals_sign() {
    let page = r#"<a title"=x y" b>text</a>"#;
    assert_eq!(
        tokens(page)
            .map(|token| token.span.of(page))
            .collect::<Vec<_>>(),
        [r#"<a title"=x y" b>"#, "text", "</a>"]
    );
}

#[test]
fn scripts_end_only_at_their_own_end_tag() {
    let page = "<script>if (a</b>c) '</scripts>'</SCRIPT ><p>";
    let found: Vec<_> = tokens(page)
        .map(|token| (token.kind, token.span.of(page)))
        .collect();
    assert_eq!(
        found,
        [
            (Kind::Start, "<script>"),
            (Kind::Raw, "if (a</b>c) '</scripts>'"),
            (Kind::End, "</SCRIPT >"),
            (Kind::Start, "<p>"),
        ]
    );
}

#[test]
fn xml_has_tags_in_any_script_and_cdata() {
    let page =
        "<?xml version=\"1.0\"?><教官><苗字>山田</苗字><title><![CDATA[a<b]]></title></教官>";
    let kinds: Vec<_> = tokens(page).map(|token| token.kind).collect();
    use Kind::{Cdata, End, Instruction, Start, Text};
    assert_eq!(
        kinds,
        [Instruction, Start, Start, Text, End, Start, Cdata, End, End]
    );
}

#[test]
fn a_base_line_before_html_is_no_obstacle() {
    let page = "<base href=\"http://a.example/\">\n<!DOCTYPE html><html><body>x";
    assert_eq!(
        tokens(page)
            .filter(|token| token.kind == Kind::Start)
            .count(),
        3
    );
}

/// How often the tokeniser has to step for a page, as a measure that no clock disturbs.
fn tokens_and_attributes(page: &str) -> usize {
    tokens(page)
        .map(|token| 1 + attributes(page, token).count())
        .sum()
}

#[test]
fn hostile_pages_of_many_megabytes_come_to_an_end() {
    // Quadratic reading of any of these would take hours.
    for (unit, times) in [
        ("<div>", 1_000_000),
        ("<ul><li>", 64_000),
        ("<", 8_000_000),
        ("</", 4_000_000),
        ("<!--", 2_000_000),
        ("<a ", 2_000_000),
        ("<a \"", 2_000_000),
        ("<script>", 1_000_000),
        ("<textarea>", 1_000_000),
        ("<![CDATA[", 1_000_000),
        ("<a b='", 1_000_000),
    ] {
        let page = unit.repeat(times);
        assert!(tokens_and_attributes(&page) > 0, "{unit}");
        tokens_tile(&page);
    }
    let attributes_of_one_tag = format!("<a{}>", " x=1".repeat(64_000));
    assert_eq!(tokens_and_attributes(&attributes_of_one_tag), 64_001);
    let long_value = format!("<a x='{}'>", "y".repeat(10_000_000));
    assert_eq!(tokens_and_attributes(&long_value), 2);
    let long_name = format!("<{}>", "n".repeat(1_000_000));
    assert_eq!(tokens_and_attributes(&long_name), 1);
}

#[test]
fn xml_served_as_html_is_not_swallowed_by_an_empty_frame() {
    let page = "<iframe src=x /><p>1<iframe/>2<iframe>raw</iframe>";
    let found: Vec<_> = tokens(page).map(|token| token.span.of(page)).collect();
    assert_eq!(
        found,
        [
            "<iframe src=x />",
            "<p>",
            "1",
            "<iframe/>",
            "2",
            "<iframe>",
            "raw",
            "</iframe>"
        ]
    );
    let page = "<script src=x />raw</script>";
    assert_eq!(tokens(page).nth(1).map(|token| token.kind), Some(Kind::Raw));
}
