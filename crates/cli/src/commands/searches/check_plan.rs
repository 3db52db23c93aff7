//! `psvn check-plan`: solutions carried out by the rules as they are written.

mod report;

use std::collections::HashMap;
use std::path::Path;

use checker::{PlanFlaw, PlanMove, check_plan};
use psvn_ir::{Game, State};

use self::report::{Checked, Verdict};
use crate::args::CheckPlanArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::Context;
use psvn::Game as NamedGame;
use psvn::RuleNames;
use psvn::instance::{self as instances, Instance};
use psvn::solve::plan::{self as plans, Plan};
use psvn::store::read;

pub(crate) fn run(args: &CheckPlanArgs, cx: &mut Context) -> Result<Exit, Failure> {
    refuse_standard_input_twice(args)?;
    let mut named = NamedGame::open(&args.file, &cx.env)?;
    args.words.apply(&mut named)?;
    if named.ir().goals().is_empty() {
        return Err(Failure::input(format!(
            "{} has no goal, so no plan leads to one",
            named.name()
        )));
    }
    let (plan_name, bytes) = read::read_lines(&args.plan)?;
    let plans = plans::parse(&String::from_utf8_lossy(&bytes), &plan_name)?;
    let tables = Tables::read(args, &named, cx)?;
    let names = RuleNames::new(named.ir());
    let mut exit = Exit::Done;
    let mut printer = report::Printer::new(args, &named);
    printer.head(cx)?;
    for (number, plan) in plans.iter().enumerate() {
        let checked = tables.check(plan, number, plans.len(), &plan_name, &names)?;
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
    let is_stdin = |file: &&std::path::PathBuf| file.as_path() == Path::new("-");
    if files.into_iter().flatten().filter(is_stdin).count() > 1 {
        return Err(Failure::usage(
            "only one of the files can come from standard input",
        ));
    }
    Ok(())
}

/// Starts and known least costs, by the names of instances.
struct Tables<'a> {
    game: &'a Game,
    start: Option<State>,
    instances: Option<HashMap<String, Instance>>,
    optimal: Option<HashMap<String, Instance>>,
}

impl<'a> Tables<'a> {
    fn read(args: &CheckPlanArgs, named: &'a NamedGame, cx: &Context) -> Result<Self, Failure> {
        let game = named.ir();
        let start = args.start.as_ref();
        let start = start.map(|text| named.state("--start", text));
        let read = |path: &Option<std::path::PathBuf>| {
            let Some(path) = path else { return Ok(None) };
            let instances = instances::read(path, args.instance_format, named, &cx.env)?;
            let by_name = instances
                .into_iter()
                .map(|instance| (instance.id.clone(), instance));
            Ok::<_, Failure>(Some(by_name.collect()))
        };
        let (instances, optimal) = (read(&args.instances)?, read(&args.optimal)?);
        Ok(Self {
            game,
            start: start.transpose()?,
            instances,
            optimal,
        })
    }

    /// Carries a plan out, and compares it with what is said of it.
    fn check(
        &self,
        plan: &Plan,
        number: usize,
        n_plans: usize,
        plan_name: &str,
        names: &RuleNames<'_>,
    ) -> Result<Checked, Failure> {
        let name = plan
            .instance
            .clone()
            .unwrap_or_else(|| (number + 1).to_string());
        let at = |what: String| Failure::input(format!("{plan_name}:{}: {what}", plan.line));
        let start = self.start_of(plan, &name, n_plans).map_err(at)?;
        // The least cost of another state says nothing, whatever the instances are called.
        let known = self.optimal.as_ref().map(|table| {
            let entry = table.get(&name).filter(|entry| entry.state == start);
            entry.and_then(|entry| entry.known_cost)
        });
        let Some(words) = &plan.moves else {
            return Ok(Checked::new(name, start, plan, Verdict::NoPlan, known));
        };
        let mut moves = Vec::with_capacity(words.len());
        for (step, word) in words.iter().enumerate() {
            let rules = plans::rules_of(word, names).map_err(|failure| {
                let failed = at(format!("move {}: {failure}", step + 1));
                match failure.hint() {
                    Some(hint) => failed.hint(hint.to_owned()),
                    None => failed,
                }
            })?;
            moves.push(PlanMove { rules });
        }
        let verdict = match check_plan(self.game, &start, &moves) {
            Ok(carried_out) => Verdict::CarriedOut(carried_out),
            Err(flaw @ PlanFlaw::Inapplicable { .. }) => {
                Verdict::Impossible(self.reason(&flaw, words))
            }
            Err(flaw) => return Err(at(flaw.to_string())),
        };
        Ok(Checked::new(name, start, plan, verdict, known))
    }

    fn start_of(&self, plan: &Plan, name: &str, n_plans: usize) -> Result<State, String> {
        if let Some(start) = &self.start {
            if n_plans > 1 {
                return Err("there are several plans, and `--start` is for one".to_owned());
            }
            return Ok(start.clone());
        }
        if let Some(instances) = &self.instances {
            let found = instances.get(name).map(|instance| instance.state.clone());
            return found.ok_or_else(|| format!("there is no instance called `{name}`"));
        }
        if let Some(text) = &plan.start {
            return self
                .game
                .parse_state(text)
                .map_err(|error| format!("start: {error}"));
        }
        let optimal = self.optimal.as_ref().and_then(|table| table.get(name));
        optimal
            .map(|instance| instance.state.clone())
            .ok_or_else(|| {
                "the plan doesn't say where it starts: add `--start` or `--instances`".to_owned()
            })
    }

    /// Why a move can't be made.
    fn reason(&self, flaw: &PlanFlaw, words: &[String]) -> String {
        let PlanFlaw::Inapplicable {
            step,
            state,
            position,
        } = flaw
        else {
            return flaw.to_string();
        };
        let here = self.game.format_state(state.values());
        let why = match position {
            Some(position) => format!(
                "position {} holds `{}`, and the rule wants something else",
                position + 1,
                self.game
                    .domain_of(psvn_ir::VarId::from_index(*position))
                    .value_name(state.values()[*position])
            ),
            None => "no rule of that label applies".to_owned(),
        };
        format!(
            "move {} (`{}`) can't be made from {here}: {why}",
            step + 1,
            words[*step]
        )
    }
}
