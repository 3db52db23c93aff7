//! Warnings about variable symbols.
//!
//! A token that isn't a value of its position's domain is a variable symbol, so a misspelled value
//! silently becomes one. No other trap of the language costs more.
//!
//! Which symbols are suspicious depends on the file. `RD` beside the value `RED` is a mistake if
//! rules test for values, but a good name for a sticker if rules only move values around.

use std::collections::HashMap;

use ahash::RandomState;
use psvn_syntax::{Diagnostic, Span};

use super::Thinner;
use super::spelling::{LetterValues, SpellingLint};
use crate::ids::{DomainId, SymbolId};
use crate::shared::near::look_alike;
use crate::source::builder::GameBuilder;
use crate::source::cell::{Cell, CellKind, SourceRule};

/// An oddity in at least this number of rules is a habit.
const HABIT: usize = 3;
/// If at least this number of symbols occur once in a goal, they mean "anything".
const HABIT_IN_GOAL: usize = 3;

/// With at least this number of rules, a name that only one of them has stands out.
const FEWEST_RULES: usize = 8;
/// The most names that are counted. A game with more gives the symbols of each rule their own.
const MOST_NAMES: usize = 1_000;

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

    /// Whether the rule carries the symbol's value from one side to the other, so that the symbol
    /// is only a name.
    fn carries(&self) -> bool {
        !self.left.is_empty() && !self.right.is_empty()
    }
}

/// The word that a symbol was probably meant to be.
#[derive(Clone)]
enum Likeness {
    /// The value that it looks like.
    Near(String),
    /// Another explanation.
    Other(String),
}

/// A warning that only holds if rules test for or write values of a domain.
struct Doubt {
    domain: DomainId,
    warning: Diagnostic,
}

/// A name of symbols in rules.
struct Name {
    n_rules: usize,
    domain: DomainId,
    /// The warning if no other rule has it; `None` for letters.
    warning: Option<Diagnostic>,
}

/// Collects suspicious symbols of rules and goals, and judges them by the whole file.
#[derive(Default)]
pub(crate) struct SymbolLint {
    n_rules: usize,
    /// For each domain, whether a rule names one of its values.
    names_value: Vec<bool>,
    spelling: SpellingLint,
    likenesses: HashMap<(String, DomainId), Option<Likeness>, RandomState>,
    certain: Vec<Diagnostic>,
    doubts: Vec<Doubt>,
    /// Names of symbols that carry values and look like nothing else, in lower case.
    names: HashMap<String, Name, RandomState>,
    /// Symbols that occur once, where the right side has `-`; below, the number of rules with some.
    kept: Vec<Diagnostic>,
    n_rules_kept: usize,
    /// Symbols that occur once, where the right side has another entry; below, the number of rules
    /// with some.
    lost: Vec<Diagnostic>,
    n_rules_lost: usize,
    /// One for each list that may be dropped as a whole; otherwise the rest might have no text.
    thin_certain: Thinner,
    thin_doubts: HashMap<DomainId, Thinner, RandomState>,
    thin_kept: Thinner,
    thin_lost: Thinner,
}

impl SymbolLint {
    /// Note the symbols of a rule.
    pub(crate) fn rule(
        &mut self,
        game: &GameBuilder,
        rule: &SourceRule,
        symbols: &[Symbol],
        unbound: &[SymbolId],
        instances: u128,
    ) {
        self.n_rules += 1;
        self.names_value.resize(game.domains.len(), false);
        for cells in [&rule.lhs, &rule.rhs] {
            for (cell, domain) in cells.iter().zip(&game.variables) {
                if matches!(cell.kind, CellKind::Constant(_)) {
                    self.names_value[domain.index()] = true;
                }
            }
        }
        let mut is_unbound = vec![false; symbols.len()];
        for symbol in unbound {
            is_unbound[symbol.index()] = true;
        }
        let keeps = kept_positions(rule, symbols.len());
        let mut twins: HashMap<String, usize, RandomState> = HashMap::default();
        let (n_kept, n_lost) = (self.kept.len(), self.lost.len());
        for (i, symbol) in symbols.iter().enumerate() {
            let misspelled = self.spelling(game, symbol);
            let twin = *twins.entry(symbol.text.to_ascii_lowercase()).or_insert(i);
            if twin != i {
                let finding = two_domains(game, symbol, &symbols[twin]);
                self.certain.push(self.thin_certain.thin(finding));
            }
            if misspelled || twin != i {
                continue;
            }
            self.note_name(game, symbol);
            if is_unbound[i] {
                let finding = unbound_symbol(symbol, instances);
                self.certain.push(self.thin_certain.thin(finding));
            } else if let ([single], []) = (symbol.left.as_slice(), symbol.right.as_slice())
                && !single.starred
            {
                let finding = lone_symbol(symbol, single.span, keeps[i]);
                if keeps[i] {
                    self.kept.push(self.thin_kept.thin(finding));
                } else {
                    self.lost.push(self.thin_lost.thin(finding));
                }
            }
        }
        self.n_rules_kept += usize::from(self.kept.len() > n_kept);
        self.n_rules_lost += usize::from(self.lost.len() > n_lost);
    }

    /// Count a rule that has the name of a symbol.
    fn note_name(&mut self, game: &GameBuilder, symbol: &Symbol) {
        if self.names.len() > MOST_NAMES {
            return;
        }
        let name = self.names.entry(symbol.text.to_ascii_lowercase());
        name.or_insert_with(|| {
            let is_letter = symbol.text.chars().nth(1).is_none();
            Name {
                n_rules: 0,
                domain: symbol.domain,
                warning: (!is_letter).then(|| undeclared(game, symbol)),
            }
        })
        .n_rules += 1;
    }

    /// The warning about a name that only one rule has, where all others are used again and again:
    /// probably a value that was never declared.
    fn undeclared_name(&self) -> Option<Diagnostic> {
        let mut lone = self.names.values().filter(|name| name.n_rules == 1);
        let name = lone.next()?;
        let is_odd = lone.next().is_none()
            && (2..=MOST_NAMES).contains(&self.names.len())
            && self.n_rules >= FEWEST_RULES
            && self.names_value[name.domain.index()];
        name.warning.clone().filter(|_| is_odd)
    }

    /// Note the symbols of a goal.
    pub(crate) fn goal(&mut self, game: &GameBuilder, cells: &[Cell], symbols: &[Symbol]) {
        let lone = |symbol: &&Symbol| symbol.left.len() == 1;
        let is_habit = symbols.iter().filter(lone).count() >= HABIT_IN_GOAL
            && !cells.iter().any(|cell| matches!(cell.kind, CellKind::Dash));
        for symbol in symbols {
            if let Some(rest) = symbol.text.strip_prefix('*') {
                self.certain.push(
                    Diagnostic::warning(
                        "symbol-looks-like-value",
                        format!("`{}` is an ordinary variable symbol in a goal", symbol.text),
                    )
                    .at(symbol.first_use(), "matches any value")
                    .hint(format!("`*` means nothing in a goal; write `{rest}`")),
                );
            } else if !self.spelling(game, symbol) && symbol.left.len() == 1 && !is_habit {
                self.certain.push(lone_in_goal(game, symbol));
            }
        }
    }

    /// Note how a rule spells values.
    pub(crate) fn values_of_rule(&mut self, game: &GameBuilder, letters: &LetterValues) {
        self.spelling.rule(game, letters);
    }

    /// Note how a goal spells values.
    pub(crate) fn values_of_goal(&mut self, letters: &LetterValues) {
        self.spelling.goal(letters);
    }

    /// Note a symbol that was probably meant to be a value. Returns whether it was one.
    fn spelling(&mut self, game: &GameBuilder, symbol: &Symbol) -> bool {
        let key = (symbol.text.to_ascii_lowercase(), symbol.domain);
        let found = match self.likenesses.get(&key) {
            Some(found) => found.clone(),
            None => {
                let found = likeness(game, symbol);
                self.likenesses.insert(key, found.clone());
                found
            }
        };
        let domain = &game.domains[symbol.domain.index()];
        let padded = unpadded(&symbol.text).and_then(|number| domain.lookup(number));
        let found = match padded {
            Some(value) => Some(Likeness::Near(domain.value_name(value).to_owned())),
            None => found,
        };
        // A letter that looks like a digit is a fine name for a moved value.
        let found = found.or_else(|| {
            let is_lone = symbol.left.len() + symbol.right.len() == 1;
            let value = look_alike(&symbol.text, |text| domain.lookup(text)).filter(|_| is_lone)?;
            Some(Likeness::Near(domain.value_name(value).to_owned()))
        });
        let Some(found) = found else {
            return false;
        };
        let name = domain.name();
        let warning = match found {
            Likeness::Near(value) => Diagnostic::warning(
                "symbol-near-value",
                format!(
                    "`{}` is a variable symbol, and looks like the value `{value}`",
                    symbol.text
                ),
            )
            .at(
                symbol.first_use(),
                format!("not a value of domain `{name}`"),
            )
            .hint(format!(
                "if `{value}` is meant, correct the spelling; the symbol matches any value"
            )),
            Likeness::Other(what) => {
                let values = domain.values();
                let listed = match values {
                    [first, .., last] if values.len() > 8 => format!("`{first}` to `{last}`"),
                    _ => format!("`{}`", values.join("`, `")),
                };
                Diagnostic::warning(
                    "symbol-looks-like-value",
                    format!(
                        "`{}` is {what}, but here it is a variable symbol",
                        symbol.text
                    ),
                )
                .at(
                    symbol.first_use(),
                    format!("the values of this position's domain `{name}` are {listed}"),
                )
                .hint("check the position; a variable symbol matches any value")
            }
        };
        // Nobody calls a value that is moved by a number with zeros before it.
        if symbol.carries() && padded.is_none() {
            let thinner = self.thin_doubts.entry(symbol.domain).or_default();
            self.doubts.push(Doubt {
                domain: symbol.domain,
                warning: thinner.thin(warning),
            });
        } else {
            self.certain.push(self.thin_certain.thin(warning));
        }
        true
    }

    /// The warnings.
    pub(crate) fn finish(self, diagnostics: &mut Vec<Diagnostic>) {
        let undeclared = self.undeclared_name();
        let Self {
            n_rules,
            names_value,
            spelling,
            mut certain,
            doubts,
            mut kept,
            n_rules_kept,
            mut lost,
            n_rules_lost,
            ..
        } = self;
        spelling.finish(diagnostics);
        diagnostics.append(&mut certain);
        diagnostics.extend(undeclared);
        // If no rule names a value, rules have only symbols to describe values.
        let founded = doubts
            .into_iter()
            .filter(|doubt| names_value[doubt.domain.index()]);
        diagnostics.extend(founded.map(|doubt| doubt.warning));
        if n_rules_kept < HABIT && n_rules_kept * 2 < n_rules.max(2) {
            diagnostics.append(&mut kept);
        }
        if n_rules_lost < HABIT || n_rules_lost * 2 < n_rules {
            diagnostics.append(&mut lost);
        }
    }
}

/// For each symbol, whether the right side has `-` at the last position where the left side has it.
fn kept_positions(rule: &SourceRule, n_symbols: usize) -> Vec<bool> {
    let mut keeps = vec![false; n_symbols];
    for (before, after) in rule.lhs.iter().zip(&rule.rhs) {
        if let CellKind::Symbol(symbol) = before.kind {
            keeps[symbol.index()] = matches!(after.kind, CellKind::Dash);
        }
    }
    keeps
}

/// The number without the zeros before it, if there are some.
fn unpadded(text: &str) -> Option<&str> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let digits = text.trim_start_matches('0');
    let number = if digits.is_empty() { "0" } else { digits };
    (is_number && number.len() < text.len()).then_some(number)
}

/// What a symbol looks like, if it may be no symbol.
fn likeness(game: &GameBuilder, symbol: &Symbol) -> Option<Likeness> {
    if let Some(value) = game.near_value(&symbol.text, symbol.domain) {
        return Some(Likeness::Near(value.to_owned()));
    }
    let used = game.used_domains();
    let mut others = used.iter().filter(|other| **other != symbol.domain);
    let other = others.find(|other| game.domains[other.index()].lookup(&symbol.text).is_some());
    if let Some(other) = other {
        let name = game.domains[other.index()].name();
        return Some(Likeness::Other(format!("a value of domain `{name}`")));
    }
    let is_number = symbol.text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| Likeness::Other("a number".to_owned()))
}

fn undeclared(game: &GameBuilder, symbol: &Symbol) -> Diagnostic {
    let domain = &game.domains[symbol.domain.index()];
    let text = symbol.text.to_ascii_lowercase();
    let mut meant = domain.values().iter().filter(|value| {
        let value = value.to_ascii_lowercase();
        text.starts_with(&value) || value.starts_with(&text)
    });
    let hint = match (meant.next(), meant.next()) {
        (Some(value), None) => format!("if the value `{value}` is meant, write `{value}`"),
        _ => "if a value is meant, write it as it is declared".to_owned(),
    };
    Diagnostic::warning(
        "undeclared-name",
        format!(
            "`{}` was never declared, so it is a variable symbol and matches any value",
            symbol.text
        ),
    )
    .at(
        symbol.first_use(),
        format!(
            "not a value of domain `{}`, and in no other rule",
            domain.name()
        ),
    )
    .hint(hint)
}

fn two_domains(game: &GameBuilder, symbol: &Symbol, twin: &Symbol) -> Diagnostic {
    let name = |symbol: &Symbol| game.domains[symbol.domain.index()].name().to_owned();
    Diagnostic::warning(
        "symbol-in-two-domains",
        format!(
            "`{}` is used at positions of two domains, so it is two symbols",
            symbol.text
        ),
    )
    .at(symbol.first_use(), format!("domain `{}`", name(symbol)))
    .also(twin.first_use(), format!("domain `{}`", name(twin)))
    .hint("values of different domains are never equal; use two names")
}

fn unbound_symbol(symbol: &Symbol, instances: u128) -> Diagnostic {
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
    Diagnostic::warning(
        "unbound-symbol",
        format!(
            "`{}` has no value on the left side: the rule is non-deterministic",
            symbol.text
        ),
    )
    .at(place, format!("the rule expands to {instances} rules"))
    .hint(hint)
}

fn lone_symbol(symbol: &Symbol, span: Span, keeps: bool) -> Diagnostic {
    let text = &symbol.text;
    let (message, hint) = if keeps {
        (
            format!("`{text}` occurs once in this rule, and so tests nothing"),
            "write `-` where the value doesn't matter; check the spelling otherwise",
        )
    } else {
        (
            format!("`{text}` occurs once in this rule, and the value there is lost"),
            "write `-` where the old value doesn't matter; check the spelling otherwise",
        )
    };
    Diagnostic::warning("unused-symbol", message)
        .at(span, "matches any value")
        .hint(hint)
}

fn lone_in_goal(game: &GameBuilder, symbol: &Symbol) -> Diagnostic {
    let text = &symbol.text;
    let domain = &game.domains[symbol.domain.index()];
    let hint = if text.contains(['#', ';']) {
        "a comment begins with `#` or `;` at the start of a word".to_owned()
    } else {
        "write `-` where the value doesn't matter; check the spelling otherwise".to_owned()
    };
    Diagnostic::warning(
        "unused-symbol",
        format!("`{text}` occurs once in this goal, and so tests nothing"),
    )
    .at(
        symbol.first_use(),
        format!(
            "not a value of domain `{}`, so it matches any",
            domain.name()
        ),
    )
    .hint(hint)
}
