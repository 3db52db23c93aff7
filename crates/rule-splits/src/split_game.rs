//! The game whose rules are the parts of another game's rules.

use budget::{StopReason, Watch};
use ideal_tree::Difference;
use macro_compose::compose_all;
use move_prune::{Admits, closed};
use psvn_ir::{CanonicalRule, Equation, Game, RuleId, Term, TermKind, Value, VarId};

use crate::parts::{PartsOf, rebuilt, under};

/// A rule, and a position by whose value it is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Split {
    /// The rule.
    pub rule: RuleId,
    /// The position. If the rule fixes its value, the split does nothing.
    pub position: VarId,
}

impl Split {
    /// Return the splits of each rule by each variable.
    pub fn all(game: &Game) -> Vec<Self> {
        let positions = || (0..game.n_variables()).map(VarId::from_index);
        let rules = game.rules_with_ids().map(|(rule, _)| rule);
        rules
            .flat_map(|rule| positions().map(move |position| Self { rule, position }))
            .collect()
    }
}

/// A rule of a split game: a rule of the game, under some conditions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Letter {
    /// The rule.
    pub rule: RuleId,
    /// Its further conditions: the values of the positions by which it is split.
    pub conditions: Vec<Equation>,
}

/// The reasons why rules can't be split.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SplitError {
    /// Parts are listed for more rules or fewer than the game has.
    #[error("the machine's parts are those of other rules")]
    OtherRules,
    /// A part belongs to no rule of the game.
    #[error("part {} belongs to no rule of the game", letter + 1)]
    NoPart {
        /// The place of the part, from 0.
        letter: usize,
    },
    /// There would be more parts than allowed.
    #[error("the rules would be split into more than {limit} parts")]
    TooManyLetters {
        /// The greatest number.
        limit: usize,
    },
    /// A limit on time, or an interrupt, stopped it.
    #[error("splitting the rules was stopped: {0}")]
    Stopped(StopReason),
}

/// A game in which some rules are replaced by their parts. It has the same states, and from each
/// state the same moves at the same costs.
#[derive(Clone, Debug)]
pub struct SplitGame {
    game: Game,
    letters: Vec<Letter>,
    /// The first letter of each rule, and the end of the last ones.
    first_letter: Vec<u32>,
    splits: Vec<Split>,
}

impl SplitGame {
    /// Split rules of a game. The letters of a rule take the rule's place, sorted by the values of
    /// the positions in their order.
    ///
    /// `admits` returns whether any state that matters satisfies some preconditions; parts without
    /// such states are left out, so in other states the split game may lack moves.
    ///
    /// # Errors
    /// When there would be more than `most_letters` rules.
    ///
    /// # Panics
    /// When a split names a rule or a position that the game doesn't have.
    pub fn new(
        game: &Game,
        splits: &[Split],
        admits: &dyn Fn(&[Term]) -> bool,
        most_letters: usize,
    ) -> Result<Self, SplitError> {
        Self::within(game, splits, admits, most_letters, &Watch::default())
    }

    /// The same within a limit on time.
    ///
    /// # Errors
    /// As [`new`](Self::new), and when the time is over or the caller asks to stop.
    ///
    /// # Panics
    /// As [`new`](Self::new).
    pub fn within(
        game: &Game,
        splits: &[Split],
        admits: &dyn Fn(&[Term]) -> bool,
        most_letters: usize,
        watch: &Watch,
    ) -> Result<Self, SplitError> {
        let mut splits = splits.to_vec();
        splits.sort_unstable();
        splits.dedup();
        let mut letters = Vec::new();
        let mut parts = Vec::new();
        let mut first_letter = vec![0];
        for (id, rule) in game.rules_with_ids() {
            let of_rule = splits.iter().filter(|split| split.rule == id);
            let mut positions: Vec<VarId> = of_rule
                .filter_map(|it| rule.canonical.preconditions()[it.position.index()].as_variable())
                .collect();
            positions.sort_unstable();
            positions.dedup();
            let of_rule = PartsOf {
                game,
                rule: &rule.canonical,
                positions: &positions,
                admits,
                watch,
            };
            let mut add = |values: &[Value], part: CanonicalRule| {
                if letters.len() == most_letters {
                    return Err(SplitError::TooManyLetters {
                        limit: most_letters,
                    });
                }
                let conditions = positions.iter().zip(values);
                let conditions = conditions.map(|(position, value)| Equation {
                    position: *position,
                    term: Term::constant(*value),
                });
                letters.push(Letter {
                    rule: id,
                    conditions: conditions.collect(),
                });
                parts.push(part);
                Ok(())
            };
            of_rule.each(&mut Vec::new(), &mut add)?;
            first_letter.push(RuleId::from_index(letters.len()).0);
        }
        Ok(Self {
            game: rebuilt(game, &letters, &parts),
            letters,
            first_letter,
            splits,
        })
    }

    /// Make a game with these parts of rules, which must be sorted by rule. Whether they are
    /// disjoint and complete isn't checked.
    ///
    /// # Errors
    /// When a part belongs to no rule, comes before a part of an earlier rule, or has a condition
    /// that isn't a value of the game or contradicts the rule.
    pub fn of_letters(game: &Game, letters: Vec<Letter>) -> Result<Self, SplitError> {
        let mut parts = Vec::with_capacity(letters.len());
        let mut splits = Vec::new();
        let mut first_letter = vec![0];
        for (place, letter) in letters.iter().enumerate() {
            let no_part = || SplitError::NoPart { letter: place };
            if letter.rule.index() >= game.rules().len()
                || letter.rule.index() + 1 < first_letter.len()
            {
                return Err(no_part());
            }
            while first_letter.len() <= letter.rule.index() {
                first_letter.push(RuleId::from_index(place).0);
            }
            let rule = &game.rule(letter.rule).canonical;
            let mut positions = Vec::new();
            let mut values = Vec::new();
            for Equation { position, term } in &letter.conditions {
                let value = term.as_constant().ok_or_else(no_part)?;
                let is_known = position.index() < game.n_variables()
                    && value.index() < game.domain_of(*position).size();
                if !is_known {
                    return Err(no_part());
                }
                match rule.preconditions()[position.index()].kind() {
                    TermKind::Constant(fixed) if fixed == value => {}
                    TermKind::Variable(first) if !positions.contains(&first) => {
                        positions.push(first);
                        values.push(value);
                        splits.push(Split {
                            rule: letter.rule,
                            position: first,
                        });
                    }
                    _ => return Err(no_part()),
                }
            }
            parts.push(under(rule, &positions, &values));
        }
        first_letter.resize(game.rules().len() + 1, RuleId::from_index(letters.len()).0);
        splits.sort_unstable();
        splits.dedup();
        Ok(Self {
            game: rebuilt(game, &letters, &parts),
            letters,
            first_letter,
            splits,
        })
    }

    /// Return the game whose rules are the parts.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Return, for each rule of the split game, the part that it is.
    pub fn letters(&self) -> &[Letter] {
        &self.letters
    }

    /// Return the rule that a letter is a part of.
    ///
    /// # Panics
    /// When there is no such letter.
    pub fn rule_of(&self, letter: u32) -> RuleId {
        self.letters[letter as usize].rule
    }

    /// The number of rules of the game that was split.
    pub(crate) fn n_unsplit_rules(&self) -> usize {
        self.first_letter.len() - 1
    }

    /// Return the letters of a rule.
    ///
    /// # Panics
    /// When the game has no such rule.
    pub fn letters_of(&self, rule: RuleId) -> std::ops::Range<u32> {
        self.first_letter[rule.index()]..self.first_letter[rule.index() + 1]
    }

    /// Return whether a letter is an unsplit rule.
    ///
    /// # Panics
    /// When there is no such letter.
    pub fn is_whole(&self, letter: u32) -> bool {
        self.letters[letter as usize].conditions.is_empty()
    }

    /// Return the letter of a rule at a state to which the rule applies; `None` if the part for
    /// this state was left out.
    ///
    /// # Panics
    /// When the game has no such rule, or the state belongs to another game.
    pub fn letter_at(&self, rule: RuleId, state: &[Value]) -> Option<RuleId> {
        let holds = |letter: &u32| {
            let mut conditions = self.letters[*letter as usize].conditions.iter();
            conditions.all(|it| it.holds_in(state))
        };
        self.letters_of(rule).find(holds).map(RuleId)
    }

    /// Return the splits, sorted.
    pub fn splits(&self) -> &[Split] {
        &self.splits
    }

    /// Return the conditions that must be known in the state of a difference between a machine over
    /// the letters and the ideal tree, besides the preconditions of the kept sequence of parts, for
    /// the rules of the other sequence to replace it.
    ///
    /// # Panics
    /// When the difference belongs to another split game, or `game` isn't the one that was split.
    pub fn missing(&self, game: &Game, difference: &Difference) -> Vec<Equation> {
        self.missing_within(game, &|_: &[Term]| true, difference)
    }

    /// Like [`missing`](Self::missing), if some values are known besides the preconditions.
    pub(crate) fn missing_within(
        &self,
        game: &Game,
        known: &dyn Admits,
        difference: &Difference,
    ) -> Vec<Equation> {
        let n_variables = game.n_variables();
        let parts = difference.word.iter();
        let parts = parts.map(|letter| &self.game.rule(*letter).canonical);
        let word = compose_all(n_variables, parts).expect("a state allows the sequence");
        let rules = difference.replacement.iter();
        let rules = rules.map(|letter| &game.rule(self.rule_of(letter.0)).canonical);
        let replacement = compose_all(n_variables, rules).expect("the same state allows it");
        let mut implied = Vec::new();
        known.implied(word.preconditions(), &mut implied);
        let missing = replacement.equations_to_generalize(&closed(&word, &implied));
        missing.expect("both lead from the state to the same one")
    }

    /// Return the letters in an order that refines one of the rules.
    pub fn letter_order(&self, rule_order: &[RuleId]) -> Vec<RuleId> {
        let letters = rule_order.iter().flat_map(|rule| self.letters_of(*rule));
        letters.map(RuleId).collect()
    }
}
