//! Where is the main content of pages, and nothing else?

use super::{
    by_example::{self, Said},
    error::LearnError,
    pages::Pages,
    rules::Rules,
    templates::{self, Template},
};
use crate::{Text, group::Grouping};

/// Learns where the main content of pages is; the groups have no other rules.
pub(super) fn learn(
    texts: &[&Text],
    grouping: &Grouping,
    examples: &[Said],
) -> Result<Rules, LearnError> {
    let pages = Pages::new(texts);
    let (contents, unfit) = by_example::contents(&pages, grouping, examples)?;
    let templates = templates::of(grouping, &contents, Vec::new());
    Ok(Rules {
        groups: templates.iter().map(Template::group).collect(),
        contents: contents.rules,
        unfit,
        ..Rules::default()
    })
}
