//! Operations on packed states: apply rules, test preconditions, compare with goals.
//!
//! A [`Kernel`] is a [packed state](crate::game::packed) and a family of instructions. The loops of
//! the searches are generic over it, so that they consist of the kernel's instructions:
//! [`with_kernel`](HasKernels::with_kernel) picks the best one that the processor has, or the
//! requested one. All kernels of a packed state give the same results.

/// The comparisons with a goal of a kernel that makes one child at a time.
macro_rules! one_by_one {
    ($packed:ty) => {
        type Goal = $crate::game::packed::Test<$packed>;
        type Nearest = bool;

        #[inline(always)]
        fn goal(self, goal: &$crate::game::packed::Test<$packed>) -> Self::Goal {
            *goal
        }

        #[inline(always)]
        fn far(self) -> bool {
            false
        }

        #[inline(always)]
        fn nearest(
            self,
            packed: &$packed,
            first: &[$crate::game::lines::Line],
            second: &[$crate::game::lines::Line],
            goal: Self::Goal,
            before: bool,
        ) -> bool {
            let mut is_hit = before;
            for (first, second) in std::iter::zip(first, second) {
                let (first, second) = (first.packed_states(), second.packed_states());
                for (first, second) in std::iter::zip(first, second) {
                    let child = self.change(packed, first, second);
                    is_hit |= self.agrees(&child, &goal.mask, &goal.value);
                }
            }
            is_hit
        }

        #[inline(always)]
        fn may_hit(self, nearest: bool) -> bool {
            nearest
        }
    };
}

/// The way in which all kernels with AVX2 gather bits.
#[cfg(target_arch = "x86_64")]
macro_rules! gathers {
    ($packed:ty) => {
        const GATHERS: bool = true;

        #[inline(always)]
        fn gather(self, packed: &$packed, mask: &$packed) -> u64 {
            let (packed, mask) = (bytemuck::bytes_of(packed), bytemuck::bytes_of(mask));
            let (mut bits, mut n_bits) = (0, 0);
            let (packed, mask) = (packed.as_chunks().0, mask.as_chunks().0);
            for (packed, mask) in std::iter::zip(packed, mask) {
                let (packed, mask) = (u64::from_le_bytes(*packed), u64::from_le_bytes(*mask));
                // SAFETY: the kernel proves the feature.
                bits |= unsafe { std::arch::x86_64::_pext_u64(packed, mask) } << (n_bits & 63);
                n_bits += mask.count_ones();
            }
            bits
        }
    };
}

/// The way in which all kernels with AVX2 look ahead.
#[cfg(target_arch = "x86_64")]
macro_rules! looks_ahead {
    ($packed:ty) => {
        #[inline(always)]
        fn look_ahead(
            self,
            packed: &$packed,
            pattern: &$crate::kernel::ahead::Pattern,
            estimate: i32,
            numbers: &$crate::kernel::ahead::Lanes,
            survey: &mut $crate::kernel::ahead::Survey,
        ) -> (u32, $crate::kernel::ahead::Lanes) {
            // SAFETY: the kernel proves the feature.
            unsafe { $crate::kernel::avx2::look_ahead(packed, pattern, estimate, numbers, survey) }
        }
    };
}

pub(crate) mod ahead;
mod avx2;
mod avx512;
mod portable;
#[cfg(test)]
mod tests;

use std::iter::zip;

use bytemuck::Pod;

use crate::game::lines::Line;
use crate::game::packed::{Bits, Bytes, Read, Test};

use ahead::{Lanes, Pattern, Survey};
pub(crate) use portable::Portable;

/// The instructions that a search may use.
///
/// The results are the same; only the speed differs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Instructions {
    /// Instructions that every processor has.
    Portable,
    /// AVX2 and BMI, where the processor has them.
    Avx2,
    /// AVX-512 with byte permutations, where the processor has them. The default.
    #[default]
    Avx512,
}

impl Instructions {
    /// Return the best of these instructions and those below that this processor has.
    pub fn available(self) -> Self {
        if self >= Instructions::Avx512 && avx512::Avx512::detect().is_some() {
            Instructions::Avx512
        } else if self >= Instructions::Avx2 && avx2::Avx2::detect().is_some() {
            Instructions::Avx2
        } else {
            Instructions::Portable
        }
    }
}

/// The operations on packed states of type `R`.
///
/// A *change* is the effect of a rule or of a whole macro-rule on a state, in two operands (see
/// [`crate::game::packed`]). A list of packed states must be readable for 64 bytes beyond the first
/// `n`.
pub(crate) trait Kernel<R: Pod + Eq>: Copy + Send + Sync {
    /// Run a job in a separate function, compiled with these instructions.
    fn call<J: Job<R>>(self, job: J) -> J::Output;

    /// Return the state that a change leads to.
    fn change(self, packed: &R, first: &R, second: &R) -> R;

    /// Return whether a state agrees with `value` where `mask` has ones.
    fn agrees(self, packed: &R, mask: &R, value: &R) -> bool;

    /// Return the set of tests, out of the first `n` (at most 64), that a state passes.
    #[inline(always)]
    fn passed(self, packed: &R, masks: &[R], values: &[R], n: usize) -> u64 {
        let mut set = 0;
        for i in 0..n {
            set |= u64::from(self.agrees(packed, &masks[i], &values[i])) << i;
        }
        set
    }

    /// Return the set of changes, out of the first `n` (at most 64), that lead to states which
    /// agree with `value` where `mask` has ones.
    #[inline(always)]
    fn hits(self, packed: &R, first: &[R], second: &[R], n: usize, mask: &R, value: &R) -> u64 {
        let mut set = 0;
        for i in 0..n {
            let child = self.change(packed, &first[i], &second[i]);
            set |= u64::from(self.agrees(&child, mask, value)) << i;
        }
        set
    }

    /// Whether [`gather`](Self::gather) takes few instructions.
    const GATHERS: bool = false;

    /// Return the bits of a state where `mask` has ones, at most 64, side by side from the lowest
    /// one on.
    #[inline(always)]
    fn gather(self, packed: &R, mask: &R) -> u64 {
        gathered(packed, mask)
    }

    /// Estimate descendants of a node that has an estimate, and [survey](Survey::add) them, with a
    /// number for each. Return which are within the bound, and the estimates.
    #[inline(always)]
    fn look_ahead(
        self,
        packed: &R,
        pattern: &Pattern,
        estimate: i32,
        numbers: &Lanes,
        survey: &mut Survey,
    ) -> (u32, Lanes) {
        let ahead = ahead::estimates(bytemuck::bytes_of(packed), pattern, estimate);
        (survey.add(&ahead, numbers), ahead.after_both)
    }

    /// A goal, prepared for many comparisons.
    type Goal: Copy;

    /// The differences of some states from a goal.
    type Nearest: Copy;

    /// Prepare a goal.
    fn goal(self, goal: &Test<R>) -> Self::Goal;

    /// Return the value for no states.
    fn far(self) -> Self::Nearest;

    /// Return the smallest difference of the states to which all changes of some lines lead, and of
    /// `before`.
    fn nearest(
        self,
        packed: &R,
        first: &[Line],
        second: &[Line],
        goal: Self::Goal,
        before: Self::Nearest,
    ) -> Self::Nearest;

    /// Return whether one of the states may agree with the goal. If `false`, none does. If `true`,
    /// compare them again, one by one; goals are rare.
    fn may_hit(self, nearest: Self::Nearest) -> bool;
}

/// Return whether this processor gathers bits quickly. AMD's before Zen 3 take up to hundreds of
/// cycles for each word.
#[cfg(target_arch = "x86_64")]
pub(crate) fn gathers_quickly() -> bool {
    let vendor = std::arch::x86_64::__cpuid(0);
    let vendor = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
    let signature = std::arch::x86_64::__cpuid(1).eax;
    is_quick_at_gathering(vendor.as_flattened(), signature)
}

/// No kernel of this processor gathers bits by an instruction.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn gathers_quickly() -> bool {
    false
}

/// Return whether a processor of this vendor and with this signature gathers bits quickly.
#[cfg(any(target_arch = "x86_64", test))]
fn is_quick_at_gathering(vendor: &[u8], signature: u32) -> bool {
    const ZEN_3: u32 = 0x19;
    let family = match signature >> 8 & 0xF {
        0xF => 0xF + (signature >> 20 & 0xFF),
        family => family,
    };
    vendor != b"AuthenticAMD" && vendor != b"HygonGenuine" || family >= ZEN_3
}

/// Return the bits of a state where `mask` has ones, at most 64, side by side from the lowest one
/// on.
pub(crate) fn gathered<R: Pod>(packed: &R, mask: &R) -> u64 {
    let (mut bits, mut n_bits) = (0, 0);
    for (byte, mask) in zip(bytemuck::bytes_of(packed), bytemuck::bytes_of(mask)) {
        for bit in (0..8).filter(|bit| mask >> bit & 1 == 1) {
            bits |= u64::from(byte >> bit & 1).checked_shl(n_bits).unwrap_or(0);
            n_bits += 1;
        }
    }
    bits
}

/// Return the lowest `n` bits.
#[inline(always)]
pub(crate) fn lowest(n: usize) -> u64 {
    if n >= 64 { !0 } else { (1 << n) - 1 }
}

/// A job to be run with the best kernel.
pub(crate) trait Job<R: Pod + Eq> {
    /// The result.
    type Output;

    /// Run it. Implementations are `#[inline(always)]`, and so is all hot code in them, since only
    /// then is it compiled with the kernel's instructions.
    fn run<K: Kernel<R>>(self, kernel: K) -> Self::Output;
}

/// The best kernel of a processor.
enum Best {
    Portable(Portable),
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(avx512::Avx512),
}

impl Best {
    /// Return the best one with these instructions and those below.
    fn of(instructions: Instructions) -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if instructions >= Instructions::Avx512
                && let Some(kernel) = avx512::Avx512::detect()
            {
                return Self::Avx512(kernel);
            }
            if instructions >= Instructions::Avx2
                && let Some(kernel) = avx2::Avx2::detect()
            {
                return Self::Avx2(kernel);
            }
        }
        let _ = instructions;
        Self::Portable(Portable)
    }
}

/// Packed states that have kernels.
pub(crate) trait HasKernels: Read + Eq + Send + Sync + std::fmt::Debug {
    /// Whether searches by cost have an [interleaved walk](crate::walk::interleaved) for these
    /// packed states: only those of games that profit from it.
    const INTERLEAVES: bool;

    /// Whether rules are looked up in [sets](crate::plan::RuleSets): packed states have few bytes.
    const SETS: bool;

    /// Run a job with the best of these instructions and those below.
    fn with_kernel<J: Job<Self>>(instructions: Instructions, job: J) -> J::Output;

    /// Run a job with AVX2 at most: a job that waits for memory or calls a heuristic gains nothing
    /// by wider instructions.
    fn with_avx2_at_most<J: Job<Self>>(instructions: Instructions, job: J) -> J::Output;

    /// Run a job that takes little time with the portable kernel.
    fn with_any_kernel<J: Job<Self>>(job: J) -> J::Output;

    /// Return the state that a change leads to, where that is seldom needed.
    fn changed(&self, first: &Self, second: &Self) -> Self;

    /// Return whether this state agrees with `value` where `mask` has ones, likewise.
    fn agrees(&self, mask: &Self, value: &Self) -> bool;

    /// Run a job of an [interleaved walk](crate::walk::interleaved) in a function of its own;
    /// `None` without [`INTERLEAVES`](Self::INTERLEAVES).
    #[inline(always)]
    fn interleaved<K: Kernel<Self>, J: Job<Self>>(kernel: K, job: J) -> Option<J::Output> {
        if Self::INTERLEAVES {
            Some(kernel.call(job))
        } else {
            None
        }
    }

    /// Run a job with sets of rules in a function of its own; `None` without
    /// [`SETS`](Self::SETS).
    #[inline(always)]
    fn by_sets<K: Kernel<Self>, J: Job<Self>>(kernel: K, job: J) -> Option<J::Output> {
        if Self::SETS {
            Some(kernel.call(job))
        } else {
            None
        }
    }
}

/// Every kernel must be able to deal with the packed state, which bounds of a trait can't say for
/// all users of the trait.
macro_rules! has_kernels {
    ($packed:ty, interleaves: $interleaves:literal, sets: $sets:literal) => {
        impl HasKernels for $packed {
            const INTERLEAVES: bool = $interleaves;
            const SETS: bool = $sets;

            fn with_kernel<J: Job<Self>>(instructions: Instructions, job: J) -> J::Output {
                match Best::of(instructions) {
                    #[cfg(target_arch = "x86_64")]
                    Best::Avx512(kernel) => kernel.run(job),
                    #[cfg(target_arch = "x86_64")]
                    Best::Avx2(kernel) => kernel.run(job),
                    Best::Portable(kernel) => kernel.call(job),
                }
            }

            fn with_avx2_at_most<J: Job<Self>>(instructions: Instructions, job: J) -> J::Output {
                match Best::of(instructions.min(Instructions::Avx2)) {
                    #[cfg(target_arch = "x86_64")]
                    Best::Avx2(kernel) => kernel.run(job),
                    _ => Portable.call(job),
                }
            }

            fn with_any_kernel<J: Job<Self>>(job: J) -> J::Output {
                job.run(Portable)
            }

            fn changed(&self, first: &Self, second: &Self) -> Self {
                Portable.change(self, first, second)
            }

            fn agrees(&self, mask: &Self, value: &Self) -> bool {
                Portable.agrees(self, mask, value)
            }
        }
    };
}

has_kernels!(Bytes<16>, interleaves: true, sets: false);
has_kernels!(Bytes<32>, interleaves: true, sets: false);
has_kernels!(Bytes<64>, interleaves: false, sets: false);
has_kernels!(Bits<1>, interleaves: false, sets: true);
has_kernels!(Bits<2>, interleaves: false, sets: true);
has_kernels!(Bits<4>, interleaves: false, sets: false);
