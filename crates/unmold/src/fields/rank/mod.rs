//! Which fields would a person want first, and which at all?
//!
//! Those that most pages have, that differ from page to page, that the page labels, that are short, and that stand close
//! behind what names the subject of the page. Each of these is a feature ([`features`]) with a weight ([`weights`]); a
//! field's score is their sum. None decides alone.
//!
//! The fields are put in the order of their scores, less what was said before them ([`queue`]). The first of them are
//! *wanted*: those whose score is high enough, and that say something new. What only repeats an earlier field with the same
//! words around it ("Menu for Don Pepe") is not.

mod features;
mod listing;
mod queue;
mod subject;
mod weights;

pub(super) use self::subject::Subjects;
pub(crate) use self::{features::Features, weights::WEIGHTS};
use super::{
    evidence::{self, Evidence, Form},
    learn::Sample,
};
use features::Setting;
use queue::Queue;
use rapidhash::RapidHashMap;
use rayon::prelude::*;

/// Fields in the order in which they are wanted.
pub(super) struct Ranked {
    pub fields: Vec<Evidence>,
    /// How many of them, from the first, a person would keep.
    pub wanted: usize,
}

/// More fields than this are not looked at once they are scored.
const MOST_SCORED: usize = 1_000;
/// What is cut out of a value counts so much less than the value.
const LESS: f64 = 2.0;
/// A list counts so much less with the labels that all its values have.
const LESS_WITH_LABELS: f64 = 1.0;
/// Fields whose score is lower by more than this
const BELOW: f64 = 4.0;
/// than that of the fifth are not wanted,
const FIFTH: usize = 4;
/// and no more than this many are,
const MOST_WANTED: usize = 20;
/// but so many are, if there are as many that say something new.
const LEAST_WANTED: usize = 12;

/// Puts fields in order; of those that say the same one is left, with the views of all. No more than `most` are left.
pub(super) fn ranked(sample: &Sample<'_>, fields: Vec<Evidence>, most: usize) -> Ranked {
    let features = features(sample, &fields);
    ranked_by(fields, &features, &WEIGHTS.map(|(_, weight)| weight), most)
}

/// The same with other weights.
pub(super) fn ranked_by(
    mut fields: Vec<Evidence>,
    features: &[Features],
    weights: &[f64],
    most: usize,
) -> Ranked {
    score(&mut fields, features, weights);
    raise_subject(&mut fields, features);
    sort(&mut fields);
    fields.truncate(MOST_SCORED);
    let fields = evidence::without_duplicates(fields);
    let lowest = fields
        .get(FIFTH.min(fields.len().saturating_sub(1)))
        .map_or(0.0, |fifth| fifth.score)
        - BELOW;
    let mut places = Places::default();
    let mut queue = Queue::of(fields);
    while let Some(field) = queue.next() {
        let is_wanted = places.mains() < LEAST_WANTED
            || places.wanted.len() < MOST_WANTED && field.score >= lowest;
        if !is_wanted {
            queue.close();
        }
        if let Some(taken) = places.take(field, is_wanted) {
            queue.note(taken);
        }
    }
    let wanted = places.wanted.len();
    let mut fields = places.wanted;
    fields.extend(places.rest);
    fields.truncate(most);
    Ranked {
        wanted: wanted.min(fields.len()),
        fields,
    }
}

/// The fields that are wanted, and the others, each in order.
#[derive(Default)]
struct Places {
    wanted: Vec<Evidence>,
    rest: Vec<Evidence>,
}

impl Places {
    /// How many fields are wanted, their other forms aside.
    fn mains(&self) -> usize {
        self.wanted.iter().filter(|field| field.is_main()).count()
    }

    /// Whether so many wanted fields stand in like places, all without a label, that one more is a place in a menu or a listing:
    /// how many goods each category has.
    fn is_crowded(&self, field: &Evidence) -> bool {
        const MOST_ALIKE: usize = 3;
        let is_like = |known: &&Evidence| {
            known.number != field.number
                && known.is_bare_place()
                && known.class_path() == field.class_path()
        };
        field.is_bare_place() && self.wanted.iter().filter(is_like).count() >= MOST_ALIKE
    }

    /// Puts the next field behind those that are wanted if it is wanted and says something new, and gives it back then. One
    /// that says the same as earlier ones better takes their place.
    fn take(&mut self, field: Evidence, is_wanted: bool) -> Option<&Evidence> {
        let alike: Vec<(usize, Alike)> = self
            .wanted
            .iter()
            .enumerate()
            .filter_map(|(at, known)| Some((at, alike(&field, known)?)))
            .collect();
        // What is cut out of a field, or is more than it, goes with it.
        let has_main =
            || field.is_main() || self.wanted.iter().any(|known| known.number == field.number);
        match alike.first() {
            None if is_wanted
                && has_main()
                && !field.holds_labels()
                && !self.is_crowded(&field) =>
            {
                self.wanted.push(field);
                return self.wanted.last();
            }
            Some(&(first, _)) if alike.iter().all(|(_, which)| *which == Alike::Better) => {
                self.rest
                    .push(std::mem::replace(&mut self.wanted[first], field));
                alike[1..]
                    .iter()
                    .rev()
                    .for_each(|&(at, _)| self.rest.push(self.wanted.remove(at)));
            }
            _ => self.rest.push(field),
        }
        None
    }
}

/// Which of two fields that say the same is the better one?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alike {
    /// The next one.
    Better,
    /// The known one.
    Worse,
}

/// Whether a field only says what a known one says, or the other way round; `None` if both say something of their own.
fn alike(field: &Evidence, known: &Evidence) -> Option<Alike> {
    if matches!(field.form, Form::Text | Form::Unit) || field.number == known.number {
        return None;
    }
    // A list says what each of its places says.
    if field.is_item_of(known) {
        return Some(Alike::Worse);
    }
    if known.is_item_of(field) {
        return Some(Alike::Better);
    }
    if let Some(is_better) = field.is_better_line_of(known) {
        return Some(if is_better {
            Alike::Better
        } else {
            Alike::Worse
        });
    }
    if let Some(is_better) = known.is_better_line_of(field) {
        return Some(if is_better {
            Alike::Worse
        } else {
            Alike::Better
        });
    }
    // So does a list of authors say who the author is, where the page calls both the same.
    if field.is_in_list_of_its_name(known) || known.is_in_list_of_its_name(field) {
        return Some(Alike::Worse);
    }
    // What a reader sees is better than what machines are told; then "Kettle" is better than "Kettle - Shop".
    let quality = |field: &Evidence| (field.is_seen(), std::cmp::Reverse(mean_length(field)));
    let is_better = || field.is_main() && quality(field) > quality(known);
    field.only_repeats(known).then(|| {
        if is_better() {
            Alike::Better
        } else {
            Alike::Worse
        }
    })
}

/// What speaks for each field, and against it: nothing for other forms of one, which go by it.
pub(super) fn features(sample: &Sample<'_>, fields: &[Evidence]) -> Vec<Features> {
    let setting = Setting::of(sample, fields);
    let of_field = |field: &Evidence| {
        if field.is_main() {
            setting.features(field)
        } else {
            Features::default()
        }
    };
    fields.par_iter().map(of_field).collect()
}

/// All fields in all their forms, in the order of their scores.
pub(super) fn scored(mut fields: Vec<Evidence>, features: &[Features]) -> Vec<Evidence> {
    score(&mut fields, features, &WEIGHTS.map(|(_, weight)| weight));
    sort(&mut fields);
    fields
}

/// Scores fields: other forms of one go by it.
fn score(fields: &mut [Evidence], features: &[Features], weights: &[f64]) {
    let mut of_main: RapidHashMap<usize, f64> = RapidHashMap::default();
    for (field, features) in fields
        .iter()
        .zip(features)
        .filter(|(field, _)| field.is_main())
    {
        of_main.insert(
            field.number,
            features
                .iter()
                .zip(weights)
                .map(|(feature, weight)| feature * weight)
                .sum(),
        );
    }
    for field in fields.iter_mut() {
        let main = of_main.get(&field.number).copied().unwrap_or(f64::MIN);
        let less = match field.form {
            Form::Number | Form::Part | Form::Unit => LESS,
            Form::Text if field.field.many => LESS_WITH_LABELS,
            _ => 0.0,
        };
        field.score = main - less;
    }
}

fn sort(fields: &mut [Evidence]) {
    fields.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then(a.number.cmp(&b.number))
            .then(a.form.cmp(&b.form))
    });
}

/// Puts what names the subjects of the pages first: a table says in each row what it is about.
fn raise_subject(fields: &mut [Evidence], features: &[Features]) {
    let is_subject = |(field, features): &(&mut Evidence, &Features)| {
        field.is_main() && !field.field.many && features[weights::SUBJECT] > 0.5
    };
    let highest = fields
        .iter()
        .map(|field| field.score)
        .fold(f64::MIN, f64::max);
    let subjects = fields
        .iter_mut()
        .zip(features)
        .filter(is_subject)
        .map(|(field, _)| field);
    if let Some(subject) = subjects.max_by(|a, b| a.score.total_cmp(&b.score)) {
        subject.score = highest.next_up();
    }
}

/// Whether the values of a field are sentences rather than facts.
pub(super) fn holds_sentences(evidence: &Evidence) -> bool {
    /// Texts of more letters are.
    const SENTENCE: usize = 100;
    mean_length(evidence) > SENTENCE
}

/// How many letters a value has on average.
fn mean_length(evidence: &Evidence) -> usize {
    let (mut sum, mut values) = (0, 0);
    for value in evidence.values() {
        sum += letters(value);
        values += 1;
    }
    sum / values.max(1)
}

/// How many letters a text has: one of a script that writes syllables or words says as much as several others.
fn letters(text: &str) -> usize {
    /// Letters of such scripts take this many bytes and more in UTF-8, as do few others.
    const WIDE: usize = 3;
    text.chars()
        .map(|letter| {
            if letter.len_utf8() >= WIDE && letter.is_alphabetic() {
                3
            } else {
                1
            }
        })
        .sum()
}
