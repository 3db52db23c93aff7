//! The time of this program, as far as possible without that of others.

#![allow(
    unsafe_code,
    reason = "the standard library has no clock of processor time"
)]

use std::time::Duration;

/// The processor time of this thread.
///
/// # Panics
/// When the system has no such clock.
#[cfg(target_os = "linux")]
pub fn processor_time() -> Duration {
    #[repr(C)]
    struct Timespec {
        seconds: std::ffi::c_long,
        nanoseconds: std::ffi::c_long,
    }
    unsafe extern "C" {
        fn clock_gettime(clock: std::ffi::c_int, time: *mut Timespec) -> std::ffi::c_int;
    }
    const CLOCK_THREAD_CPUTIME_ID: std::ffi::c_int = 3;
    let mut time = Timespec {
        seconds: 0,
        nanoseconds: 0,
    };
    // SAFETY: the C library of the system, which the standard library links, has this function, and
    // it writes one time.
    let result = unsafe { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    assert_eq!(result, 0, "every thread has this clock");
    Duration::new(time.seconds as u64, time.nanoseconds as u32)
}

/// The elapsed time, since there is no portable processor time.
#[cfg(not(target_os = "linux"))]
pub fn processor_time() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static STARTED: OnceLock<Instant> = OnceLock::new();
    STARTED.get_or_init(Instant::now).elapsed()
}
