//! Trees down to a depth, with several threads.

use crate::kernel::{HasKernels, Instructions, Job, Kernel};
use crate::plan::{LeafMacros, Plan};
use crate::run::hand_out::Piece;
use crate::run::limits::{Shared, StopReason, Watch};
use crate::run::options::Options;
use crate::run::report::{LevelCount, Totals, add_levels, without_empty_end};
use crate::walk::depth::{DepthTask, DepthWalk, Node};
use crate::walk::outcome::End;
use crate::walk::parallel::{self, Queue, first_reason, run};
use crate::walk::steps::{children, forbidden};

/// The minimum number of plies left to the threads.
const MIN_PLIES: u64 = 3;

/// Trees that are handed out are assumed to have this many nodes.
const HANDED_OUT: u64 = 1 << 34;

/// A node where a thread begins, with the rules that lead to it.
#[derive(Clone, Debug)]
struct Subtree<R> {
    node: Node<R>,
    path: Vec<u32>,
}

impl<R: HasKernels> Subtree<R> {
    /// Return the counts of a walk. The top was counted when it was made.
    fn counted(&self, walk: &DepthWalk<'_, R>) -> Vec<LevelCount> {
        let mut counted = walk.levels().to_vec();
        counted[self.node.depth].generated = 0;
        counted
    }

    /// Return the rules from the start.
    fn path(&self) -> &[u32] {
        &self.path
    }

    /// Return all rules from the start to a node below it.
    fn way(&self, rules: &[u32]) -> Vec<u32> {
        self.path.iter().chain(rules).copied().collect()
    }
}

/// The result of a walk.
pub(crate) struct DepthResult {
    pub(crate) end: End,
    pub(crate) levels: Vec<LevelCount>,
    pub(crate) goals: u64,
}

/// Walk the tree below a root with several threads. Return `None`, and do nothing, when the tree is
/// too small for that.
pub(crate) fn walk_in_parallel<R: HasKernels>(
    plan: &Plan<R>,
    leaf_macros: &LeafMacros<R>,
    root: &Node<R>,
    task: &DepthTask,
    options: &Options,
    watch: &mut Watch<'_, '_>,
) -> Option<DepthResult> {
    let instructions = options.instructions;
    let mut levels = vec![LevelCount::default(); 1];
    levels[0].generated = 1;
    let mut subtrees = vec![Subtree {
        node: *root,
        path: Vec::new(),
    }];
    let mut depth = 0;
    let enough = parallel::subtrees(watch.hand_out, options.n_threads, HANDED_OUT);
    while subtrees.len() < enough {
        if subtrees.is_empty() || depth + MIN_PLIES >= task.depth {
            return None;
        }
        depth += 1;
        levels.push(LevelCount::default());
        subtrees = R::with_any_kernel(Ply {
            plan,
            subtrees: &subtrees,
            task,
            levels: &mut levels,
        });
    }
    if watch.hand_out.is_some() && expected(&levels, task.depth) <= options.threads_above {
        return None;
    }
    watch.note(levels[1..].iter().map(|level| level.generated).sum());
    if let Some(hand_out) = watch.hand_out {
        let search = |subtree: &Subtree<R>, watch: &mut Watch<'_, '_>| {
            let mut walk = DepthWalk::new(plan, leaf_macros);
            search_piece(&mut walk, instructions, subtree, task, watch)
        };
        let path = &Subtree::path;
        let pieces = parallel::hand_out(hand_out, task.depth, &subtrees, path, watch, &search);
        return Some(DepthResult::of_pieces(levels, pieces));
    }
    let shared = Shared::of(watch);
    let worker = |queue: Queue<'_, Subtree<R>>, watch: &mut Watch<'_, '_>| {
        let mut walk = DepthWalk::new(plan, leaf_macros);
        let mut levels = Vec::new();
        let mut goals = 0;
        let mut found = None;
        while let Some(subtree) = queue.next() {
            let end = walk.walk(instructions, &subtree.node, task, watch);
            add_levels(&mut levels, &subtree.counted(&walk));
            goals += walk.goals();
            match end {
                End::Exhausted => {}
                End::Goal(rules) => {
                    shared.stop();
                    found = Some(Ok(subtree.way(&rules)));
                    break;
                }
                End::Stopped(reason) => {
                    found = Some(Err(reason));
                    break;
                }
            }
        }
        (levels, goals, found)
    };
    let outputs = run(options.n_threads, &subtrees, &shared, watch, &worker);
    let mut goals = 0;
    let mut goal: Option<Vec<u32>> = None;
    let mut reasons: Vec<StopReason> = Vec::new();
    for (counted, n_goals, found) in outputs {
        add_levels(&mut levels, &counted);
        goals += n_goals;
        match found {
            Some(Ok(path)) => goal = Some(path),
            Some(Err(reason)) => reasons.push(reason),
            None => {}
        }
    }
    watch.note(shared.generated() - watch.generated());
    let end = match (goal, first_reason(&shared, reasons.into_iter())) {
        (Some(path), _) => End::Goal(path),
        (None, Some(reason)) => End::Stopped(reason),
        (None, None) => End::Exhausted,
    };
    Some(DepthResult { end, levels, goals })
}

impl DepthResult {
    /// Make the result of pieces and of the counts above them.
    fn of_pieces(mut levels: Vec<LevelCount>, pieces: Result<Vec<Piece>, StopReason>) -> Self {
        let mut goals = 0;
        let mut end = End::Exhausted;
        match pieces {
            Err(reason) => end = End::Stopped(reason),
            Ok(pieces) => {
                for piece in pieces {
                    add_levels(&mut levels, &piece.levels);
                    goals += piece.goals;
                    if let Some((_, rules)) = piece.found {
                        end = End::Goal(rules);
                    }
                }
            }
        }
        Self { end, levels, goals }
    }
}

/// Estimate the number of nodes at a depth, if the tree grows as in its last ply. The result is an
/// integer, so that all processes expect the same.
fn expected(levels: &[LevelCount], depth: u64) -> u64 {
    let [.., above, last] = levels else {
        return 0;
    };
    let (above, last) = (
        u128::from(above.generated.max(1)),
        u128::from(last.generated),
    );
    let left = depth.saturating_sub(levels.len() as u64 - 1).min(1000);
    let grown = (0..left).fold(last, |nodes, _| (nodes * last / above).min(1 << 64));
    u64::try_from(grown).unwrap_or(u64::MAX)
}

/// Search a subtree that was handed out.
fn search_piece<R: HasKernels>(
    walk: &mut DepthWalk<'_, R>,
    instructions: Instructions,
    subtree: &Subtree<R>,
    task: &DepthTask,
    watch: &mut Watch<'_, '_>,
) -> Result<Piece, StopReason> {
    let found = match walk.walk(instructions, &subtree.node, task, watch) {
        End::Exhausted => None,
        End::Goal(rules) => Some((0, subtree.way(&rules))),
        End::Stopped(reason) => return Err(reason),
    };
    let levels = without_empty_end(&subtree.counted(walk));
    let mut counts = Totals::default();
    levels.iter().for_each(|level| counts.add(level));
    Ok(Piece {
        counts,
        levels,
        goals: walk.goals(),
        found,
        ..Piece::default()
    })
}

/// Makes the children of all nodes of a ply.
struct Ply<'a, R> {
    plan: &'a Plan<R>,
    subtrees: &'a [Subtree<R>],
    task: &'a DepthTask,
    levels: &'a mut [LevelCount],
}

impl<R: HasKernels> Job<R> for Ply<'_, R> {
    type Output = Vec<Subtree<R>>;

    #[inline(always)]
    fn run<K: Kernel<R>>(self, kernel: K) -> Vec<Subtree<R>> {
        let Self {
            plan,
            subtrees,
            task,
            levels,
        } = self;
        let (first, second) = plan.lists.changes();
        let mut next = Vec::new();
        for Subtree { node, path } in subtrees {
            let plan_state = plan.plan_state(node.plan_state);
            let rules = plan.rules(plan_state.list);
            levels[node.depth].expanded += 1;
            let count = &mut levels[node.depth + 1];
            if task.count_forbidden {
                count.pruned_by_machine += forbidden(plan, kernel, &node.packed, plan_state);
            }
            let mut block = 0;
            while block < plan_state.n as usize {
                let parent = node.parent.as_ref();
                let (mut bits, back) =
                    children(plan, kernel, &node.packed, parent, plan_state, block);
                count.pruned_by_cycle += u64::from(back.count_ones());
                let start = plan_state.changes as usize + block;
                let (first, second) = (&first[start..], &second[start..]);
                count.generated += u64::from(bits.count_ones());
                while bits != 0 {
                    let i = bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    let mut path = path.clone();
                    path.push(rules[block + i]);
                    next.push(Subtree {
                        node: Node {
                            packed: kernel.change(&node.packed, &first[i], &second[i]),
                            plan_state: plan.next(plan_state, block + i),
                            depth: node.depth + 1,
                            parent: task.prunes_parents().then_some(node.packed),
                        },
                        path,
                    });
                }
                block += 64;
            }
        }
        next
    }
}
