//! The words that the syntax tree names.

use std::collections::HashMap;

use psvn_syntax::Span;
use psvn_syntax::ast::{
    AbstractionDecl, Cell, DomainMapping, File, GoalDecl, Item, Name, Number, RuleDecl,
};

use super::meaning::{DomainIndex, Meaning};
use super::{Entity, Role, Word};

/// The labels of a text.
#[derive(Debug, Default)]
pub(super) struct Labels {
    /// In lower case, by index.
    pub(super) names: Vec<String>,
    indices: HashMap<String, usize>,
}

impl Labels {
    fn index(&mut self, name: &str) -> usize {
        let key = name.to_ascii_lowercase();
        let next = self.names.len();
        *self.indices.entry(key).or_insert_with_key(|key| {
            self.names.push(key.clone());
            next
        })
    }

    /// Return the index of a label that some rule has.
    pub(super) fn known(&self, name: &str) -> Option<usize> {
        self.indices.get(&name.to_ascii_lowercase()).copied()
    }
}

/// The variable symbols of one rule or goal, by name in lower case and domain.
type Symbols = HashMap<(String, DomainIndex), usize>;

/// Collects words.
pub(super) struct Collector<'m> {
    pub(super) meaning: &'m Meaning,
    pub(super) found: Vec<Word>,
    pub(super) labels: Labels,
}

impl<'m> Collector<'m> {
    pub(super) fn new(meaning: &'m Meaning) -> Self {
        Self {
            meaning,
            found: Vec::new(),
            labels: Labels::default(),
        }
    }

    /// Collect the words of a whole text.
    pub(super) fn file(&mut self, file: &File) {
        for declared in &file.domains {
            self.number(&declared.size);
            let index = self.meaning.known(&declared.name.text);
            self.name(
                &declared.name,
                Role::Domain,
                index.map(Entity::Domain),
                true,
            );
            for value in &declared.values {
                let entity = index.and_then(|index| self.value(index, &value.text));
                self.name(value, Role::Value, entity, true);
            }
        }
        if let Some(variables) = &file.variables {
            self.number(&variables.count);
            for (variable, name) in variables.domains.iter().enumerate() {
                let index = self.meaning.known(&name.text);
                self.name(name, Role::Domain, index.map(Entity::Domain), false);
                self.last(|word| word.variable = Some(variable));
            }
        }
        for (number, item) in file.items.iter().enumerate() {
            let before = self.found.len();
            match item {
                Item::Rule(rule) => self.rule(rule, number),
                Item::Goal(goal) => self.goal(goal, number),
                Item::Abstraction(block) => self.block(block),
            }
            for word in &mut self.found[before..] {
                word.item = Some(number);
            }
        }
    }

    fn rule(&mut self, rule: &RuleDecl, number: usize) {
        let mut symbols = Symbols::new();
        self.cells(&rule.lhs, number, &mut symbols);
        self.found.push(Word::plain(rule.arrow, Role::Arrow));
        self.cells(&rule.rhs, number, &mut symbols);
        if let Some(label) = &rule.label {
            let index = self.labels.index(&label.text);
            self.name(label, Role::Label, Some(Entity::Label(index)), true);
        }
        if let Some(cost) = &rule.cost {
            self.number(cost);
        }
    }

    fn goal(&mut self, goal: &GoalDecl, number: usize) {
        self.cells(&goal.cells, number, &mut Symbols::new());
    }

    /// Collect the cells of a side. Symbols are scoped by rule and domain, and begin on the left.
    fn cells(&mut self, cells: &[Cell], item: usize, symbols: &mut Symbols) {
        for (variable, cell) in cells.iter().enumerate() {
            let span = Span::new(cell.span.start + usize::from(cell.starred), cell.span.end);
            let n_symbols = symbols.len();
            let (role, entity) = self.cell(variable, &cell.text, item, symbols);
            self.found.push(Word {
                entity,
                is_declaration: symbols.len() > n_symbols,
                variable: Some(variable),
                ..Word::plain(span, role)
            });
        }
    }

    fn cell(
        &self,
        variable: usize,
        text: &str,
        item: usize,
        symbols: &mut Symbols,
    ) -> (Role, Option<Entity>) {
        let Some(index) = self.meaning.variables.get(variable).copied() else {
            return (Role::Other, None);
        };
        if let Some(value) = self.value(index, text) {
            return (Role::Value, Some(value));
        }
        if text == "-" {
            return (Role::Dash, None);
        }
        if self.meaning.domains[index].domain.is_none() {
            return (Role::Other, None);
        }
        let next = symbols.len();
        let key = (text.to_ascii_lowercase(), index);
        let symbol = *symbols.entry(key).or_insert(next);
        (Role::Symbol, Some(Entity::Symbol(item, symbol)))
    }

    fn block(&mut self, block: &AbstractionDecl) {
        for mapping in &block.mappings {
            self.mapping(mapping);
        }
        let letters = block.projection.iter().flat_map(|it| &it.keep);
        let letters: Vec<Span> = letters.map(|(_, span)| *span).collect();
        let pieces = block.pieces.iter().flat_map(|it| &it.letters);
        let letters = letters.into_iter().chain(pieces.map(|letter| letter.span));
        for (variable, span) in letters.enumerate() {
            let variable = variable % self.meaning.variables.len().max(1);
            self.found.push(Word {
                variable: Some(variable),
                ..Word::plain(span, Role::Letter)
            });
        }
    }

    fn mapping(&mut self, mapping: &DomainMapping) {
        let index = self.meaning.known(&mapping.domain.text);
        self.name(
            &mapping.domain,
            Role::Domain,
            index.map(Entity::Domain),
            false,
        );
        for value in &mapping.values {
            let entity = index.and_then(|index| self.value(index, &value.text));
            self.name(value, Role::Value, entity, false);
        }
    }

    /// The value of that name, if there is one.
    pub(super) fn value(&self, index: DomainIndex, text: &str) -> Option<Entity> {
        let value = self.meaning.domains.get(index)?.value(text)?;
        Some(Entity::Value(index, value))
    }

    fn number(&mut self, number: &Number) {
        self.found.push(Word::plain(number.span, Role::Number));
    }

    fn name(&mut self, name: &Name, role: Role, entity: Option<Entity>, is_declaration: bool) {
        self.found.push(Word {
            entity,
            is_declaration: is_declaration && entity.is_some(),
            ..Word::plain(name.span, role)
        });
    }

    fn last(&mut self, change: impl FnOnce(&mut Word)) {
        if let Some(word) = self.found.last_mut() {
            change(word);
        }
    }
}
