//! Searches from many starts, one after the other, with their totals.

use std::time::Duration;

use psvn_ir::State;
use psvn_ir::instances::Instance;
use search::{HandOut, NotCounted, Solution};

use super::answer::{Answer, Outcome};
use super::check::{check_solution, compare};
use super::record::{RecordContext, SolveRecord};
use crate::error::Error;
use crate::game::Game;
use crate::instance::Judged;
use crate::solve::pruning::NODES_TO_TELL;
use crate::solve::solver::Solver;
use crate::text::Terms;
use crate::text::algorithm::Algorithm;

/// Searches from many starts. Each step makes the next one, and checks its solution.
///
/// Starts with a proof that they have no solution aren't searched, and take no part in the
/// preparation: make the [`Solver`] for the [open starts](Judged::open_starts).
pub struct Series<'a> {
    game: &'a Game,
    solver: Option<&'a Solver>,
    instances: &'a Judged,
    hand_out: Option<&'a dyn HandOut>,
    totals: SeriesTotals,
}

/// The totals of searches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeriesTotals {
    /// The instances that have an answer.
    pub done: usize,
    /// Those that are solved.
    pub solved: usize,
    /// The nodes that were generated.
    pub generated: u128,
    /// The children that a machine pruned; `None` without one.
    pub pruned_by_machine: Option<u128>,
    /// The entries of pattern databases that were read, if they were counted.
    pub lookups: Option<u64>,
    /// The misses of the processor's caches, if they were requested, or why they weren't counted.
    pub cache_misses: Option<Result<u64, NotCounted>>,
    /// The time of the searches.
    pub elapsed: Duration,
    /// The time of preparations, including those before the searches.
    pub preparation: Duration,
}

/// An instance with its outcome.
pub struct Solved<'a> {
    /// The instance.
    pub instance: &'a Instance,
    /// The answer.
    pub answer: Answer,
    /// The heuristic that it was found with, if that was while one was chosen.
    pub found_with: Option<String>,
    /// The contradiction between the answer and the known least cost, if there is one.
    pub problem: Option<String>,
    /// The time of preparation that no earlier instance has.
    pub preparation: Duration,
}

impl<'a> Series<'a> {
    /// Begin searches from all instances. Without a solver there is nothing to search: all of
    /// them must be refuted.
    pub fn new(game: &'a Game, instances: &'a Judged, solver: Option<&'a Solver>) -> Self {
        // A search that may end before it uses its machine says nothing about it.
        let uses_machine = |it: &Solver| it.options().algorithm != Algorithm::Auto;
        let has_machine =
            solver.is_some_and(|it| it.pruning().machine.is_some() && uses_machine(it));
        Self {
            game,
            solver,
            instances,
            hand_out: None,
            totals: SeriesTotals {
                pruned_by_machine: has_machine.then_some(0),
                preparation: solver.map(Solver::made_in).unwrap_or_default(),
                ..SeriesTotals::default()
            },
        }
    }

    /// Have the subtrees of all bounds handed out that are large enough to be cut.
    #[must_use]
    pub fn handed_out_by(mut self, hand_out: &'a dyn HandOut) -> Self {
        self.hand_out = Some(hand_out);
        self
    }

    /// Return the game.
    pub fn game(&self) -> &'a Game {
        self.game
    }

    /// Return the search; `None` where there is nothing to search.
    pub fn solver(&self) -> Option<&'a Solver> {
        self.solver
    }

    /// Return the number of instances.
    pub fn n_instances(&self) -> usize {
        self.instances.instances.len()
    }

    /// Return the totals so far.
    pub fn totals(&self) -> &SeriesTotals {
        &self.totals
    }

    /// Return whether the machine has pruned nothing, although the searches were large enough to
    /// show it.
    pub fn is_machine_idle(&self) -> bool {
        self.totals.pruned_by_machine == Some(0) && self.totals.generated >= NODES_TO_TELL
    }

    /// Record the outcome of an instance, with the states of its path if requested, and with the
    /// settings that name the heuristic if there are terms for them.
    pub fn record(
        &self,
        solved: &Solved<'_>,
        with_states: bool,
        heuristic_terms: Option<&dyn Terms>,
    ) -> SolveRecord {
        let context = RecordContext {
            solver: self.solver,
            found_with: solved.found_with.as_deref(),
            with_states,
            heuristic_terms,
            preparation: solved.preparation,
        };
        SolveRecord::of(self.game, solved.instance, &solved.answer, context)
    }

    fn search(&self, solver: &Solver, start: &State) -> Result<Answer, Error> {
        match self.hand_out {
            None => solver.solve(start),
            Some(hand_out) => solver.solve_handed_out(start, hand_out),
        }
    }

    fn solve(&mut self, place: usize) -> Result<Solved<'a>, Error> {
        let instance = &self.instances.instances[place];
        let refutation = self.instances.refutations[place].as_ref();
        let (mut answer, found_with) = match (refutation, self.solver) {
            (None, Some(solver)) => match solver.found(&instance.state) {
                Some((answer, heuristic)) => (answer, Some(heuristic.to_owned())),
                None => (self.search(solver, &instance.state)?, None),
            },
            (refutation, _) => {
                let found = refutation.expect("without a solver, all starts are refuted");
                (Answer::refuted(found.proof.clone()), None)
            }
        };
        for solution in answer.solution().into_iter().chain(&answer.best_so_far) {
            check_solution(self.game, instance, solution)?;
        }
        if let (Some(solver), Some(solution)) = (self.solver, answer.solution())
            && let Some(most) = solver.options().all
        {
            let all = solver.all_solutions(&instance.state, solution.cost, most)?;
            for moves in &all.listed {
                let cost = solution.cost;
                let moves = moves.clone();
                check_solution(self.game, instance, &Solution { moves, cost })?;
            }
            answer.all = Some(all);
        }
        let is_optimal = self.solver.is_some_and(Solver::is_optimal);
        let totals = &mut self.totals;
        let preparation = match totals.done {
            0 => totals.preparation + answer.preparation,
            _ => answer.preparation,
        };
        totals.done += 1;
        totals.solved += usize::from(answer.solution().is_some());
        totals.generated += answer.generated;
        if let (Some(sum), Some(pruned)) = (&mut totals.pruned_by_machine, answer.pruned_by_machine)
        {
            *sum += pruned;
        }
        if let Some(lookups) = answer.lookups {
            totals.lookups = Some(totals.lookups.unwrap_or(0) + lookups);
        }
        if let Some(misses) = answer.cache_misses {
            let sum = totals.cache_misses.unwrap_or(Ok(0));
            totals.cache_misses = Some(sum.and_then(|sum| Ok(sum + misses?)));
        }
        totals.elapsed += answer.elapsed;
        totals.preparation += answer.preparation;
        Ok(Solved {
            instance,
            problem: compare(is_optimal, instance, &answer.outcome),
            answer,
            found_with,
            preparation,
        })
    }
}

impl<'a> Iterator for Series<'a> {
    type Item = Result<Solved<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let place = self.totals.done;
        (place < self.n_instances()).then(|| self.solve(place))
    }
}

impl Solved<'_> {
    /// Return whether it was solved without a problem.
    pub fn is_fine(&self) -> bool {
        matches!(self.answer.outcome, Outcome::Solved(_)) && self.problem.is_none()
    }
}
