//! Which columns would a person want first, and which at all?
//!
//! Those that most pages have, that differ from page to page, that the page labels, that are short,
//! and that closely follow what names the subject of the page. Each of these is a feature
//! (`features`) with a weight (`weights`); a column's score is their sum. None decides alone.
//!
//! The columns are put in the order of their scores, less what was said before them (`queue`). The
//! first of them are *wanted*: those whose score is high enough, and that say something new. What
//! only repeats an earlier column with the same words around it ("Menu for Don Pepe") is not.

mod features;
mod listing;
mod queue;
mod weights;

pub(super) use self::{
    queue::Scored,
    weights::{Features, WEIGHTS},
};
use super::{
    columns::{Column, Form, without_copies},
    sample::Sample,
};
use features::Setting;
use queue::Queue;
use rapidhash::RapidHashMap;
use rayon::prelude::*;
use std::cmp::Reverse;

/// No more columns than this are looked at once they are scored: those after them are not wanted,
/// and each costs a comparison with others.
const MAX_SCORED: usize = 1_000;
/// What is cut out of a value counts this much less than the value. Chosen by hand.
const LOSS_OF_CUT: f64 = 2.0;
/// A list counts this much less with the labels that all its values have. Chosen by hand.
const LOSS_OF_LABELLED_LIST: f64 = 1.0;
/// The first this many columns tell what a good score is on these pages.
const GOOD_COLUMNS: usize = 5;
/// A column whose score is lower than that of the last good one by more than this is not wanted.
/// Fitted by `ranking` together with the weights.
const WANTED_MARGIN: f64 = 4.0;
/// No more columns than this are wanted.
const MAX_WANTED: usize = 20;
/// This many are wanted whatever their scores are, if as many say something new.
const MIN_WANTED: usize = 12;

/// Columns in the order in which they are wanted.
pub(super) struct Ranked {
    pub columns: Vec<Column>,
    /// How many of them, from the first, a person would keep.
    pub wanted: usize,
}

/// Which columns are left when they are ranked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    /// Whether the whole text of a value with its label stays a column beside the value.
    pub with_labels: bool,
    /// No more than this many.
    pub most: usize,
}

/// Puts columns in order; of those that say the same one is left, with the views of all.
pub(super) fn ranked(sample: &Sample<'_>, columns: Vec<Column>, kept: Kept) -> Ranked {
    let features = features(sample, &columns);
    ranked_by(columns, &features, &WEIGHTS.numbers(), kept)
}

/// The same with given features and weights.
pub(super) fn ranked_by(
    columns: Vec<Column>,
    features: &[Features],
    weights: &[f64],
    kept: Kept,
) -> Ranked {
    let mut columns = scored(columns, features, weights);
    raise_subject(&mut columns, features);
    sort(&mut columns);
    columns.truncate(MAX_SCORED);
    let mut columns = each_once(columns);
    if !kept.with_labels {
        columns.retain(|scored| {
            scored.column.form() != Form::Text || !scored.column.repeats_its_label()
        });
    }
    let last_good = columns.get((GOOD_COLUMNS - 1).min(columns.len().saturating_sub(1)));
    let lowest = last_good.map_or(0.0, |column| column.score) - WANTED_MARGIN;
    let mut places = Places::default();
    let mut queue = Queue::of(columns);
    while let Some(column) = queue.next() {
        let is_wanted = places.count_mains() < MIN_WANTED
            || places.wanted.len() < MAX_WANTED && column.score >= lowest;
        if !is_wanted {
            queue.close();
        }
        if let Some(taken) = places.take(column.column, is_wanted) {
            queue.note(taken);
        }
    }
    let wanted = places.wanted.len().min(kept.most);
    let mut columns = places.wanted;
    columns.extend(places.rest);
    columns.truncate(kept.most);
    Ranked { columns, wanted }
}

/// All columns in all their forms, each once, in the order of their scores.
pub(super) fn by_score(sample: &Sample<'_>, columns: Vec<Column>) -> Vec<Scored> {
    let features = features(sample, &columns);
    let mut columns = scored(columns, &features, &WEIGHTS.numbers());
    sort(&mut columns);
    each_once(columns)
}

/// What speaks for each column, and against it: nothing for other forms of one, which go by it.
pub(super) fn features(sample: &Sample<'_>, columns: &[Column]) -> Vec<Features> {
    let setting = Setting::of(sample, columns);
    let of_column = |column: &Column| match column.is_main() {
        true => setting.features(column),
        false => Features::default(),
    };
    columns.par_iter().map(of_column).collect()
}

/// Scores columns: other forms of one go by it.
fn scored(columns: Vec<Column>, features: &[Features], weights: &[f64]) -> Vec<Scored> {
    let mut of_family: RapidHashMap<usize, f64> = RapidHashMap::default();
    for (column, features) in columns.iter().zip(features) {
        if !column.is_main() {
            continue;
        }
        let numbers = features.numbers();
        let products = numbers
            .iter()
            .zip(weights)
            .map(|(number, weight)| number * weight);
        of_family.insert(column.family(), products.sum());
    }
    let mut scored = Vec::with_capacity(columns.len());
    for column in columns {
        let main = of_family.get(&column.family()).copied().unwrap_or(f64::MIN);
        let loss = match column.form() {
            Form::Number | Form::Part => LOSS_OF_CUT,
            Form::Text if column.is_list() => LOSS_OF_LABELLED_LIST,
            Form::Plain | Form::Value | Form::Text => 0.0,
        };
        let score = main - loss;
        scored.push(Scored { column, score });
    }
    scored
}

fn sort(columns: &mut [Scored]) {
    columns.sort_by(|a, b| {
        let order = b.score.total_cmp(&a.score);
        let key = |scored: &Scored| (scored.column.family(), scored.column.form());
        order.then(key(a).cmp(&key(b)))
    });
}

/// Of columns that say the same, the first, with the views of all.
fn each_once(columns: Vec<Scored>) -> Vec<Scored> {
    let scores: Vec<f64> = columns.iter().map(|column| column.score).collect();
    let columns = columns.into_iter().map(|scored| scored.column).collect();
    let mut kept = Vec::new();
    for (place, column) in without_copies(columns) {
        let score = scores[place];
        kept.push(Scored { column, score });
    }
    kept
}

/// Puts what names the subjects of the pages first: a table says in each row what it is about.
fn raise_subject(columns: &mut [Scored], features: &[Features]) {
    let highest = columns.iter().map(|column| column.score);
    let highest = highest.fold(f64::MIN, f64::max);
    let mut subject: Option<&mut Scored> = None;
    for (next, features) in columns.iter_mut().zip(features) {
        if !next.column.is_main() || next.column.is_list() || features.is_subject <= 0.5 {
            continue;
        }
        // The last of equals.
        let is_best = |best: &&mut Scored| next.score.total_cmp(&best.score).is_ge();
        if subject.as_ref().is_none_or(is_best) {
            subject = Some(next);
        }
    }
    if let Some(subject) = subject {
        subject.score = highest.next_up();
    }
}

/// The columns that are wanted, and the others, each in order.
#[derive(Default)]
struct Places {
    wanted: Vec<Column>,
    rest: Vec<Column>,
}

impl Places {
    /// How many columns are wanted, their other forms aside.
    fn count_mains(&self) -> usize {
        self.wanted.iter().filter(|column| column.is_main()).count()
    }

    /// Puts the next column after those that are wanted if it is wanted and says something new, and
    /// gives it back then. One that says the same as earlier ones better takes their place.
    fn take(&mut self, column: Column, is_wanted: bool) -> Option<&Column> {
        let mut alike: Vec<(usize, Alike)> = Vec::new();
        for (at, known) in self.wanted.iter().enumerate() {
            alike.extend(Alike::of(&column, known).map(|which| (at, which)));
        }
        let Some(&(first, _)) = alike.first() else {
            if is_wanted && self.may_be_wanted(&column) {
                self.wanted.push(column);
                return self.wanted.last();
            }
            self.rest.push(column);
            return None;
        };
        if alike.iter().any(|(_, which)| *which == Alike::Worse) {
            self.rest.push(column);
            return None;
        }
        let replaced = std::mem::replace(&mut self.wanted[first], column);
        self.rest.push(replaced);
        for (at, _) in alike[1..].iter().rev() {
            self.rest.push(self.wanted.remove(*at));
        }
        None
    }

    /// Whether a column that says something new is one that a person would keep.
    fn may_be_wanted(&self, column: &Column) -> bool {
        // What is cut out of a column, or is more than it, goes with it.
        let has_main = column.is_main()
            || self
                .wanted
                .iter()
                .any(|known| known.family() == column.family());
        has_main && !column.holds_labels() && !self.is_crowded(column)
    }

    /// Whether so many wanted columns are in like places, all without a label, that one more is a
    /// place in a menu or a listing: how many goods each category has.
    fn is_crowded(&self, column: &Column) -> bool {
        /// More columns than this in like places are a menu. Chosen by hand.
        const MAX_ALIKE: usize = 3;
        if !column.is_bare_place() {
            return false;
        }
        let is_like = |known: &&Column| {
            known.family() != column.family()
                && known.class_path() == column.class_path()
                && known.is_bare_place()
        };
        self.wanted.iter().filter(is_like).count() >= MAX_ALIKE
    }
}

/// Which of two columns that say the same is the better one?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alike {
    /// The next one.
    Better,
    /// The next one is not.
    Worse,
}

impl Alike {
    fn better_if(is_better: bool) -> Option<Self> {
        Some(if is_better {
            Alike::Better
        } else {
            Alike::Worse
        })
    }

    /// Whether a column only says what a known one says, or the other way round; `None` if both say
    /// something of their own.
    fn of(column: &Column, known: &Column) -> Option<Self> {
        if column.form() == Form::Text || column.family() == known.family() {
            return None;
        }
        // A list says what each of its places says.
        if column.is_item_of(known) {
            return Some(Alike::Worse);
        }
        if known.is_item_of(column) {
            return Some(Alike::Better);
        }
        if let Some(is_better) = column.is_better_line_of(known) {
            return Alike::better_if(is_better);
        }
        if let Some(known_is_better) = known.is_better_line_of(column) {
            return Alike::better_if(!known_is_better);
        }
        // So does a list of authors say who the author is, where the page calls both the same.
        if column.is_in_list_of_its_name(known) || known.is_in_list_of_its_name(column) {
            return Some(Alike::Worse);
        }
        if !column.only_repeats(known) {
            return None;
        }
        // What a reader sees is better than what machines are told; then "Kettle" is better than
        // "Kettle - Shop".
        let quality = |column: &Column| (column.is_seen(), Reverse(column.mean_letters()));
        Alike::better_if(column.is_main() && quality(column) > quality(known))
    }
}
