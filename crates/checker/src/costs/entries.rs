//! Lists of states with a number each, as a certificate has them.

/// States of a width with a number each, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entries {
    pub(crate) width: usize,
    values: Values,
    numbers: Vec<u32>,
    /// The lines of the file, from 1.
    lines: Vec<u32>,
}

/// Values of all states, one state after the other. A long list is most of a certificate, so small
/// values take a byte each.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Values {
    Small(Vec<u8>),
    Any(Vec<u32>),
}

impl Default for Values {
    fn default() -> Self {
        Self::Small(Vec::new())
    }
}

impl Values {
    fn push(&mut self, value: u32) {
        match (&mut *self, u8::try_from(value)) {
            (Self::Small(values), Ok(value)) => values.push(value),
            (Self::Small(values), Err(_)) => {
                let mut values: Vec<u32> = values.iter().map(|it| u32::from(*it)).collect();
                values.push(value);
                *self = Self::Any(values);
            }
            (Self::Any(values), _) => values.push(value),
        }
    }
}

impl Entries {
    pub(crate) fn of_width(width: usize) -> Self {
        Self {
            width,
            ..Self::default()
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Add an entry. The values left out at the end are those of the entry before; so there must be
    /// one, or no value be left out.
    pub(crate) fn push(&mut self, given: &[u32], number: u32, line: usize) {
        let before = self.len().wrapping_sub(1);
        let left_out = given.len()..self.width;
        for value in given {
            self.values.push(*value);
        }
        for position in left_out {
            self.values.push(self.value(before, position));
        }
        self.numbers.push(number);
        self.lines.push(u32::try_from(line).unwrap_or(u32::MAX));
    }

    pub(crate) fn number(&self, index: usize) -> u64 {
        self.numbers[index].into()
    }

    pub(crate) fn line(&self, index: usize) -> usize {
        self.lines[index] as usize
    }

    pub(crate) fn value(&self, index: usize, position: usize) -> u32 {
        let at = index * self.width + position;
        match &self.values {
            Values::Small(values) => values[at].into(),
            Values::Any(values) => values[at],
        }
    }

    /// Put the state of an entry into a vector.
    pub(crate) fn read_state(&self, index: usize, state: &mut Vec<u32>) {
        let range = index * self.width..(index + 1) * self.width;
        state.clear();
        match &self.values {
            Values::Small(values) => state.extend(values[range].iter().map(|it| u32::from(*it))),
            Values::Any(values) => state.extend_from_slice(&values[range]),
        }
    }

    /// Whether the last entry comes after the one before it: its last value that differs is
    /// greater.
    pub(crate) fn ascends(&self) -> bool {
        let Some(last) = self.len().checked_sub(1).filter(|last| *last > 0) else {
            return true;
        };
        let values = |index| (0..self.width).rev().map(move |at| self.value(index, at));
        values(last - 1).lt(values(last))
    }
}
