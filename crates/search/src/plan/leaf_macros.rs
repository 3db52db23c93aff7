//! Macro-operators at the leaves: the last plies of a search as flat lists of precomposed
//! macro-rules.
//!
//! In iterative deepening only the deepest ply is tested for goals: shallower ones were tested
//! before. Where all rules of the last k plies below a plan state always apply, the nodes of the
//! inner plies need not be made at all: they are counted beforehand, and one change leads from the
//! top to each node of the deepest ply. Only those that may be goals are kept: a rule need not be
//! tried if it leaves a value that no goal has.
//!
//! Plan states that allow the same words of length k share one macro list.

use std::hash::Hash;

use ahash::AHashMap;
use bytemuck::Pod;

use super::{Plan, PlanStateId};
use crate::game::lines::{Line, Lines};
use crate::game::packed::{Change, Form};

/// The maximum bytes of the macro lists of one search: half of a typical second-level cache.
const MAX_BYTES: usize = 512 << 10;

/// The maximum number of plies of a macro list.
const MAX_PLIES: usize = 16;

/// The maximum number of nodes of a macro list: where one of them is a goal that ends the search,
/// all of them are made one by one.
const MAX_NODES: u64 = 1 << 17;

/// The maximum number of plan states of a plan with macro lists: in larger plans it would take too
/// long to find them.
const MAX_PLAN_STATES: usize = 1 << 20;

/// Marks a plan state without a macro list.
const NONE: u32 = u32::MAX;

/// The last plies under a plan state.
#[derive(Clone, Debug)]
pub(crate) struct MacroList {
    /// Where the changes to the deepest ply begin.
    changes: u32,
    /// The number of changes: nodes of the deepest ply that may be goals.
    n_changes: usize,
    /// The nodes by ply, from 1 on.
    pub(crate) nodes: Vec<u64>,
    /// The children that the machine forbids, by ply, from 1 on.
    pub(crate) forbidden: Vec<u64>,
    /// The sum of `nodes`.
    pub(crate) n_nodes: u64,
}

/// The macro lists of a plan, by number of plies.
pub(crate) struct LeafMacros<R> {
    leaf_macros: Vec<MacroList>,
    /// By number of plies, from 2 on, and by plan state.
    by_plies: Vec<Vec<u32>>,
    first: Lines<R>,
    second: Lines<R>,
}

impl<R: Pod> LeafMacros<R> {
    /// Return a set without macro lists.
    pub(crate) fn none() -> Self {
        Self {
            leaf_macros: Vec::new(),
            by_plies: Vec::new(),
            first: Lines::new(),
            second: Lines::new(),
        }
    }

    /// Build the macro lists of a plan, with as many plies as fit the cache, `max_plies` at most.
    pub(crate) fn new<F: Form<Packed = R>>(plan: &Plan<R>, form: &F, max_plies: usize) -> Self {
        let mut leaf_macros = Self::none();
        if plan.n_plan_states() > MAX_PLAN_STATES {
            return leaf_macros;
        }
        let mut classes = Classes::of_one_ply(plan, form);
        let mut bytes = 0;
        for _ in 2..=max_plies.min(MAX_PLIES) {
            let Some(deeper) = classes.deeper(plan, MAX_BYTES - bytes) else {
                break;
            };
            classes = deeper;
            let before = leaf_macros.leaf_macros.len() as u32;
            for class in &classes.classes {
                let (leaves, n) = (&class.leaves, class.leaves.len());
                let changes = leaf_macros.first.push(n, &mut |i| leaves[i].first);
                leaf_macros.second.push(n, &mut |i| leaves[i].second);
                leaf_macros.leaf_macros.push(MacroList {
                    changes,
                    n_changes: class.leaves.len(),
                    nodes: class.nodes.clone(),
                    forbidden: class.forbidden.clone(),
                    n_nodes: class.nodes.iter().sum(),
                });
            }
            let number = |class: &u32| if *class == NONE { NONE } else { before + class };
            leaf_macros
                .by_plies
                .push(classes.of_plan_state.iter().map(number).collect());
            bytes = leaf_macros.first.bytes();
        }
        tracing::debug!(
            plies = leaf_macros.by_plies.len() + 1,
            leaf_macros = leaf_macros.leaf_macros.len(),
            bytes,
            "leaf_macros"
        );
        leaf_macros
    }

    /// Return the largest number of plies of a macro list; 1 if there are none.
    #[inline(always)]
    pub(crate) fn max_plies(&self) -> usize {
        self.by_plies.len() + 1
    }

    /// Return the macro list of `plies` plies, at least 2, under a plan state.
    #[inline(always)]
    pub(crate) fn find(&self, plies: usize, plan_state: PlanStateId) -> Option<u32> {
        let macro_list = self.by_plies.get(plies - 2)?[plan_state as usize];
        (macro_list != NONE).then_some(macro_list)
    }

    /// Return a macro list by its number.
    #[inline(always)]
    pub(crate) fn get(&self, macro_list: u32) -> &MacroList {
        &self.leaf_macros[macro_list as usize]
    }

    /// Return the number of macro lists.
    pub(crate) fn len(&self) -> usize {
        self.leaf_macros.len()
    }

    /// Return the lines with both operands of the changes of a macro list, and the number of
    /// changes.
    #[inline(always)]
    pub(crate) fn changes(&self, macro_list: &MacroList) -> (&[Line], &[Line], usize) {
        let n = macro_list.n_changes;
        let first = self.first.of_list(macro_list.changes, n);
        (first, self.second.of_list(macro_list.changes, n), n)
    }
}

/// Plan states that are alike for a number of plies.
struct Classes<R> {
    n_plies: usize,
    classes: Vec<Class<R>>,
    /// By plan state; [`NONE`] where some rule needs a test.
    of_plan_state: Vec<u32>,
    compose: fn(&Change<R>, &Change<R>) -> Change<R>,
}

struct Class<R> {
    leaves: Vec<Change<R>>,
    nodes: Vec<u64>,
    forbidden: Vec<u64>,
}

impl<R: Pod> Classes<R> {
    /// Return the classes for one ply: the lists without tests.
    fn of_one_ply<F: Form<Packed = R>>(plan: &Plan<R>, _: &F) -> Self {
        let mut numbers = Numbers::default();
        let mut classes = Vec::new();
        let (first, second) = plan.lists.changes();
        let mut of_plan_state = Vec::with_capacity(plan.n_plan_states());
        for plan_state in &plan.graph.plan_states {
            let list = plan.list(plan_state.list);
            if list.tests.is_some() || plan_state.forbidden.is_some() {
                of_plan_state.push(NONE);
                continue;
            }
            let key = vec![
                plan_state.list.0.get(),
                plan_state.n_forbidden,
                plan_state.goals,
            ];
            of_plan_state.push(numbers.number(key, || {
                let may_be_goal = |i: &usize| plan.goal_rules(*plan_state, *i) >> (i % 64) & 1 == 1;
                let places = (0..list.n as usize).filter(may_be_goal);
                classes.push(Class {
                    leaves: places
                        .map(|i| i + list.changes as usize)
                        .map(|i| Change {
                            first: first[i],
                            second: second[i],
                        })
                        .collect(),
                    nodes: vec![u64::from(list.n)],
                    forbidden: vec![u64::from(plan_state.n_forbidden)],
                });
            }));
        }
        Self {
            n_plies: 1,
            classes,
            of_plan_state,
            compose: F::compose,
        }
    }

    /// Return the classes for one ply more; `None` when there are none, their leaves take more than
    /// `max_bytes`, or one of them has too many nodes.
    fn deeper(&self, plan: &Plan<R>, max_bytes: usize) -> Option<Self> {
        let mut numbers = Numbers::default();
        let mut of_plan_state = Vec::with_capacity(plan.n_plan_states());
        let (mut bytes, mut too_many) = (0, false);
        let mut classes: Vec<Class<R>> = Vec::new();
        let (first, second) = plan.lists.changes();
        for plan_state in &plan.graph.plan_states {
            let list = plan.list(plan_state.list);
            let n = list.n as usize;
            let below: Vec<u32> = (0..n)
                .map(|i| self.of_plan_state[plan.next(*plan_state, i) as usize])
                .collect();
            let tested = list.tests.is_some() || plan_state.forbidden.is_some();
            if tested || below.contains(&NONE) {
                of_plan_state.push(NONE);
                continue;
            }
            let mut key = vec![plan_state.list.0.get(), plan_state.n_forbidden];
            key.extend_from_slice(&below);
            let number = numbers.number(key, || {
                let mut class = Class {
                    leaves: Vec::new(),
                    nodes: vec![0; self.n_plies + 1],
                    forbidden: vec![0; self.n_plies + 1],
                };
                class.nodes[0] = u64::from(list.n);
                class.forbidden[0] = u64::from(plan_state.n_forbidden);
                let n_leaves: usize = below
                    .iter()
                    .map(|class| self.classes[*class as usize].leaves.len())
                    .sum();
                bytes += n_leaves * size_of::<R>() + 64;
                if bytes <= max_bytes {
                    for (i, below) in below.iter().enumerate() {
                        let place = list.changes as usize + i;
                        let change = Change {
                            first: first[place],
                            second: second[place],
                        };
                        self.put_below(&mut class, &change, &self.classes[*below as usize]);
                    }
                }
                too_many |= class.nodes.iter().sum::<u64>() > MAX_NODES;
                classes.push(class);
            });
            if too_many || bytes > max_bytes {
                return None;
            }
            of_plan_state.push(number);
        }
        (!classes.is_empty()).then_some(Self {
            n_plies: self.n_plies + 1,
            classes,
            of_plan_state,
            compose: self.compose,
        })
    }

    /// Add the nodes below one of a class's children to the class.
    fn put_below(&self, class: &mut Class<R>, change: &Change<R>, below: &Class<R>) {
        class.leaves.reserve(below.leaves.len());
        for then in &below.leaves {
            class.leaves.push((self.compose)(change, then));
        }
        let add = |to: &mut [u64], from: &[u64]| {
            for (to, from) in to.iter_mut().zip(from) {
                *to += from;
            }
        };
        add(&mut class.nodes[1..], &below.nodes);
        add(&mut class.forbidden[1..], &below.forbidden);
    }
}

/// Numbers things in the order of their first occurrence.
struct Numbers<K>(AHashMap<K, u32>);

impl<K> Default for Numbers<K> {
    fn default() -> Self {
        Self(AHashMap::new())
    }
}

impl<K: Eq + Hash> Numbers<K> {
    fn number(&mut self, key: K, when_new: impl FnOnce()) -> u32 {
        let number = self.0.len() as u32;
        *self.0.entry(key).or_insert_with(|| {
            when_new();
            number
        })
    }
}
