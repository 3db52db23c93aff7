//! The decision when comparing longer sequences is worth the work.

use super::analyzed::{AnalyzedLengths, FIRST_LENGTH, STEPS_OF_COMPOSITION, steps_of_choice};
use super::forecast::{EarlierSearches, SHARE_OF_SAVING, SearchForecast, nodes_before};
use super::potential::{MOST_COUNTED, Potential};
use crate::Steps;
use crate::offers::{Allowance, Offer, most_profitable};

/// The steps that a choice of splits takes for each composition, as far as is known before.
const CHOICE_FOR_COMPOSITION: f64 = 2_000.0;

/// The minimum steps of a choice of splits: with fewer it finds nothing.
const LEAST_CHOICE: u64 = 1 << 17;

/// The factor by which the allowed steps must grow before a choice that found nothing is repeated.
/// Choices in vain then take together, as a geometric series, 4/3 of the last one.
const MORE_CHOICE: u64 = 4;

/// The steps of a move in a count of sequences and states.
const STEPS_OF_COUNTED_MOVE: Steps = 350.0;

/// The minimum number of moves: about a tenth of a millisecond.
const LEAST_COUNTED: f64 = 300.0;

/// The maximum number of moves: less than a second, and some tens of megabytes.
const MOST_MOVES: f64 = 2e6;

/// The minimum number of nodes after which an iteration ends a part of a search: fewer are
/// generated in no time.
pub const LEAST_NODES: u64 = 20_000;

/// The factor by which nodes may take longer where nothing shows that there will be fewer of them:
/// no more than the share of the work that such an analysis may take.
const MOST_SLOWER: f64 = 1.1;

/// An analysis that is worth its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LengthChoice {
    /// The length of the sequences.
    pub length: usize,
    /// The steps that a choice of splits may take; `None` for no splits.
    pub steps_for_splits: Option<u64>,
}

/// Return the steps of a choice of splits within some work: a power of two, so that similar
/// searches share their analyses. `None` if it can't pay.
fn steps_for_splits(work: Steps, length: usize) -> Option<u64> {
    let steps = (work / steps_of_choice(length)) as u64;
    (steps >= LEAST_CHOICE).then(|| 1 << steps.ilog2())
}

/// Return the steps of counting some moves.
pub fn steps_of_counting(moves: f64) -> Steps {
    moves * STEPS_OF_COUNTED_MOVE
}

/// Return the moves that a count may make within some steps.
pub fn moves_counted_within(steps: Steps) -> u64 {
    (steps / STEPS_OF_COUNTED_MOVE).clamp(LEAST_COUNTED, MOST_MOVES) as u64
}

impl AnalyzedLengths {
    /// Return the expected savings in steps if there are fewer sequences, and the nodes left take
    /// some times as long; `excess` is the logarithm of the first factor, by the number of moves.
    ///
    /// The next iteration may be the last one, so no more counts than the work of all up to it: an
    /// analysis must not take more than that.
    fn saving(excess: impl Fn(f64) -> f64, slower: f64, forecast: &SearchForecast) -> Steps {
        let part_saved = |moves: f64| {
            let fewer = SHARE_OF_SAVING * (1.0 - (-excess(moves)).exp());
            1.0 - (1.0 - fewer) * slower
        };
        let earlier = &forecast.earlier;
        let now = forecast.steps_expected() * part_saved(forecast.moves_made());
        let expected = now + earlier.steps * part_saved(earlier.moves);
        expected.min(forecast.steps_certain())
    }

    /// Return the expected savings in steps of longer sequences of whole rules.
    pub fn saving_of_longer(&self, length: usize, forecast: &SearchForecast) -> Steps {
        let potential = &forecast.potential;
        // The growth may go on falling where it can't be counted.
        let unseen = length.saturating_sub(potential.reach().max(self.length));
        let unseen = self.fall() * unseen as f64;
        let excess = |moves: f64| {
            let more = (moves - length as f64).max(0.0);
            let seen = potential.excess_after(self.length, length, moves);
            (seen + unseen * (more + 1.0)) * forecast.confidence.longer
        };
        Self::saving(excess, self.slower_at(length, forecast), forecast)
    }

    /// Return how many times as long a node is expected to take with the machine for a length.
    fn slower_at(&self, length: usize, forecast: &SearchForecast) -> f64 {
        let times = self.times_at(length, &forecast.potential);
        self.slower_by(times, forecast.steps_of_node)
    }

    /// Return the offer of an analysis of longer sequences of whole rules.
    fn offer(&self, length: usize, forecast: &SearchForecast) -> Offer<LengthChoice> {
        Offer {
            option: LengthChoice {
                length,
                steps_for_splits: None,
            },
            price: self.steps_up_to(length, &forecast.potential),
            saving: self.saving_of_longer(length, forecast),
        }
    }

    /// Return the offer of splits at some length, where they may pay.
    fn offer_of_splits(
        &self,
        length: usize,
        forecast: &SearchForecast,
    ) -> Option<Offer<LengthChoice>> {
        let potential = &forecast.potential;
        let excess =
            |moves: f64| potential.excess_after(0, length, moves) * forecast.confidence.splits;
        let saving = Self::saving(excess, self.slower_at(length, forecast), forecast);
        let price = self.steps_up_to(length, potential);
        let steps_for_splits = steps_for_splits((saving - price) / 2.0, length)?;
        let tried = self.tried_splits.get(&length).copied().unwrap_or(0);
        let again = MORE_CHOICE.saturating_mul(tried);
        if length <= self.length && (self.is_split || steps_for_splits < again) {
            return None;
        }
        let likely = price / STEPS_OF_COMPOSITION * CHOICE_FOR_COMPOSITION;
        let likely = likely.min(steps_for_splits as f64);
        Some(Offer {
            option: LengthChoice {
                length,
                steps_for_splits: Some(steps_for_splits),
            },
            price: price + likely * steps_of_choice(length),
            saving,
        })
    }

    /// Return whether the potential reaches as far as any length that is considered: then counting
    /// more states shows nothing new.
    pub fn is_seen(&self, potential: &Potential) -> bool {
        let last = self.greater(potential).last().unwrap_or(self.length);
        potential.reach() >= last.min(MOST_COUNTED)
    }

    /// Return the least length whose analysis takes more than the search up to the next iteration,
    /// as far as is known. Greater ones needn't be counted.
    pub fn least_too_long(&self, forecast: &SearchForecast) -> usize {
        let (potential, certain) = (&forecast.potential, forecast.steps_certain());
        let lengths = self.greater(potential);
        let affordable =
            lengths.take_while(|length| self.steps_up_to(*length, potential) <= certain);
        affordable.last().unwrap_or(self.length + 1) + 1
    }

    /// Return the analysis that is worth it now, if any is: the one with the greatest gain, or else
    /// one of sequences whose potential isn't known, for a small part of all work.
    pub fn worth(&self, forecast: &SearchForecast, may_split: bool) -> Option<LengthChoice> {
        let greater = || self.greater(&forecast.potential);
        // Without splits that paid, more nodes would be left.
        let whole = greater().filter(|_| !self.is_split);
        let whole = whole.map(|length| self.offer(length, forecast));
        let of_splits = (FIRST_LENGTH..=self.length)
            .chain(greater())
            .filter(|_| may_split && self.is_open)
            .filter_map(|length| self.offer_of_splits(length, forecast));
        let certain = Allowance {
            price: forecast.steps_certain(),
            saving: forecast.steps_certain(),
        };
        let best = most_profitable(whole.chain(of_splits), certain);
        best.map(|offer| offer.option)
            .or_else(|| self.exploration(forecast, may_split))
    }

    /// Return the longest sequences that weren't counted and may be compared without a sign that it
    /// will help: work for information.
    fn exploration(&self, forecast: &SearchForecast, may_split: bool) -> Option<LengthChoice> {
        let potential = &forecast.potential;
        let affordable = forecast.affordable_unseen();
        let lengths = self.greater(potential);
        let length = lengths
            .take_while(|length| self.steps_up_to(*length, potential) <= affordable)
            .filter(|length| *length > potential.reach())
            .filter(|length| self.slower_at(*length, forecast) <= MOST_SLOWER)
            .last()?;
        let left = affordable - self.steps_up_to(length, potential);
        let steps_for_splits = steps_for_splits(left, length).filter(|_| may_split);
        // Splits that paid aren't given up for whole rules.
        (!self.is_split || steps_for_splits.is_some()).then_some(LengthChoice {
            length,
            steps_for_splits,
        })
    }

    /// Return the nodes of a search before which no longer sequences can be worth an analysis.
    pub fn nodes_before_worth(
        &self,
        steps_of_node: Steps,
        n_starts: usize,
        earlier: &EarlierSearches,
    ) -> u64 {
        let unknown = Potential::default();
        let steps = match self.greater(&unknown).next() {
            Some(next) => self.steps_up_to(next, &unknown),
            // Rules may be split for sequences no longer than these.
            None if self.is_open && !self.is_split => {
                LEAST_CHOICE as f64 * steps_of_choice(FIRST_LENGTH)
            }
            None => return u64::MAX,
        };
        nodes_before(steps, steps_of_node, n_starts, earlier).max(LEAST_NODES)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use crate::lengths::confidence::Confidence;
    use crate::lengths::samples::{forecast, known, promising};

    fn length(analyze: Option<LengthChoice>) -> Option<usize> {
        analyze.map(|analyze| analyze.length)
    }

    #[test]
    fn longer_sequences_are_worth_it_when_the_next_bound_is_much_more_work() {
        // 30 + 90 + 27 compositions are 220,500 steps, and may be a tenth of all: each node of the
        // last bound stands for 1.33 that were made and 4 to come, of 10 steps each.
        let known = known(2);
        assert_eq!(known.steps_up_to(3, &Potential::default()), 220_500.0);
        let worth = |forecast: &SearchForecast| length(known.worth(forecast, false));
        assert_eq!(worth(&forecast(41_000)), None);
        assert_eq!(worth(&forecast(41_500)), Some(3));
        // A machine for length 8 would make each node take a tenth longer.
        assert_eq!(worth(&forecast(20_000_000)), Some(6));
        let of_many = SearchForecast {
            n_starts: 100,
            ..forecast(415)
        };
        assert_eq!(worth(&of_many), Some(3));
        let after_others = SearchForecast {
            invested: 1e6,
            ..forecast(110_000)
        };
        assert_eq!(worth(&after_others), None);
        let closed = AnalyzedLengths {
            is_open: false,
            ..known.clone()
        };
        assert_eq!(closed.worth(&forecast(u64::MAX / 8), true), None);
    }

    #[test]
    fn what_earlier_runs_searched_pays_too() {
        let known = known(2);
        let after = |steps: f64, moves: f64| SearchForecast {
            earlier: EarlierSearches {
                steps,
                moves,
                counting: 0.0,
            },
            ..promising(1_000)
        };
        let worth = |forecast: &SearchForecast| length(known.worth(forecast, false));
        assert_eq!(worth(&after(0.0, 0.0)), None);
        // This search makes 53,333 steps up to the next bound, so 167,167 of the 220,500 are left.
        assert_eq!(worth(&after(155_000.0, 20.0)), None);
        assert_eq!(worth(&after(172_000.0, 20.0)), Some(3));
        // Short searches end before a long sequence does.
        assert_eq!(worth(&after(172_000.0, 3.0)), None);
        let pause = |steps| {
            known.nodes_before_worth(
                1e-3,
                1,
                &EarlierSearches {
                    steps,
                    moves: 20.0,
                    counting: 0.0,
                },
            )
        };
        assert!(pause(0.0) > pause(200_000.0));
        assert_eq!(pause(1e9), LEAST_NODES);
    }

    #[test]
    fn what_can_be_gained_near_the_start_decides() {
        let known = known(2);
        // For each node 1.33 were made and 4 come at the next bound; an analysis must not take
        // more. It may take four fifths of what it saves, with the bound after the next one.
        assert_eq!(length(known.worth(&promising(4_150), false)), Some(3));
        assert_eq!(length(known.worth(&promising(4_100), false)), None);
        // Nothing is gained up to a length that was counted.
        let in_vain = SearchForecast {
            potential: Potential::from_counts([1.0, 3.0, 6.0, 12.0], [1.0, 3.0, 6.0, 12.0]),
            ..forecast(41_500)
        };
        assert_eq!(known.worth(&in_vain, false), None);
        let doubted = SearchForecast {
            confidence: Confidence {
                longer: Confidence::LEAST,
                splits: Confidence::LEAST,
            },
            ..promising(5_600)
        };
        assert_eq!(known.worth(&doubted, false), None);
    }

    #[test]
    fn a_machine_that_slows_nodes_down_more_than_it_saves_is_not_worth_it() {
        let known = known(2);
        assert_eq!(known.slower_by(1.0, 6.0), 1.0);
        let (small, large) = (known.slower_by(3.0, 6.0), known.slower_by(1e5, 6.0));
        assert!(1.0 < small && small < large, "{small} {large}");
        // Where a heuristic takes most of the time, the machine matters less.
        assert!(known.slower_by(1e5, 60.0) < 1.0 + (large - 1.0) / 5.0);
        let saving = |n_states| {
            let known = AnalyzedLengths {
                n_states,
                ..known.clone()
            };
            let counts = [1.0, 3.0, 6.0, 12.0];
            let forecast = SearchForecast {
                potential: Potential::from_counts(counts, [1.0, 3.0, 6.0, 11.5]),
                ..forecast(1_000_000)
            };
            known.saving_of_longer(3, &forecast)
        };
        assert!(saving(10) > 0.0 && saving(10_000_000) < 0.0);
    }

    #[test]
    fn what_takes_more_than_the_search_is_too_long() {
        let least = |last| known(2).least_too_long(&forecast(last));
        assert_eq!(least(1_000), 4);
        // Each node of the last bound stands for 5.33 nodes of 10 steps.
        let steps = known(2).steps_up_to(4, &forecast(1).potential);
        let nodes = (steps / (16.0 / 3.0 * 10.0)) as u64;
        assert_eq!(least(nodes - 100), 4);
        assert_eq!(least(nodes + 100), 5);
    }

    #[test]
    fn no_search_is_asked_before_it_can_be_worth_it() {
        let known = known(3);
        let pause = known.nodes_before_worth(10.0, 1, &EarlierSearches::default());
        let too_early = SearchForecast {
            nodes_before: 1,
            ..promising(pause / 2)
        };
        assert_eq!(known.worth(&too_early, true), None);
        let closed = AnalyzedLengths {
            is_open: false,
            ..known
        };
        assert_eq!(
            closed.nodes_before_worth(10.0, 1, &EarlierSearches::default()),
            u64::MAX
        );
    }

    #[test]
    fn splits_are_looked_for_where_sequences_of_this_length_are_redundant_at_some_states() {
        let known = known(2);
        let counts = [1.0, 3.0, 6.0];
        let gap = |last| SearchForecast {
            potential: Potential::from_counts(counts, [1.0, 3.0, 4.0]),
            ..forecast(last)
        };
        let analyze = known.worth(&gap(1_000_000), true).unwrap();
        assert_eq!(analyze.length, 2);
        let steps = analyze.steps_for_splits.unwrap();
        assert!(steps.is_power_of_two() && steps >= LEAST_CHOICE);
        // They were tried in vain, with no fewer steps.
        let tried = known.with_tried(None, 2, Some(steps));
        assert_eq!(tried.offer_of_splits(2, &gap(1_000_000)), None);
        assert!(tried.offer_of_splits(2, &gap(64_000_000)).is_some());
        assert!(
            known
                .worth(&gap(1_000_000), false)
                .is_none_or(|it| it.steps_for_splits.is_none())
        );
        let split = AnalyzedLengths {
            growth: None,
            is_split: true,
            split_steps: 1e6,
            ..known.clone()
        };
        assert_eq!(split.offer_of_splits(2, &gap(1_000_000)), None);
        let longer = AnalyzedLengths {
            length: 3,
            ..split.clone()
        };
        assert_eq!(longer.steps(), known.steps() + 1e6);
        assert!(longer.prunes_more_than(&split) && longer.prunes_more_than(&known));
        assert!(split.prunes_more_than(&known) && !split.prunes_more_than(&split));
        // Without the splits that paid before, more nodes would be left.
        let whole = AnalyzedLengths { length: 4, ..known };
        assert!(!whole.prunes_more_than(&split));
    }
}
