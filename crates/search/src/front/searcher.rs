//! Prepared searches, shared by any number of runs.

use std::sync::Arc;

use fsm::{Machine, SharedMachine, Unrestricted};
use psvn_ir::{RuleId, Term, Value, VarId};

use crate::best_first::space::packed::Group;
use crate::front::prepared::Prepared;
use crate::front::run::Run;
use crate::game::compiled::CompiledGame;
use crate::kernel::Instructions;
use crate::plan::Known;
use crate::run::made_once::MadeOnce;
use crate::run::options::{CycleDetection, Options};

/// A search in a game, prepared once and run on any number of start states, from any thread.
///
/// It holds what all runs share: the compiled game, the machine that prunes, and the invariants.
/// The first run that needs them makes the plan of the search and the tables that rest on it,
/// within its own limits; later runs reuse them. Reports list the time of that preparation
/// separately. A clone shares everything with the original.
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

/// Sets up a [`Searcher`].
pub struct SearcherBuilder {
    game: CompiledGame,
    machine: Option<SharedMachine>,
    options: Options,
    invariants: Option<Arc<Known>>,
    groups: Vec<Group>,
    part_of: Option<Box<[RuleId]>>,
}

impl Searcher {
    /// Set up a search in a game without a machine.
    pub fn builder(game: &CompiledGame) -> SearcherBuilder {
        SearcherBuilder {
            game: game.clone(),
            machine: None,
            options: Options::default(),
            invariants: None,
            groups: Vec::new(),
            part_of: None,
        }
    }
}

impl SearcherBuilder {
    /// Prune by this machine, which may also be an [`Arc`] of one or a [`SharedMachine`].
    ///
    /// The machine's letters are the numbers of the game's rules. A machine made for another game,
    /// or by an analysis that assumed an invariant which the start state breaks, gives wrong
    /// answers; this crate can't detect that.
    pub fn machine(mut self, machine: impl Machine + Send + 'static) -> Self {
        self.machine = Some(SharedMachine::new(machine));
        self
    }

    /// Use invariants of all states that are reachable from the starts: `admits` returns whether
    /// one of them may satisfy these preconditions, given as one term for each variable.
    ///
    /// The search plan then excludes beforehand some rules that never apply after others. If
    /// `admits` is right, the results are the same with and without it; with it a search may be
    /// much faster.
    pub fn invariants(mut self, admits: impl Fn(&[Term]) -> bool + Send + Sync + 'static) -> Self {
        self.invariants = Some(Arc::new(admits));
        self
    }

    /// Name groups of facts (a variable has a value) of which exactly one holds in all states that
    /// are reachable from the starts, as invariants prove.
    ///
    /// Searches with duplicate detection that only go forward pack the variables of such a group
    /// together: k variables of two values take the bits of a number below k. Groups that have
    /// variables in common, or whose variables are copied or compared, are left out, and from a
    /// start that doesn't satisfy the groups nothing is packed together.
    pub fn one_of(mut self, groups: impl IntoIterator<Item = Vec<(VarId, Value)>>) -> Self {
        let index = |(var, value): (VarId, Value)| (var.index(), value.0);
        let groups = groups.into_iter();
        self.groups = groups
            .map(|group| group.into_iter().map(index).collect())
            .collect();
        self
    }

    /// Name, for each of the game's rules in order, the rule of another game that it is a part of.
    /// Both games have the same variables. Depth-first searches then ask heuristics about the rules
    /// of the other game, for which they were made, and report solutions in them.
    pub fn parts_of(mut self, rules: impl IntoIterator<Item = RuleId>) -> Self {
        self.part_of = Some(rules.into_iter().collect());
        self
    }

    /// Detect cycles in this way. By default none are detected.
    pub fn cycle_detection(mut self, cycle_detection: CycleDetection) -> Self {
        self.options.cycle_detection = cycle_detection;
        self
    }

    /// Use no instructions beyond these. Those that the processor lacks are never used.
    pub fn instructions(mut self, instructions: Instructions) -> Self {
        self.options.instructions = instructions.available();
        self
    }

    /// Make at most this many plies at once. The default is as many as fit the processor's cache,
    /// or 1 in trees that take less time to walk than these plies take to lay out.
    pub fn max_macro_plies(mut self, plies: usize) -> Self {
        self.options.max_macro_plies = Some(plies);
        self
    }

    /// Search without a plan: test all rules in all states, one after the other. This is slow, but
    /// simple enough to serve as a reference.
    pub fn interpreted(mut self) -> Self {
        self.options.plans = false;
        self
    }

    /// Build the searcher. Nothing is prepared yet.
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
                grouped_space: MadeOnce::default(),
                groups: self.groups,
                part_of: self.part_of,
                inclusions: MadeOnce::default(),
            }),
        }
    }
}

impl Searcher {
    /// Start a run without limits, with one thread.
    pub fn run<'p>(&self) -> Run<'p> {
        Run::new(Arc::clone(&self.prepared))
    }

    /// Return the game.
    pub fn game(&self) -> &CompiledGame {
        &self.prepared.game
    }

    /// Return the machine that prunes; `None` if nothing is pruned.
    pub fn machine(&self) -> Option<&SharedMachine> {
        self.prepared.prunes.then_some(&self.prepared.machine)
    }

    /// Return whether the plan of the search has been made, or is known to be impossible.
    pub fn is_planned(&self) -> bool {
        self.prepared.plan.get().is_some()
    }
}
