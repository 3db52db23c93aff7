//! A connection to a process that takes part, as a stream for the engine of the dataflow.
//!
//! The engine's threads panic where a stream fails or ends within a message. So this one never
//! fails: it hands over whole messages only, and when the other side is lost, it ends as if that
//! side had left in order. [`Health`] records the reason, and the workers, which check it, stop by
//! themselves.

use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::Duration;

use timely::communication::allocator::zero_copy::stream::Stream;

use crate::net::channel::{AT_ONCE, Channel, Kind};
use crate::net::handshake::readable;
use crate::net::health::Health;

/// Why a process is lost that sends anything else than messages.
const NO_SENSE: &str = "what it sent makes no sense";
/// How long a process that leaves after an error waits for the others to leave, too.
const LINGER: Duration = Duration::from_secs(2);
/// The maximum length of a message.
const LONGEST: u64 = 1 << 30;
/// The bytes before a message of the engine: six numbers, the highest bytes first. They are its
/// channel, the worker that sent it, the first one of those that it is for and the one after them,
/// its length and its number. The last message has no length.
const HEAD: usize = 48;

/// What the threads that use a connection share.
struct Line {
    process: usize,
    health: Arc<Health>,
    patience: Duration,
    channel: Channel,
    /// The workers there, and those here.
    there: Range<u64>,
    here: Range<u64>,
}

impl Line {
    fn send(&self, kind: Kind, content: &[u8]) {
        match self.channel.send(kind, content, self.patience) {
            Ok(n) => {
                self.health.sent.fetch_add(n as u64, Ordering::Relaxed);
            }
            Err(error) => self.health.lose(self.process, error.to_string()),
        }
    }

    /// Wait for the other processes after an error, but not for long.
    fn linger(&self) -> io::Result<()> {
        match self.health.failed_for() {
            Some(time) if time >= LINGER => Err(io::Error::other("this process leaves")),
            _ => Ok(()),
        }
    }

    /// Return the length of a message, by its head, which must be that of a message from there to
    /// here.
    fn length(&self, head: &[u8; HEAD]) -> io::Result<usize> {
        let numbers: &[[u8; 8]] = head.as_chunks().0;
        let number = |place: usize| u64::from_be_bytes(numbers[place]);
        let (from, first, end, length) = (number(1), number(2), number(3), number(4));
        let is_for_us = self.here.start <= first && first < end && end <= self.here.end;
        let is_message = self.there.contains(&from) && is_for_us && length <= LONGEST;
        if length > 0 && !is_message {
            return Err(io::Error::other(NO_SENSE));
        }
        Ok(length as usize)
    }
}

/// One handle of a connection.
pub(crate) struct Link {
    line: Arc<Line>,
    inbound: Inbound,
}

/// Messages that have arrived.
#[derive(Default)]
struct Inbound {
    bytes: Vec<u8>,
    /// How many of them have been read.
    read: usize,
    /// Where the last whole message ends.
    whole: usize,
    /// Whether it is the last one of all.
    is_last: bool,
    /// Whether nothing more will arrive.
    is_at_end: bool,
}

impl Inbound {
    /// Take no more, and end in order.
    fn end(&mut self) {
        self.bytes.truncate(self.whole);
        if !self.is_last {
            self.bytes.resize(self.whole + HEAD, 0);
            self.whole = self.bytes.len();
        }
        self.is_at_end = true;
    }

    /// Find the messages that are whole.
    fn advance(&mut self, line: &Line) -> io::Result<()> {
        while let Some(head) = self.bytes[self.whole..].first_chunk() {
            if self.is_last {
                return Err(io::Error::other(NO_SENSE));
            }
            let length = line.length(head)?;
            if self.bytes.len() - self.whole < HEAD + length {
                break;
            }
            self.whole += HEAD + length;
            self.is_last = length == 0;
        }
        Ok(())
    }
}

impl Link {
    /// Make a connection to a process whose handshake is done. `own` is the number of this process,
    /// and each one has `threads` workers.
    pub(crate) fn new(
        process: usize,
        channel: Channel,
        health: Arc<Health>,
        patience: Duration,
        own: usize,
        threads: usize,
    ) -> Self {
        let workers = |process: usize| (process * threads) as u64..((process + 1) * threads) as u64;
        Self::of(Arc::new(Line {
            process,
            health,
            patience,
            channel,
            there: workers(process),
            here: workers(own),
        }))
    }

    fn of(line: Arc<Line>) -> Self {
        Self {
            line,
            inbound: Inbound::default(),
        }
    }

    /// Receive the next record.
    fn next(&mut self) -> io::Result<()> {
        let (line, inbound) = (&self.line, &mut self.inbound);
        inbound.bytes.drain(..inbound.read);
        inbound.whole -= inbound.read;
        inbound.read = 0;
        let begin = inbound.bytes.len();
        let kind = line.channel.receive(&mut inbound.bytes, &|waited| {
            line.linger()?;
            if waited < line.patience {
                return Ok(());
            }
            let seconds = line.patience.as_secs();
            let message = format!("no data received for {seconds} seconds");
            Err(io::Error::new(io::ErrorKind::TimedOut, message))
        })?;
        let content = &inbound.bytes[begin..];
        match kind {
            // Nobody is left to take them, and the end comes in any case.
            Kind::Data if line.health.is_closing() => {
                inbound.bytes.truncate(inbound.whole);
                line.linger()
            }
            Kind::Data => inbound.advance(line),
            Kind::Heartbeat => {
                inbound.bytes.truncate(begin);
                line.linger()
            }
            Kind::Goodbye => {
                line.health.leave(line.process, readable(content));
                inbound.end();
                Ok(())
            }
            _ => Err(io::Error::other(NO_SENSE)),
        }
    }
}

impl Read for Link {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let inbound = &mut self.inbound;
            let n = buffer.len().min(inbound.whole - inbound.read);
            if n > 0 || inbound.is_at_end {
                let bytes = &inbound.bytes[inbound.read..inbound.read + n];
                buffer[..n].copy_from_slice(bytes);
                inbound.read += n;
                return Ok(n);
            }
            if let Err(error) = self.next() {
                self.line.health.lose(self.line.process, error.to_string());
                self.inbound.end();
            }
        }
    }
}

impl Write for Link {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        for part in buffer.chunks(AT_ONCE) {
            self.line.send(Kind::Data, part);
        }
        Ok(buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Link {
    /// Make a handle for another thread. Only one of them may read.
    fn try_clone(&self) -> io::Result<Self> {
        Ok(Self::of(Arc::clone(&self.line)))
    }

    fn set_nonblocking(&self, _: bool) -> io::Result<()> {
        Ok(())
    }

    /// Say goodbye, and write no more.
    fn shutdown(&self, _: Shutdown) -> io::Result<()> {
        let Line {
            channel,
            health,
            patience,
            ..
        } = &*self.line;
        channel.close(Kind::Goodbye, health.farewell().as_bytes(), *patience);
        Ok(())
    }
}

/// Sends heartbeats to the other side.
pub(crate) struct Heart {
    line: Arc<Line>,
    thread: Option<JoinHandle<()>>,
}

impl Heart {
    pub(crate) fn of(link: &Link) -> io::Result<Self> {
        let (line, beats) = (Arc::clone(&link.line), Arc::clone(&link.line));
        let pause = line.patience / 10;
        let thread = std::thread::Builder::new()
            .name(format!("heart-{}", line.process))
            .spawn(move || {
                while !beats.channel.is_closed() {
                    beats.send(Kind::Heartbeat, &[]);
                    std::thread::park_timeout(pause);
                }
            })?;
        Ok(Self {
            line,
            thread: Some(thread),
        })
    }
}

impl Drop for Heart {
    fn drop(&mut self) {
        self.line.channel.end();
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // The thread doesn't panic; if it did, nothing could be done about it here.
            thread.join().ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use timely::communication::networking::MessageHeader;

    use super::*;
    use crate::error::ClusterError;
    use crate::net::testing::pair;

    const SOON: Duration = Duration::from_secs(5);

    /// Return a message of the engine, from worker 2 or 3 to worker 0 or 1.
    fn message(content: &[u8]) -> Vec<u8> {
        let header = MessageHeader {
            channel: 3,
            source: 2,
            target_lower: 0,
            target_upper: 2,
            length: content.len(),
            seqno: 7,
        };
        assert_eq!(header.header_bytes(), HEAD);
        let mut bytes = Vec::new();
        header.write_to(&mut bytes).expect("memory takes all");
        bytes.extend(content);
        bytes
    }

    /// Return what process 0 reads after process 1 has sent some data and is gone, and the error
    /// that its workers find.
    fn read(data: &[&[u8]], farewell: Option<&str>) -> (Vec<u8>, Option<String>) {
        let (near, far) = pair();
        let health = Arc::new(Health::new(vec!["here".to_owned(), "there".to_owned()]));
        let mut link = Link::new(1, near, Arc::clone(&health), SOON, 0, 2);
        for part in data {
            far.send(Kind::Data, part, SOON).expect("a connection");
            far.send(Kind::Heartbeat, &[], SOON).expect("a connection");
        }
        if let Some(farewell) = farewell {
            far.close(Kind::Goodbye, farewell.as_bytes(), SOON);
        }
        drop(far);
        let mut found = Vec::new();
        link.read_to_end(&mut found).expect("it never fails");
        (found, health.check().err().map(|error| error.to_string()))
    }

    #[test]
    fn all_that_was_sent_in_order_is_read() {
        let [first, second, last] = [&b"one"[..], &[7; 5_000], &[]].map(message);
        let all = [first, second, last].concat();
        for cut in [3, 47, 48, 50, 51, 52, 90, 5_000] {
            let (begin, end) = all.split_at(cut);
            let (found, error) = read(&[begin, end], Some(""));
            assert!(found == all, "{cut}");
            assert_eq!(error, None);
        }
        let (_, error) = read(&[&all], Some("a disk is full"));
        let error = error.expect("a reason");
        assert_eq!(error, "process 1 at there stopped: a disk is full");
    }

    #[test]
    fn a_message_in_part_is_left_out_and_the_end_is_in_order() {
        let [first, second] = [&b"one"[..], b"another one"].map(message);
        let last = vec![0; HEAD];
        for length in 0..second.len() {
            let (found, error) = read(&[&first, &second[..length]], None);
            assert_eq!(found, [&first[..], &last].concat(), "{length}");
            let error = error.expect("it is lost");
            assert!(error.starts_with("process 1 at there is lost: "), "{error}");
        }
    }

    #[test]
    fn what_is_no_message_ends_the_connection() {
        let good = message(b"one");
        let last = vec![0; HEAD];
        // The sender, the receivers and the length.
        for (place, number) in [(1, 1), (1, 4), (2, 2), (3, 3), (3, 0), (4, 1 << 40)] {
            let mut wrong = message(b"another one");
            wrong[8 * place..][..8].copy_from_slice(&u64::to_be_bytes(number));
            let (found, error) = read(&[&good, &wrong, &good], Some(""));
            assert_eq!(found, [&good[..], &last].concat(), "{place}: {number}");
            let error = error.expect("it is lost");
            assert!(
                error.ends_with("is lost: what it sent makes no sense"),
                "{error}"
            );
        }
        // Nothing follows the last message.
        let (found, error) = read(&[&good, &last, &good], Some(""));
        assert_eq!(found, [&good[..], &last].concat());
        assert!(error.expect("it is lost").contains("makes no sense"));
    }

    #[test]
    fn who_has_failed_reads_no_more_than_the_end() {
        let (near, far) = pair();
        let health = Arc::new(Health::new(vec!["here".to_owned(), "there".to_owned()]));
        let mut link = Link::new(1, near, Arc::clone(&health), SOON, 0, 2);
        health.fail("a disk is full".to_owned());
        far.send(Kind::Data, &message(b"one"), SOON)
            .expect("a connection");
        link.shutdown(Shutdown::Write).expect("it never fails");
        let mut reason = Vec::new();
        let kind = far.receive(&mut reason, &|_| Ok(())).expect("a record");
        assert_eq!(
            (kind, reason.as_slice()),
            (Kind::Goodbye, &b"a disk is full"[..])
        );
        far.close(Kind::Goodbye, b"", SOON);
        let mut found = Vec::new();
        link.read_to_end(&mut found).expect("it never fails");
        assert_eq!(found, [0; HEAD]);
        assert!(matches!(health.check(), Err(ClusterError::Broken(_))));
    }
}
