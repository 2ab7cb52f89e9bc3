//! What does a page say in JSON-LD?

use super::{BESIDE, LINKED_DATA, Markup, filled, language_tag};
use crate::read::{
    declared::{self, Budget, Data, Object},
    html::visible_text,
    tree::{NodeId, Tree},
};
use std::collections::HashMap;

impl Markup {
    /// JSON-LD in a script.
    pub(super) fn linked_data(&mut self, tree: &Tree<'_>, node: NodeId) {
        let mut budget = Budget::of(tree.page());
        let Some(Ok(data)) = declared::of_script(tree, node, &mut budget) else {
            return;
        };
        let names = Names::of(&data);
        let mut things = Vec::new();
        add_things(&data, &mut things);
        for thing in things {
            self.take(thing, &names);
        }
    }

    /// Takes what is said of a thing, if it is one that somebody wrote, or the site.
    fn take(&mut self, thing: &Object, names: &Names<'_>) {
        let named = |key: &str| {
            thing
                .get(key)
                .and_then(|value| names.all(value).into_iter().next())
        };
        if thing.is_of_type("WebSite") {
            self.publishers.extend(named("name"));
            return self.site.hear(1, named("name"));
        }
        let is_work = ["headline", "datePublished", "author", "offers"]
            .iter()
            .any(|key| thing.get(key).is_some());
        if !is_work || BESIDE.iter().any(|kind| thing.is_of_type(kind)) {
            return;
        }
        self.titles.work.hear(LINKED_DATA, named("headline"));
        self.date.hear(LINKED_DATA, named("datePublished"));
        self.description.hear(2, named("description"));
        self.language.hear(
            2,
            named("inLanguage").and_then(|language| language_tag(&language)),
        );
        self.publishers.extend(named("publisher"));
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

/// The things that a page is about, from the outside in; not those that they only mention.
fn add_things<'d>(data: &'d Data, things: &mut Vec<&'d Object>) {
    match data {
        Data::Null | Data::Scalar(_) => {}
        Data::List(items) => {
            for item in items {
                add_things(item, things);
            }
        }
        Data::Object(thing) => {
            things.push(thing);
            for key in ["@graph", "mainEntity", "mainEntityOfPage", "isPartOf"] {
                if let Some(inside) = thing.get(key) {
                    add_things(inside, things);
                }
            }
        }
    }
}

/// The names of things that are referred to by an id.
#[derive(Default)]
struct Names<'d>(HashMap<&'d str, &'d Data>);

impl<'d> Names<'d> {
    fn of(data: &'d Data) -> Self {
        let mut names = Names::default();
        names.add(data);
        names
    }

    fn add(&mut self, data: &'d Data) {
        match data {
            Data::Null | Data::Scalar(_) => {}
            Data::List(items) => {
                for item in items {
                    self.add(item);
                }
            }
            Data::Object(thing) => {
                if let (Some(id), Some(name)) = (thing.id(), thing.get("name")) {
                    self.0.entry(id).or_insert(name);
                }
                for (_, value) in &thing.properties {
                    self.add(value);
                }
            }
        }
    }

    /// The texts of a value: itself, the name of a thing, or those of several.
    fn all(&self, value: &Data) -> Vec<String> {
        match value {
            Data::Null => Vec::new(),
            Data::Scalar(_) => texts(value),
            Data::List(items) => items.iter().flat_map(|item| self.all(item)).collect(),
            Data::Object(thing) => {
                let referred = || thing.id().and_then(|id| self.0.get(id).copied());
                let name = thing.get("name").or_else(|| thing.get("@value"));
                // A name is a text or several; one that is a thing could lead back here.
                name.or_else(referred).map(texts).unwrap_or_default()
            }
        }
    }
}

/// The texts of a name: one, or those of a list.
fn texts(name: &Data) -> Vec<String> {
    let mut texts = Vec::new();
    for item in name.items() {
        if let Data::Scalar(scalar) = item
            && scalar.is_text
        {
            texts.extend(filled(visible_text(&scalar.text)));
        }
    }
    texts
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
