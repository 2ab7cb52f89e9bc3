//! Random and randomly damaged inputs: nothing panics, counts add up, and what is not damaged is
//! given.

use std::{ops::Range, time::SystemTime};

use proptest::prelude::*;
use unmold_io::{
    LoadSettings, load,
    save::Overwrite,
    warc_check,
    warc_file::{Record, WarcFile},
};

use crate::build::{gzip, load_bytes, load_bytes_with, numbers, page, zstd};

const MAGICS: [&[u8]; 7] = [
    b"",
    b"WARC/1.0\r\n",
    b"\x1f\x8b\x08\x00",
    b"\x28\xb5\x2f\xfd",
    b"filedesc://",
    b"PAR1",
    b"{\"html\": ",
];

const NAMES: [&str; 8] = [
    "a.warc",
    "a.warc.gz",
    "a.warc.zst",
    "a.arc",
    "a.jsonl",
    "a.jsonl.gz",
    "a.parquet",
    "a.html",
];

type Pack = fn(&[u8]) -> Vec<u8>;

/// How the bytes of a range are damaged.
#[derive(Clone, Debug)]
enum Damage {
    Overwrite(Vec<u8>),
    Delete(usize),
    Insert(Vec<u8>),
}

impl Damage {
    fn any() -> impl Strategy<Value = Damage> {
        prop_oneof![
            prop::collection::vec(any::<u8>(), 1..40).prop_map(Damage::Overwrite),
            (1usize..40).prop_map(Damage::Delete),
            prop::collection::vec(any::<u8>(), 1..40).prop_map(Damage::Insert),
        ]
    }

    /// Damages `bytes` at the share `at` of `inside`, without leaving it.
    fn apply(&self, bytes: &mut Vec<u8>, inside: Range<usize>, at: f64) {
        let start = inside.start + ((inside.len() as f64) * at) as usize;
        let room = inside.end - start;
        match self {
            Damage::Overwrite(new) => {
                let count = new.len().min(room);
                bytes[start..start + count].copy_from_slice(&new[..count]);
            }
            Damage::Delete(count) => drop(bytes.drain(start..start + (*count).min(room))),
            Damage::Insert(new) => drop(bytes.splice(start..start, new.iter().copied())),
        }
    }
}

/// Records one behind the other, and the range of each.
fn archive(pack: impl Fn(&[u8]) -> Vec<u8>) -> (Vec<u8>, Vec<Range<usize>>) {
    let mut bytes = Vec::new();
    let ranges = (0..6).map(|number| {
        let start = bytes.len();
        bytes.extend(pack(&page(number)));
        start..bytes.len()
    });
    let ranges = ranges.collect();
    (bytes, ranges)
}

fn all_but(damaged: usize) -> Vec<usize> {
    (0..6).filter(|&number| number != damaged).collect()
}

fn holds_in_order(given: &[usize], wanted: &[usize]) -> bool {
    let given: Vec<usize> = given
        .iter()
        .copied()
        .filter(|number| wanted.contains(number))
        .collect();
    given == wanted
}

proptest! {
    #[test]
    fn random_bytes_of_any_name_add_up(
        name in prop::sample::select(&NAMES[..]),
        magic in prop::sample::select(&MAGICS[..]),
        bytes in prop::collection::vec(any::<u8>(), 0..600),
    ) {
        load_bytes(name, &[magic, &bytes].concat());
        load_bytes(name, &gzip(&[magic, &bytes].concat()));
        load_bytes(name, &zstd(&[magic, &bytes].concat()));
    }

    #[test]
    fn random_header_text_adds_up(
        name in prop::sample::select(&["a.warc", "a.arc", "a.jsonl"][..]),
        text in "(WARC/1\\.0\r?\n|Content-Length: [0-9]{1,3}\r?\n|WARC-Type: response\r?\n|\r?\n|HTTP/1.1 200 OK\r\n|http://a/ 1.1.1.1 20140101000000 text/html [0-9]{1,3}\n|\\{\"html\": \"a\"\\}\n|[a-z]{1,5}){0,40}",
    ) {
        load_bytes(name, text.as_bytes());
    }

    #[test]
    fn a_damaged_record_of_a_plain_warc_costs_only_itself(which in 0usize..6, at in 0.0..1.0, damage in Damage::any()) {
        let (mut bytes, ranges) = archive(<[u8]>::to_vec);
        // Without the line ends behind the block, which belong to the next record as much as to
        // this one.
        damage.apply(&mut bytes, ranges[which].start..ranges[which].end - 4, at);
        let all = load_bytes("a.warc", &bytes);
        prop_assert!(holds_in_order(&numbers(&all), &all_but(which)), "{:?} {:?}", numbers(&all), all.faults);
    }

    #[test]
    fn a_damaged_member_costs_only_itself(
        which in 0usize..6, at in 0.0..1.0, damage in Damage::any(), is_zstd in any::<bool>(),
    ) {
        let (name, pack) = if is_zstd { ("a.warc.zst", zstd as Pack) } else { ("a.warc.gz", gzip as Pack) };
        let (mut bytes, ranges) = archive(pack);
        damage.apply(&mut bytes, ranges[which].clone(), at);
        // A file is known by its first bytes: without them it is not a compressed one.
        prop_assume!(bytes[..4] == pack(&page(0))[..4]);
        let all = load_bytes(name, &bytes);
        prop_assert!(holds_in_order(&numbers(&all), &all_but(which)), "{:?} {:?}", numbers(&all), all.faults);
    }

    #[test]
    fn a_file_cut_anywhere_gives_all_whole_records_and_at_most_one_fault(at in 0.0..1.0, packed in any::<bool>()) {
        let (name, pack) = if packed { ("a.warc.gz", gzip as Pack) } else { ("a.warc", <[u8]>::to_vec as Pack) };
        let (bytes, ranges) = archive(pack);
        let cut = (bytes.len() as f64 * at) as usize;
        let all = load_bytes(name, &bytes[..cut]);
        let whole = ranges.iter().filter(|range| range.end <= cut).count();
        prop_assert!(numbers(&all).starts_with(&(0..whole).collect::<Vec<_>>()));
        prop_assert!(all.faults.len() <= 1);
        let between = cut == 0 || ranges.iter().any(|range| range.end == cut);
        prop_assert!(!packed || between == all.faults.is_empty() || cut == 0, "{:?}", all.faults);
    }

    #[test]
    fn a_damaged_line_costs_only_itself(which in 0usize..6, at in 0.0..1.0, new in prop::collection::vec(any::<u8>(), 1..20)) {
        let line = |number: usize| format!("{{\"url\": \"{number}\", \"html\": \"<p>{number}\"}}");
        let mut lines: Vec<Vec<u8>> = (0..6).map(|number| line(number).into_bytes()).collect();
        let new: Vec<u8> = new.into_iter().filter(|&byte| byte != b'\n').collect();
        let range = 0..lines[which].len();
        Damage::Overwrite(new).apply(&mut lines[which], range, at);
        let all = load_bytes("a.jsonl", &lines.join(&b'\n'));
        let given: Vec<&str> = all.pages.iter().filter_map(unmold::Page::url).collect();
        for number in all_but(which) {
            prop_assert!(given.contains(&number.to_string().as_str()));
        }
    }

    /// docs/crawl.md: what is written into an archive is a whole file, and read as it was written.
    #[test]
    fn what_is_written_into_an_archive_is_read_back(
        bodies in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 1..5),
        path in "[ -~é日\\x00\r\n<>]{0,40}",
    ) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.warc.gz");
        let mut archive = WarcFile::create(&file, Overwrite::Refuse).unwrap();
        for (number, body) in bodies.iter().enumerate() {
            let uri = format!("https://a.example/{number}/{path}");
            let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n", body.len());
            let response = [head.as_bytes(), body].concat();
            archive.append(&[Record::response(&uri, SystemTime::UNIX_EPOCH, response)]).unwrap();
        }
        archive.finish(Overwrite::Refuse).unwrap();
        let report = warc_check::check(&file).unwrap();
        prop_assert!(report.is_whole(), "{:?}", report.faults);
        prop_assert_eq!(report.all_records(), bodies.len() as u64);
        // Bodies that are no text are skipped, as everywhere; none is a fault, and none is another.
        let all = load([&file], &LoadSettings::default()).read_all();
        prop_assert!(all.faults.is_empty(), "{:?}", all.faults);
        prop_assert_eq!(all.tally.seen(), bodies.len() as u64);
        let mut written = bodies.iter();
        for page in &all.pages {
            prop_assert!(written.any(|body| body == page.bytes()));
        }
    }

    #[test]
    fn limits_of_any_size_hold(page_bytes in 0usize..400, header in 0usize..400, lines in 0usize..12) {
        let (bytes, _) = archive(gzip);
        let settings = LoadSettings::default().page_bytes(page_bytes).header_bytes(header).header_lines(lines);
        let all = load_bytes_with("a.warc.gz", &bytes, &settings);
        prop_assert_eq!(all.tally.seen(), 6);
        prop_assert!(all.pages.iter().all(|page| page.bytes().len() <= page_bytes.max(1)));
    }
}
