//! The handshake after which two processes have a private connection, and agree on what they do.
//!
//! It is `NNpsk0` of the [Noise protocol](https://noiseprotocol.org): each side sends a fresh
//! public key, authenticated by the secret that both know. What the caller wants to take part in is
//! already the first record of the private connection. Until that has arrived, the caller may be
//! anyone: his greeting may be another one's, sent again.

use std::io::{self, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use snow::{Builder, HandshakeState};

use crate::identity::Terms;
use crate::net::channel::{Channel, Kind, TICK, is_only_late, write_all};

/// The maximum duration of a handshake.
pub(crate) const LONGEST: Duration = Duration::from_secs(5);

/// The names of the pattern, the curve, the cipher and the hash.
pub(crate) const NOISE: &str = "Noise_NNpsk0_25519_ChaChaPoly_BLAKE2s";
/// The first bytes of a caller, which are authenticated as well.
const GREETING: &[u8; 8] = b"PSVNLINK";
/// The bytes of each message of the handshake: a public key, and a tag that authenticates it.
const MESSAGE: usize = 32 + 16;
/// The first byte of an answer if the greeting was authenticated.
const ANSWERED: u8 = 1;
/// The whole answer if it wasn't.
const REFUSED: u8 = 0;

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

/// What a caller says in its first record.
#[derive(Serialize, Deserialize)]
struct Introduction {
    /// The number of the caller.
    caller: usize,
    /// The number of the process that it wants to reach.
    called: usize,
    terms: Terms,
}

/// The data of one process for all its handshakes.
pub(crate) struct Party<'p> {
    process: usize,
    key: [u8; 32],
    terms: &'p Terms,
    pub(crate) given_up: &'p (dyn Fn() -> bool + Sync),
}

impl<'p> Party<'p> {
    pub(crate) fn new(
        process: usize,
        secret: &[u8],
        terms: &'p Terms,
        given_up: &'p (dyn Fn() -> bool + Sync),
    ) -> Self {
        Self {
            process,
            key: Sha256::digest(secret).into(),
            terms,
            given_up,
        }
    }

    fn noise(&self) -> Result<Builder<'_>, snow::Error> {
        Builder::new(NOISE.parse()?)
            .prologue(GREETING)?
            .psk(0, &self.key)
    }

    /// Return a check that fails when a handshake takes too long.
    fn in_time(&self) -> impl Fn() -> io::Result<()> + use<'p> {
        let (started, given_up) = (Instant::now(), self.given_up);
        move || {
            if started.elapsed() < LONGEST && !given_up() {
                return Ok(());
            }
            let message = "there was no answer in time";
            Err(io::Error::new(io::ErrorKind::TimedOut, message))
        }
    }

    /// Request admission by another process.
    pub(crate) fn call(&self, stream: TcpStream, process: usize) -> Result<Channel, NoEntry> {
        let in_time = self.in_time();
        let mut noise = self
            .noise()
            .and_then(Builder::build_initiator)
            .map_err(io::Error::other)?;
        let mut greeting = GREETING.to_vec();
        greeting.extend(message(&mut noise)?);
        write_all(&stream, &greeting, LONGEST)?;
        let mut answer = [0];
        read_exact(&stream, &mut answer, &in_time)?;
        if answer != [ANSWERED] {
            return Err(NoEntry::Refused("the secret is another one".to_owned()));
        }
        let mut theirs = [0; MESSAGE];
        read_exact(&stream, &mut theirs, &in_time)?;
        if noise.read_message(&theirs, &mut []).is_err() {
            let reason = "the process there doesn't know the secret";
            return Err(NoEntry::Refusing(reason.to_owned()));
        }
        let channel = private(stream, noise)?;
        let introduction = Introduction {
            caller: self.process,
            called: process,
            terms: self.terms.clone(),
        };
        let introduction = serde_json::to_vec(&introduction).map_err(io::Error::from)?;
        channel.send(Kind::Introduction, &introduction, LONGEST)?;
        expect(&channel, Kind::Welcome, &in_time)?;
        Ok(channel)
    }

    /// Answer a caller, and return its number. `admit` may refuse a caller that knows the secret
    /// and agrees on the terms.
    pub(crate) fn answer(
        &self,
        stream: TcpStream,
        admit: &dyn Fn(usize, &Channel) -> Result<(), String>,
    ) -> Result<(usize, Channel), NoEntry> {
        let in_time = self.in_time();
        // A caller that starts differently gets no answer.
        let mut greeting = [0; GREETING.len()];
        read_exact(&stream, &mut greeting, &in_time)?;
        if greeting != *GREETING {
            let reason = "it doesn't use the protocol of psvn";
            return Err(NoEntry::Refusing(reason.to_owned()));
        }
        let mut theirs = [0; MESSAGE];
        read_exact(&stream, &mut theirs, &in_time)?;
        let mut noise = self
            .noise()
            .and_then(Builder::build_responder)
            .map_err(io::Error::other)?;
        if noise.read_message(&theirs, &mut []).is_err() {
            // If the caller doesn't receive it, it is refused anyway.
            write_all(&stream, &[REFUSED], LONGEST).ok();
            let reason = "the secret is another one";
            return Err(NoEntry::Refusing(reason.to_owned()));
        }
        let mut answer = vec![ANSWERED];
        answer.extend(message(&mut noise)?);
        write_all(&stream, &answer, LONGEST)?;
        let channel = private(stream, noise)?;
        let introduction = expect(&channel, Kind::Introduction, &in_time)?;
        let introduced = self.introduced(&introduction).and_then(|caller| {
            admit(caller, &channel)?;
            Ok(caller)
        });
        match introduced {
            Ok(caller) => {
                channel.send(Kind::Welcome, &[], LONGEST)?;
                Ok((caller, channel))
            }
            Err(reason) => {
                channel.close(Kind::Refused, reason.as_bytes(), LONGEST);
                Err(NoEntry::Refusing(reason))
            }
        }
    }

    /// Return the number of a caller, unless it wants to take part in something else.
    fn introduced(&self, introduction: &[u8]) -> Result<usize, String> {
        let introduction: Introduction = serde_json::from_slice(introduction)
            .map_err(|_| "another version of the program".to_owned())?;
        if let Some(difference) = self.terms.difference(&introduction.terms) {
            return Err(difference);
        }
        if introduction.called != self.process {
            let Introduction { caller, called, .. } = introduction;
            let here = self.process;
            return Err(format!(
                "process {caller} wants to reach process {called}, and this is process {here}"
            ));
        }
        Ok(introduction.caller)
    }
}

/// Return this side's message of the handshake.
fn message(noise: &mut HandshakeState) -> io::Result<[u8; MESSAGE]> {
    let mut message = [0; MESSAGE];
    noise
        .write_message(&[], &mut message)
        .map_err(io::Error::other)?;
    Ok(message)
}

fn private(stream: TcpStream, noise: HandshakeState) -> io::Result<Channel> {
    let cipher = noise.into_stateless_transport_mode();
    Channel::new(stream, cipher.map_err(io::Error::other)?)
}

/// Fill a buffer, or fail after the time limit.
fn read_exact(
    mut stream: &TcpStream,
    mut buffer: &mut [u8],
    in_time: &dyn Fn() -> io::Result<()>,
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
        in_time()?;
    }
    Ok(())
}

/// Return the content of the next record, which must be of a kind.
fn expect(
    channel: &Channel,
    kind: Kind,
    in_time: &dyn Fn() -> io::Result<()>,
) -> Result<Vec<u8>, NoEntry> {
    let mut content = Vec::new();
    match channel.receive(&mut content, &|_| in_time())? {
        found if found == kind => Ok(content),
        Kind::Refused => Err(NoEntry::Refused(readable(&content))),
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

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::TcpListener;

    use super::*;
    use crate::net::testing::{streams, terms};

    const NEVER: &(dyn Fn() -> bool + Sync) = &|| false;

    /// Let process 1 call process 0, each with a secret and terms. Return the reason of each why it
    /// doesn't work.
    fn refused(
        secrets: [&[u8]; 2],
        terms: [&Terms; 2],
        called: usize,
    ) -> (Result<usize, NoEntry>, Result<(), NoEntry>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let (near, far) = streams(&listener);
        std::thread::scope(|scope| {
            let answered = scope.spawn(|| {
                let party = Party::new(0, secrets[0], terms[0], NEVER);
                party
                    .answer(near, &|_, _| Ok(()))
                    .map(|(process, _)| process)
            });
            let party = Party::new(1, secrets[1], terms[1], NEVER);
            let called = party.call(far, called).map(|_| ());
            (answered.join().expect("no panic"), called)
        })
    }

    fn reasons(found: (Result<usize, NoEntry>, Result<(), NoEntry>)) -> String {
        match found {
            (Err(NoEntry::Refusing(here)), Err(NoEntry::Refused(there))) => {
                assert_eq!(here, there);
                here
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn who_agrees_is_let_in_and_others_learn_the_reason() {
        let terms = terms();
        let same = [&terms, &terms];
        let (answered, called) = refused([b"a", b"a"], same, 0);
        assert_eq!(answered.expect("it is let in"), 1);
        called.expect("it is let in");
        let reason = reasons(refused([b"a", b"b"], same, 0));
        assert_eq!(reason, "the secret is another one");
        let mut other = terms.clone();
        other.identity.game = "b".to_owned();
        let reason = reasons(refused([b"a", b"a"], [&terms, &other], 0));
        assert_eq!(reason, "another game");
        // Someone in the middle could lead a call to a process that isn't meant.
        let reason = reasons(refused([b"a", b"a"], same, 2));
        assert_eq!(
            reason,
            "process 1 wants to reach process 2, and this is process 0"
        );
    }

    #[test]
    fn another_introduction_is_of_another_version() {
        let terms = terms();
        let party = Party::new(0, b"a", &terms, NEVER);
        let refused = party.introduced(b"{\"caller\": 1, \"called\": 0}");
        assert_eq!(refused, Err("another version of the program".to_owned()));
    }

    /// Move some bytes, and return them.
    fn forward(mut from: &TcpStream, mut into: &TcpStream, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        from.read_exact(&mut bytes).expect("a connection");
        into.write_all(&bytes).expect("a connection");
        bytes
    }

    /// Record all that a caller sends until it is let in, and send it again.
    #[test]
    fn a_recorded_call_is_no_call() {
        let terms = terms();
        let party = |process| Party::new(process, b"a", &terms, NEVER);
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let (caller, far) = streams(&listener);
        let (near, called) = streams(&listener);
        let recorded = std::thread::scope(|scope| {
            let answered = scope.spawn(|| party(0).answer(near, &|_, _| Ok(())).map(|_| ()));
            let called_it = scope.spawn(|| party(1).call(far, 0).map(|_| ()));
            let greeting = forward(&caller, &called, GREETING.len() + MESSAGE);
            forward(&called, &caller, 1 + MESSAGE);
            let length = forward(&caller, &called, 2);
            let record = usize::from(u16::from_le_bytes([length[0], length[1]]));
            let record = forward(&caller, &called, record);
            // An empty record.
            forward(&called, &caller, 2 + 17);
            answered.join().expect("no panic").expect("it is let in");
            called_it.join().expect("no panic").expect("it is let in");
            [greeting, length, record].concat()
        });
        let (near, mut again) = streams(&listener);
        again.write_all(&recorded).expect("a connection");
        let answered = party(0).answer(near, &|_, _| panic!("nobody is let in"));
        match answered.map(|_| ()) {
            Err(NoEntry::Failed(error)) => {
                assert_eq!(error.to_string(), "its data were changed in transit");
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn silence_is_not_waited_for_long() {
        let terms = terms();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let party = Party::new(0, b"a", &terms, NEVER);
        let (near, mut far) = streams(&listener);
        far.write_all(&GREETING[..5]).expect("a connection");
        let started = Instant::now();
        let answered = party.answer(near, &|_, _| Ok(())).map(|_| ());
        assert!(matches!(answered, Err(NoEntry::Failed(_))), "{answered:?}");
        assert!(started.elapsed() < LONGEST + Duration::from_secs(2));
    }
}
