//! `unmold man`: manual pages, made from the arguments themselves.

use crate::{args::Args, exit::Outcome};
use anyhow::Result;
use clap::CommandFactory;
use std::path::Path;
use unmold_io::save::{self, SaveError};

pub fn run(folder: &Path) -> Result<Outcome> {
    save::create_folder(folder)?;
    clap_mangen::generate_to(Args::command(), folder).map_err(|error| SaveError::from_write(folder, error))?;
    Ok(Outcome::Done)
}
