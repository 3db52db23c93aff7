//! `psvn explain`: why a word is redundant, impossible, or neither.

mod nearest;
mod operators;
mod reading;

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use macro_compose::{Invalid, compose_all};
use move_prune::{Limits, StopReason};
use psvn_ir::{CanonicalRule, Game, RuleId};
use serde::Serialize;

use self::nearest::Nearest;
use self::reading::Reading;
use crate::args::ExplainArgs;
use crate::commands::games::compose::{self, TraceEntry};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::macro_text;
use crate::session::Context;
use crate::session::interrupt;
use psvn::Game as NamedGame;
use psvn::RuleNames;
use psvn::analysis::Letters;
use psvn::analysis::engine::{self as rule_analysis, Task};
use psvn::text::units::count;

/// What is the case with a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Verdict {
    /// It can't be carried out from any state.
    Impossible,
    /// An earlier word replaces it.
    Redundant,
    /// A part of it is redundant.
    ContainsRedundant,
    /// Neither it nor any part of it is redundant.
    NotRedundant,
    /// A limit or the user stopped the analysis too early to tell.
    Unknown,
}

#[derive(Serialize)]
struct Report {
    word: Vec<String>,
    verdict: Verdict,
    reason: Option<String>,
    cost: Option<u64>,
    rule: Option<String>,
    certificate: Option<Certificate>,
    /// What comes nearest to replacing a sequence that nothing replaces.
    nearest: Option<Nearest>,
    /// How a machine reads the sequence.
    #[serde(skip_serializing_if = "Option::is_none")]
    reading: Option<Reading>,
    /// How the sequence, and then what replaces it, are composed.
    #[serde(skip_serializing_if = "Option::is_none")]
    traces: Option<Vec<Vec<TraceEntry>>>,
    /// The length up to which sequences were compared.
    analyzed_length: usize,
}

/// Why a word, or a part of one, is redundant.
#[derive(Serialize)]
struct Certificate {
    /// Where the redundant part begins in the word, from 1.
    start: usize,
    redundant: WordEntry,
    replacement: WordEntry,
    /// Unknowns of the replacement, and what stands for them in the redundant word.
    substitution: Vec<(String, String)>,
    /// Why the replacement comes first in the order.
    order: String,
}

#[derive(Serialize)]
struct WordEntry {
    word: Vec<String>,
    cost: u64,
    rule: String,
}

pub(crate) fn run(args: &ExplainArgs, cx: &mut Context) -> Result<Exit, Failure> {
    cx.refuse_csv("explain")?;
    let named = NamedGame::open(&args.file, &cx.env)?;
    if args.operators == Letters::Labels {
        return operators::run(args, &named, cx);
    }
    let game = named.ir();
    let names = RuleNames::new(game);
    let word = names.resolve_all(&args.rules)?;
    let composed = compose_word(game, &word);
    let mut report = Report {
        word: names.names(&word),
        verdict: Verdict::Impossible,
        reason: None,
        cost: None,
        rule: None,
        certificate: None,
        nearest: None,
        reading: None,
        traces: None,
        analyzed_length: 0,
    };
    let mut traced = vec![word.clone()];
    let mut exit = Exit::Done;
    match composed {
        Err(invalid) => {
            report.reason = Some(macro_text::invalid(game, &names, &word, &invalid));
        }
        Ok(rule) => {
            report.cost = Some(rule.cost());
            report.rule = Some(game.format_rule(&rule));
            let found = look_for_redundancy(args, &named, &names, &word, &mut report, cx)?;
            exit = found.exit;
            if let Some((redundant, replacement)) = found.pair {
                traced = vec![redundant, replacement];
            }
            if report.verdict == Verdict::NotRedundant {
                report.nearest = nearest::find(game, &names, &word, &rule, &found.interrupt);
            }
        }
    }
    if args.trace {
        let traces = traced.iter().map(|word| compose::trace(game, &names, word));
        report.traces = Some(traces.collect());
    }
    if let Some(path) = &args.machine {
        report.reading = Some(reading::read(path, &named, &word)?);
    }
    match cx.format {
        Format::Json => cx.out.json(&report)?,
        Format::Text | Format::Csv => report.print(cx)?,
    }
    Ok(exit)
}

fn compose_word(game: &Game, word: &[RuleId]) -> Result<CanonicalRule, Invalid> {
    let rules = word.iter().map(|id| &game.rule(*id).canonical);
    compose_all(game.n_variables(), rules)
}

/// How the search for a redundant part ended.
struct Found {
    exit: Exit,
    /// The redundant part and what replaces it.
    pair: Option<(Vec<RuleId>, Vec<RuleId>)>,
    interrupt: Arc<AtomicBool>,
}

/// Analyzes the game to length 1, 2 and so on, until a redundant part of the word shows. Most of
/// the time goes to the last length, so starting again for each costs little.
fn look_for_redundancy(
    args: &ExplainArgs,
    named: &NamedGame,
    names: &RuleNames<'_>,
    word: &[RuleId],
    report: &mut Report,
    cx: &Context,
) -> Result<Found, Failure> {
    let interrupt = interrupt::flag(&cx.env);
    let ended = |exit| Found {
        exit,
        pair: None,
        interrupt: Arc::clone(&interrupt),
    };
    let started = std::time::Instant::now();
    for length in 1..=word.len() {
        let limits = Limits {
            time: args
                .limits
                .time
                .map(|time| time.saturating_sub(started.elapsed())),
            memory: args.limits.memory,
            nodes: None,
            interrupt: Some(interrupt.clone()),
        };
        let analysis = rule_analysis::analyze(named, &Task::up_to(length, None, limits), &cx.env);
        report.analyzed_length = analysis.max_length;
        for redundant in &analysis.redundant {
            let part = &*redundant.word;
            if let Some(start) = word.windows(part.len()).position(|window| window == part) {
                let whole = part.len() == word.len();
                report.verdict = if whole {
                    Verdict::Redundant
                } else {
                    Verdict::ContainsRedundant
                };
                let certificate =
                    Certificate::of(named.ir(), names, start, part, &redundant.replacement)?;
                report.certificate = Some(certificate);
                return Ok(Found {
                    pair: Some((part.to_vec(), redundant.replacement.to_vec())),
                    ..ended(Exit::Done)
                });
            }
        }
        if let Some(reason) = analysis.stopped {
            report.verdict = Verdict::Unknown;
            return Ok(ended(match reason {
                StopReason::Interrupted => Exit::Interrupted,
                _ => Exit::Limit,
            }));
        }
    }
    report.verdict = Verdict::NotRedundant;
    Ok(ended(Exit::Done))
}

impl Certificate {
    fn of(
        game: &Game,
        names: &RuleNames<'_>,
        start: usize,
        redundant: &[RuleId],
        replacement: &[RuleId],
    ) -> Result<Self, Failure> {
        let broken = || {
            Failure::wrong(format!(
                "the certificate for {} does not hold; this is a mistake in psvn",
                names.word(redundant)
            ))
        };
        let general = compose_word(game, replacement).map_err(|_| broken())?;
        let special = compose_word(game, redundant).map_err(|_| broken())?;
        if !general.makes_redundant(&special) {
            return Err(broken());
        }
        let entry = |word: &[RuleId], rule: &CanonicalRule| WordEntry {
            word: names.names(word),
            cost: rule.cost(),
            rule: game.format_rule(rule),
        };
        Ok(Self {
            start: start + 1,
            substitution: macro_text::substitution(game, &general, &special),
            order: order(names, replacement, redundant),
            redundant: entry(redundant, &special),
            replacement: entry(replacement, &general),
        })
    }
}

/// Why one word comes before another: it is shorter, or where they first differ its rule is
/// earlier.
fn order(names: &RuleNames<'_>, first: &[RuleId], second: &[RuleId]) -> String {
    if first.len() < second.len() {
        return match first.len() {
            0 => "it needs no rule at all".to_owned(),
            n => format!(
                "it is shorter: {n} instead of {}",
                count(second.len(), "rule")
            ),
        };
    }
    match first.iter().zip(second).find(|(a, b)| a != b) {
        Some((a, b)) => format!(
            "it is as long, and {} (rule {}) stands before {} (rule {}) in the file",
            names.name(*a),
            a.0 + 1,
            names.name(*b),
            b.0 + 1
        ),
        None => "it is the same".to_owned(),
    }
}

impl Report {
    fn print(&self, cx: &mut Context) -> Result<(), Failure> {
        self.print_verdict(cx)?;
        let out = &mut cx.out;
        if let Some(nearest) = &self.nearest {
            print_nearest(nearest, out)?;
        }
        if let Some(reading) = &self.reading {
            reading.print(out)?;
        }
        for trace in self
            .traces
            .iter()
            .flatten()
            .filter(|trace| !trace.is_empty())
        {
            writeln!(out)?;
            compose::print_trace(trace.iter(), out)?;
        }
        Ok(())
    }

    fn print_verdict(&self, cx: &mut Context) -> Result<(), Failure> {
        let out = &mut cx.out;
        let word = self.word.join(" ");
        match self.verdict {
            Verdict::Impossible => {
                writeln!(out, "{word}: impossible")?;
                writeln!(out, "  {}", self.reason.as_deref().unwrap_or_default())?;
            }
            Verdict::NotRedundant => {
                writeln!(
                    out,
                    "{word}: not redundant, and no part of it is, by the length-lexicographic order"
                )?;
            }
            Verdict::Unknown => writeln!(
                out,
                "{word}: nothing redundant up to length {}; the analysis stopped there",
                self.analyzed_length
            )?,
            Verdict::Redundant => writeln!(out, "{word}: redundant")?,
            Verdict::ContainsRedundant => writeln!(out, "{word}: contains a redundant part")?,
        }
        let Some(certificate) = &self.certificate else {
            if let (Some(rule), Some(cost)) = (&self.rule, self.cost) {
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
        } = certificate;
        let redundant_text = redundant.word.join(" ");
        let replacement_text = if replacement.word.is_empty() {
            "doing nothing".to_owned()
        } else {
            replacement.word.join(" ")
        };
        if self.verdict == Verdict::ContainsRedundant {
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
        writeln!(out, "  can always be replaced by {replacement_text}")?;
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
