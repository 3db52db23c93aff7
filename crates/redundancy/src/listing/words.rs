//! The redundant words of a machine, each with its replacement and the reason.

use fsm::{CertifiedWord, FileError, MachineFile, OpenFile};
use move_prune::{Order, UnknownOrder};
use psvn_ir::{CanonicalRule, Game};
use schemars::JsonSchema;
use serde::Serialize;

use super::filter::WordFilter;
use super::macro_rules::MacroRules;
use super::reasons::{Needed, Reasons};
use crate::Error;
use crate::letters::LetterNames;
use crate::letters::Letters;

/// A redundant word with its replacement and the reason.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct RedundantWord {
    /// Its place among the machine's words, from 1.
    pub number: u64,
    /// Its letters: rules, parts of rules, or operators.
    pub word: Vec<String>,
    /// Its cost; `None` where letters are operators, or the game isn't known.
    pub cost: Option<u64>,
    /// Its macro-rule; `None` where letters are operators, or the game isn't known. Also where the
    /// word can't be used at all: for goals, words are compared as if they left variables alone on
    /// which no goal depends.
    pub rule: Option<String>,
    /// Its replacement; where letters are operators, each instance of the word may have another
    /// one.
    pub replaced_by: Vec<ReplacedBy>,
    /// The values that invariants imply beside its preconditions, where the replacement needs
    /// them.
    pub implied: Vec<String>,
    /// The invariants that imply these; empty if more than 500 are assumed.
    pub invariants: Vec<String>,
    /// The variables, from 1, in which the ends of both words may differ, since no goal depends on
    /// them. Empty where the ends are the same.
    pub apart_from: Vec<usize>,
}

/// A word that replaces another one.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct ReplacedBy {
    /// Its letters: operators, or rules.
    pub word: Vec<String>,
    /// Its cost.
    pub cost: Option<u64>,
    /// Its macro-rule.
    pub rule: Option<String>,
    /// Why it comes first in the order of words.
    pub comes_first: ComesFirst,
}

/// Why one word comes before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
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
    names: LetterNames<'g>,
    /// How words are compared; `None` where they have no macro-rules.
    comparison: Option<(MacroRules<'g>, Reasons<'g>)>,
    order: Order,
}

impl<'g> WordList<'g> {
    /// Explain the words of a machine file, with names and macro-rules if the game is given.
    ///
    /// # Errors
    /// When the file's assumptions or its order of words can't be parsed, or its parts aren't those
    /// of the game's rules.
    pub fn of_file(file: &OpenFile, game: Option<&'g Game>) -> Result<Self, Error> {
        Self::new(file.into(), file.assumptions(), file.order(), game)
    }

    /// Explain the words that an analysis found.
    ///
    /// # Errors
    /// As [`of_file`](Self::of_file).
    pub fn of_analysis(file: &MachineFile, game: &'g Game) -> Result<Self, Error> {
        Self::new(file.into(), &file.assumptions, &file.order, Some(game))
    }

    fn new(
        letters: Letters<'_>,
        assumptions: &[String],
        order: &str,
        game: Option<&'g Game>,
    ) -> Result<Self, Error> {
        let comparison = match game.filter(|_| !letters.are_operators()) {
            Some(game) => Some((
                MacroRules::new(game, letters.parts(), assumptions)?,
                Reasons::new(game, assumptions)?,
            )),
            None => None,
        };
        Ok(Self {
            names: LetterNames::of(game, letters),
            comparison,
            order: order
                .parse()
                .map_err(|error: UnknownOrder| Error::input(error.to_string()))?,
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
        let mut explained = RedundantWord {
            number,
            word: self.names.names(word),
            cost: None,
            rule: None,
            replaced_by: Vec::with_capacity(certified.replacements.len()),
            implied: Vec::new(),
            invariants: Vec::new(),
            apart_from: Vec::new(),
        };
        let cost = |word: &[u32]| Some(self.comparison.as_ref()?.0.cost_of_rules(word));
        if let Some((rules, _)) = &self.comparison {
            explained.cost = Some(rules.cost_of_word(word));
            explained.rule = rules.format(rules.of_word(word).as_ref());
        }
        for replacement in &certified.replacements {
            let cost = cost(replacement);
            let mut rule = None;
            if let Some((rules, reasons)) = &self.comparison {
                rule = rules.format(rules.of_rules(replacement).as_ref());
                let (needed, apart_from) = self.needed(rules, reasons, word, replacement)?;
                explained.implied = needed.facts;
                explained.invariants = needed.lines;
                explained.apart_from = apart_from;
            }
            explained.replaced_by.push(ReplacedBy {
                comes_first: self.comes_first(replacement, word, cost.zip(explained.cost)),
                word: self.names.replacement(replacement),
                cost,
                rule,
            });
        }
        Ok(explained)
    }

    /// Return what a word's replacement needs, and the variables in which their ends may differ.
    fn needed(
        &self,
        rules: &MacroRules<'_>,
        reasons: &Reasons<'_>,
        word: &[u32],
        replacement: &[u32],
    ) -> Result<(Needed, Vec<usize>), Error> {
        let replaces = |pair: Option<(CanonicalRule, CanonicalRule)>| match pair {
            Some((general, special)) => reasons.needed(&general, &special),
            None => Ok(None),
        };
        let everywhere = rules.of_rules(replacement).zip(rules.of_word(word));
        if let Some(needed) = replaces(everywhere)? {
            return Ok((needed, Vec::new()));
        }
        if let Some(needed) = replaces(rules.for_goals(replacement, word))? {
            return Ok((needed, rules.ignored_effects(replacement, word)));
        }
        Err(Error::input(format!(
            "the certificate for {} does not hold",
            self.names.names(word).join(" ")
        ))
        .with_hint("verify the machine file for details"))
    }

    fn comes_first(&self, first: &[u32], word: &[u32], costs: Option<(u64, u64)>) -> ComesFirst {
        let costs_less = costs.is_some_and(|(first, word)| first < word);
        if first.is_empty() {
            ComesFirst::Empty
        } else if self.order != Order::LengthLexicographic && costs_less {
            ComesFirst::CostsLess
        } else if first.len() < word.len() {
            ComesFirst::Shorter
        } else {
            ComesFirst::EarlierLetter
        }
    }
}
