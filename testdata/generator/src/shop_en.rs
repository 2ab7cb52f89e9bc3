//! `shop-en`: an English shop with three templates: products, two shelves of them, and a page about
//! the shop that is like no other.

use crate::dice::Dice;
use crate::item::Item;
use crate::site::{PLAIN, Sheet, Site, page_name};
use crate::stock::{Block, Pen, Stock};

const SITE: &str = "shop-en";
const FIELDS: &[&str] = &[
    "name",
    "brand",
    "price",
    "sku",
    "rating",
    "availability",
    "weight",
    "material",
    "warranty",
    "colour",
];
const LABELS: &[(&str, &str)] = &[
    ("sku", "Item no.:"),
    ("weight", "Weight:"),
    ("material", "Material:"),
    ("warranty", "Warranty:"),
    ("colour", "Colours:"),
];

/// The site.
pub fn site() -> Site {
    let stock = Stock::read(include_str!("../texts/shop-en.txt"));
    let goods: Vec<Item> = stock.with("name").into_iter().map(product).collect();
    let mut sheets: Vec<Sheet> = (0..goods.len())
        .map(|index| detail(&stock, &goods, index))
        .collect();
    sheets.push(shelf(
        &stock,
        &goods,
        18,
        "For the house",
        "Things that are picked up every day and so had better be good.",
    ));
    sheets.push(shelf(
        &stock,
        &goods,
        19,
        "For out of doors",
        "Made for rain, mud, and the long way home.",
    ));
    sheets.push(about(&stock));
    Site {
        name: SITE,
        language: "en",
        fields: FIELDS,
        labels: LABELS,
        sheets,
    }
}

/// What is true of a product wherever it is shown.
fn product(block: &Block) -> Item {
    let name = block.one("name");
    let mut dice = Dice::named(name);
    let (availability, schema) = match dice.between(1, 10) {
        1..=6 => ("In stock", "InStock"),
        7..=8 => ("Sold out", "OutOfStock"),
        _ => ("Available to order", "BackOrder"),
    };
    let amount = block.one("price");
    let was = dice
        .percent(25)
        .then(|| format!("£{:.2}", amount.parse::<f64>().expect("a price") * 1.25));
    Item::of([
        ("name", name),
        ("amount", amount),
        ("availability", availability),
        ("schema", schema),
    ])
    .text("slug", &slug(name))
    .text("brand", block.one("brand"))
    .text("brandslug", &slug(block.one("brand")))
    .text("price", &format!("£{amount}"))
    .maybe("was", was.as_deref())
    .text(
        "sku",
        &format!("HP-{}-{}", dice.between(1000, 9999), dice.between(10, 99)),
    )
    .text("shelf", block.one("shelf"))
    .text("shelfslug", &slug(block.one("shelf")))
    .text("blurb", block.one("blurb"))
    .text("weight", block.one("weight"))
    .maybe("material", block.maybe("material"))
}

fn slug(name: &str) -> String {
    let words = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}

fn detail(stock: &Stock, goods: &[Item], index: usize) -> Sheet {
    let name = format!("{SITE}/{}", page_name(index));
    let mut pen = stock.pen(&name);
    let block = stock.with("name")[index];
    let warranty = pen.dice.one(&[
        None,
        Some("2 years"),
        Some("5 years"),
        Some("10 years"),
        Some("Lifetime"),
    ]);
    let votes = pen.dice.between(3, 412);
    let rating = format!("{}.{}", pen.dice.between(3, 4), pen.dice.between(0, 9));
    let item = session(&mut pen, goods[index].clone())
        .maybe("warranty", warranty)
        .maybe("rating", pen.dice.percent(85).then_some(rating.as_str()))
        .text("votes", &votes.to_string())
        .text(
            "stamp",
            &format!(
                "{:02}:{:02}:{:02}",
                pen.dice.between(0, 23),
                pen.dice.between(0, 59),
                pen.dice.between(0, 59)
            ),
        )
        .names(
            "thumbs",
            (1..=pen.dice.between(2, 5)).map(|n| n.to_string()),
        )
        .list(
            "paragraphs",
            block
                .all("text")
                .into_iter()
                .map(|text| Item::of([("text", text)])),
        )
        .list("reviews", reviews(stock, &mut pen))
        .list("related", related(&mut pen, goods, index));
    let item = match block.maybe("colours") {
        Some(colours) => item.list(
            "colours",
            colours
                .split(" | ")
                .map(|colour| Item::of([("colour", colour)])),
        ),
        None => item,
    };
    Sheet::print(
        &name,
        Some("product"),
        include_str!("../layouts/shop-en-product.html"),
        item,
        PLAIN,
    )
}

/// What changes with every request.
fn session(pen: &mut Pen, item: Item) -> Item {
    item.text("build", "20240311")
        .text(
            "session",
            &format!("{:08x}", pen.dice.between(0, 0xffff_ffff)),
        )
        .text("basket", &pen.dice.between(0, 3).to_string())
}

fn reviews(stock: &Stock, pen: &mut Pen) -> Vec<Item> {
    let block = stock.with("review")[0];
    let pool = block.all("review");
    let count = pen.dice.between(0, 4);
    let chosen = pen.dice.some(count, pool.len());
    let review = |i: usize| {
        Item::of([
            ("said", &pen.write_aside(pool[i])),
            ("who", &pen.write_aside("{reader}")),
        ])
        .text(
            "when",
            &format!(
                "{:02}/{:02}/2023",
                pen.dice.between(1, 28),
                pen.dice.between(1, 12)
            ),
        )
    };
    chosen.into_iter().map(review).collect()
}

fn related(pen: &mut Pen, goods: &[Item], index: usize) -> Vec<Item> {
    let count = pen.dice.between(3, 4);
    let others = pen
        .dice
        .shuffled((0..goods.len()).filter(|&other| other != index).collect());
    others
        .into_iter()
        .take(count)
        .map(|other| goods[other].clone())
        .collect()
}

fn shelf(stock: &Stock, goods: &[Item], index: usize, title: &str, intro: &str) -> Sheet {
    let name = format!("{SITE}/{}", page_name(index));
    let mut pen = stock.pen(&name);
    let outside = |item: &&Item| matches!(item.get("shelf"), Some("Garden" | "Outdoors" | "Study"));
    let cards: Vec<Item> = goods
        .iter()
        .filter(|item| outside(item) == (index == 19))
        .cloned()
        .collect();
    let mut brands: Vec<&str> = cards.iter().filter_map(|card| card.get("brand")).collect();
    brands.sort_unstable();
    brands.dedup();
    let item = session(&mut pen, Item::of([("shelf", title), ("intro", intro)]))
        .text("found", &cards.len().to_string())
        .names("facets", &brands)
        .list("cards", cards);
    Sheet::print(
        &name,
        Some("category"),
        include_str!("../layouts/shop-en-category.html"),
        item,
        PLAIN,
    )
}

/// Nothing of this page stands on another, so its text is all content.
fn about(stock: &Stock) -> Sheet {
    let block = stock.with("about")[0];
    let years = block
        .all("year")
        .into_iter()
        .filter_map(|year| year.split_once(" | "));
    let item = Item::of([
        ("title", "The story of the loft"),
        ("history", "How it went"),
        ("people", "Who you will meet"),
    ])
    .text("questions", "Things we are often asked")
    .text("where", "Find your way")
    .names("paragraphs", block.all("about"))
    .list(
        "years",
        years.map(|(year, text)| Item::of([("name", year), ("text", text)])),
    )
    .names("crew", block.all("crew"))
    .names("asked", block.all("asked"))
    .names("way", block.all("way"));
    Sheet::print(
        "shop-en/about",
        None,
        include_str!("../layouts/shop-en-about.html"),
        item,
        PLAIN,
    )
}
