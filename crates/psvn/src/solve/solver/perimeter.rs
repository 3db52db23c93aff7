//! The states near the goals, found backward: `solve --perimeter`.

use budget::Watch;
use heuristics::Perimeter;
use move_prune::Limits;
use psvn_ir::RuleId;
use redundancy::SearchFor;
use search::{GoalStates, StopReason};

use crate::analysis::{Redundant, SplitRequest};
use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;
use crate::text::message;
use crate::text::units::count;

/// The maximum bytes of a perimeter, unless the user gives another limit.
const DEFAULT_BYTES: usize = 1 << 30;

/// Find all states from which a goal can be reached within some cost: depth first by the rules run
/// backward, with redundant sequences up to a length pruned, if there is one. Where a limit is
/// reached, the cost is smaller, and a warning says so; `None` if not even the goals are within the
/// limits.
pub(crate) fn prepare(
    game: &Game,
    radius: u64,
    length: Option<usize>,
    limits: &Limits,
    env: &Environment,
) -> Result<Option<Perimeter>, Error> {
    let watch = Watch::new(env.limits(&Limits {
        memory: limits.memory.or(Some(DEFAULT_BYTES)),
        ..limits.clone()
    }));
    let backward = game.backward_within(env)?;
    let goals = GoalStates::of(game.ir());
    let found = match length {
        None => {
            let any = |(), _| Some(());
            Perimeter::around(goals, backward.ir(), (), any, radius, &watch)
        }
        Some(length) => {
            let half = watch.time_left().map(|left| left / 2);
            let limits = watch.part(&Limits {
                time: half,
                ..Limits::default()
            });
            let machine = machine(&backward, length, limits, env)?;
            let start = fsm::Machine::start(&machine);
            let next = |state, rule: RuleId| fsm::Machine::next(&machine, state, rule.0);
            Perimeter::around(goals, backward.ir(), start, next, radius, &watch)
        }
    };
    match found {
        Ok(perimeter) => {
            if let Some(reason) = perimeter.stopped() {
                let found = perimeter.radius();
                env.warning(format!(
                    "the perimeter has a cost of {found} instead of {radius}, because {}",
                    reason.clause()
                ));
            }
            env.detail(|| {
                let states = count(perimeter.len(), "state");
                format!("a goal is at most {} away in {states}", perimeter.radius())
            });
            Ok(Some(perimeter))
        }
        Err(StopReason::Interrupted) => Err(Error::interrupted("the perimeter was interrupted")),
        Err(reason) => {
            env.warning(message![
                "the search has no perimeter, because ",
                reason.clause(),
                " before all goals were in it"
            ]);
            Ok(None)
        }
    }
}

/// Return the machine of a backward game.
fn machine(
    backward: &Game,
    length: usize,
    limits: Limits,
    env: &Environment,
) -> Result<fsm::Dense, Error> {
    // Backward searches begin at goals, and rules keep the invariants of their start.
    let known = env.invariants_of_goals(backward.ir());
    // The letters of the machine are rules.
    let split = SplitRequest::none();
    let search_for = SearchFor::States;
    let redundant = Redundant::find(
        backward.ir(),
        length,
        known,
        search_for,
        &split,
        limits,
        env,
    )?;
    Ok(redundant.into_machine(length)?)
}
