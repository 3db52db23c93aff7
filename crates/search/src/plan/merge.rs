//! Merge plan states that can't be distinguished.
//!
//! A machine remembers where a forbidden word may have begun even when the facts that are known
//! there exclude every forbidden continuation. Once the plan is laid out with these facts, such
//! machine states are alike: they offer the same rules and the same tests, now and after any
//! further rules. This way a deep machine shrinks to a tenth and fits a processor's cache
//! again.

use ahash::AHashMap;

use super::graph::{Graph, PlanState, PlanStateId};
use crate::run::limits::{Checkpoints, StopReason};

impl Graph {
    /// Keep one plan state of each class of plan states that offer, count and forbid the same now
    /// and after any rules. The root stays first; the others keep their order.
    ///
    /// Moore's refinement, as in [`fsm::minimize`]: time O(rounds · edges). Two plan states that
    /// differ do so after no more rules than the longest forbidden word has, or than facts are kept
    /// for.
    pub(super) fn merge_plan_states(
        &mut self,
        checkpoints: &mut Checkpoints<'_>,
    ) -> Result<(), StopReason> {
        let (class_of, n_classes) = self.classes(checkpoints)?;
        if n_classes == self.plan_states.len() {
            return Ok(());
        }
        let mut plan_states = Vec::with_capacity(n_classes);
        let mut next = Vec::new();
        for (plan_state, class) in self.plan_states.iter().zip(&class_of) {
            // Classes are numbered in the order of their first plan states.
            if *class as usize != plan_states.len() {
                continue;
            }
            plan_states.push(PlanState {
                next: next.len() as u32,
                ..*plan_state
            });
            let after = self.plan_states_after(*plan_state).iter();
            next.extend(after.map(|id| class_of[*id as usize]));
        }
        self.plan_states = plan_states;
        self.next = next;
        Ok(())
    }

    /// Estimate the bytes in use while plan states are compared.
    fn bytes_to_merge(&self) -> usize {
        let signatures = (self.next.len() + self.plan_states.len()) * size_of::<PlanStateId>();
        let numbers = self.plan_states.len() * (size_of::<PlanStateId>() + NUMBERED_BYTES);
        let plan_states = self.plan_states.len() * size_of::<PlanState>();
        plan_states + self.next.len() * size_of::<PlanStateId>() + signatures + numbers
    }

    /// Return the class of each plan state, and the number of classes.
    fn classes(
        &self,
        checkpoints: &mut Checkpoints<'_>,
    ) -> Result<(Vec<PlanStateId>, usize), StopReason> {
        // The fields in which a plan state may differ; equal lists imply that the other fields are
        // equal.
        let own = |plan_state: &PlanState| {
            let forbidden = plan_state.forbidden.map_or(0, |list| list.0.get());
            let goals = plan_state.goals;
            [
                plan_state.list.0.get(),
                forbidden,
                plan_state.n_forbidden,
                goals,
            ]
        };
        let mut spend = |steps: usize| checkpoints.spend(steps as u64, || self.bytes_to_merge());
        spend(self.plan_states.len())?;
        let (mut class_of, mut n_classes) = number(self.plan_states.iter().map(|it| Ok(own(it))))?;
        loop {
            let mut signatures = Vec::with_capacity(self.next.len() + self.plan_states.len());
            for (plan_state, class) in self.plan_states.iter().zip(&class_of) {
                spend(plan_state.n as usize + 1)?;
                signatures.push(*class);
                let after = self.plan_states_after(*plan_state).iter();
                signatures.extend(after.map(|id| class_of[*id as usize]));
            }
            let mut rest = signatures.as_slice();
            let rows = self.plan_states.iter().map(|plan_state| {
                spend(plan_state.n as usize + 1)?;
                let row = rest.split_off(..=plan_state.n as usize);
                Ok(row.expect("one for each rule, and one"))
            });
            let (refined, n_refined) = number(rows)?;
            if n_refined == n_classes {
                return Ok((refined, n_refined));
            }
            (class_of, n_classes) = (refined, n_refined);
        }
    }
}

/// Number items in the order of their first occurrence, equal ones alike. Return how many numbers
/// there are, too.
fn number<T: std::hash::Hash + Eq>(
    things: impl Iterator<Item = Result<T, StopReason>>,
) -> Result<(Vec<u32>, usize), StopReason> {
    let mut numbers = AHashMap::new();
    let numbered = things
        .map(|thing| {
            let fresh = numbers.len() as u32;
            Ok(*numbers.entry(thing?).or_insert(fresh))
        })
        .collect::<Result<_, _>>()?;
    Ok((numbered, numbers.len()))
}

/// Estimated bytes of an item in a table of numbers.
const NUMBERED_BYTES: usize = 32;

#[cfg(test)]
mod tests {
    use fsm::WordAutomaton;

    use crate::front::planned::tests::planned_in_bits;

    /// Return the number of plan states of a lamp that goes through three colors, when a word is
    /// forbidden.
    fn n_plan_states(forbidden: &[u32]) -> usize {
        let lamp = "
            DOMAIN color 3 red green blue
            1 color
            red => green  LABEL 0
            green => blue  LABEL 1
            blue => red  LABEL 2
            GOAL red
        ";
        let mut words = WordAutomaton::new(3);
        words.forbid(forbidden).unwrap();
        let machine = words.build().unwrap();
        planned_in_bits(lamp, machine).plan.n_plan_states()
    }

    #[test]
    fn plan_states_that_are_alike_are_one() {
        // The root, and one for each color.
        assert_eq!(n_plan_states(&[2, 2]), 4);
        // The machine remembers 2 0, but 0 can't follow.
        assert_eq!(n_plan_states(&[2, 0, 0]), 4);
        // Here 1 can follow.
        assert_eq!(n_plan_states(&[2, 0, 1]), 5);
        // A green lamp after 2 0 and one after 0, and so on: they differ three rules later.
        assert_eq!(n_plan_states(&[2, 0, 1, 2, 0]), 7);
    }
}
