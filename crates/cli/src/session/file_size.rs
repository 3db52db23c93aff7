//! Limits on the size of files, as the shell's `ulimit -f` sets them.

/// Make writing beyond the limit an error like any other (`EFBIG`). By default, the system ends the
/// program with a signal, without a message and with unfinished files left behind.
///
/// Must be called before threads begin, since they inherit the blocked signals of this one.
pub(crate) fn fail_instead_of_signaling() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        let mut signals = SigSet::empty();
        signals.add(Signal::SIGXFSZ);
        if let Err(error) = signals.thread_block() {
            tracing::debug!(%error, "the signal SIGXFSZ can't be blocked");
        }
    }
}
