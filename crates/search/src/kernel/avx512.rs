//! AVX-512: up to 64 bytes of children at a time.

/// Proof that the processor has AVX-512 with byte permutations (VBMI).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

#[cfg(not(target_arch = "x86_64"))]
impl Avx512 {
    /// Return `None`, since other processors lack the instructions.
    pub(crate) fn detect() -> Option<Self> {
        None
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;
    use std::iter::zip;

    use bytemuck::Pod;

    use super::*;
    use crate::game::lines::Line;
    use crate::game::packed::{Bits, Bytes, Test};
    use crate::kernel::{Job, Kernel, Portable, lowest};

    impl Avx512 {
        /// Detect whether the processor has all needed features.
        pub(crate) fn detect() -> Option<Self> {
            let there = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vbmi")
                && is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt");
            there.then_some(Avx512(()))
        }

        /// Run a job with these instructions.
        pub(crate) fn run<R: Lanes, J: Job<R>>(self, job: J) -> J::Output {
            #[inline(never)]
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,popcnt")]
            fn with_features<R: Lanes, J: Job<R>>(kernel: Avx512, job: J) -> J::Output {
                job.run(kernel)
            }
            // SAFETY: only `detect` makes a value of this type, and only where the features exist.
            unsafe { with_features(self, job) }
        }
    }

    /// Packed states, of which one or several fill 64 bytes. The methods take the kernel as a proof
    /// that the processor has the instructions.
    pub(crate) trait Lanes: Pod + Eq + Send + Sync {
        /// Fill 64 bytes with copies of a packed state.
        fn spread(self, kernel: Avx512) -> __m512i;

        /// Return as many children as fit, from spread parents.
        fn children(kernel: Avx512, parents: __m512i, first: __m512i, second: __m512i) -> __m512i;

        /// Return one child.
        fn child(&self, kernel: Avx512, first: &Self, second: &Self) -> Self;

        /// Return whether this packed state agrees with `value` where `mask` has ones.
        fn is_like(&self, kernel: Avx512, mask: &Self, value: &Self) -> bool;

        /// Whether changes are shuffles, so that the second operand of a change has no meaning.
        const SHUFFLES: bool;
    }

    /// Return the number of packed states in 64 bytes.
    const fn lanes<R>() -> usize {
        64 / size_of::<R>()
    }

    /// The first `n` packed states of a list, and those that follow them, in blocks of 64 bytes.
    #[derive(Clone, Copy)]
    struct Blocks<R> {
        first: *const R,
        n: usize,
    }

    impl<R: Pod> Blocks<R> {
        /// # Panics
        /// If the list ends before the last block.
        #[inline(always)]
        fn new(_: Avx512, list: &[R], n: usize) -> Self {
            assert!(n.next_multiple_of(lanes::<R>()) <= list.len());
            Self {
                first: list.as_ptr(),
                n,
            }
        }

        /// Load the block that begins with packed state `i`.
        ///
        /// # Safety
        /// `i` is below `n` and a multiple of the number of packed states in a block, and the list
        /// that the blocks were made from still exists.
        #[inline(always)]
        unsafe fn load(self, i: usize) -> __m512i {
            debug_assert!(i < self.n && i.is_multiple_of(lanes::<R>()));
            // SAFETY: the packed states are plain bytes, the whole block is inside the list (see
            // `new`), and `new` took a kernel, which proves the feature.
            unsafe { _mm512_loadu_si512(self.first.add(i).cast()) }
        }
    }

    /// Return the bits in which two registers differ, where `mask` has ones.
    #[inline(always)]
    fn differences(_: Avx512, a: __m512i, b: __m512i, mask: __m512i) -> __m512i {
        // SAFETY: the kernel proves the features. 0x28 is the truth table of (a ^ b) & mask.
        unsafe { _mm512_ternarylogic_epi64::<0x28>(a, b, mask) }
    }

    /// Return the set of 64-bit words that are zero.
    #[inline(always)]
    fn zero_words(_: Avx512, packed_states: __m512i) -> u64 {
        // SAFETY: the kernel proves the features.
        u64::from(unsafe { _mm512_testn_epi64_mask(packed_states, packed_states) })
    }

    /// Return the set of packed states that are zero, from the zero words of up to eight registers.
    #[inline(always)]
    fn zero_rows<R>(_: Avx512, words: u64) -> u64 {
        let pairs = words & words >> 1;
        let fours = pairs & pairs >> 2;
        // SAFETY: the kernel proves the features.
        unsafe {
            match size_of::<R>() {
                8 => words,
                16 => _pext_u64(pairs, 0x5555_5555_5555_5555),
                32 => _pext_u64(fours, 0x1111_1111_1111_1111),
                _ => _pext_u64(fours & fours >> 4, 0x0101_0101_0101_0101),
            }
        }
    }

    /// The set of the packed states below `n`, at most 64, whose differences are zero; the
    /// expression gives the differences of the block that begins with packed state `i`. Not a
    /// function with a closure, which might not be inlined into the loop.
    macro_rules! set_of_zero_rows {
        ($packed:ty, $kernel:expr, $n:expr, $i:ident => $differences:expr) => {{
            let (mut set, mut $i) = (0, 0);
            while $i < $n {
                let first = $i;
                let (mut words, mut shift) = (0, 0);
                while $i < $n && shift < u64::BITS {
                    words |= zero_words($kernel, $differences) << shift;
                    shift += 8;
                    $i += lanes::<$packed>();
                }
                set |= zero_rows::<$packed>($kernel, words) << first;
            }
            set & lowest($n)
        }};
    }

    impl<R: Lanes> Kernel<R> for Avx512 {
        looks_ahead!(R);

        gathers!(R);

        #[inline(always)]
        fn call<J: Job<R>>(self, job: J) -> J::Output {
            self.run(job)
        }

        #[inline(always)]
        fn change(self, packed: &R, first: &R, second: &R) -> R {
            packed.child(self, first, second)
        }

        #[inline(always)]
        fn agrees(self, packed: &R, mask: &R, value: &R) -> bool {
            packed.is_like(self, mask, value)
        }

        #[inline(always)]
        fn passed(self, packed: &R, masks: &[R], values: &[R], n: usize) -> u64 {
            let packed_states = packed.spread(self);
            let (masks, values) = (Blocks::new(self, masks, n), Blocks::new(self, values, n));
            set_of_zero_rows!(R, self, n, i => {
                // SAFETY: `i` is below `n`, in steps of a block.
                let (mask, value) = unsafe { (masks.load(i), values.load(i)) };
                differences(self, packed_states, value, mask)
            })
        }

        #[inline(always)]
        fn hits(self, packed: &R, first: &[R], second: &[R], n: usize, mask: &R, value: &R) -> u64 {
            let packed_states = packed.spread(self);
            let (mask, value) = (mask.spread(self), value.spread(self));
            let changes = Changes::new(self, first, second, n);
            set_of_zero_rows!(R, self, n, i => {
                // SAFETY: `i` is below `n`, in steps of a block.
                let children = unsafe { changes.children(self, packed_states, i) };
                differences(self, children, value, mask)
            })
        }

        /// Mask and value, each repeated as often as it fits.
        type Goal = (__m512i, __m512i);

        /// The least difference of each 64-bit word over all children: 0 only if some child agrees
        /// in that word.
        type Nearest = __m512i;

        #[inline(always)]
        fn goal(self, goal: &Test<R>) -> Self::Goal {
            (goal.mask.spread(self), goal.value.spread(self))
        }

        #[inline(always)]
        fn far(self) -> __m512i {
            // SAFETY: the kernel proves the features.
            unsafe { _mm512_set1_epi64(-1) }
        }

        #[inline(always)]
        fn nearest(
            self,
            packed: &R,
            first: &[Line],
            second: &[Line],
            (masks, values): Self::Goal,
            mut before: __m512i,
        ) -> __m512i {
            let packed_states = packed.spread(self);
            for (first, second) in zip(first, second) {
                // SAFETY: a line has 64 bytes; the kernel proves the features.
                let first = unsafe { _mm512_loadu_si512(first.as_ptr().cast()) };
                let second = if R::SHUFFLES {
                    first
                } else {
                    // SAFETY: as above.
                    unsafe { _mm512_loadu_si512(second.as_ptr().cast()) }
                };
                let children = R::children(self, packed_states, first, second);
                let difference = differences(self, children, values, masks);
                // SAFETY: the kernel proves the features.
                before = unsafe { _mm512_min_epu64(before, difference) };
            }
            before
        }

        #[inline(always)]
        fn may_hit(self, nearest: __m512i) -> bool {
            zero_rows::<R>(self, zero_words(self, nearest)) != 0
        }
    }

    /// The first `n` changes of a list.
    #[derive(Clone, Copy)]
    struct Changes<R> {
        first: Blocks<R>,
        second: Blocks<R>,
    }

    impl<R: Lanes> Changes<R> {
        #[inline(always)]
        fn new(kernel: Avx512, first: &[R], second: &[R], n: usize) -> Self {
            let first = Blocks::new(kernel, first, n);
            let second = if R::SHUFFLES {
                first
            } else {
                Blocks::new(kernel, second, n)
            };
            Self { first, second }
        }

        /// Return the children by the changes from number `i` on.
        ///
        /// # Safety
        /// As for [`Blocks::load`].
        #[inline(always)]
        unsafe fn children(self, kernel: Avx512, packed_states: __m512i, i: usize) -> __m512i {
            // SAFETY: the caller guarantees it.
            let first = unsafe { self.first.load(i) };
            let second = if R::SHUFFLES {
                first
            } else {
                // SAFETY: the caller guarantees it.
                unsafe { self.second.load(i) }
            };
            R::children(kernel, packed_states, first, second)
        }
    }

    macro_rules! lanes {
        ($packed:ty, $shuffles:literal, $bytes:ident => $spread:expr,
         ($parents:ident, $first:ident, $second:ident) => $children:expr,
         ($parent:ident, $one:ident, $two:ident) => $child:expr,
         ($packed_of:ident, $mask:ident, $value:ident) => $is_like:expr) => {
            impl Lanes for $packed {
                const SHUFFLES: bool = $shuffles;

                #[inline(always)]
                fn spread(self, _: Avx512) -> __m512i {
                    let $bytes = &self.0;
                    // SAFETY: the kernel proves the features; the packed state has as many bytes as
                    // are loaded.
                    unsafe { $spread }
                }

                #[inline(always)]
                fn children(
                    _: Avx512,
                    $parents: __m512i,
                    $first: __m512i,
                    $second: __m512i,
                ) -> __m512i {
                    // SAFETY: the kernel proves the features.
                    unsafe { $children }
                }

                #[inline(always)]
                #[allow(unused_unsafe, reason = "one word needs no instructions of its own")]
                fn child(&self, _: Avx512, $one: &Self, $two: &Self) -> Self {
                    let $parent = self;
                    // SAFETY: the kernel proves the features; all packed states have as many plain
                    // bytes as are loaded and stored.
                    unsafe { $child }
                }

                #[inline(always)]
                #[allow(unused_unsafe, reason = "one word needs no instructions of its own")]
                fn is_like(&self, _: Avx512, $mask: &Self, $value: &Self) -> bool {
                    let $packed_of = self;
                    // SAFETY: the kernel proves the features; all packed states have as many bytes
                    // as are loaded.
                    unsafe { $is_like }
                }
            }
        };
    }

    /// Load the bytes of a packed state into a register of the same size.
    macro_rules! load {
        (16, $packed:expr) => {
            _mm_loadu_si128(std::ptr::from_ref($packed).cast())
        };
        (32, $packed:expr) => {
            _mm256_loadu_si256(std::ptr::from_ref($packed).cast())
        };
        (64, $packed:expr) => {
            _mm512_loadu_si512(std::ptr::from_ref($packed).cast())
        };
    }

    // The truth tables: 0xEA is (parent & first) | second, 0x28 is (packed state ^ value) & mask.

    lanes!(Bytes<16>, true,
    packed => _mm512_broadcast_i32x4(load!(16, packed)),
    (parents, first, _second) => _mm512_shuffle_epi8(parents, first),
    (parent, first, _second) => {
        std::mem::transmute(_mm_shuffle_epi8(load!(16, parent), load!(16, first)))
    },
    (packed, mask, value) => {
        let difference = _mm_xor_si128(load!(16, packed), load!(16, value));
        _mm_testz_si128(difference, load!(16, mask)) == 1
    });
    // Indices up to 31 into two copies of 32 bytes: all come from the first copy.
    lanes!(Bytes<32>, true,
    packed => _mm512_broadcast_i64x4(load!(32, packed)),
    (parents, first, _second) => _mm512_permutexvar_epi8(first, parents),
    (parent, first, _second) => {
        std::mem::transmute(_mm256_permutexvar_epi8(load!(32, first), load!(32, parent)))
    },
    (packed, mask, value) => {
        let difference = _mm256_xor_si256(load!(32, packed), load!(32, value));
        _mm256_testz_si256(difference, load!(32, mask)) == 1
    });
    lanes!(Bytes<64>, true,
    packed => load!(64, packed),
    (parents, first, _second) => _mm512_permutexvar_epi8(first, parents),
    (parent, first, _second) => {
        std::mem::transmute(_mm512_permutexvar_epi8(load!(64, first), load!(64, parent)))
    },
    (packed, mask, value) => {
        let (packed, value, mask) = (load!(64, packed), load!(64, value), load!(64, mask));
        let difference = _mm512_ternarylogic_epi64::<0x28>(packed, value, mask);
        _mm512_test_epi64_mask(difference, difference) == 0
    });
    lanes!(Bits<1>, false,
        packed => _mm512_set1_epi64(packed[0] as i64),
        (parents, first, second) => _mm512_ternarylogic_epi64::<0xEA>(parents, first, second),
        (parent, first, second) => Portable.change(parent, first, second),
        (packed, mask, value) => Portable.agrees(packed, mask, value));
    lanes!(Bits<2>, false,
    packed => _mm512_broadcast_i32x4(load!(16, packed)),
    (parents, first, second) => _mm512_ternarylogic_epi64::<0xEA>(parents, first, second),
    (parent, first, second) => std::mem::transmute(_mm_ternarylogic_epi64::<0xEA>(
        load!(16, parent), load!(16, first), load!(16, second))),
    (packed, mask, value) => {
        let difference = _mm_xor_si128(load!(16, packed), load!(16, value));
        _mm_testz_si128(difference, load!(16, mask)) == 1
    });
    lanes!(Bits<4>, false,
    packed => _mm512_broadcast_i64x4(load!(32, packed)),
    (parents, first, second) => _mm512_ternarylogic_epi64::<0xEA>(parents, first, second),
    (parent, first, second) => std::mem::transmute(_mm256_ternarylogic_epi64::<0xEA>(
        load!(32, parent), load!(32, first), load!(32, second))),
    (packed, mask, value) => {
        let difference = _mm256_xor_si256(load!(32, packed), load!(32, value));
        _mm256_testz_si256(difference, load!(32, mask)) == 1
    });
}
