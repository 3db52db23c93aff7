//! The packed space, for custom searches.

use std::ops::{ControlFlow, Range};

use psvn_ir::{Game, RuleId, State, Value, VarId};

use crate::best_first::space::Space;
use crate::best_first::space::moves::{Moves, Scratch};
use crate::best_first::space::packed::hash;
use crate::game::compiled::StateMismatch;

/// The direction of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From a state to its successors.
    Forward,
    /// From a state to its predecessors.
    Backward,
}

/// A game with its states packed in a few words, with as many bits for each variable as needed.
///
/// ```
/// use search::{Direction, PackedStates};
///
/// let game = psvn_ir::load("2  3 3  A B => B A").game.expect("a game without errors");
/// let states = PackedStates::new(&game);
/// let start = states.pack(&game.parse_state("0 2")?)?;
/// let mut children = Vec::new();
/// let mut moves = states.moves(Direction::Forward);
/// moves.each(&start, |rule, child| children.push((rule, states.unpack(child))));
/// assert_eq!(children.len(), 1);
/// assert_eq!(game.format_state(children[0].1.values()), "2 0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PackedStates {
    space: Space,
}

impl PackedStates {
    /// Compile the moves of a game in both directions.
    pub fn new(game: &Game) -> Self {
        Self {
            space: Space::new(game, &[]),
        }
    }

    /// Return the number of words of a packed state, at least 1.
    pub fn n_words(&self) -> usize {
        self.space.packing.n_words()
    }

    /// Return the number of bytes, from the lowest one of the first word on, that may differ from
    /// zero; at least 1.
    pub fn n_bytes(&self) -> usize {
        self.space.packing.size().1.max(1)
    }

    /// Pack a state.
    ///
    /// # Errors
    /// When the state is not a state of this game.
    pub fn pack(&self, state: &State) -> Result<Vec<u64>, StateMismatch> {
        self.space.pack(state)
    }

    /// Return the state packed in these words.
    ///
    /// # Panics
    /// When the number of words is not [`n_words`](Self::n_words).
    pub fn unpack(&self, packed: &[u64]) -> State {
        assert_eq!(packed.len(), self.n_words(), "the words of one state");
        let mut row = vec![0; self.space.n_variables()];
        self.space.packing.unpack(packed, &mut row);
        State::new(row.into_iter().map(Value).collect::<Vec<_>>())
    }

    /// Return the number of variables of a state.
    pub fn n_variables(&self) -> usize {
        self.space.n_variables()
    }

    /// Write the values of a packed state.
    ///
    /// # Panics
    /// When the number of words is not [`n_words`](Self::n_words).
    #[inline]
    pub fn values(&self, packed: &[u64], values: &mut [u32]) {
        self.space.packing.unpack(packed, values);
    }

    /// Write the packed state of some values, each in its domain.
    ///
    /// # Panics
    /// When the number of words is not [`n_words`](Self::n_words), or there are more values than
    /// variables.
    #[inline]
    pub fn pack_values(&self, values: &[u32], packed: &mut [u64]) {
        self.space.packing.pack(values.iter().copied(), packed);
    }

    /// Return the bits of a variable in a packed state: those of the first word come first, each
    /// from its lowest bit on. There are none if the variable has one value.
    ///
    /// # Panics
    /// When there is no such variable.
    pub fn bits(&self, var: VarId) -> Range<u32> {
        self.space.packing.bits(var.index())
    }

    /// Hash a packed state. The hash is the same on every machine, and all its bits are equally
    /// random.
    #[inline]
    pub fn hash(&self, packed: &[u64]) -> u64 {
        hash(packed)
    }

    /// Return a generator of neighbors in one direction, with its own buffers: use one for each
    /// thread.
    pub fn moves(&self, direction: Direction) -> PackedMoves<'_> {
        let moves = match direction {
            Direction::Forward => &self.space.forward,
            Direction::Backward => &self.space.backward,
        };
        PackedMoves {
            space: &self.space,
            moves,
            scratch: self.space.scratch(moves),
        }
    }
}

/// Makes the neighbors of packed states.
#[derive(Clone, Debug)]
pub struct PackedMoves<'s> {
    space: &'s Space,
    moves: &'s Moves,
    scratch: Scratch,
}

impl PackedMoves<'_> {
    /// Call `visit` with each move from a state and the state it leads to, in the order of the
    /// rules. A state comes once for each rule, and backward once for each choice of values that
    /// the rule loses.
    ///
    /// # Panics
    /// When the number of words is not [`PackedStates::n_words`].
    #[inline]
    pub fn each(&mut self, state: &[u64], mut visit: impl FnMut(RuleId, &[u64])) {
        let packing = &self.space.packing;
        assert_eq!(state.len(), packing.n_words(), "the words of one state");
        let scratch = &mut self.scratch;
        let flow = self.moves.children(packing, state, scratch, |rule, child| {
            visit(RuleId(rule), child);
            ControlFlow::<()>::Continue(())
        });
        debug_assert!(flow.is_continue());
    }
}
