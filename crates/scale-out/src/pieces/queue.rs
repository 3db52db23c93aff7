//! The pieces of a round: which are to be done, and what those gave that are done.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use budget::StopReason;
use serde::{Deserialize, Serialize};

use crate::pieces::{HandedOut, Round};

/// The time between two looks at limits.
const TICK: Duration = Duration::from_millis(100);

/// A piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Piece {
    /// The number of the round.
    pub(super) round: u64,
    pub(super) parameter: u64,
    pub(super) number: u64,
}

/// What is to be done next.
#[derive(Clone, Debug)]
pub(super) enum Next<R> {
    Piece(Piece),
    /// Nothing, but pieces may come back, or the next round begins.
    Wait,
    /// All is done.
    End(HandedOut<R>),
}

/// The pieces of the present round.
#[derive(Debug)]
pub(super) struct Queue<R> {
    state: Mutex<State<R>>,
    /// The round is finished, or stopped.
    changed: Condvar,
}

#[derive(Debug)]
struct State<R> {
    rounds: u64,
    parameter: u64,
    /// The first piece that was never handed out.
    first: u64,
    /// Pieces that came back.
    back: Vec<u64>,
    results: Vec<Option<R>>,
    /// How many pieces have no result.
    missing: usize,
    stopped: Option<StopReason>,
    end: Option<HandedOut<R>>,
}

impl<R> Default for Queue<R> {
    fn default() -> Self {
        Self {
            state: Mutex::new(State {
                rounds: 0,
                parameter: 0,
                first: 0,
                back: Vec::new(),
                results: Vec::new(),
                missing: 0,
                stopped: None,
                end: None,
            }),
            changed: Condvar::new(),
        }
    }
}

impl<R: Clone> Queue<R> {
    fn state(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begin a round.
    pub(super) fn begin(&self, round: Round) {
        let mut state = self.state();
        state.rounds += 1;
        state.parameter = round.parameter;
        state.first = 0;
        state.back.clear();
        state.missing = usize::try_from(round.pieces).unwrap_or(usize::MAX);
        state.results = vec![None; state.missing];
    }

    /// Wait until the round is finished; `goes_on` is asked again and again whether to go on.
    pub(super) fn finished(
        &self,
        goes_on: impl Fn() -> Result<(), StopReason>,
    ) -> Result<Vec<R>, StopReason> {
        let mut state = self.state();
        loop {
            if let Some(reason) = state.stopped {
                return Err(reason);
            }
            if state.missing == 0 {
                return Ok(state.results.drain(..).flatten().collect());
            }
            if let Err(reason) = goes_on() {
                state.stopped = Some(reason);
                return Err(reason);
            }
            let waited = self.changed.wait_timeout(state, TICK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// What is to be done next.
    pub(super) fn next(&self) -> Next<R> {
        let mut state = self.state();
        if let Some(found) = &state.end {
            return Next::End(found.clone());
        }
        if state.stopped.is_some() {
            return Next::Wait;
        }
        let number = match state.back.pop() {
            Some(number) => number,
            None if state.first < state.results.len() as u64 => {
                state.first += 1;
                state.first - 1
            }
            None => return Next::Wait,
        };
        Next::Piece(Piece {
            round: state.rounds,
            parameter: state.parameter,
            number,
        })
    }

    /// A piece is done. What belongs to an earlier round, or is done already, is left out.
    pub(super) fn done(&self, piece: Piece, result: R) {
        let mut state = self.state();
        if piece.round != state.rounds {
            return;
        }
        let place = usize::try_from(piece.number).unwrap_or(usize::MAX);
        if let Some(empty @ None) = state.results.get_mut(place) {
            *empty = Some(result);
            state.missing -= 1;
            if state.missing == 0 {
                self.changed.notify_all();
            }
        }
    }

    /// Pieces that nobody does any more are to be done again: how many there are.
    pub(super) fn give_back(&self, pieces: &[Piece]) -> u64 {
        let mut state = self.state();
        let round = state.rounds;
        let before = state.back.len();
        let present = pieces.iter().filter(|it| it.round == round);
        state.back.extend(present.map(|it| it.number));
        (state.back.len() - before) as u64
    }

    /// All are to stop; the first reason counts.
    pub(super) fn stop(&self, reason: StopReason) {
        self.state().stopped.get_or_insert(reason);
        self.changed.notify_all();
    }

    /// All is over.
    pub(super) fn end(&self, found: &HandedOut<R>) {
        self.state().end = Some(found.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(queue: &Queue<u64>) -> Option<Piece> {
        match queue.next() {
            Next::Piece(piece) => Some(piece),
            Next::Wait | Next::End(_) => None,
        }
    }

    #[test]
    fn what_is_lost_is_done_again_and_counts_once() {
        let queue = Queue::<u64>::default();
        queue.begin(Round {
            parameter: 5,
            pieces: 3,
        });
        let all: Vec<Piece> = (0..3).filter_map(|_| piece(&queue)).collect();
        assert_eq!(
            all.iter().map(|it| it.number).collect::<Vec<_>>(),
            [0, 1, 2]
        );
        assert_eq!(piece(&queue), None);
        queue.done(all[0], 10);
        // One that was thought to be lost answers after all.
        assert_eq!(queue.give_back(&all[1..2]), 1);
        let again = piece(&queue).expect("it came back");
        assert_eq!(again, all[1]);
        queue.done(again, 11);
        queue.done(all[1], 99);
        assert_eq!(
            queue.finished(|| Err(StopReason::Time)),
            Err(StopReason::Time)
        );
        let queue = Queue::<u64>::default();
        queue.begin(Round {
            parameter: 0,
            pieces: 1,
        });
        let only = piece(&queue).expect("a piece");
        queue.done(only, 7);
        assert_eq!(queue.finished(|| Ok(())), Ok(vec![7]));
        // The next round takes nothing from the last one.
        queue.begin(Round {
            parameter: 1,
            pieces: 1,
        });
        queue.done(only, 8);
        assert_eq!(queue.give_back(&[only]), 0);
        assert_eq!(
            piece(&queue).map(|it| (it.parameter, it.round)),
            Some((1, 2))
        );
        queue.stop(StopReason::Nodes);
        queue.stop(StopReason::Time);
        assert_eq!(queue.finished(|| Ok(())), Err(StopReason::Nodes));
    }
}
