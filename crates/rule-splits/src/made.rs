//! Splits that are chosen and made, with the redundant sequences of their parts.

use budget::{Limits, StopReason, Watch};
use fsm::{CertifiedWord, SplitReason};
use move_prune::{Admits, Analysis};
use psvn_ir::{Game, RuleId, State, Term};

use crate::analysis::{SplitAnalysis, analyze};
use crate::choice::{ChoiceLimits, Reason, Setting, choose_or_settle};
use crate::described::{Splits, redundant_letters, rules_of};
use crate::order::SplitRules;
use crate::split_game::{Split, SplitError, SplitGame};

/// What splits are made for.
#[derive(Clone, Copy)]
pub struct SplitSetting<'a> {
    /// The game.
    pub game: &'a Game,
    /// The analysis of its rules.
    pub of_rules: &'a Analysis,
    /// The order of the rules; that of the file unless given.
    pub rule_order: Option<&'a [RuleId]>,
    /// What is assumed of states.
    pub known: &'a dyn Admits,
    /// The root of the tree that splits should reduce, if one is known.
    pub start: Option<&'a State>,
    /// Which rules are split.
    pub rules: SplitRules,
}

/// Look for rules that are worth splitting, and analyze their parts. If splits are requested, a
/// description is returned in any case: where limits, or too many parts, stand in the way, nothing
/// is split.
pub fn split_rules(request: SplitSetting<'_>, limits: &Limits) -> (Option<Splits>, Option<Parts>) {
    let SplitSetting {
        game,
        of_rules,
        rule_order,
        known,
        start,
        rules,
    } = request;
    let watch = Watch::new(Limits {
        nodes: None,
        ..limits.clone()
    });
    let most_steps = match rules {
        // Where no sequences are compared, no part of a rule is redundant.
        SplitRules::Paying { .. } if of_rules.max_length == 0 => return (None, None),
        SplitRules::None => return (None, None),
        SplitRules::Paying { most_steps } => most_steps,
        SplitRules::All => None,
    };
    let n_rules = game.rules().len();
    let start_text = start.map(|it| game.format_state(it.values()));
    let mut splits = Splits::none_yet(start_text, of_rules, n_rules);
    // About the work of the analysis, and enough for small games.
    let bounds = ChoiceLimits::for_rules(n_rules)
        .after(of_rules)
        .within(most_steps, limits);
    let (chosen, reasons) = match (rules, start) {
        (SplitRules::All, _) => (Split::all(game), Vec::new()),
        // A limit may have left out what a split would gain.
        (_, Some(start)) if of_rules.stopped.is_none() => {
            let setting = Setting {
                game,
                of_rules,
                rule_order,
                known,
                start,
            };
            splits.note(choose_or_settle(setting, &bounds))
        }
        _ => (Vec::new(), Vec::new()),
    };
    let parts = if chosen.is_empty() {
        None
    } else {
        let admits = |terms: &[Term]| known.admits(terms);
        let most_letters = bounds.letters.max(n_rules);
        let split = SplitGame::within(game, &chosen, &admits, most_letters, &watch);
        let found = split.map_err(NotSplit::from).and_then(|split| {
            let rest = Limits {
                time: watch.time_left(),
                ..watch.limits().clone()
            };
            let found = analyze(game, &split, of_rules, rule_order, known, &rest);
            Ok((split, found.map_err(NotSplit::Stopped)?))
        });
        match found {
            Ok((split, found)) => Some(Parts {
                split,
                found,
                reasons,
            }),
            Err(reason) => {
                splits.note_failure(reason);
                None
            }
        }
    };
    if let Some(parts) = &parts {
        splits.letters = parts.split.letters().len();
        splits.redundant_words = parts.found.redundant.len();
        splits.rules = rules_of(
            game,
            known,
            &parts.split.parts(),
            &parts.reasons_in_file(),
            &redundant_letters(parts.words()),
        );
    }
    splits.seconds = watch.elapsed().as_secs_f64();
    (Some(splits), parts)
}

/// Why the chosen splits aren't made.
pub(crate) enum NotSplit {
    Stopped(StopReason),
    /// There would be more letters than this.
    TooManyLetters(usize),
}

impl From<SplitError> for NotSplit {
    fn from(error: SplitError) -> Self {
        match error {
            SplitError::TooManyLetters { limit } => NotSplit::TooManyLetters(limit),
            SplitError::Stopped(reason) => NotSplit::Stopped(reason),
            // The splits are of the game's own rules and variables.
            _ => NotSplit::Stopped(StopReason::TooLarge),
        }
    }
}

/// Parts of rules, and their redundant sequences.
pub struct Parts {
    /// The game whose rules they are.
    pub split: SplitGame,
    /// Their redundant sequences.
    pub found: SplitAnalysis,
    /// Why rules are split.
    pub reasons: Vec<Reason>,
}

impl Parts {
    /// Return the number of parts.
    ///
    /// # Panics
    /// Never: rules have ids of 32 bits.
    pub fn n_letters(&self) -> u32 {
        u32::try_from(self.split.letters().len()).expect("rules have ids of 32 bits")
    }

    /// Return the redundant sequences.
    pub fn words(&self) -> impl Iterator<Item = &[u32]> {
        self.found.redundant.iter().map(|it| &*it.word)
    }

    /// Return the words of a machine file.
    pub fn certified(&self) -> Vec<CertifiedWord> {
        self.found
            .redundant
            .iter()
            .map(CertifiedWord::from)
            .collect()
    }

    /// Return the reasons of a machine file.
    pub fn reasons_in_file(&self) -> Vec<SplitReason> {
        self.reasons.iter().map(SplitReason::from).collect()
    }
}
