//! Exit codes: one meaning each, the same for all commands.

use std::process::ExitCode;

use psvn::StopReason;

use crate::session::interrupt;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done, or solved.
    Done,
    /// The answer is no: verification failed, a file would be reformatted, no solution exists.
    No,
    /// The command line makes no sense.
    Usage,
    /// An input is rejected, or a file can't be read or written.
    Input,
    /// Stopped at a limit; the results so far are printed.
    Limit,
    /// Interrupted by the user, or ended by the system; the results so far are printed.
    Interrupted,
}

impl Exit {
    /// The exit status of the process.
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::No => 1,
            Exit::Usage => 2,
            Exit::Input => 3,
            Exit::Limit => 4,
            Exit::Interrupted => interrupt::status(),
        }
    }

    /// The status of work that something may have stopped early.
    pub(crate) fn of(stopped: Option<StopReason>) -> Self {
        match stopped {
            None => Exit::Done,
            Some(StopReason::Interrupted) => Exit::Interrupted,
            Some(_) => Exit::Limit,
        }
    }

    /// The more serious of two, for commands that do several things: an interruption hides a limit,
    /// which hides a no.
    pub(crate) fn and(self, other: Exit) -> Exit {
        if self.code() >= other.code() {
            self
        } else {
            other
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.code())
    }
}
