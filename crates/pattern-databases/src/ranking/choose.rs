//! The choice of a ranking for a game: the most compact one that is proved.

use std::collections::{BTreeMap, HashSet};

use abstraction::AbstractGame;
use invariants::{Fact, Invariants};
use psvn_ir::{Game, Value, VarId};

use crate::progress::BuildError;
use crate::ranking::digits::{Digit, OneOf};
use crate::ranking::oriented_pieces::OrientedPieces;
use crate::ranking::partial_permutation::PartialPermutation;
use crate::ranking::{Factor, Ranking};

/// Choose the most compact ranking for the abstract states that are images of states with these
/// invariants of the concrete game. Abstract values for which `is_last` holds are ranked last where
/// values have places. With `kept`, only the pieces at these variables of the concrete goal are
/// distinguished.
///
/// # Errors
/// If some pieces must be kept, and the abstract game has no pieces.
pub(crate) fn choose(
    game: &Game,
    abstract_game: &AbstractGame,
    invariants: &Invariants,
    kept: Option<&[bool]>,
    is_last: &dyn Fn(VarId, u32) -> bool,
) -> Result<Ranking, BuildError> {
    let chooser = Chooser {
        game,
        abstract_game,
        invariants,
        position: positions(game, abstract_game),
        never: invariants.unreachable_facts().collect(),
    };
    if let Some(kept) = kept {
        let kept: Vec<bool> = abstract_game
            .variables()
            .iter()
            .map(|var| kept[var.index()])
            .collect();
        let blocks = OrientedPieces::find(abstract_game.game(), Some(&kept));
        let blocks: Vec<Factor> = blocks.into_iter().map(Factor::OrientedPieces).collect();
        let n_ranked: usize = blocks.iter().map(|factor| factor.vars().len()).sum();
        // A rank by values would distinguish pieces that are not kept.
        return (n_ranked == kept.len())
            .then(|| Ranking::new(kept.len(), blocks))
            .ok_or(BuildError::NoPieces);
    }
    let plain = chooser.ranking(Vec::new(), is_last);
    let blocks = OrientedPieces::find(abstract_game.game(), None);
    if blocks.is_empty() {
        return Ok(plain);
    }
    let blocks = blocks.into_iter().map(Factor::OrientedPieces).collect();
    let blocks = chooser.ranking(blocks, is_last);
    if blocks.size() < plain.size() {
        Ok(blocks)
    } else {
        Ok(plain)
    }
}

fn positions(game: &Game, abstract_game: &AbstractGame) -> Vec<Option<usize>> {
    let mut position = vec![None; game.n_variables()];
    for (i, var) in abstract_game.variables().iter().enumerate() {
        position[var.index()] = Some(i);
    }
    position
}

struct Chooser<'a> {
    game: &'a Game,
    abstract_game: &'a AbstractGame,
    invariants: &'a Invariants,
    /// By concrete variable: the abstract one.
    position: Vec<Option<usize>>,
    never: HashSet<Fact>,
}

impl Chooser<'_> {
    fn ranking(&self, mut factors: Vec<Factor>, is_last: &dyn Fn(VarId, u32) -> bool) -> Ranking {
        let n = self.abstract_game.game().n_variables();
        let mut covered = vec![false; n];
        for factor in &factors {
            factor
                .vars()
                .iter()
                .for_each(|var| covered[*var as usize] = true);
        }
        let mut candidates = self.places(is_last);
        candidates.extend(self.groups());
        // The factor that covers most variables goes first.
        candidates.sort_by_key(|factor| std::cmp::Reverse(factor.vars().len()));
        for factor in candidates {
            let vars = factor.vars();
            if vars.len() > 1 && vars.iter().all(|var| !covered[*var as usize]) {
                vars.iter().for_each(|var| covered[*var as usize] = true);
                factors.push(factor);
            }
        }
        for var in (0..n).filter(|var| !covered[*var]) {
            factors.push(Factor::Digit(Digit::new(var as u32, self.possible(var))));
        }
        factors.sort_by_key(|factor| factor.vars().into_iter().min());
        Ranking::new(n, factors)
    }

    /// Return the abstract values of an abstract variable that have a reachable concrete value.
    fn possible(&self, var: usize) -> Vec<u32> {
        let images = self.abstract_game.values(VarId::from_index(var));
        let concrete = self.abstract_game.variables()[var];
        let mut values: Vec<u32> = (0..images.len())
            .map(Value::from_index)
            .filter(|value| {
                !self.never.contains(&Fact {
                    var: concrete,
                    value: *value,
                })
            })
            .map(|value| images[value.index()].0)
            .collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    /// Find sets of variables for which it is known how often each abstract value occurs among
    /// them.
    fn places(&self, is_last: &dyn Fn(VarId, u32) -> bool) -> Vec<Factor> {
        // By variables: how often each concrete value occurs there.
        let mut known: BTreeMap<Vec<VarId>, Vec<(Value, usize)>> = BTreeMap::new();
        for count in self.invariants.counts() {
            let value = count.facts[0].value;
            if count.facts.iter().all(|fact| fact.value == value) {
                let vars = count.facts.iter().map(|fact| fact.var).collect();
                let entry: &mut Vec<_> = known.entry(vars).or_default();
                entry.push((value, count.number as usize));
            }
        }
        known
            .iter()
            .filter_map(|(vars, counts)| self.places_of(vars, counts, is_last))
            .collect()
    }

    fn places_of(
        &self,
        vars: &[VarId],
        counts: &[(Value, usize)],
        is_last: &dyn Fn(VarId, u32) -> bool,
    ) -> Option<Factor> {
        let domain = self.game.variables()[vars[0].index()];
        let same = |var: &VarId| self.game.variables()[var.index()] == domain;
        if !vars.iter().all(same) {
            return None;
        }
        let positions: Vec<u32> = vars
            .iter()
            .map(|var| self.position[var.index()].map(|i| i as u32))
            .collect::<Option<_>>()?;
        let first = VarId(positions[0]);
        let images = self.abstract_game.values(first);
        let size = images.iter().map(|image| image.index() + 1).max()?;
        let mut number: Vec<Option<usize>> = vec![Some(0); size];
        for (value, image) in images.iter().enumerate() {
            let value = Value::from_index(value);
            let given = counts.iter().find(|(it, _)| *it == value);
            let never = || {
                vars.iter()
                    .all(|var| self.never.contains(&Fact { var: *var, value }))
            };
            let known = given.map(|(_, n)| *n).or_else(|| never().then_some(0));
            let sum = &mut number[image.index()];
            *sum = sum.zip(known).map(|(sum, n)| sum + n);
        }
        let total: usize = number.iter().flatten().sum();
        let mut unknown = number.iter_mut().filter(|n| n.is_none());
        if let Some(rest) = unknown.next() {
            *rest = Some(vars.len().checked_sub(total)?);
        }
        if unknown.next().is_some() {
            return None;
        }
        let number: Vec<usize> = number.into_iter().flatten().collect();
        let last: Vec<bool> = (0..size)
            .map(|value| is_last(first, value as u32))
            .collect();
        PartialPermutation::new(positions, &number, &last).map(Factor::PartialPermutation)
    }

    /// Find groups of variables with two values of which one is on.
    fn groups(&self) -> Vec<Factor> {
        let one = self.invariants.counts().filter(|count| count.number == 1);
        one.filter_map(|count| {
            let mut facts = Vec::new();
            let mut dropped = false;
            for fact in &count.facts {
                let Some(position) = self.position[fact.var.index()] else {
                    dropped = true;
                    continue;
                };
                let var = VarId::from_index(position);
                let images = self.abstract_game.values(var);
                let on = images[fact.value.index()];
                let merged = images.iter().filter(|image| **image == on).count() > 1;
                let size = images.iter().map(|image| image.index() + 1).max();
                let twice = facts.iter().any(|(other, _)| *other == var.0);
                if merged || size != Some(2) || twice {
                    return None;
                }
                facts.push((var.0, on.0));
            }
            (!facts.is_empty()).then_some(Factor::OneOf(OneOf {
                facts,
                or_none: dropped,
            }))
        })
        .collect()
    }
}
