//! Start states at the ends of random walks.

use std::collections::HashSet;

use invariants::CountInvariant;
use psvn_ir::random::SplitMix64;
use psvn_ir::{CanonicalRule, DEFAULT_RULE_LIMIT, RandomWalk, Relations, State, Value};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;
use crate::text::units::count;
use crate::text::{Parameter, message};

/// The most walks in a row that may end in known states.
const MOST_REPEATED: usize = 100;

/// Random walks whose ends become instances: the same ones for the same seed.
///
/// Each step is drawn from the rules that apply and don't lead back to the state before.
#[derive(Clone, Debug)]
pub struct RandomWalks {
    /// The number of different ends.
    pub count: usize,
    /// The number of steps of each walk. It is shorter where no rule applies.
    pub steps: u64,
    /// The start of all walks; a goal state unless given.
    pub start: Option<State>,
    /// Whether rules are run backward, so that each end has a solution.
    pub backward: bool,
}

/// An end of a walk.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct WalkEnd {
    /// Its number, from 1.
    pub instance: String,
    /// The state, as text.
    pub state: String,
    /// The cost of the walk, if it was made backward: there is a solution that costs no more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_of_walk: Option<u64>,
}

impl RandomWalks {
    /// Make the walks. If they keep ending in known states, stop early with a warning; also stop
    /// when the work is cancelled.
    ///
    /// # Errors
    /// When the game has no goal to begin at, or its rules can't be run backward.
    pub fn walk(&self, named: &Game, env: &Environment) -> Result<Vec<WalkEnd>, Error> {
        let game = named.ir();
        let walk = RandomWalk::new(rules(self, game)?);
        // Backward walks keep to states that have the goal's counts. Rules that leave an implied
        // test out (in Hanoi, that the disk is on no other peg) lead backward into states that
        // can't occur.
        let counts: Vec<CountInvariant> = if self.backward {
            env.invariants_of_goals(game).counts().collect()
        } else {
            Vec::new()
        };
        let is_real = |state: &[Value]| counts.iter().all(|count| count.holds_in(state));
        if self.start.is_none() && game.goals().is_empty() {
            return Err(no_goal());
        }
        if !self.backward && !game.goals().is_empty() {
            warn_of_one_way_rules(game, env);
        }
        let progress = env.begin();
        let mut random = SplitMix64::new(env.seed());
        let mut seen: HashSet<State> = HashSet::new();
        let mut ends: Vec<WalkEnd> = Vec::new();
        let mut n_repeated = 0;
        while ends.len() < self.count && n_repeated < MOST_REPEATED {
            if env.is_over() {
                if !env.is_cancelled() {
                    let n_ends = ends.len();
                    env.warning(format!(
                        "the time ran out when {n_ends} of {} instances were made",
                        self.count
                    ));
                }
                return Ok(ends);
            }
            let n_starts = self.start.as_ref().map_or(game.goals().len(), |_| 1);
            let place = random.below(n_starts);
            let start = match &self.start {
                Some(state) => state.clone(),
                None => game.random_goal_state(&game.goals()[place], &mut random),
            };
            let stop = || env.is_over();
            let end = walk.end(&start, self.steps, &mut random, is_real, stop);
            let Some((state, cost)) = end else {
                continue;
            };
            if !seen.insert(state.clone()) {
                n_repeated += 1;
                continue;
            }
            n_repeated = 0;
            ends.push(WalkEnd {
                instance: (ends.len() + 1).to_string(),
                state: game.format_state(state.values()),
                cost_of_walk: cost.filter(|_| self.backward),
            });
            progress.show(
                || format!("{} instances", ends.len()),
                Some((ends.len(), self.count)),
            );
        }
        drop(progress);
        if ends.len() < self.count {
            env.warning(format!(
                "{} of {} instances are written: {MOST_REPEATED} walks in a row ended in states that \
                 are among them already",
                ends.len(),
                self.count
            ));
        }
        Ok(ends)
    }

    /// Return the instance file of some ends, with comments on how they were made and for which
    /// game. `from` names the start of the walks.
    pub fn file(&self, ends: &[WalkEnd], from: &str, named: &Game, env: &Environment) -> String {
        let way = if self.backward { " backward" } else { "" };
        let mut text = format!(
            "{}# {} of {} steps{way} from {from}; seed {}\n",
            super::head(named.ir()),
            count(ends.len(), "walk"),
            self.steps,
            env.seed()
        );
        for end in ends {
            text.push_str(&format!("{}: {}\n", end.instance, end.state));
        }
        text
    }
}

/// The rules that walks take: those of the game, or the same run backwards.
fn rules(walks: &RandomWalks, game: &psvn_ir::Game) -> Result<Vec<CanonicalRule>, Error> {
    let rules = if walks.backward {
        game.backward_rules(DEFAULT_RULE_LIMIT)
            .map_err(|error| Error::limit(format!("the rules can't be run backwards: {error}")))?
    } else {
        game.rules().to_vec()
    };
    Ok(rules.into_iter().map(|rule| rule.canonical).collect())
}

/// The error that walks have nowhere to begin.
fn no_goal() -> Error {
    Error::usage("the game has no goal for walks to begin at").with_hint(message![
        "say where to begin with `",
        Parameter::Start.is("STATE"),
        "`"
    ])
}

/// Warn that walks forward from the goal lead to states with a solution only if steps can be
/// undone.
fn warn_of_one_way_rules(game: &psvn_ir::Game, env: &Environment) {
    let relations = Relations::of(game);
    let rules = game.rules_with_ids();
    let n = rules
        .filter(|(id, _)| relations.inverse(*id).is_none())
        .count();
    if n > 0 {
        env.warning(message![
            count(n, "rule"),
            " can't be undone, so there may be no way back from the instances to the goal; `",
            Parameter::Backward,
            "` makes instances with a solution"
        ]);
    }
}
