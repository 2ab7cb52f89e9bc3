//! What can be asked: the parameters of the tools. Their comments are what a model reads.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A folder, and from where to go on.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FolderParams {
    /// Name of the folder, from the tool `folders`.
    pub folder: String,
    /// The `next` of an earlier answer, to go on from there.
    #[serde(default)]
    pub from: usize,
}

/// Which values of which pages.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExtractParams {
    /// Name of the folder, from the tool `folders`.
    pub folder: String,
    /// The `next` of an earlier answer, to go on from there.
    #[serde(default)]
    pub from: usize,
    /// Max. rows of an answer.
    #[serde(default)]
    pub limit: Option<usize>,
    /// Names of the fields to give [default: the fields that a person would keep].
    #[serde(default)]
    pub fields: Vec<String>,
    /// Instead: your own names, each with its value on one page, such as {"price": "£48.50"}. The
    /// rules are learned from these, and every page gives exactly these fields.
    #[serde(default)]
    pub example: BTreeMap<String, String>,
    /// The page that the example is about [default: the page that has its values].
    #[serde(default)]
    pub example_page: Option<String>,
}

/// A page, and from where to go on.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PageParams {
    /// Name of the folder, from the tool `folders`.
    pub folder: String,
    /// Id of the page, from the tool `pages`, or its URL.
    pub page: String,
    /// The `next` of an earlier answer, to go on from there.
    #[serde(default)]
    pub from: usize,
}

/// A page, and how its content is written.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CleanParams {
    /// Name of the folder, from the tool `folders`.
    pub folder: String,
    /// Id of the page, from the tool `pages`, or its URL.
    pub page: String,
    /// Plain text instead of Markdown.
    #[serde(default)]
    pub plain: bool,
    /// The `next` of an earlier answer, to go on from there.
    #[serde(default)]
    pub from: usize,
}

/// A list of a page, and from where to go on.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordsParams {
    /// Name of the folder, from the tool `folders`.
    pub folder: String,
    /// Id of the page, from the tool `pages`, or its URL.
    pub page: String,
    /// Name of the list [default: the first list of the page].
    #[serde(default)]
    pub list: Option<String>,
    /// The `next` of an earlier answer, to go on from there.
    #[serde(default)]
    pub from: usize,
}

/// Two visits of a site.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VisitsParams {
    /// Folder with the pages of the earlier visit.
    pub old: String,
    /// Folder with the pages of the later visit.
    pub new: String,
    /// The `next` of an earlier answer, to go on from there.
    #[serde(default)]
    pub from: usize,
}
