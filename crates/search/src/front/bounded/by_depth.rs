//! Searches bounded by depth, by a plan.
//!
//! This is the boundary of the code that is generic over the form of the packed states.

use std::time::Duration;

use psvn_ir::State;

use crate::front::planned::{AnyPlanned, Planned, with_planned};
use crate::game::compiled::CompiledGame;
use crate::game::packed::Form;
use crate::kernel::HasKernels;
use crate::run::deepening::{Raise, Round, Rounds, deepen};
use crate::run::limits::{StopReason, Watch};
use crate::run::options::{CycleDetection, Options};
use crate::run::report::{
    LevelCount, Outcome, Solution, SolveReport, TreeCount, without_empty_end,
};
use crate::walk::depth::{DepthTask, DepthWalk, Goals, Node};
use crate::walk::outcome::End;
use crate::walk::parallel::{DepthResult, walk_in_parallel};
use crate::walk::threshold::Frontier;

/// Count a tree down to a depth.
pub(crate) fn count(
    game: &CompiledGame,
    planned: &AnyPlanned,
    start: &State,
    task: &DepthTask,
    options: &Options,
    watch: &mut Watch<'_, '_>,
) -> Result<TreeCount, StopReason> {
    let is_goal = game.game.is_goal(start.values());
    with_planned!(planned, planned => {
        count_packed(planned, start, task, options, is_goal, watch)
    })
}

fn count_packed<F: Form<Packed: HasKernels>>(
    planned: &Planned<F>,
    start: &State,
    task: &DepthTask,
    options: &Options,
    is_goal: bool,
    watch: &mut Watch<'_, '_>,
) -> Result<TreeCount, StopReason> {
    let mut rounds = DepthRounds::new(planned, start, *task, options, watch)?;
    let result = rounds.walk(task, watch)?;
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
        cycle_detection: task.cycles,
        stopped,
        preparation: Duration::ZERO,
        elapsed: Duration::ZERO,
    })
}

/// Rounds bounded by depth, with several threads if wanted and the tree is large enough.
struct DepthRounds<'p, F: Form<Packed: HasKernels>> {
    planned: &'p Planned<F>,
    options: &'p Options,
    root: Node<F::Packed>,
    /// The task of each round, except for its depth.
    task: DepthTask,
    walk: DepthWalk<'p, F::Packed>,
}

impl<'p, F: Form<Packed: HasKernels>> DepthRounds<'p, F> {
    fn new(
        planned: &'p Planned<F>,
        start: &State,
        task: DepthTask,
        options: &'p Options,
        watch: &mut Watch<'_, '_>,
    ) -> Result<Self, StopReason> {
        let leaf_macros = match task.cycles {
            // This makes one child at a time.
            CycleDetection::Path => planned.no_leaf_macros(),
            CycleDetection::None | CycleDetection::Parent => {
                planned.leaf_macros(options.max_macro_plies, 0, watch)?
            }
        };
        Ok(Self {
            planned,
            options,
            root: Node::root(planned.form.pack(start.values())),
            task,
            walk: DepthWalk::new(&planned.plan, leaf_macros),
        })
    }

    fn walk(
        &mut self,
        task: &DepthTask,
        watch: &mut Watch<'_, '_>,
    ) -> Result<DepthResult, StopReason> {
        let (planned, options) = (self.planned, self.options);
        let by_path = task.cycles == CycleDetection::Path;
        if !by_path {
            // Deeper trees may be worth macro lists that the one before wasn't.
            let leaf_macros = planned.leaf_macros(options.max_macro_plies, task.depth, watch)?;
            if !std::ptr::eq(leaf_macros, self.walk.leaf_macros()) {
                self.walk = DepthWalk::new(&planned.plan, leaf_macros);
            }
        }
        let may_make = watch.limits().nodes.unwrap_or(u64::MAX);
        if (options.n_threads > 1 || watch.hand_out.is_some())
            && !by_path
            && task.goals != Goals::FindInAllPlies
            && may_make > options.threads_above
            && let Some(result) = walk_in_parallel(
                &planned.plan,
                self.walk.leaf_macros(),
                &self.root,
                task,
                options,
                watch,
            )
        {
            return Ok(result);
        }
        let walk = &mut self.walk;
        Ok(DepthResult {
            end: walk.walk(options.instructions, &self.root, task, watch),
            levels: walk.levels().to_vec(),
            goals: walk.goals(),
        })
    }
}

impl<F: Form<Packed: HasKernels>> Rounds for DepthRounds<'_, F> {
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
        let task = DepthTask {
            depth: bound,
            ..self.task
        };
        let result = self.walk(&task, watch)?;
        let deepest = usize::try_from(bound).ok();
        let cut_off = deepest.and_then(|depth| result.levels.get(depth));
        if cut_off.is_some_and(|level| level.generated > 0) {
            frontier.beyond(bound.saturating_add(1));
        }
        let DepthResult { end, levels, .. } = result;
        Ok(Round::of_walk(end, None, &levels, false, frontier))
    }
}

/// Look for a goal with depths from that of the task up to `last`.
pub(crate) fn find(
    game: &CompiledGame,
    planned: &AnyPlanned,
    start: &State,
    task: DepthTask,
    last: u64,
    options: &Options,
    watch: &mut Watch<'_, '_>,
) -> Result<SolveReport, StopReason> {
    with_planned!(planned, planned => {
        find_packed(game, planned, start, task, last, options, watch)
    })
}

fn find_packed<F: Form<Packed: HasKernels>>(
    game: &CompiledGame,
    planned: &Planned<F>,
    start: &State,
    task: DepthTask,
    last: u64,
    options: &Options,
    watch: &mut Watch<'_, '_>,
) -> Result<SolveReport, StopReason> {
    let mut rounds = DepthRounds::new(planned, start, task, options, watch)?;
    if watch.only_prepares() && task.cycles != CycleDetection::Path {
        planned.leaf_macros(options.max_macro_plies, last, watch)?;
    }
    let mut report = SolveReport::new(task.cycles);
    report.outcome = if game.game.is_goal(start.values()) {
        report.add_iteration(task.depth, &[LevelCount::ROOT]);
        Outcome::Solved(Solution::default())
    } else {
        let raise = Raise::ByMoves(last);
        deepen(
            &mut rounds,
            &game.game,
            task.depth,
            1,
            raise,
            &mut report,
            watch,
        )
    };
    Ok(report)
}
