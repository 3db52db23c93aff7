//! Sets of variables that are worth a projection.

use std::collections::BTreeSet;

use bitvec::vec::BitVec;
use psvn_ir::{Game, Value};

use crate::estimates::abstractions::operators::{Before, Operators};
use crate::refusal::Refusal;
use crate::structure::goal_facts::GoalFacts;

/// The most variables of a game: there are two bits for each pair.
const MAX_VARIABLES: usize = 1 << 13;

/// Which variables matter for which others.
pub(super) struct Links {
    /// By variable: those whose values are tested where it is changed.
    tested: Vec<BitVec>,
    /// By variable: those that are changed where it is changed.
    changed: Vec<BitVec>,
    /// By variable: whether a goal leaves it only some of its values.
    is_goal: BitVec,
}

impl Links {
    /// Find them.
    ///
    /// # Errors
    /// If the game has too many variables.
    pub(super) fn new(
        game: &Game,
        operators: &Operators,
        facts: &[GoalFacts],
    ) -> Result<Self, Refusal> {
        let n = game.n_variables();
        if n > MAX_VARIABLES {
            return Err(Refusal::TooLarge {
                limit: MAX_VARIABLES,
            });
        }
        let none = BitVec::repeat(false, n);
        let mut tested = vec![none.clone(); n];
        let mut changed = vec![none.clone(); n];
        for operator in operators.iter() {
            let (mut tests, mut changes) = (none.clone(), none.clone());
            for it in &operator.variables {
                tests.set(it.var as usize, it.before != Before::Anything);
                changes.set(it.var as usize, operator.changes(it));
            }
            for var in changes.iter_ones() {
                tested[var] |= &tests;
                changed[var] |= &changes;
            }
        }
        let mut is_goal = none;
        for (var, domain) in game.variables().iter().enumerate() {
            let mut values = (0..game.domain(*domain).size()).map(Value::from_index);
            let is_allowed = |value| facts.iter().any(|it| it.allows(var, value));
            is_goal.set(var, !values.all(is_allowed));
        }
        Ok(Self {
            tested,
            changed,
            is_goal,
        })
    }

    /// Return the patterns of one variable.
    pub(super) fn smallest(&self) -> BTreeSet<Vec<u32>> {
        let goals = self.is_goal.iter_ones();
        goals.map(|var| vec![var as u32]).collect()
    }

    /// Return the patterns that have one more variable than one of these: a variable that is tested
    /// where one of the pattern is changed, or one of the goal that is linked with it in any way.
    /// All others add nothing, even if costs are shared (Pommerening, Röger & Helmert 2013,
    /// "Getting the Most Out of Pattern Databases for Classical Planning").
    pub(super) fn larger(&self, patterns: &[Vec<u32>]) -> BTreeSet<Vec<u32>> {
        let further = |pattern: &Vec<u32>| -> Vec<Vec<u32>> {
            let mut linked = BitVec::repeat(false, self.is_goal.len());
            for var in pattern {
                linked |= &self.changed[*var as usize];
            }
            for goal in self.is_goal.iter_ones() {
                if pattern.iter().any(|var| self.tested[goal][*var as usize]) {
                    linked.set(goal, true);
                }
            }
            linked &= &self.is_goal;
            for var in pattern {
                linked |= &self.tested[*var as usize];
            }
            let new = linked.iter_ones().map(|var| var as u32);
            let new = new.filter(|var| !pattern.contains(var));
            let with = |var| {
                let mut larger = pattern.clone();
                larger.push(var);
                larger.sort_unstable();
                larger
            };
            new.map(with).collect()
        };
        patterns.iter().flat_map(further).collect()
    }
}
