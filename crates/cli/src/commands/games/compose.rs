//! `psvn compose`: the macro-rule of a sequence.

use std::io::Write;

use macro_compose::{Trace, Update, compose_all, compose_traced};
use psvn_ir::{CanonicalRule, Game, RuleId};
use serde::Serialize;

use crate::args::ComposeArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::macro_text;
use crate::output::table::{Align, Table};
use crate::session::Context;
use psvn::Game as NamedGame;
use psvn::RuleNames;

#[derive(Serialize)]
struct Report {
    word: Vec<String>,
    valid: bool,
    /// Why the sequence can't be carried out.
    reason: Option<String>,
    cost: Option<u64>,
    preconditions: Option<Vec<String>>,
    actions: Option<Vec<String>>,
    rule: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Vec<TraceEntry>>,
}

/// The record of appending one rule.
#[derive(Serialize)]
pub(in crate::commands) struct TraceEntry {
    appended: String,
    steps: Vec<StepEntry>,
    /// The macro-rule up to here.
    rule: Option<String>,
}

#[derive(Serialize)]
struct StepEntry {
    /// From 1.
    position: u32,
    /// What the sequence leaves there.
    found: String,
    /// What the rule wants there.
    wanted: String,
    subcase: String,
    /// The unknown that was replaced, and by what.
    replaced: Option<String>,
    by: Option<String>,
}

pub(crate) fn run(args: &ComposeArgs, cx: &mut Context) -> Result<Exit, Failure> {
    cx.refuse_csv("compose")?;
    let named = NamedGame::open(&args.file, &cx.env)?;
    let game = named.ir();
    let names = RuleNames::new(game);
    let word = names.resolve_all(&args.rules)?;
    let rules = word.iter().map(|id| &game.rule(*id).canonical);
    let composed = compose_all(game.n_variables(), rules);
    let rule = composed.as_ref().ok();
    let report = Report {
        word: names.names(&word),
        valid: rule.is_some(),
        reason: composed
            .as_ref()
            .err()
            .map(|invalid| macro_text::invalid(game, &names, &word, invalid)),
        cost: rule.map(CanonicalRule::cost),
        preconditions: rule.map(|rule| macro_text::terms(game, rule.preconditions())),
        actions: rule.map(|rule| macro_text::terms(game, rule.actions())),
        rule: rule.map(|rule| game.format_rule(rule)),
        trace: args.trace.then(|| trace(game, &names, &word)),
    };
    match cx.format {
        Format::Json => cx.out.json(&report)?,
        Format::Text | Format::Csv => report.print(cx)?,
    }
    Ok(if report.valid { Exit::Done } else { Exit::No })
}

/// The record of composing a word rule by rule, the first one alone included: it starts from the
/// empty sequence.
pub(in crate::commands) fn trace(
    game: &Game,
    names: &RuleNames<'_>,
    word: &[RuleId],
) -> Vec<TraceEntry> {
    let mut entries = Vec::new();
    let mut so_far: Option<CanonicalRule> = None;
    for id in word {
        let rule = &game.rule(*id).canonical;
        let (steps, result) = match &so_far {
            None => (Vec::new(), Some(rule.clone())),
            Some(so_far) => {
                let trace = compose_traced(so_far, rule);
                (steps(game, &trace), trace.result.ok())
            }
        };
        entries.push(TraceEntry {
            appended: names.name(*id),
            steps,
            rule: result.as_ref().map(|rule| game.format_rule(rule)),
        });
        match result {
            Some(rule) => so_far = Some(rule),
            None => break,
        }
    }
    entries
}

fn steps(game: &Game, trace: &Trace) -> Vec<StepEntry> {
    let mut entries: Vec<StepEntry> = trace
        .steps
        .iter()
        .map(|step| {
            let (replaced, by) = match step.update {
                Update::Nothing => (None, None),
                Update::Replace { unknown, by } => (
                    Some(format!("x{}", unknown.0 + 1)),
                    Some(game.format_term(unknown, by)),
                ),
            };
            StepEntry {
                position: step.position.0 + 1,
                found: game.format_term(step.position, step.found),
                wanted: game.format_term(step.position, step.wanted),
                subcase: step.subcase.to_string(),
                replaced,
                by,
            }
        })
        .collect();
    if let Err(conflict) = &trace.result {
        entries.push(StepEntry {
            position: conflict.position.0 + 1,
            found: game.format_term(conflict.position, conflict.found),
            wanted: game.format_term(conflict.position, conflict.wanted),
            subcase: conflict.subcase.to_string(),
            replaced: None,
            by: None,
        });
    }
    entries
}

impl Report {
    fn print(&self, cx: &mut Context) -> Result<(), Failure> {
        let out = &mut cx.out;
        print_trace(self.trace.iter().flatten(), out)?;
        match (&self.rule, self.cost, &self.reason) {
            (Some(rule), Some(cost), _) => {
                writeln!(out, "{}", self.word.join(" "))?;
                writeln!(out, "  {rule}  cost {cost}")?;
            }
            (_, _, reason) => {
                writeln!(out, "{}", self.word.join(" "))?;
                writeln!(
                    out,
                    "  impossible: {}",
                    reason.as_deref().unwrap_or_default()
                )?;
            }
        }
        Ok(())
    }
}

/// Prints how sequences were composed.
pub(in crate::commands) fn print_trace<'t>(
    entries: impl Iterator<Item = &'t TraceEntry>,
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
