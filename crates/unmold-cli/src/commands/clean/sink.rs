//! Where cleaned pages go, and as what.

use crate::{
    args::{CleanArgs, CleanFormat, Keep},
    output,
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
    content::{
        apply::{Cleaner, discussion},
        write::{html, markdown, text},
    },
    read::gaps,
    read::{html::visible_text, metadata::About},
    report::{picture, rows::Fields},
};
use unmold_io::save::{self, FileNames};

/// A page and where it is template.
pub struct Cleaned<'m> {
    text: Text,
    template: Vec<Span>,
    headline: Option<Span>,
    /// Whether the page was judged on its own, for want of others like it.
    pub is_alone: bool,
    /// The fields of the mold with what the page has of each, if they were asked for.
    fields: Option<Vec<(&'m str, Vec<String>)>>,
}

impl<'m> Cleaned<'m> {
    pub fn of(text: Text, template: Vec<Span>) -> Self {
        Cleaned { text, template, headline: None, is_alone: false, fields: None }
    }

    pub fn by(cleaner: &Cleaner, text: Text) -> Self {
        let found = cleaner.clean(&text);
        let template = found.template(&text);
        Cleaned { headline: found.headline, is_alone: found.rule.is_none(), ..Cleaned::of(text, template) }
    }

    pub fn with_fields(self, fields: Option<Vec<(&'m str, Vec<String>)>>) -> Self {
        Cleaned { fields, ..self }
    }

    /// Takes what people wrote below the content for content too.
    pub fn keep_discussion(mut self) -> Self {
        let length = self.text.as_str().len();
        let mut kept = gaps(length, &self.template);
        kept.extend(discussion(&self.text, &kept));
        self.template = gaps(length, &Span::union(kept));
        self
    }

    fn written(&self, writer: &Writer) -> String {
        (writer.write)(self)
    }

    fn row(&self) -> Row<'_> {
        let page = self.text.as_str();
        let kept = gaps(page.len(), &self.template);
        let about = About::of(&self.text, self.headline);
        Row {
            page: self.text.id(),
            url: self.text.url(),
            title: self.headline.map(|span| visible_text(span.of(page))).or(about.title),
            date: about.date,
            author: about.author,
            text: text::content(page, &self.template),
            fields: self.fields.as_deref().map(Fields),
            content: kept.iter().map(|span| [span.start, span.end]).collect(),
        }
    }

    /// The source with the template in grey.
    fn painted(&self) -> String {
        let mut shown = String::new();
        picture::painted(self.text.as_str(), &self.template, |piece, is_template| {
            // Lines stay lines; each is painted on its own, so that pagers keep the colour.
            for (at, line) in piece.split('\n').enumerate() {
                shown.push_str(if at > 0 { "\n" } else { "" });
                let line = visible(line);
                shown.push_str(&if is_template { dimmed(&line) } else { line });
            }
        });
        shown + "\n"
    }
}

/// A page's content, for other programs.
#[derive(Serialize)]
struct Row<'a> {
    page: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fields: Option<Fields<'a>>,
    content: Vec<[u32; 2]>,
}

/// What a page is written as.
struct Writer {
    write: fn(&Cleaned<'_>) -> String,
    extension: &'static str,
}

impl Writer {
    fn of(args: &CleanArgs) -> Self {
        if args.show {
            return Writer { write: |page| page.painted(), extension: "txt" };
        }
        match args.format {
            CleanFormat::Html if args.paint => Writer {
                write: |page| picture::painted_html(page.text.id(), page.text.as_str(), &page.template),
                extension: "html",
            },
            CleanFormat::Html => {
                Writer { write: |page| html::content(page.text.as_str(), &page.template), extension: "html" }
            }
            CleanFormat::Markdown => {
                Writer { write: |page| markdown::content(page.text.as_str(), &page.template), extension: "md" }
            }
            CleanFormat::Text | CleanFormat::Jsonl => {
                Writer { write: |page| text::content(page.text.as_str(), &page.template), extension: "txt" }
            }
        }
    }
}

/// Writes pages, batch by batch, to where they were asked for.
pub fn write_pages<'m>(args: &CleanArgs, mut next: impl FnMut() -> Result<Option<Vec<Cleaned<'m>>>>) -> Result<()> {
    let writer = Writer::of(args);
    let mut next = || -> Result<Option<Vec<Cleaned<'m>>>> {
        let pages = next()?;
        Ok(match args.keep {
            Some(Keep::Comments) => pages.map(|pages| pages.into_par_iter().map(Cleaned::keep_discussion).collect()),
            None => pages,
        })
    };
    match (&args.output, args.format) {
        (path, CleanFormat::Jsonl) => output::stream_to(path.as_deref(), args.overwrite, |out| {
            while let Some(pages) = next()? {
                write_rows(out, &pages)?;
            }
            Ok(())
        }),
        (Some(folder), _) => {
            save::create_folder(folder)?;
            let mut names = FileNames::new(writer.extension);
            while let Some(pages) = next()? {
                write_files(folder, &mut names, &pages, &writer, args.overwrite)?;
            }
            Ok(())
        }
        (None, _) => output::stream_to(None, false, |out| {
            let mut is_first = true;
            while let Some(pages) = next()? {
                let is_only = is_first && pages.len() == 1 && !args.show;
                write_texts(out, &pages, &writer, std::mem::take(&mut is_first), is_only)?;
            }
            Ok(())
        }),
    }
}

fn write_rows(out: &mut dyn Write, pages: &[Cleaned<'_>]) -> io::Result<()> {
    let rows: Vec<Row<'_>> = pages.par_iter().map(Cleaned::row).collect();
    rows.iter().try_for_each(|row| output::jsonl_row(out, row))
}

fn write_files(
    folder: &Path,
    names: &mut FileNames,
    pages: &[Cleaned<'_>],
    writer: &Writer,
    overwrite: bool,
) -> Result<()> {
    let named: Vec<_> = pages.iter().map(|page| (names.name(page.text.id()), page)).collect();
    named.par_iter().try_for_each(|(name, page)| {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            save::create_folder(parent)?;
        }
        output::write_text(&path, overwrite, &page.written(writer))
    })
}

/// Writes pages one below the other, each under its name unless it is the only one.
fn write_texts(
    out: &mut dyn Write,
    pages: &[Cleaned<'_>],
    writer: &Writer,
    is_first: bool,
    is_only: bool,
) -> io::Result<()> {
    let written: Vec<String> = pages.par_iter().map(|page| page.written(writer)).collect();
    for (at, (page, text)) in pages.iter().zip(&written).enumerate() {
        if !is_only {
            let gap = if is_first && at == 0 { "" } else { "\n" };
            writeln!(out, "{gap}{}", bold(&format!("==> {} <==", visible(page.text.id()))))?;
        }
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}
