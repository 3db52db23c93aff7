//! Tables whose ranks are the places of single values.
//!
//! For each node the place of each such value is kept, and each table's estimate. A rule moves a
//! few values; only the tables that have one of them are looked up again. A table that is looked up
//! for the [dual state](crate::dual) uses the values at certain places instead.

use std::iter::zip;

use psvn_ir::{CanonicalRule, Game, RuleId};
use search::{DEAD_END, Sibling, count_lookups};

use super::memo::{DEAD, MOST_SIBLINGS, MOST_SLOTS, MOST_TABLES, PatternMemo, UNKNOWN, fits};
use crate::database::PatternDatabase;
use crate::dual::Dual;
use crate::ranking::partial_permutation::{
    FILLER, MOST_POSITIONS, PartialPermutation, PlaceArray, rank_singles,
};

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

impl Part {
    fn new(places: &PartialPermutation, first: usize, (sum, in_sum): (usize, usize)) -> Self {
        let n = places.items.len();
        let left = |before: usize| (places.vars.len() - before) as u64;
        Self {
            first,
            n,
            sizes: (0..n).map(left).collect(),
            sum,
            in_sum,
        }
    }
}

/// Return the ranking of a table of the places of single values among all variables; `None` for
/// other tables.
fn places_of<'t>(game: &Game, table: &'t PatternDatabase) -> Option<&'t PartialPermutation> {
    let places = table.ranking.as_partial_permutation()?;
    // All variables, in order, so that positions are variables.
    let vars = places.vars.iter().map(|var| *var as usize);
    let fits = places.is_single() && vars.eq(0..game.n_variables()) && fits(table);
    fits.then_some(places)
}

/// Return, by variable of the game, the position in a table.
fn positions_of(game: &Game, table: &PatternDatabase) -> Vec<u8> {
    let mut positions = vec![0; game.n_variables()];
    for (position, concrete) in table.reader.variables.iter().enumerate() {
        positions[*concrete as usize] = position as u8;
    }
    positions
}

/// Lists end to end.
#[derive(Debug)]
struct Lists<T> {
    /// Where each list begins, and the end of the last one.
    begins: Vec<u32>,
    items: Vec<T>,
}

impl<T> Lists<T> {
    fn new(lists: impl IntoIterator<Item: IntoIterator<Item = T>>) -> Self {
        let (mut begins, mut items) = (vec![0], Vec::new());
        for list in lists {
            items.extend(list);
            begins.push(items.len() as u32);
        }
        Self { begins, items }
    }

    #[inline(always)]
    fn list(&self, number: usize) -> &[T] {
        &self.items[self.begins[number] as usize..self.begins[number + 1] as usize]
    }
}

/// The data to look up a set of tables of places along paths.
#[derive(Debug)]
pub(crate) struct ValueLookup {
    parts: Vec<Part>,
    /// By value of the one domain.
    by_value: Lists<Slot>,
    /// By table and variable: the table's position.
    positions: Vec<u8>,
    n_variables: usize,
    /// By variable: the slots that hold the home of the variable's value.
    by_variable: Lists<Slot>,
    dual: Option<Dual>,
    /// By rule: the variables that it changes.
    changed: Lists<u16>,
    n_sums: usize,
    /// Whether each node has many children, as many rules always apply.
    has_many_children: bool,
}

impl ValueLookup {
    /// Return `None` when the tables are of other kinds, or too many.
    pub(crate) fn new(game: &Game, sums: &[Vec<PatternDatabase>]) -> Option<Self> {
        let n_tables: usize = sums.iter().map(Vec::len).sum();
        let domain = *game.variables().first()?;
        let has_one_domain = game.variables().iter().all(|it| *it == domain);
        if n_tables > MOST_TABLES || !has_one_domain || game.n_variables() > MOST_POSITIONS {
            return None;
        }
        let mut by_value: Vec<Vec<Slot>> = vec![Vec::new(); game.domain(domain).size()];
        let mut by_variable: Vec<Vec<Slot>> = vec![Vec::new(); game.n_variables()];
        let (mut positions, mut parts) = (Vec::new(), Vec::new());
        let mut first = 0;
        for (sum, tables) in sums.iter().enumerate() {
            for (in_sum, table) in tables.iter().enumerate() {
                let places = places_of(game, table)?;
                positions.extend(positions_of(game, table));
                if first + places.items.len() > MOST_SLOTS {
                    return None;
                }
                for (value, slots) in by_value.iter_mut().enumerate() {
                    let item = places.item_of[table.reader.abstract_value(0, value) as usize];
                    if item >= FILLER {
                        continue;
                    }
                    let slot = Slot {
                        table: parts.len() as u8,
                        slot: (first + usize::from(item)) as u8,
                    };
                    match table.dual() {
                        None => slots.push(slot),
                        Some(dual) => by_variable[dual.home(value)?].push(slot),
                    }
                }
                let part = Part::new(places, first, (sum, in_sum));
                first += part.n;
                parts.push(part);
            }
        }
        let rules = || game.rules().iter().map(|rule| &rule.canonical);
        let changed = |rule: &CanonicalRule| -> Vec<u16> {
            rule.changes().map(|(var, _)| var.0 as u16).collect()
        };
        let always = rules().filter(|rule| rule.tests().next().is_none());
        Some(Self {
            parts,
            by_value: Lists::new(by_value),
            positions,
            n_variables: game.n_variables(),
            by_variable: Lists::new(by_variable),
            dual: sums
                .iter()
                .flatten()
                .find_map(PatternDatabase::dual)
                .cloned(),
            changed: Lists::new(rules().map(changed)),
            n_sums: sums.len(),
            has_many_children: always.count() >= MANY_CHILDREN,
        })
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
        for (part, estimate) in zip(&self.parts, &memo.parts) {
            if *estimate == DEAD {
                return DEAD_END;
            }
            totals[part.sum] += u64::from(*estimate);
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
                estimate => total += u64::from(estimate),
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
        for var in self.changed.list(rule.index()) {
            let var = usize::from(*var);
            let value = usize::from(child[var]);
            if value == usize::from(parent[var]) {
                continue;
            }
            for slot in self.by_value.list(value) {
                let table = usize::from(slot.table);
                let position = self.positions[table * self.n_variables + var];
                memo.places[usize::from(slot.slot)] = position;
                touched |= 1 << slot.table;
            }
            let Some(dual) = &self.dual else { continue };
            for slot in self.by_variable.list(var) {
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
                estimate => total += u64::from(estimate),
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
