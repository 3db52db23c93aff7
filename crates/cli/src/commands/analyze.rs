//! `psvn analyze`: redundant words, and the machines that forbid them.

mod report;

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use move_prune::{Limits, Order};

use self::report::Report;
use crate::args::AnalyzeArgs;
use crate::assumptions::{Assumptions, Source, Starts};
use crate::atomic_file;
use crate::choices::{Letters, MachineKind, MaxLength, Method, RuleOrderChoice};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::finding::{self, Finding, Setting, Stopped, Summary};
use crate::input::{self, NamedGame};
use crate::interrupt;
use crate::machines;
use crate::operator_order::OperatorOrder;
use crate::output::Format;
use crate::two_players;
use crate::units::{count, format_bytes};

/// How long `--max-length auto` goes on when no limit is given.
const TIME_OF_AUTO: Duration = Duration::from_secs(10);

pub(crate) fn run(args: &AnalyzeArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let started = Instant::now();
    check(args)?;
    let game = input::load_game(&args.file, cx)?;
    two_players::warn(&game, two_players::ANALYSIS, cx);
    let (setting, finding) = find(args, &game, &interrupt::flag(), cx)?;
    let summary = finding.summary;
    if let Some(path) = &args.output {
        let machine = finding.machine.ok_or_else(|| too_large(&summary))?;
        atomic_file::write(path, &machine.into_bytes())?;
    }
    let report = Report::of(&game, &setting, &summary, finding.from_cache, started)?;
    note_unusable(&setting, &summary, cx);
    match cx.format {
        Format::Text => report.print(cx)?,
        Format::Json => cx.out.json(&report)?,
        Format::Csv => report.write_csv(cx)?,
    }
    if let (Some(path), Format::Text) = (&args.output, cx.format) {
        writeln!(cx.out, "Machine written to {}", path.display())?;
    }
    Ok(stop(&summary, args, cx))
}

/// Analyzes a game as the arguments say.
pub(crate) fn find(
    args: &AnalyzeArgs,
    game: &NamedGame,
    interrupt: &Arc<AtomicBool>,
    cx: &Context,
) -> Result<(Setting, Finding), Failure> {
    check(args)?;
    let starts = Starts {
        state: args.start.as_deref(),
        file: args.instances.as_deref(),
    };
    let setting = Setting {
        max_length: args.max_length,
        order: args.order,
        rule_order: args.rule_order,
        assumptions: Assumptions::choose(args.invariants, starts, &args.file, game, cx)?,
        letters: letters(args),
        method: args.method,
        generic_start: args.generic_start.clone(),
        operator_order: operator_order(args),
        machine: args.machine,
        sleep_sets: args.sleep_sets,
        dont_cares: args.dont_cares,
        budget: machines::budget(args.limits.memory),
    };
    let no_limit = args.limits.time.is_none() && args.limits.memory.is_none();
    let limits = Limits {
        time: if args.max_length == MaxLength::Auto && no_limit {
            Some(TIME_OF_AUTO)
        } else {
            args.limits.time.map(machines::time_before)
        },
        memory: args.limits.memory,
        nodes: None,
        interrupt: Some(Arc::clone(interrupt)),
    };
    let finding = finding::find(game, &setting, limits, interrupt, cx)?;
    Ok((setting, finding))
}

/// What letters are. The learner knows operators only.
fn letters(args: &AnalyzeArgs) -> Letters {
    args.operators.unwrap_or(match args.method {
        Method::Exact => Letters::Rules,
        Method::Learner => Letters::Labels,
    })
}

/// In which order operators are compared; `None` where letters are rules.
fn operator_order(args: &AnalyzeArgs) -> Option<OperatorOrder> {
    match (letters(args), &args.operator_order) {
        (Letters::Rules, _) => None,
        (Letters::Labels, Some(order)) => Some(order.clone()),
        (Letters::Labels, None) if args.rule_order == RuleOrderChoice::Label => {
            Some(OperatorOrder::Alphabetic)
        }
        (Letters::Labels, None) => Some(OperatorOrder::File),
    }
}

/// Refuses options that make no sense together.
fn check(args: &AnalyzeArgs) -> Result<(), Failure> {
    if args.max_length == MaxLength::Auto && args.rule_order == RuleOrderChoice::Optimize {
        return Err(Failure::usage(
            "`--rule-order optimize` needs to know the length for which it optimizes",
        )
        .hint("give a number as `--max-length`"));
    }
    if args.generic_start.is_some() && args.method != Method::Learner {
        return Err(Failure::usage(
            "`--generic-start` is for `--method learner`",
        ));
    }
    if args.operator_order.is_some() && args.rule_order != RuleOrderChoice::File {
        return Err(Failure::usage(
            "`--rule-order` and `--operator-order` contradict each other",
        ));
    }
    if letters(args) == Letters::Rules {
        if args.operator_order.is_some() {
            return Err(
                Failure::usage("`--operator-order` is for operators, not for rules")
                    .hint("add `--operators labels`, or use `--rule-order`"),
            );
        }
        if args.method == Method::Learner {
            return Err(Failure::usage(
                "`--method learner` learns sequences of operators, not of rules",
            )
            .hint("leave `--operators` out, or use `--operators labels`"));
        }
        if args.dont_cares && args.machine != MachineKind::Minimized {
            return Err(Failure::usage(
                "`--dont-cares` is a way to minimize, and asks for `--machine minimized`",
            ));
        }
        return Ok(());
    }
    let for_rules = [
        (
            "--order cost-length-lexicographic",
            args.order != Order::LengthLexicographic,
        ),
        (
            "--rule-order optimize",
            args.rule_order == RuleOrderChoice::Optimize,
        ),
        ("--machine table", args.machine == MachineKind::Table),
        ("--sleep-sets", args.sleep_sets),
        ("--dont-cares", args.dont_cares),
    ];
    match for_rules.into_iter().find(|(_, is_used)| *is_used) {
        Some((option, _)) => Err(Failure::usage(format!(
            "`{option}` is for rules, not for operators"
        ))
        .hint("use `--operators rules`, or leave one of them out")),
        None => Ok(()),
    }
}

/// Says when an analysis is about fewer rules than the user may think.
fn note_unusable(setting: &Setting, summary: &Summary, cx: &Context) {
    if let Some(first) = summary.levels.first()
        && first.unreachable > 0
        && setting.assumptions.source == Source::Goal
    {
        cx.log.note(&format!(
            "{} of {} can't be used in any state that can be reached from a goal; `--start` or \
             `--invariants none` assumes less",
            first.unreachable,
            count(first.composed as usize, "rule"),
        ));
    }
}

fn too_large(summary: &Summary) -> Failure {
    let size = &summary.machines.aho_corasick;
    Failure::limit(format!(
        "the machine has {} states and would take {}",
        size.states,
        format_bytes(size.bytes)
    ))
    .hint("allow more with `--memory`, or analyze up to a smaller length")
}

/// Says why the analysis stopped early, if it did.
fn stop(summary: &Summary, args: &AnalyzeArgs, cx: &mut Context) -> Exit {
    let Some(reason) = summary.stopped else {
        return Exit::Done;
    };
    if args.max_length == MaxLength::Auto && reason != Stopped::Interrupted {
        // To go on until then is what was asked for.
        return Exit::Done;
    }
    // The data first: what follows is about it.
    let _ = cx.out.finish();
    let what = reason.why();
    let exit = match reason {
        Stopped::Interrupted => Exit::Interrupted,
        Stopped::Time | Stopped::Memory | Stopped::TooManyVariables => Exit::Limit,
    };
    cx.log.warning(&format!(
        "the analysis stopped at length {} of {}, because {what}; what it found is sound",
        summary.max_length,
        match args.max_length {
            MaxLength::Auto => "as many as the limits allow".to_owned(),
            MaxLength::Length(length) => length.to_string(),
        }
    ));
    exit
}
