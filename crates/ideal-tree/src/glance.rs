//! The check whether more could be pruned near a start than a machine does.

use std::collections::HashMap;

use ahash::RandomState;
use budget::{Limits, StopReason};
use fsm::Machine;
use psvn_ir::{Game, State};

use crate::Order;
use crate::comparison::Question;
use crate::space::Space;
use crate::work::Work;

/// The result of examining a machine at the states nearest to a start.
///
/// Two sequences that a machine allows and that lead from one state to the same one are a gap: one
/// of them could be pruned there. A machine without gaps leaves the ideal tree, as each least
/// sequence is allowed. (If cheaper but longer sequences come first, a machine may leave more than
/// that without such pairs.) Finding gaps takes much less than a [comparison](crate::Comparison):
/// only the machine's own sequences are enumerated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glance {
    /// The number of moves from the start up to which all states were examined.
    pub depth: usize,
    /// Whether one of them has a gap.
    pub has_gap: bool,
    /// The nodes of the machine's tree by depth, from the root down to this one.
    pub nodes: Vec<u128>,
    /// Whether no other states can be reached.
    pub is_all: bool,
}

impl Glance {
    /// Examine the states nearest to a start, one distance after the other, until there is a gap,
    /// or up to the depth of the question, as far as limits and steps allow. `None` if not even the
    /// neighbors of the start can be examined.
    ///
    /// The steps taken are subtracted from `steps`, which count as for
    /// [`Surroundings`](crate::Surroundings).
    ///
    /// # Panics
    /// When the start or the machine belongs to another game.
    pub fn at<M: Machine>(
        game: &Game,
        start: &State,
        machine: &M,
        question: &Question<'_>,
        limits: &Limits,
        steps: &mut u64,
    ) -> Option<Self> {
        let work = Work::new(limits.clone(), *steps);
        let mut look = Look {
            space: Space::at(game, start, question.rule_order),
            machine,
            order: question.order,
            max_length: question.max_length,
            reached: Vec::new(),
            search: 0,
            frontier: HashMap::from_iter([((0, machine.start()), 1)]),
            seen: Self {
                depth: 0,
                has_gap: false,
                nodes: vec![1],
                is_all: false,
            },
        };
        let mut seen = None;
        for depth in 0..=question.depth {
            if look.see(game, depth, &work).is_err() {
                break;
            }
            seen = Some(look.seen.clone());
            if look.seen.is_all || look.seen.has_gap && depth > 0 {
                break;
            }
        }
        *steps = work.steps_left();
        seen.filter(|seen| seen.depth > 0 || seen.is_all)
    }
}

struct Look<'a, M: Machine> {
    space: Space,
    machine: &'a M,
    order: Order,
    max_length: usize,
    /// For each state, the number of the last search that reached it, and the least cost of a
    /// sequence to it in that search.
    reached: Vec<(u32, u64)>,
    search: u32,
    /// The nodes at the last depth: their number at each state with each machine state.
    frontier: HashMap<(u32, M::State), u128, RandomState>,
    seen: Glance,
}

impl<M: Machine> Look<'_, M> {
    /// Examine the states at a distance from the start, after the nearer ones.
    fn see(&mut self, game: &Game, depth: usize, work: &Work) -> Result<(), StopReason> {
        let horizon = depth.saturating_add(self.max_length);
        while !self.space.is_closed() && self.space.radius() < horizon {
            self.space.grow(game, work)?;
        }
        self.reached.resize(self.space.len(), (0, 0));
        let before = depth.checked_sub(1).map_or(0, |it| self.space.n_within(it));
        for state in before..self.space.n_within(depth) {
            let state = u32::try_from(state).expect("states have numbers of 32 bits");
            if self.has_gap_at(state, work)? {
                self.seen.has_gap = true;
                break;
            }
        }
        if depth > 0 {
            self.count(work)?;
        }
        self.seen.depth = depth;
        self.seen.is_all = self.space.is_all_within(depth);
        Ok(())
    }

    /// Return whether two sequences that the machine allows lead from a state to the same one, and
    /// the first one costs no more.
    fn has_gap_at(&mut self, state: u32, work: &Work) -> Result<bool, StopReason> {
        self.search += 1;
        self.reached[state as usize] = (self.search, 0);
        let mut level = vec![(state, self.machine.start(), 0)];
        for _ in 0..self.max_length {
            let mut next = Vec::new();
            for (end, memory, cost) in level {
                let edges = self.space.edges(end);
                work.step(edges.len())?;
                for edge in edges {
                    let Some(memory) = self.machine.next(memory, edge.rule) else {
                        continue;
                    };
                    let cost = cost + self.space.cost(edge.rule);
                    let (search, least) = &mut self.reached[edge.target as usize];
                    let is_gap = match self.order {
                        Order::LengthLexicographic => *least <= cost,
                        // Whichever is cheaper comes first.
                        Order::CostLengthLexicographic => true,
                    };
                    if *search == self.search && is_gap {
                        return Ok(true);
                    }
                    (*search, *least) = (self.search, cost);
                    next.push((edge.target, memory, cost));
                }
            }
            level = next;
        }
        Ok(false)
    }

    /// Count the nodes one move further.
    #[expect(clippy::iter_over_hash_type, reason = "sums don't depend on the order")]
    fn count(&mut self, work: &Work) -> Result<(), StopReason> {
        let mut next: HashMap<(u32, M::State), u128, RandomState> = HashMap::default();
        let mut total = 0_u128;
        for ((state, memory), number) in &self.frontier {
            let edges = self.space.edges(*state);
            work.step(edges.len())?;
            for edge in edges {
                if let Some(memory) = self.machine.next(*memory, edge.rule) {
                    *next.entry((edge.target, memory)).or_default() += number;
                    total = total.checked_add(*number).ok_or(StopReason::TooLarge)?;
                }
            }
        }
        self.frontier = next;
        self.seen.nodes.push(total);
        Ok(())
    }
}
