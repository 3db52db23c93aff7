//! Iterative deepening by cost, by a plan.

use psvn_ir::State;

use crate::any_heuristic::{AnyHeuristic, Memo};
use crate::best_first::Weight;
use crate::compiled::CompiledGame;
use crate::cost_walk::{CostStart, CostTask, CostWalk, Least};
use crate::cycles::CycleDetection;
use crate::estimators::{Estimator, PlainEstimator, SumEstimator};
use crate::heuristic::DEAD_END;
use crate::kernel::HasKernels;
use crate::limits::{StopReason, Watch};
use crate::parallel::{CostResult, cost_in_parallel};
use crate::plan::Plan;
use crate::planned::{AnyPlanned, Planned, with_planned};
use crate::report::{Outcome, SolveReport, Totals};
use crate::row::Form;
use crate::search::{Options, solution};

/// How bounds are raised and nodes are pruned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deepening {
    pub(crate) parent_pruning: bool,
    pub(crate) weight: Weight,
    pub(crate) options: Options,
}

impl Deepening {
    /// Looks for a solution of least cost, or of a cost within the weight of it.
    pub(crate) fn run(
        self,
        game: &CompiledGame,
        planned: &AnyPlanned<'_>,
        start: &State,
        heuristic: &dyn AnyHeuristic,
        watch: &mut Watch<'_, '_>,
    ) -> SolveReport {
        with_planned!(planned, planned => {
            self.run_in_rows(game, planned, start, heuristic, watch)
        })
    }

    fn run_in_rows<F: Form<Row: HasKernels>>(
        self,
        game: &CompiledGame,
        planned: &Planned<'_, F>,
        start: &State,
        heuristic: &dyn AnyHeuristic,
        watch: &mut Watch<'_, '_>,
    ) -> SolveReport {
        let row = planned.form.pack(start.values());
        let (plan, form) = (&planned.plan, planned.form);
        let branches = game.branches();
        let estimate = heuristic.start(form.cells(&row, &mut [0; _]), &mut Memo::default());
        let sums = heuristic.value_sums().and_then(|sums| {
            let sizes = game.domain_sizes();
            SumEstimator::new(form, plan, branches, &sizes, sums, self.weight)
        });
        let mut report = match sums {
            Some(sums) => self.deepen(game, planned, start, &row, &sums, watch),
            None => {
                let plain = PlainEstimator::new(form, plan, branches, heuristic, self.weight);
                self.deepen(game, planned, start, &row, &plain, watch)
            }
        };
        report.heuristic_start = estimate;
        if estimate == DEAD_END {
            report.outcome = Outcome::NoSolution;
        }
        report
    }

    fn deepen<F: Form<Row: HasKernels>, E: Estimator<F::Row>>(
        self,
        game: &CompiledGame,
        planned: &Planned<'_, F>,
        start: &State,
        row: &F::Row,
        estimator: &E,
        watch: &mut Watch<'_, '_>,
    ) -> SolveReport {
        let mut report = SolveReport::new(if self.parent_pruning {
            CycleDetection::Parent
        } else {
            CycleDetection::None
        });
        let part = u64::from(self.weight.denominator());
        report.outcome = match estimator.root(row) {
            None => Outcome::Stopped(StopReason::CostOverflow),
            Some((bound, _)) if game.game().is_goal(start.values()) => {
                report.add_totals(bound / part, &Totals::default());
                Outcome::Solved(solution(game.game(), Vec::new()))
            }
            Some((first, kept)) => {
                let mut bound = first;
                let mut last_iteration = 0;
                let may_make = watch.limits().nodes.unwrap_or(u64::MAX);
                let mut walk = CostWalk::new(&planned.plan, estimator);
                loop {
                    watch.bound = bound / part;
                    let task = CostTask {
                        bound,
                        parent_pruning: self.parent_pruning,
                        count_forbidden: self.options.count_forbidden,
                    };
                    let mut least = Least::default();
                    let start = CostStart {
                        row: *row,
                        kept,
                        context: Plan::<F::Row>::ROOT,
                        total: first,
                        parent: None,
                    };
                    let by_threads = (self.options.n_threads > 1
                        && last_iteration > self.options.threads_above
                        && may_make > self.options.threads_above)
                        .then(|| {
                            cost_in_parallel(
                                &planned.plan,
                                estimator,
                                self.options.instructions,
                                &start,
                                &task,
                                self.options.n_threads,
                                &mut least,
                                watch,
                            )
                        })
                        .flatten();
                    let result = by_threads.unwrap_or_else(|| CostResult {
                        end: walk.walk(self.options.instructions, &start, &task, &mut least, watch),
                        counts: walk.counts,
                        overflow: walk.overflow,
                        found: walk.found.take(),
                    });
                    last_iteration = u64::try_from(result.counts.generated).unwrap_or(u64::MAX);
                    report.add_totals(bound / part, &result.counts);
                    if let Some(found) = result.found {
                        break Outcome::Solved(solution(game.game(), found.rules));
                    }
                    if let Err(reason) = result.end {
                        break Outcome::Stopped(reason);
                    }
                    match least.total() {
                        Some(next) if next <= E::MAX_BOUND => bound = next,
                        Some(_) => break Outcome::Stopped(StopReason::CostOverflow),
                        None if result.overflow => {
                            break Outcome::Stopped(StopReason::CostOverflow);
                        }
                        None => break Outcome::NoSolution,
                    }
                }
            }
        };
        report.elapsed = watch.elapsed();
        report
    }
}
