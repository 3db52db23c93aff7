//! Games in other formats: recognized by their content, and translated into PSVN.

#[cfg(feature = "formats")]
mod export;
#[cfg(not(feature = "formats"))]
mod without;

#[cfg(feature = "formats")]
use formats::is_gap;
use psvn_syntax::Diagnostic;
pub use psvn_syntax::foreign::Format;
use psvn_syntax::foreign::unread;

use super::source::{Examined, kind_of};
use crate::environment::{Environment, Event, Lints};
use crate::error::{Error, ErrorKind};
use crate::text::Source;

#[cfg(feature = "formats")]
pub use self::export::{SasExport, export_sas, export_tws};
#[cfg(not(feature = "formats"))]
use self::without::is_gap;

impl Source {
    /// Return the format of the text, if it isn't PSVN.
    pub fn format(&self) -> Option<Format> {
        // Generators write PSVN.
        Format::of(&self.text).filter(|_| !self.is_built_in)
    }

    /// Return the error that the text is in the format of a neighboring program, which isn't read.
    pub fn unread(&self) -> Option<Diagnostic> {
        if self.is_built_in || self.format().is_some() {
            None
        } else {
            unread(&self.text)
        }
    }

    /// Translate the text into PSVN if it is in another format. Comments of the result give start
    /// states and names of moves.
    ///
    /// Remarks are emitted as events, and are the diagnostics of the result, with places in the
    /// original text. Without [lints](Environment::with_lints) these are only the remarks on what
    /// the game lacks, since no result for it may be taken for one of the original.
    ///
    /// # Errors
    /// When the text is wrong, PSVN can't express it, or this library was built without other
    /// formats.
    pub fn translated(mut self, env: &Environment) -> Result<Self, Error> {
        let rejected = |mut source: Self, kind| {
            source.diagnostics.retain(Diagnostic::is_error);
            source.sort_diagnostics();
            env.emit(&Event::TextErrors(&source));
            Err(Error::text(source, kind))
        };
        if let Some(found) = self.unread() {
            self.diagnostics.push(found);
            return rejected(self, ErrorKind::Input);
        }
        let Some(format) = self.format() else {
            return Ok(self);
        };
        if self.diagnostics.iter().any(Diagnostic::is_error) {
            return rejected(self, ErrorKind::Input);
        }
        tracing::debug!(name = self.name, %format, "translating");
        match env.import(format, &self.text)? {
            Err(errors) => {
                self.diagnostics.extend(errors.diagnostics);
                rejected(self, kind_of(errors.stopped.is_some()))
            }
            Ok(imported) => {
                let is_told = |note: &Diagnostic| env.lints() == Lints::Shown || is_gap(note);
                let notes = imported.notes.into_iter().filter(is_told);
                self.diagnostics.extend(notes);
                self.sort_diagnostics();
                if !self.diagnostics.is_empty() {
                    env.emit(&Event::TextWarnings(&self));
                }
                Ok(Self {
                    name: self.name,
                    text: imported.text,
                    diagnostics: self.diagnostics,
                    // A program wrote it, so remarks on its style are useless.
                    is_built_in: true,
                    is_lossy: self.is_lossy,
                })
            }
        }
    }

    /// Read the game that a text in another format describes, and add errors and remarks to the
    /// diagnostics. Their places are in the original text.
    pub(super) fn examine_foreign(
        &mut self,
        format: Format,
        env: &Environment,
    ) -> Result<Examined, Error> {
        let mut examined = Examined {
            game: None,
            is_too_large: false,
        };
        match env.import(format, &self.text)? {
            Err(errors) => {
                self.diagnostics.extend(errors.diagnostics);
                examined.is_too_large = errors.stopped.is_some();
            }
            Ok(imported) => {
                self.diagnostics.extend(imported.notes);
                let read = env.read(&imported.text)?;
                let errors = read.diagnostics.into_iter().filter(Diagnostic::is_error);
                self.diagnostics.extend(errors.map(|error| Diagnostic {
                    primary: None,
                    ..error
                }));
                examined.game = read.game;
                examined.is_too_large = read.stopped.is_some();
            }
        }
        Ok(examined)
    }
}
