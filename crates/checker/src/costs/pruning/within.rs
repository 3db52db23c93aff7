//! Invariants: sums of weights that no rule changes in the states that have all of them, and what
//! they imply for values that are not known.

use crate::costs::estimates::abstraction::split;
use crate::costs::flaw::{CostProblem, Fault};
use crate::costs::pruning::redundancy::Value;
use crate::costs::setting::moves::{Move, Source, Test};
use crate::costs::setting::prepared::Prepared;
use crate::costs::shared::{Line, for_all};
use crate::costs::sums::{Change, Weights, bounds, weigh, weight};
use crate::limits::Limits;

/// A check stops where the unknowns of a word have more values together than this.
const MOST_VALUES: usize = 1 << 24;

/// The weights of all variables' values add up to `sum`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Invariant {
    pub(crate) sum: u64,
    pub(crate) weights: Weights,
}

/// Check that no rule leads out of the states with the invariants.
pub(crate) fn check_kept(
    game: &Prepared<'_>,
    invariants: &[Line<Invariant>],
    limits: &Limits,
) -> Result<(), Fault> {
    let n_rules = game.moves.len();
    for_all(invariants.len() * n_rules, limits, |index, _| {
        let (invariant, rule) = (&invariants[index / n_rules], index % n_rules);
        let it = &game.moves[rule];
        let mut touched: Vec<usize> = Vec::new();
        for (position, source) in it.sources.iter().enumerate() {
            match *source {
                Source::Keep => {}
                Source::Put(_) => touched.push(position),
                Source::From(other) => touched.extend([position, other]),
            }
        }
        touched.sort_unstable();
        touched.dedup();
        let keeping = Keeping {
            domains: game.domains,
            invariants,
            weights: &invariant.item.weights,
            limits,
        };
        if keeping.is_kept_by(it, &touched)? {
            return Ok(());
        }
        Err(CostProblem::SumChanges { rule }.at(invariant.line))
    })
}

/// Check that the start has the invariants.
pub(crate) fn check_start(
    game: &Prepared<'_>,
    invariants: &[Line<Invariant>],
) -> Result<(), Fault> {
    let differs = |it: &&Line<Invariant>| weigh(&it.item.weights, game.start) != it.item.sum;
    match invariants.iter().find(differs) {
        Some(invariant) => Err(CostProblem::StartOutside.at(invariant.line)),
        None => Ok(()),
    }
}

/// The question whether moves keep a sum in states with the invariants.
struct Keeping<'c> {
    domains: &'c [u32],
    invariants: &'c [Line<Invariant>],
    weights: &'c Weights,
    limits: &'c Limits,
}

impl Keeping<'_> {
    /// Whether a move keeps the sum. It is split by the values of the variables that it changes or
    /// copies, as far as needed.
    fn is_kept_by(&self, it: &Move, touched: &[usize]) -> Result<bool, Fault> {
        self.limits.check()?;
        let change = Change::of(self.weights, self.domains, it);
        if change.is_none_or(|change| change.is_none(0))
            || is_ruled_out(self.invariants, self.domains, &it.tests)
        {
            return Ok(true);
        }
        let Some((&variable, others)) = touched.split_first() else {
            return Ok(false);
        };
        for (_, part) in split(it, variable, self.domains[variable]) {
            if !self.is_kept_by(&part, others)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Whether no state with the invariants passes the tests.
pub(crate) fn is_ruled_out(
    invariants: &[Line<Invariant>],
    domains: &[u32],
    tests: &[Test],
) -> bool {
    invariants.iter().any(|it| {
        let (least, greatest) = bounds(&it.item.weights, domains, tests);
        it.item.sum < least || greatest < it.item.sum
    })
}

/// Put values for the unknowns of a state for which the invariants leave one value.
///
/// Values are ruled out that no state with the invariants has beside the other possible values,
/// until nothing changes. The verified checker takes all values away in the same rounds, so that
/// both end with the same ones.
pub(crate) fn close(
    invariants: &[Line<Invariant>],
    domains: &[u32],
    state: &[Value],
) -> Result<Vec<Value>, CostProblem> {
    let n = domains.len();
    let size = domains.iter().copied().max().unwrap_or(0);
    if invariants.is_empty() && size > 1 {
        return Ok(state.to_vec());
    }
    if n.saturating_mul(size as usize) > MOST_VALUES {
        return Err(CostProblem::TooManyCases { most: MOST_VALUES });
    }
    let mut closing = Closing {
        state,
        positions: vec![Vec::new(); n],
        room: vec![Vec::new(); n],
    };
    for (position, value) in state.iter().enumerate() {
        if let Value::Unknown(unknown) = *value {
            closing.positions[unknown].push(position);
            closing.room[unknown] = (0..size).collect();
        }
    }
    for _ in 0..n * n {
        let room = closing.shrunk(invariants);
        if room == closing.room {
            break;
        }
        closing.room = room;
    }
    let closed = |value: &Value| match *value {
        Value::Unknown(unknown) => match closing.room[unknown][..] {
            [only] => Value::Known(only),
            _ => *value,
        },
        known => known,
    };
    Ok(state.iter().map(closed).collect())
}

/// The values that the unknowns of a state may have.
struct Closing<'c> {
    state: &'c [Value],
    /// For each unknown the positions that have it.
    positions: Vec<Vec<usize>>,
    /// For each unknown its possible values.
    room: Vec<Vec<u32>>,
}

impl Closing<'_> {
    /// The values that are possible for each unknown beside those of the others.
    fn shrunk(&self, invariants: &[Line<Invariant>]) -> Vec<Vec<u32>> {
        let mut room = self.room.clone();
        for Line { item, .. } in invariants {
            let bounds: Vec<(u64, u64)> = (0..self.state.len())
                .map(|position| self.bounds_at(position, &item.weights[position]))
                .collect();
            let sum = |positions: &mut dyn Iterator<Item = usize>| {
                let bounds = positions.map(|position| bounds[position]);
                bounds.fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1))
            };
            let all = sum(&mut (0..self.state.len()));
            for (positions, values) in self.positions.iter().zip(&mut room) {
                let own = sum(&mut positions.iter().copied());
                values.retain(|value| {
                    let weights = positions
                        .iter()
                        .map(|at| weight(&item.weights[*at], *value));
                    let with: u64 = weights.map(u64::from).sum();
                    all.0 - own.0 + with <= item.sum && item.sum <= all.1 - own.1 + with
                });
            }
        }
        room
    }

    /// The least and the greatest weight that a position may have; 0 if there are no values left.
    fn bounds_at(&self, position: usize, weights: &[u32]) -> (u64, u64) {
        let room = match &self.state[position] {
            Value::Known(value) => std::slice::from_ref(value),
            Value::Unknown(unknown) => &self.room[*unknown],
        };
        let all = room.iter().map(|value| u64::from(weight(weights, *value)));
        let least = all.clone().min().unwrap_or(0);
        (least, all.max().unwrap_or(0))
    }
}
