//! What the letters of a machine file are called.

use fsm::OpenFile;
use psvn_ir::RuleId;

use super::RuleNames;
use crate::error::Error;

/// The names of letters: those of rules, or labels where letters are operators.
pub enum LetterNames<'g> {
    /// Of letters nothing but their number is known, which is their name, from 1.
    Numbers(u32),
    /// Letters are rules.
    Rules(RuleNames<'g>),
    /// Letters are operators: the label of each.
    Operators(Vec<String>),
}

impl<'g> LetterNames<'g> {
    /// The names of the letters of a file that was made for the game.
    pub fn new(game: &'g psvn_ir::Game, file: &OpenFile) -> Self {
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

    /// What a letter is called.
    pub fn name(&self, letter: u32) -> String {
        match self {
            LetterNames::Numbers(_) => (letter + 1).to_string(),
            LetterNames::Rules(names) => names.name(RuleId(letter)),
            LetterNames::Operators(names) => match names.get(letter as usize) {
                Some(name) if !name.is_empty() => name.clone(),
                _ => (letter + 1).to_string(),
            },
        }
    }

    /// What some letters are called.
    pub fn names(&self, word: &[u32]) -> Vec<String> {
        word.iter().map(|letter| self.name(*letter)).collect()
    }

    /// The letter of a name, in any case.
    ///
    /// # Errors
    /// When no letter, or more than one, is called so.
    pub fn resolve(&self, name: &str) -> Result<u32, Error> {
        let found = match self {
            LetterNames::Rules(names) => return names.resolve(name).map(|rule| rule.0),
            LetterNames::Numbers(n_letters) => {
                let number = name.parse::<u32>().ok().and_then(|n| n.checked_sub(1));
                number.filter(|letter| letter < n_letters)
            }
            LetterNames::Operators(names) => {
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
                LetterNames::Operators(names) => {
                    failure.with_hint(format!("there are {}", names.join(", ")))
                }
                LetterNames::Rules(_) => failure,
            }
        })
    }
}
