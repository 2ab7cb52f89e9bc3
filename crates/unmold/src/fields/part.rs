//! Which of the values in one text is a field's?

use serde::{Deserialize, Serialize};

/// One of two values that stand in one text with the same words or mark between them.
///
/// ```
/// use unmold::fields::Part;
///
/// let town = Part { separator: ", ".to_string(), number: 1 };
/// assert_eq!(town.of("Aldous Press, Bristol"), Some("Bristol"));
/// assert_eq!(town.of("Aldous Press"), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// What stands between the two.
    pub separator: String,
    /// Which of them it is, from 0.
    pub number: usize,
}

impl Part {
    /// The part of a text; `None` if the text has not exactly two.
    pub fn of<'v>(&self, text: &'v str) -> Option<&'v str> {
        let (left, right) = text
            .split_once(&self.separator)
            .filter(|(_, right)| !right.contains(&self.separator))?;
        match self.number {
            0 => Some(left.trim()),
            1 => Some(right.trim()),
            _ => None,
        }
    }
}
