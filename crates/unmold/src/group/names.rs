//! What is a group called, and what does it show for itself?

use super::{features, template::Profile, titles};
use crate::Text;
use std::{cmp::Reverse, collections::HashMap};

/// How many shared strings are shown.
const EVIDENCE: usize = 5;

/// A name for some pages: the shape of their addresses, else what their titles share, else one of their titles.
pub(super) fn name(texts: &[&Text], titles: &[&str], representative: usize) -> String {
    let shape = || addresses_shape(texts);
    let shared = || shared_title(titles);
    let own = || Some(titles[representative].to_owned()).filter(|title| !title.is_empty());
    let name = shape().or_else(shared).or_else(own);
    name.map_or_else(|| texts[representative].id().to_owned(), |name| plain(&name))
}

/// What all addresses share, with `*` for the parts that differ; nothing if a page has none or hosts differ.
fn addresses_shape(texts: &[&Text]) -> Option<String> {
    let addresses: Vec<Vec<&str>> = texts.iter().map(|text| Some(parts(text.url()?))).collect::<Option<_>>()?;
    let first = addresses.first()?;
    if addresses.iter().any(|address| address[0] != first[0]) {
        return None;
    }
    let same = |at: usize| addresses.iter().all(|address| address.get(at) == first.get(at));
    let length = addresses.iter().map(Vec::len).max()?;
    let mut shape: Vec<&str> = (0..length).map(|at| if same(at) { first[at] } else { "*" }).collect();
    shape.dedup_by(|one, other| one == other && *one == "*");
    Some(shape.join("/"))
}

/// Host and path of an address, cut at slashes.
fn parts(url: &str) -> Vec<&str> {
    let address = url.split_once("://").map_or(url, |(_, rest)| rest);
    address.split(['?', '#']).next().unwrap_or(address).split('/').collect()
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
    // A bracket stays where the other one can be with it: at the end of the front only if it closes.
    let front = front.trim_end_matches(|c: char| !c.is_alphanumeric() && !")]」".contains(c));
    let back = back.trim_start_matches(|c: char| !c.is_alphanumeric() && !"([「".contains(c));
    let named: Vec<&str> = [front, back].into_iter().map(str::trim).collect();
    let named: Vec<&str> = named.into_iter().filter(|part| part.chars().any(char::is_alphanumeric)).collect();
    (!named.is_empty()).then(|| named.join(" … "))
}

/// A text as it is read, for names and evidence.
pub(super) fn plain(text: &str) -> String {
    htmlize::unescape(text).replace('\u{a0}', " ")
}

/// Whether a string says something: two letters, as people read them. Bullets, arrows and prices do not.
fn is_words(string: &str) -> bool {
    plain(string).chars().filter(|c| c.is_alphabetic()).nth(1).is_some()
}

/// For each group, some strings that nearly all its pages have: first those that fewest other groups have, long ones
/// before short ones.
pub(super) fn evidence(profiles: &[Profile], representatives: &[&Text]) -> Vec<Vec<String>> {
    let mut spread: HashMap<u64, usize> = HashMap::new();
    profiles.iter().flat_map(Profile::core).for_each(|string| *spread.entry(string).or_default() += 1);
    let of_group = |(profile, page): (&Profile, &&Text)| {
        let mut strings = features::strings(page);
        strings.retain(|(hash, string)| profile.is_core(*hash) && is_words(string));
        strings.sort_by_key(|(hash, string)| (spread[hash], Reverse(string.chars().count()), string.clone()));
        strings.dedup_by(|one, other| one.1 == other.1);
        strings.into_iter().take(EVIDENCE).map(|(_, string)| plain(&string)).collect()
    };
    profiles.iter().zip(representatives).map(of_group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Page;

    #[test]
    fn addresses_name_a_group_by_what_they_share() {
        let text = |url: &str| Text::decode(Page::new("x", Vec::new()).with_url(url));
        let pages = [text("https://a.example/shop/1/view?x=2"), text("https://a.example/shop/22/view")];
        assert_eq!(addresses_shape(&pages.iter().collect::<Vec<_>>()), Some("a.example/shop/*/view".into()));
        let others = [text("https://a.example/1"), text("https://b.example/1")];
        assert_eq!(addresses_shape(&others.iter().collect::<Vec<_>>()), None);
    }

    #[test]
    fn titles_name_a_group_by_what_they_share() {
        assert_eq!(shared_title(&["Ann asks - Site", "Bob Lee asks - Site"]), Some("asks - Site".into()));
        assert_eq!(shared_title(&["Users: page 1", "Users: page 2"]), Some("Users: page".into()));
        assert_eq!(shared_title(&["Uses of A (X 1)", "Uses of B (X 1)"]), Some("Uses of … (X 1)".into()));
        assert_eq!(shared_title(&["朝刊：新報", "夕刊：新報"]), Some("刊：新報".into()));
        assert_eq!(shared_title(&["Up (2009) - Films", "Saw (2004) - Films"]), Some("Films".into()));
        assert_eq!(shared_title(&["Users", "Users"]), Some("Users".into()));
        assert_eq!(shared_title(&["one", "two"]), None);
    }

    #[test]
    fn bullets_are_no_words() {
        assert!(["• Top", "問題", "Я и ты"].into_iter().all(is_words));
        assert!(!["•", "&bull; &raquo;", "» 12", "$", "x"].into_iter().any(is_words));
    }

    #[test]
    fn references_are_resolved() {
        assert_eq!(plain("A &amp; B&nbsp;&#39;&#x43f;&bogus; &"), "A & B 'п&bogus; &");
    }
}
