//! Pages that are read once and lent to all who learn from them.

use crate::{
    Text,
    content::reading::{self, Reading},
    fields::sample::ScannedPage,
    read::{
        pool::Pool,
        tree::{self, Tree},
    },
};
use std::sync::{Arc, OnceLock};

/// The pages of a pile by number. Each is parsed when it is first asked for, and at most once.
pub(super) struct Pages<'a> {
    texts: Vec<&'a Text>,
    trees: Vec<OnceLock<Arc<Tree<'a>>>>,
    scanned: Vec<OnceLock<ScannedPage<'a>>>,
    readings: Vec<OnceLock<Arc<Reading<'a>>>>,
    memories: Pool<ReadingMemory>,
    /// Whether fields that have their label in the same text are learned with it, too.
    pub with_labels: bool,
}

/// What is kept from page to page while they are read for their content.
#[derive(Default)]
struct ReadingMemory {
    tree: tree::Memory,
    reading: reading::Memory,
}

impl ReadingMemory {
    fn tidied(&mut self) -> &mut Self {
        if self.tree.is_full() {
            *self = ReadingMemory::default();
        }
        self
    }
}

impl<'a> Pages<'a> {
    pub fn new(texts: &[&'a Text]) -> Self {
        let (trees, scanned, readings) = (unasked(texts), unasked(texts), unasked(texts));
        Pages {
            texts: texts.to_vec(),
            trees,
            scanned,
            readings,
            memories: Pool::default(),
            with_labels: false,
        }
    }

    pub fn text(&self, page: usize) -> &'a Text {
        self.texts[page]
    }

    pub fn tree(&self, page: usize) -> &Arc<Tree<'a>> {
        self.trees[page].get_or_init(|| Arc::new(Tree::new(self.texts[page].as_str())))
    }

    /// A page as its values are learned.
    pub fn scanned(&self, page: usize) -> ScannedPage<'a> {
        self.scanned[page]
            .get_or_init(|| ScannedPage::new(self.tree(page).clone()))
            .clone()
    }

    /// A page as its content is learned.
    pub fn reading(&self, page: usize) -> Arc<Reading<'a>> {
        self.readings[page]
            .get_or_init(|| Arc::new(self.read(page)))
            .clone()
    }

    fn read(&self, page: usize) -> Reading<'a> {
        if let Some(tree) = self.trees[page].get() {
            return Reading::new(tree.clone(), &Arc::default());
        }
        let text = self.texts[page].as_str();
        self.memories.lend(|memory| {
            let ReadingMemory { tree, reading } = memory.tidied();
            let tree = Arc::new(Tree::with_memory(text, tree));
            let kept = self.trees[page]
                .get_or_init(|| Arc::new(tree.without_memory(text)))
                .clone();
            Reading::with_memory(tree, &Arc::default(), reading).with_tree(kept)
        })
    }
}

fn unasked<T>(texts: &[&Text]) -> Vec<OnceLock<T>> {
    texts.iter().map(|_| OnceLock::new()).collect()
}
