//! Stands for imports where this library was built without other formats: it names the format of a
//! text, and reads none.

use psvn_syntax::Diagnostic;
use psvn_syntax::foreign::{Format, rejected};

/// Return the error that a text is in a format that isn't read. (In a module of its own, since the
/// tests, which are built with other formats, try it too.)
fn refusal(format: Format, text: &str) -> Diagnostic {
    let message = format!("this is {format}, and this program was built without other formats");
    rejected(text, message, "build it with the feature `formats`")
}

#[cfg(not(feature = "formats"))]
pub(super) use self::stand_ins::is_gap;

#[cfg(not(feature = "formats"))]
mod stand_ins {
    use psvn_ir::LoadStop;
    use psvn_syntax::Diagnostic;
    use psvn_syntax::foreign::Format;

    use super::refusal;
    use crate::environment::Environment;
    use crate::error::Error;

    /// A text in PSVN, which is never made.
    pub(in super::super) struct Imported {
        pub(in super::super) text: String,
        pub(in super::super) notes: Vec<Diagnostic>,
    }

    /// Why a text isn't read.
    pub(in super::super) struct Rejected {
        pub(in super::super) diagnostics: Vec<Diagnostic>,
        pub(in super::super) stopped: Option<LoadStop>,
    }

    /// Whether a remark says what a game lacks.
    pub(in super::super) fn is_gap(_: &Diagnostic) -> bool {
        false
    }

    impl Environment {
        /// Reject a text, naming its format.
        ///
        /// # Errors
        /// Inside, that this format isn't read; outside, none.
        pub(in super::super) fn import(
            &self,
            format: Format,
            text: &str,
        ) -> Result<Result<Imported, Rejected>, Error> {
            Ok(Err(Rejected {
                diagnostics: vec![refusal(format, text)],
                stopped: None,
            }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_that_is_not_read_is_named() {
        for (text, name) in [
            ("begin_version\n3\nend_version\nbegin_metric\n0\n", "SAS+"),
            (
                "\u{feff}# Name of a puzzle\nName cube\n\nSet C 8 3\n",
                "tws",
            ),
            ("{ \"name\": \"cube\", \"orbits\": [] }", "KPuzzle"),
        ] {
            let format = Format::of(text).expect("a known format");
            let error = refusal(format, text);
            assert!(error.is_error());
            let begins = error.message.starts_with(&format!("this is {name}, and"));
            assert!(begins, "{}", error.message);
        }
    }
}
