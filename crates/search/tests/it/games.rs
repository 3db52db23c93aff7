//! Games for the tests, built in code, and slow searches by the meaning of their rules.

use std::collections::{HashMap, VecDeque};

use proptest::prelude::*;
use psvn_ir::{
    Cell, CellKind, Domain, DomainId, Game, GameBuilder, RuleId, State, SymbolId, Value, VarId,
};

pub(crate) fn constant(value: u32) -> Cell {
    Cell::constant(Value(value))
}

pub(crate) fn state(values: impl IntoIterator<Item = u32>) -> State {
    State::new(values.into_iter().map(Value).collect::<Box<[Value]>>())
}

pub(crate) fn domain(builder: &mut GameBuilder, size: usize) -> DomainId {
    let values = (0..size).map(|value| value.to_string());
    builder.domain(Domain::new(format!("of {size}"), values).unwrap())
}

/// A game over `n` variables of one domain, with rules given as sides and cost.
pub(crate) fn game(
    n: usize,
    size: usize,
    rules: &[(Vec<Cell>, Vec<Cell>, u64)],
    goals: &[Vec<Cell>],
) -> Game {
    let mut builder = GameBuilder::new();
    let values = domain(&mut builder, size);
    for _ in 0..n {
        builder.variable(values);
    }
    for (lhs, rhs, cost) in rules {
        builder.rule(None, lhs.clone(), rhs.clone(), *cost);
    }
    for goal in goals {
        builder.goal(goal.clone());
    }
    builder.build().unwrap()
}

/// A game whose rules rearrange `n` different values: position `i` gets what was at `rule[i]`.
pub(crate) fn permutations(n: usize, rules: &[Vec<usize>]) -> Game {
    let symbols: Vec<Cell> = (0..n as u32).map(|i| Cell::symbol(SymbolId(i))).collect();
    let rules: Vec<_> = rules
        .iter()
        .map(|sources| {
            (
                symbols.clone(),
                sources.iter().map(|i| symbols[*i]).collect(),
                1,
            )
        })
        .collect();
    game(n, n, &rules, &[(0..n as u32).map(constant).collect()])
}

/// Build the pancake puzzle: rule k reverses the first k + 2.
pub(crate) fn pancake(n: usize) -> Game {
    let rules: Vec<Vec<usize>> = (2..=n)
        .map(|k| (0..k).rev().chain(k..n).collect())
        .collect();
    permutations(n, &rules)
}

/// Build TopSpin: rule i reverses the k tokens from position i on, in a ring of n.
pub(crate) fn top_spin(n: usize, k: usize) -> Game {
    let rules: Vec<Vec<usize>> = (0..n)
        .map(|first| {
            let mut sources: Vec<usize> = (0..n).collect();
            (0..k).for_each(|i| sources[(first + i) % n] = (first + k - 1 - i) % n);
            sources
        })
        .collect();
    permutations(n, &rules)
}

/// Build the arrow puzzle: two neighbors turn over, one rule for each of their four states.
pub(crate) fn arrow(n: usize) -> Game {
    let mut rules = Vec::new();
    for i in 0..n - 1 {
        for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let (mut lhs, mut rhs) = (vec![Cell::DASH; n], vec![Cell::DASH; n]);
            (lhs[i], lhs[i + 1]) = (constant(a), constant(b));
            (rhs[i], rhs[i + 1]) = (constant(1 - a), constant(1 - b));
            rules.push((lhs, rhs, 1));
        }
    }
    game(n, 2, &rules, &[vec![constant(0); n]])
}

/// Sliding tiles: the blank, value 0, moves up, right, down or left; four groups of rules.
pub(crate) fn sliding_tiles(n_rows: usize, n_columns: usize) -> Game {
    let n = n_rows * n_columns;
    let mut rules = Vec::new();
    for (down, right) in [(-1, 0), (0, 1), (1, 0), (0, -1_isize)] {
        for from in 0..n {
            let to_row = (from / n_columns)
                .checked_add_signed(down)
                .filter(|row| *row < n_rows);
            let to_column = (from % n_columns)
                .checked_add_signed(right)
                .filter(|column| *column < n_columns);
            let (Some(to_row), Some(to_column)) = (to_row, to_column) else {
                continue;
            };
            let to = to_row * n_columns + to_column;
            let (mut lhs, mut rhs) = (vec![Cell::DASH; n], vec![Cell::DASH; n]);
            (lhs[from], lhs[to]) = (constant(0), Cell::symbol(SymbolId(0)));
            (rhs[from], rhs[to]) = (Cell::symbol(SymbolId(0)), constant(0));
            rules.push((lhs, rhs, 1));
        }
    }
    game(n, n, &rules, &[(0..n as u32).map(constant).collect()])
}

/// Return the rules that apply to a state, with the states that they lead to.
pub(crate) fn successors(game: &Game, state: &State) -> Vec<(RuleId, State)> {
    game.rules_with_ids()
        .filter(|(_, rule)| rule.canonical.applies_to(state.values()))
        .map(|(id, rule)| (id, State::new(rule.canonical.apply(state.values()))))
        .collect()
}

/// Return the least cost of every reachable state; `cost` gives a rule's cost.
pub(crate) fn least_costs(
    game: &Game,
    start: &State,
    cost: impl Fn(RuleId) -> u64,
) -> HashMap<State, u64> {
    let mut costs = HashMap::from([(start.clone(), 0)]);
    let mut queue = VecDeque::from([start.clone()]);
    while let Some(state) = queue.pop_front() {
        let so_far = costs[&state];
        for (rule, child) in successors(game, &state) {
            let total = so_far + cost(rule);
            if costs.get(&child).is_none_or(|known| *known > total) {
                costs.insert(child.clone(), total);
                queue.push_back(child);
            }
        }
    }
    costs
}

/// Return the least cost of a goal state.
pub(crate) fn least_goal_cost(
    game: &Game,
    start: &State,
    cost: impl Fn(RuleId) -> u64,
) -> Option<u64> {
    let costs = least_costs(game, start, cost);
    costs
        .into_iter()
        .filter(|(state, _)| game.is_goal(state.values()))
        .map(|(_, cost)| cost)
        .min()
}

/// Return all states of a small game.
pub(crate) fn all_states(game: &Game) -> Vec<State> {
    let mut states = vec![Vec::new()];
    for i in 0..game.n_variables() {
        let size = game.domain_of(VarId::from_index(i)).size() as u32;
        states = states
            .into_iter()
            .flat_map(|state: Vec<Value>| {
                (0..size).map(move |value| state.iter().copied().chain([Value(value)]).collect())
            })
            .collect();
    }
    states.into_iter().map(State::new).collect()
}

/// A random game over two domains: repeated symbols, dashes, constants, unbound symbols, two goals.
/// `sizes` are the sizes of the domains.
pub(crate) fn random_game(
    sizes: [usize; 2],
    n_variables: impl Into<prop::collection::SizeRange>,
    n_rules: impl Into<prop::collection::SizeRange>,
) -> impl Strategy<Value = Game> {
    let variables = prop::collection::vec(0..2_usize, n_variables);
    let n_rules = n_rules.into();
    variables.prop_flat_map(move |variables| {
        let side = prop::collection::vec((0..10_u8, any::<u16>()), variables.len());
        let rule = (side.clone(), side.clone(), 0..4_u64);
        let parts = (
            prop::collection::vec(rule, n_rules.clone()),
            prop::collection::vec(side, 1..3),
        );
        parts.prop_map(move |(rules, goals)| {
            let cells =
                |side: &[(u8, u16)], allow_unbound: &dyn Fn(SymbolId, u16) -> bool| -> Vec<Cell> {
                    let cell = |((kind, number), domain): (&(u8, u16), &usize)| {
                        let symbol = SymbolId(*domain as u32 * 4 + u32::from(number % 3));
                        match kind {
                            0..3 => Cell::DASH,
                            3..7 => constant(u32::from(*number) % sizes[*domain] as u32),
                            _ if allow_unbound(symbol, *number) => Cell::symbol(symbol),
                            _ => Cell::DASH,
                        }
                    };
                    side.iter().zip(&variables).map(cell).collect()
                };
            let mut builder = GameBuilder::new();
            let domains = sizes.map(|size| domain(&mut builder, size));
            for index in &variables {
                builder.variable(domains[*index]);
            }
            for (lhs, rhs, cost) in &rules {
                let lhs = cells(lhs, &|_, _| true);
                let bound = |symbol| lhs.iter().any(|cell| cell.kind == CellKind::Symbol(symbol));
                let small = sizes[0].max(sizes[1]) < 10;
                let rhs = cells(rhs, &|symbol, number| {
                    bound(symbol) || (small && number % 16 == 0)
                });
                builder.rule(None, lhs, rhs, *cost);
            }
            for goal in &goals {
                builder.goal(cells(goal, &|_, _| true));
            }
            builder.build().unwrap()
        })
    })
}
