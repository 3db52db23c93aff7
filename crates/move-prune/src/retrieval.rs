//! "Is there a kept sequence that generalizes this one?"
//!
//! Comparing with each kept sequence takes time that grows with their number. A *discrimination
//! tree*, as theorem provers use it for the same question, does not.
//!
//! # Facts and demands
//! A macro-rule A generalizes B (see [`CanonicalRule::generalizes`]) when
//! 1. each test of A holds in B: p_A\[i\] = c demands p_B\[i\] = c, and p_A\[i\] = x_j with j < i
//!    demands p_B\[i\] = p_B\[j\];
//! 2. each change of A is what B does there: a_A\[i\] = c demands a_B\[i\] = c, and a_A\[i\] = x_j
//!    demands a_B\[i\] = p_B\[j\];
//! 3. B changes nothing that A doesn't change (where A changes nothing, a_B\[i\] must be p_B\[i\]).
//!
//! So A is a *set of demands*, B a *set of facts*, and the question is whether a stored set is a
//! subset of the facts and touches every position that B changes. Positions that a sequence neither
//! tests nor changes appear nowhere: sequences of a large game take as little room as those of a
//! small one. The canonical form makes bindings unnecessary, since the substitution for x_j is
//! p_B\[j\].
//!
//! The sets are stored in a trie, changes before tests, each by position. Changes discriminate best,
//! and by (3) no path may pass over a position that B changes.

#[cfg(doc)]
use psvn_ir::CanonicalRule;
use psvn_ir::Term;

/// A demand, or a fact that meets it. The order puts changes before tests, each by position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key(u64);

const TEST_BIT: u64 = 1 << 63;

impl Key {
    fn change(position: usize, term: Term) -> Self {
        Self((position as u64) << 32 | u64::from(term.to_bits()))
    }

    fn test(position: usize, term: Term) -> Self {
        Self(TEST_BIT | (position as u64) << 32 | u64::from(term.to_bits()))
    }

    /// The least key of any change at a position or behind it.
    fn change_floor(position: usize) -> Self {
        Self((position as u64) << 32)
    }

    fn is_test(self) -> bool {
        self.0 & TEST_BIT != 0
    }

    fn position(self) -> usize {
        ((self.0 & !TEST_BIT) >> 32) as usize
    }
}

/// What stands at the end of a path.
#[derive(Clone, Copy, Debug)]
struct Entry<T> {
    cost: u64,
    payload: T,
}

#[derive(Clone, Debug)]
struct Node<T> {
    /// By key.
    edges: Vec<(Key, u32)>,
    entry: Option<Entry<T>>,
    /// The demands that stand between the edge into this node and the node itself.
    tail: Box<[Key]>,
}

/// A set of macro-rules that answers which of them generalizes a given one at no greater cost.
#[derive(Clone, Debug)]
pub struct DiscriminationTree<T> {
    nodes: Vec<Node<T>>,
    /// For each position, whether some stored change or test compares it with an unknown. Where none
    /// does, the facts about equal values need not be listed.
    changes_to_unknown: Vec<bool>,
    tests_for_unknown: Vec<bool>,
    heap_bytes: usize,
}

/// The facts about one macro-rule, ready for queries. Reusable, to save allocations.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Sorted; changes first.
    keys: Vec<Key>,
    /// The number of change facts at the front.
    n_changes: usize,
    /// The positions that are changed, ascending.
    changed: Vec<usize>,
}

impl<T: Copy> DiscriminationTree<T> {
    /// The empty set of macro-rules over `n_variables` positions.
    pub fn new(n_variables: usize) -> Self {
        let root = Node {
            edges: Vec::new(),
            entry: None,
            tail: Box::default(),
        };
        Self {
            nodes: vec![root],
            changes_to_unknown: vec![false; n_variables],
            tests_for_unknown: vec![false; n_variables],
            heap_bytes: 0,
        }
    }

    /// The bytes that the tree holds.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<T>>() + self.heap_bytes
    }

    /// Adds a macro-rule. Of several with the same preconditions and actions, the first cheapest one
    /// counts.
    pub fn insert(&mut self, preconditions: &[Term], actions: &[Term], cost: u64, payload: T) {
        let mut demands: Vec<Key> = Vec::new();
        for (i, (p, a)) in preconditions.iter().zip(actions).enumerate() {
            if p != a {
                demands.push(Key::change(i, *a));
                self.changes_to_unknown[i] |= !a.is_constant();
            }
        }
        for (i, p) in preconditions.iter().enumerate() {
            if !p.is_own_variable(i) {
                demands.push(Key::test(i, *p));
                self.tests_for_unknown[i] |= !p.is_constant();
            }
        }
        self.insert_demands(&demands, Entry { cost, payload });
    }

    fn insert_demands(&mut self, mut demands: &[Key], entry: Entry<T>) {
        let mut node = 0_usize;
        loop {
            let tail = &self.nodes[node].tail;
            let common = tail.iter().zip(demands).take_while(|(a, b)| a == b).count();
            if common < tail.len() {
                self.split(node, common);
            }
            demands = &demands[common..];
            let Some((first, rest)) = demands.split_first() else {
                let slot = &mut self.nodes[node].entry;
                if slot.is_none_or(|old| entry.cost < old.cost) {
                    *slot = Some(entry);
                }
                return;
            };
            match self.nodes[node]
                .edges
                .binary_search_by_key(first, |(key, _)| *key)
            {
                Ok(edge) => {
                    node = self.nodes[node].edges[edge].1 as usize;
                    demands = rest;
                }
                Err(edge) => {
                    let child = self.push(Node {
                        edges: Vec::new(),
                        entry: Some(entry),
                        tail: rest.into(),
                    });
                    self.heap_bytes += size_of_val(rest) + size_of::<(Key, u32)>();
                    self.nodes[node].edges.insert(edge, (*first, child));
                    return;
                }
            }
        }
    }

    /// Ends a node's tail after `common` demands; what follows becomes its only child.
    fn split(&mut self, node: usize, common: usize) {
        let tail = std::mem::take(&mut self.nodes[node].tail);
        let below = Node {
            edges: std::mem::take(&mut self.nodes[node].edges),
            entry: self.nodes[node].entry.take(),
            tail: tail[common + 1..].into(),
        };
        let child = self.push(below);
        self.nodes[node].tail = tail[..common].into();
        self.nodes[node].edges = vec![(tail[common], child)];
    }

    fn push(&mut self, node: Node<T>) -> u32 {
        self.nodes.push(node);
        u32::try_from(self.nodes.len() - 1).expect("fewer nodes than 2^32 fit in memory limits")
    }

    /// Lists the facts about a macro-rule that stored demands could ask for.
    pub fn list_facts(&self, preconditions: &[Term], actions: &[Term], facts: &mut Facts) {
        facts.keys.clear();
        facts.changed.clear();
        let relevant = |i: usize| {
            // Where a position is neither tested nor changed and no other one is tied to it, no
            // demand of a change there can be met: only its own value would do, and that is no change.
            preconditions[i] != actions[i]
                || preconditions[i].is_constant()
                || !preconditions[i].is_own_variable(i)
                || self.changes_to_unknown[i]
        };
        for i in (0..preconditions.len()).filter(|i| relevant(*i)) {
            let (p, a) = (preconditions[i], actions[i]);
            if p != a {
                facts.changed.push(i);
            }
            if a.is_constant() {
                facts.keys.push(Key::change(i, a));
            }
            if self.changes_to_unknown[i] {
                let holders = preconditions.iter().enumerate().filter(|(_, q)| **q == a);
                facts
                    .keys
                    .extend(holders.map(|(j, _)| Key::change(i, own_variable(j))));
            }
        }
        facts.n_changes = facts.keys.len();
        for (i, p) in preconditions
            .iter()
            .enumerate()
            .filter(|(i, p)| !p.is_own_variable(*i))
        {
            if p.is_constant() {
                facts.keys.push(Key::test(i, *p));
            }
            if self.tests_for_unknown[i] {
                let equals = preconditions[..i]
                    .iter()
                    .enumerate()
                    .filter(|(_, q)| *q == p);
                facts
                    .keys
                    .extend(equals.map(|(j, _)| Key::test(i, own_variable(j))));
            }
        }
        debug_assert!(facts.keys.is_sorted());
    }

    /// A stored macro-rule that generalizes the one with these facts and costs at most `cost`.
    ///
    /// Which one it is, when there are several, depends on nothing but the stored set.
    pub fn find(&self, facts: &Facts, cost: u64) -> Option<T> {
        self.find_below(0, facts, 0, 0, cost)
    }

    /// Searches below a node; facts before `from` and changed positions before `covered` are behind.
    fn find_below(
        &self,
        node: usize,
        facts: &Facts,
        mut from: usize,
        mut covered: usize,
        cost: u64,
    ) -> Option<T> {
        let node = &self.nodes[node];
        for demand in &node.tail {
            (from, covered) = facts.meet(*demand, from, covered)?;
        }
        if covered == facts.changed.len()
            && let Some(entry) = &node.entry
            && entry.cost <= cost
        {
            return Some(entry.payload);
        }
        let mut edges = node.edges.as_slice();
        let to = facts.reach(covered);
        while from < to && !edges.is_empty() {
            let key = facts.keys[from];
            // Leaps over what the other side doesn't have; both sides can be long.
            let skipped = gallop(edges, |(edge, _)| *edge < key);
            edges = &edges[skipped..];
            let Some((edge, child)) = edges.first() else {
                break;
            };
            if *edge == key {
                let (next, covers) = facts.step(from, covered);
                if let found @ Some(_) = self.find_below(*child as usize, facts, next, covers, cost)
                {
                    return found;
                }
                edges = &edges[1..];
                from += 1;
            } else {
                from += gallop(&facts.keys[from..to], |fact| fact < edge);
            }
        }
        None
    }
}

fn own_variable(position: usize) -> Term {
    Term::variable(psvn_ir::VarId::from_index(position))
}

/// The number of leading items that satisfy `behind`, in time logarithmic in that number.
fn gallop<T>(items: &[T], behind: impl Fn(&T) -> bool) -> usize {
    let mut high = 1;
    while high <= items.len() && behind(&items[high - 1]) {
        high *= 2;
    }
    let low = high / 2;
    low + items[low..items.len().min(high)].partition_point(behind)
}

impl Facts {
    /// How far the facts go that may be used next: no change may be passed over that isn't covered,
    /// and tests come only after all changes are.
    fn reach(&self, covered: usize) -> usize {
        match self.changed.get(covered) {
            None => self.keys.len(),
            Some(position) => {
                let bound = Key::change_floor(position + 1);
                self.keys[..self.n_changes].partition_point(|key| *key < bound)
            }
        }
    }

    /// The place behind a fact that was used, and the changed positions covered then.
    fn step(&self, used: usize, covered: usize) -> (usize, usize) {
        let key = self.keys[used];
        let covers = !key.is_test() && self.changed.get(covered) == Some(&key.position());
        (used + 1, covered + usize::from(covers))
    }

    /// Uses the fact that meets a demand, if there is one within reach.
    fn meet(&self, demand: Key, from: usize, covered: usize) -> Option<(usize, usize)> {
        let reachable = &self.keys[..self.reach(covered)];
        let at = from + gallop(reachable.get(from..)?, |fact| *fact < demand);
        (reachable.get(at) == Some(&demand)).then(|| self.step(at, covered))
    }
}
