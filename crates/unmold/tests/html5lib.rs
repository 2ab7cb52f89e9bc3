//! The tokeniser and the tree beside the tests of the html5lib project, where their folder is.
//!
//! A *tree test* gives a page and the tree that the HTML Standard builds from it. Our trees move
//! and invent nothing, so they are compared by their [outline](outline): the texts, in order, each
//! under the same chain of blocks. Tests with no text that is seen have nothing to compare; nor
//! have fragments, whose outermost element stands on no page. Where a test is for browsers with
//! scripts or without, the one without is taken.
//!
//! A *token test* gives a piece of markup and its tokens. All are compared that begin as a page
//! does or as the content of an element that the tokeniser knows; text is compared after its
//! entities are decoded.
//!
//! `html5lib-accepted.txt` lists the differences that are meant, each under its reason. A test that
//! differs and is not listed fails, and so does one that is listed and agrees.

use crate::outline::{Outline, Outliner, is_unseen, ours};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};
use unmold::read::html::{Kind, Token, attributes, tokens};

/// The files of a kind in a folder of html5lib-tests, sorted; `None` where the folder is missing.
fn files(folder: &str, ending: &str) -> Option<Vec<PathBuf>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data/html5lib")
        .join(folder);
    let entries = fs::read_dir(&folder).ok()?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    files.retain(|file| file.extension().is_some_and(|found| found == ending));
    files.sort();
    Some(files)
}

/// The differences that are meant: the name of a test and the number of its reason.
struct Accepted {
    reasons: Vec<String>,
    tests: BTreeMap<String, usize>,
}

impl Accepted {
    /// Reads the list: `# reason`, and below it lines of a file with the numbers of its tests.
    fn read() -> Self {
        let list = include_str!("html5lib-accepted.txt");
        let mut accepted = Accepted {
            reasons: Vec::new(),
            tests: BTreeMap::new(),
        };
        for line in list.lines().filter(|line| !line.is_empty()) {
            match line.strip_prefix("# ") {
                Some(reason) => accepted.reasons.push(reason.to_owned()),
                None => accepted.take(line),
            }
        }
        accepted
    }

    fn take(&mut self, line: &str) {
        let mut words = line.split(' ');
        let file = words.next().unwrap_or_default();
        for number in words {
            let before = self
                .tests
                .insert(format!("{file} {number}"), self.reasons.len() - 1);
            assert_eq!(before, None, "{file} {number} is listed twice");
        }
    }

    /// Fails unless exactly the tests that are listed differ; prints how many agree, and why the
    /// others do not.
    fn check(
        &self,
        ending: &str,
        fewest: usize,
        all: &BTreeSet<String>,
        differing: &BTreeMap<String, String>,
    ) {
        assert!(
            all.len() >= fewest,
            "only {} tests in {ending} files were found",
            all.len()
        );
        let listed: BTreeSet<&String> = self
            .tests
            .keys()
            .filter(|name| name.contains(ending))
            .collect();
        println!(
            "{} of {} tests in {ending} files agree",
            all.len() - differing.len(),
            all.len()
        );
        for (number, reason) in self.reasons.iter().enumerate() {
            let count = listed
                .iter()
                .filter(|name| self.tests[**name] == number)
                .count();
            println!("{count:5} {reason}");
        }
        let unlisted: Vec<&String> = differing
            .keys()
            .filter(|name| !listed.contains(name))
            .collect();
        unlisted
            .iter()
            .for_each(|name| println!("{name}\n{}\n", differing[*name]));
        let stale: Vec<&&String> = listed
            .iter()
            .filter(|name| !differing.contains_key(**name))
            .collect();
        assert!(
            unlisted.is_empty(),
            "{} tests differ and are not listed: {unlisted:?}",
            unlisted.len()
        );
        assert!(
            stale.is_empty(),
            "tests are listed as different and agree: {stale:?}"
        );
    }
}

/// The name of a test in the list.
fn name(file: &Path, number: usize) -> String {
    format!(
        "{} {number}",
        file.file_name().unwrap_or_default().display()
    )
}

/// A test of tree construction.
struct TreeTest {
    page: String,
    /// The lines of the tree that the standard builds.
    tree: String,
    /// Whether it is a whole page, read without scripts.
    is_page: bool,
}

impl TreeTest {
    /// Reads one test: parts that begin with lines like `#data`.
    fn read(test: &str) -> Self {
        let part = |name: &str| {
            test.split_once(&format!("\n#{name}\n"))
                .map(|(_, rest)| rest)
        };
        let page = test.split("\n#errors\n").next().unwrap_or_default();
        let tree = part("document").unwrap_or_default();
        let is_page = part("document-fragment").is_none() && !test.contains("\n#script-on\n");
        TreeTest {
            page: page.to_owned(),
            tree: tree.trim_end_matches('\n').to_owned(),
            is_page,
        }
    }

    fn outline(&self) -> Outline {
        let mut outliner = Outliner::new(&self.page);
        // For each element around the line: its depth, and how many blocks were open before it.
        let mut around: Vec<(usize, usize)> = Vec::new();
        let mut unseen = usize::MAX;
        for line in format!("\n{}", self.tree).split("\n| ").skip(1) {
            let content = line.trim_start_matches(' ');
            let depth = line.len() - content.len();
            while let Some((_, blocks)) = around.pop_if(|(inner, _)| *inner >= depth) {
                outliner.leave(blocks);
            }
            unseen = if depth <= unseen { usize::MAX } else { unseen };
            if let Some(text) = content
                .strip_prefix('"')
                .and_then(|text| text.strip_suffix('"'))
            {
                if unseen == usize::MAX {
                    outliner.text(text);
                }
            } else if let Some(name) = element(content) {
                around.push((depth, outliner.enter(name)));
                unseen = if is_unseen(name) {
                    unseen.min(depth)
                } else {
                    unseen
                };
            }
        }
        outliner.finish()
    }
}

/// The name of the element that a line of a tree is: `<svg path>` is called `path`.
fn element(line: &str) -> Option<&str> {
    let inside = line.strip_prefix('<')?.strip_suffix('>')?;
    let name = inside
        .strip_prefix("svg ")
        .or(inside.strip_prefix("math "))
        .unwrap_or(inside);
    (!name.starts_with(['!', '?'])).then_some(name)
}

#[test]
fn texts_stand_under_the_blocks_of_the_standard() {
    let Some(files) = files("tree-construction", "dat") else {
        return println!("skipped: no html5lib-tests");
    };
    let (mut all, mut differing) = (BTreeSet::new(), BTreeMap::new());
    for file in files {
        let tests = format!("\n{}", fs::read_to_string(&file).unwrap());
        for (number, test) in tests.split("\n#data\n").skip(1).enumerate() {
            let test = TreeTest::read(test);
            let theirs = test.outline();
            if !test.is_page || theirs.is_empty() {
                continue;
            }
            let name = name(&file, number + 1);
            let ours = ours(&test.page);
            if ours != theirs {
                differing.insert(
                    name.clone(),
                    format!("{}\nours   {ours:?}\ntheirs {theirs:?}", test.page),
                );
            }
            all.insert(name);
        }
    }
    Accepted::read().check(".dat", 721, &all, &differing);
}

/// A token as both sides tell it: what it is, its name or text, and the attributes of a tag.
type Told = (&'static str, String, BTreeMap<String, String>);

fn told(kind: &'static str, text: &str) -> Told {
    (kind, visible_nul(text), BTreeMap::new())
}

/// The standard puts a replacement character for NUL, spans cannot.
fn visible_nul(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

/// Adds a token; texts that follow each other are one.
fn push(tokens: &mut Vec<Told>, token: Told) {
    match tokens.last_mut() {
        Some((kind, text, _)) if *kind == "text" && token.0 == "text" => text.push_str(&token.1),
        _ => tokens.push(token),
    }
}

/// The tokens of a page behind its first `skipped`, as our tokeniser tells them.
fn our_tokens(page: &str, skipped: usize) -> Vec<Told> {
    let mut all = Vec::new();
    // `</>` is nothing; tokens tile, so that it is a comment of ours.
    let given = |token: &Token| is_whole(page, *token) && token.span.of(page) != "</>";
    for token in tokens(page).skip(skipped).filter(given) {
        push(&mut all, our_token(page, token));
    }
    all
}

/// Whether a tag does not end because the page does. The standard drops those; our tokens tile the
/// page.
fn is_whole(page: &str, token: Token) -> bool {
    let is_tag = matches!(token.kind, Kind::Start | Kind::End);
    !is_tag || tokens(&format!("{page}z")).any(|same| same.span == token.span)
}

fn our_token(page: &str, token: Token) -> Told {
    let text = token.span.of(page);
    let name = token.name.of(page).to_ascii_lowercase();
    match token.kind {
        Kind::Text => told("text", &htmlize::unescape(text)),
        Kind::Raw => told("text", text),
        Kind::Start => ("start", visible_nul(&name), our_attributes(page, token)),
        Kind::End => told("end", &name),
        Kind::Declaration => told("declaration", ""),
        Kind::Comment | Kind::Instruction | Kind::Cdata => told("comment", comment(text)),
    }
}

/// The first of each name counts.
fn our_attributes(page: &str, token: Token) -> BTreeMap<String, String> {
    let attribute = |attribute: unmold::read::html::Attribute| {
        let value = attribute.value.map_or("", |value| value.of(page));
        let name = attribute.name.of(page).to_ascii_lowercase();
        (
            visible_nul(&name),
            visible_nul(&htmlize::unescape_attribute(value)),
        )
    };
    let mut all: Vec<_> = attributes(page, token).map(attribute).collect();
    all.reverse();
    all.into_iter().collect()
}

/// What stands in a comment, whichever way it was opened and closed.
fn comment(text: &str) -> &str {
    let Some(inside) = text.strip_prefix("<!--") else {
        let inside = text
            .strip_prefix("<!")
            .or(text.strip_prefix("</"))
            .or(text.strip_prefix('<'))
            .unwrap_or(text);
        return inside.strip_suffix('>').unwrap_or(inside);
    };
    if matches!(inside, ">" | "->") {
        return "";
    }
    let is_cut_off = !inside.ends_with('>');
    let ends: &[&str] = if is_cut_off {
        &["--!", "--", "-"]
    } else {
        &["-->", "--!>"]
    };
    ends.iter()
        .find_map(|end| inside.strip_suffix(end))
        .unwrap_or(inside)
}

/// The tokens that a test expects.
fn their_tokens(test: &Value, decode: impl Fn(&str) -> String) -> Vec<Told> {
    let mut all = Vec::new();
    for token in test["output"].as_array().into_iter().flatten() {
        let text = decode(token[1].as_str().unwrap_or_default());
        let attributes = token[2].as_object().into_iter().flatten();
        let attributes = attributes
            .map(|(name, value)| (decode(name), decode(value.as_str().unwrap_or_default())));
        match token[0].as_str().unwrap_or_default() {
            "Character" => push(&mut all, told("text", &text)),
            "StartTag" => all.push(("start", text, attributes.collect())),
            "EndTag" => all.push(told("end", &text)),
            "Comment" => all.push(told("comment", &text)),
            _ => all.push(told("declaration", "")),
        }
    }
    all
}

/// Some tests write `\u0000` as six characters, to be read as one. Half a surrogate pair cannot
/// stand in a page.
fn unescaped(text: &str) -> Option<String> {
    let mut pieces = text.split("\\u");
    let mut whole = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let code = u32::from_str_radix(piece.get(..4)?, 16).ok()?;
        whole.push(char::from_u32(code)?);
        whole.push_str(&piece[4..]);
    }
    Some(whole)
}

/// The start tag behind which a tokeniser is in a state, if the test has one that we know.
fn opening(state: &str, test: &Value) -> Option<&'static str> {
    let tag = test["lastStartTag"].as_str();
    match (state, tag) {
        ("Data state", _) => Some(""),
        ("PLAINTEXT state", _) => Some("<plaintext>"),
        ("RCDATA state", Some("textarea") | None) => Some("<textarea>"),
        ("RAWTEXT state", Some("xmp") | None) => Some("<xmp>"),
        ("Script data state", Some("script") | None) => Some("<script>"),
        _ => None,
    }
}

#[test]
fn tokens_are_those_of_the_standard() {
    let Some(files) = files("tokenizer", "test") else {
        return println!("skipped: no html5lib-tests");
    };
    let (mut all, mut differing) = (BTreeSet::new(), BTreeMap::new());
    for file in files {
        let tests: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        for (number, test) in tests["tests"].as_array().into_iter().flatten().enumerate() {
            if let Some(difference) = compare_tokens(test) {
                let name = name(&file, number + 1);
                all.insert(name.clone());
                difference.and_then(|difference| differing.insert(name, difference));
            }
        }
    }
    Accepted::read().check(".test", 6745, &all, &differing);
}

/// How our tokens differ from those of a test, in any of the states it is for; nothing where it is
/// for none of ours.
fn compare_tokens(test: &Value) -> Option<Option<String>> {
    let is_escaped = test["doubleEscaped"].as_bool().unwrap_or_default();
    let decode = |text: &str| {
        if is_escaped {
            unescaped(text)
        } else {
            Some(text.to_owned())
        }
    };
    let input = decode(test["input"].as_str()?)?;
    let theirs = their_tokens(test, |text| decode(text).unwrap_or_default());
    let data = vec![Value::from("Data state")];
    let states = test["initialStates"].as_array().unwrap_or(&data);
    let openings: Vec<&str> = states
        .iter()
        .filter_map(|state| opening(state.as_str()?, test))
        .collect();
    let differs = |opening: &&str| {
        // What a decoder does before: line ends are `\n`.
        let page = format!(
            "{opening}{}",
            input.replace("\r\n", "\n").replace('\r', "\n")
        );
        let ours = our_tokens(&page, usize::from(!opening.is_empty()));
        (ours != theirs).then(|| format!("{page:?}\nours   {ours:?}\ntheirs {theirs:?}"))
    };
    (!openings.is_empty()).then(|| openings.iter().find_map(differs))
}
