//! Files and folders: every path ends as a page, a skip or a clear message.

use std::fs;

use unmold_io::{FaultKind, LoadSettings, SkipKind, load};

use crate::build::{Folder, check_counts, gzip, load_bytes, load_bytes_with, skips, zstd};

fn ids(everything: &unmold_io::Everything) -> Vec<&str> {
    everything.pages.iter().map(unmold::Page::id).collect()
}

#[test]
fn a_folder_is_read_in_path_order_whatever_the_number_of_files() {
    let folder = Folder::new();
    for number in (0..100).rev() {
        folder.write(&format!("{:02}/page.html", number), format!("<p>{number}"));
    }
    let all = load([folder.path()], &LoadSettings::default()).read_all();
    let expected: Vec<String> = (0..100)
        .map(|number| format!("{number:02}/page.html"))
        .collect();
    assert_eq!(ids(&all), expected);
    assert_eq!(all.pages[7].media_type(), Some("text/html"));
}

#[test]
fn archives_in_a_folder_are_read_where_they_stand() {
    let folder = Folder::new();
    folder.write("a.html", "<p>a");
    folder.write("b.jsonl", "{\"html\": \"<p>b\"}\n");
    folder.write("c.html.gz", gzip(b"<p>c"));
    folder.write("d.txt.zst", zstd(b"text"));
    folder.write("style.css", "p {}");
    folder.write(".hidden.html", "<p>hidden");
    let all = load([folder.path()], &LoadSettings::default()).read_all();
    assert_eq!(ids(&all), ["a.html", "b.jsonl#1", "c.html.gz", "d.txt.zst"]);
    assert_eq!(
        all.tally.skipped_by_kind().collect::<Vec<_>>(),
        [(SkipKind::MediaType, 1)]
    );
}

#[test]
fn ids_of_several_inputs_do_not_collide() {
    let folder = Folder::new();
    for path in ["a/1.html", "b/1.html", "b/2.html"] {
        folder.write(path, "<p>");
    }
    let inputs = [
        folder.path().join("a"),
        folder.path().join("b"),
        folder.path().join("b/2.html"),
    ];
    let all = load(inputs, &LoadSettings::default()).read_all();
    assert_eq!(ids(&all), ["a/1.html", "b/1.html", "b/2.html", "2.html"]);
}

#[test]
fn paths_that_are_not_there_are_named_and_the_others_are_read() {
    let folder = Folder::new();
    let good = folder.write("good.html", "<p>");
    let missing = folder.path().join("missing.html");
    let all = load([&missing, &good], &LoadSettings::default()).read_all();
    assert_eq!(ids(&all), ["good.html"]);
    assert_eq!(all.faults[0].kind(), FaultKind::NotFound);
    assert!(all.faults[0].to_string().contains("missing.html"));
}

#[test]
fn an_empty_page_is_skipped_and_an_empty_archive_is_a_fault() {
    assert_eq!(skips("a.html", b""), [SkipKind::Empty]);
    assert_eq!(skips("a.html", b" \n"), [SkipKind::Empty]);
    for name in ["a.warc.gz", "a.arc", "a.jsonl", "a.parquet"] {
        assert_eq!(load_bytes(name, b"").faults[0].kind(), FaultKind::EmptyFile);
    }
}

#[test]
fn a_truncated_compressed_page_is_one_fault() {
    let packed = gzip(b"<p>some text that is long enough to be cut");
    let all = load_bytes("a.html.gz", &packed[..packed.len() / 2]);
    assert_eq!(
        (all.tally.seen(), all.faults[0].kind()),
        (1, FaultKind::Truncated)
    );
}

#[test]
fn a_page_beyond_the_limit_is_cut() {
    let settings = LoadSettings::default().page_bytes(100);
    for bytes in [vec![b'a'; 100_000], gzip(&vec![b'a'; 100_000])] {
        let all = load_bytes_with("a.html", &bytes, &settings);
        assert_eq!(
            (all.pages[0].bytes().len(), all.pages[0].is_truncated()),
            (100, true)
        );
        assert_eq!(
            (all.tally.pages(), all.tally.truncated(), all.tally.faults()),
            (1, 1, 0)
        );
        assert_eq!(
            (all.cuts.len(), all.cuts[0].kind(), all.cuts[0].file()),
            (1, FaultKind::Cut, "a.html")
        );
    }
    let whole = load_bytes_with("a.html", &[b'a'; 100], &settings);
    assert!(!whole.pages[0].is_truncated() && whole.cuts.is_empty());
}

#[test]
fn a_page_that_was_cut_is_named_with_its_size() {
    let folder = Folder::new();
    let path = folder.write("a.html", vec![b'a'; 5000]);
    let cuts = load([path], &LoadSettings::default().page_bytes(100))
        .read_all()
        .cuts;
    assert_eq!(
        cuts[0].to_string(),
        "a.html: page: the page has 5000 bytes and was cut at the limit of 100"
    );
}

#[test]
fn single_files_that_are_not_pages_are_skipped_with_a_reason() {
    assert_eq!(
        skips("a.html", b"\x89PNG\r\n\x1a\n...."),
        [SkipKind::Binary]
    );
    assert_eq!(skips("a.wacz", b"PK\x03\x04...."), [SkipKind::Binary]);
    assert_eq!(skips("a.html", b"{\"a\": 1}"), [SkipKind::Json]);
    assert_eq!(skips("a.json", b"{\n}"), [SkipKind::Json]);
}

#[test]
fn an_xml_feed_is_a_page_with_its_media_type() {
    assert_eq!(
        load_bytes("feed.rss", b"<rss/>").pages[0].media_type(),
        Some("application/xml")
    );
}

#[test]
fn include_matches_ids_in_a_folder() {
    let folder = Folder::new();
    folder.write("p/1.html", "<p>");
    folder.write("q/1.html", "<p>");
    let all = load([folder.path()], &LoadSettings::default().include("p/")).read_all();
    assert_eq!(ids(&all), ["p/1.html"]);
    assert_eq!(all.tally.seen(), 2);
}

#[test]
fn loading_can_move_to_another_thread() {
    let folder = Folder::new();
    folder.write("1.html", "<p>");
    let items = load([folder.path()], &LoadSettings::default());
    assert_eq!(std::thread::spawn(move || items.count()).join().unwrap(), 1);
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    #[test]
    fn names_that_are_not_utf8_hold_newlines_or_start_with_a_dash_are_read() {
        let folder = Folder::new();
        for name in [&b"\xff.html"[..], b"a\nb.html", b"-rf.html"] {
            fs::write(folder.path().join(OsStr::from_bytes(name)), "<p>").unwrap();
        }
        let all = load([folder.path()], &LoadSettings::default()).read_all();
        assert_eq!(ids(&all), ["-rf.html", "\\xff.html", "a\nb.html"]);
    }

    #[test]
    fn messages_about_odd_names_stay_on_one_line() {
        let folder = Folder::new();
        fs::write(folder.path().join("a\nb.warc"), "").unwrap();
        let all = load([folder.path()], &LoadSettings::default()).read_all();
        assert_eq!(
            all.faults[0].to_string(),
            "a\\nb.warc: open: the file is empty"
        );
    }

    #[test]
    fn pipes_and_dangling_links_are_clear_messages_and_do_not_hang() {
        let folder = Folder::new();
        folder.write("good.html", "<p>");
        symlink("nowhere", folder.path().join("link.html")).unwrap();
        let fifo = folder.path().join("pipe.html");
        assert!(
            std::process::Command::new("mkfifo")
                .arg(&fifo)
                .status()
                .unwrap()
                .success()
        );
        let inputs = [
            folder.path().to_path_buf(),
            fifo,
            folder.path().join("link.html"),
        ];
        let all = load(inputs, &LoadSettings::default()).read_all();
        check_counts(&all);
        assert_eq!(all.pages.len(), 1);
        use FaultKind::{NotAFile, NotFound};
        let kinds: Vec<_> = all.faults.iter().map(unmold_io::Fault::kind).collect();
        assert_eq!(kinds, [NotFound, NotAFile, NotAFile, NotFound]);
        assert!(
            all.faults[3]
                .to_string()
                .ends_with("the link leads nowhere")
        );
    }

    #[test]
    fn links_to_files_are_followed_and_links_to_folders_are_reported() {
        let folder = Folder::new();
        folder.write("a/1.html", "<p>");
        symlink("a/1.html", folder.path().join("b.html")).unwrap();
        symlink("a", folder.path().join("c")).unwrap();
        let all = load([folder.path()], &LoadSettings::default()).read_all();
        assert_eq!(ids(&all), ["a/1.html", "b.html"]);
        assert_eq!(
            all.tally.skipped_by_kind().collect::<Vec<_>>(),
            [(SkipKind::LinkedFolder, 1)]
        );
    }

    #[test]
    fn unreadable_files_are_faults() {
        use std::os::unix::fs::PermissionsExt;
        let folder = Folder::new();
        let path = folder.write("a.html", "<p>");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
        if fs::File::open(&path).is_ok() {
            eprintln!("skipped: this user may read everything");
            return;
        }
        let all = load([path], &LoadSettings::default()).read_all();
        assert_eq!(all.faults[0].kind(), FaultKind::Unreadable);
    }
}
