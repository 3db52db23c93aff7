//! Parts of rules, as an analysis finds them and as a machine file holds them.

use fsm::{CertifiedWord, SplitReason};
use rule_splits::{Reason, SplitAnalysis, SplitGame};

/// Parts of rules, and their redundant sequences.
pub(in crate::analysis) struct Parts {
    pub(in crate::analysis) split: SplitGame,
    pub(in crate::analysis) found: SplitAnalysis,
    pub(in crate::analysis) reasons: Vec<Reason>,
}

impl Parts {
    pub(in crate::analysis) fn n_letters(&self) -> u32 {
        u32::try_from(self.split.letters().len()).expect("rules have ids of 32 bits")
    }

    pub(in crate::analysis) fn words(&self) -> impl Iterator<Item = &[u32]> {
        self.found.redundant.iter().map(|it| &*it.word)
    }

    /// The words of a machine file.
    pub(in crate::analysis) fn certified(&self) -> Vec<CertifiedWord> {
        self.found
            .redundant
            .iter()
            .map(CertifiedWord::from)
            .collect()
    }

    /// The reasons of a machine file.
    pub(in crate::analysis) fn reasons_in_file(&self) -> Vec<SplitReason> {
        self.reasons.iter().map(SplitReason::from).collect()
    }
}
