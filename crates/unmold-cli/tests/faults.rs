//! What bad input, hostile molds and odd arguments get: docs/faults.md names these tests.

use crate::common::{pages, rows, stderr, unmold};
use std::fs;

#[test]
fn quiet_runs_say_what_was_bad() {
    let assert = unmold(&["extract", "-q", "no-such-file.html"])
        .arg(pages("shop-en"))
        .assert()
        .code(3);
    assert_eq!(
        stderr(&assert),
        "bad input: no-such-file.html: open: no such file or folder\n"
    );
}

#[test]
fn an_address_says_how_it_is_fetched() {
    let assert = unmold(&["clean", "https://a.example/x"]).assert().code(4);
    assert!(
        stderr(&assert).contains("unmold crawl https://a.example/x -o pages.warc.gz"),
        "{}",
        stderr(&assert)
    );
}

#[test]
fn what_is_no_page_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let errors = folder.path().join("errors.jsonl");
    for (name, bytes, what) in [
        ("a.pdf", &b"%PDF-1.7\n"[..], "a PDF document"),
        ("a.png", b"\x89PNG\r\n\x1a\n\0\0", "a PNG image"),
        (
            "a.docx",
            b"PK\x03\x04\x14\0[Content_Types].xml word/document.xml",
            "a Word document",
        ),
    ] {
        let file = folder.path().join(name);
        fs::write(&file, bytes).unwrap();
        let mut command = unmold(&["clean", "--overwrite", "--errors"]);
        let assert = command
            .arg(&errors)
            .arg(&file)
            .arg(pages("news-de"))
            .assert()
            .success();
        assert!(
            stderr(&assert).contains(&format!("skipped: {name}: not a page but {what}")),
            "{}",
            stderr(&assert)
        );
        let rows = fs::read_to_string(&errors).unwrap();
        assert!(
            rows.contains(name) && rows.contains(what) && rows.contains("\"kind\":\"binary\""),
            "{rows}"
        );
    }
}

#[test]
fn threads_are_bounded() {
    for threads in ["100000", "99999999999999999999", "-1"] {
        let assert = unmold(&["group", &format!("--threads={threads}")])
            .arg(pages("shop-en"))
            .assert()
            .code(2);
        assert!(stderr(&assert).contains("--threads"), "{}", stderr(&assert));
    }
    unmold(&["group", "-q", "--threads", "512"])
        .arg(pages("shop-en"))
        .assert()
        .success();
}

#[test]
fn hostile_molds_are_refused_with_the_place() {
    let folder = tempfile::tempdir().unwrap();
    let mold = folder.path().join("hostile.mold.json");
    let view = r#"{"kind":"lr","left":"<b>","right":"</b>"}"#;
    let views = vec![view; 100_000].join(",");
    for (name, views, reason) in [
        (
            "a",
            views.as_str(),
            "groups[0].fields: a group has at most 2000 views by strings",
        ),
        (
            "a\\u202eb",
            view,
            "groups[0].fields[0]: the name holds control characters",
        ),
        (
            "\\u001b]0;x\\u0007",
            view,
            "groups[0].fields[0]: the name holds control characters",
        ),
    ] {
        let json = format!(
            r#"{{"unmold":2,"learned":{{"method":"lr","pages":1,"bytes":1,"hash":""}},"contents":[],
                "groups":[{{"name":"g","pages":1,"fields":[{{"name":"{name}","fill":1,"views":[{views}]}}]}}]}}"#
        );
        fs::write(&mold, json).unwrap();
        let assert = unmold(&["extract", "--mold"])
            .arg(&mold)
            .arg(pages("shop-en"))
            .assert()
            .code(2);
        assert!(stderr(&assert).contains(reason), "{}", stderr(&assert));
    }
}

#[test]
fn names_of_files_and_fields_cannot_command_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let odd = "\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}\u{61c}";
    for page in 0..4 {
        let text = format!(
            "<title>{odd} shop</title><h1>Thing {page}</h1><p>{odd}price: <b>{page}.50</b></p>"
        );
        fs::write(folder.path().join(format!("{odd}{page}.html")), text).unwrap();
    }
    let missing = folder.path().join(format!("{odd}none.html"));
    for command in ["learn", "extract", "clean", "records", "group"] {
        let assert = unmold(&[command]).arg(folder.path()).arg(&missing).assert();
        let said = stderr(&assert);
        assert!(
            !said.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}', '\u{61c}']),
            "{command}: {said:?}"
        );
    }
    let mold = String::from_utf8(
        unmold(&["learn", "-q"])
            .arg(folder.path())
            .output()
            .unwrap()
            .stdout,
    )
    .unwrap();
    let names = mold
        .lines()
        .filter(|line| line.trim_start().starts_with("\"name\""));
    assert!(
        names.clone().count() > 1
            && !names
                .clone()
                .any(|name| name.contains(['\u{9b}', '\u{202e}', '\u{61c}']))
    );
}

#[test]
fn broken_characters_are_counted() {
    let page = b"<meta charset=utf-8><p>\xe2\x80\x9criver\xe2\x80\x9d and caf\xe9".to_vec();
    let assert = unmold(&["clean", "-"]).write_stdin(page).assert().success();
    assert!(
        stderr(&assert).contains("1 with bytes that are no characters"),
        "{}",
        stderr(&assert)
    );
    assert!(
        String::from_utf8_lossy(&assert.get_output().stdout).contains("“river” and caf\u{FFFD}")
    );
}

#[test]
fn a_data_set_that_is_none_costs_no_other_its_scores() {
    let (shop, empty) = (pages("shop-en"), tempfile::tempdir().unwrap());
    let assert = unmold(&["eval", "-f", "jsonl", "--measure", "template"])
        .arg(empty.path())
        .arg(shop.parent().unwrap())
        .assert()
        .code(3);
    assert!(
        stderr(&assert).contains("no page was found"),
        "{}",
        stderr(&assert)
    );
    assert_eq!(
        String::from_utf8_lossy(&assert.get_output().stdout)
            .lines()
            .count(),
        1
    );
    unmold(&["eval"]).arg(empty.path()).assert().code(4);
}

/// A page of some paragraphs of its own.
fn page_with(number: usize, head: &str, before: &str) -> String {
    let words = [
        "river", "stone", "lantern", "harbour", "meadow", "copper", "autumn", "whisper", "granite",
        "orchard", "velvet",
    ];
    let sentence = |at: usize| {
        let words: Vec<&str> = (0..30)
            .map(|word| words[(number * 31 + at * 17 + word * word * 7) % words.len()])
            .collect();
        format!(
            "<p>Paragraph {at} of page {number} speaks of {}.</p>\n",
            words.join(" ")
        )
    };
    format!(
        "<html><head>{head}</head><body><h1>Head {number}</h1>{before}{}</body></html>",
        (1..5).map(sentence).collect::<String>()
    )
}

/// The text of the first of some pages.
fn cleaned(page: impl Fn(usize) -> String, pages: usize) -> String {
    let folder = tempfile::tempdir().unwrap();
    (0..pages).for_each(|number| {
        fs::write(folder.path().join(format!("{number}.html")), page(number)).unwrap();
    });
    let rows = rows(unmold(&["clean", "-q", "-f", "jsonl"]).arg(folder.path()));
    rows[0]["text"].as_str().unwrap().to_owned()
}

#[test]
fn no_text_is_lost_in_markup_that_is_never_closed() {
    let title = "<title>Page</title>";
    for (head, before) in [
        (title, "<a name=top>"),
        (title, "<svg><path d='M0 0'>"),
        ("<title>Page", ""),
        ("<title>Page</title><style>p { color: red }", ""),
        ("<?xml version=\"1.0\"><title>Page</title>", ""),
    ] {
        for pages in [1, 6] {
            let text = cleaned(|number| page_with(number, head, before), pages);
            for part in 1..5 {
                assert!(
                    text.contains(&format!("Paragraph {part} of page 0")),
                    "{head}{before} {pages}: {text}"
                );
            }
        }
    }
}

#[test]
fn listings_of_old_pages_are_text() {
    for (start, end) in [("<xmp>", "</xmp></body></html>"), ("<plaintext>", "")] {
        let page = |number: usize| {
            let text = page_with(number, "", "")
                .replace("<p>", "")
                .replace("</p>", "\n");
            let text = text
                .split("</h1>")
                .nth(1)
                .unwrap()
                .replace("</body></html>", "");
            format!(
                "<html><title>Page {number}</title><body><h1>Head {number}</h1>{start}{text}{end}"
            )
        };
        for pages in [1, 6] {
            let text = cleaned(page, pages);
            assert!(
                text.contains("Paragraph 1 of page 0") && text.contains("Paragraph 4 of page 0"),
                "{start}: {text}"
            );
        }
    }
}

#[test]
fn a_refrain_stays_between_its_verses() {
    let page = |number: usize| {
        let refrain = format!(
            "<p>And the refrain of song number {number} comes back to end the verse.</p>\n"
        );
        page_with(number, "<title>Song</title>", "").replace("</p>\n", &format!("</p>\n{refrain}"))
    };
    for pages in [1, 6] {
        let text = cleaned(page, pages);
        assert_eq!(
            text.matches("And the refrain of song number 0").count(),
            4,
            "{text}"
        );
    }
}

#[test]
fn feeds_give_no_marks_of_their_sections() {
    let feed = |number: usize| {
        let text = "The river and the stone speak of the lantern in the harbour, at length and in earnest, all day long.";
        let item = |at: usize| {
            format!(
                "<item><title>Item {number} {at}</title><description><![CDATA[{at}: {text}]]></description></item>"
            )
        };
        let items: String = (0..5).map(item).collect();
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><rss version=\"2.0\"><channel><title>Feed</title>{items}</channel></rss>"
        )
    };
    for pages in [1, 6] {
        let text = cleaned(feed, pages);
        assert!(
            text.contains("speak of the lantern")
                && !text.contains("CDATA")
                && !text.contains("]]>"),
            "{text}"
        );
    }
}

#[test]
fn nothing_is_learned_from_shells_that_need_scripts() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..6 {
        let page = format!(
            "<!DOCTYPE html><html><head><title>App {number}</title></head><body><div id=root></div>\
             <noscript>You need to enable JavaScript to run this app.</noscript>\
             <script>window.data={{\"id\":{number}}}</script><script src=/b.js?v={number}></script></body></html>"
        );
        fs::write(folder.path().join(format!("{number}.html")), page).unwrap();
    }
    for command in ["learn", "extract"] {
        let assert = unmold(&[command]).arg(folder.path()).assert().code(4);
        assert!(
            stderr(&assert).contains("before their scripts have run"),
            "{}",
            stderr(&assert)
        );
    }
}

#[test]
fn pages_of_as_many_sites_are_no_template() {
    let folder = tempfile::tempdir().unwrap();
    for site in [
        "shop-en",
        "news-de",
        "forum-ru",
        "search-zh",
        "library-ar",
        "news-ja",
    ] {
        fs::copy(
            pages(site).join("0001.html"),
            folder.path().join(format!("{site}.html")),
        )
        .unwrap();
    }
    let refused = unmold(&["learn"]).arg(folder.path()).assert().code(4);
    let told = stderr(&refused);
    assert!(
        told.contains("no two pages share a template")
            && told.contains("share most, 0.")
            && told.contains("0.45 is needed")
            && told.contains("--one-template"),
        "{told}"
    );
    // Each page still gives what it says by itself, in a table as well.
    let rows = unmold(&["extract", "-f", "jsonl"])
        .arg(folder.path())
        .assert();
    let rows = String::from_utf8(rows.success().get_output().stdout.clone()).unwrap();
    assert_eq!(rows.lines().count(), 6, "{rows}");
    for row in rows.lines() {
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        assert!(row["group"].is_null(), "{row}");
        assert!(!row["fields"].as_object().unwrap().is_empty(), "{row}");
    }
    let table = unmold(&["extract", "-f", "csv", "--doubts"])
        .arg(folder.path())
        .assert();
    let table = String::from_utf8(table.success().get_output().stdout.clone()).unwrap();
    assert!(table.starts_with("page,url,group,"), "{table}");
    assert!(
        table.lines().next().unwrap().ends_with(",doubts"),
        "{table}"
    );
}

#[test]
fn one_template_insists_in_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let card = "<html><body class=old><table class=card><tr><th>Weight:<td>1.2 kg</table>\
                <ul class=tags><li>Iron<li>Black<li>Round</ul><p>Kettles are made for boiling water over any fire.</p>";
    let panel = "<html><body class=new><main><section><dl><dt>Weight:<dd>2.6 kg</dl>\
                 <ol><li>Steel<li>Grey<li>Flat</ol></section><p>Skillets are made for frying eggs over any fire.</p></main>";
    fs::write(folder.path().join("1.html"), card).unwrap();
    fs::write(folder.path().join("2.html"), panel).unwrap();
    let pages = folder.path();
    unmold(&["learn", "-q"]).arg(pages).assert().code(4);
    let mold = folder.path().with_extension("json");
    unmold(&["learn", "-q", "--one-template", "-o"])
        .arg(&mold)
        .arg(pages)
        .assert()
        .code(0);
    let learned: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&mold).unwrap()).unwrap();
    assert_eq!(learned["one_template"], true);
    assert_eq!(learned["groups"][0]["pages"], 2);

    let both = unmold(&["extract", "-q", "--one-template", "-f", "jsonl"])
        .arg(pages)
        .assert()
        .code(0);
    let rows = String::from_utf8(both.get_output().stdout.clone()).unwrap();
    assert_eq!(rows.matches(r#""group":0"#).count(), 2, "{rows}");
    let by_mold = unmold(&["extract", "-q", "-f", "jsonl", "--mold"])
        .arg(&mold)
        .arg(pages)
        .assert()
        .code(0);
    assert_eq!(
        rows.as_bytes(),
        by_mold.get_output().stdout,
        "the mold insists as well"
    );
    for command in ["clean", "records"] {
        unmold(&[command, "-q", "--one-template", "-f", "jsonl"])
            .arg(pages)
            .assert()
            .code(0);
    }
    fs::remove_file(mold).unwrap();
}

#[test]
fn a_site_that_has_changed_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let mold = folder.path().join("shop.mold.json");
    unmold(&["learn", "-q", "-o"])
        .arg(&mold)
        .arg(pages("shop-en"))
        .assert()
        .success();
    let assert = unmold(&["extract", "--mold"])
        .arg(&mold)
        .arg(pages("shop-en"))
        .assert()
        .success();
    assert!(
        !stderr(&assert).contains("has changed"),
        "{}",
        stderr(&assert)
    );
    let changed = folder.path().join("changed");
    fs::create_dir(&changed).unwrap();
    for entry in fs::read_dir(pages("shop-en")).unwrap().map(Result::unwrap) {
        let mut page = fs::read_to_string(entry.path()).unwrap();
        // What a page declares would still be found.
        page = page.replace("application/ld+json", "text/plain");
        for (old, new) in [
            ("table", "dl"),
            ("tr", "div"),
            ("td", "dd"),
            ("th", "dt"),
            ("p", "section"),
            ("span", "em"),
        ] {
            for (start, end) in [("<", ">"), ("<", " "), ("</", ">")] {
                page = page.replace(&format!("{start}{old}{end}"), &format!("{start}{new}{end}"));
            }
        }
        fs::write(changed.join(entry.file_name()), page).unwrap();
    }
    let output = unmold(&["extract", "--mold"])
        .arg(&mold)
        .arg(&changed)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    // Labels still find most values; that the other ways find none is a doubt.
    let doubted = |said: &str| -> Option<(f64, f64)> {
        let (before, after) = said.split_once(" values are in doubt")?;
        let (doubted, of) = before.rsplit_once("; ")?.1.split_once(" of ")?;
        assert!(after.contains("extracted"));
        Some((doubted.parse().ok()?, of.parse().ok()?))
    };
    let (doubted, values) = doubted(&said).expect(&said);
    assert!(
        said.contains("the site has changed") || doubted > 0.3 * values,
        "{said}"
    );
}

#[test]
fn group_and_clean_tell_the_same_story() {
    let story = |assert: &assert_cmd::assert::Assert| {
        let said = stderr(assert);
        let line = said
            .lines()
            .find(|line| line.contains("in a group"))
            .unwrap_or_default();
        line.split([';'])
            .next()
            .unwrap()
            .split(" in none")
            .next()
            .unwrap()
            .to_owned()
    };
    for site in ["shop-en", "forum-ru"] {
        let grouped = story(&unmold(&["group"]).arg(pages(site)).assert().success());
        let cleaned = story(&unmold(&["clean"]).arg(pages(site)).assert().success());
        assert!(!grouped.is_empty());
        assert_eq!(grouped, cleaned, "{site}");
    }
}

/// Terminals are commanded by pages neither in tables nor in messages. Standard error is not a
/// terminal here: what people read is made safe everywhere.
#[test]
fn titles_and_addresses_cannot_command_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let lines: String = (0..6)
        .map(|number| {
            let html = format!("<title>\u{1b}]0;owned\u{7}\u{202e}{number}\u{9b}31m\u{61c} - Shop</title><div class=a><h1>{number}</h1><p class=b>{number} kg</p></div>");
            let html = if number == 5 { "<p>alone".to_owned() } else { html };
            serde_json::json!({"url": format!("https://a.example/\u{1b}[2J\u{202e}{number}"), "html": html}).to_string() + "\n"
        })
        .collect();
    let pile = folder.path().join("pile.jsonl");
    fs::write(&pile, lines).unwrap();
    for args in [
        &["group"][..],
        &["learn"],
        &["extract", "-f", "table"],
        &["clean"],
    ] {
        let output = unmold(args).arg(&pile).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let is_bad = |c: char| {
            c.is_control() && c != '\n'
                || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}')
        };
        assert!(!said.contains(is_bad), "{args:?}: {said:?}");
        if args[0] == "group" || args.contains(&"table") {
            let table = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(!table.contains(is_bad), "{args:?}: {table:?}");
        }
    }
}
