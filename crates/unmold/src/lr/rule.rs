//! What an LR rule says: the strings before and behind a value.

use crate::read::STRING_BYTES;
use serde::{Deserialize, Serialize};

/// A left and a right delimiter.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// What stands before a value.
    pub left: String,
    /// What stands behind it.
    pub right: String,
}

impl Rule {
    pub(crate) fn check(&self) -> Result<(), String> {
        let sizes = [self.left.len(), self.right.len()];
        if sizes.contains(&0) {
            return Err("a delimiter is empty".to_owned());
        }
        if sizes.iter().any(|&size| size > STRING_BYTES) {
            return Err(format!("a delimiter is longer than {} bytes", STRING_BYTES));
        }
        Ok(())
    }
}
