//! From pages of a site to a mold.
//!
//! Pages of different templates teach nothing about each other, so they are grouped first; then each group is learned
//! on its own: its fields, and what its pages list.
//!
//! ```
//! use unmold::{Text, detect::cut_point::Settings, mold::learn};
//!
//! let page = |n: u64| {
//!     let body = format!("{:x}", n.wrapping_mul(0x9E37_79B9_7F4A_7C15));
//!     Text::from_string("page", format!("<div class=a><h1>Report</h1><p class=b>{body}</p><hr>All rights reserved</div>"))
//! };
//! let pages: Vec<Text> = (1..=40).map(page).collect();
//! let mold = learn::lr(&pages, &Settings::default())?;
//! assert_eq!(mold.groups.len(), 1);
//! # Ok::<(), learn::NothingToLearn>(())
//! ```

use super::{Group, Learned, Mold, Records, lr as rules};
use crate::{
    Text,
    detect::{
        cut_point::{self, Settings},
        records::Regions,
    },
    encode::chars,
    group,
    index::{Index, IndexError},
    report::text::gaps,
};
use rayon::prelude::*;

/// Why nothing was learned.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NothingToLearn {
    /// There is nothing to compare a page with.
    #[error("one page alone has nothing to compare with: give at least two")]
    OnePage,
    /// All pages are the same.
    #[error("nothing varies from page to page: all pages are the same")]
    AllTheSame,
    /// The pages could not be indexed.
    #[error(transparent)]
    Index(#[from] IndexError),
}

/// Learns LR rules for each group of pages, and the lists that its pages have.
///
/// # Errors
/// When there are fewer than two pages, when nothing varies from page to page, or when memory runs out.
pub fn lr(texts: &[Text], settings: &Settings) -> Result<Mold, NothingToLearn> {
    if texts.len() < 2 {
        return Err(NothingToLearn::OnePage);
    }
    let mut groups: Vec<Group> = Vec::new();
    for (name, pages) in groups_of(texts) {
        let first = 1 + groups.iter().map(|group| group.fields.len()).sum::<usize>();
        if let Some(group) = learn_group(name, &pages, settings, first)? {
            groups.push(group);
        }
    }
    if groups.is_empty() {
        return Err(NothingToLearn::AllTheSame);
    }
    Ok(Mold::new(Learned::from("lr", texts), groups))
}

/// The pages of each template with a name for it. Pages without markup, and those that fit no group, teach nothing;
/// but where no page fits any, all are taken together.
fn groups_of(texts: &[Text]) -> Vec<(String, Vec<Text>)> {
    let found = group::group(texts);
    let groups = found.groups().iter().filter(|group| group.pages.len() >= 2);
    let groups: Vec<_> = groups
        .map(|group| (group.name.clone(), group.pages.iter().map(|&page| texts[page].clone()).collect()))
        .collect();
    if groups.is_empty() { vec![("all".to_owned(), texts.to_vec())] } else { groups }
}

/// Learns one group; `None` if its pages are all the same.
fn learn_group(name: String, texts: &[Text], settings: &Settings, first: usize) -> Result<Option<Group>, IndexError> {
    let index = Index::new(chars::encode(texts))?;
    let template = cut_point::find_optimal(&index, settings.clone()).template(&index);
    let content: Vec<_> =
        texts.iter().zip(&template).map(|(text, template)| gaps(text.as_str().len(), template)).collect();
    if content.iter().all(Vec::is_empty) {
        return Ok(None);
    }
    let fields = rules::learn_fields(texts, &content, first);
    let records = learn_records(texts).into_iter().collect();
    Ok(Some(Group { name, pages: texts.len(), template: None, fields, records }))
}

/// The best list of the first page that has one which half of the pages have too.
fn learn_records(texts: &[Text]) -> Option<Records> {
    /// Pages that are looked at for a list: those of a group are alike.
    const TRIED: usize = 3;
    let best = |text: &Text| Regions::default().find(text).into_iter().next();
    let mut rules = texts.iter().take(TRIED).filter_map(best).map(|pattern| pattern.rule().clone());
    rules.find_map(|rule| {
        let has = |text: &&Text| matches!(rule.find(text), Ok(Some(pattern)) if pattern.records.len() >= 2);
        let filled = texts.par_iter().filter(has).count();
        let fill = filled as f64 / texts.len() as f64;
        (2 * filled >= texts.len()).then(|| Records { name: "records".to_owned(), fill, rule: rule.clone() })
    })
}
