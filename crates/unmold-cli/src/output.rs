//! Where results go.

use crate::{
    args::{Inputs, Output, named_format},
    exit::Failure,
    terminal::{Escaping, visible},
};
use anyhow::Result;
use clap::ValueEnum;
use serde::Serialize;
use std::{
    collections::HashSet,
    io::{self, BufWriter, IsTerminal, Write},
    path::{Path, PathBuf},
};
use unmold_io::{
    save::{self, NewFile, Overwrite, SaveError, readable_part},
    table::{Column, TableWriter},
};

/// Extensions of compressed files: outputs are not compressed, Parquet apart.
const COMPRESSED: [&str; 6] = ["gz", "zst", "bz2", "xz", "br", "zip"];

/// Refuses an output whose extension promises something else than the format that is written into it. The format
/// was asked for, or is the default; names of folders may end as they like.
pub fn check_extension<F: ValueEnum + PartialEq + Copy>(
    format: F,
    is_asked: bool,
    is_folder: bool,
    output: Option<&Path>,
) -> Result<(), Failure> {
    let Some(path) = output else { return Ok(()) };
    let Some(extension) = path.extension().and_then(|extension| extension.to_str()) else {
        return Ok(());
    };
    if path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/") {
        return Ok(());
    }
    let shown = visible(&path.to_string_lossy()).into_owned();
    let is_one_of = |known: &[&str]| {
        known
            .iter()
            .any(|known| known.eq_ignore_ascii_case(extension))
    };
    if is_one_of(&COMPRESSED) {
        return Err(Failure::Usage(format!(
            "{shown}: outputs are not compressed; leave out -o and pipe the output to a compressor"
        )));
    }
    let name_of = |format: &F| {
        let value = format.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    };
    match named_format::<F>(None, output) {
        Some(named) if named != format => Err(Failure::Usage(format!(
            "{shown} has the extension of {}, but -f {} was asked for",
            name_of(&named),
            name_of(&format)
        ))),
        Some(_) => Ok(()),
        // A table to read is text.
        None if name_of(&format) == "table" && is_one_of(&["txt"]) => Ok(()),
        None if is_asked || is_folder => Ok(()),
        None => Err(Failure::Usage(format!(
            "{shown}: no format has the extension {extension}; say with -f which one to write"
        ))),
    }
}

/// Writes a result to the file that was named, or to standard output. A file appears only when it
/// is complete.
pub fn write(
    output: &Output,
    content: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> Result<()> {
    write_to(output.output.as_deref(), output.overwrite, content)
}

/// Writes a result to a file, or to standard output where none is named.
pub fn write_to(
    path: Option<&Path>,
    overwrite: bool,
    content: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> Result<()> {
    match path {
        Some(path) => write_file(path, overwrite, content),
        None => stream_to(None, overwrite, |out| Ok(content(out)?)),
    }
}

/// Writes a result that is still being worked out, which may fail too. A file appears only when it
/// is complete.
pub fn stream_to(
    path: Option<&Path>,
    overwrite: bool,
    content: impl FnOnce(&mut (dyn Write + Send)) -> Result<()>,
) -> Result<()> {
    let Some(path) = path else {
        return stream_to_stdout(content);
    };
    let mut file = create(path, overwrite)?;
    content(&mut file).map_err(|error| named(path, error))?;
    Ok(file.finish()?)
}

/// What standard output is called where it cannot be written to.
const STDOUT: &str = "standard output";

fn stream_to_stdout(content: impl FnOnce(&mut (dyn Write + Send)) -> Result<()>) -> Result<()> {
    let stdout = io::stdout();
    let written = if stdout.is_terminal() {
        let mut stdout = BufWriter::new(Escaping::new(stdout));
        content(&mut stdout).and_then(|()| Ok(stdout.flush()?))
    } else {
        let mut stdout = BufWriter::new(stdout);
        content(&mut stdout).and_then(|()| Ok(stdout.flush()?))
    };
    written.map_err(|error| named(Path::new(STDOUT), error))
}

/// Writes a table of rows that are still being worked out as a Parquet file, which appears only
/// when it is complete.
pub fn table_to(
    path: &Path,
    overwrite: bool,
    columns: &[Column],
    content: impl FnOnce(&mut TableWriter<NewFile>) -> Result<()>,
) -> Result<()> {
    let mut table = TableWriter::new(create(path, overwrite)?, columns)
        .map_err(|error| SaveError::from_write(path, error))?;
    content(&mut table).map_err(|error| named(path, error))?;
    Ok(table
        .finish()
        .map_err(|error| SaveError::from_write(path, error))?
        .finish()?)
}

/// An error of writing, with the file that was written.
fn named(path: &Path, error: anyhow::Error) -> anyhow::Error {
    match error.downcast::<io::Error>() {
        // Whoever reads our output has seen enough.
        Ok(error) if error.kind() == io::ErrorKind::BrokenPipe => error.into(),
        Ok(error) => SaveError::from_write(path, error).into(),
        Err(error) => error,
    }
}

fn create(path: &Path, overwrite: bool) -> Result<NewFile> {
    Ok(NewFile::create(path, policy(overwrite))?)
}

/// Writes one JSON object and ends the line.
pub fn jsonl_row(out: &mut dyn Write, row: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, row)?;
    out.write_all(b"\n")
}

/// Refuses to write bytes that are no text where people would see them.
pub fn refuse_binary_on_terminal() -> Result<(), Failure> {
    if io::stdout().is_terminal() {
        return Err(Failure::Usage(
            "-f parquet is not for a terminal: name a file with -o".to_owned(),
        ));
    }
    Ok(())
}

/// What a command is going to write, looked at before any work: what exists or cannot be written is
/// said at once, and no input is ever replaced.
pub struct Destinations<'a> {
    inputs: Vec<&'a Path>,
    overwrite: Overwrite,
    /// The files and folders that are going to be written.
    outputs: Vec<PathBuf>,
    /// Whether folders may hold what an earlier run wrote.
    is_resuming: bool,
}

impl<'a> Destinations<'a> {
    /// Those of a command that reads pages; `--errors` is one of them.
    pub fn of(inputs: &'a Inputs, overwrite: bool) -> Result<Self> {
        Destinations::beside(&inputs.inputs, overwrite).file(inputs.errors.as_deref())
    }

    /// Those of a command that reads these files.
    pub fn beside(inputs: &'a [PathBuf], overwrite: bool) -> Self {
        let paths = inputs
            .iter()
            .map(PathBuf::as_path)
            .filter(|path| path.as_os_str() != "-");
        Destinations {
            inputs: paths.collect(),
            outputs: Vec::new(),
            overwrite: policy(overwrite),
            is_resuming: false,
        }
    }

    /// The same for a run that goes on where another was cut off.
    pub fn resuming(mut self, is_resuming: bool) -> Self {
        self.is_resuming = is_resuming;
        self
    }

    /// Something else that is read, if it is.
    pub fn reads(mut self, input: impl IntoIterator<Item = &'a Path>) -> Self {
        self.inputs.extend(input);
        self
    }

    /// A file that is going to be written, if it is.
    pub fn file(mut self, path: Option<&Path>) -> Result<Self> {
        let Some(path) = path else { return Ok(self) };
        check_is_no_dash(path)?;
        self.check_apart(path)?;
        self.note_output(path)?;
        save::check_file(path, self.overwrite)?;
        save::check_room_for_file(path)?;
        Ok(self)
    }

    /// A folder that is going to get files, if it is.
    pub fn folder(mut self, path: Option<&Path>) -> Result<Self> {
        let Some(path) = path else { return Ok(self) };
        check_is_no_dash(path)?;
        self.check_apart(path)?;
        self.note_output(path)?;
        save::check_folder(
            path,
            if self.is_resuming {
                Overwrite::Allow
            } else {
                self.overwrite
            },
        )?;
        save::check_room_for_folder(path)?;
        Ok(self)
    }

    /// Refuses an output that was named before for something else.
    fn note_output(&mut self, path: &Path) -> Result<()> {
        let place = place_of(path);
        if self.outputs.contains(&place) {
            let path = visible(&path.to_string_lossy()).into_owned();
            return Err(Failure::Usage(format!("{path} is named for two outputs")).into());
        }
        self.outputs.push(place);
        Ok(())
    }

    fn check_apart(&self, path: &Path) -> Result<()> {
        Ok(self
            .inputs
            .iter()
            .try_for_each(|input| save::check_apart(path, input))?)
    }
}

/// Refuses the name that stands for standard output elsewhere: a file of that name is hard to
/// remove, and nobody wants it.
fn check_is_no_dash(path: &Path) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        let reason = "-o - names no file: leave out -o to write to standard output";
        return Err(Failure::Usage(reason.to_owned()));
    }
    Ok(())
}

/// A path by the folder that it really lies in, whether or not it exists.
fn place_of(path: &Path) -> PathBuf {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

fn policy(overwrite: bool) -> Overwrite {
    if overwrite {
        Overwrite::Allow
    } else {
        Overwrite::Refuse
    }
}

/// Writes a file that appears only when it is complete.
pub fn write_file(
    path: &Path,
    overwrite: bool,
    content: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> Result<()> {
    let mut file = create(path, overwrite)?;
    content(&mut file).map_err(|error| SaveError::from_write(path, error))?;
    Ok(file.finish()?)
}

/// A name in a file name is shortened to this many bytes.
pub const LONGEST_NAME: usize = 60;

/// A name for a file of what is called so, unlike those given before.
pub fn file_name(name: &str, given: &mut HashSet<String>) -> String {
    let name = readable_part(name, LONGEST_NAME);
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let mut names = std::iter::once(name.clone()).chain(numbered);
    names
        .find(|name| given.insert(name.to_lowercase()))
        .unwrap_or_default()
}

/// Writes one JSON document to a file.
pub fn write_json(path: &Path, overwrite: bool, document: &impl Serialize) -> Result<()> {
    write_file(path, overwrite, |out| jsonl_row(out, document))
}

/// Writes a text to a file.
pub fn write_text(path: &Path, overwrite: bool, text: &str) -> Result<()> {
    write_file(path, overwrite, |out| out.write_all(text.as_bytes()))
}
