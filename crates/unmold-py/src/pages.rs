//! What does Python call a page?
//!
//! | Python | page |
//! |---|---|
//! | `str` | its text |
//! | `bytes`, `bytearray`, `memoryview` | bytes in some charset |
//! | `(url, html)` | the same with an address |
//! | `{"html": .., "url": .., "page": .., "charset": ..}` | the same with a name and what a header said; all but `html` may be missing |
//!
//! `None`, text that is no Unicode, and a `PageError` are bad pages: errors of that page. Anything
//! else is a mistake of the caller, a `TypeError`. Pages beyond ten million bytes are cut, as they
//! are when they are loaded from files.

use crate::errors::{BadPage, PageError};
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyByteArray, PyBytes, PyDict, PyIterator, PyMemoryView, PyString, PyTuple},
};
use unmold::{Page, Text};

/// Pages are cut behind so many bytes.
const PAGE_BYTES: usize = 10_000_000;

/// A page that was given, or why it is none.
pub type Given = Result<Page, BadPage>;

/// A page that is still Python's: it can be copied without the interpreter's lock.
pub struct Held<'py> {
    said: Said,
    /// `str` or `bytes`, which never change.
    html: Bound<'py, PyAny>,
}

/// What is said about a page.
#[derive(Default)]
struct Said {
    id: String,
    url: Option<String>,
    charset: Option<String>,
    is_cut: bool,
}

/// The HTML of a page, where Python has it.
#[derive(Clone, Copy)]
enum Html<'a> {
    Text(&'a str),
    Bytes(&'a [u8]),
}

impl Held<'_> {
    /// What copies the page. It needs no lock: what it reads cannot change, and stays for as long
    /// as `self` does.
    pub fn copy(&self) -> impl FnOnce() -> Page + Send {
        let (said, html) = (&self.said, html_of(&self.html));
        move || said.page(html)
    }
}

impl Said {
    fn page(&self, html: Html<'_>) -> Page {
        let (bytes, is_cut) = html.cut();
        let mut page = Page::new(&*self.id, bytes.to_vec()).with_truncated(is_cut || self.is_cut);
        if let Some(url) = &self.url {
            page = page.with_url(url);
        }
        if let Some(charset) = &self.charset {
            page = page.with_charset(charset);
        }
        page
    }
}

impl<'a> Html<'a> {
    /// The bytes of a page, and whether there were more.
    fn cut(self) -> (&'a [u8], bool) {
        let (bytes, end) = match self {
            Html::Bytes(bytes) => (bytes, PAGE_BYTES.min(bytes.len())),
            Html::Text(text) => {
                let last = PAGE_BYTES.min(text.len());
                (
                    text.as_bytes(),
                    (0..=last)
                        .rev()
                        .find(|&end| text.is_char_boundary(end))
                        .unwrap_or(0),
                )
            }
        };
        (&bytes[..end], end < bytes.len())
    }
}

/// The columns of a table that hold pages and their addresses.
#[derive(Clone, Copy)]
pub struct Columns<'a> {
    pub html: &'a str,
    pub url: &'a str,
}

/// The pages that somebody gave as one thing: a list, an iterator, a table, a path.
pub fn each<'py>(
    pages: &Bound<'py, PyAny>,
    columns: Columns<'_>,
) -> PyResult<Bound<'py, PyIterator>> {
    let helper = pages.py().import("unmold._pages")?;
    let each = helper.getattr("each")?;
    each.call1((pages, columns.html, columns.url))?.try_iter()
}

/// A page by what it was given as; the number is its name if it has no other.
pub fn page(given: &Bound<'_, PyAny>, url: Option<String>, number: usize) -> PyResult<Given> {
    Ok(held(given, url, number)?.map(|held| held.copy()()))
}

/// The same, still where Python has it.
fn held<'py>(
    given: &Bound<'py, PyAny>,
    url: Option<String>,
    number: usize,
) -> PyResult<Result<Held<'py>, BadPage>> {
    if let Ok(pair) = given.cast::<PyTuple>()
        && pair.len() == 2
    {
        let (address, html) = (pair.get_item(0)?, pair.get_item(1)?);
        return match text_of("the address of a page", &address)? {
            Ok(address) => held(&html, url.or(address), number),
            Err(reason) => Ok(Err(BadPage {
                page: number.to_string(),
                reason,
            })),
        };
    }
    if let Ok(named) = given.cast::<PyDict>() {
        return of_dict(named, url, number);
    }
    let id = url.clone().unwrap_or_else(|| number.to_string());
    with_html(
        Said {
            id,
            url,
            ..Said::default()
        },
        given,
    )
}

fn of_dict<'py>(
    named: &Bound<'py, PyDict>,
    url: Option<String>,
    number: usize,
) -> PyResult<Result<Held<'py>, BadPage>> {
    let mut said = [None, None, None];
    for (said, key) in said.iter_mut().zip(["url", "page", "charset"]) {
        let Some(value) = named.get_item(key)? else {
            continue;
        };
        *said = match text_of(&format!("{key:?} of a page"), &value)? {
            Ok(text) => text,
            Err(reason) => {
                return Ok(Err(BadPage {
                    page: number.to_string(),
                    reason,
                }));
            }
        };
    }
    let [address, name, charset] = said;
    let url = url.or(address);
    let id = name
        .or_else(|| url.clone())
        .unwrap_or_else(|| number.to_string());
    let html = named.get_item("html")?;
    let html = html.ok_or_else(|| PyTypeError::new_err("a page as a dict needs \"html\""))?;
    let is_cut = named
        .get_item("truncated")?
        .is_some_and(|value| value.is_truthy().unwrap_or(false));
    with_html(
        Said {
            id,
            url,
            charset,
            is_cut,
        },
        &html,
    )
}

/// What is said about a page, if anything is; or why it is no text.
fn text_of(what: &str, given: &Bound<'_, PyAny>) -> PyResult<Result<Option<String>, String>> {
    if given.is_none() {
        return Ok(Ok(None));
    }
    let Ok(text) = given.cast::<PyString>() else {
        let kind = given.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "{what} is str or None, not {kind}"
        )));
    };
    let bad = |_| format!("{what} holds surrogates, which are no characters");
    Ok(text.to_str().map(|text| Some(text.to_owned())).map_err(bad))
}

/// A page with its HTML; or why that is none.
fn with_html<'py>(said: Said, html: &Bound<'py, PyAny>) -> PyResult<Result<Held<'py>, BadPage>> {
    let bad = |said: Said, reason: &str| {
        Ok(Err(BadPage {
            page: said.id,
            reason: reason.to_owned(),
        }))
    };
    if html.is_none() {
        return bad(said, "None is no page");
    }
    if html
        .cast::<PyString>()
        .is_ok_and(|text| text.to_str().is_err())
    {
        return bad(
            said,
            "the text holds surrogates, which are no characters: give the bytes of the page",
        );
    }
    if html.is_instance_of::<PyString>() || html.is_instance_of::<PyBytes>() {
        return Ok(Ok(Held {
            said,
            html: html.clone(),
        }));
    }
    if html.is_instance_of::<PyByteArray>() || html.is_instance_of::<PyMemoryView>() {
        // They can be changed while we read.
        let html = html.py().get_type::<PyBytes>().call1((html,))?;
        return Ok(Ok(Held { said, html }));
    }
    if html.is_instance(&html.py().get_type::<PageError>())? {
        // One that `load` gave in the place of a page.
        return Ok(Err(BadPage {
            page: html.getattr("page")?.extract()?,
            reason: html.getattr("reason")?.extract()?,
        }));
    }
    Err(no_page(html))
}

/// What to say of something that is no page.
fn no_page(given: &Bound<'_, PyAny>) -> PyErr {
    let kind = match given.get_type().name() {
        Ok(kind) => kind,
        Err(error) => return error,
    };
    let is_path = given.hasattr("__fspath__").unwrap_or(false);
    let hint = if is_path {
        ": take its bytes, or unmold.load(*paths)"
    } else {
        ""
    };
    PyTypeError::new_err(format!(
        "a page is str, bytes, (url, html) or a dict with \"html\", not {kind}{hint}"
    ))
}

/// The HTML of what was found to be `str` or `bytes`.
fn html_of<'a>(html: &'a Bound<'_, PyAny>) -> Html<'a> {
    match html.cast::<PyString>().map(|text| text.to_str()) {
        Ok(Ok(text)) => Html::Text(text),
        _ => Html::Bytes(html.cast::<PyBytes>().map_or(&[], |bytes| bytes.as_bytes())),
    }
}

/// All pages of something, and those that are none.
pub fn all(pages: &Bound<'_, PyAny>, columns: Columns<'_>) -> PyResult<(Vec<Page>, Vec<BadPage>)> {
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for (number, given) in each(pages, columns)?.enumerate() {
        // Pages of files come without a step of Python that would see an interrupt.
        pages.py().check_signals()?;
        match page(&given?, None, number)? {
            Ok(page) => good.push(page),
            Err(page) => bad.push(page),
        }
    }
    Ok((good, bad))
}

/// A page as text.
pub fn decoded(page: Page) -> Result<Text, BadPage> {
    Ok(Text::decode_guarded(page)?)
}

/// A page that must be one, with the address that was said beside it.
pub fn one<'py>(given: &Bound<'py, PyAny>, url: Option<&Bound<'py, PyAny>>) -> PyResult<Held<'py>> {
    let address = url.map_or(Ok(Ok(None)), |url| text_of("the address of a page", url))?;
    let address = address.map_err(|reason| {
        BadPage {
            page: "0".to_owned(),
            reason,
        }
        .raised()
    })?;
    held(given, address, 0)?.map_err(BadPage::raised)
}
