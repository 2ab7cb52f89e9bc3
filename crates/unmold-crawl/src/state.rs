//! What has been asked for already, and what not yet, also after the process was killed?
//!
//! An embedded database (redb: checksums, transactions that are on the disk as a whole or not at
//! all) beside the WARC file. Each [`Store::commit`] notes what became of addresses *together with*
//! the mark up to which the archive then was on the disk. A crawl that was killed resumes at that
//! mark: what was written behind it belongs to addresses that still wait, and comes off.
//!
//! The database is locked while it is open, and a lock ends with its process: two crawls never
//! write the same file.

use crate::report::Why;
use redb::{Database, DatabaseError, ReadableDatabase, ReadableTable, TableDefinition};
use serde::{Deserialize, Serialize};
use std::{
    io,
    path::{Path, PathBuf},
};
use unmold_io::warc_parts::Mark;

const ADDRESSES: TableDefinition<&str, &[u8]> = TableDefinition::new("addresses");
const NUMBERS: TableDefinition<&str, u64> = TableDefinition::new("lengths");
/// What is kept as text: the options that were typed, the plan of a list.
const NOTES: TableDefinition<&str, &str> = TableDefinition::new("notes");
/// Until when a domain wants to be left alone, in milliseconds since 1970.
const PAUSES: TableDefinition<&str, u64> = TableDefinition::new("pauses");

/// What is known of an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// The address that is asked for.
    pub(crate) url: String,
    /// The page it was found on; nothing for an address that was given.
    pub(crate) via: Option<String>,
    /// Where on that page.
    pub(crate) place: String,
    /// How many links it is away from an address that was given.
    pub(crate) depth: u32,
    /// How many redirects led to it.
    pub(crate) hops: u32,
    pub(crate) role: Role,
    pub(crate) status: Status,
    /// How often it was asked for in vain.
    pub(crate) tries: u32,
    /// What the last visit found, for the next one.
    pub(crate) last: Option<Visit>,
    pub(crate) visits: u32,
    /// How many addresses were known before it: the order in which addresses are asked for, also
    /// after a crawl was cut off.
    #[serde(default)]
    pub(crate) number: u64,
    /// The key of the address that it redirects to.
    #[serde(default)]
    pub(crate) leads_to: Option<String>,
    /// Whether a bound left it out: it takes no room of others.
    #[serde(default)]
    pub(crate) is_over_bound: bool,
    /// Whether it was left out because of where it was found. Found elsewhere, it may be wanted.
    #[serde(default)]
    pub(crate) is_passed_over: bool,
}

/// What an address is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Role {
    Page,
    /// A page of a list whose items are wanted.
    List,
    /// A feed, or a sitemap that so many others led to.
    Listing(u32),
}

/// What became of an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Status {
    Waiting,
    /// Its answer is in the file, or was read and needed no place there.
    Done {
        is_page: bool,
    },
    Failed(Why),
}

/// What a visit found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Visit {
    /// As WARC writes it.
    pub(crate) date: String,
    /// In seconds since 1970.
    pub(crate) time: u64,
    pub(crate) digest: String,
    pub(crate) etag: Option<String>,
    pub(crate) last_modified: Option<String>,
}

/// What is known of the archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Noted {
    /// Up to where it lasts.
    pub(crate) mark: Mark,
    /// The size of its files, where there are several.
    pub(crate) rotate: Option<u64>,
    /// Whether nothing is missing but its name.
    pub(crate) is_finished: bool,
}

/// The name of the options that were typed.
pub(crate) const OPTIONS: &str = "options";

/// The options with which the unfinished crawl into a file was begun
/// ([`Settings::options`](crate::Settings::options)); none if there is no such crawl.
pub fn options_of(archive: &Path) -> Result<Vec<String>, StateError> {
    let path = Store::path_of(archive);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let store = Store::open(path)?;
    let note = store.note(OPTIONS)?.unwrap_or_default();
    Ok(serde_json::from_str(&note).unwrap_or_default())
}

/// Why the state cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// Another crawl writes it.
    #[error("another crawl is writing {}: wait for it, or choose another file", .0.display())]
    Locked(PathBuf),
    /// The disk is full.
    #[error("the state of the crawl in {} cannot be written: the disk is full", .0.display())]
    DiskFull(PathBuf),
    /// It is damaged, or cannot be written.
    #[error("the state of the crawl in {} cannot be used: {}", .0.display(), .1)]
    Unusable(PathBuf, String),
}

pub(crate) struct Store {
    path: PathBuf,
    database: Database,
}

impl Store {
    /// Where the state of a crawl lies.
    pub(crate) fn path_of(warc: &Path) -> PathBuf {
        let mut name = warc.as_os_str().to_owned();
        name.push(".state");
        name.into()
    }

    /// Opens the state, or begins one.
    pub(crate) fn open(path: PathBuf) -> Result<Self, StateError> {
        match Database::create(&path) {
            Ok(database) => Ok(Store { path, database }),
            Err(DatabaseError::DatabaseAlreadyOpen) => Err(StateError::Locked(path)),
            Err(error) => Err(unusable(&path, &error.into())),
        }
    }

    /// What the last commit said of the archive; nothing before the first.
    pub(crate) fn noted(&self) -> Result<Option<Noted>, StateError> {
        self.said(|| {
            let transaction = self.database.begin_read()?;
            let numbers = match transaction.open_table(NUMBERS) {
                Ok(numbers) => numbers,
                Err(redb::TableError::TableDoesNotExist(_)) => return Ok(None),
                Err(error) => return Err(error.into()),
            };
            let number =
                |name: &str| Ok::<_, redb::Error>(numbers.get(name)?.map(|number| number.value()));
            let Some(length) = number("warc")? else {
                return Ok(None);
            };
            let part = number("part")?
                .and_then(|part| u32::try_from(part).ok())
                .unwrap_or_default();
            let rotate = number("rotate")?.filter(|rotate| *rotate > 0);
            let is_finished = number("finished")?.is_some_and(|finished| finished > 0);
            Ok(Some(Noted {
                mark: Mark { part, length },
                rotate,
                is_finished,
            }))
        })
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) -> Result<(), StateError> {
        self.said(|| {
            let transaction = self.database.begin_write()?;
            transaction.delete_table(ADDRESSES)?;
            transaction.delete_table(NUMBERS)?;
            transaction.delete_table(PAUSES)?;
            transaction.delete_table(NOTES)?;
            Ok(transaction.commit()?)
        })
    }

    /// What was kept under a name.
    pub(crate) fn note(&self, name: &str) -> Result<Option<String>, StateError> {
        self.said(|| {
            let transaction = self.database.begin_read()?;
            match transaction.open_table(NOTES) {
                Ok(notes) => Ok(notes.get(name)?.map(|note| note.value().to_owned())),
                Err(redb::TableError::TableDoesNotExist(_)) => Ok(None),
                Err(error) => Err(error.into()),
            }
        })
    }

    /// Until when domains want to be left alone, in milliseconds since 1970.
    pub(crate) fn pauses(&self) -> Result<Vec<(String, u64)>, StateError> {
        self.said(|| {
            let transaction = self.database.begin_read()?;
            let table = match transaction.open_table(PAUSES) {
                Ok(table) => table,
                Err(redb::TableError::TableDoesNotExist(_)) => return Ok(Vec::new()),
                Err(error) => return Err(error.into()),
            };
            let mut pauses = Vec::new();
            for row in table.iter()? {
                let (domain, until) = row?;
                pauses.push((domain.value().to_owned(), until.value()));
            }
            Ok(pauses)
        })
    }

    /// Notes that a domain wants to be left alone until then.
    pub(crate) fn note_pause(&self, domain: &str, until: u64) -> Result<(), StateError> {
        self.said(|| {
            let transaction = self.database.begin_write()?;
            transaction.open_table(PAUSES)?.insert(domain, until)?;
            Ok(transaction.commit()?)
        })
    }

    /// All that is known.
    pub(crate) fn entries(&self) -> Result<Vec<(String, Entry)>, StateError> {
        self.said(|| {
            let transaction = self.database.begin_read()?;
            let table = match transaction.open_table(ADDRESSES) {
                Ok(table) => table,
                Err(redb::TableError::TableDoesNotExist(_)) => return Ok(Vec::new()),
                Err(error) => return Err(error.into()),
            };
            let mut entries = Vec::new();
            for row in table.iter()? {
                let (key, value) = row?;
                let entry = serde_json::from_slice(value.value())
                    .map_err(|error| redb::Error::Corrupted(format!("{}: {error}", key.value())))?;
                entries.push((key.value().to_owned(), entry));
            }
            Ok(entries)
        })
    }

    /// Notes what became of addresses, and how long the archive is with it.
    pub(crate) fn commit<'e>(
        &self,
        entries: impl Iterator<Item = (&'e str, &'e Entry)>,
        noted: Noted,
        notes: &[(&str, String)],
    ) -> Result<(), StateError> {
        self.said(|| {
            let transaction = self.database.begin_write()?;
            {
                let mut table = transaction.open_table(ADDRESSES)?;
                for (key, entry) in entries {
                    let value = serde_json::to_vec(entry)
                        .map_err(|error| redb::Error::Corrupted(error.to_string()))?;
                    table.insert(key, value.as_slice())?;
                }
                let mut kept = transaction.open_table(NOTES)?;
                for (name, note) in notes {
                    kept.insert(*name, note.as_str())?;
                }
                let mut numbers = transaction.open_table(NUMBERS)?;
                numbers.insert("warc", noted.mark.length)?;
                numbers.insert("part", u64::from(noted.mark.part))?;
                numbers.insert("rotate", noted.rotate.unwrap_or_default())?;
                numbers.insert("finished", u64::from(noted.is_finished))?;
            }
            transaction.commit()?;
            Ok(())
        })
    }

    fn said<T>(&self, work: impl FnOnce() -> Result<T, redb::Error>) -> Result<T, StateError> {
        work().map_err(|error| unusable(&self.path, &error))
    }
}

fn unusable(path: &Path, error: &redb::Error) -> StateError {
    let full = [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded];
    match error {
        redb::Error::Io(error) if full.contains(&error.kind()) => {
            StateError::DiskFull(path.to_owned())
        }
        error => StateError::Unusable(path.to_owned(), error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(url: &str) -> Entry {
        Entry {
            url: url.into(),
            via: None,
            place: String::new(),
            depth: 0,
            hops: 0,
            role: Role::Page,
            status: Status::Waiting,
            tries: 0,
            last: None,
            visits: 0,
            number: 0,
            leads_to: None,
            is_over_bound: false,
            is_passed_over: false,
        }
    }

    #[test]
    fn what_was_committed_is_there_when_it_is_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.state");
        let store = Store::open(path.clone()).unwrap();
        assert_eq!(store.noted().unwrap(), None);
        assert!(store.entries().unwrap().is_empty());
        let noted = Noted {
            mark: Mark {
                part: 2,
                length: 77,
            },
            rotate: Some(1000),
            is_finished: false,
        };
        store
            .commit(
                [("k", &entry("http://a.example/"))].into_iter(),
                noted,
                &[("n", "a note".into())],
            )
            .unwrap();
        assert!(matches!(
            Store::open(path.clone()),
            Err(StateError::Locked(_))
        ));
        drop(store);
        let store = Store::open(path).unwrap();
        assert_eq!(store.noted().unwrap(), Some(noted));
        assert_eq!(store.note("n").unwrap().as_deref(), Some("a note"));
        assert_eq!(
            store.entries().unwrap(),
            [("k".to_owned(), entry("http://a.example/"))]
        );
    }

    #[test]
    fn a_file_that_is_no_state_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.state");
        std::fs::write(
            &path,
            "not a database, but long enough to be taken for one ".repeat(100),
        )
        .unwrap();
        assert!(matches!(Store::open(path), Err(StateError::Unusable(..))));
    }
}
