//! What do the rules of a field find on the pages they were learned from?

use super::{
    Field, Kind, View,
    apply::{Finder, Value, VotedSlots},
    asides,
    describe::SlotContext,
    label_alone::Behind,
    learn::Sample,
    position::{START, hash, mix},
    rank::holds_sentences,
    slots::{text_hash, within},
    types::Type,
};
use memchr::memmem;
use rapidhash::{RapidHashMap, RapidHashSet};
use rayon::prelude::*;
use std::cell::LazyCell;

/// What is found of a field on a page: the slots and their texts.
type Found = (VotedSlots, Vec<String>);

/// A field and what it finds.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    pub field: Field,
    /// What it finds on each page.
    pub found: Vec<Found>,
    /// The number that a field shares with the one that holds its value only.
    pub number: usize,
    /// What of the texts it gives.
    pub form: Form,
    /// The header before its values, where HTML has one: `<th>`, `<dt>`, `<label>`.
    pub header: Option<String>,
    /// The share of its values that have the most frequent type.
    pub of_one_type: f64,
    /// How much a person would want it.
    pub score: f64,
}

/// What of a text is given, where it holds more than a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    /// The text is the value.
    Plain,
    /// What is left without the label in the same text.
    Value,
    /// The text with its label, as the page writes it.
    Text,
    /// A number or date without its unit.
    Number,
    /// One of two values in a text.
    Part,
    /// The text with a unit that the label names, too.
    Unit,
}

/// How many samples a field has.
const SAMPLES: usize = 3;

impl Evidence {
    /// A label is not longer than this.
    pub const LABEL_LETTERS: usize = 40;

    /// Looks for all fields on all pages. Those whose values do not vary are dropped.
    pub fn gather(sample: &Sample<'_>, landmarks: &[String], fields: Vec<Field>) -> Vec<Evidence> {
        /// What follows one aside tells the next.
        const ROUNDS: usize = 3;
        let mut evidence = Evidence::of_fields(sample, landmarks, fields);
        let behind = Behind::of(sample);
        for _ in 0..ROUNDS {
            let changed: Vec<bool> = evidence
                .par_iter_mut()
                .map(|field| field.note_finds(sample, &behind))
                .collect();
            if !changed.contains(&true) {
                break;
            }
            evidence = Evidence::found_again(sample, landmarks, evidence);
        }
        // Votes may have settled on a text that is the same everywhere.
        evidence.retain(Evidence::varies);
        evidence
    }

    /// Notes what its values and its label say of where it is found; whether it then finds something else.
    fn note_finds(&mut self, sample: &Sample<'_>, behind: &Behind) -> bool {
        let asides = asides::of(sample, self);
        let by_label = behind.pages_by_label(sample, self);
        let is_found_by_label = !self.field.label_alone && by_label.is_some_and(|pages| pages > 0);
        self.field.label_alone |= by_label.is_some();
        let changes = !asides.is_empty() || is_found_by_label;
        self.field.asides.extend(asides);
        changes
    }

    /// What each field finds.
    fn of_fields(sample: &Sample<'_>, landmarks: &[String], fields: Vec<Field>) -> Vec<Evidence> {
        let finder = Finder::new(&fields, landmarks);
        let look = |page: usize| {
            let found = finder
                .find_fields(&sample.slots[page])
                .into_iter()
                .enumerate();
            let found = found.map(|(at, found)| (texts(sample, &finder, at, page, &found), found));
            found
                .map(|(texts, found)| (found, texts))
                .collect::<Vec<Found>>()
        };
        let by_page: Vec<Vec<Found>> = (0..sample.slots.len()).into_par_iter().map(look).collect();
        let mut by_page: Vec<_> = by_page.into_iter().map(Vec::into_iter).collect();
        let evidence = fields.into_iter().enumerate().map(|(at, field)| {
            let found = by_page.iter_mut().filter_map(Iterator::next).collect();
            Evidence::new(sample, at, field, found)
        });
        evidence.collect()
    }

    /// What each field finds by rules that have changed since it was looked for. Most still find the same.
    fn found_again(
        sample: &Sample<'_>,
        landmarks: &[String],
        known: Vec<Evidence>,
    ) -> Vec<Evidence> {
        let finder = Finder::new(known.iter().map(|known| &known.field), landmarks);
        let by_page: Vec<Vec<VotedSlots>> = sample
            .slots
            .par_iter()
            .map(|slots| finder.find_fields(slots))
            .collect();
        let again = |(at, mut known): (usize, Evidence)| {
            let pages = by_page.iter().zip(&mut known.found).enumerate();
            let mut has_changed = false;
            for (page, (by_field, old)) in
                pages.filter(|(_, (by_field, old))| by_field[at] != old.0)
            {
                *old = (
                    by_field[at].clone(),
                    texts(sample, &finder, at, page, &by_field[at]),
                );
                has_changed = true;
            }
            if has_changed {
                Evidence::new(sample, at, known.field, known.found)
            } else {
                known
            }
        };
        known.into_iter().enumerate().map(again).collect()
    }

    fn new(sample: &Sample<'_>, number: usize, mut field: Field, found: Vec<Found>) -> Self {
        let filled: Vec<&VotedSlots> = found
            .iter()
            .map(|(found, _)| found)
            .filter(|found| !found.slots.is_empty())
            .collect();
        field.fill = rounded(filled.len() as f64 / found.len() as f64);
        field.agreement = rounded(
            filled.iter().map(|found| found.agreement).sum::<f64>() / filled.len().max(1) as f64,
        );
        let mut evidence = Evidence {
            field,
            found,
            number,
            form: Form::Plain,
            header: None,
            of_one_type: 0.0,
            score: 0.0,
        };
        evidence.note_values();
        evidence.header = evidence.everywhere(sample, |place| place.header());
        evidence
    }

    /// Takes type and samples from the values.
    pub fn note_values(&mut self) {
        let values: Vec<&str> = self.values().collect();
        let (kind, of_one_type) = Type::shared(&values);
        let mut seen = RapidHashSet::default();
        let samples = values
            .iter()
            .filter(|value| seen.insert(**value))
            .take(SAMPLES);
        let samples = samples.map(|value| (*value).to_owned()).collect();
        let inline_label = inline_label(&values);
        self.field.letters = usual_letters(&values);
        self.field.count = self.usual_count();
        self.field.inline_label = inline_label;
        self.field.samples = samples;
        (self.field.kind, self.of_one_type) = (kind, of_one_type);
    }

    /// How many values nearly all pages have, if this is more than one: an address has as many lines everywhere.
    fn usual_count(&self) -> Option<usize> {
        /// Of fewer pages, this may be chance.
        const LEAST: usize = 5;
        let mut counts: Vec<usize> = self
            .found
            .iter()
            .map(|(_, texts)| texts.len())
            .filter(|&count| count > 0)
            .collect();
        counts.sort_unstable();
        let usual = *counts.get(counts.len() / 2)?;
        let same = counts.iter().filter(|count| **count == usual).count();
        (usual > 1 && counts.len() >= LEAST && 5 * same >= 4 * counts.len()).then_some(usual)
    }

    /// All values, page by page.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.found
            .iter()
            .flat_map(|(_, texts)| texts)
            .map(String::as_str)
    }

    /// Its values on each page, to look others up in.
    fn value_sets(&self) -> Vec<RapidHashSet<&str>> {
        self.found
            .iter()
            .map(|(_, texts)| texts.iter().map(String::as_str).collect())
            .collect()
    }

    /// Whether lists of values have those of this field, on nearly all pages.
    fn is_held_by(&self, lists: &[RapidHashSet<&str>]) -> bool {
        let pages = || {
            lists
                .iter()
                .zip(&self.found)
                .filter(|(_, (_, texts))| !texts.is_empty())
        };
        let held = pages()
            .filter(|(list, (_, texts))| texts.iter().all(|text| list.contains(text.as_str())))
            .count();
        10 * held >= 9 * pages().count()
    }

    /// Whether a field is what a long list has at one place: the date of the fourth post is a field of that post, and not
    /// of the page. What has a label of its own is no such place, unless other values of the list have the same.
    pub fn is_item_of(&self, list: &Evidence) -> bool {
        if self.field.many || !list.field.many || list.is_seen() != self.is_seen() {
            return false;
        }
        let label = LazyCell::new(|| self.label().filter(|label| list.label() != Some(*label)));
        let recurs = |texts: &[String]| {
            label.is_none_or(|label| {
                texts
                    .iter()
                    .filter(|text| text.contains(label))
                    .nth(1)
                    .is_some()
            })
        };
        let is_held = |((of_list, texts), (own, _)): (&Found, &Found)| {
            let mut slots = own.slots.iter();
            slots.all(|slot| of_list.slots.binary_search(slot).is_ok()) && recurs(texts)
        };
        let pages = || {
            list.found
                .iter()
                .zip(&self.found)
                .filter(|(_, (own, _))| !own.slots.is_empty())
        };
        let most_missing = (pages().count() + self.others()).saturating_sub(self.pages());
        // The first pages tell mostly; what its values look like costs most to tell.
        pages()
            .filter(|page| !is_held(*page))
            .nth(most_missing)
            .is_none()
            && list.is_long_list()
    }

    /// Whether it is a single value that a list with the same label, or of the same elements, holds on nearly all pages.
    pub fn is_in_list_of_its_name(&self, list: &Evidence) -> bool {
        let is_same = |one: Option<&str>, other: Option<&str>| one.is_some() && one == other;
        let is_pair = || {
            is_same(self.label(), list.label())
                || is_same(self.path_of(Kind::Class), list.path_of(Kind::Each))
        };
        !self.field.many && list.field.many && is_pair() && self.is_held_by(&list.value_sets())
    }

    /// Whether it lists a line of what another lists whole, and better so: one with a label of its own ("Posts: 12") is a value,
    /// one of a longer text is none. `None` if it does not, or if either may be wanted.
    pub fn is_better_line_of(&self, whole: &Evidence) -> Option<bool> {
        if !self.field.many || !whole.field.join || !self.field.views.iter().any(View::is_line) {
            return None;
        }
        let is_held = |((of_whole, _), (own, _)): (&Found, &Found)| {
            own.slots
                .iter()
                .all(|slot| of_whole.slots.binary_search(slot).is_ok())
        };
        let is_line = whole.found.iter().zip(&self.found).all(is_held)
            && self.found_slots() < whole.found_slots();
        let has_label = self.field.prefix.trim_end().ends_with([':', '：']);
        if is_line && has_label {
            Some(true)
        } else {
            (is_line && holds_sentences(whole)).then_some(false)
        }
    }

    /// Whether it is a list with several values on a page, nearly all of one kind.
    pub fn is_long_list(&self) -> bool {
        /// Values that such a list has on average.
        const LONG: usize = 2;
        self.field.many
            && self.is_main()
            && self.values().count() >= LONG * self.pages()
            && self.of_one_type >= 0.9
    }

    /// Whether a reader of the page sees its values.
    pub fn is_seen(&self) -> bool {
        self.field.views.iter().any(|view| view.takes_text())
    }

    /// Whether it stands for a text; else it is another form of a field that does.
    pub fn is_main(&self) -> bool {
        matches!(self.form, Form::Plain | Form::Value)
    }

    pub fn pages(&self) -> usize {
        self.found
            .iter()
            .filter(|(_, texts)| !texts.is_empty())
            .count()
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
            positions
                .find(|(kind, _)| *kind == wanted)
                .map(|(_, position)| position.text.trim())
        };
        let (before, around) = (of(Kind::Label), of(Kind::Under));
        let has_colon = |label: &&str| label.ends_with([':', '：']);
        let before = before.filter(|label| has_colon(label) || around == Some(*label));
        let label = self
            .header
            .as_deref()
            .or(before)
            .or(around.filter(has_colon));
        label.filter(|label| {
            label.chars().count() <= Self::LABEL_LETTERS && label.contains(char::is_alphabetic)
        })
    }

    /// Whether it is one value without a label that its place alone tells from others.
    pub fn is_bare_place(&self) -> bool {
        !self.field.many && self.label().is_none() && self.class_path().is_some()
    }

    /// The tags and classes that it is found by, if these are one of its views.
    pub fn class_path(&self) -> Option<&str> {
        self.path_of(Kind::Class)
    }

    fn path_of(&self, wanted: Kind) -> Option<&str> {
        let mut positions = self.field.views.iter().filter_map(|view| view.position());
        positions
            .find(|(kind, _)| *kind == wanted)
            .map(|(_, position)| position.path.as_str())
    }

    /// Notes whether it is absent where its label is: all pages that have it have the label, or those few that have not show
    /// another one in its place. Another form of the label ("Directors:" for "Director:") stands on no page with it, a label of
    /// something else does. What names the subject of a page needs none: the text above a heading is not its label.
    pub fn note_label(&mut self, sample: &Sample<'_>) {
        /// A label is not further before its value than this many slots.
        const FURTHEST: usize = 64;
        /// On fewer pages this may be chance.
        const LEAST: usize = 4;
        /// One page of so many is few.
        const FEW: usize = 5;
        let label = self
            .label()
            .filter(|_| !self.prefix_is_label())
            .and_then(text_hash);
        let stands_before = |label: u64, (page, at): (u32, u32)| {
            let slots = &sample.slots[page as usize][..at as usize];
            slots[slots.len().saturating_sub(FURTHEST)..]
                .iter()
                .any(|slot| slot.is_seen_as(label))
        };
        let needs = |label: u64| {
            let without: Vec<(u32, u32)> = self
                .places()
                .filter(|place| !stands_before(label, *place))
                .collect();
            let other = |&(page, at): &(u32, u32)| sample.slots[page as usize][at as usize].label;
            FEW * without.len() <= self.pages()
                && without
                    .iter()
                    .all(|place| sample.has_together(label, other(place)))
        };
        let is_subject = self
            .places()
            .next()
            .is_some_and(|place| sample.subjects().is_subject(sample, place));
        self.field.needs_label = self.pages() >= LEAST && !is_subject && label.is_some_and(needs);
    }

    /// Whether its values stand under different labels: such a list holds fields of their own.
    fn has_several_labels(&self) -> bool {
        let labels = self.field.views.iter().filter_map(|view| view.position());
        let labels = labels
            .filter(|(kind, _)| *kind == Kind::Under)
            .map(|(_, position)| position.text.as_str());
        labels.collect::<RapidHashSet<_>>().len() > 1
    }

    /// How many slots it has on all pages.
    fn found_slots(&self) -> usize {
        self.found.iter().map(|(found, _)| found.slots.len()).sum()
    }

    /// Whether not all its values are the same.
    pub fn varies(&self) -> bool {
        let mut values = self.values();
        let first = values.next();
        values.any(|value| Some(value) != first)
    }

    pub fn distinct(&self) -> usize {
        self.values().collect::<RapidHashSet<_>>().len()
    }

    /// A page and a slot where the field stands.
    pub fn example(&self) -> (u32, u32) {
        self.places().next().unwrap_or_default()
    }

    /// The pages where the field stands, each with its first slot there.
    pub fn places(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..)
            .zip(&self.found)
            .filter_map(|(page, (found, _))| Some((page, *found.slots.first()?)))
    }

    /// What is the same on the first pages that have the field, if it is as short as a name is.
    pub fn everywhere(
        &self,
        sample: &Sample<'_>,
        look: impl Fn(&SlotContext<'_>) -> Option<String>,
    ) -> Option<String> {
        /// Pages that are looked at.
        const TRIED: usize = 3;
        let mut seen = self.places().take(TRIED).map(|at| look(&sample.place(at)));
        let first = seen.next()??;
        let is_name =
            first.chars().count() <= Self::LABEL_LETTERS && first.contains(char::is_alphabetic);
        (is_name && seen.all(|next| next.as_ref() == Some(&first))).then_some(first)
    }

    /// On so many pages may another say something else and still be a copy of it.
    fn others(&self) -> usize {
        self.pages() / 10
    }

    /// What it says on each page that has it: the page, and the hash of its values there.
    fn sayings(&self) -> impl Iterator<Item = (usize, u64)> {
        let values = self
            .found
            .iter()
            .map(|(_, texts)| texts)
            .enumerate()
            .filter(|(_, texts)| !texts.is_empty());
        values.map(|(page, texts)| {
            (
                page,
                texts
                    .iter()
                    .map(|text| hash(text.as_bytes()))
                    .fold(START, mix),
            )
        })
    }

    /// Whether on nearly all pages it is what a known field says with the same words around it, or what is left of that
    /// without the same words; it is not another form of that field.
    pub fn only_repeats(&self, known: &Evidence) -> bool {
        if self.number == known.number || self.has_several() || known.has_several() {
            return false;
        }
        let most_others = self.others();
        let mut frames: RapidHashMap<(bool, &str, &str), usize> = RapidHashMap::default();
        let mut without = 0;
        for ((_, known), (_, own)) in known.found.iter().zip(&self.found) {
            let [own] = own.as_slice() else { continue };
            let frame = known.first().and_then(|known| {
                let is_longer = own.len() >= known.len();
                let (longer, shorter) = if is_longer {
                    (own, known)
                } else {
                    (known, own)
                };
                frame(longer, shorter).map(|(before, behind)| (is_longer, before, behind))
            });
            match frame {
                Some(frame) => *frames.entry(frame).or_default() += 1,
                None => without += 1,
            }
            if without > most_others {
                return false;
            }
        }
        frames
            .values()
            .max()
            .is_some_and(|&same| same + most_others >= self.pages())
    }

    /// Whether some page has several values of it.
    fn has_several(&self) -> bool {
        self.found.iter().any(|(_, texts)| texts.len() > 1)
    }

    /// Whether most of its values are labels ("Director:"), and none that a person would keep.
    pub fn holds_labels(&self) -> bool {
        2 * self
            .values()
            .filter(|value| value.ends_with([':', '：']))
            .count()
            > self.values().count()
    }

    /// Whether its views find nothing but the values of another field, cut as that one cuts them.
    fn adds_to(&self, known: &Evidence) -> bool {
        let cut = |evidence: &Evidence| {
            let field = &evidence.field;
            (
                field.prefix.clone(),
                field.suffix.clone(),
                field.part.clone(),
            )
        };
        // Of a text without the label that it cuts off, it would leave nothing.
        let leaves_whole = || !known.prefix_is_label() && known.field.part.is_none();
        let is_cut_alike =
            cut(self) == cut(known) || cut(self) == Default::default() && leaves_whole();
        self.field.many == known.field.many && is_cut_alike
    }

    /// Takes over the views of a field that says the same, first those of kinds that it has none of.
    fn take_views(&mut self, views: Vec<View>) {
        /// More views than this make a field no surer.
        const MOST_VIEWS: usize = 16;
        let known: Vec<_> = self
            .field
            .views
            .iter()
            .map(std::mem::discriminant)
            .collect();
        let is_new = |view: &View| !known.contains(&std::mem::discriminant(view));
        let (new, more): (Vec<View>, Vec<View>) = views.into_iter().partition(is_new);
        // A label says most, and is taken even if there are enough others.
        let room = MOST_VIEWS
            .saturating_sub(self.field.views.len())
            .max(new.len());
        self.field
            .views
            .extend(new.into_iter().chain(more).take(room));
    }
}

/// The texts of what was found of a field on a page.
fn texts(
    sample: &Sample<'_>,
    finder: &Finder,
    field: usize,
    page: usize,
    found: &VotedSlots,
) -> Vec<String> {
    let values = finder.values(field, found, &sample.slots[page], sample.trees[page].page());
    values.map(Value::into_text).collect()
}

/// How many letters some values have, from the shortest to the longest; not counting one that is much longer than all others,
/// which may not belong to them.
fn usual_letters(values: &[&str]) -> Option<(usize, usize)> {
    /// Of fewer values, one may well be longer.
    const LEAST: usize = 10;
    const MUCH: usize = 2;
    let mut letters: Vec<usize> = values.iter().map(|value| value.chars().count()).collect();
    letters.sort_unstable();
    let (least, most) = (*letters.first()?, *letters.last()?);
    let next = letters.iter().rev().nth(1).copied().unwrap_or(most);
    let is_alone = letters.len() >= LEAST && most > MUCH * next;
    Some((least, if is_alone { next } else { most }))
}

/// What stands before a colon in most of some values; empty if nothing does.
fn inline_label(values: &[&str]) -> String {
    let labels: Vec<&str> = values.iter().filter_map(|value| within(value)).collect();
    let mut counts: RapidHashMap<&str, usize> = RapidHashMap::default();
    labels
        .iter()
        .for_each(|label| *counts.entry(label).or_default() += 1);
    let most = counts
        .into_iter()
        .max_by_key(|(label, count)| (*count, *label));
    let is_usual = |(_, count): &(&str, usize)| 3 * count > 2 * values.len() && *count >= 3;
    most.filter(is_usual)
        .map_or(String::new(), |(label, _)| label.to_owned())
}

/// What stands in a text before and behind another.
fn frame<'t>(text: &'t str, inner: &str) -> Option<(&'t str, &'t str)> {
    /// Shorter texts stand in any other, unless they are words of it.
    const LEAST: usize = 2;
    let at = memmem::find(text.as_bytes(), inner.as_bytes())?;
    let (before, behind) = (&text[..at], &text[at + inner.len()..]);
    // The 1 of "£1.50" is none.
    let is_apart = |letter: Option<char>| {
        letter.is_none_or(|letter| letter.is_whitespace() || "()[]".contains(letter))
    };
    let is_word = || is_apart(before.chars().next_back()) && is_apart(behind.chars().next());
    (inner.chars().nth(LEAST - 1).is_some() || is_word()).then_some((before, behind))
}

/// Three places are enough, and read better.
pub(super) fn rounded(share: f64) -> f64 {
    // The sum of no numbers is -0.
    (share * 1000.0).round() / 1000.0 + 0.0
}

/// Makes one field of those that say the same on every page, with the views of all: where one copy of a value is lost,
/// another is found.
///
/// A field that differs from a known one on few pages is equal on one of its first pages, so that it is compared only with
/// those that are.
pub(super) fn without_duplicates(evidence: Vec<Evidence>) -> Vec<Evidence> {
    let mut kept: Vec<Evidence> = Vec::new();
    let mut by_saying: RapidHashMap<(usize, u64), Vec<usize>> = RapidHashMap::default();
    // The number of what is left of a field whose other forms may stay.
    let mut same: RapidHashMap<usize, usize> = RapidHashMap::default();
    for mut next in evidence {
        // A copy says the same on one of so many pages.
        let sayings = next.sayings().take(next.others() + 1);
        let mut alike: Vec<usize> = sayings
            .filter_map(|saying| by_saying.get(&saying))
            .flatten()
            .copied()
            .collect();
        alike.sort_unstable();
        alike.dedup();
        match alike
            .into_iter()
            .find(|&known| says_the_same(&kept[known], &next))
        {
            Some(known) => {
                if next.is_main() {
                    same.insert(next.number, kept[known].number);
                }
                if next.adds_to(&kept[known]) {
                    kept[known].take_views(next.field.views);
                }
            }
            None => {
                next.number = same.get(&next.number).copied().unwrap_or(next.number);
                for saying in next.sayings() {
                    by_saying.entry(saying).or_default().push(kept.len());
                }
                kept.push(next);
            }
        }
    }
    kept
}

/// Drops single fields that only hold the first of the values that a list with the same label holds.
pub(super) fn without_first_items(evidence: Vec<Evidence>) -> Vec<Evidence> {
    let lists = evidence
        .iter()
        .filter(|list| list.field.many && list.label().is_some() && !list.has_several_labels());
    let lists: Vec<(Option<&str>, Vec<RapidHashSet<&str>>)> = lists
        .map(|list| (list.label(), list.value_sets()))
        .collect();
    let is_first = |single: &Evidence| {
        let label = single.label();
        !single.field.many
            && lists
                .iter()
                .any(|(of_list, values)| *of_list == label && single.is_held_by(values))
    };
    let keep: Vec<bool> = evidence.iter().map(|field| !is_first(field)).collect();
    evidence
        .into_iter()
        .zip(keep)
        .filter(|(_, keep)| *keep)
        .map(|(field, _)| field)
        .collect()
}

/// Whether a field says the same as a known one on nearly all of its pages.
fn says_the_same(known: &Evidence, next: &Evidence) -> bool {
    let has_value = |(_, texts): &&(_, Vec<_>)| !texts.is_empty();
    let most_others = next.others();
    let pairs = known
        .found
        .iter()
        .zip(&next.found)
        .filter(|(_, next)| has_value(next));
    // Most fields differ on the first pages.
    pairs
        .filter(|((_, known), (_, next))| known != next)
        .nth(most_others)
        .is_none()
}
