//! Sequences composed into macro-rules, rule by rule.

use macro_compose::{Invalid, Trace, Update, compose_all, compose_traced};
use psvn_ir::{CanonicalRule, Game, RuleId, RuleNames};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::macro_rules;

/// The macro-rule of a sequence, or why there is none.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct Composition {
    /// The names of the rules.
    pub word: Vec<String>,
    /// Whether the sequence can be carried out from some state.
    pub valid: bool,
    /// Why no state admits it; `None` otherwise.
    pub reason: Option<String>,
    /// The cost of the sequence.
    pub cost: Option<u64>,
    /// The preconditions of the macro-rule, position by position.
    pub preconditions: Option<Vec<String>>,
    /// Its actions, position by position.
    pub actions: Option<Vec<String>>,
    /// The macro-rule as text.
    pub rule: Option<String>,
    /// The steps of the composition, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Vec<Appended>>,
}

/// The record of appending one rule.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct Appended {
    /// The rule.
    pub appended: String,
    /// The steps at the positions that it tests.
    pub steps: Vec<CompositionStep>,
    /// The macro-rule up to here; `None` where the rule can't follow.
    pub rule: Option<String>,
}

/// The step at one position when a rule is appended.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct CompositionStep {
    /// The position, from 1.
    pub position: u32,
    /// The value that the sequence leaves there.
    pub found: String,
    /// The rule's precondition there.
    pub wanted: String,
    /// The subcase of Burch & Holte 2011 that applies.
    pub subcase: String,
    /// The unknown that was replaced.
    pub replaced: Option<String>,
    /// Its replacement.
    pub by: Option<String>,
}

impl Composition {
    /// Compose a sequence of rules, with a record of each step if requested.
    pub fn of(game: &Game, word: &[RuleId], with_trace: bool) -> Self {
        let names = RuleNames::new(game);
        let composed = compose(game, word);
        let rule = composed.as_ref().ok();
        let invalid = composed.as_ref().err();
        Self {
            word: names.names(word),
            valid: rule.is_some(),
            reason: invalid.map(|invalid| macro_rules::invalid(game, &names, word, invalid)),
            cost: rule.map(CanonicalRule::cost),
            preconditions: rule.map(|rule| macro_rules::terms(game, rule.preconditions())),
            actions: rule.map(|rule| macro_rules::terms(game, rule.actions())),
            rule: rule.map(|rule| game.format_rule(rule)),
            trace: with_trace.then(|| trace(game, &names, word)),
        }
    }
}

/// The macro-rule of a sequence.
pub(crate) fn compose(game: &Game, word: &[RuleId]) -> Result<CanonicalRule, Invalid> {
    let rules = word.iter().map(|id| &game.rule(*id).canonical);
    compose_all(game.n_variables(), rules)
}

/// The record of composing a word rule by rule, the first one alone included: it starts from the
/// empty sequence.
pub(super) fn trace(game: &Game, names: &RuleNames<'_>, word: &[RuleId]) -> Vec<Appended> {
    let mut entries = Vec::new();
    let mut so_far: Option<CanonicalRule> = None;
    for id in word {
        let rule = &game.rule(*id).canonical;
        let (steps, result) = match &so_far {
            None => (Vec::new(), Some(rule.clone())),
            Some(so_far) => {
                let trace = compose_traced(so_far, rule);
                (steps(game, &trace), trace.result.ok())
            }
        };
        entries.push(Appended {
            appended: names.name(*id),
            steps,
            rule: result.as_ref().map(|rule| game.format_rule(rule)),
        });
        match result {
            Some(rule) => so_far = Some(rule),
            None => break,
        }
    }
    entries
}

fn steps(game: &Game, trace: &Trace) -> Vec<CompositionStep> {
    let mut entries: Vec<CompositionStep> = trace
        .steps
        .iter()
        .map(|step| {
            let (replaced, by) = match step.update {
                Update::Nothing => (None, None),
                Update::Replace { unknown, by } => (
                    Some(format!("x{}", unknown.0 + 1)),
                    Some(game.format_term(unknown, by)),
                ),
            };
            CompositionStep {
                position: step.position.0 + 1,
                found: game.format_term(step.position, step.found),
                wanted: game.format_term(step.position, step.wanted),
                subcase: step.subcase.to_string(),
                replaced,
                by,
            }
        })
        .collect();
    if let Err(conflict) = &trace.result {
        entries.push(CompositionStep {
            position: conflict.position.0 + 1,
            found: game.format_term(conflict.position, conflict.found),
            wanted: game.format_term(conflict.position, conflict.wanted),
            subcase: conflict.subcase.to_string(),
            replaced: None,
            by: None,
        });
    }
    entries
}
