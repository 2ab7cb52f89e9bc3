//! Is a rule right? Look at what it finds, on all pages at once.
//!
//! The viewer is a page in the browser over the front door of [`unmold`]: groups and their pages,
//! each page with its values outlined, one field on all pages side by side, the table that would be
//! written. Whatever is chosen there is an edit of a working [`Mold`](unmold::Mold), which can be
//! undone, saved and exported.
//!
//! ```no_run
//! use unmold::{Mold, Text};
//! use unmold_view::Viewer;
//!
//! let pages = vec![Text::from_string("1", "<h1>Kettle</h1>"), Text::from_string("2", "<h1>Skillet</h1>")];
//! let mold = Mold::learn(&pages)?;
//! let server = Viewer::new(pages, mold).bind(0)?;
//! println!("{}", server.url());
//! server.run()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Safety
//!
//! Pages come from strangers, and the viewer may write files. So:
//!
//! - It listens on the loopback address alone, and [`guard`] answers nobody but the browser that
//!   was opened with the address it printed: a token that works once, then a cookie; requests that
//!   other sites cause are refused.
//! - Pages and files are named by numbers, never by paths.
//! - A page is shown in two ways. To be clicked at, as elements that the viewer makes anew from a
//!   short list of names ([`shown`]), without any attribute that loads, runs or styles. To be
//!   looked at, as [`paint`](unmold::report::paint) writes it, in a frame without scripts, without
//!   an origin, and under a policy that loads nothing.
//!
//! # Cost
//!
//! All pages are read once when the viewer starts and once for each edit that changes a rule, at
//! the speed of [`Reader`](unmold::Reader). A page is sent to the browser in pieces of
//! [`shown::PIECE`] bytes of its source.

#![forbid(unsafe_code)]

mod answer;
mod answers;
mod assets;
mod declared;
pub mod edit;
mod export;
pub mod guard;
mod lists;
mod overview;
mod page;
mod pick;
mod pictures;
mod preview;
mod server;
mod session;
pub mod shown;
mod why;

pub use server::{Server, Viewer};
