//! Which characters would mean something in Markdown, and so need a backslash?
//!
//! As few as can be, since people read the source too: underscores inside words, single dollars and
//! tildes, ampersands that begin no entity, numbers and dashes that begin no item stay as they are.

/// What depends on the line that a text stands in.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Marks {
    /// Two dollars or tildes of a line could belong together.
    pub dollars: bool,
    pub tildes: bool,
    /// Bars end cells.
    pub bars: bool,
}

/// Text with backslashes before what would mean something. `before` is what stands before it in the
/// line.
pub(super) fn escaped(text: &str, mut before: Option<char>, marks: Marks) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let is_meant = match c {
            '\\' | '`' | '*' | '[' | ']' | '<' => true,
            '_' => !is_word(before) || !is_word(rest.clone().next()),
            '&' => begins_entity(rest.as_str()),
            '$' => marks.dollars,
            '~' => marks.tildes,
            '|' => marks.bars,
            _ => false,
        };
        escaped.push_str(if is_meant { "\\" } else { "" });
        escaped.push(c);
        before = Some(c);
    }
    escaped
}

/// Where a link leads, as it is written behind its text.
pub(super) fn destination(address: &str) -> String {
    let mut written = String::with_capacity(address.len());
    let (mut open, mut is_balanced) = (0i32, true);
    for (at, c) in address.char_indices() {
        open += i32::from(c == '(') - i32::from(c == ')');
        is_balanced &= open >= 0;
        match c {
            '$' => written.push_str("%24"),
            '&' if begins_entity(&address[at + 1..]) => written.push_str("&amp;"),
            c => written.push(c),
        }
    }
    if is_balanced && open == 0 {
        written
    } else {
        format!("<{written}>")
    }
}

/// Text as entities, for places where a backslash is no help.
pub(super) fn entities(text: &str) -> String {
    let entity = |c: char| {
        if c.is_ascii_punctuation() {
            format!("&#{};", u32::from(c))
        } else {
            c.to_string()
        }
    };
    text.chars().map(entity).collect()
}

fn is_word(c: Option<char>) -> bool {
    c.is_some_and(char::is_alphanumeric)
}

/// Whether what stands behind an ampersand makes it an entity.
fn begins_entity(behind: &str) -> bool {
    // The longest name has 31 letters.
    let name = behind
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '#')
        .next()
        .unwrap_or_default();
    (1..=32).contains(&name.len()) && behind[name.len()..].starts_with(';')
}

/// Escapes what means a heading, an item or a quotation at the beginning of a line, and nothing
/// elsewhere.
pub(super) fn at_line_start(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(escaped_start).collect();
    lines.join("\n")
}

fn escaped_start(line: &str) -> String {
    let mark = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = line.len() - mark.len();
    if (1..=9).contains(&digits) && mark.starts_with(['.', ')']) && ends_mark(&mark[1..]) {
        return format!("{}\\{mark}", &line[..digits]);
    }
    if begins_block(line) {
        format!("\\{line}")
    } else {
        line.to_owned()
    }
}

fn begins_block(line: &str) -> bool {
    let Some(first) = line.chars().next() else {
        return false;
    };
    let behind = line.trim_start_matches(first);
    match first {
        '#' => line.len() - behind.len() <= 6 && ends_mark(behind),
        '+' => ends_mark(&line[1..]),
        '-' => ends_mark(&line[1..]) || is_only(line, "- \t|:\\"),
        '=' => is_only(line, "= \t\\"),
        ':' => is_only(line, "- \t|:\\"),
        '>' | '|' => true,
        '~' => line.starts_with("~~~"),
        _ => false,
    }
}

/// Whether a mark means something before this: white space, or the end of the line, which may be a
/// written line break.
fn ends_mark(behind: &str) -> bool {
    behind.is_empty() || behind == "\\" || behind.starts_with([' ', '\t'])
}

fn is_only(line: &str, characters: &str) -> bool {
    line.chars().all(|c| characters.contains(c))
}
