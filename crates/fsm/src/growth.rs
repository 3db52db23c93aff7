//! How fast the number of accepted words grows with their length.

use crate::dense::Dense;
use crate::minimize::reachable_states;

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
    /// The middle of the bounds.
    pub fn value(&self) -> f64 {
        f64::midpoint(self.lower, self.upper)
    }
}

/// The relative width of the bounds at which the iteration ends.
const PRECISION: f64 = 1e-10;

/// About how many steps along transitions the iteration may take.
const WORK_LIMIT: usize = 4_000_000_000;

/// The spectral radius of a machine's transition matrix.
///
/// It is the greatest of those of the strongly connected components, so each is treated alone:
/// within one, the matrix plus the identity is primitive, power iteration converges (also where
/// parities alternate, as on boards), and the Collatz-Wielandt quotients bound the result on both
/// sides. Treating the matrix as a whole would converge slowly where two components tie. Very large
/// machines may end with wider bounds, since the work is limited.
pub fn growth(machine: &Dense) -> Growth {
    let components = Components::of(machine);
    let mut work_left = WORK_LIMIT;
    let mut result = Growth {
        lower: 0.0,
        upper: 0.0,
    };
    for component in &components.members {
        let bounds = components.radius(machine, component, &mut work_left);
        result.lower = result.lower.max(bounds.lower);
        result.upper = result.upper.max(bounds.upper);
    }
    result
}

/// The strongly connected components.
struct Components {
    component_of: Vec<u32>,
    members: Vec<Vec<usize>>,
}

const UNVISITED: u32 = u32::MAX;

impl Components {
    /// Tarjan's algorithm with an explicit stack: machines can be deep.
    fn of(machine: &Dense) -> Self {
        let n = machine.n_states() + 1;
        let mut index = vec![UNVISITED; n];
        let mut low = vec![0_u32; n];
        let mut component_of = vec![UNVISITED; n];
        let mut members: Vec<Vec<usize>> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut counter = 0_u32;
        for root in reachable_states(machine) {
            if index[root] != UNVISITED {
                continue;
            }
            // Each frame: a state and the letter to look at next.
            let mut frames: Vec<(usize, usize)> = vec![(root, 0)];
            while let Some((state, letter)) = frames.pop() {
                if index[state] == UNVISITED {
                    index[state] = counter;
                    low[state] = counter;
                    counter += 1;
                    open.push(state);
                }
                let mut successors = machine.successors(state).enumerate().skip(letter);
                let descend = successors.find_map(|(letter, next)| {
                    if next == 0 || component_of[next] != UNVISITED {
                        return None;
                    }
                    if index[next] == UNVISITED {
                        return Some((letter, next));
                    }
                    low[state] = low[state].min(index[next]);
                    None
                });
                if let Some((letter, next)) = descend {
                    // Come back to this letter: by then its target has a number.
                    frames.push((state, letter));
                    frames.push((next, 0));
                    continue;
                }
                if low[state] == index[state] {
                    let mut component = Vec::new();
                    while let Some(member) = open.pop() {
                        component_of[member] = members.len() as u32;
                        component.push(member);
                        if member == state {
                            break;
                        }
                    }
                    members.push(component);
                }
                if let Some((parent, _)) = frames.last() {
                    low[*parent] = low[*parent].min(low[state]);
                }
            }
        }
        Self {
            component_of,
            members,
        }
    }

    fn radius(&self, machine: &Dense, component: &[usize], work_left: &mut usize) -> Growth {
        let id = self.component_of[component[0]];
        let mut place = vec![0_u32; self.component_of.len()];
        for (i, state) in component.iter().enumerate() {
            place[*state] = i as u32;
        }
        // Transitions within the component, state by state.
        let mut targets: Vec<u32> = Vec::new();
        let mut ends: Vec<usize> = Vec::with_capacity(component.len());
        for state in component {
            let inside = machine
                .successors(*state)
                .filter(|next| *next != 0 && self.component_of[*next] == id);
            targets.extend(inside.map(|next| place[next]));
            ends.push(targets.len());
        }
        if targets.is_empty() {
            return Growth {
                lower: 0.0,
                upper: 0.0,
            };
        }
        let mut vector = vec![1.0_f64; component.len()];
        let mut bounds = Growth {
            lower: 0.0,
            upper: f64::INFINITY,
        };
        loop {
            let mut start = 0;
            let (mut least, mut greatest) = (f64::INFINITY, 0.0_f64);
            let mut image = Vec::with_capacity(vector.len());
            for (own, end) in vector.iter().zip(&ends) {
                let sum: f64 = targets[start..*end]
                    .iter()
                    .map(|t| vector[*t as usize])
                    .sum();
                least = least.min(sum / own);
                greatest = greatest.max(sum / own);
                image.push(sum + own);
                start = *end;
            }
            bounds.lower = bounds.lower.max(least);
            bounds.upper = bounds.upper.min(greatest);
            let work = targets.len() + vector.len();
            if bounds.upper - bounds.lower <= PRECISION * bounds.upper || *work_left < work {
                return bounds;
            }
            *work_left -= work;
            let scale = image.iter().copied().fold(0.0, f64::max);
            for value in &mut image {
                *value /= scale;
            }
            vector = image;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::WordAutomaton;

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
        // Strict alternation: a parity that plain power iteration never gets over.
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
}
