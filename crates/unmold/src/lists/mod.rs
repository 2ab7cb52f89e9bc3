//! Which records does a page list?
//!
//! Search results, forum posts, rows of a table: pages print the same markup again and again around
//! different text. Two methods find it.
//!
//! **[`iepad`](crate::papers::iepad)** is the paper's: repeated strings of tags at regular
//! distances.
//!
//! **[`Regions`]** is the default and asks for no thresholds. It looks for neighbours of like shape
//! in the tree of the page, so it sees what a flat string of tags hides: which list a row belongs
//! to, records of two rows, a grid, a list that goes on under another parent, and which list is the
//! page's purpose rather than its menu.
//!
//! ```
//! use unmold::{Text, lists::Regions};
//!
//! let page = Text::from_string("shop", "
//!     <ul class=menu><li><a href=/>Home</a><li><a href=/new>New</a><li><a href=/about>About us</a></ul>
//!     <table>
//!       <tr class=a><td><a href=/1>Lamp</a><td>30 €<tr class=b><td colspan=2>Brass. <i>Two left</i>
//!       <tr class=a><td><a href=/2>Chair</a><td><tr class=b><td colspan=2>Oak.
//!       <tr class=a><td><a href=/3>Table</a><td>120 €<tr class=b><td colspan=2>Oak, too.
//!     </table>");
//! let patterns = Regions::default().find(&page);
//! let offers = &patterns[0];
//! assert_eq!(offers.notation, "<tr.a><td>[<td>|-]</tr><tr.b>");
//! let texts: Vec<_> = offers.records.iter().map(|record| record.text(page.as_str())).collect();
//! assert_eq!(texts, ["Lamp 30 € Brass. Two left", "Chair Oak.", "Table 120 € Oak, too."]);
//!
//! // The chair has no price: the field is absent, and no other takes its place.
//! let price = offers.columns.iter().position(|column| column.way == "tr.a/td:2").unwrap();
//! let prices = offers.records.iter().map(|record| record.value(page.as_str(), &offers.columns, price));
//! assert_eq!(prices.collect::<Vec<_>>(), [Some("30 €".into()), None, Some("120 €".into())]);
//! ```
//!
//! Both give [`Pattern`]s, best first: the pattern in the paper's notation, the paper's measures,
//! the records as spans, their fields in named columns, and a [`RecordRule`].
//!
//! Pages of one template are looked at together: `learn` makes a named [`ListRule`] of each
//! list that they have, and [`apply`] finds its records on any page of the template. What both ways
//! give of a page is a [`List`].
//!
//! # Cost
//!
//! `Regions` is linear in the page. IEPAD is a suffix sort, a walk, and for each of a bounded
//! number of candidates a pass over the page. Both take one to two milliseconds for a page of 25
//! KB.
//!
//! # Paper
//!
//! C.-H. Chang, S.-C. Lui, *IEPAD: Information Extraction based on Pattern Discovery*, WWW 2001.
//! IEPAD follows it closely; its submodules say where it does not. `Regions` is ours.

pub mod apply;
mod columns;
mod common;
mod grid;
mod headings;
mod kinds;
pub(crate) mod learn;
mod naming;
mod pattern;
mod rank;
mod record;
mod regions;
pub mod rule;
mod runs;
mod seen;
mod shape;
mod step;
mod table;
pub(crate) mod tag_memory;
mod tidy;
mod turns;
mod ways;
mod weight;

pub use {
    apply::List,
    common::Common,
    learn::list_rule,
    pattern::Pattern,
    record::{Column, Field, Record},
    regions::Regions,
    rule::{ListRule, RecordRule, RegionRule, RuleError},
};
