//! Mutex groups: declared, and proved before they are trusted.
//!
//! A set of pairs of facts is *inductive* if none of them holds in the initial state, and no
//! operator makes one true in a state in which none holds. All pairs of all groups are tested
//! together. If an operator may make a pair true, its group is rejected, and the others are tested
//! again, since they may have depended on it.

use std::collections::HashSet;

use psvn_ir::LoadStop;

use super::task::{Fact, MutexGroup, Operator, Task};
use crate::meter::Meter;

/// The most pairs of facts that are tried.
const MOST_PAIRS: usize = 4_000_000;

/// The memory that has to be allowed for each pair: several times what the pair takes, since the
/// game needs memory, too.
const BYTES_OF_PAIR: usize = 512;

/// The verdict on a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judgment {
    /// At most one of its facts holds in each state that can be reached.
    Proved,
    /// Two of its facts hold in the initial state.
    BrokenAtStart(Fact, Fact),
    /// This operator may make two of its facts true.
    BrokenBy(usize, Fact, Fact),
    /// It wasn't tried: it has derived facts.
    Derived,
    /// It wasn't tried: there are too many pairs.
    TooLarge,
}

fn pair(a: Fact, b: Fact) -> (Fact, Fact) {
    (a.min(b), a.max(b))
}

/// The pairs of a group; those of one variable exclude each other anyway.
fn pairs(group: &MutexGroup) -> impl Iterator<Item = (Fact, Fact)> {
    group.facts.iter().enumerate().flat_map(|(i, a)| {
        let behind = group.facts[i + 1..].iter();
        behind
            .filter(|b| b.variable != a.variable)
            .map(|b| pair(*a, *b))
    })
}

/// Judge the mutex groups of a task.
pub(super) fn judge(task: &Task, meter: &Meter<'_>) -> Result<Vec<Judgment>, LoadStop> {
    let most_pairs = MOST_PAIRS.min(meter.limits().memory / BYTES_OF_PAIR);
    let is_derived = |group: &MutexGroup| {
        group
            .facts
            .iter()
            .any(|fact| task.is_derived(fact.variable))
    };
    let mut n_pairs = 0_usize;
    let start_of = |group: &MutexGroup| {
        if is_derived(group) {
            return Judgment::Derived;
        }
        let n = group.facts.len();
        n_pairs = n_pairs.saturating_add(n.saturating_mul(n) / 2);
        if n_pairs > most_pairs {
            return Judgment::TooLarge;
        }
        let holds = |fact: &Fact| task.state[fact.variable] == fact.value;
        let broken = pairs(group).find(|(a, b)| holds(a) && holds(b));
        broken.map_or(Judgment::Proved, |(a, b)| Judgment::BrokenAtStart(a, b))
    };
    let mut judgments: Vec<Judgment> = task.mutexes.iter().map(start_of).collect();
    loop {
        let kept = task.mutexes.iter().zip(&judgments);
        let kept = kept.filter(|(_, judgment)| **judgment == Judgment::Proved);
        let known: HashSet<(Fact, Fact)> = kept.flat_map(|(group, _)| pairs(group)).collect();
        let mut gave_up = false;
        for (group, judgment) in task.mutexes.iter().zip(&mut judgments) {
            if *judgment != Judgment::Proved {
                continue;
            }
            let facts: HashSet<Fact> = group.facts.iter().copied().collect();
            for (index, operator) in task.operators.iter().enumerate() {
                meter.work(operator.prevail.len() + operator.effects.len())?;
                if let Some((a, b)) = breaks(operator, &facts, &group.facts, &known) {
                    *judgment = Judgment::BrokenBy(index, a, b);
                    gave_up = true;
                    break;
                }
            }
        }
        if !gave_up {
            return Ok(judgments);
        }
    }
}

/// Two facts of the group that the operator may make true together, from a state in which no known
/// pair holds.
fn breaks(
    operator: &Operator,
    facts: &HashSet<Fact>,
    group: &[Fact],
    known: &HashSet<(Fact, Fact)>,
) -> Option<(Fact, Fact)> {
    let exclude = |a: Fact, b: Fact| {
        if a.variable == b.variable {
            a.value != b.value
        } else {
            known.contains(&pair(a, b))
        }
    };
    let added: Vec<(Fact, &[Fact])> = operator
        .effects
        .iter()
        .map(|effect| {
            let fact = Fact {
                variable: effect.variable,
                value: effect.after,
            };
            (fact, effect.conditions.as_slice())
        })
        .filter(|(fact, _)| facts.contains(fact))
        .collect();
    if added.is_empty() {
        return None;
    }
    let before = operator.effects.iter().filter_map(|effect| {
        let variable = effect.variable;
        effect.before.map(|value| Fact { variable, value })
    });
    let demands: Vec<Fact> = operator.prevail.iter().copied().chain(before).collect();
    let contradict = |conditions: &[Fact]| {
        conditions
            .iter()
            .enumerate()
            .any(|(i, a)| conditions[i + 1..].iter().any(|b| exclude(*a, *b)))
    };
    if contradict(&demands) {
        return None;
    }
    for (place, (fact, conditions)) in added.iter().enumerate() {
        let together: Vec<Fact> = demands.iter().chain(*conditions).copied().collect();
        // Two facts that are both written.
        for (other, others) in &added[place + 1..] {
            let all: Vec<Fact> = together.iter().chain(*others).copied().collect();
            if fact.variable != other.variable && !contradict(&all) {
                return Some((*fact, *other));
            }
        }
        // One that is written, and one that holds before and remains.
        for stays in group.iter().filter(|stays| stays.variable != fact.variable) {
            // An effect without conditions overwrites the old value.
            let is_overwritten = operator.effects.iter().any(|effect| {
                effect.variable == stays.variable
                    && effect.after != stays.value
                    && effect.conditions.is_empty()
            });
            let is_excluded = together.iter().any(|demand| exclude(*demand, *stays));
            if !is_overwritten && !is_excluded && !contradict(&together) {
                return Some((*fact, *stays));
            }
        }
    }
    None
}
