//! How fast an analysis is, and when its level will be done, from its progress.

use std::time::Duration;

use budget::Progress;

/// The progress of the current level and of the one before, from which the rest is forecast.
#[derive(Clone, Debug, Default)]
pub struct Forecaster {
    level: Option<Level>,
    /// The number of sequences that were extended on the level before.
    before: Option<usize>,
    /// The time of the last progress.
    last: Duration,
}

#[derive(Clone, Copy, Debug)]
struct Level {
    length: usize,
    /// The number of sequences to extend.
    total: usize,
    started: Duration,
}

/// An analysis at one moment, and what is left of its level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// The length of the sequences that are being compared.
    pub length: usize,
    /// The number of kept sequences that were extended to that length.
    pub done: usize,
    /// The number of all of them.
    pub total: usize,
    /// The number extended per second, once it is known.
    pub per_second: Option<f64>,
    /// The time until all are extended.
    pub left: Option<Duration>,
    /// The expected number of sequences that are kept and extended on the next level.
    pub next: Option<f64>,
    /// The bytes held.
    pub bytes: usize,
}

impl Forecaster {
    /// Note the progress of an analysis, and forecast the rest.
    pub fn at(&mut self, progress: &Progress) -> Forecast {
        let Progress { elapsed, .. } = *progress;
        let length = progress.level as usize;
        let mut done = progress.done as usize;
        let mut total = progress.total.unwrap_or(0) as usize;
        let bytes = progress.bytes.unwrap_or(0);
        match &self.level {
            // All are extended, and are now compared with each other.
            Some(level) if level.length == length && (done, total) == (1, 1) => {
                (done, total) = (level.total, level.total);
            }
            Some(level) if level.length == length && level.total == total => {}
            last => {
                // An analysis by cost goes back and forth between lengths: then there is no
                // forecast.
                let follows = last.filter(|last| last.length + 1 == length);
                self.before = follows.map(|last| last.total);
                self.level = Some(Level {
                    length,
                    total,
                    // Where the first part is done already, the level began about when the one
                    // before was reported to be done.
                    started: if done == 0 { elapsed } else { self.last },
                });
            }
        }
        self.last = elapsed;
        let spent = self.level.map_or(Duration::ZERO, |level| {
            elapsed.saturating_sub(level.started)
        });
        let per_second = (done > 0 && !spent.is_zero()).then(|| done as f64 / spent.as_secs_f64());
        let seconds_left = per_second.map(|rate| (total - done.min(total)) as f64 / rate);
        Forecast {
            length,
            done,
            total,
            per_second,
            left: seconds_left.and_then(|left| Duration::try_from_secs_f64(left).ok()),
            next: self
                .before
                .filter(|before| *before > 0)
                .map(|before| total as f64 * (total as f64 / before as f64)),
            bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(length: usize, done: usize, total: usize, seconds: u64) -> Progress {
        Progress {
            level: length as u64,
            done: done as u64,
            total: Some(total as u64),
            elapsed: Duration::from_secs(seconds),
            bytes: Some(3 << 20),
        }
    }

    #[test]
    fn rates_and_remaining_times_are_those_of_the_level() {
        let mut forecaster = Forecaster::default();
        let first = forecaster.at(&progress(4, 0, 1000, 10));
        assert_eq!(
            (first.per_second, first.left, first.next),
            (None, None, None)
        );
        let second = forecaster.at(&progress(4, 250, 1000, 15));
        assert_eq!(second.per_second, Some(50.0));
        assert_eq!(second.left, Some(Duration::from_secs(15)));
        // The level after it is three times as large, so the next one may be, too.
        forecaster.at(&progress(5, 0, 3000, 40));
        let third = forecaster.at(&progress(5, 2000, 3000, 50));
        assert_eq!(third.per_second, Some(200.0));
        assert_eq!(third.left, Some(Duration::from_secs(5)));
        assert_eq!(third.next, Some(9000.0));
    }

    #[test]
    fn a_level_may_be_told_of_first_when_a_part_is_done() {
        let mut forecaster = Forecaster::default();
        assert_eq!(
            forecaster.at(&progress(3, 40, 40, 2)).per_second,
            Some(20.0)
        );
        let partly = forecaster.at(&progress(4, 50, 100, 7));
        assert_eq!(partly.per_second, Some(10.0));
        assert_eq!(partly.left, Some(Duration::from_secs(5)));
        assert_eq!(partly.next, Some(250.0));
    }

    #[test]
    fn comparing_comes_after_extending() {
        let mut forecaster = Forecaster::default();
        forecaster.at(&progress(3, 0, 500, 0));
        let comparing = forecaster.at(&progress(3, 1, 1, 10));
        assert_eq!((comparing.done, comparing.total), (500, 500));
        assert_eq!(comparing.left, Some(Duration::ZERO));
        let next = forecaster.at(&progress(4, 0, 1500, 20));
        assert_eq!(next.next, Some(4500.0));
    }

    #[test]
    fn nothing_is_forecast_where_lengths_take_turns() {
        let mut forecaster = Forecaster::default();
        for (length, total) in [(1, 10), (3, 40), (2, 30), (2, 50), (5, 0)] {
            assert_eq!(forecaster.at(&progress(length, 0, total, 1)).next, None);
        }
    }
}
