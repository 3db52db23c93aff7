//! Certificates of the greatest of all least costs: God's number, for a puzzle.

use budget::{Limits, Watch};
use certificates::{CertificateError, CostsToGo, Evidence, Text, closed_list};
use psvn_ir::State;

use super::writer::{checked, not_written};
use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;

/// Prove that of all states that `farthest` leads to, none is farther from the goals: its least
/// cost, and that a plan from each of these states costs at most as much. The certificate was
/// checked.
///
/// Where moves can be undone, that is the greatest least cost of all states of a puzzle that can be
/// solved.
///
/// # Errors
/// When some state is farther, has no plan, or costs nothing to leave; or when a limit of the
/// environment is reached.
pub fn certificate_of_greatest_cost(
    game: &Game,
    farthest: &State,
    env: &Environment,
) -> Result<String, Error> {
    let watch = Watch::new(env.limits(&Limits::default()));
    let ir = game.ir();
    let costs = CostsToGo::compute(ir, farthest, &watch).map_err(not_written)?;
    let greatest = costs.greatest();
    if costs.cost(farthest.values()) < greatest {
        return Err(Error::input(format!(
            "no certificate: `{}` leads to states that are farther from the goals",
            ir.format_state(farthest.values())
        )));
    }
    let write = || -> Result<String, CertificateError> {
        let mut text = Text::new(ir)?;
        text.start(farthest);
        text.plan(greatest, &costs.plan(ir, farthest))?;
        let closed = closed_list(ir, farthest, greatest, &Evidence::none(), &watch)?;
        text.bound_by_list(greatest, Some(&Evidence::none()), &closed)?;
        text.everywhere(&costs)?;
        Ok(text.end())
    };
    checked(write().map_err(not_written)?, env)
}
