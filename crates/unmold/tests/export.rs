//! What is exported is right, says so, and is refused where it is not. What other tools make of it
//! is tested by `eval/consumers`.

use std::{fs, path::PathBuf};
use unmold::{
    Mold, Page, Text,
    export::{Exported, State, Target, export},
};

fn site(name: &str) -> Vec<Text> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata/sites")
        .join(name)
        .join("pages");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let page = |file: &PathBuf| {
        Page::new(
            file.file_name().unwrap().to_str().unwrap(),
            fs::read(file).unwrap(),
        )
    };
    files.iter().map(|file| Text::decode(page(file))).collect()
}

fn rule<'e>(exported: &'e Exported, name: &str) -> &'e unmold::export::ExportedRule {
    exported
        .rules
        .iter()
        .find(|rule| rule.name == name && rule.list.is_none())
        .unwrap()
}

#[test]
fn most_fields_of_the_own_sites_have_an_exact_xpath() {
    for name in ["shop-en", "news-de", "library-ar"] {
        let pages = site(name);
        let mold = Mold::learn(&pages).unwrap();
        let exported = export(&mold, Target::Xpath, &pages).unwrap();
        let wanted: usize = mold.groups.iter().map(|group| group.wanted().len()).sum();
        let exact = exported.rules.iter().filter(|rule| {
            rule.take.is_some() && rule.list.is_none() && rule.state == State::Exact
        });
        let exact = exact.count();
        assert!(
            10 * exact >= 8 * wanted,
            "{name}: {exact} of {wanted}\n{}",
            exported.text
        );
    }
}

#[test]
fn names_come_first_and_labels_before_classes() {
    let page = |n: u32| {
        Text::from_string(
            format!("{n}"),
            format!(
                "<body><h1>Kettle {n}</h1><p class=css-1q2w3e>From <b itemprop=price>£{n}.50</b></p>\
                 <table class=spec><tr><th>Weight:</th><td>{n}00 g</td></tr></table><p>All rights reserved</p>"
            ),
        )
    };
    let pages: Vec<Text> = (1..12).map(page).collect();
    let mold = Mold::learn(&pages).unwrap();
    let css = export(&mold, Target::Css, &pages).unwrap();
    assert_eq!(
        rule(&css, "price").rule.as_deref(),
        Some("[itemprop=\"price\"]")
    );
    let weight = rule(&css, "Weight").rule.clone().unwrap();
    assert!(
        weight.contains("table.spec") && weight.ends_with("td"),
        "{weight}"
    );
    let xpath = export(&mold, Target::Xpath, &pages).unwrap();
    let label = r#"//th[normalize-space()="Weight:"]/following-sibling::*[1][self::td]"#;
    assert_eq!(rule(&xpath, "Weight").rule.as_deref(), Some(label));
    assert!(
        xpath.text.contains("Proven on 11 pages")
            && xpath.text.contains(&format!("Weight\t{label}\ttext\n"))
    );
    assert!(!css.text.contains("css-1q2w3e"));
}

#[test]
fn a_rule_that_differs_on_some_pages_is_not_called_exact() {
    let page = |n: u32| {
        let extra = if n.is_multiple_of(3) {
            "<tr><th>New:</th><td>yes</td></tr>"
        } else {
            ""
        };
        let body = format!(
            "<h1>Item {n}</h1><table>{extra}<tr><th>Size:</th><td>{n} m</td></tr></table><p>All rights reserved"
        );
        Text::from_string(format!("{n}"), body)
    };
    let pages: Vec<Text> = (1..13).map(page).collect();
    let mold = Mold::learn(&pages).unwrap();
    for target in [Target::Css, Target::Xpath] {
        for rule in export(&mold, target, &pages).unwrap().rules {
            match rule.state {
                State::Exact => assert_eq!(rule.proof.equal, rule.proof.pages),
                State::Nearly => {
                    assert!(rule.proof.equal < rule.proof.pages && rule.rule.is_some());
                }
                State::Refused => assert!(rule.rule.is_none() && rule.remark().is_some()),
                State::Unproven => panic!("there are pages"),
            }
        }
    }
    let xpath = export(&mold, Target::Xpath, &pages).unwrap();
    let size = xpath
        .rules
        .iter()
        .find(|rule| rule.name.starts_with("Size"))
        .unwrap();
    assert_eq!(size.state, State::Exact, "{}", xpath.text);
}

#[test]
fn without_pages_rules_still_tell_rows_of_a_table_apart() {
    let mold = Mold::learn(&site("shop-en")).unwrap();
    let exported = export(&mold, Target::Css, &[]).unwrap();
    let rule = |name: &str| {
        exported
            .rules
            .iter()
            .find(|rule| rule.name == name)
            .and_then(|rule| rule.rule.clone())
    };
    let (weight, warranty) = (rule("Weight"), rule("Warranty"));
    assert!(
        weight.is_some() && weight != warranty,
        "{weight:?} {warranty:?}"
    );
}

#[test]
fn a_mold_alone_gives_something_in_every_form() {
    let pages = site("shop-en");
    let mold = Mold::learn(&pages).unwrap();
    for target in Target::ALL {
        let exported = export(&mold, target, &[]).unwrap();
        let is_stated = exported
            .rules
            .iter()
            .all(|rule| matches!(rule.state, State::Unproven | State::Refused));
        assert!(is_stated && !exported.text.is_empty(), "{target:?}");
        let has_rule = exported.rules.iter().any(|rule| rule.rule.is_some());
        assert!(
            has_rule || matches!(target, Target::Ftr | Target::Regex),
            "{target:?}"
        );
    }
}

#[test]
fn hostile_names_and_labels_do_not_break_out() {
    let page = |n: u32| {
        let body = format!(
            "<h1>{n}</h1><dl><dt>\"]&quot;'\\\"\"\"</dt><dd>{n} x</dd><dt>Weight</dt><dd>{n} kg</dd></dl><p>All rights reserved"
        );
        Text::from_string(format!("{n}"), body)
    };
    let pages: Vec<Text> = (1..12).map(page).collect();
    let mut mold = Mold::learn(&pages).unwrap();
    mold.groups[0].name = "\"\"\" + exit() + \"\"\"\\".to_owned();
    for target in Target::ALL {
        let exported = export(&mold, target, &pages).unwrap();
        let lines: Vec<&str> = exported
            .text
            .lines()
            .filter(|line| line.contains("exit()"))
            .collect();
        let is_quoted = |line: &&str| !line.contains("\"\"\" + exit() + \"\"\"");
        assert!(lines.iter().all(is_quoted), "{target:?}: {lines:?}");
    }
}
