//! The exchange of messages between workers, and the barrier between their times.
//!
//! Times are steps, and rounds within a step. A worker that advances its time sends a mark to all
//! others, after its messages of earlier times. Messages of one worker to another one keep their
//! order, so when the marks of all workers have reached a time, all messages of earlier times have
//! arrived: a barrier that needs no counting.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::work::message::{Body, Message};

/// The time that an idle worker sleeps before it checks for events.
const NAP: Duration = Duration::from_millis(20);

/// What workers send to each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Parcel {
    Message(Message),
    /// A worker has sent all of its messages of times before this one.
    Mark {
        from: u32,
        time: u64,
    },
}

/// The connection of a worker to all workers, itself included.
pub(crate) struct Exchange {
    index: usize,
    /// To the workers of this process, in their order.
    here: Vec<Sender<Parcel>>,
    /// To the other processes, by number; `None` for this one.
    away: Vec<Option<Sender<Parcel>>>,
    receiver: Receiver<Parcel>,
    inbox: VecDeque<Message>,
    /// By worker: the time of its last mark.
    marks: Vec<u64>,
}

impl Exchange {
    /// Make the exchange of a worker. Each process has as many workers as this one.
    pub(crate) fn new(
        index: usize,
        here: Vec<Sender<Parcel>>,
        away: Vec<Option<Sender<Parcel>>>,
        receiver: Receiver<Parcel>,
    ) -> Self {
        let n_workers = here.len() * away.len();
        Self {
            index,
            here,
            away,
            receiver,
            inbox: VecDeque::new(),
            marks: vec![0; n_workers],
        }
    }

    /// Return the number of this worker among all.
    pub(crate) fn index(&self) -> usize {
        self.index
    }

    /// Return the number of all workers.
    pub(crate) fn peers(&self) -> usize {
        self.marks.len()
    }

    /// Send a message at the present time, for this step.
    pub(crate) fn send(&mut self, to: usize, step: u64, body: Body) {
        let message = Message {
            to: to as u32,
            from: self.index as u32,
            step,
            body,
        };
        if to == self.index {
            self.inbox.push_back(message);
            return;
        }
        let (process, thread) = (to / self.here.len(), to % self.here.len());
        let channel = self.away[process].as_ref().unwrap_or(&self.here[thread]);
        // Whoever has ended needs no messages; if that is too early, the process's health says so.
        channel.send(Parcel::Message(message)).ok();
    }

    /// Advance the time of the messages sent from now on.
    pub(crate) fn advance(&mut self, time: u64) {
        self.marks[self.index] = time;
        let from = self.index as u32;
        let own = self.index % self.here.len();
        let others = self.here[..own].iter().chain(&self.here[own + 1..]);
        for channel in others.chain(self.away.iter().flatten()) {
            channel.send(Parcel::Mark { from, time }).ok();
        }
    }

    /// Return whether messages of earlier times may still arrive.
    pub(crate) fn awaits(&self, time: u64) -> bool {
        self.marks.iter().any(|mark| *mark < time)
    }

    /// Take what has arrived. If nothing has, and the worker may sleep, wait briefly.
    pub(crate) fn step(&mut self, may_sleep: bool) {
        if may_sleep {
            match self.receiver.recv_timeout(NAP) {
                Ok(parcel) => self.take(parcel),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return,
            }
        }
        while let Ok(parcel) = self.receiver.try_recv() {
            self.take(parcel);
        }
    }

    fn take(&mut self, parcel: Parcel) {
        match parcel {
            Parcel::Message(message) => self.inbox.push_back(message),
            Parcel::Mark { from, time } => self.marks[from as usize] = time,
        }
    }

    /// Return the next message received.
    pub(crate) fn receive(&mut self) -> Option<Message> {
        self.inbox.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// Make the exchanges of two workers of one process.
    fn pair() -> (Exchange, Exchange) {
        let (senders, mut receivers): (Vec<_>, Vec<_>) = (0..2).map(|_| mpsc::channel()).unzip();
        let mut next = |index| {
            let receiver = receivers.remove(0);
            Exchange::new(index, senders.clone(), vec![None], receiver)
        };
        (next(0), next(1))
    }

    #[test]
    fn messages_before_a_mark_have_arrived_when_the_mark_has() {
        let (mut one, mut other) = pair();
        for number in 0..100 {
            one.send(1, 0, Body::Stop(number));
        }
        one.advance(5);
        one.send(1, 1, Body::Stop(100));
        other.advance(5);
        assert!(other.awaits(5));
        other.step(true);
        assert!(!other.awaits(5));
        assert!(other.awaits(6));
        let bodies = std::iter::from_fn(|| other.receive()).map(|message| message.body);
        assert!(bodies.eq((0..=100).map(Body::Stop)));
        one.step(false);
        assert!(!one.awaits(5));
    }

    #[test]
    fn a_worker_sends_to_itself() {
        let (mut one, _other) = pair();
        one.send(0, 3, Body::Stop(1));
        let message = one.receive().unwrap();
        assert_eq!((message.to, message.from, message.step), (0, 0, 3));
        one.advance(1);
        assert!(one.awaits(1), "the other one hasn't sent a mark");
    }

    #[test]
    fn a_worker_that_has_ended_is_no_failure() {
        let (mut one, other) = pair();
        drop(other);
        one.send(1, 0, Body::Stop(1));
        one.advance(1);
        one.step(true);
        assert!(one.awaits(1));
    }
}
