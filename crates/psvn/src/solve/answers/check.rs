//! Checking solutions against the rules, and against known least costs.

use checker::{CheckedPlan, PlanMove, check_plan};
use psvn_ir::{RuleId, State};
use search::{Solution, replay};

use super::answer::Outcome;
use crate::error::Error;
use crate::game::Game;
use crate::instance::Instance;

/// Carry a plan out by the rules as they were written, which shares nothing with a search.
///
/// # Errors
/// When a move can't be made, or the plan doesn't end in a goal state.
pub fn check_moves(game: &Game, start: &State, moves: &[RuleId]) -> Result<CheckedPlan, Error> {
    let moves: Vec<PlanMove> = moves
        .iter()
        .map(|rule| PlanMove { rules: vec![*rule] })
        .collect();
    let checked = check_plan(game.ir(), start, &moves)
        .map_err(|flaw| Error::wrong(format!("the plan is wrong: {flaw}")).caused_by(flaw))?;
    if !checked.reaches_goal {
        return Err(Error::wrong("the plan doesn't end in a goal state"));
    }
    Ok(checked)
}

/// Replay a solution by the meaning of the rules, which shares nothing with the compiled search.
///
/// # Errors
/// When it isn't a solution, or its cost isn't the stated one.
pub fn check_solution(named: &Game, instance: &Instance, solution: &Solution) -> Result<(), Error> {
    let game = named.ir();
    let wrong = |what: String| {
        Error::wrong(format!(
            "instance {}: the search returned a wrong solution, which is a bug in psvn: {what}",
            instance.id
        ))
    };
    let end =
        replay(game, &instance.state, &solution.moves).map_err(|error| wrong(error.to_string()))?;
    if !game.is_goal(end.values()) {
        return Err(wrong("it doesn't end in a goal state".to_owned()));
    }
    let rules = solution.moves.iter().map(|id| &game.rule(*id).canonical);
    let cost: u128 = rules.map(|rule| u128::from(rule.cost())).sum();
    if cost != solution.cost {
        return Err(wrong(format!("it costs {cost}, not {}", solution.cost)));
    }
    Ok(())
}

/// Return the contradiction between the outcome and the known least cost, if there is one.
pub fn compare(is_optimal: bool, instance: &Instance, outcome: &Outcome) -> Option<String> {
    let known = instance.known_cost?;
    match outcome {
        Outcome::Solved(solution) if solution.cost < known => Some(format!(
            "the known least cost is {known}, but this solution costs {}",
            solution.cost
        )),
        Outcome::Solved(solution) if solution.cost > known && is_optimal => Some(format!(
            "the known least cost is {known}, but {} was found to be the least",
            solution.cost
        )),
        Outcome::NoSolution { proof: None } => Some(format!(
            "the known least cost is {known}, but no solution was found to exist"
        )),
        Outcome::NoSolution { proof: Some(proof) } => Some(format!(
            "the known least cost is {known}, but there is no solution: {proof}"
        )),
        _ => None,
    }
}
