//! Tables of abstract games, computed state by state.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use abstraction::{AbstractGame, Abstraction, Share};
use ahash::AHashMap;
use budget::Watch;
use psvn_ir::{Game, State, Value, VarId};
use search::{Direction, PackedStates};

use crate::error::{CertificateError, GREATEST};

/// The number of states after which the limits are checked again.
pub(crate) const STATES_AT_ONCE: usize = 1024;

/// The most rules of an abstract game. Beyond it the table costs more than it saves.
const MOST_RULES: usize = 100_000;

/// The bytes that an abstract state takes beside its words, while the table is computed.
const BYTES_OF_ENTRY: usize = 64;

/// The bytes of a step between two abstract states.
const BYTES_OF_STEP: usize = 16;

/// The least costs from abstract states to abstract goals.
pub(crate) struct AbstractTable {
    abstract_game: AbstractGame,
    states: PackedStates,
    number_of: AHashMap<Box<[u64]>, u32>,
    /// For each abstract state, by its number; [`GREATEST`] where no goal can be reached.
    costs: Vec<u64>,
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
        let states = PackedStates::new(abstract_game.game());
        let first = State::new(abstract_game.abstract_state(start.values()));
        let first = states.pack(&first).expect("a state of the abstract game");
        let space = Space::explore(&abstract_game, &states, first.into(), most_entries, watch)?;
        let Some(space) = space else {
            return Ok(None);
        };
        let costs = space.costs_to_goals(watch)?;
        let capped = |cost: Option<u64>| cost.map_or(GREATEST, |cost| cost.min(GREATEST));
        Ok(Some(Self {
            costs: costs.into_iter().map(capped).collect(),
            number_of: space.number_of,
            states,
            abstract_game,
        }))
    }

    /// The cost of the image of a state; 0 if it isn't in the table.
    pub(crate) fn estimate(&self, state: &[Value]) -> u64 {
        let image = State::new(self.abstract_game.abstract_state(state));
        let image = self.states.pack(&image);
        let image = image.expect("a state of the abstract game");
        let number = self.number_of.get(&*image);
        number.map_or(0, |number| self.costs[*number as usize])
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

    pub(crate) fn n_entries(&self) -> usize {
        self.costs.len()
    }

    /// The greatest cost; [`GREATEST`] or more if some state has no plan.
    pub(crate) fn greatest(&self) -> u64 {
        self.costs.iter().copied().max().unwrap_or(0)
    }

    /// All abstract states with their costs.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (State, u64)> {
        let entries = self.number_of.iter();
        entries.map(|(state, number)| (self.states.unpack(state), self.costs[*number as usize]))
    }
}

/// The abstract states that can be reached, with the steps between them.
struct Space {
    number_of: AHashMap<Box<[u64]>, u32>,
    /// From and to, with the cost.
    steps: Vec<(u32, u32, u64)>,
    /// The numbers of the goal states.
    goals: Vec<u32>,
}

impl Space {
    fn explore(
        abstract_game: &AbstractGame,
        states: &PackedStates,
        first: Box<[u64]>,
        most_entries: usize,
        watch: &Watch,
    ) -> Result<Option<Self>, CertificateError> {
        let game = abstract_game.game();
        let bytes_of_state = BYTES_OF_ENTRY + 2 * size_of_val(&*first);
        let mut space = Self {
            number_of: AHashMap::from_iter([(first.clone(), 0)]),
            steps: Vec::new(),
            goals: Vec::new(),
        };
        let mut moves = states.moves(Direction::Forward);
        let mut waiting = vec![(0_u32, first)];
        let mut n_expanded = 0_usize;
        while let Some((number, state)) = waiting.pop() {
            if n_expanded.is_multiple_of(STATES_AT_ONCE) {
                let n_bytes = space.number_of.len() * bytes_of_state;
                watch.check_resources(n_bytes + space.steps.len() * BYTES_OF_STEP)?;
            }
            n_expanded += 1;
            if game.is_goal(states.unpack(&state).values()) {
                space.goals.push(number);
            }
            moves.each(&state, |rule, next| {
                let n_known = space.number_of.len() as u32;
                let to = match space.number_of.get(next) {
                    Some(known) => *known,
                    None => {
                        let next: Box<[u64]> = next.into();
                        space.number_of.insert(next.clone(), n_known);
                        waiting.push((n_known, next));
                        n_known
                    }
                };
                // A step that leads nowhere is on no shortest way.
                if to != number {
                    let cost = game.rule(rule).canonical.cost();
                    space.steps.push((number, to, cost));
                }
            });
            if space.number_of.len() > most_entries {
                return Ok(None);
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
