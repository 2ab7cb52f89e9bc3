//! Lists of pages that are looked at together: which list is meant, its columns, its name.

use unmold::{
    Learner, Text,
    lists::{List, Regions},
};

/// A page with a large menu and a few posts.
fn page(number: usize, posts: &[(&str, &str)]) -> Text {
    let entry = |at: usize| {
        format!(
            "<div class=entry><h3>Part {at}</h3><p class=about>What there is in part {at} of this site</p><i>{at} things</i></div>"
        )
    };
    let menu: String = (1..=12).map(entry).collect();
    let posts: String = posts
        .iter()
        .map(|(name, day)| format!("<li class=post><b>{name}</b><i>{day}</i>"))
        .collect();
    let html = format!(
        "<div class=menu>{menu}</div><h2>Posts of day {number}</h2><ul id=all-posts class=posts>{posts}</ul>"
    );
    Text::from_string(format!("{number}"), html)
}

fn pages() -> Vec<Text> {
    vec![
        page(1, &[("Ann", "3 May"), ("Bob", "4 May"), ("Cem", "5 May")]),
        page(2, &[("Dot", "6 May"), ("Eve", "7 May")]),
        page(3, &[("Fay", "8 May"), ("Gus", "8 May"), ("Hal", "8 May")]),
        page(4, &[("Ida", "9 May"), ("Jon", "10 May"), ("Kay", "11 May")]),
    ]
}

/// The lists of each page, by the rules that all pages teach.
fn lists(pages: &[Text]) -> Vec<Vec<List<'static>>> {
    let reader = Learner::lists_only().learn(pages).unwrap().reader();
    pages
        .iter()
        .map(|page| {
            let found = reader.read(page).unwrap();
            found
                .into_lists()
                .into_iter()
                .map(List::into_owned)
                .collect()
        })
        .collect()
}

fn alone(page: &Text) -> Vec<List<'static>> {
    List::named(Regions::default().find(page))
}

fn texts(page: &Text, list: &List<'_>) -> Vec<String> {
    list.records
        .iter()
        .map(|record| record.text(page.as_str()))
        .collect()
}

#[test]
fn what_all_pages_list_is_not_what_a_page_lists() {
    let pages = pages();
    let alone = alone(&pages[0]);
    assert!(
        texts(&pages[0], &alone[0])[0].starts_with("Part 1"),
        "the menu is larger"
    );
    let found = lists(&pages);
    assert_eq!(texts(&pages[1], &found[1][0]), ["Dot 6 May", "Eve 7 May"]);
    assert!(
        found[1].iter().any(|list| list.records.len() == 12),
        "the menu is there as well"
    );
}

#[test]
fn columns_are_the_same_on_every_page() {
    let pages = pages();
    let found = lists(&pages);
    let names = |list: &List<'_>| {
        list.columns
            .iter()
            .map(|column| column.name.clone())
            .collect::<Vec<_>>()
    };
    assert!(
        found.iter().all(|lists| names(&lists[0]) == ["b", "i"]),
        "{:?}",
        found
            .iter()
            .map(|lists| names(&lists[0]))
            .collect::<Vec<_>>()
    );
    let days: Vec<_> = found[2][0]
        .records
        .iter()
        .map(|record| record.value(pages[2].as_str(), &found[2][0].columns, 1))
        .collect();
    assert_eq!(
        days,
        vec![Some("8 May".to_owned()); 3],
        "a day that all records of a page share"
    );
}

#[test]
fn a_list_has_one_name_on_all_pages() {
    let pages = pages();
    assert_eq!(Regions::default().find(&pages[0])[1].name, "Posts of day 1");
    assert!(
        lists(&pages)
            .iter()
            .all(|lists| lists[0].name == "all posts")
    );
}

#[test]
fn copies_of_a_page_keep_their_list() {
    let mut pages = pages();
    pages.truncate(1);
    pages.push(Text::from_string(
        "copy",
        pages[0].as_str().replace("Posts of", "Posts on"),
    ));
    let found = lists(&pages);
    assert_eq!(
        found[0][0].records.len(),
        Regions::default().find(&pages[0])[0].records.len()
    );
}

#[test]
fn neither_order_nor_names_of_pages_matter() {
    let pages = pages();
    let said = |pages: &[Text], at: usize| {
        let found = &lists(pages)[at];
        found
            .iter()
            .map(|list| {
                (
                    list.name.clone(),
                    list.columns.to_vec(),
                    texts(&pages[at], list),
                )
            })
            .collect::<Vec<_>>()
    };
    let reversed: Vec<Text> = pages
        .iter()
        .rev()
        .map(|page| Text::from_string(format!("x{}", page.id()), page.as_str()))
        .collect();
    assert_eq!(said(&pages, 0), said(&reversed, 3));
    assert_eq!(said(&pages, 2), said(&reversed, 1));
}

#[test]
fn tables_under_two_headings_are_two_lists() {
    let table = |heading: &str, values: &[&str]| {
        let rows: String = values
            .iter()
            .map(|value| format!("<tr><td>{value}<td>{} kg</tr>", value.len()))
            .collect();
        format!("<h2>{heading}</h2><table><tr><th>Name<th>Weight {heading}</tr>{rows}</table>")
    };
    let page = |number: usize, boats: &[&str], carts: &[&str]| {
        let html = format!("{}{}", table("Boats", boats), table("Carts", carts));
        Text::from_string(format!("{number}"), html)
    };
    let pages = [
        page(1, &["skiff", "punt", "dory"], &["dray", "wain"]),
        page(2, &["scow", "yawl"], &["gig", "sulky", "tumbril"]),
    ];
    for (page, lists) in pages.iter().zip(lists(&pages)) {
        let records = |name: &str| {
            let list = lists.iter().find(|list| list.name == name);
            list.map(|list| list.records.len())
        };
        let counts = if page.id() == "1" { [3, 2] } else { [2, 3] };
        let found = [records("Boats"), records("Carts")];
        assert_eq!(found, counts.map(Some), "{}", page.id());
    }
}

/// The name of the first list of a page.
fn name(html: &str) -> String {
    Regions::default()
        .find(&Text::from_string("page", html))
        .swap_remove(0)
        .name
}

#[test]
fn lists_are_called_as_the_page_calls_them() {
    let items = "<li><b>Tea</b> 3 €<li><b>Milk</b> 2 €<li><b>Salt</b> 1 €";
    assert_eq!(
        name(&format!("<h1>Shop</h1><h2>On offer:</h2><ul>{items}</ul>")),
        "On offer"
    );
    assert_eq!(
        name(&format!(
            "<h2>News</h2><section><ul class=best-offers>{items}</ul></section>"
        )),
        "best offers"
    );
    assert_eq!(
        name(&format!(
            "<div><div><h2>On offer</h2></div><ul>{items}</ul></div>"
        )),
        "On offer"
    );
    assert_eq!(
        name(&format!("<ul aria-label=Groceries>{items}</ul>")),
        "Groceries"
    );
    assert_eq!(
        name(&format!("<ul id=weeklyOffers>{items}</ul>")),
        "weekly offers"
    );
    assert_eq!(name(&format!("<ul>{items}</ul>")), "li");
    let rows = "<tr><th>Name<th>Price<tr><td>Tea<td>3<tr><td>Milk<td>2";
    assert_eq!(
        name(&format!(
            "<h2>Other</h2><table><caption>Prices</caption>{rows}</table>"
        )),
        "Prices"
    );
}

/// The texts of the records of the first list of a page.
fn first(html: &str) -> Vec<String> {
    let page = Text::from_string("page", html);
    texts(&page, &alone(&page)[0])
}

#[test]
fn what_markup_sets_aside_comes_after_what_it_does_not() {
    let menu: String = (1..=12)
        .map(|at| format!("<div class=entry><h3>Part {at}</h3><p class=about>What there is in part {at} of it</p><i>{at}</i></div>"))
        .collect();
    let list =
        "<ul><li><b>Tea</b><i>3 €</i><li><b>Milk</b><i>2 €</i><li><b>Salt</b><i>1 €</i></ul>";
    assert_eq!(first(&format!("<div>{menu}</div>{list}")).len(), 12);
    for around in [
        "nav",
        "header",
        "aside",
        "footer",
        "dialog",
        "div role=dialog",
    ] {
        let end = around.split(' ').next().unwrap_or(around);
        assert_eq!(
            first(&format!("<{around}>{menu}</{end}>{list}")).len(),
            3,
            "{around}"
        );
    }
    assert_eq!(
        first(&format!("<section><header>{menu}</header></section>{list}")).len(),
        12,
        "a header of a part"
    );
}
