//! `news-de`: a German regional paper in HTML 5, with boxes inside the text and a sentence of the
//! template that ends every article.

use crate::item::Item;
use crate::news::{article, teasers};
use crate::site::{Charset, PLAIN, Sheet, Site, page_name};
use crate::stock::{Pen, Stock};
use encoding_rs::WINDOWS_1252;

const SITE: &str = "news-de";
const MONTHS: [&str; 12] = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
];
const SKY: [&str; 5] = ["heiter", "bedeckt", "Regen", "sonnig", "Nebel"];

/// The site.
pub fn site() -> Site {
    let stock = Stock::read(include_str!("../texts/news-de.txt"));
    let sheets = (0..16).map(|index| sheet(&stock, index)).collect();
    Site {
        name: SITE,
        language: "de",
        fields: &["title", "date", "author", "category"],
        labels: &[("author", "Von")],
        sheets,
    }
}

/// UTF-8, with two pages in windows-1252; one of them says ISO-8859-1, which means the same on the
/// web.
fn charset(index: usize) -> Charset {
    match index + 1 {
        6 => Charset::honest("windows-1252", WINDOWS_1252),
        13 => Charset::honest("ISO-8859-1", WINDOWS_1252),
        _ => PLAIN,
    }
}

fn sheet(stock: &Stock, index: usize) -> Sheet {
    let name = format!("{SITE}/{}", page_name(index));
    let mut pen = stock.pen(&name);
    let article = article(stock, &mut pen, index);
    let (month, day) = (pen.dice.between(1, 12), pen.dice.between(1, 28));
    let author = pen.write("{writer}");
    let item = Item::of([
        ("title", &article.title),
        ("category", &article.category),
        ("author", &author),
    ])
    .text(
        "summary",
        article.paragraphs[0]
            .split_inclusive(". ")
            .next()
            .unwrap_or_default(),
    )
    .text("slug", &article.category.to_lowercase())
    .text(
        "authorslug",
        &author
            .to_lowercase()
            .replace(' ', "-")
            .replace('ü', "ue")
            .replace('ö', "oe"),
    )
    .text(
        "number",
        &pen.dice.between(1_000_000, 9_999_999).to_string(),
    )
    .text(
        "date",
        &format!(
            "{day}. {} 2024, {}.{:02} Uhr",
            MONTHS[month - 1],
            pen.dice.between(5, 22),
            pen.dice.between(0, 59)
        ),
    )
    .text("iso", &format!("2024-{month:02}-{day:02}"))
    .text("today", &format!("{day:02}.{month:02}.2024"))
    .text("weather", pen.dice.one(&SKY))
    .text("degrees", &pen.dice.between(1, 31).to_string())
    .text("minutes", &pen.dice.between(2, 6).to_string())
    .text("height", &pen.dice.between(380, 540).to_string())
    .text("adslot", &pen.dice.between(10, 99).to_string())
    .text("random", &pen.dice.between(100_000, 999_999).to_string())
    .maybe(
        "caption",
        pen.dice.percent(80).then_some(article.caption.as_str()),
    )
    .list(
        "paragraphs",
        paragraphs(stock, &mut pen, &article.paragraphs),
    )
    .list("most", links(stock, &mut pen, 6))
    .list("region", links(stock, &mut pen, 5));
    let item = if pen.dice.percent(60) {
        item.list("comments", comments(stock, &mut pen))
    } else {
        item
    };
    Sheet::print(
        &name,
        Some("article"),
        include_str!("../layouts/news-de.html"),
        item,
        charset(index),
    )
}

/// The paragraphs; one of them is followed by a box of links, the last one by the paper's own
/// sentence.
fn paragraphs(stock: &Stock, pen: &mut Pen, texts: &[String]) -> Vec<Item> {
    let boxed = pen.dice.between(1, texts.len() - 2);
    let paragraph = |(index, text): (usize, &String)| {
        let item = Item::of([("text", &linked(pen, text))])
            .maybe("last", (index + 1 == texts.len()).then_some(""));
        if index == boxed {
            item.list("also", links(stock, pen, 3))
        } else {
            item
        }
    };
    texts.iter().enumerate().map(paragraph).collect()
}

/// The first quotation of some paragraphs in italics.
fn linked(pen: &mut Pen, text: &str) -> String {
    match text
        .split_once('„')
        .and_then(|(before, rest)| Some((before, rest.split_once('“')?)))
    {
        Some((before, (said, after))) if pen.dice.percent(30) => {
            format!("{before}<em>„{said}“</em>{after}")
        }
        _ => text.to_owned(),
    }
}

fn links(stock: &Stock, pen: &mut Pen, most: usize) -> Vec<Item> {
    let count = pen.dice.between(most - 1, most);
    let titles = teasers(stock, pen, count);
    let link = |(title, category): (String, String)| {
        Item::of([("title", &title), ("category", &category)])
            .text("id", &pen.dice.between(1_000_000, 9_999_999).to_string())
            .text("hours", &pen.dice.between(2, 47).to_string())
    };
    titles.into_iter().map(link).collect()
}

fn comments(stock: &Stock, pen: &mut Pen) -> Vec<Item> {
    let all = stock.with("comment");
    let pool = all[0].all("comment");
    let count = pen.dice.between(1, 3);
    let chosen = pen.dice.some(count, pool.len());
    let comment = |i: usize| {
        Item::of([
            ("who", &pen.write_aside("{person}")),
            ("said", &pen.write(pool[i])),
        ])
        .text("when", &format!("vor {} Minuten", pen.dice.between(5, 59)))
    };
    chosen.into_iter().map(comment).collect()
}
