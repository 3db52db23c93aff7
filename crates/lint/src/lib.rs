//! Warnings about a game as a whole: likely mistakes in otherwise regular games.
//!
//! A hand-written puzzle with one of 48 rules missing, or with one move that wraps around an edge,
//! is a valid game, and searches solve it without complaint. It is just not the game that its
//! author intended. A faulty rule stands out because it lacks a property of all others. The
//! warnings of `psvn-ir` consider rules one by one or in pairs (no inverse, duplicates); those here
//! consider the game as a whole:
//!
//! | code | what was found | module |
//! |---|---|---|
//! | `broken-symmetry` | exchanging variables maps all rules to rules, but for one or two | `symmetry` |
//! | `irregular-grid` | the positions that exchange values form a grid, but for one or two edges | `exchange` |
//! | `missing-power` | most turns come with their repetitions, one lacks some | `powers` |
//! | `broken-invariant` | one or two rules change a count that all others keep | `conservation` |
//! | `odd-one-out` | one of several rules with a label differs from the others | `labels` |
//! | `label-gap` | labels are numbered, and one number is missing | `labels` |
//! | `uneven-labels` | labels have the same number of rules, but for one | `labels` |
//! | `unused-variable`, `constant-variable` | a variable that no rule mentions, or that none changes | `variables` |
//! | `unused-value` | a value that is mentioned nowhere, while others of its domain are | `variables` |
//! | `unreachable-goal`, `goal-never-produced` | no rule leads to the goal, or to one of its values | `goals` |
//! | `separate-goal` | no start reaches both this goal and the others | `goals` |
//! | `wrong-comment`, `misspelled-comment` | a comment line with a meaning, or nearly one | `text::comments` |
//!
//! All but the last of these are guesses from regularity. A game may be irregular on purpose, so
//! each warning requires strong evidence: many rules that agree, and one or two that don't. Each
//! module defines its thresholds.
//!
//! ```
//! let wrapped = psvn_ir::load("
//!     6  6 6 6 6 6 6                       # a 2 x 3 sliding-tile puzzle
//!     A 0 - - - - => 0 A - - - -  LABEL L   - A 0 - - - => - 0 A - - -  LABEL L
//!     ; The next move wraps around from the end of the first row.
//!     - - A 0 - - => - - 0 A - -  LABEL L   - - - - A 0 => - - - - 0 A  LABEL L
//!     0 A - - - - => A 0 - - - -  LABEL R   - 0 A - - - => - A 0 - - -  LABEL R
//!     - - 0 A - - => - - A 0 - -  LABEL R   - - - - 0 A => - - - - A 0  LABEL R
//!     0 - - A - - => A - - 0 - -  LABEL D   - 0 - - A - => - A - - 0 -  LABEL D
//!     - - 0 - - A => - - A - - 0  LABEL D   A - - 0 - - => 0 - - A - -  LABEL U
//!     - A - - 0 - => - 0 - - A -  LABEL U   - - A - - 0 => - - 0 - - A  LABEL U
//!     GOAL 0 1 2 3 4 5
//! ").game.expect("a game without errors");
//! let found = lint::lint(&wrapped);
//! assert!(found.iter().any(|diagnostic| diagnostic.code == "irregular-grid"));
//! assert!(lint::explain("irregular-grid").is_some());
//! ```
//!
//! This crate prints nothing, and knows no sequences of rules.

mod codes;
mod conservation;
mod exchange;
mod goals;
mod labels;
mod powers;
mod rank;
mod subject;
mod symmetry;
mod text;
mod variables;

pub use codes::{Code, codes, explain};
pub use rank::rank;
pub use text::comments::{Comment, LAYOUT_WORDS, comments, lint_comments, wrong_comment};
pub use text::fixes::{Fix, fixed, fixes};

use psvn_ir::Game;
use psvn_syntax::Diagnostic;

use crate::subject::Subject;

/// Return warnings about a game as a whole, in the order of their places in the text.
///
/// [`psvn_ir::load`] reports suspicious single rules; this function adds to it. The time is
/// bounded: checks that take more than linear time are skipped for games that are too large, or
/// stop at a limit on their work.
pub fn lint(game: &Game) -> Vec<Diagnostic> {
    lint_text(game, "", Effort::Full)
}

/// How much work a search for warnings may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// Less than a second, mostly far less.
    #[default]
    Full,
    /// A tenth of that: symmetries may remain unknown, and warnings about them be missing.
    Quick,
}

/// Return the same warnings about a game that was read from `text`: proposed rules are spelled like
/// those of the text.
pub fn lint_text(game: &Game, text: &str, effort: Effort) -> Vec<Diagnostic> {
    let subject = Subject::new(game, text, effort);
    let mut findings = Vec::new();
    variables::lint(&subject, &mut findings);
    goals::lint(&subject, &mut findings);
    labels::lint(&subject, &mut findings);
    labels::siblings::lint(&subject, &mut findings);
    conservation::lint(&subject, &mut findings);
    powers::lint(&subject, &mut findings);
    exchange::lint(&subject, &mut findings);
    symmetry::lint(&subject, &mut findings);
    findings.sort_by_key(|it| it.primary.as_ref().map(|label| label.span.start));
    findings
}
