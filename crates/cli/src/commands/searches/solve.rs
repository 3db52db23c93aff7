//! `psvn solve`: solutions, checked before they are printed.

mod pictures;
mod report;

use std::time::{Duration, Instant};

#[cfg(feature = "cluster")]
use psvn::cluster::Crew;
use psvn::{Searcher, State, StopReason};

pub(crate) use self::pictures::{animation, print_boards};

use self::pictures::Pictures;
use self::report::{Printer, Solved};
#[cfg(feature = "cluster")]
use super::cluster;
use crate::args::SolveArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::terms::CommandTerms;
use crate::output::two_players;
use crate::session::Context;
use crate::session::interrupt;
use psvn::Game;
use psvn::heuristic::HeuristicSpec;
use psvn::instance::{self as instances, Judged};
use psvn::solve::Answer;
use psvn::solve::{Outcome, check_solution, compare};

/// How long a search without a heuristic goes on before it is said that there is one.
const PATIENCE: Duration = Duration::from_secs(5);

pub(crate) fn run(args: &SolveArgs, cx: &mut Context) -> Result<Exit, Failure> {
    check(args)?;
    if args.stats && cx.format == Format::Csv {
        return Err(Failure::usage("`--stats` has no CSV: it is several tables")
            .hint("use `--format json` or text"));
    }
    // With one start, the limit on time is one on all that is done for it.
    let time = args.limits.time.filter(|_| args.instances.is_none());
    let deadline = time.and_then(|time| Instant::now().checked_add(time));
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
    let Judged {
        instances,
        mut refutations,
    } = instances::judged(
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
    if args.search_anyway {
        refutations.fill(None);
    }
    // What is proved to have no solution takes no part in any preparation.
    let starts: Vec<State> = instances
        .iter()
        .zip(&refutations)
        .filter(|(_, refutation)| refutation.is_none())
        .map(|(instance, _)| instance.state.clone())
        .collect();
    #[cfg(feature = "cluster")]
    let seat = cluster::seat(&args.cluster, &args.file)?;
    let task = if starts.is_empty() {
        None
    } else {
        interrupt::flag(&cx.env);
        Some(
            Searcher::builder(&game)
                .options(args.options())
                .starts(starts)
                .deadline(deadline)
                .advise_after(PATIENCE)
                .build(&cx.env)?,
        )
    };
    let task = task.as_ref();
    #[cfg(feature = "cluster")]
    let crew = match (task, seat) {
        (Some(task), Some(seat)) => {
            let is_silent = seat.is_silent;
            let crew = Crew::for_searches(task, seat.member, seat.children, &cx.env)?;
            if is_silent {
                let starts = instances.iter().zip(&refutations);
                let starts = starts.filter(|(_, refutation)| refutation.is_none());
                return help(task, starts.map(|(it, _)| &it.state), &crew);
            }
            Some(crew)
        }
        _ => None,
    };
    let search = |task: &Searcher, start: &State| {
        #[cfg(feature = "cluster")]
        if let Some(crew) = &crew {
            return task.run(start).solve_with(crew);
        }
        task.run(start).solve()
    };
    let mut pictures = Pictures::new(args, &game)?;
    let mut printer = Printer::new(args, &game, task, instances.len());
    printer.preparation = task.map(Searcher::made_in).unwrap_or_default();
    printer.layout = pictures.layout().filter(|_| args.boards).cloned();
    printer.head(cx)?;
    let mut exit = Exit::Done;
    let mut is_advised = false;
    for (instance, refutation) in instances.iter().zip(refutations) {
        let (report, found_with) = match (refutation, task) {
            (None, Some(task)) => {
                pictures.search(task, &instance.state)?;
                match task.found(&instance.state) {
                    Some((report, heuristic)) => (report, Some(heuristic)),
                    None => (search(task, &instance.state)?, None),
                }
            }
            (refutation, _) => {
                let proof = refutation.map(|found| found.proof).unwrap_or_default();
                (Answer::refuted(proof), None)
            }
        };
        for solution in report.solution().into_iter().chain(&report.best_so_far) {
            check_solution(&game, instance, solution)?;
            pictures.solution(&instance.state, solution)?;
        }
        printer.instance(&Solved::new(instance, &report, found_with), cx)?;
        if let (Some(task), Outcome::Stopped(reason)) = (task, &report.outcome)
            && !is_advised
            && let Some(advice) = task.advice(&instance.state, *reason)
        {
            is_advised = true;
            cx.log.help(&advice.in_terms_of(&CommandTerms));
        }
        let is_optimal = task.is_some_and(Searcher::is_optimal);
        let problem = compare(is_optimal, instance, &report.outcome);
        if let Some(problem) = &problem {
            cx.out.finish()?;
            cx.log
                .error(&format!("instance {}: {problem}", instance.id));
        }
        exit = exit.and(match &report.outcome {
            Outcome::Solved(_) if problem.is_none() => Exit::Done,
            Outcome::Solved(_) | Outcome::NoSolution { .. } => Exit::No,
            Outcome::NotWithinDepth | Outcome::NotWithinCost | Outcome::NotFound => Exit::Limit,
            Outcome::Stopped(StopReason::Interrupted) => Exit::Interrupted,
            Outcome::Stopped(_) => Exit::Limit,
        });
        if exit == Exit::Interrupted {
            break;
        }
    }
    printer.end(cx)?;
    #[cfg(feature = "cluster")]
    if let Some(crew) = &crew {
        cx.out.finish()?;
        cx.log.note(&crew.summary());
    }
    if let Some(task) = task
        && printer.pruned_by_machine() == Some(0)
    {
        cx.out.finish()?;
        cx.log.warning(&format!(
            "{} pruned nothing in {}",
            task.pruning().machine_name,
            match instances.len() {
                1 => "this search",
                _ => "these searches",
            }
        ));
    }
    Ok(exit)
}

/// Take part in searches that another process shows.
#[cfg(feature = "cluster")]
fn help<'s>(
    task: &Searcher,
    starts: impl Iterator<Item = &'s State>,
    crew: &Crew,
) -> Result<Exit, Failure> {
    for start in starts {
        if task.found(start).is_some() {
            continue;
        }
        let answer = task.run(start).solve_with(crew)?;
        if matches!(answer.outcome, Outcome::Stopped(StopReason::Interrupted)) {
            return Ok(Exit::Interrupted);
        }
    }
    Ok(Exit::Done)
}

/// Refuses options that make no sense together.
pub(crate) fn check(args: &SolveArgs) -> Result<(), Failure> {
    let options = args.options();
    options.check()?;
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
