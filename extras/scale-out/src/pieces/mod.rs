//! Independent pieces of work, handed out on demand.
//!
//! A search along paths falls into pieces: the subtrees below each of a few thousand nodes. How
//! long a piece takes isn't known in advance, so each thread of each process requests the next one
//! when it has finished its last. The first process hands them out, in rounds: a round, such as the
//! search within a bound, begins when the one before is complete. If a process is lost, only its
//! current pieces are lost, and they are handed out again.

mod first;
mod hands;
mod other;
mod queue;
mod result;
mod searches;
mod wire;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use budget::StopReason;

use crate::error::ClusterError;
use crate::identity::{Identity, Terms};
use crate::member::Member;
use crate::net::connect;
use crate::pieces::first::First;
use crate::pieces::other::Other;
use crate::pieces::wire::{Ask, RoundId};

pub use self::hands::Work;
pub use self::result::PieceResult;

/// A round of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// The parameter that all pieces share, such as a bound.
    pub parameter: u64,
    /// The number of pieces.
    pub pieces: u64,
}

/// Processes that do pieces of work together.
///
/// All of them make the same calls in the same order: searches of the same names, with the same
/// rounds. The result of a round is the same in all of them.
pub struct Crew<R> {
    part: Part<R>,
    threads: usize,
    /// A hash of the present search's name, and the number of its next round.
    present: Mutex<(u64, RoundId)>,
    rounds: AtomicU64,
    pieces: AtomicU64,
}

/// The role of this process.
enum Part<R> {
    First(First<R>),
    Other(Other<R>),
}

impl<R> std::fmt::Debug for Crew<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Crew")
            .field("threads", &self.threads)
            .field("present", &self.present)
            .finish_non_exhaustive()
    }
}

impl<R: PieceResult> Crew<R> {
    /// Meet the other processes. `agreed` contains everything that must be the same in all of them:
    /// the name of each thing, which names the difference in "another heuristic", and a text that
    /// differs where the thing does.
    ///
    /// # Errors
    /// If the processes don't connect.
    pub fn meet(
        mut member: Member,
        agreed: &[(&str, String)],
        interrupted: &(dyn Fn() -> bool + Sync),
    ) -> Result<Self, ClusterError> {
        member.check()?;
        let terms = Terms {
            identity: Identity {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                game: String::new(),
                direction: "pieces".to_owned(),
                roots: String::new(),
                words: 0,
                forgets: false,
                processes: member.processes(),
                threads: member.threads,
            },
            depth: None,
            farthest: 0,
            agreed: agreed
                .iter()
                .map(|(name, text)| ((*name).to_owned(), text.clone()))
                .collect(),
        };
        let channels = connect(&member, &terms, interrupted)?;
        member.listener = None;
        let part = match member.process {
            0 => Part::First(First::new(&member, channels)?),
            _ => {
                let channel = channels.into_iter().next().flatten();
                Part::Other(Other::new(&member, channel)?)
            }
        };
        Ok(Self {
            part,
            threads: member.threads,
            present: Mutex::default(),
            rounds: AtomicU64::new(0),
            pieces: AtomicU64::new(0),
        })
    }

    fn present(&self) -> MutexGuard<'_, (u64, RoundId)> {
        self.present.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begin a search. `name` identifies it, the same in all processes.
    pub fn begin(&self, name: &str) {
        let mut present = self.present();
        present.0 = hash(0xcbf2_9ce4_8422_2325, name.as_bytes());
    }

    /// End the present search. Processes that are still working on it get the reason.
    pub fn end(&self, stopped: Option<StopReason>) {
        let mut present = self.present();
        let search = present.1.search;
        if let Part::First(first) = &self.part {
            first.end_search(search, stopped);
        }
        present.1 = RoundId {
            search: search + 1,
            round: 0,
        };
    }

    /// Announce that there are no more searches. Processes that wait for one are notified, and this
    /// process waits for them when it leaves.
    pub fn finish(&self) {
        if let Part::First(first) = &self.part {
            first.finish();
        }
    }

    /// Do the pieces of a round. Return the results in order, up to the first one that is
    /// [the last](PieceResult::is_last); the same in all processes.
    ///
    /// `work` computes the result of a piece, which depends only on the round and the piece's
    /// number. It stops with a reason if this process reaches a limit, which stops all processes,
    /// or if its flag is set because the piece no longer matters. `goes_on` is called repeatedly
    /// with the work done so far, and fails when a limit is reached.
    ///
    /// # Errors
    /// If a process reaches a limit; or [interrupted](StopReason::Interrupted) if the round failed,
    /// and then [`failure`](Self::failure) has the reason.
    pub fn round(
        &self,
        round: Round,
        work: &Work<'_, R>,
        goes_on: &mut dyn FnMut(u64) -> Result<(), StopReason>,
    ) -> Result<Vec<R>, StopReason> {
        let ask = {
            let mut present = self.present();
            let id = present.1;
            present.1.round += 1;
            Ask {
                round: id,
                what: hash(present.0, &round.parameter.to_le_bytes()),
                pieces: round.pieces,
            }
        };
        let results = match &self.part {
            Part::First(first) => first.round(ask, self.threads, work, goes_on),
            Part::Other(other) => other.round(ask, self.threads, work, goes_on),
        };
        if results.is_ok() {
            self.rounds.fetch_add(1, Ordering::Relaxed);
            self.pieces.fetch_add(round.pieces, Ordering::Relaxed);
        }
        results
    }

    /// Return why a round failed, if one did: the first process is lost, or runs another search.
    pub fn failure(&self) -> Option<ClusterError> {
        match &self.part {
            Part::First(_) => None,
            Part::Other(other) => other.failure(),
        }
    }

    /// Return the processes lost since the last call, in words, as far as this one knows.
    pub fn lost(&self) -> Vec<String> {
        match &self.part {
            Part::First(first) => first.lost(),
            Part::Other(_) => Vec::new(),
        }
    }

    /// Return the number of pieces that were handed out again after a process was lost, as far as
    /// this one knows.
    pub fn again(&self) -> u64 {
        match &self.part {
            Part::First(first) => first.again(),
            Part::Other(_) => 0,
        }
    }

    /// Return the number of rounds done together, and the number of their pieces.
    pub fn done(&self) -> (u64, u64) {
        let count = |it: &AtomicU64| it.load(Ordering::Relaxed);
        (count(&self.rounds), count(&self.pieces))
    }
}

/// Return a hash that is the same in all processes (FNV-1a).
fn hash(from: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(from, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
