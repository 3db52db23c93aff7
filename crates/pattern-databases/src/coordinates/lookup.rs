//! Look-ups along a path: coordinates change by tables, and an entry tells how far the distance is
//! from the parent's.

use bytemuck::{Pod, Zeroable};
use psvn_ir::{RuleId, Value};
use search::{Cell, DEAD_END, Heuristic};

use super::CoordinateTable;
use super::build::UNREACHED;
use super::classes::{Classes, split};
use super::layout::{ALIGNED, Layout};
use super::moves::Moves;

/// The maximum number of values of coordinates of a node, over all images.
const MOST_VALUES: usize = 14;
/// The maximum number of images that are looked up.
const MOST_AXES: usize = 8;
/// The distance of a state from which the goal can't be reached.
const DEAD: u8 = u8::MAX;

/// The data kept for a node: the values of the coordinates of each image of the state, and the
/// distance of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct CoordinateMemo {
    values: [u32; MOST_VALUES],
    distances: [u8; MOST_AXES],
}

/// Numbers, in two bytes each where that is enough.
#[derive(Debug)]
enum Numbers {
    Short(Vec<u16>),
    Long(Vec<u32>),
}

impl Numbers {
    fn new(numbers: &[u32]) -> Self {
        let short: Option<Vec<u16>> = numbers.iter().map(|it| u16::try_from(*it).ok()).collect();
        short.map_or_else(|| Self::Long(numbers.to_vec()), Self::Short)
    }

    #[inline(always)]
    fn get(&self, i: usize) -> u32 {
        match self {
            Self::Short(numbers) => u32::from(numbers[i]),
            Self::Long(numbers) => numbers[i],
        }
    }

    fn n_bytes(&self) -> usize {
        match self {
            Self::Short(numbers) => 2 * numbers.len(),
            Self::Long(numbers) => 4 * numbers.len(),
        }
    }
}

/// The part of a coordinate in the number of an entry.
#[derive(Debug)]
enum Part {
    /// A step of the raw value.
    Reduced(usize),
    /// By value and symmetry: the addend.
    Digit(Numbers),
}

/// Tables for look-ups.
#[derive(Debug)]
pub(super) struct Lookup {
    n_rules: usize,
    n_symmetries: usize,
    n_axes: usize,
    /// By image: the image of each rule.
    rules: Vec<u16>,
    /// By coordinate: the next value, by value and rule.
    next: Vec<Numbers>,
    parts: Vec<Part>,
    /// By raw value: class and symmetry.
    classes: Vec<u32>,
    per_class: u64,
    n_classes: u64,
    words: Vec<u64>,
    goal: u64,
    unit: u64,
}

/// Return the number of images that are looked up.
pub(super) fn n_axes(layout: &Layout) -> usize {
    let most = MOST_VALUES / layout.coordinates.len().max(1);
    layout.axes.len().min(most).min(MOST_AXES)
}

impl Lookup {
    pub(super) fn new(moves: &Moves, layout: &Layout, classes: &Classes) -> Self {
        let n_axes = n_axes(layout);
        let rules = layout.axes[..n_axes].iter().flat_map(|image| &image.rules);
        let next = layout.coordinates.iter().map(|it| Numbers::new(it.all_next()));
        let part = |number: usize| {
            let digits = layout.digits.iter().zip(&classes.addends);
            let digit = digits.into_iter().find(|(digit, _)| digit.coordinate == number);
            match digit {
                Some((_, addends)) => Part::Digit(Numbers::new(addends)),
                None => {
                    let mut reduced = layout.reduced.iter();
                    let found = reduced.find(|(other, _)| *other == number);
                    Part::Reduced(found.expect("a coordinate is reduced or a digit").1)
                }
            }
        };
        let mut lookup = Self {
            n_rules: moves.permutations.len(),
            n_symmetries: layout.symmetries.len(),
            n_axes,
            rules: rules.map(|rule| *rule as u16).collect(),
            next: next.collect(),
            parts: (0..layout.coordinates.len()).map(part).collect(),
            classes: classes.entries.clone(),
            per_class: layout.per_class,
            n_classes: classes.first.len() as u64,
            words: Vec::new(),
            goal: 0,
            unit: moves.unit,
        };
        let homes: Vec<usize> = (0..moves.n_positions).collect();
        let goal = values(layout, &homes).expect("each coordinate has the goal's value");
        lookup.goal = lookup.index(&goal).expect("the goal has a class");
        lookup
    }

    pub(super) fn with_entries(self, words: Vec<u64>) -> Self {
        Self { words, ..self }
    }

    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    pub(super) fn n_words(&self) -> u64 {
        self.n_entries() / ALIGNED
    }

    /// Return the number of the goal's entry.
    pub(super) fn goal(&self) -> u64 {
        self.goal
    }

    pub(super) fn n_entries(&self) -> u64 {
        self.n_classes * self.per_class
    }

    pub(super) fn n_axes(&self) -> usize {
        self.n_axes
    }

    pub(super) fn n_bytes(&self) -> u64 {
        let part = |part: &Part| match part {
            Part::Reduced(_) => 0,
            Part::Digit(numbers) => numbers.n_bytes(),
        };
        let coordinates: usize = self.next.iter().map(Numbers::n_bytes).sum();
        let parts: usize = self.parts.iter().map(part).sum();
        let classes = 4 * self.classes.len();
        8 * self.n_words() + (coordinates + parts + classes) as u64
    }

    /// Return the number of the entry of a state; `None` if no state has these values.
    #[inline(always)]
    fn index(&self, values: &[u32]) -> Option<u64> {
        let mut raw = 0;
        for (part, value) in self.parts.iter().zip(values) {
            if let Part::Reduced(stride) = part {
                raw += *value as usize * stride;
            }
        }
        let entry = self.classes[raw];
        if entry == u32::MAX {
            return None;
        }
        let (class, symmetry) = split(entry);
        let mut index = u64::from(class) * self.per_class;
        for (part, value) in self.parts.iter().zip(values) {
            if let Part::Digit(addends) = part {
                index += u64::from(addends.get(*value as usize * self.n_symmetries + symmetry));
            }
        }
        Some(index)
    }

    #[inline(always)]
    fn entry(&self, index: u64) -> u64 {
        self.words[(index / ALIGNED) as usize] >> (index % ALIGNED * 2) & 3
    }

    /// Put the values of the coordinates after a rule, for one image.
    #[inline(always)]
    fn step(&self, axis: usize, rule: usize, from: &[u32], to: &mut [u32]) {
        let rule = usize::from(self.rules[axis * self.n_rules + rule]);
        for ((next, from), to) in self.next.iter().zip(from).zip(to) {
            *to = next.get(*from as usize * self.n_rules + rule);
        }
    }

    /// Return the distance of values that were reached from nowhere, by a way to the goal.
    fn distance(&self, values: &[u32]) -> Option<u8> {
        let index = |values: &[u32]| self.index(values).filter(|index| self.entry(*index) != UNREACHED);
        let mut at = values.to_vec();
        let mut here = index(&at)?;
        let mut distance = 0;
        while here != self.goal {
            let wanted = (self.entry(here) + 2) % 3;
            let mut there = at.clone();
            let next = (0..self.n_rules).find_map(|rule| {
                // The first image is the state itself.
                self.step(0, rule, &at, &mut there);
                index(&there).filter(|index| self.entry(*index) == wanted)
            });
            here = next?;
            at = there;
            distance += 1;
        }
        Some(distance)
    }

    fn greatest(&self, distances: &[u8]) -> u64 {
        match distances.iter().max() {
            None | Some(&DEAD) => DEAD_END,
            Some(most) => u64::from(*most) * self.unit,
        }
    }
}

/// Return the value of each coordinate of a state, given by the home of what is at each position.
fn values(layout: &Layout, homes: &[usize]) -> Option<Vec<u32>> {
    layout.coordinates.iter().map(|it| it.of_homes(homes)).collect()
}

impl CoordinateTable {
    /// Return the memo of a state that was reached from nowhere.
    fn first(&self, homes: Option<Vec<usize>>) -> CoordinateMemo {
        let mut memo = CoordinateMemo::zeroed();
        let n = self.layout.coordinates.len();
        for (axis, image) in self.layout.axes[..self.lookup.n_axes].iter().enumerate() {
            let found = homes.as_ref().and_then(|homes| {
                let mut there = homes.clone();
                for (place, home) in homes.iter().enumerate() {
                    there[image.positions[place]] = image.positions[*home];
                }
                let values = values(&self.layout, &there)?;
                Some((self.lookup.distance(&values)?, values))
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

    /// Return the estimate of a child and its memo; if the estimate exceeds `enough`, only a lower
    /// bound above `enough`.
    #[inline(always)]
    fn after(&self, rule: usize, memo: &CoordinateMemo, enough: u64) -> (u64, CoordinateMemo) {
        let lookup = &self.lookup;
        let n = lookup.parts.len();
        let mut child = CoordinateMemo::zeroed();
        let mut greatest = 0;
        // Begin where the parent is farthest.
        let mut axis = farthest(&memo.distances[..lookup.n_axes]);
        for _ in 0..lookup.n_axes {
            let distance = memo.distances[axis];
            let to = &mut child.values[axis * n..][..n];
            lookup.step(axis, rule, &memo.values[axis * n..][..n], to);
            let distance = match lookup.index(to) {
                Some(index) if distance != DEAD => next_distance(distance, lookup.entry(index)),
                _ => DEAD,
            };
            child.distances[axis] = distance;
            let estimate = lookup.greatest(&[distance]);
            greatest = greatest.max(estimate);
            if greatest > enough {
                break;
            }
            axis += 1;
            if axis == lookup.n_axes {
                axis = 0;
            }
        }
        (greatest, child)
    }
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

/// Return a distance given that of a neighbor, and its entry.
#[inline(always)]
fn next_distance(distance: u8, entry: u64) -> u8 {
    // 0, 1 or 2 more than one less.
    let before = (u64::from(distance) + 2) % 3;
    let more = (entry + 3 - before) % 3;
    distance + more as u8 - 1
}

impl Heuristic for CoordinateTable {
    type Memo = CoordinateMemo;

    fn estimate<C: Cell>(&self, state: &[C]) -> u64 {
        self.start(state).0
    }

    fn start<C: Cell>(&self, state: &[C]) -> (u64, CoordinateMemo) {
        let state: Vec<Value> = state.iter().map(|cell| cell.value()).collect();
        let memo = self.first(self.moves.homes(&state));
        (self.lookup.greatest(&memo.distances[..self.lookup.n_axes]), memo)
    }

    #[inline]
    fn child<C: Cell>(
        &self,
        rule: RuleId,
        _: &[C],
        memo: &CoordinateMemo,
        _: &[C],
    ) -> (u64, CoordinateMemo) {
        self.after(rule.index(), memo, u64::MAX)
    }

    #[inline]
    fn child_bounded<C: Cell>(
        &self,
        rule: RuleId,
        _: &[C],
        memo: &CoordinateMemo,
        _: &[C],
        cutoff: u64,
    ) -> (u64, CoordinateMemo) {
        self.after(rule.index(), memo, cutoff)
    }

    fn has_prefetch(&self) -> bool {
        true
    }

    #[inline]
    fn prefetch(&self, rule: RuleId, memo: &CoordinateMemo) {
        let lookup = &self.lookup;
        let n = lookup.parts.len();
        let axis = farthest(&memo.distances[..lookup.n_axes]);
        let mut to = [0; MOST_VALUES];
        lookup.step(axis, rule.index(), &memo.values[axis * n..][..n], &mut to[..n]);
        if let Some(index) = lookup.index(&to[..n]) {
            fetch(&lookup.words, (index / ALIGNED) as usize);
        }
    }
}

/// Prefetch a word.
#[inline(always)]
fn fetch(words: &[u64], i: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        if let Some(word) = words.get(i) {
            // SAFETY: the address is that of a word of the table, and a prefetch reads nothing into
            // the program.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast()) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (words, i);
}
