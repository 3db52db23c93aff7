//! Consequences of single facts. Closing several constants starts from these, since most
//! consequences follow from one constant.

use std::iter::zip;
use std::sync::atomic::Ordering;

use crate::facts::FactIndex;
use crate::patterns::closing::{Closing, ClosingScratch, Contradiction, Run};

/// The consequences of a fact alone, beside what always holds.
#[derive(Clone, Debug)]
pub(in super::super) struct Alone {
    /// The words of sets that become smaller.
    words: Box<[(u32, u64)]>,
    /// The entries that are decided.
    certain: Box<[u32]>,
    impossible: Box<[u32]>,
    /// The facts that are then known.
    pub(in super::super) implied: Box<[u32]>,
}

impl Alone {
    fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of_val(&*self.words)
            + size_of_val(&*self.certain)
            + size_of_val(&*self.impossible)
            + size_of_val(&*self.implied)
    }
}

/// The most bytes for the consequences of single facts.
const MOST_BYTES_ALONE: usize = 4 << 20;

impl Closing {
    /// Find the consequences of a fact alone, unless they are known, or would take too much memory.
    pub(in super::super) fn find_alone(
        &self,
        fact: u32,
        room: &mut ClosingScratch,
        index: &FactIndex,
    ) {
        let slot = &self.alone[fact as usize];
        if slot.get().is_some() || self.bytes_alone.load(Ordering::Relaxed) > MOST_BYTES_ALONE {
            return;
        }
        room.members.clear();
        room.class_ends.clear();
        let closed = {
            let mut run = self.begin(room, index);
            run.assume(fact).and_then(|()| run.propagate()).map(|()| {
                run.list_implied(&[]);
            })
        };
        let alone = closed
            .ok()
            .map(|()| Box::new(self.beside_always(fact, room, index)));
        let bytes = alone.as_ref().map_or(0, |alone| alone.bytes());
        self.bytes_alone.fetch_add(bytes, Ordering::Relaxed);
        // Another thread may have been faster, with the same result.
        let _ = slot.set(alone);
    }

    /// The consequences found for one fact.
    fn beside_always(&self, fact: u32, room: &ClosingScratch, index: &FactIndex) -> Alone {
        let (mut words, mut certain, mut impossible) = (Vec::new(), Vec::new(), Vec::new());
        for var in &room.touched {
            let var = *var as usize;
            let range = self.first_word[var] as usize..self.first_word[var + 1] as usize;
            let sets = range
                .clone()
                .map(|word| (word as u32, room.sets.values[word]));
            words.extend(sets.filter(|(word, bits)| self.always.values[*word as usize] != *bits));
            for entry in self.entries.of_var.get(var) {
                let place = *entry as usize;
                if !room.sets.is_decided[place] || self.always.is_decided[place] {
                    continue;
                }
                let masks = &self.entries.masks[self.entries.first_word[place] as usize..];
                let mut outside = 0;
                for (word, mask) in zip(&room.sets.values[range.clone()], masks) {
                    outside |= word & !mask;
                }
                match outside {
                    0 => certain.push(*entry),
                    _ => impossible.push(*entry),
                }
            }
        }
        let own = |other: &u32| index.var(*other) != index.var(fact);
        Alone {
            words: words.into(),
            certain: certain.into(),
            impossible: impossible.into(),
            implied: room.implied.iter().copied().filter(own).collect(),
        }
    }
}

impl Run<'_> {
    /// Add the consequences of a fact alone. Joint consequences with the other facts are still
    /// open: variables and counts of which both have decided something must be processed.
    pub(super) fn join(&mut self, alone: &Alone, is_first: bool) -> Result<(), Contradiction> {
        for (word, bits) in &alone.words {
            let word = *word as usize;
            let old = self.scratch.sets.values[word];
            let new = old & bits;
            if new == old {
                continue;
            }
            self.scratch.sets.values[word] = new;
            let var = self.closing.var_of_word[word] as usize;
            let was_touched = std::mem::replace(&mut self.scratch.is_touched[var], true);
            if !was_touched {
                self.scratch.touched.push(var as u32);
            }
            let words = self.words(var);
            if new == 0
                && self.scratch.sets.values[words.clone()]
                    .iter()
                    .all(|it| *it == 0)
            {
                return Err(Contradiction);
            }
            // If the set is the one that the fact alone leaves, it has no other consequences.
            if was_touched && (new != *bits || words.len() > 1) {
                self.queue(var);
            }
        }
        let closing = self.closing;
        let ClosingScratch {
            sets,
            shared_counts,
            ..
        } = &mut *self.scratch;
        for (entries, is_certain) in [(&alone.certain, true), (&alone.impossible, false)] {
            for entry in entries {
                let entry = *entry as usize;
                if std::mem::replace(&mut sets.is_decided[entry], true) {
                    continue;
                }
                let count = closing.entries.count[entry] as usize;
                if is_certain {
                    sets.certain[count] += 1;
                } else {
                    sets.possible[count] -= 1;
                }
                let number = closing.numbers[count];
                let is_at_bound = sets.certain[count] >= number || sets.possible[count] <= number;
                if is_at_bound && !is_first {
                    shared_counts.push(count as u32);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use psvn_ir::testing::{GameShape, SplitMix64, random_game};
    use psvn_ir::{Game, Term, Value, VarId};

    use super::*;
    use crate::invariants::Invariants;

    /// The consequences of a pattern when its constants are assumed one after the other, sorted.
    fn plainly(known: &Invariants, pattern: &[Term], constants: &[u32]) -> Option<Vec<u32>> {
        let mut room = ClosingScratch::default();
        let mut run = known.closing.begin(&mut room, &known.index);
        for fact in constants {
            run.assume(*fact).ok()?;
        }
        run.propagate().ok()?;
        run.list_implied(pattern);
        room.implied.sort_unstable();
        Some(room.implied)
    }

    fn by_parts(known: &Invariants, pattern: &[Term], constants: &[u32]) -> Option<Vec<u32>> {
        let mut room = ClosingScratch::default();
        let is_possible = known
            .closing
            .close(pattern, constants, false, &mut room, &known.index);
        room.implied.sort_unstable();
        is_possible.then_some(room.implied)
    }

    fn compare(game: &Game, seed: u64) -> usize {
        let known = Invariants::from_goals(game);
        if known.is_empty() || known.closing.always_implied.is_none() {
            return 0;
        }
        let mut random = SplitMix64::new(seed);
        let mut n_implied = 0;
        for _ in 0..200 {
            let n = game.n_variables();
            let mut pattern: Vec<Term> = (0..n)
                .map(|i| Term::variable(VarId::from_index(i)))
                .collect();
            let mut constants = Vec::new();
            for (i, term) in pattern.iter_mut().enumerate() {
                if random.chance(30) {
                    let size = game.domain_of(VarId::from_index(i)).size();
                    let value = Value::from_index(random.below(size));
                    *term = Term::constant(value);
                    constants.push(known.index.id(i, value));
                }
            }
            let plain = plainly(&known, &pattern, &constants);
            n_implied += plain.as_ref().map_or(0, Vec::len);
            assert_eq!(by_parts(&known, &pattern, &constants), plain, "{pattern:?}");
        }
        n_implied
    }

    #[test]
    fn starting_from_single_facts_changes_nothing() {
        let mut n_implied = 0;
        for (name, arguments) in [
            ("blocks", &["4"][..]),
            ("hanoi", &["4", "3"]),
            ("gripper", &["2"]),
            ("sliding-tiles", &["3", "3"]),
            ("slide-jump", &["2"]),
            ("rubik", &["2"]),
        ] {
            let text = domains::generate(name, arguments).expect("a built-in game");
            let game = psvn_ir::load(&text).game.expect("a game without errors");
            n_implied += compare(&game, 1);
        }
        for seed in 0..300 {
            let shape = GameShape {
                constants: [60, 45, 35][seed as usize % 3],
                several_domains: seed % 4 == 1,
                ..GameShape::default()
            };
            n_implied += compare(&random_game(seed, &shape), seed);
        }
        assert!(n_implied > 1_000, "{n_implied}");
    }
}
