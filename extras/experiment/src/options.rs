//! The options of a method in an experiment file: names with values.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A value in a file of experiments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OptionValue {
    /// `true` is an option without a value; `false` leaves the option out.
    Flag(bool),
    /// A whole number.
    Integer(i64),
    /// Any other number.
    Number(f64),
    /// Text; a [formula](Formula) where it is one.
    Text(String),
    /// Several values, which are joined by commas.
    List(Vec<OptionValue>),
}

impl OptionValue {
    fn to_text(&self) -> String {
        match self {
            OptionValue::Flag(flag) => flag.to_string(),
            OptionValue::Integer(number) => number.to_string(),
            OptionValue::Number(number) => number.to_string(),
            OptionValue::Text(text) => text.clone(),
            OptionValue::List(values) => {
                let values: Vec<String> = values.iter().map(OptionValue::to_text).collect();
                values.join(",")
            }
        }
    }
}

/// Options with their values; an option without a value has `None`.
pub type Options = BTreeMap<String, Option<String>>;

/// A number that depends on the length of the random walk to an instance: `steps`, `2*steps`,
/// `steps+3` or `2*steps-1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formula {
    factor: u64,
    plus: i64,
}

impl Formula {
    /// Read a formula. `None` if the text isn't one.
    pub fn parse(text: &str) -> Option<Self> {
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let (front, back) = text.split_once("steps")?;
        let factor = match front {
            "" => 1,
            front => front.strip_suffix('*')?.parse().ok()?,
        };
        let plus = match back {
            "" => 0,
            back if back.starts_with(['+', '-']) => back.parse().ok()?,
            _ => return None,
        };
        Some(Self { factor, plus })
    }

    /// Return the number for a walk of `steps` steps, or 0 instead of a negative number.
    pub fn at(self, steps: u64) -> u64 {
        self.factor
            .saturating_mul(steps)
            .saturating_add_signed(self.plus)
    }
}

/// Merge options: later ones replace earlier ones of the same name.
///
/// # Errors
/// The name of an option whose formula needs a number of steps that doesn't exist.
pub(crate) fn resolve<'a>(
    layers: impl IntoIterator<Item = &'a BTreeMap<String, OptionValue>>,
    steps: Option<u64>,
) -> Result<Options, String> {
    let mut options = Options::new();
    for (name, value) in layers.into_iter().flatten() {
        // Both spellings mean the same option.
        let key = name.replace('_', "-");
        match value {
            OptionValue::Flag(false) => drop(options.remove(&key)),
            OptionValue::Flag(true) => drop(options.insert(key, None)),
            OptionValue::Text(text) if Formula::parse(text).is_some() => {
                let formula = Formula::parse(text);
                let number = formula.zip(steps).ok_or_else(|| name.clone())?;
                options.insert(key, Some(number.0.at(number.1).to_string()));
            }
            value => drop(options.insert(key, Some(value.to_text()))),
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_told_from_text() {
        let at = |text: &str, steps| Formula::parse(text).map(|formula| formula.at(steps));
        assert_eq!(at("steps", 7), Some(7));
        assert_eq!(at("2*steps", 7), Some(14));
        assert_eq!(at("3 * steps - 1", 7), Some(20));
        assert_eq!(at("steps+2", 7), Some(9));
        assert_eq!(at("steps-9", 7), Some(0));
        for text in [
            "",
            "7",
            "2steps",
            "steps2",
            "x*steps",
            "mysteps",
            "steps.fsm",
        ] {
            assert_eq!(at(text, 7), None, "{text}");
        }
    }

    #[test]
    fn later_options_replace_earlier_ones() {
        let table = |text: &str| toml::from_str::<BTreeMap<String, OptionValue>>(text).unwrap();
        let below = table("depth = 5\nshow-states = true\nprune = \"parent\"");
        let above =
            table("depth = 'steps'\nshow_states = false\nmax-length = [0, 2]\nweight = 1.5");
        let options = resolve([&below, &above], Some(9)).unwrap();
        let expected = [
            ("depth", "9"),
            ("max-length", "0,2"),
            ("prune", "parent"),
            ("weight", "1.5"),
        ]
        .map(|(name, value)| (name.to_owned(), Some(value.to_owned())));
        assert_eq!(options, Options::from(expected));
        assert_eq!(resolve([&above], None), Err("depth".to_owned()));
    }
}
