//! The steps between entries. A rule maps all entries of a class to entries of one class.

use std::iter::zip;

use crate::coordinates::classes::{Classes, split};
use crate::coordinates::layout::Layout;
use crate::coordinates::moves::Moves;

/// The rules as maps of entries.
pub(crate) struct Steps<'a> {
    pub(super) layout: &'a Layout,
    pub(super) classes: &'a Classes,
    pub(super) n_rules: usize,
    /// By digit: for each rule, symmetry after it, and value, the digit's addend.
    addends: Vec<Vec<u32>>,
    /// The same for symmetries without a rule.
    turned: Vec<Vec<u32>>,
    /// The number of digits of the last one.
    pub(super) n_inner: usize,
}

/// The map of the digits of a class's entries: the number of an entry is the sum of an outer and an
/// inner addend.
#[derive(Default)]
pub(super) struct Maps {
    pub(super) outer: Vec<u32>,
    pub(super) inner: Vec<u32>,
}

impl<'a> Steps<'a> {
    pub(crate) fn new(moves: &Moves, layout: &'a Layout, classes: &'a Classes) -> Self {
        let n_rules = moves.permutations.len();
        let n_symmetries = layout.symmetries.len();
        let (mut addends, mut turned) = (Vec::new(), Vec::new());
        for (digit, by_value) in zip(&layout.digits, &classes.addends) {
            let coordinate = &layout.coordinates[digit.coordinate];
            let values = || 0..coordinate.n as u32;
            let at =
                |value: u32, symmetry: usize| by_value[value as usize * n_symmetries + symmetry];
            let after = |rule, symmetry| {
                values().map(move |value| at(coordinate.next(value, rule), symmetry))
            };
            let after_rule = |rule| (0..n_symmetries).flat_map(move |it| after(rule, it));
            addends.push((0..n_rules).flat_map(after_rule).collect());
            let by = |symmetry| values().map(move |value| at(value, symmetry));
            turned.push((0..n_symmetries).flat_map(by).collect());
        }
        Self {
            layout,
            classes,
            n_rules,
            addends,
            turned,
            n_inner: layout.digits.last().map_or(1, |digit| digit.n),
        }
    }

    /// Return the class that a rule leads to from a class, and the symmetry that follows.
    pub(super) fn target(&self, class: usize, rule: usize) -> Option<(usize, usize)> {
        let raw = self.classes.first[class] as usize;
        let next = self.layout.reduced.iter().map(|(number, stride)| {
            let coordinate = &self.layout.coordinates[*number];
            let value = raw / stride % coordinate.n;
            coordinate.next(value as u32, rule) as usize * stride
        });
        let entry = self.classes.entries[next.sum::<usize>()];
        (entry != u32::MAX).then(|| {
            let (class, symmetry) = split(entry);
            (class as usize, symmetry)
        })
    }

    /// Find the map of the digits of a class's entries by a rule and then this symmetry.
    pub(super) fn after(&self, class: usize, rule: usize, symmetry: usize, maps: &mut Maps) {
        let which = rule * self.layout.symmetries.len() + symmetry;
        self.maps(&self.addends, class, which, maps);
    }

    /// Find the map of the digits of a class's entries by a symmetry.
    pub(super) fn turned(&self, class: usize, symmetry: usize, maps: &mut Maps) {
        self.maps(&self.turned, class, symmetry, maps);
    }

    fn maps(&self, addends: &[Vec<u32>], class: usize, which: usize, maps: &mut Maps) {
        maps.outer.clear();
        maps.outer.push(0);
        maps.inner.clear();
        let raw = self.classes.first[class] as usize;
        let n_digits = self.layout.digits.len();
        for (i, digit) in self.layout.digits.iter().enumerate() {
            let n = self.layout.coordinates[digit.coordinate].n;
            let begin = digit.parent.map_or(0, |parent| {
                let stride = self
                    .layout
                    .reduced
                    .iter()
                    .find(|(number, _)| *number == parent);
                let stride = stride.map_or(1, |(_, stride)| *stride);
                raw / stride % self.layout.coordinates[parent].n * digit.n
            });
            let there = &addends[i][which * n + begin..][..digit.n];
            if i + 1 == n_digits {
                maps.inner.extend_from_slice(there);
            } else {
                let sums = maps.outer.iter();
                let sums = sums.flat_map(|sum| there.iter().map(move |it| sum + it));
                maps.outer = sums.collect();
            }
        }
        if n_digits == 0 {
            maps.inner.push(0);
        }
    }
}
