//! `unmold view`.

use super::Inputs;
use clap::{Args as ClapArgs, ValueHint};
use std::path::PathBuf;

pub const VIEW_EXAMPLES: &str = "\
Examples:
  # learn from the pages, and look at what was found
  unmold view site/
  # the same; what is chosen is saved to this file
  unmold view site/ -o site.mold.json
  # look at what a mold finds on other pages
  unmold view --mold site.mold.json new/
  # look at the rules alone
  unmold view --mold site.mold.json
  # open at this page
  unmold view site/ --page 0003.html

The address that is printed opens once, in one browser, on this machine.
On another machine, lead the port there first:
  ssh -L 8080:127.0.0.1:8080 HOST unmold view --port 8080 --no-open site/";

#[derive(Debug, ClapArgs)]
pub struct ViewArgs {
    #[command(flatten)]
    pub inputs: Inputs,
    /// The mold to look at; without one, the pages are learned from first.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub mold: Option<PathBuf>,
    /// The file that the viewer saves the mold to, after asking if it exists; the file of --mold if
    /// none is given.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Open at the page of this name: a file's name, its path as it is listed, or an address.
    #[arg(long, value_name = "NAME")]
    pub page: Option<String>,
    /// The port to listen at; another one if it is taken, any if none is given.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// Print the address and open no browser.
    #[arg(long)]
    pub no_open: bool,
}
