//! What the shell is told when we are done.

use crate::terminal::{tell, visible};
use std::io;
use unmold_io::save::SaveError;

/// How a command ended that did its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All inputs were good.
    Done,
    /// Some inputs were bad; they are listed on stderr.
    SomeBad,
    /// What was compared is not the same: the site has changed, two molds differ.
    Changed,
}

impl Outcome {
    /// What the shell is told.
    pub fn code(self) -> u8 {
        match self {
            Outcome::Done => 0,
            Outcome::SomeBad => 3,
            Outcome::Changed => 1,
        }
    }
}

/// Why a command did not do its work, where that has an exit code of its own.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// What was typed makes no sense.
    #[error("{0}")]
    Usage(String),
    /// With `--strict`, the first bad input.
    #[error("{0}")]
    BadInput(String),
    /// There is no page to work on.
    #[error("{0}")]
    Nothing(String),
    /// There is more than was allowed.
    #[error("{0}")]
    Limit(String),
    /// The disk is nearly full.
    #[error("{0}")]
    Full(String),
    /// Somebody wanted it to end.
    #[error("{0}")]
    Interrupted(String),
}

impl Failure {
    fn code(&self) -> u8 {
        match self {
            Failure::Usage(_) => USAGE,
            Failure::BadInput(_) => 3,
            Failure::Nothing(_) => 4,
            Failure::Full(_) => UNWRITTEN,
            Failure::Limit(_) => 6,
            Failure::Interrupted(_) => INTERRUPTED as u8,
        }
    }
}

/// What the shell is told when what was typed makes no sense.
pub const USAGE: u8 = 2;

/// What the shell is told when the output could not be written.
pub const UNWRITTEN: u8 = 5;

/// What the shell is told when the program was interrupted.
pub const INTERRUPTED: i32 = 130;

/// Prints why a command failed and gives the exit code.
pub fn report(error: &anyhow::Error) -> u8 {
    if is_broken_pipe(error) {
        // Whoever reads our output has seen enough.
        return 0;
    }
    // What is said of a pattern or a page may have several lines; each is made safe to print.
    let reason = format!("{error:#}{}", way_out(error));
    let lines: Vec<_> = reason.lines().map(visible).collect();
    tell(&format!("unmold: {}", lines.join("\n")));
    code_of(error)
}

/// What to type where something stands in the way. All commands that write files have the option.
fn way_out(error: &anyhow::Error) -> &'static str {
    match error.downcast_ref::<SaveError>() {
        Some(SaveError::Exists { .. }) => "; --overwrite replaces it",
        Some(SaveError::NotEmpty { .. }) => "; --overwrite replaces what has the same name",
        _ => "",
    }
}

/// The exit code of an error.
pub fn code_of(error: &anyhow::Error) -> u8 {
    if let Some(failure) = error.downcast_ref::<Failure>() {
        return failure.code();
    }
    match error.downcast_ref::<SaveError>() {
        // That the file exists can be seen before starting, like a wrong option.
        Some(
            SaveError::Exists { .. }
            | SaveError::NotEmpty { .. }
            | SaveError::NotAFile { .. }
            | SaveError::AmongInputs { .. },
        ) => USAGE,
        Some(_) => UNWRITTEN,
        None => 1,
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
