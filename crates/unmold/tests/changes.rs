//! What `changes` says of pages that changed in ways that are known.

use unmold::{
    Mold, Text,
    changes::{PageFate, SiteChanges, What},
};

const SMITHS: [&str; 11] = [
    "Old Hester",
    "Young Bram",
    "Widow Crane",
    "Sir Tobin",
    "Fair Edith",
    "Mad Osric",
    "Tall Wren",
    "Deaf Alwin",
    "Blind Mercer",
    "Sweet Agnes",
    "Stout Piers",
];
const TOWNS: [&str; 11] = [
    "Corran", "Dunlin", "Ostler", "Heron", "Fallow", "Aldous", "Inkle", "Marsh", "Thorn", "Skerry",
    "Wick",
];
const WOODS: [&str; 11] = [
    "oak",
    "ash",
    "elm",
    "pine",
    "birch",
    "beech wood",
    "cherry",
    "walnut",
    "maple",
    "hazel",
    "yew",
];

/// What a page of the shop says.
#[derive(Clone)]
struct Shop {
    frame: &'static str,
    price: String,
    offers: Vec<(String, u32)>,
    text: String,
    /// Whether the table stands below the text.
    is_turned: bool,
}

impl Shop {
    fn of(number: u32) -> Self {
        let offers = (1..6).map(|offer| (format!("Lid {number}-{offer}"), 3 * number + offer));
        Shop {
            frame: "<nav><a href=/>Home</a><a href=/new>New</a></nav>",
            price: format!("£{}.50", 40 + number),
            offers: offers.collect(),
            text: format!(
                "{} of {} has forged it since the winter of {}, when its handle of {} first stayed cool.",
                SMITHS[number as usize % SMITHS.len()],
                TOWNS[number as usize % TOWNS.len()],
                1900 + number,
                WOODS[number as usize % WOODS.len()],
            ),
            is_turned: false,
        }
    }

    fn page(&self, number: u32) -> Text {
        let offers: String = self
            .offers
            .iter()
            .map(|(name, price)| {
                format!("<li class=offer><a href='/{name}'>{name}</a> <b>£{price}.00</b></li>")
            })
            .collect();
        let table = format!(
            "<table class=spec><tr><th>Price:<td class=price>{}<tr><th>Code:<td>K-{number}00</table>",
            self.price
        );
        let text = format!("<div class=text><p>{}</p></div>", self.text);
        let main = if self.is_turned {
            text + &table
        } else {
            table + &text
        };
        let html = format!(
            "<html><body>{}<main><h1>Kettle {number}</h1>{main}<ul class=offers>{offers}</ul></main>\
             <footer>All rights reserved</footer>",
            self.frame
        );
        Text::from_string(format!("{number}.html"), html)
    }
}

fn site(edit: impl Fn(u32, &mut Shop)) -> Vec<Text> {
    let page = |number| {
        let mut shop = Shop::of(number);
        edit(number, &mut shop);
        shop.page(number)
    };
    (1..11).map(page).collect()
}

fn changes(edit: impl Fn(u32, &mut Shop)) -> SiteChanges {
    let old = site(|_, _| {});
    Mold::learn(&old).unwrap().changes(&old, &site(edit))
}

fn lines(changes: &SiteChanges) -> Vec<String> {
    changes.rows().map(|row| row.to_string()).collect()
}

#[test]
fn a_frame_that_changed_is_no_change() {
    let found = changes(|_, shop| {
        shop.frame = "<header><p>Spring sale: all lids half price until Sunday</p></header><nav><a href=/s>Shop</a></nav>";
    });
    assert!(
        found.is_empty() && found.unchanged == 10,
        "{:?}",
        lines(&found)
    );
}

#[test]
fn a_block_that_moved_is_no_change() {
    let found = changes(|_, shop| shop.is_turned = true);
    assert!(found.is_empty(), "{:?}", lines(&found));
}

#[test]
fn rows_in_another_order_are_no_change() {
    let found = changes(|_, shop| shop.offers.reverse());
    assert!(found.is_empty(), "{:?}", lines(&found));
}

#[test]
fn a_price_that_changed_is_said_with_its_difference() {
    let found = changes(|number, shop| {
        if number == 3 {
            shop.price = "£40.50".to_owned();
        }
    });
    let pages: Vec<&str> = found.pages.iter().map(|page| page.page.as_str()).collect();
    assert_eq!((pages, found.unchanged), (vec!["3.html"], 9));
    let field = &found.pages[0].fields[0];
    assert_eq!(
        (
            &field.old[0][..],
            &field.new[0][..],
            field.difference.unwrap().by
        ),
        ("£43.50", "£40.50", -3.0)
    );
}

#[test]
fn a_row_that_came_and_one_that_went_are_said() {
    let found = changes(|number, shop| {
        if number == 4 {
            shop.offers[1] = ("Copper ladle".to_owned(), 77);
        }
    });
    let rows: Vec<(String, String)> = found
        .rows()
        .filter(|row| row.what == What::Row)
        .map(|row| (row.old, row.new))
        .collect();
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert!(
        rows[0].0.is_empty() && rows[0].1.contains("Copper ladle"),
        "{rows:?}"
    );
    assert!(
        rows[1].0.contains("Lid 4-2") && rows[1].1.is_empty(),
        "{rows:?}"
    );
}

#[test]
fn a_sentence_that_changed_is_shown_word_by_word() {
    let found = changes(|number, shop| {
        if number == 5 {
            shop.text = shop.text.replace("beech wood", "cork");
        }
    });
    let lines = lines(&found);
    assert_eq!(found.pages.len(), 1, "{lines:?}");
    assert!(
        lines
            .iter()
            .any(|line| line.contains("[-beech wood-] [+cork+]")),
        "{lines:?}"
    );
}

#[test]
fn pages_come_and_go() {
    let old = site(|_, _| {});
    let mut new = site(|_, _| {});
    new.remove(0);
    new.push(Shop::of(11).page(11));
    let found = Mold::learn(&old).unwrap().changes(&old, &new);
    let fates: Vec<(&str, PageFate)> = found
        .pages
        .iter()
        .map(|page| (page.page.as_str(), page.change))
        .collect();
    assert_eq!(
        fates,
        [("11.html", PageFate::New), ("1.html", PageFate::Gone)]
    );
}

#[test]
fn two_copies_of_a_page_in_one_pile_are_compared() {
    let mut pile = site(|_, _| {});
    let mold = Mold::learn(&pile).unwrap();
    let mut later = Shop::of(2);
    later.price = "£99.50".to_owned();
    pile.push(later.page(2));
    let found = mold.changes_within(&pile);
    assert_eq!((found.pages.len(), found.unchanged), (1, 9));
    assert_eq!(found.pages[0].fields[0].new, ["£99.50"]);
}
