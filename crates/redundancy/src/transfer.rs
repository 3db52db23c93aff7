//! Words over labels that were found for one game, and proved right for another one.
//!
//! Taylor (1992, sections 2.5 and 3.1) learns sequences of operators on a board of 7 x 7 and uses
//! them on one of 4 x 4, where no square is generic. Letters are matched by their labels, and each
//! instance of each word is proved again from the rules of the other game by the checker. From the
//! proofs for the first game, only the pairs of word and replacement are used.

use std::path::Path;

use checker::{
    InvariantFailure, LabelCertificate, LabelFlaw, LabelWords, Limits, Operators, ProvedInvariants,
};
use fsm::{CertifiedWord, MachineFile};
use invariants::Invariants;
use move_prune::Order;
use psvn_ir::Game;
use rayon::prelude::*;

use crate::letters::LetterNames;
use crate::verify::Progress;
use crate::verify::proof::{claims, stopped};
use crate::{Error, Hint};

/// The number of words that are proved between two checks for interruption.
const WORDS_AT_ONCE: usize = 1024;

/// Return the label of each letter, and the words by those letters. Letters of a machine over rules
/// are numbered in the order in which it compares rules.
///
/// # Errors
/// When letters have no labels of their own, or the order of words can't be carried over.
pub fn labeled(
    file: &MachineFile,
    from: &Game,
    names: &LetterNames<'_>,
    path: &Path,
) -> Result<(Vec<String>, Vec<CertifiedWord>), Error> {
    let refused = |what: &str| {
        let error = Error::input(format!("`{}` {what}", path.display()));
        Err(error.with_hint(Hint::AnalyzeByLabels))
    };
    if file.order.parse() != Ok(Order::LengthLexicographic) {
        return refused(&format!(
            "compares words by the order `{}`, and only `{}` is carried over",
            file.order,
            Order::LengthLexicographic.name()
        ));
    }
    if !file.parts.is_empty() {
        return refused("has parts of rules as letters");
    }
    if let LetterNames::Operators(labels) = names {
        return Ok((labels.clone(), file.words.clone()));
    }
    let n_rules = from.rules().len();
    let natural: Vec<u32> = (0..n_rules as u32).collect();
    let in_order = match file.rule_order.as_slice() {
        [] => &natural,
        order => order,
    };
    let label = |rule: &u32| from.rules()[*rule as usize].label.to_string();
    let labels: Vec<String> = in_order.iter().map(label).collect();
    let mut sorted: Vec<String> = labels.iter().map(|it| it.to_ascii_lowercase()).collect();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return refused(&format!(
            "is a machine over rules, and several have the label `{}`",
            pair[0]
        ));
    }
    let mut rank = natural.clone();
    for (place, rule) in (0..).zip(in_order) {
        rank[*rule as usize] = place;
    }
    let renumber =
        |word: &[u32]| -> Box<[u32]> { word.iter().map(|rule| rank[*rule as usize]).collect() };
    let words = file.words.iter().map(|word| CertifiedWord {
        word: renumber(&word.word),
        replacements: word.replacements.iter().map(|it| renumber(it)).collect(),
    });
    Ok((labels, words.collect()))
}

/// The letters of a machine and the rules of another game, matched by their labels. Case makes no
/// difference.
#[derive(Clone, Debug)]
pub struct Matched {
    /// The label of each letter.
    pub labels: Vec<String>,
    /// The letter of each rule of the other game.
    pub operator_of: Vec<u32>,
    /// The labels that both games have, in the order of the letters.
    pub shared: Vec<String>,
    /// Labels of letters for which the other game has no rule.
    pub missing: Vec<String>,
    /// Labels of the other game that the machine doesn't have.
    pub new: Vec<String>,
}

impl Matched {
    /// Match the labels of letters with those of a game.
    pub fn new(mut labels: Vec<String>, to: &Game) -> Self {
        let n_known = labels.len();
        let mut letter_of: std::collections::HashMap<String, u32> = (0..)
            .zip(&labels)
            // A letter without a name had no rule in the first game either.
            .filter(|(_, label)| !label.is_empty())
            .map(|(letter, label)| (label.to_ascii_lowercase(), letter))
            .collect();
        let mut is_used = vec![false; n_known];
        let letter = |label: &str| {
            let letter = *letter_of
                .entry(label.to_ascii_lowercase())
                .or_insert_with(|| {
                    labels.push(label.to_owned());
                    labels.len() as u32 - 1
                });
            if let Some(is_used) = is_used.get_mut(letter as usize) {
                *is_used = true;
            }
            letter
        };
        let rules = to.rules().iter();
        let operator_of = rules.map(|rule| &*rule.label).map(letter).collect();
        let chosen = |wanted: bool| -> Vec<String> {
            let known = labels.iter().zip(&is_used);
            known
                .filter(|(label, used)| **used == wanted && !label.is_empty())
                .map(|(label, _)| label.clone())
                .collect()
        };
        Self {
            shared: chosen(true),
            missing: chosen(false),
            new: labels[n_known..].to_vec(),
            operator_of,
            labels,
        }
    }
}

/// Return for each word the number of its instances, all of which are proved, or the flaw of one.
///
/// # Errors
/// When the assumptions aren't inductive, or a limit is reached.
pub fn prove_words(
    game: &Game,
    known: Option<&Invariants>,
    matched: &Matched,
    words: &[CertifiedWord],
    limits: &Limits,
    progress: &Progress<'_>,
) -> Result<Vec<Result<usize, LabelFlaw>>, Error> {
    let known = match known {
        None => ProvedInvariants::none(game),
        Some(known) => match ProvedInvariants::prove(game, &claims(known), limits) {
            Ok(known) => known,
            Err(InvariantFailure::Stopped(reason)) => return Err(stopped(reason)),
            Err(failure) => {
                return Err(Error::wrong(format!(
                    "the assumptions are not proved inductive: {failure}"
                )));
            }
        },
    };
    let operators = Operators::new(game, matched.labels.len(), &matched.operator_of)
        .map_err(|error| Error::wrong(error.to_string()))?;
    let checker = LabelWords::new(game, &operators, &known, limits).map_err(stopped)?;
    let mut verdicts = Vec::with_capacity(words.len());
    for (part, some) in words.chunks(WORDS_AT_ONCE).enumerate() {
        let first = part * WORDS_AT_ONCE;
        progress(
            &|| format!("proving words: {first} of {} done", words.len()),
            Some((first, words.len())),
        );
        let proved = some.par_iter().map(|word| {
            let replacements: Vec<&[u32]> = word.replacements.iter().map(|it| &**it).collect();
            checker.check(LabelCertificate {
                word: &word.word,
                replacements: &replacements,
            })
        });
        verdicts.par_extend(proved);
        // Flaws found after an interruption may come from it.
        limits.check().map_err(stopped)?;
    }
    Ok(verdicts)
}
