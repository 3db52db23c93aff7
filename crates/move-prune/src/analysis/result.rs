//! Results of an analysis.

use std::time::Duration;

use budget::StopReason;
use psvn_ir::RuleId;

use crate::words::WordTree;
use crate::words::order::Order;

/// A redundant word, with its certificate.
///
/// All its proper parts are kept words: no redundant word contains another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RedundantWord {
    /// The word.
    pub word: Box<[RuleId]>,
    /// A kept word that comes earlier in the order, costs no more, can be used wherever the
    /// redundant word can, and then leads to the same state.
    pub replacement: Box<[RuleId]>,
}

/// The results at one length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// The length of the sequences.
    pub length: usize,
    /// The sequences that were composed: those without redundant parts, and without neighbors that
    /// can't follow each other.
    pub composed: u64,
    /// Those that can't be carried out from any state, or not from any state that matters.
    pub invalid: u64,
    /// Those among the invalid that can be carried out from states that don't matter.
    pub unreachable: u64,
    /// Those that are redundant.
    pub redundant: u64,
    /// Those that are kept.
    pub kept: u64,
    /// The time that the level took.
    pub elapsed: Duration,
    /// The bytes held at its end.
    pub bytes: usize,
}

/// The result of an analysis.
///
/// # When a limit stopped it
/// The result is sound then, too: any subset of the redundant words may be forbidden. A path that
/// contains one of them can be replaced by an earlier one that costs no more and ends in the same
/// state. Since the order is well-founded, the replacements end at a path that contains none. The
/// argument doesn't depend on which other words are forbidden.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The number of rules.
    pub n_rules: usize,
    /// The order in which words were compared. If all rules cost the same, it is
    /// [`Order::LengthLexicographic`] whichever was requested: the two orders are equal then, and
    /// machines for this one serve more searches.
    ///
    /// With [`Order::CostLengthLexicographic`] the machine is for searches that are bounded by
    /// cost. A search that is bounded by the number of moves may miss states; [`Order`] has an
    /// example.
    pub order: Order,
    /// The length up to which the analysis is complete: the requested one, unless a limit stopped
    /// it. It may exceed that of the last level, if no longer words are left.
    pub max_length: usize,
    /// Why it stopped before the requested length, if it did. The result is sound either way.
    pub stopped: Option<StopReason>,
    /// If a limit stopped an analysis in the order by cost: it is complete for the words, up to the
    /// requested length, that cost less than this. Levels above `max_length` count only the words
    /// that were compared, and longer redundant words are listed.
    pub complete_below: Option<u128>,
    /// The results at each length from 1 on.
    pub levels: Vec<Level>,
    /// The kept words, numbered by length and then by the numbers of their rules, in whatever order
    /// they were found.
    pub kept: WordTree,
    /// The redundant words, by length and then by the numbers of their rules.
    pub redundant: Vec<RedundantWord>,
    /// Whether some redundant words may be redundant only in the states that
    /// [matter](crate::Admits). If not, each of them can be replaced in all states.
    pub rests_on_knowledge: bool,
}

/// The result of a search over words; the letters are the places of rules in their order.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) max_length: usize,
    pub(crate) stopped: Option<StopReason>,
    pub(crate) complete_below: Option<u128>,
    pub(crate) levels: Vec<Level>,
    pub(crate) kept: WordTree,
    pub(crate) redundant: Vec<RedundantWord>,
    pub(crate) rests_on_knowledge: bool,
}

impl RedundantWord {
    /// Return the word as letters of a machine: the numbers of its rules.
    pub fn letters(&self) -> Vec<u32> {
        self.word.iter().map(|rule| rule.0).collect()
    }
}

impl Analysis {
    /// Return whether the analysis reached the requested length.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none()
    }

    /// Return the redundant words as letters of a machine, in order: what a machine must forbid.
    pub fn redundant_letters(&self) -> impl Iterator<Item = Vec<u32>> + '_ {
        self.redundant.iter().map(RedundantWord::letters)
    }

    /// Return the kept words of one length as letters of a machine, in order. Empty after the last
    /// level.
    pub fn kept_letters(&self, length: usize) -> impl Iterator<Item = Vec<u32>> + '_ {
        let letters = |word| self.kept.letters(word).iter().map(|rule| rule.0).collect();
        let words = (length <= self.kept.depth()).then(|| self.kept.of_length(length));
        words.into_iter().flatten().map(letters)
    }
}
