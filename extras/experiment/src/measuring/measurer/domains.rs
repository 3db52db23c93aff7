//! The domains of an experiment: their games and instances.

use std::path::PathBuf;
use std::time::Duration;

use psvn::instance::{self, InstanceFormat};
use psvn::text::units::{parse_bytes, parse_duration};
use psvn::text::{Choice, Source};
use psvn::{Error, Game, Watch};
use psvn_ir::State;
use search::CompiledGame;

use super::Measurer;
use crate::measuring::walks;
use crate::{Domain, Instance, InstanceSource, Limits};

/// Instances that are numbers of rows in a file can't be more than this.
const MOST_INSTANCES: usize = 10_000_000;

/// A game may be read for as long as this, however little time its cells have.
const LEAST_TIME: Duration = Duration::from_secs(1);

impl Measurer<'_> {
    /// The path of a file that the experiment names.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        if name.starts_with("gen:") || name == "-" {
            PathBuf::from(name)
        } else {
            self.base.join(name)
        }
    }

    /// Read the game of a domain within the limits of a cell, but for at least [`LEAST_TIME`].
    pub(super) fn load(&self, domain: &Domain, limits: &Limits) -> Result<Game, Error> {
        // What is wrong with the limits is reported with the methods.
        let time = limits
            .time
            .as_deref()
            .and_then(|it| parse_duration(it).ok());
        let memory = limits.memory.as_deref().and_then(|it| parse_bytes(it).ok());
        let budget = self.env.limits(&psvn::Limits {
            time: time.map(|time| time.max(LEAST_TIME)),
            memory,
            ..psvn::Limits::default()
        });
        let env = self.env.clone().with_budget(&Watch::new(budget));
        let mut source = Source::read_within(&self.path(&domain.file), &env)?;
        if let Some(goal) = &domain.goal {
            // The goals of built-in games are at the end.
            let rules = source.text.find("\nGOAL").filter(|_| source.is_built_in);
            let Some(end) = rules else {
                return Err(Error::usage(
                    "only built-in games can be given another goal",
                ));
            };
            source.text.truncate(end);
            source.text.push_str(&format!("\nGOAL {goal}\n"));
            source.name = format!("{} with goal {goal}", source.name);
        }
        let mut named = Game::from_source(source, &env)?;
        named.set_words(domain.map.clone())?;
        Ok(named)
    }

    /// The instances of one source. An error comes with the field that is wrong.
    pub(super) fn instances(
        &self,
        source: &InstanceSource,
        named: &Game,
        compiled: &CompiledGame,
    ) -> Result<Vec<(Instance, State)>, (&'static str, Error)> {
        let game = named.ir();
        let instance = |id: String, state: State, steps, known_cost| {
            let start = game.format_state(state.values());
            (
                Instance {
                    id,
                    start,
                    steps,
                    known_cost,
                },
                state,
            )
        };
        let parse = |field: &'static str, text: &str| {
            let state = named.state("the state", text);
            state.map_err(|error| (field, error))
        };
        let goal = |field: &'static str| {
            game.goal_state().ok_or_else(|| {
                let error = Error::usage(format!("{} has no single goal state", named.name()));
                (field, error.with_hint("give a state to start from"))
            })
        };
        if let Some(text) = &source.state {
            let id = source.id.clone().unwrap_or_else(|| "start".to_owned());
            return Ok(vec![instance(id, parse("state", text)?, None, source.cost)]);
        }
        if let Some(moves) = &source.scramble {
            let state = named.scramble(moves);
            let state = state.map_err(|error| ("scramble", error))?;
            let id = source.id.clone().unwrap_or_else(|| "start".to_owned());
            return Ok(vec![instance(id, state, None, source.cost)]);
        }
        if source.goal {
            return Ok(vec![instance("goal".to_owned(), goal("goal")?, None, None)]);
        }
        if let Some(file) = &source.file {
            let path = self.path(file);
            let format = match &source.format {
                Some(name) => format_called(name).map_err(|error| ("format", error))?,
                None => InstanceFormat::Auto,
            };
            let all = instance::read(&path, format, named, self.env);
            let all = all.map_err(|error| ("file", error))?;
            let most = source.first.unwrap_or(usize::MAX);
            let of = |found: instance::Instance| {
                let cost = found.known_cost.and_then(|cost| u64::try_from(cost).ok());
                instance(found.id, found.state, None, cost)
            };
            return Ok(all.into_iter().take(most).map(of).collect());
        }
        let Some(n_walks) = source.walks else {
            // It was wrong, which has been reported.
            return Ok(Vec::new());
        };
        let from = match &source.from {
            Some(text) => parse("from", text)?,
            None => goal("walks")?,
        };
        let lengths = source
            .steps
            .as_ref()
            .map_or(&[][..], |steps| steps.lengths());
        if n_walks.saturating_mul(lengths.len()) > MOST_INSTANCES {
            let message = format!("these are more than {MOST_INSTANCES} instances");
            return Err(("walks", Error::usage(message)));
        }
        let seed = source.seed.unwrap_or(self.env.seed());
        let mut found = Vec::new();
        for steps in lengths {
            for number in 1..=n_walks as u64 {
                let seed = walks::seed_of(seed, *steps, number);
                let stop = || self.env.is_cancelled();
                let walked = walks::walk(compiled, &from, *steps, seed, source.undo, stop);
                let Some(state) = walked else {
                    return Err(("walks", Error::usage("interrupted")));
                };
                let id = match lengths.len() {
                    1 => format!("w{number}"),
                    _ => format!("w{steps}-{number}"),
                };
                found.push(instance(id, state, Some(*steps), None));
            }
        }
        Ok(found)
    }
}

/// The format of instance files with a name.
fn format_called(name: &str) -> Result<InstanceFormat, Error> {
    InstanceFormat::from_name(name).ok_or_else(|| {
        let names = InstanceFormat::ALL.iter().map(|it| it.name());
        let names: Vec<&str> = names.collect();
        Error::usage(format!("there is no `{name}` format of instances"))
            .with_hint(format!("there are {}", names.join(", ")))
    })
}
