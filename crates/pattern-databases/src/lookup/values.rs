//! Tables whose ranks are the places of single values.
//!
//! For each node the place of each such value is kept, and each table's estimate. A rule moves a
//! few values; only the tables that have one of them are looked up again. A table that is looked up
//! for the [dual state](crate::dual) uses the values at certain places instead.

use std::iter::zip;

use psvn_ir::{Game, RuleId};
use search::{DEAD_END, Sibling, count_lookups};

use super::memo::{DEAD, MOST_SIBLINGS, MOST_SLOTS, MOST_TABLES, PatternMemo, UNKNOWN, fits};
use crate::database::PatternDatabase;
use crate::dual::Dual;
use crate::ranking::partial_permutation::{FILLER, MOST_POSITIONS, PlaceArray, rank_singles};

/// The number of children of each node from which on they are looked up together. With two, as in
/// sliding-tile puzzles, a node takes 1.4 times as long then.
const MANY_CHILDREN: usize = 6;

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
    /// Whether each node has many children, as many rules always apply.
    has_many_children: bool,
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
            has_many_children: {
                let rules = game.rules().iter();
                let always = rules.filter(|rule| rule.canonical.tests().next().is_none());
                always.count() >= MANY_CHILDREN
            },
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

    /// Return whether the children of a node are better looked up together: where there are few,
    /// reads overlap without that.
    pub(crate) fn has_batches(&self) -> bool {
        self.has_many_children
    }

    /// Return the rank of a node in a table.
    #[inline(always)]
    fn rank(&self, number: usize, memo: &PatternMemo) -> u64 {
        let part = &self.parts[number];
        let places = &memo.places[part.first..part.first + part.n];
        let digits = zip(places, &part.sizes).map(|(place, size)| (*place, *size));
        rank_singles(self.n_variables, digits)
    }

    /// Return a table's estimate for a rank.
    #[inline(always)]
    fn at(&self, sums: &[Vec<PatternDatabase>], number: usize, rank: u64) -> u16 {
        let part = &self.parts[number];
        match sums[part.sum][part.in_sum].at(rank) {
            DEAD_END => DEAD,
            estimate => estimate as u16,
        }
    }

    /// Return a table's estimate of a node.
    #[inline(always)]
    fn part(&self, sums: &[Vec<PatternDatabase>], number: usize, memo: &PatternMemo) -> u16 {
        self.at(sums, number, self.rank(number, memo))
    }

    #[inline(always)]
    fn total(&self, memo: &PatternMemo) -> u64 {
        let mut totals = [0_u64; MOST_TABLES];
        for (part, says) in zip(&self.parts, &memo.parts) {
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
    pub(crate) fn start(&self, sums: &[Vec<PatternDatabase>], state: &[u8]) -> (u64, PatternMemo) {
        let mut memo = PatternMemo::default();
        for (number, part) in self.parts.iter().enumerate() {
            let table = &sums[part.sum][part.in_sum];
            let Some(places) = table.ranking.as_partial_permutation() else {
                continue;
            };
            let mut found: PlaceArray = [0; MOST_POSITIONS];
            let found_all = table.with_values(state, |value| places.find(&value, &mut found));
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
    pub(crate) fn child(
        &self,
        sums: &[Vec<PatternDatabase>],
        rule: RuleId,
        (parent, child): (&[u8], &[u8]),
        memo: &PatternMemo,
        cutoff: u64,
    ) -> (u64, PatternMemo) {
        let mut memo = *memo;
        let Some(mut touched) = self.follow(rule, (parent, child), &mut memo) else {
            return self.start(sums, child);
        };
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

    /// Change the places in a node's memo to those of a child. Return the tables whose values move,
    /// as bits; `None` if places are not known.
    #[inline(always)]
    fn follow(
        &self,
        rule: RuleId,
        (parent, child): (&[u8], &[u8]),
        memo: &mut PatternMemo,
    ) -> Option<u32> {
        if memo.places[0] == UNKNOWN {
            return None;
        }
        let mut touched = 0_u32;
        let range = self.by_rule[rule.index()] as usize..self.by_rule[rule.index() + 1] as usize;
        for var in &self.changed[range] {
            let var = usize::from(*var);
            let value = usize::from(child[var]);
            if value == usize::from(parent[var]) {
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
                let home = dual.home(value)?;
                let position = self.positions[usize::from(slot.table) * self.n_variables + home];
                memo.places[usize::from(slot.slot)] = position;
                touched |= 1 << slot.table;
            }
        }
        Some(touched)
    }

    /// Estimate several children of a node, sum by sum: all entries of one sum are on their way
    /// before the first one is used. The cells of `states` are those of one child after the other.
    #[inline(never)]
    pub(crate) fn children(
        &self,
        sums: &[Vec<PatternDatabase>],
        siblings: &[Sibling],
        (parent, states): (&[u8], &[u8]),
        memo: &PatternMemo,
        found: &mut dyn FnMut(usize, u64, PatternMemo),
    ) {
        let mut first = 0;
        let states = states.chunks(parent.len() * MOST_SIBLINGS);
        for (siblings, states) in siblings.chunks(MOST_SIBLINGS).zip(states) {
            let mut children = [Child::new(memo); MOST_SIBLINGS];
            let children = &mut children[..siblings.len()];
            let states = || states.chunks_exact(parent.len());
            for ((child, sibling), state) in zip(&mut *children, siblings).zip(states()) {
                match self.follow(sibling.rule, (parent, state), &mut child.memo) {
                    Some(touched) => child.touched = touched,
                    None => {
                        (child.greatest, child.memo) = self.start(sums, state);
                        child.is_done = true;
                    }
                }
            }
            let mut numbers = 0..0;
            let mut n_lookups = 0;
            for of_sum in self.parts.chunk_by(|one, next| one.sum == next.sum) {
                numbers = numbers.end..numbers.end + of_sum.len();
                n_lookups += self.fetch(sums, numbers.clone(), children);
                for (child, sibling) in zip(&mut *children, siblings) {
                    if !child.is_done {
                        self.add_sum(sums, numbers.clone(), child);
                        child.is_done = child.greatest > sibling.cutoff;
                    }
                }
            }
            count_lookups(n_lookups);
            for (number, child) in children.iter().enumerate() {
                found(first + number, child.greatest, child.memo);
            }
            first += siblings.len();
        }
    }

    /// Find the ranks of children in the tables of a sum that are looked up, prefetch their
    /// entries, and return how many there are.
    #[inline(always)]
    fn fetch(
        &self,
        sums: &[Vec<PatternDatabase>],
        numbers: std::ops::Range<usize>,
        children: &mut [Child],
    ) -> u64 {
        let mut n_lookups = 0;
        for child in children.iter_mut().filter(|child| !child.is_done) {
            for number in numbers.clone() {
                if child.touched >> number & 1 != 0 {
                    let rank = self.rank(number, &child.memo);
                    let part = &self.parts[number];
                    sums[part.sum][part.in_sum].table.fetch(rank);
                    child.ranks[number % MOST_TABLES] = rank;
                    n_lookups += 1;
                }
            }
        }
        n_lookups
    }

    /// Look up a sum of a child.
    #[inline(always)]
    fn add_sum(
        &self,
        sums: &[Vec<PatternDatabase>],
        numbers: std::ops::Range<usize>,
        child: &mut Child,
    ) {
        let mut total = 0;
        for number in numbers {
            if child.touched >> number & 1 != 0 {
                let rank = child.ranks[number % MOST_TABLES];
                child.memo.parts[number] = self.at(sums, number, rank);
            }
            match child.memo.parts[number] {
                DEAD => {
                    child.greatest = DEAD_END;
                    return;
                }
                says => total += u64::from(says),
            }
        }
        child.greatest = child.greatest.max(total);
    }
}

/// A child among others.
#[derive(Clone, Copy)]
struct Child {
    memo: PatternMemo,
    /// The tables that are looked up, as bits, and the ranks of the present sum's.
    touched: u32,
    ranks: [u64; MOST_TABLES],
    /// The greatest sum.
    greatest: u64,
    /// Whether no further sum is needed.
    is_done: bool,
}

impl Child {
    fn new(memo: &PatternMemo) -> Self {
        Self {
            memo: *memo,
            touched: 0,
            ranks: [0; MOST_TABLES],
            greatest: 0,
            is_done: false,
        }
    }
}
