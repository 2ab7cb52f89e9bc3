//! `unmold clean`: pages without their template.

use crate::{
    args::{CleanArgs, CleanFormat, CleanMethod, Global},
    corpus::Corpus,
    cutting::Cut,
    exit::Outcome,
    output,
    progress::Progress,
    terminal::{bold, dimmed, visible},
};
use anyhow::Result;
use rayon::prelude::*;
use serde::Serialize;
use std::{
    io::{self, Write},
    path::Path,
};
use unmold::{
    Span, Text,
    detect::amplify::{Amplification, Threshold, template_spans},
    encode::chars,
    index::Index,
    report::{
        html, markdown, picture,
        text::{content, gaps},
    },
};
use unmold_io::save::{self, FileNames};

pub fn run(args: &CleanArgs, global: &Global) -> Result<Outcome> {
    let mut progress = Progress::new(global.quiet);
    let corpus = Corpus::read(&args.inputs, global, &mut progress)?;
    progress.begin("cleaning");
    let (template, how) = template(&corpus.texts, args)?;
    progress.end(&format!("{how}; cleaned {} pages", corpus.texts.len()));
    drop(progress);
    let cleaned = Cleaned { texts: &corpus.texts, template: &template };
    match (args.show, args.format, &args.output) {
        (true, ..) => output::write_to(None, false, |out| cleaned.show(out))?,
        (_, CleanFormat::Jsonl, path) => {
            output::write_to(path.as_deref(), args.overwrite, |out| cleaned.write_jsonl(out))?;
        }
        (_, format, Some(folder)) => cleaned.write_folder(folder, &Written::of(format), args.overwrite)?,
        (_, format, None) => output::write_to(None, false, |out| cleaned.write_texts(out, &Written::of(format)))?,
    }
    Ok(corpus.outcome())
}

/// Where each page is template by the method that was asked for, and how that was found out.
fn template(texts: &[Text], args: &CleanArgs) -> Result<(Vec<Vec<Span>>, String)> {
    match args.method {
        CleanMethod::CutPoint => {
            let cut = Cut::find(texts, &args.cut_point)?;
            let how = cut.describe();
            Ok((cut.template, how))
        }
        CleanMethod::Amplify => {
            let index = Index::new(chars::encode(texts))?;
            let peaks = Amplification::of(&index).peaks(Threshold::default());
            Ok((template_spans(&index, &peaks), format!("{} frequencies stand out", peaks.len())))
        }
    }
}

/// What the content of a page is written as, from the page and its template.
struct Written {
    write: fn(&str, &[Span]) -> String,
    extension: &'static str,
}

impl Written {
    fn of(format: CleanFormat) -> Self {
        match format {
            CleanFormat::Html => Written { write: html::content, extension: "html" },
            CleanFormat::Markdown => Written { write: markdown::content, extension: "md" },
            CleanFormat::Text | CleanFormat::Jsonl => Written { write: content, extension: "txt" },
        }
    }
}

/// Pages and where they are template.
struct Cleaned<'a> {
    texts: &'a [Text],
    template: &'a [Vec<Span>],
}

/// A page's content, for other programs.
#[derive(Serialize)]
struct Row<'a> {
    page: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    text: String,
    content: Vec<[u32; 2]>,
}

impl<'a> Cleaned<'a> {
    fn pages(&self) -> impl Iterator<Item = (&'a Text, &'a Vec<Span>)> + use<'a> {
        self.texts.iter().zip(self.template)
    }

    fn write_folder(&self, folder: &Path, written: &Written, overwrite: bool) -> Result<()> {
        save::create_folder(folder)?;
        let mut names = FileNames::new(written.extension);
        let named: Vec<_> = self.pages().map(|(text, template)| (names.name(text.id()), text, template)).collect();
        named.par_iter().try_for_each(|(name, text, template)| {
            let path = folder.join(name);
            if let Some(parent) = path.parent() {
                save::create_folder(parent)?;
            }
            output::write_file(&path, overwrite, |out| {
                out.write_all((written.write)(text.as_str(), template).as_bytes())
            })
        })
    }

    fn write_texts(&self, out: &mut dyn Write, written: &Written) -> io::Result<()> {
        for (at, (text, template)) in self.pages().enumerate() {
            if self.texts.len() > 1 {
                let gap = if at == 0 { "" } else { "\n" };
                writeln!(out, "{gap}{}", bold(&format!("==> {} <==", visible(text.id()))))?;
            }
            out.write_all((written.write)(text.as_str(), template).as_bytes())?;
        }
        Ok(())
    }

    fn write_jsonl(&self, out: &mut dyn Write) -> io::Result<()> {
        for (text, template) in self.pages() {
            let kept = gaps(text.as_str().len(), template);
            let row = Row {
                page: text.id(),
                url: text.url(),
                text: content(text.as_str(), template),
                content: kept.iter().map(|span| [span.start, span.end]).collect(),
            };
            output::jsonl_row(out, &row)?;
        }
        Ok(())
    }

    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        for (text, template) in self.pages() {
            writeln!(out, "{}", bold(&format!("==> {} <==", visible(text.id()))))?;
            let mut shown = String::new();
            picture::painted(text.as_str(), template, |piece, is_template| {
                // Lines stay lines; each is painted on its own, so that pagers keep the colour.
                for (at, line) in piece.split('\n').enumerate() {
                    shown.push_str(if at > 0 { "\n" } else { "" });
                    let line = visible(line);
                    shown.push_str(&if is_template { dimmed(&line) } else { line });
                }
            });
            writeln!(out, "{shown}")?;
        }
        Ok(())
    }
}
