//! `psvn work`: the search of units.

use psvn::StopReason;
use psvn::solve::units::work;

use crate::args::WorkArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::session::{Context, interrupt};
use crate::show::{Row, Show};

pub(crate) fn run(args: &WorkArgs, cx: &mut Context) -> Result<Exit, Failure> {
    interrupt::flag(&cx.env);
    let limits = args.limits.limits();
    let mut exit = Exit::Done;
    if cx.format == Format::Csv {
        cx.out.csv(psvn::solve::units::WorkedUnit::FIELDS)?;
    }
    for unit in &args.units {
        let worked = work(unit, &limits, &cx.env)?;
        match cx.format {
            Format::Text => worked.show(&cx.style(), &mut cx.out)?,
            Format::Json => cx.out.json_line(&worked)?,
            Format::Csv => cx.out.csv(worked.fields())?,
        }
        cx.out.finish()?;
        exit = exit.and(Exit::of(worked.stopped));
        let is_over = matches!(
            worked.stopped,
            Some(StopReason::Interrupted | StopReason::Time)
        );
        if is_over {
            break;
        }
    }
    Ok(exit)
}
