//! What is a field called?

use super::{Kind, evidence::Evidence};
use std::collections::{HashMap, HashSet};

/// Gives each field a name of its own: what the page calls it, or else a neutral one.
pub(super) fn give(fields: &mut [Evidence]) {
    let mut taken = HashSet::new();
    let mut inner: HashMap<usize, String> = HashMap::new();
    for (at, evidence) in fields.iter_mut().enumerate() {
        if evidence.is_whole
            && let Some(inner) = inner.get(&evidence.number)
        {
            evidence.field.name = unique(&format!("{inner}_text"), &mut taken);
            continue;
        }
        let label = evidence.label().map(str::to_owned);
        let name = label.as_deref().map(identifier).filter(|name| !name.is_empty()).or_else(|| author_name(evidence));
        let name = name.unwrap_or_else(|| format!("field_{}", at + 1));
        evidence.field.name = unique(&name, &mut taken);
        evidence.field.label = label.unwrap_or_default();
        inner.insert(evidence.number, evidence.field.name.clone());
    }
}

/// A name that is not taken yet.
fn unique(name: &str, taken: &mut HashSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let free = std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken.contains(name));
    let free = free.expect("there are more numbers than names");
    taken.insert(free.clone());
    free
}

fn author_name(evidence: &Evidence) -> Option<String> {
    let positions = || evidence.field.views.iter().filter_map(|view| view.position());
    let hook = positions().find(|(kind, _)| *kind == Kind::Hook).map(|(_, position)| position);
    let hook =
        hook.filter(|position| position.path.is_empty()).and_then(|position| Some(position.text.split_once('=')?.1));
    let class = positions().find(|(kind, _)| matches!(kind, Kind::Class | Kind::Each)).map(|(_, position)| {
        let step = position.path.rsplit(' ').next().unwrap_or("");
        let name = step.split('.').nth(1).unwrap_or(step);
        if position.attribute.is_empty() { name.to_owned() } else { format!("{name}_{}", position.attribute) }
    });
    hook.map(identifier).or(class.map(|name| identifier(&name))).filter(|name| !name.is_empty())
}

/// A text as a name: letters and digits of any script, and underscores for what stands between them.
fn identifier(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut name = words.collect::<Vec<_>>().join("_");
    if name.starts_with(char::is_numeric) {
        name.insert(0, '_');
    }
    name
}
