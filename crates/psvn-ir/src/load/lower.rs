//! From the syntax tree to a game: resolves names, and reports those that can't be resolved.

use std::collections::HashMap;
use std::sync::Arc;

use budget::{format_bytes, group_digits};
use psvn_syntax::ast::{self, Item};
use psvn_syntax::{Diagnostic, Span};

use crate::game::Game;
use crate::game::domain::{Domain, DomainError, MAX_DOMAIN_SIZE};
use crate::ids::{DomainId, SymbolId};
use crate::lint::spelling::LetterValues;
use crate::lint::symbols::{Symbol, SymbolLint, SymbolUse};
use crate::shared::near::near_miss;
use crate::source::builder::{BuildError, GameBuilder};
use crate::source::cell::{Cell, CellKind, SourceRule};
use crate::source::expand::{n_instances, unbound_symbols};
use crate::source::limits::{LoadLimits, LoadStop, RULES_BETWEEN_CHECKS, bytes_of_rules};

/// Resolve a syntax tree. There is no game when there were errors, or when a limit was reached.
pub(crate) fn lower(
    file: ast::File,
    limits: &LoadLimits<'_>,
    symbol_lint: Option<&mut SymbolLint>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Option<Game>, LoadStop> {
    let n_errors = |diagnostics: &[Diagnostic]| diagnostics.iter().filter(|d| d.is_error()).count();
    let errors_before = n_errors(diagnostics);
    let mut lowering = Lowering {
        builder: GameBuilder::new(),
        domain_ids: HashMap::default(),
        limits,
        n_instances: 0,
        bytes: 0,
        too_large: None,
        symbol_lint,
        diagnostics,
    };
    lowering.builder.rule_limit(limits.rules);
    for domain in &file.domains {
        lowering.domain(domain);
    }
    let Some(variables) = &file.variables else {
        return Ok(None);
    };
    lowering.variables(variables);
    // Each item is dropped when it is done, so that tree and game don't both fill memory.
    for (number, item) in file.items.into_iter().enumerate() {
        if number % RULES_BETWEEN_CHECKS == 0 && (limits.stop)() {
            return Err(LoadStop::Requested);
        }
        match item {
            Item::Rule(rule) => lowering.rule(&rule),
            Item::Goal(goal) => lowering.goal(&goal),
            // Abstractions don't change the game.
            Item::Abstraction(_) => {}
        }
    }
    let n_errors = n_errors(lowering.diagnostics) - errors_before;
    if let Some(stop) = lowering.too_large.filter(|_| n_errors == 1) {
        return Err(stop);
    }
    if n_errors > 0 {
        return Ok(None);
    }
    match lowering.builder.build_unless(limits.stop) {
        Ok(game) => Ok(Some(game)),
        Err(BuildError::Stopped) => Err(LoadStop::Requested),
        Err(error) => {
            diagnostics.push(Diagnostic::error("invalid-game", error.to_string()));
            Ok(None)
        }
    }
}

struct Lowering<'a> {
    builder: GameBuilder,
    /// Domains by lower-case name; `None` for a domain with an invalid declaration.
    domain_ids: HashMap<String, Option<DomainId>, ahash::RandomState>,
    limits: &'a LoadLimits<'a>,
    /// The number of rules so far, and the bytes that they will take.
    n_instances: u128,
    bytes: u128,
    /// The limit that was reported as reached.
    too_large: Option<LoadStop>,
    /// Finds suspicious symbols, if warnings are wanted.
    symbol_lint: Option<&'a mut SymbolLint>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Lowering<'_> {
    fn domain(&mut self, decl: &ast::DomainDecl) {
        let name = &decl.name;
        let key = name.text.to_ascii_lowercase();
        let mut refuse = |diagnostic: Diagnostic| self.diagnostics.push(diagnostic);
        if Domain::built_in(&name.text).is_some() {
            refuse(
                Diagnostic::error(
                    "reserved-domain-name",
                    format!("`{}` is a built-in domain", name.text),
                )
                .at(name.span, "can't be declared again")
                .hint("names like `4` and `4N` are reserved; give the domain a name with a letter"),
            );
        }
        // A declaration with fewer values than it states has been reported.
        let is_complete = decl.size.value == decl.values.len() as u64;
        if decl.values.len() < 2 && is_complete {
            refuse(
                Diagnostic::error(
                    "domain-too-small",
                    format!("domain `{}` has fewer than 2 values", name.text),
                )
                .at(decl.span, "declared here")
                .hint("a variable with only one value can be left out of the game"),
            );
        }
        for value in &decl.values {
            if value.text == "-" || value.text.starts_with('*') {
                refuse(
                    Diagnostic::error("unusable-value", format!("`{}` can't be a value", value.text))
                        .at(value.span, "means something else in rules")
                        .hint("`-` stands for an untouched position, and `*` before a word means \"not tested\""),
                );
            }
        }
        if let Some(Some(first)) = self.domain_ids.get(&key) {
            let first = self.builder.domains[first.index()].name().to_owned();
            refuse(
                Diagnostic::error(
                    "duplicate-domain",
                    format!("domain `{}` is declared twice", name.text),
                )
                .at(
                    name.span,
                    format!("the second declaration; the first is `{first}`"),
                )
                .hint("names are compared without regard to case"),
            );
            return;
        }
        let id = match Domain::new(
            &name.text,
            decl.values.iter().map(|value| value.text.as_str()),
        ) {
            Ok(domain) => Some(self.builder.domain(domain)),
            Err(error @ DomainError::DuplicateValue { first, second, .. }) => {
                refuse(
                    Diagnostic::error("duplicate-value", error.to_string())
                        .at(decl.values[second].span, "the second one")
                        .also(decl.values[first].span, "the first one")
                        .hint("values are compared without regard to case"),
                );
                None
            }
            Err(DomainError::Size { .. }) => {
                if !decl.values.is_empty() {
                    refuse(domain_size_error(&name.text, name.span));
                }
                None
            }
        };
        self.domain_ids.insert(key, id);
    }

    fn variables(&mut self, decl: &ast::VariablesDecl) {
        let mut unknown: HashMap<String, usize, ahash::RandomState> = HashMap::default();
        for name in &decl.domains {
            let key = name.text.to_ascii_lowercase();
            let known = match self.domain_ids.get(&key).copied() {
                Some(known) => known,
                None if !self.has_room_for_domain(name) => None,
                None => {
                    let id = match Domain::built_in(&name.text) {
                        Some(Ok(domain)) => Some(self.builder.domain(domain)),
                        Some(Err(_)) => {
                            self.diagnostics
                                .push(domain_size_error(&name.text, name.span));
                            None
                        }
                        None => {
                            unknown.insert(key.clone(), self.diagnostics.len());
                            let declared = self.builder.domains.iter().map(Domain::name);
                            let hint = match near_miss(&name.text, declared) {
                                Some(near) => format!("did you mean `{near}`?"),
                                None => {
                                    "declare it before the number of variables, or use a built-in \
                                         domain such as `4` (0 to 3) or `4N` (1 to 4)"
                                        .to_owned()
                                }
                            };
                            self.diagnostics.push(
                                Diagnostic::error(
                                    "unknown-domain",
                                    format!("there is no domain `{}`", name.text),
                                )
                                .at(name.span, "not declared")
                                .hint(hint),
                            );
                            None
                        }
                    };
                    self.domain_ids.insert(key, id);
                    id
                }
            };
            // A placeholder keeps the positions of the others right; the game is rejected anyway.
            self.builder.variable(known.unwrap_or(DomainId(u32::MAX)));
        }
    }

    /// Count the bytes of a built-in domain before it is made, and report if it doesn't fit.
    fn has_room_for_domain(&mut self, name: &ast::Name) -> bool {
        let Some(bytes) = Domain::bytes_of_built_in(&name.text) else {
            return true;
        };
        let with = self.bytes.saturating_add(bytes);
        if with <= self.limits.memory as u128 {
            self.bytes = with;
            return true;
        }
        if self.too_large.is_none() {
            self.too_large = Some(LoadStop::Size);
            let message = format!(
                "with domain `{}` the game needs about {}, and the limit is {}",
                name.text,
                format_bytes(with),
                format_bytes(self.limits.memory as u128)
            );
            self.diagnostics.push(
                Diagnostic::error("too-many-values", message)
                    .at(name.span, "the first domain too many"),
            );
        }
        false
    }

    /// Whether all variables have domains, so that cells can be resolved.
    fn is_sound(&self) -> bool {
        self.builder
            .variables
            .iter()
            .all(|domain| domain.index() < self.builder.domains.len())
    }

    fn rule(&mut self, decl: &ast::RuleDecl) {
        let n = self.builder.variables.len();
        if decl.lhs.len() != n || decl.rhs.len() != n || !self.is_sound() {
            return; // reported by the parser, or about the domains
        }
        let mut symbols = Symbols::default();
        let lhs = self.cells(&decl.lhs, &mut symbols, Side::Left);
        let rhs = self.cells(&decl.rhs, &mut symbols, Side::Right);
        let label = match &decl.label {
            Some(name) => Arc::from(name.text.as_str()),
            None => self.builder.default_label(),
        };
        let cost = decl.cost.as_ref().map_or(1, |cost| cost.value);
        let rule = SourceRule {
            label,
            lhs: lhs.into(),
            rhs: rhs.into(),
            cost,
            span: Some(decl.span),
        };
        let size = |var: crate::VarId| {
            self.builder.domains[self.builder.variables[var.index()].index()].size()
        };
        let unbound = unbound_symbols(&rule, size);
        let instances = n_instances(&unbound);
        self.count(&rule, decl, instances);
        if let Some(lint) = &mut self.symbol_lint {
            let unbound: Vec<SymbolId> = unbound.into_iter().map(|(symbol, _)| symbol).collect();
            lint.rule(&self.builder, &rule, &symbols.list, &unbound, instances);
            lint.values_of_rule(&self.builder, &symbols.letters);
        }
        self.builder.rules.push(rule);
    }

    /// Count the rules that a source rule stands for, before they are made, and report the first
    /// source rule that exceeds the limits.
    fn count(&mut self, rule: &SourceRule, decl: &ast::RuleDecl, instances: u128) {
        self.n_instances = self.n_instances.saturating_add(instances);
        let bytes = bytes_of_rules(self.builder.variables.len(), instances);
        self.bytes = self.bytes.saturating_add(bytes);
        let most = self.limits.rules as u128;
        let (problem, stop) = if self.n_instances > most {
            let rules = group_digits(self.n_instances);
            let problem = format!(
                "the game has {rules} rules, and the limit is {}",
                group_digits(most)
            );
            (problem, LoadStop::Rules)
        } else if self.bytes > self.limits.memory as u128 {
            let problem = format!(
                "the rules need about {}, and the limit is {}",
                format_bytes(self.bytes),
                format_bytes(self.limits.memory as u128)
            );
            (problem, LoadStop::Size)
        } else {
            return;
        };
        if self.too_large.is_some() {
            return;
        }
        self.too_large = Some(stop);
        let many = group_digits(instances);
        let error = if instances > 1 {
            let message = format!(
                "rule `{}` expands to {many} rules: with it {problem}",
                rule.label
            );
            Diagnostic::error("too-many-rules", message)
                .at(decl.span, format!("expands to {many} rules"))
                .hint(
                    "each symbol that occurs on the right side only multiplies the rule by the size \
                     of its domain",
                )
        } else {
            let message = format!("with rule `{}` {problem}", rule.label);
            Diagnostic::error("too-many-rules", message).at(decl.span, "the first one too many")
        };
        self.diagnostics.push(error);
    }

    fn goal(&mut self, decl: &ast::GoalDecl) {
        if decl.cells.len() != self.builder.variables.len() || !self.is_sound() {
            return;
        }
        let mut symbols = Symbols::default();
        let cells = self.cells(&decl.cells, &mut symbols, Side::Left);
        if let Some(lint) = &mut self.symbol_lint {
            lint.goal(&self.builder, &cells, &symbols.list);
            lint.values_of_goal(&symbols.letters);
        }
        self.builder.goals.push((cells, Some(decl.span)));
    }

    fn cells(&self, cells: &[ast::Cell], symbols: &mut Symbols, side: Side) -> Vec<Cell> {
        let resolve = |(cell, domain_id): (&ast::Cell, &DomainId)| {
            let domain = &self.builder.domains[domain_id.index()];
            let kind = match domain.lookup(&cell.text) {
                Some(value) => {
                    if self.symbol_lint.is_some() {
                        let letters = &mut symbols.letters;
                        letters.note(&self.builder, (*domain_id, value), &cell.text, cell.span);
                    }
                    CellKind::Constant(value)
                }
                None if cell.text == "-" => CellKind::Dash,
                None => CellKind::Symbol(symbols.note(cell, *domain_id, side)),
            };
            let plain = Cell {
                kind,
                starred: false,
            };
            if cell.starred { plain.starred() } else { plain }
        };
        cells
            .iter()
            .zip(&self.builder.variables)
            .map(resolve)
            .collect()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// The variable symbols of one rule or goal, by name and domain; and the values that are letters.
#[derive(Default)]
struct Symbols {
    letters: LetterValues,
    ids: HashMap<(String, DomainId), SymbolId, ahash::RandomState>,
    list: Vec<Symbol>,
}

impl Symbols {
    fn note(&mut self, cell: &ast::Cell, domain: DomainId, side: Side) -> SymbolId {
        let fresh = SymbolId::from_index(self.list.len());
        let id = *self
            .ids
            .entry((cell.text.to_ascii_lowercase(), domain))
            .or_insert(fresh);
        if id == fresh {
            self.list.push(Symbol {
                text: cell.text.clone(),
                domain,
                left: Vec::new(),
                right: Vec::new(),
            });
        }
        let symbol = &mut self.list[id.index()];
        let uses = if side == Side::Left {
            &mut symbol.left
        } else {
            &mut symbol.right
        };
        uses.push(SymbolUse {
            span: cell.span,
            starred: cell.starred,
        });
        id
    }
}

fn domain_size_error(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "domain-size",
        format!("domain `{name}` can't have that many values"),
    )
    .at(span, format!("1 to {MAX_DOMAIN_SIZE} values are possible"))
}
