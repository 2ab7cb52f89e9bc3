//! How are files read that people or the program wrote: molds, rules, examples, patterns?
//!
//! Whole, and no larger than somebody may have meant: a file is refused by its kind and its size before it is
//! read, and a pipe as soon as it has given too much.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

/// The largest mold, rule or file of examples. A mold has about 60 KB for each template.
pub const MAX_RULE_FILE_BYTES: u64 = 128 << 20;

/// Reads a text file of at most so many bytes, without its byte order mark.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("mold.json");
/// std::fs::write(&path, "\u{FEFF}{}")?;
/// assert_eq!(unmold_io::read_rule_file(&path, 10)?, "{}");
/// assert_eq!(unmold_io::read_rule_file(&path, 4).unwrap_err().to_string(), "larger than 4 bytes, which no such file is");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// When the file cannot be read, is larger, is a folder or a device, or is not UTF-8.
pub fn read_rule_file(path: &Path, max_bytes: u64) -> io::Result<String> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if is_device(&metadata) {
        return Err(io::Error::other("not a file but a device"));
    }
    if metadata.is_file() && metadata.len() > max_bytes {
        return Err(too_large(max_bytes));
    }
    // A pipe has no size, and a file may grow.
    let mut bytes = Vec::new();
    file.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(too_large(max_bytes));
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "not UTF-8"))?;
    match text.strip_prefix('\u{FEFF}') {
        Some(marked) => Ok(marked.to_owned()),
        None => Ok(text),
    }
}

fn too_large(max_bytes: u64) -> io::Error {
    let reason = format!("larger than {max_bytes} bytes, which no such file is");
    io::Error::new(io::ErrorKind::FileTooLarge, reason)
}

#[cfg(unix)]
fn is_device(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    metadata.file_type().is_char_device() || metadata.file_type().is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: &std::fs::Metadata) -> bool {
    false
}
