//! Macro-rules, conflicts and substitutions in words.

use macro_compose::{Conflict, Invalid};
use psvn_ir::{CanonicalRule, Game, RuleId, RuleNames, Term, VarId};

/// Why a sequence can't be carried out: the rule that can't follow, and the conflict.
pub(crate) fn invalid(
    game: &Game,
    names: &RuleNames<'_>,
    word: &[RuleId],
    invalid: &Invalid,
) -> String {
    let rule = names.name(word[invalid.index]);
    let before = match word[..invalid.index].len() {
        0 => "the start".to_owned(),
        _ => names.word(&word[..invalid.index]),
    };
    format!(
        "{rule} can never follow {before}: {}",
        conflict(game, &invalid.conflict)
    )
}

/// A conflict in words: the value found, and the value required.
fn conflict(game: &Game, conflict: &Conflict) -> String {
    let Conflict {
        position,
        subcase,
        found,
        wanted,
    } = conflict;
    format!(
        "position {} holds {} then, and {} is needed there (subcase {subcase})",
        position.0 + 1,
        game.format_term(*position, *found),
        game.format_term(*position, *wanted),
    )
}

/// The substitution under which `general` becomes `special`, without identities: pairs of an
/// unknown of `general` and its term.
pub(crate) fn substitution(
    game: &Game,
    general: &CanonicalRule,
    special: &CanonicalRule,
) -> Vec<(String, String)> {
    general
        .preconditions()
        .iter()
        .enumerate()
        .filter(|(position, term)| term.is_own_variable(*position))
        .map(|(position, term)| (position, *term, special.preconditions()[position]))
        .filter(|(_, unknown, value)| unknown != value)
        .map(|(position, unknown, value)| {
            let var = VarId::from_index(position);
            (game.format_term(var, unknown), game.format_term(var, value))
        })
        .collect()
}

/// Return the terms of a vector, one text each.
pub fn terms(game: &Game, terms: &[Term]) -> Vec<String> {
    terms
        .iter()
        .enumerate()
        .map(|(position, term)| game.format_term(VarId::from_index(position), *term))
        .collect()
}
