//! Events that the processor or the system counts for a part of a program, such as misses of the
//! processor's caches.
//!
//! On Linux the system call `perf_event_open` gives such a counter as a file. Other systems have
//! none that a program may use without further rights.

/// An event that can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// Misses of the last level of the processor's caches.
    CacheMisses,
    /// Pages of memory that were touched for the first time. The system counts them, whatever the
    /// processor is.
    PageFaults,
}

/// Why an event isn't counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotCounted {
    /// This isn't Linux, or a Linux without such counters.
    #[error("this system doesn't count them")]
    NoSystem,
    /// The processor has no counter for it, or a virtual machine doesn't pass it on.
    #[error("the processor has no counter for them here")]
    NoCounter,
    /// The system doesn't allow it.
    #[error("the system doesn't allow it (see kernel.perf_event_paranoid)")]
    NotAllowed,
    /// Others used all counters of the processor.
    #[error("other programs used all counters of the processor")]
    InUse,
    /// Another error.
    #[error("the system failed to count them: {0}")]
    Failed(std::io::ErrorKind),
}

/// A running count of an event in this thread and in those that it begins later, and theirs. What
/// the system does for them isn't included.
///
/// ```
/// use search::{Counter, Event};
///
/// match Counter::start(Event::PageFaults) {
///     Ok(counter) => {
///         let bytes = vec![1_u8; 1 << 20];
///         assert!(counter.count()? > 0 && bytes.len() == 1 << 20);
///     }
///     Err(reason) => println!("not counted: {reason}"),
/// }
/// # Ok::<(), search::NotCounted>(())
/// ```
#[derive(Debug)]
pub struct Counter(system::Counter);

impl Counter {
    /// Begin to count.
    ///
    /// # Errors
    /// When the event can't be counted.
    pub fn start(event: Event) -> Result<Self, NotCounted> {
        system::Counter::start(event).map(Self)
    }

    /// Return the count so far. Where the processor counted only part of the time, since it has
    /// fewer counters than programs asked for, it is an estimate for all of it.
    ///
    /// # Errors
    /// When the processor didn't count at all.
    pub fn count(&self) -> Result<u64, NotCounted> {
        self.0.count()
    }
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs::File;
    use std::io::{Error, ErrorKind, Read};
    use std::os::fd::{FromRawFd, RawFd};

    use super::{Event, NotCounted};

    /// The beginning of `perf_event_attr`, which all versions of Linux know.
    #[repr(C)]
    #[derive(Default)]
    struct Attributes {
        kind: u32,
        size: u32,
        config: u64,
        sample_period: u64,
        sample_type: u64,
        read_format: u64,
        flags: u64,
        wakeup_events: u32,
        breakpoint_type: u32,
        config1: u64,
    }

    const HARDWARE: u32 = 0;
    const SOFTWARE: u32 = 1;
    const CACHE_MISSES: u64 = 3;
    const PAGE_FAULTS: u64 = 2;

    /// Bits of `flags`: threads that begin later count too; what the kernel and a hypervisor do
    /// doesn't.
    const INHERIT: u64 = 1 << 1;
    const EXCLUDE_KERNEL: u64 = 1 << 5;
    const EXCLUDE_HYPERVISOR: u64 = 1 << 6;

    /// Bits of `read_format`: the nanoseconds in which the event was to be counted, and those in
    /// which it was.
    const TIME_ENABLED: u64 = 1;
    const TIME_RUNNING: u64 = 1 << 1;

    /// A count as a file, which ends when the file is closed.
    #[derive(Debug)]
    pub(super) struct Counter(File);

    impl Counter {
        pub(super) fn start(event: Event) -> Result<Self, NotCounted> {
            let (kind, config) = match event {
                Event::CacheMisses => (HARDWARE, CACHE_MISSES),
                Event::PageFaults => (SOFTWARE, PAGE_FAULTS),
            };
            let attributes = Attributes {
                kind,
                size: size_of::<Attributes>() as u32,
                config,
                read_format: TIME_ENABLED | TIME_RUNNING,
                flags: INHERIT | EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR,
                ..Attributes::default()
            };
            const THIS_THREAD: libc::pid_t = 0;
            const ANY_PROCESSOR: libc::c_int = -1;
            const NO_GROUP: libc::c_int = -1;
            const CLOSE_ON_EXEC: libc::c_ulong = 8;
            // SAFETY: the call takes these five arguments, and reads as many bytes of the first
            // one as its `size` says, which are those of the structure. It writes to it only if
            // the size is one that the system doesn't know, and then only this field.
            let file = unsafe {
                libc::syscall(
                    libc::SYS_perf_event_open,
                    &raw const attributes,
                    THIS_THREAD,
                    ANY_PROCESSOR,
                    NO_GROUP,
                    CLOSE_ON_EXEC,
                )
            };
            match RawFd::try_from(file) {
                // SAFETY: the call has just opened it, and nothing else knows it.
                Ok(file) if file >= 0 => Ok(Self(unsafe { File::from_raw_fd(file) })),
                _ => Err(reason(&Error::last_os_error())),
            }
        }

        pub(super) fn count(&self) -> Result<u64, NotCounted> {
            let mut bytes = [0; 24];
            (&self.0)
                .read_exact(&mut bytes)
                .map_err(|error| reason(&error))?;
            let mut numbers = bytes.chunks_exact(8).map(|bytes| {
                let bytes = bytes.try_into().expect("chunks of 8 bytes");
                u64::from_ne_bytes(bytes)
            });
            let mut next = || numbers.next().expect("three numbers");
            super::estimate(next(), next(), next())
        }
    }

    fn reason(error: &Error) -> NotCounted {
        match error.raw_os_error() {
            Some(libc::ENOSYS) => NotCounted::NoSystem,
            Some(libc::ENOENT | libc::ENODEV | libc::EOPNOTSUPP) => NotCounted::NoCounter,
            Some(libc::EACCES | libc::EPERM) => NotCounted::NotAllowed,
            Some(libc::EBUSY) => NotCounted::InUse,
            _ if error.kind() == ErrorKind::UnexpectedEof => NotCounted::InUse,
            _ => NotCounted::Failed(error.kind()),
        }
    }
}

/// Return the count for all of the time, from that of the part in which the event was counted.
#[cfg(any(test, target_os = "linux"))]
fn estimate(count: u64, enabled: u64, running: u64) -> Result<u64, NotCounted> {
    if running >= enabled {
        return Ok(count);
    }
    let all = u128::from(count) * u128::from(enabled);
    let estimate = all.checked_div(running.into()).ok_or(NotCounted::InUse)?;
    Ok(u64::try_from(estimate).unwrap_or(u64::MAX))
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::{Event, NotCounted};

    /// There is none.
    #[derive(Debug)]
    pub(super) enum Counter {}

    impl Counter {
        pub(super) fn start(_: Event) -> Result<Self, NotCounted> {
            Err(NotCounted::NoSystem)
        }

        pub(super) fn count(&self) -> Result<u64, NotCounted> {
            match *self {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_of_part_of_the_time_stands_for_all_of_it() {
        assert_eq!(estimate(7, 0, 0), Ok(7));
        assert_eq!(estimate(7, 100, 100), Ok(7));
        assert_eq!(estimate(7, 100, 25), Ok(28));
        assert_eq!(estimate(u64::MAX, 100, 25), Ok(u64::MAX));
        assert_eq!(estimate(0, 100, 0), Err(NotCounted::InUse));
    }

    /// Touch `pages` pages for the first time.
    fn touch(pages: usize) {
        let mut bytes = vec![0_u8; pages << 12];
        for byte in bytes.iter_mut().step_by(1 << 12) {
            *byte = 1;
        }
        std::hint::black_box(&bytes);
    }

    #[test]
    fn this_thread_and_later_ones_are_counted() {
        // The system's own counter is there on all kinds of processors.
        let counter = match Counter::start(Event::PageFaults) {
            Ok(counter) => counter,
            Err(reason) => {
                let may_be = [NotCounted::NoSystem, NotCounted::NotAllowed];
                assert!(may_be.contains(&reason), "{reason}");
                return;
            }
        };
        // Huge pages may take the place of 512 pages each.
        const PAGES: usize = 1 << 13;
        const LEAST: u64 = PAGES as u64 / 512;
        let before = counter.count().unwrap();
        touch(PAGES);
        let here = counter.count().unwrap();
        assert!(here - before >= LEAST, "{before} {here}");
        std::thread::scope(|scope| {
            scope.spawn(|| touch(PAGES));
        });
        let all = counter.count().unwrap();
        assert!(all - here >= LEAST, "{here} {all}");
    }

    #[test]
    fn misses_are_counted_or_there_is_a_reason() {
        match Counter::start(Event::CacheMisses) {
            Ok(counter) => {
                touch(1 << 12);
                assert_ne!(counter.count(), Ok(0));
            }
            Err(reason) => assert!(!reason.to_string().is_empty()),
        }
    }
}
