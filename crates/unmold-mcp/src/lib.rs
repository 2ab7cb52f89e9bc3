//! What do agents get? Tools over folders of pages, by the Model Context Protocol.
//!
//! `unmold mcp FOLDER...` speaks the protocol on standard input and output. A program that runs
//! language models starts it and calls its [tools](Server): which folders there are, what their
//! pages have in common, tables of values, main content, lists, declared data, and what changed.
//!
//! # Safety
//!
//! - The tools read. None writes a file or opens a connection.
//! - An agent sees the [folders](Folders) that were named when the program was started, under their
//!   names, and no others: folders are chosen by name and pages by id, never by a path, so there is
//!   no path that could lead outside.
//! - Every answer is small (module `answer`): long values are cut and say how much is missing, long lists
//!   end with the number to go on from.
//! - What pages say comes from strangers. The answers hold it as JSON strings, and the server's
//!   instructions tell the model to take it as data.
//!
//! # Cost
//!
//! The pages of a folder are read when a tool first needs them, and its rules are learned once;
//! both are kept. Folders with more than 128 MB of text are refused.

#![forbid(unsafe_code)]

mod answer;
mod folders;
mod params;
mod server;
mod tools;

pub use folders::{Folders, FoldersError};
pub use server::Server;
