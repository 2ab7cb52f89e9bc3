//! Counts basic blocks executed and bytes allocated.
//!
//! The compiler's own instrumentation, as fuzzers use it, calls a function at each basic block. That
//! function and the allocator below are the only `unsafe` code here; nothing of it is in what is shipped.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

static BLOCKS: AtomicU64 = AtomicU64::new(0);
static HELD: AtomicU64 = AtomicU64::new(0);
static PEAK: AtomicU64 = AtomicU64::new(0);

/// Called at each basic block. Code whose name begins like this is itself not instrumented.
///
/// # Safety
/// The argument is not looked at.
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_trace_pc_guard(_: *mut u32) {
    // One thread works at a time, so that a load and a store lose nothing and cost little.
    BLOCKS.store(BLOCKS.load(Relaxed) + 1, Relaxed);
}

#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_trace_pc_guard_init(_: *mut u32, _: *mut u32) {}

/// The system's allocator, with a count of the bytes that are held.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every call is handed to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size() as u64, Relaxed);
        unsafe { System.dealloc(at, layout) }
    }
}

fn take(bytes: usize) {
    let held = HELD.fetch_add(bytes as u64, Relaxed) + bytes as u64;
    PEAK.fetch_max(held, Relaxed);
}

/// Whether the compiler was told to count blocks.
pub fn is_counting() -> bool {
    BLOCKS.load(Relaxed) > 0
}

/// What a piece of work took.
#[derive(Clone, Copy, Default)]
pub struct Cost {
    /// Basic blocks executed.
    pub work: u64,
    /// The most bytes held at a time, beyond those that were held before.
    pub memory: u64,
    /// Bytes written.
    pub output: u64,
}

/// The cost of work that gives how many bytes it wrote.
pub fn cost_of<T>(work: impl FnOnce() -> (T, u64)) -> (T, Cost) {
    let (blocks, held) = (BLOCKS.load(Relaxed), HELD.load(Relaxed));
    PEAK.store(held, Relaxed);
    let (outcome, output) = work();
    let cost = Cost {
        work: BLOCKS.load(Relaxed) - blocks,
        memory: PEAK.load(Relaxed).saturating_sub(held),
        output,
    };
    (outcome, cost)
}
