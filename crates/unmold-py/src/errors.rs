//! The exceptions of the package. They are written in Python, so that they can be pickled and read.

use pyo3::prelude::*;
use unmold::{learn, mold, read};

pyo3::import_exception!(unmold._errors, LearnError);
pyo3::import_exception!(unmold._errors, MoldError);
pyo3::import_exception!(unmold._errors, PageError);
pyo3::import_exception!(unmold._errors, UnmoldError);

/// A page that cannot be worked on, and why.
#[derive(Clone, Debug)]
pub struct BadPage {
    pub page: String,
    pub reason: String,
}

impl From<read::PageError> for BadPage {
    fn from(error: read::PageError) -> Self {
        BadPage {
            reason: error.reason(),
            page: error.page,
        }
    }
}

impl BadPage {
    /// The exception that says so.
    pub fn raised(self) -> PyErr {
        PageError::new_err((self.page, self.reason))
    }
}

/// Why nothing was learned, as an exception.
pub fn of_learning(error: &learn::LearnError) -> PyErr {
    match error {
        // Not of the pages: somebody should be told.
        learn::LearnError::Failed(_) | learn::LearnError::Index(_) => {
            UnmoldError::new_err(error.to_string())
        }
        _ => LearnError::new_err(error.to_string()),
    }
}

/// Why a mold was refused, as an exception.
pub fn of_mold(error: &mold::MoldError) -> PyErr {
    MoldError::new_err(error.to_string())
}
