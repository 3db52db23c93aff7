//! The graph of a game, and its automorphisms.

use std::collections::HashMap;

use psvn_ir::random::{GOLDEN, first_of};
use psvn_ir::{Game, Term, TermKind};

/// A graph with colored vertices and labeled edges, each in both directions.
pub(super) struct Graph {
    colors: Vec<u64>,
    /// By vertex: label and neighbor.
    edges: Vec<Vec<(u64, usize)>>,
    /// The first vertex of each domain's values.
    values: Vec<usize>,
    /// Variables and values come first, and determine all else.
    n_decisive: usize,
}

/// The images of vertices, once all decisive ones are determined.
pub(super) struct Pairing<'a> {
    right_of: &'a HashMap<u64, usize>,
    left: &'a [u64],
}

impl Pairing<'_> {
    /// Return the image of a vertex.
    pub(super) fn of(&self, vertex: usize) -> usize {
        self.right_of[&self.left[vertex]]
    }
}

// Initial colors, and labels of edges; any different numbers will do.
const VARIABLE: u64 = 1;
const VALUE: u64 = 2;
const RULE: u64 = 3;
const GOAL: u64 = 4;
const UNKNOWN: u64 = 5;
const TERM: u64 = 6;
const AT: u64 = 7;
const IN: u64 = 8;
const BEFORE: u64 = 9;
const AFTER: u64 = 10;
const CHOSEN: u64 = 11;

/// The maximum number of choices of images until all others follow. A game that leaves more of them
/// has more symmetries than are worth anything, and each choice is a call deeper.
const MOST_CHOICES: usize = 256;

impl Graph {
    pub(super) fn of(game: &Game) -> Self {
        let mut graph = Self {
            colors: Vec::new(),
            edges: Vec::new(),
            values: Vec::new(),
            n_decisive: 0,
        };
        for domain in game.variables() {
            graph.vertex(mix(VARIABLE, domain.index() as u64));
        }
        for (d, domain) in game.domains().iter().enumerate() {
            graph.values.push(graph.colors.len());
            for _ in 0..domain.size() {
                graph.vertex(mix(VALUE, d as u64));
            }
        }
        graph.n_decisive = graph.colors.len();
        for rule in game.rules() {
            let rule = &rule.canonical;
            let vertex = graph.vertex(mix(RULE, rule.cost()));
            graph.terms(game, vertex, rule.preconditions(), rule.actions());
        }
        for goal in game.goals() {
            let vertex = graph.vertex(GOAL);
            graph.terms(game, vertex, goal.conditions(), goal.conditions());
        }
        graph
    }

    /// Give each variable a color of its own, so that it stays in its place.
    pub(super) fn fix_variables(&mut self) {
        let end = self.values_begin();
        for (place, color) in self.colors[..end].iter_mut().enumerate() {
            *color = mix(*color, place as u64);
        }
    }

    /// Give each value a color of its own, so that it is mapped to itself.
    pub(super) fn fix_values(&mut self) {
        let begin = self.values_begin();
        let colors = &mut self.colors[begin..self.n_decisive];
        for (place, color) in colors.iter_mut().enumerate() {
            *color = mix(*color, place as u64);
        }
    }

    /// Return the number of the first value's vertex; variables come before it.
    fn values_begin(&self) -> usize {
        self.values.first().copied().unwrap_or(self.n_decisive)
    }

    pub(super) fn variable(&self, var: usize) -> usize {
        var
    }

    pub(super) fn value(&self, domain: usize, value: usize) -> usize {
        self.values[domain] + value
    }

    fn vertex(&mut self, color: u64) -> usize {
        self.colors.push(color);
        self.edges.push(Vec::new());
        self.colors.len() - 1
    }

    fn edge(&mut self, one: usize, other: usize, label: u64) {
        self.edges[one].push((label, other));
        self.edges[other].push((label + 1000, one));
    }

    /// Add the terms of a rule or goal that have an effect.
    fn terms(&mut self, game: &Game, whole: usize, before: &[Term], after: &[Term]) {
        let mut unknown: HashMap<usize, usize> = HashMap::new();
        let is_alone = |i: usize| {
            let alone = |term: &Term| term.as_variable().is_some_and(|var| var.index() == i);
            alone(&before[i]) && alone(&after[i])
        };
        for i in 0..before.len() {
            let mentioned = |term: &Term| term.as_variable().is_some_and(|var| var.index() == i);
            let elsewhere = || {
                let terms = before.iter().chain(after).filter(|term| mentioned(term));
                terms.count() > 2
            };
            if is_alone(i) && !elsewhere() {
                continue;
            }
            let at = self.vertex(TERM);
            self.edge(whole, at, IN);
            self.edge(at, i, AT);
            for (term, label) in [(before[i], BEFORE), (after[i], AFTER)] {
                let target = match term.kind() {
                    TermKind::Constant(value) => {
                        self.value(game.variables()[i].index(), value.index())
                    }
                    TermKind::Variable(var) => match unknown.get(&var.index()) {
                        Some(known) => *known,
                        None => {
                            let new = self.vertex(UNKNOWN);
                            unknown.insert(var.index(), new);
                            new
                        }
                    },
                };
                self.edge(at, target, label);
            }
        }
    }

    /// Call `each` with automorphisms until it requests to stop, or more vertices and edges were
    /// looked at than the budget has.
    ///
    /// The results fit the colors. The caller must prove them.
    pub(super) fn automorphisms(
        &self,
        budget: &mut usize,
        each: &mut dyn FnMut(&Pairing<'_>) -> bool,
    ) {
        let colors = self.refined(self.colors.clone(), budget);
        self.search(&colors, &colors, 0, budget, each);
    }

    fn search(
        &self,
        left: &[u64],
        right: &[u64],
        n_choices: usize,
        budget: &mut usize,
        each: &mut dyn FnMut(&Pairing<'_>) -> bool,
    ) -> bool {
        let mut cells: HashMap<u64, (usize, usize)> = HashMap::new();
        for color in &left[..self.n_decisive] {
            cells.entry(*color).or_default().0 += 1;
        }
        for color in &right[..self.n_decisive] {
            cells.entry(*color).or_default().1 += 1;
        }
        if cells.values().any(|(l, r)| l != r) {
            return true;
        }
        let open = (0..self.n_decisive).filter(|v| cells[&left[*v]].0 > 1);
        // The smallest cell has the fewest choices, and variables matter more than values.
        let Some(chosen) = open.min_by_key(|v| (cells[&left[*v]].0, *v)) else {
            let right_of = right[..self.n_decisive].iter().enumerate();
            let right_of = right_of.map(|(vertex, color)| (*color, vertex)).collect();
            return each(&Pairing {
                right_of: &right_of,
                left,
            });
        };
        if n_choices == MOST_CHOICES {
            *budget = 0;
            return false;
        }
        let one = |colors: &[u64], vertex: usize, budget: &mut usize| {
            let mut colors = colors.to_vec();
            colors[vertex] = mix(colors[vertex], CHOSEN);
            self.refined(colors, budget)
        };
        let left_next = one(left, chosen, budget);
        for candidate in (0..self.n_decisive).filter(|v| right[*v] == left[chosen]) {
            let right_next = one(right, candidate, budget);
            if *budget == 0 {
                return false;
            }
            if !self.search(&left_next, &right_next, n_choices + 1, budget, each) {
                return false;
            }
        }
        true
    }

    /// Return colors that distinguish vertices whose neighbors have different colors. Equal for
    /// isomorphic graphs, unless the budget is used up meanwhile.
    fn refined(&self, mut colors: Vec<u64>, budget: &mut usize) -> Vec<u64> {
        let of_round = self.edges.len() + self.edges.iter().map(Vec::len).sum::<usize>();
        let n_colors = |colors: &[u64]| {
            let mut sorted = colors.to_vec();
            sorted.sort_unstable();
            sorted.dedup();
            sorted.len()
        };
        let mut known = n_colors(&colors);
        loop {
            let next: Vec<u64> = self
                .edges
                .iter()
                .enumerate()
                .map(|(vertex, edges)| {
                    // A sum does not depend on the order of the edges.
                    let around = edges
                        .iter()
                        .map(|(label, other)| mix(*label, colors[*other]))
                        .fold(0_u64, u64::wrapping_add);
                    mix(colors[vertex], around)
                })
                .collect();
            let n = n_colors(&next);
            colors = next;
            *budget = budget.saturating_sub(of_round);
            if n == known || *budget == 0 {
                return colors;
            }
            known = n;
        }
    }
}

/// Return a number that depends on both, and on their order.
fn mix(one: u64, other: u64) -> u64 {
    first_of(one.wrapping_mul(GOLDEN).wrapping_add(other))
}
