//! A connection: bytes in frames with checksums, and heartbeats between them.
//!
//! When the other side is lost, its bytes end as if it had left in order. [`Health`] records the
//! reason, and the workers, which check it, stop by themselves.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::net::frame::{self, HEADER, Header, Kind, TICK};
use crate::net::handshake::readable;
use crate::net::health::Health;

/// The maximum length of the content of a sent frame.
const AT_ONCE: usize = 1 << 18;
/// Why a process is lost that sends anything else than messages.
const NO_SENSE: &str = "what it sent makes no sense";
/// How long a process that leaves after an error waits for the others to leave, too.
const LINGER: Duration = Duration::from_secs(2);

/// The state shared by the threads that use a connection.
struct Line {
    process: usize,
    health: Arc<Health>,
    patience: Duration,
    /// The stream to which frames are written, one at a time.
    writer: Mutex<(TcpStream, Vec<u8>)>,
    /// Whether writing has ended.
    closed: AtomicBool,
}

impl Line {
    fn send(&self, kind: Kind, content: &[u8]) {
        let mut guard = self
            .writer
            .lock()
            .expect("no thread panics while it writes");
        let (stream, buffer) = &mut *guard;
        if self.closed.load(Ordering::Acquire) {
            return;
        }
        frame::bytes(kind, content, buffer);
        match stream.write_all(buffer) {
            Ok(()) => {
                let n = buffer.len() as u64;
                self.health.sent.fetch_add(n, Ordering::Relaxed);
            }
            Err(error) => {
                self.closed.store(true, Ordering::Release);
                let reason = if frame::is_only_late(&error) {
                    format!(
                        "it accepted no data for {} seconds",
                        self.patience.as_secs()
                    )
                } else {
                    error.to_string()
                };
                self.health.lose(self.process, reason);
            }
        }
    }
}

/// One handle of a connection.
pub(crate) struct Link {
    line: Arc<Line>,
    stream: TcpStream,
    /// Received bytes, and how many of them have been read.
    inbound: (Vec<u8>, usize),
    is_at_end: bool,
}

impl Link {
    /// Make a connection to a process whose handshake is done.
    pub(crate) fn new(
        process: usize,
        stream: TcpStream,
        health: Arc<Health>,
        patience: Duration,
    ) -> io::Result<Self> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(patience))?;
        stream.set_read_timeout(Some(TICK))?;
        let line = Line {
            process,
            health,
            patience,
            writer: Mutex::new((stream.try_clone()?, Vec::new())),
            closed: AtomicBool::new(false),
        };
        Ok(Self {
            line: Arc::new(line),
            stream,
            inbound: (Vec::new(), 0),
            is_at_end: false,
        })
    }

    /// Make a handle for another thread. Only one of them may read.
    pub(crate) fn try_clone(&self) -> io::Result<Self> {
        Ok(Self {
            line: Arc::clone(&self.line),
            stream: self.stream.try_clone()?,
            inbound: (Vec::new(), 0),
            is_at_end: false,
        })
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
        let line = &self.line;
        line.send(Kind::Goodbye, line.health.farewell().as_bytes());
        line.closed.store(true, Ordering::Release);
        // The other side may already have left.
        self.stream.shutdown(Shutdown::Write).ok();
    }

    /// Fill a buffer, or return why that isn't possible.
    fn fill(&mut self, mut buffer: &mut [u8], mut heard: Instant) -> Result<(), String> {
        while !buffer.is_empty() {
            match self.stream.read(buffer) {
                Ok(0) => return Err("the connection was closed".to_owned()),
                Ok(n) => {
                    buffer = &mut buffer[n..];
                    heard = Instant::now();
                    let n = n as u64;
                    self.line.health.received.fetch_add(n, Ordering::Relaxed);
                }
                Err(error) if frame::is_only_late(&error) => {
                    self.linger()?;
                    if heard.elapsed() >= self.line.patience {
                        let seconds = self.line.patience.as_secs();
                        return Err(format!("no data received for {seconds} seconds"));
                    }
                }
                Err(error) => return Err(error.to_string()),
            }
        }
        Ok(())
    }

    /// Wait for the other processes after an error, but not for long.
    fn linger(&self) -> Result<(), String> {
        match self.line.health.failed_for() {
            Some(time) if time >= LINGER => Err("this process leaves".to_owned()),
            _ => Ok(()),
        }
    }

    /// Receive the next frame.
    fn next(&mut self) -> Result<(), String> {
        let mut bytes = [0; HEADER];
        self.fill(&mut bytes, Instant::now())?;
        let header = Header::parse(&bytes, frame::LONGEST).ok_or_else(|| NO_SENSE.to_owned())?;
        let mut content = vec![0; header.length];
        self.fill(&mut content, Instant::now())?;
        if crc32fast::hash(&content) != header.crc32 {
            return Err("its data were changed in transit".to_owned());
        }
        match header.kind {
            Kind::Data => self.inbound = (content, 0),
            Kind::Heartbeat => self.linger()?,
            Kind::Goodbye => {
                self.line
                    .health
                    .leave(self.line.process, readable(&content));
                self.is_at_end = true;
            }
            _ => return Err(NO_SENSE.to_owned()),
        }
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
            if let Err(reason) = self.next() {
                self.line.health.lose(self.line.process, reason);
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
        let line = Arc::clone(&link.line);
        let beats = Arc::clone(&link.line);
        let pause = line.patience / 10;
        let thread = std::thread::Builder::new()
            .name(format!("heart-{}", line.process))
            .spawn(move || {
                while !beats.closed.load(Ordering::Acquire) {
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
        self.line.closed.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // The thread doesn't panic; if it did, nothing could be done about it here.
            thread.join().ok();
        }
    }
}
