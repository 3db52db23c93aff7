//! The invariants that an analysis assumes of a search's states.

use std::path::Path;

use invariants::Invariants;
use psvn_ir::State;
use serde::{Deserialize, Serialize};

use super::choices::Assume;
use crate::environment::Environment;
use crate::environment::invariants::{from_goals, from_states, of_goals};
use crate::error::Error;
use crate::game::Game;
use crate::instance::{self, InstanceFormat};
use crate::text::units::count;
use crate::text::{Parameter, message};

/// Where assumptions come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AssumptionsSource {
    /// There are none.
    None,
    /// They hold in all states that can be reached from a goal state.
    Goal,
    /// They hold in all states that can be reached from the given ones.
    Start,
}

/// The states that the user gives, if any.
#[derive(Clone, Copy, Debug, Default)]
pub struct Starts<'a> {
    /// One state, as text.
    pub state: Option<&'a str>,
    /// A file of states.
    pub file: Option<&'a Path>,
}

/// The assumptions, and where they come from.
#[derive(Clone, Debug)]
pub struct Assumptions {
    /// Where they come from.
    pub source: AssumptionsSource,
    /// `None` where nothing is assumed.
    pub known: Option<Invariants>,
    /// The same, one a line.
    pub lines: Vec<String>,
}

/// The error that the invariants of a start are requested, and there is none.
fn no_start() -> Error {
    Error::usage(message![
        "`",
        Parameter::Invariants.is("start"),
        "` needs a state"
    ])
    .with_hint(message![
        "give one with `",
        Parameter::Start.is("\"STATE\""),
        "`, or several with `",
        Parameter::Instances.is("FILE"),
        "`"
    ])
}

/// The error that states are given, and others are to be assumed.
fn contradiction(choice: Assume, starts: Starts<'_>) -> Error {
    let name = match choice {
        Assume::None => "none",
        _ => "goal",
    };
    let option = match starts.file {
        Some(_) => Parameter::Instances,
        None => Parameter::Start,
    };
    Error::usage(message![
        "`",
        Parameter::Invariants.is(name),
        "` and `",
        option,
        "` contradict each other"
    ])
    .with_hint(message![
        "leave `",
        Parameter::Invariants,
        "` out to assume the invariants of the given states"
    ])
}

impl Assumptions {
    /// The user's choice; by default the invariants of the given states, of the start that the game
    /// declares, or else of the goal. If the game has no goal, or no rule can be used at the goal,
    /// nothing is assumed, and a note says so.
    ///
    /// # Errors
    /// When a file of states can't be read, a state is none, or the choice contradicts the states.
    pub fn choose(
        choice: Option<Assume>,
        starts: Starts<'_>,
        game_path: &Path,
        named: &Game,
        env: &Environment,
    ) -> Result<Self, Error> {
        let game = &named.game;
        let given = starts.state.is_some() || starts.file.is_some();
        // A declared start counts without other choices, and where it is requested.
        let declared = match (choice, given) {
            (Some(Assume::Start) | None, false) => named.declared_start()?,
            _ => None,
        };
        if let Some(state) = declared {
            let known = from_states(game, &[state], env);
            return Ok(Self::of(AssumptionsSource::Start, known, game));
        }
        if let (Some(choice @ (Assume::None | Assume::Goal)), true) = (choice, given) {
            return Err(contradiction(choice, starts));
        }
        let known = match (choice, given) {
            (Some(Assume::Start) | None, true) => {
                let instances = instance::given(
                    starts.state,
                    starts.file,
                    InstanceFormat::Auto,
                    game_path,
                    named,
                    env,
                )?;
                let states: Vec<State> = instances
                    .into_iter()
                    .map(|instance| instance.state)
                    .collect();
                Some((AssumptionsSource::Start, from_states(game, &states, env)))
            }
            (Some(Assume::Start), false) => {
                return Err(no_start());
            }
            (Some(Assume::Goal), false) if game.goals().is_empty() => {
                return Err(Error::input(format!(
                    "{} has no goal whose invariants could be assumed",
                    named.name
                ))
                .with_hint(message![
                    "give a state with `",
                    Parameter::Start,
                    "`, or add a GOAL line"
                ]));
            }
            (Some(Assume::None), _) => None,
            (None, false) if game.goals().is_empty() => {
                env.note(message![
                    &named.name,
                    " has no goal, so nothing is assumed of states; `",
                    Parameter::Start,
                    "` gives one"
                ]);
                None
            }
            (Some(Assume::Goal), _) => Some((AssumptionsSource::Goal, from_goals(game, env))),
            (None, false) => {
                let known = of_goals(game, env);
                if known.is_none() {
                    env.note(message![
                        "no rule of ",
                        &named.name,
                        " can be used at its goal, so nothing is assumed of states; `",
                        Parameter::Start,
                        "` gives one"
                    ]);
                }
                known.map(|known| (AssumptionsSource::Goal, known))
            }
        };
        Ok(match known {
            None => Self {
                source: AssumptionsSource::None,
                known: None,
                lines: Vec::new(),
            },
            Some((source, known)) => Self::of(source, known, game),
        })
    }

    /// Assumptions from known invariants.
    pub fn of(source: AssumptionsSource, known: Invariants, game: &psvn_ir::Game) -> Self {
        Self {
            source,
            lines: known.to_lines(game),
            known: Some(known),
        }
    }

    /// In a few words.
    pub fn describe(source: AssumptionsSource, lines: &[String]) -> String {
        let of = match source {
            AssumptionsSource::None => return "no invariants assumed".to_owned(),
            AssumptionsSource::Goal => "goal",
            AssumptionsSource::Start => "start",
        };
        match lines.len() {
            0 => format!("no invariants of the {of} to assume"),
            n => format!("{} of the {of} assumed", count(n, "invariant")),
        }
    }
}
