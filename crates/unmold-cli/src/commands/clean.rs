//! `unmold clean`: pages without their template.

use super::read_mold;
use crate::{
    args::{CleanArgs, CleanFormat, CleanMethod, Global},
    corpus::Corpus,
    cutting::Cut,
    exit::Outcome,
    output,
    progress::Progress,
    templating,
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
        picture,
        text::{content, gaps},
    },
};
use unmold_io::save::{self, FileNames};

pub fn run(args: &CleanArgs, global: &Global) -> Result<Outcome> {
    let mut progress = Progress::new(global.quiet);
    let corpus = Corpus::read(&args.inputs, global, &mut progress)?;
    progress.begin("cleaning");
    let (template, how) = template(&corpus.texts, args, &mut progress)?;
    progress.end(&format!("{how}; cleaned {} pages", corpus.texts.len()));
    drop(progress);
    let cleaned = Cleaned { texts: &corpus.texts, template: &template };
    match (args.show, args.format, &args.output) {
        (true, ..) => output::write_to(None, false, |out| cleaned.show(out))?,
        (_, CleanFormat::Text, Some(folder)) => cleaned.write_folder(folder, args.overwrite)?,
        (_, CleanFormat::Text, None) => output::write_to(None, false, |out| cleaned.write_texts(out))?,
        (_, CleanFormat::Jsonl, path) => {
            output::write_to(path.as_deref(), args.overwrite, |out| cleaned.write_jsonl(out))?;
        }
    }
    Ok(corpus.outcome())
}

/// Where each page is template by the method that was asked for, and how that was found out.
fn template(texts: &[Text], args: &CleanArgs, progress: &mut Progress) -> Result<(Vec<Vec<Span>>, String)> {
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
        CleanMethod::Documents => {
            let mold = match &args.mold {
                Some(path) => read_mold(path)?,
                None => templating::learn(texts, &args.documents, progress)?,
            };
            let cleaner = templating::cleaner(&mold, &args.cleaner)?;
            let template = texts.par_iter().map(|text| cleaner.clean(text.as_str())).collect();
            Ok((template, "applied template strings".to_owned()))
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

    fn write_folder(&self, folder: &Path, overwrite: bool) -> Result<()> {
        save::create_folder(folder)?;
        let mut names = FileNames::new("txt");
        let named: Vec<_> = self.pages().map(|(text, template)| (names.name(text.id()), text, template)).collect();
        named.par_iter().try_for_each(|(name, text, template)| {
            let path = folder.join(name);
            if let Some(parent) = path.parent() {
                save::create_folder(parent)?;
            }
            output::write_file(&path, overwrite, |out| out.write_all(content(text.as_str(), template).as_bytes()))
        })
    }

    fn write_texts(&self, out: &mut dyn Write) -> io::Result<()> {
        for (at, (text, template)) in self.pages().enumerate() {
            if self.texts.len() > 1 {
                let gap = if at == 0 { "" } else { "\n" };
                writeln!(out, "{gap}{}", bold(&format!("==> {} <==", visible(text.id()))))?;
            }
            out.write_all(content(text.as_str(), template).as_bytes())?;
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
