//! The speed of an exploration, and the time that remains.

use std::sync::Mutex;
use std::time::Duration;

use crate::environment::Phase;
use crate::text::units::{format_bytes, format_speed};

/// The time before which there are too few data for a forecast.
const LEAST: Duration = Duration::from_millis(500);

/// The progress of an exploration so far.
#[derive(Debug, Default)]
pub(super) struct Pace {
    began: Mutex<Option<Began>>,
}

/// The beginning of the present count.
#[derive(Clone, Copy, Debug)]
struct Began {
    /// The states to count: a layer's, or those of the whole space.
    total: Option<u64>,
    done: u64,
    elapsed: Duration,
}

impl Pace {
    /// Show the progress of an exploration. `by` names the processes that explore.
    pub(super) fn show(&self, progress: &budget::Progress, by: &str, phase: &Phase) {
        let pace = self.of(progress);
        let message = || {
            let of = progress.total.map(|total| format!(" of {total}"));
            format!(
                "distance {}: {}{} states expanded{by}, {}{pace}",
                progress.level,
                progress.done,
                of.unwrap_or_default(),
                format_bytes(progress.bytes.unwrap_or_default() as u128),
            )
        };
        let parts = progress
            .total
            .map(|total| (progress.done as usize, total as usize));
        phase.show(message, parts);
    }

    /// Return the speed, and the time for the rest of the count at this speed.
    fn of(&self, progress: &budget::Progress) -> String {
        let mut began = self
            .began
            .lock()
            .expect("no thread panics while it looks at the pace");
        let now = Began {
            total: progress.total,
            done: progress.done,
            elapsed: progress.elapsed,
        };
        // Counts restart with each layer, or continue to the end of the space.
        let same = began.filter(|it| it.total == progress.total && it.done <= progress.done);
        let since = *began.insert(same.unwrap_or(now));
        let (done, time) = (
            progress.done - since.done,
            progress.elapsed.saturating_sub(since.elapsed),
        );
        if time < LEAST || done == 0 {
            return String::new();
        }
        let speed = format_speed(u128::from(done), time).replace("nodes", "states");
        let Some(left) = progress.total.and_then(|it| it.checked_sub(progress.done)) else {
            return format!(", {speed}");
        };
        let rest = time.mul_f64(left as f64 / done as f64);
        format!(", {speed}, {} left for these", roughly(rest))
    }
}

/// Return a time that is only estimated.
fn roughly(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 120.0 => format!("{seconds:.0} s"),
        seconds if seconds < 7200.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.1} h", seconds / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(level: u64, done: u64, total: u64, seconds: f64) -> budget::Progress {
        budget::Progress {
            level,
            done,
            total: Some(total),
            elapsed: Duration::from_secs_f64(seconds),
            bytes: None,
        }
    }

    #[test]
    fn the_rest_is_as_fast_as_what_is_done() {
        let pace = Pace::default();
        assert_eq!(pace.of(&progress(3, 0, 1000, 1.0)), "");
        assert_eq!(pace.of(&progress(3, 100, 1000, 1.1)), "");
        let halfway = pace.of(&progress(3, 500, 1000, 3.0));
        assert_eq!(halfway, ", 250 states/s, 2 s left for these");
        // The next layer starts a new count.
        assert_eq!(pace.of(&progress(4, 10, 5000, 4.0)), "");
        let later = pace.of(&progress(4, 1010, 5000, 6.0));
        assert_eq!(later, ", 500 states/s, 8 s left for these");
        let end = pace.of(&progress(4, 5000, 5000, 14.0));
        assert_eq!(end, ", 499 states/s, 0 s left for these");
        assert_eq!(pace.of(&progress(5, 1, 5000, 14.5)), "");
        let long = pace.of(&progress(5, 2, 5000, 1014.5));
        assert!(long.ends_with(", 1388.3 h left for these"), "{long}");
    }
}
