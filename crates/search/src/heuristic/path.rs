//! A heuristic along one path, for checks, examples and tests.

use psvn_ir::{RuleId, Value};

use crate::heuristic::memo::Memo;
use crate::heuristic::{Estimated, Heuristic, PathNode, Sibling};

/// The last node of a path along which a heuristic is followed, as depth-first searches do it.
#[derive(Clone)]
pub struct FollowedPath<'h> {
    heuristic: &'h dyn Heuristic,
    state: Vec<u8>,
    estimated: Estimated,
}

/// Return a state with one byte for each variable; `None` if a value has more.
pub(crate) fn bytes(state: &[Value]) -> Option<Vec<u8>> {
    let bytes = state.iter().map(|value| u8::try_from(value.0).ok());
    bytes.collect()
}

impl<'h> FollowedPath<'h> {
    /// Begin a path at a state. `None` if one of its values doesn't fit in a byte.
    pub fn start(heuristic: &'h dyn Heuristic, state: &[Value]) -> Option<Self> {
        let state = bytes(state)?;
        let mut memo = Memo::default();
        let estimate = heuristic.start(&state, &mut memo);
        Some(Self {
            heuristic,
            state,
            estimated: Estimated { estimate, memo },
        })
    }

    /// Return the estimate of the node.
    pub fn estimate(&self) -> u64 {
        self.estimated.estimate
    }

    /// Return the memo of the node.
    pub fn memo(&self) -> &Memo {
        &self.estimated.memo
    }

    /// Return the path that is longer by a rule, which leads to `child`. If the estimate exceeds
    /// `cutoff`, only a lower bound above `cutoff` is known, and the path can't be followed.
    ///
    /// # Panics
    /// When a value doesn't fit in a byte.
    pub fn child(&self, rule: RuleId, child: &[Value], cutoff: u64) -> Self {
        let state = bytes(child).expect("values of a byte");
        let mut estimated = [Estimated::default()];
        let node = PathNode {
            state: &self.state,
            memo: self.memo(),
        };
        let siblings = [Sibling { rule, cutoff }];
        self.heuristic
            .children(node, &siblings, &state, &mut estimated);
        let [estimated] = estimated;
        Self {
            heuristic: self.heuristic,
            state,
            estimated,
        }
    }

    /// Return the estimates and memos of several children, whose states are `children`.
    ///
    /// # Panics
    /// When a value doesn't fit in a byte.
    pub fn children(&self, siblings: &[Sibling], children: &[Box<[Value]>]) -> Vec<Estimated> {
        let states = children.iter().map(|child| bytes(child));
        let states = states.collect::<Option<Vec<_>>>();
        let states = states.expect("values of a byte").concat();
        let node = PathNode {
            state: &self.state,
            memo: self.memo(),
        };
        let mut estimated = vec![Estimated::default(); siblings.len()];
        self.heuristic
            .children(node, siblings, &states, &mut estimated);
        estimated
    }

    /// Return lower bounds above the cutoffs of children that the node's memo rejects.
    pub fn reject(&self, siblings: &[Sibling]) -> Vec<Option<u64>> {
        let mut rejected = vec![None; siblings.len()];
        if self.heuristic.properties().has_rejection {
            self.heuristic.reject(self.memo(), siblings, &mut rejected);
        }
        rejected
    }
}
