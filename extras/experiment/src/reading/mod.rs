//! Reading specifications: all mistakes of a text in one pass, each with its place.
//!
//! What is wrong is left out, and the rest is examined further, up to the games and the options of
//! methods, which only a [`Runner`] knows.

pub(crate) mod names;
mod schema;
mod tables;

use std::collections::BTreeSet;
use std::ops::Range;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use self::schema::SPEC;
use self::tables::Tables;
use crate::run::{Plan, Runner};
use crate::spec::{Limits, Spec, SpecError, SpecErrors};
use crate::wrong::{Step, Wrong, way};

/// A specification as far as it can be understood, with the mistakes that its text alone shows.
pub struct Reading<'t> {
    spec: Spec,
    table: DeTable<'t>,
    errors: Vec<SpecError>,
}

impl Spec {
    /// Read an experiment from TOML.
    ///
    /// # Errors
    /// All mistakes that the text shows, with their places: text that isn't TOML, unknown keys or
    /// invalid values, names that don't exist.
    pub fn parse(text: &str) -> Result<Self, SpecErrors> {
        Reading::of(text)?.spec()
    }
}

impl<'t> Reading<'t> {
    /// Read a specification.
    ///
    /// # Errors
    /// The text isn't TOML.
    pub fn of(text: &'t str) -> Result<Self, SpecErrors> {
        let (table, errors) = DeTable::parse_recoverable(text);
        if !errors.is_empty() {
            let errors = errors.into_iter().map(SpecError::from);
            return Err(SpecErrors(errors.collect()));
        }
        let whole = table.span();
        let mut tables = Tables::default();
        // A table that is missing has no place.
        let first_line = whole.start..text.lines().next().map_or(0, str::len);
        let table = tables.check(table.into_inner(), first_line, SPEC);
        let mut errors = tables.errors;
        let spec = spec_of(table.clone(), whole, &mut errors);
        let mut reading = Self {
            spec,
            table,
            errors,
        };
        let mistakes = reading.mistakes();
        reading.errors.extend(mistakes);
        Ok(reading)
    }

    /// Return the specification.
    ///
    /// # Errors
    /// All mistakes that the text shows.
    pub fn spec(self) -> Result<Spec, SpecErrors> {
        if self.errors.is_empty() {
            Ok(self.spec)
        } else {
            Err(in_order(self.errors))
        }
    }

    /// List the cells of the experiment.
    ///
    /// # Errors
    /// All mistakes, also those that only the runner notices.
    pub fn plan(mut self, runner: &mut impl Runner) -> Result<Plan, SpecErrors> {
        let spec = std::mem::take(&mut self.spec);
        let (plan, wrong) = Plan::examined(spec, runner, !self.errors.is_empty());
        let place = |wrong: Wrong| SpecError {
            place: self.place(&wrong.path),
            ..SpecError::from(wrong)
        };
        let mistakes: Vec<SpecError> = wrong.into_iter().map(place).collect();
        self.errors.extend(mistakes);
        if self.errors.is_empty() {
            Ok(plan)
        } else {
            Err(in_order(self.errors))
        }
    }

    /// The place of a part, or of the innermost part around it that is written.
    fn place(&self, path: &[Step]) -> Option<Range<usize>> {
        let mut found: Option<&Spanned<DeValue<'_>>> = None;
        for step in path {
            let next = match (step, found.map(Spanned::get_ref)) {
                (Step::Field(name), None) => self.table.get(name.as_str()),
                (Step::Field(name), Some(DeValue::Table(table))) => table.get(name.as_str()),
                (Step::Element(place), Some(DeValue::Array(array))) => array.get(*place),
                _ => None,
            };
            match next {
                Some(next) => found = Some(next),
                None => break,
            }
        }
        // An array of tables has no place of its own.
        found.map(Spanned::span)
    }

    /// The mistakes of the specification as a whole, apart from those of its tables.
    fn mistakes(&self) -> Vec<SpecError> {
        let spec = &self.spec;
        let mut errors = Vec::new();
        let error = |message: String, path: &[Step], hint: String| SpecError {
            message,
            place: self.place(path),
            hint: Some(hint).filter(|hint| !hint.is_empty()),
        };
        for (what, is_missing) in [
            ("domain", spec.domains.is_empty()),
            ("method", spec.methods.is_empty()),
        ] {
            if is_missing {
                let hint = format!("add a table that begins with `[[{what}]]`");
                errors.push(error(format!("there is no {what}"), &[], hint));
            }
        }
        let domain_names: Vec<&str> = spec.domains.iter().map(|d| d.name.as_str()).collect();
        let method_names: Vec<&str> = spec.methods.iter().map(|m| m.name.as_str()).collect();
        for (what, names) in [("domain", &domain_names), ("method", &method_names)] {
            let mut known = BTreeSet::new();
            let mut said = BTreeSet::new();
            for (place, name) in names.iter().enumerate() {
                // Each name once, at its second place; a missing one is reported as missing.
                if !known.insert(name) && said.insert(name) && !name.is_empty() {
                    let message = format!("two {what}s are called `{name}`");
                    let hint = "results are distinguished by these names".to_owned();
                    errors.push(error(message, &way(what, place, "name"), hint));
                }
            }
        }
        for (place, method) in spec.methods.iter().enumerate() {
            for (number, name) in method.domains.iter().flatten().enumerate() {
                if !domain_names.contains(&name.as_str()) {
                    let message = format!(
                        "method `{}` is for a domain `{name}`, which isn't there",
                        method.name
                    );
                    let mut path = way("method", place, "domains");
                    path.push(Step::Element(number));
                    errors.push(error(message, &path, names::hint(name, &domain_names)));
                }
            }
        }
        for (place, published) in spec.published.iter().enumerate() {
            for (field, name, names) in [
                ("domain", &published.domain, &domain_names),
                ("method", &published.method, &method_names),
            ] {
                if !names.contains(&name.as_str()) && !name.is_empty() {
                    let message = format!("a figure is published for `{name}`, which isn't there");
                    let path = way("published", place, field);
                    errors.push(error(message, &path, names::hint(name, names)));
                }
            }
        }
        errors
    }
}

/// Mistakes in the order of the text; those without a place are last.
fn in_order(mut errors: Vec<SpecError>) -> SpecErrors {
    errors.sort_by_key(|error| {
        let start = error.place.as_ref().map(|place| place.start);
        (start.is_none(), start)
    });
    errors.dedup();
    SpecErrors(errors)
}

/// The keys before the tables.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Front {
    title: String,
    description: String,
    limits: Limits,
    warmup: u32,
}

/// The specification in a checked table.
fn spec_of(mut table: DeTable<'_>, whole: Range<usize>, errors: &mut Vec<SpecError>) -> Spec {
    let domains = elements(table.remove("domain"), errors);
    let methods = elements(table.remove("method"), errors);
    let published = elements(table.remove("published"), errors);
    let front = Front::deserialize(toml::Deserializer::from(Spanned::new(whole, table)));
    let front = front.unwrap_or_else(|error| {
        errors.push(error.into());
        Front::default()
    });
    Spec {
        title: front.title,
        description: front.description,
        limits: front.limits,
        warmup: front.warmup,
        domains,
        methods,
        published,
    }
}

/// The elements of an array of tables.
fn elements<T: DeserializeOwned>(
    array: Option<Spanned<DeValue<'_>>>,
    errors: &mut Vec<SpecError>,
) -> Vec<T> {
    let Some(DeValue::Array(array)) = array.map(Spanned::into_inner) else {
        return Vec::new();
    };
    let read = |element| match T::deserialize(toml::de::ValueDeserializer::from(element)) {
        Ok(table) => Some(table),
        // A field without a value of the kind that was needed, which has been reported.
        Err(_) if !errors.is_empty() => None,
        Err(error) => {
            errors.push(error.into());
            None
        }
    };
    array.into_iter().filter_map(read).collect()
}
