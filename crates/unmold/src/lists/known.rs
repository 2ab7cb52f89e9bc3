//! What is known of the lists of a template from some of its pages?
//!
//! A page alone leaves open which of its lists is meant, and shows some columns only where its records happen to differ.
//! Pages of one template answer together:
//!
//! ```
//! use unmold::{Text, lists::{KnownLists, Regions}};
//!
//! let page = |items: &[(&str, &str)]| {
//!     let items: String = items.iter().map(|(name, day)| format!("<li class=item><b>{name}</b> <i>{day}</i>")).collect();
//!     let menu = "<div class=m><p><b>Home</b><i>all of it</i><p><b>About</b><i>who we are</i><p><b>Shop</b><i>our things</i></div>";
//!     Text::from_string("page", format!("{menu}<ul>{items}</ul>"))
//! };
//! let pages = [page(&[("Tea", "May 1"), ("Milk", "May 2")]), page(&[("Salt", "May 1"), ("Oil", "May 1")])];
//! let known = KnownLists::of(&pages.iter().collect::<Vec<_>>());
//!
//! let lists = Regions::default().find_known(&pages[1], &known);
//! let values: Vec<_> = lists[0].records[0].values(pages[1].as_str(), &lists[0]).collect();
//! assert_eq!(values, ["Salt", "May 1"]);
//! ```
//!
//! - What other pages say as well is [common](super::Common): menus, carts, filters.
//! - The list that is the first on most pages is the first on all that have it.
//! - Columns are the same on all pages, by the same names.
//! - So are the names of lists: what pages say differently of one is no name.

use super::{Column, Common, Pattern, Regions, learn::COMPARED, naming::Title};
use crate::{
    Text,
    read::{guarded, tree::Tree},
};
use rapidhash::{RapidHashMap, RapidHashSet};

/// What is known of the lists of a template.
#[derive(Clone, Debug, Default)]
pub struct KnownLists {
    common: Common,
    lists: RapidHashMap<String, KnownList>,
    /// The place of the list that most pages are for.
    first: Option<String>,
}

/// A list that pages of the template have.
#[derive(Clone, Debug)]
struct KnownList {
    title: Title,
    columns: Vec<Column>,
}

impl KnownLists {
    /// What some pages of a template say. It depends on their order, but for what they have in common.
    pub fn of(texts: &[&Text]) -> Self {
        let (mut known, mut trees) = (KnownLists::default(), Vec::new());
        for &text in texts {
            // A page that shows an error of this program says so when its own lists are looked for.
            let tree = guarded(text, |_| Tree::new(text.as_str()));
            trees.extend(tree.into_iter().map(|tree| (text, tree)));
        }
        trees.iter().for_each(|(_, tree)| known.common.add(tree));
        let regions = Regions::default().max_patterns(COMPARED);
        let mut firsts: Vec<String> = Vec::new();
        for (text, tree) in &trees {
            let lists = guarded(text, |_| known.find(regions, tree)).unwrap_or_default();
            firsts.extend(lists.first().map(|list| list.place.clone()));
            lists.into_iter().for_each(|list| known.add(list));
        }
        known.first = most(&firsts);
        known
    }

    /// The lists of a page, as what is known says.
    pub(crate) fn find(&self, regions: Regions, tree: &Tree<'_>) -> Vec<Pattern> {
        let columns = |place: &str| self.lists.get(place).map(|list| list.columns.as_slice());
        let mut lists = regions.find_beside(tree, &self.common, self.first.as_deref(), columns);
        for list in &mut lists {
            let known = self.lists.get(&list.place).map(|known| known.title.name());
            list.name = known.unwrap_or(&list.name).to_owned();
        }
        lists
    }

    /// The same where no more is known than what pages have in common.
    pub(crate) fn find_alike(&self, regions: Regions, tree: &Tree<'_>) -> Vec<Pattern> {
        regions.find_beside(tree, &self.common, None, |_| None)
    }

    /// Takes up a list of a page.
    fn add(&mut self, list: Pattern) {
        let Some(known) = self.lists.get_mut(&list.place) else {
            self.lists.insert(
                list.place,
                KnownList {
                    title: list.title,
                    columns: list.columns,
                },
            );
            return;
        };
        if known.title.said != list.title.said {
            known.title.said = None;
        }
        let ways: RapidHashSet<&str> = known
            .columns
            .iter()
            .map(|column| column.way.as_str())
            .collect();
        let new: Vec<Column> = list
            .columns
            .into_iter()
            .filter(|column| !ways.contains(column.way.as_str()))
            .collect();
        known.columns.extend(new);
    }
}

/// What more than half of all are.
fn most(all: &[String]) -> Option<String> {
    let times = |one: &String| all.iter().filter(|other| *other == one).count();
    all.iter().find(|one| 2 * times(one) > all.len()).cloned()
}
