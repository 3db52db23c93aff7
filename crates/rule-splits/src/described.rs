//! Split rules and the reasons, in words.

use std::collections::BTreeSet;

use budget::StopReason;
use fsm::{RulePart, SplitReason};
use move_prune::{Admits, Analysis};
use psvn_ir::{Game, RuleId, RuleNames, Value, VarId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::analysis::missing;
use crate::choice::{Choice as Chosen, Reason};
use crate::made::NotSplit;
use crate::split_game::Split;

/// The rules that are split, and the savings.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Splits {
    /// The root of the tree that splits should reduce; `None` if no state was known.
    pub start: Option<String>,
    /// The depth at which its nodes are counted; `None` if there are too many states near the
    /// start, so that nothing was tried, or if no choice was needed.
    pub depth: Option<usize>,
    /// Its nodes at that depth without splits.
    #[serde(with = "budget::exact_number")]
    #[schemars(with = "budget::Exact")]
    pub nodes_before: u128,
    /// Its nodes at that depth with the splits.
    #[serde(with = "budget::exact_number")]
    #[schemars(with = "budget::Exact")]
    pub nodes_after: u128,
    /// The nodes of the ideal tree at that depth.
    #[serde(with = "budget::exact_number")]
    #[schemars(with = "budget::Exact")]
    pub nodes_ideal: u128,
    /// The rules and parts of rules together, which are the letters of a machine.
    pub letters: usize,
    /// The number of redundant sequences of these.
    pub redundant_words: usize,
    /// The rules that are split.
    pub rules: Vec<SplitRule>,
    /// Why the choice ended early, so that nothing is split.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stopped: Option<StopReason>,
    /// The greatest number of letters, where the splits would make more, so that nothing is split.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub too_many_letters: Option<usize>,
    /// The steps that choosing took: sequences that were compared, and rules that were tried at
    /// states.
    #[serde(default)]
    pub steps: u64,
    /// The steps with which, or with more, nothing is split, where that is known and this run
    /// chose.
    #[serde(skip)]
    pub settled_in: Option<u64>,
    /// The seconds that choosing and analyzing them took.
    pub seconds: f64,
}

impl Splits {
    /// The description of a game before any rule is split.
    pub(crate) fn none_yet(start: Option<String>, of_rules: &Analysis, n_rules: usize) -> Self {
        Self {
            start,
            depth: None,
            nodes_before: 0,
            nodes_after: 0,
            nodes_ideal: 0,
            letters: n_rules,
            redundant_words: of_rules.redundant.len(),
            rules: Vec::new(),
            stopped: None,
            too_many_letters: None,
            steps: 0,
            settled_in: None,
            seconds: 0.0,
        }
    }

    /// Note the choice, if one was made, and return the splits with their reasons.
    pub(crate) fn note(
        &mut self,
        choice: Result<(Option<Chosen>, Option<u64>), StopReason>,
    ) -> (Vec<Split>, Vec<Reason>) {
        let chosen = match choice {
            Ok((chosen, settled_in)) => {
                self.settled_in = settled_in;
                chosen
            }
            Err(reason) => {
                self.stopped = Some(reason);
                None
            }
        };
        let Some(chosen) = chosen else {
            return (Vec::new(), Vec::new());
        };
        self.depth = Some(chosen.depth);
        self.steps = chosen.steps;
        self.nodes_before = chosen.nodes_before;
        self.nodes_after = chosen.nodes_after;
        self.nodes_ideal = chosen.nodes_ideal;
        (chosen.splits, chosen.reasons)
    }

    /// Note that nothing is split, and why.
    pub(crate) fn note_failure(&mut self, reason: NotSplit) {
        match reason {
            NotSplit::Stopped(reason) => self.stopped = Some(reason),
            NotSplit::TooManyLetters(most) => self.too_many_letters = Some(most),
        }
    }
}

/// A rule that is split.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct SplitRule {
    /// The rule.
    pub rule: String,
    /// The unknowns by whose values it is split, such as `x3`.
    pub by: Vec<String>,
    /// Its parts. Values that no state has are left out.
    pub parts: Vec<SplitPart>,
    /// Why it is split.
    pub why: Vec<SplitWhy>,
}

/// A part of a rule.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct SplitPart {
    /// Its conditions besides the rule's preconditions, such as `x3 = red`.
    pub conditions: Vec<String>,
    /// Whether the part is never needed: another rule does the same there, or nothing changes.
    #[serde(default)]
    pub redundant: bool,
}

/// Why a rule is split: a sequence that another one replaces in some states.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct SplitWhy {
    /// The sequence of rules.
    pub word: Vec<String>,
    /// The replacement.
    pub replacement: Vec<String>,
    /// The conditions for that besides the sequence's preconditions, such as `x3 = x1`.
    pub missing: Vec<String>,
}

impl Splits {
    /// Return why splits that were chosen aren't made, or none could be chosen, as the end of a
    /// sentence.
    pub fn why_missing(&self) -> Option<String> {
        match (self.too_many_letters, self.stopped) {
            (Some(most), _) => Some(format!("they would be more than {most} parts")),
            (None, Some(reason)) => Some(reason.clause().to_owned()),
            (None, None) => None,
        }
    }

    /// Return whether nothing is split.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }
}

/// Return the letters that are redundant words by themselves.
pub fn redundant_letters<'a>(words: impl Iterator<Item = &'a [u32]>) -> BTreeSet<u32> {
    let letter = |word: &[u32]| match word {
        [letter] => Some(*letter),
        _ => None,
    };
    words.filter_map(letter).collect()
}

/// Return the rules that are split, by name, from the parts and reasons of a machine file.
///
/// # Panics
/// Never: letters have numbers of 32 bits.
pub fn rules_of(
    game: &Game,
    known: &dyn Admits,
    parts: &[Vec<RulePart>],
    reasons: &[SplitReason],
    redundant: &BTreeSet<u32>,
) -> Vec<SplitRule> {
    let names = RuleNames::new(game);
    let fact = |(position, value): &(u32, u32)| {
        game.format_fact(VarId(*position), Value::from_index(*value as usize))
    };
    let mut rules = Vec::new();
    let mut next_letter = 0_u32;
    for ((id, _), of_rule) in game.rules_with_ids().zip(parts) {
        let letters = next_letter..;
        next_letter += u32::try_from(of_rule.len()).expect("letters have numbers of 32 bits");
        if of_rule.iter().all(|part| part.conditions.is_empty()) {
            continue;
        }
        let mut by: Vec<u32> = of_rule
            .iter()
            .flat_map(|part| part.conditions.iter().map(|it| it.0))
            .collect();
        by.sort_unstable();
        by.dedup();
        let part = |(letter, part): (u32, &RulePart)| SplitPart {
            conditions: part.conditions.iter().map(fact).collect(),
            redundant: redundant.contains(&letter),
        };
        let why = |reason: &SplitReason| {
            let ids = |word: &[u32]| word.iter().copied().map(RuleId).collect::<Vec<_>>();
            let (word, replacement) = (ids(&reason.word), ids(&reason.replacement));
            let missing = missing(game, known, &word, &replacement);
            SplitWhy {
                word: names.names(&word),
                replacement: names.names(&replacement),
                missing: missing.iter().map(|it| game.format_equation(it)).collect(),
            }
        };
        let of_this = reasons.iter().filter(|reason| reason.rule == id.0);
        let mut whys: Vec<SplitWhy> = Vec::new();
        for why in of_this.map(why) {
            if !whys.contains(&why) {
                whys.push(why);
            }
        }
        rules.push(SplitRule {
            rule: names.name(id),
            by: by
                .iter()
                .map(|position| format!("x{}", position + 1))
                .collect(),
            parts: letters.zip(of_rule).map(part).collect(),
            why: whys,
        });
    }
    rules
}
