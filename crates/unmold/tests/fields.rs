//! Fields: what a person would expect of them, hostile pages, sites that change, and how good the
//! answers are.

use proptest::prelude::*;
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
};
use unmold::{
    Learner, Mold, Page, Text, fields,
    lists::{Field, Record, Regions},
    mold::{FieldChoice, Group, Provenance},
    reader::{Doubt, FoundField},
    report::rows,
};
use unmold_invariants::labelled_pages;

fn pages(html: impl IntoIterator<Item = String>) -> Vec<Text> {
    html.into_iter()
        .enumerate()
        .map(|(at, html)| Text::from_string(format!("{at}"), html))
        .collect()
}

/// A mold with one group, learned from pages that share a template.
fn mold(texts: &[Text]) -> Mold {
    let learned = fields::learn(texts);
    let mut group = Group::new("all", texts.len());
    (group.fields, group.landmarks) = (learned.fields, learned.landmarks);
    Mold::new(Provenance::of("fields", texts), Vec::new(), vec![group])
}

/// The values of a page by field.
fn values(mold: &Mold, text: &Text) -> BTreeMap<String, Vec<String>> {
    let reader = mold.reader();
    let found = reader.read(text).unwrap();
    let texts = |field: &FoundField<'_>| {
        field
            .values()
            .map(|value| value.text().to_owned())
            .collect()
    };
    found
        .fields()
        .map(|field| (field.name().to_owned(), texts(&field)))
        .collect()
}

const FUELS: [&str; 3] = ["Petrol", "Diesel", "Electric"];

/// A car with a table of its properties; every third has no engine row.
fn car(number: usize) -> String {
    let engine = if number.is_multiple_of(3) {
        String::new()
    } else {
        format!("<tr><th>Engine:<td>{number}.0")
    };
    let fuel = FUELS[number % 3];
    format!(
        "<body><ul><li><a href=/>Home</a><li><a href=/cars>Cars</a></ul><h1>Car number {number}</h1>
         <table class=spec>{engine}<tr><th>Fuel:<td>{fuel}<tr><th>Doors:<td>{}</table>
         <p>Price: ${}.99</p><div class=foot>All rights reserved</div></body>",
        number % 2 + 3,
        number * 997,
    )
}

#[test]
fn absent_fields_are_absent_and_shift_no_other() {
    let texts = pages((1..=12).map(car));
    let mold = mold(&texts);
    for (text, number) in texts.iter().zip(1..) {
        let values = values(&mold, text);
        let engine = if number % 3 == 0 {
            vec![]
        } else {
            vec![format!("{number}.0")]
        };
        assert_eq!(values["Engine"], engine, "page {number}");
        assert_eq!(values["Fuel"], [FUELS[number % 3]], "page {number}");
        assert_eq!(
            values["Doors"],
            [format!("{}", number % 2 + 3)],
            "page {number}"
        );
    }
}

#[test]
fn a_label_inside_the_text_is_cut_off_and_names_the_field() {
    let texts = pages((1..=12).map(car));
    let mold = mold(&texts);
    let values = values(&mold, &texts[0]);
    assert_eq!(values["Price"], ["$997.99"]);
    assert!(!values.contains_key("Price_text"));
    let price = mold.groups[0]
        .fields
        .iter()
        .find(|field| field.name == "Price")
        .unwrap();
    assert_eq!(
        (price.label.as_str(), price.kind),
        ("Price:", fields::Type::Money)
    );
}

#[test]
fn a_text_with_its_label_is_a_column_if_it_is_asked_for() {
    let texts = pages((1..=12).map(car));
    let learner = Learner::default().with_labels(true);
    let found = values(&learner.learn(&texts).unwrap(), &texts[0]);
    assert_eq!(found["Price"], ["$997.99"]);
    assert_eq!(found["Price_text"], ["Price: $997.99"]);
    let without = Learner::default().learn(&texts).unwrap();
    assert!(!values(&without, &texts[0]).contains_key("Price_text"));
}

#[test]
fn two_pages_are_enough() {
    let texts = pages([1, 2].map(car));
    assert_eq!(values(&mold(&texts), &texts[1])["Fuel"], ["Electric"]);
}

#[test]
fn one_page_teaches_what_it_lists() {
    let item = |n: u32| {
        format!(
            "<li class=offer><b>Offer {n}</b> <i>{} EUR</i> in good order",
            7 * n
        )
    };
    let list = format!(
        "<h1>Offers</h1><ul>{}</ul>",
        (1..=6).map(item).collect::<String>()
    );
    let texts = pages([list]);
    let mold = Mold::learn(&texts).unwrap();
    assert!(mold.groups[0].fields.is_empty());
    let reader = mold.reader();
    let found = reader.read(&texts[0]).unwrap();
    assert_eq!(found.lists().next().unwrap().list.records.len(), 6);
    let error = Mold::learn(&pages(["<h1>Nothing</h1>".to_owned()])).unwrap_err();
    assert!(error.to_string().contains("one page alone"));
}

#[test]
fn equal_pages_have_no_fields() {
    assert!(fields::learn(&pages([1, 1, 1].map(car))).fields.is_empty());
}

#[test]
fn a_mold_survives_what_sites_do() {
    let texts = pages((1..=12).map(car));
    let mold = mold(&texts);
    let changes: [fn(String) -> String; 5] = [
        |page| page.replace("<body>", "<body><div><p>We use <a>cookies</a></p></div>"),
        |page| {
            page.replace("class=spec", "class=x81")
                .replace("class=foot", "class=x82")
        },
        |page| {
            page.replace("<body>", "<body><div>")
                .replace("</body>", "</div></body>")
        },
        |page| {
            page.replace("<table class=spec>", "<table class=spec><tr><th>New<td>row")
                .replace("<ul>", "<ul><li>New")
        },
        |page| page.replace("Engine:", "Engine").replace("Fuel:", "Fuel"),
    ];
    for (at, change) in changes.into_iter().enumerate() {
        let text = Text::from_string("changed", change(car(7)));
        let values = values(&mold, &text);
        assert_eq!(values["Engine"], ["7.0"], "change {at}");
        assert_eq!(values["Fuel"], ["Diesel"], "change {at}");
        assert_eq!(values["Car_number"], ["7"], "change {at}");
    }
}

#[test]
fn what_is_learned_does_not_depend_on_threads() {
    let texts = pages((1..=12).map(car));
    let with = |threads| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap()
            .install(|| mold(&texts).to_json())
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn a_mold_is_the_same_after_it_was_written_and_read() {
    let texts = pages((1..=12).map(car));
    let learned = mold(&texts);
    let read = Mold::from_json(&learned.to_json()).unwrap();
    assert_eq!(read, learned);
    for text in &texts {
        assert_eq!(values(&read, text), values(&learned, text));
    }
}

#[test]
fn names_are_different_and_fit_into_a_header() {
    let texts = pages((1..=12).map(car));
    let mold = mold(&texts);
    let names: HashSet<&str> = mold.groups[0]
        .fields
        .iter()
        .map(|field| field.name.as_str())
        .collect();
    assert_eq!(names.len(), mold.groups[0].fields.len());
    assert!(
        names.iter().all(|name| name
            .chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_')),
        "{names:?}"
    );
}

#[test]
fn a_page_of_another_kind_fits_no_group() {
    let mold = mold(&pages((1..=12).map(car)));
    let other = Text::from_string(
        "other",
        "<p>Nothing of this is a car.</p><blockquote>Nothing</blockquote>",
    );
    assert_eq!(mold.reader().read(&other).unwrap().group(), None);
}

#[test]
fn hostile_pages_cost_little() {
    let deep = "<div class=a>".repeat(30_000) + "x";
    let wide: String = (0..30_000)
        .map(|at| format!("<t{at} id={at}>{at}"))
        .collect();
    let flat = "<b>Label:</b> value ".repeat(30_000);
    for page in [deep, wide, flat] {
        let texts = pages([page.clone(), page + "<p>other"]);
        let mold = mold(&texts);
        values(&mold, &texts[0]);
    }
}

const GENRES: [&str; 4] = ["Crime", "Drama", "Comedy", "Western"];

/// A film with some of few genres, so that most pages list what another page lists too.
fn film(number: usize) -> String {
    let genres: Vec<String> = (0..=number % 3)
        .map(|at| GENRES[(number / 2 + at) % 4])
        .map(|genre| format!("<a href=/g>{genre}</a>"))
        .collect();
    format!(
        "<h1>Film {}</h1><table><tr><td>Genres:<td>{}<tr><td>Length:<td>{} min</table>
         <p>Aldous Films {}, {}</p><dl><dt>Rated<dd>{}<dt>Seen<dd>{}</dl>",
        number * 7919 % 1000,
        genres.join(", "),
        90 + number % 13,
        number % 5,
        ["Bristol", "Leeds", "York"][number % 3],
        ["PG-13", "R"][number % 2],
        number * 31,
    )
}

#[test]
fn values_that_recur_are_a_list_behind_their_label() {
    let texts = pages((0..16).map(film));
    let mold = mold(&texts);
    for (number, text) in texts.iter().enumerate() {
        let genres: Vec<&str> = (0..=number % 3)
            .map(|at| GENRES[(number / 2 + at) % 4])
            .collect();
        assert_eq!(values(&mold, text)["Genres"], genres, "page {number}");
    }
}

#[test]
fn two_values_in_one_text_are_columns_too() {
    let texts = pages((0..16).map(film));
    let values = values(&mold(&texts), &texts[4]);
    assert!(
        values.values().any(|value| *value == ["Leeds"]),
        "{values:?}"
    );
    assert!(
        values
            .values()
            .any(|value| *value == ["Aldous Films 4, Leeds"]),
        "{values:?}"
    );
}

#[test]
fn headers_name_fields_without_a_colon() {
    let texts = pages((0..16).map(film));
    let values = values(&mold(&texts), &texts[4]);
    assert_eq!(
        (&values["Rated"], &values["Seen"]),
        (&vec!["PG-13".to_owned()], &vec!["124".to_owned()])
    );
}

#[test]
fn one_value_in_two_markups_is_one_field() {
    let person = |number: usize| {
        let (first, last) = (
            ["Ada", "Bo", "Cleo", "Dan"][number % 4],
            ["Marsh", "Reed", "Stone"][number % 3],
        );
        format!("{first} {last}")
    };
    let director = |number: usize| {
        let name = person(number);
        if number.is_multiple_of(2) {
            format!("<a href=/p{number}>{name}</a>")
        } else {
            name
        }
    };
    let page = |number: usize| {
        let director = director(number);
        format!(
            "<h1>Film {number}</h1><table><tr><td>Director:<td>{director}<tr><td>Year:<td>{}</table>",
            1950 + number
        )
    };
    let texts = pages((1..=12).map(page));
    let mold = mold(&texts);
    for (text, number) in texts.iter().zip(1..) {
        assert_eq!(
            values(&mold, text)["Director"],
            [person(number)],
            "page {number}"
        );
    }
}

/// Whether a page names a field's value on each of some pages, under whatever name.
fn is_a_column(texts: &[Text], value: impl Fn(usize) -> Vec<String>) -> bool {
    let mold = with_all_fields(texts);
    let found: Vec<_> = texts.iter().map(|text| values(&mold, text)).collect();
    found[0].keys().any(|name| {
        (0..)
            .zip(&found)
            .all(|(number, found)| found[name] == value(number))
    })
}

#[test]
fn a_heading_behind_links_that_some_pages_have_is_one_field() {
    let title = |number: usize| format!("Book {}", 7 * number);
    let link = |number: usize| match number % 3 {
        0 => "",
        1 => "<p><a class=more href=/toc>Table of Contents</a>",
        _ => "<p><a class=more href=/excerpt>Read an Excerpt</a>",
    };
    let page = |number: usize| {
        format!(
            "<ul><li>Print This Page</ul>{}<h1>{}</h1><p>In stock<p>All rights reserved",
            link(number),
            title(number)
        )
    };
    assert!(is_a_column(&pages((0..24).map(page)), |number| vec![
        title(number)
    ]));
}

/// The kinds of a restaurant's kitchen behind a link that some have.
fn restaurant(number: usize, has_menu: bool) -> String {
    let menu = if has_menu {
        "<p><b><a href=/menu>View the menu</a></b></p>"
    } else {
        ""
    };
    format!(
        "<h1>Place {}</h1><div id=about>{menu}<p><b><a href=/k>{}</a></b><br><i>Under ${number}</i></p></div><p>All rights reserved",
        7 * number,
        kitchen(number)
    )
}

fn kitchen(number: usize) -> String {
    ["Thai", "Pizza", "Indian", "Greek", "Diner"][number * number % 7 % 5].to_owned()
}

#[test]
fn what_a_template_puts_before_a_value_on_some_pages_is_no_value() {
    let texts = pages((0..24).map(|number| restaurant(number, number % 3 == 1)));
    assert!(is_a_column(&texts, |number| vec![kitchen(number)]));
    let mold = with_all_fields(&texts);
    let field = mold.groups[0]
        .fields
        .iter()
        .find(|field| !field.asides.is_empty())
        .unwrap();
    assert_eq!(field.asides, ["View the menu"]);
}

#[test]
fn the_first_of_a_row_of_links_is_a_value() {
    let page = |number: usize| {
        let second = if number % 3 == 1 {
            ""
        } else {
            ", <a href=/g>Drama</a>"
        };
        let first = if number % 3 == 1 { "Drama" } else { "Action" };
        format!(
            "<h1>Film {number}</h1><p class=g><a href=/g>{first}</a>{second}</p><p>Year: {}</p>",
            1950 + number
        )
    };
    let mold = with_all_fields(&pages((0..24).map(page)));
    assert!(
        mold.groups[0]
            .fields
            .iter()
            .all(|field| field.asides.is_empty())
    );
}

/// The wanted columns that say some text on a page.
fn wanted_with(texts: &[Text], page: usize, part: &str) -> Vec<Vec<String>> {
    let learned = fields::learn(texts);
    let names: Vec<&str> = learned.fields[..learned.wanted]
        .iter()
        .map(|field| field.name.as_str())
        .collect();
    let found = values(&mold(texts), &texts[page]).into_iter();
    let wanted = found.filter(|(name, values)| {
        names.contains(&&**name) && values.iter().any(|v| v.contains(part))
    });
    wanted.map(|(_, values)| values).collect()
}

#[test]
fn of_a_list_and_its_first_value_one_is_wanted() {
    let page = |number: usize| {
        let second = if number % 3 == 1 {
            format!(", <a href=/a>Bea {number}</a>")
        } else {
            String::new()
        };
        format!(
            "<h1>Book {number}</h1><em class=by><a href=/a>Al {number}</a>{second}</em><p>Year: {}</p>",
            1950 + number
        )
    };
    assert_eq!(wanted_with(&pages((0..24).map(page)), 4, "Al 4").len(), 1);
}

#[test]
fn a_number_that_is_said_again_with_words_around_it_is_no_second_column() {
    let page = |number: usize| {
        let votes = 1 + number * 7 % 11;
        format!(
            "<h1>Book {number}</h1><span class=s>({votes} ratings)</span><table><tr><th>Ratings:<td>{votes}</table>"
        )
    };
    assert_eq!(wanted_with(&pages((0..24).map(page)), 1, "8").len(), 1);
}

/// A restaurant with a list of facts, of which some pages lack the price; one of them has another
/// fact in its place.
fn diner(number: usize) -> String {
    let price = match number {
        7 => String::new(),
        _ => format!("<dt>Price</dt><dd>${}-${}</dd>", number, number + 20),
    };
    format!(
        "<h1>Place {number}</h1><h2>Details</h2><dl class=facts>{price}<dt>Parking</dt><dd>{}</dd></dl><p>Rights reserved",
        ["Yes", "No", "Street"][number % 3]
    )
}

#[test]
fn another_label_in_its_place_means_that_a_field_is_absent() {
    let texts = pages((1..=16).map(diner));
    let found = values(&mold(&texts), &texts[6]);
    assert_eq!(
        (&found["Price"], &found["Parking"]),
        (&vec![], &vec!["No".to_owned()])
    );
}

#[test]
fn another_form_of_its_label_is_no_other_label() {
    let page = |number: usize| {
        let (label, more) = if number % 5 == 2 {
            ("Directors:", " and Ann")
        } else {
            ("Director:", "")
        };
        format!(
            "<h1>Film {number}</h1><div><b>{label}</b> <span>Lee {number}{more}</span></div><div><b>Year:</b> <span>{}</span></div>",
            1950 + number
        )
    };
    let texts = pages((0..20).map(page));
    let mold = mold(&texts);
    let found = |page: usize| {
        values(&mold, &texts[page])
            .into_values()
            .flatten()
            .collect::<Vec<_>>()
    };
    assert!(found(2).contains(&"Lee 2 and Ann".to_owned()));
    assert!(found(3).contains(&"Lee 3".to_owned()));
}

#[test]
fn what_is_named_for_machines_is_not_cut() {
    let page = |number: usize| {
        format!(
            "<h1 itemprop=name>Lamp Oslo{number}</h1><p>Temperature: -{number} °C</p><p>Price: <b>{number}1</b></p>"
        )
    };
    let texts = pages((1..=9).map(page));
    let found = values(&mold(&texts), &texts[2]);
    assert_eq!(found["name"], ["Lamp Oslo3"]);
    assert_eq!(found["Temperature"], ["-3 °C"]);
}

#[test]
fn brackets_without_partners_are_no_part_of_a_value() {
    let page = |number: usize| {
        format!(
            "<h1>Book {number}</h1><ul><li><b>Weight:</b> 1{number} ounces (<a href=/w>View rates</a>)</ul>"
        )
    };
    let texts = pages((1..=9).map(page));
    assert_eq!(values(&mold(&texts), &texts[0])["Weight"], ["11 ounces"]);
}

/// A job whose company is a link, or not.
fn job(number: usize, is_link: bool) -> String {
    let company = format!("Firm{}", 3 * number);
    let company = if is_link {
        format!("<a href=/c{number}>{company}</a>")
    } else {
        company
    };
    format!(
        "<h1>Job {number}</h1><p><b>Contact information:</b><br>{company}<br><i>Town {}</i></p><p>All rights reserved",
        5 * number
    )
}

#[test]
fn a_label_that_always_had_its_value_behind_it_finds_it_in_any_element() {
    let mold = mold(&pages((1..=12).map(|number| job(number, true))));
    let name = "Contact_information";
    let plain = &pages([job(20, false)])[0];
    assert_eq!(values(&mold, plain)[name], ["Firm60"]);
    let reader = mold.reader();
    let found = reader.read(plain).unwrap();
    let doubt = found
        .fields()
        .find(|field| field.name() == name)
        .unwrap()
        .doubt();
    assert_eq!(doubt, Some(Doubt::FewAgree));
    let without = Text::from_string(
        "none",
        "<h1>Job 21</h1><p><b>Company:</b><br>Firm 63<br><i>Town</i></p>",
    );
    assert_eq!(values(&mold, &without)[name], [""; 0]);
}

#[test]
fn a_list_with_another_number_of_values_than_all_others_is_in_doubt() {
    let page = |number: usize, more: &str| {
        let lines = [
            format!("Town {number}"),
            format!("{}", 10_000 + 37 * number),
            format!("Country {}", number % 5),
        ];
        let lines: String = lines
            .iter()
            .map(|line| format!("<a class=line href=/x>{line}</a>, "))
            .collect();
        format!(
            "<h1>Hotel {number}</h1><div class=address>{more}{lines}</div><p>Price: ${number}</p>"
        )
    };
    let plaza = "<a class=line href=/x>The Plaza</a>, ";
    let texts = pages((1..=20).map(|number| page(number, if number == 20 { plaza } else { "" })));
    let mold = with_all_fields(&texts);
    let reader = mold.reader();
    let doubt = |text: &Text| {
        let found = reader.read(text).unwrap();
        let address = found
            .fields()
            .find(|field| field.rule().many && field.values().len() > 2)
            .unwrap();
        address.doubt()
    };
    assert_eq!(
        (doubt(&texts[0]), doubt(&texts[19])),
        (None, Some(Doubt::OtherCount))
    );
}

#[test]
fn a_column_of_a_table_is_a_list_though_its_cells_have_no_class_of_their_own() {
    let shops = |number: usize| 2 + number % 3;
    let phone =
        |number: usize, shop: usize| format!("0{}-{}", 300 + number, 51_731 * (shop + 1) + number);
    let page = |number: usize| {
        let row = |shop: usize| {
            format!(
                "<tr class=a><td>{}<td>{} m",
                phone(number, shop),
                13 * (shop + number)
            )
        };
        let rows: String = (0..shops(number)).map(row).collect();
        format!(
            "<h1>Street {number}</h1><table class=list><tr><th>Phone<th>Distance{rows}</table><p>All rights reserved"
        )
    };
    let phones = |number: usize| (0..shops(number)).map(|shop| phone(number, shop)).collect();
    assert!(is_a_column(&pages((0..24).map(page)), phones));
}

#[test]
fn a_label_that_stands_twice_on_some_pages_is_a_label() {
    let town = |number: usize| format!("Town {}", number * number);
    let page = |number: usize| {
        let category = if number % 8 == 1 {
            ""
        } else {
            "<tr><th>Category<td>Technology"
        };
        let again = if number.is_multiple_of(2) {
            format!("<table><tr><th>Location<td>Near {}</table>", number + 500)
        } else {
            String::new()
        };
        format!(
            "<h1>Job {number}</h1><table><tr><th>Company<td>Firm {}{category}<tr><th>Location<td>{}<tr><th>Position<td>{}</table>{again}",
            3 * number,
            town(number),
            ["Full-Time", "Contract"][number % 2],
        )
    };
    assert!(is_a_column(&pages((0..24).map(page)), |number| vec![town(
        number
    )]));
}

#[test]
fn a_list_whose_label_is_written_in_two_ways_is_found_on_all_pages() {
    let genres = |number: usize| {
        let all = ["Comedy", "Drama", "Family", "Musical", "Horror"];
        let count = if number.is_multiple_of(3) { 2 } else { 1 };
        (0..count)
            .map(|at| all[(number + at) % 5].to_owned())
            .collect::<Vec<_>>()
    };
    let page = |number: usize| {
        let genres = genres(number);
        let label = if genres.len() > 1 {
            "Genres:"
        } else {
            "Genre:"
        };
        let links: Vec<String> = genres
            .iter()
            .map(|genre| format!("<span class=g><a href=/g>{genre}</a></span>"))
            .collect();
        format!(
            "<h1>Film {number}</h1><div class=genres><b>{label}</b><p>{}</p></div><p>Year: {}",
            links.join(", "),
            1950 + number
        )
    };
    assert!(is_a_column(&pages((0..24).map(page)), genres));
}

#[test]
fn labels_that_move_are_no_wanted_column() {
    let page = |number: usize| {
        let label = ["Director:", "Directors:"][number % 2];
        format!(
            "<h1>Film {number}</h1><dl><dt>{label}<dd>Person {}<dt>Year:<dd>{}</dl>",
            number * 7,
            1950 + number
        )
    };
    let learned = fields::learn(&pages((1..=12).map(page)));
    let wanted = &learned.fields[..learned.wanted];
    let is_label =
        |field: &&fields::Field| field.samples.iter().all(|sample| sample.ends_with(':'));
    assert!(wanted.iter().find(is_label).is_none());
}

/// A product that tells machines what it is; the country stands nowhere else.
fn product(number: usize) -> String {
    let country = ["Japan", "Chile", "Kenya"][number % 3];
    let thing = ["Lamp", "Chair", "Table", "Bench", "Stool"][number % 5];
    format!(
        r#"<script type="application/ld+json">{{"@graph": [{{"@type": "Product", "name": "{thing} \u0026 {number}",
         "made": {{"in": "{country}"}}}}]}}</script><div class=a><b class=n>{thing} &amp; {number}</b><i>{}</i></div>"#,
        number * 17,
    )
}

#[test]
fn what_pages_tell_machines_outlives_a_redesign() {
    let texts = pages((1..=12).map(product));
    let mold = mold(&texts);
    let field = mold.groups[0]
        .fields
        .iter()
        .find(|field| field.samples[0] == "Chair & 1")
        .unwrap();
    let name = field.name.as_str();
    assert_eq!(values(&mold, &texts[4])[name], ["Lamp & 5"]);
    assert_eq!(values(&mold, &texts[4])["made.in"], ["Kenya"]);
    let redesigned = product(5)
        .replace("<div class=a><b class=n>", "<main><p><q>New</q></p><h6>")
        .replace("</b>", "</h6>");
    assert_eq!(
        values(&mold, &Text::from_string("new", redesigned))[name],
        ["Lamp & 5"]
    );
    let broken = product(5).replace("@graph\": [", "@graph\": [[");
    assert_eq!(
        values(&mold, &Text::from_string("broken", broken))[name],
        ["Lamp & 5"]
    );
}

/// A recipe whose author stands before its date, in markup that a program wrote; machines are told
/// what readers see.
fn recipe(number: usize) -> String {
    let cook = ["Meera Sodha", "Ada Byron", "Meera Sodha", "Grace Hopper"][number % 4];
    let thing = |at: usize| {
        format!(
            "{} g {}",
            10 * number + at,
            ["salt", "rice", "dill", "peas", "oats"][(number + at) % 5]
        )
    };
    let things: Vec<String> = (0..2 + number % 3).map(thing).collect();
    let seen: String = things.iter().map(|thing| format!("<li>{thing}")).collect();
    format!(
        r#"<title>Soup {number} | Kitchen</title>
         <script type="application/ld+json">{{"@type": "Recipe", "url": "/soups/{number}", "recipeIngredient": ["{}"],
         "image": ["/{number}.jpg"]}}</script>
         <div><a href=/photos>More Photos</a><h1 class=css-1b07bg1>{} of the day</h1></div>
         <p class=css-9x2kq1><b>{cook}</b> <i class=css-4f81aa>2024-03-{:02}</i></p>
         <p>by <span class=kitchen-name>Kitchen{}</span></p>
         <div class=row><em>Serves</em> <q>{}</q></div><ul>{seen}</ul><p>All rights reserved"#,
        things.join(r#"", ""#),
        [
            "Borscht",
            "Minestrone",
            "Pho",
            "Gazpacho",
            "Ramen",
            "Goulash",
            "Caldo"
        ][number % 7],
        number + 10,
        (b'A' + number as u8) as char,
        number % 4 + 2,
    )
}

#[test]
fn names_are_neither_values_nor_links_nor_what_programs_wrote() {
    let texts = pages((1..=12).map(recipe));
    let mold = mold(&texts);
    let name_of = |sample: &str| {
        let mut fields = mold.groups[0].fields.iter();
        fields
            .find(|field| field.samples.iter().any(|known| known == sample))
            .map(|field| field.name.as_str())
    };
    assert_eq!(name_of("2024-03-11"), Some("date"));
    assert_eq!(name_of("Meera Sodha"), Some("text"));
    assert!(
        matches!(name_of("KitchenB"), Some("kitchen_name" | "by")),
        "{:?}",
        name_of("KitchenB")
    );
    assert_eq!(name_of("3"), Some("Serves"));
    assert!(values(&mold, &texts[0])["title"][0].ends_with("of the day"));
    assert!(
        mold.groups[0]
            .fields
            .iter()
            .all(|field| !["url", "page", "group"].contains(&field.name.as_str()))
    );
}

#[test]
fn what_machines_are_told_as_an_array_is_one_list() {
    let texts = pages((1..=12).map(recipe));
    let mold = mold(&texts);
    let lists: Vec<_> = mold.groups[0]
        .fields
        .iter()
        .filter(|field| field.name == "recipeIngredient")
        .collect();
    assert_eq!(lists.len(), 1);
    assert!(
        lists[0].many
            && lists[0]
                .views
                .iter()
                .any(|view| matches!(view, fields::View::AllOfClassPath(_)))
    );
    let page = recipe(4);
    let unseen = page
        .replace("<ul>", "<ol hidden><p>")
        .replace("<li>", "<dd>");
    let silent = page.replace("application/ld+json", "text/plain");
    for page in [page, unseen, silent] {
        let found = values(&mold, &Text::from_string("4", page));
        assert_eq!(
            found["recipeIngredient"],
            ["40 g oats", "41 g salt", "42 g rice"]
        );
    }
    // An array that has one value on every page is a single field.
    assert!(
        mold.groups[0]
            .fields
            .iter()
            .any(|field| !field.many && field.name == "image")
    );
}

/// A page of posts by members with a town and a number of posts each, of books with a number of
/// pages, with a date behind the town.
fn thread(number: usize) -> String {
    let post = |at: usize| {
        let town = ["Leeds", "York", "Bath"][(number + at) % 3];
        let first = ["Much", "Little", "All", "Nothing", "Something"][(2 * number + at) % 5];
        let (posts, day) = (100 * number + 7 * at + 3, (number + 3 * at) % 27 + 1);
        let more = if (number + at).is_multiple_of(2) {
            String::new()
        } else {
            format!("<br>{first} thanks to {at}{number}!")
        };
        format!(
            "<div class=post><div class=who><b>User{number}x{at}</b><br>Posts: {posts}<br>From: {town}</div>
             <p class=when><a href=#p>#</a> 2024-05-{day:02}</p>
             <div class=body>{first} was said as number {at} in thread {number}, at some length, with all that came to mind then and a few days later.{more}</div></div>"
        )
    };
    let posts: String = (0..3 + number % 3).map(post).collect();
    format!(
        "<h1>Thread {number}</h1><table><tr><th>Pages</th><td>{} pages</td></table>{posts}<p>All rights reserved",
        2 + number
    )
}

#[test]
fn lines_of_an_element_are_lists_of_their_own() {
    let texts = pages((1..=12).map(thread));
    let mold = mold(&texts);
    let found = values(&mold, &texts[2]);
    assert_eq!(found["Posts"], ["303", "310", "317"]);
    let learned = fields::learn(&texts);
    let wanted: Vec<&str> = learned.fields[..learned.wanted]
        .iter()
        .map(|field| field.name.as_str())
        .collect();
    assert!(
        wanted.contains(&"Posts") && !wanted.contains(&"Posts_2"),
        "{wanted:?}"
    );
    // A line of a longer text is no value of its own.
    let says = |name: &&&str| {
        found.get(**name).is_some_and(|values| {
            values
                .iter()
                .any(|value| value.contains(" thanks to ") && value.len() < 40)
        })
    };
    assert_eq!(wanted.iter().filter(says).count(), 0, "{wanted:?}");
    // A mold that was written and read again finds the same.
    let again: Mold = serde_json::from_str(&serde_json::to_string(&mold).unwrap()).unwrap();
    assert_eq!(values(&again, &texts[2]), found);
}

#[test]
fn a_text_that_holds_a_value_is_no_label() {
    let texts = pages((1..=12).map(thread));
    let found = values(&mold(&texts), &texts[2]);
    // "From: Leeds" stands before some dates, "From: York" before others.
    let dates: Vec<_> = found
        .values()
        .filter(|values| values.len() == 3 && values[0].starts_with("2024-05-"))
        .collect();
    assert_eq!(dates, [&["2024-05-04", "2024-05-07", "2024-05-10"]]);
}

#[test]
fn a_value_has_its_unit_and_the_number_is_a_column_beside_it() {
    let texts = pages((1..=12).map(thread));
    let found = values(&mold(&texts), &texts[2]);
    assert_eq!(
        (&*found["Pages"], &*found["Pages_number"]),
        (&["5 pages".to_owned()][..], &["5".to_owned()][..])
    );
}

proptest! {
    #[test]
    fn no_page_is_too_strange(
        html in proptest::collection::vec("(<(/?)(b|p|td|tr|table|a href=x|div class=\"a b\"|li id=q|meta content='1'|script type=application/ld+json|[a-z]/)>|[ -~]|é|：|&nbsp;|:){0,60}", 2..5),
    ) {
        let texts = pages(html);
        let mold = mold(&texts);
        prop_assert_eq!(&Mold::from_json(&mold.to_json()).unwrap(), &mold);
        for text in &texts {
            mold.reader().read(text).unwrap();
        }
    }

    #[test]
    fn values_do_not_depend_on_what_was_read_before(
        html in proptest::collection::vec("(<(/?)(b|p|td|tr|table|a href=x|div class=\"a b\"|li id=q|ul|meta content='1'|script type=application/ld+json|[a-z]/)>|[ -~]|Price: |é|：|&nbsp;|\\{\"@type\":\"a\",\"b\":1\\}){0,60}", 2..6),
    ) {
        let texts = pages(html);
        let Ok(mold) = Mold::learn(&texts) else { return Ok(()) };
        let reader = mold.reader();
        for text in texts.iter().chain(texts.iter().rev()) {
            let alone = rows::json(&reader.read_alone(text).unwrap());
            prop_assert_eq!(rows::json(&reader.read(text).unwrap()), alone);
        }
    }
}

/// A labelled site: its pages, and the true values by page and field.
struct Site {
    texts: Vec<Text>,
    fields: Vec<String>,
    labels: HashMap<String, String>,
    truth: HashMap<String, HashMap<String, Vec<String>>>,
}

impl Site {
    fn read(folder: &Path) -> Self {
        let truth: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(folder.join("truth.json")).unwrap()).unwrap();
        let mut files: Vec<PathBuf> = fs::read_dir(folder.join("pages"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        let read = |file: &PathBuf| {
            Page::new(
                file.file_stem().unwrap().to_str().unwrap(),
                fs::read(file).unwrap(),
            )
        };
        Site {
            texts: files.iter().map(|file| Text::decode(read(file))).collect(),
            fields: serde_json::from_value(truth["fields"].clone()).unwrap(),
            labels: serde_json::from_value(truth["labels"].clone()).unwrap_or_default(),
            truth: serde_json::from_value(truth["pages"].clone()).unwrap(),
        }
    }

    fn wanted(&self, field: &str, text: &Text) -> HashSet<String> {
        let values = self
            .truth
            .get(text.id())
            .and_then(|fields| fields.get(field));
        values
            .into_iter()
            .flatten()
            .map(|value| folded(value))
            .collect()
    }
}

fn folded(value: &str) -> String {
    unmold::read::html::attribute_text(&unmold::read::html::attribute_text(value))
}

/// The columns of a site: each with its values by page.
type Columns = Vec<(String, Vec<HashSet<String>>)>;

fn columns(mold: &Mold, texts: &[Text]) -> Columns {
    let reader = mold.reader();
    let mut columns: Columns = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        let found = reader.read(text).unwrap();
        for field in found.fields() {
            let name = field.name();
            let known = columns.iter().position(|(known, _)| known == name);
            let column = known.unwrap_or_else(|| {
                columns.push((name.to_owned(), vec![HashSet::new(); texts.len()]));
                columns.len() - 1
            });
            columns[column].1[at].extend(field.values().map(|value| folded(value.text())));
        }
    }
    columns
}

/// F1 of the column that fits best, over pages, and its name. A page is right if all that is given
/// is true.
fn best(columns: &[(String, Vec<HashSet<String>>)], wanted: &[HashSet<String>]) -> (f64, String) {
    let has = wanted.iter().filter(|wanted| !wanted.is_empty()).count() as f64;
    let score = |values: &Vec<HashSet<String>>| {
        let said = values.iter().filter(|values| !values.is_empty()).count() as f64;
        let right = |(values, wanted): &(&HashSet<String>, &HashSet<String>)| {
            !values.is_empty() && values.is_subset(wanted)
        };
        2.0 * values.iter().zip(wanted).filter(right).count() as f64 / (said + has)
    };
    let scores = columns
        .iter()
        .map(|(name, values)| (score(values), name.clone()));
    scores.fold((0.0, String::new()), |best, next| {
        if next.0 > best.0 { next } else { best }
    })
}

/// A mold of pages that gives all fields, not only those that a person would keep.
/// The truth of many pages has labels in its values, so whole texts are learned, too.
fn with_all_fields(texts: &[Text]) -> Mold {
    let mut mold = Learner::default().with_labels(true).learn(texts).unwrap();
    mold.choose(&FieldChoice::All).unwrap();
    mold
}

fn own_site(site: &str) -> Site {
    Site::read(
        &Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../testdata/sites")
            .join(site),
    )
}

/// The pages of each template. Names of fields are given in each: two templates may call different
/// things `text`.
fn by_template(mold: &Mold, texts: &[Text]) -> BTreeMap<usize, Vec<Text>> {
    let reader = mold.reader();
    let mut templates: BTreeMap<usize, Vec<Text>> = BTreeMap::new();
    for text in texts {
        if let Some(group) = reader.read(text).unwrap().group() {
            templates.entry(group).or_default().push(text.clone());
        }
    }
    templates
}

#[test]
fn own_sites_give_their_fields_under_their_labels() {
    for site in [
        "news-de",
        "news-ja",
        "shop-en",
        "library-ar",
        "forum-ru",
        "search-zh",
    ] {
        let site_pages = own_site(site);
        let mold = with_all_fields(&site_pages.texts);
        for (group, texts) in by_template(&mold, &site_pages.texts) {
            let columns = columns(&mold, &texts);
            for field in &site_pages.fields {
                let wanted: Vec<_> = texts
                    .iter()
                    .map(|text| site_pages.wanted(field, text))
                    .collect();
                if wanted.iter().all(HashSet::is_empty) {
                    continue;
                }
                let (f1, name) = best(&columns, &wanted);
                assert!(f1 == 1.0, "{site} {field}: {f1} by {name}");
                if let Some(label) = site_pages.labels.get(field) {
                    let named = mold.groups[group]
                        .fields
                        .iter()
                        .find(|field| field.name == name)
                        .unwrap();
                    let bare = |text: &str| {
                        text.trim_matches(|letter: char| !letter.is_alphanumeric())
                            .to_owned()
                    };
                    assert_eq!(bare(&named.label), bare(label), "{site} {field}: {name}");
                }
            }
        }
    }
}

#[test]
fn own_lists_give_a_column_for_each_field_of_a_record() {
    for (site, pages, known) in [
        (
            "forum-ru",
            0..14,
            &["title", "author", "date", "text", "signature"][..],
        ),
        (
            "search-zh",
            0..12,
            &["title", "price", "area", "date", "snippet"],
        ),
        (
            "search-zh",
            12..18,
            &["title", "date", "snippet", "phone", "address"],
        ),
    ] {
        let site_pages = own_site(site);
        let texts = &site_pages.texts[pages];
        let columns = columns(&with_all_fields(texts), texts);
        for field in known {
            let wanted: Vec<_> = texts
                .iter()
                .map(|text| site_pages.wanted(field, text))
                .collect();
            let (f1, name) = best(&columns, &wanted);
            assert!(f1 == 1.0, "{site} {field}: {f1} by {name}");
        }
    }
}

#[test]
fn pages_of_a_site_give_the_same_whatever_was_read_before() {
    for site in ["forum-ru", "search-zh", "shop-en"] {
        let texts = own_site(site).texts;
        let mold = Mold::learn(&texts).unwrap();
        let reader = mold.reader();
        for text in texts.iter().rev().chain(&texts) {
            let alone = rows::json(&reader.read_alone(text).unwrap());
            assert_eq!(
                rows::json(&reader.read(text).unwrap()),
                alone,
                "{site} {}",
                text.id()
            );
        }
    }
}

const TREES: [&str; 5] = ["oak", "elm", "ash", "lime", "beech"];

/// Ten entries in blocks, or in rows of a table, with a label before the date.
fn entries(page: usize, label: &str, in_table: bool) -> String {
    let entry = |at: usize| {
        let (number, day) = (page * 100 + at * 7919 % 97, (page * 5 + at * 3) % 28 + 1);
        let tree = TREES[number % TREES.len()];
        let about = format!(
            "{} and a good deal more is told of number {number} here",
            "so much ".repeat(at % 4 + 3)
        );
        if in_table {
            format!(
                "<tr class=e><td><a href=/e/{number}><b>{number} {tree}</b></a><td>{about}<td><i>{label}: 2023-02-{day:02}</i>"
            )
        } else {
            format!(
                "<div class=item><h3><a href=/i/{number}>{number} {tree}</a></h3><p class=about>{about}</p><u>{label}: 2023-03-{day:02}</u></div>"
            )
        }
    };
    let all: String = (1..=10).map(entry).collect();
    if in_table {
        format!("<body><table>{all}</table>")
    } else {
        format!("<body><div id=all>{all}</div>")
    }
}

#[test]
fn parts_of_records_are_one_column_unless_the_pages_call_them_differently() {
    for (labels, joined) in [(["Posted", "Posted"], true), (["Posted", "Born"], false)] {
        let lists = (0..16).map(|page| entries(page + 1, labels[page % 2], page % 2 == 1));
        let mold = Mold::learn(&pages(lists)).unwrap();
        assert_eq!(mold.groups.len(), 2);
        let names = |group: usize, is: &dyn Fn(&unmold::fields::Field) -> bool| -> HashSet<&str> {
            let fields = mold.groups[group].fields.iter().filter(|field| is(field));
            fields.map(|field| field.name.as_str()).collect()
        };
        let titles = |group| {
            names(group, &|field| {
                TREES.iter().any(|tree| field.samples[0].ends_with(tree))
            })
        };
        assert!(
            !titles(0).is_disjoint(&titles(1)),
            "{:?} {:?}",
            titles(0),
            titles(1)
        );
        let dates = |group| names(group, &|field| field.kind == fields::Type::Date);
        assert!(!dates(0).is_empty() && !dates(1).is_empty());
        assert_eq!(
            !dates(0).is_disjoint(&dates(1)),
            joined,
            "{:?} {:?}",
            dates(0),
            dates(1)
        );
    }
}

/// A mold reads lists by its rule alone; that must give what looking for patterns gives.
#[test]
fn lists_by_rule_are_those_that_were_found() {
    for site in ["forum-ru", "search-zh"] {
        let texts = own_site(site).texts;
        let mold = Mold::learn(&texts[..12]).unwrap();
        let reader = mold.reader();
        for text in &texts[..12] {
            let found = Regions::default().find(text).swap_remove(0);
            let extraction = reader.read(text).unwrap();
            let list = extraction.lists().next().unwrap().list;
            let spans =
                |records: &[Record]| records.iter().map(|record| record.span).collect::<Vec<_>>();
            assert_eq!(
                spans(&list.records),
                spans(&found.records),
                "{site} {}",
                text.id()
            );
            for (known, record) in list.records.iter().zip(&found.records) {
                let value =
                    |field: &Field| list.columns[field.column].value(field.span.of(text.as_str()));
                let known: Vec<String> = known.fields.iter().map(value).collect();
                // What one page alone would take apart may be part of a value here.
                let is_known = |value: &String| known.iter().any(|known| known.contains(value));
                let missing = record
                    .values(text.as_str(), &found.columns)
                    .find(|value| !is_known(value));
                assert_eq!(missing, None, "{site} {}", text.id());
            }
        }
    }
}

/// The floors are a little below what the current state reaches; they may go up.
#[test]
fn quality_does_not_fall() {
    let Some(folders) = ["fields", "fields-2"]
        .map(labelled_pages)
        .into_iter()
        .collect::<Option<Vec<_>>>()
    else {
        return;
    };
    let mut scores = Vec::new();
    let sites = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap());
    let mut folders: Vec<PathBuf> = sites.map(|site| site.unwrap().path()).collect();
    folders.sort();
    for folder in folders {
        let site = Site::read(&folder);
        let all = columns(&with_all_fields(&site.texts), &site.texts);
        let wanted = site.fields.iter().map(|field| {
            site.texts
                .iter()
                .map(|text| site.wanted(field, text))
                .collect()
        });
        let wanted: Vec<Vec<HashSet<String>>> = wanted.collect();
        let wanted: Vec<_> = wanted
            .iter()
            .filter(|pages| pages.iter().any(|wanted| !wanted.is_empty()))
            .collect();
        let mean = |columns: usize| {
            let columns = &all[..columns.min(all.len())];
            wanted
                .iter()
                .map(|wanted| best(columns, wanted).0)
                .sum::<f64>()
                / wanted.len() as f64
        };
        let figures = [mean(usize::MAX), mean(20), mean(10)];
        let [any, twenty, ten] = figures;
        eprintln!(
            "{:<40} any {any:.3}, first 20 {twenty:.3}, first 10 {ten:.3}",
            folder.display()
        );
        scores.push(figures);
    }
    let mean =
        |at: usize| scores.iter().map(|figures| figures[at]).sum::<f64>() / scores.len() as f64;
    let [any, twenty, ten] = [mean(0), mean(1), mean(2)];
    eprintln!(
        "{} sites: any {any:.4}, first 20 {twenty:.4}, first 10 {ten:.4}",
        scores.len()
    );
    assert!(
        any >= 0.980 && twenty >= 0.950 && ten >= 0.855,
        "{any} {twenty} {ten}"
    );
}

/// The list after a heading is one column with all its items, not with the first of them.
#[test]
fn the_list_after_a_heading_is_a_column() {
    let page = |name: &str, items: &[&str]| {
        let items: String = items
            .iter()
            .map(|item| format!("<li>{item}</li>"))
            .collect();
        let html = format!(
            "<h1>{name}</h1><p>Serves: {}</p><h2>材料</h2><ul>{items}</ul><h2>More</h2>
             <ul><li><a href=/{name}>Like {name}</a><li><a href=/a>All</a></ul><p>All rights reserved",
            name.len()
        );
        Text::from_string(name, html)
    };
    let pages = [
        page("Soup", &["salt", "water", "fish"]),
        page("Bread", &["flour", "salt", "yeast", "warm water", "oil"]),
        page("Rice", &["rice", "water"]),
    ];
    let mold = Mold::learn(&pages).unwrap();
    let reader = mold.reader();
    let rows: Vec<Vec<(String, Vec<String>)>> = pages
        .iter()
        .map(|page| {
            let found = reader.read(page).unwrap();
            let fields = found.fields().map(|field| {
                let texts = field.values().map(|value| value.text().to_owned());
                (field.name().to_owned(), texts.collect())
            });
            fields.collect()
        })
        .collect();
    let list = |row: &[(String, Vec<String>)]| {
        let mut own = row.iter().filter(|(name, _)| name == "材料");
        own.next().map(|(_, items)| items.join("|"))
    };
    assert_eq!(list(&rows[0]).as_deref(), Some("salt|water|fish"));
    assert_eq!(
        list(&rows[1]).as_deref(),
        Some("flour|salt|yeast|warm water|oil")
    );
}
