//! Facts that never hold, by a fixpoint over single facts; and code shared by both fixpoints.

use psvn_ir::{CanonicalRule, Game, TermKind};

use crate::RULES_BETWEEN_CHECKS;
use crate::facts::FactIndex;
use crate::reach::pairs;
use crate::reach::shapes::{Reached, Shapes, Source};
use crate::start_set::StartSet;

/// The most work of the fixpoint over facts, in facts examined.
const FACT_BUDGET: usize = 500_000_000;

/// Find what can't be reached from the starts, by pairs of facts, or by single facts if pairs are
/// too much work.
///
/// Both fixpoints are inductive: in a state all of whose facts (pairs of facts) are possible, a
/// rule's new facts (pairs) are possible as well. The proof that a fact never holds may depend on
/// the pairs, so the facts are valid only together with the pairs. Callers that don't keep the
/// pairs use [`reach_facts`].
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

/// Find what can't be reached as far as single facts show, by the rules that `admits` accepts. The
/// basis of `admits` must itself be inductive.
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

/// The facts that may hold; `None` if it takes too much work, or `stop` returns true.
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
            if number % RULES_BETWEEN_CHECKS == 0 && stop() {
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
