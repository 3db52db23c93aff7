//! Parts of rules, as an analysis finds them and as a machine file holds them.

use fsm::{CertifiedWord, RulePart, SplitReason};
use psvn_ir::{RuleId, Value};
use rule_splits::{Letter, Reason, SplitAnalysis, SplitGame};

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
        let certified = |it: &rule_splits::SplitWord| {
            let replacement: Box<[u32]> = it.replacement.iter().map(|rule| rule.0).collect();
            CertifiedWord::new(it.word.clone(), replacement)
        };
        self.found.redundant.iter().map(certified).collect()
    }

    /// The parts of a machine file.
    pub(in crate::analysis) fn in_file(&self, game: &psvn_ir::Game) -> Vec<Vec<RulePart>> {
        let part = |letter: &Letter| RulePart {
            conditions: letter
                .conditions
                .iter()
                .filter_map(|it| Some((it.position.0, value(it.term.as_constant()?))))
                .collect(),
        };
        let of_rule = |(id, _)| {
            let letters = self.split.letters_of(id);
            let letters = &self.split.letters()[letters.start as usize..letters.end as usize];
            letters.iter().map(part).collect()
        };
        game.rules_with_ids().map(of_rule).collect()
    }

    /// The reasons of a machine file.
    pub(in crate::analysis) fn reasons_in_file(&self) -> Vec<SplitReason> {
        let letters = |word: &[RuleId]| word.iter().map(|rule| rule.0).collect();
        let reason = |it: &Reason| SplitReason {
            rule: it.split.rule.0,
            position: it.split.position.0,
            word: letters(&it.word),
            replacement: letters(&it.replacement),
        };
        self.reasons.iter().map(reason).collect()
    }
}

fn value(value: Value) -> u32 {
    u32::try_from(value.index()).expect("values have numbers of 32 bits")
}
