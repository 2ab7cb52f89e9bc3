//! What speaks for a column, and how much does each of it count?
//!
//! The weights were fitted on labelled sites by `cargo run --release -p unmold-eval --bin ranking`,
//! which prints this table and how it does on kinds of sites that it was not fitted on.

/// How many features there are.
pub(in crate::fields) const COUNT: usize = 31;

/// What speaks for a column and against it: each is a number from 0 to 1 that means the same on a
/// page of any language and kind. With [`WEIGHTS`], how much each counts.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::fields) struct Features {
    // Of the values.
    /// The share of pages that have one.
    pub filled: f64,
    /// The share of them that differ.
    pub different: f64,
    /// The share of values that are in like places outside of the column.
    pub elsewhere: f64,
    /// Whether they are sentences.
    pub sentences: f64,
    /// Words in a value, of ten.
    pub words: f64,
    /// The share that have the most frequent type.
    pub of_one_type: f64,
    /// Whether they are dates or times.
    pub is_time: f64,
    // Of the label.
    /// Whether it ends with a colon.
    pub label_colon: f64,
    /// Words in it, of five.
    pub label_words: f64,
    /// How many columns in like places have one.
    pub labels_in_like_places: f64,
    // Of the markup.
    /// The share of the kinds of views that find it.
    pub view_kinds: f64,
    /// Whether readers see it as a text.
    pub is_text: f64,
    /// Whether it is where a link leads.
    pub is_link_address: f64,
    /// Whether it is a picture, or says what is on it.
    pub is_picture: f64,
    /// How many columns are in like places.
    pub columns_in_like_places: f64,
    // Of the place.
    /// How far down the page it is.
    pub late: f64,
    /// How far after the subject of the page it is.
    pub after_subject: f64,
    /// The share of the elements around the subject that are around it too.
    pub near_subject: f64,
    /// Whether the page's title has it.
    pub in_title_text: f64,
    /// Whether it is in the element `<title>`.
    pub in_title_element: f64,
    /// Whether it is in the frame of the page: navigation, header, footer, a form.
    pub in_frame: f64,
    // Of the neighbours.
    /// The share of pages with the same text before it.
    pub same_text_before: f64,
    /// The share of values with the same label inside.
    pub same_inline_label: f64,
    /// How much of the listing of the page it is spread over.
    pub spread_over_listing: f64,
    /// Whether it is one item of that listing.
    pub in_listing: f64,
    /// Whether it is one item of a long list.
    pub in_long_list: f64,
    // Of what it means.
    /// How many columns are between the subject and it.
    pub columns_from_subject: f64,
    /// Whether it is the subject.
    pub is_subject: f64,
    /// Whether it is a way to reach somebody.
    pub is_contact: f64,
    /// Whether it is a list.
    pub is_list: f64,
    /// The share of its values that are the same.
    pub same: f64,
}

/// What each feature counts.
pub(in crate::fields) const WEIGHTS: Features = Features {
    filled: 3.50,
    different: -0.72,
    elsewhere: -1.86,
    sentences: -0.92,
    words: -0.24,
    of_one_type: 1.51,
    is_time: 0.34,
    label_colon: 0.92,
    label_words: -2.02,
    labels_in_like_places: 1.22,
    view_kinds: 1.98,
    is_text: 3.33,
    is_link_address: -1.68,
    is_picture: -0.64,
    columns_in_like_places: -0.18,
    late: -0.69,
    after_subject: -0.78,
    near_subject: 0.53,
    in_title_text: 0.34,
    in_title_element: -1.24,
    in_frame: -1.18,
    same_text_before: 0.28,
    same_inline_label: 0.65,
    spread_over_listing: 3.40,
    in_listing: -0.58,
    in_long_list: -1.62,
    columns_from_subject: -1.19,
    is_subject: 0.16,
    is_contact: 0.82,
    is_list: -0.93,
    same: -2.73,
};

impl Features {
    /// Each feature with its name.
    pub fn named(&self) -> [(&'static str, f64); COUNT] {
        // Without `..`, so that no feature is left out.
        let Features {
            filled,
            different,
            elsewhere,
            sentences,
            words,
            of_one_type,
            is_time,
            label_colon,
            label_words,
            labels_in_like_places,
            view_kinds,
            is_text,
            is_link_address,
            is_picture,
            columns_in_like_places,
            late,
            after_subject,
            near_subject,
            in_title_text,
            in_title_element,
            in_frame,
            same_text_before,
            same_inline_label,
            spread_over_listing,
            in_listing,
            in_long_list,
            columns_from_subject,
            is_subject,
            is_contact,
            is_list,
            same,
        } = *self;
        [
            ("found on many pages", filled),
            ("different on each page", different),
            ("values in like places, too", elsewhere),
            ("running text", sentences),
            ("words", words),
            ("of one type", of_one_type),
            ("date or time", is_time),
            ("label with a colon", label_colon),
            ("words of the label", label_words),
            ("labels in like places", labels_in_like_places),
            ("kinds of views", view_kinds),
            ("text", is_text),
            ("address of a link", is_link_address),
            ("picture", is_picture),
            ("columns in like places", columns_in_like_places),
            ("late on the page", late),
            ("far after the subject", after_subject),
            ("in the subject's part", near_subject),
            ("in the title", in_title_text),
            ("title of the page", in_title_element),
            ("in the frame", in_frame),
            ("same text before", same_text_before),
            ("same label inside", same_inline_label),
            ("spread over the listing", spread_over_listing),
            ("one item of the listing", in_listing),
            ("one item of a long list", in_long_list),
            ("columns between the subject and it", columns_from_subject),
            ("subject", is_subject),
            ("way to reach somebody", is_contact),
            ("list", is_list),
            ("mostly the same", same),
        ]
    }

    /// The numbers alone, in the order of [`Features::named`].
    pub fn numbers(&self) -> [f64; COUNT] {
        self.named().map(|(_, number)| number)
    }
}
