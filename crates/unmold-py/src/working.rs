//! How is work done that takes a while?
//!
//! Without the interpreter's lock, so that other threads of Python go on; and so that a panic ends
//! the work and not the process. Work on many pages is shared out to a pool of threads of our own.
//!
//! A fork leaves a child with the memory of all threads and with none of them: a pool that was made
//! before it would wait for ever. So each process has its own. What says whose it is, is looked at
//! only while the interpreter's lock is held: since whoever forks holds that lock, no fork finds it
//! half done.

use crate::errors::UnmoldError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::{
    any::Any,
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{RecvTimeoutError, sync_channel},
    },
    time::Duration,
};

/// A value that belongs to the process that made it.
pub struct PerProcess<T>(Mutex<Option<(u32, T)>>);

impl<T: Clone> PerProcess<T> {
    pub const fn new() -> Self {
        PerProcess(Mutex::new(None))
    }

    /// The value of this process, made if there is none. It must be made without giving the
    /// interpreter's lock away.
    pub fn get(&self, _: Python<'_>, make: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
        let mut place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let process = std::process::id();
        if let Some((owner, value)) = &*place
            && *owner == process
        {
            return Ok(value.clone());
        }
        let value = make()?;
        replace(&mut place, value.clone());
        Ok(value)
    }

    /// Sets the value of this process.
    fn set(&self, _: Python<'_>, value: T) {
        replace(
            &mut self.0.lock().unwrap_or_else(PoisonError::into_inner),
            value,
        );
    }
}

fn replace<T>(place: &mut Option<(u32, T)>, value: T) {
    let process = std::process::id();
    match place.replace((process, value)) {
        // What belongs to the parent may have been in use when the child was made: it is never
        // touched again.
        Some((owner, value)) if owner != process => mem::forget(value),
        _ => {}
    }
}

static THREADS: PerProcess<Arc<ThreadPool>> = PerProcess::new();

fn pool_of(threads: usize) -> PyResult<Arc<ThreadPool>> {
    let named = |number| format!("unmold-{number}");
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(named)
        .build();
    pool.map(Arc::new)
        .map_err(|error| UnmoldError::new_err(format!("no threads could be started: {error}")))
}

/// The threads of this process.
pub fn threads(py: Python<'_>) -> PyResult<Arc<ThreadPool>> {
    // As many as there are cores, or as RAYON_NUM_THREADS says.
    THREADS.get(py, || pool_of(0))
}

/// Sets how many threads work on many pages at once in this process; 0 is as many as there are
/// cores.
///
/// >>> import unmold
/// >>> unmold.set_threads(2)
#[pyfunction]
pub fn set_threads(py: Python<'_>, count: usize) -> PyResult<()> {
    if threads(py)?.current_num_threads() != count {
        THREADS.set(py, pool_of(count)?);
    }
    Ok(())
}

/// Does a piece of work on this thread and without the interpreter's lock.
pub fn alone<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| catch_unwind(AssertUnwindSafe(work)))
        .map_err(|panic| failed(panic.as_ref()))
}

/// The same on many threads, wherever the work shares itself out.
pub fn together<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let threads = threads(py)?;
    alone(py, || threads.install(work))
}

/// How often it is looked whether somebody interrupts: often enough to seem at once.
const LOOK_FOR_SIGNALS: Duration = Duration::from_millis(50);

/// The same, and it can be interrupted (Ctrl-C). Work cannot be stopped from outside: what was
/// interrupted goes on unseen on the threads that it has, and others are made for what comes next.
pub fn interruptibly<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let threads = threads(py)?;
    let (sender, mut receiver) = sync_channel(1);
    threads.spawn(move || {
        // Nobody waits for it any more if it was interrupted.
        _ = sender.send(catch_unwind(AssertUnwindSafe(work)));
    });
    loop {
        let (back, answer) = py.detach(move || {
            let answer = receiver.recv_timeout(LOOK_FOR_SIGNALS);
            (receiver, answer)
        });
        receiver = back;
        match answer {
            Ok(Ok(done)) => return Ok(done),
            Ok(Err(panic)) => return Err(failed(panic.as_ref())),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(UnmoldError::new_err("a thread ended before its work"));
            }
        }
        if let Err(raised) = py.check_signals() {
            THREADS.set(py, pool_of(threads.current_num_threads())?);
            return Err(raised);
        }
    }
}

fn failed(panic: &(dyn Any + Send)) -> PyErr {
    let message = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let message = message.unwrap_or("no message");
    UnmoldError::new_err(format!(
        "an error of this program, please report it: {message}"
    ))
}
