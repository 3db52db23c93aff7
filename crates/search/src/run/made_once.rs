//! A value that is made by the first run that needs it and used by all runs.

use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use crate::run::limits::{StopReason, Watch};

/// A value made by the first run that needs it, within the limits of that run.
///
/// Other runs wait for it, within their own limits. If a limit stops the making, the next run that
/// needs the value makes it.
#[derive(Debug)]
pub(crate) struct MadeOnce<T> {
    value: OnceLock<T>,
    is_being_made: Mutex<bool>,
    changed: Condvar,
}

/// A waiting run checks its limits this often.
const TICK: Duration = Duration::from_millis(20);

impl<T> Default for MadeOnce<T> {
    fn default() -> Self {
        Self {
            value: OnceLock::new(),
            is_being_made: Mutex::new(false),
            changed: Condvar::new(),
        }
    }
}

impl<T> MadeOnce<T> {
    /// Return the value, if it has been made.
    pub(crate) fn get(&self) -> Option<&T> {
        self.value.get()
    }

    /// Return the value; make it if there is none. The time to make it, or to wait for it, counts
    /// as preparation.
    pub(crate) fn get_or_make<'s>(
        &'s self,
        watch: &mut Watch<'_, '_>,
        make: impl FnOnce(&mut Watch<'_, '_>) -> Result<T, StopReason>,
    ) -> Result<&'s T, StopReason> {
        match self.value.get() {
            Some(value) => Ok(value),
            None => watch.prepare(|watch| self.make(watch, make)),
        }
    }

    fn make<'s>(
        &'s self,
        watch: &mut Watch<'_, '_>,
        make: impl FnOnce(&mut Watch<'_, '_>) -> Result<T, StopReason>,
    ) -> Result<&'s T, StopReason> {
        let mut is_being_made = self
            .is_being_made
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        while *is_being_made {
            watch.check(0)?;
            (is_being_made, _) = self
                .changed
                .wait_timeout(is_being_made, TICK)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        *is_being_made = true;
        drop(is_being_made);
        // On a panic too, so that no run waits forever.
        let _done = Done(self);
        let value = make(watch)?;
        Ok(self.value.get_or_init(|| value))
    }
}

/// Wakes the waiting runs, whether the value was made or not.
struct Done<'m, T>(&'m MadeOnce<T>);

impl<T> Drop for Done<'_, T> {
    fn drop(&mut self) {
        let flag = self.0.is_being_made.lock();
        *flag.unwrap_or_else(PoisonError::into_inner) = false;
        self.0.changed.notify_all();
    }
}
