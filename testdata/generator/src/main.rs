//! Writes the project's own test sites, with their truth.
//!
//! ```text
//! texts/*.txt --stock--> sentences --(site modules)--> items --(layouts/*.html)--> page + truth --> sites/
//! ```
//!
//! A *layout* is an HTML page with holes. Printing it into a [`page::Page`] notes for every byte
//! whether the layout printed it (template) or a hole was filled with it (content), so the truth is
//! exact because nothing measures it afterwards.
//!
//! `cargo run -p testdata-generator` writes `testdata/sites/`; with `--check` it writes nothing and
//! fails at the first file that differs. The same source always writes the same bytes: every choice
//! comes from [`dice::Dice`], seeded by site and page.

mod dice;
mod files;
mod forum_ru;
mod item;
mod json;
mod layout;
mod library_ar;
mod news;
mod news_de;
mod news_ja;
mod page;
mod plain;
mod search_zh;
mod shop_en;
mod site;
mod stock;
#[cfg(test)]
mod tests;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => files::write(&files::folder(), &site::all_files()),
        ["--check"] => files::check(&files::folder(), &site::all_files()),
        _ => {
            eprintln!("usage: testdata-generator [--check]");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(said) => {
            eprintln!("{said}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
