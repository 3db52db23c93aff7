//! Which moves may follow which, where every move is always possible and does the same to all
//! states.

/// For each last move, and behind them for no last move: the set of moves that may come next.
///
/// The moves are given by what they do to one state whose parts all differ. With `prune`, a move
/// may not follow another one when the two come to what the start, a single move, or an earlier
/// pair of moves comes to: all that an analysis of length 2 finds.
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
