//! Moves of states that fit one word: each child is made by a few operations on the word.

use std::ops::{ControlFlow, Range};

use crate::best_first::space::moves::{Plan, Source, range};
use crate::best_first::space::packed::{DigitRun, Field, Packing};
use crate::game::rule_tables::RuleTables;

/// The maximum number of bits of variables that are read together.
const MOST_BITS: u32 = 8;

/// The maximum size of the sets of rules in bytes: they should stay in the second-level cache.
const MOST_BYTES: usize = 128 << 10;

/// What one rule writes: the bits of the parent that the child keeps, and constants.
#[derive(Clone, Debug)]
struct Write {
    keep: u64,
    set: u64,
}

/// What else one rule tests and writes.
#[derive(Clone, Debug)]
struct Rest {
    /// The bits that it tests against constants, if sets or lists don't decide that.
    tested: u64,
    /// What these bits must be.
    value: u64,
    copies: Range<u32>,
    equalities: Range<u32>,
}

/// Moves of one direction in states of one word, each of which leads to one state. They give the
/// same children as [`Moves::expand`](super::Moves::expand), in the same order.
#[derive(Clone, Debug)]
pub(crate) struct OneWordMoves {
    /// For each value of a run, the rules that it doesn't rule out.
    tables: RuleTables,
    /// Runs of variables, with the places of the sets for their values. There are none if rules are
    /// filed.
    runs: Vec<(Field, usize)>,
    writes: Vec<Write>,
    /// Nothing if that is all for each rule: on a map, memory is waited for, so what isn't needed
    /// isn't read.
    rest: Vec<Rest>,
    /// The fields that are copied, each with the lowest bit of its target.
    copies: Vec<(Field, u32)>,
    equalities: Vec<(Field, Field)>,
}

/// Return the bits that a rule tests against constants, and what they must be; `None` if a test
/// isn't a comparison of bits.
fn tested_bits(plan: &Plan, packing: &Packing) -> Option<(u64, u64)> {
    let (mut tested, mut value) = (0, 0);
    for (position, constant) in &plan.constants {
        let field = packing.field(*position);
        if tested & field.bits_of_one_word() != 0 {
            // Two facts of a group never hold together.
            return None;
        }
        tested |= field.bits_of_one_word();
        value |= field.put_in_one_word(packing.bits_for(*position, *constant)?);
    }
    Some((tested, value))
}

impl OneWordMoves {
    /// Make the moves of plans without the tests that lists of filed rules decide.
    ///
    /// Return `None` if states have more than one word, if there are too many rules, if a rule
    /// loses values, so that it leads back to several states, or if a test isn't a comparison of
    /// bits.
    pub(super) fn new(
        plans: &[Plan],
        are_filed: bool,
        domain_sizes: &[usize],
        packing: &Packing,
    ) -> Option<Self> {
        if packing.n_words() > 1 || plans.iter().any(|plan| !plan.any.is_empty()) {
            return None;
        }
        let mut moves = Self {
            tables: RuleTables::new(plans.len()),
            runs: Vec::new(),
            writes: Vec::with_capacity(plans.len()),
            rest: Vec::with_capacity(plans.len()),
            copies: Vec::new(),
            equalities: Vec::new(),
        };
        if !are_filed {
            moves.tabulate(plans, domain_sizes, packing)?;
        }
        for plan in plans {
            let tested = if are_filed {
                tested_bits(plan, packing)?
            } else {
                (0, 0)
            };
            moves.compile(plan, tested, packing);
        }
        let is_all =
            |rest: &Rest| rest.tested == 0 && rest.copies.is_empty() && rest.equalities.is_empty();
        if moves.rest.iter().all(is_all) {
            moves.rest = Vec::new();
        }
        Some(moves)
    }

    /// Make the sets of rules. Return `None` if there are too many rules.
    fn tabulate(
        &mut self,
        plans: &[Plan],
        domain_sizes: &[usize],
        packing: &Packing,
    ) -> Option<()> {
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
        let runs = runs.find(|runs| self.tables.bytes_with(n_sets(runs)) <= MOST_BYTES)?;
        for run in runs {
            if packing.variables_of(&run).all(|it| tests[it].is_empty()) {
                continue;
            }
            let begin = self.tables.add(run.field.n_values());
            self.runs.push((run.field, begin));
            packing.values_of_run(&run, |bits, values| {
                self.tables.fill(begin, bits);
                for (position, value) in values {
                    let ruled_out = tests[*position].iter().filter(|(_, test)| test != value);
                    ruled_out.for_each(|(rule, _)| self.tables.rule_out(begin, bits, *rule));
                }
            });
        }
        Some(())
    }

    fn compile(&mut self, plan: &Plan, (tested, value): (u64, u64), packing: &Packing) {
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
        self.writes.push(Write { keep, set });
        self.rest.push(Rest {
            tested,
            value,
            copies: first_copy as u32..self.copies.len() as u32,
            equalities: first_equality as u32..self.equalities.len() as u32,
        });
    }

    /// Call `visit` with each rule that applies to a state and the state it leads to, where rules
    /// aren't filed.
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
                if let Some(child) = self.apply(rule, state) {
                    visit(rule as u32, child)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Call `visit` with those of the candidates that apply to a state, and the state each leads
    /// to.
    #[inline]
    pub(crate) fn expand_by<B>(
        &self,
        state: u64,
        candidates: &[u32],
        mut visit: impl FnMut(u32, u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for rule in candidates {
            if let Some(child) = self.apply(*rule as usize, state) {
                visit(*rule, child)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Return the state to which a candidate leads, if it applies.
    #[inline]
    fn apply(&self, rule: usize, state: u64) -> Option<u64> {
        let Write { keep, set } = self.writes[rule];
        let mut child = state & keep | set;
        if let Some(rest) = self.rest.get(rule) {
            let mut equalities = self.equalities[range(&rest.equalities)].iter();
            if state & rest.tested != rest.value
                || equalities
                    .any(|(one, other)| one.read_one_word(state) != other.read_one_word(state))
            {
                return None;
            }
            for (from, to) in &self.copies[range(&rest.copies)] {
                child |= u64::from(from.read_one_word(state)) << to;
            }
        }
        Some(child)
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

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

    /// Thousands of rules, most of which lead from place to place.
    #[test]
    fn filed_rules_lead_where_they_lead_in_general() {
        let mut text = String::from("3  2000 3 3  A - B => 0 - B  - C C => - 0 C  - - 2 => 5 - 1 ");
        for place in 0..2000 {
            let next = (place + 1) % 2000;
            let (lock, other) = (place % 3, (place + 1) % 3);
            write!(
                text,
                "{place} - - => {next} - - {next} {lock} - => {place} {other} - "
            )
            .unwrap();
        }
        let game = psvn_ir::load(&text).game.expect("a game without errors");
        let space = Space::new(&game, &[]);
        assert!(space.forward.index.filed().is_some());
        assert!(
            !space
                .forward
                .one_word
                .as_ref()
                .expect("one word")
                .rest
                .is_empty()
        );
        check(&game, false);
    }

    fn check(game: &psvn_ir::Game, has_backward: bool) {
        let space = Space::new(game, &[]);
        let are_one_word = [&space.forward, &space.backward].map(|moves| moves.one_word.is_some());
        let mut random = psvn_ir::random::SplitMix64::new(3);
        if space.packing.n_words() > 1 {
            assert_eq!(are_one_word, [false, false]);
            return;
        }
        assert_eq!(are_one_word, [true, has_backward]);
        let mut n_moves = 0;
        for _ in 0..2_000 {
            let values = game.variables().iter().map(|domain| {
                let size = game.domain(*domain).size();
                psvn_ir::Value(random.below(size) as u32)
            });
            let state = space.pack(&State::new(values.collect::<Vec<_>>()));
            let state = state.expect("a state")[0];
            for moves in [&space.forward, &space.backward] {
                let mut found = Vec::new();
                let mut scratch = space.scratch(moves);
                let flow = moves.children(&space.packing, &[state], &mut scratch, |rule, child| {
                    found.push((rule, child[0]));
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
