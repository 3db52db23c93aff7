//! Work with the processor's instructions for counting bits, which dominate the ranks of places.

/// Do some work with these instructions, if the processor has them. Hot code in `work` must be
/// inlined.
#[inline]
pub(crate) fn with_bit_counts<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("popcnt")
        && std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("bmi2")
    {
        // SAFETY: the processor has these instructions.
        return unsafe { with_features(work) };
    }
    work()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi1,bmi2")]
fn with_features<T>(work: impl FnOnce() -> T) -> T {
    work()
}
