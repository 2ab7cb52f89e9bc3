//! Many pages, one after the other, read by many threads.
//!
//! Some pages at a time are taken from Python, read at once, and given back in their order: memory
//! does not grow with their number, and they may come from a generator.

use crate::{
    errors::BadPage,
    extraction::{Extraction, ReadPage},
    pages::{self, Given},
    working::{threads, together},
};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyIterator};
use rayon::prelude::*;
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};
use unmold::{Page, Reader};

/// So many pages are taken at once for each thread,
const THREAD_PAGES: usize = 16;
/// and no more than so many bytes.
const CHUNK_BYTES: usize = 32 << 20;

/// What becomes of a bad page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Errors {
    Raise,
    Return,
    Skip,
}

impl Errors {
    pub fn named(name: &str) -> PyResult<Self> {
        match name {
            "raise" => Ok(Errors::Raise),
            "return" => Ok(Errors::Return),
            "skip" => Ok(Errors::Skip),
            other => Err(PyValueError::new_err(format!(
                "errors is \"raise\", \"return\" or \"skip\", not {other:?}"
            ))),
        }
    }
}

/// An iterator over what pages hold, in their order. After an exception it goes on with the next
/// page.
#[pyclass(frozen, module = "unmold")]
pub struct ReadMany {
    reader: Arc<Reader>,
    errors: Errors,
    state: Mutex<State>,
}

struct State {
    given: Option<Py<PyIterator>>,
    /// Whether a thread is at work on the next pages, and will bring them.
    is_busy: bool,
    number: usize,
    /// An exception of whoever gives pages, behind those that were given before it.
    raised: Option<PyErr>,
    read: VecDeque<Result<ReadPage, BadPage>>,
}

impl ReadMany {
    pub fn new(reader: Arc<Reader>, given: &Bound<'_, PyIterator>, errors: Errors) -> Self {
        let state = State {
            given: Some(given.clone().unbind()),
            is_busy: false,
            number: 0,
            raised: None,
            read: VecDeque::new(),
        };
        ReadMany {
            reader,
            errors,
            state: Mutex::new(state),
        }
    }

    /// The next page that was read, if one is left.
    fn pop(&self) -> Option<Result<ReadPage, BadPage>> {
        self.lock().read.pop_front()
    }

    // It is never held while Python runs: another thread that waits for it would hold the
    // interpreter's lock.
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the next pages; false if there are none.
    fn read_more(&self, py: Python<'_>) -> PyResult<bool> {
        if self.lock().is_busy {
            py.detach(|| thread::sleep(Duration::from_millis(1)));
            return Ok(true);
        }
        if let Some(raised) = self.lock().raised.take() {
            return Err(raised);
        }
        let Some(given) = self.lock().given.take() else {
            return Ok(false);
        };
        self.lock().is_busy = true;
        let read = self.read_some(py, given);
        self.lock().is_busy = false;
        read?;
        py.check_signals()?;
        Ok(true)
    }

    /// Takes some pages and reads them.
    fn read_some(&self, py: Python<'_>, given: Py<PyIterator>) -> PyResult<()> {
        let first = self.lock().number;
        let Taken {
            pages,
            raised,
            is_over,
        } = take(
            given.bind(py),
            first,
            THREAD_PAGES * threads(py)?.current_num_threads(),
        );
        let count = pages.len();
        let reader = &self.reader;
        let read = move || {
            pages
                .into_par_iter()
                .map(|page| ReadPage::read(reader, page?))
                .collect::<VecDeque<_>>()
        };
        let read = together(py, read)?;
        // What is over is given back to Python before the lock is taken: whatever Python does then,
        // it does not wait for us.
        let left = (!is_over).then_some(given);
        let mut state = self.lock();
        state.number += count;
        state.raised = raised;
        state.given = left;
        state.read.extend(read);
        Ok(())
    }
}

struct Taken {
    pages: Vec<Given>,
    raised: Option<PyErr>,
    is_over: bool,
}

/// Takes some pages from Python.
fn take(given: &Bound<'_, PyIterator>, first: usize, most: usize) -> Taken {
    let mut taken = Taken {
        pages: Vec::new(),
        raised: None,
        is_over: false,
    };
    let mut bytes = 0;
    let mut given = given.clone();
    while taken.pages.len() < most && bytes < CHUNK_BYTES {
        let number = first + taken.pages.len();
        match given
            .next()
            .map(|page| page.and_then(|page| pages::page(&page, None, number)))
        {
            None => {
                taken.is_over = true;
                break;
            }
            Some(Ok(page)) => {
                bytes += page.as_ref().map_or(0, |page: &Page| page.bytes().len());
                taken.pages.push(page);
            }
            Some(Err(error)) => {
                taken.raised = Some(error);
                break;
            }
        }
    }
    taken
}

#[pymethods]
impl ReadMany {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        loop {
            match self.pop() {
                Some(Ok(page)) => {
                    return Ok(Some(Bound::new(py, Extraction::from(page))?.into_any()));
                }
                Some(Err(bad)) => match self.errors {
                    Errors::Raise => return Err(bad.raised()),
                    Errors::Return => {
                        return Ok(Some(bad.raised().into_value(py).into_bound(py).into_any()));
                    }
                    Errors::Skip => {}
                },
                None if self.read_more(py)? => {}
                None => return Ok(None),
            }
        }
    }
}
