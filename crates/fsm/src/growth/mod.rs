//! The growth of the number of accepted words with their length.

mod graph;
mod krylov;

use std::collections::HashMap;

use ahash::RandomState;

use crate::growth::graph::Graph;
use crate::machine::Machine;
use crate::machine::dense::Dense;
use crate::stop::{Stop, Stopped};

/// The asymptotic branching factor of a machine, with bounds.
///
/// The number of accepted words of length n grows like λ^n, up to a polynomial, where λ is the
/// spectral radius of the machine's transition matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// λ is at least this.
    pub lower: f64,
    /// λ is at most this.
    pub upper: f64,
}

impl Growth {
    const ZERO: Self = Self {
        lower: 0.0,
        upper: 0.0,
    };

    /// Return the middle of the bounds.
    pub fn value(&self) -> f64 {
        f64::midpoint(self.lower, self.upper)
    }

    fn is_narrow(&self) -> bool {
        self.upper - self.lower <= PRECISION * self.upper
    }
}

/// The relative width of the bounds at which the iteration ends.
const PRECISION: f64 = 1e-10;

/// The approximate number of steps along transitions that the iteration may take.
const WORK_LIMIT: usize = 4_000_000_000;

/// The bytes of an edge of a graph with its share of a node, about.
const BYTES_OF_EDGE: usize = 16;

/// The number of steps of the power iteration between two leaps.
const STEPS_BETWEEN_LEAPS: usize = 40;

/// Return the spectral radius of a machine's transition matrix.
///
/// The spectral radius is the greatest of those of the strongly connected components, so each is
/// treated alone: within one, the matrix plus the identity is primitive, so power iteration
/// converges (also where parities alternate, as on boards), and the Collatz-Wielandt quotients
/// bound the result on both sides. Treating the matrix as a whole would converge slowly if two
/// components tie. Where convergence is slow, Krylov spaces give better vectors; the quotients of
/// any positive vector are bounds. Very large machines may end with wider bounds, since the work is
/// limited.
#[expect(clippy::missing_panics_doc, reason = "nothing stops it")]
pub fn growth(machine: &Dense) -> Growth {
    growth_unless(machine, &|| false).expect("nothing stops it")
}

/// Like [`growth`], unless `stop` returns `true`, which is asked now and then.
///
/// # Errors
/// When it was stopped.
pub fn growth_unless(machine: &Dense, stop: &dyn Fn() -> bool) -> Result<Growth, Stopped> {
    let stop = &Stop::when(stop);
    let mut graph = Graph::default();
    // The rejecting state is a node without edges.
    graph.end_node();
    for state in 1..=machine.n_states() {
        stop.count(machine.n_letters() as usize)?;
        for next in machine.successors(state).filter(|next| *next != 0) {
            graph.push_edge(next as u32);
        }
        graph.end_node();
    }
    let start = machine.number(machine.start()) as u32;
    of_graph(&graph, &[start], stop)
}

/// Return the growth of the accepted words that begin with one of the letters `first` and in which
/// each letter may follow the one before: letter l may be followed by those in `lists[list_of[l]]`,
/// in ascending order.
///
/// A machine that also forbids all other pairs has the same growth, but these may be very many;
/// here they take neither time nor memory. `None` if it would take about more than `most_bytes`
/// bytes for edges: pairs of a state with its last letter's list, and a next letter.
///
/// # Panics
/// When a letter has no entry in `list_of`, or that names a list that doesn't exist.
pub fn growth_of_compatible_pairs(
    machine: &impl Machine,
    first: &[u32],
    lists: &[Vec<u32>],
    list_of: &[u32],
    most_bytes: usize,
) -> Option<Growth> {
    let never = || false;
    growth_of_compatible_pairs_unless(machine, first, lists, list_of, most_bytes, &never)
        .expect("nothing stops it")
}

/// Like [`growth_of_compatible_pairs`], unless `stop` returns `true`, which is asked now and then.
///
/// # Errors
/// When it was stopped.
///
/// # Panics
/// As for [`growth_of_compatible_pairs`].
pub fn growth_of_compatible_pairs_unless(
    machine: &impl Machine,
    first: &[u32],
    lists: &[Vec<u32>],
    list_of: &[u32],
    most_bytes: usize,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Growth>, Stopped> {
    let stop = &Stop::when(stop);
    let mut nodes = HashMap::with_hasher(RandomState::new());
    let mut queue = Vec::new();
    let mut node_after = |state, letter: u32, queue: &mut Vec<_>| {
        let key = (state, list_of[letter as usize]);
        *nodes.entry(key).or_insert_with(|| {
            queue.push(key);
            queue.len() as u32 - 1
        })
    };
    let start = machine.start();
    let mut roots: Vec<u32> = Vec::new();
    for letter in first {
        if let Some(state) = machine.next(start, *letter) {
            roots.push(node_after(state, *letter, &mut queue));
        }
    }
    let mut graph = Graph::default();
    let mut head = 0;
    while head < queue.len() {
        let (state, list) = queue[head];
        head += 1;
        stop.count(lists[list as usize].len())?;
        for letter in &lists[list as usize] {
            if let Some(next) = machine.next(state, *letter) {
                graph.push_edge(node_after(next, *letter, &mut queue));
            }
        }
        graph.end_node();
        if graph.n_edges() > most_bytes / BYTES_OF_EDGE {
            return Ok(None);
        }
    }
    of_graph(&graph, &roots, stop).map(Some)
}

/// Return the growth of the number of walks from some nodes.
fn of_graph(graph: &Graph, roots: &[u32], stop: &Stop<'_>) -> Result<Growth, Stopped> {
    let mut work_left = WORK_LIMIT;
    let mut result = Growth::ZERO;
    for component in graph.components(roots, stop)? {
        let bounds = radius(&component, &mut work_left, stop)?;
        result.lower = result.lower.max(bounds.lower);
        result.upper = result.upper.max(bounds.upper);
    }
    Ok(result)
}

/// Return the spectral radius of a strongly connected graph.
fn radius(graph: &Graph, work_left: &mut usize, stop: &Stop<'_>) -> Result<Growth, Stopped> {
    if graph.n_edges() == 0 {
        return Ok(Growth::ZERO);
    }
    let mut bounds = Growth {
        lower: 0.0,
        upper: f64::INFINITY,
    };
    let mut vector = vec![1.0_f64; graph.n_nodes()];
    let mut steps = 0;
    loop {
        let work = graph.n_edges() + graph.n_nodes();
        stop.count(work)?;
        let image = step(graph, &vector, &mut bounds);
        if bounds.is_narrow() || *work_left < work {
            return Ok(bounds);
        }
        *work_left -= work;
        vector = image;
        steps += 1;
        if steps % STEPS_BETWEEN_LEAPS == 0 && graph.n_nodes() <= krylov::MOST_NODES {
            *work_left = work_left.saturating_sub(work * krylov::DIMENSIONS);
            if let Some(better) = krylov::leap(graph, &vector, stop)? {
                // The quotients of any positive vector are bounds; it is used if they are closer.
                let before = spread(graph, &vector);
                if spread(graph, &better) < before {
                    vector = better;
                }
            }
        }
    }
}

/// Return a step of the power iteration with the matrix plus the identity. Narrows the bounds.
fn step(graph: &Graph, vector: &[f64], bounds: &mut Growth) -> Vec<f64> {
    let (mut least, mut greatest) = (f64::INFINITY, 0.0_f64);
    let mut image = graph.times(vector);
    for (sum, own) in image.iter_mut().zip(vector) {
        least = least.min(*sum / own);
        greatest = greatest.max(*sum / own);
        *sum += own;
    }
    bounds.lower = bounds.lower.max(least);
    bounds.upper = bounds.upper.min(greatest);
    let scale = image.iter().copied().fold(0.0, f64::max);
    for value in &mut image {
        *value /= scale;
    }
    image
}

/// Return the distance of the bounds that a vector gives.
fn spread(graph: &Graph, vector: &[f64]) -> f64 {
    let image = graph.times(vector);
    let quotients = || image.iter().zip(vector).map(|(sum, own)| sum / own);
    quotients().fold(0.0, f64::max) - quotients().fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::automaton::WordAutomaton;

    fn of(n_letters: u32, words: &[&[u32]]) -> Growth {
        let mut automaton = WordAutomaton::new(n_letters);
        for word in words {
            automaton.forbid(word).unwrap();
        }
        growth(&automaton.build().unwrap())
    }

    #[test]
    fn known_growth_rates() {
        let close = |growth: Growth, value: f64| {
            assert!(
                growth.lower <= value + 1e-9 && value - 1e-9 <= growth.upper,
                "{growth:?}"
            );
            assert!(growth.upper - growth.lower < 1e-6);
        };
        close(of(3, &[]), 3.0);
        // No two zeros in a row: Fibonacci numbers.
        close(of(2, &[&[0, 0]]), f64::midpoint(1.0, 5.0_f64.sqrt()));
        // Taylor's grid: only polynomially many words are left.
        let grid: [&[u32]; 8] = [
            &[0, 1],
            &[1, 0],
            &[2, 0],
            &[2, 1],
            &[2, 3],
            &[3, 0],
            &[3, 1],
            &[3, 2],
        ];
        close(of(4, &grid), 1.0);
        // Strict alternation: a parity for which plain power iteration never converges.
        close(
            of(
                4,
                &[
                    &[0, 0],
                    &[0, 1],
                    &[1, 0],
                    &[1, 1],
                    &[2, 2],
                    &[2, 3],
                    &[3, 2],
                    &[3, 3],
                ],
            ),
            2.0,
        );
        // Commuting letters: each word of one letter type, then the other; two components tie.
        close(of(2, &[&[1, 0]]), 1.0);
        close(of(1, &[&[0]]), 0.0);
    }

    #[test]
    fn a_measurement_ends_when_it_is_stopped() {
        let machine = WordAutomaton::new(3).build().unwrap();
        assert_eq!(growth_unless(&machine, &|| true), Err(Stopped));
        assert_eq!(growth_unless(&machine, &|| false), Ok(growth(&machine)));
    }

    /// A long chain of letters, each of which is followed by itself, the next one or the one before
    /// it: 1 + 2 cos(π / (n + 1)). The gap to the second eigenvalue is very small.
    #[test]
    fn slow_mixing_is_no_obstacle() {
        let n = 300_u32;
        let follow: Vec<Vec<u32>> = (0..n)
            .map(|i| (i.saturating_sub(1)..(i + 2).min(n)).collect())
            .collect();
        let machine = WordAutomaton::new(n).build().unwrap();
        let first: Vec<u32> = (0..n).collect();
        let found = growth_of_compatible_pairs(&machine, &first, &follow, &first, 1 << 20).unwrap();
        let expected = 1.0 + 2.0 * (std::f64::consts::PI / f64::from(n + 1)).cos();
        assert!(found.lower <= expected + 1e-9 && expected - 1e-9 <= found.upper);
        assert!(found.upper - found.lower < 1e-8, "{found:?}");
        let too_few = growth_of_compatible_pairs(&machine, &first, &follow, &first, 1600);
        assert_eq!(too_few, None);
    }

    /// The allowed successions, as lists and as forbidden words.
    #[test]
    fn followers_are_the_complement_of_forbidden_pairs() {
        let n = 7_u32;
        for seed in 0..200_u32 {
            let mut random = seed.wrapping_mul(2_654_435_761) | 1;
            let mut below = |bound: u32| {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (random >> 16) % bound
            };
            let first: Vec<u32> = (0..n).filter(|_| below(6) > 0).collect();
            let follow: Vec<Vec<u32>> = (0..n)
                .map(|_| first.iter().copied().filter(|_| below(3) > 0).collect())
                .collect();
            let mut words: Vec<Vec<u32>> = (0..below(12))
                .map(|_| (0..2 + below(3)).map(|_| below(n)).collect())
                .collect();
            let machine = WordAutomaton::forbidding(n, &words)
                .unwrap()
                .build()
                .unwrap();
            let own: Vec<u32> = (0..n).collect();
            let found =
                growth_of_compatible_pairs(&machine, &first, &follow, &own, usize::MAX).unwrap();
            words.extend((0..n).filter(|l| !first.contains(l)).map(|l| vec![l]));
            for (one, list) in (0..n).zip(&follow) {
                let impossible = (0..n).filter(|other| !list.contains(other));
                words.extend(impossible.map(|other| vec![one, other]));
            }
            let all = WordAutomaton::forbidding(n, &words)
                .unwrap()
                .build()
                .unwrap();
            let expected = growth(&all);
            assert!(
                (found.value() - expected.value()).abs() < 1e-7,
                "seed {seed}: {found:?} {expected:?}"
            );
        }
    }
}
