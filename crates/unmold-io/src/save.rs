//! How does a result reach its file whole, or not at all?
//!
//! A [`NewFile`] is written under a temporary name in the folder of its final name, forced to the
//! disk, and renamed; then the folder is forced to the disk. Whatever happens on the way, the final
//! name shows the old content, or none, or the new content in full. Existing files are refused
//! unless the caller says otherwise.
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
//! A process that is killed leaves its unfinished files behind, under names that begin with a dot;
//! the next one that writes to the folder removes them.
//!
//! Names of files that are made from page ids come from [`FileNames`]: an id can be an address or
//! an archive's name for something, so it is never trusted as a path.

use std::collections::{BTreeSet, HashSet};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;
use unmold::read::printable;

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
    #[error("{} exists already", shown(path))]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// What is there is no regular file, and is never replaced.
    #[error("{} is {what}: only regular files are replaced", shown(path))]
    NotAFile {
        /// What is there.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// It would replace an input, or be read as one by the next run.
    #[error(
        "{} {why} {}: results are never written there",
        shown(path),
        shown(input)
    )]
    AmongInputs {
        /// The file or folder to be written.
        path: PathBuf,
        /// How it lies to the input.
        why: &'static str,
        /// The input.
        input: PathBuf,
    },
    /// The folder is there and holds something already.
    #[error("{} exists already and is not empty", shown(path))]
    NotEmpty {
        /// The folder.
        path: PathBuf,
    },
    /// The folder that it should be written into is not there.
    #[error("cannot write {}: there is no folder {}", shown(path), shown(folder))]
    NoFolder {
        /// The file.
        path: PathBuf,
        /// Its folder.
        folder: PathBuf,
    },
    /// The disk, or the user's share of it, is full.
    #[error("no room to write {}", shown(path))]
    DiskFull {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The folder is missing, read-only or not the user's.
    #[error("cannot write {}", shown(path))]
    NotWritable {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
}

/// A path for people: names of files may hold anything.
fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy()).into_owned()
}

impl SaveError {
    /// Sorts out what the operating system said about writing `path`.
    ///
    /// For errors of the [`Write`] methods, which cannot say it themselves.
    pub fn from_write(path: impl Into<PathBuf>, source: io::Error) -> SaveError {
        let (path, source) = (path.into(), without_temporary_name(source));
        match source.kind() {
            io::ErrorKind::AlreadyExists => SaveError::Exists { path },
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                SaveError::DiskFull { path, source }
            }
            _ => SaveError::NotWritable { path, source },
        }
    }
}

/// What happened, without the temporary name that means nothing to whoever asked for another.
fn without_temporary_name(error: io::Error) -> io::Error {
    match error.get_ref() {
        Some(inner) if inner.to_string().contains(UNFINISHED) => error.kind().into(),
        _ => error,
    }
}

/// A file that appears under its name only when it is finished. Dropped unfinished, it leaves
/// nothing behind.
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
        check_file(&path, overwrite)?;
        match temporary_file(folder_of(&path)) {
            Ok(file) => Ok(NewFile {
                path,
                overwrite,
                writer: BufWriter::new(file),
            }),
            Err(error) => Err(SaveError::from_write(path, error)),
        }
    }

    /// Forces the content to the disk and gives it its name.
    pub fn finish(self) -> Result<(), SaveError> {
        let NewFile {
            path,
            overwrite,
            writer,
        } = self;
        // It may have become something else since the file was begun.
        check_file(&path, overwrite)?;
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

/// Looks whether a file may be written under this name: before any work, so that nothing is worked
/// out in vain.
///
/// # Errors
/// When something is there that is not to be replaced. Links, folders, devices, pipes and sockets
/// never are.
pub fn check_file(path: &Path, overwrite: Overwrite) -> Result<(), SaveError> {
    let Ok(found) = path.symlink_metadata() else {
        return Ok(());
    };
    let what = match found.file_type() {
        kind if kind.is_file() && overwrite == Overwrite::Allow => return Ok(()),
        kind if kind.is_file() => {
            return Err(SaveError::Exists {
                path: path.to_owned(),
            });
        }
        kind if kind.is_symlink() => "a link",
        kind if kind.is_dir() => "a folder",
        _ => "a device, a pipe or a socket",
    };
    Err(SaveError::NotAFile {
        path: path.to_owned(),
        what,
    })
}

/// Looks whether files may be written into this folder, which need not be there.
///
/// # Errors
/// When it is no folder, or holds something and that may not be replaced.
pub fn check_folder(path: &Path, overwrite: Overwrite) -> Result<(), SaveError> {
    match fs::read_dir(path) {
        Ok(_) if overwrite == Overwrite::Allow => Ok(()),
        Ok(entries) => match entries
            .flatten()
            .any(|entry| !is_left_over(&entry.file_name()))
        {
            true => Err(SaveError::NotEmpty {
                path: path.to_owned(),
            }),
            false => Ok(()),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Err(SaveError::Exists {
            path: path.to_owned(),
        }),
        Err(error) => Err(SaveError::from_write(path, error)),
    }
}

/// Looks whether the folder where a file is going to be written takes files, by making one that
/// goes away at once.
///
/// # Errors
/// When the folder is not there, cannot be written to, or has no room.
pub fn check_room_for_file(path: &Path) -> Result<(), SaveError> {
    check_takes_files(folder_of(path), path)
}

/// The same for a folder that need not be there yet, nor those above it.
///
/// # Errors
/// When the nearest folder that is there cannot be written to, or has no room.
pub fn check_room_for_folder(path: &Path) -> Result<(), SaveError> {
    let nearest = path
        .ancestors()
        .find(|folder| folder.is_dir())
        .unwrap_or(Path::new("."));
    check_takes_files(nearest, path)
}

fn check_takes_files(folder: &Path, path: &Path) -> Result<(), SaveError> {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    if !folder.exists() {
        return Err(SaveError::NoFolder {
            path: path.to_owned(),
            folder: folder.to_owned(),
        });
    }
    temporary_file(folder)
        .map(drop)
        .map_err(|error| SaveError::from_write(path, error))
}

/// Looks whether a file or folder that is to be written lies apart from an input, also where links
/// lead to it: nothing may replace an input, and no output may lie where the next run reads its
/// pages from.
///
/// # Errors
/// When it is the input, lies in the input folder, or is a folder that holds the input.
pub fn check_apart(output: &Path, input: &Path) -> Result<(), SaveError> {
    let (Some(there), Ok(from)) = (real_path(output), input.canonicalize()) else {
        return Ok(());
    };
    let why = if there == from {
        "is the input"
    } else if there.starts_with(&from) {
        "lies in the input"
    } else if there.is_dir() && from.starts_with(&there) {
        "holds the input"
    } else {
        return Ok(());
    };
    Err(SaveError::AmongInputs {
        path: output.to_owned(),
        why,
        input: input.to_owned(),
    })
}

/// Where a path leads that may end in parts that are not there yet.
fn real_path(path: &Path) -> Option<PathBuf> {
    if let Ok(real) = path.canonicalize() {
        return Some(real);
    }
    let (parent, name) = (folder_of(path), path.file_name()?);
    // A name alone has the folder "." above it, which is there.
    Some(if parent == path {
        parent.to_owned()
    } else {
        real_path(parent)?.join(name)
    })
}

/// Writes a whole file in one go.
pub fn write(
    path: impl Into<PathBuf>,
    overwrite: Overwrite,
    bytes: &[u8],
) -> Result<(), SaveError> {
    let mut file = NewFile::create(path, overwrite)?;
    match file.write_all(bytes) {
        Ok(()) => file.finish(),
        Err(error) => Err(SaveError::from_write(file.path, error)),
    }
}

pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// How the names of unfinished files begin. The dot keeps what walks folders from reading them.
const UNFINISHED: &str = ".unmold-";
/// How they end.
const PART: &str = ".part";

/// Whether a file of this name was left unfinished by a run that was killed.
fn is_left_over(name: &OsStr) -> bool {
    name.to_str()
        .is_some_and(|name| name.starts_with(UNFINISHED) && name.ends_with(PART))
}

/// The temporary files of this process, and the folders where those of dead ones were looked for.
static UNFINISHED_FILES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
static SWEPT_FOLDERS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes all unfinished files of this process, and lets it begin no others: for one that is about
/// to end.
///
/// What was finished before stays whole; of what was not, nothing is left.
pub fn abandon_unfinished() {
    let files = UNFINISHED_FILES
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    files.iter().for_each(|file| _ = fs::remove_file(file));
    // No file is begun or finished any more.
    std::mem::forget(files);
}

/// Removes what killed processes left unfinished in a folder, the first time this process writes
/// there.
///
/// A process holds a lock on each of its unfinished files as long as it lives, and no longer.
fn sweep(folder: &Path) {
    let mut swept = SWEPT_FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    if !swept.insert(folder.to_owned()) {
        return;
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| is_left_over(&entry.file_name())) {
        let is_dead = File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
        if is_dead {
            // Another process may have been faster.
            _ = fs::remove_file(entry.path());
        }
    }
}

/// A temporary file that no other process takes for one of a dead one.
fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    sweep(folder);
    loop {
        let mut files = UNFINISHED_FILES
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let file = new_file(folder)?;
        // File systems without locks have no sweeping either.
        _ = file.as_file().lock();
        // Between being made and being locked it may have been swept away.
        if file.path().exists() {
            files.insert(file.path().to_owned());
            return Ok(file);
        }
    }
}

/// A temporary file that will have the rights of an ordinary one.
fn new_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(UNFINISHED).suffix(PART);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

fn publish(path: &Path, overwrite: Overwrite, writer: BufWriter<NamedTempFile>) -> io::Result<()> {
    let file = writer
        .into_inner()
        .map_err(io::IntoInnerError::into_error)?;
    file.as_file().sync_all()?;
    let mut files = UNFINISHED_FILES
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    files.remove(file.path());
    match overwrite {
        Overwrite::Refuse => file.persist_noclobber(path)?,
        Overwrite::Allow => file.persist(path)?,
    };
    drop(files);
    sync_folder(folder_of(path))
}

/// Makes a rename last through a power cut. Only Unix can open a folder for it.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()
    } else {
        Ok(())
    }
}

/// Creates a folder and those above it, as far as they are missing.
pub fn create_folder(path: &Path) -> Result<(), SaveError> {
    fs::create_dir_all(path).map_err(|error| SaveError::from_write(path, error))
}

/// A text as a part of a file name that people can read: letters and digits of any script stay,
/// what is between them becomes a hyphen, and it has at most `longest` bytes.
///
/// ```
/// use unmold_io::save::readable_part;
///
/// assert_eq!(readable_part("Harbour & Pine", 60), "Harbour-Pine");
/// assert_eq!(readable_part("../../etc/passwd", 60), "etc-passwd");
/// assert_eq!(readable_part("日本の新聞", 7), "日本");
/// assert_eq!(readable_part("?!", 60), "unnamed");
/// ```
pub fn readable_part(text: &str, longest: usize) -> String {
    let mut part = String::new();
    for word in text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '_'))) {
        // Dots at the ends of words would hide files, or lead up.
        let word = word.trim_matches('.');
        if !word.is_empty() {
            part.push_str(if part.is_empty() { "" } else { "-" });
            part.push_str(word);
        }
    }
    let end = (0..=longest.min(part.len()))
        .rev()
        .find(|&end| part.is_char_boundary(end))
        .unwrap_or(0);
    part.truncate(end);
    let part = part.trim_end_matches(['-', '.']);
    if part.is_empty() || is_reserved(part) {
        format!("unnamed{part}")
    } else {
        part.to_owned()
    }
}

/// The longest part of a path that every common file system takes is 255 bytes; a little is left
/// for extensions.
const LONGEST_PART: usize = 200;

/// The longest part made from an address.
const LONGEST_ADDRESS: usize = 120;

/// The longest path made from an id.
const LONGEST_PATH: usize = 1000;

/// Makes file names from page ids, no two the same.
///
/// An id that is a harmless relative path keeps it, with the extension of pages replaced; any other
/// becomes a hash.
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
        FileNames {
            extension: extension.into(),
            given: HashSet::new(),
        }
    }

    /// The name for a page, `/` between the parts. The same id twice gives two names.
    pub fn name(&mut self, id: &str) -> String {
        let plain = is_harmless(id).then(|| format!("{}.{}", stem(id), self.extension));
        let name = plain
            .into_iter()
            .chain(hashed(id, &self.extension))
            .find(|name| !self.is_given(name));
        let name = name.unwrap_or_default();
        self.given.insert(name.to_lowercase());
        name
    }

    /// The name for a page that may have an address. A record of an archive, a line or a row is
    /// called by its address, since its id says nothing to people; the address is one part of a
    /// path, and is told from others like it by a hash.
    ///
    /// ```
    /// use unmold_io::save::FileNames;
    ///
    /// let mut names = FileNames::new("txt");
    /// let mut name = |id: &str, url: &str| names.name_of(id, Some(url));
    /// assert_eq!(name("0001.html", "https://a.example/tea"), "0001.txt");
    /// assert_eq!(name("crawl.warc.gz#784", "https://a.example/tea?page=2"), "a.example-tea-page-2.txt");
    /// assert_eq!(name("crawl.warc.gz#999", "http://a.example/tea/page-2"), "a.example-tea-page-2-f0fc907d.txt");
    /// ```
    pub fn name_of(&mut self, id: &str, url: Option<&str>) -> String {
        let Some(url) = url.filter(|_| id.contains('#')) else {
            return self.name(id);
        };
        let address = url.split_once("://").map_or(url, |(_, address)| address);
        let part = readable_part(address, LONGEST_ADDRESS);
        let is_whole = part.len() < LONGEST_ADDRESS;
        let plain = is_whole.then(|| format!("{part}.{}", self.extension));
        let hashed =
            digests(url).map(|digest| format!("{part}-{}.{}", &digest[..8], self.extension));
        let name = plain
            .into_iter()
            .chain(hashed)
            .find(|name| !self.is_given(name))
            .unwrap_or_default();
        self.given.insert(name.to_lowercase());
        name
    }

    fn is_given(&self, name: &str) -> bool {
        self.given.contains(&name.to_lowercase())
    }
}

/// Names that say nothing of the id: the second and later ones are for ids that come again.
/// Endless.
fn hashed<'a>(id: &'a str, extension: &'a str) -> impl Iterator<Item = String> + 'a {
    digests(id).map(move |digest| format!("page-{digest}.{extension}"))
}

/// Different hashes of a text, in hexadecimal digits. Endless.
fn digests(text: &str) -> impl Iterator<Item = String> {
    (0u64..).map(move |copy| {
        let digest = Sha256::new()
            .chain_update(copy.to_le_bytes())
            .chain_update(text)
            .finalize();
        digest
            .iter()
            .take(16)
            .map(|byte| format!("{byte:02x}"))
            .collect()
    })
}

/// The id without the extensions of pages.
fn stem(id: &str) -> &str {
    let inner = id
        .strip_suffix(".gz")
        .or_else(|| id.strip_suffix(".zst"))
        .unwrap_or(id);
    let stem = [".html", ".htm", ".xhtml", ".xml", ".txt"]
        .iter()
        .find_map(|extension| inner.strip_suffix(extension));
    stem.filter(|stem| !stem.is_empty() && !stem.ends_with(['/', '.', ' ']))
        .unwrap_or(id)
}

/// Whether an id can be a path: relative, and each part of it a name on every common file system.
fn is_harmless(id: &str) -> bool {
    id.len() <= LONGEST_PATH && id.split('/').all(is_harmless_part)
}

fn is_harmless_part(part: &str) -> bool {
    let odd =
        |c: char| c.is_control() || matches!(c, '\\' | ':' | '<' | '>' | '"' | '|' | '?' | '*');
    !part.is_empty()
        && part.len() <= LONGEST_PART
        && !part.starts_with(['.', '-', ' '])
        && !part.ends_with(['.', ' '])
        && !part.contains(odd)
        && !is_reserved(part)
}

/// The names that Windows keeps for devices, with any extension.
fn is_reserved(part: &str) -> bool {
    let name = part
        .split('.')
        .next()
        .unwrap_or_default()
        .trim_end()
        .to_ascii_lowercase();
    let numbered = |kind: &str| {
        name.strip_prefix(kind)
            .is_some_and(|n| n.len() == 1 && n.as_bytes()[0].is_ascii_digit())
    };
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
            assert!(
                name.starts_with("page-") && name.len() == 41,
                "{id:?} became {name}"
            );
        }
    }

    #[test]
    fn names_that_differ_only_in_case_or_extension_stay_apart() {
        let mut names = FileNames::new("txt");
        let given: HashSet<String> = ["a.html", "A.html", "a.htm", "a.html", "a.txt"]
            .map(|id| names.name(id).to_lowercase())
            .into();
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
    fn what_dead_processes_left_is_removed_and_what_living_ones_write_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let left = folder.path().join(".unmold-dead.part");
        let living = folder.path().join(".unmold-living.part");
        let hidden = folder.path().join(".other.part");
        for path in [&left, &living, &hidden] {
            fs::write(path, "half").unwrap();
        }
        let held = File::open(&living).unwrap();
        held.lock().unwrap();
        write(folder.path().join("x"), Overwrite::Refuse, b"").unwrap();
        assert_eq!(
            [&left, &living, &hidden].map(|path| path.exists()),
            [false, true, true]
        );
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
    #[cfg(unix)]
    fn nothing_but_a_regular_file_is_replaced() {
        use std::os::unix::{fs::symlink, net::UnixListener};
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("target");
        fs::write(&target, "theirs").unwrap();
        let [link, socket, inner] =
            ["link", "socket", "inner"].map(|name| folder.path().join(name));
        symlink(&target, &link).unwrap();
        let _listener = UnixListener::bind(&socket).unwrap();
        fs::create_dir(&inner).unwrap();
        for path in [link, socket, inner, PathBuf::from("/dev/null")] {
            let error = write(&path, Overwrite::Allow, b"ours").unwrap_err();
            assert!(
                matches!(error, SaveError::NotAFile { .. }),
                "{}: {error}",
                path.display()
            );
        }
        assert_eq!(fs::read(&target).unwrap(), b"theirs");
    }

    #[test]
    #[cfg(unix)]
    fn outputs_lie_apart_from_inputs_also_through_links() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("site/deep")).unwrap();
        fs::write(at("site/a.html"), "").unwrap();
        symlink(at("site"), at("link")).unwrap();
        for (output, input) in [
            ("site/a.html", "site/a.html"),
            ("link/a.html", "site/a.html"),
            ("site/deep/../new.csv", "link"),
            ("link/no/such/folder/new.csv", "site"),
            ("site", "site/a.html"),
            (".", "site"),
        ] {
            let error = check_apart(&at(output), &at(input)).unwrap_err();
            assert!(
                matches!(error, SaveError::AmongInputs { .. }),
                "{output} {input}: {error}"
            );
        }
        for (output, input) in [
            ("site2", "site"),
            ("new/texts", "site"),
            ("site/b.csv", "site/a.html"),
        ] {
            check_apart(&at(output), &at(input)).unwrap();
        }
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
