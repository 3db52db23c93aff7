//! Frames: units of sending, with length and checksum.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// The bytes before the content: kind, three bytes that guard the header, length, checksum.
///
/// A header has its own guard: if a length changed in transit were trusted, heartbeats would be
/// taken for content, and the error would go unnoticed for hours.
pub(crate) const HEADER: usize = 12;
/// The maximum length of content.
pub(crate) const LONGEST: usize = 1 << 22;
/// The maximum length of content before the other side is known.
pub(crate) const LONGEST_FROM_STRANGERS: usize = 1 << 16;
/// The time between two checks whether to wait longer.
pub(crate) const TICK: Duration = Duration::from_millis(100);

/// The kind of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    /// Bytes of messages.
    Data = 0,
    /// The sender is alive.
    Heartbeat = 1,
    /// The sender leaves, with the reason as text if there is one.
    Goodbye = 2,
    /// The answer to a greeting.
    Hello = 3,
    /// The reason why the other side isn't let in.
    Refused = 4,
    /// The proof that the sender has the secret.
    Proof = 5,
    /// The terms to agree on.
    Terms = 6,
    /// Agreement on all terms.
    Welcome = 7,
    /// All connections of the sender are up.
    Ready = 8,
}

impl Kind {
    const ALL: [Self; 9] = [
        Self::Data,
        Self::Heartbeat,
        Self::Goodbye,
        Self::Hello,
        Self::Refused,
        Self::Proof,
        Self::Terms,
        Self::Welcome,
        Self::Ready,
    ];
}

/// The kind, length and checksum of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) kind: Kind,
    pub(crate) length: usize,
    pub(crate) crc32: u32,
}

impl Header {
    /// Return three bytes that change when another byte of the header does.
    fn guard(self) -> [u8; 3] {
        let mut hash = crc32fast::Hasher::new();
        hash.update(&[self.kind as u8]);
        hash.update(&(self.length as u32).to_le_bytes());
        hash.update(&self.crc32.to_le_bytes());
        let [first, second, third, _] = hash.finalize().to_le_bytes();
        [first, second, third]
    }

    pub(crate) fn parse(bytes: &[u8; HEADER], longest: usize) -> Option<Self> {
        let number = |at: usize| {
            let four: [u8; 4] = bytes[at..at + 4].try_into().expect("four bytes");
            u32::from_le_bytes(four)
        };
        let kind = *Kind::ALL.get(usize::from(bytes[0]))?;
        let length = number(4) as usize;
        let header = Self {
            kind,
            length,
            crc32: number(8),
        };
        (bytes[1..4] == header.guard() && length <= longest).then_some(header)
    }
}

/// Append a frame as bytes.
///
/// # Panics
/// If the content is too long.
pub(crate) fn bytes(kind: Kind, content: &[u8], into: &mut Vec<u8>) {
    assert!(content.len() <= LONGEST, "a frame is cut before it is sent");
    let header = Header {
        kind,
        length: content.len(),
        crc32: crc32fast::hash(content),
    };
    into.clear();
    into.push(kind as u8);
    into.extend_from_slice(&header.guard());
    into.extend_from_slice(&(content.len() as u32).to_le_bytes());
    into.extend_from_slice(&header.crc32.to_le_bytes());
    into.extend_from_slice(content);
}

/// Send a frame.
pub(crate) fn send(stream: &mut TcpStream, kind: Kind, content: &[u8]) -> io::Result<()> {
    let mut frame = Vec::new();
    bytes(kind, content, &mut frame);
    stream.write_all(&frame)
}

/// The limit of a wait.
#[derive(Clone, Copy)]
pub(crate) struct Until<'u> {
    pub(crate) deadline: Instant,
    /// Whether to give up early.
    pub(crate) given_up: &'u (dyn Fn() -> bool + Sync),
}

/// Receive a frame in a handshake.
pub(crate) fn receive(stream: &mut TcpStream, until: Until<'_>) -> io::Result<(Kind, Vec<u8>)> {
    let mut bytes = [0; HEADER];
    read_exact(stream, &mut bytes, until)?;
    let strange = || {
        io::Error::new(
            io::ErrorKind::InvalidData,
            "the received data aren't a message of psvn",
        )
    };
    let header = Header::parse(&bytes, LONGEST_FROM_STRANGERS).ok_or_else(strange)?;
    let mut content = vec![0; header.length];
    read_exact(stream, &mut content, until)?;
    if crc32fast::hash(&content) != header.crc32 {
        return Err(strange());
    }
    Ok((header.kind, content))
}

/// Fill a buffer, or fail after the time limit.
pub(crate) fn read_exact(
    stream: &mut TcpStream,
    mut buffer: &mut [u8],
    until: Until<'_>,
) -> io::Result<()> {
    stream.set_read_timeout(Some(TICK))?;
    while !buffer.is_empty() {
        match stream.read(buffer) {
            Ok(0) => {
                let message = "the connection was closed";
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
            }
            Ok(n) => buffer = &mut buffer[n..],
            Err(error) if is_only_late(&error) => {}
            Err(error) => return Err(error),
        }
        if !buffer.is_empty() && (Instant::now() >= until.deadline || (until.given_up)()) {
            let message = "there was no answer in time";
            return Err(io::Error::new(io::ErrorKind::TimedOut, message));
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
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn kinds_are_their_numbers() {
        for (number, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, number);
        }
    }

    #[test]
    fn a_header_with_one_changed_bit_is_refused() {
        let mut frame = Vec::new();
        bytes(Kind::Data, &[7; 300], &mut frame);
        let header: [u8; HEADER] = frame[..HEADER].try_into().expect("a header");
        for bit in 0..8 * HEADER {
            let mut changed = header;
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Header::parse(&changed, LONGEST), None, "bit {bit}");
        }
    }

    proptest! {
        #[test]
        fn a_header_is_read_back(number in 0..Kind::ALL.len(), content in prop::collection::vec(any::<u8>(), 0..50)) {
            let kind = Kind::ALL[number];
            let mut frame = Vec::new();
            bytes(kind, &content, &mut frame);
            let header: [u8; HEADER] = frame[..HEADER].try_into().unwrap();
            let expected = Header { kind, length: content.len(), crc32: crc32fast::hash(&content) };
            prop_assert_eq!(Header::parse(&header, LONGEST), Some(expected));
            prop_assert_eq!(&frame[HEADER..], &content[..]);
        }

        #[test]
        fn garbage_is_no_long_frame(bytes in any::<[u8; HEADER]>()) {
            if let Some(header) = Header::parse(&bytes, 100) {
                prop_assert!(header.length <= 100);
            }
        }
    }
}
