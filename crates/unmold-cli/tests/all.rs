//! All tests of the command line, as one program: each alone would be linked once more.

mod check;
mod cli;
mod common;
mod content;
mod crawl;
mod defaults;
mod documents;
mod eval;
mod examples;
mod faults;
mod faults_table;
mod files;
mod formats;
mod panics;
mod papers;
mod piles;
mod promises;
mod tables;
