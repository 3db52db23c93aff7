//! The change of the number of true facts of a set by a rule, as linear equations.
//!
//! Let S be a set of facts, written as 0/1 weights. A rule that changes a position from the
//! constant b to the constant c removes one fact and adds one. An unknown that leaves some
//! positions and appears at others does so for every value that it may have. The rule keeps the
//! number of true facts of S, whatever the state, if
//! - the weights of the facts that its constants add and remove sum to 0, and
//! - for each unknown and each value of its domain, the weights of the facts "this position holds
//!   that value" over the positions that get it and those that lose it sum to 0.
//!
//! (It would be enough if all sums of the second kind were equal and canceled the first. Sets that
//! need this are not found.)

use std::collections::HashSet;
use std::sync::Arc;

use ahash::RandomState;
use psvn_ir::{CanonicalRule, DisjointSets, Game, TermKind, VarId};

use crate::RULES_BETWEEN_CHECKS;
use crate::conserved::fact_set::FactSet;
use crate::facts::FactIndex;

/// A sum of facts with coefficients that must be 0: sorted by fact, no coefficient 0.
pub(crate) type Equation = Vec<(u32, i32)>;

/// The positions that get a value and those that lose it, for one unknown of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Flow {
    pub(crate) to: Vec<u32>,
    pub(crate) from: Vec<u32>,
}

/// The changes of one rule.
#[derive(Clone, Debug)]
pub(crate) struct Effect {
    /// Facts about constants: added (1) and removed (-1).
    pub(crate) constants: Equation,
    /// The unknowns that move, appear or are lost. Shared, since the instances of a rule with
    /// unbound symbols have the same.
    pub(crate) flows: Arc<[Flow]>,
}

/// The changes of all rules. Equal flows are stored once.
#[derive(Default)]
pub(crate) struct Effects {
    flows: HashSet<Arc<[Flow]>, RandomState>,
}

impl Effects {
    pub(crate) fn of(&mut self, rule: &CanonicalRule, index: &FactIndex) -> Effect {
        let mut effect = Effect::of(rule, index);
        effect.constants.shrink_to_fit();
        match self.flows.get(&effect.flows) {
            Some(same) => effect.flows = Arc::clone(same),
            None => {
                self.flows.insert(Arc::clone(&effect.flows));
            }
        }
        effect
    }
}

impl Effect {
    pub(crate) fn of(rule: &CanonicalRule, index: &FactIndex) -> Self {
        let mut constants = Vec::new();
        let mut moves: Vec<(VarId, u32, bool)> = Vec::new();
        for (position, after) in rule.changes() {
            let i = position.index();
            for (term, sign) in [(rule.preconditions()[i], -1), (after, 1)] {
                match term.kind() {
                    TermKind::Constant(value) => constants.push((index.id(i, value), sign)),
                    TermKind::Variable(unknown) => moves.push((unknown, position.0, sign > 0)),
                }
            }
        }
        moves.sort_unstable();
        let flows = moves
            .chunk_by(|one, other| one.0 == other.0)
            .map(|chunk| {
                let side = |wanted: bool| {
                    chunk
                        .iter()
                        .filter(|(_, _, to)| *to == wanted)
                        .map(|(_, position, _)| *position)
                        .collect()
                };
                Flow {
                    to: side(true),
                    from: side(false),
                }
            })
            .collect();
        Self {
            constants: normalize(constants),
            flows,
        }
    }

    /// Whether the rule keeps the number of true facts of a set, in every state.
    pub(crate) fn balances(&self, set: &FactSet<'_>) -> bool {
        self.constants_in(set) == 0 && self.flows.iter().all(|flow| flow.balances(set))
    }

    /// The number of facts of a set that constants add, less those that they remove.
    pub(crate) fn constants_in(&self, set: &FactSet<'_>) -> i32 {
        let constants = self.constants.iter();
        let of_set = constants.filter(|(fact, _)| set.has(*fact));
        of_set.map(|(_, sign)| sign).sum()
    }
}

impl Flow {
    /// Whether for each value the set contains equally many facts of positions that get it and of
    /// positions that lose it.
    pub(crate) fn balances(&self, set: &FactSet<'_>) -> bool {
        match self.single() {
            Some((to, from)) => set.values(to).eq(set.values(from)),
            None => set.values_of_all(&self.to) == set.values_of_all(&self.from),
        }
    }

    /// The two positions, if a value only moves from one to another.
    pub(super) fn single(&self) -> Option<(u32, u32)> {
        match (self.to.as_slice(), self.from.as_slice()) {
            ([to], [from]) => Some((*to, *from)),
            _ => None,
        }
    }
}

/// Sort an equation by fact, add coefficients up, and drop zeros.
pub(crate) fn normalize(mut terms: Equation) -> Equation {
    terms.sort_unstable();
    let mut sum: Equation = Vec::with_capacity(terms.len());
    for (fact, coefficient) in terms {
        match sum.last_mut() {
            Some(last) if last.0 == fact => last.1 += coefficient,
            _ => sum.push((fact, coefficient)),
        }
    }
    sum.retain(|(_, coefficient)| *coefficient != 0);
    sum
}

/// The equations of all rules, each once, without those that others imply by joining two positions
/// that values are moved between; `None` if they have more than `limit` terms, or `stop` returns
/// true.
pub(crate) fn equations(
    game: &Game,
    index: &FactIndex,
    limit: usize,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<Equation>> {
    let mut seen: HashSet<Equation, RandomState> = HashSet::default();
    let mut seen_flows: HashSet<Flow, RandomState> = HashSet::default();
    // Positions whose facts are tied to each other, value by value.
    let mut tied = DisjointSets::new(game.n_variables());
    let mut found = Vec::new();
    let mut n_terms = 0;
    let mut add = |equation: Equation| {
        let equation = oriented(equation);
        n_terms += equation.len();
        if !equation.is_empty() && seen.insert(equation.clone()) {
            found.push(equation);
        }
        n_terms <= limit
    };
    for (number, rule) in game.rules().iter().enumerate() {
        if number % RULES_BETWEEN_CHECKS == 0 && stop() {
            return None;
        }
        let effect = Effect::of(&rule.canonical, index);
        if !add(effect.constants) {
            return None;
        }
        for flow in effect.flows.iter() {
            let is_new = match flow.single() {
                Some((to, from)) => tied.join(to as usize, from as usize),
                None => seen_flows.insert(flow.clone()),
            };
            if !is_new {
                continue;
            }
            let first = flow.to.iter().chain(&flow.from).copied().next();
            let size = first.map_or(0, |position| index.domain_size(position as usize));
            for value in 0..size as u32 {
                let at = |i: &u32| index.of_var(*i as usize).start + value;
                let brought = flow.to.iter().map(|i| (at(i), 1));
                let taken = flow.from.iter().map(|i| (at(i), -1));
                if !add(normalize(brought.chain(taken).collect())) {
                    return None;
                }
            }
        }
    }
    Some(found)
}

/// The equation or its negative, whichever begins with a positive coefficient.
pub(crate) fn oriented(mut equation: Equation) -> Equation {
    if equation.first().is_some_and(|(_, first)| *first < 0) {
        for term in &mut equation {
            term.1 = -term.1;
        }
    }
    equation
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ring of values that every rule turns by another number of places: as many rules as
    /// positions and values. The equations grow with the facts, not with the third power.
    #[test]
    fn moved_values_take_equations_in_the_number_of_facts() {
        for n in [5, 40] {
            let domain = vec![n.to_string(); n].join(" ");
            let mut text = format!("{n} {domain}\n");
            let side = |turn: usize| -> String {
                let values = (0..n).map(|i| format!("x{} ", (i + turn) % n));
                values.collect()
            };
            for turn in 1..n {
                text.push_str(&format!("{}=> {}\n", side(0), side(turn)));
            }
            let game = psvn_ir::load(&text).game.expect("a game without errors");
            let index = FactIndex::new(&game, usize::MAX).expect("a small game");
            let found = equations(&game, &index, usize::MAX, &|| false).expect("no limit");
            assert_eq!(found.len(), (n - 1) * n);
            // They suffice: each value is once in the ring.
            let sets = crate::find(&game);
            assert_eq!(sets.sets().len(), n);
            assert!(sets.sets().iter().all(|set| set.facts.len() == n));
        }
    }
}
