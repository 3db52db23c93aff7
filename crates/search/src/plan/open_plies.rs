//! Open plies: those below a plan state in which neither rules nor forbidden rules need a test.
//!
//! The numbers of nodes by ply depend on the plan state alone, and so does whether one of them may
//! be a goal. They are counted once, so that a walk makes only the nodes that lead to a goal's
//! values.

use super::graph::{Graph, PlanState, PlanStateId};

/// See [`PlanState::open_plies`].
pub(crate) const MAX_OPEN_PLIES: usize = 8;

/// The maximum number of nodes of several open plies, so that limits are checked often enough.
pub(crate) const MAX_NODES: u64 = 1 << 16;

/// The maximum number of forbidden children, so that counts fit.
const MAX_FORBIDDEN: u64 = 1 << 31;

/// The maximum number of entries of the table.
const MAX_ENTRIES: usize = 1 << 21;

/// The nodes of a ply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OpenPly {
    pub(crate) nodes: u32,
    /// The children that the machine forbids there.
    pub(crate) forbidden: u32,
}

/// The nodes of the open plies below each plan state.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenTable {
    /// The entries of a plan state: the plies from the first on.
    n_plies: usize,
    plies: Vec<OpenPly>,
}

impl OpenTable {
    fn ply(&self, plan_state: PlanStateId, ply: usize) -> OpenPly {
        self.plies[plan_state as usize * self.n_plies + ply]
    }
}

impl Graph {
    /// Return the nodes of the first `left` plies below a plan state, which is open for as many.
    #[inline(always)]
    pub(crate) fn open_plies(&self, plan_state: PlanStateId, left: usize) -> &[OpenPly] {
        &self.open.plies[plan_state as usize * self.open.n_plies..][..left]
    }

    /// Set [`PlanState::open_plies`] and [`PlanState::reaches`], and count the nodes.
    pub(super) fn find_open_plies(&mut self) {
        let n_plan_states = self.plan_states.len();
        let n_plies = (MAX_ENTRIES / n_plan_states.max(1)).clamp(1, MAX_OPEN_PLIES);
        let mut table = OpenTable {
            n_plies,
            plies: vec![OpenPly::default(); n_plan_states * n_plies],
        };
        for (id, plan_state) in self.plan_states.iter_mut().enumerate() {
            plan_state.reaches = u8::from(plan_state.may_reach_goal());
            if plan_state.always && plan_state.forbidden.is_none() {
                plan_state.open_plies = 1;
                table.plies[id * n_plies] = OpenPly {
                    nodes: plan_state.n,
                    forbidden: plan_state.n_forbidden,
                };
            }
        }
        for ply in 1..n_plies {
            for id in 0..n_plan_states {
                let plan_state = self.plan_states[id];
                if usize::from(plan_state.open_plies) != ply {
                    continue;
                }
                let Some((last, reaches)) = self.one_ply_more(plan_state, &table, ply) else {
                    continue;
                };
                let row = &mut table.plies[id * n_plies..][..=ply];
                row[ply] = last;
                if row.iter().map(|it| u64::from(it.nodes)).sum::<u64>() <= MAX_NODES {
                    let plan_state = &mut self.plan_states[id];
                    plan_state.open_plies += 1;
                    plan_state.reaches |= u8::from(reaches) << ply;
                }
            }
        }
        self.open = table;
    }

    /// Return the nodes of ply number `ply`, from 0 on, below a plan state, and whether one of them
    /// may be a goal. `None` if the plies above it aren't open below each child, or if there are
    /// too many.
    fn one_ply_more(
        &self,
        plan_state: PlanState,
        table: &OpenTable,
        ply: usize,
    ) -> Option<(OpenPly, bool)> {
        let (mut nodes, mut forbidden, mut reaches) = (0_u64, 0_u64, false);
        for id in self.plan_states_after(plan_state) {
            let below = self.plan_states[*id as usize];
            if usize::from(below.open_plies) < ply {
                return None;
            }
            let last = table.ply(*id, ply - 1);
            nodes += u64::from(last.nodes);
            forbidden += u64::from(last.forbidden);
            reaches |= below.reaches(ply);
        }
        (nodes <= MAX_NODES && forbidden <= MAX_FORBIDDEN).then_some((
            OpenPly {
                nodes: nodes as u32,
                forbidden: forbidden as u32,
            },
            reaches,
        ))
    }
}

#[cfg(test)]
mod tests {
    use bytemuck::Pod;
    use fsm::WordAutomaton;

    use super::*;
    use crate::front::planned::tests::planned_in_bytes;
    use crate::plan::Plan;

    /// Count the nodes and forbidden children of ply number `ply`, from 1 on, and return whether a
    /// rule that leads to one of the nodes may lead to a goal.
    fn ply_below<R: Pod>(plan: &Plan<R>, id: PlanStateId, ply: usize) -> (OpenPly, bool) {
        let plan_state = plan.plan_state(id);
        if ply == 1 {
            let to_goal = |i| plan.goal_rules(plan_state, i) >> (i % 64) & 1 == 1;
            let only = OpenPly {
                nodes: plan_state.n,
                forbidden: plan_state.n_forbidden,
            };
            return (only, (0..plan_state.n as usize).any(to_goal));
        }
        let mut sum = (OpenPly::default(), false);
        for i in 0..plan_state.n as usize {
            let (below, reaches) = ply_below(plan, plan.next(plan_state, i), ply - 1);
            sum.0.nodes += below.nodes;
            sum.0.forbidden += below.forbidden;
            sum.1 |= reaches;
        }
        sum
    }

    #[test]
    fn open_plies_are_those_of_the_tree() {
        // A blank moves along four squares: to the right, and to the left.
        let game = "
            4  4 4 4 4
            0 X - - => X 0 - -
            - 0 X - => - X 0 -
            - - 0 X => - - X 0
            X 0 - - => 0 X - -
            - X 0 - => - 0 X -
            - - X 0 => - - 0 X
            GOAL 0 1 2 3
        ";
        for forbids in [false, true] {
            let mut words = WordAutomaton::new(6);
            for rule in 0..3 * u32::from(forbids) {
                words.forbid(&[rule, rule + 3]).unwrap();
            }
            let planned = planned_in_bytes(game, words.build().unwrap());
            let plan = &planned.plan;
            let mut n_open = 0;
            for id in 0..plan.n_plan_states() as PlanStateId {
                let plan_state = plan.plan_state(id);
                for plies in 1..=usize::from(plan_state.open_plies) {
                    let (last, reaches) = ply_below(plan, id, plies);
                    assert_eq!(plan.open_plies(id, plies)[plies - 1], last);
                    assert_eq!(plan_state.reaches(plies), reaches);
                    n_open += 1;
                }
            }
            assert!(n_open > 0);
        }
    }
}
