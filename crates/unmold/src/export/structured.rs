//! Rules as lines, as a crawl4ai schema, and as a site file for feed readers.

use super::{
    Exported, ExportedRule,
    plan::{Dialect, FieldRule, GroupPlan},
    provenance, rules,
    selector::{Selector, Take},
};
use crate::{Mold, Text};
use serde_json::{Value, json};
use std::fmt::Write;

/// Rules as lines of tab-separated text, for CSS or XPath.
pub(super) fn lines(mold: &Mold, plan: &[GroupPlan<'_>], dialect: Dialect) -> Exported {
    let rules = rules(plan, |selector, is_inside| match dialect {
        Dialect::Css => selector.css().unwrap_or_default(),
        _ if is_inside => selector.relative_xpath(),
        _ => selector.xpath(),
    });
    let mut text = comment(&provenance(mold, plan));
    text.push_str("# A rule a line: name, selector, what of the element is the value, and an expression whose first group it is.\n");
    text.push_str(
        "# [] behind a name: all that are found. list/column: inside each element of the list.\n",
    );
    for (number, group) in plan.iter().enumerate() {
        _ = writeln!(text, "\n# Pages like {:?}", group.group.name);
        rules
            .iter()
            .filter(|rule| rule.number == number)
            .for_each(|rule| push_line(&mut text, rule));
        push_strips(&mut text, group, dialect);
    }
    Exported { text, rules }
}

fn comment(sentences: &[String]) -> String {
    sentences
        .iter()
        .map(|sentence| format!("# {sentence}\n"))
        .collect()
}

fn push_line(text: &mut String, rule: &ExportedRule) {
    let list = rule
        .list
        .as_ref()
        .map_or_else(String::new, |list| format!("{list}/"));
    let name = format!("{list}{}{}", rule.name, if rule.many { "[]" } else { "" });
    if let Some(remark) = rule.remark() {
        _ = writeln!(text, "# {name}: {remark}");
    }
    if let Some(selector) = &rule.rule {
        let parts = [
            Some(&name),
            Some(selector),
            rule.take.as_ref(),
            rule.cut.as_ref(),
        ];
        _ = writeln!(
            text,
            "{}",
            parts
                .into_iter()
                .flatten()
                .cloned()
                .collect::<Vec<_>>()
                .join("\t")
        );
    }
}

fn push_strips(text: &mut String, group: &GroupPlan<'_>, dialect: Dialect) {
    for strip in group.content.iter().flat_map(|content| &content.strip) {
        let written = if dialect == Dialect::Css {
            strip.css()
        } else {
            Some(strip.relative_xpath())
        };
        _ = writeln!(text, "content/strip\t{}", written.unwrap_or_default());
    }
}

/// Rules as a schema of crawl4ai's `JsonXPathExtractionStrategy`; of several groups an array of
/// schemas.
pub(super) fn crawl4ai(plan: &[GroupPlan<'_>]) -> Exported {
    let mut schemas: Vec<Value> = plan.iter().map(schema).collect();
    let whole = if schemas.len() == 1 {
        schemas.remove(0)
    } else {
        Value::Array(schemas)
    };
    let text = serde_json::to_string_pretty(&whole).unwrap_or_default() + "\n";
    Exported {
        text,
        rules: rules(plan, |selector, _| selector.element_xpath("//")),
    }
}

fn schema(group: &GroupPlan<'_>) -> Value {
    let fields = group.fields.iter().filter_map(|field| {
        Some(crawl4ai_field(
            &field.field.name,
            field.rule.as_ref()?,
            field.field.many,
        ))
    });
    let lists = group.lists.iter().filter_map(|list| {
        let columns = list
            .columns
            .iter()
            .filter_map(|column| Some(simple_field(&column.name, column.rule.as_ref()?, ".//")));
        let columns: Vec<Value> = columns.collect();
        Some(json!({
            "name": list.name,
            "selector": list.record.as_ref()?.element_xpath("//"),
            "type": "nested_list",
            "fields": columns,
        }))
    });
    json!({
        "name": group.group.name,
        "baseSelector": "//html",
        "fields": fields.chain(lists).collect::<Vec<_>>(),
    })
}

fn crawl4ai_field(name: &str, rule: &FieldRule, many: bool) -> Value {
    let mut field = simple_field(name, &rule.selector, "//");
    if let Some(cut) = &rule.cut {
        field["type"] = json!("regex");
        field["pattern"] = json!(format!("(?s){cut}"));
    }
    if many {
        let mut value = field.clone();
        value["name"] = json!("value");
        value.as_object_mut().map(|value| value.remove("selector"));
        return json!({"name": name, "selector": rule.selector.element_xpath("//"), "type": "list", "fields": [value]});
    }
    field
}

fn simple_field(name: &str, selector: &Selector, start: &str) -> Value {
    let written = selector.element_xpath(start);
    match &selector.take {
        Take::Attribute(attribute) => {
            json!({"name": name, "selector": written, "type": "attribute", "attribute": attribute})
        }
        _ => json!({"name": name, "selector": written, "type": "text"}),
    }
}

/// The content rules as a site file: `title`, `author`, `date`, `body` and `strip` lines with XPath
/// expressions.
pub(super) fn ftr(mold: &Mold, plan: &[GroupPlan<'_>], pages: &[Text]) -> Exported {
    let mut text = comment(&provenance(mold, plan));
    let mut groups: Vec<&GroupPlan<'_>> = plan.iter().collect();
    // The first line that finds something counts.
    groups.sort_by_key(|group| std::cmp::Reverse(group.pages));
    for group in groups {
        match &group.content {
            Some(content) => {
                _ = writeln!(
                    text,
                    "\n# Pages like {:?}: {:.3} of the text is the same, on average",
                    group.group.name, content.overlap
                );
                let told = [
                    ("title", &content.title),
                    ("author", &content.author),
                    ("date", &content.date),
                ];
                for (name, selector) in told
                    .iter()
                    .filter_map(|(name, selector)| Some((name, selector.as_ref()?)))
                {
                    _ = writeln!(text, "{name}: {}", selector.xpath());
                }
                _ = writeln!(text, "body: {}", content.region.xpath());
                content
                    .strip
                    .iter()
                    .for_each(|strip| _ = writeln!(text, "strip: {}", strip.xpath()));
            }
            None => push_unproven(&mut text, mold, group),
        }
    }
    text.push_str("\nprune: no\ntidy: no\n");
    if let Some(url) = pages.iter().find_map(Text::url) {
        _ = writeln!(text, "test_url: {url}");
    }
    let rules = rules(plan, |selector, _| selector.xpath())
        .into_iter()
        .filter(|rule| rule.name == "content");
    Exported {
        text,
        rules: rules.collect(),
    }
}

/// What a content rule says of its regions, where no page has shown it.
fn push_unproven(text: &mut String, mold: &Mold, group: &GroupPlan<'_>) {
    let of_looks = group
        .group
        .looks
        .iter()
        .filter_map(|look| mold.contents.get(look.content?));
    let regions = of_looks
        .chain(&group.group.content)
        .flat_map(|rule| &rule.regions);
    let mut paths: Vec<&str> = regions
        .filter_map(|region| region.path.split(' ').next_back())
        .filter(|step| !step.is_empty())
        .collect();
    paths.dedup();
    if !paths.is_empty() {
        _ = writeln!(
            text,
            "\n# Pages like {:?}: not proven; digits in names are left out",
            group.group.name
        );
    }
    for step in paths {
        let end = step.find(['.', '#', ':']).unwrap_or(step.len());
        let names = step[end..].split(':').next().unwrap_or_default();
        let mut xpath = format!("//{}", &step[..end]);
        for (at, sign) in names.match_indices(['.', '#']) {
            let name = names[at + 1..].split(['.', '#']).next().unwrap_or_default();
            let attribute = if sign == "#" { "id" } else { "class" };
            _ = write!(xpath, "[contains(@{attribute}, \"{name}\")]");
        }
        _ = writeln!(text, "body: {xpath}");
    }
}
