//! `psvn check-plan`: solutions carried out by the rules as they are written.

use std::io::Write;
use std::path::{Path, PathBuf};

use psvn::Game;
use psvn::instance::{self as instances, Instance};
use psvn::solve::plan::{PlanChecker, PlanReport, PlanTotals, PlanVerdict, parse};
use psvn::store::read;
use psvn::text::units::count;
use psvn::text::{Exact, Parameter};

use crate::args::CheckPlanArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::table::{Align, Table};
use crate::session::Context;

pub(crate) fn run(args: &CheckPlanArgs, cx: &mut Context) -> Result<Exit, Failure> {
    refuse_standard_input_twice(args)?;
    let mut game = Game::open(&args.file, &cx.env)?;
    args.words.apply(&mut game)?;
    if game.ir().goals().is_empty() {
        return Err(Failure::input(format!(
            "{} has no goal, so no plan leads to one",
            game.name()
        )));
    }
    let (plan_name, bytes) = read::read_lines(&args.plan)?;
    let plans = parse(&String::from_utf8_lossy(&bytes), &plan_name)?;
    let checker = checker(args, &game, cx)?;
    let mut exit = Exit::Done;
    let mut printer = Printer::new(args, &game);
    printer.head(cx)?;
    for (number, plan) in plans.iter().enumerate() {
        let checked = checker.check(plan, number, plans.len(), &plan_name)?;
        if !checked.is_fine() {
            exit = Exit::No;
        }
        printer.plan(&checked, cx)?;
    }
    printer.end(cx)?;
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

/// What knows the starts and the least costs that the user gives.
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

/// Prints plans as they are checked.
struct Printer<'a> {
    show_states: bool,
    game: &'a Game,
    totals: PlanTotals,
}

impl<'a> Printer<'a> {
    fn new(args: &CheckPlanArgs, game: &'a Game) -> Self {
        Self {
            show_states: args.show_states,
            game,
            totals: PlanTotals::default(),
        }
    }

    fn head(&self, cx: &mut Context) -> Result<(), Failure> {
        match cx.format {
            Format::Text | Format::Json => Ok(()),
            Format::Csv => cx.out.csv([
                "instance",
                "verdict",
                "reaches_goal",
                "cost",
                "length",
                "known_cost",
                "problems",
            ]),
        }
    }

    fn plan(&mut self, checked: &PlanReport, cx: &mut Context) -> Result<(), Failure> {
        self.totals.add(checked);
        match cx.format {
            Format::Text => self.text(checked, cx),
            Format::Json => cx
                .out
                .json_line(&checked.record(self.game, self.show_states)),
            Format::Csv => {
                let record = checked.record(self.game, self.show_states);
                let number = |n: Option<Exact>| n.map(|n| n.0.to_string()).unwrap_or_default();
                cx.out.csv([
                    record.instance,
                    record.verdict.into_owned(),
                    record.reaches_goal.to_string(),
                    number(record.cost),
                    record.length.map(|n| n.to_string()).unwrap_or_default(),
                    number(record.known_cost),
                    record.problems.join("; "),
                ])
            }
        }
    }

    fn end(&self, cx: &mut Context) -> Result<(), Failure> {
        if cx.format != Format::Text || self.totals.all() < 2 {
            return Ok(());
        }
        let PlanTotals {
            right,
            wrong,
            without,
            unknown,
        } = self.totals;
        let plans = count(right + wrong, "plan");
        write!(cx.out, "{plans}: {right} right, {wrong} wrong")?;
        if without > 0 {
            write!(cx.out, "; {} without a plan", count(without, "instance"))?;
        }
        if unknown > 0 {
            write!(cx.out, "; {unknown} without a known least cost")?;
        }
        writeln!(cx.out)?;
        Ok(())
    }

    fn text(&self, checked: &PlanReport, cx: &mut Context) -> Result<(), Failure> {
        let out = &mut cx.out;
        let name = &checked.name;
        match (&checked.verdict, checked.is_fine()) {
            (PlanVerdict::NoPlan, _) => writeln!(out, "{name}: no plan")?,
            (PlanVerdict::CarriedOut(plan), true) => {
                let optimal = match checked.known {
                    Some(Some(_)) => ", the least",
                    Some(None) => "; the least cost is not known",
                    None => "",
                };
                writeln!(
                    out,
                    "{name}: right, {}, cost {}{optimal}",
                    count(plan.sources.len(), "move"),
                    plan.cost
                )?;
            }
            _ => {
                for problem in &checked.problems {
                    writeln!(out, "{name}: wrong: {problem}")?;
                }
            }
        }
        if let Some(plan) = checked.carried_out().filter(|_| self.show_states) {
            let mut table = Table::new([("", Align::Right), ("", Align::Left), ("", Align::Left)]);
            let label = |source: &usize| self.game.ir().source_rules()[*source].label.to_string();
            let moves = std::iter::once("start".to_owned()).chain(plan.sources.iter().map(label));
            for (step, (state, name)) in plan.states.iter().zip(moves).enumerate() {
                table.row([
                    step.to_string(),
                    name,
                    self.game.ir().format_state(state.values()),
                ]);
            }
            table.print_body(out)?;
        }
        Ok(())
    }
}
