//! The search tree, unfolded node by node, with the reason why a branch is cut.

use std::sync::Arc;

use psvn::heuristic::Name;
use psvn::solve::SearchOptions;
use psvn::{DEAD_END, Game, HeuristicSpec, PruneSpec, Solver, State};
use psvn_ir::RuleId;
use search::Heuristic;
use serde::{Deserialize, Serialize};

use super::board::{MOST_MOVES, Position, moves};
use super::{Question, numbers};
use crate::analyzed::Analyzed;
use crate::opened::Opened;
use crate::refusal::Refusal;
use crate::shared::Studio;

/// The heuristics that are tried in this order where none is chosen: those that people recognize,
/// as far as they fit the game.
const USUAL: [Name; 5] = [
    Name::Manhattan,
    Name::Gap,
    Name::GoalCount,
    Name::Misplaced,
    Name::Zero,
];

/// Which heuristics are there?
#[derive(Debug, Deserialize)]
pub(crate) struct Heuristics {
    game: String,
    /// The start of the tree.
    start: String,
}

/// The heuristics.
#[derive(Debug, Serialize)]
pub(crate) struct Named {
    /// The first one that fits.
    usual: &'static str,
    all: Vec<NameAndSummary>,
}

#[derive(Debug, Serialize)]
struct NameAndSummary {
    name: &'static str,
    summary: &'static str,
}

impl Question for Heuristics {
    type Answer = Named;

    fn game(&self) -> &str {
        &self.game
    }

    fn answer(self, opened: &Arc<Opened>, studio: &Arc<Studio>) -> Result<Named, Refusal> {
        let start = opened.game()?.state("the start", &self.start)?;
        let fits = |name: &Name| estimate(opened, studio, name.as_str(), &start).is_ok();
        let usual = USUAL.into_iter().find(fits).unwrap_or(Name::Zero);
        let of = |name: Name| NameAndSummary {
            name: name.as_str(),
            summary: name.summary(),
        };
        Ok(Named {
            usual: usual.as_str(),
            all: Name::ALL.into_iter().map(of).collect(),
        })
    }
}

/// The search whose estimate is used.
fn estimate(
    opened: &Opened,
    studio: &Studio,
    name: &str,
    start: &State,
) -> Result<Arc<Solver>, Refusal> {
    let game = opened.game()?;
    opened.estimate((name.to_owned(), start.clone()), || {
        let spec: HeuristicSpec = name
            .parse()
            .map_err(|_| Refusal::wrong(format!("there is no heuristic `{name}`")))?;
        if spec == HeuristicSpec::Auto {
            return Err(Refusal::wrong("name a heuristic"));
        }
        let options = SearchOptions {
            heuristic: spec,
            prune: Some(PruneSpec::None),
            ..SearchOptions::default()
        };
        let builder = Solver::builder(game).options(options);
        Ok(builder.starts([start.clone()]).build(&studio.env())?)
    })
}

/// The estimate for a state; `None` where no goal can be reached.
fn estimated(solver: &Solver, state: &State) -> Option<u64> {
    let cells: Vec<u32> = state.values().iter().map(|value| value.0).collect();
    Some(solver.estimate().estimate(&cells)).filter(|estimate| *estimate != DEAD_END)
}

/// What is below a node?
#[derive(Debug, Deserialize)]
pub(crate) struct Children {
    game: String,
    start: String,
    /// The numbers of the rules that lead from the start to the node, from 1.
    path: Vec<usize>,
    heuristic: String,
}

/// A node with its children.
#[derive(Debug, Serialize)]
pub(crate) struct Unfolded {
    #[serde(flatten)]
    node: Node,
    children: Vec<Child>,
    /// How many children are left out.
    left_out: usize,
    /// The length up to which redundant words are known; `None` if they weren't looked for.
    pruned_up_to: Option<usize>,
    /// Why nothing is cut although redundant words are known: the start breaks an assumption.
    #[serde(skip_serializing_if = "Option::is_none")]
    breach: Option<String>,
}

/// A node.
#[derive(Debug, Serialize)]
struct Node {
    #[serde(flatten)]
    position: Position,
    g: u64,
    /// `None` where no goal can be reached.
    h: Option<u64>,
}

/// A child.
#[derive(Debug, Serialize)]
struct Child {
    /// The number of the rule, from 1.
    rule: usize,
    name: String,
    #[serde(flatten)]
    node: Node,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<Cut>,
}

/// Why a child is cut.
#[derive(Debug, Serialize)]
struct Cut {
    /// The number of the redundant word, from 1.
    number: usize,
    word: Vec<String>,
    rules: Vec<u32>,
    replacement: Vec<String>,
    replaced_by: Vec<u32>,
}

impl Question for Children {
    type Answer = Unfolded;

    fn game(&self) -> &str {
        &self.game
    }

    fn answer(self, opened: &Arc<Opened>, studio: &Arc<Studio>) -> Result<Unfolded, Refusal> {
        let game = opened.game()?;
        let start = game.state("the start", &self.start)?;
        let path = opened.word(&self.path)?;
        let (state, g) = walked(game, &start, &path)?;
        let solver = estimate(opened, studio, &self.heuristic, &start)?;
        let analyzed = opened.analyzed();
        let breach = analyzed.as_ref().and_then(|it| it.breach(game, &start));
        let cutting = analyzed.as_ref().filter(|_| breach.is_none());
        let letters: Vec<u32> = path.iter().map(|id| id.0).collect();
        let node = |state: &State, g: u64| Node {
            position: Position::of(opened, game, state),
            g,
            h: estimated(&solver, state),
        };
        let names = game.rule_names();
        let child = |(id, next): (RuleId, State)| {
            let cost = game.ir().rule(id).canonical.cost();
            Child {
                rule: id.index() + 1,
                name: names.name(id),
                node: node(&next, g.saturating_add(cost)),
                cut: cutting.and_then(|it| cut(it, game, &letters, id)),
            }
        };
        let mut legal = moves(game, &state);
        let children: Vec<Child> = legal.by_ref().take(MOST_MOVES).map(child).collect();
        Ok(Unfolded {
            node: node(&state, g),
            children,
            left_out: legal.count(),
            pruned_up_to: analyzed.as_ref().map(|it| it.complete_length()),
            breach,
        })
    }
}

/// The end of a path, and what it costs.
fn walked(game: &Game, start: &State, path: &[RuleId]) -> Result<(State, u64), Refusal> {
    let (mut state, mut cost) = (start.clone(), 0_u64);
    for id in path {
        let rule = &game.ir().rule(*id).canonical;
        if !rule.applies_to(state.values()) {
            let name = game.rule_names().name(*id);
            return Err(Refusal::wrong(format!("{name} can't be used there")));
        }
        state = State::new(rule.apply(state.values()));
        cost = cost.saturating_add(rule.cost());
    }
    Ok((state, cost))
}

/// The redundant word that a rule completes, if there is one.
fn cut(analyzed: &Analyzed, game: &Game, path: &[u32], id: RuleId) -> Option<Cut> {
    let mut path = path.to_vec();
    path.push(id.0);
    let (place, begin) = analyzed.at_end(&path)?;
    let word = analyzed.machine().ok()?.words.get(place)?;
    let replacement = word.replacements.first()?;
    let names = game.rule_names();
    let spelled = |letters: &[u32]| letters.iter().map(|it| names.name(RuleId(*it))).collect();
    Some(Cut {
        number: place + 1,
        word: spelled(&path[begin..]),
        rules: numbers(&path[begin..]),
        replacement: spelled(replacement),
        replaced_by: numbers(replacement),
    })
}
