//! How does a WARC record start?
//!
//! ```text
//! WARC/1.0
//! WARC-Type: response
//! WARC-Target-URI: http://example.org/
//! WARC-Date: 2014-02-16T05:02:21Z
//! Content-Type: application/http; msgtype=response
//! Content-Length: 1613
//!
//! HTTP/1.1 200 OK ...
//! ```
//!
//! [`archive`](crate::archive) finds the records; this module reads the header of one (ISO 28500,
//! versions 0.17 to 1.1).

use crate::archive::{Header, RecordKind};
use crate::header::Fields;
use crate::tally::{Note, SkipKind};

/// Whether a record starts here, for a reader that expects one.
pub(crate) fn starts(bytes: &[u8]) -> bool {
    bytes.starts_with(b"WARC/")
}

/// Whether a record starts here, for a reader that is lost: the version line must be whole, and a
/// field must follow.
pub(crate) fn surely_starts(bytes: &[u8]) -> bool {
    let mut lines = bytes
        .splitn(3, |&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii_end);
    let version = lines
        .next()
        .and_then(|line| line.strip_prefix(b"WARC/"))
        .unwrap_or_default();
    let field = lines.next().unwrap_or_default();
    is_version(version) && is_field(field)
}

fn is_version(version: &[u8]) -> bool {
    matches!(version, [major, b'.', minor @ ..]
        if major.is_ascii_digit() && matches!(minor.len(), 1..=2) && minor.iter().all(u8::is_ascii_digit))
}

fn is_field(line: &[u8]) -> bool {
    let name = line.split(|&byte| byte == b':').next().unwrap_or_default();
    name.len() < line.len()
        && !name.is_empty()
        && name
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
}

/// Reads the header lines behind the version line.
pub(crate) fn parse(lines: &[Vec<u8>]) -> Result<Header, String> {
    let mut fields = Fields::default();
    lines.iter().for_each(|line| fields.add(line));
    let get = |name: &str| fields.get(name);
    let length = get("content-length").ok_or("the record has no Content-Length")?;
    let length = length
        .parse()
        .map_err(|_| format!("the Content-Length is not a number: {length:.40}"))?;
    let kind = kind_of(get("warc-type").unwrap_or_default())?;
    let mut notes = Vec::new();
    let uri = get("warc-target-uri")
        .map(|uri| repair_uri(uri, &mut notes))
        .filter(|uri| !uri.is_empty());
    if uri.is_none() && !matches!(kind, RecordKind::NotAPage(..)) {
        notes.push(Note::NoUri);
    }
    let content_type = get("content-type").map(str::to_owned);
    let truncated = get("warc-truncated").is_some() || get("warc-segment-number").is_some();
    let date = get("warc-date")
        .map(str::to_owned)
        .filter(|date| !date.is_empty());
    Ok(Header {
        kind,
        length,
        uri,
        content_type,
        date,
        truncated,
        notes,
    })
}

fn kind_of(name: &str) -> Result<RecordKind, String> {
    let skip = match name {
        "response" => return Ok(RecordKind::Response),
        "resource" => return Ok(RecordKind::Resource),
        "conversion" => return Ok(RecordKind::Conversion),
        "request" => SkipKind::Request,
        "warcinfo" => SkipKind::Warcinfo,
        "metadata" => SkipKind::Metadata,
        "revisit" => SkipKind::Revisit,
        "continuation" => SkipKind::Continuation,
        // The format lets others define types; nobody has. What is met is a page whose header is
        // damaged.
        _ => return Err(format!("{name:.40} is no type of a record")),
    };
    Ok(RecordKind::NotAPage(
        skip,
        format!("a record of type {name}"),
    ))
}

/// Takes off the brackets that old Wget writes around an address, and escapes white space and
/// control characters.
pub(crate) fn repair_uri(uri: &str, notes: &mut Vec<Note>) -> String {
    let bare = uri
        .trim()
        .trim_start_matches('<')
        .trim_end_matches('>')
        .trim();
    let repaired: String = bare.chars().map(escape_in_uri).collect();
    if repaired != uri {
        notes.push(Note::RepairedUri);
    }
    repaired
}

fn escape_in_uri(c: char) -> String {
    match c {
        c if c.is_ascii_control() || c == ' ' => format!("%{:02X}", u32::from(c)),
        c => c.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(text: &str) -> Result<Header, String> {
        parse(
            &text
                .lines()
                .map(|line| line.as_bytes().to_vec())
                .collect::<Vec<_>>(),
        )
    }

    #[test]
    fn a_lost_reader_does_not_fall_for_text_that_mentions_the_format() {
        assert!(surely_starts(b"WARC/1.0\r\nWARC-Type: response\r\n"));
        assert!(surely_starts(b"WARC/0.17\nContent-Length: 3\n"));
        assert!(!surely_starts(b"WARC/1.0 is a format\r\n"));
        assert!(!surely_starts(b"WARC/1.0\r\n<p>not a field"));
        assert!(!surely_starts(b""));
    }

    #[test]
    fn field_names_have_no_case_and_values_may_fold() {
        let lines = "warc-type: response\nCONTENT-LENGTH: 12\nwarc-date: 2014-02-16T05:02:21Z\nWARC-Target-URI: http://a/\n b";
        let header = header(lines).unwrap();
        assert_eq!(
            (header.length, header.date.as_deref()),
            (12, Some("2014-02-16T05:02:21Z"))
        );
        assert_eq!(header.uri.as_deref(), Some("http://a/%20b"));
    }

    #[test]
    fn brackets_and_spaces_of_an_address_are_repaired_and_noted() {
        let header =
            header("WARC-Type: resource\nContent-Length: 1\nWARC-Target-URI: <http://a/b c>")
                .unwrap();
        assert_eq!(header.uri.as_deref(), Some("http://a/b%20c"));
        assert_eq!(header.notes, [Note::RepairedUri]);
    }

    #[test]
    fn a_length_that_is_no_number_is_refused() {
        assert!(header("WARC-Type: response").is_err());
        assert!(header("WARC-Type: response\nContent-Length: -5").is_err());
        assert!(header("WARC-Type: response\nContent-Length: 99999999999999999999999").is_err());
    }
}
