//! Results of an analysis by label.

use std::time::Duration;

use budget::StopReason;
use psvn_ir::RuleId;

/// An instance of a redundant label word, and its replacement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct InstanceReplacement {
    /// The instance.
    pub instance: Box<[RuleId]>,
    /// An instance of an earlier label word that can be used wherever this one can, costs no more,
    /// and leads to the same state.
    pub replacement: Box<[RuleId]>,
}

/// A redundant label word, with its certificate.
///
/// All its proper parts are label words that are not redundant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RedundantOperatorWord {
    /// The word, as letters of operators.
    pub word: Box<[u32]>,
    /// All of its instances, in order. There is at least one.
    pub instances: Vec<InstanceReplacement>,
}

/// The results at one length. All numbers but one count label words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperatorLevel {
    /// The length of the words.
    pub length: usize,
    /// The label words without redundant or impossible parts.
    pub candidates: u64,
    /// Those that can't be carried out from any state that matters. (Also counts a word with an
    /// unproved instance, because the knowledge about states contradicts itself: it admits some
    /// conditions, but not weaker ones. Such a word is not forbidden.)
    pub impossible: u64,
    /// Those that are redundant.
    pub redundant: u64,
    /// Those that are kept.
    pub kept: u64,
    /// The number of their open instances.
    pub open_instances: u64,
    /// The time that the level took.
    pub elapsed: Duration,
    /// The bytes held at its end.
    pub bytes: usize,
}

/// The result of an analysis by label.
#[derive(Clone, Debug)]
pub struct OperatorAnalysis {
    /// The number of operators: the letters of a machine.
    pub n_letters: usize,
    /// The length up to which the analysis is complete.
    pub max_length: usize,
    /// Why it stopped before the requested length, if it did.
    pub stopped: Option<StopReason>,
    /// The results at each length from 1 on.
    pub levels: Vec<OperatorLevel>,
    /// The redundant label words, by length and then by their letters.
    pub redundant: Vec<RedundantOperatorWord>,
}

impl OperatorAnalysis {
    /// Return whether the analysis reached the requested length.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none()
    }

    /// Return the redundant label words as letters of a machine, in order: what a machine must
    /// forbid.
    pub fn redundant_letters(&self) -> impl Iterator<Item = &[u32]> {
        self.redundant.iter().map(|redundant| &*redundant.word)
    }
}
