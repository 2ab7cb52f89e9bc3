//! Pages that are read once and lent to all who learn from them.

use crate::{Text, content::reading::Reading, fields::learn::ScannedPage, read::tree::Tree};
use std::sync::{Arc, OnceLock};

/// The pages of a pile by number. Each is parsed when it is first asked for, and at most once.
pub(super) struct Pages<'a> {
    texts: &'a [Text],
    trees: Vec<OnceLock<Arc<Tree<'a>>>>,
    scanned: Vec<OnceLock<ScannedPage<'a>>>,
    readings: Vec<OnceLock<Arc<Reading<'a>>>>,
}

impl<'a> Pages<'a> {
    pub fn new(texts: &'a [Text]) -> Self {
        Pages { texts, trees: unasked(texts), scanned: unasked(texts), readings: unasked(texts) }
    }

    pub fn text(&self, page: usize) -> &'a Text {
        &self.texts[page]
    }

    pub fn tree(&self, page: usize) -> &Arc<Tree<'a>> {
        self.trees[page].get_or_init(|| Arc::new(Tree::new(self.texts[page].as_str())))
    }

    /// A page as its values are learned.
    pub fn scanned(&self, page: usize) -> ScannedPage<'a> {
        self.scanned[page].get_or_init(|| ScannedPage::new(self.tree(page).clone())).clone()
    }

    /// A page as its content is learned.
    pub fn reading(&self, page: usize) -> Arc<Reading<'a>> {
        self.readings[page].get_or_init(|| Arc::new(Reading::new(self.tree(page).clone(), &Arc::default()))).clone()
    }
}

fn unasked<T>(texts: &[Text]) -> Vec<OnceLock<T>> {
    texts.iter().map(|_| OnceLock::new()).collect()
}
