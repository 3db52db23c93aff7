//! A slow and simple oracle: distances by the meaning of the rules, over tables of states.

use std::collections::{BTreeSet, HashMap};

use psvn_ir::{Domain, Game, GameBuilder, RuleId, State, Value};
use search::{
    BestFirstCounts, Cell, CompiledGame, DEAD_END, Heuristic, Outcome, Run, Searcher, Solution,
    SolveReport, replay,
};

pub(crate) fn load(text: &str) -> Game {
    let loaded = psvn_ir::load(text);
    let diagnostics = loaded.diagnostics;
    loaded.game.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

pub(crate) fn generated(reference: &str) -> Game {
    load(&domains::generate_reference(reference).unwrap())
}

/// Return a run of a new searcher, without a machine.
pub(crate) fn run<'p>(game: &Game) -> Run<'p> {
    Searcher::builder(&CompiledGame::new(game)).build().run()
}

/// Return the counts of the states that a search stored.
pub(crate) fn counts(report: &SolveReport) -> &BestFirstCounts {
    report.best_first.as_ref().unwrap()
}

pub(crate) fn state(values: impl IntoIterator<Item = u32>) -> State {
    State::new(values.into_iter().map(Value).collect::<Box<[Value]>>())
}

/// Build a game of moves of single variables, with costs beyond what text can hold: each move takes
/// a position from one value to another at a cost.
pub(crate) fn places(
    size: u32,
    n_variables: usize,
    moves: impl IntoIterator<Item = (usize, u32, u32, u64)>,
    goal: u32,
) -> Game {
    let mut builder = GameBuilder::new();
    let names = (0..size).map(|value| value.to_string());
    let place = builder.domain(Domain::new("place", names).unwrap());
    for _ in 0..n_variables {
        builder.variable(place);
    }
    for (position, from, to, cost) in moves {
        let side = |value| {
            let mut side = vec![psvn_ir::Cell::DASH; n_variables];
            side[position] = psvn_ir::Cell::constant(Value(value));
            side
        };
        builder.rule(None, side(from), side(to), cost);
    }
    builder.goal(vec![psvn_ir::Cell::constant(Value(goal)); n_variables]);
    builder.build().unwrap()
}

/// Return the least cost of a path from any of the roots to each reachable state, by Dijkstra's
/// algorithm on a set; `next` gives the edges of a state.
fn distances(
    roots: impl IntoIterator<Item = State>,
    mut next: impl FnMut(&State) -> Vec<(State, u128)>,
) -> HashMap<State, u128> {
    let mut queue: BTreeSet<(u128, State)> = roots.into_iter().map(|root| (0, root)).collect();
    let mut known: HashMap<State, u128> = queue.iter().map(|(d, s)| (s.clone(), *d)).collect();
    while let Some((distance, state)) = queue.pop_first() {
        if known[&state] < distance {
            continue;
        }
        for (other, cost) in next(&state) {
            let total = distance + cost;
            if known.get(&other).is_none_or(|known| *known > total) {
                known.insert(other.clone(), total);
                queue.insert((total, other));
            }
        }
    }
    known
}

fn edges<'g>(game: &'g Game, state: &'g State) -> impl Iterator<Item = (State, u128)> + 'g {
    let rules = game.rules().iter().map(|rule| &rule.canonical);
    let applicable = rules.filter(|rule| rule.applies_to(state.values()));
    applicable.map(|rule| {
        let child = State::new(rule.apply(state.values()));
        (child, u128::from(rule.cost()))
    })
}

/// Return least costs from a start, or least numbers of moves.
pub(crate) fn from_start(game: &Game, start: &State, moves: bool) -> HashMap<State, u128> {
    distances([start.clone()], |state| {
        let edges = edges(game, state);
        edges
            .map(|(child, cost)| (child, if moves { 1 } else { cost }))
            .collect()
    })
}

/// Return least costs to a goal from each of these states, which must include every successor.
pub(crate) fn to_goal(game: &Game, states: &[State], moves: bool) -> HashMap<State, u128> {
    let mut before: HashMap<State, Vec<(State, u128)>> = HashMap::new();
    for state in states {
        for (child, cost) in edges(game, state) {
            let cost = if moves { 1 } else { cost };
            before.entry(child).or_default().push((state.clone(), cost));
        }
    }
    let goals = states.iter().filter(|state| game.is_goal(state.values()));
    distances(goals.cloned(), |state| {
        before.get(state).cloned().unwrap_or_default()
    })
}

/// Check that a solution is valid, and return its cost and length.
pub(crate) fn checked(game: &Game, start: &State, solution: &Solution) -> (u128, u128) {
    let end = replay(game, start, &solution.moves).unwrap();
    assert!(game.is_goal(end.values()));
    let cost = |id: &RuleId| u128::from(game.rule(*id).canonical.cost());
    let cost = solution.moves.iter().map(cost).sum::<u128>();
    assert_eq!(cost, solution.cost);
    (cost, solution.length() as u128)
}

/// Return the cost and the length of the report's solution; `None` if it says that there is none.
pub(crate) fn answer(game: &Game, start: &State, report: &SolveReport) -> Option<(u128, u128)> {
    match &report.outcome {
        Outcome::Solved(solution) => Some(checked(game, start, solution)),
        Outcome::NoSolution => None,
        other => panic!("{other:?}"),
    }
}

/// An admissible heuristic from a table of true costs: the part of the true cost varies irregularly
/// from state to state, so it is as inconsistent as possible. States that aren't in the table are
/// dead ends.
pub(crate) struct Erratic {
    pub(crate) table: HashMap<State, u128>,
    pub(crate) seed: u64,
    /// The least and the greatest part in percent.
    pub(crate) percent: [u64; 2],
}

impl Erratic {
    fn part(&self, state: &State) -> u64 {
        let mut mixed = self.seed;
        for value in state.values() {
            mixed = (mixed ^ u64::from(value.0)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            mixed ^= mixed >> 29;
        }
        let [least, most] = self.percent;
        least + mixed % (most - least + 1)
    }
}

impl Heuristic for Erratic {
    fn estimate(&self, cells: &[u32]) -> u64 {
        let state = State::new(cells.iter().map(|cell| cell.value()).collect::<Box<[_]>>());
        match self.table.get(&state) {
            None => DEAD_END,
            Some(cost) => (cost * u128::from(self.part(&state)) / 100) as u64,
        }
    }
}
