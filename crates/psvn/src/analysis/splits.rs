//! Rules split by values, where pruning then finds more.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use budget::{Limits, StopReason};
use fsm::{CertifiedWord, OpenFile, RulePart, SplitReason};
use invariants::Invariants;
use move_prune::{Admits, Analysis};
use psvn_ir::{RuleId, State, Value, VarId};
use rule_splits::{
    Choice as Chosen, ChoiceLimits, Letter, Reason, Setting, Split, SplitAnalysis, SplitGame,
};
use serde::{Deserialize, Serialize};

use super::AnalysisRequest;
use super::engine::Known;
use super::ideal::equation;
use crate::error::Error;
use crate::game::parts::fact;
use crate::game::{Game, RuleNames, machine_file};
use crate::text::Choice;

/// Whether rules are split by values of variables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SplitChoice {
    /// No rule is
    None,
    /// Those are for which it pays
    #[default]
    Auto,
    /// All are, by all values that they don't fix
    All,
}

impl SplitChoice {
    /// What is done unless one says otherwise: what pays, or nothing where sequences are compared
    /// in all states, as published counts are made.
    pub fn usual(within_invariants: bool) -> Self {
        match within_invariants {
            true => Self::Auto,
            false => Self::None,
        }
    }
}

impl Choice for SplitChoice {
    const ALL: &'static [Self] = &[Self::None, Self::Auto, Self::All];

    fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Auto => "auto",
            Self::All => "all",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::None => "No rule is",
            Self::Auto => "Those are for which it pays",
            Self::All => "All are, by all values that they don't fix",
        }
    }
}

/// What an analysis is asked about splits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SplitRequest {
    /// Which rules are split.
    pub choice: SplitChoice,
    /// The root of the tree that is to get small; the goal state unless given.
    pub start: Option<State>,
    /// The most steps that the choice of splits may take, unless it is to take what seems
    /// reasonable for the game.
    pub most_steps: Option<u64>,
}

impl SplitRequest {
    /// No rule is to be split.
    pub fn none() -> Self {
        Self {
            choice: SplitChoice::None,
            start: None,
            most_steps: None,
        }
    }
}

/// The rules that are split, and what that saves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Splits {
    /// The root of the tree that was to get small; `None` if no state was known.
    pub start: Option<String>,
    /// The depth at which its nodes are counted; `None` if there are too many states near the
    /// start, so that nothing was tried, or if nothing was to be found out.
    pub depth: Option<usize>,
    /// Its nodes at that depth without splits.
    #[serde(with = "crate::text::exact_number")]
    pub nodes_before: u128,
    /// Its nodes at that depth with the splits.
    #[serde(with = "crate::text::exact_number")]
    pub nodes_after: u128,
    /// The nodes of the ideal tree at that depth.
    #[serde(with = "crate::text::exact_number")]
    pub nodes_ideal: u128,
    /// The rules and parts of rules together, which are the letters of a machine.
    pub letters: usize,
    /// The redundant sequences of these.
    pub redundant_words: usize,
    /// The rules that are split.
    pub rules: Vec<SplitRule>,
    /// Why the choice ended early, so that nothing is split.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stopped: Option<StopReason>,
    /// The steps that choosing took: sequences that were compared, and rules that were tried at
    /// states.
    #[serde(default)]
    pub steps: u64,
    /// The seconds that choosing and analyzing them took.
    pub seconds: f64,
}

/// A rule that is split.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SplitPart {
    /// What it demands besides the rule's preconditions, such as `x3 = red`.
    pub conditions: Vec<String>,
    /// Whether the part is never needed: another rule does the same there, or nothing changes.
    #[serde(default)]
    pub redundant: bool,
}

/// Why a rule is split: a sequence that another one replaces in some states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SplitWhy {
    /// The sequence of rules.
    pub word: Vec<String>,
    /// What replaces it.
    pub replacement: Vec<String>,
    /// What must hold for that besides the sequence's preconditions, such as `x3 = x1`.
    pub missing: Vec<String>,
}

impl Splits {
    /// Whether nothing is split.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }
}

/// Parts of rules, and their redundant sequences.
pub(super) struct Parts {
    pub(super) split: SplitGame,
    pub(super) found: SplitAnalysis,
    reasons: Vec<Reason>,
}

impl Parts {
    pub(super) fn n_letters(&self) -> u32 {
        u32::try_from(self.split.letters().len()).expect("rules have ids of 32 bits")
    }

    pub(super) fn words(&self) -> impl Iterator<Item = &[u32]> {
        self.found.redundant.iter().map(|it| &*it.word)
    }

    /// The words of a machine file.
    pub(super) fn certified(&self) -> Vec<CertifiedWord> {
        let certified = |it: &rule_splits::SplitWord| {
            let replacement: Box<[u32]> = it.replacement.iter().map(|rule| rule.0).collect();
            CertifiedWord::new(it.word.clone(), replacement)
        };
        self.found.redundant.iter().map(certified).collect()
    }

    /// The parts of a machine file.
    pub(super) fn in_file(&self, game: &psvn_ir::Game) -> Vec<Vec<RulePart>> {
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
    pub(super) fn reasons_in_file(&self) -> Vec<SplitReason> {
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

/// Look for the rules that are worth splitting, and analyze their parts, for an analysis that was
/// made for a request. What was found out is said in any case where splits are asked for.
///
/// # Errors
/// When all rules are to be split, and there would be too many parts.
pub(super) fn choose(
    named: &Game,
    request: &AnalysisRequest,
    of_rules: &Analysis,
    rule_order: Option<&[RuleId]>,
    limits: &Limits,
) -> Result<(Option<Splits>, Option<Parts>), Error> {
    let started = Instant::now();
    let game = named.ir();
    let choice = request.split.choice;
    if choice == SplitChoice::None {
        return Ok((None, None));
    }
    let nothing = Invariants::none(game);
    let known = request.assumptions.known.as_ref().unwrap_or(&nothing);
    let start = request.split.start.clone().or_else(|| game.goal_state());
    let start = start.filter(|start| known.check_state(game, start).is_ok());
    let n_rules = game.rules().len();
    let mut splits = Splits {
        start: start.as_ref().map(|it| game.format_state(it.values())),
        depth: None,
        nodes_before: 0,
        nodes_after: 0,
        nodes_ideal: 0,
        letters: n_rules,
        redundant_words: of_rules.redundant.len(),
        rules: Vec::new(),
        stopped: None,
        steps: 0,
        seconds: 0.0,
    };
    let known = Known(known);
    let bounds = bounds_for(of_rules, n_rules, &request.split, limits);
    let (chosen, reasons) = match (choice, &start) {
        (SplitChoice::All, _) => (all(game), Vec::new()),
        // What a limit left out may be what a split would show.
        (_, Some(start)) if of_rules.stopped.is_none() => {
            let setting = Setting {
                game,
                of_rules,
                rule_order,
                known: &known,
                start,
            };
            match rule_splits::choose(setting, &bounds) {
                Ok(None) => (Vec::new(), Vec::new()),
                Ok(Some(chosen)) => splits.note(chosen),
                Err(reason) => {
                    splits.stopped = Some(reason);
                    (Vec::new(), Vec::new())
                }
            }
        }
        _ => (Vec::new(), Vec::new()),
    };
    if chosen.is_empty() {
        splits.seconds = started.elapsed().as_secs_f64();
        return Ok((Some(splits), None));
    }
    let most_letters = bounds.letters.max(n_rules);
    let split = SplitGame::new(game, &chosen, &|terms| known.admits(terms), most_letters);
    let split = split.map_err(|error| Error::limit(error.to_string()))?;
    let rest = Limits {
        nodes: None,
        time: limits
            .time
            .map(|time| time.saturating_sub(started.elapsed())),
        ..limits.clone()
    };
    let found = rule_splits::analyze(game, &split, of_rules, rule_order, &known, &rest);
    let found = match found {
        Ok(found) => found,
        Err(reason) => {
            splits.stopped = Some(reason);
            splits.seconds = started.elapsed().as_secs_f64();
            return Ok((Some(splits), None));
        }
    };
    splits.letters = split.letters().len();
    splits.redundant_words = found.redundant.len();
    let parts = Parts {
        split,
        found,
        reasons,
    };
    splits.rules = rules_of(
        named,
        &known,
        &parts.in_file(game),
        &parts.reasons_in_file(),
        &redundant_letters(parts.words()),
    );
    splits.seconds = started.elapsed().as_secs_f64();
    Ok((Some(splits), Some(parts)))
}

/// The steps that a choice may take for each sequence that was composed before it.
const STEPS_FOR_COMPOSITION: u64 = 2_000;

/// What a choice may take: about as much as the analysis before it, and enough for small games.
fn bounds_for(
    of_rules: &Analysis,
    n_rules: usize,
    request: &SplitRequest,
    limits: &Limits,
) -> ChoiceLimits {
    let composed: u64 = of_rules.levels.iter().map(|level| level.composed).sum();
    let usual = ChoiceLimits::for_rules(n_rules);
    let most_steps = request.most_steps.unwrap_or(u64::MAX);
    let memory = usual.limits.memory.into_iter().chain(limits.memory).min();
    ChoiceLimits {
        glance: usual.glance.max(composed).min(most_steps),
        steps: usual
            .steps
            .max(composed.saturating_mul(STEPS_FOR_COMPOSITION))
            .min(most_steps),
        limits: Limits {
            nodes: None,
            memory,
            ..limits.clone()
        },
        ..usual
    }
}

/// Each rule by each variable.
fn all(game: &psvn_ir::Game) -> Vec<Split> {
    let positions = || (0..game.n_variables()).map(VarId::from_index);
    let rules = game.rules_with_ids().map(|(rule, _)| rule);
    rules
        .flat_map(|rule| positions().map(move |position| Split { rule, position }))
        .collect()
}

impl Splits {
    fn note(&mut self, chosen: Chosen) -> (Vec<Split>, Vec<Reason>) {
        self.depth = Some(chosen.depth);
        self.steps = chosen.steps;
        self.nodes_before = chosen.nodes_before;
        self.nodes_after = chosen.nodes_after;
        self.nodes_ideal = chosen.nodes_ideal;
        (chosen.splits, chosen.reasons)
    }
}

/// The letters that are redundant words by themselves.
pub(crate) fn redundant_letters<'a>(words: impl Iterator<Item = &'a [u32]>) -> BTreeSet<u32> {
    let letter = |word: &[u32]| match word {
        [letter] => Some(*letter),
        _ => None,
    };
    words.filter_map(letter).collect()
}

/// The rules that are split, as a machine file says.
pub(crate) fn rules_of_file(
    path: &Path,
    file: &OpenFile,
    named: &Game,
) -> Result<Vec<SplitRule>, Error> {
    let known = machine_file::assumptions(file, path, named.ir())?;
    let mut redundant = BTreeSet::new();
    for word in file.words() {
        let word = word
            .map_err(|error| machine_file::unreadable(&path.display().to_string(), &error))?
            .word;
        redundant.extend(redundant_letters(std::iter::once(&*word)));
    }
    let (parts, reasons) = (file.parts(), file.split_reasons());
    Ok(rules_of(named, &Known(&known), parts, reasons, &redundant))
}

/// The rules that are split, by name, from what a machine file says of them.
fn rules_of(
    named: &Game,
    known: &dyn Admits,
    parts: &[Vec<RulePart>],
    reasons: &[SplitReason],
    redundant: &BTreeSet<u32>,
) -> Vec<SplitRule> {
    let game = named.ir();
    let names = RuleNames::new(game);
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
            conditions: part.conditions.iter().map(|it| fact(game, *it)).collect(),
            redundant: redundant.contains(&letter),
        };
        let why = |reason: &SplitReason| {
            let ids = |word: &[u32]| word.iter().copied().map(RuleId).collect::<Vec<_>>();
            let (word, replacement) = (ids(&reason.word), ids(&reason.replacement));
            let missing = rule_splits::missing(game, known, &word, &replacement);
            SplitWhy {
                word: names.names(&word),
                replacement: names.names(&replacement),
                missing: missing.iter().map(|it| equation(named, it)).collect(),
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

fn value(value: Value) -> u32 {
    u32::try_from(value.index()).expect("values have numbers of 32 bits")
}
