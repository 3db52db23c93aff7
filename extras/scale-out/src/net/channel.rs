//! A private connection: records that only the two processes can read and make.
//!
//! A record is its length, two bytes, and a message of the Noise protocol. It is encrypted and
//! authenticated together with its number, so that records can't be changed, repeated, left out or
//! put in another order. What is left out at the end is detected as well, since a process that
//! leaves says so in its last record.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use snow::StatelessTransportState;

/// The bytes before a record: its length.
const LENGTH: usize = 2;
/// The bytes of a record besides its content: the kind, and the tag that authenticates it.
const AROUND: usize = 1 + 16;
/// The maximum length of the content of a record: that of a message of the protocol, less the rest.
const MOST: usize = 65_535 - AROUND;
/// Data that are sent together, at most: the content of some records.
pub(crate) const AT_ONCE: usize = 4 * MOST;
/// The time between two checks whether to wait longer.
pub(crate) const TICK: Duration = Duration::from_millis(100);
/// The maximum time to check whether the other side has left.
const GLANCE: Duration = Duration::from_millis(1);

/// The kind of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    /// Bytes of messages.
    Data = 0,
    /// The sender is alive.
    Heartbeat = 1,
    /// The sender leaves, with the reason as text if there is one.
    Goodbye = 2,
    /// What the caller wants to take part in.
    Introduction = 3,
    /// Agreement.
    Welcome = 4,
    /// The reason why the other side isn't let in.
    Refused = 5,
    /// All connections of the sender are up.
    Ready = 6,
}

impl Kind {
    const ALL: [Self; 7] = [
        Self::Data,
        Self::Heartbeat,
        Self::Goodbye,
        Self::Introduction,
        Self::Welcome,
        Self::Refused,
        Self::Ready,
    ];
}

/// One handle of a private connection. All handles share the records.
#[derive(Clone)]
pub(crate) struct Channel(Arc<Shared>);

struct Shared {
    stream: TcpStream,
    cipher: StatelessTransportState,
    outgoing: Mutex<Outgoing>,
    incoming: Mutex<Incoming>,
    /// Whether writing has ended.
    is_closed: AtomicBool,
}

/// What is needed to send records.
#[derive(Default)]
struct Outgoing {
    /// The number of the next record.
    number: u64,
    /// The kind and the content of a record.
    plain: Vec<u8>,
    /// Records that are sent together.
    sealed: Vec<u8>,
}

/// What is needed to receive records.
struct Incoming {
    stream: BufReader<TcpStream>,
    /// The number of the next record.
    number: u64,
    /// The part of it that has arrived.
    sealed: Vec<u8>,
}

impl Channel {
    /// Make a connection whose two sides have agreed on a cipher.
    pub(crate) fn new(stream: TcpStream, cipher: StatelessTransportState) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(TICK))?;
        let incoming = Incoming {
            stream: BufReader::with_capacity(1 << 17, stream.try_clone()?),
            number: 0,
            sealed: Vec::new(),
        };
        Ok(Self(Arc::new(Shared {
            stream,
            cipher,
            outgoing: Mutex::default(),
            incoming: Mutex::new(incoming),
            is_closed: AtomicBool::new(false),
        })))
    }

    /// Send a record, or several if data are longer than one; return the number of bytes. Nothing
    /// is sent after [`close`](Self::close).
    ///
    /// # Errors
    /// If the other side doesn't take it within `patience`, the connection is broken, or the
    /// content is too long and isn't data. Then nothing more can be sent.
    pub(crate) fn send(&self, kind: Kind, content: &[u8], patience: Duration) -> io::Result<usize> {
        let mut outgoing = self.outgoing();
        if self.is_closed() {
            return Ok(0);
        }
        let sent = outgoing
            .seal(&self.0.cipher, kind, content)
            .and_then(|()| write_all(&self.0.stream, &outgoing.sealed, patience));
        if sent.is_err() {
            self.end();
        }
        sent.map(|()| outgoing.sealed.len())
    }

    /// Send a last record, and nothing more.
    pub(crate) fn close(&self, kind: Kind, content: &[u8], patience: Duration) {
        // The other side may already have left.
        self.send(kind, content, patience).ok();
        self.end();
        self.0.stream.shutdown(Shutdown::Write).ok();
    }

    /// Send nothing more.
    pub(crate) fn end(&self) {
        self.0.is_closed.store(true, Ordering::Release);
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.0.is_closed.load(Ordering::Acquire)
    }

    /// Wait for the next record and add its content to `content`. `go_on` is called with the time
    /// waited, and fails when that was too long: only whole records count, so a part of
    /// one doesn't lengthen the wait.
    ///
    /// # Errors
    /// If `go_on` fails, the connection is closed or broken, or a record isn't the next one of the
    /// other side.
    pub(crate) fn receive(
        &self,
        content: &mut Vec<u8>,
        go_on: &dyn Fn(Duration) -> io::Result<()>,
    ) -> io::Result<Kind> {
        let mut incoming = self.incoming();
        let started = Instant::now();
        while !incoming.has_record()? {
            go_on(started.elapsed())?;
        }
        let kind = incoming.open(&self.0.cipher, content)?;
        incoming.remove();
        Ok(kind)
    }

    /// Return whether the other side has left, or announces it. Before all processes are connected,
    /// no process sends anything other than that it is ready.
    pub(crate) fn has_left(&self) -> bool {
        let mut incoming = self.incoming();
        let kind = incoming.glance(&self.0.cipher);
        let restored = self.0.stream.set_read_timeout(Some(TICK));
        restored.is_err() || !matches!(kind, Ok(None | Some(Kind::Ready)))
    }

    fn outgoing(&self) -> MutexGuard<'_, Outgoing> {
        let outgoing = self.0.outgoing.lock();
        outgoing.expect("no thread panics while it sends")
    }

    fn incoming(&self) -> MutexGuard<'_, Incoming> {
        let incoming = self.0.incoming.lock();
        incoming.expect("no thread panics while it receives")
    }
}

impl Outgoing {
    /// Put a content, as records, in place of those that were sent last.
    fn seal(
        &mut self,
        cipher: &StatelessTransportState,
        kind: Kind,
        content: &[u8],
    ) -> io::Result<()> {
        self.sealed.clear();
        let (mut part, mut rest) = content.split_at(content.len().min(MOST));
        if kind != Kind::Data && !rest.is_empty() {
            let message = "the message is too long for one record";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        loop {
            self.plain.clear();
            self.plain.extend_from_slice(part);
            self.plain.push(kind as u8);
            let (begin, length) = (self.sealed.len() + LENGTH, part.len() + AROUND);
            self.sealed
                .extend_from_slice(&(length as u16).to_le_bytes());
            self.sealed.resize(begin + length, 0);
            cipher
                .write_message(self.number, &self.plain, &mut self.sealed[begin..])
                .map_err(io::Error::other)?;
            self.number += 1;
            if rest.is_empty() {
                return Ok(());
            }
            (part, rest) = rest.split_at(rest.len().min(MOST));
        }
    }
}

impl Incoming {
    /// Return whether the next record has arrived. Read at most once, and keep what was read.
    fn has_record(&mut self) -> io::Result<bool> {
        let mut may_read = true;
        loop {
            let whole = match self.sealed.first_chunk::<LENGTH>() {
                None => LENGTH,
                Some(length) => LENGTH + usize::from(u16::from_le_bytes(*length)).max(AROUND),
            };
            if self.sealed.len() == whole {
                return Ok(true);
            }
            if self.stream.buffer().is_empty() && !std::mem::take(&mut may_read) {
                return Ok(false);
            }
            let bytes = match self.stream.fill_buf() {
                Ok([]) => {
                    let message = "the connection was closed";
                    return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
                }
                Ok(bytes) => bytes,
                Err(error) if is_only_late(&error) => return Ok(false),
                Err(error) => return Err(error),
            };
            let n = bytes.len().min(whole - self.sealed.len());
            self.sealed.extend_from_slice(&bytes[..n]);
            self.stream.consume(n);
        }
    }

    /// Open the record that has arrived, without removing it.
    fn open(&self, cipher: &StatelessTransportState, content: &mut Vec<u8>) -> io::Result<Kind> {
        let changed = || {
            let message = "its data were changed in transit";
            io::Error::new(io::ErrorKind::InvalidData, message)
        };
        let sealed = &self.sealed[LENGTH..];
        let begin = content.len();
        content.resize(begin + sealed.len(), 0);
        let n = cipher
            .read_message(self.number, sealed, &mut content[begin..])
            .map_err(|_| changed())?;
        content.truncate(begin + n);
        let kind = content.pop().ok_or_else(changed)?;
        Kind::ALL
            .get(usize::from(kind))
            .copied()
            .ok_or_else(changed)
    }

    /// Remove the record that has arrived.
    fn remove(&mut self) {
        self.sealed.clear();
        self.number += 1;
    }

    /// Return the kind of the next record if it arrives at once.
    fn glance(&mut self, cipher: &StatelessTransportState) -> io::Result<Option<Kind>> {
        self.stream.get_ref().set_read_timeout(Some(GLANCE))?;
        if !self.has_record()? {
            return Ok(None);
        }
        self.open(cipher, &mut Vec::new()).map(Some)
    }
}

/// Write all bytes, or fail if that takes longer than `patience`.
pub(crate) fn write_all(
    mut stream: &TcpStream,
    mut bytes: &[u8],
    patience: Duration,
) -> io::Result<()> {
    let started = Instant::now();
    while !bytes.is_empty() {
        let left = patience.saturating_sub(started.elapsed());
        if left.is_zero() {
            let message = format!("it accepted no data for {} seconds", patience.as_secs());
            return Err(io::Error::new(io::ErrorKind::TimedOut, message));
        }
        stream.set_write_timeout(Some(left))?;
        match stream.write(bytes) {
            Ok(n) => bytes = &bytes[n..],
            Err(error) if is_only_late(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Return whether a read or write failed only because of its timeout.
pub(crate) fn is_only_late(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted
    )
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::net::TcpListener;

    use proptest::prelude::*;

    use super::*;
    use crate::net::testing::{ciphers, pair, streams};

    const SOON: Duration = Duration::from_secs(5);

    #[test]
    fn kinds_are_their_numbers() {
        for (number, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, number);
        }
    }

    /// Fail after a time.
    fn limit(waited: Duration, most: Duration) -> io::Result<()> {
        if waited < most {
            return Ok(());
        }
        Err(io::ErrorKind::TimedOut.into())
    }

    /// Receive a record within a while.
    fn receive(channel: &Channel) -> io::Result<(Kind, Vec<u8>)> {
        let mut content = Vec::new();
        let kind = channel.receive(&mut content, &|waited| limit(waited, SOON))?;
        Ok((kind, content))
    }

    #[test]
    fn data_longer_than_a_record_are_sent_in_some() {
        let (near, far) = pair();
        for length in [0, 1, MOST, MOST + 1, AT_ONCE] {
            let data: Vec<u8> = (0..length).map(|it| it as u8).collect();
            let sent = std::thread::scope(|scope| {
                let sent = scope.spawn(|| near.send(Kind::Data, &data, SOON));
                let mut received = Vec::new();
                loop {
                    let (kind, content) = receive(&far).expect("a record");
                    assert_eq!(kind, Kind::Data);
                    received.extend(content);
                    if received.len() == length {
                        break;
                    }
                }
                assert!(received == data, "{length}");
                sent.join().expect("no panic").expect("it is sent")
            });
            let records = length.div_ceil(MOST).max(1);
            assert_eq!(sent, length + records * (LENGTH + AROUND));
        }
        assert!(near.send(Kind::Refused, &[0; MOST + 1], SOON).is_err());
    }

    #[test]
    fn nothing_follows_the_last_record() {
        let (near, far) = pair();
        near.close(Kind::Goodbye, b"why", SOON);
        assert_eq!(near.send(Kind::Data, b"more", SOON).expect("no error"), 0);
        let last = receive(&far).expect("a record");
        assert_eq!(last, (Kind::Goodbye, b"why".to_vec()));
        let error = receive(&far).expect_err("the end");
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn who_takes_nothing_is_not_waited_for() {
        let (near, _far) = pair();
        let patience = Duration::from_millis(200);
        let started = Instant::now();
        let sent = (0..1_000).find_map(|_| near.send(Kind::Data, &[0; AT_ONCE], patience).err());
        let error = sent.expect("buffers are not endless").to_string();
        assert!(error.contains("accepted no data"), "{error}");
        assert!(started.elapsed() < SOON);
    }

    #[test]
    fn parts_of_a_record_do_not_lengthen_the_wait() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let (near, mut far) = streams(&listener);
        let near = Channel::new(near, ciphers().0).expect("a channel");
        std::thread::scope(|scope| {
            let waiting =
                scope.spawn(|| near.receive(&mut Vec::new(), &|waited| limit(waited, SOON / 10)));
            far.write_all(&[255, 255]).expect("a connection");
            while !waiting.is_finished() {
                // More often than the channel checks whether to wait.
                far.write_all(&[0]).expect("a connection");
                std::thread::sleep(TICK / 10);
            }
            let error = waiting.join().expect("no panic").expect_err("no record");
            assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        });
    }

    /// Return the bytes of three records, and the cipher that reads them.
    fn records() -> ([Vec<u8>; 3], StatelessTransportState) {
        let (near, far) = ciphers();
        let mut outgoing = Outgoing::default();
        let records = [b"first".as_slice(), b"second", b"third"].map(|content| {
            let sealed = outgoing.seal(&near, Kind::Data, content);
            sealed.expect("it is short");
            outgoing.sealed.clone()
        });
        (records, far)
    }

    /// Return how many records come out of some bytes, which must be the first ones.
    fn read(bytes: &[u8], cipher: StatelessTransportState) -> usize {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let (near, mut far) = streams(&listener);
        far.write_all(bytes).expect("a connection");
        far.shutdown(Shutdown::Write).expect("a connection");
        let channel = Channel::new(near, cipher).expect("a channel");
        let expected = [b"first".as_slice(), b"second", b"third"];
        let records = std::iter::from_fn(|| receive(&channel).ok());
        let records = records.enumerate().map(|(number, record)| {
            assert_eq!(record, (Kind::Data, expected[number].to_vec()));
        });
        records.count()
    }

    #[test]
    fn no_record_of_another_order_is_accepted() {
        let [first, second, third] = records().0;
        let sent = [&first, &second, &third];
        for (order, n) in [
            (&[0, 1, 2][..], 3),
            (&[0, 0, 1, 2], 1),
            (&[0, 2], 1),
            (&[0, 2, 1], 1),
            (&[1, 2], 0),
            (&[0, 1, 2, 0], 3),
        ] {
            let bytes: Vec<u8> = order.iter().flat_map(|it| sent[*it].clone()).collect();
            // Other ciphers have other keys.
            assert_eq!(read(&bytes, records().1), 0, "{order:?}");
            let ([a, b, c], cipher) = records();
            let sent = [&a, &b, &c];
            let bytes: Vec<u8> = order.iter().flat_map(|it| sent[*it].clone()).collect();
            assert_eq!(read(&bytes, cipher), n, "{order:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn no_changed_record_is_accepted(at in 0_usize..70, bit in 0..8_u32) {
            let (records, cipher) = records();
            let mut bytes = records.concat();
            bytes[at] ^= 1_u8 << bit;
            let ends = [records[0].len(), records[0].len() + records[1].len()];
            let expected = ends.iter().filter(|end| **end <= at).count();
            prop_assert_eq!(read(&bytes, cipher), expected);
        }
    }

    #[test]
    fn what_is_sent_is_not_the_content() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let (near, mut far) = streams(&listener);
        let near = Channel::new(near, ciphers().0).expect("a channel");
        near.close(Kind::Data, &[b's'; 1_000], SOON);
        let mut bytes = Vec::new();
        far.read_to_end(&mut bytes).expect("a connection");
        assert_eq!(bytes.len(), 1_000 + LENGTH + AROUND);
        assert!(!bytes.windows(4).any(|it| it == b"ssss"));
    }
}
