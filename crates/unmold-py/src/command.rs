//! The command line, for `python -m unmold` and for the command that is installed with the package.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command line with these words, the name of the program first, and gives the exit code.
///
/// It is for a process that does nothing else: it takes over interrupts and the thread pool.
#[pyfunction]
pub fn run_command(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| unmold_cli::run(words))
}
