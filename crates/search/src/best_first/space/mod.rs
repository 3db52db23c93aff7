//! The state space of a game, for the searches with duplicate detection.

pub(crate) mod goal_states;
mod groups;
pub(crate) mod images;
pub(crate) mod moves;
pub(crate) mod packed;
pub(crate) mod packed_states;

use std::iter::zip;

use psvn_ir::{Game, RuleId, State, VarId, common_divisor};

use crate::best_first::space::moves::{Moves, Scratch};
use crate::best_first::space::packed::{Group, Packing};
use crate::game::compiled::{StateMismatch, check_state};

/// Paths are traced back by backward moves if states have at most this many predecessors.
const MOST_PREDECESSORS: u128 = 1 << 14;

/// The tests of a goal: positions with constants, and pairs of positions with equal values.
#[derive(Clone, Debug)]
struct GoalTests {
    constants: Vec<(usize, u32)>,
    equalities: Vec<(usize, usize)>,
    /// The tests against constants, for packed states.
    mask: Vec<u64>,
    value: Vec<u64>,
    /// The tests against constants that can't be made by comparing bits.
    others: Vec<(usize, u32)>,
}

/// A game compiled for searches that keep states packed.
#[derive(Clone, Debug)]
pub(crate) struct Space {
    pub(crate) domain_sizes: Box<[usize]>,
    pub(crate) packing: Packing,
    pub(crate) forward: Moves,
    pub(crate) backward: Moves,
    goals: Vec<GoalTests>,
    pub(crate) costs: Box<[u64]>,
    /// The greatest number that divides the costs of all rules; 1 if they all cost nothing.
    pub(crate) cost_unit: u64,
}

impl Space {
    /// Compile a game. Variables of a group are packed together where all rules allow it.
    pub(crate) fn new(game: &Game, groups: &[Group]) -> Self {
        let domain_sizes: Box<[usize]> = (0..game.n_variables())
            .map(|i| game.domain_of(VarId::from_index(i)).size())
            .collect();
        let groups = groups::chosen(game, groups);
        let packing = Packing::new(&domain_sizes, &groups);
        let rules = || game.rules().iter().map(|rule| &rule.canonical);
        let goals = game.goals().iter().map(|goal| {
            let mut tests = GoalTests {
                constants: Vec::new(),
                equalities: Vec::new(),
                mask: vec![0; packing.n_words()],
                value: vec![0; packing.n_words()],
                others: Vec::new(),
            };
            for (position, term) in goal.conditions().iter().enumerate() {
                if let Some(value) = term.as_constant() {
                    tests.constants.push((position, value.0));
                    let Some(bits) = packing.bits_for(position, value.0) else {
                        tests.others.push((position, value.0));
                        continue;
                    };
                    // Two facts of a group never hold together, so the test must fail.
                    if packing.field(position).read(&tests.mask) != 0 {
                        tests.others.push((position, value.0));
                        continue;
                    }
                    packing.flip(&mut tests.mask, position, packing.field(position).ones());
                    packing.flip(&mut tests.value, position, bits);
                } else if let Some(var) = term.as_variable().filter(|var| var.index() != position) {
                    tests.equalities.push((position, var.index()));
                }
            }
            tests
        });
        let costs: Box<[u64]> = rules().map(psvn_ir::CanonicalRule::cost).collect();
        Self {
            forward: Moves::forward(rules(), &domain_sizes, &packing),
            backward: Moves::backward(rules(), &domain_sizes, &packing),
            goals: goals.collect(),
            packing,
            cost_unit: common_divisor(costs.iter().copied()).max(1),
            costs,
            domain_sizes,
        }
    }

    /// Return the number of variables.
    pub(crate) fn n_variables(&self) -> usize {
        self.domain_sizes.len()
    }

    /// Return the cost of a rule.
    #[inline]
    pub(crate) fn cost(&self, rule: u32) -> u64 {
        self.costs[rule as usize]
    }

    /// Return the least cost of a rule; 0 without rules.
    pub(crate) fn least_cost(&self) -> u64 {
        self.costs.iter().copied().min().unwrap_or(0)
    }

    /// Return whether the parents of stored states can be found by backward moves, quickly and
    /// without cycles: moves cost something (as they do when moves are counted), and states don't
    /// have too many predecessors.
    pub(crate) fn parents_can_be_found(&self, moves_cost: bool) -> bool {
        moves_cost && self.backward.most_by_all <= MOST_PREDECESSORS
    }

    /// Return whether exactly one fact of each group holds in a state.
    pub(crate) fn admits(&self, state: &State) -> bool {
        let values: Vec<u32> = state.values().iter().map(|value| value.0).collect();
        values.len() == self.n_variables() && self.packing.admits(&values)
    }

    /// Pack a state, or return an error if it isn't a state of this game.
    pub(crate) fn pack(&self, state: &State) -> Result<Vec<u64>, StateMismatch> {
        check_state(self.domain_sizes.iter().copied(), state.values())?;
        let mut packed = vec![0; self.packing.n_words()];
        self.packing
            .pack(state.values().iter().map(|value| value.0), &mut packed);
        Ok(packed)
    }

    /// Make the buffers for expanding states in both directions.
    pub(crate) fn scratch(&self, moves: &Moves) -> Scratch {
        moves.scratch(&self.packing, self.n_variables())
    }

    /// Put a state into a scratch.
    #[inline]
    pub(crate) fn load(&self, state: &[u64], scratch: &mut Scratch) {
        scratch.packed.copy_from_slice(state);
        self.packing.unpack(state, &mut scratch.row);
    }

    /// Return whether a state satisfies one of the goal conditions.
    #[inline]
    pub(crate) fn is_goal(&self, row: &[u32]) -> bool {
        self.goals.iter().any(|goal| {
            goal.constants.iter().all(|(i, value)| row[*i] == *value)
                && goal.equalities.iter().all(|(i, j)| row[*i] == row[*j])
        })
    }

    /// Return whether a packed state satisfies one of the goal conditions.
    #[inline]
    pub(crate) fn is_packed_goal(&self, state: &[u64]) -> bool {
        self.goals.iter().any(|goal| {
            let mut words = zip(state, &goal.mask).zip(&goal.value);
            let mut others = goal.others.iter();
            words.all(|((word, mask), value)| word & mask == *value)
                && others.all(|(i, value)| self.packing.value(state, *i) == *value)
                && goal
                    .equalities
                    .iter()
                    .all(|(i, j)| self.packing.value(state, *i) == self.packing.value(state, *j))
        })
    }

    /// Return the sum of the costs of rules.
    pub(crate) fn cost_of(&self, moves: &[RuleId]) -> u128 {
        moves.iter().map(|rule| u128::from(self.cost(rule.0))).sum()
    }
}
