//! How many nodes are made between two checks of the clock.

use std::time::Duration;

/// The nodes of the first interval. Even where each takes a millisecond, they don't take long.
const FIRST: u64 = 1 << 6;

/// The most nodes of an interval.
const MOST: u64 = 1 << 22;

/// An interval of less time is doubled. Reading the clock takes about a ten-thousandth of it.
const SHORT: Duration = Duration::from_micros(500);

/// An interval of more time is cut down to it.
const LONG: Duration = Duration::from_millis(10);

/// The interval between two checks of the clock, in nodes. The time that a node takes differs by a
/// factor of a million: from a nanosecond where the leaves of whole subtrees are counted at once to
/// milliseconds where an estimate needs a computation of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    pub(crate) interval: u64,
}

impl Default for Pace {
    fn default() -> Self {
        Self { interval: FIRST }
    }
}

impl Pace {
    /// Learn from the time that `made` nodes took.
    pub(crate) fn learn(&mut self, made: u64, time: Duration) {
        if made >= self.interval / 2 && time < SHORT {
            self.interval = MOST.min(2 * self.interval);
        } else if made > 0 && time > LONG {
            let fitting = made as f64 * LONG.div_duration_f64(time);
            self.interval = self.interval.min(1.max(fitting as u64));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The interval of a search whose nodes take this long each, after it was polled `n` times.
    fn after(pace: &mut Pace, n: usize, time_of_node: Duration) -> u64 {
        for _ in 0..n {
            let made = pace.interval;
            pace.learn(made, time_of_node * u32::try_from(made).unwrap());
        }
        pace.interval
    }

    #[test]
    fn intervals_take_neither_long_nor_no_time() {
        for nanoseconds in [1, 30, 1000, 50_000, 3_000_000, 700_000_000] {
            let time_of_node = Duration::from_nanos(nanoseconds);
            let interval = after(&mut Pace::default(), 20, time_of_node);
            let time = time_of_node * u32::try_from(interval).unwrap();
            assert!(time >= SHORT, "{nanoseconds}: {interval}");
            assert!(interval == 1 || time <= LONG, "{nanoseconds}: {interval}");
        }
    }

    #[test]
    fn a_search_that_becomes_slow_is_polled_more_often_at_once() {
        let mut pace = Pace::default();
        assert!(after(&mut pace, 20, Duration::from_nanos(1)) > 100_000);
        pace.learn(1000, Duration::from_secs(1));
        assert_eq!(pace.interval, 10);
        // Nothing was made, so nothing is known.
        pace.learn(0, Duration::from_secs(1));
        pace.learn(0, Duration::ZERO);
        assert_eq!(pace.interval, 10);
    }
}
