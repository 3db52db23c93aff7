//! The reason why move pruning is refused in game trees: with a machine that forbids redundant
//! sequences, Minimax gives wrong values; see `docs/safety.md`.

use fsm::{Machine, WordAutomaton};
use game_tree::{Limits, NoMove, Outcome, Status, TwoPlayerGame, solve};
use move_prune::Options;
use psvn_ir::{CanonicalRule, State};

use crate::oracle::built_in;

/// Return 1, 0 or -1 for the player to move, without the moves that a machine forbids. If all moves
/// are forbidden, the value is the worst one: the pruned tree shows nothing else about the
/// position.
fn pruned<M: Machine>(
    game: &TwoPlayerGame,
    machine: &M,
    state: &State,
    at: M::State,
    n_pruned: &mut u64,
) -> i32 {
    match game.status(state).unwrap() {
        Status::Won(_) => return -1,
        Status::Drawn => return 0,
        Status::Open => {}
    }
    let mut best = -1;
    for rule in game.rules_from(state).unwrap() {
        match machine.next(at, rule.0) {
            None => *n_pruned += 1,
            Some(next) => {
                let after = game.after(state, rule);
                best = best.max(-pruned(game, machine, &after, next, n_pruned));
            }
        }
    }
    best
}

/// Tic-tac-toe is a draw. Without redundant sequences of three moves (own, the opponent's, own), X
/// would win it: replies that O needs are missing.
#[test]
fn pruning_gives_wrong_values() {
    let game = built_in("tic-tac-toe", NoMove::Draw);
    let start = game.default_start();
    let solution = solve(&game, &start, &Limits::default()).unwrap();
    assert_eq!(solution.outcome(&start), Some(Outcome::Draw));
    let rules: Vec<CanonicalRule> = (game.game().rules().iter())
        .map(|rule| rule.canonical.clone())
        .collect();
    for (max_length, expected) in [(2, 0), (3, 1)] {
        let options = Options::up_to(max_length);
        let analysis = move_prune::analyze(game.game().n_variables(), &rules, &options, |_| ());
        let words = analysis.redundant_letters();
        let machine = WordAutomaton::forbidding(rules.len() as u32, words)
            .and_then(|words| words.build())
            .unwrap();
        let mut n_pruned = 0;
        let value = pruned(&game, &machine, &start, machine.start(), &mut n_pruned);
        assert_eq!(value, expected, "up to length {max_length}");
        assert_eq!(n_pruned > 0, max_length == 3);
    }
}
