//! How many templates are learned already?

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Called with the number of templates that are learned, and with that of all.
type Callback = dyn Fn(usize, usize) + Send + Sync;

/// Where the progress of learning is reported; by default nowhere.
#[derive(Clone, Default)]
pub(super) struct Progress(Option<Arc<Callback>>);

impl Progress {
    pub fn reported_to(callback: impl Fn(usize, usize) + Send + Sync + 'static) -> Self {
        Progress(Some(Arc::new(callback)))
    }

    /// Counts the templates of one run.
    pub fn counter(&self, templates: usize) -> Counter<'_> {
        Counter {
            progress: self,
            learned: AtomicUsize::new(0),
            templates,
        }
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Progress")
    }
}

/// Counts templates as they are learned, on any number of threads.
pub(super) struct Counter<'a> {
    progress: &'a Progress,
    learned: AtomicUsize,
    templates: usize,
}

impl Counter<'_> {
    /// Reports that one more template is learned.
    pub fn advance(&self) {
        let learned = 1 + self.learned.fetch_add(1, Ordering::Relaxed);
        if let Some(report) = &self.progress.0 {
            report(learned, self.templates);
        }
    }
}
