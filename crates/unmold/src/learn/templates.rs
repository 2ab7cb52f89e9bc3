//! Which templates does a pile have, as far as learning goes?

use crate::{
    Text,
    content::families::Families,
    group::{Grouping, Membership},
    mold::{Group, Look},
};

/// Pages that are learned from together.
#[derive(Clone, Debug)]
pub(super) struct Template {
    pub name: String,
    /// The number of its site.
    pub site: usize,
    pub looks: Vec<Look>,
    /// Its pages by number.
    pub pages: Vec<usize>,
}

impl Template {
    /// A group without rules.
    pub fn group(&self) -> Group {
        Group {
            looks: self.looks.clone(),
            ..Group::new(self.name.clone(), self.pages.len())
        }
    }

    /// Its pages.
    pub fn texts<'t>(&self, texts: &[&'t Text]) -> Vec<&'t Text> {
        self.pages.iter().map(|&page| texts[page]).collect()
    }
}

/// A template for each group. Pages that fit no group teach nothing. Pages without any markup have nothing to be grouped by:
/// where all are such, they are taken together.
pub(super) fn of(grouping: &Grouping, contents: &Families) -> Vec<Template> {
    let groups = grouping
        .groups()
        .iter()
        .enumerate()
        .filter(|(_, group)| group.pages.len() >= 2);
    let templates: Vec<Template> = groups
        .map(|(number, group)| Template {
            name: group.name.clone(),
            site: group.site,
            looks: vec![Look {
                fingerprint: group.fingerprint.clone(),
                content: contents.rule_of_group.get(number).copied().flatten(),
            }],
            pages: group.pages.clone(),
        })
        .collect();
    let places = grouping.places();
    if templates.is_empty() && places.iter().all(|place| *place == Membership::Bare) {
        let all = Template {
            name: "all".to_owned(),
            site: 0,
            looks: Vec::new(),
            pages: (0..places.len()).collect(),
        };
        return vec![all];
    }
    templates
}
