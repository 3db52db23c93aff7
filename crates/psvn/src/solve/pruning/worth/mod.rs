//! The decision when comparing longer sequences is worth the work.

mod ahead;
mod known;
#[cfg(test)]
mod samples;
mod trust;

pub(super) use self::known::most_states;
pub(in crate::solve) use self::known::{FIRST_LENGTH, Known};
use self::known::{STEPS_OF_COMPOSITION, steps_of_choice};
use super::between::{Between, Past, SHARE_OF_SAVING, nodes_before};
use super::prospect::{Prospect, StatesNear};

/// The steps that a choice of splits takes for each composition, as far as is known before.
const CHOICE_FOR_COMPOSITION: f64 = 2_000.0;

/// The minimum steps of a choice of splits: with fewer it finds nothing.
const LEAST_CHOICE: u64 = 1 << 17;

/// The factor by which the allowed steps must grow before a choice that found nothing is repeated.
const MORE_CHOICE: u64 = 4;

/// The steps of a move in this count.
const STEPS_OF_PROSPECT: f64 = 350.0;

/// The minimum number of moves: about a tenth of a millisecond.
const LEAST_PROSPECT: f64 = 300.0;

/// The maximum number of moves: less than a second, and some tens of megabytes.
const MOST_PROSPECT: f64 = 2e6;

/// The minimum number of nodes after which a bound ends a part of a search: fewer are generated in
/// no time.
pub(super) const LEAST_NODES: u64 = 20_000;

/// The factor by which nodes may take longer where nothing shows that there will be fewer of them.
const MOST_SLOWER: f64 = 1.1;

/// An analysis that is worth its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solve) struct Analyze {
    pub(in crate::solve) length: usize,
    /// The steps that a choice of splits may take; `None` for no splits.
    pub(in crate::solve) steps_for_splits: Option<u64>,
}

/// Return the steps of a choice of splits within some work: a power of two, so that similar
/// searches share their analyses. `None` if it can't pay.
fn steps_for_splits(work: f64, length: usize) -> Option<u64> {
    let steps = (work / steps_of_choice(length)) as u64;
    (steps >= LEAST_CHOICE).then(|| 1 << steps.ilog2())
}

/// Return the steps of some moves of a prospect.
pub(super) fn steps_of_moves(moves: f64) -> f64 {
    moves * STEPS_OF_PROSPECT
}

/// Return the moves that [`StatesNear::find`](super::prospect::StatesNear::find) may make within
/// some steps.
pub(in crate::solve) fn moves_of_prospect(steps: f64) -> u64 {
    (steps / STEPS_OF_PROSPECT).clamp(LEAST_PROSPECT, MOST_PROSPECT) as u64
}

impl Known {
    /// Return the expected savings in steps if there are fewer sequences, and the nodes left take
    /// some times as long; `excess` is the logarithm of the first factor, by the number of moves.
    fn saving(excess: impl Fn(f64) -> f64, slower: f64, between: &Between) -> f64 {
        let part_saved = |moves: f64| {
            let fewer = SHARE_OF_SAVING * (1.0 - (-excess(moves)).exp());
            1.0 - (1.0 - fewer) * slower
        };
        let past = &between.past;
        let now = between.steps_expected() * part_saved(between.moves_made());
        let expected = now + past.steps * part_saved(past.moves);
        // The next bound may be the last one, so an analysis must not take more than all up to it.
        expected.min(between.steps_certain())
    }

    /// Return the expected savings in steps of longer sequences of whole rules.
    pub(super) fn saving_of_longer(&self, length: usize, between: &Between) -> f64 {
        let prospect = &between.prospect;
        // The growth may go on falling where it can't be counted.
        let unseen = length.saturating_sub(prospect.reach().max(self.length));
        let unseen = self.fall() * unseen as f64;
        let excess = |moves: f64| {
            let more = (moves - length as f64).max(0.0);
            let seen = prospect.excess_after(self.length, length, moves);
            (seen + unseen * (more + 1.0)) * between.trust.longer
        };
        Self::saving(excess, self.slower_at(length, between), between)
    }

    /// Return how many times as long a node is expected to take with the machine for a length.
    fn slower_at(&self, length: usize, between: &Between) -> f64 {
        let times = self.times_at(length, &between.prospect);
        self.slower_by(times, between.steps_of_node)
    }

    /// Return the gain of an analysis of longer sequences of whole rules.
    fn gain(&self, length: usize, between: &Between) -> (f64, Analyze) {
        let gain =
            self.saving_of_longer(length, between) - self.steps_up_to(length, &between.prospect);
        let analyze = Analyze {
            length,
            steps_for_splits: None,
        };
        (gain, analyze)
    }

    /// Return the gain of splits at some length, where they may pay.
    fn gain_by_splits(&self, length: usize, between: &Between) -> Option<(f64, Analyze)> {
        let excess =
            |moves: f64| between.prospect.excess_after(0, length, moves) * between.trust.splits;
        let gain = Self::saving(excess, self.slower_at(length, between), between)
            - self.steps_up_to(length, &between.prospect);
        let steps_for_splits = steps_for_splits(gain / 2.0, length)?;
        let tried = self.tried_splits.get(&length).copied().unwrap_or(0);
        let again = MORE_CHOICE.saturating_mul(tried);
        if length <= self.length && (self.is_split || steps_for_splits < again) {
            return None;
        }
        let likely = self.steps_up_to(length, &between.prospect) / STEPS_OF_COMPOSITION
            * CHOICE_FOR_COMPOSITION;
        let likely = likely.min(steps_for_splits as f64);
        let analyze = Analyze {
            length,
            steps_for_splits: Some(steps_for_splits),
        };
        Some((gain - likely * steps_of_choice(length), analyze))
    }

    /// Return whether the prospect reaches as far as any length that is considered: then counting
    /// more states tells nothing new.
    pub(in crate::solve) fn is_seen(&self, prospect: &Prospect) -> bool {
        let last = self.greater(prospect).last().unwrap_or(self.length);
        prospect.reach() >= last.min(StatesNear::MOST_DEPTH)
    }

    /// Return the least length whose analysis takes more than the search up to the next bound, as
    /// far as is known. Greater ones needn't be counted.
    pub(in crate::solve) fn least_too_long(&self, between: &Between) -> usize {
        let (prospect, certain) = (&between.prospect, between.steps_certain());
        let lengths = self.greater(prospect);
        let affordable =
            lengths.take_while(|length| self.steps_up_to(*length, prospect) <= certain);
        affordable.last().unwrap_or(self.length + 1) + 1
    }

    /// Return the analysis that is worth it now, if any is.
    pub(super) fn worth(&self, between: &Between, may_split: bool) -> Option<Analyze> {
        // Without splits that paid, more nodes would be left.
        let reach = between.prospect.reach();
        let whole = self.greater(&between.prospect).filter(|_| !self.is_split);
        let whole = whole.map(|length| self.gain(length, between));
        let lengths = (FIRST_LENGTH..=self.length).chain(self.greater(&between.prospect));
        let by_splits = lengths
            .filter(|_| may_split && self.is_open)
            .filter_map(|length| self.gain_by_splits(length, between));
        let gains = whole.chain(by_splits).filter(|(gain, _)| *gain > 0.0);
        let promising = gains.max_by(|(a, _), (b, _)| a.total_cmp(b));
        // Nothing more is known about lengths that weren't counted.
        let affordable = between.affordable();
        let unknown = self
            .greater(&between.prospect)
            .take_while(|length| self.steps_up_to(*length, &between.prospect) <= affordable)
            .filter(|length| *length > reach)
            .filter(|length| self.slower_at(*length, between) <= MOST_SLOWER);
        let unknown = unknown.last().map(|length| Analyze {
            length,
            steps_for_splits: steps_for_splits(
                affordable - self.steps_up_to(length, &between.prospect),
                length,
            )
            .filter(|_| may_split),
        });
        // Splits that paid aren't given up for whole rules.
        let unknown = unknown.filter(|it| !self.is_split || it.steps_for_splits.is_some());
        promising.map(|(_, analyze)| analyze).or(unknown)
    }

    /// Return the nodes of a search before which no longer sequences can be worth an analysis.
    pub(super) fn nodes_before_worth(
        &self,
        steps_of_node: f64,
        n_starts: usize,
        past: &Past,
    ) -> u64 {
        let unknown = Prospect::default();
        let steps = match self.greater(&unknown).next() {
            Some(next) => self.steps_up_to(next, &unknown),
            // Rules may be split for sequences no longer than these.
            None if self.is_open && !self.is_split => {
                LEAST_CHOICE as f64 * steps_of_choice(FIRST_LENGTH)
            }
            None => return u64::MAX,
        };
        nodes_before(steps, steps_of_node, n_starts, past).max(LEAST_NODES)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::samples::{between, known, promising};
    use super::*;
    use crate::solve::pruning::between::Trust;

    fn length(analyze: Option<Analyze>) -> Option<usize> {
        analyze.map(|analyze| analyze.length)
    }

    #[test]
    fn longer_sequences_are_worth_it_when_the_next_bound_is_much_more_work() {
        // 30 + 90 + 27 compositions are 220,500 steps, and may be a tenth of all: each node of the
        // last bound stands for 1.33 that were made and 4 to come, of 10 steps each.
        let known = known(2);
        assert_eq!(known.steps_up_to(3, &Prospect::default()), 220_500.0);
        let worth = |between: &Between| length(known.worth(between, false));
        assert_eq!(worth(&between(41_000)), None);
        assert_eq!(worth(&between(41_500)), Some(3));
        // A machine for length 8 would make each node take a tenth longer.
        assert_eq!(worth(&between(20_000_000)), Some(6));
        let of_many = Between {
            n_starts: 100,
            ..between(415)
        };
        assert_eq!(worth(&of_many), Some(3));
        let after_others = Between {
            spent: 1e6,
            ..between(110_000)
        };
        assert_eq!(worth(&after_others), None);
        let closed = Known {
            is_open: false,
            ..known.clone()
        };
        assert_eq!(closed.worth(&between(u64::MAX / 8), true), None);
    }

    #[test]
    fn what_earlier_runs_searched_pays_too() {
        let known = known(2);
        let after = |steps: f64, moves: f64| Between {
            past: Past {
                steps,
                moves,
                looked: 0.0,
            },
            ..promising(1_000)
        };
        let worth = |between: &Between| length(known.worth(between, false));
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
                &Past {
                    steps,
                    moves: 20.0,
                    looked: 0.0,
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
        let in_vain = Between {
            prospect: Prospect::from_counts(&[1.0, 3.0, 6.0, 12.0], &[1.0, 3.0, 6.0, 12.0]),
            ..between(41_500)
        };
        assert_eq!(known.worth(&in_vain, false), None);
        let doubted = Between {
            trust: Trust {
                longer: Trust::LEAST,
                splits: Trust::LEAST,
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
            let known = Known {
                n_states,
                ..known.clone()
            };
            let counts = [1.0, 3.0, 6.0, 12.0];
            let between = Between {
                prospect: Prospect::from_counts(&counts, &[1.0, 3.0, 6.0, 11.5]),
                ..between(1_000_000)
            };
            known.saving_of_longer(3, &between)
        };
        assert!(saving(10) > 0.0 && saving(10_000_000) < 0.0);
    }

    #[test]
    fn what_takes_more_than_the_search_is_too_long() {
        let least = |last| known(2).least_too_long(&between(last));
        assert_eq!(least(1_000), 4);
        // Each node of the last bound stands for 5.33 nodes of 10 steps.
        let steps = known(2).steps_up_to(4, &between(1).prospect);
        let nodes = (steps / (16.0 / 3.0 * 10.0)) as u64;
        assert_eq!(least(nodes - 100), 4);
        assert_eq!(least(nodes + 100), 5);
    }

    #[test]
    fn no_search_is_asked_before_it_can_be_worth_it() {
        let known = known(3);
        let pause = known.nodes_before_worth(10.0, 1, &Past::default());
        let too_early = Between {
            before: 1,
            ..promising(pause / 2)
        };
        assert_eq!(known.worth(&too_early, true), None);
        let closed = Known {
            is_open: false,
            ..known
        };
        assert_eq!(
            closed.nodes_before_worth(10.0, 1, &Past::default()),
            u64::MAX
        );
    }

    #[test]
    fn splits_are_looked_for_where_sequences_of_this_length_are_redundant_at_some_states() {
        let known = known(2);
        let counts = [1.0, 3.0, 6.0];
        let gap = |last| Between {
            prospect: Prospect::from_counts(&counts, &[1.0, 3.0, 4.0]),
            ..between(last)
        };
        let analyze = known.worth(&gap(1_000_000), true).unwrap();
        assert_eq!(analyze.length, 2);
        let steps = analyze.steps_for_splits.unwrap();
        assert!(steps.is_power_of_two() && steps >= LEAST_CHOICE);
        // They were tried in vain, with no fewer steps.
        let tried = known.with_tried(None, 2, Some(steps));
        assert_eq!(tried.gain_by_splits(2, &gap(1_000_000)), None);
        assert!(tried.gain_by_splits(2, &gap(64_000_000)).is_some());
        assert!(
            known
                .worth(&gap(1_000_000), false)
                .is_none_or(|it| it.steps_for_splits.is_none())
        );
        let split = Known {
            growth: None,
            is_split: true,
            split_steps: 1e6,
            ..known.clone()
        };
        assert_eq!(split.gain_by_splits(2, &gap(1_000_000)), None);
        let longer = Known {
            length: 3,
            ..split.clone()
        };
        assert_eq!(longer.steps(), known.steps() + 1e6);
        assert!(longer.prunes_more_than(&split) && longer.prunes_more_than(&known));
        assert!(split.prunes_more_than(&known) && !split.prunes_more_than(&split));
        // Without the splits that paid before, more nodes would be left.
        let whole = Known { length: 4, ..known };
        assert!(!whole.prunes_more_than(&split));
    }
}
