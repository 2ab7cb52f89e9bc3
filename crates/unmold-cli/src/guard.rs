//! A page that shows an error of this program costs that page and not the run.

use rayon::prelude::*;
use std::{
    any::Any,
    borrow::Borrow,
    panic::{AssertUnwindSafe, catch_unwind},
};
use unmold::Text;
use unmold_io::Fault;

/// Works on pages in parallel. In their order, what came of each, or a fault if the work has panicked.
pub fn each_page<P: Borrow<Text>, T: Send>(
    pages: impl IndexedParallelIterator<Item = P>,
    work: impl Fn(P) -> T + Sync,
) -> Vec<Result<T, Fault>> {
    let guarded = |page: P| {
        let id = page.borrow().id().to_owned();
        // Nothing that is used again is left half done: what the work shares between pages gives the same outcome
        // whatever it holds.
        catch_unwind(AssertUnwindSafe(|| work(page))).map_err(|panic| Fault::of_page(&id, reason(panic.as_ref())))
    };
    pages.map(guarded).collect()
}

fn reason(panic: &(dyn Any + Send)) -> String {
    let message = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("an error of this program, please report it: {}", message.unwrap_or("no message"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_page_costs_no_other() {
        let pages: Vec<Text> = ["good", "bad", "fine"].map(|id| Text::from_string(id, id)).into();
        let lengths = each_page(pages.par_iter(), |page| {
            assert_ne!(page.id(), "bad", "of this page");
            page.as_str().len()
        });
        assert_eq!((&lengths[0], &lengths[2]), (&Ok(4), &Ok(4)));
        let fault = lengths[1].as_ref().unwrap_err().to_string();
        assert!(fault.starts_with("bad: work: an error of this program") && fault.contains("of this page"), "{fault}");
    }
}
