//! The transitions between values of a variable, whatever the other variables do.

use std::collections::BTreeMap;

use psvn_ir::{Game, VarId};

use crate::game::ground::{Fact, Move};

/// For each variable, the transitions between values by moves.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    sizes: Vec<u32>,
    /// By value reached, the values one move before.
    before: BTreeMap<Fact, Vec<u32>>,
}

impl Reach {
    pub(crate) fn new(game: &Game, moves: &[Vec<Move>; 2]) -> Self {
        let mut before: BTreeMap<Fact, Vec<u32>> = BTreeMap::new();
        for (var, old, new) in moves.iter().flatten().flat_map(|a| &a.changes) {
            let before = before.entry((*var, *new)).or_default();
            if !before.contains(old) {
                before.push(*old);
            }
        }
        let sizes = (0..game.n_variables())
            .map(|i| game.domain_of(VarId::from_index(i)).size() as u32)
            .collect();
        Self { sizes, before }
    }

    /// Return the values from which a variable can no longer reach a value.
    pub(crate) fn lost(&self, (var, value): Fact) -> Vec<u32> {
        let mut may = vec![false; self.sizes[var as usize] as usize];
        let mut open = vec![value];
        may[value as usize] = true;
        while let Some(next) = open.pop() {
            for old in self.before.get(&(var, next)).into_iter().flatten() {
                if !std::mem::replace(&mut may[*old as usize], true) {
                    open.push(*old);
                }
            }
        }
        (0..)
            .zip(may)
            .filter(|(_, may)| !may)
            .map(|(old, _)| old)
            .collect()
    }
}
