//! What needs no mold: a page alone, and pages in a pile.

use crate::{
    errors::BadPage,
    extraction::{Extraction, ReadPage, from_json},
    pages::{self, Columns},
    working::{PerProcess, alone, interruptibly, together},
};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyDict, PyList},
};
use rayon::prelude::*;
use std::sync::Arc;
use unmold::{
    Mold, Reader, Text,
    group::{Grouping, Membership, group as grouped},
    lists::{List, Record, Regions},
    read::guarded,
    reader::Part,
    report::records::PageRow,
};

static NOTHING: PerProcess<Arc<Reader>> = PerProcess::new();

/// The main content of one page, judged on its own, and what the page says about itself. Where
/// there are more pages of the same site, learn a mold from them: it does better.
///
/// >>> import unmold
/// >>> found = unmold.clean("<title>Kettles</title><nav><a href=/>Home</a></nav><p>A kettle sings before it boils.")
/// >>> found.text, found.about["title"]
/// ('A kettle sings before it boils.\n', 'Kettles')
#[pyfunction]
#[pyo3(signature = (html, url=None))]
pub fn clean(
    py: Python<'_>,
    html: &Bound<'_, PyAny>,
    url: Option<&Bound<'_, PyAny>>,
) -> PyResult<Extraction> {
    let held = pages::one(html, url)?;
    let (copy, nothing) = (
        held.copy(),
        NOTHING.get(py, || {
            let reader = Mold::nothing().reader();
            Ok(Arc::new(reader.only(&[Part::Content, Part::About])))
        })?,
    );
    let read = alone(py, || ReadPage::read_alone(&nothing, copy()))?;
    read.map(Extraction::from).map_err(BadPage::raised)
}

fn found(
    py: Python<'_>,
    html: &Bound<'_, PyAny>,
    url: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Text, Vec<List<'static>>)> {
    let held = pages::one(html, url)?;
    let copy = held.copy();
    let find = || -> Result<_, BadPage> {
        let text = pages::decoded(copy())?;
        let lists = guarded(&text, |text| List::named(Regions::default().find(text)))?;
        Ok((text, lists))
    };
    together(py, find)?.map_err(BadPage::raised)
}

/// The rows of the list that one page is about: search results, posts, offers. Each is a dict of
/// columns and their values; [] if the page lists nothing. `list` is the number of the list, the
/// best first.
///
/// >>> import unmold
/// >>> page = "<table>" + "".join(f"<tr><td><b>{n}</b><td>{n * 3} kg" for n in range(1, 6)) + "</table>"
/// >>> unmold.records(page)[1]
/// {'column 1': ['2'], 'column 2': ['6 kg']}
#[pyfunction]
#[pyo3(signature = (html, url=None, *, list=1))]
pub fn records<'py>(
    py: Python<'py>,
    html: &Bound<'py, PyAny>,
    url: Option<&Bound<'py, PyAny>>,
    list: usize,
) -> PyResult<Bound<'py, PyList>> {
    let place = list
        .checked_sub(1)
        .ok_or_else(|| PyValueError::new_err("lists are counted from 1"))?;
    let (text, patterns) = found(py, html, url)?;
    let rows = PyList::empty(py);
    if let Some(pattern) = patterns.get(place) {
        for record in &pattern.records {
            rows.append(row(py, text.as_str(), pattern, record)?)?;
        }
    }
    Ok(rows)
}

fn row<'py>(
    py: Python<'py>,
    page: &str,
    pattern: &List<'_>,
    record: &Record,
) -> PyResult<Bound<'py, PyDict>> {
    let row = PyDict::new(py);
    for (number, column) in pattern.columns.iter().enumerate() {
        let fields = record.fields.iter().filter(|field| field.column == number);
        let values: Vec<String> = fields
            .map(|field| field.value(page, &pattern.columns))
            .collect();
        if !values.is_empty() {
            row.set_item(&column.name, values)?;
        }
    }
    Ok(row)
}

/// All lists of one page, the best first, as `unmold records -f jsonl` writes them: pattern,
/// measures, and records with their places, counted in bytes of UTF-8.
#[pyfunction]
#[pyo3(signature = (html, url=None))]
pub fn patterns<'py>(
    py: Python<'py>,
    html: &Bound<'py, PyAny>,
    url: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (text, patterns) = found(py, html, url)?;
    let lists: Vec<&List<'_>> = patterns.iter().collect();
    let row = serde_json::to_string(&PageRow::new(&text, &lists, false))
        .expect("texts and numbers have a JSON form");
    from_json(py, &row)?.get_item("patterns")
}

/// Which pages of a pile share a template? A dict for each page, in their order: `page`, `url`,
/// `group` (None if it is in none, with the reason in `why`), and the group's `name`, `layout` and
/// `site`.
///
/// >>> import unmold
/// >>> item = "<div class=item><h1>{0}</h1><b class=price>{0}</b></div>".format
/// >>> [row["group"] for row in unmold.group([item(1), item(2), "<p>Imprint</p>"])]
/// [0, 0, None]
#[pyfunction]
#[pyo3(signature = (pages, *, html="html", url="url"))]
pub fn group<'py>(
    py: Python<'py>,
    pages: &Bound<'py, PyAny>,
    html: &str,
    url: &str,
) -> PyResult<Bound<'py, PyList>> {
    let mut given = Vec::new();
    for (number, page) in pages::each(pages, Columns { html, url })?.enumerate() {
        py.check_signals()?;
        given.push(pages::page(&page?, None, number)?);
    }
    let (texts, bad, grouping) = interruptibly(py, move || {
        let decoded: Vec<Result<Text, BadPage>> = given
            .into_par_iter()
            .map(|page| page.and_then(pages::decoded))
            .collect();
        let bad: Vec<Option<BadPage>> = decoded
            .iter()
            .map(|page| page.as_ref().err().cloned())
            .collect();
        let texts: Vec<Text> = decoded.into_iter().flatten().collect();
        let grouping = grouped(&texts);
        (texts, bad, grouping)
    })?;
    let rows = PyList::empty(py);
    let mut placed = texts.iter().zip(grouping.places());
    for bad in bad {
        let row = PyDict::new(py);
        match bad {
            Some(bad) => {
                row.set_item("page", bad.page)?;
                row.set_item("group", py.None())?;
                row.set_item("why", bad.reason)?;
            }
            None => placed
                .next()
                .map_or(Ok(()), |(text, place)| fill(&row, text, *place, &grouping))?,
        }
        rows.append(row)?;
    }
    Ok(rows)
}

/// Says where a page belongs.
fn fill(
    row: &Bound<'_, PyDict>,
    text: &Text,
    place: Membership,
    grouping: &Grouping,
) -> PyResult<()> {
    row.set_item("page", text.id())?;
    if let Some(url) = text.url() {
        row.set_item("url", url)?;
    }
    row.set_item("group", place.group())?;
    match place
        .group()
        .and_then(|group| grouping.known().groups().get(group))
    {
        Some(group) => {
            row.set_item("name", &group.name)?;
            row.set_item("layout", group.layout)?;
            row.set_item("site", group.site)
        }
        None => row.set_item("why", place.to_string()),
    }
}
