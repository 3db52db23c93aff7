//! Rules and goals without unknowns: every value that is read or overwritten is a constant.
//!
//! The effect of a move on a board is then known when the game is compiled, and is the same forward
//! and backward.

use psvn_ir::{CanonicalRule, Game, RuleId, Term, TermKind, VarId};

/// A value of a variable, by their numbers.
pub(crate) type Fact = (u32, u32);

/// A rule with constants for all unknowns that matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    /// The rule that it is an instance of.
    pub(crate) rule: RuleId,
    /// The required facts, by variable. The turn is left out.
    pub(crate) tests: Vec<Fact>,
    /// The variables that change, each with its old and its new value. The turn is included.
    pub(crate) changes: Vec<(u32, u32, u32)>,
}

/// The error that the number of instances would exceed the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMany;

/// The constants for the unknowns that need one, by position of the unknown in a vector of terms.
struct Assignments {
    /// The positions whose unknowns need a constant, each with the size of its domain.
    unknowns: Vec<(usize, u32)>,
}

impl Assignments {
    fn new(game: &Game, needed: &[bool]) -> Self {
        let unknowns = needed
            .iter()
            .enumerate()
            .filter(|(_, needed)| **needed)
            .map(|(i, _)| {
                let size = game.domain_of(VarId::from_index(i)).size();
                (i, u32::try_from(size).expect("domains are small"))
            })
            .collect();
        Self { unknowns }
    }

    /// Call a function for each combination, with the last unknown varying fastest. The function
    /// gets one constant for each position; unused ones are 0.
    fn for_each(
        &self,
        n_positions: usize,
        mut call: impl FnMut(&[u32]) -> Result<(), TooMany>,
    ) -> Result<(), TooMany> {
        let mut values = vec![0; n_positions];
        loop {
            call(&values)?;
            let next = self
                .unknowns
                .iter()
                .rposition(|(i, size)| values[*i] + 1 < *size);
            let Some(next) = next else {
                return Ok(());
            };
            values[self.unknowns[next].0] += 1;
            for (i, _) in &self.unknowns[next + 1..] {
                values[*i] = 0;
            }
        }
    }
}

/// Return the unknowns of a precondition vector that are at more than one position.
fn repeated(preconditions: &[Term]) -> Vec<bool> {
    let mut repeated = vec![false; preconditions.len()];
    for (i, term) in preconditions.iter().enumerate() {
        if let TermKind::Variable(var) = term.kind()
            && var.index() != i
        {
            repeated[var.index()] = true;
        }
    }
    repeated
}

/// Return the value of a term, if it is a constant or an unknown that has one.
fn resolve(term: Term, needed: &[bool], values: &[u32]) -> Option<u32> {
    match term.kind() {
        TermKind::Constant(value) => Some(value.0),
        TermKind::Variable(var) => needed[var.index()].then(|| values[var.index()]),
    }
}

/// Return the facts that a vector of preconditions requires under an assignment, without position
/// `skipped`.
fn demands(terms: &[Term], needed: &[bool], values: &[u32], skipped: Option<VarId>) -> Vec<Fact> {
    terms
        .iter()
        .enumerate()
        .filter(|(i, _)| skipped.is_none_or(|skipped| skipped.index() != *i))
        .filter_map(|(i, term)| Some((i as u32, resolve(*term, needed, values)?)))
        .collect()
}

/// Add the instances of a rule to a list of at most `limit` entries.
pub(crate) fn ground_rule(
    game: &Game,
    id: RuleId,
    turn: VarId,
    limit: usize,
    moves: &mut Vec<Move>,
) -> Result<(), TooMany> {
    let rule: &CanonicalRule = &game.rule(id).canonical;
    let before = rule.preconditions();
    let mut needed = repeated(before);
    for (i, term) in rule.changes() {
        for term in [before[i.index()], term] {
            if let Some(var) = term.as_variable() {
                needed[var.index()] = true;
            }
        }
    }
    Assignments::new(game, &needed).for_each(before.len(), |values| {
        if moves.len() >= limit {
            return Err(TooMany);
        }
        let changes = rule
            .changes()
            .filter_map(|(i, term)| {
                let old = resolve(before[i.index()], &needed, values)?;
                let new = resolve(term, &needed, values)?;
                (old != new).then_some((i.0, old, new))
            })
            .collect();
        moves.push(Move {
            rule: id,
            tests: demands(before, &needed, values, Some(turn)),
            changes,
        });
        Ok(())
    })
}

/// Add the instances of a goal, each as facts by variable (including the turn), to a list of at
/// most `limit` entries.
pub(crate) fn ground_goal(
    game: &Game,
    conditions: &[Term],
    limit: usize,
    goals: &mut Vec<Vec<Fact>>,
) -> Result<(), TooMany> {
    let needed = repeated(conditions);
    Assignments::new(game, &needed).for_each(conditions.len(), |values| {
        if goals.len() >= limit {
            return Err(TooMany);
        }
        goals.push(demands(conditions, &needed, values, None));
        Ok(())
    })
}
