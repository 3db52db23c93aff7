//! Searches bounded by cost with a plan.

use std::time::Duration;

use psvn_ir::{RuleId, State};

use crate::front::planned::{AnyPlanned, Planned, with_planned};
use crate::game::compiled::CompiledGame;
use crate::game::packed::Form;
use crate::heuristic::memo::Memo;
use crate::heuristic::value_sums::ValueSums;
use crate::heuristic::weight::Weight;
use crate::heuristic::{DEAD_END, Heuristic, ZeroHeuristic};
use crate::kernel::HasKernels;
use crate::plan::Plan;
use crate::run::deepening::{Raise, Round, Rounds, deepen};
use crate::run::limits::{StopReason, Watch};
use crate::run::options::{CycleDetection, Options};
use crate::run::report::{
    LevelCount, Outcome, Solution, SolveReport, TreeCount, without_empty_end,
};
use crate::transposition::counts::TableCounts;
use crate::transposition::learner::{Learner, Lesson};
use crate::transposition::setup::{OwnTable, TableSetup};
use crate::walk::cost::{CostEstimator, CostStart, CostTask, CostWalk, Wanted};
use crate::walk::evaluator::{PlainEstimator, Question};
use crate::walk::parallel::{CostResult, OnDemand, cost_in_parallel, cost_on_demand};
use crate::walk::threshold::Frontier;

/// The assumed size of a tree that several threads or processes count.
const COUNTED: u64 = 1 << 34;

/// How bounds are raised and nodes are pruned.
#[derive(Clone, Copy)]
pub(crate) struct ByCost<'m> {
    pub(crate) cycles: CycleDetection,
    pub(crate) weight: Weight,
    pub(crate) raise: Raise,
    pub(crate) options: Options,
    /// The transposition table, if there is one.
    pub(crate) table: Option<TableSetup<'m>>,
    /// The heuristic's rule for each of the game's rules, if those are other ones.
    pub(crate) heuristic_rules: Option<&'m [RuleId]>,
}

impl ByCost<'_> {
    /// Look for a solution of least cost, or of at most the weight times the least cost.
    pub(crate) fn run(
        self,
        game: &CompiledGame,
        planned: &AnyPlanned,
        start: &State,
        heuristic: &dyn Heuristic,
        watch: &mut Watch<'_, '_>,
    ) -> Result<SolveReport, StopReason> {
        with_planned!(planned, planned => {
            self.run_packed(game, planned, start, heuristic, watch)
        })
    }

    fn run_packed<F: Form<Packed: HasKernels>>(
        self,
        game: &CompiledGame,
        planned: &Planned<F>,
        start: &State,
        heuristic: &dyn Heuristic,
        watch: &mut Watch<'_, '_>,
    ) -> Result<SolveReport, StopReason> {
        let packed = planned.form.pack(start.values());
        let (plan, form) = (&planned.plan, &*planned.form);
        let branches = game.branches();
        let estimate = heuristic.start(form.cells(&packed, &mut [0; _]), &mut Memo::default());
        let sums = match heuristic.properties().value_sums {
            // A table supports any heuristic; no sum estimator is needed.
            Some(sums) if self.table.is_none() => {
                planned.sum_estimator(game, sums, self.weight, watch)?
            }
            Some(_) | None => None,
        };
        let mut report = match sums {
            Some(sums) => self.search(game, planned, start, &packed, &*sums, watch),
            None => {
                let question = Question {
                    heuristic,
                    weight: self.weight,
                    is_exact: self.table.is_some(),
                    rules: self.heuristic_rules,
                };
                let plain = PlainEstimator::new(form, plan, branches, question);
                self.search(game, planned, start, &packed, &plain, watch)
            }
        };
        report.heuristic_start = estimate;
        if estimate == DEAD_END {
            report.outcome = Outcome::NoSolution;
        }
        Ok(report)
    }

    fn search<F: Form<Packed: HasKernels>, E: CostEstimator<F::Packed>>(
        self,
        game: &CompiledGame,
        planned: &Planned<F>,
        start: &State,
        packed: &F::Packed,
        estimator: &E,
        watch: &mut Watch<'_, '_>,
    ) -> SolveReport {
        let mut report = SolveReport::new(self.cycles);
        let part = u64::from(self.weight.denominator());
        report.outcome = match estimator.root(packed) {
            None => Outcome::Stopped(StopReason::CostOverflow),
            Some((bound, _)) if game.game().is_goal(start.values()) => {
                report.add_iteration(bound / part, &[LevelCount::ROOT]);
                Outcome::Solved(Solution::of_rules(game.game(), Vec::new()))
            }
            Some((first, kept)) => {
                let n_words = size_of::<F::Packed>() / size_of::<u64>();
                let source = game.game();
                let table = self
                    .table
                    .map(|it| it.make(n_words, source, part, watch))
                    .transpose();
                let table = match table {
                    Ok(table) => table,
                    Err(reason) => {
                        report.outcome = Outcome::Stopped(reason);
                        report.table = Some(TableCounts::default());
                        return report;
                    }
                };
                let learner = table.as_ref().map(OwnTable::learner);
                let start = CostStart {
                    siblings: None,
                    packed: *packed,
                    kept,
                    plan_state: Plan::<F::Packed>::ROOT,
                    total: first,
                    parent: None,
                    lesson: learner
                        .as_ref()
                        .map_or_else(Lesson::default, |it| it.root(first)),
                };
                let mut rounds = CostRounds {
                    by_cost: self,
                    plan: &planned.plan,
                    estimator,
                    start,
                    walk: CostWalk::new(&planned.plan, estimator, learner.clone()),
                    last: match self.raise {
                        Raise::InParts(part) => part.last_generated,
                        _ => 0,
                    },
                    before: 0,
                    learner,
                    of_threads: TableCounts::default(),
                };
                if rounds.last > 0 {
                    rounds.walk.continues_after(rounds.last);
                }
                let raise = self.raise;
                let outcome = deepen(&mut rounds, source, first, part, raise, &mut report, watch);
                let mut counts = rounds.walk.table_counts();
                counts.add(&rounds.of_threads);
                if let Some(table) = table {
                    report.table = Some(table.counts(&counts));
                    table.release(watch);
                }
                outcome
            }
        };
        report
    }
}

/// Rounds by the walk, with threads where they pay.
struct CostRounds<'p, R: HasKernels, E: CostEstimator<R>> {
    by_cost: ByCost<'p>,
    plan: &'p Plan<R>,
    estimator: &'p E,
    start: CostStart<R, E::Kept>,
    walk: CostWalk<'p, R, E>,
    /// The number of nodes generated in the last round.
    last: u64,
    /// The number of nodes generated in the round before it.
    before: u64,
    /// The access of threads to the transposition table.
    learner: Option<Learner<'p>>,
    /// The threads' counts of uses of the table.
    of_threads: TableCounts,
}

impl<R: HasKernels, E: CostEstimator<R>> CostRounds<'_, R, E> {
    /// Return about how many nodes the next round makes if it grows as the last one did.
    fn expected(&self) -> u64 {
        let (last, before) = (u128::from(self.last), u128::from(self.before));
        let grown = (last * last).checked_div(before).unwrap_or(last);
        u64::try_from(grown.max(last)).unwrap_or(u64::MAX)
    }

    /// Walk the tree of a round, with several threads if that pays and the round `is_simple`.
    fn walk_tree(
        &mut self,
        task: &CostTask,
        is_simple: bool,
        frontier: &mut Frontier,
        watch: &mut Watch<'_, '_>,
    ) -> CostResult {
        let options = self.by_cost.options;
        let may_make = watch.limits().nodes.unwrap_or(u64::MAX);
        let above = options.threads_above;
        let may_spread = is_simple && may_make > above;
        let is_cut_beforehand = self.learner.is_some() || watch.hand_out.is_some();
        if may_spread
            && is_cut_beforehand
            && (options.n_threads > 1 || self.learner.is_none())
            && (self.last > above || (above == 0 && watch.hand_out.is_some()))
        {
            let by_threads = cost_in_parallel(
                self.plan,
                self.estimator,
                self.learner.as_ref(),
                options.instructions,
                &self.start,
                task,
                options.n_threads,
                self.last,
                frontier,
                watch,
            );
            if let Some(result) = by_threads {
                return result;
            }
        }
        if may_spread && !is_cut_beforehand && options.n_threads > 1 {
            let threads = OnDemand {
                n_threads: options.n_threads,
                alone: if self.expected() > above { 0 } else { above },
            };
            return cost_on_demand(
                self.plan,
                self.estimator,
                &mut self.walk,
                options.instructions,
                &self.start,
                task,
                threads,
                frontier,
                watch,
            );
        }
        let walk = &mut self.walk;
        let end = walk.walk(options.instructions, &self.start, task, frontier, watch);
        CostResult {
            end,
            counts: walk.counts,
            levels: walk.by_depth.clone(),
            overflow: walk.overflow,
            found: walk.found.take(),
            // The walk keeps the counts from round to round.
            table: TableCounts::default(),
        }
    }
}

impl<R: HasKernels, E: CostEstimator<R>> Rounds for CostRounds<'_, R, E> {
    fn max_bound(&self) -> u64 {
        E::MAX_BOUND
    }

    fn round(
        &mut self,
        bound: u64,
        best: bool,
        mut frontier: Frontier,
        watch: &mut Watch<'_, '_>,
    ) -> Result<Round, StopReason> {
        if self.start.total > bound {
            frontier.beyond(self.start.total);
            return Ok(Round::of_root(frontier));
        }
        let ByCost {
            cycles, options, ..
        } = self.by_cost;
        // Threads find only first solutions, and don't keep a whole path.
        let is_simple = !best && cycles != CycleDetection::Path && !frontier.counts();
        let task = CostTask {
            bound,
            wanted: if best {
                Wanted::BestGoal
            } else {
                Wanted::FirstGoal
            },
            cycles,
            count_forbidden: options.count_forbidden,
            count_depths: options.count_depths || !is_simple,
        };
        let result = self.walk_tree(&task, is_simple, &mut frontier, watch);
        self.of_threads.add(&result.table);
        let generated = u64::try_from(result.counts.generated).unwrap_or(u64::MAX);
        self.before = std::mem::replace(&mut self.last, generated);
        Ok(Round {
            // A first solution is an answer, even if a limit was reached afterward.
            end: if result.found.is_some() && !best {
                Ok(())
            } else {
                result.end
            },
            counts: result.counts,
            levels: if task.count_depths {
                with_root(result.levels)
            } else {
                Vec::new()
            },
            overflow: result.overflow,
            found: result.found.map(|found| found.rules),
            frontier,
        })
    }
}

/// Count by depth with the root, and without the empty depths at the end.
fn with_root(mut levels: Vec<LevelCount>) -> Vec<LevelCount> {
    if levels.is_empty() {
        levels.push(LevelCount::default());
    }
    levels[0].generated += 1;
    without_empty_end(&levels)
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
        count_packed(game, planned, start, bound, cycles, options, watch)
    })
}

fn count_packed<F: Form<Packed: HasKernels>>(
    game: &CompiledGame,
    planned: &Planned<F>,
    start: &State,
    bound: u64,
    cycles: CycleDetection,
    options: &Options,
    watch: &mut Watch<'_, '_>,
) -> Result<TreeCount, StopReason> {
    let packed = planned.form.pack(start.values());
    let (plan, form) = (&planned.plan, &*planned.form);
    // The cost of a path is its estimated total cost if all estimates are 0.
    let nothing = ValueSums::new(game.game(), |_, _| 0);
    let sums = planned.sum_estimator(game, &nothing, Weight::ONE, watch)?;
    let (end, levels) = match sums {
        Some(estimator) => count_with(plan, &*estimator, cycles, options, &packed, bound, watch),
        None => {
            let branches = game.branches();
            let question = Question {
                heuristic: &ZeroHeuristic,
                weight: Weight::ONE,
                is_exact: false,
                rules: None,
            };
            let estimator = PlainEstimator::new(form, plan, branches, question);
            count_with(plan, &estimator, cycles, options, &packed, bound, watch)
        }
    };
    Ok(TreeCount {
        levels,
        goals_in_last_ply: None,
        cycle_detection: cycles,
        stopped: end.err(),
        preparation: Duration::ZERO,
        elapsed: Duration::ZERO,
    })
}

/// Count with one thread first. If the tree turns out to be large, count it again with several
/// threads or hand it out.
fn count_with<R: HasKernels, E: CostEstimator<R>>(
    plan: &Plan<R>,
    estimator: &E,
    cycles: CycleDetection,
    options: &Options,
    packed: &R,
    bound: u64,
    watch: &mut Watch<'_, '_>,
) -> (Result<(), StopReason>, Vec<LevelCount>) {
    let (total, kept) = estimator.root(packed).expect("nothing is estimated");
    let start = CostStart {
        siblings: None,
        packed: *packed,
        kept,
        plan_state: Plan::<R>::ROOT,
        total,
        parent: None,
        lesson: Lesson::default(),
    };
    let task = CostTask {
        bound: bound.min(E::MAX_BOUND),
        wanted: Wanted::Count,
        cycles,
        count_forbidden: options.count_forbidden,
        count_depths: true,
    };
    let alone = |watch: &mut Watch<'_, '_>| {
        let mut walk = CostWalk::new(plan, estimator, None);
        let mut frontier = Frontier::least();
        let end = walk.walk(options.instructions, &start, &task, &mut frontier, watch);
        (end, walk.by_depth)
    };
    // A walk of a subtree has only a part of the path to its nodes.
    let may_share =
        cycles != CycleDetection::Path && (options.n_threads > 1 || watch.hand_out.is_some());
    let small = if may_share {
        watch.attempt(options.threads_above, alone)
    } else {
        Some(alone(watch))
    };
    let (end, levels) = small.unwrap_or_else(|| {
        let shared = cost_in_parallel(
            plan,
            estimator,
            None,
            options.instructions,
            &start,
            &task,
            options.n_threads,
            COUNTED,
            &mut Frontier::least(),
            watch,
        );
        match shared {
            Some(result) => (result.end, result.levels),
            None => alone(watch),
        }
    });
    (end, with_root(levels))
}
