//! Figures that must not fall.
//!
//! A file of floors is what `eval -f jsonl` wrote. A figure counts as lower from the third digit on. Floors are of the pages
//! they were measured on: a data set whose pages are others is passed over, with a word.

use super::score::{Score, rounded};
use crate::{exit::Failure, output};
use anyhow::Result;
use serde_json::{Map, Value};
use std::{
    fmt::Write,
    fs, io,
    path::{Path, PathBuf},
};

/// Figures that are lower by less than this are the same.
const SAME: f64 = 0.0005;
/// Figures of which less is better, or that say nothing of quality.
const NOT_FLOORS: [&str; 9] = ["pages", "columns", "wrong", "right", "silently", "alarms", "covered", "n", "a"];

pub struct Floors {
    path: PathBuf,
    rows: Vec<Map<String, Value>>,
    report: String,
}

impl Floors {
    /// Reads a file of floors; where they will be raised, there may be none yet.
    pub fn read(path: &Path, may_be_new: bool) -> Result<Self> {
        let refused = |reason: String| Failure::Usage(format!("--floors {}: {reason}", path.display()));
        let text = match fs::read_to_string(path) {
            Err(error) if may_be_new && error.kind() == io::ErrorKind::NotFound => String::new(),
            read => read.map_err(|error| refused(error.to_string()))?,
        };
        let rows = text.lines().filter(|line| !line.trim().is_empty()).map(serde_json::from_str);
        let rows = rows.collect::<Result<_, _>>().map_err(|error| refused(error.to_string()))?;
        Ok(Floors { path: path.to_owned(), rows, report: String::new() })
    }

    /// Counts the figures that are below their floor, and says which.
    pub fn compare(&mut self, scores: &[Score]) -> usize {
        let (mut below, mut compared, mut skipped) = (0, 0, 0);
        let mut lines = String::new();
        for row in &self.rows {
            let name = format!("{} {}", text(row, "measure"), text(row, "dataset"));
            match scores.iter().find(|score| is_of(row, score)) {
                None => skipped += 1,
                Some(score) if score.digest != text(row, "digest") => {
                    let _ = writeln!(lines, "skipped {name}: its pages are others than those of the floor");
                    skipped += 1;
                }
                Some(score) => {
                    compared += 1;
                    for (figure, floor, now) in lower(row, score) {
                        let _ = writeln!(lines, "below: {name} {figure} {now:.4}, floor {floor:.4}");
                        below += 1;
                    }
                }
            }
        }
        let _ = writeln!(lines, "floors: {compared} compared, {skipped} skipped, {below} below");
        self.report = lines;
        below
    }

    pub fn report(&self) -> &str {
        &self.report
    }

    /// Writes the higher of both figures, and what is new.
    pub fn raise(&mut self, scores: &[Score]) -> Result<()> {
        for score in scores {
            let place = self.rows.iter().position(|row| is_of(row, score) && text(row, "digest") == score.digest);
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
        output::write_file(&self.path, true, |out| self.rows.iter().try_for_each(|row| output::jsonl_row(out, row)))
    }
}

fn text<'r>(row: &'r Map<String, Value>, key: &str) -> &'r str {
    row.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn is_of(row: &Map<String, Value>, score: &Score) -> bool {
    text(row, "dataset") == score.dataset && text(row, "measure") == score.measure.name()
}

/// The figures of a score that must not fall, with their floors.
fn with_floors<'s>(row: &Map<String, Value>, score: &'s Score) -> Vec<(&'s str, f64, f64)> {
    let figures = score.figures.iter().filter(|(name, _)| !NOT_FLOORS.contains(&name.as_str()));
    figures.filter_map(|(name, now)| Some((name.as_str(), row.get(name)?.as_f64()?, rounded(*now)))).collect()
}

fn lower<'s>(row: &Map<String, Value>, score: &'s Score) -> Vec<(&'s str, f64, f64)> {
    with_floors(row, score).into_iter().filter(|(_, floor, now)| now + SAME < *floor).collect()
}

fn raise_row(row: &mut Map<String, Value>, score: &Score) {
    for (name, floor, now) in with_floors(row, score) {
        row.insert(name.to_owned(), floor.max(now).into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Measure;

    fn score(f1: f64, digest: &str) -> Score {
        let figures = vec![("f1".to_owned(), f1), ("columns".to_owned(), 5.0)];
        let (dataset, digest) = ("shop".to_owned(), digest.to_owned());
        Score {
            dataset,
            measure: Measure::Fields,
            pages: 1,
            digest,
            folder: PathBuf::new(),
            figures,
            by_page: Vec::new(),
        }
    }

    fn floors(f1: f64, digest: &str) -> Floors {
        let Value::Object(row) = serde_json::to_value(score(f1, digest)).unwrap() else { unreachable!() };
        Floors { path: PathBuf::new(), rows: vec![row], report: String::new() }
    }

    #[test]
    fn a_lower_figure_is_below_and_other_pages_are_passed_over() {
        assert_eq!(floors(0.9, "a").compare(&[score(0.9, "a")]), 0);
        assert_eq!(floors(0.9, "a").compare(&[score(0.8996, "a")]), 0);
        assert_eq!(floors(0.9, "a").compare(&[score(0.899, "a")]), 1);
        let mut others = floors(0.9, "a");
        assert_eq!(others.compare(&[score(0.1, "b")]), 0);
        assert!(others.report().contains("skipped fields shop"), "{}", others.report());
    }

    #[test]
    fn floors_only_go_up() {
        for (now, floor) in [(0.95, 0.95), (0.5, 0.9)] {
            let mut floors = floors(0.9, "a");
            raise_row(&mut floors.rows[0], &score(now, "a"));
            assert_eq!(floors.rows[0]["f1"], floor);
        }
    }
}
