//! The states of a search, as messages to a search debugger.

use psvn::{Error, Game, Solver};
use psvn_ir::{RuleId, State};
use search::{TraceOrder, TracedNode};
use serde::Serialize;

use crate::search::traced;

/// The time between two actions of a plan, in which a planner of the extension counts.
const TIME_STEP: f64 = 0.001;

/// The states of a search for the search debugger of the extension "PDDL" of VS Code, which draws
/// the tree and the estimates: JSON for
/// [its addresses](https://github.com/jan-dolejsi/vscode-pddl/wiki/Search-tree-debugger-API).
#[derive(Debug)]
pub struct DebuggedSearch {
    order: TraceOrder,
    nodes: Vec<TracedNode>,
    goal: Option<usize>,
    is_whole: bool,
    /// The names of the actions that lead to the nodes.
    actions: Vec<String>,
}

/// A message to a search debugger.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct DebuggerMessage {
    /// The path of the address that it is posted to.
    #[serde(skip)]
    pub path: &'static str,
    body: Body,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Body {
    State(Found),
    Estimate(Estimated),
}

/// A state that the search has found.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Found {
    id: String,
    parent_id: Option<String>,
    g: u64,
    earliest_time: f64,
    applied_action: Option<Action>,
    plan_head: Vec<Action>,
}

/// The estimate of a state that was found. There is no relaxed plan behind it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Estimated {
    id: String,
    h: u64,
    total_makespan: f64,
    relaxed_plan: [Action; 0],
    helpful_actions: [Action; 0],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Action {
    action_name: String,
    shot_counter: u32,
    earliest_time: f64,
    kind: &'static str,
}

impl DebuggedSearch {
    /// Run the search from a start again, in its plain form, up to a number of nodes. It finds the
    /// same states in the same order as [`solve`](psvn::Solver::solve).
    ///
    /// # Errors
    /// When the algorithm keeps no states.
    pub fn run(solver: &Solver, start: &State, most_nodes: usize) -> Result<Self, Error> {
        let (order, trace) = traced(solver, start, most_nodes)?;
        let game = solver.game();
        let name = |node: &TracedNode| node.rule.map(|rule| action_name(game, rule));
        Ok(Self {
            order,
            actions: trace.nodes.iter().flat_map(name).collect(),
            nodes: trace.nodes,
            goal: trace.goal,
            is_whole: trace.is_whole,
        })
    }

    /// Whether these are all states of the search; else they are the first ones.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// The messages, in their order: each state as it was found, with its estimate if the search
    /// has estimates; then states that were reached at less cost before they were expanded, and the
    /// goal. States that were found again, and those that are dead ends by the estimate, are left
    /// out.
    pub fn messages(&self) -> impl Iterator<Item = DebuggerMessage> + '_ {
        let found = (0..self.nodes.len()).flat_map(|place| {
            let path = if place == 0 {
                "/state/initial"
            } else {
                "/state"
            };
            let estimate = self.order.has_scores().then(|| self.estimate(place));
            [Some(self.state(path, place)), estimate]
        });
        let replaced = (0..self.nodes.len())
            .filter(|place| self.nodes[*place].is_replaced)
            .map(|place| self.state("/state/visitedOrWorse", place));
        let goal = self.goal.map(|place| self.state("/plan", place));
        found.flatten().chain(replaced).chain(goal)
    }

    fn state(&self, path: &'static str, place: usize) -> DebuggerMessage {
        let node = &self.nodes[place];
        let mut plan_head = Vec::new();
        let mut at = place;
        while at != 0 {
            plan_head.push(self.action(at));
            at = self.nodes[at].parent;
        }
        plan_head.reverse();
        let is_root = place == 0;
        DebuggerMessage {
            path,
            body: Body::State(Found {
                id: place.to_string(),
                parent_id: (!is_root).then(|| node.parent.to_string()),
                g: node.g,
                earliest_time: self.time(place),
                applied_action: (!is_root).then(|| self.action(place)),
                plan_head,
            }),
        }
    }

    fn estimate(&self, place: usize) -> DebuggerMessage {
        DebuggerMessage {
            path: "/state/heuristic",
            body: Body::Estimate(Estimated {
                id: place.to_string(),
                h: self.nodes[place].h,
                total_makespan: self.time(place),
                relaxed_plan: [],
                helpful_actions: [],
            }),
        }
    }

    /// The action that leads to a node, which isn't the root.
    fn action(&self, place: usize) -> Action {
        Action {
            action_name: self.actions[place - 1].clone(),
            shot_counter: 0,
            earliest_time: self.time(place),
            kind: "INSTANTANEOUS",
        }
    }

    /// Actions come one after the other, and the first state is there before them.
    fn time(&self, place: usize) -> f64 {
        (self.nodes[place].depth + 1) as f64 * TIME_STEP
    }
}

/// The name of an action as PDDL has it: `pick(ball,left)` is `pick ball left`.
fn action_name(game: &Game, rule: RuleId) -> String {
    let name = game.rule_names().name(rule);
    let Some((operator, arguments)) = name.split_once('(') else {
        return name;
    };
    let Some((arguments, _)) = arguments.split_once(')') else {
        return name;
    };
    std::iter::once(operator)
        .chain(arguments.split(',').filter(|argument| !argument.is_empty()))
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use psvn::Environment;
    use psvn::solve::SearchOptions;

    use super::*;

    fn debugged(algorithm: &str, heuristic: &str, most_nodes: usize) -> (u128, DebuggedSearch) {
        let env = Environment::default();
        let game = Game::built_in("sliding-tiles:3:3", &env).expect("a game");
        let start = game.ir().parse_state("1 4 2 6 3 5 7 0 8").expect("a state");
        let options = SearchOptions {
            algorithm: algorithm.parse().expect("an algorithm"),
            heuristic: heuristic.parse().expect("a heuristic"),
            ..SearchOptions::default()
        };
        let builder = Solver::builder(&game).options(options);
        let solver = builder.starts(vec![start.clone()]).build(&env);
        let solver = solver.expect("a search");
        let answer = solver.solve(&start).expect("an answer");
        let cost = answer.solution().expect("a solution").cost;
        let debugged = DebuggedSearch::run(&solver, &start, most_nodes).expect("a search");
        (cost, debugged)
    }

    /// Messages as a debugger reads them: every parent is known, every estimate is of a known
    /// state, plans lead from the root to their state, and the last message is the goal.
    #[test]
    fn a_debugger_can_follow() {
        for (algorithm, heuristic) in [
            ("astar", "manhattan"),
            ("greedy", "manhattan"),
            ("bfs", "zero"),
        ] {
            let (cost, debugged) = debugged(algorithm, heuristic, 10_000);
            assert!(debugged.is_whole());
            let mut known = HashSet::new();
            let mut n_estimates = 0;
            let mut last = None;
            for message in debugged.messages() {
                let body = serde_json::to_value(&message).expect("JSON");
                let id = body["id"].as_str().expect("an id").to_owned();
                match message.path {
                    "/state/initial" => assert!(body["parentId"].is_null() && known.insert(id)),
                    "/state" => {
                        assert!(known.contains(body["parentId"].as_str().expect("a parent")));
                        // Each move costs 1.
                        let plan = body["planHead"].as_array().expect("a plan");
                        assert_eq!(Some(plan.len() as u64), body["g"].as_u64());
                        assert_eq!(Some(&body["appliedAction"]), plan.last());
                        assert!(known.insert(id));
                    }
                    "/state/heuristic" => {
                        assert!(known.contains(&id));
                        n_estimates += 1;
                    }
                    _ => assert!(known.contains(&id)),
                }
                last = Some((message.path, body));
            }
            assert_eq!(
                n_estimates,
                if heuristic == "zero" { 0 } else { known.len() }
            );
            let (path, goal) = last.expect("messages");
            assert_eq!(path, "/plan");
            assert_eq!(
                goal["g"].as_u64().map(u128::from),
                Some(cost),
                "{algorithm}"
            );
        }
    }

    #[test]
    fn a_search_may_be_cut_off() {
        let (_, debugged) = debugged("astar", "zero", 20);
        assert!(!debugged.is_whole());
        let paths: Vec<&str> = debugged.messages().map(|it| it.path).collect();
        // Each state and its estimate.
        assert!(
            paths
                .iter()
                .filter(|path| path.starts_with("/state"))
                .count()
                >= 40
        );
        assert!(!paths.contains(&"/plan"));
    }

    #[test]
    fn a_search_along_paths_keeps_no_states() {
        let env = Environment::default();
        let game = Game::built_in("pancake:4", &env).expect("a game");
        let start = game.ir().parse_state("2 1 3 4").expect("a state");
        let solver = Solver::builder(&game)
            .starts(vec![start.clone()])
            .build(&env);
        assert!(DebuggedSearch::run(&solver.expect("a search"), &start, 10).is_err());
    }

    #[test]
    fn actions_are_named_as_in_pddl() {
        let env = Environment::default();
        let text =
            "1 2\n0 => 1 LABEL pick(ball,left)\n0 => 1 LABEL wait()\n0 => 1 LABEL go\nGOAL 1\n";
        let game = Game::parse("actions", text, &env).expect("a game");
        let names: Vec<String> = (0..3)
            .map(|rule| action_name(&game, RuleId(rule)))
            .collect();
        assert_eq!(names, ["pick ball left", "wait", "go"]);
    }
}
