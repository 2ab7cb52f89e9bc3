//! What grows with pages that repeat themselves, and how far. Counts, not times.

use unmold::{
    Learner, Text,
    fields::View,
    papers::{cut_point, documents::Settings},
    read::mutable::Mutables,
};

/// Pages that say one word again and again, each a little longer than the last.
fn repeated(bytes: usize) -> Vec<Text> {
    let page = |number: usize| {
        let text = "word ".repeat(bytes / 5 + 10 * number);
        Text::from_string(
            format!("{number}"),
            format!("<html><body><p class=a>{text}</p><b>{number}</b></body></html>"),
        )
    };
    (0..3).map(page).collect()
}

#[test]
fn template_strings_of_repeats_are_bounded() {
    for bytes in [4_000, 16_000] {
        let texts = repeated(bytes);
        let lesson = Learner::strings(Mutables::common(), Settings::default())
            .learn_with_outcome(&texts)
            .unwrap();
        let strings = lesson
            .mold
            .groups
            .iter()
            .filter_map(|group| group.template.as_ref())
            .flat_map(|template| &template.strings);
        let written: usize = strings.map(|string| string.string.len()).sum();
        let read: usize = texts.iter().map(|text| text.as_str().len()).sum();
        assert!(
            written <= 8 * read,
            "{written} bytes of strings of {read} bytes of pages"
        );
        assert!(lesson.left_out > 0, "and that is said");
    }
}

#[test]
fn lr_rules_of_repeats_are_bounded() {
    let texts = repeated(16_000);
    let read: usize = texts.iter().map(|text| text.as_str().len()).sum();
    let Ok(mold) = Learner::lr(cut_point::Settings::default()).learn(&texts) else {
        return;
    };
    let views = mold
        .groups
        .iter()
        .flat_map(|group| &group.fields)
        .flat_map(|field| &field.views);
    let written: usize = views
        .map(|view| {
            if let View::Lr(rule) = view {
                rule.left.len() + rule.right.len()
            } else {
                0
            }
        })
        .sum();
    assert!(
        written <= 8 * read,
        "{written} bytes of rules of {read} bytes of pages"
    );
}

/// Lists that differ from page to page have as many fields however long they are.
#[test]
fn fields_do_not_grow_with_lists() {
    let fields = |items: usize| {
        let page = |number: usize| {
            let item = |at: usize| {
                format!(
                    "<li class=item><a href=/i/{number}-{at}>thing {number} {at}</a> <b>{}.50</b></li>",
                    at * 7 % 97
                )
            };
            let list: String = (0..items + number).map(item).collect();
            Text::from_string(
                format!("{number}"),
                format!("<title>List {number} - Shop</title><h1>List {number}</h1><ul>{list}</ul>"),
            )
        };
        let texts: Vec<Text> = (0..6).map(page).collect();
        let mold = Learner::default().learn(&texts).unwrap();
        mold.groups
            .iter()
            .map(|group| group.fields.len())
            .sum::<usize>()
    };
    let (few, many) = (fields(50), fields(400));
    assert!(
        many <= 2 * few + 20,
        "{few} fields of 50 items, {many} of 400"
    );
}
