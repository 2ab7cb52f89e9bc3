//! Which state does a page hand to its scripts?
//!
//! Applications that are drawn in the browser bring their data along: as `application/json`, as the
//! value of a variable, as text for `JSON.parse`, as the rows of React's server components, as Nuxt's
//! list of references, or as JSON in an attribute. Nothing is run; what cannot be read without being
//! run is left out.
//!
//! | written as | by |
//! |---|---|
//! | `<script type="application/json">{...}` | Next.js (`__NEXT_DATA__`), Shopify, many |
//! | `<script type="application/json" id="__NUXT_DATA__">[{"a": 1}, ...` | Nuxt 3: see [`nuxt`](super::nuxt) |
//! | `self.__next_f.push([1, "..."])` | Next.js, app router: see [`flight`](super::flight) |
//! | `window.__NUXT__ = (function(a, b) {return {...}}(1, 2))` | Nuxt 2 |
//! | `window.X = {...}`, `var x = {...}` | many |
//! | `window.X = JSON.parse("...")` | many |
//! | `data-x="{&quot;a&quot;: 1}"` | many |
//!
//! Cost: scripts are searched for `=`. What is tried and turns out to be code is read again from the
//! next `=`, within [`TRIED_TIMES`].

use super::{
    data::Data,
    flight::Flight,
    literal::{Budget, Flaw, Literals, Origin},
    nuxt, scripts,
};
use crate::{
    Span,
    read::tree::{NodeId, Tree},
};
use memchr::memchr_iter;
use std::collections::HashMap;

/// What looks like a value and turns out to be code is given up where the code begins. All such
/// tries together read at most this many times the page: only pages made for it come near.
const TRIED_TIMES: usize = 2;

/// JSON in an attribute is at least as long as this, in bytes: `{"a":1}` is a setting, no state.
const MIN_ATTRIBUTE_BYTES: usize = 16;

/// State, with the name that the page gives it.
pub(super) struct State {
    pub name: String,
    pub span: Span,
    pub data: Data,
}

/// Reads the state of a page.
pub(super) struct StateReader<'r, 'p> {
    tree: &'r Tree<'p>,
    budget: &'r mut Budget,
    /// How many bytes may still be tried in vain.
    tries_left: usize,
    flight: Flight,
    pub states: Vec<State>,
    pub flaws: Vec<(Span, Flaw)>,
}

impl<'r, 'p> StateReader<'r, 'p> {
    pub fn new(tree: &'r Tree<'p>, budget: &'r mut Budget) -> Self {
        StateReader {
            tree,
            budget,
            tries_left: TRIED_TIMES * tree.page().len(),
            flight: Flight::default(),
            states: Vec::new(),
            flaws: Vec::new(),
        }
    }

    /// Takes up an element.
    pub fn element(&mut self, node: NodeId, is_script: bool) {
        self.attributes(node);
        if !is_script {
            return;
        }
        let content = scripts::content(self.tree, node);
        match self.kind_of(node) {
            ScriptKind::Json => self.json(node, content),
            ScriptKind::Code => self.code(content),
            ScriptKind::Other => {}
        }
    }

    /// Ends the page.
    pub fn finish(mut self) -> (Vec<State>, Vec<(Span, Flaw)>) {
        match self.flight.read(self.budget) {
            Ok(Some((span, data))) => self.add("self.__next_f", span, data),
            Ok(None) => {}
            Err((span, flaw)) => self.flaws.push((span, flaw)),
        }
        (self.states, self.flaws)
    }

    fn add(&mut self, name: &str, span: Span, data: Data) {
        let is_empty = match &data {
            Data::Null | Data::Scalar(_) => true,
            Data::List(items) => items.is_empty(),
            Data::Object(object) => object.properties.is_empty(),
        };
        if !is_empty {
            let name = name.to_owned();
            self.states.push(State { name, span, data });
        }
    }

    fn kind_of(&self, node: NodeId) -> ScriptKind {
        let kind = self.tree.attribute(node, "type").unwrap_or("").trim();
        let kind = kind.split(';').next().unwrap_or(kind).to_ascii_lowercase();
        match kind.as_str() {
            // JSON-LD is read elsewhere.
            "application/ld+json" => ScriptKind::Other,
            "" | "module" | "text/javascript" | "application/javascript" => ScriptKind::Code,
            kind if kind.ends_with("/json") || kind.ends_with("+json") => ScriptKind::Json,
            _ => ScriptKind::Other,
        }
    }

    fn json(&mut self, node: NodeId, content: Span) {
        let tree = self.tree;
        let text = content.of(tree.page());
        let (before, text) = scripts::without_wrapping(text);
        if text.is_empty() {
            return;
        }
        let origin = Origin::At(content.start as usize + before);
        let data = match Literals::new(text, origin, self.budget).whole() {
            Ok(data) => data,
            Err(flaw) => return self.flaws.push((content, flaw)),
        };
        let name = json_name(tree, node);
        let data = if nuxt::is_list_of_references(&data) {
            nuxt::resolved(&data, self.budget)
        } else {
            Ok(data)
        };
        match data {
            Ok(data) => self.add(&name, content, data),
            Err(flaw) => self.flaws.push((content, flaw)),
        }
    }

    /// Looks for values that are assigned in a script.
    fn code(&mut self, content: Span) {
        let tree = self.tree;
        let code = content.of(tree.page());
        self.flight.add(code, content);
        let mut read_to = 0;
        for equals in memchr_iter(b'=', code.as_bytes()) {
            if equals < read_to {
                continue;
            }
            let after = code[equals + 1..].trim_start();
            let at = code.len() - after.len();
            let Some(name) = assigned_name(&code[..equals]) else {
                continue;
            };
            let span = Span::new(content.start as usize + at, content.end as usize);
            let (tried, end) = if after.starts_with(['{', '[']) {
                self.literal(code, at, content.start as usize)
            } else if after.starts_with("JSON.parse(") {
                self.parsed_text(code, at, content.start as usize)
            } else if after.starts_with("(function(") {
                self.returned(code, at, content.start as usize)
            } else {
                continue;
            };
            match tried {
                Ok(_) if is_operand(code, end) => read_to = end,
                Ok(data) => {
                    read_to = end;
                    self.add(
                        name,
                        Span {
                            end: content.start + end as u32,
                            ..span
                        },
                        data,
                    );
                }
                Err(Flaw::Broken) => {
                    // It is code.
                    let cost = end.saturating_sub(at);
                    if cost > self.tries_left {
                        return self.flaws.push((content, Flaw::TooMany));
                    }
                    self.tries_left -= cost;
                }
                Err(flaw) => return self.flaws.push((span, flaw)),
            }
        }
    }

    /// `{...}` or `[...]` that begins at a place of a script; also where reading ended.
    fn literal(&mut self, code: &str, at: usize, offset: usize) -> (Result<Data, Flaw>, usize) {
        let mut literals = Literals::new(code, Origin::At(offset), self.budget).starting_at(at);
        let data = literals.value();
        (data, literals.position())
    }

    /// `JSON.parse("...")`: the value that the string holds.
    fn parsed_text(&mut self, code: &str, at: usize, offset: usize) -> (Result<Data, Flaw>, usize) {
        let start = at + "JSON.parse(".len();
        let mut literals = Literals::new(code, Origin::At(offset), self.budget).starting_at(start);
        let text = literals.string_value();
        let end = literals.position();
        let span = Span::new(offset + start, offset + end.max(start));
        let data =
            text.and_then(|text| Literals::new(&text, Origin::Within(span), self.budget).whole());
        (data, end)
    }

    /// `(function(a, b) {return {...}}(1, 2))`: what it returns, with the arguments in place.
    fn returned(&mut self, code: &str, at: usize, offset: usize) -> (Result<Data, Flaw>, usize) {
        let mut end = at;
        let data = returned(code, at, Origin::At(offset), self.budget, &mut end);
        (data, end)
    }

    /// JSON in attributes.
    fn attributes(&mut self, node: NodeId) {
        let page = self.tree.page();
        for attribute in self.tree.attributes(node) {
            let Some(span) = attribute
                .value
                .filter(|span| span.len() >= MIN_ATTRIBUTE_BYTES)
            else {
                continue;
            };
            let raw = span.of(page).trim_start();
            if !raw.starts_with(['{', '[']) {
                continue;
            }
            let decoded = htmlize::unescape_attribute(span.of(page));
            let origin = match &decoded {
                std::borrow::Cow::Borrowed(_) => Origin::At(span.start as usize),
                std::borrow::Cow::Owned(_) => Origin::Within(span),
            };
            // Most of what begins with a bracket is an expression of some framework.
            let Ok(data) = Literals::new(&decoded, origin, self.budget).whole() else {
                continue;
            };
            self.add(&attribute.name.of(page).to_ascii_lowercase(), span, data);
        }
    }
}

enum ScriptKind {
    Json,
    Code,
    Other,
}

/// What a script with JSON is called: by its id, else by the first attribute that says what it
/// holds, else by its type.
fn json_name(tree: &Tree<'_>, node: NodeId) -> String {
    if let Some(id) = tree.attribute(node, "id").filter(|id| !id.is_empty()) {
        return id.to_owned();
    }
    let page = tree.page();
    for attribute in tree.attributes(node) {
        let name = attribute.name.of(page);
        if name.starts_with("data-") {
            return name.to_ascii_lowercase();
        }
    }
    "application/json".to_owned()
}

/// The name before an equals sign: `window.__STATE__`; `None` where the sign compares or the value
/// is set inside of something that has no name.
fn assigned_name(before: &str) -> Option<&str> {
    let before = before.trim_end();
    let is_part = |letter: char| {
        letter.is_alphanumeric() || matches!(letter, '_' | '$' | '.' | '[' | ']' | '"' | '\'')
    };
    let name = before.rsplit(|letter| !is_part(letter)).next()?;
    name.contains(char::is_alphabetic).then_some(name)
}

/// The place after the `{return` of a function, with its parameters; `None` for other functions.
fn function_head(code: &str, at: usize) -> Option<(Vec<&str>, usize)> {
    let rest = code[at..].strip_prefix("(function(")?;
    let is_parameter =
        |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$' | ',' | ' ');
    let end = rest.find(|letter| !is_parameter(letter))?;
    let parameters = rest[..end].split(',').map(str::trim);
    let body = rest[end..].strip_prefix(')')?.trim_start();
    let value = body
        .strip_prefix('{')?
        .trim_start()
        .strip_prefix("return")?;
    let parameters = parameters.filter(|name| !name.is_empty()).collect();
    Some((parameters, code.len() - value.len()))
}

/// What a function that is called where it is written returns; `end` becomes the place up to which
/// was read.
fn returned(
    code: &str,
    at: usize,
    origin: Origin,
    budget: &mut Budget,
    end: &mut usize,
) -> Result<Data, Flaw> {
    let (parameters, value_start) = function_head(code, at).ok_or(Flaw::Broken)?;
    // The arguments come after the value that they are used in: it is read twice.
    let mut first = Literals::new(code, origin, budget)
        .starting_at(value_start)
        .ignoring_names();
    let skipped = first.value();
    *end = first.position();
    skipped?;
    let arguments_start = after_brace(code, *end).ok_or(Flaw::Broken)?;
    let mut arguments = Literals::new(code, origin, budget).starting_at(arguments_start);
    let mut names = HashMap::new();
    for parameter in parameters {
        if arguments.peek() == Some(b')') {
            break;
        }
        names.insert(parameter, arguments.value()?);
        if !arguments.skip(b',') {
            break;
        }
    }
    *end = arguments.position();
    Literals::new(code, origin, budget)
        .starting_at(value_start)
        .with_names(names)
        .ignoring_names()
        .value()
}

/// The place after the `}(` or `})(` that ends a function and calls it.
fn after_brace(code: &str, at: usize) -> Option<usize> {
    let rest = code.get(at..)?.trim_start().trim_start_matches(';');
    let rest = rest.trim_start().strip_prefix('}')?.trim_start();
    let rest = rest.strip_prefix(')').unwrap_or(rest).trim_start();
    let rest = rest.strip_prefix('(')?;
    Some(code.len() - rest.len())
}

/// Whether a script goes on with the value that ends here: `[1, 2].map(...)` is no value.
fn is_operand(code: &str, end: usize) -> bool {
    code[end..]
        .trim_start()
        .starts_with(['.', '[', '(', '+', '?', '|', '&', '*'])
}
