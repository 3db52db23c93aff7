//! Preparing a search: pruning, the heuristic, the states near the goals.

use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use budget::Watch;
use heuristics::{Named, Perimeter};
use psvn_ir::State;
use search::Limits;

use super::perimeter;
use super::shared::Shared;
use super::{Searcher, prepared};
use crate::analysis::Analysis;
use crate::environment::Environment;
use crate::error::Error;
use crate::game::{Game, SearchFor};
use crate::heuristic::{Heuristic, HeuristicSpec, Request};
use crate::solve::options::{SearchOptions, unsafe_pruning};
use crate::solve::pruning::{PreparedPruning, PruneSpec, Purpose};
use crate::text::algorithm::Algorithm;

/// A builder for a [`Searcher`].
pub struct SearcherBuilder<'a> {
    game: Game,
    options: SearchOptions,
    starts: Vec<State>,
    machine: Option<&'a Analysis>,
    shared: Option<&'a Shared>,
    estimate: Option<Arc<Heuristic>>,
    advise_after: Option<Duration>,
    budget: Option<Watch>,
}

impl<'a> SearcherBuilder<'a> {
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

    /// Set the algorithm that [`Run::solve`](super::Run::solve) runs: IDA* unless it is set.
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
    pub fn prepared_heuristic(mut self, heuristic: Arc<Heuristic>) -> Self {
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
    pub fn build(self, env: &Environment) -> Result<Searcher, Error> {
        let Self {
            game,
            mut options,
            starts,
            machine,
            shared,
            estimate,
            advise_after,
            budget,
        } = self;
        let searching_env = env;
        let own = budget.map(|budget| env.clone().with_budget(&budget));
        let env = own.as_ref().unwrap_or(env);
        let started = Instant::now();
        options.check()?;
        // What the game holds counts toward the memory.
        options.limits.memory = env.limits(&options.limits).memory;
        let nothing = Shared::default();
        let shared = shared.unwrap_or(&nothing);
        let pruning_setting = options.pruning_setting()?;
        let heuristic_setting = options.heuristic_setting(env)?;
        // Invariants depend on the starts, which are the same for all tasks of a domain, except for
        // those that a task leaves out.
        let details = format!("{} starts", starts.len());
        let time = options.limits.time;
        let share = || env.budget().time_left().map(|left| left / 2).or(time);
        let by_moves = options.algorithm.is_bounded_by_moves();
        let spec = options.prune_spec()?;
        let prepare = || match machine {
            Some(_) if options.algorithm.detects_duplicates() => Err(unsafe_pruning()),
            Some(analysis) => PreparedPruning::by_analysis(analysis, &game, &starts, by_moves, env),
            None => {
                let limits = env.limits(&Limits {
                    nodes: None,
                    time: share(),
                    ..options.limits.clone()
                });
                PreparedPruning::prepare(
                    &spec,
                    &game,
                    Purpose {
                        starts: &starts,
                        bounded_by_moves: by_moves,
                        within_invariants: true,
                        search_for: SearchFor::Goals,
                        split: options.split,
                    },
                    limits,
                    env,
                )
            }
        };
        let (pruning, is_reused) = match machine {
            Some(_) => (Arc::new(prepare()?), false),
            None => shared.prunings.get(&pruning_setting, &details, prepare)?,
        };
        let mut reused = Duration::ZERO;
        if is_reused || pruning.is_from_cache {
            reused += pruning.analysis;
        }
        let mut searcher = Searcher {
            prepared: prepared(
                &game,
                &options,
                &pruning,
                pruning.split.as_deref(),
                pruning.machine.as_ref(),
            ),
            longer: Mutex::default(),
            pruning,
            heuristic: Arc::new(Heuristic::zero(game.ir())?),
            perimeter: None,
            table_bytes: options.table_bytes(options.algorithm),
            reused,
            made_in: Duration::ZERO,
            limits: Limits {
                memory: options
                    .limits
                    .memory
                    .filter(|_| options.algorithm.detects_duplicates()),
                ..searching_env.limits(&options.limits)
            },
            knows_starts: !starts.is_empty(),
            advise_after,
            is_advised: Arc::default(),
            first_searched: OnceLock::new(),
            symmetries: OnceLock::new(),
            env: searching_env.clone(),
            game,
            options,
        };
        let options = &searcher.options;
        let request = Request {
            spec: &options.heuristic,
            mirrored: options.mirrored,
            duals: options.duals,
            algorithm: options.algorithm,
            game: searcher.game.ir(),
            starts: &starts,
            known: &searcher.pruning.known,
            transpositions: options.bytes_for_transpositions(),
            limits: Limits {
                time: share(),
                memory: Some(options.bytes_for_heuristic()),
                ..options.limits.clone()
            },
            memory_of_names: options.limits.memory,
            env,
        };
        let prepare = || Heuristic::prepare(&request, &|bounds| searcher.tried(bounds));
        let (heuristic, is_reused) = match estimate {
            Some(ready) => {
                ready.check(options.algorithm, searcher.game.ir(), &starts)?;
                (ready, false)
            }
            None => shared
                .heuristics
                .get(&heuristic_setting, &details, prepare)?,
        };
        if is_reused {
            searcher.reused += heuristic.elapsed;
        }
        // Tables of the heuristic count toward the search's memory.
        let estimate = &heuristic.estimate;
        let names = estimate.named().map_or(0, Named::n_bytes);
        let mut taken = usize::try_from(estimate.n_bytes() + names).unwrap_or(usize::MAX);
        searcher.heuristic = heuristic;
        if let Some(radius) = options.perimeter {
            let length = match &spec {
                PruneSpec::None | PruneSpec::Parent => None,
                PruneSpec::Length(length) => Some(*length),
                // The machine of a file is for the rules as they are.
                PruneSpec::Auto | PruneSpec::File(_) => Some(2),
            };
            let limits = Limits {
                time: share(),
                memory: options.limits.memory.map(|all| all.saturating_sub(taken)),
                ..options.limits.clone()
            };
            let found = perimeter::prepare(&searcher.game, radius, length, &limits, env)?;
            taken = taken.saturating_add(found.as_ref().map_or(0, Perimeter::n_bytes));
            searcher.perimeter = found;
        }
        if let Some(memory) = &mut searcher.limits.memory {
            *memory = memory.saturating_sub(taken);
        }
        if let (Some(table), Some(memory)) = (&mut searcher.table_bytes, options.limits.memory) {
            *table = memory.saturating_sub(taken).min(*table);
        }
        searcher.made_in = started.elapsed();
        Ok(searcher)
    }
}
