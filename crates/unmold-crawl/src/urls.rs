//! Which page does an address mean, and what does it look like?
//!
//! [`normal`] writes addresses in one form (WHATWG URL, without fragment, without the dot behind a
//! host), [`key`] tells whether two mean the same page, [`shape`] whether two are likely to be
//! pages of a kind, [`trap`] whether it looks like one of the endless sets that programs make by
//! accident:
//!
//! ```
//! use unmold_crawl::urls::{key, normal, shape, trap};
//!
//! let url = normal(None, "HTTP://Example.ORG.:80/a/../b?x=1#top")?;
//! assert_eq!(url.as_str(), "http://example.org/b?x=1");
//! assert_eq!(key(&normal(None, "http://a.example/x?sid=9#top")?), "http://a.example/x?sid=9");
//! assert_eq!(shape(&normal(None, "http://a.example/p/blue-kettle-12.html?ref=9")?), "a.example/p/*.html?ref");
//! assert!(trap(&normal(None, "http://a.example/x/y/x/y/x/y/x/y")?).is_some());
//! # Ok::<(), unmold_crawl::address::Refusal>(())
//! ```

use crate::address::{LONGEST, Refusal};
use url::Url;

/// Reads an address, relative to the page it stands on.
pub fn normal(base: Option<&Url>, text: &str) -> Result<Url, Refusal> {
    // Longer than an address may be: it is not worth reading.
    if text.len() > 4 * LONGEST {
        return Err(Refusal::TooLong);
    }
    let parsed = Url::options().base_url(base).parse(text.trim());
    let mut url = parsed.map_err(|error| Refusal::Malformed {
        why: error.to_string(),
    })?;
    url.set_fragment(None);
    let bare = url
        .host_str()
        .and_then(|host| host.strip_suffix('.'))
        .filter(|host| !host.is_empty())
        .map(str::to_owned);
    if let Some(bare) = bare {
        url.set_host(Some(&bare))
            .map_err(|error| Refusal::Malformed {
                why: error.to_string(),
            })?;
    }
    if url.as_str().len() > LONGEST {
        Err(Refusal::TooLong)
    } else {
        Ok(url)
    }
}

/// What an address is known by: two addresses with the same key mean the same page.
pub fn key(url: &Url) -> String {
    url.to_string()
}

/// The registered domain of an address, which is what a crawler has to be polite to; for a bare IP
/// address, itself.
///
/// ```
/// use unmold_crawl::urls::{domain, normal};
///
/// assert_eq!(domain(&normal(None, "https://www.shop.example.co.uk/x")?), "example.co.uk");
/// assert_eq!(domain(&normal(None, "http://127.0.0.1:8080/x")?), "127.0.0.1");
/// # Ok::<(), unmold_crawl::address::Refusal>(())
/// ```
pub fn domain(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.domain() {
        Some(name) => psl::domain_str(name).unwrap_or(name).to_owned(),
        None => host.to_owned(),
    }
}

/// Scheme, host and port: what has a `robots.txt` of its own.
pub fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// The address with `*` for the parts that name one page, and the names of its query's parts.
pub fn shape(url: &Url) -> String {
    let parts: Vec<&str> = url.path().split('/').skip(1).collect();
    let last = parts.len() - 1;
    let path: Vec<String> = parts
        .iter()
        .enumerate()
        .map(|(at, part)| {
            if at == last {
                last_shape(part)
            } else {
                part_shape(part)
            }
        })
        .collect();
    let mut shape = format!("{}/{}", url.host_str().unwrap_or_default(), path.join("/"));
    if let Some(query) = url.query() {
        let mut names: Vec<&str> = query
            .split('&')
            .map(|part| part.split('=').next().unwrap_or_default())
            .collect();
        names.sort_unstable();
        names.dedup();
        shape = format!("{shape}?{}", names.join("&"));
    }
    shape
}

/// A part with digits or of several words names something; one plain word is a section.
fn part_shape(part: &str) -> String {
    let is_word = part.len() <= 20
        && !part.contains(|c: char| c.is_ascii_digit() || matches!(c, '-' | '_' | '%' | '.' | '+'));
    if is_word { part.to_owned() } else { "*".into() }
}

/// The last part names the page; what follows its last dot says how it is made.
fn last_shape(part: &str) -> String {
    let ending = part.rsplit_once('.').map(|(_, ending)| ending);
    let is_ending = |ending: &&str| {
        (1..=5).contains(&ending.len()) && ending.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    match ending.filter(is_ending) {
        Some(ending) => format!("*.{ending}"),
        None if part.is_empty() => String::new(),
        None => "*".into(),
    }
}

/// A part may stand in a path this often.
const MOST_REPEATS: usize = 2;
/// A path may have so many parts.
const MOST_PARTS: usize = 20;

/// Why an address looks like one of an endless set.
pub fn trap(url: &Url) -> Option<&'static str> {
    let parts: Vec<&str> = url
        .path()
        .split('/')
        .filter(|part| !part.is_empty())
        .collect();
    if parts.len() > MOST_PARTS {
        return Some("its path has more than 20 parts");
    }
    let repeats = |part: &&str| parts.iter().filter(|other| *other == part).count() > MOST_REPEATS;
    // Numbers may repeat: /2020/11/11/11 is a date.
    let is_name = |part: &&&str| !part.bytes().all(|b| b.is_ascii_digit());
    if parts.iter().filter(is_name).any(repeats) {
        return Some("a part of its path is repeated");
    }
    None
}

/// Whether the ending of an address says that it is no page.
pub fn is_no_page(url: &Url) -> bool {
    const ENDINGS: &str = " jpg jpeg png gif webp avif svg ico bmp tif tiff css js mjs map json wasm woff woff2 ttf otf eot mp3 mp4 \
        m4a m4v webm ogg ogv oga wav flac avi mov wmv mkv pdf doc docx xls xlsx ppt pptx odt ods odp epub mobi zip rar 7z tar tgz \
        bz2 xz exe msi dmg iso apk deb rpm jar bin dat csv swf ps ";
    let name = url.path().rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').is_some_and(|(_, ending)| {
        !ending.is_empty() && ENDINGS.contains(&format!(" {} ", ending.to_ascii_lowercase()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        normal(None, text).unwrap()
    }

    #[test]
    fn addresses_have_one_form() {
        for (text, expected) in [
            ("HTTPS://EXAMPLE.org:443", "https://example.org/"),
            (
                "http://Bücher.example/ä",
                "http://xn--bcher-kva.example/%C3%A4",
            ),
            ("http://a.example./", "http://a.example/"),
            (
                "http://a.example/%2F%zz?q=%E4",
                "http://a.example/%2F%zz?q=%E4",
            ),
            ("http://a.example/x#y", "http://a.example/x"),
            ("  http://a.example/\t", "http://a.example/"),
        ] {
            assert_eq!(url(text).as_str(), expected, "{text}");
        }
        let base = url("https://a.example/x/y?z");
        assert_eq!(
            normal(Some(&base), "?page=2").unwrap().as_str(),
            "https://a.example/x/y?page=2"
        );
        assert_eq!(
            normal(Some(&base), "//b.example/").unwrap().as_str(),
            "https://b.example/"
        );
        assert!(matches!(
            normal(None, &format!("http://a.example/{}", "x".repeat(100_000))),
            Err(Refusal::TooLong)
        ));
        assert!(normal(None, "not an address").is_err());
    }

    #[test]
    fn pages_of_a_kind_have_one_shape() {
        assert_eq!(
            shape(&url("http://a.example/p/kettle")),
            shape(&url("http://a.example/p/blue-skillet-26-cm"))
        );
        assert_eq!(
            shape(&url("http://a.example/2024/05/x-y.html")),
            "a.example/*/*/*.html"
        );
        assert_eq!(
            shape(&url("http://a.example/t?b=2&a=1")),
            shape(&url("http://a.example/u?a=7&b=1"))
        );
        assert_ne!(
            shape(&url("http://a.example/p/kettle")),
            shape(&url("http://a.example/c/kitchen"))
        );
    }

    #[test]
    fn endless_paths_are_told_by_their_parts() {
        assert!(trap(&url("http://a.example/a/a/a")).is_some());
        assert!(trap(&url(&format!("http://a.example{}", "/x1/y2".repeat(11)))).is_some());
        assert_eq!(trap(&url("http://a.example/2020/11/11/11")), None);
        assert_eq!(trap(&url("http://a.example/a/b/a/c")), None);
    }

    #[test]
    fn pictures_and_programs_are_no_pages() {
        assert!(is_no_page(&url("http://a.example/x.JPG?y")));
        assert!(!is_no_page(&url("http://a.example/x.html")));
        assert!(!is_no_page(&url("http://a.example/v1.2")));
        assert!(!is_no_page(&url("http://a.jpg/")));
    }
}
