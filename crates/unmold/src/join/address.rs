//! Do two URLs lead to the same page?

use url::Url;

/// A URL without what makes no difference: the fragment, `http` or `https`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Address {
    /// Links of the page are relative to it.
    url: Url,
}

impl Address {
    /// Where a page is from. A page without a URL is from a folder: its name stands for it.
    pub(super) fn of_page(name: &str, url: Option<&str>) -> Self {
        let url = url.and_then(|url| Url::parse(url).ok());
        Address {
            url: plain(url.unwrap_or_else(|| of_file(name))),
        }
    }

    /// Where a link on this page leads to, if to a page.
    pub(super) fn link(&self, link: &str) -> Option<Self> {
        let url = self.url.join(link.trim()).ok()?;
        let is_page = matches!(url.scheme(), "http" | "https" | "file");
        is_page.then(|| Address { url: plain(url) })
    }
}

/// The URL that stands for a file: every part of its name is taken as it is.
fn of_file(name: &str) -> Url {
    let mut url = Url::parse("file:///").expect("a constant URL");
    if let Ok(mut path) = url.path_segments_mut() {
        path.clear()
            .extend(name.trim_start_matches("./").split('/'));
    }
    url
}

fn plain(mut url: Url) -> Url {
    url.set_fragment(None);
    if url.scheme() == "http" && url.port().is_none() {
        // Refused only for schemes that are no web addresses.
        let _unchanged = url.set_scheme("https");
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(one: &str, other: &str) -> bool {
        Address::of_page("", Some(one)) == Address::of_page("", Some(other))
    }

    #[test]
    fn what_makes_no_difference() {
        assert!(same("http://a.example/x#top", "https://A.example:443/x"));
        assert!(!same(
            "https://a.example/x?id=1",
            "https://a.example/x?id=2"
        ));
        assert!(!same("http://a.example:81/x", "https://a.example/x"));
    }

    #[test]
    fn links_of_files_lead_to_files() {
        let list = Address::of_page("site/lists/all 1.html", None);
        let item = Address::of_page("site/items/a#1.html", None);
        assert_eq!(list.link("../items/a%231.html"), Some(item));
        assert_eq!(list.link("mailto:x@y.example"), None);
    }
}
