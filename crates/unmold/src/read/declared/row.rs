//! What does a page declare of the thing that it is about, as a row?
//!
//! The properties of the thing under schema.org's plain names: `name`, `price`, `brand`,
//! `recipeIngredient`. What is a thing of its own gives its name (`brand`), its text (a step of a
//! recipe) or its address (a picture); the properties of an offer, a rating and of nutrition are
//! those of the thing. A list gives all its values.
//!
//! ```text
//! {"@type": "Product", "name": "Kettle", "brand": {"name": "Acme"}, "offers": [{"price": 48.50}]}
//! name = Kettle, brand = Acme, price = 48.50
//! ```
//!
//! What schema.org itself names is given by its name: `InStock`. Of several offers the first that
//! can be had counts: sizes that are sold out say nothing of the price. What JSON-LD does not say is
//! taken from microdata, RDFa, Open Graph and `<meta>`, in this order, and where none of the first
//! three declares a thing, from the state of the page. Related things, reviews and comments are left
//! out: see [`BESIDE`].

use super::{
    Declared, Vocabulary, address,
    data::{Data, ID, Object, Scalar},
    subject::{Headlines, Subject, state_subject, subject},
};
use crate::{
    Span,
    read::{html::visible_text, tree::Tree},
};
use rapidhash::{RapidHashMap, RapidHashSet};

/// Properties of schema.org that lead away from the thing: to its page, to other things, to what
/// others say of it.
const BESIDE: [&str; 18] = [
    "breadcrumb",
    "comment",
    "hasPart",
    "interactionStatistic",
    "isAccessoryOrSparePartFor",
    "isPartOf",
    "isRelatedTo",
    "isSimilarTo",
    "isVariantOf",
    "itemListElement",
    "mainEntity",
    "mainEntityOfPage",
    "potentialAction",
    "publisher",
    "relatedLink",
    "review",
    "reviews",
    "speakable",
];

/// Properties whose values have properties that are plain names of the thing itself.
const OPENED: [&str; 6] = [
    "aggregateRating",
    "hasVariant",
    "nutrition",
    "offers",
    "priceSpecification",
    "reviewRating",
];

/// Open Graph and `<meta>` names for what schema.org names, as their makers define them.
const OTHER_NAMES: [(&str, &str); 20] = [
    ("product:price:amount", "price"),
    ("og:price:amount", "price"),
    ("product:price:currency", "priceCurrency"),
    ("og:price:currency", "priceCurrency"),
    ("product:availability", "availability"),
    ("og:availability", "availability"),
    ("product:brand", "brand"),
    ("og:brand", "brand"),
    ("product:condition", "itemCondition"),
    ("product:retailer_item_id", "sku"),
    ("og:image", "image"),
    ("article:published_time", "datePublished"),
    ("article:modified_time", "dateModified"),
    ("article:author", "author"),
    ("author", "author"),
    ("og:description", "description"),
    ("description", "description"),
    ("keywords", "keywords"),
    ("og:title", "title"),
    ("og:site_name", "site_name"),
];

/// Plain names of schema.org that state uses for the same.
const STATE_NAMES: [&str; 22] = [
    "name",
    "title",
    "headline",
    "sku",
    "mpn",
    "gtin",
    "gtin8",
    "gtin12",
    "gtin13",
    "gtin14",
    "isbn",
    "productID",
    "price",
    "priceCurrency",
    "brand",
    "availability",
    "description",
    "color",
    "size",
    "author",
    "datePublished",
    "dateModified",
];

/// References and nested things are followed this deep.
const MAX_DEPTH: usize = 6;
/// No list of a thing is longer; what is, is cut.
const MAX_VALUES: usize = 2_000;

/// A property of the thing that a page is about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeclaredField {
    /// Its plain name: `price`.
    pub name: String,
    /// How it is declared.
    pub vocabulary: Vocabulary,
    /// Its values as readers see them, each with its place in the page.
    pub values: Vec<(String, Span)>,
}

/// What a page declares of the thing that it is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeclaredRow {
    /// The type of the thing; empty if the page declares none.
    pub kind: String,
    /// Its properties in the order in which they are declared.
    pub fields: Vec<DeclaredField>,
}

impl DeclaredRow {
    /// What a page declares of the thing that it is about.
    ///
    /// ```
    /// use unmold::read::{declared::DeclaredRow, tree::Tree};
    ///
    /// let page = r#"<h1>Kettle</h1><script type="application/ld+json">{"@type": "Product", "name": "Kettle",
    ///     "brand": {"name": "Acme"}, "offers": [{"price": 48.50}]}</script>"#;
    /// let row = DeclaredRow::of(&Tree::new(page));
    /// let fields: Vec<_> = row.fields.iter().map(|field| (field.name.as_str(), field.values[0].0.as_str())).collect();
    /// assert_eq!((row.kind.as_str(), &fields[..]), ("Product", &[("name", "Kettle"), ("brand", "Acme"), ("price", "48.50")][..]));
    /// ```
    pub fn of(tree: &Tree<'_>) -> Self {
        let declared = Declared::of(tree);
        let headlines = Headlines::of(tree);
        let subject = subject(&declared, &headlines);
        let mut row = RowWriter::of(&declared, tree.page());
        let mut kind = "";
        if let Some(subject) = &subject {
            kind = subject.objects[0].1.types().next().unwrap_or_default();
            row.subject(subject);
            row.outside_items(&declared);
        }
        row.metas(&declared, subject.is_some());
        let mut fields = row.fields;
        if subject.is_none() {
            add_state(tree, &headlines, &mut fields);
        }
        if is_product(kind, &declared) {
            add_number(tree, &headlines, &mut fields);
        }
        DeclaredRow {
            kind: kind.to_owned(),
            fields,
        }
    }

    /// The values of a property.
    pub fn get(&self, name: &str) -> Option<&DeclaredField> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// Writes a row.
struct RowWriter<'d> {
    page: &'d str,
    /// The things that others refer to.
    by_id: RapidHashMap<&'d str, &'d Object>,
    vocabulary: Vocabulary,
    taken: RapidHashSet<String>,
    fields: Vec<DeclaredField>,
}

impl<'d> RowWriter<'d> {
    fn of(declared: &'d Declared, page: &'d str) -> Self {
        let mut by_id = RapidHashMap::default();
        for thing in declared.things() {
            if thing.vocabulary != Vocabulary::State {
                add_ids(&thing.data, &mut by_id);
            }
        }
        RowWriter {
            page,
            by_id,
            vocabulary: Vocabulary::JsonLd,
            taken: RapidHashSet::default(),
            fields: Vec::new(),
        }
    }

    fn subject(&mut self, subject: &Subject<'d>) {
        for (vocabulary, object) in &subject.objects {
            self.vocabulary = *vocabulary;
            self.object(object, 0);
        }
    }

    /// Adds the properties of a thing, then those of its offer and the like: what is said of the
    /// thing itself counts.
    fn object(&mut self, object: &'d Object, depth: usize) {
        if depth == MAX_DEPTH {
            return;
        }
        let mut seen = RapidHashSet::default();
        for (name, value) in &object.properties {
            let is_beside = name.starts_with('@') || BESIDE.contains(&name.as_str());
            // Elements declare each value of a list by itself, under the same name.
            if is_beside || is_opened(name) || !seen.insert(name) {
                continue;
            }
            if name == "price" && is_placeholder(object) {
                continue;
            }
            if name == "additionalProperty" {
                self.named_values(value);
                continue;
            }
            self.add(name, object.all(name));
        }
        for (name, _) in &object.properties {
            if is_opened(name)
                && seen.insert(name)
                && let Some(inside) = chosen(object.all(name))
            {
                self.object(inside, depth + 1);
            }
        }
    }

    /// Adds what elements declare in no item.
    fn outside_items(&mut self, declared: &'d Declared) {
        let Some(outside) = declared.outside_items() else {
            return;
        };
        self.vocabulary = Vocabulary::Microdata;
        for (name, _) in &outside.properties {
            if !BESIDE.contains(&name.as_str()) {
                self.add(name, outside.all(name));
            }
        }
    }

    /// `{"name": "Colour", "value": "red"}` is a property of its own.
    fn named_values(&mut self, value: &'d Data) {
        for item in value.items() {
            if let Data::Object(object) = item
                && let (Some(name), Some(value)) =
                    (super::subject::name(object), object.get("value"))
            {
                self.add(name, [value]);
            }
        }
    }

    /// Adds the values of a property, unless they are known.
    fn add(&mut self, name: &str, given: impl IntoIterator<Item = &'d Data>) {
        let name = super::short_name(name).trim();
        if name.is_empty() || self.taken.contains(&name.to_lowercase()) {
            return;
        }
        let mut values = Vec::new();
        for value in given {
            self.add_values(value, 0, &mut values);
        }
        let mut seen = RapidHashSet::default();
        values.retain(|(text, _): &(String, Span)| seen.insert(text.clone()));
        if values.is_empty() {
            return;
        }
        self.taken.insert(name.to_lowercase());
        self.fields.push(DeclaredField {
            name: name.to_owned(),
            vocabulary: self.vocabulary,
            values,
        });
    }

    /// What readers see of a value.
    fn add_values(&self, value: &'d Data, depth: usize, values: &mut Vec<(String, Span)>) {
        if depth == MAX_DEPTH || values.len() == MAX_VALUES {
            return;
        }
        match value {
            Data::Null => {}
            Data::Scalar(Scalar { text, span, .. }) => {
                if self.vocabulary.is_in_elements()
                    && let Some(items) = list_items(self.page, *span)
                {
                    values.extend(items);
                    return;
                }
                let shown = visible_text(term(text));
                if !shown.is_empty() {
                    values.push((shown, *span));
                }
            }
            Data::List(items) => {
                for item in items {
                    self.add_values(item, depth + 1, values);
                }
            }
            Data::Object(object) => {
                if let Some(shown) = self.shown(object) {
                    self.add_values(shown, depth + 1, values);
                }
            }
        }
    }

    /// The property by which a thing is shown as a value.
    fn shown(&self, object: &'d Object) -> Option<&'d Data> {
        let is_media = object.types().any(|kind| kind.ends_with("Object"));
        let names: &[&str] = if is_media {
            &["contentUrl", "url", "name"]
        } else {
            &[
                "itemListElement",
                "text",
                "@value",
                "value",
                "name",
                "url",
                "ratingValue",
            ]
        };
        for name in names {
            if let Some(value) = object.get(name).filter(|value| **value != Data::Null) {
                return Some(value);
            }
        }
        let referred = self.by_id.get(object.id()?)?;
        // What refers to itself is not shown.
        referred.get("name").or_else(|| referred.get("url"))
    }

    /// Adds what `<meta>` elements say that nothing else does. Titles are those of the page: they
    /// count where it declares no thing.
    fn metas(&mut self, declared: &'d Declared, has_subject: bool) {
        for thing in declared.things() {
            match thing.vocabulary {
                Vocabulary::OpenGraph | Vocabulary::Meta => {}
                Vocabulary::JsonLd
                | Vocabulary::Microdata
                | Vocabulary::Rdfa
                | Vocabulary::State => continue,
            }
            let Data::Object(object) = &thing.data else {
                continue;
            };
            self.vocabulary = thing.vocabulary;
            for (other, name) in OTHER_NAMES {
                if has_subject && matches!(name, "title" | "site_name") {
                    continue;
                }
                if let Some(value) = object.get(other) {
                    self.add(name, [value]);
                }
            }
        }
    }
}

/// Adds what the state of the page says of the thing that it is about, of the properties that
/// schema.org has plain names for: the rest is for the page's scripts.
fn add_state(tree: &Tree<'_>, headlines: &Headlines, fields: &mut Vec<DeclaredField>) {
    let declared = Declared::of_state(tree);
    let Some(object) = state_subject(&declared, headlines) else {
        return;
    };
    let mut row = RowWriter::of(&declared, tree.page());
    row.vocabulary = Vocabulary::State;
    row.taken
        .extend(fields.iter().map(|field| field.name.to_lowercase()));
    for name in STATE_NAMES {
        row.add(name, object.all(name));
    }
    fields.append(&mut row.fields);
}

/// Adds the number that the state of the page has for the thing that it is about: its own, else that
/// of its only variant.
fn add_number_of_state(tree: &Tree<'_>, headlines: &Headlines, fields: &mut Vec<DeclaredField>) {
    const NUMBER: &str = "sku";
    let declared = Declared::of_state(tree);
    let Some(object) = state_subject(&declared, headlines) else {
        return;
    };
    let mut inside = Vec::new();
    match object.get(NUMBER).filter(|number| number.text().is_some()) {
        Some(own) => inside.push(own),
        None => add_all_inside(object, NUMBER, &mut inside),
    }
    let numbers: RapidHashSet<&str> = inside.iter().filter_map(|number| number.text()).collect();
    if numbers.len() != 1 {
        return;
    }
    let mut row = RowWriter::of(&declared, tree.page());
    row.vocabulary = Vocabulary::State;
    row.add(NUMBER, inside);
    fields.append(&mut row.fields);
}

/// All values of a property in a thing and in what it holds.
fn add_all_inside<'d>(object: &'d Object, name: &str, found: &mut Vec<&'d Data>) {
    let mut open = vec![object];
    while let Some(object) = open.pop() {
        found.extend(object.all(name));
        for (_, value) in &object.properties {
            open.extend(value.items().filter_map(Data::object));
        }
    }
}

/// Whether a page is about something to buy.
fn is_product(kind: &str, declared: &Declared) -> bool {
    if !kind.is_empty() {
        let kind = kind.to_ascii_lowercase();
        return kind.ends_with("product") || kind == "productgroup";
    }
    let mut things = declared.things().iter();
    things.any(|thing| {
        let object = thing.data.object();
        thing.vocabulary == Vocabulary::OpenGraph
            && object.is_some_and(|object| object.is_of_type("product"))
    })
}

/// Adds the number of a product that says none by itself: the one in the state of its page, else the
/// one in its address.
fn add_number(tree: &Tree<'_>, headlines: &Headlines, fields: &mut Vec<DeclaredField>) {
    let is_numbered = |fields: &[DeclaredField]| {
        let mut names = fields.iter().map(|field| field.name.as_str());
        names.any(|name| ["sku", "productid"].contains(&name.to_ascii_lowercase().as_str()))
    };
    if is_numbered(fields) {
        return;
    }
    add_number_of_state(tree, headlines, fields);
    if is_numbered(fields) {
        return;
    }
    if let Some(number) = address::number(tree) {
        fields.push(DeclaredField {
            name: "productID".to_owned(),
            vocabulary: Vocabulary::Meta,
            values: vec![(number.of(tree.page()).to_owned(), number)],
        });
    }
}

/// The items of an element that shows nothing but a list: `<ul itemprop=recipeIngredient><li>...`.
fn list_items(page: &str, span: Span) -> Option<Vec<(String, Span)>> {
    let shown = span.of(page);
    let mut items = Vec::new();
    let mut start = 0;
    for end in item_tags(shown).chain([shown.len()]) {
        let piece = &shown[start..end];
        let is_item = item_tags(piece).next().is_some() || piece.contains("</li");
        let text = visible_text(piece);
        if !text.is_empty() {
            // What is before the first item, or between two of them, is no item.
            let after = piece.split_once("</li").map_or("", |(_, after)| after);
            let after = after.split_once('>').map_or("", |(_, after)| after);
            if !is_item || !visible_text(after).is_empty() {
                return None;
            }
            let place = Span::new(span.start as usize + start, span.start as usize + end);
            items.push((text, place));
        }
        start = end;
    }
    (items.len() > 1).then_some(items)
}

/// Where the items of lists begin.
fn item_tags(html: &str) -> impl Iterator<Item = usize> {
    let tags = html.match_indices("<li").map(|(at, _)| at);
    tags.filter(|at| {
        let after = html.as_bytes().get(at + "<li".len());
        after.is_some_and(|byte| *byte == b'>' || byte.is_ascii_whitespace())
    })
}

fn is_opened(name: &str) -> bool {
    OPENED
        .iter()
        .any(|opened| opened.eq_ignore_ascii_case(name))
}

/// `InStock` of `https://schema.org/InStock`: what schema.org itself names is known by its name.
pub(crate) fn term(text: &str) -> &str {
    let address = text.trim();
    let prefixes = ["https://schema.org/", "http://schema.org/"];
    let name = prefixes
        .iter()
        .find_map(|prefix| address.strip_prefix(prefix));
    name.filter(|name| !name.is_empty()).unwrap_or(text)
}

/// Of several things, such as offers, the first that can be had. Where none says whether it can, the
/// cheapest: what it was before, or is elsewhere, is declared beside it. Else the first.
fn chosen<'d>(given: impl Iterator<Item = &'d Data>) -> Option<&'d Object> {
    let objects: Vec<&Object> = given.filter_map(Data::object).collect();
    let first = *objects.first()?;
    if let Some(available) = objects.iter().find(|object| is_available(object)) {
        return Some(available);
    }
    let mut cheapest = (first, f64::INFINITY);
    for object in objects {
        match price(object) {
            Some(price) if object.get("availability").is_none() => {
                if price < cheapest.1 {
                    cheapest = (object, price);
                }
            }
            _ => return Some(first),
        }
    }
    Some(cheapest.0)
}

/// The price of an offer, where it is written as a number.
fn price(offer: &Object) -> Option<f64> {
    let price = offer.get("price")?.text()?;
    price.trim().parse().ok().filter(|price| *price > 0.0)
}

/// Whether an offer has no price: shops declare that of what is sold out as nothing.
fn is_placeholder(offer: &Object) -> bool {
    let amount = offer.get("price").and_then(Data::text).unwrap_or_default();
    let is_nothing = amount.trim().parse() == Ok(0.0);
    is_nothing && offer.get("availability").is_some() && !is_available(offer)
}

/// Whether an offer says that it can be had, in the words of schema.org's `ItemAvailability`.
fn is_available(offer: &Object) -> bool {
    let Some(availability) = offer.get("availability").and_then(Data::text) else {
        return false;
    };
    matches!(
        super::short_name(availability),
        "InStock"
            | "InStoreOnly"
            | "LimitedAvailability"
            | "OnlineOnly"
            | "PreOrder"
            | "PreSale"
            | "BackOrder"
            | "MadeToOrder"
    )
}

/// Notes all things that have an identity and say more than that.
fn add_ids<'d>(data: &'d Data, by_id: &mut RapidHashMap<&'d str, &'d Object>) {
    match data {
        Data::Null | Data::Scalar(_) => {}
        Data::List(items) => {
            for item in items {
                add_ids(item, by_id);
            }
        }
        Data::Object(object) => {
            if let Some(id) = object.id()
                && object.properties.iter().any(|(name, _)| name != ID)
            {
                by_id.entry(id).or_insert(object);
            }
            for (_, value) in &object.properties {
                add_ids(value, by_id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(page: &str) -> Vec<String> {
        let row = DeclaredRow::of(&Tree::new(page));
        let fields = row.fields.iter().map(|field| {
            let values: Vec<&str> = field.values.iter().map(|(text, _)| text.as_str()).collect();
            format!("{}={}", field.name, values.join("|"))
        });
        fields.collect()
    }

    fn json(data: &str, headline: &str) -> String {
        format!(
            "<title>{headline} - Shop</title><h1>{headline}</h1><script type=application/ld+json>{data}</script>"
        )
    }

    #[test]
    fn the_thing_counts_and_neither_frame_nor_article() {
        let data = r##"{"@graph": [{"@type": "WebSite", "name": "Shop"}, {"@type": "Article", "headline": "Σούπα, the best", "wordCount": 900,
            "@id": "#a", "isPartOf": {"@id": "#p"}, "author": {"@id": "#w"}}, {"@type": "Person", "@id": "#w", "name": "Ann"},
            {"@type": "Recipe", "name": "Σούπα", "author": {"@id": "#w"}, "recipeIngredient": ["salt", "1 &amp; 2"], "isPartOf": {"@id": "#a"},
            "recipeInstructions": [{"@type": "HowToSection", "name": "All", "itemListElement": [{"@type": "HowToStep", "name": "x", "text": "<p>Cook.</p>"}]}],
            "image": {"@type": "ImageObject", "name": "n", "url": "/a.jpg"}, "aggregateRating": {"ratingValue": "4.5"}}]}"##;
        let expected = [
            "name=Σούπα",
            "author=Ann",
            "recipeIngredient=salt|1 & 2",
            "recipeInstructions=Cook.",
            "image=/a.jpg",
            "ratingValue=4.5",
        ];
        assert_eq!(row(&json(data, "Σούπα")), expected);
    }

    #[test]
    fn of_several_offers_the_first_that_can_be_had_counts() {
        let data = r#"{"@type": "Product", "name": "Kettle", "offers": [
            {"price": 40, "availability": "https://schema.org/OutOfStock"}, {"price": 48.50, "availability": "https://schema.org/InStock"}],
            "isRelatedTo": {"@type": "Product", "name": "Pot"}, "additionalProperty": [{"name": "Farbe", "value": "rot"}]}"#;
        let expected = [
            "name=Kettle",
            "Farbe=rot",
            "price=48.50",
            "availability=InStock",
        ];
        assert_eq!(row(&json(data, "Kettle")), expected);
    }

    #[test]
    fn related_goods_are_not_the_thing() {
        let goods = r#"[{"@type": "Product", "name": "Pot", "sku": "1", "offers": {"price": 1}}, {"@type": "Product", "name": "急須", "offers": {"price": 2}}]"#;
        assert_eq!(row(&json(goods, "急須セット")), ["name=急須", "price=2"]);
        let list = r#"[{"@type": "Product", "name": "Pot"}, {"@type": "Product", "name": "Pan"}]"#;
        assert_eq!(row(&json(list, "All goods")), [""; 0]);
    }

    #[test]
    fn what_is_declared_twice_is_put_together() {
        let page = json(r#"{"@type": "Product", "name": "Kettle"}"#, "Kettle")
            + "<div itemscope itemtype=https://schema.org/Product><b itemprop=sku>K-1</b><b itemprop=name>kettle</b></div>
               <meta property=product:price:amount content=48.50><meta property=og:title content='Kettle x'>";
        assert_eq!(row(&page), ["name=Kettle", "sku=K-1", "price=48.50"]);
    }

    #[test]
    fn values_that_elements_declare_one_by_one_are_a_list() {
        let page = "<h1>Soup</h1><div itemscope itemtype=https://schema.org/Recipe><b itemprop=name>Soup</b>
            <li itemprop=recipeIngredient>salt<li itemprop=recipeIngredient>水</div>";
        assert_eq!(row(page), ["name=Soup", "recipeIngredient=salt|水"]);
    }

    #[test]
    fn state_counts_where_nothing_else_is_declared() {
        let state = r#"<script>window.S = {"menu": [{"name": "Pots", "price": 1}], "item": {"title": "急須", "sku": "K-1", "price": 1240, "internal": 7}};</script>"#;
        let page = format!("<h1>急須</h1>{state}");
        assert_eq!(row(&page), ["title=急須", "sku=K-1", "price=1240"]);
        assert_eq!(row(&format!("<h1>All</h1>{state}")), [""; 0]);
        // Beside what is declared, nothing but the number that a product lacks.
        let declared = json(r#"{"@type": "Product", "name": "急須"}"#, "急須") + state;
        assert_eq!(row(&declared), ["name=急須", "sku=K-1"]);
        let only = r#"<h1>Kettle</h1><div data-product='{"sku": "K-1", "price": 48.50}'></div>"#;
        assert_eq!(row(only), ["sku=K-1", "price=48.50"]);
    }

    #[test]
    fn a_product_without_a_number_has_the_one_of_its_state_or_address() {
        let product = json(r#"{"@type": "Product", "name": "Kettle"}"#, "Kettle");
        let state = r#"<script>window.S = {"item": {"name": "Kettle", "sku": "K-1", "price": 4850}};</script>"#;
        let address = "<link rel=canonical href=/kettle-p123456.html><b data-id=123456>";
        let both = format!("{product}{state}{address}");
        assert_eq!(row(&both), ["name=Kettle", "sku=K-1"]);
        let addressed = format!("{product}{address}");
        assert_eq!(row(&addressed), ["name=Kettle", "productID=123456"]);
        let variant = r#"<script>var p = {"title": "Kettle", "id": 1, "variants": [{"id": 2, "sku": "K-1"}]};</script>"#;
        let nested = format!("{product}{variant}");
        assert_eq!(row(&nested), ["name=Kettle", "sku=K-1"]);
        let two = nested.replace("}]", "}, {\"sku\": \"K-2\"}]");
        assert_eq!(row(&two), ["name=Kettle"]);
        let article = json(r#"{"@type": "Article", "name": "Kettle"}"#, "Kettle");
        assert_eq!(row(&format!("{article}{address}")), ["name=Kettle"]);
    }

    #[test]
    fn of_offers_that_say_nothing_else_the_cheapest_counts() {
        let product = |offers: &str| {
            let data = format!(r#"{{"@type": "Product", "name": "Kettle", "offers": {offers}}}"#);
            row(&json(&data, "Kettle"))
        };
        let sale = product(r#"[{"price": "18.00"}, {"price": "17.10"}]"#);
        assert_eq!(sale, ["name=Kettle", "price=17.10"]);
        let sold_out = product(r#"{"price": 0, "availability": "OutOfStock"}"#);
        assert_eq!(sold_out, ["name=Kettle", "availability=OutOfStock"]);
        let free = product(r#"{"price": 0, "availability": "InStock"}"#);
        assert_eq!(free, ["name=Kettle", "price=0", "availability=InStock"]);
    }

    #[test]
    fn properties_in_no_item_are_those_of_the_thing() {
        let article = r#"<h1>Soup</h1><script type=application/ld+json>{"@type": "Article", "headline": "Soup"}</script>
            <ul><li itemprop=recipeIngredient>salt<li itemprop=recipeIngredient>水</ul>"#;
        let page = format!("{article}<i itemscope></i>");
        assert_eq!(row(&page), ["headline=Soup", "recipeIngredient=salt|水"]);
        let scattered = format!("{page}<p><b itemprop=recipeIngredient>fish</b>");
        assert_eq!(row(&scattered), ["headline=Soup"]);
    }

    #[test]
    fn an_element_that_shows_a_list_is_a_list() {
        let recipe = |list: &str| {
            format!(
                "<h1>Soup</h1><div itemscope itemtype=https://schema.org/Recipe><b itemprop=name>Soup</b>{list}</div>"
            )
        };
        let list =
            recipe("<ul itemprop=ingredients><li>salt &amp; oil</li> <li><b>水</b></li></ul>");
        assert_eq!(row(&list), ["name=Soup", "ingredients=salt & oil|水"]);
        let text = recipe("<div itemprop=text>Take <ul><li>salt</li><li>水</li></ul></div>");
        assert_eq!(row(&text), ["name=Soup", "text=Take salt 水"]);
    }

    #[test]
    fn references_in_a_circle_end() {
        let data = r##"{"@graph": [{"@type": "Product", "name": "Kettle", "brand": {"@id": "#b"}, "maker": {"@id": "#m"}},
            {"@id": "#b", "name": {"@id": "#m"}}, {"@id": "#m", "name": {"@id": "#b"}}]}"##;
        assert_eq!(row(&json(data, "Kettle")), ["name=Kettle"]);
    }
}
