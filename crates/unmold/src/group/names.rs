//! What is a group called, and what does it show for itself?

use super::{grouper::Said, template::Profile, titles};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

/// How many shared strings are shown.
const EVIDENCE: usize = 5;

/// A string that is part of a name is no longer than this, in characters.
const NAMING: usize = 40;

/// A name for some pages: the shape of their addresses if all are known, else what their titles
/// share, else the title of the page that is shown for them, or its id.
pub(super) fn name(urls: Option<Vec<&str>>, titles: &[&str], title: &str, id: &str) -> String {
    let own = || Some(title.to_owned()).filter(|title| !title.is_empty());
    let name = urls
        .and_then(|urls| addresses_shape(&urls))
        .or_else(|| shared_title(titles))
        .or_else(own);
    name.map_or_else(|| id.to_owned(), |name| plain(&name))
}

/// Names that tell the groups of a site apart: where several have the same, each says what only its
/// pages say, and failing that has a number.
pub(super) fn told_apart(names: &[String], sites: &[usize], evidence: &[Evidence]) -> Vec<String> {
    let mut times: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    sites
        .iter()
        .zip(names)
        .for_each(|(&site, name)| *times.entry((site, name)).or_default() += 1);
    let mut taken: BTreeMap<(usize, String), usize> = BTreeMap::new();
    let told = sites
        .iter()
        .zip(names)
        .zip(evidence)
        .map(|((&site, name), evidence)| {
            let own = evidence
                .own
                .as_ref()
                .filter(|_| times[&(site, name.as_str())] > 1);
            let name = own.map_or_else(|| name.clone(), |own| format!("{name}: {own}"));
            let count = taken.entry((site, name.clone())).or_default();
            *count += 1;
            if *count > 1 {
                format!("{name} ({count})")
            } else {
                name
            }
        });
    told.collect()
}

/// What all addresses share, with `*` for the parts that differ; nothing if hosts differ.
fn addresses_shape(urls: &[&str]) -> Option<String> {
    let addresses: Vec<Vec<&str>> = urls.iter().map(|url| parts(url)).collect();
    let first = addresses.first()?;
    if addresses.iter().any(|address| address[0] != first[0]) {
        return None;
    }
    let same = |at: usize| {
        addresses
            .iter()
            .all(|address| address.get(at) == first.get(at))
    };
    let length = addresses.iter().map(Vec::len).max()?;
    let mut shape: Vec<&str> = (0..length)
        .map(|at| if same(at) { first[at] } else { "*" })
        .collect();
    shape.dedup_by(|one, other| one == other && *one == "*");
    Some(shape.join("/"))
}

/// Host and path of an address, cut at slashes.
fn parts(url: &str) -> Vec<&str> {
    let address = url.split_once("://").map_or(url, |(_, rest)| rest);
    address
        .split(['?', '#'])
        .next()
        .unwrap_or(address)
        .split('/')
        .collect()
}

/// What all titles begin and end with, in whole words: `Uses of … - Site`.
fn shared_title(titles: &[&str]) -> Option<String> {
    let front = titles::shared(titles.iter().map(|title| title.chars().collect()));
    let back = titles::shared(titles.iter().map(|title| title.chars().rev().collect()));
    let back: String = back.into_iter().rev().collect();
    let front: String = front.into_iter().collect();
    if titles.iter().all(|title| *title == front) {
        return Some(front).filter(|title| !title.is_empty());
    }
    // A bracket stays where the other one can be with it: at the end of the front only if it
    // closes.
    let front = front.trim_end_matches(|c: char| !c.is_alphanumeric() && !")]」".contains(c));
    // In `Ann's questions`, the letter behind the apostrophe is of the name.
    let back = back
        .strip_prefix(['\'', '’'])
        .and_then(|back| back.split_once(' '))
        .map_or(back.as_str(), |(_, back)| back);
    let back = back.trim_start_matches(|c: char| !c.is_alphanumeric() && !"([「".contains(c));
    let named: Vec<&str> = [front, back].into_iter().map(str::trim).collect();
    let named: Vec<&str> = named
        .into_iter()
        .filter(|part| part.chars().any(char::is_alphanumeric))
        .collect();
    (!named.is_empty()).then(|| named.join(" … "))
}

/// A text as it is read, for names and evidence.
pub(super) fn plain(text: &str) -> String {
    htmlize::unescape(text).replace('\u{a0}', " ")
}

/// Whether a string says something: two letters, as people read them. Bullets, arrows and prices do
/// not.
pub(super) fn is_words(string: &str) -> bool {
    plain(string)
        .chars()
        .filter(|c| c.is_alphabetic())
        .nth(1)
        .is_some()
}

/// What a group shows for itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Evidence {
    /// Some strings that nearly all its pages have: first those that fewest other groups have, long
    /// ones before short ones.
    pub strings: Vec<String>,
    /// One that no other group has, short enough for a name.
    pub own: Option<String>,
}

/// What groups show for themselves, each given by its strings and those of a page that is like the
/// others.
pub(super) fn evidence(profiles: &[Profile], shown: &[&[u64]], said: &Said) -> Vec<Evidence> {
    let mut spread: HashMap<u64, usize> = HashMap::new();
    profiles
        .iter()
        .flat_map(Profile::core)
        .for_each(|string| *spread.entry(string).or_default() += 1);
    let of_group = |(profile, strings): (&Profile, &&[u64])| {
        let core = strings.iter().filter(|&&hash| profile.is_core(hash));
        let mut strings: Vec<(usize, &str)> = core
            .filter_map(|hash| Some((spread[hash], said.words(*hash)?)))
            .collect();
        strings.sort_by_key(|&(spread, string)| (spread, Reverse(string.chars().count()), string));
        strings.dedup_by_key(|(_, string)| *string);
        let mut own = strings
            .iter()
            .take_while(|(spread, _)| *spread == 1)
            .map(|(_, string)| plain(string));
        Evidence {
            own: own.find(|string| string.chars().count() <= NAMING),
            strings: strings
                .iter()
                .take(EVIDENCE)
                .map(|(_, string)| plain(string))
                .collect(),
        }
    };
    profiles.iter().zip(shown).map(of_group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_a_group_by_what_they_share() {
        let urls = [
            "https://a.example/shop/1/view?x=2",
            "https://a.example/shop/22/view",
        ];
        assert_eq!(addresses_shape(&urls), Some("a.example/shop/*/view".into()));
        assert_eq!(
            addresses_shape(&["https://a.example/1", "https://b.example/1"]),
            None
        );
    }

    #[test]
    fn groups_of_a_site_have_names_of_their_own() {
        let names = ["Shop", "Shop", "Shop", "Shop", "Shop", "Shop: new"].map(str::to_owned);
        let own = [
            Some("Add to basket"),
            None,
            None,
            Some("Write a review"),
            Some("Imprint"),
            None,
        ];
        let evidence = own.map(|own| Evidence {
            own: own.map(str::to_owned),
            ..Evidence::default()
        });
        let told = told_apart(&names, &[0, 0, 0, 0, 1, 0], &evidence);
        assert_eq!(
            told,
            [
                "Shop: Add to basket",
                "Shop",
                "Shop (2)",
                "Shop: Write a review",
                "Shop",
                "Shop: new"
            ]
        );
    }

    #[test]
    fn titles_name_a_group_by_what_they_share() {
        assert_eq!(
            shared_title(&["Ann asks - Site", "Bob Lee asks - Site"]),
            Some("asks - Site".into())
        );
        assert_eq!(
            shared_title(&["Users: page 1", "Users: page 2"]),
            Some("Users: page".into())
        );
        assert_eq!(
            shared_title(&["Uses of A (X 1)", "Uses of B (X 1)"]),
            Some("Uses of … (X 1)".into())
        );
        assert_eq!(
            shared_title(&["朝刊：新報", "夕刊：新報"]),
            Some("刊：新報".into())
        );
        assert_eq!(
            shared_title(&["Up (2009) - Films", "Saw (2004) - Films"]),
            Some("Films".into())
        );
        assert_eq!(
            shared_title(&["Ann's posts - S", "Bob's posts - S"]),
            Some("posts - S".into())
        );
        assert_eq!(shared_title(&["Users", "Users"]), Some("Users".into()));
        assert_eq!(shared_title(&["one", "two"]), None);
    }

    #[test]
    fn bullets_are_no_words() {
        assert!(["• Top", "問題", "Я и ты"].into_iter().all(is_words));
        assert!(
            !["•", "&bull; &raquo;", "» 12", "$", "x"]
                .into_iter()
                .any(is_words)
        );
    }

    #[test]
    fn references_are_resolved() {
        assert_eq!(
            plain("A &amp; B&nbsp;&#39;&#x43f;&bogus; &"),
            "A & B 'п&bogus; &"
        );
    }
}
