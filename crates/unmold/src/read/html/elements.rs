//! What do the names of HTML's elements say?
//!
//! All lists of element names of the project stand here, each with the question it answers. Names
//! are given in lower case, as [`Tree::name`](crate::read::tree::Tree::name) gives them, unless a
//! function says otherwise.

/// Whether text before and behind a tag stands on different lines: so around all elements but those
/// that format words. The name may be in any case.
pub fn breaks_line(name: &str) -> bool {
    const INLINE: [&str; 38] = [
        "a", "abbr", "acronym", "b", "basefont", "bdi", "bdo", "big", "cite", "code", "data",
        "del", "dfn", "em", "font", "i", "img", "ins", "kbd", "label", "mark", "nobr", "q", "rp",
        "rt", "ruby", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt",
        "u", "var",
    ];
    !is_one_of(name, &INLINE)
}

/// The name itself if elements of it do nothing but say what their words are and how they are laid
/// out: they run, load, link and send nothing.
pub fn that_only_formats(name: &str) -> Option<&'static str> {
    const FORMATS: [&str; 58] = [
        "abbr",
        "address",
        "article",
        "aside",
        "b",
        "bdi",
        "bdo",
        "blockquote",
        "br",
        "caption",
        "cite",
        "code",
        "dd",
        "del",
        "dl",
        "dt",
        "em",
        "figcaption",
        "figure",
        "footer",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "i",
        "ins",
        "kbd",
        "li",
        "main",
        "mark",
        "nav",
        "ol",
        "p",
        "pre",
        "q",
        "ruby",
        "s",
        "samp",
        "section",
        "small",
        "strong",
        "sub",
        "sup",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "time",
        "tr",
        "u",
        "ul",
        "var",
    ];
    FORMATS.binary_search(&name).ok().map(|at| FORMATS[at])
}

/// Whether nothing that stands in an element of this name is seen as text of the page, or it is
/// another page's.
pub fn is_never_seen(name: &str) -> bool {
    const NEVER: [&str; 15] = [
        "applet", "canvas", "head", "iframe", "link", "meta", "noembed", "noframes", "noscript",
        "object", "script", "style", "svg", "template", "title",
    ];
    NEVER.contains(&name)
}

/// Whether a list page shows nothing to its reader that stands in an element of this name. Of
/// `<noscript>` the page decides.
pub(crate) fn is_hidden_in_lists(name: &str) -> bool {
    matches!(
        name,
        "select" | "textarea" | "button" | "head" | "title" | "noscript"
    )
}

/// Whether nothing in an element of this name is running text of the page: the head, controls, what
/// stands for something else, and what the HTML Standard keeps for navigation and for what is only
/// related. Of `<noscript>` the page decides.
pub(crate) fn is_silent(name: &str) -> bool {
    const SILENT: [&str; 11] = [
        "head",
        "title",
        "textarea",
        "select",
        "button",
        "figcaption",
        "template",
        "svg",
        "nav",
        "footer",
        "aside",
    ];
    SILENT.contains(&name)
}

/// What markup says that an element is for, by its name and its ARIA role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Unsaid,
    /// The main content of the page.
    Main,
    /// A whole of its own: an article, a post, a comment.
    Article,
    /// Something beside it: where to go, what to choose, what to confirm.
    Beside,
    /// Tabs to choose from: beside the content too, but for the panels that may stand among them.
    TabList,
    /// What a tab shows: content, whether it is unfolded or not.
    TabPanel,
}

impl Purpose {
    /// Whether nothing in such an element is running text of the page.
    pub(crate) fn is_beside(self) -> bool {
        matches!(self, Purpose::Beside | Purpose::TabList)
    }

    pub(crate) fn of(name: &str, role: Option<&str>) -> Self {
        const BESIDE: [&str; 12] = [
            "alert",
            "alertdialog",
            "banner",
            "complementary",
            "contentinfo",
            "dialog",
            "menu",
            "menubar",
            "navigation",
            "search",
            "status",
            "toolbar",
        ];
        let role = role.map_or("", str::trim);
        match name {
            "main" => Purpose::Main,
            _ if role.eq_ignore_ascii_case("main") => Purpose::Main,
            "article" => Purpose::Article,
            "dialog" => Purpose::Beside,
            _ if role.eq_ignore_ascii_case("tablist") => Purpose::TabList,
            _ if role.eq_ignore_ascii_case("tabpanel") => Purpose::TabPanel,
            _ if !role.is_empty() && is_one_of(role, &BESIDE) => Purpose::Beside,
            _ => Purpose::Unsaid,
        }
    }
}

/// Whether a `style` says that nothing is shown.
pub(crate) fn hides(style: &str) -> bool {
    style.contains("none") && {
        let style: String = style.chars().filter(|c| !c.is_whitespace()).collect();
        style.to_ascii_lowercase().contains("display:none")
    }
}

/// Whether an element of this name is left out of what is written for people.
pub(crate) fn is_unwritten(name: &str) -> bool {
    matches!(name, "title" | "textarea" | "select" | "template")
}

/// Whether an element of this name is something to press or to fill in. The name may be in any
/// case.
pub(crate) fn is_control(name: &str) -> bool {
    is_one_of(name, &["button", "select", "textarea"])
}

/// Whether a form is filled in by an element of this name.
pub(crate) fn takes_input(name: &str) -> bool {
    matches!(name, "input" | "select" | "textarea")
}

/// Whether what stands in an element of this name is beside the content whatever stands around it.
pub(crate) fn is_apart(name: &str) -> bool {
    matches!(
        name,
        "head" | "nav" | "footer" | "aside" | "template" | "svg" | "dialog"
    ) || is_control(name)
}

/// Whether an element of this name is a part of the page with a header and a footer of its own.
pub(crate) fn is_sectioning(name: &str) -> bool {
    matches!(name, "article" | "aside" | "main" | "nav" | "section")
}

/// Whether an element of this name may stand in the middle of a line, although it does not format
/// words.
pub(crate) fn stays_in_line(name: &str) -> bool {
    const IN_LINE: [&str; 13] = [
        "button", "input", "link", "math", "meta", "noscript", "picture", "script", "source",
        "style", "svg", "template", "wbr",
    ];
    IN_LINE.contains(&name)
}

/// Whether an element of this name begins and ends a line of a listing. The name may be in any
/// case.
pub(crate) fn begins_line_of_code(name: &str) -> bool {
    breaks_line(name) && !is_void(name)
}

/// Whether an element of this name has no content. The name may be in any case.
pub(crate) fn is_void(name: &str) -> bool {
    Nesting::of(&name.to_ascii_lowercase()) == Nesting::Void
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
            "abbr", "acronym", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "ins",
            "kbd", "label", "mark", "q", "ruby", "rb", "rp", "rt", "rtc", "samp", "strong", "time",
            "var",
        ];
        const PHYSICAL: &[&str] = &[
            "b", "basefont", "big", "blink", "font", "i", "nobr", "s", "small", "span", "strike",
            "sub", "sup", "tt", "u", "wbr",
        ];
        const SPECIAL: &[&str] = &[
            "a", "applet", "area", "audio", "br", "button", "canvas", "embed", "iframe", "img",
            "input", "map", "object", "option", "param", "picture", "script", "select", "source",
            "svg", "textarea", "track", "video",
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

/// What the name of an element says about where it begins and ends, by the HTML Standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nesting {
    /// Ends at its end tag, or with its parent: `<span>`, and every name that HTML does not have.
    Plain,
    /// Formats words, like `<b>`: its end tag counts even behind blocks that were opened inside.
    Formatting,
    /// `<a>`: formats words, and stands in no other link.
    Link,
    /// Was ended while blocks inside were open, and is closed with them.
    Ended,
    /// Has no content: `<br>`.
    Void,
    /// `<hr>`: has no content, and ends an open paragraph.
    Rule,
    /// `<input>`: has no content, and ends an open `<select>`.
    Input,
    /// `<svg>` and what it is made of.
    Svg,
    /// `<math>` and what it is made of.
    Math,
    /// An element of SVG or MathML in which HTML stands: `<foreignObject>`.
    Integration,
    Html,
    /// `<head>`: ends where something begins that cannot stand in it, whether or not it is closed.
    Head,
    Body,
    Frameset,
    /// Ends no paragraph, and nothing but its own end tag leaves it: `<textarea>`.
    Closed,
    /// `<object>` and its like: tags inside end nothing outside.
    Island,
    Template,
    /// `<div>` and `<address>`, which end with the `<li>` they stand in.
    Division,
    /// Ends an open paragraph.
    Block,
    /// `<dialog>`: the same, but end tags leave it.
    Dialog,
    Heading,
    Paragraph,
    /// `<ul>` and `<ol>`: an item inside belongs to it.
    List,
    Item,
    /// `<dt>` and `<dd>`.
    Term,
    Form,
    Button,
    Table,
    Caption,
    /// `<colgroup>`: holds `<col>` and nothing else.
    ColumnGroup,
    Column,
    /// `<tbody>` and its like.
    TablePart,
    Row,
    Cell,
    Select,
    OptionGroup,
    OptionItem,
    /// `<ruby>`, in which the next three end each other.
    Ruby,
    /// `<rb>`.
    RubyBase,
    /// `<rtc>`, which `<rt>` stands in.
    RubyContainer,
    /// `<rt>` and `<rp>`.
    RubyText,
}

impl Nesting {
    /// How many there are.
    pub(crate) const COUNT: usize = Nesting::RubyText as usize + 1;

    /// The nesting of an element.
    fn of(name: &str) -> Self {
        match name {
            "area" | "base" | "basefont" | "bgsound" | "br" | "embed" | "frame" | "image"
            | "img" | "keygen" | "link" | "meta" | "param" | "source" | "track" | "wbr" => {
                Nesting::Void
            }
            "a" => Nesting::Link,
            "b" | "big" | "code" | "em" | "font" | "i" | "nobr" | "s" | "small" | "strike"
            | "strong" | "tt" | "u" => Nesting::Formatting,
            "div" | "address" => Nesting::Division,
            "article" | "aside" | "blockquote" | "center" | "details" | "dir" | "dl"
            | "fieldset" | "figcaption" | "figure" | "footer" | "header" | "hgroup" | "listing"
            | "main" | "menu" | "nav" | "plaintext" | "pre" | "search" | "section" | "summary"
            | "xmp" => Nesting::Block,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Nesting::Heading,
            "p" => Nesting::Paragraph,
            "ul" | "ol" => Nesting::List,
            "li" => Nesting::Item,
            "dt" | "dd" => Nesting::Term,
            "table" | "caption" | "colgroup" | "col" | "thead" | "tbody" | "tfoot" | "tr"
            | "td" | "th" => Nesting::of_table(name),
            "html" => Nesting::Html,
            "head" => Nesting::Head,
            "body" => Nesting::Body,
            "hr" => Nesting::Rule,
            "input" => Nesting::Input,
            "svg" => Nesting::Svg,
            "math" => Nesting::Math,
            "form" => Nesting::Form,
            "dialog" => Nesting::Dialog,
            "button" => Nesting::Button,
            _ => Nesting::of_rare(name),
        }
    }

    fn of_table(name: &str) -> Self {
        match name {
            "table" => Nesting::Table,
            "caption" => Nesting::Caption,
            "colgroup" => Nesting::ColumnGroup,
            "col" => Nesting::Column,
            "tr" => Nesting::Row,
            "td" | "th" => Nesting::Cell,
            _ => Nesting::TablePart,
        }
    }

    fn of_rare(name: &str) -> Self {
        match name {
            "select" => Nesting::Select,
            "optgroup" => Nesting::OptionGroup,
            "option" => Nesting::OptionItem,
            "ruby" => Nesting::Ruby,
            "rb" => Nesting::RubyBase,
            "rtc" => Nesting::RubyContainer,
            "rt" | "rp" => Nesting::RubyText,
            // Browsers with scripts skip `<noscript>`: what stands in it ends nothing outside.
            "applet" | "marquee" | "noscript" | "object" => Nesting::Island,
            "iframe" | "noembed" | "noframes" | "script" | "style" | "textarea" | "title" => {
                Nesting::Closed
            }
            "template" => Nesting::Template,
            "frameset" => Nesting::Frameset,
            _ => Nesting::Plain,
        }
    }

    /// The open elements that an end tag of this kind cannot leave: a stray `</div>` in a table
    /// cell does not end the `<div>` around the table.
    #[inline]
    pub(crate) fn limits(self) -> Nestings {
        match self {
            Nesting::Formatting
            | Nesting::Link
            | Nesting::Division
            | Nesting::Block
            | Nesting::Heading => SCOPE,
            Nesting::Dialog | Nesting::Term | Nesting::Form | Nesting::Button | Nesting::Select => {
                SCOPE
            }
            Nesting::List | Nesting::Island => SCOPE,
            Nesting::Paragraph => PARAGRAPH_SCOPE,
            Nesting::Item => SCOPE.with(Nesting::List),
            Nesting::Table | Nesting::Caption | Nesting::ColumnGroup => TABLE_SCOPE,
            Nesting::TablePart | Nesting::Row | Nesting::Cell => TABLE_SCOPE,
            Nesting::Template | Nesting::Html | Nesting::Body => Nestings::NONE,
            _ => SPECIAL,
        }
    }
}

/// A set of [`Nesting`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Nestings(u64);

impl Nestings {
    pub(crate) const NONE: Self = Nestings(0);

    pub(crate) const fn of(members: &[Nesting]) -> Self {
        let (mut all, mut at) = (Nestings::NONE, 0);
        while at < members.len() {
            all = all.with(members[at]);
            at += 1;
        }
        all
    }

    pub(crate) const fn with(self, member: Nesting) -> Self {
        Nestings(self.0 | 1 << member as u64)
    }

    pub(crate) const fn without(self, others: Nestings) -> Self {
        Nestings(self.0 & !others.0)
    }

    pub(crate) const fn and(self, others: Nestings) -> Self {
        Nestings(self.0 | others.0)
    }

    #[inline]
    pub(crate) const fn has(self, member: Nesting) -> bool {
        self.0 & 1 << member as u64 != 0
    }
}

/// What an element is looked for in: the standard's *scope*.
pub(crate) const SCOPE: Nestings = Nestings::of(&[
    Nesting::Table,
    Nesting::Cell,
    Nesting::Caption,
    Nesting::Island,
    Nesting::Template,
    Nesting::Select,
    Nesting::Integration,
]);
/// The same for paragraphs: *button scope*.
pub(crate) const PARAGRAPH_SCOPE: Nestings = SCOPE.with(Nesting::Button);
/// The same for the parts of a table: *table scope*.
pub(crate) const TABLE_SCOPE: Nestings = Nestings::of(&[Nesting::Table, Nesting::Template]);
/// What links are told apart by: a link in a cell says nothing of a link around the table.
pub(crate) const LINK_SCOPE: Nestings = Nestings::of(&[
    Nesting::Cell,
    Nesting::Caption,
    Nesting::Island,
    Nesting::Template,
]);
/// Elements that the end tag of a plain element does not leave: the standard's *special* elements.
pub(crate) const SPECIAL: Nestings = Nestings(
    !Nestings::of(&[
        Nesting::Plain,
        Nesting::Formatting,
        Nesting::Link,
        Nesting::Ended,
        Nesting::Dialog,
        Nesting::Svg,
        Nesting::Math,
        Nesting::Html,
        Nesting::Body,
        Nesting::OptionGroup,
        Nesting::OptionItem,
        Nesting::Ruby,
        Nesting::RubyBase,
        Nesting::RubyContainer,
        Nesting::RubyText,
    ])
    .0,
);
/// Elements that an item or a term does not look through for another one to end.
pub(crate) const ITEM_SCOPE: Nestings =
    SPECIAL.without(Nestings::of(&[Nesting::Division, Nesting::Paragraph]));
/// Elements whose start ends an open paragraph.
pub(crate) const ENDS_PARAGRAPH: Nestings = Nestings::of(&[
    Nesting::Rule,
    Nesting::Division,
    Nesting::Block,
    Nesting::Dialog,
    Nesting::Heading,
    Nesting::Paragraph,
    Nesting::List,
    Nesting::Item,
    Nesting::Term,
    Nesting::Form,
    Nesting::Table,
]);
/// Elements that end where they must, whoever ends.
pub(crate) const ENDS_BY_ITSELF: Nestings = Nestings::of(&[
    Nesting::Term,
    Nesting::Item,
    Nesting::OptionGroup,
    Nesting::OptionItem,
    Nesting::Paragraph,
    Nesting::RubyBase,
    Nesting::RubyContainer,
    Nesting::RubyText,
]);
/// SVG and MathML.
pub(crate) const FOREIGN: Nestings = Nestings::of(&[Nesting::Svg, Nesting::Math]);
/// Elements that care what is put into them.
pub(crate) const PARTICULAR: Nestings = FOREIGN.with(Nesting::Head).with(Nesting::ColumnGroup);
/// Elements that open where they stand, and change nothing around.
pub(crate) const UNEVENTFUL: Nestings =
    Nestings::of(&[Nesting::Plain, Nesting::Formatting, Nesting::Void]);
/// Elements that make up tables, down to rows: what is no part of a table has no place directly
/// inside them.
pub(crate) const TABLE_FRAME: Nestings =
    Nestings::of(&[Nesting::Table, Nesting::TablePart, Nesting::Row]);
/// Elements that exist only in tables.
pub(crate) const IN_TABLE: Nestings = Nestings::of(&[
    Nesting::Caption,
    Nesting::ColumnGroup,
    Nesting::Column,
    Nesting::TablePart,
    Nesting::Row,
    Nesting::Cell,
]);

/// What the HTML Standard says of the elements of a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Traits {
    pub nesting: Nesting,
    /// Whether it can stand in `<head>`. Any other begins the body.
    pub stands_in_head: bool,
    /// Whether it ends SVG and MathML, in which it cannot stand.
    pub leaves_foreign: bool,
    /// In which of SVG and MathML an element of this name holds HTML.
    pub holds_html_in: Option<Nesting>,
}

impl Traits {
    /// An element of XML.
    pub(crate) const PLAIN: Self = Traits {
        nesting: Nesting::Plain,
        stands_in_head: false,
        leaves_foreign: false,
        holds_html_in: None,
    };

    pub(crate) fn of(name: &str) -> Self {
        Traits {
            nesting: Nesting::of(name),
            stands_in_head: stands_in_head(name),
            leaves_foreign: leaves_foreign(name.as_bytes()),
            holds_html_in: holds_html_in(name.as_bytes()),
        }
    }
}

/// Whether browsers make an element of an end tag of this name that has no start tag.
pub(crate) fn is_read_as_start(name: &[u8]) -> bool {
    is_any(name, &["br", "p"])
}

/// Whether an element of this name can stand in `<head>`. Any other begins the body.
fn stands_in_head(name: &str) -> bool {
    const IN_HEAD: [&str; 11] = [
        "base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "script", "style",
        "template", "title",
    ];
    IN_HEAD.contains(&name)
}

/// Whether the content of an element of this name is SVG or MathML; the name may be in any case.
#[inline]
pub(crate) fn opens_foreign(name: &[u8]) -> bool {
    match name.len() {
        3 => name.eq_ignore_ascii_case(b"svg"),
        4 => name.eq_ignore_ascii_case(b"math"),
        _ => false,
    }
}

/// Whether a text may begin with such a name: for most, one look is enough.
#[inline]
pub(crate) fn may_open_foreign(text: &[u8]) -> bool {
    matches!(
        text,
        [b's' | b'S', b'v' | b'V', ..] | [b'm' | b'M', b'a' | b'A', ..]
    )
}

/// Whether an element of this name ends SVG and MathML, in which it cannot stand; the name may be
/// in any case.
pub(crate) fn leaves_foreign(name: &[u8]) -> bool {
    const LEAVING: [&str; 44] = [
        "b",
        "big",
        "blockquote",
        "body",
        "br",
        "center",
        "code",
        "dd",
        "div",
        "dl",
        "dt",
        "em",
        "embed",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "head",
        "hr",
        "i",
        "img",
        "li",
        "listing",
        "menu",
        "meta",
        "nobr",
        "ol",
        "p",
        "pre",
        "ruby",
        "s",
        "small",
        "span",
        "strong",
        "strike",
        "sub",
        "sup",
        "table",
        "tt",
        "u",
        "ul",
        "var",
    ];
    is_any(name, &LEAVING)
}

/// In which of SVG and MathML an element of this name holds HTML: the standard's *integration
/// points*. The name may be in any case.
pub(crate) fn holds_html_in(name: &[u8]) -> Option<Nesting> {
    if is_any(name, &["foreignobject", "desc", "title"]) {
        Some(Nesting::Svg)
    } else {
        is_any(name, &["mi", "mo", "mn", "ms", "mtext"]).then_some(Nesting::Math)
    }
}

/// Elements whose content is not markup, and is no text to read either.
const RAW: [&str; 5] = ["script", "style", "iframe", "noembed", "noframes"];
/// Elements whose content is text, but not markup.
const RAW_TEXT: [&str; 4] = ["title", "textarea", "xmp", "plaintext"];

/// What the content of an element is that is not markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RawContent {
    /// Scripts, styles and their like.
    Code,
    /// Text.
    Text,
}

/// Whether a start tag of this name may change how what follows is read. All tags come through
/// here; most are gone after a look at the length and the first letter.
#[inline]
pub(crate) fn may_change_reading(name: &[u8]) -> bool {
    match (name.len(), name[0] | 0x20) {
        (0..3, _) => false,
        (3, first) => matches!(first, b's' | b'x'),
        (4, first) => first == b'm',
        (_, first) => matches!(first, b's' | b'i' | b'n' | b'p' | b't'),
    }
}

/// The kind of content of an element whose content is not markup; the name may be in any case.
pub(crate) fn raw_content(name: &[u8]) -> Option<RawContent> {
    if !may_change_reading(name) {
        return None;
    }
    if is_any(name, &RAW) {
        Some(RawContent::Code)
    } else if is_any(name, &RAW_TEXT) {
        Some(RawContent::Text)
    } else {
        None
    }
}

/// Whether the content of an element is not markup in SVG and MathML either; the name may be in any
/// case.
pub(crate) fn stays_raw(name: &[u8]) -> bool {
    is_any(name, &["script", "style"])
}

fn is_one_of(name: &str, names: &[&str]) -> bool {
    is_any(name.as_bytes(), names)
}

fn is_any(name: &[u8], names: &[&str]) -> bool {
    names
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
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
            "head" | "title" | "textarea" | "select" | "button" | "datalist" | "template" => {
                Showing::Unseen
            }
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
            "applet" | "audio" | "base" | "bgsound" | "embed" | "fencedframe" | "frame"
            | "frameset" | "head" | "link" | "math" | "meta" | "object" | "param" | "picture"
            | "plaintext" | "portal" | "source" | "track" | "video" | "xmp" => Taming::Unwrapped,
            "canvas" | "iframe" | "noembed" | "noframes" | "noscript" | "script" | "svg"
            | "template" | "title" => Taming::Dropped,
            _ => Taming::Kept,
        }
    }
}
