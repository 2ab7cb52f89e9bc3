//! Which of the things that a page declares is it about?
//!
//! A page declares its frame as well: the site, its owner, the way to the page, pictures, comments.
//! And it may declare the article that it is and the recipe in it. The thing that it is about is the
//! one
//!
//! 1. whose name its headline or title has,
//! 2. that is linked to the page (`mainEntityOfPage`, `isPartOf`),
//! 3. that is more than the text of the page: a recipe rather than the article with it,
//! 4. of which the page says most.
//!
//! Where several things of one type are equally good, the page lists them, and is about none.

use super::{
    Declared, Vocabulary,
    data::{Data, Object},
};
use crate::read::{
    html::{elements::heading_level, visible_text},
    tree::Tree,
};
use rapidhash::RapidHashSet;
use std::collections::VecDeque;

/// Types of schema.org that describe the page, its site and what is beside its content.
const FRAME: [&str; 38] = [
    "action",
    "aggregaterating",
    "audioobject",
    "blog",
    "brand",
    "breadcrumblist",
    "collectionpage",
    "comment",
    "contactpage",
    "corporation",
    "entrypoint",
    "faqpage",
    "hentry",
    "imagegallery",
    "imageobject",
    "itemlist",
    "itempage",
    "listitem",
    "mediaobject",
    "newsmediaorganization",
    "offer",
    "onlinestore",
    "organization",
    "person",
    "postaladdress",
    "profilepage",
    "qapage",
    "question",
    "rating",
    "review",
    "searchaction",
    "searchresultspage",
    "sitenavigationelement",
    "usercomments",
    "videoobject",
    "webpage",
    "website",
    "webpageelement",
];

/// Parts of a page are called so: `WPHeader`.
const PAGE_PART: &str = "wp";

/// What a thing gets if the headline has all words of its name, and as much again if the name has
/// all words of the headline. The weights were set by hand and tried on recipes and products of
/// other sites than those they are checked on; each can be halved without a change there.
const NAMED: f64 = 2.0;
/// What a thing gets that is linked to the page.
const LINKED: f64 = 0.5;
/// What a thing gets that is more than text and is named by the page or linked to it,
const OF_ITS_OWN: f64 = 3.5;
/// and one that is neither.
const UNNAMED: f64 = 1.0;
/// What each property counts, up to [`MOST_PROPERTIES`].
const PROPERTY: f64 = 0.1;
/// More properties than this say nothing new.
const MOST_PROPERTIES: usize = 20;
/// A page names a thing that shares at least this part of the words of its name with the headline.
const SHARED_WORDS: f64 = 0.5;

/// Headlines that are looked at: pages with more are lists.
const MOST_HEADLINES: usize = 3;

/// The thing that a page is about.
pub(crate) struct Subject<'d> {
    /// What is declared of it, the most trusted first: pages often declare a thing twice.
    pub objects: Vec<(Vocabulary, &'d Object)>,
}

/// What the page calls itself: its first headlines, and its title.
pub(crate) struct Headlines {
    texts: Vec<(String, RapidHashSet<String>)>,
}

impl Headlines {
    pub fn of(tree: &Tree<'_>) -> Self {
        let mut texts = Vec::new();
        for node in tree.nodes() {
            if texts.len() == MOST_HEADLINES {
                break;
            }
            if heading_level(tree.name(node)) == Some(1) {
                texts.push(visible_text(tree.span(node).of(tree.page())));
            }
        }
        texts.push(tree.title());
        let with_words = texts.into_iter().map(|text| {
            let words = words(&text);
            (text.to_lowercase(), words)
        });
        Headlines {
            texts: with_words.filter(|(_, words)| !words.is_empty()).collect(),
        }
    }

    /// How much of a name the best headline has, and how much the two share of all their words.
    fn likeness(&self, name: &str) -> (f64, f64) {
        let lower = visible_text(name).to_lowercase();
        let words = words(&lower);
        if words.is_empty() {
            return (0.0, 0.0);
        }
        let mut best = (0.0f64, 0.0f64);
        for (text, headline) in &self.texts {
            let shared = words.iter().filter(|word| headline.contains(*word)).count() as f64;
            let either = (words.len() + headline.len()) as f64 - shared;
            let mut held = shared / words.len() as f64;
            // Scripts without spaces have no words.
            if text.contains(&lower) {
                held = 1.0;
            }
            best = (best.0.max(held), best.1.max(shared / either));
        }
        best
    }
}

fn words(text: &str) -> RapidHashSet<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// The thing that a page is about, if it declares one.
pub(crate) fn subject<'d>(declared: &'d Declared, headlines: &Headlines) -> Option<Subject<'d>> {
    let candidates = candidates(declared);
    let mut best: Option<(f64, usize)> = None;
    let mut is_tied = false;
    for (at, (_, object)) in candidates.iter().enumerate() {
        let Some(score) = score(object, headlines) else {
            continue;
        };
        match best {
            Some((highest, _)) if score < highest => {}
            Some((highest, first)) if score == highest => {
                is_tied |= !is_same(candidates[first].1, object);
            }
            _ => {
                best = Some((score, at));
                is_tied = false;
            }
        }
    }
    let (_, at) = best?;
    if is_tied {
        return None;
    }
    let main = candidates[at].1;
    let mut objects = Vec::new();
    for (number, (vocabulary, object)) in candidates.iter().enumerate() {
        if number == at || is_same(main, object) {
            objects.push((*vocabulary, *object));
        }
    }
    Some(Subject { objects })
}

/// What state calls the name of a thing.
const STATE_TITLES: [&str; 3] = ["name", "title", "headline"];

/// The object of a page's state that it is about: the outermost whose name is a headline, or the
/// only one without a name that has the price and the number of an article.
pub(super) fn state_subject<'d>(
    declared: &'d Declared,
    headlines: &Headlines,
) -> Option<&'d Object> {
    let mut best: Option<(f64, &Object)> = None;
    let mut articles: Vec<&Object> = Vec::new();
    let mut inside: VecDeque<&Data> = declared.things().iter().map(|thing| &thing.data).collect();
    // From the outside in: what is outermost comes first.
    while let Some(data) = inside.pop_front() {
        match data {
            Data::Null | Data::Scalar(_) => {}
            Data::List(items) => inside.extend(items),
            Data::Object(object) => {
                inside.extend(object.properties.iter().map(|(_, value)| value));
                let has = |name: &str| object.get(name).is_some_and(|value| value.text().is_some());
                let is_named = STATE_TITLES.iter().any(|name| object.get(name).is_some());
                if has("price") && has("sku") && !is_named {
                    articles.push(object);
                }
                let score = state_score(object, headlines);
                if score > best.map_or(0.0, |(highest, _)| highest) {
                    best = Some((score, object));
                }
            }
        }
    }
    match (best, &articles[..]) {
        (Some((_, object)), _) => Some(object),
        (None, [only]) => Some(only),
        (None, _) => None,
    }
}

/// How much of a headline the name of an object is; 0 for one that says little more than the name.
fn state_score(object: &Object, headlines: &Headlines) -> f64 {
    /// A link in a menu has a name and an address.
    const MIN_PROPERTIES: usize = 3;
    if object.properties.len() < MIN_PROPERTIES {
        return 0.0;
    }
    let name = STATE_TITLES
        .iter()
        .find_map(|name| object.get(name)?.text());
    let (held, alike) = name.map_or((0.0, 0.0), |name| headlines.likeness(name));
    if held < 1.0 || alike < SHARED_WORDS {
        return 0.0;
    }
    held + alike
}

/// All things that a page may be about: those at the top, in graphs, and what these are about.
fn candidates(declared: &Declared) -> Vec<(Vocabulary, &Object)> {
    let mut candidates = Vec::new();
    for thing in declared.things() {
        match thing.vocabulary {
            Vocabulary::JsonLd | Vocabulary::Microdata | Vocabulary::Rdfa => {
                add_candidates(thing.vocabulary, &thing.data, &mut candidates);
            }
            Vocabulary::OpenGraph | Vocabulary::Meta | Vocabulary::State => {}
        }
    }
    candidates
}

fn add_candidates<'d>(
    vocabulary: Vocabulary,
    data: &'d Data,
    candidates: &mut Vec<(Vocabulary, &'d Object)>,
) {
    for item in data.items() {
        match item {
            Data::Object(object) => {
                candidates.push((vocabulary, object));
                for name in ["@graph", "mainEntity", "mainEntityOfPage"] {
                    if let Some(inside) = object.get(name) {
                        add_candidates(vocabulary, inside, candidates);
                    }
                }
            }
            Data::List(_) => add_candidates(vocabulary, item, candidates),
            Data::Null | Data::Scalar(_) => {}
        }
    }
}

/// How much a page is about a thing; `None` if it is part of the frame or has no type.
fn score(object: &Object, headlines: &Headlines) -> Option<f64> {
    let mut has_type = false;
    for kind in object.types() {
        has_type = true;
        let kind = kind.to_ascii_lowercase();
        if FRAME.contains(&kind.as_str()) || kind.starts_with(PAGE_PART) {
            return None;
        }
    }
    if !has_type {
        return None;
    }
    let (held, alike) = name(object).map_or((0.0, 0.0), |name| headlines.likeness(name));
    let is_linked = object.get("mainEntityOfPage").is_some() || object.get("isPartOf").is_some();
    let properties = object.properties.len().min(MOST_PROPERTIES) as f64;
    let mut score = NAMED * (held + alike) + PROPERTY * properties;
    if is_linked {
        score += LINKED;
    }
    if !is_writing(object) {
        let is_meant = is_linked || held >= SHARED_WORDS;
        score += if is_meant { OF_ITS_OWN } else { UNNAMED };
    }
    Some(score)
}

/// Whether a thing is the text of the page, such as an article.
fn is_writing(object: &Object) -> bool {
    object.get("headline").is_some()
        || object
            .types()
            .any(|kind| kind.ends_with("Article") || kind.ends_with("Posting"))
}

/// What a thing is called.
pub(super) fn name(object: &Object) -> Option<&str> {
    let name = object
        .all("name")
        .next()
        .or(object.all("headline").next())?;
    match name {
        Data::Object(name) => name.get("@value").and_then(Data::text),
        Data::Null | Data::Scalar(_) | Data::List(_) => name.text(),
    }
}

/// Whether two objects are declared of the same thing: they have a type in common, and the same
/// name, if both have one.
fn is_same(one: &Object, other: &Object) -> bool {
    let has_type = one
        .types()
        .any(|kind| other.types().any(|other| other.eq_ignore_ascii_case(kind)));
    let is_named_alike = match (name(one), name(other)) {
        (Some(one), Some(other)) => words(one) == words(other),
        (Some(_), None) | (None, Some(_)) | (None, None) => true,
    };
    has_type && is_named_alike
}
