//! The states around a start with the ideal tree, for comparison with machines.

use budget::{Limits, StopReason};
use fsm::{Machine, MachineState};
use psvn_ir::{Game, State};

use crate::comparison::{Comparison, Question, Stopped};
use crate::differences;
use crate::moves::{Letters, Moves};
use crate::space::Space;
use crate::tree::{Folded, Tree};
use crate::windows::Windows;
use crate::work::Work;

/// The states around a start, the least sequences at each of them, and the ideal tree. Computing
/// these is most of the work of a comparison, and serves all machines.
///
/// Work is counted in steps: rules that are tried at a state, or that extend sequences. The steps
/// taken are subtracted from those allowed, even if there is no result. If the steps don't suffice,
/// that counts as a limit on [nodes](budget::StopReason::Nodes).
pub struct Surroundings {
    space: Space,
    windows: Windows,
    ideal: Tree,
    depth: usize,
    n_states: usize,
    is_all: bool,
}

impl Surroundings {
    /// Find the states around a start and count the ideal tree.
    ///
    /// # Errors
    /// As for [`Comparison::make`], and when the steps don't suffice.
    ///
    /// # Panics
    /// When the start belongs to another game.
    pub fn of(
        game: &Game,
        start: &State,
        question: &Question<'_>,
        limits: &Limits,
        steps: &mut u64,
    ) -> Result<Self, Stopped> {
        let work = Work::new(limits.clone(), *steps);
        let made = Self::with(game, start, question, &work);
        *steps = work.steps_left();
        Ok(made?)
    }

    fn with(
        game: &Game,
        start: &State,
        question: &Question<'_>,
        work: &Work,
    ) -> Result<Self, StopReason> {
        let &Question {
            max_length, depth, ..
        } = question;
        let horizon = depth.saturating_add(max_length);
        let space = Space::around(game, start, question.rule_order, horizon, work)?;
        let n_states = space.n_within(depth);
        let is_all = space.is_all_within(depth);
        let windows = Windows::of(&space, n_states, question.order, max_length, work)?;
        let root = windows.root(0).expect("the start is the first state");
        let next = |node: u32, found: &mut Vec<u32>| {
            if max_length == 0 {
                let edges = space.edges(windows.end(node)).iter();
                found.extend(edges.filter_map(|edge| windows.root(edge.target)));
            } else {
                found.extend(windows.next(node).filter_map(|(_, node)| node));
            }
        };
        let folded = Folded::explore(root, depth, is_all, next, work)?;
        let ideal = folded.size(depth, question.growth, work)?;
        Ok(Self {
            space,
            windows,
            ideal,
            depth,
            n_states,
            is_all,
        })
    }

    /// Return the depth down to which nodes are counted.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Return the ideal tree.
    pub fn ideal(&self) -> &Tree {
        &self.ideal
    }

    /// Count a machine's tree, and list the sequences that it keeps although they aren't least.
    /// Depth, length and order are those of the question given to [`of`](Self::of).
    ///
    /// # Errors
    /// As for [`Comparison::make`], and when the steps don't suffice.
    ///
    /// # Panics
    /// When the letters or the machine belong to another game.
    pub fn compare<M: Machine>(
        &self,
        letters: &Letters<'_>,
        machine: &M,
        question: &Question<'_>,
        limits: &Limits,
        steps: &mut u64,
    ) -> Result<Comparison, Stopped> {
        let work = Work::new(limits.clone(), *steps);
        let compared = self.compare_with(letters, machine, question, &work);
        *steps = work.steps_left();
        Ok(compared?)
    }

    fn compare_with<M: Machine>(
        &self,
        letters: &Letters<'_>,
        machine: &M,
        question: &Question<'_>,
        work: &Work,
    ) -> Result<Comparison, StopReason> {
        let moves = Moves::new(&self.space, letters);
        let (start, next) = (machine.start().number(), steps_of(machine));
        let folded = fold(&moves, start, &next, self.depth, self.is_all, work)?;
        Ok(Comparison {
            machine: folded.size(self.depth, question.growth, work)?,
            ideal: self.ideal.clone(),
            differences: differences::find(
                letters.game(),
                &moves,
                &self.windows,
                question.order,
                machine,
                question.most_differences,
                work,
            )?,
            n_states: self.n_states,
            is_all: self.is_all,
        })
    }
}

/// The states around a start, for counting the trees of machines, without the ideal tree.
pub struct Neighborhood {
    space: Space,
    depth: usize,
}

/// The work of a rule that is tried in vain, as part of a move.
const PART_OF_TRY: f64 = 0.1;

impl Neighborhood {
    /// Find the states within some moves of a start. Work is counted as for [`Surroundings`].
    ///
    /// # Errors
    /// When a limit stops it, or the steps don't suffice.
    ///
    /// # Panics
    /// When the start belongs to another game.
    pub fn around(
        game: &Game,
        start: &State,
        depth: usize,
        limits: &Limits,
        steps: &mut u64,
    ) -> Result<Self, Stopped> {
        let work = Work::new(limits.clone(), *steps);
        let space = Space::around(game, start, None, depth, &work);
        *steps = work.steps_left();
        Ok(Self {
            space: space?,
            depth,
        })
    }

    /// Find the states around a start as far as some number of moves suffices, within a depth. A
    /// move is one from a state to another; rules that don't apply count for a tenth.
    ///
    /// No layer is begun whose moves don't seem to suffice, so the last one may take a few more.
    ///
    /// # Panics
    /// When the start belongs to another game.
    pub fn as_far_as(
        game: &Game,
        start: &State,
        depth: usize,
        limits: &Limits,
        moves: u64,
    ) -> Self {
        let work = Work::new(limits.clone(), u64::MAX);
        let mut space = Space::at(game, start, None);
        let tries = game.rules().len() as f64 * PART_OF_TRY;
        let mut left = moves as f64;
        let mut moves_of_state = 1.0;
        while space.radius() < depth && !space.is_closed() {
            let (layer, before) = (space.n_in_last_layer() as f64, space.n_edges());
            if layer * (tries + moves_of_state) > left || space.grow(game, &work).is_err() {
                break;
            }
            let moves = (space.n_edges() - before) as f64;
            left -= layer * tries + moves;
            moves_of_state = moves / layer;
        }
        Self {
            depth: space.radius(),
            space,
        }
    }

    /// Return the number of moves from the start up to which the states are known.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Return the number of moves from the states within that distance, as far as they are known.
    pub fn n_moves(&self) -> usize {
        self.space.n_edges()
    }

    /// Return the number of states at each distance from the start, up to the depth.
    pub fn states(&self) -> Vec<usize> {
        let within = (0..=self.depth).map(|moves| self.space.n_within(moves));
        let mut before = 0;
        within
            .map(|within| within - std::mem::replace(&mut before, within))
            .collect()
    }

    /// Return the nodes of a machine's tree by depth.
    ///
    /// # Errors
    /// When a limit stops it, the steps don't suffice, or numbers don't fit in 128 bits.
    ///
    /// # Panics
    /// When the letters or the machine belong to another game.
    pub fn nodes<M: Machine>(
        &self,
        letters: &Letters<'_>,
        machine: &M,
        limits: &Limits,
        steps: &mut u64,
    ) -> Result<Vec<u128>, Stopped> {
        let work = Work::new(limits.clone(), *steps);
        let moves = Moves::new(&self.space, letters);
        let (start, next) = (machine.start().number(), steps_of(machine));
        let size = fold(&moves, start, &next, self.depth, false, &work)
            .and_then(|folded| folded.size(self.depth, false, &work));
        *steps = work.steps_left();
        Ok(size?.nodes)
    }
}

/// A machine's steps from state to state, by number.
type Steps<'m> = dyn Fn(u32, u32) -> Option<u32> + 'm;

/// Return the steps of a machine of any type.
fn steps_of<M: Machine>(machine: &M) -> impl Fn(u32, u32) -> Option<u32> + '_ {
    |state, letter| {
        let next = machine.next(M::State::of_number(state), letter);
        next.map(M::State::number)
    }
}

/// Fold the tree of a machine, to some depth or to the end.
fn fold(
    moves: &Moves<'_>,
    start: u32,
    machine: &Steps<'_>,
    depth: usize,
    is_whole: bool,
    work: &Work,
) -> Result<Folded, StopReason> {
    let next = |(state, memory), found: &mut Vec<(u32, u32)>| {
        for (letter, edge) in moves.at(state) {
            if let Some(memory) = machine(memory, letter) {
                found.push((edge.target, memory));
            }
        }
    };
    Folded::explore((0, start), depth, is_whole, next, work)
}
