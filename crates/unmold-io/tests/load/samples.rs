//! The sample files of warcio's own tests, where they are at hand: what we see in each, next to
//! what warcio counts.
//!
//! The files are not part of this project. Set `UNMOLD_WARC_SAMPLES` to a folder that holds them to
//! run this test.

use std::path::PathBuf;

use unmold_io::{LoadSettings, load};

/// File; pages, skipped, faults; the records that warcio reads, if it reads the file to its end.
///
/// Where the sum differs from warcio's count, the file is broken: warcio refuses archives that are
/// compressed as a whole, and stops at records that do not start where it expects them.
const SAMPLES: [(&str, [u64; 3], Option<u64>); 16] = [
    ("bad.arc", [0, 1, 3], Some(4)),
    ("example-bad-non-chunked.warc.gz", [1, 5, 0], None),
    ("example-bad.warc.gz.bad", [1, 5, 0], None),
    ("example-digest.warc", [0, 4, 0], Some(4)),
    ("example-iana.org-chunked.warc", [1, 2, 0], Some(3)),
    ("example-resource.warc.gz", [1, 2, 0], Some(3)),
    ("example-space-in-target-uri.warc.gz", [0, 2, 0], Some(2)),
    ("example-space-in-url.arc", [0, 1, 1], Some(2)),
    ("example-trunc.warc", [0, 3, 1], Some(4)),
    ("example-wget-bad-target-uri.warc.gz", [3, 3, 0], Some(6)),
    ("example-wrong-chunks.warc.gz", [1, 1, 0], None),
    ("example.arc", [1, 1, 0], Some(2)),
    ("example.arc.gz", [1, 1, 0], Some(2)),
    ("example.warc", [1, 5, 0], Some(6)),
    ("example.warc.gz", [1, 5, 0], Some(6)),
    ("post-test.warc.gz", [0, 6, 0], Some(6)),
];

fn samples() -> PathBuf {
    match std::env::var_os("UNMOLD_WARC_SAMPLES") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/warc"),
    }
}

#[test]
fn counts_agree_with_those_of_warcio() {
    let folder = samples();
    if !folder.is_dir() {
        // Not by a macro, whose output the test harness would keep to itself.
        let note = format!("skipped: no sample archives in {}\n", folder.display());
        _ = std::io::Write::write_all(&mut std::io::stderr(), note.as_bytes());
        return;
    }
    for (name, expected, warcio) in SAMPLES {
        let tally = load([folder.join(name)], &LoadSettings::default())
            .read_all()
            .tally;
        assert_eq!(
            [tally.pages(), tally.skipped(), tally.faults()],
            expected,
            "{name}"
        );
        assert!(
            warcio.is_none_or(|records| records == tally.seen()),
            "{name}"
        );
    }
}
