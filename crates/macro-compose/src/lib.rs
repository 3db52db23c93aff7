//! Composition of rule sequences into macro-rules (Burch & Holte 2011, "Composition of Move
//! Sequences").
//!
//! The preconditions and effects of a sequence of rules can be written as one rule, its macro-rule.
//! [`compose`] makes it for two rules, and [`compose_all`] for any number. [`compose_traced`]
//! reports which of the paper's seven [`Subcase`]s applied at each position, and a [`Composer`]
//! works without allocating.
//!
//! The crate knows rules but not games: it never uses domains, states or labels.
//!
//! # The seven subcases
//! Before the next rule with preconditions p² is appended, the sequence so far has the actions a.
//! At each position i, two terms meet: a_i, which the sequence leaves there, and p²_i, which the
//! rule requires there. If p²_i is an unknown x_k, the rule requires positions i and k to be equal,
//! so a_i is compared with a_k.
//!
//! | a_i | p²_i | a_k | subcase | what happens |
//! |---|---|---|---|---|
//! | constant | constant | | 1(a) | valid if they are equal |
//! | constant | x_k | constant | 1(b) | valid if a_i and a_k are equal |
//! | constant | x_k | x_m | 1(c) | x_m becomes the constant a_i |
//! | x_j | constant | | 2(a) | x_j becomes the constant p²_i |
//! | x_j | x_k | x_j | 2(b) | holds already |
//! | x_j | x_k | constant | 2(c) | x_j becomes the constant a_k |
//! | x_j | x_k | x_t, t ≠ j | 2(d) | the one with the greater index becomes the other |
//!
//! "Becomes" means: everywhere in p and a, at once, so that later positions see it. Then the
//! actions of the rule are applied to a.
//!
//! Two readings of the paper are wrong. One scan of it tests a_i where 1(b), 1(c), 2(c) and 2(d)
//! must test a_k. And subcase 2(b) is printed as "p²_i = x_j where a_i = x_j", with no update. That
//! is right when position j still has its own value. But after a swap `<x1 x2> -> <x2 x1>` a rule
//! that requires `<x1 x1>` finds a_2 = x1 and p²_2 = x1, and yet x1 and x2 must become equal. The
//! table above tests the position that p²_i names, in this case too.

mod composer;
mod subcase;
mod trace;

pub use composer::{Composer, PreparedRule};
pub use psvn_ir::CanonicalRule as MacroRule;
pub use subcase::{Conflict, Subcase, Update};
pub use trace::{Step, Trace, compose_traced};

/// A sequence that can't be carried out from any state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("rule {} of the sequence can never follow: {conflict}", index + 1)]
pub struct Invalid {
    /// The place in the sequence, from 0, of the first rule that can't follow.
    pub index: usize,
    /// The conflict of the two terms.
    pub conflict: Conflict,
}

/// Return the macro-rule of `first` followed by `second`.
///
/// # Errors
/// `second` can never follow `first`.
///
/// # Panics
/// If the rules belong to games with different numbers of variables.
pub fn compose(first: &MacroRule, second: &MacroRule) -> Result<MacroRule, Conflict> {
    let mut composer = Composer::new(first.n_variables());
    composer.load(first);
    composer.append(&PreparedRule::new(second))?;
    Ok(composer.to_macro_rule())
}

/// Return the macro-rule of a sequence of rules. That of the empty sequence is the identity over
/// `n_variables` positions.
///
/// # Errors
/// The sequence can't be carried out from any state.
///
/// # Panics
/// If a rule doesn't have `n_variables` positions.
pub fn compose_all<'a>(
    n_variables: usize,
    rules: impl IntoIterator<Item = &'a MacroRule>,
) -> Result<MacroRule, Invalid> {
    let mut composer = Composer::new(n_variables);
    for (index, rule) in rules.into_iter().enumerate() {
        composer
            .append(&PreparedRule::new(rule))
            .map_err(|conflict| Invalid { index, conflict })?;
    }
    Ok(composer.to_macro_rule())
}
