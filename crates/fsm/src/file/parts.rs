//! Reads the letters that are parts of rules.

use crate::file::contents::{FileError, MachineKind, RulePart, SplitReason, VERSION_3};
use crate::file::cursor::{Cursor, check_letters};
use crate::file::header::{Header, inconsistent};

/// The parts of rules that are letters.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    /// The parts of each rule; empty if letters are rules or operators.
    pub(super) of_rules: Vec<Vec<RulePart>>,
    /// The reasons why rules are split.
    pub(super) reasons: Vec<SplitReason>,
}

impl Parts {
    /// Return the number of letters in replacements: the number of rules if letters are parts of
    /// them.
    pub(super) fn n_rules(&self, n_letters: u32) -> u32 {
        match self.of_rules.len() {
            0 => n_letters,
            n_rules => u32::try_from(n_rules).expect("it was read as a number of 32 bits"),
        }
    }
}

/// Read the parts at the end of the details; none in files of older versions. Callers who know the
/// game must check that they are parts of its rules, disjoint and complete.
pub(super) fn read(cursor: &mut Cursor<'_>, header: &Header) -> Result<Parts, FileError> {
    let mut parts = Parts::default();
    if header.version <= VERSION_3 || cursor.rest().is_empty() {
        return Ok(parts);
    }
    let n_rules = cursor.n_things()?;
    if n_rules == 0 {
        return Err(inconsistent("there are parts of no rules"));
    }
    for _ in 0..n_rules {
        let n_parts = cursor.n_things()?;
        let of_rule = (0..n_parts).map(|_| part(cursor));
        parts.of_rules.push(of_rule.collect::<Result<_, _>>()?);
    }
    let n_parts: usize = parts.of_rules.iter().map(Vec::len).sum();
    if n_parts != header.n_letters as usize {
        return Err(inconsistent("there are not as many parts as letters"));
    }
    if header.n_swaps > 0 || header.kind == Some(MachineKind::MinimizedWithDontCares) {
        return Err(inconsistent(
            "it has split rules together with swaps or don't-cares, which exclude each other",
        ));
    }
    let n_reasons = cursor.n_things()?;
    let n_rules = parts.n_rules(header.n_letters);
    for _ in 0..n_reasons {
        let (rule, position) = (cursor.varint()?, cursor.varint()?);
        check_letters(vec![rule], n_rules)?;
        parts.reasons.push(SplitReason {
            rule,
            position,
            word: cursor.letters(n_rules)?.into(),
            replacement: cursor.letters(n_rules)?.into(),
        });
    }
    Ok(parts)
}

fn part(cursor: &mut Cursor<'_>) -> Result<RulePart, FileError> {
    let n_conditions = cursor.n_things()?;
    let condition = |_| Ok((cursor.varint()?, cursor.varint()?));
    let conditions = (0..n_conditions).map(condition);
    Ok(RulePart {
        conditions: conditions.collect::<Result<_, FileError>>()?,
    })
}
