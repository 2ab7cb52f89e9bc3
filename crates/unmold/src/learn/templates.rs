//! Which templates does a pile have, as far as learning goes?

use super::error::LearnError;
use crate::{
    Text,
    content::families::Families,
    group::{Grouping, Membership},
    lists::ListRule,
    mold::{Group, Look},
};

/// Pages that are learned from together.
#[derive(Clone, Debug)]
pub(super) struct Template {
    /// The number of its site.
    pub site: usize,
    /// The groups that it was put together from; one, if nothing was joined to it.
    pub variants: Vec<Variant>,
    /// The pages of all its variants by number.
    pub pages: Vec<usize>,
}

/// Pages of a template that were grouped together: those with an optional part, or without it.
#[derive(Clone, Debug)]
pub(super) struct Variant {
    pub name: String,
    /// The number of its group.
    pub number: usize,
    pub look: Option<Look>,
    /// What its pages list.
    pub lists: Vec<ListRule>,
    /// Its pages by number.
    pub pages: Vec<usize>,
}

impl Variant {
    /// A group with its lists, and no other rules.
    pub fn group(&self) -> Group {
        Group {
            looks: self.look.iter().cloned().collect(),
            records: self.lists.clone(),
            ..Group::new(self.name.clone(), self.pages.len())
        }
    }
}

impl Template {
    fn of(site: usize, variant: Variant) -> Self {
        Template {
            site,
            pages: variant.pages.clone(),
            variants: vec![variant],
        }
    }

    /// A group of all its pages, with the lists of its first variant and no other rules.
    pub fn group(&self) -> Group {
        Group {
            looks: self.looks().cloned().collect(),
            records: self.variants[0].lists.clone(),
            ..Group::new(self.variants[0].name.clone(), self.pages.len())
        }
    }

    /// How its variants look.
    pub fn looks(&self) -> impl Iterator<Item = &Look> {
        self.variants
            .iter()
            .filter_map(|variant| variant.look.as_ref())
    }

    /// Takes in the variants of another template.
    pub fn take(&mut self, other: Template) {
        self.pages.extend(other.pages);
        self.variants.extend(other.variants);
    }

    /// Its pages.
    pub fn texts<'t>(&self, texts: &[&'t Text]) -> Vec<&'t Text> {
        self.pages.iter().map(|&page| texts[page]).collect()
    }
}

/// A template for each group. Pages that fit no group teach nothing. Pages without any markup have
/// nothing to be grouped by: where all are such, they are taken together.
///
/// `lists` are those of each group; none, if lists are not learned.
pub(super) fn of(
    grouping: &Grouping,
    contents: &Families,
    lists: Vec<Vec<ListRule>>,
) -> Vec<Template> {
    let mut lists = lists.into_iter();
    let mut templates = Vec::new();
    for (number, group) in grouping.groups().iter().enumerate() {
        let lists = lists.next().unwrap_or_default();
        if group.pages.len() < 2 {
            continue;
        }
        let look = Look {
            fingerprint: group.fingerprint.clone(),
            content: contents.rule_of_group.get(number).copied().flatten(),
        };
        let variant = Variant {
            name: group.name.clone(),
            number,
            look: Some(look),
            lists,
            pages: group.pages.clone(),
        };
        templates.push(Template::of(group.site, variant));
    }
    let places = grouping.places();
    if templates.is_empty() && places.iter().all(|place| *place == Membership::Bare) {
        let all = Variant {
            name: "all".to_owned(),
            number: 0,
            look: None,
            lists: Vec::new(),
            pages: (0..places.len()).collect(),
        };
        return vec![Template::of(0, all)];
    }
    templates
}

/// The templates that pages share.
///
/// # Errors
/// If they share none: then everything differs, and nothing says what is a value.
pub(super) fn shared(
    grouping: &Grouping,
    contents: &Families,
    lists: Vec<Vec<ListRule>>,
) -> Result<Vec<Template>, LearnError> {
    let templates = of(grouping, contents, lists);
    if templates.is_empty() {
        return Err(LearnError::NoTemplate(grouping.closest().cloned()));
    }
    Ok(templates)
}
