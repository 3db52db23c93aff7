//! Limits on the size of files, as the shell's `ulimit -f` sets them.

/// Make writing beyond the limit an error like any other (`EFBIG`). The system's habit is to end
/// the program by a signal, with nothing said and unfinished files left behind.
///
/// Must be called before threads begin: they take over what this one blocks.
pub(crate) fn tell_as_error() {
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
