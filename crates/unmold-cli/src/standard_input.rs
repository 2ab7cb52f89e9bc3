//! How is standard input read twice?
//!
//! What is read from it the first time is kept: in memory while it is little, in a temporary file
//! that has no name when it is more. The second time, that is read.

use std::{
    io::{self, Read, Seek, SeekFrom, Write},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};
use tempfile::{SpooledTempFile, spooled_tempfile};
use unmold_io::LoadSettings;

/// More than this goes to a file.
const IN_MEMORY: usize = 16 << 20;

/// Settings with which standard input can be read more than once.
pub fn kept(settings: LoadSettings) -> LoadSettings {
    let kept = Arc::new(Mutex::new(spooled_tempfile(IN_MEMORY)));
    let was_read = AtomicBool::new(false);
    settings.standard_input(move || {
        if was_read.swap(true, Ordering::Relaxed) {
            return Box::new(Again {
                kept: kept.clone(),
                at: 0,
            });
        }
        Box::new(Keeping {
            input: io::stdin(),
            kept: kept.clone(),
        })
    })
}

type Kept = Arc<Mutex<SpooledTempFile>>;

/// Keeps what is read.
struct Keeping<R> {
    input: R,
    kept: Kept,
}

impl<R: Read> Read for Keeping<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let full = |error| {
            io::Error::other(format!(
                "standard input cannot be kept for a second reading: {error}"
            ))
        };
        kept.write_all(&buffer[..count]).map_err(full)?;
        Ok(count)
    }
}

/// Reads what was kept.
struct Again {
    kept: Kept,
    at: u64,
}

impl Read for Again {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.seek(SeekFrom::Start(self.at))?;
        let count = kept.read(buffer)?;
        self.at += count as u64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_is_read_again() {
        let kept: Kept = Arc::new(Mutex::new(spooled_tempfile(4)));
        let read = |mut reader: Box<dyn Read>| {
            let mut text = String::new();
            reader.read_to_string(&mut text).map(|_| text)
        };
        let first = read(Box::new(Keeping {
            input: "pages and pages".as_bytes(),
            kept: kept.clone(),
        }))
        .unwrap();
        assert_eq!(first, "pages and pages");
        assert_eq!(read(Box::new(Again { kept, at: 0 })).unwrap(), first);
    }
}
