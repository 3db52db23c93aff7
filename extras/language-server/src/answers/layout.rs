//! The canonical layout of a text.

use psvn::Source;

use super::edit::{Edit, difference};
use crate::document::Document;

impl Document {
    /// Return the changes that put the text into its canonical layout, as `psvn fmt` has it; `None`
    /// where the text has errors, since what can't be parsed would be lost.
    pub fn format(&self) -> Option<Vec<Edit>> {
        if !self.is_psvn() {
            return None;
        }
        let formatted = Source::new("", self.text()).formatted()?;
        Some(difference(self.text(), &formatted))
    }
}
