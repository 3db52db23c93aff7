//! Conserved sets: sets of facts such that no rule changes how many of them hold.

pub(crate) mod balance;
mod classes;
mod exactly_one;
pub(crate) mod fact_set;
mod instances;
mod repair;
pub(crate) mod touching;

use std::collections::{BTreeSet, HashSet};

use ahash::RandomState;
use psvn_ir::{Game, RuleId, State, Term};

use crate::Omission;
use crate::conserved::balance::{Effect, Effects, equations};
use crate::conserved::classes::Classes;
use crate::conserved::fact_set::FactSet;
use crate::conserved::repair::Repair;
use crate::conserved::touching::Touching;
use crate::counts::Count;
use crate::facts::{Fact, FactIndex, MAX_FACTS, unknowns};
use crate::start_set::StartSet;
use crate::violation::{self, Violation, Wanted};

/// The most terms of the rules' equations.
const MAX_TERMS: usize = 50_000_000;
/// The most terms that the search for sets examines, for the whole game.
const SEARCH_BUDGET: usize = 100_000_000;
/// The most entries of rules that are compared with sets in the final check, for the whole game.
const CHECK_BUDGET: usize = 1 << 26;
/// The most sets.
const MAX_SETS: usize = 10_000;

/// A set of facts such that no rule changes how many of them hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConservedSet {
    /// The facts, sorted.
    pub facts: Vec<Fact>,
    /// Whether this is proved only for states in which exactly one of the facts holds.
    pub only_one: bool,
}

impl ConservedSet {
    /// List the rules that change how many of the facts hold: in some state or, for a set with
    /// [`only_one`](Self::only_one), in some state in which exactly one of them holds. The list is
    /// empty for a set that [`find`] returned.
    ///
    /// Takes time linear in the rules' changes times the sizes of the domains. The facts must be
    /// sorted. `None` if the game has no such facts, or too many to number them.
    pub fn broken_by(&self, game: &Game) -> Option<Vec<RuleId>> {
        let index = FactIndex::new(game, MAX_FACTS)?;
        let facts = self.facts.iter();
        let ids: Vec<u32> = facts
            .map(|fact| index.checked_id(*fact))
            .collect::<Option<_>>()?;
        let set = FactSet::new(&index, &ids);
        let breaks = |rule: &psvn_ir::CanonicalRule| {
            let effect = Effect::of(rule, &index);
            !if self.only_one {
                exactly_one::keeps_one(rule, &effect, &index, &set)
            } else {
                effect.balances(&set)
            }
        };
        let broken = game
            .rules_with_ids()
            .filter(|(_, rule)| breaks(&rule.canonical));
        Some(broken.map(|(id, _)| id).collect())
    }
}

/// Sets of facts such that no rule changes how many of the set's facts hold.
///
/// They depend on the game alone. Given start states, they become
/// [`Invariants`](crate::Invariants).
#[derive(Clone, Debug)]
pub struct Conserved {
    sets: Vec<ConservedSet>,
    omissions: Vec<Omission>,
}

/// Find sets of facts such that no rule changes how many of them hold, in any state.
///
/// For a permutation game these are "the places of value c", for each value that moves. In general,
/// facts that the rules tie together are merged, and an unbalanced set is repaired by adding facts,
/// as in Helmert 2009 ("Concise finite-domain representations for PDDL planning tasks", section 5).
/// Finally, every set is checked against every rule.
///
/// Groups of one value that this leaves out are tested for a weaker property: if exactly one of
/// their facts holds, exactly one holds after each rule.
///
/// Not complete: sets with weights other than 1 are not considered; at most one set is kept for
/// each fact that no other set has; the search is bounded (the result's omissions report when the
/// whole search was cut short; the search for one fact ends silently after 400 sets); and sets
/// within one variable are left to the search for values that a variable never holds.
pub fn find(game: &Game) -> Conserved {
    find_unless(game, &|| false)
}

/// Like [`find`], until `stop` returns `true`. The result then has the sets found by then, and
/// [`Omission::Counts`].
pub fn find_unless(game: &Game, stop: &dyn Fn() -> bool) -> Conserved {
    let _span = tracing::info_span!("find invariants").entered();
    let mut omissions = Vec::new();
    let mut sets = Vec::new();
    let index = FactIndex::new(game, MAX_FACTS);
    let found = index.and_then(|index| {
        let equations = equations(game, &index, MAX_TERMS, stop)?;
        Some((Classes::of(&index, equations), index))
    });
    match found {
        None => omissions.push(Omission::Counts),
        Some((classes, index)) => {
            let (ids, complete) = search(game, &index, &classes, stop);
            drop(classes);
            let mut effects_of = Effects::default();
            let rules = game.rules().iter();
            let effects = rules.map(|rule| effects_of.of(&rule.canonical, &index));
            let effects: Vec<Effect> = effects.collect();
            let all_checked;
            (sets, all_checked) = checked(game, &index, &effects, ids, stop);
            if !complete || !all_checked {
                omissions.push(Omission::Counts);
            }
        }
    }
    Conserved { sets, omissions }
}

/// Conserved sets as sorted fact numbers, and whether the search was complete.
fn search(
    game: &Game,
    index: &FactIndex,
    classes: &Classes,
    stop: &dyn Fn() -> bool,
) -> (Vec<Vec<u32>>, bool) {
    let mut repair = Repair::new(index, classes, game.n_variables(), SEARCH_BUDGET);
    let mut covered = vec![false; index.n_facts()];
    let mut sets: Vec<Vec<u32>> = Vec::new();
    for seed in 0..classes.members.len() {
        if !repair.has_budget() || sets.len() >= MAX_SETS || stop() {
            return (sets, false);
        }
        if covered[classes.members[seed][0] as usize] {
            continue;
        }
        let Some(found) = repair.find(seed as u32) else {
            continue;
        };
        let members = found
            .iter()
            .flat_map(|class| &classes.members[*class as usize]);
        let mut facts: Vec<u32> = members.copied().collect();
        facts.sort_unstable();
        for fact in &facts {
            covered[*fact as usize] = true;
        }
        sets.push(facts);
    }
    (sets, true)
}

/// The facts of a set's variables that don't belong to it. One fact of each of the n variables
/// holds, so k facts of the set hold exactly if n - k of these hold.
fn complement(index: &FactIndex, facts: &[u32]) -> Vec<u32> {
    let all = vars_of(index, facts)
        .into_iter()
        .flat_map(|var| index.of_var(var));
    all.filter(|fact| facts.binary_search(fact).is_err())
        .collect()
}

/// The number of facts in the complement, which may be far more than in the set.
fn complement_len(index: &FactIndex, facts: &[u32]) -> usize {
    let vars = vars_of(index, facts).into_iter();
    vars.map(|var| index.domain_size(var)).sum::<usize>() - facts.len()
}

fn vars_of(index: &FactIndex, facts: &[u32]) -> Vec<usize> {
    let mut vars: Vec<usize> = facts.iter().map(|fact| index.var(*fact)).collect();
    vars.dedup();
    vars
}

/// The same representative for a set and its complement, which are conserved together.
fn representative(index: &FactIndex, facts: &[u32]) -> Vec<u32> {
    let len = complement_len(index, facts);
    if len > facts.len() {
        return facts.to_vec();
    }
    let other = complement(index, facts);
    if len < facts.len() || other.as_slice() < facts {
        return other;
    }
    facts.to_vec()
}

/// The sets over several variables that really are conserved, by the definition, and those that
/// keep exactly one true fact. Also returns whether all were checked before `stop` returned true.
fn checked(
    game: &Game,
    index: &FactIndex,
    effects: &[Effect],
    sets: Vec<Vec<u32>>,
    stop: &dyn Fn() -> bool,
) -> (Vec<ConservedSet>, bool) {
    let mut kept = Vec::new();
    let mut seen: HashSet<Vec<u32>, RandomState> = HashSet::default();
    let touching = Touching::new(index, effects);
    let conserved = sets.into_iter().map(|set| (set, false));
    let weaker = exactly_one::candidates(index, effects);
    let mut budget = CHECK_BUDGET;
    for (set, only_one) in conserved.chain(weaker.into_iter().map(|set| (set, true))) {
        if budget == 0 || stop() {
            return (kept, false);
        }
        budget = budget.saturating_sub(touching.work(index, &set));
        let several = set.first().map(|f| index.var(*f)) != set.last().map(|f| index.var(*f));
        if !several || seen.contains(&representative(index, &set)) {
            continue;
        }
        let facts = FactSet::new(index, &set);
        let kept_by_all = if only_one {
            let keeps = |number: u32| {
                let rule = &game.rules()[number as usize].canonical;
                exactly_one::keeps_one(rule, &effects[number as usize], index, &facts)
            };
            touching.rules(index, &set).into_iter().all(keeps)
        } else {
            touching.conserve(index, &set, &facts)
        };
        if kept_by_all {
            let facts = set.iter().map(|fact| index.fact(*fact)).collect();
            kept.push(ConservedSet { facts, only_one });
            seen.insert(representative(index, &set));
        }
    }
    (kept, true)
}

impl Conserved {
    /// Return the sets.
    pub fn sets(&self) -> &[ConservedSet] {
        &self.sets
    }

    /// Explain why no goal state can be reached from a state: the number of true facts of a set,
    /// which no rule changes, differs from that in every goal state. `None` if the sets don't show
    /// this.
    ///
    /// Takes time linear in the sets, for each goal. Sets with [`only_one`](ConservedSet::only_one)
    /// prove nothing here, since their number may change if it isn't one.
    ///
    /// # Panics
    /// If the state or a goal belongs to another game.
    pub fn separation(&self, game: &Game, state: &State, goals: &[StartSet]) -> Option<Violation> {
        let index = FactIndex::new(game, MAX_FACTS)?;
        let mut first = None;
        let mut numbers = BTreeSet::new();
        let mut is_one_set = true;
        for goal in goals {
            let (set, count, found) = self
                .sets
                .iter()
                .enumerate()
                .filter(|(_, set)| !set.only_one)
                .find_map(|(number, set)| {
                    let facts = set.facts.iter();
                    let ids: Vec<u32> = facts.filter_map(|f| index.checked_id(*f)).collect();
                    let wanted = number_in(&index, &ids, goal.pattern())?;
                    let count = Count::new(&index, ids, wanted);
                    let found = count.number_in(&index, state.values());
                    (found != wanted).then_some((number, count, found))
                })?;
            numbers.insert(count.number);
            let (first_set, ..) = *first.get_or_insert((set, count, found));
            is_one_set &= set == first_set;
        }
        let (_, count, found) = first?;
        let wanted = if is_one_set {
            Wanted::InAllGoals(numbers)
        } else {
            Wanted::InFirstGoal(count.number)
        };
        Some(violation::separation(game, &index, &count, found, &wanted))
    }
}

/// The number of facts of a set that hold in every matching state, if it is the same in all.
fn number_in(index: &FactIndex, set: &[u32], pattern: &[Term]) -> Option<u32> {
    let holds = |var: usize, value: u32| {
        set.binary_search(&(index.of_var(var).start + value))
            .is_ok()
    };
    let constants = pattern.iter().enumerate();
    let mut number = constants
        .filter_map(|(var, term)| Some(holds(var, term.as_constant()?.0)))
        .filter(|holds| *holds)
        .count();
    for members in unknowns(pattern) {
        let count = |value: u32| members.iter().filter(|var| holds(**var, value)).count();
        let size = index.domain_size(members[0]) as u32;
        let first = count(0);
        if (1..size).any(|value| count(value) != first) {
            return None;
        }
        number += first;
    }
    u32::try_from(number).ok()
}
