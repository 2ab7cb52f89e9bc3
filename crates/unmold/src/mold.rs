//! What was learned about a site, as a file that people can read and edit.
//!
//! A [`Mold`] is JSON with a version. It can be applied to pages that were never seen, without the
//! pages it was learned from and without an index:
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
//! Fields may be renamed, dropped and put into another order by hand. What cannot be read is
//! refused with the line and the reason; nothing in a mold is ever executed.

mod written;

use crate::{
    Text, content,
    fields::{self, Field},
    group::Fingerprint,
    lists::{ListRule, RecordRule},
    read::{is_commanding, order::content_hash, printable::clean_name},
    strings,
};
use serde::{Deserialize, Serialize, de::IgnoredAny};
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
    /// How it was learned, and from what; nothing, if it was written by hand.
    #[serde(default)]
    pub learned: Provenance,
    /// Whether every page is of its one template, whatever it looks like.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub one_template: bool,
    /// Where the main content of pages is; looks say which of these rules is theirs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contents: Vec<content::Rule>,
    /// One entry for each template of the site.
    pub groups: Vec<Group>,
}

/// How a mold was learned, and from what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Provenance {
    /// The method, by the name it has on the command line.
    pub method: String,
    /// How many pages it was learned from.
    pub pages: usize,
    /// How many bytes of text they had.
    pub bytes: usize,
    /// A fingerprint of those texts, in whatever order.
    pub hash: String,
}

impl Provenance {
    /// Describes the pages that something was learned from.
    pub fn of(method: &str, texts: &[Text]) -> Self {
        // A sum, and not keyed, unlike the hash of words: the same pages have the same fingerprint
        // everywhere.
        let hash = texts.iter().map(content_hash).fold(0, u64::wrapping_add);
        let bytes = texts.iter().map(|text| text.as_str().len()).sum();
        Provenance {
            method: method.to_owned(),
            pages: texts.len(),
            bytes,
            hash: format!("{hash:016x}"),
        }
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
    #[serde(default)]
    pub pages: usize,
    /// By what its pages are told from others: a template may print pages that look different. A
    /// group without looks is told by what its rules find.
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
    /// How many of the fields, from the first, a person would keep; all of them if it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wanted: Option<usize>,
    /// Fields that a repair found on no page any more: they are kept for people, and not looked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub retired: Vec<Field>,
    /// Texts that stand once on nearly every page, from which places are counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub landmarks: Vec<String>,
    /// What its pages list, the most important list first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<ListRule>,
}

impl Group {
    /// A group of so many pages under a name, with no rule yet.
    pub fn new(name: impl Into<String>, pages: usize) -> Self {
        Group {
            name: name.into(),
            pages,
            ..Group::default()
        }
    }
}

/// Which fields of a mold are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FieldChoice {
    /// Those that the mold says a person would keep.
    #[default]
    Wanted,
    /// All of them.
    All,
    /// So many of the first.
    First(usize),
    /// These, in this order.
    Named(Vec<String>),
}

/// A field that no group has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no group has a field {name:?}; there are {}", self.known())]
pub struct UnknownField {
    name: String,
    /// Fields that there are, those with names most like it first.
    known: Vec<String>,
}

impl UnknownField {
    fn new<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Self {
        let folded = |name: &str| name.to_lowercase();
        let wanted = folded(name);
        let is_alike =
            |known: &str| folded(known).contains(&wanted) || wanted.contains(&folded(known));
        let mut seen = HashSet::new();
        let mut known: Vec<String> = known
            .filter(|known| seen.insert(*known))
            .map(str::to_owned)
            .collect();
        known.sort_by_key(|known| !is_alike(known));
        UnknownField {
            name: name.to_owned(),
            known,
        }
    }

    fn known(&self) -> String {
        /// More are not read.
        const SHOWN: usize = 10;
        let shown = self
            .known
            .iter()
            .take(SHOWN)
            .map(|name| format!("{name:?}"))
            .collect::<Vec<_>>()
            .join(", ");
        match self.known.len().saturating_sub(SHOWN) {
            0 if self.known.is_empty() => "none".to_owned(),
            0 => shown,
            more => format!("{shown} and {more} more"),
        }
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
        let groups = groups.into_iter().map(Group::with_clean_names).collect();
        Mold {
            unmold: VERSION,
            learned,
            one_template: false,
            contents,
            groups,
        }
    }

    /// A mold that knows nothing: pages are judged on their own.
    pub fn nothing() -> Self {
        Mold::new(Provenance::of("nothing", &[]), Vec::new(), Vec::new())
    }

    /// A mold of one list, for pages of any look.
    pub fn of_list(list: ListRule) -> Self {
        let mut group = Group::new("all", 1);
        group.records.push(list);
        Mold::new(Provenance::of("lists", &[]), Vec::new(), vec![group])
    }

    /// Reads a mold and checks it. A file that an earlier version wrote for one rule of `records` is
    /// a mold of one list.
    ///
    /// # Errors
    /// When it is not a mold, of a newer version, or makes no sense somewhere.
    pub fn from_json(json: &str) -> Result<Self, MoldError> {
        /// The part that all versions share.
        #[derive(Deserialize)]
        struct Version {
            unmold: u32,
            /// The rule of a single list, in a file that the first version wrote for it.
            #[serde(default)]
            records: Option<IgnoredAny>,
        }
        /// Such a file.
        #[derive(Deserialize)]
        struct RuleFile {
            records: RecordRule,
        }
        let Version {
            unmold: found,
            records,
        } = serde_json::from_str(json)?;
        if found > VERSION {
            return Err(MoldError::Newer { found });
        }
        if records.is_some() {
            let RuleFile { records: rule } = serde_json::from_str(json)?;
            let list = ListRule {
                name: "records".to_owned(),
                place: String::new(),
                pattern: String::new(),
                fill: 1.0,
                rule,
            };
            let mold = Mold::of_list(list);
            mold.check()?;
            return Ok(mold);
        }
        let mold: Mold = serde_json::from_str(json)?;
        mold.check()?;
        // What an older version says is all that this version needs to be told.
        Ok(Mold {
            unmold: VERSION,
            ..mold
        })
    }

    /// Writes a mold for people to read: each view of a field is on one line.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string(self).expect("a mold has nothing that JSON cannot say");
        written::laid_out(&json) + "\n"
    }

    /// The second level of the thesis: drops template strings of plain language that at least half
    /// of other sites' molds have too.
    pub fn drop_frequent_elsewhere(&mut self, others: &[Mold]) {
        let others: Vec<HashSet<&str>> = others.iter().map(Mold::template_strings).collect();
        let templates = self
            .groups
            .iter_mut()
            .filter_map(|group| group.template.as_mut());
        templates.for_each(|template| template.drop_frequent_elsewhere(&others));
    }

    fn template_strings(&self) -> HashSet<&str> {
        let templates = self
            .groups
            .iter()
            .filter_map(|group| group.template.as_ref());
        templates
            .flat_map(|template| &template.strings)
            .map(|string| string.string.as_str())
            .collect()
    }

    /// Says which fields of each group are wanted, and puts these first. The others stay: what
    /// stands behind their labels is not taken for a field that is wanted.
    ///
    /// # Errors
    /// When a field is asked for by a name that no group has.
    pub fn choose(&mut self, choice: &FieldChoice) -> Result<(), UnknownField> {
        if let FieldChoice::Named(names) = choice {
            let known = || {
                self.groups
                    .iter()
                    .flat_map(|group| &group.fields)
                    .map(|field| field.name.as_str())
            };
            if let Some(name) = names
                .iter()
                .find(|name| !known().any(|known| known == name.as_str()))
            {
                return Err(UnknownField::new(name, known()));
            }
        }
        self.groups
            .iter_mut()
            .for_each(|group| group.choose(choice));
        Ok(())
    }

    /// Whether it says anywhere where main content is.
    pub fn has_content(&self) -> bool {
        !self.contents.is_empty() || self.groups.iter().any(|group| group.content.is_some())
    }

    /// Whether it has template strings.
    pub fn has_strings(&self) -> bool {
        self.groups.iter().any(|group| group.template.is_some())
    }

    /// Whether it could be read back from a file.
    pub(crate) fn check(&self) -> Result<(), MoldError> {
        if self.one_template && self.groups.len() > 1 {
            let reason = format!("it is set, but there are {} groups", self.groups.len());
            return Err(nonsense("one_template".to_owned(), &reason));
        }
        for (at, rule) in self.contents.iter().enumerate() {
            rule.check()
                .map_err(|reason| nonsense(format!("contents[{at}]"), &reason))?;
        }
        self.groups
            .iter()
            .enumerate()
            .try_for_each(|(at, group)| group.check(at, self.contents.len()))
    }
}

fn nonsense(place: String, reason: &dyn std::fmt::Display) -> MoldError {
    MoldError::Nonsense {
        place,
        reason: reason.to_string(),
    }
}

impl Group {
    /// The fields that a person would keep.
    pub fn wanted(&self) -> &[Field] {
        &self.fields[..self.wanted.unwrap_or(usize::MAX).min(self.fields.len())]
    }

    fn choose(&mut self, choice: &FieldChoice) {
        match choice {
            FieldChoice::Wanted => {}
            FieldChoice::All => self.wanted = None,
            FieldChoice::First(count) => self.wanted = Some(*count),
            FieldChoice::Named(names) => {
                let place = |field: &Field| {
                    names
                        .iter()
                        .position(|name| *name == field.name)
                        .unwrap_or(names.len())
                };
                self.fields.sort_by_key(|field| place(field));
                self.wanted = Some(
                    self.fields
                        .iter()
                        .filter(|field| place(field) < names.len())
                        .count(),
                );
            }
        }
    }

    /// The group with names that a terminal can be sent: pages name them. Each stays different from
    /// the others.
    fn with_clean_names(mut self) -> Self {
        if self.name.contains(is_commanding) {
            self.name = clean_name(&self.name);
        }
        let mut names: HashSet<String> =
            self.fields.iter().map(|field| field.name.clone()).collect();
        for field in self
            .fields
            .iter_mut()
            .filter(|field| field.name.contains(is_commanding))
        {
            let name = clean_name(&field.name);
            let name = if name.is_empty() {
                "field".to_owned()
            } else {
                name
            };
            let numbered = (2..).map(|number| format!("{name}_{number}"));
            let mut free = std::iter::once(name.clone()).chain(numbered);
            field.name = free
                .find(|name| names.insert(name.clone()))
                .unwrap_or_default();
        }
        for list in &mut self.records {
            if list.name.contains(is_commanding) {
                list.name = clean_name(&list.name);
            }
        }
        self
    }

    fn check_names(&self, at: usize) -> Result<(), MoldError> {
        let of_fields = self
            .fields
            .iter()
            .enumerate()
            .map(|(number, field)| (format!(".fields[{number}]"), &field.name));
        let of_lists = self
            .records
            .iter()
            .enumerate()
            .map(|(number, list)| (format!(".records[{number}]"), &list.name));
        let mut all = std::iter::once((String::new(), &self.name))
            .chain(of_fields)
            .chain(of_lists);
        match all.find(|(_, name)| name.contains(is_commanding)) {
            Some((place, _)) => {
                let reason = "the name holds control characters or marks of direction";
                Err(nonsense(format!("groups[{at}]{place}"), &reason))
            }
            None => Ok(()),
        }
    }

    fn check(&self, at: usize, contents: usize) -> Result<(), MoldError> {
        self.check_names(at)?;
        let place = |what: &str| format!("groups[{at}].{what}");
        fields::rule::check_number(&self.fields)
            .map_err(|reason| nonsense(place("fields"), &reason))?;
        for (number, look) in self.looks.iter().enumerate() {
            if look.content.is_some_and(|content| content >= contents) {
                return Err(nonsense(
                    place(&format!("looks[{number}]")),
                    &"there is no content rule of that number",
                ));
            }
        }
        if let Some(rule) = &self.content {
            rule.check()
                .map_err(|reason| nonsense(place("content"), &reason))?;
        }
        if let Some(template) = &self.template {
            template
                .check()
                .map_err(|error| nonsense(place("template"), &error))?;
        }
        for (number, list) in self.records.iter().enumerate() {
            list.rule
                .check()
                .map_err(|error| nonsense(place(&format!("records[{number}]")), &error))?;
        }
        self.check_fields(at)
    }

    fn check_fields(&self, at: usize) -> Result<(), MoldError> {
        let mut names = HashSet::new();
        for (number, field) in self.fields.iter().enumerate() {
            let place = || format!("groups[{at}].fields[{number}]");
            if !names.insert(&field.name) {
                return Err(nonsense(
                    place(),
                    &format!("two fields are called {:?}", field.name),
                ));
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
        let view = View::Lr(lr::Rule {
            left: "<b>\n".to_owned(),
            right: "</b>".to_owned(),
        });
        let field = Field {
            name: "名".to_owned(),
            fill: 0.5,
            samples: vec!["x".to_owned()],
            views: vec![view],
            ..Field::default()
        };
        let region = content::Region {
            path: "html body div#main".to_owned(),
            multiple: true,
        };
        let repeats = content::Repeats {
            text: vec!["Share".to_owned()],
            links: Vec::new(),
        };
        let content = Some(content::Rule {
            regions: vec![region],
            repeats,
            ..content::Rule::default()
        });
        let group = Group {
            name: "g".to_owned(),
            pages: 2,
            content,
            fields: vec![field],
            ..Group::default()
        };
        let mold = Mold::new(
            Provenance::of("lr", &[Text::from_string("1", "x")]),
            Vec::new(),
            vec![group],
        );
        assert_eq!(Mold::from_json(&mold.to_json()).unwrap(), mold);
    }

    #[test]
    fn fields_are_chosen_by_rank_or_by_name() {
        let field = |name: &str| Field {
            name: name.to_owned(),
            ..Field::default()
        };
        let group = |names: &str| Group {
            fields: names.split(' ').map(field).collect(),
            wanted: Some(2),
            ..Group::new(names, 2)
        };
        let mold = Mold::new(
            Provenance::of("fields", &[]),
            Vec::new(),
            vec![group("a b c d"), group("e b")],
        );
        let chosen = |choice: &FieldChoice| {
            let mut mold = mold.clone();
            mold.choose(choice).unwrap();
            let names = |group: &Group| {
                group
                    .wanted()
                    .iter()
                    .map(|field| field.name.as_str())
                    .collect::<Vec<_>>()
                    .join(" ")
            };
            mold.groups.iter().map(names).collect::<Vec<_>>()
        };
        assert_eq!(chosen(&FieldChoice::Wanted), ["a b", "e b"]);
        assert_eq!(chosen(&FieldChoice::All), ["a b c d", "e b"]);
        assert_eq!(chosen(&FieldChoice::First(3)), ["a b c", "e b"]);
        let named = |names: &[&str]| {
            FieldChoice::Named(names.iter().map(|name| (*name).to_owned()).collect())
        };
        assert_eq!(chosen(&named(&["d", "b"])), ["d b", "b"]);
        let error = mold.clone().choose(&named(&["a", "B"])).unwrap_err();
        assert_eq!(
            error.to_string(),
            r#"no group has a field "B"; there are "b", "a", "c", "d", "e""#
        );
    }

    #[test]
    fn refusals_name_the_place() {
        for (fields, reason) in [
            (
                r#"{"name": "a", "fill": 1, "views": [{"kind": "lr", "left": "", "right": "x"}]}"#,
                "groups[0].fields[0]: ",
            ),
            (
                r#"{"name": "", "fill": 1, "views": []}"#,
                "groups[0].fields[0]: the name is empty",
            ),
            (
                r#"{"name": "a", "fill": 1, "views": []}, {"name": "a", "fill": 1, "views": []}"#,
                "groups[0].fields[1]: two",
            ),
            (
                r#"{"name": "a", "fill": 1, "views": [{"kind": "eval", "code": "x"}]}"#,
                "not a mold: unknown variant `eval`",
            ),
            (
                r#"{"name": "a", "fill": 1, "views": [], "extra": 1}"#,
                "not a mold: unknown field `extra`",
            ),
        ] {
            let error = Mold::from_json(&with_fields(fields))
                .unwrap_err()
                .to_string();
            assert!(error.starts_with(reason), "{error}");
        }
        for (content, reason) in [
            (
                r#"{"regions": []}"#,
                "groups[0].content: a content rule needs a region",
            ),
            (
                r#"{"regions": [{"path": "a\tb"}]}"#,
                "groups[0].content: \"a\\tb\" is not a path",
            ),
            (
                r#"{"regions": [{"path": ""}], "words": []}"#,
                "not a mold: unknown field `words`",
            ),
        ] {
            let json = with_fields("").replace(
                r#""pages": 0, "fields""#,
                &format!(r#""pages": 0, "content": {content}, "fields""#),
            );
            let error = Mold::from_json(&json).unwrap_err().to_string();
            assert!(error.starts_with(reason), "{error}");
        }
        assert!(
            Mold::from_json("{\"unmold\": 1,\n")
                .unwrap_err()
                .to_string()
                .contains("line 2")
        );
    }

    #[test]
    fn hostile_molds_are_refused() {
        let field = |name: &str| format!(r#"{{"name": "{name}", "fill": 1, "views": []}}"#);
        let many = (0..=10_000)
            .map(|number| field(&number.to_string()))
            .collect::<Vec<_>>()
            .join(",");
        let views = vec![r#"{"kind": "lr", "left": "<b>", "right": "</b>"}"#; 100_000].join(",");
        let rules = field("a").replace("[]", &format!("[{views}]"));
        let deep = format!(
            r#"[{{"name": "r", "fill": 1, "rule": {{"method": "regions", "path": [{}], "rows": [], "columns": [],
                "record": {{"name": "p", "classes": [], "inside": []}}}}}}]"#,
            vec!["\"div\""; 100_000].join(",")
        );
        let with_lists = |lists: &str| {
            with_fields("").replace(r#""fields": []"#, &format!(r#""records": {lists}"#))
        };
        for (mold, reason) in [
            (
                with_fields(&many),
                "groups[0].fields: a group has at most 10000 fields, not 10001",
            ),
            (
                with_fields(&rules),
                "groups[0].fields: a group has at most 2000 views by strings, not 100000",
            ),
            (
                with_fields(&field("a\\u202eb")),
                "groups[0].fields[0]: the name holds control characters",
            ),
            (
                with_fields(&field("a\\u009b31m")),
                "groups[0].fields[0]: the name holds control characters",
            ),
            (
                with_lists(&deep),
                "groups[0].records[0]: a rule may have no more than",
            ),
        ] {
            let error = Mold::from_json(&mold).unwrap_err().to_string();
            assert!(error.starts_with(reason), "{error}");
        }
    }

    #[test]
    fn names_that_pages_give_are_cleaned_and_stay_different() {
        let field = |name: &str| Field {
            name: name.to_owned(),
            ..Field::default()
        };
        let fields = vec![field("a b"), field("a\u{202e}b"), field("\u{9b}")];
        let group = Group {
            fields,
            ..Group::new("\u{1b}]0;x\u{7} shop", 1)
        };
        let mold = Mold::new(Provenance::of("fields", &[]), Vec::new(), vec![group]);
        let names: Vec<&str> = mold.groups[0]
            .fields
            .iter()
            .map(|field| field.name.as_str())
            .collect();
        assert_eq!(
            (mold.groups[0].name.as_str(), &names[..]),
            ("]0;x shop", &["a b", "a b_2", "field"][..])
        );
        Mold::from_json(&mold.to_json()).unwrap();
    }
}
