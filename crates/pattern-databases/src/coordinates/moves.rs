//! The moves of a game whose rules only permute positions, its symmetries, and states as
//! permutations.

use std::collections::{BTreeSet, HashMap};

use abstraction::{PieceSystem, Symmetry};
use psvn_ir::{DisjointSets, Game, Value};

use crate::progress::BuildError;

/// The maximum number of symmetries that are used.
const MOST_SYMMETRIES: usize = 128;
/// The maximum number of positions, and of rules.
const MOST_POSITIONS: usize = 1 << 12;
const MOST_RULES: usize = 1 << 10;

/// A symmetry: a map of positions that maps moves to moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Image {
    /// By position: its image.
    pub(super) positions: Vec<usize>,
    /// By rule: its image.
    pub(super) rules: Vec<usize>,
}

/// Positions that rules exchange, in blocks that move as wholes.
#[derive(Clone, Debug)]
pub(super) struct Orbit {
    /// All positions, ascending.
    pub(super) positions: Vec<usize>,
    /// The positions of each block; single ones if no positions move together.
    pub(super) blocks: Vec<Vec<usize>>,
}

impl Orbit {
    /// Return whether its blocks have several positions.
    pub(super) fn has_pieces(&self) -> bool {
        self.blocks.iter().any(|block| block.len() > 1)
    }
}

/// The moves of a game.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    pub(super) n_positions: usize,
    /// By rule: where the value of each position goes.
    pub(super) permutations: Vec<Vec<usize>>,
    /// The cost of each rule.
    pub(super) unit: u64,
    /// The symmetries, with the identity first.
    pub(super) images: Vec<Image>,
    pub(super) orbits: Vec<Orbit>,
    /// By position: its value in the goal.
    goal: Vec<Value>,
}

fn refuse<T>(why: &'static str) -> Result<T, BuildError> {
    Err(BuildError::NoCoordinates(why))
}

impl Moves {
    /// Examine a game.
    ///
    /// # Errors
    /// If rules do more than permute positions, cost different amounts, or can't be undone, or the
    /// goal is not one state in which each piece can be told apart.
    pub(super) fn of(game: &Game) -> Result<Self, BuildError> {
        let Some(goal) = game.goal_state() else {
            return refuse("the goal must be one state");
        };
        let n_positions = game.n_variables();
        if n_positions > MOST_POSITIONS || game.rules().len() > MOST_RULES {
            return refuse("it has too many variables or rules");
        }
        let Some(system) = PieceSystem::find(game) else {
            return refuse("its rules must only move values");
        };
        let permutations = system.permutations().to_vec();
        let mut costs = game.rules().iter().map(|rule| rule.canonical.cost());
        let unit = costs.next().unwrap_or(0);
        if unit == 0 || costs.any(|cost| cost != unit) {
            return refuse("its rules must have equal costs above 0");
        }
        let mut numbers = HashMap::new();
        for (rule, permutation) in permutations.iter().enumerate() {
            numbers.entry(permutation.clone()).or_insert(rule);
        }
        if !permutations
            .iter()
            .all(|it| numbers.contains_key(&inverse(it)))
        {
            return refuse("each rule must be undone by a rule");
        }
        let image = |positions: Vec<usize>| {
            let rules = permutations.iter().map(|permutation| {
                let mut there = vec![0; n_positions];
                for (from, to) in permutation.iter().enumerate() {
                    there[positions[from]] = positions[*to];
                }
                numbers.get(&there).copied()
            });
            let rules = rules.collect::<Option<_>>()?;
            Some(Image { positions, rules })
        };
        let mut images: Vec<Image> = image((0..n_positions).collect()).into_iter().collect();
        for symmetry in Symmetry::group(game, MOST_SYMMETRIES).unwrap_or_default() {
            let to = |i| symmetry.variable(psvn_ir::VarId::from_index(i)).index();
            let image = image((0..n_positions).map(to).collect());
            images.extend(image.filter(|it| !images.contains(it)));
        }
        let moves = Self {
            n_positions,
            orbits: orbits(n_positions, &permutations, &system),
            permutations,
            unit,
            images,
            goal: goal.values().to_vec(),
        };
        let distinct = |orbit: &Orbit| {
            let contents = orbit.blocks.iter().map(|it| moves.content(it));
            let contents: BTreeSet<Vec<Value>> = contents.collect();
            contents.len() == orbit.blocks.len()
                && contents
                    .iter()
                    .all(|it| it.windows(2).all(|pair| pair[0] != pair[1]))
        };
        if moves.orbits.iter().all(distinct) {
            Ok(moves)
        } else {
            refuse("each piece must look different from the others in the goal")
        }
    }

    /// Return the value of a position in the goal.
    pub(super) fn goal_value(&self, position: usize) -> Value {
        self.goal[position]
    }

    /// Return the goal's values at these positions, ascending.
    fn content(&self, positions: &[usize]) -> Vec<Value> {
        let mut content: Vec<Value> = positions.iter().map(|i| self.goal[*i]).collect();
        content.sort_unstable();
        content
    }

    /// Return, by position, the home of its content: the content's position in the goal. `None` if
    /// the state isn't an arrangement of the goal's pieces. Positions that no rule changes are
    /// assumed to be as in the goal.
    pub(super) fn homes(&self, state: &[Value]) -> Option<Vec<usize>> {
        let mut homes: Vec<usize> = (0..self.n_positions).collect();
        for orbit in &self.orbits {
            for place in &orbit.blocks {
                let mut there: Vec<Value> = place.iter().map(|i| state[*i]).collect();
                there.sort_unstable();
                let home = orbit.blocks.iter().find(|it| self.content(it) == there)?;
                for i in place {
                    homes[*i] = *home.iter().find(|home| self.goal[**home] == state[*i])?;
                }
            }
        }
        Some(homes)
    }
}

/// Return the permutation that undoes one.
pub(super) fn inverse(permutation: &[usize]) -> Vec<usize> {
    let mut inverse = vec![0; permutation.len()];
    for (from, to) in permutation.iter().enumerate() {
        inverse[*to] = from;
    }
    inverse
}

/// Return, by position, the number of its class of positions that permutations exchange. Classes
/// are numbered in the order of their first positions.
pub(super) fn orbit_numbers<'p>(
    n: usize,
    permutations: impl IntoIterator<Item = &'p Vec<usize>>,
) -> Vec<usize> {
    let mut union = DisjointSets::new(n);
    for permutation in permutations {
        for (from, to) in permutation.iter().enumerate() {
            union.join(from, *to);
        }
    }
    let mut numbers = HashMap::new();
    let number = |i: usize| {
        let next = numbers.len();
        *numbers.entry(union.root(i)).or_insert(next)
    };
    (0..n).map(number).collect()
}

/// Return the positions that move, by orbit.
fn orbits(n: usize, permutations: &[Vec<usize>], system: &PieceSystem) -> Vec<Orbit> {
    let numbers = orbit_numbers(n, permutations);
    let n_orbits = numbers.iter().max().map_or(0, |most| most + 1);
    let mut orbits: Vec<Orbit> = Vec::new();
    for number in 0..n_orbits {
        let positions: Vec<usize> = (0..n).filter(|i| numbers[*i] == number).collect();
        if positions.len() < 2 {
            continue;
        }
        let pieces = system.orbits().iter().find(|orbit| {
            orbit
                .blocks
                .iter()
                .flatten()
                .any(|var| var.index() == positions[0])
        });
        let blocks = match pieces {
            Some(orbit) => {
                let block =
                    |block: &Vec<psvn_ir::VarId>| block.iter().map(|var| var.index()).collect();
                orbit.blocks.iter().map(block).collect()
            }
            None => positions.iter().map(|i| vec![*i]).collect(),
        };
        orbits.push(Orbit { positions, blocks });
    }
    orbits
}
