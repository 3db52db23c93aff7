//! The decision when comparing longer sequences is worth the work.

use std::collections::BTreeMap;

use super::between::{Between, Past, SHARE_OF_SAVING, Trust, nodes_before};
use super::prospect::Prospect;
use crate::analysis::{Level, Redundant};

/// The length of the sequences compared before a search begins.
pub(in crate::solve) const FIRST_LENGTH: usize = 2;

/// The greatest length that is tried.
const MOST_LENGTH: usize = 40;

/// The length up to which every length is tried, and above which every second one is, unless the
/// growth falls with each: an analysis of a greater length starts from scratch, so small steps are
/// expensive.
const EVERY_LENGTH: usize = 6;

/// The maximum number of states of a machine, whatever its number of letters. With larger ones, a
/// search's look-ups miss the caches, and fewer nodes take more time.
const MOST_STATES: usize = 1 << 16;

/// The maximum number of entries, one for each state and letter, of a machine with more states than
/// that.
const MOST_ENTRIES: usize = 1 << 20;

/// The factor by which the next machine may turn out to be smaller than expected.
const SMALLER: f64 = 2.0;

/// The part by which the growth of the number of words may differ from that of the tree if the two
/// count as the same.
const SAME_GROWTH: f64 = 0.1;

/// The least fall of the growth from one length to the next, as a logarithm, that counts.
const LEAST_FALL: f64 = 0.02;

/// The steps of a composition with its comparison and its share of the machines. A step is about a
/// nanosecond, measured once on games of several kinds.
const STEPS_OF_COMPOSITION: f64 = 1_500.0;

/// Return the steps that one comparison of the choice of splits counts, for sequences up to some
/// length: of two sequences, or of a rule with a state. Longer sequences have more candidates.
fn steps_of_choice(length: usize) -> f64 {
    match length {
        0..=2 => 8.0,
        3 => 15.0,
        _ => 80.0,
    }
}

/// The steps that a choice of splits takes for each composition, as far as is known before.
const CHOICE_FOR_COMPOSITION: f64 = 2_000.0;

/// The minimum steps of a choice of splits: with fewer it finds nothing.
const LEAST_CHOICE: u64 = 1 << 17;

/// The factor by which the allowed steps must grow before a choice that found nothing is repeated.
const MORE_CHOICE: u64 = 4;

/// The cost of a contradictory composition, in compositions.
const CONTRADICTION: f64 = 0.25;

/// The least factor by which the growth of the number of words is expected to change from one
/// length to the next.
const LEAST_TREND: f64 = 0.5;

/// The steps of a move in this count.
const STEPS_OF_PROSPECT: f64 = 200.0;

/// The minimum number of moves: about a tenth of a millisecond.
const LEAST_PROSPECT: f64 = 500.0;

/// The maximum number of moves: half a second, and some tens of megabytes.
const MOST_PROSPECT: f64 = 2e6;

/// The minimum number of nodes after which a bound ends a part of a search: fewer are generated in
/// no time.
pub(super) const LEAST_NODES: u64 = 20_000;

/// The data that are known after the analysis of some lengths.
#[derive(Clone, Debug)]
pub(in crate::solve) struct Known {
    /// The length up to which redundant sequences are known.
    pub(in crate::solve) length: usize,
    /// The numbers of compositions and of kept words, by length from 1.
    levels: Vec<(f64, f64)>,
    /// The asymptotic branching factor.
    pub(super) growth: Option<f64>,
    /// The fall of its logarithm for each length since the analysis before, if there was one.
    fall_before: Option<f64>,
    /// The states of the machine.
    n_states: usize,
    /// Their maximum number.
    most_states: usize,
    /// Whether longer sequences may be redundant, as far as is known.
    is_open: bool,
    /// Whether rules are split. Then the growth of the tree isn't known: not all sequences of parts
    /// can be carried out.
    is_split: bool,
    /// The steps that the choice of splits took.
    split_steps: f64,
    /// The steps that choices of splits were allowed, by length.
    tried_splits: BTreeMap<usize, u64>,
}

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

/// Return the maximum number of states of a machine for the words of an analysis. The compositions
/// of length 1 are the rules.
pub(super) fn most_states(found: &Redundant) -> usize {
    let n_rules = found.levels.first().map_or(1, |level| level.composed);
    let n_rules = usize::try_from(n_rules).unwrap_or(usize::MAX);
    (MOST_ENTRIES / n_rules.max(1)).clamp(MOST_STATES, 2 * MOST_STATES)
}

impl Trust {
    /// Update it after an analysis, by the possible gain before and after it.
    pub(in crate::solve) fn learn(
        &mut self,
        (before, known): (&Prospect, &Known),
        (after, found): (&Prospect, &Known),
    ) {
        let length = found.length;
        let gained = before.excess(length) - after.excess(length);
        let part = |of: f64| match of > 0.0 {
            true => (gained / of + Self::LEAST).clamp(Self::LEAST, 1.0),
            false => 1.0,
        };
        match found.is_split {
            true => self.splits = part(before.excess(length)),
            false => {
                if found.tried_splits.get(&length) > known.tried_splits.get(&length) {
                    // More steps may find what fewer didn't.
                    self.splits = match found.has_tried_all() {
                        true => Self::LEAST,
                        false => (self.splits / 2.0).max(Self::LEAST),
                    };
                }
                if length > known.length {
                    self.longer = part(before.excess(length) - before.excess(known.length));
                }
            }
        }
    }
}

impl Known {
    pub(super) fn of(found: &Redundant) -> Self {
        let levels = |level: &Level| {
            let possible = level.composed.saturating_sub(level.impossible) as f64;
            let composed = possible + CONTRADICTION * level.impossible as f64;
            (composed, level.kept as f64)
        };
        let is_last = found.levels.last().is_none_or(|level| level.kept == 0);
        let most_states = most_states(found);
        Self {
            length: found.max_length,
            levels: found.levels.iter().map(levels).collect(),
            growth: found.branching_factor.filter(|_| found.split.is_none()),
            fall_before: None,
            n_states: found.n_states,
            most_states,
            is_open: found.stopped.is_none() && !is_last && found.n_states <= most_states,
            is_split: found.split.is_some(),
            split_steps: found.split_steps as f64 * steps_of_choice(found.max_length),
            tried_splits: BTreeMap::new(),
        }
    }

    /// Return the same knowledge without the work of a choice of splits that found none.
    pub(super) fn without_choice(&self) -> Self {
        Self {
            split_steps: 0.0,
            ..self.clone()
        }
    }

    /// Return the same knowledge after choices of splits: those before, and perhaps one at some
    /// length that was allowed some steps.
    pub(super) fn with_tried(
        &self,
        before: Option<&Self>,
        length: usize,
        steps: Option<u64>,
    ) -> Self {
        let mut tried_splits = before.map_or_else(BTreeMap::new, |it| it.tried_splits.clone());
        if let Some(steps) = steps {
            tried_splits.insert(length, steps);
        }
        Self {
            tried_splits,
            ..self.clone()
        }
    }

    /// Return the same knowledge with the fall of the growth since the analysis before.
    pub(super) fn with_fall_since(&self, before: &Self) -> Self {
        let fall_before = match (before.growth, self.growth) {
            (Some(more), Some(less)) if self.length > before.length => {
                Some((more / less).ln().max(0.0) / (self.length - before.length) as f64)
            }
            _ => before.fall_before,
        };
        Self {
            fall_before,
            ..self.clone()
        }
    }

    /// Return whether the last choice of splits ended with steps left.
    fn has_tried_all(&self) -> bool {
        let allowed = self.tried_splits.get(&self.length).copied().unwrap_or(0);
        self.split_steps < allowed as f64 * steps_of_choice(self.length) / 2.0
    }

    /// Return the knowledge that remains if the search continues without the analysis that was
    /// found.
    pub(in crate::solve) fn after_in_vain(&self, found: &Self) -> Self {
        // Splits that paid are given up only for better ones.
        match found.length < self.length || self.is_split {
            true => Self {
                tried_splits: found.tried_splits.clone(),
                ..self.clone()
            },
            false => found.clone(),
        }
    }

    /// Return whether it splits rules, for shorter sequences than were compared before. Only a
    /// count shows which of the two leaves fewer nodes.
    pub(in crate::solve) fn is_shorter_in_parts(&self, before: &Self) -> bool {
        self.is_split && !before.is_split && self.length < before.length
    }

    /// Return whether an analysis in the cache may leave fewer nodes: splits that paid aren't given
    /// up for whole rules.
    pub(super) fn may_use(&self, is_split: bool) -> bool {
        is_split || !self.is_split
    }

    /// Return the same knowledge, with no longer sequences to try.
    pub(super) fn closed(&self) -> Self {
        Self {
            is_open: false,
            ..self.clone()
        }
    }

    /// Return whether fewer nodes are left than with the data before.
    pub(in crate::solve) fn prunes_more_than(&self, before: &Self) -> bool {
        match (self.growth, before.growth) {
            (Some(now), Some(before)) => now < before * (1.0 - 1e-9),
            // Splits are chosen because they save nodes.
            _ if self.length == before.length => self.is_split && !before.is_split,
            _ => self.length > before.length && self.is_split >= before.is_split,
        }
    }

    /// Return the growth of a search's work from bound to bound with these data, given the growth
    /// before them.
    pub(in crate::solve) fn growth_since(&self, before: &Self, growth: f64) -> f64 {
        match (self.growth, before.growth) {
            (Some(now), Some(before)) => growth * now / before,
            // How the tree of parts grows isn't known.
            _ => 1.0,
        }
    }

    /// Return how many times as many words the last length has as the one before.
    fn ratio(&self) -> f64 {
        self.ratio_at(self.levels.len())
    }

    /// Return how many times as many words a length has as the one before.
    fn ratio_at(&self, length: usize) -> f64 {
        let kept = |length: usize| match length.checked_sub(1) {
            Some(place) => self.levels.get(place).map_or(1.0, |(_, kept)| *kept),
            None => 1.0,
        };
        let before = length.checked_sub(1).map_or(1.0, kept);
        (kept(length) / before.max(1.0)).max(1.0)
    }

    /// Return how many times as many words the next lengths have as the last one, one after the
    /// other. Invariants make the growth fall: a long sequence fixes most values that its rules
    /// test. But it stays above that of the number of states around the start.
    fn growth_ahead(&self, prospect: &Prospect) -> impl Iterator<Item = f64> {
        let (last, before) = (self.levels.len(), self.levels.len().saturating_sub(1));
        // The growth falls less from each length to the next.
        let trend = (self.ratio_at(last) / self.ratio_at(before)).sqrt();
        let trend = trend.clamp(LEAST_TREND, 1.0);
        let ratios = std::iter::successors(Some(self.ratio() * trend), move |ratio| {
            Some((ratio * trend).max(1.0))
        });
        let by_trend = ratios.scan(1.0, |all, ratio| {
            *all *= ratio;
            Some(*all)
        });
        by_trend.zip(1..).map(|(times, more)| {
            let of_states = prospect.states_ratio(self.length, self.length + more);
            // Near a start in a corner the states grow faster than anywhere else.
            let of_tree = self.growth.map_or(f64::INFINITY, |it| it.powi(more as i32));
            times.max(of_states.min(of_tree))
        })
    }

    /// Return the steps of the analysis.
    pub(in crate::solve) fn steps(&self) -> f64 {
        self.steps_of_words() + self.split_steps
    }

    /// Return the steps that a choice of splits took.
    pub(super) fn steps_of_choice(&self) -> f64 {
        self.split_steps
    }

    /// Return the steps that comparing sequences of rules took.
    fn steps_of_words(&self) -> f64 {
        let composed: f64 = self.levels.iter().map(|(composed, _)| *composed).sum();
        composed * STEPS_OF_COMPOSITION
    }

    /// Return the steps of an analysis up to some length: all lengths, since it starts from
    /// scratch.
    pub(super) fn steps_up_to(&self, length: usize, prospect: &Prospect) -> f64 {
        if length < self.levels.len() {
            let composed = self.levels[..length].iter().map(|(composed, _)| composed);
            return composed.sum::<f64>() * STEPS_OF_COMPOSITION;
        }
        let last = match self.levels.as_slice() {
            [] => 1.0,
            // All pairs of rules are composed. Later only those pairs that were kept are.
            [_] | [_, _] => self.levels[self.levels.len() - 1].1,
            [.., (composed, _)] => *composed,
        };
        let more = self
            .growth_ahead(prospect)
            .take(length.saturating_sub(self.length));
        self.steps_of_words() + last * more.sum::<f64>() * STEPS_OF_COMPOSITION
    }

    /// Return the greater lengths that are considered, as far as their machines seem not too large.
    fn greater(&self, prospect: &Prospect) -> impl Iterator<Item = usize> {
        let every = match self.fall() > 0.0 {
            true => EVERY_LENGTH.max(self.length + 2),
            false => EVERY_LENGTH,
        };
        let lengths = self.length + 1..=MOST_LENGTH;
        let considered = lengths.filter(move |length| *length <= every || length % 2 == 0);
        let times: Vec<f64> = self.growth_ahead(prospect).take(MOST_LENGTH).collect();
        let is_small = move |(number, length): &(usize, usize)| {
            let times = times.get(length - self.length - 1).copied();
            let expected = self.n_states as f64 * times.unwrap_or(f64::INFINITY);
            // The next one may turn out to be smaller.
            let smaller = if *number == 0 { SMALLER } else { 1.0 };
            expected <= self.most_states as f64 * smaller
        };
        let small = considered.enumerate().take_while(is_small);
        small.map(|(_, length)| length).take_while(|_| self.is_open)
    }

    /// Return the expected savings in steps if each move leaves fewer sequences; `excess` is the
    /// logarithm of the factor.
    fn saving(excess: f64, length: usize, between: &Between) -> f64 {
        let part_saved = |moves: f64| {
            // Each move begins a sequence of that length, but for the last ones.
            let begun = (moves - length as f64 + 1.0).max(1.0);
            1.0 - (-excess * begun).exp()
        };
        let past = &between.past;
        let now = between.steps_expected() * part_saved(between.moves);
        let expected = now + past.steps * part_saved(past.moves);
        // The next bound may be the last one, so an analysis must not take more than all up to it.
        (SHARE_OF_SAVING * expected).min(between.steps_certain())
    }

    /// Return how far the growth of the tree falls with the last length, as a logarithm; 0 where
    /// the number of words doesn't show it. That number may fluctuate, so the fall is at most that
    /// since the analysis before.
    fn fall(&self) -> f64 {
        let (last, before) = (self.levels.len(), self.levels.len().saturating_sub(1));
        let is_same = |growth: f64| (self.ratio_at(last) / growth - 1.0).abs() <= SAME_GROWTH;
        match self.growth {
            Some(growth) if before > FIRST_LENGTH && is_same(growth) => {
                let fall = (self.ratio_at(before) / self.ratio_at(last)).ln();
                match fall >= LEAST_FALL {
                    true => self.fall_before.map_or(fall, |before| fall.min(before)),
                    false => 0.0,
                }
            }
            _ => 0.0,
        }
    }

    /// Return the expected savings in steps of longer sequences of whole rules.
    pub(super) fn saving_of_longer(&self, length: usize, between: &Between) -> f64 {
        let excess = |length| between.prospect.excess(length);
        // The growth may go on falling where it can't be counted.
        let unseen = length.saturating_sub(between.prospect.reach().max(self.length));
        let found = (excess(length) - excess(self.length)).max(0.0) + self.fall() * unseen as f64;
        Self::saving(found * between.trust.longer, length, between)
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
        let found = between.prospect.excess(length) * between.trust.splits;
        let gain =
            Self::saving(found, length, between) - self.steps_up_to(length, &between.prospect);
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
            .filter(|length| *length > reach);
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

    use super::*;

    /// Each length has three times as many words as the one before, of ten times as many
    /// compositions.
    fn known(length: usize) -> Known {
        let levels = (1..=length as i32).map(|at| (10.0 * 3_f64.powi(at), 3_f64.powi(at)));
        Known {
            length,
            levels: levels.collect(),
            growth: Some(2.5),
            fall_before: None,
            n_states: 10,
            most_states: MOST_STATES,
            is_open: true,
            is_split: false,
            split_steps: 0.0,
            tried_splits: BTreeMap::new(),
        }
    }

    /// Return a search without a possible gain up to length 2; greater lengths are unknown.
    fn between(last: u64) -> Between {
        Between {
            last,
            before: last / 4,
            least_growth: 1.0,
            done: last as f64 / 3.0 * 4.0,
            spent: 0.0,
            moves: 20.0,
            steps_of_node: 10.0,
            n_starts: 1,
            past: Past::default(),
            prospect: Prospect::from_counts(&[1.0, 3.0, 6.0], &[1.0, 3.0, 6.0]),
            trust: Trust::FIRST,
        }
    }

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
        assert_eq!(worth(&between(20_000_000)), Some(8));
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
        assert_eq!(worth(&after(170_000.0, 20.0)), Some(3));
        // Short searches end before a long sequence does.
        assert_eq!(worth(&after(170_000.0, 3.0)), None);
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
    fn the_growth_of_the_number_of_words_falls_on_as_before() {
        // 26, 300, 2208: 11.5 and 7.4 times as many.
        let falling = Known {
            levels: vec![(26.0, 26.0), (452.0, 300.0), (2_580.0, 2_208.0)],
            ..known(3)
        };
        let ahead: Vec<f64> = falling.growth_ahead(&Prospect::default()).take(2).collect();
        let trend = (7.36_f64 / (300.0 / 26.0)).sqrt();
        assert!((ahead[0] - 7.36 * trend).abs() < 1e-9, "{ahead:?}");
        assert!(
            (ahead[1] - ahead[0] * 7.36 * trend * trend).abs() < 1e-9,
            "{ahead:?}"
        );
        assert_eq!(
            known(3)
                .growth_ahead(&Prospect::default())
                .take(2)
                .collect::<Vec<_>>(),
            [3.0, 9.0]
        );
    }

    #[test]
    fn the_number_of_words_grows_as_that_of_states_around_the_start() {
        // Sliding tiles: 48 and 104 words seem to grow no further.
        let tiles = Known {
            levels: vec![(48.0, 48.0), (152.0, 104.0)],
            ..known(2)
        };
        let at_10 = |prospect: &Prospect| tiles.growth_ahead(prospect).nth(7).unwrap();
        assert!(at_10(&Prospect::default()) < 1.1);
        let states = [
            1.0, 2.0, 4.0, 10.0, 24.0, 54.0, 107.0, 212.0, 446.0, 946.0, 1948.0,
        ];
        assert_eq!(at_10(&Prospect::from_counts(&states, &states)), 487.0);
        let search = Between {
            prospect: Prospect::from_counts(&states, &states),
            ..between(1_000_000)
        };
        assert!(length(tiles.worth(&search, false)).is_none_or(|length| length < 20));
    }

    #[test]
    fn the_growth_falls_on_no_faster_than_it_did() {
        // The words of length 4 are 2.6 times as many as those of length 3, in place of 3 times.
        let mut falling = known(4);
        falling.levels[3].1 = falling.levels[2].1 * 2.6;
        falling.growth = Some(2.6);
        let fall = (3.0_f64 / 2.6).ln();
        assert!((falling.fall() - fall).abs() < 1e-9);
        let since = |growth: f64| {
            let before = Known {
                growth: Some(growth),
                ..known(2)
            };
            falling.with_fall_since(&before).fall()
        };
        assert!((since(10.0) - fall).abs() < 1e-9);
        assert!((since(2.7) - (2.7_f64 / 2.6).ln() / 2.0).abs() < 1e-9);
        assert_eq!(since(2.6), 0.0);
        // What was known of a search stays known where nothing longer was compared.
        let again = falling.with_fall_since(&known(2));
        assert_eq!(again.with_fall_since(&again).fall(), again.fall());
    }

    #[test]
    fn no_machine_is_looked_for_that_is_too_large() {
        // 10, 30, 90 and so on: length 10 has 65,610 states.
        let lengths: Vec<usize> = known(2).greater(&Prospect::default()).collect();
        assert_eq!(lengths, [3, 4, 5, 6, 8]);
        let large = Known {
            n_states: MOST_STATES,
            ..known(6)
        };
        assert_eq!(large.greater(&Prospect::default()).next(), None);
        let nearly = Known {
            n_states: MOST_STATES / 5,
            ..known(6)
        };
        assert_eq!(
            nearly.greater(&Prospect::default()).collect::<Vec<_>>(),
            [8]
        );
    }

    /// Four sequences of length 3 lead to three states.
    fn promising(last: u64) -> Between {
        let counts = [1.0, 3.0, 6.0, 12.0];
        Between {
            prospect: Prospect::from_counts(&counts, &[1.0, 3.0, 6.0, 9.0]),
            ..between(last)
        }
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
    fn an_analysis_shows_how_far_to_trust_the_next_one() {
        let (before, half) = (promising(1).prospect, {
            let left = 12.0 * 0.75_f64.sqrt();
            Prospect::from_counts(&[1.0, 3.0, 6.0, left], &[1.0, 3.0, 6.0, 9.0])
        });
        let mut trust = Trust::FIRST;
        trust.learn((&before, &known(2)), (&half, &known(3)));
        assert!((trust.longer - 0.6).abs() < 1e-9, "{trust:?}");
        assert_eq!(trust.splits, Trust::FIRST.splits);
        trust.learn((&before, &known(2)), (&before, &known(3)));
        assert_eq!(trust.longer, Trust::LEAST);
        let in_vain = known(3).with_tried(None, 3, Some(1 << 20));
        trust.learn((&half, &known(3)), (&half, &in_vain));
        assert_eq!(trust.splits, Trust::LEAST);
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
