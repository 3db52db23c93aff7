//! Variables that can't matter for any goal (Taylor 1992, section 2.4, condition 3 relaxed).
//!
//! Two sequences are equally good for reaching a goal if the states that they lead to differ only
//! in variables that no goal and no relevant rule tests. A variable is *relevant* if
//!
//! * a goal tests it,
//! * a rule that can change a relevant variable tests it, for a value or for equality, or
//! * a rule copies it into a relevant variable.
//!
//! All others are *irrelevant*: [`Relevance`] is the least set of relevant variables. A rule that
//! changes no relevant variable may test any variable: it is equivalent to doing nothing.
//!
//! # Why it is safe
//! Call two states alike if they agree in all relevant variables. From states that are alike, the
//! rules that can change a relevant variable apply alike and lead to states that are alike; any
//! other rule leads to a state like the one before. Take the cheapest path to a goal that comes
//! first in the order of words. Suppose that it contained a word B that an earlier A replaces
//! except for irrelevant variables. Put A in its place, and drop the later rules that change
//! nothing relevant. The rest can be carried out, ends in a state like the goal state, which is a
//! goal state, too, costs no more, and comes earlier: a contradiction. The argument doesn't cover
//! searches that must distinguish all states, such as counts of states.

use psvn_ir::{CanonicalRule, Goal, Term, VarId};

/// The variables that are relevant for some goals.
///
/// ```
/// use move_prune::Relevance;
/// use psvn_ir::VarId;
///
/// // The second variable stores which rule came last; nothing tests it.
/// let game = psvn_ir::load("
///     2  2 2
///     0 - => 1 1  LABEL on
///     1 - => 0 0  LABEL off
///     GOAL 1 -
/// ").game.expect("a game without errors");
/// let rules: Vec<_> = game.rules().iter().map(|rule| rule.canonical.clone()).collect();
/// let relevance = Relevance::of(game.n_variables(), &rules, game.goals());
/// assert!(relevance.irrelevant().eq([VarId(1)]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relevance {
    is_relevant: Vec<bool>,
}

impl Relevance {
    /// Find the variables that are relevant for goals under these rules.
    ///
    /// Takes time proportional to the size of the rules, times the number of steps in the longest
    /// chain by which variables become relevant.
    ///
    /// # Panics
    /// When rules or goals don't have `n_variables` positions.
    pub fn of(n_variables: usize, rules: &[CanonicalRule], goals: &[Goal]) -> Self {
        let mut relevance = Self {
            is_relevant: vec![false; n_variables],
        };
        for goal in goals {
            relevance.add_tested(goal.conditions());
        }
        while rules.iter().filter(|rule| relevance.add_rule(rule)).count() > 0 {}
        relevance
    }

    /// Return the variables that can't matter for a goal, in order.
    pub fn irrelevant(&self) -> impl Iterator<Item = VarId> + '_ {
        let variables = self.is_relevant.iter().enumerate();
        variables
            .filter(|(_, is_relevant)| !**is_relevant)
            .map(|(position, _)| VarId::from_index(position))
    }

    /// Make the variables that a rule tests or copies relevant, if it can change a relevant
    /// variable. Return whether that is new.
    fn add_rule(&mut self, rule: &CanonicalRule) -> bool {
        let mut matters = false;
        let mut grown = false;
        for (position, (precondition, action)) in
            rule.preconditions().iter().zip(rule.actions()).enumerate()
        {
            if precondition == action || !self.is_relevant[position] {
                continue;
            }
            matters = true;
            if let Some(source) = action.as_variable() {
                grown |= self.add(source.index());
            }
        }
        if matters {
            grown |= self.add_tested(rule.preconditions());
        }
        grown
    }

    /// Make relevant what a vector of preconditions tests: constants, and both sides of equalities.
    fn add_tested(&mut self, preconditions: &[Term]) -> bool {
        let mut grown = false;
        for (position, term) in preconditions.iter().enumerate() {
            if term.is_own_variable(position) {
                continue;
            }
            grown |= self.add(position);
            if let Some(other) = term.as_variable() {
                grown |= self.add(other.index());
            }
        }
        grown
    }

    fn add(&mut self, position: usize) -> bool {
        !std::mem::replace(&mut self.is_relevant[position], true)
    }
}

/// Return the rules with some variables left unchanged. Rules that differ only in their effects on
/// these variables become equal.
///
/// # Panics
/// When the rules have no such variable.
pub fn rules_without_effect_on(rules: &[CanonicalRule], ignored: &[VarId]) -> Vec<CanonicalRule> {
    let without = |rule: &CanonicalRule| {
        let mut actions = rule.actions().to_vec();
        for var in ignored {
            actions[var.index()] = rule.preconditions()[var.index()];
        }
        let preconditions = rule.preconditions();
        CanonicalRule::from_canonical_parts(preconditions, actions, rule.cost())
    };
    rules.iter().map(without).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn irrelevant(text: &str) -> Vec<usize> {
        let game = psvn_ir::load(text).game.expect("a game without errors");
        let rules: Vec<CanonicalRule> = game
            .rules()
            .iter()
            .map(|rule| rule.canonical.clone())
            .collect();
        let relevance = Relevance::of(game.n_variables(), &rules, game.goals());
        relevance.irrelevant().map(VarId::index).collect()
    }

    #[test]
    fn variables_that_nothing_tests_are_irrelevant() {
        // A trace that is only written.
        assert_eq!(irrelevant("2  2 2  0 - => 1 1  1 - => 0 0  GOAL 1 -"), [1]);
        // It is copied into a variable that the goal tests, by way of another variable.
        assert_eq!(
            irrelevant("3  2 2 2  0 A B => 1 A A  1 A B => B A B  GOAL 1 - -"),
            [0; 0]
        );
        // Two variables that only depend on each other.
        assert_eq!(
            irrelevant("3  2 2 2  0 A B => 1 B A  1 A B => 0 0 1  GOAL 1 - -"),
            [1, 2]
        );
        // A rule that changes no relevant variable may test any variable.
        assert_eq!(
            irrelevant("3  2 2 2  0 - - => 1 - -  - 0 - => - 1 1  - 1 0 => - 0 -  GOAL 1 - -"),
            [1, 2]
        );
        // Tests of rules that matter, for a value and for equality; tests of goals.
        assert_eq!(
            irrelevant("3  2 2 2  0 1 - => 1 0 -  - - 0 => - - 1  GOAL 1 - -"),
            [2]
        );
        assert_eq!(
            irrelevant("4  2 2 2 2  0 A A - => 1 A A 1  GOAL 1 - - -"),
            [3]
        );
        assert_eq!(irrelevant("3  2 2 2  0 - - => 1 1 1  GOAL A A -"), [2]);
    }

    #[test]
    fn effects_on_ignored_variables_are_left_out() {
        let game = psvn_ir::load("2  2 2  0 1 => 1 0  0 A => 1 1  GOAL 1 -");
        let game = game.game.expect("a game without errors");
        let rules: Vec<CanonicalRule> = game
            .rules()
            .iter()
            .map(|rule| rule.canonical.clone())
            .collect();
        let without = rules_without_effect_on(&rules, &[VarId(1)]);
        let shown: Vec<String> = without.iter().map(|rule| game.format_rule(rule)).collect();
        assert_eq!(shown, ["<0 1> -> <1 1>", "<0 x2> -> <1 x2>"]);
    }
}
