//! Facts, numbered: "variable 3 holds value 0" as one small number.

use psvn_ir::{Game, Term, Value, VarId};

/// The most facts (variables times values) of a game that is analyzed.
pub(crate) const MAX_FACTS: usize = 1 << 20;

/// A fact: a variable holds a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fact {
    /// The variable.
    pub var: VarId,
    /// A value of its domain.
    pub value: Value,
}

/// The numbers of a game's facts: variable by variable, value by value.
#[derive(Clone, Debug, Default)]
pub(crate) struct FactIndex {
    /// The number of each variable's first fact, and the number of facts at the end.
    offsets: Vec<u32>,
    /// The variable of each fact.
    vars: Vec<u32>,
}

impl FactIndex {
    /// `None` when the game has more than `limit` facts.
    pub(crate) fn new(game: &Game, limit: usize) -> Option<Self> {
        let mut offsets = Vec::with_capacity(game.n_variables() + 1);
        let mut vars = Vec::new();
        offsets.push(0);
        for var in 0..game.n_variables() {
            let size = game.domain_of(VarId::from_index(var)).size();
            let end = vars.len() + size;
            if end > limit {
                return None;
            }
            vars.resize(end, var as u32);
            offsets.push(end as u32);
        }
        Some(Self { offsets, vars })
    }

    pub(crate) fn n_facts(&self) -> usize {
        self.vars.len()
    }

    pub(crate) fn n_vars(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    #[inline]
    pub(crate) fn id(&self, var: usize, value: Value) -> u32 {
        self.offsets[var] + value.0
    }

    /// The id of a fact, if the game has this variable and value.
    pub(crate) fn checked_id(&self, fact: Fact) -> Option<u32> {
        let (var, value) = (fact.var.index(), fact.value.0);
        let (start, end) = (*self.offsets.get(var)?, *self.offsets.get(var + 1)?);
        (value < end - start).then_some(start + value)
    }

    #[inline]
    pub(crate) fn var(&self, id: u32) -> usize {
        self.vars[id as usize] as usize
    }

    pub(crate) fn fact(&self, id: u32) -> Fact {
        let var = self.vars[id as usize];
        Fact {
            var: VarId(var),
            value: Value(id - self.offsets[var as usize]),
        }
    }

    /// The facts of one variable.
    #[inline]
    pub(crate) fn of_var(&self, var: usize) -> std::ops::Range<u32> {
        self.offsets[var]..self.offsets[var + 1]
    }

    pub(crate) fn domain_size(&self, var: usize) -> usize {
        self.of_var(var).len()
    }
}

/// The unknowns of a pattern, in the order of their first positions, each with all its positions.
pub(crate) fn unknowns(pattern: &[Term]) -> Vec<Vec<usize>> {
    let mut positions = vec![Vec::new(); pattern.len()];
    for (i, term) in pattern.iter().enumerate() {
        if let Some(var) = term.as_variable() {
            positions[var.index()].push(i);
        }
    }
    positions.retain(|members| !members.is_empty());
    positions
}
