//! Which field comes next, given what those before it have said?
//!
//! Pages say many things twice: the author above the text and again below it, the maker in the heading and in a table. The
//! second time is worth less, even if it is said with other words on some pages, so that it is no mere copy. Of a field that
//! mostly says what earlier ones said, or what can be put together from them ("Guard / #55"), the score is lowered.
//!
//! Cost: each field that comes near the wanted ones is compared with each of these once, on a few pages.

use super::Evidence;
use memchr::memmem;
use rapidhash::RapidHashMap;

/// What a field loses if nothing that it says is new,
const REPEATED: f64 = 3.0;
/// and nothing unless more than this share was said before. Both were chosen with `ranking`: a loss of 5 is the same, and
/// counting any repeated share is slightly worse on kinds of sites that were left out.
const FREE: f64 = 0.5;
/// Pages that are compared,
const PAGES: usize = 16;
/// and values of a list on each.
const VALUES: usize = 8;
/// Shorter texts stand in any other.
const LEAST_LETTERS: usize = 3;

/// Fields that wait for their places.
pub(super) struct Queue {
    /// The next one is the last.
    waiting: Vec<Waiting>,
    /// The fields that have their places.
    known: Vec<Known>,
    /// What each field loses, by its number: other forms of it lose the same, and stay behind it.
    losses: RapidHashMap<usize, f64>,
    is_open: bool,
}

struct Waiting {
    field: Evidence,
    score: f64,
    /// Its place among all, which tells equals apart.
    place: usize,
    /// The share of each of its texts, page by page, that was said before.
    said: Vec<f64>,
    /// How many of the known fields this takes in.
    compared: usize,
}

/// What a field says: its number, and its texts on each page.
struct Known {
    number: usize,
    texts: Vec<Vec<String>>,
}

impl Queue {
    /// A queue of fields that come in the order of their scores.
    pub fn of(fields: Vec<Evidence>) -> Self {
        let waiting = fields.into_iter().enumerate().rev().map(|(place, field)| {
            let score = field.score;
            Waiting {
                field,
                score,
                place,
                said: Vec::new(),
                compared: 0,
            }
        });
        Queue {
            waiting: waiting.collect(),
            known: Vec::new(),
            losses: RapidHashMap::default(),
            is_open: true,
        }
    }

    /// The field that is wanted most now.
    pub fn next(&mut self) -> Option<Evidence> {
        loop {
            let mut next = self.waiting.pop()?;
            if !self.is_open || next.compared == self.known.len() {
                return Some(next.field);
            }
            if next.field.is_main() {
                self.losses
                    .insert(next.field.number, next.loss(&self.known));
            }
            next.compared = self.known.len();
            next.score =
                next.field.score - self.losses.get(&next.field.number).copied().unwrap_or(0.0);
            // Scores only fall, so that one that is still the highest is.
            let comes_later = |other: &Waiting| {
                other
                    .score
                    .total_cmp(&next.score)
                    .then(next.place.cmp(&other.place))
                    .is_lt()
            };
            let place = self.waiting.partition_point(comes_later);
            self.waiting.insert(place, next);
        }
    }

    /// Takes up what a field says that has its place now.
    pub fn note(&mut self, field: &Evidence) {
        let texts = pages(field).map(|texts| texts.to_vec()).collect();
        self.known.push(Known {
            number: field.number,
            texts,
        });
    }

    /// The rest comes in the order of scores.
    pub fn close(&mut self) {
        self.is_open = false;
    }
}

impl Waiting {
    /// What it loses, with the known fields taken in that it was not compared with yet.
    fn loss(&mut self, known: &[Known]) -> f64 {
        self.said
            .resize(pages(&self.field).map(<[String]>::len).sum(), 0.0);
        for known in known[self.compared..]
            .iter()
            .filter(|known| known.number != self.field.number)
        {
            let texts = pages(&self.field)
                .zip(&known.texts)
                .flat_map(|(own, known)| own.iter().map(move |own| (own, known)));
            for (said, (own, known)) in self.said.iter_mut().zip(texts) {
                *said += known
                    .iter()
                    .map(|known| share_said(own, known))
                    .fold(0.0, f64::max);
            }
        }
        REPEATED * (self.share() - FREE).max(0.0) / (1.0 - FREE)
    }

    /// How much of what it says was said before.
    fn share(&self) -> f64 {
        self.said.iter().map(|said| said.min(1.0)).sum::<f64>() / self.said.len().max(1) as f64
    }
}

/// The first texts of the first pages.
fn pages(field: &Evidence) -> impl Iterator<Item = &[String]> {
    field
        .found
        .iter()
        .take(PAGES)
        .map(|(_, texts)| &texts[..texts.len().min(VALUES)])
}

/// The share of a text that another says.
fn share_said(text: &str, other: &str) -> f64 {
    let is_long = || other.chars().nth(LEAST_LETTERS - 1).is_some();
    if text == other {
        1.0
    } else if is_long() && memmem::find(text.as_bytes(), other.as_bytes()).is_some() {
        other.len() as f64 / text.len() as f64
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::{Field, apply::VotedSlots, evidence::Form};

    fn field(number: usize, score: f64, texts: &[&str]) -> Evidence {
        let found = texts
            .iter()
            .map(|text| (VotedSlots::default(), vec![(*text).to_owned()]))
            .collect();
        Evidence {
            field: Field::default(),
            found,
            number,
            form: Form::Plain,
            header: None,
            of_one_type: 0.0,
            score,
        }
    }

    fn order(fields: Vec<Evidence>) -> Vec<usize> {
        let mut queue = Queue::of(fields);
        let next = |queue: &mut Queue| queue.next().inspect(|field| queue.note(field));
        std::iter::from_fn(|| next(&mut queue))
            .map(|field| field.number)
            .collect()
    }

    #[test]
    fn what_was_said_before_comes_later() {
        let name = || field(0, 9.0, &["Ann Lee", "Bo Kim", "Cy Orr", "Di Poe"]);
        let again =
            |number, score| field(number, score, &["Ann Lee", "Bo Kim", "Cy Orr", "Eve Roe"]);
        let age = || field(2, 7.0, &["31", "44", "29", "56"]);
        assert_eq!(order(vec![name(), again(1, 8.0), age()]), [0, 2, 1]);
        // The same field in another form may stand beside it.
        assert_eq!(order(vec![name(), again(0, 8.0), age()]), [0, 0, 2]);
    }

    #[test]
    fn other_forms_stay_behind_their_field() {
        let name = || field(0, 9.0, &["Ann Lee", "Bo Kim"]);
        let with_label = Evidence {
            form: Form::Text,
            ..field(1, 8.0, &["By: Ann Lee", "By: Bo Kim"])
        };
        let age = || field(2, 8.0, &["31", "44"]);
        assert_eq!(
            order(vec![
                name(),
                field(1, 8.0, &["Ann Lee", "Bo Kim"]),
                with_label,
                age()
            ]),
            [0, 2, 1, 1]
        );
        let (value, text) = (
            field(3, 8.0, &["4", "5"]),
            Evidence {
                form: Form::Text,
                ..field(3, 8.0, &["No. 4", "No. 5"])
            },
        );
        let mut queue = Queue::of(vec![name(), value, text, age()]);
        let next = |queue: &mut Queue| {
            queue
                .next()
                .inspect(|field| queue.note(field))
                .map(|field| field.form)
        };
        assert_eq!(
            [next(&mut queue), next(&mut queue), next(&mut queue)],
            [Form::Plain, Form::Plain, Form::Text].map(Some)
        );
    }

    #[test]
    fn what_is_put_together_from_others_says_nothing_new() {
        let (first, last) = (
            field(0, 9.0, &["Annie", "Bob"]),
            field(1, 8.0, &["Leeds", "Kimball"]),
        );
        let (both, town) = (
            field(2, 7.0, &["Annie Leeds", "Bob Kimball"]),
            field(3, 6.0, &["York", "Bath"]),
        );
        assert_eq!(order(vec![first, last, both, town]), [0, 1, 3, 2]);
    }

    #[test]
    fn half_may_be_known() {
        let (one, other) = (
            field(0, 9.0, &["a b", "c d", "e f", "g h"]),
            field(1, 8.0, &["a b", "c d", "i j", "k l"]),
        );
        assert_eq!(
            order(vec![one, other, field(2, 7.9, &["1", "2", "3", "4"])]),
            [0, 1, 2]
        );
    }
}
