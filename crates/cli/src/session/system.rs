//! What only the system's own interface says or does: whether a signal is ignored, whether standard
//! output was closed from the start, and the end of a process that gets no more memory.
//!
//! This is the only module of the command with `unsafe` code.

#![allow(unsafe_code, reason = "calls of the C library, and a global allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

/// Return whether a signal is ignored, as the shell or `nohup` may have set it.
pub(crate) fn is_ignored(signal: i32) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: without a new action, the call only writes the present one.
    let found = unsafe { libc::sigaction(signal, ptr::null(), action.as_mut_ptr()) };
    // SAFETY: the call has succeeded, so it has written the action.
    found == 0 && unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
}

/// Whether standard output was closed when the process began.
static OUTPUT_IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Return whether standard output was closed when the process began. Afterwards it can't be told
/// from one that goes to `/dev/null`, which Rust opens in its place before `main`.
pub(crate) fn output_is_closed() -> bool {
    OUTPUT_IS_CLOSED.load(Ordering::Relaxed)
}

/// Look at standard output before Rust does.
extern "C" fn look_at_output() {
    // SAFETY: the call only reads the flags of the file descriptor.
    let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
    OUTPUT_IS_CLOSED.store(flags == -1, Ordering::Relaxed);
}

// SAFETY: the loader calls the functions in this section once, before `main`. This one uses nothing
// that Rust's runtime would have to prepare.
#[used]
#[cfg_attr(
    target_vendor = "apple",
    unsafe(link_section = "__DATA,__mod_init_func")
)]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static LOOK_AT_OUTPUT: extern "C" fn() = look_at_output;

/// The system's allocator. It notes when the system gives no memory, as `ulimit -v` has it.
///
/// Rust ends the process with SIGABRT then, unless the code that wanted memory goes on without.
struct Noting;

#[global_allocator]
static ALLOCATOR: Noting = Noting;

/// Whether an allocation failed.
static IS_REFUSED: AtomicBool = AtomicBool::new(false);

/// Note whether an allocation failed.
#[inline]
fn noted(memory: *mut u8) -> *mut u8 {
    if memory.is_null() {
        IS_REFUSED.store(true, Ordering::Relaxed);
    }
    memory
}

// SAFETY: all calls are passed on to the system's allocator with the caller's guarantees.
unsafe impl GlobalAlloc for Noting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's guarantees.
        noted(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's guarantees.
        noted(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's guarantees.
        noted(unsafe { System.realloc(memory, layout, size) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's guarantees.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Make a lack of memory end the process with an error like any other. A panic ends it as before,
/// also if some memory was refused earlier.
pub(crate) fn exit_when_memory_is_refused() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        IS_REFUSED.store(false, Ordering::Relaxed);
        usual(panic);
    }));
    let handler = at_abort as extern "C" fn(i32);
    // SAFETY: the handler only calls functions that are allowed in one: `write` and `_exit`.
    unsafe { libc::signal(libc::SIGABRT, handler as libc::sighandler_t) };
}

/// The exit status of a limit.
const LIMIT: i32 = 4;

/// End the process with an error if it was refused memory.
extern "C" fn at_abort(_signal: i32) {
    const MESSAGE: &[u8] = b"error: the system gives this process no more memory\n";
    if !IS_REFUSED.load(Ordering::Relaxed) {
        return;
    }
    // SAFETY: the pointer and the length are those of the message.
    unsafe {
        libc::write(libc::STDERR_FILENO, MESSAGE.as_ptr().cast(), MESSAGE.len());
        libc::_exit(LIMIT);
    }
}
