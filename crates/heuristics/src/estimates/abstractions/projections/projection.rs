//! One projection.

use invariants::{Invariants, Scratch};
use psvn_ir::{Game, Term, Value, VarId};

use crate::effort::Effort;
use crate::estimates::abstractions::cost_partitioning::summed::Abstraction;
use crate::estimates::abstractions::cost_partitioning::transition_system::TransitionSystem;
use crate::estimates::abstractions::operators::{After, Before, Operator, Operators};
use crate::refusal::Refusal;
use crate::structure::goal_facts::GoalFacts;

/// A variable of a pattern, and what its values count in the numbers of abstract states.
#[derive(Clone, Copy, Debug)]
struct Digit {
    var: u32,
    size: u32,
    factor: u32,
}

/// The variables of a pattern as digits: the abstract state of a state is the number that their
/// values make.
#[derive(Clone, Debug)]
pub(super) struct Projection {
    digits: Box<[Digit]>,
    n_states: u32,
}

impl Projection {
    /// Project to some variables, unless there are more abstract states than `most`.
    pub(super) fn new(game: &Game, pattern: &[u32], most: usize) -> Option<Self> {
        let mut n_states: u32 = 1;
        let mut digits = Vec::new();
        for var in pattern {
            let domain = game.domain_of(VarId::from_index(*var as usize));
            let size = u32::try_from(domain.size()).ok()?;
            digits.push(Digit {
                var: *var,
                size,
                factor: n_states,
            });
            n_states = n_states.checked_mul(size)?;
        }
        (n_states as usize <= most).then(|| Self {
            digits: digits.into(),
            n_states,
        })
    }

    pub(super) fn n_states(&self) -> usize {
        self.n_states as usize
    }

    /// Return the variables with their values in an abstract state.
    fn facts(&self, state: u32) -> impl Iterator<Item = (VarId, Value)> {
        let fact = move |digit: &Digit| {
            let value = Value(state / digit.factor % digit.size);
            (VarId::from_index(digit.var as usize), value)
        };
        self.digits.iter().map(fact)
    }

    /// Return the operators that may change the abstract state.
    fn operators(&self, operators: &Operators) -> Vec<u32> {
        let changing = |digit: &Digit| operators.changing(digit.var).iter().copied();
        let mut all: Vec<u32> = self.digits.iter().flat_map(changing).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Return how an operator may change each digit: its parts of the numbers before and
    /// afterwards.
    fn steps(&self, operator: &Operator) -> Vec<Vec<(u32, u32)>> {
        let of_digit = |digit: &Digit| {
            let found = operator.of(digit.var);
            let after = |before: u32| match found.map(|it| it.after) {
                Some(After::Value(value)) => value * digit.factor,
                Some(After::Shared(_)) | None => before * digit.factor,
            };
            let step = |before: u32| (before * digit.factor, after(before));
            match found.map(|it| it.before) {
                Some(Before::Value(value)) => vec![step(value)],
                Some(Before::Anything | Before::Shared(_)) | None => {
                    (0..digit.size).map(step).collect()
                }
            }
        };
        self.digits.iter().map(of_digit).collect()
    }

    /// Return at most how many transitions there are.
    pub(super) fn n_transitions(&self, operators: &Operators) -> usize {
        let all = self.operators(operators);
        let of_operator = |number: &u32| {
            let steps = self.steps(operators.get(*number));
            steps.iter().map(Vec::len).product::<usize>()
        };
        all.iter().map(of_operator).sum()
    }

    /// Return what its abstract states cost, for states that satisfy the invariants. The operators
    /// are instances, without unknowns that are moved or compared.
    ///
    /// # Errors
    /// If a limit is reached, while this number of bytes is held.
    pub(super) fn system(
        &self,
        game: &Game,
        known: &Invariants,
        operators: &Operators,
        facts: &[GoalFacts],
        (effort, bytes): (&Effort<'_>, usize),
    ) -> Result<TransitionSystem, Refusal> {
        let is_possible = self.possible(game, known, (effort, bytes))?;
        let mut into = vec![Vec::new(); self.n_states()];
        for number in self.operators(operators) {
            effort.check(bytes)?;
            let mut pairs = vec![(0, 0)];
            for steps in self.steps(operators.get(number)) {
                let with_digit = |(before, after): (u32, u32)| {
                    let steps = steps.iter();
                    steps.map(move |(one, other)| (before + one, after + other))
                };
                pairs = pairs.into_iter().flat_map(with_digit).collect();
            }
            for (before, after) in pairs {
                let both = is_possible[before as usize] && is_possible[after as usize];
                if before != after && both {
                    into[after as usize].push((number, before));
                }
            }
        }
        let is_goal = |state: &u32| {
            let mut goals = facts.iter();
            goals.any(|goal| {
                let mut facts = self.facts(*state);
                facts.all(|(var, value)| goal.allows(var.index(), value))
            })
        };
        let goals = (0..self.n_states).filter(is_goal);
        Ok(TransitionSystem::new(&into, goals))
    }

    /// Return, by abstract state, whether some state may have it.
    fn possible(
        &self,
        game: &Game,
        known: &Invariants,
        (effort, bytes): (&Effort<'_>, usize),
    ) -> Result<Vec<bool>, Refusal> {
        if known.is_empty() {
            return Ok(vec![true; self.n_states()]);
        }
        let n = game.n_variables();
        let open: Vec<Term> = (0..n)
            .map(|i| Term::variable(VarId::from_index(i)))
            .collect();
        let (mut terms, mut scratch) = (open, Scratch::new());
        let is_possible = |state: u32| {
            effort.spend(n, bytes)?;
            for (var, value) in self.facts(state) {
                terms[var.index()] = Term::constant(value);
            }
            Ok(known.admits_with(&mut scratch, &terms))
        };
        (0..self.n_states).map(is_possible).collect()
    }
}

impl Abstraction for Projection {
    #[inline]
    fn of(&self, state: &[u32]) -> u32 {
        let digits = self.digits.iter();
        let parts = digits.map(|digit| state[digit.var as usize] * digit.factor);
        parts.sum()
    }
}
