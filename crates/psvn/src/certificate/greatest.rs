//! Certificates of the greatest of all least costs: God's number, for a puzzle.

use budget::{Limits, Watch};
use certificates::{CertificateError, CostsToGo, Evidence, Text, closed_list};
use psvn_ir::State;

use super::writer::{checked, not_written};
use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;

/// Prove the greatest least cost of the states that a state leads to: that one of them costs so
/// much, and that a plan from each state which that one leads to costs at most as much. The
/// certificate was checked.
///
/// Where moves can be undone, that is the greatest least cost of all states of a puzzle that can be
/// solved. It takes least time if `start` is a state with this cost.
///
/// # Errors
/// When some state has no plan, or a rule costs nothing; or when a limit of the environment is
/// reached.
pub fn certificate_of_greatest_cost(
    game: &Game,
    start: &State,
    env: &Environment,
) -> Result<String, Error> {
    let watch = Watch::new(env.limits(&Limits::default()));
    let ir = game.ir();
    let write = || -> Result<String, CertificateError> {
        let mut farthest = start.clone();
        let mut costs = CostsToGo::compute(ir, start, &watch)?;
        let greatest = costs.greatest();
        if costs.cost(start.values()) < greatest {
            farthest = costs.farthest();
            costs = CostsToGo::compute(ir, &farthest, &watch)?;
        }
        let mut text = Text::new(ir)?;
        text.start(&farthest);
        text.plan(greatest, &costs.plan(ir, &farthest))?;
        let closed = closed_list(ir, &farthest, greatest, &Evidence::none(), &watch)?;
        text.bound_by_list(greatest, Some(&Evidence::none()), &closed)?;
        text.everywhere(&costs)?;
        Ok(text.end())
    };
    checked(write().map_err(not_written)?, env)
}
