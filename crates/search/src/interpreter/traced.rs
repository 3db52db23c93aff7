//! Searches that keep each state, in their plain form, with all nodes that they make: for pictures.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, VecDeque};

use psvn_ir::{Game, RuleId, State};

use crate::best_first::Ties;
use crate::heuristic::DEAD_END;
use crate::heuristic::weight::Weight;

/// Which open node is expanded next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceOrder {
    /// The first one made, as in [`bfs`](crate::Run::bfs).
    Queue,
    /// The last one made, as in [`dfs_closed`](crate::Run::dfs_closed).
    Stack {
        /// The greatest number of moves.
        depth: u64,
    },
    /// The one of the least f = g + w h, as in [`weighted_a_star`](crate::Run::weighted_a_star).
    Weighted(Weight, Ties),
    /// The one of the least estimate, as in [`greedy`](crate::Run::greedy).
    Estimate(Ties),
}

impl TraceOrder {
    /// Return the score of a node: f times the denominator of the weight, or the estimate.
    pub fn score(&self, g: u64, h: u64) -> u128 {
        match self {
            Self::Weighted(weight, _) => {
                u128::from(weight.denominator()) * u128::from(g)
                    + u128::from(weight.numerator()) * u128::from(h)
            }
            _ => h.into(),
        }
    }

    /// Return whether nodes have scores.
    pub fn has_scores(&self) -> bool {
        matches!(self, Self::Weighted(..) | Self::Estimate(_))
    }

    fn ties(&self) -> Ties {
        match self {
            Self::Weighted(_, ties) | Self::Estimate(ties) => *ties,
            Self::Queue | Self::Stack { .. } => Ties::default(),
        }
    }

    fn is_nutshell(&self) -> bool {
        self.ties() == Ties::Nutshell
    }

    fn bound(&self) -> u64 {
        match self {
            Self::Stack { depth } => *depth,
            _ => u64::MAX,
        }
    }
}

/// A node of the tree of a search that keeps each state.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TracedNode {
    /// The state.
    pub state: State,
    /// The place of its parent; the root is its own.
    pub parent: usize,
    /// The rule that leads to it; `None` for the root.
    pub rule: Option<RuleId>,
    /// The cost of the path to it.
    pub g: u64,
    /// Its estimate, if nodes have scores.
    pub h: u64,
    /// The number of moves to it.
    pub depth: u64,
    /// The number of its expansion, from 1 on, if it was expanded.
    pub expanded: Option<usize>,
    /// Whether it is a goal.
    pub is_goal: bool,
    /// Whether its state was reached at less cost before it was expanded.
    pub is_replaced: bool,
}

/// The nodes that a search with duplicate detection makes until it finds a goal, in the order in
/// which it makes them. States that are found again are left out, except reopened ones.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Trace {
    /// The nodes.
    pub nodes: Vec<TracedNode>,
    /// The place of the goal that it finds.
    pub goal: Option<usize>,
    /// Whether these are all nodes; else they are the first ones.
    pub is_whole: bool,
}

/// A traced search makes more nodes than wanted.
#[derive(Debug)]
struct TooManyNodes;

/// The rank of an open node in a best-first search: f, and the values that break ties.
type Rank = (u128, Reverse<u64>, u64);

/// The open nodes of a search.
enum OpenList {
    Queue(VecDeque<usize>),
    Stack(Vec<usize>),
    Ranked(BTreeMap<Rank, usize>),
}

/// A search that keeps all of its nodes.
struct Traced<'g> {
    game: &'g Game,
    order: TraceOrder,
    estimate: &'g dyn Fn(&State) -> u64,
    most_nodes: usize,
    nodes: Vec<TracedNode>,
    open: OpenList,
    /// By state: the node to expand, and the score at which it was closed, if it was.
    known: HashMap<State, (usize, Option<u128>)>,
    n_expanded: usize,
}

/// Return the nodes that a search with duplicate detection makes, but no more than `most_nodes`.
///
/// The search works on the rules as they are. It expands the same states in the same order as the
/// search on packed states that its order names.
///
/// ```
/// use search::{Ties, TraceOrder, Weight, trace};
///
/// let game = psvn_ir::load("
///     3  3 3 3
///     A B C => B A C  COST 2
///     A B C => A C B  COST 3
///     GOAL 0 1 2
/// ").game.expect("a game without errors");
/// let start = game.parse_state("2 1 0")?;
/// let order = TraceOrder::Weighted(Weight::ZERO, Ties::default());
/// let whole = trace(&game, &start, order, &|_| 0, 100);
/// let expanded = whole.nodes.iter().filter(|node| node.expanded.is_some());
/// assert_eq!(expanded.count(), 5);
/// assert!(whole.is_whole && whole.goal.is_some());
/// let begun = trace(&game, &start, order, &|_| 0, 3);
/// assert_eq!((begun.nodes.len(), begun.goal, begun.is_whole), (3, None, false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn trace(
    game: &Game,
    start: &State,
    order: TraceOrder,
    estimate: &dyn Fn(&State) -> u64,
    most_nodes: usize,
) -> Trace {
    let mut traced = Traced {
        game,
        order,
        estimate,
        most_nodes,
        nodes: Vec::new(),
        open: match order {
            TraceOrder::Queue => OpenList::Queue(VecDeque::new()),
            TraceOrder::Stack { .. } => OpenList::Stack(Vec::new()),
            TraceOrder::Weighted(..) | TraceOrder::Estimate(_) => OpenList::Ranked(BTreeMap::new()),
        },
        known: HashMap::new(),
        n_expanded: 0,
    };
    let goal = traced.search(start);
    Trace {
        nodes: traced.nodes,
        is_whole: goal.is_ok(),
        goal: goal.ok().flatten(),
    }
}

impl Traced<'_> {
    /// Search, and return the place of the goal that is found.
    fn search(&mut self, start: &State) -> Result<Option<usize>, TooManyNodes> {
        let at_generation = !self.order.has_scores();
        let bound = self.order.bound();
        let Some(root) = self.make(start.clone(), 0, None)? else {
            return Ok(None);
        };
        if at_generation && self.nodes[root].is_goal {
            return Ok(Some(root));
        }
        self.known.insert(start.clone(), (root, None));
        if bound > 0 {
            self.put(root);
        }
        while let Some(node) = self.take() {
            let state = self.nodes[node].state.clone();
            if self.order.is_nutshell() && self.nodes[node].is_goal {
                self.expand(node);
                return Ok(Some(node));
            }
            if !at_generation && self.nodes[node].is_goal {
                return Ok(Some(node));
            }
            self.expand(node);
            let score = self.score(node);
            self.known.insert(state.clone(), (node, Some(score)));
            for (id, rule) in self.game.rules_with_ids() {
                if !rule.canonical.applies_to(state.values()) {
                    continue;
                }
                let child = State::new(rule.canonical.apply(state.values()));
                if at_generation {
                    let goal = self.visit_blindly(child, node, id, bound)?;
                    if goal.is_some() {
                        return Ok(goal);
                    }
                } else {
                    self.visit_by_score(child, node, id)?;
                }
            }
        }
        Ok(None)
    }

    fn expand(&mut self, node: usize) {
        self.n_expanded += 1;
        self.nodes[node].expanded = Some(self.n_expanded);
    }

    /// Make a child of a blind search, unless its state is known. Return its place if it is a goal.
    fn visit_blindly(
        &mut self,
        child: State,
        parent: usize,
        rule: RuleId,
        bound: u64,
    ) -> Result<Option<usize>, TooManyNodes> {
        let is_known = match (&self.open, self.known.get(&child)) {
            (OpenList::Stack(_), Some((_, closed))) => closed.is_some(),
            (_, known) => known.is_some(),
        };
        if is_known {
            return Ok(None);
        }
        let is_pushed = match self.open {
            OpenList::Stack(_) => self.nodes[parent].depth + 1 < bound,
            _ => true,
        };
        let is_goal = self.game.is_goal(child.values());
        if !is_goal && !is_pushed {
            return Ok(None);
        }
        let node = self.make(child.clone(), parent, Some(rule))?;
        if let Some(node) = node {
            self.known.entry(child).or_insert((node, None));
            if !is_goal {
                self.put(node);
            }
        }
        Ok(node.filter(|_| is_goal))
    }

    fn visit_by_score(
        &mut self,
        child: State,
        parent: usize,
        rule: RuleId,
    ) -> Result<(), TooManyNodes> {
        let g = self.nodes[parent].g.saturating_add(self.cost(rule));
        let known = self.known.get(&child).copied();
        if let Some((before, closed)) = known {
            let greedy = matches!(self.order, TraceOrder::Estimate(_));
            let is_known = match (self.order.is_nutshell(), closed) {
                (true, None) => false,
                (true, Some(closed)) => self.order.score(g, (self.estimate)(&child)) >= closed,
                (false, _) if greedy => true,
                (false, _) => self.nodes[before].g <= g,
            };
            if is_known {
                return Ok(());
            }
            self.nodes[before].is_replaced = !self.order.is_nutshell() && closed.is_none();
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
    ) -> Result<Option<usize>, TooManyNodes> {
        let h = if self.order.has_scores() {
            (self.estimate)(&state)
        } else {
            0
        };
        if h == DEAD_END {
            return Ok(None);
        }
        if self.nodes.len() == self.most_nodes {
            return Err(TooManyNodes);
        }
        let (g, depth) = match rule {
            None => (0, 0),
            Some(rule) => {
                let above = &self.nodes[parent];
                (above.g.saturating_add(self.cost(rule)), above.depth + 1)
            }
        };
        self.nodes.push(TracedNode {
            is_goal: self.game.is_goal(state.values()),
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
        let rank = match self.order.ties() {
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

    fn cost(&self, rule: RuleId) -> u64 {
        self.game.rule(rule).canonical.cost()
    }

    fn score(&self, node: usize) -> u128 {
        self.order.score(self.nodes[node].g, self.nodes[node].h)
    }
}
