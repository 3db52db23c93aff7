//! Estimates from what pairs of facts cost.

use std::ops::Range;

use budget::Watch;
use invariants::Invariants;
use psvn_ir::Game;
use search::{DEAD_END, Heuristic};

use super::idle::Idle;
use super::reached::UNREACHED;
use super::relaxed::Relaxed;
use crate::effort::Effort;
use crate::refusal::Refusal;

/// h²: what a goal costs if several facts cost as much as the most expensive two of them (Haslum &
/// Geffner 2000, "Admissible Heuristics for Optimal Planning"). Admissible and consistent.
///
/// Rules with unknowns are replaced by their instances, as for
/// [`LandmarkCut`](crate::LandmarkCut); games with too many of them are refused.
///
/// An estimate goes through all instances and facts until no pair becomes cheaper, which takes a
/// hundred to a thousand times as long as h-max.
#[derive(Clone, Debug)]
pub struct PairCosts {
    relaxed: Relaxed,
    /// By action: the facts that it keeps.
    kept: Vec<Vec<Range<u32>>>,
    idle: Idle<Memory>,
}

#[derive(Default)]
struct Memory {
    costs: Vec<u64>,
    facts: Vec<u32>,
}

impl PairCosts {
    /// Make the heuristic for a game and states that satisfy the invariants.
    ///
    /// # Errors
    /// If the game has no goal, or too many rules and values.
    pub fn new(game: &Game, known: &Invariants) -> Result<Self, Refusal> {
        Self::within(game, known, &Effort::within(&Watch::default()))
    }

    /// The same within limits on time and memory.
    pub(crate) fn within(
        game: &Game,
        known: &Invariants,
        effort: &Effort<'_>,
    ) -> Result<Self, Refusal> {
        let relaxed = Relaxed::for_tuples(game, known, 2, effort)?;
        Ok(Self {
            kept: relaxed.kept(),
            relaxed,
            idle: Idle::default(),
        })
    }

    /// Carry out each action once, and return whether some pair became cheaper.
    fn sweep(&self, pairs: &mut Pairs<'_>) -> bool {
        let mut is_changed = false;
        for (action, kept) in (0..).zip(&self.kept) {
            let needs = self.relaxed.needs.of(action);
            let needed = pairs.of_all(needs);
            if needed == UNREACHED {
                continue;
            }
            let rule = self.relaxed.rules[action as usize] as usize;
            let cost = self.relaxed.costs[rule];
            let adds = self.relaxed.adds.of(action);
            let after = |needed: u64| needed.saturating_add(cost).min(DEAD_END - 1);
            for (number, fact) in adds.iter().enumerate() {
                for other in &adds[number..] {
                    is_changed |= pairs.reach(*fact, *other, after(needed));
                }
            }
            for fact in kept.iter().cloned().flatten() {
                let with = needs.iter().map(|need| pairs.of(*need, fact));
                let needed = with.fold(needed.max(pairs.of(fact, fact)), u64::max);
                if needed == UNREACHED {
                    continue;
                }
                for added in adds {
                    is_changed |= pairs.reach(*added, fact, after(needed));
                }
            }
        }
        is_changed
    }
}

impl Heuristic for PairCosts {
    fn estimate(&self, state: &[u32]) -> u64 {
        self.idle.with(Memory::default, |Memory { costs, facts }| {
            self.relaxed.put_facts(state, facts);
            facts.push(self.relaxed.always);
            let mut pairs = Pairs::new(self.relaxed.n_facts, costs);
            for (number, fact) in facts.iter().enumerate() {
                for other in &facts[number..] {
                    pairs.reach(*fact, *other, 0);
                }
            }
            while self.sweep(&mut pairs) {}
            pairs.of(self.relaxed.goal, self.relaxed.goal)
        })
    }
}

/// What pairs of facts cost; a fact and itself are a pair, too.
struct Pairs<'m> {
    n_facts: usize,
    /// By pair, in both orders.
    costs: &'m mut Vec<u64>,
}

impl<'m> Pairs<'m> {
    /// No pair is reached.
    fn new(n_facts: usize, costs: &'m mut Vec<u64>) -> Self {
        costs.clear();
        costs.resize(n_facts * n_facts, UNREACHED);
        Self { n_facts, costs }
    }

    #[inline]
    fn of(&self, one: u32, other: u32) -> u64 {
        self.costs[one as usize * self.n_facts + other as usize]
    }

    /// Return the cost of the most expensive pair of some facts.
    fn of_all(&self, facts: &[u32]) -> u64 {
        let pairs = facts.iter().enumerate().flat_map(|(number, fact)| {
            let others = facts[number..].iter();
            others.map(move |other| self.of(*fact, *other))
        });
        pairs.max().unwrap_or(0)
    }

    /// Note a cost of a pair, and return whether it was greater.
    fn reach(&mut self, one: u32, other: u32, cost: u64) -> bool {
        let is_less = cost < self.of(one, other);
        if is_less {
            self.costs[one as usize * self.n_facts + other as usize] = cost;
            self.costs[other as usize * self.n_facts + one as usize] = cost;
        }
        is_less
    }
}
