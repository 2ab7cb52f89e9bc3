//! Labelled pages: a folder with `pages/`, and what people say of them beside it (docs/eval.md).

use crate::exit::Failure;
use anyhow::{Context, Result};
use serde::{Deserialize, de::DeserializeOwned};
use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::{Path, PathBuf},
};
use unmold::{Span, Text, evaluate::fields, mold::Provenance};
use unmold_io::{LoadSettings, load};

/// Where a data set is, and what it is called.
pub struct Place {
    pub name: String,
    pub folder: PathBuf,
}

/// The data sets of folders: each folder itself, or those in it where it holds no pages of its own,
/// or those in these.
pub fn find(folders: &[PathBuf]) -> Result<Vec<Place>> {
    let mut places = Vec::new();
    for folder in folders {
        let inner = if is_set(folder) {
            Vec::new()
        } else {
            inner_sets(folder)?
        };
        let name = file_name(folder);
        let below = |set: &PathBuf| {
            set.strip_prefix(folder)
                .unwrap_or(set)
                .to_string_lossy()
                .into_owned()
        };
        places.extend(inner.iter().map(|set| Place {
            name: format!("{name}/{}", below(set)),
            folder: set.clone(),
        }));
        if inner.is_empty() {
            places.push(Place {
                name,
                folder: folder.clone(),
            });
        }
    }
    Ok(places)
}

/// Fingerprints of pages and of what is said of them, each in whatever order.
fn digest(pages: &[Text], truth: &[Text]) -> String {
    let parts = [pages, truth].into_iter().filter(|texts| !texts.is_empty());
    parts
        .map(|texts| Provenance::of("eval", texts).hash)
        .collect::<Vec<_>>()
        .join("-")
}

/// The truth beside pages as texts. What is true of one page need not be of another: each begins
/// with the name of its file.
fn truth_texts(folder: &Path) -> Result<Vec<Text>> {
    let text = |path: &PathBuf| {
        let content = fs::read(path).with_context(|| format!("{}", path.display()))?;
        let name = path.strip_prefix(folder).unwrap_or(path).to_string_lossy();
        Ok(Text::from_string(
            name.clone(),
            format!("{name}\n{}", String::from_utf8_lossy(&content)),
        ))
    };
    truth_files(folder)?.iter().map(text).collect()
}

/// All files beside the pages that say what is true of them.
fn truth_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = ["truth.json", "labels.json", "kinds.json"]
        .map(|name| folder.join(name))
        .into();
    for inner in ["truth", "records", "spans"].map(|name| folder.join(name)) {
        if inner.is_dir() {
            files.extend(entries(&inner)?);
        }
    }
    files.retain(|file| file.is_file());
    Ok(files)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("{}", folder.display()))?;
    Ok(entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?)
}

/// The data sets in a folder; where there are none, those in the folders of it.
fn inner_sets(folder: &Path) -> Result<Vec<PathBuf>> {
    let inner = folders_in(folder)?;
    let mut sets: Vec<PathBuf> = inner.iter().filter(|set| is_set(set)).cloned().collect();
    if sets.is_empty() {
        let deeper: Vec<Vec<PathBuf>> = inner
            .iter()
            .map(|inner| folders_in(inner))
            .collect::<Result<_>>()?;
        sets = deeper
            .into_iter()
            .flatten()
            .filter(|set| is_set(set))
            .collect();
    }
    sets.sort();
    Ok(sets)
}

fn is_set(folder: &Path) -> bool {
    folder.join("pages").is_dir()
}

fn folders_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut inner = entries(folder)?;
    inner.retain(|entry| entry.is_dir());
    Ok(inner)
}

fn file_name(path: &Path) -> String {
    let known = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    known.unwrap_or_else(|| path.display().to_string())
}

/// The pages of a data set, and where its truth stands.
pub struct Dataset {
    pub name: String,
    pub texts: Vec<Text>,
    /// A fingerprint of the pages, and one of all truth beside them.
    pub digest: String,
    folder: PathBuf,
}

impl Dataset {
    pub fn read(place: &Place) -> Result<Self> {
        let folder = &place.folder;
        let pages = load([&pages_folder(folder)], &LoadSettings::default())
            .read_all()
            .pages;
        if pages.is_empty() {
            return Err(Failure::Nothing("no page was found".to_owned()).into());
        }
        let texts: Vec<Text> = pages
            .into_iter()
            .map(Text::decode_guarded)
            .collect::<Result<_, _>>()?;
        let digest = digest(&texts, &truth_texts(folder)?);
        Ok(Dataset {
            name: place.name.clone(),
            texts,
            digest,
            folder: folder.clone(),
        })
    }

    /// Where its pages are.
    pub fn pages_folder(&self) -> PathBuf {
        pages_folder(&self.folder)
    }

    /// What a page is called among the pages, by its name in the truth.
    pub fn id_of<'d>(&'d self, page: &'d str) -> &'d str {
        self.texts
            .iter()
            .find(|text| stem(text) == page)
            .map_or(page, Text::id)
    }

    pub fn fields(&self) -> Result<Option<fields::Truth>> {
        self.json("truth.json")
    }

    /// The group of each page, by its name.
    pub fn labels(&self) -> Result<Option<BTreeMap<String, Option<String>>>> {
        self.json("labels.json")
    }

    /// The kind of each page, where they are of many sites.
    pub fn kinds(&self) -> Result<Option<HashMap<String, String>>> {
        self.json("kinds.json")
    }

    /// The true text of each page that has one, in the order of the pages.
    pub fn contents(&self) -> Result<Vec<Option<String>>> {
        let read = |path: PathBuf| -> Result<String> {
            let bytes = fs::read(&path).with_context(|| format!("{}", path.display()))?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        let folder = self.folder.join("truth");
        self.texts
            .iter()
            .map(|text| {
                existing(folder.join(format!("{}.txt", stem(text))))
                    .map(read)
                    .transpose()
            })
            .collect()
    }

    /// The true records of each page that has some, in the order of the pages.
    pub fn records(&self) -> Result<Vec<Option<Vec<String>>>> {
        #[derive(Deserialize)]
        struct Truth {
            records: Vec<String>,
        }
        let read = |path: PathBuf| read_json::<Truth>(&path).map(|truth| truth.records);
        let of_page = |text: &Text| {
            let name = format!("{}.json", stem(text));
            let mut places = ["records", "truth"]
                .into_iter()
                .map(|folder| self.folder.join(folder).join(&name));
            places.find_map(existing).map(read).transpose()
        };
        self.texts.iter().map(of_page).collect()
    }

    /// What is content on each page, if that is known as spans.
    pub fn spans(&self) -> Result<Option<Vec<Vec<Span>>>> {
        #[derive(Deserialize)]
        struct Truth {
            content: Vec<(usize, usize)>,
        }
        let folder = self.folder.join("spans");
        if !folder.is_dir() {
            return Ok(None);
        }
        let of_page = |text: &Text| {
            let truth: Truth = read_json(&folder.join(format!("{}.json", stem(text))))?;
            Ok(truth
                .content
                .into_iter()
                .map(|(start, end)| Span::new(start, end))
                .collect())
        };
        self.texts
            .iter()
            .map(of_page)
            .collect::<Result<_>>()
            .map(Some)
    }

    fn json<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        existing(self.folder.join(name))
            .map(|path| read_json(&path))
            .transpose()
    }
}

/// A data set has its pages in a folder of their own; where there is no truth, they may be all
/// there is.
fn pages_folder(folder: &Path) -> PathBuf {
    Some(folder.join("pages"))
        .filter(|pages| pages.is_dir())
        .unwrap_or_else(|| folder.to_owned())
}

/// The name of a page in the truth: its file's, without the ending.
pub fn stem(text: &Text) -> &str {
    let name = text.id().rsplit('/').next().unwrap_or_default();
    let endings = [".html", ".htm", ".xml", ".txt", ".json", ".gz"];
    endings
        .iter()
        .find_map(|ending| name.strip_suffix(ending))
        .unwrap_or(name)
}

fn existing(path: PathBuf) -> Option<PathBuf> {
    path.is_file().then_some(path)
}

fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let json = fs::read(path).with_context(|| format!("{}", path.display()))?;
    serde_json::from_slice(&json).with_context(|| format!("{}", path.display()))
}
