//! Where in a repeated pattern does a record begin?
//!
//! In `</b><br><a><b>` repeated, the record is `<a><b></b><br>`. The paper tries every rotation
//! that begins with a tag of a list (`<dl>`, `<tr>`, ...) and leaves the choice to its user. Here
//! the tags themselves tell: in the right rotation, none is closed that has not been opened. The
//! first such rotation that begins with a position that does not vary is taken, and the pattern
//! stays as it is where there is none.

use super::align::{GeneralPattern, Slot};

/// The pattern, begun where a record begins.
pub(super) fn rotated(pattern: GeneralPattern) -> GeneralPattern {
    let slots = pattern.slots();
    let is_firm = |slot: &Slot| !slot.is_optional() && slot.symbols().len() == 1;
    let begins = |&at: &usize| is_firm(&slots[at]) && opens(&slots[at]) && is_nested(slots, at);
    let is_right = slots.first().is_some_and(is_firm) && is_nested(slots, 0);
    let start = if is_right {
        None
    } else {
        (0..slots.len()).find(begins)
    };
    pattern.begin_at(start.unwrap_or(0))
}

fn opens(slot: &Slot) -> bool {
    slot.symbols()[0].starts_with('<') && !slot.symbols()[0].starts_with("</")
}

/// Whether no tag is closed before it is opened, if the pattern is begun at a position.
fn is_nested(slots: &[Slot], start: usize) -> bool {
    let mut open: Vec<&str> = Vec::new();
    let turned = slots[start..].iter().chain(&slots[..start]);
    for symbol in turned
        .filter(|slot| !slot.is_optional())
        .map(|slot| slot.symbols()[0].as_str())
    {
        if let Some(name) = symbol.strip_prefix("</") {
            let Some(at) = open.iter().rposition(|&tag| tag == name) else {
                return false;
            };
            open.truncate(at);
        } else if let Some(name) = symbol.strip_prefix('<') {
            open.push(name);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rotation(symbols: &[&str]) -> String {
        rotated(GeneralPattern::exact(
            symbols.iter().map(|&symbol| symbol.to_owned()),
        ))
        .to_string()
    }

    #[test]
    fn a_pattern_begins_where_its_tags_are_opened() {
        assert_eq!(
            rotation(&["</td>", "</tr>", "<tr>", "<td>", "Text(_)"]),
            "<tr><td>Text(_)</td></tr>"
        );
        assert_eq!(
            rotation(&["Text(_)", "</b>", "<br>", "<b>"]),
            "<br><b>Text(_)</b>"
        );
        assert_eq!(
            rotation(&["<b>", "Text(_)", "</b>", "<br>"]),
            "<b>Text(_)</b><br>"
        );
    }

    #[test]
    fn a_pattern_without_a_beginning_stays() {
        assert_eq!(rotation(&["</i>", "Text(_)", "</b>"]), "</i>Text(_)</b>");
    }
}
