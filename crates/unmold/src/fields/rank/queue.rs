//! Which column comes next, given what those before it have said?
//!
//! Pages say many things twice: the author above the text and again below it, the maker in the
//! heading and in a table. The second time is worth less, even if it is said with other words on
//! some pages, so that it is no mere copy. Of a column that mostly says what earlier ones said, or
//! what can be put together from them ("Guard / #55"), the score is lowered.
//!
//! Cost: each column that comes near the wanted ones is compared with each of these once, on a few
//! pages.

use crate::fields::columns::Column;
use memchr::memmem;
use rapidhash::RapidHashMap;

/// What a column loses if nothing that it says is new. Chosen with `ranking`: a loss of 5 is the
/// same.
const LOSS_OF_REPEATED: f64 = 3.0;
/// A column loses nothing unless more than this share of what it says was said before. Chosen with
/// `ranking`: counting any repeated share is slightly worse on kinds of sites that were left out.
const FREE_SHARE: f64 = 0.5;
/// Pages that are compared.
const PAGES: usize = 16;
/// Values of a list that are compared on each.
const VALUES: usize = 8;
/// Texts with fewer letters than this are in any other.
const MIN_LETTERS: usize = 3;

/// A column and how much a person would want it.
#[derive(Clone, Debug)]
pub(in crate::fields) struct Scored {
    pub column: Column,
    pub score: f64,
}

/// Columns that wait for their places.
pub(super) struct Queue {
    /// The next one is the last.
    waiting: Vec<Waiting>,
    /// What the columns say that have their places.
    known: Vec<Known>,
    /// What each column loses, by its family: other forms of it lose the same, and come after it.
    losses: RapidHashMap<usize, f64>,
    is_open: bool,
}

struct Waiting {
    scored: Scored,
    /// The score, less what was said before.
    score: f64,
    /// Its place among all, which tells equals apart.
    place: usize,
    /// The share of each of its texts, page by page, that was said before.
    said: Vec<f64>,
    /// How many of the known columns this takes in.
    compared: usize,
}

/// What a column says: its family, and its texts on each page.
struct Known {
    family: usize,
    texts: Vec<Vec<String>>,
}

impl Queue {
    /// A queue of columns that come in the order of their scores.
    pub fn of(columns: Vec<Scored>) -> Self {
        let mut waiting = Vec::with_capacity(columns.len());
        for (place, scored) in columns.into_iter().enumerate().rev() {
            waiting.push(Waiting {
                score: scored.score,
                scored,
                place,
                said: Vec::new(),
                compared: 0,
            });
        }
        Queue {
            waiting,
            known: Vec::new(),
            losses: RapidHashMap::default(),
            is_open: true,
        }
    }

    /// The column that is wanted most now.
    pub fn next(&mut self) -> Option<Scored> {
        loop {
            let mut next = self.waiting.pop()?;
            if !self.is_open || next.compared == self.known.len() {
                return Some(next.scored);
            }
            let family = next.scored.column.family();
            if next.scored.column.is_main() {
                self.losses.insert(family, next.loss(&self.known));
            }
            next.compared = self.known.len();
            next.score = next.scored.score - self.losses.get(&family).copied().unwrap_or(0.0);
            // Scores only fall, so that one that is still the highest is.
            let comes_later = |other: &Waiting| {
                let order = other.score.total_cmp(&next.score);
                order.then(next.place.cmp(&other.place)).is_lt()
            };
            let place = self.waiting.partition_point(comes_later);
            self.waiting.insert(place, next);
        }
    }

    /// Takes up what a column says that has its place now.
    pub fn note(&mut self, column: &Column) {
        self.known.push(Known {
            family: column.family(),
            texts: first_texts(column).map(<[String]>::to_vec).collect(),
        });
    }

    /// The rest comes in the order of scores.
    pub fn close(&mut self) {
        self.is_open = false;
    }
}

impl Waiting {
    /// What it loses, with the known columns taken in that it was not compared with yet.
    fn loss(&mut self, known: &[Known]) -> f64 {
        let column = &self.scored.column;
        let texts = first_texts(column).map(<[String]>::len).sum();
        self.said.resize(texts, 0.0);
        for known in &known[self.compared..] {
            if known.family == column.family() {
                continue;
            }
            let mut said = self.said.iter_mut();
            for (own, known) in first_texts(column).zip(&known.texts) {
                for (text, said) in own.iter().zip(&mut said) {
                    let shares = known.iter().map(|known| share_said(text, known));
                    *said += shares.fold(0.0, f64::max);
                }
            }
        }
        LOSS_OF_REPEATED * (self.share_said() - FREE_SHARE).max(0.0) / (1.0 - FREE_SHARE)
    }

    /// How much of what it says was said before.
    fn share_said(&self) -> f64 {
        let said = self.said.iter().map(|said| said.min(1.0));
        said.sum::<f64>() / self.said.len().max(1) as f64
    }
}

/// The first texts of the first pages.
fn first_texts(column: &Column) -> impl Iterator<Item = &[String]> {
    let pages = column.pages().iter().take(PAGES);
    pages.map(|page| &page.texts[..page.texts.len().min(VALUES)])
}

/// The share of a text that another says.
fn share_said(text: &str, other: &str) -> f64 {
    if text == other {
        return 1.0;
    }
    let is_long = other.chars().nth(MIN_LETTERS - 1).is_some();
    if is_long && memmem::find(text.as_bytes(), other.as_bytes()).is_some() {
        return other.len() as f64 / text.len() as f64;
    }
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::columns::Form;

    fn field(family: usize, score: f64, texts: &[&str]) -> Scored {
        let column = Column::of_texts(family, Form::Plain, texts);
        Scored { column, score }
    }

    fn order(columns: Vec<Scored>) -> Vec<usize> {
        let mut queue = Queue::of(columns);
        let mut order = Vec::new();
        while let Some(next) = queue.next() {
            queue.note(&next.column);
            order.push(next.column.family());
        }
        order
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
        let with_label = Scored {
            column: Column::of_texts(1, Form::Text, &["By: Ann Lee", "By: Bo Kim"]),
            score: 8.0,
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
        let value = field(3, 8.0, &["4", "5"]);
        let text = Scored {
            column: Column::of_texts(3, Form::Text, &["No. 4", "No. 5"]),
            score: 8.0,
        };
        let mut queue = Queue::of(vec![name(), value, text, age()]);
        let mut next = || {
            let next = queue.next()?;
            queue.note(&next.column);
            Some(next.column.form())
        };
        assert_eq!(
            [next(), next(), next()],
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
