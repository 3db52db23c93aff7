//! The processes that were admitted; one that died may connect again.

use std::collections::BTreeMap;
use std::net::TcpStream;
use std::sync::Mutex;
use std::time::Duration;

use crate::net::frame::{Kind, is_only_late};

/// The maximum time to check a connection.
const GLANCE: Duration = Duration::from_millis(1);

/// The processes that called this one and were admitted.
#[derive(Debug, Default)]
pub(crate) struct Entrants {
    entered: Mutex<Entered>,
}

#[derive(Debug, Default)]
struct Entered {
    /// For each process the number of its entry, and its connection.
    present: BTreeMap<usize, (u64, TcpStream)>,
    entries: u64,
}

impl Entrants {
    fn entered(&self) -> std::sync::MutexGuard<'_, Entered> {
        self.entered
            .lock()
            .expect("no thread panics while it holds this")
    }

    /// Admit a process, unless it is already present. Return the number of this entry: later ones
    /// are greater.
    pub(crate) fn admit(&self, process: usize, stream: &TcpStream) -> Result<u64, String> {
        let mut entered = self.entered();
        if let Some((_, before)) = entered.present.get(&process)
            && !is_gone(before)
        {
            return Err(format!("process {process} is there already"));
        }
        let stream = stream.try_clone().map_err(|error| error.to_string())?;
        entered.entries += 1;
        let number = entered.entries;
        entered.present.insert(process, (number, stream));
        Ok(number)
    }

    /// Remove an entry.
    pub(crate) fn leave(&self, entry: u64) {
        let present = &mut self.entered().present;
        present.retain(|_, (number, _)| *number != entry);
    }
}

/// Return whether the other side of a connection has left, or announces it. Before all processes
/// are connected, no process sends anything other than that it is ready.
pub(crate) fn is_gone(stream: &TcpStream) -> bool {
    let mut kind = [0];
    if stream.set_read_timeout(Some(GLANCE)).is_err() {
        return true;
    }
    match stream.peek(&mut kind) {
        Ok(0) => true,
        Ok(_) => kind[0] != Kind::Ready as u8,
        Err(error) => !is_only_late(&error),
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;
    use crate::net::frame;

    /// Return both ends of a connection.
    fn pair(listener: &TcpListener) -> (TcpStream, TcpStream) {
        let address = listener.local_addr().expect("an address");
        let far = TcpStream::connect(address).expect("a connection");
        let (near, _) = listener.accept().expect("a connection");
        (near, far)
    }

    /// Return whether an end is detected as gone within a while.
    fn leaves(near: &TcpStream) -> bool {
        (0..100).any(|_| is_gone(near))
    }

    #[test]
    fn one_that_died_is_let_in_again() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let entrants = Entrants::default();
        let ((first, far), (again, _kept)) = (pair(&listener), pair(&listener));
        let entry = entrants.admit(1, &first).expect("it is new");
        let (other, _far) = pair(&listener);
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
        let (third, _far) = pair(&listener);
        assert!(entrants.admit(1, &third).is_err());
        entrants.leave(later);
        assert!(entrants.admit(1, &third).is_ok());
    }

    #[test]
    fn who_is_ready_is_there_and_who_refuses_is_not() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let (near, mut far) = pair(&listener);
        assert!(!is_gone(&near));
        frame::send(&mut far, Kind::Ready, &[]).expect("it is sent");
        assert!((0..20).all(|_| !is_gone(&near)));
        let (near, mut far) = pair(&listener);
        frame::send(&mut far, Kind::Refused, b"no").expect("it is sent");
        assert!(leaves(&near));
    }
}
