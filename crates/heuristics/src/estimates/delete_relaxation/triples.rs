//! Estimates from what three facts cost.

use std::iter::zip;
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

/// h³: what a goal costs if several facts cost as much as the most expensive three of them (Haslum
/// & Geffner 2000, "Admissible Heuristics for Optimal Planning"). Admissible and consistent.
///
/// It is made as [`PairCosts`](crate::PairCosts), for small games only: some 160 values of all
/// variables. An estimate takes as long as ten to a hundred of those.
#[derive(Clone, Debug)]
pub struct TripleCosts {
    relaxed: Relaxed,
    /// By action: the facts that it keeps.
    kept: Vec<Vec<Range<u32>>>,
    idle: Idle<Memory>,
}

#[derive(Default)]
struct Memory {
    costs: Vec<u64>,
    facts: Vec<u32>,
    /// The facts that an action keeps and that are reached together with what it needs, with the
    /// cost of both.
    with: Vec<(u32, u64)>,
}

impl TripleCosts {
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
        let relaxed = Relaxed::for_tuples(game, known, 3, effort)?;
        Ok(Self {
            kept: relaxed.kept(),
            relaxed,
            idle: Idle::default(),
        })
    }

    /// Carry out each action once, and return whether some triple became cheaper.
    fn sweep(&self, triples: &mut Triples<'_>, with: &mut Vec<(u32, u64)>) -> bool {
        let mut is_changed = false;
        for (action, kept) in (0..).zip(&self.kept) {
            let needs = self.relaxed.needs.of(action);
            let needed = triples.of_all(needs);
            if needed == UNREACHED {
                continue;
            }
            let rule = self.relaxed.rules[action as usize] as usize;
            let cost = self.relaxed.costs[rule];
            let adds = self.relaxed.adds.of(action);
            let after = |needed: u64| needed.saturating_add(cost).min(DEAD_END - 1);
            is_changed |= triples.reach_all(adds, after(needed));
            with.clear();
            for fact in kept.iter().cloned().flatten() {
                let pairs = needs.iter().enumerate().flat_map(|(number, need)| {
                    let others = needs[number..].iter();
                    others.map(move |other| [fact, *need, *other])
                });
                let greatest = pairs.map(|triple| triples.of(triple)).max();
                let needed = greatest.unwrap_or(0).max(needed);
                if needed != UNREACHED {
                    with.push((fact, needed));
                }
            }
            for (number, (fact, needed)) in with.iter().enumerate() {
                for (number, one) in adds.iter().enumerate() {
                    for other in &adds[number..] {
                        is_changed |= triples.reach([*fact, *one, *other], after(*needed));
                    }
                }
                for (other, also) in &with[number + 1..] {
                    let both = needs.iter().map(|need| triples.of([*fact, *other, *need]));
                    let needed = both.fold(*needed.max(also), u64::max);
                    if needed == UNREACHED {
                        continue;
                    }
                    for added in adds {
                        is_changed |= triples.reach([*fact, *other, *added], after(needed));
                    }
                }
            }
        }
        is_changed
    }
}

impl Heuristic for TripleCosts {
    fn estimate(&self, state: &[u32]) -> u64 {
        let with_memory = |Memory { costs, facts, with }: &mut Memory| {
            self.relaxed.put_facts(state, facts);
            facts.push(self.relaxed.always);
            let mut triples = Triples::new(self.relaxed.n_facts, costs);
            triples.reach_all(facts, 0);
            while self.sweep(&mut triples, with) {}
            let goal = self.relaxed.goal;
            triples.of([goal, goal, goal])
        };
        self.idle.with(Memory::default, with_memory)
    }
}

/// What three facts cost. With one of them twice, it is what two of them cost.
struct Triples<'m> {
    n_facts: usize,
    /// By triple, in all orders.
    costs: &'m mut Vec<u64>,
}

impl<'m> Triples<'m> {
    /// No triple is reached.
    fn new(n_facts: usize, costs: &'m mut Vec<u64>) -> Self {
        costs.clear();
        costs.resize(n_facts * n_facts * n_facts, UNREACHED);
        Self { n_facts, costs }
    }

    #[inline]
    fn place(&self, [one, two, three]: [u32; 3]) -> usize {
        (one as usize * self.n_facts + two as usize) * self.n_facts + three as usize
    }

    #[inline]
    fn of(&self, triple: [u32; 3]) -> u64 {
        self.costs[self.place(triple)]
    }

    /// Return the cost of the most expensive three of some facts.
    fn of_all(&self, facts: &[u32]) -> u64 {
        let triples = triples_of(facts).map(|triple| self.of(triple));
        triples.max().unwrap_or(0)
    }

    /// Note a cost of all triples of some facts, and return whether it was greater for one of them.
    fn reach_all(&mut self, facts: &[u32], cost: u64) -> bool {
        let triples = triples_of(facts);
        triples.fold(false, |is_less, triple| self.reach(triple, cost) | is_less)
    }

    /// Note a cost of a triple, and return whether it was greater.
    fn reach(&mut self, [one, two, three]: [u32; 3], cost: u64) -> bool {
        if cost >= self.of([one, two, three]) {
            return false;
        }
        let mut note = |[one, two, three]: [u32; 3]| {
            let orders = [
                [one, two, three],
                [one, three, two],
                [two, one, three],
                [two, three, one],
                [three, one, two],
                [three, two, one],
            ];
            for order in orders {
                let place = self.place(order);
                self.costs[place] = cost;
            }
        };
        note([one, two, three]);
        // Two facts are there as either of them twice.
        if one == two || two == three {
            note([one, one, three]);
            note([one, three, three]);
        } else if one == three {
            note([one, one, two]);
            note([one, two, two]);
        }
        true
    }
}

/// Return each three of some facts, which may be the same ones.
fn triples_of(facts: &[u32]) -> impl Iterator<Item = [u32; 3]> {
    let rests = (0..facts.len()).map(|first| &facts[first..]);
    zip(facts, rests).flat_map(|(one, rest)| {
        let rests = (0..rest.len()).map(|second| &rest[second..]);
        zip(rest, rests).flat_map(|(two, rest)| {
            let three = rest.iter();
            three.map(|three| [*one, *two, *three])
        })
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use psvn_ir::all_states;
    use psvn_ir::testing::{GameShape, cases, random_game};

    use super::*;
    use crate::cells::cells;
    use crate::estimates::delete_relaxation::pairs::PairCosts;

    /// Return all sets of one fact or more, up to `most` of these, in ascending order.
    fn sets_of(facts: &[u32], most: usize) -> Vec<Vec<u32>> {
        let mut sets: Vec<Vec<u32>> = vec![Vec::new()];
        for fact in facts {
            let smaller = sets.iter().filter(|set| set.len() < most);
            let with: Vec<_> = smaller.map(|set| [&set[..], &[*fact]].concat()).collect();
            sets.extend(with);
        }
        sets.split_off(1)
    }

    /// h^m by its definition: the least fixed point over sets of facts.
    fn by_definition(heuristic: &TripleCosts, m: usize, state: &[u32]) -> u64 {
        let relaxed = &heuristic.relaxed;
        let mut facts = Vec::new();
        relaxed.put_facts(state, &mut facts);
        facts.push(relaxed.always);
        let all: Vec<u32> = (0..relaxed.n_facts as u32).collect();
        let sets = sets_of(&all, m);
        let holds = |set: &Vec<u32>| set.iter().all(|fact| facts.contains(fact));
        let first = |set: &Vec<u32>| if holds(set) { 0 } else { UNREACHED };
        let mut costs: BTreeMap<Vec<u32>, u64> =
            sets.iter().map(|set| (set.clone(), first(set))).collect();
        loop {
            let before = costs.clone();
            for set in &sets {
                for action in 0..relaxed.rules.len() as u32 {
                    let adds = relaxed.adds.of(action);
                    let (added, others): (Vec<u32>, Vec<u32>) =
                        set.iter().partition(|fact| adds.contains(fact));
                    let kept = &heuristic.kept[action as usize];
                    let is_kept = |fact: &u32| kept.iter().any(|facts| facts.contains(fact));
                    if added.is_empty() || !others.iter().all(is_kept) {
                        continue;
                    }
                    let mut needs = [relaxed.needs.of(action), &others].concat();
                    needs.sort_unstable();
                    needs.dedup();
                    let needed = sets_of(&needs, m).iter().map(|it| costs[it]).max();
                    let rule = relaxed.rules[action as usize] as usize;
                    let cost = needed.unwrap_or(0).saturating_add(relaxed.costs[rule]);
                    let known = costs.get_mut(set).expect("all sets are there");
                    *known = cost.min(*known);
                }
            }
            if costs == before {
                return costs[&vec![relaxed.goal]];
            }
        }
    }

    #[test]
    fn estimates_are_those_of_the_definition() {
        let shape = GameShape {
            n_variables: 1..=3,
            n_values: 2..=3,
            ..GameShape::default()
        };
        let (mut n_greater, mut n_finite) = (0, 0);
        for seed in 0..cases(150) {
            let game = random_game(seed, &shape);
            let known = Invariants::none(&game);
            let (Ok(triples), Ok(pairs)) = (
                TripleCosts::new(&game, &known),
                PairCosts::new(&game, &known),
            ) else {
                continue;
            };
            for state in all_states(&game).take(3) {
                let state = cells(&state);
                let estimates = [pairs.estimate(&state), triples.estimate(&state)];
                let expected = [2, 3].map(|m| by_definition(&triples, m, &state));
                assert_eq!(estimates, expected, "seed {seed}");
                n_greater += usize::from(estimates[0] < estimates[1]);
                n_finite += usize::from((1..DEAD_END).contains(&estimates[1]));
            }
        }
        assert!(n_greater > 0 && n_finite > 20, "{n_greater}, {n_finite}");
    }
}
