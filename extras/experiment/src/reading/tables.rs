//! Tables compared with the fields that they may have.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::names::nearest;
use super::schema::{Field, Kind, SOURCE, Schema};
use crate::spec::{InstanceSource, SpecError};

/// A value at its place in the text.
type Value<'i> = Spanned<DeValue<'i>>;

/// Collects all mistakes of tables. What is left of them has none: values of other kinds and
/// unknown fields are gone, and needed texts that weren't there are empty.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) errors: Vec<SpecError>,
}

impl Tables {
    /// Check a table.
    pub(super) fn check<'i>(
        &mut self,
        table: DeTable<'i>,
        place: Range<usize>,
        schema: &'static Schema,
    ) -> DeTable<'i> {
        let mut left = DeTable::new();
        let mut seen: Vec<&str> = Vec::new();
        for (key, value) in table {
            let field = match schema.field(key.get_ref()) {
                None if !schema.is_open => {
                    let meant = self.meant(&key, &value, schema);
                    // It isn't missing too.
                    seen.extend(meant.map(|(field, _)| field.name));
                    meant
                        .filter(|(_, is_read)| *is_read)
                        .map(|(field, _)| field)
                }
                field => field,
            };
            match field {
                Some(field) => {
                    seen.push(field.name);
                    if let Some(value) = self.value(field.name, value, field.kind) {
                        let name = Spanned::new(key.span(), field.name.into());
                        left.insert(name, value);
                    }
                }
                None if schema.is_open => {
                    let name = key.get_ref().clone();
                    if let Some(value) = self.value(&name, value, Kind::Value) {
                        left.insert(key, value);
                    }
                }
                None => {}
            }
        }
        for field in schema.fields.iter().filter(|field| field.is_needed) {
            if !seen.contains(&field.name) {
                let message = format!("missing field `{}`", field.name);
                self.add(message, place.clone(), None);
            }
            if !left.contains_key(field.name) && matches!(field.kind, Kind::Text) {
                let nothing = DeValue::String("".into());
                let name = Spanned::new(place.clone(), field.name.into());
                left.insert(name, Spanned::new(place.clone(), nothing));
            }
        }
        left
    }

    fn add(&mut self, message: String, place: Range<usize>, hint: Option<String>) {
        self.errors.push(SpecError {
            message,
            place: Some(place),
            hint,
        });
    }

    /// Report an unknown field. Return the one that may be meant, and whether its value is read as
    /// that one's.
    fn meant(
        &mut self,
        key: &Spanned<std::borrow::Cow<'_, str>>,
        value: &Value<'_>,
        schema: &'static Schema,
    ) -> Option<(&'static Field, bool)> {
        let names = schema.fields.iter().map(|field| field.name);
        let meant = nearest(key.get_ref(), names.clone());
        let meant = meant.and_then(|name| schema.field(name));
        let is_tables = meant.is_some_and(|field| matches!(field.kind, Kind::Tables(_)));
        let hint = match meant {
            Some(field) if is_tables => format!("did you mean `[[{}]]`?", field.name),
            Some(field) => format!("did you mean `{}`?", field.name),
            None => {
                let names: Vec<&str> = names.collect();
                format!("the fields here are {}", names.join(", "))
            }
        };
        let message = format!("unknown field `{}`", key.get_ref());
        self.add(message, key.span(), Some(hint));
        let is_source = meant.is_some_and(|field| matches!(field.kind, Kind::Sources));
        let has_tables = value.get_ref().is_array() || value.get_ref().is_table();
        meant.map(|field| (field, (is_tables || is_source) && has_tables))
    }

    /// Check the value of a field. `None` if it isn't one.
    fn value<'i>(&mut self, name: &str, value: Value<'i>, kind: Kind) -> Option<Value<'i>> {
        let place = value.span();
        let found = in_words(value.get_ref());
        let is_right = match (kind, value.get_ref()) {
            (Kind::Table(_) | Kind::Tables(_), DeValue::Table(_))
            | (Kind::Tables(_) | Kind::Sources, DeValue::Array(_)) => {
                return Some(self.nested(value.into_inner(), place, kind));
            }
            (kind, value) => is_of(kind, value),
        };
        if is_right {
            return Some(value);
        }
        let message = format!("`{name}` takes {}, not {found}", kind.in_words());
        self.add(message, place.clone(), None);
        // Sources that are wrong aren't missing too.
        matches!(kind, Kind::Sources).then(|| {
            let mut sources = DeArray::new();
            sources.push(Spanned::new(place.clone(), DeValue::Table(DeTable::new())));
            Spanned::new(place, DeValue::Array(sources))
        })
    }

    /// Check a table, or all of an array.
    fn nested<'i>(&mut self, value: DeValue<'i>, place: Range<usize>, kind: Kind) -> Value<'i> {
        let checked = match (kind, value) {
            (Kind::Table(schema), DeValue::Table(table)) => {
                DeValue::Table(self.check(table, place.clone(), schema))
            }
            // One table in single brackets.
            (Kind::Tables(schema), DeValue::Table(table)) => {
                let table = DeValue::Table(self.check(table, place.clone(), schema));
                let mut array = DeArray::new();
                array.push(Spanned::new(place.clone(), table));
                DeValue::Array(array)
            }
            (_, DeValue::Array(array)) => {
                let mut left = DeArray::new();
                for element in array {
                    let place = element.span();
                    let table = match (kind, element.into_inner()) {
                        (Kind::Tables(schema), DeValue::Table(table)) => {
                            self.check(table, place.clone(), schema)
                        }
                        (Kind::Sources, DeValue::Table(table)) => self.source(table, &place),
                        (_, other) => {
                            let found = in_words(&other);
                            let message = format!("this is {found}, not a table");
                            self.add(message, place.clone(), None);
                            match kind {
                                Kind::Sources => DeTable::new(),
                                _ => continue,
                            }
                        }
                    };
                    left.push(Spanned::new(place, DeValue::Table(table)));
                }
                DeValue::Array(left)
            }
            (_, other) => other,
        };
        Spanned::new(place, checked)
    }

    /// Check a source of instances. One with mistakes is empty afterwards, which keeps the places
    /// of the others.
    fn source<'i>(&mut self, table: DeTable<'i>, place: &Range<usize>) -> DeTable<'i> {
        let before = self.errors.len();
        let table = self.check(table, place.clone(), SOURCE);
        if self.errors.len() == before {
            let value = Spanned::new(place.clone(), DeValue::Table(table.clone()));
            match InstanceSource::deserialize(toml::de::ValueDeserializer::from(value)) {
                Ok(source) => match source.check() {
                    Ok(()) => return table,
                    Err((key, message)) => {
                        let at = key.and_then(|key| table.get(key)).map(Spanned::span);
                        self.add(message, at.unwrap_or_else(|| place.clone()), None);
                    }
                },
                Err(error) => self.errors.push(error.into()),
            }
        }
        DeTable::new()
    }
}

/// Whether a value that is no table is of a kind.
fn is_of(kind: Kind, value: &DeValue<'_>) -> bool {
    let all_of = |kind: Kind, value: &DeValue<'_>| {
        let all = value.as_array();
        all.is_some_and(|all| all.iter().all(|one| is_of(kind, one.get_ref())))
    };
    let table_of = |kind: Kind, value: &DeValue<'_>| {
        let all = value.as_table();
        all.is_some_and(|all| all.iter().all(|(_, one)| is_of(kind, one.get_ref())))
    };
    match kind {
        Kind::Text => value.is_str(),
        Kind::Flag => value.is_bool(),
        Kind::Number => value.is_float() || value.is_integer(),
        Kind::Count(most) => whole(value)
            .and_then(|number| u64::try_from(number).ok())
            .is_some_and(|number| number <= most),
        Kind::Word(words) => value.as_str().is_some_and(|word| words.contains(&word)),
        Kind::Texts => all_of(Kind::Text, value),
        Kind::Lengths => {
            let length = Kind::Count(i64::MAX as u64);
            is_of(length, value) || all_of(length, value)
        }
        Kind::Value => match value {
            DeValue::Array(_) => all_of(Kind::Value, value),
            DeValue::Integer(_) => whole(value).is_some(),
            value => value.is_str() || value.is_bool() || value.is_float(),
        },
        Kind::Map => table_of(Kind::Text, value),
        Kind::Options => {
            let all = value.as_table();
            all.is_some_and(|all| {
                all.iter()
                    .all(|(_, one)| table_of(Kind::Value, one.get_ref()))
            })
        }
        Kind::Table(_) | Kind::Tables(_) | Kind::Sources => false,
    }
}

/// A whole number.
fn whole(value: &DeValue<'_>) -> Option<i64> {
    let number = value.as_integer()?;
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

/// A value in words.
fn in_words(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("the text `{text}`"),
        DeValue::Integer(number) => format!("`{number}`"),
        DeValue::Float(number) => format!("`{number}`"),
        DeValue::Boolean(flag) => format!("`{flag}`"),
        DeValue::Datetime(_) => "a date".to_owned(),
        DeValue::Array(_) => "a list like this".to_owned(),
        DeValue::Table(_) => "a table like this".to_owned(),
    }
}
