//! The threads that carry messages between this process and another one.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender};
use std::thread::{Builder, JoinHandle};

use crate::net::{Link, receive, send};
use crate::work::exchange::Parcel;

/// Parcels that wait are written together, up to about this many bytes.
const AT_ONCE: usize = 1 << 18;

/// Start the threads of a connection. `outgoing` has the parcels for the other process, and `here`
/// leads to the workers of this one, which has the number `own`.
///
/// The thread that writes says goodbye once all workers of this process have ended. The other one
/// ends when the other process has said goodbye or is lost.
pub(crate) fn start(
    link: Link,
    outgoing: Receiver<Parcel>,
    here: Vec<Sender<Parcel>>,
    own: usize,
) -> io::Result<[JoinHandle<()>; 2]> {
    let process = link.process();
    let writer = link.handle();
    let writer = Builder::new()
        .name(format!("to-{process}"))
        .spawn(move || write(writer, &outgoing))?;
    let reader = Builder::new()
        .name(format!("from-{process}"))
        .spawn(move || read(link, &here, own))?;
    Ok([writer, reader])
}

fn write(mut link: Link, outgoing: &Receiver<Parcel>) {
    let mut bytes = Vec::new();
    while let Ok(parcel) = outgoing.recv() {
        let mut next = Some(parcel);
        while let Some(parcel) = next {
            send(&mut bytes, &parcel).expect("a parcel is shorter than the longest message");
            next = if bytes.len() < AT_ONCE {
                outgoing.try_recv().ok()
            } else {
                None
            };
        }
        // If the connection is lost, its health has the reason.
        link.write_all(&bytes).ok();
        bytes.clear();
    }
    link.close();
}

fn read(mut link: Link, here: &[Sender<Parcel>], own: usize) {
    loop {
        let parcel = match receive::<Parcel>(&mut link) {
            Ok(parcel) => parcel,
            Err(_) if link.is_at_end() => return,
            Err(_) => return link.distrust(),
        };
        let is_of = |worker: u32, process: usize| worker as usize / here.len() == process;
        match parcel {
            Parcel::Mark { from, .. } if is_of(from, link.process()) => {
                for worker in here {
                    // A worker that has ended waits for no marks.
                    worker.send(parcel.clone()).ok();
                }
            }
            Parcel::Message(message)
                if is_of(message.from, link.process()) && is_of(message.to, own) =>
            {
                let worker = &here[message.to as usize % here.len()];
                worker.send(Parcel::Message(message)).ok();
            }
            _ => return link.distrust(),
        }
    }
}
