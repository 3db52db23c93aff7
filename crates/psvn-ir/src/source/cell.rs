//! Source rules: the two sides of a rule as they were written, before canonicalization.
//!
//! They are kept because the canonical form has no equivalent of `*` and `-`, which matter when a
//! rule is run backwards.

use std::sync::Arc;

use psvn_syntax::Span;

use crate::ids::{SymbolId, Value};

/// The meaning of one entry of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CellKind {
    /// `-`: on the left not tested and not moved, on the right unchanged.
    Dash,
    /// A value of the position's domain.
    Constant(Value),
    /// A variable symbol. Symbols are scoped by rule and domain, so all positions of one symbol
    /// have the same domain.
    Symbol(SymbolId),
}

/// One entry of a side of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// Its kind.
    pub kind: CellKind,
    /// Whether `*` is in front: the writer vouches that the cell holds, so it is not tested and
    /// binds no symbol.
    pub starred: bool,
}

impl Cell {
    /// `-`
    pub const DASH: Cell = Cell {
        kind: CellKind::Dash,
        starred: false,
    };

    /// The constant `value`, tested.
    pub fn constant(value: Value) -> Self {
        Self {
            kind: CellKind::Constant(value),
            starred: false,
        }
    }

    /// The symbol, tested where it is repeated.
    pub fn symbol(symbol: SymbolId) -> Self {
        Self {
            kind: CellKind::Symbol(symbol),
            starred: false,
        }
    }

    /// The same cell with a `*`. Has no effect on `-`.
    pub fn starred(self) -> Self {
        Self {
            starred: self.kind != CellKind::Dash,
            ..self
        }
    }
}

/// A rule as it was written, with its tokens resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRule {
    /// The name after `LABEL`, or `rule_N` for the N-th rule of the file.
    pub label: Arc<str>,
    /// The left-hand side.
    pub lhs: Box<[Cell]>,
    /// The right-hand side.
    pub rhs: Box<[Cell]>,
    /// The cost; 1 unless given.
    pub cost: u64,
    /// The rule's place in the file it was read from.
    pub span: Option<Span>,
}

impl SourceRule {
    /// Return whether the row tests nothing and changes nothing whatever the symbols stand for: the
    /// right side has only `-`, and the left side only `-` and entries that `*` exempts from the
    /// test.
    ///
    /// The PSVN compiler leaves such rows out. A rule like `A B => A B` changes nothing either, but
    /// it is one of the game's rules.
    pub fn says_nothing(&self) -> bool {
        self.rhs.iter().all(|cell| cell.kind == CellKind::Dash)
            && self
                .lhs
                .iter()
                .all(|cell| cell.kind == CellKind::Dash || cell.starred)
    }

    /// Return the rule run backwards, as the PSVN manual of 2014 defines it: the sides change
    /// places. A `-` on the right keeps the entry of the left side. A position whose old value is
    /// lost (`-` on the left, another entry on the right) gets an unbound symbol.
    ///
    /// A rule without an implied test may lead backwards into states that can't occur.
    pub fn backward(&self) -> SourceRule {
        let highest_symbol = self
            .lhs
            .iter()
            .chain(self.rhs.iter())
            .filter_map(|cell| match cell.kind {
                CellKind::Symbol(symbol) => Some(symbol.0 + 1),
                _ => None,
            })
            .max();
        let mut fresh = highest_symbol.unwrap_or(0);
        let (lhs, rhs) = self
            .lhs
            .iter()
            .zip(self.rhs.iter())
            .map(|(left, right)| match (left.kind, right.kind) {
                (_, CellKind::Dash) => (*left, Cell::DASH),
                (CellKind::Dash, _) => {
                    fresh += 1;
                    (*right, Cell::symbol(SymbolId(fresh - 1)))
                }
                _ => (*right, *left),
            })
            .unzip::<_, _, Vec<_>, Vec<_>>();
        SourceRule {
            label: Arc::clone(&self.label),
            lhs: lhs.into(),
            rhs: rhs.into(),
            cost: self.cost,
            span: self.span,
        }
    }
}
