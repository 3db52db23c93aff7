//! Moves that a file defines by other moves.

use std::collections::HashMap;

use psvn_syntax::Span;

use super::notation::{APOSTROPHES, Inner, Part};
use super::puzzle::{Move, Multiples, Puzzle};
use super::turns::{Group, Turn, multiple_name};
use super::tws::is_rotation;

/// The most work for all definitions of a file, in places that a product of effects computes: less
/// than a second.
const MOST_WORK: usize = 200_000_000;

/// The most products for a number behind a move.
const PRODUCTS_OF_NUMBER: usize = 64;

/// The greatest depth of names that are defined by names.
const MOST_DEPTH: usize = 32;

/// A name that stands for other moves.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) meaning: Vec<Part>,
    /// Which multiples are moves. A name without any only stands for others.
    pub(super) multiples: Option<Multiples>,
}

/// An effect, and whether only turns of the whole puzzle were used to define it.
#[derive(Clone, Debug)]
struct Effect {
    turns: Vec<Turn>,
    is_rotation: bool,
}

/// Add the moves that definitions describe to a puzzle, and return the definitions that can't be
/// used, with the reasons. What equals a move or a multiple of one becomes another name for it.
pub(super) fn define<'d>(
    puzzle: &mut Puzzle,
    definitions: &'d [Definition],
) -> Vec<(&'d Definition, String)> {
    if definitions.iter().all(|it| it.multiples.is_none()) {
        return Vec::new();
    }
    let group = Group::of(&puzzle.sets);
    let mut names = Names::new(group.clone(), puzzle, definitions);
    let mut known = Known::new(group, puzzle);
    let mut unusable = Vec::new();
    for definition in definitions {
        let Some(multiples) = definition.multiples else {
            continue;
        };
        let effect = match names.effect_of(&definition.name, 0) {
            Some(Ok(effect)) => effect,
            Some(Err(reason)) => {
                unusable.push((definition, reason));
                continue;
            }
            None => continue,
        };
        let name = &definition.name;
        if let Some(other) = known.name_of(&effect.turns) {
            if other != name {
                puzzle.aliases.push((name.clone(), other.to_owned()));
            }
            continue;
        }
        let found = Move {
            name: name.clone(),
            turns: effect.turns,
            cost: 1,
            span: definition.span,
            multiples,
        };
        known.add(&found);
        if effect.is_rotation || is_rotation(name) {
            puzzle.rotations.push(found);
        } else {
            puzzle.moves.push(found);
        }
    }
    unusable
}

/// The effects of moves and of their multiples, with their names.
struct Known {
    group: Group,
    names: HashMap<Vec<Turn>, String>,
}

impl Known {
    fn new(group: Group, puzzle: &Puzzle) -> Self {
        let mut known = Self {
            names: HashMap::new(),
            group,
        };
        let moves = puzzle.moves.iter().chain(&puzzle.rotations);
        moves.for_each(|it| known.add(it));
        known
    }

    fn add(&mut self, it: &Move) {
        // A move with too many multiples is refused when it is written.
        for (turns, name) in it.named_multiples(&self.group).unwrap_or_default() {
            self.names.entry(turns).or_insert(name);
        }
    }

    fn name_of(&self, turns: &[Turn]) -> Option<&str> {
        self.names.get(turns).map(String::as_str)
    }
}

impl Move {
    /// The effects of the move and of its multiples that are moves, with their names. `None` if
    /// there are too many.
    pub(super) fn named_multiples(&self, group: &Group) -> Option<Vec<(Vec<Turn>, String)>> {
        let powers = group.multiples(&self.turns)?;
        let order = powers.len() + 1;
        let named = (1..)
            .zip(powers)
            .filter(|(times, _)| match self.multiples {
                Multiples::All => true,
                Multiples::Inverse => *times == 1 || *times == order - 1,
                Multiples::None => *times == 1,
            })
            .map(|(times, turns)| (turns, multiple_name(&self.name, times, order)));
        Some(named.collect())
    }
}

/// The effects of names.
struct Names<'d> {
    group: Group,
    definitions: HashMap<&'d str, &'d [Part]>,
    /// The effects of moves, and of definitions so far; `None` while one is worked out.
    effects: HashMap<String, Option<Result<Effect, String>>>,
    work: usize,
}

impl<'d> Names<'d> {
    fn new(group: Group, puzzle: &Puzzle, definitions: &'d [Definition]) -> Self {
        let effect = |it: &Move, is_rotation| {
            let turns = it.turns.clone();
            let effect = Effect { turns, is_rotation };
            (it.name.clone(), Some(Ok(effect)))
        };
        let moves = puzzle.moves.iter().map(|it| effect(it, false));
        let rotations = puzzle.rotations.iter().map(|it| effect(it, true));
        let definitions = definitions.iter();
        Self {
            group,
            effects: moves.chain(rotations).collect(),
            definitions: definitions.map(|it| (&*it.name, &*it.meaning)).collect(),
            work: 0,
        }
    }

    /// The effect of a name; `None` if the file has no such name.
    fn effect_of(&mut self, name: &str, depth: usize) -> Option<Result<Effect, String>> {
        if let Some(known) = self.effects.get(name) {
            let circle = || Err(format!("`{name}` is defined by itself"));
            return Some(known.clone().unwrap_or_else(circle));
        }
        let meaning = *self.definitions.get(name)?;
        self.effects.insert(name.to_owned(), None);
        let effect = if depth < MOST_DEPTH {
            self.sequence(meaning, depth + 1)
        } else {
            Err("it is defined by names of names, too deep".to_owned())
        };
        self.effects.insert(name.to_owned(), Some(effect.clone()));
        Some(effect)
    }

    fn sequence(&mut self, parts: &[Part], depth: usize) -> Result<Effect, String> {
        let mut whole = Effect {
            turns: self.group.identity(),
            is_rotation: true,
        };
        for part in parts {
            let effect = self.part(part, depth)?;
            self.spend(1)?;
            whole.turns = self.group.then(&whole.turns, &effect.turns);
            whole.is_rotation &= effect.is_rotation;
        }
        Ok(whole)
    }

    fn part(&mut self, part: &Part, depth: usize) -> Result<Effect, String> {
        let (inner, times, is_undone) = match part {
            Part::Word(word) => return self.word(word, depth),
            Part::Group {
                inner,
                times,
                is_undone,
            } => (inner, *times, *is_undone),
        };
        let effect = match inner {
            Inner::Sequence(parts) => self.sequence(parts, depth)?,
            Inner::Conjugate(a, b) | Inner::Commutator(a, b) => {
                let (a, b) = (self.sequence(a, depth)?, self.sequence(b, depth)?);
                self.spend(6)?;
                let mut turns = self.group.conjugate(&a.turns, &b.turns);
                if matches!(inner, Inner::Commutator(..)) {
                    turns = self.group.then(&turns, &self.group.undone(&b.turns));
                }
                let is_rotation = a.is_rotation && b.is_rotation;
                Effect { turns, is_rotation }
            }
        };
        self.repeated(effect, times, is_undone)
    }

    /// The effect of a name with a number and `'` behind it.
    fn word(&mut self, word: &str, depth: usize) -> Result<Effect, String> {
        let (mut name, mut times, mut is_undone) = (word, 1_u32, false);
        loop {
            if let Some(effect) = self.effect_of(name, depth) {
                return self.repeated(effect?, times, is_undone);
            }
            let unknown = || format!("there is no move `{word}`");
            if let Some(base) = name.strip_suffix(APOSTROPHES) {
                (name, is_undone) = (base, !is_undone);
                continue;
            }
            let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
            let number = name[base.len()..].parse::<u32>();
            let product = number.ok().and_then(|it| times.checked_mul(it));
            (name, times) = (base, product.ok_or_else(unknown)?);
        }
    }

    fn repeated(
        &mut self,
        mut effect: Effect,
        times: u32,
        is_undone: bool,
    ) -> Result<Effect, String> {
        if times != 1 {
            self.spend(PRODUCTS_OF_NUMBER)?;
            effect.turns = self.group.times(&effect.turns, times);
        }
        if is_undone {
            self.spend(1)?;
            effect.turns = self.group.undone(&effect.turns);
        }
        Ok(effect)
    }

    fn spend(&mut self, products: usize) -> Result<(), String> {
        self.work += products * self.group.places();
        if self.work <= MOST_WORK {
            Ok(())
        } else {
            Err("the definitions of this file take too long to work out".to_owned())
        }
    }
}
