//! The times of the dataflow.

use serde::{Deserialize, Serialize};
use timely::PartialOrder;
use timely::order::TotalOrder;
use timely::progress::Timestamp;
use timely::progress::timestamp::{PathSummary, Refines};

/// The round of the reports on a stage, after all its other rounds.
const LAST: u64 = u64::MAX / 2;

/// The time of a message: first the distance of its states, then the round in which it was sent.
///
/// Rounds belong to stages: where moves cost nothing, several stages have the same distance. Stages
/// count on, so that they alone tell times of different stages apart.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub(crate) struct Time {
    pub(crate) cost: u64,
    pub(crate) stage: u64,
    pub(crate) round: u64,
}

impl Time {
    /// Return the time of the reports on the stage.
    pub(crate) fn of_reports(self) -> Self {
        Self {
            round: LAST,
            ..self
        }
    }

    /// Return the time at which the reports on the stage before this one arrive: the way back takes
    /// a round.
    pub(crate) fn last_answers(self) -> Self {
        Self {
            stage: self.stage.saturating_sub(1),
            round: LAST + 1,
            ..self
        }
    }

    /// Return the beginning of the next round.
    pub(crate) fn next_round(self) -> Self {
        Self {
            round: self.round + 1,
            ..self
        }
    }

    /// Return the beginning of the next stage, at this distance or a greater one.
    pub(crate) fn next_stage(self, cost: u64) -> Self {
        Self {
            cost: cost.max(self.cost),
            stage: self.stage + 1,
            round: 0,
        }
    }

    /// Return the time that must be over before this round may begin, so that messages of at most
    /// two rounds are in flight: as it appears at the end of the way back.
    pub(crate) fn before_it_begins(self) -> Option<Self> {
        let round = self.round.checked_sub(1).filter(|round| *round > 0)?;
        Some(Self { round, ..self })
    }
}

impl PartialOrder for Time {
    fn less_equal(&self, other: &Self) -> bool {
        self <= other
    }
}

impl TotalOrder for Time {}

impl Timestamp for Time {
    /// The rounds that a way takes.
    type Summary = u64;

    fn minimum() -> Self {
        Self::default()
    }
}

impl PathSummary<Time> for u64 {
    fn results_in(&self, time: &Time) -> Option<Time> {
        let round = time.round.checked_add(*self)?;
        Some(Time { round, ..*time })
    }

    fn followed_by(&self, other: &Self) -> Option<Self> {
        self.checked_add(*other)
    }
}

impl Refines<()> for Time {
    fn to_inner((): ()) -> Self {
        Self::default()
    }

    fn to_outer(self) {}

    fn summarize(_: u64) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_ordered_by_distance_stage_and_round() {
        let first = Time::minimum();
        let second = first.next_round();
        let reports = second.of_reports();
        let answers = PathSummary::results_in(&1, &reports);
        let stage = second.next_stage(0);
        assert_eq!(answers, Some(stage.last_answers()));
        let further = second.next_stage(5);
        let times = [first, second, reports, stage.last_answers(), stage, further];
        assert!(times.is_sorted_by(PartialOrder::less_than));
        // Distances never decrease.
        assert_eq!(further.next_stage(0).cost, 5);
    }

    #[test]
    fn a_round_waits_for_the_one_before_the_last() {
        let round = |round| Time {
            round,
            ..Time::default()
        };
        assert_eq!(round(0).before_it_begins(), None);
        assert_eq!(round(1).before_it_begins(), None);
        // What was sent in round 0 appears in round 1.
        assert_eq!(round(2).before_it_begins(), Some(round(1)));
        assert_eq!(round(9).before_it_begins(), Some(round(8)));
    }
}
