//! How can a reader go back?
//!
//! Getting back into step after damage means looking again at bytes that were already read. A file
//! can seek; a pipe cannot, so the last [`KEPT`] bytes of it are held. Beyond that, what a pipe
//! swallowed is lost, and reported.

use std::io::{self, Read, Seek, SeekFrom};

/// How far back a pipe can go. Held bytes are dropped in blocks of this size, so up to twice as
/// much is in memory.
const KEPT: usize = 8 << 20;

/// What a file, a test's cursor and the like have in common.
pub(crate) trait ReadSeek: Read + Seek + Send {}

impl<T: Read + Seek + Send> ReadSeek for T {}

/// The bytes of an input as they are stored.
pub(crate) enum Input {
    File(Box<dyn ReadSeek>),
    Pipe(Pipe),
}

/// A reader that cannot seek, with its most recent bytes.
pub(crate) struct Pipe {
    reader: Box<dyn Read + Send>,
    kept: Vec<u8>,
    kept_from: u64,
    /// Where the next read starts, inside `kept` or at its end.
    next: usize,
}

impl Input {
    pub(crate) fn file(file: impl Read + Seek + Send + 'static) -> Self {
        Input::File(Box::new(file))
    }

    pub(crate) fn pipe(reader: impl Read + Send + 'static) -> Self {
        Input::Pipe(Pipe {
            reader: Box::new(reader),
            kept: Vec::new(),
            kept_from: 0,
            next: 0,
        })
    }

    /// Reads some bytes; none at the end.
    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = match self {
                Input::File(file) => file.read(buffer),
                Input::Pipe(pipe) => pipe.read(buffer),
            };
            match read {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }

    /// Makes the byte at `offset` the next one to read, if it is still there.
    pub(crate) fn go_to(&mut self, offset: u64) -> bool {
        match self {
            Input::File(file) => file.seek(SeekFrom::Start(offset)).is_ok(),
            Input::Pipe(pipe) => pipe.go_to(offset),
        }
    }
}

impl Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.next == self.kept.len() {
            self.pull(buffer.len())?;
        }
        let again = &self.kept[self.next..];
        let count = again.len().min(buffer.len());
        buffer[..count].copy_from_slice(&again[..count]);
        self.next += count;
        Ok(count)
    }

    /// Appends up to `wanted` new bytes to those kept.
    fn pull(&mut self, wanted: usize) -> io::Result<()> {
        if self.kept.len() >= 2 * KEPT {
            self.kept.drain(..KEPT);
            self.kept_from += KEPT as u64;
            self.next -= KEPT;
        }
        let before = self.kept.len();
        self.kept.resize(before + wanted, 0);
        let read = self.reader.read(&mut self.kept[before..]);
        self.kept.truncate(before + *read.as_ref().unwrap_or(&0));
        read.map(|_| ())
    }

    fn go_to(&mut self, offset: u64) -> bool {
        let Some(inside) = offset.checked_sub(self.kept_from) else {
            return false;
        };
        let reachable = inside <= self.kept.len() as u64;
        if reachable {
            self.next = inside as usize;
        }
        reachable
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(input: &mut Input) -> usize {
        let mut buffer = vec![0; 1 << 16];
        std::iter::from_fn(|| input.read(&mut buffer).ok().filter(|&count| count > 0)).sum()
    }

    #[test]
    fn pipe_goes_back_within_what_it_kept_and_refuses_beyond() {
        let mut input = Input::pipe(io::repeat(7).take(5 * KEPT as u64));
        assert_eq!(read_all(&mut input), 5 * KEPT);
        assert!(!input.go_to(0));
        assert!(input.go_to(4 * KEPT as u64));
        assert_eq!(read_all(&mut input), KEPT);
    }
}
