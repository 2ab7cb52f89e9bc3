//! What page did a server send?
//!
//! An archive holds the response as it went over the wire: status line, header, body, the body
//! possibly chunked and compressed. Crawlers differ in which of these they undo and which headers
//! they then leave standing, so nothing in the header is believed without looking at the bytes: a
//! body that is not chunked is taken as it stands, and a compression is undone when the bytes show
//! it, at most [`LAYERS`] times.

use std::io::Read;

use crate::codec::Packing;
use crate::header::Fields;
use crate::tally::Note;

/// How many compressions are undone. One is normal, two happen behind misconfigured servers, three
/// are an attack.
const LAYERS: usize = 2;

/// The limits on a header.
#[derive(Clone, Copy)]
pub(crate) struct HeaderLimits {
    pub(crate) bytes: usize,
    pub(crate) lines: usize,
}

/// Why a response cannot be read.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadHttp {
    #[error("the response does not start with an HTTP status line")]
    Status,
    #[error("the HTTP header is longer than {0} bytes")]
    HeaderBytes(usize),
    #[error("the HTTP header has more than {0} lines")]
    HeaderLines(usize),
}

/// The head of a response.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) status: u16,
    fields: Fields,
    /// Where the body starts.
    pub(crate) length: usize,
}

impl Head {
    /// Reads the status line and the header.
    pub(crate) fn parse(response: &[u8], limits: HeaderLimits) -> Result<Head, BadHttp> {
        let mut lines = Lines {
            bytes: response,
            position: 0,
        };
        let status = lines.next().and_then(status_of).ok_or(BadHttp::Status)?;
        let mut fields = Fields::default();
        for (number, line) in lines
            .by_ref()
            .take_while(|line| !line.is_empty())
            .enumerate()
        {
            if number >= limits.lines {
                return Err(BadHttp::HeaderLines(limits.lines));
            }
            fields.add(line);
        }
        if lines.position > limits.bytes {
            return Err(BadHttp::HeaderBytes(limits.bytes));
        }
        Ok(Head {
            status,
            fields,
            length: lines.position,
        })
    }

    pub(crate) fn content_type(&self) -> ContentType {
        self.fields
            .get("content-type")
            .map(ContentType::parse)
            .unwrap_or_default()
    }

    fn is_chunked(&self) -> bool {
        self.fields
            .get("transfer-encoding")
            .is_some_and(|value| value.to_ascii_lowercase().contains("chunked"))
    }

    /// The declared compressions, in the order in which they were applied.
    fn codings(&self) -> Vec<Coding> {
        let declared = self.fields.get("content-encoding").unwrap_or_default();
        declared.split(',').filter_map(Coding::named).collect()
    }
}

/// The lines of a header, with `\n` or `\r\n` ends. `position` is behind the last line given.
struct Lines<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = &self.bytes[self.position..];
        if rest.is_empty() {
            return None;
        }
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        self.position += (end + 1).min(rest.len());
        let line = &rest[..end];
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }
}

fn status_of(line: &[u8]) -> Option<u16> {
    let line = std::str::from_utf8(line.get(..line.len().min(64))?.trim_ascii_end()).ok()?;
    let mut words = line.split_ascii_whitespace();
    words
        .next()
        .filter(|version| version.starts_with("HTTP/"))?;
    words.next()?.parse().ok()
}

/// A media type and its charset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ContentType {
    pub(crate) media_type: Option<String>,
    pub(crate) charset: Option<String>,
}

impl ContentType {
    /// Reads `text/html; charset="utf-8"`.
    pub(crate) fn parse(value: &str) -> ContentType {
        let mut parts = value.split(';');
        let media_type = parts
            .next()
            .map(|part| part.trim().to_ascii_lowercase())
            .filter(|part| part.contains('/'));
        let charset = parts.find_map(|part| {
            let (name, value) = part.split_once('=')?;
            let value = value.trim().trim_matches(['"', '\'']);
            (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty())
                .then(|| value.to_owned())
        });
        ContentType {
            media_type,
            charset,
        }
    }
}

/// A body after its transfer and content encodings are undone.
#[derive(Debug, Default)]
pub(crate) struct Payload {
    pub(crate) bytes: Vec<u8>,
    /// Whether nothing had to be undone: the body is as long as it was sent.
    pub(crate) is_as_sent: bool,
    pub(crate) truncated: bool,
    pub(crate) notes: Vec<Note>,
}

/// Undoes what the header declares, as far as the bytes bear it out. At most `limit` + 1 bytes come
/// out of a compression.
///
/// The body is what stands behind the head in `response`, and stays in its room where nothing is
/// undone.
pub(crate) fn payload(head: &Head, mut response: Vec<u8>, limit: usize) -> Payload {
    let mut payload = Payload::default();
    payload.bytes = if head.is_chunked() {
        unchunk(&response[head.length..], &mut payload.notes)
    } else {
        response.drain(..head.length);
        response
    };
    payload.is_as_sent = !head.is_chunked() && !undo_codings(&mut payload, head.codings(), limit);
    payload
}

/// Joins the chunks. From a size that makes no sense on, the bytes are taken as they stand.
fn unchunk(body: &[u8], notes: &mut Vec<Note>) -> Vec<u8> {
    let mut joined = Vec::with_capacity(body.len());
    let mut rest = body;
    while !rest.is_empty() {
        let Some((size, behind)) = chunk_size(rest) else {
            notes.push(if joined.is_empty() {
                Note::NotChunked
            } else {
                Note::BrokenChunks
            });
            joined.extend_from_slice(rest);
            break;
        };
        if size == 0 {
            break;
        }
        let (chunk, behind) = behind.split_at(size.min(behind.len()));
        joined.extend_from_slice(chunk);
        rest = behind
            .strip_prefix(b"\r\n")
            .or_else(|| behind.strip_prefix(b"\n"))
            .unwrap_or(behind);
    }
    joined
}

/// The size on the line at the start of a chunk, and what is behind that line.
fn chunk_size(bytes: &[u8]) -> Option<(usize, &[u8])> {
    // A size line is short, extensions included; a body that is not chunked may be one line of
    // megabytes.
    let end = memchr::memchr(b'\n', &bytes[..bytes.len().min(1024)])?;
    let line = std::str::from_utf8(&bytes[..end]).ok()?;
    let digits = line.split(';').next()?.trim();
    let size = if digits.len() <= 16 {
        usize::from_str_radix(digits, 16).ok()?
    } else {
        return None;
    };
    Some((size, &bytes[end + 1..]))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coding {
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

impl Coding {
    fn named(name: &str) -> Option<Coding> {
        match name.trim().to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" => Some(Coding::Gzip),
            "deflate" => Some(Coding::Deflate),
            "br" => Some(Coding::Brotli),
            "zstd" => Some(Coding::Zstd),
            _ => None,
        }
    }

    /// The coding that the bytes themselves show. Deflate and Brotli have no signature.
    fn shown_by(bytes: &[u8]) -> Option<Coding> {
        match Packing::of(bytes) {
            Packing::Gzip => Some(Coding::Gzip),
            Packing::Zstd => Some(Coding::Zstd),
            Packing::Plain => None,
        }
    }

    fn has_signature(self) -> bool {
        matches!(self, Coding::Gzip | Coding::Zstd)
    }
}

/// Undoes compressions. Whether there was one.
fn undo_codings(payload: &mut Payload, mut declared: Vec<Coding>, limit: usize) -> bool {
    let mut undone = false;
    for _ in 0..LAYERS {
        let coding = match (Coding::shown_by(&payload.bytes), declared.pop()) {
            (Some(shown), Some(said)) if shown == said => shown,
            (Some(shown), _) => {
                payload.notes.push(Note::UndeclaredEncoding);
                shown
            }
            (None, Some(said)) if !said.has_signature() => said,
            (None, Some(_)) => {
                payload.notes.push(Note::WrongEncoding);
                continue;
            }
            (None, None) => break,
        };
        if undo(payload, coding, limit) {
            undone = true;
        } else {
            payload.notes.push(Note::WrongEncoding);
        }
    }
    undone
}

/// Undoes one compression. False, and nothing is changed, if the bytes do not have it.
fn undo(payload: &mut Payload, coding: Coding, limit: usize) -> bool {
    let unpacked = match coding {
        Coding::Gzip => unpack(flate2::read::GzDecoder::new(&payload.bytes[..]), limit),
        Coding::Zstd => match zstd::stream::read::Decoder::with_buffer(&payload.bytes[..]) {
            Ok(decoder) => unpack(decoder.single_frame(), limit),
            Err(_) => return false,
        },
        Coding::Brotli => whole(unpack(
            brotli_decompressor::Decompressor::new(&payload.bytes[..], 4096),
            limit,
        )),
        Coding::Deflate => inflate(&payload.bytes, limit),
    };
    let found = !unpacked.bytes.is_empty();
    if found {
        payload.bytes = unpacked.bytes;
        payload.truncated |= unpacked.broken;
    }
    found
}

/// What came out of a decoder, and whether it stopped with an error.
#[derive(Default)]
struct Unpacked {
    bytes: Vec<u8>,
    broken: bool,
}

fn unpack(decoder: impl Read, limit: usize) -> Unpacked {
    let mut bytes = Vec::new();
    // What was unpacked before an error stays in `bytes`: a page cut short is still a page.
    let broken = decoder
        .take(limit as u64 + 1)
        .read_to_end(&mut bytes)
        .is_err();
    Unpacked { bytes, broken }
}

/// Without a signature, only a body that unpacks to its end proves that it was compressed at all.
fn whole(unpacked: Unpacked) -> Unpacked {
    if unpacked.broken {
        Unpacked::default()
    } else {
        unpacked
    }
}

/// Servers send `deflate` with the zlib wrapper, as the standard says, or without it.
fn inflate(bytes: &[u8], limit: usize) -> Unpacked {
    let wrapped = whole(unpack(flate2::read::ZlibDecoder::new(bytes), limit));
    if wrapped.bytes.is_empty() {
        whole(unpack(flate2::read::DeflateDecoder::new(bytes), limit))
    } else {
        wrapped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const LIMITS: HeaderLimits = HeaderLimits {
        bytes: 1000,
        lines: 10,
    };

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn read(header: &str, body: &[u8]) -> (Vec<u8>, bool, Vec<Note>) {
        let response = [b"HTTP/1.1 200 OK\r\n", header.as_bytes(), b"\r\n", body].concat();
        let head = Head::parse(&response, LIMITS).unwrap();
        let payload = payload(&head, response, 1000);
        (payload.bytes, payload.truncated, payload.notes)
    }

    #[test]
    fn header_lines_end_with_or_without_carriage_return_and_fold() {
        let head = Head::parse(
            b"HTTP/1.0 404 Not Found\nContent-Type: text/html;\n charset=\"EUC-JP\"\n\nbody",
            LIMITS,
        );
        let head = head.unwrap();
        assert_eq!(head.status, 404);
        assert_eq!(head.content_type().charset.as_deref(), Some("EUC-JP"));
        assert_eq!(head.length, 67);
    }

    #[test]
    fn header_limits_hold() {
        let many = format!("HTTP/1.1 200 OK\r\n{}\r\n", "A: b\r\n".repeat(11));
        assert_eq!(
            Head::parse(many.as_bytes(), LIMITS).unwrap_err(),
            BadHttp::HeaderLines(10)
        );
        let long = format!("HTTP/1.1 200 OK\r\nA: {}\r\n\r\n", "b".repeat(1000));
        assert_eq!(
            Head::parse(long.as_bytes(), LIMITS).unwrap_err(),
            BadHttp::HeaderBytes(1000)
        );
        assert_eq!(Head::parse(b"<html>", LIMITS).unwrap_err(), BadHttp::Status);
    }

    #[test]
    fn chunks_are_joined_and_false_claims_of_chunks_leave_the_body_alone() {
        let chunked = "Transfer-Encoding: chunked\r\n";
        assert_eq!(
            read(chunked, b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"),
            (b"abcde".to_vec(), false, vec![])
        );
        assert_eq!(
            read(chunked, b"<p>abc\n</p>"),
            (b"<p>abc\n</p>".to_vec(), false, vec![Note::NotChunked])
        );
        assert_eq!(
            read(chunked, b"3\r\nabc\r\nzz\r\nde"),
            (b"abczz\r\nde".to_vec(), false, vec![Note::BrokenChunks])
        );
        let huge = b"FFFFFFFFFFFFFFFF\r\nabc";
        assert_eq!(read(chunked, huge).0, b"abc");
    }

    #[test]
    fn content_encoding_lies_are_seen_through() {
        let says_gzip = "Content-Encoding: gzip\r\n";
        assert_eq!(
            read(says_gzip, &gzip(b"<p>")),
            (b"<p>".to_vec(), false, vec![])
        );
        assert_eq!(
            read(says_gzip, b"<p>"),
            (b"<p>".to_vec(), false, vec![Note::WrongEncoding])
        );
        let twice = gzip(&gzip(b"<p>"));
        assert_eq!(
            read(says_gzip, &twice),
            (b"<p>".to_vec(), false, vec![Note::UndeclaredEncoding])
        );
        assert_eq!(
            read("Content-Encoding: br\r\n", b"<p>"),
            (b"<p>".to_vec(), false, vec![Note::WrongEncoding])
        );
        assert_eq!(read("Content-Encoding: deflate\r\n", b"<p>").0, b"<p>");
    }

    #[test]
    fn three_layers_of_gzip_stay_packed() {
        let thrice = gzip(&gzip(&gzip(b"<p>")));
        assert_eq!(read("", &thrice).0, gzip(b"<p>"));
    }

    #[test]
    fn brotli_deflate_and_zstd_are_undone() {
        // "<p>hello" as Brotli wrote it.
        let brotli = b"\x8b\x03\x80<p>hello\x03";
        assert_eq!(read("Content-Encoding: br\r\n", brotli).0, b"<p>hello");
        let mut encoder =
            flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(b"<p>hello").unwrap();
        assert_eq!(
            read("Content-Encoding: deflate\r\n", &encoder.finish().unwrap()).0,
            b"<p>hello"
        );
        let zstd = zstd::encode_all(&b"<p>hello"[..], 1).unwrap();
        assert_eq!(read("Content-Encoding: zstd\r\n", &zstd).0, b"<p>hello");
    }

    #[test]
    fn truncated_gzip_gives_what_there_is_and_says_so() {
        let noise: Vec<u8> = (0..900u32)
            .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
            .collect();
        let packed = gzip(&noise);
        let (bytes, truncated, _) = read("Content-Encoding: gzip\r\n", &packed[..packed.len() / 2]);
        assert!(truncated);
        assert!(noise.starts_with(&bytes) && !bytes.is_empty());
    }

    #[test]
    fn a_bomb_is_cut_at_the_limit() {
        let (bytes, _, _) = read("", &gzip(&vec![b'a'; 1 << 24]));
        assert_eq!(bytes.len(), 1001);
    }
}
