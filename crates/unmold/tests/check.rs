//! What `check` says of pages that changed and of pages that did not, and what a repair makes of
//! them.

use std::{fmt::Write, fs, path::Path};
use unmold::{
    Mold, Page, Text,
    check::{Fate, History, Verdict, diff},
};

/// Pages of a shop as a template prints them; `change` makes another template of it.
fn shop(first: u32, change: impl Fn(String) -> String) -> Vec<Text> {
    let page = |n: u32| {
        let mut page = format!(
            "<html><head><title>Kettle {n} - Shop</title></head><body><div class=top><a href=/>Home</a></div>\
             <div class=product><h1>Kettle {n}</h1><p class=price>Price: <b>£{}.50</b></p><table class=spec>",
            10 + n
        );
        for (label, value) in [
            ("Weight:", format!("{n}00 g")),
            ("Colour:", format!("Red {n}")),
            ("Code:", format!("HP-{n}11")),
        ] {
            _ = write!(page, "<tr><th>{label}</th><td>{value}</td></tr>");
        }
        _ = write!(
            page,
            "</table></div><div class=foot><p>All rights reserved</p></div></body></html>"
        );
        Text::from_string(format!("{n}.html"), change(page))
    };
    (first..first + 12).map(page).collect()
}

fn same(page: String) -> String {
    page
}

#[test]
fn pages_of_the_same_template_are_healthy() {
    let mold = Mold::learn(&shop(1, same)).unwrap();
    let report = mold.checker().check(&shop(100, same));
    assert_eq!(report.verdict, Verdict::Healthy, "{report:#?}");
    assert!(
        report.groups[0]
            .fields
            .iter()
            .all(|field| field.verdict == Verdict::Healthy && field.fill.found == 1.0)
    );
    assert_eq!(report.groups[0].template.coverage, 1.0);
}

#[test]
fn each_kind_of_change_is_seen() {
    let mold = Mold::learn(&shop(1, same)).unwrap();
    type Change = fn(String) -> String;
    let changes: [(&str, Change); 6] = [
        ("a banner", |page| {
            page.replace("<body>", "<body><div class=banner><p>Sale</p></div>")
        }),
        ("classes", |page| {
            page.replace("class=spec", "class=x1")
                .replace("class=price", "class=x2")
        }),
        ("a wrapper", |page| {
            page.replace("<body>", "<body><div>")
                .replace("</body>", "</div></body>")
        }),
        ("colons", |page| page.replace(":<", "<")),
        ("a row", |page| {
            page.replace(
                "<table class=spec>",
                "<table class=spec><tr><th>New</th><td>row</td></tr>",
            )
        }),
        ("a lost field", |page| {
            page.replace("<tr><th>Weight:", "<tr hidden><th>Gone:")
                .replace("00 g<", "<")
        }),
    ];
    for (name, change) in changes {
        let report = mold.checker().check(&shop(100, change));
        assert!(report.has_changed(), "{name}: {report:#?}");
    }
    let nothing: Vec<Text> = (0..5)
        .map(|n| Text::from_string(n.to_string(), "<p>Under construction"))
        .collect();
    let report = mold.checker().check(&nothing);
    assert_eq!(
        (report.verdict, report.unplaced.len()),
        (Verdict::Broken, 5)
    );
    assert_eq!(report.groups[0].verdict, Verdict::Unseen);
}

/// Letters of the same shop, in a template of their own; a `strange` one has hardly anything of it.
fn letter(n: u32, is_strange: bool) -> Text {
    let (class, words) = if is_strange {
        ("note", "Colophon Printed")
    } else {
        ("letter", "Dear reader Yours")
    };
    let (opening, closing) = words.split_once(' ').unwrap();
    let mut page =
        format!("<html><body><main class={class}><p class={class}-open>{opening}</p><article>");
    for part in 0..4 + n % 2 {
        _ = write!(
            page,
            "<section class={class}-{part}><p>News number {n}{part} of the town and its {n} gulls.</p></section>"
        );
    }
    _ = write!(
        page,
        "</article><p class={class}-close>{closing}</p><i>{n} May</i></main></body></html>"
    );
    Text::from_string(format!("letter-{n}.html"), page)
}

#[test]
fn one_page_of_a_kind_that_was_not_learned_is_no_change_of_the_site() {
    let learned: Vec<Text> = shop(1, same)
        .into_iter()
        .chain((1..3).map(|n| letter(n, false)))
        .collect();
    let checker = Mold::learn(&learned).unwrap().checker();
    let today: Vec<Text> = shop(100, same)
        .into_iter()
        .chain([letter(100, true)])
        .collect();
    let report = checker.check(&today);
    assert_eq!(report.verdict, Verdict::Healthy, "{report:#?}");
    let only_strange = checker.check(&[letter(100, true)]);
    assert!(only_strange.has_changed(), "{only_strange:#?}");
}

#[test]
fn a_field_that_is_gone_is_broken_and_its_neighbours_are_not() {
    let mold = Mold::learn(&shop(1, same)).unwrap();
    let without = shop(100, |page| {
        let (before, rest) = page.split_once("<tr><th>Weight:").unwrap();
        format!("{before}{}", rest.split_once("</tr>").unwrap().1)
    });
    let report = mold.checker().check(&without);
    let field = |name: &str| {
        report.groups[0]
            .fields
            .iter()
            .find(|field| field.name == name)
            .unwrap()
    };
    assert_eq!(field("Weight").verdict, Verdict::Broken, "{report:#?}");
    assert_eq!(
        field("Weight").reasons,
        ["on none of 12 pages, was on 100 %"]
    );
    assert_ne!(field("Colour").verdict, Verdict::Broken);
    assert!(
        report.groups[0]
            .template
            .texts_gone
            .contains(&"Weight:".to_owned()),
        "{:#?}",
        report.groups[0].template
    );
}

#[test]
fn a_repair_keeps_names_and_finds_everything_again() {
    let mut mold = Mold::learn(&shop(1, same)).unwrap();
    mold.groups[0]
        .fields
        .iter_mut()
        .filter(|field| field.name == "Weight")
        .for_each(|field| field.name = "mass".to_owned());
    let change = |page: String| {
        let page = page
            .replace("class=spec", "class=x1")
            .replace("class=product", "id=new")
            .replace("<body>", "<body><div>");
        page.replace(":<", "<")
    };
    let today = shop(100, change);
    assert!(mold.checker().check(&today).has_changed());
    let repair = mold.repair(&today).unwrap();
    let mass = repair
        .changes
        .iter()
        .find(|change| change.field == "mass")
        .unwrap();
    assert_eq!(
        (mass.fate, mass.learned_as.as_deref()),
        (Fate::SameValues, Some("Weight"))
    );
    assert!(
        !repair
            .changes
            .iter()
            .any(|change| change.fate == Fate::Lost),
        "{:#?}",
        repair.changes
    );
    let tomorrow = shop(200, change);
    assert_eq!(
        repair.mold.checker().check(&tomorrow).verdict,
        Verdict::Healthy
    );
    let reader = repair.mold.reader();
    let found = reader.read(&tomorrow[0]).unwrap();
    let mass = found.fields().find(|field| field.name() == "mass").unwrap();
    assert_eq!(mass.values().next().unwrap().text(), "20000 g");
    // It is a mold like any other, and says what it was changed in.
    let written = repair.mold.to_json();
    assert_eq!(Mold::from_json(&written).unwrap(), repair.mold);
    assert!(
        diff(&mold, &repair.mold)
            .iter()
            .any(|difference| difference.name == "mass")
    );
}

/// A rule that does not find its field where it was learned would be an alarm on every other page.
#[test]
fn every_field_is_found_on_the_pages_it_was_learned_from() {
    let sites = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sites");
    for site in [
        "news-ja",
        "news-de",
        "shop-en",
        "search-zh",
        "forum-ru",
        "library-ar",
    ] {
        let files = fs::read_dir(sites.join(site).join("pages"))
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let mut pages: Vec<Text> = files
            .map(|file| {
                Text::decode(Page::new(
                    file.to_string_lossy().into_owned(),
                    fs::read(file).unwrap(),
                ))
            })
            .collect();
        pages.sort_by(|one, other| one.id().cmp(other.id()));
        let report = Mold::learn(&pages).unwrap().checker().check(&pages);
        assert_eq!(report.verdict, Verdict::Healthy, "{site}: {report:#?}");
        for field in report.groups.iter().flat_map(|group| &group.fields) {
            assert!(
                field.fill.found + 0.01 >= field.fill.expected,
                "{site}: {field:#?}"
            );
        }
    }
}

#[test]
fn a_healthy_mold_is_not_touched() {
    let mold = Mold::learn(&shop(1, same)).unwrap();
    let repair = mold.repair(&shop(100, same)).unwrap();
    assert_eq!((repair.mold, repair.changes.len()), (mold, 0));
}

#[test]
fn a_field_that_new_pages_often_lack_is_no_alarm_once_that_is_known() {
    let mold = Mold::learn(&shop(1, same)).unwrap();
    let without_colour = |pages: Vec<Text>| -> Vec<Text> {
        let sparse = pages.into_iter().enumerate().map(|(at, page)| {
            let (before, rest) = page.as_str().split_once("<tr><th>Colour:").unwrap();
            let after = rest.split_once("</tr>").unwrap().1;
            let text = if at % 2 == 0 {
                format!("{before}{after}")
            } else {
                page.as_str().to_owned()
            };
            Text::from_string(page.id(), text)
        });
        sparse.collect()
    };
    let mut history = History::default();
    for day in 0..3 {
        let mut report = mold
            .checker()
            .check(&without_colour(shop(100 + 20 * day, same)));
        // A person has looked at it and found it in order.
        report.verdict = Verdict::Healthy;
        report
            .groups
            .iter_mut()
            .for_each(|group| group.verdict = Verdict::Healthy);
        history.add(&report);
    }
    let report = mold
        .checker()
        .history(history)
        .check(&without_colour(shop(300, same)));
    let colour = report.groups[0]
        .fields
        .iter()
        .find(|field| field.name == "Colour")
        .unwrap();
    assert!(
        colour.fill.expected < 0.7 && colour.verdict == Verdict::Healthy,
        "{colour:#?}"
    );
}
