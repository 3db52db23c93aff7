//! Stands for games in other formats where this library was built without them: each text is PSVN.

use std::fmt;

use psvn_syntax::Diagnostic;

use super::source::Examined;
use crate::environment::Environment;
use crate::error::Error;
use crate::text::Source;

/// A format other than PSVN: none is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {}

impl fmt::Display for Format {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl Format {
    /// Return its name.
    pub fn name(self) -> &'static str {
        match self {}
    }
}

impl Source {
    /// Return `None`: no other format is known.
    pub fn format(&self) -> Option<Format> {
        None
    }

    /// Return `None`: no other format is known.
    pub fn unread(&self) -> Option<Diagnostic> {
        None
    }

    /// Return the same text.
    ///
    /// # Errors
    /// Never.
    pub fn translated(self, _: &Environment) -> Result<Self, Error> {
        Ok(self)
    }

    pub(super) fn examine_foreign(
        &mut self,
        format: Format,
        _: &Environment,
    ) -> Result<Examined, Error> {
        match format {}
    }
}
