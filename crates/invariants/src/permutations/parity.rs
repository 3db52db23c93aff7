//! Parity: why half of the arrangements of a sliding-tile puzzle can't be reached (Johnson & Story
//! 1879).
//!
//! If rules only move values between positions, a state with different values everywhere is a
//! permutation of its values, and each rule multiplies it by a permutation of the positions, which
//! is even or odd. If all are even, so is the effect of every plan. In general one value is a
//! *marker*, such as the blank. Suppose that the positions can be colored with two colors so that
//! each odd rule moves the marker to the other color and each even one to the same color. Then
//! permutation and color change together or not at all.

use psvn_ir::{Game, State, Value};

use super::shuffle::{Shuffle, is_odd};

/// A quantity, 0 or 1, that no rule changes, for states whose values are all different.
///
/// ```
/// let game = psvn_ir::load("
///     3  3 3 3
///     0 A - => A 0 -   A 0 - => 0 A -
///     - 0 A => - A 0   - A 0 => - 0 A
///     GOAL 0 1 2
/// ").game.expect("a game without errors");
/// let parity = invariants::Parity::find(&game).expect("tiles slide");
/// let goal = game.goal_state().expect("a goal state");
/// let swapped = game.parse_state("0 2 1")?;
/// assert_eq!(parity.separates(&swapped, &goal), Some(true));
/// assert_eq!(parity.separates(&game.parse_state("1 2 0")?, &goal), Some(false));
/// # Ok::<(), psvn_ir::StateError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parity {
    n_values: usize,
    /// The marker, with the color of each position; `None` if all rules are even.
    marker: Option<(Value, Vec<bool>)>,
}

impl Parity {
    /// Find a parity: without a marker, or with one of the values that rules name.
    ///
    /// `None` if variables have different domains, rules do more than move values, or no coloring
    /// fits. Takes time linear in the size of the rules, for each value that they name.
    pub fn find(game: &Game) -> Option<Self> {
        let domain = game.variables().first()?;
        if game.variables().iter().any(|other| other != domain) {
            return None;
        }
        let shuffles: Vec<Shuffle> = game
            .rules()
            .iter()
            .map(|rule| Shuffle::of(&rule.canonical))
            .collect::<Option<_>>()?;
        let n_values = game.domain(*domain).size();
        if shuffles.iter().all(|shuffle| !shuffle.is_odd) {
            return Some(Self {
                n_values,
                marker: None,
            });
        }
        let mut named: Vec<Value> = shuffles
            .iter()
            .flat_map(|shuffle| shuffle.tested.iter().flatten().copied())
            .collect();
        named.sort_unstable();
        named.dedup();
        let colored = |marker: Value| Some((marker, color(&shuffles, game.n_variables(), marker)?));
        let marker = named.into_iter().find_map(colored)?;
        Some(Self {
            n_values,
            marker: Some(marker),
        })
    }

    /// Return the marker; `None` if all rules are even.
    pub fn marker(&self) -> Option<Value> {
        self.marker.as_ref().map(|(value, _)| *value)
    }

    /// Return whether the parity proves that neither state can be reached from the other.
    /// `None` if it doesn't apply: values are repeated, or the states have different values.
    pub fn separates(&self, one: &State, other: &State) -> Option<bool> {
        let mut place = vec![None; self.n_values];
        for (position, value) in other.values().iter().enumerate() {
            if place[value.index()].replace(position).is_some() {
                return None;
            }
        }
        let from: Vec<usize> = one
            .values()
            .iter()
            .map(|value| place[value.index()].take())
            .collect::<Option<_>>()?;
        let mut differ = is_odd(&from);
        if let Some((marker, colors)) = &self.marker {
            let color = |state: &State| {
                let at = state.values().iter().position(|value| value == marker)?;
                Some(colors[at])
            };
            differ ^= color(one)? ^ color(other)?;
        }
        Some(differ)
    }
}

/// Color the positions so that a rule moves the marker to the other color exactly if it is odd.
fn color(shuffles: &[Shuffle], n: usize, marker: Value) -> Option<Vec<bool>> {
    // For each position, the positions that must have its color, or the other.
    let mut neighbors: Vec<Vec<(usize, bool)>> = vec![Vec::new(); n];
    for shuffle in shuffles {
        let tested = shuffle
            .tested
            .iter()
            .position(|value| *value == Some(marker));
        for (to, from) in shuffle.from.iter().enumerate() {
            // The marker is where the rule tests for it, or else at any position where no other
            // value is required.
            let possible = match tested {
                Some(place) => *from == place,
                None => shuffle.tested[*from].is_none(),
            };
            if possible {
                neighbors[*from].push((to, shuffle.is_odd));
                neighbors[to].push((*from, shuffle.is_odd));
            }
        }
    }
    let mut colors: Vec<Option<bool>> = vec![None; n];
    // A position that the marker can't reach has no color. Parity then proves nothing.
    let mut open = vec![0];
    colors[0] = Some(false);
    while let Some(position) = open.pop() {
        for (other, differs) in &neighbors[position] {
            let wanted = colors[position].map(|color| color ^ differs);
            match colors[*other] {
                None => {
                    colors[*other] = wanted;
                    open.push(*other);
                }
                known if known != wanted => return None,
                _ => {}
            }
        }
    }
    colors.into_iter().collect()
}
