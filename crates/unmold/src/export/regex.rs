//! The rules of a mold as regular expressions that Rust's `regex`, Python's `re` and PCRE read
//! alike.
//!
//! ```
//! use unmold::{Mold, export::regex};
//!
//! let mold = Mold::from_json(r#"{
//!     "unmold": 1,
//!     "learned": {"method": "lr", "pages": 3, "bytes": 120, "hash": "0"},
//!     "groups": [{
//!         "name": "countries",
//!         "pages": 3,
//!         "fields": [{"name": "code", "fill": 1.0, "views": [{"kind": "lr", "left": "<i>", "right": "</i>"}]}]
//!     }]
//! }"#)?;
//! let lines: Vec<String> = regex::expressions(&mold)?.iter().map(|rule| rule.to_string()).collect();
//! assert_eq!(lines, ["code\t(?s)<i>(?:(.*?)</i>|.*)"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::{
    fields::View,
    lr::expression,
    mold::{Group, Mold},
    strings::{BadTemplate, TemplateString},
};
use serde::Serialize;

/// A rule of a mold as a regular expression. Shown, it is a line to be read by people and programs,
/// with what is known of it in a comment before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Expression<'m> {
    /// The value is the first group; a match without it has none.
    Field {
        /// The name of the group.
        group: &'m str,
        /// The name of the field.
        name: &'m str,
        /// The expression.
        expression: String,
    },
    /// All that it matches is template.
    Template {
        /// The name of the group.
        group: &'m str,
        /// The expression.
        expression: String,
        /// How often the string occurred where it was learned.
        tf: usize,
        /// On how many pages.
        df: usize,
    },
}

impl std::fmt::Display for Expression<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Expression::Field {
                name, expression, ..
            } => write!(f, "{name}\t{expression}"),
            Expression::Template {
                expression, tf, df, ..
            } => write!(f, "# on {df} pages, {tf} times\n{expression}"),
        }
    }
}

/// The rules of a mold that are regular expressions: LR rules and template strings.
///
/// # Errors
/// When a template string makes no sense; those of a mold that was learned or read make sense.
pub fn expressions(mold: &Mold) -> Result<Vec<Expression<'_>>, BadTemplate> {
    let mut expressions = Vec::new();
    for group in &mold.groups {
        expressions.extend(of_fields(group));
        expressions.extend(of_template(group)?);
    }
    Ok(expressions)
}

fn of_fields(group: &Group) -> impl Iterator<Item = Expression<'_>> {
    group.fields.iter().flat_map(move |field| {
        field.views.iter().filter_map(move |view| match view {
            View::Lr(rule) => Some(Expression::Field {
                group: &group.name,
                name: &field.name,
                expression: expression::of_rule(rule),
            }),
            _ => None,
        })
    })
}

fn of_template(group: &Group) -> Result<Vec<Expression<'_>>, BadTemplate> {
    let Some(template) = &group.template else {
        return Ok(Vec::new());
    };
    let expressions = template.expressions()?.into_iter().zip(&template.strings);
    let rule = |(expression, string): (String, &TemplateString)| Expression::Template {
        group: &group.name,
        expression,
        tf: string.tf,
        df: string.df,
    };
    Ok(expressions.map(rule).collect())
}
