//! By example: which page somebody means who names none, and what is said of examples that no rule gives.

use unmold::{Learner, Mold, Text, fields::Example};

/// A shop whose pages show other goods with their prices below their own.
fn goods() -> Vec<Text> {
    let names = [
        "Kettle", "Skillet", "Knife", "Ladle", "Whisk", "Grater", "Sieve", "Mortar", "Tongs",
        "Peeler",
    ];
    let price = |number: usize| format!("£{}.50", 10 + 7 * (number % names.len()));
    let card = |number: usize| {
        format!(
            "<div class=card><h3>{}</h3><b class=cost>{}</b></div>",
            names[number % names.len()],
            price(number)
        )
    };
    let page = |number: usize| {
        let others: String = (1..4 + number % 3)
            .map(|next| card(number + next))
            .collect();
        let html = format!(
            "<title>{name} - Shop</title><ul><li>Home<li>All</ul><h1>{name}</h1><p class=price>{}</p>
             <table><tr><th>Weight:<td>{} g</table><h2>You may also like</h2><div class=more>{others}</div>
             <script type=application/ld+json>{{\"@type\": \"Product\", \"sku\": \"SK-{}\"}}</script>",
            price(number),
            180 + 13 * number,
            4000 + 17 * number,
            name = names[number]
        );
        Text::from_string(format!("{number}.html"), html)
    };
    (0..names.len()).map(page).collect()
}

fn example(page: Option<&str>, fields: &[(&str, &[&str])]) -> Example {
    let texts = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
    Example {
        page: page.map(str::to_owned),
        fields: fields
            .iter()
            .map(|(name, values)| ((*name).to_owned(), texts(values)))
            .collect(),
        content: None,
    }
}

/// The values of the first field on each page.
fn column(mold: &Mold, pages: &[Text]) -> Vec<Vec<String>> {
    let reader = mold.reader();
    let values = |page| {
        let found = reader.read(page).unwrap();
        let first = found.fields().next().unwrap();
        first
            .values()
            .map(|value| value.text().to_owned())
            .collect()
    };
    pages.iter().map(values).collect()
}

#[test]
fn of_pages_that_have_a_value_the_one_is_meant_whose_own_it_is() {
    let pages = goods();
    // Other pages show the kettle among other goods.
    let lesson = Learner::default()
        .examples(vec![example(None, &[("cost", &["£10.50"])])])
        .study(&pages)
        .unwrap();
    assert_eq!(
        (lesson.assumed[0].page.as_str(), lesson.assumed[0].pages),
        ("0.html", 5)
    );
    assert!(
        lesson.assumed[0]
            .to_string()
            .starts_with("5 pages have \"£10.50\": 0.html is taken to be meant")
    );
    let prices: Vec<Vec<String>> = (0..pages.len())
        .map(|number| vec![format!("£{}.50", 10 + 7 * number)])
        .collect();
    assert_eq!(column(&lesson.mold, &pages), prices);
}

#[test]
fn a_value_that_only_machines_are_told_names_its_page() {
    let pages = goods();
    let lesson = Learner::default()
        .examples(vec![example(None, &[("sku", &["SK-4034"])])])
        .study(&pages)
        .unwrap();
    assert!(lesson.unfit.is_empty() && lesson.assumed.is_empty());
    assert_eq!(column(&lesson.mold, &pages)[5], ["SK-4085"]);
}

#[test]
fn what_another_example_says_is_owed() {
    let pages = goods();
    let price = |page, value: &str| example(Some(page), &[("cost", &[value])]);
    let examples = vec![
        price("0.html", "£10.50"),
        price("1.html", "£17.50"),
        price("2.html", "206 g"),
    ];
    let lesson = Learner::default().examples(examples).study(&pages).unwrap();
    let said = lesson.unfit[0].to_string();
    assert_eq!(
        said,
        r#"the rule of "cost" finds "£24.50" on the page that should have "206 g""#
    );
    assert_eq!(lesson.unfit.len(), 1);
}

#[test]
fn some_values_of_a_list_mean_the_list() {
    let pages = goods();
    let some = example(Some("0.html"), &[("others", &["£17.50", "£31.50"])]);
    let lesson = Learner::default()
        .examples(vec![some])
        .study(&pages)
        .unwrap();
    assert_eq!(lesson.unfit, []);
    assert_eq!(
        column(&lesson.mold, &pages)[1],
        ["£24.50", "£31.50", "£38.50", "£45.50"]
    );
}

#[test]
fn content_of_several_pages_is_of_none() {
    let pages = goods();
    let said = Example {
        content: Some("You may also like".to_owned()),
        ..Example::default()
    };
    let error = Learner::default()
        .examples(vec![said])
        .study(&pages)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("10 pages have") && error.contains("page=NAME"),
        "{error}"
    );
}
