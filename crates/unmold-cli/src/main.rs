//! The binary `unmold`: hands what was typed to [`unmold_cli::run`].

use std::process::ExitCode;

/// The allocator of musl takes a third longer on one thread, and more on two.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(unmold_cli::run(std::env::args_os()))
}
