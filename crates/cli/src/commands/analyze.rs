//! `psvn analyze`: redundant words, and the machines that forbid them.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use fsm::{CertifiedWord, Growth, MachineFile};
use invariants::Invariants;
use move_prune::{Analysis, Limits, Order, RedundantWord, StopReason};
use psvn_ir::RuleId;
use serde::Serialize;

use crate::args::AnalyzeArgs;
use crate::atomic_file;
use crate::choices::{Assume, MachineKind, MaxLength, RuleOrderChoice, order_name};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{self, NamedGame};
use crate::interrupt;
use crate::machines::{self, Built, DEFAULT_BUDGET, Machines, Size};
use crate::output::Format;
use crate::pruning::{self, Task};
use crate::rule_names::RuleNames;
use crate::rule_order::RuleOrder;
use crate::table::{Align, Table};
use crate::units::{count, format_bytes, format_seconds};

/// So many rules are listed as text when they are in another order than in the file.
const MOST_RULES_LISTED: usize = 50;

/// How long `--max-length auto` goes on when no limit is given.
const TIME_OF_AUTO: Duration = Duration::from_secs(10);

#[derive(Serialize)]
struct Report {
    file: String,
    rules: usize,
    variables: usize,
    /// The length up to which the analysis is complete.
    max_length: usize,
    order: &'static str,
    rule_order: &'static str,
    /// The rules in the order in which they were compared, unless that is the order of the file.
    rules_in_order: Option<Vec<String>>,
    /// The branching factors before and after, where the rule order was optimized.
    rule_order_gain: Option<[f64; 2]>,
    assumed_invariants: Vec<String>,
    levels: Vec<LevelEntry>,
    redundant_words: usize,
    fsm: FsmEntry,
    /// Null where the machine would be too large to be built.
    branching_factor: Option<f64>,
    seconds: f64,
    complete: bool,
    /// Why it stopped early: `time`, `memory` or `interrupted`.
    stopped: Option<&'static str>,
}

#[derive(Serialize)]
struct LevelEntry {
    length: usize,
    composed: u64,
    invalid: u64,
    /// Those among the invalid that only the assumed invariants exclude.
    unreachable: u64,
    redundant: u64,
    kept: u64,
    seconds: f64,
    bytes: usize,
}

#[derive(Serialize)]
struct FsmEntry {
    trie_states: usize,
    table: Size,
    aho_corasick: Size,
    minimized: Option<Size>,
}

/// What an analysis went by, besides the game.
struct Setting {
    assumptions: Vec<String>,
    rule_order: RuleOrder,
}

pub(crate) fn run(args: &AnalyzeArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let started = Instant::now();
    let game = input::load_game(&args.file, cx)?;
    let is_auto = args.max_length == MaxLength::Auto;
    let no_limit = args.limits.time.is_none() && args.limits.memory.is_none();
    let limits = Limits {
        time: if is_auto && no_limit {
            Some(TIME_OF_AUTO)
        } else {
            args.limits.time
        },
        memory: args.limits.memory,
        interrupt: Some(interrupt::flag()),
    };
    let known = assumed(args, &game)?;
    let mut task = Task {
        order: args.order,
        ..Task::up_to(args.max_length.length(), known.as_ref(), limits)
    };
    if is_auto && args.rule_order == RuleOrderChoice::Optimize {
        return Err(Failure::usage(
            "`--rule-order optimize` needs to know the length for which it optimizes",
        )
        .hint("give a number as `--max-length`"));
    }
    let rule_order = RuleOrder::choose(args.rule_order, &game, &task, &interrupt::flag(), cx)?;
    task.rule_order = rule_order.rules.as_deref();
    let mut analysis = pruning::analyze(&game, &task, cx);
    if is_auto && analysis.is_complete() {
        // No words are left; the length that was asked for is no number to show.
        analysis.max_length = analysis.levels.len();
    }
    let setting = Setting {
        assumptions: known
            .as_ref()
            .map(|known| known.to_lines(&game.game))
            .unwrap_or_default(),
        rule_order,
    };
    let machines = Machines::of(
        &analysis,
        args.limits.memory.unwrap_or(0).max(DEFAULT_BUDGET),
    )?;
    let branching = match &machines.built {
        Some(_) => machines::growth_of_possible(analysis.redundant_letters(), &analysis)?,
        None => None,
    };
    if let Some(path) = &args.output {
        write_machine(path, args, &game, &analysis, &machines, &setting)?;
    }
    let report = Report::of(
        &game,
        args,
        &analysis,
        &setting,
        &machines,
        branching,
        started.elapsed(),
    );
    match cx.format {
        Format::Text => report.print(&analysis, cx)?,
        Format::Json => cx.out.json(&report)?,
        Format::Csv => report.write_csv(cx)?,
    }
    if let (Some(path), Format::Text) = (&args.output, cx.format) {
        writeln!(cx.out, "Machine written to {}", path.display())?;
    }
    Ok(stop(&analysis, args, cx))
}

/// The invariants that may be assumed; `None` where nothing may be.
fn assumed(args: &AnalyzeArgs, named: &NamedGame) -> Result<Option<Invariants>, Failure> {
    let game = &named.game;
    match (args.invariants, &args.start) {
        (Assume::None, None) => Ok(None),
        (Assume::Goal, None) if game.goals().is_empty() => Err(Failure::input(format!(
            "{} has no goal whose invariants could be assumed",
            named.name
        ))
        .hint("give a state with `--start`, or add a GOAL line")),
        (Assume::Goal, None) => Ok(Some(Invariants::from_goals(game))),
        (Assume::Start, None) => Err(Failure::usage("`--invariants start` needs a state")
            .hint("give one with `--start \"STATE\"`")),
        (Assume::Goal, Some(_)) => Err(Failure::usage(
            "`--invariants goal` and `--start` contradict each other",
        )
        .hint("use `--invariants start` to assume what holds from that state on")),
        (Assume::None | Assume::Start, Some(text)) => {
            let state = game
                .parse_state(text)
                .map_err(|error| Failure::input(format!("--start: {error}")))?;
            Ok(Some(Invariants::from_states(game, &[state])))
        }
    }
}

/// Says why the analysis stopped early, if it did.
fn stop(analysis: &Analysis, args: &AnalyzeArgs, cx: &mut Context) -> Exit {
    let Some(reason) = analysis.stopped else {
        return Exit::Done;
    };
    if args.max_length == MaxLength::Auto && reason != StopReason::Interrupted {
        // To go on until then is what was asked for.
        return Exit::Done;
    }
    // The data first: what follows is about it.
    let _ = cx.out.finish();
    let (what, exit) = match reason {
        StopReason::Time => ("the time was over", Exit::Limit),
        StopReason::Memory => ("the memory was used up", Exit::Limit),
        StopReason::Interrupted => ("it was interrupted", Exit::Interrupted),
    };
    cx.log.warning(&format!(
        "the analysis stopped at length {} of {}, because {what}; what it found is sound",
        analysis.max_length,
        match args.max_length {
            MaxLength::Auto => "as many as the limits allow".to_owned(),
            MaxLength::Length(length) => length.to_string(),
        }
    ));
    exit
}

fn write_machine(
    path: &Path,
    args: &AnalyzeArgs,
    game: &NamedGame,
    analysis: &Analysis,
    machines: &Machines,
    setting: &Setting,
) -> Result<(), Failure> {
    let Some(Built {
        aho_corasick,
        minimized,
    }) = &machines.built
    else {
        return Err(Failure::limit(format!(
            "the machine has {} states and would take {}",
            machines.trie_states,
            format_bytes(machines.aho_corasick.bytes)
        ))
        .hint("allow more with `--memory`, or analyze up to a smaller length"));
    };
    let (machine, kind) = match args.machine {
        MachineKind::Minimized => (minimized.clone(), fsm::MachineKind::Minimized),
        MachineKind::AhoCorasick => (aho_corasick.clone(), fsm::MachineKind::AhoCorasick),
        MachineKind::Table => (machines::table(analysis)?, fsm::MachineKind::Table),
    };
    let letters = |word: &[RuleId]| word.iter().map(|rule| rule.0).collect();
    let certified = |redundant: &RedundantWord| CertifiedWord {
        word: letters(&redundant.word),
        replacement: letters(&redundant.replacement),
    };
    let max_length = u32::try_from(analysis.max_length)
        .map_err(|_| Failure::limit("the length doesn't fit in 32 bits"))?;
    let rule_order = setting.rule_order.rules.as_deref().unwrap_or_default();
    let file = MachineFile {
        max_length,
        order: order_name(analysis.order).to_owned(),
        rule_order: rule_order.iter().map(|rule| rule.0).collect(),
        assumptions: setting.assumptions.clone(),
        words: analysis.redundant.iter().map(certified).collect(),
        kind: Some(kind),
        ..MachineFile::new(game.game.content_hash().0, machine)
    };
    atomic_file::write(path, &file.to_bytes())
}

impl Report {
    fn of(
        game: &NamedGame,
        args: &AnalyzeArgs,
        analysis: &Analysis,
        setting: &Setting,
        machines: &Machines,
        branching: Option<Growth>,
        elapsed: Duration,
    ) -> Self {
        Self {
            file: game.name.clone(),
            rules: analysis.n_rules,
            variables: game.game.n_variables(),
            max_length: analysis.max_length,
            order: order_name(analysis.order),
            rule_order: match args.rule_order {
                RuleOrderChoice::File => "file",
                RuleOrderChoice::Label => "label",
                RuleOrderChoice::Optimize => "optimize",
            },
            rules_in_order: setting.rule_order.rules.as_ref().map(|rules| {
                let names = RuleNames::new(&game.game);
                rules.iter().map(|rule| names.name(*rule)).collect()
            }),
            rule_order_gain: setting
                .rule_order
                .gain
                .map(|(before, after)| [before, after]),
            assumed_invariants: setting.assumptions.clone(),
            levels: analysis
                .levels
                .iter()
                .map(|level| LevelEntry {
                    length: level.length,
                    composed: level.composed,
                    invalid: level.invalid,
                    unreachable: level.unreachable,
                    redundant: level.redundant,
                    kept: level.kept,
                    seconds: level.elapsed.as_secs_f64(),
                    bytes: level.bytes,
                })
                .collect(),
            redundant_words: analysis.redundant.len(),
            fsm: FsmEntry {
                trie_states: machines.trie_states,
                table: machines.table,
                aho_corasick: machines.aho_corasick,
                minimized: machines
                    .built
                    .as_ref()
                    .map(|built| Size::of(&built.minimized)),
            },
            branching_factor: branching.map(|growth| growth.value()),
            seconds: elapsed.as_secs_f64(),
            complete: analysis.is_complete(),
            stopped: analysis.stopped.map(|reason| match reason {
                StopReason::Time => "time",
                StopReason::Memory => "memory",
                StopReason::Interrupted => "interrupted",
            }),
        }
    }

    fn print(&self, analysis: &Analysis, cx: &mut Context) -> Result<(), Failure> {
        let verbose = cx.log.is_verbose();
        let out = &mut cx.out;
        writeln!(
            out,
            "{}: {}, {}",
            self.file,
            count(self.variables, "variable"),
            count(self.rules, "rule"),
        )?;
        writeln!(
            out,
            "Sequences up to length {}, compared by {}length and then by rules{}; {} assumed\n",
            self.max_length,
            match analysis.order {
                Order::LengthLexicographic => "",
                Order::CostLengthLexicographic => "cost, by ",
            },
            match self.rule_order {
                "label" => " in the order of their labels",
                "optimize" => " in an optimized order",
                _ => "",
            },
            match self.assumed_invariants.len() {
                0 => "no invariants".to_owned(),
                n => count(n, "invariant"),
            }
        )?;
        let mut head = vec!["length", "composed", "impossible", "redundant", "kept"];
        if verbose {
            head.extend(["seconds", "memory"]);
        }
        let mut table = Table::new(head.into_iter().map(|title| (title, Align::Right)));
        for (entry, level) in self.levels.iter().zip(&analysis.levels) {
            let mut row = vec![
                entry.length.to_string(),
                entry.composed.to_string(),
                entry.invalid.to_string(),
                entry.redundant.to_string(),
                entry.kept.to_string(),
            ];
            if verbose {
                row.push(format_seconds(level.elapsed));
                row.push(format_bytes(level.bytes as u128));
            }
            table.row(row);
        }
        if !self.levels.is_empty() {
            table.print(out)?;
            writeln!(out)?;
        }
        writeln!(out, "{}", count(self.redundant_words, "redundant word"))?;
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
        table.print(out)?;
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
        writeln!(
            out,
            "{}",
            format_seconds(Duration::from_secs_f64(self.seconds))
        )?;
        Ok(())
    }

    fn write_csv(&self, cx: &mut Context) -> Result<(), Failure> {
        cx.out.csv([
            "length",
            "composed",
            "invalid",
            "redundant",
            "kept",
            "seconds",
            "bytes",
        ])?;
        for level in &self.levels {
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
