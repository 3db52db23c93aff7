//! Which rules are split by values, and what that saves.

use std::io::Write;

use psvn::analysis::Splits;
use psvn::text::units::count;

use crate::failure::Failure;

/// The most rules that are listed unless all are asked for.
const MOST_RULES: usize = 6;

pub(super) fn print(
    splits: &Splits,
    n_rules: usize,
    verbose: bool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let Some(depth) = splits.depth else {
        return Ok(writeln!(
            out,
            "\nNo rule is split: there are too many states near `{}` to see what pays",
            splits.start
        )?);
    };
    if splits.is_empty() {
        return Ok(writeln!(
            out,
            "\nNo rule is split: {} at depth {depth}, and {} are ideal",
            count(
                usize::try_from(splits.nodes_before).unwrap_or(usize::MAX),
                "node"
            ),
            splits.nodes_ideal
        )?);
    }
    writeln!(
        out,
        "\n{} of {} split by values, which makes {} letters and {}:",
        splits.rules.len(),
        count(n_rules, "rule"),
        splits.letters,
        count(splits.redundant_words, "redundant word"),
    )?;
    let shown = if verbose {
        splits.rules.len()
    } else {
        splits.rules.len().min(MOST_RULES)
    };
    for rule in &splits.rules[..shown] {
        writeln!(
            out,
            "  {} by {}: {}",
            rule.rule,
            rule.by.join(" and "),
            count(rule.parts.len(), "part")
        )?;
    }
    if shown < splits.rules.len() {
        writeln!(
            out,
            "  ... and {} more (-v shows them)",
            splits.rules.len() - shown
        )?;
    }
    writeln!(
        out,
        "Nodes at depth {depth} from `{}`: {} without splits, {} with them, {} in the ideal tree",
        splits.start, splits.nodes_before, splits.nodes_after, splits.nodes_ideal
    )?;
    Ok(())
}
