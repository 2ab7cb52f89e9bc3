//! What pages declare becomes columns, is held against what they show, and bounds its cost.

use unmold::{
    Mold, Text,
    read::{
        declared::{Declared, DeclaredRow},
        tree::Tree,
    },
    reader::{Doubt, Extraction},
};

/// A page of a shop that declares a product and shows it.
fn page(name: &str, declared: &str, shown: &str, sizes: &str) -> Text {
    let html = format!(
        r#"<html><head><title>{name} - Shop</title><script type="application/ld+json">{{"@type": "Product", "name": "{name}",
            "size": [{sizes}], "offers": {{"price": {declared}, "availability": "https://schema.org/InStock"}}}}</script></head>
            <body><nav><a href=/>Home</a></nav><main><h1>{name}</h1><p class=cost>{shown}</p><p>All there is to say of {name}.</p></main></body></html>"#
    );
    Text::from_string(name, html)
}

fn shop() -> Vec<Text> {
    vec![
        page("Чайник", "48.50", "48,50 €", r#""S", "M""#),
        page("急須", "1240", "1.240,00 €", r#""M""#),
        page("Skillet", "62.00", "62 €", r#""S", "L", "XL""#),
        page("Knife", "9.90", "9,90 €", r#""L""#),
    ]
}

fn values(found: &Extraction<'_>, name: &str) -> Vec<String> {
    let field = found.fields().find(|field| field.name() == name);
    let field = field.unwrap_or_else(|| panic!("no {name}"));
    field
        .values()
        .map(|value| value.text().to_owned())
        .collect()
}

#[test]
fn declared_columns_come_first_under_plain_names() {
    let pages = shop();
    let mold = Mold::learn(&pages).unwrap();
    let names: Vec<&str> = mold.groups[0]
        .fields
        .iter()
        .map(|field| field.name.as_str())
        .collect();
    assert_eq!(names[..4], ["name", "size", "price", "availability"]);
    let reader = mold.reader();
    let found = reader.read(&pages[2]).unwrap();
    assert_eq!(values(&found, "name"), ["Skillet"]);
    // As it is shown, with its currency.
    assert_eq!(values(&found, "price"), ["62 €"]);
    assert_eq!(values(&found, "size"), ["S", "L", "XL"]);
    // What is shown again is no column of its own.
    let shown = found
        .fields()
        .filter(|field| field.values().any(|value| value.text().contains('€')));
    assert_eq!(shown.count(), 1);
    // The mold is read back as it was.
    assert_eq!(Mold::from_json(&mold.to_json()).unwrap(), mold);
}

#[test]
fn what_is_declared_and_shown_differently_is_in_doubt() {
    let mold = Mold::learn(&shop()).unwrap();
    let reader = mold.reader();
    let doubt = |text: &Text| {
        let found = reader.read(text).unwrap();
        let price = found
            .fields()
            .find(|field| field.name() == "price")
            .unwrap();
        price.doubt()
    };
    assert_eq!(doubt(&page("Pot", "31", "31,00 €", r#""S""#)), None);
    assert_eq!(
        doubt(&page("Pot", "31", "35,00 €", r#""S""#)),
        Some(Doubt::OtherDeclared)
    );
}

#[test]
fn what_is_not_declared_is_read_where_it_is_shown() {
    let mold = Mold::learn(&shop()).unwrap();
    let reader = mold.reader();
    let html = page("Pot", "31", "31,00 €", r#""S""#)
        .as_str()
        .replace("ld+json", "x");
    let text = Text::from_string("Pot", html);
    let found = reader.read(&text).unwrap();
    assert_eq!(values(&found, "name"), ["Pot"]);
    assert_eq!(values(&found, "price"), ["31,00 €"]);
}

#[test]
fn a_page_of_another_site_is_not_placed_by_what_it_declares() {
    let mold = Mold::learn(&shop()).unwrap();
    let other = Text::from_string(
        "other",
        r#"<table><tr><td><script type="application/ld+json">{"@type": "Product", "name": "Tea", "size": "S",
            "offers": {"price": 1, "availability": "x"}}</script></table>"#,
    );
    let reader = mold.reader();
    let found = reader.read(&other).unwrap();
    assert_eq!(found.group(), None);
    assert_eq!(values(&found, "price"), ["1"]);
}

/// Pages made to cost more than their size.
#[test]
fn hostile_data_is_bounded_and_said() {
    let size = 1 << 20;
    let repeated = |piece: &str| piece.repeat(size / piece.len());
    let json = "<script type=application/ld+json>";
    for page in [
        format!("{json}{}", repeated("[")),
        format!("{json}{}", repeated("{\"a\":")),
        format!("{json}[{}1]", repeated("1,")),
        repeated("<script type=application/ld+json>{\"@type\":\"A\",\"name\":\"b\"}</script>"),
        format!("<script>{}", repeated("a={\"b\":")),
        format!("<script>{}", repeated("x=\"")),
        format!("<script>{}", repeated("a=(function(a){return {b:a}}(")),
        repeated("<b itemscope itemprop='a b c d e f g'>"),
        repeated("<b itemprop=a>x"),
        repeated("<b itemscope itemref=a><i id=a itemprop=b>"),
        format!(
            "<script>self.__next_f.push([1,\"{}\"])",
            repeated("0:[\\\"$0\\\"]\\n")
        ),
        format!(
            "<script type=application/json>[[\"R\",1],{}[1,1]]",
            repeated("[1,2,3,4],")
        ),
    ] {
        let tree = Tree::new(&page);
        let declared = Declared::with_state(&tree);
        let statements = declared.statements();
        assert!(statements.len() <= 100_000, "{}", &page[..60]);
        let bytes: usize = statements.iter().map(|said| said.value.text.len()).sum();
        assert!(bytes <= 8 * page.len(), "{} {bytes}", &page[..60]);
        for said in &statements {
            assert!(said.value.span.of(&page).len() <= page.len());
        }
        DeclaredRow::of(&tree);
    }
}
