//! Several plies below a node at once.

use crate::kernel::{HasKernels, Kernel};
use crate::plan::{MAX_NODES, OpenPly, PlanState};
use crate::run::limits::{StopReason, Watch};
use crate::run::report::LevelCount;
use crate::walk::depth::{DepthTask, DepthWalk, Goals, Node};
use crate::walk::leaves::by_sets::SetPlies;
use crate::walk::leaves::last::LastPlies;
use crate::walk::leaves::unconditional::{OpenCounts, OpenPlies, count_goals};
use crate::walk::steps::NodeAllowance;

impl<R: HasKernels> DepthWalk<'_, R> {
    /// Make all plies below a node at once, if that is possible. Return `false` when the walk has
    /// to make its children one by one; if `careful` is set as well, everything below it too,
    /// because a goal or a limit is near.
    #[allow(
        clippy::too_many_arguments,
        reason = "the state of the walk, which stands in registers"
    )]
    #[inline(always)]
    pub(super) fn make_at_once<K: Kernel<R>>(
        &mut self,
        kernel: K,
        node: &Node<R>,
        left: u64,
        task: &DepthTask,
        allowance: &mut NodeAllowance,
        careful: &mut bool,
        watch: &mut Watch<'_, '_>,
    ) -> Result<bool, StopReason> {
        if *careful {
            return Ok(false);
        }
        let prunes_parents = task.prunes_parents();
        if !prunes_parents
            && left > 1
            && left <= self.leaf_macros.max_plies() as u64
            && let Some(number) = self.leaf_macros.find(left as usize, node.plan_state)
        {
            let macro_list = self.leaf_macros.get(number);
            if allowance.has(macro_list.n_nodes, watch)? {
                let (first, second, n) = self.leaf_macros.changes(macro_list);
                let hits = count_goals(self.plan, kernel, &node.packed, first, second, n);
                let is_over = task.goals != Goals::Count
                    && (hits > 0 || self.goal_above(kernel, node, left as usize, task));
                if !is_over {
                    self.goals += hits;
                    self.runs[number as usize] += 1;
                    allowance.left -= macro_list.n_nodes;
                    return Ok(true);
                }
            }
            *careful = true;
            return Ok(false);
        }
        if task.goals != Goals::FindInAllPlies {
            let plan_state = self.plan.plan_state(node.plan_state);
            // Macro lists, where there are some, are faster for as many plies as they have.
            let max_plies = self.leaf_macros.max_plies() as u64;
            let is_open = !prunes_parents
                && left <= u64::from(plan_state.open_plies)
                && (left <= max_plies || max_plies == 1);
            if is_open {
                let plies = self.plan.open_plies(node.plan_state, left as usize);
                let n_nodes = plies.iter().map(|ply| u64::from(ply.nodes)).sum();
                if allowance.has(n_nodes, watch)?
                    && self.open_plies(kernel, node, plan_state, plies, task)
                {
                    allowance.left -= n_nodes;
                    return Ok(true);
                }
                *careful = true;
            } else if let Some((plies, at_most)) = self.by_sets(task, plan_state, left) {
                if allowance.has(at_most, watch)?
                    && let Some(made) = self.set_plies(kernel, node, plies, task)
                {
                    allowance.left -= made;
                    return Ok(true);
                }
                *careful = true;
            } else if left <= 2 {
                let n = u64::from(plan_state.n);
                let at_most = n * (1 + (left - 1) * self.plan.graph.lists.longest());
                if allowance.has(at_most, watch)?
                    && let Some(made) = self.last_plies(kernel, node, left == 2, task)
                {
                    allowance.left -= made;
                    return Ok(true);
                }
                *careful = true;
            }
        } else if left <= 2 {
            let n = u64::from(self.plan.plan_state(node.plan_state).n);
            let at_most = n * (1 + (left - 1) * self.plan.graph.lists.longest());
            if allowance.has(at_most, watch)?
                && !self.goal_above(kernel, node, left as usize, task)
                && let Some(made) = self.last_plies(kernel, node, left == 2, task)
            {
                allowance.left -= made;
                return Ok(true);
            }
            *careful = true;
        }
        Ok(false)
    }

    /// Return whether one of the `left` plies below a node, except the last one, has a goal that
    /// ends the walk. A walk that finds goals in all plies checks this before it makes them at
    /// once: ply by ply, which takes little time compared with the last one.
    #[inline(always)]
    fn goal_above<K: Kernel<R>>(
        &self,
        kernel: K,
        node: &Node<R>,
        left: usize,
        task: &DepthTask,
    ) -> bool {
        if task.goals != Goals::FindInAllPlies {
            return false;
        }
        // A loop, since a closure's body isn't compiled for the kernel's instructions.
        for plies in 1..left {
            let macro_list = if plies > 1 {
                // If there is a macro list of this many plies, there are lists of fewer plies.
                self.leaf_macros.find(plies, node.plan_state)
            } else {
                None
            };
            let hits = match macro_list {
                Some(number) => {
                    let (first, second, n) = self.leaf_macros.changes(self.leaf_macros.get(number));
                    count_goals(self.plan, kernel, &node.packed, first, second, n)
                }
                None if plies > 2 => return true,
                None => {
                    let (_, last) = kernel.call(LastPlies {
                        plan: self.plan,
                        node,
                        two: plies == 2,
                        task,
                    });
                    last.hits
                }
            };
            if hits > 0 {
                return true;
            }
        }
        false
    }

    /// Make the last ply, or the last two, below a node. Return the number of nodes; `None`, and do
    /// nothing, when a node of the deepest ply is a goal that ends the walk.
    #[inline(always)]
    fn last_plies<K: Kernel<R>>(
        &mut self,
        kernel: K,
        node: &Node<R>,
        two: bool,
        task: &DepthTask,
    ) -> Option<u64> {
        let plan = self.plan;
        let (inner, last) = kernel.call(LastPlies {
            plan,
            node,
            two,
            task,
        });
        if last.hits > 0 {
            if task.goals != Goals::Count {
                return None;
            }
            self.goals += last.hits;
        }
        let depth = node.depth;
        if self.levels.len() < depth + 3 {
            self.levels.resize(depth + 3, LevelCount::default());
        }
        self.levels[depth].expanded += 1;
        if two {
            inner.add_to(&mut self.levels[depth + 1]);
            self.levels[depth + 1].expanded += inner.generated;
        }
        last.add_to(&mut self.levels[depth + 1 + usize::from(two)]);
        Some(inner.generated + last.generated)
    }

    /// Make the last plies below a node, all of them open. Return `false`, and do nothing, when a
    /// node of the deepest ply is a goal that ends the walk.
    #[inline(always)]
    fn open_plies<K: Kernel<R>>(
        &mut self,
        kernel: K,
        node: &Node<R>,
        plan_state: PlanState,
        plies: &[OpenPly],
        task: &DepthTask,
    ) -> bool {
        let hits = kernel.call(OpenPlies {
            plan: self.plan,
            packed: &node.packed,
            plan_state,
            left: plies.len(),
        });
        let mut counts = OpenCounts {
            hits,
            ..OpenCounts::NONE
        };
        // By the number of plies that are left below: from the last one on.
        for (left, ply) in plies.iter().rev().enumerate() {
            counts.generated[left] = ply.nodes.into();
            counts.forbidden[left] = ply.forbidden.into();
        }
        self.add_plies(&counts, node.depth, plies.len(), task)
            .is_some()
    }

    /// If all plies that are left below a node can be made by sets of rules, return how many there
    /// are and the maximum number of their nodes.
    #[inline(always)]
    fn by_sets(&self, task: &DepthTask, plan_state: PlanState, left: u64) -> Option<(usize, u64)> {
        if !R::SETS || task.prunes_parents() {
            return None;
        }
        let sets = self.plan.sets.as_ref()?;
        let (plies, at_most) = sets.at_once(plan_state, left, MAX_NODES);
        (plies as u64 == left).then_some((plies, at_most))
    }

    /// Make the last plies below a node by sets of rules. Return the number of nodes; `None`, and
    /// do nothing, when a node of the deepest ply is a goal that ends the walk.
    #[inline(always)]
    fn set_plies<K: Kernel<R>>(
        &mut self,
        kernel: K,
        node: &Node<R>,
        plies: usize,
        task: &DepthTask,
    ) -> Option<u64> {
        let by_sets = SetPlies {
            plan: self.plan,
            sets: self.plan.sets.as_ref()?,
            packed: &node.packed,
            plan_state: node.plan_state,
            left: plies,
            count_forbidden: task.count_forbidden,
        };
        let counts = R::by_sets(kernel, by_sets)?;
        self.add_plies(&counts, node.depth, plies, task)
    }

    /// Add the counts of the last plies below a node at a depth. Return the number of nodes;
    /// `None`, and add nothing, when one of them is a goal that ends the walk.
    #[inline(always)]
    fn add_plies(
        &mut self,
        counts: &OpenCounts,
        depth: usize,
        plies: usize,
        task: &DepthTask,
    ) -> Option<u64> {
        if counts.hits > 0 && task.goals != Goals::Count {
            return None;
        }
        self.goals += counts.hits;
        if self.levels.len() < depth + plies + 1 {
            let n = depth + plies + 1;
            self.levels.resize(n, LevelCount::default());
        }
        // A slice and a loop for each kind of count, so that few values stand in registers: this is
        // a good part of the time of a walk that makes many plies at once.
        let levels = &mut self.levels[depth..=depth + plies];
        let mut expanded = 1;
        for (ply, generated) in counts.generated[..plies].iter().rev().enumerate() {
            levels[ply].expanded += expanded;
            levels[ply + 1].generated += generated;
            expanded = *generated;
        }
        if task.count_forbidden {
            for (ply, forbidden) in counts.forbidden[..plies].iter().rev().enumerate() {
                levels[ply + 1].pruned_by_machine += forbidden;
            }
        }
        Some(counts.n_nodes())
    }
}
