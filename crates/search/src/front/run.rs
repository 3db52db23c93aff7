//! The runs of a search: counts of trees, and searches for solutions with few moves.

use std::sync::Arc;
use std::time::Duration;

use fsm::SharedMachine;
use psvn_ir::State;

use crate::best_first::open::ranking::Ties;
use crate::best_first::space::goal_states::GoalFilter;
use crate::best_first::space::images::StateMap;
use crate::front::bounded::{by_cost, by_depth};
use crate::front::prepared::Prepared;
use crate::game::cell::{Block, Cell};
use crate::game::compiled::{Compiled, StateMismatch, with_width};
use crate::interpreter::engine::{Engine, Task};
use crate::interpreter::tasks::{CountToCost, CountToDepth, FindToDepth};
use crate::run::deepening::{Raise, Round, Rounds, deepen};
use crate::run::hand_out::HandOut;
use crate::run::limits::{Limits, Progress, ProgressFn, StopReason, Watch};
use crate::run::options::{Bound, CycleDetection, Options};
use crate::run::report::{LevelCount, SolveReport, TreeCount, without_empty_end};
use crate::walk::depth::{DepthTask, Goals};
use crate::walk::outcome::End;
use crate::walk::threshold::Frontier;

/// One or several consecutive runs of a [`Searcher`](crate::Searcher): limits, threads, and a
/// callback for progress.
pub struct Run<'p> {
    pub(crate) prepared: Arc<Prepared>,
    pub(crate) options: Options,
    pub(crate) limits: Limits,
    pub(crate) progress: Option<Box<ProgressFn<'p>>>,
    pub(crate) goal_filter: Option<Box<GoalFilter<'p>>>,
    pub(crate) ties: Ties,
    /// Searches for solutions that cost less than this.
    pub(crate) below: Option<u64>,
    pub(crate) symmetries: Vec<StateMap>,
    pub(crate) hand_out: Option<&'p dyn HandOut>,
    /// The most bytes of the files of a search on a disk.
    pub(crate) disk_memory: Option<u64>,
    /// Whether a search on a disk gets hardly any memory.
    pub(crate) has_tiny_room: bool,
}

impl std::fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Run")
            .field("prepared", &self.prepared)
            .field("options", &self.options)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl<'p> Run<'p> {
    pub(crate) fn new(prepared: Arc<Prepared>) -> Self {
        Self {
            options: prepared.options,
            prepared,
            limits: Limits::default(),
            progress: None,
            goal_filter: None,
            ties: Ties::default(),
            below: None,
            symmetries: Vec::new(),
            hand_out: None,
            disk_memory: None,
            has_tiny_room: false,
        }
    }

    /// Stop at these limits. They hold for each search separately, preparation included.
    ///
    /// With a limit of 0 nodes, a search prepares all that later searches of its kind use.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Call this with the progress about ten times a second: [`Progress::done`] counts the nodes
    /// generated over all iterations, and [`Progress::level`] is the bound of the current one, a
    /// depth or a cost.
    pub fn on_progress(mut self, progress: impl FnMut(&Progress) + 'p) -> Self {
        self.progress = Some(Box::new(progress));
        self
    }

    /// Set the number of threads for large searches; 1 by default, 0 for as many as the processor
    /// has. [`dfs`](Self::dfs), branch and bound, IDA\*_CR, and searches without a plan or with
    /// [`CycleDetection::Path`] always use one.
    ///
    /// Searches bounded by cost find the same solution after the same nodes as one thread does,
    /// unless a limit stops them or they have a [transposition table](Self::transposition_table).
    /// Searches by depth that run to the end have the same counts; a solution has the same number
    /// of moves, but may be another one.
    pub fn threads(mut self, n_threads: usize) -> Self {
        self.options.n_threads = match n_threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            n => n,
        };
        self
    }

    /// Have the subtrees of large rounds handed out, to threads of this process and to other
    /// processes, in [`ida_star`](Self::ida_star), [`wida_star`](Self::wida_star),
    /// [`dfid`](Self::dfid) and counts of trees. All processes that take part must make the same
    /// calls in the same order. Counts and solutions don't depend on their number. Searches that
    /// [can't hand out](Self::can_hand_out) are run in full by each process. With
    /// [`threads_above`](Self::threads_above) 0, each round is handed out that can be cut.
    pub fn handed_out_by(mut self, hand_out: &'p dyn HandOut) -> Self {
        self.hand_out = Some(hand_out);
        self
    }

    /// Return whether searches with these options can hand out subtrees, bounded by cost or by
    /// depth: not without a plan, nor where nodes are compared with their whole paths, as in a game
    /// with rules that cost nothing if the bound is on cost.
    ///
    /// # Errors
    /// When a limit is reached while the plan is made.
    pub fn can_hand_out(&mut self, by_cost: bool) -> Result<bool, StopReason> {
        let prepared = &*self.prepared;
        let cycles = if by_cost {
            prepared.cycle_detection_by_cost()
        } else {
            self.options.cycle_detection
        };
        let mut watch = Watch::new(&self.limits, self.progress.as_mut());
        Ok(cycles != CycleDetection::Path && prepared.plan(&mut watch)?.is_some())
    }

    /// Use threads only where more than this many nodes may be made, a few million by default. An
    /// iteration by cost begins with all threads if the growth of the iterations before it suggests
    /// that it makes more. Otherwise it begins with one thread, and the others join once it has
    /// made this number. A count by cost begins with one thread, and is started anew with all
    /// threads if it makes more.
    pub fn threads_above(mut self, nodes: u64) -> Self {
        self.options.threads_above = nodes;
        self
    }

    /// Choose whether to count children that the machine forbids; testing whether their rules apply
    /// may take time. They are counted by default.
    pub fn count_forbidden(mut self, count: bool) -> Self {
        self.options.count_forbidden = count;
        self
    }

    /// Use a transposition table of at most this many bytes in [`ida_star`](Self::ida_star)
    /// (Reinefeld & Marsland 1994) and the other searches bounded by cost.
    /// [`DEFAULT_TABLE_BYTES`](crate::DEFAULT_TABLE_BYTES) are usually enough. A table of 0 bytes
    /// has no entries. The search stops if table and path together exceed [`Limits::memory`]. Each
    /// run has its own table; branch and bound that begins with WIDA\* has one for each of the two.
    ///
    /// Entries are keyed by the state *and* the machine's state: what may follow a node depends on
    /// just these two, so a bound learned below one node holds for every node with the same two. It
    /// also holds for machine states that allow less: unless the machine is too large, an entry
    /// serves every machine state whose allowed words its own one allows too. With the state alone
    /// as the key, solutions would be lost: see [`UnsafeCombination`](crate::UnsafeCombination),
    /// and the example in the crate documentation.
    ///
    /// [Threads](Self::threads) share the table. What one learns from another depends on their
    /// timing, so counts vary from run to run; the cost of the solution doesn't.
    ///
    /// ```
    /// use search::{CompiledGame, Searcher, ZeroHeuristic};
    ///
    /// let game = psvn_ir::load("
    ///     4  4 4 4 4
    ///     A B C D => B A C D
    ///     A B C D => A C B D
    ///     A B C D => A B D C
    ///     GOAL 0 1 2 3
    /// ").game.expect("a game without errors");
    /// let start = game.parse_state("3 2 1 0")?;
    /// let searcher = Searcher::builder(&CompiledGame::new(&game)).build();
    /// let mut run = searcher.run().transposition_table(1 << 16);
    /// let report = run.ida_star(&start, &ZeroHeuristic)?;
    /// assert_eq!(report.solution().map(|solution| solution.cost), Some(6));
    /// assert!(report.table.is_some_and(|table| table.cutoffs > 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn transposition_table(mut self, bytes: usize) -> Self {
        self.options.table_bytes = Some(bytes);
        self
    }

    /// Choose whether searches bounded by cost and searches with duplicate detection count by depth
    /// ([`SolveReport::levels`]); by default they don't. All other searches always do. It takes
    /// time: for heuristics that are [sums](crate::ValueSums) the fastest walk doesn't know its
    /// depth, and a best-first search has to store the depth of each state, in 4 bytes.
    pub fn count_depths(mut self, count: bool) -> Self {
        self.options.count_depths = count;
        self
    }

    /// Count the tree below a start state by depth: one node for each sequence of rules.
    ///
    /// The nodes of a tree are the sequences within the bound that the machine allows and that
    /// close no cycle. The root counts as generated at depth 0. All nodes are expanded, but for
    /// those at the greatest depth of a [`Bound::Depth`]. Below [`Bound::Cost`], a game with rules
    /// that cost nothing is counted with [`CycleDetection::Path`], since the tree may be infinite
    /// otherwise.
    ///
    /// If a limit stops the count, the levels are those of the part of the tree walked so far,
    /// depth first; [`count_levels`](Self::count_levels) gives complete counts instead.
    ///
    /// # Errors
    /// When the start is not a state of the game.
    pub fn count_tree(&mut self, start: &State, bound: Bound) -> Result<TreeCount, StateMismatch> {
        let prepared = &*self.prepared;
        let game = &prepared.game;
        game.check(start)?;
        let cycle_detection = match bound {
            Bound::Depth(_) => self.options.cycle_detection,
            Bound::Cost(_) => prepared.cycle_detection_by_cost(),
        };
        let (Bound::Depth(limit) | Bound::Cost(limit)) = bound;
        let mut watch =
            Watch::new(&self.limits, self.progress.as_mut()).handed_out_by(self.hand_out);
        watch.bound = limit;
        let counted = match prepared.plan(&mut watch) {
            Err(reason) => Err(reason),
            Ok(None) => Ok(count_by_book(
                prepared,
                start,
                bound,
                cycle_detection,
                &mut watch,
            )?),
            Ok(Some(planned)) => match bound {
                Bound::Depth(depth) => {
                    let task = DepthTask {
                        depth,
                        goals: Goals::Count,
                        cycles: cycle_detection,
                        count_forbidden: self.options.count_forbidden,
                    };
                    let options = &self.options;
                    by_depth::count(game, planned, start, &task, options, &mut watch)
                }
                Bound::Cost(cost) => by_cost::count(
                    game,
                    planned,
                    start,
                    cost,
                    cycle_detection,
                    &self.options,
                    &mut watch,
                ),
            },
        };
        let mut counted = counted.unwrap_or_else(|reason| TreeCount {
            levels: vec![LevelCount::ROOT],
            goals_in_last_ply: None,
            cycle_detection,
            stopped: Some(reason),
            preparation: Duration::ZERO,
            elapsed: Duration::ZERO,
        });
        (counted.preparation, counted.elapsed) = watch.times();
        Ok(counted)
    }

    /// Look for the first solution of at most `depth` moves, in the order of the rules.
    ///
    /// Nodes are tested for the goal when they are generated. With a machine made by the
    /// length-lexicographic order, a solution within the depth is found whenever there is one. A
    /// machine made by the order of costs may forbid the only solution within the depth, in favor
    /// of a longer and cheaper one.
    ///
    /// # Errors
    /// When the start is not a state of the game.
    pub fn dfs(&mut self, start: &State, depth: u64) -> Result<SolveReport, StateMismatch> {
        self.find_to_depth(start, depth, depth)
    }

    /// Look for a solution with the fewest moves: depth-first iterative deepening with depths 0,
    /// 1, 2 and so on.
    ///
    /// The search ends with [`Outcome::NoSolution`](crate::Outcome::NoSolution) when an iteration
    /// has no node at its greatest depth. Without a solution, and without [`CycleDetection::Path`],
    /// it may run forever: set limits. Machines are as for [`dfs`](Self::dfs).
    ///
    /// # Errors
    /// When the start is not a state of the game.
    pub fn dfid(&mut self, start: &State) -> Result<SolveReport, StateMismatch> {
        self.find_to_depth(start, 0, u64::MAX)
    }

    /// Run iterations with depths from `first` to `last`.
    fn find_to_depth(
        &mut self,
        start: &State,
        first: u64,
        last: u64,
    ) -> Result<SolveReport, StateMismatch> {
        let prepared = &*self.prepared;
        let game = &prepared.game;
        game.check(start)?;
        let cycles = self.options.cycle_detection;
        let mut watch =
            Watch::new(&self.limits, self.progress.as_mut()).handed_out_by(self.hand_out);
        let found = match prepared.plan(&mut watch) {
            Err(reason) => Err(reason),
            Ok(None) => Ok(find_by_book(prepared, start, first, last, &mut watch)?),
            Ok(Some(planned)) => {
                let task = DepthTask {
                    depth: first,
                    goals: if first == last {
                        Goals::FindInAllPlies
                    } else {
                        Goals::FindInLastPly
                    },
                    cycles,
                    count_forbidden: self.options.count_forbidden,
                };
                let options = &self.options;
                by_depth::find(game, planned, start, task, last, options, &mut watch)
            }
        };
        let mut report = found.unwrap_or_else(|reason| SolveReport::stopped(cycles, reason));
        if let Some(rules) = &prepared.part_of {
            report.name_rules(rules);
        }
        (report.preparation, report.elapsed) = watch.times();
        Ok(report)
    }
}

/// Count a tree without a plan.
fn count_by_book(
    prepared: &Prepared,
    start: &State,
    bound: Bound,
    cycles: CycleDetection,
    watch: &mut Watch<'_, '_>,
) -> Result<TreeCount, StateMismatch> {
    let machine = &prepared.machine;
    with_width!(prepared.game, game => {
        let start = game.pack(start)?;
        Ok(match bound {
            Bound::Depth(depth) => {
                count(game, machine, cycles, &start, CountToDepth { depth }, watch)
            }
            Bound::Cost(cost) => {
                count(game, machine, cycles, &start, CountToCost { game, cost }, watch)
            }
        })
    })
}

/// Look for a goal with depths from `first` to `last`, without a plan.
fn find_by_book(
    prepared: &Prepared,
    start: &State,
    first: u64,
    last: u64,
    watch: &mut Watch<'_, '_>,
) -> Result<SolveReport, StateMismatch> {
    let cycles = prepared.options.cycle_detection;
    with_width!(prepared.game, game => {
        let start = game.pack(start)?;
        let source = &*prepared.game.game;
        let mut report = SolveReport::new(cycles);
        let mut rounds = BookRounds {
            engine: Engine::new(game, &prepared.machine, cycles),
            game,
            start,
        };
        let raise = Raise::ByMoves(last);
        report.outcome = deepen(&mut rounds, source, first, 1, raise, &mut report, watch);
        Ok(report)
    })
}

/// Rounds bounded by depth, by the interpreter.
struct BookRounds<'g, C> {
    engine: Engine<'g, C, ()>,
    game: &'g Compiled<C>,
    start: Box<[Block<C>]>,
}

impl<C: Cell> Rounds for BookRounds<'_, C> {
    fn max_bound(&self) -> u64 {
        u64::MAX
    }

    fn round(
        &mut self,
        bound: u64,
        _best: bool,
        mut frontier: Frontier,
        watch: &mut Watch<'_, '_>,
    ) -> Result<Round, StopReason> {
        let mut task = FindToDepth {
            game: self.game,
            depth: bound,
            cut_off: false,
        };
        let end = self.engine.walk(&self.start, &mut task, watch);
        if task.cut_off {
            frontier.beyond(bound.saturating_add(1));
        }
        let levels = self.engine.levels();
        Ok(Round::of_walk(end, None, levels, false, frontier))
    }
}

/// Run a counting task.
fn count<C: Cell, T: Task<C>>(
    game: &Compiled<C>,
    machine: &SharedMachine,
    cycle_detection: CycleDetection,
    start: &[Block<C>],
    mut task: T,
    watch: &mut Watch<'_, '_>,
) -> TreeCount {
    let mut engine = Engine::new(game, machine, cycle_detection);
    let stopped = match engine.walk(start, &mut task, watch) {
        End::Stopped(reason) => Some(reason),
        End::Exhausted | End::Goal(_) => None,
    };
    TreeCount {
        levels: without_empty_end(engine.levels()),
        goals_in_last_ply: None,
        cycle_detection,
        stopped,
        preparation: Duration::ZERO,
        elapsed: Duration::ZERO,
    }
}
