//! Moves of states that fit one word: values are read where a move needs them.

use crate::best_first::space::moves::{Moves, Source, range};
use crate::best_first::space::packed::Packing;

/// A variable in the word.
#[derive(Clone, Copy, Debug)]
struct Field {
    shift: u32,
    mask: u64,
}

impl Field {
    fn of(packing: &Packing, position: usize) -> Self {
        let (shift, mask) = packing.field_of_one_word(position);
        Self { shift, mask }
    }

    #[inline(always)]
    fn read(self, state: u64) -> u64 {
        state >> self.shift & self.mask
    }
}

/// The new value of a variable.
#[derive(Clone, Copy, Debug)]
enum New {
    Constant(u64),
    Copy(Field),
}

#[derive(Clone, Debug, Default)]
struct Code {
    constants: Vec<(Field, u64)>,
    equalities: Vec<(Field, Field)>,
    writes: Vec<(Field, New)>,
}

/// Moves of one direction that lead to one state each, over states of one word. They do what
/// [`Moves::expand`] does, in the same order.
#[derive(Clone, Debug)]
pub(crate) struct OneWordMoves {
    all: Box<[u64]>,
    /// Variables whose values rule out moves, with the places of the sets of their values.
    indexed: Vec<(Field, usize)>,
    sets: Box<[u64]>,
    codes: Vec<Code>,
}

impl OneWordMoves {
    /// Return `None` if states have more than one word, or if a rule loses values, so that it leads
    /// back to several states.
    pub(crate) fn new(moves: &Moves, packing: &Packing) -> Option<Self> {
        if packing.n_words() > 1 || moves.most_any > 0 {
            return None;
        }
        let field = |position| Field::of(packing, position);
        let codes = moves.codes.iter().map(|code| {
            let constants = moves.constants[range(&code.constants)].iter();
            let equalities = moves.equalities[range(&code.equalities)].iter();
            let writes = moves.writes[range(&code.writes)].iter();
            Some(Code {
                constants: constants
                    .map(|(i, value)| (field(*i as usize), u64::from(*value)))
                    .collect(),
                equalities: equalities
                    .map(|(i, j)| (field(*i as usize), field(*j as usize)))
                    .collect(),
                writes: writes
                    .map(|(position, source)| {
                        let new = match source {
                            Source::Constant(value) => New::Constant(u64::from(*value)),
                            Source::Copy(from) => New::Copy(field(*from as usize)),
                            Source::Any(_) => return None,
                        };
                        Some((field(*position as usize), new))
                    })
                    .collect::<Option<_>>()?,
            })
        });
        let indexed = moves.index.indexed();
        Some(Self {
            all: moves.index.all().into(),
            indexed: indexed
                .map(|(position, offset)| (field(position), offset))
                .collect(),
            sets: moves.index.sets().into(),
            codes: codes.collect::<Option<_>>()?,
        })
    }

    /// Call `visit` with each rule that applies to a state and the state it leads to.
    #[inline]
    pub(crate) fn each(&self, state: u64, mut visit: impl FnMut(u32, u64)) {
        let n_words = self.all.len();
        for (number, all) in self.all.iter().enumerate() {
            let mut rules = *all;
            for (field, offset) in &self.indexed {
                let value = field.read(state) as usize;
                rules &= self.sets[offset + value * n_words + number];
            }
            while rules != 0 {
                let rule = number * 64 + rules.trailing_zeros() as usize;
                rules &= rules - 1;
                let code = &self.codes[rule];
                let mut constants = code.constants.iter();
                let mut equalities = code.equalities.iter();
                if !constants.all(|(field, value)| field.read(state) == *value)
                    || !equalities.all(|(one, other)| one.read(state) == other.read(state))
                {
                    continue;
                }
                let mut child = state;
                for (field, new) in &code.writes {
                    let new = match new {
                        New::Constant(value) => *value,
                        New::Copy(from) => from.read(state),
                    };
                    child ^= (field.read(state) ^ new) << field.shift;
                }
                visit(rule as u32, child);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use psvn_ir::State;

    use crate::best_first::space::Space;
    use crate::best_first::space::moves::Moves;

    use super::*;

    /// Return all moves from a state, by the general code.
    fn in_general(space: &Space, moves: &Moves, state: u64) -> Vec<(u32, u64)> {
        let mut scratch = space.scratch(moves);
        space.load(&[state], &mut scratch);
        let mut found = Vec::new();
        let flow = moves.expand(&space.packing, &mut scratch, |rule, child, _| {
            found.push((rule, child[0]));
            std::ops::ControlFlow::<()>::Continue(())
        });
        assert!(flow.is_continue());
        found
    }

    #[test]
    fn moves_are_those_of_the_general_way() {
        let texts = [
            // Constants, copies, equal values; more rules than a word has bits.
            (
                "3  4 4 4  0 1 - => 1 A -  A A - => - 2 -  A - B => B - A  3 A A => A 3 3",
                true,
            ),
            ("4  2 2 2 2  A B C D => D C B A  1 - 0 - => 0 - 1 -", true),
            // Rules that lose values lead back to several states.
            ("2  3 3  A 1 => 2 2", false),
        ];
        for (text, has_backward) in texts {
            let game = psvn_ir::load(text).game.expect("a game without errors");
            check(&game, has_backward);
        }
        for game in [
            vec!["sliding-tiles", "3", "4"],
            vec!["pancake", "9"],
            vec!["topspin", "10", "4"],
            vec!["hanoi", "4", "7"],
            vec!["rubik", "2", "fixed"],
        ] {
            let text = domains::generate(game[0], &game[1..]).expect("a built-in game");
            check(&psvn_ir::load(&text).game.expect("a game"), true);
        }
    }

    fn check(game: &psvn_ir::Game, has_backward: bool) {
        let space = Space::new(game);
        let forward = OneWordMoves::new(&space.forward, &space.packing);
        let backward = OneWordMoves::new(&space.backward, &space.packing);
        let mut random = psvn_ir::random::SplitMix64::new(3);
        if space.packing.n_words() > 1 {
            assert!(forward.is_none() && backward.is_none());
            return;
        }
        assert_eq!(backward.is_some(), has_backward);
        let mut n_moves = 0;
        for _ in 0..2_000 {
            let values = game.variables().iter().map(|domain| {
                let size = game.domain(*domain).size();
                psvn_ir::Value(random.below(size) as u32)
            });
            let state = space.pack(&State::new(values.collect::<Vec<_>>()));
            let state = state.expect("a state")[0];
            for (moves, one_word) in [(&space.forward, &forward), (&space.backward, &backward)] {
                let Some(one_word) = one_word else { continue };
                let mut found = Vec::new();
                one_word.each(state, |rule, child| found.push((rule, child)));
                n_moves += found.len();
                assert_eq!(found, in_general(&space, moves, state), "{state:#x}");
            }
        }
        assert!(
            n_moves > 100,
            "{n_moves} moves of {} rules",
            game.rules().len()
        );
    }
}
