//! The handshake in which two processes authenticate each other before they exchange data.
//!
//! The caller sends a fresh random number, and the called process answers with its own. Each proves
//! with a keyed hash (HMAC-SHA-256) of both greetings that it knows the secret; the proofs of the
//! two sides differ, so that neither can be sent back. Only then does the caller name what it
//! explores, and is admitted or refused with a reason.

use std::io;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::identity::Terms;
use crate::net::frame::{self, Kind, Until};

/// The version of this handshake and of all later messages.
pub(crate) const PROTOCOL: u32 = 5;
/// The maximum duration of a handshake.
pub(crate) const LONGEST: Duration = Duration::from_secs(10);

const MAGIC: &[u8; 8] = b"PSVNNET\n";
const HELLO: usize = 48;
const NONCE: usize = 32;

/// The reasons why there is no connection.
#[derive(Debug)]
pub(crate) enum NoEntry {
    /// The other side refused, with this reason.
    Refused(String),
    /// This side refused, with this reason.
    Refusing(String),
    /// The connection failed.
    Failed(io::Error),
}

impl From<io::Error> for NoEntry {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

/// The first message of each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hello {
    pub(crate) protocol: u32,
    pub(crate) process: u32,
    pub(crate) nonce: [u8; NONCE],
}

impl Hello {
    fn new(process: usize) -> io::Result<Self> {
        let mut nonce = [0; NONCE];
        getrandom::fill(&mut nonce).map_err(|error| io::Error::other(error.to_string()))?;
        Ok(Self {
            protocol: PROTOCOL,
            process: process as u32,
            nonce,
        })
    }

    pub(crate) fn bytes(&self) -> [u8; HELLO] {
        let mut bytes = [0; HELLO];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..12].copy_from_slice(&self.protocol.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.process.to_le_bytes());
        bytes[16..].copy_from_slice(&self.nonce);
        bytes
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; HELLO] = bytes.try_into().ok()?;
        let number = |at: usize| {
            let four: [u8; 4] = bytes[at..at + 4].try_into().expect("four bytes");
            u32::from_le_bytes(four)
        };
        (bytes.starts_with(MAGIC)).then(|| Self {
            protocol: number(8),
            process: number(12),
            nonce: bytes[16..].try_into().expect("the rest is the nonce"),
        })
    }
}

/// Return the keyed hash with which one side proves that it knows the secret.
pub(crate) fn proof(secret: &[u8], side: Side, caller: &Hello, called: &Hello) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("a key of any length");
    mac.update(match side {
        Side::Caller => b"caller",
        Side::Called => b"called",
    });
    mac.update(&caller.bytes());
    mac.update(&called.bytes());
    mac
}

/// A side of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Caller,
    Called,
}

/// The data of one process for all its handshakes.
pub(crate) struct Party<'p> {
    pub(crate) process: usize,
    pub(crate) secret: &'p [u8],
    pub(crate) terms: &'p Terms,
    pub(crate) given_up: &'p (dyn Fn() -> bool + Sync),
}

impl Party<'_> {
    fn until(&self) -> Until<'_> {
        Until {
            deadline: Instant::now() + LONGEST,
            given_up: self.given_up,
        }
    }

    /// Request admission by another process.
    pub(crate) fn call(&self, stream: &mut TcpStream, process: usize) -> Result<(), NoEntry> {
        let until = self.until();
        stream.set_write_timeout(Some(LONGEST))?;
        let ours = Hello::new(self.process)?;
        io::Write::write_all(stream, &ours.bytes())?;
        let theirs = Hello::parse(&expect(stream, Kind::Hello, until)?).ok_or_else(|| {
            NoEntry::Refusing("the other side isn't a process of psvn".to_owned())
        })?;
        if theirs.process as usize != process {
            let found = theirs.process;
            return Err(NoEntry::Refusing(format!(
                "the process there says that it is process {found}"
            )));
        }
        let mac = proof(self.secret, Side::Caller, &ours, &theirs);
        frame::send(stream, Kind::Proof, &mac.finalize().into_bytes())?;
        let answer = expect(stream, Kind::Proof, until)?;
        let mac = proof(self.secret, Side::Called, &ours, &theirs);
        if mac.verify_slice(&answer).is_err() {
            return Err(NoEntry::Refusing(
                "the process there doesn't know the secret".to_owned(),
            ));
        }
        let terms = serde_json::to_vec(self.terms).expect("terms are plain data");
        frame::send(stream, Kind::Terms, &terms)?;
        expect(stream, Kind::Welcome, until)?;
        Ok(())
    }

    /// Answer a caller, and return its number. `admit` may refuse a caller that has proved that it
    /// has the secret.
    pub(crate) fn answer(
        &self,
        stream: &mut TcpStream,
        admit: &dyn Fn(usize, &TcpStream) -> Result<(), String>,
    ) -> Result<usize, NoEntry> {
        let until = self.until();
        stream.set_write_timeout(Some(LONGEST))?;
        let mut hello = [0; HELLO];
        // A caller that starts differently gets no answer.
        frame::read_exact(stream, &mut hello[..MAGIC.len()], until)?;
        if &hello[..MAGIC.len()] != MAGIC {
            let message = "it doesn't use the protocol of psvn";
            return Err(NoEntry::Refusing(message.to_owned()));
        }
        frame::read_exact(stream, &mut hello[MAGIC.len()..], until)?;
        let theirs = Hello::parse(&hello).expect("it begins as a greeting does");
        if theirs.protocol != PROTOCOL {
            let found = theirs.protocol;
            let reason = format!("another version of the protocol, {found}, not {PROTOCOL}");
            return refuse(stream, reason);
        }
        let ours = Hello::new(self.process)?;
        frame::send(stream, Kind::Hello, &ours.bytes())?;
        let answer = expect(stream, Kind::Proof, until)?;
        let mac = proof(self.secret, Side::Caller, &theirs, &ours);
        if mac.verify_slice(&answer).is_err() {
            return refuse(stream, "the secret is another one".to_owned());
        }
        let mac = proof(self.secret, Side::Called, &theirs, &ours);
        frame::send(stream, Kind::Proof, &mac.finalize().into_bytes())?;
        let terms: Result<Terms, _> = serde_json::from_slice(&expect(stream, Kind::Terms, until)?);
        let Ok(terms) = terms else {
            return refuse(stream, "another version of the program".to_owned());
        };
        if let Some(difference) = self.terms.difference(&terms) {
            return refuse(stream, difference);
        }
        let process = theirs.process as usize;
        if let Err(reason) = admit(process, stream) {
            return refuse(stream, reason);
        }
        frame::send(stream, Kind::Welcome, &[])?;
        Ok(process)
    }
}

fn refuse(stream: &mut TcpStream, reason: String) -> Result<usize, NoEntry> {
    // If the caller doesn't receive it, it is refused anyway.
    frame::send(stream, Kind::Refused, reason.as_bytes()).ok();
    stream.shutdown(std::net::Shutdown::Write).ok();
    Err(NoEntry::Refusing(reason))
}

fn expect(stream: &mut TcpStream, kind: Kind, until: Until<'_>) -> Result<Vec<u8>, NoEntry> {
    match frame::receive(stream, until)? {
        (found, content) if found == kind => Ok(content),
        (Kind::Refused, reason) => Err(NoEntry::Refused(readable(&reason))),
        _ => Err(NoEntry::Refusing(
            "it doesn't keep to the protocol".to_owned(),
        )),
    }
}

/// Make text from another process safe to print.
pub(crate) fn readable(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let shown = text.chars().filter(|it| !it.is_control());
    shown.take(500).collect()
}
