//! The syntax tree: the source in the user's spelling, with the place of each part.
//!
//! The tree knows no meaning: whether a cell is a value or a variable symbol depends on the domain
//! of its position, and is decided one layer up.

use crate::Span;

/// A whole PSVN file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    /// `DOMAIN` declarations, in order.
    pub domains: Vec<DomainDecl>,
    /// The number of variables and their domains; `None` only when errors were reported.
    pub variables: Option<VariablesDecl>,
    /// Rules, goals and abstraction blocks, in order.
    pub items: Vec<Item>,
    /// All comments, in order.
    pub comments: Vec<Comment>,
}

/// A word as the user spelled it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The spelling.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// A non-negative integer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// The value.
    pub value: u64,
    /// Its place.
    pub span: Span,
}

/// `DOMAIN name size value...`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DomainDecl {
    /// The whole declaration.
    pub span: Span,
    /// The domain's name.
    pub name: Name,
    /// The declared number of values.
    pub size: Number,
    /// The values, in order.
    pub values: Vec<Name>,
}

/// The number of variables and the name of the domain of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariablesDecl {
    /// The whole declaration.
    pub span: Span,
    /// The declared number of variables.
    pub count: Number,
    /// One domain name for each variable.
    pub domains: Vec<Name>,
}

/// What may follow the declarations, in any order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A rule.
    Rule(RuleDecl),
    /// A goal condition.
    Goal(GoalDecl),
    /// An abstraction block.
    Abstraction(AbstractionDecl),
}

/// `LHS => RHS [LABEL name] [COST number]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleDecl {
    /// The whole rule.
    pub span: Span,
    /// The left-hand side, one cell for each variable.
    pub lhs: Vec<Cell>,
    /// The place of `=>`.
    pub arrow: Span,
    /// The right-hand side, one cell for each variable.
    pub rhs: Vec<Cell>,
    /// The name after `LABEL`.
    pub label: Option<Name>,
    /// The number after `COST`.
    pub cost: Option<Number>,
}

/// `GOAL condition`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalDecl {
    /// The whole goal.
    pub span: Span,
    /// One cell for each variable.
    pub cells: Vec<Cell>,
}

/// One entry of a side of a rule or of a goal condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Whether a `*` stands in front: the writer vouches for the cell, so it isn't tested. Cells of
    /// a goal are never starred: there `*X` is the symbol `*X`.
    pub starred: bool,
    /// The token without that `*`; `-` alone is "not tested" or "keeps its value".
    pub text: String,
    /// The place of the whole token, star included.
    pub span: Span,
}

/// `abstraction { ... }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbstractionDecl {
    /// The whole block.
    pub span: Span,
    /// Domain mappings: for each named domain the value that each of its values becomes.
    pub mappings: Vec<DomainMapping>,
    /// The projection, if there is one.
    pub projection: Option<Projection>,
    /// The pieces that are kept, if they are named.
    pub pieces: Option<Pieces>,
}

/// `DOMAIN { value for each value }`; `DOMAIN` stands for the domain's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DomainMapping {
    /// The whole mapping.
    pub span: Span,
    /// The domain's name.
    pub domain: Name,
    /// One value for each value of the domain, in the domain's order.
    pub values: Vec<Name>,
}

/// `projection { K P K ... }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Projection {
    /// The whole projection.
    pub span: Span,
    /// For each variable, whether it is kept (`K`) or projected away (`P`).
    pub keep: Vec<(bool, Span)>,
}

/// `pieces { K P K ... }`
///
/// If the game has a domain named `pieces`, this is its mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// The whole section.
    pub span: Span,
    /// The word `pieces`.
    pub name: Name,
    /// For each variable, whether the piece that the goal has there is kept (`K`) or not (`P`).
    pub letters: Vec<Name>,
}

/// A comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Its text, `#` or `;` included, without the line break.
    pub text: String,
    /// Its place.
    pub span: Span,
    /// Whether other text is before it on its line.
    pub trailing: bool,
}
