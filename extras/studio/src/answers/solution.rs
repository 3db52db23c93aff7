//! Solutions, found on a thread of their own.

use std::sync::Arc;
use std::time::Duration;

use psvn::instance::{InstanceFormat, judged};
use psvn::solve::{Outcome, SearchOptions, Series, states_on_the_way};
use psvn::{Algorithm, Environment, Game, HeuristicSpec, Solution, Solver, State};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Question;
use super::board::Position;
use super::redundant::Begun;
use crate::jobs::{Kind, Owner};
use crate::opened::Opened;
use crate::refusal::Refusal;
use crate::shared::Studio;

/// The longest time of a search.
const MOST_SECONDS: u64 = 3600;

/// Look for a solution.
#[derive(Debug, Deserialize)]
pub(crate) struct Solve {
    game: String,
    window: String,
    start: String,
    seconds: u64,
    /// The algorithm by its name; `ida` unless given.
    #[serde(default)]
    algorithm: Option<String>,
}

/// A step of a solution.
#[derive(Debug, Serialize)]
struct Step {
    /// The rule that leads there, with its number from 1; `None` at the start.
    name: Option<String>,
    rule: Option<usize>,
    /// What all steps up to here cost.
    cost: u64,
    #[serde(flatten)]
    position: Position,
}

impl Question for Solve {
    type Answer = Begun;

    fn game(&self) -> &str {
        &self.game
    }

    fn answer(self, opened: &Arc<Opened>, studio: &Arc<Studio>) -> Result<Begun, Refusal> {
        opened.game()?.state("the start", &self.start)?;
        let algorithm = match &self.algorithm {
            None => Algorithm::Ida,
            Some(name) => name
                .parse()
                .map_err(|_| Refusal::wrong(format!("there is no algorithm `{name}`")))?,
        };
        let owner = Owner {
            game: self.game,
            window: self.window,
        };
        let time = Duration::from_secs(self.seconds.clamp(1, MOST_SECONDS));
        let opened = Arc::clone(opened);
        let work = move |env: &Environment| solved(&opened, &self.start, algorithm, env);
        let job = studio.begin(Kind::Solution, owner, time, work)?;
        Ok(Begun { job })
    }
}

/// Search from a start, as `psvn solve --heuristic auto` does.
fn solved(
    opened: &Opened,
    start: &str,
    algorithm: Algorithm,
    env: &Environment,
) -> Result<Value, Refusal> {
    let game = opened.game()?;
    let path = game.name().as_ref();
    let judged = judged(
        Some(start),
        None,
        InstanceFormat::default(),
        path,
        game,
        env,
    )?;
    let starts = judged.open_starts();
    let options = SearchOptions {
        algorithm,
        heuristic: if algorithm.takes_heuristic() {
            HeuristicSpec::Auto
        } else {
            HeuristicSpec::zero()
        },
        ..SearchOptions::default()
    };
    let solver = if starts.is_empty() {
        None
    } else {
        Some(
            Solver::builder(game)
                .options(options)
                .starts(starts)
                .build(env)?,
        )
    };
    let mut series = Series::new(game, &judged, solver.as_ref());
    let solved = series.next().ok_or_else(Refusal::broken)??;
    let record = series.record(&solved, false, None);
    let steps = match &solved.answer.outcome {
        Outcome::Solved(solution) => steps(opened, game, &solved.instance.state, solution),
        _ => Vec::new(),
    };
    let meaning = &solved.answer.meaning;
    Ok(json!({ "record": record, "meaning": meaning, "steps": steps }))
}

/// The states of a solution.
fn steps(opened: &Opened, game: &Game, start: &State, solution: &Solution) -> Vec<Step> {
    let names = game.rule_names();
    let states = states_on_the_way(game, start, &solution.moves);
    let rules = std::iter::once(None).chain(solution.moves.iter().map(Some));
    let mut cost = 0;
    let mut step = |(state, id): (&State, Option<&psvn::RuleId>)| {
        cost += id.map_or(0, |id| game.ir().rule(*id).canonical.cost());
        Step {
            name: id.map(|id| names.name(*id)),
            rule: id.map(|id| id.index() + 1),
            cost,
            position: Position::of(opened, game, state),
        }
    };
    states.iter().zip(rules).map(&mut step).collect()
}
