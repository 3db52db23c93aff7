//! Blocks world with a hand.

use super::builder::{Builder, Random};
use crate::sas::Task;

/// Return the task of rebuilding towers of `n` blocks, with start and goal drawn by `seed`.
///
/// Each block has a variable for what it lies on, or that the hand holds it, and one for whether it
/// is clear. One more variable states whether the hand is empty.
pub fn blocks(n: usize, seed: u64) -> Task {
    let mut random = Random(seed);
    let (start, goal) = (towers(n, &mut random), towers(n, &mut random));
    let mut builder = Builder::default();
    // Value b: on block b; n: on the table; n + 1: in the hand.
    let (table, held) = (n, n + 1);
    let place: Vec<usize> = (0..n)
        .map(|block| {
            let mut facts: Vec<String> = (0..n)
                .map(|below| format!("Atom on(b{block}, b{below})"))
                .collect();
            facts.push(format!("Atom ontable(b{block})"));
            facts.push(format!("Atom holding(b{block})"));
            builder.variable(facts, start[block])
        })
        .collect();
    let clear: Vec<usize> = (0..n)
        .map(|block| builder.switch(&format!("clear(b{block})"), !start.contains(&block)))
        .collect();
    let hand = builder.switch("handempty()", true);
    for b in 0..n {
        builder.operator(
            format!("pick-up b{b}"),
            &[],
            &[
                (place[b], Some(table), held),
                (clear[b], Some(0), 1),
                (hand, Some(0), 1),
            ],
        );
        builder.operator(
            format!("put-down b{b}"),
            &[],
            &[
                (place[b], Some(held), table),
                (clear[b], None, 0),
                (hand, None, 0),
            ],
        );
        for c in (0..n).filter(|c| *c != b) {
            builder.operator(
                format!("stack b{b} b{c}"),
                &[],
                &[
                    (place[b], Some(held), c),
                    (clear[b], None, 0),
                    (clear[c], Some(0), 1),
                    (hand, None, 0),
                ],
            );
            builder.operator(
                format!("unstack b{b} b{c}"),
                &[],
                &[
                    (place[b], Some(c), held),
                    (clear[b], Some(0), 1),
                    (clear[c], None, 0),
                    (hand, Some(0), 1),
                ],
            );
        }
    }
    for c in 0..n {
        let on = (0..n).filter(|b| *b != c).map(|b| (place[b], c));
        builder.mutex(on.chain([(clear[c], 0), (place[c], held)]));
    }
    builder.mutex((0..n).map(|b| (place[b], held)).chain([(hand, 0)]));
    for (block, below) in goal.iter().enumerate() {
        // The place of a tower is open; the order of its blocks isn't.
        if *below != table {
            builder.goal(place[block], *below);
        }
    }
    if goal.iter().all(|below| *below == table) {
        builder.goal(place[0], table);
    }
    builder.task()
}

/// For each block, the block below it; `n` is the table.
fn towers(n: usize, random: &mut Random) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    random.shuffle(&mut order);
    let mut below = vec![n; n];
    for pair in order.windows(2) {
        if random.below(3) > 0 {
            below[pair[1]] = pair[0];
        }
    }
    below
}
