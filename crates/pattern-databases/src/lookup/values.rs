//! Tables whose ranks are the places of single values.
//!
//! For each node the place of each such value is kept, and each table's estimate. A rule moves a
//! few values; only the tables that have one of them are looked up again. A table that is looked up
//! for the [dual state](crate::dual) uses the values at certain places instead.

use psvn_ir::{Game, RuleId};
use search::{Cell, DEAD_END, count_lookups};

use super::memo::{DEAD, MOST_SLOTS, MOST_TABLES, PatternMemo, UNKNOWN, fits};
use crate::database::PatternDatabase;
use crate::dual::Dual;
use crate::ranking::partial_permutation::{FILLER, MOST_POSITIONS, PlaceArray, rank_singles};

/// A value's places in the memo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slot {
    table: u8,
    slot: u8,
}

/// The place of a table's data in the memo.
#[derive(Clone, Debug)]
struct Part {
    first: usize,
    n: usize,
    /// The weight of an item's rank; its place is counted among the places that the items before it
    /// leave free.
    sizes: Vec<u64>,
    sum: usize,
    in_sum: usize,
}

/// The data to look up a set of tables of places along paths.
#[derive(Debug)]
pub(crate) struct ValueLookup {
    parts: Vec<Part>,
    /// By value of the one domain: where its slots begin in `slots`, and the end.
    by_value: Vec<u32>,
    slots: Vec<Slot>,
    /// By table and variable: the table's position.
    positions: Vec<u8>,
    n_variables: usize,
    /// By variable: where its slots begin in `dual_slots`, and the end; they hold the home of the
    /// variable's value.
    by_variable: Vec<u32>,
    dual_slots: Vec<Slot>,
    dual: Option<Dual>,
    /// By rule: where the variables that it changes begin in `changed`, and the end.
    by_rule: Vec<u32>,
    changed: Vec<u16>,
    n_sums: usize,
}

impl ValueLookup {
    /// Return `None` when the tables are of other kinds, or too many.
    pub(crate) fn new(game: &Game, sums: &[Vec<PatternDatabase>]) -> Option<Self> {
        let n_tables: usize = sums.iter().map(Vec::len).sum();
        let first_domain = *game.variables().first()?;
        let one_domain = game
            .variables()
            .iter()
            .all(|domain| *domain == first_domain);
        if n_tables > MOST_TABLES || !one_domain || game.n_variables() > MOST_POSITIONS {
            return None;
        }
        let n_values = game.domain(first_domain).size();
        let mut lists: Vec<Vec<Slot>> = vec![Vec::new(); n_values];
        let mut dual_lists: Vec<Vec<Slot>> = vec![Vec::new(); game.n_variables()];
        let mut positions = Vec::new();
        let mut dual = None;
        let mut parts = Vec::new();
        let mut first = 0;
        for (sum, tables) in sums.iter().enumerate() {
            for (in_sum, table) in tables.iter().enumerate() {
                let places = table.ranking.as_partial_permutation()?;
                // All variables, in order, so that positions are variables.
                let in_order = places
                    .vars
                    .iter()
                    .enumerate()
                    .all(|(i, var)| *var as usize == i);
                let whole = places.vars.len() == game.n_variables();
                if !places.is_single() || !in_order || !whole || !fits(table) {
                    return None;
                }
                let mut position = vec![0; game.n_variables()];
                for (i, concrete) in table.reader.variables.iter().enumerate() {
                    position[*concrete as usize] = i as u8;
                }
                positions.extend(position);
                if first + places.items.len() > MOST_SLOTS {
                    return None;
                }
                for (value, list) in lists.iter_mut().enumerate() {
                    let item = places.item_of[table.reader.abstract_value(0, value) as usize];
                    if item >= FILLER {
                        continue;
                    }
                    let slot = Slot {
                        table: parts.len() as u8,
                        slot: (first + usize::from(item)) as u8,
                    };
                    match table.dual() {
                        None => list.push(slot),
                        Some(dual) => dual_lists[dual.home(value)?].push(slot),
                    }
                }
                dual = dual.or_else(|| table.dual().cloned());
                parts.push(Part {
                    first,
                    n: places.items.len(),
                    sizes: (0..places.items.len())
                        .map(|i| (places.vars.len() - i) as u64)
                        .collect(),
                    sum,
                    in_sum,
                });
                first += places.items.len();
            }
        }
        let mut lookup = Self {
            parts,
            by_value: vec![0],
            slots: Vec::new(),
            positions,
            n_variables: game.n_variables(),
            by_variable: vec![0],
            dual_slots: Vec::new(),
            dual,
            by_rule: vec![0],
            changed: Vec::new(),
            n_sums: sums.len(),
        };
        for list in lists {
            lookup.slots.extend(list);
            lookup.by_value.push(lookup.slots.len() as u32);
        }
        for list in dual_lists {
            lookup.dual_slots.extend(list);
            lookup.by_variable.push(lookup.dual_slots.len() as u32);
        }
        for rule in game.rules() {
            let changes = rule.canonical.changes().map(|(var, _)| var.0 as u16);
            lookup.changed.extend(changes);
            lookup.by_rule.push(lookup.changed.len() as u32);
        }
        Some(lookup)
    }

    /// Return a table's estimate of a node.
    #[inline(always)]
    fn part(&self, sums: &[Vec<PatternDatabase>], number: usize, memo: &PatternMemo) -> u16 {
        let part = &self.parts[number];
        let places = &memo.places[part.first..part.first + part.n];
        let digits = places.iter().copied().zip(part.sizes.iter().copied());
        let rank = rank_singles(self.n_variables, digits);
        let table = &sums[part.sum][part.in_sum];
        match table.at(rank) {
            DEAD_END => DEAD,
            estimate => estimate as u16,
        }
    }

    #[inline(always)]
    fn total(&self, memo: &PatternMemo) -> u64 {
        let mut totals = [0_u64; MOST_TABLES];
        for (part, says) in self.parts.iter().zip(&memo.parts) {
            if *says == DEAD {
                return DEAD_END;
            }
            totals[part.sum] += u64::from(*says);
        }
        totals[..self.n_sums].iter().copied().max().unwrap_or(0)
    }

    /// Return the greatest sum; look-ups end once a sum is more than `cutoff`.
    #[inline(always)]
    fn sum_by_sum(
        &self,
        sums: &[Vec<PatternDatabase>],
        touched: u32,
        memo: &mut PatternMemo,
        cutoff: u64,
        n_lookups: &mut u64,
    ) -> u64 {
        let (mut greatest, mut total) = (0_u64, 0_u64);
        for (number, part) in self.parts.iter().enumerate() {
            if part.in_sum == 0 {
                greatest = greatest.max(total);
                if greatest > cutoff {
                    return greatest;
                }
                total = 0;
            }
            if touched >> number & 1 != 0 {
                *n_lookups += 1;
                memo.parts[number] = self.part(sums, number, memo);
            }
            match memo.parts[number] {
                DEAD => return DEAD_END,
                says => total += u64::from(says),
            }
        }
        greatest.max(total)
    }

    #[inline]
    pub(crate) fn start<C: Cell>(
        &self,
        sums: &[Vec<PatternDatabase>],
        state: &[C],
    ) -> (u64, PatternMemo) {
        let mut memo = PatternMemo::default();
        for (number, part) in self.parts.iter().enumerate() {
            let table = &sums[part.sum][part.in_sum];
            let Some(places) = table.ranking.as_partial_permutation() else {
                continue;
            };
            let mut found: PlaceArray = [0; MOST_POSITIONS];
            let found_all = table.with_values(state, |value| places.find(value, &mut found));
            if found_all.is_none() {
                // The state breaks the assumed invariants, so the places of its children are
                // computed from scratch.
                memo.places[0] = UNKNOWN;
                return (0, memo);
            }
            memo.places[part.first..part.first + part.n].copy_from_slice(&found[..part.n]);
            count_lookups(1);
            memo.parts[number] = self.part(sums, number, &memo);
        }
        (self.total(&memo), memo)
    }

    #[inline(always)]
    pub(crate) fn child<C: Cell>(
        &self,
        sums: &[Vec<PatternDatabase>],
        rule: RuleId,
        (parent, child): (&[C], &[C]),
        memo: &PatternMemo,
        cutoff: u64,
    ) -> (u64, PatternMemo) {
        if memo.places[0] == UNKNOWN {
            return self.start(sums, child);
        }
        let mut memo = *memo;
        let mut touched = 0_u32;
        let range = self.by_rule[rule.index()] as usize..self.by_rule[rule.index() + 1] as usize;
        for var in &self.changed[range] {
            let var = usize::from(*var);
            let value = child[var].index();
            if value == parent[var].index() {
                continue;
            }
            let range = self.by_value[value] as usize..self.by_value[value + 1] as usize;
            for slot in &self.slots[range] {
                let table = usize::from(slot.table);
                let position = self.positions[table * self.n_variables + var];
                memo.places[usize::from(slot.slot)] = position;
                touched |= 1 << slot.table;
            }
            let Some(dual) = &self.dual else { continue };
            let range = self.by_variable[var] as usize..self.by_variable[var + 1] as usize;
            for slot in &self.dual_slots[range] {
                let Some(home) = dual.home(value) else {
                    return self.start(sums, child);
                };
                let position = self.positions[usize::from(slot.table) * self.n_variables + home];
                memo.places[usize::from(slot.slot)] = position;
                touched |= 1 << slot.table;
            }
        }
        let mut n_lookups = 0;
        if self.n_sums > 1 && cutoff < DEAD_END {
            let total = self.sum_by_sum(sums, touched, &mut memo, cutoff, &mut n_lookups);
            count_lookups(n_lookups);
            return (total, memo);
        }
        while touched != 0 {
            let number = touched.trailing_zeros() as usize;
            touched &= touched - 1;
            n_lookups += 1;
            memo.parts[number] = self.part(sums, number, &memo);
        }
        let total = self.total(&memo);
        count_lookups(n_lookups);
        (total, memo)
    }
}
