//! How sequences were composed, as tables.

use std::io::Write;

use psvn::analysis::Appended;

use crate::output::table::{Align, Table};

/// Prints how sequences were composed.
pub(crate) fn print_trace<'t>(
    entries: impl Iterator<Item = &'t Appended>,
    out: &mut impl Write,
) -> std::io::Result<()> {
    for entry in entries {
        if entry.steps.is_empty() {
            writeln!(out, "{}", entry.appended)?;
        } else {
            writeln!(out, "then {}", entry.appended)?;
            let mut table = Table::new([
                ("position", Align::Right),
                ("found", Align::Left),
                ("wanted", Align::Left),
                ("subcase", Align::Left),
                ("", Align::Left),
            ]);
            let n_steps = entry.steps.len();
            for (i, step) in entry.steps.iter().enumerate() {
                let what = match (&step.replaced, &step.by) {
                    (Some(unknown), Some(by)) => format!("{unknown} becomes {by}"),
                    _ if entry.rule.is_none() && i + 1 == n_steps => "conflict".to_owned(),
                    _ => String::new(),
                };
                table.row([
                    step.position.to_string(),
                    step.found.clone(),
                    step.wanted.clone(),
                    step.subcase.clone(),
                    what,
                ]);
            }
            table.print(out)?;
        }
        if let Some(rule) = &entry.rule {
            writeln!(out, "  {rule}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
