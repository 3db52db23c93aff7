//! Instances at the ends of random walks.

use psvn_ir::State;
use psvn_ir::random::SplitMix64;
use search::CompiledGame;

/// The number of steps between checks whether to stop.
const STEPS_BETWEEN_CHECKS: u64 = 1 << 8;

/// Walk at random for some steps, in the same way for the same seed. A step leads back to the state
/// before only if `undo` allows it or there is no other. The walk ends early where no rule applies.
/// `None` if it was stopped.
pub(super) fn walk(
    game: &CompiledGame,
    from: &State,
    steps: u64,
    seed: u64,
    undo: bool,
    stop: impl Fn() -> bool,
) -> Option<State> {
    let mut random = SplitMix64::new(seed);
    let mut before: Option<State> = None;
    let mut state = from.clone();
    for step in 0..steps {
        if step % STEPS_BETWEEN_CHECKS == 0 && stop() {
            return None;
        }
        let mut rules = game
            .applicable_rules(&state)
            .expect("the state is one of the game");
        let mut back = None;
        let next = loop {
            if rules.is_empty() {
                break back;
            }
            let chosen = random.below(rules.len());
            let Ok(Some(next)) = game.apply(&state, rules[chosen]) else {
                rules.swap_remove(chosen);
                continue;
            };
            if undo || before.as_ref() != Some(&next) {
                break Some(next);
            }
            rules.swap_remove(chosen);
            back = Some(next);
        };
        let Some(next) = next else {
            break;
        };
        before = Some(std::mem::replace(&mut state, next));
    }
    Some(state)
}

/// The seed of one of several walks.
pub(super) fn seed_of(seed: u64, steps: u64, number: u64) -> u64 {
    let mut random = SplitMix64::new(seed);
    for part in [steps, number] {
        let mixed = random.next_u64() ^ part.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        random = SplitMix64::new(mixed);
    }
    random.next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(game: &CompiledGame, from: &State, steps: u64, seed: u64, undo: bool) -> State {
        super::walk(game, from, steps, seed, undo, || false).unwrap()
    }

    fn game(reference: &str) -> psvn_ir::Game {
        let text = domains::generate_reference(reference).unwrap();
        psvn_ir::load(&text).game.unwrap()
    }

    #[test]
    fn walks_are_repeatable_and_as_far_as_they_can_be() {
        let game = game("sliding-tiles:3:3");
        let compiled = CompiledGame::new(&game);
        let goal = game.goal_state().unwrap();
        let mut ends = std::collections::BTreeSet::new();
        for number in 0..50 {
            let seed = seed_of(1, 2, number);
            let end = walk(&compiled, &goal, 2, seed, false);
            assert_eq!(end, walk(&compiled, &goal, 2, seed, false));
            assert_ne!(end, goal, "two steps without undoing lead away");
            ends.insert(game.format_state(end.values()));
        }
        // The blank goes from its corner to a side, and then to three other places but not back to
        // the corner.
        assert_eq!(ends.len(), 4);
        let undone = (0..50).filter(|n| walk(&compiled, &goal, 2, seed_of(1, 2, *n), true) == goal);
        assert!(undone.count() > 5);
    }

    #[test]
    fn a_dead_end_ends_the_walk() {
        let text = "1  3\n0 => 1\n1 => 2\nGOAL 0\n";
        let game = psvn_ir::load(text).game.unwrap();
        let compiled = CompiledGame::new(&game);
        let start = game.parse_state("0").unwrap();
        let end = walk(&compiled, &start, 10, 3, false);
        assert_eq!(game.format_state(end.values()), "2");
    }
}
