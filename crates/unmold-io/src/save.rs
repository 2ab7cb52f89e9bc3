//! How does a result reach its file whole, or not at all?
//!
//! A [`NewFile`] is written under a temporary name in the folder of its final name, forced to the disk, and renamed;
//! then the folder is forced to the disk. Whatever happens on the way, the final name shows the old content, or none, or
//! the new content in full. Existing files are refused unless the caller says otherwise.
//!
//! ```
//! use std::io::Write;
//! use unmold_io::save::{NewFile, Overwrite};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("out.txt");
//! let mut file = NewFile::create(&path, Overwrite::Refuse)?;
//! file.write_all(b"text")?;
//! assert!(!path.exists());
//! file.finish()?;
//! assert_eq!(std::fs::read(&path)?, b"text");
//! assert!(NewFile::create(&path, Overwrite::Refuse).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Names of files that are made from page ids come from [`FileNames`]: an id can be an address or an archive's name for
//! something, so it is never trusted as a path.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

/// Whether an existing file may be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overwrite {
    /// An existing file is an error.
    Refuse,
    /// An existing file is replaced, in one step.
    Allow,
}

/// Why a result was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SaveError {
    /// The file is there already.
    #[error("{} exists already", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The disk, or the user's share of it, is full.
    #[error("no room to write {}", path.display())]
    DiskFull {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The folder is missing, read-only or not the user's.
    #[error("cannot write {}", path.display())]
    NotWritable {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
}

impl SaveError {
    /// Sorts out what the operating system said about writing `path`.
    ///
    /// For errors of the [`Write`] methods, which cannot say it themselves.
    pub fn from_write(path: impl Into<PathBuf>, source: io::Error) -> SaveError {
        let path = path.into();
        match source.kind() {
            io::ErrorKind::AlreadyExists => SaveError::Exists { path },
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => SaveError::DiskFull { path, source },
            _ => SaveError::NotWritable { path, source },
        }
    }
}

/// A file that appears under its name only when it is finished. Dropped unfinished, it leaves nothing behind.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    overwrite: Overwrite,
    writer: BufWriter<NamedTempFile>,
}

impl NewFile {
    /// Starts a file next to `path`.
    pub fn create(path: impl Into<PathBuf>, overwrite: Overwrite) -> Result<NewFile, SaveError> {
        let path = path.into();
        if overwrite == Overwrite::Refuse && path.symlink_metadata().is_ok() {
            return Err(SaveError::Exists { path });
        }
        match temporary_file(folder_of(&path)) {
            Ok(file) => Ok(NewFile { path, overwrite, writer: BufWriter::new(file) }),
            Err(error) => Err(SaveError::from_write(path, error)),
        }
    }

    /// Forces the content to the disk and gives it its name.
    pub fn finish(self) -> Result<(), SaveError> {
        let NewFile { path, overwrite, writer } = self;
        publish(&path, overwrite, writer).map_err(|error| SaveError::from_write(path, error))
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Writes a whole file in one go.
pub fn write(path: impl Into<PathBuf>, overwrite: Overwrite, bytes: &[u8]) -> Result<(), SaveError> {
    let mut file = NewFile::create(path, overwrite)?;
    match file.write_all(bytes) {
        Ok(()) => file.finish(),
        Err(error) => Err(SaveError::from_write(file.path, error)),
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// A temporary file that will have the rights of an ordinary one.
fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    // The dot keeps a folder that is both input and output from being read half-written.
    builder.prefix(".unmold-").suffix(".part");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

fn publish(path: &Path, overwrite: Overwrite, writer: BufWriter<NamedTempFile>) -> io::Result<()> {
    let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.as_file().sync_all()?;
    match overwrite {
        Overwrite::Refuse => file.persist_noclobber(path)?,
        Overwrite::Allow => file.persist(path)?,
    };
    sync_folder(folder_of(path))
}

/// Makes a rename last through a power cut. Only Unix can open a folder for it.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Creates a folder and those above it, as far as they are missing.
pub fn create_folder(path: &Path) -> Result<(), SaveError> {
    fs::create_dir_all(path).map_err(|error| SaveError::from_write(path, error))
}

/// The longest part of a path that every common file system takes is 255 bytes; a little is left for extensions.
const LONGEST_PART: usize = 200;

/// The longest path made from an id.
const LONGEST_PATH: usize = 1000;

/// Makes file names from page ids, no two the same.
///
/// An id that is a harmless relative path keeps it, with the extension of pages replaced; any other becomes a hash.
///
/// ```
/// use unmold_io::save::FileNames;
///
/// let mut names = FileNames::new("txt");
/// assert_eq!(names.name("news/0001.html"), "news/0001.txt");
/// assert_eq!(names.name("crawl.warc.gz#784"), "crawl.warc.gz#784.txt");
/// assert_eq!(names.name("../../etc/passwd"), "page-d042b2e8371ebdaed60154df74108287.txt");
/// ```
#[derive(Clone, Debug)]
pub struct FileNames {
    extension: String,
    /// The names given so far, in lower case: many file systems do not tell case apart.
    given: HashSet<String>,
}

impl FileNames {
    /// Names that end in `.extension`.
    pub fn new(extension: impl Into<String>) -> FileNames {
        FileNames { extension: extension.into(), given: HashSet::new() }
    }

    /// The name for a page, `/` between the parts. The same id twice gives two names.
    pub fn name(&mut self, id: &str) -> String {
        let plain = is_harmless(id).then(|| format!("{}.{}", stem(id), self.extension));
        let name = plain.into_iter().chain(hashed(id, &self.extension)).find(|name| !self.is_given(name));
        let name = name.unwrap_or_default();
        self.given.insert(name.to_lowercase());
        name
    }

    fn is_given(&self, name: &str) -> bool {
        self.given.contains(&name.to_lowercase())
    }
}

/// Names that say nothing of the id: the second and later ones are for ids that come again. Endless.
fn hashed<'a>(id: &'a str, extension: &'a str) -> impl Iterator<Item = String> + 'a {
    (0u64..).map(move |copy| {
        let digest = Sha256::new().chain_update(copy.to_le_bytes()).chain_update(id).finalize();
        let hex: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        format!("page-{hex}.{extension}")
    })
}

/// The id without the extensions of pages.
fn stem(id: &str) -> &str {
    let inner = id.strip_suffix(".gz").or_else(|| id.strip_suffix(".zst")).unwrap_or(id);
    let stem = [".html", ".htm", ".xhtml", ".xml", ".txt"].iter().find_map(|extension| inner.strip_suffix(extension));
    stem.filter(|stem| !stem.is_empty() && !stem.ends_with(['/', '.', ' '])).unwrap_or(id)
}

/// Whether an id can be a path: relative, and each part of it a name on every common file system.
fn is_harmless(id: &str) -> bool {
    id.len() <= LONGEST_PATH && id.split('/').all(is_harmless_part)
}

fn is_harmless_part(part: &str) -> bool {
    let odd = |c: char| c.is_control() || matches!(c, '\\' | ':' | '<' | '>' | '"' | '|' | '?' | '*');
    !part.is_empty()
        && part.len() <= LONGEST_PART
        && !part.starts_with(['.', '-', ' '])
        && !part.ends_with(['.', ' '])
        && !part.contains(odd)
        && !is_reserved(part)
}

/// The names that Windows keeps for devices, with any extension.
fn is_reserved(part: &str) -> bool {
    let name = part.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let numbered =
        |kind: &str| name.strip_prefix(kind).is_some_and(|n| n.len() == 1 && n.as_bytes()[0].is_ascii_digit());
    matches!(name.as_str(), "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_would_leave_the_folder_or_break_a_file_system_are_hashed() {
        let mut names = FileNames::new("txt");
        let long = "x".repeat(201);
        for id in [
            "",
            "/etc/passwd",
            "../up",
            "a/../b",
            "a//b",
            "C:\\x",
            "c:x",
            "a\0b",
            "dot.",
            "space ",
            ".hidden",
            "-rf",
            "nul.html",
            "COM1",
            "a\nb",
            "http://a/b",
            &long,
        ] {
            let name = names.name(id);
            assert!(name.starts_with("page-") && name.len() == 41, "{id:?} became {name}");
        }
    }

    #[test]
    fn names_that_differ_only_in_case_or_extension_stay_apart() {
        let mut names = FileNames::new("txt");
        let given: HashSet<String> =
            ["a.html", "A.html", "a.htm", "a.html", "a.txt"].map(|id| names.name(id).to_lowercase()).into();
        assert_eq!(given.len(), 5);
    }

    #[test]
    fn unfinished_files_leave_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = NewFile::create(folder.path().join("x"), Overwrite::Refuse).unwrap();
        file.write_all(b"half").unwrap();
        drop(file);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_file_that_appears_meanwhile_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let file = NewFile::create(&path, Overwrite::Refuse).unwrap();
        fs::write(&path, "theirs").unwrap();
        assert!(matches!(file.finish(), Err(SaveError::Exists { .. })));
        assert_eq!(fs::read(&path).unwrap(), b"theirs");
        write(&path, Overwrite::Allow, b"ours").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"ours");
    }

    #[test]
    fn a_missing_folder_is_not_writable() {
        let folder = tempfile::tempdir().unwrap();
        let error = write(folder.path().join("no/x"), Overwrite::Refuse, b"").unwrap_err();
        assert!(matches!(error, SaveError::NotWritable { .. }));
    }

    #[test]
    fn a_full_disk_is_told_from_other_reasons() {
        let full = SaveError::from_write("x", io::ErrorKind::StorageFull.into());
        assert!(matches!(full, SaveError::DiskFull { .. }));
    }

    #[test]
    #[cfg(unix)]
    fn rights_are_those_of_an_ordinary_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (ours, theirs) = (folder.path().join("ours"), folder.path().join("theirs"));
        write(&ours, Overwrite::Refuse, b"").unwrap();
        fs::write(&theirs, "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&theirs));
    }
}
