//! Sums of weights: each value of each variable has a weight, and a state has the sum of those of
//! its values.

use std::collections::HashSet;

use crate::costs::flaw::{CostProblem, Fault};
use crate::costs::setting::moves::{Move, Source, Test};
use crate::costs::setting::prepared::Prepared;
use crate::limits::Limits;

/// For each variable the weights of its values. Those that are left out are 0.
pub(crate) type Weights = Vec<Vec<u32>>;

/// A check stops where the goal states have more different sums than this.
const MOST_SUMS: usize = 1 << 24;

pub(crate) fn weight(weights: &[u32], value: u32) -> u32 {
    weights.get(value as usize).copied().unwrap_or(0)
}

/// The sum of a state.
pub(crate) fn weigh(weights: &Weights, state: &[u32]) -> u64 {
    let pairs = weights.iter().zip(state);
    pairs
        .map(|(list, value)| u64::from(weight(list, *value)))
        .sum()
}

/// The weights of the values that pass a test. (A test for the same value as elsewhere is taken for
/// one that all values pass.)
fn weights_of(list: &[u32], size: u32, test: Test) -> impl Iterator<Item = u32> {
    let (listed, other) = match test {
        Test::Is(value) => (&[][..], Some(weight(list, value))),
        Test::Any | Test::Same(_) => {
            let n_listed = list.len().min(size as usize);
            let has_others = n_listed < size as usize;
            (&list[..n_listed], has_others.then_some(0))
        }
    };
    listed.iter().copied().chain(other)
}

/// Bounds of the sums of states that pass tests, each variable by itself.
pub(crate) fn bounds(weights: &Weights, domains: &[u32], tests: &[Test]) -> (u64, u64) {
    let variables = weights.iter().zip(domains).zip(tests);
    let extremes = variables.map(|((list, size), test)| {
        let least = weights_of(list, *size, *test).min().unwrap_or(0);
        let greatest = weights_of(list, *size, *test).max().unwrap_or(0);
        (u64::from(least), u64::from(greatest))
    });
    extremes.fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1))
}

/// What a move adds to a sum: a number, and for some variables one that depends on the value that
/// the variable has before. The variables are independent of each other.
pub(crate) struct Change {
    fixed: i64,
    by_variable: Vec<Vec<i64>>,
}

impl Change {
    /// The change by a move; `None` if it tests for a value that a domain doesn't have.
    pub(crate) fn of(weights: &Weights, domains: &[u32], it: &Move) -> Option<Self> {
        let mut change = Self {
            fixed: 0,
            by_variable: Vec::new(),
        };
        // The lists whose weights come for the value of a variable.
        let mut gained: Vec<Vec<&[u32]>> = vec![Vec::new(); domains.len()];
        for (list, source) in weights.iter().zip(&it.sources) {
            match *source {
                Source::Keep => {}
                Source::Put(value) => change.fixed += i64::from(weight(list, value)),
                Source::From(other) => gained[other].push(list),
            }
        }
        for (variable, gained) in gained.iter().enumerate() {
            let is_lost = it.sources[variable] != Source::Keep;
            if !is_lost && gained.is_empty() {
                continue;
            }
            let lost = is_lost.then_some(&weights[variable][..]);
            let by_value = |value| {
                let sum = |lists: &mut dyn Iterator<Item = &[u32]>| -> i64 {
                    lists.map(|list| i64::from(weight(list, value))).sum()
                };
                sum(&mut gained.iter().copied()) - sum(&mut lost.into_iter())
            };
            match it.tests[variable] {
                Test::Is(value) if value >= domains[variable] => return None,
                Test::Is(value) => change.fixed += by_value(value),
                Test::Any | Test::Same(_) => {
                    // One value stands for all that no list has.
                    let lengths = gained.iter().copied().chain(lost).map(<[u32]>::len);
                    let n_listed = lengths.max().unwrap_or(0) as u32;
                    let values = 0..domains[variable].min(n_listed + 1);
                    change.by_variable.push(values.map(by_value).collect());
                }
            }
        }
        Some(change)
    }

    /// How much the sum can fall; below 0 if it always rises.
    pub(crate) fn greatest_fall(&self) -> i64 {
        let least = self.by_variable.iter().filter_map(|it| it.iter().min());
        -(self.fixed + least.sum::<i64>())
    }

    /// Whether the sum always stays the same modulo a number, or exactly if that is 0.
    pub(crate) fn is_none(&self, modulus: u64) -> bool {
        let is_zero = |number: i64| match modulus {
            0 => number == 0,
            modulus => number.unsigned_abs().is_multiple_of(modulus),
        };
        let firsts = self.by_variable.iter().map(|it| it[0]);
        let mut differences = self
            .by_variable
            .iter()
            .flat_map(|it| it.iter().map(|number| number - it[0]));
        is_zero(self.fixed + firsts.sum::<i64>()) && differences.all(is_zero)
    }
}

/// Check that there is no plan: no rule changes a sum, and no goal has that of the start, modulo a
/// number, or exactly if that is 0.
pub(crate) fn check_sums(
    game: &Prepared<'_>,
    modulus: u64,
    weights: &Weights,
    limits: &Limits,
) -> Result<(), Fault> {
    for (rule, it) in game.moves.iter().enumerate() {
        let change = Change::of(weights, game.domains, it);
        if change.is_some_and(|change| !change.is_none(modulus)) {
            return Err(CostProblem::SumChanges { rule }.into());
        }
    }
    let reduced = |sum: u64| if modulus == 0 { sum } else { sum % modulus };
    let start = reduced(weigh(weights, game.start));
    for tests in game.goals.iter() {
        let mut sums: HashSet<u64> = HashSet::from([0]);
        for ((list, size), test) in weights.iter().zip(game.domains).zip(tests) {
            limits.check()?;
            let parts: HashSet<u32> = weights_of(list, *size, *test).collect();
            let pairs = parts
                .iter()
                .flat_map(|part| sums.iter().map(move |sum| (*part, *sum)));
            sums = pairs
                .map(|(part, sum)| reduced(sum + u64::from(part)))
                .collect();
            if sums.len() > MOST_SUMS {
                return Err(CostProblem::TooManyCases { most: MOST_SUMS }.into());
            }
        }
        if sums.contains(&start) {
            return Err(CostProblem::SumOfGoal.into());
        }
    }
    Ok(())
}
