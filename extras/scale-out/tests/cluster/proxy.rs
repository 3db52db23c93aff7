//! A connection between two processes with someone in the middle, who cuts, blocks, or changes it.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::time::Duration;

/// What happens to a byte, or to the record that it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Both sides get the end of the stream.
    Cut,
    /// No more bytes get through, and neither side is notified.
    Block,
    /// One bit is changed.
    Damage,
    /// The record is left out.
    Drop,
    /// The record comes twice.
    Repeat,
    /// The record comes after the next one.
    Swap,
    /// The record seems to be as long as possible, so that the next ones seem to be a part of it.
    Lengthen,
    /// Another record comes before, which the attacker has made.
    Forge,
    /// Bytes come one by one, at a speed at which they are no sign of life.
    Trickle,
}

/// The direction of the bytes with a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// From the process that has called.
    ToCalled,
    /// From the process that was called.
    ToCaller,
}

/// The bytes before the first record in each direction: a greeting and a message of the handshake,
/// or a mark and a message.
const BEFORE_RECORDS: [usize; 2] = [8 + 48, 1 + 48];

/// Forward one connection until the fault, which strikes after some bytes in one direction; return
/// the address to call.
pub(crate) fn to(target: String, direction: Direction, after: usize, fault: Fault) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address").to_string();
    std::thread::spawn(move || {
        let (near, _) = listener.accept().expect("a caller");
        let far = TcpStream::connect(target).expect("a listener");
        let handle = |stream: &TcpStream| stream.try_clone().expect("a handle");
        let copies = [
            (handle(&near), handle(&far), Direction::ToCalled),
            (far, near, Direction::ToCaller),
        ];
        for (from, into, way) in copies {
            let fault = (way == direction).then_some(fault);
            let begin = BEFORE_RECORDS[way as usize];
            std::thread::spawn(move || {
                // It ends when one side is gone.
                copy(&from, &into, begin, after, fault);
                into.shutdown(Shutdown::Write).ok();
            });
        }
    });
    address
}

/// Read what comes before the records, or a record.
fn unit(mut from: &TcpStream, begin: Option<usize>) -> std::io::Result<Vec<u8>> {
    let mut bytes = vec![0; begin.unwrap_or(2)];
    from.read_exact(&mut bytes)?;
    if begin.is_none() {
        let length = u16::from_le_bytes([bytes[0], bytes[1]]);
        bytes.resize(2 + usize::from(length), 0);
        from.read_exact(&mut bytes[2..])?;
    }
    Ok(bytes)
}

fn copy(
    from: &TcpStream,
    mut into: &TcpStream,
    begin: usize,
    after: usize,
    fault: Option<Fault>,
) -> Option<()> {
    let mut seen = 0;
    loop {
        let begin = (seen == 0).then_some(begin);
        let mut bytes = unit(from, begin).ok()?;
        let strikes = fault.filter(|_| seen <= after && after < seen + bytes.len());
        let place = after.wrapping_sub(seen);
        seen += bytes.len();
        match strikes {
            None => {}
            Some(Fault::Cut) => {
                into.write_all(&bytes[..place]).ok();
                into.shutdown(Shutdown::Both).ok();
                from.shutdown(Shutdown::Both).ok();
                return None;
            }
            Some(Fault::Block) => {
                // Longer than any test waits. The thread ends with the tests.
                std::thread::sleep(Duration::from_secs(600));
                return None;
            }
            Some(Fault::Damage) => bytes[place] ^= 4,
            Some(Fault::Drop) => bytes.clear(),
            Some(Fault::Repeat) => bytes.extend(bytes.clone()),
            Some(Fault::Swap) => {
                let next = unit(from, None).ok()?;
                bytes.splice(0..0, next);
            }
            Some(Fault::Lengthen) => bytes[..2].fill(255),
            Some(Fault::Forge) => {
                let forged = [&[19, 0], &[7; 19][..]].concat();
                bytes.splice(0..0, forged);
            }
            Some(Fault::Trickle) => {
                bytes.extend(
                    std::iter::from_fn(|| unit(from, None).ok())
                        .take(3)
                        .flatten(),
                );
                for byte in bytes {
                    into.write_all(&[byte]).ok()?;
                    std::thread::sleep(Duration::from_millis(50));
                }
                return None;
            }
        }
        into.write_all(&bytes).ok()?;
    }
}
