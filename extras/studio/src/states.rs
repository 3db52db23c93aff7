//! The states of a machine that forbids redundant words, and which of them are drawn.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use fsm::{Dense, Machine, OpenFile};
use pictures::{Possible, Remembered};
use psvn::{Environment, Game};

use crate::refusal::Refusal;

/// With more rules, it isn't found out which rules can follow each other.
const MOST_RULES: usize = 500;

/// The most states that are drawn; of larger machines only what is near the chosen state.
const MOST_DRAWN: usize = 40;

/// With more arrows, those are left out whose rule leads from the start to the same state.
const MOST_ARROWS: usize = 24;

/// The states of a machine.
pub(crate) struct States {
    pub(crate) machine: Dense,
    possible: Possible,
    pub(crate) remembered: Remembered,
    pub(crate) start: usize,
}

impl States {
    pub(crate) fn of(file: &OpenFile, game: &Game, env: &Environment) -> Result<Self, Refusal> {
        let wrong = |error: &dyn std::fmt::Display| Refusal::wrong(error.to_string());
        let machine = file.machine().to_dense().map(Cow::into_owned);
        let machine = machine.map_err(|error| wrong(&error))?;
        let possible = if game.ir().rules().len() <= MOST_RULES {
            Possible::in_game(&machine, file, game.name().as_ref(), game, env)?
        } else {
            Possible::anything(&machine)
        };
        let remembered = Remembered::of(&machine, file.words(), &possible);
        Ok(Self {
            remembered: remembered.map_err(|error| wrong(&error))?,
            start: machine.number(machine.start()),
            machine,
            possible,
        })
    }

    /// The rules that can come in a state, each with the next state; 0 where the rule is forbidden.
    pub(crate) fn arrows(&self, state: usize) -> impl Iterator<Item = (u32, usize)> {
        let all = (0..).zip(self.machine.successors(state));
        all.filter(move |(letter, _)| self.possible.can_follow(state, *letter))
    }

    /// The states that a search can reach, the start first.
    fn reached(&self) -> impl Iterator<Item = usize> {
        let others = (1..=self.machine.n_states()).filter(|state| *state != self.start);
        let others = others.filter(|state| self.possible.is_reached(*state));
        std::iter::once(self.start).chain(others)
    }

    /// The rules that lead from one state to another, without those that are usual: they lead where
    /// they lead from the start.
    pub(crate) fn merged(
        &self,
        states: &[usize],
        with_usual: bool,
    ) -> BTreeMap<(usize, usize), Vec<u32>> {
        let home: Vec<usize> = self.machine.successors(self.start).collect();
        let mut merged: BTreeMap<(usize, usize), Vec<u32>> = BTreeMap::new();
        for state in states {
            for (letter, next) in self.arrows(*state).filter(|(_, next)| *next != 0) {
                let usual = if *state == self.start {
                    self.start
                } else {
                    home[letter as usize]
                };
                if with_usual || next != usual {
                    merged.entry((*state, next)).or_default().push(letter);
                }
            }
        }
        merged
    }

    /// The states to draw, with the arrows between them: all of a small machine, else what is near
    /// a state.
    pub(crate) fn drawn(&self, chosen: usize) -> Drawn {
        let reached: Vec<usize> = self.reached().take(MOST_DRAWN + 1).collect();
        let is_whole = reached.len() <= MOST_DRAWN;
        if is_whole {
            let all = self.merged(&reached, true);
            let leaves_out = all.len() > MOST_ARROWS;
            let arrows = if leaves_out {
                self.merged(&reached, false)
            } else {
                all
            };
            return Drawn {
                states: reached,
                arrows,
                is_whole,
                leaves_out,
            };
        }
        let near: BTreeSet<usize> = std::iter::once(chosen)
            .chain(
                self.arrows(chosen)
                    .map(|(_, next)| next)
                    .filter(|next| *next != 0),
            )
            .chain(self.reached().filter(|state| {
                *state != self.start && self.arrows(*state).any(|(_, next)| next == chosen)
            }))
            .take(MOST_DRAWN)
            .collect();
        let states: Vec<usize> = near.into_iter().collect();
        let mut arrows = self.merged(&states, false);
        arrows.retain(|(from, to), _| states.contains(to) && (*from == chosen || *to == chosen));
        Drawn {
            states,
            arrows,
            is_whole,
            leaves_out: true,
        }
    }
}

/// What is drawn of a machine.
pub(crate) struct Drawn {
    pub(crate) states: Vec<usize>,
    pub(crate) arrows: BTreeMap<(usize, usize), Vec<u32>>,
    /// Whether all states are there.
    pub(crate) is_whole: bool,
    /// Whether arrows are left out whose rule leads from the start to the same state.
    pub(crate) leaves_out: bool,
}
