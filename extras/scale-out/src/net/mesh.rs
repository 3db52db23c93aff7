//! Connections between all pairs of processes: each one calls those with lower numbers.

use std::cell::Cell;
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::time::{Duration, Instant};

use crate::error::ClusterError;
use crate::identity::Terms;
use crate::member::Member;
use crate::net::entrants::{Entrants, is_gone};
use crate::net::frame::{self, Kind, TICK, Until};
use crate::net::handshake::{NoEntry, Party, readable};

/// The maximum number of handshakes at the same time.
const MOST_CALLERS: usize = 64;
/// The maximum time of one attempt to reach a process.
const ATTEMPT: Duration = Duration::from_secs(2);
/// The maximum number of notes kept for an error.
const MOST_NOTES: usize = 5;

/// An event sent by the threads that make connections to the one that waits.
enum Event {
    /// A process is connected. If it called, the number of its entry; the latest one counts.
    Joined(usize, u64, TcpStream),
    /// A note for the error if a process doesn't connect.
    Note(String),
    Fatal(ClusterError),
}

/// Connect this process with all others: return a stream for each, `None` for this one.
pub(crate) fn connect(
    member: &Member,
    terms: &Terms,
    interrupted: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<Option<TcpStream>>, ClusterError> {
    if member.processes() == 1 {
        return Ok(vec![None]);
    }
    let own;
    let listener = match &member.listener {
        Some(listener) => listener,
        None => {
            let address = &member.addresses[member.process];
            own = TcpListener::bind(address).map_err(|source| ClusterError::Listen {
                process: member.process,
                address: address.clone(),
                source,
            })?;
            &own
        }
    };
    let deadline = Instant::now() + member.wait;
    let mut streams = meet(member, terms, listener, deadline, interrupted)?;
    // A process that is connected with all waits for those that aren't yet.
    let until = Until {
        deadline: deadline + ATTEMPT,
        given_up: interrupted,
    };
    for stream in streams.iter_mut().flatten() {
        // A failure is detected when the answer is read.
        frame::send(stream, Kind::Ready, &[]).ok();
    }
    for (process, stream) in streams.iter_mut().enumerate() {
        let Some(stream) = stream else { continue };
        let address = member.addresses[process].clone();
        match frame::receive(stream, until) {
            Ok((Kind::Ready, _)) => {}
            Ok((_, reason)) => {
                return Err(ClusterError::Stopped {
                    process,
                    address,
                    reason: readable(&reason),
                });
            }
            Err(_) if interrupted() => return Err(ClusterError::Interrupted),
            Err(error) => {
                return Err(ClusterError::Lost {
                    process,
                    address,
                    reason: error.to_string(),
                });
            }
        }
    }
    Ok(streams)
}

/// Make all connections.
fn meet(
    member: &Member,
    terms: &Terms,
    listener: &TcpListener,
    deadline: Instant,
    interrupted: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<Option<TcpStream>>, ClusterError> {
    let mut streams: Vec<Option<TcpStream>> = (0..member.processes()).map(|_| None).collect();
    let mut entries = vec![0; member.processes()];
    let over = AtomicBool::new(false);
    let given_up = || over.load(Ordering::Relaxed) || interrupted();
    let party = Party {
        process: member.process,
        secret: &member.secret,
        terms,
        given_up: &given_up,
    };
    let (sender, events) = mpsc::channel();
    let result = std::thread::scope(|scope| {
        let party = &party;
        for process in 0..member.process {
            let sender = sender.clone();
            scope.spawn(move || call(party, member, process, &sender));
        }
        let accepting = sender.clone();
        scope.spawn(move || accept(party, member, listener, &accepting));
        let mut notes = Vec::new();
        let note = |note: String, notes: &mut Vec<String>| {
            tracing::info!(note, "a connection failed");
            if !notes.contains(&note) && notes.len() < MOST_NOTES {
                notes.push(note);
            }
        };
        let result = loop {
            let missing: Vec<usize> = (0..streams.len())
                .filter(|process| *process != member.process && streams[*process].is_none())
                .collect();
            if missing.is_empty() {
                break Ok(());
            }
            match events.recv_timeout(TICK) {
                Ok(Event::Joined(process, entry, stream)) if entry >= entries[process] => {
                    entries[process] = entry;
                    streams[process] = Some(stream);
                }
                Ok(Event::Joined(..)) => {}
                Ok(Event::Note(what)) => note(what, &mut notes),
                Ok(Event::Fatal(error)) => break Err(error),
                Err(_) if interrupted() => break Err(ClusterError::Interrupted),
                Err(_) if Instant::now() >= deadline => {
                    break Err(ClusterError::Missing {
                        processes: missing,
                        waited: member.wait,
                        notes,
                    });
                }
                // A process that died meanwhile may connect again, unless this one started it.
                Err(_) => {
                    if let Some(process) = member.started.ended() {
                        break Err(ClusterError::Lost {
                            process,
                            address: member.addresses[process].clone(),
                            reason: "it has ended".to_owned(),
                        });
                    }
                    for (process, stream) in streams.iter_mut().enumerate() {
                        if stream.take_if(|stream| is_gone(stream)).is_none() {
                            continue;
                        }
                        note(format!("process {process} came and left"), &mut notes);
                        if process < member.process {
                            let sender = sender.clone();
                            scope.spawn(move || call(party, member, process, &sender));
                        }
                    }
                }
            }
        };
        over.store(true, Ordering::Relaxed);
        result
    });
    match result {
        Ok(()) => Ok(streams),
        Err(error) => {
            // Send the reason to the processes that did connect.
            let reason = error.to_string();
            for stream in streams.iter_mut().flatten() {
                frame::send(stream, Kind::Refused, reason.as_bytes()).ok();
            }
            Err(error)
        }
    }
}

/// Call a process until it answers.
fn call(party: &Party<'_>, member: &Member, process: usize, events: &Sender<Event>) {
    let address = &member.addresses[process];
    while !(party.given_up)() {
        let attempt = reach(address).map_err(NoEntry::Failed);
        let entered = attempt.and_then(|mut stream| {
            party.call(&mut stream, process)?;
            Ok(stream)
        });
        let event = match entered {
            Ok(stream) => Event::Joined(process, 0, stream),
            Err(NoEntry::Refused(reason) | NoEntry::Refusing(reason)) => {
                Event::Fatal(ClusterError::Refused {
                    process,
                    address: address.clone(),
                    reason,
                })
            }
            Err(NoEntry::Failed(error)) => {
                let note = format!("process {process} at {address}: {error}");
                if events.send(Event::Note(note)).is_err() {
                    return;
                }
                std::thread::sleep(TICK);
                continue;
            }
        };
        // If the receiver has gone, no connection is needed.
        events.send(event).ok();
        return;
    }
}

fn reach(address: &str) -> std::io::Result<TcpStream> {
    let mut last = std::io::Error::other("the name has no address");
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, ATTEMPT) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Answer callers, each in its own thread, so that none can delay another.
fn accept(party: &Party<'_>, member: &Member, listener: &TcpListener, events: &Sender<Event>) {
    let entrants = Entrants::default();
    let admit = |process: usize, stream: &TcpStream| {
        if process <= member.process || process >= member.processes() {
            return Err(format!("process {process} has no reason to call"));
        }
        entrants.admit(process, stream)
    };
    if let Err(error) = listener.set_nonblocking(true) {
        events.send(Event::Note(error.to_string())).ok();
        return;
    }
    let (admit, entrants, callers) = (&admit, &entrants, &AtomicUsize::new(0));
    std::thread::scope(|scope| {
        while !(party.given_up)() {
            let (mut stream, from) = match listener.accept() {
                Ok(caller) if callers.load(Ordering::Relaxed) < MOST_CALLERS => caller,
                // Too many callers at once are dropped: a real member calls again.
                Ok(_) => continue,
                Err(_) => {
                    std::thread::sleep(TICK / 10);
                    continue;
                }
            };
            callers.fetch_add(1, Ordering::Relaxed);
            let events = events.clone();
            scope.spawn(move || {
                let entry = Cell::new(None);
                let enter = |process: usize, stream: &TcpStream| {
                    entry.set(Some(admit(process, stream)?));
                    Ok(())
                };
                let answered = stream
                    .set_nonblocking(false)
                    .map_err(NoEntry::Failed)
                    .and_then(|()| party.answer(&mut stream, &enter));
                if let (Err(_), Some(entry)) = (&answered, entry.get()) {
                    entrants.leave(entry);
                }
                let event = match answered {
                    Ok(process) => Event::Joined(process, entry.get().unwrap_or_default(), stream),
                    Err(NoEntry::Refusing(reason)) => {
                        Event::Note(format!("a caller from {} was refused: {reason}", from.ip()))
                    }
                    Err(NoEntry::Refused(reason)) => {
                        Event::Note(format!("a caller from {} refused: {reason}", from.ip()))
                    }
                    Err(NoEntry::Failed(error)) => {
                        Event::Note(format!("a caller from {} failed: {error}", from.ip()))
                    }
                };
                events.send(event).ok();
                callers.fetch_sub(1, Ordering::Relaxed);
            });
        }
    });
}
