//! How is a whole list fetched: its pages, and the pages of its items?
//!
//! The first page waits for the second one, since both together show which links are items
//! ([`crate::paging`]). What they show is the plan, which is kept in the state: a crawl that was cut
//! off goes on by the same plan.

use crate::{
    crawl::{Crawl, CrawlError},
    paging::{ListPage, ListPlan},
    state::{Entry, Role, Status},
    urls,
};
use unmold::Text;
use unmold_io::{LoadSettings, load};
use url::Url;

/// What is known of the list that is fetched.
#[derive(Default)]
pub(crate) struct ListState {
    /// Which links lead to items.
    plan: Option<ListPlan>,
    /// The first page, while the second one has not come.
    first: Option<(Url, ListPage)>,
}

/// No more links of the first page are tried as the way to the second.
const MOST_TRIES: usize = 3;

/// Where links to items stand, as far as rows of errors and archives are concerned.
pub(crate) const ITEM: &str = "item";
/// The name of the plan in the state.
const PLAN: &str = "list";

impl Crawl<'_> {
    /// Takes up what an earlier run knew of the list.
    pub(crate) fn read_list_again(&mut self) -> Result<(), CrawlError> {
        if let Some(plan) = self.files.store.note(PLAN)? {
            self.list.plan = serde_json::from_str(&plan).ok();
            return Ok(());
        }
        // The first page is in the archive, and waits for the second one.
        let is_first = |entry: &Entry| {
            entry.role == Role::List && matches!(entry.status, Status::Done { is_page: true })
        };
        let first = self
            .entries
            .values()
            .filter(|entry| is_first(entry))
            .min_by_key(|entry| entry.number);
        let Some(first) = first.map(|entry| entry.url.clone()) else {
            return Ok(());
        };
        let archive = self.files.warc.files();
        for page in load(archive, &LoadSettings::default()).pages().flatten() {
            if page.url() != Some(first.as_str()) {
                continue;
            }
            if let (Ok(url), Ok(text)) = (urls::normal(None, &first), Text::decode_guarded(page)) {
                let page = ListPage::read(text.as_str(), &url);
                self.list.first = Some((url, page));
            }
            return Ok(());
        }
        Ok(())
    }

    /// Takes a page of the list, for the first time or again.
    pub(crate) fn take_list_page(&mut self, url: &Url, text: &Text, is_again: bool) {
        let page = ListPage::read(text.as_str(), url);
        if let Some(plan) = self.list.plan.clone() {
            let has_new = self.add_items(url, &page, &plan);
            // Past its end, a list may show its last page for ever. But a page that had no next one
            // at the last visit may have one now, and no new items.
            if (has_new || is_again)
                && let Some(next) = page.next_page(&plan)
            {
                self.add_next(url, next);
            }
            return;
        }
        let Some((first_url, first)) = self.list.first.take() else {
            self.list.first = Some((url.clone(), page));
            self.try_next_page();
            return;
        };
        let plan = first.plan(Some(&page), &|url| self.is_in_scope(url));
        match plan {
            Some(mut plan) if !page.items(&plan).is_empty() => {
                plan.step = first.step_to(url);
                self.keep_plan(&plan);
                self.add_items(&first_url, &first, &plan);
                if self.add_items(url, &page, &plan)
                    && let Some(next) = page.next_page(&plan)
                {
                    self.add_next(url, next);
                }
            }
            // The link did not lead to a page of the same list.
            _ => {
                self.list.first = Some((first_url, first));
                self.settle_list();
            }
        }
    }

    /// Asks for the page that is most likely the second one, of those that were not tried; says
    /// whether there is one.
    fn try_next_page(&mut self) -> bool {
        let Some((url, page)) = self.list.first.clone() else {
            return false;
        };
        for next in page.next_pages().into_iter().take(MOST_TRIES) {
            let key = urls::key(next);
            if self.entries.contains_key(&key) {
                continue;
            }
            self.add_next(&url, next);
            let added = self.entries.get(&key);
            if added.is_some_and(|entry| entry.status == Status::Waiting) {
                return true;
            }
        }
        false
    }

    /// Tries another page as the second one, or else decides by the first page alone.
    pub(crate) fn settle_list(&mut self) {
        if self.try_next_page() {
            return;
        }
        let Some((url, page)) = self.list.first.take() else {
            return;
        };
        let plan = page.plan(None, &|url| self.is_in_scope(url));
        match plan {
            Some(plan) => {
                self.keep_plan(&plan);
                self.add_items(&url, &page, &plan);
            }
            None => self.tell_person(&format!(
                "{url}: no list whose records link to pages of this site"
            )),
        }
    }

    /// Keeps the plan, on the disk together with the items that were found by it.
    fn keep_plan(&mut self, plan: &ListPlan) {
        let note = serde_json::to_string(plan).unwrap_or_default();
        self.files.notes.push((PLAN, note));
        self.list.plan = Some(plan.clone());
    }

    /// Adds the items of a page, and says whether any of them is new.
    fn add_items(&mut self, url: &Url, page: &ListPage, plan: &ListPlan) -> bool {
        let known = self.entries.len();
        for item in page.items(plan) {
            self.find(item, Some(url.as_str()), ITEM, 1, 0, Role::Page);
        }
        self.entries.len() > known
    }

    fn add_next(&mut self, url: &Url, next: &Url) {
        self.find(next, Some(url.as_str()), "next page", 1, 0, Role::List);
    }
}
