//! Extending kept words by one letter.

use std::sync::atomic::{AtomicBool, Ordering};

use budget::{StopReason, Watch};
use macro_compose::{Composer, PreparedRule};
use psvn_ir::{CanonicalRule, RuleId, Term};

use crate::analysis::follow::{FollowIndex, RuleSet};
use crate::analysis::options::Admits;
use crate::generalization::closed::Closure;
use crate::generalization::demands::{Facts, Key, KeySpace, KnownDemands};
use crate::generalization::retrieval::{Costs, DiscriminationTree};
use crate::words::WordId;

/// Lists of demands, one after the other, of words to compare.
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

    pub(crate) fn bytes(&self) -> usize {
        self.keys.capacity() * size_of::<Key>() + self.ends.capacity() * size_of::<usize>()
    }
}

/// A word that extends a kept one by one letter.
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

/// The result of extending some words, in order.
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
    /// Their blind changes that weren't known yet.
    pub(crate) blind: Vec<Key>,
}

impl Extensions {
    /// Return the demands of the candidates, in order.
    pub(crate) fn demand_lists(&self) -> impl Iterator<Item = &[Key]> {
        (0..self.candidates.len()).map(|i| self.demands.get(i))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.demands.bytes()
            + self.candidates.capacity() * size_of::<Extension>()
            + self.redundant.capacity() * size_of::<Redundant>()
            + self.blind.capacity() * size_of::<Key>()
    }
}

/// What a replacement may cost, among the words that come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ComparedCosts {
    /// They all cost no more.
    None,
    /// It must cost no more.
    NoMore,
    /// It must cost less.
    Less,
}

/// The game and the knowledge about it; shared between threads.
pub(crate) struct Context<'a> {
    pub(crate) n_variables: usize,
    pub(crate) rules: Vec<PreparedRule>,
    pub(crate) follow: FollowIndex,
    pub(crate) keys: KeySpace,
    pub(crate) admits: Option<&'a dyn Admits>,
    /// Whether all rules cost the same.
    pub(crate) uniform: bool,
    compared: ComparedCosts,
    /// Whether some word was redundant only because of knowledge beyond its preconditions.
    pub(crate) uses_implied: AtomicBool,
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        n_variables: usize,
        rules: &[CanonicalRule],
        keys: KeySpace,
        admits: Option<&'a dyn Admits>,
        compared: ComparedCosts,
    ) -> Self {
        Self {
            n_variables,
            rules: rules.iter().map(PreparedRule::new).collect(),
            follow: FollowIndex::new(n_variables, rules),
            keys,
            admits,
            uniform: cost_the_same(rules),
            compared,
            uses_implied: AtomicBool::new(false),
        }
    }

    /// Return the most that a replacement for a word of a cost may cost; `None` if there is none.
    fn most_cost(&self, cost: u64) -> Option<u64> {
        match self.compared {
            ComparedCosts::None | ComparedCosts::NoMore => Some(cost),
            ComparedCosts::Less => cost.checked_sub(1),
        }
    }

    /// Note that a word was found redundant.
    fn note_redundant(&self, is_more: bool) {
        if is_more {
            self.uses_implied.store(true, Ordering::Relaxed);
        }
    }
}

/// The data for extending and comparing words; shared between threads.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'a> {
    pub(crate) context: &'a Context<'a>,
    pub(crate) tree: &'a DiscriminationTree,
    pub(crate) known: &'a KnownDemands,
    pub(crate) costs: Costs<'a>,
    pub(crate) watch: &'a Watch,
    /// The bytes held besides the results.
    pub(crate) held: usize,
}

/// The number of words that a worker makes or compares between two checks of the limits. A word may
/// take a tenth of a millisecond, where invariants imply much.
const WORDS_BETWEEN_CHECKS: u32 = 64;

/// Count a word, and check the limits every [`WORDS_BETWEEN_CHECKS`] words.
#[inline]
fn look(unchecked: &mut u32, watch: &Watch, bytes: usize) -> Result<(), StopReason> {
    *unchecked += 1;
    if *unchecked < WORDS_BETWEEN_CHECKS {
        return Ok(());
    }
    *unchecked = 0;
    watch.check_resources(bytes)
}

/// Return whether all rules cost the same.
pub(crate) fn cost_the_same(rules: &[CanonicalRule]) -> bool {
    rules
        .windows(2)
        .all(|pair| pair[0].cost() == pair[1].cost())
}

/// Return the cost of a sequence; the search over words has checked that it fits.
pub(crate) fn cost_of(composer: &Composer) -> u64 {
    u64::try_from(composer.cost()).expect("costs of all words were checked to fit")
}

/// Return whether all words up to a length cost less than 2^64.
pub(crate) fn costs_fit(rules: &[CanonicalRule], max_length: usize) -> bool {
    let most = rules.iter().map(CanonicalRule::cost).max().unwrap_or(0);
    u128::from(most) * max_length as u128 <= u128::from(u64::MAX)
}

/// Scratch space for composing a sequence, and for the facts about it.
pub(crate) struct Bench {
    pub(crate) composer: Composer,
    pub(crate) facts: Facts,
    pub(crate) closure: Closure,
    pub(crate) preconditions: Vec<Term>,
    pub(crate) actions: Vec<Term>,
}

impl Bench {
    pub(crate) fn new(n_variables: usize, keys: KeySpace) -> Self {
        let empty_word = CanonicalRule::identity(n_variables);
        Self {
            composer: Composer::new(n_variables),
            facts: Facts::new(keys),
            closure: Closure::default(),
            preconditions: empty_word.preconditions().to_vec(),
            actions: empty_word.actions().to_vec(),
        }
    }

    /// List the facts about a sequence with these demands, which some state that matters allows.
    /// Return whether knowledge adds facts to its preconditions.
    pub(crate) fn list_facts(
        &mut self,
        keys: KeySpace,
        demands: &[Key],
        known: &KnownDemands,
        admits: Option<&dyn Admits>,
    ) -> bool {
        keys.restore(demands, &mut self.preconditions, &mut self.actions);
        let closure = &mut self.closure;
        let closed = closure.close(admits, &self.preconditions, &self.actions);
        let closed = closed.expect("what no state allows isn't kept");
        self.facts.list(closed.preconditions, closed.actions, known);
        closed.is_more
    }
}

/// The scratch space of a thread.
pub(crate) struct Worker {
    bench: Bench,
    candidates: RuleSet,
    /// The demands of the word to extend, and of a longer one.
    pub(crate) parent_demands: Vec<Key>,
    demands: Vec<Key>,
    /// The words made or compared since the last check of the limits.
    unchecked: u32,
}

impl Worker {
    pub(crate) fn new(context: &Context<'_>) -> Self {
        Self {
            bench: Bench::new(context.n_variables, context.keys),
            candidates: context.follow.empty_set(),
            parent_demands: Vec::new(),
            demands: Vec::new(),
            unchecked: 0,
        }
    }

    /// Return the first word before `before` that makes one with these demands redundant.
    ///
    /// # Errors
    /// When the time is up or the caller asks to stop. Memory isn't checked, since a comparison
    /// takes none.
    pub(crate) fn find(
        &mut self,
        shared: &Shared<'_>,
        demands: &[Key],
        before: WordId,
        cost: u64,
    ) -> Result<Option<WordId>, StopReason> {
        look(&mut self.unchecked, shared.watch, 0)?;
        let context = shared.context;
        let is_more = self
            .bench
            .list_facts(context.keys, demands, shared.known, context.admits);
        let (facts, costs) = (&self.bench.facts, shared.costs);
        let most = context.most_cost(cost);
        let found = most.and_then(|most| shared.tree.find(facts, before, most, costs));
        if found.is_some() {
            context.note_redundant(is_more);
        }
        Ok(found)
    }

    /// Extend one word, whose demands are [`parent_demands`](Self::parent_demands), by each of some
    /// letters. Each letter comes with the longest proper suffix of the new word, which must be
    /// kept: with any other letter, the new word's end would be redundant or impossible.
    ///
    /// If a limit is reached on the way, the result must be discarded.
    pub(crate) fn extend(
        &mut self,
        shared: &Shared<'_>,
        parent: WordId,
        parent_cost: u64,
        letters: impl Iterator<Item = (RuleId, WordId)>,
        result: &mut Extensions,
    ) -> Result<(), StopReason> {
        let Shared {
            context,
            tree,
            known,
            costs,
            ..
        } = *shared;
        let Bench {
            composer,
            facts,
            closure,
            preconditions,
            actions,
        } = &mut self.bench;
        context
            .keys
            .restore(&self.parent_demands, preconditions, actions);
        context.follow.candidates(actions, &mut self.candidates);
        for (letter, suffix) in letters {
            if !self.candidates.contains(letter) {
                continue;
            }
            // The results are stored a second time before this copy is freed.
            let held = shared.held + 2 * result.bytes();
            look(&mut self.unchecked, shared.watch, held)?;
            result.composed += 1;
            composer.load_parts(preconditions, actions, parent_cost);
            if composer.append(&context.rules[letter.index()]).is_err() {
                result.invalid += 1;
                continue;
            }
            let (p, a) = (composer.preconditions(), composer.actions());
            let Some(closed) = closure.close(context.admits, p, a) else {
                result.invalid += 1;
                result.unreachable += 1;
                continue;
            };
            let cost = cost_of(composer);
            facts.list(closed.preconditions, closed.actions, known);
            let most = context.most_cost(cost);
            match most.and_then(|most| tree.find(facts, WordId(u32::MAX), most, costs)) {
                Some(replacement) => {
                    context.note_redundant(closed.is_more);
                    result.redundant.push(Redundant {
                        parent,
                        letter,
                        replacement,
                    });
                }
                None => {
                    known.list_blind(context.keys, (p, a), closed, &mut result.blind);
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
        Ok(())
    }
}
