//! What do the names of HTML's elements say?
//!
//! All lists of element names of the project stand here, each with the question it answers. Names are given in lower
//! case, as [`Tree::name`](crate::read::tree::Tree::name) gives them, unless a function says otherwise.

/// Whether text before and behind a tag stands on different lines: so around all elements but those that format words.
/// The name may be in any case.
pub fn breaks_line(name: &str) -> bool {
    const INLINE: [&str; 38] = [
        "a", "abbr", "acronym", "b", "basefont", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
        "font", "i", "img", "ins", "kbd", "label", "mark", "nobr", "q", "rp", "rt", "ruby", "s", "samp", "small",
        "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var",
    ];
    !is_one_of(name, &INLINE)
}

/// Whether a list page shows nothing to its reader that stands in an element of this name.
pub(crate) fn is_hidden_in_lists(name: &str) -> bool {
    matches!(name, "select" | "textarea" | "button" | "head" | "title" | "noscript")
}

/// Whether nothing in an element of this name is running text of the page: the head, controls, what stands for something
/// else, and what the HTML Standard keeps for navigation and for what is only related.
pub(crate) fn is_silent(name: &str) -> bool {
    const SILENT: [&str; 12] = [
        "head",
        "title",
        "textarea",
        "select",
        "button",
        "figcaption",
        "noscript",
        "template",
        "svg",
        "nav",
        "footer",
        "aside",
    ];
    SILENT.contains(&name)
}

/// Whether an element of this name is left out of what is written for people.
pub(crate) fn is_unwritten(name: &str) -> bool {
    matches!(name, "title" | "textarea" | "select" | "template")
}

/// The level of a heading.
pub(crate) fn heading_level(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [b'h', digit @ b'1'..=b'6'] => Some(digit - b'0'),
        _ => None,
    }
}

/// How the IEPAD paper sorts tags (section 5.1), after the HTML standard of its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TagClass {
    /// Tags that divide a page.
    Block,
    /// Tags that say what words are.
    Logical,
    /// Tags that say how words look.
    Physical,
    /// Links, images, line breaks, forms.
    Special,
}

impl TagClass {
    /// The class of a tag; the name may be in any case.
    pub(crate) fn of(name: &str) -> Self {
        const LOGICAL: &[&str] = &[
            "abbr", "acronym", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "ins", "kbd", "label", "mark",
            "q", "ruby", "rb", "rp", "rt", "rtc", "samp", "strong", "time", "var",
        ];
        const PHYSICAL: &[&str] = &[
            "b", "basefont", "big", "blink", "font", "i", "nobr", "s", "small", "span", "strike", "sub", "sup", "tt",
            "u", "wbr",
        ];
        const SPECIAL: &[&str] = &[
            "a", "applet", "area", "audio", "br", "button", "canvas", "embed", "iframe", "img", "input", "map",
            "object", "option", "param", "picture", "script", "select", "source", "svg", "textarea", "track", "video",
        ];
        if is_one_of(name, LOGICAL) {
            TagClass::Logical
        } else if is_one_of(name, PHYSICAL) {
            TagClass::Physical
        } else if is_one_of(name, SPECIAL) {
            TagClass::Special
        } else {
            TagClass::Block
        }
    }
}

/// What the name of an element says about where it ends, by the HTML Standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nesting {
    /// Ends at its end tag, or with its parent.
    Plain,
    /// Has no content: `<br>`.
    Void,
    /// SVG and MathML, in which `<path/>` has no content.
    Foreign,
    /// `<head>`: ends where something begins that cannot stand in it, whether or not it is closed.
    Head,
    /// Ends an open paragraph.
    Block,
    Paragraph,
    /// `<ul>` and its like: an item inside belongs to it.
    List,
    Item,
    /// `<dl>`.
    Terms,
    /// `<dt>` and `<dd>`.
    Term,
    Table,
    /// `<tbody>` and its like, and `<caption>`.
    TablePart,
    Row,
    Cell,
    Select,
    OptionGroup,
    OptionItem,
}

impl Nesting {
    /// The nesting of an element.
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "area" | "base" | "br" | "col" | "embed" | "img" | "input" | "link" | "meta" | "param" | "source"
            | "track" | "wbr" | "hr" => Nesting::Void,
            "svg" | "math" => Nesting::Foreign,
            "head" => Nesting::Head,
            "p" => Nesting::Paragraph,
            "ul" | "ol" | "menu" => Nesting::List,
            "li" => Nesting::Item,
            "dl" => Nesting::Terms,
            "dt" | "dd" => Nesting::Term,
            "table" => Nesting::Table,
            "thead" | "tbody" | "tfoot" | "caption" | "colgroup" => Nesting::TablePart,
            "tr" => Nesting::Row,
            "td" | "th" => Nesting::Cell,
            "select" => Nesting::Select,
            "optgroup" => Nesting::OptionGroup,
            "option" => Nesting::OptionItem,
            "address" | "article" | "aside" | "blockquote" | "body" | "center" | "details" | "dialog" | "dir"
            | "div" | "fieldset" | "figcaption" | "figure" | "footer" | "form" | "h1" | "h2" | "h3" | "h4" | "h5"
            | "h6" | "header" | "hgroup" | "main" | "nav" | "pre" | "section" | "summary" => Nesting::Block,
            _ => Nesting::Plain,
        }
    }

    /// Whether the start of this element ends an open `other`.
    pub(crate) fn ends(self, other: Nesting) -> bool {
        match self {
            Nesting::Block | Nesting::Paragraph | Nesting::List | Nesting::Terms | Nesting::Table => {
                other == Nesting::Paragraph
            }
            Nesting::Item => matches!(other, Nesting::Paragraph | Nesting::Item),
            Nesting::Term => matches!(other, Nesting::Paragraph | Nesting::Term),
            Nesting::TablePart => {
                matches!(other, Nesting::TablePart | Nesting::Row | Nesting::Cell | Nesting::Paragraph)
            }
            Nesting::Row => matches!(other, Nesting::Row | Nesting::Cell | Nesting::Paragraph),
            Nesting::Cell => matches!(other, Nesting::Cell | Nesting::Paragraph),
            Nesting::OptionGroup => matches!(other, Nesting::OptionGroup | Nesting::OptionItem),
            Nesting::OptionItem => other == Nesting::OptionItem,
            _ => false,
        }
    }

    /// Whether the start of this element ends nothing that stands around an open `other`.
    pub(crate) fn stays_inside(self, other: Nesting) -> bool {
        match self {
            // Only the innermost open element can be a paragraph that a block ends, up to text-level markup.
            Nesting::Item => matches!(other, Nesting::List | Nesting::Cell | Nesting::Table),
            Nesting::Term => matches!(other, Nesting::Terms | Nesting::Cell | Nesting::Table),
            Nesting::TablePart | Nesting::Row | Nesting::Cell => other == Nesting::Table,
            Nesting::OptionGroup | Nesting::OptionItem => other == Nesting::Select,
            _ => other != Nesting::Plain,
        }
    }

    /// Whether an end tag of this element inside an open `other` means nothing outside of it: a stray `</div>` in a
    /// table cell does not end the `<div>` around the table.
    pub(crate) fn cannot_leave(self, other: Nesting) -> bool {
        match self {
            Nesting::Row | Nesting::TablePart | Nesting::Cell => other == Nesting::Table,
            Nesting::Table => false,
            Nesting::Item => other == Nesting::List || other == Nesting::Cell,
            Nesting::Term => other == Nesting::Terms || other == Nesting::Cell,
            Nesting::Plain => !matches!(other, Nesting::Plain | Nesting::Paragraph | Nesting::OptionItem),
            _ => matches!(other, Nesting::Cell | Nesting::Table),
        }
    }
}

/// Whether an element of this name can stand in `<head>`. Any other begins the body.
pub(crate) fn stands_in_head(name: &str) -> bool {
    const IN_HEAD: [&str; 11] =
        ["base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "script", "style", "template", "title"];
    IN_HEAD.contains(&name)
}

/// Elements whose content is not markup, and is no text to read either.
const RAW: [&str; 7] = ["script", "style", "xmp", "iframe", "noembed", "noframes", "plaintext"];
/// Elements whose content is text with entities, but not markup.
const RAW_TEXT: [&str; 2] = ["title", "textarea"];

/// What the content of an element is that is not markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RawContent {
    /// Scripts, styles and their like.
    Code,
    /// Text with entities.
    Text,
}

/// The kind of content of an element whose content is not markup; the name may be in any case.
pub(crate) fn raw_content(name: &[u8]) -> Option<RawContent> {
    // All tags come through here; most are gone after one look.
    if !matches!(name[0] | 0x20, b's' | b'x' | b'i' | b'n' | b'p' | b't') {
        return None;
    }
    let is_in = |names: &[&str]| names.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()));
    if is_in(&RAW) {
        Some(RawContent::Code)
    } else if is_in(&RAW_TEXT) {
        Some(RawContent::Text)
    } else {
        None
    }
}

fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// What an element does to text in it, for a reader who looks at the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Showing {
    Plain,
    Link,
    /// Shows it elsewhere, or only when it is asked for, or not at all.
    Unseen,
    /// Shows it where scripts are turned off.
    Fallback,
}

impl Showing {
    /// What an element of this name does.
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "a" => Showing::Link,
            "head" | "title" | "textarea" | "select" | "button" | "datalist" | "template" => Showing::Unseen,
            "noscript" => Showing::Fallback,
            _ => Showing::Plain,
        }
    }
}

/// What becomes of an element where a page is shown to people and must not do anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taming {
    Kept,
    /// A box of the same content.
    Box,
    /// Its content without it.
    Unwrapped,
    /// Nothing of it.
    Dropped,
}

impl Taming {
    /// What becomes of an element of this name.
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "form" => Taming::Box,
            "applet" | "audio" | "base" | "bgsound" | "embed" | "fencedframe" | "frame" | "frameset" | "head"
            | "link" | "math" | "meta" | "object" | "param" | "picture" | "plaintext" | "portal" | "source"
            | "track" | "video" | "xmp" => Taming::Unwrapped,
            "canvas" | "iframe" | "noembed" | "noframes" | "noscript" | "script" | "svg" | "template" | "title" => {
                Taming::Dropped
            }
            _ => Taming::Kept,
        }
    }
}
