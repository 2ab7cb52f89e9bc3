//! From a mold and a page to what the page holds.
//!
//! Nothing here builds an index: a mold is applied at the speed of memory, page by page.
//!
//! ```
//! use unmold::{Text, apply::Extractor, mold::Mold};
//!
//! let mold = Mold::from_json(r#"{
//!     "unmold": 1,
//!     "learned": {"method": "lr", "pages": 3, "bytes": 120, "hash": "0"},
//!     "groups": [{
//!         "name": "countries",
//!         "pages": 3,
//!         "fields": [{"name": "code", "fill": 1.0, "views": [{"kind": "lr", "left": "<i>", "right": "</i>"}]}]
//!     }]
//! }"#)?;
//! let extractor = Extractor::new(&mold);
//! let page = extractor.extract(&Text::from_string("1", "<b>Congo</b> <i>+<u>242</u></i>"));
//! assert_eq!(page.values, [("code", vec!["+ 242".to_string()])]);
//! # Ok::<(), unmold::mold::MoldError>(())
//! ```

mod delimiters;
pub mod lr;
pub mod template;

use crate::{
    Text,
    detect::records::Pattern,
    html::visible_text,
    mold::{Mold, Records, View},
};

/// A mold made ready for use.
pub struct Extractor<'m> {
    groups: Vec<Group<'m>>,
}

struct Group<'m> {
    names: Vec<&'m str>,
    records: &'m [Records],
    /// The field of each rule.
    field_of_rule: Vec<usize>,
    wrapper: lr::Wrapper,
}

/// What a page holds.
#[derive(Clone, Debug)]
pub struct Extraction<'m> {
    /// The number of the group whose rules found most on the page; `None` if no rule of any group found anything.
    pub group: Option<usize>,
    /// The fields of that group in the order of the mold, each with its values: none where the page does not have it.
    pub values: Vec<(&'m str, Vec<String>)>,
    /// The lists of that group that the page has.
    pub records: Vec<(&'m str, Pattern)>,
}

impl<'m> Extractor<'m> {
    /// Makes a mold ready.
    pub fn new(mold: &'m Mold) -> Self {
        Extractor { groups: mold.groups.iter().map(Group::new).collect() }
    }

    /// Takes the values out of a page.
    pub fn extract(&self, text: &Text) -> Extraction<'m> {
        let found = self.groups.iter().map(|group| group.values(text)).enumerate();
        let filled = |values: &[(&str, Vec<String>)]| values.iter().filter(|(_, values)| !values.is_empty()).count();
        // Of equals the first group counts.
        let best = found.rev().max_by_key(|(_, values)| filled(values));
        let Some((group, values)) = best else {
            return Extraction { group: None, values: Vec::new(), records: Vec::new() };
        };
        let records = self.groups[group].records(text);
        let fits = filled(&values) > 0 || !records.is_empty();
        Extraction { group: fits.then_some(group), values, records }
    }
}

impl<'m> Group<'m> {
    fn new(group: &'m crate::mold::Group) -> Self {
        let rules = group
            .fields
            .iter()
            .enumerate()
            .flat_map(|(at, field)| field.views.iter().map(move |View::Lr(rule)| (at, rule.clone())));
        let (field_of_rule, rules): (Vec<usize>, Vec<_>) = rules.unzip();
        let names = group.fields.iter().map(|field| field.name.as_str()).collect();
        Group { names, records: &group.records, field_of_rule, wrapper: lr::Wrapper::new(&rules) }
    }

    fn records(&self, text: &Text) -> Vec<(&'m str, Pattern)> {
        let found = self.records.iter().filter_map(|records| {
            // A rule too large to be one of ours was refused when the mold was read.
            records.rule.find(text).ok().flatten().map(|pattern| (records.name.as_str(), pattern))
        });
        found.collect()
    }

    fn values(&self, text: &Text) -> Vec<(&'m str, Vec<String>)> {
        let mut values: Vec<(&str, Vec<String>)> = self.names.iter().map(|name| (*name, Vec::new())).collect();
        for (spans, &field) in self.wrapper.apply(text.as_str()).iter().zip(&self.field_of_rule) {
            let visible = spans.iter().map(|span| visible_text(span.of(text.as_str())));
            values[field].1.extend(visible.filter(|value| !value.is_empty()));
        }
        values
    }
}
