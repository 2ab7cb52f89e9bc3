//! How is a page read for its text? As blocks, each with the path of elements that it stands in.

use super::path::{ClassNames, Looks, Path, written};
use crate::{
    Span,
    read::{
        html::elements::{Purpose, breaks_line, is_silent, takes_input},
        tree::{ByName, NodeId, Tree},
    },
};
use std::{ops::Range, sync::Arc};

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
    pieces: Vec<Piece>,
    /// The classes and ids that count in paths.
    names: Arc<ClassNames>,
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

/// The words of a piece, as a hash. White space does not count, and neither do the digits of a short piece: "3 comments"
/// and "12 comments" say the same. Linked and plain words are not the same words: a headline is linked on many pages,
/// and plain on its own.
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

    /// Reads a page whose tree is there already. What is [in doubt](Doubt) is text of the page where it is more than the rest.
    pub fn new(tree: Arc<Tree<'a>>, names: &Arc<ClassNames>) -> Self {
        Reading::with_memory(tree, names, &mut Memory::of_page())
    }

    /// The same where pages read with the same memory for their trees were read before with this one.
    pub fn with_memory(tree: Arc<Tree<'a>>, names: &Arc<ClassNames>, memory: &mut Memory) -> Self {
        let mut reader = Reader::read(&tree, names, memory, [false; DOUBTS]);
        let believed = reader.is_more_than_read();
        if believed.contains(&true) {
            reader = Reader::read(&tree, names, memory, believed);
        }
        let Reader {
            paths,
            blocks,
            pieces,
            mains,
            articles,
            ..
        } = reader;
        Reading {
            paths,
            blocks,
            pieces,
            mains,
            articles,
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
            pieces,
            names,
            ..
        } = self;
        Reading {
            tree,
            paths,
            blocks,
            mains,
            articles,
            pieces,
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
        written(&self.tree, node, &self.names)
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

    /// Adds up what stands in each element: each node's own amount becomes that of its whole subtree.
    pub fn sum_up(&self, mut amounts: Vec<f64>) -> Vec<f64> {
        for node in self.tree.nodes().rev() {
            if let Some(parent) = self.tree.parent(node) {
                amounts[parent.index()] += amounts[node.index()];
            }
        }
        amounts
    }
}

/// What is remembered of tags and texts, by their number in the memory of the tree. What is read does not depend on it.
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
    /// It stands in `<noscript>`: forum software keeps the posts there, most others an advertisement.
    Unscripted,
    /// It stands in a form that is there to be filled in, as a label or a note.
    FilledIn,
}

/// A form says less than this for each of its controls. On 330 single pages 100 and 200 bytes do as well, 50 less; on 76 sites nothing
/// is lost by any of them (`eval/content-beside`).
const NOTE_BYTES: usize = 100;
/// How many doubts there are.
const DOUBTS: usize = 2;

/// What is known of a node while its page is read.
#[derive(Clone, Copy, Default)]
struct NodeState {
    /// The innermost element that is more than formatting.
    block: Option<NodeId>,
    is_linked: bool,
    /// Whether it stands in a link, be it one whose text is not linked text.
    is_in_link: bool,
    is_time: bool,
    is_silent: bool,
    /// Why it is not read.
    doubt: Option<Doubt>,
    /// How many table cells have been seen in it.
    cells: u32,
}

struct Reader<'t, 'a> {
    tree: &'t Tree<'a>,
    /// For each doubt, whether such text is read all the same,
    believed: [bool; DOUBTS],
    /// and how many bytes of it are not read.
    doubted: [u64; DOUBTS],
    places: Vec<NodeState>,
    paths: Vec<Path>,
    blocks: Vec<Block>,
    mains: Vec<NodeId>,
    articles: Vec<NodeId>,
    pieces: Vec<Piece>,
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
        }
    }
}

impl<'t, 'a> Reader<'t, 'a> {
    fn read(
        tree: &'t Tree<'a>,
        names: &'t ClassNames,
        memory: &'t mut Memory,
        believed: [bool; DOUBTS],
    ) -> Self {
        let mut reader = Reader {
            tree,
            believed,
            doubted: [0; DOUBTS],
            places: Vec::with_capacity(tree.len()),
            paths: Vec::with_capacity(tree.len()),
            blocks: Vec::new(),
            mains: Vec::new(),
            articles: Vec::new(),
            pieces: Vec::new(),
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
        if kind.breaks_line {
            self.is_broken = true;
            let cell = parent
                .filter(|_| kind.is_cell)
                .map(|parent| &mut self.places[parent.index()].cells);
            let cell = cell.map(|cells| std::mem::replace(cells, *cells + 1));
            let (look, purpose) = self.memory.looks.of(self.tree, node, cell, self.names);
            let is_silent = outer.is_silent || kind.is_silent || purpose == Purpose::Beside;
            if !is_silent {
                self.take_purpose(node, purpose);
            }
            let doubt = outer.doubt.or_else(|| self.doubt(node, kind));
            let state = NodeState {
                block: Some(node),
                is_silent,
                doubt,
                cells: 0,
                ..outer
            };
            self.push(state, path.below(look));
        } else {
            let is_linked =
                outer.is_linked || kind.is_link && (outer.is_in_link || !self.is_card(node));
            let (is_in_link, is_time) = (
                outer.is_in_link || kind.is_link,
                outer.is_time || kind.is_time,
            );
            self.push(
                NodeState {
                    is_linked,
                    is_in_link,
                    is_time,
                    ..outer
                },
                path,
            );
        }
    }

    fn take_purpose(&mut self, node: NodeId, purpose: Purpose) {
        let is_inside = |outer: &NodeId| node.index() < self.tree.subtree_end(*outer);
        match purpose {
            Purpose::Main => self.mains.push(node),
            Purpose::Article if !self.articles.last().is_some_and(is_inside) => {
                self.articles.push(node)
            }
            _ => {}
        }
    }

    /// Whether a link is a card: it holds several blocks, and what they say is said here rather than there.
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

    fn doubt(&self, node: NodeId, kind: ElementKind) -> Option<Doubt> {
        let is_new = |doubt: Doubt| !self.believed[doubt as usize];
        if kind.is_unscripted && is_new(Doubt::Unscripted) {
            return Some(Doubt::Unscripted);
        }
        (kind.is_form && is_new(Doubt::FilledIn) && self.is_filled_in(node))
            .then_some(Doubt::FilledIn)
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
        self.doubted.map(|bytes| bytes > read)
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
            self.doubted[doubt as usize] +=
                bytes.filter(|byte| !byte.is_ascii_whitespace()).count() as u64;
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
        match self.blocks.last_mut() {
            Some(block) if !self.is_broken && block.element == element => {
                block.span.end = span.end;
                block.pieces.end = to;
                block.has_time |= place.is_time;
            }
            _ => self.blocks.push(Block {
                element,
                span,
                pieces: from..to,
                has_time: place.is_time,
            }),
        }
        self.is_broken = false;
    }
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
        // A form around a whole page is no such form, and where a page is one, there is nothing else to read.
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
