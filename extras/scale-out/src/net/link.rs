//! A connection to a process that takes part: its data as a stream, and heartbeats between them.
//!
//! When the other side is lost, its bytes end as if it had left in order. [`Health`] records the
//! reason, and the workers, which check it, stop by themselves.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::Duration;

use crate::net::channel::{AT_ONCE, Channel, Kind};
use crate::net::handshake::readable;
use crate::net::health::Health;

/// Why a process is lost that sends anything else than messages.
const NO_SENSE: &str = "what it sent makes no sense";
/// How long a process that leaves after an error waits for the others to leave, too.
const LINGER: Duration = Duration::from_secs(2);

/// What the threads that use a connection share.
struct Line {
    process: usize,
    health: Arc<Health>,
    patience: Duration,
    channel: Channel,
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
}

/// One handle of a connection.
pub(crate) struct Link {
    line: Arc<Line>,
    /// Received bytes, and how many of them have been read.
    inbound: (Vec<u8>, usize),
    is_at_end: bool,
}

impl Link {
    /// Make a connection to a process whose handshake is done.
    pub(crate) fn new(
        process: usize,
        channel: Channel,
        health: Arc<Health>,
        patience: Duration,
    ) -> Self {
        Self::of(Arc::new(Line {
            process,
            health,
            patience,
            channel,
        }))
    }

    fn of(line: Arc<Line>) -> Self {
        Self {
            line,
            inbound: (Vec::new(), 0),
            is_at_end: false,
        }
    }

    /// Make a handle for another thread. Only one of them may read.
    pub(crate) fn handle(&self) -> Self {
        Self::of(Arc::clone(&self.line))
    }

    /// Return the number of the other process.
    pub(crate) fn process(&self) -> usize {
        self.line.process
    }

    /// Return whether the other process has left or is lost, and all that it sent has been read.
    pub(crate) fn is_at_end(&self) -> bool {
        self.is_at_end
    }

    /// Record that the other process sends what makes no sense.
    pub(crate) fn distrust(&self) {
        self.line
            .health
            .lose(self.line.process, NO_SENSE.to_owned());
    }

    /// Say goodbye, and write no more.
    pub(crate) fn close(&self) {
        let Line {
            channel,
            health,
            patience,
            ..
        } = &*self.line;
        channel.close(Kind::Goodbye, health.farewell().as_bytes(), *patience);
    }

    /// Receive the next record.
    fn next(&mut self) -> io::Result<()> {
        let (line, (content, taken)) = (&self.line, &mut self.inbound);
        *taken = 0;
        let kind = line.channel.receive(content, &|waited| {
            line.linger()?;
            if waited < line.patience {
                return Ok(());
            }
            let seconds = line.patience.as_secs();
            let message = format!("no data received for {seconds} seconds");
            Err(io::Error::new(io::ErrorKind::TimedOut, message))
        })?;
        match kind {
            Kind::Data => return Ok(()),
            Kind::Heartbeat => line.linger()?,
            Kind::Goodbye => {
                line.health.leave(line.process, readable(content));
                self.is_at_end = true;
            }
            _ => return Err(io::Error::other(NO_SENSE)),
        }
        content.clear();
        Ok(())
    }
}

impl Read for Link {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let (bytes, taken) = &mut self.inbound;
            let n = buffer.len().min(bytes.len() - *taken);
            if n > 0 || self.is_at_end {
                buffer[..n].copy_from_slice(&bytes[*taken..*taken + n]);
                *taken += n;
                return Ok(n);
            }
            if let Err(error) = self.next() {
                self.line.health.lose(self.line.process, error.to_string());
                self.inbound = (Vec::new(), 0);
                self.is_at_end = true;
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
