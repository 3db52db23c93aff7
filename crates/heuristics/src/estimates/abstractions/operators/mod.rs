//! Rules as abstractions see them.

pub(super) mod walks;

use psvn_ir::{CanonicalRule, Game, Term, TermKind};

use crate::effort::Effort;
use crate::estimates::lists::Lists;
use crate::refusal::Refusal;
use crate::structure::instances;

/// The maximum number of terms of all operators.
const MAX_TERMS: usize = 1 << 20;

/// What an operator asks of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    Anything,
    Value(u32),
    /// The value of a group of variables.
    Shared(u32),
}

/// What a variable has afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    Value(u32),
    /// The value that a group of variables had.
    Shared(u32),
}

/// An operator and one of its variables.
#[derive(Clone, Copy, Debug)]
pub(super) struct OfVariable {
    pub(super) var: u32,
    pub(super) before: Before,
    pub(super) after: After,
}

/// Variables that must be equal, and those that get their value.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub(super) sources: Vec<u32>,
    pub(super) targets: Vec<u32>,
}

/// Return whether variables have the same value.
pub(super) fn are_equal(variables: &[u32], state: &[u32]) -> bool {
    let mut pairs = variables.windows(2);
    pairs.all(|pair| state[pair[0] as usize] == state[pair[1] as usize])
}

/// A rule, or an instance of one with values in place of unknowns.
#[derive(Clone, Debug)]
pub(super) struct Operator {
    /// The variables that it tests or changes, in ascending order.
    pub(super) variables: Box<[OfVariable]>,
    pub(super) groups: Box<[Group]>,
}

impl Operator {
    fn new(rule: &CanonicalRule) -> Self {
        let (before, after) = (rule.preconditions(), rule.actions());
        let n = rule.n_variables();
        // Only variables whose values are compared or moved have groups.
        let mut group_of: Vec<Option<u32>> = vec![None; n];
        let mut groups: Vec<Group> = Vec::new();
        let moved = (0..n).filter_map(|i| {
            let is_own = |term: &Term| term.is_own_variable(i);
            let shared = |term: Term| term.as_variable().filter(|_| !is_own(&term));
            [shared(before[i]), shared(after[i])]
                .into_iter()
                .flatten()
                .next()
        });
        for first in moved {
            group_of[first.index()].get_or_insert_with(|| {
                groups.push(Group::default());
                groups.len() as u32 - 1
            });
        }
        let group = |term: Term| group_of[term.as_variable()?.index()];
        let mut variables = Vec::new();
        for i in 0..n {
            let of_source = match before[i].kind() {
                TermKind::Constant(value) => Before::Value(value.0),
                TermKind::Variable(_) => group(before[i]).map_or(Before::Anything, Before::Shared),
            };
            let of_target = match after[i].kind() {
                TermKind::Constant(value) => Some(After::Value(value.0)),
                TermKind::Variable(_) => group(after[i]).map(After::Shared),
            };
            // Without a group it keeps a value that isn't asked for.
            let Some(of_target) = of_target else {
                continue;
            };
            if let Before::Shared(group) = of_source {
                groups[group as usize].sources.push(i as u32);
            }
            if let After::Shared(group) = of_target {
                groups[group as usize].targets.push(i as u32);
            }
            variables.push(OfVariable {
                var: i as u32,
                before: of_source,
                after: of_target,
            });
        }
        Self {
            variables: variables.into(),
            groups: groups.into(),
        }
    }

    #[inline]
    pub(super) fn of(&self, var: u32) -> Option<&OfVariable> {
        let found = self.variables.binary_search_by_key(&var, |it| it.var);
        found.ok().map(|number| &self.variables[number])
    }

    /// Return whether the operator is possible in a state.
    pub(super) fn applies_to(&self, state: &[u32]) -> bool {
        let has_values = self.variables.iter().all(|it| match it.before {
            Before::Value(value) => state[it.var as usize] == value,
            Before::Anything | Before::Shared(_) => true,
        });
        has_values && self.unequal(state).is_none()
    }

    /// Return variables that must be equal, and aren't.
    pub(super) fn unequal(&self, state: &[u32]) -> Option<&[u32]> {
        let sources = self.groups.iter().map(|group| &group.sources[..]);
        let mut unequal = sources.filter(|sources| !are_equal(sources, state));
        unequal.next()
    }

    /// Carry it out.
    pub(super) fn apply(&self, state: &mut [u32]) {
        let values = self
            .groups
            .iter()
            .map(|group| state[group.sources[0] as usize]);
        let values: Vec<u32> = values.collect();
        for it in &self.variables {
            match it.after {
                After::Value(value) => state[it.var as usize] = value,
                After::Shared(group) => state[it.var as usize] = values[group as usize],
            }
        }
    }

    /// Return whether a variable may have another value afterwards.
    pub(super) fn changes(&self, it: &OfVariable) -> bool {
        match (it.before, it.after) {
            (Before::Value(before), After::Value(after)) => before != after,
            (Before::Shared(before), After::Shared(after)) => before != after,
            _ => true,
        }
    }
}

/// All operators of a game.
#[derive(Clone, Debug)]
pub(super) struct Operators {
    all: Vec<Operator>,
    /// By operator, its cost.
    pub(super) costs: Vec<u64>,
    /// By variable, the operators that may change it.
    changing: Lists,
}

impl Operators {
    /// Make the operators of a game: instances of the rules with values in place of unknowns, or
    /// the rules where these would be too many.
    ///
    /// # Errors
    /// If there are too many, or a limit is reached.
    pub(super) fn new(game: &Game, effort: &Effort<'_>) -> Result<Self, Refusal> {
        Self::of_rules(game, instances::are_few(game, MAX_TERMS), effort)
    }

    /// Make the operators of a game: instances of the rules.
    ///
    /// # Errors
    /// If there are too many, or a limit is reached.
    pub(super) fn instances(game: &Game, effort: &Effort<'_>) -> Result<Self, Refusal> {
        if !instances::are_few(game, MAX_TERMS) {
            return Err(Refusal::kind("its rules have too many instances"));
        }
        Self::of_rules(game, true, effort)
    }

    /// Make the operators of a game: instances of the rules, or the rules themselves.
    ///
    /// # Errors
    /// If there are too many, or a limit is reached.
    pub(super) fn of_rules(
        game: &Game,
        has_instances: bool,
        effort: &Effort<'_>,
    ) -> Result<Self, Refusal> {
        let mut all: Vec<Operator> = Vec::new();
        let mut costs = Vec::new();
        let mut n_terms = 0;
        let mut add = |rule: &CanonicalRule| {
            if rule.changes().next().is_none() {
                return Ok(());
            }
            let operator = Operator::new(rule);
            n_terms += operator.variables.len();
            if n_terms > MAX_TERMS {
                return Err(Refusal::TooLarge { limit: MAX_TERMS });
            }
            effort.check(n_terms * size_of::<OfVariable>() + all.len() * size_of::<Operator>())?;
            all.push(operator);
            costs.push(rule.cost());
            Ok(())
        };
        instances::of_rules(game, has_instances, &mut add)?;
        let changed = |operator: &Operator| -> Vec<u32> {
            let variables = operator.variables.iter();
            let changed = variables.filter(|it| operator.changes(it));
            changed.map(|it| it.var).collect()
        };
        let changed: Vec<Vec<u32>> = all.iter().map(changed).collect();
        Ok(Self {
            changing: Lists::new(&changed).turned(game.n_variables()),
            all,
            costs,
        })
    }

    pub(super) fn get(&self, number: u32) -> &Operator {
        &self.all[number as usize]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Operator> {
        self.all.iter()
    }

    /// Return the operators that may change a variable.
    pub(super) fn changing(&self, var: u32) -> &[u32] {
        self.changing.of(var)
    }
}
