//! Who calls: anyone at first, and then the processes that were admitted.

use std::collections::{BTreeMap, VecDeque};
use std::net::{Shutdown, TcpStream};
use std::sync::{Mutex, MutexGuard};

use crate::net::channel::Channel;

/// The maximum number of callers that haven't finished the handshake.
const MOST_STRANGERS: usize = 128;

/// The callers that haven't finished the handshake.
///
/// If there are too many, the oldest one has to go: a process needs milliseconds for a handshake,
/// so those that wait longest are most likely none.
#[derive(Debug, Default)]
pub(crate) struct Strangers {
    waiting: Mutex<Waiting>,
}

#[derive(Debug, Default)]
struct Waiting {
    callers: VecDeque<(u64, TcpStream)>,
    /// The number of all callers so far.
    calls: u64,
}

impl Strangers {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting
            .lock()
            .expect("no thread panics while it holds this")
    }

    /// Let a caller try the handshake, and return its number. If another one has to go, its
    /// connection ends.
    pub(crate) fn enter(&self, stream: TcpStream) -> u64 {
        let mut waiting = self.waiting();
        if waiting.callers.len() >= MOST_STRANGERS
            && let Some((_, oldest)) = waiting.callers.pop_front()
        {
            // It may have left by itself.
            oldest.shutdown(Shutdown::Both).ok();
        }
        waiting.calls += 1;
        let number = waiting.calls;
        waiting.callers.push_back((number, stream));
        number
    }

    /// Remove a caller that is no stranger any more, or is refused.
    pub(crate) fn leave(&self, number: u64) {
        self.waiting().callers.retain(|caller| caller.0 != number);
    }
}

/// The processes that called this one and were admitted; one that died may connect again.
#[derive(Default)]
pub(crate) struct Entrants {
    entered: Mutex<Entered>,
}

#[derive(Default)]
struct Entered {
    /// For each process the number of its entry, and its connection.
    present: BTreeMap<usize, (u64, Channel)>,
    entries: u64,
}

impl Entrants {
    fn entered(&self) -> MutexGuard<'_, Entered> {
        self.entered
            .lock()
            .expect("no thread panics while it holds this")
    }

    /// Admit a process, unless it is already present. Return the number of this entry: later ones
    /// are greater.
    pub(crate) fn admit(&self, process: usize, channel: &Channel) -> Result<u64, String> {
        let mut entered = self.entered();
        if let Some((_, before)) = entered.present.get(&process)
            && !before.has_left()
        {
            return Err(format!("process {process} is there already"));
        }
        entered.entries += 1;
        let number = entered.entries;
        entered.present.insert(process, (number, channel.clone()));
        Ok(number)
    }

    /// Remove an entry.
    pub(crate) fn leave(&self, entry: u64) {
        let present = &mut self.entered().present;
        present.retain(|_, (number, _)| *number != entry);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::net::TcpListener;
    use std::time::Duration;

    use super::*;
    use crate::net::channel::Kind;
    use crate::net::testing::{pair, streams};

    const SOON: Duration = Duration::from_secs(5);

    /// Return whether an end is detected as gone within a while.
    fn leaves(near: &Channel) -> bool {
        (0..100).any(|_| near.has_left())
    }

    #[test]
    fn one_that_died_is_let_in_again() {
        let entrants = Entrants::default();
        let ((first, far), (again, _kept)) = (pair(), pair());
        let entry = entrants.admit(1, &first).expect("it is new");
        let (other, _far) = pair();
        assert!(entrants.admit(2, &other).is_ok());
        let refused = entrants.admit(1, &again).expect_err("it is there");
        assert_eq!(refused, "process 1 is there already");
        // The process dies silently, before or after it was admitted.
        drop(far);
        assert!(leaves(&first));
        let later = entrants.admit(1, &again).expect("the first one is gone");
        assert!(later > entry);
        // The end of the first entry no longer matters.
        entrants.leave(entry);
        let (third, _far) = pair();
        assert!(entrants.admit(1, &third).is_err());
        entrants.leave(later);
        assert!(entrants.admit(1, &third).is_ok());
    }

    #[test]
    fn who_is_ready_is_there_and_who_refuses_is_not() {
        let (near, far) = pair();
        far.send(Kind::Ready, &[], SOON).expect("it is sent");
        assert!((0..20).all(|_| !near.has_left()));
        // A glance takes nothing away.
        let mut content = Vec::new();
        let kind = near.receive(&mut content, &|_| Ok(()));
        assert_eq!(kind.expect("it is received"), Kind::Ready);
        far.send(Kind::Refused, b"no", SOON).expect("it is sent");
        assert!(leaves(&near));
    }

    #[test]
    fn the_oldest_stranger_has_to_go() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let strangers = Strangers::default();
        let (first, mut far) = streams(&listener);
        let number = strangers.enter(first);
        let others: Vec<_> = (1..MOST_STRANGERS).map(|_| streams(&listener)).collect();
        let mut ends = Vec::new();
        for (near, far) in others {
            strangers.enter(near);
            ends.push(far);
        }
        far.set_nonblocking(true).expect("a stream");
        assert!(far.read(&mut [0]).is_err(), "it may stay");
        let (near, _far) = streams(&listener);
        strangers.enter(near);
        far.set_nonblocking(false).expect("a stream");
        assert_eq!(far.read(&mut [0]).expect("its end"), 0);
        // It is no longer among them.
        strangers.leave(number);
        assert_eq!(strangers.waiting().callers.len(), MOST_STRANGERS);
    }
}
