//! Searches with a heuristic that estimates many states at once.
//!
//! If a call of a heuristic costs more than an estimate, as for one written in Python, calls must
//! be few. These searches expand many nodes before they request estimates, and pass all new states
//! in one block.
//!
//! ```
//! use std::sync::Arc;
//!
//! use psvn::batch::{self, BatchHeuristic, StateBlock};
//! use psvn::{Algorithm, Environment, Error, Game, Solver};
//!
//! /// One move for each tile that is not at home.
//! struct Misplaced;
//!
//! impl BatchHeuristic for Misplaced {
//!     fn estimate(&mut self, states: &Arc<StateBlock>) -> Result<Vec<u64>, Error> {
//!         let misplaced = |state: usize| {
//!             let values = states.state(state).enumerate();
//!             values.filter(|(place, value)| *value != 0 && value != place).count() as u64
//!         };
//!         Ok((0..states.len()).map(misplaced).collect())
//!     }
//! }
//!
//! let env = Environment::default();
//! let game = Game::built_in("sliding-tiles:3:3", &env)?;
//! let start = game.state("the start", "1 2 5 3 4 8 0 6 7")?;
//! let solver = Solver::builder(&game)
//!     .algorithm(Algorithm::AStar)
//!     .starts([start.clone()])
//!     .build(&env)?;
//! let answer = batch::solve(&solver, &start, &mut Misplaced, 64, &env)?;
//! assert_eq!(answer.solution().map(|solution| solution.cost), Some(6));
//! # Ok::<(), psvn::Error>(())
//! ```
//!
//! # What is guaranteed
//! With a heuristic that never estimates too high, solutions have least cost, whatever the size of
//! a batch. A* expands nodes of one score together, so it may expand more nodes of the last score
//! than a search that takes them one by one.

mod check;

use std::sync::Arc;

use psvn_ir::State;
use search::{BlockError, BlockHeuristic, CycleDetection};

pub use search::StateBlock;

pub use self::check::{CheckedEstimates, WrongEstimate, check_estimates};

use crate::environment::Environment;
use crate::error::Error;
use crate::solve::answers::Guarantee;
use crate::solve::options::unsafe_pruning;
use crate::solve::{Answer, Solver};
use crate::text::algorithm::Algorithm;

/// A heuristic that estimates many states at once.
pub trait BatchHeuristic {
    /// Return an estimate for each state, in their order; [`DEAD_END`](crate::DEAD_END), the
    /// greatest number, where no goal can be reached. An estimate must be a function of the state
    /// alone.
    ///
    /// # Errors
    /// Any error; it ends the search.
    fn estimate(&mut self, states: &Arc<StateBlock>) -> Result<Vec<u64>, Error>;
}

/// A heuristic in the form that the searches take.
struct InBlocks<'h>(&'h mut dyn BatchHeuristic);

impl BlockHeuristic for InBlocks<'_> {
    type Error = Error;

    fn estimate(&mut self, states: &Arc<StateBlock>) -> Result<Vec<u64>, Error> {
        self.0.estimate(states)
    }
}

/// Search from a start by A* or IDA*, whichever the solver was made for, with a heuristic in
/// place of the solver's. Up to `batch` nodes are expanded before estimates are requested.
///
/// IDA* prunes as the solver does. A* keeps each state once, and takes no machine.
///
/// # Errors
/// When the solver was made for another algorithm, the start breaks an assumption about all
/// starts, the algorithm is IDA* and some rule costs nothing, or the heuristic fails.
pub fn solve(
    solver: &Solver,
    start: &State,
    heuristic: &mut dyn BatchHeuristic,
    batch: usize,
    env: &Environment,
) -> Result<Answer, Error> {
    let options = solver.options();
    solver.check_start(start)?;
    if options.table_bytes(options.algorithm).is_some() {
        return Err(Error::usage(
            "searches that take estimates in batches have no transposition table",
        ));
    }
    let is_a_star = match options.algorithm {
        Algorithm::AStar => true,
        Algorithm::Ida => false,
        other => {
            return Err(
                Error::usage(format!("{} takes no estimates in batches", other.name()))
                    .with_hint("A* and IDA* do"),
            );
        }
    };
    if solver.pruning().split.is_some() {
        return Err(Error::usage(
            "a search in batches takes no machine over parts of rules",
        ));
    }
    let phase = env.begin();
    let place = if is_a_star { "score" } else { "bound" };
    let mut run = searcher(solver)
        .run()
        .limits(env.limits(&options.limits))
        .on_progress(move |progress| {
            let words = || format!("{place} {}: {} nodes", progress.level, progress.done);
            phase.show(words, None);
        });
    let heuristic = &mut InBlocks(heuristic);
    let report = if is_a_star {
        run.a_star_in_blocks(start, heuristic, batch)
    } else {
        run.ida_star_in_blocks(start, heuristic, batch)
    };
    let guarantee = Guarantee::of_function(options);
    report
        .map(|report| Answer::new(report, &guarantee, None))
        .map_err(refused)
}

/// Return a searcher with the solver's machine. Of cycles, only those that the pruning names are
/// detected.
fn searcher(solver: &Solver) -> search::Searcher {
    let searcher = solver.searcher();
    let cycles = if solver.pruning().parent {
        CycleDetection::Parent
    } else {
        CycleDetection::None
    };
    let builder = search::Searcher::builder(searcher.game()).cycle_detection(cycles);
    match searcher.machine() {
        Some(machine) => builder.machine(machine.clone()).build(),
        None => builder.build(),
    }
}

/// Return why a search or a check of estimates was refused.
fn refused(error: BlockError<Error>) -> Error {
    match error {
        BlockError::Heuristic(error) => error,
        BlockError::FreeRules => {
            Error::usage("a search along paths in batches would not end where rules cost nothing")
                .with_hint("A* keeps each state once, and ends")
        }
        BlockError::Machine(_) => unsafe_pruning(),
        other => Error::input(other.to_string()),
    }
}

#[cfg(test)]
mod tests;
