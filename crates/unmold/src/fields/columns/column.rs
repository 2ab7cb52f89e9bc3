//! What does a column hold on each page?

use super::{
    super::{
        Field, Type, ViewKind,
        describe::SlotContext,
        label_text::{ends_with_colon, inline_label},
        sample::Sample,
        slots::SlotId,
        votes::VotedSlots,
    },
    facts::{self, Facts, rounded},
};
use rapidhash::RapidHashSet;

/// A label has no more letters than this. Chosen by hand: longer texts are sentences.
pub(in crate::fields) const MAX_LABEL_LETTERS: usize = 40;

/// Values with more letters than this on average are sentences rather than facts. Chosen by hand.
const SENTENCE_LETTERS: usize = 100;

/// What a page has of a column.
#[derive(Clone, Debug, Default)]
pub(in crate::fields) struct PageValues {
    /// The slots that the views agree on.
    pub voted: VotedSlots,
    /// The texts of these slots, as the column gives them.
    pub texts: Vec<String>,
}

/// A column of the table that pages become: how it is found, and what it holds.
#[derive(Clone, Debug)]
pub(in crate::fields) struct Column {
    /// The rule as it stands in a mold. It has neither name nor label: these are given later.
    pub(super) field: Field,
    /// What each page has of it.
    pub(super) pages: Vec<PageValues>,
    /// The number that the forms of one column share.
    pub(super) family: usize,
    pub(super) form: Form,
    /// The header before its values, where HTML has one: `<th>`, `<dt>`, `<label>`.
    pub(super) header: Option<String>,
    /// The share of its values that have the most frequent type.
    pub(super) of_one_type: f64,
}

/// What of a text is given, where it holds more than a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::fields) enum Form {
    /// The text is the value.
    Plain,
    /// What is left without the label in the same text.
    Value,
    /// The text with its label, as the page writes it.
    Text,
    /// A number or date without its unit.
    Number,
    /// One of two values in a text.
    Part,
}

impl Column {
    /// The column that a rule finds on the pages of a sample.
    pub(super) fn new(
        sample: &Sample<'_>,
        family: usize,
        mut field: Field,
        pages: Vec<PageValues>,
    ) -> Self {
        let (mut filled, mut agreement) = (0, 0.0);
        for page in &pages {
            if !page.voted.slots.is_empty() {
                filled += 1;
                agreement += page.voted.agreement;
            }
        }
        field.fill = rounded(filled as f64 / pages.len() as f64);
        field.agreement = rounded(agreement / filled.max(1) as f64);
        let mut column = Column {
            field,
            pages,
            family,
            form: Form::Plain,
            header: None,
            of_one_type: 0.0,
        };
        column.note_facts();
        column.header = column.everywhere(sample, |place| place.header());
        column
    }

    /// A column that says one text on each page, found by nothing.
    #[cfg(test)]
    pub fn of_texts(family: usize, form: Form, texts: &[&str]) -> Self {
        let mut pages = Vec::new();
        for text in texts {
            pages.push(PageValues {
                voted: VotedSlots::default(),
                texts: vec![(*text).to_owned()],
            });
        }
        Column {
            field: Field::default(),
            pages,
            family,
            form,
            header: None,
            of_one_type: 0.0,
        }
    }

    /// The same column with other texts of the same slots.
    pub(super) fn with_texts(
        &self,
        form: Form,
        change_rule: impl FnOnce(&mut Field),
        texts: Vec<Vec<String>>,
    ) -> Self {
        let mut column = self.clone();
        column.form = form;
        change_rule(&mut column.field);
        for (page, texts) in column.pages.iter_mut().zip(texts) {
            page.texts = texts;
        }
        column.note_facts();
        column
    }

    /// Takes from the values what the rule says of them.
    fn note_facts(&mut self) {
        let facts = Facts::of(&self.values().collect::<Vec<_>>());
        self.of_one_type = facts.of_one_type;
        self.field.kind = facts.kind;
        self.field.letters = facts.letters;
        self.field.inline_label = facts.inline_label;
        self.field.samples = facts.samples;
        self.field.count = facts::usual_count(self.pages.iter().map(|page| page.texts.len()));
    }

    /// The rule by which it is found, without a name.
    pub fn rule(&self) -> &Field {
        &self.field
    }

    /// The rule, taken out to be named.
    pub fn into_rule(self) -> Field {
        self.field
    }

    /// What each page has of it.
    pub fn pages(&self) -> &[PageValues] {
        &self.pages
    }

    /// What a page has of it.
    pub fn on_page(&self, page: usize) -> &PageValues {
        &self.pages[page]
    }

    /// The number that the forms of one column share.
    pub fn family(&self) -> usize {
        self.family
    }

    /// What of its texts it gives.
    pub fn form(&self) -> Form {
        self.form
    }

    /// What its values look like.
    pub fn kind(&self) -> Type {
        self.field.kind
    }

    /// The share of its values that have the most frequent type.
    pub fn of_one_type(&self) -> f64 {
        self.of_one_type
    }

    /// Whether a page may have several of its values.
    pub fn is_list(&self) -> bool {
        self.field.many
    }

    /// Whether it stands for a text; else it is another form of a column that does.
    pub fn is_main(&self) -> bool {
        matches!(self.form, Form::Plain | Form::Value)
    }

    /// Whether a reader of the page sees its values.
    pub fn is_seen(&self) -> bool {
        self.field.views.iter().any(|view| view.takes_text())
    }

    /// All values, page by page.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        let texts = self.pages.iter().flat_map(|page| &page.texts);
        texts.map(String::as_str)
    }

    /// Whether every value begins with a label and a colon, which the column has for its name.
    /// Words without a colon that all values begin with may be part of them: "Book 7".
    pub fn repeats_its_label(&self) -> bool {
        self.values().all(|value| inline_label(value).is_some())
    }

    /// How many pages have a value.
    pub fn filled_pages(&self) -> usize {
        let filled = self.pages.iter().filter(|page| !page.texts.is_empty());
        filled.count()
    }

    /// On how many pages another column may say something else and still be a copy of it: one in
    /// ten of its own.
    pub(super) fn tolerated_pages(&self) -> usize {
        self.filled_pages() / 10
    }

    /// How many different values it has.
    pub fn distinct(&self) -> usize {
        self.values().collect::<RapidHashSet<_>>().len()
    }

    /// Whether not all its values are the same.
    pub fn varies(&self) -> bool {
        let mut values = self.values();
        let first = values.next();
        values.any(|value| Some(value) != first)
    }

    /// Whether some page has several of its values.
    pub(super) fn has_several(&self) -> bool {
        self.pages.iter().any(|page| page.texts.len() > 1)
    }

    /// How many slots it has on all pages.
    pub(super) fn count_slots(&self) -> usize {
        self.pages.iter().map(|page| page.voted.slots.len()).sum()
    }

    /// Its first slot on each page that has it.
    pub fn places(&self) -> impl Iterator<Item = SlotId> {
        let pages = (0..).zip(&self.pages);
        pages.filter_map(|(page, values)| {
            let slot = *values.voted.slots.first()?;
            Some(SlotId { page, slot })
        })
    }

    /// Its first slot on the first page that has it.
    pub fn example(&self) -> SlotId {
        self.places().next().unwrap_or_default()
    }

    /// What is the same on the first pages that have the column, if it is as short as a name is.
    pub fn everywhere(
        &self,
        sample: &Sample<'_>,
        look: impl Fn(&SlotContext<'_>) -> Option<String>,
    ) -> Option<String> {
        /// Pages that are looked at.
        const TRIED: usize = 3;
        let mut seen = self
            .places()
            .take(TRIED)
            .map(|at| look(&sample.context(at)));
        let first = seen.next()??;
        let is_name =
            first.chars().count() <= MAX_LABEL_LETTERS && first.contains(char::is_alphabetic);
        (is_name && seen.all(|next| next.as_ref() == Some(&first))).then_some(first)
    }

    /// What precedes every value: the label in its own text, a header, the first text of its row,
    /// or a text with a colon.
    pub fn label(&self) -> Option<&str> {
        if self.prefix_is_label() {
            return Some(self.field.prefix.trim());
        }
        let before = self.text_of(ViewKind::LabelBefore);
        let of_block = self.text_of(ViewKind::LabelOfBlock);
        // A text before a value may be its neighbour: it is a label if it says so by a colon, or if
        // it is what the row begins with.
        let before = before.filter(|label| ends_with_colon(label) || of_block == Some(*label));
        let label = self
            .header
            .as_deref()
            .or(before)
            .or(of_block.filter(|label| ends_with_colon(label)))?;
        let is_label =
            label.chars().count() <= MAX_LABEL_LETTERS && label.contains(char::is_alphabetic);
        is_label.then_some(label)
    }

    /// Whether the label is in the same text as the value.
    pub(super) fn prefix_is_label(&self) -> bool {
        self.field.prefix.contains(char::is_alphabetic)
    }

    /// The header before its values that HTML marks as one.
    pub(super) fn header(&self) -> Option<&str> {
        self.header.as_deref()
    }

    /// The text of its first view of a kind.
    fn text_of(&self, kind: ViewKind) -> Option<&str> {
        let mut positions = self.field.positions(kind);
        positions.next().map(|position| position.text.trim())
    }

    /// The path of its first view of a kind.
    pub(super) fn path_of(&self, kind: ViewKind) -> Option<&str> {
        let mut positions = self.field.positions(kind);
        positions.next().map(|position| position.path.as_str())
    }

    /// The tags and classes that it is found by, if these are one of its views.
    pub fn class_path(&self) -> Option<&str> {
        self.path_of(ViewKind::ClassPath)
    }

    /// Whether it is one value without a label that its place alone tells from others.
    pub fn is_bare_place(&self) -> bool {
        !self.is_list() && self.label().is_none() && self.class_path().is_some()
    }

    /// Whether most of its values are labels ("Director:"), which nobody would keep.
    pub fn holds_labels(&self) -> bool {
        let labels = self.values().filter(|value| ends_with_colon(value)).count();
        2 * labels > self.values().count()
    }

    /// Whether its values are sentences rather than facts.
    pub fn holds_sentences(&self) -> bool {
        self.mean_letters() > SENTENCE_LETTERS
    }

    /// How many letters a value has on average.
    pub fn mean_letters(&self) -> usize {
        let (mut sum, mut values) = (0, 0);
        for value in self.values() {
            sum += letters(value);
            values += 1;
        }
        sum / values.max(1)
    }
}

/// How many letters a text has: one of a script that writes syllables or words says as much as
/// three others.
pub(in crate::fields) fn letters(text: &str) -> usize {
    /// Letters of such scripts take this many bytes and more in UTF-8, as do few others.
    const WIDE_BYTES: usize = 3;
    let mut letters = 0;
    for letter in text.chars() {
        let is_wide = letter.len_utf8() >= WIDE_BYTES && letter.is_alphabetic();
        letters += if is_wide { 3 } else { 1 };
    }
    letters
}
