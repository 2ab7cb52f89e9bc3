//! What is being worked on?
//!
//! Pages that do not change, and a mold that does. Each edit makes a new [`Version`]; undoing goes
//! back to an older one. Versions share what they do not change.

use crate::{
    answer::{Answer, Problem, nth},
    answers::FieldAnswer,
    edit::{Draft, Edit},
    lists::GroupList,
    overview::Overview,
    page::PageValues,
    preview::Preview,
};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};
use unmold::{Mold, Reader, Text, mold::FieldChoice};
use unmold_io::save::{NewFile, Overwrite};

/// So many edits can be undone.
const MOST_VERSIONS: usize = 100;
/// What was found on all pages is kept for so many versions, so that undoing is quick,
const KEPT_OVERVIEWS: usize = 3;
/// what was found on one page for so many pages,
const KEPT_PAGES: usize = 8;
/// and a list on all pages for so many lists.
const KEPT_LISTS: usize = 3;

/// Pages, and a mold that is being edited.
pub struct Session {
    texts: Vec<Text>,
    save_to: Option<PathBuf>,
    history: Mutex<History>,
    overviews: Kept<u64, Overview>,
    /// By version and page.
    pages: Kept<(u64, usize), PageValues>,
    /// By version, group and list.
    lists: Kept<(u64, usize, usize), GroupList>,
    /// The edit that was looked at last before it is taken.
    previewed: Mutex<Option<Previewed>>,
    /// What pages are called: the first value that each had when the viewer was opened. Moving
    /// fields renames no page.
    titles: OnceLock<Vec<Option<String>>>,
    /// What the file held when it was read or written last; another program may have changed it
    /// since.
    file: Mutex<Option<Vec<u8>>>,
}

/// An edit whose effect was shown.
struct Previewed {
    id: u64,
    /// The version that it is an edit of.
    of: u64,
    draft: Draft,
    overview: Overview,
}

/// What was worked out, by what it is of, the latest last.
type Kept<K, T> = Mutex<Vec<(K, Arc<T>)>>;

/// The mold as it was after some edit.
pub struct Version {
    /// No two versions of a session have the same number.
    pub number: u64,
    pub mold: Mold,
    /// What was said of the values of fields.
    pub(crate) answers: Arc<Vec<FieldAnswer>>,
    reader: OnceLock<Reader>,
    reader_of_all: OnceLock<Reader>,
}

struct History {
    versions: Vec<Arc<Version>>,
    /// The one that is being worked on.
    at: usize,
    next: u64,
    /// The number of the version that was saved last.
    saved: u64,
}

impl Version {
    fn new(number: u64, mold: Mold, answers: Vec<FieldAnswer>) -> Arc<Self> {
        Arc::new(Version {
            number,
            mold,
            answers: Arc::new(answers),
            reader: OnceLock::new(),
            reader_of_all: OnceLock::new(),
        })
    }

    /// Finds what the mold wants.
    pub fn reader(&self) -> &Reader {
        self.reader.get_or_init(|| self.mold.reader())
    }

    /// Finds also the fields that a person would hardly keep.
    pub fn reader_of_all(&self) -> &Reader {
        self.reader_of_all.get_or_init(|| {
            let mut mold = self.mold.clone();
            // All fields are a choice that no mold refuses.
            _ = mold.choose(&FieldChoice::All);
            mold.reader()
        })
    }
}

/// What can be done next.
#[derive(Clone, Copy, Debug, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Standing {
    pub version: u64,
    pub can_undo: bool,
    pub can_redo: bool,
    pub is_saved: bool,
    /// How many values somebody said something of.
    pub answers: usize,
}

impl Session {
    pub fn new(texts: Vec<Text>, mold: Mold, save_to: Option<PathBuf>) -> Self {
        let file = save_to.as_deref().and_then(|path| file_of(path, &mold));
        let history = History {
            versions: vec![Version::new(0, mold, Vec::new())],
            at: 0,
            next: 1,
            saved: 0,
        };
        Session {
            texts,
            save_to,
            history: Mutex::new(history),
            overviews: Mutex::default(),
            pages: Mutex::default(),
            lists: Mutex::default(),
            previewed: Mutex::default(),
            titles: OnceLock::new(),
            file: Mutex::new(file),
        }
    }

    pub fn texts(&self) -> &[Text] {
        &self.texts
    }

    pub fn text(&self, page: usize) -> Answer<&Text> {
        nth(&self.texts, page)
    }

    /// Where the mold is saved to, if that was said.
    pub fn save_to(&self) -> Option<&Path> {
        self.save_to.as_deref()
    }

    fn history(&self) -> MutexGuard<'_, History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The version that is being worked on.
    pub fn version(&self) -> Arc<Version> {
        let history = self.history();
        Arc::clone(&history.versions[history.at])
    }

    pub fn standing(&self) -> Standing {
        let history = self.history();
        let version = history.versions[history.at].number;
        Standing {
            version,
            can_undo: history.at > 0,
            can_redo: history.at + 1 < history.versions.len(),
            is_saved: version == history.saved,
            answers: history.versions[history.at].answers.len(),
        }
    }

    /// What is found on all pages; worked out when it is first asked for.
    pub fn overview(&self) -> Arc<Overview> {
        let version = self.version();
        let mut kept = self
            .overviews
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some((_, overview)) = kept.iter().find(|(number, _)| *number == version.number) {
            return Arc::clone(overview);
        }
        let overview = Arc::new(Overview::of(version.reader(), &self.texts));
        keep(&mut kept, version.number, &overview, KEPT_OVERVIEWS);
        overview
    }

    /// What is found on a page.
    pub fn page(&self, page: usize) -> Answer<Arc<PageValues>> {
        let (text, version) = (self.text(page)?, self.version());
        let key = (version.number, page);
        let kept = || self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = kept().iter().find(|(known, _)| *known == key) {
            return Ok(Arc::clone(found));
        }
        let found = Arc::new(PageValues::of(version.reader(), text)?);
        keep(&mut kept(), key, &found, KEPT_PAGES);
        Ok(found)
    }

    /// What a page is called, to tell it from others.
    pub fn title(&self, page: usize) -> Option<&str> {
        let titles = self.titles.get_or_init(|| {
            let overview = self.overview();
            let first = |found: &crate::overview::PageFound| {
                found
                    .cells
                    .first()
                    .and_then(|cell| cell.values.first().cloned())
            };
            overview.pages.iter().map(first).collect()
        });
        titles.get(page)?.as_deref()
    }

    /// A list on all pages of a group.
    pub fn list(&self, group: usize, list: usize) -> Answer<Arc<GroupList>> {
        let version = self.version();
        let key = (version.number, group, list);
        let kept = || self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = kept().iter().find(|(known, _)| *known == key) {
            return Ok(Arc::clone(found));
        }
        let overview = self.overview();
        let pages = nth(&overview.of_group, group)?;
        nth(&nth(&version.mold.groups, group)?.records, list)?;
        let found = Arc::new(GroupList::of(&version.mold, &self.texts, pages, list));
        keep(&mut kept(), key, &found, KEPT_LISTS);
        Ok(found)
    }

    /// Changes the mold, if it is still the one that was looked at.
    pub fn edit(&self, edit: &Edit, looked_at: u64) -> Answer<()> {
        let (version, draft) = self.draft(edit, looked_at)?;
        let rearranged = self.rearranged(edit, &version);
        self.push(looked_at, draft, rearranged)
    }

    /// The mold that an edit would give.
    fn draft(&self, edit: &Edit, looked_at: u64) -> Answer<(Arc<Version>, Draft)> {
        let version = self.version();
        if version.number != looked_at {
            return Err(Problem::Stale);
        }
        let mut draft = edit.apply(self, &version)?;
        // What is refused later is refused now.
        draft.mold = Mold::from_json(&draft.mold.to_json())
            .map_err(|error| Problem::Refused(error.to_string()))?;
        Ok((version, draft))
    }

    /// What is found after an edit that changes no value: names, order, fields that leave. The
    /// pages need not be read again for it.
    fn rearranged(&self, edit: &Edit, version: &Version) -> Option<Overview> {
        let group = version.mold.groups.get(edit.group_of_order()?)?;
        let (group, order) = edit.order_of_fields(group.wanted().len())?;
        let kept = self.overviews.lock();
        let kept = kept.unwrap_or_else(PoisonError::into_inner);
        let (_, overview) = kept.iter().find(|(number, _)| *number == version.number)?;
        Some(overview.rearranged(group, &order))
    }

    fn push(&self, looked_at: u64, draft: Draft, overview: Option<Overview>) -> Answer<()> {
        let mut history = self.history();
        if history.versions[history.at].number != looked_at {
            return Err(Problem::Stale);
        }
        let number = history.push(draft.mold, draft.answers);
        if let Some(overview) = overview {
            let mut kept = self
                .overviews
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            keep(&mut kept, number, &Arc::new(overview), KEPT_OVERVIEWS);
        }
        Ok(())
    }

    /// What an edit would change, on all pages.
    pub fn preview(&self, edit: &Edit, looked_at: u64) -> Answer<Preview> {
        let (version, draft) = self.draft(edit, looked_at)?;
        let subject = draft.subject.as_ref().ok_or(Problem::Unknown)?;
        let before = self.overview();
        let after = Overview::of(&draft.mold.reader(), &self.texts);
        let id = {
            let mut history = self.history();
            history.next += 1;
            history.next - 1
        };
        let preview = Preview::of(self, subject, &before, &after, id);
        let mut previewed = self
            .previewed
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *previewed = Some(Previewed {
            id,
            of: version.number,
            draft,
            overview: after,
        });
        Ok(preview)
    }

    /// Takes the edit that was looked at.
    pub fn take(&self, id: u64) -> Answer<()> {
        let mut previewed = self
            .previewed
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let taken = previewed.take().filter(|previewed| previewed.id == id);
        let taken = taken.ok_or(Problem::Stale)?;
        self.push(taken.of, taken.draft, Some(taken.overview))
    }

    /// Goes back to the version before, or forth again.
    pub fn step(&self, is_back: bool) -> Answer<()> {
        let mut history = self.history();
        let to = if is_back {
            history.at.checked_sub(1)
        } else {
            Some(history.at + 1)
        };
        history.at = to
            .filter(|&at| at < history.versions.len())
            .ok_or(Problem::Unknown)?;
        Ok(())
    }

    /// Writes the mold to the file that was named when the viewer was started. A file that holds
    /// something else than was read or written here last is replaced only if that is allowed.
    pub fn save(&self, may_replace: bool) -> Answer<()> {
        let path = self.save_to().ok_or(Problem::Unknown)?;
        let version = self.version();
        let mut known = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if path.exists() && !may_replace {
            let name = path.display();
            match (&*known, std::fs::read(path).ok()) {
                (Some(known), Some(found)) if *known == found => {}
                (Some(_), _) => {
                    return Err(Problem::Exists(format!(
                        "{name} was changed by another program since it was read or saved here"
                    )));
                }
                (None, _) => return Err(Problem::Exists(format!("{name} exists"))),
            }
        }
        let json = version.mold.to_json().into_bytes();
        write(path, Overwrite::Allow, &json)
            .map_err(|error| Problem::Refused(error.to_string()))?;
        *known = Some(json);
        self.history().saved = version.number;
        Ok(())
    }
}

/// What a file holds, if that is the mold that is looked at.
fn file_of(path: &Path, mold: &Mold) -> Option<Vec<u8>> {
    /// No mold is read that is larger.
    const MOST_BYTES: u64 = 256 << 20;
    let about = std::fs::metadata(path).ok()?;
    if !about.is_file() || about.len() > MOST_BYTES {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    let held = Mold::from_json(std::str::from_utf8(&bytes).ok()?).ok()?;
    (held == *mold).then_some(bytes)
}

fn write(
    path: &Path,
    overwrite: Overwrite,
    bytes: &[u8],
) -> Result<(), unmold_io::save::SaveError> {
    let mut file = NewFile::create(path, overwrite)?;
    std::io::Write::write_all(&mut file, bytes)
        .map_err(|error| unmold_io::save::SaveError::from_write(path, error))?;
    file.finish()
}

impl History {
    /// Adds a version, and gives its number.
    fn push(&mut self, mold: Mold, answers: Vec<FieldAnswer>) -> u64 {
        let number = self.next;
        self.versions.truncate(self.at + 1);
        self.versions.push(Version::new(number, mold, answers));
        self.next += 1;
        let forgotten = self.versions.len().saturating_sub(MOST_VERSIONS);
        self.versions.drain(..forgotten);
        self.at = self.versions.len() - 1;
        number
    }
}

/// Keeps something beside what was kept last.
fn keep<K, T>(kept: &mut Vec<(K, Arc<T>)>, key: K, thing: &Arc<T>, most: usize) {
    if kept.len() >= most {
        kept.remove(0);
    }
    kept.push((key, Arc::clone(thing)));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session() -> Session {
        let page = |name: &str, weight: &str| {
            Text::from_string(
                name,
                format!("<h1>{name}</h1><table><tr><th>Weight:<td>{weight}</table><p>Rights"),
            )
        };
        let texts = vec![
            page("Kettle", "1.2 kg"),
            page("Skillet", "2.6 kg"),
            page("Knife", "180 g"),
        ];
        let mold = Mold::learn(&texts).unwrap();
        Session::new(texts, mold, None)
    }

    fn rename(name: &str) -> Edit {
        Edit::Rename {
            group: 0,
            field: 0,
            name: name.to_owned(),
        }
    }

    #[test]
    fn edits_are_undone_and_redone() {
        let session = session();
        let name = || session.version().mold.groups[0].fields[0].name.clone();
        session.edit(&rename("name"), 0).unwrap();
        assert_eq!(name(), "name");
        session.step(true).unwrap();
        assert_eq!(name(), "title");
        assert!(session.step(true).is_err());
        session.step(false).unwrap();
        assert_eq!(name(), "name");
        assert!(session.step(false).is_err());
        session.step(true).unwrap();
        session
            .edit(&rename("article"), session.standing().version)
            .unwrap();
        assert!(
            session.step(false).is_err(),
            "what was undone is gone after another edit"
        );
    }

    #[test]
    fn edits_of_a_mold_that_has_changed_are_refused() {
        let session = session();
        session.edit(&rename("name"), 0).unwrap();
        assert!(matches!(
            session.edit(&rename("other"), 0),
            Err(Problem::Stale)
        ));
    }

    #[test]
    fn a_mold_that_makes_no_sense_is_refused() {
        let session = session();
        for name in ["", "Weight", "a\u{202e}b"] {
            assert!(
                matches!(session.edit(&rename(name), 0), Err(Problem::Refused(_))),
                "{name:?}"
            );
        }
    }

    /// Pages of a shop, with a rating that is written in another way on one of them.
    fn shop() -> Session {
        let streets = [
            "Mill Lane",
            "High Street",
            "Quay Road",
            "Church Hill",
            "Park Row",
        ];
        let texts: Vec<Text> = (0..10)
            .map(|at: usize| {
                let (street, city) = (streets[at % 5], ["Harbour", "Northgate", "Overton"][at % 3]);
                let rating = if at == 6 { "light dry warm small large" } else { "4.5" };
                let page = format!(
                    "<h1>Lamp {at}</h1><p>Price: <b>&pound;{}.50</b></p><p>Where: <i class=street>{} {street}</i> \
                     <em class=city>{city} {}</em></p><p>Rating: <u>{rating}</u></p><p>All rights reserved",
                    at * 11 % 7 + 12, at * 13 % 9 + 1, at * 17 % 80 + 10,
                );
                Text::from_string(format!("{at}.html"), page)
            })
            .collect();
        let mold = Mold::learn(&texts).unwrap();
        Session::new(texts, mold, None)
    }

    fn number_of(session: &Session, value: &str) -> usize {
        let overview = session.overview();
        let is_it = |cell: &crate::overview::Cell| cell.values == [value];
        overview.pages[0].cells.iter().position(is_it).unwrap()
    }

    #[test]
    fn fields_that_are_moved_or_dropped_are_not_read_again_and_are_the_same() {
        let cells = |overview: &Overview| -> Vec<Vec<(Vec<String>, Option<&'static str>)>> {
            let of_page = |page: &crate::overview::PageFound| {
                let cell = |cell: &crate::overview::Cell| (cell.values.clone(), cell.doubt);
                page.cells.iter().map(cell).collect()
            };
            overview.pages.iter().map(of_page).collect()
        };
        let fields = shop().version().mold.groups[0].wanted().len();
        for field in 0..fields {
            for edit in [
                Edit::Tick {
                    group: 0,
                    field,
                    on: false,
                },
                Edit::Move {
                    group: 0,
                    field,
                    to: 0,
                },
            ] {
                let session = shop();
                session.overview();
                session.edit(&edit, 0).unwrap();
                let read_again = Overview::of(session.version().reader(), session.texts());
                assert_eq!(cells(&session.overview()), cells(&read_again), "{edit:?}");
            }
        }
    }

    #[test]
    fn a_wrong_column_is_put_right_after_a_look_at_what_changes() {
        let session = shop();
        let field = number_of(&session, "1 Mill Lane");
        let correct = |verdict, value: &str| Edit::Correct {
            group: 0,
            field,
            page: 0,
            verdict,
            values: vec![value.to_owned()],
            way: 0,
        };
        let preview = session
            .preview(&correct(crate::answers::Verdict::Instead, "Harbour 10"), 0)
            .unwrap();
        let shown = serde_json::to_value(&preview).unwrap();
        assert_eq!(
            (shown["pages"].as_u64(), shown["changed"].as_u64()),
            (Some(10), Some(10))
        );
        assert_eq!(shown["rows"][0]["before"][0], "1 Mill Lane");
        assert_eq!(shown["rows"][0]["after"][0], "Harbour 10");
        assert!(shown["warnings"].as_array().unwrap().iter().any(|warning| {
            warning
                .as_str()
                .unwrap()
                .contains("has the same values on all pages")
        }));
        assert_eq!(
            session.standing().version,
            0,
            "nothing changes before it is taken"
        );
        session.take(preview.id).unwrap();
        assert_eq!(
            session.overview().pages[0].cells[field].values,
            ["Harbour 10"]
        );
        assert!(session.take(preview.id).is_err(), "taken once");
        session.step(true).unwrap();
        assert_eq!(
            session.overview().pages[0].cells[field].values,
            ["1 Mill Lane"]
        );
        let nowhere = correct(crate::answers::Verdict::Instead, "what no page has");
        assert!(session.preview(&nowhere, 0).is_err());
    }

    #[test]
    fn a_preview_of_a_mold_that_has_changed_is_not_taken() {
        let session = shop();
        let field = number_of(&session, "1 Mill Lane");
        let edit = Edit::Tick {
            group: 0,
            field: field + 1,
            on: false,
        };
        session.edit(&rename("first"), 0).unwrap();
        assert!(matches!(session.preview(&edit, 0), Err(Problem::Stale)));
    }

    #[test]
    fn what_was_said_of_a_value_goes_with_its_field() {
        let session = shop();
        let field = number_of(&session, "1 Mill Lane");
        let settle = Edit::Settle {
            group: 0,
            field,
            page: 0,
            verdict: crate::answers::Verdict::Right,
            values: vec!["1 Mill Lane".to_owned()],
        };
        session.edit(&settle, 0).unwrap();
        let name = Edit::Rename {
            group: 0,
            field,
            name: "road".to_owned(),
        };
        session.edit(&name, session.standing().version).unwrap();
        assert_eq!(session.version().answers[0].field, "road");
        session.step(true).unwrap();
        session.step(true).unwrap();
        assert_eq!(
            session.standing().answers,
            0,
            "what was said is undone, too"
        );
    }

    #[test]
    fn a_file_is_replaced_without_a_question_if_nobody_else_changed_it() {
        let folder = std::env::temp_dir().join(format!("unmold-view-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("site.mold.json");
        let texts = shop().texts;
        let mold = Mold::learn(&texts).unwrap();
        std::fs::write(&path, "another file").unwrap();
        let session = Session::new(texts.clone(), mold.clone(), Some(path.clone()));
        assert!(matches!(session.save(false), Err(Problem::Exists(_))));
        session.save(true).unwrap();
        session.edit(&rename("first"), 0).unwrap();
        session.save(false).unwrap();
        std::fs::write(&path, mold.to_json()).unwrap();
        let said = session.save(false).unwrap_err().to_string();
        assert!(said.contains("changed by another program"), "{said}");
        // The file that was read when the viewer was started is replaced without a question, too.
        let session = Session::new(texts, mold, Some(path.clone()));
        session.edit(&rename("first"), 0).unwrap();
        session.save(false).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
