//! Large pages for large tables: look-ups at random places otherwise wait for the processor's table of pages as well as for memory.

/// Arrays of fewer bytes are left alone.
const LEAST_BYTES: usize = 1 << 22;

/// Asks the system to use large pages for an array that wasn't written yet. It is free not to.
pub(crate) fn advise<T>(array: &mut [T]) {
    let bytes = std::mem::size_of_val(array);
    if bytes >= LEAST_BYTES {
        advise_bytes(array.as_mut_ptr().cast(), bytes);
    }
}

#[cfg(target_os = "linux")]
fn advise_bytes(begin: *mut u8, bytes: usize) {
    let page = rustix::param::page_size();
    let skipped = begin.align_offset(page);
    let Some(length) = bytes.checked_sub(skipped).map(|n| n / page * page) else {
        return;
    };
    // SAFETY: the range lies within an array that the caller borrows, and the advice changes nothing about its content.
    let range = unsafe { begin.add(skipped) };
    // SAFETY: as before.
    let advised =
        unsafe { rustix::mm::madvise(range.cast(), length, rustix::mm::Advice::LinuxHugepage) };
    // A system without large pages refuses, which does no harm.
    let _ = advised;
}

#[cfg(not(target_os = "linux"))]
fn advise_bytes(_begin: *mut u8, _bytes: usize) {}
