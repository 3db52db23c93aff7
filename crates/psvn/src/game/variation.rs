//! Games with other goals than their text, or with only some of their rules.

use std::collections::HashSet;

use abstraction::{Mapped, Symmetry};
use budget::Choice;
use psvn_ir::{Goal, RuleNameError, State, Term, VarId};
use search::GoalStates;
use serde::{Deserialize, Serialize};

use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;
use crate::text::units::group_digits;
use crate::text::{Message, Parameter, message};

/// The maximum number of symmetries whose images of the goals count.
const MOST_SYMMETRIES: usize = 1024;

/// The maximum number of combinations of values that are tried to list the states that match a
/// pattern.
const MOST_MATCHES: u128 = 1 << 24;

/// What symmetries map whose images of the goals count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum GoalSymmetries {
    /// Positions, as a turn of a board does; values stay what they are
    #[default]
    Positions,
    /// Values, as other names of the tiles do; positions stay where they are
    Values,
    /// Positions and values
    All,
}

impl GoalSymmetries {
    fn mapped(self) -> Mapped {
        match self {
            Self::Positions => Mapped::Positions,
            Self::Values => Mapped::Values,
            Self::All => Mapped::All,
        }
    }
}

impl Choice for GoalSymmetries {
    const ALL: &'static [Self] = &[Self::Positions, Self::Values, Self::All];

    fn name(self) -> &'static str {
        match self {
            Self::Positions => "positions",
            Self::Values => "values",
            Self::All => "all",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::Positions => "Positions, as a turn of a board does; values stay what they are",
            Self::Values => "Values, as other names of the tiles do; positions stay where they are",
            Self::All => "Positions and values",
        }
    }
}

/// What is changed in a game after it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variation {
    /// The goals in place of those of the text, of which one is to be reached: values in order, or
    /// `-` for any value. Where there are none, the goals of the text stay.
    pub goals: Vec<String>,
    /// The labels of the rules that stay, in any case. Where there are none, all rules stay.
    pub rules: Vec<String>,
    /// Which symmetries of the rules count: a state is a goal if any of them maps it to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal_symmetries: Option<GoalSymmetries>,
}

impl Variation {
    /// Return whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.goals.is_empty() && self.rules.is_empty() && self.goal_symmetries.is_none()
    }
}

impl Game {
    /// Return this game with other goals or only some of its rules. Costs that instance files know
    /// are about the game of the text, so they are left out of account.
    ///
    /// # Errors
    /// When a goal isn't a state with some values left open, no rule has a label, or the rules have
    /// no symmetries or too many.
    ///
    /// ```
    /// use psvn::{Environment, Game, Variation};
    ///
    /// let env = Environment::default();
    /// let game = Game::built_in("pancake:4", &env)?;
    /// let variation = Variation {
    ///     goals: vec!["4 - - 1".to_owned()],
    ///     ..Variation::default()
    /// };
    /// let varied = game.varied(&variation)?;
    /// let state = game.state("a state", "4 2 3 1")?;
    /// assert!(varied.ir().is_goal(state.values()));
    /// # Ok::<(), psvn::Error>(())
    /// ```
    pub fn varied(&self, variation: &Variation) -> Result<Self, Error> {
        if variation.is_empty() {
            return Ok(self.clone());
        }
        let mut varied = self.clone();
        if !variation.rules.is_empty() {
            varied = varied.with_rules_of(self.only_rules(&variation.rules)?);
        }
        if !variation.goals.is_empty() {
            let goals = variation.goals.iter().map(|text| self.goal(text));
            let goals: Vec<Goal> = goals.collect::<Result<_, _>>()?;
            varied = varied.with_rules_of(varied.game.with_goals(goals));
        }
        if let Some(symmetries) = variation.goal_symmetries {
            let goals = varied.images_of_goals(symmetries)?;
            varied = varied.with_rules_of(varied.game.with_goals(goals));
        }
        // The words of states are the user's, and the variation may be read elsewhere.
        let spelled = |text: &String| {
            let words = text.split_whitespace();
            let values: Vec<&str> = words.map(|word| self.words.value_of(word)).collect();
            values.join(" ")
        };
        varied.variation = Variation {
            goals: variation.goals.iter().map(spelled).collect(),
            rules: variation.rules.clone(),
            goal_symmetries: variation.goal_symmetries,
        };
        Ok(varied)
    }

    /// Return what was changed in this game after it was read.
    pub fn variation(&self) -> &Variation {
        &self.variation
    }

    /// The goals and their images under symmetries of the rules, each one once.
    ///
    /// These are goals as others are, so all that is proved of searches holds for them.
    fn images_of_goals(&self, symmetries: GoalSymmetries) -> Result<Vec<Goal>, Error> {
        let game = &self.game;
        let group = Symmetry::group_of_rules(symmetries.mapped(), game, MOST_SYMMETRIES);
        let what = match symmetries {
            GoalSymmetries::Positions => "positions",
            GoalSymmetries::Values => "values",
            GoalSymmetries::All => "positions and values",
        };
        let Some(group) = group else {
            let most = group_digits(MOST_SYMMETRIES as u128);
            let problem = format!(": the rules have more than {most} symmetries of {what}");
            let refusal = Error::usage(message![Message::from(Parameter::GoalSymmetries), problem]);
            return Err(refusal.with_hint(message![
                "name the goals by `",
                Parameter::Goal,
                "`, with `-` for any value"
            ]));
        };
        if group.len() == 1 {
            let problem = format!(": the rules have no symmetries of {what}");
            let refusal = Error::usage(message![Message::from(Parameter::GoalSymmetries), problem]);
            return Err(refusal.with_hint(match symmetries {
                GoalSymmetries::Positions => {
                    "`values` are other names of values, and `all` is both"
                }
                GoalSymmetries::Values => "`positions` are turns of a board, and `all` is both",
                GoalSymmetries::All => "leave it out",
            }));
        }
        let mut goals: Vec<Goal> = Vec::new();
        let mut seen = HashSet::new();
        for symmetry in &group {
            for goal in game.goals() {
                let image = symmetry.image_of_goal(game, goal);
                if seen.insert(image.conditions().to_vec()) {
                    goals.push(image);
                }
            }
        }
        Ok(goals)
    }

    /// The rules with some labels.
    fn only_rules(&self, labels: &[String]) -> Result<psvn_ir::Game, Error> {
        let names = self.rule_names();
        for label in labels {
            if names.labeled(label).is_empty() {
                return Err(self.not_a_label(label, names.resolve(label).err()));
            }
        }
        let labels: HashSet<String> = labels.iter().map(|it| it.to_ascii_lowercase()).collect();
        let stays = |label: &str| labels.contains(&label.to_ascii_lowercase());
        Ok(self.game.with_rules_labeled(stays))
    }

    /// The error that no rule has a label.
    fn not_a_label(&self, word: &str, error: Option<RuleNameError>) -> Error {
        let what = Message::from(Parameter::Rules);
        match error {
            Some(error) => {
                let hint = error.hint();
                let error = Error::input(message![what, format!(": {error}")]);
                match hint {
                    Some(hint) => error.with_hint(hint),
                    None => error,
                }
            }
            None => {
                let problem = format!(": `{word}` names one rule, and labels are expected");
                Error::input(message![what, problem]).with_hint("a label stands for all its rules")
            }
        }
    }

    /// Read a goal: a state in which `-` leaves values open.
    fn goal(&self, text: &str) -> Result<Goal, Error> {
        self.pattern(Parameter::Goal, text)
    }

    /// Return the states that match a pattern: a state in which `-` leaves values open. Of those
    /// with open values, the ones count that have the invariants of the goals, such as that each
    /// tile is somewhere.
    ///
    /// # Errors
    /// When the text is no such pattern, too many states match it, or none with the invariants.
    ///
    /// ```
    /// use psvn::{Environment, Game};
    ///
    /// let env = Environment::default();
    /// let game = Game::built_in("pancake:5", &env)?;
    /// assert_eq!(game.states_matching("the start", "- - 3 4 5", &env)?.len(), 2);
    /// # Ok::<(), psvn::Error>(())
    /// ```
    pub fn states_matching(
        &self,
        what: impl Into<Message>,
        text: &str,
        env: &Environment,
    ) -> Result<Vec<State>, Error> {
        let what = what.into();
        if !text.split_whitespace().any(|word| word == "-") {
            return Ok(vec![self.state(what, text)?]);
        }
        let pattern = self.pattern(what.clone(), text)?;
        let game = self.ir().with_goals([pattern]);
        if GoalStates::count_all(&game).is_none_or(|count| count > MOST_MATCHES) {
            let problem = format!(
                ": more than {} combinations of values match `{text}`",
                group_digits(MOST_MATCHES)
            );
            let refusal = Error::usage(message![what, problem]);
            return Err(refusal.with_hint("leave fewer values open"));
        }
        let known = env.invariants_of_goals(self.ir());
        let states: Vec<State> = GoalStates::of(&game)
            .filter(|state| known.check_state(self.ir(), state).is_ok())
            .collect();
        if states.is_empty() {
            let problem = format!(": no state that leads to a goal matches `{text}`");
            return Err(Error::input(message![what, problem]));
        }
        Ok(states)
    }

    /// Read a state in which `-` leaves values open.
    fn pattern(&self, what: impl Into<Message>, text: &str) -> Result<Goal, Error> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let is_open = |place: usize| words.get(place) == Some(&"-");
        // Any value stands for those that are open, so that the others are read as in a state.
        let filled = words.iter().enumerate().map(|(place, word)| {
            let is_variable = place < self.ir().n_variables();
            if is_variable && is_open(place) {
                self.ir().domain_of(VarId::from_index(place)).values()[0].as_str()
            } else {
                word
            }
        });
        let filled = filled.collect::<Vec<_>>().join(" ");
        let state = if words.contains(&"-") {
            self.possible_state(what.into(), &filled)?
        } else {
            self.state(what, text)?
        };
        let term = |(place, value): (usize, &psvn_ir::Value)| {
            if is_open(place) {
                Term::variable(VarId::from_index(place))
            } else {
                Term::constant(*value)
            }
        };
        let terms: Vec<Term> = state.values().iter().enumerate().map(term).collect();
        Ok(Goal::new(&terms, None))
    }
}
