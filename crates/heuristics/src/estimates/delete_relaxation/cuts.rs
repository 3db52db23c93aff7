//! The sum over cuts, for one state.

use search::DEAD_END;

use super::reached::{Reached, UNREACHED};
use super::relaxed::Relaxed;

const NONE: u32 = u32::MAX;

/// Where a fact lies, as seen from a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Unknown,
    /// The goal is reached from it for nothing.
    Goal,
    /// It is reached from the state without the cut.
    State,
    /// It is reached from the state through the cut only.
    Beyond,
}

/// The memory of a computation.
#[derive(Debug)]
pub(super) struct Cuts {
    /// By rule: what is left of its cost.
    costs: Vec<u64>,
    /// By fact: the least cost of an action that adds it, where an action costs as much as the
    /// rule and the most expensive fact that it needs.
    reached: Reached,
    /// By action: the number of facts that it needs and that aren't reached.
    missing: Vec<u32>,
    /// By action: its most expensive fact, and what that costs; none until all are reached.
    supporter: Vec<u32>,
    supported: Vec<u64>,
    sides: Vec<Side>,
    stack: Vec<u32>,
    /// The actions that lead to facts from which the goal is reached for nothing, and aren't free.
    leading: Vec<u32>,
    /// The rules of the cut.
    cut: Vec<u32>,
    /// By rule: whether it is in the cut.
    is_cut: Vec<bool>,
    /// The number of visits to facts and actions so far.
    pub(super) n_visits: u64,
}

impl Cuts {
    pub(super) fn new(relaxed: &Relaxed) -> Self {
        let n_actions = relaxed.rules.len();
        Self {
            costs: relaxed.costs.to_vec(),
            reached: Reached::new(relaxed.n_facts),
            missing: vec![0; n_actions],
            supporter: vec![NONE; n_actions],
            supported: vec![0; n_actions],
            sides: vec![Side::Unknown; relaxed.n_facts],
            stack: Vec::new(),
            leading: Vec::new(),
            cut: Vec::new(),
            is_cut: vec![false; relaxed.costs.len()],
            n_visits: 0,
        }
    }

    /// Return the sum over all cuts for the state with these facts. `each` gets the rules of each
    /// cut.
    pub(super) fn sum(
        &mut self,
        relaxed: &Relaxed,
        facts: &[u32],
        mut each: impl FnMut(&[u32]),
    ) -> u64 {
        self.begin(relaxed, facts);
        if self.reached.cost(relaxed.goal) == UNREACHED {
            return DEAD_END;
        }
        let mut sum: u64 = 0;
        while self.reached.cost(relaxed.goal) > 0 {
            self.find_cut(relaxed);
            each(&self.cut);
            sum = sum.saturating_add(self.pay(relaxed)).min(DEAD_END - 1);
            self.spread_changes(relaxed);
        }
        sum
    }

    /// Find what each fact costs, for the full costs of rules.
    fn begin(&mut self, relaxed: &Relaxed, facts: &[u32]) {
        self.costs.copy_from_slice(&relaxed.costs);
        self.reached.clear();
        self.supporter.fill(NONE);
        for (action, missing) in self.missing.iter_mut().enumerate() {
            *missing = relaxed.needs.of(action as u32).len() as u32;
        }
        self.n_visits += (self.missing.len() + relaxed.n_facts) as u64 / 4;
        for fact in facts.iter().chain([&relaxed.always]) {
            self.reached.reach(*fact, 0);
        }
        while let Some((cost, fact)) = self.reached.cheapest() {
            let needed_by = relaxed.needed_by.of(fact);
            self.n_visits += 1 + needed_by.len() as u64;
            for action in needed_by {
                let missing = &mut self.missing[*action as usize];
                *missing -= 1;
                if *missing == 0 {
                    self.supporter[*action as usize] = fact;
                    self.supported[*action as usize] = cost;
                    self.reach_added(relaxed, *action);
                }
            }
        }
    }

    fn reach_added(&mut self, relaxed: &Relaxed, action: u32) {
        let rule = relaxed.rules[action as usize];
        let cost = self.supported[action as usize].saturating_add(self.costs[rule as usize]);
        let adds = relaxed.adds.of(action);
        self.n_visits += adds.len() as u64;
        for fact in adds {
            self.reached.reach(*fact, cost.min(UNREACHED - 1));
        }
    }

    /// Find the rules that lead from facts that are reached without the cut to facts from which the
    /// goal is reached for nothing, if each action needs only its most expensive fact.
    ///
    /// What costs less than the goal is reached without the cut, by facts that cost no more: the
    /// goal is reached for nothing only from what costs at least as much. So the facts before the
    /// cut, which are many, needn't be gone through.
    fn find_cut(&mut self, relaxed: &Relaxed) {
        self.sides.fill(Side::Unknown);
        self.sides[relaxed.goal as usize] = Side::Goal;
        self.stack.push(relaxed.goal);
        while let Some(fact) = self.stack.pop() {
            let added_by = relaxed.added_by.of(fact);
            self.n_visits += 1 + added_by.len() as u64;
            for action in added_by {
                let supporter = self.supporter[*action as usize];
                if supporter == NONE {
                    continue;
                }
                let rule = relaxed.rules[*action as usize];
                if self.costs[rule as usize] > 0 {
                    self.leading.push(*action);
                } else if self.sides[supporter as usize] == Side::Unknown {
                    self.sides[supporter as usize] = Side::Goal;
                    self.stack.push(supporter);
                }
            }
        }
        let leading = std::mem::take(&mut self.leading);
        for action in &leading {
            let rule = relaxed.rules[*action as usize];
            if !self.is_cut[rule as usize]
                && self.is_before_cut(relaxed, self.supporter[*action as usize])
            {
                self.is_cut[rule as usize] = true;
                self.cut.push(rule);
            }
        }
        self.leading = leading;
        self.leading.clear();
    }

    /// Return the side of a fact as far as it is known.
    fn side(&self, relaxed: &Relaxed, fact: u32) -> Side {
        match self.sides[fact as usize] {
            Side::Unknown if self.reached.cost(fact) < self.reached.cost(relaxed.goal) => {
                Side::State
            }
            side => side,
        }
    }

    /// Return whether a fact is reached from the state without the cut.
    fn is_before_cut(&mut self, relaxed: &Relaxed, fact: u32) -> bool {
        match self.side(relaxed, fact) {
            Side::Goal | Side::Beyond => return false,
            Side::State => return true,
            Side::Unknown => {}
        }
        let mut visited = std::mem::take(&mut self.stack);
        let is_before = self.leads_back(relaxed, fact, &mut visited);
        if is_before {
            // Those between aren't known to be behind the cut.
            for fact in &visited {
                self.sides[*fact as usize] = Side::Unknown;
            }
            self.sides[fact as usize] = Side::State;
        }
        visited.clear();
        self.stack = visited;
        is_before
    }

    /// Go back from a fact, without rules of the cut, until a fact is known to be before the cut.
    /// Return whether there is one. The facts that were `visited` are now [`Side::Beyond`].
    fn leads_back(&mut self, relaxed: &Relaxed, fact: u32, visited: &mut Vec<u32>) -> bool {
        self.sides[fact as usize] = Side::Beyond;
        visited.push(fact);
        let mut next = 0;
        while let Some(behind) = visited.get(next).copied() {
            next += 1;
            let added_by = relaxed.added_by.of(behind);
            self.n_visits += 1 + added_by.len() as u64;
            for action in added_by {
                let supporter = self.supporter[*action as usize];
                // Rules of the cut aren't used, whatever else they add.
                let is_goal = |added: &u32| self.sides[*added as usize] == Side::Goal;
                if supporter == NONE || relaxed.adds.of(*action).iter().any(is_goal) {
                    continue;
                }
                match self.side(relaxed, supporter) {
                    Side::State => return true,
                    Side::Unknown => {
                        self.sides[supporter as usize] = Side::Beyond;
                        visited.push(supporter);
                    }
                    Side::Goal | Side::Beyond => {}
                }
            }
        }
        false
    }

    /// Take the least cost within the cut away from each of its rules, and return it.
    fn pay(&mut self, relaxed: &Relaxed) -> u64 {
        let costs = self.cut.iter().map(|rule| self.costs[*rule as usize]);
        let least = costs.min().expect("a goal that isn't free is cut off");
        debug_assert!(least > 0, "rules of a cut cost something");
        let cut = std::mem::take(&mut self.cut);
        for rule in &cut {
            self.costs[*rule as usize] -= least;
            self.is_cut[*rule as usize] = false;
            for action in relaxed.actions.of(*rule) {
                if self.supporter[*action as usize] != NONE {
                    self.reach_added(relaxed, *action);
                }
            }
        }
        self.cut = cut;
        self.cut.clear();
        least
    }

    /// Find what facts cost after some costs fell.
    fn spread_changes(&mut self, relaxed: &Relaxed) {
        while let Some((cost, fact)) = self.reached.cheapest() {
            let needed_by = relaxed.needed_by.of(fact);
            self.n_visits += 1 + needed_by.len() as u64;
            for action in needed_by {
                let number = *action as usize;
                if self.supporter[number] != fact || self.supported[number] <= cost {
                    continue;
                }
                let needs = relaxed.needs.of(*action);
                self.n_visits += needs.len() as u64;
                let mut supporter = needs[0];
                for other in &needs[1..] {
                    if self.reached.cost(*other) > self.reached.cost(supporter) {
                        supporter = *other;
                    }
                }
                let supported = self.reached.cost(supporter);
                self.supporter[number] = supporter;
                if supported < self.supported[number] {
                    self.supported[number] = supported;
                    self.reach_added(relaxed, *action);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use budget::Watch;
    use invariants::Invariants;
    use psvn_ir::Game;
    use psvn_ir::testing::{GameShape, random_game};

    use super::*;
    use crate::effort::Effort;

    /// Return the rules of a cut by its definition: from the facts of the state on, go through all
    /// facts that are reached without an action that leads to the goal's side.
    fn cut_by_definition(cuts: &Cuts, relaxed: &Relaxed, facts: &[u32]) -> BTreeSet<u32> {
        let supporter = |action: u32| cuts.supporter[action as usize];
        let rule = |action: u32| relaxed.rules[action as usize];
        let actions = || (0..relaxed.rules.len() as u32).filter(|it| supporter(*it) != NONE);
        let mut on_goal_side = BTreeSet::from([relaxed.goal]);
        let adds_goal = |side: &BTreeSet<u32>, action: u32| {
            relaxed.adds.of(action).iter().any(|it| side.contains(it))
        };
        loop {
            let free = actions().filter(|it| cuts.costs[rule(*it) as usize] == 0);
            let more: Vec<u32> = free
                .filter(|it| adds_goal(&on_goal_side, *it))
                .map(supporter)
                .filter(|it| !on_goal_side.contains(it))
                .collect();
            if more.is_empty() {
                break;
            }
            on_goal_side.extend(more);
        }
        let mut before: BTreeSet<u32> = facts.iter().copied().chain([relaxed.always]).collect();
        let mut cut = BTreeSet::new();
        loop {
            let usable: Vec<u32> = actions()
                .filter(|it| before.contains(&supporter(*it)))
                .collect();
            let n_before = before.len();
            for action in usable {
                if adds_goal(&on_goal_side, action) {
                    cut.insert(rule(action));
                } else {
                    before.extend(relaxed.adds.of(action));
                }
            }
            if before.len() == n_before {
                return cut;
            }
        }
    }

    /// Compare all cuts of all states with their definition. Return how many there are, and how
    /// many of them asked for facts that cost as much as the goal.
    fn check(game: &Game) -> (usize, usize) {
        let watch = Watch::default();
        let known = Invariants::none(game);
        let Ok(relaxed) = Relaxed::new(game, &known, &Effort::within(&watch)) else {
            return (0, 0);
        };
        let mut cuts = Cuts::new(&relaxed);
        let (mut n_cuts, mut n_far) = (0, 0);
        for state in psvn_ir::all_states(game).take(50) {
            let values: Vec<u32> = state.iter().map(|value| value.0).collect();
            let mut facts = Vec::new();
            relaxed.put_facts(&values, &mut facts);
            cuts.begin(&relaxed, &facts);
            if cuts.reached.cost(relaxed.goal) == UNREACHED {
                continue;
            }
            while cuts.reached.cost(relaxed.goal) > 0 {
                cuts.find_cut(&relaxed);
                let found = cuts.cut.iter().copied().collect::<BTreeSet<u32>>();
                assert_eq!(found, cut_by_definition(&cuts, &relaxed, &facts));
                n_cuts += 1;
                let is_far = |side: &Side| matches!(side, Side::State | Side::Beyond);
                n_far += usize::from(cuts.sides.iter().any(is_far));
                cuts.pay(&relaxed);
                cuts.spread_changes(&relaxed);
            }
        }
        (n_cuts, n_far)
    }

    #[test]
    fn cuts_are_those_of_the_definition() {
        let shape = GameShape {
            n_variables: 3..=5,
            n_values: 2..=4,
            n_rules: 3..=12,
            max_cost: 3,
            constants: 80,
            ..GameShape::default()
        };
        let (mut n_cuts, mut n_far) = (0, 0);
        for seed in 0..400 {
            let (cuts, far) = check(&random_game(seed, &shape));
            n_cuts += cuts;
            n_far += far;
        }
        assert!(n_cuts > 2_000 && n_far > 100, "{n_cuts}, {n_far}");
    }
}
