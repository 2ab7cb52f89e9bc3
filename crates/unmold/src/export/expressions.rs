//! Fields as regular expressions over the source of a page, which Rust's `regex`, Python's `re` and
//! PCRE read alike.
//!
//! Rules of a mold that are expressions already stay as they are. For other fields, what stands
//! before and behind the values on the sample pages is looked at: the label and the tags behind it,
//! or the shortest string that stands before each value. The value is the first group; tags and
//! entities in it are for the reader to take out.

use super::{
    Exported, ExportedRule, Proof, State,
    plan::{cut_of, cut_values},
    regex::{self as mold_rules, Expression},
};
use crate::{
    Extraction, Mold, Text,
    fields::{Field, View},
    lr::expression::literal,
    mold::{Group, Provenance},
    read::html::visible_text,
    strings::BadTemplate,
};
use rayon::prelude::*;
use regex::Regex;
use std::fmt::Write;

pub(super) fn export(mold: &Mold, pages: &[Text]) -> Result<Exported, BadTemplate> {
    let reader = mold.reader();
    let found: Vec<Extraction<'_>> = pages
        .par_iter()
        .filter_map(|page| reader.read(page).ok())
        .collect();
    let mut rules: Vec<ExportedRule> = mold_rules::expressions(mold)?
        .iter()
        .map(|rule| known(rule, mold, &found))
        .collect();
    for (at, group) in mold.groups.iter().enumerate() {
        let own: Vec<&Extraction<'_>> = found
            .iter()
            .filter(|found| found.group() == Some(at))
            .collect();
        let is_position =
            |field: &Field| !field.views.iter().any(|view| matches!(view, View::Lr(_)));
        let fields = group
            .wanted()
            .par_iter()
            .enumerate()
            .filter(|(_, field)| is_position(field));
        rules.par_extend(fields.map(|(number, field)| ExportedRule {
            number: at,
            ..rule(group, field, number, &own)
        }));
    }
    // What the papers' methods learn is expressions alone, and is written as such.
    let text = if mold.learned.method == "fields" {
        written(mold, &rules, pages.len())
    } else {
        plain(mold)?
    };
    Ok(Exported { text, rules })
}

fn plain(mold: &Mold) -> Result<String, BadTemplate> {
    Ok(mold_rules::expressions(mold)?
        .iter()
        .map(|rule| format!("{rule}\n"))
        .collect())
}

/// A rule that is an expression in the mold already; it gives what it gives there.
fn known(rule: &Expression<'_>, mold: &Mold, found: &[Extraction<'_>]) -> ExportedRule {
    let (group, name, expression) = match rule {
        Expression::Field {
            group,
            name,
            expression,
        } => (*group, *name, expression),
        Expression::Template {
            group, expression, ..
        } => (*group, "", expression),
    };
    let is_own = |found: &&Extraction<'_>| {
        found
            .group()
            .is_some_and(|at| mold.groups[at].name == group)
    };
    let pages = found.iter().filter(is_own).count();
    let proof = Proof {
        pages,
        equal: pages,
    };
    ExportedRule {
        number: mold
            .groups
            .iter()
            .position(|known| known.name == group)
            .unwrap_or(0),
        group: group.to_owned(),
        name: name.to_owned(),
        rule: Some(expression.clone()),
        many: true,
        state: State::of(proof, true),
        proof,
        ..ExportedRule::default()
    }
}

fn rule(group: &Group, field: &Field, number: usize, found: &[&Extraction<'_>]) -> ExportedRule {
    let values = |found: &Extraction<'_>| {
        let field = found.fields().nth(number);
        field.map_or_else(Vec::new, |field| {
            field.values().cloned().collect::<Vec<_>>()
        })
    };
    let all: Vec<_> = found
        .iter()
        .map(|found| (found.page().as_str(), values(found)))
        .collect();
    let expected: Vec<Vec<String>> = all
        .iter()
        .map(|(_, values)| values.iter().map(|value| value.text().to_owned()).collect())
        .collect();
    let cut = cut_of(field).and_then(|cut| Regex::new(&cut).ok());
    let is_right = |expression: &Regex, at: usize| {
        given(all[at].0, expression, cut.as_ref(), field.many) == expected[at]
    };
    let mut best: (Option<String>, usize) = (None, 0);
    for candidate in candidates(field, &all) {
        let Ok(expression) = Regex::new(&candidate) else {
            continue;
        };
        let equal = (0..all.len())
            .filter(|&at| is_right(&expression, at))
            .count();
        if equal > best.1 || best.0.is_none() && all.is_empty() {
            best = (Some(candidate), equal);
        }
        if equal == all.len() {
            break;
        }
    }
    let proof = Proof {
        pages: found.len(),
        equal: best.1,
    };
    let rule = best.0.filter(|_| proof.is_good());
    ExportedRule {
        group: group.name.clone(),
        name: field.name.clone(),
        cut: rule.as_ref().and_then(|_| cut_of(field)),
        state: State::of(proof, rule.is_some()),
        rule,
        many: field.many,
        proof,
        ..ExportedRule::default()
    }
}

/// What an expression gives on a page, as a reader sees it.
fn given(page: &str, expression: &Regex, cut: Option<&Regex>, many: bool) -> Vec<String> {
    let found = expression
        .captures_iter(page)
        .map(|found| visible_text(&found[1]));
    let values = found.take(if many { usize::MAX } else { 1 }).collect();
    cut_values(values, cut)
}

/// Expressions that may find a field, those with a label first.
fn candidates(field: &Field, pages: &[(&str, Vec<crate::fields::Value>)]) -> Vec<String> {
    let mut candidates = Vec::new();
    if !field.label.is_empty() && field.prefix.is_empty() {
        let label = field
            .label
            .split_whitespace()
            .map(literal)
            .collect::<Vec<_>>()
            .join("\\s+");
        candidates.push(format!("(?s)>\\s*{label}\\s*(?:<[^>]*>\\s*)+([^<]+)<"));
        candidates.push(format!("(?s){label}\\s*(?:<[^>]*>\\s*)+([^<]+)<"));
    }
    let contexts: Vec<(&str, &str)> = pages
        .iter()
        .flat_map(|(page, values)| {
            values
                .iter()
                .map(|value| value.span())
                .map(|span| (&page[..span.start as usize], &page[span.end as usize..]))
        })
        .collect();
    let Some(&(first_left, first_right)) = contexts.first() else {
        return candidates;
    };
    let left = contexts
        .iter()
        .fold(first_left, |common, (left, _)| shared_end(common, left));
    let right = contexts.iter().fold(first_right, |common, (_, right)| {
        shared_start(common, right)
    });
    let ends = right_ends(right);
    for start in left_starts(left) {
        candidates.extend(ends.iter().map(|end| {
            format!(
                "(?s){}(.*?){}",
                literal(&left[start..]),
                literal(&right[..*end])
            )
        }));
    }
    candidates
}

/// Contexts are looked at so far.
const FAR: usize = 400;

/// Where a string before values may begin: at a tag or an attribute, the nearest first.
fn left_starts(left: &str) -> Vec<usize> {
    let is_start = |at: &usize| matches!(left.as_bytes()[*at], b'<' | b' ' | b'>' | b'\n');
    let mut starts: Vec<usize> = (0..left.len()).rev().filter(is_start).take(24).collect();
    if !left.is_empty() && left.len() < FAR {
        starts.push(0);
    }
    starts
}

/// Where a string behind values may end: behind a mark, a tag.
fn right_ends(right: &str) -> Vec<usize> {
    let first = right.chars().next().map_or(0, char::len_utf8);
    let tag = right.find('>').map(|at| at + 1);
    [first]
        .into_iter()
        .chain(tag)
        .filter(|end| *end > 0)
        .collect()
}

fn shared_end<'a>(one: &'a str, other: &str) -> &'a str {
    let same = one
        .chars()
        .rev()
        .zip(other.chars().rev())
        .take(FAR)
        .take_while(|(a, b)| a == b);
    let bytes: usize = same.map(|(letter, _)| letter.len_utf8()).sum();
    &one[one.len() - bytes..]
}

fn shared_start<'a>(one: &'a str, other: &str) -> &'a str {
    let same = one
        .chars()
        .zip(other.chars())
        .take(FAR)
        .take_while(|(a, b)| a == b);
    let bytes: usize = same.map(|(letter, _)| letter.len_utf8()).sum();
    &one[..bytes]
}

/// One rule a line, behind its name and a tab; what there is to say about it in a comment before.
fn written(mold: &Mold, rules: &[ExportedRule], pages: usize) -> String {
    let mut text = String::new();
    let Provenance {
        pages: learned,
        hash,
        ..
    } = &mold.learned;
    _ = writeln!(
        text,
        "# Exported by unmold {}, from a mold that was learned from {learned} pages (hash {hash}).",
        env!("CARGO_PKG_VERSION")
    );
    _ = writeln!(
        text,
        "# Proven on {pages} pages. A rule a line: name, expression, and one whose first group is cut out of the value."
    );
    for rule in rules {
        if let Some(remark) = rule.remark() {
            _ = writeln!(text, "# {}: {remark}", rule.name);
        }
        let Some(expression) = &rule.rule else {
            continue;
        };
        let parts = [
            Some(&rule.name).filter(|name| !name.is_empty()),
            Some(expression),
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
    text
}
