//! Columns of a table of trees: their pruning, and how they are counted.

use std::path::Path;
use std::time::Duration;

use fsm::SharedMachine;
use invariants::Invariants;
use psvn_ir::State;
use search::{
    Bound, CompiledGame, CompleteLevels, CycleDetection, HandOut, Limits, Searcher,
    SearcherBuilder, StopReason, TreeCount,
};

use super::{MAX_EMPTY_LEVELS, TreeColumn};
use crate::analysis::{Redundant, admits};
use crate::environment::Environment;
use crate::error::Error;
use crate::solve::pruning::NODES_TO_TELL;
use crate::text::Exact;
use crate::text::units::per_second;

/// The pruning of a column.
pub(super) enum Pruner<'a> {
    Parents,
    /// Nodes that repeat a state of their path.
    Cycles,
    /// Redundant words up to a length; 0 for nothing.
    Length(usize),
    /// Words that a machine file forbids.
    File(&'a Path, SharedMachine, Option<CompiledGame>),
}

impl Pruner<'_> {
    /// Return the name of its column.
    pub(super) fn name(&self) -> String {
        match self {
            Pruner::Parents => "parent".to_owned(),
            Pruner::Cycles => "path".to_owned(),
            Pruner::Length(0) => "none".to_owned(),
            Pruner::Length(length) => length.to_string(),
            Pruner::File(path, ..) => path.display().to_string(),
        }
    }
}

/// The tree to count.
pub(super) struct Tree {
    pub(super) game: CompiledGame,
    /// The game whose rules are parts of rules, where the redundant words consist of parts.
    pub(super) split: Option<CompiledGame>,
    pub(super) start: State,
    pub(super) bound: Bound,
    pub(super) redundant: Redundant,
    /// The invariants of all its states.
    pub(super) known: Invariants,
    pub(super) limits: Limits,
    pub(super) env: Environment,
}

/// The way in which a tree is counted.
struct Walk<'r> {
    bound: Bound,
    count_forbidden: bool,
    limits: &'r Limits,
    hand_out: Option<&'r dyn HandOut>,
    name: String,
}

impl Tree {
    pub(super) fn column(
        &self,
        pruner: &Pruner<'_>,
        hand_out: Option<&dyn HandOut>,
    ) -> Result<(TreeColumn, Option<StopReason>), Error> {
        let max_length = match pruner {
            Pruner::Length(length) => Some(*length),
            Pruner::Parents | Pruner::Cycles | Pruner::File(..) => None,
        };
        let count = self.complete_count(pruner, hand_out)?;
        let tree = &count.tree;
        let depth = match self.bound {
            Bound::Depth(depth) => usize::try_from(depth).ok(),
            Bound::Cost(_) => None,
        };
        let n_levels = match depth.filter(|_| tree.stopped.is_none()) {
            // A tree that ends early has no nodes further down, but the table continues.
            Some(depth) => depth
                .saturating_add(1)
                .min(tree.levels.len().max(MAX_EMPTY_LEVELS)),
            None => tree.levels.len(),
        };
        let (generated, elapsed) = work(&count);
        let stopped = tree.stopped;
        let column = TreeColumn {
            prune: pruner.name(),
            max_length,
            nodes: (0..n_levels)
                .map(|depth| Exact::from(tree.generated(depth)))
                .collect(),
            seconds: elapsed.as_secs_f64(),
            generated_per_second: per_second(generated, elapsed),
            analysis_seconds: self
                .redundant
                .time_up_to(max_length.unwrap_or(0))
                .as_secs_f64(),
            complete: tree.stopped.is_none(),
            stopped: tree.stopped.map(|reason| reason.code().into()),
            from_cache: self.redundant.from_cache,
            total: tree.totals().generated,
            counted: generated,
            elapsed,
            goals_in_last_ply: tree.goals_in_last_ply,
            cycle_detection: tree.cycle_detection,
            levels: count.tree.levels,
        };
        Ok((column, stopped))
    }

    /// Return the counts of a column for complete depths. If a limit stops a count bounded by cost,
    /// only the root's is known.
    fn complete_count(
        &self,
        pruner: &Pruner<'_>,
        hand_out: Option<&dyn HandOut>,
    ) -> Result<CompleteLevels, Error> {
        let mut complete = self.count(pruner, self.bound, false, &self.limits, hand_out)?;
        if let (Bound::Cost(_), Some(_)) = (self.bound, complete.tree.stopped) {
            complete.tree.levels.truncate(1);
        }
        Ok(complete)
    }

    /// Count the tree. Forbidden children are not shown, and are counted only if requested.
    fn count(
        &self,
        pruner: &Pruner<'_>,
        bound: Bound,
        count_forbidden: bool,
        limits: &Limits,
        hand_out: Option<&dyn HandOut>,
    ) -> Result<CompleteLevels, Error> {
        let name = pruner.name();
        let searched = match pruner {
            Pruner::Length(1..) => self.split.as_ref(),
            Pruner::File(_, _, split) => split.as_ref(),
            Pruner::Parents | Pruner::Cycles | Pruner::Length(0) => None,
        };
        let search = Searcher::builder(searched.unwrap_or(&self.game));
        let search = search.invariants(admits(&self.known));
        let walk = Walk {
            bound,
            count_forbidden,
            limits,
            hand_out,
            name,
        };
        match pruner {
            Pruner::Parents => self.count_by(search.cycle_detection(CycleDetection::Parent), walk),
            Pruner::Cycles => self.count_by(search.cycle_detection(CycleDetection::Path), walk),
            Pruner::Length(0) => self.count_by(search, walk),
            Pruner::Length(length) => {
                let machine = self.redundant.machine_up_to(*length)?;
                self.count_by(search.machine(machine), walk)
            }
            Pruner::File(_, machine, _) => self.count_by(search.machine(machine.clone()), walk),
        }
    }

    fn count_by(&self, search: SearcherBuilder, walk: Walk<'_>) -> Result<CompleteLevels, Error> {
        let Walk {
            bound,
            count_forbidden,
            limits,
            hand_out,
            name,
        } = walk;
        let mut search = search
            .build()
            .run()
            .threads(self.env.threads())
            .count_forbidden(count_forbidden)
            .limits(limits.clone())
            .on_progress(
                self.env
                    .begin()
                    .of_search(move |_| format!("pruning {name}")),
            );
        if let Some(hand_out) = hand_out {
            search = search.handed_out_by(hand_out).threads_above(0);
        }
        let counted = match bound {
            Bound::Depth(depth) => search.count_levels(&self.start, depth, &mut || {}),
            Bound::Cost(_) => search.count_tree(&self.start, bound).map(whole),
        };
        counted.map_err(|error| Error::input(error.to_string()))
    }

    /// Warn if a machine pruned nothing in a tree of some size.
    ///
    /// The counts of a column don't include pruned children, since counting those takes time. So
    /// the top of the tree is counted again, a small part first; most machines prune something
    /// there.
    pub(super) fn warn_of_useless(
        &self,
        pruner: &Pruner<'_>,
        column: &TreeColumn,
    ) -> Result<Option<String>, Error> {
        let machine = match pruner {
            Pruner::Parents | Pruner::Cycles | Pruner::Length(0) => return Ok(None),
            Pruner::Length(length) => format!("the machine for length {length}"),
            Pruner::File(path, ..) => format!("the machine `{}`", path.display()),
        };
        let Bound::Depth(depth) = self.bound else {
            return Ok(None);
        };
        if column.total < NODES_TO_TELL {
            return Ok(None);
        }
        let mut where_ = String::new();
        for most in [NODES_TO_TELL * 10, MOST_TO_TELL] {
            let mut sum = 0;
            let within = |level: &&search::LevelCount| {
                sum += u128::from(level.generated);
                sum <= most
            };
            let n_levels = column.levels.iter().take_while(within).count();
            let deepest = (n_levels as u64).saturating_sub(1).min(depth);
            let limits = Limits {
                nodes: None,
                time: None,
                ..self.limits.clone()
            };
            let top = self.count(pruner, Bound::Depth(deepest), true, &limits, None)?;
            let top = top.tree;
            if top.stopped.is_some() || top.totals().pruned_by_machine > 0 {
                return Ok(None);
            }
            where_ = match deepest {
                deepest if deepest == depth => "in this search".to_owned(),
                deepest => format!("down to depth {deepest}"),
            };
        }
        Ok(Some(format!("{machine} pruned nothing {where_}")))
    }
}

/// Return the result of a single walk.
fn whole(tree: TreeCount) -> CompleteLevels {
    CompleteLevels {
        generated: tree.totals().generated.saturating_sub(1),
        at_least: tree.totals().generated,
        preparation: tree.preparation,
        elapsed: tree.elapsed,
        tree,
    }
}

/// Return nodes and time: of the tree where it is complete, or else of all walks.
fn work(count: &CompleteLevels) -> (u128, Duration) {
    match count.tree.stopped {
        None => (count.tree.totals().generated, count.tree.elapsed),
        Some(_) => (count.generated, count.elapsed),
    }
}

/// The maximum number of nodes that are counted again to find out whether a machine prunes
/// anything.
const MOST_TO_TELL: u128 = 20_000_000;
