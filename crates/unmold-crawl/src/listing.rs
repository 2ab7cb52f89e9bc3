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

    /// Takes a page of the list.
    pub(crate) fn take_list_page(&mut self, url: &Url, text: &Text) {
        let page = ListPage::read(text.as_str(), url);
        if let Some(plan) = self.list.plan.clone() {
            self.add_items(url, &page, &plan);
            return;
        }
        let Some((first_url, first)) = self.list.first.take() else {
            if let Some(next) = page.next().cloned() {
                self.add_next(url, &next);
            }
            self.list.first = Some((url.clone(), page));
            return;
        };
        let plan = first.plan(Some(&page), &|url| self.is_in_scope(url));
        match plan {
            Some(plan) if !page.items(&plan).is_empty() => {
                self.keep_plan(&plan);
                self.add_all_items(&first_url, &first, &plan);
                self.add_items(url, &page, &plan);
            }
            // The link did not lead to a page of the same list.
            _ => {
                self.list.first = Some((first_url, first));
                self.settle_list();
            }
        }
    }

    /// Decides by the first page alone, if there is no second one.
    pub(crate) fn settle_list(&mut self) {
        let Some((url, page)) = self.list.first.take() else {
            return;
        };
        let plan = page.plan(None, &|url| self.is_in_scope(url));
        match plan {
            Some(plan) => {
                self.keep_plan(&plan);
                self.add_all_items(&url, &page, &plan);
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

    /// Adds the items of a page and, if any of them is new, the next page: past its end, a list may
    /// show its last page for ever.
    fn add_items(&mut self, url: &Url, page: &ListPage, plan: &ListPlan) {
        let known = self.entries.len();
        self.add_all_items(url, page, plan);
        if self.entries.len() > known
            && let Some(next) = page.next()
        {
            self.add_next(url, next);
        }
    }

    fn add_all_items(&mut self, url: &Url, page: &ListPage, plan: &ListPlan) {
        for item in page.items(plan) {
            self.find(item, Some(url.as_str()), "item", 1, 0, Role::Page);
        }
    }

    fn add_next(&mut self, url: &Url, next: &Url) {
        self.find(next, Some(url.as_str()), "next page", 1, 0, Role::List);
    }
}
