//! Random walks, and random goal states to begin them at.

use crate::random::SplitMix64;
use crate::{CanonicalRule, Game, Goal, State, TermKind, Value, VarId};

/// The number of steps between checks whether to stop.
const STEPS_BETWEEN_CHECKS: u64 = 1 << 12;

/// A random walk: each step is drawn from the rules that apply and lead to another state than the
/// one before.
#[derive(Clone, Debug)]
pub struct RandomWalk {
    rules: Vec<CanonicalRule>,
}

impl RandomWalk {
    /// A walk by these rules.
    pub fn new(rules: Vec<CanonicalRule>) -> Self {
        Self { rules }
    }

    /// Return the end of a walk and its cost, if that is less than 2^64; `None` if `stop` said to
    /// stop. It visits states only that `is_real` admits, and ends sooner where no rule applies.
    ///
    /// Rules that change nothing don't count as steps, and a walk goes straight back only if there
    /// is no other way. Each step takes time proportional to the number of rules.
    pub fn end(
        &self,
        start: &State,
        steps: u64,
        random: &mut SplitMix64,
        is_real: impl Fn(&[Value]) -> bool,
        stop: impl Fn() -> bool,
    ) -> Option<(State, Option<u64>)> {
        let mut state: Box<[Value]> = start.values().into();
        let mut before: Option<Box<[Value]>> = None;
        let mut cost = Some(0_u64);
        let mut children: Vec<(Box<[Value]>, u64)> = Vec::new();
        for step in 0..steps {
            if step % STEPS_BETWEEN_CHECKS == 0 && stop() {
                return None;
            }
            children.clear();
            let applicable = self.rules.iter().filter(|rule| rule.applies_to(&state));
            children.extend(applicable.map(|rule| (rule.apply(&state), rule.cost())));
            children.retain(|(child, _)| *child != state && is_real(child));
            let is_back = |child: &[Value]| before.as_deref() == Some(child);
            if children.iter().any(|(child, _)| !is_back(child)) {
                children.retain(|(child, _)| !is_back(child));
            }
            if children.is_empty() {
                break;
            }
            let (child, step_cost) = children.swap_remove(random.below(children.len()));
            cost = cost.and_then(|cost| cost.checked_add(step_cost));
            before = Some(std::mem::replace(&mut state, child));
        }
        Some((State::new(state), cost))
    }
}

impl Game {
    /// Return a random state that satisfies a goal: values that the goal leaves open are drawn.
    pub fn random_goal_state(&self, goal: &Goal, random: &mut SplitMix64) -> State {
        let mut values: Vec<Value> = Vec::with_capacity(self.n_variables());
        for (position, term) in goal.conditions().iter().enumerate() {
            let value = match term.kind() {
                TermKind::Constant(value) => value,
                TermKind::Variable(var) if var.index() < position => values[var.index()],
                TermKind::Variable(_) => {
                    let domain = self.domain_of(VarId::from_index(position));
                    Value::from_index(random.below(domain.size()))
                }
            };
            values.push(value);
        }
        State::new(values)
    }
}

#[cfg(all(test, feature = "text"))]
mod tests {
    use super::*;

    #[test]
    fn walks_go_back_only_where_there_is_no_other_way() {
        let text = "1 6\n0 => 1\n1 => 0\n1 => 2\n2 => 1\n2 => 3\n3 => 2\nGOAL A\n";
        let game = crate::load(text).game.expect("a game");
        let rules = game.rules().iter().map(|rule| rule.canonical.clone());
        let walk = RandomWalk::new(rules.collect());
        let start = game.parse_state("0").expect("a state");
        let mut random = SplitMix64::new(1);
        let mut end = |steps, most: usize| {
            let is_real = |state: &[Value]| state[0].index() <= most;
            let found = walk.end(&start, steps, &mut random, is_real, || false);
            found.map(|(state, cost)| (state.values()[0].index(), cost))
        };
        assert_eq!(end(3, 3), Some((3, Some(3))));
        assert_eq!(end(4, 3), Some((2, Some(4))), "back from the end");
        assert_eq!(end(3, 2), Some((1, Some(3))), "the end isn't real");
        assert_eq!(walk.end(&start, 1, &mut random, |_| true, || true), None);
        let values = (0..100).map(|_| game.random_goal_state(&game.goals()[0], &mut random));
        let values: Vec<usize> = values.map(|state| state.values()[0].index()).collect();
        assert!((0..6).all(|value| values.contains(&value)), "{values:?}");
    }
}
