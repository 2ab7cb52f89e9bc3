//! What of a page is left without its template, as paragraphs, lists and tables.
//!
//! A [`Document`] is what [`html`](super::html) and [`markdown`](super::markdown) are written from.
//! It holds no markup: whatever the page was made of, and wherever the template was cut out of it,
//! what is written is well-formed.
//!
//! ```
//! use unmold::{Span, content::write::document::{Block, Document}};
//!
//! let page = "<nav>Home</nav><h1>Fish <i>&amp; chips</i></h1><div>One<br><br>Two<script>x()</script></div>";
//! let document = Document::new(page, &[Span::new(0, 15)]);
//! assert!(matches!(&document.blocks[..], [Block::Heading(1, _), Block::Paragraph(_), Block::Paragraph(_)]));
//! ```
//!
//! Elements that only arrange (`div`, `span`, `section` ...) leave nothing behind but the ends of
//! paragraphs. Tables that arrange, as those of old sites do, are taken apart.

use std::rc::Rc;

/// What a page says, without how it was arranged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// The content of the page's `<title>`, whether it is template or not.
    pub title: String,
    /// The blocks in the order of the page.
    pub blocks: Vec<Block>,
}

/// A piece of a document that begins on a line of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A heading of a level from 1 to 6.
    Heading(u8, Vec<Run>),
    /// Running text.
    Paragraph(Vec<Run>),
    /// Text whose line breaks and spaces count.
    Preformatted(Code),
    /// Items, numbered or not.
    List {
        /// The number of the first item, if they are numbered.
        start: Option<u32>,
        /// What each item holds.
        items: Vec<Vec<Block>>,
    },
    /// Terms (`true`) and what is said about them.
    Terms(Vec<(bool, Vec<Block>)>),
    /// Somebody else's words.
    Quote(Vec<Block>),
    /// Rows of cells.
    Table(Table),
    /// Pictures or other blocks with what is said below them.
    Figure {
        /// What is shown.
        blocks: Vec<Block>,
        /// What is said about it.
        caption: Vec<Run>,
    },
    /// A change of subject: `<hr>`.
    Rule,
}

/// A listing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// The language it is written in, as the page calls it.
    pub language: Option<String>,
    /// The characters, as a browser has them.
    pub text: String,
}

/// A table, with cells that may reach over several rows and columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// What is said about it.
    pub caption: Vec<Run>,
    /// The rows, without the places that cells of other rows reach into.
    pub rows: Vec<Vec<Cell>>,
    /// Whether the first row names the columns.
    pub has_header: bool,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Whether it names a row or a column.
    pub heading: bool,
    /// How many columns it reaches over; 1 at least.
    pub columns: u32,
    /// How many rows it reaches over; 1 at least.
    pub rows: u32,
    /// What it holds.
    pub runs: Vec<Run>,
}

/// A stretch of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// What is written there.
    pub piece: Piece,
    /// How it is written.
    pub style: Style,
}

/// What can stand in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Characters, entities decoded and white space folded.
    Text(String),
    /// A picture.
    Image {
        /// Its address.
        source: String,
        /// What it shows, in words.
        alternative: String,
    },
    /// A formula, as TeX.
    Formula {
        /// What TeX makes it of, on one line.
        tex: String,
        /// Whether it stands on a line of its own.
        is_displayed: bool,
    },
    /// The end of a line inside a paragraph.
    Break,
}

/// How a run is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Where it leads.
    pub link: Option<Rc<str>>,
    /// Important.
    pub strong: bool,
    /// Stressed.
    pub emphasis: bool,
    /// No longer true.
    pub struck: bool,
    /// Above or below the line.
    pub script: Option<Script>,
    /// Program text.
    pub code: bool,
}

/// Where small letters stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    /// Below the line.
    Sub,
    /// Above it.
    Super,
}

/// Whether a run shows anything.
pub(super) fn is_seen(run: &Run) -> bool {
    match &run.piece {
        Piece::Text(text) => !text.trim().is_empty(),
        Piece::Image { .. } | Piece::Formula { .. } => true,
        Piece::Break => false,
    }
}

/// All that is written in some blocks, in one line with breaks where blocks end.
pub(super) fn runs_of(blocks: Vec<Block>) -> Vec<Run> {
    let mut all: Vec<Run> = Vec::new();
    for block in blocks {
        let runs = match block {
            Block::Heading(_, runs) | Block::Paragraph(runs) => runs,
            Block::Preformatted(code) => lines_of(&code.text),
            Block::List { items, .. } => runs_of(items.into_iter().flatten().collect()),
            Block::Terms(terms) => {
                runs_of(terms.into_iter().flat_map(|(_, blocks)| blocks).collect())
            }
            Block::Quote(blocks) => runs_of(blocks),
            Block::Table(table) => table
                .rows
                .into_iter()
                .flatten()
                .flat_map(|cell| cell.runs)
                .collect(),
            Block::Figure { blocks, caption } => joined(runs_of(blocks), caption),
            Block::Rule => Vec::new(),
        };
        all = joined(all, runs);
    }
    all
}

/// Two lines, with a break between.
pub(super) fn joined(mut one: Vec<Run>, other: Vec<Run>) -> Vec<Run> {
    if !one.is_empty() && !other.is_empty() {
        one.push(Run {
            piece: Piece::Break,
            style: Style::default(),
        });
    }
    one.extend(other);
    one
}

/// The lines of a listing as runs.
fn lines_of(code: &str) -> Vec<Run> {
    let style = Style {
        code: true,
        ..Style::default()
    };
    let line = |line: &str| {
        vec![Run {
            piece: Piece::Text(line.trim().to_owned()),
            style: style.clone(),
        }]
    };
    code.lines()
        .filter(|line| !line.trim().is_empty())
        .map(line)
        .reduce(joined)
        .unwrap_or_default()
}

/// A way in which runs are written. Layers lie in each other: a link holds important words, those
/// stressed ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    Link,
    Strong,
    Emphasis,
    Struck,
    Script,
    Code,
}

impl Layer {
    /// The outermost first.
    pub const ALL: [Layer; 6] = [
        Layer::Link,
        Layer::Strong,
        Layer::Emphasis,
        Layer::Struck,
        Layer::Script,
        Layer::Code,
    ];

    /// Whether two runs are written the same way.
    fn is_shared(self, one: &Run, other: &Run) -> bool {
        let (a, b) = (&one.style, &other.style);
        match self {
            Layer::Link => a.link == b.link,
            Layer::Strong => a.strong == b.strong,
            Layer::Emphasis => a.emphasis == b.emphasis,
            Layer::Struck => a.struck == b.struck,
            Layer::Script => a.script == b.script,
            Layer::Code => is_code(one) == is_code(other),
        }
    }

    /// Runs that lie next to each other and are written the same way.
    pub fn groups(self, runs: &[Run]) -> impl Iterator<Item = &[Run]> {
        runs.chunk_by(move |one, other| self.is_shared(one, other))
    }
}

/// Whether a run is program text; pictures and line breaks are none.
pub(super) fn is_code(run: &Run) -> bool {
    run.style.code && matches!(run.piece, Piece::Text(_))
}
