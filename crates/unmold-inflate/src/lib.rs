//! What does a gzip member unpack to that is in memory as a whole, and where does it end?
//!
//! ```
//! use unmold_inflate::Inflater;
//!
//! // "<p>hello", and behind it the start of another member.
//! let packed = b"\x1f\x8b\x08\0\0\0\0\0\x02\x03\xb3)\xb0\xcbH\xcd\xc9\xc9\x07\0\x36~j\x95\x08\0\0\0\x1f\x8b";
//! let mut output = [0; 100];
//! let member = Inflater::new().unwrap().member(packed, &mut output).unwrap();
//! assert_eq!((&output[..member.written], member.read), (&b"<p>hello"[..], 28));
//! ```
//!
//! Archives have a member for each record, and most fit into a buffer. Such a member unpacks two to
//! three times as fast at once as step by step, because nothing has to be ready to stop at any
//! byte. The work is done by [libdeflate](https://github.com/ebiggers/libdeflate), which checks
//! length and checksum.
//!
//! All `unsafe` code is calls into C with lengths taken from slices.

use libdeflate_sys::{
    libdeflate_alloc_decompressor, libdeflate_decompressor, libdeflate_free_decompressor,
    libdeflate_gzip_decompress_ex, libdeflate_result_LIBDEFLATE_SUCCESS,
};
use std::ptr::NonNull;

/// The header flag that says that the header has a checksum of its own, which libdeflate does not
/// look at.
const HEADER_CHECKSUM: u8 = 1 << 1;

/// Unpacks members, one after the other.
pub struct Inflater(NonNull<libdeflate_decompressor>);

// SAFETY: a decompressor is memory of its own that no thread is tied to, and nothing else has the
// pointer.
unsafe impl Send for Inflater {}

/// A member that was unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// How many bytes it has.
    pub read: usize,
    /// How many it unpacks to.
    pub written: usize,
}

impl Inflater {
    /// Makes room for the tables; `None` if there is no memory.
    pub fn new() -> Option<Self> {
        // SAFETY: the function takes nothing, and gives a pointer that is ours or null.
        NonNull::new(unsafe { libdeflate_alloc_decompressor() }).map(Inflater)
    }

    /// Unpacks the member at the start of `input`. `None` if it is not there as a whole, does not
    /// fit into `output` or is damaged: why that is, only a decoder that goes step by step can
    /// tell. What is in `output` then means nothing.
    pub fn member(&mut self, input: &[u8], output: &mut [u8]) -> Option<Member> {
        if input
            .get(3)
            .is_none_or(|flags| flags & HEADER_CHECKSUM != 0)
        {
            return None;
        }
        let mut member = Member {
            read: 0,
            written: 0,
        };
        // SAFETY: the decompressor is alive and, by `&mut`, used by nobody else; input and output
        // are slices of the lengths given, which do not overlap since one is `&mut`; the last two
        // point to numbers that outlive the call.
        let result = unsafe {
            libdeflate_gzip_decompress_ex(
                self.0.as_ptr(),
                input.as_ptr().cast(),
                input.len(),
                output.as_mut_ptr().cast(),
                output.len(),
                &raw mut member.read,
                &raw mut member.written,
            )
        };
        (result == libdeflate_result_LIBDEFLATE_SUCCESS).then_some(member)
    }
}

impl Drop for Inflater {
    fn drop(&mut self) {
        // SAFETY: the pointer came from `libdeflate_alloc_decompressor` and is not used again.
        unsafe { libdeflate_free_decompressor(self.0.as_ptr()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, GzBuilder};
    use proptest::prelude::*;
    use std::io::Write;

    fn packed(bytes: &[u8], level: u32) -> Vec<u8> {
        let mut encoder = GzBuilder::new()
            .filename("a")
            .write(Vec::new(), Compression::new(level));
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    proptest! {
        #[test]
        fn whole_members_come_back_and_others_do_not(
            bytes in proptest::collection::vec(prop_oneof![Just(7u8), any::<u8>()], 0..2000),
            level in 0u32..10,
            behind in proptest::collection::vec(any::<u8>(), 0..20),
        ) {
            let member = packed(&bytes, level);
            let input = [&member[..], &behind].concat();
            let mut inflater = Inflater::new().unwrap();
            let mut output = vec![0; bytes.len()];
            let found = inflater.member(&input, &mut output);
            prop_assert_eq!(found, Some(Member { read: member.len(), written: bytes.len() }));
            prop_assert_eq!(&output, &bytes);
            // Cut, damaged or too large for the output: none, and the inflater works on.
            prop_assert_eq!(inflater.member(&input[..member.len() - 1], &mut output), None);
            let mut damaged = input.clone();
            damaged[member.len() - 5] ^= 1;
            prop_assert_eq!(inflater.member(&damaged, &mut output), None);
            if !bytes.is_empty() {
                let short = output.len() - 1;
                prop_assert_eq!(inflater.member(&input, &mut output[..short]), None);
            }
            prop_assert!(inflater.member(&input, &mut output).is_some());
        }

        #[test]
        fn any_bytes_come_to_an_end(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let input = [&b"\x1f\x8b\x08\0\0\0\0\0\0\x03"[..], &bytes].concat();
            let mut output = [0; 1000];
            if let Some(member) = Inflater::new().unwrap().member(&input, &mut output) {
                prop_assert!(member.read <= input.len() && member.written <= output.len());
            }
        }
    }

    #[test]
    fn a_header_with_a_checksum_is_left_to_others() {
        let mut member = packed(b"abc", 6);
        member[3] |= HEADER_CHECKSUM;
        assert_eq!(Inflater::new().unwrap().member(&member, &mut [0; 10]), None);
    }
}
