//! Nine pancakes.

use super::Tally;
use super::last_move::allowed;
use super::lines::{Move, Tree, Twists, apply, choices_by_last};

const N: usize = 9;

/// A plain search in the 9-pancake puzzle: flips are made and taken back in one array.
pub(crate) struct Pancakes;

impl Pancakes {
    /// The tree below a start down to `depth`. With `prune`, no flip is repeated at once, as in an
    /// analysis of length 2.
    pub(crate) fn count(start: &[u8; N], prune: bool, depth: u64) -> Tally {
        let mut stack = *start;
        let mut tally = Tally { nodes: 1, goals: 0 };
        if depth > 0 {
            descend(&mut stack, prune, 0, depth, &mut tally);
        }
        tally
    }
}

fn descend(stack: &mut [u8; N], prune: bool, last: usize, depth: u64, tally: &mut Tally) {
    for n_flipped in 2..=N {
        if prune && n_flipped == last {
            continue;
        }
        stack[..n_flipped].reverse();
        tally.nodes += 1;
        if depth == 1 {
            tally.goals += u64::from(*stack == solved());
        } else {
            descend(stack, prune, n_flipped, depth - 1, tally);
        }
        stack[..n_flipped].reverse();
    }
}

fn solved() -> [u8; N] {
    std::array::from_fn(|i| i as u8)
}

/// A search in the 9-pancake puzzle with four children at a time.
pub(crate) fn pancakes_in_lines(start: &[u8; N], prune: bool) -> impl Fn(u64) -> Tally + use<> {
    let padded = |stack: &[u8; N]| -> [u8; 16] {
        std::array::from_fn(|i| stack.get(i).copied().unwrap_or_default())
    };
    let flips: Vec<Move<16>> = (2..=N)
        .map(|n| {
            Move::plain(std::array::from_fn(
                |i| if i < n { n - 1 - i } else { i } as u8,
            ))
        })
        .collect();
    let goal = padded(&solved());
    let sets = allowed(
        flips.len(),
        goal,
        |stack, i| apply(stack, &flips[i], &Twists::None),
        prune,
    );
    let tree = Tree::new(&choices_by_last(&flips, &sets), Twists::None, goal);
    let (start, nothing) = (padded(start), flips.len());
    move |depth| tree.count(&start, nothing, depth)
}
