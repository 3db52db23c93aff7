//! An estimate of how much longer sequences could prune, from counts around some states.
//!
//! A machine allows some number of sequences of each length from a state. If they lead to fewer
//! states than there are sequences, the excess sequences are redundant there, and an analysis of
//! that length may find them. Counting both takes much less than the analysis.

/// The longest sequences that are counted.
pub const MOST_COUNTED: usize = 16;

/// The numbers of sequences that a machine allows, and of the states that they reach first, by
/// length from 0.
#[derive(Clone, Debug, Default)]
pub struct Potential {
    sequences: Vec<f64>,
    states: Vec<f64>,
}

impl Potential {
    /// Return the number of states that sequences of a length reach first; 0 beyond the
    /// [reach](Self::reach).
    pub fn states_at(&self, length: usize) -> f64 {
        self.states.get(length).copied().unwrap_or_default()
    }

    /// Return the sum of both. Beyond the length that both contain, the shorter one is taken to
    /// grow as the longer one does.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        let sum = |a: &[f64], b: &[f64]| {
            let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
            let mut times = 1.0;
            let mut short = short.iter();
            let sum_at = |of_long: &f64| {
                let sum = short
                    .next()
                    .map_or(of_long * times, |of_short| of_long + of_short);
                if *of_long > 0.0 {
                    times = sum / of_long;
                }
                sum
            };
            long.iter().map(sum_at).collect()
        };
        Self {
            sequences: sum(&self.sequences, &other.sequences),
            states: sum(&self.states, &other.states),
        }
    }

    /// Return the potential that counts by length, from 0, show.
    pub fn from_counts(
        sequences: impl IntoIterator<Item = f64>,
        states: impl IntoIterator<Item = f64>,
    ) -> Self {
        Self {
            sequences: sequences.into_iter().collect(),
            states: states.into_iter().collect(),
        }
    }

    /// Return the part of the sequences of the greatest length that this machine leaves of those
    /// that another one leaves, near the same start.
    pub fn part_of(&self, other: &Self) -> Option<f64> {
        let length = self.reach().min(other.reach());
        let at = |it: &Self| it.sequences.get(length).copied();
        let part = at(self)? / at(other)?;
        part.is_finite().then_some(part)
    }

    /// Return how many times as many sequences the greatest length has as the one before; at least
    /// 1.
    pub(super) fn growth(&self) -> f64 {
        match self.sequences.as_slice() {
            [.., before, last] if *before > 0.0 => (last / before).max(1.0),
            _ => 1.0,
        }
    }

    /// Return the greatest length that was counted.
    pub fn reach(&self) -> usize {
        self.sequences.len().saturating_sub(1)
    }

    /// Return how many times as many states lie at one number of moves as at a smaller one; greater
    /// numbers than the [reach](Self::reach) are taken to grow on as the last one did.
    ///
    /// Each state that is reached first at some length has a sequence of this length that no
    /// machine may forbid, so the number of words grows about as much.
    pub(super) fn states_ratio(&self, from: usize, to: usize) -> f64 {
        let reach = self.reach();
        let at = |length: usize| self.states.get(length).map_or(1.0, |n| n.max(1.0));
        let last = at(reach) / at(reach.saturating_sub(1));
        let states = |length: usize| {
            let beyond = length.saturating_sub(reach) as f64;
            at(length.min(reach)) * last.powf(beyond)
        };
        states(to) / states(from)
    }

    /// Return whether this machine leaves fewer sequences than another one, near the same start.
    pub fn prunes_more_than(&self, other: &Self) -> bool {
        let length = self.reach().min(other.reach());
        self.excess(length) < other.excess(length)
    }

    /// Return the logarithm of the number of sequences of some moves for each state that they
    /// reach, where longer ones than `length` show nothing new: with each further move it is taken
    /// to grow as with the last one that was counted. What is there already at the length `from`
    /// isn't counted.
    pub(super) fn excess_after(&self, from: usize, length: usize, moves: f64) -> f64 {
        let length = length.min(self.reach());
        let counted = (self.excess(length) - self.excess(from)).max(0.0);
        let more = (moves - length as f64).max(0.0);
        counted + more * self.excess_of_move(from, length)
    }

    /// Return by how much this logarithm grows with the last move of a length.
    pub(super) fn excess_of_move(&self, from: usize, length: usize) -> f64 {
        let length = length.min(self.reach());
        if length > from {
            (self.excess(length) - self.excess(length - 1)).max(0.0)
        } else {
            0.0
        }
    }

    /// Return the logarithm of the number of sequences of a length for each state that they reach,
    /// up to the [reach](Self::reach); greater lengths have at least that much.
    pub fn excess(&self, length: usize) -> f64 {
        let length = length.min(self.reach());
        match (self.sequences.get(length), self.states.get(length)) {
            // There may be no new states if all are near.
            (Some(sequences), Some(states)) if *sequences > 0.0 => {
                (sequences / states.max(0.5)).ln().max(0.0)
            }
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_the_shorter_count_both_are_taken_to_grow_alike() {
        let long = Potential::from_counts([1.0, 4.0, 12.0, 36.0], [1.0, 4.0, 8.0, 16.0]);
        let short = Potential::from_counts([1.0, 4.0, 12.0], [1.0, 4.0, 16.0]);
        for sum in [long.with(&short), short.with(&long)] {
            assert_eq!(sum.sequences, [2.0, 8.0, 24.0, 72.0]);
            assert_eq!(sum.states, [2.0, 8.0, 24.0, 48.0]);
        }
    }

    #[test]
    fn what_is_gained_grows_with_each_move_as_with_the_last_one() {
        let counts = [1.0, 2.0, 4.0, 8.0, 16.0];
        let potential = Potential::from_counts(counts, [1.0, 2.0, 4.0, 6.0, 9.0]);
        let (third, fourth) = ((8.0_f64 / 6.0).ln(), (16.0_f64 / 9.0).ln());
        assert_eq!(potential.excess_after(2, 3, 3.0), third);
        assert!((potential.excess_after(2, 3, 5.0) - 3.0 * third).abs() < 1e-9);
        let of_five = fourth + (fourth - third);
        assert!((potential.excess_after(2, 4, 5.0) - of_five).abs() < 1e-9);
        // Longer ones than were counted show nothing new.
        assert_eq!(
            potential.excess_after(2, 9, 5.0),
            potential.excess_after(2, 4, 5.0)
        );
        // What an analysis couldn't find is there after it, too.
        assert!((potential.excess_after(3, 4, 4.0) - (fourth - third)).abs() < 1e-9);
        assert_eq!(potential.growth(), 2.0);
    }

    #[test]
    fn states_grow_on_as_the_last_ones_did() {
        let potential = Potential::from_counts([1.0, 4.0, 10.0], [1.0, 4.0, 8.0]);
        assert_eq!(potential.states_ratio(1, 2), 2.0);
        assert_eq!(potential.states_ratio(2, 4), 4.0);
        assert_eq!(potential.states_ratio(3, 4), 2.0);
        assert_eq!(Potential::default().states_ratio(2, 9), 1.0);
    }
}
