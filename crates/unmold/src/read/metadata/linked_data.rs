//! What does a page say in JSON-LD?

use super::{BESIDE, LINKED_DATA, Markup, filled, language_tag};
use crate::{
    Span,
    read::{
        html::visible_text,
        tree::{NodeId, Tree},
    },
};
use serde_json::{Map, Value};
use std::collections::HashMap;

type Thing = Map<String, Value>;

impl Markup {
    /// JSON-LD in a script.
    pub(super) fn linked_data(&mut self, tree: &Tree<'_>, node: NodeId) {
        let is_json = |kind: &str| kind.trim().eq_ignore_ascii_case("application/ld+json");
        if !tree.attribute(node, "type").is_some_and(is_json) {
            return;
        }
        let tag = tree.token(node).span;
        let inside = Span {
            start: tag.end,
            end: tree.span(node).end,
        }
        .of(tree.page());
        if let Some(data) = parse(inside) {
            let names = Names::of(&data);
            let mut things = Vec::new();
            add_things(&data, &mut things);
            things.iter().for_each(|thing| self.take(thing, &names));
        }
    }

    /// Takes what is said of a thing, if it is one that somebody wrote, or the site.
    fn take(&mut self, thing: &Thing, names: &Names<'_>) {
        let named = |key: &str| {
            thing
                .get(key)
                .and_then(|value| names.all(value).into_iter().next())
        };
        if is_of_type(thing, "WebSite") {
            return self.site.hear(1, named("name"));
        }
        let is_work = ["headline", "datePublished", "author", "offers"]
            .iter()
            .any(|key| thing.contains_key(*key));
        if !is_work || BESIDE.iter().any(|kind| is_of_type(thing, kind)) {
            return;
        }
        self.title.hear(LINKED_DATA, named("headline"));
        self.date.hear(LINKED_DATA, named("datePublished"));
        self.description.hear(2, named("description"));
        self.language.hear(
            2,
            named("inLanguage").and_then(|language| language_tag(&language)),
        );
        self.site.hear(3, named("publisher"));
        if self.authors.is_open(LINKED_DATA) {
            let authors = thing
                .get("author")
                .map(|value| names.all(value))
                .unwrap_or_default();
            authors
                .iter()
                .for_each(|names| self.author_list(LINKED_DATA, names));
        }
        let keywords = thing
            .get("keywords")
            .map(|value| names.all(value))
            .unwrap_or_default();
        keywords.iter().for_each(|list| self.tag_list(list));
    }
}

/// Reads JSON that may stand in a comment and may have line breaks inside of strings.
fn parse(script: &str) -> Option<Value> {
    let (start, end) = (script.find(['{', '['])?, script.rfind(['}', ']'])?);
    let json = script.get(start..=end)?;
    serde_json::from_str(json)
        .ok()
        .or_else(|| serde_json::from_str(&json.replace(char::is_control, " ")).ok())
}

/// The things that a page is about, from the outside in; not those that they only mention.
fn add_things<'v>(value: &'v Value, things: &mut Vec<&'v Thing>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| add_things(value, things)),
        Value::Object(thing) => {
            things.push(thing);
            let inside = ["@graph", "mainEntity", "mainEntityOfPage", "isPartOf"];
            inside
                .iter()
                .filter_map(|key| thing.get(*key))
                .for_each(|value| add_things(value, things));
        }
        _ => {}
    }
}

fn is_of_type(thing: &Thing, name: &str) -> bool {
    match thing.get("@type") {
        Some(Value::String(kind)) => kind == name,
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == name),
        _ => false,
    }
}

/// The names of things that are referred to by an id.
#[derive(Default)]
struct Names<'v>(HashMap<&'v str, &'v Value>);

impl<'v> Names<'v> {
    fn of(data: &'v Value) -> Self {
        let mut names = Names::default();
        names.add(data);
        names
    }

    fn add(&mut self, value: &'v Value) {
        match value {
            Value::Array(values) => values.iter().for_each(|value| self.add(value)),
            Value::Object(thing) => {
                if let (Some(Value::String(id)), Some(name)) = (thing.get("@id"), thing.get("name"))
                {
                    self.0.entry(id).or_insert(name);
                }
                thing.values().for_each(|value| self.add(value));
            }
            _ => {}
        }
    }

    /// The texts of a value: itself, the name of a thing, or those of several.
    fn all(&self, value: &Value) -> Vec<String> {
        match value {
            Value::String(text) => filled(visible_text(text)).into_iter().collect(),
            Value::Array(values) => values.iter().flat_map(|value| self.all(value)).collect(),
            Value::Object(thing) => {
                let referred = || {
                    thing
                        .get("@id")
                        .and_then(Value::as_str)
                        .and_then(|id| self.0.get(id).copied())
                };
                match thing
                    .get("name")
                    .or_else(|| thing.get("@value"))
                    .or_else(referred)
                {
                    // A name is a text or several; one that is a thing could lead back here.
                    Some(name @ (Value::String(_) | Value::Array(_))) => texts(name),
                    _ => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }
}

fn texts(name: &Value) -> Vec<String> {
    match name {
        Value::String(text) => filled(visible_text(text)).into_iter().collect(),
        Value::Array(names) => names
            .iter()
            .filter_map(Value::as_str)
            .filter_map(|text| filled(visible_text(text)))
            .collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Text, read::metadata::Metadata};

    fn about(json: &str) -> Metadata {
        Metadata::of(
            &Text::from_string(
                "1",
                format!("<script type=application/ld+json>{json}</script>"),
            ),
            None,
        )
    }

    #[test]
    fn authors_in_every_form() {
        for author in [
            r#"["Ann", "Bob"]"#,
            r#"[{"name": "Ann"}, {"@type": "Person", "name": ["Bob"]}]"#,
            r#"{"name": ["Ann", "Bob"]}"#,
            r##"[{"@id": "#a"}, {"@id": "#b", "name": "Bob"}]"##,
        ] {
            let graph = format!(
                r##"{{"@graph": [{{"@type": "Article", "author": {author}, "comment": {{"author": "Carl"}}}},
                {{"@type": "Person", "@id": "#a", "name": "Ann", "description": "Writes."}}, {{"author": "Dan"}}]}}"##
            );
            let about = about(&graph);
            assert_eq!(
                (&about.authors[..], about.description),
                (&["Ann", "Bob"].map(str::to_owned)[..], None),
                "{author}"
            );
        }
    }

    #[test]
    fn the_site_the_language_and_the_tags() {
        let about = about(
            r#"[{"@type": "NewsArticle", "headline": "Egg found", "inLanguage": {"name": "English", "@value": "en"},
            "publisher": {"name": "Eggs Ltd"}, "keywords": "hens, eggs", "isPartOf": {"@type": ["WebSite"], "name": "Egg News"}}]"#,
        );
        assert_eq!(about.site.as_deref(), Some("Egg News"));
        assert_eq!(
            (about.title.as_deref(), &about.tags[..]),
            (Some("Egg found"), &["hens", "eggs"].map(str::to_owned)[..])
        );
    }

    #[test]
    fn comments_and_line_breaks_are_no_obstacle() {
        assert_eq!(
            about("<!--\n{\"headline\": \"Egg\nfound\"}\n//-->")
                .title
                .as_deref(),
            Some("Egg found")
        );
    }

    #[test]
    fn reviewers_and_photographers_are_not_authors() {
        assert!(
            about(r#"{"@type": "ImageObject", "author": "Carl"}"#)
                .authors
                .is_empty()
        );
        assert!(
            about(r#"{"@type": "Product", "offers": {}, "review": [{"author": "Carl"}]}"#)
                .authors
                .is_empty()
        );
    }
}
