//! Partial states: the facts about a state that follow from the rules that led to it.
//!
//! A partial state gives some variables their values. A rule that has just been applied leaves one
//! behind: the values that it tested and didn't change, and those that it wrote (Burch & Holte 2011
//! compose rules in this way; here only the constants are kept). Invariants add to it: where
//! exactly one variable holds the blank and a partial state says which, no other one does.

use std::cell::Cell;
use std::rc::Rc;

use ahash::AHashMap;
use psvn_ir::{CanonicalRule, Game, Term, TermKind, Value, VarId};

use crate::game::branches::Branch;
use crate::run::limits::{Checkpoints, StopReason};

/// A test whether some possible state satisfies preconditions, given as one term for each variable.
pub(crate) type Known = dyn Fn(&[Term]) -> bool + Send + Sync;

/// How much knowledge is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Memory {
    /// Everything known.
    Everything,
    /// The knowledge from the last rule alone.
    LastRule,
    /// Nothing: all rules are tested everywhere.
    Nothing,
}

/// The maximum number of partial states.
const MAX_PARTIAL_STATES: usize = 1 << 10;

/// Domains up to this size are tried value by value to find what invariants imply.
const MAX_IMPLIED: usize = 8;

/// The tests that a rule still needs where a partial state holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(super) struct Demands {
    pub(super) constants: Vec<(VarId, Value)>,
    pub(super) equalities: Vec<(VarId, VarId)>,
}

/// A branch of a rule that may apply where a partial state holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) branch: u32,
    /// The number of its [`Demands`].
    pub(super) test: u32,
    /// The partial state after it.
    pub(super) leads_to: u32,
}

/// The values that are known, by variable.
type PartialState = Box<[Option<Value>]>;

/// The partial states that come up in a game, numbered.
pub(super) struct PartialStates<'a> {
    game: &'a Game,
    branches: &'a [Branch],
    known: Option<&'a Known>,
    memory: Memory,
    partial_states: Vec<PartialState>,
    numbers: AHashMap<PartialState, u32>,
    /// The numbers of partial states as rules leave them, before implied values are added: many
    /// rules leave the same one.
    left_numbers: AHashMap<PartialState, u32>,
    /// By partial state, once requested.
    entries: Vec<Option<Rc<[Entry]>>>,
    demands: Vec<Demands>,
    demand_numbers: AHashMap<Demands, u32>,
    /// By branch: the partial state after it when nothing was known before.
    after_branch: Vec<Option<u32>>,
    /// The variables that some rule compares with a constant.
    tested: Vec<VarId>,
    /// The number of queries to the invariants since the last check of the limits.
    questions: Cell<u64>,
}

impl<'a> PartialStates<'a> {
    /// The partial state without values.
    pub(super) const NOTHING: u32 = 0;

    /// The demands of a rule that always applies.
    pub(super) const NO_TEST: u32 = 0;

    pub(super) fn new(
        game: &'a Game,
        branches: &'a [Branch],
        known: Option<&'a Known>,
        memory: Memory,
    ) -> Self {
        let mut tested: Vec<VarId> = branches
            .iter()
            .flat_map(|branch| branch.canonical.tests())
            .filter(|(_, term)| term.as_constant().is_some())
            .map(|(var, _)| var)
            .collect();
        tested.sort_unstable();
        tested.dedup();
        let mut partial_states = Self {
            game,
            branches,
            known,
            memory,
            partial_states: Vec::new(),
            numbers: AHashMap::new(),
            left_numbers: AHashMap::new(),
            entries: Vec::new(),
            demands: Vec::new(),
            demand_numbers: AHashMap::new(),
            after_branch: vec![None; branches.len()],
            tested,
            questions: Cell::new(0),
        };
        partial_states.number(vec![None; game.n_variables()].into_boxed_slice());
        partial_states.demand(Demands::default());
        partial_states
    }

    /// Return the rules that may apply where a partial state holds; `None` when there are too many
    /// partial states.
    pub(super) fn entries(
        &mut self,
        partial_state: u32,
        checkpoints: &mut Checkpoints<'_>,
    ) -> Result<Option<Rc<[Entry]>>, StopReason> {
        if let Some(entries) = &self.entries[partial_state as usize] {
            return Ok(Some(Rc::clone(entries)));
        }
        let mut entries = Vec::new();
        for branch in 0..self.branches.len() {
            entries.extend(self.entry(partial_state, branch));
            checkpoints.spend(1 + self.questions.take(), || self.bytes())?;
        }
        if self.memory == Memory::Everything && self.partial_states.len() > MAX_PARTIAL_STATES {
            return Ok(None);
        }
        let entries: Rc<[Entry]> = entries.into();
        self.entries[partial_state as usize] = Some(Rc::clone(&entries));
        Ok(Some(entries))
    }

    /// Estimate the size of the partial states in bytes; each is stored twice.
    fn bytes(&self) -> usize {
        let each = self.game.n_variables() * size_of::<Option<Value>>();
        2 * (self.partial_states.len() + self.left_numbers.len()) * each
    }

    /// Return whether a state in which a partial state holds may satisfy a goal condition, given by
    /// its required values.
    #[inline]
    pub(super) fn may_satisfy(&self, partial_state: u32, goal: &[(VarId, Value)]) -> bool {
        let partial_state = &self.partial_states[partial_state as usize];
        let agrees = |(var, value): &(VarId, Value)| {
            partial_state[var.index()].is_none_or(|there| there == *value)
        };
        goal.iter().all(agrees)
    }

    /// Return the demands with a number.
    pub(super) fn demands(&self, number: u32) -> &Demands {
        &self.demands[number as usize]
    }

    fn entry(&mut self, partial_state: u32, branch: usize) -> Option<Entry> {
        let branches = self.branches;
        let canonical = &branches[branch].canonical;
        let (merged, demands) = self.merge(partial_state, canonical)?;
        let leads_to = match self.memory {
            Memory::Nothing => Self::NOTHING,
            Memory::Everything => self.number_after(left_behind(canonical, &merged)),
            Memory::LastRule => match self.after_branch[branch] {
                Some(number) => number,
                None => {
                    let (merged, _) = self.merge(Self::NOTHING, canonical)?;
                    let number = self.number_after(left_behind(canonical, &merged));
                    self.after_branch[branch] = Some(number);
                    number
                }
            },
        };
        Some(Entry {
            branch: branch as u32,
            test: self.demand(demands),
            leads_to,
        })
    }

    /// Return the values known where a partial state holds and a rule applies, and the tests that
    /// the rule still needs; `None` when it never applies there.
    fn merge(&self, partial_state: u32, rule: &CanonicalRule) -> Option<(PartialState, Demands)> {
        let mut merged = self.partial_states[partial_state as usize].clone();
        let mut demands = Demands::default();
        for (position, term) in rule.preconditions().iter().enumerate() {
            if term.is_own_variable(position) {
                continue;
            }
            let var = VarId::from_index(position);
            match (term.kind(), merged[var.index()]) {
                (TermKind::Constant(value), None) => {
                    merged[var.index()] = Some(value);
                    demands.constants.push((var, value));
                }
                (TermKind::Constant(value), Some(there)) if value != there => return None,
                (TermKind::Constant(_), Some(_)) => {}
                (TermKind::Variable(other), here) => match (here, merged[other.index()]) {
                    (Some(here), Some(there)) if here != there => return None,
                    (Some(_), Some(_)) => {}
                    (here, there) => {
                        demands.equalities.push((var, other));
                        let value = here.or(there);
                        (merged[var.index()], merged[other.index()]) = (value, value);
                    }
                },
            }
        }
        self.admits(&merged).then_some((merged, demands))
    }

    /// Return whether some state may have these values.
    fn admits(&self, partial_state: &[Option<Value>]) -> bool {
        self.known.is_none_or(|known| {
            self.questions.update(|n| n + 1);
            known(&terms(partial_state))
        })
    }

    /// Return the number of a partial state that a rule leaves behind, with the values it implies.
    fn number_after(&mut self, left: PartialState) -> u32 {
        if let Some(number) = self.left_numbers.get(&left) {
            return *number;
        }
        let implied = self.with_implied(left.clone());
        let number = self.number(implied);
        self.left_numbers.insert(left, number);
        number
    }

    /// Add the values that are the only ones left by the invariants.
    fn with_implied(&self, mut partial_state: PartialState) -> PartialState {
        let Some(known) = self.known else {
            return partial_state;
        };
        let mut terms = terms(&partial_state);
        for var in &self.tested {
            let at = var.index();
            let size = self.game.domain_of(*var).size();
            if partial_state[at].is_some() || size > MAX_IMPLIED {
                continue;
            }
            let unknown = terms[at];
            let values = (0..size as u32).map(Value);
            let mut possible = values.filter(|value| {
                terms[at] = Term::constant(*value);
                self.questions.update(|n| n + 1);
                known(&terms)
            });
            let only = match (possible.next(), possible.next()) {
                (Some(value), None) => Some(value),
                _ => None,
            };
            partial_state[at] = only;
            terms[at] = only.map_or(unknown, Term::constant);
        }
        partial_state
    }

    fn number(&mut self, partial_state: PartialState) -> u32 {
        if let Some(number) = self.numbers.get(&partial_state) {
            return *number;
        }
        let number = self.partial_states.len() as u32;
        self.partial_states.push(partial_state.clone());
        self.entries.push(None);
        self.numbers.insert(partial_state, number);
        number
    }

    fn demand(&mut self, demands: Demands) -> u32 {
        if let Some(number) = self.demand_numbers.get(&demands) {
            return *number;
        }
        let number = self.demands.len() as u32;
        self.demands.push(demands.clone());
        self.demand_numbers.insert(demands, number);
        number
    }
}

/// Convert a partial state to the form that invariants take.
fn terms(partial_state: &[Option<Value>]) -> Vec<Term> {
    let mut terms = Vec::with_capacity(partial_state.len());
    for (i, value) in partial_state.iter().enumerate() {
        terms.push(match value {
            Some(value) => Term::constant(*value),
            None => Term::variable(VarId::from_index(i)),
        });
    }
    terms
}

/// Return the values known after a rule, from those known when it applies.
fn left_behind(rule: &CanonicalRule, merged: &[Option<Value>]) -> PartialState {
    let mut left: PartialState = merged.into();
    for (position, term) in rule.actions().iter().enumerate() {
        left[position] = match term.kind() {
            TermKind::Constant(value) => Some(value),
            TermKind::Variable(var) => merged[var.index()],
        };
    }
    left
}
