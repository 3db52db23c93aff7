//! The prepared form of a search, which any number of runs share.

use std::sync::Arc;

use fsm::{Machine, SharedMachine, Unrestricted};
use psvn_ir::Term;

use crate::best_first::space::Space;
use crate::best_first::transposition::inclusion::Inclusions;
use crate::front::prepared::{AnyPlanned, MadeOnce};
use crate::front::run::Run;
use crate::game::compiled::CompiledGame;
use crate::kernel::Instructions;
use crate::plan::Known;
use crate::run::limits::{Checkpoints, StopReason, Watch};
use crate::run::options::{CycleDetection, Options};

/// A search in a game, prepared once and run on any number of start states, from any thread.
///
/// It holds what all runs have in common: the compiled game, the machine that prunes, what is known
/// of all states. The first run that needs them makes the plan of the search and the tables that
/// rest on it, within its own limits; all later runs use them. Reports give the time of that
/// preparation apart from the time of the search. A clone shares everything with the original.
///
/// ```
/// use search::{CompiledGame, Limits, Searcher, ZeroHeuristic};
///
/// let game = psvn_ir::load("
///     3  3 3 3
///     A B C => B A C
///     A B C => A C B
///     GOAL 0 1 2
/// ").game.expect("a game without errors");
/// let searcher = Searcher::builder(&CompiledGame::new(&game)).build();
/// std::thread::scope(|scope| {
///     for (start, cost) in [("2 1 0", 3), ("1 0 2", 1)] {
///         let start = game.parse_state(start).expect("a state of the game");
///         let searcher = &searcher;
///         scope.spawn(move || {
///             let limits = Limits { nodes: Some(1_000), ..Limits::default() };
///             let report = searcher.run().limits(limits).ida_star(&start, &ZeroHeuristic);
///             let report = report.expect("a state of the game");
///             assert_eq!(report.solution().map(|it| it.cost), Some(cost));
///         });
///     }
/// });
/// ```
#[derive(Clone, Debug)]
pub struct Searcher {
    prepared: Arc<Prepared>,
}

/// What runs share.
pub(crate) struct Prepared {
    pub(crate) game: CompiledGame,
    pub(crate) machine: SharedMachine,
    /// Whether the machine was given, so that it may forbid something.
    pub(crate) prunes: bool,
    pub(crate) options: Options,
    pub(crate) invariants: Option<Arc<Known>>,
    /// `None` if there can be no plan.
    plan: MadeOnce<Option<AnyPlanned>>,
    /// The game as searches with duplicate detection see it.
    space: MadeOnce<Space>,
    /// Which states of the machine a transposition table's entries serve; `None` if it is too
    /// large.
    inclusions: MadeOnce<Option<Inclusions>>,
}

impl std::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared")
            .field("game", &self.game)
            .field("prunes", &self.prunes)
            .field("options", &self.options)
            .field("is_planned", &self.plan.get().is_some())
            .finish_non_exhaustive()
    }
}

/// Sets up a [`Searcher`].
pub struct SearcherBuilder {
    game: CompiledGame,
    machine: Option<SharedMachine>,
    options: Options,
    invariants: Option<Arc<Known>>,
}

impl Searcher {
    /// Set up a search in a game, without pruning.
    pub fn builder(game: &CompiledGame) -> SearcherBuilder {
        SearcherBuilder {
            game: game.clone(),
            machine: None,
            options: Options::default(),
            invariants: None,
        }
    }
}

impl SearcherBuilder {
    /// Prune by this machine, which may also be an [`Arc`] of one or a [`SharedMachine`].
    ///
    /// The machine's letters are the numbers of the game's rules. A machine that was made for
    /// another game, or by an analysis that assumed an invariant which the start state breaks,
    /// gives wrong answers; this crate can't notice.
    pub fn machine(mut self, machine: impl Machine + Send + 'static) -> Self {
        self.machine = Some(SharedMachine::new(machine));
        self
    }

    /// Use what holds for all states that can be reached from the starts: `admits` says whether one
    /// of them may satisfy these preconditions, given as one term for each variable.
    ///
    /// It decides beforehand that some rules never apply after others. The results are the same
    /// with and without, provided that it is right; with it a search may be much faster.
    pub fn invariants(mut self, admits: impl Fn(&[Term]) -> bool + Send + Sync + 'static) -> Self {
        self.invariants = Some(Arc::new(admits));
        self
    }

    /// Detect cycles in this way. None are detected by default.
    pub fn cycle_detection(mut self, cycle_detection: CycleDetection) -> Self {
        self.options.cycle_detection = cycle_detection;
        self
    }

    /// Use no better instructions than these. Those that the processor lacks are never used.
    pub fn instructions(mut self, instructions: Instructions) -> Self {
        self.options.instructions = instructions.available();
        self
    }

    /// Make at most this many plies in one go (see [`Run::count_tree`]); 1 for none but the last
    /// one. By default as many as the processor's cache has room for, and none in trees that are
    /// walked in less time than laying those plies out takes.
    pub fn max_macro_plies(mut self, plies: usize) -> Self {
        self.options.max_macro_plies = Some(plies);
        self
    }

    /// Go without a plan: test all rules in all states, one after the other. Slow, and simple
    /// enough to be compared with.
    pub fn interpreted(mut self) -> Self {
        self.options.plans = false;
        self
    }

    /// The searcher. Nothing is prepared yet.
    pub fn build(self) -> Searcher {
        Searcher {
            prepared: Arc::new(Prepared {
                game: self.game,
                prunes: self.machine.is_some(),
                machine: self
                    .machine
                    .unwrap_or_else(|| SharedMachine::new(Unrestricted)),
                options: self.options,
                invariants: self.invariants,
                plan: MadeOnce::default(),
                space: MadeOnce::default(),
                inclusions: MadeOnce::default(),
            }),
        }
    }
}

impl Searcher {
    /// A run without limits, with one thread.
    pub fn run<'p>(&self) -> Run<'p> {
        Run::new(Arc::clone(&self.prepared))
    }

    /// The game.
    pub fn game(&self) -> &CompiledGame {
        &self.prepared.game
    }

    /// The machine that prunes; `None` if nothing is pruned.
    pub fn machine(&self) -> Option<&SharedMachine> {
        self.prepared.prunes.then_some(&self.prepared.machine)
    }

    /// Whether the plan of the search has been made, or it is known that there can be none.
    pub fn is_planned(&self) -> bool {
        self.prepared.plan.get().is_some()
    }
}

impl Prepared {
    /// The game as searches with duplicate detection see it.
    ///
    /// # Errors
    /// When a limit of the run is reached while another run makes it.
    pub(crate) fn space(&self, watch: &mut Watch<'_, '_>) -> Result<&Space, StopReason> {
        let make = |_: &mut Watch<'_, '_>| Ok(Space::new(&self.game.game));
        self.space.get_or_make(watch, make)
    }

    /// Which states of the machine allow everything that others allow; `None` if it is too large.
    ///
    /// # Errors
    /// When a limit of the run is reached while another run finds them.
    pub(crate) fn inclusions(
        &self,
        watch: &mut Watch<'_, '_>,
    ) -> Result<Option<&Inclusions>, StopReason> {
        let n_letters = self.game.game.rules().len();
        let make = |_: &mut Watch<'_, '_>| Ok(Inclusions::new(&self.machine, n_letters));
        Ok(self.inclusions.get_or_make(watch, make)?.as_ref())
    }

    /// The plan of the search, made if it hasn't been made; `None` when there can be none.
    ///
    /// # Errors
    /// When a limit of the run is reached first.
    pub(crate) fn plan(
        &self,
        watch: &mut Watch<'_, '_>,
    ) -> Result<Option<&AnyPlanned>, StopReason> {
        if !self.options.plans {
            return Ok(None);
        }
        let plan = self.plan.get_or_make(watch, |watch| {
            let mut check = |bytes| watch.check(bytes);
            let mut checkpoints = Checkpoints::new(&mut check);
            let invariants = self.invariants.as_deref();
            AnyPlanned::new(&self.game, &self.machine, invariants, &mut checkpoints)
        })?;
        Ok(plan.as_ref())
    }

    /// The cycle detection for a bound by cost. With rules that cost nothing, the paths within a
    /// bound may be infinitely long unless they may not come back to a state.
    pub(crate) fn cycle_detection_by_cost(&self) -> CycleDetection {
        if self.game.has_free_rules() {
            CycleDetection::Path
        } else {
            self.options.cycle_detection
        }
    }
}
