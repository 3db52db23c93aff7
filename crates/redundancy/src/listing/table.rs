//! The transitions of a machine.

use std::collections::VecDeque;

use fsm::{Dense, Machine, OpenFile};
use psvn_ir::Game;
use schemars::JsonSchema;
use serde::Serialize;

use crate::Error;
use crate::letters::LetterNames;

/// The transitions of a machine: what Burch & Holte 2011 "print out as a table of pruning
/// information", with any machine's states.
pub struct TransitionTable<'g> {
    machine: Dense,
    names: LetterNames<'g>,
    /// For each state the one before it on a shortest path from the start, and the letter between
    /// them.
    reached_by: Vec<Option<(usize, u32)>>,
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct TableRow {
    /// The number of the state, from 1.
    pub state: usize,
    /// A shortest sequence that leads to it; `None` where none does.
    pub word: Option<Vec<String>>,
    /// For each letter in order, the number of the next state; 0 where the letter is forbidden.
    pub next: Vec<usize>,
}

impl<'g> TransitionTable<'g> {
    /// The table of a machine file, with the names of the game if that is given. Finding the words
    /// takes time and memory linear in the size of the machine.
    ///
    /// # Errors
    /// When the machine is too large.
    pub fn of(file: &OpenFile, game: Option<&'g Game>) -> Result<Self, Error> {
        let machine = file.machine().to_dense();
        let machine = machine
            .map_err(|error| Error::limit(error.to_string()))?
            .into_owned();
        let names = LetterNames::of(game, file.into());
        let reached_by = breadth_first(&machine);
        Ok(Self {
            machine,
            names,
            reached_by,
        })
    }

    /// Return the names of the letters.
    pub fn letters(&self) -> Vec<String> {
        (0..self.machine.n_letters())
            .map(|letter| self.names.name(letter))
            .collect()
    }

    /// Return the number of the state in which searches start.
    pub fn start(&self) -> usize {
        self.machine.number(self.machine.start())
    }

    /// Return the rows, that of the start first, and then by number.
    pub fn rows(&self) -> impl Iterator<Item = TableRow> + '_ {
        let start = self.start();
        let others = (1..=self.machine.n_states()).filter(move |state| *state != start);
        std::iter::once(start).chain(others).map(|state| TableRow {
            state,
            word: self.word(state),
            next: self.machine.successors(state).collect(),
        })
    }

    /// A shortest word that leads to a state.
    fn word(&self, state: usize) -> Option<Vec<String>> {
        let mut letters = Vec::new();
        let mut at = state;
        while at != self.start() {
            let (before, letter) = self.reached_by[at]?;
            letters.push(self.names.name(letter));
            at = before;
        }
        letters.reverse();
        Some(letters)
    }
}

/// For each state, by number, the one before it on a shortest path from the start.
fn breadth_first(machine: &Dense) -> Vec<Option<(usize, u32)>> {
    let start = machine.number(machine.start());
    let mut reached_by = vec![None; machine.n_states() + 1];
    let mut queue = VecDeque::from([start]);
    while let Some(state) = queue.pop_front() {
        for (letter, next) in (0..).zip(machine.successors(state)) {
            if next != 0 && next != start && reached_by[next].is_none() {
                reached_by[next] = Some((state, letter));
                queue.push_back(next);
            }
        }
    }
    reached_by
}
