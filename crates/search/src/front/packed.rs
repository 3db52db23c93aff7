//! Custom searches on packed states: the tree below a start, node by node, without allocation.

use std::fmt::Debug;
use std::hash::Hash;

use psvn_ir::{RuleId, State, Value, VarId};

use crate::front::planned::{Planned, with_planned};
use crate::front::run::Run;
use crate::game::compiled::{CompiledGame, StateMismatch};
use crate::game::packed::{Form, Read};
use crate::kernel::{HasKernels, Job, Kernel};
use crate::plan::{Plan, PlanState, PlanStateId};
use crate::run::limits::{StopReason, Watch};
use crate::walk::steps::{children, is_goal};

/// The reasons why a game has no packed tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PackedError {
    /// The start state is not a state of the game.
    #[error(transparent)]
    Start(#[from] StateMismatch),
    /// The states are too wide, goals compare variables, or the machine is too large for a plan.
    #[error(
        "packed states are not possible: a state needs more than 64 bytes, a goal compares variables, or the machine is too large"
    )]
    NoPlan,
    /// A limit was reached while the plan was made.
    #[error("a limit was reached while the search was prepared: {0:?}")]
    Stopped(StopReason),
}

/// The tree of rule sequences below a start state, in the form in which this crate's searches walk
/// it: states in registers, and for each state of the machine a prepared list of the rules that may
/// come next.
///
/// Only [`state`](Self::state) allocates. A node is as cheap to copy as a number; to undo a rule,
/// keep the node before it.
pub trait PackedTree {
    /// A state of the game together with the state of the machine.
    ///
    /// Nodes are equal when both are. [`packed`](Self::packed) is the state alone.
    type Node: Copy + Eq + Hash + Debug + Send + Sync;

    /// A packed state: equal for equal states.
    type Packed: Copy + Eq + Hash + Debug + Send + Sync;

    /// Return the start.
    fn root(&self) -> Self::Node;

    /// Iterate over the children that the machine allows, in the order of the rules.
    ///
    /// What a machine forbids depends on the path, so a search that recognizes states must not drop
    /// a node because its *state* was seen before; see the crate documentation.
    fn children(&self, node: &Self::Node) -> impl Iterator<Item = (RuleId, Self::Node)>;

    /// Visit each child, in the same order. Faster than [`children`](Self::children): the loop is
    /// compiled for the processor's instructions.
    fn for_each_child(&self, node: &Self::Node, visit: impl FnMut(RuleId, Self::Node));

    /// Count the children without making them, which is several times as fast.
    fn n_children(&self, node: &Self::Node) -> u64;

    /// Return whether the state is a goal.
    fn is_goal(&self, node: &Self::Node) -> bool;

    /// Return the cost of a rule.
    ///
    /// # Panics
    /// When the game has no such rule.
    fn cost(&self, rule: RuleId) -> u64;

    /// Return the value of a variable.
    ///
    /// # Panics
    /// When the game has no such variable.
    fn value(&self, node: &Self::Node, var: VarId) -> Value;

    /// Return the packed state.
    fn packed(&self, node: &Self::Node) -> Self::Packed;

    /// Return the state, unpacked. Allocates.
    fn state(&self, node: &Self::Node) -> State;
}

/// A custom search, run by [`Run::on_packed`].
///
/// It is generic over the tree, since each game gets the narrowest states that fit it.
pub trait PackedSearch {
    /// The result of the search.
    type Output;

    /// Search the tree.
    fn run<T: PackedTree>(self, tree: &T) -> Self::Output;
}

impl Run<'_> {
    /// Run a custom search on packed states, with the machine and the invariants of the searcher.
    ///
    /// The limits hold while the search is prepared; the search itself has to enforce its own
    /// limits. Cycles are not detected.
    ///
    /// ```
    /// use search::{CompiledGame, PackedSearch, PackedTree, Searcher};
    ///
    /// /// Counts the sequences of a length.
    /// struct Count {
    ///     depth: u32,
    /// }
    ///
    /// impl PackedSearch for Count {
    ///     type Output = u64;
    ///
    ///     fn run<T: PackedTree>(self, tree: &T) -> u64 {
    ///         fn below<T: PackedTree>(tree: &T, node: &T::Node, depth: u32) -> u64 {
    ///             if depth == 0 {
    ///                 return 1;
    ///             }
    ///             let children = tree.children(node);
    ///             children.map(|(_, child)| below(tree, &child, depth - 1)).sum()
    ///         }
    ///         below(tree, &tree.root(), self.depth)
    ///     }
    /// }
    ///
    /// let game = psvn_ir::load("
    ///     3  3 3 3
    ///     A B C => B A C
    ///     A B C => A C B
    ///     GOAL 0 1 2
    /// ").game.expect("a game without errors");
    /// let start = game.parse_state("2 1 0")?;
    /// let searcher = Searcher::builder(&CompiledGame::new(&game)).build();
    /// assert_eq!(searcher.run().on_packed(&start, Count { depth: 10 })?, 1024);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the start is not a state of the game, when there is no plan for it, or when a limit is
    /// reached first.
    pub fn on_packed<S: PackedSearch>(
        &mut self,
        start: &State,
        search: S,
    ) -> Result<S::Output, PackedError> {
        let prepared = &*self.prepared;
        prepared.game.check(start)?;
        let mut watch = Watch::new(&self.limits, self.progress.as_mut());
        let planned = prepared.plan(&mut watch).map_err(PackedError::Stopped)?;
        let planned = planned.ok_or(PackedError::NoPlan)?;
        let instructions = self.options.instructions;
        Ok(with_planned!(planned, planned => {
            let game = &prepared.game;
            HasKernels::with_kernel(instructions, Search { planned, game, start, search })
        }))
    }
}

/// A search, ready to be run with a kernel.
struct Search<'p, F: Form<Packed: HasKernels>, S> {
    planned: &'p Planned<F>,
    game: &'p CompiledGame,
    start: &'p State,
    search: S,
}

impl<F: Form<Packed: HasKernels>, S: PackedSearch> Job<F::Packed> for Search<'_, F, S> {
    type Output = S::Output;

    #[inline(always)]
    fn run<K: Kernel<F::Packed>>(self, kernel: K) -> S::Output {
        self.search.run(&Tree {
            planned: self.planned,
            game: self.game,
            root: self.planned.form.pack(self.start.values()),
            kernel,
        })
    }
}

struct Tree<'p, F: Form<Packed: HasKernels>, K> {
    planned: &'p Planned<F>,
    game: &'p CompiledGame,
    root: F::Packed,
    kernel: K,
}

/// See [`PackedTree::Node`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node<R> {
    packed: R,
    plan_state: PlanStateId,
}

/// The number of children made at a time.
const BATCH: usize = 8;

/// Rules of a block, and the children by the first few of them.
#[derive(Clone, Copy)]
struct Batch<R> {
    /// The rules of the block that are not tried yet.
    bits: u64,
    states: [R; BATCH],
}

/// Find the rules of a block that apply, unless they are known, and make the next few children.
struct Expand<'p, R> {
    plan: &'p Plan<R>,
    packed: R,
    plan_state: PlanState,
    block: usize,
    bits: Option<u64>,
    batch: &'p mut Batch<R>,
}

impl<R: HasKernels> Job<R> for Expand<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel<R>>(self, kernel: K) {
        let bits = self.bits.unwrap_or_else(|| {
            children(
                self.plan,
                kernel,
                &self.packed,
                None,
                self.plan_state,
                self.block,
            )
            .0
        });
        let (first, second) = self.plan.lists.changes();
        let start = self.plan_state.changes as usize + self.block;
        let mut left = bits;
        for packed in &mut self.batch.states {
            if left == 0 {
                break;
            }
            let change = start + left.trailing_zeros() as usize;
            left &= left - 1;
            *packed = kernel.change(&self.packed, &first[change], &second[change]);
        }
        self.batch.bits = bits;
    }
}

/// Visit each child of a node.
struct Visit<'p, R, V> {
    plan: &'p Plan<R>,
    packed: &'p R,
    plan_state: PlanState,
    visit: V,
}

impl<R: HasKernels, V: FnMut(RuleId, Node<R>)> Job<R> for Visit<'_, R, V> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel<R>>(mut self, kernel: K) {
        let Visit {
            plan, plan_state, ..
        } = self;
        let (first, second) = plan.lists.changes();
        for block in (0..plan_state.n as usize).step_by(64) {
            let (mut left, _) = children(plan, kernel, self.packed, None, plan_state, block);
            while left != 0 {
                let place = block + left.trailing_zeros() as usize;
                left &= left - 1;
                let change = plan_state.changes as usize + place;
                let packed = kernel.change(self.packed, &first[change], &second[change]);
                let (rule, child) = child(plan, plan_state, place, packed);
                (self.visit)(rule, child);
            }
        }
    }
}

/// Count the children of a node.
struct Number<'p, R> {
    plan: &'p Plan<R>,
    packed: &'p R,
    plan_state: PlanState,
}

impl<R: HasKernels> Job<R> for Number<'_, R> {
    type Output = u64;

    #[inline(always)]
    fn run<K: Kernel<R>>(self, kernel: K) -> u64 {
        let n = self.plan_state.n as usize;
        if self.plan_state.always {
            return n as u64;
        }
        let blocks = (0..n)
            .step_by(64)
            .map(|block| children(self.plan, kernel, self.packed, None, self.plan_state, block).0);
        blocks.map(|bits| u64::from(bits.count_ones())).sum()
    }
}

/// Test whether a state is a goal.
struct IsGoal<'p, R> {
    plan: &'p Plan<R>,
    packed: &'p R,
}

impl<R: HasKernels> Job<R> for IsGoal<'_, R> {
    type Output = bool;

    #[inline(always)]
    fn run<K: Kernel<R>>(self, kernel: K) -> bool {
        is_goal(self.plan, kernel, self.packed)
    }
}

/// The children of a node, a few made at a time.
struct Children<'p, R, K> {
    plan: &'p Plan<R>,
    packed: R,
    plan_state: PlanState,
    block: usize,
    batch: Batch<R>,
    /// The place of the next child in the batch.
    next: usize,
    kernel: K,
}

impl<R: HasKernels, K: Kernel<R>> Iterator for Children<'_, R, K> {
    type Item = (RuleId, Node<R>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        while self.batch.bits == 0 {
            self.block += 64;
            if self.block >= self.plan_state.n as usize {
                return None;
            }
            self.fill(None);
        }
        if self.next == BATCH {
            self.fill(Some(self.batch.bits));
        }
        let place = self.block + self.batch.bits.trailing_zeros() as usize;
        self.batch.bits &= self.batch.bits - 1;
        let packed = self.batch.states[self.next];
        self.next += 1;
        Some(child(self.plan, self.plan_state, place, packed))
    }
}

impl<R: HasKernels, K: Kernel<R>> Children<'_, R, K> {
    #[inline(always)]
    fn fill(&mut self, bits: Option<u64>) {
        self.next = 0;
        self.kernel.call(Expand {
            plan: self.plan,
            packed: self.packed,
            plan_state: self.plan_state,
            block: self.block,
            bits,
            batch: &mut self.batch,
        });
    }
}

/// Return the child by the rule at a place of a plan state's list.
#[inline(always)]
fn child<R: HasKernels>(
    plan: &Plan<R>,
    plan_state: PlanState,
    place: usize,
    packed: R,
) -> (RuleId, Node<R>) {
    let rule = plan.rules(plan_state.list)[place];
    let plan_state = plan.next(plan_state, place);
    (RuleId(rule), Node { packed, plan_state })
}

impl<F: Form<Packed: HasKernels>, K: Kernel<F::Packed>> PackedTree for Tree<'_, F, K> {
    type Node = Node<F::Packed>;
    type Packed = F::Packed;

    fn root(&self) -> Self::Node {
        Node {
            packed: self.root,
            plan_state: Plan::<F::Packed>::ROOT,
        }
    }

    #[inline(always)]
    fn children(&self, node: &Self::Node) -> impl Iterator<Item = (RuleId, Self::Node)> {
        let plan = &self.planned.plan;
        let mut children = Children {
            plan,
            packed: node.packed,
            plan_state: plan.plan_state(node.plan_state),
            block: 0,
            batch: Batch {
                bits: 0,
                states: [node.packed; BATCH],
            },
            next: 0,
            kernel: self.kernel,
        };
        if children.plan_state.n > 0 {
            children.fill(None);
        }
        children
    }

    #[inline(always)]
    fn for_each_child(&self, node: &Self::Node, visit: impl FnMut(RuleId, Self::Node)) {
        let plan = &self.planned.plan;
        self.kernel.call(Visit {
            plan,
            packed: &node.packed,
            plan_state: plan.plan_state(node.plan_state),
            visit,
        });
    }

    #[inline(always)]
    fn n_children(&self, node: &Self::Node) -> u64 {
        let plan = &self.planned.plan;
        self.kernel.call(Number {
            plan,
            packed: &node.packed,
            plan_state: plan.plan_state(node.plan_state),
        })
    }

    #[inline(always)]
    fn is_goal(&self, node: &Self::Node) -> bool {
        self.kernel.call(IsGoal {
            plan: &self.planned.plan,
            packed: &node.packed,
        })
    }

    fn cost(&self, rule: RuleId) -> u64 {
        self.game.game.rules()[rule.index()].canonical.cost()
    }

    #[inline(always)]
    fn value(&self, node: &Self::Node, var: VarId) -> Value {
        Value(node.packed.read(self.planned.form.place(var)))
    }

    #[inline(always)]
    fn packed(&self, node: &Self::Node) -> Self::Packed {
        node.packed
    }

    fn state(&self, node: &Self::Node) -> State {
        let n_variables = self.game.n_variables();
        let values = (0..n_variables).map(|i| self.value(node, VarId::from_index(i)));
        State::new(values.collect::<Box<[Value]>>())
    }
}
