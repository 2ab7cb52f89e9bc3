//! Where cleaned pages go, and as what.

use super::rows;
use crate::{
    args::{CleanArgs, CleanFormat, Keep, Paint},
    exit::Failure,
    output,
    progress::Progress,
    terminal::{bold, dimmed, visible},
};
use anyhow::Result;
use rayon::prelude::*;
use std::{
    io::{self, Write},
    path::Path,
};
use unmold::{
    Extraction, Span, Text,
    read::{PageError, guarded},
    reader::{Content, Lack},
    report::{cleaned::CleanedRow, paint, picture},
};
use unmold_io::{
    save::{self, FileNames},
    table::Cell,
};

/// A page as it is written.
pub struct Cleaned {
    pub id: String,
    url: Option<String>,
    written: Written,
    /// Whether the page was judged on its own, for want of others like it.
    pub is_alone: bool,
    /// Why it has no text, or little.
    pub lack: Option<Lack>,
}

enum Written {
    Text(String),
    Row(Vec<Cell>),
}

impl Cleaned {
    fn text(&self) -> &str {
        if let Written::Text(text) = &self.written {
            text
        } else {
            ""
        }
    }

    fn into_row(self) -> Vec<Cell> {
        if let Written::Row(row) = self.written {
            row
        } else {
            Vec::new()
        }
    }
}

/// What pages are written as.
pub struct Writer {
    form: Form,
    keeps_comments: bool,
}

#[derive(Clone, Copy)]
enum Form {
    Text,
    Html,
    Markdown,
    Jsonl,
    Parquet,
    /// The source with the template in grey, for a terminal,
    Shown,
    /// and for a browser.
    PaintedSource,
    /// The page with the template faded.
    Painted,
}

impl Writer {
    pub fn of(args: &CleanArgs) -> Self {
        let form = match args.format() {
            _ if args.show => Form::Shown,
            CleanFormat::Html => match args.paint {
                None => Form::Html,
                Some(Paint::Page) => Form::Painted,
                Some(Paint::Source) => Form::PaintedSource,
            },
            CleanFormat::Markdown => Form::Markdown,
            CleanFormat::Text => Form::Text,
            CleanFormat::Jsonl => Form::Jsonl,
            CleanFormat::Parquet => Form::Parquet,
        };
        Writer {
            form,
            keeps_comments: args.keep == Some(Keep::Comments),
        }
    }

    fn extension(&self) -> &'static str {
        match self.form {
            Form::Html | Form::Painted | Form::PaintedSource => "html",
            Form::Markdown => "md",
            Form::Text | Form::Jsonl | Form::Parquet | Form::Shown => "txt",
        }
    }

    /// Writes a page with some content; a panic costs this page.
    pub fn write(
        &self,
        found: &Extraction<'_>,
        content: Content<'_>,
        with_fields: bool,
    ) -> Result<Cleaned, PageError> {
        guarded(found.page(), |page| {
            let is_alone = content.is_alone();
            let content = if self.keeps_comments {
                content.with_discussion()
            } else {
                content
            };
            let row = || CleanedRow::new(found, &content, with_fields);
            let written = match self.form {
                Form::Parquet => Written::Row(rows::cells(row())),
                form => Written::Text(form.text(page, &content, row)),
            };
            let (id, url) = (page.id().to_owned(), page.url().map(str::to_owned));
            Cleaned {
                id,
                url,
                written,
                is_alone,
                lack: content.lack(),
            }
        })
    }
}

impl Form {
    /// The text of a page in this form.
    fn text<'e>(
        self,
        page: &Text,
        content: &Content<'_>,
        row: impl Fn() -> CleanedRow<'e>,
    ) -> String {
        match self {
            Form::Text => content.text(),
            Form::Html => content.html(),
            Form::Markdown => content.markdown(),
            Form::Jsonl | Form::Parquet => json_line(&row()),
            Form::Shown => shown(page, &content.template()),
            Form::Painted => paint::page(page, content),
            Form::PaintedSource => {
                picture::painted_html(page.id(), page.as_str(), &content.template())
            }
        }
    }
}

fn json_line(row: &CleanedRow<'_>) -> String {
    serde_json::to_string(row).expect("strings and numbers have a JSON form") + "\n"
}

/// The source with the template in grey.
fn shown(text: &Text, template: &[Span]) -> String {
    let mut shown = String::new();
    picture::painted(text.as_str(), template, |piece, is_template| {
        // Lines stay lines; each is painted on its own, so that pagers keep the colour.
        for (at, line) in piece.split('\n').enumerate() {
            shown.push_str(if at > 0 { "\n" } else { "" });
            let line = visible_line(line);
            shown.push_str(&if is_template {
                dimmed(&line)
            } else {
                line.into()
            });
        }
    });
    shown + "\n"
}

/// A line of source for a terminal: tabs stay tabs, and an end of line as on Windows is one.
fn visible_line(line: &str) -> String {
    let line = line.strip_suffix('\r').unwrap_or(line);
    line.split('\t').map(visible).collect::<Vec<_>>().join("\t")
}

/// Writes pages, batch by batch, to where they were asked for.
pub fn write_pages(
    args: &CleanArgs,
    progress: &mut Progress,
    mut next: impl FnMut(&mut Progress) -> Result<Option<Vec<Cleaned>>>,
) -> Result<()> {
    if args.output.is_none() {
        progress.make_way_for_rows();
    }
    match (&args.output, args.format()) {
        (Some(path), CleanFormat::Parquet) => {
            output::table_to(path, args.overwrite, &rows::columns(), |table| {
                while let Some(pages) = next(progress)? {
                    pages
                        .into_iter()
                        .try_for_each(|page| table.push(page.into_row()))?;
                }
                Ok(())
            })
        }
        (path, CleanFormat::Jsonl) => output::stream_to(path.as_deref(), args.overwrite, |out| {
            while let Some(pages) = next(progress)? {
                pages
                    .iter()
                    .try_for_each(|page| out.write_all(page.text().as_bytes()))?;
            }
            Ok(())
        }),
        (Some(path), _) if args.names_a_page() => {
            output::stream_to(Some(path), args.overwrite, |out| {
                let mut is_first = true;
                while let Some(pages) = next(progress)? {
                    if pages.len() > 1 || !std::mem::take(&mut is_first) {
                        let reason =
                            "the inputs hold several pages, and -o names a file: name a folder";
                        return Err(Failure::Usage(reason.to_owned()).into());
                    }
                    pages
                        .iter()
                        .try_for_each(|page| out.write_all(page.text().as_bytes()))?;
                }
                Ok(())
            })
        }
        (Some(folder), _) => {
            save::create_folder(folder)?;
            let mut names = FileNames::new(Writer::of(args).extension());
            while let Some(pages) = next(progress)? {
                write_files(folder, &mut names, &pages, args)?;
            }
            Ok(())
        }
        (None, _) => output::stream_to(None, false, |out| {
            let mut is_first = true;
            while let Some(pages) = next(progress)? {
                let is_only = is_first && pages.len() == 1 && !args.show;
                write_texts(out, &pages, std::mem::take(&mut is_first), is_only)?;
            }
            Ok(())
        }),
    }
}

fn write_files(
    folder: &Path,
    names: &mut FileNames,
    pages: &[Cleaned],
    args: &CleanArgs,
) -> Result<()> {
    let named: Vec<_> = pages
        .iter()
        .map(|page| (names.name_of(&page.id, page.url.as_deref()), page))
        .collect();
    named.par_iter().try_for_each(|(name, page)| {
        let path = folder.join(name);
        // A file is there whole or not at all.
        if args.resume && path.is_file() {
            return Ok(());
        }
        if let Some(parent) = path.parent() {
            save::create_folder(parent)?;
        }
        output::write_text(&path, args.overwrite, page.text())
    })
}

/// Writes pages one below the other, each under its name unless it is the only one.
fn write_texts(
    out: &mut dyn Write,
    pages: &[Cleaned],
    is_first: bool,
    is_only: bool,
) -> io::Result<()> {
    for (at, page) in pages.iter().enumerate() {
        if !is_only {
            let gap = if is_first && at == 0 { "" } else { "\n" };
            writeln!(
                out,
                "{gap}{}",
                bold(&format!("==> {} <==", visible(&page.id)))
            )?;
        }
        out.write_all(page.text().as_bytes())?;
    }
    Ok(())
}
