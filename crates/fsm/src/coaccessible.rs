//! The length of a machine's longest continuations.

use crate::machine::dense::Dense;

/// Return for each state, from 1 on, the length of the longest word that it still accepts; `None`
/// if there is no longest one. (Entry 0 belongs to the rejecting state.)
///
/// A search for an exact remaining depth may turn back at once in a state that accepts no word of
/// that length: a state that is not co-accessible for it (*moribund* in Clausecker 2021). Takes
/// linear time.
pub fn longest_continuations(machine: &Dense) -> Vec<Option<u32>> {
    let n = machine.n_states() + 1;
    // Remove states whose successors all have known lengths, last ones first: the rest lead to
    // cycles.
    let mut predecessors: Vec<Vec<u32>> = vec![Vec::new(); n];
    let mut n_open = vec![0_u32; n];
    for (state, n_open) in n_open.iter_mut().enumerate().skip(1) {
        for next in machine.successors(state).filter(|next| *next != 0) {
            predecessors[next].push(state as u32);
            *n_open += 1;
        }
    }
    let mut longest: Vec<Option<u32>> = vec![None; n];
    longest[0] = Some(0);
    let mut ready: Vec<usize> = (1..n).filter(|state| n_open[*state] == 0).collect();
    while let Some(state) = ready.pop() {
        let successors = machine.successors(state).filter(|next| *next != 0);
        let longest_after = successors.map(|next| longest[next].map_or(0, |length| length + 1));
        longest[state] = Some(longest_after.max().unwrap_or(0));
        for predecessor in &predecessors[state] {
            let open = &mut n_open[*predecessor as usize];
            *open -= 1;
            if *open == 0 {
                ready.push(*predecessor as usize);
            }
        }
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WordAutomaton;

    #[test]
    fn finite_and_infinite_continuations() {
        // Letters 0 and 1: after 1 0 only more letters 0 0 are possible.
        let mut words = WordAutomaton::new(2);
        for word in [&[1, 1][..], &[1, 0, 1], &[1, 0, 0, 1], &[1, 0, 0, 0]] {
            words.forbid(word).unwrap();
        }
        let machine = words.build().unwrap();
        let longest = longest_continuations(&machine);
        // The start loops on 0. Then come the prefixes 1, 1 0 and 1 0 0.
        assert_eq!(longest, [Some(0), None, Some(2), Some(1), Some(0)]);
    }
}
