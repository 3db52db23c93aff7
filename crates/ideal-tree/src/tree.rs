//! The number of nodes of a tree at each depth, and its growth.

use std::collections::HashMap;
use std::hash::Hash;

use crate::work::Work;
use ahash::RandomState;
use budget::StopReason;

/// The number of nodes between two checks of the limits.
const NODES_BETWEEN_CHECKS: usize = 1024;

/// Growth is measured over this number of moves, so that periods of up to 6 moves cancel out.
const MOVES_OF_GROWTH: usize = 60;

/// The relative difference up to which two measurements of the growth count as equal.
const SAME_GROWTH: f64 = 1e-9;

/// The relative difference from which on two measurements of the growth are inconclusive.
const SIMILAR_GROWTH: f64 = 1e-4;

/// The maximum number of arcs that are followed to find the growth.
const MOST_ARCS: u64 = 100_000_000;

/// The size of a tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// The number of nodes at each depth, from the root on.
    pub nodes: Vec<u128>,
    /// The factor by which the number of nodes grows with each move, in the long run. `None` if it
    /// wasn't requested, not all states lie within the depth, or the factor converges too slowly.
    pub growth: Option<f64>,
}

/// The number of moves over which [`Tree::recent_growth`] is a mean.
const RECENT_MOVES: usize = 4;

impl Tree {
    /// Return the factor by which the number of nodes grew with each of the last four moves, on
    /// average. `None` if there were fewer moves, or no nodes.
    pub fn recent_growth(&self) -> Option<f64> {
        let last = self.nodes.len().checked_sub(1)?;
        let before = *self.nodes.get(last.checked_sub(RECENT_MOVES)?)?;
        let factor = self.nodes[last] as f64 / before as f64;
        (before > 0).then(|| factor.powf(1.0 / RECENT_MOVES as f64))
    }
}

/// A folded tree: nodes with the same continuations are merged.
pub(crate) struct Folded {
    first_arc: Vec<usize>,
    arcs: Vec<u32>,
    is_whole: bool,
}

impl Folded {
    /// Fold the tree below a root, to some depth or, if requested, to the end. `next` lists the
    /// nodes one move further.
    pub(crate) fn explore<N: Copy + Eq + Hash>(
        root: N,
        depth: usize,
        is_whole: bool,
        mut next: impl FnMut(N, &mut Vec<N>),
        work: &Work,
    ) -> Result<Self, StopReason> {
        let mut nodes = vec![root];
        let mut numbers: HashMap<N, u32, RandomState> = HashMap::default();
        numbers.insert(root, 0);
        let mut folded = Self {
            first_arc: vec![0],
            arcs: Vec::new(),
            is_whole,
        };
        let mut found = Vec::new();
        let mut levels_left = depth;
        while folded.first_arc.len() <= nodes.len() && (is_whole || levels_left > 0) {
            for at in folded.first_arc.len() - 1..nodes.len() {
                if at % NODES_BETWEEN_CHECKS == 0 {
                    let of_node = 4 * size_of::<N>() + size_of::<usize>() + 48;
                    let arcs = folded.arcs.capacity() * size_of::<u32>();
                    work.check(0, nodes.len() * of_node + arcs)?;
                }
                found.clear();
                next(nodes[at], &mut found);
                work.step(found.len())?;
                for node in &found {
                    let new = u32::try_from(nodes.len()).map_err(|_| StopReason::TooLarge)?;
                    let number = *numbers.entry(*node).or_insert(new);
                    if number == new {
                        nodes.push(*node);
                    }
                    folded.arcs.push(number);
                }
                folded.first_arc.push(folded.arcs.len());
            }
            levels_left = levels_left.saturating_sub(1);
        }
        // Nodes at the last depth have no arcs.
        folded.first_arc.resize(nodes.len() + 1, folded.arcs.len());
        Ok(folded)
    }

    /// Return the size of the tree down to a depth.
    pub(crate) fn size(&self, depth: usize, growth: bool, work: &Work) -> Result<Tree, StopReason> {
        let n_nodes = self.first_arc.len() - 1;
        let mut counts = vec![0_u128; n_nodes];
        counts[0] = 1;
        let mut nodes = vec![1];
        for _ in 0..depth {
            work.check(0, 2 * n_nodes * size_of::<u128>())?;
            let mut next = vec![0_u128; n_nodes];
            for (at, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                for target in self.arcs_of(at) {
                    let sum = &mut next[*target as usize];
                    *sum = sum.checked_add(*count).ok_or(StopReason::TooLarge)?;
                }
            }
            let total = next.iter().try_fold(0_u128, |sum, it| sum.checked_add(*it));
            nodes.push(total.ok_or(StopReason::TooLarge)?);
            counts = next;
        }
        let growth = if growth && self.is_whole {
            self.growth(work)?
        } else {
            None
        };
        Ok(Tree { nodes, growth })
    }

    fn arcs_of(&self, node: usize) -> &[u32] {
        &self.arcs[self.first_arc[node]..self.first_arc[node + 1]]
    }

    /// Return the growth in the long run, by repeated steps from the root.
    fn growth(&self, work: &Work) -> Result<Option<f64>, StopReason> {
        let n_nodes = self.first_arc.len() - 1;
        let mut weights = vec![0.0_f64; n_nodes];
        weights[0] = 1.0;
        let mut growth: Option<f64> = None;
        let mut change = f64::INFINITY;
        let arcs_of_round = (self.arcs.len() + n_nodes).max(1) as u64 * MOVES_OF_GROWTH as u64;
        for _ in 0..MOST_ARCS / arcs_of_round {
            let mut logarithm = 0.0;
            for _ in 0..MOVES_OF_GROWTH {
                work.check(0, 0)?;
                let mut next = vec![0.0_f64; n_nodes];
                for (at, weight) in weights.iter().enumerate().filter(|(_, it)| **it > 0.0) {
                    for target in self.arcs_of(at) {
                        next[*target as usize] += weight;
                    }
                }
                let total: f64 = next.iter().sum();
                if total == 0.0 {
                    return Ok(Some(0.0));
                }
                logarithm += total.ln();
                next.iter_mut().for_each(|weight| *weight /= total);
                weights = next;
            }
            let now = (logarithm / MOVES_OF_GROWTH as f64).exp();
            change = growth.map_or(f64::INFINITY, |before| (now / before - 1.0).abs());
            growth = Some(now);
            if change < SAME_GROWTH {
                break;
            }
        }
        Ok(growth.filter(|_| change < SIMILAR_GROWTH))
    }
}
