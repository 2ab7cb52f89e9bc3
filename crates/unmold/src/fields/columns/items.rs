//! Is one column an item of a list that another one is?
//!
//! The fourth post of a page has a date, and so has every post: the list of dates says what the
//! single date says, and more.

use super::{
    super::{View, ViewKind, label_text::ends_with_colon},
    column::{Column, PageValues},
};
use rapidhash::RapidHashSet;

/// A long list has at least this many values on a page on average. Chosen by hand.
const LONG_LIST: usize = 2;
/// A long list has values of one type: at least this share of them. Chosen by hand.
const LONG_LIST_OF_ONE_TYPE: f64 = 0.9;

/// The columns without single ones that only hold the first of the values that a list with the same
/// label holds.
pub(super) fn without_first_items(columns: Vec<Column>) -> Vec<Column> {
    let mut lists: Vec<(&str, Vec<RapidHashSet<&str>>)> = Vec::new();
    for column in &columns {
        if !column.is_list() || column.has_several_labels() {
            continue;
        }
        if let Some(label) = column.label() {
            lists.push((label, column.value_sets()));
        }
    }
    let is_first_item = |single: &Column| {
        if single.is_list() {
            return false;
        }
        let Some(own) = single.label() else {
            return false;
        };
        lists
            .iter()
            .any(|(label, values)| *label == own && single.is_held_by(values))
    };
    let keep: Vec<bool> = columns
        .iter()
        .map(|column| !is_first_item(column))
        .collect();
    let pairs = columns.into_iter().zip(keep);
    pairs
        .filter(|(_, keep)| *keep)
        .map(|(column, _)| column)
        .collect()
}

impl Column {
    /// Whether it is a list with several values on a page, nearly all of one type.
    pub fn is_long_list(&self) -> bool {
        self.is_list()
            && self.is_main()
            && self.values().count() >= LONG_LIST * self.filled_pages()
            && self.of_one_type >= LONG_LIST_OF_ONE_TYPE
    }

    /// Whether it is what a long list has at one place: the date of the fourth post is a field of
    /// that post, and not of the page. What has a label of its own is no such place, unless other
    /// values of the list have the same.
    pub fn is_item_of(&self, list: &Column) -> bool {
        if self.is_list() || !list.is_list() || list.is_seen() != self.is_seen() {
            return false;
        }
        let own = self
            .pages
            .iter()
            .filter(|page| !page.voted.slots.is_empty());
        let tolerated = (own.count() + self.tolerated_pages()).saturating_sub(self.filled_pages());
        // The first pages tell mostly. What labels and values look like costs more to tell.
        let is_held = |of_list: &PageValues, own: &PageValues| own.is_in(of_list);
        if !self.is_held_on_pages(list, tolerated, is_held) || !list.is_long_list() {
            return false;
        }
        let Some(label) = self.label().filter(|label| list.label() != Some(*label)) else {
            return true;
        };
        let recurs = |of_list: &PageValues, own: &PageValues| {
            let with_label = of_list.texts.iter().filter(|text| text.contains(label));
            own.is_in(of_list) && with_label.count() > 1
        };
        self.is_held_on_pages(list, tolerated, recurs)
    }

    /// Whether something holds of the pages that have this column, but for a few.
    fn is_held_on_pages(
        &self,
        list: &Column,
        tolerated: usize,
        holds: impl Fn(&PageValues, &PageValues) -> bool,
    ) -> bool {
        let mut exceptions = 0;
        for (of_list, own) in list.pages.iter().zip(&self.pages) {
            if own.voted.slots.is_empty() || holds(of_list, own) {
                continue;
            }
            exceptions += 1;
            if exceptions > tolerated {
                return false;
            }
        }
        true
    }

    /// Whether it is a single value that a list with the same label, or of the same elements, holds
    /// on nearly all pages.
    pub fn is_in_list_of_its_name(&self, list: &Column) -> bool {
        if self.is_list() || !list.is_list() {
            return false;
        }
        let has_same_label = self
            .label()
            .is_some_and(|label| list.label() == Some(label));
        let has_same_elements = || {
            let path = self.path_of(ViewKind::ClassPath);
            path.is_some() && path == list.path_of(ViewKind::AllOfClassPath)
        };
        (has_same_label || has_same_elements()) && self.is_held_by(&list.value_sets())
    }

    /// Whether it lists a line of what another lists whole, and better so: one with a label of its
    /// own ("Posts: 12") is a value, one of a longer text is none. `None` if it does not, or if
    /// either may be wanted.
    pub fn is_better_line_of(&self, whole: &Column) -> Option<bool> {
        if !self.is_list() || !whole.field.join || !self.field.views.iter().any(View::is_line) {
            return None;
        }
        let pages = || whole.pages.iter().zip(&self.pages);
        let is_line = pages().all(|(whole, own)| own.is_in(whole));
        if !is_line || self.count_slots() >= whole.count_slots() {
            return None;
        }
        if ends_with_colon(self.field.prefix.trim_end()) {
            return Some(true);
        }
        whole.holds_sentences().then_some(false)
    }

    /// Its values on each page, to look others up in.
    fn value_sets(&self) -> Vec<RapidHashSet<&str>> {
        let mut sets = Vec::with_capacity(self.pages.len());
        for page in &self.pages {
            sets.push(page.texts.iter().map(String::as_str).collect());
        }
        sets
    }

    /// Whether lists of values have those of this column, on nine pages of ten.
    fn is_held_by(&self, lists: &[RapidHashSet<&str>]) -> bool {
        let (mut pages, mut held) = (0, 0);
        for (list, own) in lists.iter().zip(&self.pages) {
            if own.texts.is_empty() {
                continue;
            }
            pages += 1;
            held += usize::from(own.texts.iter().all(|text| list.contains(text.as_str())));
        }
        10 * held >= 9 * pages
    }

    /// Whether its values have different labels: such a list holds columns of their own.
    fn has_several_labels(&self) -> bool {
        let mut labels = self.field.positions(ViewKind::LabelOfBlock);
        let Some(first) = labels.next() else {
            return false;
        };
        labels.any(|label| label.text != first.text)
    }
}

impl PageValues {
    /// Whether all its slots are among those of another column.
    fn is_in(&self, other: &PageValues) -> bool {
        let mut slots = self.voted.slots.iter();
        slots.all(|slot| other.voted.slots.binary_search(slot).is_ok())
    }
}
