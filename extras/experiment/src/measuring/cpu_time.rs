//! Processor time: the time of a measurement without that of other programs.

use std::time::Duration;

/// The processor time of this thread so far; `None` where the system doesn't report it.
#[cfg(unix)]
pub(crate) fn of_thread() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).ok()?;
    Some(Duration::new(seconds, u32::try_from(time.tv_nsec).ok()?))
}

/// The processor time of this thread so far; `None` where the system doesn't report it.
#[cfg(not(unix))]
pub(crate) fn of_thread() -> Option<Duration> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::of_thread;

    #[test]
    fn sleep_takes_no_processor_time() {
        let before = of_thread().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(50));
        let asleep = of_thread().unwrap() - before;
        assert!(asleep < std::time::Duration::from_millis(40), "{asleep:?}");
        let mut n = 0u64;
        while of_thread().unwrap() - before < asleep + std::time::Duration::from_millis(5) {
            n = std::hint::black_box(n + 1);
        }
        assert!(n > 0);
    }
}
