//! The seven subcases of an effect that meets a precondition.

use std::fmt;

use psvn_ir::{Term, TermKind, VarId};

/// Which subcase of Burch & Holte 2011 applies at a position (see the table in the crate's
/// documentation).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subcase {
    /// 1(a): a constant meets a constant.
    Case1a,
    /// 1(b): a constant meets an unknown whose position holds a constant.
    Case1b,
    /// 1(c): a constant meets an unknown whose position holds an unknown.
    Case1c,
    /// 2(a): an unknown meets a constant.
    Case2a,
    /// 2(b): an unknown meets an unknown whose position holds the same one.
    Case2b,
    /// 2(c): an unknown meets an unknown whose position holds a constant.
    Case2c,
    /// 2(d): an unknown meets an unknown whose position holds another.
    Case2d,
}

impl fmt::Display for Subcase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Subcase::Case1a => "1(a)",
            Subcase::Case1b => "1(b)",
            Subcase::Case1c => "1(c)",
            Subcase::Case2a => "2(a)",
            Subcase::Case2b => "2(b)",
            Subcase::Case2c => "2(c)",
            Subcase::Case2d => "2(d)",
        })
    }
}

/// The effect of a subcase on the macro-rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Update {
    /// The precondition holds already.
    Nothing,
    /// All occurrences of the unknown value of a position are replaced.
    Replace {
        /// The unknown.
        unknown: VarId,
        /// The constant, or the unknown with a smaller index, that takes its place.
        by: Term,
    },
}

/// Two constants meet that differ: the rule can never follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("at position {} subcase {subcase} finds {found:?} where {wanted:?} is needed", position.0 + 1)]
pub struct Conflict {
    /// The position.
    pub position: VarId,
    /// 1(a) or 1(b).
    pub subcase: Subcase,
    /// The constant that the sequence leaves there.
    pub found: Term,
    /// The constant that the rule wants there.
    pub wanted: Term,
}

/// Decide the subcase at `position`, where the sequence has the actions `a` and the rule the
/// precondition `wanted`.
#[inline]
pub(crate) fn decide(
    a: &[Term],
    position: VarId,
    wanted: Term,
) -> Result<(Subcase, Update), Conflict> {
    let found = a[position.index()];
    let equal_constants = |subcase, wanted: Term| {
        if found == wanted {
            Ok((subcase, Update::Nothing))
        } else {
            Err(Conflict {
                position,
                subcase,
                found,
                wanted,
            })
        }
    };
    let replace = |subcase, unknown, by| Ok((subcase, Update::Replace { unknown, by }));
    match (found.kind(), wanted.kind()) {
        (TermKind::Constant(_), TermKind::Constant(_)) => equal_constants(Subcase::Case1a, wanted),
        (TermKind::Constant(_), TermKind::Variable(k)) => {
            let named = a[k.index()];
            match named.kind() {
                TermKind::Constant(_) => equal_constants(Subcase::Case1b, named),
                TermKind::Variable(m) => replace(Subcase::Case1c, m, found),
            }
        }
        (TermKind::Variable(j), TermKind::Constant(_)) => replace(Subcase::Case2a, j, wanted),
        (TermKind::Variable(j), TermKind::Variable(k)) => {
            let named = a[k.index()];
            match named.kind() {
                TermKind::Variable(t) if t == j => Ok((Subcase::Case2b, Update::Nothing)),
                TermKind::Constant(_) => replace(Subcase::Case2c, j, named),
                TermKind::Variable(t) => {
                    replace(Subcase::Case2d, j.max(t), Term::variable(j.min(t)))
                }
            }
        }
    }
}
