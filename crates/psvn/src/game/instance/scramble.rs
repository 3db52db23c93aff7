//! States by the moves that lead there from the goal: `R U2 F'`.

use std::cell::OnceCell;
use std::collections::HashMap;

use psvn_ir::{CanonicalRule, DEFAULT_RULE_LIMIT, RuleId, State};

use crate::error::Error;
use crate::game::Game;
use crate::text::{Parameter, message};

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

/// An error in a scramble, with the place of the word.
#[derive(Debug)]
pub(super) struct Wrong {
    #[cfg_attr(
        not(feature = "formats"),
        expect(dead_code, reason = "instance files of scrambles need it")
    )]
    pub(super) word: usize,
    pub(super) error: Error,
}

impl Wrong {
    fn at(word: usize, error: Error) -> Self {
        Self { word, error }
    }
}

/// Reads scrambles of a game, one after another.
pub(super) struct Scrambler<'g> {
    game: &'g Game,
    begin: State,
    /// The rules of each label. Case counts, as it does for those who write scrambles.
    rules: HashMap<&'g str, Vec<RuleId>>,
    backward: OnceCell<(psvn_ir::Game, HashMap<String, Vec<RuleId>>)>,
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
    /// When it has no states; those that [`Game::walk`] makes have at least one.
    pub fn end(&self) -> &State {
        self.states.last().expect("the first state is there")
    }
}

impl Game {
    /// Return the state where scrambles begin: the goal, or the declared start if the goal isn't a
    /// single state.
    ///
    /// # Errors
    /// When there is neither.
    pub fn scramble_start(&self) -> Result<State, Error> {
        if let Some(state) = self.ir().goal_state() {
            return Ok(state);
        }
        self.declared_start()?.ok_or_else(|| {
            let message = format!("the goal of {} isn't one state to begin with", self.name());
            Error::usage(message).with_hint(message!["give a state with `", Parameter::Start, "`"])
        })
    }

    /// Return the state to which moves lead from [the goal](Self::scramble_start). They are read as
    /// by [`walk`](Self::walk).
    ///
    /// # Errors
    /// When there is no such move, a move can't be made, or its effect is ambiguous.
    pub fn scramble(&self, text: &str) -> Result<State, Error> {
        let walk = self.walk(&self.scramble_start()?, text)?;
        Ok(walk.end().clone())
    }

    /// Make moves from a state. A move is a label, or a name that a comment `# alias: NAME = MOVES`
    /// declares. After any other name, a number repeats the move, and `'` or `-` undoes it.
    ///
    /// A comment `# rotation: NAME = MOVE -> MOVE ..` declares a turn of the whole puzzle. It
    /// changes no state: the state is that of the puzzle held as in the beginning. But the moves
    /// behind it become those that are made at the same places of the turned puzzle.
    ///
    /// # Errors
    /// When there is no such move, a move can't be made, or its effect is ambiguous.
    pub fn walk(&self, start: &State, text: &str) -> Result<Walk, Error> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let found = Scrambler::new(self, start.clone()).walk(&words);
        found.map_err(|wrong| wrong.error)
    }
}

impl<'g> Scrambler<'g> {
    /// Begin at a state.
    pub(super) fn new(game: &'g Game, begin: State) -> Self {
        let mut rules: HashMap<&str, Vec<RuleId>> = HashMap::new();
        for (id, rule) in game.ir().rules_with_ids() {
            rules.entry(&rule.label).or_default().push(id);
        }
        Self {
            game,
            begin,
            rules,
            backward: OnceCell::new(),
        }
    }

    /// Make moves.
    pub(super) fn walk(&self, words: &[&str]) -> Result<Walk, Wrong> {
        let mut moves = Vec::new();
        for (place, word) in words.iter().enumerate() {
            self.expand(word, place, false, MOST_DEPTH, &mut moves)
                .map_err(|error| Wrong::at(place, error))?;
        }
        let mut walk = Walk {
            moves: Vec::with_capacity(moves.len()),
            states: vec![self.begin.clone()],
            cost: 0,
        };
        let mut frame = Frame::default();
        for (number, it) in (1..).zip(&moves) {
            let wrong = |error| Wrong::at(it.word, error);
            if it.is_rotation {
                let (_, becomes) = self.game.rotations.get(it.name).expect("it was found");
                frame.turn(becomes, it.is_undone, self.rules.keys().copied());
                continue;
            }
            let label = frame.seen(it.name).ok_or_else(|| {
                let message = format!(
                    "move {number} (`{}`) is no move of {} once the whole puzzle was turned",
                    it.name,
                    self.game.name()
                );
                wrong(Error::input(message))
            })?;
            let none = Vec::new();
            let (game, rules) = if it.is_undone {
                let (game, rules) = self.backward().map_err(wrong)?;
                (game, rules.get(label).unwrap_or(&none))
            } else {
                (self.game.ir(), self.rules.get(label).unwrap_or(&none))
            };
            let rules = rules.iter().map(|rule| &game.rule(*rule).canonical);
            let (next, cost) = step(rules, walk.end()).map_err(|problem| {
                let undo = if it.is_undone { "undoing " } else { "" };
                let message = format!("move {number} ({undo}`{label}`) {problem}");
                wrong(Error::input(message))
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
    fn backward(&self) -> Result<&(psvn_ir::Game, HashMap<String, Vec<RuleId>>), Error> {
        if let Some(made) = self.backward.get() {
            return Ok(made);
        }
        let game = self
            .game
            .ir()
            .backward(DEFAULT_RULE_LIMIT)
            .map_err(|error| {
                let name = self.game.name();
                Error::limit(format!("moves of {name} can't be undone: {error}"))
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
    ) -> Result<(), Error> {
        let deeper = || {
            let message = format!("names in the scramble refer to other names, {MOST_DEPTH} deep");
            depth.checked_sub(1).ok_or_else(|| Error::input(message))
        };
        let too_many = || {
            let message = format!("the scramble has more than {MOST_MOVES} moves");
            Error::limit(message)
        };
        if let Some(named) = self.game.aliases.get(text) {
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
        let rotation = || self.game.rotations.get(text);
        let rotation = || rotation().map(|(name, _)| (name, true));
        if let Some((name, is_rotation)) = label.or_else(rotation) {
            if moves.len() >= MOST_MOVES {
                return Err(too_many());
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
                return Err(too_many());
            }
            for _ in 0..times {
                self.expand(base, word, is_undone, depth, moves)?;
            }
            return Ok(());
        }
        Err(self.unknown(text))
    }

    fn unknown(&self, word: &str) -> Error {
        let labels = || self.game.ir().rules().iter().map(|rule| &*rule.label);
        let same = labels().find(|label| label.eq_ignore_ascii_case(word));
        let near = same.or_else(|| psvn_ir::near_miss(word, labels()));
        let error = Error::input(match near {
            Some(near) => {
                format!(
                    "{} has no move `{word}`; did you mean `{near}`?",
                    self.game.name()
                )
            }
            None => format!("{} has no move `{word}`", self.game.name()),
        });
        match near {
            Some(_) => error,
            None => error.with_hint(listed_moves(labels())),
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
