//! What `psvn analyze` prints.

use std::io::Write;
use std::time::{Duration, Instant};

use psvn_ir::RuleId;
use serde::Serialize;

use super::{ideal, splits};
use psvn::analysis::{Assumptions, AssumptionsSource as Source, Ideal, Splits};
use psvn::analysis::{Method, RuleOrderChoice};
use psvn::text::Choice;

use crate::failure::Failure;
use crate::output::assumptions;
use crate::output::table::{Align, Table};
use crate::session::Context;
use psvn::Game;
use psvn::RuleNames;
use psvn::analysis::OperatorOrder;
use psvn::analysis::{
    AnalysisRequest, Level, MachineSizes, Rejected, RejectedFor, Stopped, Summary,
};
use psvn::machine::Size;
use psvn::text::units::{count, format_bytes, format_seconds};

/// The most rules that are listed as text when they are in another order than in the file.
const MOST_RULES_LISTED: usize = 50;

#[derive(Serialize)]
pub(super) struct Report<'a> {
    file: &'a str,
    rules: usize,
    variables: usize,
    /// What sequences are made of: `rules` or `labels`.
    operators: &'static str,
    method: &'static str,
    /// The labels in the order in which they were compared, where they are operators.
    labels: Option<Vec<String>>,
    /// Whether that is another order than that of the file.
    #[serde(skip)]
    is_reordered: bool,
    /// The length up to which the analysis is complete.
    max_length: usize,
    order: &'a str,
    rule_order: &'static str,
    /// The rules in the order in which they were compared, unless that is the order of the file.
    rules_in_order: Option<Vec<String>>,
    /// The branching factors before and after, where the rule order was optimized.
    rule_order_gain: Option<[f64; 2]>,
    /// Where the assumed invariants come from.
    assumed_of: Source,
    assumed_invariants: &'a [String],
    levels: &'a [Level],
    redundant_words: usize,
    /// What looked like a duplicate to the learner, and is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    rejected: Option<Vec<RejectedEntry>>,
    fsm: MachineSizes,
    /// Null where the machine would be too large to be built.
    branching_factor: Option<f64>,
    seconds: f64,
    /// Whether an earlier analysis found this.
    from_cache: bool,
    complete: bool,
    /// Why it stopped early: `time`, `memory` or `interrupted`.
    stopped: Option<Stopped>,
    /// The nodes of the machine's tree beside those of the ideal one, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ideal: Option<Ideal>,
    /// The rules that are split, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) splits: Option<Splits>,
}

#[derive(Serialize)]
struct RejectedEntry {
    word: Vec<String>,
    /// The word that leads from the learner's state to the same one.
    earlier: Vec<String>,
    reason: RejectedFor,
    /// An instance of the word that no instance of the earlier one replaces.
    instance: Vec<String>,
}

impl<'a> Report<'a> {
    pub(super) fn of(
        game: &'a Game,
        setting: &'a AnalysisRequest,
        summary: &'a Summary,
        from_cache: bool,
        started: Instant,
    ) -> Result<Self, Failure> {
        let names = RuleNames::new(game.ir());
        let name = |letter: &u32| names.name(RuleId(*letter));
        let labels: Option<Vec<String>> = match &setting.operator_order {
            None => None,
            Some(order) => {
                let operators = order.operators(game.ir())?;
                Some(operators.names().map(str::to_owned).collect())
            }
        };
        let label = |letter: &u32| {
            let labels = labels.as_deref().unwrap_or_default();
            labels.get(*letter as usize).cloned().unwrap_or_default()
        };
        let rejected = |rejected: &Rejected| RejectedEntry {
            word: rejected.word.iter().map(label).collect(),
            earlier: rejected.earlier.iter().map(label).collect(),
            reason: rejected.reason,
            instance: rejected.instance.iter().map(name).collect(),
        };
        let is_learned = setting.method == Method::Learner;
        Ok(Self {
            file: game.name(),
            rules: game.ir().rules().len(),
            variables: game.ir().n_variables(),
            operators: setting.letters.name(),
            method: setting.method.name(),
            rejected: is_learned.then(|| summary.rejected.iter().map(rejected).collect()),
            max_length: summary.max_length,
            order: &summary.order,
            rule_order: setting.rule_order.name(),
            rules_in_order: summary
                .letters_in_order
                .as_ref()
                .map(|letters| letters.iter().map(name).collect()),
            rule_order_gain: summary.rule_order_gain,
            assumed_of: setting.assumptions.source,
            assumed_invariants: &setting.assumptions.lines,
            levels: &summary.levels,
            redundant_words: summary.redundant_words,
            fsm: summary.machines,
            branching_factor: summary.branching_factor,
            seconds: started.elapsed().as_secs_f64(),
            from_cache,
            complete: summary.stopped.is_none(),
            stopped: summary.stopped,
            is_reordered: setting
                .operator_order
                .as_ref()
                .is_some_and(|order| *order != OperatorOrder::File),
            labels,
            ideal: None,
            splits: None,
        })
    }

    pub(super) fn print(&self, cx: &mut Context) -> Result<(), Failure> {
        let verbose = cx.log.is_verbose();
        let out = &mut cx.out;
        let operators = match &self.labels {
            None => String::new(),
            Some(labels) => format!(" with {}", count(labels.len(), "label")),
        };
        writeln!(
            out,
            "{}: {}, {}{operators}",
            self.file,
            count(self.variables, "variable"),
            count(self.rules, "rule"),
        )?;
        let letters = if self.labels.is_some() {
            "labels"
        } else {
            "rules"
        };
        writeln!(
            out,
            "Sequences{} up to length {}, compared by {}length and then by {letters}{}; {}\n",
            if self.labels.is_some() {
                " of labels"
            } else {
                ""
            },
            self.max_length,
            match self.order {
                "cost-length-lexicographic" => "cost, by ",
                _ => "",
            },
            if let Some(labels) = self.labels.as_ref().filter(|_| self.is_reordered) {
                format!(" in the order {}", labels.join(" "))
            } else if self.rule_order == RuleOrderChoice::Label.name() {
                " in the order of their labels".to_owned()
            } else if self.rule_order == RuleOrderChoice::Optimize.name() {
                " in an optimized order".to_owned()
            } else {
                String::new()
            },
            Assumptions::describe(self.assumed_of, self.assumed_invariants),
        )?;
        if !self.levels.is_empty() {
            self.print_levels(verbose, out)?;
            writeln!(out)?;
        }
        writeln!(out, "{}", count(self.redundant_words, "redundant word"))?;
        if let Some(rejected) = &self.rejected {
            writeln!(
                out,
                "{} led where an earlier one leads, without being redundant",
                count(rejected.len(), "word")
            )?;
            if verbose {
                print_rejected(rejected, out)?;
            }
        }
        self.print_machines(out)?;
        if let Some(factor) = self.branching_factor {
            writeln!(out, "Asymptotic branching factor {factor:.6}")?;
        }
        if let Some(rules) = &self.rules_in_order {
            let shown = &rules[..rules.len().min(MOST_RULES_LISTED)];
            let more = if shown.len() < rules.len() {
                " ..."
            } else {
                ""
            };
            writeln!(out, "Rules in this order: {}{more}", shown.join(" "))?;
        }
        if let Some([before, after]) = self.rule_order_gain {
            writeln!(
                out,
                "The rules in the order of the file give {before:.6}, in this order {after:.6}"
            )?;
        }
        self.print_assumptions(verbose, out)?;
        if let Some(splits) = &self.splits {
            splits::print(splits, self.rules, verbose, out)?;
        }
        if let Some(ideal) = &self.ideal {
            ideal::print(ideal, out)?;
        }
        writeln!(
            out,
            "{}",
            format_seconds(Duration::from_secs_f64(self.seconds))
        )?;
        Ok(())
    }

    fn print_levels(&self, verbose: bool, out: &mut impl Write) -> Result<(), Failure> {
        let mut head = vec!["length", "composed", "impossible", "redundant", "kept"];
        let has_rejected = self.levels.iter().any(|level| level.rejected.is_some());
        if has_rejected {
            head.push("rejected");
        }
        if verbose {
            head.extend(["seconds", "memory"]);
        }
        let mut table = Table::new(head.into_iter().map(|title| (title, Align::Right)));
        for level in self.levels {
            let mut row = vec![
                level.length.to_string(),
                level.composed.to_string(),
                level.invalid.to_string(),
                level.redundant.to_string(),
                level.kept.to_string(),
            ];
            if has_rejected {
                row.push(level.rejected.unwrap_or(0).to_string());
            }
            if verbose {
                row.push(format_seconds(Duration::from_secs_f64(level.seconds)));
                row.push(format_bytes(level.bytes as u128));
            }
            table.row(row);
        }
        Ok(table.print(out)?)
    }

    fn print_machines(&self, out: &mut impl Write) -> Result<(), Failure> {
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
        row("table", &self.fsm.table);
        row("Aho-Corasick", &self.fsm.aho_corasick);
        match &self.fsm.minimized {
            Some(size) => row("minimized", size),
            None => table.row(["minimized", "not built: too large", ""]),
        }
        for (name, size) in [
            ("sleep sets", &self.fsm.sleep_sets),
            ("product", &self.fsm.product),
            ("with don't-cares", &self.fsm.dont_cares),
        ] {
            if let Some(size) = size {
                table.row([
                    name.to_owned(),
                    size.states.to_string(),
                    format_bytes(size.bytes),
                ]);
            }
        }
        Ok(table.print(out)?)
    }

    fn print_assumptions(&self, verbose: bool, out: &mut impl Write) -> Result<(), Failure> {
        let lines = self.assumed_invariants;
        if lines.is_empty() {
            return Ok(());
        }
        writeln!(out, "Assumed of the states that a search starts from:")?;
        Ok(assumptions::print(lines, verbose, "  ", out)?)
    }

    pub(super) fn write_csv(&self, cx: &mut Context) -> Result<(), Failure> {
        if let Some(ideal) = &self.ideal {
            return ideal::write_csv(ideal, cx);
        }
        cx.out.csv([
            "length",
            "composed",
            "invalid",
            "redundant",
            "kept",
            "seconds",
            "bytes",
        ])?;
        for level in self.levels {
            cx.out.csv([
                level.length.to_string(),
                level.composed.to_string(),
                level.invalid.to_string(),
                level.redundant.to_string(),
                level.kept.to_string(),
                level.seconds.to_string(),
                level.bytes.to_string(),
            ])?;
        }
        Ok(())
    }
}

fn print_rejected(rejected: &[RejectedEntry], out: &mut impl Write) -> Result<(), Failure> {
    for entry in rejected {
        let reason = match entry.reason {
            RejectedFor::Inapplicable => "can't be used wherever it can",
            RejectedFor::LeadsElsewhere => "leads elsewhere from other states",
            RejectedFor::Dearer => "costs more",
        };
        let earlier = match entry.earlier.as_slice() {
            [] => "doing nothing".to_owned(),
            labels => labels.join(" "),
        };
        writeln!(
            out,
            "  {}: {earlier} {reason}, such as {}",
            entry.word.join(" "),
            entry.instance.join(" ")
        )?;
    }
    Ok(())
}
