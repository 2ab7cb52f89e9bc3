//! When is a repair done?
//!
//! A repaired mold is held against the pages that it was repaired on. What it expects and these
//! pages do not have would be an alarm every day from now on:
//!
//! - a wanted field that none of the pages has, or whose values are doubted on most of them, is
//!   *retired*: it stays in the mold for those who look after it, and is neither looked for nor
//!   counted;
//! - a field that fewer pages have than before is expected on as many as have it now, by the views
//!   that still find it;
//! - fixed texts and lists that no page has are dropped.
//!
//! Cost: the pages are read twice by the repaired mold.

use super::{
    judge::Limits,
    measure::{FieldCounts, Measured},
    report::{FieldReport, Verdict},
};
use crate::{
    Mold, Text,
    fields::{Field, View},
    mold::Group,
};
use std::collections::HashSet;

/// Values that are doubted on more than this share of the pages are not to be trusted. Not fitted:
/// it is more than half of them.
const MOST_DOUBTED: f64 = 0.5;

/// A field that was retired: the number of its group, and its name.
pub(super) type RetiredField = (usize, String);

/// Makes a repaired mold expect what the pages have; gives the wanted fields that were retired.
pub(super) fn settle(mold: &mut Mold, pages: &[Text]) -> Vec<RetiredField> {
    let mut retired = Vec::new();
    let measured = mold.checker().measure(pages);
    let report = measured.report(&Limits::default());
    for (at, group_report) in report.groups.iter().enumerate() {
        let counts = &measured.groups[at];
        if counts.pages == 0 || group_report.verdict < Verdict::Drifted {
            continue;
        }
        let group = &mut mold.groups[at];
        drop_lost_landmarks(group, &measured, at);
        drop_lost_lists(group, &counts.lists, counts.pages);
        let reports = &group_report.fields;
        for name in settle_fields(group, reports, &counts.fields, counts.pages) {
            retired.push((at, name));
        }
    }
    for (at, name) in retire_doubted(mold, pages) {
        retired.push((at, name));
    }
    retired
}

/// Retires the fields whose values are doubted on most pages, now that they are expected as they
/// are found.
fn retire_doubted(mold: &mut Mold, pages: &[Text]) -> Vec<RetiredField> {
    let report = mold.checker().check(pages);
    let mut retired = Vec::new();
    for (at, group_report) in report.groups.iter().enumerate() {
        if group_report.verdict < Verdict::Drifted {
            continue;
        }
        for field in &group_report.fields {
            if field.verdict >= Verdict::Drifted && field.doubts.found > MOST_DOUBTED {
                retire(&mut mold.groups[at], &field.name);
                retired.push((at, field.name.clone()));
            }
        }
    }
    retired
}

/// Drops the fixed texts that no page has as they are written.
fn drop_lost_landmarks(group: &mut Group, measured: &Measured, at: usize) {
    let mut kept = Vec::new();
    for (text, (as_written, _)) in group.landmarks.iter().zip(&measured.groups[at].landmarks) {
        if *as_written > 0 {
            kept.push(text.clone());
        }
    }
    group.landmarks = kept;
}

/// Drops the lists that no page has, and expects the others on as many pages as have them.
fn drop_lost_lists(group: &mut Group, found: &[(usize, usize)], pages: usize) {
    let mut kept = Vec::new();
    for (list, (on, _)) in group.records.iter().zip(found) {
        if *on == 0 {
            continue;
        }
        let mut list = list.clone();
        list.fill = list.fill.min(share(*on, pages));
        kept.push(list);
    }
    group.records = kept;
}

/// Expects of each wanted field what the pages have; gives the names of those that were retired.
fn settle_fields(
    group: &mut Group,
    reports: &[FieldReport],
    counts: &[FieldCounts],
    pages: usize,
) -> Vec<String> {
    let mut lost = Vec::new();
    for (at, (report, counts)) in reports.iter().zip(counts).enumerate() {
        if counts.found == 0 && report.verdict >= Verdict::Drifted {
            lost.push(report.name.clone());
            continue;
        }
        if report.verdict < Verdict::Drifted && report.views_lost.is_empty() {
            continue;
        }
        let field = &mut group.fields[at];
        drop_lost_views(field, &report.views_lost);
        field.fill = share(counts.found, pages);
        field.agreement = rounded(report.agreement.found);
        field.held_out = None;
    }
    for name in &lost {
        retire(group, name);
    }
    lost
}

/// Drops the kinds of views that find a field on no page, if others find it.
fn drop_lost_views(field: &mut Field, lost: &[&'static str]) {
    let lost: HashSet<&str> = lost.iter().copied().collect();
    let is_lost = |view: &View| {
        view.position()
            .is_some_and(|(kind, _)| lost.contains(kind.name()))
    };
    if !field.views.iter().all(is_lost) {
        field.views.retain(|view| !is_lost(view));
    }
}

/// Puts a wanted field among those that are no longer looked for.
fn retire(group: &mut Group, name: &str) {
    let Some(at) = group.fields.iter().position(|field| field.name == name) else {
        return;
    };
    if let Some(wanted) = &mut group.wanted
        && at < *wanted
    {
        *wanted -= 1;
    }
    let field = group.fields.remove(at);
    group.retired.push(field);
}

fn share(count: usize, of: usize) -> f64 {
    rounded(count as f64 / of.max(1) as f64)
}

fn rounded(share: f64) -> f64 {
    (share * 1000.0).round() / 1000.0
}
