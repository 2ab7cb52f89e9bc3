//! Which records does an archive hold, and how does a reader that lost its way find back?
//!
//! WARC and ARC are the same thing to this module: a header that says how long the block is, the
//! block, the next header. The reader follows the lengths, and checks every one: behind a block
//! there must be a record, the end of a compressed member, or the end of the file. Where that
//! fails, the length is wrong, and the reader goes back to the start of the block and looks line by
//! line for what is surely a record. One fault is reported, with the bytes passed over.
//!
//! A page can hold text that looks like a record. It is only ever taken for one after damage, never
//! while the lengths are right, so a site cannot smuggle records into an archive of itself.
//!
//! Cost: one pass, plus what recovery reads twice (bounded by [`Stream`]). Memory: one block up to
//! the page limit.

use std::ops::Range;
use std::sync::Arc;

use crate::candidate::{Candidate, Item};
use crate::codec::Packing;
use crate::fault::{At, Fault, FaultKind, Stage};
use crate::http::{self, ContentType, Head, HeaderLimits};
use crate::settings::LoadSettings;
use crate::stream::{Damage, Mark, Stream};
use crate::tally::{Note, SkipKind};
use crate::{arc, warc};

/// How much is looked at to tell whether a record starts: two lines of a WARC header, one long line
/// of an ARC.
const LOOKED_AT: usize = 8 << 10;

/// Room for this much of a block is made before it is read, since a length may be wrong.
const AT_ONCE: usize = 1 << 20;

/// What stands behind every block of a WARC.
const SEPARATOR: &[u8] = b"\r\n\r\n";

/// Which of the two formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Warc,
    Arc,
}

impl Format {
    fn starts(self, bytes: &[u8]) -> bool {
        match self {
            Format::Warc => warc::starts(bytes),
            Format::Arc => arc::starts(bytes),
        }
    }

    fn surely_starts(self, bytes: &[u8]) -> bool {
        match self {
            Format::Warc => warc::surely_starts(bytes),
            Format::Arc => arc::starts(bytes),
        }
    }

    /// Tells what the members of an archive can start with.
    pub(crate) fn member_start(self) -> fn(&[u8]) -> bool {
        match self {
            Format::Warc => |bytes| warc::starts(bytes.trim_ascii_start()),
            Format::Arc => |bytes| arc::starts(bytes.trim_ascii_start()),
        }
    }

    fn parse(self, lines: &[Vec<u8>]) -> Result<Header, String> {
        match self {
            Format::Warc => warc::parse(lines),
            Format::Arc => arc::parse(lines),
        }
    }
}

/// What a record is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RecordKind {
    Response,
    Resource,
    /// Text that was made from a page, as in a WET file.
    Conversion,
    NotAPage(SkipKind, String),
}

/// What the header of a record says.
#[derive(Debug)]
pub(crate) struct Header {
    pub(crate) kind: RecordKind,
    pub(crate) length: u64,
    pub(crate) uri: Option<String>,
    pub(crate) content_type: Option<String>,
    /// When the page was fetched, in ISO 8601.
    pub(crate) date: Option<String>,
    pub(crate) truncated: bool,
    pub(crate) notes: Vec<Note>,
}

/// One record, its block cut at the limit.
struct Record {
    at: At,
    header: Header,
    block: Vec<u8>,
    cut: bool,
}

/// Where a record starts.
#[derive(Clone, Copy)]
struct Start {
    mark: Mark,
    /// The place to name: that of the member where only line ends stand before the record in it.
    named: Mark,
}

/// Why a record could not be read.
enum Broken {
    /// The stream broke; it stands at the next whole member.
    Damage(Damage),
    /// The record is wrong; the stream stands inside it.
    Record(FaultKind, String),
}

impl From<Damage> for Broken {
    fn from(damage: Damage) -> Broken {
        Broken::Damage(damage)
    }
}

/// The items of an archive.
pub(crate) struct Archive {
    file: String,
    stream: Stream,
    format: Format,
    settings: Arc<LoadSettings>,
    /// False while the bytes that follow damage have not led to a record yet: they are part of the
    /// same fault.
    in_step: bool,
    noted_packing: bool,
    /// A second fault that showed while the first was being cleared up.
    queued: Option<Fault>,
}

impl Archive {
    pub(crate) fn new(
        file: String,
        mut stream: Stream,
        format: Format,
        settings: Arc<LoadSettings>,
    ) -> Self {
        stream.expect_members_to_start(format.member_start());
        Archive {
            file,
            stream,
            format,
            settings,
            in_step: true,
            noted_packing: false,
            queued: None,
        }
    }

    /// The next record or fault.
    fn next_record(&mut self) -> Option<Result<Record, Fault>> {
        if let Some(fault) = self.queued.take() {
            return Some(Err(fault));
        }
        match self.find_start() {
            Ok(Some(start)) => Some(
                self.read_record(start)
                    .map_err(|broken| self.fault(start, broken)),
            ),
            Ok(None) => None,
            Err(fault) => Some(Err(fault)),
        }
    }

    /// Moves to the next record. Bytes that are not one are a fault, unless they follow one.
    fn find_start(&mut self) -> Result<Option<Start>, Fault> {
        loop {
            match self.look_for_start() {
                Ok(Some((start, true))) => return Ok(Some(start)),
                Ok(None) => return Ok(None),
                Ok(Some((start, false))) => {
                    let is_new = std::mem::replace(&mut self.in_step, true);
                    let fault = self.fault(
                        start,
                        Broken::Record(FaultKind::BadRecord, "no record starts here".into()),
                    );
                    if is_new {
                        return Err(fault);
                    }
                }
                Err(damage) => {
                    let at = At::Byte(damage.member);
                    self.in_step = false;
                    return Err(damage.fault(&self.file, at, true));
                }
            }
        }
    }

    /// The place of the next byte that is not a line end, and whether a record starts there.
    fn look_for_start(&mut self) -> Result<Option<(Start, bool)>, Damage> {
        loop {
            let bytes = self.stream.fill_on()?;
            let blank = bytes
                .iter()
                .take_while(|byte| byte.is_ascii_whitespace())
                .count();
            if bytes.is_empty() {
                return Ok(None);
            }
            let all_blank = blank == bytes.len();
            let before = self.stream.mark();
            self.stream.consume(blank);
            if !all_blank {
                return Ok(Some((self.start_behind(before), self.at_record()?)));
            }
        }
    }

    /// The start of a record here, with only line ends since `before`.
    fn start_behind(&self, before: Mark) -> Start {
        let mark = self.stream.mark();
        let opens_member = before.inside == 0 && self.stream.packing() != Packing::Plain;
        Start {
            mark,
            named: if opens_member { before } else { mark },
        }
    }

    fn at_record(&mut self) -> Result<bool, Damage> {
        let (format, bytes) = (self.format, self.stream.peek(LOOKED_AT)?);
        Ok(format.starts(bytes))
    }

    fn read_record(&mut self, start: Start) -> Result<Record, Broken> {
        let lines = self.read_header_lines()?;
        let header = self
            .format
            .parse(&lines)
            .map_err(|reason| Broken::Record(FaultKind::BadRecord, reason))?;
        let keep = match header.kind {
            RecordKind::NotAPage(..) => 0,
            _ => self.settings.get_page_bytes() + self.settings.get_header_bytes(),
        };
        let body = self.stream.mark();
        let block = self.read_block(header.length, keep)?;
        if !self.at_boundary()? {
            self.stream.go_back(body);
            let reason = format!(
                "no record follows the {} bytes that this one declares",
                header.length
            );
            return Err(Broken::Record(FaultKind::WrongLength, reason));
        }
        self.in_step = true;
        let cut = (block.len() as u64) < header.length;
        Ok(Record {
            at: start.named.at(self.stream.packing()),
            header,
            block,
            cut,
        })
    }

    /// Reads the lines of a header: up to an empty one in a WARC, just one in an ARC.
    fn read_header_lines(&mut self) -> Result<Vec<Vec<u8>>, Broken> {
        let mut lines = Vec::new();
        let mut left = self.settings.get_header_bytes();
        loop {
            let line = self.read_line(&mut left)?;
            if self.format == Format::Arc {
                return Ok(vec![line]);
            }
            if line.is_empty() {
                return Ok(lines);
            }
            if lines.len() >= self.settings.get_header_lines() {
                let reason = format!(
                    "the header has more than {} lines",
                    self.settings.get_header_lines()
                );
                return Err(Broken::Record(FaultKind::BadRecord, reason));
            }
            lines.push(line);
        }
    }

    /// Reads a line without its end. A line also ends with its member, unless the record goes on in
    /// the next.
    fn read_line(&mut self, left: &mut usize) -> Result<Vec<u8>, Broken> {
        let mut line = Vec::new();
        loop {
            let bytes = self.stream.fill()?;
            let end = memchr::memchr(b'\n', bytes);
            let taken = end.map_or(bytes.len(), |end| end + 1);
            if taken > *left {
                let reason = format!(
                    "the header is longer than {} bytes",
                    self.settings.get_header_bytes()
                );
                return Err(Broken::Record(FaultKind::BadRecord, reason));
            }
            line.extend_from_slice(&bytes[..taken]);
            *left -= taken;
            self.stream.consume(taken);
            if end.is_some() || taken == 0 && !self.record_goes_on()? {
                let ends = line
                    .iter()
                    .rev()
                    .take_while(|byte| matches!(byte, b'\r' | b'\n'))
                    .count();
                line.truncate(line.len() - ends);
                return Ok(line);
            }
        }
    }

    /// Reads a block of `length` bytes, keeps the first `keep` of them.
    fn read_block(&mut self, length: u64, keep: usize) -> Result<Vec<u8>, Broken> {
        let body = self.stream.mark();
        if self.stream.surely_ends_within(length) {
            return Err(self.short_block(body, length));
        }
        let mut block = Vec::with_capacity(
            keep.min(usize::try_from(length).unwrap_or(keep))
                .min(AT_ONCE),
        );
        let mut left = length;
        while left > 0 {
            let bytes = self.stream.fill()?;
            let taken = left.min(bytes.len() as u64) as usize;
            let kept = taken.min(keep - block.len());
            block.extend_from_slice(&bytes[..kept]);
            self.stream.consume(taken);
            left -= taken as u64;
            if taken == 0 && !self.record_goes_on()? {
                return Err(self.short_block(body, length));
            }
        }
        Ok(block)
    }

    /// At the end of a member inside a record: whether the next member is more of it.
    fn record_goes_on(&mut self) -> Result<bool, Damage> {
        Ok(self.stream.next_member()? && !self.at_record()?)
    }

    /// The block ended before its declared length: either the file is cut, or the length swallowed
    /// other records.
    fn short_block(&mut self, body: Mark, length: u64) -> Broken {
        let at_end = self.stream.surely_ends_within(length) || matches!(self.stream.fill(), Ok([]));
        if self.stream.mark() != body {
            self.stream.go_back(body);
        }
        let kind = if at_end {
            FaultKind::Truncated
        } else {
            FaultKind::WrongLength
        };
        Broken::Record(
            kind,
            format!("the record ends before the {length} bytes that it declares"),
        )
    }

    /// Whether the bytes behind a block can be there: the separator, a record, or the end of the
    /// member.
    ///
    /// Reading to the end of a member also checks its checksum, before the record is given.
    fn at_boundary(&mut self) -> Result<bool, Damage> {
        let mut line_ends = Vec::new();
        loop {
            let bytes = self.stream.fill()?;
            let blank = bytes
                .iter()
                .take_while(|byte| matches!(byte, b'\r' | b'\n'))
                .count();
            if bytes.is_empty() {
                return Ok(true);
            }
            let all_blank = blank == bytes.len();
            line_ends.extend_from_slice(&bytes[..blank.min(SEPARATOR.len())]);
            self.stream.consume(blank);
            if !all_blank {
                // Behind a whole separator the length was right, whatever became of the next
                // record.
                let separated = self.format == Format::Warc && line_ends.starts_with(SEPARATOR);
                return Ok(separated || self.at_record()?);
            }
        }
    }

    /// Makes a fault of a broken record that started at `start`, and finds the way to the next one.
    fn fault(&mut self, start: Start, broken: Broken) -> Fault {
        let at = start.named.at(self.stream.packing());
        match broken {
            Broken::Damage(damage) => {
                self.in_step = false;
                damage.fault(&self.file, at, start.named.inside == 0)
            }
            Broken::Record(kind, reason) => {
                self.hunt_or_queue(start.mark);
                let kind = self.second_thought(kind);
                let fault = Fault::new(&self.file, at, Stage::Record, kind, reason);
                match self.lost_since(start.named) {
                    Some(lost) => fault.with_lost(lost),
                    None => fault,
                }
            }
        }
    }

    fn hunt_or_queue(&mut self, start: Mark) {
        if let Err(damage) = self.hunt(start) {
            self.in_step = false;
            // Damage in the member of the broken record itself is the same fault.
            let another = damage.member != start.member;
            self.queued = another.then(|| damage.fault(&self.file, At::Byte(damage.member), true));
        }
    }

    /// A block that ran into the end of the file was not cut short if there are records inside it.
    fn second_thought(&mut self, kind: FaultKind) -> FaultKind {
        let at_end = matches!(self.stream.fill(), Ok([]));
        if kind == FaultKind::Truncated && !at_end {
            FaultKind::WrongLength
        } else {
            kind
        }
    }

    /// Moves to the next line or member behind `start` that surely starts a record, or to the end.
    fn hunt(&mut self, start: Mark) -> Result<(), Damage> {
        if self.stream.mark() != start && self.surely_at_record()? {
            return Ok(());
        }
        loop {
            let bytes = self.stream.fill()?;
            let line = memchr::memchr(b'\n', bytes);
            let passed = line.map_or(bytes.len(), |end| end + 1);
            self.stream.consume(passed);
            let at_line = line.is_some() || passed == 0;
            if passed == 0 && !self.stream.next_member()? {
                return Ok(());
            }
            if at_line && self.surely_at_record()? {
                return Ok(());
            }
        }
    }

    fn surely_at_record(&mut self) -> Result<bool, Damage> {
        let (format, bytes) = (self.format, self.stream.peek(LOOKED_AT)?);
        Ok(format.surely_starts(bytes))
    }

    /// The bytes of the file from `start` to here, where both are places in the file.
    fn lost_since(&self, start: Mark) -> Option<Range<u64>> {
        let now = self.stream.mark();
        match (self.stream.packing(), start.inside) {
            (Packing::Plain, _) => Some(start.inside..now.inside.max(start.inside)),
            (_, 0) if now.member > start.member && now.inside == 0 => {
                Some(start.member..now.member)
            }
            (_, 0) if now.member == start.member => Some(start.member..self.stream.raw_position()),
            _ => None,
        }
    }

    /// Remarks once that an archive is not compressed record by record.
    fn note_packing(&mut self, at: At, notes: &mut Vec<Note>) {
        if matches!(at, At::Inside { .. }) && !self.noted_packing {
            self.noted_packing = true;
            notes.push(Note::NotSeekable);
        }
    }

    fn item(&mut self, record: Record) -> Item {
        let at = record.at;
        let mut item = record.into_item(&self.file, &self.settings);
        self.note_packing(at, &mut item.notes);
        item
    }
}

impl Iterator for Archive {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        Some(match self.next_record()? {
            Ok(record) => self.item(record),
            Err(fault) => Item::from(fault),
        })
    }
}

impl Record {
    fn into_item(self, file: &str, settings: &LoadSettings) -> Item {
        let (at, http) = (self.at, self.holds_http());
        match self.header.kind {
            RecordKind::NotAPage(kind, reason) => Item::skipped(file, at, kind, reason),
            RecordKind::Response if http => self.response(file, settings),
            RecordKind::Conversion => self.conversion().judge(file, at, settings),
            RecordKind::Response | RecordKind::Resource => {
                self.resource().judge(file, at, settings)
            }
        }
    }

    /// Whether the block is an HTTP response. The bytes decide: an ARC does not say, and a WARC may
    /// say it wrongly.
    fn holds_http(&self) -> bool {
        let declared = self.header.content_type.as_deref().unwrap_or_default();
        self.block.starts_with(b"HTTP/") || declared.trim_start().starts_with("application/http")
    }

    fn response(self, file: &str, settings: &LoadSettings) -> Item {
        let limits = HeaderLimits {
            bytes: settings.get_header_bytes(),
            lines: settings.get_header_lines(),
        };
        let head = match Head::parse(&self.block, limits) {
            Ok(head) => head,
            Err(error) => {
                return Fault::new(
                    file,
                    self.at,
                    Stage::Http,
                    FaultKind::BadHttp,
                    error.to_string(),
                )
                .into();
            }
        };
        if !(200..300).contains(&head.status) {
            return Item::skipped(
                file,
                self.at,
                SkipKind::Status,
                format!("HTTP status {}", head.status),
            );
        }
        let at = self.at;
        self.answer(&head, settings).judge(file, at, settings)
    }

    fn answer(self, head: &Head, settings: &LoadSettings) -> Candidate {
        let payload = http::payload(head, self.block, settings.get_page_bytes());
        let ContentType {
            media_type,
            charset,
        } = head.content_type();
        Candidate {
            url: self.header.uri,
            media_type,
            charset,
            fetch_time: self.header.date,
            bytes: payload.bytes,
            size: payload
                .is_as_sent
                .then(|| self.header.length.saturating_sub(head.length as u64)),
            is_cut: self.cut,
            // Status 206 is a part of a page.
            truncated: self.header.truncated || payload.truncated || head.status == 206,
            notes: [self.header.notes, payload.notes].concat(),
        }
    }

    fn resource(self) -> Candidate {
        let ContentType {
            media_type,
            charset,
        } = self
            .header
            .content_type
            .as_deref()
            .map(ContentType::parse)
            .unwrap_or_default();
        Candidate {
            url: self.header.uri,
            media_type,
            charset,
            fetch_time: self.header.date,
            bytes: self.block,
            size: Some(self.header.length),
            is_cut: self.cut,
            truncated: self.header.truncated,
            notes: self.header.notes,
        }
    }

    /// Text that was made from a page; the format of WET files says that it is UTF-8.
    fn conversion(self) -> Candidate {
        let mut text = self.resource();
        text.media_type
            .get_or_insert_with(|| "text/plain".to_owned());
        text.charset.get_or_insert_with(|| "utf-8".to_owned());
        text
    }
}
