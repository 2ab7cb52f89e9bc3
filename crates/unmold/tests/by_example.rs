//! By example: which page somebody means who names none, and what is said of examples that no rule
//! gives.

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
    let outcome = Learner::default()
        .examples(vec![example(None, &[("cost", &["£10.50"])])])
        .learn_with_outcome(&pages)
        .unwrap();
    assert_eq!(
        (outcome.assumed[0].page.as_str(), outcome.assumed[0].pages),
        ("0.html", 5)
    );
    assert!(
        outcome.assumed[0]
            .to_string()
            .starts_with("5 pages have \"£10.50\": 0.html is taken to be meant")
    );
    let prices: Vec<Vec<String>> = (0..pages.len())
        .map(|number| vec![format!("£{}.50", 10 + 7 * number)])
        .collect();
    assert_eq!(column(&outcome.mold, &pages), prices);
}

#[test]
fn a_value_that_only_machines_are_told_names_its_page() {
    let pages = goods();
    let outcome = Learner::default()
        .examples(vec![example(None, &[("sku", &["SK-4034"])])])
        .learn_with_outcome(&pages)
        .unwrap();
    assert!(outcome.unfit.is_empty() && outcome.assumed.is_empty());
    assert_eq!(column(&outcome.mold, &pages)[5], ["SK-4085"]);
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
    let outcome = Learner::default()
        .examples(examples)
        .learn_with_outcome(&pages)
        .unwrap();
    let said = outcome.unfit[0].to_string();
    assert_eq!(
        said,
        r#"the rule of "cost" finds "£24.50" on the page that should have "206 g""#
    );
    assert_eq!(outcome.unfit.len(), 1);
}

#[test]
fn some_values_of_a_list_mean_the_list() {
    let pages = goods();
    let some = example(Some("0.html"), &[("others", &["£17.50", "£31.50"])]);
    let outcome = Learner::default()
        .examples(vec![some])
        .learn_with_outcome(&pages)
        .unwrap();
    assert_eq!(outcome.unfit, []);
    assert_eq!(
        column(&outcome.mold, &pages)[1],
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
        .learn_with_outcome(&pages)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("10 pages have") && error.contains("page=NAME"),
        "{error}"
    );
}

/// The names of all fields of a mold.
fn names(mold: &Mold) -> Vec<&str> {
    let fields = mold.groups.iter().flat_map(|group| &group.fields);
    fields.map(|field| field.name.as_str()).collect()
}

#[test]
fn a_mold_has_exactly_the_fields_that_are_named_and_is_read_back() {
    let pages = goods();
    // Both are also names that the pages give, of these fields and of others.
    let named = example(
        Some("3.html"),
        &[("title", &["£31.50"]), ("Weight", &["219 g"])],
    );
    let mold = Learner::default()
        .examples(vec![named])
        .learn(&pages)
        .unwrap();
    assert_eq!(names(&mold), ["title", "Weight"]);
    assert_eq!(Mold::from_json(&mold.to_json()).unwrap(), mold);
    assert_eq!(column(&mold, &pages)[1], ["£17.50"]);
}

#[test]
fn a_name_that_no_mold_may_have_is_an_error() {
    let learn = |name: &str| {
        let named = example(Some("3.html"), &[(name, &["£31.50"])]);
        Learner::default().examples(vec![named]).learn(&goods())
    };
    // Marks that turn the direction of a text are left out.
    assert_eq!(names(&learn("price\u{202e}").unwrap()), ["price"]);
    let error = learn(&"long".repeat(1 << 20)).unwrap_err().to_string();
    assert!(error.contains("cannot be read back"), "{error}");
}

#[test]
fn a_bad_example_does_not_cost_the_others() {
    let mut pages = goods();
    pages.push(Text::from_string(
        "alone.html",
        "<article><p>Something else, and nothing like it.</article>",
    ));
    let examples = vec![
        example(None, &[("cost", &["£31.50"]), ("colour", &["purple"])]),
        example(Some("alone.html"), &[("cost", &["Something else"])]),
        example(Some("none.html"), &[("cost", &["£9"])]),
    ];
    let outcome = Learner::default()
        .examples(examples)
        .learn_with_outcome(&pages)
        .unwrap();
    assert_eq!(names(&outcome.mold), ["cost"]);
    assert_eq!(column(&outcome.mold, &pages[..10])[0], ["£10.50"]);
    let unfit: Vec<String> = outcome.unfit.iter().map(ToString::to_string).collect();
    assert_eq!(
        unfit,
        [
            r#""colour" is not learned from "purple": no page has it"#,
            r#""cost" is not learned from "£9": there is no page "none.html""#,
            r#""cost" is not learned from "Something else": the page "alone.html" shares its template with no other page"#,
        ]
    );
}

#[test]
fn nothing_but_bad_examples_is_an_error() {
    let nowhere = vec![example(None, &[("cost", &["purple"])])];
    let error = Learner::default()
        .examples(nowhere)
        .learn(&goods())
        .unwrap_err();
    assert_eq!(error.to_string(), "no page has \"purple\"");
}

#[test]
fn several_values_in_a_cell_of_a_table_are_a_list() {
    let pages = goods();
    let cell = example(Some("0.html"), &[("others", &["£17.50 | £24.50 | £31.50"])]);
    let mold = Learner::default()
        .examples(vec![cell])
        .learn(&pages)
        .unwrap();
    assert_eq!(
        column(&mold, &pages)[1],
        ["£24.50", "£31.50", "£38.50", "£45.50"]
    );
}

#[test]
fn what_no_rule_finds_is_said_with_its_place() {
    let pages = goods();
    let examples = vec![example(
        Some("0.html"),
        &[
            ("cost", &["£10.50"]),
            ("menu", &["Home"]),
            ("word", &["may also"]),
            ("script", &["@type"]),
        ],
    )];
    let outcome = Learner::default()
        .examples(examples)
        .learn_with_outcome(&pages)
        .unwrap();
    let places: Vec<&str> = outcome
        .unfit
        .iter()
        .map(|unfit| unfit.place.as_deref().unwrap_or_default())
        .collect();
    assert_eq!(names(&outcome.mold), ["cost"]);
    assert_eq!(
        places[..2],
        [
            "as a text at ul li that is the same on all pages",
            "inside the longer text \"You may also like\" at h2",
        ]
    );
    assert!(places[2].starts_with("in its source only, at byte "));
}

/// Bands whose members are a list of no more than one shape, so that a rule finds one of them.
#[test]
fn one_value_for_a_list_is_in_doubt() {
    let members = ["Ada", "Bo", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal"];
    let page = |number: usize| {
        let member = |at: usize| format!("{}{number}", members[(number + at) % 8]);
        let html = format!(
            "<h1>Band {number}</h1><p><b>{}</b> and <b>{}</b></p><p>All rights reserved",
            member(0),
            member(1)
        );
        Text::from_string(format!("{number}.html"), html)
    };
    let pages: Vec<Text> = (0..8).map(page).collect();
    let said = example(Some("0.html"), &[("member", &["Ada0", "Bo0"])]);
    let outcome = Learner::default()
        .examples(vec![said])
        .learn_with_outcome(&pages)
        .unwrap();
    let reader = outcome.mold.reader();
    for page in &pages[1..] {
        let found = reader.read(page).unwrap();
        let field = found.fields().next().unwrap();
        // Either the list is whole, or what is given of it is in doubt.
        assert!(field.values().count() == 2 || field.doubt().is_some());
    }
}

/// Two names of one thing, each after a label of its own, are no list: that the rule finds one of
/// them is right on each page.
#[test]
fn two_names_after_labels_of_their_own_are_no_list() {
    let page = |number: usize| {
        let row = |label: &str, value: &str| format!("<tr><td class=l>{label}<td class=v>{value}");
        let html = format!(
            "<h1>Kettle {number}</h1><table>{}{}{}</table>",
            row("Maker", &format!("Acme{number}, Inc")),
            row("Site", &format!("acme{number}.example")),
            row("Brand", &format!("Acme{number}")),
        );
        Text::from_string(format!("{number}.html"), html)
    };
    let pages: Vec<Text> = (0..8).map(page).collect();
    let said = example(Some("0.html"), &[("maker", &["Acme0", "Acme0, Inc"])]);
    let outcome = Learner::default()
        .examples(vec![said])
        .learn_with_outcome(&pages)
        .unwrap();
    assert_eq!(
        outcome.unfit.len(),
        1,
        "the other name is said not to be found"
    );
    let reader = outcome.mold.reader();
    for page in &pages {
        let found = reader.read(page).unwrap();
        let field = found.fields().next().unwrap();
        assert_eq!((field.values().count(), field.doubt()), (1, None));
    }
}
