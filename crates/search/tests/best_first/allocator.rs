//! An allocator that counts the bytes of each thread, so that tests measure a search's real memory.

#![allow(unsafe_code, reason = "an allocator is unsafe to write")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

struct Counting;

fn note(bytes: isize) {
    // A thread that ends no longer has counters.
    let _ = LIVE.try_with(|live| {
        live.set(live.get() + bytes);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(live.get())));
    });
}

// SAFETY: everything is forwarded to the system's allocator; only counters are kept besides. A
// reallocation counts with both places, since it may need both.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size() as isize);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        note(-(layout.size() as isize));
        // SAFETY: the block was given by `System` under this layout.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        note(new_size as isize);
        // SAFETY: the block was given by `System` under this layout; the rest is the caller's
        // promise.
        let moved = unsafe { System.realloc(place, layout, new_size) };
        note(-(layout.size() as isize));
        moved
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Return the peak of the bytes that this thread held during `work`, above those it held before.
pub(crate) fn peak_during<R>(work: impl FnOnce() -> R) -> (R, usize) {
    let before = LIVE.get();
    PEAK.set(before);
    let result = work();
    (result, (PEAK.get() - before).max(0) as usize)
}
