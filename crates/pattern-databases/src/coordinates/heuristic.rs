//! Estimates by a table of coordinates: its look-ups, and those of the dual.

use std::iter::zip;

use bytemuck::Zeroable;
use psvn_ir::{State, Value};
use search::{Cell, DEAD_END, Estimated, Heuristic, Memo, PathNode, Properties, Sibling};

use super::CoordinateTable;
use super::dual::{DualEntries, DualLookup, DualValues};
use super::lookup::memo::{CoordinateMemo, DEAD, MOST_AXES};
use super::lookup::{LEAST_FETCHED, goal_values, values};
use super::moves::inverse;

/// The number of children whose duals are looked up together.
const MOST_DUALS: usize = 8;

impl CoordinateTable {
    /// Return the estimate of a state's dual, which look-ups of duals would give at most, whether
    /// there are such or not; 0 if it has none. It takes long, as distances are counted along
    /// paths.
    pub fn of_dual_by_path(&self, state: &State) -> u64 {
        let homes = self.moves.homes(state.values());
        let memo = self.first(homes.map(|homes| inverse(&homes)));
        match memo.distances.iter().max() {
            None | Some(&DEAD) => 0,
            Some(most) => u64::from(*most) * self.moves.unit,
        }
    }

    /// Return the memo of a state without a parent.
    fn first(&self, homes: Option<Vec<usize>>) -> CoordinateMemo {
        let mut memo = CoordinateMemo::zeroed();
        let n = self.layout.coordinates.len();
        let goal = goal_values(&self.moves, &self.layout);
        for (axis, image) in self.layout.axes[..self.n_lookups()].iter().enumerate() {
            let found = homes.as_ref().and_then(|homes| {
                let mut there = homes.clone();
                for (place, home) in homes.iter().enumerate() {
                    there[image.positions[place]] = image.positions[*home];
                }
                let values = values(&self.layout, &there)?;
                Some((self.lookup.distance(&values, &goal)?, values))
            });
            let Some((distance, values)) = found else {
                memo.distances = [DEAD; MOST_AXES];
                return memo;
            };
            memo.values[axis * n..][..n].copy_from_slice(&values);
            memo.distances[axis] = distance;
        }
        memo
    }

    /// Write the memo of a child, and return its estimate; if that exceeds `cutoff`, only a lower
    /// bound above `cutoff`, and any memo.
    #[inline(always)]
    fn after(
        &self,
        rule: usize,
        memo: &CoordinateMemo,
        state: &[u8],
        cutoff: u64,
        child: &mut CoordinateMemo,
    ) -> u64 {
        let own = self.lookup.after(rule, memo, cutoff, child);
        match &self.dual {
            Some(dual) if own <= cutoff => {
                let known = Known::after(dual, rule, memo);
                let values = self.find_duals(dual, state, known.axes);
                let entries = self.fetch_duals(dual, values.as_ref());
                own.max(self.look_up_duals(dual, entries.as_ref(), known, cutoff, child))
            }
            _ => own,
        }
    }

    /// Find the values of the duals of a state's images, but for those in `known`.
    #[inline(never)]
    fn find_duals<C: Cell>(&self, dual: &DualLookup, state: &[C], known: u8) -> Option<DualValues> {
        let value = |position: usize| state[position].value().index();
        dual.find(&self.lookup, value, known)
    }

    /// Return the entries of the duals' values, and prefetch them.
    #[inline(never)]
    fn fetch_duals(&self, dual: &DualLookup, values: Option<&DualValues>) -> Option<DualEntries> {
        dual.fetch(&self.lookup, values?)
    }

    /// Return the greatest estimate of duals, 0 if a state has none, and keep their distances in
    /// its memo. If that exceeds `cutoff`, return only a lower bound above `cutoff`, with any memo.
    #[inline(never)]
    fn look_up_duals(
        &self,
        dual: &DualLookup,
        entries: Option<&DualEntries>,
        known: Known,
        cutoff: u64,
        memo: &mut CoordinateMemo,
    ) -> u64 {
        let unit = self.moves.unit;
        let mut distances = known.distances;
        let greatest = match entries {
            None => 0,
            Some(entries) => {
                let most = cutoff / unit;
                dual.look_up(&self.lookup, entries, known.axes, most, &mut distances)
            }
        };
        if dual.are_kept {
            *memo.duals_mut() = distances;
        }
        greatest * unit
    }

    /// Return the greatest estimate of a child's duals that are those of its parent, if it exceeds
    /// `cutoff`.
    #[inline(always)]
    fn rejects_by_duals(&self, rule: usize, memo: &CoordinateMemo, cutoff: u64) -> Option<u64> {
        let dual = self.dual.as_ref().filter(|dual| dual.are_kept)?;
        let estimate = dual.greatest_unchanged(rule, memo.duals()) * self.moves.unit;
        (estimate > cutoff).then_some(estimate)
    }
}

/// The duals of a state's images that are those of its parent's, as bits, and the distances of
/// these.
#[derive(Clone, Copy, Default)]
struct Known {
    axes: u8,
    distances: [u8; MOST_AXES],
}

impl Known {
    #[inline(always)]
    fn after(dual: &DualLookup, rule: usize, parent: &CoordinateMemo) -> Self {
        if dual.are_kept {
            Self {
                axes: dual.unchanged(rule),
                distances: *parent.duals(),
            }
        } else {
            Self::default()
        }
    }
}

impl CoordinateTable {
    /// Return the estimate of a state without a parent, and its memo.
    fn of<C: Cell>(&self, cells: &[C]) -> (u64, CoordinateMemo) {
        let state: Vec<Value> = cells.iter().map(|cell| cell.value()).collect();
        let mut memo = self.first(self.moves.homes(&state));
        let own = match memo.distances.iter().max() {
            None | Some(&DEAD) => return (DEAD_END, memo),
            Some(most) => u64::from(*most) * self.moves.unit,
        };
        let of_duals = self.dual.as_ref().map_or(0, |dual| {
            let values = self.find_duals(dual, cells, 0);
            let entries = self.fetch_duals(dual, values.as_ref());
            self.look_up_duals(
                dual,
                entries.as_ref(),
                Known::default(),
                u64::MAX,
                &mut memo,
            )
        });
        (own.max(of_duals), memo)
    }
}

impl Heuristic for CoordinateTable {
    fn estimate(&self, state: &[u32]) -> u64 {
        self.of(state).0
    }

    fn start(&self, state: &[u8], memo: &mut Memo) -> u64 {
        let (estimate, first) = self.of(state);
        memo.write(first);
        estimate
    }

    fn children(
        &self,
        node: PathNode<'_>,
        siblings: &[Sibling],
        states: &[u8],
        estimated: &mut [Estimated],
    ) {
        let memo = node.memo.read();
        if let ([Sibling { rule, cutoff }], [estimated]) = (siblings, &mut *estimated) {
            estimated.memo.write(CoordinateMemo::zeroed());
            let next = estimated.memo.get_mut();
            estimated.estimate = self.after(rule.index(), memo, states, *cutoff, next);
            return;
        }
        let width = node.state.len();
        self.children_of(siblings, width, memo, states, estimated);
    }

    fn reject(&self, memo: &Memo, siblings: &[Sibling], rejected: &mut [Option<u64>]) {
        let memo = memo.read();
        if self.dual.as_ref().is_some_and(|dual| dual.are_kept) {
            for (rejected, sibling) in zip(&mut *rejected, siblings) {
                *rejected = self.rejects_by_duals(sibling.rule.index(), memo, sibling.cutoff);
            }
        }
        self.lookup.rejects_all(siblings, memo, rejected);
    }

    fn properties(&self) -> Properties<'_> {
        Properties {
            has_batches: self.has_batches(),
            has_rejection: true,
            ..Properties::default()
        }
    }
}

impl CoordinateTable {
    /// Return whether the children of a node are better estimated together.
    pub fn has_batches(&self) -> bool {
        8 * self.lookup.words().len() as u64 > LEAST_FETCHED
    }

    /// Estimate several children of a node, whose states have `width` cells each. All that one
    /// step reads for some children is on its way before it is used.
    fn children_of(
        &self,
        siblings: &[Sibling],
        width: usize,
        memo: &CoordinateMemo,
        states: &[u8],
        estimated: &mut [Estimated],
    ) {
        let Some(dual) = &self.dual else {
            for (sibling, estimated) in zip(siblings, estimated) {
                estimated.memo.write(CoordinateMemo::zeroed());
                let child = estimated.memo.get_mut();
                let rule = sibling.rule.index();
                estimated.estimate = self.lookup.after(rule, memo, sibling.cutoff, child);
            }
            return;
        };
        let mut values = [None; MOST_DUALS];
        let mut entries = [None; MOST_DUALS];
        let chunks = siblings
            .chunks(MOST_DUALS)
            .zip(estimated.chunks_mut(MOST_DUALS));
        for ((siblings, estimated), states) in chunks.zip(states.chunks(MOST_DUALS * width)) {
            let each = siblings.iter().zip(states.chunks_exact(width));
            for ((sibling, state), values) in each.zip(&mut values) {
                let known = dual.unchanged(sibling.rule.index());
                *values = self.find_duals(dual, state, known);
            }
            for (values, entries) in values[..siblings.len()].iter().zip(&mut entries) {
                *entries = self.fetch_duals(dual, values.as_ref());
            }
            for ((sibling, entries), estimated) in zip(siblings, &entries).zip(estimated) {
                let Sibling { rule, cutoff } = *sibling;
                estimated.memo.write(CoordinateMemo::zeroed());
                let child = estimated.memo.get_mut();
                let mut estimate = self.lookup.after(rule.index(), memo, cutoff, child);
                if estimate <= cutoff {
                    let known = Known::after(dual, rule.index(), memo);
                    let entries = entries.as_ref();
                    let of_duals = self.look_up_duals(dual, entries, known, cutoff, child);
                    estimate = estimate.max(of_duals);
                }
                estimated.estimate = estimate;
            }
        }
    }
}
