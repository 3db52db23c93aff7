//! Warnings for what the language silently accepts.
//!
//! Each finding is a [`Diagnostic`] with a stable code:
//!
//! | code | what was found |
//! |---|---|
//! | `symbol-near-value` | a variable symbol that is spelled much like a value of its position |
//! | `symbol-looks-like-value` | a variable symbol that is a value of another domain, or a number |
//! | `unused-symbol` | a variable symbol that occurs once, on the left, and then no more |
//! | `symbol-in-two-domains` | one name at positions of two domains: two symbols |
//! | `unbound-symbol` | a symbol that only the right side has: the rule stands for several |
//! | `no-op-rule` | a rule that changes nothing |
//! | `duplicate-rule` | a rule that another one equals |
//! | `no-inverse` | a rule that no other one undoes, where most rules are undone by one |
//! | `dead-rule` | a rule that can't be used in any state that has to do with a goal |
//! | `no-goal` | a game without a goal |

mod live;
mod names;
mod rules;
pub(crate) mod symbols;

use std::collections::HashMap;

pub use names::RuleTitles;
use psvn_syntax::Diagnostic;

use crate::game::Game;

/// The most findings of one kind that are reported one by one.
const MOST_OF_A_KIND: usize = 50;

/// Warnings about the rules and goals of a game, in the order of the rules.
///
/// Takes time linear in the size of the game for all practical purposes.
pub fn lint(game: &Game) -> Vec<Diagnostic> {
    rules::lint(game)
}

/// Counts the findings of each kind as they come, so that those which [`limit_repetition`] will leave out
/// take little room: a game may have millions.
#[derive(Default)]
pub(crate) struct Thinner {
    counts: HashMap<&'static str, usize, ahash::RandomState>,
    /// How many findings were counted.
    done: usize,
}

impl Thinner {
    /// Takes the texts away from new findings that are some of too many.
    pub(crate) fn thin(&mut self, diagnostics: &mut [Diagnostic]) {
        for diagnostic in diagnostics.iter_mut().skip(self.done) {
            let count = self.counts.entry(diagnostic.code).or_insert(0);
            *count += 1;
            if *count > MOST_OF_A_KIND && !diagnostic.is_error() {
                let place = diagnostic.primary.as_ref().map(|label| label.span);
                *diagnostic = Diagnostic::warning(diagnostic.code, String::new())
                    .at_maybe(place, String::new());
            }
        }
        self.done = diagnostics.len();
    }
}

/// Keeps the first findings of each kind, and sums the others up.
pub(crate) fn limit_repetition(diagnostics: &mut Vec<Diagnostic>) {
    let mut counts: HashMap<&'static str, usize, ahash::RandomState> = HashMap::default();
    diagnostics.retain(|diagnostic| {
        let count = counts.entry(diagnostic.code).or_insert(0);
        *count += 1;
        diagnostic.is_error() || *count <= MOST_OF_A_KIND
    });
    let mut summaries: Vec<(&'static str, usize)> = counts
        .into_iter()
        .filter(|(_, count)| *count > MOST_OF_A_KIND)
        .collect();
    summaries.sort_unstable();
    for (code, count) in summaries {
        if diagnostics.iter().any(|d| d.code == code && d.is_error()) {
            continue;
        }
        diagnostics.push(Diagnostic::warning(
            code,
            format!(
                "{} more warnings of this kind are not shown",
                count - MOST_OF_A_KIND
            ),
        ));
    }
}
