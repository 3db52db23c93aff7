//! A connection between two processes that can be cut, blocked, or damaged.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::time::Duration;

/// The fault of the connection after a number of bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fault {
    /// Both sides get the end of the stream.
    Cut,
    /// No more bytes get through, and neither side is notified.
    Block,
    /// One bit is changed.
    Damage,
}

/// Forward one connection until the fault; return the address to call.
pub(crate) fn to(target: String, after: usize, fault: Fault) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address").to_string();
    std::thread::spawn(move || {
        let (near, _) = listener.accept().expect("a caller");
        let far = TcpStream::connect(target).expect("a listener");
        let copies = [
            (
                near.try_clone().expect("a handle"),
                far.try_clone().expect("a handle"),
                usize::MAX,
            ),
            (far, near, after),
        ];
        for (from, into, after) in copies {
            std::thread::spawn(move || copy(from, into, after, fault));
        }
    });
    address
}

fn copy(mut from: TcpStream, mut into: TcpStream, after: usize, fault: Fault) {
    let mut bytes = vec![0; 1 << 12];
    let mut seen = 0;
    loop {
        let n = match from.read(&mut bytes) {
            Ok(0) | Err(_) => break,
            Ok(n) => n,
        };
        let strikes = seen <= after && after < seen + n;
        match fault {
            Fault::Damage if strikes => bytes[after - seen] ^= 4,
            Fault::Cut if strikes => {
                into.write_all(&bytes[..after - seen]).ok();
                into.shutdown(Shutdown::Both).ok();
                from.shutdown(Shutdown::Both).ok();
                return;
            }
            Fault::Block if strikes => {
                // Longer than any test waits. The thread ends with the tests.
                std::thread::sleep(Duration::from_secs(600));
                return;
            }
            _ => {}
        }
        seen += n;
        if into.write_all(&bytes[..n]).is_err() {
            break;
        }
    }
    into.shutdown(Shutdown::Write).ok();
}
