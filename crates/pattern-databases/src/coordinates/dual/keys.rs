//! The values of the coordinates of dual states: each piece contributes a random number to a key,
//! and a hash table gives the value of the key.

use std::iter::zip;

use psvn_ir::random::SplitMix64;

use super::contents::{Contents, Placed, Rows};
use crate::coordinates::layout::coordinate::Coordinate;
use crate::coordinates::moves::{Image, Moves};

/// The maximum number of different coordinates.
pub(super) const MOST_KEYS: usize = 8;
/// A number of keys whose rows take half of the space.
const FEW_KEYS: usize = 4;
const SEED: u64 = 0x6475_616c;
/// Marks a slot without a value.
const EMPTY: u32 = u32::MAX;

/// The contributions of pieces to keys, and the values of keys.
#[derive(Debug)]
pub(super) struct Keys {
    n_axes: usize,
    n_rows: usize,
    parts: Parts,
    /// By coordinate.
    values: Vec<Values>,
}

/// By image and row: the contribution to the key of each coordinate.
#[derive(Debug)]
enum Parts {
    Few(Vec<[u64; FEW_KEYS]>),
    Many(Vec<[u64; MOST_KEYS]>),
}

fn first_few(part: &[u64; MOST_KEYS]) -> [u64; FEW_KEYS] {
    std::array::from_fn(|i| part[i])
}

/// Combine the contributions of rows.
#[inline(always)]
fn combined<const N: usize>(parts: &[[u64; N]], rows: &Rows) -> [u64; N] {
    let mut keys = [0; N];
    for row in rows.all() {
        for (key, part) in zip(&mut keys, &parts[*row as usize]) {
            *key ^= part;
        }
    }
    keys
}

/// A hash table from a coordinate's keys to its values: open addressing by the lower half of the
/// key, with the upper half as a tag.
#[derive(Debug)]
struct Values {
    slots: Vec<(u32, u32)>,
    mask: usize,
}

impl Values {
    /// Return `None` if two keys look the same.
    fn new(keys: &[(u64, u32)]) -> Option<Self> {
        let n = (keys.len() * 2).next_power_of_two();
        let mut values = Self {
            slots: vec![(0, EMPTY); n],
            mask: n - 1,
        };
        for (key, value) in keys {
            let slot = values.slot(*key);
            if values.slots[slot].1 != EMPTY {
                return None;
            }
            values.slots[slot] = ((key >> 32) as u32, *value);
        }
        // A later key may hide an earlier one.
        let found = |(key, value): &(u64, u32)| values.get(*key) == Some(*value);
        keys.iter().all(found).then_some(values)
    }

    /// Return the slot with a key's tag, or an empty one.
    #[inline(always)]
    fn slot(&self, key: u64) -> usize {
        let tag = (key >> 32) as u32;
        let mut slot = key as usize & self.mask;
        while self.slots[slot].1 != EMPTY && self.slots[slot].0 != tag {
            slot = (slot + 1) & self.mask;
        }
        slot
    }

    #[inline(always)]
    fn get(&self, key: u64) -> Option<u32> {
        let value = self.slots[self.slot(key)].1;
        (value != EMPTY).then_some(value)
    }
}

impl Keys {
    /// Return `None` if there are too many coordinates.
    pub(super) fn new(
        moves: &Moves,
        contents: &Contents,
        axes: &[Image],
        coordinates: &[&Coordinate],
    ) -> Option<Self> {
        if coordinates.len() > MOST_KEYS {
            return None;
        }
        let mut random = SplitMix64::new(SEED);
        let mut parts = vec![[0; MOST_KEYS]; axes.len() * contents.n_rows];
        let mut values = Vec::new();
        let placed: Vec<Placed> = contents.placed(moves).collect();
        for (number, coordinate) in coordinates.iter().enumerate() {
            // By place and color.
            let n_colors = 1 + coordinate
                .places
                .iter()
                .map(|place| coordinate.coloring.color(*place))
                .max()
                .map_or(0, usize::from);
            let mut slot = vec![None; moves.n_positions];
            for (i, place) in coordinate.places.iter().enumerate() {
                slot[*place] = Some(i * n_colors);
            }
            let n_parts = n_colors * coordinate.places.len();
            let of_color: Vec<u64> = (0..n_parts).map(|_| random.next_u64()).collect();
            let part = |place: usize, color: usize| slot[place].map(|at| of_color[at + color]);
            for (axis, image) in axes.iter().enumerate() {
                for placed in &placed {
                    let mut key = 0;
                    // In the dual state, the content of a home is from where the content is.
                    for (place, home) in zip(&placed.places, &placed.homes) {
                        let (there, from) = (image.positions[*home], image.positions[*place]);
                        let color = usize::from(coordinate.coloring.color(from));
                        key ^= part(there, color).unwrap_or(0);
                    }
                    parts[axis * contents.n_rows + placed.row][number] = key;
                }
            }
            let key = |value: u32| {
                let colors = zip(&coordinate.places, coordinate.colors(value));
                let parts = colors.filter_map(|(place, color)| part(*place, usize::from(*color)));
                parts.fold(0, |key, part| key ^ part)
            };
            let keys = coordinate.occurring();
            let keys: Vec<(u64, u32)> = keys.into_iter().map(|value| (key(value), value)).collect();
            values.push(Values::new(&keys)?);
        }
        let parts = match values.len() {
            0..=FEW_KEYS => Parts::Few(parts.iter().map(first_few).collect()),
            _ => Parts::Many(parts),
        };
        Some(Self {
            n_axes: axes.len(),
            n_rows: contents.n_rows,
            parts,
            values,
        })
    }

    pub(super) fn n_axes(&self) -> usize {
        self.n_axes
    }

    pub(super) fn n_bytes(&self) -> u64 {
        let slots: usize = self.values.iter().map(|it| it.slots.len()).sum();
        let parts = match &self.parts {
            Parts::Few(parts) => size_of_val(&parts[..]),
            Parts::Many(parts) => size_of_val(&parts[..]),
        };
        (parts + slots * size_of::<(u32, u32)>()) as u64
    }

    /// Return the value of each coordinate of an image of the dual of a state with these rows;
    /// `None` if one has none.
    #[inline(always)]
    pub(super) fn values(&self, axis: usize, rows: &Rows) -> Option<[u32; MOST_KEYS]> {
        let of_axis = axis * self.n_rows..(axis + 1) * self.n_rows;
        match &self.parts {
            Parts::Few(parts) => self.of_keys(combined(&parts[of_axis], rows)),
            Parts::Many(parts) => self.of_keys(combined(&parts[of_axis], rows)),
        }
    }

    #[inline(always)]
    fn of_keys<const N: usize>(&self, keys: [u64; N]) -> Option<[u32; MOST_KEYS]> {
        let mut values = [0; MOST_KEYS];
        for ((value, key), of_key) in values.iter_mut().zip(keys).zip(&self.values) {
            *value = of_key.get(key)?;
        }
        Some(values)
    }
}
