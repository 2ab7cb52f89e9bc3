//! Which rooms of the library use which, and which modules inside a room.
//!
//! The graphs are read from the sources, without tests and comments. A room may use those before it
//! in [`ROOMS`] and no others; ARCHITECTURE.md shows that graph, and a test keeps it true. Modules of
//! one room may use each other in any order, but never in a circle.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// The rooms, each of which uses only those before it.
const ROOMS: [&str; 18] = [
    "read", "symbols", "papers", "group", "lr", "strings", "lists", "content", "fields", "mold",
    "learn", "reader", "check", "export", "report", "join", "changes", "evaluate",
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

fn room(name: &str) -> Option<&'static str> {
    ROOMS.into_iter().find(|room| *room == name)
}

/// All paths of a file, as the words between `::`: those of `use` declarations, one for each name,
/// and those in code. What `pub use` gives out again is left out.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    let mut rest = code;
    while let Some(at) = next_word(rest, "use") {
        paths.extend(paths_in_code(&rest[..at]));
        let end = at + rest[at..].find(';').unwrap_or(rest.len() - at);
        let is_given_out = rest[..at].trim_end().ends_with(['b', ')'])
            && rest[..at]
                .rsplit(['\n', ';'])
                .next()
                .unwrap()
                .contains("pub");
        if !is_given_out {
            paths.extend(expanded(&rest[at + "use".len()..end]));
        }
        rest = &rest[end..];
    }
    paths.extend(paths_in_code(rest));
    paths
}

/// Where a word begins that is no part of a longer one.
fn next_word(code: &str, word: &str) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word)
        .map(|(at, _)| at)
        .find(|&at| !code[..at].ends_with(is_part) && !code[at + word.len()..].starts_with(is_part))
}

/// The paths of a `use` declaration: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn expanded(tree: &str) -> Vec<Vec<String>> {
    let tree = tree.trim();
    let Some(open) = tree.find('{') else {
        let path = tree.split(" as ").next().unwrap_or_default();
        return vec![
            path.split("::")
                .map(|word| word.trim().to_owned())
                .collect(),
        ];
    };
    let prefix: Vec<String> = tree[..open]
        .split("::")
        .map(|word| word.trim().to_owned())
        .filter(|word| !word.is_empty())
        .collect();
    let inside = tree[open + 1..]
        .trim_end()
        .strip_suffix('}')
        .unwrap_or_default();
    let mut paths = Vec::new();
    for branch in branches(inside) {
        for path in expanded(branch) {
            let path = path.into_iter().filter(|word| word != "self");
            paths.push(prefix.iter().cloned().chain(path).collect());
        }
    }
    paths
}

/// What commas part that are in no braces.
fn branches(inside: &str) -> Vec<&str> {
    let (mut branches, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in inside.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                branches.push(&inside[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    branches.push(&inside[start..]);
    branches.retain(|branch| !branch.trim().is_empty());
    branches
}

/// The paths in code that is no `use` declaration.
fn paths_in_code(code: &str) -> Vec<Vec<String>> {
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    code.split(|c: char| !is_path(c))
        .filter(|path| path.contains("::") && !path.starts_with(':'))
        .map(|path| path.split("::").map(str::to_owned).collect())
        .collect()
}

/// The modules of the library, and what each gives out that is another's.
struct Modules {
    /// Code by the names on the way to the module; the root is empty.
    code: BTreeMap<Vec<String>, String>,
    /// Where `pub use` leads: module and name, and the path there.
    given_out: BTreeMap<(Vec<String>, String), Vec<String>>,
}

impl Modules {
    fn read() -> Self {
        let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let code: BTreeMap<Vec<String>, String> = sources(&src)
            .iter()
            .map(|file| (module(&src, file), code(file)))
            .collect();
        let mut modules = Modules {
            code,
            given_out: BTreeMap::new(),
        };
        for (module, code) in &modules.code {
            for statement in code.split(';') {
                let statement = statement.trim_start();
                let Some(at) = next_word(statement, "use").filter(|_| statement.starts_with("pub"))
                else {
                    continue;
                };
                for path in expanded(&statement[at + "use".len()..]) {
                    let name = path.last().cloned().unwrap_or_default();
                    if let Some(absolute) = modules.absolute(module, &path) {
                        modules.given_out.insert((module.clone(), name), absolute);
                    }
                }
            }
        }
        modules
    }

    /// A path from the root, if it leads into the library.
    fn absolute(&self, from: &[String], path: &[String]) -> Option<Vec<String>> {
        let mut absolute = from.to_vec();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => {
                absolute.clear();
                rest = &path[1..];
            }
            "self" => rest = &path[1..],
            "super" => {
                while rest.first().is_some_and(|word| word == "super") {
                    absolute.pop();
                    rest = &rest[1..];
                }
            }
            // A module inside this one, named without more.
            child => {
                absolute.push(child.to_owned());
                if !self.code.contains_key(&absolute) {
                    return None;
                }
                rest = &path[1..];
            }
        }
        absolute.extend(rest.iter().cloned());
        Some(absolute)
    }

    /// The module in which the last name of a path from the root is defined.
    fn defining(&self, path: &[String]) -> Option<Vec<String>> {
        let known = (0..=path.len())
            .rev()
            .find(|&length| self.code.contains_key(&path[..length]))?;
        let module = path[..known].to_vec();
        let Some(name) = path.get(known) else {
            return Some(module);
        };
        match self.given_out.get(&(module.clone(), name.clone())) {
            Some(elsewhere) if elsewhere != path => self.defining(elsewhere),
            _ => Some(module),
        }
    }

    /// The modules that each module uses.
    fn uses(&self) -> BTreeMap<Vec<String>, BTreeSet<Vec<String>>> {
        let mut graph: BTreeMap<Vec<String>, BTreeSet<Vec<String>>> = BTreeMap::new();
        for (module, code) in &self.code {
            let used = graph.entry(module.clone()).or_default();
            for path in paths(code) {
                let path = self
                    .absolute(module, &path)
                    .and_then(|path| self.defining(&path));
                used.extend(path.filter(|used| used != module));
            }
        }
        graph
    }

    /// The modules of a room that use each other in circles: no order has each of them after all
    /// that it uses.
    fn tangled(&self, room: &str) -> Vec<String> {
        let mut graph = self.uses();
        graph.retain(|module, _| module.first().is_some_and(|first| first == room));
        let mut count = 0;
        while count != graph.len() {
            count = graph.len();
            // What nothing that is left uses, or what uses nothing that is left, is in no circle.
            let left: BTreeSet<Vec<String>> = graph.keys().cloned().collect();
            graph.retain(|_, used| used.iter().any(|used| left.contains(used)));
            let used: BTreeSet<Vec<String>> = graph.values().flatten().cloned().collect();
            graph.retain(|module, _| used.contains(module));
        }
        graph
            .iter()
            .map(|(module, used)| {
                let used = used.iter().filter(|used| graph.contains_key(*used));
                let used: Vec<String> = used.map(|used| used.join("::")).collect();
                format!("{} uses {}", module.join("::"), used.join(", "))
            })
            .collect()
    }
}

fn graph() -> Graph {
    let mut graph: Graph = ROOMS
        .into_iter()
        .map(|room| (room, BTreeSet::new()))
        .collect();
    for (module, used) in Modules::read().uses() {
        let Some(own) = module.first().and_then(|name| room(name)) else {
            continue;
        };
        let rooms = used
            .iter()
            .filter_map(|used| used.first().and_then(|name| room(name)));
        graph
            .entry(own)
            .or_default()
            .extend(rooms.filter(|used| *used != own));
    }
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

fn joined(paths: &[Vec<String>]) -> Vec<String> {
    paths.iter().map(|path| path.join("::")).collect()
}

#[test]
fn paths_are_read() {
    assert_eq!(joined(&paths("use crate::a::b;")), ["crate::a::b"]);
    assert_eq!(
        joined(&paths("use super::{Span, a::{self, c}, d::e as f};")),
        ["super::Span", "super::a", "super::a::c", "super::d::e"]
    );
    assert_eq!(
        joined(&paths("pub use a::B;\npub(crate) use c::D;")),
        [""; 0]
    );
    assert_eq!(
        joined(&paths("fn unused(x: &super::a::B) { c::d(x) }")),
        ["super::a::B", "c::d"]
    );
}

#[test]
fn names_that_are_given_out_again_lead_to_where_they_are_defined() {
    let modules = Modules::read();
    let path = |path: &str| -> Vec<String> { path.split("::").map(str::to_owned).collect() };
    assert_eq!(modules.defining(&path("Mold")), Some(path("mold")));
    assert_eq!(
        modules.defining(&path("learn::Learner")),
        Some(path("learn::learner"))
    );
    assert!(modules.uses()[&path("learn::learner")].contains(&path("learn::pages")));
}

/// Rooms with circles in them, which are still to be taken apart.
const TANGLED: [&str; 6] = ["read", "papers", "group", "lr", "strings", "export"];

#[test]
fn no_modules_of_a_room_use_each_other_in_a_circle() {
    let modules = Modules::read();
    let mut wrong = Vec::new();
    for room in ROOMS {
        let tangled = modules.tangled(room);
        if TANGLED.contains(&room) == tangled.is_empty() {
            wrong.push(format!("{room}\n  {}", tangled.join("\n  ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
