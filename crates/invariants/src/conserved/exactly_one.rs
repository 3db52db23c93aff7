//! Sets with exactly one true fact that keep it, although the number of their true facts is not
//! conserved in all states.
//!
//! Rules often leave out an implied test: a Hanoi rule that moves a disk from one peg to another
//! need not test that the disk isn't on the other peg already. In a state with the disk on both,
//! the rule would lose it. But if exactly one of the disk's facts holds, the test of one implies
//! that the others are false, and exactly one holds afterwards.

use psvn_ir::{CanonicalRule, DisjointSets};

use crate::conserved::balance::{Effect, Flow};
use crate::conserved::fact_set::FactSet;
use crate::facts::FactIndex;

/// Group the facts with one value between whose variables the rules move it, as constant or
/// unknown: these sets are worth checking.
pub(crate) fn candidates(index: &FactIndex, effects: &[Effect]) -> Vec<Vec<u32>> {
    let mut sets = DisjointSets::new(index.n_facts());
    for effect in effects {
        // Each removed value is joined only with its next place, since the class is the same.
        for (taken, _) in effect.constants.iter().filter(|(_, sign)| *sign < 0) {
            let value = index.fact(*taken).value;
            let size = index.domain_size(index.var(*taken));
            let brought = effect.constants.iter().filter(|(fact, sign)| {
                *sign > 0
                    && index.fact(*fact).value == value
                    && index.domain_size(index.var(*fact)) == size
            });
            for (fact, _) in brought {
                sets.join(*taken as usize, *fact as usize);
            }
        }
    }
    let mut classes: Vec<(u32, u32)> = (0..index.n_facts() as u32)
        .map(|fact| (sets.root(fact as usize) as u32, fact))
        .collect();
    classes.sort_unstable();
    classes
        .chunk_by(|one, other| one.0 == other.0)
        .filter(|class| class.len() > 1)
        .map(|class| class.iter().map(|(_, fact)| *fact).collect())
        .collect()
}

/// Whether a rule leads from a state in which exactly one fact of a set holds only to states of
/// that kind.
///
/// Sound, not complete: unknowns are considered one by one, and rules that test no fact of the set
/// must balance in every state.
pub(crate) fn keeps_one(
    rule: &CanonicalRule,
    effect: &Effect,
    index: &FactIndex,
    set: &FactSet<'_>,
) -> bool {
    let constants = rule.preconditions().iter().enumerate();
    let tested = constants
        .filter_map(|(i, term)| Some(index.id(i, term.as_constant()?)))
        .filter(|fact| set.has(*fact))
        .count();
    match tested {
        0 => effect.balances(set),
        1 => {
            // The tested fact is the set's one true fact, so an unknown makes no other one true.
            let mut after = 1 + effect.constants_in(set);
            for flow in effect.flows.iter() {
                match brought(flow, set) {
                    Brought::Impossible => return true,
                    Brought::Varying => return false,
                    Brought::Always(number) => after += number as i32,
                }
            }
            after == 1
        }
        // The rule applies in no such state.
        _ => true,
    }
}

/// The number of facts of a set that an unknown makes true, if it makes none false.
enum Brought {
    /// It always makes one false.
    Impossible,
    /// The number depends on its value.
    Varying,
    Always(usize),
}

fn brought(flow: &Flow, set: &FactSet<'_>) -> Brought {
    let first = flow.to.iter().chain(&flow.from).next();
    let mut taken = set.values_of_all(&flow.from);
    taken.dedup();
    let n_values = first.map_or(0, |var| set.domain_size(*var)) - taken.len();
    let mut gained = set.values_of_all(&flow.to);
    gained.retain(|value| taken.binary_search(value).is_err());
    let mut by_value = gained.chunk_by(|one, other| one == other).map(<[u32]>::len);
    match by_value.next() {
        _ if n_values == 0 => Brought::Impossible,
        None => Brought::Always(0),
        Some(number) => {
            let n_alike = 1 + by_value.filter(|other| *other == number).count();
            if n_alike == n_values {
                Brought::Always(number)
            } else {
                Brought::Varying
            }
        }
    }
}
