//! `unmold debug declared`: what does a page declare to machines?

use crate::{
    args::{DeclaredArgs, Format, Global},
    corpus::Corpus,
    exit::Outcome,
    output,
    progress::Progress,
    terminal::{clipped, dimmed, visible},
};
use anyhow::Result;
use serde::Serialize;
use std::io::{self, Write};
use unmold::{
    Text,
    read::{
        declared::{Data, Declared, DeclaredThing},
        tree::Tree,
    },
};

pub fn run(args: &DeclaredArgs, global: &Global) -> Result<Outcome> {
    let mut progress = Progress::new(global.quiet);
    let corpus = Corpus::read(&args.inputs, global, &mut progress)?;
    drop(progress);
    output::write(&args.output, |out| {
        for text in &corpus.texts {
            let declared = Declared::with_state(&Tree::new(text.as_str()));
            match args.output.format() {
                Format::Table => write_page(out, text, &declared, args.top)?,
                Format::Jsonl => output::jsonl_row(
                    out,
                    &Row {
                        page: text.id(),
                        declared: &declared,
                    },
                )?,
            }
        }
        Ok(())
    })?;
    corpus.close()
}

/// What a page declares, for other programs.
#[derive(Serialize)]
struct Row<'a> {
    page: &'a str,
    #[serde(flatten)]
    declared: &'a Declared,
}

/// Writes what a page declares as a tree.
fn write_page(out: &mut dyn Write, text: &Text, declared: &Declared, top: usize) -> io::Result<()> {
    writeln!(out, "{}", visible(text.id()))?;
    for thing in declared.things() {
        let place = format!("bytes {}-{}", thing.span.start, thing.span.end);
        let name = visible(&thing.name);
        let title = [thing.vocabulary.name(), &name].join(" ");
        writeln!(out, "  {}  {}", title.trim_end(), dimmed(&place))?;
        let mut lines = Lines {
            out,
            left: top,
            hidden: 0,
        };
        lines.inside(thing)?;
        let hidden = lines.hidden;
        if hidden > 0 {
            writeln!(out, "    {}", dimmed(&format!("and {hidden} more")))?;
        }
    }
    for flaw in declared.flaws() {
        let vocabulary = flaw.vocabulary.name();
        let (start, end) = (flaw.span.start, flaw.span.end);
        writeln!(
            out,
            "  {vocabulary}: not read, {} (bytes {start}-{end})",
            flaw.flaw
        )?;
    }
    Ok(())
}

/// Writes lines up to a number.
struct Lines<'o> {
    out: &'o mut dyn Write,
    left: usize,
    hidden: usize,
}

impl Lines<'_> {
    fn inside(&mut self, thing: &DeclaredThing) -> io::Result<()> {
        self.values("", &thing.data, 2)
    }

    fn values(&mut self, name: &str, data: &Data, depth: usize) -> io::Result<()> {
        match data {
            Data::Null => Ok(()),
            Data::Scalar(scalar) => self.line(name, &scalar.text, depth),
            Data::List(items) => {
                for item in items {
                    self.values(name, item, depth)?;
                }
                Ok(())
            }
            Data::Object(object) => {
                let inside = if name.is_empty() { depth } else { depth + 1 };
                if !name.is_empty() {
                    self.line(name, "", depth)?;
                }
                for (name, value) in &object.properties {
                    self.values(name, value, inside)?;
                }
                Ok(())
            }
        }
    }

    fn line(&mut self, name: &str, value: &str, depth: usize) -> io::Result<()> {
        /// Longer values do not fit into a line.
        const WIDTH: usize = 100;
        if self.left == 0 {
            self.hidden += 1;
            return Ok(());
        }
        self.left -= 1;
        let name = visible(name);
        let value = visible(value);
        let line = format!("{name}: {}", clipped(&value, WIDTH));
        writeln!(
            self.out,
            "{:depth$}{}",
            "",
            line.trim_end(),
            depth = 2 * depth
        )
    }
}
