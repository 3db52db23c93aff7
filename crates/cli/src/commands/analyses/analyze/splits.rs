//! Which rules are split by values, and what that saves.

use std::io::Write;

use psvn::analysis::{SplitPart, SplitRule, Splits};
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
    let (depth, start) = match (splits.depth, &splits.start) {
        (Some(depth), Some(start)) => (depth, start.as_str()),
        _ if !splits.is_empty() => (0, ""),
        (_, Some(start)) => {
            return Ok(writeln!(
                out,
                "\nNo rule is split: there are too many states near `{start}` to see what pays"
            )?);
        }
        (_, None) => {
            return Ok(writeln!(
                out,
                "\nNo rule is split: no state is known from which to see what pays"
            )?);
        }
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
    print_rules(&splits.rules, verbose, out)?;
    if splits.depth.is_some() {
        writeln!(
            out,
            "Nodes at depth {depth} from `{start}`: {} without splits, {} with them, {} in the ideal tree",
            splits.nodes_before, splits.nodes_after, splits.nodes_ideal
        )?;
    }
    Ok(())
}

/// The rules that are split, and why.
pub(crate) fn print_rules(
    rules: &[SplitRule],
    verbose: bool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let shown = if verbose {
        rules.len()
    } else {
        rules.len().min(MOST_RULES)
    };
    for rule in &rules[..shown] {
        let redundant: Vec<&SplitPart> = rule.parts.iter().filter(|it| it.redundant).collect();
        writeln!(
            out,
            "  {} by {}: {}{}",
            rule.rule,
            rule.by.join(" and "),
            count(rule.parts.len(), "part"),
            match redundant.len() {
                0 => String::new(),
                n => format!(", {n} of them redundant"),
            }
        )?;
        for part in redundant.iter().filter(|_| verbose) {
            writeln!(
                out,
                "    never needed where {}",
                part.conditions.join(" and ")
            )?;
        }
        let n_whys = if verbose { rule.why.len() } else { 1 };
        for why in rule.why.iter().take(n_whys) {
            let replacement = match why.replacement.as_slice() {
                [] => "doing nothing".to_owned(),
                rules => rules.join(" "),
            };
            writeln!(
                out,
                "    {replacement} replaces {} where {}",
                why.word.join(" "),
                why.missing.join(" and ")
            )?;
        }
    }
    if shown < rules.len() {
        writeln!(
            out,
            "  ... and {} more (-v shows them)",
            rules.len() - shown
        )?;
    }
    Ok(())
}
