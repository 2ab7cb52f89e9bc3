//! What happened, for programs: `--log FILE` gets one JSON object a line.
//!
//! ```json
//! {"time":1798761599.25,"event":"end","text":"read 21 pages, 135.18 KiB","step":"reading pages","seconds":0.01}
//! ```
//!
//! Times are seconds since 1970. Lines are added to a log that exists, and to no other file. Events
//! are `start`, `begin` and `end` of steps, `note`, `warning`, `bad-input`, and at last `exit` with
//! the exit code.

use crate::exit::Failure;
use anyhow::Result;
use serde_json::{Map, Value};
use std::{
    ffi::OsString,
    fs::{File, OpenOptions},
    io::{BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};
use unmold_io::save;

/// The file that was asked for, once for all of a run.
static CHOSEN: OnceLock<Arc<Mutex<File>>> = OnceLock::new();

/// Where events go; nowhere unless a file was asked for.
#[derive(Clone, Default)]
pub struct Log(Option<Arc<Mutex<File>>>);

/// Opens the file that was asked for, and notes what was typed.
pub fn open(path: Option<&Path>, typed: &[OsString], inputs: &[PathBuf]) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    let inputs = inputs.iter().filter(|input| input.as_os_str() != "-");
    inputs
        .into_iter()
        .try_for_each(|input| save::check_apart(path, input))?;
    let refused = |reason: String| Failure::Usage(format!("--log {}: {reason}", path.display()));
    if path.exists() && !path.is_file() {
        return Err(refused("not a regular file".to_owned()).into());
    }
    if !is_new_or_log(path) {
        return Err(refused("it holds something that is no log".to_owned()).into());
    }
    let file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .map_err(|error| refused(error.to_string()))?;
    _ = CHOSEN.set(Arc::new(Mutex::new(file)));
    let typed: Vec<_> = typed.iter().map(|word| word.to_string_lossy()).collect();
    Log::chosen().event(
        "start",
        concat!("unmold ", env!("CARGO_PKG_VERSION")),
        &[("typed", typed.into())],
    );
    Ok(())
}

/// Whether nothing would be spoilt by adding lines: what exists begins as a log does. A link may
/// lead to a page, too.
fn is_new_or_log(path: &Path) -> bool {
    let Ok(file) = File::open(path) else {
        return true;
    };
    let mut line = String::new();
    // Longer than any line that a log begins with.
    let is_text = BufReader::new(file)
        .take(1 << 20)
        .read_line(&mut line)
        .is_ok();
    let is_event = |line: &str| {
        serde_json::from_str::<Value>(line).is_ok_and(|line| line["event"].is_string())
    };
    is_text && (line.is_empty() || is_event(&line))
}

impl Log {
    /// The log of this run.
    pub fn chosen() -> Self {
        Log(CHOSEN.get().cloned())
    }

    /// Notes what happened. That a log cannot be written ends no work.
    pub fn event(&self, event: &str, text: &str, more: &[(&str, Value)]) {
        let Some(file) = &self.0 else { return };
        let mut line = Map::new();
        line.insert("time".to_owned(), now().into());
        line.insert("event".to_owned(), event.into());
        line.insert("text".to_owned(), text.into());
        line.extend(
            more.iter()
                .map(|(name, value)| ((*name).to_owned(), value.clone())),
        );
        let line = Value::Object(line).to_string() + "\n";
        _ = file
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .write_all(line.as_bytes());
    }
}

/// The seconds since 1970.
fn now() -> f64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0.0, |since| since.as_secs_f64())
}
