//! Requesting items from memory before they are needed.

/// Prefetch an item, if there is one with this number.
#[inline(always)]
pub(crate) fn prefetch<T>(items: &[T], i: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        if let Some(item) = items.get(i) {
            // SAFETY: the address is that of an item, and a prefetch loads no value.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, i);
}
