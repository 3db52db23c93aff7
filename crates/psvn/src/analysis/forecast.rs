//! Rates and forecasts of an analysis, from its progress.

use std::fmt;
use std::time::Duration;

use move_prune::Progress;

use crate::text::units::{format_bytes, format_seconds};

/// The progress of the current level and of the one before, for forecasts.
#[derive(Clone, Debug, Default)]
pub struct Estimate {
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

/// An analysis at one moment. As text it fits on a line.
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

impl Estimate {
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

impl fmt::Display for Forecast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "sequences of length {}: {} of {} extended",
            self.length, self.done, self.total
        )?;
        if let Some(rate) = self.per_second {
            write!(f, ", {}/s", amount(rate))?;
        }
        if let Some(left) = self.left
            && self.done < self.total
        {
            write!(f, ", {} left", format_seconds(left))?;
        }
        if let Some(next) = self.next {
            write!(f, ", about {} on the next level", amount(next))?;
        }
        write!(f, ", {}", format_bytes(self.bytes as u128))
    }
}

/// A rough number for people, such as `12.3 M`.
fn amount(number: f64) -> String {
    match number {
        n if n >= 1e9 => format!("{:.1} G", n / 1e9),
        n if n >= 1e6 => format!("{:.1} M", n / 1e6),
        n if n >= 1e4 => format!("{:.1} k", n / 1e3),
        n => format!("{n:.0}"),
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
        let mut estimate = Estimate::default();
        let first = estimate.at(&progress(4, 0, 1000, 10));
        assert_eq!(
            (first.per_second, first.left, first.next),
            (None, None, None)
        );
        assert_eq!(
            first.to_string(),
            "sequences of length 4: 0 of 1000 extended, 3.0 MiB"
        );
        let second = estimate.at(&progress(4, 250, 1000, 15));
        assert_eq!(second.per_second, Some(50.0));
        assert_eq!(second.left, Some(Duration::from_secs(15)));
        // The level after it is three times as large, so the next one may be, too.
        estimate.at(&progress(5, 0, 3000, 40));
        let third = estimate.at(&progress(5, 2000, 3000, 50));
        assert_eq!(third.per_second, Some(200.0));
        assert_eq!(third.left, Some(Duration::from_secs(5)));
        assert_eq!(third.next, Some(9000.0));
        assert_eq!(
            third.to_string(),
            "sequences of length 5: 2000 of 3000 extended, 200/s, 5.00 s left, \
             about 9000 on the next level, 3.0 MiB"
        );
    }

    #[test]
    fn a_level_may_be_told_of_first_when_a_part_is_done() {
        let mut estimate = Estimate::default();
        assert_eq!(estimate.at(&progress(3, 40, 40, 2)).per_second, Some(20.0));
        let partly = estimate.at(&progress(4, 50, 100, 7));
        assert_eq!(partly.per_second, Some(10.0));
        assert_eq!(partly.left, Some(Duration::from_secs(5)));
        assert_eq!(partly.next, Some(250.0));
    }

    #[test]
    fn comparing_comes_after_extending() {
        let mut estimate = Estimate::default();
        estimate.at(&progress(3, 0, 500, 0));
        let comparing = estimate.at(&progress(3, 1, 1, 10));
        assert_eq!((comparing.done, comparing.total), (500, 500));
        assert_eq!(comparing.left, Some(Duration::ZERO));
        let next = estimate.at(&progress(4, 0, 1500, 20));
        assert_eq!(next.next, Some(4500.0));
    }

    #[test]
    fn nothing_is_forecast_where_lengths_take_turns() {
        let mut estimate = Estimate::default();
        for (length, total) in [(1, 10), (3, 40), (2, 30), (2, 50), (5, 0)] {
            assert_eq!(estimate.at(&progress(length, 0, total, 1)).next, None);
        }
    }
}
