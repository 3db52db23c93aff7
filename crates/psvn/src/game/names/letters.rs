//! The names of the letters of a machine file.

use fsm::{OpenFile, RulePart};
use psvn_ir::RuleId;

use super::RuleNames;
use crate::error::Error;
use crate::game::parts::fact;

/// The names of letters: those of rules, labels where letters are operators, or rules with
/// conditions where they are parts of rules.
pub enum LetterNames<'g> {
    /// Only numbers are known, which are the names, from 1.
    Numbers(u32),
    /// Letters are rules.
    Rules(RuleNames<'g>),
    /// Letters are operators: the label of each.
    Operators(Vec<String>),
    /// Letters are parts of rules: the name of each, and the rules.
    Parts(Vec<String>, RuleNames<'g>),
}

impl<'g> LetterNames<'g> {
    /// The names of the letters of a file that was made for the game.
    pub fn new(game: &'g psvn_ir::Game, file: &OpenFile) -> Self {
        if !file.parts().is_empty() {
            let rules = RuleNames::new(game);
            let of_rules = game.rules_with_ids().zip(file.parts());
            let names = of_rules.flat_map(|((id, _), parts)| {
                let rule = rules.name(id);
                parts
                    .iter()
                    .map(move |part| with_conditions(game, &rule, part))
            });
            return LetterNames::Parts(names.collect(), RuleNames::new(game));
        }
        Self::of(game, file.operator_of(), file.machine().n_letters())
    }

    /// The names of letters that are rules of a game, or its operators if they say which rule
    /// belongs to which.
    pub(crate) fn of(game: &'g psvn_ir::Game, operator_of: &[u32], n_letters: u32) -> Self {
        if operator_of.is_empty() {
            return LetterNames::Rules(RuleNames::new(game));
        }
        let mut names = vec![String::new(); n_letters as usize];
        for (rule, letter) in game.rules().iter().zip(operator_of) {
            if let Some(name) = names.get_mut(*letter as usize)
                && name.is_empty()
            {
                *name = rule.label.to_string();
            }
        }
        LetterNames::Operators(names)
    }

    /// Return the name of a letter.
    pub fn name(&self, letter: u32) -> String {
        match self {
            LetterNames::Numbers(_) => (letter + 1).to_string(),
            LetterNames::Rules(names) => names.name(RuleId(letter)),
            LetterNames::Operators(names) | LetterNames::Parts(names, _) => {
                match names.get(letter as usize) {
                    Some(name) if !name.is_empty() => name.clone(),
                    _ => (letter + 1).to_string(),
                }
            }
        }
    }

    /// Return the names of some letters.
    pub fn names(&self, word: &[u32]) -> Vec<String> {
        word.iter().map(|letter| self.name(*letter)).collect()
    }

    /// Return the names of the letters of a replacement, which are rules where words consist of
    /// parts.
    pub fn replacement(&self, word: &[u32]) -> Vec<String> {
        match self {
            LetterNames::Parts(_, rules) => word.iter().map(|it| rules.name(RuleId(*it))).collect(),
            LetterNames::Rules(_) | LetterNames::Operators(_) | LetterNames::Numbers(_) => {
                self.names(word)
            }
        }
    }

    /// Return the letter of a name, in any case.
    ///
    /// # Errors
    /// When no letter, or more than one, has the name.
    pub fn resolve(&self, name: &str) -> Result<u32, Error> {
        let found = match self {
            LetterNames::Rules(names) => return names.resolve(name).map(|rule| rule.0),
            LetterNames::Numbers(n_letters) => {
                let number = name.parse::<u32>().ok().and_then(|n| n.checked_sub(1));
                number.filter(|letter| letter < n_letters)
            }
            LetterNames::Operators(names) | LetterNames::Parts(names, _) => {
                let place = names.iter().position(|it| it.eq_ignore_ascii_case(name));
                place.and_then(|place| u32::try_from(place).ok())
            }
        };
        found.ok_or_else(|| {
            let failure = Error::usage(format!("the machine has no letter called `{name}`"));
            match self {
                LetterNames::Numbers(n) => failure.with_hint(format!(
                    "letters are numbers from 1 to {n}; the game gives them names"
                )),
                LetterNames::Operators(names) | LetterNames::Parts(names, _) => {
                    failure.with_hint(format!("there are {}", names.join(", ")))
                }
                LetterNames::Rules(_) => failure,
            }
        })
    }
}

/// The name of a part of a rule, such as `slide-1-2[x1=red]`.
fn with_conditions(game: &psvn_ir::Game, rule: &str, part: &RulePart) -> String {
    let conditions = part.conditions.iter();
    let conditions: Vec<String> = conditions
        .map(|it| fact(game, *it).replace(" = ", "="))
        .collect();
    match conditions.is_empty() {
        true => rule.to_owned(),
        false => format!("{rule}[{}]", conditions.join(",")),
    }
}
