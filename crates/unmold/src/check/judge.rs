//! From counts to verdicts.

use super::{
    chance,
    history::FieldHistory,
    measure::{Checker, FieldCounts, GroupCounts, Measured},
    report::{
        FieldReport, Finding, GroupReport, ListReport, Report, Share, TemplateReport, Verdict,
    },
};
use crate::{
    Text,
    fields::{Field, ViewKind},
    group::Fingerprint,
    mold::Group,
};
use rapidhash::{RapidHashMap, RapidHashSet};

/// From where on something has changed.
///
/// The defaults are chosen by `eval/check` on 24 labelled sites, with the five simulated changes,
/// and tried on 16 others; docs/measurements.md has the figures of both.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    chance: f64,
    enough: f64,
    agreement: f64,
    elements_gone: f64,
    elements_new: usize,
    texts_gone: f64,
    texts_rewritten: usize,
    views_lost: f64,
    fields: f64,
    unplaced: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            chance: 1e-4,
            enough: 1e-3,
            agreement: 0.25,
            elements_gone: 0.05,
            elements_new: 1,
            texts_gone: 0.2,
            texts_rewritten: 1,
            views_lost: 0.15,
            fields: 0.2,
            unplaced: 0.5,
        }
    }
}

impl Limits {
    /// A smaller count is a loss if it is less likely than this, over all fields of a group.
    #[must_use]
    pub fn chance(self, chance: f64) -> Self {
        Limits { chance, ..self }
    }

    /// What pages all lack, or all have, counts only if it would be less likely than this where
    /// nothing has changed: it takes some pages to say so, the more the fewer were learned from.
    #[must_use]
    pub fn enough(self, chance: f64) -> Self {
        Limits {
            enough: chance,
            ..self
        }
    }

    /// A field has drifted if its views agree less by so much.
    #[must_use]
    pub fn agreement(self, agreement: f64) -> Self {
        Limits { agreement, ..self }
    }

    /// A template has drifted if this share of the elements that nearly all pages had is gone,
    #[must_use]
    pub fn elements_gone(self, share: f64) -> Self {
        Limits {
            elements_gone: share,
            ..self
        }
    }

    /// or if so many are new on nearly all pages,
    #[must_use]
    pub fn elements_new(self, count: usize) -> Self {
        Limits {
            elements_new: count,
            ..self
        }
    }

    /// or if this share of the fixed texts is gone,
    #[must_use]
    pub fn texts_gone(self, share: f64) -> Self {
        Limits {
            texts_gone: share,
            ..self
        }
    }

    /// or if so many of them are written otherwise: labels without their colon,
    #[must_use]
    pub fn texts_rewritten(self, count: usize) -> Self {
        Limits {
            texts_rewritten: count,
            ..self
        }
    }

    /// or if this share of the kinds of views that found fields find none of them,
    #[must_use]
    pub fn views_lost(self, share: f64) -> Self {
        Limits {
            views_lost: share,
            ..self
        }
    }

    /// or if this share of its fields has drifted.
    #[must_use]
    pub fn fields(self, share: f64) -> Self {
        Limits {
            fields: share,
            ..self
        }
    }

    /// A site has changed if this share of its pages fits no group.
    #[must_use]
    pub fn unplaced(self, share: f64) -> Self {
        Limits {
            unplaced: share,
            ..self
        }
    }
}

/// What nearly all pages have, by share.
const NEARLY_ALL: f64 = 0.9;
/// Where less of a template is there, it is another one, however few pages say so, if most pages of
/// the site do.
const MOSTLY_THERE: f64 = 0.5;
/// A fingerprint with so many paths may lack some.
const CUT_AT: usize = 400;
/// What nearly all pages had and none has is broken if that would be less likely than this by chance;
/// otherwise the pages are too few to say anything. Fitted on 222 halved sites in which nothing had
/// changed: at one in twenty, fields of groups of two or three pages vanish in six of them, at one in
/// two hundred in none.
const VANISHED_BY_CHANCE: f64 = 0.005;
/// A field has the type that most of its values have.
const USUAL_TYPE: f64 = 0.9;

impl Checker {
    /// What today's pages say, judged by the usual limits.
    pub fn check(&self, pages: &[Text]) -> Report {
        self.measure(pages).report(&Limits::default())
    }
}

impl Measured {
    /// Judges the counts.
    pub fn report(&self, limits: &Limits) -> Report {
        report(self, limits)
    }
}

fn report(measured: &Measured, limits: &Limits) -> Report {
    let judges = measured.mold.groups.iter().zip(&measured.groups);
    let judges: Vec<Judge> = judges
        .map(|(group, counts)| Judge {
            measured,
            limits,
            group,
            counts,
        })
        .collect();
    let mut groups: Vec<GroupReport> = judges.iter().map(Judge::group).collect();
    let unplaced = measured.unplaced.len();
    let is_stray: Vec<bool> = judges
        .iter()
        .zip(&groups)
        .map(|(judge, group)| judge.has_strays_only(&group.template))
        .collect();
    let strays: usize = groups
        .iter()
        .zip(&is_stray)
        .filter(|(_, stray)| **stray)
        .map(|(group, _)| group.pages)
        .sum();
    let is_much =
        |pages: usize| pages > 0 && pages as f64 >= limits.unplaced * measured.pages as f64;
    if !is_much(strays + unplaced) {
        groups
            .iter_mut()
            .zip(&is_stray)
            .filter(|(_, stray)| **stray)
            .for_each(|(group, _)| put_aside(group));
    }
    let mut verdict = groups
        .iter()
        .map(|group| group.verdict)
        .max()
        .unwrap_or_default();
    let mut reasons = Vec::new();
    if is_much(unplaced) {
        reasons.push(format!(
            "{unplaced} of {} pages fit no group",
            measured.pages
        ));
        let is_lost = unplaced == measured.pages;
        verdict = verdict.max(if is_lost {
            Verdict::Broken
        } else {
            Verdict::Drifted
        });
    }
    Report {
        verdict,
        pages: measured.pages,
        unplaced: measured.unplaced.clone(),
        findings: findings(&reasons, &measured.unplaced, &groups),
        reasons,
        groups,
    }
}

/// What broke or drifted, the worst first.
fn findings(reasons: &[String], unplaced: &[String], groups: &[GroupReport]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for reason in reasons {
        findings.push(Finding {
            verdict: Verdict::Broken,
            what: "site",
            group: String::new(),
            name: String::new(),
            reason: reason.clone(),
            page: unplaced.first().cloned(),
        });
    }
    for group in groups {
        if group.verdict == Verdict::Unseen {
            continue;
        }
        let of_group = |verdict, what, name: &str, reason: String, page: &Option<String>| Finding {
            verdict,
            what,
            group: group.name.clone(),
            name: name.to_owned(),
            reason,
            page: page.clone(),
        };
        for field in &group.fields {
            if field.verdict >= Verdict::Drifted {
                let reason = field.reasons.join(", ");
                let page = &field.missing_on;
                findings.push(of_group(field.verdict, "field", &field.name, reason, page));
            }
        }
        for list in &group.lists {
            if list.verdict >= Verdict::Drifted {
                let (found, was) = (100.0 * list.fill.found, 100.0 * list.fill.expected);
                let reason = format!("on {found:.0} % of the pages, was on {was:.0} %");
                let page = &list.missing_on;
                findings.push(of_group(list.verdict, "list", &list.name, reason, page));
            }
        }
        for reason in &group.template.reasons {
            findings.push(of_group(
                Verdict::Drifted,
                "template",
                "",
                reason.clone(),
                &None,
            ));
        }
    }
    // The sort is stable: what is equally bad stays in the order of the mold.
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.verdict));
    findings
}

/// Makes a group say nothing whose pages are rather of a kind that the mold has no group for.
fn put_aside(group: &mut GroupReport) {
    group.verdict = Verdict::Unseen;
    group
        .fields
        .iter_mut()
        .for_each(|field| field.verdict = Verdict::Unseen);
    group
        .lists
        .iter_mut()
        .for_each(|list| list.verdict = Verdict::Unseen);
    group.reasons = vec!["these are pages of another kind: they say nothing of it".to_owned()];
}

/// A group, what was counted of it, and the limits.
struct Judge<'a> {
    measured: &'a Measured,
    limits: &'a Limits,
    group: &'a Group,
    counts: &'a GroupCounts,
}

impl Judge<'_> {
    fn group(&self) -> GroupReport {
        let fields: Vec<FieldReport> = self
            .group
            .wanted()
            .iter()
            .zip(&self.counts.fields)
            .map(|(field, counts)| self.field(field, counts))
            .collect();
        let mut template = self.template(&fields);
        template.reasons = self.template_reasons(&template);
        let lists: Vec<ListReport> = self
            .group
            .records
            .iter()
            .zip(&self.counts.lists)
            .zip(&self.counts.lists_missing_on)
            .map(|((list, &found), missing_on)| self.list(list, found, missing_on))
            .collect();
        let (verdict, reasons) = self.verdict(&template, &fields, &lists);
        GroupReport {
            name: self.group.name.clone(),
            verdict,
            pages: self.counts.pages,
            reasons,
            template,
            fields,
            lists,
        }
    }

    fn verdict(
        &self,
        template: &TemplateReport,
        fields: &[FieldReport],
        lists: &[ListReport],
    ) -> (Verdict, Vec<String>) {
        if self.counts.pages == 0 {
            return (Verdict::Unseen, Vec::new());
        }
        let mut reasons = template.reasons.clone();
        let count = |verdict| {
            fields
                .iter()
                .filter(|field| field.verdict == verdict)
                .count()
        };
        let (broken, drifted) = (count(Verdict::Broken), count(Verdict::Drifted));
        let changed = broken + drifted;
        if broken > 0 || changed as f64 >= self.limits.fields * fields.len() as f64 && changed > 0 {
            reasons.push(format!(
                "of {} fields {broken} are broken and {drifted} have drifted",
                fields.len()
            ));
        }
        let lost = lists
            .iter()
            .filter(|list| list.verdict == Verdict::Broken)
            .count();
        if lost > 0 {
            reasons.push(format!("{lost} of {} lists are lost", lists.len()));
        }
        let is_broken = 2 * broken > fields.len()
            || !lists.is_empty() && fields.is_empty() && lost == lists.len();
        let verdict = match reasons.is_empty() {
            true => Verdict::Healthy,
            false if is_broken => Verdict::Broken,
            false => Verdict::Drifted,
        };
        (verdict, reasons)
    }

    /// Whether its pages are too few to say anything but that they are hardly of this template. If
    /// most pages of a site are so, the site has changed; if some are, they are of a kind that was
    /// not learned.
    fn has_strays_only(&self, template: &TemplateReport) -> bool {
        self.counts.pages > 0
            && !self.is_enough(self.counts.pages)
            && template.coverage < MOSTLY_THERE
    }

    fn template_reasons(&self, template: &TemplateReport) -> Vec<String> {
        let mut reasons = Vec::new();
        let TemplateReport {
            elements,
            elements_gone,
            elements_new,
            texts_gone,
            texts,
            ..
        } = template;
        let TemplateReport {
            texts_rewritten,
            views_lost,
            ..
        } = template;
        if !self.is_enough(self.counts.pages) && template.coverage >= MOSTLY_THERE {
            return reasons;
        }
        if *elements_gone > 0
            && *elements_gone as f64 >= self.limits.elements_gone * *elements as f64
        {
            reasons.push(format!(
                "{elements_gone} of {elements} elements that nearly all pages had are gone"
            ));
        }
        if *elements_new >= self.limits.elements_new {
            reasons.push(format!(
                "{elements_new} elements are new on nearly all pages"
            ));
        }
        if !texts_gone.is_empty()
            && texts_gone.len() as f64 >= self.limits.texts_gone * *texts as f64
        {
            let (gone, shown) = (texts_gone.len(), some(texts_gone));
            reasons.push(format!(
                "{gone} of {texts} texts that nearly all pages had are gone: {shown}"
            ));
        }
        if texts_rewritten.len() >= self.limits.texts_rewritten {
            let (count, shown) = (texts_rewritten.len(), some(texts_rewritten));
            reasons.push(format!(
                "{count} of {texts} texts are no longer written so: {shown}"
            ));
        }
        if *views_lost >= self.limits.views_lost {
            reasons.push(format!(
                "{:.0} % of the ways to find fields find none",
                100.0 * views_lost
            ));
        }
        reasons
    }

    /// Whether so many pages say something: it would be no chance if they all lacked what all pages
    /// had that were learned from, or had what none had.
    fn is_enough(&self, pages: usize) -> bool {
        chance::of_so_few(1.0, self.group.pages, 0, pages) < self.limits.enough
    }

    /// How the pages are built beside those that were learned from.
    fn template(&self, fields: &[FieldReport]) -> TemplateReport {
        let known = self.known_paths();
        let usual: Vec<u64> = known
            .iter()
            .filter(|(_, share)| **share >= NEARLY_ALL)
            .map(|(path, _)| *path)
            .collect();
        let on = |path: &u64| self.counts.paths.get(path).copied().unwrap_or(0);
        let elements_gone = usual.iter().filter(|path| on(path) == 0).count();
        let is_everywhere = |count: usize| count as f64 >= NEARLY_ALL * self.counts.pages as f64;
        let is_new =
            |(path, count): &(&u64, &usize)| is_everywhere(**count) && !known.contains_key(*path);
        let has_all = self
            .group
            .looks
            .iter()
            .all(|look| has_all_usual(&look.fingerprint));
        let elements_new = if known.is_empty() || !has_all {
            0
        } else {
            self.counts.paths.iter().filter(is_new).count()
        };
        let texts_gone = self.texts_where(|as_written, otherwise| as_written + otherwise == 0);
        let texts_rewritten =
            self.texts_where(|as_written, otherwise| as_written == 0 && otherwise > 0);
        let (elements, texts) = (usual.len(), self.group.landmarks.len());
        let gone = elements_gone + texts_gone.len();
        TemplateReport {
            coverage: 1.0 - gone as f64 / (elements + texts).max(1) as f64,
            elements,
            elements_gone,
            elements_new,
            texts,
            texts_gone,
            texts_rewritten,
            views_lost: self.views_lost(fields),
            reasons: Vec::new(),
        }
    }

    /// The paths of the group, each with the share of its pages that have it.
    fn known_paths(&self) -> RapidHashMap<u64, f64> {
        let mut known: RapidHashMap<u64, f64> = RapidHashMap::default();
        let all: usize = self
            .group
            .looks
            .iter()
            .map(|look| look.fingerprint.pages)
            .sum();
        for look in &self.group.looks {
            let weight = look.fingerprint.pages as f64 / all.max(1) as f64;
            look.fingerprint
                .shares()
                .for_each(|(path, share)| *known.entry(path).or_default() += weight * share);
        }
        known
    }

    /// The landmarks that are words, of which so many pages have so many forms.
    fn texts_where(&self, is_so: impl Fn(usize, usize) -> bool) -> Vec<String> {
        if self.counts.pages == 0 {
            return Vec::new();
        }
        let counted = self
            .group
            .landmarks
            .iter()
            .zip(&self.counts.landmarks)
            .filter(|(text, _)| is_words(text));
        let mut said = RapidHashSet::default();
        let so = counted
            .filter(|(_, count)| is_so(count.0, count.1))
            .map(|(text, _)| text);
        so.filter(|text| said.insert(text.as_str()))
            .cloned()
            .collect()
    }

    /// The share of kinds of views, over all fields, that find their field on no page.
    fn views_lost(&self, fields: &[FieldReport]) -> f64 {
        let is_known = |field: &&Field| !field.views.is_empty();
        let kinds = |field: &Field| {
            ViewKind::ALL
                .iter()
                .filter(|kind| has_kind(field, **kind))
                .count()
        };
        let is_found = |(_, counts): &(&Field, &FieldCounts)| self.is_enough(counts.found);
        let found = self
            .group
            .wanted()
            .iter()
            .zip(&self.counts.fields)
            .filter(is_found);
        let all: usize = found
            .map(|(field, _)| field)
            .filter(is_known)
            .map(kinds)
            .sum();
        let lost: usize = fields.iter().map(|field| field.views_lost.len()).sum();
        lost as f64 / all.max(1) as f64
    }

    fn list(
        &self,
        list: &crate::lists::ListRule,
        (found, records): (usize, usize),
        missing_on: &Option<String>,
    ) -> ListReport {
        let pages = self.counts.pages;
        let fill = Share {
            expected: list.fill,
            found: share(found, pages),
        };
        let is_lost =
            chance::of_so_few(list.fill, self.group.pages, found, pages) < self.limits.chance;
        let verdict = match pages {
            0 => Verdict::Unseen,
            _ if list.fill >= NEARLY_ALL && found == 0 => {
                let chance = chance::of_so_few(list.fill, self.group.pages, 0, pages);
                if chance < VANISHED_BY_CHANCE {
                    Verdict::Broken
                } else {
                    Verdict::Unseen
                }
            }
            _ if is_lost && fill.found < fill.expected / 2.0 => Verdict::Broken,
            _ => Verdict::Healthy,
        };
        ListReport {
            name: list.name.clone(),
            verdict,
            fill,
            records: records as f64 / found.max(1) as f64,
            missing_on: missing_on.clone(),
        }
    }

    fn field(&self, field: &Field, counts: &FieldCounts) -> FieldReport {
        let expected = self.expected(field);
        let (pages, found) = (self.counts.pages, counts.found);
        let mut report = FieldReport {
            name: field.name.clone(),
            fill: Share {
                expected: expected.fill,
                found: share(found, pages),
            },
            agreement: Share {
                expected: expected.agreement,
                found: counts.agreement / found.max(1) as f64,
            },
            types: Share {
                expected: expected.types,
                found: share(counts.of_type, found),
            },
            doubts: Share {
                expected: expected.doubts,
                found: share(counts.doubts, found),
            },
            views_lost: if self.is_enough(found) {
                lost_kinds(field, counts)
            } else {
                Vec::new()
            },
            before: field.samples.clone(),
            now: counts.values.clone(),
            missing_on: counts.missing_on.clone(),
            ..FieldReport::default()
        };
        (report.verdict, report.reasons) =
            self.field_verdict(&report, counts, expected.pages as usize);
        report
    }

    /// What is to be expected of a field: what healthy days had, or else what it had where it was
    /// learned.
    fn expected(&self, field: &Field) -> FieldHistory {
        let known = self
            .measured
            .history
            .as_ref()
            .and_then(|history| history.field(&self.group.name, &field.name));
        // Pages that were set aside tell more truly, where there were some.
        let tested = field.held_out.filter(|test| test.fill > 0.0);
        let agreement = tested.map_or(field.agreement, |test| test.agreement.min(field.agreement));
        known.unwrap_or(FieldHistory {
            fill: field.fill,
            agreement,
            types: USUAL_TYPE,
            doubts: 0.0,
            pages: self.group.pages as f64,
        })
    }

    fn field_verdict(
        &self,
        report: &FieldReport,
        counts: &FieldCounts,
        known: usize,
    ) -> (Verdict, Vec<String>) {
        let pages = self.counts.pages;
        if pages == 0 {
            return (Verdict::Unseen, Vec::new());
        }
        let (mut verdict, mut reasons) = (Verdict::Healthy, Vec::new());
        let mut say = |worse: Verdict, reason: String| {
            verdict = verdict.max(worse);
            reasons.push(reason);
        };
        let chance = self.limits.chance / self.group.wanted().len().max(1) as f64;
        let is_lost = |share: Share, found: usize, of: usize| {
            share.found < share.expected
                && chance::of_so_few(share.expected, known, found, of) < chance
        };
        // What nearly all pages had and none has is never healthy, whatever the other limits.
        let has_vanished = counts.found == 0 && report.fill.expected >= NEARLY_ALL;
        if has_vanished {
            let was = 100.0 * report.fill.expected;
            let reason = format!("on none of {pages} pages, was on {was:.0} %");
            if chance::of_so_few(report.fill.expected, known, 0, pages) >= VANISHED_BY_CHANCE {
                return (Verdict::Unseen, vec![format!("{reason}: too few to say")]);
            }
            say(Verdict::Broken, reason);
        } else if is_lost(report.fill, counts.found, pages) {
            let worse = if report.fill.found < report.fill.expected / 2.0 {
                Verdict::Broken
            } else {
                Verdict::Drifted
            };
            say(worse, format!("found on {} of {pages} pages", counts.found));
        }
        if counts.found > 0 && is_lost(report.types, counts.of_type, counts.found) {
            say(
                Verdict::Broken,
                format!(
                    "{} of {} values are of its type",
                    counts.of_type, counts.found
                ),
            );
        }
        if self.is_enough(counts.found)
            && report.agreement.found < report.agreement.expected - self.limits.agreement
        {
            say(
                Verdict::Drifted,
                format!("views agree to {:.2} on it", report.agreement.found),
            );
        }
        (verdict, reasons)
    }
}

/// Whether a fingerprint has all paths of nearly all pages: it keeps those of most pages first, so
/// it has if one is of fewer.
fn has_all_usual(fingerprint: &Fingerprint) -> bool {
    fingerprint.shares().count() < CUT_AT
        || fingerprint.shares().any(|(_, share)| share < NEARLY_ALL)
}

/// Whether a text is words that a template may have: numbers differ from page to page, and of long
/// texts only the beginning is known to be the same.
fn is_words(text: &str) -> bool {
    /// Texts are told apart by so many bytes.
    const KNOWN_BYTES: usize = 80;
    text.len() < KNOWN_BYTES && text.chars().filter(|letter| letter.is_alphabetic()).count() >= 2
}

/// Some texts, to be shown.
fn some(texts: &[String]) -> String {
    texts
        .iter()
        .take(3)
        .map(|text| format!("{text:?}"))
        .collect::<Vec<_>>()
        .join(", ")
}

fn share(count: usize, of: usize) -> f64 {
    count as f64 / of.max(1) as f64
}

fn has_kind(field: &Field, kind: ViewKind) -> bool {
    field
        .views
        .iter()
        .filter_map(|view| view.position())
        .any(|(known, _)| known == kind)
}

/// The kinds of views that a field has and that find it on no page.
fn lost_kinds(field: &Field, counts: &FieldCounts) -> Vec<&'static str> {
    let counted = ViewKind::ALL.into_iter().zip(&counts.by_kind);
    counted
        .filter(|(kind, count)| **count == 0 && has_kind(field, *kind))
        .map(|(kind, _)| kind.name())
        .collect()
}
