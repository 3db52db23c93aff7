//! Which splits pay.

use std::collections::BTreeMap;

use budget::{Limits, StopReason, Watch};
use fsm::{Dense, WordAutomaton};
use ideal_tree::{Comparison, Difference, Question};
use move_prune::{Admits, Analysis, Order};
use psvn_ir::{CanonicalRule, Equation, Game, RuleId, State, Term, VarId};

use crate::analysis::analyze;
use crate::split_game::{Split, SplitGame};

/// The depths at which a glance shows whether anything can be gained, one after the other.
const DEPTHS_OF_GLANCE: [usize; 5] = [1, 2, 3, 4, 6];

/// The depths that are tried, until the states within one are too many.
const DEPTHS: [usize; 6] = [3, 4, 6, 8, 10, 12];

/// The part of the steps that one try at a depth may take.
const PART_OF_TRY: u64 = 16;

/// A round that doubles the number of letters has to save this many times as much more.
const GAIN_OF_DOUBLING: f64 = 4.0;

/// A round makes at most so many times as many letters, or this many.
const GROWTH_OF_ROUND: usize = 6;
const LETTERS_OF_ROUND: usize = 64;

/// The sequences that one round takes into account.
const MOST_DIFFERENCES: usize = 500;

/// A tree that has this many times as many nodes as the ideal one is as good as that.
const GOOD_RATIO: f64 = 1.005;

/// What is split, and for what.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// The game.
    pub game: &'a Game,
    /// An analysis of its rules.
    pub of_rules: &'a Analysis,
    /// The order of rules of that analysis.
    pub rule_order: Option<&'a [RuleId]>,
    /// What that analysis knows of states.
    pub known: &'a dyn Admits,
    /// The root of the tree that is to get small.
    pub start: &'a State,
}

/// How much work a choice may take. Steps are counted, so that what they allow doesn't depend on
/// the machine: comparisons of sequences, and rules that are tried at states.
#[derive(Clone, Debug)]
pub struct ChoiceLimits {
    /// The most rules that the split game may have.
    pub letters: usize,
    /// The most states that are held.
    pub states: usize,
    /// The steps of a glance at what can be gained: what is taken where nothing is.
    pub glance: u64,
    /// The steps that may be taken after it, for all tries together.
    pub steps: u64,
    /// A round of splits that saves less than this part of the nodes isn't worth it, and one that
    /// makes many more letters has to save more.
    pub least_gain: f64,
    /// The time, the bytes that one comparison with the ideal tree may hold, and an interruption.
    pub limits: Limits,
}

impl ChoiceLimits {
    /// Limits for a game with some rules.
    pub fn for_rules(n_rules: usize) -> Self {
        Self {
            letters: n_rules.saturating_mul(16).clamp(1024, 4096),
            states: 5_000,
            glance: 1_000_000,
            steps: 100_000_000,
            least_gain: 0.01,
            limits: Limits {
                memory: Some(512 << 20),
                ..Limits::default()
            },
        }
    }
}

/// The splits that pay, and what they save.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The splits, sorted; none if nothing pays.
    pub splits: Vec<Split>,
    /// Why: for each split the first sequence of rules, of those near the start, that asked for it.
    pub reasons: Vec<Reason>,
    /// The depth down to which nodes were counted.
    pub depth: usize,
    /// The nodes at that depth without splits.
    pub nodes_before: u128,
    /// The nodes at that depth with the splits.
    pub nodes_after: u128,
    /// The nodes of the ideal tree at that depth.
    pub nodes_ideal: u128,
    /// The steps that were taken.
    pub steps: u64,
}

/// Why a rule is split: a sequence that could be replaced if some value were known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The rule, and by what it is split.
    pub split: Split,
    /// The sequence of rules.
    pub word: Vec<RuleId>,
    /// The rules that replace it in some states.
    pub replacement: Vec<RuleId>,
}

/// A try: splits, and the tree that they leave.
struct Try {
    depth: usize,
    split: SplitGame,
    compared: Comparison,
}

impl Try {
    /// The nodes of the tree, those at the last depth and all before.
    fn nodes(&self) -> u128 {
        self.compared.machine.nodes.iter().sum()
    }

    /// How often a sequence is kept at a state where it isn't least.
    fn n_missed(&self) -> usize {
        let differences = self.compared.differences.iter();
        differences.map(|it| it.n_states).sum()
    }

    fn ideal_nodes(&self) -> u128 {
        self.compared.ideal.nodes.iter().sum()
    }

    fn last(nodes: &[u128]) -> u128 {
        nodes.last().copied().unwrap_or(0)
    }
}

/// Look for the splits that make the tree from a start smaller.
///
/// Sequences that are kept although they aren't least in some states name conditions that would
/// have to be known. In each round the rules are split that most of these sequences ask for, as
/// long as a round pays; then splits that aren't needed are taken back. Where the machine's tree is
/// the ideal one as far as a glance shows, nothing more is tried. `None` if even the nearest
/// states are more than the limits allow.
///
/// # Errors
/// When the time is over, or it is interrupted.
pub fn choose(setting: Setting<'_>, limits: &ChoiceLimits) -> Result<Option<Choice>, StopReason> {
    let mut chooser = Chooser {
        setting,
        limits,
        watch: Watch::new(limits.limits.clone()),
        steps_left: limits.glance,
        most_letters: limits.letters,
        depth: 0,
        reasons: BTreeMap::new(),
    };
    let chosen = chooser.choose();
    chooser.watch.check_resources(0)?;
    Ok(chosen)
}

struct Chooser<'a> {
    setting: Setting<'a>,
    limits: &'a ChoiceLimits,
    watch: Watch,
    steps_left: u64,
    /// The most letters of the next try.
    most_letters: usize,
    depth: usize,
    /// The first wish for each split.
    reasons: BTreeMap<Split, Reason>,
}

impl Chooser<'_> {
    fn choose(&mut self) -> Option<Choice> {
        let limits = self.limits;
        let glance = self.glance()?;
        let mut steps = limits.glance - self.steps_left;
        self.steps_left = 0;
        let mut best = glance;
        let mut before = Try::last(&best.compared.machine.nodes);
        if !best.compared.differences.is_empty() {
            self.steps_left = limits.steps;
            if let Some(whole) = self.whole() {
                best = whole;
                before = Try::last(&best.compared.machine.nodes);
                self.refine(&mut best);
                self.take_back(&mut best);
            }
            steps += limits.steps - self.steps_left;
        }
        let splits = best.split.splits();
        let reasons = splits.iter().filter_map(|it| self.reasons.remove(it));
        Some(Choice {
            splits: splits.to_vec(),
            reasons: reasons.collect(),
            depth: best.depth,
            nodes_before: before,
            nodes_after: Try::last(&best.compared.machine.nodes),
            nodes_ideal: Try::last(&best.compared.ideal.nodes),
            steps,
        })
    }

    /// The tree without splits down to the first depth at which something can be gained, or else
    /// to the last one that the steps suffice for.
    fn glance(&mut self) -> Option<Try> {
        let mut last = None;
        for depth in DEPTHS_OF_GLANCE {
            self.depth = depth;
            let Some(next) = self.attempt(&[], 1, self.steps_left) else {
                break;
            };
            let is_over = !next.compared.differences.is_empty() || next.compared.is_all;
            last = Some(next);
            if is_over {
                break;
            }
        }
        last
    }

    /// The tree without splits down to the greatest depth that the limits allow.
    fn whole(&mut self) -> Option<Try> {
        let most_steps = self.limits.steps / PART_OF_TRY;
        let tries = DEPTHS.iter().map_while(|depth| {
            self.depth = *depth;
            self.attempt(&[], MOST_DIFFERENCES, most_steps)
        });
        let last = tries.last()?;
        self.depth = last.depth;
        Some(last)
    }

    /// Split more rules as long as that pays.
    fn refine(&mut self, best: &mut Try) {
        while best.nodes() as f64 > best.ideal_nodes() as f64 * GOOD_RATIO {
            let Some(next) = self.round(best) else {
                return;
            };
            let letters = |it: &Try| it.split.letters().len() as f64;
            let doublings = (letters(&next) / letters(best)).log2();
            let gain = self.limits.least_gain * (1.0 + GAIN_OF_DOUBLING * doublings.max(0.0));
            if next.nodes() as f64 > best.nodes() as f64 * (1.0 - gain) {
                return;
            }
            *best = next;
        }
    }

    /// The tree that some splits leave, if the limits allow them.
    fn attempt(
        &mut self,
        splits: &[Split],
        most_differences: usize,
        mut most_steps: u64,
    ) -> Option<Try> {
        let Setting {
            game,
            of_rules,
            rule_order,
            known,
            start,
        } = self.setting;
        let most_letters = self.most_letters.min(self.limits.letters);
        let most_letters = most_letters.max(game.rules().len());
        let split = SplitGame::new(game, splits, &|it| known.admits(it), most_letters).ok()?;
        let words: Vec<Vec<u32>> = if splits.is_empty() {
            of_rules.redundant_letters().collect()
        } else {
            let limits = Limits {
                nodes: Some(most_steps),
                time: self.watch.time_left(),
                ..self.limits.limits.clone()
            };
            match analyze(game, &split, of_rules, rule_order, known, &limits) {
                Ok(found) => {
                    self.steps_left = self.steps_left.saturating_sub(found.steps);
                    most_steps = most_steps.saturating_sub(found.steps);
                    found.redundant.iter().map(|it| it.word.to_vec()).collect()
                }
                Err(_) => {
                    self.steps_left = self.steps_left.saturating_sub(most_steps);
                    return None;
                }
            }
        };
        let machine = forbidding(split.letters().len(), &words)?;
        let in_file: Vec<RuleId> = game.rules_with_ids().map(|(id, _)| id).collect();
        let letter_order = split.letter_order(rule_order.unwrap_or(&in_file));
        let question = Question {
            max_length: of_rules.max_length,
            depth: self.depth,
            order: match of_rules.order {
                Order::LengthLexicographic => ideal_tree::Order::LengthLexicographic,
                Order::CostLengthLexicographic => ideal_tree::Order::CostLengthLexicographic,
            },
            rule_order: Some(&letter_order),
            most_differences,
            growth: false,
        };
        let limits = Limits {
            nodes: Some(self.limits.states as u64),
            time: self.watch.time_left(),
            ..self.limits.limits.clone()
        };
        let allowed = most_steps.min(self.steps_left);
        let mut left = allowed;
        let compared =
            Comparison::make_in_steps(split.game(), start, &machine, &question, &limits, &mut left);
        self.steps_left -= allowed - left;
        Some(Try {
            depth: self.depth,
            split,
            compared: compared.ok()?,
        })
    }

    /// The splits of a try and those that its differences ask for.
    fn round(&mut self, best: &Try) -> Option<Try> {
        let mut wishes: Vec<Wish> = best
            .compared
            .differences
            .iter()
            .filter_map(|difference| self.wish(&best.split, difference))
            .collect();
        let mut votes: BTreeMap<Split, usize> = BTreeMap::new();
        for wish in &wishes {
            for split in wish.needs.iter().flatten() {
                *votes.entry(*split).or_default() += wish.n_states;
            }
        }
        // If all are too many, those that matter most: each with all that it needs, since one value
        // without the other may be of no use.
        wishes.sort_by_key(|wish| std::cmp::Reverse(wish.n_states));
        let mut n_wishes = wishes.len();
        let letters = best.split.letters().len();
        self.most_letters = (letters * GROWTH_OF_ROUND).max(LETTERS_OF_ROUND);
        while n_wishes > 0 && self.steps_left > 0 {
            let splits = self.grant(best.split.splits(), &wishes[..n_wishes], &votes);
            if splits.len() == best.split.splits().len() {
                return None;
            }
            // Where all are too much work, some may not be.
            let most_steps = self.steps_left / 4 * 3;
            if let Some(next) = self.attempt(&splits, MOST_DIFFERENCES, most_steps) {
                return Some(next);
            }
            n_wishes /= 2;
        }
        None
    }

    /// Some splits, and the most useful ones of those that wishes ask for.
    fn grant(
        &mut self,
        splits: &[Split],
        wishes: &[Wish],
        votes: &BTreeMap<Split, usize>,
    ) -> Vec<Split> {
        let mut splits = splits.to_vec();
        for wish in wishes {
            for options in &wish.needs {
                if options.iter().any(|split| splits.contains(split)) {
                    continue;
                }
                // The first of those with the most votes.
                let most = options.iter().rev().max_by_key(|split| votes[*split]);
                if let Some(split) = most {
                    splits.push(*split);
                    self.reasons.entry(*split).or_insert_with(|| Reason {
                        split: *split,
                        word: wish.word.clone(),
                        replacement: wish.replacement.clone(),
                    });
                }
            }
        }
        splits
    }

    /// What would have to be known for a sequence to be redundant, as splits.
    fn wish(&self, split: &SplitGame, difference: &Difference) -> Option<Wish> {
        let mut needed: Vec<VarId> = Vec::new();
        let Setting { game, known, .. } = self.setting;
        for Equation { position, term } in split.missing_within(game, known, difference) {
            needed.push(position);
            needed.extend(term.as_variable());
        }
        needed.sort_unstable();
        needed.dedup();
        self.leave_out_implied(split, difference, &mut needed);
        if needed.is_empty() {
            return None;
        }
        let places = needed.iter();
        let needs: Vec<Vec<Split>> = places
            .map(|position| self.options(split, &difference.word, *position))
            .collect();
        let rules = |letters: &[RuleId]| letters.iter().map(|it| split.rule_of(it.0)).collect();
        Some(Wish {
            word: rules(&difference.word),
            replacement: rules(&difference.replacement),
            needs,
            n_states: difference.n_states,
        })
    }

    /// Leave out positions whose values follow where those of the others are known.
    fn leave_out_implied(
        &self,
        split: &SplitGame,
        difference: &Difference,
        needed: &mut Vec<VarId>,
    ) {
        let n_variables = self.setting.game.n_variables();
        let parts = difference.word.iter();
        let parts = parts.map(|letter| &split.game().rule(*letter).canonical);
        let Ok(word) = macro_compose::compose_all(n_variables, parts) else {
            return;
        };
        let mut implied = Vec::new();
        for position in needed.clone().into_iter().rev() {
            let mut preconditions = word.preconditions().to_vec();
            for other in needed.iter().filter(|other| **other != position) {
                let value = difference.state.values()[other.index()];
                preconditions[other.index()] = Term::constant(value);
            }
            let vector = CanonicalRule::canonicalize(&preconditions, word.actions(), 0);
            let known = self.setting.known;
            known.implied(vector.preconditions(), &mut implied);
            if implied.iter().any(|(it, _)| *it == position) {
                needed.retain(|it| *it != position);
            }
        }
    }

    /// The splits by which a sequence of parts would know what a position holds at its beginning:
    /// by the position itself, or by one to which the value has been moved.
    fn options(&self, split: &SplitGame, word: &[RuleId], position: VarId) -> Vec<Split> {
        let n_variables = self.setting.game.n_variables();
        let mut options = Vec::new();
        let mut so_far = CanonicalRule::identity(n_variables);
        for letter in word {
            let value = so_far.preconditions()[position.index()];
            let part = &split.game().rule(*letter).canonical;
            for (place, term) in so_far.actions().iter().enumerate() {
                if *term != value {
                    continue;
                }
                if let Some(place) = part.preconditions()[place].as_variable() {
                    let option = Split {
                        rule: split.rule_of(letter.0),
                        position: place,
                    };
                    if !options.contains(&option) {
                        options.push(option);
                    }
                }
            }
            match macro_compose::compose(&so_far, part) {
                Ok(longer) => so_far = longer,
                Err(_) => break,
            }
        }
        options
    }

    /// Take splits back that aren't needed anywhere near the start, the last one first.
    fn take_back(&mut self, best: &mut Try) {
        for split in best.split.splits().to_vec().into_iter().rev() {
            let all = best.split.splits().iter().copied();
            let fewer: Vec<Split> = all.filter(|it| *it != split).collect();
            match self.attempt(&fewer, MOST_DIFFERENCES, self.steps_left) {
                Some(next)
                    if next.nodes() <= best.nodes() && next.n_missed() <= best.n_missed() =>
                {
                    *best = next;
                }
                Some(_) => {}
                None => return,
            }
        }
    }
}

/// What a sequence lacks to be redundant in some states.
struct Wish {
    word: Vec<RuleId>,
    replacement: Vec<RuleId>,
    /// For each value that isn't known, the splits by which it would be.
    needs: Vec<Vec<Split>>,
    n_states: usize,
}

/// The machine that forbids some words, if it can be built.
fn forbidding(n_letters: usize, words: &[Vec<u32>]) -> Option<Dense> {
    let n_letters = u32::try_from(n_letters).ok()?;
    WordAutomaton::forbidding(n_letters, words)
        .and_then(|automaton| automaton.build())
        .ok()
}
