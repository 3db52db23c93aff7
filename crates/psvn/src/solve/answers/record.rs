//! The outcome of an instance, as data.

use std::borrow::Cow;
use std::time::Duration;

use length_choice::Pruned;
use psvn_ir::{RuleId, State};
use schemars::JsonSchema;
use search::{CycleDetection, Iteration, LevelCount, StopReason};
use serde::{Deserialize, Deserializer, Serialize};

use super::answer::{AllSolutions, Answer, Kept, Outcome};
use super::guarantee::Proved;
use crate::game::Game;
use crate::heuristic::{Considered, PreparedHeuristic, settings_in_terms_of};
use crate::instance::Instance;
use crate::solve::solver::Solver;
use crate::text::units::per_second;
use crate::text::{Exact, Terms};

/// The outcome of an instance, as data: an [`Answer`] with the instance, the labels of moves, and
/// the heuristic.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct SolveRecord {
    /// The name of the instance.
    pub instance: String,
    /// The start state.
    pub start: String,
    /// Whether there is a solution.
    pub solved: bool,
    /// `solved`, `no-solution`, `not-within-depth`, `not-within-cost`, `not-found`, or the limit
    /// that stopped the search.
    pub outcome: Cow<'static, str>,
    /// The reason why there is no solution, where that was proved without a search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<String>,
    /// The cost of the solution.
    pub cost: Option<Exact>,
    /// The number of its moves.
    pub length: Option<usize>,
    /// The labels of its moves.
    pub moves: Option<Vec<String>>,
    /// All solutions of least cost, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub all: Option<AllRecord>,
    /// The states of its path, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<Vec<String>>,
    /// The nodes that were generated, without the root.
    pub generated: Exact,
    /// The nodes that were expanded.
    pub expanded: Exact,
    /// The children that were left out.
    pub pruned: Exact,
    /// The children that a machine left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pruned_by_machine: Option<Exact>,
    /// The counts of each bound.
    pub bounds: Vec<Iteration>,
    /// The counts of each depth, all iterations added up, the root of each included.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub depths: Vec<DepthRecord>,
    /// The cost of the best solution so far, where a search was stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_so_far: Option<Exact>,
    /// A lower bound on the cost of all solutions, where a stopped search has proved one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cost_at_least: Option<u64>,
    /// A lower bound on the moves of all solutions, where a stopped search has proved one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub length_at_least: Option<u64>,
    /// The nodes that were generated while a heuristic was chosen, in tries that didn't find the
    /// solution. They aren't counted otherwise.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub generated_in_tries: Option<Exact>,
    /// The seconds that the search took.
    pub seconds: f64,
    /// The seconds of preparation that no earlier record has.
    pub preparation_seconds: f64,
    /// The nodes that were generated in a second.
    pub generated_per_second: f64,
    /// The heuristic; `None` where all starts were proved to have no solution before one was
    /// chosen.
    pub heuristic: Option<String>,
    /// Whether the solution was found while a heuristic was chosen.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub found_while_choosing: bool,
    /// The settings that name the choice, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heuristic_options: Option<String>,
    /// The reason why the heuristic was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heuristic_reason: Option<String>,
    /// The heuristics that were considered, if the settings of the choice are requested.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub heuristic_considered: Vec<Considered>,
    /// The seconds of choosing it, and of building or opening its tables; `None` if it was given
    /// and has no tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heuristic_seconds: Option<f64>,
    /// The bytes of its tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heuristic_bytes: Option<u64>,
    /// Whether the heuristic never estimates too high.
    pub admissible: Option<bool>,
    /// The estimate of the start, as a cost; `None` where nothing was searched.
    pub heuristic_start: Option<u64>,
    /// The cycle detection that was used, if there was a search.
    pub cycles: Option<Cow<'static, str>>,
    /// What was left out, from which bound on, if there was a search.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pruning: Option<Pruned>,
    /// The known least cost.
    pub known_cost: Option<Exact>,
    /// The states that the search kept, if it kept any.
    #[serde(flatten)]
    pub kept: Option<Kept>,
    /// The entries of tables that were read, if they were counted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lookups: Option<u64>,
    /// The look-ups for each generated node.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lookups_per_node: Option<f64>,
    /// The look-ups in a second.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lookups_per_second: Option<f64>,
    /// The bytes of memory for each generated node: a line of the processor's caches for each
    /// look-up, and the bytes of the states that were kept.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bytes_per_node: Option<f64>,
    /// The misses of the last level of the processor's caches, if they were requested; none where
    /// they can't be counted.
    #[serde(
        skip_serializing_if = "Option::is_none",
        default,
        deserialize_with = "requested"
    )]
    pub cache_misses: Option<Option<u64>>,
    /// These misses for each generated node.
    #[serde(
        skip_serializing_if = "Option::is_none",
        default,
        deserialize_with = "requested"
    )]
    pub cache_misses_per_node: Option<Option<f64>>,
    /// The maximum number of bytes in files, in a search on a disk.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub peak_bytes_on_disk: Option<u64>,
    /// The bytes that were written to files.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bytes_written: Option<u64>,
    /// The bytes that were read from files.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bytes_read: Option<u64>,
}

/// All solutions of least cost, as data.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct AllRecord {
    /// The number of solutions; if a limit stopped the search, of those found before.
    pub count: u64,
    /// The number of solutions of which none is the image of another one under symmetries that map
    /// the start to itself, if symmetries were asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub count_up_to_symmetries: Option<u64>,
    /// The labels of the moves of the first ones.
    pub listed: Vec<Vec<String>>,
    /// The limit that stopped the search for all, if one did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stopped: Option<StopReason>,
    /// The nodes that the search for all generated.
    pub generated: Exact,
    /// The seconds that it took.
    pub seconds: f64,
    /// The seconds of its preparation.
    pub preparation_seconds: f64,
}

impl AllRecord {
    fn of(game: &Game, all: &AllSolutions) -> Self {
        Self {
            count: all.count,
            count_up_to_symmetries: all.count_up_to_symmetries,
            listed: all.listed.iter().map(|it| labels(game, it)).collect(),
            stopped: all.stopped,
            generated: Exact(all.generated),
            seconds: all.elapsed.as_secs_f64(),
            preparation_seconds: all.preparation.as_secs_f64(),
        }
    }
}

/// Read a number that was requested, and may not be there.
fn requested<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    reader: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(reader).map(Some)
}

/// The counts of a depth.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct DepthRecord {
    /// The depth, from 0.
    pub depth: usize,
    /// The counts.
    #[serde(flatten)]
    pub counts: LevelCount,
}

/// The contents of a record besides the answer.
#[derive(Clone, Copy, Default)]
pub struct RecordContext<'a> {
    /// The search; `None` where there was nothing to search.
    pub solver: Option<&'a Solver>,
    /// The heuristic that the solution was found with, if that was while one was chosen.
    pub found_with: Option<&'a str>,
    /// Whether the states of the path are requested.
    pub with_states: bool,
    /// The terms for the settings that name the heuristic, if these are requested.
    pub heuristic_terms: Option<&'a dyn Terms>,
    /// The time of preparation that belongs to this record.
    pub preparation: Duration,
}

impl SolveRecord {
    /// Record the outcome of an instance.
    pub fn of(
        game: &Game,
        instance: &Instance,
        answer: &Answer,
        context: RecordContext<'_>,
    ) -> Self {
        let solution = answer.solution();
        let heuristic = context.solver.map(Solver::heuristic);
        let with_tables = heuristic.filter(|it| it.estimate.patterns().is_some());
        let on_disk = answer.kept.as_ref().and_then(|kept| kept.on_disk);
        Self {
            instance: instance.id.clone(),
            start: game.ir().format_state(instance.state.values()),
            solved: solution.is_some(),
            outcome: answer.outcome.code().into(),
            proof: match &answer.outcome {
                Outcome::NoSolution { proof } => proof.clone(),
                _ => None,
            },
            cost: solution.map(|solution| Exact(solution.cost)),
            length: solution.map(search::Solution::length),
            moves: solution.map(|solution| labels(game, &solution.moves)),
            all: answer.all.as_ref().map(|all| AllRecord::of(game, all)),
            states: solution.filter(|_| context.with_states).map(|solution| {
                states_on_the_way(game, &instance.state, &solution.moves)
                    .iter()
                    .map(|state| game.ir().format_state(state.values()))
                    .collect()
            }),
            generated: Exact(answer.generated),
            expanded: Exact(answer.expanded),
            pruned: Exact(answer.pruned),
            pruned_by_machine: answer.pruned_by_machine.map(Exact),
            bounds: answer.iterations.clone(),
            depths: (0..)
                .zip(answer.levels.iter().copied())
                .map(|(depth, counts)| DepthRecord { depth, counts })
                .collect(),
            best_so_far: answer
                .best_so_far
                .as_ref()
                .map(|solution| Exact(solution.cost)),
            cost_at_least: match answer.proved {
                Some(Proved::CostsAtLeast(cost)) => Some(cost),
                _ => None,
            },
            length_at_least: match answer.proved {
                Some(Proved::HasMoves(moves)) => Some(moves),
                _ => None,
            },
            generated_in_tries: Some(answer.generated_in_tries)
                .filter(|it| *it > 0)
                .map(Exact),
            seconds: answer.elapsed.as_secs_f64(),
            preparation_seconds: context.preparation.as_secs_f64(),
            generated_per_second: per_second(answer.generated, answer.elapsed),
            heuristic: match context.found_with {
                Some(found_with) => Some(found_with.to_owned()),
                None => heuristic.map(|it| it.estimate.to_string()),
            },
            found_while_choosing: context.found_with.is_some(),
            heuristic_options: heuristic.zip(context.heuristic_terms).and_then(
                |(heuristic, terms)| {
                    let choice = heuristic.choice.as_ref()?;
                    Some(settings_in_terms_of(choice, terms))
                },
            ),
            heuristic_reason: heuristic.and_then(|it| it.reason.clone()),
            heuristic_considered: heuristic
                .filter(|_| context.heuristic_terms.is_some())
                .map_or_else(Vec::new, |it| it.considered.clone()),
            heuristic_seconds: heuristic
                .filter(|it| with_tables.is_some() || it.reason.is_some())
                .map(|it| it.elapsed.as_secs_f64()),
            heuristic_bytes: with_tables.map(|it| it.estimate.n_bytes()),
            admissible: heuristic.map(PreparedHeuristic::is_admissible),
            heuristic_start: answer.heuristic_start,
            cycles: answer
                .was_searched()
                .then(|| name_of(answer.cycle_detection).into()),
            pruning: answer.pruning.clone(),
            known_cost: instance.known_cost.map(Exact),
            kept: answer.kept.clone(),
            lookups: answer.lookups,
            lookups_per_node: answer.lookups_per_node(),
            lookups_per_second: answer.lookups.map(|n| per_second(n.into(), answer.elapsed)),
            bytes_per_node: answer.bytes_per_node(),
            cache_misses: answer.cache_misses.map(Result::ok),
            cache_misses_per_node: answer.cache_misses.map(|_| answer.cache_misses_per_node()),
            peak_bytes_on_disk: on_disk.map(|it| it.peak_bytes),
            bytes_written: on_disk.map(|it| it.written),
            bytes_read: on_disk.map(|it| it.read),
        }
    }
}

fn name_of(cycles: CycleDetection) -> &'static str {
    match cycles {
        CycleDetection::None => "none",
        CycleDetection::Parent => "parent",
        CycleDetection::Path => "path",
    }
}

/// Return the labels of moves.
pub fn labels(game: &Game, moves: &[RuleId]) -> Vec<String> {
    let label = |id: &RuleId| game.ir().rule(*id).label.to_string();
    moves.iter().map(label).collect()
}

/// Return the states that moves lead through, start and end included. Each move must be possible.
pub fn states_on_the_way(game: &Game, start: &State, moves: &[RuleId]) -> Vec<State> {
    let mut states = vec![start.clone()];
    for id in moves {
        let rule = &game.ir().rule(*id).canonical;
        let next = rule.apply(states[states.len() - 1].values());
        states.push(State::new(next));
    }
    states
}
