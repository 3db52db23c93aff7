//! Classes of states of a factor that its labels can't tell apart.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::iter::zip;

use super::factor::{Classes, Factor};

/// What a state can do: by group of labels, the classes to which it leads.
type Signature = Vec<(u32, u32)>;

/// Return the coarsest classes such that goals stand apart, and states of a class have the same
/// distances and lead by the same labels to the same classes: a bisimulation. If these are more
/// than `most` classes, which is at least 1, classes are as fine as this allows, first those on
/// the cheapest paths from the starts to the goals.
///
/// Distances are the same after such classes become states, unless there are more kinds of states
/// than `most`, by their distances and by the costs of the paths through them; and if it is a
/// bisimulation, they are also the same after any merging (Nissim, Hoffmann & Helmert 2011,
/// "Computing Perfect Heuristics in Polynomial Time").
///
/// Also returns the number of looks at transitions.
pub(super) fn classes(factor: &Factor, most: usize, costs: &[u64]) -> (Classes, usize) {
    let lengths = (most < factor.n_states()).then(|| factor.lengths(costs));
    let mut refinement = Refinement::new(factor, most, lengths);
    for class in 0..refinement.members.len() as u32 {
        let states = refinement.members[class as usize].clone();
        refinement.note_changed(class, &states);
    }
    while refinement.members.len() < most {
        let Some((_, class)) = refinement.queue.pop_first() else {
            break;
        };
        refinement.refine(class, most);
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
    /// By class, its states that lead to states whose classes are new.
    changed: Vec<Vec<u32>>,
    /// The classes that have such states, with the order in which they are split.
    queue: BTreeSet<(u64, u32)>,
    /// By state, the cost of the cheapest path through it, if not all classes can be split.
    lengths: Option<Vec<u64>>,
    /// How often a class was put into the queue.
    n_queued: u64,
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
    /// Begin with a class for each distance, goals and other states apart, and for each cost of
    /// paths through states. With fewer classes the last one has the most expensive paths.
    fn new(factor: &Factor, most: usize, lengths: Option<Vec<u64>>) -> Self {
        let n = factor.n_states();
        let mut members: BTreeMap<(u64, u64, bool), Vec<u32>> = BTreeMap::new();
        for (state, (distance, is_goal)) in zip(0.., zip(&factor.distances, &factor.goals)) {
            let length = lengths.as_ref().map_or(0, |it| it[state as usize]);
            members
                .entry((length, *distance, !is_goal))
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
            starts,
            out,
            into: by_key(n, steps.map(|(source, target, _)| (target, source))),
            changed: vec![Vec::new(); members.len()],
            queue: BTreeSet::new(),
            lengths,
            n_queued: 0,
            visits: 0,
            members,
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

    /// Note states of a class that lead to new classes.
    fn note_changed(&mut self, class: u32, states: &[u32]) {
        let changed = &mut self.changed[class as usize];
        if changed.is_empty() {
            self.n_queued += 1;
            let members = self.members[class as usize].iter();
            let order = match &self.lengths {
                None => self.n_queued,
                Some(lengths) => {
                    let lengths = members.map(|state| lengths[*state as usize]);
                    lengths.min().unwrap_or(0)
                }
            };
            self.queue.insert((order, class));
        }
        changed.extend_from_slice(states);
    }

    /// Split a class in which some states lead to new classes, until there are `most` classes.
    fn refine(&mut self, class: u32, most: usize) {
        let mut changed = std::mem::take(&mut self.changed[class as usize]);
        changed.sort_unstable();
        changed.dedup();
        let n_members = self.members[class as usize].len();
        if n_members == 1 {
            return;
        }
        let n_unchanged = n_members - changed.len();
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
            // Those that didn't change are a part as well.
            let is_changed: HashSet<u32> = parts.iter().flatten().copied().collect();
            let members = self.members[class as usize].iter().copied();
            parts[largest] = members.filter(|it| !is_changed.contains(it)).collect();
        }
        parts.truncate(most - self.members.len());
        let first_new = self.members.len() as u32;
        for (new, part) in zip(first_new.., &parts) {
            for state in part {
                self.class_of[*state as usize] = new;
            }
        }
        let class_of = &self.class_of;
        self.members[class as usize].retain(|state| class_of[*state as usize] == class);
        let n_parts = parts.len();
        self.changed
            .extend(std::iter::repeat_n(Vec::new(), n_parts));
        self.members.extend(parts);
        for new in first_new as usize..self.members.len() {
            for place in 0..self.members[new].len() {
                let state = self.members[new][place] as usize;
                for place in self.into.0[state]..self.into.0[state + 1] {
                    let source = self.into.1[place];
                    self.note_changed(self.class_of[source as usize], &[source]);
                }
            }
        }
    }
}
