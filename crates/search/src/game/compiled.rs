//! Games compiled for searching: flat arrays of tests and writes over states of narrow cells.

use std::ops::Range;
use std::sync::Arc;

use psvn_ir::{CanonicalRule, Game, RuleId, State, Value, VarId};

use crate::game::branches::Branch;
use crate::game::cell::{BLOCK, Block, Cell};
use crate::game::form::GameForm;
use crate::game::rule_index::{ConstantTest, RuleIndex};

/// A game in the form that searches run on.
///
/// Made once from a [`Game`], of which it keeps a copy. Its rules have the game's numbers. A
/// clone shares everything with the original and costs almost nothing.
#[derive(Clone)]
pub struct CompiledGame {
    pub(crate) game: Arc<Game>,
    /// How its states fit registers, if they do.
    pub(crate) form: Option<Arc<GameForm>>,
    pub(crate) width: Arc<Width>,
}

impl std::fmt::Debug for CompiledGame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CompiledGame")
            .field("rows", &self.rows())
            .finish_non_exhaustive()
    }
}

/// A compiled game by the width of its cells, distinguished once outside all loops.
#[derive(Clone, Debug)]
pub(crate) enum Width {
    Byte(Compiled<u8>),
    Short(Compiled<u16>),
    Word(Compiled<u32>),
}

/// Calls a function generic over the cell with the game inside a [`CompiledGame`].
macro_rules! with_width {
    ($game:expr, $compiled:ident => $body:expr) => {
        match &*$game.width {
            $crate::game::compiled::Width::Byte($compiled) => $body,
            $crate::game::compiled::Width::Short($compiled) => $body,
            $crate::game::compiled::Width::Word($compiled) => $body,
        }
    };
}
pub(crate) use with_width;

/// The reasons why a state doesn't belong to a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StateMismatch {
    /// Too many or too few values.
    #[error("the state has {found} values; this game needs {expected}")]
    Length {
        /// The game's number of variables.
        expected: usize,
        /// The state's number of values.
        found: usize,
    },
    /// A value outside its variable's domain.
    #[error("entry {} of the state has value number {value}, but its domain has only {size} values", position + 1)]
    Value {
        /// The position, counted from 0.
        position: usize,
        /// The value's number, counted from 0.
        value: u32,
        /// The number of values of the domain.
        size: usize,
    },
}

/// Check that a state fits a game with these domain sizes.
pub(crate) fn check_state(
    domain_sizes: impl ExactSizeIterator<Item = usize>,
    values: &[Value],
) -> Result<(), StateMismatch> {
    if values.len() != domain_sizes.len() {
        return Err(StateMismatch::Length {
            expected: domain_sizes.len(),
            found: values.len(),
        });
    }
    for (position, (value, size)) in values.iter().zip(domain_sizes).enumerate() {
        if value.index() >= size {
            return Err(StateMismatch::Value {
                position,
                value: value.0,
                size,
            });
        }
    }
    Ok(())
}

/// Return the size of a game's largest domain, on which the width of its cells depends.
pub(crate) fn largest_domain(game: &Game) -> usize {
    let sizes = game.domains().iter().map(psvn_ir::Domain::size);
    sizes.max().unwrap_or(1)
}

impl CompiledGame {
    /// Compile a game. Takes time linear in the size of the game, except for the index of its rules
    /// (bounded by a constant number of bytes).
    pub fn new(game: &Game) -> Self {
        let largest = largest_domain(game);
        let width = if largest <= u8::CAPACITY {
            Width::Byte(Compiled::new(game))
        } else if largest <= u16::CAPACITY {
            Width::Short(Compiled::new(game))
        } else {
            Width::Word(Compiled::new(game))
        };
        Self {
            game: Arc::new(game.clone()),
            form: GameForm::new(game).map(Arc::new),
            width: Arc::new(width),
        }
    }

    /// Return the game that was compiled.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Check that a state is one of the game.
    pub(crate) fn check(&self, state: &State) -> Result<(), StateMismatch> {
        let variables = self.game.variables().iter();
        let sizes = variables.map(|id| self.game.domain(*id).size());
        check_state(sizes, state.values())
    }

    /// Return the rules as they are tried, split up where that helps; none if the states are too
    /// wide.
    pub(crate) fn branches(&self) -> &[Branch] {
        self.form.as_ref().map_or(&[], |form| &form.branches)
    }

    /// Return the sizes of the variables' domains.
    pub(crate) fn domain_sizes(&self) -> Vec<usize> {
        let variables = self.game.variables().iter();
        variables.map(|id| self.game.domain(*id).size()).collect()
    }

    /// Describe the registers that hold a state; `None` if the state doesn't fit registers and
    /// arrays are used.
    pub fn rows(&self) -> Option<&'static str> {
        self.form.as_ref().map(|form| form.describe())
    }

    /// Return the number of variables.
    pub fn n_variables(&self) -> usize {
        with_width!(self, game => game.domain_sizes.len())
    }

    /// Return the number of rules.
    pub fn n_rules(&self) -> usize {
        with_width!(self, game => game.rules.len())
    }

    /// Return the bytes that one value takes in a packed state: 1, 2 or 4.
    pub fn cell_bytes(&self) -> usize {
        match &*self.width {
            Width::Byte(_) => 1,
            Width::Short(_) => 2,
            Width::Word(_) => 4,
        }
    }

    /// Return whether some rule is free. Searches bounded by cost then detect cycles along the
    /// path.
    pub fn has_free_rules(&self) -> bool {
        with_width!(self, game => game.has_free_rules())
    }

    /// Return the state that a rule leads to; `None` if it doesn't apply.
    ///
    /// # Errors
    /// When the state is not a state of this game.
    ///
    /// # Panics
    /// When the game has no such rule.
    pub fn apply(&self, state: &State, rule: RuleId) -> Result<Option<State>, StateMismatch> {
        with_width!(self, game => {
            let row = game.pack(state)?;
            let mut child = row.clone();
            Ok(game.applicable(&row).contains(&rule.0).then(|| {
                game.apply(rule.0, &row, &mut child);
                game.unpack(&child)
            }))
        })
    }

    /// Return the rules that apply to a state, in order.
    ///
    /// # Errors
    /// When the state is not a state of this game.
    pub fn applicable_rules(&self, state: &State) -> Result<Vec<RuleId>, StateMismatch> {
        with_width!(self, game => {
            Ok(game.applicable(&game.pack(state)?).into_iter().map(RuleId).collect())
        })
    }

    /// Return whether a state is a goal state.
    ///
    /// # Errors
    /// When the state is not a state of this game.
    pub fn is_goal(&self, state: &State) -> Result<bool, StateMismatch> {
        with_width!(self, game => Ok(game.is_goal(game.pack(state)?.as_flattened())))
    }
}

/// A part of a flat array.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: u32,
    end: u32,
}

impl Span {
    #[inline]
    fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Append items to a flat array and return their place.
fn append<T>(array: &mut Vec<T>, items: impl IntoIterator<Item = T>) -> Span {
    let index = |length: usize| u32::try_from(length).expect("fewer than 2^32 tests and writes");
    let start = index(array.len());
    array.extend(items);
    Span {
        start,
        end: index(array.len()),
    }
}

#[derive(Clone, Copy, Debug)]
struct Tests {
    constants: Span,
    equalities: Span,
}

#[derive(Clone, Copy, Debug)]
struct RuleCode {
    /// The tests that the index doesn't decide.
    tests: Tests,
    constant_writes: Span,
    copies: Span,
}

/// A compiled game with cells of type `C`.
#[derive(Clone, Debug)]
pub(crate) struct Compiled<C> {
    domain_sizes: Box<[usize]>,
    n_blocks: usize,
    rules: Vec<RuleCode>,
    costs: Vec<u64>,
    goals: Vec<Tests>,
    pub(crate) index: RuleIndex,
    /// Pairs of a position and the constant that it is compared with, or gets.
    constants: Vec<(u32, C)>,
    /// Pairs of a position and the position that it is compared with, or gets the old value of.
    positions: Vec<(u32, u32)>,
}

impl<C: Cell> Compiled<C> {
    /// Compile a game whose values fit in the cells.
    pub(crate) fn new(game: &Game) -> Self {
        let domain_sizes: Box<[usize]> = (0..game.n_variables())
            .map(|i| game.domain_of(VarId::from_index(i)).size())
            .collect();
        let mut constant_tests = Vec::new();
        for (id, rule) in game.rules_with_ids() {
            constant_tests.extend(rule.canonical.tests().filter_map(|(var, term)| {
                let value = term.as_constant()?.index();
                Some(ConstantTest {
                    rule: id.index(),
                    position: var.index(),
                    value,
                })
            }));
        }
        let mut compiled = Self {
            n_blocks: domain_sizes.len().div_ceil(BLOCK).max(1),
            rules: Vec::with_capacity(game.rules().len()),
            costs: game
                .rules()
                .iter()
                .map(|rule| rule.canonical.cost())
                .collect(),
            goals: Vec::new(),
            index: RuleIndex::new(game.rules().len(), &domain_sizes, constant_tests),
            constants: Vec::new(),
            positions: Vec::new(),
            domain_sizes,
        };
        let mut covered = vec![false; compiled.domain_sizes.len()];
        for position in compiled.index.covered() {
            covered[position] = true;
        }
        for rule in game.rules() {
            compiled.add_rule(&rule.canonical, &covered);
        }
        covered.fill(false);
        for goal in game.goals() {
            let pattern = CanonicalRule::canonicalize(goal.conditions(), goal.conditions(), 0);
            let tests = compiled.add_tests(&pattern, &covered);
            compiled.goals.push(tests);
        }
        compiled
    }

    /// Add the tests of a rule or goal, except for those against constants at covered positions.
    fn add_tests(&mut self, rule: &CanonicalRule, covered: &[bool]) -> Tests {
        Tests {
            constants: append(
                &mut self.constants,
                rule.tests()
                    .filter(|(var, _)| !covered[var.index()])
                    .filter_map(|(var, term)| Some((var.0, C::pack(term.as_constant()?)))),
            ),
            equalities: append(
                &mut self.positions,
                rule.tests()
                    .filter_map(|(var, term)| Some((var.0, term.as_variable()?.0))),
            ),
        }
    }

    fn add_rule(&mut self, rule: &CanonicalRule, covered: &[bool]) {
        let tests = self.add_tests(rule, covered);
        let constant_writes = append(
            &mut self.constants,
            rule.changes()
                .filter_map(|(var, term)| Some((var.0, C::pack(term.as_constant()?)))),
        );
        let copies = append(
            &mut self.positions,
            rule.changes()
                .filter_map(|(var, term)| Some((var.0, term.as_variable()?.0))),
        );
        self.rules.push(RuleCode {
            tests,
            constant_writes,
            copies,
        });
    }

    /// Return the number of blocks of a packed state.
    #[inline]
    pub(crate) fn n_blocks(&self) -> usize {
        self.n_blocks
    }

    /// Return the number of variables.
    #[inline]
    pub(crate) fn n_variables(&self) -> usize {
        self.domain_sizes.len()
    }

    /// Return the cost of a rule.
    #[inline]
    pub(crate) fn cost(&self, rule: u32) -> u64 {
        self.costs[rule as usize]
    }

    /// Return whether some rule costs nothing.
    pub(crate) fn has_free_rules(&self) -> bool {
        self.costs.contains(&0)
    }

    /// Pack a state, or return an error if it isn't a state of this game.
    pub(crate) fn pack(&self, state: &State) -> Result<Box<[Block<C>]>, StateMismatch> {
        check_state(self.domain_sizes.iter().copied(), state.values())?;
        let mut row = vec![[C::default(); BLOCK]; self.n_blocks].into_boxed_slice();
        for (cell, value) in row.as_flattened_mut().iter_mut().zip(state.values()) {
            *cell = C::pack(*value);
        }
        Ok(row)
    }

    /// Return the state in a packed row.
    pub(crate) fn unpack(&self, row: &[Block<C>]) -> State {
        let cells = &row.as_flattened()[..self.n_variables()];
        State::new(
            cells
                .iter()
                .map(|cell| cell.value())
                .collect::<Box<[Value]>>(),
        )
    }

    #[inline]
    fn satisfies(&self, tests: Tests, row: &[C]) -> bool {
        self.constants[tests.constants.range()]
            .iter()
            .all(|(i, value)| row[*i as usize] == *value)
            && self.positions[tests.equalities.range()]
                .iter()
                .all(|(i, j)| row[*i as usize] == row[*j as usize])
    }

    /// Return whether a rule that the index lets through applies to a state.
    #[inline]
    pub(crate) fn applies(&self, rule: u32, row: &[C]) -> bool {
        self.satisfies(self.rules[rule as usize].tests, row)
    }

    /// Write the state that a rule leads to, whether or not it applies. The padding stays 0.
    #[inline]
    pub(crate) fn apply(&self, rule: u32, parent: &[Block<C>], child: &mut [Block<C>]) {
        match (parent, &mut *child) {
            ([parent], [child]) => *child = *parent,
            (parent, child) => child.copy_from_slice(parent),
        }
        self.write(rule, parent.as_flattened(), child.as_flattened_mut());
    }

    /// Write the cells that a rule changes.
    #[inline]
    pub(crate) fn write(&self, rule: u32, parent: &[C], child: &mut [C]) {
        let code = &self.rules[rule as usize];
        for (to, from) in &self.positions[code.copies.range()] {
            child[*to as usize] = parent[*from as usize];
        }
        for (to, value) in &self.constants[code.constant_writes.range()] {
            child[*to as usize] = *value;
        }
    }

    /// Return whether a state satisfies one of the goal conditions.
    #[inline]
    pub(crate) fn is_goal(&self, row: &[C]) -> bool {
        self.goals.iter().any(|goal| self.satisfies(*goal, row))
    }

    /// Return the rules that apply to a state, in order. Not for inner loops.
    fn applicable(&self, row: &[Block<C>]) -> Vec<u32> {
        let row = row.as_flattened();
        let mut set = vec![0; self.index.n_words()];
        self.index.candidates(row, &mut set);
        (0..self.rules.len() as u32)
            .filter(|rule| {
                set[*rule as usize / 64] >> (rule % 64) & 1 == 1 && self.applies(*rule, row)
            })
            .collect()
    }
}
