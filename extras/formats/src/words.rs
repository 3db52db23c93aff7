//! Names of other formats as words of PSVN.

use std::collections::HashMap;

/// Characters that are allowed in a word, beside letters and digits.
const ALLOWED: &str = "_-.,()+/'@!?<>=:&|$~^[]";

/// Words with another meaning in the language or in its error messages.
const TAKEN: &[&str] = &[
    "domain",
    "label",
    "cost",
    "goal",
    "abstraction",
    "projection",
    "pieces",
    "=>",
    "-",
];

/// Turn a text into one word that is a valid name. Other characters become `_`.
pub(crate) fn legal(text: &str) -> String {
    let keep = |c: char| {
        if c.is_alphanumeric() || ALLOWED.contains(c) {
            c
        } else {
            '_'
        }
    };
    let word: String = text.trim().chars().map(keep).collect();
    let starts_well = word.starts_with(|c: char| c.is_alphanumeric() || "_(<".contains(c));
    if starts_well && !TAKEN.contains(&word.to_lowercase().as_str()) {
        word
    } else {
        format!("_{word}")
    }
}

/// Turn words into one word: the first one, and the others as its arguments.
pub(crate) fn call(text: &str) -> String {
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    let rest: Vec<&str> = words.collect();
    if rest.is_empty() {
        legal(first)
    } else {
        legal(&format!("{first}({})", rest.join(",")))
    }
}

/// Turn the name that a planning task has for a fact into one word.
pub(crate) fn fact(name: &str) -> String {
    let name = name.trim();
    let (sign, atom) = match (
        name.strip_prefix("Atom "),
        name.strip_prefix("NegatedAtom "),
    ) {
        (Some(atom), _) => ("", atom),
        (_, Some(atom)) => ("not-", atom),
        _ if name == "<none of those>" => return "none-of-those".to_owned(),
        _ => ("", name),
    };
    legal(&format!("{sign}{}", atom.replace(", ", ",")))
}

/// Words already used, each with the next number to try behind it. Case makes no difference, as in
/// the language.
#[derive(Debug, Default)]
pub(crate) struct Unique {
    taken: HashMap<String, u64>,
}

impl Unique {
    /// Return the word, followed by the first number that makes it new if it was used before.
    pub(crate) fn make(&mut self, word: String) -> String {
        let lower = word.to_lowercase();
        let Some(first) = self.taken.get(&lower).copied() else {
            self.taken.insert(lower, 2);
            return word;
        };
        let mut number = first;
        while self.taken.contains_key(&format!("{lower}~{number}")) {
            number += 1;
        }
        self.taken.insert(format!("{lower}~{number}"), 2);
        self.taken.insert(lower, number + 1);
        format!("{word}~{number}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_words() {
        assert_eq!(legal("a b"), "a_b");
        assert_eq!(legal("-"), "_-");
        assert_eq!(legal("#1"), "_1");
        assert_eq!(legal("*x"), "_x");
        assert_eq!(legal("Goal"), "_Goal");
        assert_eq!(legal(""), "_");
        assert_eq!(call("pick-up a b"), "pick-up(a,b)");
        assert_eq!(call("noop"), "noop");
    }

    #[test]
    fn words_are_given_out_once() {
        let mut words = Unique::default();
        let made: Vec<String> = ["a", "A", "a~2", "a"]
            .map(|it| words.make(it.to_owned()))
            .into();
        assert_eq!(made, ["a", "A~2", "a~2~2", "a~3"]);
        // In time that is linear in their number.
        let last = (0..100_000).map(|_| words.make("b".to_owned())).last();
        assert_eq!(last.as_deref(), Some("b~100000"));
    }
}
