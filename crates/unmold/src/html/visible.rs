//! What does a reader see of a piece of a page?

use super::{Kind, tokens};
use htmlize::unescape;

/// The words of a piece of a page as a reader sees them: entities decoded, white space folded, every tag a space.
///
/// ```
/// use unmold::html::visible_text;
///
/// assert_eq!(visible_text("<li><b>Fish</b>&nbsp;&amp; chips<br>7,<i>50</i><script>x()</script>\n"), "Fish & chips 7, 50");
/// ```
pub fn visible_text(page: &str) -> String {
    let mut visible = String::new();
    for token in tokens(page) {
        match token.kind {
            Kind::Text => push_words(&mut visible, &unescape(token.span.of(page))),
            Kind::Cdata => push_words(&mut visible, cdata(token.span.of(page))),
            _ => {}
        }
    }
    visible
}

/// The value of an attribute as a browser reads it: entities decoded, white space folded.
///
/// ```
/// assert_eq!(unmold::html::attribute_text(" /s?a=1&amp;b=2&copy=3 "), "/s?a=1&b=2&copy=3");
/// ```
pub fn attribute_text(value: &str) -> String {
    let mut visible = String::new();
    push_words(&mut visible, &htmlize::unescape_attribute(value));
    visible
}

/// The content of a CDATA section, which may have been cut off by the end of the page.
fn cdata(section: &str) -> &str {
    let inside = section.strip_prefix("<![CDATA[").unwrap_or(section);
    inside.strip_suffix("]]>").unwrap_or(inside)
}

/// Adds words with one space between them.
fn push_words(visible: &mut String, text: &str) {
    for word in text.split_whitespace() {
        if !visible.is_empty() {
            visible.push(' ');
        }
        visible.push_str(word);
    }
}
