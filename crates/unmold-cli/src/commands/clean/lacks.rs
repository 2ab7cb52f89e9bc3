//! Which pages gave no text, or hardly any, and why?

use super::sink::Cleaned;
use crate::{
    exit::Outcome,
    progress::Progress,
    terminal::{clipped, counted, visible},
};
use unmold::reader::Lack;

/// So many pages are named; the others are counted.
const NAMED: usize = 10;
/// A name is shown up to this length.
const NAME_WIDTH: usize = 80;

/// The pages that lack text.
#[derive(Default)]
pub struct Lacks {
    /// Those that gave none,
    empty: Pages,
    /// of which so many have none.
    without_text: usize,
    need_scripts: Pages,
    mostly_left_out: Pages,
}

/// Pages, the first of them by name.
#[derive(Default)]
struct Pages {
    count: usize,
    names: Vec<String>,
}

impl Pages {
    fn add(&mut self, id: &str) {
        self.count += 1;
        if self.names.len() < NAMED {
            self.names
                .push(clipped(&visible(id), NAME_WIDTH).into_owned());
        }
    }

    /// A line such as "3 pages gave no text: a.html, b.html, c.html".
    fn say(&self, what: [&str; 2], more: &str, progress: &Progress) {
        if self.count == 0 {
            return;
        }
        let others = match self.count - self.names.len() {
            0 => String::new(),
            others => format!(" and {others} more"),
        };
        let what = what[usize::from(self.count != 1)];
        progress.say(&format!(
            "{} {what}: {}{others}{more}",
            counted(self.count, "page"),
            self.names.join(", ")
        ));
    }
}

impl Lacks {
    /// Takes in pages.
    pub fn note(&mut self, pages: &[Cleaned]) {
        for page in pages {
            match page.lack {
                Some(Lack::NeedsScripts) => self.need_scripts.add(&page.id),
                Some(Lack::MostlyLeftOut) => self.mostly_left_out.add(&page.id),
                Some(lack) => {
                    self.empty.add(&page.id);
                    self.without_text += usize::from(lack == Lack::NoText);
                }
                None => {}
            }
        }
    }

    /// Says which they are.
    pub fn say(&self, progress: &Progress) {
        let none = match self.without_text {
            0 => String::new(),
            1 => " (one has none)".to_owned(),
            count => format!(" ({count} have none)"),
        };
        self.empty.say(["gave no text"; 2], &none, progress);
        self.need_scripts.say(
            [
                "needs scripts to show its text",
                "need scripts to show their text",
            ],
            "",
            progress,
        );
        self.mostly_left_out.say(
            [
                "gave hardly any of its text",
                "gave hardly any of their text",
            ],
            "",
            progress,
        );
    }

    /// How the command has ended: with `--strict-empty`, a page whose text was left out is a bad
    /// input.
    pub fn outcome(&self, outcome: Outcome, is_strict: bool) -> Outcome {
        let left_out = self.empty.count - self.without_text + self.mostly_left_out.count;
        if is_strict && left_out > 0 {
            Outcome::SomeBad
        } else {
            outcome
        }
    }
}
