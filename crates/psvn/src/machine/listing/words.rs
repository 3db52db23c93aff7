//! The redundant words of a machine, each with its replacement and the reason.

use fsm::{CertifiedWord, FileError, MachineFile, OpenFile};
use psvn_ir::{CanonicalRule, RuleId};
use serde::Serialize;

use super::super::LetterNames;
use super::filter::WordFilter;
use super::reasons::{Needed, Reasons};
use crate::analysis::{Order, compose_rules, parse_order};
use crate::error::Error;
use crate::game::Game;

/// A redundant word with its replacement and the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RedundantWord {
    /// Its place among the machine's words, from 1.
    pub number: u64,
    /// Its letters: rules, or operators.
    pub word: Vec<String>,
    /// Its cost; `None` where letters are operators, or the game isn't known.
    pub cost: Option<u64>,
    /// Its macro-rule; `None` where letters are operators, or the game isn't known.
    pub rule: Option<String>,
    /// Its replacement; where letters are operators, each instance of the word may have another
    /// one.
    pub replaced_by: Vec<ReplacedBy>,
    /// The values that invariants imply beside its preconditions, where the replacement needs
    /// them.
    pub implied: Vec<String>,
    /// The invariants that imply these; empty if more than 500 are assumed.
    pub invariants: Vec<String>,
}

/// A word that replaces another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReplacedBy {
    /// Its letters.
    pub word: Vec<String>,
    /// Its cost.
    pub cost: Option<u64>,
    /// Its macro-rule.
    pub rule: Option<String>,
    /// Why it comes first in the order of words.
    pub comes_first: ComesFirst,
}

/// Why one word comes before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ComesFirst {
    /// It is the empty word.
    Empty,
    /// It costs less, and words are compared by cost.
    CostsLess,
    /// It is shorter.
    Shorter,
    /// It has the same length, and an earlier letter where they first differ.
    EarlierLetter,
}

/// Explains the words of a machine.
pub struct WordList<'g> {
    game: Option<&'g psvn_ir::Game>,
    names: LetterNames<'g>,
    /// The assumptions; `None` where words have no macro-rules.
    reasons: Option<Reasons<'g>>,
    order: Order,
}

impl<'g> WordList<'g> {
    /// Explain the words of a machine file, with names and macro-rules if the game is given.
    ///
    /// # Errors
    /// When the file's assumptions or its order of words can't be parsed.
    pub fn of_file(file: &OpenFile, game: Option<&'g Game>) -> Result<Self, Error> {
        let n_letters = file.machine().n_letters();
        let header = (file.operator_of(), file.assumptions(), file.order());
        Self::new(header, n_letters, game)
    }

    /// Explain the words that an analysis found.
    ///
    /// # Errors
    /// As [`of_file`](Self::of_file).
    pub fn of_analysis(file: &MachineFile, game: &'g Game) -> Result<Self, Error> {
        let header = (&*file.operator_of, &*file.assumptions, &*file.order);
        Self::new(header, file.machine.n_letters(), Some(game))
    }

    fn new(
        (operator_of, assumptions, order): (&[u32], &[String], &str),
        n_letters: u32,
        game: Option<&'g Game>,
    ) -> Result<Self, Error> {
        let ir = game.map(Game::ir);
        let of_rules = ir.filter(|_| operator_of.is_empty());
        let reasons = of_rules.map(|game| Reasons::new(game, assumptions));
        Ok(Self {
            game: of_rules,
            names: match ir {
                Some(game) => LetterNames::of(game, operator_of, n_letters),
                None => LetterNames::Numbers(n_letters),
            },
            reasons: reasons.transpose()?,
            order: parse_order(order).map_err(Error::input)?,
        })
    }

    /// Return the names of the letters.
    pub fn names(&self) -> &LetterNames<'g> {
        &self.names
    }

    /// Explain those words of a machine that a filter admits, one after the other. `words` are all
    /// words of the machine, in its order.
    pub fn explain<'a>(
        &'a self,
        words: impl Iterator<Item = Result<CertifiedWord, FileError>> + 'a,
        filter: &'a WordFilter,
    ) -> impl Iterator<Item = Result<RedundantWord, Error>> + 'a {
        (1..).zip(words).filter_map(|(number, word)| match word {
            Err(error) => Some(Err(Error::input(error.to_string()))),
            Ok(word) if filter.admits(&word.word) => Some(self.explain_word(number, &word)),
            Ok(_) => None,
        })
    }

    fn explain_word(&self, number: u64, certified: &CertifiedWord) -> Result<RedundantWord, Error> {
        let word = &*certified.word;
        let special = self.compose(word)?;
        let mut replaced_by = Vec::with_capacity(certified.replacements.len());
        let mut needed = Needed::default();
        for replacement in &certified.replacements {
            let general = self.compose(replacement)?;
            if let (Some(reasons), Some(general), Some(special)) =
                (&self.reasons, &general, &special)
            {
                let found = reasons.needed(general, special)?;
                needed = found.ok_or_else(|| self.wrong(word))?;
            }
            let costs = general.as_ref().zip(special.as_ref());
            let costs = costs.map(|(general, special)| (general.cost(), special.cost()));
            replaced_by.push(ReplacedBy {
                comes_first: self.comes_first(replacement, word, costs),
                word: self.names.names(replacement),
                cost: general.as_ref().map(CanonicalRule::cost),
                rule: self.format(general.as_ref()),
            });
        }
        Ok(RedundantWord {
            number,
            word: self.names.names(word),
            cost: special.as_ref().map(CanonicalRule::cost),
            rule: self.format(special.as_ref()),
            replaced_by,
            implied: needed.facts,
            invariants: needed.lines,
        })
    }

    fn comes_first(&self, first: &[u32], word: &[u32], costs: Option<(u64, u64)>) -> ComesFirst {
        let costs_less = costs.is_some_and(|(first, word)| first < word);
        if first.is_empty() {
            ComesFirst::Empty
        } else if self.order == Order::CostLengthLexicographic && costs_less {
            ComesFirst::CostsLess
        } else if first.len() < word.len() {
            ComesFirst::Shorter
        } else {
            ComesFirst::EarlierLetter
        }
    }

    /// The macro-rule of a word, where letters are rules and the game is known.
    fn compose(&self, word: &[u32]) -> Result<Option<CanonicalRule>, Error> {
        let Some(game) = self.game else {
            return Ok(None);
        };
        let rules: Vec<RuleId> = word.iter().copied().map(RuleId).collect();
        let composed = compose_rules(game, &rules);
        composed.map(Some).map_err(|_| self.wrong(word))
    }

    fn format(&self, rule: Option<&CanonicalRule>) -> Option<String> {
        Some(self.game?.format_rule(rule?))
    }

    fn wrong(&self, word: &[u32]) -> Error {
        Error::input(format!(
            "the certificate for {} does not hold",
            self.names.names(word).join(" ")
        ))
        .with_hint("verify the machine file for details")
    }
}
