use std::collections::BTreeSet;

use proptest::prelude::*;
use sorted_states::{append, sort};

/// Bits of which few or many differ.
fn masks() -> impl Strategy<Value = u64> {
    (any::<u64>(), 0_u32..64, 0_u32..64).prop_map(|(bits, low, high)| bits >> high << low)
}

fn random_words(seed: u64, n: usize, change: impl Fn(u64) -> u64) -> Vec<u64> {
    let mut random = seed | 1;
    let word = |_| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        change(random)
    };
    (0..n).map(word).collect()
}

/// More words than stay in a near cache, which differ in few, many, high or low bits, or which are
/// nearly all in one part.
#[test]
fn words_in_parts_are_sorted() {
    let change: [fn(u64) -> u64; 8] = [
        |word| word,
        |word| word >> 42,
        |word| word >> 63,
        |word| word & 0xff << 56,
        |word| word >> 20 & 0xff_ffff | 7 << 60,
        |word| 1 << (word >> 58),
        |word| word >> 40 | u64::from(word % 1_000 == 0) << 63,
        |_| 5,
    ];
    for change in change {
        let mut words = random_words(1, 1_200_000, change);
        let expected = BTreeSet::from_iter(words.iter().copied());
        let kept = sort(&mut words, 1);
        assert!(words[..kept].iter().eq(&expected));
    }
}

proptest! {
    #![proptest_config(crate::cases())]

    /// Many words, which differ in some bits only.
    #[test]
    fn many_words_are_sorted(
        seed in any::<u64>(), n in 0_usize..5_000, mask in masks(), fixed in any::<u64>(),
    ) {
        let mut words = random_words(seed, n, |word| word & mask | fixed & !mask);
        let expected = BTreeSet::from_iter(words.iter().copied());
        let kept = sort(&mut words, 1);
        prop_assert_eq!(&words[..kept], Vec::from_iter(expected));
    }

    #[test]
    fn sorted_states_are_a_set(words in prop::collection::vec(0_u64..6, 0..256), wide in 0_usize..3) {
        for width in [1_usize, 2, 3, 4, 5, 8, 64] {
            let mut states = Vec::new();
            for state in words.chunks(width.saturating_sub(wide).max(1)) {
                append(&mut states, state, width);
            }
            let all = states.chunks(width).map(<[u64]>::to_vec);
            let expected: BTreeSet<Vec<u64>> = all.collect();
            let kept = sort(&mut states, width);
            let found: Vec<Vec<u64>> = states[..kept].chunks(width).map(<[u64]>::to_vec).collect();
            prop_assert_eq!(found, Vec::from_iter(expected));
        }
    }
}
