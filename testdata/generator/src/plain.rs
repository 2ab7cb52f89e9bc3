//! Markup to plain text and back, for the small part of HTML that the layouts use.

/// The letters that are written by name where a layout says `entities`.
const NAMED: [(char, &str); 25] = [
    ('ä', "auml"),
    ('ö', "ouml"),
    ('ü', "uuml"),
    ('Ä', "Auml"),
    ('Ö', "Ouml"),
    ('Ü', "Uuml"),
    ('ß', "szlig"),
    ('é', "eacute"),
    ('è', "egrave"),
    ('£', "pound"),
    ('€', "euro"),
    ('„', "bdquo"),
    ('“', "ldquo"),
    ('”', "rdquo"),
    ('’', "rsquo"),
    ('–', "ndash"),
    ('—', "mdash"),
    ('…', "hellip"),
    ('×', "times"),
    ('«', "laquo"),
    ('»', "raquo"),
    ('©', "copy"),
    ('¥', "yen"),
    ('·', "middot"),
    ('\u{a0}', "nbsp"),
];

/// Text with `&`, `<`, `>` and `"` as entities.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Text with every entity of [`NAMED`] by name.
pub fn entities(text: &str) -> String {
    NAMED.iter().fold(escape(text), |text, (letter, name)| {
        text.replace(*letter, &format!("&{name};"))
    })
}

/// Runs of white space, the no-break space among them, as one space each; none at the ends.
pub fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The folded text of markup: tags become `gap` (`<br>` always a space), comments vanish, entities
/// become letters.
pub fn text_of(markup: &str, gap: &str) -> String {
    let mut text = String::new();
    let mut rest = markup;
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        let (tag, after) = match after.strip_prefix("!--") {
            Some(comment) => ("", comment.split_once("-->").expect("comments end").1),
            None => after.split_once('>').expect("tags end"),
        };
        text.push_str(if tag.to_ascii_lowercase().starts_with("br") {
            " "
        } else {
            gap
        });
        rest = after;
    }
    text.push_str(rest);
    fold(&decode(&text))
}

fn decode(text: &str) -> String {
    let named = NAMED.iter().fold(text.to_owned(), |text, (letter, name)| {
        if text.contains('&') {
            text.replace(&format!("&{name};"), &letter.to_string())
        } else {
            text
        }
    });
    named
        .replace("&quot;", "\"")
        .replace("&gt;", ">")
        .replace("&lt;", "<")
        .replace("&amp;", "&")
}
