//! Composition with a record of every step.

use psvn_ir::{Term, VarId};

use crate::MacroRule;
use crate::composer::{Composer, PreparedRule};
use crate::subcase::{Conflict, Subcase, Update, decide};

/// One step of a composition, at one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The position.
    pub position: VarId,
    /// The term that the sequence leaves there: a_i, earlier replacements included.
    pub found: Term,
    /// The term that the rule requires there: p²_i.
    pub wanted: Term,
    /// The subcase.
    pub subcase: Subcase,
    /// The effect of the subcase.
    pub update: Update,
}

/// A record of one composition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// One step for each position, in order, up to the conflict if there is one.
    pub steps: Vec<Step>,
    /// The actions after all updates and before the rule's own actions are applied.
    pub actions_before: Vec<Term>,
    /// The macro-rule, or the conflict.
    pub result: Result<MacroRule, Conflict>,
}

/// Compose two rules as [`compose`](crate::compose) does, and record every position, tested or not.
///
/// # Panics
/// If the rules belong to games with different numbers of variables.
pub fn compose_traced(first: &MacroRule, second: &MacroRule) -> Trace {
    let mut composer = Composer::new(first.n_variables());
    composer.load(first);
    let mut steps = Vec::with_capacity(first.n_variables());
    let mut result = Ok(());
    for (i, wanted) in second.preconditions().iter().enumerate() {
        let position = VarId::from_index(i);
        let found = composer.actions()[i];
        match decide(composer.actions(), position, *wanted) {
            Ok((subcase, update)) => {
                steps.push(Step {
                    position,
                    found,
                    wanted: *wanted,
                    subcase,
                    update,
                });
                composer.apply_update(update);
            }
            Err(conflict) => {
                result = Err(conflict);
                break;
            }
        }
    }
    let actions_before = composer.actions().to_vec();
    let result = result.map(|()| {
        composer.apply_changes(&PreparedRule::new(second));
        composer.to_macro_rule()
    });
    Trace {
        steps,
        actions_before,
        result,
    }
}
