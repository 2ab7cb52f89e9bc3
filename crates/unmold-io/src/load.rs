//! Which pages do these inputs hold?
//!
//! Inputs are walked, opened and read as items are asked for. Files are opened a few ahead and in
//! parallel, because small files cost mostly waiting; the order of the items is that of the inputs
//! all the same.

use std::collections::VecDeque;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use unmold::Page;

use crate::candidate::{Item, Items};
use crate::fault::{At, Fault, FaultKind, Stage};
use crate::folder::{Entry, Found, Walk, name_of};
use crate::names::{Label, label};
use crate::open::{Target, special, unreadable};
use crate::settings::LoadSettings;
use crate::tally::{Loaded, Note, SkipKind, Tally};

/// How many files are opened ahead. With pages at their size limit they hold 160 MB; with usual
/// pages, less than one.
const AHEAD: usize = 16;

/// Loads files, folders and archives; `-` is standard input.
///
/// Nothing is touched before the first item is asked for, and nothing fails up front: an input that
/// cannot be read is one [`Fault`] among the items, and the others are read.
pub fn load<I>(inputs: I, settings: &LoadSettings) -> Load
where
    I: IntoIterator,
    I::Item: AsRef<Path>,
{
    let paths: Vec<PathBuf> = inputs
        .into_iter()
        .map(|input| input.as_ref().to_path_buf())
        .collect();
    let own = settings.clone();
    Load::new(
        label(paths)
            .into_iter()
            .flat_map(move |input| targets_of(input, &own)),
        settings,
    )
}

/// Loads from a reader. What it holds is told by its first bytes, or else by the name:
/// `pages.jsonl.gz`.
///
/// ```
/// use unmold_io::{LoadSettings, load_reader};
///
/// let lines = r#"{"url": "http://a/", "html": "<p>one"}"#;
/// let pages = load_reader("pages.jsonl", lines.as_bytes(), &LoadSettings::default()).read_all().pages;
/// assert_eq!(pages[0].id(), "pages.jsonl#1");
/// ```
pub fn load_reader(
    name: &str,
    reader: impl Read + Send + 'static,
    settings: &LoadSettings,
) -> Load {
    Load::new(
        std::iter::once(Target::Reader {
            name: name.to_owned(),
            reader: Box::new(reader),
        }),
        settings,
    )
}

/// An iterator over everything that the inputs hold. See [`load()`].
pub struct Load {
    settings: Arc<LoadSettings>,
    targets: Box<dyn Iterator<Item = Target> + Send>,
    opened: VecDeque<Items>,
    tally: Tally,
    /// What was put right or noticed at the item given last.
    notes: Vec<Note>,
}

impl Load {
    fn new(
        targets: impl Iterator<Item = Target> + Send + 'static,
        settings: &LoadSettings,
    ) -> Load {
        Load {
            settings: Arc::new(settings.clone()),
            targets: Box::new(targets),
            opened: VecDeque::new(),
            tally: Tally::default(),
            notes: Vec::new(),
        }
    }

    /// What the items given so far were.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// What was put right or noticed at the item given last.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The pages and the faults only. What was skipped is still counted; a page that was cut is a
    /// page that is truncated.
    pub fn pages(self) -> Pages {
        Pages { load: self }
    }

    /// Reads everything into memory.
    pub fn read_all(mut self) -> Everything {
        let (mut pages, mut cuts, mut faults) = (Vec::new(), Vec::new(), Vec::new());
        for item in self.by_ref() {
            match item {
                Loaded::Page(page) => pages.push(page),
                Loaded::Cut(page, fault) => {
                    pages.push(page);
                    cuts.push(fault);
                }
                Loaded::Fault(fault) => faults.push(fault),
                Loaded::Skipped(_) => {}
            }
        }
        Everything {
            pages,
            cuts,
            faults,
            tally: self.tally,
        }
    }

    /// Opens the next files. False if there are none.
    fn open_ahead(&mut self) -> bool {
        let targets: Vec<Target> = self.targets.by_ref().take(AHEAD).collect();
        let settings = &self.settings;
        match targets.len() {
            0 => return false,
            // One input is not worth starting a thread pool.
            1 => self
                .opened
                .extend(targets.into_iter().map(|target| target.open(settings))),
            _ => {
                let opened: Vec<Items> = targets
                    .into_par_iter()
                    .map(|target| target.open(settings))
                    .collect();
                self.opened.extend(opened);
            }
        }
        true
    }

    fn count(&mut self, item: Item) -> Loaded {
        item.notes.iter().for_each(|&note| self.tally.note(note));
        self.notes = item.notes;
        self.tally.count(&item.loaded);
        item.loaded
    }
}

impl Iterator for Load {
    type Item = Loaded;

    fn next(&mut self) -> Option<Loaded> {
        if self
            .settings
            .get_limit()
            .is_some_and(|limit| self.tally.pages() >= limit)
        {
            return None;
        }
        loop {
            match self.opened.front_mut().map(Iterator::next) {
                Some(Some(item)) => return Some(self.count(item)),
                Some(None) => drop(self.opened.pop_front()),
                None if self.open_ahead() => {}
                None => return None,
            }
        }
    }
}

/// An iterator over pages and faults. See [`Load::pages`].
pub struct Pages {
    load: Load,
}

impl Pages {
    /// What the items given so far were, those skipped included.
    pub fn tally(&self) -> &Tally {
        self.load.tally()
    }
}

impl Iterator for Pages {
    type Item = Result<Page, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        self.load.find_map(|item| match item {
            Loaded::Page(page) | Loaded::Cut(page, _) => Some(Ok(page)),
            Loaded::Fault(fault) => Some(Err(fault)),
            Loaded::Skipped(_) => None,
        })
    }
}

/// Everything that some inputs held. See [`Load::read_all`].
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Everything {
    /// The pages, in order.
    pub pages: Vec<Page>,
    /// Which of the pages were cut at the size limit, in order.
    pub cuts: Vec<Fault>,
    /// The faults, in order.
    pub faults: Vec<Fault>,
    /// The counts.
    pub tally: Tally,
}

/// The files behind one input.
fn targets_of(input: Label, settings: &LoadSettings) -> Box<dyn Iterator<Item = Target> + Send> {
    let Label { path, name, prefix } = input;
    if path.as_os_str() == "-" {
        let stdin = Target::Reader {
            name,
            reader: settings.open_standard_input(),
        };
        return Box::new(std::iter::once(stdin));
    }
    // Where there is nothing to read, the path as it was typed is of more use than the name that
    // ids would have had.
    let typed = name_of(path.as_os_str());
    match fs::metadata(&path) {
        Ok(found) if found.is_dir() => walk(&path, &typed, prefix),
        Ok(found) if found.is_file() => Box::new(std::iter::once(Target::File { path, name })),
        Ok(_) => Box::new(std::iter::once(special(&typed))),
        Err(_) if is_address(&typed) => {
            let reason = format!(
                "an address is not fetched here: unmold crawl {typed} -o pages.warc.gz fetches it"
            );
            Box::new(std::iter::once(Target::Item(Box::new(Item::from(
                Fault::new(&typed, At::File, Stage::Open, FaultKind::NotFound, reason),
            )))))
        }
        Err(error) => Box::new(std::iter::once(unreadable(&typed, &path, &error))),
    }
}

/// Whether an input is the address of a page on the web, and not a path.
fn is_address(typed: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| {
        typed
            .get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    })
}

fn walk(folder: &Path, typed: &str, prefix: String) -> Box<dyn Iterator<Item = Target> + Send> {
    match Walk::new(folder) {
        Ok(walk) => Box::new(walk.map(move |found| target_of(found, &prefix))),
        Err(error) => Box::new(std::iter::once(unreadable(typed, folder, &error))),
    }
}

fn target_of(found: Found, prefix: &str) -> Target {
    let name = format!("{prefix}{}", found.relative);
    match found.entry {
        Entry::File => Target::File {
            path: found.path,
            name,
        },
        Entry::Special => special(&name),
        Entry::Unreadable(error) => unreadable(&name, &found.path, &error),
        Entry::LinkedFolder => {
            let reason = "a link to a folder is not followed";
            Target::Item(Box::new(Item::skipped(
                &name,
                At::File,
                SkipKind::LinkedFolder,
                reason,
            )))
        }
    }
}
