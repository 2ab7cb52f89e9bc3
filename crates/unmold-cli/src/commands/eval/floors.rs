//! Figures that must not get worse.
//!
//! A file of floors is what `eval -f jsonl` wrote. Most figures have a floor; of mistakes and
//! alarms less is better, and what was written is their ceiling. A figure counts as worse from the
//! third digit on. Bounds are of the pages and the truth they were measured on: a data set with
//! others is passed over, with a word. Where all are passed over nothing was shown, and that is no
//! success.

use super::score::{Score, rounded};
use crate::{exit::Failure, output, terminal::visible};
use anyhow::{Result, anyhow};
use serde_json::{Map, Value};
use std::{
    collections::BTreeMap,
    fmt::Write,
    fs, io,
    path::{Path, PathBuf},
};

/// Figures that differ by less than this are the same.
const SAME: f64 = 0.0005;
/// Figures of which less is better. How many values are silently wrong is one of them, their share
/// is not: where fewer are wrong, the share of the silent ones may rise.
const CEILINGS: [&str; 3] = ["wrong", "silent", "alarms"];
/// Figures that say nothing of quality by themselves.
const NO_BOUNDS: [&str; 7] = ["pages", "columns", "right", "silently", "covered", "n", "a"];

type Row = Map<String, Value>;

pub struct Floors {
    path: PathBuf,
    rows: Vec<Row>,
}

/// What came of a comparison.
#[derive(Default)]
pub struct Compared {
    /// Rows that were compared, and rows that could not be.
    rows: usize,
    skipped: usize,
    /// Figures that are worse than their bound.
    worse: usize,
    /// Which they are, a line each.
    pub report: String,
}

impl Compared {
    /// Fails where a figure is worse, or where nothing was compared, unless the floors may be new.
    pub fn judge(&self, floors: &Floors, may_be_new: bool) -> Result<()> {
        match self {
            Compared {
                worse: 0, rows: 0, ..
            } if !may_be_new => Err(anyhow!(
                "--floors {}: nothing could be compared, as no data set was evaluated whose pages and truth are those of the file",
                floors.path.display()
            )),
            Compared { worse: 0, .. } => Ok(()),
            Compared { worse, .. } => Err(anyhow!(
                "{worse} figures are worse than their floor or ceiling"
            )),
        }
    }
}

impl Floors {
    /// Reads a file of floors; where they will be raised, there may be none yet.
    pub fn read(path: &Path, may_be_new: bool) -> Result<Self> {
        let refused =
            |reason: String| Failure::Usage(format!("--floors {}: {reason}", path.display()));
        let text = match fs::read_to_string(path) {
            Err(error) if may_be_new && error.kind() == io::ErrorKind::NotFound => String::new(),
            read => read.map_err(|error| refused(error.to_string()))?,
        };
        let rows = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(serde_json::from_str);
        let rows = rows
            .collect::<Result<_, _>>()
            .map_err(|error| refused(error.to_string()))?;
        Ok(Floors {
            path: path.to_owned(),
            rows,
        })
    }

    /// Compares figures with their bounds, and says which are worse and which data sets were passed
    /// over.
    pub fn compare(&self, scores: &[Score]) -> Compared {
        let (mut compared, mut skipped) = (Compared::default(), BTreeMap::<_, Vec<&str>>::new());
        for row in &self.rows {
            match standing(row, scores) {
                Ok(score) => compared.add(row, score),
                Err(reason) => {
                    compared.skipped += 1;
                    skipped
                        .entry((text(row, "dataset"), reason))
                        .or_default()
                        .push(text(row, "measure"));
                }
            }
        }
        for ((dataset, reason), measures) in skipped {
            _ = writeln!(
                compared.report,
                "skipped {} ({}): {reason}",
                visible(dataset),
                measures.join(", ")
            );
        }
        let Compared {
            rows,
            skipped,
            worse,
            ..
        } = compared;
        _ = writeln!(
            compared.report,
            "floors: {rows} compared, {skipped} skipped, {worse} worse"
        );
        compared
    }

    /// Writes the better of both figures, and what is new.
    pub fn raise(&mut self, scores: &[Score]) -> Result<()> {
        for score in scores {
            let place = self
                .rows
                .iter()
                .position(|row| is_of(row, score) && text(row, "digest") == score.digest);
            match place {
                Some(place) => raise_row(&mut self.rows[place], score),
                None => {
                    self.rows.retain(|row| !is_of(row, score));
                    if let Value::Object(row) = serde_json::to_value(score)? {
                        self.rows.push(row);
                    }
                }
            }
        }
        output::write_file(&self.path, true, |out| {
            self.rows
                .iter()
                .try_for_each(|row| output::jsonl_row(out, row))
        })
    }
}

impl Compared {
    fn add(&mut self, row: &Row, score: &Score) {
        self.rows += 1;
        let name = format!("{} {}", text(row, "measure"), visible(text(row, "dataset")));
        for Bounded { figure, bound, now } in
            bounded(row, score).into_iter().filter(Bounded::is_worse)
        {
            let (side, kind) = if is_ceiling(figure) {
                ("above", "ceiling")
            } else {
                ("below", "floor")
            };
            _ = writeln!(
                self.report,
                "{side}: {name} {figure} {now:.4}, {kind} {bound:.4}"
            );
            self.worse += 1;
        }
    }
}

/// The score that a row is a bound of, or why there is none.
fn standing<'s>(row: &Row, scores: &'s [Score]) -> Result<&'s Score, &'static str> {
    let score = scores
        .iter()
        .find(|score| is_of(row, score))
        .ok_or("it was not evaluated")?;
    let is_same = score.digest == text(row, "digest");
    is_same
        .then_some(score)
        .ok_or("its pages or its truth are others than those of the floors")
}

fn text<'r>(row: &'r Row, key: &str) -> &'r str {
    row.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn is_of(row: &Row, score: &Score) -> bool {
    text(row, "dataset") == score.dataset && text(row, "measure") == score.measure.name()
}

fn is_ceiling(figure: &str) -> bool {
    CEILINGS.contains(&figure)
}

/// A figure that must not get worse than its bound.
struct Bounded<'s> {
    figure: &'s str,
    bound: f64,
    now: f64,
}

impl Bounded<'_> {
    fn is_worse(&self) -> bool {
        let loss = if is_ceiling(self.figure) {
            self.now - self.bound
        } else {
            self.bound - self.now
        };
        loss > SAME
    }

    fn better(&self) -> f64 {
        if is_ceiling(self.figure) {
            self.bound.min(self.now)
        } else {
            self.bound.max(self.now)
        }
    }
}

/// The figures of a score that have a bound. One that the row does not have yet is bound by itself.
fn bounded<'s>(row: &Row, score: &'s Score) -> Vec<Bounded<'s>> {
    let figures = score
        .figures
        .iter()
        .filter(|(name, _)| !NO_BOUNDS.contains(&name.as_str()));
    let bound = |(figure, now): &'s (String, f64)| {
        let now = rounded(*now);
        Bounded {
            figure,
            bound: row.get(figure).and_then(Value::as_f64).unwrap_or(now),
            now,
        }
    };
    figures.map(bound).collect()
}

fn raise_row(row: &mut Row, score: &Score) {
    for bounded in bounded(row, score) {
        row.insert(bounded.figure.to_owned(), bounded.better().into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Measure;

    fn score(f1: f64, wrong: f64, digest: &str) -> Score {
        let figures = [("f1", f1), ("wrong", wrong), ("columns", 5.0)]
            .map(|(name, figure)| (name.to_owned(), figure));
        Score {
            dataset: "shop".to_owned(),
            measure: Measure::Examples,
            pages: 1,
            digest: digest.to_owned(),
            folder: PathBuf::new(),
            figures: figures.into(),
            by_page: Vec::new(),
        }
    }

    fn floors(f1: f64, wrong: f64) -> Floors {
        let Value::Object(row) = serde_json::to_value(score(f1, wrong, "a")).unwrap() else {
            unreachable!()
        };
        Floors {
            path: PathBuf::from("floors"),
            rows: vec![row],
        }
    }

    #[test]
    fn a_lower_figure_is_worse_and_so_are_more_mistakes() {
        let worse = |f1, wrong| floors(0.9, 2.0).compare(&[score(f1, wrong, "a")]).worse;
        assert_eq!(
            [
                worse(0.9, 2.0),
                worse(0.8996, 1.0),
                worse(0.899, 2.0),
                worse(1.0, 3.0)
            ],
            [0, 0, 1, 1]
        );
    }

    #[test]
    fn what_is_passed_over_is_named_and_alone_is_no_success() {
        let floors = floors(0.9, 2.0);
        for (scores, reason) in [
            (vec![score(0.1, 9.0, "b")], "pages or its truth are others"),
            (vec![], "not evaluated"),
        ] {
            let compared = floors.compare(&scores);
            assert!(
                compared.report.contains("skipped shop (examples): it"),
                "{}",
                compared.report
            );
            assert!(compared.report.contains(reason), "{}", compared.report);
            let failed = compared.judge(&floors, false).unwrap_err().to_string();
            assert!(failed.contains("nothing could be compared"), "{failed}");
        }
        assert!(
            floors
                .compare(&[score(0.9, 2.0, "a")])
                .judge(&floors, false)
                .is_ok()
        );
    }

    #[test]
    fn bounds_only_get_tighter_and_new_figures_get_theirs() {
        for (now, floor, wrong, ceiling) in [(0.95, 0.95, 1.0, 1.0), (0.5, 0.9, 3.0, 2.0)] {
            let mut floors = floors(0.9, 2.0);
            let mut score = score(now, wrong, "a");
            score.figures.push(("new".to_owned(), 0.7));
            raise_row(&mut floors.rows[0], &score);
            assert_eq!(
                (&floors.rows[0]["f1"], &floors.rows[0]["wrong"]),
                (&floor.into(), &ceiling.into())
            );
            assert_eq!(floors.rows[0]["new"], 0.7);
        }
    }
}
