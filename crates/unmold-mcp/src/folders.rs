//! Which pages may an agent see? Those of the inputs that were named at the start, under the names
//! of these.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};
use unmold::{Learner, Mold, Reader, Text, fields::Example, learn::LearnError};
use unmold_io::{LoadSettings, Loaded, load};

/// The pages of a folder may hold so many bytes of text: learning takes four to five times as much
/// memory, and an agent waits for it.
pub const MAX_HELD: usize = 128_000_000;

/// The inputs that were named, each with its pages once they were asked for.
pub struct Folders {
    by_name: BTreeMap<String, Folder>,
}

/// Why nothing can be served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FoldersError {
    /// An input is not there, or nobody may read it.
    #[error("{} cannot be read: {reason}", path.display())]
    Unreadable {
        /// The input as it was named.
        path: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// An input is named more than once, perhaps in different ways.
    #[error("{} is named more than once", path.display())]
    NamedTwice {
        /// The input as it was named.
        path: PathBuf,
    },
}

/// One input: a folder, an archive, a table or a file.
pub struct Folder {
    path: PathBuf,
    settings: LoadSettings,
    pages: OnceLock<Result<Arc<Pages>, String>>,
    reader: OnceLock<Result<Arc<Reader>, String>>,
}

/// The pages of an input, and what could not be read.
pub struct Pages {
    pub texts: Vec<Text>,
    pub bad: Vec<String>,
}

impl Folders {
    /// Names inputs by the last parts of their paths: as many parts as make them different.
    ///
    /// # Errors
    /// If an input does not exist or is named twice.
    pub fn new(paths: &[PathBuf], settings: &LoadSettings) -> Result<Self, FoldersError> {
        let mut whole = Vec::new();
        for path in paths {
            let real = path
                .canonicalize()
                .map_err(|reason| FoldersError::Unreadable {
                    path: path.clone(),
                    reason,
                })?;
            if whole.contains(&real) {
                return Err(FoldersError::NamedTwice { path: path.clone() });
            }
            whole.push(real);
        }
        let mut by_name = BTreeMap::new();
        for path in &whole {
            let folder = Folder {
                path: path.clone(),
                settings: settings.clone(),
                pages: OnceLock::new(),
                reader: OnceLock::new(),
            };
            by_name.insert(name_among(path, &whole), folder);
        }
        Ok(Folders { by_name })
    }

    /// All of them by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&String, &Folder)> {
        self.by_name.iter()
    }

    /// The folder of a name.
    ///
    /// # Errors
    /// Says which names there are.
    pub fn get(&self, name: &str) -> Result<&Folder, String> {
        self.by_name.get(name).ok_or_else(|| {
            let known: Vec<&str> = self.by_name.keys().map(String::as_str).collect();
            format!("no folder named {name:?}; there are: {}", known.join(", "))
        })
    }
}

/// The shortest end of a path that no other path has.
fn name_among(path: &Path, all: &[PathBuf]) -> String {
    let parts: Vec<_> = path.iter().collect();
    for count in 1..parts.len() {
        let name: PathBuf = parts[parts.len() - count..].iter().collect();
        if all.iter().filter(|other| other.ends_with(&name)).count() == 1 {
            return name.to_string_lossy().into_owned();
        }
    }
    path.to_string_lossy().into_owned()
}

impl Folder {
    /// Its pages, read when they are first asked for.
    ///
    /// # Errors
    /// If there is no page, or more text than is held.
    pub fn pages(&self) -> Result<Arc<Pages>, String> {
        self.pages.get_or_init(|| self.read().map(Arc::new)).clone()
    }

    fn read(&self) -> Result<Pages, String> {
        let (mut texts, mut bad) = (Vec::new(), Vec::new());
        let mut held = 0;
        for item in load([&self.path], &self.settings) {
            match item {
                Loaded::Page(page) | Loaded::Cut(page, _) => {
                    let text = match Text::decode_guarded(page) {
                        Ok(text) => text,
                        Err(error) => {
                            bad.push(error.to_string());
                            continue;
                        }
                    };
                    held += text.as_str().len();
                    if held > MAX_HELD {
                        return Err(format!(
                            "too large: more than {} MB of text; name smaller folders",
                            MAX_HELD / 1_000_000
                        ));
                    }
                    texts.push(text);
                }
                Loaded::Fault(fault) => bad.push(fault.to_string()),
                Loaded::Skipped(_) => {}
            }
        }
        if texts.is_empty() {
            let reason = bad
                .first()
                .map_or("nothing in it is a page", String::as_str);
            return Err(format!("no pages: {reason}"));
        }
        Ok(Pages { texts, bad })
    }

    /// A page by its id, or by the end of its id or URL if only one page has that.
    ///
    /// # Errors
    /// Says that there is no such page, or several.
    pub fn page(&self, id: &str) -> Result<(Arc<Pages>, usize), String> {
        let pages = self.pages()?;
        let is_it = |text: &Text| text.id() == id || text.url() == Some(id);
        if let Some(number) = pages.texts.iter().position(is_it) {
            return Ok((pages, number));
        }
        let ending: Vec<usize> = (0..pages.texts.len())
            .filter(|&number| pages.texts[number].id().ends_with(&format!("/{id}")))
            .collect();
        match ending[..] {
            [number] => Ok((pages, number)),
            [] => Err(format!("no page named {id:?}; the tool `pages` lists them")),
            _ => Err(format!(
                "{} pages end with {id:?}; give the whole id",
                ending.len()
            )),
        }
    }

    /// What was learned from its pages, made ready to read pages.
    ///
    /// # Errors
    /// If there is nothing to learn.
    pub fn reader(&self) -> Result<Arc<Reader>, String> {
        // One learns, others wait for what it finds.
        self.reader
            .get_or_init(|| Ok(Arc::new(self.learn()?.reader())))
            .clone()
    }

    fn learn(&self) -> Result<Mold, String> {
        let pages = self.pages()?;
        match Learner::default().learn(&pages.texts) {
            Ok(mold) => Ok(mold),
            // Each page still gives what it declares, shows beside labels and lists.
            Err(LearnError::OnePage | LearnError::AllTheSame | LearnError::NoTemplate(_)) => {
                Ok(Mold::nothing())
            }
            Err(error) => Err(error.to_string()),
        }
    }

    /// The same with exactly the fields that an example names; not kept.
    ///
    /// # Errors
    /// If the pages have no rule for them.
    pub fn reader_by(&self, example: Example) -> Result<Reader, String> {
        let pages = self.pages()?;
        let outcome = Learner::default()
            .examples(vec![example])
            .learn_with_outcome(&pages.texts)
            .map_err(|error| error.to_string())?;
        if let Some(unfit) = outcome.unfit.first() {
            return Err(unfit.to_string());
        }
        Ok(outcome.mold.reader())
    }
}
