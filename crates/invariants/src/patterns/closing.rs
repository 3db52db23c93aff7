//! Values that the invariants imply beside the preconditions of a sequence.
//!
//! If a game gives each disk a bit for each peg, its preconditions omit what everyone knows: a disk
//! on one peg is on no other. Here each variable has the set of values that it may still have, and
//! the invariants remove values from these sets until nothing changes:
//!
//! - a value that never occurs is in no set;
//! - if a variable is known, the facts that its value excludes are removed;
//! - if the number of variables that certainly hold one of a count's facts equals the count, no
//!   other variable holds one; if only that number can, all of them do;
//! - positions that hold the same unknown have one set, and a value that is impossible at all of
//!   them together is removed.
//!
//! A set with one remaining value is a known value. The result is the greatest fixpoint of monotone
//! steps, so it doesn't depend on their order; more knowledge never implies less; and closing is
//! idempotent. The analysis of sequences relies on that.

mod alone;

use std::iter::zip;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use psvn_ir::Term;

use crate::counts::Count;
use crate::facts::FactIndex;
use crate::patterns::closing::alone::Alone;
use crate::patterns::lists::Lists;
use crate::patterns::memo::MemoId;

/// The variables that a count is about, each with the values that count.
#[derive(Clone, Debug, Default)]
struct Entries {
    count: Vec<u32>,
    var: Vec<u32>,
    /// The start of each entry's values in `masks`.
    first_word: Vec<u32>,
    masks: Vec<u64>,
    of_var: Lists,
    /// The first entry of each count, and the number of entries at the end.
    of_count: Vec<u32>,
}

/// The current knowledge about the variables.
#[derive(Clone, Debug, Default)]
struct Sets {
    /// The values that each variable may have, as bits.
    values: Vec<u64>,
    /// For each entry, whether it is decided that the variable holds one of the count's facts, or
    /// none of them.
    is_decided: Vec<bool>,
    /// For each count, the entries that are certain, and those that aren't impossible.
    certain: Vec<u32>,
    possible: Vec<u32>,
}

impl Sets {
    fn copy_from(&mut self, other: &Self) {
        self.values.clone_from(&other.values);
        self.is_decided.clone_from(&other.is_decided);
        self.certain.clone_from(&other.certain);
        self.possible.clone_from(&other.possible);
    }
}

/// No state has the invariants and the preconditions.
struct Contradiction;

/// The tables for closing.
#[derive(Debug, Default)]
pub(crate) struct Closing {
    /// The start of each variable's values among the words, and the end of the last ones.
    first_word: Vec<u32>,
    /// The variable that each word belongs to.
    var_of_word: Vec<u32>,
    entries: Entries,
    numbers: Vec<u32>,
    /// For each fact the facts that it excludes.
    excluded: Lists,
    /// The facts that hold in all states with the invariants.
    always: Sets,
    /// The facts among that.
    pub(super) always_implied: Option<Box<[u32]>>,
    /// The facts that each fact implies alone, computed on demand; `None` for a contradiction.
    /// Closing starts from what its constants imply one by one, and continues with their joint
    /// consequences.
    pub(super) alone: Vec<OnceLock<Option<Box<Alone>>>>,
    /// The bytes of that.
    bytes_alone: AtomicUsize,
    pub(super) id: MemoId,
}

impl Clone for Closing {
    fn clone(&self) -> Self {
        Self {
            first_word: self.first_word.clone(),
            var_of_word: self.var_of_word.clone(),
            entries: self.entries.clone(),
            numbers: self.numbers.clone(),
            excluded: self.excluded.clone(),
            always: self.always.clone(),
            always_implied: self.always_implied.clone(),
            alone: self.alone.clone(),
            bytes_alone: AtomicUsize::new(self.bytes_alone.load(Ordering::Relaxed)),
            id: self.id,
        }
    }
}

/// Memory that closing reuses.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClosingScratch {
    sets: Sets,
    /// The variables whose sets have shrunk since they were last processed.
    queue: Vec<u32>,
    is_queued: Vec<bool>,
    /// The variables whose sets have shrunk at all.
    touched: Vec<u32>,
    is_touched: Vec<bool>,
    /// The positions of each repeated unknown, one list behind the other.
    members: Vec<u32>,
    class_ends: Vec<u32>,
    /// For each variable its class, from 1; 0 for none.
    class_of: Vec<u32>,
    /// For each count, how many positions of a class would join it, or leave it.
    joining: Vec<u32>,
    leaving: Vec<u32>,
    /// The counts with entries that several constants decide.
    shared_counts: Vec<u32>,
    pub(super) implied: Vec<u32>,
}

impl Closing {
    pub(crate) fn new(
        index: &FactIndex,
        counts: &[Count],
        never: &[u32],
        exclusive: &[(u32, u32)],
    ) -> Self {
        if counts.is_empty() && never.is_empty() && exclusive.is_empty() {
            return Self::default();
        }
        let n_facts = index.n_facts();
        let n_vars = index.n_vars();
        let mut first_word = vec![0];
        let (mut values, mut var_of_word) = (Vec::new(), Vec::new());
        for var in 0..n_vars {
            let size = index.domain_size(var);
            values.extend((0..size.div_ceil(64)).map(|word| match size - word * 64 {
                rest @ 0..64 => (1_u64 << rest) - 1,
                _ => u64::MAX,
            }));
            first_word.push(values.len() as u32);
            var_of_word.resize(values.len(), var as u32);
        }
        let mut entries = Entries::default();
        for (number, count) in counts.iter().enumerate() {
            entries.of_count.push(entries.var.len() as u32);
            // The facts are sorted, and so by variable.
            for facts in count
                .facts
                .chunk_by(|one, other| index.var(*one) == index.var(*other))
            {
                let var = index.var(facts[0]);
                let start = entries.masks.len();
                let n_words = (first_word[var + 1] - first_word[var]) as usize;
                entries.masks.resize(start + n_words, 0);
                for fact in facts {
                    let value = (fact - index.of_var(var).start) as usize;
                    entries.masks[start + value / 64] |= 1 << (value % 64);
                }
                entries.count.push(number as u32);
                entries.var.push(var as u32);
                entries.first_word.push(start as u32);
            }
        }
        entries.of_count.push(entries.var.len() as u32);
        let of_var = entries.var.iter().copied().zip(0..);
        entries.of_var = Lists::new(n_vars, of_var.collect());
        let both_ways = exclusive
            .iter()
            .flat_map(|(one, other)| [(*one, *other), (*other, *one)]);
        let n_of = |number: usize| entries.of_count[number + 1] - entries.of_count[number];
        let always = Sets {
            values,
            is_decided: vec![false; entries.var.len()],
            certain: vec![0; counts.len()],
            possible: (0..counts.len()).map(n_of).collect(),
        };
        let mut closing = Self {
            first_word,
            var_of_word,
            numbers: counts.iter().map(|count| count.number).collect(),
            excluded: Lists::new(n_facts, both_ways.collect()),
            always,
            always_implied: None,
            alone: vec![OnceLock::new(); n_facts],
            bytes_alone: AtomicUsize::new(0),
            id: MemoId::new(),
            entries,
        };
        closing.close_nothing(index, never);
        closing
    }

    /// Find the facts that hold in all states with the invariants.
    fn close_nothing(&mut self, index: &FactIndex, never: &[u32]) {
        let mut scratch = ClosingScratch::default();
        let mut run = self.begin(&mut scratch, index);
        let found = run.close_all(never);
        if found.is_ok() {
            run.list_implied(&[]);
            self.always_implied = Some(scratch.implied.as_slice().into());
            self.always = scratch.sets;
        }
    }

    /// Close a vector with these constants, and list the implied values. Return whether there is no
    /// contradiction.
    pub(super) fn close(
        &self,
        pattern: &[Term],
        constants: &[u32],
        repeats: bool,
        room: &mut ClosingScratch,
        index: &FactIndex,
    ) -> bool {
        for fact in constants {
            self.find_alone(*fact, room, index);
        }
        room.read_classes(pattern, repeats);
        self.begin(room, index).close(pattern, constants).is_ok()
    }

    fn begin<'a>(&'a self, scratch: &'a mut ClosingScratch, index: &'a FactIndex) -> Run<'a> {
        let n_vars = self.first_word.len() - 1;
        scratch.sets.copy_from(&self.always);
        scratch.queue.clear();
        scratch.is_queued.clear();
        scratch.is_queued.resize(n_vars, false);
        scratch.touched.clear();
        scratch.is_touched.clear();
        scratch.is_touched.resize(n_vars, false);
        Run {
            closing: self,
            index,
            scratch,
        }
    }
}

/// Closing of one list of preconditions.
struct Run<'a> {
    closing: &'a Closing,
    index: &'a FactIndex,
    scratch: &'a mut ClosingScratch,
}

impl Run<'_> {
    /// Close the values that never hold, starting from the sets and counts of the constructor.
    fn close_all(&mut self, never: &[u32]) -> Result<(), Contradiction> {
        for fact in never {
            self.remove(*fact)?;
        }
        for var in 0..self.closing.first_word.len() - 1 {
            self.queue(var);
        }
        for count in 0..self.closing.numbers.len() {
            self.use_bounds(count)?;
        }
        self.propagate()
    }

    fn words(&self, var: usize) -> std::ops::Range<usize> {
        let first = &self.closing.first_word;
        first[var] as usize..first[var + 1] as usize
    }

    fn queue(&mut self, var: usize) {
        if !std::mem::replace(&mut self.scratch.is_queued[var], true) {
            self.scratch.queue.push(var as u32);
        }
    }

    fn note_smaller(&mut self, var: usize) {
        if !std::mem::replace(&mut self.scratch.is_touched[var], true) {
            self.scratch.touched.push(var as u32);
        }
        self.queue(var);
    }

    /// Close a vector with these constants.
    fn close(&mut self, pattern: &[Term], constants: &[u32]) -> Result<(), Contradiction> {
        let closing = self.closing;
        self.scratch.shared_counts.clear();
        for (place, fact) in constants.iter().enumerate() {
            match closing.alone[*fact as usize].get() {
                Some(Some(alone)) => self.join(alone, place == 0)?,
                Some(None) => return Err(Contradiction),
                None => self.assume(*fact)?,
            }
        }
        for place in 0..self.scratch.shared_counts.len() {
            self.use_bounds(self.scratch.shared_counts[place] as usize)?;
        }
        for place in 0..self.scratch.members.len() {
            self.share_with_class(self.scratch.members[place] as usize)?;
        }
        self.propagate()?;
        self.list_implied(pattern);
        Ok(())
    }

    /// Keep those values of a variable that are in the mask of each word; `keep` gets a word's
    /// place.
    fn restrict(&mut self, var: usize, keep: impl Fn(usize) -> u64) -> Result<(), Contradiction> {
        let words = self.words(var);
        let (mut changed, mut left) = (false, 0);
        for (place, word) in self.scratch.sets.values[words].iter_mut().enumerate() {
            let kept = *word & keep(place);
            changed |= kept != *word;
            left |= kept;
            *word = kept;
        }
        if left == 0 {
            return Err(Contradiction);
        }
        if changed {
            self.note_smaller(var);
        }
        Ok(())
    }

    /// Let a fact hold.
    fn assume(&mut self, fact: u32) -> Result<(), Contradiction> {
        let (var, value) = self.parts(fact);
        self.restrict(var, |place| bit_in(place, value))
    }

    /// Let a fact not hold.
    fn remove(&mut self, fact: u32) -> Result<(), Contradiction> {
        let (var, value) = self.parts(fact);
        self.restrict(var, |place| !bit_in(place, value))
    }

    fn parts(&self, fact: u32) -> (usize, usize) {
        let var = self.index.var(fact);
        (var, (fact - self.index.of_var(var).start) as usize)
    }

    /// The only value that a variable may have.
    fn only_value(&self, var: usize) -> Option<usize> {
        let mut found = None;
        for (place, word) in self.scratch.sets.values[self.words(var)].iter().enumerate() {
            match (word.count_ones(), found) {
                (0, _) => {}
                (1, None) => found = Some(place * 64 + word.trailing_zeros() as usize),
                _ => return None,
            }
        }
        found
    }

    /// Take values out until nothing changes.
    fn propagate(&mut self) -> Result<(), Contradiction> {
        loop {
            while let Some(var) = self.scratch.queue.pop() {
                let var = var as usize;
                self.scratch.is_queued[var] = false;
                self.update_counts(var)?;
                if let Some(value) = self.only_value(var) {
                    let fact = self.index.of_var(var).start + value as u32;
                    let closing = self.closing;
                    for other in closing.excluded.get(fact as usize) {
                        self.remove(*other)?;
                    }
                }
                self.share_with_class(var)?;
            }
            for class in 0..self.scratch.class_ends.len() {
                self.close_class(class)?;
            }
            if self.scratch.queue.is_empty() {
                return Ok(());
            }
        }
    }

    /// Compare a variable's set with the counts that it belongs to.
    fn update_counts(&mut self, var: usize) -> Result<(), Contradiction> {
        let closing = self.closing;
        let entries = &closing.entries;
        for &entry in entries.of_var.get(var) {
            let entry = entry as usize;
            if self.scratch.sets.is_decided[entry] {
                continue;
            }
            let masks = &entries.masks[entries.first_word[entry] as usize..];
            let (mut inside, mut outside) = (0, 0);
            for (word, mask) in zip(&self.scratch.sets.values[self.words(var)], masks) {
                inside |= word & mask;
                outside |= word & !mask;
            }
            let count = entries.count[entry] as usize;
            let sets = &mut self.scratch.sets;
            if outside == 0 {
                sets.is_decided[entry] = true;
                sets.certain[count] += 1;
            } else if inside == 0 {
                sets.is_decided[entry] = true;
                sets.possible[count] -= 1;
            } else {
                continue;
            }
            self.use_bounds(count)?;
        }
        Ok(())
    }

    /// If a count has reached one of its bounds, decide its open entries.
    fn use_bounds(&mut self, count: usize) -> Result<(), Contradiction> {
        let closing = self.closing;
        let entries = &closing.entries;
        let number = closing.numbers[count];
        let sets = &self.scratch.sets;
        let (certain, possible) = (sets.certain[count], sets.possible[count]);
        if certain > number || possible < number {
            return Err(Contradiction);
        }
        let is_inside = certain < number && possible > number;
        if is_inside || certain == possible {
            return Ok(());
        }
        for entry in entries.of_count[count]..entries.of_count[count + 1] {
            let entry = entry as usize;
            if self.scratch.sets.is_decided[entry] {
                continue;
            }
            let masks = &entries.masks[entries.first_word[entry] as usize..];
            let var = entries.var[entry] as usize;
            if certain == number {
                self.restrict(var, |place| !masks[place])?;
            } else {
                self.restrict(var, |place| masks[place])?;
            }
        }
        Ok(())
    }

    fn members(&self, class: usize) -> std::ops::Range<usize> {
        let ends = &self.scratch.class_ends;
        let start = if class == 0 { 0 } else { ends[class - 1] };
        start as usize..ends[class] as usize
    }

    /// Give a variable's set to the other positions of its unknown.
    fn share_with_class(&mut self, var: usize) -> Result<(), Contradiction> {
        if self.scratch.class_ends.is_empty() {
            return Ok(());
        }
        let Some(class) = (self.scratch.class_of[var] as usize).checked_sub(1) else {
            return Ok(());
        };
        for place in self.members(class) {
            let other = self.scratch.members[place] as usize;
            if other == var {
                continue;
            }
            let (from, to) = (self.words(var), self.words(other));
            let (mut changed, mut left) = (false, 0);
            for (i, from) in from.enumerate() {
                let to = to.start + i;
                let values = &mut self.scratch.sets.values;
                let kept = values[to] & values[from];
                changed |= kept != values[to];
                left |= kept;
                values[to] = kept;
            }
            if left == 0 {
                return Err(Contradiction);
            }
            if changed {
                self.note_smaller(other);
            }
        }
        Ok(())
    }

    /// Remove values from the sets of an unknown that are impossible at all its positions together.
    fn close_class(&mut self, class: usize) -> Result<(), Contradiction> {
        let members = self.members(class);
        let first = self.scratch.members[members.start] as usize;
        for value in 0..self.index.domain_size(first) {
            let word = self.words(first).start + value / 64;
            let is_possible = self.scratch.sets.values[word] >> (value % 64) & 1 != 0;
            if is_possible && !self.fits_everywhere(members.clone(), value) {
                for place in members.clone() {
                    let var = self.scratch.members[place] as usize;
                    self.remove(self.index.of_var(var).start + value as u32)?;
                }
            }
        }
        Ok(())
    }

    /// Whether all of some positions can hold a value.
    fn fits_everywhere(&mut self, members: std::ops::Range<usize>, value: usize) -> bool {
        let closing = self.closing;
        let entries = &closing.entries;
        let ClosingScratch {
            sets,
            members: all,
            joining,
            leaving,
            ..
        } = &mut *self.scratch;
        let members = &all[members];
        joining.resize(closing.numbers.len(), 0);
        leaving.resize(closing.numbers.len(), 0);
        let fact = |var: u32| self.index.of_var(var as usize).start + value as u32;
        let mut fits = members.iter().enumerate().all(|(place, var)| {
            let excluded = closing.excluded.get(fact(*var) as usize);
            let mut before = members[..place].iter();
            !before.any(|other| excluded.binary_search(&fact(*other)).is_ok())
        });
        for var in members {
            for &entry in entries.of_var.get(*var as usize) {
                let entry = entry as usize;
                if !sets.is_decided[entry] {
                    let word = entries.first_word[entry] as usize + value / 64;
                    let joins = entries.masks[word] >> (value % 64) & 1 != 0;
                    let side = if joins { &mut *joining } else { &mut *leaving };
                    side[entries.count[entry] as usize] += 1;
                }
            }
        }
        for var in members {
            for &entry in entries.of_var.get(*var as usize) {
                let count = entries.count[entry as usize] as usize;
                let number = closing.numbers[count];
                fits &= sets.certain[count] + joining[count] <= number
                    && sets.possible[count] >= number + leaving[count];
            }
        }
        for var in members {
            for &entry in entries.of_var.get(*var as usize) {
                let count = entries.count[entry as usize] as usize;
                joining[count] = 0;
                leaving[count] = 0;
            }
        }
        fits
    }

    /// List the facts that are known now, except those that always hold and constants of the
    /// vector.
    fn list_implied(&mut self, pattern: &[Term]) {
        self.scratch.implied.clear();
        for place in 0..self.scratch.touched.len() {
            let var = self.scratch.touched[place] as usize;
            let is_constant = pattern.get(var).is_some_and(|term| term.is_constant());
            if !is_constant && let Some(value) = self.only_value(var) {
                let fact = self.index.of_var(var).start + value as u32;
                self.scratch.implied.push(fact);
            }
        }
    }
}

impl ClosingScratch {
    /// List the positions of repeated unknowns.
    fn read_classes(&mut self, pattern: &[Term], repeats: bool) {
        self.members.clear();
        self.class_ends.clear();
        if !repeats {
            return;
        }
        self.class_of.clear();
        self.class_of.resize(pattern.len(), 0);
        for (i, term) in pattern.iter().enumerate() {
            let Some(unknown) = term.as_variable().filter(|_| !term.is_own_variable(i)) else {
                continue;
            };
            if self.class_of[i] != 0 {
                continue;
            }
            let class = self.class_ends.len() as u32 + 1;
            // An unknown is named after its first position.
            let later = (i..).zip(&pattern[i..]);
            let later = later.filter(|(_, other)| *other == term).map(|(k, _)| k);
            for member in std::iter::once(unknown.index()).chain(later) {
                self.class_of[member] = class;
                self.members.push(member as u32);
            }
            self.class_ends.push(self.members.len() as u32);
        }
    }
}

fn bit_in(place: usize, value: usize) -> u64 {
    if value / 64 == place {
        1 << (value % 64)
    } else {
        0
    }
}
