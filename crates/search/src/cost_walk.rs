//! Walking a tree within a bound on estimated total cost, by a plan.
//!
//! The fast way for iterative deepening by cost: it makes the same nodes in the same order as the
//! [engine](crate::engine) for any game. Children that are beyond the bound are only estimated, where
//! the heuristic allows it, and not made.

use crate::estimators::{Estimator, Step};
use crate::kernel::{HasKernels, Instructions, Job, Kernel};
use crate::limits::{StopReason, Watch};
use crate::plan::{Context, Plan};
use crate::plan_steps::{Fuel, all_ones, applicable, forbidden};
use crate::report::Totals;

/// What the walk is to do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CostTask {
    /// The greatest estimated total cost of a node that is expanded.
    pub(crate) bound: u64,
    /// Goals that cost this are best, and end the walk; those that cost more only lower the bound.
    pub(crate) least: u64,
    /// Whether children that equal their grandparent are left out.
    pub(crate) parent_pruning: bool,
    /// Whether children that the machine forbids are counted.
    pub(crate) count_forbidden: bool,
}

/// Is told of the nodes beyond the bound.
pub(crate) trait Beyond {
    /// A node with this estimated total cost was left out.
    fn beyond(&mut self, total: u64);
}

/// The least estimated total cost beyond a bound.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Least(pub(crate) Option<u64>);

impl Beyond for Least {
    #[inline(always)]
    fn beyond(&mut self, total: u64) {
        self.0 = Some(self.0.map_or(total, |least| least.min(total)));
    }
}

/// A node of the path.
#[derive(Clone, Copy, Debug)]
struct Frame<R, S> {
    row: R,
    context: Context,
    /// The place in the list of the 64 rules that `bits` is about.
    block: u32,
    /// Which of them are applicable and still to be tried.
    bits: u64,
    /// The place in the list of the rule tried last.
    current: u32,
    kept: S,
}

/// A solution: its estimated total cost, which is its cost times the weight's denominator, and its
/// rules.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) total: u64,
    pub(crate) rules: Vec<u32>,
}

/// Walks trees; used again for each iteration of a search.
pub(crate) struct CostWalk<'p, R, E: Estimator<R>> {
    plan: &'p Plan<R>,
    estimator: &'p E,
    stack: Vec<Frame<R, E::Kept>>,
    /// What the last walk has counted. The root is no child.
    pub(crate) counts: Totals,
    /// Whether a path was left out because its cost doesn't fit in 64 bits.
    pub(crate) overflow: bool,
    /// The best solution of the last walk.
    pub(crate) found: Option<Found>,
}

impl<'p, R: HasKernels, E: Estimator<R>> CostWalk<'p, R, E> {
    pub(crate) fn new(plan: &'p Plan<R>, estimator: &'p E) -> Self {
        Self {
            plan,
            estimator,
            stack: Vec::new(),
            counts: Totals::default(),
            overflow: false,
            found: None,
        }
    }

    /// Walks the tree below a start that is no goal and lies within the bound.
    pub(crate) fn walk<B: Beyond>(
        &mut self,
        instructions: Instructions,
        start: &R,
        kept: E::Kept,
        task: &CostTask,
        beyond: &mut B,
        watch: &mut Watch<'_, '_>,
    ) -> Result<(), StopReason> {
        self.stack.clear();
        self.counts = Totals::default();
        self.overflow = false;
        self.found = None;
        R::with_kernel(
            instructions,
            WalkJob {
                walk: self,
                start,
                kept,
                task,
                beyond,
                watch,
            },
        )
    }
}

struct WalkJob<'w, 'p, 's, 't, R, E: Estimator<R>, B> {
    walk: &'w mut CostWalk<'p, R, E>,
    start: &'w R,
    kept: E::Kept,
    task: &'w CostTask,
    beyond: &'w mut B,
    watch: &'w mut Watch<'s, 't>,
}

impl<R: HasKernels, E: Estimator<R>, B: Beyond> Job<R> for WalkJob<'_, '_, '_, '_, R, E, B> {
    type Output = Result<(), StopReason>;

    #[inline(always)]
    fn run<K: Kernel<R>>(self, kernel: K) -> Self::Output {
        match (self.task.parent_pruning, self.task.count_forbidden) {
            (false, false) => self.go::<K, false, false>(kernel),
            (false, true) => self.go::<K, false, true>(kernel),
            (true, false) => self.go::<K, true, false>(kernel),
            (true, true) => self.go::<K, true, true>(kernel),
        }
    }
}

impl<R: HasKernels, E: Estimator<R>, B: Beyond> WalkJob<'_, '_, '_, '_, R, E, B> {
    #[inline(always)]
    fn go<K: Kernel<R>, const PARENT: bool, const FORBIDDEN: bool>(
        self,
        kernel: K,
    ) -> Result<(), StopReason> {
        let Self {
            walk,
            start,
            kept,
            task,
            beyond,
            watch,
        } = self;
        let (plan, estimator) = (walk.plan, walk.estimator);
        let mut fuel = Fuel::new(watch)?;
        let mut bound = task.bound;
        let (mut expanded, mut pruned, mut cycles, mut made) = (0_u64, 0_u64, 0_u64, 0_u64);
        // The node that is being expanded stands apart from those above it.
        let mut top = Frame {
            row: *start,
            context: plan.context(Plan::<R>::ROOT),
            block: 0,
            bits: 0,
            current: 0,
            kept,
        };
        let mut is_new = true;
        let end = loop {
            if is_new {
                expanded += 1;
                if FORBIDDEN {
                    pruned += forbidden(plan, kernel, &top.row, top.context);
                }
                let n = (top.context.n as usize).min(64);
                top.bits = applicable(plan, kernel, &top.row, top.context, 0, n);
                is_new = false;
            }
            if top.bits == 0 {
                let block = top.block + 64;
                if block < top.context.n {
                    top.block = block;
                    let n = (top.context.n - block).min(64) as usize;
                    let block = block as usize;
                    top.bits = applicable(plan, kernel, &top.row, top.context, block, n);
                } else if let Some(above) = walk.stack.pop() {
                    top = above;
                } else {
                    break Ok(());
                }
                continue;
            }
            if fuel.left == 0 {
                match fuel.has(1, watch) {
                    Ok(true) => {}
                    Ok(false) => break Err(StopReason::Nodes),
                    Err(reason) => break Err(reason),
                }
            }
            let place = top.block + top.bits.trailing_zeros();
            top.bits &= top.bits - 1;
            let change = (top.context.changes + place) as usize;
            if PARENT && let Some(parent) = walk.stack.last() {
                let (first, second) = plan.lists.changes();
                let child = kernel.change(&top.row, &first[change], &second[change]);
                if kernel.agrees(&child, &all_ones(), &parent.row) {
                    cycles += 1;
                    continue;
                }
            }
            fuel.left -= 1;
            made += 1;
            let (total, row, kept) =
                match estimator.step(kernel, plan, &top.row, top.kept, change, bound) {
                    Step::Within(total, row, kept) => (total, row, kept),
                    Step::Beyond(total) => {
                        beyond.beyond(total);
                        continue;
                    }
                    Step::DeadEnd => continue,
                    Step::Overflow => {
                        walk.overflow = true;
                        continue;
                    }
                };
            top.current = place;
            let mut goals = plan.goals.iter();
            if goals.any(|goal| kernel.agrees(&row, &goal.mask, &goal.value)) {
                let path = walk.stack.iter().chain([&top]);
                let rules = path
                    .map(|frame| plan.lists.rules(frame.context.list)[frame.current as usize])
                    .collect();
                walk.found = Some(Found { total, rules });
                if total <= task.least {
                    break Ok(());
                }
                // Only better ones are of interest from now on.
                bound = total - 1;
                continue;
            }
            if walk.stack.len() == walk.stack.capacity()
                && let Err(reason) = grow(&mut walk.stack, watch.memory())
            {
                break Err(reason);
            }
            let context = plan.context(plan.next(top.context, place as usize));
            walk.stack.push(top);
            top = Frame {
                row,
                context,
                block: 0,
                bits: 0,
                current: 0,
                kept,
            };
            is_new = true;
        };
        fuel.note(watch);
        walk.counts = Totals {
            generated: u128::from(made),
            expanded: u128::from(expanded),
            pruned_by_machine: u128::from(pruned),
            pruned_by_cycle: u128::from(cycles),
        };
        end
    }
}

/// Makes room for more levels.
#[cold]
fn grow<T>(stack: &mut Vec<T>, memory: usize) -> Result<(), StopReason> {
    let affordable = memory / size_of::<T>();
    let n_levels = (stack.len() * 2).max(64).min(affordable);
    if n_levels <= stack.len() {
        return Err(StopReason::Memory);
    }
    stack
        .try_reserve_exact(n_levels - stack.len())
        .map_err(|_| StopReason::Memory)
}
