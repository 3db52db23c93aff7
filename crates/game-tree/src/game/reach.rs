//! Which values of a variable lead to which, whatever the others do.

use std::collections::BTreeMap;

use psvn_ir::{Game, VarId};

use crate::game::ground::{Fact, Move};

/// For each variable, from which values moves lead to which.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    sizes: Vec<u32>,
    /// By what is reached, the values one move before.
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

    /// The values from which a variable can't come to a value any more.
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
