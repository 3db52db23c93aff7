//! AVX2: up to 32 bytes of children at a time.

/// Proof that the processor has AVX2, BMI and a population count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

#[cfg(not(target_arch = "x86_64"))]
impl Avx2 {
    /// Return `None`, since other processors lack the instructions.
    pub(crate) fn detect() -> Option<Self> {
        None
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::look_ahead;

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use bytemuck::Pod;

    use super::*;
    use crate::game::lines::Line;
    use crate::game::packed::{Bits, Bytes, Test};
    use crate::kernel::ahead::{self, Lanes, N_PATTERN_VALUES, Pattern, Survey};
    use crate::kernel::{Job, Kernel, Portable, lowest};

    impl Avx2 {
        /// Detect whether the processor has all needed features.
        pub(crate) fn detect() -> Option<Self> {
            let there = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt");
            there.then_some(Avx2(()))
        }

        /// Run a job with these instructions.
        pub(crate) fn run<R: Pod + Eq, J: Job<R>>(self, job: J) -> J::Output
        where
            Self: Kernel<R>,
        {
            #[inline(never)]
            #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
            fn with_features<R: Pod + Eq, J: Job<R>>(kernel: Avx2, job: J) -> J::Output
            where
                Avx2: Kernel<R>,
            {
                job.run(kernel)
            }
            // SAFETY: only `detect` makes a value of this type, and only where the features exist.
            unsafe { with_features(self, job) }
        }
    }

    /// Load the 32 bytes of a packed state of this size.
    #[inline(always)]
    fn load32<R: Pod>(_: Avx2, packed: &R) -> __m256i {
        const { assert!(size_of::<R>() >= 32) };
        // SAFETY: the packed state has that many plain bytes; the kernel proves the feature.
        unsafe { _mm256_loadu_si256(std::ptr::from_ref(packed).cast()) }
    }

    /// Return the packed state in a register.
    #[inline(always)]
    fn store32<R: Pod>(_: Avx2, value: __m256i) -> R {
        const { assert!(size_of::<R>() == 32) };
        // SAFETY: both are 32 plain bytes.
        unsafe { std::mem::transmute_copy(&value) }
    }

    /// Return whether two registers agree where the mask has ones.
    #[inline(always)]
    fn agree32(_: Avx2, a: __m256i, b: __m256i, mask: __m256i) -> bool {
        // SAFETY: the kernel proves the feature.
        unsafe { _mm256_testz_si256(_mm256_xor_si256(a, b), mask) == 1 }
    }

    /// Pick bytes from 32, by indices up to 31.
    #[inline(always)]
    fn shuffle32(_: Avx2, bytes: __m256i, indices: __m256i) -> __m256i {
        // SAFETY: the kernel proves the feature.
        unsafe {
            let low = _mm256_permute2x128_si256::<0x00>(bytes, bytes);
            let high = _mm256_permute2x128_si256::<0x11>(bytes, bytes);
            // The blend tests the top bit of each byte: bit 4 of the index, shifted there.
            let is_high = _mm256_slli_epi16::<3>(indices);
            _mm256_blendv_epi8(
                _mm256_shuffle_epi8(low, indices),
                _mm256_shuffle_epi8(high, indices),
                is_high,
            )
        }
    }

    /// Pick 32 bytes from 64, by indices up to 63.
    #[inline(always)]
    fn half_of_64(kernel: Avx2, low: __m256i, high: __m256i, indices: __m256i) -> __m256i {
        // SAFETY: the kernel proves the feature.
        unsafe {
            // Bit 5 of an index selects the half that a byte comes from; it is shifted to the top.
            let is_high = _mm256_slli_epi16::<2>(indices);
            let indices = _mm256_and_si256(indices, _mm256_set1_epi8(31));
            _mm256_blendv_epi8(
                shuffle32(kernel, low, indices),
                shuffle32(kernel, high, indices),
                is_high,
            )
        }
    }

    /// Pick bytes from a table of 16 or 32, by indices below its size.
    ///
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    unsafe fn pick<const N: usize>(table: &[u8; N], indices: __m128i) -> __m128i {
        const { assert!(N == 16 || N == 32) };
        // SAFETY: the table has that many bytes; the caller guarantees the feature.
        unsafe {
            let low = _mm_shuffle_epi8(_mm_loadu_si128(table.as_ptr().cast()), indices);
            if N == 16 {
                return low;
            }
            let high = _mm_loadu_si128(table.as_ptr().add(N - 16).cast());
            let high = _mm_shuffle_epi8(high, indices);
            // The blend tests the top bit of each byte: bit 4 of the index, shifted there.
            _mm_blendv_epi8(low, high, _mm_slli_epi16::<3>(indices))
        }
    }

    /// Pick from a table by values below `N`, which is 16 or 32.
    ///
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    unsafe fn pick_below<const N: usize>(
        table: &[u8; N_PATTERN_VALUES],
        values: __m128i,
    ) -> __m128i {
        // SAFETY: the caller guarantees the feature.
        unsafe {
            if N == 16
                && let Some(table) = table.first_chunk::<16>()
            {
                return pick(table, values);
            }
            pick(table, values)
        }
    }

    /// See [`Kernel::look_ahead`]. With these instructions for 16 bytes or 32.
    ///
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    pub(in crate::kernel) unsafe fn look_ahead<R: Pod>(
        packed: &R,
        pattern: &Pattern,
        estimate: i32,
        numbers: &Lanes,
        survey: &mut Survey,
    ) -> (u32, Lanes) {
        let bytes = bytemuck::bytes_of(packed);
        // SAFETY: the caller guarantees the feature.
        unsafe {
            if let Ok(bytes) = <&[u8; 16]>::try_from(bytes) {
                return look_ahead_from(bytes, pattern, estimate, numbers, survey);
            }
            if let Ok(bytes) = <&[u8; 32]>::try_from(bytes) {
                return look_ahead_from(bytes, pattern, estimate, numbers, survey);
            }
        }
        let ahead = ahead::estimates(bytes, pattern, estimate);
        (survey.add(&ahead, numbers), ahead.after_both)
    }

    /// Look ahead from a state of 16 bytes with values below 16, or one of 32 with values below 32.
    ///
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    unsafe fn look_ahead_from<const N: usize>(
        packed: &[u8; N],
        pattern: &Pattern,
        estimate: i32,
        numbers: &Lanes,
        survey: &mut Survey,
    ) -> (u32, Lanes) {
        // SAFETY: the arrays have 16 bytes each, or 32, and lanes have 32, at multiples of 32; the
        // caller guarantees the feature.
        unsafe {
            let load = |bytes: &[u8; 16]| _mm_loadu_si128(bytes.as_ptr().cast());
            let lanes = |lanes: &Lanes| _mm256_load_si256(lanes.0.as_ptr().cast());
            let values = pick(packed, load(&pattern.bytes));
            let first = pick_below::<N>(&pattern.greater[0], values);
            let second = pick_below::<N>(&pattern.greater[1], values);
            // Of each byte, the bit of its lane.
            let bits = _mm_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
            let greater = _mm_blend_epi16::<0xF0>(first, second);
            let greater = _mm_cmpeq_epi8(_mm_and_si128(greater, bits), bits);
            let more = _mm_and_si128(greater, load(&pattern.more));
            let lesser = _mm_loadu_si128(pattern.lesser.as_ptr().cast());
            let added = _mm_add_epi8(lesser, more);
            let one = _mm256_cvtepi8_epi32(added);
            let one = _mm256_add_epi32(one, _mm256_set1_epi32(estimate));
            let both = _mm256_cvtepi8_epi32(_mm_unpackhi_epi64(added, added));
            let both = _mm256_add_epi32(both, one);
            // Where the first rule leads beyond the bound, its estimate counts.
            let is_within = _mm256_castsi256_ps(one);
            let last = _mm256_blendv_ps(is_within, _mm256_castsi256_ps(both), is_within);
            let within = _mm256_movemask_ps(last) as u32;
            let last = _mm256_castps_si256(last);
            let beyond = _mm256_min_epu32(lanes(&survey.beyond), last);
            let counted = _mm256_and_si256(_mm256_srai_epi32::<31>(one), lanes(numbers));
            let counts = _mm256_add_epi32(lanes(&survey.counts), counted);
            survey.beyond = std::mem::transmute::<__m256i, Lanes>(beyond);
            survey.counts = std::mem::transmute::<__m256i, Lanes>(counts);
            (within, std::mem::transmute::<__m256i, Lanes>(both))
        }
    }

    impl Kernel<Bytes<16>> for Avx2 {
        looks_ahead!(Bytes<16>);

        gathers!(Bytes<16>);

        #[inline(always)]
        fn call<J: Job<Bytes<16>>>(self, job: J) -> J::Output {
            self.run(job)
        }

        #[inline(always)]
        fn change(self, packed: &Bytes<16>, first: &Bytes<16>, _second: &Bytes<16>) -> Bytes<16> {
            // SAFETY: the packed states have 16 bytes; the kernel proves the feature.
            unsafe {
                let packed = _mm_loadu_si128(packed.0.as_ptr().cast());
                let shuffle = _mm_loadu_si128(first.0.as_ptr().cast());
                std::mem::transmute(_mm_shuffle_epi8(packed, shuffle))
            }
        }

        #[inline(always)]
        fn agrees(self, packed: &Bytes<16>, mask: &Bytes<16>, value: &Bytes<16>) -> bool {
            // SAFETY: the packed states have 16 bytes; the kernel proves the feature.
            unsafe {
                let packed = _mm_loadu_si128(packed.0.as_ptr().cast());
                let value = _mm_loadu_si128(value.0.as_ptr().cast());
                let mask = _mm_loadu_si128(mask.0.as_ptr().cast());
                _mm_testz_si128(_mm_xor_si128(packed, value), mask) == 1
            }
        }

        /// Mask and value, twice each.
        type Goal = (__m256i, __m256i);

        /// Words that are all ones where some child agreed.
        type Nearest = __m256i;

        #[inline(always)]
        fn goal(self, goal: &Test<Bytes<16>>) -> Self::Goal {
            (twice(self, &goal.mask), twice(self, &goal.value))
        }

        #[inline(always)]
        fn far(self) -> __m256i {
            // SAFETY: the kernel proves the feature.
            unsafe { _mm256_setzero_si256() }
        }

        #[inline(always)]
        fn nearest(
            self,
            packed: &Bytes<16>,
            first: &[Line],
            _second: &[Line],
            (masks, values): Self::Goal,
            mut before: __m256i,
        ) -> __m256i {
            let packed_states = twice(self, packed);
            for half in first.iter().flat_map(Line::packed_states::<[u8; 32]>) {
                let shuffles = load32(self, half);
                // SAFETY: the kernel proves the feature.
                unsafe {
                    let children = _mm256_shuffle_epi8(packed_states, shuffles);
                    let difference = _mm256_and_si256(_mm256_xor_si256(children, values), masks);
                    let zeros = _mm256_cmpeq_epi64(difference, _mm256_setzero_si256());
                    before = _mm256_or_si256(before, zeros);
                }
            }
            before
        }

        #[inline(always)]
        fn may_hit(self, nearest: __m256i) -> bool {
            // SAFETY: the kernel proves the feature.
            let words = unsafe { _mm256_movemask_pd(_mm256_castsi256_pd(nearest)) };
            words & words >> 1 & 0b101 != 0
        }
    }

    /// Two copies of 16 bytes.
    #[inline(always)]
    fn twice(_: Avx2, packed: &Bytes<16>) -> __m256i {
        // SAFETY: the packed state has 16 bytes; the kernel proves the feature.
        unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(packed.0.as_ptr().cast())) }
    }

    /// Combine the parts of two lanes, each in one register.
    #[inline(always)]
    fn combine(_: Avx2, one: __m256i, two: __m256i) -> __m256i {
        // SAFETY: the kernel proves the feature.
        unsafe {
            let low = _mm256_permute2x128_si256::<0x20>(one, two);
            let high = _mm256_permute2x128_si256::<0x31>(one, two);
            _mm256_or_si256(low, high)
        }
    }

    /// Return words that are all ones where one of two lanes agrees with the goal's.
    #[inline(always)]
    fn agreeing_words(_: Avx2, lanes: __m256i, (masks, values): (__m256i, __m256i)) -> __m256i {
        // SAFETY: the kernel proves the feature.
        unsafe {
            let difference = _mm256_and_si256(_mm256_xor_si256(lanes, values), masks);
            _mm256_cmpeq_epi64(difference, _mm256_setzero_si256())
        }
    }

    /// The comparisons with a goal that compare only the first lanes of children, two at a time.
    /// There a child rarely agrees with a goal.
    macro_rules! by_first_lane {
        ($packed:ty) => {
            /// Mask and value of the first lane, twice each.
            type Goal = (__m256i, __m256i);

            /// Words that are all ones where the first lane of some child agreed.
            type Nearest = __m256i;

            #[inline(always)]
            fn goal(self, goal: &Test<$packed>) -> Self::Goal {
                let lane_twice = |it: &$packed| {
                    let (lane, _) = it.0.split_first_chunk().expect("there is a lane");
                    twice(self, &Bytes(*lane))
                };
                (lane_twice(&goal.mask), lane_twice(&goal.value))
            }

            #[inline(always)]
            fn far(self) -> __m256i {
                // SAFETY: the kernel proves the feature.
                unsafe { _mm256_setzero_si256() }
            }

            #[inline(always)]
            fn may_hit(self, nearest: __m256i) -> bool {
                // SAFETY: the kernel proves the feature.
                let words = unsafe { _mm256_movemask_pd(_mm256_castsi256_pd(nearest)) };
                words & words >> 1 & 0b101 != 0
            }
        };
    }

    impl Kernel<Bytes<32>> for Avx2 {
        looks_ahead!(Bytes<32>);

        by_first_lane!(Bytes<32>);

        #[inline(always)]
        fn nearest(
            self,
            packed: &Bytes<32>,
            _first: &[Line],
            second: &[Line],
            goal: Self::Goal,
            mut before: __m256i,
        ) -> __m256i {
            let packed = load32(self, packed);
            for line in second {
                let halves = line.packed_states::<[u8; 32]>();
                let (one, two) = (load32(self, &halves[0]), load32(self, &halves[1]));
                // SAFETY: the kernel proves the feature.
                unsafe {
                    let one = _mm256_shuffle_epi8(packed, one);
                    let two = _mm256_shuffle_epi8(packed, two);
                    let words = agreeing_words(self, combine(self, one, two), goal);
                    before = _mm256_or_si256(before, words);
                }
            }
            before
        }

        #[inline(always)]
        fn call<J: Job<Bytes<32>>>(self, job: J) -> J::Output {
            self.run(job)
        }

        #[inline(always)]
        fn change(self, packed: &Bytes<32>, first: &Bytes<32>, _second: &Bytes<32>) -> Bytes<32> {
            store32(
                self,
                shuffle32(self, load32(self, packed), load32(self, first)),
            )
        }

        #[inline(always)]
        fn agrees(self, packed: &Bytes<32>, mask: &Bytes<32>, value: &Bytes<32>) -> bool {
            let (packed, value) = (load32(self, packed), load32(self, value));
            agree32(self, packed, value, load32(self, mask))
        }
    }

    /// Return the first lane of a child of 64 bytes, in two parts.
    #[inline(always)]
    fn first_lane_of_64(kernel: Avx2, low: __m256i, high: __m256i, second: &Line) -> __m256i {
        let halves = second.packed_states::<[u8; 32]>();
        // SAFETY: the kernel proves the feature.
        unsafe {
            let low = _mm256_shuffle_epi8(low, load32(kernel, &halves[0]));
            let high = _mm256_shuffle_epi8(high, load32(kernel, &halves[1]));
            _mm256_or_si256(low, high)
        }
    }

    impl Kernel<Bytes<64>> for Avx2 {
        by_first_lane!(Bytes<64>);

        #[inline(always)]
        fn nearest(
            self,
            packed: &Bytes<64>,
            _first: &[Line],
            second: &[Line],
            goal: Self::Goal,
            mut before: __m256i,
        ) -> __m256i {
            let bytes: [[u8; 32]; 2] = bytemuck::cast(packed.0);
            let (low, high) = (load32(self, &bytes[0]), load32(self, &bytes[1]));
            for pair in second.chunks(2) {
                let one = first_lane_of_64(self, low, high, &pair[0]);
                let two = first_lane_of_64(self, low, high, &pair[pair.len() - 1]);
                let words = agreeing_words(self, combine(self, one, two), goal);
                // SAFETY: the kernel proves the feature.
                before = unsafe { _mm256_or_si256(before, words) };
            }
            before
        }

        #[inline(always)]
        fn call<J: Job<Bytes<64>>>(self, job: J) -> J::Output {
            self.run(job)
        }

        #[inline(always)]
        fn change(self, packed: &Bytes<64>, first: &Bytes<64>, _second: &Bytes<64>) -> Bytes<64> {
            let bytes: [[u8; 32]; 2] = bytemuck::cast(packed.0);
            let (low, high) = (load32(self, &bytes[0]), load32(self, &bytes[1]));
            let indices: [[u8; 32]; 2] = bytemuck::cast(first.0);
            let one = half_of_64(self, low, high, load32(self, &indices[0]));
            let two = half_of_64(self, low, high, load32(self, &indices[1]));
            let halves: [[u8; 32]; 2] = [store32(self, one), store32(self, two)];
            Bytes(bytemuck::cast(halves))
        }

        #[inline(always)]
        fn agrees(self, packed: &Bytes<64>, mask: &Bytes<64>, value: &Bytes<64>) -> bool {
            Portable.agrees(packed, mask, value)
        }
    }

    impl Kernel<Bits<1>> for Avx2 {
        one_by_one!(Bits<1>);

        gathers!(Bits<1>);

        #[inline(always)]
        fn call<J: Job<Bits<1>>>(self, job: J) -> J::Output {
            self.run(job)
        }

        #[inline(always)]
        fn change(self, packed: &Bits<1>, first: &Bits<1>, second: &Bits<1>) -> Bits<1> {
            Portable.change(packed, first, second)
        }

        #[inline(always)]
        fn agrees(self, packed: &Bits<1>, mask: &Bits<1>, value: &Bits<1>) -> bool {
            Portable.agrees(packed, mask, value)
        }

        #[inline(always)]
        fn passed(self, packed: &Bits<1>, masks: &[Bits<1>], values: &[Bits<1>], n: usize) -> u64 {
            let reach = n.next_multiple_of(4);
            assert!(reach <= masks.len() && reach <= values.len());
            let mut set = 0;
            // SAFETY: four words from each multiple of four below n are in the lists; the kernel
            // proves the feature.
            unsafe {
                let packed_states = _mm256_set1_epi64x(packed.0[0] as i64);
                let mut i = 0;
                while i < n {
                    let mask = _mm256_loadu_si256(masks.as_ptr().add(i).cast());
                    let value = _mm256_loadu_si256(values.as_ptr().add(i).cast());
                    let equal = _mm256_cmpeq_epi64(_mm256_and_si256(packed_states, mask), value);
                    let bits = _mm256_movemask_pd(_mm256_castsi256_pd(equal));
                    set |= (bits as u64) << i;
                    i += 4;
                }
            }
            set & lowest(n)
        }

        #[inline(always)]
        fn hits(
            self,
            packed: &Bits<1>,
            first: &[Bits<1>],
            second: &[Bits<1>],
            n: usize,
            mask: &Bits<1>,
            value: &Bits<1>,
        ) -> u64 {
            let reach = n.next_multiple_of(4);
            assert!(reach <= first.len() && reach <= second.len());
            let mut set = 0;
            // SAFETY: four words from each multiple of four below n are in the lists; the kernel
            // proves the feature.
            unsafe {
                let packed_states = _mm256_set1_epi64x(packed.0[0] as i64);
                let masks = _mm256_set1_epi64x(mask.0[0] as i64);
                let values = _mm256_set1_epi64x(value.0[0] as i64);
                let mut i = 0;
                while i < n {
                    let keep = _mm256_loadu_si256(first.as_ptr().add(i).cast());
                    let put = _mm256_loadu_si256(second.as_ptr().add(i).cast());
                    let children = _mm256_or_si256(_mm256_and_si256(packed_states, keep), put);
                    let equal = _mm256_cmpeq_epi64(_mm256_and_si256(children, masks), values);
                    let bits = _mm256_movemask_pd(_mm256_castsi256_pd(equal));
                    set |= (bits as u64) << i;
                    i += 4;
                }
            }
            set & lowest(n)
        }
    }

    /// Packed states of several words: the compiler vectorizes these loops by itself.
    macro_rules! words {
        ($packed:ty) => {
            impl Kernel<$packed> for Avx2 {
                one_by_one!($packed);

                gathers!($packed);

                #[inline(always)]
                fn call<J: Job<$packed>>(self, job: J) -> J::Output {
                    self.run(job)
                }

                #[inline(always)]
                fn change(self, packed: &$packed, first: &$packed, second: &$packed) -> $packed {
                    Portable.change(packed, first, second)
                }

                #[inline(always)]
                fn agrees(self, packed: &$packed, mask: &$packed, value: &$packed) -> bool {
                    Portable.agrees(packed, mask, value)
                }
            }
        };
    }

    words!(Bits<2>);
    words!(Bits<4>);
}
