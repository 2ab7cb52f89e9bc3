//! `search-zh`: Chinese result lists. Twelve pages of results, one block each; six pages of shops,
//! two table rows each.

use crate::item::Item;
use crate::site::{Charset, PLAIN, Sheet, Site, page_name};
use crate::stock::{Block, Pen, Stock};
use encoding_rs::{GB18030, GBK};

const SITE: &str = "search-zh";
const LISTS: usize = 12;

/// The site.
pub fn site() -> Site {
    let stock = Stock::read(include_str!("../texts/search-zh.txt"));
    let mut sheets: Vec<Sheet> = (0..18).map(|index| sheet(&stock, index)).collect();
    sheets[8].bom = true;
    Site {
        name: SITE,
        language: "zh",
        fields: &[
            "title", "price", "area", "date", "snippet", "phone", "address",
        ],
        labels: &[("address", "地址："), ("price", "¥")],
        sheets,
    }
}

fn charset(index: usize) -> Charset {
    match index + 1 {
        4 => Charset::honest("gb2312", GBK),
        15 => Charset::honest("gb18030", GB18030),
        _ => PLAIN,
    }
}

fn sheet(stock: &Stock, index: usize) -> Sheet {
    let name = format!("{SITE}/{}", page_name(index));
    let mut pen = stock.pen(&name);
    let pageno = pen.dice.between(1, 6);
    let total = pen.dice.between(70, 2400);
    let item = Item::of([
        ("pageno", &pageno.to_string()),
        ("next", &(pageno + 1).to_string()),
        ("total", &total.to_string()),
    ])
    .maybe(
        "previous",
        (pageno > 1).then_some((pageno - 1).to_string()).as_deref(),
    )
    .text("pages", &total.div_ceil(10).to_string())
    .text("bucket", pen.dice.one(&["a", "b", "c"]))
    .text(
        "trace",
        &format!("{:012x}", pen.dice.between(0, 0xffff_ffff_ffff)),
    )
    .list("hot", hot(stock, &mut pen));
    let (group, layout, item) = if index < LISTS {
        let also: Vec<String> = (0..5).map(|_| pen.write_aside("{area}{hot}")).collect();
        let item = item
            .text("query", &pen.write("{area} {query}"))
            .names("also", also);
        (
            "list",
            include_str!("../layouts/search-zh-list.html"),
            item.list("results", goods(stock, &mut pen)),
        )
    } else {
        let item = item.text("query", &pen.write("{area}{road}"));
        (
            "table",
            include_str!("../layouts/search-zh-table.html"),
            item.list("results", shops(stock, &mut pen)),
        )
    };
    Sheet::print(&name, Some(group), layout, item, charset(index))
}

/// The hottest searches, other ones on every page.
fn hot(stock: &Stock, pen: &mut Pen) -> Vec<Item> {
    let names = pen.dice.shuffled(stock.list("hot").to_vec());
    let hot = |(index, name): (usize, &&str)| {
        Item::of([("rank", (index + 1).to_string().as_str()), ("name", name)])
            .text(
                "heat",
                &format!("{}", 90_000 / (index + 1) + pen.dice.between(100, 3000)),
            )
            .maybe("top", (index < 3).then_some(""))
    };
    names.iter().take(8).enumerate().map(hot).collect()
}

/// Second-hand goods; price and snippet are missing now and then.
fn goods(stock: &Stock, pen: &mut Pen) -> Vec<Item> {
    let kinds = stock.with("goods");
    let count = pen.dice.between(8, 12);
    let result = |pos: usize| {
        let kind = pen.dice.one(&kinds);
        let item = entry(pen, kind, 85)
            .text("pos", &(pos + 1).to_string())
            .text("area", &pen.write_aside("{area}·{metro}"));
        let price = format!("{}", pen.dice.between(3, 390) * 10 - pen.dice.between(0, 2));
        let seen = pen.dice.between(11, 900).to_string();
        let item = item.maybe("price", pen.dice.percent(80).then_some(price.as_str()));
        item.maybe("seen", pen.dice.percent(60).then_some(seen.as_str()))
            .text("date", &date(pen))
    };
    (0..count).map(result).collect()
}

/// Shops; telephone, date and snippet are missing now and then.
fn shops(stock: &Stock, pen: &mut Pen) -> Vec<Item> {
    let kinds = stock.with("shop");
    let count = pen.dice.between(8, 12);
    let result = |pos: usize| {
        let kind = pen.dice.one(&kinds);
        let day = date(pen);
        let phone = format!(
            "0{}-{}",
            pen.dice.between(410, 899),
            pen.dice.between(2_200_000, 8_899_999)
        );
        entry(pen, kind, 80)
            .text("address", &pen.write_aside("{area}{road}{n:2-260}号"))
            .text(
                "distance",
                &(pos * 90 + pen.dice.between(20, 100)).to_string(),
            )
            .maybe("phone", pen.dice.percent(75).then_some(phone.as_str()))
            .maybe("date", pen.dice.percent(65).then_some(day.as_str()))
    };
    (0..count).map(result).collect()
}

/// What every result has: an id, a title, and mostly a snippet of one or two sentences.
fn entry(pen: &mut Pen, kind: &Block, snippets: usize) -> Item {
    let titles = kind.all("title");
    let pool = kind.all("text");
    let count = pen.dice.between(1, 2);
    let chosen = pen.dice.some(count, pool.len());
    let snippet: String = chosen
        .into_iter()
        .map(|i| pen.write_aside(pool[i]))
        .collect();
    let title = pen.dice.one(&titles);
    Item::of([("title", pen.write_aside(title).as_str())])
        .text("id", &pen.dice.between(10_000_000, 99_999_999).to_string())
        .maybe(
            "snippet",
            pen.dice.percent(snippets).then_some(snippet.as_str()),
        )
}

fn date(pen: &mut Pen) -> String {
    format!(
        "2023-{:02}-{:02}",
        pen.dice.between(1, 12),
        pen.dice.between(1, 28)
    )
}
