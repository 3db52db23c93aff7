//! Loses the only solution of a game: move pruning beside a list of states that were seen.

use std::collections::HashSet;

use psvn::fsm::{AnyMachine, AnyState, Machine};
use psvn::{Environment, Game, Pruning, RuleId, State};

/// The states that a search has seen, and whether it avoids them.
struct Seen {
    states: HashSet<State>,
    is_closed: bool,
}

/// Depth-first search for a goal, trying `R1` before `R2`.
fn search(
    game: &Game,
    machine: &AnyMachine,
    (state, memory): (&State, AnyState),
    seen: &mut Seen,
) -> Option<Vec<RuleId>> {
    if game.ir().is_goal(state.values()) {
        return Some(Vec::new());
    }
    // A state that was seen need not be seen again, or so it seems.
    if !seen.states.insert(state.clone()) && seen.is_closed {
        return None;
    }
    // The file has R2, R1, R3.
    for rule in [RuleId(1), RuleId(0), RuleId(2)] {
        let does = &game.ir().rules()[rule.index()].canonical;
        if !does.applies_to(state.values()) {
            continue;
        }
        // The machine remembers the path, not the state.
        let Some(memory) = machine.next(memory, rule.0) else {
            continue;
        };
        let next = State::new(does.apply(state.values()));
        if let Some(mut rest) = search(game, machine, (&next, memory), seen) {
            rest.insert(0, rule);
            return Some(rest);
        }
    }
    None
}

#[allow(clippy::print_stdout, reason = "an example shows what it finds")]
pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let env = Environment::default();
    let game = Game::built_in("ghi", &env)?;
    let start = game.state("the start", "0 0 0 0")?;
    let forbids = |length| -> Result<AnyMachine, Box<dyn std::error::Error>> {
        let analysis = Pruning::up_to(length).analyze(&game, &env)?;
        let file = analysis.machine.as_ref().ok_or("no machine")?;
        Ok(file.machine.clone())
    };
    for length in [0, 2] {
        for is_closed in [false, true] {
            let machine = forbids(length)?;
            let states = HashSet::new();
            let mut seen = Seen { states, is_closed };
            let found = search(&game, &machine, (&start, machine.start()), &mut seen);
            println!(
                "{} {} {}",
                if length == 0 {
                    "no pruning,   "
                } else {
                    "R1 R3 pruned, "
                },
                if is_closed {
                    "with closed list:"
                } else {
                    "no closed list:  "
                },
                match &found {
                    Some(moves) => game.rule_names().names(moves).join(" "),
                    None => "no solution".to_owned(),
                }
            );
            // Either alone is safe.
            assert_eq!(found.is_none(), length == 2 && is_closed);
        }
    }
    Ok(())
}
