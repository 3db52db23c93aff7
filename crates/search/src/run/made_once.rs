//! What is made by the first run that needs it, and used by all runs.

use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use crate::run::limits::{StopReason, Watch};

/// Something that is made by the first run that needs it, within the limits of that run.
///
/// Other runs wait for it, within their own limits. What a limit kept from being made is made by
/// the next run that needs it.
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
    /// The value, if it has been made.
    pub(crate) fn get(&self) -> Option<&T> {
        self.value.get()
    }

    /// The value, made now if it hasn't been made. The time it takes, or to wait for it, counts as
    /// preparation.
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
        // Also when it panics, so that nobody waits for ever.
        let _done = Done(self);
        let value = make(watch)?;
        Ok(self.value.get_or_init(|| value))
    }
}

/// Lets others make what is not made, or use what is.
struct Done<'m, T>(&'m MadeOnce<T>);

impl<T> Drop for Done<'_, T> {
    fn drop(&mut self) {
        let flag = self.0.is_being_made.lock();
        *flag.unwrap_or_else(PoisonError::into_inner) = false;
        self.0.changed.notify_all();
    }
}
