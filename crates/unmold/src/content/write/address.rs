//! Where does a link of a page lead?
//!
//! Links are relative to the page's `<base href>`, and that to the address of the page; where
//! neither is known they stay as they are. Addresses that run programs are no addresses.

use crate::read::{
    html::attribute_text,
    tree::{NodeId, Tree},
};
use url::Url;

/// What the addresses of a page are relative to.
#[derive(Clone, Debug, Default)]
pub(super) struct Base(Option<Url>);

impl Base {
    /// That of a page which was found at some address.
    pub fn of(tree: &Tree<'_>, address: Option<&str>) -> Self {
        let address = address.and_then(|address| Url::parse(address).ok());
        let written = tree
            .nodes()
            .filter(|&node| tree.name(node) == "base")
            .find_map(|node| tree.attribute(node, "href"));
        let Some(written) = written.map(attribute_text) else {
            return Base(address);
        };
        let base = Url::options()
            .base_url(address.as_ref())
            .parse(&written)
            .ok();
        Base(base.filter(|base| !base.cannot_be_a_base()).or(address))
    }

    /// An address of the page that leads somewhere and does nothing, as a browser would ask for it.
    pub fn address(&self, written: &str) -> Option<String> {
        let address = attribute_text(written);
        let is_plain = !address.is_empty() && !address.contains(char::is_control);
        if !is_plain || !is_safe(&address) {
            return None;
        }
        Some(
            self.absolute(&address)
                .unwrap_or_else(|| without_marks(&address)),
        )
    }

    /// The absolute form of a relative address.
    fn absolute(&self, address: &str) -> Option<String> {
        if scheme(address).is_some() {
            return None;
        }
        self.0
            .as_ref()?
            .join(address)
            .ok()
            .map(|url| without_marks(url.as_str()))
    }
}

/// The address that an attribute of an element holds.
pub(super) fn address_of(
    tree: &Tree<'_>,
    node: NodeId,
    attribute: &str,
    base: &Base,
) -> Option<String> {
    base.address(tree.attribute(node, attribute)?)
}

/// A colon before any slash ends a scheme.
fn scheme(address: &str) -> Option<&str> {
    let start = address.split(['/', '?', '#']).next()?;
    start.split_once(':').map(|(scheme, _)| scheme)
}

fn is_safe(address: &str) -> bool {
    let is_known = |scheme: &str| {
        ["http", "https", "mailto", "ftp"]
            .iter()
            .any(|safe| scheme.eq_ignore_ascii_case(safe))
    };
    scheme(address).is_none_or(is_known)
}

/// Writes characters that no address has, and that mean something to those who read one in a text,
/// as browsers send them.
fn without_marks(address: &str) -> String {
    let mut clean = String::with_capacity(address.len());
    for c in address.chars() {
        match c {
            c if c.is_whitespace() => clean.push_str("%20"),
            '<' | '>' | '"' | '\\' | '`' | '|' | '{' | '}' | '^' => {
                clean.push_str(&format!("%{:02X}", u32::from(c)));
            }
            c => clean.push(c),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(page: &str, address: Option<&str>) -> Base {
        Base::of(&Tree::new(page), address)
    }

    #[test]
    fn links_are_relative_to_the_base_and_the_base_to_the_page() {
        let page = base(
            "<base href='/docs/'><base href=/no>",
            Some("https://example.org/a?b"),
        );
        assert_eq!(
            page.address("x.html").as_deref(),
            Some("https://example.org/docs/x.html")
        );
        assert_eq!(
            page.address("//cdn.example/x").as_deref(),
            Some("https://cdn.example/x")
        );
        assert_eq!(page.address("mailto:a@b").as_deref(), Some("mailto:a@b"));
        assert_eq!(
            base("", Some("https://example.org/a/b"))
                .address("#c")
                .as_deref(),
            Some("https://example.org/a/b#c")
        );
        assert_eq!(
            base("<base href=http://x.example/y/>", None)
                .address("z")
                .as_deref(),
            Some("http://x.example/y/z")
        );
    }

    #[test]
    fn what_is_relative_to_nothing_stays_as_it_is() {
        assert_eq!(
            base("<base href=/y/>", None)
                .address("z?a=1&amp;b")
                .as_deref(),
            Some("z?a=1&b")
        );
        assert_eq!(
            base("", None).address("/a b.png").as_deref(),
            Some("/a%20b.png")
        );
    }

    #[test]
    fn addresses_that_run_programs_are_none() {
        let known = base("", Some("https://example.org/"));
        assert_eq!(
            known.address("/a:b").as_deref(),
            Some("https://example.org/a:b")
        );
        assert_eq!(known.address("HTTPS://a").as_deref(), Some("HTTPS://a"));
        for bad in [
            "javascript:x()",
            " JavaScript:x()",
            "java&#10;script:x()",
            "&#1;javascript:x",
            "data:text/html,x",
            "",
        ] {
            assert_eq!(known.address(bad), None, "{bad}");
        }
    }
}
