//! Which address is meant?

/// An address with its scheme and host, by that of the page it stands on; `None` where they are not
/// known.
///
/// Enough for the address that a page calls its own: it has no `..` and no other scheme than the
/// web's.
pub(super) fn absolute(address: &str, base: Option<&str>) -> Option<String> {
    if host_start(address).is_some() {
        return Some(address.to_owned());
    }
    let base = base?;
    let host = host_start(base)?;
    let path = base[host..]
        .find(['/', '?', '#'])
        .map_or(base.len(), |end| host + end);
    if address.starts_with("//") {
        return Some(format!("{}{address}", &base[..host - 2]));
    }
    if address.starts_with('/') {
        return Some(format!("{}{address}", &base[..path]));
    }
    let is_plain =
        !address.is_empty() && !address.starts_with(['#', '?', '.']) && !address.contains(':');
    let folder = base[..path.max(base.find(['?', '#']).unwrap_or(base.len()))]
        .rfind('/')
        .filter(|&end| end >= path);
    is_plain.then(|| format!("{}/{address}", &base[..folder.unwrap_or(path)]))
}

/// Where the host begins in an address of the web.
fn host_start(address: &str) -> Option<usize> {
    let schemes = ["https://", "http://"];
    let has = |scheme: &&str| {
        address
            .get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    schemes
        .iter()
        .find(|scheme| has(scheme))
        .map(|scheme| scheme.len())
        .filter(|&host| address.len() > host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_get_the_host_of_the_page() {
        for (address, expected) in [
            ("http://b.example/", Some("http://b.example/")),
            ("//b.example/c", Some("https://b.example/c")),
            ("/c", Some("https://a.example/c")),
            ("c.html", Some("https://a.example/x/c.html")),
            ("#top", None),
            ("javascript:x", None),
            ("", None),
        ] {
            assert_eq!(
                absolute(address, Some("https://a.example/x/y?z=/")).as_deref(),
                expected,
                "{address}"
            );
        }
        assert_eq!(
            absolute("c", Some("https://a.example")).as_deref(),
            Some("https://a.example/c")
        );
        assert_eq!(absolute("/c", None), None);
        assert_eq!(absolute("/c", Some("file:///home")), None);
    }
}
