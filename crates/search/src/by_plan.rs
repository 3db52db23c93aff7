//! Searches bounded by depth, by a plan.
//!
//! What is generic over the form of the rows ends here: callers may be generic over machines and
//! heuristics, and the loops are compiled once.

use psvn_ir::State;

use crate::compiled::CompiledGame;
use crate::cycles::CycleDetection;
use crate::depth_walk::{DepthTask, DepthWalk, Goals, Node};
use crate::engine::End;
use crate::kernel::HasKernels;
use crate::limits::Watch;
use crate::parallel::{DepthResult, walk_in_parallel};
use crate::planned::{AnyPlanned, Planned, with_planned};
use crate::report::{Outcome, Solution, SolveReport, Totals, TreeCount};
use crate::row::Form;
use crate::search::{Options, solution, without_empty_end};

/// Counts a tree down to a depth.
pub(crate) fn count(
    game: &CompiledGame,
    planned: &AnyPlanned<'_>,
    start: &State,
    task: &DepthTask,
    options: &Options,
    watch: Watch<'_, '_>,
) -> TreeCount {
    let is_goal = game.game.is_goal(start.values());
    with_planned!(planned, planned => {
        count_in_rows(planned, start, task, options, is_goal, watch)
    })
}

fn count_in_rows<F: Form<Row: HasKernels>>(
    planned: &Planned<'_, F>,
    start: &State,
    task: &DepthTask,
    options: &Options,
    is_goal: bool,
    mut watch: Watch<'_, '_>,
) -> TreeCount {
    let root = Node::root(planned.form.pack(start.values()));
    let mut walk = DepthWalk::new(&planned.plan, planned.tails(options.max_tail));
    let result = walk_to_depth(planned, &mut walk, &root, task, options, &mut watch);
    let stopped = match result.end {
        End::Stopped(reason) => Some(reason),
        End::Exhausted | End::Goal(_) => None,
    };
    TreeCount {
        levels: without_empty_end(&result.levels),
        goals_in_last_ply: Some(match task.depth {
            0 => u64::from(is_goal),
            _ => result.goals,
        }),
        cycle_detection: if task.parent_pruning {
            CycleDetection::Parent
        } else {
            CycleDetection::None
        },
        stopped,
        elapsed: watch.elapsed(),
    }
}

/// Walks a tree: with several threads if that is wanted and it is large enough, or else with `walk`.
fn walk_to_depth<F: Form<Row: HasKernels>>(
    planned: &Planned<'_, F>,
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
            planned.tails(options.max_tail),
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

/// Looks for a goal with depths from that of the task up to `last`.
pub(crate) fn find(
    game: &CompiledGame,
    planned: &AnyPlanned<'_>,
    start: &State,
    task: DepthTask,
    last: u64,
    options: &Options,
    watch: &mut Watch<'_, '_>,
) -> SolveReport {
    with_planned!(planned, planned => {
        find_in_rows(game, planned, start, task, last, options, watch)
    })
}

fn find_in_rows<F: Form<Row: HasKernels>>(
    game: &CompiledGame,
    planned: &Planned<'_, F>,
    start: &State,
    mut task: DepthTask,
    last: u64,
    options: &Options,
    watch: &mut Watch<'_, '_>,
) -> SolveReport {
    let mut walk = DepthWalk::new(&planned.plan, planned.tails(options.max_tail));
    let root = Node::root(planned.form.pack(start.values()));
    let mut report = SolveReport::new(if task.parent_pruning {
        CycleDetection::Parent
    } else {
        CycleDetection::None
    });
    let starts_at_goal = game.game.is_goal(start.values());
    report.outcome = loop {
        watch.bound = task.depth;
        if starts_at_goal {
            report.add_totals(task.depth, &Totals::default());
            break Outcome::Solved(Solution::default());
        }
        let result = walk_to_depth(planned, &mut walk, &root, &task, options, watch);
        report.add_iteration(task.depth, &result.levels);
        match result.end {
            End::Goal(rules) => break Outcome::Solved(solution(&game.game, rules)),
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
    report.elapsed = watch.elapsed();
    report
}
