//! Rules at states, as letters of a machine.

use psvn_ir::{Game, RuleId, Value};

use crate::space::{Edge, Space};

/// Marks a missing letter.
const NONE: u32 = u32::MAX;

/// The letters that a machine reads. They are rules, or rules of another game with the same states
/// and moves, in which several rules may represent one rule at different states.
#[derive(Clone, Copy)]
pub struct Letters<'a> {
    /// The game whose rules the letters are.
    game: &'a Game,
    /// The letter of a rule at a state, if it isn't the rule itself.
    of_rule: Option<&'a LetterOf<'a>>,
}

/// Maps a rule and a state to which it applies to a letter, or to `None` if the machine's game
/// lacks this move.
pub type LetterOf<'a> = dyn Fn(RuleId, &[Value]) -> Option<RuleId> + 'a;

impl<'a> Letters<'a> {
    /// Return the rules of a game.
    pub fn rules(game: &'a Game) -> Self {
        Self {
            game,
            of_rule: None,
        }
    }

    /// Return the rules of another game, each of which represents a rule at some states.
    pub fn parts(game: &'a Game, of_rule: &'a LetterOf<'a>) -> Self {
        Self {
            game,
            of_rule: Some(of_rule),
        }
    }

    /// Return the game whose rules the letters are.
    pub(crate) fn game(&self) -> &'a Game {
        self.game
    }
}

/// The moves between the states of a space, with their letters.
pub(crate) struct Moves<'a> {
    pub(crate) space: &'a Space,
    /// The letter of each edge, if it isn't the rule.
    letters: Option<Vec<u32>>,
}

impl<'a> Moves<'a> {
    pub(crate) fn new(space: &'a Space, letters: &Letters<'_>) -> Self {
        let letters = letters.of_rule.map(|of_rule| {
            let letter = |(state, edge): (u32, Edge)| {
                let letter = of_rule(RuleId(edge.rule), space.values(state));
                letter.map_or(NONE, |letter| letter.0)
            };
            space.all_edges().map(letter).collect()
        });
        Self { space, letters }
    }

    /// Return the moves at a state, in the order of the rules, each with its letter.
    pub(crate) fn at(&self, state: u32) -> impl Iterator<Item = (u32, Edge)> + '_ {
        let first = self.space.places(state).start;
        let edges = self.space.edges(state).iter().enumerate();
        let with_letter = edges.map(move |(place, edge)| {
            let letters = self.letters.as_ref();
            (letters.map_or(edge.rule, |it| it[first + place]), *edge)
        });
        with_letter.filter(|(letter, _)| *letter != NONE)
    }

    /// Return the state that a sequence of letters leads to, if it can be carried out.
    pub(crate) fn follow(&self, state: u32, word: &[RuleId]) -> Option<u32> {
        word.iter().try_fold(state, |state, letter| {
            let mut moves = self.at(state);
            moves.find(|it| it.0 == letter.0).map(|it| it.1.target)
        })
    }

    /// Return the letters of a sequence of rules that can be carried out from a state.
    pub(crate) fn spell(&self, mut state: u32, rules: &[RuleId]) -> Option<Vec<RuleId>> {
        let mut word = Vec::with_capacity(rules.len());
        for rule in rules {
            let (letter, edge) = self.at(state).find(|(_, edge)| edge.rule == rule.0)?;
            word.push(RuleId(letter));
            state = edge.target;
        }
        Some(word)
    }
}
