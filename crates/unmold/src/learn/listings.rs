//! What do the pages of a pile list, looked at together?
//!
//! ```
//! use unmold::{Text, learn::Listings, lists::Regions};
//!
//! let page = |name: &str| Text::from_string(name, format!("<ul class=posts><li><b>{name}</b> one<li><b>{name}</b> two</ul>"));
//! let pages = [page("Ann"), page("Bob")];
//! let listings = Listings::learn(&pages);
//! assert_eq!(listings.find(Regions::default(), &pages[0]).lists[0].records.len(), 2);
//! ```
//!
//! Pages are grouped, and of each template some pages say what is [known](KnownLists) of its lists. A page that is of no
//! template is looked at beside the nearest: what is no page of the site has nothing in common with it.
//!
//! # Cost
//!
//! Grouping the pages, and [`COMPARED`] pages of each template are read once more.

use crate::{
    Text,
    group::{self, Placed, Places, fingerprint::PlacingMemory},
    lists::{KnownLists, Pattern, Regions},
    read::{order::content_hash, tree::Tree},
};
use rayon::prelude::*;

/// So many pages of a template are compared: what is on twenty and not on the next page is no menu.
pub const COMPARED: usize = 20;

/// What is known of the lists of a pile of pages. The order of the pages does not matter.
#[derive(Clone, Debug, Default)]
pub struct Listings {
    places: Places,
    templates: Vec<KnownLists>,
}

/// What a page lists.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The number of its template.
    pub template: Option<usize>,
    /// Its lists, the one that is most likely meant first.
    pub lists: Vec<Pattern>,
}

impl Listings {
    /// Looks at pages together.
    pub fn learn(pages: &[Text]) -> Self {
        if pages.len() < 2 {
            return Listings::default();
        }
        let grouping = group::group(pages);
        let groups = grouping.groups();
        let templates = groups
            .par_iter()
            .map(|group| KnownLists::of(&compared(pages, &group.pages)))
            .collect();
        Listings {
            places: Places::new(groups.iter().map(|group| &group.fingerprint)),
            templates,
        }
    }

    /// What a page lists, beside the others.
    pub fn find(&self, regions: Regions, text: &Text) -> Listed {
        let tree = Tree::new(text.as_str());
        match self.places.place_tree(&tree, &mut PlacingMemory::default()) {
            Placed::In(template) => Listed {
                template: Some(template),
                lists: self.templates[template].find(regions, &tree),
            },
            Placed::Near(template) => Listed {
                template: None,
                lists: self.templates[template].find_alike(regions, &tree),
            },
            Placed::Nowhere => Listed {
                template: None,
                lists: regions.find_in(&tree),
            },
        }
    }
}

/// The pages of a template that are compared, in an order of their own, each text once.
fn compared<'t>(pages: &'t [Text], numbers: &[usize]) -> Vec<&'t Text> {
    let mut texts: Vec<(u64, &Text)> = numbers
        .iter()
        .map(|&page| (content_hash(&pages[page]), &pages[page]))
        .collect();
    texts.sort_by_key(|(hash, _)| *hash);
    texts.dedup_by_key(|(hash, _)| *hash);
    texts
        .into_iter()
        .take(COMPARED)
        .map(|(_, text)| text)
        .collect()
}
