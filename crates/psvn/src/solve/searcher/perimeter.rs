//! The states near the goals, found backward: `solve --perimeter`.

use heuristics::{Perimeter, PerimeterStop};
use invariants::Invariants;
use move_prune::Limits;
use psvn_ir::RuleId;
use search::GoalStates;

use crate::analysis::{Redundant, SplitRequest};
use crate::environment::Environment;
use crate::error::Error;
use crate::game::{Game, SearchFor};
use crate::text::units::{count, format_bytes};
use crate::text::{Parameter, message};

/// The maximum bytes of a perimeter, unless the user gives another limit.
const DEFAULT_BYTES: usize = 1 << 30;

/// Find all states from which a goal can be reached within some cost: depth first by the rules run
/// backward, with redundant sequences up to a length pruned, if there is one.
pub(crate) fn prepare(
    game: &Game,
    radius: u64,
    length: Option<usize>,
    limits: Limits,
    env: &Environment,
) -> Result<Perimeter, Error> {
    let backward = game.backward()?;
    let most_bytes = limits.memory.unwrap_or(DEFAULT_BYTES);
    let stop = || env.is_cancelled();
    let goals = GoalStates::of(game.ir());
    let found = match length {
        None => {
            let any = |(), _| Some(());
            Perimeter::around(goals, backward.ir(), (), any, radius, most_bytes, &stop)
        }
        Some(length) => {
            let machine = machine(&backward, length, limits, env)?;
            let start = fsm::Machine::start(&machine);
            let next = |state, rule: RuleId| fsm::Machine::next(&machine, state, rule.0);
            Perimeter::around(goals, backward.ir(), start, next, radius, most_bytes, &stop)
        }
    };
    let perimeter = found.map_err(|stop| match stop {
        PerimeterStop::Requested => Error::interrupted("the perimeter was interrupted"),
        _ => Error::limit(format!(
            "the perimeter of cost {radius} takes more than {}",
            format_bytes(most_bytes as u128)
        ))
        .with_hint(message![
            "take a smaller `",
            Parameter::Perimeter,
            "`, or allow more with `",
            Parameter::Memory,
            "`"
        ]),
    })?;
    env.detail(|| {
        let states = count(perimeter.len(), "state");
        format!("a goal is at most {radius} away in {states}")
    });
    Ok(perimeter)
}

/// Return the machine of a backward game.
fn machine(
    backward: &Game,
    length: usize,
    limits: Limits,
    env: &Environment,
) -> Result<fsm::Dense, Error> {
    // Backward searches begin at goals, and rules keep the invariants of their start.
    let known = Invariants::from_goals(backward.ir());
    // The letters of the machine are rules.
    let split = SplitRequest::none();
    let search_for = SearchFor::States;
    let redundant = Redundant::find(backward, length, known, search_for, &split, limits, env)?;
    redundant.into_machine(length)
}
