//! What can be changed in a mold?
//!
//! Each [`Edit`] names things by their numbers and gives a new mold; the old one stays as it was.

use crate::{
    answer::{Answer, Problem},
    answers::{self, FieldAnswer, Verdict},
    lists::{self, Method},
    page::overlaps,
    session::{Session, Version},
};
use serde::Deserialize;
use std::collections::HashSet;
use unmold::{
    Learner, Mold, Span, Text,
    fields::{Example, Field, Position, Type, View},
    learn::SAMPLE_PAGES,
    lists::{ListRule, list_rule},
    mold::Group,
};

/// A change of a mold.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Edit {
    /// Gives a field another name.
    Rename {
        /// The group.
        group: usize,
        /// The field.
        field: usize,
        /// Its new name.
        name: String,
    },
    /// Puts a field into the table, or takes it out.
    Tick {
        /// The group.
        group: usize,
        /// The field.
        field: usize,
        /// Whether it is wanted.
        on: bool,
    },
    /// Puts a wanted field into another place of the table.
    Move {
        /// The group.
        group: usize,
        /// The field.
        field: usize,
        /// Its new number.
        to: usize,
    },
    /// Says what the values of a field look like; others are in doubt.
    Type {
        /// The group.
        group: usize,
        /// The field.
        field: usize,
        /// What they look like.
        kind: Type,
    },
    /// Says whether a page may have several values of a field.
    Many {
        /// The group.
        group: usize,
        /// The field.
        field: usize,
        /// Whether it may.
        on: bool,
    },
    /// Makes one field of two: pages have the one or the other.
    Merge {
        /// The group.
        group: usize,
        /// The field that stays.
        field: usize,
        /// The field that becomes part of it.
        with: usize,
    },
    /// Takes a field that was found, under a name of its own.
    Use {
        /// The group.
        group: usize,
        /// The field.
        field: usize,
        /// Its name.
        name: String,
    },
    /// Learns a field from values on pages.
    Example {
        /// The group.
        group: usize,
        /// What the field is called.
        name: String,
        /// All values that some pages have of it.
        on: Vec<OnPage>,
    },
    /// Takes what stands in an element for no content, and fields that stand in it out of the
    /// table.
    Ignore {
        /// The page that it was seen on.
        page: usize,
        /// Where its bytes begin,
        start: u32,
        /// and end.
        end: u32,
    },
    /// Says that a value is right or wrong, or what it should be. Nothing is learned from it yet.
    Settle {
        /// The group.
        group: usize,
        /// The field.
        field: usize,
        /// The page that has the value.
        page: usize,
        /// What is said of it.
        verdict: Verdict,
        /// The values that are right, or wrong.
        values: Vec<String>,
    },
    /// The same, and the field is learned again from all that was said of it.
    Correct {
        /// The group.
        group: usize,
        /// The field.
        field: usize,
        /// The page that has the value.
        page: usize,
        /// What is said of it.
        verdict: Verdict,
        /// The values that are right, or wrong.
        values: Vec<String>,
        /// Which of the rules that suit it is taken.
        #[serde(default)]
        way: usize,
    },
    /// Adds a list of a page to those of its group.
    AddList {
        /// The page that it was seen on.
        page: usize,
        /// How it was found.
        method: Method,
        /// Its number among those.
        pattern: usize,
    },
    /// Gives a list another name.
    RenameList {
        /// The group.
        group: usize,
        /// The list.
        list: usize,
        /// Its new name.
        name: String,
    },
    /// Puts a list into another place; the first one is the records of the group.
    MoveList {
        /// The group.
        group: usize,
        /// The list.
        list: usize,
        /// Its new number.
        to: usize,
    },
    /// Takes a list of a group away.
    DropList {
        /// The group.
        group: usize,
        /// The list.
        list: usize,
    },
    /// Says which list of a page is the records of its group, and that it has no other.
    List {
        /// The page that it was seen on.
        page: usize,
        /// How it was found.
        method: Method,
        /// Its number among those.
        pattern: usize,
    },
    /// Takes the lists of a group away.
    DropLists {
        /// The group.
        group: usize,
    },
    /// Learns what has changed from the pages that are shown; fields keep their names.
    Repair,
}

/// All values that a page has of a field.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OnPage {
    /// The page.
    pub page: usize,
    /// The values, as a reader sees them.
    pub values: Vec<String>,
}

/// A mold that is not taken yet, with what was said of its fields.
pub(crate) struct Draft {
    pub mold: Mold,
    pub answers: Vec<FieldAnswer>,
    /// The field that is changed, where a preview is of one.
    pub subject: Option<Subject>,
}

/// The field that an edit is about.
pub(crate) struct Subject {
    pub group: usize,
    pub field: String,
    /// Its number before the edit, if it was in the table, and after it.
    pub before: Option<usize>,
    pub after: usize,
    /// Which rule this is, and of how many.
    pub way: usize,
    pub ways: usize,
    /// The names of all fields after the edit.
    pub names: Vec<String>,
    /// What speaks against it.
    pub against: Option<String>,
}

impl Edit {
    /// The mold after the edit.
    pub(crate) fn apply(&self, session: &Session, version: &Version) -> Answer<Draft> {
        let mut mold = version.mold.clone();
        let mut answers = Vec::clone(&version.answers);
        let mut ways = (0, 1);
        match self {
            Edit::Rename { group, field, name } => {
                let field = field_of(&mut mold, *group, *field)?;
                let old = std::mem::replace(&mut field.name, name.trim().to_owned());
                rename_answers(&mut answers, *group, &old, name.trim());
            }
            Edit::Tick { group, field, on } => tick(group_of(&mut mold, *group)?, *field, *on)?,
            Edit::Move { group, field, to } => shift(group_of(&mut mold, *group)?, *field, *to)?,
            Edit::Type { group, field, kind } => field_of(&mut mold, *group, *field)?.kind = *kind,
            Edit::Many { group, field, on } => set_many(field_of(&mut mold, *group, *field)?, *on),
            Edit::Merge { group, field, with } => {
                merge(group_of(&mut mold, *group)?, *field, *with)?;
            }
            Edit::Use { group, field, name } => {
                let old = field_of(&mut mold, *group, *field)?;
                let old = std::mem::replace(&mut old.name, name.trim().to_owned());
                rename_answers(&mut answers, *group, &old, name.trim());
                tick(group_of(&mut mold, *group)?, *field, true)?;
            }
            Edit::Example { group, name, on } => {
                let field = learned(session, *group, name.trim(), on)?;
                take_in(group_of(&mut mold, *group)?, field);
            }
            Edit::Settle { group, field, .. } => {
                let name = field_of(&mut mold, *group, *field)?.name.clone();
                answers::keep(&mut answers, self.said(&name).ok_or(Problem::Unknown)?);
            }
            Edit::Correct {
                group, field, way, ..
            } => {
                let name = field_of(&mut mold, *group, *field)?.name.clone();
                answers::keep(&mut answers, self.said(&name).ok_or(Problem::Unknown)?);
                let own = answers::about(&answers, *group, &name);
                let found = answers::relearned(session, version, *group, *field, &own, *way)?;
                ways = (*way % found.ways, found.ways);
                *field_of(&mut mold, *group, *field)? = found.field;
            }
            Edit::Ignore { page, start, end } => {
                ignore(session, version, &mut mold, *page, *start, *end)?;
            }
            Edit::List {
                page,
                method,
                pattern,
            } => {
                let (group, rule) = list_of(session, *page, *method, *pattern)?;
                group_of(&mut mold, group)?.records = vec![rule];
            }
            Edit::AddList {
                page,
                method,
                pattern,
            } => {
                let (group, rule) = list_of(session, *page, *method, *pattern)?;
                add_list(group_of(&mut mold, group)?, rule)?;
            }
            Edit::RenameList { group, list, name } => {
                let lists = &mut group_of(&mut mold, *group)?.records;
                let list = lists.get_mut(*list).ok_or(Problem::Unknown)?;
                name.trim().clone_into(&mut list.name);
            }
            Edit::MoveList { group, list, to } => {
                let lists = &mut group_of(&mut mold, *group)?.records;
                if *list >= lists.len() || *to >= lists.len() {
                    return Err(Problem::Unknown);
                }
                let moved = lists.remove(*list);
                lists.insert(*to, moved);
            }
            Edit::DropList { group, list } => {
                let lists = &mut group_of(&mut mold, *group)?.records;
                if *list >= lists.len() {
                    return Err(Problem::Unknown);
                }
                lists.remove(*list);
            }
            Edit::Repair => {
                let repaired = mold
                    .repair(session.texts())
                    .map_err(|error| Problem::Refused(error.to_string()))?;
                mold = repaired.mold;
            }
            Edit::DropLists { group } => group_of(&mut mold, *group)?.records.clear(),
        }
        let subject = self.subject(version, &mold, ways);
        Ok(Draft {
            mold,
            answers,
            subject,
        })
    }

    /// What the edit says of a value, where it is about one.
    fn said(&self, field: &str) -> Option<FieldAnswer> {
        let (group, page, verdict, values) = match self {
            Edit::Settle {
                group,
                page,
                verdict,
                values,
                ..
            }
            | Edit::Correct {
                group,
                page,
                verdict,
                values,
                ..
            } => (*group, *page, *verdict, values),
            _ => return None,
        };
        Some(FieldAnswer {
            group,
            field: field.to_owned(),
            page,
            verdict,
            // A text of the page comes with its line breaks and its hard spaces.
            values: values.iter().map(|value| answers::plain(value)).collect(),
        })
    }

    /// The field that the edit is about, if it is about the values of one.
    fn subject(&self, version: &Version, mold: &Mold, ways: (usize, usize)) -> Option<Subject> {
        let old_name = |group: usize, field: usize| -> Option<String> {
            let field = version.mold.groups.get(group)?.fields.get(field)?;
            Some(field.name.clone())
        };
        let (group, name, before) = match self {
            Edit::Example { group, name, .. } => (*group, name.trim().to_owned(), None),
            Edit::Use { group, field, name } => (*group, name.trim().to_owned(), Some(*field)),
            Edit::Tick { group, field, .. }
            | Edit::Many { group, field, .. }
            | Edit::Merge { group, field, .. }
            | Edit::Correct { group, field, .. } => {
                (*group, old_name(*group, *field)?, Some(*field))
            }
            _ => return None,
        };
        let wanted = version.mold.groups.get(group)?.wanted();
        let by_name = wanted.iter().position(|field| field.name == name);
        let before = before.filter(|&at| at < wanted.len()).or(by_name);
        let fields = mold.groups.get(group)?.wanted();
        Some(Subject {
            group,
            after: fields.iter().position(|field| field.name == name)?,
            field: name,
            before,
            way: ways.0,
            ways: ways.1,
            names: fields.iter().map(|field| field.name.clone()).collect(),
            against: None,
        })
    }

    /// The fields of a group after the edit by their numbers before it, where values do not change.
    pub(crate) fn order_of_fields(&self, wanted: usize) -> Option<(usize, Vec<usize>)> {
        let mut order: Vec<usize> = (0..wanted).collect();
        match *self {
            Edit::Rename { group, .. } | Edit::Settle { group, .. } => Some((group, order)),
            Edit::Move { group, field, to } if field < wanted && to < wanted => {
                let moved = order.remove(field);
                order.insert(to, moved);
                Some((group, order))
            }
            Edit::Tick {
                group,
                field,
                on: false,
            } if field < wanted => {
                order.remove(field);
                Some((group, order))
            }
            _ => None,
        }
    }

    /// The group that an edit is about, if it only puts fields into another order or out of the
    /// table.
    pub(crate) fn group_of_order(&self) -> Option<usize> {
        match *self {
            Edit::Rename { group, .. }
            | Edit::Settle { group, .. }
            | Edit::Move { group, .. }
            | Edit::Tick { group, .. } => Some(group),
            _ => None,
        }
    }
}

fn rename_answers(answers: &mut [FieldAnswer], group: usize, old: &str, new: &str) {
    for answer in answers {
        if answer.group == group && answer.field == old {
            new.clone_into(&mut answer.field);
        }
    }
}

/// A list under a name that no other list of the group has.
fn add_list(group: &mut Group, mut rule: ListRule) -> Answer<()> {
    if group.records.iter().any(|known| known.rule == rule.rule) {
        return Err(refused("the group has this list"));
    }
    let numbered = (2..).map(|number| format!("{} {number}", rule.name));
    let mut names = std::iter::once(rule.name.clone()).chain(numbered);
    let is_free = |name: &String| !group.records.iter().any(|known| known.name == *name);
    rule.name = names.find(is_free).unwrap_or_default();
    group.records.push(rule);
    Ok(())
}

fn group_of(mold: &mut Mold, group: usize) -> Answer<&mut Group> {
    mold.groups.get_mut(group).ok_or(Problem::Unknown)
}

fn field_of(mold: &mut Mold, group: usize, field: usize) -> Answer<&mut Field> {
    group_of(mold, group)?
        .fields
        .get_mut(field)
        .ok_or(Problem::Unknown)
}

/// Wanted fields stand before all others.
fn tick(group: &mut Group, field: usize, on: bool) -> Answer<()> {
    let wanted = group.wanted().len();
    if field >= group.fields.len() {
        return Err(Problem::Unknown);
    }
    if on == (field < wanted) {
        return Ok(());
    }
    let moved = group.fields.remove(field);
    let (place, wanted) = if on {
        (wanted, wanted + 1)
    } else {
        (wanted - 1, wanted - 1)
    };
    group.fields.insert(place, moved);
    group.wanted = Some(wanted);
    Ok(())
}

fn shift(group: &mut Group, field: usize, to: usize) -> Answer<()> {
    let wanted = group.wanted().len();
    if field >= wanted || to >= wanted {
        return Err(Problem::Unknown);
    }
    let moved = group.fields.remove(field);
    group.fields.insert(to, moved);
    Ok(())
}

/// A list of values is found by what they have in common: the class path without the number.
pub(crate) fn set_many(field: &mut Field, on: bool) {
    field.many = on;
    let has_each = field
        .views
        .iter()
        .any(|view| matches!(view, View::AllOfClassPath(_)));
    if on && !has_each {
        let each = field.views.iter().find_map(|view| match view {
            View::ClassPath(position) => Some(every(position)),
            _ => None,
        });
        field.views.splice(0..0, each);
    }
}

/// The position of all values that stand in elements like these, by the first class of each.
fn every(position: &Position) -> View {
    let step = |step: &str| step.split('.').take(2).collect::<Vec<_>>().join(".");
    let path = position
        .path
        .split(' ')
        .map(step)
        .collect::<Vec<_>>()
        .join(" ");
    View::AllOfClassPath(Position {
        path,
        nth: 0,
        ..position.clone()
    })
}

/// Views of both, with as much to say on either side.
fn merge(group: &mut Group, field: usize, with: usize) -> Answer<()> {
    if field == with || field.max(with) >= group.fields.len() {
        return Err(Problem::Unknown);
    }
    let wanted = group.wanted().len();
    group.wanted = Some(wanted - usize::from(with < wanted));
    let other = group.fields.remove(with);
    let kept = &mut group.fields[field - usize::from(field > with)];
    let (mine, theirs) = (weight(kept), weight(&other));
    let least = mine.min(theirs).max(1);
    kept.views
        .iter_mut()
        .for_each(|view| scale(view, least, mine));
    kept.views.extend(other.views.into_iter().map(|mut view| {
        scale(&mut view, least, theirs);
        view
    }));
    kept.many |= other.many;
    kept.needs_label = false;
    kept.fill = (kept.fill + other.fill).min(1.0);
    kept.kind = if kept.kind == other.kind {
        kept.kind
    } else {
        Type::Text
    };
    kept.letters = kept
        .letters
        .zip(other.letters)
        .map(|(a, b)| (a.0.min(b.0), a.1.max(b.1)));
    // Each finds its value with half of the votes.
    kept.agreement /= 2.0;
    (kept.label, kept.held_out) = (String::new(), None);
    kept.samples.extend(other.samples);
    Ok(())
}

fn weight(field: &Field) -> u32 {
    field
        .views
        .iter()
        .filter_map(View::position)
        .map(|(_, position)| u32::from(position.weight))
        .sum()
}

fn scale(view: &mut View, least: u32, own: u32) {
    if let Some((kind, position)) = view.position() {
        let weight = u32::from(position.weight) * least / own.max(1);
        let scaled = Position {
            weight: weight.clamp(1, 100) as u8,
            ..position.clone()
        };
        *view = View::at(kind, scaled);
    }
}

/// Learns a field from pages of a group and what some of them have of it.
pub(crate) fn learned(session: &Session, group: usize, name: &str, on: &[OnPage]) -> Answer<Field> {
    if name.is_empty() || on.iter().all(|on| on.values.is_empty()) {
        return Err(Problem::Refused(
            "an example needs a name and a value".to_owned(),
        ));
    }
    let overview = session.overview();
    let pages = overview.of_group.get(group).ok_or(Problem::Unknown)?;
    let mut numbers: Vec<usize> = on.iter().map(|on| on.page).collect();
    let count = pages.len().min(SAMPLE_PAGES);
    numbers.extend((0..count).map(|at| pages[at * pages.len() / count]));
    let mut seen = HashSet::new();
    numbers.retain(|&page| page < session.texts().len() && seen.insert(page));
    // Names of pages may occur twice; numbers do not.
    let id = |page: usize| format!("page-{page}.html");
    let texts: Vec<Text> = numbers
        .iter()
        .map(|&page| Text::from_string(id(page), session.texts()[page].as_str()))
        .collect();
    let example = |on: &OnPage| Example {
        page: Some(id(on.page)),
        fields: vec![(
            name.to_owned(),
            on.values
                .iter()
                .map(|value| answers::plain(value))
                .collect(),
        )],
        content: None,
    };
    let learner = Learner::default().examples(on.iter().map(example).collect());
    let outcome = learner
        .learn_with_outcome(&texts)
        .map_err(|error| Problem::Refused(error.to_string()))?;
    if let Some(unfit) = outcome.unfit.first() {
        return Err(Problem::Refused(unfit.to_string()));
    }
    let mut fields = outcome
        .mold
        .groups
        .into_iter()
        .flat_map(|group| group.wanted().to_vec());
    fields
        .find(|field| field.name == name)
        .ok_or_else(|| Problem::Refused("no rule finds this".to_owned()))
}

/// Puts a field that was learned into the table. One of its name is replaced, one that is found in
/// the same ways is it.
fn take_in(group: &mut Group, field: Field) {
    let wanted = group.wanted().len();
    let same = group
        .fields
        .iter()
        .position(|known| known.name == field.name);
    if let Some(place) = same.filter(|&place| place < wanted) {
        group.fields[place] = field;
        return;
    }
    group.fields.retain(|known| known.name != field.name);
    group.fields.insert(wanted, field);
    group.wanted = Some(wanted + 1);
}

fn ignore(
    session: &Session,
    version: &Version,
    mold: &mut Mold,
    page: usize,
    start: u32,
    end: u32,
) -> Answer<()> {
    let text = session.text(page)?;
    let length = text.as_str().len() as u32;
    let place = Span {
        start: start.min(length),
        end: end.clamp(start.min(length), length),
    };
    let placed = version
        .reader()
        .place(text)
        .ok_or_else(|| refused("the page is of no group"))?;
    let group = group_of(mold, placed.group)?;
    let inside: Vec<usize> = {
        let values = session.page(page)?;
        let is_inside = |span: &Span| overlaps(&[place], *span);
        let values = values
            .values
            .iter()
            .filter(|value| value.spans.iter().any(is_inside));
        values.map(|value| value.field).collect()
    };
    for field in inside.into_iter().rev() {
        tick(group, field, false)?;
    }
    let look = placed.look.and_then(|look| group.looks.get(look)?.content);
    let rule = match look {
        Some(rule) => mold.contents.get_mut(rule),
        None => mold.groups[placed.group].content.as_mut(),
    };
    let rule =
        rule.ok_or_else(|| refused("the mold says nothing about the content of this page"))?;
    let path = rule
        .path_around(text.as_str(), place)
        .ok_or_else(|| refused("no element is around this"))?;
    if rule.regions.iter().any(|region| region.path == path) {
        return Err(refused("this is all of the content"));
    }
    if !rule.asides.contains(&path) {
        rule.asides.push(path);
    }
    Ok(())
}

fn refused(reason: &str) -> Problem {
    Problem::Refused(reason.to_owned())
}

/// The rule of a list of a page, and the group of the page.
fn list_of(
    session: &Session,
    page: usize,
    method: Method,
    pattern: usize,
) -> Answer<(usize, ListRule)> {
    let text = session.text(page)?;
    let patterns = lists::patterns(text, method)?;
    let pattern = patterns.get(pattern).ok_or(Problem::Unknown)?;
    let overview = session.overview();
    let group = session
        .page(page)?
        .group
        .ok_or_else(|| refused("the page is of no group"))?;
    let pages = &overview.of_group[group];
    let count = pages.len().min(SAMPLE_PAGES);
    let sample = (0..count)
        .map(|at| pages[at * pages.len() / count])
        .filter(|&other| other != page);
    let texts: Vec<&Text> = std::iter::once(text)
        .chain(sample.map(|page| &session.texts()[page]))
        .collect();
    Ok((group, list_rule(pattern, &texts)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use unmold::fields::ViewKind;

    fn group(names: &[&str], wanted: usize) -> Group {
        let field = |name: &&str| {
            let position = Position {
                path: format!("p.{name}"),
                weight: 50,
                ..Position::default()
            };
            Field {
                name: (*name).to_owned(),
                views: vec![View::ClassPath(position)],
                ..Field::default()
            }
        };
        let mut group = Group::new("group", 3);
        group.fields = names.iter().map(field).collect();
        group.wanted = Some(wanted);
        group
    }

    fn names(group: &Group) -> (Vec<&str>, usize) {
        (
            group
                .fields
                .iter()
                .map(|field| field.name.as_str())
                .collect(),
            group.wanted().len(),
        )
    }

    #[test]
    fn ticked_fields_stand_before_all_others() {
        let mut group = group(&["a", "b", "c", "d"], 2);
        tick(&mut group, 3, true).unwrap();
        assert_eq!(names(&group), (vec!["a", "b", "d", "c"], 3));
        tick(&mut group, 0, false).unwrap();
        assert_eq!(names(&group), (vec!["b", "d", "a", "c"], 2));
        tick(&mut group, 0, true).unwrap();
        assert_eq!(names(&group), (vec!["b", "d", "a", "c"], 2));
        assert!(tick(&mut group, 4, true).is_err());
    }

    #[test]
    fn fields_are_merged_wherever_they_stand() {
        for (field, with, expected) in [
            (0, 1, vec!["a", "c", "d"]),
            (1, 0, vec!["b", "c", "d"]),
            (0, 3, vec!["a", "b", "c"]),
            (3, 0, vec!["b", "c", "d"]),
        ] {
            let mut group = group(&["a", "b", "c", "d"], 2);
            let kept = group.fields[field].name.clone();
            merge(&mut group, field, with).unwrap();
            assert_eq!(names(&group).0, expected, "{field} with {with}");
            assert_eq!(
                group
                    .fields
                    .iter()
                    .find(|field| field.name == kept)
                    .unwrap()
                    .views
                    .len(),
                2
            );
        }
        assert!(merge(&mut group(&["a"], 1), 0, 0).is_err());
    }

    #[test]
    fn a_list_goes_by_the_first_class_of_each_element() {
        let position = Position {
            path: "ul.a.b li.c".to_owned(),
            nth: 4,
            weight: 30,
            ..Position::default()
        };
        let mut field = Field {
            views: vec![View::ClassPath(position)],
            ..Field::default()
        };
        set_many(&mut field, true);
        let (kind, each) = field.views[0].position().unwrap();
        assert_eq!(
            (kind, each.path.as_str(), each.nth),
            (ViewKind::AllOfClassPath, "ul.a li.c", 0)
        );
        set_many(&mut field, true);
        assert_eq!(field.views.len(), 2);
    }

    #[test]
    fn a_field_that_is_learned_again_replaces_the_first() {
        let mut group = group(&["a", "b", "c"], 1);
        let field = |name: &str| Field {
            name: name.to_owned(),
            fill: 0.5,
            ..Field::default()
        };
        take_in(&mut group, field("a"));
        take_in(&mut group, field("c"));
        assert_eq!(names(&group), (vec!["a", "c", "b"], 2));
        assert_eq!((group.fields[0].fill, group.fields[1].fill), (0.5, 0.5));
    }
}
