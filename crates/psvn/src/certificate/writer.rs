//! The text of certificates.

use std::collections::BTreeMap;
use std::fmt::Write;

use budget::{Limits, StopReason, Watch};
use checker::CostCertificate;
use psvn_ir::{State, Term, TermKind, VarId};
use search::Solution;

use super::closed::{Entry, closed_list};
use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;

/// The greatest number that the format has.
const GREATEST: u64 = 999_999_999;

/// The digits of values in words.
const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// Return the certificate that a solution is a plan of its cost.
///
/// # Errors
/// When the format can't express the game, or the time runs out.
pub fn of_plan(
    game: &Game,
    start: &State,
    solution: &Solution,
    env: &Environment,
) -> Result<String, Error> {
    let cost = u64::try_from(solution.cost).map_err(|_| too_large("the cost of the plan"))?;
    let mut text = setting(game, start)?;
    text.push_str(&format!("claim plan {}\nmoves", number(cost, "the cost")?));
    for rule in &solution.moves {
        text.push_str(&format!(" {}", rule.index() + 1));
    }
    finish(text, env)
}

/// Return the certificate that every plan costs at least `bound`: a list of all states that can be
/// reached at a lower cost.
///
/// Takes time and memory for each of these states, within the limits of the environment.
///
/// # Errors
/// When a limit is reached, the format can't express the game, or a plan costs less.
pub fn of_least_cost(
    game: &Game,
    start: &State,
    bound: u64,
    env: &Environment,
) -> Result<String, Error> {
    let mut text = setting(game, start)?;
    let closed = states_below(game, start, number(bound, "the least cost")?, env)?;
    text.push_str(&format!("claim bound {bound} by list\nclosed\n"));
    write_entries(&mut text, game, &closed, |g| g);
    finish(text, env)
}

/// Return the certificate that there is no plan: a list of all states that can be reached.
///
/// # Errors
/// When a limit is reached, the format can't express the game, or there is a plan.
pub fn of_no_plan(game: &Game, start: &State, env: &Environment) -> Result<String, Error> {
    let mut text = setting(game, start)?;
    let reached = states_below(game, start, u64::MAX, env)?;
    text.push_str("claim none by list\n");
    let mut of_size: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (position, size) in sizes(game).enumerate() {
        let positions = of_size.entry(size).or_default();
        positions.push((position + 1).to_string());
    }
    for (size, positions) in of_size {
        let values: Vec<String> = (0..size).map(|value| value.to_string()).collect();
        let (positions, values) = (positions.join(" "), values.join(" "));
        text.push_str(&format!("keep {positions} : {values}\n"));
    }
    text.push_str("closed\n");
    write_entries(&mut text, game, &reached, |_| 0);
    finish(text, env)
}

fn states_below(
    game: &Game,
    start: &State,
    bound: u64,
    env: &Environment,
) -> Result<Vec<Entry>, Error> {
    let watch = Watch::new(env.limits(&Limits::default()));
    closed_list(game.ir(), start, bound, &watch).map_err(|reason| match reason {
        StopReason::Interrupted => {
            Error::interrupted("interrupted before the certificate was complete")
        }
        reason => Error::limit(format!("no certificate: {}", reason.clause()))
            .with_hint("a certificate lists every state that costs less than the solution"),
    })
}

/// End the text, and check the certificate before anyone else gets it.
fn finish(mut text: String, env: &Environment) -> Result<String, Error> {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str("end\n");
    let certificate = CostCertificate::read(text.as_bytes())
        .map_err(|error| Error::wrong(format!("the certificate is unreadable: {error}")))?;
    match super::check(&certificate, env)? {
        None => Ok(text),
        Some(flaw) => Err(Error::wrong(format!("the certificate is wrong: {flaw}"))),
    }
}

fn too_large(what: &str) -> Error {
    Error::input(format!(
        "no certificate: {what} is greater than {GREATEST}, the greatest number that \
         certificates have"
    ))
}

fn number(number: u64, what: &str) -> Result<u64, Error> {
    (number <= GREATEST)
        .then_some(number)
        .ok_or_else(|| too_large(what))
}

fn sizes(game: &Game) -> impl Iterator<Item = usize> {
    let ir = game.ir();
    (0..ir.n_variables()).map(|i| ir.domain_of(VarId::from_index(i)).size())
}

/// What every certificate begins with.
fn setting(game: &Game, start: &State) -> Result<String, Error> {
    let ir = game.ir();
    let mut text = String::from("psvn-certificate 1\ndomains");
    for size in sizes(game) {
        text.push_str(&format!(" {size}"));
    }
    for rule in ir.rules() {
        let rule = &rule.canonical;
        let cost = number(rule.cost(), "the cost of a rule")?;
        text.push_str(&format!("\nrule {cost} :"));
        write_terms(&mut text, rule.preconditions());
        text.push_str(" =>");
        write_terms(&mut text, rule.actions());
    }
    for goal in ir.goals() {
        text.push_str("\ngoal");
        write_terms(&mut text, goal.conditions());
    }
    text.push_str("\nstart");
    for value in start.values() {
        text.push_str(&format!(" {}", value.index()));
    }
    text.push('\n');
    Ok(text)
}

/// Write a vector, with `-` for the unknown of its own position.
fn write_terms(text: &mut String, terms: &[Term]) {
    for (position, term) in terms.iter().enumerate() {
        text.push_str(&match term.kind() {
            TermKind::Constant(value) => format!(" {}", value.index()),
            TermKind::Variable(var) if var.index() == position => " -".to_owned(),
            TermKind::Variable(var) => format!(" x{}", var.index() + 1),
        });
    }
}

/// Write a line for each state, without the last values that it has in common with the line before.
fn write_entries(text: &mut String, game: &Game, entries: &[Entry], of: impl Fn(u64) -> u64) {
    let is_short = sizes(game).all(|size| size <= DIGITS.len());
    let mut before: Option<&[psvn_ir::Value]> = None;
    for (state, g) in entries {
        let pairs = before.into_iter().flat_map(|it| it.iter().rev());
        let n_same = pairs
            .zip(state.iter().rev())
            .take_while(|(one, other)| one == other)
            .count()
            .min(state.len().saturating_sub(1));
        write!(text, "{}", of(*g)).expect("a string takes all");
        if is_short {
            text.push_str(" '");
        }
        for value in &state[..state.len() - n_same] {
            match DIGITS.get(value.index()) {
                Some(digit) if is_short => text.push(char::from(*digit)),
                _ => write!(text, " {}", value.index()).expect("a string takes all"),
            }
        }
        text.push('\n');
        before = Some(state);
    }
}
