//! Work with the processor's instructions for counting bits, which dominate the ranks of places.

/// Work that counts bits.
///
/// A trait instead of a closure, since only a method can be `#[inline(always)]`. Work that isn't
/// inlined into the function that enables the instructions doesn't use them.
pub(crate) trait Work {
    /// What the work returns.
    type Output;

    /// Do the work. Implementations are `#[inline(always)]`, and so is hot code that they call.
    fn run(self) -> Self::Output;
}

/// Do some work with these instructions, if the processor has them.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn with_bit_counts<W: Work>(work: W) -> W::Output {
    match BitCounts::detect() {
        Some(counts) => counts.run(work),
        None => work.run(),
    }
}

/// Do some work. Other processors have these instructions, or none like them.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(crate) fn with_bit_counts<W: Work>(work: W) -> W::Output {
    work.run()
}

/// The proof that the processor has these instructions.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct BitCounts(());

#[cfg(target_arch = "x86_64")]
impl BitCounts {
    /// Return `None` where the processor doesn't have them.
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        let has_all = std::arch::is_x86_feature_detected!("popcnt")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2");
        has_all.then_some(Self(()))
    }

    /// Do some work with them.
    #[inline]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        // SAFETY: `self` exists only where the processor has these instructions.
        unsafe { with_features(work) }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi1,bmi2")]
fn with_features<W: Work>(work: W) -> W::Output {
    work.run()
}
