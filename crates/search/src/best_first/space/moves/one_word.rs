//! Moves of states that fit one word: each child is made by a few operations on the word.

use std::ops::{ControlFlow, Range};

use crate::best_first::space::moves::{Plan, Source, range};
use crate::best_first::space::packed::{DigitRun, Field, Packing};
use crate::game::rule_tables::RuleTables;

/// The maximum number of bits of variables that are read together.
const MOST_BITS: u32 = 8;

/// The maximum size of the sets of rules in bytes: they should stay in the second-level cache.
const MOST_BYTES: usize = 128 << 10;

/// One rule: the bits of the parent that the child keeps, constants, and the rest.
#[derive(Clone, Debug)]
struct Code {
    keep: u64,
    set: u64,
    copies: Range<u32>,
    equalities: Range<u32>,
}

/// Moves of one direction in states of one word, each of which leads to one state. They give the
/// same children as [`Moves::expand`](super::Moves::expand), in the same order.
#[derive(Clone, Debug)]
pub(crate) struct OneWordMoves {
    /// For each value of a run, the rules that it doesn't rule out.
    tables: RuleTables,
    /// Runs of variables, with the places of the sets for their values.
    runs: Vec<(Field, usize)>,
    codes: Vec<Code>,
    /// The fields that are copied, each with the lowest bit of its target.
    copies: Vec<(Field, u32)>,
    equalities: Vec<(Field, Field)>,
}

impl OneWordMoves {
    /// Return `None` if states have more than one word, if there are too many rules, or if a rule
    /// loses values, so that it leads back to several states.
    pub(super) fn new(plans: &[Plan], domain_sizes: &[usize], packing: &Packing) -> Option<Self> {
        if packing.n_words() > 1 || plans.iter().any(|plan| !plan.any.is_empty()) {
            return None;
        }
        let mut moves = Self {
            tables: RuleTables::new(plans.len()),
            runs: Vec::new(),
            codes: Vec::with_capacity(plans.len()),
            copies: Vec::new(),
            equalities: Vec::new(),
        };
        // For each variable, the rules that test it with the values that they require.
        let mut tests = vec![Vec::new(); domain_sizes.len()];
        for (rule, plan) in plans.iter().enumerate() {
            for (position, value) in &plan.constants {
                tests[*position].push((rule, *value));
            }
        }
        let n_sets =
            |runs: &[DigitRun]| -> usize { runs.iter().map(|run| run.field.n_values()).sum() };
        let mut runs = (1..=MOST_BITS).rev().map(|bits| packing.runs(bits));
        let runs = runs.find(|runs| moves.tables.bytes_with(n_sets(runs)) <= MOST_BYTES)?;
        for run in runs {
            if packing.variables_of(&run).all(|it| tests[it].is_empty()) {
                continue;
            }
            let begin = moves.tables.add(run.field.n_values());
            moves.runs.push((run.field, begin));
            packing.values_of_run(&run, |bits, values| {
                moves.tables.fill(begin, bits);
                for (position, value) in values {
                    let ruled_out = tests[*position].iter().filter(|(_, test)| test != value);
                    ruled_out.for_each(|(rule, _)| moves.tables.rule_out(begin, bits, *rule));
                }
            });
        }
        for plan in plans {
            let code = moves.compile(plan, packing);
            moves.codes.push(code);
        }
        Some(moves)
    }

    fn compile(&mut self, plan: &Plan, packing: &Packing) -> Code {
        let (mut keep, mut set) = (!0, 0);
        let field = |position: usize| packing.field(position);
        let first_copy = self.copies.len();
        for (position, source) in &plan.writes {
            let to = field(*position);
            match source {
                Source::Constant(value) => {
                    if let Some(bits) = packing.bits_for(*position, *value) {
                        keep &= !to.bits_of_one_word();
                        set |= to.put_in_one_word(bits);
                    }
                }
                Source::Copy(from) => {
                    keep &= !to.bits_of_one_word();
                    let from = field(*from as usize);
                    self.copies.push((from, to.shift()));
                }
                Source::Any(_) => unreachable!("rules with a choice have no such moves"),
            }
        }
        let first_equality = self.equalities.len();
        let equal = plan.equalities.iter();
        self.equalities
            .extend(equal.map(|(one, other)| (field(*one), field(*other))));
        Code {
            keep,
            set,
            copies: first_copy as u32..self.copies.len() as u32,
            equalities: first_equality as u32..self.equalities.len() as u32,
        }
    }

    /// Call `visit` with each rule that applies to a state and the state it leads to.
    #[inline(always)]
    pub(crate) fn expand<B>(
        &self,
        state: u64,
        mut visit: impl FnMut(u32, u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for (number, all) in self.tables.all().iter().enumerate() {
            let mut rules = *all;
            for (field, begin) in &self.runs {
                let value = field.read_one_word(state) as usize;
                rules &= self.tables.word(*begin, value, number);
            }
            while rules != 0 {
                let rule = number * 64 + rules.trailing_zeros() as usize;
                rules &= rules - 1;
                let code = &self.codes[rule];
                let mut equalities = self.equalities[range(&code.equalities)].iter();
                if !equalities
                    .all(|(one, other)| one.read_one_word(state) == other.read_one_word(state))
                {
                    continue;
                }
                let mut child = state & code.keep | code.set;
                for (from, to) in &self.copies[range(&code.copies)] {
                    child |= u64::from(from.read_one_word(state)) << to;
                }
                visit(rule as u32, child)?;
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use psvn_ir::State;

    use crate::best_first::space::Space;
    use crate::best_first::space::moves::Moves;

    use super::*;

    /// Return all moves from a state, by the general method.
    fn in_general(space: &Space, moves: &Moves, state: u64) -> Vec<(u32, u64)> {
        let mut scratch = space.scratch(moves);
        space.load(&[state], &mut scratch);
        let mut found = Vec::new();
        let flow = moves.expand(&space.packing, &mut scratch, |rule, child, _| {
            found.push((rule, child[0]));
            ControlFlow::<()>::Continue(())
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
        let space = Space::new(game, &[]);
        let [forward, backward] = [&space.forward, &space.backward].map(|it| it.one_word.as_ref());
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
            for (moves, one_word) in [(&space.forward, forward), (&space.backward, backward)] {
                let Some(one_word) = one_word else { continue };
                let mut found = Vec::new();
                let flow = one_word.expand(state, |rule, child| {
                    found.push((rule, child));
                    ControlFlow::<()>::Continue(())
                });
                assert!(flow.is_continue());
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
