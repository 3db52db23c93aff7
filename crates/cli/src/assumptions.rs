//! What an analysis assumes of the states that a search will meet.

use std::io::{self, Write};
use std::path::Path;

use invariants::Invariants;
use psvn_ir::{Game, State};
use serde::Serialize;

use crate::choices::Assume;
use crate::context::Context;
use crate::failure::Failure;
use crate::input::NamedGame;
use crate::instances::{self, InstanceFormat};
use crate::units::count;

/// So many assumptions are listed unless all are wanted.
const MOST_LISTED: usize = 4;

/// Where assumptions come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Source {
    /// There are none.
    None,
    /// They hold in all states that can be reached from a goal state.
    Goal,
    /// They hold in all states that can be reached from the given ones.
    Start,
}

/// The states that the user gives, if any.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Starts<'a> {
    pub(crate) state: Option<&'a str>,
    pub(crate) file: Option<&'a Path>,
}

/// What is assumed, and where it comes from.
pub(crate) struct Assumptions {
    pub(crate) source: Source,
    /// `None` where nothing is assumed.
    pub(crate) known: Option<Invariants>,
    /// The same, one a line.
    pub(crate) lines: Vec<String>,
}

impl Assumptions {
    /// What the user chose; unless said otherwise the invariants of the given states, or else of the
    /// goal. A game without a goal says nothing about its states, which is worth a note.
    pub(crate) fn choose(
        choice: Option<Assume>,
        starts: Starts<'_>,
        game_path: &Path,
        named: &NamedGame,
        cx: &Context,
    ) -> Result<Self, Failure> {
        let game = &named.game;
        let given = starts.state.is_some() || starts.file.is_some();
        let option = if starts.file.is_some() {
            "--instances"
        } else {
            "--start"
        };
        let known = match (choice, given) {
            (Some(Assume::Start) | None, true) => {
                let instances = instances::given(
                    starts.state,
                    starts.file,
                    InstanceFormat::Auto,
                    game_path,
                    named,
                    cx,
                )?;
                let states: Vec<State> = instances
                    .into_iter()
                    .map(|instance| instance.state)
                    .collect();
                Some((Source::Start, Invariants::from_states(game, &states)))
            }
            (Some(Assume::Start), false) => {
                return Err(Failure::usage("`--invariants start` needs a state").hint(
                    "give one with `--start \"STATE\"`, or several with `--instances FILE`",
                ));
            }
            (Some(Assume::Goal), false) if game.goals().is_empty() => {
                return Err(Failure::input(format!(
                    "{} has no goal whose invariants could be assumed",
                    named.name
                ))
                .hint("give a state with `--start`, or add a GOAL line"));
            }
            (Some(choice), true) => {
                let name = match choice {
                    Assume::None => "none",
                    _ => "goal",
                };
                return Err(Failure::usage(format!(
                    "`--invariants {name}` and `{option}` contradict each other"
                ))
                .hint("leave `--invariants` out to assume what holds from the given states on"));
            }
            (Some(Assume::None), false) => None,
            (None, false) if game.goals().is_empty() => {
                cx.log.note(&format!(
                    "{} has no goal, so nothing is assumed of states; `--start` gives one",
                    named.name
                ));
                None
            }
            (Some(Assume::Goal) | None, false) => {
                Some((Source::Goal, Invariants::from_goals(game)))
            }
        };
        Ok(match known {
            None => Self {
                source: Source::None,
                known: None,
                lines: Vec::new(),
            },
            Some((source, known)) => Self::of(source, known, game),
        })
    }

    /// These.
    pub(crate) fn of(source: Source, known: Invariants, game: &Game) -> Self {
        Self {
            source,
            lines: known.to_lines(game),
            known: Some(known),
        }
    }

    /// Lists assumptions: a few of them, or all.
    pub(crate) fn print(
        lines: &[String],
        all: bool,
        indent: &str,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let shown = if all {
            lines.len()
        } else {
            MOST_LISTED.min(lines.len())
        };
        for line in &lines[..shown] {
            writeln!(out, "{indent}{line}")?;
        }
        if shown < lines.len() {
            let more = lines.len() - shown;
            writeln!(out, "{indent}... and {more} more (-v shows them)")?;
        }
        Ok(())
    }

    /// In a few words.
    pub(crate) fn describe(source: Source, lines: &[String]) -> String {
        let of = match source {
            Source::None => return "no invariants assumed".to_owned(),
            Source::Goal => "goal",
            Source::Start => "start",
        };
        match lines.len() {
            0 => format!("no invariants of the {of} to assume"),
            n => format!("{} of the {of} assumed", count(n, "invariant")),
        }
    }
}
