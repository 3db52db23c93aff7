//! The analysis: all sequences up to a length, breadth first.

use std::collections::HashSet;
use std::time::Duration;

use macro_compose::{Composer, PreparedRule};
use psvn_ir::{CanonicalRule, RuleId, Term};

use crate::follow::FollowIndex;
use crate::limits::{Limits, Progress, StopReason, Watch};
use crate::retrieval::{DiscriminationTree, Facts};
use crate::words::{WordId, WordTree};

/// What to analyze, and how far.
#[derive(Clone, Debug)]
pub struct Options {
    /// The length of the longest sequences that are compared: the papers' l. 1 finds redundant single
    /// rules, 0 nothing.
    pub max_length: usize,
    /// What the analysis may use.
    pub limits: Limits,
}

impl Options {
    /// Sequences up to a length, without limits.
    pub fn up_to(max_length: usize) -> Self {
        Self {
            max_length,
            limits: Limits::default(),
        }
    }
}

/// A redundant word, with its certificate.
///
/// All its proper parts are kept words: no redundant word contains another one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RedundantWord {
    /// The word.
    pub word: Box<[RuleId]>,
    /// A kept word that comes before it in the order, costs no more, can be used wherever the
    /// redundant word can, and then leads to the same state.
    pub replacement: Box<[RuleId]>,
}

/// What was found at one length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// The length of the sequences.
    pub length: usize,
    /// The sequences that were composed: those without redundant parts, and without neighbors that
    /// can't follow each other.
    pub composed: u64,
    /// Those that can't be carried out from any state.
    pub invalid: u64,
    /// Those that are redundant.
    pub redundant: u64,
    /// Those that are kept.
    pub kept: u64,
    /// The time that the level took.
    pub elapsed: Duration,
    /// The bytes held at its end.
    pub bytes: usize,
}

/// The result of an analysis.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The number of rules.
    pub n_rules: usize,
    /// The length up to which the analysis is complete.
    pub max_length: usize,
    /// Why it stopped before the length that was asked for, if it did. What it holds is sound either
    /// way.
    pub stopped: Option<StopReason>,
    /// What was found at each length from 1 on.
    pub levels: Vec<Level>,
    /// The kept words.
    pub kept: WordTree,
    /// The redundant words, by length and then by the numbers of their rules.
    pub redundant: Vec<RedundantWord>,
}

impl RedundantWord {
    /// The word as letters of a machine: the numbers of its rules.
    pub fn letters(&self) -> Vec<u32> {
        self.word.iter().map(|rule| rule.0).collect()
    }
}

impl Analysis {
    /// Whether the analysis went as far as it was asked to.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none()
    }

    /// The redundant words as letters of a machine, in order: what a machine must forbid.
    pub fn redundant_letters(&self) -> impl Iterator<Item = Vec<u32>> + '_ {
        self.redundant.iter().map(RedundantWord::letters)
    }

    /// The kept words of one length as letters of a machine, in order.
    ///
    /// # Panics
    /// When `length` is greater than [`max_length`](Self::max_length).
    pub fn kept_letters(&self, length: usize) -> impl Iterator<Item = Vec<u32>> + '_ {
        let letters = |word| self.kept.letters(word).iter().map(|rule| rule.0).collect();
        self.kept.of_length(length).map(letters)
    }

    /// The pairs of kept rules of which the second can never follow the first, in order. Empty unless
    /// pairs were analyzed.
    ///
    /// That is a fact about this game alone. Redundancy carries over to abstract versions of a game
    /// in which values are merged; impossibility doesn't.
    pub fn impossible_pairs(&self) -> impl Iterator<Item = [RuleId; 2]> + '_ {
        let pairs = self
            .redundant
            .iter()
            .filter(|redundant| redundant.word.len() == 2);
        let redundant: HashSet<&[RuleId], ahash::RandomState> =
            pairs.map(|redundant| &*redundant.word).collect();
        let singles: Vec<(RuleId, WordId)> = if self.max_length >= 2 {
            self.kept.children(WordId::EMPTY).collect()
        } else {
            Vec::new()
        };
        let letters: Vec<RuleId> = singles.iter().map(|(letter, _)| *letter).collect();
        singles.into_iter().flat_map(move |(first, word)| {
            let mut kept = self
                .kept
                .children(word)
                .map(|(letter, _)| letter)
                .peekable();
            let mut impossible = Vec::new();
            for second in &letters {
                if kept.next_if_eq(second).is_none()
                    && !redundant.contains([first, *second].as_slice())
                {
                    impossible.push([first, *second]);
                }
            }
            impossible
        })
    }
}

/// Finds all redundant words up to a length that contain no shorter redundant word.
///
/// `rules` are compared in the order in which they stand. Time and memory grow with the number of
/// kept words; see the crate's documentation.
///
/// # Panics
/// When the rules don't all have `n_variables` positions.
pub fn analyze(
    n_variables: usize,
    rules: &[CanonicalRule],
    options: &Options,
    mut progress: impl FnMut(&Progress),
) -> Analysis {
    let mut search = Breadth::new(n_variables, rules, &options.limits);
    let mut levels = Vec::new();
    let mut stopped = None;
    for length in 1..=options.max_length {
        let span = tracing::debug_span!("level", length);
        let _entered = span.enter();
        match search.level(length, &mut progress) {
            Ok(level) => levels.push(level),
            Err(reason) => {
                stopped = Some(reason);
                break;
            }
        }
    }
    Analysis {
        n_rules: rules.len(),
        max_length: levels.len(),
        stopped,
        levels,
        kept: search.words,
        redundant: search.redundant,
    }
}

/// The macro-rules of the kept words of one length, in the order of the words.
#[derive(Debug, Default)]
struct MacroRules {
    /// For each word its preconditions and then its actions.
    terms: Vec<Term>,
    costs: Vec<u64>,
}

impl MacroRules {
    fn push(&mut self, preconditions: &[Term], actions: &[Term], cost: u64) {
        self.terms.extend_from_slice(preconditions);
        self.terms.extend_from_slice(actions);
        self.costs.push(cost);
    }

    fn get(&self, index: usize, n_variables: usize) -> (&[Term], &[Term], u64) {
        let row = &self.terms[index * 2 * n_variables..][..2 * n_variables];
        let (preconditions, actions) = row.split_at(n_variables);
        (preconditions, actions, self.costs[index])
    }

    fn bytes(&self) -> usize {
        self.terms.capacity() * size_of::<Term>() + self.costs.capacity() * size_of::<u64>()
    }
}

/// How many words are extended or composed, about, between two looks at the limits.
const WORK_BETWEEN_CHECKS: usize = 2048;

struct Breadth<'a> {
    n_variables: usize,
    rules: Vec<PreparedRule>,
    follow: FollowIndex,
    tree: DiscriminationTree<WordId>,
    words: WordTree,
    /// The macro-rules of the longest words.
    frontier: MacroRules,
    redundant: Vec<RedundantWord>,
    redundant_bytes: usize,
    watch: Watch<'a>,
}

impl<'a> Breadth<'a> {
    fn new(n_variables: usize, rules: &[CanonicalRule], limits: &'a Limits) -> Self {
        let empty_word = CanonicalRule::identity(n_variables);
        let (p, a) = (empty_word.preconditions(), empty_word.actions());
        let mut tree = DiscriminationTree::new(n_variables);
        tree.insert(p, a, 0, WordId::EMPTY);
        let mut frontier = MacroRules::default();
        frontier.push(p, a, 0);
        Self {
            n_variables,
            rules: rules.iter().map(PreparedRule::new).collect(),
            follow: FollowIndex::new(n_variables, rules),
            tree,
            words: WordTree::new(),
            frontier,
            redundant: Vec::new(),
            redundant_bytes: 0,
            watch: Watch::new(limits),
        }
    }

    fn bytes(&self, next: &MacroRules) -> usize {
        self.tree.bytes()
            + self.words.bytes()
            + self.frontier.bytes()
            + next.bytes()
            + self.redundant_bytes
    }

    /// Extends all words of length `length - 1`.
    fn level(
        &mut self,
        length: usize,
        progress: &mut impl FnMut(&Progress),
    ) -> Result<Level, StopReason> {
        let started = self.watch.elapsed();
        let n_redundant_before = self.redundant.len();
        let mut level = Level {
            length,
            ..Level::default()
        };
        let mut next = MacroRules::default();
        let mut composer = Composer::new(self.n_variables);
        let mut candidates = self.follow.empty_set();
        let mut letters: Vec<(RuleId, WordId)> = Vec::new();
        let mut facts = Facts::default();
        let parents = self.words.of_length(length - 1);
        let total = parents.len();
        let mut work_since_check = WORK_BETWEEN_CHECKS;
        for (done, parent) in parents.enumerate() {
            work_since_check += 1;
            if work_since_check > WORK_BETWEEN_CHECKS {
                work_since_check = 0;
                let bytes = self.bytes(&next);
                progress(&Progress {
                    length,
                    done,
                    total,
                    elapsed: self.watch.elapsed(),
                    bytes,
                });
                let full = (!self.words.has_room()).then_some(StopReason::Memory);
                if let Some(reason) = full.or_else(|| self.watch.check(bytes)) {
                    self.words.undo_level();
                    self.redundant.truncate(n_redundant_before);
                    return Err(reason);
                }
            }
            let (p, a, cost) = self.frontier.get(done, self.n_variables);
            self.follow.candidates(a, &mut candidates);
            letters.clear();
            if parent == WordId::EMPTY {
                // A single rule's longest proper suffix is the empty word.
                let rules = (0..self.rules.len()).map(RuleId::from_index);
                letters.extend(rules.map(|rule| (rule, WordId::EMPTY)));
            } else {
                // Every other letter would make a word whose end is redundant or impossible.
                letters.extend(self.words.children(self.words.suffix(parent)));
            }
            self.words.open(parent);
            for (rule, suffix) in letters
                .drain(..)
                .filter(|(rule, _)| candidates.contains(*rule))
            {
                level.composed += 1;
                work_since_check += 1;
                composer.load_parts(p, a, cost);
                if composer.append(&self.rules[rule.index()]).is_err() {
                    level.invalid += 1;
                    continue;
                }
                let (p, a, cost) = (
                    composer.preconditions(),
                    composer.actions(),
                    composer.cost(),
                );
                self.tree.list_facts(p, a, &mut facts);
                if let Some(earlier) = self.tree.find(&facts, cost) {
                    level.redundant += 1;
                    let mut word = self.words.letters(parent);
                    word.push(rule);
                    let replacement = self.words.letters(earlier);
                    self.redundant_bytes += size_of::<RedundantWord>()
                        + (word.len() + replacement.len()) * size_of::<RuleId>();
                    self.redundant.push(RedundantWord {
                        word: word.into(),
                        replacement: replacement.into(),
                    });
                } else {
                    level.kept += 1;
                    let id = self.words.push(parent, rule, suffix);
                    self.tree.insert(p, a, cost, id);
                    next.push(p, a, cost);
                }
            }
        }
        self.words.close_level();
        self.frontier = next;
        level.elapsed = self.watch.elapsed() - started;
        level.bytes = self.bytes(&MacroRules::default());
        tracing::debug!(?level, "level complete");
        Ok(level)
    }
}
