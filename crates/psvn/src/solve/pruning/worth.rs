//! When it is worth the work to compare longer sequences.

use crate::analysis::{Level, Redundant};

/// The length that a search begins with.
pub(in crate::solve) const FIRST_LENGTH: usize = 2;

/// The greatest length that is tried.
const MOST_LENGTH: usize = 40;

/// Every length up to this one is tried, and then every second one: an analysis of the next length
/// begins anew, so small steps cost much.
const EVERY_LENGTH: usize = 6;

/// The steps of a search of about a fifth of a second: what is done within it is a detail.
const STEPS_TO_TELL: f64 = 2e8;
/// The most states of a machine. With larger ones, what a search looks up for each node leaves the
/// caches, and fewer nodes take more time.
pub(super) const MOST_STATES: usize = 1 << 16;

/// The steps of a composition with all that follows from it: its comparison, its part of the
/// machines. About a nanosecond each, measured once on games of several kinds.
const STEPS_OF_COMPOSITION: f64 = 1_500.0;

/// The steps of a step of the choice of splits: a comparison of two sequences, or a rule that is
/// tried at a state.
const STEPS_OF_CHOICE: f64 = 20.0;

/// A choice of splits that may take fewer steps than this finds nothing.
const LEAST_CHOICE: u64 = 1 << 16;

/// What a composition costs that contradicts itself, in compositions.
const CONTRADICTION: f64 = 0.25;

/// How many words are composed for each that is kept, about.
const COMPOSED_FOR_KEPT: f64 = 1.5;

/// The part of the search's work, the next bound included, that analyses may take without a sign
/// that they will help.
const SHARE: f64 = 0.1;

/// The part of what it is thought to save that an analysis may take.
const SHARE_OF_SAVING: f64 = 0.25;

/// An analysis finds fewer and fewer sequences as they get longer: what the last length saved on
/// each move is taken to this power.
const FADING: f64 = 0.5;

/// Nodes that are generated in no time: no bound ends a part of a search before.
const LEAST_NODES: u64 = 20_000;

/// How much further than the last bound the next one is thought to go at most.
const MOST_GROWTH: f64 = 20.0;

/// What is known after the analysis of some lengths.
#[derive(Clone, Debug)]
pub(in crate::solve) struct Known {
    /// The length up to which redundant sequences are known.
    pub(in crate::solve) length: usize,
    /// The compositions, and the words that were kept, by length from 1.
    levels: Vec<(f64, f64)>,
    /// The asymptotic branching factor, and that of the analysis before it.
    pub(super) growth: Option<f64>,
    growth_before: Option<f64>,
    /// The states of the machine.
    n_states: usize,
    /// Whether longer sequences may be redundant, as far as is known.
    is_open: bool,
    /// Whether rules are split. Then the factor isn't known by which the tree grows: not all
    /// sequences of parts can be carried out.
    is_split: bool,
    /// The steps that it took to choose what is split.
    split_steps: f64,
}

/// A search between two bounds.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct Between {
    /// The nodes of the last bound, and of the one before it; 0 if there is none.
    pub(in crate::solve) last: u64,
    pub(in crate::solve) before: u64,
    /// The nodes of all bounds so far.
    pub(in crate::solve) done: f64,
    /// The steps of all analyses so far.
    pub(in crate::solve) spent: f64,
    /// The moves that the next bound allows, about.
    pub(in crate::solve) moves: f64,
    /// The steps of a node.
    pub(in crate::solve) steps_of_node: f64,
    /// How many searches like this one there are.
    pub(in crate::solve) n_starts: usize,
}

impl Between {
    /// The steps of the next bound, from all starts.
    fn steps_ahead(&self) -> f64 {
        let growth = match self.before {
            0 => 1.0,
            before => self.last as f64 / before as f64,
        };
        self.steps_of(self.last as f64 * growth.clamp(1.0, MOST_GROWTH))
    }

    /// The steps of `nodes` nodes from each start.
    fn steps_of(&self, nodes: f64) -> f64 {
        nodes * self.steps_of_node * self.n_starts.max(1) as f64
    }

    /// Whether the search takes so long that people want to know what was done to make it shorter.
    pub(in crate::solve) fn is_worth_a_word(&self) -> bool {
        self.steps_of(self.done) + self.steps_ahead() >= STEPS_TO_TELL
    }

    /// The steps that an analysis may take.
    fn affordable(&self) -> f64 {
        SHARE * (self.steps_of(self.done) + self.steps_ahead()) - self.spent
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
        Self {
            length: found.max_length,
            levels: found.levels.iter().map(levels).collect(),
            growth: found.branching_factor.filter(|_| found.split.is_none()),
            growth_before: None,
            n_states: found.n_states,
            is_open: found.stopped.is_none() && !is_last && found.n_states <= MOST_STATES,
            is_split: found.split.is_some(),
            split_steps: found.split_steps as f64 * STEPS_OF_CHOICE,
        }
    }

    /// The same, found after something else.
    pub(in crate::solve) fn after(mut self, before: &Self) -> Self {
        self.growth_before = before.growth;
        self
    }

    /// The same, where nothing longer is to be tried.
    pub(super) fn closed(&self) -> Self {
        Self {
            is_open: false,
            ..self.clone()
        }
    }

    /// Whether fewer nodes are left than by what was known before.
    pub(in crate::solve) fn prunes_more_than(&self, before: &Self) -> bool {
        match (self.growth, before.growth) {
            (Some(now), Some(before)) => now < before * (1.0 - 1e-9),
            // Splits are chosen because they save nodes.
            _ => self.length > before.length && self.is_split >= before.is_split,
        }
    }

    /// How many times as many words a length has as the one before.
    fn ratio(&self) -> f64 {
        let kept = |place: usize| self.levels.get(place).map_or(1.0, |(_, kept)| *kept);
        let ratio = match self.levels.len().checked_sub(2) {
            Some(before) => kept(before + 1) / kept(before).max(1.0),
            None => kept(0),
        };
        ratio.max(1.0)
    }

    /// The steps of the analysis.
    pub(in crate::solve) fn steps(&self) -> f64 {
        self.steps_of_words() + self.split_steps
    }

    /// The steps that it took to compare sequences of rules.
    fn steps_of_words(&self) -> f64 {
        let composed: f64 = self.levels.iter().map(|(composed, _)| *composed).sum();
        composed * STEPS_OF_COMPOSITION
    }

    /// The steps of an analysis up to some greater length: all lengths of it, since it begins anew.
    fn steps_up_to(&self, length: usize) -> f64 {
        let last = self.levels.last().map_or(1.0, |(_, kept)| *kept) * COMPOSED_FOR_KEPT;
        let more = (1..=length.saturating_sub(self.length) as i32).map(|n| self.ratio().powi(n));
        self.steps_of_words() + last * more.sum::<f64>() * STEPS_OF_COMPOSITION
    }

    /// The greater lengths that are considered, with machines that are not too large, as far as is
    /// known.
    fn greater(&self) -> impl Iterator<Item = usize> {
        let is_small = |length: usize| {
            let steps = (length - self.length) as i32;
            self.n_states as f64 * self.ratio().powi(steps) <= MOST_STATES as f64
        };
        let lengths = self.length + 1..=MOST_LENGTH;
        let looked_at = lengths.filter(|length| *length <= EVERY_LENGTH || length % 2 == 0);
        // The next one may turn out to be smaller than thought.
        let small = looked_at
            .enumerate()
            .take_while(move |(number, length)| *number == 0 || is_small(*length));
        small.map(|(_, length)| length).take_while(|_| self.is_open)
    }

    /// The part of the nodes that the next length is thought to save.
    fn saving(&self, moves: f64) -> f64 {
        match (self.growth, self.growth_before) {
            (Some(now), Some(before)) if now > 0.0 && now < before => {
                1.0 - (now / before).powf(moves * FADING)
            }
            _ => 0.0,
        }
    }

    /// The length that is worth an analysis now, if any is.
    pub(super) fn worth(&self, between: &Between) -> Option<usize> {
        let next = self.greater().next()?;
        let affordable = self
            .greater()
            .take_while(|length| self.steps_up_to(*length) <= between.affordable());
        // What the last length has saved is a sign for the next one only.
        let share = SHARE_OF_SAVING * self.saving(between.moves);
        let is_promising = self.steps_up_to(next) <= share * between.steps_ahead();
        let promising = is_promising.then_some(next);
        affordable.last().or(promising)
    }

    /// The steps that a choice of splits may take beside an analysis up to a length: a power of
    /// two, so that searches that are much alike share their analyses. `None` if it can't be worth
    /// it.
    pub(super) fn steps_for_splits(&self, length: usize, between: &Between) -> Option<u64> {
        let left = between.affordable() - self.steps_up_to(length);
        let steps = (left / STEPS_OF_CHOICE) as u64;
        (steps >= LEAST_CHOICE).then(|| 1 << steps.ilog2())
    }

    /// The nodes of a search before which no longer sequences can be worth an analysis.
    pub(super) fn nodes_before_worth(&self, steps_of_node: f64, n_starts: usize) -> u64 {
        let Some(next) = self.greater().next() else {
            return u64::MAX;
        };
        let steps = self.steps_up_to(next);
        // What is done and what is ahead.
        let most = SHARE.max(SHARE_OF_SAVING) * (1.0 + MOST_GROWTH);
        let all = steps_of_node * n_starts.max(1) as f64 * most;
        ((steps / all) as u64).max(LEAST_NODES)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    /// Each length has three times as many words as the one before.
    fn known(length: usize) -> Known {
        let levels = (1..=length as i32).map(|at| (10.0 * 3_f64.powi(at), 10.0 * 3_f64.powi(at)));
        Known {
            length,
            levels: levels.collect(),
            growth: Some(2.5),
            growth_before: None,
            n_states: 10,
            is_open: true,
            is_split: false,
            split_steps: 0.0,
        }
    }

    fn between(last: u64) -> Between {
        Between {
            last,
            before: last / 4,
            done: last as f64 / 3.0 * 4.0,
            spent: 0.0,
            moves: 20.0,
            steps_of_node: 10.0,
            n_starts: 1,
        }
    }

    #[test]
    fn longer_sequences_are_worth_it_when_the_next_bound_is_much_more_work() {
        // 30 + 90 compositions and 1.5 times 270 are 787,500 steps, and may be a tenth of all: each
        // node of the last bound stands for 1.33 that were made and 4 to come, of 10 steps each.
        let known = known(2);
        assert_eq!(known.steps_up_to(3), 787_500.0);
        assert_eq!(known.worth(&between(147_000)), None);
        assert_eq!(known.worth(&between(148_000)), Some(3));
        assert_eq!(known.worth(&between(20_000_000)), Some(6));
        let of_many = Between {
            n_starts: 100,
            ..between(1_480)
        };
        assert_eq!(known.worth(&of_many), Some(3));
        let after_others = Between {
            spent: 1e6,
            ..between(148_000)
        };
        assert_eq!(known.worth(&after_others), None);
        let closed = Known {
            is_open: false,
            ..known
        };
        assert_eq!(closed.worth(&between(u64::MAX / 8)), None);
    }

    #[test]
    fn no_machine_is_looked_for_that_is_too_large() {
        // 10, 30, 90 and so on: length 10 has 65,610 states.
        let lengths: Vec<usize> = known(2).greater().collect();
        assert_eq!(lengths, [3, 4, 5, 6, 8]);
        let large = Known {
            n_states: MOST_STATES,
            ..known(6)
        };
        assert_eq!(large.greater().collect::<Vec<_>>(), [8]);
    }

    #[test]
    fn what_the_last_length_saved_is_a_sign_for_the_next_one() {
        let saving = Known {
            growth_before: Some(3.0),
            ..known(2)
        };
        assert!(saving.saving(20.0) > 0.8 && known(2).saving(20.0) == 0.0);
        assert_eq!(known(2).worth(&between(120_000)), None);
        assert_eq!(saving.worth(&between(120_000)), Some(3));
    }

    #[test]
    fn no_search_is_asked_before_it_can_be_worth_it() {
        let known = known(3);
        let pause = known.nodes_before_worth(10.0, 1);
        let too_early = Between {
            before: 1,
            ..between(pause / 2)
        };
        assert_eq!(known.worth(&too_early), None);
        let closed = Known {
            is_open: false,
            ..known
        };
        assert_eq!(closed.nodes_before_worth(10.0, 1), u64::MAX);
    }

    #[test]
    fn splits_are_looked_for_with_what_is_left() {
        let known = known(2);
        // A tenth of 20 million nodes, those that come included, is enough for all that is looked
        // at; length 3 takes 787,500 steps.
        let between_large = between(20_000_000);
        let left = between_large.affordable() - 787_500.0;
        let steps = known.steps_for_splits(3, &between_large).unwrap();
        assert!(steps.is_power_of_two());
        let taken = steps as f64 * STEPS_OF_CHOICE;
        assert!(taken <= left && left < 2.0 * taken);
        assert_eq!(known.steps_for_splits(3, &between(148_000)), None);
        let split = Known {
            growth: None,
            is_split: true,
            split_steps: 1e6,
            ..known.clone()
        };
        let longer = Known {
            length: 3,
            ..split.clone()
        };
        assert_eq!(longer.steps(), known.steps() + 1e6);
        assert!(longer.prunes_more_than(&split) && longer.prunes_more_than(&known));
        // Without the splits that were worth it before, more nodes would be left.
        let whole = Known { length: 4, ..known };
        assert!(!whole.prunes_more_than(&split));
    }
}
