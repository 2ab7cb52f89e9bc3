//! A mold, as Python sees it.

use crate::{
    errors::{BadPage, LearnError as NothingLearned, MoldError, UnmoldError, of_learning, of_mold},
    extraction::{Extraction, ReadPage, from_json, goes_by_strings},
    many::{Errors, ReadMany},
    pages::{self, Columns},
    working::{PerProcess, alone, interruptibly, together},
};
use pyo3::{
    exceptions::{PyOSError, PyTypeError, PyValueError},
    prelude::*,
    types::{PyBool, PyDict, PyList, PyString, PyTuple, PyType},
};
use rayon::prelude::*;
use std::{collections::HashSet, error::Error, io, path::PathBuf, sync::Arc};
use unmold::{
    Learner, Mold as Rules, Page, Reader, Text,
    export::{Target, UnknownTarget, export},
    fields::Example,
    learn::LearnError,
    mold::{FieldChoice, Group},
    papers::{cut_point, documents},
    read::{PageError, mutable::Mutables},
    reader::{Label, LabelError, Part},
};
use unmold_io::save::{self, Overwrite, SaveError};

/// What was learned about a site: the rules that `read` and `read_many` go by.
///
/// It can be saved, loaded, pickled, sent to other processes and shared by threads. In a notebook
/// it shows itself as a table.
///
/// >>> import unmold
/// >>> page = "<title>{0}</title><h1>{0}</h1><p>Calling code: <b>{1}</b></p>".format
/// >>> mold = unmold.learn([page("Congo", 242), page("Egypt", 20), page("Spain", 34)])
/// >>> mold
/// <unmold.Mold of 3 pages, 1 group, 2 fields, 0 lists>
/// >>> mold.read(page("Chad", 235)).fields
/// {'title': ['Chad'], 'Calling_code': ['235']}
/// >>> [found["title"] for found in mold.read_many([page("Peru", 51), page("Fiji", 679)])]
/// ['Peru', 'Fiji']
#[pyclass(frozen, module = "unmold", eq)]
pub struct Mold {
    rules: Arc<Rules>,
    parts: Option<Vec<Part>>,
    /// Made when the first page comes, in each process.
    reader: PerProcess<Arc<Reader>>,
    failed: Vec<BadPage>,
}

/// What is sent of a mold: its JSON, and the parts of a page that it is for.
type Pickled = (String, Option<Vec<&'static str>>);

impl PartialEq for Mold {
    fn eq(&self, other: &Self) -> bool {
        self.rules == other.rules && self.parts == other.parts
    }
}

impl From<Rules> for Mold {
    fn from(rules: Rules) -> Self {
        Mold::of(Arc::new(rules), None)
    }
}

impl Mold {
    fn of(rules: Arc<Rules>, parts: Option<Vec<Part>>) -> Self {
        Mold {
            rules,
            parts,
            reader: PerProcess::new(),
            failed: Vec::new(),
        }
    }

    fn reader(&self, py: Python<'_>) -> PyResult<Arc<Reader>> {
        self.reader.get(py, || {
            let reader = Reader::new(self.rules.clone());
            Ok(Arc::new(match self.asked_for() {
                Some(parts) => reader.only(&parts),
                None => reader,
            }))
        })
    }

    /// What of a page is looked for. Where there are template strings only, they tell what is
    /// content.
    fn asked_for(&self) -> Option<Vec<Part>> {
        if !goes_by_strings(&self.rules) {
            return self.parts.clone();
        }
        let parts = self
            .parts
            .as_deref()
            .unwrap_or(&[Part::Content, Part::About]);
        Some(
            parts
                .iter()
                .map(|part| {
                    if *part == Part::Content {
                        Part::Strings
                    } else {
                        *part
                    }
                })
                .collect(),
        )
    }

    fn count(&self, of_group: impl Fn(&Group) -> usize) -> usize {
        self.rules.groups.iter().map(of_group).sum()
    }
}

/// How to learn, by the name of the method.
fn learner(method: &str) -> PyResult<Learner> {
    Ok(match method {
        "fields" => Learner::default(),
        "content" => Learner::content_only(),
        "lr" => Learner::lr(cut_point::Settings::default()),
        "strings" => Learner::strings(Mutables::common(), documents::Settings::default()),
        other => {
            let reason =
                format!("method is \"fields\", \"content\", \"lr\" or \"strings\", not {other:?}");
            return Err(PyValueError::new_err(reason));
        }
    })
}

/// Learns a mold from pages of a site: which are of the same template, their fields, what they
/// list, and where their main content is. Pages are str, bytes, (url, html) pairs, dicts with
/// "html", or a table (Arrow, pandas, polars, DuckDB) with the columns that `html` and `url` name;
/// a path, or a list of paths, is read as `load` reads it. Their order makes no difference.
///
/// `examples` names the fields that are wanted by values that some page has: {"price": "£48.50"},
/// or a list of {"page": .., "fields": {..}, "content": ".."}, where the content is the page's main
/// text, or an element that has it. Those that no rule finds raise LearnError.
///
/// `method` is "fields" (all there is to learn), "content" (main content alone, faster), "lr" or
/// "strings" (as in the papers).
///
/// `one_template` takes all pages as of one template, whatever they look like.
///
/// `with_labels` also learns the whole text of values that have their label in it: `Price_text`
/// beside `Price`.
///
/// A page that cannot be worked on costs that page: it is in `mold.failed`.
///
/// >>> import unmold
/// >>> page = "<h1>{}</h1><table><tr><th>Weight:<td>{}</table><p>All rights reserved".format
/// >>> pages = [page("Kettle", "1.2 kg"), page("Skillet", "2.6 kg"), page("Knife", "180 g")]
/// >>> unmold.learn(pages, examples={"mass": "180 g"}).read(pages[0]).fields
/// {'mass': ['1.2 kg']}
#[pyfunction]
#[pyo3(signature = (pages, examples=None, *, method="fields", one_template=false, with_labels=false, html="html", url="url"))]
#[allow(clippy::too_many_arguments, reason = "Python names them")]
pub fn learn(
    py: Python<'_>,
    pages: &Bound<'_, PyAny>,
    examples: Option<&Bound<'_, PyAny>>,
    method: &str,
    one_template: bool,
    with_labels: bool,
    html: &str,
    url: &str,
) -> PyResult<Mold> {
    let examples = examples.map(read_examples).transpose()?.unwrap_or_default();
    if !examples.is_empty() && method != "fields" {
        return Err(PyValueError::new_err("examples go with method=\"fields\""));
    }
    let learner = learner(method)?
        .examples(examples)
        .one_template(one_template)
        .with_labels(with_labels);
    let (pages, bad) = pages::all(pages, Columns { html, url })?;
    if pages.is_empty() {
        let first = bad.first().map_or(String::new(), |bad| {
            format!("; {}: {}", bad.page, bad.reason)
        });
        return Err(NothingLearned::new_err(format!(
            "there is no page to learn from{first}"
        )));
    }
    study(py, learner, pages, bad)
}

fn study(
    py: Python<'_>,
    learner: Learner,
    pages: Vec<Page>,
    mut failed: Vec<BadPage>,
) -> PyResult<Mold> {
    let (outcome, undecoded) = interruptibly(py, move || {
        let decoded: Vec<Result<Text, BadPage>> =
            pages.into_par_iter().map(pages::decoded).collect();
        let bad: Vec<BadPage> = decoded
            .iter()
            .filter_map(|page| page.as_ref().err().cloned())
            .collect();
        let texts: Vec<Text> = decoded.into_iter().flatten().collect();
        let outcome = learner
            .learn_with_outcome(&texts)
            .map_err(|error| (error, failing(&texts)));
        (outcome, bad)
    })?;
    let outcome =
        outcome.map_err(|(error, failing)| failing.unwrap_or_else(|| of_learning(&error)))?;
    if !outcome.unfit.is_empty() {
        let reasons: Vec<String> = outcome.unfit.iter().map(ToString::to_string).collect();
        return Err(of_learning(&LearnError::Example(reasons.join("; "))));
    }
    failed.extend(undecoded);
    failed.extend(outcome.failed.into_iter().map(BadPage::from));
    Ok(Mold {
        failed,
        ..Mold::from(outcome.mold)
    })
}

/// Whether nothing was learned because most pages show an error of this program: then that is what
/// to say.
#[cold]
fn failing(texts: &[Text]) -> Option<PyErr> {
    let nothing = Rules::nothing().reader();
    let failed: Vec<PageError> = texts
        .par_iter()
        .filter_map(|text| nothing.read_alone(text).err())
        .collect();
    let first = failed.first().filter(|_| 2 * failed.len() > texts.len())?;
    Some(UnmoldError::new_err(format!(
        "{} of {} pages fail; {first}",
        failed.len(),
        texts.len()
    )))
}

/// Examples as Python says them: values by name about whichever page has them, or what is said of
/// named pages.
fn read_examples(given: &Bound<'_, PyAny>) -> PyResult<Vec<Example>> {
    if let Ok(one) = given.cast::<PyDict>() {
        return Ok(vec![read_example(one)?]);
    }
    let no_dict = |given: &Bound<'_, PyAny>| match given.get_type().name() {
        Ok(kind) => PyTypeError::new_err(format!(
            "examples are a dict, or a list of dicts: not {kind}"
        )),
        Err(error) => error,
    };
    if given.is_instance_of::<PyString>() {
        return Err(no_dict(given));
    }
    let each = given.try_iter().map_err(|_| no_dict(given))?;
    each.map(|one| {
        one.and_then(|one| read_example(one.cast::<PyDict>().map_err(|_| no_dict(&one))?))
    })
    .collect()
}

fn read_example(given: &Bound<'_, PyDict>) -> PyResult<Example> {
    let part = |name| Ok::<_, PyErr>(given.get_item(name)?.filter(|part| !part.is_none()));
    let fields = part("fields")?;
    let fields = fields
        .as_ref()
        .and_then(|fields| fields.cast::<PyDict>().ok());
    // What names a page says its content; else "content" is a field like any other.
    let content =
        part("content")?.filter(|_| fields.is_some() || given.contains("page").unwrap_or(false));
    if fields.is_none() && content.is_none() {
        return Ok(Example {
            fields: named_values(given)?,
            ..Example::default()
        });
    }
    Ok(Example {
        page: part("page")?.map(|page| page.extract()).transpose()?,
        fields: fields.map(named_values).transpose()?.unwrap_or_default(),
        content: content.map(|content| content.extract()).transpose()?,
    })
}

fn named_values(given: &Bound<'_, PyDict>) -> PyResult<Vec<(String, Vec<String>)>> {
    let read = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let values = if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
            value
                .try_iter()?
                .map(|value| said(&value?))
                .collect::<PyResult<_>>()?
        } else if value.is_none() {
            Vec::new()
        } else {
            vec![said(&value)?]
        };
        Ok((name.extract()?, values))
    };
    let fields: Vec<(String, Vec<String>)> = given.iter().map(read).collect::<PyResult<_>>()?;
    let fields: Vec<_> = fields
        .into_iter()
        .filter(|(_, values)| !values.is_empty())
        .collect();
    if fields.is_empty() {
        Err(PyValueError::new_err("an example has no values"))
    } else {
        Ok(fields)
    }
}

/// A value of an example as the page would write it.
fn said(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if value.is_instance_of::<PyString>()
        || value.extract::<f64>().is_ok() && !value.is_instance_of::<PyBool>()
    {
        return value.str()?.extract();
    }
    let kind = value.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "a value of an example is str or a number, not {kind}"
    )))
}

/// What of a page is wanted, by name.
fn part(name: &str) -> PyResult<Part> {
    Ok(match name {
        "fields" => Part::Fields,
        "lists" => Part::Lists,
        "content" => Part::Content,
        "about" => Part::About,
        other => {
            let reason = format!(
                "a page has \"fields\", \"lists\", \"content\" and \"about\", not {other:?}"
            );
            return Err(PyValueError::new_err(reason));
        }
    })
}

/// Another tool, by its name on the command line.
fn target(name: &str) -> PyResult<Target> {
    name.parse()
        .map_err(|error: UnknownTarget| PyValueError::new_err(error.to_string()))
}

/// Pages as texts, without those that cannot be read.
fn decoded(pages: Vec<Page>) -> Vec<Text> {
    pages
        .into_par_iter()
        .filter_map(|page| pages::decoded(page).ok())
        .collect()
}

/// What the operating system said: Python adds the number itself.
fn without_number(error: &io::Error) -> String {
    let said = error.to_string();
    said.split(" (os error ")
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// Why a file was not written, as the exception of its kind: FileNotFoundError, PermissionError and
/// the like.
fn not_saved(error: &SaveError) -> PyErr {
    let source = error
        .source()
        .and_then(|source| source.downcast_ref::<io::Error>());
    match source {
        Some(source) => io::Error::new(
            source.kind(),
            format!("{error}: {}", without_number(source)),
        )
        .into(),
        None => PyOSError::new_err(error.to_string()),
    }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

#[pymethods]
impl Mold {
    /// Reads a page: str, bytes, a (url, html) pair or a dict. Threads may read by the same mold at
    /// once; each page makes the next ones faster.
    #[pyo3(signature = (html, url=None))]
    fn read(
        &self,
        py: Python<'_>,
        html: &Bound<'_, PyAny>,
        url: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Extraction> {
        let held = pages::one(html, url)?;
        let (copy, reader) = (held.copy(), self.reader(py)?);
        let read = alone(py, || ReadPage::read(&reader, copy()))?;
        read.map(Extraction::from).map_err(BadPage::raised)
    }

    /// Reads many pages on all cores: an iterator over their extractions, in their order. Pages may
    /// come from a generator, a table or a path; memory does not grow with their number. A bad page
    /// is raised as PageError, and the iterator can go on behind it; with errors="return" the
    /// PageError is given in its place, with errors="skip" it is left out.
    ///
    /// >>> import unmold
    /// >>> page = "<title>{0}</title><h1>{0}</h1><p>Calling code: <b>{1}</b></p>".format
    /// >>> mold = unmold.learn([page("Congo", 242), page("Egypt", 20), page("Spain", 34)])
    /// >>> for found in mold.read_many([page("Peru", 51), None], errors="return"):
    /// ...     print(repr(found))
    /// <unmold.Extraction "0" of group 0, 2 fields>
    /// PageError('1', 'None is no page')
    #[pyo3(signature = (pages, *, errors="raise", html="html", url="url"))]
    fn read_many(
        &self,
        py: Python<'_>,
        pages: &Bound<'_, PyAny>,
        errors: &str,
        html: &str,
        url: &str,
    ) -> PyResult<ReadMany> {
        Ok(ReadMany::new(
            self.reader(py)?,
            &pages::each(pages, Columns { html, url })?,
            Errors::named(errors)?,
        ))
    }

    /// The mold by one page that a person or a language model has labelled: `fields` are its values
    /// by name, `content` is its main text. The mold that comes out gives exactly these fields,
    /// under these names, on all pages of the page's template, and has the content where the text
    /// is. Nothing is trained: the label chooses among what the mold knows and the page has. A
    /// label that nothing fits raises LearnError.
    ///
    /// >>> import unmold
    /// >>> page = "<h1>{}</h1><table><tr><th>Weight:<td>{}</table><p>All rights reserved".format
    /// >>> mold = unmold.learn([page("Kettle", "1.2 kg"), page("Skillet", "2.6 kg"), page("Knife", "180 g")])
    /// >>> labelled = mold.learn_from_label(page("Knife", "180 g"), fields={"mass": "180 g"})
    /// >>> labelled.read(page("Fork", "90 g")).fields
    /// {'mass': ['90 g']}
    #[pyo3(signature = (page, *, fields=None, content=None))]
    fn learn_from_label(
        &self,
        py: Python<'_>,
        page: &Bound<'_, PyAny>,
        fields: Option<&Bound<'_, PyDict>>,
        content: Option<String>,
    ) -> PyResult<Mold> {
        if fields.is_none() && content.is_none() {
            return Err(PyValueError::new_err("a label says fields or content"));
        }
        let label = Label {
            fields: fields.map(named_values).transpose()?.unwrap_or_default(),
            content,
        };
        let held = pages::one(page, None)?;
        let (copy, rules) = (held.copy(), self.rules.clone());
        let chosen = together(py, || {
            let text = pages::decoded(copy())?;
            let reader = Reader::new(rules);
            Ok::<_, BadPage>(reader.by_label(&text, &label).map_err(|error| match error {
                LabelError::Page(error) => BadPage::from(error).raised(),
                error => of_learning(&LearnError::Example(error.to_string())),
            }))
        })?;
        Ok(Mold::of(
            Arc::new(chosen.map_err(BadPage::raised)??),
            self.parts.clone(),
        ))
    }

    /// Reads many pages into a pyarrow.Table: page, url, group, a column for each wanted field,
    /// title, date, text, doubts and error. A bad page is a row with an error. `columns` chooses
    /// among "fields", "text" and "markdown", the first two if it is not given.
    #[pyo3(signature = (pages, *, columns=None, html="html", url="url"))]
    fn read_table<'py>(
        slf: &Bound<'py, Self>,
        pages: &Bound<'py, PyAny>,
        columns: Option<&Bound<'py, PyAny>>,
        html: &str,
        url: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.py()
            .import("unmold._tables")?
            .getattr("read")?
            .call1((slf, pages, columns, html, url))
    }

    /// Has the site changed? Holds today's pages against the mold: a dict with the `verdict`
    /// ("healthy", "drifted", "broken", or "unseen" if no page says anything), the `reasons`, and
    /// the same for each group and field, as `unmold check -f json` says it.
    ///
    /// >>> import unmold
    /// >>> page = "<h1>Kettle {0}</h1><table class=spec><tr><th>Weight:<td>{0}00 g</table><p>All rights reserved".format
    /// >>> mold = unmold.learn(map(page, range(1, 10)))
    /// >>> mold.check(map(page, range(11, 20)))["verdict"]
    /// 'healthy'
    /// >>> changed = [page(n).replace("<table class=spec>", "<div id=new><table>") for n in range(21, 30)]
    /// >>> mold.check(changed)["verdict"]
    /// 'drifted'
    #[pyo3(signature = (pages, *, html="html", url="url"))]
    fn check<'py>(
        &self,
        py: Python<'py>,
        pages: &Bound<'py, PyAny>,
        html: &str,
        url: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (pages, _) = pages::all(pages, Columns { html, url })?;
        let rules = self.rules.clone();
        let report = interruptibly(py, move || {
            let texts = decoded(pages);
            serde_json::to_string(&rules.checker().check(&texts))
        })?;
        from_json(
            py,
            &report.map_err(|error| UnmoldError::new_err(error.to_string()))?,
        )
    }

    /// What changed from the old pages of the site to the new ones: a dict with `pages`, of which
    /// each has `page`, `url`, `change` ("new", "gone" or "changed"), `fields`, `lists` and
    /// `content`, and `unchanged`, the number of pages that are the same. The frame is never
    /// compared.
    ///
    /// >>> import unmold
    /// >>> page = "<h1>{}</h1><table><tr><th>Price:<td>{}</table><p>All rights reserved".format
    /// >>> old = [("https://a.example/1", page("Kettle", "£48")), ("https://a.example/2", page("Knife", "£12"))]
    /// >>> new = [("https://a.example/1", page("Kettle", "£45")), ("https://a.example/2", page("Knife", "£12"))]
    /// >>> unmold.learn(old).changes(old, new)["pages"][0]["fields"][0]["difference"]["by"]
    /// -3.0
    #[pyo3(signature = (old, new, *, html="html", url="url"))]
    fn changes<'py>(
        &self,
        py: Python<'py>,
        old: &Bound<'py, PyAny>,
        new: &Bound<'py, PyAny>,
        html: &str,
        url: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let columns = Columns { html, url };
        let ((old, _), (new, _)) = (pages::all(old, columns)?, pages::all(new, columns)?);
        let rules = self.rules.clone();
        let changes = interruptibly(py, move || {
            let (old, new) = (decoded(old), decoded(new));
            serde_json::to_string(&rules.changes(&old, &new))
        })?;
        from_json(
            py,
            &changes.map_err(|error| UnmoldError::new_err(error.to_string()))?,
        )
    }

    /// The mold with what broke learned again from today's pages: fields keep their names and get
    /// new ways to be found.
    #[pyo3(signature = (pages, *, html="html", url="url"))]
    fn repair(
        &self,
        py: Python<'_>,
        pages: &Bound<'_, PyAny>,
        html: &str,
        url: &str,
    ) -> PyResult<Mold> {
        let (pages, _) = pages::all(pages, Columns { html, url })?;
        let rules = self.rules.clone();
        let repaired = interruptibly(py, move || rules.repair(&decoded(pages)))?;
        repaired
            .map(|repair| Mold::from(repair.mold))
            .map_err(|error| of_learning(&error))
    }

    /// The rules for another tool, as text: `to` is "css", "xpath", "parsel", "scrapy", "crawl4ai",
    /// "ftr", "regex" or "json-schema". Each rule is proven on the pages that are given: one that
    /// does not give what the mold gives is left out, and the text says so.
    ///
    /// >>> import unmold
    /// >>> page = "<h1>Kettle {0}</h1><table><tr><th>Weight:</th><td>{0}00 g</td></tr></table><p>All rights reserved".format
    /// >>> pages = [page(number) for number in range(1, 10)]
    /// >>> "following-sibling::*[1][self::td]" in unmold.learn(pages).export("xpath", pages)
    /// True
    #[pyo3(signature = (to, pages=None, *, html="html", url="url"))]
    fn export(
        &self,
        py: Python<'_>,
        to: &str,
        pages: Option<&Bound<'_, PyAny>>,
        html: &str,
        url: &str,
    ) -> PyResult<String> {
        let target = target(to)?;
        let pages = pages
            .map(|pages| pages::all(pages, Columns { html, url }))
            .transpose()?
            .map_or_else(Vec::new, |(pages, _)| pages);
        let rules = self.rules.clone();
        let exported = interruptibly(py, move || export(&rules, target, &decoded(pages)))?;
        let exported = exported.map_err(|error| MoldError::new_err(error.to_string()))?;
        if exported.rules.iter().all(|rule| rule.rule.is_none()) {
            return Err(MoldError::new_err(
                "no rule of the mold can be said in this form: give sample pages, or another form",
            ));
        }
        Ok(exported.text)
    }

    /// The same mold for some parts of a page only, which is faster: "fields", "lists", "content",
    /// "about".
    #[pyo3(signature = (*parts))]
    fn only(&self, parts: Vec<String>) -> PyResult<Mold> {
        let parts = parts
            .into_iter()
            .map(|name| part(&name))
            .collect::<PyResult<_>>()?;
        Ok(Mold::of(self.rules.clone(), Some(parts)))
    }

    /// The same mold with other fields wanted: "all", so many of the first, or those of a list of
    /// names, in its order.
    fn choose(&self, fields: &Bound<'_, PyAny>) -> PyResult<Mold> {
        let choice = if let Ok(count) = fields.extract::<usize>() {
            FieldChoice::First(count)
        } else if fields.extract::<&str>().is_ok_and(|word| word == "all") {
            FieldChoice::All
        } else if let Some(names) = fields
            .extract()
            .ok()
            .filter(|_| !fields.is_instance_of::<PyString>())
        {
            FieldChoice::Named(names)
        } else {
            return Err(PyValueError::new_err(
                "fields are \"all\", a number from 0 on, or a list of names",
            ));
        };
        let mut rules = Rules::clone(&self.rules);
        rules
            .choose(&choice)
            .map_err(|error| MoldError::new_err(error.to_string()))?;
        Ok(Mold::of(Arc::new(rules), self.parts.clone()))
    }

    /// Reads a mold from a file.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Mold> {
        let shown = path.display().to_string();
        let json = alone(py, move || {
            unmold_io::read_rule_file(&path, unmold_io::MAX_RULE_FILE_BYTES)
        })?
        .map_err(|error| match error.raw_os_error() {
            Some(number) => PyOSError::new_err((number, without_number(&error), shown.clone())),
            None => MoldError::new_err(format!("{shown}: no mold: {error}")),
        })?;
        let rules = alone(py, || Rules::from_json(&json))?;
        rules
            .map(Mold::from)
            .map_err(|error| MoldError::new_err(format!("{shown}: {error}")))
    }

    /// Writes the mold to a file, which appears whole or not at all; one that is there is replaced.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let written = alone(py, || {
            save::write(path, Overwrite::Allow, self.rules.to_json().as_bytes())
        })?;
        written.map_err(|error| not_saved(&error))
    }

    /// Reads a mold from its JSON.
    #[staticmethod]
    fn from_json(py: Python<'_>, json: &str) -> PyResult<Mold> {
        let rules = alone(py, || Rules::from_json(json))?;
        rules.map(Mold::from).map_err(|error| of_mold(&error))
    }

    /// The mold as JSON, for people to read and edit: see docs/formats.md.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        alone(py, || self.rules.to_json())
    }

    /// The mold as a dict: what `to_json` says.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        from_json(py, &self.to_json(py)?)
    }

    /// The names of the wanted fields of all groups, each once, in the order of the groups.
    #[getter]
    fn fields(&self) -> Vec<&str> {
        let mut seen = HashSet::new();
        let names = self
            .rules
            .groups
            .iter()
            .flat_map(Group::wanted)
            .map(|field| field.name.as_str());
        names.filter(|name| seen.insert(*name)).collect()
    }

    /// The groups: name, pages, and the wanted fields with how many pages have them and what their
    /// values look like.
    #[getter]
    fn groups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let groups = PyList::empty(py);
        for group in &self.rules.groups {
            let fields = PyList::empty(py);
            for field in group.wanted() {
                let row = PyDict::new(py);
                row.set_item("name", &field.name)?;
                row.set_item("fill", field.fill)?;
                row.set_item("agreement", field.agreement)?;
                row.set_item("many", field.many)?;
                row.set_item("samples", &field.samples)?;
                fields.append(row)?;
            }
            let row = PyDict::new(py);
            row.set_item("name", &group.name)?;
            row.set_item("pages", group.pages)?;
            row.set_item("fields", fields)?;
            row.set_item(
                "lists",
                group
                    .records
                    .iter()
                    .map(|list| list.name.as_str())
                    .collect::<Vec<_>>(),
            )?;
            groups.append(row)?;
        }
        Ok(groups)
    }

    /// The pages that could not be learned from, as PageErrors.
    #[getter]
    fn failed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(
            py,
            self.failed
                .iter()
                .map(|bad| bad.clone().raised().into_value(py)),
        )
    }

    /// The template strings of a mold that was learned with method="strings"; [] for others.
    #[getter]
    fn template_strings(&self) -> Vec<&str> {
        let templates = self
            .rules
            .groups
            .iter()
            .filter_map(|group| group.template.as_ref());
        templates
            .flat_map(|template| &template.strings)
            .map(|string| string.string.as_str())
            .collect()
    }

    fn __repr__(&self) -> String {
        let groups = counted(self.rules.groups.len(), "group");
        let fields = counted(self.count(|group| group.wanted().len()), "field");
        let lists = counted(self.count(|group| group.records.len()), "list");
        let pages = counted(self.rules.learned.pages, "page");
        format!("<unmold.Mold of {pages}, {groups}, {fields}, {lists}>")
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py()
            .import("unmold._show")?
            .getattr("mold")?
            .call1((slf,))
    }

    fn __hash__(&self) -> u64 {
        u64::from_str_radix(&self.rules.learned.hash, 16).unwrap_or_default()
    }

    /// How a mold is sent to other processes.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let mold = slf.get();
        let parts = mold
            .parts
            .as_ref()
            .map(|parts| parts.iter().map(|part| part_name(*part)).collect());
        let unpickled = slf
            .py()
            .import("unmold._unmold")?
            .getattr("Mold")?
            .getattr("_unpickled")?;
        Ok((unpickled, (mold.to_json(slf.py())?, parts)))
    }

    #[classmethod]
    fn _unpickled(
        _: &Bound<'_, PyType>,
        py: Python<'_>,
        json: &str,
        parts: Option<Vec<String>>,
    ) -> PyResult<Mold> {
        let mold = Mold::from_json(py, json)?;
        match parts {
            Some(parts) => mold.only(parts),
            None => Ok(mold),
        }
    }
}

fn part_name(part: Part) -> &'static str {
    match part {
        Part::Fields => "fields",
        Part::Lists => "lists",
        Part::Content => "content",
        _ => "about",
    }
}
