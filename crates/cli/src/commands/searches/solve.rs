//! `psvn solve`: solutions, checked before they are printed.

mod certificate;
mod debugger;
mod pictures;

use std::time::Duration;

use psvn::certificate::Writer;
use psvn::heuristic::HeuristicSpec;
use psvn::instance::{self as instances, Judged};
use psvn::solve::units::{Rounds, options_for_units};
use psvn::solve::{Outcome, Series, SolveRecord, Solved};
use psvn::text::{Source, Terms};
use psvn::{Game, Solver};

use self::pictures::Pictures;
use crate::args::SolveArgs;
#[cfg(feature = "formats")]
use crate::commands::pddl;
use crate::commands::units;
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
    let opened = open(args, cx)?;
    // Starts with a proof that they have no solution take no part in any preparation.
    let starts = opened.judged.open_starts();
    let splitting = args.splitting.splitting(args.output.as_ref());
    let options = match splitting {
        Some(_) => options_for_units(&args.options())?,
        None => args.options(),
    };
    let solver = if starts.is_empty() {
        None
    } else {
        interrupt::flag(&cx.env);
        Some(
            Solver::builder(&opened.game)
                .options(options)
                .starts(starts)
                .advise_after(PATIENCE)
                .build(&cx.env)?,
        )
    };
    let (solver, rounds) = match (solver, splitting) {
        (Some(solver), Some(splitting)) => {
            let instance = &opened.judged.instances[0];
            let (rounds, solver) =
                Rounds::of_search(&splitting, &opened.source, solver, instance, &cx.env)?;
            (Some(solver), Some(rounds))
        }
        (solver, _) => (solver, None),
    };
    let certificate = args.certificate.as_deref();
    let begin = |path| certificate::begin(path, &opened.game, solver.as_ref());
    let mut report = Report {
        shown: args.into(),
        solver: solver.as_ref(),
        rounds: rounds.as_ref(),
        writer: certificate.map(begin).transpose()?,
        pictures: Some(Pictures::new(args, &opened.game)?),
        debugger: args.debugger,
    };
    let exit = report.run(&opened.game, &opened.judged, cx)?;
    if let (Some(path), Some(writer)) = (certificate, report.writer) {
        certificate::write(path, writer, cx)?;
    }
    Ok(exit)
}

/// What is shown of searches.
#[derive(Clone, Copy, Default)]
pub(crate) struct Shown {
    explain: bool,
    stats: bool,
    states: bool,
    boards: bool,
    all: bool,
}

impl From<&SolveArgs> for Shown {
    fn from(args: &SolveArgs) -> Self {
        Self {
            explain: args.explain,
            stats: args.stats,
            states: args.show_states,
            boards: args.boards,
            all: args.all.is_some(),
        }
    }
}

/// Searches whose answers are shown one by one.
pub(crate) struct Report<'a> {
    shown: Shown,
    solver: Option<&'a Solver>,
    /// The rounds of a search that is split into units.
    rounds: Option<&'a Rounds>,
    writer: Option<Writer<'a>>,
    pictures: Option<Pictures<'a>>,
    /// The port of a search debugger.
    debugger: Option<u16>,
}

impl<'a> Report<'a> {
    /// The report of a search that is split.
    pub(crate) fn of_units(solver: &'a Solver, rounds: &'a Rounds) -> Self {
        Self {
            shown: Shown {
                stats: solver.options().count_depths,
                all: solver.options().all.is_some(),
                ..Shown::default()
            },
            solver: Some(solver),
            rounds: Some(rounds),
            writer: None,
            pictures: None,
            debugger: None,
        }
    }

    /// Search, and show the answers.
    pub(crate) fn run(
        &mut self,
        game: &Game,
        judged: &Judged,
        cx: &mut Context,
    ) -> Result<Exit, Failure> {
        let solver = self.solver;
        let mut series = Series::new(game, judged, solver);
        if let Some(rounds) = self.rounds {
            series = series.handed_out_by(rounds);
        }
        print_head(self.shown, &series, cx)?;
        // Flush, so that the head is visible during the search.
        cx.out.finish()?;
        let first = judged.open_starts().into_iter().next();
        if let (Some(pictures), Some(solver), Some(first)) = (&mut self.pictures, solver, &first) {
            pictures.search(solver, first, &cx.log)?;
        }
        if let (Some(port), Some(solver), Some(first)) = (self.debugger, solver, &first) {
            debugger::tell(port, solver, first, cx)?;
        }
        let layout = self.pictures.as_ref().and_then(|it| it.layout());
        let way = match layout.filter(|_| self.shown.boards) {
            Some(layout) => Way::Boards(layout.clone()),
            None if self.shown.states => Way::States,
            None => Way::Moves,
        };
        let mut exit = Exit::Done;
        let mut is_advised = false;
        while let Some(solved) = series.next() {
            let mut solved = solved?;
            if let Some(rounds) = self.rounds {
                let (open, elsewhere) = rounds.end()?;
                if let Some(open) = open {
                    return units::show_open(&open, cx);
                }
                solved.answer.elapsed += elsewhere;
            }
            self.show(&series, &solved, &way, cx)?;
            if let (Some(solver), Outcome::Stopped(reason)) = (solver, &solved.answer.outcome)
                && !is_advised
                && !cx.log.is_quiet()
                && let Some(advice) = solver.advice(&solved.instance.state, *reason)
            {
                is_advised = true;
                cx.log.help(&advice.in_terms_of(&CommandTerms));
            }
            exit = exit.and(exit_of(&solved));
            if exit == Exit::Interrupted {
                break;
            }
        }
        if cx.format == Format::Text {
            series::show_end(&series, &mut cx.out)?;
        }
        warn_of_idle_machine(solver, &series, cx)?;
        Ok(exit)
    }

    /// Show an answer, and write what was asked for about it.
    fn show(
        &mut self,
        series: &Series<'_>,
        solved: &Solved<'_>,
        way: &Way,
        cx: &mut Context,
    ) -> Result<(), Failure> {
        let (start, answer) = (&solved.instance.state, &solved.answer);
        if let Some(pictures) = &mut self.pictures {
            for solution in answer.solution().into_iter().chain(&answer.best_so_far) {
                pictures.solution(start, solution, &cx.log)?;
            }
        }
        print_solved(self.shown, series, solved, way, cx)?;
        cx.out.finish()?;
        if let Some(writer) = &mut self.writer {
            certificate::add(writer, self.solver, solved, cx)?;
        }
        if let Some(problem) = &solved.problem {
            let id = &solved.instance.id;
            cx.log.error(&format!("instance {id}: {problem}"));
        }
        Ok(())
    }
}

/// A game with its text and the starts.
struct Opened {
    source: Source,
    game: Game,
    judged: Judged,
}

/// Read the game and the starts, and find proofs that some have no solution.
fn open(args: &SolveArgs, cx: &mut Context) -> Result<Opened, Failure> {
    let source = read(args, cx)?;
    let mut game = Game::from_source(source.clone(), &cx.env)?;
    args.words.apply(&mut game)?;
    let mut game = args.variation.apply(game)?;
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
    Ok(Opened {
        source,
        game,
        judged,
    })
}

/// Read the game; a task in PDDL is translated first.
#[cfg(feature = "formats")]
fn read(args: &SolveArgs, cx: &Context) -> Result<Source, Failure> {
    pddl::read(&args.file, args.problem.as_deref(), cx)
}

#[cfg(not(feature = "formats"))]
fn read(args: &SolveArgs, cx: &Context) -> Result<Source, Failure> {
    match args.problem {
        Some(_) => Err(Failure::missing("other formats", "formats")),
        None => Ok(Source::read_within(&args.file, &cx.env)?),
    }
}

/// Print what comes before the first instance.
fn print_head(shown: Shown, series: &Series<'_>, cx: &mut Context) -> Result<(), Failure> {
    match cx.format {
        Format::Text => series::show_head(series, shown.explain, &cx.style(), &mut cx.out)?,
        Format::Csv => {
            let mut fields = SolveRecord::FIELDS.to_vec();
            if shown.stats {
                fields.extend(series::Lookups::FIELDS);
            }
            if shown.all {
                fields.extend(series::All::FIELDS);
            }
            cx.out.csv(fields)?;
        }
        Format::Json => {}
    }
    Ok(())
}

/// Print the outcome of an instance.
fn print_solved(
    shown: Shown,
    series: &Series<'_>,
    solved: &Solved<'_>,
    way: &Way,
    cx: &mut Context,
) -> Result<(), Failure> {
    let terms = shown.explain.then_some(&CommandTerms as &dyn Terms);
    let record = || series.record(solved, shown.states, terms);
    match cx.format {
        Format::Text => series::show_solved(series, solved, way, &cx.style(), &mut cx.out)?,
        Format::Json => cx.out.json_line(&record())?,
        Format::Csv => {
            let record = record();
            let mut fields = record.fields();
            if shown.stats {
                fields.extend(series::Lookups(&record).fields());
            }
            if shown.all {
                fields.extend(series::All(&record).fields());
            }
            cx.out.csv(fields)?;
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
    solver: Option<&Solver>,
    series: &Series<'_>,
    cx: &mut Context,
) -> Result<(), Failure> {
    if let Some(solver) = solver.filter(|_| series.is_machine_idle()) {
        cx.out.finish()?;
        cx.log.warning(&format!(
            "{} pruned nothing in {}",
            solver.pruning().machine_name,
            match series.n_instances() {
                1 => "this search",
                _ => "these searches",
            }
        ));
    }
    Ok(())
}

/// Refuse options that make no sense together.
pub(crate) fn check(args: &SolveArgs) -> Result<(), Failure> {
    let options = args.options();
    options.check()?;
    if let Some(path) = args.picture() {
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
    if args.splitting.units.is_some() {
        options_for_units(&options)?;
        check_with_units(args)?;
    }
    Ok(())
}

/// Refuse what units can't do.
fn check_with_units(args: &SolveArgs) -> Result<(), Failure> {
    let refused = [
        (args.instances.is_some(), "--instances"),
        (args.certificate.is_some(), "--certificate"),
        (args.tree.is_some(), "--tree"),
        (args.debugger.is_some(), "--debugger"),
    ];
    match refused.into_iter().find(|it| it.0) {
        Some((_, option)) => Err(Failure::usage(format!(
            "`--units` splits the search from one start, and takes no `{option}`"
        ))),
        None => Ok(()),
    }
}
