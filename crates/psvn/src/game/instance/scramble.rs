//! States by the moves that lead there from the goal: `R U2 F'`.

use psvn_ir::{CanonicalRule, DEFAULT_RULE_LIMIT, State};

use crate::error::Error;
use crate::game::Game;
use crate::text::{Parameter, message};

/// The most moves of a scramble, with all that its names stand for.
const MOST_MOVES: usize = 100_000;

/// As deep may names stand for names.
const MOST_DEPTH: usize = 32;

/// A label, and whether its rule is undone.
#[derive(Clone, Debug)]
struct Move {
    label: String,
    is_undone: bool,
}

/// Moves that were made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    /// The label of each move, with `'` behind it where it was undone.
    pub moves: Vec<String>,
    /// The states on the way, the first and the last one included.
    pub states: Vec<State>,
    /// What the moves cost together.
    pub cost: u64,
}

impl Game {
    /// Return the state that scrambles begin with: the goal, or the declared start if the goal
    /// isn't one state.
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
    /// When there is no such move, a move can't be made, or it is no matter of course what it does.
    pub fn scramble(&self, text: &str) -> Result<State, Error> {
        let start = self.scramble_start()?;
        let walk = self.walk(&start, text)?;
        Ok(walk.states.into_iter().next_back().unwrap_or(start))
    }

    /// Make moves from a state. A move is a label, or a name that a comment `# alias: NAME = MOVES`
    /// declares. Where there is no such name, a number behind a name repeats it, and `'` undoes it.
    ///
    /// # Errors
    /// When there is no such move, a move can't be made, or it is no matter of course what it does.
    pub fn walk(&self, start: &State, text: &str) -> Result<Walk, Error> {
        let mut walk = Walk {
            moves: Vec::new(),
            states: vec![start.clone()],
            cost: 0,
        };
        let mut state = start.clone();
        let mut moves = Vec::new();
        for word in text.split_whitespace() {
            self.expand(word, false, MOST_DEPTH, &mut moves)?;
        }
        let needs_backward = moves.iter().any(|it| it.is_undone);
        let backward = match needs_backward {
            true => Some(self.ir().backward(DEFAULT_RULE_LIMIT).map_err(|error| {
                Error::limit(format!("moves of {} can't be undone: {error}", self.name()))
            })?),
            false => None,
        };
        for (number, it) in moves.iter().enumerate() {
            let game = match it.is_undone {
                true => backward.as_ref().unwrap_or(self.ir()),
                false => self.ir(),
            };
            let rules = game.rules().iter().filter(|rule| *rule.label == *it.label);
            let made = step(rules.map(|rule| &rule.canonical), &state);
            let (next, cost) = made.map_err(|problem| {
                let undo = if it.is_undone { "undoing " } else { "" };
                Error::input(format!(
                    "move {} ({undo}`{}`) {problem}",
                    number + 1,
                    it.label
                ))
            })?;
            state = next;
            walk.cost = walk.cost.saturating_add(cost);
            walk.states.push(state.clone());
            let undone = if it.is_undone { "'" } else { "" };
            walk.moves.push(format!("{}{undone}", it.label));
        }
        Ok(walk)
    }

    /// Add what a word stands for.
    fn expand(
        &self,
        word: &str,
        is_undone: bool,
        depth: usize,
        moves: &mut Vec<Move>,
    ) -> Result<(), Error> {
        let deeper = || {
            let message = format!("names in the scramble stand for names, {MOST_DEPTH} deep");
            depth.checked_sub(1).ok_or_else(|| Error::input(message))
        };
        if let Some(named) = self.aliases.get(word) {
            let depth = deeper()?;
            let named: Box<dyn Iterator<Item = &String>> = match is_undone {
                true => Box::new(named.iter().rev()),
                false => Box::new(named.iter()),
            };
            for word in named {
                self.expand(word, is_undone, depth, moves)?;
            }
            return Ok(());
        }
        if self.has_label(word) {
            if moves.len() >= MOST_MOVES {
                let message = format!("the scramble has more than {MOST_MOVES} moves");
                return Err(Error::limit(message));
            }
            let label = word.to_owned();
            moves.push(Move { label, is_undone });
            return Ok(());
        }
        if let Some(base) = word
            .strip_suffix(['\'', '\u{2019}'])
            .filter(|it| !it.is_empty())
        {
            return self.expand(base, !is_undone, deeper()?, moves);
        }
        let base = word.trim_end_matches(|c: char| c.is_ascii_digit());
        if !base.is_empty()
            && let Ok(times) = word[base.len()..].parse::<usize>()
            && times > 0
        {
            let depth = deeper()?;
            if times > MOST_MOVES {
                let message = format!("the scramble has more than {MOST_MOVES} moves");
                return Err(Error::limit(message));
            }
            for _ in 0..times {
                self.expand(base, is_undone, depth, moves)?;
            }
            return Ok(());
        }
        let labels = || self.ir().rules().iter().map(|rule| &*rule.label);
        let same = labels().find(|label| label.eq_ignore_ascii_case(word));
        let near = same.or_else(|| psvn_ir::near_miss(word, labels()));
        let near = near.map(|near| format!("; did you mean `{near}`?"));
        Err(Error::input(format!(
            "{} has no move `{word}`{}",
            self.name(),
            near.unwrap_or_default()
        )))
    }

    /// Whether there is such a label. Case counts, as it does for those who write scrambles.
    fn has_label(&self, word: &str) -> bool {
        self.ir().rules().iter().any(|rule| *rule.label == *word)
    }
}

/// The state after a move, and the least cost: what all of its rules that can be used agree on.
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
