//! Moves of one value at no cost.

use crate::ranking::partial_permutation::MOST_POSITIONS;

/// The maximum number of differences between the numbers of neighbors that are handled together:
/// those of a board with rows and columns.
const DIFFERENCES: usize = 4;

/// The moves of the free value.
pub(super) enum Ways {
    /// By difference of positions (a rotation of the word): the positions from which it applies.
    ByDifference([(u32, u64); DIFFERENCES]),
    /// By position: the positions that it leads to.
    ByPosition(Box<[u64; MOST_POSITIONS]>),
}

impl Ways {
    pub(super) fn new(free: [u64; MOST_POSITIONS]) -> Self {
        let mut differences: Vec<(u32, u64)> = Vec::new();
        for (from, targets) in free.iter().enumerate() {
            for to in (0..MOST_POSITIONS).filter(|to| targets >> to & 1 == 1) {
                let difference = (to + MOST_POSITIONS - from) % MOST_POSITIONS;
                match differences
                    .iter_mut()
                    .find(|(it, _)| *it as usize == difference)
                {
                    Some((_, positions)) => *positions |= 1 << from,
                    None => differences.push((difference as u32, 1 << from)),
                }
            }
        }
        if differences.len() > DIFFERENCES {
            return Self::ByPosition(Box::new(free));
        }
        differences.resize(DIFFERENCES, (0, 0));
        let mut ways = [(0, 0); DIFFERENCES];
        ways.copy_from_slice(&differences);
        Self::ByDifference(ways)
    }

    /// Return the places that the free value reaches from one place at no cost, where the places in
    /// `others` are free.
    #[inline(always)]
    pub(super) fn region(&self, place: u8, others: u64) -> u64 {
        let mut region = 1_u64 << (place & 63);
        match self {
            Self::ByDifference(ways) => loop {
                let step =
                    |(difference, from): &(u32, u64)| (region & from).rotate_left(*difference);
                let next = ways.iter().map(step).fold(0, |all, it| all | it);
                let larger = region | next & others;
                if larger == region {
                    return region;
                }
                region = larger;
            },
            Self::ByPosition(free) => {
                let mut open = region;
                while open != 0 {
                    let from = open.trailing_zeros() as usize;
                    open &= open - 1;
                    let new = free[from & 63] & others & !region;
                    region |= new;
                    open |= new;
                }
                region
            }
        }
    }
}
