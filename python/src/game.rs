//! Games and their analyses.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use psvn::analysis::{AnalysisReport, Composition, ExplainOptions, explain};
use psvn::instance::{self, InstanceFormat, RandomWalks};
use psvn::solve::states_on_the_way;
use psvn::text::{Choice, Findings};
use psvn::{
    Error, GameDescription, GoalSymmetries, Limits, RuleId, Source, Value, Variation, drawing,
};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use crate::environment::Environment;
use crate::errors::{Raise, json};
use crate::machine::Machine;
use crate::options::{self, Pairs};
use crate::state::State;
use crate::trees::time;

/// The seconds of each step of an animated picture.
const STEP: f64 = 0.7;

/// A game: its domains, variables, rules and goals.
#[pyclass(frozen, module = "psvn._psvn")]
pub(crate) struct Game {
    pub(crate) game: Arc<psvn::Game>,
    text: String,
}

impl Game {
    fn read(source: Source, env: &psvn::Environment) -> Result<Self, Error> {
        let text = source.text.clone();
        Ok(Self {
            game: Arc::new(psvn::Game::from_source(source, env)?),
            text,
        })
    }

    fn rule(&self, rule: usize) -> PyResult<RuleId> {
        if rule < self.game.ir().rules().len() {
            Ok(RuleId::from_index(rule))
        } else {
            Err(PyIndexError::new_err("the game has no such rule"))
        }
    }

    /// The rules of names.
    pub(crate) fn resolve(&self, words: &[String]) -> Result<Vec<RuleId>, Error> {
        Ok(self.game.rule_names().resolve_all(words)?)
    }
}

#[pymethods]
impl Game {
    #[staticmethod]
    fn open(py: Python<'_>, env: &Environment, path: PathBuf) -> PyResult<Self> {
        env.run(py, |env| Self::read(Source::read(&path)?, env))
    }

    #[staticmethod]
    fn built_in(py: Python<'_>, env: &Environment, reference: &str) -> PyResult<Self> {
        env.run(py, |env| Self::read(Source::built_in(reference)?, env))
    }

    #[staticmethod]
    fn parse(py: Python<'_>, env: &Environment, text: &str, name: &str) -> PyResult<Self> {
        env.run(py, |env| Self::read(Source::new(name, text), env))
    }

    /// The game with its rules run backward.
    fn backward(&self, py: Python<'_>) -> PyResult<Self> {
        Ok(Self {
            game: Arc::new(self.game.backward().raise(py)?),
            text: self.text.clone(),
        })
    }

    /// The game with other goals, or with only some of its rules.
    fn varied(
        &self,
        py: Python<'_>,
        goals: Vec<String>,
        rules: Vec<String>,
        goal_symmetries: Option<&str>,
    ) -> PyResult<Self> {
        let named = |name: &str| {
            GoalSymmetries::from_name(name).ok_or_else(|| {
                let names = GoalSymmetries::ALL.iter().map(|it| it.name());
                let names = names.collect::<Vec<_>>().join(", ");
                Error::usage(format!("goal_symmetries: `{name}` is none of {names}"))
            })
        };
        let variation = Variation {
            goals,
            rules,
            goal_symmetries: goal_symmetries.map(named).transpose().raise(py)?,
        };
        Ok(Self {
            game: Arc::new(self.game.varied(&variation).raise(py)?),
            text: self.text.clone(),
        })
    }

    #[getter]
    fn name(&self) -> &str {
        self.game.name()
    }

    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    #[getter]
    fn n_variables(&self) -> usize {
        self.game.ir().n_variables()
    }

    #[getter]
    fn n_rules(&self) -> usize {
        self.game.ir().rules().len()
    }

    #[getter]
    fn hash(&self) -> String {
        self.game.ir().content_hash().to_string()
    }

    /// The description of the game as JSON.
    fn describe(&self) -> PyResult<String> {
        json(&GameDescription::of(&self.game))
    }

    /// The only goal state, if there is one.
    fn goal_state(&self) -> Option<State> {
        let state = self.game.ir().goal_state()?;
        Some(State::new(&self.game, state))
    }

    /// The state that a text writes.
    fn state(&self, py: Python<'_>, text: &str) -> PyResult<State> {
        let state = self.game.state("the state", text).raise(py)?;
        Ok(State::new(&self.game, state))
    }

    /// The states that match a pattern.
    fn states_matching(
        &self,
        py: Python<'_>,
        env: &Environment,
        text: &str,
    ) -> PyResult<Vec<State>> {
        let states = env.run(py, |env| {
            self.game.states_matching("the pattern", text, env)
        })?;
        let of_game = |state| State::new(&self.game, state);
        Ok(states.into_iter().map(of_game).collect())
    }

    /// The state to which moves lead from the goal.
    fn scramble(&self, py: Python<'_>, moves: &str) -> PyResult<State> {
        let state = self.game.scramble(moves).raise(py)?;
        Ok(State::new(&self.game, state))
    }

    /// The instances of a file: names, states, and known least costs as text.
    fn instances(
        &self,
        py: Python<'_>,
        env: &Environment,
        path: PathBuf,
        format: &str,
    ) -> PyResult<Vec<(String, State, Option<String>)>> {
        let format = InstanceFormat::from_name(format).ok_or_else(|| {
            let names: Vec<&str> = InstanceFormat::ALL.iter().map(|it| it.name()).collect();
            let message = format!("there is no `{format}` format of instances");
            Error::usage(message).with_hint(format!("there are {}", names.join(", ")))
        });
        let format = format.raise(py)?;
        let read = env.run(py, |env| instance::read(&path, format, &self.game, env))?;
        let one = |it: instance::Instance| {
            let cost = it.known_cost.map(|cost| cost.to_string());
            (it.id, State::new(&self.game, it.state), cost)
        };
        Ok(read.into_iter().map(one).collect())
    }

    /// The state whose values have these numbers.
    fn state_of_codes(&self, codes: Vec<u32>) -> PyResult<State> {
        let ir = self.game.ir();
        let sizes = ir.variables().iter().map(|id| ir.domain(*id).size());
        let fits = codes.len() == ir.n_variables()
            && codes
                .iter()
                .zip(sizes)
                .all(|(code, size)| (*code as usize) < size);
        if !fits {
            return Err(PyValueError::new_err(format!(
                "these are no codes of a state: {} numbers, each less than the size of its \
                 variable's domain",
                ir.n_variables()
            )));
        }
        let values: Vec<Value> = codes.into_iter().map(Value).collect();
        Ok(State::new(&self.game, psvn::State::new(values)))
    }

    /// The numbers of the rules that apply to a state, from 0.
    fn applicable(&self, state: &State) -> Vec<usize> {
        let values = state.state.values();
        let rules = self.game.ir().rules().iter().enumerate();
        let applying = rules.filter(|(_, rule)| {
            values.len() == rule.canonical.n_variables() && rule.canonical.applies_to(values)
        });
        applying.map(|(number, _)| number).collect()
    }

    /// The state that a rule leads to; `None` where it doesn't apply.
    fn apply(&self, state: &State, rule: usize) -> PyResult<Option<State>> {
        let rule = &self.game.ir().rule(self.rule(rule)?).canonical;
        let values = state.state.values();
        let applies = values.len() == rule.n_variables() && rule.applies_to(values);
        Ok(applies.then(|| State::new(&self.game, psvn::State::new(rule.apply(values)))))
    }

    /// The state that the rule of a name leads to; `None` where it doesn't apply. A label may
    /// belong to several rules if at most one of them applies.
    fn apply_named(&self, py: Python<'_>, state: &State, name: &str) -> PyResult<Option<State>> {
        let resolved = self.game.rule_names().resolve(name);
        let rules = self.game.ir().rules();
        let is_label = rules
            .iter()
            .any(|rule| rule.label.eq_ignore_ascii_case(name));
        if resolved.is_ok() || !is_label {
            return self.apply(state, resolved.raise(py)?.index());
        }
        let mut applying = self.applicable(state);
        applying.retain(|rule| rules[*rule].label.eq_ignore_ascii_case(name));
        match applying.as_slice() {
            [] => Ok(None),
            [rule] => self.apply(state, *rule),
            several => {
                let names = self.game.rule_names();
                let names = several
                    .iter()
                    .map(|rule| names.name(RuleId::from_index(*rule)));
                let names: Vec<String> = names.collect();
                let message = format!("several rules with the label `{name}` apply: say which one");
                Err(Error::usage(message).with_hint(names.join(", "))).raise(py)
            }
        }
    }

    /// The warnings about its text, as JSON.
    fn findings(&self, py: Python<'_>, env: &Environment) -> PyResult<String> {
        let findings = env.run(py, |env| {
            let mut source = Source::new(self.game.name(), self.text.clone());
            source.examine(env)?;
            Ok(Findings::of(&source))
        })?;
        json(&findings.diagnostics)
    }

    fn is_goal(&self, state: &State) -> bool {
        let values = state.state.values();
        values.len() == self.game.ir().n_variables() && self.game.ir().is_goal(values)
    }

    /// The number of the rule with a name, from 0.
    fn rule_number(&self, py: Python<'_>, name: &str) -> PyResult<usize> {
        Ok(self.game.rule_names().resolve(name).raise(py)?.index())
    }

    /// The macro-rule of a sequence, as JSON.
    fn compose(&self, py: Python<'_>, rules: Vec<String>, trace: bool) -> PyResult<String> {
        let word = self.resolve(&rules).raise(py)?;
        json(&Composition::of(self.game.ir(), &word, trace))
    }

    /// Why a sequence is redundant, impossible, or neither, as JSON.
    #[pyo3(signature = (env, rules, time_limit=None))]
    fn explain(
        &self,
        py: Python<'_>,
        env: &Environment,
        rules: Vec<String>,
        time_limit: Option<String>,
    ) -> PyResult<String> {
        let word = self.resolve(&rules).raise(py)?;
        let options = ExplainOptions {
            limits: Limits {
                time: time(time_limit).raise(py)?,
                ..Limits::default()
            },
            ..ExplainOptions::default()
        };
        let found = env.run(py, |env| explain(&self.game, &word, &options, env))?;
        json(&found)
    }

    /// Find redundant sequences: return the figures as JSON, and the machine.
    fn analyze(
        &self,
        py: Python<'_>,
        env: &Environment,
        settings: Pairs,
    ) -> PyResult<(String, Option<Machine>)> {
        let pruning = options::of_analysis(&settings).raise(py)?;
        let (report, analysis) = env.run(py, |env| {
            let started = std::time::Instant::now();
            let file = Path::new(self.game.name());
            let (request, analysis) = pruning.analyze_with_request(&self.game, file, env)?;
            let elapsed = started.elapsed();
            let report = AnalysisReport::of(self.game.named(), &request, &analysis, elapsed)?;
            Ok((report, analysis))
        })?;
        let machine = Machine::of_analysis(py, &self.game, analysis)?;
        Ok((json(&report)?, machine))
    }

    /// The ends of random walks, as text, without repetition.
    #[pyo3(signature = (env, count, steps, start=None, backward=true))]
    fn random_states(
        &self,
        py: Python<'_>,
        env: &Environment,
        count: usize,
        steps: u64,
        start: Option<&State>,
        backward: bool,
    ) -> PyResult<Vec<State>> {
        let walks = RandomWalks {
            count,
            steps,
            start: start.map(|start| start.state.clone()),
            backward,
        };
        let states = env.run(py, |env| {
            let ends = walks.walk(&self.game, env)?;
            ends.iter()
                .map(|end| self.game.state("the end of a walk", &end.state))
                .collect::<Result<Vec<_>, _>>()
        })?;
        Ok(states
            .into_iter()
            .map(|state| State::new(&self.game, state))
            .collect())
    }

    /// The states that moves, given by the numbers of rules, lead through.
    fn states_on_the_way(&self, start: &State, moves: Vec<usize>) -> PyResult<Vec<State>> {
        let rules: Vec<RuleId> = moves
            .into_iter()
            .map(|rule| self.rule(rule))
            .collect::<PyResult<_>>()?;
        let mut state = start.state.clone();
        for rule in &rules {
            let rule = &self.game.ir().rule(*rule).canonical;
            if state.values().len() != rule.n_variables() || !rule.applies_to(state.values()) {
                return Err(PyValueError::new_err(
                    "a move can't be made where it stands",
                ));
            }
            state = psvn::State::new(rule.apply(state.values()));
        }
        let states = states_on_the_way(&self.game, &start.state, &rules);
        Ok(states
            .into_iter()
            .map(|state| State::new(&self.game, state))
            .collect())
    }

    /// States in order as an animated picture; `None` where the game declares no layout of boards.
    #[pyo3(signature = (states, moves, title, seconds=STEP))]
    fn animation(
        &self,
        py: Python<'_>,
        states: Vec<PyRef<'_, State>>,
        moves: Vec<String>,
        title: &str,
        seconds: f64,
    ) -> PyResult<Option<String>> {
        let Some(layout) = self.game.board_layout(None).raise(py)? else {
            return Ok(None);
        };
        let values: Vec<Vec<&str>> = states
            .iter()
            .map(|state| self.game.value_names(&state.state))
            .collect();
        Ok(Some(drawing::animate(
            title, &layout, &values, &moves, seconds,
        )))
    }
}

/// The games that come with the program: an example of each reference, and a description.
#[pyfunction]
pub(crate) fn builtin_games() -> Vec<(String, &'static str)> {
    let games = psvn::text::built_in_games().into_iter();
    games
        .map(|game| (game.example.replace(' ', ":"), game.summary))
        .collect()
}
