//! Lines that several parts of a certificate have.

use std::collections::BTreeMap;
use std::fmt::Write;

use psvn_ir::Value;

use crate::error::{CertificateError, number};

/// The digits of values in words.
const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// Write numbers, each after a space.
pub(crate) fn write_numbers(text: &mut String, numbers: impl Iterator<Item = usize>) {
    for number in numbers {
        write!(text, " {number}").expect("a string takes all");
    }
}

/// Write lists of numbers for variables or rules, which are numbered from 0: a line of the keyword
/// for all that have the same list.
pub(crate) fn write_lists<N: Copy + Into<u64>>(
    text: &mut String,
    keyword: &str,
    lists: impl Iterator<Item = (usize, Vec<N>)>,
) -> Result<(), CertificateError> {
    let mut with: BTreeMap<Vec<u64>, Vec<String>> = BTreeMap::new();
    for (position, list) in lists {
        let list = list.into_iter().map(Into::into).collect();
        with.entry(list)
            .or_default()
            .push((position + 1).to_string());
    }
    for (list, positions) in with {
        write!(text, "{keyword} {} :", positions.join(" ")).expect("a string takes all");
        for found in list {
            let found = number(found, "a cost, weight or value")?;
            write!(text, " {found}").expect("a string takes all");
        }
        text.push('\n');
    }
    Ok(())
}

/// Write a line for each state and its number, sorted by the last value first, without the last
/// values that it has in common with the line before.
pub(crate) fn write_entries<'a>(
    text: &mut String,
    entries: impl Iterator<Item = (&'a [Value], u64)>,
) -> Result<(), CertificateError> {
    let mut entries: Vec<(&[Value], u64)> = entries.collect();
    entries.sort_unstable_by(|(a, _), (b, _)| a.iter().rev().cmp(b.iter().rev()));
    let mut before: Option<&[Value]> = None;
    for (state, cost) in entries {
        let same = before.into_iter().flat_map(|before| before.iter().rev());
        let n_same = same
            .zip(state.iter().rev())
            .take_while(|(old, new)| old == new)
            .count()
            .min(state.len().saturating_sub(1));
        let given = &state[..state.len() - n_same];
        write!(text, "{}", number(cost, "the cost of a state")?).expect("a string takes all");
        if given.iter().all(|value| value.index() < DIGITS.len()) {
            text.push_str(" '");
            let digits = given.iter().map(|value| char::from(DIGITS[value.index()]));
            text.extend(digits);
        } else {
            for value in given {
                write!(text, " {}", value.index()).expect("a string takes all");
            }
        }
        text.push('\n');
        before = Some(state);
    }
    Ok(())
}
