//! Which moves may follow which, if every move is always possible and has the same effect on all
//! states.

/// Return for each last move, and at the end for no last move, the set of moves that may come next.
///
/// The moves are given by their effects on one state whose parts all differ. With `prune`, a move
/// may not follow another one if the two lead where the start, a single move, or an earlier pair of
/// moves leads: the words that an analysis of length 2 finds.
pub(crate) fn allowed<S: Copy + PartialEq>(
    n_moves: usize,
    start: S,
    apply: impl Fn(&S, usize) -> S,
    prune: bool,
) -> Vec<u32> {
    let everything = (1 << n_moves) - 1;
    let mut sets = vec![everything; n_moves + 1];
    if prune {
        let mut seen = vec![start];
        let singles: Vec<S> = (0..n_moves).map(|it| apply(&start, it)).collect();
        seen.extend(&singles);
        for (first, single) in singles.iter().enumerate() {
            for second in 0..n_moves {
                let pair = apply(single, second);
                if seen.contains(&pair) {
                    sets[first] &= !(1 << second);
                } else {
                    seen.push(pair);
                }
            }
        }
    }
    sets
}
