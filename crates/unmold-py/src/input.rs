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
use unmold_io::{Fault, LoadSettings, Pages};

/// An iterator over the pages of files, folders and archives.
#[pyclass(frozen, module = "unmold")]
pub struct Load {
    pages: Mutex<Pages>,
    errors: Errors,
}

/// Reads the pages of files, folders, WARC, WET and ARC archives, JSONL and Parquet: an iterator
/// over dicts with `page`, `html` as bytes and, where they are known, `url`, `charset` and
/// `fetch_time`, which is what all functions take as a page. Memory does not grow with the number
/// of pages. What cannot be read is raised as PageError, with errors="return" given in its place,
/// with errors="skip" left out.
///
/// >>> import unmold, pathlib, tempfile
/// >>> folder = pathlib.Path(tempfile.mkdtemp())
/// >>> _ = (folder / "kettle.html").write_text("<h1>Kettle</h1>")
/// >>> list(unmold.load(folder))
/// [{'page': 'kettle.html', 'html': b'<h1>Kettle</h1>'}]
#[pyfunction]
#[pyo3(signature = (*paths, limit=None, include=None, html="html", url="url", errors="raise"))]
pub fn load(
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
    let pages = Mutex::new(unmold_io::load(paths, &settings).pages());
    Ok(Load {
        pages,
        errors: Errors::named(errors)?,
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
                let mut guard = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
                let pages: &mut Pages = &mut guard;
                threads.install(|| pages.next())
            })?;
            let bad = match next {
                None => return Ok(None),
                Some(Ok(page)) => return Ok(Some(as_dict(py, &page)?.into_any())),
                Some(Err(fault)) => bad(&fault),
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
