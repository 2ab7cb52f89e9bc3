//! Articles: what the two news sites have in common.
//!
//! A topic of the stock has two stories (headline and lead), paragraphs for one of them and
//! paragraphs that suit both. A page is one story, so no paragraph stands on more than two pages,
//! and there with other names and numbers.

use crate::stock::{Block, Pen, Stock};

/// An article, written.
pub struct Article {
    /// The headline.
    pub title: String,
    /// The section of the paper.
    pub category: String,
    /// The body, lead first.
    pub paragraphs: Vec<String>,
    /// What stands under the picture.
    pub caption: String,
}

/// The article of a page.
pub fn article(stock: &Stock, pen: &mut Pen, index: usize) -> Article {
    let topics = stock.with("story");
    let topic = topics[index % topics.len()];
    let which = index / topics.len();
    let (title, lead) = story(topic, which);
    let (title, lead) = pen.write_both(title, lead);
    let pool = topic.texts_of(which);
    let count = pen.dice.between(3.max(pool.len() - 1), pool.len());
    let chosen = pen.dice.some(count, pool.len());
    let mut paragraphs = vec![lead];
    paragraphs.extend(chosen.into_iter().map(|i| pen.write(pool[i])));
    let caption = pen.write(topic.all("caption")[which]);
    Article {
        title,
        category: topic.one("category").to_owned(),
        paragraphs,
        caption,
    }
}

/// Headlines of articles that are elsewhere, with a section each; no two of a list are alike.
pub fn teasers(stock: &Stock, pen: &mut Pen, count: usize) -> Vec<(String, String)> {
    let topics = stock.with("story");
    let told = topics
        .iter()
        .flat_map(|topic| (0..2).map(|which| story(topic, which).0));
    let pool: Vec<&str> = stock.with("teaser")[0]
        .all("teaser")
        .into_iter()
        .chain(told)
        .collect();
    let chosen = pen.dice.some(count, pool.len());
    let teaser = |i: usize| {
        (
            pen.write_aside(pool[i]),
            pen.dice.one(&topics).one("category").to_owned(),
        )
    };
    chosen.into_iter().map(teaser).collect()
}

fn story<'a>(topic: &Block<'a>, which: usize) -> (&'a str, &'a str) {
    topic.all("story")[which]
        .split_once(" | ")
        .expect("a headline and a lead")
}
