//! The front door: a search is set up once and run on any number of start states.

use fsm::{Machine, Unrestricted};
use psvn_ir::{Game, State, Term};

use crate::front::{by_cost, by_depth};
use crate::game::cell::{Block, Cell};
use crate::game::compiled::{Compiled, CompiledGame, StateMismatch, with_width};
use crate::interpreter::engine::{Engine, Task};
use crate::interpreter::tasks::{CountToCost, CountToDepth, FindToDepth};
use crate::kernel::Instructions;
use crate::plan::Known;
use crate::plan::planned::AnyPlanned;
use crate::run::limits::{Limits, Progress, ProgressFn, Watch};
use crate::run::options::{Bound, CycleDetection, Options};
use crate::run::report::{Outcome, Solution, SolveReport, TreeCount, without_empty_end};
use crate::walk::depth::{DepthTask, Goals};
use crate::walk::outcome::End;

/// A search in a game: what prunes it, and what stops it.
///
/// The machine's letters are the numbers of the game's rules. A machine that was made for another
/// game, or by an analysis that assumed an invariant which the start state breaks, gives wrong
/// answers; this crate can't tell.
pub struct Search<'a, M = Unrestricted> {
    pub(crate) game: &'a CompiledGame,
    pub(crate) machine: M,
    pub(crate) cycle_detection: CycleDetection,
    pub(crate) limits: Limits,
    pub(crate) progress: Option<Box<ProgressFn<'a>>>,
    pub(crate) options: Options,
    known: Option<Box<Known<'a>>>,
    /// The plan of the search: made when it is first needed, `Some(None)` if there can be none.
    pub(crate) planned: Option<Option<AnyPlanned<'a>>>,
}

impl<'a> Search<'a> {
    /// A search without pruning and limits.
    pub fn new(game: &'a CompiledGame) -> Self {
        Self {
            game,
            machine: Unrestricted,
            cycle_detection: CycleDetection::None,
            limits: Limits::default(),
            progress: None,
            options: Options::default(),
            known: None,
            planned: None,
        }
    }
}

impl<'a, M: Machine> Search<'a, M> {
    /// Runs beside this machine, which may also be a reference to one.
    pub fn machine<N: Machine>(self, machine: N) -> Search<'a, N> {
        Search {
            game: self.game,
            machine,
            cycle_detection: self.cycle_detection,
            limits: self.limits,
            progress: self.progress,
            options: self.options,
            known: self.known,
            planned: None,
        }
    }

    /// Uses what is known of all states that can be reached from the starts: `known` says whether
    /// one of them may satisfy these preconditions, given as one term for each variable.
    ///
    /// It decides beforehand that some rules never apply after others. The searches' results are the
    /// same with and without, provided that it speaks the truth; with it they may be much faster.
    pub fn known(mut self, known: impl Fn(&[Term]) -> bool + Sync + 'a) -> Self {
        self.known = Some(Box::new(known));
        self.planned = None;
        self
    }

    /// Uses no better instructions than these. Those that the processor lacks are never used.
    pub fn instructions(mut self, instructions: Instructions) -> Self {
        self.options.instructions = instructions.available();
        self
    }

    /// Makes at most so many plies in one go (see [`count_tree`](Self::count_tree)); 1 for none but
    /// the last one. By default as many as the processor's cache has room for, and none in trees that are
    /// walked in less time than laying those plies out takes.
    pub fn max_tail(mut self, plies: usize) -> Self {
        self.options.max_tail = Some(plies);
        self.planned = None;
        self
    }

    /// Uses several threads where a search is large enough; 1 by default, 0 for as many as the processor
    /// has. One thread is all that [`dfs`](Self::dfs), branch and bound, IDA\*_CR, and searches without a
    /// plan, with [`CycleDetection::Path`] or with [`count_depths`](Self::count_depths) use.
    ///
    /// What is counted is the same, unless the search ends early; and a solution is as good, though
    /// it may be another one each time.
    pub fn threads(mut self, n_threads: usize) -> Self {
        self.options.n_threads = match n_threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            n => n,
        };
        self
    }

    /// Uses threads only where more than so many nodes may be made, and an iteration by cost before made
    /// as many. By default a few million.
    pub fn threads_above(mut self, nodes: u64) -> Self {
        self.options.threads_above = nodes;
        self
    }

    /// Whether children that the machine forbids are counted, though it may cost time to find out
    /// whether their rules apply. They are by default.
    pub fn count_forbidden(mut self, count: bool) -> Self {
        self.options.count_forbidden = count;
        self
    }

    /// Whether searches bounded by cost count by depth too ([`SolveReport::levels`]). They don't by
    /// default, since their fastest walk doesn't know how deep it is. All other searches always do.
    pub fn count_depths(mut self, count: bool) -> Self {
        self.options.count_depths = count;
        self
    }

    /// Goes without a plan: tests all rules in all states, one after the other. Slow, and simple
    /// enough to be compared with.
    pub fn interpreted(mut self) -> Self {
        self.options.plans = false;
        self
    }

    /// Makes the plan of the search, unless it has been made or can't be.
    pub(crate) fn make_plan(&mut self) {
        if self.planned.is_none() && self.options.plans {
            let form = self.game.form.as_ref();
            let known = self.known.as_deref();
            self.planned = Some(
                form.and_then(|form| AnyPlanned::new(&self.game.game, form, &self.machine, known)),
            );
        }
    }

    /// Detects cycles in this way.
    pub fn cycle_detection(mut self, cycle_detection: CycleDetection) -> Self {
        self.cycle_detection = cycle_detection;
        self
    }

    /// Stops at these limits. They hold for each run by itself.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The limits of the next run.
    pub(crate) fn current_limits(&self) -> &Limits {
        &self.limits
    }

    /// Changes them.
    pub(crate) fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Tells of its progress, about ten times a second.
    pub fn on_progress(mut self, progress: impl FnMut(&Progress) + 'a) -> Self {
        self.progress = Some(Box::new(progress));
        self
    }

    /// The cycle detection for a bound by cost. With rules that cost nothing, the paths within a
    /// bound may be infinitely long unless they may not come back to a state.
    pub(crate) fn cycle_detection_by_cost(&self) -> CycleDetection {
        if self.game.has_free_rules() {
            CycleDetection::Path
        } else {
            self.cycle_detection
        }
    }

    /// Counts the tree below a start state, depth by depth, each node once for each sequence of rules
    /// that leads to it.
    ///
    /// The nodes of a tree are the sequences within the bound that the machine allows and that close
    /// no cycle. The root counts as generated at depth 0. All nodes are expanded, but for those at
    /// the greatest depth of a [`Bound::Depth`]. Below [`Bound::Cost`], a game with rules that cost
    /// nothing is counted with [`CycleDetection::Path`], since the tree may be infinite otherwise.
    ///
    /// Where a limit stops it, the levels are those of the part of the tree that was walked, depth
    /// first; [`count_levels`](Self::count_levels) gives complete counts instead.
    ///
    /// # Errors
    /// When the start state is none of the game.
    pub fn count_tree(&mut self, start: &State, bound: Bound) -> Result<TreeCount, StateMismatch> {
        let cycle_detection = match bound {
            Bound::Depth(_) => self.cycle_detection,
            Bound::Cost(_) => self.cycle_detection_by_cost(),
        };
        self.make_plan();
        if let Some(Some(planned)) = &self.planned {
            self.game.check(start)?;
            let mut watch = Watch::new(&self.limits, self.progress.as_mut());
            let (Bound::Depth(limit) | Bound::Cost(limit)) = bound;
            watch.bound = limit;
            let options = &self.options;
            return Ok(match bound {
                Bound::Depth(depth) => {
                    let task = DepthTask {
                        depth,
                        goals: Goals::Count,
                        parent_pruning: cycle_detection == CycleDetection::Parent,
                        count_forbidden: options.count_forbidden,
                    };
                    by_depth::count(
                        self.game,
                        planned,
                        start,
                        &task,
                        cycle_detection,
                        options,
                        watch,
                    )
                }
                Bound::Cost(cost) => by_cost::count(
                    self.game,
                    planned,
                    start,
                    cost,
                    cycle_detection,
                    options,
                    &mut watch,
                ),
            });
        }
        let mut watch = Watch::new(&self.limits, self.progress.as_mut());
        let (Bound::Depth(limit) | Bound::Cost(limit)) = bound;
        watch.bound = limit;
        with_width!(self.game, game => {
            let start = game.pack(start)?;
            Ok(match bound {
                Bound::Depth(depth) => {
                    count(game, &self.machine, cycle_detection, &start, CountToDepth { depth }, watch)
                }
                Bound::Cost(cost) => {
                    count(game, &self.machine, cycle_detection, &start, CountToCost { game, cost }, watch)
                }
            })
        })
    }

    /// Looks for the first solution of at most `depth` moves, in the order of the rules.
    ///
    /// Nodes are tested for the goal when they are generated. With a machine made by the
    /// length-lexicographic order, a solution within the depth is found whenever there is one. One
    /// made by the order of costs may forbid the only solution within the depth, in favor of
    /// a longer and cheaper one.
    ///
    /// # Errors
    /// When the start state is none of the game.
    pub fn dfs(&mut self, start: &State, depth: u64) -> Result<SolveReport, StateMismatch> {
        self.find_to_depth(start, depth, depth)
    }

    /// Looks for a solution with the fewest moves: depth-first iterative deepening with depths 0, 1,
    /// 2 and so on.
    ///
    /// Ends with [`Outcome::NoSolution`] when an iteration has no node at its greatest depth. Without
    /// a solution, and without [`CycleDetection::Path`], it may run forever: give it limits. Machines
    /// are as for [`dfs`](Self::dfs).
    ///
    /// # Errors
    /// When the start state is none of the game.
    pub fn dfid(&mut self, start: &State) -> Result<SolveReport, StateMismatch> {
        self.find_to_depth(start, 0, u64::MAX)
    }

    /// Iterations with depths from `first` to `last`.
    fn find_to_depth(
        &mut self,
        start: &State,
        first: u64,
        last: u64,
    ) -> Result<SolveReport, StateMismatch> {
        self.make_plan();
        if let Some(Some(planned)) = &self.planned {
            self.game.check(start)?;
            let mut watch = Watch::new(&self.limits, self.progress.as_mut());
            let task = DepthTask {
                depth: first,
                goals: if first == last {
                    Goals::FindInAllPlies
                } else {
                    Goals::FindInLastPly
                },
                parent_pruning: self.cycle_detection == CycleDetection::Parent,
                count_forbidden: self.options.count_forbidden,
            };
            return Ok(by_depth::find(
                self.game,
                planned,
                start,
                task,
                last,
                self.cycle_detection,
                &self.options,
                &mut watch,
            ));
        }
        let mut watch = Watch::new(&self.limits, self.progress.as_mut());
        with_width!(self.game, game => {
            let start = game.pack(start)?;
            let mut solver = Solver::new(&self.game.game, game, &self.machine, self.cycle_detection, start, &mut watch);
            let mut depth = first;
            loop {
                let mut task = FindToDepth { game, depth, cut_off: false };
                if let Some(outcome) = solver.iterate(&mut task, depth) {
                    return Ok(solver.finish(outcome));
                }
                if !task.cut_off {
                    return Ok(solver.finish(Outcome::NoSolution));
                }
                if depth == last {
                    return Ok(solver.finish(Outcome::NotWithinDepth));
                }
                depth += 1;
            }
        })
    }
}

/// Runs a counting task.
fn count<C: Cell, M: Machine, T: Task<C>>(
    game: &Compiled<C>,
    machine: &M,
    cycle_detection: CycleDetection,
    start: &[Block<C>],
    mut task: T,
    mut watch: Watch<'_, '_>,
) -> TreeCount {
    let mut engine = Engine::new(game, machine, cycle_detection);
    let stopped = match engine.walk(start, &mut task, &mut watch) {
        End::Stopped(reason) => Some(reason),
        End::Exhausted | End::Goal(_) => None,
    };
    TreeCount {
        levels: without_empty_end(engine.levels()),
        goals_in_last_ply: None,
        cycle_detection,
        stopped,
        elapsed: watch.elapsed(),
    }
}

/// The iterations of one search for a solution.
struct Solver<'s, 'p, 'w, C, M: Machine, K> {
    game: &'s Game,
    start: Box<[Block<C>]>,
    engine: Engine<'s, C, M, K>,
    watch: &'w mut Watch<'s, 'p>,
    report: SolveReport,
}

impl<'s, 'p, 'w, C: Cell, M: Machine, K: Copy> Solver<'s, 'p, 'w, C, M, K> {
    fn new(
        source: &'s Game,
        game: &'s Compiled<C>,
        machine: &'s M,
        cycle_detection: CycleDetection,
        start: Box<[Block<C>]>,
        watch: &'w mut Watch<'s, 'p>,
    ) -> Self {
        let report = SolveReport::new(cycle_detection);
        Self {
            game: source,
            start,
            engine: Engine::new(game, machine, cycle_detection),
            watch,
            report,
        }
    }

    /// One iteration. `None` when it found nothing and no limit stopped it.
    fn iterate<T: Task<C, Mark = K>>(&mut self, task: &mut T, bound: u64) -> Option<Outcome> {
        self.watch.bound = bound;
        let end = self.engine.walk(&self.start, task, self.watch);
        self.report.add_iteration(bound, self.engine.levels());
        match end {
            End::Exhausted => None,
            End::Stopped(reason) => Some(Outcome::Stopped(reason)),
            End::Goal(rules) => Some(Outcome::Solved(Solution::of_rules(self.game, rules))),
        }
    }

    fn finish(self, outcome: Outcome) -> SolveReport {
        SolveReport {
            outcome,
            elapsed: self.watch.elapsed(),
            ..self.report
        }
    }
}
