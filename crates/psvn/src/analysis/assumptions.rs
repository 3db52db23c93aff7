//! The invariants that an analysis assumes of a search's states.

use std::path::Path;

use analyses::{Assumptions, AssumptionsSource};
use psvn_ir::State;

use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;
use crate::instance::{self, InstanceFormat};
use crate::text::{Choice, Parameter, message};

/// Which states decide the assumed invariants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assume {
    /// The invariants that hold in all states that can be reached from a goal state
    Goal,
    /// Those that hold in all states that can be reached from the given states
    Start,
    /// Nothing
    None,
}

impl Choice for Assume {
    const ALL: &'static [Self] = &[Self::Goal, Self::Start, Self::None];

    fn name(self) -> &'static str {
        match self {
            Self::Goal => "goal",
            Self::Start => "start",
            Self::None => "none",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::Goal => {
                "The invariants that hold in all states that can be reached from a goal state"
            }
            Self::Start => {
                "Those that hold in all states that can be reached from the given states"
            }
            Self::None => "Nothing",
        }
    }
}

/// The states that the user gives, if any.
#[derive(Clone, Copy, Debug, Default)]
pub struct Starts<'a> {
    /// One state, as text.
    pub state: Option<&'a str>,
    /// A file of states.
    pub file: Option<&'a Path>,
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

impl Starts<'_> {
    /// Return what is assumed, by the user's choice; by default the invariants of the given states,
    /// of the start that the game declares, or else of the goal. If the game has no goal, or no
    /// rule can be used at the goal, nothing is assumed, and a note says so.
    ///
    /// # Errors
    /// When a file of states can't be read, a state is none, or the choice contradicts the states.
    pub fn assumptions(
        self,
        choice: Option<Assume>,
        game_path: &Path,
        named: &Game,
        env: &Environment,
    ) -> Result<Assumptions, Error> {
        let game = &named.game;
        let given = self.state.is_some() || self.file.is_some();
        // A declared start counts without other choices, and where it is requested.
        let declared = match (choice, given) {
            (Some(Assume::Start) | None, false) => named.declared_start()?,
            _ => None,
        };
        if let Some(state) = declared {
            let known = env.invariants(game, &[state]);
            return Ok(Assumptions::of(AssumptionsSource::Start, known, game));
        }
        if let (Some(choice @ (Assume::None | Assume::Goal)), true) = (choice, given) {
            return Err(contradiction(choice, self));
        }
        let known = match (choice, given) {
            (Some(Assume::Start) | None, true) => {
                let instances = instance::given(
                    self.state,
                    self.file,
                    InstanceFormat::Auto,
                    game_path,
                    named,
                    env,
                )?;
                let states: Vec<State> = instances
                    .into_iter()
                    .map(|instance| instance.state)
                    .collect();
                Some((AssumptionsSource::Start, env.invariants(game, &states)))
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
            (Some(Assume::Goal), _) => {
                Some((AssumptionsSource::Goal, env.invariants_of_goals(game)))
            }
            (None, false) => {
                let known = env.invariants_of_usable_goals(game);
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
            None => Assumptions::none(),
            Some((source, known)) => Assumptions::of(source, known, game),
        })
    }
}
