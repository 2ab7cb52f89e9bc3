//! What an LR rule says: the strings before and behind a value.

use crate::read::STRING_BYTES;
use serde::{Deserialize, Serialize};

/// The most rules that a group may have: what they give may grow with their number and the page's
/// length together. Of the sites at hand none has more than 1,000.
pub(crate) const MOST_RULES: usize = 2_000;

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
