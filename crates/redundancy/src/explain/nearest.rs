//! The sequence that comes nearest to replacing one that nothing replaces, in words.

use budget::count;
use invariants::Invariants;
use move_prune::Lack;
use psvn_ir::{CanonicalRule, Game, RuleId, RuleNames, TermKind, VarId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::known::{Known, canonical_rules};

/// The sequence that comes nearest.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct Nearest {
    /// Its rules.
    pub word: Vec<String>,
    /// The macro-rule that it makes.
    pub rule: String,
    /// Its cost.
    pub cost: u64,
    /// The conditions that it fails.
    pub failed: Vec<String>,
    /// The equations under which it could replace the sequence, where its preconditions and effects
    /// allow that at all and it needs some.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub missing: Vec<String>,
    /// The number of sequences that were compared; there are more if `complete` is false.
    pub compared: usize,
    /// Whether all sequences of at most the same length were compared.
    pub complete: bool,
}

/// Find the nearest sequence of at most the same length, in states with some invariants.
pub(super) fn find(
    game: &Game,
    word: &[RuleId],
    rule: &CanonicalRule,
    known: &Invariants,
    stop: impl Fn() -> bool,
) -> Option<Nearest> {
    let names = RuleNames::new(game);
    let found = move_prune::nearest(&canonical_rules(game), word, &Known(known), stop)?;
    let missing = found.lack.missing.iter().flatten();
    let missing: Vec<String> = missing.map(|it| game.format_equation(it)).collect();
    let length = found.word.len();
    Some(Nearest {
        word: names.names(&found.word),
        rule: game.format_rule(&found.rule),
        cost: found.rule.cost(),
        failed: describe(game, rule, &found.rule, &found.lack, &missing, length),
        missing,
        compared: found.n_compared,
        complete: found.is_complete,
    })
}

/// The conditions that fail, in words.
fn describe(
    game: &Game,
    special: &CanonicalRule,
    general: &CanonicalRule,
    lack: &Lack,
    missing: &[String],
    length: usize,
) -> Vec<String> {
    let mut failed = Vec::new();
    if !missing.is_empty() {
        let missing = missing.join(" and ");
        failed.push(format!("it can replace the sequence only where {missing}"));
    }
    let is_hopeless = lack.missing.is_none();
    let term = |position: usize, term| game.format_term(VarId::from_index(position), term);
    if let Some(position) = lack.demands.first().copied().filter(|_| is_hopeless) {
        let wanted = general.preconditions()[position];
        let has = special.preconditions()[position];
        let what = match (wanted.kind(), has.kind()) {
            (TermKind::Variable(var), _) => format!(
                "positions {} and {} must be equal, and needn't be for the sequence",
                var.0 + 1,
                position + 1
            ),
            (_, TermKind::Constant(_)) => format!(
                "position {} must hold {}, and {} for the sequence",
                position + 1,
                term(position, wanted),
                term(position, has)
            ),
            _ => format!(
                "position {} must hold {}, and may hold anything for the sequence",
                position + 1,
                term(position, wanted)
            ),
        };
        failed.push(format!(
            "it can't be used wherever the sequence can: {what}{}",
            more(lack.demands.len())
        ));
    }
    if let Some(position) = lack.effects.first().copied().filter(|_| is_hopeless) {
        failed.push(format!(
            "it leads to another state: position {} holds {} then, and {} after the sequence{}",
            position + 1,
            term(position, general.actions()[position]),
            term(position, special.actions()[position]),
            more(lack.effects.len())
        ));
    }
    if lack.costs_more {
        failed.push(format!(
            "it costs more: {} > {}",
            general.cost(),
            special.cost()
        ));
    }
    if lack.comes_later {
        failed.push(format!(
            "it comes later in the order, among the sequences of {}",
            count(length, "rule")
        ));
    }
    failed
}

fn more(n: usize) -> String {
    match n {
        0 | 1 => String::new(),
        n => format!(", and so with {}", count(n - 1, "more position")),
    }
}
