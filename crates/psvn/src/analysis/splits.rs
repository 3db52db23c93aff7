//! Rules split by values, where pruning then finds more.

use budget::Limits;
use fsm::{Dense, WordAutomaton};
use ideal_tree::{Comparison, Difference, Question, Stopped};
use invariants::Invariants;
use move_prune::Admits;
use psvn_ir::{Equation, RuleId, State};
use rule_splits::{ChoiceLimits, Setting, SplitAnalysis, SplitGame};
use serde::Serialize;

use super::choices::Letters;
use super::engine::{self, Task};
use super::ideal::{IdealDifference, equation, start};
use super::{Analysis, AnalysisRequest};
use crate::environment::Environment;
use crate::error::Error;
use crate::game::{Game, RuleNames};
use crate::text::{Choice, Parameter, message};

/// Whether rules are split by values of variables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SplitChoice {
    /// No rule is
    #[default]
    None,
    /// Those are for which it pays
    Auto,
}

impl Choice for SplitChoice {
    const ALL: &'static [Self] = &[Self::None, Self::Auto];

    fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Auto => "auto",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::None => "No rule is",
            Self::Auto => "Those are for which it pays",
        }
    }
}

/// The rules that are split, and what that saves.
#[derive(Clone, Debug, Serialize)]
pub struct Splits {
    /// The root of the tree that was to get small.
    pub start: String,
    /// The depth at which its nodes are counted; `None` if there are too many states near the
    /// start, so that nothing was tried.
    pub depth: Option<usize>,
    /// Its nodes at that depth without splits.
    pub nodes_before: u128,
    /// Its nodes at that depth with the splits.
    pub nodes_after: u128,
    /// The nodes of the ideal tree at that depth.
    pub nodes_ideal: u128,
    /// The rules and parts of rules together, which are the letters of a machine.
    pub letters: usize,
    /// The redundant sequences of these.
    pub redundant_words: usize,
    /// The rules that are split.
    pub rules: Vec<SplitRule>,
    #[serde(skip)]
    made: Option<Made>,
}

/// A rule that is split.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SplitRule {
    /// The rule.
    pub rule: String,
    /// The unknowns by whose values it is split, such as `x3`.
    pub by: Vec<String>,
    /// Its parts. Values that no state has are left out.
    pub parts: Vec<SplitPart>,
}

/// A part of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SplitPart {
    /// What it demands besides the rule's preconditions, such as `x3 = red`.
    pub conditions: Vec<String>,
}

/// The split game and its machine.
#[derive(Clone, Debug)]
struct Made {
    split: SplitGame,
    machine: Dense,
    /// The letters in the order of the rules.
    letter_order: Vec<RuleId>,
}

/// Look for the rules that are worth splitting, for the length, the order and the assumptions of an
/// analysis. The tree from `from`, or else from the goal state, is what gets small.
///
/// # Errors
/// When letters aren't rules, no start is known, or the analysis is too large to be repeated.
///
/// # Panics
/// Never: the last analysis of parts has no limit.
pub fn split_rules(
    game: &Game,
    request: &AnalysisRequest,
    analysis: &Analysis,
    from: Option<&str>,
    env: &Environment,
) -> Result<Splits, Error> {
    if request.letters != Letters::Rules {
        return Err(Error::usage(message![
            "`",
            Parameter::Split,
            "` is for rules, not for operators"
        ]));
    }
    let start = start(game, from)?;
    let letters = analysis.summary.letters_in_order.as_ref();
    let rule_order: Option<Vec<RuleId>> =
        letters.map(|letters| letters.iter().copied().map(RuleId).collect());
    let limits = Limits {
        interrupt: Some(env.cancellation().clone()),
        ..Limits::default()
    };
    let known = request.assumptions.known.as_ref();
    let task = Task {
        order: request.order,
        rule_order: rule_order.as_deref(),
        ..Task::up_to(analysis.summary.max_length, known, limits)
    };
    let of_rules = engine::analyze_quietly(game, &task);
    if of_rules.stopped.is_some() {
        return Err(Error::interrupted(
            "the analysis was not repeated to the end",
        ));
    }
    let nothing = Invariants::none(game.ir());
    let known = engine::Known(known.unwrap_or(&nothing));
    let limits = ChoiceLimits::for_rules(game.ir().rules().len());
    let setting = Setting {
        game: game.ir(),
        of_rules: &of_rules,
        rule_order: rule_order.as_deref(),
        known: &known,
        start: &start,
    };
    let mut splits = Splits {
        start: game.ir().format_state(start.values()),
        depth: None,
        nodes_before: 0,
        nodes_after: 0,
        nodes_ideal: 0,
        letters: game.ir().rules().len(),
        redundant_words: of_rules.redundant.len(),
        rules: Vec::new(),
        made: None,
    };
    let Some(choice) = rule_splits::choose(setting, &limits) else {
        return Ok(splits);
    };
    splits.depth = Some(choice.depth);
    splits.nodes_before = choice.nodes_before;
    splits.nodes_after = choice.nodes_after;
    splits.nodes_ideal = choice.nodes_ideal;
    if choice.splits.is_empty() {
        return Ok(splits);
    }
    let most_letters = limits.letters.max(game.ir().rules().len());
    let split = SplitGame::new(game.ir(), &choice.splits, &|terms| known.admits(terms), most_letters)
        .map_err(|error| Error::limit(error.to_string()))?;
    let found = rule_splits::analyze(
        game.ir(),
        &split,
        &of_rules,
        rule_order.as_deref(),
        &known,
        u64::MAX,
    )
    .expect("no limit on steps");
    splits.letters = split.letters().len();
    splits.redundant_words = found.redundant.len();
    splits.rules = rules_of(game, &split);
    let in_file: Vec<RuleId> = game.ir().rules_with_ids().map(|(id, _)| id).collect();
    splits.made = Some(Made {
        machine: machine(&split, &found)?,
        letter_order: split.letter_order(rule_order.as_deref().unwrap_or(&in_file)),
        split,
    });
    Ok(splits)
}

fn machine(split: &SplitGame, found: &SplitAnalysis) -> Result<Dense, Error> {
    let n_letters = u32::try_from(split.letters().len()).expect("rules have ids of 32 bits");
    WordAutomaton::forbidding(n_letters, found.redundant.iter().map(|it| &it.word))
        .and_then(|automaton| automaton.build())
        .map_err(|error| Error::limit(error.to_string()))
}

/// The rules that are split, by name.
fn rules_of(game: &Game, split: &SplitGame) -> Vec<SplitRule> {
    let names = RuleNames::new(game.ir());
    let mut rules = Vec::new();
    for (id, _) in game.ir().rules_with_ids() {
        let letters = split.letters_of(id);
        let letters = &split.letters()[letters.start as usize..letters.end as usize];
        let Some(first) = letters.first().filter(|it| !it.conditions.is_empty()) else {
            continue;
        };
        let by = |it: &Equation| format!("x{}", it.position.0 + 1);
        let part = |conditions: &[Equation]| SplitPart {
            conditions: conditions.iter().map(|it| equation(game, it)).collect(),
        };
        rules.push(SplitRule {
            rule: names.name(id),
            by: first.conditions.iter().map(by).collect(),
            parts: letters.iter().map(|it| part(&it.conditions)).collect(),
        });
    }
    rules
}

impl Splits {
    /// Whether nothing is split.
    pub fn is_empty(&self) -> bool {
        self.made.is_none()
    }

    /// The tree that is left, beside the ideal one.
    pub(super) fn compare(
        &self,
        game: &Game,
        start: &State,
        question: &Question<'_>,
        limits: &Limits,
    ) -> Result<Comparison, Stopped> {
        let Some(made) = &self.made else {
            return Comparison::make(game.ir(), start, &fsm::Unrestricted, question, limits);
        };
        let question = Question {
            rule_order: Some(&made.letter_order),
            ..question.clone()
        };
        Comparison::make(made.split.game(), start, &made.machine, &question, limits)
    }

    /// A sequence of parts that is kept, in words. Parts are called by their rules.
    pub(super) fn difference(&self, game: &Game, found: &Difference) -> IdealDifference {
        let names = RuleNames::new(game.ir());
        let made = self.made.as_ref();
        let name = |letter: &RuleId| match made {
            Some(made) => names.name(made.split.rule_of(letter.0)),
            None => names.name(*letter),
        };
        let missing = match made {
            Some(made) => made.split.missing(game.ir(), found),
            None => found.missing.clone(),
        };
        IdealDifference {
            word: found.word.iter().map(name).collect(),
            state: game.ir().format_state(found.state.values()),
            replacement: found.replacement.iter().map(name).collect(),
            missing: missing.iter().map(|it| equation(game, it)).collect(),
            states: found.n_states,
            applicable: found.n_applicable,
        }
    }
}
