//! Memories that threads share out among themselves.

use std::sync::{Mutex, PoisonError};

/// Values that are lent to one piece of work each, and made when all are lent.
///
/// So a thing can be used by many threads at once and still grow faster with use.
#[derive(Debug)]
pub(crate) struct Pool<T>(Mutex<Vec<T>>);

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Pool(Mutex::default())
    }
}

impl<T: Default> Pool<T> {
    /// Does a piece of work with one of the values.
    pub(crate) fn lend<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        self.lend_or_make(T::default, work)
    }
}

impl<T> Pool<T> {
    /// The same, with a value made in some way if all are lent.
    pub(crate) fn lend_or_make<R>(
        &self,
        make: impl FnOnce() -> T,
        work: impl FnOnce(&mut T) -> R,
    ) -> R {
        let idle = self.idle().pop();
        let mut value = idle.unwrap_or_else(make);
        let result = work(&mut value);
        self.idle().push(value);
        result
    }

    /// What something comes to over all values that are not lent.
    pub(crate) fn sum(&self, of: impl Fn(&T) -> u64) -> u64 {
        self.idle().iter().map(of).sum()
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<T>> {
        // Nothing can fail while values are put in or taken out.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A copy begins with nothing.
impl<T> Clone for Pool<T> {
    fn clone(&self) -> Self {
        Pool::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_lent_again() {
        let pool: Pool<u32> = Pool::default();
        pool.lend(|value| *value += 1);
        pool.lend(|value| {
            assert_eq!(*value, 1);
            pool.lend(|other| assert_eq!(*other, 0));
        });
        pool.clone().lend(|value| assert_eq!(*value, 0));
    }
}
