//! Which strings do the pages of each template share?
//!
//! The method of the thesis, [`documents`], with its second level: strings that several sites have
//! are plain language and no template.

use super::{error::LearnError, rules::Rules, templates};
use crate::{
    Text, content::families::Families, group::Grouping, mold::Group, papers::documents,
    read::mutable::Mutables, strings,
};
use std::collections::{BTreeMap, HashSet};

/// Learns template strings, and nothing else.
pub(super) fn learn(
    texts: &[&Text],
    grouping: &Grouping,
    mutables: &Mutables,
    settings: &documents::Settings,
) -> Result<Rules, LearnError> {
    if texts.len() < 2 {
        return Err(LearnError::OnePage);
    }
    let mut groups = Vec::new();
    let mut sites = Vec::new();
    let mut all_left_out = 0;
    for template in templates::shared(grouping, &Families::default(), Vec::new())? {
        let (strings, left_out) =
            strings::learn::learn_bounded(&template.texts(texts), mutables, settings)?;
        all_left_out += left_out;
        sites.push(template.site);
        groups.push(Group {
            template: Some(strings),
            ..template.group()
        });
    }
    drop_language(&mut groups, &sites);
    Ok(Rules {
        groups,
        left_out: all_left_out,
        ..Rules::default()
    })
}

/// The second level of the thesis, over the sites of one run: drops from each group the strings that
/// many other sites have too. `sites` has the site of each group.
fn drop_language(groups: &mut [Group], sites: &[usize]) {
    let mut strings_of_site: BTreeMap<usize, HashSet<String>> = BTreeMap::new();
    for (group, &site) in groups.iter().zip(sites) {
        let of_site = strings_of_site.entry(site).or_default();
        if let Some(template) = &group.template {
            of_site.extend(template.strings.iter().map(|string| string.string.clone()));
        }
    }
    for (group, &site) in groups.iter_mut().zip(sites) {
        let mut others: Vec<HashSet<&str>> = Vec::new();
        for (&other, strings) in &strings_of_site {
            if other != site {
                others.push(strings.iter().map(String::as_str).collect());
            }
        }
        if let Some(template) = &mut group.template {
            template.drop_frequent_elsewhere(&others);
        }
    }
}
