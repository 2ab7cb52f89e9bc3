//! The folder of the sites: written whole, or compared.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// File name inside the folder, with `/`, to bytes.
pub type Files = BTreeMap<String, Vec<u8>>;

/// `testdata/sites`.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../sites")
}

/// Writes the files and removes every other file of the folder.
pub fn write(folder: &Path, files: &Files) -> Result<String, String> {
    for name in names(folder)?
        .iter()
        .filter(|name| !files.contains_key(*name))
    {
        fs::remove_file(folder.join(name)).map_err(|error| failed(name, &error))?;
    }
    for (name, bytes) in files {
        let path = folder.join(name);
        let parent = path.parent().expect("files are inside the folder");
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(&path, bytes))
            .map_err(|error| failed(name, &error))?;
    }
    Ok(format!(
        "{} files, {} bytes written",
        files.len(),
        files.values().map(Vec::len).sum::<usize>()
    ))
}

fn failed(name: &str, error: &io::Error) -> String {
    format!("{name}: {error}")
}

/// Says the first difference between the folder and the files.
pub fn check(folder: &Path, files: &Files) -> Result<String, String> {
    for (name, bytes) in files {
        let found = fs::read(folder.join(name)).map_err(|error| failed(name, &error))?;
        if let Some(at) = first_difference(&found, bytes) {
            return Err(format!(
                "{name}: differs from what would be generated, first at byte {at}"
            ));
        }
    }
    match names(folder)?
        .iter()
        .find(|name| !files.contains_key(*name))
    {
        Some(name) => Err(format!("{name}: would not be generated")),
        None => Ok(format!("{} files are as generated", files.len())),
    }
}

fn first_difference(a: &[u8], b: &[u8]) -> Option<usize> {
    let shorter = a.len().min(b.len());
    a.iter()
        .zip(b)
        .position(|(a, b)| a != b)
        .or((a.len() != b.len()).then_some(shorter))
}

/// The names of all files in the folder; none if there is no folder yet.
fn names(folder: &Path) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(here) = open.pop() {
        for entry in fs::read_dir(&here).into_iter().flatten() {
            let path = entry
                .map_err(|error| format!("{}: {error}", here.display()))?
                .path();
            if path.is_dir() {
                open.push(path);
            } else {
                let inside = path.strip_prefix(folder).expect("it was listed there");
                let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
                found.push(parts.join("/"));
            }
        }
    }
    found.sort();
    Ok(found)
}
