//! What is between the tags of a script?

use crate::{
    Span,
    read::tree::{NodeId, Tree},
};

/// The text of a script, without its tags.
pub(crate) fn content(tree: &Tree<'_>, script: NodeId) -> Span {
    let start = tree.token(script).span.end as usize;
    let end = tree.span(script).end as usize;
    let content = tree.page().get(start..end).unwrap_or_default();
    let length = content.rfind("</").unwrap_or(content.len());
    Span::new(start, start + length)
}

/// What is inside of the marks that scripts put around JSON for browsers of long ago: comments and
/// CDATA sections. Gives the number of bytes before it, too.
pub(super) fn without_wrapping(script: &str) -> (usize, &str) {
    let mut start = script;
    loop {
        let inside = start.trim_start();
        let marks = ["<!--", "<![CDATA[", "//", "/*", "*/"];
        match marks.iter().find_map(|mark| inside.strip_prefix(mark)) {
            Some(rest) => start = rest,
            None => {
                start = inside;
                break;
            }
        }
    }
    let before = script.len() - start.len();
    let mut inside = start.trim_end();
    let marks = ["-->", "]]>", "//", "/*", "*/", ";"];
    while let Some(rest) = marks.iter().find_map(|mark| inside.strip_suffix(mark)) {
        inside = rest.trim_end();
    }
    (before, inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_around_json_are_left_out() {
        for (script, before, json) in [
            ("{}", 0, "{}"),
            (" <!-- {} --> ", 6, "{}"),
            ("\n// <![CDATA[\n[1]// ]]>\n", 14, "[1]"),
            ("/*<![CDATA[*/\n{}\n/*]]>*/\n", 14, "{}"),
            ("{};", 0, "{}"),
            ("", 0, ""),
            ("//", 2, ""),
        ] {
            assert_eq!(without_wrapping(script), (before, json), "{script}");
        }
    }
}
