//! Which files does a folder hold, in which order?
//!
//! All regular files below it, by the bytes of their paths, so that the order is the same on every
//! machine. Left out: names that start with a dot, as tools that walk folders do, and links to
//! folders, which can lead in circles; the latter are reported. Links to files are followed. One
//! listing per level is in memory.

use std::ffi::OsStr;
use std::fs::{self, DirEntry, FileType};
use std::io;
use std::path::{Path, PathBuf};

/// What stands in a folder.
pub(crate) enum Entry {
    File,
    LinkedFolder,
    /// A pipe, a socket or a device.
    Special,
    Unreadable(io::Error),
}

/// Something found, with its path from the folder that was given, `/` between the parts.
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    pub(crate) relative: String,
    pub(crate) entry: Entry,
}

/// The files of a folder in order.
pub(crate) struct Walk {
    /// The listings from the top folder down, each sorted with its next entry last.
    levels: Vec<Vec<Listed>>,
}

struct Listed {
    path: PathBuf,
    relative: String,
    /// What the listing says it is, where it says so.
    kind: Option<FileType>,
}

impl Walk {
    pub(crate) fn new(folder: &Path) -> io::Result<Walk> {
        Ok(Walk {
            levels: vec![list(folder, "")?],
        })
    }

    /// Goes into a subfolder; one that cannot be listed is reported in place.
    fn enter(&mut self, listed: Listed) -> Option<Found> {
        match list(&listed.path, &format!("{}/", listed.relative)) {
            Ok(level) => {
                self.levels.push(level);
                None
            }
            Err(error) => Some(listed.found(Entry::Unreadable(error))),
        }
    }
}

impl Iterator for Walk {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        loop {
            let level = self.levels.last_mut()?;
            let Some(listed) = level.pop() else {
                self.levels.pop();
                continue;
            };
            let found = match listed.kind {
                Some(kind) if kind.is_dir() => self.enter(listed),
                Some(kind) if kind.is_file() => Some(listed.found(Entry::File)),
                _ => Some(listed.follow()),
            };
            if found.is_some() {
                return found;
            }
        }
    }
}

impl Listed {
    fn found(self, entry: Entry) -> Found {
        Found {
            path: self.path,
            relative: self.relative,
            entry,
        }
    }

    /// Looks at what a link leads to.
    fn follow(self) -> Found {
        let entry = match fs::metadata(&self.path) {
            Ok(target) if target.is_file() => Entry::File,
            Ok(target) if target.is_dir() => Entry::LinkedFolder,
            Ok(_) => Entry::Special,
            Err(error) => Entry::Unreadable(error),
        };
        self.found(entry)
    }

    /// The bytes by which entries are ordered: a folder sorts as its files do, with a `/` behind
    /// its name.
    fn sort_key(&self) -> (&[u8], &[u8]) {
        let is_folder = self.kind.is_some_and(|kind| kind.is_dir());
        (self.relative.as_bytes(), if is_folder { b"/" } else { b"" })
    }
}

fn list(folder: &Path, prefix: &str) -> io::Result<Vec<Listed>> {
    let mut level = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_name().as_encoded_bytes().starts_with(b".") {
            level.push(listed(&entry, prefix));
        }
    }
    level.sort_by(|a, b| compare(b.sort_key(), a.sort_key()));
    Ok(level)
}

fn listed(entry: &DirEntry, prefix: &str) -> Listed {
    let relative = format!("{prefix}{}", name_of(&entry.file_name()));
    Listed {
        path: entry.path(),
        relative,
        kind: entry.file_type().ok(),
    }
}

/// Compares two byte strings that are each given in two parts.
fn compare(a: (&[u8], &[u8]), b: (&[u8], &[u8])) -> std::cmp::Ordering {
    a.0.iter().chain(a.1).cmp(b.0.iter().chain(b.1))
}

/// A file name as text. Bytes that are not UTF-8 are written `\xff`, so that different names stay
/// different.
pub(crate) fn name_of(name: &OsStr) -> String {
    let mut text = String::new();
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        Walk::new(folder)
            .unwrap()
            .map(|found| found.relative)
            .collect()
    }

    #[test]
    fn order_is_that_of_path_bytes_and_dot_names_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["a-b", "a.html", "a/z", "a/b/c", "a0", ".git/x", "a/.y", "B"] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let expected = ["B", "a-b", "a.html", "a/b/c", "a/z", "a0"];
        assert_eq!(names(folder.path()), expected);
        assert!(expected.is_sorted());
    }

    #[test]
    #[cfg(unix)]
    fn links_that_lead_in_circles_end() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(folder.path(), folder.path().join("self")).unwrap();
        let found: Vec<Found> = Walk::new(folder.path()).unwrap().collect();
        assert!(matches!(
            found[..],
            [Found {
                entry: Entry::LinkedFolder,
                ..
            }]
        ));
    }

    #[test]
    #[cfg(unix)]
    fn names_that_are_not_utf8_stay_different() {
        use std::os::unix::ffi::OsStrExt;
        assert_eq!(name_of(OsStr::from_bytes(b"a\xff.html")), "a\\xff.html");
        assert_ne!(
            name_of(OsStr::from_bytes(b"\xfe")),
            name_of(OsStr::from_bytes(b"\xff"))
        );
    }
}
