//! Choices of the library as values of options.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use psvn::text::Choice;

/// Read a choice by its name.
pub(super) fn choice<T: Choice>() -> impl TypedValueParser<Value = T> {
    let possible = |value: &T| PossibleValue::new(value.name()).help(value.summary());
    PossibleValuesParser::new(T::ALL.iter().map(possible))
        .map(|name| T::from_name(&name).expect("the parser lets only names pass"))
}
