//! Trees and state spaces.

use std::path::PathBuf;

use pictures::draw_tree;
use psvn::solve::{TreeReport, TreeRequest, goal_state};
use psvn::text::units::{parse_bytes, parse_duration};
use psvn::{Error, Exploration, ExplorationStorage, Limits};
use pyo3::prelude::*;

use crate::environment::Environment;
use crate::errors::{Raise, json};
use crate::game::Game;
use crate::state::State;

/// A limit on time, as text.
pub(crate) fn time(text: Option<String>) -> Result<Option<std::time::Duration>, Error> {
    let parsed = text.map(|text| parse_duration(&text)).transpose();
    parsed.map_err(|why| Error::usage(format!("`time`: {why}")))
}

/// A limit on memory, as text.
pub(crate) fn memory(text: Option<String>) -> Result<Option<usize>, Error> {
    let parsed = text.map(|text| parse_bytes(&text)).transpose();
    parsed.map_err(|why| Error::usage(format!("`memory`: {why}")))
}

/// The nodes of a tree by depth, as JSON, and warnings about missing parts.
#[pyfunction]
#[pyo3(signature = (
    game,
    env, depth, start=None, lengths=vec![], parents=false, cycles=false, machines=vec![],
    within_invariants=true, nodes=None, time_limit=None,
))]
#[expect(clippy::too_many_arguments, reason = "Python passes them by name")]
pub(crate) fn count_tree(
    py: Python<'_>,
    game: &Game,
    env: &Environment,
    depth: u64,
    start: Option<&State>,
    lengths: Vec<usize>,
    parents: bool,
    cycles: bool,
    machines: Vec<PathBuf>,
    within_invariants: bool,
    nodes: Option<u64>,
    time_limit: Option<String>,
) -> PyResult<(String, Vec<String>)> {
    let request = TreeRequest {
        lengths,
        parents,
        cycles,
        machines,
        within_invariants,
        limits: Limits {
            nodes,
            time: time(time_limit).raise(py)?,
            ..Limits::default()
        },
        ..TreeRequest::to_depth(depth)
    };
    let start = match start {
        Some(start) => start.state.clone(),
        None => goal_state(&game.game).raise(py)?,
    };
    let report = env.run(py, |env| {
        TreeReport::count(&game.game, &start, &request, env)
    })?;
    Ok((json(&report)?, report.warnings))
}

/// A tree as SVG, with its pruned branches and the reasons.
#[pyfunction]
#[pyo3(signature = (game, env, depth, start=None, length=None, parents=false, machine=None))]
#[expect(clippy::too_many_arguments, reason = "Python passes them by name")]
pub(crate) fn tree_svg(
    py: Python<'_>,
    game: &Game,
    env: &Environment,
    depth: u64,
    start: Option<&State>,
    length: Option<usize>,
    parents: bool,
    machine: Option<PathBuf>,
) -> PyResult<String> {
    let request = TreeRequest {
        lengths: length.into_iter().collect(),
        parents,
        machines: machine.into_iter().collect(),
        ..TreeRequest::to_depth(depth)
    };
    let start = match start {
        Some(start) => start.state.clone(),
        None => goal_state(&game.game).raise(py)?,
    };
    env.run(py, |env| {
        let layout = game.game.board_layout(None)?;
        let tree = draw_tree(&game.game, &start, &request, layout.as_ref(), env)?;
        tree.svg().map_err(|error| Error::limit(error.to_string()))
    })
}

/// All states by their number of moves, as JSON.
#[pyfunction]
#[pyo3(signature = (
    game,
    env, starts=vec![], depth=None, storage=None, farthest=0, nodes=None, time_limit=None,
    memory_limit=None, symmetries=false, seeks_goals=false,
))]
#[expect(clippy::too_many_arguments, reason = "Python passes them by name")]
pub(crate) fn explore(
    py: Python<'_>,
    game: &Game,
    env: &Environment,
    starts: Vec<PyRef<'_, State>>,
    depth: Option<u64>,
    storage: Option<String>,
    farthest: usize,
    nodes: Option<u64>,
    time_limit: Option<String>,
    memory_limit: Option<String>,
    symmetries: bool,
    seeks_goals: bool,
) -> PyResult<String> {
    let exploration = Exploration {
        starts: starts.iter().map(|start| start.state.clone()).collect(),
        depth,
        storage: match storage.as_deref() {
            None | Some("auto") => ExplorationStorage::Automatic,
            Some("ranked") => ExplorationStorage::Ranked,
            Some("memory") => ExplorationStorage::Memory,
            Some(folder) => ExplorationStorage::Disk(PathBuf::from(folder)),
        },
        symmetries,
        seeks_goals,
        farthest,
        limits: Limits {
            nodes,
            time: time(time_limit).raise(py)?,
            memory: memory(memory_limit).raise(py)?,
            interrupt: None,
        },
    };
    drop(starts);
    let report = env.run(py, |env| exploration.run(&game.game, env, &mut |_| {}))?;
    json(&report)
}
