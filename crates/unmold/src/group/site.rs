//! From which site is a page, as far as its address says so?
//!
//! The address is that of the source (an archive, a table), else the one that the page gives for itself
//! (`<link rel="canonical">`, `og:url`), else a folder that is called like a host, as programs that mirror sites make them.
//!
//! Hosts of one owner share their last two labels, and so do hosts of different owners below `co.uk` or a host of
//! blogs. Nothing here knows which is which: pages that *may* be of one site are not told apart by their addresses.

use crate::{Text, read::tree::Tree};

/// The name of a page's site.
pub(super) fn of(text: &Text, tree: &Tree<'_>) -> Option<String> {
    let host = text.url().and_then(host_of).map(str::to_owned);
    host.or_else(|| own_host(tree)).or_else(|| folder_host(text.id())).map(|host| site_of(&host))
}

/// The host of an address.
fn host_of(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?.split(':').next()?;
    is_host(host).then_some(host)
}

fn is_host(name: &str) -> bool {
    let labels: Vec<&str> = name.split('.').collect();
    let is_label = |label: &&str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-');
    let is_top = |label: &&str| label.chars().count() >= 2 && label.chars().all(char::is_alphabetic);
    labels.len() >= 2 && labels.iter().all(is_label) && labels.last().is_some_and(is_top)
}

/// The last two labels.
fn site_of(host: &str) -> String {
    let labels: Vec<&str> = host.rsplit('.').take(2).collect();
    labels.into_iter().rev().collect::<Vec<_>>().join(".").to_lowercase()
}

/// The host of the address that a page gives for itself.
fn own_host(tree: &Tree<'_>) -> Option<String> {
    let is = |node, attribute: &str, value: &str| {
        tree.attribute(node, attribute).is_some_and(|found| found.trim().eq_ignore_ascii_case(value))
    };
    let mut addresses = tree.nodes().filter(|&node| tree.is_element(node)).filter_map(|node| match tree.name(node) {
        "link" if is(node, "rel", "canonical") => tree.attribute(node, "href"),
        "meta" if is(node, "property", "og:url") => tree.attribute(node, "content"),
        _ => None,
    });
    addresses.find_map(|address| host_of(address.trim()).map(str::to_owned))
}

/// The first folder that is called like a host.
fn folder_host(id: &str) -> Option<String> {
    let (folders, _) = id.rsplit_once('/')?;
    folders.split('/').find(|folder| is_host(folder)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;

    fn site(id: &str, url: Option<&str>, page: &str) -> Option<String> {
        let bytes = Page::new(id, page.as_bytes().to_vec());
        let text = Text::decode(if let Some(url) = url { bytes.with_url(url) } else { bytes });
        of(&text, &Tree::new(text.as_str()))
    }

    #[test]
    fn the_source_knows_best_then_the_page_then_the_folder() {
        let own = "<link rel=canonical href='https://b.example/1'>";
        assert_eq!(site("x.org/1.html", Some("http://www.A.example:80/1?x"), own), Some("a.example".into()));
        assert_eq!(site("x.org/1.html", None, own), Some("b.example".into()));
        assert_eq!(site("crawl/www.x.org/1.html", None, "<p>"), Some("x.org".into()));
    }

    #[test]
    fn what_is_no_host_says_nothing() {
        assert_eq!(site("pages/1.html", None, "<link rel=canonical href='/1'>"), None);
        assert_eq!(site("v1.2/page.html", None, "<meta property=og:url content='x://localhost/'>"), None);
    }
}
