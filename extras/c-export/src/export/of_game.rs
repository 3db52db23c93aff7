//! Games of the crate `psvn` as programs, with histories for both directions.

use std::path::Path;
use std::sync::Arc;

use fsm::Dense;
use psvn::analysis::{Analysis, Assume, Pruning};
use psvn::text::Parameter;
use psvn::text::units::{count, format_bytes};
use psvn::{Environment, Error, Game, Limits, message};

use super::{Backward, Export};
use crate::c::to_c;
use crate::error::ExportError;
use crate::history::{Histories, HistoryForm};
use crate::rust::to_rust;

/// The most backward rules: unbound symbols multiply them, and the program must be compiled.
const MOST_BACKWARD_RULES: usize = 100_000;

/// The language of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// C99, with the interface of psvn2c.
    #[default]
    C,
    /// A module of Rust, with the same functions.
    Rust,
}

/// Options of a game's program: its language, histories and backward rules.
///
/// ```
/// use c_export::ProgramExport;
/// use psvn::{Environment, Game};
///
/// let env = Environment::default();
/// let game = Game::built_in("topspin:14:3", &env)?;
/// let file = ProgramExport::up_to(3).write(&game, &env)?;
/// assert!(file.text.contains("#define num_fwd_rules 14\n"));
/// # Ok::<(), psvn::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ProgramExport {
    /// The language.
    pub language: Language,
    /// The length of the longest sequences of rules that histories compare; 0 for histories that
    /// prune nothing.
    pub max_length: usize,
    /// The same for backward rules; `None` leaves backward rules out.
    pub backward: Option<usize>,
    /// How the rows of histories are stored.
    pub histories: HistoryForm,
    /// The limits of the analysis of each direction: the time, its machine included, and the
    /// memory. The environment's cancellation interrupts.
    pub limits: Limits,
}

/// A program and its contents.
#[derive(Clone, Debug)]
pub struct ProgramFile {
    /// The text.
    pub text: String,
    /// The number of backward rules, or why there are none.
    pub backward_rules: Result<usize, String>,
    /// The analysis behind the forward history, if it prunes.
    pub forward: Option<Arc<Analysis>>,
    /// The analysis behind the backward history, if it prunes.
    pub backward: Option<Arc<Analysis>>,
}

impl ProgramExport {
    /// Write C with histories that compare sequences of up to `max_length` rules in both
    /// directions.
    pub fn up_to(max_length: usize) -> Self {
        Self {
            language: Language::C,
            max_length,
            backward: Some(max_length),
            histories: HistoryForm::Auto,
            limits: Limits::default(),
        }
    }

    /// Write a game as a program.
    ///
    /// Backward rules are left out where unbound symbols stand for more than 100,000 of them, and
    /// the file says so. If a limit stops the analysis of a history, the history prunes the words
    /// found by then.
    ///
    /// # Errors
    /// When a cost doesn't fit an `int` of C, or the file or a machine would be too large.
    pub fn write(&self, game: &Game, env: &Environment) -> Result<ProgramFile, Error> {
        let forward = self.analyze(self.max_length, game, env)?;
        let forward_machine = forward.as_deref().map(machine).transpose()?;
        let backward_game = match self.backward {
            None => Err("not asked for".to_owned()),
            Some(_) => game
                .ir()
                .backward(MOST_BACKWARD_RULES)
                .map(|backward| game.with_rules_of(backward))
                .map_err(|_| {
                    format!("unbound symbols stand for more than {MOST_BACKWARD_RULES} of them")
                }),
        };
        let length = self.backward.unwrap_or(0);
        let backward = match &backward_game {
            Ok(backward) => self.analyze(length, backward, env)?,
            Err(_) => None,
        };
        let backward_machine = backward.as_deref().map(machine).transpose()?;
        let export = Export {
            name: title(game.name()),
            game: game.ir(),
            forward: self.histories(forward.as_deref(), forward_machine.as_ref()),
            backward: match &backward_game {
                Ok(rules) => Backward::Rules {
                    game: rules.ir(),
                    histories: self.histories(backward.as_deref(), backward_machine.as_ref()),
                },
                Err(reason) => Backward::LeftOut(reason),
            },
        };
        let text = match self.language {
            Language::C => to_c(&export),
            Language::Rust => to_rust(&export),
        };
        Ok(ProgramFile {
            text: text.map_err(|error| cannot_export(self.language, error))?,
            backward_rules: backward_game.map(|backward| backward.ir().rules().len()),
            forward,
            backward,
        })
    }

    /// Find the redundant sequences of a game's rules.
    fn analyze(
        &self,
        max_length: usize,
        game: &Game,
        env: &Environment,
    ) -> Result<Option<Arc<Analysis>>, Error> {
        if max_length == 0 {
            return Ok(None);
        }
        let pruning = Pruning {
            // The file searches from any state, so words must be redundant in all states.
            invariants: Some(Assume::None),
            limits: self.limits.clone(),
            ..Pruning::up_to(max_length)
        };
        pruning.analyze(game, env).map(Some)
    }

    fn histories<'a>(
        &self,
        analysis: Option<&'a Analysis>,
        machine: Option<&'a Dense>,
    ) -> Option<Histories<'a>> {
        let (analysis, machine) = (analysis?, machine?);
        Some(Histories {
            machine,
            max_length: analysis.summary.max_length,
            order: &analysis.summary.order,
            form: self.histories,
        })
    }
}

/// The machine of an analysis as a table.
fn machine(analysis: &Analysis) -> Result<Dense, Error> {
    let Some(file) = &analysis.machine else {
        let size = &analysis.summary.machines.aho_corasick;
        return Err(Error::limit(format!(
            "the history has {} and would take {}",
            count(size.states, "state"),
            format_bytes(size.bytes)
        ))
        .with_hint("compare sequences up to a smaller length"));
    };
    let dense = file.machine.to_dense();
    let dense = dense.map_err(|error| Error::wrong("the machine is damaged").caused_by(error))?;
    Ok(dense.into_owned())
}

/// The name of a game without its folder, so that a program is the same wherever it is made.
fn title(name: &str) -> &str {
    let file = Path::new(name).file_name().and_then(|name| name.to_str());
    file.unwrap_or(name)
}

fn cannot_export(language: Language, error: ExportError) -> Error {
    let name = match language {
        Language::C => "C",
        Language::Rust => "Rust",
    };
    let message = format!("the game can't be written as {name}: {error}");
    let is_limit = matches!(error, ExportError::TooLong { .. });
    let failure = if is_limit {
        Error::limit(message).with_hint(message![
            "compare shorter sequences with `",
            Parameter::MaxLength,
            "`, or use `",
            Parameter::Backward.is("none"),
            "`"
        ])
    } else {
        Error::input(message)
    };
    failure.caused_by(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backward_rules_that_are_too_many_are_left_out_with_the_reason() {
        let env = Environment::default();
        let text = "3 200 200 200\n - - - => 1 2 3\n GOAL 1 2 3\n";
        let game = Game::parse("wide.psvn", text, &env).unwrap();
        let file = ProgramExport::up_to(2).write(&game, &env).unwrap();
        let reason = file.backward_rules.unwrap_err();
        assert!(file.text.contains(&format!("left out: {reason}")));
        assert!(file.forward.is_some() && file.backward.is_none());
        let export = ProgramExport {
            backward: None,
            ..ProgramExport::up_to(0)
        };
        let file = export.write(&game, &env).unwrap();
        assert_eq!(file.backward_rules, Err("not asked for".to_owned()));
        assert!(file.forward.is_none() && !file.text.contains("MOVE_PRUNING"));
    }

    #[test]
    fn costs_are_as_large_as_the_language_has_them() {
        let env = Environment::default();
        let text = "1 2\n 0 => 1 COST 3000000000\n GOAL 1\n";
        let game = Game::parse("costly.psvn", text, &env).unwrap();
        let export = ProgramExport::up_to(2);
        let error = export.write(&game, &env).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("the game can't be written as C")
        );
        let export = ProgramExport {
            language: Language::Rust,
            ..export
        };
        let file = export.write(&game, &env).unwrap();
        assert!(file.text.contains("RULE: u64 = 3000000000;"));
    }

    #[test]
    fn folders_are_no_part_of_the_text() {
        assert_eq!(title("/home/me/games/eight.psvn"), "eight.psvn");
        assert_eq!(title("gen:topspin:14:3"), "gen:topspin:14:3");
        let env = Environment::default();
        let text = "1 2\n 0 => 1\n GOAL 1\n";
        let write = |name: &str| {
            let game = Game::parse(name, text, &env).unwrap();
            ProgramExport::up_to(2).write(&game, &env).unwrap().text
        };
        assert_eq!(write("here/a.psvn"), write("/there/a.psvn"));
    }
}
