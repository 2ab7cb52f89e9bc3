//! How does an ARC record start?
//!
//! ARC is the format before WARC: one line with the address, the IP address, the date, the media
//! type and the length (version 1), or these and five more (version 2), then the response.
//!
//! ```text
//! http://example.com/ 93.184.216.119 20140216050221 text/html 1591
//! HTTP/1.1 200 OK ...
//! ```
//!
//! The address may hold spaces, so the line is read from its right end.

use crate::archive::{Header, RecordKind};
use crate::tally::{Note, SkipKind};
use crate::warc::repair_uri;

/// How many fields stand behind the date in versions 1 and 2: media type to length.
const BEHIND_DATE: [usize; 2] = [2, 7];

/// Whether a record starts here: a line that has an address and a date in the right places.
pub(crate) fn starts(bytes: &[u8]) -> bool {
    let Some(end) = memchr::memchr(b'\n', bytes) else {
        return false;
    };
    // Cheaper than splitting, and refuses nearly every line of a page.
    let has_scheme = bytes
        .iter()
        .take(16)
        .position(|&byte| byte == b':')
        .is_some_and(|colon| colon > 1);
    has_scheme && bytes[0].is_ascii_alphabetic() && Line::split(&bytes[..end]).is_some()
}

/// A header line, taken apart but not yet believed.
struct Line {
    uri: String,
    date: String,
    media_type: String,
    length: String,
}

impl Line {
    fn split(line: &[u8]) -> Option<Line> {
        let text = String::from_utf8_lossy(line.trim_ascii_end());
        let words: Vec<&str> = text.split(' ').collect();
        let date = BEHIND_DATE
            .iter()
            .filter_map(|behind| words.len().checked_sub(behind + 1))
            .find(|&date| {
                date >= 2
                    && words[date].len() >= 8
                    && words[date].bytes().all(|byte| byte.is_ascii_digit())
            })?;
        let uri = words[..date - 1].join(" ");
        let has_scheme = uri
            .split_once(':')
            .is_some_and(|(scheme, _)| is_scheme(scheme));
        has_scheme.then(|| Line {
            uri,
            date: words[date].to_owned(),
            media_type: words[date + 1].to_owned(),
            length: words[words.len() - 1].to_owned(),
        })
    }
}

fn is_scheme(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

/// Reads the header line.
pub(crate) fn parse(lines: &[Vec<u8>]) -> Result<Header, String> {
    let line = lines
        .first()
        .and_then(|line| Line::split(line))
        .ok_or("not an ARC header line")?;
    let length = line
        .length
        .parse()
        .map_err(|_| format!("the length is not a number: {:.40}", line.length))?;
    let mut notes: Vec<Note> = Vec::new();
    let uri = repair_uri(&line.uri, &mut notes);
    Ok(Header {
        kind: kind_of(&line.uri),
        length,
        uri: Some(uri),
        content_type: Some(line.media_type),
        date: iso(&line.date),
        truncated: false,
        notes,
    })
}

/// A date of fourteen digits, as WARC writes it; days without a time, and what has more digits, are
/// left out.
fn iso(date: &str) -> Option<String> {
    if date.len() != 14 {
        return None;
    }
    let part = |range: std::ops::Range<usize>| &date[range];
    let [year, month, day, hour, minute, second] =
        [0..4, 4..6, 6..8, 8..10, 10..12, 12..14].map(part);
    Some(format!("{year}-{month}-{day}T{hour}:{minute}:{second}Z"))
}

fn kind_of(uri: &str) -> RecordKind {
    match uri.split_once(':') {
        Some(("filedesc", _)) => {
            RecordKind::NotAPage(SkipKind::Warcinfo, "the header of the archive".to_owned())
        }
        Some(("http" | "https", _)) => RecordKind::Response,
        _ => RecordKind::Resource,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(line: &str) -> Result<Header, String> {
        parse(&[line.as_bytes().to_vec()])
    }

    #[test]
    fn both_versions_and_spaces_in_addresses_are_read() {
        let one = header("http://a/?x=b c d 10.0.0.1 20140216050221 text/html 1591").unwrap();
        assert_eq!(
            (one.uri.as_deref(), one.length),
            (Some("http://a/?x=b%20c%20d"), 1591)
        );
        assert_eq!(one.date.as_deref(), Some("2014-02-16T05:02:21Z"));
        let two = header(
            "http://a/ 10.0.0.1 19970504093212 text/html 200 fac069150613fe55 - 209 a.arc 187",
        )
        .unwrap();
        assert_eq!(
            (two.content_type.as_deref(), two.length),
            (Some("text/html"), 187)
        );
    }

    #[test]
    fn lengths_that_are_no_numbers_start_a_record_that_is_refused() {
        let line = "http://example.com/ 93.184.216.119 201404010000000000 text/html abc";
        assert!(starts(format!("{line}\n").as_bytes()));
        assert!(header(line).is_err());
    }

    #[test]
    fn text_is_not_a_header() {
        assert!(!starts(
            b"URL IP-address Archive-date Content-type Archive-length\n"
        ));
        assert!(!starts(b"note: this is a line of text that goes on\n"));
        assert!(!starts(b"http://a/ 10.0.0.1 20140216050221 text/html 1591"));
    }
}
