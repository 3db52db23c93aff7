//! Estimates by a table of coordinates: its look-ups, and those of the dual.

use bytemuck::Zeroable;
use psvn_ir::{RuleId, State, Value};
use search::{Cell, DEAD_END, Heuristic};

use super::CoordinateTable;
use super::dual::DualLookup;
use super::lookup::memo::{CoordinateMemo, DEAD, MOST_AXES};
use super::lookup::{LEAST_FETCHED, goal_values, values};
use super::moves::inverse;

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
    pub(crate) fn after<C: Cell>(
        &self,
        rule: usize,
        memo: &CoordinateMemo,
        state: &[C],
        cutoff: u64,
        child: &mut CoordinateMemo,
    ) -> u64 {
        let own = self.lookup.after(rule, memo, cutoff, child);
        match &self.dual {
            Some(dual) if own <= cutoff => own.max(self.of_dual(dual, state, cutoff)),
            _ => own,
        }
    }

    /// Return the estimate of a state's dual; if that exceeds `cutoff`, only a lower bound above
    /// `cutoff`.
    #[inline(never)]
    fn of_dual<C: Cell>(&self, dual: &DualLookup, state: &[C], cutoff: u64) -> u64 {
        let value = |position: usize| state[position].value().index();
        let unit = self.moves.unit;
        dual.distance(&self.lookup, value, cutoff / unit) * unit
    }
}

impl Heuristic for CoordinateTable {
    type Memo = CoordinateMemo;

    fn estimate<C: Cell>(&self, state: &[C]) -> u64 {
        self.start(state).0
    }

    fn start<C: Cell>(&self, cells: &[C]) -> (u64, CoordinateMemo) {
        let state: Vec<Value> = cells.iter().map(|cell| cell.value()).collect();
        let memo = self.first(self.moves.homes(&state));
        let own = match memo.distances.iter().max() {
            None | Some(&DEAD) => return (DEAD_END, memo),
            Some(most) => u64::from(*most) * self.moves.unit,
        };
        let of_dual = |dual| self.of_dual(dual, cells, u64::MAX);
        (
            self.dual
                .as_ref()
                .map_or(own, |dual| own.max(of_dual(dual))),
            memo,
        )
    }

    #[inline]
    fn child<C: Cell>(
        &self,
        rule: RuleId,
        _: &[C],
        memo: &CoordinateMemo,
        child: &[C],
    ) -> (u64, CoordinateMemo) {
        self.child_bounded(rule, &[], memo, child, u64::MAX)
    }

    #[inline]
    fn child_bounded<C: Cell>(
        &self,
        rule: RuleId,
        _: &[C],
        memo: &CoordinateMemo,
        child: &[C],
        cutoff: u64,
    ) -> (u64, CoordinateMemo) {
        let mut next = CoordinateMemo::zeroed();
        let estimate = self.after(rule.index(), memo, child, cutoff, &mut next);
        (estimate, next)
    }

    fn has_rejection(&self) -> bool {
        true
    }

    #[inline]
    fn rejects(&self, rule: RuleId, memo: &CoordinateMemo, cutoff: u64) -> Option<u64> {
        self.lookup.rejects(rule.index(), memo, cutoff)
    }

    fn has_prefetch(&self) -> bool {
        8 * self.lookup.words().len() as u64 > LEAST_FETCHED
    }

    #[inline]
    fn prefetch(&self, rule: RuleId, memo: &CoordinateMemo) {
        self.lookup.fetch(rule.index(), memo);
    }
}
