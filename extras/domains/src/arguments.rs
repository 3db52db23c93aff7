//! Reads a generator's arguments: numbers by place, then flags and `key=value` options in any
//! order.

use std::ops::RangeInclusive;

use crate::error::{GenerateError, nearest};
use crate::info::DomainInfo;

/// The arguments of one call, consumed piece by piece by the generator.
pub(crate) struct Arguments<'a> {
    info: &'static DomainInfo,
    /// Plain words in the order given; the front is the next positional argument.
    words: Vec<&'a str>,
    /// `key=value` words.
    options: Vec<(&'a str, &'a str)>,
}

impl<'a> Arguments<'a> {
    /// Split `args` into plain words and `key=value` options.
    pub(crate) fn new(info: &'static DomainInfo, args: &[&'a str]) -> Self {
        let mut words = Vec::new();
        let mut options = Vec::new();
        for arg in args {
            match arg.split_once('=') {
                Some(option) => options.push(option),
                None => words.push(*arg),
            }
        }
        Self {
            info,
            words,
            options,
        }
    }

    /// The next positional argument, a number within `range`.
    pub(crate) fn number(
        &mut self,
        name: &'static str,
        range: RangeInclusive<usize>,
    ) -> Result<usize, GenerateError> {
        if self.words.is_empty() {
            return Err(GenerateError::MissingArgument {
                domain: self.info.name,
                argument: name,
                expected: describe(&range),
                usage: self.info.usage,
            });
        }
        let word = self.words.remove(0);
        self.parse(name, word, range)
    }

    /// The remaining positional arguments, at least one number within `range`.
    pub(crate) fn numbers(
        &mut self,
        name: &'static str,
        range: RangeInclusive<usize>,
    ) -> Result<Vec<usize>, GenerateError> {
        let mut numbers = vec![self.number(name, range.clone())?];
        while !self.words.is_empty() {
            numbers.push(self.number(name, range.clone())?);
        }
        Ok(numbers)
    }

    /// The next positional argument, a number within `range`, if there is one.
    pub(crate) fn optional_position(
        &mut self,
        name: &'static str,
        range: RangeInclusive<usize>,
    ) -> Result<Option<usize>, GenerateError> {
        if self.words.is_empty() {
            Ok(None)
        } else {
            self.number(name, range).map(Some)
        }
    }

    /// The next positional argument, unchanged, unless it is one of the generator's flags.
    pub(crate) fn word(&mut self) -> Option<&'a str> {
        let is_flag = |word: &str| {
            let mut flags = self.info.options.iter().map(|option| option.name);
            flags.any(|flag| flag.eq_ignore_ascii_case(word))
        };
        let first = *self.words.first()?;
        (!is_flag(first)).then(|| self.words.remove(0))
    }

    /// The error that a positional argument is missing.
    pub(crate) fn missing(&self, argument: &'static str, expected: &str) -> GenerateError {
        GenerateError::MissingArgument {
            domain: self.info.name,
            argument,
            expected: expected.to_owned(),
            usage: self.info.usage,
        }
    }

    /// Whether the plain word `name` is among the remaining arguments; removes it.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        let found = self
            .words
            .iter()
            .position(|word| word.eq_ignore_ascii_case(name));
        if let Some(index) = found {
            self.words.remove(index);
        }
        found.is_some()
    }

    /// The value of `key=value`, one of `choices`; the first choice if the option is absent.
    pub(crate) fn choice(
        &mut self,
        key: &'static str,
        choices: &'static [&'static str],
    ) -> Result<&'static str, GenerateError> {
        let Some(value) = self.option(key) else {
            return Ok(choices[0]);
        };
        choices
            .iter()
            .find(|choice| choice.eq_ignore_ascii_case(value))
            .copied()
            .ok_or_else(|| self.invalid(key, value, format!("one of {}", choices.join(", "))))
    }

    /// The value of `key=value`, a number within `range`, if the option is given.
    pub(crate) fn optional_number(
        &mut self,
        key: &'static str,
        range: RangeInclusive<usize>,
    ) -> Result<Option<usize>, GenerateError> {
        self.option(key)
            .map(|value| self.parse(key, value, range))
            .transpose()
    }

    /// Check that nothing is left over.
    pub(crate) fn finish(&self) -> Result<(), GenerateError> {
        let leftover = self
            .words
            .first()
            .map(|word| (*word).to_owned())
            .or_else(|| {
                let (key, value) = self.options.first()?;
                Some(format!("{key}={value}"))
            });
        let Some(found) = leftover else {
            return Ok(());
        };
        let suggestion = nearest(&found, self.info.options.iter().map(|option| option.name))
            .filter(|name| *name != found);
        Err(GenerateError::UnexpectedArgument {
            domain: self.info.name,
            found,
            suggestion,
            usage: self.info.usage,
        })
    }

    /// An error about `argument`, for conditions that one range cannot state.
    pub(crate) fn invalid(
        &self,
        argument: &'static str,
        found: impl ToString,
        expected: impl ToString,
    ) -> GenerateError {
        GenerateError::InvalidArgument {
            domain: self.info.name,
            argument,
            found: found.to_string(),
            expected: expected.to_string(),
            usage: self.info.usage,
        }
    }

    /// Reject games whose text would be too large, before anything is built.
    pub(crate) fn check_size(
        &self,
        n_variables: usize,
        n_rules: usize,
    ) -> Result<(), GenerateError> {
        let (n_variables, n_rules) = (n_variables as u128, n_rules as u128);
        let limits = [
            ("variables", n_variables, MAX_VARIABLES),
            ("rules", n_rules, MAX_RULES),
            ("rule entries", n_variables * n_rules * 2, MAX_ENTRIES),
        ];
        for (what, found, limit) in limits {
            if found > limit {
                return Err(GenerateError::TooLarge {
                    domain: self.info.name,
                    what,
                    found,
                    limit,
                    usage: self.info.usage,
                });
            }
        }
        Ok(())
    }

    /// Remove option `key` and return its value, if it is given. A repeated option is left for
    /// [`Self::finish`].
    pub(crate) fn option(&mut self, key: &str) -> Option<&'a str> {
        let index = self
            .options
            .iter()
            .position(|(found, _)| found.eq_ignore_ascii_case(key))?;
        Some(self.options.remove(index).1)
    }

    fn parse(
        &self,
        name: &'static str,
        word: &str,
        range: RangeInclusive<usize>,
    ) -> Result<usize, GenerateError> {
        word.parse()
            .ok()
            .filter(|number| range.contains(number))
            .ok_or_else(|| self.invalid(name, word, describe(&range)))
    }
}

/// The most variables a generated game may have.
const MAX_VARIABLES: u128 = 10_000;
/// The most rules a generated game may have.
const MAX_RULES: u128 = 1_000_000;
/// The most entries (rules times both sides times variables) a generated file may have: some tens
/// of megabytes.
const MAX_ENTRIES: u128 = 20_000_000;

fn describe(range: &RangeInclusive<usize>) -> String {
    if range.start() == range.end() {
        format!("the number {}", range.start())
    } else {
        format!("a whole number from {} to {}", range.start(), range.end())
    }
}
