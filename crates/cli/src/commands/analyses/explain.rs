//! `psvn explain`: why a sequence is redundant, impossible, or neither.

use std::io::Write;

use psvn::analysis::{
    Certificate, ExplainOptions, Letters, Nearest, OperatorsExplained, Reading, ReadingOfParts,
    RulesExplained, WordVerdict,
};
use psvn::text::units::count;
use psvn::{Game, StopReason};

use super::analyze::splits::print_rules;
use crate::args::ExplainArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::trace::print_trace;
use crate::session::Context;
use crate::session::interrupt;

/// The most implied values that are listed as text.
const MAX_IMPLIED: usize = 8;

/// The most instances that are listed as text.
const MAX_INSTANCES: usize = 20;

pub(crate) fn run(args: &ExplainArgs, cx: &mut Context) -> Result<Exit, Failure> {
    cx.refuse_csv("explain")?;
    let game = Game::open(&args.file, &cx.env)?;
    let options = ExplainOptions {
        time: args.limits.time,
        memory: args.limits.memory,
        trace: args.trace,
        machine: args.machine.as_deref(),
    };
    if args.operators == Letters::Labels {
        if args.trace || args.machine.is_some() {
            return Err(Failure::usage(
                "`--trace` and `--machine` are about sequences of rules, not of operators",
            )
            .hint("leave out `--operators labels`, and name rules"));
        }
        interrupt::flag(&cx.env);
        let (file, env) = (&args.file, &cx.env);
        let explained = OperatorsExplained::find(&game, &args.rules, file, options, env)?;
        match cx.format {
            Format::Json => cx.out.json(&explained)?,
            Format::Text | Format::Csv => print_operators(&explained, cx)?,
        }
        return Ok(exit_of(explained.stopped));
    }
    let word = game
        .rule_names()
        .resolve_all(&args.rules)
        .map_err(|error| {
            let failure = Failure::from(error);
            let is_label =
                |word: &String| game.ir().rules().iter().any(|rule| *rule.label == **word);
            match (args.rules.iter().all(is_label), failure.hint_text()) {
                (true, Some(hint)) => {
                    let hint = format!(
                        "{hint}; or take all rules of a label as one with `--operators labels`"
                    );
                    failure.hint(hint)
                }
                _ => failure,
            }
        })?;
    interrupt::flag(&cx.env);
    let explained = RulesExplained::find(&game, &word, options, &cx.env)?;
    match cx.format {
        Format::Json => cx.out.json(&explained)?,
        Format::Text | Format::Csv => print(&explained, cx)?,
    }
    Ok(exit_of(explained.stopped))
}

fn exit_of(stopped: Option<StopReason>) -> Exit {
    match stopped {
        None => Exit::Done,
        Some(StopReason::Interrupted) => Exit::Interrupted,
        Some(_) => Exit::Limit,
    }
}

fn print(of: &RulesExplained, cx: &mut Context) -> Result<(), Failure> {
    print_verdict(of, cx)?;
    let out = &mut cx.out;
    if let Some(nearest) = &of.nearest {
        print_nearest(nearest, out)?;
    }
    if let Some(reading) = &of.reading {
        print_reading(reading, out)?;
    }
    for trace in of.traces.iter().flatten().filter(|trace| !trace.is_empty()) {
        writeln!(out)?;
        print_trace(trace.iter(), out)?;
    }
    Ok(())
}

fn print_verdict(of: &RulesExplained, cx: &mut Context) -> Result<(), Failure> {
    let out = &mut cx.out;
    let word = of.word.join(" ");
    match of.verdict {
        WordVerdict::Impossible => {
            writeln!(out, "{word}: impossible")?;
            writeln!(out, "  {}", of.reason.as_deref().unwrap_or_default())?;
        }
        WordVerdict::NotRedundant => {
            writeln!(
                out,
                "{word}: not redundant, and no part of it is, by the length-lexicographic order"
            )?;
            if of.impossible_within {
                writeln!(out, "  no state with the invariants of the goal allows it")?;
            }
        }
        WordVerdict::Unknown => writeln!(
            out,
            "{word}: nothing redundant up to length {}; the analysis stopped there",
            of.analyzed_length
        )?,
        WordVerdict::Redundant => writeln!(out, "{word}: redundant")?,
        WordVerdict::ContainsRedundant => writeln!(out, "{word}: contains a redundant part")?,
        _ => writeln!(out, "{word}")?,
    }
    let Some(certificate) = &of.certificate else {
        if let (Some(rule), Some(cost)) = (&of.rule, of.cost) {
            writeln!(out, "  {rule}  cost {cost}")?;
        }
        return Ok(());
    };
    let Certificate {
        start,
        redundant,
        replacement,
        substitution,
        order,
        implied,
    } = certificate;
    let redundant_text = redundant.word.join(" ");
    let replacement_text = if replacement.word.is_empty() {
        "doing nothing".to_owned()
    } else {
        replacement.word.join(" ")
    };
    if of.verdict == WordVerdict::ContainsRedundant {
        let end = start + redundant.word.len() - 1;
        let place = if *start == end {
            format!("rule {start}")
        } else {
            format!("rules {start} to {end}")
        };
        writeln!(
            out,
            "  {redundant_text} ({place} of the sequence) is redundant"
        )?;
    }
    writeln!(out, "\n  {redundant_text}")?;
    writeln!(out, "    {}  cost {}", redundant.rule, redundant.cost)?;
    if implied.is_empty() {
        writeln!(out, "  can always be replaced by {replacement_text}")?;
    } else {
        writeln!(
            out,
            "  can be replaced, in states with the invariants of the goal, by {replacement_text}"
        )?;
    }
    writeln!(out, "    {}  cost {}\n", replacement.rule, replacement.cost)?;
    let under = if substitution.is_empty() {
        String::new()
    } else {
        let pairs: Vec<String> = substitution
            .iter()
            .map(|(unknown, value)| format!("{unknown} = {value}"))
            .collect();
        format!(", with {}", pairs.join(", "))
    };
    if !implied.is_empty() {
        let shown = &implied[..implied.len().min(MAX_IMPLIED)];
        let more = match implied.len() - shown.len() {
            0 => String::new(),
            n => format!(" and {}", count(n, "more value")),
        };
        writeln!(
            out,
            "  - the invariants imply {}{more} before it",
            shown.join(", ")
        )?;
    }
    writeln!(
        out,
        "  - it can be used wherever the other can, and leads to the same state{under}"
    )?;
    writeln!(
        out,
        "  - it costs no more: {} <= {}",
        replacement.cost, redundant.cost
    )?;
    writeln!(out, "  - it comes first: {order}")?;
    Ok(())
}

fn print_nearest(nearest: &Nearest, out: &mut impl Write) -> std::io::Result<()> {
    let word = match nearest.word.as_slice() {
        [] => "doing nothing".to_owned(),
        word => word.join(" "),
    };
    let among = if nearest.complete {
        String::new()
    } else {
        format!(" of the first {}", count(nearest.compared, "sequence"))
    };
    writeln!(out, "\n  what comes nearest to replacing it{among}: {word}")?;
    writeln!(out, "    {}  cost {}", nearest.rule, nearest.cost)?;
    for failed in &nearest.failed {
        writeln!(out, "  - {failed}")?;
    }
    Ok(())
}

fn print_reading(reading: &Reading, out: &mut impl Write) -> Result<(), Failure> {
    writeln!(out, "\n  {}, {} states:", reading.machine, reading.states)?;
    if let Some(parts) = &reading.parts {
        return print_parts(reading, parts, out);
    }
    let start = reading.steps.first().map_or(1, |step| step.from);
    write!(out, "    state {start}")?;
    for step in &reading.steps {
        match step.to {
            Some(to) => write!(out, " --{}--> {to}", step.letter)?,
            None => write!(out, " --{}--> forbidden", step.letter)?,
        }
    }
    writeln!(out)?;
    if reading.accepted {
        writeln!(out, "    it forbids nothing of the sequence")?;
    } else if let Some(word) = reading.forbidden.first() {
        writeln!(out, "    the forbidden sequence is {}", word.join(" "))?;
    } else {
        writeln!(
            out,
            "    no forbidden sequence of the file ends here: rules are in the wrong order, or impossible"
        )?;
    }
    Ok(())
}

/// How a machine over parts of rules reads a sequence of rules.
fn print_parts(
    reading: &Reading,
    parts: &ReadingOfParts,
    out: &mut impl Write,
) -> Result<(), Failure> {
    if parts.split.is_empty() {
        writeln!(out, "    none of the rules is split")?;
    } else {
        writeln!(out, "    {} split:", count(parts.split.len(), "rule"))?;
        print_rules(&parts.split, true, out)?;
    }
    writeln!(
        out,
        "    it forbids {} of {} possible sequences of parts{}",
        parts.rejected,
        parts.possible,
        if reading.forbidden.is_empty() {
            ""
        } else {
            ":"
        }
    )?;
    for word in reading.forbidden.iter().take(MAX_INSTANCES) {
        writeln!(out, "      {}", word.join(" "))?;
    }
    if reading.forbidden.len() > MAX_INSTANCES {
        let left = reading.forbidden.len() - MAX_INSTANCES;
        writeln!(out, "      ... and {left} more")?;
    }
    Ok(())
}

fn print_operators(of: &OperatorsExplained, cx: &mut Context) -> Result<(), Failure> {
    let out = &mut cx.out;
    let word = of.word.join(" ");
    match of.verdict {
        WordVerdict::Redundant => writeln!(out, "{word}: redundant")?,
        WordVerdict::ContainsRedundant => writeln!(out, "{word}: contains a redundant part")?,
        WordVerdict::Unknown => writeln!(
            out,
            "{word}: nothing redundant up to length {}; the analysis stopped there",
            of.analyzed_length
        )?,
        // An analysis by operator keeps impossible words, like others that nothing replaces.
        _ => writeln!(out, "{word}: not redundant, and no part of it is")?,
    }
    let (Some(start), Some(redundant)) = (of.start, &of.redundant) else {
        return Ok(());
    };
    writeln!(
        out,
        "  {} (from label {start} on) has {}, each with a replacement whose labels come first:",
        redundant.join(" "),
        count(of.instances.len(), "instance")
    )?;
    for instance in of.instances.iter().take(MAX_INSTANCES) {
        let replacement = match instance.replacement.as_slice() {
            [] => "doing nothing".to_owned(),
            rules => rules.join(" "),
        };
        writeln!(out, "    {} by {replacement}", instance.rules.join(" "))?;
    }
    if of.instances.len() > MAX_INSTANCES {
        writeln!(
            out,
            "    ... and {} more",
            of.instances.len() - MAX_INSTANCES
        )?;
    }
    if !of.assumed_invariants.is_empty() {
        writeln!(
            out,
            "  in all states with {} of the goal",
            count(of.assumed_invariants.len(), "invariant")
        )?;
    }
    Ok(())
}
