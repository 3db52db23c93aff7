//! Searches bounded by cost, by a plan.

use std::time::Duration;

use psvn_ir::State;

use crate::deepening::{Raise, Round, Rounds, deepen};
use crate::front::by_depth::manner;
use crate::front::prepared::{AnyPlanned, Planned, with_planned};
use crate::game::compiled::CompiledGame;
use crate::game::row::Form;
use crate::heuristic::erased::{AnyHeuristic, Memo};
use crate::heuristic::value_sums::ValueSums;
use crate::heuristic::weight::Weight;
use crate::heuristic::{DEAD_END, ZeroHeuristic};
use crate::kernel::HasKernels;
use crate::plan::Plan;
use crate::run::limits::{StopReason, Watch};
use crate::run::options::{CycleDetection, Options};
use crate::run::report::{
    LevelCount, Outcome, Solution, SolveReport, Totals, TreeCount, without_empty_end,
};
use crate::walk::cost::{CostStart, CostTask, CostWalk};
use crate::walk::evaluator::{Estimator, PlainEstimator};
use crate::walk::full::{Aim, Manner, PlannedEngine, ToCost};
use crate::walk::outcome::{End, Found, Least};
use crate::walk::parallel::{CostResult, cost_in_parallel};
use crate::walk::threshold::Frontier;

/// How bounds are raised and nodes are pruned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByCost {
    pub(crate) cycles: CycleDetection,
    pub(crate) weight: Weight,
    pub(crate) raise: Raise,
    pub(crate) options: Options,
}

impl ByCost {
    /// Look for a solution of least cost, or of a cost within the weight of it.
    pub(crate) fn run(
        self,
        game: &CompiledGame,
        planned: &AnyPlanned,
        start: &State,
        heuristic: &dyn AnyHeuristic,
        watch: &mut Watch<'_, '_>,
    ) -> Result<SolveReport, StopReason> {
        with_planned!(planned, planned => {
            self.run_in_rows(game, planned, start, heuristic, watch)
        })
    }

    fn run_in_rows<F: Form<Row: HasKernels>>(
        self,
        game: &CompiledGame,
        planned: &Planned<F>,
        start: &State,
        heuristic: &dyn AnyHeuristic,
        watch: &mut Watch<'_, '_>,
    ) -> Result<SolveReport, StopReason> {
        let row = planned.form.pack(start.values());
        let (plan, form) = (&planned.plan, &*planned.form);
        let branches = game.branches();
        let estimate = heuristic.start(form.cells(&row, &mut [0; _]), &mut Memo::default());
        let sums = match heuristic.value_sums() {
            Some(sums) => planned.sum_estimator(game, sums, self.weight, watch)?,
            None => None,
        };
        let mut report = match sums {
            Some(sums) => self.search(game, planned, start, &row, &*sums, watch),
            None => {
                let plain = PlainEstimator::new(form, plan, branches, heuristic, self.weight);
                self.search(game, planned, start, &row, &plain, watch)
            }
        };
        report.heuristic_start = estimate;
        if estimate == DEAD_END {
            report.outcome = Outcome::NoSolution;
        }
        Ok(report)
    }

    fn search<F: Form<Row: HasKernels>, E: Estimator<F::Row>>(
        self,
        game: &CompiledGame,
        planned: &Planned<F>,
        start: &State,
        row: &F::Row,
        estimator: &E,
        watch: &mut Watch<'_, '_>,
    ) -> SolveReport {
        let mut report = SolveReport::new(self.cycles);
        let part = u64::from(self.weight.denominator());
        report.outcome = match estimator.root(row) {
            None => Outcome::Stopped(StopReason::CostOverflow),
            Some((bound, _)) if game.game().is_goal(start.values()) => {
                report.add_iteration(bound / part, &[LevelCount::ROOT]);
                Outcome::Solved(Solution::of_rules(game.game(), Vec::new()))
            }
            Some((first, kept)) => {
                let source = game.game();
                let is_simple = !self.raise.seeks_best() && self.cycles != CycleDetection::Path;
                if is_simple {
                    let start = CostStart {
                        row: *row,
                        kept,
                        context: Plan::<F::Row>::ROOT,
                        total: first,
                        parent: None,
                    };
                    let mut rounds = FastRounds {
                        by_cost: self,
                        plan: &planned.plan,
                        estimator,
                        start,
                        walk: CostWalk::new(&planned.plan, estimator),
                        last: 0,
                    };
                    deepen(
                        &mut rounds,
                        source,
                        first,
                        part,
                        self.raise,
                        &mut report,
                        watch,
                    )
                } else {
                    let manner = manner(&self.options, self.cycles);
                    let mut rounds = FullRounds {
                        estimator,
                        root: *row,
                        engine: PlannedEngine::new(&planned.plan, manner),
                    };
                    deepen(
                        &mut rounds,
                        source,
                        first,
                        part,
                        self.raise,
                        &mut report,
                        watch,
                    )
                }
            }
        };
        report
    }
}

/// Rounds by the fast walk, with threads where they pay. It finds first solutions only.
struct FastRounds<'p, R: HasKernels, E: Estimator<R>> {
    by_cost: ByCost,
    plan: &'p Plan<R>,
    estimator: &'p E,
    start: CostStart<R, E::Kept>,
    walk: CostWalk<'p, R, E>,
    /// The nodes that the last round made.
    last: u64,
}

impl<R: HasKernels, E: Estimator<R>> Rounds for FastRounds<'_, R, E> {
    const MAX_BOUND: u64 = E::MAX_BOUND;

    fn round(
        &mut self,
        bound: u64,
        _best: bool,
        _frontier: Frontier,
        watch: &mut Watch<'_, '_>,
    ) -> Round {
        let options = self.by_cost.options;
        let task = CostTask {
            bound,
            parent_pruning: self.by_cost.cycles == CycleDetection::Parent,
            count_forbidden: options.count_forbidden,
            count_depths: options.count_depths,
        };
        let may_make = watch.limits().nodes.unwrap_or(u64::MAX);
        let mut least = Least::default();
        let by_threads = (options.n_threads > 1
            && self.last > options.threads_above
            && may_make > options.threads_above)
            .then(|| {
                cost_in_parallel(
                    self.plan,
                    self.estimator,
                    options.instructions,
                    &self.start,
                    &task,
                    options.n_threads,
                    &mut least,
                    watch,
                )
            })
            .flatten();
        let result = by_threads.unwrap_or_else(|| {
            let walk = &mut self.walk;
            CostResult {
                end: walk.walk(options.instructions, &self.start, &task, &mut least, watch),
                counts: walk.counts,
                levels: walk.by_depth.clone(),
                overflow: walk.overflow,
                found: walk.found.take(),
            }
        });
        self.last = u64::try_from(result.counts.generated).unwrap_or(u64::MAX);
        Round {
            // A solution is an answer, whatever came after it.
            end: if result.found.is_some() {
                Ok(())
            } else {
                result.end
            },
            counts: result.counts,
            levels: match options.count_depths {
                true => with_root(result.levels),
                false => Vec::new(),
            },
            overflow: result.overflow,
            found: result.found,
            frontier: Frontier::of_least(least),
        }
    }
}

/// Rounds by the walk that can do everything.
struct FullRounds<'p, R, E: Estimator<R>> {
    estimator: &'p E,
    root: R,
    engine: PlannedEngine<'p, R, E::Kept>,
}

impl<R: HasKernels, E: Estimator<R>> Rounds for FullRounds<'_, R, E> {
    const MAX_BOUND: u64 = E::MAX_BOUND;

    fn round(
        &mut self,
        bound: u64,
        best: bool,
        frontier: Frontier,
        watch: &mut Watch<'_, '_>,
    ) -> Round {
        let mut task = ToCost {
            estimator: self.estimator,
            bound,
            aim: if best { Aim::Best } else { Aim::First },
            frontier,
            overflow: false,
        };
        let end = self.engine.walk(&self.root, &mut task, watch);
        let best = self.engine.take_best();
        let levels = without_empty_end(self.engine.levels());
        Round::of_walk(end, best, levels, task.overflow, task.frontier)
    }
}

/// Count by depth with the root, and without depths at which nothing happened.
fn with_root(mut levels: Vec<LevelCount>) -> Vec<LevelCount> {
    if levels.is_empty() {
        levels.push(LevelCount::default());
    }
    levels[0].generated += 1;
    without_empty_end(&levels)
}

impl Round {
    /// What a walk that keeps counts by depth came to.
    pub(crate) fn of_walk(
        end: End,
        best: Option<Vec<u32>>,
        levels: Vec<LevelCount>,
        overflow: bool,
        frontier: Frontier,
    ) -> Self {
        let (end, rules) = match end {
            End::Exhausted => (Ok(()), best),
            End::Goal(rules) => (Ok(()), Some(rules)),
            End::Stopped(reason) => (Err(reason), best),
        };
        let mut counts = Totals::default();
        levels.iter().for_each(|level| counts.add(level));
        // The root is no child.
        counts.generated = counts.generated.saturating_sub(1);
        Self {
            end,
            counts,
            levels,
            overflow,
            // What it costs is in its rules.
            found: rules.map(|rules| Found { total: 0, rules }),
            frontier,
        }
    }
}

/// Count the tree of paths that cost no more than a bound.
pub(crate) fn count(
    game: &CompiledGame,
    planned: &AnyPlanned,
    start: &State,
    bound: u64,
    cycles: CycleDetection,
    options: &Options,
    watch: &mut Watch<'_, '_>,
) -> Result<TreeCount, StopReason> {
    with_planned!(planned, planned => {
        count_in_rows(game, planned, start, bound, cycles, options, watch)
    })
}

fn count_in_rows<F: Form<Row: HasKernels>>(
    game: &CompiledGame,
    planned: &Planned<F>,
    start: &State,
    bound: u64,
    cycles: CycleDetection,
    options: &Options,
    watch: &mut Watch<'_, '_>,
) -> Result<TreeCount, StopReason> {
    let row = planned.form.pack(start.values());
    let (plan, form) = (&planned.plan, &*planned.form);
    // The cost of a path is its estimated total cost if nothing is estimated.
    let nothing = ValueSums::new(game.game(), |_, _| 0);
    let manner = manner(options, cycles);
    let sums = planned.sum_estimator(game, &nothing, Weight::ONE, watch)?;
    let (end, levels) = match sums {
        Some(estimator) => count_with(plan, &*estimator, manner, &row, bound, watch),
        None => {
            let branches = game.branches();
            let estimator = PlainEstimator::new(form, plan, branches, &ZeroHeuristic, Weight::ONE);
            count_with(plan, &estimator, manner, &row, bound, watch)
        }
    };
    Ok(TreeCount {
        levels,
        goals_in_last_ply: None,
        cycle_detection: cycles,
        stopped: match end {
            End::Stopped(reason) => Some(reason),
            End::Exhausted | End::Goal(_) => None,
        },
        preparation: Duration::ZERO,
        elapsed: Duration::ZERO,
    })
}

fn count_with<R: HasKernels, E: Estimator<R>>(
    plan: &Plan<R>,
    estimator: &E,
    manner: Manner,
    row: &R,
    bound: u64,
    watch: &mut Watch<'_, '_>,
) -> (End, Vec<LevelCount>) {
    let mut engine = PlannedEngine::new(plan, manner);
    let mut task = ToCost {
        estimator,
        bound: bound.min(E::MAX_BOUND),
        aim: Aim::Count,
        frontier: Frontier::least(),
        overflow: false,
    };
    let end = engine.walk(row, &mut task, watch);
    (end, without_empty_end(engine.levels()))
}
