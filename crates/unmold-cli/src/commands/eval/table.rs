//! Scores as tables to read: one for each measure, means below.

use super::score::Score;
use crate::terminal::{bold, dimmed, visible};
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// No column is narrower: a share with three digits, and a blank.
const NARROWEST: usize = 6;
/// Figures that count something.
const COUNTS: [&str; 6] = ["columns", "wrong", "right", "silent", "n", "a"];

pub fn write(out: &mut dyn Write, scores: &[Score]) -> io::Result<()> {
    // Sets whose figures have other names (pages of many sites) make a table of their own.
    for (number, block) in blocks(scores).into_iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        write_block(out, &block)?;
    }
    Ok(())
}

/// Scores of the same measure and the same figures, in their order.
pub fn blocks(scores: &[Score]) -> Vec<Vec<&Score>> {
    let mut blocks: Vec<Vec<&Score>> = Vec::new();
    for score in scores {
        match blocks.iter_mut().find(|block| is_alike(block[0], score)) {
            Some(block) => block.push(score),
            None => blocks.push(vec![score]),
        }
    }
    blocks
}

fn is_alike(one: &Score, other: &Score) -> bool {
    let names = |score: &Score| {
        score
            .figures
            .iter()
            .map(|(name, _)| name.clone())
            .collect::<Vec<_>>()
    };
    one.measure == other.measure && names(one) == names(other)
}

/// A row: what it is of, and its cells.
type Line = (String, Vec<String>);

fn write_block(out: &mut dyn Write, block: &[&Score]) -> io::Result<()> {
    let names: Vec<&str> = block[0]
        .figures
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    let header = header(block[0].measure.name(), &names);
    let rows: Vec<Line> = block.iter().map(|score| row_of(score)).collect();
    let means = if block.len() > 1 {
        means(block, &names)
    } else {
        Vec::new()
    };
    let widths = widths(&header.iter().chain(&rows).chain(&means).collect::<Vec<_>>());
    header
        .iter()
        .try_for_each(|row| writeln!(out, "{}", bold(&line(row, &widths))))?;
    rows.iter()
        .try_for_each(|row| writeln!(out, "{}", line(row, &widths)))?;
    means
        .iter()
        .try_for_each(|row| writeln!(out, "{}", dimmed(&line(row, &widths))))
}

/// The names of figures. Those of two words stand on two lines, so that more of them fit beside
/// each other.
fn header(measure: &str, names: &[&str]) -> Vec<Line> {
    let halves: Vec<(&str, &str)> = names
        .iter()
        .map(|name| name.split_once('_').unwrap_or(("", name)))
        .collect();
    let above = |cells: Vec<&str>| {
        (
            String::new(),
            cells.into_iter().map(str::to_owned).collect(),
        )
    };
    let mut lines: Vec<Line> = vec![above(
        [""].into_iter()
            .chain(halves.iter().map(|(first, _)| *first))
            .collect(),
    )];
    lines.retain(|(_, cells)| cells.iter().any(|cell| !cell.is_empty()));
    let below = ["pages"]
        .into_iter()
        .chain(halves.iter().map(|(_, second)| *second));
    lines.push((measure.to_owned(), below.map(str::to_owned).collect()));
    lines
}

fn row_of(score: &Score) -> Line {
    let figures = score
        .figures
        .iter()
        .map(|(name, figure)| shown(name, *figure));
    (
        visible(&score.dataset).into_owned(),
        [score.pages.to_string()]
            .into_iter()
            .chain(figures)
            .collect(),
    )
}

/// The mean over all sets, and over each half of them: every second, by name.
fn means(block: &[&Score], names: &[&str]) -> Vec<Line> {
    let half = |first: usize| {
        block
            .iter()
            .skip(first)
            .step_by(2)
            .copied()
            .collect::<Vec<_>>()
    };
    let parts = [
        (format!("mean of {}", block.len()), block.to_vec()),
        ("first half".to_owned(), half(0)),
        ("second half".to_owned(), half(1)),
    ];
    let line = |(name, part): (String, Vec<&Score>)| {
        let pages = part
            .iter()
            .map(|score| score.pages)
            .sum::<usize>()
            .to_string();
        let figures = names.iter().map(|name| shown(name, mean_of(&part, name)));
        (name, [pages].into_iter().chain(figures).collect())
    };
    parts.into_iter().map(line).collect()
}

/// How wide the names are, and each column.
fn widths(lines: &[&Line]) -> Vec<usize> {
    let columns = lines
        .iter()
        .map(|(_, cells)| cells.len())
        .max()
        .unwrap_or(0);
    let widest = |column: usize| {
        lines
            .iter()
            .map(|(_, cells)| cells[column].width())
            .max()
            .unwrap_or(0)
    };
    let names = lines
        .iter()
        .map(|(name, _)| name.width())
        .max()
        .unwrap_or(0);
    [names]
        .into_iter()
        .chain((0..columns).map(|column| widest(column).max(NARROWEST)))
        .collect()
}

/// The mean of a figure over data sets.
pub fn mean_of(scores: &[&Score], name: &str) -> f64 {
    unmold::evaluate::mean(scores.iter().filter_map(|score| score.figure(name)))
}

/// A figure as it is read: shares with three digits, counts as numbers, the mean of counts with one
/// digit.
pub fn shown(name: &str, figure: f64) -> String {
    match COUNTS.contains(&name) {
        true if figure.fract() == 0.0 => format!("{figure}"),
        true => format!("{figure:.1}"),
        false => format!("{figure:.3}"),
    }
}

fn line((name, cells): &Line, widths: &[usize]) -> String {
    let blanks = |text: &str, width: usize| " ".repeat(width.saturating_sub(text.width()));
    let cells = cells
        .iter()
        .zip(&widths[1..])
        .map(|(cell, width)| format!(" {}{cell}", blanks(cell, *width)));
    format!(
        "{name}{}{}",
        blanks(name, widths[0]),
        cells.collect::<String>()
    )
    .trim_end()
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Measure;
    use std::path::PathBuf;

    fn score(dataset: &str, wrong: f64) -> Score {
        let figures =
            [("first_10", 0.5), ("wrong", wrong)].map(|(name, figure)| (name.to_owned(), figure));
        Score {
            dataset: dataset.to_owned(),
            measure: Measure::Fields,
            pages: 4,
            digest: String::new(),
            folder: PathBuf::new(),
            figures: figures.into(),
            by_page: Vec::new(),
        }
    }

    #[test]
    fn columns_are_as_wide_as_they_must_be_and_counts_are_counts() {
        let mut out = Vec::new();
        write(&mut out, &[score("a", 0.0), score("新闻", 3.0)]).unwrap();
        let lines: Vec<&str> = std::str::from_utf8(&out)
            .unwrap()
            .lines()
            .map(str::trim_end)
            .collect();
        let expected = [
            "                    first",
            "fields       pages     10  wrong",
            "a                4  0.500      0",
            "新闻             4  0.500      3",
            "mean of 2        8  0.500    1.5",
            "first half       4  0.500      0",
            "second half      4  0.500      3",
        ];
        assert_eq!(lines, expected);
    }
}
