//! Extending kept words by one letter.

use macro_compose::{Composer, PreparedRule};
use psvn_ir::{CanonicalRule, RuleId, Term};

use crate::analysis::Admits;
use crate::demands::{Facts, Key, KeySpace, KnownDemands};
use crate::follow::{FollowIndex, RuleSet};
use crate::retrieval::{Costs, DiscriminationTree};
use crate::words::WordId;

/// Lists of demands, one behind the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct DemandLists {
    keys: Vec<Key>,
    ends: Vec<usize>,
}

impl DemandLists {
    pub(crate) fn push(&mut self, demands: &[Key]) {
        self.keys.extend_from_slice(demands);
        self.ends.push(self.keys.len());
    }

    pub(crate) fn get(&self, index: usize) -> &[Key] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.keys[start..self.ends[index]]
    }

    /// Gives back room that isn't used.
    pub(crate) fn shrink(&mut self) {
        self.keys.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    pub(crate) fn bytes(&self) -> usize {
        self.keys.capacity() * size_of::<Key>() + self.ends.capacity() * size_of::<usize>()
    }
}

/// A word that is one letter longer than a kept one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extension {
    pub(crate) parent: WordId,
    pub(crate) letter: RuleId,
    /// The word without its first letter.
    pub(crate) suffix: WordId,
    pub(crate) cost: u64,
}

/// A word that is redundant with an earlier one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Redundant {
    pub(crate) parent: WordId,
    pub(crate) letter: RuleId,
    pub(crate) replacement: WordId,
}

/// What came of extending some words, in order.
#[derive(Debug, Default)]
pub(crate) struct Extensions {
    pub(crate) composed: u64,
    pub(crate) invalid: u64,
    pub(crate) unreachable: u64,
    pub(crate) redundant: Vec<Redundant>,
    /// Those that no shorter word makes redundant.
    pub(crate) candidates: Vec<Extension>,
    /// Their demands.
    pub(crate) demands: DemandLists,
}

impl Extensions {
    pub(crate) fn bytes(&self) -> usize {
        self.demands.bytes()
            + self.candidates.capacity() * size_of::<Extension>()
            + self.redundant.capacity() * size_of::<Redundant>()
    }
}

/// What extending words needs to know; shared between threads.
pub(crate) struct Context<'a> {
    pub(crate) n_variables: usize,
    pub(crate) rules: Vec<PreparedRule>,
    pub(crate) follow: FollowIndex,
    pub(crate) keys: KeySpace,
    pub(crate) admits: Option<&'a Admits<'a>>,
    /// Whether all rules cost the same.
    pub(crate) uniform: bool,
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        n_variables: usize,
        rules: &[CanonicalRule],
        admits: Option<&'a Admits<'a>>,
    ) -> Self {
        let terms = rules
            .iter()
            .flat_map(|rule| rule.preconditions().iter().chain(rule.actions()));
        let constants = terms.filter_map(|term| term.as_constant());
        let n_constants = constants.max().map_or(0, |value| value.index() + 1);
        Self {
            n_variables,
            rules: rules.iter().map(PreparedRule::new).collect(),
            follow: FollowIndex::new(n_variables, rules),
            keys: KeySpace::new(n_variables, n_constants),
            admits,
            uniform: rules
                .windows(2)
                .all(|pair| pair[0].cost() == pair[1].cost()),
        }
    }
}

/// One thread's room for work.
pub(crate) struct Worker {
    composer: Composer,
    candidates: RuleSet,
    pub(crate) facts: Facts,
    preconditions: Vec<Term>,
    actions: Vec<Term>,
    demands: Vec<Key>,
}

impl Worker {
    pub(crate) fn new(context: &Context<'_>) -> Self {
        let empty_word = CanonicalRule::identity(context.n_variables);
        Self {
            composer: Composer::new(context.n_variables),
            candidates: context.follow.empty_set(),
            facts: Facts::new(context.keys),
            preconditions: empty_word.preconditions().to_vec(),
            actions: empty_word.actions().to_vec(),
            demands: Vec::new(),
        }
    }

    /// Lists the facts about a word with these demands.
    pub(crate) fn list_facts(
        &mut self,
        context: &Context<'_>,
        demands: &[Key],
        known: &KnownDemands,
    ) {
        context
            .keys
            .restore(demands, &mut self.preconditions, &mut self.actions);
        self.facts.list(&self.preconditions, &self.actions, known);
    }

    /// Extends one word, whose demands and cost are given, by each of some letters that may follow.
    /// With each letter comes the longest proper suffix of the new word, which is kept: every other
    /// letter would make a word whose end is redundant or impossible.
    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of the search, borrowed one by one"
    )]
    pub(crate) fn extend(
        &mut self,
        context: &Context<'_>,
        tree: &DiscriminationTree,
        known: &KnownDemands,
        costs: Costs<'_>,
        parent: WordId,
        (parent_demands, parent_cost): (&[Key], u64),
        letters: impl Iterator<Item = (RuleId, WordId)>,
        result: &mut Extensions,
    ) {
        context
            .keys
            .restore(parent_demands, &mut self.preconditions, &mut self.actions);
        context
            .follow
            .candidates(&self.actions, &mut self.candidates);
        for (letter, suffix) in letters {
            if !self.candidates.contains(letter) {
                continue;
            }
            result.composed += 1;
            self.composer
                .load_parts(&self.preconditions, &self.actions, parent_cost);
            if self
                .composer
                .append(&context.rules[letter.index()])
                .is_err()
            {
                result.invalid += 1;
                continue;
            }
            let (p, a) = (self.composer.preconditions(), self.composer.actions());
            if context.admits.is_some_and(|admits| !admits(p)) {
                result.invalid += 1;
                result.unreachable += 1;
                continue;
            }
            let cost = self.composer.cost();
            self.facts.list(p, a, known);
            match tree.find(&self.facts, WordId(u32::MAX), cost, costs) {
                Some(replacement) => result.redundant.push(Redundant {
                    parent,
                    letter,
                    replacement,
                }),
                None => {
                    self.demands.clear();
                    context.keys.push_demands(p, a, &mut self.demands);
                    result.demands.push(&self.demands);
                    result.candidates.push(Extension {
                        parent,
                        letter,
                        suffix,
                        cost,
                    });
                }
            }
        }
    }
}
