//! Warnings about valid but suspicious parts of a game.
//!
//! Each finding is a [`Diagnostic`] with a stable code:
//!
//! | code | what was found |
//! |---|---|
//! | `symbol-near-value` | a variable symbol that is spelled much like a value of its position |
//! | `value-looks-like-symbol` | a letter that is a value in another case |
//! | `symbol-looks-like-value` | a variable symbol that is a value of another domain, or a number |
//! | `unused-symbol` | a variable symbol that occurs once in a rule or goal |
//! | `undeclared-name` | a name in a single rule, where rules share the names of their symbols |
//! | `symbol-in-two-domains` | one name at positions of two domains: two symbols |
//! | `unbound-symbol` | a symbol that only the right side has: the rule stands for several |
//! | `no-op-rule` | a rule that changes nothing |
//! | `duplicate-rule` | a rule that another equals |
//! | `no-inverse` | a rule that no other one undoes, where most rules are undone by one |
//! | `dead-rule` | a rule that can't be used in any state that has to do with a goal |
//! | `no-goal` | a game without a goal |
//! | `no-rules` | a game without rules |
//!
//! A habit that runs through the whole file isn't a mistake, so warnings about symbols are given at
//! the end, when the whole file is known. Findings of one cause become one warning with a count
//! ([`group`]).

mod inverse;
mod live;
mod names;
mod rules;
pub(crate) mod spelling;
pub(crate) mod symbols;
mod writer;

use std::collections::HashMap;

use psvn_syntax::Diagnostic;

pub use names::RuleTitles;
pub use rules::MAY_BE_MISSING;
pub use writer::RuleWriter;

use crate::game::Game;

/// The most findings that a grouped warning keeps.
const MOST_KEPT: usize = 50;
/// The most findings of a kind that keep their texts until they are grouped.
const MOST_UNTHINNED: usize = 1_000;

/// Kinds of findings that have one cause throughout a file.
const GROUPED_BY_CODE: &[&str] = &[
    "dead-rule",
    "duplicate-rule",
    "no-inverse",
    "no-op-rule",
    "unbound-symbol",
    "unused-symbol",
];

/// Kinds of findings that have one cause if their messages are equal.
const GROUPED_BY_MESSAGE: &[&str] = &[
    "symbol-in-two-domains",
    "symbol-looks-like-value",
    "symbol-near-value",
    "value-looks-like-symbol",
];

/// Warnings about the rules and goals of a game, in the order of the rules.
///
/// Takes practically linear time in the size of the game.
pub fn lint(game: &Game) -> Vec<Diagnostic> {
    rules::lint(game, "")
}

/// Like [`lint`] for a game that was read from text: proposed rules are spelled like those of the
/// text.
pub(crate) fn lint_text(game: &Game, text: &str) -> Vec<Diagnostic> {
    rules::lint(game, text)
}

/// Counts findings of each kind as they come. Those that [`group`] will only count then take little
/// memory: a game may have millions.
#[derive(Default)]
pub(crate) struct Thinner(HashMap<&'static str, usize, ahash::RandomState>);

impl Thinner {
    /// Remove the texts of a finding beyond the limit.
    pub(crate) fn thin(&mut self, finding: Diagnostic) -> Diagnostic {
        let count = self.0.entry(finding.code).or_insert(0);
        *count += 1;
        if *count <= MOST_UNTHINNED || finding.is_error() {
            return finding;
        }
        let place = finding.primary.as_ref().map(|label| label.span);
        Diagnostic::warning(finding.code, String::new()).at_maybe(place, String::new())
    }
}

/// Add the findings about whole rules, except those that a doubtful symbol explains: a misspelled
/// value matches anything, so no rule undoes its rule.
pub(crate) fn without_consequences(found: Vec<Diagnostic>, diagnostics: &mut Vec<Diagnostic>) {
    const DOUBTFUL: &[&str] = &[
        "symbol-looks-like-value",
        "symbol-near-value",
        "undeclared-name",
        "unused-symbol",
        "value-looks-like-symbol",
    ];
    let mut doubtful: Vec<usize> = diagnostics
        .iter()
        .filter(|diagnostic| DOUBTFUL.contains(&diagnostic.code))
        .filter_map(|diagnostic| Some(diagnostic.primary.as_ref()?.span.start))
        .collect();
    doubtful.sort_unstable();
    let is_explained = |diagnostic: &Diagnostic| {
        diagnostic.code == "no-inverse"
            && diagnostic.primary.as_ref().is_some_and(|rule| {
                let first = doubtful.partition_point(|start| *start < rule.span.start);
                doubtful
                    .get(first)
                    .is_some_and(|start| *start < rule.span.end)
            })
    };
    diagnostics.extend(found.into_iter().filter(|found| !is_explained(found)));
}

/// Merge warnings of one cause into the first one, in order of place, which counts the others
/// ([`Diagnostic::n_others`]). Errors are left alone.
pub fn group(diagnostics: &mut Vec<Diagnostic>) {
    let mut groups: HashMap<(&'static str, String), usize, ahash::RandomState> = HashMap::default();
    let mut kept: Vec<Diagnostic> = Vec::with_capacity(diagnostics.len());
    for diagnostic in diagnostics.drain(..) {
        let key = if diagnostic.is_error() {
            None
        } else if GROUPED_BY_CODE.contains(&diagnostic.code) {
            Some((diagnostic.code, String::new()))
        } else if GROUPED_BY_MESSAGE.contains(&diagnostic.code) {
            // A thinned finding has no text, and goes to the first group of its kind.
            groups
                .entry((diagnostic.code, String::new()))
                .or_insert(kept.len());
            Some((diagnostic.code, diagnostic.message.to_ascii_lowercase()))
        } else {
            None
        };
        match key.map(|key| *groups.entry(key).or_insert(kept.len())) {
            Some(place) if place < kept.len() => kept[place].stand_for(diagnostic, MOST_KEPT),
            _ => kept.push(diagnostic),
        }
    }
    *diagnostics = kept;
}
