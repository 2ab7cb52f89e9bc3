//! From tokens to elements: where does an element end that nobody closed?
//!
//! Two passes, because `<div/>` means one thing or another by what the rest of the page has: the
//! first lists the tags and numbers their names, the second opens and closes elements.
//!
//! The second is the standard's stack of open elements without its insertion modes: what stands on
//! the stack says what a mode would. Most questions are of one form: which is the innermost open
//! element of these kinds, looking no further than an element of those? The kinds are sets of
//! [`Nesting`]s, so that each step is a look at one bit.

use super::{MAX_DEPTH, NO_PARENT, Node, TEXT, Tree, UNKNOWN};
use crate::{
    Span,
    read::{
        html::{
            self, Kind, Syntax, Token,
            elements::{
                ENDS_BY_ITSELF, ENDS_PARAGRAPH, FOREIGN, IN_TABLE, ITEM_SCOPE, LINK_SCOPE, Nesting,
                Nestings, PARAGRAPH_SCOPE, PARTICULAR, SCOPE, SPECIAL, TABLE_FRAME, TABLE_SCOPE,
                Traits, UNEVENTFUL, is_read_as_start,
            },
        },
        vocabulary::Vocabulary,
    },
};
use std::borrow::Cow;

pub(super) fn tree(page: &str) -> Tree<'_> {
    let mut names = Names::new(Syntax::of(page));
    let mut tags = Vec::with_capacity(page.len() / 24);
    for token in html::tokens(page) {
        tags.extend(Tag::new(page, token, &mut names));
    }
    let mut nodes = Vec::with_capacity(tags.len());
    let clipped = elements(page, &tags, &names, &mut nodes);
    Tree {
        page,
        nodes: Cow::Owned(nodes),
        names: Cow::Owned(names.vocabulary),
        known: &[],
        clipped,
    }
}

/// Opens and closes elements, and says whether some were nested too deep.
pub(super) fn elements(page: &str, tags: &[Tag], names: &Names, nodes: &mut Vec<Node>) -> bool {
    let closing = names.closing(tags);
    let mut builder = Builder::new(names, nodes, &closing, html::is_quirky(page));
    // Behind `</body>` and `</html>` a page goes on as before, unless nothing follows them.
    let is_last = |tag: &Tag| {
        tag.kind == TagKind::End && ENDS_PAGE.has(names.traits[tag.name as usize].nesting)
    };
    let end = tags
        .iter()
        .rposition(|tag| !is_last(tag))
        .map_or(0, |last| last + 1);
    tags[..end].iter().for_each(|&tag| builder.take(tag));
    tags[end..].iter().for_each(|&tag| builder.end_named(tag));
    builder.close_to(0, page.len() as u32);
    builder.clipped
}

/// A tag or a text, with the number of its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag {
    pub kind: TagKind,
    pub name: u32,
    pub span: Span,
    /// The number of the whole tag or text in a memory, or [`UNKNOWN`].
    pub token: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagKind {
    Text,
    Start,
    /// A start tag that is written `<br/>`.
    Closed,
    End,
}

impl Tag {
    /// A token as a tag; `None` for what a tree does not have.
    #[inline]
    pub(super) fn new(page: &str, token: Token, names: &mut Names) -> Option<Self> {
        let kind = match token.kind {
            Kind::Text if !html::is_blank(token.span.of(page)) => TagKind::Text,
            Kind::Cdata => TagKind::Text,
            Kind::Start if page.as_bytes()[..token.span.end as usize].ends_with(b"/>") => {
                TagKind::Closed
            }
            Kind::Start => TagKind::Start,
            Kind::End => TagKind::End,
            _ => return None,
        };
        let name = if kind == TagKind::Text {
            TEXT
        } else {
            names.number(token.name.of(page))
        };
        let span = if token.kind == Kind::Cdata {
            html::inside_cdata(page, token.span)
        } else {
            token.span
        };
        Some(Tag {
            kind,
            name,
            span,
            token: UNKNOWN,
        })
    }
}

/// The names of tags, numbered; in lower case unless the page is XML.
#[derive(Clone, Debug)]
pub(super) struct Names {
    pub vocabulary: Vocabulary,
    /// What is known of each name.
    traits: Vec<Traits>,
    syntax: Syntax,
    /// Short names that were seen, as a number of eight bytes each: pages have few different ones.
    seen: [(u64, u32); Names::SEEN],
    /// A name in lower case, kept to save allocations.
    lower: String,
}

impl Names {
    const SEEN: usize = 128;

    pub fn new(syntax: Syntax) -> Self {
        Names {
            vocabulary: Vocabulary::default(),
            traits: Vec::new(),
            syntax,
            seen: [(0, 0); Names::SEEN],
            lower: String::new(),
        }
    }

    #[inline]
    fn number(&mut self, name: &str) -> u32 {
        let Some(short) = as_number(name.as_bytes()) else {
            return self.intern(name);
        };
        let place = (short.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 57) as usize;
        let (seen, number) = self.seen[place];
        if seen == short {
            return number;
        }
        let number = self.intern(name);
        self.seen[place] = (short, number);
        number
    }

    #[inline(never)]
    fn intern(&mut self, name: &str) -> u32 {
        self.lower.clear();
        self.lower.push_str(name);
        if self.syntax == Syntax::Html {
            self.lower.make_ascii_lowercase();
        }
        let number = self.vocabulary.intern(&self.lower);
        if number as usize == self.traits.len() {
            self.traits.push(if self.syntax == Syntax::Html {
                Traits::of(&self.lower)
            } else {
                Traits::PLAIN
            });
        }
        number
    }

    /// For each name, whether `<div/>` is an empty element on a page with these tags. Browsers
    /// ignore the slash, but XML served as HTML means it; whichever reading leaves fewer tags of
    /// that name without a partner is taken.
    fn closing(&self, tags: &[Tag]) -> Vec<bool> {
        let mut counts = vec![(0i64, 0i64); self.traits.len()];
        for tag in tags.iter().filter(|tag| tag.kind != TagKind::Text) {
            let (unmatched, closing) = &mut counts[tag.name as usize];
            match tag.kind {
                TagKind::End => *unmatched -= 1,
                TagKind::Closed => *closing += 1,
                _ => *unmatched += 1,
            }
        }
        let meant = |(unmatched, closing): (i64, i64)| {
            closing > 0 && unmatched.abs() < (unmatched + closing).abs()
        };
        counts.into_iter().map(meant).collect()
    }
}

/// The bytes of a short name as one number, which is not 0; different names have different numbers.
#[inline]
fn as_number(name: &[u8]) -> Option<u64> {
    // Names hold no byte 0 but on hostile pages, where `a` and `a\0` must not be the same.
    if name.len() > 8 || name.last() == Some(&0) {
        return None;
    }
    Some(
        name.iter()
            .rev()
            .fold(0, |number, &byte| number << 8 | u64::from(byte)),
    )
}

/// Elements whose end tags end nothing while something follows.
const ENDS_PAGE: Nestings = Nestings::of(&[Nesting::Html, Nesting::Body]);
/// Open elements that an end tag of their name does not end at once.
const ENDS_LATER: Nestings = ENDS_PAGE.with(Nesting::Ended);

/// An element that has not ended.
#[derive(Clone, Copy, Debug)]
struct Open {
    node: u32,
    name: u32,
    nesting: Nesting,
}

struct Builder<'t> {
    names: &'t Names,
    nodes: &'t mut Vec<Node>,
    /// The names whose tags close themselves with `/>` on this page.
    closing: &'t [bool],
    /// Whether tables stand in paragraphs, as they did before the standards.
    is_quirky: bool,
    /// The elements that have not ended, outermost first,
    open: Vec<Open>,
    /// and how many of each kind they are.
    counts: [u16; Nesting::COUNT],
    /// The kinds that the page has had, open or not.
    seen: Nestings,
    /// Whether a form was begun and not ended: until then, no other begins.
    in_form: bool,
    /// Open elements beyond the greatest depth: they have nodes but cannot hold any.
    too_deep: usize,
    clipped: bool,
}

impl<'t> Builder<'t> {
    fn new(
        names: &'t Names,
        nodes: &'t mut Vec<Node>,
        closing: &'t [bool],
        is_quirky: bool,
    ) -> Self {
        Builder {
            names,
            nodes,
            closing,
            is_quirky,
            open: Vec::new(),
            counts: [0; Nesting::COUNT],
            seen: Nestings::NONE,
            in_form: false,
            too_deep: 0,
            clipped: false,
        }
    }

    #[inline]
    fn take(&mut self, tag: Tag) {
        match tag.kind {
            TagKind::Text => {
                if self.is_in_particular() {
                    self.leave_closed_parts(tag);
                }
                self.add(tag);
            }
            TagKind::Start | TagKind::Closed => self.start(tag),
            TagKind::End => self.end(tag),
        }
    }

    #[inline]
    fn add(&mut self, tag: Tag) {
        let parent = self.open.last().map_or(NO_PARENT, |open| open.node);
        let after = self.nodes.len() as u32 + 1;
        self.nodes.push(Node {
            start: tag.span,
            end: tag.span.end,
            name: tag.name,
            parent,
            after,
            token: tag.token,
        });
    }

    #[inline]
    fn traits(&self, tag: Tag) -> Traits {
        self.names.traits[tag.name as usize]
    }

    #[inline]
    fn innermost(&self) -> Option<Nesting> {
        self.open.last().map(|open| open.nesting)
    }

    #[inline]
    fn is_in_particular(&self) -> bool {
        self.innermost()
            .is_some_and(|innermost| PARTICULAR.has(innermost))
    }

    #[inline]
    fn has_open(&self, nesting: Nesting) -> bool {
        self.counts[nesting as usize] > 0
    }

    /// The depth of the innermost open element among `wanted` that stands in none among `limits`.
    #[inline]
    fn find(&self, wanted: Nestings, limits: Nestings) -> Option<usize> {
        let either = wanted.and(limits);
        let depth = self
            .open
            .iter()
            .rposition(|open| either.has(open.nesting))?;
        wanted.has(self.open[depth].nesting).then_some(depth)
    }

    #[inline]
    fn start(&mut self, tag: Tag) {
        let nesting = self.traits(tag).nesting;
        let is_easy = UNEVENTFUL.has(nesting) && !self.is_in_particular();
        if is_easy || self.prepare(tag) {
            self.open(tag, nesting);
        }
    }

    /// Ends what the start of an element ends, and says whether the element is to be opened then.
    fn prepare(&mut self, tag: Tag) -> bool {
        let (traits, at) = (self.traits(tag), tag.span.start);
        if let Some(foreign) = self.innermost().filter(|&innermost| FOREIGN.has(innermost)) {
            if !traits.leaves_foreign {
                self.open(tag, nesting_in_foreign(traits, foreign));
                return false;
            }
            self.leave_foreign(at);
        }
        if self.is_nothing(traits.nesting) || self.ends_select(traits.nesting, at) {
            return false;
        }
        self.leave_closed_parts(tag);
        if self.too_deep == 0 {
            self.make_room(traits.nesting, at);
        }
        true
    }

    /// Adds an element, and opens it if it can have content.
    #[inline]
    fn open(&mut self, tag: Tag, nesting: Nesting) {
        let open = Open {
            node: self.nodes.len() as u32,
            name: tag.name,
            nesting,
        };
        self.add(tag);
        self.seen = self.seen.with(nesting);
        self.in_form |= nesting == Nesting::Form;
        if self.holds_nothing(tag, nesting) {
            return;
        }
        if self.open.len() < MAX_DEPTH {
            self.open.push(open);
            self.counts[nesting as usize] += 1;
        } else {
            self.too_deep += 1;
            self.clipped = true;
        }
    }

    #[inline]
    fn holds_nothing(&self, tag: Tag, nesting: Nesting) -> bool {
        let may_close = || self.names.syntax == Syntax::Xml || NOT_HTML.has(nesting);
        match nesting {
            Nesting::Void | Nesting::Rule | Nesting::Input | Nesting::Column => true,
            // Between the parts of a table a form has no content, but inputs further on belong to
            // it.
            Nesting::Form
                if self
                    .innermost()
                    .is_some_and(|around| TABLE_FRAME.has(around)) =>
            {
                true
            }
            _ => tag.kind == TagKind::Closed && (self.closing[tag.name as usize] || may_close()),
        }
    }

    /// Whether a start tag means nothing where it stands: a second `<body>`, a cell without a
    /// table.
    #[inline]
    fn is_nothing(&self, started: Nesting) -> bool {
        match started {
            Nesting::Html => self.seen.has(started) || !self.open.is_empty(),
            Nesting::Head => self.seen.has(started) || self.is_in_body(),
            Nesting::Body => {
                self.seen.has(started) || self.is_in_body() && !self.has_open(Nesting::Head)
            }
            Nesting::Form => self.in_form && !self.has_open(Nesting::Template),
            _ => {
                IN_TABLE.has(started)
                    && !self.has_open(Nesting::Table)
                    && !self.has_open(Nesting::Template)
            }
        }
    }

    /// Whether something is open that stands in a body, whether or not the page writes one.
    fn is_in_body(&self) -> bool {
        self.innermost()
            .is_some_and(|around| around != Nesting::Html)
    }

    /// Ends an open `<select>` where another begins, and says whether that is all that the tag
    /// does.
    #[inline]
    fn ends_select(&mut self, started: Nesting, at: u32) -> bool {
        if !matches!(started, Nesting::Select | Nesting::Input) || !self.has_open(Nesting::Select) {
            return false;
        }
        let select = self.find(SELECT, SCOPE.without(SELECT));
        select.inspect(|&depth| self.close_to(depth, at)).is_some() && started == Nesting::Select
    }

    /// Ends `<head>` and `<colgroup>` where something begins that cannot stand in them: many pages
    /// never close them.
    fn leave_closed_parts(&mut self, tag: Tag) {
        let may_stay =
            |traits: fn(Traits) -> bool| tag.kind != TagKind::Text && traits(self.traits(tag));
        let is_left = match self.innermost() {
            Some(Nesting::Head) => !may_stay(|traits| traits.stands_in_head),
            Some(Nesting::ColumnGroup) => !may_stay(|traits| traits.nesting == Nesting::Column),
            _ => false,
        };
        if is_left {
            self.close_to(self.open.len() - 1, tag.span.start);
        }
    }

    /// Ends SVG and MathML down to the HTML around or inside it.
    fn leave_foreign(&mut self, at: u32) {
        let depth = self
            .open
            .iter()
            .rposition(|open| !FOREIGN.has(open.nesting));
        self.close_to(depth.map_or(0, |depth| depth + 1), at);
    }

    /// Ends the elements that the start of another ends by itself.
    fn make_room(&mut self, started: Nesting, at: u32) {
        match started {
            Nesting::Division
            | Nesting::Block
            | Nesting::Heading
            | Nesting::Paragraph
            | Nesting::List => {}
            Nesting::Item | Nesting::Term => {
                self.end_innermost(Nestings::of(&[started]), ITEM_SCOPE, at);
            }
            Nesting::Link => self.end_link(at),
            Nesting::Button => self.end_innermost(BUTTON, SCOPE, at),
            Nesting::Body => self.end_innermost(HEAD, Nestings::NONE, at),
            Nesting::Table => self.end_table(at),
            Nesting::Caption | Nesting::ColumnGroup | Nesting::Column | Nesting::TablePart => {
                self.keep_innermost(TABLE_SCOPE, at);
            }
            Nesting::Row => self.keep_innermost(TABLE_SCOPE.with(Nesting::TablePart), at),
            Nesting::Cell => self.keep_innermost(TABLE_SCOPE.and(TABLE_FRAME), at),
            _ => self.make_room_for_text(started, at),
        }
        if ENDS_PARAGRAPH.has(started) {
            self.end_paragraph(started, at);
        }
    }

    /// The same for options and for the parts of ruby text.
    fn make_room_for_text(&mut self, started: Nesting, at: u32) {
        let is_in = |around: Nesting| {
            let wanted = Nestings::of(&[around]);
            self.has_open(around) && self.find(wanted, SCOPE.without(wanted)).is_some()
        };
        match started {
            Nesting::OptionItem if is_in(Nesting::Select) => {
                self.end_parts(ENDS_BY_ITSELF.without(OPTION_GROUP), at);
            }
            Nesting::OptionGroup | Nesting::Rule if is_in(Nesting::Select) => {
                self.end_parts(ENDS_BY_ITSELF, at);
            }
            Nesting::OptionItem | Nesting::OptionGroup => self.end_parts(OPTION, at),
            Nesting::RubyBase | Nesting::RubyContainer if is_in(Nesting::Ruby) => {
                self.end_parts(ENDS_BY_ITSELF, at);
            }
            Nesting::RubyText if is_in(Nesting::Ruby) => {
                self.end_parts(ENDS_BY_ITSELF.without(RUBY_CONTAINER), at);
            }
            _ => {}
        }
    }

    /// Ends an open paragraph that `started` cannot stand in, and then a heading, if another stands
    /// right in it.
    #[inline]
    fn end_paragraph(&mut self, started: Nesting, at: u32) {
        let may_stay = started == Nesting::Table && self.is_quirky;
        if self.has_open(Nesting::Paragraph) && !may_stay {
            self.end_innermost(PARAGRAPH, PARAGRAPH_SCOPE, at);
        }
        if started == Nesting::Heading && self.innermost() == Some(Nesting::Heading) {
            self.close_to(self.open.len() - 1, at);
        }
    }

    /// Ends the innermost open element among `wanted`, if it stands in none among `limits`.
    fn end_innermost(&mut self, wanted: Nestings, limits: Nestings, at: u32) {
        if let Some(depth) = self.find(wanted, limits.without(wanted)) {
            self.close_to(depth, at);
        }
    }

    /// Ends all that stands in the innermost open element among `kept`.
    fn keep_innermost(&mut self, kept: Nestings, at: u32) {
        if let Some(depth) = self.find(kept, Nestings::NONE) {
            self.close_to(depth + 1, at);
        }
    }

    /// Ends innermost elements as long as they are among `parts`.
    fn end_parts(&mut self, parts: Nestings, at: u32) {
        let depth = self.open.iter().rposition(|open| !parts.has(open.nesting));
        self.close_to(depth.map_or(0, |depth| depth + 1), at);
    }

    /// Ends a table whose row has not come to a cell: a table in it stands behind it.
    fn end_table(&mut self, at: u32) {
        if self.has_open(Nesting::Table)
            && self
                .find(TABLE_FRAME, IN_TABLE.and(TABLE_SCOPE).without(TABLE_FRAME))
                .is_some()
        {
            self.end_innermost(TABLE, Nestings::NONE, at);
        }
    }

    /// Ends a link where another begins.
    fn end_link(&mut self, at: u32) {
        if !self.has_open(Nesting::Link) {
            return;
        }
        if let Some(depth) = self.find(LINK, SCOPE) {
            self.end_formatting(depth, at, at);
        } else if let Some(depth) = self.find(LINK, LINK_SCOPE) {
            self.end_later(depth);
        }
    }

    #[inline]
    fn end(&mut self, tag: Tag) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        // Nearly always it is the innermost element that ends.
        if let Some(&innermost) = self.open.last()
            && innermost.name == tag.name
            && !ENDS_LATER.has(innermost.nesting)
        {
            self.in_form &= innermost.nesting != Nesting::Form;
            return self.close_to(self.open.len() - 1, tag.span.end);
        }
        self.end_around(tag);
    }

    /// Ends an element that another stands in, or none.
    fn end_around(&mut self, tag: Tag) {
        if self
            .innermost()
            .is_some_and(|innermost| NOT_HTML.has(innermost))
            && self.end_in_foreign(tag)
        {
            return;
        }
        let nesting = self.traits(tag).nesting;
        match nesting {
            Nesting::Html | Nesting::Body => {}
            Nesting::Void => self.end_void(tag),
            _ => {
                self.in_form &= nesting != Nesting::Form;
                self.end_named(tag);
            }
        }
    }

    /// Ends an element of SVG or MathML, and says whether there is one that an end tag means.
    fn end_in_foreign(&mut self, tag: Tag) -> bool {
        let foreign = self
            .open
            .iter()
            .rposition(|open| !NOT_HTML.has(open.nesting))
            .map_or(0, |html| html + 1);
        let found = self.open[foreign..]
            .iter()
            .rposition(|open| open.name == tag.name);
        match found {
            Some(depth) => self.close_by(tag, foreign + depth),
            // `</p>` and `</br>` stand for elements, which begin outside.
            None if self.traits(tag).leaves_foreign && self.is_read_as_start(tag) => {
                self.leave_foreign(tag.span.start);
            }
            None => {}
        }
        found.is_some()
    }

    /// Of the end tags of elements without content, browsers read one as a start tag: `</br>`.
    fn end_void(&mut self, tag: Tag) {
        if self.is_read_as_start(tag) {
            self.leave_closed_parts(tag);
            self.add(tag);
        }
    }

    /// Whether an end tag without its start tag is an element.
    fn is_read_as_start(&self, tag: Tag) -> bool {
        is_read_as_start(self.names.vocabulary.word(tag.name).as_bytes())
    }

    /// Ends the innermost open element of a name, as far as its end tag reaches.
    fn end_named(&mut self, tag: Tag) {
        let nesting = self.traits(tag).nesting;
        let limits = nesting.limits();
        let is_meant = |open: &Open| {
            open.name == tag.name && open.nesting != Nesting::Ended
                || nesting == Nesting::Heading && open.nesting == Nesting::Heading
        };
        let found = self
            .open
            .iter()
            .rposition(|open| is_meant(open) || limits.has(open.nesting));
        let Some(depth) = found.filter(|&depth| is_meant(&self.open[depth])) else {
            return;
        };
        match nesting {
            Nesting::Formatting | Nesting::Link => {
                self.end_formatting(depth, tag.span.start, tag.span.end);
            }
            Nesting::Form => self.end_form(depth, tag),
            _ => self.close_by(tag, depth),
        }
    }

    /// Ends an element by its end tag.
    fn close_by(&mut self, tag: Tag, depth: usize) {
        self.close_to(depth + 1, tag.span.start);
        self.close_to(depth, tag.span.end);
    }

    /// Ends an element that formats words. Blocks inside outlive it: it is closed with them then.
    fn end_formatting(&mut self, depth: usize, at: u32, end: u32) {
        match self.open[depth + 1..]
            .iter()
            .rposition(|open| SPECIAL.has(open.nesting))
        {
            Some(block) => {
                self.end_later(depth);
                self.close_to(depth + 1 + block + 1, at);
            }
            None => {
                self.close_to(depth + 1, at);
                self.close_to(depth, end);
            }
        }
    }

    /// Ends a form. Whatever is still open in it, and does not end by itself, outlives it.
    fn end_form(&mut self, depth: usize, tag: Tag) {
        self.end_parts(ENDS_BY_ITSELF, tag.span.start);
        if depth + 1 < self.open.len() {
            self.end_later(depth);
        } else {
            self.close_to(depth, tag.span.end);
        }
    }

    /// Lets an element be closed with what stands in it.
    fn end_later(&mut self, depth: usize) {
        let open = &mut self.open[depth];
        self.counts[open.nesting as usize] -= 1;
        self.counts[Nesting::Ended as usize] += 1;
        open.nesting = Nesting::Ended;
    }

    /// Ends open elements until only `depth` are open, and those around that wait for it.
    #[inline]
    fn close_to(&mut self, depth: usize, at: u32) {
        let after = self.nodes.len() as u32;
        let mut depth = depth;
        while self.open.len() > depth
            && let Some(open) = self.open.pop()
        {
            let node = &mut self.nodes[open.node as usize];
            (node.after, node.end) = (after, at);
            self.counts[open.nesting as usize] -= 1;
            if self.open.len() == depth && self.innermost() == Some(Nesting::Ended) {
                depth -= 1;
            }
        }
    }
}

const BUTTON: Nestings = Nestings::of(&[Nesting::Button]);
const HEAD: Nestings = Nestings::of(&[Nesting::Head]);
const LINK: Nestings = Nestings::of(&[Nesting::Link]);
const NOT_HTML: Nestings = FOREIGN.with(Nesting::Integration);
const OPTION: Nestings = Nestings::of(&[Nesting::OptionItem]);
const OPTION_GROUP: Nestings = Nestings::of(&[Nesting::OptionGroup]);
const PARAGRAPH: Nestings = Nestings::of(&[Nesting::Paragraph]);
const RUBY_CONTAINER: Nestings = Nestings::of(&[Nesting::RubyContainer]);
const SELECT: Nestings = Nestings::of(&[Nesting::Select]);
const TABLE: Nestings = Nestings::of(&[Nesting::Table]);

/// What an element is in SVG or MathML.
fn nesting_in_foreign(traits: Traits, foreign: Nesting) -> Nesting {
    match traits.nesting {
        _ if traits.holds_html_in == Some(foreign) => Nesting::Integration,
        // Formulas are annotated with pictures.
        Nesting::Svg => Nesting::Svg,
        _ => foreign,
    }
}

#[cfg(test)]
mod tests {
    use crate::read::tree::{NodeId, Tree};

    /// The elements of a page as nested brackets: `ul(li li(b))`.
    fn shape(page: &str) -> String {
        fn of(tree: &Tree<'_>, nodes: impl Iterator<Item = NodeId>) -> String {
            let shapes = nodes.filter(|&node| tree.is_element(node)).map(|node| {
                let inner = of(tree, tree.children(node));
                if inner.is_empty() {
                    tree.name(node).to_owned()
                } else {
                    format!("{}({inner})", tree.name(node))
                }
            });
            shapes.collect::<Vec<_>>().join(" ")
        }
        let tree = Tree::new(page);
        of(&tree, tree.top())
    }

    #[test]
    fn open_items_cells_terms_and_options_end_at_the_next() {
        assert_eq!(
            shape("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>"),
            "ul(li li(ul(li)) li)"
        );
        assert_eq!(
            shape("<table><tr><td>1<td>2<tr><th>3</table><p>"),
            "table(tr(td td) tr(th)) p"
        );
        assert_eq!(shape("<dl><dt>a<dd><p>b<dt>c</dl>"), "dl(dt dd(p) dt)");
        assert_eq!(
            shape("<select><option>a<option>b</select>"),
            "select(option option)"
        );
    }

    #[test]
    fn a_head_that_nobody_closes_ends_where_the_body_begins() {
        assert_eq!(
            shape("<html><head><title>a</title><meta x><body><p>b"),
            "html(head(title meta) body(p))"
        );
        assert_eq!(
            shape("<head><title>a</title><div>b</div><link y>"),
            "head(title) div link"
        );
        assert_eq!(
            shape("<head><noscript><img></noscript><style>x</style>text<p>b"),
            "head(noscript(img) style) p"
        );
    }

    #[test]
    fn a_table_in_a_cell_keeps_its_rows() {
        assert_eq!(
            shape("<table><tr><td><table><tr><td>x</table><td>y</table>"),
            "table(tr(td(table(tr(td))) td))"
        );
    }

    #[test]
    fn blocks_end_paragraphs_and_text_level_markup_does_not() {
        assert_eq!(shape("<p>a <b>b</b><p>c<div>d</div>"), "p(b) p div");
        assert_eq!(shape("<p>a <b>b<div>d</div>"), "p(b) div");
    }

    #[test]
    fn tables_end_paragraphs_unless_the_page_is_older_than_the_standards() {
        assert_eq!(
            shape("<!doctype html><p>a<table><tr><td>b"),
            "p table(tr(td))"
        );
        assert_eq!(shape("<p>a<table><tr><td>b</table>c"), "p(table(tr(td)))");
    }

    #[test]
    fn headings_end_at_each_other_and_at_any_end_tag_of_their_kind() {
        assert_eq!(shape("<h1>a<h2>b</h3>c<p>"), "h1 h2 p");
        assert_eq!(shape("<h1><b>a<h2>b"), "h1(b(h2))");
    }

    #[test]
    fn formatting_that_ends_inside_a_block_lasts_as_long_as_the_block() {
        let page = "<b><p>a</b>b</p><i>c</i>";
        assert_eq!(shape(page), "b(p) i");
        let tree = Tree::new(page);
        let spans: Vec<_> = tree.top().map(|node| tree.span(node).of(page)).collect();
        assert_eq!(spans, ["<b><p>a</b>b</p>", "<i>c</i>"]);
        assert_eq!(shape("<a>1<div>2<a>3</div>4<a>5"), "a(div(a)) a");
        assert_eq!(shape("<form><div></form>a</div><p>"), "form(div) p");
    }

    #[test]
    fn tags_that_mean_nothing_where_they_stand_make_no_element() {
        assert_eq!(
            shape("<body><td>a<body><form>b<form>c</form></form><i>"),
            "body(form i)"
        );
        assert_eq!(shape("<select><option>a<select>b<i>"), "select(option) i");
        assert_eq!(
            shape("<table><form><tr><td>a</table><i>"),
            "table(form tr(td)) i"
        );
    }

    #[test]
    fn a_page_goes_on_behind_its_end_if_something_follows() {
        assert_eq!(
            shape("<html><body><div>a</body></html><p>b</div><i>"),
            "html(body(div(p) i))"
        );
        let page = "<body><div>a</body>\n</html>\n";
        let tree = Tree::new(page);
        assert_eq!(
            tree.top().next().map(|body| tree.span(body).of(page)),
            Some("<body><div>a</body>")
        );
    }

    #[test]
    fn html_ends_pictures_and_stands_in_their_integration_points() {
        assert_eq!(shape("<svg><g><p>a"), "svg(g) p");
        assert_eq!(
            shape("<svg><foreignObject><p>a</p></foreignObject><g/></svg><i>"),
            "svg(foreignobject(p) g) i"
        );
    }

    #[test]
    fn a_break_may_be_written_as_an_end_tag() {
        let tree = Tree::new("a</br >b");
        let lines: Vec<_> = tree
            .nodes()
            .map(|node| (tree.name(node), tree.token(node).name.of(tree.page())))
            .collect();
        assert_eq!(lines, [("", ""), ("br", "br"), ("", "")]);
    }

    #[test]
    fn stray_end_tags_change_nothing_outside_their_cell() {
        assert_eq!(
            shape("<div><table><tr><td></div></p>x</td></tr></table><i></i></div><b>"),
            "div(table(tr(td)) i) b"
        );
        assert_eq!(shape("<div><a>x</span></a></div></div><b>"), "div(a) b");
    }

    #[test]
    fn void_and_foreign_elements_hold_nothing() {
        assert_eq!(
            shape("<p><br>a<img src=x><svg><path/><g><path/></g></svg><i/>b"),
            "p(br img svg(path g(path)) i)"
        );
    }

    #[test]
    fn xml_served_as_html_means_its_slashes() {
        assert_eq!(
            shape("<div><div class=clear/><p><a name=x/>one</p></div><b>"),
            "div(div p(a)) b"
        );
        assert_eq!(shape("<div><div/>one</div></div><b>"), "div(div) b");
        assert_eq!(shape("<iframe src=x/><p>one</p>"), "iframe p");
    }

    #[test]
    fn spans_reach_from_start_tag_to_end_tag() {
        let page = "<div> <p>one<p>two </div> ";
        let tree = Tree::new(page);
        let spans: Vec<_> = tree.nodes().map(|node| tree.span(node).of(page)).collect();
        assert_eq!(
            spans,
            [
                "<div> <p>one<p>two </div>",
                "<p>one",
                "one",
                "<p>two ",
                "two "
            ]
        );
    }

    #[test]
    fn depth_is_clipped_and_what_follows_is_not() {
        let page = "<i>".repeat(64_000) + "x" + &"</i>".repeat(64_000) + "<b>after</b>";
        let tree = Tree::new(&page);
        assert!(tree.is_clipped());
        assert_eq!(tree.len(), 64_003);
        let last = tree.top().last().unwrap();
        assert_eq!(tree.name(last), "b");
    }

    #[test]
    fn hostile_nesting_comes_to_an_end() {
        // Reading any of these in quadratic time would take minutes.
        let units = [
            "<a><div>",
            "<b><p>x</b>",
            "<table>",
            "<table><td>",
            "<form><div></form>",
            "<svg><g></p>",
            "<li></ul>",
        ];
        for unit in units {
            assert!(!Tree::new(&unit.repeat(16_000)).is_empty(), "{unit}");
        }
    }
}
