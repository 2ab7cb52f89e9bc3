//! The calls into libsais, for 32-bit and 64-bit offsets.
//!
//! Offsets are unsigned for us and signed for libsais; the two have the same layout, and libsais
//! hands back only values that are not negative.

use crate::private::Sealed;

/// Why suffixes could not be sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SortError {
    /// The text is too long for the offset type that was asked for.
    TooLong {
        /// Symbols and end marks together, or the alphabet with its marks, whichever is more.
        length: usize,
        /// The most that the offset type can count.
        limit: usize,
    },
    /// A symbol is not inside the alphabet that was named.
    CodeOutOfRange {
        /// The symbol.
        code: u32,
        /// The size of the alphabet.
        alphabet: usize,
    },
    /// The sorter could not get its working memory.
    OutOfMemory,
}

impl std::fmt::Display for SortError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SortError::TooLong { length, limit } => {
                write!(
                    f,
                    "{length} symbols are more than the {limit} that can be sorted at once"
                )
            }
            SortError::CodeOutOfRange { code, alphabet } => {
                write!(f, "symbol {code} is outside an alphabet of {alphabet}")
            }
            SortError::OutOfMemory => write!(f, "not enough memory to sort suffixes"),
        }
    }
}

impl std::error::Error for SortError {}

/// The width of a position: `u32` for up to 2^31 symbols, `u64` beyond.
pub trait Offset: Copy + Ord + Default + std::fmt::Debug + Send + Sync + Sealed + 'static {
    /// The longest text, end marks included, that offsets of this width can address.
    const LIMIT: usize;

    /// Narrows a position that is known to fit.
    fn from_usize(position: usize) -> Self;

    /// Widens a position.
    fn to_usize(self) -> usize;

    #[doc(hidden)]
    fn check_length(length: usize) -> Result<(), SortError> {
        if length > Self::LIMIT {
            Err(SortError::TooLong {
                length,
                limit: Self::LIMIT,
            })
        } else {
            Ok(())
        }
    }

    /// Sorts the suffixes of zero-terminated sequences of bytes.
    #[doc(hidden)]
    fn sort_bytes(text: &[u8]) -> Result<Vec<Self>, SortError>;

    /// Sorts the suffixes of a text whose sequences end in marks that are all different. The text
    /// is handed back as it came.
    #[doc(hidden)]
    fn sort_codes(text: &mut [Self], alphabet: usize) -> Result<Vec<Self>, SortError>;

    #[doc(hidden)]
    fn lcp_of_bytes(text: Vec<u8>, suffixes: &[Self]) -> Result<Vec<Self>, SortError>;

    #[doc(hidden)]
    fn lcp_of_codes(text: Vec<Self>, suffixes: &[Self]) -> Result<Vec<Self>, SortError>;
}

/// Spare room behind the suffix array, in alphabets: libsais keeps its buckets there and need not
/// get memory for them.
const SPARE_ALPHABETS: usize = 6;

fn outcome(code: i64) -> Result<(), SortError> {
    // libsais answers 0 for done, -1 for arguments it cannot take (excluded by the length checks)
    // and -2 for memory.
    if code == 0 {
        Ok(())
    } else {
        Err(SortError::OutOfMemory)
    }
}

impl Offset for u32 {
    const LIMIT: usize = i32::MAX as usize;

    #[inline]
    fn from_usize(position: usize) -> Self {
        position as u32
    }

    #[inline]
    fn to_usize(self) -> usize {
        self as usize
    }

    fn sort_bytes(text: &[u8]) -> Result<Vec<u32>, SortError> {
        Self::check_length(text.len())?;
        let mut suffixes = vec![0u32; text.len()];
        // SAFETY: both pointers are valid for `text.len()` elements, which fits i32; the text ends
        // with the separator 0 as the sorter of string sets requires.
        outcome(i64::from(unsafe {
            libsais_sys::libsais::libsais_gsa(
                text.as_ptr(),
                suffixes.as_mut_ptr().cast(),
                text.len() as i32,
                0,
                std::ptr::null_mut(),
            )
        }))?;
        Ok(suffixes)
    }

    fn sort_codes(text: &mut [u32], alphabet: usize) -> Result<Vec<u32>, SortError> {
        let spare = (SPARE_ALPHABETS * alphabet).min(Self::LIMIT - text.len());
        let mut suffixes = vec![0u32; text.len() + spare];
        // SAFETY: the text is valid for `text.len()` elements, all below `alphabet`; the suffixes
        // for that many and `spare` more; all three lengths fit i32 by `check_length` and the line
        // above.
        outcome(i64::from(unsafe {
            libsais_sys::libsais::libsais_int(
                text.as_mut_ptr().cast(),
                suffixes.as_mut_ptr().cast(),
                text.len() as i32,
                alphabet as i32,
                spare as i32,
            )
        }))?;
        suffixes.truncate(text.len());
        suffixes.shrink_to_fit();
        Ok(suffixes)
    }

    fn lcp_of_bytes(text: Vec<u8>, suffixes: &[u32]) -> Result<Vec<u32>, SortError> {
        let length = text.len() as i32;
        let mut permuted = vec![0u32; text.len()];
        // SAFETY: all three arrays have `length` elements; the suffixes are those of the text.
        outcome(i64::from(unsafe {
            libsais_sys::libsais::libsais_plcp_gsa(
                text.as_ptr(),
                suffixes.as_ptr().cast(),
                permuted.as_mut_ptr().cast(),
                length,
            )
        }))?;
        drop(text);
        let lcp = vec![0u32; suffixes.len()];
        lcp_from_permuted(&permuted, suffixes, lcp)
    }

    fn lcp_of_codes(text: Vec<u32>, suffixes: &[u32]) -> Result<Vec<u32>, SortError> {
        let mut permuted = vec![0u32; text.len()];
        // SAFETY: all three arrays have `text.len()` elements; the suffixes are those of the text.
        outcome(i64::from(unsafe {
            libsais_sys::libsais::libsais_plcp_int(
                text.as_ptr().cast(),
                suffixes.as_ptr().cast(),
                permuted.as_mut_ptr().cast(),
                text.len() as i32,
            )
        }))?;
        // The marked text has done its work; its memory takes the answer.
        lcp_from_permuted(&permuted, suffixes, text)
    }
}

fn lcp_from_permuted(
    permuted: &[u32],
    suffixes: &[u32],
    mut lcp: Vec<u32>,
) -> Result<Vec<u32>, SortError> {
    // SAFETY: the three arrays have the same length, which fits i32 since the suffixes were sorted
    // with it.
    outcome(i64::from(unsafe {
        libsais_sys::libsais::libsais_lcp(
            permuted.as_ptr().cast(),
            suffixes.as_ptr().cast(),
            lcp.as_mut_ptr().cast(),
            suffixes.len() as i32,
        )
    }))?;
    Ok(lcp)
}

impl Offset for u64 {
    const LIMIT: usize = i64::MAX as usize;

    #[inline]
    fn from_usize(position: usize) -> Self {
        position as u64
    }

    #[inline]
    fn to_usize(self) -> usize {
        self as usize
    }

    fn sort_bytes(text: &[u8]) -> Result<Vec<u64>, SortError> {
        let mut suffixes = vec![0u64; text.len()];
        // SAFETY: as for 32 bits.
        outcome(unsafe {
            libsais_sys::libsais64::libsais64_gsa(
                text.as_ptr(),
                suffixes.as_mut_ptr().cast(),
                text.len() as i64,
                0,
                std::ptr::null_mut(),
            )
        })?;
        Ok(suffixes)
    }

    fn sort_codes(text: &mut [u64], alphabet: usize) -> Result<Vec<u64>, SortError> {
        let spare = SPARE_ALPHABETS * alphabet;
        let mut suffixes = vec![0u64; text.len() + spare];
        // SAFETY: as for 32 bits.
        outcome(unsafe {
            libsais_sys::libsais64::libsais64_long(
                text.as_mut_ptr().cast(),
                suffixes.as_mut_ptr().cast(),
                text.len() as i64,
                alphabet as i64,
                spare as i64,
            )
        })?;
        suffixes.truncate(text.len());
        suffixes.shrink_to_fit();
        Ok(suffixes)
    }

    fn lcp_of_bytes(text: Vec<u8>, suffixes: &[u64]) -> Result<Vec<u64>, SortError> {
        let length = text.len() as i64;
        let mut permuted = vec![0u64; text.len()];
        let mut lcp = vec![0u64; text.len()];
        // SAFETY: all arrays have `length` elements; the suffixes are those of the text.
        outcome(unsafe {
            libsais_sys::libsais64::libsais64_plcp_gsa(
                text.as_ptr(),
                suffixes.as_ptr().cast(),
                permuted.as_mut_ptr().cast(),
                length,
            )
        })?;
        // SAFETY: as above.
        outcome(unsafe {
            libsais_sys::libsais64::libsais64_lcp(
                permuted.as_ptr().cast(),
                suffixes.as_ptr().cast(),
                lcp.as_mut_ptr().cast(),
                length,
            )
        })?;
        Ok(lcp)
    }

    fn lcp_of_codes(text: Vec<u64>, suffixes: &[u64]) -> Result<Vec<u64>, SortError> {
        Ok(lcp_by_predecessors(&text, suffixes))
    }
}

/// LCP of 64-bit codes, which libsais does not offer: the Φ algorithm (Kärkkäinen, Manzini, Puglisi
/// 2009).
///
/// Going through the text from left to right, the LCP of a position with its predecessor in sorted
/// order is at least the one before it less one, so that all comparisons together are linear.
fn lcp_by_predecessors(text: &[u64], suffixes: &[u64]) -> Vec<u64> {
    let none = u64::MAX;
    let mut permuted = vec![none; text.len()];
    for pair in suffixes.windows(2) {
        permuted[pair[1] as usize] = pair[0];
    }
    let mut shared = 0usize;
    for position in 0..text.len() {
        let predecessor = permuted[position];
        if predecessor == none {
            shared = 0;
        } else {
            let (here, there) = (&text[position..], &text[predecessor as usize..]);
            shared += here[shared..]
                .iter()
                .zip(&there[shared..])
                .take_while(|(a, b)| a == b)
                .count();
        }
        permuted[position] = shared as u64;
        shared = shared.saturating_sub(1);
    }
    suffixes
        .iter()
        .map(|&position| permuted[position as usize])
        .collect()
}
