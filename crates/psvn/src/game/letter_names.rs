//! What the letters of a machine file are called.

use fsm::{OpenFile, RulePart};
use psvn_ir::RuleId;

use super::RuleNames;
use super::parts::fact;

/// The names of letters: those of rules, labels where letters are operators, or rules with
/// conditions where they are parts of rules.
pub enum LetterNames<'g> {
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
            LetterNames::Operators(names) | LetterNames::Parts(names, _) => {
                match names.get(letter as usize) {
                    Some(name) if !name.is_empty() => name.clone(),
                    _ => (letter + 1).to_string(),
                }
            }
        }
    }

    /// What some letters are called.
    pub fn names(&self, word: &[u32]) -> Vec<String> {
        word.iter().map(|letter| self.name(*letter)).collect()
    }

    /// What the letters of a replacement are called: where words are of parts, it is one of rules.
    pub fn replacement(&self, word: &[u32]) -> Vec<String> {
        match self {
            LetterNames::Parts(_, rules) => word.iter().map(|it| rules.name(RuleId(*it))).collect(),
            LetterNames::Rules(_) | LetterNames::Operators(_) => self.names(word),
        }
    }
}

/// A part of a rule, such as `slide-1-2[x1=red]`.
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
