//! JSONL: bad lines cost themselves.

use std::io::Read;

use unmold_io::{FaultKind, LoadSettings, load_reader};

use crate::build::{gzip, load_bytes, load_bytes_with, zstd};

fn kinds(everything: &unmold_io::Everything) -> Vec<FaultKind> {
    everything
        .faults
        .iter()
        .map(unmold_io::Fault::kind)
        .collect()
}

#[test]
fn lines_become_pages_with_line_number_url_and_charset() {
    let lines = "\u{feff}{\"url\": \"http://a/\", \"html\": \"<p>\\u00e9\"}\r\n\r\n{\"html\": \"<b>\", \"x\": [1, {}]}";
    for (name, bytes) in [
        ("a.jsonl", lines.into()),
        ("a.ndjson.gz", gzip(lines.as_bytes())),
        ("-", zstd(lines.as_bytes())),
    ] {
        let all = load_bytes(name, &bytes);
        assert_eq!(all.pages[0].bytes(), "<p>é".as_bytes());
        assert_eq!(all.pages[0].url(), Some("http://a/"));
        assert_eq!(all.pages[0].charset(), Some("utf-8"));
        assert_eq!(all.pages[1].id(), format!("{name}#3"));
        assert_eq!(all.pages[1].url(), None);
    }
}

/// docs/inputs.md: JSONL is UTF-8, or UTF-16.
#[test]
fn lines_of_utf16_are_read_with_or_without_a_mark() {
    // U+0A0A and U+010A have a byte that looks like the end of a line.
    let lines = "{\"html\": \"<p>é 日本 \u{a0a} \u{10a} 😀\"}\r\nbad\n{\"html\": \"<p>2\"}";
    for mark in ["", "\u{feff}"] {
        let units: Vec<u16> = format!("{mark}{lines}").encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        for (name, bytes) in [
            ("a.jsonl", little.clone()),
            ("a.jsonl", big),
            ("a.ndjson.gz", gzip(&little)),
        ] {
            let all = load_bytes(name, &bytes);
            assert_eq!(
                all.pages[0].bytes(),
                "<p>é 日本 \u{a0a} \u{10a} 😀".as_bytes()
            );
            assert_eq!(all.pages[1].id(), format!("{name}#3"));
            assert_eq!(kinds(&all), [FaultKind::BadLine]);
        }
    }
    // Half of a character at the end is lost, and is no page.
    let cut = load_bytes("a.jsonl", &[0xff, 0xfe, b'{']);
    assert!(cut.pages.is_empty());
}

#[test]
fn bad_lines_are_faults_and_the_rest_is_read() {
    let deep = format!("{{\"html\": {}}}", "[".repeat(100_000));
    let lines = [
        "{\"html\": \"<p>1\"}",
        "not json",
        "[1, 2]",
        "{\"html\": \"lone \\ud800 surrogate\"}",
        "{\"html\": \"nul \0 byte\"}",
        "{\"html\": \"cut",
        "{\"html\": 5}",
        "{\"body\": \"<p>\", \"link\": 1}",
        &deep,
        "{\"html\": \"<p>\"} trailing",
        "{\"html\": \"<p>2\"}",
    ]
    .join("\n");
    let all = load_bytes("a.jsonl", lines.as_bytes());
    assert_eq!(all.pages.len(), 2);
    use FaultKind::{BadLine, MissingField, WrongType};
    let expected = [
        BadLine,
        BadLine,
        BadLine,
        BadLine,
        BadLine,
        WrongType,
        MissingField,
        BadLine,
        BadLine,
    ];
    assert_eq!(kinds(&all), expected);
    let missing = all.faults[6].to_string();
    assert!(
        missing.contains("body, link") && missing.contains("--html-field"),
        "{missing}"
    );
}

#[test]
fn a_deep_value_that_nobody_asked_for_does_no_harm() {
    let line = format!(
        "{{\"x\": {}{}, \"html\": \"<p>\"}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert_eq!(load_bytes("a.jsonl", line.as_bytes()).pages.len(), 1);
}

#[test]
fn an_endless_line_is_passed_over_without_being_held() {
    let settings = LoadSettings::default().line_bytes(1 << 20);
    let endless = std::io::repeat(b'x').take(1 << 30);
    let reader = endless.chain(&b"\n{\"html\": \"<p>\"}\n"[..]);
    let all = load_reader("a.jsonl", reader, &settings).read_all();
    assert_eq!(kinds(&all), [FaultKind::LongLine]);
    assert_eq!(all.pages[0].id(), "a.jsonl#2");
}

#[test]
fn other_field_names_are_taken_from_the_settings() {
    let settings = LoadSettings::default().html_field("body").url_field("link");
    let all = load_bytes_with(
        "-",
        b"{\"link\": \"http://a/\", \"body\": \"<p>\"}\n",
        &settings,
    );
    assert_eq!(all.pages[0].url(), Some("http://a/"));
}

#[test]
fn null_and_blank_pages_are_empty() {
    let all = load_bytes("a.jsonl", b"{\"html\": null}\n{\"html\": \" \"}\n");
    assert_eq!((all.tally.skipped(), all.tally.faults()), (2, 0));
}

#[test]
fn a_corrupt_member_costs_its_lines() {
    let lines = |text: &str| gzip(format!("{{\"html\": \"<p>{text}\"}}\n").as_bytes());
    let mut broken = lines("two");
    broken[12..20].fill(0xff);
    let all = load_bytes(
        "a.jsonl.gz",
        &[lines("one"), broken, lines("three")].concat(),
    );
    assert_eq!((all.pages.len(), all.faults.len()), (2, 1));
}

#[test]
fn a_page_beyond_the_limit_is_cut_and_named_with_its_line() {
    let settings = LoadSettings::default().page_bytes(100);
    let all = load_bytes_with(
        "a.jsonl",
        format!("{{\"html\": \"{}\"}}\n", "é".repeat(100)).as_bytes(),
        &settings,
    );
    assert_eq!(all.pages[0].bytes().len(), 100);
    let expected = "a.jsonl: line 1: page: the page has 200 bytes and was cut at the limit of 100";
    assert_eq!(all.cuts[0].to_string(), expected);
}
