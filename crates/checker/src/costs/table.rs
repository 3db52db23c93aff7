//! Lists of states with a number each, as a certificate has them, and looking states up in them.
//!
//! A list should ascend: by the last value first, then by the one before it, and so on. A list in
//! another order isn't refused for that. Some of its entries aren't found then, and what isn't
//! found proves nothing. What is found is compared with the state, so an order can't deceive.
//!
//! A verified checker defines which entries of a list in disorder are found, and this one finds the
//! same, so that both give the same verdict on every file. Therefore values are packed into the
//! same numbers, and the search halves its range in the same way.

use std::cmp::Ordering;

/// The greatest number that the verified checker calculates with.
const GREATEST: u64 = (1 << 62) - 1;

/// The values of one number of a key, as a number of base `radix`, are below this.
const MOST_IN_NUMBER: u64 = 1 << 40;

/// A number exceeds 2^62 - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Overflow;

/// States of a width with a number each, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Entries {
    pub(super) width: usize,
    pub(super) values: Vec<u32>,
    pub(super) numbers: Vec<u64>,
    /// The lines of the file, from 1.
    pub(super) lines: Vec<u32>,
}

impl Entries {
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    pub(super) fn state(&self, index: usize) -> &[u32] {
        &self.values[index * self.width..][..self.width]
    }
}

/// How states are packed into keys: several values make one number, and the last values come first
/// in a key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packing {
    radix: u64,
    /// The values in one number.
    in_number: usize,
}

impl Packing {
    /// The packing for states of these domains.
    pub(super) fn of(domains: &[u32]) -> Self {
        let radix = domains.iter().copied().max().unwrap_or(1).max(1).into();
        let powers = std::iter::successors(Some(radix), |power| Some(power * radix));
        let in_number = if radix == 1 {
            31
        } else {
            powers.take_while(|power| *power <= MOST_IN_NUMBER).count()
        };
        Self { radix, in_number }
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

/// Entries with their keys.
#[derive(Debug)]
pub(super) struct Table<'c> {
    entries: &'c Entries,
    packing: Packing,
    keys: Vec<u64>,
}

impl<'c> Table<'c> {
    pub(super) fn new(entries: &'c Entries, packing: Packing) -> Result<Self, Overflow> {
        let mut keys = Vec::new();
        for index in 0..entries.len() {
            keys.extend(packing.key(entries.state(index))?);
        }
        Ok(Self {
            entries,
            packing,
            keys,
        })
    }

    /// The number of a state, if it is found.
    pub(super) fn find(&self, state: &[u32]) -> Result<Option<u64>, Overflow> {
        let key = self.packing.key(state)?;
        let (mut first, mut n) = (0, self.entries.len());
        while n > 0 {
            let left = n / 2;
            let middle = first + left;
            match key[..].cmp(&self.keys[middle * key.len()..][..key.len()]) {
                Ordering::Equal => {
                    let found = self.entries.state(middle) == state;
                    return Ok(found.then(|| self.entries.numbers[middle]));
                }
                Ordering::Less => n = left,
                Ordering::Greater => (first, n) = (middle + 1, n - left - 1),
            }
        }
        Ok(None)
    }
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
}
