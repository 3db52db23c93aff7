//! Invariants against all reachable states, on generated, random and hand-made games.

mod arrangements;
mod expected;
mod oracle;
mod parity;
mod text;

use std::collections::{HashSet, VecDeque};

use psvn_ir::testing::{GameShape, SplitMix64, random_game};
use psvn_ir::{Game, State, Term, TermKind, Value, VarId};

/// Small games of every generator.
const GENERATED: &[&str] = &[
    "arrow:5",
    "blocks:2",
    "blocks:3",
    "ghi",
    "grid:3:3",
    "gripper:2",
    "hanoi:3:3",
    "hanoi:4:2",
    "pancake:5",
    "rubik:2:fixed",
    "slide-jump:2",
    "sliding-tiles:2:3",
    "sliding-tiles:3:3",
    "topspin:6:3",
    "topspin:7:4",
    "work-or-golf",
];

fn load(text: &str) -> Game {
    let loaded = psvn_ir::load(text);
    loaded
        .game
        .unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

fn generated(reference: &str) -> Game {
    load(&domains::generate_reference(reference).expect("a generator"))
}

/// Random games of several shapes: lossy and faithful, with one domain and with two.
fn random_games() -> impl Iterator<Item = Game> {
    (0..600).map(|seed| {
        let default = GameShape::default();
        let shape = match seed % 4 {
            0 => default,
            1 => GameShape {
                lost_values: false,
                ..default
            },
            2 => GameShape {
                lost_values: false,
                several_domains: true,
                n_rules: 1..=3,
                n_variables: 3..=5,
                ..default
            },
            _ => GameShape {
                n_rules: 1..=3,
                constants: 60,
                ..default
            },
        };
        random_game(seed, &shape)
    })
}

/// The states of a goal condition, or the first few hundred of them.
fn goal_states(game: &Game) -> Vec<State> {
    let mut found = Vec::new();
    for goal in game.goals() {
        let mut partial: Vec<Vec<Value>> = vec![Vec::new()];
        for (i, term) in goal.conditions().iter().enumerate() {
            let size = game.domain_of(VarId::from_index(i)).size();
            partial = partial
                .into_iter()
                .flat_map(|state| {
                    let values: Vec<Value> = match term.kind() {
                        TermKind::Constant(value) => vec![value],
                        TermKind::Variable(var) if var.index() < i => vec![state[var.index()]],
                        TermKind::Variable(_) => (0..size).map(Value::from_index).collect(),
                    };
                    values
                        .into_iter()
                        .map(move |value| [state.as_slice(), &[value]].concat())
                })
                .take(300)
                .collect();
        }
        found.extend(partial.into_iter().map(State::new));
    }
    found
}

/// The reachable states, up to a number.
fn reachable(game: &Game, starts: &[State], limit: usize) -> Vec<State> {
    let mut seen: HashSet<State> = starts.iter().cloned().collect();
    let mut queue: VecDeque<State> = starts.iter().cloned().collect();
    let mut states = Vec::new();
    while let Some(state) = queue.pop_front() {
        for rule in game.rules() {
            if seen.len() < limit && rule.canonical.applies_to(state.values()) {
                let next = State::new(rule.canonical.apply(state.values()));
                if seen.insert(next.clone()) {
                    queue.push_back(next);
                }
            }
        }
        states.push(state);
    }
    states
}

/// A random vector in canonical form: constants, new unknowns, and repeated ones.
fn random_pattern(game: &Game, random: &mut SplitMix64) -> Vec<Term> {
    let constants = [10, 40, 70][random.below(3)];
    let mut pattern: Vec<Term> = Vec::new();
    for i in 0..game.n_variables() {
        let domain = game.variables()[i];
        let earlier: Vec<Term> = (0..i)
            .filter(|k| game.variables()[*k] == domain && pattern[*k].is_own_variable(*k))
            .map(|k| pattern[k])
            .collect();
        pattern.push(if random.chance(constants) {
            Term::constant(Value::from_index(random.below(game.domain(domain).size())))
        } else if !earlier.is_empty() && random.chance(30) {
            earlier[random.below(earlier.len())]
        } else {
            Term::variable(VarId::from_index(i))
        });
    }
    pattern
}

fn matches(pattern: &[Term], state: &State) -> bool {
    let values = state.values();
    pattern
        .iter()
        .zip(values)
        .all(|(term, value)| match term.kind() {
            TermKind::Constant(constant) => *value == constant,
            TermKind::Variable(var) => *value == values[var.index()],
        })
}
