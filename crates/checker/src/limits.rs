//! When to give up a proof.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Limits of a proof. The default has none.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The time at which to stop.
    pub deadline: Option<Instant>,
    /// A flag that stops a proof soon after it becomes `true`.
    pub interrupt: Option<Arc<AtomicBool>>,
}

/// Why a proof was abandoned. The claim is then neither proved nor refuted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum StopReason {
    /// The time limit was reached.
    #[error("the time ran out")]
    Time,
    /// [`Limits::interrupt`] was set.
    #[error("it was interrupted")]
    Interrupted,
}

impl Limits {
    /// Check the limits.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn check(&self) -> Result<(), StopReason> {
        let flag = self.interrupt.as_ref();
        if flag.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(StopReason::Interrupted);
        }
        if self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            return Err(StopReason::Time);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn limits_are_looked_at() {
        assert_eq!(Limits::default().check(), Ok(()));
        let now = Instant::now();
        let limits = |deadline, interrupt| Limits {
            deadline: Some(deadline),
            interrupt: Some(Arc::new(AtomicBool::new(interrupt))),
        };
        let later = now + Duration::from_secs(1_000_000);
        assert_eq!(limits(later, false).check(), Ok(()));
        assert_eq!(limits(now, false).check(), Err(StopReason::Time));
        assert_eq!(limits(later, true).check(), Err(StopReason::Interrupted));
    }
}
