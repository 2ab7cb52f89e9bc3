//! WARC and ARC: what records become, and what damage costs.

use unmold_io::{At, FaultKind, LoadSettings, Note, SkipKind, Stage};

use crate::build::{
    gzip, load_bytes, load_bytes_with, numbers, page, record, response, skips, zstd,
};

fn notes(everything: &unmold_io::Everything) -> Vec<Note> {
    everything.tally.notes().map(|(note, _)| note).collect()
}

#[test]
fn records_of_a_plain_warc_become_pages_with_offset_url_charset_and_media_type() {
    let first = page(1);
    let all = load_bytes("a.warc", &[first.clone(), page(2)].concat());
    assert_eq!(numbers(&all), [1, 2]);
    let second = &all.pages[1];
    assert_eq!(second.id(), format!("a.warc#{}", first.len()));
    assert_eq!(second.charset(), Some("utf-8"));
    assert_eq!(second.media_type(), Some("text/html"));
    assert!(!second.is_truncated());
}

#[test]
fn ids_of_compressed_records_are_offsets_at_which_they_can_be_read_alone() {
    for (name, pack) in [
        ("a.warc.gz", gzip as fn(&[u8]) -> Vec<u8>),
        ("a.warc.zst", zstd),
    ] {
        let (first, second) = (pack(&page(1)), pack(&page(2)));
        let all = load_bytes(name, &[first.clone(), second.clone()].concat());
        assert_eq!(all.pages[1].id(), format!("{name}#{}", first.len()));
        assert_eq!(numbers(&load_bytes(name, &second)), [2]);
    }
}

#[test]
fn whole_file_compression_is_read_in_sequence_and_noted() {
    let first = page(1);
    let all = load_bytes("a.warc.gz", &gzip(&[first.clone(), page(2)].concat()));
    assert_eq!(numbers(&all), [1, 2]);
    assert_eq!(all.pages[1].id(), format!("a.warc.gz#0+{}", first.len()));
    assert_eq!(notes(&all), [Note::NotSeekable]);
}

#[test]
fn a_record_may_span_members() {
    let (start, end) = (page(1)[..100].to_vec(), page(1)[100..].to_vec());
    let all = load_bytes(
        "a.warc.gz",
        &[gzip(&start), gzip(&end), gzip(&page(2))].concat(),
    );
    assert_eq!(numbers(&all), [1, 2]);
    assert!(all.faults.is_empty());
}

#[test]
fn line_ends_before_a_record_do_not_hide_that_it_starts_a_member() {
    let first = gzip(&page(1));
    let all = load_bytes(
        "a.warc.gz",
        &[
            first.clone(),
            gzip(&[b"\r\n\r\n".to_vec(), page(2)].concat()),
        ]
        .concat(),
    );
    assert_eq!(all.pages[1].id(), format!("a.warc.gz#{}", first.len()));
    assert!(notes(&all).is_empty());
}

#[test]
fn dictionary_of_a_warc_zst_is_used() {
    let dictionary: Vec<u8> = (0..20).flat_map(page).collect();
    let pack = |bytes: &[u8]| {
        zstd::bulk::Compressor::with_dictionary(3, &dictionary)
            .unwrap()
            .compress(bytes)
            .unwrap()
    };
    for content in [dictionary.clone(), zstd(&dictionary)] {
        let frame = [
            b"\x5d\x2a\x4d\x18",
            &(content.len() as u32).to_le_bytes()[..],
            &content,
        ]
        .concat();
        let all = load_bytes(
            "a.warc.zst",
            &[frame, pack(&page(1)), pack(&page(2))].concat(),
        );
        assert_eq!(numbers(&all), [1, 2]);
        assert!(all.faults.is_empty());
    }
}

#[test]
fn truncated_gzip_gives_all_whole_records_and_one_fault_with_its_offset() {
    let (first, second) = (gzip(&page(1)), gzip(&page(2)));
    let cut = [&first[..], &second[..second.len() - 9]].concat();
    let all = load_bytes("a.warc.gz", &cut);
    assert_eq!(numbers(&all), [1]);
    assert_eq!(all.faults.len(), 1);
    let fault = &all.faults[0];
    assert_eq!(
        (fault.kind(), fault.stage()),
        (FaultKind::Truncated, Stage::Unpack)
    );
    assert_eq!(fault.at(), At::Byte(first.len() as u64));
    assert_eq!(fault.lost(), Some(first.len() as u64..cut.len() as u64));
}

#[test]
fn a_gzip_cut_at_any_byte_is_one_fault() {
    let (first, second) = (gzip(&page(1)), gzip(&page(2)));
    let whole = [first.clone(), second].concat();
    for cut in first.len() + 1..whole.len() {
        let all = load_bytes("a.warc.gz", &whole[..cut]);
        assert_eq!(
            (numbers(&all), all.faults.len()),
            (vec![1], 1),
            "cut at {} of {}",
            cut - first.len(),
            whole.len() - first.len()
        );
    }
}

#[test]
fn truncated_plain_warc_is_one_fault() {
    let first = page(1);
    let all = load_bytes("a.warc", &[&first[..], &page(2)[..200]].concat());
    assert_eq!(numbers(&all), [1]);
    assert_eq!(all.faults[0].kind(), FaultKind::Truncated);
    assert_eq!(
        all.faults[0].lost(),
        Some(first.len() as u64..first.len() as u64 + 200)
    );
}

#[test]
fn a_corrupt_member_is_skipped_and_its_bytes_are_named() {
    for (name, pack) in [
        ("a.warc.gz", gzip as fn(&[u8]) -> Vec<u8>),
        ("a.warc.zst", zstd),
    ] {
        let mut members = [pack(&page(1)), pack(&page(2)), pack(&page(3))];
        let middle = members[1].len() / 2;
        members[1][middle..middle + 20].fill(0xff);
        let all = load_bytes(name, &members.concat());
        assert_eq!(numbers(&all), [1, 3], "{name}");
        assert_eq!(all.faults.len(), 1, "{name}: {:?}", all.faults);
        let (start, end) = (members[0].len(), members[0].len() + members[1].len());
        assert_eq!(all.faults[0].lost(), Some(start as u64..end as u64));
        assert_eq!(all.faults[0].kind(), FaultKind::Corrupt);
    }
}

#[test]
fn a_wrong_checksum_costs_the_record_although_it_unpacks() {
    let mut first = gzip(&page(1));
    let crc = first.len() - 8;
    first[crc] ^= 1;
    let all = load_bytes("a.warc.gz", &[first, gzip(&page(2))].concat());
    assert_eq!(numbers(&all), [2]);
    assert_eq!(all.faults.len(), 1);
}

#[test]
fn a_compressed_body_inside_a_damaged_record_is_not_taken_for_a_member() {
    // Stored, not deflated, so that the inner gzip stands in the file byte by byte.
    let inner = response(
        "1",
        "Content-Type: text/html\r\nContent-Encoding: gzip\r\n",
        &gzip(b"<p>inner"),
    );
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    std::io::Write::write_all(&mut encoder, &inner).unwrap();
    let mut first = encoder.finish().unwrap();
    let crc = first.len() - 8;
    first[crc] ^= 1;
    let all = load_bytes("a.warc.gz", &[first, gzip(&page(2))].concat());
    assert_eq!(numbers(&all), [2]);
    assert_eq!(all.tally.seen(), 2, "{all:?}");
}

#[test]
fn junk_between_members_is_a_fault_and_zero_padding_is_not() {
    let all = load_bytes(
        "a.warc.gz",
        &[
            gzip(&page(1)),
            b"junk!".to_vec(),
            gzip(&page(2)),
            vec![0; 512],
        ]
        .concat(),
    );
    assert_eq!(numbers(&all), [1, 2]);
    assert_eq!(all.faults.len(), 1);
}

#[test]
fn first_member_corrupt_still_reads_the_rest() {
    let mut first = gzip(&page(1));
    first[12..30].fill(0xff);
    for name in ["a.warc.gz", "-"] {
        let all = load_bytes(name, &[first.clone(), gzip(&page(2))].concat());
        assert_eq!(numbers(&all), [2]);
        assert_eq!(all.faults.len(), 1);
    }
}

fn with_length(mut record: Vec<u8>, change: i64) -> Vec<u8> {
    let text = String::from_utf8_lossy(&record).into_owned();
    let (_, rest) = text.split_once("Content-Length: ").unwrap();
    let digits = rest.split('\r').next().unwrap();
    let length: i64 = digits.parse().unwrap();
    let at = text.find("Content-Length: ").unwrap() + "Content-Length: ".len();
    record.splice(
        at..at + digits.len(),
        (length + change).to_string().into_bytes(),
    );
    record
}

#[test]
fn wrong_lengths_cost_one_record_and_not_those_behind_it() {
    for change in [-20, -1, 7, 300, 100_000, 99_999_999_999] {
        let records = [page(1), with_length(page(2), change), page(3), page(4)].concat();
        let all = load_bytes("a.warc", &records);
        assert_eq!(numbers(&all), [1, 3, 4], "length off by {change}");
        assert_eq!(
            all.faults.len(),
            1,
            "length off by {change}: {:?}",
            all.faults
        );
        assert_eq!(all.faults[0].kind(), FaultKind::WrongLength);
        let whole = load_bytes("a.warc.gz", &gzip(&records));
        assert_eq!(
            numbers(&whole),
            [1, 3, 4],
            "in one member, length off by {change}"
        );
        let each = [
            gzip(&page(1)),
            gzip(&with_length(page(2), change)),
            gzip(&page(3)),
        ]
        .concat();
        assert_eq!(
            numbers(&load_bytes("a.warc.gz", &each)),
            [1, 3],
            "in its own member, length off by {change}"
        );
    }
}

#[test]
fn a_length_that_takes_in_the_line_ends_behind_a_block_does_no_harm() {
    let all = load_bytes("a.warc", &[with_length(page(1), 2), page(2)].concat());
    assert_eq!((all.pages.len(), all.faults.len()), (2, 0));
}

#[test]
fn many_lengths_beyond_the_end_of_the_file_do_not_cost_a_pass_each() {
    let mut records: Vec<u8> = (0..2000)
        .flat_map(|number| with_length(page(number), 1_000_000_000))
        .collect();
    records.extend(page(1));
    let all = load_bytes("a.warc", &records);
    assert_eq!(all.faults.len(), 2000);
    assert_eq!(numbers(&all), [1]);
}

#[test]
fn text_that_looks_like_a_record_is_not_one_while_lengths_are_right() {
    let smuggled = [b"<p>\r\n\r\n".to_vec(), page(666), page(667)].concat();
    let all = load_bytes(
        "a.warc",
        &[
            response("1", "Content-Type: text/html\r\n", &smuggled),
            page(2),
        ]
        .concat(),
    );
    assert_eq!(all.pages.len(), 2);
    assert_eq!(all.pages[0].bytes(), smuggled);
}

#[test]
fn junk_before_and_between_records_is_one_fault_each() {
    let all = load_bytes(
        "a.warc",
        &[
            b"junk\r\n".to_vec(),
            page(1),
            b"more\njunk\n".to_vec(),
            page(2),
        ]
        .concat(),
    );
    assert_eq!(numbers(&all), [1, 2]);
    assert_eq!(all.faults.len(), 2, "{:?}", all.faults);
}

#[test]
fn bad_headers_are_faults() {
    let no_length = b"WARC/1.0\r\nWARC-Type: response\r\n\r\nbody\r\n\r\n".to_vec();
    let long = record("response", &format!("X: {}\r\n", "y".repeat(70_000)), b"");
    let many = record("response", &"X: y\r\n".repeat(300), b"");
    let no_http = record(
        "response",
        "Content-Type: application/http\r\n",
        b"not http",
    );
    let all = load_bytes(
        "a.warc",
        &[no_length, long, many, no_http, page(1)].concat(),
    );
    let kinds: Vec<FaultKind> = all.faults.iter().map(unmold_io::Fault::kind).collect();
    assert_eq!(
        kinds,
        [
            FaultKind::BadRecord,
            FaultKind::BadRecord,
            FaultKind::BadRecord,
            FaultKind::BadHttp
        ]
    );
    assert_eq!(numbers(&all), [1]);
}

#[test]
fn tiny_header_limits_end() {
    let settings = LoadSettings::default().header_bytes(3).header_lines(1);
    let all = load_bytes_with("a.warc", &[page(1), page(2)].concat(), &settings);
    assert_eq!((all.pages.len(), all.faults.len()), (0, 2));
}

#[test]
fn record_types_that_hold_no_page_are_counted_by_type() {
    let kinds = ["warcinfo", "request", "metadata", "revisit", "continuation"];
    let archive: Vec<u8> = kinds
        .iter()
        .flat_map(|kind| record(kind, "", b"x"))
        .collect();
    let expected = [
        SkipKind::Warcinfo,
        SkipKind::Request,
        SkipKind::Metadata,
        SkipKind::Revisit,
        SkipKind::Continuation,
    ];
    assert_eq!(skips("a.warc", &archive), expected);
}

#[test]
fn a_record_of_no_known_type_is_a_fault_and_the_next_is_read() {
    for damaged in ["respXnse", "", "future"] {
        let archive = [page(1), record(damaged, "", b"<p>lost"), page(2)].concat();
        let all = load_bytes("a.warc", &archive);
        assert_eq!(
            (all.pages.len(), all.faults.len(), all.tally.skipped()),
            (2, 1, 0),
            "{damaged}"
        );
        assert_eq!(all.faults[0].kind(), FaultKind::BadRecord);
    }
}

#[test]
fn conversion_records_are_text_pages() {
    let uri = "WARC-Target-URI: http://example.org/1\r\nContent-Type: text/plain\r\n";
    let all = load_bytes(
        "a.wet.gz",
        &gzip(&record("conversion", uri, "häuser".as_bytes())),
    );
    assert_eq!(all.pages[0].media_type(), Some("text/plain"));
    assert_eq!(all.pages[0].charset(), Some("utf-8"));
}

#[test]
fn only_successful_text_and_markup_become_pages() {
    let answer =
        |media: &str, body: &[u8]| response("1", &format!("Content-Type: {media}\r\n"), body);
    let missing = record(
        "response",
        "Content-Type: application/http\r\n",
        b"HTTP/1.1 404 No\r\n\r\n<p>no",
    );
    let dns = record(
        "resource",
        "WARC-Target-URI: dns:example.org\r\nContent-Type: text/dns\r\n",
        b"20140216 A 1",
    );
    let archive = [
        missing,
        dns,
        answer("image/png", b"x"),
        answer("application/json", b"{}"),
        answer("text/html", b"{\"a\": [1]}"),
        answer("text/html", b"\xff\xd8\xff\xe0 JFIF"),
        answer("text/html", b"%PDF-1.4"),
        answer("text/html", b" \r\n\t "),
        answer("text/html", b""),
        answer("application/rss+xml", b"<rss/>"),
        answer("text/plain", b"text"),
    ]
    .concat();
    let all = load_bytes("a.warc", &archive);
    let media: Vec<_> = all
        .pages
        .iter()
        .map(|page| page.media_type().unwrap())
        .collect();
    assert_eq!(media, ["application/rss+xml", "text/plain"]);
    use SkipKind::{Binary, Empty, Json, MediaType, Status};
    let expected = [
        Status, MediaType, MediaType, Json, Json, Binary, Binary, Empty, Empty,
    ];
    assert_eq!(skips("a.warc", &archive), expected);
}

#[test]
fn utf16_pages_are_not_binary() {
    let utf16: Vec<u8> = "<html><p>hello"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(
        load_bytes(
            "a.warc",
            &response("1", "Content-Type: text/html\r\n", &utf16)
        )
        .pages
        .len(),
        1
    );
}

#[test]
fn addresses_in_brackets_with_spaces_or_absent_are_accepted() {
    let fields = "WARC-Target-URI: <http://example.org/a b>\r\nContent-Type: text/html\r\n";
    let archive = [
        record("resource", fields, b"<p>"),
        record("resource", "Content-Type: text/html\r\n", b"<p>"),
    ]
    .concat();
    let all = load_bytes("a.warc", &archive);
    assert_eq!(all.pages[0].url(), Some("http://example.org/a%20b"));
    assert_eq!(all.pages[1].url(), None);
    assert_eq!(notes(&all), [Note::RepairedUri, Note::NoUri]);
}

#[test]
fn truncated_payloads_are_flagged_or_left_out() {
    let fields = "WARC-Truncated: length\r\nContent-Type: text/html\r\n";
    let archive = record("resource", fields, b"<p>cut");
    assert!(load_bytes("a.warc", &archive).pages[0].is_truncated());
    let none = load_bytes_with(
        "a.warc",
        &archive,
        &LoadSettings::default().truncated(false),
    );
    assert_eq!((none.tally.pages(), none.tally.skipped()), (0, 1));
}

#[test]
fn a_page_beyond_the_limit_is_cut_and_flagged() {
    let settings = LoadSettings::default().page_bytes(1000);
    let large = response("1", "Content-Type: text/html\r\n", &b"<p>".repeat(100_000));
    let bomb = response(
        "1",
        "Content-Type: text/html\r\nContent-Encoding: gzip\r\n",
        &gzip(&vec![b'a'; 1 << 22]),
    );
    let all = load_bytes_with("a.warc", &[large, bomb, page(1)].concat(), &settings);
    let sizes: Vec<_> = all
        .pages
        .iter()
        .map(|page| (page.bytes().len().min(1000), page.is_truncated()))
        .collect();
    assert_eq!(sizes[..2], [(1000, true), (1000, true)]);
    assert!(!all.pages[2].is_truncated());
    let cuts: Vec<_> = all
        .cuts
        .iter()
        .map(|cut| (cut.kind(), cut.reason()))
        .collect();
    let known = "the page has 300000 bytes and was cut at the limit of 1000";
    let unknown = "the page has more than 1000 bytes and was cut at the limit of 1000";
    assert_eq!(cuts, [(FaultKind::Cut, known), (FaultKind::Cut, unknown)]);
    assert_eq!(all.cuts[0].at(), At::Byte(0));
}

#[test]
fn a_member_that_expands_absurdly_is_left_for_the_next() {
    let bomb = zstd(&record(
        "resource",
        "Content-Type: text/html\r\n",
        &vec![b'a'; 80 << 20],
    ));
    let all = load_bytes("a.warc.zst", &[bomb, zstd(&page(1))].concat());
    assert_eq!(numbers(&all), [1]);
    assert_eq!(all.faults[0].kind(), FaultKind::Bomb);
    assert_eq!(all.tally.faults(), 1);
}

#[test]
fn arc_records_are_pages_and_bad_lengths_are_faults() {
    let arc = |uri: &str, block: &str, length: usize| {
        format!("{uri} 10.0.0.1 20140216050221 text/html {length}\n{block}\n")
    };
    let header = "1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n";
    let block = "HTTP/1.0 200 OK\nContent-Type: text/html\n\n<p>one";
    let archive = [
        arc("filedesc://a.arc", header, header.len()),
        arc("http://a/b c", block, block.len()),
        arc("http://a/short", block, block.len() - 10),
        arc("http://a/long", block, block.len() + 50_000),
        arc("http://a/last", block, block.len()),
    ]
    .concat();
    let all = load_bytes("a.arc", archive.as_bytes());
    let urls: Vec<_> = all.pages.iter().map(|page| page.url().unwrap()).collect();
    assert_eq!(urls, ["http://a/b%20c", "http://a/last"]);
    assert_eq!((all.tally.skipped(), all.tally.faults()), (1, 2));
    let packed: Vec<u8> = gzip(archive.as_bytes());
    assert_eq!(load_bytes("a.arc.gz", &packed).pages.len(), 2);
}

#[test]
fn include_and_limit_choose_pages() {
    let archive: Vec<u8> = (0..20).flat_map(page).collect();
    let all = load_bytes_with(
        "a.warc",
        &archive,
        &LoadSettings::default().include("*/1?").limit(3),
    );
    assert_eq!(numbers(&all), [10, 11, 12]);
    assert_eq!(all.tally.skipped(), 10);
}
