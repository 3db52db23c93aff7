//! Positions by number, in a few large arrays with counted memory.

use psvn_ir::Value;

/// The maximum number of positions: numbers have 32 bits, and one of them marks a free slot.
pub(crate) const MOST_POSITIONS: usize = u32::MAX as usize;

/// Marks a free slot.
const FREE: u32 = u32::MAX;

/// The initial number of slots of an index. A power of two.
const FIRST_SLOTS: usize = 64;

/// The bytes that may still be used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room(pub(crate) usize);

/// No memory is left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoRoom;

impl Room {
    /// Make room for more items if a list is full: a quarter more. While the list moves, both
    /// allocations exist, so both must fit.
    pub(crate) fn reserve<T>(self, items: &mut Vec<T>, more: usize) -> Result<(), NoRoom> {
        if items.capacity() - items.len() >= more {
            return Ok(());
        }
        let wanted = items.len() + more.max(items.len() / 4).max(64);
        let bytes = wanted.checked_mul(size_of::<T>()).ok_or(NoRoom)?;
        if bytes > self.0 {
            return Err(NoRoom);
        }
        items
            .try_reserve_exact(wanted - items.len())
            .map_err(|_| NoRoom)
    }
}

/// Return the bytes of a list, including its unused capacity.
pub(crate) fn bytes_of<T>(items: &Vec<T>) -> usize {
    items.capacity() * size_of::<T>()
}

/// A set of positions, numbered in the order of insertion.
///
/// The values of all positions are in one array, and an index of 32-bit numbers, at most three
/// quarters full, finds them: 4 bytes for each variable, and 5 to 11 for the index.
#[derive(Debug)]
pub(crate) struct Positions {
    n_variables: usize,
    values: Vec<Value>,
    len: usize,
    slots: Vec<u32>,
    hasher: ahash::RandomState,
}

impl Positions {
    /// Make an empty set for a game with `n_variables` variables.
    pub(crate) fn new(n_variables: usize) -> Self {
        Self {
            n_variables,
            values: Vec::new(),
            len: 0,
            slots: vec![FREE; FIRST_SLOTS],
            // The memory of a run must not depend on random hashes.
            hasher: ahash::RandomState::with_seeds(1, 2, 3, 4),
        }
    }

    /// Return the number of positions.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Return the values of a position.
    pub(crate) fn get(&self, number: usize) -> &[Value] {
        &self.values[number * self.n_variables..(number + 1) * self.n_variables]
    }

    /// Return the size of the set in bytes.
    pub(crate) fn bytes(&self) -> usize {
        bytes_of(&self.values) + bytes_of(&self.slots)
    }

    /// Return the slot of a position in the index, or the one where it would be.
    fn slot(&self, values: &[Value]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = self.hasher.hash_one(values) as usize & mask;
        loop {
            let number = self.slots[slot];
            if number == FREE || self.get(number as usize) == values {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Return the number of a position.
    pub(crate) fn find(&self, values: &[Value]) -> Option<u32> {
        if values.len() != self.n_variables {
            return None;
        }
        Some(self.slots[self.slot(values)]).filter(|number| *number != FREE)
    }

    /// Return the number of a position; add it if it is missing and there is room for it.
    pub(crate) fn place(&mut self, values: &[Value], room: Room) -> Result<u32, NoRoom> {
        let mut slot = self.slot(values);
        if self.slots[slot] != FREE {
            return Ok(self.slots[slot]);
        }
        if self.len + 1 >= MOST_POSITIONS {
            return Err(NoRoom);
        }
        if (self.len + 1) * 4 > self.slots.len() * 3 {
            self.grow(room)?;
            slot = self.slot(values);
        }
        room.reserve(&mut self.values, self.n_variables)?;
        let number = self.len as u32;
        self.values.extend_from_slice(values);
        self.slots[slot] = number;
        self.len += 1;
        Ok(number)
    }

    /// Double the index. The old one is freed first: its content is recomputed from the values.
    fn grow(&mut self, room: Room) -> Result<(), NoRoom> {
        let n_slots = self.slots.len() * 2;
        let old = bytes_of(&self.slots);
        if n_slots * size_of::<u32>() > room.0.saturating_add(old) {
            return Err(NoRoom);
        }
        self.slots = Vec::new();
        self.slots.try_reserve_exact(n_slots).map_err(|_| NoRoom)?;
        self.slots.resize(n_slots, FREE);
        for number in 0..self.len {
            let slot = self.slot(self.get(number));
            self.slots[slot] = number as u32;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_found_by_their_values() {
        let mut positions = Positions::new(2);
        let room = Room(usize::MAX);
        let values = |i: u32| [Value(i % 100), Value(i / 100)];
        for i in 0..5000 {
            assert_eq!(positions.find(&values(i)), None);
            assert_eq!(positions.place(&values(i), room).unwrap(), i);
        }
        for i in 0..5000 {
            assert_eq!(positions.place(&values(i), room).unwrap(), i);
            assert_eq!(positions.get(i as usize), values(i));
        }
        assert_eq!((positions.len(), positions.find(&[Value(1)])), (5000, None));
    }

    #[test]
    fn nothing_grows_beyond_the_room_that_is_left() {
        let limit = 100_000;
        let mut positions = Positions::new(3);
        let mut n = 0;
        loop {
            let room = Room(limit - positions.bytes());
            if positions
                .place(&[Value(n), Value(0), Value(1)], room)
                .is_err()
            {
                break;
            }
            n += 1;
            assert!(positions.bytes() <= limit);
        }
        assert!((2_000..=8_300).contains(&n), "{n}");
    }
}
