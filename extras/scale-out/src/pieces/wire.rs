//! Messages of processes that share pieces of work. A round's results are thousands of counts,
//! which each process receives.

use budget::StopReason;
use serde::{Deserialize, Serialize};

use crate::error::ClusterError;

/// The number of a round.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub(super) struct RoundId {
    /// The number of the search.
    pub(super) search: u64,
    /// The number of the round in the search.
    pub(super) round: u64,
}

/// The round of a process, with its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ask {
    pub(super) round: RoundId,
    /// A hash of the search's name and of the bound.
    pub(super) what: u64,
    pub(super) pieces: u64,
}

/// A request to the first process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Request<R> {
    /// Request a piece, and deliver the result of another one.
    Next(Ask, Option<(u64, R)>),
    /// Request the state of the round.
    Look(Ask),
    /// Request that all processes stop.
    Stop(Ask, StopReason),
}

/// The answer of the first process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Answer<R> {
    Piece(u64),
    /// There is no piece at the moment.
    Wait,
    /// Pieces are missing; those from `needed` on don't matter.
    Open {
        needed: u64,
        nodes: u64,
    },
    Finished(Vec<R>),
    Stopped(StopReason),
    /// The first process runs another search.
    OutOfStep,
}

/// Make the error for a connection that can't be used.
pub(super) fn broken(error: std::io::Error) -> ClusterError {
    ClusterError::Broken(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{receive, send};

    #[test]
    fn messages_come_as_they_were_sent() {
        let ask = Ask {
            round: RoundId {
                search: 3,
                round: 1,
            },
            what: u64::MAX,
            pieces: 7,
        };
        let requests = [
            Request::Look(ask),
            Request::Next(ask, Some((6, vec![1_u64, u64::MAX]))),
            Request::Stop(ask, StopReason::Time),
        ];
        let mut sent = Vec::new();
        for request in &requests {
            send(&mut sent, request).expect("it is written");
        }
        let mut rest = sent.as_slice();
        for request in &requests {
            let found: Request<Vec<u64>> = receive(&mut rest).expect("it is read");
            assert_eq!(found, *request);
        }
        assert!(receive::<Request<Vec<u64>>>(&mut rest).is_err());
        let mut wrong: &[u8] = &[255, 255, 255, 255, 0];
        assert!(receive::<Request<Vec<u64>>>(&mut wrong).is_err());
        // A byte after a message is no part of it.
        let mut long = Vec::new();
        send(&mut long, &requests[0]).expect("it is written");
        long[0] += 1;
        long.push(0);
        assert!(receive::<Request<Vec<u64>>>(&mut long.as_slice()).is_err());
        let mut torn = &sent[..sent.len() - 1];
        let results = (0..3).map(|_| receive::<Request<Vec<u64>>>(&mut torn).is_ok());
        assert_eq!(results.collect::<Vec<_>>(), [true, true, false]);
    }
}
