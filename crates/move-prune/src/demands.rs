//! Macro-rules as sets of demands, and what they are compared with: facts.
//!
//! A macro-rule A generalizes B (see [`CanonicalRule::generalizes`]) when
//! 1. each test of A holds in B: p_A\[i\] = c demands p_B\[i\] = c, and p_A\[i\] = x_j with j < i
//!    demands p_B\[i\] = p_B\[j\];
//! 2. each change of A is what B does there: a_A\[i\] = c demands a_B\[i\] = c, and a_A\[i\] = x_j
//!    demands a_B\[i\] = p_B\[j\];
//! 3. B changes nothing that A doesn't change (where A changes nothing, a_B\[i\] must be p_B\[i\]).
//!
//! So A is a *set of demands*, B a *set of facts*, and the question is whether a stored set is a
//! subset of the facts and touches every position that B changes. Positions that a sequence neither
//! tests nor changes appear nowhere, so sequences of a large game take as little room as those of a
//! small one. The canonical form makes bindings unnecessary, since the substitution for x_j is
//! p_B\[j\].

#[cfg(doc)]
use psvn_ir::CanonicalRule;
use psvn_ir::{Term, TermKind, Value, VarId};

/// A demand, or the fact that meets it, as a number: changes before tests, each by position.
pub type Key = u32;

/// How demands are numbered.
#[derive(Clone, Copy, Debug)]
pub struct KeySpace {
    n_variables: u32,
    /// One more than the greatest constant.
    n_constants: u32,
}

impl KeySpace {
    /// The numbering for a game.
    ///
    /// # Panics
    /// When a game is so large that the demands have no numbers of 32 bits: from about 40,000
    /// variables on.
    pub fn new(n_variables: usize, n_constants: usize) -> Self {
        let keys = 2 * n_variables as u128 * (n_constants as u128 + n_variables as u128);
        assert!(
            keys < u128::from(u32::MAX),
            "a game with {n_variables} variables is too large"
        );
        Self {
            n_variables: n_variables as u32,
            n_constants: n_constants as u32,
        }
    }

    /// The number of keys.
    pub fn len(self) -> usize {
        2 * self.first_test() as usize
    }

    /// Whether there are no keys: the game has no variables.
    pub fn is_empty(self) -> bool {
        self.n_variables == 0
    }

    fn width(self) -> u32 {
        self.n_constants + self.n_variables
    }

    fn first_test(self) -> Key {
        self.n_variables * self.width()
    }

    fn change(self, position: usize, term: Term) -> Key {
        let code = match term.kind() {
            TermKind::Constant(value) => value.0,
            TermKind::Variable(var) => self.n_constants + var.0,
        };
        position as u32 * self.width() + code
    }

    fn test(self, position: usize, term: Term) -> Key {
        self.first_test() + self.change(position, term)
    }

    /// The least key behind all changes of a position.
    fn end_of_changes(self, position: u32) -> Key {
        (position + 1) * self.width()
    }

    /// Whether it is a test, its position, and its term.
    fn parts(self, key: Key) -> (bool, usize, Term) {
        let is_test = key >= self.first_test();
        let key = if is_test {
            key - self.first_test()
        } else {
            key
        };
        let (position, code) = (key / self.width(), key % self.width());
        let term = match code.checked_sub(self.n_constants) {
            None => Term::constant(Value(code)),
            Some(var) => Term::variable(VarId(var)),
        };
        (is_test, position as usize, term)
    }

    /// Appends the demands of a macro-rule, ascending.
    pub fn push_demands(self, preconditions: &[Term], actions: &[Term], demands: &mut Vec<Key>) {
        for (i, (p, a)) in preconditions.iter().zip(actions).enumerate() {
            if p != a {
                demands.push(self.change(i, *a));
            }
        }
        for (i, p) in preconditions.iter().enumerate() {
            if !p.is_own_variable(i) {
                demands.push(self.test(i, *p));
            }
        }
    }

    /// Restores a macro-rule's vectors from its demands.
    pub fn restore(self, demands: &[Key], preconditions: &mut [Term], actions: &mut [Term]) {
        for (i, term) in preconditions.iter_mut().enumerate() {
            *term = Term::variable(VarId(i as u32));
        }
        let first_test = demands.partition_point(|key| *key < self.first_test());
        for key in &demands[first_test..] {
            let (_, position, term) = self.parts(*key);
            preconditions[position] = term;
        }
        actions.copy_from_slice(preconditions);
        for key in &demands[..first_test] {
            let (_, position, term) = self.parts(*key);
            actions[position] = term;
        }
    }
}

/// Which positions some stored demand compares with an unknown. Where none does, facts about equal
/// values need not be listed.
#[derive(Clone, Debug)]
pub struct UnknownDemands {
    changes: Vec<bool>,
    tests: Vec<bool>,
}

impl UnknownDemands {
    /// No demands yet.
    pub fn none(n_variables: usize) -> Self {
        Self {
            changes: vec![false; n_variables],
            tests: vec![false; n_variables],
        }
    }

    /// Notes a demand.
    pub fn note(&mut self, keys: KeySpace, demand: Key) {
        let (is_test, position, term) = keys.parts(demand);
        let list = if is_test {
            &mut self.tests
        } else {
            &mut self.changes
        };
        list[position] |= !term.is_constant();
    }
}

/// The most keys for which a table of marks is kept.
const MOST_MARKS: usize = 1 << 24;

/// The facts about one macro-rule. Reusable, to save allocations.
#[derive(Clone, Debug)]
pub struct Facts {
    space: KeySpace,
    /// Ascending, so changes first.
    keys: Vec<Key>,
    /// The positions that are changed, ascending.
    changed: Vec<u32>,
    /// For each key the epoch in which it was a fact last; empty in very large games.
    marks: Vec<u32>,
    epoch: u32,
}

impl Facts {
    /// Facts about nothing.
    pub fn new(space: KeySpace) -> Self {
        let marks = if space.len() <= MOST_MARKS {
            vec![0; space.len()]
        } else {
            Vec::new()
        };
        Self {
            space,
            keys: Vec::new(),
            changed: Vec::new(),
            marks,
            epoch: 0,
        }
    }

    /// Lists the facts about a macro-rule that stored demands could ask for.
    pub fn list(&mut self, preconditions: &[Term], actions: &[Term], unknown: &UnknownDemands) {
        self.keys.clear();
        self.changed.clear();
        let space = self.space;
        let own = |position: usize| Term::variable(VarId(position as u32));
        for (i, (p, a)) in preconditions.iter().zip(actions).enumerate() {
            let is_changed = p != a;
            if is_changed {
                self.changed.push(i as u32);
            } else if p.is_own_variable(i) && !unknown.changes[i] {
                // Untouched, and nothing is tied to it: no demand of a change can be met here.
                continue;
            }
            if a.is_constant() {
                self.keys.push(space.change(i, *a));
            }
            if unknown.changes[i] {
                let holders = preconditions.iter().enumerate().filter(|(_, q)| *q == a);
                // Its own value is no change.
                let changes = holders.filter(|(j, _)| *j != i);
                self.keys
                    .extend(changes.map(|(j, _)| space.change(i, own(j))));
            }
        }
        for (i, p) in preconditions.iter().enumerate() {
            if p.is_own_variable(i) {
                continue;
            }
            if p.is_constant() {
                self.keys.push(space.test(i, *p));
            }
            if unknown.tests[i] {
                let equals = preconditions[..i]
                    .iter()
                    .enumerate()
                    .filter(|(_, q)| *q == p);
                self.keys.extend(equals.map(|(j, _)| space.test(i, own(j))));
            }
        }
        debug_assert!(self.keys.is_sorted());
        if !self.marks.is_empty() {
            self.epoch = self.epoch.wrapping_add(1);
            if self.epoch == 0 {
                self.marks.fill(0);
                self.epoch = 1;
            }
            for key in &self.keys {
                self.marks[*key as usize] = self.epoch;
            }
        }
    }

    /// Whether the macro-rule changes nothing.
    pub fn changes_nothing(&self) -> bool {
        self.changed.is_empty()
    }

    /// The facts between two keys, the second one not included.
    pub(crate) fn between(&self, from: Key, to: Key) -> &[Key] {
        let start = self.keys.partition_point(|key| *key < from);
        let length = self.keys[start..].partition_point(|key| *key < to);
        &self.keys[start..start + length]
    }

    /// The number of positions that are changed.
    pub(crate) fn n_changed(&self) -> usize {
        self.changed.len()
    }

    /// The end of the demands that may come next when `covered` changed positions were touched: none
    /// may be passed over, and tests come only after all of them.
    #[inline]
    pub(crate) fn bound(&self, covered: usize) -> Key {
        match self.changed.get(covered) {
            Some(position) => self.space.end_of_changes(*position),
            None => Key::MAX,
        }
    }

    /// Whether a demand is met. Says how many changed positions are touched then.
    #[inline]
    pub(crate) fn meet(&self, demand: Key, covered: usize) -> Option<usize> {
        let is_fact = match self.marks.get(demand as usize) {
            Some(mark) => *mark == self.epoch,
            None => self.keys.binary_search(&demand).is_ok(),
        };
        let bound = self.bound(covered);
        if !is_fact || demand >= bound {
            return None;
        }
        // Below the bound, and not below the position's own keys: it is the position's change.
        let covers = bound != Key::MAX && demand >= bound - self.space.width();
        Some(covered + usize::from(covers))
    }
}
