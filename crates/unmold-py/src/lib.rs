//! The Python package `unmold`: the library's front door for people who write Python.
//!
//! ```python
//! import unmold
//!
//! mold = unmold.learn(pages)          # str, bytes, (url, html), dicts, a table, or a path
//! found = mold.read(html)
//! found.fields, found.text, found.about
//! ```
//!
//! Four things are kept here, so that nothing behind has to think of them:
//!
//! - [`pages`]: whatever Python calls a page becomes a [`Text`](unmold::Text), or an error of that
//!   page.
//! - [`working`]: work is done without the interpreter's lock, on threads of our own that survive a
//!   fork, and a panic is an exception and never the end of the process.
//! - [`mold`], [`extraction`], [`many`]: the classes. An extraction keeps its page, and makes texts
//!   and dicts when it is asked.
//! - [`errors`]: the exceptions, which are written in Python.
//!
//! The command line is in the package, too: [`command`].
//!
//! What needs no Rust is in `python/unmold`: tables, pictures for notebooks, Spark, datatrove,
//! Scrapy.

mod command;
mod errors;
mod extraction;
mod input;
mod many;
mod mold;
mod pages;
mod single;
mod working;

use pyo3::prelude::*;

/// The compiled half of the package `unmold`.
#[pymodule]
mod _unmold {
    #[pymodule_export]
    use super::{
        command::run_command,
        extraction::{Content, Extraction},
        input::{Load, load},
        many::ReadMany,
        mold::{Mold, learn},
        single::{clean, group, patterns, records},
        working::set_threads,
    };
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::fail_on_purpose();
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

/// So that tests can see that a page which makes the program fail costs no other.
fn fail_on_purpose() {
    #[cfg(debug_assertions)]
    if let Ok(text) = std::env::var("UNMOLD_FAIL_AT") {
        unmold::read::fail_on_purpose_at(text);
    }
}
