//! The rules of a mold for other tools.
//!
//! ```
//! use unmold::{Mold, Text, export::{State, Target, export}};
//!
//! let page = |name: &str, weight: u32| Text::from_string(name, format!(
//!     "<h1>{name}</h1><table><tr><th>Weight:</th><td>{weight} g</td></tr></table><p>All rights reserved"));
//! let pages: Vec<Text> = (1..9).map(|n| page(&format!("Kettle {n}"), 100 * n)).collect();
//! let mold = Mold::learn(&pages)?;
//! let exported = export(&mold, Target::Xpath, &pages)?;
//! let weight = exported.rules.iter().find(|rule| rule.name == "Weight").unwrap();
//! assert_eq!(weight.rule.as_deref(), Some(r#"//th[normalize-space()="Weight:"]/following-sibling::*[1][self::td]"#));
//! assert_eq!((weight.state, weight.proof.equal, weight.proof.pages), (State::Exact, 8, 8));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Each rule is proven: on every sample page its result is held against what the mold finds there.
//! A rule that differs on more than one page in ten is refused, and the export says so in its
//! place. Without sample pages, rules say what the mold says and are marked as not proven.
//!
//! One [`Selector`] says a way to a value in one form for CSS and XPath; `candidates` writes down
//! all by which a value could be found, `select` is the evaluator that proves, `plan` chooses. The
//! writers are a file each.

mod candidates;
mod content;
mod expressions;
mod json_schema;
mod lists;
mod plan;
mod python;
pub mod regex;
mod select;
pub mod selector;
mod structured;
mod target;
mod views;

pub use {
    plan::Proof,
    target::{Target, UnknownTarget},
};

use crate::{Mold, Text, strings::BadTemplate};
use lists::{ColumnPlan, ListPlan};
use plan::{Dialect, FieldPlan, GroupPlan, plan};
use selector::Selector;
use serde::Serialize;

/// Rules in the form of another tool.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Exported {
    /// The file.
    pub text: String,
    /// Each rule in it, and each that was refused.
    pub rules: Vec<ExportedRule>,
}

/// A rule in the form of another tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ExportedRule {
    /// The number of the group in the mold, from 0.
    pub number: usize,
    /// The name of the group.
    pub group: String,
    /// The name of the list that it is a column of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<String>,
    /// The name of the field, list or column; `content` for the main content.
    pub name: String,
    /// The rule; `None` if it was refused.
    pub rule: Option<String>,
    /// What of an element is the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub take: Option<String>,
    /// An expression whose first group is the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<String>,
    /// Whether all that is found are values, or the first alone.
    pub many: bool,
    /// How sure it is.
    pub state: State,
    /// On how many pages, or of a column in how many records, it gives what the mold gives.
    pub proof: Proof,
}

/// How sure a rule is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// It gives what the mold gives on every sample page.
    Exact,
    /// It does on nine of ten.
    Nearly,
    /// There were no sample pages to prove it on.
    Unproven,
    /// It does not, and is left out.
    #[default]
    Refused,
}

impl State {
    fn of(proof: Proof, has_rule: bool) -> State {
        match (has_rule, proof.pages) {
            (false, _) => State::Refused,
            (true, 0) => State::Unproven,
            (true, _) if proof.is_exact() => State::Exact,
            (true, _) => State::Nearly,
        }
    }
}

impl ExportedRule {
    /// What there is to say about how sure it is; nothing of what is exact.
    pub fn remark(&self) -> Option<String> {
        let Proof { pages, equal } = self.proof;
        match self.state {
            State::Exact => None,
            State::Nearly => Some(format!("equal on {equal} of {pages}")),
            State::Unproven => {
                Some("not proven: there is no sample page of its template".to_owned())
            }
            State::Refused if pages == 0 => {
                Some("refused: this form cannot say what the mold says".to_owned())
            }
            State::Refused => Some(format!("refused: equal on {equal} of {pages} at best")),
        }
    }
}

/// Writes the rules of a mold for another tool, proven on sample pages: those that the mold was
/// learned from, or others of the site.
///
/// # Errors
/// When a template string of the mold makes no sense; those of a mold that was learned or read make
/// sense.
pub fn export(mold: &Mold, target: Target, pages: &[Text]) -> Result<Exported, BadTemplate> {
    Ok(match target {
        Target::Css => structured::lines(mold, &plan(mold, pages, Dialect::Css), Dialect::Css),
        Target::Xpath => {
            structured::lines(mold, &plan(mold, pages, Dialect::XPath), Dialect::XPath)
        }
        Target::Parsel => python::parsel(mold, &plan(mold, pages, Dialect::Code)),
        Target::Scrapy => python::scrapy(mold, &plan(mold, pages, Dialect::Code)),
        Target::Crawl4ai => structured::crawl4ai(&plan(mold, pages, Dialect::Elements)),
        Target::Ftr => structured::ftr(mold, &plan(mold, pages, Dialect::XPath), pages),
        Target::Regex => expressions::export(mold, pages)?,
        Target::JsonSchema => json_schema::export(mold, pages),
    })
}

/// The rules of a plan, one after the other, written by `write`.
fn rules(plan: &[GroupPlan<'_>], write: impl Fn(&Selector, bool) -> String) -> Vec<ExportedRule> {
    let numbered = plan.iter().enumerate().flat_map(|(number, group)| {
        group_rules(group, &write)
            .into_iter()
            .map(move |rule| ExportedRule { number, ..rule })
    });
    numbered.collect()
}

fn group_rules(
    plan: &GroupPlan<'_>,
    write: &impl Fn(&Selector, bool) -> String,
) -> Vec<ExportedRule> {
    let mut rules: Vec<ExportedRule> = plan
        .fields
        .iter()
        .map(|field| field_rule(field, write))
        .collect();
    for list in &plan.lists {
        rules.push(list_rule(list, write));
        rules.extend(
            list.columns
                .iter()
                .map(|column| column_rule(list, column, write)),
        );
    }
    rules.extend(plan.content.iter().map(|content| ExportedRule {
        name: "content".to_owned(),
        rule: Some(write(&content.region, false)),
        state: State::of(content.proof, true),
        proof: content.proof,
        ..ExportedRule::default()
    }));
    rules
        .iter_mut()
        .for_each(|rule| rule.group.clone_from(&plan.group.name));
    rules
}

fn field_rule(plan: &FieldPlan<'_>, write: &impl Fn(&Selector, bool) -> String) -> ExportedRule {
    ExportedRule {
        name: plan.field.name.clone(),
        rule: plan.rule.as_ref().map(|rule| write(&rule.selector, false)),
        take: plan.rule.as_ref().map(|rule| rule.selector.take.words()),
        cut: plan.rule.as_ref().and_then(|rule| rule.cut.clone()),
        many: plan.field.many,
        state: State::of(plan.proof, plan.rule.is_some()),
        proof: plan.proof,
        ..ExportedRule::default()
    }
}

fn list_rule(plan: &ListPlan, write: &impl Fn(&Selector, bool) -> String) -> ExportedRule {
    ExportedRule {
        name: plan.name.clone(),
        rule: plan.record.as_ref().map(|record| write(record, false)),
        many: true,
        state: State::of(plan.proof, plan.record.is_some()),
        proof: plan.proof,
        ..ExportedRule::default()
    }
}

fn column_rule(
    list: &ListPlan,
    plan: &ColumnPlan,
    write: &impl Fn(&Selector, bool) -> String,
) -> ExportedRule {
    ExportedRule {
        list: Some(list.name.clone()),
        name: plan.name.clone(),
        rule: plan.rule.as_ref().map(|rule| write(rule, true)),
        take: plan.rule.as_ref().map(|rule| rule.take.words()),
        state: State::of(plan.proof, plan.rule.is_some()),
        proof: plan.proof,
        ..ExportedRule::default()
    }
}

/// Where an export comes from, as sentences.
fn provenance(mold: &Mold, plan: &[GroupPlan<'_>]) -> Vec<String> {
    let learned = &mold.learned;
    let pages: usize = plan.iter().map(|group| group.pages).sum();
    let proven = match pages {
        0 => "Not proven: no sample pages were given.".to_owned(),
        pages => format!(
            "Proven on {pages} pages: each rule gives what `unmold extract` gives there, unless it says otherwise."
        ),
    };
    vec![
        format!("Exported by unmold {}.", env!("CARGO_PKG_VERSION")),
        format!(
            "From a mold that was learned from {} pages (method {}, hash {}).",
            learned.pages, learned.method, learned.hash
        ),
        proven,
    ]
}
