//! Single variables, and groups of 0/1 variables of which one is on.

/// One variable with the values that it may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Digit {
    pub(crate) var: u32,
    /// The values, by digit.
    pub(crate) values: Vec<u32>,
    /// The digit of each value, or `u32::MAX`.
    digits: Vec<u32>,
}

impl Digit {
    /// Make a digit for the variable with these values, ascending.
    pub(crate) fn new(var: u32, values: Vec<u32>) -> Self {
        let mut digits = vec![u32::MAX; values.last().map_or(0, |last| *last as usize + 1)];
        for (digit, value) in values.iter().enumerate() {
            digits[*value as usize] = digit as u32;
        }
        Self {
            var,
            values,
            digits,
        }
    }

    pub(crate) fn size(&self) -> u128 {
        self.values.len() as u128
    }

    #[inline(always)]
    pub(crate) fn rank(&self, value: &impl Fn(usize) -> u32) -> Option<u64> {
        let digit = *self.digits.get(value(self.var as usize) as usize)?;
        (digit != u32::MAX).then_some(u64::from(digit))
    }

    pub(crate) fn unrank(&self, rank: u64, state: &mut [u32]) {
        state[self.var as usize] = self.values[rank as usize];
    }
}

/// Variables with two values of which exactly one (or at most one) holds its *on* value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OneOf {
    /// Each variable with its value when it is on, 0 or 1.
    pub(crate) facts: Vec<(u32, u32)>,
    /// Whether it is possible that none is on.
    pub(crate) or_none: bool,
}

impl OneOf {
    pub(crate) fn size(&self) -> u128 {
        (self.facts.len() + usize::from(self.or_none)) as u128
    }

    #[inline(always)]
    pub(crate) fn rank(&self, value: &impl Fn(usize) -> u32) -> Option<u64> {
        let mut found = None;
        for (i, (var, on)) in self.facts.iter().enumerate() {
            if value(*var as usize) == *on && found.replace(i as u64).is_some() {
                return None;
            }
        }
        found.or(self.or_none.then_some(self.facts.len() as u64))
    }

    pub(crate) fn unrank(&self, rank: u64, state: &mut [u32]) {
        for (i, (var, on)) in self.facts.iter().enumerate() {
            state[*var as usize] = if i as u64 == rank { *on } else { 1 - *on };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_and_groups_go_both_ways() {
        let digit = Digit::new(1, vec![0, 2, 5]);
        let group = OneOf {
            facts: vec![(0, 1), (1, 0), (2, 1)],
            or_none: true,
        };
        let mut state = vec![0; 3];
        for rank in 0..3 {
            digit.unrank(rank, &mut state);
            assert_eq!(digit.rank(&|var| state[var]), Some(rank));
        }
        assert_eq!([1, 3, 4, 6].map(|v| digit.rank(&|_| v)), [None; 4]);
        for rank in 0..4 {
            group.unrank(rank, &mut state);
            assert_eq!(group.rank(&|var| state[var]), Some(rank));
        }
        assert_eq!(group.rank(&|var| [1, 0, 0][var]), None);
        let strict = OneOf {
            or_none: false,
            ..group
        };
        assert_eq!(strict.rank(&|var| [0, 1, 0][var]), None);
    }
}
