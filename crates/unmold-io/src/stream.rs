//! What does a possibly compressed, possibly damaged input unpack to?
//!
//! A [`Stream`] is a reader with three abilities that ordinary decoders lack, and that archives
//! need:
//!
//! - it knows *members*: where the one that holds the next byte starts in the file, and when it
//!   ends;
//! - it survives damage: when a member does not unpack, [`Damage`] says so once, and reading goes
//!   on with the next member that does;
//! - it can go back to a [`Mark`], for a reader that followed a wrong length.
//!
//! A gzip member that is at hand as a whole, as most records of an archive are, is unpacked at
//! once, which is faster; any other, and any that is damaged, step by step.
//!
//! Memory is two fixed buffers and the codec. Bytes looked at twice are limited to a multiple of
//! the bytes read ([`Stream::may_reread`]), so that no input can make recovery quadratic.

use std::io;
use std::ops::Range;

use memchr::memmem;
use unmold_inflate::Inflater;

use crate::codec::{Codec, Packing, Step, Undecodable, ZSTD_DICTIONARY_MAGIC};
use crate::fault::{At, Fault, FaultKind, Stage};
use crate::input::Input;

/// What is read and unpacked in one step, and so the most that [`Stream::peek`] is sure to show.
pub(crate) const BUFFER: usize = 64 << 10;

/// The sizes of the two buffers of a gzip file: members up to half of the first that unpack to no
/// more than the second are unpacked at once.
const GZIP_RAW: usize = 256 << 10;
const GZIP_OUT: usize = 1 << 20;

/// How many bytes before and after unpacking are tried to tell a member from bytes that merely look
/// like its start.
const TRIAL: usize = 1 << 10;

/// A member may unpack to this much before its expansion is looked at.
const EXPANSION_FLOOR: u64 = 64 << 20;

/// What may be read again in any case, and how many times the bytes of the file on top of it.
/// Unpacked bytes count too, so this allows a few returns to the start of a large member and any
/// number to that of a small one.
const REREAD_FLOOR: u64 = 64 << 20;
const REREAD_SHARE: u64 = 16;

/// The largest dictionary that a `.warc.zst` may carry.
const DICTIONARY_BYTES: usize = 16 << 20;

/// Bytes between `start` and `end` of a fixed buffer.
struct Window {
    bytes: Box<[u8]>,
    start: usize,
    end: usize,
}

impl Window {
    fn new() -> Self {
        Window::of_size(BUFFER)
    }

    fn of_size(size: usize) -> Self {
        Window {
            bytes: vec![0; size].into_boxed_slice(),
            start: 0,
            end: 0,
        }
    }

    /// The same bytes in a window of another size.
    fn resized(&self, size: usize) -> Self {
        let mut window = Window::of_size(size);
        window.bytes[..self.len()].copy_from_slice(self.unread());
        window.end = self.len();
        window
    }

    fn unread(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    fn len(&self) -> usize {
        self.end - self.start
    }

    fn clear(&mut self) {
        (self.start, self.end) = (0, 0);
    }

    /// The room for one step behind the unread bytes.
    fn room(&mut self) -> &mut [u8] {
        let room = self.all_room();
        let step = room.len().min(BUFFER);
        &mut room[..step]
    }

    /// All room behind the unread bytes, after moving them to the front where that gains any.
    fn all_room(&mut self) -> &mut [u8] {
        if self.start > 0 {
            self.bytes.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        &mut self.bytes[self.end..]
    }
}

/// A place to come back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Where the member starts in the file.
    pub(crate) member: u64,
    /// The byte in what the member unpacks to.
    pub(crate) inside: u64,
}

impl Mark {
    /// The mark as a position for people: an offset in the file where there is one.
    pub(crate) fn at(self, packing: Packing) -> At {
        match (packing, self.inside) {
            (Packing::Plain, inside) => At::Byte(inside),
            (_, 0) => At::Byte(self.member),
            (_, byte) => At::Inside {
                member: self.member,
                byte,
            },
        }
    }
}

/// Why a member could not be read to its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Cause {
    #[error("reading failed: {0}")]
    Io(#[from] io::Error),
    #[error("the compressed data do not unpack ({0})")]
    Corrupt(#[from] Undecodable),
    #[error("the compressed data end early")]
    Truncated,
    #[error("these bytes are not compressed data")]
    NotAMember,
    #[error("the compressed data unpack to more than {0} times their size")]
    Bomb(u64),
    #[error("the dictionary is larger than {DICTIONARY_BYTES} bytes")]
    Dictionary,
}

/// One break in a stream. Reading goes on behind it.
#[derive(Debug)]
pub(crate) struct Damage {
    pub(crate) cause: Cause,
    /// Where the damaged member starts in the file.
    pub(crate) member: u64,
    /// How far the file had been read when the damage showed.
    pub(crate) noticed: u64,
    /// Where reading goes on, or the end of the file.
    pub(crate) resumed: u64,
}

impl Damage {
    /// The fault of the item that was being read from `start` when the damage showed.
    pub(crate) fn fault(&self, file: &str, at: At, starts_member: bool) -> Fault {
        let from = if starts_member {
            self.member
        } else {
            self.noticed.min(self.resumed)
        };
        Fault::new(file, at, Stage::Unpack, self.kind(), self.cause.to_string())
            .with_lost(self.lost(from))
    }

    fn lost(&self, from: u64) -> Range<u64> {
        from..self.resumed.max(from)
    }

    pub(crate) fn kind(&self) -> FaultKind {
        match self.cause {
            Cause::Io(_) => FaultKind::Unreadable,
            Cause::Truncated => FaultKind::Truncated,
            Cause::Bomb(_) => FaultKind::Bomb,
            Cause::Corrupt(_) | Cause::NotAMember | Cause::Dictionary => FaultKind::Corrupt,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Before a member: the next raw byte should start one.
    Between,
    Inside,
    End,
}

/// A reader of members. See the [module](self) documentation.
pub(crate) struct Stream {
    input: Input,
    packing: Packing,
    codec: Codec,
    inflater: Option<Inflater>,
    /// Whether the last member could have been unpacked at once.
    fits: bool,
    dictionary: Vec<u8>,
    raw: Window,
    /// The offset in the file of the next raw byte.
    raw_at: u64,
    raw_ended: bool,
    out: Window,
    mark: Mark,
    phase: Phase,
    /// Damage that showed while looking ahead, to be reported when reading gets there.
    pending: Option<Cause>,
    /// Tells whether unpacked bytes can be the start of a member, for telling true members from
    /// false ones.
    plausible: fn(&[u8]) -> bool,
    expansion: u64,
    reread: u64,
    furthest: u64,
    /// The size of a plain file, once its end was seen.
    known_size: Option<u64>,
}

impl Stream {
    /// Opens an input and looks at its packing. The first member is not started yet.
    pub(crate) fn new(mut input: Input, expansion: u64) -> io::Result<Stream> {
        let mut raw = Window::new();
        // A pipe may give a few bytes at a time; the magic needs four.
        while raw.len() < 4 {
            let room = raw.room();
            let read = input.read(room)?;
            raw.end += read;
            if read == 0 {
                break;
            }
        }
        let packing = Packing::of(raw.unread());
        let is_gzip = packing == Packing::Gzip;
        Ok(Stream {
            input,
            packing,
            codec: Codec::Plain,
            inflater: if is_gzip { Inflater::new() } else { None },
            fits: true,
            dictionary: Vec::new(),
            raw: if is_gzip { raw.resized(GZIP_RAW) } else { raw },
            raw_at: 0,
            raw_ended: false,
            out: Window::of_size(if is_gzip { GZIP_OUT } else { BUFFER }),
            mark: Mark {
                member: 0,
                inside: 0,
            },
            phase: Phase::Between,
            pending: None,
            plausible: |_| true,
            expansion,
            reread: 0,
            furthest: 0,
            known_size: None,
        })
    }

    pub(crate) fn packing(&self) -> Packing {
        self.packing
    }

    /// Whether the file has no byte at all. Only meaningful before reading.
    pub(crate) fn is_empty_file(&self) -> bool {
        self.raw.len() == 0 && self.raw_at == 0
    }

    /// Says how members of this stream start once unpacked, which keeps recovery from falling for a
    /// compressed body inside a damaged record.
    pub(crate) fn expect_members_to_start(&mut self, plausible: fn(&[u8]) -> bool) {
        self.plausible = plausible;
    }

    /// The place of the next byte.
    pub(crate) fn mark(&self) -> Mark {
        self.mark
    }

    /// How far the file has been taken in.
    pub(crate) fn raw_position(&self) -> u64 {
        self.raw_at
    }

    /// The next bytes of the member; none at its end.
    pub(crate) fn fill(&mut self) -> Result<&[u8], Damage> {
        if self.out.len() == 0
            && let Err(cause) = self.unpack_some()
        {
            return Err(self.recover(cause));
        }
        Ok(self.out.unread())
    }

    /// The next bytes of the stream, from the next member if this one is over; none at the end of
    /// the file.
    pub(crate) fn fill_on(&mut self) -> Result<&[u8], Damage> {
        loop {
            let empty = self.fill()?.is_empty();
            if !empty || !self.next_member()? {
                return Ok(self.out.unread());
            }
        }
    }

    /// At least `count` bytes of the member without taking them, or all that it still has.
    pub(crate) fn peek(&mut self, count: usize) -> Result<&[u8], Damage> {
        while self.out.len() < count && self.phase == Phase::Inside && self.pending.is_none() {
            if let Err(cause) = self.unpack_some() {
                if self.out.len() == 0 {
                    return Err(self.recover(cause));
                }
                self.pending = Some(cause);
            }
        }
        Ok(self.out.unread())
    }

    /// Takes `count` of the bytes that `fill` or `peek` showed.
    pub(crate) fn consume(&mut self, count: usize) {
        self.out.start += count;
        self.mark.inside += count as u64;
    }

    /// Whether the file is known to end before `count` more bytes. Saves reading to the end for
    /// each wrong length.
    pub(crate) fn surely_ends_within(&self, count: u64) -> bool {
        self.known_size
            .is_some_and(|size| self.mark.inside.saturating_add(count) > size)
    }

    /// Goes on to the next member, if this one is over. False at the end of the file.
    pub(crate) fn next_member(&mut self) -> Result<bool, Damage> {
        if self.phase == Phase::Between && self.out.len() == 0 {
            let member = self.raw_at;
            if let Err(cause) = self.start_member() {
                self.mark = Mark { member, inside: 0 };
                return Err(self.recover(cause));
            }
        }
        Ok(self.phase == Phase::Inside || self.out.len() > 0)
    }

    /// Goes back to an earlier place, if the input can and the allowance for it is not used up.
    pub(crate) fn go_back(&mut self, to: Mark) -> bool {
        let plain = self.packing == Packing::Plain;
        let distance = if plain {
            self.mark.inside - to.inside
        } else {
            self.raw_at - to.member + to.inside
        };
        let offset = if plain { to.inside } else { to.member };
        if !self.may_reread(distance) || !self.restart_at(offset) {
            return false;
        }
        self.mark = if plain {
            to
        } else {
            Mark {
                member: to.member,
                inside: 0,
            }
        };
        self.discard(to.inside - self.mark.inside)
    }

    /// Keeps rereading linear in the size of the file.
    fn may_reread(&mut self, distance: u64) -> bool {
        self.furthest = self.furthest.max(self.raw_at);
        let allowed = REREAD_FLOOR + REREAD_SHARE * self.furthest;
        let granted = self.reread.saturating_add(distance) <= allowed;
        if granted {
            self.reread += distance;
        }
        granted
    }

    /// Starts a member at an offset where one is known to start.
    fn restart_at(&mut self, offset: u64) -> bool {
        let Ok(codec) = Codec::new(self.packing, &self.dictionary) else {
            return false;
        };
        if !self.go_to_raw(offset) {
            return false;
        }
        self.codec = codec;
        self.phase = Phase::Inside;
        self.pending = None;
        self.out.clear();
        true
    }

    fn go_to_raw(&mut self, offset: u64) -> bool {
        let reached = self.input.go_to(offset);
        if reached {
            self.raw.clear();
            self.raw_at = offset;
            self.raw_ended = false;
        }
        reached
    }

    fn discard(&mut self, mut count: u64) -> bool {
        while count > 0 {
            let Ok(bytes) = self.fill() else { return false };
            let step = count.min(bytes.len() as u64);
            if step == 0 {
                return false;
            }
            self.consume(step as usize);
            count -= step;
        }
        true
    }

    fn start_member(&mut self) -> Result<(), Cause> {
        if self.packing == Packing::Zstd && self.raw_at == 0 {
            self.read_dictionary()?;
        }
        self.skip_padding()?;
        self.mark = Mark {
            member: self.raw_at,
            inside: 0,
        };
        if self.raw.len() == 0 {
            self.phase = Phase::End;
            return Ok(());
        }
        if !self.packing.may_start_member(self.raw.unread()) {
            return Err(Cause::NotAMember);
        }
        if !self.unpack_whole() {
            self.codec = Codec::new(self.packing, &self.dictionary)?;
            self.phase = Phase::Inside;
        }
        Ok(())
    }

    /// Unpacks the member that starts here at once. False, and nothing is changed, if that cannot
    /// be done. After a member for which it could not, it is not tried until one fits again, so
    /// that little work is done twice.
    fn unpack_whole(&mut self) -> bool {
        let Some(inflater) = self.inflater.as_mut().filter(|_| self.fits) else {
            return false;
        };
        // An input that cannot be read says so again when its bytes are needed.
        while self.raw.len() < GZIP_RAW / 2
            && pull(&mut self.input, &mut self.raw, &mut self.raw_ended).unwrap_or(false)
        {}
        let member = inflater.member(self.raw.unread(), self.out.all_room());
        if let Some(member) = member {
            self.out.end += member.written;
            self.take_raw(member.read);
        }
        self.phase = if member.is_some() {
            Phase::Between
        } else {
            self.phase
        };
        self.fits = member.is_some();
        self.fits
    }

    /// Passes the zeros that tapes and block devices leave behind the last member.
    fn skip_padding(&mut self) -> Result<(), Cause> {
        loop {
            if self.raw.len() < 4 {
                self.pull()?;
            }
            let zeros = match self.packing {
                Packing::Plain => 0,
                _ => self
                    .raw
                    .unread()
                    .iter()
                    .take_while(|&&byte| byte == 0)
                    .count(),
            };
            if zeros == 0 {
                return Ok(());
            }
            self.take_raw(zeros);
        }
    }

    /// Reads the dictionary frame of a `.warc.zst`, if the file starts with one. It may itself be
    /// compressed.
    fn read_dictionary(&mut self) -> Result<(), Cause> {
        if !self.raw.unread().starts_with(ZSTD_DICTIONARY_MAGIC) {
            return Ok(());
        }
        let header = self.take_exactly(8)?;
        let size = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
        if size > DICTIONARY_BYTES {
            return Err(Cause::Dictionary);
        }
        let content = self.take_exactly(size)?;
        self.dictionary = if Packing::of(&content) == Packing::Zstd {
            unpack_dictionary(&content)?
        } else {
            content
        };
        Ok(())
    }

    fn take_exactly(&mut self, count: usize) -> Result<Vec<u8>, Cause> {
        let mut taken = Vec::new();
        while taken.len() < count {
            if self.raw.len() == 0 && !self.pull()? {
                return Err(Cause::Truncated);
            }
            let step = self.raw.len().min(count - taken.len());
            taken.extend_from_slice(&self.raw.unread()[..step]);
            self.take_raw(step);
        }
        Ok(taken)
    }

    fn take_raw(&mut self, count: usize) {
        self.raw.start += count;
        self.raw_at += count as u64;
    }

    /// Reads more raw bytes behind those at hand. False if there are none, or no room.
    fn pull(&mut self) -> io::Result<bool> {
        pull(&mut self.input, &mut self.raw, &mut self.raw_ended)
    }

    /// Unpacks until there is something new or the member is over.
    fn unpack_some(&mut self) -> Result<(), Cause> {
        if let Some(cause) = self.pending.take() {
            return Err(cause);
        }
        while self.phase == Phase::Inside {
            if self.raw.len() == 0 {
                self.pull()?;
            }
            let step = self.codec.step(self.raw.unread(), self.out.room())?;
            self.out.end += step.written;
            self.take_raw(step.read);
            self.check_expansion()?;
            if step.finished {
                self.phase = Phase::Between;
                self.fits = self.would_have_fitted();
            } else if step.written > 0 {
                break;
            } else if step.read == 0 {
                self.end_of_input()?;
            }
        }
        Ok(())
    }

    /// Whether the member that ends here could have been unpacked at once.
    fn would_have_fitted(&self) -> bool {
        let (packed, unpacked) = (
            self.raw_at - self.mark.member,
            self.mark.inside + self.out.len() as u64,
        );
        packed <= GZIP_RAW as u64 / 2 && unpacked <= GZIP_OUT as u64
    }

    /// The codec wants more than the file has: the proper end of a plain file, and of nothing else.
    fn end_of_input(&mut self) -> Result<(), Cause> {
        if self.pull()? {
            return Ok(());
        }
        if self.packing != Packing::Plain {
            return Err(Cause::Truncated);
        }
        self.phase = Phase::End;
        self.known_size = Some(self.raw_at);
        Ok(())
    }

    fn check_expansion(&self) -> Result<(), Cause> {
        let unpacked = self.mark.inside + self.out.len() as u64;
        let packed = (self.raw_at - self.mark.member).max(1);
        let too_much = self.packing != Packing::Plain
            && unpacked > EXPANSION_FLOOR
            && unpacked / packed > self.expansion;
        if too_much {
            Err(Cause::Bomb(self.expansion))
        } else {
            Ok(())
        }
    }

    /// Leaves a damaged member for the next whole one.
    fn recover(&mut self, cause: Cause) -> Damage {
        let (member, noticed) = (self.mark.member, self.raw_at);
        self.out.clear();
        self.pending = None;
        let stop = matches!(cause, Cause::Io(_)) || self.packing == Packing::Plain;
        // An expansion limit is no reason to doubt the bytes already passed, and looking there
        // again would cost most.
        let again = !matches!(cause, Cause::Bomb(_));
        if stop || !self.find_member(member, again) {
            self.phase = Phase::End;
        }
        self.mark = Mark {
            member: self.raw_at,
            inside: 0,
        };
        Damage {
            cause,
            member,
            noticed,
            resumed: self.raw_at,
        }
    }

    /// Finds the next member behind the start of the damaged one, and starts it.
    ///
    /// A damaged member can swallow the start of the next ones before the damage shows, so the
    /// search begins right behind its own start, where the input can go back that far.
    fn find_member(&mut self, damaged: u64, again: bool) -> bool {
        let from = damaged + 1;
        if self.raw_at < from {
            self.take_raw(self.raw.len().min(1));
        } else if again && self.raw_at > from && self.may_reread(self.raw_at - from) {
            self.go_to_raw(from);
        }
        while self.find_magic() {
            if self.try_member() {
                return true;
            }
            self.take_raw(1);
        }
        false
    }

    /// Moves to the next occurrence of the magic. At the end of the file, false.
    fn find_magic(&mut self) -> bool {
        let magic = self.packing.magic();
        loop {
            match memmem::find(self.raw.unread(), magic) {
                Some(found) => {
                    self.take_raw(found);
                    return true;
                }
                None => self.take_raw(self.raw.len().saturating_sub(magic.len() - 1)),
            }
            if !self.pull().unwrap_or(false) {
                self.take_raw(self.raw.len());
                return false;
            }
        }
    }

    /// Unpacks the first bytes of a would-be member, and starts it if they make sense.
    fn try_member(&mut self) -> bool {
        while self.raw.len() < TRIAL && self.pull().unwrap_or(false) {}
        let sound = self.is_sound_member();
        if sound && let Ok(codec) = Codec::new(self.packing, &self.dictionary) {
            self.codec = codec;
            self.phase = Phase::Inside;
        }
        sound
    }

    fn is_sound_member(&self) -> bool {
        let input = &self.raw.unread()[..self.raw.len().min(TRIAL)];
        if !self.packing.may_be_header(input) {
            return false;
        }
        let mut trial = [0; TRIAL];
        let unpacked = Codec::new(self.packing, &self.dictionary)
            .and_then(|mut codec| codec.step(input, &mut trial));
        matches!(unpacked, Ok(Step { written, .. }) if (self.plausible)(&trial[..written]))
    }
}

/// Reads more raw bytes behind those at hand. False if there are none, or no room.
fn pull(input: &mut Input, raw: &mut Window, has_ended: &mut bool) -> io::Result<bool> {
    let room = raw.room();
    if *has_ended || room.is_empty() {
        return Ok(false);
    }
    let read = input.read(room)?;
    raw.end += read;
    *has_ended = read == 0;
    Ok(read > 0)
}

fn unpack_dictionary(packed: &[u8]) -> Result<Vec<u8>, Cause> {
    zstd::bulk::decompress(packed, DICTIONARY_BYTES).map_err(Cause::Io)
}
