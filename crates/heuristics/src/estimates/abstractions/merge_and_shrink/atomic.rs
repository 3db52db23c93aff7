//! The factors of a game before any of them are merged: one for each variable, and perhaps one for
//! the goals.

use std::collections::BTreeMap;

use invariants::{Invariants, Scratch};
use psvn_ir::{CanonicalRule, Game, Goal, Term, TermKind, Value, VarId};

use super::cascade::{Cascade, GONE};
use super::factor::{Factor, Group};
use super::validity::{Known, Traits};
use crate::effort::Effort;
use crate::refusal::Refusal;
use crate::structure::goal_facts::{GoalFacts, asks_invariants};
use crate::structure::instances;

/// The maximum number of terms of all labels.
const MAX_TERMS: usize = 1 << 20;

/// The maximum number of terms of the labels that reach the goals.
const MAX_GOAL_TERMS: usize = 1 << 16;

/// What a label does to a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Effect {
    before: Option<u32>,
    after: Option<u32>,
}

/// The labels of a game, with what they do to its variables.
struct Labels<'g> {
    game: &'g Game,
    costs: Vec<u64>,
    /// By variable, for each effect the labels that have it.
    by_variable: Vec<BTreeMap<Effect, Vec<u32>>>,
    n_terms: usize,
}

impl<'g> Labels<'g> {
    /// Instances of the rules, apart from those that the invariants forbid.
    fn new(game: &'g Game, known: &Invariants, effort: &Effort<'_>) -> Result<Self, Refusal> {
        let mut labels = Self {
            game,
            costs: Vec::new(),
            by_variable: vec![BTreeMap::new(); game.n_variables()],
            n_terms: 0,
        };
        if !instances::are_few(game, MAX_TERMS) {
            return Err(Refusal::TooLarge { limit: MAX_TERMS });
        }
        let asks = asks_invariants(game, known);
        let mut scratch = Scratch::new();
        let mut add = |rule: &CanonicalRule| {
            let is_possible = !asks || known.admits_with(&mut scratch, rule.preconditions());
            if is_possible && !rule.is_identity() {
                effort.check(labels.n_bytes())?;
                labels.add(rule);
            }
            Ok(())
        };
        instances::of_rules(game, true, &mut add)?;
        Ok(labels)
    }

    fn n_bytes(&self) -> usize {
        self.n_terms * size_of::<u32>() + self.costs.len() * size_of::<u64>()
    }

    /// Add a label for an instance of a rule.
    fn add(&mut self, rule: &CanonicalRule) {
        let label = self.costs.len() as u32;
        self.costs.push(rule.cost());
        let constant = |term: &Term| term.as_constant().map(|value| value.0);
        let terms = rule.preconditions().iter().zip(rule.actions());
        for ((before, after), effects) in terms.zip(&mut self.by_variable) {
            let effect = Effect {
                before: constant(before),
                after: constant(after),
            };
            if effect.before.is_some() || effect.after.is_some() {
                self.n_terms += 1;
                effects.entry(effect).or_default().push(label);
            }
        }
    }

    /// Return the factor of a variable, without values that it never has.
    fn factor(
        &self,
        (known, invariants): (&Known, &Invariants),
        var: usize,
        goals: &[GoalFacts],
        starts: &[Vec<u32>],
    ) -> Factor {
        let size = self.game.domain_of(VarId::from_index(var)).size();
        let mut table: Vec<u32> = vec![0; size];
        for fact in invariants.unreachable_facts() {
            if fact.var.index() == var {
                table[fact.value.index()] = GONE;
            }
        }
        let values = (0..size as u32).filter(|value| table[*value as usize] != GONE);
        let values: Vec<u32> = values.collect();
        for (state, value) in (0..).zip(&values) {
            table[*value as usize] = state;
        }
        let group = |(effect, labels): (&Effect, &Vec<u32>)| {
            let sources = values.iter();
            let sources = sources.filter(|value| effect.before.is_none_or(|it| it == **value));
            let step = |source: &u32| {
                let target = effect.after.unwrap_or(*source);
                (table[*source as usize], table[target as usize])
            };
            Group {
                labels: labels.clone(),
                transitions: sources
                    .map(step)
                    .filter(|(_, target)| *target != GONE)
                    .collect(),
            }
        };
        let is_goal = |value: &u32| goals.iter().any(|goal| goal.allows(var, Value(*value)));
        Factor::new(
            Cascade::Variable {
                var: var as u32,
                table: table.clone(),
            },
            Traits::of_variable(known, var, &values),
            starts
                .iter()
                .map(|start| table[start[var] as usize])
                .collect(),
            values.iter().map(is_goal).collect(),
            self.by_variable[var].iter().map(group).collect(),
            &self.costs,
        )
    }

    /// Add labels that lead from goal states to the only goal of a factor of its own, where all
    /// other labels end. Return this factor, or nothing if it isn't needed, or would be too large.
    ///
    /// A factor knows only its own part of a goal, so combinations of parts of several goals would
    /// be goals, too, and so would states with unequal values where a goal asks for equal ones.
    fn goal_factor(&mut self, known: &Known, n_starts: usize) -> Option<Factor> {
        let goals = self.game.goals();
        let needs_factor = goals.len() > 1 || goals.iter().any(|goal| !repeated(goal).is_empty());
        let n_terms = goals.iter().map(|goal| n_terms(self.game, goal));
        if !needs_factor || n_terms.fold(0, usize::saturating_add) > MAX_GOAL_TERMS {
            return None;
        }
        let n_of_rules = self.costs.len() as u32;
        for goal in goals {
            let conditions = goal.conditions().to_vec();
            self.add_goal(&conditions, &repeated(goal));
        }
        let all = 0..self.costs.len() as u32;
        let [open, reached] = [0, 1];
        let group = |labels: std::ops::Range<u32>, target| Group {
            labels: labels.collect(),
            transitions: vec![(open, target)],
        };
        let groups = vec![
            group(0..n_of_rules, open),
            group(n_of_rules..all.end, reached),
        ];
        let groups = groups.into_iter().filter(|group| !group.labels.is_empty());
        // No state has reached it so far, whatever the value of any variable.
        let size = self.game.domain_of(VarId::from_index(0)).size();
        let cascade = Cascade::Variable {
            var: 0,
            table: vec![open; size],
        };
        Some(Factor::new(
            cascade,
            Traits::empty(known, 2),
            vec![open; n_starts],
            vec![false, true],
            groups.collect(),
            &self.costs,
        ))
    }

    /// Add labels for a goal, one for each combination of values of the unknowns in several places.
    fn add_goal(&mut self, conditions: &[Term], unknowns: &[VarId]) {
        let Some((unknown, others)) = unknowns.split_first() else {
            self.add(&CanonicalRule::canonicalize(conditions, conditions, 0));
            return;
        };
        let term = Term::variable(*unknown);
        for value in 0..n_common(self.game, conditions, term) {
            let value = Term::constant(Value::from_index(value));
            let replaced = |it: &Term| if *it == term { value } else { *it };
            let conditions: Vec<Term> = conditions.iter().map(replaced).collect();
            self.add_goal(&conditions, others);
        }
    }
}

/// Return the unknowns that a goal has in several places.
fn repeated(goal: &Goal) -> Vec<VarId> {
    let mut n_places = vec![0; goal.conditions().len()];
    for term in goal.conditions() {
        if let TermKind::Variable(first) = term.kind() {
            n_places[first.index()] += 1;
        }
    }
    let unknowns = n_places.iter().enumerate().filter(|(_, n)| **n > 1);
    unknowns.map(|(i, _)| VarId::from_index(i)).collect()
}

/// Return how many values all places of an unknown have.
fn n_common(game: &Game, conditions: &[Term], unknown: Term) -> usize {
    let places = conditions.iter().enumerate();
    let places = places.filter(|(_, term)| **term == unknown);
    let sizes = places.map(|(i, _)| game.domain_of(VarId::from_index(i)).size());
    sizes.min().unwrap_or(0)
}

/// Return about the number of terms of the labels for a goal.
fn n_terms(game: &Game, goal: &Goal) -> usize {
    let conditions = goal.conditions();
    let unknowns = repeated(goal);
    let sizes = unknowns
        .iter()
        .map(|first| n_common(game, conditions, Term::variable(*first)));
    sizes.fold(conditions.len(), usize::saturating_mul)
}

/// Return the factors of a game, and the costs of their labels.
///
/// # Errors
/// If there are too many labels, or a limit is reached.
pub(super) fn factors(
    game: &Game,
    invariants: &Invariants,
    known: &Known,
    starts: &[Vec<u32>],
    effort: &Effort<'_>,
) -> Result<(Vec<Factor>, Vec<u64>), Refusal> {
    let goals = GoalFacts::of_goals_within(game, invariants, effort)?;
    let mut labels = Labels::new(game, invariants, effort)?;
    let goal_factor = labels.goal_factor(known, starts.len());
    let mut bytes = labels.n_bytes();
    let mut factors = Vec::new();
    for var in 0..game.n_variables() {
        effort.check(bytes)?;
        let factor = labels.factor((known, invariants), var, &goals, starts);
        bytes += factor.n_bytes();
        factors.push(factor);
    }
    factors.extend(goal_factor);
    Ok((factors, labels.costs))
}
