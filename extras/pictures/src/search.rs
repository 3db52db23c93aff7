//! Pictures of the tree of a search that keeps states: the order of expansions, open nodes, and f.

use drawing::{BoardLayout, MOST_NODES, Status, Tree, TreeNode};
use psvn::text::{Parameter, Task};
use psvn::{Algorithm, Error, Solver, message};
use psvn_ir::State;
use search::{Heuristic, Trace, TraceOrder, TracedNode, Weight, trace};

/// Draw the tree of the search from a start: each generated state with f, and with the number
/// of its expansion if it was expanded. States that were found again are left out, except
/// reopened ones.
///
/// A simple search is run again. It expands the same states in the same order as
/// [`solve`](psvn::Solver::solve).
///
/// # Errors
/// When the algorithm keeps no states, or makes too many for a picture.
pub fn draw_search(
    solver: &Solver,
    start: &State,
    layout: Option<&BoardLayout>,
) -> Result<Tree, Error> {
    let (order, trace) = traced(solver, start, MOST_NODES)?;
    if !trace.is_whole {
        return Err(Error::limit(format!(
            "the search makes more than {MOST_NODES} nodes, which are too many for a picture"
        ))
        .with_hint("draw the search from a start that is nearer to the goal"));
    }
    Ok(picture(solver, start, order, &trace.nodes, layout))
}

/// Run a simple search with the options of a solver, and return its first nodes.
pub(crate) fn traced(
    solver: &Solver,
    start: &State,
    most_nodes: usize,
) -> Result<(TraceOrder, Trace), Error> {
    let options = solver.options();
    let ties = options.ties.unwrap_or_default();
    let order = match options.algorithm {
        Algorithm::Bfs => TraceOrder::Queue,
        Algorithm::DfsClosed => TraceOrder::Stack {
            depth: options.depth.unwrap_or(u64::MAX),
        },
        Algorithm::UniformCost => TraceOrder::Weighted(Weight::ZERO, ties),
        Algorithm::AStar => TraceOrder::Weighted(Weight::ONE, ties),
        Algorithm::WeightedAStar => {
            TraceOrder::Weighted(options.weight.unwrap_or(Weight::ONE), ties)
        }
        Algorithm::Greedy => TraceOrder::Estimate(ties),
        other => {
            return Err(
                Error::usage(format!("{} keeps no states", other.name())).with_hint(message![
                    "use `",
                    Parameter::Algorithm.is("bfs"),
                    "`, `ucs`, `astar`, `wastar`, `greedy` or `dfs-closed`; ",
                    Task::DrawTree,
                    " trees of sequences"
                ]),
            );
        }
    };
    let estimate = |state: &State| {
        let cells: Vec<u32> = state.values().iter().map(|value| value.0).collect();
        solver.estimate().estimate(&cells)
    };
    let game = solver.game().ir();
    Ok((order, trace(game, start, order, &estimate, most_nodes)))
}

fn picture(
    solver: &Solver,
    start: &State,
    order: TraceOrder,
    nodes: &[TracedNode],
    layout: Option<&BoardLayout>,
) -> Tree {
    let game = solver.game();
    let names = game.rule_names();
    let mut drawn: Vec<TreeNode> = Vec::new();
    for (place, node) in nodes.iter().enumerate() {
        let values = game.value_names(&node.state);
        let mut lines = match layout {
            Some(layout) => layout.text(&values),
            None => vec![game.ir().format_state(node.state.values())],
        };
        let score = order.score(node.g, node.h);
        match order {
            TraceOrder::Weighted(weight, _) => {
                let denominator = u128::from(weight.denominator());
                lines.push(match score % denominator {
                    0 => format!("f = {}", score / denominator),
                    _ => format!("f = {score}/{denominator}"),
                });
            }
            TraceOrder::Estimate(_) => lines.push(format!("h = {score}")),
            TraceOrder::Queue | TraceOrder::Stack { .. } => {}
        }
        drawn.push(TreeNode {
            lines,
            board: layout.and_then(|layout| layout.cells(&values)),
            edge: node.rule.map_or_else(String::new, |rule| names.name(rule)),
            note: match (node.expanded, node.is_replaced) {
                (Some(number), _) => number.to_string(),
                (None, true) => "reached at less cost".to_owned(),
                (None, false) => String::new(),
            },
            status: match node {
                TracedNode { is_goal: true, .. } => Status::Goal,
                TracedNode {
                    is_replaced: true, ..
                } => Status::Pruned,
                TracedNode {
                    expanded: Some(_), ..
                } => Status::Plain,
                _ => Status::Open,
            },
            children: Vec::new(),
        });
        if node.rule.is_some() {
            drawn[node.parent].children.push(place);
        }
    }
    Tree {
        title: format!(
            "{}: {} from {}",
            game.name(),
            solver.options().algorithm.name(),
            game.ir().format_state(start.values())
        ),
        nodes: drawn,
    }
}

#[cfg(test)]
mod tests {
    use search::Ties;

    use super::*;
    use psvn::Environment;
    use psvn::Game;
    use psvn::heuristic::HeuristicSpec;
    use psvn::solve::SearchOptions;

    /// The picture has the same numbers of expanded and open nodes as the search.
    #[test]
    fn a_picture_is_that_of_the_search() {
        let env = Environment::default();
        let game = Game::built_in("sliding-tiles:3:3", &env).expect("a game");
        let start = game.ir().parse_state("1 4 2 6 3 5 7 0 8").expect("a state");
        let mut n_pictures = 0;
        for algorithm in ["bfs", "ucs", "astar", "wastar", "greedy", "dfs-closed"] {
            for ties in [
                None,
                Some(Ties::Lifo),
                Some(Ties::Fifo),
                Some(Ties::Nutshell),
            ] {
                let algorithm: Algorithm = algorithm.parse().expect("an algorithm");
                if ties.is_some() && !algorithm.has_ties() {
                    continue;
                }
                let options = SearchOptions {
                    algorithm,
                    ties,
                    depth: (algorithm == Algorithm::DfsClosed).then_some(7),
                    weight: (algorithm == Algorithm::WeightedAStar)
                        .then(|| "3/2".parse().expect("a weight")),
                    heuristic: if algorithm.takes_heuristic() {
                        "manhattan".parse().expect("a heuristic")
                    } else {
                        HeuristicSpec::zero()
                    },
                    ..SearchOptions::default()
                };
                let builder = Solver::builder(&game).options(options);
                let solver = builder.starts(vec![start.clone()]).build(&env);
                let solver = solver.expect("a search");
                let tree = draw_search(&solver, &start, None).expect("a small tree");
                let answer = solver.solve(&start).expect("an answer");
                let counts = answer.kept.as_ref().expect("counts of states");
                let name = format!("{}, {ties:?}", algorithm.name());
                let is_expanded = |node: &&TreeNode| !node.note.is_empty();
                let n_expanded = tree.nodes.iter().filter(is_expanded).count() as u128;
                let is_goal_closed = u128::from(ties == Some(Ties::Nutshell));
                assert_eq!(n_expanded, answer.expanded + is_goal_closed, "{name}");
                let goals = tree.nodes.iter().filter(|node| node.status == Status::Goal);
                assert_eq!(goals.count(), 1, "{name}");
                if ties != Some(Ties::Nutshell)
                    && algorithm != Algorithm::DfsClosed
                    && counts.reopened == 0
                {
                    let states = tree.nodes.iter();
                    let states = states.filter(|node| node.status != Status::Pruned);
                    assert_eq!(states.count() as u64, counts.states, "{name}");
                }
                assert!(tree.svg().is_ok());
                n_pictures += 1;
            }
        }
        assert_eq!(n_pictures, 18);
    }
}
