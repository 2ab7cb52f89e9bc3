//! What is in this file?
//!
//! Opens one input, looks at its first bytes, and hands it to the reader of its kind.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::archive::{Archive, Format};
use crate::candidate::{Candidate, Item, Items};
use crate::codec::Packing;
use crate::fault::{At, Fault, FaultKind, Stage};
use crate::input::Input;
use crate::jsonl::Jsonl;
use crate::kind::{Kind, media_type_of_name};
use crate::parquet;
use crate::settings::LoadSettings;
use crate::stream::{BUFFER, Damage, Stream};
use crate::tally::SkipKind;

/// One input on the way to being read.
pub(crate) enum Target {
    /// A regular file, and its name in ids.
    File { path: PathBuf, name: String },
    /// Anything that can only be read from its start to its end.
    Reader {
        name: String,
        reader: Box<dyn Read + Send>,
    },
    /// Nothing to read: a verdict already.
    Item(Box<Item>),
}

impl Target {
    /// Opens the input. A page is read at once, an archive as its items are asked for.
    pub(crate) fn open(self, settings: &Arc<LoadSettings>) -> Items {
        let mut items = match self {
            Target::File { path, name } => open_file(path, name, settings),
            Target::Reader { name, reader } => {
                open_input(None, name, Input::pipe(reader), settings)
            }
            Target::Item(item) => Box::new(std::iter::once(*item)),
        };
        match items.next() {
            Some(first) => Box::new(std::iter::once(first).chain(items)),
            None => items,
        }
    }
}

fn open_file(path: PathBuf, name: String, settings: &Arc<LoadSettings>) -> Items {
    match File::open(&path) {
        Ok(file) => open_input(Some(path), name, Input::file(file), settings),
        Err(error) => one(Fault::from_open(&name, &error).into()),
    }
}

fn open_input(
    path: Option<PathBuf>,
    name: String,
    input: Input,
    settings: &Arc<LoadSettings>,
) -> Items {
    match Stream::new(input, settings.get_expansion()) {
        Ok(stream) if stream.is_empty_file() => one(empty_file(&name)),
        Ok(mut stream) => {
            stream.expect_members_to_start(plausible_start(Kind::of_name(&name)));
            Box::new(Opening {
                path,
                name,
                settings: settings.clone(),
                state: State::Looking(stream),
            })
        }
        Err(error) => one(Fault::from_open(&name, &error).into()),
    }
}

/// What the members of an input can start with, as far as its name tells.
///
/// This matters only behind a damaged first member. A page has no further members, so without a
/// name that tells anything, they can only be those of an archive or a table.
fn plausible_start(kind: Option<Kind>) -> fn(&[u8]) -> bool {
    match kind {
        Some(Kind::Warc) => Format::Warc.member_start(),
        Some(Kind::Arc) => Format::Arc.member_start(),
        Some(_) => |_| true,
        None => |bytes| bytes.starts_with(b"{") || Kind::of(bytes, "", "") != Kind::Page,
    }
}

fn one(item: Item) -> Items {
    Box::new(std::iter::once(item))
}

/// A page may be empty; an archive or a table of no bytes is not even an empty one.
fn empty_file(name: &str) -> Item {
    match Kind::of_name(name) {
        Some(_) => Fault::new(
            name,
            At::File,
            Stage::Open,
            FaultKind::EmptyFile,
            "the file is empty",
        )
        .into(),
        None => Item::skipped(name, At::File, SkipKind::Empty, "empty"),
    }
}

/// An input whose kind may not be known yet, because its first members are damaged.
struct Opening {
    path: Option<PathBuf>,
    name: String,
    settings: Arc<LoadSettings>,
    state: State,
}

enum State {
    Looking(Stream),
    Damaged(Stream),
    Reading(Items),
}

impl Iterator for Opening {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            let state = std::mem::replace(
                &mut self.state,
                State::Reading(Box::new(std::iter::empty())),
            );
            match state {
                State::Reading(mut items) => {
                    let item = items.next();
                    self.state = State::Reading(items);
                    return item;
                }
                State::Looking(stream) => {
                    if let Some(fault) = self.look(stream, false) {
                        return Some(fault);
                    }
                }
                State::Damaged(stream) => {
                    if let Some(fault) = self.look(stream, true) {
                        return Some(fault);
                    }
                }
            }
        }
    }
}

impl Opening {
    /// Looks at the first bytes that unpack. Damage on the way there is a fault.
    fn look(&mut self, mut stream: Stream, damaged: bool) -> Option<Item> {
        match self.kind_of(&mut stream) {
            // What is left of a page after damage is not that page.
            Ok(Kind::Page) if damaged => None,
            Ok(kind) => {
                self.state = State::Reading(self.reader(kind, stream));
                None
            }
            Err(damage) => {
                self.state = State::Damaged(stream);
                Some(
                    damage
                        .fault(&self.name, At::Byte(damage.member), true)
                        .into(),
                )
            }
        }
    }

    fn kind_of(&self, stream: &mut Stream) -> Result<Kind, Damage> {
        stream.fill_on()?;
        Ok(Kind::of(
            stream.peek(BUFFER)?,
            &self.name,
            self.settings.get_html_field(),
        ))
    }

    fn reader(&self, kind: Kind, stream: Stream) -> Items {
        let (name, settings) = (self.name.clone(), self.settings.clone());
        match kind {
            Kind::Warc => Box::new(Archive::new(name, stream, Format::Warc, settings)),
            Kind::Arc => Box::new(Archive::new(name, stream, Format::Arc, settings)),
            Kind::Jsonl => Box::new(Jsonl::new(name, stream, settings)),
            Kind::Parquet => self.table(stream),
            Kind::Page => {
                let size = self.size(&stream);
                one(page(&name, stream, size, &settings))
            }
        }
    }

    /// How many bytes the input has, where that is known before they are read.
    fn size(&self, stream: &Stream) -> Option<u64> {
        let path = self
            .path
            .as_ref()
            .filter(|_| stream.packing() == Packing::Plain)?;
        path.metadata().ok().map(|file| file.len())
    }

    /// Parquet is read from its end, so it must be a file that is not compressed, or become one.
    fn table(&self, mut stream: Stream) -> Items {
        let file = match &self.path {
            Some(path) if stream.packing() == Packing::Plain => File::open(path),
            _ => match spool(&mut stream) {
                Ok(spooled) => spooled,
                Err(damage) => return one(damage.fault(&self.name, At::File, true).into()),
            },
        };
        match file {
            Ok(file) => parquet::items(self.name.clone(), file, self.settings.clone()),
            Err(error) => one(Fault::from_open(&self.name, &error).into()),
        }
    }
}

/// Writes what is left of a stream to a temporary file without a name.
fn spool(stream: &mut Stream) -> Result<io::Result<File>, Damage> {
    let mut file = match tempfile::tempfile() {
        Ok(file) => file,
        Err(error) => return Ok(Err(error)),
    };
    loop {
        let bytes = stream.fill_on()?;
        let count = bytes.len();
        if count == 0 {
            return Ok(file.seek(SeekFrom::Start(0)).map(|_| file));
        }
        if let Err(error) = file.write_all(bytes) {
            return Ok(Err(error));
        }
        stream.consume(count);
    }
}

/// Reads a file that is one page, whose size may be known.
fn page(name: &str, mut stream: Stream, size: Option<u64>, settings: &LoadSettings) -> Item {
    match read_up_to(&mut stream, settings.get_page_bytes() + 1) {
        Ok(bytes) => {
            let media_type = media_type_of_name(name).map(str::to_owned);
            Candidate {
                bytes,
                media_type,
                size,
                ..Candidate::default()
            }
            .judge(name, At::File, settings)
        }
        Err(damage) => damage.fault(name, At::Byte(damage.member), true).into(),
    }
}

fn read_up_to(stream: &mut Stream, limit: usize) -> Result<Vec<u8>, Damage> {
    let mut bytes = Vec::new();
    loop {
        let more = stream.fill_on()?;
        let taken = more.len().min(limit - bytes.len());
        bytes.extend_from_slice(&more[..taken]);
        stream.consume(taken);
        if taken == 0 {
            return Ok(bytes);
        }
    }
}

/// The verdict on a path that is neither a file nor a folder.
pub(crate) fn special(name: &str) -> Target {
    let reason = "not a regular file but a pipe, a socket or a device; to read from a pipe, give - and redirect it";
    Target::Item(Box::new(
        Fault::new(name, At::File, Stage::Open, FaultKind::NotAFile, reason).into(),
    ))
}

/// The verdict on a path that cannot be looked at.
pub(crate) fn unreadable(name: &str, path: &Path, error: &io::Error) -> Target {
    let dangling = error.kind() == io::ErrorKind::NotFound && path.is_symlink();
    let fault = match dangling {
        true => Fault::new(
            name,
            At::File,
            Stage::Open,
            FaultKind::NotFound,
            "the link leads nowhere",
        ),
        false => Fault::from_open(name, error),
    };
    Target::Item(Box::new(fault.into()))
}
