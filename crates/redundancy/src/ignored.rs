//! Variables that a machine ignores, since no goal depends on them.
//!
//! A machine file records them among its assumptions, in one line. Earlier versions, which read
//! that line as an invariant, refuse the file.

use psvn_ir::VarId;

/// The beginning of the line. The numbers of the variables follow, from 1.
const BEGINNING: &str = "for goals, which don't look at variables";

/// Return the line that lists the ignored variables.
pub fn line(ignored: &[VarId]) -> String {
    ignored.iter().fold(BEGINNING.to_owned(), |line, var| {
        format!("{line} {}", var.index() + 1)
    })
}

/// Return assumptions with the line in front, if any variable is ignored.
pub fn with_line(ignored: &[VarId], lines: &[String]) -> Vec<String> {
    let first = (!ignored.is_empty()).then(|| line(ignored));
    first.into_iter().chain(lines.iter().cloned()).collect()
}

/// Return the variables that assumptions ignore.
pub fn variables_in(lines: &[String]) -> Vec<VarId> {
    let numbers = lines.iter().filter_map(|line| parse(line));
    numbers.flatten().collect()
}

/// Return the assumptions that are about states.
pub fn other_lines(lines: &[String]) -> Vec<String> {
    let others = lines.iter().filter(|line| parse(line).is_none());
    others.cloned().collect()
}

/// The variables that a line names; `None` if it is about something else or invalid.
fn parse(line: &str) -> Option<Vec<VarId>> {
    let numbers = line.strip_prefix(BEGINNING)?;
    let variable = |number: &str| {
        let number: usize = number.parse().ok()?;
        u32::try_from(number.checked_sub(1)?).ok().map(VarId)
    };
    numbers.split_whitespace().map(variable).collect()
}
