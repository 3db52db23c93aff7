//! Nine pancakes.

use std::hint::black_box;

const N: usize = 9;

/// A search in the 9-pancake puzzle.
pub(crate) struct Pancakes;

impl Pancakes {
    /// The nodes of the tree down to `depth`. With `prune`, no flip is repeated at once: what an analysis
    /// of length 2 finds, too.
    pub(crate) fn count(prune: bool, depth: u64) -> u64 {
        let mut stack: [u8; N] = std::array::from_fn(|i| i as u8);
        1 + descend(&mut stack, prune, 0, depth)
    }
}

fn descend(stack: &mut [u8; N], prune: bool, last: usize, depth: u64) -> u64 {
    if depth == 0 {
        return 0;
    }
    let mut n_nodes = 0;
    for n_flipped in 2..=N {
        if prune && n_flipped == last {
            continue;
        }
        stack[..n_flipped].reverse();
        black_box(&*stack);
        n_nodes += 1 + descend(stack, prune, n_flipped, depth - 1);
        stack[..n_flipped].reverse();
    }
    n_nodes
}
