//! What is each input called in page ids?
//!
//! A file is called by its name, and a page of the only folder by its path in that folder:
//! `0001.html`. With several inputs, ids must not collide: the pages of a folder start with the
//! folder's name, inputs of the same name are called by the paths as they were typed, and what is
//! still the same gets a number.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::folder::name_of;

/// An input and its names.
pub(crate) struct Label {
    pub(crate) path: PathBuf,
    /// What it is called if it is a file.
    pub(crate) name: String,
    /// What the ids of its pages start with if it is a folder.
    pub(crate) prefix: String,
}

/// Names the inputs so that no two have the same name.
pub(crate) fn label(paths: Vec<PathBuf>) -> Vec<Label> {
    if let [path] = &paths[..] {
        return vec![Label {
            name: short_name(path),
            prefix: String::new(),
            path: path.clone(),
        }];
    }
    let mut uses: HashMap<String, usize> = HashMap::new();
    for path in &paths {
        *uses.entry(short_name(path)).or_default() += 1;
    }
    let unique = |path: &Path| uses[&short_name(path)] == 1;
    let mut taken: HashSet<String> = paths
        .iter()
        .filter(|path| unique(path))
        .map(|path| short_name(path))
        .collect();
    let name = |path: &Path| {
        if unique(path) {
            short_name(path)
        } else {
            free_name(path, &mut taken)
        }
    };
    let names: Vec<String> = paths.iter().map(PathBuf::as_path).map(name).collect();
    paths
        .into_iter()
        .zip(names)
        .map(|(path, name)| Label {
            path,
            prefix: format!("{name}/"),
            name,
        })
        .collect()
}

/// The last part of a path, or all of one that has no last part, such as `..`.
fn short_name(path: &Path) -> String {
    name_of(path.file_name().unwrap_or(path.as_os_str()))
}

/// The path as typed, with a number behind it if that name is taken or inside a folder whose name
/// is.
fn free_name(path: &Path, taken: &mut HashSet<String>) -> String {
    // Without the trailing slash of a folder: the names of its pages get one anyway.
    let typed = name_of(path.components().as_path().as_os_str());
    let mut name = typed.clone();
    let mut number = 2;
    while is_taken(&name, taken) {
        name = format!("{typed}~{number}");
        number += 1;
    }
    taken.insert(name.clone());
    name
}

fn is_taken(name: &str, taken: &HashSet<String>) -> bool {
    taken.contains(name)
        || name
            .match_indices('/')
            .any(|(end, _)| taken.contains(&name[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(paths: &[&str]) -> Vec<String> {
        label(paths.iter().map(PathBuf::from).collect())
            .into_iter()
            .map(|label| label.name)
            .collect()
    }

    #[test]
    fn one_folder_adds_nothing_to_the_ids_of_its_pages() {
        assert_eq!(label(vec![PathBuf::from("a/site")])[0].prefix, "");
    }

    #[test]
    fn names_are_short_where_they_differ_and_typed_paths_where_not() {
        assert_eq!(names(&["a/1.html", "b/2.html"]), ["1.html", "2.html"]);
        assert_eq!(
            names(&["a/1.html", "b/1.html", "c"]),
            ["a/1.html", "b/1.html", "c"]
        );
    }

    #[test]
    fn an_input_given_twice_has_two_names() {
        assert_eq!(names(&["a", "a", "a"]), ["a", "a~2", "a~3"]);
        assert_eq!(names(&["x/a/", "x/a"]), ["x/a", "x/a~2"]);
    }
}
