//! How does an archive become several files of a bounded size?
//!
//! [`WarcParts`] writes one [`WarcFile`], or, where files are to have an end, a row of them:
//! `site.warc.gz` becomes `site-00000.warc.gz`, `site-00001.warc.gz` and so on. Only the last of
//! them is ever unfinished.
//!
//! ```
//! use std::{path::Path, time::SystemTime};
//! use unmold_io::{save::Overwrite, warc_file::Record, warc_parts::WarcParts};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("site.warc.gz");
//! let mut parts = WarcParts::create(&path, Some(1), Overwrite::Refuse)?;
//! parts.append(&[Record::info(SystemTime::now(), &[("software", "one")])])?;
//! assert!(parts.is_full());
//! let written = parts.sync()?;
//! parts.rotate()?;
//! assert_eq!((written.part, parts.sync()?.part), (0, 1));
//! assert!(folder.path().join("site-00000.warc.gz").exists());
//! assert!(folder.path().join("site-00001.warc.gz.open").exists());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A caller that keeps a state of its own notes the [`Mark`] that [`WarcParts::sync`] gave, also
//! before it rotates, and resumes at it.

use crate::{
    save::{Overwrite, SaveError, check_file, folder_of},
    warc_file::{Record, WarcFile},
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// An archive that is being written, as one file or as several.
#[derive(Debug)]
pub struct WarcParts {
    path: PathBuf,
    /// The size behind which another file is begun; without one there is only one file.
    rotate: Option<u64>,
    part: u32,
    overwrite: Overwrite,
    file: WarcFile,
}

/// Up to where an archive lasts on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The number of the last file, counted from zero.
    pub part: u32,
    /// How long that file is.
    pub length: u64,
}

impl WarcParts {
    /// The name of a part: that of the archive itself where it is one file.
    pub fn path_of(path: &Path, rotate: Option<u64>, part: u32) -> PathBuf {
        if rotate.is_none() {
            return path.to_owned();
        }
        let (stem, ending) = halves(path);
        path.with_file_name(format!("{stem}-{part:05}{ending}"))
    }

    /// The unfinished file of an archive, if there is one.
    pub fn unfinished(path: &Path, rotate: Option<u64>) -> Option<PathBuf> {
        let finished = |part: &u32| rotate.is_some() && Self::path_of(path, rotate, *part).exists();
        let first_open =
            (0..).find(|part| !finished(part) || open_part(path, rotate, *part).exists())?;
        Some(open_part(path, rotate, first_open)).filter(|open| open.exists())
    }

    /// Begins an archive. Files of an earlier one with the same names are replaced where that is
    /// allowed.
    pub fn create(
        path: &Path,
        rotate: Option<u64>,
        overwrite: Overwrite,
    ) -> Result<Self, SaveError> {
        Self::begin(path, rotate, 0, overwrite)
    }

    fn begin(
        path: &Path,
        rotate: Option<u64>,
        part: u32,
        overwrite: Overwrite,
    ) -> Result<Self, SaveError> {
        let file = WarcFile::create(Self::path_of(path, rotate, part), overwrite)?;
        Ok(WarcParts {
            path: path.to_owned(),
            rotate,
            part,
            overwrite,
            file,
        })
    }

    /// Goes on behind what was noted. A part that was finished since then is followed by another.
    pub fn resume(path: &Path, rotate: Option<u64>, noted: Mark) -> Result<Self, SaveError> {
        // What stands there under the names of later parts is what the cut-off run had begun to
        // write or to replace.
        let overwrite = Overwrite::Allow;
        let Mark { part, length } = noted;
        if rotate.is_some() && !open_part(path, rotate, part).exists() {
            return Self::begin(path, rotate, part + 1, overwrite);
        }
        let file = WarcFile::resume(Self::path_of(path, rotate, part), Some(length))?;
        Ok(WarcParts {
            path: path.to_owned(),
            rotate,
            part,
            overwrite,
            file,
        })
    }

    /// Writes records, each as a member of its own, into the last file.
    pub fn append(&mut self, records: &[Record]) -> Result<u64, SaveError> {
        self.file.append(records)
    }

    /// Forces what was written to the disk.
    pub fn sync(&mut self) -> Result<Mark, SaveError> {
        Ok(Mark {
            part: self.part,
            length: self.file.sync()?,
        })
    }

    /// Whether the last file is as large as a file may become.
    pub fn is_full(&self) -> bool {
        self.rotate
            .is_some_and(|rotate| self.file.length() >= rotate)
    }

    /// Finishes the last file, and begins another.
    pub fn rotate(&mut self) -> Result<(), SaveError> {
        let next = Self::begin(&self.path, self.rotate, self.part + 1, self.overwrite)?;
        std::mem::replace(self, next).file.finish(self.overwrite)
    }

    /// Gives the last file its name, and gives the names of all. Parts of a longer archive that was
    /// replaced are removed.
    pub fn finish(self) -> Result<Vec<PathBuf>, SaveError> {
        let WarcParts {
            path,
            rotate,
            part,
            overwrite,
            file,
        } = self;
        file.finish(overwrite)?;
        if rotate.is_some() && overwrite == Overwrite::Allow {
            remove_from(&path, rotate, part + 1)?;
        }
        Ok((0..=part)
            .map(|part| Self::path_of(&path, rotate, part))
            .collect())
    }

    /// The names of all files, the last one under the name that it has while it is unfinished.
    pub fn files(&self) -> Vec<PathBuf> {
        let finished = (0..self.part).map(|part| Self::path_of(&self.path, self.rotate, part));
        finished
            .chain([open_part(&self.path, self.rotate, self.part)])
            .collect()
    }

    /// Refuses an archive of which any file is there already, unless it may be replaced.
    pub fn check(path: &Path, rotate: Option<u64>, overwrite: Overwrite) -> Result<(), SaveError> {
        let there = if rotate.is_some() {
            parts_there(path)
        } else {
            Vec::new()
        };
        there
            .iter()
            .try_for_each(|part| check_file(part, overwrite))?;
        check_file(&Self::path_of(path, rotate, 0), overwrite)
    }
}

/// What stands before the number of a part, and what behind it.
fn halves(path: &Path) -> (String, String) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = [".warc.gz", ".warc", ".gz"]
        .iter()
        .find_map(|end| name.strip_suffix(end))
        .unwrap_or(&name);
    (stem.to_owned(), name[stem.len()..].to_owned())
}

/// All files that are called like a part.
fn parts_there(path: &Path) -> Vec<PathBuf> {
    let (stem, ending) = halves(path);
    let is_part = |name: &str| {
        let number = name
            .strip_prefix(&stem)
            .and_then(|rest| rest.strip_prefix('-'));
        let number = number.and_then(|rest| rest.strip_suffix(&ending));
        number.is_some_and(|number| {
            number.len() >= 5 && number.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    let entries = fs::read_dir(folder_of(path))
        .into_iter()
        .flatten()
        .flatten();
    entries
        .filter(|entry| entry.file_name().to_str().is_some_and(is_part))
        .map(|entry| entry.path())
        .collect()
}

fn open_part(path: &Path, rotate: Option<u64>, part: u32) -> PathBuf {
    WarcFile::open_path(&WarcParts::path_of(path, rotate, part))
}

fn remove_from(path: &Path, rotate: Option<u64>, first: u32) -> Result<(), SaveError> {
    let old = (first..)
        .map(|part| WarcParts::path_of(path, rotate, part))
        .take_while(|path| path.is_file());
    for part in old {
        fs::remove_file(&part).map_err(|error| SaveError::from_write(part, error))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::UNIX_EPOCH;

    fn note(text: &str) -> Record {
        Record::info(UNIX_EPOCH, &[("note", text)])
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn parts_are_numbered_before_the_ending() {
        let part = |path: &str| {
            WarcParts::path_of(Path::new(path), Some(1), 7)
                .display()
                .to_string()
        };
        assert_eq!(part("x/site.warc.gz"), "x/site-00007.warc.gz");
        assert_eq!(part("a.example.warc"), "a.example-00007.warc");
        assert_eq!(part("a.example"), "a.example-00007");
        assert_eq!(
            WarcParts::path_of(Path::new("site.warc.gz"), None, 0),
            Path::new("site.warc.gz")
        );
    }

    #[test]
    fn wherever_it_was_cut_off_it_goes_on_with_the_next_part() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("site.warc.gz");
        let mut parts = WarcParts::create(&path, Some(10), Overwrite::Refuse).unwrap();
        parts.append(&[note("one")]).unwrap();
        let noted = parts.sync().unwrap();
        // Cut off when the part was finished and nothing said so yet.
        parts.rotate().unwrap();
        parts.append(&[note("lost")]).unwrap();
        drop(parts);
        let mut parts = WarcParts::resume(&path, Some(10), noted).unwrap();
        assert_eq!(parts.sync().unwrap(), Mark { part: 1, length: 0 });
        assert_eq!(WarcParts::unfinished(&path, Some(10)), parts.files().pop());
        assert_eq!(parts.finish().unwrap().len(), 2);
        assert_eq!(
            names(folder.path()),
            ["site-00000.warc.gz", "site-00001.warc.gz"]
        );
        assert_eq!(WarcParts::unfinished(&path, Some(10)), None);
    }

    #[test]
    fn a_shorter_archive_replaces_all_parts_of_a_longer_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("site.warc.gz");
        for part in 0..4 {
            fs::write(WarcParts::path_of(&path, Some(10), part), "old").unwrap();
        }
        assert!(WarcParts::check(&path, Some(10), Overwrite::Refuse).is_err());
        fs::remove_file(WarcParts::path_of(&path, Some(10), 0)).unwrap();
        assert!(
            WarcParts::check(&path, Some(10), Overwrite::Refuse).is_err(),
            "a later one is enough"
        );
        let mut parts = WarcParts::create(&path, Some(10), Overwrite::Allow).unwrap();
        parts.append(&[note("new")]).unwrap();
        parts.rotate().unwrap();
        parts.finish().unwrap();
        assert_eq!(
            names(folder.path()),
            ["site-00000.warc.gz", "site-00001.warc.gz"]
        );
    }
}
