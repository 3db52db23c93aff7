//! The states that satisfy a game's goal conditions.

use psvn_ir::{DisjointSets, Game, State, Term, Value, VarId};

/// The maximum number of goal states that a backward search begins with.
pub const GOAL_LIMIT: usize = 1 << 20;

/// Decides which goal states count.
pub(crate) type GoalFilter<'a> = dyn Fn(&State) -> bool + 'a;

/// The maximum number of sets of conditions that inclusion and exclusion goes through.
const MOST_TERMS: usize = 1 << 16;

/// An iterator over all goal states of a game, each one once, made one at a time.
///
/// The goal states come in the order of the goal conditions, and within a condition with the last
/// free variable varying fastest. They need not be reachable; use [`Iterator::filter`] to keep
/// those that satisfy invariants of the game, for example.
///
/// ```
/// use search::GoalStates;
///
/// let game = psvn_ir::load("
///     3  2 2 3
///     0 A - => A 0 -
///     GOAL 0 - 2
///     GOAL A A -
/// ").game.expect("a game without errors");
/// let states: Vec<String> =
///     GoalStates::of(&game).map(|state| game.format_state(state.values())).collect();
/// assert_eq!(states, ["0 0 2", "0 1 2", "0 0 0", "0 0 1", "1 1 0", "1 1 1", "1 1 2"]);
/// assert_eq!(GoalStates::count_all(&game), Some(7));
/// ```
#[derive(Clone, Debug)]
pub struct GoalStates<'g> {
    game: &'g Game,
    domain_sizes: Vec<usize>,
    /// The index of the current condition.
    goal: usize,
    /// The next state of the current condition, or `None` at its beginning.
    next: Option<Vec<Value>>,
}

fn domain_sizes(game: &Game) -> Vec<usize> {
    (0..game.n_variables())
        .map(|i| game.domain_of(VarId::from_index(i)).size())
        .collect()
}

impl<'g> GoalStates<'g> {
    /// Iterate over the goal states of a game; there are none if it has no goal conditions.
    pub fn of(game: &'g Game) -> Self {
        Self {
            game,
            domain_sizes: domain_sizes(game),
            goal: 0,
            next: None,
        }
    }

    /// Count the goal states without making them. Return `None` if too many conditions overlap for
    /// a quick count, or if the number has more than 127 bits.
    pub fn count_all(game: &Game) -> Option<u128> {
        let goals: Vec<&[Term]> = game.goals().iter().map(psvn_ir::Goal::conditions).collect();
        let mut counter = Counter {
            domain_sizes: domain_sizes(game),
            goals,
            terms: 0,
        };
        let nothing: Vec<Term> = (0..game.n_variables())
            .map(|i| Term::variable(VarId::from_index(i)))
            .collect();
        let all = counter.union_within(&nothing, 0)?;
        u128::try_from(all).ok()
    }

    /// Return whether the current condition leaves a position free.
    fn is_free(&self, position: usize) -> bool {
        self.game.goals()[self.goal].conditions()[position].is_own_variable(position)
    }

    /// Set each position that is tied to another one, or to a constant, to its value.
    fn complete(&self, values: &mut [Value]) {
        for (position, term) in self.game.goals()[self.goal].conditions().iter().enumerate() {
            if let Some(constant) = term.as_constant() {
                values[position] = constant;
            } else if let Some(var) = term.as_variable() {
                // The term names this position or an earlier one.
                values[position] = values[var.index()];
            }
        }
    }

    /// Return the next state of the same condition.
    fn successor(&self, values: &[Value]) -> Option<Vec<Value>> {
        let mut values = values.to_vec();
        for position in (0..values.len()).rev().filter(|i| self.is_free(*i)) {
            if values[position].index() + 1 < self.domain_sizes[position] {
                values[position].0 += 1;
                self.complete(&mut values);
                return Some(values);
            }
            values[position] = Value(0);
        }
        None
    }
}

impl Iterator for GoalStates<'_> {
    type Item = State;

    fn next(&mut self) -> Option<State> {
        while self.goal < self.game.goals().len() {
            let values = self.next.take().unwrap_or_else(|| {
                let mut first = vec![Value(0); self.domain_sizes.len()];
                self.complete(&mut first);
                first
            });
            self.next = self.successor(&values);
            let earlier = &self.game.goals()[..self.goal];
            let is_new = !earlier.iter().any(|goal| goal.holds_in(&values));
            if self.next.is_none() {
                self.goal += 1;
            }
            if is_new {
                return Some(State::new(values));
            }
        }
        None
    }
}

/// Counts unions of conditions by inclusion and exclusion.
struct Counter<'g> {
    domain_sizes: Vec<usize>,
    goals: Vec<&'g [Term]>,
    terms: usize,
}

impl Counter<'_> {
    /// Return the number of states that satisfy `within` and some goal from number `first` on.
    ///
    /// |A1 or A2 or ...| = |A1| + |A2 or ...| - |A1 and (A2 or ...)|, unrolled.
    fn union_within(&mut self, within: &[Term], first: usize) -> Option<i128> {
        let mut sum = 0_i128;
        for goal in first..self.goals.len() {
            self.terms += 1;
            if self.terms > MOST_TERMS {
                return None;
            }
            let Some(both) = intersection(within, self.goals[goal]) else {
                continue;
            };
            let overlap = self.union_within(&both, goal + 1)?;
            sum = sum.checked_add(self.size(&both)?.checked_sub(overlap)?)?;
        }
        Some(sum)
    }

    fn size(&self, conditions: &[Term]) -> Option<i128> {
        let free = conditions
            .iter()
            .enumerate()
            .filter(|(position, term)| term.is_own_variable(*position));
        free.map(|(position, _)| self.domain_sizes[position] as i128)
            .try_fold(1_i128, i128::checked_mul)
    }
}

/// Return the condition that both conditions hold, in canonical form; `None` if no state satisfies
/// both.
fn intersection(a: &[Term], b: &[Term]) -> Option<Vec<Term>> {
    let n = a.len();
    let mut classes = DisjointSets::new(n);
    for (position, term) in a.iter().enumerate().chain(b.iter().enumerate()) {
        if let Some(var) = term.as_variable() {
            classes.join(position, var.index());
        }
    }
    let mut constant: Vec<Option<Value>> = vec![None; n];
    for (position, term) in a.iter().enumerate().chain(b.iter().enumerate()) {
        if let Some(value) = term.as_constant() {
            let class = classes.root(position);
            if *constant[class].get_or_insert(value) != value {
                return None;
            }
        }
    }
    let mut term = |position| {
        let class = classes.root(position);
        match constant[class] {
            Some(value) => Term::constant(value),
            None => Term::variable(VarId::from_index(class)),
        }
    };
    Some((0..n).map(&mut term).collect())
}
