//! Loading pages and saving results: everything of Unmold that touches files.
//!
//! [`load()`] takes files, folders, archives, tables and standard input, and gives their pages one
//! at a time:
//!
//! ```
//! use unmold_io::{LoadSettings, load};
//!
//! let folder = tempfile::tempdir()?;
//! std::fs::write(folder.path().join("0001.html"), "<p>hello")?;
//!
//! let mut pages = load([folder.path()], &LoadSettings::default()).pages();
//! for page in pages.by_ref() {
//!     match page {
//!         Ok(page) => assert_eq!(page.id(), "0001.html"),
//!         Err(fault) => eprintln!("{fault}"),
//!     }
//! }
//! assert_eq!(pages.tally().to_string(), "1 page, 0 skipped, 0 faults");
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! | input | pages | id of a page |
//! |---|---|---|
//! | a file: HTML, XML, text, or `-` | itself | `name.html` |
//! | a folder | its files, in the order of their paths, without those whose name starts with a dot | `path/in/it.html` |
//! | `.warc`, `.wet`, `.arc` | responses, resources and conversions that are pages | `name.warc.gz#offset` |
//! | `.jsonl`, `.ndjson` | the field `html`, with the address from `url` | `name.jsonl#line` |
//! | `.parquet` | the column `html`, with the address from `url` | `name.parquet#row` |
//!
//! All but Parquet may be compressed with gzip or Zstandard. What a file is shows in its first
//! bytes; its name is asked only where they do not tell. The offset is that of the record's
//! compressed member, so that it can be read alone; in an archive that is compressed as a whole it
//! is `member+byte`, the byte counted after decompression.
//!
//! # Themes
//!
//! - **Everything is accounted for.** Each item seen is a page, [`Skipped`] for a reason, or a
//!   [`Fault`] with its place; the [`Tally`] adds up. One bad item costs one fault, and reading
//!   goes on behind it.
//! - **Memory is flat.** One record, line or row at a time, up to the limits in [`LoadSettings`];
//!   pages beyond the limit are cut and flagged. Page files are opened a few ahead.
//! - **The order is fixed.** Same inputs, same items in the same order, however many threads read.
//! - **Results are whole or absent.** See [`save`]. Archives grow record by record, and are whole
//!   at every moment: [`warc_file`], and [`warc_parts`] where one file would become too large.
//!   [`warc_check`] says whether they still are.
//!
//! What it does not do: it does not decode text (`unmold::read::decode` does), does not fetch, and
//! does not look into zip files.

#![forbid(unsafe_code)]

mod arc;
mod archive;
mod candidate;
mod codec;
mod fault;
mod folder;
mod header;
mod http;
mod input;
mod jsonl;
mod kind;
mod load;
mod names;
mod open;
mod parquet;
mod rule_file;
pub mod save;
mod settings;
mod stream;
pub mod table;
mod tally;
mod warc;
pub mod warc_check;
pub mod warc_file;
pub mod warc_parts;

pub use crate::fault::{At, Fault, FaultKind, Stage};
pub use crate::load::{Everything, Load, Pages, load, load_reader};
pub use crate::rule_file::{MAX_RULE_FILE_BYTES, read_rule_file};
pub use crate::settings::{LoadSettings, Pattern};
pub use crate::tally::{Loaded, Note, SkipKind, Skipped, Tally};
