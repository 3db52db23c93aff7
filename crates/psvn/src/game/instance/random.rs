//! Start states at the ends of random walks.

use std::collections::HashSet;

use invariants::{CountInvariant, Fact};
use psvn_ir::random::SplitMix64;
use psvn_ir::{CanonicalRule, DEFAULT_RULE_LIMIT, Goal, Relations, State, Term, TermKind, Value};
use serde::{Deserialize, Serialize};

use crate::environment::Environment;
use crate::environment::invariants::from_goals;
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
#[derive(Clone, Debug, Serialize, Deserialize)]
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
        let walker = Walker::new(self, game, env)?;
        let starts = starts(self.start.as_ref(), game)?;
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
            let start = &starts[random.below(starts.len())];
            let start = free(game, start, &mut random);
            let stop = || env.is_over();
            let Some((state, cost)) = walker.walk(&start, self.steps, &mut random, stop) else {
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

/// The starts of walks: patterns, whose unknown values are drawn.
fn starts(start: Option<&State>, game: &psvn_ir::Game) -> Result<Vec<Vec<Pattern>>, Error> {
    if let Some(state) = start {
        let values = state.values().iter();
        return Ok(vec![values.map(|value| Pattern::Value(*value)).collect()]);
    }
    if game.goals().is_empty() {
        return Err(
            Error::usage("the game has no goal for walks to begin at").with_hint(message![
                "say where to begin with `",
                Parameter::Start.is("STATE"),
                "`"
            ]),
        );
    }
    let pattern = |goal: &Goal| {
        let conditions = goal.conditions().iter();
        let term = |term: &Term| match term.kind() {
            TermKind::Constant(value) => Pattern::Value(value),
            TermKind::Variable(var) => Pattern::SameAs(var.index()),
        };
        conditions.map(term).collect()
    };
    Ok(game.goals().iter().map(pattern).collect())
}

/// A goal's condition on a position.
#[derive(Clone, Copy)]
enum Pattern {
    Value(Value),
    /// Any value, the same as at that position, which is this one or an earlier one.
    SameAs(usize),
}

/// A random state that fits a pattern.
fn free(game: &psvn_ir::Game, pattern: &[Pattern], random: &mut SplitMix64) -> State {
    let mut values: Vec<Value> = Vec::with_capacity(pattern.len());
    for (position, pattern) in pattern.iter().enumerate() {
        let value = match *pattern {
            Pattern::Value(value) => value,
            Pattern::SameAs(other) if other < position => values[other],
            Pattern::SameAs(_) => {
                let domain = game.domain_of(psvn_ir::VarId::from_index(position));
                Value::from_index(random.below(domain.size()))
            }
        };
        values.push(value);
    }
    State::new(values)
}

/// Takes walks.
struct Walker {
    rules: Vec<CanonicalRule>,
    /// Backward walks keep to states that have the goal's counts. Rules that leave an implied test
    /// out (in Hanoi, that the disk is on no other peg) lead backward into states that can't occur.
    counts: Vec<CountInvariant>,
}

/// The number of steps between checks whether to stop.
const STEPS_BETWEEN_CHECKS: u64 = 1 << 12;

impl Walker {
    fn new(walks: &RandomWalks, game: &psvn_ir::Game, env: &Environment) -> Result<Self, Error> {
        let rules = rules(walks, game)?;
        let counts = if walks.backward {
            from_goals(game, env).counts().collect()
        } else {
            Vec::new()
        };
        Ok(Self { rules, counts })
    }

    fn is_real(&self, state: &[Value]) -> bool {
        let holds = |fact: &&Fact| state[fact.var.index()] == fact.value;
        self.counts
            .iter()
            .all(|count| count.facts.iter().filter(holds).count() == count.number as usize)
    }

    /// The end of a walk and its cost, if that is less than 2^64; `None` if it was stopped. It ends
    /// sooner where no rule applies.
    ///
    /// Rules that change nothing don't count as steps, and a walk goes straight back only if there
    /// is no other way.
    fn walk(
        &self,
        start: &State,
        steps: u64,
        random: &mut SplitMix64,
        stop: impl Fn() -> bool,
    ) -> Option<(State, Option<u64>)> {
        let mut state: Box<[Value]> = start.values().into();
        let mut before: Option<Box<[Value]>> = None;
        let mut cost = Some(0_u64);
        let mut children: Vec<(Box<[Value]>, u64)> = Vec::new();
        for step in 0..steps {
            if step % STEPS_BETWEEN_CHECKS == 0 && stop() {
                return None;
            }
            children.clear();
            let applicable = self.rules.iter().filter(|rule| rule.applies_to(&state));
            children.extend(applicable.map(|rule| (rule.apply(&state), rule.cost())));
            children.retain(|(child, _)| *child != state && self.is_real(child));
            let is_back = |child: &[Value]| before.as_deref() == Some(child);
            if children.iter().any(|(child, _)| !is_back(child)) {
                children.retain(|(child, _)| !is_back(child));
            }
            if children.is_empty() {
                break;
            }
            let (child, step_cost) = children.swap_remove(random.below(children.len()));
            cost = cost.and_then(|cost| cost.checked_add(step_cost));
            before = Some(std::mem::replace(&mut state, child));
        }
        Some((State::new(state), cost))
    }
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
