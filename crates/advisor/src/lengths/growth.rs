//! The expected growth of an analysis and of its machine with longer sequences.

use super::analyzed::{AnalyzedLengths, FIRST_LENGTH, STEPS_OF_COMPOSITION};
use super::potential::Potential;
use crate::Steps;

/// The greatest length that is tried.
const MOST_LENGTH: usize = 40;

/// The length up to which every length is tried, and above which every second one is, unless the
/// growth falls with each: an analysis of a greater length starts from scratch, so small steps are
/// expensive.
const EVERY_LENGTH: usize = 6;

/// The factor by which the next machine may turn out to be smaller than expected.
const SMALLER: f64 = 2.0;

/// The part by which the growth of the number of words may differ from that of the tree if the two
/// count as the same.
const SAME_GROWTH: f64 = 0.1;

/// The least fall of the growth from one length to the next, as a logarithm, that counts.
const LEAST_FALL: f64 = 0.02;

/// The least factor by which the growth of the number of words is expected to change from one
/// length to the next.
const LEAST_TREND: f64 = 0.5;

impl AnalyzedLengths {
    /// Return how many times as many words the last length has as the one before.
    fn ratio(&self) -> f64 {
        self.ratio_at(self.levels.len())
    }

    /// Return how many times as many words a length has as the one before.
    fn ratio_at(&self, length: usize) -> f64 {
        let kept = |length: usize| match length.checked_sub(1) {
            Some(place) => self.levels.get(place).map_or(1.0, |(_, kept)| *kept),
            None => 1.0,
        };
        let before = length.checked_sub(1).map_or(1.0, kept);
        (kept(length) / before.max(1.0)).max(1.0)
    }

    /// Return how many times as many words the next lengths have as the last one, one after the
    /// other. Invariants make the growth fall: a long sequence fixes most values that its rules
    /// test. But it stays above that of the number of states around the start.
    fn growth_ahead(&self, potential: &Potential) -> impl Iterator<Item = f64> {
        let (last, before) = (self.levels.len(), self.levels.len().saturating_sub(1));
        // The growth falls less from each length to the next.
        let trend = (self.ratio_at(last) / self.ratio_at(before)).sqrt();
        let trend = trend.clamp(LEAST_TREND, 1.0);
        let ratios = std::iter::successors(Some(self.ratio() * trend), move |ratio| {
            Some((ratio * trend).max(1.0))
        });
        let by_trend = ratios.scan(1.0, |all, ratio| {
            *all *= ratio;
            Some(*all)
        });
        by_trend.zip(1..).map(|(times, more)| {
            let of_states = potential.states_ratio(self.length, self.length + more);
            // Near a start in a corner the states grow faster than anywhere else.
            let of_tree = self.growth.map_or(f64::INFINITY, |it| it.powi(more as i32));
            times.max(of_states.min(of_tree))
        })
    }

    /// Return how many times as many words a greater length has as the last one.
    pub(super) fn times_at(&self, length: usize, potential: &Potential) -> f64 {
        let more = length.saturating_sub(self.length);
        let mut ahead = self.growth_ahead(potential);
        more.checked_sub(1)
            .and_then(|at| ahead.nth(at))
            .unwrap_or(1.0)
    }

    /// Return the steps of an analysis up to some length: all lengths, since it starts from
    /// scratch.
    pub fn steps_up_to(&self, length: usize, potential: &Potential) -> Steps {
        if length < self.levels.len() {
            let composed = self.levels[..length].iter().map(|(composed, _)| composed);
            return composed.sum::<f64>() * STEPS_OF_COMPOSITION;
        }
        let last = match self.levels.as_slice() {
            [] => 1.0,
            // All pairs of rules are composed. Later only those pairs that were kept are.
            [_] | [_, _] => self.levels[self.levels.len() - 1].1,
            [.., (composed, _)] => *composed,
        };
        let more = self
            .growth_ahead(potential)
            .take(length.saturating_sub(self.length));
        self.steps_of_words() + last * more.sum::<f64>() * STEPS_OF_COMPOSITION
    }

    /// Return the greater lengths that are considered, as far as their machines seem not too large.
    pub(super) fn greater(&self, potential: &Potential) -> impl Iterator<Item = usize> {
        let every = if self.fall() > 0.0 {
            EVERY_LENGTH.max(self.length + 2)
        } else {
            EVERY_LENGTH
        };
        let lengths = self.length + 1..=MOST_LENGTH;
        let considered = lengths.filter(move |length| *length <= every || length % 2 == 0);
        let times: Vec<f64> = self.growth_ahead(potential).take(MOST_LENGTH).collect();
        let is_small = move |(number, length): &(usize, usize)| {
            let times = times.get(length - self.length - 1).copied();
            let expected = self.n_states as f64 * times.unwrap_or(f64::INFINITY);
            // The next one may turn out to be smaller.
            let smaller = if *number == 0 { SMALLER } else { 1.0 };
            expected <= self.most_states as f64 * smaller
        };
        let small = considered.enumerate().take_while(is_small);
        small.map(|(_, length)| length).take_while(|_| self.is_open)
    }

    /// Return the logarithm of the factor by which the tree grows less from move to move with a
    /// longer analysis, where the tree near some states grows as all sequences do.
    pub(super) fn fall_to(&self, found: &Self, near: &Potential) -> Option<f64> {
        let (growth, after) = (self.growth?, found.growth?);
        let is_same = (near.growth() / growth - 1.0).abs() <= SAME_GROWTH;
        (is_same && near.reach() >= found.length).then(|| (growth / after).ln().max(0.0))
    }

    /// Return how far the growth of the tree falls with the last length, as a logarithm; 0 where
    /// the number of words doesn't show it. That number may fluctuate, so the fall is at most that
    /// since the analysis before.
    pub(super) fn fall(&self) -> f64 {
        let (last, before) = (self.levels.len(), self.levels.len().saturating_sub(1));
        let is_same = |growth: f64| (self.ratio_at(last) / growth - 1.0).abs() <= SAME_GROWTH;
        match self.growth {
            Some(growth) if before > FIRST_LENGTH && is_same(growth) => {
                let fall = (self.ratio_at(before) / self.ratio_at(last)).ln();
                if fall >= LEAST_FALL {
                    self.fall_before.map_or(fall, |before| fall.min(before))
                } else {
                    0.0
                }
            }
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use crate::lengths::analyzed::MOST_STATES;
    use crate::lengths::forecast::SearchForecast;
    use crate::lengths::samples::{forecast, known};

    #[test]
    fn the_growth_of_the_number_of_words_falls_on_as_before() {
        // 26, 300, 2208: 11.5 and 7.4 times as many.
        let falling = AnalyzedLengths {
            levels: vec![(26.0, 26.0), (452.0, 300.0), (2_580.0, 2_208.0)],
            ..known(3)
        };
        let ahead: Vec<f64> = falling
            .growth_ahead(&Potential::default())
            .take(2)
            .collect();
        let trend = (7.36_f64 / (300.0 / 26.0)).sqrt();
        assert!((ahead[0] - 7.36 * trend).abs() < 1e-9, "{ahead:?}");
        assert!(
            (ahead[1] - ahead[0] * 7.36 * trend * trend).abs() < 1e-9,
            "{ahead:?}"
        );
        assert_eq!(
            known(3)
                .growth_ahead(&Potential::default())
                .take(2)
                .collect::<Vec<_>>(),
            [3.0, 9.0]
        );
    }

    #[test]
    fn the_number_of_words_grows_as_that_of_states_around_the_start() {
        // Sliding tiles: 48 and 104 words seem to grow no further.
        let tiles = AnalyzedLengths {
            levels: vec![(48.0, 48.0), (152.0, 104.0)],
            ..known(2)
        };
        let at_10 = |potential: &Potential| tiles.growth_ahead(potential).nth(7).unwrap();
        assert!(at_10(&Potential::default()) < 1.1);
        let states = [
            1.0, 2.0, 4.0, 10.0, 24.0, 54.0, 107.0, 212.0, 446.0, 946.0, 1948.0,
        ];
        assert_eq!(at_10(&Potential::from_counts(states, states)), 487.0);
        let search = SearchForecast {
            potential: Potential::from_counts(states, states),
            ..forecast(1_000_000)
        };
        let worth = tiles.worth(&search, false);
        assert!(worth.is_none_or(|it| it.length < 20));
    }

    #[test]
    fn the_growth_falls_on_no_faster_than_it_did() {
        // The words of length 4 are 2.6 times as many as those of length 3, in place of 3 times.
        let mut falling = known(4);
        falling.levels[3].1 = falling.levels[2].1 * 2.6;
        falling.growth = Some(2.6);
        let fall = (3.0_f64 / 2.6).ln();
        assert!((falling.fall() - fall).abs() < 1e-9);
        let since = |growth: f64| {
            let before = AnalyzedLengths {
                growth: Some(growth),
                ..known(2)
            };
            falling.with_fall_since(&before).fall()
        };
        assert!((since(10.0) - fall).abs() < 1e-9);
        assert!((since(2.7) - (2.7_f64 / 2.6).ln() / 2.0).abs() < 1e-9);
        assert_eq!(since(2.6), 0.0);
        // What was known of a search stays known where nothing longer was compared.
        let again = falling.with_fall_since(&known(2));
        assert_eq!(again.with_fall_since(&again).fall(), again.fall());
    }

    #[test]
    fn no_machine_is_looked_for_that_is_too_large() {
        // 10, 30, 90 and so on: length 10 has 65,610 states.
        let lengths: Vec<usize> = known(2).greater(&Potential::default()).collect();
        assert_eq!(lengths, [3, 4, 5, 6, 8]);
        let large = AnalyzedLengths {
            n_states: MOST_STATES,
            ..known(6)
        };
        assert_eq!(large.greater(&Potential::default()).next(), None);
        let nearly = AnalyzedLengths {
            n_states: MOST_STATES / 5,
            ..known(6)
        };
        assert_eq!(
            nearly.greater(&Potential::default()).collect::<Vec<_>>(),
            [8]
        );
    }
}
