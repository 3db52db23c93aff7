//! Searches bounded by depth, by a plan.
//!
//! What is generic over the form of the rows ends here: callers may be generic over machines and
//! heuristics, and the loops are compiled once.

use std::time::Duration;

use psvn_ir::State;

use crate::front::prepared::{AnyPlanned, Planned, with_planned};
use crate::game::compiled::CompiledGame;
use crate::game::row::Form;
use crate::kernel::HasKernels;
use crate::run::limits::{StopReason, Watch};
use crate::run::options::{CycleDetection, Options};
use crate::run::report::{
    LevelCount, Outcome, Solution, SolveReport, TreeCount, without_empty_end,
};
use crate::walk::depth::{DepthTask, DepthWalk, Goals, Node};
use crate::walk::full::{Manner, PlannedEngine, ToDepth};
use crate::walk::outcome::End;
use crate::walk::parallel::{DepthResult, walk_in_parallel};

/// How a walk that can do everything is to go.
pub(crate) fn manner(options: &Options, cycles: CycleDetection) -> Manner {
    Manner {
        instructions: options.instructions,
        cycles,
        count_forbidden: options.count_forbidden,
    }
}

/// Count a tree down to a depth.
pub(crate) fn count(
    game: &CompiledGame,
    planned: &AnyPlanned,
    start: &State,
    task: &DepthTask,
    cycles: CycleDetection,
    options: &Options,
    watch: &mut Watch<'_, '_>,
) -> Result<TreeCount, StopReason> {
    let is_goal = game.game.is_goal(start.values());
    with_planned!(planned, planned => {
        count_in_rows(planned, start, task, cycles, options, is_goal, watch)
    })
}

fn count_in_rows<F: Form<Row: HasKernels>>(
    planned: &Planned<F>,
    start: &State,
    task: &DepthTask,
    cycles: CycleDetection,
    options: &Options,
    is_goal: bool,
    watch: &mut Watch<'_, '_>,
) -> Result<TreeCount, StopReason> {
    let root = Node::root(planned.form.pack(start.values()));
    let mut walk = Walk::new(planned, cycles, options, watch)?;
    let result = walk.walk(&root, task, watch)?;
    let stopped = match result.end {
        End::Stopped(reason) => Some(reason),
        End::Exhausted | End::Goal(_) => None,
    };
    Ok(TreeCount {
        levels: without_empty_end(&result.levels),
        goals_in_last_ply: Some(match task.depth {
            0 => u64::from(is_goal),
            _ => result.goals,
        }),
        cycle_detection: cycles,
        stopped,
        preparation: Duration::ZERO,
        elapsed: Duration::ZERO,
    })
}

/// The walk that suits a search bounded by depth; used again for each iteration.
enum Walk<'p, F: Form<Row: HasKernels>> {
    /// With several threads if that is wanted and the tree is large enough.
    Fast {
        planned: &'p Planned<F>,
        walk: DepthWalk<'p, F::Row>,
        options: &'p Options,
    },
    /// With every child compared with its path.
    ByPath(PlannedEngine<'p, F::Row, ()>),
}

impl<'p, F: Form<Row: HasKernels>> Walk<'p, F> {
    fn new(
        planned: &'p Planned<F>,
        cycles: CycleDetection,
        options: &'p Options,
        watch: &mut Watch<'_, '_>,
    ) -> Result<Self, StopReason> {
        Ok(match cycles {
            CycleDetection::Path => {
                Walk::ByPath(PlannedEngine::new(&planned.plan, manner(options, cycles)))
            }
            CycleDetection::None | CycleDetection::Parent => Walk::Fast {
                planned,
                walk: DepthWalk::new(&planned.plan, planned.tails(options.max_tail, 0, watch)?),
                options,
            },
        })
    }

    fn walk(
        &mut self,
        root: &Node<F::Row>,
        task: &DepthTask,
        watch: &mut Watch<'_, '_>,
    ) -> Result<DepthResult, StopReason> {
        Ok(match self {
            Walk::Fast {
                planned,
                walk,
                options,
            } => {
                // Deeper trees may be worth tails that the one before wasn't.
                let tails = planned.tails(options.max_tail, task.depth, watch)?;
                if !std::ptr::eq(tails, walk.tails()) {
                    *walk = DepthWalk::new(&planned.plan, tails);
                }
                walk_to_depth(planned, walk, root, task, options, watch)
            }
            Walk::ByPath(engine) => {
                let mut to_depth = ToDepth {
                    depth: task.depth,
                    find: task.goals != Goals::Count,
                    goals: 0,
                };
                DepthResult {
                    end: engine.walk(&root.row, &mut to_depth, watch),
                    levels: engine.levels().to_vec(),
                    goals: to_depth.goals,
                }
            }
        })
    }
}

/// Walk a tree: with several threads if that is wanted and it is large enough, or else with
/// `walk`.
fn walk_to_depth<F: Form<Row: HasKernels>>(
    planned: &Planned<F>,
    walk: &mut DepthWalk<'_, F::Row>,
    root: &Node<F::Row>,
    task: &DepthTask,
    options: &Options,
    watch: &mut Watch<'_, '_>,
) -> DepthResult {
    let may_make = watch.limits().nodes.unwrap_or(u64::MAX);
    if options.n_threads > 1
        && task.goals != Goals::FindInAllPlies
        && may_make > options.threads_above
        && let Some(result) = walk_in_parallel(
            &planned.plan,
            walk.tails(),
            options.instructions,
            root,
            task,
            options.n_threads,
            watch,
        )
    {
        return result;
    }
    DepthResult {
        end: walk.walk(options.instructions, root, task, watch),
        levels: walk.levels().to_vec(),
        goals: walk.goals(),
    }
}

/// Look for a goal with depths from that of the task up to `last`.
#[allow(
    clippy::too_many_arguments,
    reason = "what a search has, and its depths"
)]
pub(crate) fn find(
    game: &CompiledGame,
    planned: &AnyPlanned,
    start: &State,
    task: DepthTask,
    last: u64,
    cycles: CycleDetection,
    options: &Options,
    watch: &mut Watch<'_, '_>,
) -> Result<SolveReport, StopReason> {
    with_planned!(planned, planned => {
        find_in_rows(game, planned, start, task, last, cycles, options, watch)
    })
}

#[allow(
    clippy::too_many_arguments,
    reason = "what a search has, and its depths"
)]
fn find_in_rows<F: Form<Row: HasKernels>>(
    game: &CompiledGame,
    planned: &Planned<F>,
    start: &State,
    mut task: DepthTask,
    last: u64,
    cycles: CycleDetection,
    options: &Options,
    watch: &mut Watch<'_, '_>,
) -> Result<SolveReport, StopReason> {
    let mut walk = Walk::new(planned, cycles, options, watch)?;
    let root = Node::root(planned.form.pack(start.values()));
    let mut report = SolveReport::new(cycles);
    let starts_at_goal = game.game.is_goal(start.values());
    report.outcome = loop {
        watch.bound = task.depth;
        if starts_at_goal {
            report.add_iteration(task.depth, &[LevelCount::ROOT]);
            break Outcome::Solved(Solution::default());
        }
        let result = match walk.walk(&root, &task, watch) {
            Ok(result) => result,
            Err(reason) => break Outcome::Stopped(reason),
        };
        report.add_iteration(task.depth, &result.levels);
        match result.end {
            End::Goal(rules) => break Outcome::Solved(Solution::of_rules(&game.game, rules)),
            End::Stopped(reason) => break Outcome::Stopped(reason),
            End::Exhausted => {}
        }
        let deepest = usize::try_from(task.depth).ok();
        let cut_off = deepest.and_then(|depth| result.levels.get(depth));
        if cut_off.is_none_or(|level| level.generated == 0) {
            break Outcome::NoSolution;
        }
        if task.depth == last {
            break Outcome::NotWithinDepth;
        }
        task.depth += 1;
    };
    Ok(report)
}
