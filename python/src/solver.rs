//! Searches from many starts, and plans.

use std::path::PathBuf;

use psvn::Error;
use psvn::certificate::Writer;
use psvn::instance::{Instance, Judged, refutations};
use psvn::solve::plan::{Plan, PlanChecker, PlanRecord, parse};
use psvn::solve::{Answer, RecordContext, Series, SolveRecord, check_solution};
use psvn::store::atomic;
use psvn::text::LibraryTerms;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::environment::Environment;
use crate::errors::{Raise, json};
use crate::game::Game;
use crate::machine::Machine;
use crate::options::{self, Pairs};
use crate::state::State;
use crate::tables::Tables;

/// A solver with its starts.
#[pyclass(frozen, module = "psvn._psvn")]
pub(crate) struct Solver {
    settings: Pairs,
    game: std::sync::Arc<psvn::Game>,
    starts: Vec<psvn::State>,
    machine: Option<Py<Machine>>,
    tables: Option<Py<Tables>>,
    search_anyway: bool,
}

/// A record as JSON, and the numbers of the rules of the solution.
pub(crate) type Found = (String, Option<Vec<usize>>);

/// The outcome of a start.
pub(crate) fn found(
    game: &psvn::Game,
    instance: &Instance,
    answer: &Answer,
    context: RecordContext<'_>,
) -> Result<(SolveRecord, Option<Vec<usize>>), Error> {
    for solution in answer.solution().into_iter().chain(&answer.best_so_far) {
        check_solution(game, instance, solution)?;
    }
    let record = SolveRecord::of(game, instance, answer, context);
    Ok((record, moves_of(answer)))
}

/// The numbers of the rules of a solution.
fn moves_of(answer: &Answer) -> Option<Vec<usize>> {
    let solution = answer.solution();
    solution.map(|it| it.moves.iter().map(|rule| rule.index()).collect())
}

#[pymethods]
impl Solver {
    #[new]
    #[pyo3(signature = (
        game, settings, starts=vec![], machine=None, tables=None, search_anyway=false,
    ))]
    fn new(
        py: Python<'_>,
        game: &Game,
        settings: Pairs,
        starts: Vec<PyRef<'_, State>>,
        machine: Option<Py<Machine>>,
        tables: Option<Py<Tables>>,
        search_anyway: bool,
    ) -> PyResult<Self> {
        options::of_search(&settings)
            .and_then(|it| it.check())
            .raise(py)?;
        if let Some(machine) = &machine
            && machine.get().analysis.is_none()
        {
            return Err(PyValueError::new_err(
                "a machine from a file is given by the name of its file",
            ));
        }
        Ok(Self {
            settings,
            game: std::sync::Arc::clone(&game.game),
            starts: starts.iter().map(|start| start.state.clone()).collect(),
            machine,
            tables,
            search_anyway,
        })
    }

    /// Prepare the search and run it from all starts. Return a record for each as JSON, with the
    /// numbers of the rules of its solution. The certificate of what was proved is written to the
    /// file.
    #[pyo3(signature = (env, with_states, certificate=None))]
    fn run(
        &self,
        py: Python<'_>,
        env: &Environment,
        with_states: bool,
        certificate: Option<PathBuf>,
    ) -> PyResult<Vec<Found>> {
        let options = options::of_search(&self.settings).raise(py)?;
        let machine = self
            .machine
            .as_ref()
            .and_then(|it| it.get().analysis.clone());
        let tables = self.tables.as_ref().map(|it| it.get().heuristic.clone());
        let records = env.run(py, |env| {
            let game = &*self.game;
            let stop = || env.is_cancelled();
            let mut refuted = refutations(&self.starts, game, &stop);
            if self.search_anyway {
                refuted.fill_with(|| None);
            }
            let numbered = (1..).zip(&self.starts);
            let instance = |(number, start): (usize, &psvn::State)| {
                Instance::new(number.to_string(), start.clone(), None)
            };
            let judged = Judged {
                instances: numbered.map(instance).collect(),
                refutations: refuted,
            };
            let open = judged.open_starts();
            let mut builder = psvn::Solver::builder(game).options(options.clone());
            if let Some(analysis) = &machine {
                builder = builder.machine(analysis);
            }
            if let Some(tables) = tables {
                builder = builder.prepared_heuristic(tables);
            }
            let solver = if open.is_empty() {
                None
            } else {
                Some(builder.starts(open).build(env)?)
            };
            let mut records = Vec::new();
            let mut series = Series::new(game, &judged, solver.as_ref());
            let mut writer = certificate.as_ref().map(|_| Writer::new(game));
            while let Some(solved) = series.next() {
                let solved = solved?;
                let record = series.record(&solved, with_states, Some(&LibraryTerms));
                records.push((record, moves_of(&solved.answer)));
                if let Some(writer) = &mut writer {
                    let start = &solved.instance.state;
                    writer.add(solver.as_ref(), start, &solved.answer, env)?;
                }
                if env.is_cancelled() {
                    break;
                }
            }
            if let (Some(path), Some(writer)) = (&certificate, writer)
                && let Some(text) = writer.finish(env)?
            {
                atomic::write(path, text.as_bytes())?;
            }
            Ok(records)
        })?;
        let data = |(record, moves)| Ok((json(&record)?, moves));
        records.into_iter().map(data).collect()
    }

    /// The tree of the search from its first start, as SVG.
    fn tree_svg(&self, py: Python<'_>, env: &Environment) -> PyResult<String> {
        let options = options::of_search(&self.settings).raise(py)?;
        let tables = self.tables.as_ref().map(|it| it.get().heuristic.clone());
        env.run(py, |env| {
            let Some(start) = self.starts.first() else {
                return Err(Error::usage("a search begins at a start"));
            };
            let mut builder = psvn::Solver::builder(&self.game).options(options.clone());
            if let Some(tables) = tables {
                builder = builder.prepared_heuristic(tables);
            }
            let solver = builder.starts([start.clone()]).build(env)?;
            let layout = self.game.board_layout(None)?;
            let tree = pictures::draw_search(&solver, start, layout.as_ref())?;
            tree.svg().map_err(|error| Error::limit(error.to_string()))
        })
    }
}

/// The verdict on a certificate of costs, as JSON.
#[pyfunction]
#[pyo3(signature = (env, path, game=None))]
pub(crate) fn certify(
    py: Python<'_>,
    env: &Environment,
    path: PathBuf,
    game: Option<&Game>,
) -> PyResult<String> {
    let game = game.map(|it| &*it.game);
    let (certified, _) = env.run(py, |env| psvn::certificate::certify(&path, game, env))?;
    json(&certified)
}

/// The checks of the plans in a text, as a list of JSON.
#[pyfunction]
#[pyo3(signature = (game, text, name, start=None, with_states=true))]
pub(crate) fn check_plans(
    py: Python<'_>,
    game: &Game,
    text: &str,
    name: &str,
    start: Option<&State>,
    with_states: bool,
) -> PyResult<Vec<String>> {
    let plans = parse(text, name).raise(py)?;
    let check = |number: usize, plan: &Plan| {
        check_one(game, plan, number, plans.len(), name, start, with_states)
    };
    let plans = plans.iter().enumerate();
    plans
        .map(|(number, plan)| json(&check(number, plan).raise(py)?))
        .collect()
}

/// The check of a plan given as a list of names of rules, as JSON.
#[pyfunction]
#[pyo3(signature = (game, moves, start, cost=None, with_states=true))]
pub(crate) fn check_moves(
    py: Python<'_>,
    game: &Game,
    moves: Vec<String>,
    start: &State,
    cost: Option<u64>,
    with_states: bool,
) -> PyResult<String> {
    let plan = Plan {
        line: 1,
        instance: None,
        start: None,
        moves: Some(moves),
        cost: cost.map(u128::from),
        length: None,
    };
    let record = check_one(game, &plan, 0, 1, "the plan", Some(start), with_states);
    json(&record.raise(py)?)
}

/// Carry out one plan.
fn check_one(
    game: &Game,
    plan: &Plan,
    number: usize,
    n_plans: usize,
    name: &str,
    start: Option<&State>,
    with_states: bool,
) -> Result<PlanRecord, Error> {
    let mut checker = PlanChecker::new(&game.game);
    if let Some(start) = start {
        checker = checker.start(start.state.clone());
    }
    let report = checker.check(plan, number, n_plans, name)?;
    Ok(report.record(&game.game, with_states))
}
