//! The rooms of the library and which of them use which.
//!
//! The graph is drawn from the sources: every path that begins with `crate::` (or leads there by `super::`) in code that
//! is not a test or a comment. A room may use what stands before it in [`ROOMS`] and nothing else. ARCHITECTURE.md shows
//! the graph; this test keeps it true.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// The rooms, each of which uses only those before it.
const ROOMS: [&str; 16] = [
    "read", "symbols", "papers", "group", "lr", "strings", "lists", "content", "fields", "mold",
    "learn", "reader", "check", "export", "report", "evaluate",
];

type Graph = BTreeMap<&'static str, BTreeSet<&'static str>>;

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
    {
        if entry.is_dir() {
            files.extend(sources(&entry));
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            files.push(entry);
        }
    }
    files.sort();
    files
}

/// The code of a file, without comments and without its tests, which stand at its end.
fn code(file: &Path) -> String {
    let source = fs::read_to_string(file).unwrap();
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// The module that a file is, as the names on the way there.
fn module(src: &Path, file: &Path) -> Vec<String> {
    let way = file.strip_prefix(src).unwrap().with_extension("");
    let mut names: Vec<String> = way
        .iter()
        .map(|name| name.to_str().unwrap().to_owned())
        .collect();
    names.pop_if(|last| last == "mod" || last == "lib");
    names
}

/// The room of a name at the root: the room itself, or that of what the root gives out again.
fn room(name: &str) -> Option<&'static str> {
    match name {
        "Page" | "Span" | "Text" => Some("read"),
        "Mold" => Some("mold"),
        "Learner" => Some("learn"),
        "Extraction" | "Reader" => Some("reader"),
        name => ROOMS.into_iter().find(|room| *room == name),
    }
}

/// The names that stand first in a path, or in each branch of `{a::b, c}`.
fn first_names(path: &str) -> Vec<String> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let Some(branches) = path.strip_prefix('{') else {
        return vec![path.chars().take_while(|&c| is_name(c)).collect()];
    };
    let (mut names, mut depth, mut at_start, mut name) = (Vec::new(), 1, true, String::new());
    for c in branches.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 1 && at_start && is_name(c) {
            name.push(c);
        } else if !name.is_empty() {
            names.push(std::mem::take(&mut name));
            at_start = false;
        }
        at_start |= depth == 1 && c == ',';
        if depth == 0 {
            break;
        }
    }
    names
}

/// Adds the rooms that a file uses.
fn add_uses(graph: &mut Graph, src: &Path, file: &Path) {
    let module = module(src, file);
    let Some(own) = module.first().and_then(|name| room(name)) else {
        return;
    };
    let code = code(file);
    let to_root = format!("{}::", vec!["super"; module.len()].join("::"));
    for root in ["crate::", to_root.as_str()] {
        for (at, _) in code.match_indices(root) {
            // `super::` of a deeper file ends in the same words.
            if code[..at].ends_with("::") {
                continue;
            }
            for name in first_names(&code[at + root.len()..]) {
                graph
                    .entry(own)
                    .or_default()
                    .extend(room(&name).filter(|used| *used != own));
            }
        }
    }
}

fn graph() -> Graph {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut graph: Graph = ROOMS
        .into_iter()
        .map(|room| (room, BTreeSet::new()))
        .collect();
    sources(&src)
        .iter()
        .for_each(|file| add_uses(&mut graph, &src, file));
    graph
}

fn place(room: &str) -> usize {
    ROOMS.iter().position(|known| *known == room).unwrap()
}

/// The graph as ARCHITECTURE.md shows it: a room, and what it uses, from the left to the right.
fn drawn(graph: &Graph) -> String {
    let mut lines = String::new();
    for room in ROOMS {
        let mut used: Vec<&str> = graph[room].iter().copied().collect();
        used.sort_by_key(|used| place(used));
        lines.push_str(format!("{room:<9} {}", used.join(" ")).trim_end());
        lines.push('\n');
    }
    lines
}

#[test]
fn paths_are_read() {
    assert_eq!(first_names("a::b;"), ["a"]);
    assert_eq!(first_names("{Span, a::{b, c}, d::e};"), ["Span", "a", "d"]);
    assert_eq!(
        first_names("{\n    a::b::{\n x, y},\n    c,\n};"),
        ["a", "c"]
    );
}

#[test]
fn every_module_is_in_a_room() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for file in sources(&src)
        .iter()
        .filter(|file| !file.ends_with("lib.rs"))
    {
        let module = module(&src, file);
        assert!(
            room(&module[0]).is_some(),
            "{} stands in no room",
            file.display()
        );
    }
}

#[test]
fn rooms_use_only_what_stands_to_their_left() {
    let graph = graph();
    let wrong: Vec<String> = graph
        .iter()
        .flat_map(|(room, used)| used.iter().map(move |used| (room, used)))
        .filter(|(room, used)| place(used) >= place(room))
        .map(|(room, used)| format!("{room} uses {used}"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    // A graph without edges would be drawn wrongly, not be without cycles.
    assert!(
        graph["fields"].contains("read") && graph["learn"].contains("mold"),
        "{graph:?}"
    );
}

#[test]
fn the_architecture_shows_the_graph() {
    let architecture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md");
    let architecture = fs::read_to_string(architecture).unwrap();
    let drawn = drawn(&graph());
    assert!(
        architecture.contains(&drawn),
        "ARCHITECTURE.md must show this graph:\n{drawn}"
    );
}
