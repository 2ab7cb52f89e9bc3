//! Which fields of different templates are the same?
//!
//! A site may list its entries in two ways: goods in one block each, shops in two rows of a table
//! each. Where the two share no label and no class, nothing on the pages says that the title of one
//! is the title of the other. But what is listed in both has the same make-up:
//!
//! - the *title* is the text of the only link that leads to a place of its own from each record,
//! - the *date* is the only one in a record,
//! - the *text* is far longer than all else in a record.
//!
//! Fields that play the same part get one name, so that they are one column; each group keeps its
//! own rules. The name is one that the page says, if it says one, else the author's. False columns
//! are worse than two columns, so all of this is done only for pages most of whose text is what
//! they list, only with titles on both sides, and never for fields that the pages call differently.
//!
//! Cost: the fields and lists of twenty pages of each group are looked for once more.

use super::pages::Pages;
use crate::{
    Span,
    fields::{Field, Type, apply::Finder, names::NamedBy, sample::ScannedPage},
    lists::{self, Column, List, tag_memory::TagMemory},
    mold::Group,
    read::html::visible_text,
};
use rapidhash::RapidHashSet;
use rayon::prelude::*;

/// A group, who named its fields, and the pages it was learned from.
pub(super) struct Named {
    pub group: Group,
    pub named_by: Vec<NamedBy>,
    /// By number.
    pub pages: Vec<usize>,
}

impl Named {
    /// The names of its fields, and who gave them.
    fn names(&self) -> impl Iterator<Item = (&NamedBy, &str)> {
        self.named_by
            .iter()
            .zip(self.group.fields.iter().map(|field| field.name.as_str()))
    }
}

/// Gives one name to fields that are the same in several groups.
pub(super) fn join(pages: &Pages<'_>, groups: &mut [Named]) {
    if groups
        .iter()
        .filter(|named| !named.group.records.is_empty())
        .count()
        < 2
    {
        return;
    }
    let parts: Vec<Option<Parts>> = groups
        .par_iter()
        .map(|named| Parts::of(pages, named))
        .collect();
    let of: [fn(&Parts) -> &Members; 3] = [
        |parts| &parts.title,
        |parts| &parts.date,
        |parts| &parts.text,
    ];
    for of in of {
        let members: Vec<(usize, &Members)> = parts
            .iter()
            .enumerate()
            .filter_map(|(group, parts)| Some((group, of(parts.as_ref()?))))
            .collect();
        if !are_called_differently(groups, &members) {
            join_members(groups, &members);
        }
    }
}

/// Gives other names to fields that nobody named, where fields of another group were given theirs
/// by the pages or by their author: a price that a page lists is not the `price` of a product.
pub(super) fn part_unnamed(groups: &mut [Named]) {
    let given: RapidHashSet<String> = groups
        .iter()
        .flat_map(Named::names)
        .filter(|(by, _)| **by != NamedBy::Nobody)
        .map(|(_, name)| name.to_owned())
        .collect();
    let mut taken: RapidHashSet<String> = groups
        .iter()
        .flat_map(Named::names)
        .map(|(_, name)| name.to_owned())
        .collect();
    for named in groups {
        let own: RapidHashSet<String> = named
            .names()
            .filter(|(by, _)| **by != NamedBy::Nobody)
            .map(|(_, name)| name.to_owned())
            .collect();
        let unnamed = named
            .group
            .fields
            .iter_mut()
            .zip(&named.named_by)
            .filter(|(_, by)| **by == NamedBy::Nobody);
        for (field, _) in
            unnamed.filter(|(field, _)| given.contains(&field.name) && !own.contains(&field.name))
        {
            let mut numbered = (2..).map(|number| format!("{}_{number}", field.name));
            field.name = numbered
                .find(|name| !taken.contains(name))
                .expect("there are more numbers than names");
            taken.insert(field.name.clone());
        }
    }
}

/// Whether pages of one group say another name for a part than pages of another.
fn are_called_differently(groups: &[Named], members: &[(usize, &Members)]) -> bool {
    let said = members.iter().flat_map(|(group, members)| {
        members
            .all()
            .filter_map(|field| match &groups[*group].named_by[field] {
                NamedBy::Page(name) => Some(name),
                _ => None,
            })
    });
    said.collect::<RapidHashSet<_>>().len() > 1
}

/// Joins the lists of all groups, the first single fields of all, the second ones, and so on.
fn join_members(groups: &mut [Named], members: &[(usize, &Members)]) {
    let most = members
        .iter()
        .map(|(_, members)| members.singles.len())
        .max()
        .unwrap_or(0);
    let at = |place: Option<usize>, members: &Members| match place {
        None => members.many,
        Some(place) => members.singles.get(place).copied(),
    };
    for place in std::iter::once(None).chain((0..most).map(Some)) {
        let same = members
            .iter()
            .filter_map(|(group, members)| Some((*group, at(place, members)?)));
        name_alike(groups, &same.collect::<Vec<_>>());
    }
}

/// Gives one name to some fields, each in its group, unless another field there has it.
fn name_alike(groups: &mut [Named], fields: &[(usize, usize)]) {
    let surest = fields
        .iter()
        .min_by_key(|(group, field)| &groups[*group].named_by[*field]);
    let Some(&(group, field)) = surest else {
        return;
    };
    let name = groups[group].group.fields[field].name.clone();
    for &(group, field) in fields {
        let fields = &mut groups[group].group.fields;
        if !fields.iter().any(|other| other.name == name) {
            fields[field].name.clone_from(&name);
        }
    }
}

/// The fields that play each part in what the pages of a group list.
struct Parts {
    title: Members,
    date: Members,
    text: Members,
}

/// The fields of one part.
#[derive(Debug, Default)]
struct Members {
    /// The one that holds all values of a page.
    many: Option<usize>,
    /// Those that hold the value of one record, in the order of the page.
    singles: Vec<usize>,
}

impl Members {
    fn all(&self) -> impl Iterator<Item = usize> {
        self.many.into_iter().chain(self.singles.iter().copied())
    }
}

impl Parts {
    fn of(pages: &Pages<'_>, named: &Named) -> Option<Parts> {
        let listing = Listing::read(&named.group, pages, &named.pages)
            .filter(Listing::is_most_of_the_page)?;
        let title = listing.title()?;
        let of = |column: Option<usize>, kind: Option<Type>| {
            column.map_or_else(Members::default, |column| {
                listing.members(&named.group.fields, column, kind)
            })
        };
        let date = listing.date(&named.group.fields);
        let text = listing
            .text()
            .filter(|text| *text != title && Some(*text) != date);
        Some(Parts {
            title: of(Some(title), None),
            date: of(date, Some(Type::Date)),
            text: of(text, None),
        })
    }
}

/// What the pages of a group list, column by column, and which fields stand where.
struct Listing<'g> {
    columns: &'g [Column],
    /// The values of each column on all pages.
    values: Vec<Vec<String>>,
    records: usize,
    /// The letters of all records, and of all pages.
    letters: (usize, usize),
    /// For each field, how often it stands in each column, and the sum of its places there.
    stands: Vec<Vec<(usize, usize)>>,
}

/// Pages that are looked at: those of a group are alike.
const TRIED: usize = 20;

/// Whether something is so for nearly all.
fn nearly_all(part: usize, whole: usize) -> bool {
    10 * part >= 9 * whole && whole > 0
}

impl<'g> Listing<'g> {
    fn read(group: &'g Group, pages: &Pages<'_>, numbers: &[usize]) -> Option<Self> {
        let list = group.records.first()?;
        let (records, fields) = (
            lists::apply::Finder::new(list),
            Finder::new(&group.fields, &group.landmarks),
        );
        let columns = list.rule.columns()?;
        let mut listing = Listing {
            columns,
            values: vec![Vec::new(); columns.len()],
            records: 0,
            letters: (0, 0),
            stands: vec![vec![(0, 0); columns.len()]; group.fields.len()],
        };
        for &page in numbers.iter().take(TRIED) {
            let text = pages.text(page);
            if let Some(list) = records.find(text, pages.tree(page), &mut TagMemory::default()) {
                listing.add(text.as_str(), &list, &spans(&fields, &pages.scanned(page)));
            }
        }
        Some(listing)
    }

    /// Takes up what a page lists, and where the fields stand on it.
    fn add(&mut self, page: &str, list: &List<'_>, fields: &[Vec<Span>]) {
        self.letters.1 += visible_text(page).chars().count();
        let before: Vec<usize> = self.values.iter().map(Vec::len).collect();
        let mut cells: Vec<(Span, usize, usize)> = Vec::new();
        for record in &list.records {
            self.records += 1;
            self.letters.0 += visible_text(record.span.of(page)).chars().count();
            for field in &record.fields {
                let values = &mut self.values[field.column];
                cells.push((
                    field.span,
                    field.column,
                    values.len() - before[field.column],
                ));
                values.push(self.columns[field.column].value(field.span.of(page)));
            }
        }
        cells.sort_unstable();
        for (field, spans) in fields.iter().enumerate() {
            for span in spans {
                // Attributes of an element come before its text, and columns do not overlap.
                let cell = cells[..cells.partition_point(|cell| cell.0.start <= span.start)].last();
                if let Some((_, column, place)) = cell.filter(|cell| span.end <= cell.0.end) {
                    let stands = &mut self.stands[field][*column];
                    *stands = (stands.0 + 1, stands.1 + place);
                }
            }
        }
    }

    /// Whether records are more than half of what a reader sees.
    fn is_most_of_the_page(&self) -> bool {
        self.records > 0 && 2 * self.letters.0 > self.letters.1
    }

    /// The text of the link that leads to a place of its own from each record.
    fn title(&self) -> Option<usize> {
        let is_own = |column: &usize| {
            let places = &self.values[*column];
            let different = places.iter().collect::<RapidHashSet<_>>().len();
            self.columns[*column].attribute.as_deref() == Some("href")
                && nearly_all(places.len(), self.records)
                && nearly_all(different, places.len())
        };
        let mut links = (0..self.columns.len()).filter(is_own);
        let (Some(link), None) = (links.next(), links.next()) else {
            return None;
        };
        let link = self.columns[link].way.strip_suffix("@href")?;
        let is_inside = |column: &Column| {
            let rest = column
                .way
                .strip_prefix(link)
                .filter(|_| column.attribute.is_none());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let texts = |is: &dyn Fn(&Column) -> bool| -> Vec<usize> {
            (0..self.columns.len())
                .filter(|&column| is(&self.columns[column]))
                .collect()
        };
        match texts(&is_inside)[..] {
            [title] => Some(title),
            [] => self.holder(link),
            _ => None,
        }
    }

    /// The innermost column that a link stands in, if that has no other text.
    fn holder(&self, link: &str) -> Option<usize> {
        let holds = |column: &&usize| {
            let column = &self.columns[**column];
            let rest = link
                .strip_prefix(column.way.as_str())
                .filter(|_| column.attribute.is_none());
            rest.is_some_and(|rest| rest.starts_with('/'))
        };
        let columns: Vec<usize> = (0..self.columns.len()).collect();
        columns
            .iter()
            .filter(holds)
            .max_by_key(|&&column| self.columns[column].way.len())
            .copied()
    }

    /// The only column with dates.
    fn date(&self, fields: &[Field]) -> Option<usize> {
        let dates = fields
            .iter()
            .enumerate()
            .filter(|(_, field)| field.kind == Type::Date);
        let columns: RapidHashSet<usize> = dates
            .filter_map(|(field, _)| self.column_of(field))
            .collect();
        columns
            .iter()
            .copied()
            .next()
            .filter(|_| columns.len() == 1)
    }

    /// The column whose texts are at least twice as long as those of any other.
    fn text(&self) -> Option<usize> {
        let texts =
            (0..self.columns.len()).filter(|&column| self.columns[column].attribute.is_none());
        let length = |column: usize| {
            let letters: usize = self.values[column]
                .iter()
                .map(|value| value.chars().count())
                .sum();
            letters / self.values[column].len().max(1)
        };
        let mut lengths: Vec<(usize, usize)> =
            texts.map(|column| (length(column), column)).collect();
        lengths.sort_unstable();
        let [.., (second, _), (first, column)] = lengths[..] else {
            return None;
        };
        (first >= 2 * second).then_some(column)
    }

    /// The column that nearly all values of a field stand in.
    fn column_of(&self, field: usize) -> Option<usize> {
        let all: usize = self.stands[field].iter().map(|stands| stands.0).sum();
        self.stands[field]
            .iter()
            .position(|stands| nearly_all(stands.0, all))
    }

    /// The fields of a column, of one type if that is asked for: those that hold a whole value and
    /// nothing else.
    fn members(&self, fields: &[Field], column: usize, kind: Option<Type>) -> Members {
        let is_cut = |field: &Field| !field.prefix.is_empty();
        let has_inner = |field: &Field| {
            fields
                .iter()
                .any(|other| is_cut(other) && other.views == field.views)
        };
        // A number without its unit is a form of what has the unit.
        let is_number = |field: &Field| field.prefix.is_empty() && !field.suffix.is_empty();
        let is_member = |field: &usize| {
            let known = &fields[*field];
            self.column_of(*field) == Some(column)
                && known.part.is_none()
                && !is_number(known)
                && kind.is_none_or(|kind| known.kind == kind)
                && (is_cut(known) || !has_inner(known))
        };
        let (many, mut singles): (Vec<usize>, Vec<usize>) = (0..fields.len())
            .filter(is_member)
            .partition(|&field| fields[field].many);
        let place = |field: usize| {
            let (times, sum) = self.stands[field][column];
            (sum as f64 / times as f64 * 1e3) as u64
        };
        singles.sort_by_key(|&field| place(field));
        Members {
            many: many.first().copied(),
            singles,
        }
    }
}

/// Where each field stands on a page.
fn spans(finder: &Finder, page: &ScannedPage<'_>) -> Vec<Vec<Span>> {
    let mut slots = page.own_slots();
    finder.set_landmarks(&mut slots);
    let found = finder.find_fields(&slots).into_iter();
    found
        .map(|found| {
            found
                .slots
                .iter()
                .map(|&slot| slots[slot as usize].span)
                .collect()
        })
        .collect()
}
