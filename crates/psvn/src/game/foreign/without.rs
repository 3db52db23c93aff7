//! Stands for imports where this library was built without other formats: it names the format of a
//! text, and reads none.

use psvn_ir::LoadStop;
use psvn_syntax::Diagnostic;
use psvn_syntax::foreign::{Format, rejected};

use crate::environment::Environment;
use crate::error::Error;

/// A text in PSVN, which is never made.
pub(super) struct Imported {
    pub(super) text: String,
    pub(super) notes: Vec<Diagnostic>,
}

/// Why a text isn't read.
pub(super) struct Rejected {
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) stopped: Option<LoadStop>,
}

/// Whether a remark says what a game lacks.
pub(super) fn is_gap(_: &Diagnostic) -> bool {
    false
}

impl Environment {
    /// Reject a text, naming its format.
    ///
    /// # Errors
    /// Inside, that this format isn't read; outside, none.
    pub(super) fn import(
        &self,
        format: Format,
        text: &str,
    ) -> Result<Result<Imported, Rejected>, Error> {
        let message = format!("this is {format}, and this program was built without other formats");
        let hint = "build it with the feature `formats`";
        Ok(Err(Rejected {
            diagnostics: vec![rejected(text, message, hint)],
            stopped: None,
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Environment, Error, Game, Source};

    #[test]
    fn a_format_that_is_not_read_is_named() {
        let env = Environment::default();
        for (text, name) in [
            ("begin_version\n3\nend_version\nbegin_metric\n0\n", "SAS+"),
            (
                "\u{feff}# Name of a puzzle\nName cube\n\nSet C 8 3\n",
                "tws",
            ),
            ("{ \"name\": \"cube\", \"orbits\": [] }", "KPuzzle"),
            ("(define (domain lamps))", "a PDDL domain"),
        ] {
            let Err(Error::Text(errors)) = Game::parse("game", text, &env) else {
                panic!("{text}");
            };
            let found = errors.errors();
            let [error] = &*found else {
                panic!("{} errors", found.len());
            };
            let begins = error.message.starts_with(&format!("this is {name}, and"));
            assert!(begins, "{}", error.message);
            let mut source = Source::new("game", text);
            assert!(source.examine(&env).unwrap().game.is_none());
            assert_eq!(source.diagnostics.len(), 1, "{text}");
        }
    }
}
