//! Tables of abstract games, computed state by state.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use abstraction::{AbstractGame, Abstraction, Share};
use ahash::AHashMap;
use budget::Watch;
use psvn_ir::{Game, State, Value, VarId};

use crate::closed::STATES_AT_ONCE;
use crate::error::{CertificateError, GREATEST};

/// The most rules of an abstract game. Beyond it the table costs more than it saves.
const MOST_RULES: usize = 100_000;

/// The bytes that an abstract state takes beside its values, while the table is computed.
const BYTES_OF_ENTRY: usize = 64;

/// The bytes of a step between two abstract states.
const BYTES_OF_STEP: usize = 16;

/// The least costs from abstract states to abstract goals.
pub(crate) struct AbstractTable {
    abstract_game: AbstractGame,
    /// [`GREATEST`] where no goal can be reached.
    costs: AHashMap<Box<[Value]>, u64>,
}

impl AbstractTable {
    /// Compute the costs of all abstract states that can be reached from that of the start; `None`
    /// if they are more than `most_entries`, or the abstract game has too many rules.
    ///
    /// Takes time and memory for each step between two of these states.
    pub(crate) fn compute(
        game: &Game,
        abstraction: &Abstraction,
        share: &Share<'_>,
        start: &State,
        most_entries: usize,
        watch: &Watch,
    ) -> Result<Option<Self>, CertificateError> {
        let Ok(abstract_game) = AbstractGame::with_share(game, abstraction, share, MOST_RULES)
        else {
            return Ok(None);
        };
        let Some(space) = Space::explore(&abstract_game, start, most_entries, watch)? else {
            return Ok(None);
        };
        let costs = space.costs_to_goals(watch)?;
        let capped = |cost: Option<u64>| cost.map_or(GREATEST, |cost| cost.min(GREATEST));
        Ok(Some(Self {
            costs: space
                .number_of
                .into_iter()
                .map(|(state, number)| (state, capped(costs[number as usize])))
                .collect(),
            abstract_game,
        }))
    }

    /// The cost of the image of a state; 0 if it isn't in the table.
    pub(crate) fn estimate(&self, state: &[Value]) -> u64 {
        let image = self.abstract_game.abstract_state(state);
        self.costs.get(&image).copied().unwrap_or(0)
    }

    /// For each variable that is kept, its number, from 0, and the abstract value of each of its
    /// values.
    pub(crate) fn maps(&self) -> impl Iterator<Item = (usize, Vec<u32>)> {
        let kept = self.abstract_game.variables().iter().enumerate();
        kept.map(|(position, var)| {
            let values = self.abstract_game.values(VarId::from_index(position));
            (var.index(), values.iter().map(|value| value.0).collect())
        })
    }

    /// The entries that aren't 0.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&[Value], u64)> {
        let entries = self.costs.iter().filter(|(_, cost)| **cost > 0);
        entries.map(|(state, cost)| (&**state, *cost))
    }
}

/// The abstract states that can be reached, with the steps between them.
struct Space {
    number_of: AHashMap<Box<[Value]>, u32>,
    /// From and to, with the cost.
    steps: Vec<(u32, u32, u64)>,
    /// The numbers of the goal states.
    goals: Vec<u32>,
}

impl Space {
    fn explore(
        abstract_game: &AbstractGame,
        start: &State,
        most_entries: usize,
        watch: &Watch,
    ) -> Result<Option<Self>, CertificateError> {
        let game = abstract_game.game();
        let first = abstract_game.abstract_state(start.values());
        let bytes_of_state = BYTES_OF_ENTRY + 2 * size_of_val(&*first);
        let mut space = Self {
            number_of: AHashMap::from_iter([(first.clone(), 0)]),
            steps: Vec::new(),
            goals: Vec::new(),
        };
        let mut waiting = vec![(0_u32, first)];
        let mut n_expanded = 0_usize;
        while let Some((number, state)) = waiting.pop() {
            if n_expanded.is_multiple_of(STATES_AT_ONCE) {
                let n_bytes = space.number_of.len() * bytes_of_state;
                watch.check_resources(n_bytes + space.steps.len() * BYTES_OF_STEP)?;
            }
            n_expanded += 1;
            if game.is_goal(&state) {
                space.goals.push(number);
            }
            for rule in game.rules().iter().map(|rule| &rule.canonical) {
                if !rule.applies_to(&state) {
                    continue;
                }
                let next = rule.apply(&state);
                let n_known = space.number_of.len();
                if n_known > most_entries {
                    return Ok(None);
                }
                let to = *space
                    .number_of
                    .entry(next.clone())
                    .or_insert(n_known as u32);
                if to as usize == n_known {
                    waiting.push((to, next));
                }
                space.steps.push((number, to, rule.cost()));
            }
        }
        Ok(Some(space))
    }

    /// For each state the least cost to a goal, if there is a way. (Dijkstra, backward.)
    fn costs_to_goals(&self, watch: &Watch) -> Result<Vec<Option<u64>>, CertificateError> {
        let n_states = self.number_of.len();
        // The steps into a state are those of a range of `into`.
        let mut ends = vec![0_usize; n_states + 1];
        for (_, to, _) in &self.steps {
            ends[*to as usize + 1] += 1;
        }
        for state in 0..n_states {
            ends[state + 1] += ends[state];
        }
        let mut free = ends.clone();
        let mut into = vec![(0, 0); self.steps.len()];
        for (from, to, cost) in &self.steps {
            into[free[*to as usize]] = (*from, *cost);
            free[*to as usize] += 1;
        }
        let mut costs: Vec<Option<u64>> = vec![None; n_states];
        let mut queue: BinaryHeap<Reverse<(u64, u32)>> = BinaryHeap::new();
        for goal in &self.goals {
            costs[*goal as usize] = Some(0);
            queue.push(Reverse((0, *goal)));
        }
        let mut n_expanded = 0_usize;
        while let Some(Reverse((cost, state))) = queue.pop() {
            let state = state as usize;
            if costs[state].is_some_and(|known| known < cost) {
                continue;
            }
            if n_expanded.is_multiple_of(STATES_AT_ONCE) {
                watch.check_resources(0)?;
            }
            n_expanded += 1;
            for (from, step) in &into[ends[state]..ends[state + 1]] {
                let cost = cost.saturating_add(*step);
                if costs[*from as usize].is_none_or(|known| cost < known) {
                    costs[*from as usize] = Some(cost);
                    queue.push(Reverse((cost, *from)));
                }
            }
        }
        Ok(costs)
    }
}
