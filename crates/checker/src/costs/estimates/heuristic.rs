//! Heuristics from tables of abstract games, proved entry by entry.
//!
//! A table has an estimate for each listed abstract state, and 0 for the others. Each rule is
//! charged to it at a cost of its own. No abstract move may lower the estimate by more than that,
//! and goals must have 0.
//!
//! The tables of a group are added, so all together may charge at most a rule's cost. The charges
//! of a rule may depend on the value of one variable, its payer: in a sliding puzzle the tile that
//! moves. Of several groups and potentials the greatest counts.

use std::collections::BTreeSet;
use std::ops::Range;

use ahash::RandomState;
use hashbrown::HashTable;

use crate::costs::entries::Entries;
use crate::costs::estimates::abstraction::{Maps, abstract_moves, abstract_tests, split};
use crate::costs::estimates::potential::Potential;
use crate::costs::estimates::table::{ImageKeys, Packing, Table};
use crate::costs::flaw::{CostProblem, Fault};
use crate::costs::setting::dispatch::Dispatch;
use crate::costs::setting::moves::{Move, passes};
use crate::costs::setting::prepared::Prepared;
use crate::costs::shared::{Scratch, for_all};
use crate::limits::Limits;

/// What a heuristic is the greatest of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Evidence {
    pub(crate) groups: Vec<Group>,
    pub(crate) potentials: Vec<Potential>,
}

impl Evidence {
    /// The number of entries of all tables.
    pub(crate) fn n_entries(&self) -> usize {
        let patterns = self.groups.iter().flat_map(|group| &group.patterns);
        patterns.map(|it| it.estimates.len()).sum()
    }
}

/// A table as the certificate gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub(crate) maps: Maps,
    /// For each rule its charge for each value of its payer. The last one also stands for greater
    /// values.
    pub(crate) charges: Vec<Vec<u64>>,
    pub(crate) estimates: Entries,
}

/// Tables that are added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) line: usize,
    /// The variable on whose value the charges of each rule depend. Rules at the end may have none.
    pub(crate) payers: Vec<Option<usize>>,
    pub(crate) patterns: Vec<Pattern>,
}

/// A heuristic that is proved consistent.
pub(crate) struct ProvedHeuristic<'c> {
    pub(crate) tables: Vec<ProvedTable<'c>>,
    /// The tables of each group.
    groups: Vec<Range<usize>>,
    pub(crate) potentials: &'c [Potential],
}

/// A table whose estimates no rule lowers by more than the table charges for it.
pub(crate) struct ProvedTable<'c> {
    pub(crate) images: ImageKeys,
    table: Table<'c>,
    /// The entries, by their keys.
    index: HashTable<Slot>,
    hash: RandomState,
}

/// An entry in the index. Most keys have one word, so that nothing else is read.
struct Slot {
    first_word: u64,
    entry: u32,
    estimate: u32,
}

impl<'c> ProvedHeuristic<'c> {
    pub(crate) fn prove(
        game: &Prepared<'_>,
        evidence: &'c Evidence,
        packing: Packing,
        limits: &Limits,
    ) -> Result<Self, Fault> {
        let (mut tables, mut groups) = (Vec::new(), Vec::new());
        for group in &evidence.groups {
            check_charges(game, group)?;
            for pattern in &group.patterns {
                let table = Table::new(&pattern.estimates, packing);
                check_pattern(game, &group.payers, pattern, &table, limits)?;
                let images = ImageKeys::new(&pattern.maps, packing);
                tables.push(ProvedTable::new(images, table));
            }
            groups.push(tables.len() - group.patterns.len()..tables.len());
        }
        for potential in &evidence.potentials {
            potential.check(game)?;
        }
        Ok(Self {
            tables,
            groups,
            potentials: &evidence.potentials,
        })
    }

    /// The estimate of a state: no plan from it costs less. `key` is overwritten.
    pub(crate) fn estimate(&self, state: &[u32], key: &mut Vec<u64>) -> u64 {
        let by_potential = self.potentials.iter().map(|it| it.estimate(state));
        let by_tables = self.greatest_sum(|table| {
            let table = &self.tables[table];
            table.images.key(state, key);
            table.estimate(key)
        });
        by_potential.max().unwrap_or(0).max(by_tables)
    }

    /// The greatest sum of the estimates of a group, from those of all tables.
    pub(crate) fn greatest_sum(&self, mut estimate: impl FnMut(usize) -> u64) -> u64 {
        let sums = self.groups.iter();
        let sums = sums.map(|it| it.clone().map(&mut estimate).sum());
        sums.max().unwrap_or(0)
    }
}

impl<'c> ProvedTable<'c> {
    fn new(images: ImageKeys, table: Table<'c>) -> Self {
        let hash = RandomState::new();
        let hash_of = |slot: &Slot| hash.hash_one(table.key(slot.entry as usize));
        let mut index = HashTable::with_capacity(table.len());
        for entry in 0..table.len() {
            let slot = Slot {
                first_word: table.key(entry)[0],
                entry: u32::try_from(entry).expect("a file of fewer than 2^32 entries"),
                estimate: table.number(entry).try_into().expect("of nine digits"),
            };
            index.insert_unique(hash_of(&slot), slot, hash_of);
        }
        Self {
            images,
            table,
            index,
            hash,
        }
    }

    /// The estimate of a state, from the key of its image.
    pub(crate) fn estimate(&self, key: &[u64]) -> u64 {
        let is_same = |slot: &Slot| {
            slot.first_word == key[0]
                && (key.len() == 1 || self.table.key(slot.entry as usize) == key)
        };
        let found = self.index.find(self.hash.hash_one(key), is_same);
        found.map_or(0, |slot| u64::from(slot.estimate))
    }
}

/// The payer of a rule.
fn payer(payers: &[Option<usize>], rule: usize) -> Option<usize> {
    payers.get(rule).copied().flatten()
}

/// The charge for a value of the payer.
fn charge(charges: &[u64], value: u32) -> u64 {
    let at = charges.get(value as usize).or(charges.last());
    at.copied().unwrap_or(0)
}

/// Check that the tables of a group charge at most its cost for each rule.
fn check_charges(game: &Prepared<'_>, group: &Group) -> Result<(), Fault> {
    let line = group.line;
    let n_variables = game.domains.len();
    let mut payers = group.payers.iter().flatten();
    if payers.any(|variable| *variable >= n_variables) {
        return Err(CostProblem::Payer.at(line));
    }
    for (rule, it) in game.moves.iter().enumerate() {
        let n_values = payer(&group.payers, rule).map_or(1, |variable| game.domains[variable]);
        // Charges for values beyond all lists are those for the last value of the longest one.
        let lists = || group.patterns.iter().map(|pattern| &pattern.charges[rule]);
        let longest = lists().map(Vec::len).max().unwrap_or(0) as u32;
        let total = |value| lists().map(|list| charge(list, value)).sum::<u64>();
        if (0..n_values.min(longest.max(1))).any(|value| total(value) > it.cost) {
            return Err(CostProblem::Charges { rule }.at(line));
        }
    }
    Ok(())
}

/// Check that no abstract move lowers an estimate by more than its charge, and that goals have 0.
fn check_pattern(
    game: &Prepared<'_>,
    payers: &[Option<usize>],
    pattern: &Pattern,
    table: &Table<'_>,
    limits: &Limits,
) -> Result<(), Fault> {
    let mut moves: BTreeSet<Move> = BTreeSet::new();
    for (rule, it) in game.moves.iter().enumerate() {
        let charges = &pattern.charges[rule];
        let abstracted = |it: &Move, value| {
            abstract_moves(game.domains, &pattern.maps, it, charge(charges, value))
        };
        match payer(payers, rule) {
            None => moves.extend(abstracted(it, 0)),
            Some(variable) => {
                for (value, part) in split(it, variable, game.domains[variable]) {
                    moves.extend(abstracted(&part, value));
                }
            }
        }
    }
    let goals: Vec<_> = game
        .goals
        .iter()
        .map(|tests| abstract_tests(&pattern.maps, tests))
        .collect();
    let moves = Dispatch::new(
        moves.iter().filter(|it| !it.is_idle()),
        Some(&pattern.estimates),
    );
    for_all(pattern.estimates.len(), limits, |index, scratch| {
        let Scratch {
            state, successors, ..
        } = scratch;
        let estimate = pattern.estimates.number(index);
        let line = pattern.estimates.line(index);
        if estimate == 0 {
            return Ok(());
        }
        pattern.estimates.read_state(index, state);
        if goals.iter().any(|tests| passes(tests, state)) {
            return Err(CostProblem::EstimateOfGoal.at(line));
        }
        for it in moves.allowed(state) {
            let next = table.find_successor(index, state, it, successors);
            if estimate > it.1.cost + next.unwrap_or(0) {
                return Err(CostProblem::Estimate.at(line));
            }
        }
        Ok(())
    })
}
