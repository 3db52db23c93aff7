//! Tables from a node's values to its child's, and from values to entries.

use std::iter::zip;

use search::{Sibling, count_lookups};

use crate::coordinates::classes::{Classes, split};
use crate::coordinates::layout::Layout;
use crate::coordinates::lookup::entries::Entries;
use crate::coordinates::lookup::memo::{CoordinateMemo, DEAD, MOST_COORDINATES};
use crate::coordinates::moves::{Image, Moves};
use crate::table::prefetch::prefetch;

/// The number of children that are looked up together.
const MOST_SIBLINGS: usize = 64;

/// The tables, with numbers of one width, and entries of one kind.
#[derive(Debug)]
pub(crate) struct Tables<T, E> {
    pub(super) n_coordinates: usize,
    pub(super) n_rules: usize,
    pub(super) n_axes: usize,
    n_symmetries: usize,
    pub(super) n_reduced: usize,
    /// By image: the image of each rule.
    rules: Vec<u16>,
    /// By coordinate, value and rule: the next value; and where each coordinate begins.
    next: Vec<T>,
    next_at: [usize; MOST_COORDINATES],
    /// By coordinate: the step of the raw value; 0 for digits.
    strides: [usize; MOST_COORDINATES],
    /// By digit, value and symmetry: the addend; and where each coordinate begins.
    addends: Vec<T>,
    addends_at: [usize; MOST_COORDINATES],
    /// By raw value: class and symmetry.
    classes: Vec<u32>,
    pub(super) entries: E,
    unit: u64,
}

impl<T: Copy + Into<u32> + TryFrom<u32>, E: Entries> Tables<T, E> {
    /// Return the tables; the entries if numbers are too large for the width.
    pub(super) fn new(
        moves: &Moves,
        layout: &Layout,
        classes: &Classes,
        n_axes: usize,
        entries: E,
    ) -> Result<Self, E> {
        let mut tables = Self {
            n_coordinates: layout.coordinates.len(),
            n_rules: moves.permutations.len(),
            n_axes,
            n_symmetries: layout.symmetries.len(),
            n_reduced: layout.reduced.len(),
            rules: rules_of(&layout.axes[..n_axes]),
            next: Vec::new(),
            next_at: [0; MOST_COORDINATES],
            strides: [0; MOST_COORDINATES],
            addends: Vec::new(),
            addends_at: [0; MOST_COORDINATES],
            classes: Vec::new(),
            entries,
            unit: moves.unit,
        };
        for (number, coordinate) in layout.coordinates.iter().enumerate() {
            tables.next_at[number] = tables.next.len();
            for next in coordinate.all_next() {
                match T::try_from(*next) {
                    Ok(next) => tables.next.push(next),
                    Err(_) => return Err(tables.entries),
                }
            }
        }
        for (number, stride) in &layout.reduced {
            tables.strides[*number] = *stride;
        }
        for (digit, addends) in zip(&layout.digits, &classes.addends) {
            tables.addends_at[digit.coordinate] = tables.addends.len();
            for addend in addends {
                match T::try_from(*addend) {
                    Ok(addend) => tables.addends.push(addend),
                    Err(_) => return Err(tables.entries),
                }
            }
        }
        tables.classes.clone_from(&classes.entries);
        Ok(tables)
    }

    pub(super) fn n_bytes(&self) -> u64 {
        let numbers = size_of::<T>() * (self.next.len() + self.addends.len());
        8 * self.entries.words().len() as u64 + (4 * self.classes.len() + numbers) as u64
    }

    /// Return the place of the entry of these values; `None` if no state has them. `R`, if not 0,
    /// is the number of reduced coordinates.
    #[inline(always)]
    pub(super) fn index<const R: usize>(&self, values: &[u32]) -> Option<u64> {
        self.index_of_class::<R>(self.raw::<R>(values), values)
    }

    /// Return the place of these values among the classes, and prefetch it.
    #[inline(always)]
    pub(super) fn find_class<const R: usize>(&self, values: &[u32]) -> usize {
        let raw = self.raw::<R>(values);
        prefetch(&self.classes, raw);
        raw
    }

    /// Return the place of these values among the classes.
    #[inline(always)]
    fn raw<const R: usize>(&self, values: &[u32]) -> usize {
        // Digits have no step.
        let reduced =
            values
                .iter()
                .zip(&self.strides)
                .take(if R > 0 { R } else { MOST_COORDINATES });
        reduced
            .map(|(value, stride)| *value as usize * stride)
            .sum()
    }

    /// Return the place of the entry, given the place among the classes.
    #[inline(always)]
    pub(super) fn index_of_class<const R: usize>(&self, raw: usize, values: &[u32]) -> Option<u64> {
        let n_reduced = if R > 0 { R } else { self.n_reduced };
        let entry = self.classes[raw];
        if entry == u32::MAX {
            return None;
        }
        let (class, symmetry) = split(entry);
        let mut index = 0;
        for (value, at) in zip(values, &self.addends_at).skip(n_reduced) {
            let at = at + *value as usize * self.n_symmetries + symmetry;
            index += u64::from(self.addends[at].into());
        }
        Some(self.entries.place(class, index))
    }

    /// Return the values after a rule, for one image.
    #[inline(always)]
    pub(super) fn step<const N: usize>(
        &self,
        axis: usize,
        rule: usize,
        from: &[u32; N],
    ) -> [u32; N] {
        let rule = usize::from(self.rules[axis * self.n_rules + rule]);
        let mut to = [0; N];
        for ((to, from), at) in zip(&mut to, from).zip(&self.next_at) {
            *to = self.next[at + *from as usize * self.n_rules + rule].into();
        }
        to
    }

    /// Return the number of coordinates: `N`, unless that is the maximum.
    #[inline(always)]
    pub(super) fn n<const N: usize>(&self) -> usize {
        if N == MOST_COORDINATES {
            self.n_coordinates
        } else {
            N
        }
    }

    /// Return the values of an image; only as many matter as there are coordinates.
    #[inline(always)]
    fn values<const N: usize>(&self, memo: &CoordinateMemo, axis: usize) -> [u32; N] {
        let n = self.n::<N>();
        let mut values = [0; N];
        values[..n].copy_from_slice(&memo.values[axis * n..][..n]);
        values
    }

    /// Write the memo of a child, and return its estimate; if that exceeds `cutoff`, only a lower
    /// bound above `cutoff`, and any memo.
    #[inline(always)]
    pub(super) fn after<const N: usize, const R: usize>(
        &self,
        rule: usize,
        memo: &CoordinateMemo,
        cutoff: u64,
        child: &mut CoordinateMemo,
    ) -> u64 {
        if memo.distances[0] == DEAD {
            *child = *memo;
            return search::DEAD_END;
        }
        let (mut greatest, mut n_lookups) = (0, 0);
        // Begin with the image whose distance is greatest at the parent.
        let mut axis = farthest(&memo.distances[..self.n_axes]);
        for _ in 0..self.n_axes {
            let (to, distance) = self.child::<N, R>(axis, rule, memo);
            n_lookups += 1;
            let n = self.n::<N>();
            child.values[axis * n..][..n].copy_from_slice(&to[..n]);
            child.distances[axis] = distance;
            greatest = greatest.max(u64::from(distance));
            if u64::from(distance) * self.unit > cutoff {
                break;
            }
            axis += 1;
            if axis == self.n_axes {
                axis = 0;
            }
        }
        count_lookups(n_lookups);
        greatest * self.unit
    }

    /// Return the first distance of a child's images above a cut-off, as a cost.
    #[inline(always)]
    pub(super) fn rejects<const N: usize, const R: usize>(
        &self,
        rule: usize,
        memo: &CoordinateMemo,
        cutoff: u64,
    ) -> Option<u64> {
        if memo.distances[0] == DEAD {
            return None;
        }
        let mut axis = farthest(&memo.distances[..self.n_axes]);
        let (mut found, mut n_lookups) = (None, 0);
        for _ in 0..self.n_axes {
            let (_, distance) = self.child::<N, R>(axis, rule, memo);
            n_lookups += 1;
            let estimate = u64::from(distance) * self.unit;
            if estimate > cutoff {
                found = Some(estimate);
                break;
            }
            axis += 1;
            if axis == self.n_axes {
                axis = 0;
            }
        }
        count_lookups(n_lookups);
        found
    }

    /// Do what [`rejects`](Self::rejects) does for several children of one node, image by image:
    /// the entries of one image are all on their way before the first one is used. Children for
    /// which something is found already are left out.
    #[inline(always)]
    pub(super) fn rejects_all<const N: usize, const R: usize>(
        &self,
        siblings: &[Sibling],
        memo: &CoordinateMemo,
        found: &mut [Option<u64>],
    ) {
        if memo.distances[0] == DEAD {
            return;
        }
        let mut places = [(0, [0; N]); MOST_SIBLINGS];
        let mut indices = [0; MOST_SIBLINGS];
        for (siblings, found) in siblings
            .chunks(MOST_SIBLINGS)
            .zip(found.chunks_mut(MOST_SIBLINGS))
        {
            let mut axis = farthest(&memo.distances[..self.n_axes]);
            let mut n_lookups = 0;
            for _ in 0..self.n_axes {
                let from = self.values(memo, axis);
                let parent = memo.distances[axis];
                let each = || siblings.iter().zip(found.iter());
                for ((sibling, found), place) in each().zip(&mut places) {
                    if found.is_none() {
                        let to = self.step::<N>(axis, sibling.rule.index(), &from);
                        *place = (self.find_class::<R>(&to), to);
                    }
                }
                for ((found, (raw, to)), index) in zip(&mut *found, &places).zip(&mut indices) {
                    if found.is_none() {
                        let found = self.index_of_class::<R>(*raw, &to[..self.n::<N>()]);
                        *index = found.unwrap_or(u64::MAX);
                        if *index != u64::MAX {
                            self.entries.fetch(*index);
                        }
                    }
                }
                let mut n_left = 0;
                for ((sibling, found), index) in siblings.iter().zip(found.iter_mut()).zip(&indices)
                {
                    if found.is_some() {
                        continue;
                    }
                    n_lookups += 1;
                    let distance = match *index {
                        u64::MAX => self.entries.without_entry(parent),
                        index => self.entries.distance(index, parent),
                    };
                    let estimate = u64::from(distance) * self.unit;
                    if estimate > sibling.cutoff {
                        *found = Some(estimate);
                    } else {
                        n_left += 1;
                    }
                }
                if n_left == 0 {
                    break;
                }
                axis += 1;
                if axis == self.n_axes {
                    axis = 0;
                }
            }
            count_lookups(n_lookups);
        }
    }

    /// Return the values and the distance of one image of a child.
    #[inline(always)]
    fn child<const N: usize, const R: usize>(
        &self,
        axis: usize,
        rule: usize,
        memo: &CoordinateMemo,
    ) -> ([u32; N], u8) {
        let to = self.step::<N>(axis, rule, &self.values(memo, axis));
        let parent = memo.distances[axis];
        // The steps of a state that occurs lead to states that occur.
        let distance = match self.index::<R>(&to[..self.n::<N>()]) {
            Some(index) => self.entries.distance(index, parent),
            None => self.entries.without_entry(parent),
        };
        (to, distance)
    }

    /// Prefetch the first entry that a child's estimate needs. Few searches do: most look up
    /// several children together.
    pub(super) fn fetch(&self, rule: usize, memo: &CoordinateMemo) {
        let axis = farthest(&memo.distances[..self.n_axes]);
        let to = self.step::<MOST_COORDINATES>(axis, rule, &self.values(memo, axis));
        if let Some(index) = self.index::<0>(&to[..self.n_coordinates]) {
            self.entries.fetch(index);
        }
    }
}

/// Return, by image, the image of each rule.
fn rules_of(axes: &[Image]) -> Vec<u16> {
    let mut rules = Vec::new();
    for image in axes {
        rules.extend(image.rules.iter().map(|rule| *rule as u16));
    }
    rules
}

/// Return the first image of which the distance is greatest.
#[inline(always)]
fn farthest(distances: &[u8]) -> usize {
    let mut best = 0;
    for (axis, distance) in distances.iter().enumerate() {
        if *distance > distances[best] {
            best = axis;
        }
    }
    best
}
