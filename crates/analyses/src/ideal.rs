//! How much more a machine could prune: the ideal tree beside that of an analysis.

use budget::{Limits, StopReason};
use fsm::Dense;
use host::Host;
use ideal_tree::{Comparison, Difference, Question, Stopped};
use move_prune::Order;
use psvn_ir::{Game, RuleId, RuleNames, State};
use redundancy::split_game;
use rule_splits::SplitGame;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::analysis::Analysis;
use crate::choices::Letters;
use crate::engine::machines as build;
use crate::engine::task::{Task, analyze_quietly};
use crate::error::AnalyzeError as Error;
use crate::request::AnalysisRequest;

/// A request to count the ideal tree.
#[derive(Clone, Debug)]
pub struct IdealRequest {
    /// The depth down to which nodes are counted.
    pub depth: usize,
    /// The most differences that are listed.
    pub most_differences: usize,
    /// The root of both trees.
    pub start: State,
}

/// The tree of an analysis beside the ideal one of the same length, from one state.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Ideal {
    /// The root of both trees.
    pub start: String,
    /// The length of the longest sequences that were compared.
    pub max_length: usize,
    /// The number of states within the depth.
    pub states: usize,
    /// Whether these are all that can be reached.
    pub all_states: bool,
    /// The nodes by depth.
    pub depths: Vec<IdealDepth>,
    /// The growth of the machine's tree with each move.
    pub machine_growth: IdealGrowth,
    /// The growth of the ideal tree with each move.
    pub ideal_growth: IdealGrowth,
    /// The growth of the tree with split rules, if some are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub split_growth: Option<IdealGrowth>,
    /// The first sequences that the machine keeps although they aren't least at some state.
    pub differences: Vec<IdealDifference>,
}

/// A sequence that the machine keeps although it isn't least everywhere.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct IdealDifference {
    /// The sequence.
    pub word: Vec<String>,
    /// The first state, of those nearest to the start, where it isn't least.
    pub state: String,
    /// The sequence that leads from there to the same state.
    pub replacement: Vec<String>,
    /// Equations that hold in that state and don't follow from the sequence's preconditions.
    pub missing: Vec<String>,
    /// The number of states where the sequence isn't least.
    pub states: usize,
    /// The number of states where it can be carried out.
    pub applicable: usize,
}

/// The numbers of nodes at one depth.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct IdealDepth {
    /// The depth.
    pub depth: usize,
    /// The nodes of the machine's tree.
    #[serde(with = "budget::exact_number")]
    #[schemars(with = "budget::Exact")]
    pub machine: u128,
    /// The nodes of the ideal tree.
    #[serde(with = "budget::exact_number")]
    #[schemars(with = "budget::Exact")]
    pub ideal: u128,
    /// The ratio of the two; `None` where the ideal tree has no nodes.
    pub ratio: Option<f64>,
    /// The nodes with split rules, if some are.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "budget::exact_option"
    )]
    #[schemars(with = "Option<budget::Exact>")]
    pub split: Option<u128>,
}

/// How fast a tree grows.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct IdealGrowth {
    /// The mean factor of the last four moves, if there are four.
    pub last_moves: Option<f64>,
    /// The factor in the long run; `None` where not all states lie within the depth.
    pub long_run: Option<f64>,
}

/// Count the tree that an analysis leaves beside the ideal one, by brute force; also the tree with
/// split rules, whose differences are then listed.
///
/// # Errors
/// When letters aren't rules, the analysis has no machine, or a limit is reached.
pub fn compare_with_ideal(
    game: &Game,
    request: &AnalysisRequest,
    analysis: &Analysis,
    wanted: &IdealRequest,
    limits: &Limits,
    host: &dyn Host,
) -> Result<Ideal, Error> {
    if request.letters != Letters::Rules {
        return Err(Error::IdealOfOperators);
    }
    let machine = analysis.machine.as_ref().ok_or(Error::IdealOfNoMachine)?;
    let start = &wanted.start;
    let order = match request.order {
        Order::LengthLexicographic => ideal_tree::Order::LengthLexicographic,
        Order::CostLengthLexicographic => ideal_tree::Order::CostLengthLexicographic,
        Order::Cost => return Err(Error::IdealOfAllPaths),
    };
    let letters = analysis.summary.letters_in_order.as_ref();
    let rule_order: Option<Vec<RuleId>> =
        letters.map(|letters| letters.iter().copied().map(RuleId).collect());
    let question = Question {
        max_length: analysis.summary.max_length,
        depth: wanted.depth,
        order,
        rule_order: rule_order.as_deref(),
        most_differences: wanted.most_differences,
        growth: true,
    };
    let limits = host.limits(limits);
    let stopped = |stopped: Stopped| stopped_by(stopped.reason, &question);
    let split = split_game(game, &machine.parts)?;
    let compared = match &split {
        None => Comparison::make(game, start, &machine.machine, &question, &limits),
        Some(_) => {
            let whole = of_rules(game, request, &question, &limits)?;
            Comparison::make(game, start, &whole, &question, &limits)
        }
    };
    let compared = compared.map_err(stopped)?;
    let mut ideal = describe(game, start, &question, &compared);
    if let Some(split) = split {
        let in_file: Vec<RuleId> = game.rules_with_ids().map(|(id, _)| id).collect();
        let letter_order = split.letter_order(rule_order.as_deref().unwrap_or(&in_file));
        let question = Question {
            rule_order: Some(&letter_order),
            ..question.clone()
        };
        let machine = &machine.machine;
        let compared = Comparison::make(split.game(), start, machine, &question, &limits);
        let compared = compared.map_err(stopped)?;
        for (depth, nodes) in ideal.depths.iter_mut().zip(&compared.machine.nodes) {
            depth.split = Some(*nodes);
        }
        ideal.split_growth = Some(growth(&compared.machine));
        let found = compared.differences.iter();
        ideal.differences = found.map(|it| of_parts(game, &split, it)).collect();
    }
    Ok(ideal)
}

/// The machine for whole rules, where those of the analysis are split.
fn of_rules(
    game: &Game,
    request: &AnalysisRequest,
    question: &Question<'_>,
    limits: &Limits,
) -> Result<Dense, Error> {
    let known = request.assumptions.known.as_ref();
    let task = Task {
        order: request.order,
        rule_order: question.rule_order,
        ..Task::up_to(question.max_length, known, limits.clone())
    };
    let found = analyze_quietly(game, &task);
    if let Some(reason) = found.stopped {
        return Err(stopped_by(reason, question));
    }
    build::forbidding(build::n_letters(&found), found.redundant_letters())
}

/// A kept sequence of parts, in words. Parts have the names of their rules.
fn of_parts(game: &Game, split: &SplitGame, found: &Difference) -> IdealDifference {
    let names = RuleNames::new(game);
    let name = |letter: &RuleId| names.name(split.rule_of(letter.0));
    let missing = split.missing(game, found);
    IdealDifference {
        word: found.word.iter().map(name).collect(),
        state: game.format_state(found.state.values()),
        replacement: found.replacement.iter().map(name).collect(),
        missing: missing.iter().map(|it| game.format_equation(it)).collect(),
        states: found.n_states,
        applicable: found.n_applicable,
    }
}

fn stopped_by(reason: StopReason, question: &Question<'_>) -> Error {
    let moves = question.depth.saturating_add(question.max_length);
    Error::Ideal { reason, moves }
}

fn describe(game: &Game, start: &State, question: &Question<'_>, compared: &Comparison) -> Ideal {
    let names = RuleNames::new(game);
    let word = |word: &[RuleId]| word.iter().map(|rule| names.name(*rule)).collect();
    let trees = compared.machine.nodes.iter().zip(&compared.ideal.nodes);
    let depth = |(depth, (machine, ideal)): (usize, (&u128, &u128))| IdealDepth {
        depth,
        machine: *machine,
        ideal: *ideal,
        ratio: compared.ratio(depth),
        split: None,
    };
    let difference = |found: &Difference| IdealDifference {
        word: word(&found.word),
        state: game.format_state(found.state.values()),
        replacement: word(&found.replacement),
        missing: found
            .missing
            .iter()
            .map(|it| game.format_equation(it))
            .collect(),
        states: found.n_states,
        applicable: found.n_applicable,
    };
    Ideal {
        start: game.format_state(start.values()),
        max_length: question.max_length,
        states: compared.n_states,
        all_states: compared.is_all,
        depths: trees.enumerate().map(depth).collect(),
        machine_growth: growth(&compared.machine),
        ideal_growth: growth(&compared.ideal),
        split_growth: None,
        differences: compared.differences.iter().map(difference).collect(),
    }
}

fn growth(tree: &ideal_tree::Tree) -> IdealGrowth {
    IdealGrowth {
        last_moves: tree.recent_growth(),
        long_run: tree.growth,
    }
}
