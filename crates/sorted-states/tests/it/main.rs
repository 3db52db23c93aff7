//! Sorted files of states against sets in memory.

mod checkpoints;
mod files;
mod folders;
mod merges;
mod sorting;

use proptest::prelude::*;
use sorted_states::Form;

/// Enough to find, in 99 of 100 runs, a fault that shows in one case of a hundred.
const CASES: u32 = 459;

fn cases() -> ProptestConfig {
    ProptestConfig::with_cases(CASES)
}

/// Forms of up to nine words, with any number of bytes.
fn forms() -> impl Strategy<Value = Form> {
    let sizes = (1_usize..10).prop_flat_map(|words| (Just(words), 8 * words - 7..=8 * words));
    sizes.prop_map(|(words, bytes)| Form::new(words, bytes))
}

/// Return a state that depends on all bits of a number, by which states are also ordered. Words are
/// often equal.
fn state(form: Form, number: u64) -> Vec<u64> {
    let mut state = vec![7 << 56 | 1; form.words()];
    let last = form.words() - 1;
    let used = form.bytes() - 8 * last;
    state[0] = number >> 4;
    state[last] = number & 15;
    if last == 0 {
        state[0] = number;
    }
    state[last] &= u64::MAX >> (64 - 8 * used);
    state
}

/// Return the states with these numbers, one after another.
fn states(form: Form, numbers: impl IntoIterator<Item = u64>) -> Vec<u64> {
    numbers
        .into_iter()
        .flat_map(|number| state(form, number))
        .collect()
}
