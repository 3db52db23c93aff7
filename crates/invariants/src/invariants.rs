//! Invariants that hold in every state that can be reached from given starts.

use psvn_ir::{CanonicalRule, Game, State, Value};

use crate::Omission;
use crate::counts::Count;
use crate::facts::{Fact, FactIndex, MAX_FACTS};
use crate::patterns::closing::Closing;
use crate::patterns::tables::Tables;
use crate::reach::closure;
use crate::start_set::StartSet;
use crate::violation::{self, Violation};

/// The most pairs that are kept. If there are more, none is kept, since files record all invariants
/// used.
const MAX_PAIRS: usize = 50_000;

/// Facts about every state that can be reached: counts of facts, unreachable values, and pairs of
/// facts that exclude each other.
///
/// Together they are *inductive*: a rule leads from a state that satisfies them all only to states
/// that satisfy them all. So an analysis that used them is valid for every search from a state that
/// passes [`check_state`](Self::check_state), whether or not it was one of the starts.
#[derive(Clone, Debug)]
pub struct Invariants {
    pub(crate) index: FactIndex,
    pub(crate) counts: Vec<Count>,
    /// Facts that never hold, sorted.
    pub(crate) never: Vec<u32>,
    /// Pairs that never hold together, the smaller fact first, sorted.
    pub(crate) exclusive: Vec<(u32, u32)>,
    pub(crate) omissions: Vec<Omission>,
    pub(crate) tables: Tables,
    pub(crate) closing: Closing,
}

/// Equal if they state the same in the same form.
impl PartialEq for Invariants {
    fn eq(&self, other: &Self) -> bool {
        self.counts == other.counts
            && self.never == other.never
            && self.exclusive == other.exclusive
    }
}

impl Eq for Invariants {}

/// Exactly `number` of the facts hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountInvariant {
    /// The facts, sorted.
    pub facts: Vec<Fact>,
    /// The number of them that hold in every reachable state.
    pub number: u32,
}

impl CountInvariant {
    /// Return whether as many of the facts hold in a state.
    pub fn holds_in(&self, state: &[Value]) -> bool {
        let holds = |fact: &&Fact| state[fact.var.index()] == fact.value;
        self.facts.iter().filter(holds).count() == self.number as usize
    }
}

impl Invariants {
    /// Make an empty set of invariants, which all states satisfy.
    pub fn none(game: &Game) -> Self {
        let index = FactIndex::new(game, MAX_FACTS).unwrap_or_default();
        Self::from_parts(index, Vec::new(), Vec::new(), Vec::new())
    }

    /// Combine the counts with the unreachable facts, and leave out what the rest implies.
    ///
    /// If there are too many pairs to write down, they are left out, with everything that depends
    /// on them: unreachable facts are then computed again without them.
    pub(crate) fn assemble(
        game: &Game,
        index: FactIndex,
        mut counts: Vec<Count>,
        starts: &[StartSet],
        mut omissions: Vec<Omission>,
        stop: &dyn Fn() -> bool,
    ) -> Self {
        counts.sort_by(|one, other| one.facts.cmp(&other.facts));
        counts.dedup();
        // The counts hold by themselves, so all other invariants may depend on them.
        let alone = Self::from_parts(index, counts, Vec::new(), Vec::new());
        let (index, counts) = (&alone.index, &alone.counts);
        let admits = |rule: &CanonicalRule| alone.admits(rule.preconditions());
        let mut reached = closure::reach(game, index, starts, admits, stop);
        if let Some(pairs) = &mut reached.exclusive {
            leave_out_counted(pairs, index, counts);
            if pairs.len() > MAX_PAIRS {
                reached = closure::reach_facts(game, index, starts, admits, stop);
            }
        }
        if !reached.complete {
            omissions.push(Omission::Facts);
        }
        let exclusive = reached.exclusive.unwrap_or_else(|| {
            omissions.push(Omission::Pairs);
            Vec::new()
        });
        let Self {
            index, mut counts, ..
        } = alone;
        counts.retain(|count| !is_vacuous(count, &reached.never));
        Self::from_parts(index, counts, reached.never, exclusive).with_omissions(&omissions)
    }

    pub(crate) fn with_omissions(mut self, omissions: &[Omission]) -> Self {
        self.omissions = omissions.to_vec();
        self
    }

    pub(crate) fn from_parts(
        index: FactIndex,
        counts: Vec<Count>,
        never: Vec<u32>,
        exclusive: Vec<(u32, u32)>,
    ) -> Self {
        let tables = Tables::new(&index, &counts, &never, &exclusive);
        let closing = Closing::new(&index, &counts, &never, &exclusive);
        Self {
            index,
            counts,
            never,
            exclusive,
            omissions: Vec::new(),
            tables,
            closing,
        }
    }

    /// Return whether there are no invariants, so that every pattern is admitted.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty() && self.never.is_empty() && self.exclusive.is_empty()
    }

    /// Return the counts.
    pub fn counts(&self) -> impl ExactSizeIterator<Item = CountInvariant> + '_ {
        self.counts.iter().map(|count| CountInvariant {
            facts: count
                .facts
                .iter()
                .map(|fact| self.index.fact(*fact))
                .collect(),
            number: count.number,
        })
    }

    /// Return the facts that never hold, sorted.
    pub fn unreachable_facts(&self) -> impl ExactSizeIterator<Item = Fact> + '_ {
        self.never.iter().map(|fact| self.index.fact(*fact))
    }

    /// Return the pairs of facts that never hold together, and that neither the counts nor the
    /// unreachable facts imply; sorted, the smaller fact first.
    pub fn exclusive_pairs(&self) -> impl ExactSizeIterator<Item = (Fact, Fact)> + '_ {
        let fact = |id| self.index.fact(id);
        self.exclusive
            .iter()
            .map(move |(one, other)| (fact(*one), fact(*other)))
    }

    /// Return the kinds of invariants that were omitted because the game is too large.
    pub fn omissions(&self) -> &[Omission] {
        &self.omissions
    }

    /// Check that a state satisfies all invariants.
    ///
    /// # Errors
    /// The first invariant that it breaks.
    ///
    /// # Panics
    /// If the state belongs to another game.
    pub fn check_state(&self, game: &Game, state: &State) -> Result<(), Violation> {
        let values = state.values();
        let is_true = |fact: u32| {
            let fact = self.index.fact(fact);
            values[fact.var.index()] == fact.value
        };
        if let Some(fact) = self.never.iter().find(|fact| is_true(**fact)) {
            return Err(violation::value_violation(game, self.index.fact(*fact)));
        }
        for count in &self.counts {
            let found = count.number_in(&self.index, values);
            if found != count.number {
                return Err(violation::count_violation(game, &self.index, count, found));
            }
        }
        match self
            .exclusive
            .iter()
            .find(|(one, other)| is_true(*one) && is_true(*other))
        {
            None => Ok(()),
            Some((one, other)) => {
                let (one, other) = (self.index.fact(*one), self.index.fact(*other));
                Err(violation::pair_violation(game, one, other))
            }
        }
    }
}

/// Leave out pairs that a count already forbids: two facts of a set of which one holds.
fn leave_out_counted(pairs: &mut Vec<(u32, u32)>, index: &FactIndex, counts: &[Count]) {
    let mut singles: Vec<Vec<u32>> = vec![Vec::new(); index.n_facts()];
    for (number, count) in counts.iter().enumerate().filter(|(_, c)| c.number == 1) {
        for fact in &count.facts {
            singles[*fact as usize].push(number as u32);
        }
    }
    pairs.retain(|(one, other)| {
        let (one, other) = (&singles[*one as usize], &singles[*other as usize]);
        !one.iter().any(|count| other.binary_search(count).is_ok())
    });
}

/// Whether a count rejects only states that the unreachable values also reject.
fn is_vacuous(count: &Count, never: &[u32]) -> bool {
    count.number == 0
        && count
            .facts
            .iter()
            .all(|fact| never.binary_search(fact).is_ok())
}
