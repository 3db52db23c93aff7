//! Lines that several results have.

use std::io::{self, Write};

use psvn::analysis::{Appended, SplitPart, SplitRule};
use psvn::text::units::{count, group_digits};

use super::{Align, Style, Table};

/// The width to which text is wrapped.
pub(super) const WIDTH: usize = 80;

/// The maximum number of assumptions that are listed unless all are requested.
const MOST_ASSUMPTIONS: usize = 4;

/// The maximum number of split rules that are listed unless all are requested.
const MOST_RULES: usize = 6;

/// Return a number of entries of tables in words.
pub(super) fn entries(n: u64) -> String {
    match n {
        1 => "1 entry".to_owned(),
        n => format!("{} entries", group_digits(n.into())),
    }
}

/// Return a sequence of letters; the empty one has a word.
pub(super) fn sequence(word: &[String]) -> String {
    match word {
        [] => "doing nothing".to_owned(),
        letters => letters.join(" "),
    }
}

/// Words in lines of at most `width` characters, but for single words that are longer.
pub(crate) fn wrap(words: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.clone()),
        }
    }
    lines
}

/// Write a paragraph in lines that fit, all but the first one indented.
pub(super) fn paragraph(text: &str, out: &mut dyn Write) -> io::Result<()> {
    let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    for (number, line) in wrap(&words, WIDTH - 2).into_iter().enumerate() {
        let indent = if number == 0 { "" } else { "  " };
        writeln!(out, "{indent}{line}")?;
    }
    Ok(())
}

/// List all assumptions, or a few of them.
///
/// # Errors
/// When `out` can't be written to.
pub(super) fn assumptions(
    lines: &[String],
    indent: &str,
    style: &Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let shown = style.shown(lines.len(), MOST_ASSUMPTIONS);
    for line in &lines[..shown] {
        writeln!(out, "{indent}{line}")?;
    }
    if shown < lines.len() {
        writeln!(out, "{indent}{}", style.more(lines.len() - shown))?;
    }
    Ok(())
}

/// List the rules that are split, and why.
pub(super) fn split_rules(
    rules: &[SplitRule],
    indent: &str,
    style: &Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let shown = style.shown(rules.len(), MOST_RULES);
    for rule in &rules[..shown] {
        let redundant: Vec<&SplitPart> = rule.parts.iter().filter(|it| it.redundant).collect();
        writeln!(
            out,
            "{indent}{} by {}: {}{}",
            rule.rule,
            rule.by.join(" and "),
            count(rule.parts.len(), "part"),
            match redundant.len() {
                0 => String::new(),
                n => format!(", {n} of them redundant"),
            }
        )?;
        for part in redundant.iter().filter(|_| style.all) {
            writeln!(
                out,
                "{indent}  never needed where {}",
                part.conditions.join(" and ")
            )?;
        }
        for why in rule.why.iter().take(style.shown(rule.why.len(), 1)) {
            writeln!(
                out,
                "{indent}  {} replaces {} where {}",
                sequence(&why.replacement),
                why.word.join(" "),
                why.missing.join(" and ")
            )?;
        }
    }
    if shown < rules.len() {
        writeln!(out, "{indent}{}", style.more(rules.len() - shown))?;
    }
    Ok(())
}

/// Show how sequences were composed.
pub(super) fn trace<'t>(
    entries: impl Iterator<Item = &'t Appended>,
    out: &mut dyn Write,
) -> io::Result<()> {
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
