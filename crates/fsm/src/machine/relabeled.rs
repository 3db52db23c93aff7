//! A machine over labels for a search over rules.

use crate::machine::Machine;

/// A machine that translates each letter before it reads it.
///
/// A machine over operators (4 for a sliding-tile puzzle) serves a search over rules (48 for the
/// 15-puzzle) if each rule is translated to the letter of its operator. It forbids a sequence of
/// rules exactly if the inner machine forbids the sequence of their letters.
///
/// ```
/// use fsm::{Machine, Relabeled, WordAutomaton};
///
/// // Left after Right is forbidden. Rules 0 to 2 go right, rules 3 to 5 left.
/// let machine = WordAutomaton::forbidding(2, [[0, 1]])?.build()?;
/// let relabeled = Relabeled::new(machine, vec![0, 0, 0, 1, 1, 1]);
/// let right = relabeled.next(relabeled.start(), 1).expect("one letter is allowed");
/// assert!(relabeled.next(right, 2).is_some() && relabeled.next(right, 4).is_none());
/// # Ok::<(), fsm::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Relabeled<M> {
    machine: M,
    letter_of: Vec<u32>,
}

impl<M: Machine> Relabeled<M> {
    /// Make the machine that reads `letter_of[i]` for each input letter i.
    ///
    /// The letters must be among those of `machine`, and `letter_of` must have an entry for each
    /// input letter.
    pub fn new(machine: M, letter_of: Vec<u32>) -> Self {
        Self { machine, letter_of }
    }

    /// Return the machine within.
    pub fn machine(&self) -> &M {
        &self.machine
    }

    /// Return the letter that it reads for each input letter.
    pub fn letters(&self) -> &[u32] {
        &self.letter_of
    }
}

impl<M: Machine> Machine for Relabeled<M> {
    type State = M::State;

    #[inline]
    fn start(&self) -> Self::State {
        self.machine.start()
    }

    /// # Panics
    /// When there is no entry for the letter.
    #[inline]
    fn next(&self, state: Self::State, letter: u32) -> Option<Self::State> {
        self.machine.next(state, self.letter_of[letter as usize])
    }
}
