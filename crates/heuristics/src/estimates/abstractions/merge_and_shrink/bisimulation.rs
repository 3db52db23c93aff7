//! Classes of states of a factor that its labels can't tell apart.

use std::collections::{BTreeMap, HashSet};
use std::iter::zip;

use super::factor::Factor;

/// Classes of states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Classes {
    /// By state, its class.
    pub(super) of_states: Vec<u32>,
    pub(super) n_classes: usize,
}

/// What a state can do: by group of labels, the classes to which it leads.
type Signature = Vec<(u32, u32)>;

/// Return the coarsest classes such that goals stand apart, and states of a class have the same
/// distances and lead by the same labels to the same classes: a bisimulation. If these are more
/// than `most` classes, which is at least 1, classes are as fine as this allows, first those of
/// small distances.
///
/// Distances are the same after such classes become states, unless there are more distances than
/// `most`; and if it is a bisimulation, they are also the same after any merging (Nissim, Hoffmann
/// & Helmert 2011, "Computing Perfect Heuristics in Polynomial Time").
///
/// Also returns the number of looks at transitions.
pub(super) fn classes(factor: &Factor, most: usize) -> (Classes, usize) {
    let mut refinement = Refinement::new(factor, most);
    while !refinement.changed.is_empty() && refinement.members.len() < most {
        refinement.refine(most);
    }
    let classes = Classes {
        n_classes: refinement.members.len(),
        of_states: refinement.class_of,
    };
    (classes, refinement.visits)
}

struct Refinement {
    /// By state, its class.
    class_of: Vec<u32>,
    /// By class, its states.
    members: Vec<Vec<u32>>,
    /// By state, where its transitions begin in `out`.
    starts: Vec<usize>,
    /// The transitions as groups of labels and targets.
    out: Vec<(u32, u32)>,
    /// The states from which each state is reached: where they begin, and they themselves.
    into: (Vec<usize>, Vec<u32>),
    /// The states that lead to states whose classes are new, in ascending order.
    changed: Vec<u32>,
    visits: usize,
}

/// Return where the items of each key begin when they are sorted by their keys, and these items.
fn by_key<T: Copy + Default>(
    n: usize,
    items: impl Iterator<Item = (u32, T)> + Clone,
) -> (Vec<usize>, Vec<T>) {
    let mut starts = vec![0; n + 1];
    for (key, _) in items.clone() {
        starts[key as usize + 1] += 1;
    }
    for key in 0..n {
        starts[key + 1] += starts[key];
    }
    let mut next = starts.clone();
    let mut sorted = vec![T::default(); starts[n]];
    for (key, item) in items {
        sorted[next[key as usize]] = item;
        next[key as usize] += 1;
    }
    (starts, sorted)
}

impl Refinement {
    /// Begin with a class for each distance, goals and other states apart. With fewer classes the
    /// last one has all greater distances.
    fn new(factor: &Factor, most: usize) -> Self {
        let n = factor.n_states();
        let mut members: BTreeMap<(u64, bool), Vec<u32>> = BTreeMap::new();
        for (state, (distance, is_goal)) in zip(0.., zip(&factor.distances, &factor.goals)) {
            members
                .entry((*distance, !is_goal))
                .or_default()
                .push(state);
        }
        let mut members: Vec<Vec<u32>> = members.into_values().collect();
        if members.len() > most {
            let rest = members.split_off(most);
            let last = members.last_mut().expect("there is at least one class");
            last.extend(rest.into_iter().flatten());
            last.sort_unstable();
        }
        let mut class_of = vec![0; n];
        for (class, states) in zip(0.., &members) {
            for state in states {
                class_of[*state as usize] = class;
            }
        }
        let groups = zip(0.., &factor.groups);
        let steps = groups.flat_map(|(number, group)| {
            let transitions = group.transitions.iter();
            transitions.map(move |(source, target)| (*source, *target, number))
        });
        let (starts, out) = by_key(
            n,
            steps
                .clone()
                .map(|(source, target, group)| (source, (group, target))),
        );
        Self {
            class_of,
            members,
            starts,
            out,
            into: by_key(n, steps.map(|(source, target, _)| (target, source))),
            changed: (0..n as u32).collect(),
            visits: 0,
        }
    }

    fn signature(&mut self, state: u32) -> Signature {
        let state = state as usize;
        let out = &self.out[self.starts[state]..self.starts[state + 1]];
        self.visits += out.len();
        let steps = out.iter();
        let mut signature: Signature = steps
            .map(|(group, target)| (*group, self.class_of[*target as usize]))
            .collect();
        signature.sort_unstable();
        signature.dedup();
        signature
    }

    /// Split the classes of states that lead to new classes, until there are `most` classes.
    fn refine(&mut self, most: usize) {
        let mut by_class: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for state in std::mem::take(&mut self.changed) {
            let class = self.class_of[state as usize];
            by_class.entry(class).or_default().push(state);
        }
        let mut moved = Vec::new();
        for (class, changed) in by_class {
            if self.members[class as usize].len() == 1 {
                continue;
            }
            let n_unchanged = self.members[class as usize].len() - changed.len();
            let mut parts: BTreeMap<Signature, Vec<u32>> = BTreeMap::new();
            for state in changed {
                parts.entry(self.signature(state)).or_default().push(state);
            }
            // The largest part remains the class: those that lead there need no look.
            let mut parts: Vec<Vec<u32>> = parts.into_values().collect();
            let largest = (0..parts.len()).max_by_key(|part| parts[*part].len());
            let largest = largest.expect("some state of the class changed");
            if n_unchanged == 0 {
                parts.remove(largest);
            } else if parts[largest].len() > n_unchanged {
                let is_changed: HashSet<u32> = parts.iter().flatten().copied().collect();
                let members = self.members[class as usize].iter().copied();
                parts[largest] = members.filter(|it| !is_changed.contains(it)).collect();
            }
            for part in parts {
                if self.members.len() == most {
                    return;
                }
                let new = self.members.len() as u32;
                for state in &part {
                    self.class_of[*state as usize] = new;
                }
                moved.extend_from_slice(&part);
                self.members.push(part);
            }
            let class_of = &self.class_of;
            self.members[class as usize].retain(|state| class_of[*state as usize] == class);
        }
        let (starts, sources) = &self.into;
        let mut changed: Vec<u32> = Vec::new();
        for state in moved {
            let state = state as usize;
            changed.extend(&sources[starts[state]..starts[state + 1]]);
        }
        changed.sort_unstable();
        changed.dedup();
        self.changed = changed;
    }
}
