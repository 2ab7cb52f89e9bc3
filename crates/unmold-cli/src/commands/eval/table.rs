//! Scores as tables to read: one for each measure, means below.

use super::score::Score;
use crate::terminal::{bold, dimmed, visible};
use std::io::{self, Write};

const NAME_WIDTH: usize = 34;
/// Figures above this are counts.
const LARGEST_SHARE: f64 = 1.0;

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
    let names = |score: &Score| score.figures.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    one.measure == other.measure && names(one) == names(other)
}

fn write_block(out: &mut dyn Write, block: &[&Score]) -> io::Result<()> {
    let names: Vec<&str> = block[0].figures.iter().map(|(name, _)| name.as_str()).collect();
    let header: Vec<String> = ["pages"].iter().chain(&names).map(|name| (*name).to_owned()).collect();
    writeln!(out, "{}", bold(&line(block[0].measure.name(), &header)))?;
    for score in block {
        let mut cells = vec![score.pages.to_string()];
        cells.extend(score.figures.iter().map(|(_, figure)| shown(*figure)));
        writeln!(out, "{}", line(&visible(&score.dataset), &cells))?;
    }
    if block.len() > 1 {
        write_means(out, block, &names)?;
    }
    Ok(())
}

/// The mean over all sets, and over each half of them: every second, by name.
fn write_means(out: &mut dyn Write, block: &[&Score], names: &[&str]) -> io::Result<()> {
    let half = |first: usize| block.iter().skip(first).step_by(2).copied().collect::<Vec<_>>();
    let parts = [
        (format!("mean of {}", block.len()), block.to_vec()),
        ("first half".to_owned(), half(0)),
        ("second half".to_owned(), half(1)),
    ];
    for (name, part) in parts {
        let mut cells = vec![part.iter().map(|score| score.pages).sum::<usize>().to_string()];
        cells.extend(names.iter().map(|name| shown(mean_of(&part, name))));
        writeln!(out, "{}", dimmed(&line(&name, &cells)))?;
    }
    Ok(())
}

/// The mean of a figure over data sets.
pub fn mean_of(scores: &[&Score], name: &str) -> f64 {
    unmold::evaluate::mean(scores.iter().filter_map(|score| score.figure(name)))
}

/// A figure as it is read: shares with three digits, counts as numbers.
pub fn shown(figure: f64) -> String {
    let is_count = figure > LARGEST_SHARE && figure.fract() == 0.0;
    if is_count { format!("{figure}") } else { format!("{figure:.3}") }
}

fn line(name: &str, cells: &[String]) -> String {
    let cells: String = cells.iter().map(|cell| format!(" {cell:>10}")).collect();
    format!("{name:<NAME_WIDTH$}{cells}")
}
