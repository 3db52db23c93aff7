//! Macro-rules as sets of demands, which are compared with sets of facts.
//!
//! A macro-rule A generalizes B (see [`CanonicalRule::generalizes`]) when
//! 1. each test of A holds in B: p_A\[i\] = c demands p_B\[i\] = c, and p_A\[i\] = x_j with j < i
//!    demands p_B\[i\] = p_B\[j\];
//! 2. each change of A must be what B does there: a_A\[i\] = c demands a_B\[i\] = c, and a_A\[i\] =
//!    x_j demands a_B\[i\] = p_B\[j\];
//! 3. B changes nothing that A doesn't change (where A changes nothing, a_B\[i\] must be p_B\[i\]).
//!
//! So A is a *set of demands*, B a *set of facts*, and A generalizes B if A is a subset of the
//! facts and touches every position that B changes. Positions that a sequence neither tests nor
//! changes appear nowhere, so sequences of a large game take as little memory as those of a small
//! one. The canonical form makes bindings unnecessary, since the substitution for x_j is p_B\[j\].

use psvn_ir::{CanonicalRule, Term, TermKind, Value, VarId};

use crate::generalization::closed::Closed;

/// A demand, or the fact that meets it, as a number: changes before tests, each by position.
pub(crate) type Key = u32;

/// The numbering of demands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeySpace {
    n_variables: u32,
    /// One more than the greatest constant.
    n_constants: u32,
}

impl KeySpace {
    /// Return the numbering for a game; `None` if the game is too large for 32-bit numbers: from
    /// about 40,000 variables on.
    pub(crate) fn new(n_variables: usize, n_constants: usize) -> Option<Self> {
        let keys = 2 * n_variables as u128 * (n_constants as u128 + n_variables as u128);
        (keys < u128::from(u32::MAX)).then_some(Self {
            n_variables: n_variables as u32,
            n_constants: n_constants as u32,
        })
    }

    /// Return the numbering for a game with these rules, if there is one as for [`new`](Self::new).
    pub(crate) fn of(n_variables: usize, rules: &[CanonicalRule]) -> Option<Self> {
        let terms = rules
            .iter()
            .flat_map(|rule| rule.preconditions().iter().chain(rule.actions()));
        let constants = terms.filter_map(|term| term.as_constant());
        let n_constants = constants.max().map_or(0, |value| value.index() + 1);
        Self::new(n_variables, n_constants)
    }

    /// Return the number of keys.
    pub(crate) fn len(self) -> usize {
        2 * self.first_test() as usize
    }

    /// The maximum number of demands of a macro-rule.
    pub(crate) fn most_demands(self) -> usize {
        2 * self.n_variables as usize
    }

    fn width(self) -> u32 {
        self.n_constants + self.n_variables
    }

    fn first_test(self) -> Key {
        self.n_variables * self.width()
    }

    /// Return whether a term is a constant that demands may name. Knowledge about states may bring
    /// in other constants, which no rule names and no sequence demands.
    fn has_key(self, term: Term) -> bool {
        term.as_constant()
            .is_some_and(|value| value.0 < self.n_constants)
    }

    fn change(self, position: usize, term: Term) -> Key {
        let code = match term.kind() {
            TermKind::Constant(value) => {
                debug_assert!(value.0 < self.n_constants);
                value.0
            }
            TermKind::Variable(var) => self.n_constants + var.0,
        };
        position as u32 * self.width() + code
    }

    fn test(self, position: usize, term: Term) -> Key {
        self.first_test() + self.change(position, term)
    }

    /// Return the number of changes among some demands, ascending.
    pub(crate) fn n_changes(self, demands: &[Key]) -> usize {
        demands.partition_point(|key| *key < self.first_test())
    }

    /// Return whether it is a test, its position, and its term.
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

    /// Append the demands of a macro-rule, ascending.
    pub(crate) fn push_demands(
        self,
        preconditions: &[Term],
        actions: &[Term],
        demands: &mut Vec<Key>,
    ) {
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

    /// Restore a macro-rule's vectors from its demands.
    pub(crate) fn restore(self, demands: &[Key], preconditions: &mut [Term], actions: &mut [Term]) {
        for (i, term) in preconditions.iter_mut().enumerate() {
            *term = Term::variable(VarId(i as u32));
        }
        let first_test = self.n_changes(demands);
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

/// The demands that occur in stored sequences. Other facts need not be listed.
#[derive(Clone, Debug)]
pub(crate) struct KnownDemands {
    /// For each position, whether some stored change or test compares it with an unknown.
    changes_to_unknown: Vec<bool>,
    tests_for_unknown: Vec<bool>,
    /// For each key, whether it occurs; empty in very large games, where all keys count as
    /// occurring.
    occurs: Vec<bool>,
    /// For each change, whether it occurs *blind*: in a sequence where the position may already
    /// hold the written value. Only then may it agree with leaving the position alone.
    occurs_blind: Vec<bool>,
}

impl KnownDemands {
    /// Make a set without demands.
    pub(crate) fn none(space: KeySpace) -> Self {
        let n_variables = space.n_variables as usize;
        Self {
            changes_to_unknown: vec![false; n_variables],
            tests_for_unknown: vec![false; n_variables],
            occurs: if space.len() <= MOST_MARKS {
                vec![false; space.len()]
            } else {
                Vec::new()
            },
            occurs_blind: if space.len() <= MOST_MARKS {
                vec![false; space.first_test() as usize]
            } else {
                Vec::new()
            },
        }
    }

    /// Return the bytes that it holds.
    pub(crate) fn bytes(&self) -> usize {
        let marks = self.occurs.capacity() + self.occurs_blind.capacity();
        marks + self.changes_to_unknown.capacity() + self.tests_for_unknown.capacity()
    }

    /// Note the demands of a sequence.
    pub(crate) fn note(&mut self, space: KeySpace, demands: &[Key]) {
        for demand in demands {
            match self.occurs.get_mut(*demand as usize) {
                Some(true) => continue,
                Some(slot) => *slot = true,
                None => {}
            }
            let (is_test, position, term) = space.parts(*demand);
            let list = if is_test {
                &mut self.tests_for_unknown
            } else {
                &mut self.changes_to_unknown
            };
            list[position] |= !term.is_constant();
        }
    }

    /// List the blind changes of a sequence that aren't noted yet. `closed` is the same sequence
    /// extended by known facts.
    ///
    /// A change is not blind if it is known to change the value: everything known here also holds
    /// for each sequence that this one generalizes.
    pub(crate) fn list_blind(
        &self,
        space: KeySpace,
        (preconditions, actions): (&[Term], &[Term]),
        closed: Closed<'_>,
        blind: &mut Vec<Key>,
    ) {
        for (i, (p, a)) in preconditions.iter().zip(actions).enumerate() {
            let (found, written) = (closed.preconditions[i], closed.actions[i]);
            let differs = found.is_constant() && written.is_constant() && found != written;
            if p != a && !differs {
                let change = space.change(i, *a);
                if self.occurs_blind.get(change as usize) == Some(&false)
                    && !blind.contains(&change)
                {
                    blind.push(change);
                }
            }
        }
    }

    /// Note blind changes.
    pub(crate) fn note_blind(&mut self, blind: &[Key]) {
        for change in blind {
            self.occurs_blind[*change as usize] = true;
        }
    }

    /// Return whether a stored change may agree with a position that the query changes or, if it
    /// doesn't, leaves alone.
    fn occurs(&self, change: Key, changed: bool) -> bool {
        let list = if changed {
            &self.occurs
        } else {
            &self.occurs_blind
        };
        list.get(change as usize).copied().unwrap_or(true)
    }
}

/// The maximum number of keys for which a table of marks is kept.
const MOST_MARKS: usize = 1 << 24;

/// What a sequence may do at one position in order to generalize another sequence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// Its changes there that agree with those of the other sequence: a range of the facts.
    start: u32,
    end: u32,
    /// Whether it must change the position, because the other sequence does.
    pub(crate) required: bool,
}

/// The facts about one macro-rule. Reusable, to save allocations.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    space: KeySpace,
    changes: Vec<Key>,
    /// By position, where there is a choice or a required change.
    choices: Vec<Choice>,
    /// Ascending.
    tests: Vec<Key>,
    /// For each change and test, the last epoch in which it was listed; empty in very large games.
    marks: Vec<u32>,
    epoch: u32,
    n_changed: usize,
    /// Whether a sequence that generalizes this one must make exactly the changes listed.
    is_unique: bool,
    /// The positions that are tested.
    tested: Vec<u32>,
}

impl Facts {
    /// Make a list without facts.
    pub(crate) fn new(space: KeySpace) -> Self {
        let marks = if space.len() <= MOST_MARKS {
            vec![0; space.len()]
        } else {
            Vec::new()
        };
        Self {
            space,
            changes: Vec::new(),
            choices: Vec::new(),
            tests: Vec::new(),
            marks,
            epoch: 0,
            n_changed: 0,
            is_unique: false,
            tested: Vec::new(),
        }
    }

    /// List the facts about a macro-rule that known demands could test.
    pub(crate) fn list(&mut self, preconditions: &[Term], actions: &[Term], known: &KnownDemands) {
        self.changes.clear();
        self.choices.clear();
        self.tests.clear();
        self.n_changed = 0;
        let space = self.space;
        let own = |position: usize| Term::variable(VarId(position as u32));
        self.tested.clear();
        for (i, p) in preconditions.iter().enumerate() {
            if !p.is_own_variable(i) {
                self.tested.push(i as u32);
            }
        }
        if self.tested.is_empty() {
            // Only the changes are known, so there is no choice. This is the only case in games
            // whose rules permute values, or by far the most frequent one.
            for (i, a) in actions.iter().enumerate() {
                if !a.is_own_variable(i) {
                    self.changes.push(space.change(i, *a));
                }
            }
            self.n_changed = self.changes.len();
            self.is_unique = true;
            self.begin_marks();
            return;
        }
        for (i, (p, a)) in preconditions.iter().zip(actions).enumerate() {
            let required = p != a;
            if !required && p.is_own_variable(i) && !known.changes_to_unknown[i] {
                // Untouched and tied to no other position: no change agrees with that.
                continue;
            }
            let start = self.changes.len();
            if space.has_key(*a) {
                self.changes.push(space.change(i, *a));
            }
            if known.changes_to_unknown[i] {
                // The positions that are known to hold the value: that of the unknown itself, and
                // tested ones. Writing a position's own value isn't a change.
                let unknown = a.as_variable().map(VarId::index);
                if let Some(j) = unknown.filter(|j| *j != i) {
                    self.changes.push(space.change(i, own(j)));
                }
                for j in &self.tested {
                    let j = *j as usize;
                    if preconditions[j] == *a && j != i {
                        self.changes.push(space.change(i, own(j)));
                    }
                }
            }
            let mut end = start;
            for place in start..self.changes.len() {
                if known.occurs(self.changes[place], required) {
                    self.changes[end] = self.changes[place];
                    end += 1;
                }
            }
            self.changes.truncate(end);
            self.n_changed += usize::from(required);
            if required || end > start {
                let (start, end) = (start as u32, end as u32);
                self.choices.push(Choice {
                    start,
                    end,
                    required,
                });
            }
        }
        for place in 0..self.tested.len() {
            let i = self.tested[place] as usize;
            let p = preconditions[i];
            if space.has_key(p) {
                self.tests.push(space.test(i, p));
            }
            if known.tests_for_unknown[i] {
                // Earlier positions with the same value: the unknown's own one, then tested ones.
                let unknown = p.as_variable().map(VarId::index);
                if let Some(j) = unknown {
                    self.tests.push(space.test(i, own(j)));
                }
                for j in &self.tested[..place] {
                    let j = *j as usize;
                    if preconditions[j] == p {
                        self.tests.push(space.test(i, own(j)));
                    }
                }
            }
        }
        debug_assert!(self.tests.is_sorted());
        self.is_unique = self
            .choices
            .iter()
            .all(|choice| choice.required && choice.end - choice.start == 1);
        self.begin_marks();
        if self.marks.is_empty() {
            return;
        }
        for key in self.changes.iter().chain(&self.tests) {
            self.marks[*key as usize] = self.epoch;
        }
    }

    /// Let no key be marked.
    fn begin_marks(&mut self) {
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.marks.fill(0);
            self.epoch = 1;
        }
    }

    /// Return whether the macro-rule changes nothing.
    pub(crate) fn changes_nothing(&self) -> bool {
        self.n_changed == 0
    }

    /// Return the changes that a generalizing sequence must make, ascending, if there is no choice.
    pub(crate) fn unique_changes(&self) -> Option<&[Key]> {
        self.is_unique.then_some(&self.changes)
    }

    /// Return what a sequence may do at each position, by position, unless there is no choice. It
    /// must leave all other positions alone.
    pub(crate) fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// Return the changes that a choice allows.
    pub(crate) fn changes(&self, choice: Choice) -> &[Key] {
        &self.changes[choice.start as usize..choice.end as usize]
    }

    /// Return the tests that hold, ascending.
    pub(crate) fn tests(&self) -> &[Key] {
        &self.tests
    }

    /// Return whether a test holds.
    #[inline]
    pub(crate) fn holds(&self, test: Key) -> bool {
        match self.marks.get(test as usize) {
            Some(mark) => *mark == self.epoch,
            None => self.tests.binary_search(&test).is_ok(),
        }
    }

    /// Return whether some choice allows a change. Where there is no choice, the answer is
    /// arbitrary.
    #[inline]
    pub(crate) fn lists_change(&self, change: Key) -> bool {
        match self.marks.get(change as usize) {
            Some(mark) => *mark == self.epoch,
            None => self.changes.contains(&change),
        }
    }

    /// Return whether changes, ascending, agree with those of the macro-rule and touch every
    /// position that it changes.
    pub(crate) fn allow(&self, mut changes: &[Key]) -> bool {
        if self.is_unique {
            return changes == self.changes;
        }
        for choice in &self.choices {
            let agrees = changes
                .first()
                .is_some_and(|key| self.changes(*choice).contains(key));
            if agrees {
                changes = &changes[1..];
            } else if choice.required {
                return false;
            }
        }
        changes.is_empty()
    }
}
