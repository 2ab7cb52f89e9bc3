//! `unmold debug cut-point`: the way to a cut point, and the landscape it goes over.

use crate::{
    args::{CutPointArgs, Global},
    corpus::Corpus,
    exit::Outcome,
    learning, output,
    progress::Progress,
    terminal::dimmed,
};
use anyhow::Result;
use std::{
    io::{self, Write},
    path::Path,
};
use unmold::{
    Span, Text,
    papers::cut_point::{CutPoint, Landscape},
    report::picture::{landscape_svg, landscape_text, painted_html},
};
use unmold_io::save::{self, FileNames};

pub fn run(args: &CutPointArgs, global: &Global) -> Result<Outcome> {
    let mut progress = Progress::new(global.quiet);
    let corpus = Corpus::read(&args.inputs, global, &mut progress)?;
    progress.begin("searching");
    let cut = learning::cut(&corpus.texts, &args.cut_point)?;
    let path = cut.found.path();
    let rows = landscape(&cut, args);
    progress.end(&cut.describe());
    drop(progress);
    output::write_to(None, false, |out| {
        write_path(out, path)?;
        writeln!(out)?;
        out.write_all(landscape_text(&rows, path).as_bytes())
    })?;
    if let Some(file) = &args.svg {
        output::write_file(file, args.overwrite, |out| {
            out.write_all(landscape_svg(&rows, path).as_bytes())
        })?;
    }
    if let Some(folder) = &args.html {
        write_painted(folder, args.overwrite, &corpus.texts, &cut.template)?;
    }
    corpus.close()
}

/// Without `--rows`, the landscape is shown this many rows beyond the path ...
const ROWS_BEYOND_PATH: usize = 5;

/// ... and at least up to this n.
const FEWEST_ROWS: usize = 22;

/// The rows of the landscape to show; none is longer than the longest page.
fn landscape(cut: &unmold::papers::cut_point::Cut, args: &CutPointArgs) -> Vec<[u64; 100]> {
    let mut landscape = Landscape::new(&cut.index, learning::cut_settings(&args.cut_point));
    let reached = cut.found.path().iter().map(|point| point.n).max();
    let default_last = (reached.unwrap_or(2) + ROWS_BEYOND_PATH).max(FEWEST_ROWS);
    let last = args.rows.unwrap_or(default_last);
    (2..=last.min(landscape.longest_page()).max(2))
        .map(|n| *landscape.row(n))
        .collect()
}

fn write_path(out: &mut dyn Write, path: &[CutPoint]) -> io::Result<()> {
    writeln!(out, "{:>5} {:>5} {:>12}", "n", "a", "alternations")?;
    for (at, point) in path.iter().enumerate() {
        let line = format!("{:>5} {:>5} {:>12}", point.n, point.a, point.count);
        writeln!(
            out,
            "{}",
            if at + 1 == path.len() {
                line.into()
            } else {
                dimmed(&line)
            }
        )?;
    }
    Ok(())
}

fn write_painted(
    folder: &Path,
    overwrite: bool,
    texts: &[Text],
    template: &[Vec<Span>],
) -> Result<()> {
    save::create_folder(folder)?;
    let mut names = FileNames::new("html");
    for (text, template) in texts.iter().zip(template) {
        let path = folder.join(names.name(text.id()));
        if let Some(parent) = path.parent() {
            save::create_folder(parent)?;
        }
        output::write_file(&path, overwrite, |out| {
            out.write_all(painted_html(text.id(), text.as_str(), template).as_bytes())
        })?;
    }
    Ok(())
}
