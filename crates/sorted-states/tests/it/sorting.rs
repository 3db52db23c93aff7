use std::collections::BTreeSet;

use proptest::prelude::*;
use sorted_states::{append, sort};

proptest! {
    #![proptest_config(crate::cases())]

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
