//! `forum-ru`: threads of a Russian forum, with quotes inside posts, signatures, and the two old
//! Cyrillic charsets.

use crate::dice::Dice;
use crate::item::Item;
use crate::site::{Charset, PLAIN, Sheet, Site, page_name};
use crate::stock::{Pen, Stock};
use encoding_rs::{KOI8_R, WINDOWS_1251};

const SITE: &str = "forum-ru";

/// Some people sign everything they write, always in the same way.
const SIGNATURES: [(&str, &str); 9] = [
    ("Кузьмич", "Семь раз отмерь, а потом позвони соседу."),
    ("Старый_Дизель", "ГАЗ-69 — не роскошь, а судьба"),
    ("Тётя Поля", "Огород сам себя не прополет. Проверено."),
    ("Штурман", "56°14' с. ш., где-то в лодке"),
    ("Паяльник", "Дым вышел — значит, он там был."),
    ("ded_Pihto", "Не спорю, а уточняю."),
    ("Полярник", "Минус сорок — это ещё не погода"),
    ("Рыжая", "Котиков не предлагать, уже четыре"),
    ("Токарь", "Точность — вежливость станков"),
];

/// The site.
pub fn site() -> Site {
    let stock = Stock::read(include_str!("../texts/forum-ru.txt"));
    let sheets = (0..14).map(|index| sheet(&stock, index)).collect();
    Site {
        name: SITE,
        language: "ru",
        fields: &["title", "author", "date", "text", "signature"],
        labels: &[],
        sheets,
    }
}

/// UTF-8 since the forum moved; older threads are still served as they were saved, one without a
/// word about it.
fn charset(index: usize) -> Charset {
    match index + 1 {
        3 | 10 => Charset::honest("windows-1251", WINDOWS_1251),
        6 => Charset {
            declared: None,
            encoding: WINDOWS_1251,
        },
        8 | 13 => Charset::honest("koi8-r", KOI8_R),
        _ => PLAIN,
    }
}

fn sheet(stock: &Stock, index: usize) -> Sheet {
    let name = format!("{SITE}/{}", page_name(index));
    let mut pen = stock.pen(&name);
    let boards = stock.with("board");
    let board = boards[index % boards.len()];
    let which = index / boards.len();
    let replies = replies(stock, &mut pen, &board.texts_of(which));
    let (title, question) = pen.write_both(board.all("title")[which], board.all("open")[which]);
    let mut texts = vec![question];
    texts.extend(replies.into_iter().map(|text| pen.write_aside(text)));
    let item = Item::of([("title", &title), ("count", &texts.len().to_string())])
        .text("board", board.one("board"))
        .text("boardid", &(index % boards.len() + 1).to_string())
        .text("thread", &pen.dice.between(1000, 29_999).to_string())
        .text("session", &format!("{:016x}", pen.dice.between(0, 1 << 60)))
        .text("guests", &pen.dice.between(0, 19).to_string())
        .text("seconds", &format!("0.{:03}", pen.dice.between(18, 240)))
        .text("queries", &pen.dice.between(9, 31).to_string())
        .text("node", &pen.dice.between(1, 4).to_string())
        .list("posts", posts(stock, &mut pen, &texts))
        .list("similar", similar(stock, &mut pen, index % boards.len()))
        .list("online", online(stock, &mut pen));
    Sheet::print(
        &name,
        Some("thread"),
        include_str!("../layouts/forum-ru.html"),
        item,
        charset(index),
    )
}

/// At least four answers to the point, in their order, and others that are said in any thread.
fn replies<'a>(stock: &Stock<'a>, pen: &mut Pen, own: &[&'a str]) -> Vec<&'a str> {
    let any = stock.with("reply")[0].all("reply");
    let (count, others) = (pen.dice.between(4, own.len()), pen.dice.between(0, 4));
    let mut chosen: Vec<&str> = pen
        .dice
        .some(count, own.len())
        .into_iter()
        .map(|i| own[i])
        .collect();
    for i in pen.dice.some(others, any.len()) {
        chosen.insert(pen.dice.between(2, chosen.len()), any[i]);
    }
    chosen
}

fn posts(stock: &Stock, pen: &mut Pen, texts: &[String]) -> Vec<Item> {
    let people = pen.dice.shuffled(stock.list("nick").to_vec());
    let mut minute = pen.dice.between(0, 200_000);
    let mut posts: Vec<Item> = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        // The one who asked comes back.
        let author = if index > 2 && pen.dice.percent(20) {
            people[0]
        } else {
            people[index]
        };
        minute += pen.dice.between(4, 900);
        let post = person(stock, author)
            .text("id", &pen.dice.between(100_000, 999_999).to_string())
            .text("date", &date(stock, minute))
            .text("text", &broken(pen, text));
        let post = if index > 0 && pen.dice.percent(35) {
            quoting(pen, &posts, texts, post)
        } else {
            post
        };
        let edited = pen.write_aside("{n:1-28} {month} 2011, {n:10-23}:{n:10-59}");
        posts.push(post.maybe("edited", pen.dice.percent(15).then_some(edited.as_str())));
    }
    posts
}

/// What is shown of a person is the same on every page.
fn person(stock: &Stock, author: &str) -> Item {
    let mut dice = Dice::named(author);
    let signature = SIGNATURES
        .iter()
        .find(|(who, _)| *who == author)
        .map(|(_, what)| *what);
    Item::of([("author", author), ("from", dice.one(stock.list("city")))])
        .text("user", &dice.between(10, 4999).to_string())
        .text("total", &dice.between(3, 8000).to_string())
        .maybe("signature", signature)
}

/// Quotes the first sentence of an earlier post.
fn quoting(pen: &mut Pen, posts: &[Item], texts: &[String], post: Item) -> Item {
    let earlier = pen.dice.between(0, posts.len() - 1);
    let sentence = texts[earlier]
        .split_inclusive(['.', '!', '?'])
        .next()
        .unwrap_or_default();
    post.text("quote", sentence)
        .maybe("quoted", posts[earlier].get("author"))
}

/// Some people start a new line after their first sentence.
fn broken(pen: &mut Pen, text: &str) -> String {
    let text = crate::plain::escape(text);
    if pen.dice.percent(40) {
        text.replacen(". ", ".<br />", 1)
    } else {
        text
    }
}

fn date(stock: &Stock, minute: usize) -> String {
    let (day, minute) = (minute / 1440, minute % 1440);
    format!(
        "{} {} 2011, {:02}:{:02}",
        day % 28 + 1,
        stock.list("month")[day / 28 % 12],
        minute / 60,
        minute % 60
    )
}

/// Other threads; those of the page's own board are left out with the page's own.
fn similar(stock: &Stock, pen: &mut Pen, own: usize) -> Vec<Item> {
    let boards = stock.with("board");
    let titles = boards
        .iter()
        .enumerate()
        .filter(|&(board, _)| board != own)
        .flat_map(|(_, board)| board.all("title"));
    let titles: Vec<&str> = titles.collect();
    let count = pen.dice.between(2, 4);
    let chosen = pen.dice.some(count, titles.len());
    let thread = |i: usize| {
        let last = pen.write_aside("{nick}, {n:1-28} {month} 2011");
        Item::of([("title", &pen.write_aside(titles[i])), ("last", &last)])
            .text("id", &pen.dice.between(1000, 29_999).to_string())
            .text("answers", &pen.dice.between(0, 240).to_string())
    };
    chosen.into_iter().map(thread).collect()
}

fn online(stock: &Stock, pen: &mut Pen) -> Vec<Item> {
    let count = pen.dice.between(1, 4);
    let people = pen.dice.shuffled(stock.list("nick").to_vec());
    people
        .into_iter()
        .take(count)
        .map(|nick| person(stock, nick).text("name", nick))
        .collect()
}
