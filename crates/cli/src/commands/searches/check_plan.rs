//! `psvn check-plan`: solutions carried out by the rules as they are written.

use std::path::{Path, PathBuf};

use psvn::Game;
use psvn::instance::{self as instances, Instance};
use psvn::solve::plan::{PlanChecker, PlanRecord, PlanTotals, parse};
use psvn::store::read;
use psvn::text::Parameter;

use crate::args::CheckPlanArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::session::Context;
use crate::show::{Row, Show, show_plan_states};

pub(crate) fn run(args: &CheckPlanArgs, cx: &mut Context) -> Result<Exit, Failure> {
    refuse_standard_input_twice(args)?;
    let mut game = Game::open(&args.file, &cx.env)?;
    args.words.apply(&mut game)?;
    let game = args.variation.apply(game)?;
    if game.ir().goals().is_empty() {
        return Err(Failure::input(format!(
            "{} has no goal, so no plan leads to one",
            game.name()
        )));
    }
    let (plan_name, bytes) = read::read_lines(&args.plan)?;
    let plans = parse(&String::from_utf8_lossy(&bytes), &plan_name)?;
    let checker = checker(args, &game, cx)?;
    if cx.format == Format::Csv {
        cx.out.csv(PlanRecord::FIELDS)?;
    }
    let mut totals = PlanTotals::default();
    let mut exit = Exit::Done;
    for (number, plan) in plans.iter().enumerate() {
        let checked = checker.check(plan, number, plans.len(), &plan_name)?;
        totals.add(&checked);
        if !checked.is_fine() {
            exit = Exit::No;
        }
        let record = || checked.record(&game, args.show_states);
        match cx.format {
            Format::Json => cx.out.json_line(&record())?,
            Format::Csv => cx.out.csv(record().fields())?,
            Format::Text => {
                checked.show(&cx.style(), &mut cx.out)?;
                if args.show_states {
                    show_plan_states(&checked, &game, &mut cx.out)?;
                }
            }
        }
    }
    if cx.format == Format::Text && totals.all() > 1 {
        totals.show(&cx.style(), &mut cx.out)?;
    }
    Ok(exit)
}

fn refuse_standard_input_twice(args: &CheckPlanArgs) -> Result<(), Failure> {
    let files = [
        Some(&args.file),
        Some(&args.plan),
        args.instances.as_ref(),
        args.optimal.as_ref(),
    ];
    let is_stdin = |file: &&PathBuf| file.as_path() == Path::new("-");
    if files.into_iter().flatten().filter(is_stdin).count() > 1 {
        return Err(Failure::usage(
            "only one of the files can come from standard input",
        ));
    }
    Ok(())
}

/// A checker with the starts and the least costs that the user gives.
fn checker<'g>(
    args: &CheckPlanArgs,
    game: &'g Game,
    cx: &Context,
) -> Result<PlanChecker<'g>, Failure> {
    let mut checker = PlanChecker::new(game);
    if let Some(text) = &args.start {
        checker = checker.start(game.state(Parameter::Start, text)?);
    }
    let read = |path: &Path| -> Result<Vec<Instance>, Failure> {
        Ok(instances::read(path, args.instance_format, game, &cx.env)?)
    };
    if let Some(path) = &args.instances {
        checker = checker.instances(read(path)?);
    }
    if let Some(path) = &args.optimal {
        checker = checker.optima(read(path)?);
    }
    Ok(checker)
}
