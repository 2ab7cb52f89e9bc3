//! What a page holds, as Python sees it.
//!
//! An extraction keeps its page and the rules that read it: what it is asked for is made then, and
//! not before.

use crate::{errors::BadPage, pages, working::alone};
use pyo3::{
    exceptions::PyKeyError,
    prelude::*,
    types::{PyDict, PyIterator, PyList, PyString},
};
use self_cell::self_cell;
use std::sync::Arc;
use unmold::{
    Mold, Page, Reader, Span, Text,
    fields::Value,
    read::{declared::Declared, guarded, html::visible_text, tree::Tree},
    reader::{self, Doubt, FoundField},
    report::{
        cleaned::{self, CleanedRow},
        rows,
    },
};

/// Whether a mold has template strings and nothing else that says where content is.
pub fn goes_by_strings(mold: &Mold) -> bool {
    !mold.has_content() && mold.has_strings()
}

/// A page, and what reads it.
pub struct Source {
    reader: Arc<Reader>,
    text: Text,
}

type Found<'s> = reader::Extraction<'s>;

self_cell!(
    /// A page with what was found on it.
    pub struct ReadPage {
        owner: Source,
        #[covariant]
        dependent: Found,
    }
);

impl ReadPage {
    /// Reads a page.
    pub fn read(reader: &Arc<Reader>, page: Page) -> Result<Self, BadPage> {
        let source = Source {
            reader: reader.clone(),
            text: pages::decoded(page)?,
        };
        Ok(ReadPage::try_new(source, |source| {
            source.reader.read(&source.text)
        })?)
    }

    /// Reads a page that has nothing in common with others.
    pub fn read_alone(reader: &Arc<Reader>, page: Page) -> Result<Self, BadPage> {
        let source = Source {
            reader: reader.clone(),
            text: pages::decoded(page)?,
        };
        Ok(ReadPage::try_new(source, |source| {
            source.reader.read_alone(&source.text)
        })?)
    }

    fn found(&self) -> &Found<'_> {
        self.borrow_dependent()
    }

    fn source(&self) -> &Text {
        &self.borrow_owner().text
    }

    /// The main content, or what is left without template strings where the mold has nothing else.
    fn content(&self) -> reader::Content<'_> {
        if goes_by_strings(self.borrow_owner().reader.mold()) {
            self.found().without_strings()
        } else {
            self.found().content()
        }
    }

    /// Does what may take a while, without the interpreter's lock.
    fn write(&self, py: Python<'_>, work: impl FnOnce(&Self) -> String + Send) -> PyResult<String> {
        let written = alone(py, || guarded(self.source(), |_| work(self)))?;
        written.map_err(|error| BadPage::from(error).raised())
    }
}

/// What a page holds: the values of the mold's fields, what the page lists, its main content, and
/// what it says about itself.
///
/// It keeps the page; texts and dicts are made when they are asked for. In a notebook it shows
/// itself as a table.
///
/// >>> import unmold
/// >>> page = "<title>{0}</title><h1>{0}</h1><p>Calling code: <b>{1}</b></p>".format
/// >>> mold = unmold.learn([page("Congo", 242), page("Egypt", 20), page("Spain", 34)])
/// >>> found = mold.read(page("Chad", 235), url="http://example.org/chad")
/// >>> found.fields
/// {'title': ['Chad'], 'Calling_code': ['235']}
/// >>> found["Calling_code"], found.get("Anthem", "unknown")
/// ('235', 'unknown')
#[pyclass(frozen, module = "unmold")]
pub struct Extraction(Arc<ReadPage>);

impl From<ReadPage> for Extraction {
    fn from(page: ReadPage) -> Self {
        Extraction(Arc::new(page))
    }
}

impl Extraction {
    fn found(&self) -> &Found<'_> {
        self.0.found()
    }

    fn field(&self, name: &str) -> Option<FoundField<'_>> {
        self.found().fields().find(|field| field.name() == name)
    }

    /// What to say to who asks for a field that is not there.
    #[cold]
    fn no_field(&self, name: &str) -> PyErr {
        let names: Vec<&str> = self.found().fields().map(|field| field.name()).collect();
        let there = match self.found().read_by() {
            None => "the page is of no group of the mold".to_owned(),
            Some(_) if names.is_empty() => "no fields are looked for".to_owned(),
            Some(_) => format!("there are {}", names.join(", ")),
        };
        PyKeyError::new_err(format!("{name}: {there}"))
    }

    /// A dict with something of each field.
    fn by_field<'py, 's, V: IntoPyObject<'py>>(
        &'s self,
        py: Python<'py>,
        value: impl Fn(FoundField<'s>) -> Option<V>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for field in self.found().fields() {
            if let Some(value) = value(field) {
                dict.set_item(field.name(), value)?;
            }
        }
        Ok(dict)
    }
}

fn texts<'f>(field: FoundField<'f>) -> Vec<&'f str> {
    field.values().map(Value::text).collect()
}

/// Reads JSON as Python does.
pub fn from_json<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.getattr("loads")?.call1((json,))
}

#[pymethods]
impl Extraction {
    /// The name of the page: what it was given as, else its address, else its number among the
    /// pages.
    #[getter]
    fn page(&self) -> &str {
        self.0.source().id()
    }

    /// The address of the page, or None.
    #[getter]
    fn url(&self) -> Option<&str> {
        self.0.source().url()
    }

    /// The text of the page, decoded. All spans are places in it: `found.source[start:end]`.
    #[getter]
    fn source(&self) -> &str {
        self.0.source().as_str()
    }

    /// The charset that the page was read in.
    #[getter]
    fn charset(&self) -> &'static str {
        self.0.source().charset()
    }

    /// Whether the page is known to be cut short.
    #[getter]
    fn truncated(&self) -> bool {
        self.0.source().is_truncated()
    }

    /// The number of the mold's group that the page is of, or None if it fits none.
    #[getter]
    fn group(&self) -> Option<usize> {
        self.found().group()
    }

    /// The values of the wanted fields by name, in the order of the mold; [] where the page has
    /// none.
    #[getter]
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.by_field(py, |field| Some(texts(field)))
    }

    /// The first value of a field; `default` where the page or the mold has none.
    #[pyo3(signature = (name, default=None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> Option<Bound<'py, PyAny>> {
        let field = self.field(name);
        let first = field.as_ref().and_then(|field| field.values().next());
        first
            .map(|value| PyString::new(py, value.text()).into_any())
            .or(default)
    }

    /// The first value of a field, or None; KeyError if the mold has no such field for this page.
    fn __getitem__(&self, name: &str) -> PyResult<Option<&str>> {
        let field = self.field(name).ok_or_else(|| self.no_field(name))?;
        Ok(field.values().next().map(Value::text))
    }

    /// Whether the mold has such a field for this page; its values may still be missing.
    fn __contains__(&self, name: &str) -> bool {
        self.field(name).is_some()
    }

    /// The names of the fields.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let names: Vec<&str> = self.found().fields().map(|field| field.name()).collect();
        PyList::new(py, names)?.try_iter()
    }

    /// The names of the fields, as a dict has them.
    fn keys(&self) -> Vec<&str> {
        self.found().fields().map(|field| field.name()).collect()
    }

    /// The first value of each field, or None.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let first = |field: FoundField<'_>| {
            let value = field.values().next().map(Value::text);
            value.map(|text| PyString::new(py, text))
        };
        PyList::new(py, self.found().fields().map(first).collect::<Vec<_>>())
    }

    /// The names of the fields, each with its first value or None.
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let item = |field: FoundField<'_>| {
            let value = field.values().next().map(Value::text);
            (field.name().to_owned(), value.map(str::to_owned))
        };
        PyList::new(py, self.found().fields().map(item).collect::<Vec<_>>())
    }

    /// How many fields there are.
    fn __len__(&self) -> usize {
        self.found().fields().count()
    }

    /// A page that was read is something, also where there are no fields.
    fn __bool__(&self) -> bool {
        true
    }

    /// What is sent to other processes: a snapshot, which has all that was found, and neither the
    /// mold nor what would have to be read again.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let helper = slf.py().import("unmold._snapshot")?;
        helper.getattr("reduced")?.call1((slf,))
    }

    /// Where the values stand in `source`, as (start, end), by field.
    #[getter]
    fn spans<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let source = self.source();
        self.by_field(py, |field| {
            Some(in_characters(
                source,
                &field.values().map(Value::span).collect::<Vec<_>>(),
            ))
        })
    }

    /// The share of the ways to find each field that agree on its values, from 0 to 1.
    #[getter]
    fn agreement<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.by_field(py, |field| Some(field.agreement()))
    }

    /// The fields whose values may be wrong, and why: few-agree, no-label, other-type,
    /// other-length, other-count, other-field, other-declared.
    #[getter]
    fn doubts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.by_field(py, |field| field.doubt().map(Doubt::name))
    }

    /// What the page lists: by the name of the list its records, each a dict of columns and their
    /// values.
    #[getter]
    fn lists<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let row = self.to_dict(py)?;
        let lists = row.cast::<PyDict>()?.get_item("records")?;
        Ok(lists.unwrap_or_else(|| PyDict::new(py).into_any()))
    }

    /// The main content, with its places and its measures.
    #[getter]
    fn content(&self) -> Content {
        Content(self.0.clone())
    }

    /// The main content as plain text, one line per block.
    #[getter]
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        self.0.write(py, |page| page.content().text())
    }

    /// The main content as Markdown.
    #[getter]
    fn markdown(&self, py: Python<'_>) -> PyResult<String> {
        self.0.write(py, |page| page.content().markdown())
    }

    /// The main content as HTML without style.
    #[getter]
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        self.0.write(py, |page| page.content().html())
    }

    /// What the page says about itself: title, date, authors, language, site, description,
    /// canonical, tags. Of several titles, the one on which two agree counts.
    #[getter]
    fn about<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        // As in the rows of `clean`; no page has the empty text for a title.
        let title = self.0.write(py, |page| {
            let text = page.content().text();
            cleaned::title(page.found(), &text).unwrap_or_default()
        })?;
        let (about, dict) = (self.found().about(), PyDict::new(py));
        dict.set_item("title", (!title.is_empty()).then_some(title))?;
        dict.set_item("date", about.date.as_deref())?;
        dict.set_item("authors", &about.authors)?;
        dict.set_item("language", about.language.as_deref())?;
        dict.set_item("site", about.site.as_deref())?;
        dict.set_item("description", about.description.as_deref())?;
        dict.set_item("canonical", about.canonical.as_deref())?;
        dict.set_item("tags", &about.tags)?;
        Ok(dict)
    }

    /// What the page declares to machines, in JSON-LD, microdata, RDFa, meta tags and the state of its
    /// application: a list of dicts with the vocabulary, the name of the block if it has one, its
    /// place in bytes, and its data.
    #[getter]
    fn declared<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let json = self.0.write(py, |page| {
            let declared = Declared::with_state(&Tree::new(page.source().as_str()));
            serde_json::to_string(declared.things()).expect("texts and numbers have a JSON form")
        })?;
        from_json(py, &json)
    }

    /// The page as a row of values, as `unmold extract -f jsonl` writes it: one line of JSON.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        self.0.write(py, |page| rows::json(page.found()))
    }

    /// The page as a row of values: what `to_json` says, as a dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        from_json(py, &self.to_json(py)?)
    }

    /// The page as a row of clean text, as `unmold clean -f jsonl` writes it: title, date, authors,
    /// text and the like, with the places of the content counted in bytes of UTF-8; with the
    /// fields, if they are asked for.
    #[pyo3(signature = (with_fields=false))]
    fn to_clean_json(&self, py: Python<'_>, with_fields: bool) -> PyResult<String> {
        self.0.write(py, |page| {
            let row = CleanedRow::new(page.found(), &page.content(), with_fields);
            serde_json::to_string(&row).expect("texts and numbers have a JSON form")
        })
    }

    fn __repr__(&self) -> String {
        let group = self
            .found()
            .group()
            .map_or("of no group".to_owned(), |group| {
                format!("of group {group}")
            });
        let filled = self
            .found()
            .fields()
            .filter(|field| field.values().len() > 0)
            .count();
        format!(
            "<unmold.Extraction {:?} {group}, {filled} fields>",
            self.page()
        )
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py()
            .import("unmold._show")?
            .getattr("extraction")?
            .call1((slf,))
    }
}

/// The main content of a page.
///
/// >>> import unmold
/// >>> found = unmold.clean("<nav><a href=/>Home</a></nav><main><h1>On kettles</h1><p>A kettle sings before it boils.</main>")
/// >>> print(found.content.text)
/// On kettles
/// A kettle sings before it boils.
#[pyclass(frozen, module = "unmold")]
pub struct Content(Arc<ReadPage>);

#[pymethods]
impl Content {
    /// As plain text, one line per block.
    #[getter]
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        self.0.write(py, |page| page.content().text())
    }

    /// As Markdown.
    #[getter]
    fn markdown(&self, py: Python<'_>) -> PyResult<String> {
        self.0.write(py, |page| page.content().markdown())
    }

    /// As HTML without style.
    #[getter]
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        self.0.write(py, |page| page.content().html())
    }

    /// Where it stands in the page's `source`, as (start, end), in order.
    #[getter]
    fn spans<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(
            py,
            in_characters(self.0.source().as_str(), self.0.content().spans()),
        )
    }

    /// The headline, or None.
    #[getter]
    fn headline(&self) -> Option<String> {
        self.0
            .content()
            .headline()
            .map(|span| visible_text(span.of(self.0.source().as_str())))
    }

    /// Why there is no text, or little of what the page has: no-text, needs-scripts, left-out,
    /// mostly-left-out; else None.
    #[getter]
    fn lack(&self) -> PyResult<Option<String>> {
        let lack = serde_json::to_value(self.0.content().lack()).unwrap_or_default();
        Ok(lack.as_str().map(str::to_owned))
    }

    /// Whether the page was judged on its own, for want of others like it.
    #[getter]
    fn is_alone(&self) -> bool {
        self.0.content().is_alone()
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.text(py)
    }

    fn __repr__(&self) -> String {
        format!(
            "<unmold.Content of {:?}, {} places>",
            self.0.source().id(),
            self.0.content().spans().len()
        )
    }
}

/// Spans as Python counts: in characters, and not in bytes.
fn in_characters(text: &str, spans: &[Span]) -> Vec<(usize, usize)> {
    if text.is_ascii() {
        return spans
            .iter()
            .map(|span| (span.start as usize, span.end as usize))
            .collect();
    }
    let (mut bytes, mut characters) = (0, 0);
    let mut count = |offset: u32| {
        let offset = offset as usize;
        // Values need not come in the order of the page.
        if offset < bytes {
            (bytes, characters) = (0, 0);
        }
        characters += text[bytes..offset].chars().count();
        bytes = offset;
        characters
    };
    spans
        .iter()
        .map(|span| (count(span.start), count(span.end)))
        .collect()
}
