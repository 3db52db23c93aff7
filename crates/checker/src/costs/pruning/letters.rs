//! The letters of machines: rules, or parts of rules.
//!
//! A part of a rule is the rule in the states where some variables have given values. In each state
//! with the invariants in which a rule can be used, just one of its parts can.

use std::sync::Arc;

use crate::costs::estimates::abstraction::split;
use crate::costs::flaw::{CostProblem, Fault};
use crate::costs::pruning::within::{Invariant, is_ruled_out};
use crate::costs::setting::moves::{Move, Rule, Term, Test};
use crate::costs::setting::prepared::Prepared;
use crate::costs::shared::Line;
use crate::limits::Limits;

/// A part of a rule, as the certificate gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) rule: usize,
    pub(crate) conditions: Vec<Condition>,
}

/// A variable, and the value that it must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Condition {
    pub(crate) variable: usize,
    pub(crate) value: u32,
}

/// What the letters of words stand for.
pub(crate) struct Letters {
    pub(crate) moves: Arc<[Move]>,
    /// For each part its rule; none where the letters are the rules.
    owners: Option<Vec<u32>>,
}

impl Letters {
    /// The parts, or the rules if there are no parts. The parts must be disjoint and cover their
    /// rules in states with the invariants.
    pub(crate) fn of(
        game: &Prepared<'_>,
        pieces: &[Line<Piece>],
        invariants: &[Line<Invariant>],
        limits: &Limits,
    ) -> Result<Self, Fault> {
        if pieces.is_empty() {
            return Ok(Self {
                moves: Arc::clone(&game.moves),
                owners: None,
            });
        }
        let move_of = |Line { line, item }: &Line<Piece>| {
            cut(game, item).map_err(|problem| problem.at(*line))
        };
        let moves = pieces.iter().map(move_of).collect::<Result<_, _>>()?;
        let mut of_rules: Vec<Vec<&Line<Piece>>> = vec![Vec::new(); game.moves.len()];
        for piece in pieces {
            of_rules[piece.item.rule].push(piece);
        }
        for (rule, (it, pieces)) in game.moves.iter().zip(&of_rules).enumerate() {
            check_apart(pieces)?;
            let cover = Cover {
                domains: game.domains,
                invariants,
                pieces,
                limits,
            };
            if !cover.is_whole(it, game.domains.len())? {
                return Err(CostProblem::PartMissing { rule }.into());
            }
        }
        let owners = pieces.iter().map(|piece| piece.item.rule as u32);
        Ok(Self {
            moves,
            owners: Some(owners.collect()),
        })
    }

    /// The rules that a word's letters belong to.
    pub(crate) fn rules_of(&self, word: &[u32]) -> Vec<u32> {
        match &self.owners {
            None => word.to_vec(),
            Some(owners) => word.iter().map(|letter| owners[*letter as usize]).collect(),
        }
    }
}

/// The rule where the conditions hold.
fn cut(game: &Prepared<'_>, piece: &Piece) -> Result<Move, CostProblem> {
    let rule = piece.rule;
    let whole = game.rules.get(rule);
    let mut part = whole.ok_or(CostProblem::UnknownRule { rule })?.item.clone();
    for &Condition { variable, value } in &piece.conditions {
        match part.preconditions.get(variable) {
            Some(Term::Value(held)) if *held == value => {}
            Some(&unknown @ Term::Unknown(_)) => put(&mut part, unknown, value),
            _ => return Err(CostProblem::PartNeverUsed { rule }),
        }
    }
    Ok(Move::of(&part, game.domains)?)
}

/// Put a value for an unknown of a rule.
fn put(rule: &mut Rule, unknown: Term, value: u32) {
    let terms = rule.preconditions.iter_mut().chain(&mut rule.actions);
    for term in terms.filter(|term| **term == unknown) {
        *term = Term::Value(value);
    }
}

/// Check that of the parts of a rule, no two ask for the same values.
fn check_apart(pieces: &[&Line<Piece>]) -> Result<(), Fault> {
    for (place, piece) in pieces.iter().enumerate() {
        let shares = |other: &&&Line<Piece>| !are_apart(&piece.item, &other.item);
        if let Some(other) = pieces[..place].iter().find(shares) {
            let other = other.line;
            return Err(CostProblem::PartsShareStates { other }.at(piece.line));
        }
    }
    Ok(())
}

/// Whether a variable must have one value in one part, and another one in the other.
fn are_apart(one: &Piece, other: &Piece) -> bool {
    one.conditions.iter().any(|a| {
        let mut conditions = other.conditions.iter();
        conditions.any(|b| a.variable == b.variable && a.value != b.value)
    })
}

/// The parts of a rule.
struct Cover<'c> {
    domains: &'c [u32],
    invariants: &'c [Line<Invariant>],
    pieces: &'c [&'c Line<Piece>],
    limits: &'c Limits,
}

impl Cover<'_> {
    /// Whether one of the parts can be used in each state with the invariants in which a move can.
    /// The values of the variables that parts name are tried one after the other, at most
    /// `n_variables`, in the order of the verified checker.
    fn is_whole(&self, it: &Move, n_variables: usize) -> Result<bool, Fault> {
        self.limits.check()?;
        let is_used = |piece: &&Line<Piece>| {
            let mut conditions = piece.item.conditions.iter();
            conditions.all(|of| is_given(it, of))
        };
        if is_ruled_out(self.invariants, self.domains, &it.tests) || self.pieces.iter().any(is_used)
        {
            return Ok(true);
        }
        let Some(variable) = self.open_variable(it).filter(|_| n_variables > 0) else {
            return Ok(false);
        };
        for (_, with_value) in split(it, variable, self.domains[variable]) {
            if !self.is_whole(&with_value, n_variables - 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A variable whose value decides whether the first part that may be used can be used.
    fn open_variable(&self, it: &Move) -> Option<usize> {
        let is_possible = |piece: &&&Line<Piece>| {
            let mut conditions = piece.item.conditions.iter();
            !conditions.any(|of| is_denied(it, of))
        };
        let first = self.pieces.iter().find(is_possible)?;
        let mut conditions = first.item.conditions.iter();
        let open = conditions.find(|of| !is_given(it, of))?;
        Some(open.variable)
    }
}

fn is_given(it: &Move, condition: &Condition) -> bool {
    it.tests[condition.variable] == Test::Is(condition.value)
}

fn is_denied(it: &Move, condition: &Condition) -> bool {
    matches!(it.tests[condition.variable], Test::Is(value) if value != condition.value)
}
