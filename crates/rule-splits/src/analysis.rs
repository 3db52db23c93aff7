//! Redundant sequences of the parts of rules.

use std::cell::RefCell;
use std::collections::HashMap;

use ahash::RandomState;
use budget::{Limits, StopReason, Watch};
use macro_compose::{Composer, PreparedRule, compose_all};
use move_prune::{Admits, Analysis, ReplacementRoom, Replacements, Verdict, closed};
use psvn_ir::{CanonicalRule, Equation, Game, RuleId, Term, Value, VarId};

use crate::split_game::{Letter, SplitGame};

/// The number of steps of a comparison with the ideal tree that take about as long as a
/// composition.
const STEPS_OF_COMPOSITION: u64 = 20;

/// The number of these steps that take about as long as the search for the replacement of a
/// sequence.
const STEPS_OF_VERDICT: u64 = 20;

/// The bytes of a sequence besides its letters and its macro-rule, about: two lists and what their
/// allocations take.
const BYTES_OF_WORD: usize = 2 * (size_of::<Box<[u32]>>() + 16);

/// A redundant sequence of parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitWord {
    /// The sequence, as rules of the split game.
    pub word: Box<[u32]>,
    /// The rules of the game that replace it. They come before the sequence of the rules that its
    /// letters are parts of, cost no more, can be used wherever the sequence can, and lead to the
    /// same state.
    pub replacement: Box<[RuleId]>,
}

/// The result of an analysis of parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SplitAnalysis {
    /// The redundant sequences. None contains another.
    pub redundant: Vec<SplitWord>,
    /// For each length from 1 on, the number of sequences that are kept.
    pub kept: Vec<usize>,
    /// The work that was done, in steps.
    pub steps: u64,
}

/// Find the redundant sequences of parts of rules, with the lengths and order of an analysis of the
/// game's rules. If nothing is split, they are those of that analysis.
///
/// `rule_order` and `known` are those of the analysis. As there, sequences are stored as written
/// and compared with all knowledge about the states that allow them. [`Limits::nodes`] is the
/// greatest number of steps.
///
/// # Errors
/// When a limit stops it.
///
/// # Panics
/// When the analysis is of another game.
pub fn analyze(
    game: &Game,
    split: &SplitGame,
    of_rules: &Analysis,
    rule_order: Option<&[RuleId]>,
    known: &dyn Admits,
    limits: &Limits,
) -> Result<SplitAnalysis, StopReason> {
    let watch = Watch::new(limits.clone());
    Base::of(game, of_rules, rule_order, known, &watch)?.analyze(split, &watch)
}

/// An analysis of rules, ready for analyses of their parts.
pub(crate) struct Base<'a> {
    n_variables: usize,
    max_length: usize,
    replacements: Replacements<'a>,
    /// The words already known to be redundant, perhaps by an analysis that compares more than this
    /// one.
    found_before: HashMap<&'a [RuleId], &'a [RuleId], RandomState>,
    known: &'a dyn Admits,
    /// What earlier analyses of parts found: most letters of one try of splits occur in the others.
    remembered: RefCell<Remembered>,
}

/// The judgements of sequences of parts, which don't depend on the other parts.
#[derive(Default)]
struct Remembered {
    /// The number of each part that occurred.
    parts: HashMap<Letter, u32, RandomState>,
    /// By the numbers of the parts.
    judged: HashMap<Box<[u32]>, Judged, RandomState>,
}

/// The maximum number of judgements that are remembered, some 10 MB.
const MOST_REMEMBERED: usize = 1 << 16;

/// A judgement about a sequence of parts.
#[derive(Clone, Debug)]
enum Judged {
    /// No state that matters allows it.
    Impossible,
    /// Nothing replaces it.
    Kept,
    /// These rules replace it.
    Redundant(Box<[RuleId]>),
}

impl From<Verdict<'_>> for Judged {
    fn from(verdict: Verdict<'_>) -> Self {
        match verdict {
            Verdict::Impossible => Judged::Impossible,
            Verdict::Kept => Judged::Kept,
            Verdict::Redundant(rules) => Judged::Redundant(rules.into()),
        }
    }
}

impl<'a> Base<'a> {
    pub(crate) fn of(
        game: &Game,
        of_rules: &'a Analysis,
        rule_order: Option<&[RuleId]>,
        known: &'a dyn Admits,
        watch: &Watch,
    ) -> Result<Self, StopReason> {
        let rules = game.rules().iter().map(|it| it.canonical.clone());
        let rules: Vec<CanonicalRule> = rules.collect();
        let n_variables = game.n_variables();
        let redundant = of_rules.redundant.iter();
        let replacements =
            Replacements::of(n_variables, &rules, of_rules, rule_order, known, watch)?;
        Ok(Self {
            n_variables,
            max_length: of_rules.max_length,
            replacements,
            found_before: redundant.map(|it| (&*it.word, &*it.replacement)).collect(),
            known,
            remembered: RefCell::default(),
        })
    }

    /// Return the work that it took to make this, in steps.
    pub(crate) fn steps(&self) -> u64 {
        STEPS_OF_COMPOSITION * self.replacements.n_words() as u64
    }

    pub(crate) fn analyze(
        &self,
        split: &SplitGame,
        watch: &Watch,
    ) -> Result<SplitAnalysis, StopReason> {
        let rules = split.game().rules().iter();
        let letters: Vec<PreparedRule> = rules
            .map(|rule| PreparedRule::new(&rule.canonical))
            .collect();
        let remembered = &mut *self.remembered.borrow_mut();
        let numbers: Vec<u32> = split
            .letters()
            .iter()
            .map(|letter| remembered.number(letter))
            .collect();
        let all_letters: Vec<u32> = (0..).take(letters.len()).collect();
        let mut bench = Bench {
            composer: Composer::new(self.n_variables),
            room: self.replacements.room(),
            implied: Vec::new(),
        };
        let mut found = SplitAnalysis::default();
        let of_found = self.found_before.len() * size_of::<[&[RuleId]; 2]>();
        let held_before = self.replacements.bytes() + of_found;
        let bytes_of_kept = size_of::<CanonicalRule>() + 2 * self.n_variables * size_of::<Term>();
        let empty = CanonicalRule::identity(self.n_variables);
        let mut before: Vec<(Box<[u32]>, CanonicalRule)> = vec![(Box::default(), empty)];
        for length in 1..=self.max_length {
            let mut n_kept = 0;
            let mut kept = Vec::new();
            for (start, so_far) in &before {
                // The letters after which the word without its first letter is kept. Words are
                // sorted.
                let rest = start.get(1..).unwrap_or_default();
                let from = before.partition_point(|it| length > 1 && it.0[..rest.len()] < *rest);
                let kept_rests = before[from..]
                    .iter()
                    .take_while(|it| length > 1 && it.0[..rest.len()] == *rest)
                    .filter_map(|it| it.0.last());
                let first_letters = if length == 1 { &all_letters[..] } else { &[] };
                let mut rules: Vec<RuleId> = start.iter().map(|it| split.rule_of(*it)).collect();
                let mut parts: Vec<u32> = start.iter().map(|it| numbers[*it as usize]).collect();
                let is_whole = start.iter().all(|it| split.is_whole(*it));
                for letter in first_letters.iter().chain(kept_rests).copied() {
                    let n_long = before.len() + kept.len();
                    let n_words = n_long + found.redundant.len();
                    let of_words = n_words * (BYTES_OF_WORD + length * size_of::<u32>());
                    watch.check(found.steps, held_before + n_long * bytes_of_kept + of_words)?;
                    found.steps += STEPS_OF_COMPOSITION;
                    bench.composer.load(so_far);
                    let appended = bench.composer.append(&letters[letter as usize]);
                    if appended.is_err() {
                        continue;
                    }
                    rules.push(split.rule_of(letter));
                    let is_whole = is_whole && split.is_whole(letter);
                    if !is_whole && !self.found_before.contains_key(&*rules) {
                        found.steps += STEPS_OF_VERDICT;
                    }
                    parts.push(numbers[letter as usize]);
                    let judged = remembered
                        .get_or_judge(&parts, || self.verdict(&mut bench, &rules, is_whole).into());
                    parts.pop();
                    rules.pop();
                    match judged {
                        Judged::Impossible => {}
                        Judged::Redundant(replacement) => found.redundant.push(SplitWord {
                            word: longer(start, letter),
                            replacement,
                        }),
                        Judged::Kept => {
                            n_kept += 1;
                            if length < self.max_length {
                                kept.push((longer(start, letter), bench.composer.to_macro_rule()));
                            }
                        }
                    }
                }
            }
            found.kept.push(n_kept);
            if kept.is_empty() {
                break;
            }
            before = kept;
        }
        Ok(found)
    }

    /// Judge the composed sequence, whose letters are parts of some rules, or these rules as a
    /// whole.
    fn verdict(&self, bench: &mut Bench, rules: &[RuleId], is_whole: bool) -> Verdict<'_> {
        let composer = &bench.composer;
        let found_before = self.found_before.get(rules);
        if is_whole || found_before.is_some() {
            let is_possible = self
                .known
                .implied(composer.preconditions(), &mut bench.implied);
            return match found_before {
                _ if !is_possible => Verdict::Impossible,
                Some(replacement) => Verdict::Redundant(replacement),
                None => Verdict::Kept,
            };
        }
        self.replacements.verdict(
            &mut bench.room,
            composer.preconditions(),
            composer.actions(),
            u64::try_from(composer.cost()).expect("costs were checked by the analysis of rules"),
            rules,
        )
    }
}

impl Remembered {
    /// Return the number of a part.
    fn number(&mut self, part: &Letter) -> u32 {
        let next = RuleId::from_index(self.parts.len()).0;
        match self.parts.get(part) {
            Some(number) => *number,
            None => *self.parts.entry(part.clone()).or_insert(next),
        }
    }

    /// Return the judgement of a sequence of parts, made by `judge` if it isn't remembered.
    fn get_or_judge(&mut self, parts: &[u32], judge: impl FnOnce() -> Judged) -> Judged {
        if let Some(judged) = self.judged.get(parts) {
            return judged.clone();
        }
        let judged = judge();
        if self.judged.len() < MOST_REMEMBERED {
            self.judged.insert(parts.into(), judged.clone());
        }
        judged
    }
}

/// Scratch space for composing and judging sequences.
struct Bench {
    composer: Composer,
    room: ReplacementRoom,
    implied: Vec<(VarId, Value)>,
}

fn longer(word: &[u32], letter: u32) -> Box<[u32]> {
    let mut longer = Vec::with_capacity(word.len() + 1);
    longer.extend_from_slice(word);
    longer.push(letter);
    longer.into()
}

/// Return the conditions that must hold besides the preconditions of a sequence and their
/// consequences, for another sequence to replace it. Empty if it never does.
///
/// # Panics
/// When the game doesn't have a rule.
pub fn missing(
    game: &Game,
    known: &dyn Admits,
    word: &[RuleId],
    replacement: &[RuleId],
) -> Vec<Equation> {
    let rules = |word: &[RuleId]| {
        let rules = word.iter().map(|it| &game.rule(*it).canonical);
        compose_all(game.n_variables(), rules).ok()
    };
    let (Some(word), Some(replacement)) = (rules(word), rules(replacement)) else {
        return Vec::new();
    };
    let mut implied = Vec::new();
    if !known.implied(word.preconditions(), &mut implied) {
        return Vec::new();
    }
    let missing = replacement.equations_to_generalize(&closed(&word, &implied));
    missing.unwrap_or_default()
}
