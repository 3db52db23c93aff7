//! Carries words out: on unknown values first, then on the most general state that allows it.

use psvn_ir::{CanonicalRule, Game, RuleId, Term, TermKind, Value};

/// A value in a state with some unknown values: a constant, or the initial value of a position.
#[derive(Clone, Copy, Debug)]
enum Symbolic {
    Constant(Value),
    Initial(usize),
}

/// A value of the most general state. Unknowns with different numbers count as different from each
/// other and from every value of the game: a rule treats them like any values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ground {
    Value(Value),
    Unknown(usize),
}

/// The most general state from which a word can be carried out, and the state it leads to.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) start: Vec<Ground>,
    pub(crate) end: Vec<Ground>,
}

/// No state allows the word.
#[derive(Debug)]
pub(crate) struct Impossible {
    /// The place in the word of the rule that can't follow.
    pub(crate) step: usize,
}

/// A precondition doesn't hold.
#[derive(Debug)]
pub(crate) struct Inapplicable {
    /// The place in the word of the rule that doesn't apply.
    pub(crate) step: usize,
    /// The position whose test fails.
    pub(crate) position: usize,
}

/// Facts about the initial values: equalities and constants.
#[derive(Clone, Debug)]
struct Knowledge {
    /// Union-find; a root is its own parent.
    parent: Vec<usize>,
    /// For roots: the constant that all values of the class equal, if there is one.
    constant: Vec<Option<Value>>,
}

impl Knowledge {
    fn nothing(n_variables: usize) -> Self {
        Self {
            parent: (0..n_variables).collect(),
            constant: vec![None; n_variables],
        }
    }

    fn root(&self, mut initial: usize) -> usize {
        while self.parent[initial] != initial {
            initial = self.parent[initial];
        }
        initial
    }

    fn resolve(&self, value: Symbolic) -> Ground {
        match value {
            Symbolic::Constant(value) => Ground::Value(value),
            Symbolic::Initial(initial) => {
                let root = self.root(initial);
                match self.constant[root] {
                    Some(value) => Ground::Value(value),
                    None => Ground::Unknown(root),
                }
            }
        }
    }

    /// Record that two values are equal. Return `false` if they can't be.
    fn equate(&mut self, a: Symbolic, b: Symbolic) -> bool {
        match (self.resolve(a), self.resolve(b)) {
            (Ground::Value(a), Ground::Value(b)) => a == b,
            (Ground::Unknown(root), Ground::Value(value))
            | (Ground::Value(value), Ground::Unknown(root)) => {
                self.constant[root] = Some(value);
                true
            }
            (Ground::Unknown(a), Ground::Unknown(b)) => {
                self.parent[a] = b;
                true
            }
        }
    }
}

/// A word carried out on a state of unknown values, rule by rule.
#[derive(Clone, Debug)]
pub(crate) struct Unfolding {
    knowledge: Knowledge,
    state: Vec<Symbolic>,
}

impl Unfolding {
    /// The empty word.
    pub(crate) fn new(n_variables: usize) -> Self {
        Self {
            knowledge: Knowledge::nothing(n_variables),
            state: (0..n_variables).map(Symbolic::Initial).collect(),
        }
    }

    /// Append a rule. Return `false` if no state allows the longer word; the value must not be used
    /// after that.
    ///
    /// Takes O(n d) time for n positions, where d, the depth of a union-find tree, is at most n.
    pub(crate) fn append(&mut self, rule: &CanonicalRule) -> bool {
        if !self.demand(rule) {
            return false;
        }
        self.state = after(rule, &self.state, Symbolic::Constant);
        true
    }

    /// Suppose that the rule can be used next. Return `false` if no state allows that; the value
    /// must not be used after that.
    pub(crate) fn demand(&mut self, rule: &CanonicalRule) -> bool {
        for (position, wanted) in rule.preconditions().iter().enumerate() {
            let wanted = match wanted.kind() {
                TermKind::Constant(value) => Symbolic::Constant(value),
                TermKind::Variable(other) if other.index() == position => continue,
                TermKind::Variable(other) => self.state[other.index()],
            };
            if !self.knowledge.equate(self.state[position], wanted) {
                return false;
            }
        }
        true
    }

    /// Suppose that a position now holds a value. Return `false` if it can't; the value must not be
    /// used after that.
    pub(crate) fn suppose(&mut self, position: usize, value: Value) -> bool {
        let held = self.state[position];
        self.knowledge.equate(held, Symbolic::Constant(value))
    }

    /// The value that a position is now known to hold.
    pub(crate) fn held(&self, position: usize) -> Ground {
        self.knowledge.resolve(self.state[position])
    }

    /// The most general state that allows the word.
    pub(crate) fn start(&self) -> Vec<Ground> {
        (0..self.state.len())
            .map(|initial| self.knowledge.resolve(Symbolic::Initial(initial)))
            .collect()
    }

    /// The state that the word leads to from there.
    pub(crate) fn end(&self) -> Vec<Ground> {
        let values = self.state.iter();
        values.map(|value| self.knowledge.resolve(*value)).collect()
    }
}

/// Carry a word out on a state of unknown values.
pub(crate) fn run_on_unknowns(game: &Game, word: &[RuleId]) -> Result<Outcome, Impossible> {
    let mut unfolding = Unfolding::new(game.n_variables());
    for (step, rule) in word.iter().enumerate() {
        if !unfolding.append(&game.rule(*rule).canonical) {
            return Err(Impossible { step });
        }
    }
    Ok(Outcome {
        start: unfolding.start(),
        end: unfolding.end(),
    })
}

/// The state that a rule leads to.
fn after<T: Copy>(rule: &CanonicalRule, state: &[T], constant: impl Fn(Value) -> T) -> Vec<T> {
    let new = |action: &Term| match action.kind() {
        TermKind::Constant(value) => constant(value),
        TermKind::Variable(source) => state[source.index()],
    };
    rule.actions().iter().map(new).collect()
}

/// Carry a rule out on one state, testing every precondition. Return a position whose test fails,
/// if there is one.
pub(crate) fn apply(rule: &CanonicalRule, state: &[Ground]) -> Result<Vec<Ground>, usize> {
    for (position, wanted) in rule.preconditions().iter().enumerate() {
        let wanted = match wanted.kind() {
            TermKind::Constant(value) => Ground::Value(value),
            TermKind::Variable(other) => state[other.index()],
        };
        if state[position] != wanted {
            return Err(position);
        }
    }
    Ok(after(rule, state, Ground::Value))
}

/// Carry a word out on one state, testing every precondition.
pub(crate) fn run(
    game: &Game,
    word: &[RuleId],
    start: &[Ground],
) -> Result<Vec<Ground>, Inapplicable> {
    let mut state = start.to_vec();
    for (step, rule) in word.iter().enumerate() {
        state = apply(&game.rule(*rule).canonical, &state)
            .map_err(|position| Inapplicable { step, position })?;
    }
    Ok(state)
}
