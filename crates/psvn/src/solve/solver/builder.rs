//! Preparing a search: pruning, the heuristic, the states near the goals.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use budget::Watch;
use heuristics::{Named, Perimeter};
use length_choice::Searches;
use psvn_ir::State;
use redundancy::SearchFor;
use search::{CycleDetection, Limits};

use super::Solver;
use super::all_solutions;
use super::perimeter;
use super::shared::Shared;
use crate::analysis::Analysis;
use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;
use crate::heuristic::{self, HeuristicSpec, PreparedHeuristic, Request};
use crate::solve::options::{SearchOptions, unsafe_pruning};
use crate::solve::pruning::{PreparedPruning, PruneSpec, Purpose, prepare_pruning};
use crate::text::algorithm::{Algorithm, Cycles};

/// A builder for a [`Solver`].
pub struct SolverBuilder<'a> {
    game: Game,
    options: SearchOptions,
    starts: Vec<State>,
    machine: Option<&'a Analysis>,
    shared: Option<&'a Shared>,
    estimate: Option<Arc<PreparedHeuristic>>,
    advise_after: Option<Duration>,
    budget: Option<Watch>,
}

impl<'a> SolverBuilder<'a> {
    pub(super) fn of(game: &Game) -> Self {
        Self {
            game: game.clone(),
            options: SearchOptions::default(),
            starts: Vec::new(),
            machine: None,
            shared: None,
            estimate: None,
            advise_after: None,
            budget: None,
        }
    }

    /// Set all options at once.
    #[must_use]
    pub fn options(mut self, options: SearchOptions) -> Self {
        self.options = options;
        self
    }

    /// Set the algorithm: IDA* unless it is set.
    #[must_use]
    pub fn algorithm(mut self, algorithm: Algorithm) -> Self {
        self.options.algorithm = algorithm;
        self
    }

    /// Set the pruning.
    #[must_use]
    pub fn prune(mut self, spec: PruneSpec) -> Self {
        self.options.prune = Some(spec);
        self
    }

    /// Prune the words of an analysis, in place of other pruning.
    #[must_use]
    pub fn machine(mut self, analysis: &'a Analysis) -> Self {
        self.machine = Some(analysis);
        self
    }

    /// Set the heuristic.
    #[must_use]
    pub fn heuristic(mut self, spec: HeuristicSpec) -> Self {
        self.options.heuristic = spec;
        self
    }

    /// Take a heuristic that is ready, such as [tables](crate::heuristic::PatternTables) that were
    /// built, in place of a specified one.
    #[must_use]
    pub fn prepared_heuristic(mut self, heuristic: Arc<PreparedHeuristic>) -> Self {
        self.estimate = Some(heuristic);
        self
    }

    /// Set the states that searches will start from. The invariants of all states that they lead
    /// to are used to prune and to estimate, and a heuristic is chosen for them.
    ///
    /// Without starts, the invariants of the states from which a goal can be reached are assumed,
    /// and checked for each start.
    #[must_use]
    pub fn starts(mut self, starts: impl IntoIterator<Item = State>) -> Self {
        self.starts = starts.into_iter().collect();
        self
    }

    /// After this time of a search without a heuristic, emit a note if there is one for the game.
    #[must_use]
    pub fn advise_after(mut self, time: Duration) -> Self {
        self.advise_after = Some(time);
        self
    }

    /// Prepare within a budget of its own, in place of that of the environment, which still holds
    /// for the searches.
    #[must_use]
    pub fn prepared_within(mut self, budget: Watch) -> Self {
        self.budget = Some(budget);
        self
    }

    /// Use preparations that other searches share.
    #[must_use]
    pub fn shared(mut self, shared: &'a Shared) -> Self {
        self.shared = Some(shared);
        self
    }

    /// Prepare the search: analyze the game or take its machine, and make the heuristic.
    ///
    /// Where the [budget](Environment::with_budget) limits the time, the analysis may take half of
    /// what is left, choosing and building heuristics half of the rest, and a perimeter half of
    /// what is left then.
    ///
    /// # Errors
    /// When the options make no sense together or for the game, a file can't be used, or a machine
    /// or table doesn't fit in memory.
    pub fn build(mut self, env: &Environment) -> Result<Solver, Error> {
        let started = Instant::now();
        self.options.check()?;
        let own = self.budget.as_ref();
        let own = own.map(|budget| env.clone().with_budget(budget));
        let preparing = own.as_ref().unwrap_or(env);
        // What the game holds counts toward the memory.
        self.options.limits.memory = preparing.limits(&self.options.limits).memory;
        let nothing = Shared::default();
        let shared = self.shared.unwrap_or(&nothing);
        let (pruning, is_reused) = self.pruning(shared, preparing)?;
        let mut solver = self.without_heuristic(pruning, is_reused, env)?;
        let (heuristic, is_reused) = self.prepared_estimate(&solver, shared, preparing)?;
        if is_reused {
            solver.reused += heuristic.elapsed;
        }
        all_solutions::check_heuristic(&self.options, &heuristic)?;
        // Tables of the heuristic count toward the search's memory.
        let estimate = &heuristic.estimate;
        let names = estimate.named().map_or(0, Named::n_bytes);
        let mut taken = usize::try_from(estimate.n_bytes() + names).unwrap_or(usize::MAX);
        solver.heuristic = heuristic;
        solver.perimeter = self.perimeter(taken, preparing)?;
        taken = taken.saturating_add(solver.perimeter.as_ref().map_or(0, Perimeter::n_bytes));
        if let Some(memory) = &mut solver.limits.memory {
            *memory = memory.saturating_sub(taken);
        }
        if let (Some(table), Some(memory)) = (&mut solver.table_bytes, self.options.limits.memory) {
            *table = memory.saturating_sub(taken).min(*table);
        }
        solver.made_in = started.elapsed();
        Ok(solver)
    }

    /// The time that the next preparation may take.
    fn share(&self, env: &Environment) -> Option<Duration> {
        let left = env.budget().time_left().map(|left| left / 2);
        left.or(self.options.limits.time)
    }

    /// What decides preparations besides their settings. Invariants depend on the starts, which are
    /// the same for all tasks of a domain, except for those that a task leaves out.
    fn details(&self) -> String {
        format!("{} starts", self.starts.len())
    }

    /// Take the given machine, or analyze the game, and return whether that was done before.
    fn pruning(
        &self,
        shared: &Shared,
        env: &Environment,
    ) -> Result<(Arc<PreparedPruning>, bool), Error> {
        let options = &self.options;
        let setting = options.pruning_setting()?;
        let spec = options.prune_spec()?;
        let by_moves = options.algorithm.is_bounded_by_moves();
        if let Some(analysis) = self.machine {
            if options.algorithm.detects_duplicates() {
                return Err(unsafe_pruning());
            }
            let pruning = PreparedPruning::by_analysis(
                analysis,
                self.game.named(),
                &self.starts,
                by_moves,
                env,
            )?;
            return Ok((Arc::new(pruning), false));
        }
        let prepare = || {
            let purpose = Purpose {
                starts: &self.starts,
                bounded_by_moves: by_moves,
                within_invariants: true,
                search_for: SearchFor::Goals,
                split: options.split,
            };
            let limits = env.limits(&Limits {
                nodes: None,
                time: self.share(env),
                ..options.limits.clone()
            });
            prepare_pruning(&spec, &self.game, purpose, limits, env)
        };
        shared.prunings.get(&setting, &self.details(), prepare)
    }

    /// The search without an estimate; the environment is that of the searches.
    fn without_heuristic(
        &self,
        pruning: Arc<PreparedPruning>,
        is_reused: bool,
        env: &Environment,
    ) -> Result<Solver, Error> {
        let (game, options) = (&self.game, &self.options);
        let is_made = !is_reused && !pruning.is_from_cache;
        let keeps_states =
            options.algorithm.detects_duplicates() || options.algorithm == Algorithm::Auto;
        let cycles = match (options.cycles, pruning.parent) {
            (Cycles::Path, _) => CycleDetection::Path,
            (Cycles::Parent, _) | (Cycles::None, true) => CycleDetection::Parent,
            (Cycles::None, false) => CycleDetection::None,
        };
        Ok(Solver {
            searches: Searches::new(game.ir(), &pruning, cycles),
            reused: if is_made {
                Duration::ZERO
            } else {
                pruning.analysis
            },
            pruning,
            heuristic: Arc::new(PreparedHeuristic::zero(game.ir())?),
            perimeter: None,
            table_bytes: options.table_bytes(options.algorithm),
            made_in: Duration::ZERO,
            limits: Limits {
                memory: options.limits.memory.filter(|_| keeps_states),
                ..env.limits(&options.limits)
            },
            knows_starts: !self.starts.is_empty(),
            advise_after: self.advise_after,
            is_advised: Arc::default(),
            first_searched: OnceLock::new(),
            unpruned: OnceLock::new(),
            symmetries: OnceLock::new(),
            for_all: OnceLock::new(),
            behind: OnceLock::new(),
            env: env.clone(),
            game: game.clone(),
            options: options.clone(),
        })
    }

    /// Take the given heuristic, or prepare one, and return whether that was done before.
    fn prepared_estimate(
        &self,
        solver: &Solver,
        shared: &Shared,
        env: &Environment,
    ) -> Result<(Arc<PreparedHeuristic>, bool), Error> {
        let options = &self.options;
        if let Some(ready) = &self.estimate {
            heuristic::check(ready, options.algorithm, self.game.ir(), &self.starts)?;
            return Ok((Arc::clone(ready), false));
        }
        let request = Request {
            spec: &options.heuristic,
            mirrored: options.mirrored,
            duals: options.duals,
            game: self.game.ir(),
            starts: &self.starts,
            known: &solver.pruning.known,
            transpositions: options.bytes_for_transpositions(),
            limits: Limits {
                time: self.share(env),
                memory: Some(options.bytes_for_heuristic()),
                ..options.limits.clone()
            },
            memory_of_names: options.limits.memory,
            host: env,
        };
        let prepare =
            || heuristic::prepare(&request, options.algorithm, &|bounds| solver.tried(bounds));
        let setting = options.heuristic_setting(env)?;
        shared.heuristics.get(&setting, &self.details(), prepare)
    }

    /// Find the states near the goals, if they are asked for, in the memory that is left when
    /// `taken` bytes are taken.
    fn perimeter(&self, taken: usize, env: &Environment) -> Result<Option<Perimeter>, Error> {
        let Some(radius) = self.options.perimeter else {
            return Ok(None);
        };
        let length = match self.options.prune_spec()? {
            PruneSpec::None | PruneSpec::Parent => None,
            PruneSpec::Length(length) => Some(length),
            // The machine of a file is for the rules as they are.
            PruneSpec::Auto | PruneSpec::File(_) => Some(2),
        };
        let limits = &self.options.limits;
        let limits = Limits {
            time: self.share(env),
            memory: limits.memory.map(|all| all.saturating_sub(taken)),
            ..limits.clone()
        };
        perimeter::prepare(&self.game, radius, length, &limits, env)
    }
}
