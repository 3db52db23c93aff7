//! What the letters of a machine file are called.

use fsm::OpenFile;
use psvn_ir::RuleId;

use super::RuleNames;

/// The names of letters: those of rules, or labels where letters are operators.
pub enum LetterNames<'g> {
    /// Letters are rules.
    Rules(RuleNames<'g>),
    /// Letters are operators: the label of each.
    Operators(Vec<String>),
}

impl<'g> LetterNames<'g> {
    /// The names of the letters of a file that was made for the game.
    pub fn new(game: &'g psvn_ir::Game, file: &OpenFile) -> Self {
        let operator_of = file.operator_of();
        if operator_of.is_empty() {
            return LetterNames::Rules(RuleNames::new(game));
        }
        let mut names = vec![String::new(); file.machine().n_letters() as usize];
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
}
