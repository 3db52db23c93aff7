//! Moves as people write them, such as `R U2 F'`, and the states to which they lead.
//!
//! A move is a label, or a name that a comment `# alias: NAME = MOVES` declares. After any other
//! name, a number repeats the move, and `'` or `-` undoes it.
//!
//! A comment `# rotation: NAME = MOVE -> MOVE ..` declares a turn of the whole puzzle. It changes
//! no state: the state is that of the puzzle held as in the beginning. But the moves behind it
//! become those that are made at the same places of the turned puzzle.

use std::cell::OnceCell;
use std::collections::HashMap;

use crate::comments::Comments;
use crate::{CanonicalRule, DEFAULT_RULE_LIMIT, Game, RuleId, State, TooManyRules, near_miss};

/// The most moves of a scramble with all names expanded.
const MOST_MOVES: usize = 100_000;

/// The greatest depth of names that stand for names.
const MOST_DEPTH: usize = 32;

/// A move or a turn of the whole puzzle, whether it is undone, and the place of the word that
/// stands for it.
#[derive(Clone, Copy, Debug)]
struct Move<'g> {
    /// The label of a rule, or the name of a turn.
    name: &'g str,
    is_rotation: bool,
    is_undone: bool,
    word: usize,
}

/// A word that is no move, or one that can't be made, with its place among the words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct WrongMove {
    /// The place of the word, from 0.
    pub word: usize,
    /// What is wrong.
    pub problem: MoveProblem,
}

/// What is wrong with a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MoveProblem {
    /// There is no such move.
    #[error("{game} has no move `{word}`{}", match near {
        Some(near) => format!("; did you mean `{near}`?"),
        None => String::new(),
    })]
    Unknown {
        /// The name of the game.
        game: String,
        /// The word.
        word: String,
        /// A move that resembles it.
        near: Option<String>,
        /// The moves of the game, or the first of them, where none resembles it.
        moves: String,
    },
    /// It isn't there once the whole puzzle was turned.
    #[error("move {number} (`{name}`) is no move of {game} once the whole puzzle was turned")]
    Turned {
        /// The name of the game.
        game: String,
        /// The number of the move, from 1.
        number: usize,
        /// The move.
        name: String,
    },
    /// It can't be made, or it isn't clear what it does.
    #[error("move {number} ({}`{label}`) {why}", if *is_undone { "undoing " } else { "" })]
    Impossible {
        /// The number of the move, from 1.
        number: usize,
        /// Its label.
        label: String,
        /// Whether it is undone.
        is_undone: bool,
        /// Why, as the end of a sentence.
        why: &'static str,
    },
    /// Names stand for names too often.
    #[error("names in the scramble refer to other names, {MOST_DEPTH} deep")]
    TooDeep,
    /// There are too many moves.
    #[error("the scramble has more than {MOST_MOVES} moves")]
    TooMany,
    /// The rules can't be run backward.
    #[error("moves of {game} can't be undone: {error}")]
    NotUndone {
        /// The name of the game.
        game: String,
        /// Why.
        error: TooManyRules,
    },
}

impl MoveProblem {
    /// Return whether a limit is exceeded. Otherwise, the text is wrong.
    pub fn is_limit(&self) -> bool {
        matches!(self, Self::TooMany | Self::NotUndone { .. })
    }

    /// Return a hint, where there is one.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::Unknown {
                near: None, moves, ..
            } => Some(moves),
            _ => None,
        }
    }
}

/// Reads moves of a game from one state, one text after another.
pub struct Mover<'g> {
    game: &'g Game,
    /// The name of the game.
    name: &'g str,
    comments: &'g Comments,
    begin: State,
    /// The rules of each label. Case counts, as it does for those who write scrambles.
    rules: HashMap<&'g str, Vec<RuleId>>,
    backward: OnceCell<(Game, HashMap<String, Vec<RuleId>>)>,
}

/// A walk along moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    /// The label of each move, with `'` after it where it was undone.
    pub moves: Vec<String>,
    /// The states on the way, the first and the last one included.
    pub states: Vec<State>,
    /// The cost of all moves.
    pub cost: u64,
}

impl Walk {
    /// Return the last state.
    ///
    /// # Panics
    /// When it has no states; those that a [`Mover`] makes have at least one.
    pub fn end(&self) -> &State {
        self.states.last().expect("the first state is there")
    }
}

impl<'g> Mover<'g> {
    /// Begin at a state of a game, which messages call `name` and whose text has these comments.
    pub fn new(game: &'g Game, name: &'g str, comments: &'g Comments, begin: State) -> Self {
        let mut rules: HashMap<&str, Vec<RuleId>> = HashMap::new();
        for (id, rule) in game.rules_with_ids() {
            rules.entry(&rule.label).or_default().push(id);
        }
        Self {
            game,
            name,
            comments,
            begin,
            rules,
            backward: OnceCell::new(),
        }
    }

    /// Make moves.
    ///
    /// # Errors
    /// When there is no such move, a move can't be made, or its effect is ambiguous.
    ///
    /// # Panics
    /// Never: moves in memory are too few to cost 2^64.
    pub fn walk(&self, words: &[&str]) -> Result<Walk, WrongMove> {
        let mut moves = Vec::new();
        for (place, word) in words.iter().enumerate() {
            self.expand(word, place, false, MOST_DEPTH, &mut moves)
                .map_err(|problem| WrongMove {
                    word: place,
                    problem,
                })?;
        }
        let mut walk = Walk {
            moves: Vec::with_capacity(moves.len()),
            states: vec![self.begin.clone()],
            cost: 0,
        };
        let mut frame = Frame::default();
        for (number, it) in (1..).zip(&moves) {
            let wrong = |problem| WrongMove {
                word: it.word,
                problem,
            };
            if it.is_rotation {
                let (_, becomes) = self.comments.rotations.get(it.name).expect("it was found");
                frame.turn(becomes, it.is_undone, self.rules.keys().copied());
                continue;
            }
            let label = frame.seen(it.name).ok_or_else(|| {
                wrong(MoveProblem::Turned {
                    game: self.name.to_owned(),
                    number,
                    name: it.name.to_owned(),
                })
            })?;
            let none = Vec::new();
            let (game, rules) = if it.is_undone {
                let (game, rules) = self.backward().map_err(wrong)?;
                (game, rules.get(label).unwrap_or(&none))
            } else {
                (self.game, self.rules.get(label).unwrap_or(&none))
            };
            let rules = rules.iter().map(|rule| &game.rule(*rule).canonical);
            let (next, cost) = step(rules, walk.end()).map_err(|why| {
                wrong(MoveProblem::Impossible {
                    number,
                    label: label.to_owned(),
                    is_undone: it.is_undone,
                    why,
                })
            })?;
            let cost = walk.cost.checked_add(cost);
            walk.cost = cost.expect("moves in memory are too few to cost 2^64");
            walk.states.push(next);
            let undone = if it.is_undone { "'" } else { "" };
            walk.moves.push(format!("{label}{undone}"));
        }
        Ok(walk)
    }

    /// The game run backward, with the rules of each label.
    fn backward(&self) -> Result<&(Game, HashMap<String, Vec<RuleId>>), MoveProblem> {
        if let Some(made) = self.backward.get() {
            return Ok(made);
        }
        let game =
            self.game
                .backward(DEFAULT_RULE_LIMIT)
                .map_err(|error| MoveProblem::NotUndone {
                    game: self.name.to_owned(),
                    error,
                })?;
        let mut rules: HashMap<String, Vec<RuleId>> = HashMap::new();
        for (id, rule) in game.rules_with_ids() {
            rules.entry(rule.label.to_string()).or_default().push(id);
        }
        Ok(self.backward.get_or_init(|| (game, rules)))
    }

    /// Add the moves that a word stands for.
    fn expand<'s>(
        &'s self,
        text: &str,
        word: usize,
        is_undone: bool,
        depth: usize,
        moves: &mut Vec<Move<'s>>,
    ) -> Result<(), MoveProblem> {
        let deeper = || depth.checked_sub(1).ok_or(MoveProblem::TooDeep);
        if let Some(named) = self.comments.aliases.get(text) {
            let depth = deeper()?;
            let named: Box<dyn Iterator<Item = &String>> = if is_undone {
                Box::new(named.iter().rev())
            } else {
                Box::new(named.iter())
            };
            for text in named {
                self.expand(text, word, is_undone, depth, moves)?;
            }
            return Ok(());
        }
        let label = self.rules.get_key_value(text);
        let label = label.map(|(label, _)| (*label, false));
        let rotation = || self.comments.rotations.get(text);
        let rotation = || rotation().map(|(name, _)| (name, true));
        if let Some((name, is_rotation)) = label.or_else(rotation) {
            if moves.len() >= MOST_MOVES {
                return Err(MoveProblem::TooMany);
            }
            moves.push(Move {
                name,
                is_rotation,
                is_undone,
                word,
            });
            return Ok(());
        }
        // `D'`, with a typographic apostrophe, or as in Korf's ten cubes `D-`.
        if let Some(base) = text
            .strip_suffix(['\'', '\u{2019}', '-'])
            .filter(|it| !it.is_empty())
        {
            return self.expand(base, word, !is_undone, deeper()?, moves);
        }
        let base = text.trim_end_matches(|c: char| c.is_ascii_digit());
        if !base.is_empty()
            && let Ok(times) = text[base.len()..].parse::<usize>()
            && times > 0
        {
            let depth = deeper()?;
            if times > MOST_MOVES {
                return Err(MoveProblem::TooMany);
            }
            for _ in 0..times {
                self.expand(base, word, is_undone, depth, moves)?;
            }
            return Ok(());
        }
        Err(self.unknown(text))
    }

    fn unknown(&self, word: &str) -> MoveProblem {
        let labels = || self.game.rules().iter().map(|rule| &*rule.label);
        let same = labels().find(|label| label.eq_ignore_ascii_case(word));
        MoveProblem::Unknown {
            game: self.name.to_owned(),
            word: word.to_owned(),
            near: same
                .or_else(|| near_miss(word, labels()))
                .map(str::to_owned),
            moves: listed_moves(labels()),
        }
    }
}

/// The most moves that a message lists.
const MOST_LISTED: usize = 24;

/// The names of moves, each once, for a message.
fn listed_moves<'g>(labels: impl Iterator<Item = &'g str>) -> String {
    let mut names: Vec<&str> = Vec::new();
    for label in labels.filter(|label| !label.is_empty()) {
        if names.len() > MOST_LISTED {
            break;
        }
        if !names.contains(&label) {
            names.push(label);
        }
    }
    let dots = if names.len() > MOST_LISTED {
        " ..."
    } else {
        ""
    };
    names.truncate(MOST_LISTED);
    format!("its moves are {}{dots}", names.join(" "))
}

/// How the puzzle is held: the move that each move has become by turns of the whole puzzle.
#[derive(Default)]
struct Frame<'g> {
    /// `None` before the first turn.
    becomes: Option<HashMap<&'g str, &'g str>>,
}

impl<'g> Frame<'g> {
    /// The move that a move has become, if it is one of the game.
    fn seen(&self, label: &'g str) -> Option<&'g str> {
        match &self.becomes {
            None => Some(label),
            Some(becomes) => becomes.get(label).copied(),
        }
    }

    /// Turn the whole puzzle, or undo a turn.
    fn turn(
        &mut self,
        becomes: &'g HashMap<String, String>,
        is_undone: bool,
        labels: impl Iterator<Item = &'g str>,
    ) {
        let pairs = becomes.iter().map(|(from, to)| {
            if is_undone {
                (&**to, &**from)
            } else {
                (&**from, &**to)
            }
        });
        let by_turn: HashMap<&str, &str> = pairs.collect();
        let turned = labels.filter_map(|label| Some((label, self.seen(by_turn.get(label)?)?)));
        self.becomes = Some(turned.collect());
    }
}

/// The state after a move, on which all of its rules that can be used must agree, and the least
/// cost.
fn step<'r>(
    rules: impl Iterator<Item = &'r CanonicalRule>,
    state: &State,
) -> Result<(State, u64), &'static str> {
    let mut next: Option<(State, u64)> = None;
    for rule in rules.filter(|rule| rule.applies_to(state.values())) {
        let reached = State::new(rule.apply(state.values()));
        let cost = match &next {
            Some((other, _)) if *other != reached => {
                return Err("leads to several states, so it isn't clear which is meant");
            }
            Some((_, cost)) => rule.cost().min(*cost),
            None => rule.cost(),
        };
        next = Some((reached, cost));
    }
    next.ok_or("can't be made there")
}
