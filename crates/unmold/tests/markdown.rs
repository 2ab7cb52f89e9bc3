//! Markdown that is read back says what the page said: `pulldown-cmark` reads what was written, and
//! both are told as a flat list of what a reader meets, words in order and blocks by kind.
//!
//! The project's own sites are always read; 200 labelled single pages where they are installed.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use std::{fs, path::PathBuf};
use unmold::{
    Learner, Mold, Page, Text,
    content::write::{
        document::{Block, Cell, Document, Piece, Run},
        markdown,
    },
    reader::Part,
};
use unmold_invariants::labelled_pages;

/// What a reader meets.
#[derive(Clone, Debug, PartialEq)]
enum Met {
    Heading(usize),
    Paragraph,
    Item,
    Numbered(u64),
    Quote,
    Row,
    Cell,
    Rule,
    Code(String, String),
    Image(String, String),
    Link(String),
    Formula(String),
    Word(String),
}

/// What a document has a reader meet.
#[derive(Default)]
struct Told {
    met: Vec<Met>,
    word: String,
}

impl Told {
    fn of(document: &Document) -> Vec<Met> {
        let mut told = Told::default();
        told.blocks(&document.blocks);
        told.met
    }

    fn add(&mut self, met: Met) {
        self.end_word();
        self.met.push(met);
    }

    fn end_word(&mut self) {
        if !self.word.is_empty() {
            self.met.push(Met::Word(std::mem::take(&mut self.word)));
        }
    }

    fn text(&mut self, text: &str) {
        for c in text.chars() {
            if c.is_whitespace() {
                self.end_word();
            } else {
                self.word.push(c);
            }
        }
    }

    fn blocks(&mut self, blocks: &[Block]) {
        blocks.iter().for_each(|block| self.block(block));
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Heading(level, runs) => self.line(Met::Heading(usize::from(*level)), runs),
            Block::Paragraph(runs) => self.line(Met::Paragraph, runs),
            Block::Preformatted(code) => {
                self.add(Met::Code(
                    code.language.clone().unwrap_or_default(),
                    with_line_end(&code.text),
                ));
            }
            Block::List { start, items } => {
                for (at, item) in items.iter().enumerate() {
                    self.add(start.map_or(Met::Item, |start| {
                        Met::Numbered(u64::from(start) + at as u64)
                    }));
                    self.blocks(item);
                }
            }
            Block::Terms(terms) => terms.iter().for_each(|(_, blocks)| self.blocks(blocks)),
            Block::Quote(blocks) => {
                self.add(Met::Quote);
                self.blocks(blocks);
            }
            Block::Table(table) => {
                if !table.caption.is_empty() {
                    self.line(Met::Paragraph, &table.caption);
                }
                table.rows.iter().for_each(|row| self.row(row));
            }
            Block::Figure { blocks, caption } => {
                self.blocks(blocks);
                if matches!(&blocks[..], [Block::Paragraph(_)]) {
                    self.end_word();
                    self.runs(caption);
                } else {
                    self.line(Met::Paragraph, caption);
                }
            }
            Block::Rule => self.add(Met::Rule),
        }
        self.end_word();
    }

    fn line(&mut self, met: Met, runs: &[Run]) {
        self.add(met);
        self.runs(runs);
        self.end_word();
    }

    /// Cells that hold nothing cannot be told from places that others reach into.
    fn row(&mut self, row: &[Cell]) {
        self.add(Met::Row);
        row.iter()
            .filter(|cell| !cell.runs.is_empty())
            .for_each(|cell| self.line(Met::Cell, &cell.runs));
        if self.met.last() == Some(&Met::Row) {
            self.met.pop();
        }
    }

    fn runs(&mut self, runs: &[Run]) {
        for group in runs.chunk_by(|one, other| one.style.link == other.style.link) {
            let is_seen = |run: &Run| {
                !matches!(&run.piece, Piece::Break) && run.piece != Piece::Text(" ".to_owned())
            };
            if let Some(link) = group[0]
                .style
                .link
                .as_deref()
                .filter(|_| group.iter().any(is_seen))
            {
                // Words go on where links begin and end in their middle.
                self.met.push(Met::Link(address(link)));
            }
            group.iter().for_each(|run| self.piece(&run.piece));
        }
    }

    fn piece(&mut self, piece: &Piece) {
        match piece {
            Piece::Text(text) => self.text(text),
            Piece::Break => self.end_word(),
            Piece::Image {
                source,
                alternative,
            } => {
                self.met.push(Met::Image(
                    address(source),
                    alternative.split_whitespace().collect::<Vec<_>>().join(" "),
                ));
            }
            Piece::Formula { tex, .. } => self.met.push(Met::Formula(tex.clone())),
        }
    }
}

fn with_line_end(text: &str) -> String {
    text.strip_suffix('\n').unwrap_or(text).to_owned() + "\n"
}

/// Dollars are written in another way that leads to the same place.
fn address(address: &str) -> String {
    address.replace('$', "%24")
}

/// What Markdown has a reader meet.
fn read_back(markdown: &str) -> Vec<Met> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_MATH;
    let mut told = Told::default();
    // For each list the number of the next item.
    let mut lists: Vec<Option<u64>> = Vec::new();
    // The language and the text of a listing, the address and the words of a picture.
    let mut code: Option<(String, String)> = None;
    let mut image: Option<(String, String)> = None;
    let mut needs_paragraph = false;
    for event in Parser::new_ext(markdown, options) {
        let is_inline = matches!(
            event,
            Event::Text(_)
                | Event::Code(_)
                | Event::InlineHtml(_)
                | Event::InlineMath(_)
                | Event::DisplayMath(_)
                | Event::Start(
                    Tag::Link { .. }
                        | Tag::Image { .. }
                        | Tag::Emphasis
                        | Tag::Strong
                        | Tag::Strikethrough
                )
        );
        // Items of tight lists have no paragraph but in what they mean.
        if std::mem::take(&mut needs_paragraph) && is_inline && code.is_none() {
            told.add(Met::Paragraph);
        }
        match event {
            Event::Start(Tag::Heading { level, .. }) => told.add(Met::Heading(number(level))),
            Event::Start(Tag::Paragraph) => told.add(Met::Paragraph),
            Event::Start(Tag::BlockQuote(_)) => told.add(Met::Quote),
            Event::Start(Tag::List(start)) => lists.push(start),
            Event::End(TagEnd::List(_)) => {
                lists.pop();
            }
            Event::Start(Tag::Item) => {
                let met = match lists.last_mut() {
                    Some(Some(next)) => {
                        *next += 1;
                        Met::Numbered(*next - 1)
                    }
                    _ => Met::Item,
                };
                told.add(met);
                needs_paragraph = true;
            }
            Event::Start(Tag::TableRow | Tag::TableHead) => told.add(Met::Row),
            Event::Start(Tag::TableCell) => told.add(Met::Cell),
            Event::Start(Tag::CodeBlock(kind)) => {
                let CodeBlockKind::Fenced(language) = kind else {
                    panic!("no listing is indented")
                };
                code = Some((language.into_string(), String::new()));
            }
            Event::End(TagEnd::CodeBlock) => {
                let (language, text) = code.take().unwrap();
                told.add(Met::Code(language, text));
            }
            Event::Start(Tag::Image { dest_url, .. }) => {
                image = Some((dest_url.into_string(), String::new()));
            }
            Event::End(TagEnd::Image) => {
                let (source, alternative) = image.take().unwrap();
                told.met.push(Met::Image(address(&source), alternative));
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                told.met.push(Met::Link(address(&dest_url)));
            }
            Event::Text(text) => match (&mut code, &mut image) {
                (Some((_, code)), _) => code.push_str(&text),
                (_, Some((_, alternative))) => alternative.push_str(&text),
                _ => told.text(&text),
            },
            Event::Code(text) => told.text(&text),
            Event::InlineMath(tex) | Event::DisplayMath(tex) => {
                told.met.push(Met::Formula(tex.into_string()));
            }
            Event::InlineHtml(tag) if &*tag == "<br>" => told.end_word(),
            Event::HardBreak | Event::SoftBreak => told.end_word(),
            Event::Rule => told.add(Met::Rule),
            Event::Html(html) => panic!("no block is HTML: {html}"),
            Event::End(_) => told.end_word_of(&event),
            _ => {}
        }
    }
    told.end_word();
    without_empty_cells(told.met)
}

impl Told {
    /// Ends the word where a block ends; words go on behind the end of a link.
    fn end_word_of(&mut self, event: &Event<'_>) {
        let is_inline = matches!(
            event,
            Event::End(
                TagEnd::Link
                    | TagEnd::Emphasis
                    | TagEnd::Strong
                    | TagEnd::Strikethrough
                    | TagEnd::Image
            )
        );
        if !is_inline {
            self.end_word();
        }
    }
}

fn number(level: HeadingLevel) -> usize {
    level as usize
}

/// Cells and rows that hold nothing, as [`Told::row`] leaves them out too.
fn without_empty_cells(met: Vec<Met>) -> Vec<Met> {
    let mut kept: Vec<Met> = Vec::new();
    for next in met {
        if matches!(
            next,
            Met::Word(_) | Met::Image(..) | Met::Link(_) | Met::Formula(_)
        ) {
            kept.push(next);
            continue;
        }
        kept.pop_if(|last| *last == Met::Cell);
        if next != Met::Cell {
            kept.pop_if(|last| *last == Met::Row);
        }
        kept.push(next);
    }
    kept.pop_if(|last| *last == Met::Cell);
    kept.pop_if(|last| *last == Met::Row);
    kept
}

/// The first difference between a document and what its Markdown says.
fn difference(document: &Document) -> Option<String> {
    let markdown = markdown::written(document);
    let (told, read) = (
        without_empty_cells(Told::of(document)),
        read_back(&markdown),
    );
    let at = told.iter().zip(&read).position(|(one, other)| one != other);
    let at = at.or((told.len() != read.len()).then_some(told.len().min(read.len())))?;
    let around = |met: &[Met]| format!("{:?}", &met[at.saturating_sub(3)..met.len().min(at + 4)]);
    Some(format!("wrote {}\n read {}", around(&told), around(&read)))
}

fn pages(folder: &PathBuf) -> Vec<Text> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    let page = |file: &PathBuf| {
        let page = Page::new(
            file.file_name().unwrap().to_str().unwrap(),
            fs::read(file).unwrap(),
        );
        Text::decode(page.with_url("https://example.org/a/b.html"))
    };
    files.iter().map(page).collect()
}

/// Counts pages whose Markdown is read back as it was meant, and names the others.
fn round_trip(mold: &Mold, texts: &[Text]) -> Vec<String> {
    let reader = mold.reader().only(&[Part::Content]);
    let mut differences = Vec::new();
    for text in texts {
        let document = reader.read(text).unwrap().content().document();
        differences
            .extend(difference(&document).map(|difference| format!("{}: {difference}", text.id())));
    }
    differences
}

#[test]
fn own_sites() {
    for name in [
        "news-ja",
        "news-de",
        "shop-en",
        "search-zh",
        "library-ar",
        "forum-ru",
    ] {
        let site = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("../../testdata/sites")
            .join(name)
            .join("pages");
        let texts = pages(&site);
        let mold = Learner::content_only().learn(&texts).unwrap();
        let differences = round_trip(&mold, &texts);
        assert!(differences.is_empty(), "{name}: {}", differences.join("\n"));
    }
}

#[test]
fn labelled_single_pages() {
    let Some(data) = labelled_pages("single/pages") else {
        return;
    };
    let mut texts = pages(&data);
    texts.truncate(200);
    let differences = round_trip(&Mold::nothing(), &texts);
    println!("{} pages, {} differences", texts.len(), differences.len());
    assert!(
        differences.is_empty(),
        "{} of {}:\n{}",
        differences.len(),
        texts.len(),
        differences.join("\n")
    );
}

/// The same pages whole: much more markup, of all kinds.
#[test]
fn labelled_single_pages_with_their_template() {
    let Some(data) = labelled_pages("single/pages") else {
        return;
    };
    let mut texts = pages(&data);
    texts.truncate(200);
    let whole = |text: &Text| {
        Some(format!(
            "{}: {}",
            text.id(),
            difference(&Document::new(text.as_str(), &[]))?
        ))
    };
    let differences: Vec<String> = texts.iter().filter_map(whole).collect();
    assert!(
        differences.is_empty(),
        "{} of {}:\n{}",
        differences.len(),
        texts.len(),
        differences.join("\n")
    );
}

/// Pages written to be hard.
#[test]
fn hard_pages() {
    for page in [
        "<b>Note:</b>text <i>(a)</i>b<b>c</b><i>d</i> *x* _y_ __z__ a_b_c `d` ~e~ ~~f~~ $g$ \\h &amp;amp; &lt;i>",
        "<p># a<br>- b<br>1. c<br>---<br>> d<br>| e | f |<br>| - | - |<br>===<br>+<br>1)<br>~~~",
        "<ul><li>a<ol start=3><li>b<pre>c\n\n\td</pre><li>e</ol><li><h3>f #</h3><table><tr><th>g|<th>`h`<tr><td>\\|<td><code>i\\|j</code></table></ul>",
        "<ul><li>a</ul><ul><li>b</ul><ol><li>c</ol><ol><li>d</ol>",
        "<blockquote><pre class=lang-c>a\n```\n</pre><ul><li><blockquote>b</blockquote></ul></blockquote><p>c",
        "<a href='x_(y)'>a]b</a>!<a href='x(y'>c<img src='a b$.png' alt='d]e'></a><a href=z> <b>f</b> </a>g",
        "<dl><dt>a<dd><ul><li>b</ul><dt>c<dd><ul><li>d</ul></dl><ul><li>e</ul>",
        "<figure><img src=a><figcaption>b<p>c</figcaption></figure><hr><table><tr><td rowspan=2>a<td>b<tr><td>c<tr><td colspan=2>d</table>",
        "<p>x <math alttext='a_1 * b_2'></math>, $5 <math alttext='\\{a\\}'></math>y",
    ] {
        assert_eq!(
            difference(&Document::new(page, &[])),
            None,
            "{page}\n{}",
            markdown::content(page, &[])
        );
    }
}
