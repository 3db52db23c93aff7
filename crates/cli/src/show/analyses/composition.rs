//! The macro-rule of a sequence.

use std::io::{self, Write};

use psvn::analysis::Composition;

use crate::show::lines::trace;
use crate::show::{Show, Style};

impl Show for Composition {
    fn show(&self, _: &Style, out: &mut dyn Write) -> io::Result<()> {
        let composed = self;
        trace(composed.trace.iter().flatten(), out)?;
        match (&composed.rule, composed.cost, &composed.reason) {
            (Some(rule), Some(cost), _) => {
                writeln!(out, "{}", composed.word.join(" "))?;
                writeln!(out, "  {rule}  cost {cost}")?;
            }
            (_, _, reason) => {
                writeln!(out, "{}", composed.word.join(" "))?;
                writeln!(
                    out,
                    "  impossible: {}",
                    reason.as_deref().unwrap_or_default()
                )?;
            }
        }
        Ok(())
    }
}
