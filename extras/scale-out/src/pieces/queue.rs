//! The pieces of a round in the first process: those still to be done, and the results of the
//! others.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use budget::StopReason;

use crate::pieces::result::PieceResult;
use crate::pieces::wire::{Answer, Ask, RoundId};

/// The rounds so far, and the pieces of the present one.
#[derive(Debug)]
pub(super) struct Queue<R> {
    /// The present search.
    search: u64,
    /// Why searches stopped, if they did.
    stopped: BTreeMap<u64, StopReason>,
    open: Option<Open<R>>,
    /// Finished rounds whose end some process doesn't know yet.
    past: BTreeMap<RoundId, Past<R>>,
    /// The current round of each other process; `None` if it has left.
    processes: BTreeMap<usize, RoundId>,
    /// A limit that a process reached in a round that hasn't begun.
    early_stop: Option<(RoundId, StopReason)>,
    /// The number of pieces that were handed out again.
    pub(super) again: u64,
    /// Whether there are no more rounds.
    is_over: bool,
}

/// A round that isn't over.
#[derive(Debug)]
struct Open<R> {
    ask: Ask,
    /// The first piece that was never handed out.
    first: u64,
    /// Pieces that were returned undone.
    back: BTreeSet<u64>,
    results: Vec<Option<R>>,
    /// Pieces from this one on don't matter.
    needed: u64,
    /// The number of earlier pieces without a result.
    missing: u64,
    /// The nodes of the finished pieces.
    nodes: u64,
}

/// How a round ended.
#[derive(Debug)]
struct Past<R> {
    ask: Ask,
    end: Result<Arc<Vec<R>>, StopReason>,
}

/// The state of the present round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Standing<R> {
    /// Pieces are missing. Those from `needed` on don't matter.
    Open {
        needed: u64,
        nodes: u64,
    },
    Over(Result<Arc<Vec<R>>, StopReason>),
}

impl<R> Default for Queue<R> {
    fn default() -> Self {
        Self {
            search: 0,
            stopped: BTreeMap::new(),
            open: None,
            past: BTreeMap::new(),
            processes: BTreeMap::new(),
            early_stop: None,
            again: 0,
            is_over: false,
        }
    }
}

impl<R> Queue<R> {
    /// Record that there are no more rounds.
    pub(super) fn finish(&mut self) {
        self.is_over = true;
    }
}

impl<R: PieceResult> Queue<R> {
    /// Add another process.
    pub(super) fn join(&mut self, process: usize) {
        self.processes.insert(process, RoundId::default());
    }

    /// Remove a process: its pieces must be done again.
    pub(super) fn leave(&mut self, process: usize, held: &[(RoundId, u64)]) {
        self.processes.remove(&process);
        if let Some(open) = &mut self.open {
            let its = held.iter().filter(|it| it.0 == open.ask.round);
            for (_, number) in its {
                let place = usize::try_from(*number).unwrap_or(usize::MAX);
                if open.results.get(place).is_some_and(Option::is_none) {
                    self.again += u64::from(open.back.insert(*number));
                }
            }
        }
        self.forget();
    }

    /// Begin a round.
    pub(super) fn begin(&mut self, ask: Ask) {
        self.search = ask.round.search;
        let n = usize::try_from(ask.pieces).unwrap_or(usize::MAX);
        let mut results = Vec::new();
        results.resize_with(n, || None);
        self.open = Some(Open {
            ask,
            first: 0,
            back: BTreeSet::new(),
            results,
            needed: ask.pieces,
            missing: ask.pieces,
            nodes: 0,
        });
        if let Some((_, reason)) = self.early_stop.take_if(|it| it.0 == ask.round) {
            self.stop(ask.round, reason);
        }
        self.close_if_done();
    }

    /// End the present search.
    pub(super) fn end_search(&mut self, search: u64, stopped: Option<StopReason>) {
        if let Some(reason) = stopped {
            self.stopped.insert(search, reason);
        }
        self.search = search + 1;
    }

    /// Return the next piece of the present round.
    pub(super) fn next(&mut self, ask: Ask) -> Option<u64> {
        let open = self.open.as_mut().filter(|it| it.ask == ask)?;
        let number = match open.back.pop_first() {
            Some(number) => number,
            None => {
                let number = open.first;
                open.first += u64::from(number < open.needed);
                number
            }
        };
        (number < open.needed).then_some(number)
    }

    /// Record the result of a piece. Results of earlier rounds, and repeated ones, are ignored.
    pub(super) fn done(&mut self, round: RoundId, number: u64, result: R) {
        let Some(open) = self.open.as_mut().filter(|it| it.ask.round == round) else {
            return;
        };
        let place = usize::try_from(number).unwrap_or(usize::MAX);
        let Some(empty @ None) = open.results.get_mut(place) else {
            return;
        };
        open.nodes = open.nodes.saturating_add(result.nodes());
        let is_last = result.is_last();
        *empty = Some(result);
        if number >= open.needed {
            return;
        }
        open.missing -= 1;
        if is_last {
            let behind = open.results[place + 1..open.needed as usize].iter();
            open.missing -= behind.filter(|it| it.is_none()).count() as u64;
            open.needed = number + 1;
        }
        self.close_if_done();
    }

    fn close_if_done(&mut self) {
        if let Some(mut open) = self.open.take_if(|it| it.missing == 0) {
            open.results.truncate(open.needed as usize);
            let results = open.results.into_iter().flatten().collect();
            self.close(open.ask, Ok(Arc::new(results)));
        }
    }

    /// Stop all in a round; the first reason counts.
    pub(super) fn stop(&mut self, round: RoundId, reason: StopReason) {
        match self.open.take_if(|it| it.ask.round == round) {
            Some(open) => self.close(open.ask, Err(reason)),
            None if !self.past.contains_key(&round) => {
                self.early_stop = Some((round, reason));
            }
            None => {}
        }
    }

    fn close(&mut self, ask: Ask, end: Result<Arc<Vec<R>>, StopReason>) {
        self.past.insert(ask.round, Past { ask, end });
    }

    /// Return the state of a round that has begun.
    pub(super) fn standing(&mut self, round: RoundId) -> Standing<R> {
        if let Some(past) = self.past.get(&round) {
            let end = past.end.clone();
            self.forget();
            return Standing::Over(end);
        }
        let open = self.open.as_ref().filter(|it| it.ask.round == round);
        Standing::Open {
            needed: open.map_or(u64::MAX, |it| it.needed),
            nodes: open.map_or(0, |it| it.nodes),
        }
    }

    /// Return the answer to another process that requests the state of a round.
    pub(super) fn look(&mut self, process: usize, ask: Ask) -> Answer<R>
    where
        R: Clone,
    {
        self.processes.insert(process, ask.round);
        self.forget();
        if let Some(past) = self.past.get(&ask.round) {
            return match &past.end {
                _ if past.ask != ask => Answer::OutOfStep,
                Ok(results) => Answer::Finished(results.to_vec()),
                Err(reason) => Answer::Stopped(*reason),
            };
        }
        let present = self.open.as_ref().map(|open| open.ask);
        if present.is_some_and(|it| it.round == ask.round && it != ask) {
            return Answer::OutOfStep;
        }
        if ask.round.search < self.search || self.is_over {
            return match self.stopped.get(&ask.round.search) {
                Some(reason) => Answer::Stopped(*reason),
                None => Answer::OutOfStep,
            };
        }
        match self.standing(ask.round) {
            Standing::Open { needed, nodes } => Answer::Open { needed, nodes },
            Standing::Over(_) => Answer::Wait,
        }
    }

    /// Drop rounds that all processes have left behind.
    fn forget(&mut self) {
        let last = self.past.last_key_value().map(|it| *it.0);
        let slowest = self.processes.values().min().copied();
        // The last one is also this process's.
        if let Some(keep) = slowest.into_iter().chain(last).min() {
            self.past.retain(|round, _| *round >= keep);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use super::*;

    /// A result that ends its round if it is even.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    struct Number(u64);

    impl PieceResult for Number {
        fn nodes(&self) -> u64 {
            self.0
        }

        fn is_last(&self) -> bool {
            self.0.is_multiple_of(2)
        }
    }

    fn ask(search: u64, round: u64, pieces: u64) -> Ask {
        Ask {
            round: RoundId { search, round },
            what: 7,
            pieces,
        }
    }

    #[test]
    fn what_is_lost_is_done_again_and_counts_once() {
        let mut queue = Queue::default();
        let ask = ask(0, 0, 3);
        let round = ask.round;
        queue.join(1);
        queue.begin(ask);
        let all = [(); 4].map(|()| queue.next(ask));
        assert_eq!(all, [Some(0), Some(1), Some(2), None]);
        queue.done(round, 0, Number(1));
        queue.leave(1, &[(round, 0), (round, 1)]);
        assert_eq!(queue.again, 1);
        assert_eq!(queue.next(ask), Some(1));
        queue.done(round, 1, Number(3));
        // A process that seemed lost answers after all.
        queue.done(round, 1, Number(99));
        let open = Standing::Open {
            needed: 3,
            nodes: 4,
        };
        assert_eq!(queue.standing(round), open);
        queue.done(round, 2, Number(5));
        let results = Arc::new(vec![Number(1), Number(3), Number(5)]);
        assert_eq!(queue.standing(round), Standing::Over(Ok(results)));
    }

    #[test]
    fn pieces_behind_one_that_ends_the_round_are_left_out() {
        let mut queue = Queue::default();
        let ask = ask(0, 0, 9);
        let round = ask.round;
        queue.begin(ask);
        for _ in 0..5 {
            queue.next(ask);
        }
        queue.done(round, 3, Number(8));
        assert!(matches!(
            queue.standing(round),
            Standing::Open { needed: 4, .. }
        ));
        // The pieces before it are still to be done, and none of those after it.
        assert_eq!(queue.next(ask), None);
        queue.done(round, 4, Number(4));
        queue.done(round, 2, Number(1));
        queue.done(round, 1, Number(6));
        queue.done(round, 0, Number(1));
        let results = Arc::new(vec![Number(1), Number(6)]);
        assert_eq!(queue.standing(round), Standing::Over(Ok(results)));
    }

    #[test]
    fn who_is_behind_hears_how_rounds_ended_and_who_is_elsewhere_that_it_is() {
        let mut queue = Queue::default();
        queue.join(1);
        let (first, second) = (ask(0, 0, 1), ask(0, 1, 1));
        queue.begin(first);
        queue.done(first.round, 0, Number(1));
        queue.begin(second);
        queue.stop(second.round, StopReason::Time);
        queue.stop(second.round, StopReason::Nodes);
        let other = Ask { what: 8, ..first };
        assert_eq!(queue.look(1, other), Answer::OutOfStep);
        assert_eq!(queue.look(1, first), Answer::Finished(vec![Number(1)]));
        assert_eq!(queue.look(1, second), Answer::Stopped(StopReason::Time));
        assert!(!queue.past.contains_key(&first.round), "all have left it");
        // A process that is ahead waits; one that is late gets the reason why there are no more
        // pieces.
        let later = ask(0, 2, 1);
        assert!(matches!(queue.look(1, later), Answer::Open { .. }));
        queue.end_search(0, Some(StopReason::Memory));
        assert_eq!(queue.look(1, later), Answer::Stopped(StopReason::Memory));
        queue.finish();
        assert_eq!(queue.look(1, ask(1, 0, 1)), Answer::OutOfStep);
    }

    #[test]
    fn a_limit_that_is_reached_before_the_round_begins_stops_it() {
        let mut queue = Queue::<Number>::default();
        let ask = ask(0, 0, 5);
        queue.stop(ask.round, StopReason::Time);
        queue.begin(ask);
        assert_eq!(
            queue.standing(ask.round),
            Standing::Over(Err(StopReason::Time))
        );
    }
}
