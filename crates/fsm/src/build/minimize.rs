//! Minimization: states that forbid the same continuations become one.

use std::collections::HashMap;

use ahash::RandomState;

use crate::error::BuildError;
use crate::machine::Machine;
use crate::machine::dense::Dense;
use crate::stop::Stop;

/// Return the machine with the fewest states that accepts the same words.
///
/// Moore's refinement: states start as one class, and a class is split as long as two of its states
/// lead, by some letter, to different classes. Two states of a machine for forbidden words of
/// length at most l differ by a continuation of at most l letters, so there are at most l rounds of
/// one pass over the table each. Hopcroft's algorithm, better in the worst case, gains nothing
/// here. The states of the result are numbered breadth first from the start.
///
/// # Errors
/// Never for a machine that was built, since the result is no larger.
pub fn minimize(machine: &Dense) -> Result<Dense, BuildError> {
    minimize_unless(machine, &|| false)
}

/// Like [`minimize`], unless `stop` returns `true`, which is asked now and then.
///
/// # Errors
/// When it was stopped.
pub fn minimize_unless(machine: &Dense, stop: &dyn Fn() -> bool) -> Result<Dense, BuildError> {
    let stop = Stop::when(stop);
    let _span = tracing::debug_span!("minimize", n_states = machine.n_states()).entered();
    let reachable = reachable_states(machine);
    let n_letters = machine.n_letters() as usize;
    // Class 0 is the rejecting state alone.
    let mut class_of = vec![0_u32; machine.n_states() + 1];
    for state in &reachable {
        class_of[*state] = 1;
    }
    let mut n_classes = 1;
    let mut signature = vec![0_u32; n_letters];
    loop {
        let mut refined = vec![0_u32; class_of.len()];
        let mut classes = Classes::default();
        for state in &reachable {
            stop.count(n_letters)?;
            for (slot, next) in signature.iter_mut().zip(machine.successors(*state)) {
                *slot = class_of[next];
            }
            // The signature of a class's first state is read again rather than stored: all
            // signatures together would take as much memory as the table.
            let is_same = |first: usize| {
                let next = machine.successors(first).map(|next| class_of[next]);
                next.eq(signature.iter().copied())
            };
            refined[*state] = classes.find_or_add(&signature, *state, is_same);
        }
        class_of = refined;
        let found = classes.firsts.len();
        if found == n_classes {
            break;
        }
        n_classes = found;
    }
    // Classes are numbered in the order of their first states in `reachable`, which is breadth
    // first, so the start state's class is 1 and rows can be written in order.
    let mut minimal = Dense::with_capacity(machine.n_letters(), n_classes)?;
    let rows: Vec<u32> = (0..n_classes).map(|_| minimal.push_state()).collect();
    let mut row = vec![0_u32; n_letters];
    let mut written = 0;
    for state in reachable {
        if class_of[state] as usize != written + 1 {
            continue;
        }
        for (slot, next) in row.iter_mut().zip(machine.successors(state)) {
            *slot = match class_of[next] {
                0 => 0,
                class => rows[class as usize - 1],
            };
        }
        minimal.set_row(rows[written], &row);
        written += 1;
    }
    minimal.finish();
    Ok(minimal)
}

/// The classes of one round, numbered from 1 in order of appearance.
#[derive(Default)]
struct Classes {
    hasher: RandomState,
    /// By the hash of its signature, the last class that has it.
    by_hash: HashMap<u64, u32, RandomState>,
    /// For each class, its first state and the class before it with the same hash, or 0.
    firsts: Vec<(usize, u32)>,
}

impl Classes {
    /// Return the class of a state with this signature. `is_same` compares it with that of another
    /// state.
    fn find_or_add(
        &mut self,
        signature: &[u32],
        state: usize,
        is_same: impl Fn(usize) -> bool,
    ) -> u32 {
        let last = self.by_hash.entry(self.hasher.hash_one(signature));
        let last = last.or_insert(0);
        let mut class = *last;
        while class != 0 {
            let (first, before) = self.firsts[class as usize - 1];
            if is_same(first) {
                return class;
            }
            class = before;
        }
        self.firsts.push((state, *last));
        *last = self.firsts.len() as u32;
        *last
    }
}

/// Return the numbers of the states that can be reached, breadth first.
pub(crate) fn reachable_states(machine: &Dense) -> Vec<usize> {
    let mut seen = vec![false; machine.n_states() + 1];
    let mut queue = vec![machine.number(machine.start())];
    seen[queue[0]] = true;
    // Nothing is reached from the rejecting state.
    seen[0] = true;
    let mut head = 0;
    while head < queue.len() {
        for next in machine.successors(queue[head]) {
            if !seen[next] {
                seen[next] = true;
                queue.push(next);
            }
        }
        head += 1;
    }
    queue
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::automaton::WordAutomaton;

    fn same_language(a: &Dense, b: &Dense) -> bool {
        let mut seen = std::collections::HashSet::new();
        let mut open = vec![(a.start(), b.start())];
        while let Some((p, q)) = open.pop() {
            if !seen.insert((p, q)) {
                continue;
            }
            for letter in 0..a.n_letters() {
                match (a.next(p, letter), b.next(q, letter)) {
                    (None, None) => {}
                    (Some(p), Some(q)) => open.push((p, q)),
                    _ => return false,
                }
            }
        }
        true
    }

    #[test]
    fn the_minimal_machine_is_smaller_and_accepts_the_same() {
        let mut words = WordAutomaton::new(3);
        for word in [[0, 0, 1], [1, 0, 1], [2, 0, 1], [2, 1, 1], [0, 1, 1]] {
            words.forbid(&word).unwrap();
        }
        let machine = words.build().unwrap();
        let minimal = minimize(&machine).unwrap();
        assert!(minimal.n_states() < machine.n_states());
        assert!(same_language(&machine, &minimal));
        assert_eq!(minimize(&minimal).unwrap(), minimal);
        let mut other = WordAutomaton::new(3);
        other.forbid(&[0, 0]).unwrap();
        assert!(!same_language(&machine, &other.build().unwrap()));
    }

    #[test]
    fn states_that_differ_late_stay_apart() {
        // After 0 the word 0 1 1 1 is still possible; after 1 it isn't.
        let mut words = WordAutomaton::new(2);
        words.forbid(&[0, 1, 1, 1]).unwrap();
        assert_eq!(minimize(&words.build().unwrap()).unwrap().n_states(), 4);
    }
}
