//! Looking states up in a list of entries.
//!
//! A list should ascend: by the last value first, then by the one before it, and so on. A list in
//! another order isn't refused for that. Some of its entries aren't found then, and what isn't
//! found proves nothing. What is found is compared with the state, so an order can't deceive.
//!
//! A verified checker defines which entries of a list in disorder are found, and this one finds the
//! same, so that both give the same verdict on every file. Therefore values are packed into the
//! same numbers, and the search halves its range in the same way. In a list that ascends all
//! entries are found, so that a hash table can do it.

use std::cmp::Ordering;

use ahash::RandomState;

use crate::costs::entries::Entries;

/// The greatest number that the verified checker calculates with.
const GREATEST: u64 = (1 << 62) - 1;

/// The values of one number of a key, as a number of base `radix`, are below this.
const MOST_IN_NUMBER: u64 = 1 << 40;

/// A number exceeds 2^62 - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Overflow;

/// How states are packed into keys: several values make one number, and the last values come first
/// in a key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packing {
    radix: u64,
    /// The values in one number.
    in_number: usize,
}

impl Packing {
    /// The packing for states of these domains.
    pub(crate) fn of(domains: &[u32]) -> Self {
        let radix = u64::from(domains.iter().copied().max().unwrap_or(1).max(1));
        let powers = std::iter::successors(Some(radix), |power: &u64| power.checked_mul(radix));
        let in_number = if radix == 1 {
            31
        } else {
            powers.take_while(|power| *power <= MOST_IN_NUMBER).count()
        };
        Self { radix, in_number }
    }

    /// Whether all values are below the radix. Keys of such states are as different as the states,
    /// and their order is that of the states read from the last value on.
    fn is_faithful(self, state: &[u32]) -> bool {
        state.iter().all(|value| u64::from(*value) < self.radix)
    }

    /// The key of a state, its first number being the most significant one.
    fn key(self, state: &[u32]) -> Result<Vec<u64>, Overflow> {
        let number = |values: &[u32]| {
            let mut sum = 0_u64;
            let mut power = 1;
            for value in values {
                let part = u64::from(*value)
                    .checked_mul(power)
                    .filter(|part| *part <= GREATEST)
                    .ok_or(Overflow)?;
                sum += part;
                if sum > GREATEST {
                    return Err(Overflow);
                }
                power *= self.radix;
            }
            Ok(sum)
        };
        if state.is_empty() {
            return Ok(vec![0]);
        }
        state.chunks(self.in_number).rev().map(number).collect()
    }
}

/// Entries in which states can be looked up.
#[derive(Debug)]
pub(crate) struct Table<'c> {
    entries: &'c Entries,
    packing: Packing,
    places: Places,
}

#[derive(Debug)]
enum Places {
    /// All entries are found. Each has its index in one of the slots from the hash of its state on;
    /// slots that are free have [`FREE`]. Their number is a power of 2.
    Hashed { slots: Vec<u32>, state: RandomState },
    /// The keys of all entries, in their order.
    Keys(Vec<u64>),
}

const FREE: u32 = u32::MAX;

impl<'c> Table<'c> {
    pub(crate) fn new(entries: &'c Entries, packing: Packing) -> Result<Self, Overflow> {
        let places = if ascends(entries, packing) {
            hashed(entries)
        } else {
            let mut keys = Vec::new();
            let mut state = Vec::new();
            for index in 0..entries.len() {
                entries.read_state(index, &mut state);
                keys.extend(packing.key(&state)?);
            }
            Places::Keys(keys)
        };
        Ok(Self {
            entries,
            packing,
            places,
        })
    }

    /// The number of a state, if it is found.
    pub(crate) fn find(&self, state: &[u32]) -> Result<Option<u64>, Overflow> {
        let found = match &self.places {
            Places::Keys(keys) => self.find_key(keys, &self.packing.key(state)?),
            // No such state is listed, but the verified checker may stop here.
            Places::Hashed { .. } if !self.packing.is_faithful(state) => {
                return self.packing.key(state).map(|_| None);
            }
            Places::Hashed { slots, state: hash } => {
                let mut at = hash.hash_one(state) as usize;
                loop {
                    at &= slots.len() - 1;
                    let index = slots[at];
                    if index == FREE {
                        return Ok(None);
                    }
                    if self.entries.is_state(index as usize, state) {
                        break Some(index as usize);
                    }
                    at += 1;
                }
            }
        };
        let same = found.filter(|index| self.entries.is_state(*index, state));
        Ok(same.map(|index| self.entries.number(index)))
    }

    /// The entry with a key that halving the list leads to.
    fn find_key(&self, keys: &[u64], key: &[u64]) -> Option<usize> {
        let (mut first, mut n) = (0, self.entries.len());
        while n > 0 {
            let left = n / 2;
            let middle = first + left;
            match key.cmp(&keys[middle * key.len()..][..key.len()]) {
                Ordering::Equal => return Some(middle),
                Ordering::Less => n = left,
                Ordering::Greater => (first, n) = (middle + 1, n - left - 1),
            }
        }
        None
    }
}

/// Whether the keys ascend, and differ wherever states differ.
fn ascends(entries: &Entries, packing: Packing) -> bool {
    let (mut before, mut state) = (Vec::new(), Vec::new());
    (0..entries.len()).all(|index| {
        entries.read_state(index, &mut state);
        let is_next = index == 0 || before.iter().rev().lt(state.iter().rev());
        std::mem::swap(&mut before, &mut state);
        is_next && packing.is_faithful(&before)
    })
}

fn hashed(entries: &Entries) -> Places {
    let mut slots = vec![FREE; (2 * entries.len() + 1).next_power_of_two()];
    let hash = RandomState::new();
    let mut state = Vec::new();
    for index in 0..entries.len() {
        entries.read_state(index, &mut state);
        let mut at = hash.hash_one(&state[..]) as usize;
        loop {
            at &= slots.len() - 1;
            if slots[at] == FREE {
                break;
            }
            at += 1;
        }
        slots[at] = u32::try_from(index).expect("a file of fewer than 2^32 entries");
    }
    Places::Hashed { slots, state: hash }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_values_make_a_number_as_fit_40_bits() {
        let in_number = |size| Packing::of(&[1, size]).in_number;
        assert_eq!(
            [1, 2, 3, 16, 999_999_999].map(in_number),
            [31, 40, 25, 10, 1]
        );
        let packing = Packing::of(&[16; 3]);
        assert_eq!(packing.key(&[1, 2, 3]), Ok(vec![0x321]));
        let long: Vec<u32> = (0..12).collect();
        assert_eq!(packing.key(&long), Ok(vec![0xba, 0x98_7654_3210]));
        assert_eq!(packing.key(&[]), Ok(vec![0]));
        let mut wide = vec![0; 10];
        wide[9] = 999_999_999;
        assert_eq!(packing.key(&wide), Err(Overflow));
    }

    /// A hash table finds what halving the list finds.
    #[test]
    fn lists_in_order_are_hashed() {
        let packing = Packing::of(&[300, 4]);
        let mut entries = Entries::of_width(2);
        for number in 0..1200 {
            entries.push(&[number % 300, number / 300], number, 1);
        }
        let table = Table::new(&entries, packing).expect("small numbers");
        assert!(matches!(table.places, Places::Hashed { .. }));
        for number in 0..1200 {
            let found = table.find(&[number % 300, number / 300]);
            assert_eq!(found, Ok(Some(number.into())));
        }
        assert_eq!(table.find(&[0, 4]), Ok(None));
        assert_eq!(table.find(&[300, 0]), Ok(None));
        // In disorder, halving leads away from most entries.
        entries.push(&[0, 0], 7, 1);
        let table = Table::new(&entries, packing).expect("small numbers");
        assert!(matches!(table.places, Places::Keys(_)));
        assert_eq!(table.find(&[0, 0]), Ok(Some(0)));
    }
}
