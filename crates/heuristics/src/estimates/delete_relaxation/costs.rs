//! What facts cost, for one state.

use search::DEAD_END;

use super::reached::Reached;
use super::relaxed::Relaxed;

const NONE: u32 = u32::MAX;

/// What several facts cost together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Together {
    /// As much as the most expensive one.
    Greatest,
    /// As much as each for itself.
    Sum,
}

/// The memory of a computation.
#[derive(Debug)]
pub(super) struct Costs {
    together: Together,
    /// By fact: the least cost of an action that adds it, with the facts that the action needs.
    reached: Reached,
    /// By fact: that action; none if the fact holds in the state.
    achiever: Vec<u32>,
    /// By action: the number of facts that it needs and that aren't reached.
    missing: Vec<u32>,
    /// By action: what the facts cost that it needs, as far as they are reached.
    needed: Vec<u64>,
    /// The facts that a plan needs and doesn't reach yet.
    open: Vec<u32>,
    /// By fact: whether a plan reaches it.
    is_planned: Vec<bool>,
    /// By rule: whether it is in a plan.
    is_used: Vec<bool>,
}

impl Costs {
    pub(super) fn new(relaxed: &Relaxed, together: Together) -> Self {
        let n_actions = relaxed.rules.len();
        Self {
            together,
            reached: Reached::new(relaxed.n_facts),
            achiever: vec![NONE; relaxed.n_facts],
            missing: vec![0; n_actions],
            needed: vec![0; n_actions],
            open: Vec::new(),
            is_planned: vec![false; relaxed.n_facts],
            is_used: vec![false; relaxed.costs.len()],
        }
    }

    /// Find what each fact costs from the state with these facts, and return what a goal costs;
    /// [`DEAD_END`] if none is reached.
    ///
    /// Facts are reached in the order of their costs (Dijkstra's algorithm, as Knuth generalized it
    /// in 1977).
    pub(super) fn of_goal(&mut self, relaxed: &Relaxed, facts: &[u32]) -> u64 {
        self.reached.clear();
        self.achiever.fill(NONE);
        self.needed.fill(0);
        for (action, missing) in self.missing.iter_mut().enumerate() {
            *missing = relaxed.needs.of(action as u32).len() as u32;
        }
        for fact in facts.iter().chain([&relaxed.always]) {
            self.reach(*fact, 0, NONE);
        }
        while let Some((cost, fact)) = self.reached.cheapest() {
            for action in relaxed.needed_by.of(fact) {
                let number = *action as usize;
                let needed = &mut self.needed[number];
                *needed = match self.together {
                    Together::Greatest => cost.max(*needed),
                    Together::Sum => needed.saturating_add(cost),
                };
                self.missing[number] -= 1;
                if self.missing[number] == 0 {
                    let rule = relaxed.rules[number] as usize;
                    let cost = self.needed[number].saturating_add(relaxed.costs[rule]);
                    for fact in relaxed.adds.of(*action) {
                        self.reach(*fact, cost.min(DEAD_END - 1), *action);
                    }
                }
            }
        }
        self.reached.cost(relaxed.goal)
    }

    fn reach(&mut self, fact: u32, cost: u64, action: u32) {
        if self.reached.reach(fact, cost) {
            self.achiever[fact as usize] = action;
        }
    }

    /// Return what the rules cost together that reach a goal from the state with these facts, each
    /// taken once: those of the cheapest actions for the goal and for all that they need.
    pub(super) fn of_plan(&mut self, relaxed: &Relaxed, facts: &[u32]) -> u64 {
        if self.of_goal(relaxed, facts) == DEAD_END {
            return DEAD_END;
        }
        self.is_planned.fill(false);
        self.is_used.fill(false);
        let mut sum: u64 = 0;
        self.open.push(relaxed.goal);
        while let Some(fact) = self.open.pop() {
            let action = self.achiever[fact as usize];
            if std::mem::replace(&mut self.is_planned[fact as usize], true) || action == NONE {
                continue;
            }
            self.open.extend(relaxed.needs.of(action));
            let rule = relaxed.rules[action as usize] as usize;
            if !std::mem::replace(&mut self.is_used[rule], true) {
                sum = sum.saturating_add(relaxed.costs[rule]);
            }
        }
        sum.min(DEAD_END - 1)
    }

    /// Return whether the last plan needs a fact.
    pub(super) fn is_planned(&self, fact: u32) -> bool {
        self.is_planned[fact as usize]
    }
}
