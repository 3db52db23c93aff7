//! `psvn explain --operators labels`: why a sequence of operators is redundant, impossible, or
//! neither.

use std::io::Write;
use std::time::Instant;

use move_prune::{
    Admits, Limits, OperatorAnalysis, OperatorOptions, Operators, RedundantOperatorWord,
    StopReason, analyze_operators,
};
use psvn_ir::RuleId;
use serde::Serialize;

use super::Verdict;
use crate::args::ExplainArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::session::Context;
use crate::session::interrupt;
use psvn::Game;
use psvn::RuleNames;
use psvn::analysis::engine as rule_analysis;
use psvn::analysis::{Assumptions, Starts};
use psvn::text::units::count;

/// The most instances that are listed as text.
const MAX_INSTANCES: usize = 20;

#[derive(Serialize)]
struct Report {
    word: Vec<String>,
    verdict: Verdict,
    /// Where the redundant part begins in the word, from 1.
    start: Option<usize>,
    redundant: Option<Vec<String>>,
    /// All instances of the redundant part, with what replaces each.
    instances: Vec<InstanceEntry>,
    assumed_invariants: Vec<String>,
    /// The length up to which sequences were compared.
    analyzed_length: usize,
}

#[derive(Serialize)]
struct InstanceEntry {
    rules: Vec<String>,
    replacement: Vec<String>,
}

pub(super) fn run(args: &ExplainArgs, named: &Game, cx: &mut Context) -> Result<Exit, Failure> {
    if args.trace || args.machine.is_some() {
        return Err(Failure::usage(
            "`--trace` and `--machine` are about sequences of rules, not of operators",
        )
        .hint("leave out `--operators labels`, and name rules"));
    }
    let game = named.ir();
    let operators = Operators::by_label(game);
    let word = resolve(&operators, &args.rules)?;
    let assumptions = Assumptions::choose(None, Starts::default(), &args.file, named, &cx.env)?;
    let labels = |word: &[u32]| -> Vec<String> {
        let label = |letter: &u32| operators.names().nth(*letter as usize).unwrap_or_default();
        word.iter().map(|letter| label(letter).to_owned()).collect()
    };
    let mut report = Report {
        word: labels(&word),
        verdict: Verdict::NotRedundant,
        start: None,
        redundant: None,
        instances: Vec::new(),
        assumed_invariants: assumptions.lines,
        analyzed_length: 0,
    };
    let rules = rule_analysis::canonical_rules(game);
    let known = assumptions.known.as_ref().map(rule_analysis::Known);
    let interrupt = interrupt::flag(&cx.env);
    let started = Instant::now();
    let mut exit = Exit::Done;
    for max_length in 1..=word.len() {
        let options = OperatorOptions {
            max_length,
            limits: Limits {
                time: args
                    .limits
                    .time
                    .map(|time| time.saturating_sub(started.elapsed())),
                memory: args.limits.memory,
                nodes: None,
                interrupt: Some(interrupt.clone()),
            },
            admits: known.as_ref().map(|known| known as &dyn Admits),
            progress: None,
        };
        let analysis = analyze_operators(game.n_variables(), &rules, &operators, &options);
        report.analyzed_length = analysis.max_length;
        if let Some((start, redundant)) = part_of(&word, &analysis) {
            let names = RuleNames::new(game);
            report.verdict = if redundant.word.len() == word.len() {
                Verdict::Redundant
            } else {
                Verdict::ContainsRedundant
            };
            report.start = Some(start + 1);
            report.redundant = Some(labels(&redundant.word));
            report.instances = instances(redundant, &names);
            break;
        }
        if let Some(reason) = analysis.stopped {
            report.verdict = Verdict::Unknown;
            exit = match reason {
                StopReason::Interrupted => Exit::Interrupted,
                _ => Exit::Limit,
            };
            break;
        }
    }
    match cx.format {
        Format::Json => cx.out.json(&report)?,
        Format::Text | Format::Csv => report.print(cx)?,
    }
    Ok(exit)
}

/// The operators that the words of a command line name.
fn resolve(operators: &Operators, words: &[String]) -> Result<Vec<u32>, Failure> {
    let letter = |word: &String| {
        let mut names = operators.names();
        let place = names.position(|name| name.eq_ignore_ascii_case(word));
        place
            .and_then(|place| u32::try_from(place).ok())
            .ok_or_else(|| {
                let known: Vec<&str> = operators.names().take(MAX_INSTANCES).collect();
                Failure::usage(format!("no rule has the label `{word}`"))
                    .hint(format!("there are {}", known.join(", ")))
            })
    };
    words.iter().map(letter).collect()
}

/// The first redundant part of a word, if there is one.
fn part_of<'a>(
    word: &[u32],
    analysis: &'a OperatorAnalysis,
) -> Option<(usize, &'a RedundantOperatorWord)> {
    analysis.redundant.iter().find_map(|redundant| {
        let part = &*redundant.word;
        let start = word.windows(part.len()).position(|window| window == part)?;
        Some((start, redundant))
    })
}

fn instances(redundant: &RedundantOperatorWord, names: &RuleNames<'_>) -> Vec<InstanceEntry> {
    let entry = |word: &[RuleId]| names.names(word);
    redundant
        .instances
        .iter()
        .map(|instance| InstanceEntry {
            rules: entry(&instance.instance),
            replacement: entry(&instance.replacement),
        })
        .collect()
}

impl Report {
    fn print(&self, cx: &mut Context) -> Result<(), Failure> {
        let out = &mut cx.out;
        let word = self.word.join(" ");
        match self.verdict {
            Verdict::Redundant => writeln!(out, "{word}: redundant")?,
            Verdict::ContainsRedundant => writeln!(out, "{word}: contains a redundant part")?,
            Verdict::Unknown => writeln!(
                out,
                "{word}: nothing redundant up to length {}; the analysis stopped there",
                self.analyzed_length
            )?,
            // An analysis by operator doesn't tell impossible words from others that it keeps.
            Verdict::NotRedundant | Verdict::Impossible => {
                writeln!(out, "{word}: not redundant, and no part of it is")?;
            }
        }
        let (Some(start), Some(redundant)) = (self.start, &self.redundant) else {
            return Ok(());
        };
        writeln!(
            out,
            "  {} (from label {start} on) has {}, each with a replacement whose labels come first:",
            redundant.join(" "),
            count(self.instances.len(), "instance")
        )?;
        for instance in self.instances.iter().take(MAX_INSTANCES) {
            let replacement = match instance.replacement.as_slice() {
                [] => "doing nothing".to_owned(),
                rules => rules.join(" "),
            };
            writeln!(out, "    {} by {replacement}", instance.rules.join(" "))?;
        }
        if self.instances.len() > MAX_INSTANCES {
            writeln!(
                out,
                "    ... and {} more",
                self.instances.len() - MAX_INSTANCES
            )?;
        }
        if !self.assumed_invariants.is_empty() {
            writeln!(
                out,
                "  in all states with {} of the goal",
                count(self.assumed_invariants.len(), "invariant")
            )?;
        }
        Ok(())
    }
}
