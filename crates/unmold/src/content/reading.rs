//! How is a page read for its text? As blocks, each with the path of elements that it stands in.

use super::path::{ClassNames, Declared, Looks, Path, written};
use crate::{
    Span,
    read::{
        html::elements::{Purpose, breaks_line, heading_level, is_silent, takes_input},
        tree::{ByName, NodeId, Tree},
    },
};
use rapidhash::fast::RandomState;
use std::{
    collections::{HashMap, HashSet},
    ops::Range,
    sync::Arc,
};

/// A page, read for its text.
pub(crate) struct Reading<'a> {
    pub tree: Arc<Tree<'a>>,
    /// The path of each node; text and elements that only format words have that of their parent.
    pub paths: Vec<Path>,
    pub blocks: Vec<Block>,
    /// The elements that say they hold the main content.
    pub mains: Vec<NodeId>,
    /// The `<article>`s that stand in no other.
    pub articles: Vec<NodeId>,
    /// The elements that say they are the text of an article.
    pub article_bodies: Vec<NodeId>,
    /// Each `<time>` in a `<footer>` of an article, with the number of the block that follows it:
    /// what is said of a comment is no text of the page, and tells a comment all the same.
    pub footer_times: Vec<(usize, NodeId)>,
    /// How much is not read.
    pub unread: Unread,
    pieces: Vec<Piece>,
    /// The table cells, in the order of the page, each with its column counted from 0.
    columns: Vec<(NodeId, u32)>,
    /// The classes and ids that count in paths.
    names: Arc<ClassNames>,
}

/// Bytes of text that is not read as text of the page, by the reason.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Unread {
    pub hidden: u64,
    pub in_forms: u64,
    pub for_no_scripts: u64,
}

/// Text between two line breaks.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// The innermost element that is more than formatting.
    pub element: NodeId,
    pub span: Span,
    pieces: Range<usize>,
    /// Whether a `<time>` stands in it.
    pub has_time: bool,
    /// The link that all of it stands in, be it one around other blocks too.
    pub link: Option<NodeId>,
}

/// A sentence, or as much of one as stands in one text node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub span: Span,
    pub wording: Wording,
    /// How many bytes of it are not white space.
    pub bytes: u32,
    pub has_letters: bool,
    /// Whether a mark ends it, rather than the end of its text node.
    pub ends_sentence: bool,
}

/// The words of a piece, as a hash. White space does not count, and neither do the digits of a
/// short piece: "3 comments" and "12 comments" say the same. Linked and plain words are not the
/// same words: a headline is linked on many pages, and plain on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Wording {
    hash: u64,
    pub is_linked: bool,
}

impl Wording {
    /// Pieces up to this length are the same if only their digits differ.
    const SHORT: u32 = 40;

    /// The wording of a piece that is known by its source.
    pub fn of(text: &str, is_linked: bool) -> Self {
        let mut sentence = Sentence::default();
        text.chars()
            .filter(|c| !c.is_whitespace())
            .for_each(|c| sentence.push(c));
        sentence.wording(is_linked)
    }
}

impl<'a> Reading<'a> {
    /// Reads a page.
    pub fn of(page: &'a str) -> Self {
        Reading::new(Arc::new(Tree::new(page)), &Arc::default())
    }

    /// Reads a page whose tree is there already. What is [in doubt](Doubt) is text of the page
    /// where it is more than the rest.
    pub fn new(tree: Arc<Tree<'a>>, names: &Arc<ClassNames>) -> Self {
        Reading::with_memory(tree, names, &mut Memory::of_page())
    }

    /// The same where pages read with the same memory for their trees were read before with this
    /// one.
    pub fn with_memory(tree: Arc<Tree<'a>>, names: &Arc<ClassNames>, memory: &mut Memory) -> Self {
        let mut reader = Reader::read(&tree, names, memory, [false; DOUBTS], HashSet::default());
        let believed = reader.is_more_than_read();
        let folds = reader.folds_that_repeat();
        if believed.contains(&true) || !folds.is_empty() {
            reader = Reader::read(&tree, names, memory, believed, folds);
        }
        let doubted = |doubt: Doubt| reader.doubted[doubt as usize];
        let unread = Unread {
            hidden: doubted(Doubt::Hidden),
            in_forms: doubted(Doubt::FilledIn),
            for_no_scripts: doubted(Doubt::Unscripted),
        };
        let Reader {
            paths,
            blocks,
            pieces,
            mains,
            articles,
            article_bodies,
            footer_times,
            columns,
            ..
        } = reader;
        Reading {
            paths,
            blocks,
            pieces,
            mains,
            articles,
            article_bodies,
            footer_times,
            unread,
            columns,
            tree,
            names: names.clone(),
        }
    }

    /// The same with another copy of the tree.
    pub fn with_tree<'b>(self, tree: Arc<Tree<'b>>) -> Reading<'b> {
        let Reading {
            paths,
            blocks,
            mains,
            articles,
            article_bodies,
            footer_times,
            unread,
            pieces,
            columns,
            names,
            ..
        } = self;
        Reading {
            tree,
            paths,
            blocks,
            mains,
            articles,
            article_bodies,
            footer_times,
            unread,
            pieces,
            columns,
            names,
        }
    }

    /// The same page with paths of these names.
    pub fn named(self: &Arc<Self>, names: &Arc<ClassNames>) -> Arc<Self> {
        let is_same = Arc::ptr_eq(&self.names, names) || self.names == *names;
        if is_same {
            self.clone()
        } else {
            Arc::new(Reading::new(self.tree.clone(), names))
        }
    }

    /// The path of an element in words.
    pub fn written(&self, node: NodeId) -> String {
        written(&self.tree, node, &self.names, |cell| self.column(cell))
    }

    /// How many cells stand before a table cell in its row.
    fn column(&self, node: NodeId) -> Option<u32> {
        let at = self.columns.binary_search_by_key(&node, |&(cell, _)| cell);
        at.ok().map(|at| self.columns[at].1)
    }

    /// The pieces of a block.
    pub fn pieces(&self, block: &Block) -> &[Piece] {
        &self.pieces[block.pieces.clone()]
    }

    /// How many bytes of a block are not white space.
    pub fn bytes(&self, block: &Block) -> u32 {
        self.pieces(block).iter().map(|piece| piece.bytes).sum()
    }

    /// How many bytes of text stand in each node.
    pub fn bytes_inside(&self) -> Vec<f64> {
        let mut bytes = vec![0.0; self.tree.len()];
        self.blocks
            .iter()
            .for_each(|block| bytes[block.element.index()] += f64::from(self.bytes(block)));
        self.sum_up(bytes)
    }

    /// The element that says it is the main content, the most certain first: the text of an
    /// article, an article, the main part; `None` where several say so, or none does.
    pub fn declared(&self) -> Option<NodeId> {
        let said = [&self.article_bodies, &self.articles, &self.mains];
        let only = said.into_iter().find(|elements| elements.len() == 1)?;
        only.first().copied()
    }

    /// The pieces of the whole page.
    pub fn all_pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The elements that are more than formatting, in the order of the page.
    pub fn elements(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.tree.nodes().filter(|&node| self.is_own_path(node))
    }

    /// Whether a node is an element with a path of its own.
    pub fn is_own_path(&self, node: NodeId) -> bool {
        self.paths[node.index()] != self.outer_path(node)
    }

    /// The path that a node stands below.
    pub fn outer_path(&self, node: NodeId) -> Path {
        self.tree
            .parent(node)
            .map_or(Path::ROOT, |parent| self.paths[parent.index()])
    }

    /// The element with a path of its own that an element stands in.
    pub fn outer(&self, node: NodeId) -> Option<NodeId> {
        self.tree
            .ancestors(node)
            .find(|&outer| self.is_own_path(outer))
    }

    /// Adds up what stands in each element: each node's own amount becomes that of its whole
    /// subtree.
    pub fn sum_up(&self, mut amounts: Vec<f64>) -> Vec<f64> {
        for node in self.tree.nodes().rev() {
            if let Some(parent) = self.tree.parent(node) {
                amounts[parent.index()] += amounts[node.index()];
            }
        }
        amounts
    }
}

/// What is remembered of tags and texts, by their number in the memory of the tree. What is read
/// does not depend on it.
pub(crate) struct Memory {
    looks: Looks,
    /// The pieces of texts that were read, counted from the start of the text and as if no link.
    pieces: Vec<Piece>,
    /// Those of each text.
    pieces_of: Vec<Option<Range<u32>>>,
    /// Beyond this many pieces no more are kept.
    most_pieces: usize,
}

impl Default for Memory {
    /// For pages whose trees are built with one memory.
    fn default() -> Self {
        Memory {
            looks: Looks::of_many_pages(),
            most_pieces: 1 << 17,
            ..Memory::of_page()
        }
    }
}

impl Memory {
    /// For one page, on which few texts come twice.
    pub fn of_page() -> Self {
        Memory {
            looks: Looks::of_page(),
            pieces: Vec::new(),
            pieces_of: Vec::new(),
            most_pieces: 0,
        }
    }

    /// Cuts a text into sentences, unless that was done before.
    fn push_pieces(
        &mut self,
        pieces: &mut Vec<Piece>,
        number: Option<u32>,
        page: &str,
        text: Span,
        is_linked: bool,
    ) {
        let Some(number) = number.map(|number| number as usize) else {
            return push_pieces(pieces, page, text, is_linked);
        };
        if let Some(Some(known)) = self.pieces_of.get(number) {
            let known = &self.pieces[known.start as usize..known.end as usize];
            return pieces.extend(
                known
                    .iter()
                    .map(|piece| piece.placed(text.start, is_linked)),
            );
        }
        let from = pieces.len();
        push_pieces(pieces, page, text, is_linked);
        if self.pieces.len() < self.most_pieces {
            let start = self.pieces.len() as u32;
            self.pieces.extend(
                pieces[from..]
                    .iter()
                    .map(|piece| piece.unplaced(text.start)),
            );
            self.pieces_of
                .resize(self.pieces_of.len().max(number + 1), None);
            self.pieces_of[number] = Some(start..self.pieces.len() as u32);
        }
    }
}

impl Piece {
    /// A piece of a text that starts here.
    fn placed(&self, start: u32, is_linked: bool) -> Piece {
        let span = Span {
            start: self.span.start + start,
            end: self.span.end + start,
        };
        Piece {
            span,
            wording: Wording {
                is_linked,
                ..self.wording
            },
            ..*self
        }
    }

    /// The piece, counted from the start of its text.
    fn unplaced(&self, start: u32) -> Piece {
        let span = Span {
            start: self.span.start - start,
            end: self.span.end - start,
        };
        Piece {
            span,
            wording: Wording {
                is_linked: false,
                ..self.wording
            },
            ..*self
        }
    }
}

/// Why text may not be meant as text of the page. Where it is more than all other text, it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doubt {
    /// It stands in `<noscript>`: forum software keeps the posts there, most others an
    /// advertisement.
    Unscripted,
    /// It stands in a form that is there to be filled in, as a label or a note.
    FilledIn,
    /// Its tag says that it is not shown, as menus and dialogs are until somebody asks for them.
    Hidden,
}

impl Doubt {
    /// How many bytes in this doubt outweigh one that is read.
    ///
    /// Frameworks send a page hidden and show it when its scripts have come: where less than 30 %
    /// of a page's text is shown, what is hidden is the page.
    fn outweighs(self) -> f64 {
        match self {
            Doubt::Unscripted | Doubt::FilledIn => 1.0,
            Doubt::Hidden => 0.3 / 0.7,
        }
    }
}

/// A form says less than this for each of its controls. On 330 single pages 100 and 200 bytes do as
/// well, 50 less; on 76 sites nothing is lost by any of them (`eval/beside content`).
const NOTE_BYTES: usize = 100;
/// So many hidden elements on one path, each with a line of no more than so many bytes right before
/// it, are unfolded by these lines.
const FOLDS: usize = 3;
const FOLD_LINE_BYTES: u32 = 200;
/// A figure of more elements and texts than this holds more than a picture and its caption.
const CAPTION_NODES: usize = 200;
/// How many doubts there are.
const DOUBTS: usize = 3;

/// What is known of a node while its page is read.
#[derive(Clone, Copy, Default)]
struct NodeState {
    /// The innermost element that is more than formatting.
    block: Option<NodeId>,
    is_linked: bool,
    /// The link it stands in, be it one whose text is not linked text.
    link: Option<NodeId>,
    is_time: bool,
    is_silent: bool,
    /// Whether it is silent only because it stands in a list of tabs.
    is_among_tabs: bool,
    /// Whether it stands in a `<footer>` of an article, and in nothing else that is silent.
    is_in_article_footer: bool,
    is_in_article: bool,
    /// Whether it stands in an article, or in what says it is the main content.
    is_central: bool,
    is_in_heading: bool,
    /// Why it is not read.
    doubt: Option<Doubt>,
    /// How many table cells have been seen in it.
    cells: u32,
}

struct Reader<'t, 'a> {
    tree: &'t Tree<'a>,
    /// For each doubt, whether such text is read all the same,
    believed: [bool; DOUBTS],
    /// and the paths on which hidden text is read, because each has a line before it that unfolds
    /// it.
    folds: HashSet<Path, RandomState>,
    /// How often there is such a line before what is hidden on a path,
    folded: HashMap<Path, usize, RandomState>,
    /// and how many blocks there were at the last.
    last_folded: usize,
    /// For each doubt, how many bytes of it are not read.
    doubted: [u64; DOUBTS],
    /// How many bytes of articles and main content are read,
    central: u64,
    /// and how many are not because they are hidden.
    central_hidden: u64,
    places: Vec<NodeState>,
    paths: Vec<Path>,
    blocks: Vec<Block>,
    mains: Vec<NodeId>,
    articles: Vec<NodeId>,
    article_bodies: Vec<NodeId>,
    footer_times: Vec<(usize, NodeId)>,
    /// The ids of elements that are unfolded by a heading or a tab; looked for when something is
    /// hidden.
    unfolded: Option<HashSet<&'a str, RandomState>>,
    pieces: Vec<Piece>,
    columns: Vec<(NodeId, u32)>,
    /// Whether the next text begins a block.
    is_broken: bool,
    names: &'t ClassNames,
    memory: &'t mut Memory,
    kinds: ByName<ElementKind>,
}

/// What the name of an element says about text in it.
#[derive(Clone, Copy)]
struct ElementKind {
    breaks_line: bool,
    is_silent: bool,
    is_unscripted: bool,
    is_link: bool,
    is_time: bool,
    is_cell: bool,
    is_form: bool,
    is_footer: bool,
    is_button: bool,
    is_heading: bool,
    is_figure: bool,
}

impl ElementKind {
    fn of(name: &str) -> Self {
        ElementKind {
            breaks_line: breaks_line(name),
            is_silent: is_silent(name),
            is_unscripted: name == "noscript",
            is_link: name == "a",
            is_time: name == "time",
            is_cell: name == "td",
            is_form: name == "form",
            is_footer: name == "footer",
            is_button: name == "button",
            is_heading: heading_level(name).is_some(),
            is_figure: name == "figure",
        }
    }
}

impl<'t, 'a> Reader<'t, 'a> {
    fn read(
        tree: &'t Tree<'a>,
        names: &'t ClassNames,
        memory: &'t mut Memory,
        believed: [bool; DOUBTS],
        folds: HashSet<Path, RandomState>,
    ) -> Self {
        let mut reader = Reader {
            tree,
            believed,
            folds,
            folded: HashMap::default(),
            last_folded: 0,
            doubted: [0; DOUBTS],
            central: 0,
            central_hidden: 0,
            places: Vec::with_capacity(tree.len()),
            paths: Vec::with_capacity(tree.len()),
            blocks: Vec::new(),
            mains: Vec::new(),
            articles: Vec::new(),
            article_bodies: Vec::new(),
            footer_times: Vec::new(),
            unfolded: None,
            pieces: Vec::new(),
            columns: Vec::new(),
            is_broken: true,
            names,
            memory,
            kinds: ByName::default(),
        };
        tree.nodes().for_each(|node| reader.take(node));
        reader
    }

    fn take(&mut self, node: NodeId) {
        let parent = self.tree.parent(node);
        let outer = parent.map_or(NodeState::default(), |parent| self.places[parent.index()]);
        let path = parent.map_or(Path::ROOT, |parent| self.paths[parent.index()]);
        let Some(kind) = self.kinds.of(self.tree, node, ElementKind::of) else {
            self.push(outer, path);
            self.text(node, outer);
            return;
        };
        if kind.is_button && outer.is_in_heading {
            // What a heading unfolds is pressed on; its words are those of the heading.
            self.push(outer, path);
        } else if kind.breaks_line {
            self.take_block(node, kind, outer, path);
        } else {
            if kind.is_time && outer.is_in_article_footer {
                self.footer_times.push((self.blocks.len(), node));
            }
            let is_linked =
                outer.is_linked || kind.is_link && (outer.link.is_some() || !self.is_card(node));
            let link = Some(node).filter(|_| kind.is_link).or(outer.link);
            let is_time = outer.is_time || kind.is_time;
            self.push(
                NodeState {
                    is_linked,
                    link,
                    is_time,
                    ..outer
                },
                path,
            );
        }
    }

    /// Takes an element that is more than formatting.
    fn take_block(&mut self, node: NodeId, kind: ElementKind, outer: NodeState, path: Path) {
        self.is_broken = true;
        let parent = self.tree.parent(node);
        let cell = parent
            .filter(|_| kind.is_cell)
            .map(|parent| &mut self.places[parent.index()].cells);
        let cell = cell.map(|cells| std::mem::replace(cells, *cells + 1));
        if let Some(column) = cell {
            self.columns.push((node, column));
        }
        let (look, declared) = self.memory.looks.of(self.tree, node, cell, self.names);
        let purpose = declared.purpose;
        // A panel among the tabs that choose it is no tab.
        let is_panel_among_tabs = outer.is_among_tabs && purpose == Purpose::TabPanel;
        let was_silent = outer.is_silent && !is_panel_among_tabs;
        let is_silent = was_silent
            || kind.is_silent
            || purpose.is_beside()
            || kind.is_figure && self.is_caption_alone(node);
        if !is_silent {
            self.take_purpose(node, purpose);
            if declared.is_article_body {
                self.article_bodies.push(node);
            }
        }
        let path = path.below(look);
        let doubt = outer
            .doubt
            .or_else(|| self.doubt(node, kind, declared, path));
        let state = NodeState {
            block: Some(node),
            is_silent,
            is_among_tabs: purpose == Purpose::TabList && !was_silent
                || outer.is_among_tabs && is_silent && !kind.is_silent,
            is_in_article_footer: outer.is_in_article && !was_silent && kind.is_footer
                || outer.is_in_article_footer && !kind.is_silent,
            is_in_article: outer.is_in_article || purpose == Purpose::Article,
            is_central: outer.is_central || matches!(purpose, Purpose::Article | Purpose::Main),
            is_in_heading: outer.is_in_heading || kind.is_heading,
            doubt,
            cells: 0,
            ..outer
        };
        self.push(state, path);
    }

    /// Whether a figure says nothing but what its picture shows: it has a picture, and neither a
    /// table nor a listing nor a quotation.
    fn is_caption_alone(&self, figure: NodeId) -> bool {
        let mut has_picture = false;
        let inside = self.tree.subtree(figure);
        if inside.len() > CAPTION_NODES {
            return false;
        }
        for node in inside {
            match self.tree.name(node) {
                "table" | "pre" | "code" | "blockquote" => return false,
                "img" | "picture" | "video" | "svg" | "iframe" => has_picture = true,
                _ => {}
            }
        }
        has_picture
    }

    fn take_purpose(&mut self, node: NodeId, purpose: Purpose) {
        let is_inside = |outer: &NodeId| node.index() < self.tree.subtree_end(*outer);
        match purpose {
            Purpose::Main => self.mains.push(node),
            Purpose::Article if !self.articles.last().is_some_and(is_inside) => {
                self.articles.push(node);
            }
            _ => {}
        }
    }

    /// Whether a link is a card: it holds several blocks, and what they say is said here rather
    /// than there.
    fn is_card(&self, link: NodeId) -> bool {
        let block = |text: NodeId| {
            let mut inside = self.tree.ancestors(text).take_while(|&outer| outer > link);
            inside.find(|&outer| breaks_line(self.tree.name(outer)))
        };
        let mut blocks = self.tree.texts(link).filter_map(block);
        blocks
            .next()
            .is_some_and(|first| blocks.any(|block| block != first))
    }

    fn doubt(
        &mut self,
        node: NodeId,
        kind: ElementKind,
        declared: Declared,
        path: Path,
    ) -> Option<Doubt> {
        if declared.is_hidden
            && !self.believed[Doubt::Hidden as usize]
            && !self.is_unfolded(node, declared)
            && !self.folds.contains(&path)
        {
            self.note_fold(node, path);
            return Some(Doubt::Hidden);
        }
        let is_new = |doubt: Doubt| !self.believed[doubt as usize];
        if kind.is_unscripted && is_new(Doubt::Unscripted) {
            return Some(Doubt::Unscripted);
        }
        (kind.is_form && is_new(Doubt::FilledIn) && self.is_filled_in(node))
            .then_some(Doubt::FilledIn)
    }

    /// Counts a hidden element if a line stands right before it in the same element, and after the
    /// last that was hidden: a question before its answer.
    fn note_fold(&mut self, node: NodeId, path: Path) {
        let Some(line) = self.blocks.last() else {
            return;
        };
        let is_beside = self
            .tree
            .parent(node)
            .is_some_and(|parent| self.tree.holds(parent, line.element));
        let bytes: u32 = self.pieces[line.pieces.clone()]
            .iter()
            .map(|piece| piece.bytes)
            .sum();
        if is_beside && bytes <= FOLD_LINE_BYTES && self.blocks.len() > self.last_folded {
            *self.folded.entry(path).or_default() += 1;
        }
        self.last_folded = self.blocks.len();
    }

    /// The paths on which lines and what they unfold take turns.
    fn folds_that_repeat(&self) -> HashSet<Path, RandomState> {
        let folded = self.folded.iter();
        let repeated = folded.filter(|(_, times)| **times >= FOLDS);
        repeated.map(|(path, _)| *path).collect()
    }

    /// Whether a hidden element is shown when somebody chooses its tab or presses its heading.
    fn is_unfolded(&mut self, node: NodeId, declared: Declared) -> bool {
        if declared.is_panel {
            return true;
        }
        let Some(id) = self.tree.attribute(node, "id") else {
            return false;
        };
        let tree = self.tree;
        let unfolded = self.unfolded.get_or_insert_with(|| unfolded(tree));
        unfolded.contains(id.trim())
    }

    /// Whether a form says little for the controls it has. Others stand around a whole page.
    fn is_filled_in(&self, form: NodeId) -> bool {
        let tree = self.tree;
        let is_hidden = |node| {
            tree.attribute(node, "type")
                .is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"))
        };
        let is_control = |&node: &NodeId| takes_input(tree.name(node)) && !is_hidden(node);
        let controls = tree.subtree(form).filter(is_control).count();
        let said: usize = tree
            .texts(form)
            .map(|text| tree.span(text).of(tree.page()).trim().len())
            .sum();
        said < NOTE_BYTES * controls
    }

    /// For each doubt, whether more is in that doubt than is read.
    fn is_more_than_read(&self) -> [bool; DOUBTS] {
        let read: u64 = self.pieces.iter().map(|piece| u64::from(piece.bytes)).sum();
        let doubts = [Doubt::Unscripted, Doubt::FilledIn, Doubt::Hidden];
        let mut believed = doubts
            .map(|doubt| self.doubted[doubt as usize] as f64 * doubt.outweighs() > read as f64);
        // An article most of which is hidden is shown to those who are let in.
        believed[Doubt::Hidden as usize] |= self.central_hidden > self.central;
        believed
    }

    fn push(&mut self, place: NodeState, path: Path) {
        self.places.push(place);
        self.paths.push(path);
    }

    fn text(&mut self, node: NodeId, place: NodeState) {
        // Text that stands in no element at all belongs to no path, and so to no template.
        let Some(element) = place.block.filter(|_| !place.is_silent) else {
            return;
        };
        let span = self.tree.span(node);
        if let Some(doubt) = place.doubt {
            let bytes = span.of(self.tree.page()).bytes();
            let bytes = bytes.filter(|byte| !byte.is_ascii_whitespace()).count() as u64;
            self.doubted[doubt as usize] += bytes;
            if doubt == Doubt::Hidden && place.is_central {
                self.central_hidden += bytes;
            }
            return;
        }
        let from = self.pieces.len();
        let number = self.tree.token_number(node);
        self.memory.push_pieces(
            &mut self.pieces,
            number,
            self.tree.page(),
            span,
            place.is_linked,
        );
        let to = self.pieces.len();
        if place.is_central {
            let bytes = self.pieces[from..]
                .iter()
                .map(|piece| u64::from(piece.bytes));
            self.central += bytes.sum::<u64>();
        }
        match self.blocks.last_mut() {
            Some(block) if !self.is_broken && block.element == element => {
                block.span.end = span.end;
                block.pieces.end = to;
                block.has_time |= place.is_time;
                block.link = block.link.filter(|&link| Some(link) == place.link);
            }
            _ => self.blocks.push(Block {
                element,
                span,
                pieces: from..to,
                has_time: place.is_time,
                link: place.link,
            }),
        }
        self.is_broken = false;
    }
}

/// The ids of the elements that headings and tabs say they unfold (`aria-controls`).
fn unfolded<'a>(tree: &Tree<'a>) -> HashSet<&'a str, RandomState> {
    let mut ids = HashSet::default();
    let mut heading_end = 0;
    for node in tree.nodes() {
        if heading_level(tree.name(node)).is_some() {
            heading_end = tree.subtree_end(node);
        }
        let Some(id) = tree.attribute(node, "aria-controls") else {
            continue;
        };
        let is_tab = || {
            let role = tree.attribute(node, "role");
            role.is_some_and(|role| role.trim().eq_ignore_ascii_case("tab"))
        };
        if node.index() < heading_end || is_tab() {
            ids.insert(id.trim());
        }
    }
    ids
}

/// A piece while it is read.
#[derive(Default)]
struct Sentence {
    bytes: u32,
    has_letters: bool,
    /// A hash of everything, and one without digits.
    all: u64,
    without_digits: u64,
}

impl Sentence {
    #[inline]
    fn push(&mut self, c: char) {
        let mixed = |hash: u64| {
            (hash ^ u64::from(c))
                .wrapping_mul(0x2545_F491_4F6C_DD1D)
                .rotate_left(29)
        };
        // Only short pieces are known without their digits, and most letters come early.
        if self.bytes <= Wording::SHORT && !c.is_ascii_digit() {
            self.without_digits = mixed(self.without_digits);
        }
        if !self.has_letters {
            self.has_letters = c.is_alphabetic();
        }
        self.bytes += c.len_utf8() as u32;
        self.all = mixed(self.all);
    }

    fn wording(&self, is_linked: bool) -> Wording {
        let hash = if self.bytes <= Wording::SHORT {
            self.without_digits
        } else {
            self.all
        };
        Wording { hash, is_linked }
    }
}

/// Cuts a text into sentences.
fn push_pieces(pieces: &mut Vec<Piece>, page: &str, span: Span, is_linked: bool) {
    let mut sentence = Sentence::default();
    let (mut start, mut is_ended) = (span.start, false);
    let mut end = |sentence: &mut Sentence, start: &mut u32, at: u32, ends_sentence: bool| {
        let Sentence {
            bytes, has_letters, ..
        } = *sentence;
        if bytes > 0 {
            let wording = sentence.wording(is_linked);
            pieces.push(Piece {
                span: Span {
                    start: *start,
                    end: at,
                },
                wording,
                bytes,
                has_letters,
                ends_sentence,
            });
        }
        *sentence = Sentence::default();
        *start = at;
    };
    for (at, c) in span.of(page).char_indices() {
        let at = span.start + at as u32;
        if c.is_whitespace() {
            if std::mem::take(&mut is_ended) {
                end(&mut sentence, &mut start, at, true);
            }
            continue;
        }
        sentence.push(c);
        is_ended = ends_sentence(c) || is_ended && closes_quote(c);
        if ends_sentence_unspaced(c) {
            end(&mut sentence, &mut start, at + c.len_utf8() as u32, true);
            is_ended = false;
        }
    }
    end(&mut sentence, &mut start, span.end, is_ended);
}

/// Marks that end a sentence where white space follows.
fn ends_sentence(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '؟' | '۔' | '।' | '։' | '።')
}

/// Marks that end a sentence in scripts without spaces.
fn ends_sentence_unspaced(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '．' | '｡')
}

fn closes_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | ')' | ']' | '»' | '«' | '”' | '“' | '’')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pieces of a page, blocks apart.
    fn pieces(page: &str) -> Vec<Vec<&str>> {
        let reading = Reading::of(page);
        let of_block = |block: &Block| {
            reading
                .pieces(block)
                .iter()
                .map(|piece| piece.span.of(page).trim())
                .collect::<Vec<_>>()
        };
        reading.blocks.iter().map(of_block).collect()
    }

    #[test]
    fn blocks_end_at_line_breaks_and_pieces_at_sentences() {
        assert_eq!(
            pieces("<div>One. Two (2.) three <b>four</b><p>五。六<br>7.5 kg</div>"),
            [
                vec!["One.", "Two (2.)", "three", "four"],
                vec!["五。", "六"],
                vec!["7.5 kg"]
            ]
        );
    }

    #[test]
    fn heads_controls_and_captions_say_nothing() {
        assert_eq!(
            pieces("<head><title>a</title></head><body><button>b</button><p>c"),
            [["c"]]
        );
    }

    #[test]
    fn what_forms_say_of_their_controls_is_no_text() {
        let form = "<form><p>Your name (never shown)<p><input name=who><p>What you think<p><textarea></textarea></form>";
        let story = "<p>A hen on a farm has found an egg that nobody had lost, and has kept it.";
        assert_eq!(pieces(&format!("{story}{form}")).len(), 1);
        // A form around a whole page is no such form, and where a page is one, there is nothing
        // else to read.
        assert_eq!(
            pieces(&format!(
                "<form>{}<p>Search <input></form>",
                story.repeat(3)
            ))
            .len(),
            4
        );
        assert_eq!(pieces(&format!("<p>Write to us{form}")).len(), 3);
    }

    #[test]
    fn short_pieces_are_the_same_whatever_their_numbers() {
        let wording = |text| Wording::of(text, false);
        assert_eq!(wording("3 comments"), wording("12  comments"));
        assert_ne!(wording("3 comments"), Wording::of("3 comments", true));
        let long =
            |number| format!("In {number} a long sentence tells of something that happened.");
        assert_ne!(wording(&long(1999)), wording(&long(2001)));
    }

    #[test]
    fn a_piece_is_known_by_its_source() {
        let page = "<p>Caf&eacute; <i>and</i> more\n text";
        let reading = Reading::of(page);
        for piece in reading.all_pieces() {
            assert_eq!(Wording::of(piece.span.of(page), false), piece.wording);
        }
    }
}
