//! Connections between all pairs of processes: each one calls those with lower numbers.

use std::cell::Cell;
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::time::{Duration, Instant};

use crate::error::ClusterError;
use crate::identity::Terms;
use crate::member::Member;
use crate::net::channel::{Channel, Kind, TICK};
use crate::net::entrants::{Entrants, Strangers};
use crate::net::handshake::{LONGEST, NoEntry, Party, readable};

/// The maximum time of one attempt to reach a process.
const ATTEMPT: Duration = Duration::from_secs(2);
/// The maximum number of notes kept for an error.
const MOST_NOTES: usize = 5;

/// An event sent by the threads that make connections to the one that waits.
enum Event {
    /// A process is connected. If it called, the number of its entry; the latest one counts.
    Joined(usize, u64, Channel),
    /// A note for the error if a process doesn't connect.
    Note(String),
    Fatal(ClusterError),
}

/// Connect this process with all others: return a channel for each, `None` for this one.
pub(crate) fn connect(
    member: &Member,
    terms: &Terms,
    interrupted: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<Option<Channel>>, ClusterError> {
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
    let channels = meet(member, terms, listener, deadline, interrupted)?;
    // A process that is connected with all waits for those that aren't yet.
    for channel in channels.iter().flatten() {
        // A failure is detected when the answer is read.
        channel.send(Kind::Ready, &[], LONGEST).ok();
    }
    let in_time = |_| {
        if Instant::now() < deadline + ATTEMPT && !interrupted() {
            return Ok(());
        }
        Err(std::io::Error::other("there was no answer in time"))
    };
    for (process, channel) in channels.iter().enumerate() {
        let Some(channel) = channel else { continue };
        let address = member.addresses[process].clone();
        let mut reason = Vec::new();
        match channel.receive(&mut reason, &in_time) {
            Ok(Kind::Ready) => {}
            Ok(_) => {
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
    Ok(channels)
}

/// Make all connections.
fn meet(
    member: &Member,
    terms: &Terms,
    listener: &TcpListener,
    deadline: Instant,
    interrupted: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<Option<Channel>>, ClusterError> {
    let mut channels: Vec<Option<Channel>> = (0..member.processes()).map(|_| None).collect();
    let mut entries = vec![0; member.processes()];
    let over = AtomicBool::new(false);
    let given_up = || over.load(Ordering::Relaxed) || interrupted();
    let party = Party::new(member.process, &member.secret, terms, &given_up);
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
            let missing: Vec<usize> = (0..channels.len())
                .filter(|process| *process != member.process && channels[*process].is_none())
                .collect();
            if missing.is_empty() {
                break Ok(());
            }
            match events.recv_timeout(TICK) {
                Ok(Event::Joined(process, entry, channel)) if entry >= entries[process] => {
                    entries[process] = entry;
                    channels[process] = Some(channel);
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
                    for (process, channel) in channels.iter_mut().enumerate() {
                        if channel.take_if(|channel| channel.has_left()).is_none() {
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
        Ok(()) => Ok(channels),
        Err(error) => {
            // Send the reason to the processes that did connect.
            let reason = error.to_string();
            for channel in channels.iter().flatten() {
                channel.close(Kind::Refused, reason.as_bytes(), LONGEST);
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
        let event = match attempt.and_then(|stream| party.call(stream, process)) {
            Ok(channel) => Event::Joined(process, 0, channel),
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
    let (strangers, entrants) = (Strangers::default(), Entrants::default());
    if let Err(error) = listener.set_nonblocking(true) {
        events.send(Event::Note(error.to_string())).ok();
        return;
    }
    let (strangers, entrants) = (&strangers, &entrants);
    std::thread::scope(|scope| {
        while !(party.given_up)() {
            let Ok((stream, from)) = listener.accept() else {
                std::thread::sleep(TICK / 10);
                continue;
            };
            let Ok(handle) = stream.try_clone() else {
                continue;
            };
            let number = strangers.enter(handle);
            let events = events.clone();
            let answer = move || {
                let event = answer(party, member, stream, entrants);
                strangers.leave(number);
                let event = event.unwrap_or_else(|error| {
                    let from = from.ip();
                    Event::Note(match error {
                        NoEntry::Refusing(reason) => {
                            format!("a caller from {from} was refused: {reason}")
                        }
                        NoEntry::Refused(reason) => {
                            format!("a caller from {from} refused: {reason}")
                        }
                        NoEntry::Failed(error) => format!("a caller from {from} failed: {error}"),
                    })
                });
                events.send(event).ok();
            };
            // Where the system has no thread left, the caller is dropped, and may call again.
            if std::thread::Builder::new()
                .spawn_scoped(scope, answer)
                .is_err()
            {
                strangers.leave(number);
            }
        }
    });
}

/// Answer a caller.
fn answer(
    party: &Party<'_>,
    member: &Member,
    stream: TcpStream,
    entrants: &Entrants,
) -> Result<Event, NoEntry> {
    stream.set_nonblocking(false)?;
    let entry = Cell::new(None);
    let admit = |process: usize, channel: &Channel| {
        if process <= member.process || process >= member.processes() {
            return Err(format!("process {process} has no reason to call"));
        }
        entry.set(Some(entrants.admit(process, channel)?));
        Ok(())
    };
    let answered = party.answer(stream, &admit);
    if let (Err(_), Some(entry)) = (&answered, entry.get()) {
        entrants.leave(entry);
    }
    let (process, channel) = answered?;
    Ok(Event::Joined(
        process,
        entry.get().unwrap_or_default(),
        channel,
    ))
}
