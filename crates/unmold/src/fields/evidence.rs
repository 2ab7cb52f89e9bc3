//! What do the rules of a field find on the pages they were learned from?

use super::{
    Field, Kind, View,
    apply::{Finder, Value, VotedSlots},
    describe::SlotContext,
    learn::Sample,
    types::Type,
};
use rayon::prelude::*;
use std::collections::HashSet;

/// A field and what it finds.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    pub field: Field,
    /// On each page: the slots and their texts.
    pub found: Vec<(VotedSlots, Vec<String>)>,
    /// The number that a field shares with the one that holds its value only.
    pub number: usize,
    /// Whether its texts hold more than the value.
    pub is_whole: bool,
    /// The header before its values, where HTML has one: `<th>`, `<dt>`, `<label>`.
    pub header: Option<String>,
    /// How much a person would want it.
    pub score: f64,
}

/// How many samples a field has.
const SAMPLES: usize = 3;

impl Evidence {
    /// A label is not longer than this.
    pub const LABEL_LETTERS: usize = 40;

    /// Looks for all fields on all pages. Those whose values do not vary are dropped.
    pub fn gather(sample: &Sample<'_>, finder: &Finder, fields: Vec<Field>) -> Vec<Evidence> {
        let by_page: Vec<Vec<(VotedSlots, Vec<String>)>> = (sample.trees.par_iter().zip(&sample.slots))
            .map(|(tree, slots)| {
                let found = finder.find_fields(slots).into_iter().enumerate();
                found
                    .map(|(at, found)| {
                        let values = finder.values(at, &found, slots, tree.page());
                        let texts = values.map(Value::into_text).collect();
                        (found, texts)
                    })
                    .collect()
            })
            .collect();
        let evidence = fields.into_iter().enumerate().map(|(at, field)| {
            let found = by_page.iter().map(|page| page[at].clone()).collect();
            let mut evidence = Evidence::new(at, field, found);
            evidence.header = evidence.everywhere(sample, |place| place.header());
            evidence
        });
        // Votes may have settled on a text that is the same everywhere.
        evidence.filter(|evidence| evidence.distinct() > 1).collect()
    }

    fn new(number: usize, mut field: Field, found: Vec<(VotedSlots, Vec<String>)>) -> Self {
        let filled: Vec<&VotedSlots> =
            found.iter().map(|(found, _)| found).filter(|found| !found.slots.is_empty()).collect();
        field.fill = rounded(filled.len() as f64 / found.len() as f64);
        field.agreement = rounded(filled.iter().map(|found| found.agreement).sum::<f64>() / filled.len().max(1) as f64);
        let mut evidence = Evidence { field, found, number, is_whole: false, header: None, score: 0.0 };
        evidence.note_values();
        evidence
    }

    /// Takes type and samples from the values.
    pub fn note_values(&mut self) {
        let values: Vec<&str> = self.values().collect();
        let kind = Type::of(&values);
        let mut seen = HashSet::new();
        let samples = values.iter().filter(|value| seen.insert(**value)).take(SAMPLES);
        let samples = samples.map(|value| (*value).to_owned()).collect();
        self.field.samples = samples;
        self.field.kind = kind;
    }

    /// All values, page by page.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.found.iter().flat_map(|(_, texts)| texts).map(String::as_str)
    }

    /// Whether a list has the values of a field, on nearly all pages.
    pub fn holds(&self, single: &Evidence) -> bool {
        let pages = || self.found.iter().zip(&single.found).filter(|(_, (_, texts))| !texts.is_empty());
        let held = pages().filter(|((_, list), (_, texts))| texts.iter().all(|text| list.contains(text))).count();
        10 * held >= 9 * pages().count()
    }

    pub fn pages(&self) -> usize {
        self.found.iter().filter(|(_, texts)| !texts.is_empty()).count()
    }

    fn prefix_is_label(&self) -> bool {
        self.field.prefix.contains(char::is_alphabetic)
    }

    /// What stands before every value: the first text of its row, or one with a colon.
    pub fn label(&self) -> Option<&str> {
        if self.prefix_is_label() {
            return Some(self.field.prefix.trim());
        }
        let of = |wanted: Kind| {
            let mut positions = self.field.views.iter().filter_map(|view| view.position());
            positions.find(|(kind, _)| *kind == wanted).map(|(_, position)| position.text.trim())
        };
        let (before, around) = (of(Kind::Label), of(Kind::Under));
        let has_colon = |label: &&str| label.ends_with([':', '：']);
        let before = before.filter(|label| has_colon(label) || around == Some(*label));
        let label = self.header.as_deref().or(before).or(around.filter(has_colon));
        label.filter(|label| label.chars().count() <= Self::LABEL_LETTERS && label.contains(char::is_alphabetic))
    }

    /// Whether its values stand under different labels: such a list holds fields of their own.
    fn has_several_labels(&self) -> bool {
        let labels = self.field.views.iter().filter_map(|view| view.position());
        let labels = labels.filter(|(kind, _)| *kind == Kind::Under).map(|(_, position)| position.text.as_str());
        labels.collect::<HashSet<_>>().len() > 1
    }

    pub fn distinct(&self) -> usize {
        self.values().collect::<HashSet<_>>().len()
    }

    /// A page and a slot where the field stands.
    pub fn example(&self) -> (u32, u32) {
        self.places().next().unwrap_or_default()
    }

    /// The pages where the field stands, each with its first slot there.
    pub fn places(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..).zip(&self.found).filter_map(|(page, (found, _))| Some((page, *found.slots.first()?)))
    }

    /// What is the same on the first pages that have the field, if it is as short as a name is.
    pub fn everywhere(&self, sample: &Sample<'_>, look: impl Fn(&SlotContext<'_>) -> Option<String>) -> Option<String> {
        /// Pages that are looked at.
        const TRIED: usize = 3;
        let mut seen = self.places().take(TRIED).map(|at| look(&sample.place(at)));
        let first = seen.next()??;
        let is_name = first.chars().count() <= Self::LABEL_LETTERS && first.contains(char::is_alphabetic);
        (is_name && seen.all(|next| next.as_ref() == Some(&first))).then_some(first)
    }

    /// Whether its views find nothing but the values of another field, cut as that one cuts them.
    fn adds_to(&self, known: &Evidence) -> bool {
        let cut = |evidence: &Evidence| {
            let field = &evidence.field;
            (field.prefix.clone(), field.suffix.clone(), field.part.clone())
        };
        self.field.many == known.field.many && (cut(self) == cut(known) || cut(self) == Default::default())
    }

    /// Takes over the views of a field that says the same, first those of kinds that it has none of.
    fn take_views(&mut self, views: Vec<View>) {
        /// More views than this make a field no surer.
        const MOST_VIEWS: usize = 16;
        let known: Vec<_> = self.field.views.iter().map(std::mem::discriminant).collect();
        let is_new = |view: &View| !known.contains(&std::mem::discriminant(view));
        let (new, more): (Vec<View>, Vec<View>) = views.into_iter().partition(is_new);
        // A label says most, and is taken even if there are enough others.
        let room = MOST_VIEWS.saturating_sub(self.field.views.len()).max(new.len());
        self.field.views.extend(new.into_iter().chain(more).take(room));
    }
}

/// Three places are enough, and read better.
pub(super) fn rounded(share: f64) -> f64 {
    (share * 1000.0).round() / 1000.0
}

/// Makes one field of those that say the same on every page, with the views of all: where one copy of a value is lost,
/// another is found.
pub(super) fn without_duplicates(evidence: Vec<Evidence>) -> Vec<Evidence> {
    let mut kept: Vec<Evidence> = Vec::new();
    for next in evidence {
        match kept.iter_mut().find(|known| says_the_same(known, &next)) {
            Some(known) if next.adds_to(known) => known.take_views(next.field.views),
            Some(_) => {}
            None => kept.push(next),
        }
    }
    kept
}

/// Drops single fields that only hold the first of the values that a list with the same label holds.
pub(super) fn without_first_items(evidence: Vec<Evidence>) -> Vec<Evidence> {
    let is_first = |single: &Evidence| {
        let lists = evidence.iter().filter(|list| list.field.many && !single.field.many && single.label().is_some());
        let lists = lists.filter(|list| !list.has_several_labels());
        lists.filter(|list| list.label() == single.label()).any(|list| list.holds(single))
    };
    let keep: Vec<bool> = evidence.iter().map(|field| !is_first(field)).collect();
    evidence.into_iter().zip(keep).filter(|(_, keep)| *keep).map(|(field, _)| field).collect()
}

/// Whether a field says the same as a known one on nearly all of its pages.
fn says_the_same(known: &Evidence, next: &Evidence) -> bool {
    let has_value = |(_, texts): &&(_, Vec<_>)| !texts.is_empty();
    let most_others = next.found.iter().filter(has_value).count() / 10;
    let pairs = known.found.iter().zip(&next.found).filter(|(_, next)| has_value(next));
    // Most fields differ on the first pages.
    pairs.filter(|((_, known), (_, next))| known != next).nth(most_others).is_none()
}
