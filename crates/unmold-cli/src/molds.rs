//! From a file to the mold in it.

use crate::exit::Failure;
use anyhow::Result;
use std::path::Path;
use unmold::mold::Mold;

/// Reads a mold from a file; what is wrong with it is named with the file.
pub fn read_mold(path: &Path) -> Result<Mold> {
    let refused = |reason: &dyn std::fmt::Display| Failure::Usage(format!("{}: {reason}", path.display()));
    let json = std::fs::read_to_string(path).map_err(|error| refused(&error))?;
    Ok(Mold::from_json(&json).map_err(|error| refused(&error))?)
}
