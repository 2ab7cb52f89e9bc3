//! What happens when the user or the system wants the program to end?
//!
//! Most commands end at once and leave nothing half-written behind. One that can end in good order
//! asks to be told first; it is told once, and a second time ends it like the others.

use crate::{exit, terminal::tell};
use std::sync::atomic::{AtomicBool, Ordering};

static ASKS_FIRST: AtomicBool = AtomicBool::new(false);
static IS_ASKED: AtomicBool = AtomicBool::new(false);

/// Sets what happens, for the whole program.
pub fn handle() {
    // Where no handler can be set, being interrupted is like being killed: the next run removes
    // what is left.
    _ = ctrlc::set_handler(interrupted);
}

fn interrupted() {
    let is_first = !IS_ASKED.swap(true, Ordering::Relaxed);
    if is_first && ASKS_FIRST.load(Ordering::Relaxed) {
        tell("unmold: ending in good order; once more ends at once");
        return;
    }
    unmold_io::save::abandon_unfinished();
    tell(
        "unmold: interrupted; what was finished is whole (clean -o DIR and crawl go on with --resume)",
    );
    std::process::exit(exit::INTERRUPTED)
}

/// Lets a command end by itself when the first interruption comes.
pub fn ask_first() {
    ASKS_FIRST.store(true, Ordering::Relaxed);
}

/// Whether an interruption has come.
pub fn is_asked() -> bool {
    IS_ASKED.load(Ordering::Relaxed)
}
