//! Coordinates: the colors of the positions of one orbit, as a number, with a table of moves.

use ahash::AHashMap;

use super::coloring::Coloring;
use crate::coordinates::moves::Moves;
use crate::progress::{BuildError, Options};

/// The number of states that are enumerated between two checks of the limits.
const STATES_PER_LOOK: usize = 1 << 12;

/// The colors of one orbit's positions in a state, as a number that rules change.
#[derive(Clone, Debug)]
pub(crate) struct Coordinate {
    /// The colors in the goal; all positions of other orbits have one color.
    pub(crate) coloring: Coloring,
    /// The positions of the orbit.
    pub(crate) places: Vec<usize>,
    /// The number of values, including values that don't occur.
    pub(crate) n: usize,
    n_rules: usize,
    /// By value: the color at each of the places.
    colors: Vec<u8>,
    values: AHashMap<Box<[u8]>, u32>,
    /// By value and rule: the next value.
    next: Vec<u32>,
}

impl Coordinate {
    /// Enumerate the values that can be reached from the goal. `None` if there are more than
    /// `most`.
    pub(crate) fn enumerate(
        moves: &Moves,
        places: &[usize],
        coloring: &Coloring,
        most: usize,
        options: &Options<'_>,
    ) -> Result<Option<Self>, BuildError> {
        let mut in_orbit = vec![false; moves.n_positions];
        places.iter().for_each(|place| in_orbit[*place] = true);
        let keys = (0..moves.n_positions).map(|i| in_orbit[i].then(|| coloring.color(i)));
        let coloring = Coloring::of(keys);
        if places
            .iter()
            .any(|place| coloring.color(*place) > u16::from(u8::MAX))
        {
            return Ok(None);
        }
        let mut slot = vec![usize::MAX; moves.n_positions];
        places
            .iter()
            .enumerate()
            .for_each(|(i, place)| slot[*place] = i);
        // By rule: the slot that each slot's color goes to.
        let to = |permutation: &Vec<usize>| -> Vec<usize> {
            places
                .iter()
                .map(|place| slot[permutation[*place]])
                .collect()
        };
        let rules: Vec<Vec<usize>> = moves.permutations.iter().map(to).collect();
        let goal: Box<[u8]> = places
            .iter()
            .map(|place| coloring.color(*place) as u8)
            .collect();
        let width = places.len();
        let mut colors = goal.to_vec();
        let mut values = AHashMap::from([(goal, 0_u32)]);
        let mut next = Vec::new();
        let mut there = vec![0; width];
        let mut value = 0;
        while value < values.len() {
            if value % STATES_PER_LOOK == 0 {
                options.poll()?;
            }
            for rule in &rules {
                for (color, to) in colors[value * width..][..width].iter().zip(rule) {
                    there[*to] = *color;
                }
                let number = match values.get(&there[..]) {
                    Some(number) => *number,
                    None => {
                        let number = values.len() as u32;
                        if values.len() == most {
                            return Ok(None);
                        }
                        values.insert(there.clone().into(), number);
                        colors.extend_from_slice(&there);
                        number
                    }
                };
                next.push(number);
            }
            value += 1;
        }
        Ok(Some(Self {
            coloring,
            places: places.to_vec(),
            n: values.len(),
            n_rules: rules.len(),
            colors,
            values,
            next,
        }))
    }

    /// Number the values so that those with the same value of a coarser coordinate are adjacent.
    /// Return the coordinate with the number of its values for each value of the coarser one.
    pub(crate) fn grouped_by(&self, coarse: &Self) -> Option<(Self, usize)> {
        let color = coarse.coloring.by_finer(&self.coloring);
        let coarse_value = |value: u32| {
            let colors = self.colors(value).iter();
            let colors: Vec<u8> = colors.map(|it| color[usize::from(*it)] as u8).collect();
            coarse.value(&colors)
        };
        let parents: Vec<u32> = (0..self.n as u32)
            .map(coarse_value)
            .collect::<Option<_>>()?;
        let mut count = vec![0_u32; coarse.n];
        let mut place = |parent: u32| {
            let place = &mut count[parent as usize];
            *place += 1;
            *place - 1
        };
        let places: Vec<u32> = parents.iter().map(|parent| place(*parent)).collect();
        // The group of the moves exchanges the values of the coarser one, so all have equally many.
        let fan = *count.first()?;
        if count.iter().any(|n| *n != fan) {
            return None;
        }
        let number = |value: u32| parents[value as usize] * fan + places[value as usize];
        let n = coarse.n * fan as usize;
        let width = self.places.len();
        let mut grouped = Self {
            n,
            colors: vec![0; n * width],
            values: self
                .values
                .iter()
                .map(|(key, value)| (key.clone(), number(*value)))
                .collect(),
            next: vec![0; n * self.n_rules],
            ..self.clone()
        };
        for value in 0..self.n as u32 {
            let to = number(value) as usize;
            grouped.colors[to * width..][..width].copy_from_slice(self.colors(value));
            for rule in 0..self.n_rules {
                grouped.next[to * self.n_rules + rule] = number(self.next(value, rule));
            }
        }
        Some((grouped, fan as usize))
    }

    /// Return the color at each of the places.
    pub(crate) fn colors(&self, value: u32) -> &[u8] {
        &self.colors[value as usize * self.places.len()..][..self.places.len()]
    }

    /// Return the value with these colors at the places, if it can be reached.
    pub(crate) fn value(&self, colors: &[u8]) -> Option<u32> {
        self.values.get(colors).copied()
    }

    /// Return the value after a rule.
    pub(crate) fn next(&self, value: u32, rule: usize) -> u32 {
        self.next[value as usize * self.n_rules + rule]
    }

    /// Return the table of moves, by value and rule.
    pub(crate) fn all_next(&self) -> &[u32] {
        &self.next
    }

    /// Return whether each value means the same as in another coordinate.
    pub(crate) fn has_same_values(&self, other: &Self) -> bool {
        self.places == other.places
            && self.coloring == other.coloring
            && self.values == other.values
    }

    /// Return the values that occur.
    pub(crate) fn occurring(&self) -> Vec<u32> {
        let mut occurring: Vec<u32> = self.values.values().copied().collect();
        occurring.sort_unstable();
        occurring
    }

    /// Return the value of a state, given by the home of each position's content.
    pub(crate) fn of_homes(&self, homes: &[usize]) -> Option<u32> {
        let color = |place: &usize| self.coloring.color(homes[*place]) as u8;
        let colors: Vec<u8> = self.places.iter().map(color).collect();
        self.value(&colors)
    }

    /// Return the bytes of its tables, roughly.
    pub(crate) fn bytes(&self) -> u128 {
        let each = 4 * self.n_rules + 3 * self.places.len() + 32;
        self.n as u128 * each as u128
    }
}
