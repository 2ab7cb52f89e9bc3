//! `news-ja`: a Japanese regional paper, HTML 4 with upper-case tags and open paragraphs, in every
//! charset such papers used.

use crate::item::Item;
use crate::news::{article, teasers};
use crate::site::{Charset, Sheet, Site, page_name};
use crate::stock::{Pen, Stock};
use encoding_rs::{EUC_JP, SHIFT_JIS, UTF_8};

const SITE: &str = "news-ja";
const SKY: [&str; 6] = [
    "晴れ",
    "くもり",
    "晴れ時々くもり",
    "雨",
    "くもり一時雨",
    "雪",
];

/// The site.
pub fn site() -> Site {
    let stock = Stock::read(include_str!("../texts/news-ja.txt"));
    let sheets = (0..16).map(|index| sheet(&stock, index)).collect();
    Site {
        name: SITE,
        language: "ja",
        fields: &["title", "date", "author", "category"],
        labels: LABELS,
        sheets,
    }
}

const LABELS: &[(&str, &str)] = &[("date", "掲載日："), ("author", "記者：")];

/// Shift_JIS, with two pages in EUC-JP, one that does not say what it is, and two that say
/// Shift_JIS but are UTF-8.
fn charset(index: usize) -> Charset {
    match index + 1 {
        5 | 12 => Charset::honest("EUC-JP", EUC_JP),
        7 => Charset {
            declared: None,
            encoding: SHIFT_JIS,
        },
        10 | 15 => Charset {
            declared: Some("Shift_JIS"),
            encoding: UTF_8,
        },
        _ => Charset::honest("Shift_JIS", SHIFT_JIS),
    }
}

fn sheet(stock: &Stock, index: usize) -> Sheet {
    let name = format!("{SITE}/{}", page_name(index));
    let mut pen = stock.pen(&name);
    let article = article(stock, &mut pen, index);
    let (month, day) = (pen.dice.between(1, 12), pen.dice.between(1, 28));
    let summary: String = article.paragraphs[0].chars().take(48).collect();
    let item = Item::of([
        ("title", &article.title),
        ("category", &article.category),
        ("summary", &(summary + "…")),
    ])
    .text(
        "number",
        &format!("2009{month:02}{day:02}{:03}", pen.dice.between(1, 90)),
    )
    .text("date", &format!("2009年{month}月{day}日"))
    .text("today", &format!("平成21年{month}月{day}日"))
    .text("author", &pen.write("{writer}"))
    .text(
        "stamp",
        &format!(
            "2009/{month:02}/{day:02} 0{}:{:02}",
            pen.dice.between(3, 9),
            pen.dice.between(0, 59)
        ),
    )
    .text("height", &pen.dice.between(150, 320).to_string())
    .maybe(
        "caption",
        pen.dice.percent(70).then_some(article.caption.as_str()),
    )
    .list(
        "paragraphs",
        article
            .paragraphs
            .iter()
            .map(|text| Item::of([("text", &emphasis(&mut pen, text))])),
    )
    .list("ranking", links(stock, &mut pen, 5))
    .list("newest", links(stock, &mut pen, 6));
    let item = if pen.dice.percent(75) {
        item.list("related", links(stock, &mut pen, 3))
    } else {
        item
    };
    Sheet::print(
        &name,
        Some("article"),
        include_str!("../layouts/news-ja.html"),
        weather(&mut pen, item),
        charset(index),
    )
}

/// Bold type for the first quotation of some paragraphs, as editors do.
fn emphasis(pen: &mut Pen, text: &str) -> String {
    match text
        .split_once('「')
        .and_then(|(before, rest)| Some((before, rest.split_once('」')?)))
    {
        Some((before, (said, after))) if pen.dice.percent(25) => {
            format!("{before}「<B>{said}</B>」{after}")
        }
        _ => text.to_owned(),
    }
}

fn links(stock: &Stock, pen: &mut Pen, most: usize) -> Vec<Item> {
    let count = pen.dice.between(most - 1, most);
    let titles = teasers(stock, pen, count);
    let link = |(title, category): (String, String)| {
        let (month, day) = (pen.dice.between(1, 12), pen.dice.between(1, 28));
        Item::of([("title", &title), ("category", &category)])
            .text(
                "id",
                &format!("2009{month:02}{day:02}{:03}", pen.dice.between(100, 990)),
            )
            .text("day", &format!("{month}月{day}日"))
            .text(
                "time",
                &format!("{}:{:02}", pen.dice.between(0, 23), pen.dice.between(0, 59)),
            )
    };
    titles.into_iter().map(link).collect()
}

fn weather(pen: &mut Pen, item: Item) -> Item {
    let high = pen.dice.between(2, 34);
    item.text("weather1", pen.dice.one(&SKY))
        .text("weather2", pen.dice.one(&SKY))
        .text("high", &high.to_string())
        .text(
            "low",
            &high.saturating_sub(pen.dice.between(1, 6)).to_string(),
        )
}
