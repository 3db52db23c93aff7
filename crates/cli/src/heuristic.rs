//! From `--heuristic` to the estimate that a search uses.

use std::str::FromStr;

use heuristics::{Automatic, MAX_PARTS, Name, Named, automatic};
use invariants::Invariants;
use psvn_ir::{Game, State};
use search::DEAD_END;

use crate::choices::Algorithm;
use crate::failure::Failure;

/// What `--help` says behind the options.
pub(crate) const HELP: &str = "\
Heuristics. Those marked * may estimate too high, so that solutions may not be of least cost:
  manhattan         distances of the pieces from their places in the goal, found from the rules
  linear-conflict   that, and what tiles in the wrong order in a line need more (sliding tiles)
  gap               neighbors that are no neighbors in the goal (pancakes, TopSpin, ..)
  misplaced         values out of their places, divided by the most that a rule puts right
  goal-count        goal conditions not met, divided by the most that a rule makes true
  plain-goal-count* goal conditions not met
  weak              misplaced tiles (sliding tiles)
  good*, bad*       evaluators of a textbook for the 8-puzzle
  zero              0
  a,b,..            the greatest of up to four
  auto              the one without * that estimates the starts highest";

/// What the user asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HeuristicSpec {
    /// The admissible one that estimates the starts highest.
    Auto,
    /// The greatest of these.
    Names(Vec<Name>),
}

impl FromStr for HeuristicSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("auto") {
            return Ok(HeuristicSpec::Auto);
        }
        let names: Result<Vec<Name>, _> = text.split(',').map(|word| word.trim().parse()).collect();
        let names = names.map_err(|error: heuristics::UnknownName| {
            let known = Name::ALL.map(Name::as_str).join(", ");
            format!("{error}; the heuristics are {known}, auto")
        })?;
        if names.len() > MAX_PARTS {
            return Err(format!(
                "no more than {MAX_PARTS} heuristics can be combined"
            ));
        }
        Ok(HeuristicSpec::Names(names))
    }
}

/// The heuristic of a run.
pub(crate) struct Heuristic {
    pub(crate) named: Named,
    /// Why it was chosen, if it wasn't the user's choice.
    pub(crate) reason: Option<String>,
}

impl Heuristic {
    /// Makes what the user asks for, for starts that have the invariants `known`.
    pub(crate) fn prepare(
        spec: &HeuristicSpec,
        algorithm: Algorithm,
        game: &Game,
        starts: &[State],
        known: &Invariants,
    ) -> Result<Self, Failure> {
        let zero = [Name::Zero];
        if !algorithm.takes_heuristic() && *spec != HeuristicSpec::Names(zero.to_vec()) {
            return Err(Failure::usage(format!(
                "{} takes no heuristic",
                algorithm.name()
            ))
            .hint("use `--algorithm ida`, `wida`, `ida-table`, `astar` or `wastar`, or leave out `--heuristic`"));
        }
        match spec {
            HeuristicSpec::Names(names) => Ok(Self {
                named: Named::new(game, known, names).map_err(|misfit| {
                    Failure::usage(misfit.to_string())
                        .hint("`--heuristic auto` takes one that fits")
                })?,
                reason: None,
            }),
            HeuristicSpec::Auto => {
                let chosen = automatic(game, known, starts);
                Ok(Self {
                    reason: Some(reason(&chosen, starts.len())),
                    named: chosen.heuristic,
                })
            }
        }
    }

    /// Whether it is the one that knows nothing.
    pub(crate) fn is_zero(&self) -> bool {
        self.named.names() == [Name::Zero]
    }

    /// Whether solutions of least cost are found with it.
    pub(crate) fn is_admissible(&self) -> bool {
        self.named.is_admissible()
    }
}

/// Why a heuristic was chosen.
fn reason(chosen: &Automatic, n_starts: usize) -> String {
    let [(_, highest), others @ ..] = &chosen.estimates[..] else {
        return "no other one fits".to_owned();
    };
    let estimate = |sum: u128| match sum {
        sum if sum >= u128::from(DEAD_END) => "a dead end".to_owned(),
        sum => sum.to_string(),
    };
    let of = if n_starts == 1 { "start" } else { "starts" };
    let others: Vec<String> = others
        .iter()
        .map(|(name, sum)| format!("{name} {}", estimate(*sum)))
        .collect();
    format!(
        "estimates the {of} at {}; {}",
        estimate(*highest),
        others.join(", ")
    )
}
