//! What did a body unpack to, and where was it stopped?
//!
//! A body is unpacked while it arrives, into memory that has an end: 34 bytes can unpack to 11 MB,
//! and a stream need not end at all.
//!
//! Compressions that servers name and do not use are common; the bytes then count as they are.

use brotli_decompressor::DecompressorWriter;
use flate2::write::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use std::{
    io::{self, Write},
    sync::{Arc, Mutex, PoisonError},
};

/// A body on its way in.
pub(crate) struct Body {
    /// The bytes as they came.
    raw: Vec<u8>,
    encoding: String,
    unpacker: Option<Unpacker>,
    limit: usize,
    is_damaged: bool,
    /// Whether it unpacks to more than is wanted.
    is_over: bool,
}

/// What became of a body.
pub(crate) struct Unpacked {
    /// The bytes as they came.
    pub(crate) raw: Vec<u8>,
    /// What they unpack to; the same bytes where nothing was packed.
    pub(crate) plain: Vec<u8>,
}

/// Nothing more is wanted: the limit is reached.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Full;

struct Unpacker {
    writer: Box<dyn Write + Send>,
    sink: Sink,
}

/// More compressions than this on top of each other are an attack.
const LAYERS: usize = 2;
/// A window of 8 MB is what zstd on the web may ask for (RFC 9659).
const ZSTD_WINDOW: u32 = 23;
const BUFFER: usize = 16 << 10;

impl Body {
    /// A body with this `Content-Encoding`, of which no more than so many bytes are wanted, packed
    /// or unpacked.
    pub(crate) fn new(encoding: &str, limit: usize) -> Self {
        Body {
            raw: Vec::new(),
            encoding: encoding.to_owned(),
            unpacker: Unpacker::of(encoding, limit),
            limit,
            is_damaged: false,
            is_over: false,
        }
    }

    /// Takes some more bytes.
    pub(crate) fn push(&mut self, chunk: &[u8]) -> Result<(), Full> {
        let room = self.limit - self.raw.len();
        let taken = &chunk[..chunk.len().min(room)];
        self.raw.extend_from_slice(taken);
        if let Some(unpacker) = &mut self.unpacker
            && !self.is_damaged
        {
            let is_written = unpacker.writer.write_all(taken).is_ok();
            if unpacker.sink.is_full() {
                self.is_over = true;
                return Err(Full);
            }
            self.is_damaged = !is_written;
        }
        if taken.len() < chunk.len() {
            Err(Full)
        } else {
            Ok(())
        }
    }

    /// How many bytes have come.
    pub(crate) fn len(&self) -> usize {
        self.raw.len()
    }

    /// The body, as far as it came.
    pub(crate) fn finish(mut self) -> Unpacked {
        let plain = self.unpacker.take().map(|mut unpacker| {
            // What is left in the buffers; that the end is missing shows elsewhere.
            _ = unpacker.writer.flush();
            drop(unpacker.writer);
            unpacker.sink.take()
        });
        if self.is_over {
            // Whoever unpacks what is stored must not find more than the limit: that page would be
            // cut a second time, at another place.
            let length = fitting(&self.raw, &self.encoding, self.limit);
            self.raw.truncate(length);
        }
        match plain {
            Some(plain) if !self.is_damaged || !plain.is_empty() => Unpacked {
                raw: self.raw,
                plain,
            },
            _ => Unpacked {
                plain: self.raw.clone(),
                raw: self.raw,
            },
        }
    }
}

/// How many of the first bytes unpack to no more than the limit, to about a thousandth of them.
fn fitting(raw: &[u8], encoding: &str, limit: usize) -> usize {
    let step = (raw.len() / 1024).max(1);
    let (mut fits, mut too_many) = (0, raw.len() / step);
    while fits < too_many {
        let middle = (fits + too_many).div_ceil(2);
        if unpacks_within(&raw[..middle * step], encoding, limit) {
            fits = middle;
        } else {
            too_many = middle - 1;
        }
    }
    fits * step
}

fn unpacks_within(raw: &[u8], encoding: &str, limit: usize) -> bool {
    let Some(mut unpacker) = Unpacker::of(encoding, limit + 1) else {
        return raw.len() <= limit;
    };
    // What cannot be unpacked any further is as long as it is.
    _ = unpacker
        .writer
        .write_all(raw)
        .and_then(|()| unpacker.writer.flush());
    drop(unpacker.writer);
    !unpacker.sink.is_full()
}

impl Unpacker {
    fn of(encoding: &str, limit: usize) -> Option<Self> {
        let names: Vec<String> = encoding
            .split(',')
            .map(|name| name.trim().to_ascii_lowercase())
            .filter(|name| name != "identity")
            .collect();
        let sink = Sink {
            bytes: Arc::default(),
            limit,
        };
        let mut writer: Box<dyn Write + Send> = Box::new(sink.clone());
        // They are named in the order in which they were put on, so the last one comes off first.
        for name in names.iter().take(LAYERS) {
            writer = unpacking(name, writer)?;
        }
        (!names.is_empty() && names.len() <= LAYERS).then_some(Unpacker { writer, sink })
    }
}

fn unpacking(name: &str, into: Box<dyn Write + Send>) -> Option<Box<dyn Write + Send>> {
    Some(match name {
        "gzip" | "x-gzip" => Box::new(MultiGzDecoder::new(into)),
        "deflate" => Box::new(Deflated::Unknown(Some(into))),
        "br" => Box::new(DecompressorWriter::new(into, BUFFER)),
        "zstd" => {
            let mut decoder = zstd::stream::write::Decoder::new(into).ok()?;
            decoder.window_log_max(ZSTD_WINDOW).ok()?;
            Box::new(decoder)
        }
        _ => return None,
    })
}

/// `deflate` means zlib, but some servers send the bare stream; the first byte tells.
enum Deflated {
    Unknown(Option<Box<dyn Write + Send>>),
    Zlib(ZlibDecoder<Box<dyn Write + Send>>),
    Bare(DeflateDecoder<Box<dyn Write + Send>>),
}

impl Write for Deflated {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(first) = bytes.first() else {
            return Ok(0);
        };
        if let Deflated::Unknown(into) = self
            && let Some(into) = into.take()
        {
            let is_zlib = first & 0x0f == 8;
            *self = if is_zlib {
                Deflated::Zlib(ZlibDecoder::new(into))
            } else {
                Deflated::Bare(DeflateDecoder::new(into))
            };
        }
        match self {
            Deflated::Zlib(decoder) => decoder.write(bytes),
            Deflated::Bare(decoder) => decoder.write(bytes),
            Deflated::Unknown(_) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Deflated::Zlib(decoder) => decoder.flush(),
            Deflated::Bare(decoder) => decoder.flush(),
            Deflated::Unknown(_) => Ok(()),
        }
    }
}

/// Memory that has an end.
#[derive(Clone)]
struct Sink {
    bytes: Arc<Mutex<Vec<u8>>>,
    limit: usize,
}

impl Sink {
    fn is_full(&self) -> bool {
        self.bytes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .len()
            >= self.limit
    }

    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.bytes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut own = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let room = self.limit.saturating_sub(own.len());
        if room == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let taken = bytes.len().min(room);
        own.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn unpack(encoding: &str, packed: &[u8], limit: usize) -> (Result<(), Full>, Unpacked) {
        let mut body = Body::new(encoding, limit);
        let pushed = packed.chunks(7).try_for_each(|chunk| body.push(chunk));
        (pushed, body.finish())
    }

    #[test]
    fn what_is_packed_is_unpacked_and_both_are_kept() {
        let packed = gzip(b"<p>hello");
        let (pushed, body) = unpack("gzip", &packed, 1000);
        assert_eq!(pushed, Ok(()));
        assert_eq!(
            (body.plain, body.raw),
            (b"<p>hello".to_vec(), packed.clone())
        );
        let twice = gzip(&packed);
        assert_eq!(unpack("gzip, gzip", &twice, 1000).1.plain, b"<p>hello");
        let zstd = zstd::encode_all(&b"<p>hello"[..], 3).unwrap();
        assert_eq!(unpack("zstd", &zstd, 1000).1.plain, b"<p>hello");
        // A brotli stream of one uncompressed block.
        let brotli = [0x0b, 0x02, 0x80, b'h', b'e', b'l', b'l', b'o', 0x03];
        assert_eq!(unpack("br", &brotli, 1000).1.plain, b"hello");
    }

    #[test]
    fn bombs_stop_at_the_limit() {
        let bomb = gzip(&vec![b'a'; 20_000_000]);
        let (pushed, body) = unpack("gzip", &bomb, 100_000);
        assert_eq!((pushed, body.plain.len()), (Err(Full), 100_000));
        let zstd = zstd::encode_all(&vec![b'a'; 20_000_000][..], 3).unwrap();
        assert_eq!(unpack("zstd", &zstd, 100_000).1.plain.len(), 100_000);
        // 27 bytes of brotli that are 20 MB of one letter.
        let brotli = [
            207, 255, 255, 127, 248, 37, 194, 226, 177, 64, 32, 247, 254, 63, 255, 255, 127, 240,
            75, 0, 196, 97, 1, 128, 238, 253, 15,
        ];
        let (pushed, body) = unpack("br", &brotli, 100_000);
        assert_eq!((pushed, body.plain.len()), (Err(Full), 100_000));
        let nested = gzip(&bomb);
        assert_eq!(
            unpack("gzip, gzip", &nested, 100_000).1.plain.len(),
            100_000
        );
    }

    #[test]
    fn endless_bodies_stop_at_the_limit() {
        let (pushed, body) = unpack("", &[b'a'; 5000], 1000);
        assert_eq!(
            (pushed, body.plain.len(), body.raw.len()),
            (Err(Full), 1000, 1000)
        );
    }

    #[test]
    fn compressions_that_are_only_named_do_no_harm() {
        for encoding in [
            "gzip",
            "br",
            "zstd",
            "deflate",
            "gzip, gzip, gzip",
            "compress",
        ] {
            let (pushed, body) = unpack(encoding, b"<p>hello, not packed at all", 1000);
            assert_eq!(pushed, Ok(()), "{encoding}");
            assert_eq!(body.plain, b"<p>hello, not packed at all", "{encoding}");
        }
    }
}
