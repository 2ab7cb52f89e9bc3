//! What is the content of a page that stands alone?

use super::{
    apply::{Finder, FoundContent},
    learn::learn_beside,
    reading::Reading,
};
use std::sync::Arc;

/// The content of a page that nothing is known about but what it shows itself, and what is comments
/// on pages `beside` it.
pub(crate) fn find_alone(page: &Arc<Reading<'_>>, beside: Option<&Finder>) -> Option<FoundContent> {
    let page = &page.named(&Arc::default());
    finder_of(page, beside)?.find_in(page)
}

/// The rule that such a page gives.
pub(crate) fn finder_of(page: &Arc<Reading<'_>>, beside: Option<&Finder>) -> Option<Finder> {
    let page = &page.named(&Arc::default());
    let comments: Vec<String> = beside.map_or_else(Vec::new, |finder| finder.comments_on(page));
    let rule = learn_beside(std::slice::from_ref(page), &comments)?;
    Some(Finder::new(&rule))
}
