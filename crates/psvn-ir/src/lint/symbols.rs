//! Warnings about variable symbols.
//!
//! Any token that is no value of its position's domain is a variable symbol, so a misspelt value
//! silently becomes one. That is the most expensive trap of the language.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use ahash::RandomState;
use psvn_syntax::{Diagnostic, Span};

use crate::builder::GameBuilder;
use crate::ids::{DomainId, SymbolId};

/// One occurrence of a symbol.
pub(crate) struct SymbolUse {
    pub(crate) span: Span,
    pub(crate) starred: bool,
}

/// A variable symbol of a rule or goal.
pub(crate) struct Symbol {
    pub(crate) text: String,
    pub(crate) domain: DomainId,
    pub(crate) left: Vec<SymbolUse>,
    pub(crate) right: Vec<SymbolUse>,
}

impl Symbol {
    fn first_use(&self) -> Span {
        self.left
            .iter()
            .chain(&self.right)
            .next()
            .map(|a_use| a_use.span)
            .unwrap_or_default()
    }
}

/// Reports a symbol that was probably meant to be a value. Says whether it did.
fn lint_spelling(game: &GameBuilder, symbol: &Symbol, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let domain = &game.domains[symbol.domain.index()];
    let name = domain.name();
    if let Some(value) = game.near_value(&symbol.text, symbol.domain) {
        diagnostics.push(
            Diagnostic::warning(
                "symbol-near-value",
                format!(
                    "`{}` is a variable symbol, and looks like the value `{value}`",
                    symbol.text
                ),
            )
            .at(symbol.first_use(), format!("no value of domain `{name}`"))
            .hint(format!(
                "if `{value}` is meant, correct the spelling; as it is, it matches any value"
            )),
        );
        return true;
    }
    let is_number = symbol.text.bytes().all(|byte| byte.is_ascii_digit());
    let used = game.used_domains();
    let mut others = used.iter().filter(|other| **other != symbol.domain);
    let other = others.find(|other| game.domains[other.index()].lookup(&symbol.text).is_some());
    if !is_number && other.is_none() {
        return false;
    }
    let what = match other {
        Some(other) => format!("a value of domain `{}`", game.domains[other.index()].name()),
        None => "a number".to_owned(),
    };
    let values = domain.values();
    let listed = match values {
        [first, .., last] if values.len() > 8 => format!("`{first}` to `{last}`"),
        _ => format!("`{}`", values.join("`, `")),
    };
    diagnostics.push(
        Diagnostic::warning(
            "symbol-looks-like-value",
            format!("`{}` is {what}, but a variable symbol here", symbol.text),
        )
        .at(
            symbol.first_use(),
            format!("the values of this position's domain `{name}` are {listed}"),
        )
        .hint("check the position; a variable symbol matches any value"),
    );
    true
}

/// Reports what is odd about the symbols of a rule.
pub(crate) fn lint_rule(
    game: &GameBuilder,
    symbols: &[Symbol],
    unbound: &[SymbolId],
    instances: u128,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut first_of_name: HashMap<String, &Symbol, RandomState> = HashMap::default();
    let unbound: HashSet<SymbolId, RandomState> = unbound.iter().copied().collect();
    for (i, symbol) in symbols.iter().enumerate() {
        let misspelt = lint_spelling(game, symbol, diagnostics);
        let twin = match first_of_name.entry(symbol.text.to_ascii_lowercase()) {
            Entry::Occupied(first) => Some(*first.get()),
            Entry::Vacant(slot) => {
                slot.insert(symbol);
                None
            }
        };
        if let Some(twin) = twin {
            let name = |symbol: &Symbol| game.domains[symbol.domain.index()].name().to_owned();
            diagnostics.push(
                Diagnostic::warning(
                    "symbol-in-two-domains",
                    format!(
                        "`{}` stands at positions of two domains, so it is two symbols",
                        symbol.text
                    ),
                )
                .at(symbol.first_use(), format!("domain `{}`", name(symbol)))
                .also(twin.first_use(), format!("domain `{}`", name(twin)))
                .hint("values of different domains are never equal; use two names"),
            );
        }
        if misspelt || twin.is_some() {
            continue;
        }
        if unbound.contains(&SymbolId::from_index(i)) {
            let only_starred = symbol.left.iter().any(|a_use| a_use.starred);
            let hint = if only_starred {
                "a symbol with `*` on the left side is not bound by it"
            } else {
                "bind it on the left side, unless any value is meant to be possible"
            };
            let place = symbol
                .right
                .first()
                .map_or_else(|| symbol.first_use(), |first| first.span);
            diagnostics.push(
                Diagnostic::warning(
                    "unbound-symbol",
                    format!(
                        "`{}` has no value on the left side: the rule is non-deterministic",
                        symbol.text
                    ),
                )
                .at(place, format!("the rule stands for {instances} rules"))
                .hint(hint),
            );
        } else if let ([single], []) = (symbol.left.as_slice(), symbol.right.as_slice())
            && !single.starred
        {
            diagnostics.push(
                Diagnostic::warning(
                    "unused-symbol",
                    format!(
                        "`{}` occurs once in this rule, and the value there is lost",
                        symbol.text
                    ),
                )
                .at(single.span, "matches any value")
                .hint("write `-` where the old value doesn't matter; check the spelling otherwise"),
            );
        }
    }
}

/// Reports what is odd about the symbols of a goal.
pub(crate) fn lint_goal(game: &GameBuilder, symbols: &[Symbol], diagnostics: &mut Vec<Diagnostic>) {
    for symbol in symbols {
        if let Some(rest) = symbol.text.strip_prefix('*') {
            diagnostics.push(
                Diagnostic::warning(
                    "symbol-looks-like-value",
                    format!("`{}` is an ordinary variable symbol in a goal", symbol.text),
                )
                .at(symbol.first_use(), "matches any value")
                .hint(format!("`*` means nothing in a goal; write `{rest}`")),
            );
        } else {
            lint_spelling(game, symbol, diagnostics);
        }
    }
}
