//! Named heuristics and pattern databases together.

use std::fmt;
use std::iter::zip;

use bytemuck::{Zeroable, cast_slice};
use invariants::Violation;
use pattern_databases::{BuildError, Options, PatternMemo, Patterns};
use psvn_ir::{Game, RuleId, State};
use search::{
    Cell, DEAD_END, Erased, Heuristic, RankedTable, Sibling, ValueSums, children_one_by_one,
};

use crate::name::{MAX_PARTS, Named, cells};

/// The maximum of named heuristics and of sums of pattern databases. Admissible and consistent if
/// the named ones are.
#[derive(Debug)]
pub struct Combined {
    form: Form,
}

/// The parts of the combination. The form stays the same for a whole search, so the processor
/// predicts the branch.
#[derive(Debug)]
enum Form {
    Named(Named),
    Tables(Tables),
    Both(Named, Tables),
}

#[derive(Debug)]
struct Tables {
    patterns: Patterns,
    words: String,
}

/// The memo of a node: that of the tables, or that of the named heuristics.
///
/// There is no room for both. Together with tables that use the parent's look-ups, named heuristics
/// are computed from the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(8))]
pub struct CombinedMemo([u16; 32]);

impl CombinedMemo {
    #[inline(always)]
    fn of_patterns(memo: PatternMemo) -> Self {
        bytemuck::cast(memo)
    }

    #[inline(always)]
    fn patterns(&self) -> &PatternMemo {
        bytemuck::cast_ref(self)
    }

    #[inline(always)]
    fn of_named(memo: [u64; MAX_PARTS]) -> Self {
        let mut kept = Self::zeroed();
        let memo: [u16; MAX_PARTS * 4] = bytemuck::cast(memo);
        for (to, from) in zip(&mut kept.0, &memo) {
            *to = *from;
        }
        kept
    }

    #[inline(always)]
    fn named(&self) -> [u64; MAX_PARTS] {
        let mut memo = [0_u16; MAX_PARTS * 4];
        for (to, from) in zip(&mut memo, &self.0) {
            *to = *from;
        }
        bytemuck::cast(memo)
    }
}

impl Combined {
    /// Take the maximum of both; `words` describes the tables.
    pub fn new(named: Option<Named>, patterns: Patterns, words: impl Into<String>) -> Self {
        let tables = Tables {
            patterns,
            words: words.into(),
        };
        Self {
            form: match named {
                None => Form::Tables(tables),
                Some(named) => Form::Both(named, tables),
            },
        }
    }

    /// Take the maximum of the tables and these heuristics.
    #[must_use]
    pub fn with_named(self, named: Named) -> Self {
        Self {
            form: match self.form {
                Form::Named(_) => Form::Named(named),
                Form::Tables(tables) | Form::Both(_, tables) => Form::Both(named, tables),
            },
        }
    }

    /// Use the tables alone; unchanged if there are none.
    #[must_use]
    pub fn without_named(self) -> Self {
        Self {
            form: match self.form {
                Form::Both(_, tables) => Form::Tables(tables),
                other => other,
            },
        }
    }

    /// Return the named heuristics, if there are any.
    pub fn named(&self) -> Option<&Named> {
        match &self.form {
            Form::Named(named) | Form::Both(named, _) => Some(named),
            Form::Tables(_) => None,
        }
    }

    /// Return the tables, if there are any.
    pub fn patterns(&self) -> Option<&Patterns> {
        match &self.form {
            Form::Tables(tables) | Form::Both(_, tables) => Some(&tables.patterns),
            Form::Named(_) => None,
        }
    }

    /// Look up duals of states in a table of coordinates, too, and describe it by `words` then.
    /// Return whether this can be done quickly.
    ///
    /// # Errors
    /// If a limit is reached: then nothing changes.
    pub fn add_duals_of_coordinates(
        &mut self,
        game: &Game,
        options: &Options<'_>,
        words: &str,
    ) -> Result<bool, BuildError> {
        let (Form::Tables(tables) | Form::Both(_, tables)) = &mut self.form else {
            return Ok(false);
        };
        let are_added = tables.patterns.add_duals_of_coordinates(game, options)?;
        if are_added {
            words.clone_into(&mut tables.words);
        }
        Ok(are_added)
    }

    /// Return whether no estimate is too high.
    pub fn is_admissible(&self) -> bool {
        self.named().is_none_or(Named::is_admissible)
    }

    /// Return the bytes of all tables.
    pub fn n_bytes(&self) -> u64 {
        self.patterns().map_or(0, Patterns::n_bytes)
    }

    /// Check that a state satisfies the tables' assumptions.
    ///
    /// # Errors
    /// The first invariant that it breaks.
    pub fn check_start(&self, game: &Game, state: &State) -> Result<(), Violation> {
        self.patterns()
            .map_or(Ok(()), |patterns| patterns.check_start(game, state))
    }

    /// Return the estimate of a state; [`search::DEAD_END`] if no goal is reachable.
    pub fn of_state(&self, state: &State) -> u64 {
        self.estimate(&cells(state.values()))
    }

    /// Return the mean estimate of the states that aren't dead ends; `None` if there are none.
    pub fn mean_of(&self, states: &[State]) -> Option<f64> {
        let said = states.iter().map(|state| self.of_state(state));
        let (mut sum, mut n) = (0.0, 0_usize);
        for said in said.filter(|said| *said != DEAD_END) {
            sum += said as f64;
            n += 1;
        }
        (n > 0).then(|| sum / n as f64)
    }
}

impl From<Named> for Combined {
    fn from(named: Named) -> Self {
        Self {
            form: Form::Named(named),
        }
    }
}

impl fmt::Display for Combined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.form {
            Form::Named(named) => named.fmt(f),
            Form::Tables(tables) => f.write_str(&tables.words),
            Form::Both(named, tables) => {
                let names: Vec<&str> = named.names().iter().map(|name| name.as_str()).collect();
                write!(f, "max({}, {})", names.join(", "), tables.words)
            }
        }
    }
}

/// The estimates for any width of cells.
impl Combined {
    #[inline(always)]
    fn estimate_in<C: Cell>(&self, state: &[C]) -> u64 {
        match &self.form {
            Form::Named(named) => named.estimate(state),
            Form::Tables(tables) => tables.patterns.estimate(state),
            Form::Both(named, tables) => {
                let said = tables.patterns.estimate(state);
                said.max(named.estimate(state))
            }
        }
    }

    #[inline(always)]
    fn start_in<C: Cell>(&self, state: &[C]) -> (u64, CombinedMemo) {
        match &self.form {
            Form::Named(named) => {
                let (said, memo) = named.start(state);
                (said, CombinedMemo::of_named(memo))
            }
            Form::Tables(tables) => {
                let (said, memo) = tables.patterns.start(state);
                (said, CombinedMemo::of_patterns(memo))
            }
            Form::Both(named, tables) if tables.patterns.is_incremental() => {
                let (said, memo) = tables.patterns.start(state);
                let said = said.max(named.estimate(state));
                (said, CombinedMemo::of_patterns(memo))
            }
            Form::Both(named, tables) => {
                let (said, memo) = named.start(state);
                let said = said.max(tables.patterns.estimate(state));
                (said, CombinedMemo::of_named(memo))
            }
        }
    }

    #[inline(always)]
    fn child_in<C: Cell>(
        &self,
        rule: RuleId,
        parent: &[C],
        memo: &CombinedMemo,
        child: &[C],
        cutoff: u64,
    ) -> (u64, CombinedMemo) {
        match &self.form {
            Form::Named(named) => {
                let before = &memo.named();
                let (said, memo) = named.child_bounded(rule, parent, before, child, cutoff);
                (said, CombinedMemo::of_named(memo))
            }
            Form::Tables(tables) => {
                let before = memo.patterns();
                let patterns = &tables.patterns;
                let (said, memo) = patterns.child_bounded(rule, parent, before, child, cutoff);
                (said, CombinedMemo::of_patterns(memo))
            }
            Form::Both(named, tables) if tables.patterns.is_incremental() => {
                let before = memo.patterns();
                let patterns = &tables.patterns;
                let (said, memo) = patterns.child_bounded(rule, parent, before, child, cutoff);
                let memo = CombinedMemo::of_patterns(memo);
                if said > cutoff {
                    return (said, memo);
                }
                (said.max(named.estimate_within(child, cutoff)), memo)
            }
            Form::Both(named, tables) => {
                let before = &memo.named();
                let (said, memo) = named.child_bounded(rule, parent, before, child, cutoff);
                let memo = CombinedMemo::of_named(memo);
                if said > cutoff {
                    return (said, memo);
                }
                (said.max(tables.patterns.estimate(child)), memo)
            }
        }
    }
}

/// The estimates for one width of cells. They are compiled here, once and with this crate's
/// optimization, instead of in each crate that searches.
macro_rules! compiled_here {
    ($cell:ty, $estimate:ident, $start:ident, $child:ident) => {
        impl Combined {
            #[inline(never)]
            fn $estimate(&self, state: &[$cell]) -> u64 {
                self.estimate_in(state)
            }

            #[inline(never)]
            fn $start(&self, state: &[$cell]) -> (u64, CombinedMemo) {
                self.start_in(state)
            }

            #[inline(never)]
            fn $child(
                &self,
                rule: RuleId,
                (parent, child): (&[$cell], &[$cell]),
                memo: &CombinedMemo,
                cutoff: u64,
            ) -> (u64, CombinedMemo) {
                self.child_in(rule, parent, memo, child, cutoff)
            }
        }
    };
}

compiled_here!(u8, estimate_bytes, start_bytes, child_bytes);
compiled_here!(u16, estimate_shorts, start_shorts, child_shorts);
compiled_here!(u32, estimate_words, start_words, child_words);

impl Heuristic for Combined {
    type Memo = CombinedMemo;

    #[inline]
    fn estimate<C: Cell>(&self, state: &[C]) -> u64 {
        match size_of::<C>() {
            1 => self.estimate_bytes(cast_slice(state)),
            2 => self.estimate_shorts(cast_slice(state)),
            _ => self.estimate_words(cast_slice(state)),
        }
    }

    #[inline]
    fn start<C: Cell>(&self, state: &[C]) -> (u64, CombinedMemo) {
        match size_of::<C>() {
            1 => self.start_bytes(cast_slice(state)),
            2 => self.start_shorts(cast_slice(state)),
            _ => self.start_words(cast_slice(state)),
        }
    }

    #[inline]
    fn child<C: Cell>(
        &self,
        rule: RuleId,
        parent: &[C],
        memo: &CombinedMemo,
        child: &[C],
    ) -> (u64, CombinedMemo) {
        self.child_bounded(rule, parent, memo, child, u64::MAX)
    }

    #[inline]
    fn child_bounded<C: Cell>(
        &self,
        rule: RuleId,
        parent: &[C],
        memo: &CombinedMemo,
        child: &[C],
        cutoff: u64,
    ) -> (u64, CombinedMemo) {
        match size_of::<C>() {
            1 => {
                let cells = (cast_slice(parent), cast_slice(child));
                self.child_bytes(rule, cells, memo, cutoff)
            }
            2 => {
                let cells = (cast_slice(parent), cast_slice(child));
                self.child_shorts(rule, cells, memo, cutoff)
            }
            _ => {
                let cells = (cast_slice(parent), cast_slice(child));
                self.child_words(rule, cells, memo, cutoff)
            }
        }
    }

    fn has_rejection(&self) -> bool {
        self.patterns().is_some_and(Patterns::has_rejection)
    }

    #[inline]
    fn rejects(&self, rule: RuleId, memo: &CombinedMemo, cutoff: u64) -> Option<u64> {
        self.patterns()?.rejects(rule, memo.patterns(), cutoff)
    }

    fn has_prefetch(&self) -> bool {
        match &self.form {
            Form::Named(_) => false,
            Form::Tables(tables) => tables.patterns.has_prefetch(),
            Form::Both(_, tables) => {
                tables.patterns.is_incremental() && tables.patterns.has_prefetch()
            }
        }
    }

    #[inline]
    fn prefetch(&self, rule: RuleId, memo: &CombinedMemo) {
        if let Form::Tables(tables) | Form::Both(_, tables) = &self.form {
            tables.patterns.prefetch(rule, memo.patterns());
        }
    }

    fn has_batches(&self) -> bool {
        matches!(&self.form, Form::Tables(tables) if tables.patterns.has_batches())
    }

    fn rejects_all(&self, siblings: &[Sibling], memo: &CombinedMemo, found: &mut [Option<u64>]) {
        if let Some(patterns) = self.patterns() {
            patterns.rejects_all(siblings, memo.patterns(), found);
        }
    }

    #[inline]
    fn children_bounded<C: Cell>(
        &self,
        siblings: &[Sibling],
        parent: &[C],
        memo: &CombinedMemo,
        states: &[C],
        mut found: impl FnMut(usize, u64, CombinedMemo),
    ) {
        if let Form::Tables(tables) = &self.form {
            let of_patterns =
                |number, estimate, memo| found(number, estimate, CombinedMemo::of_patterns(memo));
            let memo = memo.patterns();
            let patterns = &tables.patterns;
            patterns.children_bounded(siblings, parent, memo, states, of_patterns);
            return;
        }
        children_one_by_one(self, siblings, parent, memo, states, found);
    }

    // Compiled here, as above.
    #[inline(never)]
    fn erased(&self) -> Erased<'_> {
        Erased::of(self)
    }

    fn ranked_tables(&self) -> Option<Vec<Vec<&dyn RankedTable>>> {
        match &self.form {
            Form::Tables(tables) => tables.patterns.ranked_tables(),
            Form::Named(_) | Form::Both(..) => None,
        }
    }

    fn value_sums(&self) -> Option<&ValueSums> {
        match &self.form {
            Form::Named(named) => named.value_sums(),
            Form::Tables(_) | Form::Both(..) => None,
        }
    }
}
