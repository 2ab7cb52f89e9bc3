//! What the loader promises, on inputs built here: good ones, broken ones and random ones.

mod archives;
mod build;
mod files;
mod lines;
mod random;
mod samples;
mod tables;
