//! What is a field called?
//!
//! What the page calls it, in the page's own language:
//!
//! 1. a label that can be nothing else: one with a colon, a `<th>`, `<dt>` or `<label>`, the header of a column;
//! 2. what the author told machines: `itemprop`, `property`, the names that lead to it in JSON-LD;
//! 3. `title`, if it is what the page is about;
//! 4. the first text of its row, if that is no link or button;
//! 5. a class or id that no other text of the page has, unless a program made it ([`telling`]);
//! 6. the words that all its values begin with;
//! 7. the heading above it, for a list;
//! 8. else what it is: `price`, `date`, `link`, `image`, `text`.
//!
//! A phrase is no name, and neither is what a field has for a value on some page: the name of an author that stands before
//! a date is not what the date is called.
//!
//! Cost: a few pages are looked at for each field, and the classes of each of these pages are counted once.

mod telling;

use super::{
    Kind, Position, Type,
    describe::{Bearers, LabelBefore},
    evidence::{Evidence, Form},
    learn::Sample,
    slots::{JSON_LD, Slot, text_hash},
};
use rapidhash::{RapidHashMap, RapidHashSet};
use telling::telling;

/// Who named a field, the surest first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum NamedBy {
    /// The text of the page: a label or a header, which is this as a name.
    Page(String),
    /// The author of the markup, by an attribute or a class.
    Author,
    /// Nobody: it is called what it is, or after the field whose text it is part of.
    Nobody,
}

/// A name, and who gave it.
type Named = (String, NamedBy);

/// Columns that every table has.
const BUILT_IN: [&str; 3] = ["page", "url", "group"];
/// A label of more words is a sentence,
const MOST_WORDS: usize = 6;
/// as is a text of more that may be no label at all.
const MOST_WORDS_OF_TEXT: usize = 4;
/// Pages of a field that are looked at.
const TRIED: usize = 8;

/// Gives each field a name of its own, and says who named it.
///
/// The first `wanted` of them are those that a person would keep.
pub(super) fn give(
    sample: &Sample<'_>,
    fields: &mut [Evidence],
    wanted: usize,
    mut taken: RapidHashSet<String>,
) -> Vec<NamedBy> {
    let mut surroundings = Surroundings::of(sample, fields, wanted);
    taken.extend(BUILT_IN.map(str::to_owned));
    let mut of_main: RapidHashMap<usize, String> = RapidHashMap::default();
    let mut named_by = Vec::new();
    for evidence in fields.iter_mut() {
        let main = of_main.get(&evidence.number);
        let (name, by) = match main {
            Some(main) => surroundings.name_form(evidence, main),
            None => surroundings.name(evidence),
        };
        named_by.push(by);
        evidence.field.name = unique(&name, &mut taken);
        evidence.field.label = evidence.label().unwrap_or_default().to_owned();
        of_main
            .entry(evidence.number)
            .or_insert_with(|| evidence.field.name.clone());
    }
    named_by
}

/// A name that is not taken yet, in any writing.
fn unique(name: &str, taken: &mut RapidHashSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names
        .find(|name| taken.insert(name.to_lowercase()))
        .expect("there are more numbers than names")
}

/// What names are taken from.
struct Surroundings<'s, 'p> {
    sample: &'s Sample<'p>,
    /// All values as names, and whether they are of fields that a person would keep.
    values: RapidHashMap<String, bool>,
    /// On how many pages each text stands.
    pages_with: RapidHashMap<u64, usize>,
    /// The elements that have each class and id, on the pages that were looked at.
    elements_with: RapidHashMap<u32, RapidHashMap<&'s str, Bearers>>,
}

impl<'s> Surroundings<'s, '_> {
    fn of<'p>(sample: &'s Sample<'p>, fields: &[Evidence], wanted: usize) -> Surroundings<'s, 'p> {
        let mut values: RapidHashMap<String, bool> = RapidHashMap::default();
        for (at, field) in fields.iter().enumerate() {
            // What ends in a colon is a label that was taken for a value.
            let names = field.values().filter(|value| {
                value.len() <= 4 * Evidence::LABEL_LETTERS && !ends_in_colon(value)
            });
            for name in names.filter_map(identifier) {
                *values.entry(name.to_lowercase()).or_default() |= at < wanted;
            }
        }
        let mut pages_with = RapidHashMap::default();
        for slots in &sample.slots {
            let texts = slots
                .iter()
                .filter(|slot| slot.attribute.is_empty())
                .map(|slot| slot.text);
            for text in texts.collect::<RapidHashSet<u64>>() {
                *pages_with.entry(text).or_default() += 1;
            }
        }
        Surroundings {
            sample,
            values,
            pages_with,
            elements_with: RapidHashMap::default(),
        }
    }

    /// Whether a text is part of the template: it stands on most pages.
    fn is_fixed(&self, text: u64) -> bool {
        self.pages_with
            .get(&text)
            .is_some_and(|pages| 2 * pages > self.sample.slots.len())
    }

    /// Whether a text is what a field that a person would keep says on some page, or what any field says on some pages
    /// while it is not on most.
    fn is_value(&self, text: &str, name: &str) -> bool {
        let is_fixed = || text_hash(text).is_some_and(|text| self.is_fixed(text));
        self.values
            .get(&name.to_lowercase())
            .is_some_and(|is_wanted| *is_wanted || !is_fixed())
    }

    /// The name of another form of a field that has one.
    fn name_form(&self, evidence: &Evidence, main: &str) -> Named {
        let number = evidence.field.part.as_ref().map_or(0, |part| part.number);
        let name = match evidence.form {
            Form::Text => {
                return self
                    .name_text(evidence)
                    .unwrap_or_else(|| (format!("{main}_text"), NamedBy::Nobody));
            }
            Form::Unit => format!("{main}_text"),
            Form::Number => format!("{main}_number"),
            Form::Part => format!("{main}_part_{}", number + 1),
            Form::Plain | Form::Value => main.to_owned(),
        };
        (name, NamedBy::Nobody)
    }

    /// The name of a text that begins with a label ("City: 30, Highway: 27"), if it has one of its own.
    fn name_text(&self, evidence: &Evidence) -> Option<Named> {
        let before = self.label_before(evidence).filter(LabelBefore::is_certain);
        let label = before.and_then(|before| self.said(&before.text, MOST_WORDS));
        label.or_else(|| self.subject(evidence))
    }

    fn name(&mut self, evidence: &Evidence) -> Named {
        let name = self
            .by_label(evidence)
            .or_else(|| self.told_to_machines(evidence))
            .or_else(|| self.subject(evidence));
        let name = name
            .or_else(|| self.by_text(evidence))
            .or_else(|| self.by_markup(evidence));
        let name = name.or_else(|| self.by_words_around(evidence));
        name.unwrap_or_else(|| (self.neutral(evidence).to_owned(), NamedBy::Nobody))
    }

    /// What can be nothing but its label, where it or a copy of it stands.
    fn by_label(&self, evidence: &Evidence) -> Option<Named> {
        let prefix = Some(evidence.field.prefix.trim()).filter(|prefix| ends_in_colon(prefix));
        let before = || {
            self.label_before(evidence)
                .filter(LabelBefore::is_certain)
                .map(|before| before.text)
        };
        let of_copy = || {
            labels(evidence)
                .find(|label| ends_in_colon(label) && blocks(evidence).any(|first| first == *label))
        };
        let column = || evidence.everywhere(self.sample, |place| place.column_header());
        let said = |text: &str| self.said(text, MOST_WORDS);
        let name = prefix
            .and_then(said)
            .or_else(|| said(&before()?))
            .or_else(|| said(of_copy()?));
        name.or_else(|| said(&column()?))
    }

    /// What may be its label.
    fn by_text(&self, evidence: &Evidence) -> Option<Named> {
        let of_copy = labels(evidence).find(|label| ends_in_colon(label));
        let before = || {
            self.label_before(evidence)
                .filter(LabelBefore::may_be_label)
                .map(|before| before.text)
        };
        let name = of_copy.and_then(|label| self.said(label, MOST_WORDS));
        name.or_else(|| self.said(&before()?, MOST_WORDS_OF_TEXT))
    }

    /// What its values begin with, or the heading above a list.
    fn by_words_around(&self, evidence: &Evidence) -> Option<Named> {
        let heading = || {
            evidence
                .everywhere(self.sample, |place| place.heading())
                .filter(|_| evidence.field.many)
        };
        let name = self.said(&evidence.field.prefix, MOST_WORDS_OF_TEXT);
        name.or_else(|| self.said(&heading()?, MOST_WORDS_OF_TEXT))
    }

    /// A name that the page says, if it is neither a sentence nor a value.
    fn said(&self, text: &str, most_words: usize) -> Option<Named> {
        let is_short = text.split_whitespace().count() <= most_words
            && text.chars().count() <= Evidence::LABEL_LETTERS;
        let name =
            identifier(text).filter(|name| is_short && name.contains(char::is_alphabetic))?;
        (!self.is_value(text, &name)).then(|| (name.clone(), NamedBy::Page(name)))
    }

    /// The text that stands right before the values of most pages.
    fn label_before(&self, evidence: &Evidence) -> Option<LabelBefore> {
        let places = evidence.places().take(TRIED);
        let before: Vec<_> = places
            .map(|place| self.sample.place(place).label_before())
            .collect();
        let times = |label: &LabelBefore| {
            before
                .iter()
                .flatten()
                .filter(|other| *other == label)
                .count()
        };
        let most = before.iter().flatten().max_by_key(|label| times(label))?;
        (2 * times(most) > before.len()).then(|| most.clone())
    }

    /// The name that its author gave to the value for machines.
    fn told_to_machines(&self, evidence: &Evidence) -> Option<Named> {
        let in_data = || {
            positions(evidence, Kind::Data)
                .next()
                .map(|data| data.path.replace(' ', "."))
        };
        let in_markup = || {
            let hook = positions(evidence, Kind::Hook).find(|hook| hook.path.is_empty())?;
            let (attribute, name) = hook.text.split_once('=')?;
            matches!(attribute, "itemprop" | "property").then(|| name.to_owned())
        };
        by_author(&in_markup().or_else(in_data)?)
    }

    /// `title`, for the text that names what the page is about.
    fn subject(&self, evidence: &Evidence) -> Option<Named> {
        let is_subject =
            |place: &(u32, u32)| self.sample.subjects().is_subject(self.sample, *place);
        let places = || evidence.places().take(TRIED);
        let is_cut = !evidence.field.prefix.is_empty() || evidence.field.many;
        let is_mostly = 2 * places().filter(is_subject).count() > places().count();
        (is_mostly && !is_cut).then(|| ("title".to_owned(), NamedBy::Nobody))
    }

    /// The id or class of an element that holds the value and nothing else that varies, if no other element has it.
    fn by_markup(&mut self, evidence: &Evidence) -> Option<Named> {
        /// Elements that are looked at, from the innermost.
        const STEPS: usize = 3;
        let (page, slot) = evidence.example();
        let place = self.sample.place((page, slot));
        if place.attribute() == JSON_LD {
            return None;
        }
        let own = &evidence.found[page as usize].0.slots;
        let is_mute = |slot: &Slot| self.is_fixed(slot.text);
        let mut holders = Vec::new();
        for (step, node) in place.around().take(STEPS).enumerate() {
            let mut others = place
                .other_texts(node, own)
                .filter(|(_, slot)| !is_mute(slot));
            // What stands right in an element and first is what the element is named for.
            let is_named_for = others
                .next()
                .is_none_or(|(at, _)| step == 0 && at > slot as usize);
            if !is_named_for {
                break;
            }
            holders.push(node);
        }
        let elements_with = self
            .elements_with
            .entry(page)
            .or_insert_with(|| place.bearers());
        let of_field = if evidence.field.many { own.len() } else { 1 };
        let is_own = |name: &&str| {
            elements_with
                .get(name)
                .is_some_and(|bearers| bearers.are_one(of_field))
        };
        // What a person reads in another column is no name of this one.
        let is_said = |name: &&str| {
            self.values
                .get(&name.to_lowercase())
                .is_some_and(|is_wanted| *is_wanted)
        };
        let mut names = holders
            .into_iter()
            .flat_map(|node| place.names(node))
            .filter(is_own)
            .filter_map(telling);
        // An id that is on one page is that page's name for it.
        let recurs = |name: &str| {
            let mut others = evidence.places().filter(|(other, _)| *other != page);
            others.next().is_none_or(|other| {
                let place = self.sample.place(other);
                place
                    .around()
                    .take(STEPS)
                    .any(|node| place.names(node).any(|own| own.contains(name)))
            })
        };
        let name = names.find(|name| !is_said(name) && recurs(name))?;
        let attribute = place.attribute();
        if attribute.is_empty() {
            by_author(name)
        } else {
            by_author(&format!("{name}_{attribute}"))
        }
    }

    /// What a field is, where nothing names it.
    fn neutral(&self, evidence: &Evidence) -> &'static str {
        let place = self.sample.place(evidence.example());
        let within = |names: &[&str]| {
            place
                .around()
                .take(3)
                .any(|node| names.contains(&place.tree.name(node)))
        };
        match (place.attribute(), evidence.field.kind) {
            ("src", _) => "image",
            ("alt", _) => "image_alt",
            ("href", _) => "link_address",
            ("datetime", _) | (_, Type::Date) => "date",
            _ if are_phones(evidence) => "phone",
            (_, Type::Number) => "number",
            (_, Type::Money) => "price",
            (_, Type::Time) => "time",
            (_, Type::Url) => "address",
            (_, Type::Email) => "email",
            (_, Type::Id) => "id",
            _ if within(&["title"]) => "page_title",
            _ if within(&["h1", "h2", "h3", "h4", "h5", "h6"]) => "heading",
            _ if within(&["a"]) => "link",
            _ => "text",
        }
    }
}

fn by_author(name: &str) -> Option<Named> {
    // The dots of nested data are kept.
    let parts: Vec<String> = name.split('.').filter_map(identifier).collect();
    (!parts.is_empty()).then(|| (parts.join("."), NamedBy::Author))
}

/// The texts right before its values or copies of them.
fn labels(evidence: &Evidence) -> impl Iterator<Item = &str> {
    positions(evidence, Kind::Label).map(|position| position.text.trim())
}

/// The first texts of what is around its values or copies of them.
fn blocks(evidence: &Evidence) -> impl Iterator<Item = &str> {
    positions(evidence, Kind::Under).map(|position| position.text.trim())
}

fn positions(evidence: &Evidence, wanted: Kind) -> impl Iterator<Item = &Position> {
    let positions = evidence
        .field
        .views
        .iter()
        .filter_map(|view| view.position());
    positions
        .filter(move |(kind, _)| *kind == wanted)
        .map(|(_, position)| position)
}

fn ends_in_colon(text: &str) -> bool {
    text.ends_with([':', '：'])
}

/// Whether nearly all values are numbers to call.
pub(in crate::fields) fn are_phones(evidence: &Evidence) -> bool {
    10 * evidence.values().filter(|value| is_phone(value)).count() >= 9 * evidence.values().count()
}

/// Whether a text can be nothing but a number to call: its digits stand in groups, as they do in no amount.
fn is_phone(text: &str) -> bool {
    /// The longest numbers that ITU-T E.164 allows, and the shortest that are written in groups.
    const DIGITS: std::ops::RangeInclusive<usize> = 7..=15;
    let is_mark = |letter: char| letter.is_ascii_digit() || " +-()/.–\u{a0}".contains(letter);
    // Most texts are none by their first letter.
    if !text.chars().all(is_mark) {
        return false;
    }
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let groups = text
        .split(|letter: char| !letter.is_ascii_digit())
        .filter(|group| !group.is_empty());
    let is_grouped = text.starts_with('+')
        || groups.clone().count() > 1 && groups.clone().all(|group| group.len() > 1);
    DIGITS.contains(&digits) && is_grouped
}

/// A text as a name: letters and digits of any script, and underscores for what stands between them.
fn identifier(text: &str) -> Option<String> {
    let words = text
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let mut name = words.collect::<Vec<_>>().join("_");
    if name.starts_with(char::is_numeric) {
        name.insert(0, '_');
    }
    Some(name).filter(|name| !name.is_empty())
}
