//! What does a page state as its text, in data for machines?
//!
//! News sites give the text of an article twice: in elements, and as `articleBody` in JSON-LD. The
//! second is without captions, boxes and calls to subscribe, so it tells which lines of the first
//! are none of the article. It is no substitute: it has lost headings, lists and links, and some
//! sites put an abstract there. So it is heard only where both agree for the most part.
//!
//! A page that shows nothing but a shell may state its text all the same: as `articleBody`, or in
//! the state that its scripts draw it from. That is its content then ([`of_shell`]).
//!
//! Cost: pages without `articleBody` are searched for that word. Otherwise JSON-LD is read once, and
//! both texts are gone through once, a table of strings of [`GRAM`] letters between them.

use super::reading::{Block, Reading};
use crate::{
    Span,
    read::{
        declared::{Budget, Data, Declared, Object, of_script},
        html::{elements::heading_level, visible_text},
        tree::Tree,
    },
};
use memchr::memmem;
use rapidhash::RapidHashSet;

/// The property of schema.org that holds the text of an article.
const BODY: &str = "articleBody";
/// Texts are compared by their strings of so many letters and digits.
const GRAM: usize = 8;
/// A stated text has at least so many letters; shorter ones are summaries.
const MIN_LETTERS: usize = 500;
/// The shown content must have this share of the stated text. Of 36 pages of news that state one,
/// all but three have more than 0.9, and these have less than 0.6 or another text.
const SHOWN: f64 = 0.8;
/// The stated text must have this share of the shown content: an abstract has less.
const STATED: f64 = 0.6;
/// A line belongs to the stated text if this share of its strings is there.
const OF_LINE: f64 = 0.5;
/// The title of a page has so many letters at least that it tells which part of the state is about
/// the page.
const TITLE_LETTERS: usize = 8;

/// The text of the article that a page states.
pub(crate) struct StatedText {
    grams: RapidHashSet<u64>,
}

impl StatedText {
    /// The longest text that a page states as that of an article, if it states one.
    pub fn of(tree: &Tree<'_>) -> Option<Self> {
        let (_, body) = linked_body(tree)?;
        let grams = grams(&visible_text(&body));
        Some(StatedText {
            grams: grams.into_iter().collect(),
        })
    }

    /// The content without lines that the stated text has not, if the two agree for the most part.
    /// Headings stay, and so does what stands before the first line that is stated: the headline
    /// and what introduces the article.
    pub fn confirmed(&self, page: &Reading<'_>, spans: Vec<Span>) -> Vec<Span> {
        let mut lines: Vec<(Span, Option<f64>)> = Vec::with_capacity(spans.len());
        let (mut letters, mut stated) = (0.0, 0.0);
        let mut shown: RapidHashSet<u64> = RapidHashSet::default();
        for &span in &spans {
            let grams = grams(&visible_text(span.of(page.tree.page())));
            let known = grams.iter().filter(|gram| self.grams.contains(gram));
            let known: Vec<u64> = known.copied().collect();
            letters += grams.len() as f64;
            stated += known.len() as f64;
            let share = (!grams.is_empty()).then(|| known.len() as f64 / grams.len() as f64);
            lines.push((span, share));
            shown.extend(known);
        }
        let agrees =
            stated >= STATED * letters && shown.len() as f64 >= SHOWN * self.grams.len() as f64;
        if !agrees {
            return spans;
        }
        let is_stated = |share: Option<f64>| share.is_some_and(|share| share >= OF_LINE);
        let mut has_begun = false;
        let mut confirmed = Vec::with_capacity(lines.len());
        for (span, share) in lines {
            has_begun |= is_stated(share);
            let is_known = share.is_none() || is_stated(share);
            if !has_begun || is_known || stays(page, span) {
                confirmed.push(span);
            }
        }
        confirmed
    }
}

/// Whether a line stays, stated or not: texts in JSON-LD have no headings, tables and listings.
fn stays(page: &Reading<'_>, span: Span) -> bool {
    let at = page
        .blocks
        .partition_point(|block: &Block| block.span.end <= span.start);
    let Some(block) = page.blocks.get(at) else {
        return false;
    };
    let mut around = std::iter::once(block.element).chain(page.tree.ancestors(block.element));
    around.any(|node| {
        let name = page.tree.name(node);
        heading_level(name).is_some() || matches!(name, "table" | "pre" | "dl")
    })
}

/// Hashes of all strings of [`GRAM`] letters and digits of a text, in small letters.
fn grams(text: &str) -> Vec<u64> {
    let letters: Vec<char> = text
        .chars()
        .filter(|letter| letter.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    let hash = |gram: &[char]| {
        gram.iter().fold(0u64, |hash, &letter| {
            (hash.rotate_left(9) ^ u64::from(letter)).wrapping_mul(0x2545_F491_4F6C_DD1D)
        })
    };
    letters.windows(GRAM).map(hash).collect()
}

/// How many letters and digits a text has.
fn letters(text: &str) -> usize {
    text.chars()
        .filter(|letter| letter.is_alphanumeric())
        .count()
}

/// The longest `articleBody` in JSON-LD that is long enough, with the headline that stands beside
/// it.
fn linked_body(tree: &Tree<'_>) -> Option<(String, String)> {
    memmem::find(tree.page().as_bytes(), BODY.as_bytes())?;
    let mut budget = Budget::of(tree.page());
    let mut longest: Option<(String, String)> = None;
    for node in tree.nodes().filter(|&node| tree.name(node) == "script") {
        let Some(Ok(data)) = of_script(tree, node, &mut budget) else {
            continue;
        };
        for_each_object(&data, &mut |object| {
            let Some(body) = object.get(BODY).and_then(Data::text) else {
                return;
            };
            let known = longest.as_ref().map_or(0, |(_, known)| known.len());
            if body.len() > known {
                let headline = object.get("headline").and_then(Data::text);
                longest = Some((headline.unwrap_or_default().to_owned(), body.to_owned()));
            }
        });
    }
    longest.filter(|(_, body)| letters(&visible_text(body)) >= MIN_LETTERS)
}

fn for_each_object(data: &Data, work: &mut impl FnMut(&Object)) {
    match data {
        Data::Null | Data::Scalar(_) => {}
        Data::List(items) => items.iter().for_each(|item| for_each_object(item, work)),
        Data::Object(object) => {
            work(object);
            for (_, value) in &object.properties {
                for_each_object(value, work);
            }
        }
    }
}

/// What a page states without showing any text.
pub(crate) struct StatedArticle {
    /// Its headline; empty if it has none.
    pub headline: String,
    /// Headline and text.
    pub html: String,
}

/// The text that a page states without showing any.
///
/// In the state of an application, it is the longest text of a thing that has the title of the page
/// for one of its values: the same state holds menus, other articles and terms of use.
pub(crate) fn of_shell(tree: &Tree<'_>) -> Option<StatedArticle> {
    let (headline, body) = linked_body(tree).or_else(|| body_in_state(tree))?;
    let headline = visible_text(&headline);
    let mut html = String::new();
    if !headline.is_empty() {
        html.push_str(&format!("<h1>{}</h1>\n", escaped(&headline)));
    }
    if body.contains("</") {
        html.push_str(&body);
        return Some(StatedArticle { headline, html });
    }
    for line in body.lines().filter(|line| !line.trim().is_empty()) {
        html.push_str(&format!("<p>{line}</p>\n"));
    }
    Some(StatedArticle { headline, html })
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

fn body_in_state(tree: &Tree<'_>) -> Option<(String, String)> {
    let title = folded(&tree.title());
    if letters(&title) < TITLE_LETTERS {
        return None;
    }
    let state = Declared::of_shell_state(tree);
    let mut longest: Option<(String, String)> = None;
    let mut longest_letters = MIN_LETTERS;
    for thing in state.things() {
        for_each_object(&thing.data, &mut |object| {
            let Some(name) = name_of_page(object, &title) else {
                return;
            };
            for text in texts(object) {
                let letters = letters(&visible_text(text));
                if letters >= longest_letters {
                    longest_letters = letters;
                    longest = Some((name.to_owned(), text.to_owned()));
                }
            }
        });
    }
    longest
}

/// The value of a thing with which the title of the page begins.
fn name_of_page<'d>(object: &'d Object, title: &str) -> Option<&'d str> {
    let texts = object
        .properties
        .iter()
        .filter_map(|(_, value)| value.text());
    texts
        .filter(|text| letters(text) >= TITLE_LETTERS)
        .find(|text| title.starts_with(&folded(text)))
}

/// The texts of a thing, and of the things right in it.
fn texts(object: &Object) -> impl Iterator<Item = &str> {
    let values = object.properties.iter().map(|(_, value)| value);
    let inside = values
        .clone()
        .filter_map(Data::object)
        .flat_map(|inner| inner.properties.iter().map(|(_, value)| value));
    values.chain(inside).filter_map(Data::text)
}

fn folded(text: &str) -> String {
    let letters = text.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::super::alone::find_alone;
    use super::*;
    use std::sync::Arc;

    const HEN: &str = "a hen on a farm in the north has found an egg that nobody had lost";
    const RAIN: &str = "after a week of rain the river stands two metres above its usual mark";

    fn paragraph(day: &str, said: &str) -> String {
        (0..12)
            .map(|number| format!("{day} {number}: {said}. "))
            .collect()
    }

    fn kept(page: &str) -> String {
        let reading = Arc::new(Reading::of(page));
        let found = find_alone(&reading, None).unwrap_or_default();
        let texts = found.spans.iter().map(|span| span.of(page));
        texts.collect::<Vec<_>>().join("\n")
    }

    fn page(body: &str) -> String {
        let (one, two) = (paragraph("Monday", HEN), paragraph("Friday", RAIN));
        format!(
            r#"<script type="application/ld+json">{{"articleBody": "{body}"}}</script><main><h1>Egg found</h1>
            <p>{one}</p><h2>At last</h2><p>Subscribe to read about hens every day of the week</p><p>{two}</p></main>"#
        )
    }

    #[test]
    fn lines_that_the_stated_text_has_not_are_left_out() {
        let whole = paragraph("Monday", HEN) + &paragraph("Friday", RAIN);
        let text = kept(&page(&whole));
        assert!(!text.contains("Subscribe"), "{text}");
        assert!(
            text.contains("At last") && text.contains("Friday"),
            "{text}"
        );
        // An abstract says nothing about the rest.
        let text = kept(&page(&paragraph("Monday", HEN)));
        assert!(
            text.contains("Subscribe") && text.contains("Friday"),
            "{text}"
        );
    }

    #[test]
    fn a_shell_gives_the_text_that_it_states() {
        let text = paragraph("月曜日", HEN);
        for script in [
            format!(
                r#"<script type="application/ld+json">{{"headline": "卵が見つかる：北の農場で", "articleBody": "{text}"}}</script>"#
            ),
            format!(
                r#"<script>window.__S__ = {{"page": {{"title": "卵が見つかる：北の農場で", "body": "{text}"}}}}</script>"#
            ),
            format!(
                r#"<script>q.push({{"page": {{"title": "卵が見つかる：北の農場で", "inside": {{"body": "<p>{text}</p>"}}}}}})</script>"#
            ),
        ] {
            let page =
                format!("<title>卵が見つかる：北の農場で | News</title><div id=app></div>{script}");
            let stated = of_shell(&Tree::new(&page)).unwrap();
            assert_eq!(stated.headline, "卵が見つかる：北の農場で");
            let stated = visible_text(&stated.html);
            assert!(
                stated.starts_with("卵が見つかる") && stated.contains("egg that nobody"),
                "{page}"
            );
        }
        let of_another = format!(
            r#"<title>卵が見つかる：北の農場で</title><script>window.__S__ = {{"title": "雨が降る：南の農場で", "body": "{text}"}}</script>"#
        );
        assert!(of_shell(&Tree::new(&of_another)).is_none());
    }
}
