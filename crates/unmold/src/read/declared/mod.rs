//! What does a page declare to machines?
//!
//! A page says of itself what it is about: as JSON-LD, as microdata or RDFa Lite in its elements, as
//! Open Graph, as `<meta>`, and in the state that it hands to its own scripts. [`Declared`] holds all
//! of it in one form: things with named values, each with its place in the page.
//!
//! ```
//! use unmold::read::{declared::Declared, tree::Tree};
//!
//! let page = r#"<meta property="og:title" content="Kettle"><script type="application/ld+json">
//!     {"@type": "Product", "name": "Kettle", "offers": {"price": 48.50}}</script>"#;
//! let declared = Declared::of(&Tree::new(page));
//! let said: Vec<String> = declared
//!     .statements()
//!     .iter()
//!     .map(|said| format!("{} {} {}", said.kind, said.path, said.value.text))
//!     .collect();
//! assert_eq!(said, ["Product name Kettle", "Product offers.price 48.50", " og:title Kettle"]);
//! ```
//!
//! | vocabulary | where |
//! |---|---|
//! | JSON-LD | `<script type="application/ld+json">` |
//! | microdata | `itemscope`, `itemprop`, `itemref` |
//! | RDFa Lite | `typeof`, `property` |
//! | Open Graph | `<meta property="og:title">` and other names with a prefix |
//! | meta | all other `<meta>` with a name |
//! | state | data of applications: see `state` |
//!
//! Nothing is run. What is broken is left out, and [`Declared::flaws`] says so. The work is linear in
//! the page; depth and number of values are bounded, and that is said, too.

mod address;
mod data;
mod flight;
mod items;
mod linked_data;
mod literal;
mod meta;
mod nuxt;
mod pushed;
mod row;
pub(crate) mod scripts;
mod state;
mod subject;

pub use data::{Data, Object, Scalar};
pub use literal::Flaw;
pub use row::{DeclaredField, DeclaredRow};
pub(crate) use {
    data::{TYPE, short_name},
    linked_data::of_script,
    literal::Budget,
    row::term,
};

use self::{items::MICRODATA, meta::Metas, state::StateReader};
use super::tree::{ByName, NodeId, Tree};
use crate::Span;
use serde::{Serialize, Serializer};

/// How something is declared. The order is that in which they are trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Vocabulary {
    /// JSON-LD in a script.
    JsonLd,
    /// Elements with `itemprop`.
    Microdata,
    /// Elements with `property` in others with `typeof`.
    Rdfa,
    /// `<meta>` whose name has a prefix.
    OpenGraph,
    /// All other `<meta>`.
    Meta,
    /// Data for the page's own scripts.
    State,
}

impl Vocabulary {
    /// Whether values are what elements show.
    pub(super) fn is_in_elements(self) -> bool {
        match self {
            Vocabulary::Microdata | Vocabulary::Rdfa => true,
            Vocabulary::JsonLd | Vocabulary::OpenGraph | Vocabulary::Meta | Vocabulary::State => {
                false
            }
        }
    }

    /// What it is called: `json-ld`.
    pub fn name(self) -> &'static str {
        match self {
            Vocabulary::JsonLd => "json-ld",
            Vocabulary::Microdata => "microdata",
            Vocabulary::Rdfa => "rdfa",
            Vocabulary::OpenGraph => "open-graph",
            Vocabulary::Meta => "meta",
            Vocabulary::State => "state",
        }
    }
}

/// What a page declares.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Declared {
    things: Vec<DeclaredThing>,
    flaws: Vec<DeclaredFlaw>,
    /// The number of the block of microdata that is in no item.
    #[serde(skip)]
    outside_items: Option<usize>,
}

/// One block of data as the page declares it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct DeclaredThing {
    /// How it is declared.
    pub vocabulary: Vocabulary,
    /// What the page calls the block: the variable or the id of state; else empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Where the block is; of an item, its start tag.
    #[serde(serialize_with = "as_pair")]
    pub span: Span,
    /// Its values.
    pub data: Data,
}

/// A block of data that was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DeclaredFlaw {
    /// How it is declared.
    pub vocabulary: Vocabulary,
    /// Where it is.
    #[serde(serialize_with = "as_pair")]
    pub span: Span,
    /// Why it was not read.
    pub flaw: Flaw,
}

/// One declared value.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Statement<'d> {
    /// How it is declared.
    pub vocabulary: Vocabulary,
    /// The number of the block that it is in.
    pub block: usize,
    /// The type of the outermost thing that it is said of; empty where it has none.
    pub kind: &'d str,
    /// The names that lead to it, with dots between: `offers.price`.
    pub path: String,
    /// The value.
    pub value: &'d Scalar,
    /// Its number in the innermost list around it.
    pub item: Option<usize>,
}

/// The elements that are looked at for what their names say.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    Meta,
    Script,
    Other,
}

impl Element {
    fn of(name: &str) -> Self {
        match name {
            "meta" => Element::Meta,
            "script" => Element::Script,
            _ => Element::Other,
        }
    }
}

impl Declared {
    /// What a page declares by the vocabularies that are meant for all readers: everything but
    /// state.
    pub fn of(tree: &Tree<'_>) -> Self {
        Declared::read(tree, false)
    }

    /// The same with the state that the page hands to its own scripts.
    pub fn with_state(tree: &Tree<'_>) -> Self {
        Declared::read(tree, true)
    }

    /// The state of a page that shows nothing, with what its scripts push.
    pub(crate) fn of_shell_state(tree: &Tree<'_>) -> Self {
        let mut declared = Declared::default();
        let mut budget = Budget::of(tree.page());
        declared.state(tree, &mut budget);
        for (span, data) in pushed::read(tree, &mut budget) {
            declared.push(Vocabulary::State, span, data);
        }
        declared
    }

    /// The state alone.
    pub(crate) fn of_state(tree: &Tree<'_>) -> Self {
        let mut declared = Declared::default();
        declared.state(tree, &mut Budget::of(tree.page()));
        declared
    }

    fn read(tree: &Tree<'_>, with_state: bool) -> Self {
        let mut declared = Declared::default();
        let mut budget = Budget::of(tree.page());
        let mut metas = Metas::default();
        let mut elements = ByName::default();
        for node in tree.nodes() {
            match elements.of(tree, node, Element::of) {
                Some(Element::Meta) => metas.add(tree, node),
                Some(Element::Script) => declared.linked_data(tree, node, &mut budget),
                Some(Element::Other) | None => {}
            }
        }
        declared.items(tree, &mut budget);
        declared.metas(metas);
        if with_state {
            declared.state(tree, &mut budget);
        }
        declared
    }

    fn push(&mut self, vocabulary: Vocabulary, span: Span, data: Data) {
        self.things.push(DeclaredThing {
            vocabulary,
            name: String::new(),
            span,
            data,
        });
    }

    fn flaw(&mut self, vocabulary: Vocabulary, span: Span, flaw: Flaw) {
        self.flaws.push(DeclaredFlaw {
            vocabulary,
            span,
            flaw,
        });
    }

    fn linked_data(&mut self, tree: &Tree<'_>, node: NodeId, budget: &mut Budget) {
        match of_script(tree, node, budget) {
            None => {}
            Some(Ok(data)) => self.push(Vocabulary::JsonLd, tree.span(node), data),
            Some(Err(flaw)) => self.flaw(Vocabulary::JsonLd, tree.span(node), flaw),
        }
    }

    fn items(&mut self, tree: &Tree<'_>, budget: &mut Budget) {
        for (vocabulary, names) in [
            (Vocabulary::Microdata, &MICRODATA),
            (Vocabulary::Rdfa, &items::RDFA),
        ] {
            match items::read(tree, names, budget) {
                Ok(found) => {
                    for (span, item) in found.items {
                        self.push(vocabulary, span, Data::Object(item));
                    }
                    // `property` is an attribute of all `<meta>`.
                    if let Some((span, outside)) = found.outside
                        && vocabulary == Vocabulary::Microdata
                    {
                        self.outside_items = Some(self.things.len());
                        self.push(vocabulary, span, Data::Object(outside));
                    }
                }
                Err(flaw) => {
                    let page = Span::new(0, tree.page().len());
                    self.flaw(vocabulary, page, flaw);
                }
            }
        }
    }

    fn metas(&mut self, metas: Metas) {
        for (vocabulary, span, object) in [
            (
                Vocabulary::OpenGraph,
                metas.open_graph_span,
                metas.open_graph,
            ),
            (Vocabulary::Meta, metas.plain_span, metas.plain),
        ] {
            if !object.properties.is_empty() {
                self.push(vocabulary, span, Data::Object(object));
            }
        }
    }

    fn state(&mut self, tree: &Tree<'_>, budget: &mut Budget) {
        let mut reader = StateReader::new(tree, budget);
        let mut elements = ByName::default();
        for node in tree.nodes() {
            if let Some(element) = elements.of(tree, node, Element::of) {
                reader.element(node, element == Element::Script);
            }
        }
        let (states, flaws) = reader.finish();
        for state in states {
            self.things.push(DeclaredThing {
                vocabulary: Vocabulary::State,
                name: state.name,
                span: state.span,
                data: state.data,
            });
        }
        for (span, flaw) in flaws {
            self.flaw(Vocabulary::State, span, flaw);
        }
    }

    /// The blocks of data: the vocabularies in the order of their trust, each in the order of the
    /// page.
    pub fn things(&self) -> &[DeclaredThing] {
        &self.things
    }

    /// The microdata in no item: properties of the page's own thing whose author forgot the element
    /// around.
    pub(super) fn outside_items(&self) -> Option<&Object> {
        self.things.get(self.outside_items?)?.data.object()
    }

    /// What was not read, and why.
    pub fn flaws(&self) -> &[DeclaredFlaw] {
        &self.flaws
    }

    /// Whether the page declares nothing.
    pub fn is_empty(&self) -> bool {
        self.things.is_empty()
    }

    /// All declared values in order.
    pub fn statements(&self) -> Vec<Statement<'_>> {
        let mut statements = Vec::new();
        for (block, thing) in self.things.iter().enumerate() {
            let mut walk = StatementWalk {
                vocabulary: thing.vocabulary,
                block,
                kind: "",
                path: Vec::new(),
                item: None,
                statements: &mut statements,
            };
            walk.add(&thing.data);
        }
        statements
    }
}

/// A span as its two ends.
fn as_pair<S: Serializer>(span: &Span, serializer: S) -> Result<S::Ok, S::Error> {
    [span.start, span.end].serialize(serializer)
}

/// Goes through a block of data.
struct StatementWalk<'w, 'd> {
    vocabulary: Vocabulary,
    block: usize,
    kind: &'d str,
    path: Vec<&'d str>,
    item: Option<usize>,
    statements: &'w mut Vec<Statement<'d>>,
}

impl<'d> StatementWalk<'_, 'd> {
    fn add(&mut self, data: &'d Data) {
        match data {
            Data::Null => {}
            Data::Scalar(value) => self.statements.push(Statement {
                vocabulary: self.vocabulary,
                block: self.block,
                kind: self.kind,
                path: self.path.join("."),
                value,
                item: self.item,
            }),
            Data::List(items) => {
                let outer = self.item;
                for (number, item) in items.iter().enumerate() {
                    // What lists things at the top is no list of values.
                    self.item = (!self.path.is_empty()).then_some(number);
                    self.add(item);
                }
                self.item = outer;
            }
            Data::Object(object) => self.object(object),
        }
    }

    fn object(&mut self, object: &'d Object) {
        let outer = self.kind;
        if self.path.is_empty() {
            self.kind = object.types().next().unwrap_or("");
        }
        for (name, value) in &object.properties {
            match name.as_str() {
                // The type is said with each value, the context is of the vocabulary.
                TYPE if self.path.is_empty() => {}
                "@context" => {}
                "@graph" => self.add(value),
                name => {
                    self.path.push(name);
                    self.add(value);
                    self.path.pop();
                }
            }
        }
        self.kind = outer;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(page: &str) -> Vec<String> {
        let declared = Declared::with_state(&Tree::new(page));
        declared
            .statements()
            .iter()
            .map(|said| {
                let vocabulary = said.vocabulary.name();
                format!(
                    "{vocabulary} {}:{} {}",
                    said.kind, said.path, said.value.text
                )
            })
            .collect()
    }

    /// One thing in each form.
    #[test]
    fn every_vocabulary_is_read() {
        for (page, vocabulary) in [
            (
                r#"<script type="application/ld+json; charset=utf-8"><!-- {"@context": "https://schema.org", "@graph": [
                    {"@type": "https://schema.org/Product", "name": "Чайник", "offers": {"price": 48.50,},},]} --></script>"#,
                "json-ld Product",
            ),
            (
                "<div itemscope itemtype='https://schema.org/Product'><b itemprop=name>Чайник</b>
                    <p itemprop=offers itemscope><data itemprop=price value=48.50>48,50</data></div>",
                "microdata Product",
            ),
            (
                "<div vocab='https://schema.org/' typeof=Product><b property=name>Чайник</b>
                    <p property=offers typeof=Offer><i property=price content=48.50>48,50</i></div>",
                "rdfa Product",
            ),
            (
                r#"<script id=__NEXT_DATA__ type="application/json">{"name": "Чайник", "offers": {"price": 48.50}}</script>"#,
                "state ",
            ),
            (
                r#"<script>window.x = 5; window.STATE = {name: 'Чайник', offers: {price: 48.50}};</script>"#,
                "state ",
            ),
            (
                r#"<script>window["S"]=JSON.parse("{\"name\": \"Чайник\", \"offers\": {\"price\": 48.50}}")</script>"#,
                "state ",
            ),
            (
                "<script>window.__NUXT__=(function(a,b){return {name:a,offers:{price:b}}}('Чайник',48.50));</script>",
                "state ",
            ),
            (
                r#"<div data-product='{"name": "Чайник", "offers": {"price": 48.50}}'></div>"#,
                "state ",
            ),
            (
                r#"<div data-product="{&quot;name&quot;: &quot;Чайник&quot;, &quot;offers&quot;: {&quot;price&quot;: 48.50}}"></div>"#,
                "state ",
            ),
            (
                r#"<script type="application/json" id="__NUXT_DATA__">[{"name": 1, "offers": 2}, "Чайник", {"price": 3}, 48.50]</script>"#,
                "state ",
            ),
        ] {
            let said = said(page);
            for expected in ["name Чайник", "offers.price 48.50"] {
                let expected = format!("{vocabulary}:{expected}");
                assert!(said.contains(&expected), "{page}\n{said:?}");
            }
        }
    }

    #[test]
    fn metas_are_by_name() {
        let page =
            "<meta property=og:title content=A><meta name=author content='B &amp; C'><meta name=x>
            <meta property=product:price:amount content=5>";
        assert_eq!(
            said(page),
            [
                "open-graph :og:title A",
                "open-graph :product:price:amount 5",
                "meta :author B & C"
            ]
        );
    }

    #[test]
    fn items_own_what_is_nearest_and_what_they_refer_to() {
        let page = "<div itemscope itemtype=Recipe itemref='more none'><p itemprop='author creator' itemscope itemtype=Person>
            <b itemprop=name>Ann</b></p><a itemprop=url href='/x?a=1&amp;b=2'>x</a></div><p id=more><i itemprop=yield>4</i></p>";
        assert_eq!(
            said(page),
            [
                "microdata Recipe:author.@type Person",
                "microdata Recipe:author.name Ann",
                "microdata Recipe:creator.@type Person",
                "microdata Recipe:creator.name Ann",
                "microdata Recipe:url /x?a=1&b=2",
                "microdata Recipe:yield 4",
            ]
        );
    }

    #[test]
    fn code_is_no_state() {
        for code in [
            "if (a == {b: 1}) {}",
            "x = {run: function() { return 1 }};",
            "x = [1, 2].map(f)",
            "x = `{`",
            "= {",
            "a.b = JSON.parse(text)",
            "x=(function(a){return a.b})(1)",
            "x=(function(",
            "self.__next_f.push([1,",
        ] {
            let page = format!("<script>{code}</script>");
            assert_eq!(said(&page), [""; 0], "{code}");
        }
    }

    #[test]
    fn what_is_not_read_is_said() {
        let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
        let many = format!("[{}0]", "0,".repeat(literal::MAX_VALUES));
        for (json, flaw) in [
            ("{\"a\": ", Flaw::Broken),
            (deep.as_str(), Flaw::TooDeep),
            (many.as_str(), Flaw::TooMany),
        ] {
            let page = format!(
                "<script type=application/ld+json>{json}</script><script type=application/ld+json>{{\"a\": 1}}</script>"
            );
            let declared = Declared::of(&Tree::new(&page));
            assert_eq!(declared.flaws()[0].flaw, flaw);
            let spent = flaw == Flaw::TooMany;
            assert_eq!(declared.things().len(), usize::from(!spent), "{flaw:?}");
        }
    }
}
