//! Plans carried out by the rules as they are written, and compared with their claims.

use std::borrow::Cow;
use std::collections::HashMap;

use checker::{CheckedPlan, PlanFlaw, PlanMove, check_plan};
use psvn_ir::{State, VarId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Plan, rules_of};
use crate::error::Error;
use crate::game::{Game, RuleNames};
use crate::instance::Instance;
use crate::text::units::count;
use crate::text::{Exact, Message, Parameter, message};

/// Checks plans: whether the rules as they are written allow them, and whether their stated costs
/// are right.
///
/// ```
/// use psvn::solve::plan::{PlanChecker, parse};
/// use psvn::{Environment, Game};
///
/// let game = Game::built_in("pancake:4", &Environment::default())?;
/// let plans = parse("flip4 flip2", "the plan")?;
/// let checker = PlanChecker::new(&game).start(game.state("the start", "4 3 1 2")?);
/// let report = checker.check(&plans[0], 0, plans.len(), "the plan")?;
/// assert_eq!(report.word(), "right");
/// # Ok::<(), psvn::Error>(())
/// ```
pub struct PlanChecker<'a> {
    named: &'a Game,
    game: &'a psvn_ir::Game,
    names: RuleNames<'a>,
    /// The start of the only plan.
    start: Option<State>,
    /// Starts, by the names of instances.
    instances: Option<HashMap<String, Instance>>,
    /// Known least costs, by the names of instances.
    optimal: Option<HashMap<String, Instance>>,
}

/// Whether a plan can be carried out.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum PlanVerdict {
    /// The plan can be carried out.
    CarriedOut(CheckedPlan),
    /// It can't, for this reason.
    Impossible(String),
    /// The file says that there is no plan for the instance.
    NoPlan,
}

/// The result of checking a plan.
#[derive(Clone, Debug)]
pub struct PlanReport {
    /// The name of the instance.
    pub name: String,
    /// The state in which it starts.
    pub start: State,
    /// Whether it can be carried out.
    pub verdict: PlanVerdict,
    /// Its mistakes, each in words.
    pub problems: Vec<String>,
    /// The known least cost, if there is one; `None` if least costs weren't compared.
    pub known: Option<Option<u128>>,
}

/// A checked plan as data.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct PlanRecord {
    /// The name of the instance.
    pub instance: String,
    /// The state in which it starts.
    pub start: String,
    /// `right`, `optimal`, `wrong`, or `no-plan`.
    pub verdict: Cow<'static, str>,
    /// Whether it ends in a goal state.
    pub reaches_goal: bool,
    /// Its cost, if it can be carried out.
    pub cost: Option<Exact>,
    /// The number of its moves, if it can be carried out.
    pub length: Option<usize>,
    /// The known least cost.
    pub known_cost: Option<Exact>,
    /// Its mistakes, each in words.
    pub problems: Vec<String>,
    /// The states of its path, start and end included, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<Vec<String>>,
}

impl<'a> PlanChecker<'a> {
    /// Check plans of a game. Each plan names its start, unless starts are given or the game
    /// declares one.
    pub fn new(game: &'a Game) -> Self {
        Self {
            named: game,
            game: game.ir(),
            names: game.rule_names(),
            start: None,
            instances: None,
            optimal: None,
        }
    }

    /// Set the start of the only plan.
    #[must_use]
    pub fn start(mut self, start: State) -> Self {
        self.start = Some(start);
        self
    }

    /// Set the starts of plans, by the names of instances.
    #[must_use]
    pub fn instances(mut self, instances: impl IntoIterator<Item = Instance>) -> Self {
        self.instances = Some(by_name(instances));
        self
    }

    /// Set known least costs to compare with, by the names of instances. The cost of an instance
    /// counts only for plans from the same start.
    #[must_use]
    pub fn optima(mut self, instances: impl IntoIterator<Item = Instance>) -> Self {
        self.optimal = Some(by_name(instances));
        self
    }

    /// Carry out the plan with a number, from 0, among `n_plans` of a file, and compare it with its
    /// claims. Messages call the file `plan_name`.
    ///
    /// # Errors
    /// When the plan's start isn't known, or a word of it isn't the name of a rule. A wrong plan
    /// isn't an error.
    pub fn check(
        &self,
        plan: &Plan,
        number: usize,
        n_plans: usize,
        plan_name: &str,
    ) -> Result<PlanReport, Error> {
        let name = plan
            .instance
            .clone()
            .unwrap_or_else(|| (number + 1).to_string());
        let at =
            |what: Message| Error::input(message![format!("{plan_name}:{}: ", plan.line), what]);
        let start = self.start_of(plan, &name, n_plans).map_err(at)?;
        // The least cost of another state proves nothing, even if the instances have the same name.
        let known = self.optimal.as_ref().map(|table| {
            let entry = table.get(&name).filter(|entry| entry.state == start);
            entry.and_then(|entry| entry.known_cost)
        });
        let Some(words) = &plan.moves else {
            return Ok(PlanReport::new(
                name,
                start,
                plan,
                PlanVerdict::NoPlan,
                known,
            ));
        };
        let mut moves = Vec::with_capacity(words.len());
        for (step, word) in words.iter().enumerate() {
            let rules = rules_of(word, &self.names).map_err(|error| {
                let failed = at(message![format!("move {}: ", step + 1), error.message()]);
                match error.hint() {
                    Some(hint) => failed.with_hint(hint.clone()),
                    None => failed,
                }
            })?;
            moves.push(PlanMove { rules });
        }
        let verdict = match check_plan(self.game, &start, &moves) {
            Ok(carried_out) => PlanVerdict::CarriedOut(carried_out),
            Err(flaw @ PlanFlaw::Inapplicable { .. }) => {
                PlanVerdict::Impossible(self.reason(&flaw, words))
            }
            Err(flaw) => return Err(at(flaw.to_string().into())),
        };
        Ok(PlanReport::new(name, start, plan, verdict, known))
    }

    fn start_of(&self, plan: &Plan, name: &str, n_plans: usize) -> Result<State, Message> {
        if let Some(start) = &self.start {
            if n_plans > 1 {
                return Err(message![
                    "there are several plans, and `",
                    Parameter::Start,
                    "` is for one"
                ]);
            }
            return Ok(start.clone());
        }
        if let Some(instances) = &self.instances {
            let found = instances.get(name).map(|instance| instance.state.clone());
            return found.ok_or_else(|| format!("there is no instance called `{name}`").into());
        }
        if let Some(text) = &plan.start {
            let state = self.named.values(text);
            let state = state.map_err(|error| format!("start: {error}"))?;
            return match self.named.illegal_values(&state) {
                None => Ok(state),
                Some(values) => Err(format!("start: {values}, which is illegal").into()),
            };
        }
        let optimal = self.optimal.as_ref().and_then(|table| table.get(name));
        if let Some(instance) = optimal {
            return Ok(instance.state.clone());
        }
        let declared = self.named.declared_start();
        declared.map_err(|error| error.message())?.ok_or_else(|| {
            message![
                "the plan doesn't say where it starts: add `",
                Parameter::Start,
                "` or `",
                Parameter::Instances,
                "`"
            ]
        })
    }

    /// Return why a move can't be made.
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
                "position {} holds `{}`, and the rule requires another value",
                position + 1,
                self.game
                    .domain_of(VarId::from_index(*position))
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

impl PlanReport {
    fn new(
        name: String,
        start: State,
        plan: &Plan,
        verdict: PlanVerdict,
        known: Option<Option<u128>>,
    ) -> Self {
        let mut problems = Vec::new();
        match &verdict {
            PlanVerdict::NoPlan => {}
            PlanVerdict::Impossible(reason) => problems.push(reason.clone()),
            PlanVerdict::CarriedOut(carried_out) => {
                let (cost, length) = (carried_out.cost, carried_out.sources.len());
                if !carried_out.reaches_goal {
                    problems.push("it doesn't end in a goal state".to_owned());
                }
                if let Some(claimed) = plan.cost.filter(|claimed| *claimed != cost) {
                    problems.push(format!("the stated cost is {claimed}, but it costs {cost}"));
                }
                if let Some(claimed) = plan.length.filter(|claimed| *claimed != length) {
                    problems.push(format!(
                        "the stated length is {}, but it has {length}",
                        count(claimed, "move")
                    ));
                }
                match known.flatten() {
                    Some(known) if carried_out.reaches_goal && cost > known => {
                        problems.push(format!("it costs {cost}, and the least cost is {known}"));
                    }
                    Some(known) if carried_out.reaches_goal && cost < known => {
                        problems.push(format!(
                            "it costs {cost}, less than the known least cost {known}: the table is wrong"
                        ));
                    }
                    _ => {}
                }
            }
        }
        Self {
            name,
            start,
            verdict,
            problems,
            known,
        }
    }

    /// Return whether it has no mistakes.
    pub fn is_fine(&self) -> bool {
        self.problems.is_empty()
    }

    /// Return a word for it: `right`, `optimal`, `wrong`, or `no-plan`.
    pub fn word(&self) -> &'static str {
        match (&self.verdict, self.known) {
            (PlanVerdict::NoPlan, _) => "no-plan",
            _ if !self.is_fine() => "wrong",
            (_, Some(Some(_))) => "optimal",
            _ => "right",
        }
    }

    /// Return the result of carrying it out, if that is possible.
    pub fn carried_out(&self) -> Option<&CheckedPlan> {
        match &self.verdict {
            PlanVerdict::CarriedOut(carried_out) => Some(carried_out),
            _ => None,
        }
    }

    /// Return the same as data, with the states of its path if requested.
    pub fn record(&self, game: &Game, with_states: bool) -> PlanRecord {
        let carried_out = self.carried_out();
        let text = |state: &State| game.ir().format_state(state.values());
        PlanRecord {
            instance: self.name.clone(),
            start: text(&self.start),
            verdict: self.word().into(),
            reaches_goal: carried_out.is_some_and(|carried_out| carried_out.reaches_goal),
            cost: carried_out.map(|carried_out| Exact(carried_out.cost)),
            length: carried_out.map(|carried_out| carried_out.sources.len()),
            known_cost: self.known.flatten().map(Exact),
            problems: self.problems.clone(),
            states: carried_out
                .filter(|_| with_states)
                .map(|carried_out| carried_out.states.iter().map(text).collect()),
        }
    }
}

/// The numbers of right, wrong and missing plans.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlanTotals {
    /// Plans without a mistake.
    pub right: usize,
    /// Plans with a mistake.
    pub wrong: usize,
    /// Instances without a plan.
    pub without: usize,
    /// If least costs are compared, the plans whose least cost isn't known.
    pub unknown: usize,
}

impl PlanTotals {
    /// Count one more.
    pub fn add(&mut self, report: &PlanReport) {
        match report.word() {
            "no-plan" => self.without += 1,
            "wrong" => self.wrong += 1,
            _ => self.right += 1,
        }
        self.unknown += usize::from(report.known == Some(None));
    }

    /// Return the number of plans and of instances without one.
    pub fn all(&self) -> usize {
        self.right + self.wrong + self.without
    }
}

/// Instances by their names.
fn by_name(instances: impl IntoIterator<Item = Instance>) -> HashMap<String, Instance> {
    instances
        .into_iter()
        .map(|instance| (instance.id.clone(), instance))
        .collect()
}
