//! What does Python call a page?
//!
//! | Python | page |
//! |---|---|
//! | `str` | its text |
//! | `bytes`, `bytearray`, `memoryview` | bytes in some charset |
//! | `(url, html)` | the same with an address |
//! | `{"html": .., "url": .., "page": .., "charset": ..}` | the same with a name and what a header said; all but `html` may be missing |
//!
//! `None`, and text that is no Unicode, are bad pages: errors of that page. Anything else is a mistake of the caller, a
//! `TypeError`. Pages beyond ten million bytes are cut, as they are when they are loaded from files.

use crate::errors::BadPage;
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyBytes, PyDict, PyIterator, PyString, PyTuple},
};
use unmold::{Page, Text};

/// Pages are cut behind so many bytes.
const PAGE_BYTES: usize = 10_000_000;

/// A page that was given, or why it is none.
pub type Given = Result<Page, BadPage>;

/// The pages that somebody gave as one thing: a list, an iterator, a table, a path.
pub fn each<'py>(pages: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    let helper = pages.py().import("unmold._pages")?;
    helper.getattr("each")?.call1((pages,))?.try_iter()
}

/// A page by what it was given as; the number is its name if it has no other.
pub fn page(given: &Bound<'_, PyAny>, url: Option<String>, number: usize) -> PyResult<Given> {
    if let Ok(pair) = given.cast::<PyTuple>()
        && pair.len() == 2
    {
        let (address, html) = (pair.get_item(0)?, pair.get_item(1)?);
        return match text_of("the address of a page", &address)? {
            Ok(address) => page(&html, url.or(address), number),
            Err(reason) => Ok(Err(BadPage { page: number.to_string(), reason })),
        };
    }
    if let Ok(named) = given.cast::<PyDict>() {
        return of_dict(named, url, number);
    }
    let id = || url.clone().unwrap_or_else(|| number.to_string());
    let (bytes, is_cut) = match bytes(given)? {
        Ok(bytes) => bytes,
        Err(reason) => return Ok(Err(BadPage { page: id(), reason })),
    };
    let page = Page::new(id(), bytes).with_truncated(is_cut);
    Ok(Ok(match url {
        Some(url) => page.with_url(url),
        None => page,
    }))
}

fn of_dict(named: &Bound<'_, PyDict>, url: Option<String>, number: usize) -> PyResult<Given> {
    let mut said = [None, None, None];
    for (said, key) in said.iter_mut().zip(["url", "page", "charset"]) {
        let Some(value) = named.get_item(key)? else { continue };
        *said = match text_of(&format!("{key:?} of a page"), &value)? {
            Ok(text) => text,
            Err(reason) => return Ok(Err(BadPage { page: number.to_string(), reason })),
        };
    }
    let [address, name, charset] = said;
    let url = url.or(address);
    let id = name.or_else(|| url.clone()).unwrap_or_else(|| number.to_string());
    let html = named.get_item("html")?;
    let html = html.ok_or_else(|| PyTypeError::new_err("a page as a dict needs \"html\""))?;
    let (bytes, is_cut) = match bytes(&html)? {
        Ok(bytes) => bytes,
        Err(reason) => return Ok(Err(BadPage { page: id, reason })),
    };
    let cut_before = named.get_item("truncated")?.is_some_and(|value| value.is_truthy().unwrap_or(false));
    let mut page = Page::new(id, bytes).with_truncated(is_cut || cut_before);
    if let Some(url) = url {
        page = page.with_url(url);
    }
    if let Some(charset) = charset {
        page = page.with_charset(charset);
    }
    Ok(Ok(page))
}

/// What is said about a page, if anything is; or why it is no text.
fn text_of(what: &str, given: &Bound<'_, PyAny>) -> PyResult<Result<Option<String>, String>> {
    if given.is_none() {
        return Ok(Ok(None));
    }
    let Ok(text) = given.cast::<PyString>() else {
        let kind = given.get_type().name()?;
        return Err(PyTypeError::new_err(format!("{what} is str or None, not {kind}")));
    };
    let bad = |_| format!("{what} holds surrogates, which are no characters");
    Ok(text.to_str().map(|text| Some(text.to_owned())).map_err(bad))
}

/// The bytes of a page, and whether there were more; or why it has none.
fn bytes(html: &Bound<'_, PyAny>) -> PyResult<Result<(Vec<u8>, bool), String>> {
    if html.is_none() {
        return Ok(Err("None is no page".to_owned()));
    }
    if let Ok(text) = html.cast::<PyString>() {
        return Ok(match text.to_str() {
            Ok(text) => {
                let end = (0..=PAGE_BYTES.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
                Ok((text.as_bytes()[..end].to_vec(), end < text.len()))
            }
            Err(_) => Err("the text holds surrogates, which are no characters: give the bytes of the page".to_owned()),
        });
    }
    if let Ok(bytes) = html.cast::<PyBytes>() {
        return Ok(Ok(cut(bytes.as_bytes())));
    }
    let kind = html.get_type().name()?;
    if ["bytearray", "memoryview"].contains(&kind.to_str()?) {
        let copied = html.py().get_type::<PyBytes>().call1((html,))?;
        return Ok(Ok(cut(copied.cast::<PyBytes>()?.as_bytes())));
    }
    Err(PyTypeError::new_err(format!("a page is str, bytes, (url, html) or a dict with \"html\", not {kind}")))
}

fn cut(bytes: &[u8]) -> (Vec<u8>, bool) {
    let end = PAGE_BYTES.min(bytes.len());
    (bytes[..end].to_vec(), end < bytes.len())
}

/// All pages of something, and those that are none.
pub fn all(pages: &Bound<'_, PyAny>) -> PyResult<(Vec<Page>, Vec<BadPage>)> {
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for (number, given) in each(pages)?.enumerate() {
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
pub fn one(given: &Bound<'_, PyAny>, url: Option<&Bound<'_, PyAny>>) -> PyResult<Page> {
    let address = url.map_or(Ok(Ok(None)), |url| text_of("the address of a page", url))?;
    let address = address.map_err(|reason| BadPage { page: "0".to_owned(), reason }.raised())?;
    page(given, address, 0)?.map_err(BadPage::raised)
}
