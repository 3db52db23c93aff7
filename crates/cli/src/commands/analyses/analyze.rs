//! `psvn analyze`: redundant words, and the machines that forbid them.

mod ideal;

use std::io::Write;
use std::time::Instant;

use super::listing;
use crate::args::AnalyzeArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::two_players;
use crate::session::Context;
use crate::session::interrupt;
use psvn::Error;
use psvn::Game;
use psvn::StopReason;
use psvn::Watch;
use psvn::analysis::AssumptionsSource as Source;
use psvn::analysis::MaxLength;
use psvn::analysis::{AnalysisReport, AnalysisRequest, Splits, Summary};
use psvn::machine::WordList;
use psvn::store::atomic as atomic_file;
use psvn::text::units::{count, format_bytes};

pub(crate) fn run(args: &AnalyzeArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let started = Instant::now();
    let pruning = args.pruning();
    pruning.check()?;
    let mut game = args.variation.apply(Game::open(&args.file, &cx.env)?)?;
    if args.backward {
        game = game.backward()?;
    }
    two_players::warn(&game, two_players::ANALYSIS, cx);
    interrupt::flag(&cx.env);
    let (setting, finding) = pruning.analyze_with_request(&game, &args.file, &cx.env)?;
    let summary = &finding.summary;
    if let Some(path) = &args.output {
        let machine = finding.machine.as_ref().ok_or_else(|| too_large(summary))?;
        atomic_file::write(path, &machine.to_bytes())?;
    }
    if args.words.words {
        let machine = finding.machine.as_ref().ok_or_else(|| too_large(summary))?;
        let list = WordList::of_analysis(machine, game.ir()).map_err(Error::from)?;
        note_unusable(&setting, summary, cx);
        let words = || machine.words.iter().cloned().map(Ok);
        // The time was for the analysis.
        listing::print_words(&list, words, &args.words, &Watch::default(), cx)?;
        return Ok(stop(summary, args, cx));
    }
    let ideal = if args.ideal {
        let compared = ideal::compare(args, &game, &setting, &finding, started, cx);
        Some(compared?)
    } else {
        None
    };
    let mut report = AnalysisReport::of(game.named(), &setting, &finding, started.elapsed())?;
    report.ideal = ideal;
    if args.split.is_none() && report.splits.as_ref().is_some_and(Splits::is_empty) {
        // Only those who requested splits need to read that there are none.
        report.splits = None;
    }
    note_unusable(&setting, summary, cx);
    cx.print(&report)?;
    if let (Some(path), Format::Text) = (&args.output, cx.format) {
        writeln!(cx.out, "Machine written to {}", path.display())?;
    }
    Ok(stop(summary, args, cx))
}

/// Warn if an analysis covers fewer rules than the user may expect.
fn note_unusable(setting: &AnalysisRequest, summary: &Summary, cx: &Context) {
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

/// Say why the analysis stopped early, if it did.
fn stop(summary: &Summary, args: &AnalyzeArgs, cx: &mut Context) -> Exit {
    let Some(reason) = summary.stopped else {
        return Exit::Done;
    };
    if args.max_length == MaxLength::Auto && reason != StopReason::Interrupted {
        // Running until the limit is what was requested.
        return Exit::Done;
    }
    // The data first, since the message is about it.
    let _ = cx.out.finish();
    let what = reason.clause();
    cx.log.warning(&format!(
        "the analysis stopped at length {} of {}, because {what}; what it found is sound",
        summary.max_length,
        match args.max_length {
            MaxLength::Auto => "as many as the limits allow".to_owned(),
            MaxLength::Length(length) => length.to_string(),
        }
    ));
    Exit::of(Some(reason))
}
