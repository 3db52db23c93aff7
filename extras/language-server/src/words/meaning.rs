//! What the names of a text refer to: its domains, and those of its variables.

use std::collections::HashMap;

use psvn_ir::{Domain, Value};
use psvn_syntax::Span;
use psvn_syntax::ast::File;

/// The index of a domain in [`Meaning::domains`].
pub(crate) type DomainIndex = usize;

/// A domain, declared or built in.
#[derive(Clone, Debug)]
pub(crate) struct NamedDomain {
    /// Its name as it was declared, or first used.
    pub(crate) name: String,
    /// The index of its declaration in the tree; `None` for a built-in domain.
    pub(crate) declaration: Option<usize>,
    /// Its values; `None` where the declaration is wrong, or the name belongs to no domain.
    pub(crate) domain: Option<Domain>,
}

impl NamedDomain {
    /// Return the value of that name.
    pub(crate) fn value(&self, name: &str) -> Option<Value> {
        self.domain.as_ref()?.lookup(name)
    }
}

/// The domains of a text, and which variable has which.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meaning {
    /// All domains: the declared ones, then those that only variables name.
    pub(crate) domains: Vec<NamedDomain>,
    /// For each variable its domain; empty where the number of variables is unclear.
    pub(crate) variables: Vec<DomainIndex>,
    by_name: HashMap<String, DomainIndex>,
}

impl Meaning {
    /// Find the domains of a text.
    pub(crate) fn of(file: &File) -> Self {
        let mut meaning = Self::default();
        for (number, declared) in file.domains.iter().enumerate() {
            let values = declared.values.iter().map(|value| value.text.as_str());
            let domain = NamedDomain {
                name: declared.name.text.clone(),
                declaration: Some(number),
                domain: Domain::new(&declared.name.text, values).ok(),
            };
            meaning.add(domain);
        }
        if let Some(variables) = &file.variables {
            meaning.variables = variables
                .domains
                .iter()
                .map(|name| meaning.domain(&name.text))
                .collect();
        }
        meaning
    }

    /// Add a domain; of two with one name, the first counts.
    fn add(&mut self, domain: NamedDomain) -> DomainIndex {
        let index = self.domains.len();
        let key = domain.name.to_ascii_lowercase();
        self.domains.push(domain);
        *self.by_name.entry(key).or_insert(index)
    }

    /// Return the domain of that name, in any case, and add it where it is built in or unknown.
    fn domain(&mut self, name: &str) -> DomainIndex {
        self.known(name).unwrap_or_else(|| {
            self.add(NamedDomain {
                name: name.to_owned(),
                declaration: None,
                domain: Domain::built_in(name).and_then(Result::ok),
            })
        })
    }

    /// Return the domain of that name, in any case.
    pub(crate) fn known(&self, name: &str) -> Option<DomainIndex> {
        self.by_name.get(&name.to_ascii_lowercase()).copied()
    }

    /// Return the domain of a variable.
    pub(crate) fn of_variable(&self, variable: usize) -> Option<&NamedDomain> {
        self.domains.get(*self.variables.get(variable)?)
    }

    /// Return the places where the variables of a domain are, from 0.
    pub(crate) fn variables_of(&self, domain: DomainIndex) -> Vec<usize> {
        let all = self.variables.iter().enumerate();
        all.filter(|(_, it)| **it == domain)
            .map(|(place, _)| place)
            .collect()
    }

    /// Return the place where a value is declared, unless its domain is built in.
    pub(crate) fn declaration_of(
        &self,
        file: &File,
        domain: DomainIndex,
        value: Value,
    ) -> Option<Span> {
        let declared = &file.domains[self.domains.get(domain)?.declaration?];
        Some(declared.values.get(value.index())?.span)
    }
}
