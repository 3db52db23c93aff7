//! What is known after the analysis of some lengths: its work, its words, its machine.

use std::collections::BTreeMap;

use crate::Steps;

/// The length of the sequences compared before a search begins.
pub const FIRST_LENGTH: usize = 2;

/// The maximum number of states of a machine, whatever its number of letters. With larger ones, a
/// search's look-ups miss the caches, and fewer nodes take more time.
pub(super) const MOST_STATES: usize = 1 << 16;

/// The maximum number of entries, one for each state and letter, of a machine with more states than
/// that.
const MOST_ENTRIES: usize = 1 << 20;

/// The part by which a node takes longer with a machine, times the root of the number of successors
/// of its states: the larger it is, the more look-ups miss the caches. Measured with tiles and
/// pancakes, of up to 10^5 states.
const SLOWER_BY_SIZE: f64 = 0.0015;

/// The steps of a node without what a heuristic looks up, at most: that part is slowed down.
const STEPS_OF_WALK: Steps = 6.0;

/// The steps of a composition with its comparison and its share of the machines. A step is about a
/// nanosecond, measured once on games of several kinds.
pub(super) const STEPS_OF_COMPOSITION: Steps = 1_500.0;

/// Return the steps that one comparison of the choice of splits counts, for sequences up to some
/// length: of two sequences, or of a rule with a state. Longer sequences have more candidates.
pub(super) fn steps_of_choice(length: usize) -> Steps {
    match length {
        0..=2 => 8.0,
        3 => 15.0,
        _ => 80.0,
    }
}

/// The cost of a contradictory composition, in compositions.
const CONTRADICTION: f64 = 0.25;

/// What is known after the analysis of some lengths.
#[derive(Clone, Debug)]
pub struct AnalyzedLengths {
    /// The length up to which redundant sequences are known.
    pub length: usize,
    /// The numbers of compositions and of kept words, by length from 1.
    pub(super) levels: Vec<(f64, f64)>,
    /// The asymptotic branching factor.
    pub growth: Option<f64>,
    /// The fall of its logarithm for each length since the analysis before, if there was one.
    pub(super) fall_before: Option<f64>,
    /// The states of the machine.
    pub(super) n_states: usize,
    /// Their maximum number.
    pub(super) most_states: usize,
    /// Whether longer sequences may be redundant, as far as is known.
    pub(super) is_open: bool,
    /// Whether rules are split. Then the growth of the tree isn't known: not all sequences of parts
    /// can be carried out.
    pub(super) is_split: bool,
    /// The steps that the choice of splits took.
    pub(super) split_steps: f64,
    /// The steps that choices of splits were allowed, by length.
    pub(super) tried_splits: BTreeMap<usize, u64>,
}

/// The figures of an analysis of all sequences up to a length.
#[derive(Clone, Debug)]
pub struct AnalysisFigures {
    /// The length up to which redundant sequences are known.
    pub length: usize,
    /// By length from 1.
    pub levels: Vec<LevelFigures>,
    /// The asymptotic branching factor, if it is known.
    pub growth: Option<f64>,
    /// The states of the machine.
    pub n_states: usize,
    /// Whether no limit stopped it.
    pub is_complete: bool,
    /// Whether rules are split.
    pub is_split: bool,
    /// The comparisons of the choice of splits.
    pub split_comparisons: u64,
}

/// The figures of one length.
#[derive(Clone, Copy, Debug)]
pub struct LevelFigures {
    /// The sequences that were composed.
    pub composed: u64,
    /// Those that are impossible.
    pub impossible: u64,
    /// Those that are neither impossible nor redundant.
    pub kept: u64,
}

impl AnalysisFigures {
    /// Return the maximum number of states of a machine that is used. The compositions of length 1
    /// are the rules.
    pub fn most_states(&self) -> usize {
        let n_rules = self.levels.first().map_or(1, |level| level.composed);
        let n_rules = usize::try_from(n_rules).unwrap_or(usize::MAX);
        (MOST_ENTRIES / n_rules.max(1)).clamp(MOST_STATES, 2 * MOST_STATES)
    }

    /// Return whether the machine is small enough to be used.
    pub fn fits(&self) -> bool {
        self.n_states <= self.most_states()
    }
}

impl From<AnalysisFigures> for AnalyzedLengths {
    fn from(figures: AnalysisFigures) -> Self {
        let levels = figures.levels.iter().map(|level| {
            let possible = level.composed.saturating_sub(level.impossible) as f64;
            let composed = possible + CONTRADICTION * level.impossible as f64;
            (composed, level.kept as f64)
        });
        let is_last = figures.levels.last().is_none_or(|level| level.kept == 0);
        Self {
            length: figures.length,
            levels: levels.collect(),
            growth: figures.growth.filter(|_| !figures.is_split),
            fall_before: None,
            n_states: figures.n_states,
            most_states: figures.most_states(),
            is_open: figures.is_complete && !is_last && figures.fits(),
            is_split: figures.is_split,
            split_steps: figures.split_comparisons as f64 * steps_of_choice(figures.length),
            tried_splits: BTreeMap::new(),
        }
    }
}

impl AnalyzedLengths {
    /// Return the same knowledge without the work of a choice of splits that found none.
    pub fn without_choice(&self) -> Self {
        Self {
            split_steps: 0.0,
            ..self.clone()
        }
    }

    /// Return the same knowledge after choices of splits: those before, and perhaps one at some
    /// length that was allowed some steps.
    pub fn with_tried(&self, before: Option<&Self>, length: usize, steps: Option<u64>) -> Self {
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
    pub fn with_fall_since(&self, before: &Self) -> Self {
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
    pub(super) fn has_tried_all(&self) -> bool {
        let allowed = self.tried_splits.get(&self.length).copied().unwrap_or(0);
        self.split_steps < allowed as f64 * steps_of_choice(self.length) / 2.0
    }

    /// Return how many times as long a node takes with a machine of some times the states as with
    /// this one.
    pub(super) fn slower_by(&self, times: f64, steps_of_node: f64) -> f64 {
        let part = (STEPS_OF_WALK / steps_of_node.max(1e-9)).min(1.0);
        let successors = self.n_states as f64 * self.growth.unwrap_or(1.0);
        let with = |times: f64| 1.0 + part * SLOWER_BY_SIZE * (successors * times).sqrt();
        with(times) / with(1.0)
    }

    /// Return the knowledge that remains if the search continues without the analysis that was
    /// found.
    pub fn after_in_vain(&self, found: &Self) -> Self {
        // Splits that paid are given up only for better ones.
        if found.length < self.length || self.is_split {
            Self {
                tried_splits: found.tried_splits.clone(),
                ..self.clone()
            }
        } else {
            found.clone()
        }
    }

    /// Return whether it splits rules, for shorter sequences than were compared before. Only a
    /// count shows which of the two leaves fewer nodes.
    pub fn is_shorter_in_parts(&self, before: &Self) -> bool {
        self.is_split && !before.is_split && self.length < before.length
    }

    /// Return whether an analysis in the cache may leave fewer nodes: splits that paid aren't given
    /// up for whole rules.
    pub fn may_use(&self, is_split: bool) -> bool {
        is_split || !self.is_split
    }

    /// Return the same knowledge, with no longer sequences to try.
    pub fn closed(&self) -> Self {
        Self {
            is_open: false,
            ..self.clone()
        }
    }

    /// Return whether fewer nodes are left than with the analysis before.
    pub fn prunes_more_than(&self, before: &Self) -> bool {
        match (self.growth, before.growth) {
            (Some(now), Some(before)) => now < before * (1.0 - 1e-9),
            // Splits are chosen because they save nodes.
            _ if self.length == before.length => self.is_split && !before.is_split,
            _ => self.length > before.length && self.is_split >= before.is_split,
        }
    }

    /// Return the growth of a search's work from bound to bound with this analysis, given the
    /// growth before it.
    pub fn growth_since(&self, before: &Self, growth: f64) -> f64 {
        match (self.growth, before.growth) {
            (Some(now), Some(before)) => growth * now / before,
            // How the tree of parts grows isn't known.
            _ => 1.0,
        }
    }

    /// Return the steps of the analysis.
    pub fn steps(&self) -> f64 {
        self.steps_of_words() + self.split_steps
    }

    /// Return the steps that a choice of splits took.
    pub fn steps_of_choice(&self) -> f64 {
        self.split_steps
    }

    /// Return the steps that comparing sequences of rules took.
    pub(super) fn steps_of_words(&self) -> f64 {
        let composed: f64 = self.levels.iter().map(|(composed, _)| *composed).sum();
        composed * STEPS_OF_COMPOSITION
    }
}
