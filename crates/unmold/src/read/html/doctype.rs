//! Does a page follow the standards, or the browsers before them?
//!
//! Of all that browsers do differently on old pages, one thing matters to the tree: whether a table
//! ends an open paragraph.

use super::{Kind, tokens};

/// Whether a page is read in *quirks mode*: it has no doctype, or one of before 1999.
pub(crate) fn is_quirky(page: &str) -> bool {
    let mut tokens = tokens(page).map(|token| (token.kind, token.span.of(page)));
    // Comments and white space may stand before it.
    let first = tokens.find(|(kind, text)| match kind {
        Kind::Comment | Kind::Instruction => false,
        Kind::Text => !text.trim_start_matches('\u{feff}').trim().is_empty(),
        _ => true,
    });
    !first.is_some_and(|(kind, doctype)| kind == Kind::Declaration && is_standard(doctype))
}

/// Whether a doctype asks for the standards, almost or altogether.
fn is_standard(doctype: &str) -> bool {
    let lower = doctype.to_ascii_lowercase();
    let mut words = lower.trim_end_matches('>').split_ascii_whitespace().skip(1);
    let is_html = words.next() == Some("html");
    let is_public = words.next().is_some_and(|word| word.starts_with("public"));
    is_html && (!is_public || is_standard_name(&lower))
}

/// The public names of doctypes are many; those that are read by the standards are few.
fn is_standard_name(doctype: &str) -> bool {
    let Some(name) = doctype.split(['"', '\'']).nth(1) else {
        return false;
    };
    // HTML 4.01 for pages in transition, with the address of its definition, is almost the
    // standard.
    let has_address = doctype.split(['"', '\'']).nth(3).is_some();
    let is_in_transition = ["transitional", "frameset"]
        .iter()
        .any(|kind| name.contains(kind));
    name.starts_with("-//w3c//dtd xhtml ")
        || name.starts_with("-//w3c//dtd html 4.01") && (has_address || !is_in_transition)
        || name == "-//w3c//dtd html 4.0//en"
}

#[cfg(test)]
mod tests {
    use super::is_quirky;

    #[test]
    fn pages_say_by_their_doctype_how_they_want_to_be_read() {
        let transitional = "-//W3C//DTD HTML 4.01 Transitional//EN";
        for (doctype, expected) in [
            ("<!doctype html>", false),
            (
                "\n<!-- a --><!DOCTYPE HTML SYSTEM 'about:legacy-compat'>",
                false,
            ),
            (
                "<?xml version='1.0'?><!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Transitional//EN' 'x'>",
                false,
            ),
            ("", true),
            ("text<!doctype html>", true),
            ("<!doctype book>", true),
            (
                "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 3.2 Final//EN\">",
                true,
            ),
            (&format!("<!DOCTYPE HTML PUBLIC \"{transitional}\">"), true),
            (
                &format!(
                    "<!DOCTYPE HTML PUBLIC \"{transitional}\" \"http://www.w3.org/TR/html4/loose.dtd\">"
                ),
                false,
            ),
        ] {
            assert_eq!(is_quirky(&format!("{doctype}<p>")), expected, "{doctype}");
        }
    }
}
