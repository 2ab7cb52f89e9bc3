//! `library-ar`: records of an Arabic library catalogue, right to left, with a label before every
//! value.

use crate::dice::Dice;
use crate::item::Item;
use crate::site::{Charset, PLAIN, Sheet, Site, page_name};
use crate::stock::{Block, Pen, Stock};
use encoding_rs::WINDOWS_1256;

const SITE: &str = "library-ar";
const FIELDS: &[&str] = &[
    "title",
    "author",
    "translator",
    "publisher",
    "year",
    "edition",
    "pages",
    "subject",
    "isbn",
    "class",
];
const LABELS: &[(&str, &str)] = &[
    ("author", "تأليف:"),
    ("translator", "ترجمة:"),
    ("publisher", "الناشر:"),
    ("year", "سنة النشر:"),
    ("edition", "الطبعة:"),
    ("pages", "عدد الصفحات:"),
    ("subject", "الموضوع:"),
    ("isbn", "ردمك:"),
    ("class", "رقم التصنيف:"),
];
const BRANCHES: [&str; 5] = [
    "الفرع الرئيسي",
    "فرع الميناء",
    "فرع الجامعة",
    "فرع الحي القديم",
    "المكتبة المتنقلة",
];

/// The site.
pub fn site() -> Site {
    let stock = Stock::read(include_str!("../texts/library-ar.txt"));
    let sheets = (0..stock.with("title").len())
        .map(|index| sheet(&stock, index))
        .collect();
    Site {
        name: SITE,
        language: "ar",
        fields: FIELDS,
        labels: LABELS,
        sheets,
    }
}

fn charset(index: usize) -> Charset {
    match index + 1 {
        9 | 16 => Charset::honest("windows-1256", WINDOWS_1256),
        _ => PLAIN,
    }
}

/// Every third page counts in Arabic-Indic digits; those of windows-1256 cannot.
fn digits(index: usize, number: usize) -> String {
    let western = number.to_string();
    if index % 3 != 1 {
        return western;
    }
    western
        .chars()
        .map(|digit| {
            char::from_u32(u32::from(digit) - u32::from('0') + 0x0660).expect("ten digits")
        })
        .collect()
}

/// What a list says of a book.
fn book(block: &Block) -> Item {
    let mut dice = Dice::named(block.one("title"));
    Item::of([
        ("title", block.one("title")),
        ("author", block.one("author")),
    ])
    .text("bib", &dice.between(10_000, 89_999).to_string())
    .text("loans", &dice.between(12, 140).to_string())
}

fn sheet(stock: &Stock, index: usize) -> Sheet {
    let name = format!("{SITE}/{}", page_name(index));
    let mut pen = stock.pen(&name);
    let block = stock.with("title")[index];
    let number = |pen: &mut Pen, low, high| pen.dice.between(low, high).to_string();
    let isbn = format!(
        "978-{}-{}-{}-{}",
        number(&mut pen, 603, 9957),
        number(&mut pen, 10, 99),
        number(&mut pen, 100, 999),
        number(&mut pen, 0, 9)
    );
    let edition = pen.dice.one(&[
        None,
        Some("الأولى"),
        Some("الثانية"),
        Some("الثالثة"),
        Some("الثانية مزيدة ومنقحة"),
    ]);
    let item = book(block)
        .text("subject", block.one("subject"))
        .text("subjectid", &number(&mut pen, 100, 999))
        .text("authorid", &number(&mut pen, 1000, 9999))
        .text("translatorid", &number(&mut pen, 1000, 9999))
        .text("branchid", &number(&mut pen, 1, 5))
        .text("height", &number(&mut pen, 180, 220))
        .text("tick", &number(&mut pen, 1_600_000_000, 1_700_000_000))
        .maybe("translator", block.maybe("translator"))
        .text("publisher", &pen.write("{publisher}"))
        .text("place", &pen.write("{place}"))
        .text("year", &digits(index, pen.dice.between(1978, 2023)))
        .maybe("edition", edition)
        .text("pages", &digits(index, pen.dice.between(96, 612)))
        .maybe("isbn", pen.dice.percent(75).then_some(isbn.as_str()))
        .text(
            "class",
            &format!("{}.{}", pen.dice.between(100, 989), pen.dice.between(1, 99)),
        )
        .list(
            "paragraphs",
            block
                .all("text")
                .into_iter()
                .map(|text| Item::of([("text", text)])),
        )
        .list("copies", copies(&mut pen))
        .list("near", others(stock, &mut pen, index, 4))
        .list("top", others(stock, &mut pen, index, 3));
    let item = if pen.dice.percent(65) {
        item.list("notes", notes(stock, &mut pen))
    } else {
        item
    };
    Sheet::print(
        &name,
        Some("record"),
        include_str!("../layouts/library-ar.html"),
        item,
        charset(index),
    )
}

fn copies(pen: &mut Pen) -> Vec<Item> {
    let count = pen.dice.between(1, 4);
    let branches = pen.dice.shuffled(BRANCHES.to_vec());
    let copy = |branch: &str| {
        let lent = pen.dice.percent(40);
        let due = format!(
            "2024/{:02}/{:02}",
            pen.dice.between(1, 12),
            pen.dice.between(1, 28)
        );
        Item::of([
            ("branch", branch),
            ("state", if lent { "معار" } else { "متاح" }),
            ("due", if lent { &due } else { "-" }),
        ])
        .text(
            "shelf",
            &format!(
                "{} {}",
                pen.dice.one(&["أ", "ب", "ج", "د"]),
                pen.dice.between(1, 60)
            ),
        )
    };
    branches.into_iter().take(count).map(copy).collect()
}

fn notes(stock: &Stock, pen: &mut Pen) -> Vec<Item> {
    let pool = stock.with("note")[0].all("note");
    let count = pen.dice.between(1, 2);
    let chosen = pen.dice.some(count, pool.len());
    chosen
        .into_iter()
        .map(|i| {
            Item::of([
                ("who", &pen.write("{reader}")),
                ("said", &pen.write_aside(pool[i])),
            ])
        })
        .collect()
}

fn others(stock: &Stock, pen: &mut Pen, index: usize, most: usize) -> Vec<Item> {
    let books = stock.with("title");
    let count = pen.dice.between(most - 2, most);
    let others = pen
        .dice
        .shuffled((0..books.len()).filter(|&other| other != index).collect());
    others
        .into_iter()
        .take(count)
        .map(|other| book(books[other]))
        .collect()
}
