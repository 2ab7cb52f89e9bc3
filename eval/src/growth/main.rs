//! How does the work for a page grow with the page?
//!
//!   eval/growth [--only WORDS] [--jobs N] [--all]
//!
//! Each family is one shape of hostile page, made in three sizes. Each command reads it alone, as three
//! equal pages, and as three pages that differ. What is counted:
//!
//! - *work*: basic blocks executed, in this project and in everything that it is compiled with. The
//!   script `eval/growth` has the compiler call [`counter`] at each of them, so that the number hardly
//!   depends on the machine or on how busy it is. Without the script there is nothing to count, and the
//!   program says so.
//! - *memory*: the most bytes that were allocated at one time.
//! - *output*: the bytes that a command writes.
//!
//! The slope is that of the last doubling: 1 is linear, 2 is quadratic. Prints one line for each family
//! and command that is above a limit of [`limits`], and the worst of the others; exit code 1 if a line is not
//! among [`limits::KNOWN`].

mod commands;
mod counter;
mod families;
mod limits;

use anyhow::{Result, ensure};
use commands::Command;
use counter::Cost;
use families::{Family, Pile};
use limits::Finding;
use std::{env, process::ExitCode};

/// The sizes of the largest page of a family, in bytes. Large enough that a quadratic part of a cost
/// outweighs the linear one, small enough that all families take three minutes.
const PAGE_BYTES: [usize; 3] = [14_000, 28_000, 56_000];

/// The costs of a command for a pile of pages of each size.
pub struct Row {
    family: &'static str,
    pile: Pile,
    command: Command,
    /// The bytes of all pages of the pile.
    bytes: [usize; 3],
    costs: [Cost; 3],
}

impl Row {
    fn slope(&self, of: impl Fn(&Cost) -> u64) -> f64 {
        let (smaller, larger) = (of(&self.costs[1]).max(1), of(&self.costs[2]).max(1));
        (larger as f64 / smaller as f64).log2()
            / (self.bytes[2] as f64 / self.bytes[1] as f64).log2()
    }

    /// How the work grows with the bytes, from the middle size to the largest.
    pub fn work_slope(&self) -> f64 {
        self.slope(|cost| cost.work)
    }

    /// Whether the work grows faster than the pages.
    pub fn is_steep(&self) -> bool {
        self.work_slope() > limits::MAX_SLOPE
    }

    /// The most bytes held for the largest pile.
    pub fn memory(&self) -> u64 {
        self.costs[2].memory
    }

    /// The bytes written for the largest pile.
    pub fn output(&self) -> u64 {
        self.costs[2].output
    }

    /// The bytes of the largest pile.
    pub fn input(&self) -> u64 {
        self.bytes[2] as u64
    }

    fn print(&self, remark: &str) {
        println!(
            "{:<36} {:<6} {:<8} {:>6.2} {:>9.1} {:>8.1} {:>8.1}  {remark}",
            self.family,
            self.pile.name(),
            self.command.name(),
            self.work_slope(),
            self.costs[2].work as f64 / self.input() as f64,
            self.memory() as f64 / self.input() as f64,
            self.output() as f64 / self.input() as f64,
        );
    }
}

/// What was typed.
#[derive(Default)]
struct Args {
    /// Families whose names hold these words.
    only: Option<String>,
    /// Every line is printed.
    prints_all: bool,
    /// This process takes every so many families, from this one on.
    share: Option<(usize, usize)>,
}

impl Args {
    fn read() -> Result<Self> {
        let mut args = Args::default();
        let mut typed = env::args().skip(1);
        while let Some(word) = typed.next() {
            let mut value = || typed.next().unwrap_or_default();
            match word.as_str() {
                "--only" => args.only = Some(value()),
                "--all" => args.prints_all = true,
                "--share" => {
                    let share = value();
                    let parts = share.split_once('/');
                    let (at, of) = parts.unwrap_or(("0", "1"));
                    args.share = Some((at.parse()?, of.parse()?));
                }
                other => anyhow::bail!("no option {other}: --only WORDS, --all, --share AT/OF"),
            }
        }
        Ok(args)
    }

    fn chosen(&self) -> Vec<&'static Family> {
        let (first, step) = self.share.unwrap_or((0, 1));
        let chosen = families::ALL.iter().skip(first).step_by(step.max(1));
        let only = self.only.as_deref().unwrap_or_default();
        chosen.filter(|family| family.name.contains(only)).collect()
    }
}

fn main() -> Result<ExitCode> {
    let args = Args::read()?;
    ensure!(
        counter::is_counting(),
        "nothing is counted: start this program by eval/growth"
    );
    // One thread: what is counted is in order, and so is what is allocated.
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build_global()?;
    let mut unlisted = 0;
    for family in args.chosen() {
        for row in measure(family) {
            let finding = Finding::of(&row);
            if finding.is_unlisted() {
                unlisted += 1;
            }
            if args.prints_all || finding.is_worth_a_line() {
                row.print(&finding.remark());
            }
        }
    }
    if unlisted > 0 {
        eprintln!("{unlisted} lines are above a limit and not listed in eval/src/growth/limits.rs");
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// All commands over all piles of a family.
fn measure(family: &'static Family) -> Vec<Row> {
    let mut rows = Vec::new();
    for pile in Pile::ALL {
        let measured = measure_pile(family, pile, PAGE_BYTES);
        // Where something is full and is begun afresh, the cost makes a step, which is not growth:
        // a slope counts if pages of twice the size have it too.
        if measured.iter().all(|row| !row.is_steep()) {
            rows.extend(measured);
            continue;
        }
        let larger = measure_pile(family, pile, PAGE_BYTES.map(|bytes| 2 * bytes));
        for (smaller, larger) in measured.into_iter().zip(larger) {
            rows.push(if larger.is_steep() { smaller } else { larger });
        }
    }
    rows
}

fn measure_pile(family: &'static Family, pile: Pile, page_bytes: [usize; 3]) -> Vec<Row> {
    let piles = page_bytes.map(|bytes| family.pages(pile, bytes));
    let bytes = [0, 1, 2].map(|at: usize| piles[at].iter().map(|page| page.as_str().len()).sum());
    let runs = piles.map(|pages| commands::run_all(&pages));
    let row_of = |(at, command): (usize, Command)| Row {
        family: family.name,
        pile,
        command,
        bytes,
        costs: [0, 1, 2].map(|size: usize| runs[size][at]),
    };
    Command::ALL.into_iter().enumerate().map(row_of).collect()
}
