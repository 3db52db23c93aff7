//! Pictures of the tree of a search that keeps states: the order of expansions, open nodes, and f.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use drawing::{BoardLayout, MOST_NODES, Status, Tree, TreeNode};
use psvn_ir::{RuleId, State};
use search::{DEAD_END, Heuristic, Ties, Weight};

use super::super::searcher::Searcher;
use crate::error::Error;
use crate::game::Game;
use crate::text::algorithm::Algorithm;
use crate::text::{Parameter, Task, message};

/// A node of the tree, in the order in which nodes were made.
struct Made {
    state: State,
    parent: usize,
    rule: Option<RuleId>,
    g: u64,
    h: u64,
    depth: u64,
    /// The number of its expansion, from 1 on.
    expanded: Option<usize>,
    is_goal: bool,
    /// Whether its state was reached at less cost before it was expanded.
    is_replaced: bool,
}

/// The rank of an open node in a best-first search: f, and the values that break ties.
type Rank = (u128, Reverse<u64>, u64);

/// The open nodes of a search.
enum OpenList {
    Queue(std::collections::VecDeque<usize>),
    Stack(Vec<usize>),
    Ranked(BTreeMap<Rank, usize>),
}

/// A repetition of the search that is drawn, which keeps all of its nodes.
struct Traced<'g> {
    game: &'g Game,
    searcher: &'g Searcher,
    nodes: Vec<Made>,
    open: OpenList,
    /// By state: the node to expand, and the score at which it was closed, if it was.
    known: HashMap<State, (usize, Option<u128>)>,
    n_expanded: usize,
}

impl Searcher {
    /// Draw the tree of the search from a start: each generated state with f, and with the number
    /// of its expansion if it was expanded. States that were found again are left out, except
    /// reopened ones.
    ///
    /// A simple search is run again. It expands the same states in the same order as
    /// [`solve`](super::super::searcher::Run::solve).
    ///
    /// # Errors
    /// When the algorithm keeps no states, or makes too many for a picture.
    pub fn draw(&self, start: &State, layout: Option<&BoardLayout>) -> Result<Tree, Error> {
        let options = self.options();
        let open = match options.algorithm {
            Algorithm::Bfs => OpenList::Queue(Default::default()),
            Algorithm::DfsClosed => OpenList::Stack(Vec::new()),
            Algorithm::UniformCost
            | Algorithm::AStar
            | Algorithm::WeightedAStar
            | Algorithm::Greedy => OpenList::Ranked(BTreeMap::new()),
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
        let mut traced = Traced {
            game: self.game(),
            searcher: self,
            nodes: Vec::new(),
            open,
            known: HashMap::new(),
            n_expanded: 0,
        };
        traced.search(start)?;
        Ok(traced.picture(start, layout))
    }
}

impl Traced<'_> {
    fn search(&mut self, start: &State) -> Result<(), Error> {
        let at_generation = !matches!(self.open, OpenList::Ranked(_));
        let bound = self.searcher.options().depth.unwrap_or(u64::MAX);
        let Some(root) = self.make(start.clone(), 0, None)? else {
            return Ok(());
        };
        if at_generation && self.nodes[root].is_goal {
            return Ok(());
        }
        self.known.insert(start.clone(), (root, None));
        if bound > 0 {
            self.put(root);
        }
        while let Some(node) = self.take() {
            let state = self.nodes[node].state.clone();
            if self.is_nutshell() && self.nodes[node].is_goal {
                self.expand(node);
                return Ok(());
            }
            if !at_generation && self.nodes[node].is_goal {
                return Ok(());
            }
            self.expand(node);
            let score = self.score(node);
            self.known.insert(state.clone(), (node, Some(score)));
            for (id, rule) in self.game.ir().rules_with_ids() {
                if !rule.canonical.applies_to(state.values()) {
                    continue;
                }
                let child = State::new(rule.canonical.apply(state.values()));
                if at_generation {
                    if self.visit_blindly(child, node, id, bound)? {
                        return Ok(());
                    }
                } else {
                    self.visit_by_score(child, node, id)?;
                }
            }
        }
        Ok(())
    }

    fn expand(&mut self, node: usize) {
        self.n_expanded += 1;
        self.nodes[node].expanded = Some(self.n_expanded);
    }

    fn is_nutshell(&self) -> bool {
        matches!(self.open, OpenList::Ranked(_))
            && self.searcher.options().ties == Some(Ties::Nutshell)
    }

    /// Return a child of a blind search; whether it is a goal.
    fn visit_blindly(
        &mut self,
        child: State,
        parent: usize,
        rule: RuleId,
        bound: u64,
    ) -> Result<bool, Error> {
        let is_known = match (&self.open, self.known.get(&child)) {
            (OpenList::Stack(_), Some((_, closed))) => closed.is_some(),
            (_, known) => known.is_some(),
        };
        if is_known {
            return Ok(false);
        }
        let is_pushed = match self.open {
            OpenList::Stack(_) => self.nodes[parent].depth + 1 < bound,
            _ => true,
        };
        let is_goal = self.game.ir().is_goal(child.values());
        if !is_goal && !is_pushed {
            return Ok(false);
        }
        if let Some(node) = self.make(child.clone(), parent, Some(rule))? {
            self.known.entry(child).or_insert((node, None));
            if !is_goal {
                self.put(node);
            }
        }
        Ok(is_goal)
    }

    fn visit_by_score(&mut self, child: State, parent: usize, rule: RuleId) -> Result<(), Error> {
        let g = self.nodes[parent].g.saturating_add(self.cost(rule));
        let known = self.known.get(&child).copied();
        if let Some((before, closed)) = known {
            let greedy = self.searcher.options().algorithm == Algorithm::Greedy;
            let is_known = match (self.is_nutshell(), closed) {
                (true, None) => false,
                (true, Some(closed)) => self.score_of(g, self.estimate(&child)) >= closed,
                (false, _) if greedy => true,
                (false, _) => self.nodes[before].g <= g,
            };
            if is_known {
                return Ok(());
            }
            self.nodes[before].is_replaced = !self.is_nutshell() && closed.is_none();
        }
        let Some(node) = self.make(child.clone(), parent, Some(rule))? else {
            return Ok(());
        };
        self.known.insert(child, (node, None));
        self.put(node);
        Ok(())
    }

    /// Return a new node; `None` for a dead end.
    fn make(
        &mut self,
        state: State,
        parent: usize,
        rule: Option<RuleId>,
    ) -> Result<Option<usize>, Error> {
        let h = match self.open {
            OpenList::Ranked(_) => self.estimate(&state),
            _ => 0,
        };
        if h == DEAD_END {
            return Ok(None);
        }
        if self.nodes.len() == MOST_NODES {
            return Err(Error::limit(format!(
                "the search makes more than {MOST_NODES} nodes, which are too many for a picture"
            ))
            .with_hint("draw the search from a start that is nearer to the goal"));
        }
        let (g, depth) = match rule {
            None => (0, 0),
            Some(rule) => {
                let above = &self.nodes[parent];
                (above.g.saturating_add(self.cost(rule)), above.depth + 1)
            }
        };
        self.nodes.push(Made {
            is_goal: self.game.ir().is_goal(state.values()),
            state,
            parent,
            rule,
            g,
            h,
            depth,
            expanded: None,
            is_replaced: false,
        });
        Ok(Some(self.nodes.len() - 1))
    }

    fn put(&mut self, node: usize) {
        let score = self.score(node);
        let number = node as u64;
        let rank = match self.searcher.options().ties.unwrap_or_default() {
            Ties::Fifo => (score, Reverse(0), number),
            Ties::Lifo | Ties::Nutshell => (score, Reverse(number), 0),
            _ => (score, Reverse(self.nodes[node].g), u64::MAX - number),
        };
        match &mut self.open {
            OpenList::Queue(queue) => queue.push_back(node),
            OpenList::Stack(stack) => stack.push(node),
            OpenList::Ranked(ranked) => {
                ranked.insert(rank, node);
            }
        }
    }

    /// Return the next node to expand.
    fn take(&mut self) -> Option<usize> {
        loop {
            let node = match &mut self.open {
                OpenList::Queue(queue) => queue.pop_front()?,
                OpenList::Stack(stack) => return stack.pop(),
                OpenList::Ranked(ranked) => ranked.pop_first()?.1,
            };
            if !self.nodes[node].is_replaced {
                return Some(node);
            }
        }
    }

    fn estimate(&self, state: &State) -> u64 {
        let cells: Vec<u32> = state.values().iter().map(|value| value.0).collect();
        self.searcher.estimate().estimate(&cells)
    }

    fn cost(&self, rule: RuleId) -> u64 {
        self.game.ir().rule(rule).canonical.cost()
    }

    fn weight(&self) -> Weight {
        let options = self.searcher.options();
        match options.algorithm {
            Algorithm::UniformCost => Weight::ZERO,
            Algorithm::WeightedAStar => options.weight.unwrap_or(Weight::ONE),
            _ => Weight::ONE,
        }
    }

    fn score(&self, node: usize) -> u128 {
        self.score_of(self.nodes[node].g, self.nodes[node].h)
    }

    /// f times the denominator of the weight.
    fn score_of(&self, g: u64, h: u64) -> u128 {
        if self.searcher.options().algorithm == Algorithm::Greedy {
            return h.into();
        }
        let weight = self.weight();
        u128::from(weight.denominator()) * u128::from(g)
            + u128::from(weight.numerator()) * u128::from(h)
    }

    fn picture(&self, start: &State, layout: Option<&BoardLayout>) -> Tree {
        let names = self.game.rule_names();
        let mut drawn: Vec<TreeNode> = Vec::new();
        for (place, node) in self.nodes.iter().enumerate() {
            let values = self.game.value_names(&node.state);
            let mut lines = match layout {
                Some(layout) => layout.text(&values),
                None => vec![self.game.ir().format_state(node.state.values())],
            };
            if matches!(self.open, OpenList::Ranked(_)) {
                let denominator = u128::from(self.weight().denominator());
                let (score, name) = match self.searcher.options().algorithm {
                    Algorithm::Greedy => (self.score(place), "h"),
                    _ => (self.score(place), "f"),
                };
                lines.push(
                    match (score % denominator, self.searcher.options().algorithm) {
                        (0, _) | (_, Algorithm::Greedy) => {
                            format!("{name} = {}", score / denominator)
                        }
                        _ => format!("{name} = {score}/{denominator}"),
                    },
                );
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
                    Made { is_goal: true, .. } => Status::Goal,
                    Made {
                        is_replaced: true, ..
                    } => Status::Pruned,
                    Made {
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
                self.game.name(),
                self.searcher.options().algorithm.name(),
                self.game.ir().format_state(start.values())
            ),
            nodes: drawn,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::Environment;
    use crate::heuristic::HeuristicSpec;
    use crate::solve::SearchOptions;

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
                    heuristic: match algorithm.takes_heuristic() {
                        true => "manhattan".parse().expect("a heuristic"),
                        false => HeuristicSpec::zero(),
                    },
                    ..SearchOptions::default()
                };
                let builder = Searcher::builder(&game).options(options);
                let searcher = builder.starts(vec![start.clone()]).build(&env);
                let searcher = searcher.expect("a search");
                let tree = searcher.draw(&start, None).expect("a small tree");
                let answer = searcher.run(&start).solve().expect("an answer");
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
