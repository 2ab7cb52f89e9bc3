//! What was learned about a site, as a file that people can read and edit.
//!
//! A [`Mold`] is JSON with a version. It can be applied to pages that were never seen, without the pages it was learned
//! from and without an index:
//!
//! ```
//! use unmold::mold::Mold;
//!
//! let mold = Mold::from_json(r#"{
//!     "unmold": 1,
//!     "learned": {"method": "lr", "pages": 3, "bytes": 120, "hash": "0"},
//!     "groups": [{
//!         "name": "countries",
//!         "pages": 3,
//!         "fields": [{"name": "code", "fill": 1.0, "views": [{"kind": "lr", "left": "code: ", "right": "</p>"}]}]
//!     }]
//! }"#)?;
//! assert_eq!(mold.groups[0].fields[0].name, "code");
//!
//! let newer = Mold::from_json(r#"{"unmold": 7, "surprise": true}"#).unwrap_err();
//! assert_eq!(newer.to_string(), "the mold is of version 7; this program reads versions up to 1");
//! # Ok::<(), unmold::mold::MoldError>(())
//! ```
//!
//! Fields may be renamed, dropped and put into another order by hand. What cannot be read is refused with the line and
//! the reason; nothing in a mold is ever executed.

use crate::{Text, content, fields::Field, lists::Records, strings};
use serde::{Deserialize, Serialize};

/// The version that this program writes, and the newest it reads.
pub const VERSION: u32 = 1;

/// What was learned about a site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mold {
    /// The version of the format.
    unmold: u32,
    /// How it was learned, and from what.
    pub learned: Learned,
    /// One entry for each template of the site.
    pub groups: Vec<Group>,
}

/// How a mold was learned, and from what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Learned {
    /// The method, by the name it has on the command line.
    pub method: String,
    /// How many pages it was learned from.
    pub pages: usize,
    /// How many bytes of text they had.
    pub bytes: usize,
    /// A fingerprint of those texts, in order.
    pub hash: String,
}

impl Learned {
    /// Describes the pages that something was learned from.
    pub fn from(method: &str, texts: &[Text]) -> Self {
        let mut hash = 0u64;
        for text in texts {
            // Not keyed, unlike the hash of words: the same pages have the same fingerprint everywhere.
            hash = hash.rotate_left(7) ^ rapidhash::v3::rapidhash_v3(text.as_str().as_bytes());
        }
        let bytes = texts.iter().map(|text| text.as_str().len()).sum();
        Learned { method: method.to_owned(), pages: texts.len(), bytes, hash: format!("{hash:016x}") }
    }
}

/// What pages of one template have in common.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// What the group is called.
    pub name: String,
    /// How many pages it was learned from.
    pub pages: usize,
    /// Where the main content of its pages is, and of those of other groups that have it there too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<content::Rule>,
    /// The strings that its pages have in common.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<strings::Template>,
    /// The fields of its pages, the most useful first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<Field>,
    /// Texts that stand once on nearly every page, from which places are counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub landmarks: Vec<String>,
    /// What its pages list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<Records>,
}

/// Why a mold was refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MoldError {
    /// It is not JSON, or not the JSON of a mold; the reason names line and column.
    #[error("not a mold: {0}")]
    Format(#[from] serde_json::Error),
    /// It was written by a newer program.
    #[error("the mold is of version {found}; this program reads versions up to {VERSION}")]
    Newer {
        /// Its version.
        found: u32,
    },
    /// Something in it makes no sense.
    #[error("{place}: {reason}")]
    Nonsense {
        /// Where: `groups[0].fields[2].views[0]`.
        place: String,
        /// What is wrong.
        reason: String,
    },
}

impl Mold {
    /// A mold with what was learned.
    pub fn new(learned: Learned, groups: Vec<Group>) -> Self {
        Mold { unmold: VERSION, learned, groups }
    }

    /// Reads a mold and checks it.
    ///
    /// # Errors
    /// When it is not a mold, of a newer version, or makes no sense somewhere.
    pub fn from_json(json: &str) -> Result<Self, MoldError> {
        /// The part that all versions share.
        #[derive(Deserialize)]
        struct Version {
            unmold: u32,
        }
        let Version { unmold: found } = serde_json::from_str(json)?;
        if found > VERSION {
            return Err(MoldError::Newer { found });
        }
        let mold: Mold = serde_json::from_str(json)?;
        mold.check()?;
        Ok(mold)
    }

    /// Writes a mold for people to read.
    pub fn to_json(&self) -> String {
        let mut json = serde_json::to_string_pretty(self).expect("a mold has nothing that JSON cannot say");
        json.push('\n');
        json
    }

    fn check(&self) -> Result<(), MoldError> {
        for (at, group) in self.groups.iter().enumerate() {
            if let Some(rule) = &group.content {
                let nonsense = |reason| MoldError::Nonsense { place: format!("groups[{at}].content"), reason };
                rule.check().map_err(nonsense)?;
            }
            let nonsense = |error: strings::BadTemplate| MoldError::Nonsense {
                place: format!("groups[{at}].template"),
                reason: error.to_string(),
            };
            group.template.iter().try_for_each(|template| template.check().map_err(nonsense))?;
            let mut names = std::collections::HashSet::new();
            for (number, field) in group.fields.iter().enumerate() {
                let place = format!("groups[{at}].fields[{number}]");
                let nonsense = |reason: String| MoldError::Nonsense { place: place.clone(), reason };
                if !names.insert(&field.name) {
                    return Err(nonsense(format!("two fields are called {:?}", field.name)));
                }
                field.check().map_err(nonsense)?;
            }
            for (number, records) in group.records.iter().enumerate() {
                let nonsense =
                    |reason| MoldError::Nonsense { place: format!("groups[{at}].records[{number}]"), reason };
                records.rule.check().map_err(|error| nonsense(error.to_string()))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{fields::View, lr};

    fn with_fields(fields: &str) -> String {
        format!(
            r#"{{"unmold": 1, "learned": {{"method": "lr", "pages": 0, "bytes": 0, "hash": ""}},
                "groups": [{{"name": "a", "pages": 0, "fields": [{fields}]}}]}}"#
        )
    }

    #[test]
    fn what_is_written_is_read_back() {
        let view = View::Lr(lr::Rule { left: "<b>\n".to_owned(), right: "</b>".to_owned() });
        let field = Field {
            name: "名".to_owned(),
            fill: 0.5,
            samples: vec!["x".to_owned()],
            views: vec![view],
            ..Field::default()
        };
        let region = content::Region { path: "html body div#main".to_owned(), many: true };
        let repeats = content::Repeats { text: vec!["Share".to_owned()], links: Vec::new() };
        let content = Some(content::Rule { regions: vec![region], repeats, ..content::Rule::default() });
        let group = Group { name: "g".to_owned(), pages: 2, content, fields: vec![field], ..Group::default() };
        let mold = Mold::new(Learned::from("lr", &[Text::from_string("1", "x")]), vec![group]);
        assert_eq!(Mold::from_json(&mold.to_json()).unwrap(), mold);
    }

    #[test]
    fn refusals_name_the_place() {
        for (fields, reason) in [
            (
                r#"{"name": "a", "fill": 1, "views": [{"kind": "lr", "left": "", "right": "x"}]}"#,
                "groups[0].fields[0]: ",
            ),
            (r#"{"name": "", "fill": 1, "views": []}"#, "groups[0].fields[0]: the name is empty"),
            (
                r#"{"name": "a", "fill": 1, "views": []}, {"name": "a", "fill": 1, "views": []}"#,
                "groups[0].fields[1]: two",
            ),
            (
                r#"{"name": "a", "fill": 1, "views": [{"kind": "eval", "code": "x"}]}"#,
                "not a mold: unknown variant `eval`",
            ),
            (r#"{"name": "a", "fill": 1, "views": [], "extra": 1}"#, "not a mold: unknown field `extra`"),
        ] {
            let error = Mold::from_json(&with_fields(fields)).unwrap_err().to_string();
            assert!(error.starts_with(reason), "{error}");
        }
        for (content, reason) in [
            (r#"{"regions": []}"#, "groups[0].content: a content rule needs a region"),
            (r#"{"regions": [{"path": "a\tb"}]}"#, "groups[0].content: \"a\\tb\" is not a path"),
            (r#"{"regions": [{"path": ""}], "words": []}"#, "not a mold: unknown field `words`"),
        ] {
            let json = with_fields("")
                .replace(r#""pages": 0, "fields""#, &format!(r#""pages": 0, "content": {content}, "fields""#));
            let error = Mold::from_json(&json).unwrap_err().to_string();
            assert!(error.starts_with(reason), "{error}");
        }
        assert!(Mold::from_json("{\"unmold\": 1,\n").unwrap_err().to_string().contains("line 2"));
    }
}
