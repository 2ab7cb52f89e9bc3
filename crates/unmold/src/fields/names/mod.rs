//! What is a column called?
//!
//! What the page calls it, in the page's own language:
//!
//! 1. a label that can be nothing else: one with a colon, a `<th>`, `<dt>` or `<label>`, the header
//!    of a column;
//! 2. what the author told machines: `itemprop`, `property`, the names that lead to it in JSON-LD;
//! 3. `title`, if it is what the page is about;
//! 4. the first text of its row, if that is no link or button;
//! 5. a class or id that no other text of the page has, unless a program made it (`meaningful`);
//! 6. the words that all its values begin with;
//! 7. the heading above it, for a list;
//! 8. else what it is: `price`, `date`, `link`, `image`, `text`.
//!
//! A phrase is no name, and neither is what a column has for a value on some page: the name of an
//! author that precedes a date is not what the date is called.
//!
//! Cost: a few pages are looked at for each column, and the classes of each of these pages are
//! counted once.

mod meaningful;

use super::{
    Position, Type, ViewKind,
    columns::{Column, Form, MAX_LABEL_LETTERS},
    describe::{Bearers, LabelBefore, SlotContext},
    label_text::{ends_with_colon, text_hash},
    sample::Sample,
    slots::{JSON_LD, Slot, SlotId},
    types::are_phones,
};
use crate::read::tree::NodeId;
use meaningful::meaningful_part;
use rapidhash::{RapidHashMap, RapidHashSet};

/// Who named a column, the surest first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum NamedBy {
    /// The text of the page: a label or a header, which is this as a name.
    Page(String),
    /// The author of the markup, by an attribute or a class.
    Author,
    /// Nobody: it is called what it is, or after the column whose text it is part of.
    Nobody,
}

/// A name, and who gave it.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub text: String,
    pub by: NamedBy,
}

impl Name {
    /// A name from a text of the page.
    fn from_page(text: String) -> Self {
        Name {
            by: NamedBy::Page(text.clone()),
            text,
        }
    }

    /// A name from the markup; `None` if nothing in it can be a name. The dots of nested data are
    /// kept.
    fn from_author(name: &str) -> Option<Self> {
        let parts: Vec<String> = name.split('.').filter_map(identifier).collect();
        if parts.is_empty() {
            return None;
        }
        Some(Name {
            text: parts.join("."),
            by: NamedBy::Author,
        })
    }

    fn from_nobody(text: impl Into<String>) -> Self {
        Name {
            text: text.into(),
            by: NamedBy::Nobody,
        }
    }
}

/// Columns that every table has.
const BUILT_IN: [&str; 3] = ["page", "url", "group"];
/// A label of more words than this is a sentence. Chosen by hand.
const MAX_WORDS: usize = 6;
/// A text of more words than this that may be no label at all is none. Chosen by hand.
const MAX_WORDS_OF_TEXT: usize = 4;
/// Pages of a column that are looked at for its label and its place.
const PAGES_TRIED: usize = 8;
/// Elements that are looked at for an id or class, from the innermost. Chosen by hand: those
/// further out are around more than the value.
const ELEMENTS_TRIED: usize = 3;

/// Gives each column a name of its own, and none that is taken already, in any writing.
///
/// The first `wanted` of them are those that a person would keep.
pub(super) fn names(
    sample: &Sample<'_>,
    columns: &[Column],
    wanted: usize,
    mut taken: RapidHashSet<String>,
) -> Vec<Name> {
    let mut namer = Namer::of(sample, columns, wanted);
    taken.extend(BUILT_IN.map(str::to_owned));
    let mut of_family: RapidHashMap<usize, String> = RapidHashMap::default();
    let mut names = Vec::with_capacity(columns.len());
    for column in columns {
        let mut name = match of_family.get(&column.family()) {
            Some(main) => namer.name_form(column, main),
            None => namer.name(column),
        };
        name.text = unique(&name.text, &mut taken);
        of_family
            .entry(column.family())
            .or_insert_with(|| name.text.clone());
        names.push(name);
    }
    names
}

/// A name that is not taken yet, in any writing.
fn unique(name: &str, taken: &mut RapidHashSet<String>) -> String {
    let mut unique = name.to_owned();
    let mut number = 2;
    while !taken.insert(unique.to_lowercase()) {
        unique = format!("{name}_{number}");
        number += 1;
    }
    unique
}

/// What names are taken from.
struct Namer<'s, 'p> {
    sample: &'s Sample<'p>,
    /// All values as names, and whether they are of columns that a person would keep.
    values: RapidHashMap<String, bool>,
    /// On how many pages each text is.
    pages_with: RapidHashMap<u64, usize>,
    /// The elements that have each class and id, on the pages that were looked at.
    bearers: RapidHashMap<u32, RapidHashMap<&'s str, Bearers>>,
}

impl<'s, 'p> Namer<'s, 'p> {
    fn of(sample: &'s Sample<'p>, columns: &[Column], wanted: usize) -> Self {
        let mut namer = Namer {
            sample,
            values: RapidHashMap::default(),
            pages_with: RapidHashMap::default(),
            bearers: RapidHashMap::default(),
        };
        for (at, column) in columns.iter().enumerate() {
            namer.note_values(column, at < wanted);
        }
        for slots in sample.all_slots() {
            let shown = slots.iter().filter(|slot| slot.attribute.is_empty());
            let texts: RapidHashSet<u64> = shown.map(|slot| slot.text).collect();
            for text in texts {
                *namer.pages_with.entry(text).or_default() += 1;
            }
        }
        namer
    }

    fn note_values(&mut self, column: &Column, is_wanted: bool) {
        for value in column.values() {
            // What ends with a colon is a label that was taken for a value.
            if value.len() > 4 * MAX_LABEL_LETTERS || ends_with_colon(value) {
                continue;
            }
            if let Some(name) = identifier(value) {
                *self.values.entry(name.to_lowercase()).or_default() |= is_wanted;
            }
        }
    }

    fn name(&mut self, column: &Column) -> Name {
        if let Some(name) = self.name_from_label(column) {
            return name;
        }
        if let Some(name) = declared_name(column) {
            return name;
        }
        if let Some(name) = self.title(column) {
            return name;
        }
        if let Some(name) = self.name_from_text_before(column) {
            return name;
        }
        if let Some(name) = self.name_from_markup(column) {
            return name;
        }
        if let Some(name) = self.name_from_words_around(column) {
            return name;
        }
        Name::from_nobody(self.neutral_name(column))
    }

    /// The name of another form of a column that has one.
    fn name_form(&self, column: &Column, main: &str) -> Name {
        let number = column.rule().part.as_ref().map_or(0, |part| part.number);
        match column.form() {
            Form::Text => match self.name_of_text(column) {
                Some(name) => name,
                None => Name::from_nobody(format!("{main}_text")),
            },
            Form::Number => Name::from_nobody(format!("{main}_number")),
            Form::Part => Name::from_nobody(format!("{main}_part_{}", number + 1)),
            Form::Plain | Form::Value => Name::from_nobody(main),
        }
    }

    /// The name of a text that begins with a label ("City: 30, Highway: 27"), if it has one of its
    /// own.
    fn name_of_text(&self, column: &Column) -> Option<Name> {
        let before = self.label_before(column).filter(LabelBefore::is_certain);
        let name = before.and_then(|before| self.name_from_text(&before.text, MAX_WORDS));
        name.or_else(|| self.title(column))
    }

    /// What can be nothing but the label of a column, where it or a copy of it is.
    fn name_from_label(&self, column: &Column) -> Option<Name> {
        let prefix = column.rule().prefix.trim();
        if ends_with_colon(prefix)
            && let Some(name) = self.name_from_text(prefix, MAX_WORDS)
        {
            return Some(name);
        }
        let before = self.label_before(column).filter(LabelBefore::is_certain);
        if let Some(name) = before.and_then(|before| self.name_from_text(&before.text, MAX_WORDS)) {
            return Some(name);
        }
        if let Some(name) =
            label_of_row(column).and_then(|label| self.name_from_text(label, MAX_WORDS))
        {
            return Some(name);
        }
        let header = column.everywhere(self.sample, |place| place.column_header())?;
        self.name_from_text(&header, MAX_WORDS)
    }

    /// The text before a column, which may be its label.
    fn name_from_text_before(&self, column: &Column) -> Option<Name> {
        let mut labels = texts(column, ViewKind::LabelBefore);
        let of_copy = labels.find(|label| ends_with_colon(label));
        if let Some(name) = of_copy.and_then(|label| self.name_from_text(label, MAX_WORDS)) {
            return Some(name);
        }
        let before = self
            .label_before(column)
            .filter(LabelBefore::may_be_label)?;
        self.name_from_text(&before.text, MAX_WORDS_OF_TEXT)
    }

    /// What the values of a column begin with, or the heading above a list.
    fn name_from_words_around(&self, column: &Column) -> Option<Name> {
        if let Some(name) = self.name_from_text(&column.rule().prefix, MAX_WORDS_OF_TEXT) {
            return Some(name);
        }
        if !column.is_list() {
            return None;
        }
        let heading = column.everywhere(self.sample, |place| place.heading())?;
        self.name_from_text(&heading, MAX_WORDS_OF_TEXT)
    }

    /// A name from a text of the page, if it is neither a sentence nor a value.
    fn name_from_text(&self, text: &str, max_words: usize) -> Option<Name> {
        if text.split_whitespace().count() > max_words || text.chars().count() > MAX_LABEL_LETTERS {
            return None;
        }
        let name = identifier(text).filter(|name| name.contains(char::is_alphabetic))?;
        if self.is_value(text, &name) {
            return None;
        }
        Some(Name::from_page(name))
    }

    /// Whether a text is what a column that a person would keep says on some page, or what any
    /// column says on some pages while it is not on most.
    fn is_value(&self, text: &str, name: &str) -> bool {
        match self.values.get(&name.to_lowercase()) {
            None => false,
            Some(true) => true,
            Some(false) => !text_hash(text).is_some_and(|text| self.is_of_template(text)),
        }
    }

    /// Whether a text is part of the template: it is on most pages.
    fn is_of_template(&self, text: u64) -> bool {
        let pages = self.pages_with.get(&text).copied().unwrap_or(0);
        2 * pages > self.sample.len()
    }

    /// The text that right precedes the values of most pages.
    fn label_before(&self, column: &Column) -> Option<LabelBefore> {
        let mut labels: Vec<(LabelBefore, usize)> = Vec::new();
        let mut pages = 0;
        for place in column.places().take(PAGES_TRIED) {
            pages += 1;
            let Some(label) = self.sample.context(place).label_before() else {
                continue;
            };
            match labels.iter_mut().find(|(known, _)| *known == label) {
                Some((_, times)) => *times += 1,
                None => labels.push((label, 1)),
            }
        }
        let (label, times) = labels.into_iter().max_by_key(|(_, times)| *times)?;
        (2 * times > pages).then_some(label)
    }

    /// `title`, for the text that names what the page is about.
    fn title(&self, column: &Column) -> Option<Name> {
        if column.is_list() || !column.rule().prefix.is_empty() {
            return None;
        }
        let (mut subjects, mut pages) = (0, 0);
        for place in column.places().take(PAGES_TRIED) {
            pages += 1;
            subjects += usize::from(self.sample.is_subject(place));
        }
        (2 * subjects > pages).then(|| Name::from_nobody("title"))
    }

    /// The id or class that names a value: of the few innermost elements that enclose nothing else
    /// that varies, the first name that is used once on the page, is not shown to readers as
    /// another value, and recurs on other pages.
    fn name_from_markup(&mut self, column: &Column) -> Option<Name> {
        let example = column.example();
        let place = self.sample.context(example);
        if place.attribute() == JSON_LD {
            return None;
        }
        for element in self.exclusive_ancestors(column, &place) {
            for name in place.names(element) {
                if !self.is_unique_on_page(name, column, &place) {
                    continue;
                }
                let Some(name) = meaningful_part(name) else {
                    continue;
                };
                // A word that readers see as a value of another column would mislead as a name.
                if self.values.get(&name.to_lowercase()) == Some(&true) {
                    continue;
                }
                // An id that only this page has is its own ("post-4711"), not the template's.
                if !self.recurs_on_other_pages(name, column) {
                    continue;
                }
                return match place.attribute() {
                    "" => Name::from_author(name),
                    attribute => Name::from_author(&format!("{name}_{attribute}")),
                };
            }
        }
        None
    }

    /// The innermost elements around a value that enclose nothing else that varies. What is right
    /// in an element and first is what the element is named for, whatever follows it.
    fn exclusive_ancestors(&self, column: &Column, place: &SlotContext<'_>) -> Vec<NodeId> {
        let SlotId { page, slot } = column.example();
        let own = &column.on_page(page as usize).voted.slots;
        let mut elements = Vec::new();
        for (step, element) in place.around().take(ELEMENTS_TRIED).enumerate() {
            let varies = |other: &Slot| !self.is_of_template(other.text);
            let mut others = place.other_texts(element, own);
            let first_other = others.find(|(_, other)| varies(other));
            let is_named_for = match first_other {
                None => true,
                Some((at, _)) => step == 0 && at > slot as usize,
            };
            if !is_named_for {
                break;
            }
            elements.push(element);
        }
        elements
    }

    /// Whether no other element of the page has an id or class, but for the items of a list.
    fn is_unique_on_page(&mut self, name: &str, column: &Column, place: &SlotContext<'s>) -> bool {
        let page = column.example().page;
        let items = match column.is_list() {
            true => column.on_page(page as usize).voted.slots.len(),
            false => 1,
        };
        let bearers = self.bearers.entry(page).or_insert_with(|| place.bearers());
        bearers
            .get(name)
            .is_some_and(|bearers| bearers.are_one(items))
    }

    /// Whether the next page that has the column has a name too, in the same place.
    fn recurs_on_other_pages(&self, name: &str, column: &Column) -> bool {
        let page = column.example().page;
        let mut others = column.places().filter(|other| other.page != page);
        let Some(other) = others.next() else {
            return true;
        };
        let place = self.sample.context(other);
        for element in place.around().take(ELEMENTS_TRIED) {
            if place.names(element).any(|own| own.contains(name)) {
                return true;
            }
        }
        false
    }

    /// What a column is, where nothing names it.
    fn neutral_name(&self, column: &Column) -> &'static str {
        let place = self.sample.context(column.example());
        let is_in = |names: &[&str]| {
            let mut around = place.around().take(ELEMENTS_TRIED);
            around.any(|node| names.contains(&place.tree.name(node)))
        };
        match place.attribute() {
            "src" => return "image",
            "alt" => return "image_alt",
            "href" => return "link_address",
            "datetime" => return "date",
            _ => {}
        }
        match column.kind() {
            Type::Date => "date",
            _ if are_phones(column.values()) => "phone",
            Type::Number => "number",
            Type::Money => "price",
            Type::Time => "time",
            Type::Url => "address",
            Type::Email => "email",
            Type::Id => "id",
            Type::Text if is_in(&["title"]) => "page_title",
            Type::Text if is_in(&["h1", "h2", "h3", "h4", "h5", "h6"]) => "heading",
            Type::Text if is_in(&["a"]) => "link",
            Type::Text => "text",
        }
    }
}

/// The name that the author gave to the value for machines.
fn declared_name(column: &Column) -> Option<Name> {
    let mut named = column.rule().positions(ViewKind::NamedElement);
    let own = named.find(|position| position.path.is_empty());
    if let Some(name) = own.and_then(|position| position.declared_name()) {
        return Name::from_author(name);
    }
    let data = column.rule().positions(ViewKind::JsonLd).next()?;
    Name::from_author(&data.path.replace(' ', "."))
}

/// A text before a column or a copy of it that ends with a colon, and that its row begins with.
fn label_of_row(column: &Column) -> Option<&str> {
    texts(column, ViewKind::LabelBefore).find(|label| {
        ends_with_colon(label) && texts(column, ViewKind::LabelOfBlock).any(|first| first == *label)
    })
}

/// The texts of the views of a kind, of a column and of its copies.
fn texts(column: &Column, kind: ViewKind) -> impl Iterator<Item = &str> {
    let positions = column.rule().positions(kind);
    positions.map(|position: &Position| position.text.trim())
}

/// A text as a name: letters and digits of any script, and underscores for what is between them.
pub(crate) fn identifier(text: &str) -> Option<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        return None;
    }
    let mut name = words.join("_");
    if name.starts_with(char::is_numeric) {
        name.insert(0, '_');
    }
    Some(name)
}
