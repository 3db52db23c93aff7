//! Signals that end a command: Ctrl-C (SIGINT), SIGTERM, and SIGHUP of a closed terminal. The first
//! one asks the running work to stop and print its results so far, the second one kills.
//!
//! On Unix these signals are blocked in all threads, and one thread waits for them. So no code runs
//! inside of a signal handler.

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use psvn::{Environment, has_room_for_threads};

/// SIGINT, which Ctrl-C sends.
const CTRL_C: i32 = 2;

/// The signal that ended the work, or 0.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// The work that a signal stops; none where a command ends at once, as is the system's default.
static WORK: Mutex<Option<Work>> = Mutex::new(None);

/// Work that checks a flag.
struct Work {
    cancelled: Arc<AtomicBool>,
    /// The message for the user.
    message: &'static str,
}

/// Return the flag that cancels all work, which the first signal sets from now on.
///
/// Commands whose work checks the flag call this. All others end at once, as is the system's
/// default.
pub(crate) fn flag(env: &Environment) -> Arc<AtomicBool> {
    flag_saying(
        env,
        "interrupted: stopping with what was found so far (once more to stop at once)",
    )
}

/// The same with another message for the user.
pub(crate) fn flag_saying(env: &Environment, message: &'static str) -> Arc<AtomicBool> {
    let cancelled = Arc::clone(env.cancellation());
    let work = Work {
        cancelled: Arc::clone(&cancelled),
        message,
    };
    *WORK.lock().unwrap_or_else(PoisonError::into_inner) = Some(work);
    cancelled
}

/// Return the exit status of a command that a signal stopped: 128 and the number of the signal.
pub(crate) fn status() -> u8 {
    let signal = match SIGNAL.load(Ordering::Relaxed) {
        0 => CTRL_C,
        signal => signal,
    };
    u8::try_from(128 + signal).unwrap_or(u8::MAX)
}

/// Stop the work because of a signal, or end the process if it is stopping already. Return whether
/// there is work that can be stopped.
fn stop_work(signal: i32) -> bool {
    let work = WORK.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(Work { cancelled, message }) = &*work else {
        return false;
    };
    SIGNAL.store(signal, Ordering::Relaxed);
    if cancelled.swap(true, Ordering::Relaxed) {
        std::process::exit(i32::from(status()));
    }
    let _ = writeln!(std::io::stderr().lock(), "\n{message}");
    true
}

/// Listen to signals. Must be called before threads begin, since they inherit the blocked signals
/// of this one.
#[cfg(unix)]
pub(crate) fn listen() {
    use nix::sys::signal::{SigSet, Signal, raise};

    let mut signals: SigSet = [Signal::SIGINT, Signal::SIGTERM].into_iter().collect();
    // `nohup` has it ignored.
    if !super::system::is_ignored(Signal::SIGHUP as i32) {
        signals.add(Signal::SIGHUP);
    }
    if let Err(error) = signals.thread_block() {
        tracing::debug!(%error, "signals can't be blocked");
        return;
    }
    let wait = move || {
        while let Ok(signal) = signals.wait() {
            if !stop_work(signal as i32) {
                // This ends the process, and the shell sees by which signal, unless the signal was
                // ignored from the start.
                let _ = signals.thread_unblock().and_then(|()| raise(signal));
                let _ = signals.thread_block();
            }
        }
    };
    let thread = std::thread::Builder::new().name("signals".to_owned());
    if !has_room_for_threads(1) || thread.spawn(wait).is_err() {
        tracing::debug!("no thread for signals");
        let _ = signals.thread_unblock();
    }
}

/// Listen to Ctrl-C.
#[cfg(not(unix))]
pub(crate) fn listen() {
    let listening = ctrlc::set_handler(|| {
        if !stop_work(CTRL_C) {
            std::process::exit(i32::from(status()));
        }
    });
    if let Err(error) = listening {
        tracing::debug!(%error, "no handler for Ctrl-C");
    }
}
