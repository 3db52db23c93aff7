//! Commands for searches that are split into units of work.

pub(super) mod join;
pub(super) mod work;

use psvn::solve::units::OpenUnits;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::session::Context;

/// Print that a bound waits for its units.
pub(super) fn show_open(open: &OpenUnits, cx: &mut Context) -> Result<Exit, Failure> {
    if cx.format != Format::Csv {
        cx.print(open)?;
    }
    cx.out.finish()?;
    if open.is_new {
        return Ok(Exit::Limit);
    }
    Err(Failure::input(format!(
        "{} of {} units have no result yet",
        open.missing.len(),
        open.units
    ))
    .hint(format!(
        "`psvn work {}/*.unit` does what is left",
        open.folder
    )))
}
