//! Rules as Python: functions on parsel, and a Scrapy spider. Code that a person can go on from.

use super::{
    Exported, ExportedRule,
    plan::{FieldRule, GroupPlan},
    provenance, rules,
    selector::{Selector, Take},
};
use crate::{Mold, fields::Field, mold::Group, read::printable};
use std::{collections::HashSet, fmt::Write};

/// What all exported code needs: how texts are read.
const TEXTS: &str = r#"

def texts(found, cut=None):
    """What was found, white space folded; of each the part that `cut` has as its first group. Empty ones are left out."""
    values = [" ".join(value.split()) for value in found]
    if cut:
        matches = [re.search(cut, value) for value in values]
        values = [match.group(1) if match else "" for match in matches]
    return [value for value in values if value]


def text(found, cut=None):
    """The first of them, or None."""
    return next(iter(texts(found[:1], cut)), None)
"#;

/// What only some of it needs, by name.
const HELPERS: [(&str, &str); 2] = [
    (
        "whole(",
        r#"

def whole(elements):
    """All that each element says."""
    return [element.xpath("string()").get() for element in elements]
"#,
    ),
    (
        "joined(",
        r#"

def joined(elements):
    """All texts of each element, with a space between."""
    return [" ".join(element.xpath(".//text()").getall()) for element in elements]
"#,
    ),
];

/// How texts are read, and the functions that do it.
fn functions(plan: &[GroupPlan<'_>], rules: &[ExportedRule]) -> String {
    let mut code = String::new();
    push_functions(&mut code, plan, rules);
    let used = HELPERS
        .iter()
        .filter(|(name, _)| code.contains(name))
        .map(|(_, helper)| *helper);
    std::iter::once(TEXTS).chain(used).collect::<String>() + &code
}

/// Functions on parsel.
pub(super) fn parsel(mold: &Mold, plan: &[GroupPlan<'_>]) -> Exported {
    let rules = written_rules(plan);
    let mut code = header(
        mold,
        plan,
        "    python FILE page.html ...      prints a line of JSON a page",
    );
    code.push_str("import json\nimport re\nimport sys\n\nfrom parsel import Selector\nfrom w3lib.encoding import html_to_unicode\n");
    code.push_str(&functions(plan, &rules));
    code.push_str(
        r#"

if __name__ == "__main__":
    for name in sys.argv[1:]:
        with open(name, "rb") as file:
            page = Selector(text=html_to_unicode(None, file.read())[1])
        print(json.dumps({"page": name, **parse(page)}, ensure_ascii=False))
"#,
    );
    Exported { text: code, rules }
}

/// A spider.
pub(super) fn scrapy(mold: &Mold, plan: &[GroupPlan<'_>]) -> Exported {
    let rules = written_rules(plan);
    let usage = "    scrapy runspider FILE -a urls=\"https://... https://...\" -o items.jsonl";
    let mut code = header(mold, plan, usage);
    code.push_str("import re\n\nimport scrapy\n");
    code.push_str(&functions(plan, &rules));
    let name = plan
        .first()
        .map_or_else(|| "site".to_owned(), |group| slug(&group.group.name));
    _ = write!(
        code,
        r#"

class {}Spider(scrapy.Spider):
    name = "{name}"

    def __init__(self, urls="", **kwargs):
        super().__init__(**kwargs)
        self.start_urls = urls.split()

    def parse(self, response):
        yield {{"url": response.url, **parse(response)}}
"#,
        camel(&name)
    );
    Exported { text: code, rules }
}

fn header(mold: &Mold, plan: &[GroupPlan<'_>], usage: &str) -> String {
    let names: Vec<String> = plan.iter().map(|group| quoted(&group.group.name)).collect();
    let sentences = provenance(mold, plan).join("\n");
    // A name could hold what ends the text.
    let about = format!("Values of pages like {}.", names.join(", "))
        .replace("\"\"\"", "\"")
        .replace('\\', "/");
    format!("\"\"\"{about}\n\n{sentences}\n\n{usage}\n\"\"\"\n")
}

fn written_rules(plan: &[GroupPlan<'_>]) -> Vec<ExportedRule> {
    rules(plan, |selector, is_inside| {
        elements(selector, if is_inside { "row" } else { "page" }, is_inside)
    })
}

fn push_functions(code: &mut String, plan: &[GroupPlan<'_>], rules: &[ExportedRule]) {
    let mut taken: HashSet<String> = HashSet::new();
    let mut names = Vec::new();
    for (number, group) in plan.iter().enumerate() {
        let name = free(&format!("parse_{}", slug(&group.group.name)), &mut taken);
        let own: Vec<&ExportedRule> = rules.iter().filter(|rule| rule.number == number).collect();
        push_function(code, &name, group, &own);
        names.push(name);
    }
    _ = write!(
        code,
        r#"

TEMPLATES = [{}]


def parse(page):
    """The values of a page, by the template that finds most on it."""
    found = [template(page) for template in TEMPLATES]
    return max(found, key=lambda item: sum(bool(value) for value in item.values()))
"#,
        names.join(", ")
    );
}

fn push_function(code: &mut String, name: &str, plan: &GroupPlan<'_>, rules: &[&ExportedRule]) {
    let Group { name: group, .. } = plan.group;
    let about = quoted(group).replace("\"\"\"", "\"").replace('\\', "/");
    _ = write!(
        code,
        "\n\ndef {name}(page):\n    # Pages like {about}.\n    return {{\n"
    );
    for field in &plan.fields {
        let rule = rules
            .iter()
            .find(|rule| rule.list.is_none() && rule.name == field.field.name);
        push_remark(code, "        ", rule.copied());
        if let Some(rule) = &field.rule {
            let reader = if field.field.many { "texts" } else { "text" };
            let written = format!(
                "        {}: {},",
                quoted(&field.field.name),
                value(rule, "page", reader)
            );
            _ = writeln!(code, "{written}{}", example(field.field));
        }
    }
    for list in &plan.lists {
        let rule = rules
            .iter()
            .find(|rule| rule.list.is_none() && rule.name == list.name && rule.take.is_none());
        push_remark(code, "        ", rule.copied());
        let Some(record) = &list.record else { continue };
        _ = writeln!(code, "        {}: [\n            {{", quoted(&list.name));
        for column in &list.columns {
            let rule = rules
                .iter()
                .find(|rule| rule.list.as_ref() == Some(&list.name) && rule.name == column.name);
            push_remark(code, "                ", rule.copied());
            if let Some(rule) = &column.rule {
                let rule = FieldRule {
                    selector: rule.clone(),
                    cut: None,
                };
                _ = writeln!(
                    code,
                    "                {}: {},",
                    quoted(&column.name),
                    value(&rule, "row", "text")
                );
            }
        }
        _ = writeln!(
            code,
            "            }}\n            for row in {}\n        ],",
            elements(record, "page", false)
        );
    }
    code.push_str("    }\n");
}

/// A value that a field had, as a comment: it says what the field is better than its name may.
fn example(field: &Field) -> String {
    /// Longer ones are cut.
    const SHOWN: usize = 40;
    let Some(sample) = field.samples.first() else {
        return String::new();
    };
    let shown: String = printable(sample).chars().take(SHOWN).collect();
    let more = if sample.chars().count() > SHOWN {
        "…"
    } else {
        ""
    };
    format!("  # {shown}{more}")
}

fn push_remark(code: &mut String, indent: &str, rule: Option<&ExportedRule>) {
    if let Some((rule, remark)) = rule.and_then(|rule| Some((rule, rule.remark()?))) {
        _ = writeln!(code, "{indent}# {}: {remark}", quoted(&rule.name));
    }
}

/// A value as an expression.
fn value(rule: &FieldRule, from: &str, reader: &str) -> String {
    let found = strings(&rule.selector, from);
    match &rule.cut {
        Some(cut) => format!("{reader}({found}, {})", raw(cut)),
        None => format!("{reader}({found})"),
    }
}

/// The texts that a selector leads to, as an expression for a list.
fn strings(selector: &Selector, from: &str) -> String {
    let is_inside = from == "row";
    let found = elements(selector, from, is_inside);
    let css = selector.css();
    match (&selector.take, css) {
        (Take::Text, _) => format!("whole({found})"),
        (Take::Texts, _) => format!("joined({found})"),
        (Take::Attribute(name), Some(css)) => {
            format!(
                "{from}.css({}).getall()",
                quoted(&format!("{css}::attr({name})"))
            )
        }
        (Take::OwnText(nth), Some(_)) => format!(
            "{found}.xpath(\"text()[normalize-space()][{}]\").getall()",
            nth + 1
        ),
        (Take::OwnTexts, Some(_)) => {
            format!("{found}.xpath(\"text()[normalize-space()]\").getall()")
        }
        _ => {
            let xpath = if is_inside {
                selector.relative_xpath()
            } else {
                selector.xpath()
            };
            format!("{from}.xpath({}).getall()", quoted(&xpath))
        }
    }
}

/// The elements that a selector leads to, as an expression.
fn elements(selector: &Selector, from: &str, is_inside: bool) -> String {
    match selector.css() {
        Some(css) => format!("{from}.css({})", quoted(&css)),
        None => format!(
            "{from}.xpath({})",
            quoted(&selector.element_xpath(if is_inside { ".//" } else { "//" }))
        ),
    }
}

/// A string as Python reads it: JSON's escapes are Python's too. What holds quotes is put between
/// the others, if it needs no escapes then.
fn quoted(text: &str) -> String {
    if text.contains('"') && !text.contains(['\'', '\\']) && !text.contains(char::is_control) {
        return format!("'{text}'");
    }
    serde_json::to_string(text).unwrap_or_default()
}

/// An expression as a raw string, where that is possible.
fn raw(expression: &str) -> String {
    if expression.contains(['"', '\n', '\r']) || expression.ends_with('\\') {
        return quoted(expression);
    }
    format!("r\"{expression}\"")
}

/// A name that Python takes: letters, digits and underscores.
fn slug(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() {
                letter.to_ascii_lowercase()
            } else {
                '_'
            }
        })
        .collect();
    let words: Vec<&str> = plain.split('_').filter(|word| !word.is_empty()).collect();
    match words.join("_") {
        name if name.is_empty() => "pages".to_owned(),
        name if name.starts_with(|first: char| first.is_ascii_digit()) => format!("pages_{name}"),
        name => name,
    }
}

fn camel(name: &str) -> String {
    let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    name.split('_')
        .filter(|word| !word.is_empty())
        .map(capital)
        .collect()
}

fn free(name: &str, taken: &mut HashSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut free = std::iter::once(name.to_owned()).chain(numbered);
    free.find(|name| taken.insert(name.clone()))
        .unwrap_or_default()
}
