//! The result of an analysis.

use std::io::{self, Write};
use std::time::Duration;

use psvn::analysis::{
    AnalysisReport, Assumptions, Level, RejectedFor, RejectedReport, RuleOrderChoice, Size,
    SplitRule, Splits,
};
use psvn::text::Choice;
use psvn::text::units::{count, format_bytes, format_seconds};

use crate::show::lines::{assumptions, sequence, split_rules};
use crate::show::row::{columns, records};
use crate::show::{Align, Records, Show, Style, Table};

/// The maximum number of rules that are listed when they are in another order than in the file.
const MOST_RULES_LISTED: usize = 50;

impl Show for AnalysisReport {
    fn show(&self, style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let of = self;
        print_title(of, out)?;
        if !of.ignored_variables.is_empty() {
            let numbers: Vec<String> = of.ignored_variables.iter().map(usize::to_string).collect();
            writeln!(
                out,
                "Variables that no goal depends on, ignored: {}",
                numbers.join(" ")
            )?;
        }
        writeln!(out)?;
        if !of.levels.is_empty() {
            print_levels(of, style, out)?;
            writeln!(out)?;
        }
        writeln!(out, "{}", count(of.redundant_words, "redundant word"))?;
        if let Some(rejected) = &of.rejected {
            writeln!(
                out,
                "{} led where an earlier one leads, without being redundant",
                count(rejected.len(), "word")
            )?;
            if style.all {
                print_rejected(rejected, out)?;
            }
        }
        print_machines(of, out)?;
        if let Some(factor) = of.branching_factor {
            writeln!(out, "Asymptotic branching factor {factor:.6}")?;
        }
        print_order(of, out)?;
        print_assumptions(of, style, out)?;
        if let Some(splits) = &of.splits {
            print_splits(splits, of.rules, style, out)?;
        }
        if let Some(ideal) = &of.ideal {
            ideal.show(style, out)?;
        }
        writeln!(
            out,
            "{}",
            format_seconds(Duration::from_secs_f64(of.seconds))
        )?;
        Ok(())
    }

    fn records(&self) -> Option<Records> {
        if let Some(ideal) = &self.ideal {
            return ideal.records();
        }
        records(&self.levels)
    }
}

columns!(Level: length, composed, impossible, redundant, kept, seconds, bytes);

/// Print the game, and which sequences were compared.
fn print_title(of: &AnalysisReport, out: &mut dyn Write) -> io::Result<()> {
    let operators = match &of.labels {
        None => String::new(),
        Some(labels) => format!(" with {}", count(labels.len(), "label")),
    };
    writeln!(
        out,
        "{}: {}, {}{operators}",
        of.file,
        count(of.variables, "variable"),
        count(of.rules, "rule"),
    )?;
    let letters = if of.labels.is_some() {
        "labels"
    } else {
        "rules"
    };
    writeln!(
        out,
        "Sequences{} up to length {}, compared by {}{}; {}",
        if of.labels.is_some() {
            " of labels"
        } else {
            ""
        },
        of.max_length,
        match of.order.as_str() {
            "cost" => "cost alone".to_owned(),
            "cost-length-lexicographic" => format!("cost, by length and then by {letters}"),
            _ => format!("length and then by {letters}"),
        },
        if let Some(labels) = of.labels.as_ref().filter(|_| of.is_reordered) {
            format!(" in the order {}", labels.join(" "))
        } else if of.rule_order == RuleOrderChoice::Label.name() {
            " in the order of their labels".to_owned()
        } else if of.rule_order == RuleOrderChoice::Optimize.name() {
            " in an optimized order".to_owned()
        } else {
            String::new()
        },
        Assumptions::describe(of.assumed_of, &of.assumed_invariants),
    )?;
    Ok(())
}

/// Print the order of rules, and what it gains.
fn print_order(of: &AnalysisReport, out: &mut dyn Write) -> io::Result<()> {
    if let Some(rules) = &of.rules_in_order {
        let shown = &rules[..rules.len().min(MOST_RULES_LISTED)];
        let more = if shown.len() < rules.len() {
            " ..."
        } else {
            ""
        };
        writeln!(out, "Rules in this order: {}{more}", shown.join(" "))?;
    }
    match (of.rule_order_gain, of.rule_order_depth) {
        (None, _) => {}
        (Some([before, after]), None) => writeln!(
            out,
            "The rules in the order of the file give {before:.6}, in this order {after:.6}"
        )?,
        (Some([before, after]), Some(depth)) => writeln!(
            out,
            "Down to depth {depth}, the rules in the order of the file leave {before:.0} nodes, in \
         this order {after:.0}"
        )?,
    }
    Ok(())
}

impl Show for [SplitRule] {
    fn show(&self, style: &Style, out: &mut dyn Write) -> io::Result<()> {
        match self {
            [] => writeln!(out, "  none of the rules"),
            rules => split_rules(rules, "  ", style, out),
        }
    }
}

fn print_levels(of: &AnalysisReport, style: &Style, out: &mut dyn Write) -> io::Result<()> {
    let mut head = vec!["length", "composed", "impossible", "redundant", "kept"];
    let has_rejected = of.levels.iter().any(|level| level.rejected.is_some());
    if has_rejected {
        head.push("rejected");
    }
    if style.all {
        head.extend(["seconds", "memory"]);
    }
    let mut table = Table::new(head.into_iter().map(|title| (title, Align::Right)));
    for level in &of.levels {
        let mut row = vec![
            level.length.to_string(),
            level.composed.to_string(),
            level.impossible.to_string(),
            level.redundant.to_string(),
            level.kept.to_string(),
        ];
        if has_rejected {
            row.push(level.rejected.unwrap_or(0).to_string());
        }
        if style.all {
            row.push(format_seconds(Duration::from_secs_f64(level.seconds)));
            row.push(format_bytes(level.bytes as u128));
        }
        table.row(row);
    }
    table.print(out)
}

fn print_machines(of: &AnalysisReport, out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::new([
        ("machine", Align::Left),
        ("states", Align::Right),
        ("size", Align::Right),
    ]);
    let mut row = |name: &str, size: &Size| {
        table.row([
            name.to_owned(),
            size.states.to_string(),
            format_bytes(size.bytes),
        ]);
    };
    row("table", &of.fsm.table);
    row("Aho-Corasick", &of.fsm.aho_corasick);
    match &of.fsm.minimized {
        Some(size) => row("minimized", size),
        None => table.row(["minimized", "not built: too large, or out of time", ""]),
    }
    for (name, size) in [
        ("sleep sets", &of.fsm.sleep_sets),
        ("product", &of.fsm.product),
        ("with don't-cares", &of.fsm.dont_cares),
    ] {
        if let Some(size) = size {
            table.row([
                name.to_owned(),
                size.states.to_string(),
                format_bytes(size.bytes),
            ]);
        }
    }
    table.print(out)
}

fn print_assumptions(of: &AnalysisReport, style: &Style, out: &mut dyn Write) -> io::Result<()> {
    let lines = &of.assumed_invariants;
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "Assumed of the states that a search starts from:")?;
    assumptions(lines, "  ", style, out)
}

fn print_rejected(rejected: &[RejectedReport], out: &mut dyn Write) -> io::Result<()> {
    for entry in rejected {
        let reason = match entry.reason {
            RejectedFor::Inapplicable => "can't be used wherever it can",
            RejectedFor::LeadsElsewhere => "leads elsewhere from other states",
            RejectedFor::CostsMore => "costs more",
        };
        let earlier = sequence(&entry.earlier);
        writeln!(
            out,
            "  {}: {earlier} {reason}, such as {}",
            entry.word.join(" "),
            entry.instance.join(" ")
        )?;
    }
    Ok(())
}

fn print_splits(
    splits: &Splits,
    n_rules: usize,
    style: &Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    if let Some(reason) = splits.why_missing() {
        return writeln!(out, "\nNo rule is split, because {reason}");
    }
    let (depth, start) = match (splits.depth, &splits.start) {
        (Some(depth), Some(start)) => (depth, start.as_str()),
        _ if !splits.is_empty() => (0, ""),
        (_, Some(start)) => {
            return writeln!(
                out,
                "\nNo rule is split: there are too many states near `{start}` to judge splits by"
            );
        }
        (_, None) => {
            return writeln!(
                out,
                "\nNo rule is split: no start state is known to judge splits by"
            );
        }
    };
    if splits.is_empty() {
        return writeln!(
            out,
            "\nNo rule is split: {} at depth {depth}, and {} are ideal",
            count(
                usize::try_from(splits.nodes_before).unwrap_or(usize::MAX),
                "node"
            ),
            splits.nodes_ideal
        );
    }
    writeln!(
        out,
        "\n{} of {} split by values, which makes {} letters and {}:",
        splits.rules.len(),
        count(n_rules, "rule"),
        splits.letters,
        count(splits.redundant_words, "redundant word"),
    )?;
    split_rules(&splits.rules, "  ", style, out)?;
    if splits.depth.is_some() {
        writeln!(
            out,
            "Nodes at depth {depth} from `{start}`: {} without splits, {} with them, {} in the ideal tree",
            splits.nodes_before, splits.nodes_after, splits.nodes_ideal
        )?;
    }
    Ok(())
}
