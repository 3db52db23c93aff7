//! Facts that never hold, by a fixpoint over single facts; and what both fixpoints share.

use std::borrow::Cow;

use psvn_ir::{CanonicalRule, Game, TermKind};

use crate::RULES_BETWEEN_LOOKS;
use crate::conserved::StartSet;
use crate::facts::{FactIndex, unknowns};
use crate::reach::pairs;

/// The most work of the fixpoint over facts, in facts examined.
const FACT_BUDGET: usize = 500_000_000;

/// The result of a fixpoint: what may be reached.
#[derive(Clone, Debug)]
pub(crate) struct Reached {
    /// Facts that never hold, sorted.
    pub(crate) never: Vec<u32>,
    /// Whether `never` was computed.
    pub(crate) complete: bool,
    /// Pairs of facts of different variables, both possible, that never hold together; the smaller
    /// first, sorted. `None`: too much work, or too many. `never` doesn't rest on them then.
    pub(crate) exclusive: Option<Vec<(u32, u32)>>,
}

/// What cannot be reached from the starts, as far as pairs of facts show, or single facts where
/// pairs are too much work.
///
/// Both fixpoints are inductive: in a state all of whose facts (pairs of facts) were found
/// possible, a rule's new facts (pairs) are possible as well. That a fact never holds may follow
/// from the pairs alone, so who uses the one needs the other; who doesn't want the pairs asks for
/// [`reach_facts`].
pub(crate) fn reach(
    game: &Game,
    index: &FactIndex,
    starts: &[StartSet],
    admits: impl Fn(&CanonicalRule) -> bool,
    stop: &dyn Fn() -> bool,
) -> Reached {
    let shapes = Shapes::new(game, index, |_| true);
    let by_pairs = pairs::reach(&shapes, index, starts, stop);
    by_pairs.unwrap_or_else(|| reach_facts(game, index, starts, admits, stop))
}

/// What cannot be reached as far as single facts show, by the rules that `admits` says may apply.
/// What it goes by must be inductive itself.
pub(crate) fn reach_facts(
    game: &Game,
    index: &FactIndex,
    starts: &[StartSet],
    admits: impl Fn(&CanonicalRule) -> bool,
    stop: &dyn Fn() -> bool,
) -> Reached {
    let shapes = Shapes::new(game, index, admits);
    let possible = possible_facts(&shapes, index, starts, stop);
    let is_out = |fact: &u32| possible.as_ref().is_some_and(|p| !p[*fact as usize]);
    Reached {
        never: (0..index.n_facts() as u32).filter(is_out).collect(),
        complete: possible.is_some(),
        exclusive: None,
    }
}

/// Of more rules than this, shapes are made each time that they are asked for: they take many times
/// the room of the rules.
const MOST_SHAPES_KEPT: usize = 10_000;

/// The rules that may apply, in order, taken apart.
pub(crate) struct Shapes<'a> {
    index: &'a FactIndex,
    rules: Vec<&'a CanonicalRule>,
    /// All of them, or none where they are too many.
    kept: Vec<RuleShape>,
}

impl<'a> Shapes<'a> {
    /// The rules that `admits` says may apply.
    pub(crate) fn new(
        game: &'a Game,
        index: &'a FactIndex,
        admits: impl Fn(&CanonicalRule) -> bool,
    ) -> Self {
        let rules = game.rules().iter().map(|rule| &rule.canonical);
        let rules: Vec<&CanonicalRule> = rules.filter(|rule| admits(rule)).collect();
        let is_kept = rules.len() <= MOST_SHAPES_KEPT;
        let shapes = rules.iter().filter(|_| is_kept);
        Self {
            kept: shapes.map(|rule| RuleShape::of(rule, index)).collect(),
            rules,
            index,
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Cow<'_, RuleShape>> {
        let places = 0..self.rules.len();
        places.map(|place| match self.kept.get(place) {
            Some(shape) => Cow::Borrowed(shape),
            None => Cow::Owned(RuleShape::of(self.rules[place], self.index)),
        })
    }
}

/// Where a position's new value comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    /// The fact that a constant makes true.
    Fact(u32),
    /// An unknown, by its place in the rule's list.
    Unknown(usize),
}

/// A rule, taken apart for the fixpoints. Positions that hold an unknown of their own which moves
/// nowhere are left out.
#[derive(Clone, Debug)]
pub(crate) struct RuleShape {
    /// The facts that it tests.
    pub(crate) tested: Vec<u32>,
    /// The unknowns that move, are lost or stand at several positions, with the positions.
    pub(crate) unknowns: Vec<Vec<usize>>,
    /// The changed positions.
    pub(crate) changes: Vec<(usize, Source)>,
    /// The unchanged positions that hold a constant, as facts, or one of `unknowns`.
    pub(crate) kept: Vec<(usize, Source)>,
}

impl RuleShape {
    fn of(rule: &CanonicalRule, index: &FactIndex) -> Self {
        let (before, after) = (rule.preconditions(), rule.actions());
        let n = before.len();
        let mut uses = vec![0; n];
        for term in before.iter().chain(after) {
            if let Some(var) = term.as_variable() {
                uses[var.index()] += 1;
            }
        }
        // An unknown that occurs once on each side, at the same position, is of no concern.
        let untouched =
            |i: usize| before[i].is_own_variable(i) && after[i].is_own_variable(i) && uses[i] == 2;
        let mut number = vec![usize::MAX; n];
        let mut listed = unknowns(before);
        listed.retain(|members| !untouched(members[0]));
        for (place, members) in listed.iter().enumerate() {
            number[members[0]] = place;
        }
        let source = |i: usize| match after[i].kind() {
            TermKind::Constant(value) => Source::Fact(index.id(i, value)),
            TermKind::Variable(var) => Source::Unknown(number[var.index()]),
        };
        let tested = before.iter().enumerate();
        let (kept, changes): (Vec<usize>, Vec<usize>) = (0..n)
            .filter(|i| !untouched(*i))
            .partition(|i| before[*i] == after[*i]);
        let with_source =
            |positions: Vec<usize>| positions.into_iter().map(|i| (i, source(i))).collect();
        Self {
            tested: tested
                .filter_map(|(i, term)| Some(index.id(i, term.as_constant()?)))
                .collect(),
            changes: with_source(changes),
            kept: with_source(kept),
            unknowns: listed,
        }
    }
}

/// The facts that may hold; `None`: too much work, or `stop` said so.
fn possible_facts(
    rules: &Shapes<'_>,
    index: &FactIndex,
    starts: &[StartSet],
    stop: &dyn Fn() -> bool,
) -> Option<Vec<bool>> {
    let mut possible = vec![false; index.n_facts()];
    for start in starts {
        for (var, term) in start.pattern().iter().enumerate() {
            match term.kind() {
                TermKind::Constant(value) => possible[index.id(var, value) as usize] = true,
                TermKind::Variable(_) => {
                    for fact in index.of_var(var) {
                        possible[fact as usize] = true;
                    }
                }
            }
        }
    }
    let mut budget = FACT_BUDGET;
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (number, rule) in rules.iter().enumerate() {
            if number % RULES_BETWEEN_LOOKS == 0 && stop() {
                return None;
            }
            budget = budget.checked_sub(1 + rule.tested.len())?;
            if !rule.tested.iter().all(|fact| possible[*fact as usize]) {
                continue;
            }
            let mut values: Vec<Vec<u32>> = Vec::with_capacity(rule.unknowns.len());
            for members in &rule.unknowns {
                let size = index.domain_size(members[0]) as u32;
                budget = budget.checked_sub(size as usize * members.len())?;
                let everywhere = |value: &u32| {
                    let at = |var: &usize| possible[(index.of_var(*var).start + value) as usize];
                    members.iter().all(at)
                };
                values.push((0..size).filter(everywhere).collect());
            }
            if values.iter().any(Vec::is_empty) {
                continue;
            }
            for (var, source) in &rule.changes {
                let mut reach = |fact: u32| {
                    changed |= !std::mem::replace(&mut possible[fact as usize], true);
                };
                match source {
                    Source::Fact(fact) => reach(*fact),
                    Source::Unknown(unknown) => {
                        let first = index.of_var(*var).start;
                        values[*unknown]
                            .iter()
                            .for_each(|value| reach(first + value));
                    }
                }
            }
        }
    }
    Some(possible)
}

#[cfg(test)]
mod tests {
    use psvn_ir::State;
    use psvn_ir::testing::{GameShape, all_states, random_game};

    use super::*;

    /// Inductive: a state of possible facts leads to possible facts only. And pairs find at least
    /// as much as facts do.
    #[test]
    fn possible_facts_lead_to_possible_facts() {
        let mut n_out = 0;
        for seed in 0..300 {
            let shape = GameShape {
                n_rules: 1..=4,
                several_domains: seed % 2 == 0,
                ..GameShape::default()
            };
            let game = random_game(seed, &shape);
            let index = FactIndex::new(&game, usize::MAX).expect("a small game");
            let rules = Shapes::new(&game, &index, |_| true);
            let first = all_states(&game).next().expect("a state");
            let starts = [StartSet::from(&State::new(first.clone()))];
            let possible = possible_facts(&rules, &index, &starts, &|| false).expect("little work");
            let all_possible = |state: &[psvn_ir::Value]| {
                let mut facts = state.iter().enumerate();
                facts.all(|(var, value)| possible[index.id(var, *value) as usize])
            };
            assert!(all_possible(&first));
            for state in all_states(&game).filter(|state| all_possible(state)) {
                for rule in game.rules() {
                    if rule.canonical.applies_to(&state) {
                        assert!(all_possible(&rule.canonical.apply(&state)), "seed {seed}");
                    }
                }
            }
            let by_pairs = reach(&game, &index, &starts, |_| true, &|| false).never;
            let by_facts = (0..index.n_facts() as u32).filter(|fact| !possible[*fact as usize]);
            for fact in by_facts {
                assert!(by_pairs.contains(&fact), "seed {seed}");
                n_out += 1;
            }
        }
        assert!(n_out > 100, "{n_out}");
    }
}
