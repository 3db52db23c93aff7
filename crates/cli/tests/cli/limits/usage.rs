//! What a command used: processor time, and memory.

#![allow(unsafe_code, reason = "the system's calls aren't wrapped")]

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};

/// What a command used until its end.
pub(super) struct Usage {
    /// The processor time, of the user and of the system.
    pub(super) seconds: f64,
    /// The most memory that it held at any time.
    pub(super) bytes: u64,
    /// The exit status; `None` if a signal ended it.
    pub(super) status: Option<i32>,
}

/// The processor time after which the system ends a command, so that a fault doesn't hold up all
/// tests.
const MOST_SECONDS: u64 = 20;

/// Run a command to its end, without its outputs.
#[allow(
    clippy::zombie_processes,
    reason = "`wait4` waits for it, and says what it used"
)]
pub(super) fn of(command: &mut Command) -> Usage {
    let silent = command.stdout(Stdio::null()).stderr(Stdio::null());
    let child = silent.spawn().unwrap();
    let process = libc::pid_t::try_from(child.id()).unwrap();
    let limit = libc::rlimit {
        rlim_cur: MOST_SECONDS,
        rlim_max: MOST_SECONDS,
    };
    // SAFETY: the limit outlives the call, and there is no place for the former one.
    unsafe {
        libc::prlimit(
            process,
            libc::RLIMIT_CPU,
            &raw const limit,
            std::ptr::null_mut(),
        )
    };
    let mut status = 0;
    // SAFETY: numbers all of whose bits may be zero.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both places outlive the call, and nobody else waits for the process.
    let ended = unsafe { libc::wait4(process, &raw mut status, 0, &raw mut usage) };
    assert_eq!(ended, process, "{}", std::io::Error::last_os_error());
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    Usage {
        seconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
        bytes: usage.ru_maxrss as u64 * 1024,
        status: ExitStatus::from_raw(status).code(),
    }
}

/// Return the most memory that this process has held. A child begins with what its parent holds,
/// as the system counts it.
pub(super) fn own_bytes() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok());
    kibibytes.map_or(0, |kibibytes: u64| kibibytes * 1024)
}
