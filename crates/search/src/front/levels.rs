//! Counts of trees that are complete down to a depth even if a limit stops them.

use std::time::{Duration, Instant};

use psvn_ir::State;

use crate::front::run::Run;
use crate::game::compiled::StateMismatch;
use crate::run::limits::Limits;
use crate::run::options::Bound;
use crate::run::report::{LevelCount, TreeCount};

/// The number of nodes to sample for the growth of a tree and the time for a node.
const SAMPLE: f64 = 50_000.0;

/// The share of the remaining limits that a tree may be expected to take if it is to be walked
/// without first counting to smaller depths.
const SAFE_PART: f64 = 0.6;

/// The targeted ratio of a walk's nodes to those of the walk before. With it the earlier walks
/// together take no longer than the last one.
const GROWTH: f64 = 2.0;

/// The same ratio if subtrees are handed out. There the choice of the next depth may depend only on
/// the size of the tree, not on the time it took.
const GROWTH_HANDED_OUT: f64 = 8.0;

/// The node limit of each walk that follows an interrupted longer walk.
const QUICK: u64 = 1_000_000;

/// The counts of a tree by depth, from finished walks only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompleteLevels {
    /// The deepest tree counted completely. If a limit kept the search from counting deeper,
    /// [`stopped`](TreeCount::stopped) is set, and depths beyond the levels are unknown.
    /// [`elapsed`](TreeCount::elapsed) is the time of the walk that counted this tree.
    pub tree: TreeCount,
    /// The nodes that all walks together generated, the unfinished one included, without the roots.
    pub generated: u128,
    /// The nodes of the tree down to the depth, if it is complete; otherwise a lower bound: the
    /// most that one walk generated. The root is included.
    pub at_least: u128,
    /// The time spent on preparation that later runs use too.
    pub preparation: Duration,
    /// The time that all walks took, without [`preparation`](Self::preparation).
    pub elapsed: Duration,
}

impl Run<'_> {
    /// Count the tree below a start state down to a depth, as [`count_tree`](Self::count_tree)
    /// does. If a limit stops the count, the levels are those of the depths that were counted
    /// completely; the partial counts of an unfinished walk depend on the order of the rules and
    /// are dropped.
    ///
    /// Under limits small depths are counted first, each by its own walk, until the whole tree is
    /// expected to fit in the remaining limits. So a tree that is small for its limits takes hardly
    /// longer, and one near them may take up to twice the time. [`Limits::nodes`] holds for each
    /// walk, [`Limits::time`] for all of them. Without limits there is one walk; if it is
    /// interrupted, small depths are counted after it.
    ///
    /// `before_walk` is called before each walk.
    ///
    /// # Errors
    /// When the start is not a state of the game.
    pub fn count_levels(
        &mut self,
        start: &State,
        depth: u64,
        before_walk: &mut dyn FnMut(),
    ) -> Result<CompleteLevels, StateMismatch> {
        let limits = self.limits.clone();
        let result = self.count_within(start, depth, &limits, before_walk);
        self.limits = limits;
        result
    }

    fn count_within(
        &mut self,
        start: &State,
        depth: u64,
        limits: &Limits,
        before_walk: &mut dyn FnMut(),
    ) -> Result<CompleteLevels, StateMismatch> {
        let started = Instant::now();
        let is_limited = limits.nodes.is_some() || limits.time.is_some() || limits.memory.is_some();
        if is_limited || self.hand_out.is_some() {
            return self.deepen(start, depth, limits, before_walk);
        }
        before_walk();
        let tree = self.count_tree(start, Bound::Depth(depth))?;
        let at_least = tree.totals().generated;
        let generated = at_least.saturating_sub(1);
        let Some(reason) = tree.stopped else {
            return Ok(CompleteLevels {
                preparation: tree.preparation,
                elapsed: tree.elapsed,
                generated,
                at_least,
                tree,
            });
        };
        let quick = Limits {
            nodes: Some(QUICK),
            ..Limits::default()
        };
        let mut complete = self.deepen(start, depth, &quick, &mut || {})?;
        complete.generated += generated;
        complete.at_least = complete.at_least.max(at_least);
        complete.preparation += tree.preparation;
        complete.elapsed = started.elapsed() - complete.preparation;
        // A small tree may have been counted completely.
        complete.tree.stopped = complete.tree.stopped.map(|_| reason);
        Ok(complete)
    }

    /// Count to increasing depths.
    fn deepen(
        &mut self,
        start: &State,
        depth: u64,
        limits: &Limits,
        before_walk: &mut dyn FnMut(),
    ) -> Result<CompleteLevels, StateMismatch> {
        let started = Instant::now();
        let left = || {
            limits
                .time
                .map(|time| time.saturating_sub(started.elapsed()))
        };
        let mut complete: Option<TreeCount> = None;
        let together = self.hand_out.is_some();
        let growth = if together { GROWTH_HANDED_OUT } else { GROWTH };
        let (mut generated, mut at_least) = (0, 0);
        let mut preparation = Duration::ZERO;
        let mut next = depth.min(1);
        loop {
            self.limits = Limits {
                time: left(),
                ..limits.clone()
            };
            before_walk();
            let tree = self.count_tree(start, Bound::Depth(next))?;
            let nodes = tree.totals().generated;
            generated += nodes.saturating_sub(1);
            preparation += tree.preparation;
            at_least = nodes.max(at_least);
            let stopped = tree.stopped;
            let levels = match stopped {
                None => tree.levels.as_slice(),
                Some(_) => &[],
            };
            let is_whole = next == depth || ends_above(levels, next);
            next = next_depth(next, depth, levels, growth, |nodes| {
                let fits = |limit: f64| nodes < SAFE_PART * limit;
                let seconds = nodes / total(levels) * tree.elapsed.as_secs_f64();
                !together
                    && limits.memory.is_none()
                    && limits.nodes.is_none_or(|limit| fits(limit as f64))
                    && left().is_none_or(|left| seconds < SAFE_PART * left.as_secs_f64())
            });
            if stopped.is_none() {
                complete = Some(tree);
            } else {
                let cycle_detection = tree.cycle_detection;
                let complete = complete.get_or_insert_with(|| TreeCount {
                    levels: vec![LevelCount::ROOT],
                    goals_in_last_ply: None,
                    cycle_detection,
                    stopped: None,
                    preparation: Duration::ZERO,
                    elapsed: Duration::ZERO,
                });
                complete.stopped = stopped;
            }
            if let Some(tree) = complete.take_if(|_| is_whole || stopped.is_some()) {
                return Ok(CompleteLevels {
                    tree,
                    generated,
                    at_least,
                    preparation,
                    elapsed: started.elapsed() - preparation,
                });
            }
        }
    }
}

/// Return whether a tree walked to a depth has no nodes at that depth.
fn ends_above(levels: &[LevelCount], depth: u64) -> bool {
    let at = usize::try_from(depth).ok().and_then(|at| levels.get(at));
    depth > 0 && at.is_none_or(|level| level.generated == 0)
}

/// Return the number of nodes of a tree.
fn total(levels: &[LevelCount]) -> f64 {
    let generated = levels.iter().map(|level| level.generated as f64);
    generated.sum()
}

/// Return the next depth to count after `depth`: `last` if the whole tree is expected to have at
/// most `fit` nodes, otherwise the first depth whose tree is expected to have `times` as many
/// nodes.
fn next_depth(
    depth: u64,
    last: u64,
    levels: &[LevelCount],
    times: f64,
    fit: impl Fn(f64) -> bool,
) -> u64 {
    let growth = levels
        .windows(2)
        .rev()
        .take(2)
        .map(|pair| pair[1].generated as f64 / pair[0].generated.max(1) as f64)
        .fold(1.0, f64::max);
    let so_far = total(levels);
    let deepest = levels.last().map_or(0.0, |level| level.generated as f64);
    let (mut expected, mut ply, mut grown) = (so_far, deepest, None);
    // A tree that hardly grows reaches its last depth within these steps.
    for further in (depth.saturating_add(1)..=last).take(100_000) {
        ply *= growth;
        expected += ply;
        if grown.is_none() && expected >= times * so_far {
            grown = Some(further);
        }
        if so_far < SAMPLE && grown.is_some() || !expected.is_finite() {
            break;
        }
        if further == last && so_far >= SAMPLE && fit(expected) {
            return last;
        }
    }
    grown.unwrap_or(last)
}
