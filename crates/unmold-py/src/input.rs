//! Pages from files, folders and archives, for Python.

use crate::{
    errors::BadPage,
    many::Errors,
    working::{alone, threads},
};
use pyo3::{prelude::*, types::PyBytes, types::PyDict};
use std::{
    path::PathBuf,
    sync::{Mutex, PoisonError},
};
use unmold::Page;
use unmold_io::{Fault, LoadSettings, Loaded, SkipKind};

/// An iterator over the pages of files, folders and archives.
#[pyclass(frozen, module = "unmold")]
pub struct Load {
    items: Mutex<unmold_io::Load>,
    errors: Errors,
}

/// Reads the pages of files, folders, WARC, WET and ARC archives, JSONL and Parquet: an iterator
/// over dicts with `page`, `html` as bytes and, where they are known, `url`, `charset` and
/// `fetch_time`, which is what all functions take as a page. Memory does not grow with the number
/// of pages. `html` and `url` name the columns of tables. What cannot be read is raised as
/// PageError, with errors="return" given in its place, with errors="skip" left out. A row of a
/// table without a page is an error, too: with errors="return" there is something for each row.
///
/// >>> import unmold, pathlib, tempfile
/// >>> folder = pathlib.Path(tempfile.mkdtemp())
/// >>> _ = (folder / "kettle.html").write_text("<h1>Kettle</h1>")
/// >>> list(unmold.load(folder))
/// [{'page': 'kettle.html', 'html': b'<h1>Kettle</h1>'}]
#[pyfunction]
#[pyo3(signature = (*paths, limit=None, include=None, html="html", url="url", errors="raise"))]
pub fn load(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    limit: Option<u64>,
    include: Option<&str>,
    html: &str,
    url: &str,
    errors: &str,
) -> PyResult<Load> {
    let mut settings = LoadSettings::default().html_field(html).url_field(url);
    if let Some(limit) = limit {
        settings = settings.limit(limit);
    }
    if let Some(pattern) = include {
        settings = settings.include(pattern);
    }
    let errors = Errors::named(errors)?;
    // A path with a mistake in it is none of many pages: it is said before any work.
    let stat = py.import("os")?.getattr("stat")?;
    for path in paths.iter().filter(|path| path.as_os_str() != "-") {
        stat.call1((path,))?;
    }
    Ok(Load {
        items: Mutex::new(unmold_io::load(paths, &settings)),
        errors,
    })
}

/// The next page, or why there is none. A row of a table is one of the result, too, whatever is in
/// it, unless it was left out on purpose.
fn next_page(items: &mut unmold_io::Load) -> Option<Result<Page, BadPage>> {
    items.find_map(|item| match item {
        Loaded::Page(page) | Loaded::Cut(page, _) => Some(Ok(page)),
        Loaded::Fault(fault) => Some(Err(bad(&fault))),
        Loaded::Skipped(row) if row.is_row() && row.kind() != SkipKind::NotIncluded => {
            Some(Err(BadPage {
                page: row.id().to_owned(),
                reason: row.reason().to_owned(),
            }))
        }
        Loaded::Skipped(_) => None,
    })
}

#[pymethods]
impl Load {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        loop {
            let threads = threads(py)?;
            // Taken without the interpreter's lock, so that whoever waits for it does not hold that
            // lock; and not by one of the threads that the work is shared out to, which could then
            // wait for itself.
            let next = alone(py, || {
                let mut guard = self.items.lock().unwrap_or_else(PoisonError::into_inner);
                let items: &mut unmold_io::Load = &mut guard;
                threads.install(|| next_page(items))
            })?;
            let bad = match next {
                None => return Ok(None),
                Some(Ok(page)) => return Ok(Some(as_dict(py, &page)?.into_any())),
                Some(Err(bad)) => bad,
            };
            match self.errors {
                Errors::Raise => return Err(bad.raised()),
                Errors::Return => {
                    return Ok(Some(bad.raised().into_value(py).into_bound(py).into_any()));
                }
                Errors::Skip => {}
            }
        }
    }
}

/// What could not be read: what a fault says of its file is not said twice.
fn bad(fault: &Fault) -> BadPage {
    let (page, said) = (fault.file().to_owned(), fault.to_string());
    let reason = said
        .strip_prefix(&format!("{page}: "))
        .unwrap_or(&said)
        .to_owned();
    BadPage { page, reason }
}

fn as_dict<'py>(py: Python<'py>, page: &Page) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("page", page.id())?;
    if let Some(url) = page.url() {
        dict.set_item("url", url)?;
    }
    dict.set_item("html", PyBytes::new(py, page.bytes()))?;
    if let Some(charset) = page.charset() {
        dict.set_item("charset", charset)?;
    }
    if let Some(time) = page.fetch_time() {
        dict.set_item("fetch_time", time)?;
    }
    if page.is_truncated() {
        dict.set_item("truncated", true)?;
    }
    Ok(dict)
}
