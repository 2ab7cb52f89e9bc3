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
//! assert_eq!(newer.to_string(), "the mold is of version 7; this program reads versions up to 2");
//! # Ok::<(), unmold::mold::MoldError>(())
//! ```
//!
//! Fields may be renamed, dropped and put into another order by hand. What cannot be read is refused with the line and
//! the reason; nothing in a mold is ever executed.

use crate::{Text, content, fields::Field, group::Fingerprint, lists::ListRule, strings};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The version that this program writes, and the newest it reads.
pub const VERSION: u32 = 2;

/// What was learned about a site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Mold {
    /// The version of the format.
    unmold: u32,
    /// How it was learned, and from what.
    pub learned: Provenance,
    /// Where the main content of pages is; looks say which of these rules is theirs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contents: Vec<content::Rule>,
    /// One entry for each template of the site.
    pub groups: Vec<Group>,
}

/// How a mold was learned, and from what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// The method, by the name it has on the command line.
    pub method: String,
    /// How many pages it was learned from.
    pub pages: usize,
    /// How many bytes of text they had.
    pub bytes: usize,
    /// A fingerprint of those texts, in order.
    pub hash: String,
}

impl Provenance {
    /// Describes the pages that something was learned from.
    pub fn of(method: &str, texts: &[Text]) -> Self {
        let mut hash = 0u64;
        for text in texts {
            // Not keyed, unlike the hash of words: the same pages have the same fingerprint everywhere.
            hash = hash.rotate_left(7) ^ rapidhash::v3::rapidhash_v3(text.as_str().as_bytes());
        }
        let bytes = texts.iter().map(|text| text.as_str().len()).sum();
        Provenance { method: method.to_owned(), pages: texts.len(), bytes, hash: format!("{hash:016x}") }
    }
}

/// What pages of one template have in common.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Group {
    /// What the group is called.
    pub name: String,
    /// How many pages it was learned from.
    pub pages: usize,
    /// By what its pages are told from others: a template may print pages that look different. A group without looks is
    /// told by what its rules find.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub looks: Vec<Look>,
    /// Where the main content of its pages is, if their look does not say so.
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
    pub records: Vec<ListRule>,
}

impl Group {
    /// A group of so many pages under a name, with no rule yet.
    pub fn new(name: impl Into<String>, pages: usize) -> Self {
        Group { name: name.into(), pages, ..Group::default() }
    }
}

/// How pages of a group look, and where these have their main content.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// By what they are told from other pages.
    pub fingerprint: Fingerprint,
    /// The number of their rule among the mold's `contents`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<usize>,
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
    pub fn new(learned: Provenance, contents: Vec<content::Rule>, groups: Vec<Group>) -> Self {
        Mold { unmold: VERSION, learned, contents, groups }
    }

    /// A mold that knows nothing: pages are judged on their own.
    pub fn nothing() -> Self {
        Mold::new(Provenance::of("nothing", &[]), Vec::new(), Vec::new())
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
        // What an older version says is all that this version needs to be told.
        Ok(Mold { unmold: VERSION, ..mold })
    }

    /// Writes a mold for people to read.
    pub fn to_json(&self) -> String {
        let mut json = serde_json::to_string_pretty(self).expect("a mold has nothing that JSON cannot say");
        json.push('\n');
        json
    }

    /// The second level of the thesis: drops template strings of plain language that at least half of other sites' molds
    /// have too.
    pub fn drop_frequent_elsewhere(&mut self, others: &[Mold]) {
        let others: Vec<HashSet<&str>> = others.iter().map(Mold::template_strings).collect();
        let templates = self.groups.iter_mut().filter_map(|group| group.template.as_mut());
        templates.for_each(|template| template.drop_frequent_elsewhere(&others));
    }

    fn template_strings(&self) -> HashSet<&str> {
        let templates = self.groups.iter().filter_map(|group| group.template.as_ref());
        templates.flat_map(|template| &template.strings).map(|string| string.string.as_str()).collect()
    }

    /// Whether it says anywhere where main content is.
    pub fn has_content(&self) -> bool {
        !self.contents.is_empty() || self.groups.iter().any(|group| group.content.is_some())
    }

    /// Whether it has template strings.
    pub fn has_strings(&self) -> bool {
        self.groups.iter().any(|group| group.template.is_some())
    }

    fn check(&self) -> Result<(), MoldError> {
        for (at, rule) in self.contents.iter().enumerate() {
            rule.check().map_err(|reason| nonsense(format!("contents[{at}]"), &reason))?;
        }
        self.groups.iter().enumerate().try_for_each(|(at, group)| group.check(at, self.contents.len()))
    }
}

fn nonsense(place: String, reason: &dyn std::fmt::Display) -> MoldError {
    MoldError::Nonsense { place, reason: reason.to_string() }
}

impl Group {
    fn check(&self, at: usize, contents: usize) -> Result<(), MoldError> {
        let place = |what: &str| format!("groups[{at}].{what}");
        for (number, look) in self.looks.iter().enumerate() {
            if look.content.is_some_and(|content| content >= contents) {
                return Err(nonsense(place(&format!("looks[{number}]")), &"there is no content rule of that number"));
            }
        }
        if let Some(rule) = &self.content {
            rule.check().map_err(|reason| nonsense(place("content"), &reason))?;
        }
        if let Some(template) = &self.template {
            template.check().map_err(|error| nonsense(place("template"), &error))?;
        }
        for (number, list) in self.records.iter().enumerate() {
            list.rule.check().map_err(|error| nonsense(place(&format!("records[{number}]")), &error))?;
        }
        self.check_fields(at)
    }

    fn check_fields(&self, at: usize) -> Result<(), MoldError> {
        let mut names = HashSet::new();
        for (number, field) in self.fields.iter().enumerate() {
            let place = || format!("groups[{at}].fields[{number}]");
            if !names.insert(&field.name) {
                return Err(nonsense(place(), &format!("two fields are called {:?}", field.name)));
            }
            field.check().map_err(|reason| nonsense(place(), &reason))?;
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
        let mold = Mold::new(Provenance::of("lr", &[Text::from_string("1", "x")]), Vec::new(), vec![group]);
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
