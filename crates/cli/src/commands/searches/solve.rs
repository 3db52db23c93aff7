//! `psvn solve`: solutions, checked before they are printed.

mod certificate;
mod pictures;

#[cfg(feature = "cluster")]
use std::path::Path;
use std::time::Duration;

#[cfg(feature = "cluster")]
use psvn::cluster::Crew;
use psvn::heuristic::HeuristicSpec;
use psvn::instance::{self as instances, Judged};
use psvn::solve::{Outcome, Series, SolveRecord, Solved};
use psvn::text::Terms;
use psvn::{Game, Searcher};
#[cfg(feature = "cluster")]
use psvn::{State, StopReason};

use self::pictures::Pictures;
#[cfg(feature = "cluster")]
use super::cluster;
use crate::args::SolveArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::ending::{SVG, SVG_OR_DOT, form_of};
use crate::output::terms::CommandTerms;
use crate::output::two_players;
use crate::session::Context;
use crate::session::interrupt;
use crate::show::{Row, Way, series};

/// The time of a search without a heuristic before a note says that there is one.
const PATIENCE: Duration = Duration::from_secs(5);

pub(crate) fn run(args: &SolveArgs, cx: &mut Context) -> Result<Exit, Failure> {
    check(args)?;
    #[cfg(feature = "cluster")]
    let processes = cluster::wanted(&args.cluster, &args.file)?;
    let (game, judged) = open(args, cx)?;
    // Starts with a proof that they have no solution take no part in any preparation.
    let starts = judged.open_starts();
    let first = starts.first().cloned();
    #[cfg(feature = "cluster")]
    let seat = processes
        .map(|it| it.seat(Path::new(""), &cx.env))
        .transpose()?;
    let searcher = if starts.is_empty() {
        None
    } else {
        interrupt::flag(&cx.env);
        Some(
            Searcher::builder(&game)
                .options(args.options())
                .starts(starts)
                .advise_after(PATIENCE)
                .build(&cx.env)?,
        )
    };
    let searcher = searcher.as_ref();
    let certificate = args.certificate.as_deref();
    let begin = |path| certificate::begin(path, &game, searcher);
    let mut writer = certificate.map(begin).transpose()?;
    let mut pictures = Pictures::new(args, &game)?;
    #[cfg(feature = "cluster")]
    let crew = match (searcher, seat) {
        (Some(searcher), Some(seat)) => {
            let is_silent = seat.is_silent;
            let crew = Crew::for_searches(searcher, seat.member, seat.children, &cx.env)?;
            if is_silent {
                return help(searcher, &judged.open_starts(), &crew);
            }
            Some(crew)
        }
        _ => None,
    };
    let mut series = Series::new(&game, &judged, searcher);
    #[cfg(feature = "cluster")]
    if let Some(crew) = &crew {
        series = series.together_with(crew);
    }
    print_head(args, &series, cx)?;
    // Flush, so that the head is visible during the search.
    cx.out.finish()?;
    if let (Some(searcher), Some(first)) = (searcher, &first) {
        pictures.search(searcher, first, &cx.log)?;
    }
    let way = match pictures.layout().filter(|_| args.boards) {
        Some(layout) => Way::Boards(layout.clone()),
        None if args.show_states => Way::States,
        None => Way::Moves,
    };
    let mut exit = Exit::Done;
    let mut is_advised = false;
    while let Some(solved) = series.next() {
        let solved = solved?;
        let (start, answer) = (&solved.instance.state, &solved.answer);
        for solution in answer.solution().into_iter().chain(&answer.best_so_far) {
            pictures.solution(start, solution, &cx.log)?;
        }
        print_solved(args, &series, &solved, &way, cx)?;
        cx.out.finish()?;
        if let (Some(searcher), Outcome::Stopped(reason)) = (searcher, &answer.outcome)
            && !is_advised
            && !cx.log.is_quiet()
            && let Some(advice) = searcher.advice(start, *reason)
        {
            is_advised = true;
            cx.log.help(&advice.in_terms_of(&CommandTerms));
        }
        if let Some(writer) = &mut writer {
            certificate::add(writer, searcher, &solved, cx)?;
        }
        if let Some(problem) = &solved.problem {
            let id = &solved.instance.id;
            cx.log.error(&format!("instance {id}: {problem}"));
        }
        exit = exit.and(exit_of(&solved));
        if exit == Exit::Interrupted {
            break;
        }
    }
    if let (Some(path), Some(writer)) = (certificate, writer) {
        certificate::write(path, writer, cx)?;
    }
    if cx.format == Format::Text {
        series::show_end(&series, &mut cx.out)?;
    }
    #[cfg(feature = "cluster")]
    if let Some(crew) = &crew {
        cx.out.finish()?;
        cx.log.note(&crew.summary());
    }
    warn_of_idle_machine(searcher, &series, cx)?;
    Ok(exit)
}

/// Read the game and the starts, and find proofs that some have no solution.
fn open(args: &SolveArgs, cx: &mut Context) -> Result<(Game, Judged), Failure> {
    let mut game = Game::open(&args.file, &cx.env)?;
    args.words.apply(&mut game)?;
    two_players::warn(&game, two_players::SOLUTION, cx);
    let scrambled = match &args.scramble {
        Some(moves) => {
            let state = game.scramble(moves)?;
            game.set_words([])?;
            Some(game.ir().format_state(state.values()))
        }
        None => None,
    };
    let mut judged = instances::judged(
        args.start.as_deref().or(scrambled.as_deref()),
        args.instances.as_deref(),
        args.instance_format,
        &args.file,
        &game,
        &cx.env,
    )?;
    if game.ir().goals().is_empty() {
        cx.log.warning(&format!(
            "{} has no goal, so nothing solves it",
            game.name()
        ));
    }
    // With one start, the limit on time covers all the work.
    if args.instances.is_some() {
        cx.limit_each_search();
    }
    if args.search_anyway {
        judged.refutations.fill(None);
    }
    Ok((game, judged))
}

/// Print what comes before the first instance.
fn print_head(args: &SolveArgs, series: &Series<'_>, cx: &mut Context) -> Result<(), Failure> {
    match cx.format {
        Format::Text => series::show_head(series, args.explain, &cx.style(), &mut cx.out)?,
        Format::Csv if args.stats => {
            let fields = [SolveRecord::FIELDS, &series::LOOKUP_FIELDS].concat();
            cx.out.csv(fields)?;
        }
        Format::Csv => cx.out.csv(SolveRecord::FIELDS)?,
        Format::Json => {}
    }
    Ok(())
}

/// Print the outcome of an instance.
fn print_solved(
    args: &SolveArgs,
    series: &Series<'_>,
    solved: &Solved<'_>,
    way: &Way,
    cx: &mut Context,
) -> Result<(), Failure> {
    let terms = args.explain.then_some(&CommandTerms as &dyn Terms);
    let record = || series.record(solved, args.show_states, terms);
    match cx.format {
        Format::Text => series::show_solved(series, solved, way, &cx.style(), &mut cx.out)?,
        Format::Json => cx.out.json_line(&record())?,
        Format::Csv => {
            let record = record();
            let further = args.stats.then(|| series::lookup_fields(&record));
            cx.out.csv(
                record
                    .fields()
                    .into_iter()
                    .chain(further.into_iter().flatten()),
            )?;
        }
    }
    Ok(())
}

/// The exit status for the outcome of an instance.
fn exit_of(solved: &Solved<'_>) -> Exit {
    match &solved.answer.outcome {
        Outcome::Solved(_) if solved.problem.is_none() => Exit::Done,
        Outcome::Solved(_) | Outcome::NoSolution { .. } => Exit::No,
        Outcome::NotWithinDepth | Outcome::NotWithinCost | Outcome::NotFound => Exit::Limit,
        Outcome::Stopped(reason) => Exit::of(Some(*reason)),
    }
}

/// Warn of a machine that has pruned nothing.
fn warn_of_idle_machine(
    searcher: Option<&Searcher>,
    series: &Series<'_>,
    cx: &mut Context,
) -> Result<(), Failure> {
    if let Some(searcher) = searcher.filter(|_| series.is_machine_idle()) {
        cx.out.finish()?;
        cx.log.warning(&format!(
            "{} pruned nothing in {}",
            searcher.pruning().machine_name,
            match series.n_instances() {
                1 => "this search",
                _ => "these searches",
            }
        ));
    }
    Ok(())
}

/// Take part in searches that another process shows.
#[cfg(feature = "cluster")]
fn help(searcher: &Searcher, starts: &[State], crew: &Crew) -> Result<Exit, Failure> {
    for start in starts {
        if searcher.found(start).is_some() {
            continue;
        }
        let answer = searcher.run(start).solve_with(crew)?;
        if matches!(answer.outcome, Outcome::Stopped(StopReason::Interrupted)) {
            return Ok(Exit::Interrupted);
        }
    }
    Ok(Exit::Done)
}

/// Refuse options that make no sense together.
pub(crate) fn check(args: &SolveArgs) -> Result<(), Failure> {
    let options = args.options();
    options.check()?;
    if let Some(path) = &args.animate {
        form_of(path, SVG)?;
    }
    if let Some(path) = &args.tree {
        form_of(path, SVG_OR_DOT)?;
    }
    if args.explain && args.heuristic != HeuristicSpec::Auto {
        return Err(Failure::usage(
            "`--explain` says what was chosen, and only `--heuristic auto` chooses",
        ));
    }
    options.prune_spec()?;
    #[cfg(feature = "cluster")]
    if args.cluster.processes.is_some() || args.cluster.hosts.is_some() {
        Crew::check(&options)?;
    }
    Ok(())
}
