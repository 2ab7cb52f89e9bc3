//! Which rule gives what somebody said of a field's values?
//!
//! Whoever looks at a value may say that it is right, that it is wrong, or what it should be. These
//! [`FieldAnswer`]s are kept for the field and are the examples by which it is learned again. Several
//! rules may suit them all: one learned from the answers alone, one that keeps to what the field
//! finds elsewhere, the views of the field that agree with the answers, another field of the mold.
//! Each is tried on pages of the group; the one that suits the most answers comes first, and of
//! those that suit as many the one that changes the least.

use crate::{
    answer::{Answer, Problem, nth},
    edit::{OnPage, learned, set_many},
    overview::Overview,
    session::{Session, Version},
};
use rayon::prelude::*;
use serde::Deserialize;
use unmold::{Mold, Reader, fields::Field, mold::Group};

/// What somebody said of the values that a page has of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FieldAnswer {
    pub group: usize,
    /// The field, by its name: its number changes when fields are moved.
    pub field: String,
    pub page: usize,
    pub verdict: Verdict,
    /// What was found, or what should have been.
    pub values: Vec<String>,
}

/// What is said of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// They are right.
    Right,
    /// They are wrong, whatever would be right.
    Wrong,
    /// Others are right.
    Instead,
}

impl FieldAnswer {
    /// Whether a rule that finds these values is in accord with the answer.
    pub fn suits(&self, found: &[String]) -> bool {
        let is_same = found
            .iter()
            .map(|value| plain(value))
            .eq(self.values.iter().map(|value| plain(value)));
        is_same == (self.verdict != Verdict::Wrong)
    }

    fn is_of(&self, group: usize, field: &str) -> bool {
        self.group == group && self.field == field
    }
}

/// A text with single spaces: how a value is broken into lines says nothing.
pub(crate) fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// All answers about a field.
pub(crate) fn about(answers: &[FieldAnswer], group: usize, field: &str) -> Vec<FieldAnswer> {
    let own = answers.iter().filter(|answer| answer.is_of(group, field));
    own.cloned().collect()
}

/// Whether nobody need look at a value any more: it was called right, or the right one is given.
pub(crate) fn is_settled(
    answers: &[FieldAnswer],
    group: usize,
    field: &str,
    page: usize,
    found: &[String],
) -> bool {
    let is_about = |answer: &&FieldAnswer| answer.page == page && answer.is_of(group, field);
    let own = answers.iter().find(is_about);
    own.is_some_and(|answer| answer.suits(found))
}

/// Keeps an answer; it takes the place of what was said of the same value before.
pub(crate) fn keep(answers: &mut Vec<FieldAnswer>, answer: FieldAnswer) {
    answers.retain(|known| known.page != answer.page || !known.is_of(answer.group, &answer.field));
    answers.push(answer);
}

/// Rules are tried on no more pages than these, apart from those that something was said of.
const TRIED_ON: usize = 100;
/// Max. number of pages whose present values a relearned rule must keep: more pages say the same, and
/// each takes time.
const ANCHORS: usize = 3;
/// Max. number of other fields of the mold tried.
const OTHER_FIELDS: usize = 12;

/// A rule for a field, and how many there are to choose from.
pub(crate) struct Relearned {
    pub field: Field,
    pub ways: usize,
}

/// The rules for a field that suit what was said of it; gives the one of a number.
pub(crate) fn relearned(
    session: &Session,
    version: &Version,
    group: usize,
    field: usize,
    answers: &[FieldAnswer],
    way: usize,
) -> Answer<Relearned> {
    let task = Task {
        session,
        version,
        overview: session.overview(),
        number: group,
        group: nth(&version.mold.groups, group)?,
        field,
        answers,
    };
    let (candidates, refusal) = task.candidates()?;
    let mut trials = task.trials(candidates);
    let most = trials.iter().map(|trial| trial.suits).max().unwrap_or(0);
    trials.retain(|trial| trial.suits == most && trial.suits_last);
    trials.sort_by_key(|trial| std::cmp::Reverse((trial.same, trial.filled)));
    trials.dedup_by(|next, trial| next.found == trial.found);
    let ways = trials.len();
    if ways == 0 {
        let words = "no rule finds this and agrees with what else was said of the field".to_owned();
        return Err(refusal.unwrap_or(Problem::Refused(words)));
    }
    let mut chosen = trials.swap_remove(way % ways).field;
    let old = &task.group.fields[field];
    chosen.name.clone_from(&old.name);
    Ok(Relearned {
        field: chosen,
        ways,
    })
}

/// What rules are sought for.
struct Task<'t> {
    session: &'t Session,
    version: &'t Version,
    overview: std::sync::Arc<Overview>,
    number: usize,
    group: &'t Group,
    field: usize,
    answers: &'t [FieldAnswer],
}

/// A rule, and what it finds.
struct Trial {
    field: Field,
    /// How many answers it suits, and whether the latest is among them.
    suits: usize,
    suits_last: bool,
    /// On how many pages that nothing was said of it finds what is found now.
    same: usize,
    filled: usize,
    found: Vec<Vec<String>>,
}

impl Task<'_> {
    /// Rules that may do, and why none was learned if so.
    fn candidates(&self) -> Answer<(Vec<Field>, Option<Problem>)> {
        let old = nth(&self.group.fields, self.field)?;
        let (mut candidates, mut refusal) = (Vec::new(), None);
        let said = self.values_said();
        let mut anchored = said.clone();
        anchored.extend(self.anchors());
        for examples in [said, anchored] {
            if examples.is_empty() {
                continue;
            }
            match learned(self.session, self.number, &old.name, &examples) {
                Ok(field) => candidates.push(field),
                Err(problem) => {
                    refusal.get_or_insert(problem);
                }
            }
        }
        candidates.extend(self.views_that_suit(old)?);
        candidates.extend(self.other_fields()?);
        if self.answers.iter().any(|answer| answer.values.len() > 1) {
            // Where a page has several values, what finds one of them may find them all as a list.
            let mut lists = candidates.clone();
            lists.push(old.clone());
            for list in &mut lists {
                set_many(list, true);
            }
            candidates.extend(lists);
        }
        Ok((candidates, refusal))
    }

    /// The values that were called right.
    fn values_said(&self) -> Vec<OnPage> {
        let mut said = Vec::new();
        for answer in self.answers {
            if answer.verdict != Verdict::Wrong && !answer.values.is_empty() {
                said.push(OnPage {
                    page: answer.page,
                    values: answer.values.clone(),
                });
            }
        }
        said
    }

    /// What the field finds without a doubt on pages that nothing was said of.
    fn anchors(&self) -> Vec<OnPage> {
        let mut anchors = Vec::new();
        for &page in &self.overview.of_group[self.number] {
            let Some(cell) = self.overview.pages[page].cells.get(self.field) else {
                continue;
            };
            let is_said = self.answers.iter().any(|answer| answer.page == page);
            if is_said || cell.doubt.is_some() || cell.values.is_empty() || cell.more > 0 {
                continue;
            }
            anchors.push(OnPage {
                page,
                values: cell.values.clone(),
            });
            if anchors.len() == ANCHORS {
                break;
            }
        }
        anchors
    }

    /// The field with those of its views alone that suit the answers.
    fn views_that_suit(&self, old: &Field) -> Answer<Option<Field>> {
        let alone: Vec<Field> = old
            .views
            .iter()
            .map(|view| Field {
                views: vec![view.clone()],
                needs_label: false,
                ..old.clone()
            })
            .collect();
        let reader = self.reader_of(&alone);
        let mut suit = vec![true; alone.len()];
        for answer in self.answers {
            let found = found_by(&reader, self.session, answer.page, alone.len());
            for (suits, values) in suit.iter_mut().zip(found) {
                *suits &= answer.suits(&values);
            }
        }
        let mut field = old.clone();
        let mut suits = suit.iter();
        field
            .views
            .retain(|_| suits.next().copied().unwrap_or(false));
        let is_new = !field.views.is_empty() && field.views.len() < old.views.len();
        Ok(is_new.then_some(field))
    }

    /// Other fields of the mold that find what was called right.
    fn other_fields(&self) -> Answer<Vec<Field>> {
        let mut others: Vec<usize> = (0..self.group.fields.len()).collect();
        others.retain(|&other| other != self.field);
        for answer in self.answers {
            if answer.verdict == Verdict::Wrong {
                continue;
            }
            let text = self.session.text(answer.page)?;
            let found = self.version.reader_of_all().read(text)?;
            let found: Vec<Vec<String>> = found.fields().map(|field| texts(&field)).collect();
            others.retain(|&other| {
                found
                    .get(other)
                    .is_some_and(|values| may_suit(answer, values))
            });
        }
        if self.values_said().is_empty() {
            // Whoever only says that a value is wrong does not mean just any other field.
            others.clear();
        }
        others.truncate(OTHER_FIELDS);
        let fields = others.into_iter().map(|at| self.group.fields[at].clone());
        Ok(fields.collect())
    }

    /// A reader that has these rules for fields.
    fn reader_of(&self, fields: &[Field]) -> Reader {
        let mut group = Group::new("candidates", self.group.pages);
        for (at, field) in fields.iter().enumerate() {
            group.fields.push(Field {
                name: format!("candidate {at}"),
                ..field.clone()
            });
        }
        group.landmarks.clone_from(&self.group.landmarks);
        Mold::new(self.version.mold.learned.clone(), Vec::new(), vec![group]).reader()
    }

    fn trials(&self, candidates: Vec<Field>) -> Vec<Trial> {
        let reader = self.reader_of(&candidates);
        let pages = &self.overview.of_group[self.number];
        let count = pages.len().min(TRIED_ON);
        let mut tried: Vec<usize> = (0..count)
            .map(|at| pages[at * pages.len() / count])
            .collect();
        tried.retain(|page| !self.answers.iter().any(|answer| answer.page == *page));
        let said: Vec<usize> = self.answers.iter().map(|answer| answer.page).collect();
        let all: Vec<usize> = said.iter().chain(&tried).copied().collect();
        let found: Vec<Vec<Vec<String>>> = all
            .par_iter()
            .map(|&page| found_by(&reader, self.session, page, candidates.len()))
            .collect();
        let mut trials = Vec::new();
        for (at, field) in candidates.into_iter().enumerate() {
            let found: Vec<Vec<String>> = found.iter().map(|page| page[at].clone()).collect();
            let (of_said, of_others) = found.split_at(said.len());
            let suit = |(answer, values): (&FieldAnswer, &Vec<String>)| answer.suits(values);
            let suits: Vec<bool> = self.answers.iter().zip(of_said).map(suit).collect();
            let is_same = |(page, values): (&usize, &Vec<String>)| {
                let cell = self.overview.pages[*page].cells.get(self.field);
                cell.is_some_and(|cell| !cell.values.is_empty() && cell.values == *values)
            };
            trials.push(Trial {
                field,
                suits: suits.iter().filter(|suits| **suits).count(),
                suits_last: suits.last().copied().unwrap_or(false),
                same: tried
                    .iter()
                    .zip(of_others)
                    .filter(|pair| is_same(*pair))
                    .count(),
                filled: found.iter().filter(|values| !values.is_empty()).count(),
                found,
            });
        }
        trials
    }
}

/// Whether a field finds what was called right, or one of several values.
fn may_suit(answer: &FieldAnswer, found: &[String]) -> bool {
    let is_said = |value: &String| answer.values.iter().any(|said| plain(said) == plain(value));
    answer.suits(found) || !found.is_empty() && found.iter().all(is_said)
}

/// What each of some fields finds on a page.
fn found_by(reader: &Reader, session: &Session, page: usize, fields: usize) -> Vec<Vec<String>> {
    let nothing = vec![Vec::new(); fields];
    let Ok(text) = session.text(page) else {
        return nothing;
    };
    let Ok(found) = reader.read_alone(text) else {
        return nothing;
    };
    let found: Vec<Vec<String>> = found.fields().map(|field| texts(&field)).collect();
    if found.len() < fields { nothing } else { found }
}

fn texts(field: &unmold::reader::FoundField<'_>) -> Vec<String> {
    field
        .values()
        .map(|value| value.text().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(verdict: Verdict, values: &[&str]) -> FieldAnswer {
        FieldAnswer {
            group: 0,
            field: "street".to_owned(),
            page: 3,
            verdict,
            values: values.iter().map(|&value| value.to_owned()).collect(),
        }
    }

    fn found(values: &[&str]) -> Vec<String> {
        values.iter().map(|&value| value.to_owned()).collect()
    }

    #[test]
    fn an_answer_suits_what_it_calls_right() {
        let right = answer(Verdict::Instead, &["10 Mill  Lane"]);
        assert!(right.suits(&found(&["10 Mill\nLane"])));
        assert!(!right.suits(&found(&["11 Mill Lane"])) && !right.suits(&[]));
        let wrong = answer(Verdict::Wrong, &["Next"]);
        assert!(wrong.suits(&[]) && wrong.suits(&found(&["10 Mill Lane"])));
        assert!(!wrong.suits(&found(&["Next"])));
    }

    #[test]
    fn the_last_answer_about_a_value_is_kept() {
        let mut answers = Vec::new();
        keep(&mut answers, answer(Verdict::Wrong, &["Next"]));
        keep(&mut answers, answer(Verdict::Instead, &["10 Mill Lane"]));
        assert_eq!(answers.len(), 1);
        assert!(is_settled(
            &answers,
            0,
            "street",
            3,
            &found(&["10 Mill Lane"])
        ));
        assert!(!is_settled(&answers, 0, "street", 3, &found(&["Next"])));
        assert!(!is_settled(
            &answers,
            0,
            "street",
            4,
            &found(&["10 Mill Lane"])
        ));
    }
}
