//! The tests that docs/faults.md names exist, and every case of it names one.

use std::{
    fs,
    path::{Path, PathBuf},
};

fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files that a name in the table may stand for.
fn files(name: &str) -> Vec<PathBuf> {
    let (place, rest) = name.split_once('/').unwrap_or_else(|| panic!("{name}"));
    let crates = project().join("crates");
    match place {
        "cli" => vec![crates.join("unmold-cli/tests").join(rest)],
        "io" => vec![crates.join("unmold-io/tests/load").join(rest)],
        "lib" => vec![crates.join("unmold/tests").join(rest)],
        "src" => ["unmold", "unmold-io", "unmold-cli", "unmold-view"]
            .map(|of| crates.join(of).join(name))
            .to_vec(),
        "crawl" if rest.starts_with("src/") => vec![crates.join("unmold-crawl").join(rest)],
        "crawl" => vec![crates.join("unmold-crawl/tests/crawl").join(rest)],
        "view" => vec![crates.join("unmold-view/tests").join(rest)],
        "py" => vec![crates.join("unmold-py/tests").join(rest)],
        _ => panic!("{name}"),
    }
}

/// Whether a row names a whole file of tests, and all that it names are there.
fn names_files(row: &str) -> bool {
    let named = row.split('`').skip(1).step_by(2);
    let mut files = named
        .filter(|name| is_of_a_place(name) && !name.contains("::"))
        .map(files)
        .peekable();
    files.peek().is_some() && files.all(|paths| paths.iter().any(|path| path.is_file()))
}

fn is_of_a_place(name: &str) -> bool {
    ["crawl/", "view/", "py/"]
        .iter()
        .any(|place| name.starts_with(place))
}

fn has_test(file: &Path, test: &str) -> bool {
    let source = fs::read_to_string(file).unwrap_or_default();
    if file.extension().is_some_and(|extension| extension == "py") {
        return source.contains(&format!("\ndef {test}("));
    }
    let before = |at: usize| {
        source[..at]
            .lines()
            .rev()
            .take(4)
            .any(|line| line.trim() == "#[test]")
    };
    let signature = format!("fn {test}(");
    let mut places = source.match_indices(&signature).map(|(at, _)| at);
    // A test over properties, too.
    places.any(|at| before(at) || source.contains("proptest!"))
}

/// The tests that a row names.
fn tests(row: &str) -> Vec<(String, String)> {
    let mut file = String::new();
    let named = row
        .split('`')
        .skip(1)
        .step_by(2)
        .filter_map(|name| name.split_once("::"));
    let of_row = named.map(|(of, test)| {
        if !of.is_empty() {
            file = of.to_owned();
        }
        (file.clone(), test.to_owned())
    });
    of_row.collect()
}

#[test]
fn every_case_names_a_test_that_exists() {
    let table = fs::read_to_string(project().join("docs/faults.md")).unwrap();
    let is_row = |line: &&str| {
        line.starts_with("| ") && !line.starts_with("| case |") && !line.starts_with("| what |")
    };
    let mut cases = 0;
    for row in table.lines().filter(is_row) {
        let tests = tests(row);
        assert!(!tests.is_empty() || names_files(row), "no test: {row}");
        for (file, test) in &tests {
            assert!(
                files(file).iter().any(|path| has_test(path, test)),
                "{file}::{test} is not there"
            );
        }
        cases += 1;
    }
    assert!(cases > 45, "{cases}");
}

#[test]
fn all_cases_are_there() {
    let table = fs::read_to_string(project().join("docs/faults.md")).unwrap();
    let numbers: Vec<u32> = table
        .lines()
        .filter_map(|line| line.strip_prefix("| "))
        .flat_map(|row| {
            row.split(|c: char| !c.is_ascii_digit() && c != ',' && c != ' ')
                .next()
                .unwrap()
                .split([',', ' '])
        })
        .filter_map(|number| number.parse().ok())
        .collect();
    for case in 1..=65 {
        assert!(numbers.contains(&case), "{case}");
    }
}
