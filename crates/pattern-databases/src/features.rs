//! Which instructions the processor has.

/// Whether it counts bits by one instruction: ranks of places are made of little else.
#[cfg(target_arch = "x86_64")]
pub(crate) fn are_there() -> bool {
    std::arch::is_x86_feature_detected!("popcnt")
        && std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("bmi2")
}
