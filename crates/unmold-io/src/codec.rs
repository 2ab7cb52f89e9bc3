//! How is a stream packed, and how does one member of it unpack?
//!
//! Gzip and Zstandard files are sequences of *members* (Zstandard says frames), and an archive has
//! one member per record so that a record can be read without those before it. The ready-made
//! decoders hide where members begin; a [`Codec`] unpacks one member, step by step, and says when
//! it ends.

use flate2::{Decompress, FlushDecompress, Status};
use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation, OutBuffer};

pub(crate) const GZIP_MAGIC: &[u8] = b"\x1f\x8b\x08";
pub(crate) const ZSTD_MAGIC: &[u8] = b"\x28\xb5\x2f\xfd";

/// The first bytes of the skippable frame that holds the dictionary of a `.warc.zst`.
pub(crate) const ZSTD_DICTIONARY_MAGIC: &[u8] = b"\x5d\x2a\x4d\x18";

/// The largest window that a Zstandard frame may ask for, as a power of two: 128 MiB, the format's
/// own default.
const ZSTD_WINDOW_LOG: u32 = 27;

/// How a stream is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Plain,
    Gzip,
    Zstd,
}

impl Packing {
    /// The packing that the first bytes of a file show.
    pub(crate) fn of(head: &[u8]) -> Packing {
        match head {
            head if head.starts_with(GZIP_MAGIC) => Packing::Gzip,
            head if head.starts_with(ZSTD_MAGIC) || is_skippable_zstd(head) => Packing::Zstd,
            _ => Packing::Plain,
        }
    }

    /// The bytes with which each member starts; nothing for a stream that is not packed.
    pub(crate) fn magic(self) -> &'static [u8] {
        match self {
            Packing::Plain => b"",
            Packing::Gzip => GZIP_MAGIC,
            Packing::Zstd => ZSTD_MAGIC,
        }
    }

    /// Whether bytes that start with the magic can be a header: a look that costs nothing, before
    /// unpacking is tried.
    pub(crate) fn may_be_header(self, bytes: &[u8]) -> bool {
        // The upper flags of gzip are reserved, and zero.
        self != Packing::Gzip || bytes.get(3).is_some_and(|flags| flags & 0xe0 == 0)
    }

    /// Whether a member can start with these bytes, which may be fewer than its magic at the end of
    /// a file.
    pub(crate) fn may_start_member(self, head: &[u8]) -> bool {
        let magic = self.magic();
        let shown = head.len().min(magic.len());
        head[..shown] == magic[..shown] || self == Packing::Zstd && is_skippable_zstd(head)
    }
}

/// A frame that holds no data: `pzstd` writes one before each frame, and a `.warc.zst` keeps its
/// dictionary in one.
fn is_skippable_zstd(head: &[u8]) -> bool {
    matches!(head, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// Unpacks one member.
pub(crate) enum Codec {
    Plain,
    Gzip(Decompress),
    Zstd(Decoder<'static>),
}

/// What one step did.
pub(crate) struct Step {
    pub(crate) read: usize,
    pub(crate) written: usize,
    /// The member is over, and its checksum agrees.
    pub(crate) finished: bool,
}

/// The member does not unpack.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Undecodable(String);

impl Codec {
    /// A codec at the start of a member.
    pub(crate) fn new(packing: Packing, dictionary: &[u8]) -> Result<Codec, Undecodable> {
        Ok(match packing {
            Packing::Plain => Codec::Plain,
            Packing::Gzip => Codec::Gzip(Decompress::new_gzip(15)),
            Packing::Zstd => Codec::Zstd(zstd_decoder(dictionary).map_err(undecodable)?),
        })
    }

    /// Unpacks from `input` into `output`, as far as both go.
    pub(crate) fn step(&mut self, input: &[u8], output: &mut [u8]) -> Result<Step, Undecodable> {
        match self {
            Codec::Plain => Ok(copy(input, output)),
            Codec::Gzip(inflate) => gzip_step(inflate, input, output),
            Codec::Zstd(decoder) => zstd_step(decoder, input, output),
        }
    }
}

fn undecodable<E: std::error::Error>(error: E) -> Undecodable {
    Undecodable(error.to_string())
}

fn zstd_decoder(dictionary: &[u8]) -> std::io::Result<Decoder<'static>> {
    let mut decoder = if dictionary.is_empty() {
        Decoder::new()?
    } else {
        Decoder::with_dictionary(dictionary)?
    };
    decoder.set_parameter(DParameter::WindowLogMax(ZSTD_WINDOW_LOG))?;
    Ok(decoder)
}

fn copy(input: &[u8], output: &mut [u8]) -> Step {
    let count = input.len().min(output.len());
    output[..count].copy_from_slice(&input[..count]);
    Step {
        read: count,
        written: count,
        finished: false,
    }
}

fn gzip_step(
    inflate: &mut Decompress,
    input: &[u8],
    output: &mut [u8],
) -> Result<Step, Undecodable> {
    let (read, written) = (inflate.total_in(), inflate.total_out());
    let status = inflate
        .decompress(input, output, FlushDecompress::None)
        .map_err(undecodable)?;
    Ok(Step {
        read: (inflate.total_in() - read) as usize,
        written: (inflate.total_out() - written) as usize,
        finished: status == Status::StreamEnd,
    })
}

fn zstd_step(
    decoder: &mut Decoder<'static>,
    input: &[u8],
    output: &mut [u8],
) -> Result<Step, Undecodable> {
    let mut source = InBuffer::around(input);
    let mut target = OutBuffer::around(output);
    let still_expected = decoder.run(&mut source, &mut target).map_err(undecodable)?;
    Ok(Step {
        read: source.pos(),
        written: target.pos(),
        finished: still_expected == 0,
    })
}
