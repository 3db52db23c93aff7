//! `psvn join`: the results of units, put together.

use psvn::solve::units::{Prepared, Rounds};

use crate::args::JoinArgs;
use crate::commands::searches::{solve, tree};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::{Context, interrupt};

pub(crate) fn run(args: &JoinArgs, cx: &mut Context) -> Result<Exit, Failure> {
    interrupt::flag(&cx.env);
    let (rounds, prepared) = Rounds::join(&args.folder, &args.limits.limits(), &cx.env)?;
    match prepared {
        Prepared::Search {
            game,
            judged,
            solver,
        } => solve::Report::of_units(&solver, &rounds).run(&game, &judged, cx),
        Prepared::Tree {
            game,
            start,
            request,
            order,
        } => tree::in_units(&rounds, (&game, &start, &request), &order, cx),
    }
}
