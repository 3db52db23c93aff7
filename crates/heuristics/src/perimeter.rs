//! Perimeters: all states near the goals with their exact costs, found by a pruned depth-first
//! search backward.
//!
//! A forward depth-first search with a perimeter has its solution as soon as it enters the
//! perimeter, and every state outside is further from the goal than the radius. So it is a search
//! from both sides whose backward half takes the memory of the perimeter, and whose forward half
//! takes none (Dillenburg & Nelson 1994, "Perimeter Search"; Manzini 1995, "BIDA*"). As an estimate
//! it combines with any other one and with every search that takes one.

use std::collections::HashMap;
use std::hash::Hash;

use budget::{StopReason, Watch};
use psvn_ir::{CanonicalRule, Game, RuleId, State, TermKind, Value};
use search::{Cell, DEAD_END, Estimated, Heuristic, Memo, PathNode, Properties, Sibling};

use crate::packed_keys::{PackedTable, Packing};

/// The number of rules that are tried between two looks at the limits.
const TRIES_BETWEEN_CHECKS: u64 = 1024;

/// A bound should take at least this many times the nodes of the one before, so that all bounds
/// together take little more than the last one. If it takes fewer, the next bound is raised by
/// twice as much.
const LEAST_GROWTH: u64 = 2;

/// All states from which a goal is reachable within some cost, each with its least cost.
///
/// ```
/// use budget::Watch;
/// use heuristics::Perimeter;
/// use search::{CompiledGame, GoalStates, Searcher, ZeroHeuristic};
///
/// let game = psvn_ir::load("
///     3  3 3 3
///     A B C => B A C
///     A B C => A C B
///     GOAL 0 1 2
/// ").game.expect("a game without errors");
/// let backward = game.backward(100)?;
/// let goals = GoalStates::of(&game);
/// let next = |(), _| Some(());
/// let perimeter = Perimeter::around(goals, &backward, (), next, 1, &Watch::default())?;
/// assert_eq!(perimeter.len(), 3);
///
/// let start = game.parse_state("2 1 0")?;
/// let searcher = Searcher::builder(&CompiledGame::new(&game)).build();
/// let report = searcher.run().ida_star(&start, &perimeter.with(&ZeroHeuristic))?;
/// assert_eq!(report.solution().map(|it| it.cost), Some(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Perimeter {
    costs: PackedTable<u64>,
    packing: Packing,
    radius: u64,
    /// The least cost at which the radius left out a path; without one, no other state leads to a
    /// goal.
    beyond: Option<u64>,
    /// The limit that made the radius smaller than requested.
    stopped: Option<StopReason>,
}

impl Perimeter {
    /// Find all states from which one of the goal states is reachable at a cost of at most
    /// `radius`. The search goes depth first from each goal state by the rules of `backward`, which
    /// must be [`Game::backward`] of the game, without the words that a machine for those rules
    /// forbids: `start` is its first state, and `next` its step by a rule.
    ///
    /// A machine that preserves each state's least cost preserves the perimeter. Paths are kept
    /// free of cycles. If rules cost nothing, there could still be too many paths: then pairs of a
    /// state and a machine state are stored, and visited again only at a lower cost. Takes time
    /// proportional to the pruned tree and memory proportional to the number of states.
    ///
    /// The walk is repeated with bounds that grow up to the radius. When a limit on time, memory,
    /// or nodes, which are paths backward, is reached, the perimeter has the last bound that was
    /// finished as its radius, and [`stopped`](Self::stopped) says why.
    ///
    /// # Errors
    /// If a limit is reached before all states at cost 0 are found, or if it is interrupted.
    pub fn around<S: Copy + Eq + Hash>(
        goals: impl IntoIterator<Item = State> + Clone,
        backward: &Game,
        start: S,
        next: impl Fn(S, RuleId) -> Option<S>,
        radius: u64,
        limits: &Watch,
    ) -> Result<Self, StopReason> {
        let has_free_rules = backward
            .rules()
            .iter()
            .any(|rule| rule.canonical.cost() == 0);
        let mut walk = Walk {
            rules: backward
                .rules_with_ids()
                .map(|(id, rule)| (id, &rule.canonical))
                .collect(),
            start,
            next,
            perimeter: Self {
                costs: PackedTable::default(),
                packing: Packing::of(backward),
                radius: 0,
                beyond: None,
                stopped: None,
            },
            seen: has_free_rules.then(HashMap::new),
            n_variables: backward.n_variables(),
            bound: 0,
            beyond: None,
            tries: 0,
            nodes: 0,
            limits,
        };
        walk.to(radius, goals)?;
        Ok(walk.perimeter)
    }

    /// Return the limit that was reached, if the radius is smaller than requested.
    pub fn stopped(&self) -> Option<StopReason> {
        self.stopped
    }

    /// Return about the bytes of its states.
    pub fn n_bytes(&self) -> usize {
        let of_key = bytes_of_block(self.packing.n_bytes());
        bytes_of_table::<Box<[u64]>>(self.costs.capacity()) + self.costs.len() * of_key
    }

    /// Return the number of its states.
    pub fn len(&self) -> usize {
        self.costs.len()
    }

    /// Return whether the perimeter is empty: there is no goal state.
    pub fn is_empty(&self) -> bool {
        self.costs.is_empty()
    }

    /// Return the greatest cost within it.
    pub fn radius(&self) -> u64 {
        self.radius
    }

    /// Return the least cost to reach a goal from a state, if it is within the perimeter.
    pub fn cost(&self, state: &[Value]) -> Option<u64> {
        self.find(state.iter().copied())
    }

    /// Return a heuristic that is exact within the perimeter, and outside is at least the cost of
    /// leaving it. It is admissible if the other one is.
    pub fn with<'p>(&'p self, inner: &'p dyn Heuristic) -> WithPerimeter<'p> {
        WithPerimeter {
            perimeter: self,
            inner,
        }
    }

    /// Return the minimum cost of states outside.
    fn outside(&self) -> u64 {
        match self.beyond {
            None => DEAD_END,
            Some(_) => self.radius.saturating_add(1),
        }
    }

    fn find(&self, values: impl Iterator<Item = Value>) -> Option<u64> {
        let find = |key: &[u64]| self.costs.get(key).copied();
        self.packing.with_key(values, find)
    }
}

/// A heuristic with a [`Perimeter`] around it.
#[derive(Clone, Copy)]
pub struct WithPerimeter<'p> {
    perimeter: &'p Perimeter,
    inner: &'p dyn Heuristic,
}

impl WithPerimeter<'_> {
    /// Return the estimate of a state, given the other heuristic's estimate.
    fn beside<C: Cell>(&self, estimate: u64, state: &[C]) -> u64 {
        // A state with a larger estimate isn't within the perimeter.
        if estimate > self.perimeter.radius {
            return estimate;
        }
        let cost = self.perimeter.find(state.iter().map(|cell| cell.value()));
        cost.unwrap_or_else(|| self.perimeter.outside())
    }
}

impl Heuristic for WithPerimeter<'_> {
    fn estimate(&self, state: &[u32]) -> u64 {
        self.beside(self.inner.estimate(state), state)
    }

    fn start(&self, state: &[u8], memo: &mut Memo) -> u64 {
        self.beside(self.inner.start(state, memo), state)
    }

    fn children(
        &self,
        node: PathNode<'_>,
        siblings: &[Sibling],
        states: &[u8],
        estimated: &mut [Estimated],
    ) {
        self.inner.children(node, siblings, states, estimated);
        let children = states.chunks_exact(node.state.len()).zip(siblings);
        for ((child, sibling), estimated) in children.zip(estimated) {
            if estimated.estimate <= sibling.cutoff {
                estimated.estimate = self.beside(estimated.estimate, child);
            }
        }
    }

    fn reject(&self, memo: &Memo, siblings: &[Sibling], rejected: &mut [Option<u64>]) {
        self.inner.reject(memo, siblings, rejected);
    }

    fn properties(&self) -> Properties<'_> {
        Properties {
            value_sums: None,
            ranked_tables: None,
            ..self.inner.properties()
        }
    }
}

/// A depth-first walk backward.
struct Walk<'a, S, N> {
    rules: Vec<(RuleId, &'a CanonicalRule)>,
    start: S,
    next: N,
    perimeter: Perimeter,
    /// The least cost for each pair of a state and a machine state.
    seen: Option<HashMap<(Vec<Value>, S), u64>>,
    n_variables: usize,
    /// Paths that cost more are left out for now.
    bound: u64,
    /// The least cost of the paths that are left out.
    beyond: Option<u64>,
    /// The rules that were tried.
    tries: u64,
    nodes: u64,
    limits: &'a Watch,
}

/// Return about the bytes of a table of costs of this capacity. While it grows, the former one is
/// there as well.
fn bytes_of_table<K>(capacity: usize) -> usize {
    // A sixteenth of the places or more is left free, and each has a byte of its own.
    (capacity + capacity / 4) * (size_of::<(K, u64)>() + 1) * 3 / 2
}

/// Return about the bytes that the allocator takes for a block.
fn bytes_of_block(bytes: usize) -> usize {
    (bytes + size_of::<usize>()).next_multiple_of(16).max(32)
}

/// A node of the path: its state, and the next rule.
struct Node<S> {
    state: Vec<Value>,
    memory: S,
    cost: u64,
    next: usize,
}

impl<S: Copy + Eq + Hash, N: Fn(S, RuleId) -> Option<S>> Walk<'_, S, N> {
    /// Walk with one bound after another, up to the radius. What the last bound that was finished
    /// has found is the perimeter.
    fn to(
        &mut self,
        radius: u64,
        goals: impl IntoIterator<Item = State> + Clone,
    ) -> Result<(), StopReason> {
        let mut raise = 1;
        // The nodes until the last bound was finished, and those that this bound took.
        let (mut nodes_before, mut last) = (0, 0);
        let mut is_begun = false;
        loop {
            if let Err(reason) = self.within_bound(goals.clone()) {
                if !is_begun || reason == StopReason::Interrupted {
                    return Err(reason);
                }
                let finished = self.perimeter.radius;
                self.perimeter.costs.retain(|_, cost| *cost <= finished);
                self.perimeter.costs.shrink_to_fit();
                self.perimeter.stopped = Some(reason);
                return Ok(());
            }
            is_begun = true;
            self.perimeter.beyond = self.beyond;
            self.perimeter.radius = self.bound;
            let Some(beyond) = self.beyond.filter(|beyond| *beyond <= radius) else {
                self.perimeter.radius = radius;
                return Ok(());
            };
            let nodes = self.nodes - nodes_before;
            nodes_before = self.nodes;
            raise = if nodes < LEAST_GROWTH * last {
                2 * raise
            } else {
                1
            };
            last = nodes;
            self.bound = self.bound.saturating_add(raise).max(beyond).min(radius);
        }
    }

    /// Find all states within the bound.
    fn within_bound(&mut self, goals: impl IntoIterator<Item = State>) -> Result<(), StopReason> {
        self.beyond = None;
        if let Some(seen) = &mut self.seen {
            seen.clear();
        }
        goals
            .into_iter()
            .try_for_each(|goal| self.from(goal.values()))
    }

    fn from(&mut self, goal: &[Value]) -> Result<(), StopReason> {
        let mut path = vec![Node {
            state: goal.to_vec(),
            memory: self.start,
            cost: 0,
            next: 0,
        }];
        self.note(goal, 0)?;
        while let Some(node) = path.last_mut() {
            let Some((id, rule)) = self.rules.get(node.next).copied() else {
                path.pop();
                continue;
            };
            node.next += 1;
            self.tries += 1;
            if self.tries.is_multiple_of(TRIES_BETWEEN_CHECKS) {
                self.check()?;
            }
            if !rule.applies_to(&node.state) {
                continue;
            }
            let Some(memory) = (self.next)(node.memory, id) else {
                continue;
            };
            let cost = node.cost.saturating_add(rule.cost());
            if cost > self.bound {
                self.beyond = Some(self.beyond.map_or(cost, |least| least.min(cost)));
                continue;
            }
            let state = after(rule, &node.state);
            let is_known = match &mut self.seen {
                None => path.iter().any(|before| before.state == state),
                Some(seen) => {
                    let known = seen.entry((state.clone(), memory)).or_insert(u64::MAX);
                    std::mem::replace(known, cost.min(*known)) <= cost
                }
            };
            if is_known {
                continue;
            }
            self.note(&state, cost)?;
            path.push(Node {
                state,
                memory,
                cost,
                next: 0,
            });
        }
        Ok(())
    }

    /// Note the cost of a node's state.
    fn note(&mut self, state: &[Value], cost: u64) -> Result<(), StopReason> {
        self.nodes += 1;
        let packing = self.perimeter.packing;
        let key: Box<[u64]> = packing.with_key(state.iter().copied(), |key: &[u64]| Box::from(key));
        let costs = &self.perimeter.costs;
        if costs.len() == costs.capacity() && !costs.contains_key(&key) {
            self.check_room(costs.capacity().max(1))?;
        }
        let costs = &mut self.perimeter.costs;
        let known = costs.entry(key).or_insert(cost);
        *known = cost.min(*known);
        if self.nodes.is_multiple_of(TRIES_BETWEEN_CHECKS) {
            self.check()?;
        }
        self.limits.nodes_left(self.nodes).map(drop)
    }

    fn check(&self) -> Result<(), StopReason> {
        self.check_room(0)
    }

    /// Compare what is used with the limits, if the table of costs had room for more entries.
    fn check_room(&self, more: usize) -> Result<(), StopReason> {
        let of_seen = self.seen.as_ref().map_or(0, |seen| {
            let of_key = bytes_of_block(self.n_variables * size_of::<Value>());
            bytes_of_table::<(Vec<Value>, S)>(seen.capacity()) + seen.len() * of_key
        });
        let more = bytes_of_table::<Box<[u64]>>(more);
        let bytes = self
            .perimeter
            .n_bytes()
            .saturating_add(of_seen)
            .saturating_add(more);
        self.limits.check(self.nodes, bytes)
    }
}

fn after(rule: &CanonicalRule, state: &[Value]) -> Vec<Value> {
    let values = rule.actions().iter().map(|term| match term.kind() {
        TermKind::Constant(value) => value,
        TermKind::Variable(var) => state[var.index()],
    });
    values.collect()
}
