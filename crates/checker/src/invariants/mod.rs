//! Claims about every state that a search can meet, and the proof that no rule breaks them.

pub(crate) mod assumptions;
pub(crate) mod closing;
mod induction;
pub(crate) mod irrelevance;

use psvn_ir::{Game, RuleId, Value, VarId};

use crate::limits::{Limits, StopReason};

/// A fact: a variable holds a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fact {
    /// The variable.
    pub var: VarId,
    /// A value of its domain.
    pub value: Value,
}

/// A claim about all states that can be reached from start states in which all claims of a list
/// hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Invariant {
    /// Exactly `number` of the facts hold. Listing a fact twice makes no difference.
    Count {
        /// The facts.
        facts: Vec<Fact>,
        /// The number of them that hold.
        number: u32,
    },
    /// The fact never holds.
    Never(Fact),
    /// The two facts never hold together.
    Exclusive(Fact, Fact),
}

/// Why an invariant is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum InvariantFlaw {
    /// It names a variable or a value that doesn't exist in the game.
    #[error("there is no variable {} with the value number {}", fact.var.0 + 1, fact.value.0 + 1)]
    UnknownFact {
        /// The fact that doesn't exist.
        fact: Fact,
    },
    /// A rule may lead from a state with all invariants to one without this invariant.
    #[error("rule {} may break it", rule.0 + 1)]
    MayBreak {
        /// The first such rule.
        rule: RuleId,
    },
}

/// Why a list of invariants is not proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum InvariantFailure {
    /// One of them is wrong or can't be proved.
    #[error("invariant {}: {flaw}", index + 1)]
    Flaw {
        /// Its place in the list, from 0.
        index: usize,
        /// The flaw.
        flaw: InvariantFlaw,
    },
    /// A limit was reached.
    #[error("the invariants were not checked to the end: {0}")]
    Stopped(#[from] StopReason),
}

/// A count, and its place in the list of claims.
#[derive(Clone, Debug)]
pub(crate) struct Count {
    pub(crate) index: usize,
    pub(crate) number: u32,
    /// The number of its variables that hold none of the facts.
    pub(crate) slack: u32,
}

/// What the claims say about a fact.
#[derive(Clone, Debug, Default)]
pub(crate) struct AboutFact {
    /// The first claim that it never holds.
    pub(crate) never: Option<usize>,
    /// The facts that it excludes, with the places of the claims.
    pub(crate) excludes: Vec<(Fact, usize)>,
    /// The counts that contain it, by their places in [`ProvedInvariants::counts`].
    pub(crate) counts: Vec<usize>,
}

/// Proved invariants: a rule leads from a state in which they all hold only to states in which they
/// all hold. So they hold in every state of a search from such a state.
///
/// The caller of a search must check that the start state satisfies them.
#[derive(Clone, Debug)]
pub struct ProvedInvariants {
    /// The number of each variable's first fact, and the number of facts at the end.
    offsets: Vec<usize>,
    pub(crate) counts: Vec<Count>,
    /// What is claimed about facts. The first entry stands for all facts without a claim: a game
    /// may have millions of them.
    claims: Vec<AboutFact>,
    /// For each fact its place in `claims`.
    claims_of_fact: Vec<u32>,
    /// For each variable, the counts with facts about it.
    pub(crate) counts_of_var: Vec<Vec<usize>>,
    /// For each of those the number of these facts.
    pub(crate) n_counted: Vec<Vec<usize>>,
}

impl ProvedInvariants {
    /// Make an empty set of invariants: every state is possible.
    #[expect(clippy::missing_panics_doc, reason = "it can't happen")]
    pub fn none(game: &Game) -> Self {
        Self::claimed(game, &[]).expect("nothing claimed, nothing wrong")
    }

    /// Prove invariants from the rules.
    ///
    /// One common induction proves them: each may depend on all others. Each rule is tested against
    /// each invariant that it touches, for every value that one or two of the rule's unknowns may
    /// have. This is sound but not complete. Runs on the threads of the current rayon pool.
    ///
    /// # Errors
    /// The first rule that may break an invariant, with the first invariant that it may break; a
    /// fact that the game doesn't have; or a limit.
    pub fn prove(
        game: &Game,
        claims: &[Invariant],
        limits: &Limits,
    ) -> Result<Self, InvariantFailure> {
        let claimed = Self::claimed(game, claims)?;
        induction::prove(game, &claimed, limits)?;
        Ok(claimed)
    }

    fn claimed(game: &Game, claims: &[Invariant]) -> Result<Self, InvariantFailure> {
        let n_variables = game.n_variables();
        let size = |var: usize| game.domain_of(VarId::from_index(var)).size();
        let mut offsets = vec![0];
        for var in 0..n_variables {
            offsets.push(offsets[var] + size(var));
        }
        let n_facts = offsets[n_variables];
        let mut claimed = Self {
            offsets,
            counts: Vec::new(),
            claims: vec![AboutFact::default()],
            claims_of_fact: vec![0; n_facts],
            counts_of_var: vec![Vec::new(); n_variables],
            n_counted: vec![Vec::new(); n_variables],
        };
        for (index, claim) in claims.iter().enumerate() {
            let pair;
            let facts: &[Fact] = match claim {
                Invariant::Count { facts, .. } => facts,
                Invariant::Never(fact) => std::slice::from_ref(fact),
                Invariant::Exclusive(one, other) => {
                    pair = [*one, *other];
                    &pair
                }
            };
            let is_unknown = |fact: &&Fact| {
                fact.var.index() >= n_variables || fact.value.index() >= size(fact.var.index())
            };
            if let Some(&fact) = facts.iter().find(is_unknown) {
                let flaw = InvariantFlaw::UnknownFact { fact };
                return Err(InvariantFailure::Flaw { index, flaw });
            }
            match claim {
                Invariant::Count { facts, number } => claimed.add_count(index, facts, *number),
                Invariant::Never(fact) => claimed.add_never(index, *fact),
                Invariant::Exclusive(one, other) if one == other => claimed.add_never(index, *one),
                Invariant::Exclusive(one, other) => {
                    for (fact, partner) in [(one, other), (other, one)] {
                        let about = claimed.about_mut(*fact);
                        about.excludes.push((*partner, index));
                    }
                }
            }
        }
        Ok(claimed)
    }

    fn add_never(&mut self, index: usize, fact: Fact) {
        self.about_mut(fact).never.get_or_insert(index);
    }

    fn add_count(&mut self, index: usize, facts: &[Fact], number: u32) {
        let mut facts = facts.to_vec();
        facts.sort_unstable();
        facts.dedup();
        let count = self.counts.len();
        for fact in &facts {
            self.about_mut(*fact).counts.push(count);
        }
        let mut vars: Vec<VarId> = facts.iter().map(|fact| fact.var).collect();
        vars.dedup();
        for var in &vars {
            self.counts_of_var[var.index()].push(count);
            let n_counted = facts.iter().filter(|fact| fact.var == *var).count();
            self.n_counted[var.index()].push(n_counted);
        }
        self.counts.push(Count {
            index,
            number,
            slack: (vars.len() as u32).saturating_sub(number),
        });
    }

    /// What is claimed about a fact.
    pub(crate) fn about(&self, fact: Fact) -> &AboutFact {
        &self.claims[self.claims_of_fact[self.place(fact)] as usize]
    }

    /// The same for a fact about which something is to be claimed.
    fn about_mut(&mut self, fact: Fact) -> &mut AboutFact {
        let place = self.place(fact);
        if self.claims_of_fact[place] == 0 {
            self.claims_of_fact[place] = self.claims.len() as u32;
            self.claims.push(AboutFact::default());
        }
        &mut self.claims[self.claims_of_fact[place] as usize]
    }

    /// The number of facts.
    pub(crate) fn n_facts(&self) -> usize {
        self.claims_of_fact.len()
    }

    /// The place of a fact in lists by fact.
    pub(crate) fn place(&self, fact: Fact) -> usize {
        self.offsets[fact.var.index()] + fact.value.index()
    }

    /// The values in a variable's domain.
    pub(crate) fn values(&self, var: usize) -> impl Iterator<Item = Value> + use<> {
        let size = self.offsets[var + 1] - self.offsets[var];
        (0..size).map(Value::from_index)
    }

    /// Return whether there are no invariants.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty() && self.claims.len() == 1
    }
}
