//! Connections for tests.

use std::net::{TcpListener, TcpStream};

use snow::{Builder, HandshakeState, StatelessTransportState};

use crate::identity::{Identity, Terms};
use crate::net::channel::Channel;
use crate::net::handshake::{NOISE, Party};

/// Return both ends of a connection.
pub(crate) fn streams(listener: &TcpListener) -> (TcpStream, TcpStream) {
    let address = listener.local_addr().expect("an address");
    let far = TcpStream::connect(address).expect("a connection");
    let (near, _) = listener.accept().expect("a connection");
    (near, far)
}

/// Return what two processes agree on.
pub(crate) fn terms() -> Terms {
    Terms {
        identity: Identity {
            version: "1".to_owned(),
            game: "a".to_owned(),
            direction: "forward".to_owned(),
            roots: "0".to_owned(),
            codes: String::new(),
            words: 1,
            forgets: true,
            processes: 2,
            threads: 1,
        },
        depth: None,
        farthest: 0,
    }
}

/// Return both ends of a private connection: that of the process that is called comes first.
pub(crate) fn pair() -> (Channel, Channel) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let (near, far) = streams(&listener);
    let (terms, given_up) = (terms(), || false);
    let party = |process| Party::new(process, b"a secret", &terms, &given_up);
    std::thread::scope(|scope| {
        let called = scope.spawn(|| party(0).answer(near, &|_, _| Ok(())));
        let far = party(1).call(far, 0).expect("it is let in");
        let (process, near) = called.join().expect("no panic").expect("a caller");
        assert_eq!(process, 1);
        (near, far)
    })
}

/// Return the ciphers of both ends of a connection.
pub(crate) fn ciphers() -> (StatelessTransportState, StatelessTransportState) {
    let noise = || {
        let noise = Builder::new(NOISE.parse().expect("a pattern"));
        noise.psk(0, &[7; 32]).expect("a key")
    };
    let mut caller = noise().build_initiator().expect("no failure");
    let mut called = noise().build_responder().expect("no failure");
    let mut message = [0; 48];
    caller.write_message(&[], &mut message).expect("a message");
    called
        .read_message(&message, &mut [])
        .expect("the same key");
    called.write_message(&[], &mut message).expect("a message");
    caller
        .read_message(&message, &mut [])
        .expect("the same key");
    let cipher = |noise: HandshakeState| noise.into_stateless_transport_mode();
    (
        cipher(caller).expect("it is finished"),
        cipher(called).expect("it is finished"),
    )
}
